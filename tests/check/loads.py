#!/usr/bin/env python3
"""Loads, fair shares and excesses of orcs-check against their definitions, on random networks and on a real one, if its file is given.

loads.py ORCS_CHECK COUNT [SEED [DOT ABOVE TWICE]]
"""
import collections
import json
import random
import subprocess
import sys
import tempfile

import reference

LIMITS = [("light", 0.5), ("fine", 1.05), ("warm", 1.5), ("hot", 2), ("very_hot", 4), ("severe", float("inf"))]
HOST = -1


# ---- networks

def random_tree(rng):
    """Levels of switches with any cables between neighbouring ones, some within a level, and tables of shortest paths drawn at random."""
    f = reference.Fabric()
    levels = [["S%d_%d" % (level, i) for i in range(rng.randint(1, 5))] for level in range(rng.randint(1, 4))]
    hosts = ["H%d" % i for i in range(rng.randint(2, 14))]
    f.nodes = [s for level in levels for s in level] + hosts
    rng.shuffle(f.nodes)
    ports, speeds = collections.Counter(), rng.choice([[100], [100], [50, 100, 200]])

    def cable(a, b):
        ports[a] += 1
        ports[b] += 1
        speed = rng.choice(speeds)
        f.channels.append(reference.Channel(a, b, ports[a], ports[b], speed, [], {}))
        f.channels.append(reference.Channel(b, a, ports[b], ports[a], speed, [], {}))

    for lower, upper in zip(levels, levels[1:]):
        for a in lower:
            for b in rng.sample(upper, rng.randint(1, len(upper))):
                for _ in range(rng.choice([1, 1, 2, 3])):
                    cable(a, b)
    if rng.random() < 0.3:
        cable(*rng.sample([s for level in levels for s in level] + [levels[0][0]], 2))
    for h in hosts:
        for _ in range(rng.choice([1, 1, 1, 1, 1, 2])):
            cable(h, rng.choice(levels[0]))
    for d in hosts:
        distance = reference.distances_to(f, d, set())
        for v in f.nodes:
            best = [c for c in f.out(v) if c.head in distance and distance[c.head] + 1 == distance.get(v)]
            if v != d and best:
                rng.choice(best[:rng.choice([1, 2, 9])]).entries.append(d)
    sort_channels(f)
    return f


def grid(rng):
    """A mesh or torus of switches, routed in dimension order, or along any shortest path."""
    f = reference.Fabric()
    width, height, wrap, ordered = rng.randint(2, 6), rng.randint(1, 5), rng.random() < 0.5, rng.random() < 0.7
    at = {"S%d_%d" % (x, y): (x, y) for x in range(width) for y in range(height)}
    name = {place: s for s, place in at.items()}
    f.nodes = list(at)

    def channel(a, b):
        f.channels.append(reference.Channel(a, b, 0, 0, 100, [], {}))

    for s, (x, y) in at.items():
        for size, step in ((width, (1, 0)), (height, (0, 1))):
            to = (x + step[0], y + step[1])
            if to not in name and wrap and size > 2:
                to = (to[0] % width, to[1] % height)
            if to in name:
                channel(s, name[to])
                channel(name[to], s)
        for h in range(rng.choice([1, 1, 2]) if ordered else 1):
            host = "H%d_%d_%d" % (x, y, h)
            f.nodes.append(host)
            channel(host, s)
            channel(s, host)
    for d in f.hosts():
        distance = reference.distances_to(f, d, set())
        for v in f.nodes:
            best = [c for c in f.out(v) if c.head in distance and distance[c.head] + 1 == distance.get(v)]
            if ordered:
                best.sort(key=lambda c: c.head in at and v in at and at[c.head][1] != at[v][1])
            if v != d:
                (best[0] if ordered else rng.choice(best)).entries.append(d)
    sort_channels(f)
    return f


def sort_channels(f):
    order = {n: i for i, n in enumerate(f.nodes)}
    f.channels.sort(key=lambda c: (order[c.tail], order[c.head]))


# ---- definitions

