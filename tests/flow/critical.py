#!/usr/bin/env python3
"""Workloads of AI clusters in time: critical.py SEEDS; orcs is on the PATH.

Random collectives, experts and trainings on a star, every message of which an independent simulation sends after those it waits for, by the
definitions in orcs-patterns(7): bytes of every pair of ranks, and the makespan."""
import collections
import csv
import json
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/flow")
from operations import Graph  # noqa: E402


class Ranks(Graph):
    def __init__(self, latency):
        super().__init__()
        self.latency, self.bytes = latency, collections.Counter()

    def message(self, a, b, size, after):
        self.bytes[a, b] += size
        sent = self.send([("up", a), ("down", b)], size, after)
        return self.pause(self.latency, [sent]) if self.latency else sent


def rings(g, machines, group, channels, pieces, size):
    """In each channel every machine sends so many bytes to the next; a piece waits for those before it on both sides."""
    for c in range(channels if machines > 1 else 0):
        last = None
        for _ in range(pieces):
            last = [g.message(m * group + c % group, (m + 1) % machines * group + c % group, size / pieces,
                              [last[m], last[m - 1]] if last else []) for m in range(machines)]


def parent(node, nodes):
    """In the tree in which the node of k zeros at the end of its number is k levels above the leaves, and 0 is the root."""
    bit = node & -node
    up = node - bit + (0 if node & 2 * bit else 2 * bit)
    return up if up < nodes else node - bit


def trees(g, machines, group, channels, pieces, size):
    for c, second in [(c, s) for c in range(channels) for s in (False, True)]:
        def rank(v):
            return ((v if not second else (v + 1) % machines if machines % 2 else machines - 1 - v) * group + c % group)
        above = {v: parent(v, machines) for v in range(1, machines)}
        depth = {0: 0}
        while len(depth) < machines:
            depth.update({v: depth[u] + 1 for v, u in above.items() if u in depth})
        order, up, down = sorted(above, key=depth.get), {}, {}
        for _ in range(pieces):
            for v in reversed(order):
                up[v] = g.message(rank(v), rank(above[v]), size / 2 / pieces, [up.get(v)] + [up[k] for k in above if above[k] == v])
            down[0] = g.add("", [up[k] for k in above if above[k] == 0])
            for v in order:
                down[v] = g.message(rank(above[v]), rank(v), size / 2 / pieces, [down.get(v), down[above[v]]])


