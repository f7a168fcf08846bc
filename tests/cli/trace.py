"""Routes of pairs, and who uses each channel, by following the sets of a dot graph entry by entry: trace.py ORCS-TRACE GRAPH...

Knows only what orcs-dot(5) says of graphs, and compares what orcs-trace --format json says of every channel and of some pairs.
"""
import collections
import json
import random
import subprocess
import sys

from graphs import hosts_of, read


def tables(hosts, edges):
    """Returns ways[node][destination]: edges and their shares."""
    ways = collections.defaultdict(lambda: collections.defaultdict(list))
    leaving = collections.defaultdict(list)
    for number, (tail, _, values) in enumerate(edges):
        leaving[tail].append((number, values))
    for tail, list_ in leaving.items():
        named = set()
        for _, values in list_:
            named.update(n for n in values.get("comment", "").split(",") if n and n != "*")
        for number, values in list_:
            weight = collections.defaultdict(lambda: 1)
            for part in filter(None, values.get("weights", "").split(";")):
                factor, names = part.split(":", 1)
                for name in names.split(","):
                    weight[name] = int(factor)
            for name in values.get("comment", "").split(","):
                for destination in ([h for h in hosts if h not in named and h != tail] if name == "*" else [name] if name else []):
                    ways[tail][destination].append((number, weight[destination]))
    for entries in ways.values():
        for destination, list_ in entries.items():
            total = sum(weight for _, weight in list_)
            entries[destination] = [(number, weight / total) for number, weight in list_]
    return ways


def routes(edges, ways, source, destination):
    """All routes as lists of edges, with their shares."""
    found, stack = [], [(source, [], 1.0)]
    while stack:
        node, path, share = stack.pop()
        if node == destination:
            found.append((path, share))
            continue
        for number, part in reversed(ways[node][destination]):
            stack.append((edges[number][1], path + [number], share * part))
    return found


def main():
    program, wrong, right = sys.argv[1], 0, 0
    for path in sys.argv[2:]:
        kinds, edges = read(open(path))
        hosts = hosts_of(kinds)
        ways = tables(hosts, edges)
        leaf = {tail: head for tail, head, _ in reversed(edges) if tail in hosts}
        use = collections.defaultdict(lambda: collections.defaultdict(float))
        drawn = random.Random(1)
        for source in hosts:
            for destination in hosts:
                if source == destination:
                    continue
                for route, share in routes(edges, ways, source, destination):
                    for edge in route:
                        use[edge][source, destination] += share
        order = collections.Counter()
        port = {}
        for number, (tail, _, values) in enumerate(edges):
            order[tail] += 1
            port[number] = int(values.get("port") or order[tail])
        for number, (tail, head, _) in enumerate(edges):
            said = subprocess.run([program, "--quiet", "--top", "0", "--format", "json", "--channel", f"{tail}:{port[number]}", path],
                                  capture_output=True, text=True)
            pairs = use[number]
            groups = collections.Counter((leaf[s], leaf[d]) for s, d in pairs)
            first = json.loads(said.stdout)["channels"][0] if said.returncode == 0 else {}
            same = (first.get("from"), first.get("to")) == (tail, head) and first["pairs"] == len(pairs) and \
                abs(first["load"] - sum(pairs.values())) < 1e-9 * (1 + len(pairs)) and \
                first["senders"] == len({s for s, _ in pairs}) and first["receivers"] == len({d for _, d in pairs}) and \
                {(g["from"], g["to"]): g["pairs"] for g in first["by"]} == groups
            right, wrong = right + same, wrong + (not same)
            if not same:
                print(f"{path}: {tail}:{port[number]}: {first}{said.stderr} instead of {len(pairs)} pairs", file=sys.stderr)
        for _ in range(30):
            source, destination = drawn.sample(hosts, 2)
            said = subprocess.run([program, "--quiet", "--top", "0", "--format", "json", source, destination, path], capture_output=True, text=True)
            told = json.loads(said.stdout)["routes"] if said.returncode == 0 else []
            got = sorted(([h["to"]["name"] for h in r["hops"]], round(r["share"], 9))
                         for r in told if r["from"]["name"] == source)
            want = sorted(([edges[e][1] for e in route], round(share, 9)) for route, share in routes(edges, ways, source, destination))
            right, wrong = right + (got == want), wrong + (got != want)
            if got != want:
                print(f"{path}: {source} {destination}: {got} instead of {want}{said.stderr}", file=sys.stderr)
    print(f"{right} passed, {wrong} failed")
    return wrong > 0


sys.exit(main())
