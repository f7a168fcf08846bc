#!/usr/bin/env python3
"""Random small fabrics: what orcs-check says against a walk over every pair, from the definitions, and brute-force searches for cycles.

reference.py ORCS_CHECK COUNT [SEED]
"""
import collections
import json
import random
import subprocess
import sys
import tempfile

LANE_DISCARD = 15


class Channel:
    def __init__(self, tail, head, port, peer_port, speed, entries, lanes):
        self.tail, self.head, self.port, self.peer_port = tail, head, port, peer_port
        self.speed, self.entries, self.lanes = speed, entries, lanes  # lanes: {in port: [16]}
        self.back = None


class Fabric:
    def __init__(self):
        self.nodes, self.channels = [], []
        self.levels = {}  # {source: {destination: service level}}

    def is_host(self, node):
        return node.startswith("H")

    def hosts(self):
        return [n for n in self.nodes if self.is_host(n)]

    def out(self, node):
        return [c for c in self.channels if c.tail == node]


# ---- making them

def random_fabric(rng):
    f = Fabric()
    switches = ["S%d" % i for i in range(rng.randint(1, 6))]
    hosts = ["H%d" % i for i in range(rng.randint(2, 8))]
    names = switches + hosts
    rng.shuffle(names)
    f.nodes = names
    ports = collections.Counter()
    speeds = rng.random() < 0.3

    def cable(a, b, one_way=False):
        ports[a] += 1
        ports[b] += 1
        pa, pb = ports[a], ports[b]
        speed = rng.choice([100, 200]) if speeds else None
        f.channels.append(Channel(a, b, pa, pb, speed, [], {}))
        if not one_way:
            f.channels.append(Channel(b, a, pb, pa, speed, [], {}))

    one_cable = rng.choice([0.85, 0.85, 0.3])
    ring = rng.random() < 0.5
    if ring:
        switches += ["S%d" % i for i in range(len(switches), 5)]
        hosts += ["H%d" % i for i in range(len(hosts), len(switches))]
        f.nodes = sorted(switches + hosts, key=lambda _: rng.random())
    for i, s in enumerate(switches[1:], 1):
        if ring or rng.random() < 0.95:
            cable(s, switches[i - 1] if ring else rng.choice(switches[:i]))
    if ring:
        cable(switches[0], switches[-1])
    if len(switches) > 1:
        for _ in range(rng.choice([0, 0, 1, 2]) if ring else rng.randint(0, 6)):
            a, b = rng.sample(switches, 2)
            cable(a, b, rng.random() < 0.1)
    for i, h in enumerate(hosts):
        if ring and rng.random() < 0.8:
            cable(h, switches[i % len(switches)])
            continue
        for _ in range(1 if rng.random() < one_cable else 2):
            cable(h, rng.choice(switches))
    if rng.random() < 0.1:
        cable(*rng.sample(hosts, 2))
    if rng.random() < 0.3:
        for c in f.channels:
            c.port = c.peer_port = 0
    fill_tables(f, rng)
    if rng.random() < 0.4 and f.channels[0].port:
        fill_lanes(f, rng)
    if rng.random() < 0.4:
        fill_levels(f, rng)
    rng.shuffle(f.channels)
    order = {n: i for i, n in enumerate(f.nodes)}
    f.channels.sort(key=lambda c: (order[c.tail], order[c.head]))
    return f


