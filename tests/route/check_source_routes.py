"""Holds a file of source routes against all simple paths of its graph, found by brute force, with no help of the programs:

    check_source_routes.py GRAPH ROUTES RULE

RULE: ksp:K, the routes of every pair are K of its loopless paths, none longer than one that is missing; allpath:D,N, they are all that are
at most D channels longer than the shortest, or N of these; any, only that they are routes. Shares are as weights=equal unless RULE ends
with ",inverse". Hosts forward nothing, but where all nodes are hosts those with several channels. It prints a line for what does not
hold, and ends with the status 1 then; else how many pairs and routes there are.
"""
import re
import sys
from collections import defaultdict

graph_path, routes_path, rule = sys.argv[1:4]
EDGE = re.compile(r'^\s*"((?:[^"\\]|\\.)*)" -> "((?:[^"\\]|\\.)*)"\s*(?:\[(.*)\])?;$')
NODE = re.compile(r'^\s*"((?:[^"\\]|\\.)*)"\s*(?:\[(.*)\])?;$')
out, kind, default = defaultdict(list), {}, None


def plain(text):
    return text.replace('\\"', '"')


def type_of(text):
    found = re.search(r'\btype="?(\w+)"?', text or "")
    return found.group(1) if found else None


for line in open(graph_path):
    found = re.match(r'^\s*node \[type="?(\w+)"?\];$', line)
    if found:
        default = found.group(1)
        continue
    found = EDGE.match(line)
    if found:
        tail, head = plain(found.group(1)), plain(found.group(2))
        port = re.search(r'\bport="?(\d+)"?', found.group(3) or "")
        for name in (tail, head):
            kind.setdefault(name, default or ("host" if name.startswith("H") else "switch"))
        out[tail].append((head, port.group(1) if port else None))
        continue
    found = NODE.match(line)
    if found:
        name = plain(found.group(1))
        kind[name] = type_of(found.group(2)) or default or ("host" if name.startswith("H") else "switch")
hosts = [name for name in kind if kind[name] == "host"]
direct = len(hosts) == len(kind)


def labels(node):
    """The channels out of a node, each with what a route calls it: NODE, or NODE:PORT where several lead to the same."""
    alike = defaultdict(list)
    for head, port in out[node]:
        alike[head].append(port)
    for head, ports in alike.items():
        numbered = all(ports) and len(set(ports)) == len(ports)
        for i, port in enumerate(ports):
            yield head, node if len(ports) == 1 else "%s:%s" % (node, port if numbered else i + 1)


steps = {node: list(labels(node)) for node in list(kind)}


def simple_paths(source, destination):
    """All of them, as (tuple of what a line says)."""
    found, stack = [], [(source, (), {source})]
    while stack:
        node, path, seen = stack.pop()
        if node == destination:
            found.append(path + (node,))
            continue
        if node != source and kind[node] == "host" and not (direct and len(steps[node]) > 1):
            continue
        for head, label in steps[node]:
            if head not in seen:
                stack.append((head, path + (label,), seen | {head}))
    return found


routes = defaultdict(list)
for line in open(routes_path):
    weight, words = line.rstrip("\n").split(" ", 1)
    words = tuple(words.split(","))
    bare = [word if word in kind else word.rsplit(":", 1)[0] for word in words]
    routes[bare[0], bare[-1]].append((float(weight), words))
wrong = count = 0
name, _, rest = rule.partition(":")
numbers = [int(word) for word in rest.split(",") if word.isdigit()]
for source in hosts:
    for destination in hosts:
        if source == destination:
            continue
        paths = simple_paths(source, destination)
        got = routes.pop((source, destination), [])
        words = [path for _, path in got]
        count += len(got)
        lengths = sorted(map(len, paths))
        if name == "ksp":
            wanted = lengths[: numbers[0]]
        elif name == "allpath":
            wanted = [length for length in lengths if length <= lengths[0] + numbers[0]][: numbers[1]]
        else:
            wanted = sorted(map(len, words))
        share = [1 / (len(path) - 1) if rest.endswith("inverse") else 1 for path in words]
        total, all_weight = sum(share), sum(weight for weight, _ in got)
        text = None
        if set(words) - set(paths):
            text = "has a route that is no simple path: %s" % ",".join((set(words) - set(paths)).pop())
        elif len(set(words)) != len(words):
            text = "has a route twice"
        elif sorted(map(len, words)) != wanted:
            text = "has routes of lengths %s, not %s" % (sorted(map(len, words)), wanted)
        elif name != "any" and any(abs(weight / all_weight - part / total) > 1e-12 for (weight, _), part in zip(got, share)):
            text = "has other shares"
        elif [weight for weight, _ in got] != sorted((weight for weight, _ in got), reverse=True):
            text = "has a lighter route before a heavier"
        if text:
            wrong += 1
            print("%s -> %s %s" % (source, destination, text))
if routes:
    wrong += 1
    print("routes of what is no pair: %s" % (next(iter(routes)),))
if not wrong:
    print("%d pairs, %d routes" % (len(hosts) * (len(hosts) - 1), count))
sys.exit(1 if wrong else 0)
