"""Orders of ranks by an independent count: order.py ORCS-ORDER ORCS-ROUTE DIRECTORY

Follows the sets of dot graphs, knows the patterns by their definitions, and compares the sums that orcs-order reports; tries every order of
small jobs.
"""
import itertools
import json
import os
import random
import re
import subprocess
import sys

from graphs import hosts_of, read, speeds_of, ways_of


class Graph:
    def __init__(self, path):
        kinds, self.edges = read(open(path))
        self.hosts = hosts_of(kinds)
        self.ways = ways_of(self.hosts, self.edges)
        self.speed = speeds_of(self.hosts, self.edges)

    def spread(self, source, to):
        """Edges of all routes, with the share of a message on each."""
        share, left = {}, [(source, 1.0)]
        while left:
            node, part = left.pop()
            ways = [] if node == to else self.ways[node, to]
            for number in ways:
                share[number] = share.get(number, 0) + part / len(ways)
                left.append((self.edges[number][1], part / len(ways)))
        return share

    def total(self, levels, order, speeds=True):
        total = 0
        for level in levels:
            load = {}
            for (a, b), weight in level.items():
                for number, part in self.spread(order[a], order[b]).items():
                    load[number] = load.get(number, 0) + weight * part / (self.speed[number] if speeds else 1)
            total += max(load.values(), default=0)
        return total


def recdbl(n):
    for l in range((n - 1).bit_length()):
        level = {}
        for k in range(n):
            if k // 2**l % 2 == 0 and k + 2**l < n:
                level[k, k + 2**l] = level[k + 2**l, k] = 1
        yield level


def allshifts(n):
    return ({(k, (k + s) % n): 1 for k in range(n)} for s in range(1, n))


def bruck(n):
    return ({(k, (k + 2**l) % n): 1 for k in range(n)} for l in range((n - 1).bit_length()))


def stencil(lengths):
    def neighbours(cell):
        for d, length in enumerate(lengths):
            for step in (-1, 1):
                if 0 <= cell[d] + step < length:
                    yield cell[:d] + (cell[d] + step,) + cell[d + 1:]

    def rank(cell):
        number = 0
        for at, length in zip(reversed(cell), reversed(lengths)):
            number = number * length + at
        return number

    cells = list(itertools.product(*(range(n) for n in lengths)))
    return [{(rank(c), rank(d)): 1 for c in cells for d in neighbours(c)}]


