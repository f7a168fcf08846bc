#!/usr/bin/env python3
"""orcs-check --plan and --against on randomly edited fabrics, against what was edited and an independent comparison:
plan.py ORCS_CHECK FABRICS"""
import json
import os
import random
import subprocess
import sys
import tempfile

program, fabrics = sys.argv[1], int(sys.argv[2])
random.seed(int(os.environ.get("SEED", "4")))
passed = failed = 0
work = tempfile.TemporaryDirectory()
by_guid = {}
SPEEDS = {"4xHDR": (200, 4), "2xHDR": (100, 2), "4xEDR": (100, 4), "4xNDR": (400, 4)}


def check(name, wanted, got):
    global passed, failed
    if wanted == got:
        passed += 1
        return True
    failed += 1
    print("FAILED: %s: wanted %s, got %s" % (name, wanted, got))
    return False


def path(name):
    return os.path.join(work.name, name)


def write(name, text):
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def run(*args):
    out = subprocess.run([program, "--quiet", "--all", "--format", "json", *args], capture_output=True, text=True)
    if out.returncode not in (0, 4):
        print("FAILED: %s: status %d: %s" % (" ".join(args), out.returncode, out.stderr))
        sys.exit(1)
    return json.loads(out.stdout), out.returncode


class Fabric:
    """Cables as {frozenset of two ends (node, port)}: speed; nodes: name -> (host, guid, lid)."""

    def __init__(self):
        self.nodes, self.cables, self.level = {}, {}, {}

    def copy(self):
        other = Fabric()
        other.nodes, other.cables, other.level = dict(self.nodes), dict(self.cables), dict(self.level)
        return other

    def used(self, end):
        return any(end in cable for cable in self.cables)

    def free_port(self, node, ports=40):
        while True:
            port = random.randint(1, ports)
            if not self.used((node, port)):
                return (node, port)

    def join(self, a, b, speed="4xHDR"):
        self.cables[frozenset([a, b])] = speed

    def peers(self):
        at = {}
        for cable in self.cables:
            a, b = tuple(cable)
            at[a], at[b] = b, a
        return at


def tree(leaves, spines, hosts):
    f = Fabric()
    guid = 0x1000
    for level, kind, count in ((2, "spine", spines), (1, "leaf", leaves), (0, "node", leaves * hosts)):
        for i in range(count):
            name = "%s%d" % (kind, i)
            f.nodes[name] = (kind == "node", guid, len(f.nodes) + 1)
            f.level[name] = level
            guid += 16
    for leaf in range(leaves):
        for h in range(hosts):
            f.join(("node%d" % (leaf * hosts + h), 1), ("leaf%d" % leaf, h + 1))
        for spine in range(spines):
            for k in range(2):
                f.join(("leaf%d" % leaf, 21 + 2 * spine + k), ("spine%d" % spine, 1 + 2 * leaf + k))
    return f


# ---- forms


def dump(f):
    """As ibnetdiscover prints it."""
    peers, lines = f.peers(), []
    ident = {n: "%s-%016x" % ("H" if host else "S", guid) for n, (host, guid, lid) in f.nodes.items()}
    for name, (host, guid, lid) in sorted(f.nodes.items()):
        at = sorted(p for n, p in peers if n == name)
        if not at:
            continue
        lines.append("%sguid=0x%x" % ("ca" if host else "switch", guid))
        if host:
            lines.append('Ca\t1 "%s"\t\t# "%s"' % (ident[name], name))
        else:
            lines.append('Switch\t40 "%s"\t\t# "%s" base port 0 lid %d lmc 0' % (ident[name], name, lid))
        for p in at:
            peer, port = peers[(name, p)]
            speed = f.cables[frozenset([(name, p), (peer, port)])]
            own = "(%x)" % (guid + 1) if host else ""
            there = "(%x)" % (f.nodes[peer][1] + 1) if f.nodes[peer][0] else ""
            if host:
                lines.append('[%d]%s\t"%s"[%d]%s\t\t# lid %d lmc 0 "%s" lid %d %s' % (p, own, ident[peer], port, there, lid, peer, f.nodes[peer][2], speed))
            else:
                lines.append('[%d]\t"%s"[%d]%s\t\t# "%s" lid %d %s' % (p, ident[peer], port, there, peer, f.nodes[peer][2], speed))
        lines.append("")
    return "\n".join(lines) + "\n"