def routes_of(f):
    """Routes on every channel, by following each pair's."""
    count = dict.fromkeys(f.channels, 0)
    table = {(c.tail, d): c for c in reversed(f.channels) for d in c.entries}
    for s in f.hosts():
        for d in f.hosts():
            node, route = s, []
            while node != d and (node, d) in table and len(route) <= len(f.nodes):
                route.append(table[node, d])
                node = route[-1].head
            if s != d and node == d:
                for c in route:
                    count[c] += 1
    return count


def connected(f, start, allowed):
    reached, queue = {start}, [start]
    for v in queue:
        for c in f.channels:
            for a, b in ((c.tail, c.head), (c.head, c.tail)):
                if a == v and b not in reached and allowed(b):
                    reached.add(b)
                    queue.append(b)
    return reached


def levels_of(f):
    level, queue = {h: HOST for h in f.hosts()}, f.hosts()
    for v in queue:
        for c in f.channels:
            for a, b in ((c.tail, c.head), (c.head, c.tail)):
                if a == v and b not in level:
                    level[b] = level[v] + 1
                    queue.append(b)
    return level


def paths(f, start, speed, through):
    """Distances from a node, and the number of shortest paths."""
    distance, number, queue = {start: 0}, {start: 1.0}, [start]
    for v in queue:
        if v != start and f.is_host(v) and v not in through:
            continue
        for c in f.out(v):
            if c.head not in distance:
                distance[c.head] = distance[v] + 1
                number[c.head] = 0
                queue.append(c.head)
            if distance[c.head] == distance[v] + 1:
                number[c.head] += number[v] * speed[c]
    return distance, number


def shortest_loads(f, speed, through):
    load = dict.fromkeys(f.channels, 0)
    of = {v: paths(f, v, speed, through) for v in f.nodes}
    for s in f.hosts():
        for d in f.hosts():
            if s == d or d not in of[s][0]:
                continue
            for c in f.channels:
                if c.tail not in of[s][0] or d not in of[c.head][0] or of[s][0][c.tail] + 1 + of[c.head][0][d] != of[s][0][d]:
                    continue
                if any(f.is_host(v) and v not in through for v in {c.tail, c.head} - {s, d}):
                    continue
                load[c] += of[s][1][c.tail] * speed[c] * of[c.head][1][d] / of[s][1][d]
    return load


def distance_from(f, start, through):
    return paths(f, start, collections.defaultdict(lambda: 1), through)[0]


def class_of(routes, excess):
    return next(word for word, most in LIMITS if excess <= most * (1 + 1e-6)) if routes else "unused"


def loads(f, routes):
    """By channel: load, share, excess; whether the fabric is a tree; the levels."""
    if not f.channels:
        return None
    given = [c.speed for c in f.channels]
    speed = {c: float(c.speed or 1) if all(given) else 1.0 for c in f.channels}
    level = levels_of(f)
    plane = {}
    for h in f.hosts():
        if h not in plane:
            for v in connected(f, h, lambda v: True):
                plane[v] = h
    load, share, tree = {}, {}, {}
    hosts = {p: [h for h in f.hosts() if plane[h] == p] for p in set(plane.values())}
    usual, pairs = {}, {}
    for p, members in hosts.items():
        pairs[p] = max(1, len(members) - 1)
        common = collections.Counter(speed[c] for c in f.channels if c.tail in members)
        usual[p] = max(common, key=lambda v: (common[v], v)) if common else 1
        tree[p] = True
    through = {h for h in f.hosts() if sum(routes[c] for c in f.out(h)) > pairs[plane[h]]}
    for c in f.channels:
        p = plane.get(c.tail)
        if p is None:
            load[c], share[c] = 0, 1
            continue
        load[c] = routes[c] / pairs[p] * usual[p] / speed[c]
        if routes[c] and level[c.tail] == level[c.head] or c.tail in through or c.head in through:
            tree[p] = False
    for c in f.channels:
        if c not in share:
            share[c] = 1
            low = min(level[c.tail], level[c.head])
            if level[c.tail] != level[c.head]:
                rises = level[c.tail] == low
                part = connected(f, c.tail if rises else c.head, lambda v: level[v] <= low)
                inside = sum(f.is_host(v) for v in part)
                out = sum(speed[b] for b in f.channels if (b.tail in part) == rises and (b.head in part) != rises)
                share[c] = max(1, inside * (len(hosts[plane[c.tail]]) - inside) / pairs[plane[c.tail]] * usual[plane[c.tail]] / out)
    if not all(tree.values()):
        shortest = shortest_loads(f, speed, through)
        loose = [c for c in f.channels if c.tail in plane and not tree[plane[c.tail]]]
        for c in loose:
            p = plane[c.tail]
            share[c] = max(share[c], shortest[c] / pairs[p] * usual[p] / speed[c])
        for c in loose:
            if class_of(routes[c], load[c] / share[c]) in ("unused", "light", "fine"):
                continue
            p, tail, head = plane[c.tail], distance_from(f, c.tail, through), distance_from(f, c.head, through)
            near = {v for v in f.nodes if tail.get(v, 1e9) < head.get(v, 1e9)}
            across = [b for b in f.channels if b.tail in near and b.head not in near]
            inside = sum(h in near for h in hosts[p])
            for b in across:
                share[b] = max(share[b], inside * (len(hosts[p]) - inside) / pairs[p] * usual[p] / sum(speed[a] for a in across))
    return load, share, all(tree.values()), level


