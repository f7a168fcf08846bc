"""The hottest channel by the definition: hottest.py BIN_DIR WORK [SEED...]

Expected loads: under a random mapping of n hosts every ordered pair of them is a message alike, so a channel expects messages / (n (n - 1)) of
each pair that uses it, counted here pair by pair along the tables. Samples: the verdict from the sums of the channels and Poisson's law."""
import json
import math
import random
import re
import subprocess
import sys
from fractions import Fraction

MESSAGES = {"bisect": lambda n: n // 2, "bisect_fb_sym": lambda n: n // 2 * 2, "rand": lambda n: n - 1, "alltoall": lambda n: n * (n - 1),
            "shift:1": lambda n: n, "gather": lambda n: n - 1, "alltoall_flood": lambda n: n * (n - 1)}
LEVELS = {"alltoall": lambda n: n - 1}


class Fabric:
    """A graph as fabrics.py writes it, all nodes first; each cable may be doubled, so that entries have several channels."""

    def __init__(self, text, rng, double):
        self.nodes = re.findall(r"^\t(\w+);$", text, re.M)
        self.hosts = [node for node in self.nodes if node[0] == "H"]
        edges = []
        for tail, head, names, speed in re.findall(r'^\t(\w+) -> (\w+) \[comment="([^"]*)"(?:, speed="([^"]*)")?\];$', text, re.M):
            names = [name for name in names.split(",") if name]
            edges.append([tail, head, names, speed, 1])
            if double and names and rng.random() < 0.4:
                edges.append([tail, head, names, speed, rng.randint(1, 3)])
        self.edges = sorted(edges, key=lambda edge: (self.nodes.index(edge[0]), self.nodes.index(edge[1]))) # as channels are numbered
        self.table = {}
        for c, (tail, _, names, _, weight) in enumerate(self.edges):
            for name in names:
                self.table.setdefault((tail, name), []).append((c, weight))
        speeds = [float(speed or 0) for _, _, _, speed, _ in self.edges]
        slowest = min((v for v, edge in zip(speeds, self.edges) if "H" in (edge[0][0], edge[1][0])), default=0)
        self.speed = [v / slowest for v in speeds] if all(speeds) and slowest else [1] * len(speeds)

    def write(self, path):
        with open(path, "w") as file:
            print("digraph fabric {", *("\t%s;" % node for node in self.nodes), sep="\n", file=file)
            for tail, head, names, speed, weight in self.edges:
                more = ', weights="%d:%s"' % (weight, ",".join(names)) if weight > 1 else ""
                print('\t%s -> %s [comment="%s"%s%s];' % (tail, head, ",".join(names), ', speed="%s"' % speed if speed else "", more), file=file)
            print("}", file=file)

    def shares(self, node, target, split, above=()):
        """The share of a message on each channel, None if any of its paths does not arrive."""
        found = {}
        entries = self.table.get((node, target), [])
        if not entries or node in above:
            return None
        entries = entries if split else [(entries[0][0], 1)]
        for c, weight in entries:
            share = Fraction(weight, sum(w for _, w in entries))
            head = self.edges[c][1]
            found[c] = found.get(c, 0) + share
            rest = {} if head == target else self.shares(head, target, split, above + (node,))
            if rest is None:
                return None
            for on, part in rest.items():
                found[on] = found.get(on, 0) + part * share
        return found

    def pairs(self, hosts, split):
        """The load of each channel if each host sends to each other, and the pairs that have no route."""
        load, lost = [Fraction(0)] * len(self.edges), 0
        for source in hosts:
            for target in hosts:
                shares = self.shares(source, target, split) if source != target else {}
                lost += shares is None
                for c, share in (shares or {}).items():
                    load[c] += share
        return load, lost


