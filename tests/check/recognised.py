#!/usr/bin/env python3
"""Are damaged fabrics recognised, and fabrics of no kind not? Rates over random seeds, each fabric in random orders.

recognised.py ORCS_CHECK [SEEDS [FIRST]]: so many seeds of each case (default 2); prints the cases with failures, all with RECOGNISED_VERBOSE

Up to one cable in twenty is taken away (at least one): the sizes and the number of missing cables must come out, or another shape from which
as few cables deviate ("others"). A case may fail in one seed of a hundred. Random and rewired fabrics must be irregular, all of them.
"""
import json
import os
import random
import sys

from claims import Fabric, Graph, jellyfish, mesh_of, path, product, ring, run


def grid(name, sizes, factor, parallel=1):
    graph = product([factor(n, parallel) if n > 2 else path(n, parallel) for n in sizes])
    return name + " " + "x".join(map(str, sizes)), graph, sizes


SIZES = {
    "torus": (ring, [(9,), (40,), (5, 5), (3, 7), (7, 7), (8, 8), (5, 12), (6, 9), (12, 12), (16, 16), (3, 3, 3), (5, 5, 5), (3, 5, 7), (6, 7, 8),
                     (3, 3, 9), (4, 4, 4), (4, 8), (3, 20), (20, 20)]),
    "mesh": (path, [(12,), (3, 5), (5, 5), (4, 6), (3, 12), (8, 8), (7, 9), (16, 16), (3, 3, 3), (4, 4, 4), (3, 4, 5), (6, 6, 6), (2, 9), (20, 20)]),
    "HyperX": (mesh_of, [(3, 4), (4, 4), (5, 5), (3, 3, 3), (4, 4, 4), (3, 8), (8, 8), (6, 7), (12, 12), (3, 4, 5), (5, 5, 5), (4, 10), (3, 3, 9), (20, 20)]),
    "full mesh": (mesh_of, [(4,), (5,), (6,), (8,), (9,), (10,), (14,), (30,)]),
}
# Those that another shape explains as well: a ring without a cable is a line, K4 without one a ring of four with one more.
OTHER = {"torus 9", "torus 40", "mesh 12", "full mesh 4", "mesh 2x9"}


def connected(graph):
    lists, seen, todo = graph.neighbours(), {0}, [0]
    while todo:
        for u in lists[todo.pop()]:
            if u not in seen:
                seen.add(u)
                todo.append(u)
    return len(seen) == graph.n


def cut(graph, count, rng):
    """A copy without so many cables, still of one piece; None if that is not found."""
    for _ in range(50):
        left = Graph(graph.n)
        cables = sorted(graph.cables.elements())
        for a, b in rng.sample(cables, len(cables) - count):
            left.join(a, b)
        if connected(left):
            return left
    return None