def wanted(f):
    routes = routes_of(f)
    found = loads(f, routes)
    if not found or not any(routes.values()):
        return None
    load, share, tree, level = found
    excess = {c: load[c] / share[c] for c in f.channels}
    kind = {c: class_of(routes[c], excess[c]) for c in f.channels}
    top = max(level[c.head] for c in f.channels if routes[c])
    tiers = {}
    for c in f.channels:
        ends = (level.get(c.tail, 1e9), level.get(c.head, 1e9))
        if max(ends) <= top:
            tiers.setdefault(tuple("hosts" if end == HOST else end for end in ends), []).append(c)
    return {"classes": collections.Counter(kind.values()), "excess": max(excess.values()), "tree": tree, "tiers": {
        ends: {"channels": len(t), "mean": sum(load[c] for c in t) / len(t), "most": max(load[c] for c in t),
               "share": (min(share[c] for c in t), sum(share[c] for c in t) / len(t), max(share[c] for c in t)),
               "classes": collections.Counter(kind[c] for c in t), "excess": max(excess[c] for c in t)} for ends, t in tiers.items()}}


# ---- comparison

def near(a, b):
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


def without_zeros(counts):
    return {word: count for word, count in counts.items() if count}


def differences(got, want):
    if not want or not got:
        return [] if not want and not got else ["load: %s, wanted %s" % (got, want)]
    wrong = []
    above = sum(want["classes"][word] for word in ("warm", "hot", "very_hot", "severe"))
    twice = want["classes"]["very_hot"] + want["classes"]["severe"]
    if without_zeros(got["classes"]) != without_zeros(want["classes"]):
        wrong.append("classes %s, wanted %s" % (got["classes"], dict(want["classes"])))
    if (got["above"], got["more_than_twice"], got["tree"]) != (above, twice, want["tree"]):
        wrong.append("above %s, %s, tree %s" % (got["above"], got["more_than_twice"], got["tree"]))
    if not near(got["hottest"]["excess"], want["excess"]):
        wrong.append("hottest %s, wanted %s" % (got["hottest"]["excess"], want["excess"]))
    if {(t["from"], t["to"]) for t in got["tiers"]} != set(want["tiers"]):
        return wrong + ["tiers %s, wanted %s" % ([(t["from"], t["to"]) for t in got["tiers"]], list(want["tiers"]))]
    for t in got["tiers"]:
        w, share = want["tiers"][t["from"], t["to"]], t["share"]
        if t["channels"] != w["channels"] or without_zeros(t["classes"]) != without_zeros(w["classes"]) or not all(map(near, (
                t["mean"], t["most"], share["min"], share["mean"], share["max"], t["hottest"]["excess"] if t["hottest"] else 0), (
                w["mean"], w["most"], *w["share"], w["excess"]))):
            wrong.append("tier %s, wanted %s" % (t, w))
    return wrong


def tier_sizes(got):
    return {(t["from"], t["to"]): t["channels"] for t in got["tiers"]}


def is_layered(f):
    level = levels_of(f)
    return all(level.get(c.tail, 0) != level.get(c.head, 1) or f.is_host(c.tail) for c in f.channels)