def fill_tables(f, rng):
    style = rng.choice(["shortest", "shortest", "tree", "wild"])
    holes = rng.choice([0, 0, 0.03])
    tree = None
    if style == "tree":  # up to the root and down again never has a cycle
        tree = {c for c in f.channels if f.is_host(c.tail) or f.is_host(c.head)}
        root = next(n for n in f.nodes if not f.is_host(n))
        seen, queue = {root}, [root]
        for v in queue:
            for c in f.out(v):
                if c.head not in seen and not f.is_host(c.head):
                    seen.add(c.head)
                    queue.append(c.head)
                    tree.add(c)
                    tree |= {b for b in f.channels if b.tail == c.head and b.head == c.tail}
    through_hosts = rng.random() < 0.25
    only = {h: rng.choice(f.out(h)) for h in f.hosts() if through_hosts and f.out(h) and rng.random() < 0.5}
    for d in f.hosts():
        distance = distances_to(f, d, set(f.hosts()) if through_hosts else set(), tree)
        for v in f.nodes:
            out = [c for c in f.out(v) if tree is None or c in tree]
            if v == d or not out or rng.random() < holes:
                continue
            best = [c for c in out if c.head in distance and distance[c.head] + 1 == distance.get(v)]
            if v in only and style != "tree":
                best = [only[v]]
            if style == "wild" and rng.random() < 0.15:
                best = [c for c in out if not f.is_host(c.head) or c.head == d or through_hosts] or best
            if best:
                rng.choice(best).entries.append(d)


def fill_lanes(f, rng):
    count = rng.choice([2, 3])
    bad = rng.random() < 0.2
    for c in f.channels:
        if f.is_host(c.tail) or rng.random() < 0.05:
            continue
        for port in range(0, 12):
            c.lanes[port] = [LANE_DISCARD if bad and rng.random() < 0.02 else rng.randrange(count) for _ in range(16)]


def fill_levels(f, rng):
    """By source, destination, switch of the source, or pair, or none is told."""
    count = rng.choice([1, 2, 3, 16])
    style = rng.choice(["destination", "switch", "pair", "sparse"])
    drawn = collections.defaultdict(lambda: rng.randrange(count))
    for s in f.hosts():
        if style == "sparse" and rng.random() < 0.5:
            continue
        switch = next((c.head for c in f.channels if c.tail == s), s)
        key = {"destination": lambda d: d, "switch": lambda d: (switch, d)}.get(style, lambda d: (s, d))
        f.levels[s] = {d: drawn[key(d)] for d in f.hosts() if d != s}


def level_text(levels):
    """1:H3,H9;2:H4, in any order; level 0 need not be told."""
    by_level = collections.defaultdict(list)
    for d, level in levels.items():
        if level or d < "H3":
            by_level[level].append(d)
    return ";".join("%d:%s" % (level, (", " if level == 1 else ",").join(names)) for level, names in by_level.items())


def dot(f):
    lines = ["digraph random {"] + ['"%s"%s;' % (n, ' [sl="%s"]' % level_text(f.levels[n]) if n in f.levels else "") for n in f.nodes]
    for c in f.channels:
        a = ['comment="%s"' % ",".join(c.entries)]
        if c.port:
            a += ['port="%d"' % c.port, 'peer_port="%d"' % c.peer_port]
        if c.speed:
            a.append('speed="%d"' % c.speed)
        if c.lanes:
            a.append('sl2vl="%s"' % ";".join("%d:%s" % (p, ",".join(map(str, l))) for p, l in sorted(c.lanes.items())))
        lines.append('"%s" -> "%s" [%s];' % (c.tail, c.head, ", ".join(a)))
    return "\n".join(lines + ["}\n"])


# ---- what is true of them

def distances_to(f, d, forwarding_hosts, only=None):
    """Channels from each node to d, through switches and the hosts given."""
    distance, queue = {d: 0}, [d]
    for v in queue:
        if v != d and f.is_host(v) and v not in forwarding_hosts:
            continue
        for c in f.channels:
            if c.head == v and c.tail not in distance and (only is None or c in only):
                distance[c.tail] = distance[v] + 1
                queue.append(c.tail)
    return distance


def pair_cables(f):
    for by_ports in (True, False):
        for c in f.channels:
            for b in f.channels:
                if c.back or b.back or b is c or (b.tail, b.head) != (c.head, c.tail):
                    continue
                if by_ports and not (c.port and c.peer_port and (b.port, b.peer_port) == (c.peer_port, c.port)):
                    continue
                c.back, b.back = b, c


