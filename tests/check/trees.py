#!/usr/bin/env python3
"""Irregular fat trees, of pods of different sizes, with cables taken away and put in: orcs-check must name exactly these;
and the roots of such trees.

trees.py ORCS_CHECK [SAMPLES]: so many damaged copies of each tree (default 6)
"""
import collections
import json
import random
import subprocess
import sys
import tempfile


def tree(pods, planes, cores, width):
    """Pods of leaves under `planes` switches each, the i-th of every pod under the i-th group of cores. Levels, cables, hosts of leaves."""
    level, cables, hosts = {}, collections.Counter(), {}
    for p, (leaves, wide) in enumerate(pods):
        for a in range(planes):
            level["a%d_%d" % (p, a)] = 1
            for leaf in range(leaves):
                cables["l%d_%d" % (p, leaf), "a%d_%d" % (p, a)] = wide
            for c in range(cores):
                level["c%d_%d" % (a, c)] = 2
                cables["a%d_%d" % (p, a), "c%d_%d" % (a, c)] = width
        for leaf in range(leaves):
            level["l%d_%d" % (p, leaf)] = 0
            hosts["l%d_%d" % (p, leaf)] = 8
    return level, cables, hosts


def leaf_spine(leaves, spines, width):
    level = {"l%d" % i: 0 for i in range(leaves)}
    level.update({"s%d" % i: 1 for i in range(spines)})
    cables = collections.Counter({("l%d" % i, "s%d" % k): width for i in range(leaves) for k in range(spines)})
    return level, cables, {"l%d" % i: 8 for i in range(leaves)}


def text(level, cables, hosts, rng):
    lines, count = [], 0
    nodes = sorted(level)
    rng.shuffle(nodes)
    for node in nodes:
        lines.append('"%s";' % node)
        for _ in range(hosts.get(node, 0)):
            lines.append('"H%d" -> "%s" [comment="*"]; "%s" -> "H%d";' % (count, node, node, count))
            count += 1
    each = list(cables.elements())
    rng.shuffle(each)
    for a, b in each:
        lines.append('"%s" -> "%s"; "%s" -> "%s";' % (a, b, b, a))
    return "digraph net {\n" + "\n".join(lines) + "\n}\n"


def look(program, graph):
    with tempfile.NamedTemporaryFile("w", suffix=".dot") as file:
        file.write(graph)
        file.flush()
        run = subprocess.run([program, "--quiet", "--require", "none", "--all", "--format", "json", file.name], capture_output=True, text=True)
    return json.loads(run.stdout)["shape"]


def named(list_):
    return collections.Counter(tuple(sorted((c["from"], c["to"]))) for c in list_)


def draw(each, share, rng):
    """Cables to take away: of no switch more than a third of those up or down, of no block (names begin alike) more than an eighth: with
    more than three tenths of its trunks too thin, a block has no usual width."""
    def ends(cable):
        a, b = cable
        return [("up", a), ("down", b), ("block", a.split("_")[0] if "_" in a and a[0] == "l" else b.split("_")[0])]
    all_, lost, taken = collections.Counter(e for c in each for e in ends(c)), collections.Counter(), collections.Counter()
    for cable in rng.sample(each, int(len(each) * share)):
        if all(lost[e] + 1 <= all_[e] / (8 if e[0] == "block" else 3) for e in ends(cable)):
            lost.update(ends(cable))
            taken[cable] += 1
    return taken


def main():
    program, samples = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 6
    trees = {
        "pods": tree([(8, 1), (8, 1), (6, 1), (4, 2)], 6, 5, 1),
        "wide": tree([(5, 2), (7, 2), (6, 2), (7, 2)], 5, 4, 2),
        "tapered": tree([(12, 1), (12, 1), (9, 1)], 4, 6, 1),
        "spines": leaf_spine(18, 12, 1),
        "trunks": leaf_spine(12, 6, 3),
    }
    passed = failed = 0
    for name, (level, cables, hosts) in trees.items():
        for sample in range(samples):
            rng = random.Random(name + str(sample))
            each = sorted(cables.elements())
            share = rng.choice([0.02, 0.05, 0.08, 0.12])
            taken = draw(each, share, rng)
            put = collections.Counter()
            leaves, tops = [n for n in level if level[n] == 0], [n for n in level if level[n] == max(level.values())]
            for _ in range(rng.randrange(3) if max(level.values()) == 2 else 0):
                put[rng.choice(leaves), rng.choice(tops)] += 1
            kept = {n: h if rng.random() > 0.1 else rng.randrange(h) for n, h in hosts.items()}
            shape = look(program, text(level, cables - taken + put, kept, rng))
            where = shape.get("tree", shape)
            found = named(where["missing"]), named(where["surplus"] if "tree" in shape else where["extra"])
            wanted = named({"from": a, "to": b} for a, b in taken.elements()), named({"from": a, "to": b} for a, b in put.elements())
            if found == wanted and not where["missing_switches"]:
                passed += 1
                continue
            failed += 1
            print("FAILED: %s %d: share %g: not found %s, wrong %s; %s" % (name, sample, share,
                dict(wanted[0] - found[0] + (wanted[1] - found[1])), dict(found[0] - wanted[0] + (found[1] - wanted[1])), shape["name"]))
    for name in ("pods", "wide", "tapered"): # switches without hosts, at two cores each: orcs-route must not take them for the roots
        level, cables, hosts = trees[name]
        stray = collections.Counter({("c%d_%d" % (m, k), "m%d" % m): 1 for m in range(2) for k in range(2)})
        graph = text({**level, "m0": 3, "m1": 3}, cables + stray, hosts, random.Random(name))
        run = subprocess.run([program.replace("orcs-check", "orcs-route"), "--list-roots"], input=graph, capture_output=True, text=True)
        good = set(run.stdout.split()) == {n for n in level if level[n] == 2} and "2 switches do not fit: m" in run.stderr
        passed, failed = passed + good, failed + (not good)
        if not good:
            print("FAILED: roots of %s: %s %s" % (name, run.stdout.split(), run.stderr))
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
