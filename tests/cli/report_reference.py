"""Routes, loads, fair shares and classes, counted without any of the program's code: by walking graphs and dumps."""

import collections
import lzma
import re

from graphs import hosts_of, read, ways_of

LIMITS = [0, 0.5, 1.05, 1.5, 2, 4, float("inf")]


class Fabric:
    """Channels by (tail, head, port, peer port), the route counts of all pairs, and what follows from them for a tree."""

    def __init__(self, hosts, channels, following):
        """hosts: names; channels: list of (tail, head, port, peer port, speed); following(node, destination): index of a channel or None."""
        self.hosts, self.channels = hosts, channels
        self.routes = [0] * len(channels)
        self.count(following)
        self.find_levels()

    def count(self, following):
        self.unreachable = 0
        own = collections.defaultdict(list)
        for number, channel in enumerate(self.channels):
            own[channel[0]].append(number)
        link = {host: own[host][0] for host in self.hosts if len(own[host]) == 1}  # their only way
        reached = collections.Counter()
        starts = collections.Counter(self.channels[link[host]][1] if host in link else host for host in self.hosts)
        for destination in self.hosts:
            start = self.channels[link[destination]][1] if destination in link else destination
            distance, step = {destination: 0}, {}

            def walk(node):
                path = []
                while node not in distance:
                    path.append(node)
                    step[node] = following(node, destination)
                    node = None if step[node] is None else self.channels[step[node]][1]
                    if node is None or node in path:  # no entry, or a loop
                        distance[node] = None
                for place, seen in enumerate(reversed(path)):
                    distance[seen] = None if distance[node] is None else distance[node] + 1 + place

            weight = collections.Counter()
            for node, hosts in starts.items():
                hosts -= node == start
                walk(node)
                if distance[node] is None:
                    self.unreachable += hosts
                    continue
                weight[node] += hosts
            reached.update(node for node in starts if distance[node] is not None)
            for node in sorted((n for n in step if distance.get(n)), key=lambda n: -distance[n]):
                if weight[node]:
                    self.routes[step[node]] += weight[node]
                    weight[self.channels[step[node]][1]] += weight[node]
        for host, number in link.items():
            leaf = self.channels[number][1]
            self.routes[number] += reached[leaf] - 1  # not to itself

    def find_levels(self):
        into = collections.defaultdict(set)
        for tail, head, *_ in self.channels:
            into[tail].add(head)
            into[head].add(tail)
        self.rank = {host: 0 for host in self.hosts}
        queue = list(self.hosts)
        for node in queue:
            for other in into[node]:
                if other not in self.rank:
                    self.rank[other] = self.rank[node] + 1
                    queue.append(other)

    def loads(self):
        """Loads and excesses of all channels of a tree with one speed for all hosts."""
        n = len(self.hosts)
        usual = collections.Counter(c[4] for c in self.channels if c[0] in set(self.hosts)).most_common(1)[0][0]
        load = [r / (n - 1) * usual / c[4] for r, c in zip(self.routes, self.channels)]
        share = [1.0] * len(load)
        for level in range(max(self.rank.values())):
            part = self.parts(level)
            inside = collections.Counter(part[host] for host in self.hosts)
            up, down = collections.Counter(), collections.Counter()
            for tail, head, _, _, speed in self.channels:
                if self.rank[tail] <= level < self.rank[head]:
                    up[part[tail]] += speed / usual
                if self.rank[head] <= level < self.rank[tail]:
                    down[part[head]] += speed / usual
            for i, (tail, head, *_) in enumerate(self.channels):
                low, total = (tail, up) if self.rank[tail] == level < self.rank[head] else (head, down)
                if self.rank[low] == level < max(self.rank[tail], self.rank[head]):
                    count = inside[part[low]]
                    share[i] = max(1, count * (n - count) / ((n - 1) * total[part[low]]))
        return load, share, [a / b for a, b in zip(load, share)]

    def parts(self, level):
        """The parts that are left without the switches above a level."""
        above = {node: node for node, rank in self.rank.items() if rank <= level}

        def root(node):
            while above[node] != node:
                above[node] = above[above[node]]
                node = above[node]
            return node

        for tail, head, *_ in self.channels:
            if tail in above and head in above:
                above[root(tail)] = root(head)
        return {node: root(node) for node in list(above)}


def class_of(routes, excess):
    return 0 if not routes else next(i for i, limit in enumerate(LIMITS) if i and excess <= limit * (1 + 1e-6))


def of_graph(path):
    """A graph; names are those of its nodes."""
    with open(path, encoding="utf-8") as file:
        kinds, edges = read(file)
    hosts = hosts_of(kinds)
    ways = ways_of(hosts, edges)

    def port(values, name):
        return int(values.get(name, 0))

    channels = [(tail, head, port(v, "port"), port(v, "peer_port"), 1.0) for tail, head, v in edges]
    only = {}
    for number, (tail, *_) in enumerate(channels):
        only.setdefault(tail, []).append(number)
    return Fabric(hosts, channels, lambda node, to: (ways.get((node, to)) or (only[node] if len(only.get(node, [])) == 1 else [None]))[0])


def lines_of(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def of_dumps(topology, tables):
    """Dumps of ibnetdiscover and dump_fts, read here; names are GUIDs, of a host that of its port."""
    speeds = {"SDR": 2.5, "DDR": 5, "QDR": 10, "FDR10": 10, "FDR": 14, "EDR": 25, "HDR": 50, "NDR": 100}
    hosts, lid, channels, by_port, own = {}, {}, [], {}, None
    for line in lines_of(topology):
        switch = re.match(r'Switch\t\d+ "S-([0-9a-f]+)"', line)
        adapter = re.match(r'Ca\t\d+ "H-([0-9a-f]+)"\s+# "(.*)"', line)
        if switch:
            own = ("S", switch.group(1))
        elif adapter:
            own = None if "Aggregation" in adapter.group(2) else ("H", adapter.group(1))
        link = re.match(r'\[(\d+)\](?:\(([0-9a-f]+)\))?\s+"([SH])-([0-9a-f]+)"\[(\d+)\](?:\(([0-9a-f]+)\))?.*?(\d+)x(\w+)', line)
        if not link or not own:
            continue
        port, port_guid, kind, guid, peer, peer_guid, lanes, speed = link.groups()
        if own[0] == "S" and kind == "H" and "Aggregation" in line:
            continue
        tail = own[1] if own[0] == "S" else port_guid
        head = guid if kind == "S" else peer_guid
        if own[0] == "H":
            hosts[tail] = None
            lid[int(re.search(r"# lid (\d+)", line).group(1))] = tail
        by_port[tail, int(port)] = len(channels)
        channels.append((tail, head, int(port), int(peer), int(lanes) * speeds[speed]))
    table, guid = {}, None
    for line in lines_of(tables):
        start = re.search(r"guid 0x([0-9a-f]+)", line) if line.startswith("Unicast lids") else None
        entry = re.match(r"0x([0-9a-f]{4}) (\d{3}) ", line)
        if start:
            guid = start.group(1)
        elif entry and int(entry.group(1), 16) in lid:
            table[guid, lid[int(entry.group(1), 16)]] = by_port.get((guid, int(entry.group(2))))
    first = {channels[i][0]: i for i in range(len(channels)) if channels[i][0] in hosts}
    return Fabric(list(hosts), channels, lambda node, to: first[node] if node in first else table.get((node, to)))