def check(program, f):
    with tempfile.NamedTemporaryFile("w", suffix=".dot") as file:
        file.write(reference.dot(f))
        file.flush()
        run = subprocess.run([program, "--quiet", "--format", "json", file.name], capture_output=True, text=True, timeout=60)
    return json.loads(run.stdout)


def real(program, path, above, twice):
    """The counts of a real fabric, whose routes are followed here."""
    f = reference.Fabric()
    sys.path.insert(0, "tests/cli")
    import graphs
    with open(path) as file:
        kinds, edges = graphs.read(file)
    edges = [e for e in edges if {kinds[e[0]], kinds[e[1]]} <= {"host", "switch"}]
    hosts, out, total = graphs.hosts_of(kinds), {}, collections.Counter()
    ways = graphs.ways_of(hosts, edges)
    for d in hosts:
        for s in hosts:
            node = s
            while node != d:
                edge = ways[node, d][0]
                if s != d:
                    total[edge] += 1
                node = edges[edge][1]
    member = set(hosts)
    f.nodes = list(kinds)
    f.is_host = member.__contains__
    f.channels = [reference.Channel(tail, head, 0, 0, 100, [], {}) for tail, head, _ in edges]
    neighbours = {}
    for c in f.channels:
        neighbours.setdefault(c.tail, []).append(c.head)
    level, queue = {h: HOST for h in hosts}, list(hosts)
    for v in queue:
        for u in neighbours[v]:
            if u not in level:
                level[u] = level[v] + 1
                queue.append(u)
    counts, most = collections.Counter(), 0
    part_of, parts = {}, {}
    for number, c in enumerate(f.channels):
        low = min(level[c.tail], level[c.head])
        rises = level[c.tail] == low
        end = c.tail if rises else c.head
        if (end, low) not in part_of:
            part, queue = {end}, [end]
            for v in queue:
                for u in neighbours[v]:
                    if u not in part and level[u] <= low:
                        part.add(u)
                        queue.append(u)
            for v in part:
                part_of[v, low] = end
            parts[end, low] = (sum(v in member for v in part), sum(u not in part for v in part for u in neighbours[v]))
        inside, cables = parts[part_of[end, low], low]
        excess = total[number] / (len(hosts) - 1) / max(1, inside * (len(hosts) - inside) / (len(hosts) - 1) / cables)
        counts[class_of(total[number], excess)] += 1
        most = max(most, excess)
    run = subprocess.run([program, "--quiet", "--format", "json", path], capture_output=True, text=True, timeout=600)
    got = json.loads(run.stdout)["load"]
    want = (sum(counts[word] for word in ("warm", "hot", "very_hot", "severe")), counts["very_hot"] + counts["severe"])
    return (got["above"], got["more_than_twice"]) == want == (above, twice) and near(got["hottest"]["excess"], most) and \
        without_zeros(got["classes"]) == without_zeros(counts)


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed, seen, unsure = 0, collections.Counter(), 0
    for k in range(count):
        rng = random.Random(seed * 1000003 + k)
        f = [random_tree, random_tree, grid, reference.random_fabric][k % 4](rng)
        got, want = check(program, f), wanted(f)
        if want and got["load"] and not is_layered(f) and tier_sizes(got["load"]) != {e: t["channels"] for e, t in want["tiers"].items()}:
            unsure += 1  # levels of a tree that was recognised by more than distances
            continue
        wrong = differences(got["load"], want)
        if want:
            seen.update(want["classes"])
            seen["tree" if want["tree"] else "other"] += 1
        if wrong:
            failed += 1
            print("FAILED: network %d of seed %d: %s" % (k, seed, "; ".join(wrong[:3])))
    if count >= 100 and (unsure > count // 4 or min(seen[word] for word in ["unused", "tree", "other"] + [word for word, _ in LIMITS]) < 2):
        failed += 1
        print("FAILED: too little was compared: %s, %d unsure" % (dict(seen), unsure))
    if len(sys.argv) > 4:
        count += 1
        if not real(program, sys.argv[4], int(sys.argv[5]), int(sys.argv[6])):
            failed += 1
            print("FAILED: %s" % sys.argv[4])
    print("%d passed, %d failed" % (count - failed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
