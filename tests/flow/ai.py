#!/usr/bin/env python3
"""Workloads of AI clusters by closed forms: ai.py; orcs is on the PATH.

Bytes of every pair of ranks by --flows, against the definitions in orcs-patterns(7); expected congestion of hashed routes by enumeration."""
import collections
import csv
import itertools
import json
import math
import subprocess
import sys
import tempfile

wrong = []


def orcs(*arguments):
    out = subprocess.run(["orcs", "--quiet", "--engine", "flow", "--subset", "file_order", "--mapping", "linear", *arguments],
                         capture_output=True, text=True)
    if out.returncode:
        raise SystemExit(out.stderr)
    return out.stdout


def pairs_of(spec, ranks, size):
    with tempfile.NamedTemporaryFile() as file:
        orcs("-p", spec, "-s", str(ranks), "--bytes", str(size), "--flows", file.name, "star:%d" % ranks)
        sums = collections.Counter()
        for row in csv.DictReader(open(file.name)):
            sums[int(row["sender"]), int(row["receiver"])] += float(row["bytes"])
    return {pair: bytes_ for pair, bytes_ in sums.items() if bytes_}


def same(what, got, want):
    keys = set(got) | set(want)
    bad = [k for k in keys if abs(got.get(k, 0) - want.get(k, 0)) > 1e-9 * max(1, want.get(k, 0))]
    if bad:
        wrong.append("%s: %s: %s, not %s" % (what, bad[0], got.get(bad[0]), want.get(bad[0])))


def rings(ranks, group, channels, bytes_):
    machines, sums = ranks // group, collections.Counter()
    for c in range(channels):
        for m in range(machines):
            if machines > 1:
                sums[m * group + c % group, (m + 1) % machines * group + c % group] += bytes_
    return dict(sums)


def trees(ranks, group, channels, size):
    """Each of two trees carries half: up once and down once over each edge; every machine but the root has a parent."""
    machines = ranks // group
    return 2 * 2 * (machines - 1) * channels * (size / channels / 2)


