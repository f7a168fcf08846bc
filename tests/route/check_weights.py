"""Whether the weights of multipath entries give every shortest path of a pair the same share: check_weights.py GRAPH. Of each switch and each
destination, the weights of the channels must be to one another as the numbers of shortest paths behind them, found here anew."""
import re
import sys
from collections import defaultdict
from fractions import Fraction

from check_routes import ATTRIBUTE, STATEMENT, Graph

graph = Graph(sys.argv[1], multipath=True)
weights = []
for line in open(sys.argv[1]):
    found = STATEMENT.match(line)
    if found and found.group(2) is not None:
        text = dict(ATTRIBUTE.findall(found.group(3) or "")).get("weights", "")
        weights.append({name: int(part.split(":", 1)[0]) for part in text.split(";") if part for name in part.split(":", 1)[1].split(",")})
into, wrong, unequal = defaultdict(list), 0, 0
for channel, head in enumerate(graph.head):
    into[head].append(channel)
for destination in graph.hosts:
    distance = graph.distances(destination, into)
    paths = {destination: 1}
    for node in sorted(distance, key=distance.get):
        nearer = [c for c in graph.out[node] if destination in graph.sets[c]]
        if node == destination or graph.type[node] == "host" and not nearer:
            continue
        behind = [paths.get(graph.head[c], 0) for c in nearer]
        paths[node] = sum(behind)
        told = [weights[c].get(destination, 1) for c in nearer]
        unequal += len(set(told)) > 1
        if min(told, default=1) < 1 or any(Fraction(a, sum(told)) != Fraction(b, sum(behind)) for a, b in zip(told, behind)):
            wrong += 1
            print("%s to %s has the weights %s, not %s" % (node, destination, told, behind))
for channel, told in enumerate(weights):
    if set(told) - graph.sets[channel]:
        wrong += 1
        print("weights of hosts that are not listed")
print("%d unequal" % unequal)
sys.exit(1 if wrong else 0)
