"""Reference for routes on demand: random graphs, and the loads of shortest paths by plain searches.

demand.py graph SEED: writes a random graph: hosts with one or two links, parallel cables, one-way channels, parts without a path.
demand.py pairs SEED HOSTS COUNT: writes COUNT random pairs of ranks as a pattern.
demand.py check ENGINE GRAPH PAIRS RESULT: compares the loads and hops of ENGINE (bfs, ecmp with all routes, or ksp:K with all routes).
demand.py delivered GRAPH PAIRS FAILED RESULT: compares the delivered share by bfs with failed cables (FAILED: what orcs -v lists).
demand.py mirror|up_down TABLES ROUTES, by_group ROUTES GROUPS: source routes of smodk, updown, valiant-group.
"""
import heapq
import json
import random
import re
import sys
from fractions import Fraction


def write_graph(seed):
    rng = random.Random(seed)
    switches, hosts = rng.randint(3, 12), rng.randint(3, 14)
    names = ["S%d" % i for i in range(switches)] + ["H%d" % i for i in range(hosts)]
    rng.shuffle(names)
    print("digraph random {")
    for name in names:
        print('\t%s [type="%s"];' % (name, "host" if name[0] == "H" else "switch"))

    def cable(a, b, one_way=False):
        print("\t%s -> %s;" % (a, b))
        if not one_way:
            print("\t%s -> %s;" % (b, a))

    order = list(range(switches))
    rng.shuffle(order)
    for i in range(1, switches):  # mostly connected
        if rng.random() < 0.95:
            cable("S%d" % order[i], "S%d" % order[rng.randrange(i)])
    for _ in range(rng.randint(0, 2 * switches)):
        a, b = rng.sample(range(switches), 2)
        cable("S%d" % a, "S%d" % b, rng.random() < 0.2)
    for h in range(hosts):
        for s in rng.sample(range(switches), 2 if rng.random() < 0.2 else 1):
            cable("H%d" % h, "S%d" % s)
    print("}")


def read_graph(path):
    """Returns the hosts in order, and the channels of each node: (number, head), in the order of heads, then of the file."""
    nodes, edges = [], []
    for line in open(path).read().replace("\"", "").splitlines():
        node = re.match(r"\s*(\w+)(?: \[.*)?;?$", line)
        edge = re.match(r"\s*(\w+) -> (\w+)", line)
        if edge:
            edges.append(edge.groups())
        elif node and node.group(1) not in ("node", "graph", "edge"):
            nodes.append((node.group(1), "host" if node.group(1)[0] == "H" else "switch"))
    number = {name: i for i, (name, _) in enumerate(nodes)}
    out = {n: [] for n, _ in nodes}
    for i, (a, b) in enumerate(edges):
        out[a].append((i, b))
    for a in out:
        out[a].sort(key=lambda e: (number[e[1]], e[0]))
    return [n for n, kind in nodes if kind == "host"], out


def distances(out, to, without=()):
    """Channels from each node to a host; other hosts do not forward, nor do the nodes of a path."""
    back = {n: [] for n in out}
    for a in out:
        for _, b in out[a]:
            back[b].append(a)
    far, queue = {to: 0}, [to]
    for v in queue:
        if v[0] == "H" and v != to:
            continue
        for u in back[v]:
            if u not in far and u not in without:
                far[u] = far[v] + 1
                queue.append(u)
    return far


def forward(out, far, node, to):
    return [(c, b) for c, b in out[node] if far.get(b) == far[node] - 1 and (b == to or b[0] != "H")]


def loads_of(engine, out, source, to, far):
    """The share of a message on each channel, and its hops; None without a route."""
    if source not in far:
        return None
    if engine == "bfs":
        node, load = source, {}
        while node != to:
            c, node = forward(out, far, node, to)[0]
            load[c] = Fraction(1)
        return load, len(load)
    share, load = {source: Fraction(1)}, {}
    for _ in range(far[source]):
        after = {}
        for node, part in share.items():
            ways = forward(out, far, node, to)
            for c, b in ways:
                load[c] = load.get(c, 0) + part / len(ways)
                after[b] = after.get(b, 0) + part / len(ways)
        share = after
    return load, far[source]


def shortest_lengths(out, source, to, far, k):
    """The lengths of the k shortest routes without a node twice, by taking partial routes in the order of what they come to at least."""
    heap, found, tie = [(far.get(source, 0), 0, 0, (source,))], [], 0
    while heap and len(found) < k:
        _, _, length, path = heapq.heappop(heap)
        if path[-1] == to:
            found.append(length)
            continue
        rest = distances(out, to, path)  # a node from which only nodes of the path lead on is no beginning
        for _, b in out[path[-1]]:
            if b not in path and (b == to or b[0] != "H") and b in rest:
                tie -= 1
                heapq.heappush(heap, (length + 1 + rest[b], tie, length + 1, path + (b,)))
    return found


def check(engine, graph, pairs, result):
    hosts, out = read_graph(graph)
    throughput = json.load(open(result))["metrics"]["throughput"]
    load, hops, flows, lost, cache = {}, Fraction(0), 0, 0, {}
    for line in open(pairs):
        _, s, d = line.split()[:3]
        source, to = hosts[int(s)], hosts[int(d)]
        if to not in cache:
            cache[to] = distances(out, to)
        if engine.startswith("ksp:"):
            lengths = shortest_lengths(out, source, to, cache[to], int(engine[4:]))
            if not lengths:
                lost += 1
                continue
            flows += 1
            mean = Fraction(sum(lengths), len(lengths))
            hops += int(mean + Fraction(1, 2))
            continue
        got = loads_of(engine, out, source, to, cache[to])
        if not got:
            lost += 1
            continue
        flows += 1
        hops += got[1]
        for c, part in got[0].items():
            load[c] = load.get(c, 0) + part
    wanted = {"flows": flows, "unroutable": lost}
    if flows:
        wanted["mean_hops"] = float(hops / flows)
    if load:
        wanted["max_load"] = float(max(load.values()))
    for key, value in wanted.items():
        if abs(throughput[key] - value) > 1e-9 * max(1, abs(value)):
            sys.exit("%s is %r, not %r" % (key, throughput[key], value))


