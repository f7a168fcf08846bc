#!/usr/bin/env python3
"""The program of orcs-report --pattern, found without its code: report_program.py FABRIC.dot SEED TRACE MAP OUT

Writes a random program of plain events to TRACE and the hosts of its tasks to MAP; to OUT what its phases put on channels: a line with messages,
phases, bytes, bytes on the fullest channels of all phases and on the fullest links of hosts, then one for the slowest message's bytes.
"""
import random
import sys
from collections import defaultdict

from graphs import hosts_of, read, ways_of


def main():
    fabric, seed, trace, places, out = sys.argv[1:]
    rng = random.Random(int(seed))
    kinds, edges = read(open(fabric))
    hosts = hosts_of(kinds)
    ways = ways_of(hosts, edges)
    tasks = rng.randint(2, len(hosts))
    host = rng.sample(hosts, tasks) if rng.random() < 0.7 else [rng.choice(hosts) for _ in range(tasks)]
    depth, phases, lines, messages = [0] * tasks, defaultdict(lambda: defaultdict(int)), [], 0
    for _ in range(rng.randint(1, 80)):
        a, b = rng.sample(range(tasks), 2)
        size = rng.choice([1, 100, 4096, 100000])
        lines += ["s %d %d 0 %d" % (a, b, size), "r %d %d 0 %d" % (a, b, size)]
        phases[depth[a]][a, b] += size
        depth[b] = max(depth[b], depth[a] + 1)
        messages += 1
    lines.append("c %d 0" % (tasks - 1))
    for path, text in (trace, lines), (places, host):
        with open(path, "w") as file:
            file.write("\n".join(text) + "\n")

    def route(a, b):
        node, found = a, []
        while node != b:
            found.append(ways[node, b][0])
            node = edges[found[-1]][1]
        return found

    fullest = least = slowest = 0
    for pairs in phases.values():
        channels, links, own = defaultdict(int), defaultdict(int), {}
        for (a, b), size in pairs.items():
            if host[a] == host[b]:
                continue
            own[a, b] = route(host[a], host[b])
            links[own[a, b][0]] += size
            links[own[a, b][-1]] += size
            for c in own[a, b]:
                channels[c] += size
        fullest += max(channels.values(), default=0)
        least += max(links.values(), default=0)
        for found in own.values():
            slowest = max(slowest, max(channels[c] for c in found))
    total = sum(sum(pairs.values()) for pairs in phases.values())
    with open(out, "w") as file:
        file.write("%d %d %d %d %d %d\n" % (messages, len(phases), total, fullest, least, slowest))


if __name__ == "__main__":
    main()
