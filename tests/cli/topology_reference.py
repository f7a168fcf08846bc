#!/usr/bin/env python3
"""Writes small regular topologies as orcs-topology must, with forwarding sets where it has them: topology_reference.py SPEC

Written from the definitions, node by node and by search, not by closed formulae: a fat tree is tuples of digits that are joined where they
differ in one, a route on a grid follows coordinates, a dragonfly looks through lists of cables. Slow.
"""

import collections
import itertools
import math
import sys


class Graph:
    """Nodes in their order, cables by node and port; forward(node, destination) is the port."""

    def __init__(self, hosts, switches, name, forward):
        self.hosts, self.switches, self.name, self.forward = hosts, switches, name, forward
        self.ports = {node: [] for node in hosts + switches}

    def join(self, a, b):
        self.ports[a].append(b)
        self.ports[b].append(a)

    def write(self, spec):
        print('digraph "%s" {' % spec)
        print('graph [topology="%s"];' % spec)
        for kind, nodes in (("host", self.hosts), ("switch", self.switches)):
            print('node [type="%s"];' % kind)
            for node in nodes:
                print('"%s";' % self.name[node])
        for node in self.hosts + self.switches:
            sets = [[] for _ in self.ports[node]]
            if not self.forward:
                pass
            elif len(sets) == 1 and node in self.hosts and self.switches:
                sets = [["*"]]
            else:
                for destination in self.hosts:
                    if destination != node:
                        sets[self.forward(node, destination)].append(self.name[destination])
            for peer, comment in zip(self.ports[node], sets):
                text = ' [comment="%s"]' % ",".join(comment) if comment else ""
                print('"%s" -> "%s"%s;' % (self.name[node], self.name[peer], text))
        print("}")


def tree(m, w, p=None):
    """A node of level l is (l, the digits x_h .. x_(l+1) and y_l .. y_1, in a tuple by position 1 .. h)."""
    h = len(m)
    p = p or [1] * h
    levels = []
    for l in range(h + 1):
        # x digits vary slowest from the top, then y digits from level l down: as the numbers in a level go
        ranges = [range(m[i - 1]) for i in range(h, l, -1)] + [range(w[i - 1]) for i in range(l, 0, -1)]
        levels.append([(l, tuple(reversed(digits))) for digits in itertools.product(*ranges)])
    hosts, switches = levels[0], [node for level in levels[1:] for node in level]
    name = {}
    for l, level in enumerate(levels):
        for number, node in enumerate(level):
            name[node] = "S%d_%d" % (l, number) if l else "H%d" % number
    number = {node: i for i, node in enumerate(hosts)}

    def with_digit(node, level, position, digit):
        digits = list(node[1])
        digits[position - 1] = digit
        return (level, tuple(digits))

    def forward(node, destination):
        l = node[0]
        d = number[destination]
        if node[1][l:] == destination[1][l:]:  # an ancestor: down to the child with the destination's digit
            return destination[1][l - 1] * p[l - 1] + d // math.prod(w[:l]) % p[l - 1]
        return (m[l - 1] * p[l - 1] if l else 0) + d // math.prod(w[:l]) % w[l] * p[l] + d // math.prod(w[:l + 1]) % p[l]

    graph = Graph(hosts, switches, name, forward)
    for node in hosts + switches:
        l = node[0]
        if l:
            graph.ports[node] += [with_digit(node, l - 1, l, x) for x in range(m[l - 1]) for _ in range(p[l - 1])]
        if l < h:
            graph.ports[node] += [with_digit(node, l + 1, l + 1, y) for y in range(w[l]) for _ in range(p[l])]
    return graph


def direct(nodes, label, per_switch, forward):
    """A graph of switches with hosts, per_switch of them, or of hosts alone where it is 0; forward(node, destination node) is the port."""
    name = {}
    if per_switch == 0:
        for node in nodes:
            name[node] = "H" + label(node)
        return Graph(nodes, [], name, forward)
    hosts = [(node, i) for node in nodes for i in range(per_switch)]
    for node in nodes:
        name[node] = "S" + label(node)
    for node, i in hosts:
        name[node, i] = "H" + label(node) + ("_%d" % i if per_switch > 1 else "")

    def forward_host(node, destination):
        return destination[1] if node == destination[0] else per_switch + forward(node, destination[0])

    graph = Graph(hosts, nodes, name, forward and forward_host)
    for host in hosts:
        graph.join(host, host[0])
    return graph