class Test:
    def __init__(self, bin_dir, work):
        self.bin, self.work, self.done = bin_dir, work, 0

    def run(self, *command, text=None):
        done = subprocess.run(["%s/%s" % (self.bin, command[0]), *command[1:]], input=text, capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout

    def json(self, *command):
        return json.loads(self.run(*command, "--quiet", "--format", "json"))

    def hottest(self, *arguments):
        return self.json("orcs", "--metric", "get_cable_cong", *arguments)["metrics"]["get_cable_cong"]


def near(a, b, by=1e-9):
    return abs(a - b) <= by * max(1, abs(b))


def assert_hottest(found, loads, context):
    """Whether these are the loads per level and run that it was chosen by."""
    most = max(loads)
    if most == 0:
        assert found is None, context
        return
    alike = [c for c, load in enumerate(loads) if near(load, most)]
    assert found["equal"] == len(alike) - 1, (context, found, loads)
    assert near(found["next"], max((load for load in loads if not near(load, most)), default=0)), (context, found, loads)
    assert found["significance"] == ("equal" if len(alike) > 1 else "significant"), (context, found)
    assert near(found["expected"], most), (context, found, most)
    return alike[0]


def assert_expected(test, seed):
    rng = random.Random(seed)
    text = subprocess.run([sys.executable, "tests/bound/fabrics.py", "random", str(seed)], capture_output=True, text=True, check=True).stdout
    mode = rng.choice(["first", "random", "split"])
    fabric = Fabric(text, rng, True)
    path, subset, graph = ["%s/%s" % (test.work, name) for name in ("fabric.dot", "subset", "graph.dot")]
    fabric.write(path)
    hosts = rng.sample(fabric.hosts, rng.randint(2, len(fabric.hosts)))
    whole = rng.random() < 0.3
    hosts = fabric.hosts if whole else hosts
    with open(subset, "w") as file:
        print(*hosts, sep="\n", file=file)
    pattern, n = rng.choice(sorted(MESSAGES)), len(hosts)
    fixed = pattern == "rand" and rng.random() < 0.5
    options = ["-p", pattern, "--subset", "file:" + subset, "--multipath", mode, "--unroutable", "drop", "--speed-aware"]
    options += ["--mapping", "linear"] if fixed else []
    runs = rng.choice([1, 7])
    pairs, lost = fabric.pairs(hosts, mode != "first")
    levels = LEVELS.get(pattern, lambda n: 1)(n)
    loads = [float(load * MESSAGES[pattern](n) / (n * (n - 1) * levels)) / speed for load, speed in zip(pairs, fabric.speed)]
    context = (seed, options)
    found = test.hottest("-n", str(runs), *options, path)["hottest"]
    compared = list(test.json("orcs-compare", "-n", str(runs), *options, path)["routings"][0]["patterns"].values())[0]["hottest"]
    if lost and mode == "random":
        assert found is None or found["expected"] is None, context
        return
    channel = assert_hottest(found, loads, context)
    assert_hottest(compared, loads, context)
    if channel is not None:
        assert found["id"] == channel and [found["from"], found["to"]] == fabric.edges[channel][:2], (context, found)
        assert {key: value for key, value in found.items() if key != "id" and key != "mean"} == {
            key: value for key, value in compared.items() if key not in ("sum", "mean")}, (context, found, compared)
    test.run("orcs", "--quiet", "-n", str(runs), *options, "--metric", "get_cable_cong:" + graph + ",hist_max_cong", path)
    with open(graph) as file:
        sums = [float(value) for value in re.findall(r'expected_sum="([^"]*)"', file.read())]
    assert len(sums) == len(loads) and all(near(s, load * runs * levels, 1e-8) for s, load in zip(sums, loads)), (context, sums, loads)
    if whole and mode == "first":
        all_pairs = test.json("orcs-bound", "--parts", "loads", "--unroutable", "drop", "--speed-aware", path)["all_to_all"]
        routes = [float(load) / speed for load, speed in zip(pairs, fabric.speed)]
        alike = [c for c, load in enumerate(routes) if load == max(routes)]
        assert all_pairs["channel"]["id"] == alike[0] and all_pairs["equal"] == len(alike) - 1, (context, all_pairs)
        assert near(all_pairs["next"], max((load for load in routes if load < max(routes)), default=0)), (context, all_pairs)


# ---- samples

def distances(channels):
    """The channels from the nearest host of each node."""
    distance = {name: 0 for c in channels for name in (c["from"], c["to"]) if name[0] == "H"}
    for step in range(1, len(channels)):
        for c in channels:
            if distance.get(c["from"]) == step - 1:
                distance.setdefault(c["to"], step)
    return distance


def tail_of(mean, count):
    """The probability that Poisson's variable is at least count, a whole number."""
    return max(0.0, 1 - math.fsum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(count))) if count < mean + 30 else math.fsum(
        math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(count, count + 200))


