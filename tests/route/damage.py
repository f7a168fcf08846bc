"""Takes cables and switches away from a graph of orcs-topology, at random: damage.py GRAPH SEED CABLES [SWITCHES]. No host loses its cable."""
import random
import re
import sys

path, seed, cables, switches = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int((sys.argv + ["0"])[4])
chance = random.Random(seed)
lines = open(path).read().splitlines()
edges = [tuple(found.groups()) for found in map(re.compile(r'^\s*"(\w+)" -> "(\w+)"').match, lines) if found]
hosts = {name for edge in edges for name in edge if name.startswith("H")}
near = {name for edge in edges if set(edge) & hosts for name in edge}
gone = set(chance.sample(sorted({name for edge in edges for name in edge} - near), switches))
between = sorted({tuple(sorted(edge)) for edge in edges if not set(edge) & (hosts | gone)})
cut = set(chance.sample(between, cables))
for line in lines:
    words = re.findall(r'"([^"]*)"', line)
    if line.startswith('"') and (set(words[:2]) & gone or tuple(sorted(words[:2])) in cut):
        continue
    print(line)
