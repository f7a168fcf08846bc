"""Failures by an independent count: failures.py BIN_DIR DIRECTORY [FABRIC ENGINE COUNT]...,
and failures.py --count BEFORE AFTER: the entries that two graphs differ in

Routes what is left of a fabric by orcs-route --fail, follows every route of both graphs, and compares what orcs-compare --fail reports of the
failure: entries, pairs, loads, bandwidths of the same bisections, deadlocks. Repairs are made again by the rule that orcs-compare(1) states.
"""
import collections
import csv
import json
import os
import random
import re
import subprocess
import sys

from graphs import hosts_of, read, speeds_of, ways_of


class Graph:
    """Nodes, cables by name and port, and tables: entry[node][host] = number of an edge."""

    def __init__(self, text):
        kinds, self.edges = read(text.splitlines())
        self.nodes, self.hosts, self.switches = list(kinds), hosts_of(kinds), [n for n, kind in kinds.items() if kind == "switch"]
        self.is_host = set(self.hosts)
        self.leaving = collections.defaultdict(list)
        for number, (tail, _, _) in enumerate(self.edges):
            self.leaving[tail].append(number)
        self.entry = {node: {} for node in self.nodes}
        for (node, to), ways in ways_of(self.hosts, self.edges).items():
            self.entry[node][to] = ways[0]
        self.speed = speeds_of(self.hosts, self.edges)
        self.level = {}  # by host: service levels of its pairs, 0: not listed; its last statement counts
        for source, levels in re.findall(r'^\s*"([^"]+)" \[(?:.*[ ,])?sl="([^"]*)"', text, re.M):
            parts = [part.split(":") for part in levels.split(";") if part]
            self.level[source] = {to: int(number) for number, names in parts for to in names.split(",")}
        # lanes by level of each edge, of tables that are the same for all input ports
        tables = [values.get("sl2vl", "") for _, _, values in self.edges]
        assert not any(";" in table for table in tables)
        self.lanes = [[int(lane) for lane in table.split(":")[1].split(",")] if table else [0] * 16 for table in tables] if any(tables) else None
        # the k-th cable between two nodes, in both directions
        self.key, seen = [], collections.Counter()
        for a, b, values in self.edges:
            self.key.append((a, b, values.get("port") or seen[a, b]))
            seen[a, b] += 1

    def lane(self, edge, source, to):
        level = self.level.get(source, {}).get(to, 0)
        return self.lanes[edge][level] if self.lanes else level

    def scale(self):
        """By host: the commonest speed of the hosts' cables in its plane, divided by the number of the other hosts there."""
        scale, left = {}, list(self.hosts)
        while left:
            plane, waiting = {left[0]}, [left[0]]
            while waiting:
                for n in self.leaving[waiting.pop()]:
                    if self.edges[n][1] not in plane:
                        plane.add(self.edges[n][1])
                        waiting.append(self.edges[n][1])
            hosts = [h for h in left if h in plane]
            speeds = collections.Counter(self.speed[n] for h in hosts for n in self.leaving[h])
            usual = max(speeds, key=lambda v: (speeds[v], v))
            scale.update({h: usual / max(1, len(hosts) - 1) for h in hosts})
            left = [h for h in left if h not in plane]
        return scale

    def route(self, source, to):
        """Edges, or None."""
        path, node = [], source
        while node != to:
            number = self.entry[node].get(to)
            if number is None or len(path) > len(self.nodes) or (node in self.is_host and path):
                return None
            path.append(number)
            node = self.edges[number][1]
        return path


def judge(base, now, pairs):
    """What a failure does: now has the entries after it, by the edges of base."""
    total, by_source, by_target = collections.Counter(), collections.Counter(), collections.Counter()  # routes between switches
    load, waits, unreachable, apart, scale = collections.Counter(), collections.defaultdict(set), 0, 0, base.scale()
    for source in base.hosts:
        for to in base.hosts:
            if source == to:
                continue
            path = now.route(source, to) if source in now.entry and to in now.entry else None
            if path is None:
                unreachable += base.route(source, to) is not None
                apart += source in now.entry and to in now.entry and base.route(source, to) is not None
                continue
            keys = [(now.key[n], now.lane(n, source, to)) for n in path]
            for n in path:
                if now.edges[n][0] not in now.is_host and now.edges[n][1] not in now.is_host:
                    load[now.key[n]] += scale[source] / now.speed[n]
                    total[n] += 1
                    by_source[n, source] += 1
                    by_target[n, to] += 1
            for a, b in zip(keys, keys[1:]):
                waits[a].add(b)
    means = []
    for run in pairs:
        routes = [now.route(a, b) for a, b in run if a in now.entry and b in now.entry]
        routes = [r for r in routes if r is not None]
        count = collections.Counter(n for r in routes for n in r)
        means.append(sum(1 / max(count[n] / now.speed[n] for n in r) / min(now.speed[r[0]], now.speed[r[-1]]) for r in routes) / len(routes)
                     if routes else None)
    left = {a: set(b) for a, b in waits.items()}
    incoming = collections.Counter(b for s in left.values() for b in s)
    ready = [a for a in left if not incoming[a]]
    done = 0
    while ready:
        a = ready.pop()
        done += 1
        for b in left.get(a, ()):
            incoming[b] -= 1
            if not incoming[b]:
                ready.append(b)
    vertices = set(left) | set(incoming)
    return {"unreachable": unreachable, "pairs_apart": apart, "largest_load": max(load.values(), default=0), "load_squares": sum(v * v for v in load.values()),
            "rivals": (sum(v * v + v for v in total.values()) - sum(v * v for c in (by_source, by_target) for v in c.values())) / 2, "means": means, "deadlock": "none" if done == len(vertices) else "possible"}


