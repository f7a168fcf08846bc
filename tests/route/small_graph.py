"""A small graph that nobody planned, for brute force: small_graph.py SEED [direct|ports]. Few switches, parallel cables, channels without an
opposite, hosts with one cable, with several, and beside a host. direct: no switches. ports: with port numbers, perhaps some missing."""
import random
import sys

chance = random.Random(int(sys.argv[1]))
how = (sys.argv + [""])[2]
direct = how == "direct"
inner = [("H%d" if direct else "S%d") % i for i in range(chance.randint(2, 6))]
edges = []


def join(a, b):
    edges.extend([(a, b), (b, a)] if chance.random() < 0.9 else [chance.choice([(a, b), (b, a)])])


for i, node in enumerate(inner[1:], 1):
    other = chance.choice(inner[:i])
    edges += [(node, other), (other, node)]
for _ in range(chance.randint(0, len(inner))):
    join(*chance.sample(inner, 2))
for i in range(0 if direct else chance.randint(2, 6)):
    host = "H%d" % i if i != 3 else 'H \\"3:1'
    for other in chance.sample(inner, 2) if chance.random() < 0.3 else [chance.choice(inner)] * (2 if chance.random() < 0.1 else 1):
        edges += [(host, other), (other, host)]
    if i and chance.random() < 0.1:
        edges += [(host, "H0"), ("H0", host)]
chance.shuffle(edges)
print("digraph small {")
if direct:
    print('\tnode [type="host"];')
for i, (tail, head) in enumerate(edges):
    port = ' [port="%d"]' % (i + 1) if how == "ports" and chance.random() < 0.95 else ""
    print('\t"%s" -> "%s"%s;' % (tail, head, port))
print("}")
