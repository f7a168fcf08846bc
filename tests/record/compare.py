"""Compares the traffic of a recorded program with what its ranks say: compare.py BIN TRACE EXPECT RANKS FABRIC."""
import collections
import csv
import io
import subprocess
import sys

bin_dir, trace, expect, ranks, fabric = sys.argv[1:6]


def flows(collectives):
    """The messages as orcs replays them, with how often each is sent."""
    out = subprocess.run([bin_dir + "/orcs", "--engine", "flow", "-d", "--quiet", "-p", f"trace:{trace},collectives={collectives}",
                          "--flows", "-", "-o", "/dev/null", fabric], stdout=subprocess.PIPE, check=True).stdout.decode()
    rows = csv.DictReader(line for line in io.StringIO(out) if not line.startswith("#"))
    return collections.Counter((int(r["sender"]), int(r["receiver"]), int(float(r["bytes"]))) for r in rows)


text = subprocess.run(["zstd", "-dc", trace], stdout=subprocess.PIPE, check=True).stdout.decode()
calls = collections.Counter((int(w[1]), w[2], int(w[3])) for w in map(str.split, text.splitlines())
                            if w[0] == "x" and w[2] != "alltoallv" and not w[2].startswith("neighbor"))
messages, wanted_calls, blocks = collections.Counter(), collections.Counter(), collections.Counter()
for rank in range(int(ranks)):
    for kind, other, amount in map(str.split, open(f"{expect}.{rank}")):
        if kind == "x":
            wanted_calls[rank, other, int(amount)] += 1
        elif kind == "g":
            messages[int(other), rank, int(amount)] += 1
        elif kind == "m":
            messages[rank, int(other), int(amount)] += 1
        else:  # of alltoallv, and of neighbours
            blocks[rank, int(other), int(amount)] += 1
bad = False
for what, wanted, found in (("messages", messages, flows("none")), ("calls", wanted_calls, calls)):
    for key in sorted(set(wanted) | set(found)):
        if wanted[key] != found[key]:
            print(what, key, "wanted", wanted[key], "found", found[key])
            bad = True
if blocks:
    found = flows("simple")
    for key, number in blocks.items():
        if key[2] and key[0] != key[1] and found[key] < number:
            print("block", key, "wanted", number, "found", found[key])
            bad = True
sys.exit(bad)
