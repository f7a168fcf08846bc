#!/usr/bin/env python3
"""Random small fabrics whose entries have several channels: what orcs-check says against all ways of every pair, one by one.

ways.py ORCS_CHECK COUNT [SEED]
"""
import collections
import json
import random
import subprocess
import sys
import tempfile

from reference import LANE_DISCARD, distances_to, dot, lane, levels_of, near, pair_cables, random_fabric, reachable, shortest_cycle

MOST_WAYS = 2000  # of a pair; fabrics with more are passed over


def add_entries(f, rng):
    """More channels for some entries: mostly those that lead nearer, now and then any."""
    wild = rng.random() < 0.4
    for d in f.hosts():
        distance = distances_to(f, d, set())
        for v in f.nodes:
            listed = [c for c in f.out(v) if d in c.entries]
            for c in f.out(v) if listed and v != d else []:
                nearer = c.head in distance and distance[c.head] < distance.get(v, 0)
                if c not in listed and (not f.is_host(c.head) or c.head == d) and rng.random() < (0.7 if nearer else 0.05 * wild):
                    c.entries.append(d)


def weigh(f, rng):
    """Weights of some entries: {channel: {destination: weight}}."""
    return {c: {d: rng.randint(2, 5) for d in c.entries if rng.random() < 0.5} for c in f.channels if rng.random() < 0.5}


def weight_text(weights):
    by = collections.defaultdict(list)
    for d, weight in weights.items():
        by[weight].append(d)
    return ";".join("%d:%s" % (weight, ",".join(names)) for weight, names in sorted(by.items()))


def text_of(f, weights):
    """The graph, with weights."""
    lines = iter(dot(f).split("\n"))
    out = [next(lines)] + [next(lines) for _ in f.nodes]
    for c in f.channels:
        line, text = next(lines), weight_text(weights.get(c, {}))
        out.append(line[:-2] + ', weights="%s"];' % text if text else line)
    return "\n".join(out + list(lines))


def all_ways(f, weights, s, d):
    """[(channels, share)], or the name of what is wrong with the first way that does not arrive; None: too many."""
    found, steps = [], 0

    def go(node, route, share):
        nonlocal steps
        steps += 1
        if node == d:
            found.append((list(route), share))
            return None
        if steps > MOST_WAYS:
            return "many"
        out = [c for c in f.out(node) if d in c.entries]
        if not out:
            return "no_entry"
        total = sum(weights.get(c, {}).get(d, 1) for c in out)
        for c in out:
            if c.head == s or c.head in [b.head for b in route]:
                return "loop"
            wrong = go(c.head, route + [c], share * weights.get(c, {}).get(d, 1) / total)
            if wrong:
                return wrong
        return None

    return go(s, [], 1.0) or found


def reference(f, weights, sl):
    pair_cables(f)
    hosts = f.hosts()
    pairs = {(s, d): all_ways(f, weights, s, d) for s in hosts for d in hosts if s != d}
    if "many" in pairs.values():
        return None
    good = {p: w for p, w in pairs.items() if isinstance(w, list)}
    passed = {c.head for ways in good.values() for route, _ in ways for c in route[:-1] if f.is_host(c.head)}
    r = collections.Counter(total=len(pairs), routable=len(good), no_entry=0, loop=0, no_path=0, minimal=0, several_ways=0)
    hops, extras, total = collections.Counter(), collections.Counter(), 0.0
    distance = {d: distances_to(f, d, passed) for d in hosts}
    uses, destinations = collections.Counter(), collections.defaultdict(set)
    for (s, d), ways in pairs.items():
        if not isinstance(ways, list):
            r["no_path" if s not in distance[d] else ways] += 1
            continue
        longest = max(len(route) for route, _ in ways)
        hops[str(longest - 1)] += 1
        extras[str(longest - distance[d][s])] += 1
        r["minimal"] += longest == distance[d][s]
        r["several_ways"] += len(ways) > 1
        for route, share in ways:
            total += share * (len(route) - 1)
            for c in route:
                uses[c] += share
                destinations[c].add(d)
    has_lanes = any(c.lanes for c in f.channels)
    is_level = sl is None and not has_lanes
    inner = {c for c in f.channels if not (f.is_host(c.head) and c.head not in passed) and not (f.is_host(c.tail) and c.tail not in passed)}
    edges, discarded = collections.defaultdict(set), set()
    for sent in range(16) if sl == "all" and has_lanes else [0 if sl == "all" else sl]:
        for (s, d), ways in good.items():
            level = f.levels.get(s, {}).get(d, 0) if sent is None else sent
            for route, _ in ways:
                last = (route[0], level if is_level and level != LANE_DISCARD else 0)
                for c in route[1:]:
                    now = (c, lane(last[0], c, level, is_level))
                    if now[1] == LANE_DISCARD:
                        discarded.add((last[0], c))
                        break
                    if last[0] in inner and c in inner:
                        edges[last].add(now)
                    last = now
    cyclic = {v[0] for v in list(edges) if v in reachable(edges, v)}
    return dict(pairs=r, hops=hops, extra=extras, mean=total / len(good) if good else None, uses=uses, destinations=destinations, edges=edges,
                cyclic=len(cyclic), cycle=shortest_cycle(edges), discarded=len(discarded))


