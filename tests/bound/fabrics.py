"""Fabrics for the tests, as dot text: fabrics.py KIND ARGUMENTS...

  random SEED           a few hosts and switches, random cables, speeds and tables; with every fourth seed the tables have gaps
  tree K N              the k-ary n-tree, D-mod-K
  torus A B             a two-dimensional torus, dimension order, one host on each switch; on a half ring always the positive way
"""
import random
import sys


class Fabric:
    def __init__(self):
        self.nodes = []
        self.channels = []  # [tail, head, destinations, speed]

    def channel(self, tail, head, speed=None):
        self.channels.append([tail, head, [], speed])
        return len(self.channels) - 1

    def write(self):
        print("digraph fabric {")
        for node in self.nodes:
            print(f"\t{node};")
        for tail, head, destinations, speed in self.channels:
            extra = f', speed="{speed}"' if speed else ""
            print(f'\t{tail} -> {head} [comment="{",".join(destinations)}"{extra}];')
        print("}")


def make_random(seed):
    """Any tables without loops: for each destination a random in-tree, not always of shortest paths."""
    rng = random.Random(seed)
    hosts = rng.randint(2, 7) if seed % 10 else 8
    switches = rng.randint(1, 5)
    speeds = rng.random() < 0.3
    forwarders = rng.random() < 0.3  # hosts that others' routes pass
    one_way = rng.random() < 0.5  # packets come back by other cables than they left by
    fabric = Fabric()
    names = [f"H{i}" for i in range(hosts)]
    fabric.nodes = names + [f"S{i}" for i in range(switches)]

    def cable(a, b):
        speed = rng.choice([1, 2, 2.5]) if speeds else None
        fabric.channel(a, b, speed)
        fabric.channel(b, a, speed)

    for i in range(switches):
        if one_way and switches > 1:
            if forwarders and i < hosts:
                continue  # the only way on leads through host i
            fabric.channel(f"S{i}", f"S{(i + 1) % switches}", 1 if speeds else None)
        elif i:
            cable(f"S{i}", f"S{rng.randrange(i)}")
    for _ in range(rng.randint(0, 1 if one_way else 5)):
        a, b = rng.randrange(switches), rng.randrange(switches)
        if a != b:
            cable(f"S{a}", f"S{b}")
    for i, name in enumerate(names):
        if one_way and forwarders and switches > 1 and i < switches:
            fabric.channel(name, f"S{(i + 1) % switches}", 1 if speeds else None)
            fabric.channel(f"S{i}", name, 1 if speeds else None)
            continue
        if one_way:
            fabric.channel(name, f"S{rng.randrange(switches)}", 1 if speeds else None)
            fabric.channel(f"S{rng.randrange(switches)}", name, 1 if speeds else None)
            continue
        cable(name, f"S{rng.randrange(switches)}")
        if rng.random() < 0.15:
            cable(name, f"S{rng.randrange(switches)}")
        if forwarders and i and rng.random() < 0.5:
            cable(name, names[i - 1])
    for destination in names:
        reached = {destination}
        frontier = [c for c in range(len(fabric.channels)) if fabric.channels[c][1] == destination]
        while frontier:
            c = frontier.pop(rng.randrange(len(frontier)) if rng.random() < 0.5 else 0)
            tail = fabric.channels[c][0]
            if tail in reached:
                continue
            reached.add(tail)
            if seed % 4 or rng.random() > 0.1:
                fabric.channels[c][2].append(destination)
            if tail.startswith("S") or forwarders:
                frontier += [b for b in range(len(fabric.channels)) if fabric.channels[b][1] == tail and fabric.channels[b][0] not in reached]
    return fabric


def make_tree(k, n):
    fabric = Fabric()
    hosts = k**n
    width = hosts // k  # switches of a level
    fabric.nodes = [f"H{d}" for d in range(hosts)] + [f"S{level}_{w}" for level in range(n) for w in range(width)]

    def below(level, w):
        """The hosts below a switch: those that agree with its number but for the lowest digits, of which there are so many."""
        span = k ** (level + 1)
        return range(w // k**level * span, (w // k**level + 1) * span)

    for d in range(hosts):
        up = fabric.channel(f"H{d}", f"S0_{d // k}")
        fabric.channels[up][2] = [f"H{x}" for x in range(hosts) if x != d]
        down = fabric.channel(f"S0_{d // k}", f"H{d}")
        fabric.channels[down][2] = [f"H{d}"]
    for level in range(n - 1):
        for w in range(width):
            digit = w // k**level % k
            for port in range(k):
                upper = w + (port - digit) * k**level
                up = fabric.channel(f"S{level}_{w}", f"S{level + 1}_{upper}")
                inside = below(level, w)
                fabric.channels[up][2] = [f"H{d}" for d in range(hosts) if d not in inside and d // k**level % k == port]
                down = fabric.channel(f"S{level + 1}_{upper}", f"S{level}_{w}")
                fabric.channels[down][2] = [f"H{d}" for d in inside]
    return fabric


def make_torus(a, b):
    fabric = Fabric()
    fabric.nodes = [f"H{i}" for i in range(a * b)] + [f"S{i}" for i in range(a * b)]
    for i in range(a * b):
        x, y = i % a, i // a
        up = fabric.channel(f"H{i}", f"S{i}")
        fabric.channels[up][2] = [f"H{d}" for d in range(a * b) if d != i]
        fabric.channels[fabric.channel(f"S{i}", f"H{i}")][2] = [f"H{i}"]
        ways = {
            "+x": (x + 1) % a + y * a,
            "-x": (x - 1) % a + y * a,
            "+y": x + (y + 1) % b * a,
            "-y": x + (y - 1) % b * a,
        }
        sets = {way: [] for way in ways}
        for d in range(a * b):
            dx, dy = (d % a - x) % a, (d // a - y) % b
            if dx:
                sets["+x" if 2 * dx <= a else "-x"].append(f"H{d}")
            elif dy:
                sets["+y" if 2 * dy <= b else "-y"].append(f"H{d}")
        for way, to in ways.items():
            fabric.channels[fabric.channel(f"S{i}", f"S{to}")][2] = sets[way]
    return fabric


if __name__ == "__main__":
    kinds = {"random": make_random, "tree": make_tree, "torus": make_torus}
    kinds[sys.argv[1]](*[int(word) for word in sys.argv[2:]]).write()