def walk(f, s, d):
    """The route, or the name of what is wrong."""
    route, node, seen = [], s, {s}
    while node != d:
        step = next((c for c in f.out(node) if d in c.entries), None)
        if step is None:
            return "no_entry"
        route.append(step)
        node = step.head
        if node in seen:
            return "loop"
        seen.add(node)
    return route


def lane(before, channel, level, is_level):
    """is_level: no channel has a table, and the lane is the level."""
    return channel.lanes.get(before.peer_port, [0] * 16)[level] if channel.lanes else level if is_level else 0


def reachable(edges, start):
    seen, queue = set(), [start]
    for v in queue:
        for w in edges.get(v, ()):
            if w not in seen:
                seen.add(w)
                queue.append(w)
    return seen


def shortest_cycle(edges):
    best = 0
    for start in edges:
        distance, queue = {start: 0}, [start]
        for v in queue:
            for w in edges.get(v, ()):
                if w == start and (not best or distance[v] + 1 < best):
                    best = distance[v] + 1
                if w not in distance:
                    distance[w] = distance[v] + 1
                    queue.append(w)
    return best


def starts_of(f):
    """Hosts that send everything by one channel stand before its head, together."""
    starts = {}
    for h in f.hosts():
        by = {d: [c for c in f.out(h) if d in c.entries] for d in f.hosts() if d != h}
        used = {c[0] if c else None for c in by.values()}
        link = used.pop() if len(used) == 1 else None
        starts.setdefault((link.head, True) if link else (h, False), []).append((h, link))
    return [(node, members) for (node, _), members in starts.items()]


def greedy_lanes(f, good, inner):
    """First fit: each lane takes, destination by destination and from there on, what closes no cycle on it."""
    starts = starts_of(f)
    left = {(d, k) for d in f.hosts() for k, (node, members) in enumerate(starts) if any((h, d) in good for h, _ in members)}
    count = 0
    while left or not count:
        edges = collections.defaultdict(set)
        count += 1

        def add(a, b):
            if a not in inner or b not in inner:
                return True
            if a in reachable(edges, b):
                return False
            edges[a].add(b)
            return True

        for d in f.hosts():
            paths, order = {d: []}, []  # from each node on, in the order in which the starts enter them
            for node, members in starts:
                source = next((h for h, _ in members if (h, d) in good), None)
                if source is None:
                    continue
                route = [c for c in good[source, d] if c is not dict(members)[source]]
                new = [k for k, c in enumerate(route) if c.tail not in paths]
                for k in new:
                    paths[route[k].tail] = route[k:]
                order += [route[k].tail for k in reversed(new)]
            needed = {c.tail for k, (node, _) in enumerate(starts) if (d, k) in left for c in paths[node]}
            fits = {d}
            for node in order:
                first, *rest = paths[node]
                if node in needed and first.head in fits and (not rest or add(first, rest[0])):
                    fits.add(node)
            for k, (node, members) in enumerate(starts):
                links = [link for h, link in members if link in inner and h != d]
                if (d, k) in left and node in fits and all(not paths[node] or add(link, paths[node][0]) for link in links):
                    left.remove((d, k))
    return count


def levels_of(f):
    level = {n: -1 for n in f.hosts()}
    queue = list(level)
    for v in queue:
        for c in f.channels:
            for a, b in ((c.tail, c.head), (c.head, c.tail)):
                if a == v and b not in level:
                    level[b] = level[v] + 1
                    queue.append(b)
    top = max(level.values()) + 1
    return {n: level.get(n, top) for n in f.nodes}