def differences(f, got, want):
    wrong = []

    def same(what, a, b):
        if not (near(a, b) if isinstance(b, float) else a == b):
            wrong.append("%s: %s, should be %s" % (what, a, b))

    for key in ("total", "routable", "no_entry", "loop", "no_path", "minimal", "several_ways"):
        same("pairs." + key, got["pairs"][key], want["pairs"][key])
    same("pairs.asymmetric", got["pairs"]["asymmetric"], 0)
    same("hops", got["hops"]["histogram"], dict(want["hops"]))
    same("extra", got["hops"]["extra"], dict(want["extra"]))
    same("mean hops", got["hops"]["mean"], want["mean"])
    dead = got["deadlock"]
    same("deadlock.free", dead["free"], not want["cycle"])
    same("dependencies", dead["dependencies"], sum(map(len, want["edges"].values())))
    same("channels_in_cycles", dead["channels_in_cycles"], want["cyclic"])
    same("cycle length", len(dead["cycle"]), want["cycle"])
    steps = [(f.channels[c["channel"]], c["lane"]) for c in dead["cycle"]]
    for a, b in zip(steps, steps[1:] + steps[:1]):
        if b not in want["edges"][a]:
            wrong.append("the cycle has a step that no way takes")
    if want["cycle"] and not 1 <= dead["lanes_needed"] <= want["pairs"]["routable"]:
        wrong.append("lanes_needed: %s" % dead["lanes_needed"])
    same("discarded", got["faults"]["discarded"]["count"], want["discarded"])
    for kind in ("no_entry", "loop", "no_path"):
        same("named " + kind, len(got["faults"][kind]["listed"]), want["pairs"][kind])
    for fault in got["faults"]["longer"]["listed"]:  # the longest way is shown
        shown = fault["text"].split(", via ")[1].split(" ")
        if "their own cable" not in fault["text"] and str(len(shown)) not in want["hops"]:
            wrong.append("no way is as long as %s" % fault["text"])
    same("sound", got["sound"], want["pairs"]["total"] == want["pairs"]["routable"] and not want["discarded"] and not want["cycle"])
    same("unused", got["faults"]["unused"]["count"], sum(not want["uses"][c] for c in f.channels))
    if got["shape"]["kind"] in ("XGFT", "k-ary n-tree"):
        return wrong  # levels are those of the tree
    level, groups = levels_of(f), collections.defaultdict(list)
    for c in f.channels:
        groups[level[c.tail], level[c.head]].append((want["uses"][c], len(want["destinations"][c])))
    for g in got["balance"]["groups"]:
        values = groups[tuple(-1 if g[k] == "hosts" else g[k] for k in ("from", "to"))]
        for i, what in enumerate(("routes", "destinations")):
            column = [float(v[i]) for v in values]
            for name, value in (("min", min(column)), ("max", max(column)), ("mean", sum(column) / len(column))):
                same("%s %s" % (what, name), float(g[what][name]), value)
    return wrong


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed, passed_over, met = 0, 0, collections.Counter()
    for k in range(count):
        rng = random.Random(seed * 1000003 + k)
        f = random_fabric(rng)
        add_entries(f, rng)
        weights = weigh(f, rng) if rng.random() < 0.5 else {}
        sl = rng.choice([None, None, None, 0, rng.randrange(16), "all"])
        want = reference(f, weights, sl)
        if not want or not any(len([c for c in f.out(v) if d in c.entries]) > 1 for v in f.nodes for d in f.hosts()):
            passed_over += 1
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".dot") as file:
            file.write(text_of(f, weights))
            file.flush()
            run = subprocess.run([program, "--quiet", "--all", "--format", "json", *(["--sl", str(sl)] if sl is not None else []), file.name],
                                 capture_output=True, text=True, timeout=60)
        try:
            wrong = differences(f, json.loads(run.stdout), want)
        except ValueError:
            wrong = ["no result: %s" % run.stderr]
        for key, there in (("cycle", want["cycle"]), ("several", want["pairs"]["several_ways"]), ("loop", want["pairs"]["loop"])):
            met[key] += there > 0
        if wrong:
            failed += 1
            print("FAILED: fabric %d of seed %d, --sl %s: %s" % (k, seed, sl, "; ".join(wrong[:5])))
    if count >= 100 and min(met["cycle"], met["several"], met["loop"]) < count // 50:
        failed += 1
        print("FAILED: the fabrics are too much alike: %s" % dict(met))
    print("%d passed, %d failed" % (count - passed_over - failed, failed))
    return failed > 0


sys.exit(main())