def check_collectives():
    size = 48e6
    for ranks, group, channels in ((16, 4, 4), (24, 8, 8), (24, 8, 16), (12, 4, 2), (8, 8, 8), (28, 4, 4), (18, 2, 2)):
        machines, suffix = ranks // group, ",channels=%d" % channels
        for pieces in (1, 3):
            name = "%d%s,pieces=%d" % (group, suffix, pieces)
            same("rail_ring " + name, pairs_of("rail_ring:" + name, ranks, int(size)),
                 rings(ranks, group, channels, 2 * (ranks - 1) / ranks * size / channels))
            same("rail_hierarchical " + name, pairs_of("rail_hierarchical:" + name, ranks, int(size)),
                 rings(ranks, group, channels, 2 * (machines - 1) / machines * size / channels))
            same("rail_scatter " + name, pairs_of("rail_scatter:" + name, ranks, int(size)),
                 rings(ranks, group, channels, (ranks - 1) / ranks * size / channels))
            tree = pairs_of("rail_tree:" + name, ranks, int(size))
            same("rail_tree " + name, {"all": sum(tree.values())}, {"all": trees(ranks, group, channels, size)})
            for (a, b), bytes_ in tree.items():
                if a % group != b % group or abs(tree.get((b, a), 0) - bytes_) > 1e-6:
                    wrong.append("rail_tree %s: %d to %d is off its rail, or one way only" % (name, a, b))
            leaves = collections.Counter()
            for (a, b), bytes_ in tree.items():
                leaves[a // group] += bytes_
            if machines > 1 and max(leaves.values()) > 2 * size * (1 + 1e-9):
                wrong.append("rail_tree %s: a machine sends %.9g" % (name, max(leaves.values())))
            reached, open_ = {0}, [0]
            while open_:
                at = open_.pop()
                for a, b in tree:
                    if a // group == at and b // group not in reached:
                        reached.add(b // group)
                        open_.append(b // group)
            if len(reached) != machines:
                wrong.append("rail_tree %s reaches %d of %d machines" % (name, len(reached), machines))


def check_experts():
    ranks, group, size = 12, 4, 12e6
    alike = pairs_of("moe:%d" % group, ranks, int(size))
    same("moe", alike, {(i, j): 2 * size / ranks for i in range(ranks) for j in range(ranks) if i // group != j // group})
    skewed = pairs_of("moe:%d,skew=1.5" % group, ranks, int(size))
    zipf = [(k + 1) ** -1.5 for k in range(ranks)]
    share = {}
    for j in range(ranks):  # what j gets from a rank of another machine, less what it sends back there: both are shares
        others = [i for i in range(ranks) if i // group != j // group]
        share[j] = [skewed[i, j] for i in others]
    total = sorted(z / sum(zipf) * size for z in zipf)
    found = sorted((skewed[(0 if j // group else group), j] - s) for j in range(ranks) for s in [0])
    # the message i -> j carries the shares of both experts: the sum over all pairs of distinct machines tells
    want = sum(total[i] * (ranks - group) for i in range(ranks)) * 2
    same("moe skew", {"all": sum(skewed.values())}, {"all": want})
    if max(found) < 2 * total[-1] * 0.5:
        wrong.append("moe: no expert is popular")


def check_training():
    for tp, pp, dp, machine in ((4, 2, 2, 4), (2, 2, 3, 4), (1, 4, 2, 1), (8, 1, 2, 4)):
        hidden, layers, seq, vocab, micro, batches, number = 64, 8, 32, 100, 2, 3, 2
        spec = "train:tp=%d,pp=%d,dp=%d,hidden=%d,layers=%d,seq=%d,vocab=%d,micro=%d,batches=%d,number=%d,machine=%d" % (
            tp, pp, dp, hidden, layers, seq, vocab, micro, batches, number, machine)
        ranks, want = tp * pp * dp, collections.Counter()
        activations = micro * seq * hidden * number

        def rank(t, d, p):
            return t + tp * (d + dp * p)

        def send(a, b, bytes_):
            if a // machine != b // machine:
                want[a, b] += bytes_

        for t, d, p in itertools.product(range(tp), range(dp), range(pp)):
            here = rank(t, d, p)
            if tp > 1:
                send(here, rank((t + 1) % tp, d, p), 2 * batches * 2 * (tp - 1) / tp * 2 * layers / pp * activations)
            if p + 1 < pp:
                send(here, rank(t, d, p + 1), batches * activations / tp)
                send(rank(t, d, p + 1), here, batches * activations / tp)
            parameters = layers / pp * (12 * hidden**2 + 13 * hidden) + (0 if p else (vocab + seq) * hidden)
            parameters += vocab * hidden if p == pp - 1 and pp > 1 else 0
            if pp > 1 and p in (0, pp - 1):
                send(here, rank(t, d, pp - 1 - p), vocab * hidden * number / tp)
            if dp > 1:
                send(here, rank(t, (d + 1) % dp, p), 2 * (dp - 1) / dp * parameters * number / tp)
        same(spec, pairs_of(spec, ranks, 1), dict(want))
    # a pipeline without traffic: (batches + stages - 1) * (forward + backward)
    seconds = json.loads(orcs("-p", "train:pp=4,hidden=1,layers=4,seq=1,vocab=0,batches=6,compute=1ms,machine=4", "--format", "json", "star:4"))
    same("1F1B", {"s": seconds["metrics"]["makespan"]["mean"]}, {"s": (6 + 4 - 1) * 3e-3})


def check_hashing(trace, runs):
    flows, spines = 4, 4
    for pairs in (1, 2):
        values = []
        for choice in itertools.product(range(spines), repeat=flows * pairs):
            load = collections.Counter(choice)
            values.append(max(1, max(load.values()) / pairs))
        mean = sum(values) / len(values)
        deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
        result = json.loads(orcs("--capacity", "8G", "-R", "ecmp", "--multipath", "random", "--queue-pairs", str(pairs), "-n", str(runs), "-p",
                                 "trace:" + trace, "--format", "json", "leafspine:leaves=2,spines=4,hosts=4"))
        got = result["metrics"]["makespan"]["mean"] * 1e3
        if abs(got - mean) > 4 * deviation / math.sqrt(runs):
            wrong.append("hashing by %d queue pairs: %.6g, not %.6g" % (pairs, got, mean))


check_collectives()
check_experts()
check_training()
with tempfile.NamedTemporaryFile("w") as file:
    for kind in "sr":
        for host in range(4):
            file.write("%s %d %d 0 1000000\n" % (kind, host, host + 4))
    file.flush()
    check_hashing(file.name, int(sys.argv[1]))
print("\n".join(wrong[:5]))
print("%d wrong" % len(wrong))
sys.exit(bool(wrong))