def reference(f, sl):
    pair_cables(f)
    hosts = f.hosts()
    routes = {(s, d): walk(f, s, d) for s in hosts for d in hosts if s != d}
    good = {p: r for p, r in routes.items() if isinstance(r, list)}
    passed = {c.head for r in good.values() for c in r[:-1] if f.is_host(c.head)}
    r = {"total": len(routes), "routable": len(good), "no_entry": 0, "loop": 0, "no_path": 0, "minimal": 0, "symmetric": 0,
         "asymmetric": 0, "hops": collections.Counter(), "extra": collections.Counter()}
    distance = {d: distances_to(f, d, passed) for d in hosts}
    uses, destinations = collections.Counter(), collections.defaultdict(set)
    for (s, d), route in routes.items():
        if not isinstance(route, list):
            r["no_path" if s not in distance[d] else route] += 1
            continue
        extra = len(route) - distance[d][s]
        r["hops"][str(len(route) - 1)] += 1
        r["extra"][str(extra)] += 1
        r["minimal"] += extra == 0
        for c in route:
            uses[c] += 1
            destinations[c].add(d)
        if isinstance(routes[d, s], list):
            r["symmetric" if [c.back for c in reversed(route)] == routes[d, s] else "asymmetric"] += 1
    has_lanes = any(c.lanes for c in f.channels)
    is_level = sl is None and not has_lanes
    edges, discarded = collections.defaultdict(set), set()
    inner = {c for c in f.channels if not (f.is_host(c.head) and c.head not in passed) and not (f.is_host(c.tail) and c.tail not in passed)}
    for sent in range(16) if sl == "all" and has_lanes else [0 if sl == "all" else sl]:
        for (s, d), route in good.items():
            level = f.levels.get(s, {}).get(d, 0) if sent is None else sent
            last = (route[0], level if is_level and level != LANE_DISCARD else 0)
            for c in route[1:]:
                now = (c, lane(last[0], c, level, is_level))
                if now[1] == LANE_DISCARD:
                    discarded.add((last[0], c))
                    break
                if last[0] in inner and c in inner:
                    edges[last].add(now)
                last = now
    on_cycle = {v[0] for v in list(edges) if v in reachable(edges, v)}
    r.update(edges=edges, dependencies=sum(map(len, edges.values())), on_cycle=len(on_cycle), cycle=shortest_cycle(edges),
             discarded=len(discarded), greedy=greedy_lanes(f, good, inner) if on_cycle else None)
    level = levels_of(f)
    groups = collections.defaultdict(list)
    for c in f.channels:
        groups[level[c.tail], level[c.head]].append((uses[c], len(destinations[c])))
    r["groups"], r["unused"] = groups, sum(not uses[c] for c in f.channels)
    r["one_way"] = sum(c.back is None for c in f.channels)
    known = all(c.speed for c in f.channels)
    slowest = min(c.speed for c in f.channels if f.is_host(c.tail) or f.is_host(c.head)) if known else 1
    capacity = collections.defaultdict(lambda: [0, 0, 0])
    for c in f.channels:
        if not f.is_host(c.tail):
            way = 0 if level[c.head] < level[c.tail] else 1 if level[c.head] > level[c.tail] else 2
            capacity[c.tail][way] += c.speed / slowest if known else 1
    r["capacity"], r["level"] = capacity, level
    return r


# ---- the comparison

def cv(values):
    mean = sum(values) / len(values)
    return (sum((v - mean) ** 2 for v in values) / len(values)) ** 0.5 / mean if mean else None


def near(a, b):
    return a == b or (a is not None and b is not None and abs(a - b) <= 1e-9 * max(1, abs(a), abs(b)))