def coordinates(widths):
    return [tuple(reversed(c)) for c in itertools.product(*(range(width) for width in reversed(widths)))]


def digits(c):
    return "_".join(map(str, c))


def grid(widths, wrap, per_switch, one_way=False):
    order = coordinates(widths)

    def neighbour(c, i, step):
        place = c[i] + step
        if one_way and step < 0:
            return None
        if wrap[i] and widths[i] > (1 if one_way else 2):
            place %= widths[i]
        return c[:i] + (place,) + c[i + 1:] if 0 <= place < widths[i] else None

    def steps(c, i, target, step):
        """How many steps in one direction, None where there is no way."""
        count = 0
        while c[i] != target:
            c = neighbour(c, i, step)
            count += 1
            if c is None:
                return None
        return count

    def forward(c, target):
        i = next(i for i in range(len(widths)) if c[i] != target[i])
        up, down = steps(c, i, target[i], 1), steps(c, i, target[i], -1)
        if up == down:
            step = 1 if c[i] % 2 == 0 else -1
        else:
            step = 1 if down is None or (up is not None and up < down) else -1
        return links[c].index((i, step))

    links = {c: [(i, step) for i in range(len(widths)) for step in (-1, 1) if neighbour(c, i, step)] for c in order}
    graph = direct(order, digits, per_switch, forward)
    for c in order:
        graph.ports[c] += [neighbour(c, i, step) for i, step in links[c]]
    return graph


def twisted(widths, degree, jump, wrap, per_switch):
    order = coordinates(widths)
    graph = direct(order, digits, per_switch, None)
    for i, width in enumerate(widths):
        round_it = []
        for c in order:
            if c[i] + 1 < width:
                graph.join(c, c[:i] + (c[i] + 1,) + c[i + 1:])
            elif wrap[i] and width > 1:
                to = list(c)
                to[i] = 0
                other = (i + degree) % len(widths)
                to[other] = (to[other] + jump[i]) % widths[other]
                round_it.append((c, tuple(to)))
        if width == 2 and all(a[:i] == b[:i] and a[i + 1:] == b[i + 1:] for a, b in round_it):
            continue
        for a, b in round_it:
            graph.join(a, b)
    return graph


def hyperx(widths, per_switch, label=digits):
    order = coordinates(widths)

    def forward(c, target):
        i = next(i for i in range(len(widths)) if c[i] != target[i])
        return peers[c].index(c[:i] + (target[i],) + c[i + 1:])

    graph = direct(order, label, per_switch, forward)
    peers = {c: [c[:i] + (x,) + c[i + 1:] for i, width in enumerate(widths) for x in range(width) if x != c[i]] for c in order}
    for c in order:
        graph.ports[c] += peers[c]
    return graph


