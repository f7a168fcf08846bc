#!/usr/bin/env python3
"""Writes small regular topologies with their forwarding sets, as orcs-topology --tables must: topology_reference.py SPEC

Written from the definitions, node by node and by search, not by closed formulae: a fat tree is tuples of digits that are joined where they
differ in one, a route on a grid follows coordinates, a dragonfly looks through lists of cables. Slow.
"""

import itertools
import math
import sys


class Graph:
    """Nodes in their order, cables by node and port; forward(node, destination) is the port."""

    def __init__(self, hosts, switches, name, forward):
        self.hosts, self.switches, self.name, self.forward = hosts, switches, name, forward
        self.ports = {node: [] for node in hosts + switches}

    def write(self, spec):
        print('digraph "%s" {' % spec)
        for kind, nodes in (("host", self.hosts), ("switch", self.switches)):
            print('node [type="%s"];' % kind)
            for node in nodes:
                print('"%s";' % self.name[node])
        for node in self.hosts + self.switches:
            sets = [[] for _ in self.ports[node]]
            if len(sets) == 1 and node in self.hosts:
                sets = [["*"]]
            else:
                for destination in self.hosts:
                    if destination != node:
                        sets[self.forward(node, destination)].append(self.name[destination])
            for peer, comment in zip(self.ports[node], sets):
                text = ' [comment="%s"]' % ",".join(comment) if comment else ""
                print('"%s" -> "%s"%s;' % (self.name[node], self.name[peer], text))
        print("}")


def tree(m, w):
    """A node of level l is (l, the digits x_h .. x_(l+1) and y_l .. y_1, in a tuple by position 1 .. h)."""
    h = len(m)
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
        if node[1][l:] == destination[1][l:]:  # an ancestor: down to the child with the destination's digit
            return destination[1][l - 1]
        d = number[destination]
        return (m[l - 1] if l else 0) + d // math.prod(w[:l]) % w[l]

    graph = Graph(hosts, switches, name, forward)
    for node in hosts + switches:
        l = node[0]
        if l:
            graph.ports[node] += [with_digit(node, l - 1, l, x) for x in range(m[l - 1])]
        if l < h:
            graph.ports[node] += [with_digit(node, l + 1, l + 1, y) for y in range(w[l])]
    return graph


def grid(widths, wrap, per_switch):
    order = [tuple(reversed(c)) for c in itertools.product(*(range(width) for width in reversed(widths)))]
    hosts = [c + ("host", i) for c in order for i in range(per_switch)]
    name = {c: "S" + "_".join(map(str, c)) for c in order}
    for host in hosts:
        name[host] = "H" + "_".join(map(str, host[:-2])) + ("_%d" % host[-1] if per_switch > 1 else "")

    def neighbour(c, i, step):
        place = c[i] + step
        if wrap[i] and widths[i] > 2:
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

    def forward(c, destination):
        target = destination[:-2]
        if c == target:
            return destination[-1]
        i = next(i for i in range(len(widths)) if c[i] != target[i])
        up, down = steps(c, i, target[i], 1), steps(c, i, target[i], -1)
        step = 1 if down is None or (up is not None and up <= down) else -1
        return links[c].index((i, step)) + per_switch

    links = {c: [(i, step) for i in range(len(widths)) for step in (-1, 1) if neighbour(c, i, step)] for c in order}
    graph = Graph(hosts, order, name, forward)
    for host in hosts:
        graph.ports[host] = [host[:-2]]
    for c in order:
        graph.ports[c] = [c + ("host", i) for i in range(per_switch)] + [neighbour(c, i, step) for i, step in links[c]]
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


def build(spec):
    kind, _, text = spec.partition(":")
    pieces = text.split(",")
    values = dict(piece.split("=") for piece in pieces if "=" in piece)
    if kind == "fattree":
        k, n = int(values["k"]), int(values["n"])
        return tree([k] * n, [1] + [k] * (n - 1))
    if kind == "thintree":
        n = int(values["n"])
        return tree([int(values["down"])] * n, [1] + [int(values["up"])] * (n - 1))
    if kind == "xgft":
        pairs = [tuple(map(int, level.split(":"))) for level in text.split("/")]
        return tree([m for m, _ in pairs], [w for _, w in pairs])
    if kind in ("mesh", "torus"):
        widths = [int(width) for width in pieces[0].split("x")]
        wrap = [kind == "torus"] * len(widths)
        if "wrap" in values:
            wrap = [bit == "1" for bit in values["wrap"].split(":")]
        return grid(widths, wrap, int(values.get("hosts", 1)))
    return dragonfly(*(int(values.get(key, 0)) for key in "pahg"), values.get("arrangement", "absolute"))


if __name__ == "__main__":
    build(sys.argv[1]).write(sys.argv[1])
