#!/usr/bin/env python3
"""
Compares orcs-topology --distances with the routes of its tables, pair by pair: distances.py BIN_DIR SPEC... Prints the specifications
that differ.
"""
import collections
import csv
import io
import re
import subprocess
import sys


def run(*arguments):
    return subprocess.run([sys.argv[1] + "/orcs-topology", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()


def counted(spec):
    pairs = collections.Counter()
    for row in csv.DictReader(io.StringIO(run("--distances", spec))):
        channels = int(row["channels"])
        assert channels == sum(int(n) for name, n in row.items() if name.startswith("tier"))
        pairs[channels] += int(row["pairs"])
    return pairs


def walked(spec):
    after, usual, hosts, kind = collections.defaultdict(dict), {}, [], None
    for line in run("--tables", spec).splitlines():
        cable = re.match(r'"([^"]+)" -> "([^"]+)" \[comment="([^"]*)"', line)
        node = re.match(r'"([^"]+)"(;| \[)', line)
        if cable:
            for destination in filter(None, cable[3].split(",")):
                if destination == "*":
                    usual[cable[1]] = cable[2]
                else:
                    after[cable[1]][destination] = cable[2]
        elif line.startswith("node ["):
            kind = re.search(r'type="(\w+)"', line)[1]
        elif node and kind == "host":
            hosts.append(node[1])
    pairs = collections.Counter()
    for source in hosts:
        for destination in hosts:
            at, steps = source, 0
            while at != destination:
                at, steps = after[at].get(destination) or usual[at], steps + 1
                assert steps < 5000, spec
            pairs[steps] += source != destination
    del pairs[0]
    return pairs


different = [spec for spec in sys.argv[2:] if counted(spec) != walked(spec)]
print("differ:", *different)
sys.exit(bool(different))
