"""Reads a dot graph that orcs-route wrote, one statement a line, with no help of the programs, and tells what its routes are worth:

    check_routes.py GRAPH [PROPERTY...]

Properties: routable (every pair of hosts that cables join has a route), minimal (no route is longer than the shortest), legal (no channel
waits for itself: the channel dependency graph with lanes has no circle), lanes=N (no lane above N-1 is used), multipath (every channel
lists just the hosts that it leads nearer to; the first of several is the route). It prints a line for each that
does not hold, and ends with the status 1 then. Without a property it prints numbers: pairs, unroutable, hops, the largest load.
"""
import re
import sys
from collections import defaultdict, deque

STATEMENT = re.compile(r'^\s*"((?:[^"\\]|\\.)*)"(?:\s*->\s*"((?:[^"\\]|\\.)*)")?\s*(?:\[(.*)\])?;$')
ATTRIBUTE = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Graph:
    def __init__(self, path, multipath=False):
        self.type, self.sl, self.out = {}, {}, defaultdict(list)
        self.head, self.tail, self.lane_table = [], [], []
        self.table, self.any, self.sets = defaultdict(dict), {}, []
        default = None
        for line in open(path):
            kind = re.match(r'^\s*node \[type="?(\w+)"?\];$', line)
            if kind:
                default = kind.group(1)
            found = STATEMENT.match(line)
            if not found:
                continue
            tail, head, text = found.groups()
            attribute = dict(ATTRIBUTE.findall(text or ""))
            if head is None:
                self.type.setdefault(tail, attribute.get("type", default))
                if "type" in attribute:
                    self.type[tail] = attribute["type"]
                if "sl" in attribute:
                    self.sl[tail] = self.read_levels(attribute["sl"])
                continue
            channel = len(self.head)
            self.tail.append(tail)
            self.head.append(head)
            self.out[tail].append(channel)
            self.lane_table.append(self.read_lanes(attribute.get("sl2vl", "")))
            for name in attribute.get("comment", "").split(","):
                if name == "*":
                    self.any[tail] = channel
                elif name:
                    assert multipath or name not in self.table[tail], "%s lists %s twice" % (tail, name)
                    self.table[tail].setdefault(name, channel)
            self.sets.append(set(attribute.get("comment", "").split(",")) - {""})
        for node in list(self.out) + self.head:
            if self.type.get(node) is None:
                self.type[node] = "host" if node.startswith("H") else "switch"
        self.hosts = [node for node in self.type if self.type[node] == "host"]
        self.direct = len(self.hosts) == len(self.type)  # then hosts forward

    @staticmethod
    def read_levels(text):
        return {name: int(level) for part in text.split(";") if part for level, names in [part.split(":")] for name in names.split(",")}

    @staticmethod
    def read_lanes(text):
        return [int(lane) for lane in text.split(":")[1].split(",")] if text else None

    def next(self, node, destination):
        return self.table[node].get(destination, self.any.get(node))

    def route(self, source, destination):
        """The channels; None where there is no route."""
        channels, node = [], source
        while node != destination:
            channel = self.next(node, destination)
            if channel is None or len(channels) > len(self.type):
                return None
            channels.append(channel)
            node = self.head[channel]
        return channels

    def lane(self, channel, level, tables):
        if not tables:
            return level
        return self.lane_table[channel][level] if self.lane_table[channel] else 0

    def distances(self, destination, into):
        """Of all nodes, by ways that no host forwards, but where all nodes are hosts."""
        distance, queue = {destination: 0}, deque([destination])
        while queue:
            node = queue.popleft()
            if node != destination and self.type[node] == "host" and not self.direct:
                continue
            for channel in into[node]:
                if self.tail[channel] not in distance:
                    distance[self.tail[channel]] = distance[node] + 1
                    queue.append(self.tail[channel])
        return distance


def circle(after):
    """Whether a directed graph has one, by taking away all that nothing leads to."""
    degree = defaultdict(int)
    for ends in after.values():
        for end in ends:
            degree[end] += 1
    ready, left = [v for v in after if not degree[v]], set(after) | set(degree)
    while ready:
        v = ready.pop()
        left.discard(v)
        for end in after.get(v, ()):
            degree[end] -= 1
            if not degree[end]:
                ready.append(end)
    return bool(left)


def main():
    wanted = sys.argv[2:]
    graph = Graph(sys.argv[1], "multipath" in wanted)
    into = defaultdict(list)
    for channel, head in enumerate(graph.head):
        into[head].append(channel)
    tables = any(table for table in graph.lane_table)
    after, load, lanes, said = defaultdict(set), defaultdict(int), {0}, set()
    pairs = unroutable = hops = longer = 0

    def say(text):
        if text.split(":")[0] not in said:
            print(text)
        said.add(text.split(":")[0])

    for destination in graph.hosts:
        distance = graph.distances(destination, into)
        for channel, (tail, head) in enumerate(zip(graph.tail, graph.head) if "multipath" in wanted else ()):
            passes = head == destination or graph.type[head] == "switch" or graph.direct
            nearer = tail != destination and passes and head in distance and distance.get(tail) == distance[head] + 1
            if graph.sets[channel] != {"*"} and nearer != (destination in graph.sets[channel]):
                say("not multipath: %s -> %s and %s" % (tail, head, destination))
        for source in graph.hosts:
            if source == destination:
                continue
            pairs += 1
            route = graph.route(source, destination)
            if route is None:
                unroutable += 1
                if "routable" in wanted and source in distance:
                    say("not routable: %s to %s" % (source, destination))
                continue
            hops += len(route)
            longer += len(route) > distance[source]
            if "minimal" in wanted and len(route) > distance[source]:
                say("not minimal: %s to %s takes %d channels, not %d" % (source, destination, len(route), distance[source]))
            level = graph.sl.get(source, {}).get(destination, 0)
            vertices = [(channel, graph.lane(channel, level, tables)) for channel in route]
            lanes.update(lane for _, lane in vertices)
            for first, second in zip(vertices, vertices[1:]):
                after[first].add(second)
            for channel in route:
                load[channel] += 1
    if "legal" in wanted and circle(after):
        say("not legal: channels wait for one another in a circle")
    for word in wanted:
        if word.startswith("lanes=") and max(lanes) >= int(word[6:]):
            say("too many lanes: %d" % (max(lanes) + 1))
    if not wanted:
        print("pairs %d unroutable %d longer %d hops %d most %d lanes %d circle %d" %
              (pairs, unroutable, longer, hops, max(load.values(), default=0), max(lanes) + 1, circle(after)))
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
