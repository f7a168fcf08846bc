#!/usr/bin/env python3
"""Known shapes, whole and with a cable too few or too many: does orcs-check recognise them, and name the cable?

shapes.py ORCS_CHECK [SAMPLES]: of each shape so many cables are taken away and put in, one at a time (default 6)
"""
import itertools
import json
import random
import subprocess
import sys
import tempfile


class Net:
    """Switches by name, how many hosts each has, and cables."""

    def __init__(self):
        self.switches, self.hosts, self.cables = [], {}, []

    def switch(self, name, hosts=0):
        self.switches.append(name)
        self.hosts[name] = hosts

    def text(self, rng):
        """The graph, its nodes and cables in any order, under names that tell nothing."""
        nodes = self.switches[:]
        rng.shuffle(nodes)
        name = {s: "n%d" % i for i, s in enumerate(nodes)}
        lines, count = [], 0
        for s in nodes:
            lines.append('"%s";' % name[s])
            for _ in range(self.hosts[s]):
                lines.append('"H%d" -> "%s" [comment="*"]; "%s" -> "H%d";' % (count, name[s], name[s], count))
                count += 1
        cables = self.cables[:]
        rng.shuffle(cables)
        for a, b in cables:
            lines.append('"%s" -> "%s"; "%s" -> "%s";' % (name[a], name[b], name[b], name[a]))
        self.name = name
        return "digraph net {\n" + "\n".join(lines) + "\n}\n"


def xgft(m, w, parallel=None):
    """XGFT(h; m1..mh; w1..wh), w1 = 1, recursively as it is defined (Ohring et al. 1995): copies, and new roots over the roots of each."""
    net = Net()
    number = itertools.count()

    def build(level):
        if level == 1:
            leaf = "l%d" % next(number)
            net.switch(leaf, m[0])
            return [leaf]
        copies = [build(level - 1) for _ in range(m[level - 1])]
        roots = []
        for k in range(len(copies[0])):
            for _ in range(w[level - 1]):
                root = "s%d" % next(number)
                net.switch(root)
                roots.append(root)
                for copy in copies:
                    net.cables += [(copy[k], root)] * (parallel[level - 1] if parallel else 1)
        return roots

    build(len(m))
    return net


def grid(dimensions, rings, hosts=1, parallel=1):
    net = Net()
    places = list(itertools.product(*map(range, dimensions)))
    for p in places:
        net.switch("s" + "_".join(map(str, p)), hosts)
    for p in places:
        for k, size in enumerate(dimensions):
            if p[k] + 1 < size or (rings[k] and size > 2):
                q = p[:k] + ((p[k] + 1) % size,) + p[k + 1:]
                net.cables += [("s" + "_".join(map(str, p)), "s" + "_".join(map(str, q)))] * parallel
    return net


def full_mesh(n, parallel=1):
    net = Net()
    for a in range(n):
        net.switch("s%d" % a, 2)
    net.cables = [("s%d" % a, "s%d" % b) for a in range(n) for b in range(a) for _ in range(parallel)]
    return net