def changed(base, now):
    count = 0
    for node in base.nodes:
        if node not in now.entry or node in base.is_host:
            continue
        for host in base.hosts:
            if host in now.entry:
                a, b = base.entry[node].get(host), now.entry[node].get(host)
                count += (base.key[a] if a is not None else None) != (now.key[b] if b is not None else None)
    return count


def repair(base, lost_nodes, lost_keys):
    """A graph of base's edges whose broken routes take shortest ways; the rule of orcs-compare(1)."""
    now = Graph("")
    now.__dict__.update(base.__dict__)
    lost = {n for n in range(len(base.edges)) if base.key[n] in lost_keys or base.edges[n][0] in lost_nodes or base.edges[n][1] in lost_nodes}
    lost_nodes = lost_nodes | {h for h in base.hosts if all(n in lost for n in base.leaving[h])}
    now.entry = {n: dict(e) for n, e in base.entry.items() if n not in lost_nodes}
    load, flow = collections.Counter(), collections.Counter()
    for to in base.hosts:
        for source in base.hosts:
            for n in (base.route(source, to) or []) if source != to else []:
                load[n] += 1
                flow[base.edges[n][0], to] += 1
    switches = base.switches
    for to in base.hosts:
        if to not in now.entry:
            continue
        distance, broken = {}, []
        for node in switches:
            path = base.route(node, to)
            if path is not None and not any(n in lost for n in path):
                distance[node] = len(path)
            elif path is not None and node not in lost_nodes:
                broken.append(node)
        while broken:
            ways = {}
            for node in broken:
                by = [(distance.get(base.edges[n][1], 1e9) + 1 if base.edges[n][1] != to else 1, n) for n in base.leaving[node] if n not in lost]
                ways[node] = [n for d, n in by if d == min(x for x, _ in by) and d < 1e9], min((x for x, _ in by), default=1e9)
            nearest = min(d for _, d in ways.values())
            for node in list(broken):
                if ways[node][1] != nearest:
                    continue
                broken.remove(node)
                if nearest >= 1e9:
                    load[base.entry[node][to]] -= flow[node, to]
                    del now.entry[node][to]
                    continue
                old = base.entry[node][to]
                new = old if old in ways[node][0] else min(ways[node][0], key=lambda n: (load[n] / base.speed[n], base.nodes.index(base.edges[n][1]), n))
                if new != old:
                    load[old] -= flow[node, to]
                    load[new] += flow[node, to]
                now.entry[node][to] = new
            for node, (_, d) in ways.items():
                if d == nearest and nearest < 1e9:
                    distance[node] = nearest
    for host in now.entry:
        if host in base.is_host:
            now.entry[host] = {t: n for t, n in base.entry[host].items() if n not in lost and t in now.entry}
    return now


def count():
    print(changed(*(Graph(open(path).read()) for path in sys.argv[2:])))