def columns(f, style):
    """Lists of cables; each end by its name, its description in another case, or its GUID."""
    lines = {
        "csv": ["from,from_port,to,to_port,speed"],
        "guids": ["note;from GUID;from port;to GUID;to port;speed;width"],
        "ndt": ["#StartDevice,StartPort,EndDevice,EndPort,LinkType"],
        "tabs": ["rack #\tU height\t#Fields:StartDevice\tStartPort\tEndDevice\tEndPort\tSpeed"],
    }[style]
    for cable, speed in f.cables.items():
        ends = list(cable)
        random.shuffle(ends)
        (a, p), (b, q) = ends
        gbps, lanes = SPEEDS[speed]
        if style == "csv":
            lines.append('%s,%d,"%s",P%d,%s' % (a, p, b.upper(), q, speed))
        elif style == "guids":
            lines.append('a "quoted" note;0x%x;%d;%s%016x;port %d;%d Gb/s;%dx' % (f.nodes[a][1], p, random.choice(("S-", "S", "")), f.nodes[b][1], q, gbps, lanes))
        elif style == "ndt":
            lines.append("%s,Port %d,%s, Port %d, Data" % (a.upper(), p, b, q))
            if random.random() < 0.5:
                lines.append("%s,Port %d,%s,Port %d,Data" % (b, q, a, p))
        else:
            lines.append("r1\t%d\t%s\tPort 1/%d\t%s\t#%d\t%s" % (len(lines), a, p, b, q, "N/A"))
    return "\n".join(lines) + "\n"


def topo(f):
    """As ibdm-topo-file(1) describes it."""
    peers, lines = f.peers(), ["# a topology file", ""]
    for name in sorted(f.nodes):
        at = sorted(p for n, p in peers if n == name)
        if not at:
            continue
        lines.append("%s %s%s" % ("MT23108" if f.nodes[name][0] else "MTS2400", name, "" if at[0] % 2 else " CFG: leaf3=R,leaf5=R"))
        for p in at:
            peer, port = peers[(name, p)]
            gbps, lanes = SPEEDS[f.cables[frozenset([(name, p), (peer, port)])]]
            lines.append("   %sP%d -%dx-%gG-> MTS2400 %s %sP%d" % (random.choice(("", "U1/")), p, lanes, gbps / lanes, peer, random.choice(("", "U1/")), port))
        lines.append("")
    return "\n".join(lines) + "\n"


def dot(f, tables=None):
    lines = ["digraph g {"]
    for name, (host, guid, lid) in sorted(f.nodes.items()):
        lines.append('"%s" [type="%s", guid="0x%x", lid="%d"];' % (name, "host" if host else "switch", guid, lid))
    peers = f.peers()
    for (name, p), (peer, q) in sorted(peers.items()):
        gbps, lanes = SPEEDS[f.cables[frozenset([(name, p), (peer, q)])]]
        comment = ""
        if tables is not None:
            comment = ', comment="%s"' % ("*" if f.nodes[name][0] else ",".join(sorted(h for h in tables.get(name, {}) if tables[name][h] == p)))
        lines.append('"%s" -> "%s" [port="%d", peer_port="%d", speed="%g", width="%dx"%s];' % (name, peer, p, q, gbps, lanes, comment))
    return "\n".join(lines) + "\n}\n"


# ---- edits