class Rates:
    def __init__(self, program):
        self.program, self.failed, self.passed = program, 0, 0

    def look(self, graph, rng, hosts=1):
        return json.loads(run(self.program, Fabric("", graph, [hosts] * graph.n).text(rng), "json").stdout)["shape"]

    def report(self, what, good, tried, wrong, more="", share=99):
        fine = 100 * good >= share * tried
        self.passed += fine
        self.failed += not fine
        if not fine or os.environ.get("RECOGNISED_VERBOSE"):
            print(*["FAILED:"] * (not fine), "%-32s %5d of %5d" % (what, good, tried), *wrong, more, sep="  ", flush=True)

    def damaged(self, kind, name, graph, sizes, count, seeds):
        good, others, wrong = 0, 0, []
        for seed in seeds:
            rng = random.Random("%s %d %d" % (name, count, seed))
            left = cut(graph, count, rng)
            if left is None:
                good += 1
                continue
            shape = self.look(left, rng)
            key = "switches" if kind == "full mesh" else "dimensions"
            fine = (shape["kind"] == kind and sorted(shape["parameters"][key]) == sorted(sizes) and len(shape["missing"]) == count
                    and not shape["extra"] and not shape["missing_switches"])
            other = shape["kind"] != "irregular" and shape["deviations"] <= count and not shape["missing_switches"]
            good += fine or other
            others += other and not fine
            if not fine and not other and len(wrong) < 2:
                wrong.append("seed %d: %s, %d deviate" % (seed, shape["name"], shape["deviations"]))
        self.report("%s less %d of %d" % (name, count, sum(graph.cables.values())), good, len(seeds), wrong, "%d others" % others if others else "")

    def none(self, what, make, seeds):
        good, others, wrong = 0, 0, []
        for seed in seeds:
            rng = random.Random("%s %d" % (what, seed))
            graph = make(rng)
            shape = self.look(graph, rng, rng.choice([1, 1, 2]))
            exact = shape["kind"] != "irregular" and not shape["deviations"] and not shape["missing_switches"]
            others += exact
            good += exact or shape["kind"] == "irregular"
            if shape["kind"] != "irregular" and not exact and len(wrong) < 5:
                wrong.append("seed %d: %s, %d deviate, %d missing" % (seed, shape["name"], shape["deviations"], shape["missing_switches"]))
        self.report(what, good, len(seeds), wrong, "%d others" % others if others else "", 100)


def cubic(rng):
    return jellyfish(2 * rng.randrange(6, 41), 3, rng)


def regular(rng):
    n = rng.randrange(12, 81)
    return jellyfish(n + n % 2, rng.randrange(3, 9), rng)


def irregular(rng):
    graph = Graph(rng.randrange(12, 81))
    for v in range(1, graph.n):
        graph.join(v, rng.randrange(v))
    for _ in range(rng.randrange(3 * graph.n)):
        graph.join(*rng.sample(range(graph.n), 2))
    return graph


def rewired(rng):
    """A grid of whose cables 15 to 30 in a hundred lead elsewhere."""
    factor, sizes = rng.choice([(ring, (4, 4)), (ring, (5, 5)), (ring, (3, 6)), (ring, (7, 7)), (ring, (8, 8)), (ring, (3, 4, 5)), (ring, (4, 4, 4)),
                                (path, (4, 5)), (path, (6, 6)), (path, (3, 3, 4)), (path, (8, 8)), (mesh_of, (4, 4)), (mesh_of, (5, 6)),
                                (mesh_of, (3, 3, 3)), (path, (2, 2, 2, 2))])
    graph = product([factor(n, 1) for n in sizes])
    cables = sorted(graph.cables.elements())
    swaps = max(2, round(len(cables) * rng.uniform(.15, .30) / 2))
    for _ in range(10 * swaps):
        (a, b), (c, d) = rng.sample(sorted(k for k, count in graph.cables.items() if count), 2)
        if len({a, b, c, d}) == 4 and not graph.cables[min(a, d), max(a, d)] and not graph.cables[min(b, c), max(b, c)]:
            graph.cables[a, b] -= 1
            graph.cables[c, d] -= 1
            graph.join(a, d)
            graph.join(b, c)
            swaps -= 1
        if not swaps:
            break
    return graph


def main():
    rates = Rates(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    seeds = range(first, first + count)
    only = os.environ.get("RECOGNISED_ONLY", "")
    for kind, (factor, all_sizes) in SIZES.items():
        for sizes in all_sizes:
            name, graph, sizes = grid(kind, sizes, factor)
            if name in OTHER or only not in name:
                continue
            top = max(1, sum(graph.cables.values()) // 20)
            for less in sorted({1, (top + 1) // 2, top}):
                rates.damaged(kind, name, graph, sizes, less, seeds)
    for what, make in (("random cubic", cubic), ("random regular", regular), ("random", irregular), ("rewired grid", rewired)):
        if only in what:
            rates.none(what, make, seeds)
    print("%d passed, %d failed" % (rates.passed, rates.failed))
    return rates.failed > 0


if __name__ == "__main__":
    sys.exit(main())
