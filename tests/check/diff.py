#!/usr/bin/env python3
"""orcs-check --against on fabrics under ibsim, against ibnetdiscover --diff: diff.py BIN_DIR FABRICS (from the root of the sources)"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

bin_dir, fabrics = os.path.abspath(sys.argv[1]), int(sys.argv[2])
random.seed(int(os.environ.get("SEED", "9")))
work = tempfile.mkdtemp()
scripts = os.path.abspath("scripts")
environment = dict(os.environ, ORCS_BIN=bin_dir)
passed = failed = 0


def net(nodes, cables):
    """nodes: {name: (host, guid)}; cables: {(name, port): (name, port)} in both directions."""
    lines = []
    for name, (host, guid) in nodes.items():
        lines.append("%sguid=0x%x" % ("ca" if host else "switch", guid))
        lines.append('%s\t%d "%s"' % ("Hca" if host else "Switch", 1 if host else 36, name))
        lines += ['[%d]\t"%s"[%d]' % (p, *peer) for (n, p), peer in sorted(cables.items()) if n == name]
        lines.append("")
    return "\n".join(lines) + "\n"


def join(cables, a, b):
    cables[a], cables[b] = b, a


def cut(cables, a):
    b = cables.pop(a)
    del cables[b]
    return b


def edited(cables, nodes):
    """Cables removed, moved to other ports and switches, and added; hosts keep theirs, or move."""
    cables = dict(cables)
    switches = [n for n in nodes if not nodes[n][0]]
    trunks = sorted(a for a in cables if not nodes[a[0]][0] and not nodes[cables[a][0]][0] and a < cables[a])
    cut(cables, random.choice(trunks))
    hosts = sorted(a for a in cables if nodes[a[0]][0])
    for a in random.sample(hosts, 2):
        cut(cables, a)
        join(cables, a, (random.choice(switches), random.randint(20, 28)))
    free = [(s, 30 + i) for i, s in enumerate(random.sample(switches, 2))]
    join(cables, *free)
    return cables


def under(directory, *command):
    return subprocess.run([scripts + "/under_ibsim.sh", "-d", directory, *command], capture_output=True, text=True, env=environment, cwd=work).stdout


def simulate(name, text, *commands):
    """The output of each command on that fabric."""
    path, directory = os.path.join(work, name), os.path.join(work, name + ".run")
    with open(path, "w") as file:
        file.write(text)
    simulator = subprocess.Popen([scripts + "/start_ibsim.sh", "-d", directory, path], stdout=subprocess.PIPE, text=True, env=environment)
    ready = simulator.stdout.readline()
    out = [under(directory, *command) for command in commands] if ready else None
    simulator.terminate()
    simulator.wait()
    return out


def theirs(text):
    """The ends of cables at switches that ibnetdiscover --diff lists: {'<' or '>': {((switch, port), (peer, port))}}."""
    found, node = {"<": set(), ">": set()}, None
    for line in text.splitlines():
        head = re.match(r'(?:[<>] )?(?:Switch|Ca)\s+\d+ "[^"]*"\s+# "([^"]*)"', line)
        end = re.match(r'([<>]) \[(\d+)\](?:\([0-9a-f]+\))?\s+"[^"]*"\[(\d+)\].*?"([^"]*)" lid', line)
        if head:
            node = head[1]
        elif end and not nodes[node][0]:
            found[end[1]].add(((node, int(end[2])), (end[4], int(end[3]))))
    return found


def ours(result):
    found = {"<": set(), ">": set()}
    for change in result["against"]["cables"]["listed"]:
        for side, sign in (("old", "<"), ("new", ">")):
            if side not in change:
                continue
            cable = change[side]
            ends = [(re.sub("^H-", "", cable[k]), cable[k + "_port"]) for k in ("from", "to")]
            for a, b in (ends, ends[::-1]):
                if not nodes[a[0]][0]:
                    found[sign].add((a, b))
    return found


for number in range(fabrics):
    nodes, cables = {}, {}
    for level, count in (("spine", 2), ("leaf", 4), ("node", 10)):
        for i in range(count):
            nodes["%s%d" % (level, i)] = (level == "node", 0x10000 + 16 * len(nodes))
    for leaf in range(4):
        for spine in range(2):
            join(cables, ("leaf%d" % leaf, 10 + spine), ("spine%d" % spine, 1 + leaf))
    for h in range(10):
        join(cables, ("node%d" % h, 1), ("leaf%d" % (h % 4), 1 + h // 4))
    first = ["ibnetdiscover", "--cache", "old.cache%d" % number], ["ibnetdiscover"]
    old = simulate("old%d" % number, net(nodes, cables), *first)
    new = simulate("new%d" % number, net(nodes, edited(cables, nodes)), ["ibnetdiscover", "--diff", "old.cache%d" % number], ["ibnetdiscover"])
    if not old or not new:
        print("FAILED: ibsim does not run")
        failed += 1
        break
    files = []
    for name, text in (("old", old[1]), ("new", new[1])):
        files.append(os.path.join(work, "%s%d.ibnetdiscover" % (name, number)))
        with open(files[-1], "w") as file:
            file.write(text)
    out = subprocess.run([bin_dir + "/orcs-check", "--quiet", "--all", "--format", "json", "--against", *files], capture_output=True, text=True)
    wanted = theirs(new[0])
    got = ours(json.loads(out.stdout))
    if wanted == got and len(wanted["<"]) > 3 and len(wanted[">"]) > 3:
        passed += 1
    else:
        failed += 1
        print("FAILED: ibnetdiscover --diff %d: wanted %s, got %s" % (number, wanted, got))
subprocess.run(["rm", "-rf", work])
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
