#!/usr/bin/env python3
"""Jobs beside one another by an independent count: jobs.py RESULT GRAPH JOBS PATTERN [TOP]

Follows the sets of a dot graph, knows the patterns by their definitions, and compares all numbers of a result (orcs-jobs/1). JOBS has lines
"ID HOST,HOST,..": the hosts of the graph in the order of the ranks."""
import collections
import itertools
import json
import math
import sys

from graphs import hosts_of, read, ways_of


def rounds(n):
    return range((n - 1).bit_length())


def recdbl(n):
    for l in rounds(n):
        yield [pair for k in range(n) if k // 2**l % 2 == 0 and k + 2**l < n for pair in ((k, k + 2**l), (k + 2**l, k))]


LEVELS = {
    "alltoall": lambda n: [[(i, (i + l + 1) % n) for i in range(n)] for l in range(n - 1)],
    "alltoall_flood": lambda n: [list(itertools.permutations(range(n), 2))],
    "shift:1": lambda n: [[(i, (i + 1) % n) for i in range(n)]],
    "bruck": lambda n: [[(k, (k + 2**l) % n) for k in range(n)] for l in rounds(n)],
    "recdbl": lambda n: list(recdbl(n)),
    "gather": lambda n: [[(i, 0) for i in range(1, n)]],
    "allreduce_ring": lambda n: [[(i, (i + 1) % n) for i in range(n)]] * (2 * (n - 1)),
}


class Fabric:
    def __init__(self, path):
        kinds, self.edges = read(open(path))
        self.ways = ways_of(hosts_of(kinds), self.edges)
        self.known = {}

    def route(self, source, to):
        if (source, to) not in self.known:
            path, node = [], source
            while node != to:
                path.append(self.ways[node, to][0])
                node = self.edges[path[-1]][1]
            self.known[source, to] = path
        return self.known[source, to]


def main():
    result = json.load(open(sys.argv[1]))
    fabric = Fabric(sys.argv[2])
    jobs = [(line.split()[0], line.split()[1].split(",") if len(line.split()) > 1 else []) for line in open(sys.argv[3])]
    top = int(sys.argv[5]) if len(sys.argv) > 5 else 20
    levels = [[level for level in LEVELS[sys.argv[4]](len(hosts)) if level] if len(hosts) > 1 else [] for _, hosts in jobs]
    routes = [[[(pair, fabric.route(hosts[pair[0]], hosts[pair[1]])) for pair in level] for level in all_] for (_, hosts), all_ in zip(jobs, levels)]

    def counts(some, step):
        return collections.Counter(e for j in some if routes[j] for _, path in routes[j][step % len(routes[j])] for e in path)

    def weigh(job, some):
        """Mean and largest weight, and time, of a job's messages beside some jobs, itself included."""
        weights = []
        for step in range(len(routes[job])):
            count = counts(some, step)
            weights.append([max(count[e] for e in path) for _, path in routes[job][step]])
        flat = sum(weights, [])
        return (sum(flat) / len(flat), max(flat), sum(map(max, weights))) if flat else (None, None, 0)

    wrong = []

    def same(what, got, want):
        if got is None or want is None or isinstance(want, (str, list)):
            fine = got == want
        else:
            fine = math.isclose(got, want, rel_tol=1e-9)
        if not fine:
            wrong.append("%s: %s, not %s" % (what, got, want))

    everyone = range(len(jobs))
    same("jobs", len(result["jobs"]), len(jobs))
    times = []
    for j, found in zip(everyone, result["jobs"]):
        alone, together = weigh(j, [j]), weigh(j, everyone)
        times.append(alone[2])
        same("id", found["id"], jobs[j][0])
        same("hosts", found["hosts"], len(jobs[j][1]))
        for key, want in (("alone", alone), ("together", together)):
            same(jobs[j][0] + " " + key, found[key]["mean"], want[0])
            same(jobs[j][0] + " most " + key, found[key]["max"], want[1])
        same(jobs[j][0] + " slowdown", found["slowdown"], together[2] / alone[2] if alone[2] else None)
    used = [{e for level in all_ for _, path in level for e in path} for all_ in routes]
    pairs = {(p["a"], p["b"]): p for p in result["pairs"]}
    for a, b in itertools.combinations(everyone, 2):
        shared, pair = len(used[a] & used[b]), pairs.pop((jobs[a][0], jobs[b][0]), None)
        if not shared or not pair:
            same("a pair", bool(pair), bool(shared))
            continue
        same("shared", pair["shared_channels"], shared)
        same("slowdown_a", pair["slowdown_a"], weigh(a, [a, b])[2] / times[a])
        same("slowdown_b", pair["slowdown_b"], weigh(b, [a, b])[2] / times[b])
    same("other pairs", len(pairs), 0)

    steps = [counts(everyone, step) for step in range(max(map(len, routes), default=0))]
    peaks = collections.Counter()
    for count in steps:
        for e, n in count.items():
            peaks[e] = max(peaks[e], n)
    same("channels", [c["routes"] for c in result["channels"]], sorted(peaks.values(), reverse=True)[:top])
    by_ends = collections.defaultdict(list)
    for e, (tail, head, values) in enumerate(fabric.edges):
        by_ends[tail, head, values.get("port"), values.get("peer_port")].append(e)
    for channel in result["channels"]:
        port = [str(channel[key]) if channel[key] else None for key in ("from_port", "to_port")]
        fitting = [e for e in by_ends[channel["from"], channel["to"], port[0], port[1]] or by_ends[channel["from"], channel["to"], port[0], None]
                   if peaks[e] == channel["routes"] and steps[channel["step"]][e] == channel["routes"]
                   and all(count[e] < peaks[e] for count in steps[:channel["step"]])]
        ok = False
        for e in fitting:
            want = {}
            for j in everyone:
                over = [list(pair) for pair, path in routes[j][channel["step"] % len(routes[j])] if e in path] if routes[j] else []
                if over:
                    want[jobs[j][0]] = over
            found = {user["id"]: user for user in channel["jobs"]}
            ok |= found.keys() == want.keys() and all(
                found[i]["routes"] == len(want[i]) and found[i]["pairs"] and all(p in want[i] for p in found[i]["pairs"]) for i in want)
        if not ok:
            wrong.append("channel %s" % channel)
    print("\n".join(wrong[:5]))
    print("%d jobs, %d pairs, %d channels compared, %d differ" % (len(jobs), len(result["pairs"]), len(result["channels"]), len(wrong)))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
