#!/usr/bin/env python3
"""Is what orcs-check claims of a shape true, and the same for any order of the file? Against topologies built from their definitions.

claims.py ORCS_CHECK [FABRICS [SEED]]: so many fabrics of all families, whole, damaged and random (default 150), each in two orders.

A claim is verified by making the fabric whole, as it says: the extra cables are taken away, the missing ones added, with as many new switches as
are missing. Where these have no names, and where another claim says nothing of places, the whole topology is built and the fabric is found in
it. The independent part is here: what each family is, and a search that maps one graph onto another (colours refined together, then trying).
"""
import collections
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

# ---------------------------------------------------------------- graphs: Counter of (a, b) with a < b, cables between two switches


class Graph:
    def __init__(self, n=0):
        self.n, self.cables = n, collections.Counter()

    def join(self, a, b, count=1):
        if a != b and count:
            self.cables[(a, b) if a < b else (b, a)] += count

    def neighbours(self):
        lists = [{} for _ in range(self.n)]
        for (a, b), count in self.cables.items():
            if count:
                lists[a][b] = lists[b][a] = count
        return lists


def product(parts):
    """The product of graphs, given as (size, [(a, b, cables)])."""
    sizes = [size for size, _ in parts]
    graph = Graph()
    index = {place: i for i, place in enumerate(itertools.product(*map(range, sizes)))}
    graph.n = len(index)
    for place, i in index.items():
        for k, (_, cables) in enumerate(parts):
            for a, b, count in cables:
                if place[k] == a:
                    graph.join(i, index[place[:k] + (b,) + place[k + 1:]], count)
    return graph


def path(n, count):
    return n, [(i, i + 1, count) for i in range(n - 1)]


def ring(n, count):
    return n, [(i, (i + 1) % n, count) for i in range(n)]


def mesh_of(n, count):
    return n, [(a, b, count) for a in range(n) for b in range(a)]


def xgft(m, w, parallel):
    """Switches (level, x, y); level 1 are the leaves."""
    graph, index = Graph(), {}
    h = len(m)
    for level in range(1, h + 1):
        across = copies = 1
        for i in range(level, h):
            across *= m[i]
        for i in range(1, level):
            copies *= w[i]
        for x in range(across):
            for y in range(copies):
                index[level, x, y] = len(index)
                for c in range(m[level - 1] if level > 1 else 0):
                    below = copies // w[level - 1]
                    graph.n = len(index)
                    graph.join(index[level, x, y], index[level - 1, x * m[level - 1] + c, y % below], parallel[level - 1])
    graph.n = len(index)
    return graph