def main():
    order, route, folder = sys.argv[1:]
    wrong, right = [], 0

    def run(*arguments, **options):
        return subprocess.run(arguments, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **options).stdout

    def expect(what, holds):
        nonlocal right
        if holds:
            right += 1
        else:
            wrong.append(what)

    report = os.path.join(folder, "report.json")

    def search(*arguments, per_host=1):
        lines = run(order, "--quiet", "--report", report, *arguments).split()
        result = json.load(open(report))
        expect(f"{arguments}: the list is the order of the report", lines == result["order"])
        expect(f"{arguments}: hosts not too often", max(map(lines.count, lines)) <= per_host)
        sums = result["sums"]
        expect(f"{arguments}: not worse than by leaf", sums["found"] <= sums["by_leaf"])
        expect(f"{arguments}: not below the bound", sums["found"] >= sums["bound"] * (1 - 1e-9))
        return lines, sums

    graphs = {}
    for name, engine, spec in [("tree", "minhop", "fattree:k=4,n=3"), ("torus", "sssp-orcs", "torus:3x3x2"), ("ring", "updn-orcs", "torus:6,hosts=2")]:
        graphs[name] = os.path.join(folder, name + ".dot")
        run(route, engine, spec, "-o", graphs[name])
    graphs["several"] = os.path.join(folder, "several.dot")
    with open(graphs["several"], "w") as file:  # every leaf sends by all spines at once
        file.write("digraph several {\n" + "".join(f'"H{h}" [type="host"];\n' for h in range(12)))
        file.write("".join(f'"{kind}{i}" [type="switch"];\n' for kind, n in (("leaf", 3), ("spine", 3)) for i in range(n)))
        for h in range(12):
            file.write(f'"H{h}" -> "leaf{h // 4}" [comment="*"];\n"leaf{h // 4}" -> "H{h}" [comment="H{h}"];\n')
        for leaf, spine in itertools.product(range(3), range(3)):
            below = ",".join(f"H{h}" for h in range(4 * leaf, 4 * leaf + 4))
            above = ",".join(f"H{h}" for h in range(12) if h // 4 != leaf)
            file.write(f'"leaf{leaf}" -> "spine{spine}" [comment="{above}"];\n"spine{spine}" -> "leaf{leaf}" [comment="{below}"];\n')
        file.write("}\n")
    fast = os.path.join(folder, "fast.dot")
    drawn = random.Random(4)
    with open(fast, "w") as file:
        for line in open(graphs["tree"]):
            speed = drawn.choice([100, 200]) if re.search(r'"S[^"]*" -> "S', line) else 100
            file.write(line.replace(' [', f' [speed="{speed}", ', 1) if "->" in line else line)
    graphs["fast"] = fast
    for name, path in graphs.items():
        graph = Graph(path)
        hosts = drawn.sample(graph.hosts, 12)
        names = os.path.join(folder, "hosts")
        open(names, "w").write("\n".join(hosts) + "\n")
        for pattern, levels in [("recdbl", recdbl(12)), ("allshifts", allshifts(12)), ("bruck", bruck(12)), ("stencil:3x4", stencil((3, 4)))]:
            levels = list(levels)
            found, sums = search("-p", pattern, "--hosts", names, "--passes", "6", path)
            expect(f"{name} {pattern}: same hosts", sorted(found) == sorted(hosts))
            expect(f"{name} {pattern}: {sums['found']}", abs(graph.total(levels, found) - sums["found"]) < 1e-9 * sums["found"])
            by_name = sorted(hosts, key=lambda h: [int(t) if t.isdigit() else t for t in re.split(r"(\d+)", h)])
            expect(f"{name} {pattern}: by name", abs(graph.total(levels, by_name) - sums["by_name"]) < 1e-9 * sums["by_name"])
            if name == "fast":
                found, sums = search("-p", pattern, "--ignore-speeds", "--hosts", names, "--passes", "6", path)
                expect(f"{name} {pattern} without speeds", graph.total(levels, found, False) == sums["found"])
        # every order of a small job
        hosts = drawn.sample(graph.hosts, 6)
        open(names, "w").write("\n".join(hosts) + "\n")
        for pattern, levels in [("recdbl", recdbl(6)), ("allshifts", allshifts(6)), ("stencil:2x3", stencil((2, 3)))]:
            levels = list(levels)
            best = min(graph.total(levels, o) for o in itertools.permutations(hosts))
            sums = search("-p", pattern, "--hosts", names, path)[1]
            expect(f"{name} {pattern}: the best of all orders, {best}: {sums['found']}", abs(sums["found"] - best) < 1e-9)
            expect(f"{name} {pattern}: the bound holds", sums["bound"] <= best * (1 + 1e-9))
    # hosts are chosen
    graph = Graph(graphs["ring"])
    best = min(graph.total(list(recdbl(4)), o) for o in itertools.permutations(graph.hosts, 4))
    found, sums = search("-p", "recdbl", "--choose", "4", graphs["ring"])
    expect("the best choice", sums["found"] == best == graph.total(list(recdbl(4)), found))
    # several ranks on a host: their messages use no link
    for pattern, levels in [("allshifts", allshifts(6)), ("bruck", bruck(6)), ("gather", [{(k, 0): 1 for k in range(1, 6)}])]:
        levels = list(levels)
        found, sums = search("-p", pattern, "-s", "6", "--ranks-per-host", "2", graphs["ring"], per_host=2)
        best = min(graph.total(levels, o) for o in set(itertools.permutations(found)))
        expect(f"{pattern}, two ranks on a host: {sums['found']}", sums["found"] == best == graph.total(levels, found))
        expect(f"{pattern}, two ranks on a host: the bound holds", sums["bound"] <= best)
    # weights
    weights = os.path.join(folder, "weights")
    pairs = {(drawn.randrange(6), drawn.randrange(6)): drawn.randrange(1, 9) for _ in range(12)}
    pairs = {p: w for p, w in pairs.items() if p[0] != p[1]}
    open(weights, "w").write("".join(f"{a} {b} {w}\n" for (a, b), w in pairs.items()))
    found, sums = search("--weights", weights, "-s", "6", graphs["ring"])
    expect("weights alone", graph.total([pairs], found) == sums["found"])
    found, sums = search("-p", "allshifts", "--weights", weights, "-s", "6", graphs["ring"])
    expect("weights of pairs", graph.total([{p: pairs.get(p, 1) for p in l} for l in allshifts(6)], found) == sums["found"])
    open(weights, "w").write("0 5\n1 0\n2 3\n")
    found, sums = search("-p", "recdbl", "--weights", weights, "-s", "6", graphs["ring"])
    levels = [{p: w for p in l} for l, w in zip(recdbl(6), (5, 0, 3)) if w]
    expect("weights of levels", graph.total(levels, found) == sums["found"])
    for text in wrong:
        print("wrong:", text)
    print(f"{right} right, {len(wrong)} wrong")
    return 1 if wrong or right < 150 else 0


sys.exit(main())
