"""A graph that nobody planned: random_graph.py SEED [ISLANDS]. Cables at random between switches, some of them parallel, some channels without
an opposite, hosts with one cable and with several, a name with a quote. ISLANDS parts, 1 unless given, that no cable joins."""
import random
import sys

chance = random.Random(int(sys.argv[1]))
islands = int((sys.argv + ["1"])[2])
edges, hosts = [], 0
for island in range(islands):
    switches = ["S%d_%d" % (island, i) for i in range(chance.randint(3, 14))]
    for i, switch in enumerate(switches[1:], 1):
        other = chance.choice(switches[:i])
        edges += [(switch, other), (other, switch)]
    for _ in range(chance.randint(0, 2 * len(switches))):
        pair = tuple(chance.sample(switches, 2))
        edges += [pair] if chance.random() < 0.1 else [pair, pair[::-1]]
    for switch in switches:
        for _ in range(chance.randint(0, 3)):
            host = "H%d" % hosts if hosts != 3 else 'H\\"3'
            hosts += 1
            others = chance.sample(switches, chance.randint(2, 3)) if chance.random() < 0.15 else [switch]
            for other in others:
                edges += [(host, other), (other, host)]
    for switch in switches[:2]:  # two at least
        edges += [("H%d" % hosts, switch), (switch, "H%d" % hosts)]
        hosts += 1
chance.shuffle(edges)
print("digraph random {")
for tail, head in edges:
    print('"%s" -> "%s";' % (tail, head))
print("}")