def edit(f, edits, disjoint):
    """Returns the edited fabric and, for disjoint edits, what has been done, by kind."""
    g, done, touched = f.copy(), {"removed": set(), "added": set(), "moved": set(), "slowed": set()}, set()
    switches = [n for n in g.nodes if not g.nodes[n][0]]
    for _ in range(edits):
        kind = random.choice(("removed", "added", "moved", "slowed", "swapped"))
        cables = [c for c in g.cables if c in f.cables and not (disjoint and c & touched)]
        if len(cables) < 3:
            break
        cable = random.choice(sorted(cables, key=sorted))
        if kind == "added":
            a, b = random.sample(switches, 2)
            new = frozenset([g.free_port(a), g.free_port(b)])
            if disjoint and any(f.used(end) or end in touched for end in new):
                continue
            g.cables[new] = "4xHDR"
            done["added"].add(new)
            touched |= new
        elif kind == "slowed":
            g.cables[cable] = random.choice(("4xEDR", "2xHDR", "4xNDR"))
            done["slowed"].add(cable)
            touched |= cable
        elif kind == "removed":
            del g.cables[cable]
            done["removed"].add(cable)
            touched |= cable
        elif kind == "moved":
            ends = sorted(cable)
            keep, leave = ends if random.random() < 0.5 else ends[::-1]
            if f.nodes[leave[0]][0]:
                keep, leave = leave, keep
            to = g.free_port(random.choice(switches))
            if to[0] == keep[0] or (disjoint and (f.used(to) or to in touched)):
                continue
            new = frozenset([keep, to])
            g.cables[new] = g.cables.pop(cable)
            done["moved"].add((cable, new))
            touched |= cable | new
        else:
            other = random.choice(sorted(cables, key=sorted))
            (a, b), (c, d) = sorted(cable), sorted(other)
            if cable & other or len({a[0], b[0], c[0], d[0]}) < 4 or f.level[a[0]] != f.level[c[0]] or f.level[b[0]] != f.level[d[0]]:
                continue
            first, second = frozenset([a, d]), frozenset([c, b])
            g.cables[first], g.cables[second] = g.cables.pop(cable), g.cables.pop(other)
            if disjoint:
                done["swapped"] = done.get("swapped", []) + [(cable, other, first, second)]
            touched |= cable | other
    return g, done


# ---- results


def plain(name):
    """The name of a node that a dump or a GUID names."""
    name = name.lower()
    digits = name[2:] if name.startswith("0x") else name.lstrip("s-")
    return by_guid.get(int(digits, 16)) if len(digits) in (4, 16) and set(digits) <= set("0123456789abcdef") else name[2:] if name.startswith("h-") else name


def ends_of(cable):
    return frozenset([(plain(cable["from"]), cable["from_port"]), (plain(cable["to"]), cable["to_port"])])


def as_lists(differences):
    got = {"miswired": set(), "missing": set(), "unplanned": set(), "wrong_speed": set()}
    for d in differences:
        planned, found = (ends_of(d[side]) if side in d else None for side in ("planned", "found"))
        got[d["kind"]].add({"missing": planned, "unplanned": found, "wrong_speed": planned, "miswired": (planned, found)}[d["kind"]])
    return got


def most_moves(missing, unplanned):
    """The size of a largest set of disjoint pairs that share an end, by augmenting paths."""
    match = {}

    def augment(cable, seen):
        for other in unplanned:
            if cable & other and other not in seen:
                seen.add(other)
                if other not in match or augment(match[other], seen):
                    match[other] = cable
                    return True
        return False

    return sum(augment(cable, set()) for cable in sorted(missing, key=sorted))


def lacks(f, g, speeds):
    """The share of its planned capacity to a level that a node lacks: {(node, level): share}."""
    def capacity(fabric):
        sums = {}
        for cable, speed in fabric.cables.items():
            a, b = cable
            gbps = SPEEDS[speed][0]
            if not speeds and fabric is f:  # then a planned cable has that of its match, or the usual one
                gbps = SPEEDS[g.cables[cable]][0] if cable in g.cables else 200
            for (n, _), (m, _) in ((a, b), (b, a)):
                key = (n, f.level[m])
                sums[key] = sums.get(key, 0) + gbps
        return sums

    planned, found = capacity(f), capacity(g)
    return {key: max(0, 1 - found.get(key, 0) / planned[key]) for key in planned}