def experts(g, ranks, group, size):
    for j in range(ranks):
        others = [i for i in range(ranks) if i // group != j // group]
        there = g.add("", [g.message(i, j, size / ranks, []) for i in others])
        for i in others:
            g.message(j, i, size / ranks, [there])


def program(p, t, d, s):
    """What a rank does: ("from" | "to", rank, tag[, bytes]) or ("work", seconds)."""
    tp, pp, dp, h, e = p["tp"], p["pp"], p["dp"], p["hidden"], p["number"]
    steps, activation = [], p["micro"] * p["seq"] * h * e

    def rank(t, d, s):
        return t % tp + tp * (d % dp + dp * s)

    def ring(to, before, tag, size):
        steps.extend([("to", to, tag, size), ("from", before, tag)])

    def batch(k, forward):
        before, after = (s - 1, s + 1) if forward else (s + 1, s - 1)
        if 0 <= before < pp:
            steps.append(("from", rank(t, d, before), ("hand", k, forward)))
        steps.append(("work", p["compute"] * (1 if forward else 2)))
        if tp > 1:
            ring(rank(t + 1, d, s), rank(t - 1, d, s), ("tensor", k, forward), 2 * (tp - 1) / tp * 2 * p["layers"] / pp * activation)
        if 0 <= after < pp:
            steps.append(("to", rank(t, d, after), ("hand", k, forward), activation / tp))

    forward = min(pp - 1 - s, p["batches"])
    for k in range(forward):
        batch(k, True)
    for k in range(p["batches"]):
        if forward < p["batches"]:
            batch(forward, True)
            forward += 1
        batch(k, False)
    words = p["vocab"] * h
    gradients = p["layers"] / pp * (12 * h * h + 13 * h) + (words + p["seq"] * h if s == 0 else 0) + (words if 0 < s == pp - 1 else 0)
    if dp > 1:
        ring(rank(t, d + 1, s), rank(t, d - 1, s), "gradients", 2 * (dp - 1) / dp * gradients * e / tp)
    if pp > 1 and s in (0, pp - 1):
        ring(rank(t, d, pp - 1 - s), rank(t, d, pp - 1 - s), "words", words * e / tp)
    return steps


def train(g, p):
    """Adds the steps of all ranks, each as soon as those that it waits for are there."""
    steps = [program(p, t, d, s) for s in range(p["pp"]) for d in range(p["dp"]) for t in range(p["tp"])]
    at, next_step, sent, far = [None] * len(steps), [0] * len(steps), {}, lambda a, b: a // p["machine"] != b // p["machine"]
    while any(next_step[r] < len(steps[r]) for r in range(len(steps))):
        for r, own in enumerate(steps):
            while next_step[r] < len(own):
                what, *rest = own[next_step[r]]
                if what == "work":
                    at[r] = g.pause(rest[0], [at[r]])
                elif what == "to":
                    sent[r, rest[0], rest[1]] = g.message(r, rest[0], rest[2], [at[r]]) if far(r, rest[0]) else g.add("", [at[r]])
                elif far(r, rest[0]) or rest[1][0] == "hand":  # rings within a machine take no time, and wait for nothing
                    if (rest[0], r, rest[1]) not in sent:
                        break
                    at[r] = g.add("", [at[r], sent[rest[0], r, rest[1]]])
                next_step[r] += 1


def scenario(seed, folder):
    draw = random.Random(seed)
    g, kind = Ranks(draw.choice([0, 1e-6])), draw.choice(["rail_ring", "rail_tree", "rail_hierarchical", "rail_scatter", "moe", "train", "train"])
    size, group, machines = draw.randint(1, 1000) * 1000, draw.choice([1, 2, 3, 4]), draw.randint(2, 9)
    ranks = group * machines
    if kind == "train":
        p = {"tp": draw.choice([1, 2, 3, 4]), "pp": draw.choice([1, 2, 3]), "dp": draw.choice([2, 3]), "hidden": draw.randint(1, 512)}
        p.update(layers=p["pp"] * draw.randint(1, 4), seq=draw.randint(1, 2048), vocab=draw.randint(0, 50000), micro=draw.randint(1, 3),
                 batches=draw.randint(1, 6), number=draw.choice([1, 2, 4]), machine=draw.choice([1, 2, 3, 4, 8]), compute=draw.choice([0, 0.01]))
        ranks, spec = p["tp"] * p["pp"] * p["dp"], "train:" + ",".join("%s=%s" % item for item in p.items())
        train(g, p)
    elif kind == "moe":
        spec = "moe:%d" % group
        experts(g, ranks, group, size)
    else:
        channels, pieces = draw.choice([1, 2, group, 5]), draw.choice([1, 2, 5])
        spec = "%s:%d,channels=%d,pieces=%d" % (kind, group, channels, pieces)
        share = {"rail_ring": 2 * (ranks - 1) / ranks, "rail_hierarchical": 2 * (machines - 1) / machines, "rail_scatter": (ranks - 1) / ranks}
        if kind == "rail_tree":
            trees(g, machines, group, channels, pieces, size / channels)
        else:
            rings(g, machines, group, channels, pieces, share[kind] * size / channels)
    command = ["orcs", "--quiet", "--engine", "flow", "--capacity", "10G", "--subset", "file_order", "--mapping", "linear", "-s", str(ranks),
               "--bytes", str(size), "--latency", "%g" % (g.latency / 2), "--format", "json", "-p", spec, "--flows", folder + "/flows"]
    out = subprocess.run(command + ["star:%d" % ranks], capture_output=True, text=True)
    if out.returncode:
        return "%s: %s" % (spec, out.stderr)
    sums = collections.Counter()
    for row in csv.DictReader(open(folder + "/flows")):
        sums[int(row["sender"]), int(row["receiver"])] += float(row["bytes"])
    for pair in set(sums) | set(g.bytes):
        if abs(sums[pair] - g.bytes[pair]) > 1e-6 * g.bytes[pair] or pair not in sums:
            return "%s: %.9g bytes from %d to %d, not %.9g" % (spec, sums[pair], *pair, g.bytes[pair])
    want = max(g.run({(way, r): 10e9 for way in ("up", "down") for r in range(ranks)}), default=0)
    got = json.loads(out.stdout)["metrics"]["makespan"]["mean"]
    return "%s takes %.12g, not %.12g" % (spec, got, want) if abs(got - want) > 1e-9 * want + 1e-12 * len(g.kind) else None


def main():
    with tempfile.TemporaryDirectory() as folder:
        wrong = [found for found in (scenario(seed, folder) for seed in range(int(sys.argv[1]))) if found]
    print("\n".join(wrong[:5]))
    print("%s random workloads, %d wrong" % (sys.argv[1], len(wrong)))
    return bool(wrong)


sys.exit(main())
