"""The lanes of an all-to-all by the attributes of a graph, and the dependencies between them, as one line:
   dependencies; for each lane its number, the channels with packets on it, and its share of the channels passed."""
import collections
import re
import sys


def attributes(text):
    return {key: value.replace('\\"', '"') for key, value in re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', text)}


def ports(text):
    for span in text.split(","):
        first, _, last = span.partition("-")
        yield from range(int(first), int(last or first) + 1)


hosts, channels, next_channel = {}, [], {}
for line in open(sys.argv[1]):
    edge = re.match(r'\t"([^"]*)" -> "([^"]*)" \[(.*)\];', line)
    node = re.match(r'\t"([^"]*)" \[(.*)\];', line)
    if edge:
        a = attributes(edge[3])
        c = len(channels)
        table = {}
        for group in filter(None, a.get("sl2vl", "").split(";")):
            which, lanes = group.split(":")
            table.update((port, [int(lane) for lane in lanes.split(",")]) for port in ports(which))
        channels.append((edge[1], edge[2], int(a["peer_port"]), table))
        for host in a["comment"].split(","):
            next_channel[edge[1], host] = c
    elif node and attributes(node[2])["type"] == "host":
        levels = {}
        for group in filter(None, attributes(node[2]).get("sl", "").split(";")):
            level, names = group.split(":")
            levels.update((name, int(level)) for name in names.split(","))
        hosts[node[1]] = levels
tables = any(channel[3] for channel in channels)
passes, uses, waits = collections.Counter(), collections.defaultdict(set), set()
for source, levels in hosts.items():
    for destination in hosts:
        if source == destination:
            continue
        level, at, before = levels.get(destination, 0), source, None
        while at != destination:
            c = next_channel.get((at, destination), next_channel.get((at, "*")))
            table = channels[c][3]
            port = channels[before[0]][2] if before else 0
            lane = table[port][level] if port in table else 0 if tables else level
            passes[lane] += 1
            uses[lane].add(c)
            if before and channels[before[0]][0] not in hosts and channels[c][1] not in hosts:
                waits.add((before, (c, lane)))
            before, at = (c, lane), channels[c][1]
total = sum(passes.values())
print(len(waits), *(f"{lane}:{len(uses[lane])}:{passes[lane] / total:.6f}" for lane in sorted(uses)))