def check_costs(name, f, g, result):
    share = lacks(f, g, True)
    order = [d["lost"] for d in result["plan"]["differences"]]
    check(name + ": the most expensive first", sorted(order, reverse=True), order)
    for d in result["plan"]["differences"]:
        wanted = 0
        if "planned" in d:
            (a, _), (b, _) = ends_of(d["planned"])
            wanted = max(share[(a, f.level[b])], share[(b, f.level[a])])
        if abs(wanted - d["lost"]) > 1e-9 and not check("%s: the cost of %s" % (name, d), wanted, d["lost"]):
            return
    check(name + ": costs", True, True)


def try_plan(number):
    f = tree(random.randint(2, 5), random.randint(1, 4), random.randint(1, 4))
    disjoint = number % 2 == 0
    g, done = edit(f, random.randint(0, 6), disjoint)
    by_guid.clear()
    by_guid.update({guid: n for n, (_, guid, _) in f.nodes.items()})
    found = write("found", random.choice((dump, dot))(g))
    forms = {"dump": dump(f), "dot": dot(f), "topo": topo(f)}
    forms.update({style: columns(f, style) for style in ("csv", "guids", "ndt", "tabs")})
    for form, text in forms.items():
        name = "plan %d, %s" % (number, form)
        speeds = form not in ("ndt", "tabs")
        result, status = run("--plan", write("plan." + form, text), found)
        plan = result["plan"]
        got = as_lists(plan["differences"])
        kept = set(f.cables) & set(g.cables)
        slowed = {c for c in kept if f.cables[c] != g.cables[c]} if speeds else set()
        missing, unplanned = set(f.cables) - kept, set(g.cables) - kept
        moves = most_moves(missing, unplanned)
        counts = (len(kept - slowed), moves, len(missing) - moves, len(slowed), len(unplanned) - moves)
        check(name + ": counts", counts, tuple(plan[k] for k in ("as_planned", "miswired", "missing", "wrong_speed", "unplanned")))
        check(name + ": status", 4 if missing or unplanned or slowed or plan["unmatched"] else 0, status)
        check(name + ": listed", (missing, unplanned, slowed), (got["missing"] | {p for p, _ in got["miswired"]}, got["unplanned"] | {q for _, q in got["miswired"]}, got["wrong_speed"]))
        check(name + ": miswired ones share a port", [], [pair for pair in got["miswired"] if not pair[0] & pair[1]])
        gone = {n for n in f.nodes if not any(n == end[0] for c in g.cables for end in c)} if found_is_dump(found) else set()
        check(name + ": unmatched", gone, {plain(u["name"]) for u in plan["unmatched"]})
        if disjoint and "swapped" not in done:
            check(name + ": exactly what was edited", (done["removed"], done["added"], done["moved"]), (got["missing"], got["unplanned"], got["miswired"]))
        for cable, other, first, second in done.get("swapped", []):
            check(name + ": swapped", 2, len({p for p, q in got["miswired"] if p in (cable, other) and q in (first, second)}))
        if speeds and not gone:
            check_costs(name, f, g, result)


def found_is_dump(name):
    with open(name) as file:
        return not file.readline().startswith("digraph")


# ---- against an old state


def shortest_tables(f, noise):
    """Tables by distance, with random choices; a few entries are wrong or missing."""
    peers = f.peers()
    neighbours = {}
    for (n, p), (m, _) in peers.items():
        neighbours.setdefault(n, []).append((p, m))
    tables = {n: {} for n in f.nodes if not f.nodes[n][0]}
    for host in (n for n in f.nodes if f.nodes[n][0]):
        distance, queue = {host: 0}, [host]
        for node in queue:
            for _, m in neighbours.get(node, []):
                if m not in distance:
                    distance[m] = distance[node] + 1
                    if not f.nodes[m][0]:
                        queue.append(m)
        for n in tables:
            ways = sorted(p for p, m in neighbours.get(n, []) if distance.get(m, 99) < distance.get(n, 99) and (m == host or not f.nodes[m][0]))
            draw = random.random()
            if ways and draw >= noise:
                tables[n][host] = ways[hash_of(n, host) % len(ways)]
            elif ways and draw > noise / 2:
                tables[n][host] = random.choice(sorted(p for p, _ in neighbours[n]))
    return tables


def hash_of(*words):
    return sum(ord(c) * (i + 7) for i, c in enumerate("/".join(words)))


