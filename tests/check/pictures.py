#!/usr/bin/env python3
"""The colours in pictures of orcs-draw against loads counted here: blocks of random trees and grids, lines of tori and meshes, groups of
dragonflies; then pictures with a fault, each of which must be found.

pictures.py ORCS_DRAW COUNT [SEED]
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import loads
import reference

SVG = "{http://www.w3.org/2000/svg}"
WORDS = ["unused", "light", "fine", "warm", "hot", "very_hot", "severe"]
COLOURS = ["#ffffff", "#dbe6ee", "#a7c4da", "#eda02f", "#d4601a", "#a81d12", "#47060f"]


# ---- reading a picture

class Half:
    """A frame with what lies in it: rectangles of classes, and strokes of missing cables."""

    def __init__(self, frame, rectangles, holes):
        self.x, self.y, self.width, self.height = frame
        self.rectangles = [r for r in rectangles if self.holds(r[0] + 0.1, r[1] + 0.1)]
        self.holes = [h for h in holes if self.holds(h[0] + 0.1, h[1] - 0.1)]

    def holds(self, x, y):
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height

    def slices(self, row, column, size, count):
        """The classes of the slices of a cell, of which so many are cables; None: there is nothing."""
        left, top = self.x + column * size, self.y + row * size
        lost = sum(h[2] for h in self.holes if abs(h[0] - left) < size - 0.05 and h[0] >= left - 0.05 and abs(h[1] - top - size) < 0.05)
        room = size - lost
        return [self.at(left + room * (k + 0.5) / count, top + size / 2) for k in range(count)] if room > 0.05 else [None] * count

    def at(self, x, y):
        found = [c for a, b, w, h, c in self.rectangles if a <= x <= a + w and b <= y <= b + h]
        return found[-1] if found else None


def number(text):
    return float(text)


def class_of(element):
    match = re.fullmatch("c([0-6])", element.get("class", ""))
    if not match:
        return None
    index = int(match.group(1))
    assert element.get("fill") == COLOURS[index], "class and fill differ: %s" % ElementTree.tostring(element)
    return WORDS[index]


def read_marks(element):
    frames, rectangles, holes = [], [], []
    for e in element.iter():
        word = class_of(e)
        if e.tag == SVG + "path" and word:
            for x, y, w, h in re.findall(r"M(\S+) (\S+?)h([\d.-]+)v([\d.-]+)h[\d.-]+z", e.get("d")):
                rectangles.append((number(x), number(y), number(w), number(h), word))
        elif e.tag == SVG + "rect" and word:
            rectangles.append((*(number(e.get(k)) for k in ("x", "y", "width", "height")), word))
        elif e.get("class") == "frame":
            frames.append(tuple(number(e.get(k)) for k in ("x", "y", "width", "height")))
        elif e.get("class") == "hole":
            holes += [tuple(map(number, h)) for h in re.findall(r"M(\S+) (\S+?)l([\d.-]+) ([\d.-]+)", e.get("d"))]
    return [Half(frame, rectangles, holes) for frame in frames]


def label_groups(element):
    """The labels of rows and of columns, in the order of the picture."""
    rows, columns = [], []
    for g in element.findall(SVG + "g"):
        texts = [t.text for t in g.findall(SVG + "text")]
        if g.get("text-anchor") == "end":
            rows.append(texts)
        elif texts and g.find(SVG + "text").get("transform"):
            columns.append(texts)
    return rows, columns


def draw(program, f, layout):
    """The picture, None if the layout does not suit the fabric."""
    with tempfile.NamedTemporaryFile("w", suffix=".dot") as file:
        file.write(reference.dot(f))
        file.flush()
        run = subprocess.run([program, "--quiet", "--layout", layout, file.name], capture_output=True, text=True, timeout=60)
    if run.returncode:
        assert run.returncode == 3 and not run.stdout, run.stderr
        return None
    return run.stdout


# ---- what must be seen

class Wanted:
    def __init__(self, f):
        routes = loads.routes_of(f)
        load, share, self.tree, self.level = loads.loads(f, routes)
        self.kind = {c: loads.class_of(routes[c], load[c] / share[c]) for c in f.channels}
        top = max(self.level[c.head] for c in f.channels if routes[c])
        self.shown = [c for c in f.channels if not f.is_host(c.tail) and not f.is_host(c.head) and
                      max(self.level.get(c.tail, 1e9), self.level.get(c.head, 1e9)) <= top]
        self.by_ends = collections.defaultdict(list)
        for c in self.shown:
            self.by_ends[c.tail, c.head].append(c)
        for list_ in self.by_ends.values():
            list_.sort(key=lambda c: c.port)
        reference.pair_cables(f)


def dimensions(f):
    """Of a grid whose switches are SX_Y."""
    at = [tuple(map(int, v[1:].split("_"))) for v in f.nodes if not f.is_host(v)]
    return sum(len({place[i] for place in at}) > 1 for i in range(2))


def compare_cell(half, row, column, size, channels, wanted, places, ordered=True):
    got = half.slices(row, column, size, max(1, len(channels)))
    want = [wanted.kind[c] for c in channels] or [None]
    if not ordered:
        got, want = sorted(map(str, got)), sorted(map(str, want))
    return [] if got == want else ["%s: %s, wanted %s" % (places, got, want)]


def check_blocks(text, wanted):
    wrong, seen = [], 0
    for g in ElementTree.fromstring(text).iter(SVG + "g"):
        if g.get("data-block") is None:
            continue
        halves = read_marks(g)
        (rows,), (columns,) = label_groups(g)
        if len(halves) == 2:
            assert columns[:len(columns) // 2] == columns[len(columns) // 2:], "labels of the halves"
            columns = columns[:len(columns) // 2]
        if len(set(rows)) < len(rows) or len(set(columns)) < len(columns):
            wrong.append("labels alike: %s %s" % (rows, columns))
        size = halves[0].height / len(rows)
        for i, row in enumerate(rows):
            for k, column in enumerate(columns):
                there = wanted.by_ends[row, column]
                seen += len(there)
                wrong += compare_cell(halves[0], i, k, size, there, wanted, (row, column))
                if len(halves) == 2:
                    back = [c.back for c in there]
                    seen += len(back)
                    wrong += compare_cell(halves[1], i, k, size, back, wanted, (column, row))
    return wrong + (["%d channels, wanted %d" % (seen, len(wanted.shown))] if seen != len(wanted.shown) else [])


def check_legend(text, wanted):
    """The numbers of channels by class."""
    counts = collections.Counter(wanted.kind.values())
    told = re.findall(r">(unused|light|fine|warm|hot|very hot|severe), [^:<]*: (\d+)<", text)
    got = {word.replace(" ", "_"): int(n) for word, n in told}
    want = {word: counts[word] for word in WORDS}
    return [] if got == want else ["legend %s, wanted %s" % (got, want)]


def check_lines(text, wanted):
    """Tori and meshes of two dimensions whose switches are SX_Y."""
    root = ElementTree.fromstring(text)
    halves, rows = read_marks(root), label_groups(root)[0]
    wrong, seen, at = [], 0, {}
    for (tail, head), channels in wanted.by_ends.items():
        at[tail] = tuple(map(int, tail[1:].split("_")))
    name = {place: s for s, place in at.items()}
    width, height = (max(place[i] for place in at.values()) + 1 for i in range(2))
    for a, labels in enumerate(rows):
        forth, back = halves[2 * a], halves[2 * a + 1]
        size = forth.height / len(labels)
        axis = 1 if all(label.endswith("_0") for label in labels) and round(forth.width / size) == height else 0
        length = (width, height)[axis]
        if round(forth.width / size) != length:
            wrong.append("axis %d of %d positions, wanted %d" % (axis, round(forth.width / size), length))
            continue
        for i, label in enumerate(labels):
            for x in range(length):
                place = list(at[label])
                assert place[axis] == 0, "the first switch of a line"
                place[axis] = x
                here = name[tuple(place)]
                place[axis] = (x + 1) % length
                there = name[tuple(place)] if length > 2 or not x else None
                for half, ends in ((forth, (here, there)), (back, (there, here))):
                    channels = wanted.by_ends.get(ends, [])
                    seen += len(channels)
                    wrong += compare_cell(half, i, x, size, channels, wanted, ends)
    return wrong + (["%d channels, wanted %d" % (seen, len(wanted.shown))] if seen != len(wanted.shown) else [])


def check_groups(text, wanted):
    """Dragonflies whose switches are SGROUP_NUMBER."""
    root = ElementTree.fromstring(text)
    halves, wrong, seen = read_marks(root), [], 0
    (rows,), (columns,) = label_groups(root)
    group = {s: s.split("_")[0] for ends in wanted.by_ends for s in ends}
    size = halves[0].height / len(rows)
    if rows != columns or len(set(rows)) != len(rows):
        wrong.append("groups %s and %s" % (rows, columns))
    for i, a in enumerate(rows):
        for k, b in enumerate(columns):
            there = [c for c in wanted.shown if (group[c.tail], group[c.head]) == (group[a], group[b]) and i != k]
            seen += len(there)
            wrong += compare_cell(halves[0], i, k, size, there, wanted, (a, b), ordered=False)
    for half, first in zip(halves[1:], rows):
        members = sorted((s for s in group if group[s] == group[first]), key=lambda s: int(s.split("_")[1]))
        size = half.height / len(members)
        for i, a in enumerate(members):
            for k, b in enumerate(members):
                there = wanted.by_ends.get((a, b), [])
                seen += len(there)
                wrong += compare_cell(half, i, k, size, there, wanted, (a, b))
    return wrong + (["%d channels, wanted %d" % (seen, len(wanted.shown))] if seen != len(wanted.shown) else [])


# ---- networks

def dragonfly(rng):
    """Groups of a switches, one cable between any two; each pair of hosts takes a shortest path drawn at random."""
    f = reference.Fabric()
    a, h = rng.choice([(3, 1), (4, 1), (4, 2)])
    groups, ports = a * h + 1, collections.Counter()
    switches = [["S%d_%d" % (g, i) for i in range(a)] for g in range(groups)]
    f.nodes = [s for group in switches for s in group]

    def cable(x, y):
        ports[x] += 1
        ports[y] += 1
        f.channels.append(reference.Channel(x, y, ports[x], ports[y], 100, [], {}))
        f.channels.append(reference.Channel(y, x, ports[y], ports[x], 100, [], {}))

    for group in switches:
        for i in range(a):
            for k in range(i):
                cable(group[i], group[k])
    for g in range(groups):
        for k in range(g):
            cable(switches[g][(k if k < g else k - 1) // h % a], switches[k][(g - 1) // h % a])
    for s in f.nodes[:]:
        host = "H" + s[1:]
        f.nodes.append(host)
        cable(host, s)
    for d in f.hosts():
        distance = reference.distances_to(f, d, set())
        for v in f.nodes:
            best = [c for c in f.out(v) if c.head in distance and distance[c.head] + 1 == distance[v]]
            if v != d:
                rng.choice(best[:rng.choice([1, 9])]).entries.append(d)
    loads.sort_channels(f)
    return f


# ---- pictures with a fault

def recolour(text):
    """One rectangle of a matrix gets the next class."""
    at = text.index("data-block") if "data-block" in text else text.index("Load of a channel")
    match = re.compile(r'class="c([1-5])" fill="#\w+"').search(text, at)
    index = int(match.group(1)) + 1
    return text[:match.start()] + 'class="c%d" fill="%s"' % (index, COLOURS[index]) + text[match.end():]


def lose(text):
    """A path of a matrix is not there."""
    at = text.index("data-block") if "data-block" in text else text.index("Load of a channel")
    match = re.compile(r'<path class="c[1-6]"[^>]*/>').search(text, at)
    return text[:match.start()] + text[match.end():]


def rename(text):
    """Two labels of rows change places."""
    at = text.index('text-anchor="end"', text.index("data-block")) if "data-block" in text else text.index('text-anchor="end">\n<text')
    a, b = list(re.compile(r">([^<\n]+)</text>").finditer(text, at))[:2]
    return text[:a.start(1)] + b.group(1) + text[a.end(1):b.start(1)] + a.group(1) + text[b.end(1):]


def count_wrongly(text):
    return re.sub(r"(fine, up to 1.05: )(\d+)", lambda m: m.group(1) + str(int(m.group(2)) + 1), text)


def finds(check, text, wanted):
    try:
        return bool(check(text, wanted))
    except (AssertionError, KeyError, ValueError):
        return True


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    passed = failed = 0
    drawn, found = collections.Counter(), collections.Counter()
    faults = {}
    for turn in range(count):
        way, make = (("blocks", loads.random_tree), ("lines", loads.grid), ("groups", dragonfly), ("blocks", loads.grid))[turn % 4]
        f = make(rng)
        if make is loads.random_tree and not (loads.is_layered(f) and any(loads.routes_of(f).values())):
            continue
        text = draw(program, f, way)
        if text is None or (way == "lines" and ">%d dimension" % dimensions(f) not in text):
            continue  # of an irregular network, or a ring of four that is a mesh of 2 x 2
        wanted = Wanted(f)
        check = {"blocks": check_blocks, "lines": check_lines, "groups": check_groups}[way]
        try:
            wrong = check(text, wanted) + check_legend(text, wanted)
        except (AssertionError, ValueError, KeyError) as error:
            wrong = [repr(error)]
        passed += not wrong
        failed += bool(wrong)
        drawn[way, make.__name__] += 1
        if wrong:
            print("FAILED %s %s of turn %d: %s" % (way, make.__name__, turn, wrong[:3]))
            if os.environ.get("KEEP"):
                open(os.environ["KEEP"] + ".svg", "w").write(text)
                open(os.environ["KEEP"] + ".dot", "w").write(reference.dot(f))
        if {"light", "fine"} <= {wanted.kind[c] for c in wanted.shown}:
            faults.setdefault(way, (text, wanted, check))
    for way, (text, wanted, check) in faults.items():
        for fault in (recolour, lose):
            if finds(check, fault(text), wanted):
                passed += 1
            else:
                failed += 1
                print("FAILED %s: the fault '%s' is not seen" % (way, fault.__name__))
        if way == "blocks" and not finds(check, rename(text), wanted) or not check_legend(count_wrongly(text), wanted):
            failed += 1
            print("FAILED %s: labels or numbers that are wrong are not seen" % way)
        else:
            passed += 1
    if count >= 100 and (len(faults) < 3 or min(drawn.values()) < count // 10):
        failed += 1
        print("FAILED: only pictures of %s" % {way + " " + make: n for (way, make), n in drawn.items()})
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