def dragonfly(p, a, h):
    """Group port o of group g leads to group o if o < g, else o + 1."""
    net = Net()
    groups = a * h + 1
    for g in range(groups):
        for s in range(a):
            net.switch("g%d_%d" % (g, s), p)
        net.cables += [("g%d_%d" % (g, s), "g%d_%d" % (g, t)) for s in range(a) for t in range(s)]
    for g in range(groups):
        for o in range(a * h):
            to = o if o < g else o + 1
            if to > g:
                back = g if g < to else g - 1
                net.cables.append(("g%d_%d" % (g, o // h), "g%d_%d" % (to, back // h)))
    return net


def irregular(seed):
    rng = random.Random(seed)
    net = Net()
    for i in range(24):
        net.switch("s%d" % i, 1)
    for i in range(1, 24):
        net.cables.append(("s%d" % i, "s%d" % rng.randrange(i)))
    for _ in range(30):
        net.cables.append(tuple("s%d" % i for i in rng.sample(range(24), 2)))
    return net


SHAPES = [
    ("4-ary 2-tree", xgft([4, 4], [1, 4])),
    ("2-ary 4-tree", xgft([2, 2, 2, 2], [1, 2, 2, 2])),
    ("3-ary 3-tree", xgft([3, 3, 3], [1, 3, 3])),
    ("XGFT(3; 3,4,5; 1,3,2)", xgft([3, 4, 5], [1, 3, 2])),
    ("XGFT(4; 2,3,3,4; 1,2,3,2)", xgft([2, 3, 3, 4], [1, 2, 3, 2])),
    ("XGFT(2; 8,6; 1,2) of parallel cables 1,3", xgft([8, 6], [1, 2], [1, 3])),
    ("XGFT(3; 4,3,3; 1,1,1)", xgft([4, 3, 3], [1, 1, 1])),
    ("full mesh of 7 switches", full_mesh(7)),
    ("full mesh of 5 switches with 2 cables between two", full_mesh(5, 2)),
    ("torus 5", grid([5], [1])),
    ("torus 8", grid([8], [1])),
    ("torus 5x5", grid([5, 5], [1, 1])),
    ("torus 3x6", grid([3, 6], [1, 1])),
    ("torus 4x4x4", grid([4, 4, 4], [1, 1, 1], 2)),
    ("torus 5x6x7", grid([5, 6, 7], [1, 1, 1])),
    ("torus 5x3x3", grid([5, 3, 3], [1, 1, 1])),
    ("torus 6x6 of up to 2 parallel cables", grid([6, 6], [1, 1], 1, 2)),
    ("torus 3x3x3x3", grid([3, 3, 3, 3], [1, 1, 1, 1])),
    ("mesh 6", grid([6], [0])),
    ("mesh 4x6", grid([4, 6], [0, 0])),
    ("mesh 3x4x5", grid([3, 4, 5], [0, 0, 0])),
    ("torus 5 x mesh 4", grid([5, 4], [1, 0])),
    ("mesh 2x2x2 (hypercube)", grid([2, 2, 2], [0, 0, 0])),
    ("dragonfly p=2 a=4 h=2 of 9 groups", dragonfly(2, 4, 2)),
    ("dragonfly p=3 a=6 h=3 of 19 groups", dragonfly(3, 6, 3)),
    ("dragonfly p=1 a=3 h=1 of 4 groups", dragonfly(1, 3, 1)),
    ("single switch", xgft([5], [1])),
    ("irregular", irregular(1)),
    ("irregular", irregular(2)),
]

# Those that a cable less makes another shape or two pieces, and those that a cable more makes ambiguous.
WITHOUT = {"torus 5", "torus 8", "mesh 6", "mesh 2x2x2 (hypercube)", "XGFT(3; 4,3,3; 1,1,1)", "single switch", "irregular",
           "dragonfly p=1 a=3 h=1 of 4 groups"}
WITH = {"mesh 6", "mesh 2x2x2 (hypercube)", "single switch", "irregular", "dragonfly p=1 a=3 h=1 of 4 groups"}


class Tests:
    def __init__(self, program):
        self.program, self.passed, self.failed = program, 0, 0

    def shape(self, net, rng):
        with tempfile.NamedTemporaryFile("w", suffix=".dot") as file:
            file.write(net.text(rng))
            file.flush()
            run = subprocess.run([self.program, "--quiet", "--require", "none", "--format", "json", file.name], capture_output=True, text=True)
        return json.loads(run.stdout)["shape"]

    def expect(self, what, fine, got):
        self.passed += fine
        self.failed += not fine
        if not fine:
            print("FAILED: %s: %s" % (what, {k: got[k] for k in ("name", "deviations", "missing", "extra")}))

    def named(self, got, key, net, cable):
        ends = [{c["from"], c["to"]} for c in got[key]]
        return got["deviations"] == 1 and ends == [{net.name[cable[0]], net.name[cable[1]]}]


def sizes(name):
    """The numbers of a grid in any order, for dimensions may be found in any."""
    return name if "x" not in name.split(" of ")[0] else sorted(name.replace("x", " ").split())


def main():
    tests = Tests(sys.argv[1])
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    for number, (name, net) in enumerate(SHAPES):
        rng = random.Random(number)
        for _ in range(2):
            got = tests.shape(net, rng)
            fine = sizes(got["name"]) == sizes(name) and got["deviations"] == 0
            tests.expect(name, fine, got)
        for cable in rng.sample(sorted(set(net.cables)), 0 if name in WITHOUT else min(samples, len(set(net.cables)))):
            net.cables.remove(cable)
            got = tests.shape(net, rng)
            tests.expect("%s without %s" % (name, cable), sizes(got["name"]) == sizes(name) and tests.named(got, "missing", net, cable), got)
            net.cables.append(cable)
        for _ in range(0 if name in WITH else samples):
            cable = tuple(rng.sample(net.switches, 2))
            if cable in net.cables or cable[::-1] in net.cables:
                continue
            net.cables.append(cable)
            got = tests.shape(net, rng)
            tests.expect("%s and %s" % (name, cable), sizes(got["name"]) == sizes(name) and tests.named(got, "extra", net, cable), got)
            net.cables.pop()
    print("%d passed, %d failed" % (tests.passed, tests.failed))
    return tests.failed > 0


sys.exit(main())