def delivered(graph, pairs, failed, result):
    """Routes by bfs that meet none of the cables that orcs lists."""
    hosts, out = read_graph(graph)
    ends = [re.findall(r"(\S+)(?: port \d+)?(?: - |$)", line.strip().split(" fails ")[1]) for line in open(failed) if " fails " in line]
    gone = {tuple(e) for e in ends} | {tuple(e[::-1]) for e in ends}
    arrived = total = 0
    for line in open(pairs):
        _, s, d = line.split()[:3]
        node, to = hosts[int(s)], hosts[int(d)]
        far, alive = distances(out, to), True
        while node != to:
            _, head = forward(out, far, node, to)[0]
            alive &= (node, head) not in gone
            node = head
        arrived += alive
        total += 1
    got = json.load(open(result))
    if not ends or abs(got["delivered"] - arrived / total) > 1e-12 or got["unroutable"] != total - arrived:
        sys.exit("delivered is %r, not %d of %d" % (got["delivered"], arrived, total))


def read_routes(path):
    """The routes of a file of orcs-route, as lists of nodes, by pair."""
    routes = {}
    for line in open(path):
        if line.strip() and line[0] != "#":
            nodes = re.sub(r"\[[^]]*\]", "", line.split(None, 1)[1].strip()).split(",")
            routes.setdefault((nodes[0], nodes[-1]), []).append(nodes)
    return routes


def follow_tables(path):
    """The routes of a routed graph, by its forwarding sets."""
    out, hosts = {}, []
    for line in open(path).read().replace('"', "").splitlines():
        edge = re.match(r"\s*(\w+) -> (\w+)", line)
        node = re.match(r"\s*(H\w+)(?: \[.*)?;", line)
        if edge:
            listed = re.search(r"comment=([^\]\s]*)", line)
            out.setdefault(edge.group(1), []).append((edge.group(2), listed.group(1).split(",") if listed else []))
        elif node:
            hosts.append(node.group(1))
    routes = {}
    for s in hosts:
        for d in hosts:
            nodes = [s]
            while nodes[-1] != d:
                nodes.append(next((b for b, to in out[nodes[-1]] if d in to), None) or next(b for b, to in out[nodes[-1]] if to == ["*"]))
            routes[s, d] = nodes
    if not routes:
        sys.exit("%s has no hosts" % path)
    return routes


def mirror(tables, routes):
    """S-mod-K is D-mod-K backwards."""
    forth, back = follow_tables(tables), read_routes(routes)
    for (s, d), nodes in forth.items():
        if s != d and back[d, s] != [nodes[::-1]]:
            sys.exit("from %s to %s: %r, not %r backwards" % (d, s, back[d, s], nodes))


def up_down(tables, routes, turns):
    """As long as by D-mod-K, first up then down; in turns the ports up of a switch differ by one route, otherwise all are used."""
    forth, got, ups = follow_tables(tables), read_routes(routes), {}
    level = lambda node: 0 if node[0] == "H" else int(node[1:].split("_")[0])
    for (s, d), nodes in forth.items():
        if s == d:
            continue
        (route,) = got[s, d]
        levels = [level(n) for n in route]
        top = levels.index(max(levels))
        if len(route) != len(nodes) or levels != sorted(levels[:top]) + sorted(levels[top:], reverse=True) or len(set(route)) != len(route):
            sys.exit("from %s to %s: %r" % (s, d, route))
        for a, b in zip(route[:top], route[1:top + 1]):
            ups.setdefault(a, {}).setdefault(b, 0)
            ups[a][b] += 1
    for node, uses in ups.items():
        if node[0] == "S" and (max(uses.values()) - min(uses.values()) > 1 if turns == "turns" else len(uses) < 2):
            sys.exit("%s: %r" % (node, uses))


def by_group(routes, groups):
    """At most three groups, one cable between two in a row, and every group as likely as any other."""
    count, other = 0, 0
    for (s, d), (nodes,) in read_routes(routes).items():
        visited = []
        for n in nodes:
            g = int(re.findall(r"\d+", n)[0])
            if not visited or visited[-1] != g:
                visited.append(g)
        if len(visited) > 3 or len(set(visited)) < len(visited) - (visited[0] == visited[-1] and len(visited) > 1):
            sys.exit("from %s to %s: groups %r" % (s, d, visited))
        if visited[0] != visited[-1]:
            count += 1
            other += len(visited) == 3
    wanted = (int(groups) - 2) / int(groups)
    if abs(other / count - wanted) > 4 * (wanted * (1 - wanted) / count) ** 0.5:
        sys.exit("%d of %d routes take another group, not %g" % (other, count, wanted))


if __name__ == "__main__":
    if sys.argv[1] == "graph":
        write_graph(int(sys.argv[2]))
    elif sys.argv[1] == "pairs":
        rng = random.Random(int(sys.argv[2]))
        for _ in range(int(sys.argv[4])):
            a, b = rng.sample(range(int(sys.argv[3])), 2)
            print(0, a, b)
    elif sys.argv[1] in ("mirror", "up_down", "by_group"):
        {"mirror": mirror, "up_down": up_down, "by_group": by_group}[sys.argv[1]](*sys.argv[2:])
    elif sys.argv[1] == "delivered":
        delivered(*sys.argv[2:6])
    else:
        check(*sys.argv[2:6])