def leafspine(leaves, spines, hosts, rails):
    count = leaves // rails * hosts
    name = {("H", i): "H%d_%d" % divmod(i, hosts) for i in range(count)}
    name.update({("L", i): "S1_%d" % i for i in range(leaves)})
    name.update({("T", i): "S2_%d" % i for i in range(spines)})
    graph = Graph([n for n in name if n[0] == "H"], [n for n in name if n[0] != "H"], name, None)
    for i in range(count):
        for rail in range(rails):
            graph.join(("H", i), ("L", i // hosts * rails + rail))
    for leaf, spine in itertools.product(range(leaves), range(spines)):
        graph.join(("L", leaf), ("T", spine))
    return graph


def words(d, n, kautz, one_way, per_switch):
    order = [word for word in itertools.product(range(d + kautz), repeat=n) if not kautz or all(a != b for a, b in zip(word, word[1:]))]
    graph = direct(order, digits, per_switch, None)
    known, pairs = set(order), set()
    for word in order:
        for letter in range(d + kautz):
            to = word[1:] + (letter,)
            if to == word or to not in known:
                continue
            if one_way:
                graph.ports[word].append(to)
            elif frozenset((word, to)) not in pairs:
                graph.join(word, to)
                pairs.add(frozenset((word, to)))
    return graph


class Field:
    """Elements are numbers whose digits to base p are coefficients of polynomials, multiplied the long way."""

    def __init__(self, q):
        self.q, self.p = q, next(p for p in range(2, q + 1) if q % p == 0)
        self.m = round(math.log(q, self.p))
        assert self.p ** self.m == q
        x = self.p if self.m > 1 else None
        for self.reduced in range(1, q):
            generator = x or self.reduced
            powers = [1]
            while len(powers) < q - 1:
                powers.append(self.times(powers[-1], generator))
            if len(set(powers)) == q - 1 and self.times(powers[-1], generator) == 1:
                self.powers = powers
                return

    def coefficients(self, a):
        return [a // self.p ** i % self.p for i in range(self.m)]

    def number(self, c):
        return sum(c[i] % self.p * self.p ** i for i in range(self.m))

    def add(self, a, b, sign=1):
        return self.number([x + sign * y for x, y in zip(self.coefficients(a), self.coefficients(b))])

    def times(self, a, b):
        if self.m == 1:
            return a * b % self.p
        product = [0] * (2 * self.m - 1)
        for (i, x), (j, y) in itertools.product(enumerate(self.coefficients(a)), enumerate(self.coefficients(b))):
            product[i + j] += x * y
        reduced = self.coefficients(self.reduced)
        for high in range(2 * self.m - 2, self.m - 1, -1):  # x^high = x^(high-m) times x^m
            for i, x in enumerate(reduced):
                product[high - self.m + i] += product[high] * x
        return self.number(product)


def join_all(graph, nodes, joined):
    for (i, a), (j, b) in itertools.combinations(enumerate(nodes), 2):
        if joined(a, b):
            graph.join(a, b)
    return graph


def slimfly(q, per_switch):
    field = Field(q)
    g = field.powers
    if q % 4 == 1:
        sets = {g[i] for i in range(0, q - 1, 2)}, {g[i] for i in range(1, q - 1, 2)}
    elif q % 4 == 0:
        sets = {g[i] for i in range(0, q - 1, 2)}, {g[i % (q - 1)] for i in range(1, q, 2)}
    else:
        w = (q + 1) // 4
        first = list(range(0, 2 * w - 1, 2)) + list(range(2 * w - 1, 4 * w - 2, 2))
        sets = {g[i] for i in first}, {g[(i + 1) % (q - 1)] for i in first}

    def joined(a, b):
        if a[0] == b[0]:
            return a[1] == b[1] and field.add(a[2], b[2], -1) in sets[a[0]]
        return a[2] == field.add(field.times(b[1], a[1]), b[2])

    nodes = list(itertools.product(range(2), range(q), range(q)))
    return join_all(direct(nodes, digits, per_switch, None), nodes, joined)


def polarfly(q, per_switch):
    field = Field(q)
    nodes = [(1, a, b) for a in range(q) for b in range(q)] + [(0, 1, a) for a in range(q)] + [(0, 0, 1)]

    def joined(a, b):
        return field.add(field.add(field.times(a[0], b[0]), field.times(a[1], b[1])), field.times(a[2], b[2])) == 0

    return join_all(direct(nodes, digits, per_switch, None), nodes, joined)


def bcube(n, k):
    hosts = coordinates([n] * k)
    rest = coordinates([n] * (k - 1))
    switches = [(level, r) for level in range(k) for r in rest]
    name = {host: "H" + digits(host) for host in hosts}
    name.update({s: "S%d_%d" % (s[0], rest.index(s[1])) for s in switches})
    def forward(node, destination):
        if node in name and name[node][0] == "S":
            return destination[node[0]]
        return next(level for level in range(k) if node[level] != destination[level])

    graph = Graph(hosts, switches, name, forward)
    for level in range(k):
        for host in hosts:
            graph.join(host, (level, host[:level] + host[level + 1:]))
    return graph


def dpillar(n, k):
    labels, rest = coordinates([n // 2] * k), coordinates([n // 2] * (k - 1))
    hosts = [("H", c, label) for c in range(k) for label in labels]
    switches = [("S", c, label) for c in range(k) for label in rest]
    name = {h: "H%d_%s" % (h[1], digits(h[2])) for h in hosts}
    name.update({s: "S%d_%d" % (s[1], rest.index(s[2])) for s in switches})
    graph = Graph(hosts, switches, name, None)
    for ahead in range(2):
        for c in range(k):
            for label in labels:
                graph.join(("H", (c + ahead) % k, label), ("S", c, label[:c] + label[c + 1:]))
    return graph


def cells(n, k, ficonn):
    """By recursion, with the cables of each level in lists: a host of a copy is the copy's first host and its number there."""
    cables = collections.defaultdict(list)

    def build(level, first):
        if level == 0:
            return n
        size = build(level - 1, first)
        copies = (size // 2 ** level if ficonn else size) + 1
        for i in range(1, copies):
            build(level - 1, first + i * size)
        for i in range(copies):
            free = [u for u in range(size) if u % 2 ** level == 2 ** (level - 1) - 1] if ficonn else list(range(size))
            for j in range(i + 1, copies):
                cables[level].append((first + i * size + free[j - 1], first + j * size + free[i]))
        return size * copies

    count = build(k, 0)
    name = {i: "H%d_%d" % divmod(i, n) for i in range(count)}
    name.update({("S", i): "S%d" % i for i in range(count // n)})
    graph = Graph(list(range(count)), [("S", i) for i in range(count // n)], name, None)
    for i in range(count):
        graph.join(i, ("S", i // n))
    for level in range(1, k + 1):
        for a, b in cables[level]:
            graph.join(a, b)
    return graph


def hcn(a, b, h, gamma=None):
    """A module is (HCN, its digits from the highest to the lowest), a host (module, number); every master looks for its peer."""
    slaves = 0 if gamma is None else a ** gamma * b
    modules = [(copy, c) for copy in range(slaves + 1) for c in itertools.product(range(a), repeat=h)]
    hosts = [(module, i) for module in modules for i in range(a + b)]
    number = {module: i % a ** h for i, module in enumerate(modules)}
    label = {m: "%d_%d" % (m[0], number[m]) if slaves else str(number[m]) for m in modules}
    name = {m: "S" + label[m] for m in modules}
    name.update({(m, i): "H%s_%d" % (label[m], i) for m, i in hosts})
    graph = Graph(hosts, modules, name, None)
    for host in hosts:
        graph.join(host, host[0])
    for (copy, c), i in hosts:
        if i < a:
            like = 0
            while like < h and c[h - 1 - like] == i:
                like += 1
            if like < h:
                x = c[h - 1 - like]
                graph.ports[(copy, c), i].append(((copy, c[:h - 1 - like] + (i,) + (x,) * like), x))
        elif slaves:
            part, place = divmod(number[copy, c], a ** gamma)
            slave = place * b + i - a
            other = (copy + slave + 1) % (slaves + 1)
            place, i = divmod(slaves - 1 - slave, b)
            peer = next(m for m in modules if m[0] == other and number[m] == part * a ** gamma + place)
            graph.ports[(copy, c), a + slave % b].append((peer, a + i))
    return graph


def cubes(k, n, swcube):
    nodes = coordinates([n] * k)
    edges = [(i, c[:i] + (x,) + c[i + 1:], c) for c in nodes for i in range(k) for x in range(n) if x != c[i]]
    hosts = [(c, to) for i, to, c in edges if not swcube or nodes.index(to) > nodes.index(c)]
    name = {c: "S%d" % i for i, c in enumerate(nodes)}
    name.update({(c, to): "H%d_%d" % (nodes.index(c), nodes.index(to)) for c, to in hosts})
    graph = Graph(hosts, nodes, name, None)
    for c, to in hosts:
        graph.join((c, to), c)
        if swcube:
            graph.join((c, to), to)
        else:
            graph.ports[c, to].append((to, c))
    return graph


def from_file(path):
    graph, cables, order = None, [], []
    for line in open(path):
        fields = line.split("#")[0].split()
        order += [f for f in fields[:2] if f not in order]
        if len(fields) > 1:
            cables += [fields[:2]] * int(fields[2] if len(fields) > 2 else 1)
    hosts, switches = [n for n in order if n[0] == "H"], [n for n in order if n[0] != "H"]
    graph = Graph(hosts, switches, {n: n for n in order}, None)
    for a, b in cables:
        graph.join(a, b)
    return graph


def dragonfly(p, a, h, g, arrangement):
    g = g or a * h + 1
    switches = [(group, member) for group in range(g) for member in range(a)]
    hosts = [switch + (i,) for switch in switches for i in range(p)]
    name = {node: ("S%d_%d" if len(node) == 2 else "H%d_%d_%d") % node for node in switches + hosts}
    number = {host: i for i, host in enumerate(hosts)}

    def leads_to(group, o):
        if arrangement == "absolute":
            return o if o < group else o + 1
        if arrangement == "relative":
            return (group + o + 1) % g
        return (group + o // 2 + 1 if o % 2 == 0 else group - (o + 1) // 2) % g

    peers = {}  # group port (group, o) -> group port
    rounds = a * h // (g - 1) if g > 1 else 0
    for turn in range(rounds):
        for group, o in itertools.product(range(g), range(g - 1)):
            other = leads_to(group, o)
            back = [b for b in range(g - 1) if leads_to(other, b) == group]
            assert len(back) == 1
            peers[group, turn * (g - 1) + o] = (other, turn * (g - 1) + back[0])
    cables = {switch: [(switch[0], o) for o in range(switch[1] * h, switch[1] * h + h) if (switch[0], o) in peers] for switch in switches}

    def local(switch, member):
        return p + [other for other in range(a) if other != switch[1]].index(member)

    def forward(switch, destination):
        target, d = destination[:2], number[destination]
        if switch == target:
            return destination[2]
        if switch[0] == target[0]:
            return local(switch, target[1])
        own = [i for i, port in enumerate(cables[switch]) if peers[port][0] == target[0]]
        if own:
            return p + a - 1 + own[d % len(own)]
        leaving = [o for o in range(a * h) if peers.get((switch[0], o), (None,))[0] == target[0]]
        return local(switch, leaving[d % len(leaving)] // h)

    graph = Graph(hosts, switches, name, forward)
    for host in hosts:
        graph.ports[host] = [host[:2]]
    for switch in switches:
        graph.ports[switch] = [switch + (i,) for i in range(p)]
        graph.ports[switch] += [(switch[0], member) for member in range(a) if member != switch[1]]
        graph.ports[switch] += [(peers[port][0], peers[port][1] // h) for port in cables[switch]]
    return graph


def dragonfly_file(p, a, path):
    """Groups of a switches with p hosts each; cables between groups as in the file."""
    cables = [[int(x) for x in line.split("#")[0].split()] for line in open(path)]
    cables = [((c[0], c[1]), (c[2], c[3])) for c in cables if c for _ in range(c[4] if len(c) > 4 else 1)]
    groups = 1 + max(end[0] for c in cables for end in c)
    switches = [(g, m) for g in range(groups) for m in range(a)]
    hosts = [s + (i,) for s in switches for i in range(p)]
    name = {node: ("H" if len(node) == 3 else "S") + "_".join(map(str, node)) for node in hosts + switches}
    ways = {}  # (group, other group) -> (member, its port), in order

    def forward(node, d):
        if len(node) == 3:
            return 0
        group, member = node
        if node == d[:2]:
            return d[2]
        other = d[1]
        if group != d[0]:
            several = sorted(ways[group, d[0]])
            own = [w for w in several if w[0] == member]
            member_of, port = (own or several)[hosts.index(d) % len(own or several)]
            if own:
                return port
            other = member_of
        return p + (other if other < member else other - 1)

    graph = Graph(hosts, switches, name, forward)
    for switch in switches:
        graph.ports[switch] = [switch + (i,) for i in range(p)] + [(switch[0], m) for m in range(a) if m != switch[1]]
    for host in hosts:
        graph.ports[host] = [host[:2]]
    for x, y in cables:
        for here, there in ((x, y), (y, x)):
            ways.setdefault((here[0], there[0]), []).append((here[1], len(graph.ports[here])))
            graph.ports[here].append(there)
    return graph


def parallel(graph, count):
    """Cables between switches, or all where there are none, so many times."""
    switches = set(graph.switches)
    between = any(a in switches and b in switches for a in graph.ports for b in graph.ports[a])
    for node in graph.ports:
        times = [1 if between and (node not in switches or peer not in switches) else count for peer in graph.ports[node]]
        graph.ports[node] = [peer for peer, n in zip(graph.ports[node], times) for _ in range(n)]
    graph.forward = None
    return graph


def nested(outer, inner, owners):
    """A copy of inner for each host of outer; a node of a copy is (host of outer, node of inner). owners: its nodes with ports of outer."""
    hosts = [(copy, node) for copy in outer.hosts for node in inner.hosts]
    switches = [(copy, node) for copy in outer.hosts for node in inner.switches] + outer.switches
    name = {(copy, node): inner.name[node][0] + outer.name[copy][1:] + "_" + inner.name[node][1:]
            for copy in outer.hosts for node in inner.hosts + inner.switches}
    name.update({node: outer.name[node][0] + outer.name[node] for node in outer.switches})
    graph = Graph(hosts, switches, name, None)
    for copy, node in hosts + switches[:len(outer.hosts) * len(inner.switches)]:
        graph.ports[copy, node] += [(copy, peer) for peer in inner.ports[node]]

    def owner(node, port):
        return (node, owners[port * len(owners) // len(outer.ports[node])]) if node in outer.hosts else node

    for node in outer.hosts + outer.switches:
        for port, peer in enumerate(outer.ports[node]):
            # no outer of the tests has several cables between two nodes
            back = outer.ports[peer].index(node)
            graph.ports[owner(node, port)].append(owner(peer, back))
    return graph


def stellar(base):
    """The base's switches (hosts, if it has none), each with a host of its own for every cable, joined to the host of the cable's other end."""
    nodes = base.switches or base.hosts
    number = {node: i for i, node in enumerate(nodes)}
    ends = {v: [(v, w) for w in base.ports[v] if w in number] for v in nodes}
    pairs, hosts, name = {}, [], {v: "S%d" % i for v, i in number.items()}
    for v in nodes:
        for i, end in enumerate(ends[v]):
            hosts.append((v, "cable", i))
            name[hosts[-1]] = "H%d_%d" % (number[v], i)
            pairs.setdefault(end, []).append(hosts[-1])  # the n-th cable from v to w is the n-th from w to v
    graph = Graph(hosts, nodes, name, None)
    for host in hosts:
        graph.join(host, host[0])
    for (v, w), several in pairs.items():
        for host, peer in zip(several, pairs[w, v]):
            graph.ports[host].append(peer)
    return graph


def numbers(text, count):
    parts = [int(part) for part in text.split(":")]
    return parts * count if len(parts) == 1 else parts


def build(spec, is_outer=False):
    """Split at the slash that a letter follows: specifications of trees have slashes before digits."""
    if spec.startswith("stellar:"):
        return stellar(build(spec[len("stellar:"):]))
    for i, letter in enumerate(spec):
        if letter == "/" and spec[i + 1].isalpha() and not spec.startswith(("graph:", "dragonfly_file:")):
            inner = build(spec[i + 1:])
            owners = inner.switches or inner.hosts
            if spec[i + 1:].split(":")[0] in ("star", "tree", "fattree", "xgft"):
                top = max(node[0] for node in owners)
                owners = [node for node in owners if node[0] == top]
            return nested(build(spec[:i], True), inner, owners)
    pieces = spec.split(",")
    for piece in pieces:
        if piece.startswith("parallel="):
            pieces.remove(piece)
            return parallel(build(",".join(pieces), is_outer), int(piece.split("=")[1]))
    return build_kind(spec, is_outer)


def build_kind(spec, is_outer):
    kind, _, text = spec.partition(":")
    pieces = text.split(",")
    values = dict(piece.split("=") for piece in pieces if "=" in piece)
    first = pieces[0].split("=")[-1]
    one_way = "oneway" in pieces
    per_switch = 0 if is_outer or values.get("hosts") == "direct" else int(values.get("hosts", 1))
    if kind == "dragonfly_file":
        return dragonfly_file(int(pieces[0]), int(pieces[1]), pieces[2])
    if kind == "graph":
        return from_file(text)
    if kind == "star":
        return tree([int(first)], [1])
    if kind == "tree":
        return tree([int(values["degree"])] * int(values["height"]), [1] * int(values["height"]))
    if kind == "fattree":
        k, n = int(values["k"]), int(values["n"])
        return tree([k] * n, [1] + [k] * (n - 1))
    if kind == "mport":
        half, n = int(values["m"]) // 2, int(values["n"])
        return tree([half] * (n - 1) + [2 * half], [1] + [half] * (n - 1))
    if kind == "thintree":
        n = int(values["n"])
        return tree([int(values["down"])] * n, [1] + [int(values["up"])] * (n - 1))
    if kind == "gtree":
        levels = [[int(number) for number in level.split(":")] for level in text.split("/")]
        return tree([level[0] for level in levels], [1] + [level[1] for level in levels[:-1]])
    if kind in ("xgft", "pgft"):
        levels = list(zip(*([int(number) for number in level.split(":")] for level in text.split("/"))))
        return tree(*levels)
    if kind == "ring":
        return grid([int(first)], [True], per_switch, one_way)
    if kind in ("mesh", "torus"):
        widths = [int(width) for width in first.split("x")]
        return grid(widths, [bool(bit) and kind == "torus" for bit in numbers(values.get("wrap", "1"), len(widths))], per_switch)
    if kind == "twisted":
        widths = [int(width) for width in first.split("x")]
        jump, wrap = numbers(values.get("jump", "1"), len(widths)), numbers(values.get("wrap", "1"), len(widths))
        return twisted(widths, int(values.get("degree", 1)), jump, wrap, per_switch)
    if kind in ("hyperx", "fullmesh"):
        return hyperx([int(width) for width in first.split("x")], per_switch)
    if kind == "hypercube":
        n = int(first)
        return hyperx([2] * n, per_switch, digits if n <= 8 else lambda c: str(sum(bit << i for i, bit in enumerate(c))))
    if kind == "leafspine":
        return leafspine(*(int(values.get(key, 1)) for key in ("leaves", "spines", "hosts", "rails")))
    if kind in ("kautz", "debruijn"):
        return words(int(values["d"]), int(values["n"]), kind == "kautz", one_way, per_switch)
    if kind == "slimfly":
        return slimfly(int(first), per_switch)
    if kind == "polarfly":
        return polarfly(int(first), per_switch)
    if kind in ("hcn", "bcn"):
        return hcn(*(int(values.get(key, 0)) for key in ("a", "b", "h")), **({"gamma": int(values["gamma"])} if kind == "bcn" else {}))
    if kind in ("gqstar", "swcube"):
        return cubes(int(values["k"]), int(values["n"]), kind == "swcube")
    if kind in ("bcube", "dpillar"):
        return {"bcube": bcube, "dpillar": dpillar}[kind](int(values["n"]), int(values["k"]))
    if kind in ("dcell", "ficonn"):
        return cells(int(values["n"]), int(values["k"]), kind == "ficonn")
    return dragonfly(*(int(values.get(key, 0)) for key in "pahg"), values.get("arrangement", "absolute"))


if __name__ == "__main__":
    build(sys.argv[1]).write(sys.argv[1])