def field(q):
    """Addition and multiplication tables of the field of q elements, and a generator; polynomials over p by trying."""
    p = next(k for k in range(2, q + 1) if q % k == 0)
    e = 0
    while p ** e < q:
        e += 1
    if p ** e != q:
        return None
    digits = [tuple(i // p ** k % p for k in range(e)) for i in range(q)]
    number = {d: i for i, d in enumerate(digits)}
    add = [[number[tuple((x + y) % p for x, y in zip(digits[a], digits[b]))] for b in range(q)] for a in range(q)]

    def times(a, b, modulus):
        long = [0] * (2 * e - 1)
        for i, x in enumerate(digits[a]):
            for k, y in enumerate(digits[b]):
                long[i + k] = (long[i + k] + x * y) % p
        for i in range(2 * e - 2, e - 1, -1):
            for k in range(e):
                long[i - e + k] = (long[i - e + k] - long[i] * modulus[k]) % p
        return number[tuple(long[:e])]

    for modulus in itertools.product(range(p), repeat=e):
        for g in range(1, q):
            seen, x = [], 1
            while x not in seen and x:
                seen.append(x)
                x = times(x, g, modulus)
            if len(seen) == q - 1:
                return add, [[times(a, b, modulus) for b in range(q)] for a in range(q)], seen
    return None


def slimfly(q, parallel):
    """McKay, Miller, Siran; the sets as Hafner has them: differences in X and X', both alike under negation."""
    add, times, powers = field(q)
    w = (q + 1) // 4
    if q % 4 == 1:
        first, second = powers[0::2], powers[1::2]
    elif q % 4 == 0:
        first, second = powers[0::2], powers[1::2] + [1]
    else:
        first = powers[0:2 * w - 1:2] + powers[2 * w - 1:4 * w - 2:2]
        second = powers[1:2 * w:2] + powers[2 * w:4 * w - 2:2] + [1]
    minus = [next(b for b in range(q) if add[a][b] == 0) for a in range(q)]
    graph = Graph(2 * q * q)
    for side, members in ((0, first), (1, second)):
        for x, y, other in itertools.product(range(q), repeat=3):
            if other < y and add[y][minus[other]] in members:
                graph.join((side * q + x) * q + y, (side * q + x) * q + other, parallel)
    for x, m, c in itertools.product(range(q), repeat=3):
        graph.join(x * q + add[times[m][x]][c], (q + m) * q + c, parallel)
    return graph


def jellyfish(n, degree, rng):
    """A random graph; where that is not found soon, as of few switches, with some cables less."""
    for last in [False] * 20 + [True]:
        ends = [v for v in range(n) for _ in range(degree)]
        rng.shuffle(ends)
        pairs = list(zip(ends[::2], ends[1::2]))
        for _ in range(200):
            seen = collections.Counter(tuple(sorted(p)) for p in pairs)
            bad = [i for i, p in enumerate(pairs) if p[0] == p[1] or seen[tuple(sorted(p))] > 1]
            if not bad:
                break
            for i in bad:
                k = rng.randrange(len(pairs))
                (a, b), (c, d) = pairs[i], pairs[k]
                pairs[i], pairs[k] = (a, d), (c, b)
        else:
            if not last:
                continue
            pairs = sorted({tuple(sorted(p)) for p in pairs})
        graph = Graph(n)
        for a, b in pairs:
            graph.join(a, b)
        return graph


def grouped(groups, inside, routers, h, rng, between):
    """Groups that are copies of a graph, whose routers have h ports; the ports to other groups in a random arrangement."""
    graph = Graph(groups * inside.n)
    for g in range(groups):
        for (a, b), count in inside.cables.items():
            graph.join(g * inside.n + a, g * inside.n + b, count)
    free = {g: [r for r in routers for _ in range(h)] for g in range(groups)}
    for ports in free.values():
        rng.shuffle(ports)
    for a in range(groups):
        for b in range(a):
            for _ in range(between):
                graph.join(a * inside.n + free[a].pop(), b * inside.n + free[b].pop())
    return graph


def bipartite(leaves, spines):
    graph = Graph(leaves + spines)
    for a in range(leaves):
        for b in range(spines):
            graph.join(a, leaves + b)
    return graph


def product_graph(size, cables):
    graph = Graph(size)
    for a, b, count in cables:
        graph.join(a, b, count)
    return graph


# ---------------------------------------------------------------- isomorphism


class TooHard(Exception):
    pass


def refine(lists, colours):
    """Colours of several graphs refined together, so that they mean the same in all."""
    while True:
        keys = [[(c[v], tuple(sorted((c[u], count) for u, count in l[v].items()))) for v in range(len(l))] for l, c in zip(lists, colours)]
        names = {key: i for i, key in enumerate(sorted(set(itertools.chain(*keys))))}
        new = [[names[k] for k in key] for key in keys]
        if len(names) == len(set(itertools.chain(*colours))):
            return new
        colours = new


def isomorphic(one, other, steps=None):
    """Whether two graphs are the same but for the names of their switches."""
    if one.n != other.n or sum(one.cables.values()) != sum(other.cables.values()):
        return False
    lists = one.neighbours(), other.neighbours()
    steps = steps if steps is not None else [4000]

    def search(colours):
        steps[0] -= 1
        if steps[0] < 0:
            raise TooHard
        colours = refine(lists, colours)
        count = [collections.Counter(c) for c in colours]
        if count[0] != count[1]:
            return False
        several = [c for c, k in count[0].items() if k > 1]
        if not several:
            place = {c: v for v, c in enumerate(colours[1])}
            mapping = [place[c] for c in colours[0]]
            return all(lists[1][mapping[v]] == {mapping[u]: k for u, k in lists[0][v].items()} for v in range(one.n))
        cell = min(several, key=lambda c: (count[0][c], c))
        fresh = max(colours[0]) + 1
        v = colours[0].index(cell)
        left = [fresh if i == v else c for i, c in enumerate(colours[0])]
        return any(search([left, [fresh if i == u else c for i, c in enumerate(colours[1])]])
                   for u in range(other.n) if colours[1][u] == cell)

    return search([[0] * one.n, [0] * other.n])


# ---------------------------------------------------------------- claims


def connected(neighbours, members):
    members, todo, seen = set(members), [min(members)], {min(members)}
    while todo:
        for u in neighbours[todo.pop()]:
            if u in members and u not in seen:
                seen.add(u)
                todo.append(u)
    return seen == members


def cliques(neighbours, size, parallel):
    """The switches cut into groups of that size, all joined by so many cables; None if there are no such: exact cover by trying."""
    n = len(neighbours)
    group = [None] * n
    full = [{u for u, k in neighbours[v].items() if k == parallel} for v in range(n)]

    def grow(members, candidates):
        if len(members) == size:
            yield members
            return
        for i, u in enumerate(candidates):
            yield from grow(members + [u], [x for x in candidates[i + 1:] if x in full[u]])

    def cover(number):
        free = [v for v in range(n) if group[v] is None]
        if not free:
            return True
        # the switch with the fewest choices first
        v = min(free, key=lambda x: sum(group[u] is None for u in full[x]))
        for members in itertools.islice(grow([v], sorted(u for u in full[v] if group[u] is None)), 50):
            for u in members:
                group[u] = number
            if cover(number + 1):
                return True
            for u in members:
                group[u] = None
        return False

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10000)
    found = cover(0)
    sys.setrecursionlimit(limit)
    return group if found else None


def joined_alike(graph, group, routers, h, groups):
    """Groups that are all joined by as many cables, of routers with at most h each; as many as h allows."""
    pairs, ends = collections.Counter(), collections.Counter()
    for (a, b), count in graph.cables.items():
        if count and group[a] != group[b]:
            pairs[tuple(sorted((group[a], group[b])))] += count
            ends[a] += count
            ends[b] += count
    counts = set(pairs.values())
    size = len(routers) // groups
    return (len(pairs) == groups * (groups - 1) // 2 and len(counts) == 1 and all(v in routers and k <= h for v, k in ends.items())
            and counts.pop() == size * h // (groups - 1))


def is_dragonfly(graph, p):
    a, h, groups, parallel = (p[k][0] for k in ("a", "h", "groups", "parallel"))
    if graph.n != a * groups:
        return False
    neighbours = graph.neighbours()
    group = cliques(neighbours, a, parallel)
    return group is not None and joined_alike(graph, group, set(range(graph.n)), h, groups)


def is_dragonfly_plus(graph, p, hosts):
    leaves, spines, h, groups, parallel = (p[k][0] for k in ("leaves", "spines", "h", "groups", "parallel"))
    neighbours = graph.neighbours()
    group, sets = [None] * graph.n, {}
    for v in range(graph.n):
        if hosts[v]:
            key = tuple(sorted(neighbours[v].items()))
            group[v] = sets.setdefault(key, len(sets))
            for u, k in key:
                if hosts[u] or k != parallel or group[u] not in (None, group[v]):
                    return False
                group[u] = group[v]
    if len(sets) != groups or None in group:
        return False
    count = collections.Counter((group[v], bool(hosts[v])) for v in range(graph.n))
    return (all(count[g, True] == leaves and count[g, False] == spines for g in range(groups))
            and joined_alike(graph, group, {v for v in range(graph.n) if not hosts[v]}, h, groups))


def whole(kind, p):
    """The whole topology of a claim; None where it is not one graph."""
    if kind in ("torus", "mesh"):
        return product([(ring if r else path)(n, k) for n, r, k in zip(p["dimensions"], p["ring"], p["parallel"])])
    if kind == "HyperX":
        return product([mesh_of(n, k) for n, k in zip(p["dimensions"], p["parallel"])])
    if kind == "full mesh":
        return product([mesh_of(p["switches"][0], p["parallel"][0])])
    if kind in ("XGFT", "k-ary n-tree"):
        return xgft(p["m"], p["w"], p["parallel"])
    if kind == "Slim Fly":
        return slimfly(p["q"][0], p["parallel"][0])
    if kind == "single switch":
        return Graph(1)
    return None


def verify(fabric, shape):
    """Whether the claim is true of the fabric. Raises TooHard where that cannot be found out."""
    kind = shape["kind"]
    if kind == "irregular":
        return True
    graph = Graph(fabric.graph.n + shape["missing_switches"])
    graph.cables = collections.Counter(fabric.graph.cables)
    stray = collections.Counter(fabric.one_way)
    for cable in shape["extra"]:
        a, b = fabric.number[cable["from"]], fabric.number[cable["to"]]
        if stray[a, b]:
            stray[a, b] -= 1
        elif graph.cables[(min(a, b), max(a, b))]:
            graph.cables[(min(a, b), max(a, b))] -= 1
        else:
            return False
    if sum(stray.values()) or shape["deviations"] != len(shape["missing"]) + len(shape["extra"]):
        return False
    nameless = collections.Counter()
    for cable in shape["missing"]:
        ends = [fabric.number[cable[k]] for k in ("from", "to") if cable[k] is not None]
        if len(ends) == 2:
            graph.join(*ends)
        else:
            nameless[tuple(ends)] += 1
    ideal = whole(kind, shape["parameters"])
    if kind in ("dragonfly", "dragonfly+"):
        if shape["missing_switches"] > 1:
            raise TooHard
        for ends, count in nameless.items():
            graph.join(ends[0], graph.n - 1, count)
        if kind == "dragonfly":
            return is_dragonfly(graph, shape["parameters"])
        # a missing spine is joined to leaves, a missing leaf only to spines
        leaf = not any(fabric.hosts[ends[0]] for ends in nameless)
        return is_dragonfly_plus(graph, shape["parameters"], fabric.hosts + [int(leaf)] * shape["missing_switches"])
    if ideal is None or ideal.n != graph.n or sum(ideal.cables.values()) != sum(graph.cables.values()) + sum(nameless.values()):
        return False
    if shape["missing_switches"] == 1:
        for ends, count in nameless.items():
            graph.join(ends[0], graph.n - 1, count)
        return isomorphic(graph, ideal)
    if shape["missing_switches"]:
        return embeds(graph, shape["missing_switches"], nameless, ideal)
    return isomorphic(graph, ideal)


def embeds(graph, missing, nameless, ideal):
    """Whether the cables without a name on one side can be given to the missing switches, so that the whole comes out: they are shared out in
    every way in which each missing switch gets what one of the whole topology has, as far as there is time."""
    n = graph.n - missing
    ends = sorted(itertools.chain(*([e[0]] * count for e, count in nameless.items() if e)))
    inner = nameless[()]
    degrees = sorted({sum(l.values()) for l in ideal.neighbours()})
    steps = [3000]

    def share(at, lists):
        steps[0] -= 1
        if steps[0] < 0:
            raise TooHard
        if at == len(ends):
            for pairs in itertools.combinations_with_replacement(list(itertools.combinations(range(missing), 2)), inner) if inner else [()]:
                full = Graph(graph.n)
                full.cables = collections.Counter(graph.cables)
                for k, l in enumerate(lists):
                    for v in l:
                        full.join(n + k, v)
                for a, b in pairs:
                    full.join(n + a, n + b)
                if isomorphic(full, ideal):
                    return True
            return False
        used = 0
        for k in range(missing):
            if used and not lists[k]:
                break  # empty ones are alike
            used = not lists[k]
            if len(lists[k]) < degrees[-1]:
                lists[k].append(ends[at])
                if share(at + 1, lists):
                    return True
                lists[k].pop()
        return False

    return share(0, [[] for _ in range(missing)])


# ---------------------------------------------------------------- fabrics


class Fabric:
    def __init__(self, what, graph, hosts):
        self.what, self.graph, self.hosts, self.one_way = what, graph, list(hosts), []

    def dead(self, v):
        """Without one switch."""
        self.graph.cables = collections.Counter({(a - (a > v), b - (b > v)): k for (a, b), k in self.graph.cables.items() if v not in (a, b)})
        self.graph.n -= 1
        del self.hosts[v]
        self.what += " without a switch"

    def damage(self, rng, less, more):
        for _ in range(less):
            cables = sorted(c for c, k in self.graph.cables.items() if k)
            if cables:
                self.graph.cables[rng.choice(cables)] -= 1
        for _ in range(more):
            if self.graph.n > 1:
                self.graph.join(*rng.sample(range(self.graph.n), 2))
        self.what += " less %d more %d" % (less, more) if less or more else ""

    def text(self, rng):
        """The graph in a random order; a switch has its name in every order."""
        name = ["s%d" % v for v in range(self.graph.n)]
        self.number = {s: v for v, s in enumerate(name)}
        nodes = [(v, None) for v in range(self.graph.n)] + [(v, h) for v in range(self.graph.n) for h in range(self.hosts[v])]
        rng.shuffle(nodes)
        channels = []
        for (a, b), count in self.graph.cables.items():
            for i in range(count):
                channels.append((name[a], name[b], name[b], name[a]))
        channels += [(name[a], name[b]) for a, b in self.one_way]
        rng.shuffle(channels)
        lines = []
        for v, h in nodes:
            if h is None:
                lines.append('"%s";' % name[v])
            else:
                lines.append('"H%d_%d" -> "%s" [comment="*"]; "%s" -> "H%d_%d";' % (v, h, name[v], name[v], v, h))
        lines += [" ".join('"%s" -> "%s";' % c[i:i + 2] for i in range(0, len(c), 2)) for c in channels]
        if not any(self.hosts):
            lines.append('H0 -> "s0"; "s0" -> H0;')
        return "digraph claims {\n" + "\n".join(lines) + "\n}\n"


def hosts_at(graph, count):
    return [count] * graph.n


def tree(m, w, parallel=None):
    graph = xgft(m, w, parallel or [1] * len(m))
    leaves = 1
    for i in m[1:]:
        leaves *= i
    return graph, [m[0]] * leaves + [0] * (graph.n - leaves)


def make_family(rng):
    """A whole fabric of any family, and whether it must be recognised."""
    kind = rng.choice(["tree", "tree", "torus", "torus", "mesh", "mix", "hyperx", "hyperx", "slimfly", "dragonfly", "dragonfly", "dragonfly+",
                       "full", "hypercube"])
    k = rng.choice([1, 1, 1, 1, 2])
    if kind == "tree":
        m, w, p = rng.choice([([4, 4, 4], [1, 4, 4]), ([2, 4, 6], [1, 2, 3]), ([3, 3, 3, 3], [1, 3, 3, 2]), ([8, 8], [1, 4]), ([4, 4, 4], [1, 2, 2]),
                              ([2, 2, 2, 2], [1, 2, 2, 2]), ([6, 6, 4], [1, 3, 4]), ([3, 5, 4], [1, 2, 2])]) + (None,)
        if k > 1:
            p = [1] + [rng.choice([1, 2, 3]) for _ in m[1:]]
        graph, hosts = tree(m, w, p)
        return Fabric("tree %s %s %s" % (m, w, p), graph, hosts)
    if kind in ("torus", "mesh", "mix", "hypercube"):
        sizes = rng.choice([[4, 4, 4], [5, 6], [3, 5, 4], [7, 7], [6, 4], [3, 3, 3], [12], [8, 8], [4, 5, 6], [2, 3, 7]])
        sizes = [2] * rng.choice([3, 4, 5, 6]) if kind == "hypercube" else sizes
        rings = [kind == "torus" or (kind == "mix" and rng.random() < .5) for _ in sizes]
        graph = product([(ring if r and n > 2 else path)(n, k) for n, r in zip(sizes, rings)])
        return Fabric("%s %s x%d" % (kind, list(zip(sizes, rings)), k), graph, hosts_at(graph, 1))
    if kind == "hyperx":
        sizes = rng.choice([[4, 4], [5, 6], [4, 4, 4], [3, 5], [2, 7], [4, 3, 2], [8, 8], [6, 4, 3]])
        graph = product([mesh_of(n, k) for n in sizes])
        return Fabric("hyperx %s x%d" % (sizes, k), graph, hosts_at(graph, 2))
    if kind == "slimfly":
        q = rng.choice([4, 5, 5, 7, 7, 8, 9])
        return Fabric("slimfly %d x%d" % (q, k), slimfly(q, k), [1] * (2 * q * q))
    if kind == "dragonfly":
        a, h, groups = rng.choice([(4, 2, 9), (6, 3, 19), (8, 4, 33), (4, 2, 5), (5, 2, 6), (4, 3, 7), (8, 2, 9), (4, 4, 17)])
        inside = product_graph(*mesh_of(a, 1))
        graph = grouped(groups, inside, range(a), h, rng, a * h // (groups - 1))
        return Fabric("dragonfly %d %d %d" % (a, h, groups), graph, hosts_at(graph, 2))
    if kind == "dragonfly+":
        leaves, spines, h, groups = rng.choice([(4, 4, 2, 9), (3, 2, 4, 9), (4, 4, 4, 5), (4, 4, 4, 9), (2, 3, 3, 10)])
        inside = bipartite(leaves, spines)
        graph = grouped(groups, inside, range(leaves, leaves + spines), h, rng, spines * h // (groups - 1))
        return Fabric("dragonfly+ %d %d %d %d" % (leaves, spines, h, groups), graph, ([2] * leaves + [0] * spines) * groups)
    n = rng.choice([2, 4, 6, 9, 12])
    return Fabric("full mesh %d x%d" % (n, k), product([mesh_of(n, k)]), [2] * n)


def make_random(rng):
    """A fabric of no family."""
    n = rng.randrange(3, 50)
    kind = rng.choice(["jellyfish", "jellyfish", "random", "bipartite", "one-way", "chorded"])
    if kind == "jellyfish":
        degree = rng.randrange(2, min(9, n))
        graph = jellyfish(n + n * degree % 2, degree, rng)
    elif kind == "random" or kind == "one-way":
        graph = Graph(n)
        for v in range(1, n):
            graph.join(v, rng.randrange(v))
        for _ in range(rng.randrange(3 * n)):
            graph.join(*rng.sample(range(n), 2))
    elif kind == "bipartite":
        graph = Graph(n)
        half = n // 2
        for v in range(half):
            for u in rng.sample(range(half, n), min(n - half, rng.randrange(1, 6))):
                graph.join(v, u)
    else:
        graph = product([ring(n, 1)]) if n > 2 else Graph(n)
        for _ in range(rng.randrange(4)):
            graph.join(*rng.sample(range(n), 2))
    hosts = hosts_at(graph, 1)
    if kind == "bipartite":
        hosts = [2] * (graph.n // 2) + [0] * (graph.n - graph.n // 2)
    fabric = Fabric("%s of %d" % (kind, graph.n), graph, hosts)
    if kind == "one-way":
        fabric.one_way = [tuple(rng.sample(range(graph.n), 2)) for _ in range(rng.randrange(1, 4))]
    return fabric


def rewire(fabric, rng):
    """Swaps the ends of pairs of cables: all switches keep their numbers of cables."""
    for _ in range(rng.choice([1, 2, 10])):
        cables = sorted(c for c, k in fabric.graph.cables.items() if k)
        if len(cables) < 2:
            return
        (a, b), (c, d) = rng.sample(cables, 2)
        if len({a, b, c, d}) == 4:
            fabric.graph.cables[a, b] -= 1
            fabric.graph.cables[c, d] -= 1
            fabric.graph.join(a, d)
            fabric.graph.join(c, b)
    fabric.what += " rewired"


def make(rng):
    """A fabric, and what must come of it: "whole" no deviation, "known" that it is recognised, or None."""
    choice = rng.randrange(10)
    if choice >= 7:
        return make_random(rng), None
    fabric = make_family(rng)
    if choice == 0:
        return fabric, "whole"
    if choice == 1:
        rewire(fabric, rng)
    elif choice == 2 and fabric.graph.n > 8:
        fabric.dead(rng.randrange(fabric.graph.n))
    elif choice == 3:
        fabric.damage(rng, 0, rng.choice([1, 2, 5]))
    else:
        cables = sum(fabric.graph.cables.values())
        fabric.damage(rng, rng.choice([1, 1, 2, max(1, cables // 100), cables // 20]), rng.choice([0, 0, 1]))
        if choice == 4 and fabric.graph.n > 8:
            fabric.dead(rng.randrange(fabric.graph.n))
    return fabric, None


# ---------------------------------------------------------------- the tests


def run(program, text, form):
    with tempfile.NamedTemporaryFile("w", suffix=".dot") as file:
        file.write(text)
        file.flush()
        return subprocess.run([program, "--quiet", "--require", "none", "--format", form, file.name], capture_output=True, text=True)


def verdict(shape):
    """What must not depend on the order of the file."""
    return tuple(shape[k] for k in ("kind", "name", "planes", "deviations", "missing_switches")) + (len(shape["missing"]), len(shape["extra"]))


class Tests:
    def __init__(self, program):
        self.program, self.passed, self.failed, self.hard = program, 0, 0, 0
        self.seen = collections.Counter()

    def expect(self, fine, what, seed, shape):
        self.passed += fine
        self.failed += not fine
        if not fine:
            print("FAILED: seed %s: %s: %s" % (seed, what, shape), flush=True)

    def one(self, seed):
        rng = random.Random(seed)
        fabric, must = make(rng)
        shapes = []
        for _ in range(2):
            done = run(self.program, fabric.text(rng), "json")
            if done.returncode:
                self.expect(False, fabric.what + ": status %d" % done.returncode, seed, done.stderr)
                return
            shapes.append(json.loads(done.stdout)["shape"])
        self.expect(verdict(shapes[0]) == verdict(shapes[1]), fabric.what + ": another verdict in another order", seed, [verdict(s) for s in shapes])
        if must:
            self.expect(shapes[0]["kind"] != "irregular" and not shapes[0]["deviations"], fabric.what + ": not recognised", seed, verdict(shapes[0]))
        self.seen[shapes[0]["kind"] + (" damaged" if shapes[0]["deviations"] else "")] += 1
        try:
            self.expect(shapes[0]["planes"] > 1 or verify(fabric, shapes[0]), fabric.what + ": a false claim", seed, verdict(shapes[0]))
        except TooHard:
            self.hard += 1


def main():
    tests = Tests(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 150
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for seed in range(first, first + count):
        tests.one(seed)
    if os.environ.get("CLAIMS_VERBOSE"):
        print(dict(tests.seen), "not verified:", tests.hard)
    if 20 * tests.hard > count:
        tests.expect(False, "%d claims could not be verified" % tests.hard, "-", "")
    print("%d passed, %d failed" % (tests.passed, tests.failed))
    return tests.failed > 0


if __name__ == "__main__":
    sys.exit(main())