def verdict(channels):
    """By the sums of a sample whose messages are drawn one by one."""
    distance = distances(channels)
    place = lambda c: (distance[c["from"]], distance[c["to"]])
    hot = max(channels, key=lambda c: (c["sum"], -c["id"]))
    peers = [c["sum"] for c in channels if place(c) == place(hot)]
    mean, following = sum(peers) / len(peers), sorted((c["sum"] for c in channels), reverse=True)[1]
    if hot["sum"] <= mean or tail_of(mean, hot["sum"]) * len(channels) >= 0.001:
        return hot["id"], "noise"
    return hot["id"], "close" if hot["sum"] - following <= 3.2905 * math.sqrt(hot["sum"] + following) else "significant"


def tree(test, overloaded):
    """A tree of 64 hosts; overloaded: a share of the destinations that its first leaf sends to the first of its four spines instead."""
    path, text = "%s/tree.dot" % test.work, test.run("orcs-topology", "--tables", "fattree:k=8,n=2")
    up = re.findall(r'S1_0"? -> "?S2_\d+"? \[[^\]]*comment="([^"]*)"', text)
    assert len(up) == 8, text[:2000]
    lists = [names.split(",") for names in up]
    moved = [names[:round(len(names) * overloaded)] for names in lists[1:]]
    lists = [sum(moved, lists[0])] + [names[len(gone):] for names, gone in zip(lists[1:], moved)]
    for before, after in zip(up, lists):
        text = re.sub(r'(S1_0"? -> "?S2_\d+"? \[[^\]]*comment=")' + re.escape(before) + '"', lambda m: m.group(1) + ",".join(after) + '"', text)
    with open(path, "w") as file:
        file.write(text)
    return path


def assert_samples(test):
    seen = {}
    for step, overloaded in enumerate([0, 0.2, 0.4, 0.6, 1]):
        path = tree(test, overloaded)
        for seed in range(6):
            for runs in (2, 10):
                found = test.hottest("-n", str(runs), "-d", "-p", "hotspot:64", "--seed", str(100 * step + seed), path)
                hot = found["hottest"]
                assert (hot["id"], hot["significance"]) == verdict(found["channels"]), (overloaded, seed, runs, hot, verdict(found["channels"]))
                assert hot["expected"] is None and near(hot["mean"] * runs, found["channels"][hot["id"]]["sum"])
                seen.setdefault(overloaded, set()).add(hot["significance"])
    assert seen[0] == {"noise"} and "significant" in seen[1] and "noise" not in seen[1], seen
    assert set.union(*seen.values()) == {"noise", "close", "significant"}, seen
    path = tree(test, 1)
    assert test.hottest("-n", "3", path)["hottest"]["significance"] == "significant" # exactly, however few the runs
    for arguments in (["-R", "valiant", "-p", "allreduce_ring"], ["-R", "ksp:4", "-p", "alltoall"], ["-R", "valiant", "-p", "shift:9"]):
        found = test.hottest("-n", "5", "-d", *arguments, "fattree:k=4,n=2")["hottest"]
        assert found["expected"] is None, (arguments, found)


def assert_counted(test):
    """A fixed mapping of a pattern without chance: the counts themselves, whatever the number of runs."""
    path = tree(test, 0.5)
    for pattern, levels in (("shift:5", 1), ("alltoall", 63), ("bisect", 1)):
        for runs in (1, 4):
            found = test.hottest("-n", str(runs), "-d", "-p", pattern, path)
            assert_hottest(found["hottest"], [c["sum"] / runs / levels for c in found["channels"]], (pattern, runs))


def main():
    test = Test(sys.argv[1], sys.argv[2])
    for seed in map(int, sys.argv[3:]) if len(sys.argv) > 3 else range(1, 61):
        assert_expected(test, seed)
    assert_samples(test)
    assert_counted(test)


main()