def main():
    bin_dir, folder, *cases = sys.argv[1:]
    wrong, right = [], 0
    drawn = random.Random(7)

    def run(program, *arguments):
        done = subprocess.run([os.path.join(bin_dir, program), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.stdout if done.returncode == 0 else None

    def expect(what, holds):
        nonlocal right
        if holds:
            right += 1
        else:
            wrong.append(what)

    for fabric, engine, count in zip(cases[::3], cases[1::3], map(int, cases[2::3])):
        spec, mode = (engine.rsplit(",", 1) if "," in engine else engine.rsplit(":", 1)) if engine.endswith("repair") else (engine, None)
        path = os.path.join(folder, "base.dot")
        dump = os.path.join(folder, "dump")
        if ":" in fabric:  # ports of a topology that is not whole would have other numbers
            open(dump, "w").write(run("orcs-export", "--quiet", "--to", "ibnetdiscover", fabric))
        open(path, "w").write(run("orcs-route", "--quiet", spec, dump if ":" in fabric else fabric))
        base = Graph(open(path).read())
        runs = 4
        sweep = json.loads(run("orcs-compare", "--quiet", "--fail", "each-cable,each-switch,random:2x6", "--reroute", engine, "-n", str(runs),
                               "--format", "json", path))
        failures = sweep["failures"]
        cables = [f for f in failures if f["kind"] == "cable"]
        expect(f"{fabric}: every cable", len(cables) == sum(a in base.switches and b in base.switches for a, b, _ in base.edges) / 2)
        expect(f"{fabric}: every switch", sorted(f["node"] for f in failures if f["kind"] == "switch") == sorted(base.switches))
        expect(f"{fabric}: ranks", sorted(f["rank"] for f in failures) == list(range(1, len(failures) + 1)))
        order = [(-f["pairs_apart"], -f["largest_load"], -f["rivals"]) for f in sorted(failures, key=lambda f: f["rank"])]
        expect(f"{fabric}: worst first", order == sorted(order))
        # the first bisection, as the flow engine sends it
        text = json.loads(run("orcs-compare", "--quiet", "--fail", "random:1x1", "--reroute", engine, "-n", "1", "--format", "json", path))
        flows = os.path.join(folder, "flows.csv")
        run("orcs", "--quiet", "--engine", "flow", "-p", "bisect", "-n", "1", "--flows", flows, path)
        with open(flows, newline="") as file:
            pairs = [[(row["from"], row["to"]) for row in csv.DictReader(file)]]
        intact = judge(base, base, pairs)
        expect(f"{fabric} {engine}: intact", abs(text["intact"]["mean"] - intact["means"][0]) < 1e-9 and
               abs(sweep["intact"]["largest_load"] - intact["largest_load"]) < 1e-9 and sweep["intact"]["deadlock"] == intact["deadlock"])
        mean = run("orcs", "--quiet", "-n", str(runs), path)
        expect(f"{fabric} {engine}: deadlocks are known", all(f["deadlock"] in ("none", "possible") for f in failures + [sweep["intact"]]))
        expect(f"{fabric} {engine}: the mean of orcs", abs(float(re.search(r"\(mean\): (\S+)", mean).group(1)) - sweep["intact"]["mean"]) < 1e-6)
        for f in drawn.sample(failures, min(count, len(failures))):
            if f["kind"] == "random":
                continue
            part = f["node"] if f["kind"] == "switch" else None
            if part is None:
                twins = [n for n in base.leaving[f["node"]] if base.edges[n][1] == f["peer"]]
                if f["port"] is None and len(twins) > 1:
                    continue
                part = f"{f['node']}:{f['port'] or base.leaving[f['node']].index(twins[0]) + 1}"
            lines = os.path.join(folder, "lines")
            open(lines, "w").write(part + "\n")
            again = json.loads(run("orcs-compare", "--quiet", "--fail", "file:" + lines, "--reroute", engine, "-n", str(runs), "--format", "json", path))
            same = again["failures"][0]
            keys = ("unreachable", "pairs_apart", "entries_changed", "largest_load", "load_squares", "rivals", "mean", "difference", "interval", "deadlock")
            expect(f"{fabric} {part}: a line of a file", all(same[k] == f[k] for k in keys))
            one = json.loads(run("orcs-compare", "--quiet", "--fail", "file:" + lines, "--reroute", engine, "-n", "1", "--format", "json", path))
            if mode:
                if f["kind"] == "switch":
                    now = repair(base, {f["node"]}, set())
                else:
                    n = twins[0] if f["port"] is None else [t for t in twins if base.edges[t][2].get("port") == str(f["port"])][0]
                    back = [t for t in base.leaving[f["peer"]] if base.edges[t][1] == f["node"]]
                    pair = back[twins.index(n)] if f["peer_port"] is None else [t for t in back if base.edges[t][2].get("port") == str(f["peer_port"])][0]
                    now = repair(base, set(), {base.key[n], base.key[pair]})
            else:
                text = run("orcs-route", "--quiet", spec, "--fail", part, path)
                if text is None:
                    expect(f"{fabric} {engine} {part}: refused by both", f["refusal"] is not None)
                    continue
                now = Graph(text)
            wanted = judge(base, now, pairs)
            got = one["failures"][0]
            for key in ("unreachable", "pairs_apart", "largest_load", "load_squares", "rivals"):
                expect(f"{fabric} {engine} {part}: {key} {got[key]} {wanted[key]}", abs(got[key] - wanted[key]) <= 1e-9 * abs(wanted[key]))
            expect(f"{fabric} {engine} {part}: deadlock {got['deadlock']} {wanted['deadlock']}", got["deadlock"] == wanted["deadlock"])
            expect(f"{fabric} {engine} {part}: mean {got['mean']} {wanted['means']}",
                   got["mean"] == wanted["means"][0] or abs(got["mean"] - wanted["means"][0]) < 1e-9)
            expect(f"{fabric} {engine} {part}: entries {got['entries_changed']} {changed(base, now)}", got["entries_changed"] == changed(base, now))
    for text in wrong[:20]:
        print("wrong:", text)
    print(f"{right} right, {len(wrong)} wrong")
    return 1 if wrong or not right else 0


sys.exit(count() if sys.argv[1] == "--count" else main())