def differences(f, got, want):
    wrong = []

    def same(what, a, b):
        if not near(a, b) if isinstance(a, float) or isinstance(b, float) else a != b:
            wrong.append("%s: %s, should be %s" % (what, a, b))

    for key in ("total", "routable", "no_entry", "loop", "no_path", "minimal", "symmetric", "asymmetric"):
        same("pairs." + key, got["pairs"][key], want[key])
    same("pairs.unroutable", got["pairs"]["unroutable"], want["total"] - want["routable"])
    same("hops", got["hops"]["histogram"], dict(want["hops"]))
    same("extra", got["hops"]["extra"], dict(want["extra"]))
    dead = got["deadlock"]
    same("deadlock.free", dead["free"], not want["cycle"])
    same("dependencies", dead["dependencies"], want["dependencies"])
    same("channels_in_cycles", dead["channels_in_cycles"], want["on_cycle"])
    same("cycle length", len(dead["cycle"]), want["cycle"])
    steps = [(f.channels[c["channel"]], c["lane"]) for c in dead["cycle"]]
    for a, b in zip(steps, steps[1:] + steps[:1]):
        if b not in want["edges"][a]:
            wrong.append("the cycle has a step that no route takes")
    if want["cycle"]:
        same("lanes_needed", dead["lanes_needed"], want["greedy"])
    for kind in ("discarded", "one_way", "unused"):
        same(kind, got["faults"][kind]["count"], want[kind])
    for kind in ("no_entry", "loop", "no_path"):
        same("faults." + kind, got["faults"][kind]["count"], want[kind])
        same("named " + kind, len(got["faults"][kind]["listed"]), want[kind])
    same("faults.longer", got["faults"]["longer"]["count"], want["routable"] - want["minimal"])
    same("faults.asymmetric", 2 * got["faults"]["asymmetric"]["count"], want["asymmetric"])
    sound = want["total"] == want["routable"] and not want["discarded"] and not want["cycle"]
    same("sound", got["sound"], sound)
    if got["shape"]["kind"] in ("XGFT", "k-ary n-tree"):
        return wrong  # levels are those of the tree
    same("groups", len(got["balance"]["groups"]), len(want["groups"]))
    for g in got["balance"]["groups"]:
        key = tuple(-1 if g[k] == "hosts" else g[k] for k in ("from", "to"))
        for i, what in enumerate(("routes", "destinations")):
            values = [v[i] for v in want["groups"][key]]
            if not values:
                wrong.append("a group from %s to %s" % key)
                continue
            for name, value in (("min", min(values)), ("max", max(values)), ("mean", sum(values) / len(values)), ("cv", cv(values))):
                same("%s %s %s" % (key, what, name), g[what][name], value)
    for leaf in got["oversubscription"]["leaves"]:
        down, up, across = want["capacity"][leaf["switch"]]
        same("down", float(leaf["down"]), float(down))
        same("up", float(leaf["up"]), float(up))
        same("across", float(leaf["across"]), float(across))
        same("ratio", leaf["ratio"], down / up if up else None)
    same("leaves", len(got["oversubscription"]["leaves"]), sum(v == 0 for v in want["level"].values()))
    return wrong


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed, cyclic, unroutable = 0, 0, 0
    for k in range(count):
        rng = random.Random(seed * 1000003 + k)
        f = random_fabric(rng)
        sl = rng.choice([None, None, None, 0, rng.randrange(16), "all"])
        with tempfile.NamedTemporaryFile("w", suffix=".dot") as file:
            file.write(dot(f))
            file.flush()
            run = subprocess.run([program, "--quiet", "--all", "--format", "json", *(["--sl", str(sl)] if sl is not None else []), file.name], capture_output=True, text=True, timeout=60)
        try:
            got = json.loads(run.stdout)
            want = reference(f, sl)
            wrong = differences(f, got, want)
            if run.returncode != (0 if got["sound"] else 4):
                wrong.append("status %d" % run.returncode)
            cyclic += want["cycle"] > 0
            unroutable += want["routable"] < want["total"]
        except ValueError:
            wrong = ["no result: %s" % run.stderr]
        if wrong:
            failed += 1
            print("FAILED: fabric %d of seed %d, --sl %s: %s" % (k, seed, sl, "; ".join(wrong[:5])))
    if count >= 100 and not (cyclic and unroutable):
        failed += 1
        print("FAILED: no fabric could deadlock, or none had gaps")
    print("%d passed, %d failed" % (count - failed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