def route(f, tables, source, destination):
    """The cables of a route, None if it does not arrive."""
    peers, node, cables = f.peers(), source, []
    port = next((p for n, p in sorted(peers) if n == source), None)
    for _ in range(len(f.nodes) + 1):
        if port is None:
            return None
        cables.append(((node, port), peers[(node, port)]))
        node = peers[(node, port)][0]
        if node == destination:
            return cables
        if f.nodes[node][0]:  # by its only cable
            port = next(p for n, p in peers if n == node)
        else:
            port = tables[node].get(destination)
    return None


def try_against(number):
    f = tree(random.randint(2, 4), random.randint(1, 3), random.randint(1, 3))
    g, _ = edit(f, random.randint(0, 3), True)
    for name in random.sample(sorted(g.nodes), 2):
        host, guid, lid = g.nodes[name]
        g.nodes[name] = (host, guid + 0x100000, lid) if random.random() < 0.5 else (host, guid, lid + 100)
    if random.random() < 0.3:
        g.nodes["new"], g.level["new"] = (True, 0x777, 99), 0
        g.join(("new", 1), g.free_port("leaf0"))
    if random.random() < 0.3:
        leaf = max(n for n in g.nodes if n.startswith("leaf"))
        del g.nodes[leaf]
        g.cables = {c: s for c, s in g.cables.items() if not any(n == leaf for n, _ in c)}
    before, now = shortest_tables(f, 0.05), shortest_tables(g, 0.05)
    if number % 5 == 0:
        g, now = f, before
    result, status = run("--against", write("old.dot", dot(f, before)), write("new.dot", dot(g, now)))
    got, name = result["against"], "against %d" % number
    both = set(f.nodes) & set(g.nodes)
    check(name + ": nodes", (
        len(both), len([n for n in both if f.nodes[n][1] != g.nodes[n][1]]), len([n for n in both if f.nodes[n][2] != g.nodes[n][2]]),
        len(set(f.nodes) - both), len(set(g.nodes) - both)), tuple(got["nodes"][k] for k in ("same", "replaced", "lid", "removed", "added")))
    kept = set(f.cables) & set(g.cables)
    moves = most_moves(set(f.cables) - kept, set(g.cables) - kept)
    speeds = len([c for c in kept if f.cables[c] != g.cables[c]])
    check(name + ": cables", (len(kept) - speeds, moves, speeds, len(f.cables) - len(kept) - moves, len(g.cables) - len(kept) - moves),
          tuple(got["cables"][k] for k in ("same", "moved", "speed", "removed", "added")))
    hosts = sorted(n for n in both if f.nodes[n][0])
    entries, counts = {}, [0, 0, 0, 0]
    for switch in (n for n in both if not f.nodes[n][0]):
        for host in hosts:
            a, b = before[switch].get(host), now[switch].get(host)
            kind = 0 if a and b and a != b else 1 if a and not b else 2 if b and not a else 3
            counts[kind] += 1 if a or b else 0
            if kind < 3:
                entries.setdefault(switch, [0, 0, 0])[kind] += 1
    check(name + ": entries", (sum(counts), *counts[:3]), tuple(got["entries"][k] for k in ("compared", "changed", "removed", "added")))
    check(name + ": switches", entries, {s["switch"]: [s["changed"], s["removed"], s["added"]] for s in got["entries"]["listed"]})
    routes = {"changed": set(), "lost": set(), "gained": set()}
    for a in hosts:
        for b in hosts:
            was, is_ = (None, None) if a == b else (route(f, before, a, b), route(g, now, a, b))
            if was != is_:
                routes["lost" if is_ is None else "gained" if was is None else "changed"].add((a, b))
    check(name + ": pairs", len(hosts) * (len(hosts) - 1), got["routes"]["pairs"])
    listed = {kind: {(r["source"], r["destination"]) for r in got["routes"]["listed"] if r["change"] == kind} for kind in routes}
    check(name + ": routes", routes, listed)
    check(name + ": status", 0 if f.nodes == g.nodes and f.cables == g.cables and before == now else 4, status)


for i in range(fabrics):
    try_plan(i)
    try_against(i)
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
