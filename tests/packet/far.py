"""Writes tables of adaptive routing as in ibdiagnet2.far: far.py GRAPH: all ports of shortest paths to each host are a group; the port of a
host itself is static. The graph has LIDs, GUIDs and numbers of ports."""
import re
import sys

node, edges = {}, {}
for line in open(sys.argv[1]):
    edge = re.match(r'\s*"([^"]+)" -> "([^"]+)" \[(.*)\];', line)
    alone = re.match(r'\s*"([^"]+)" \[(.*)\];', line)
    if edge:
        edges.setdefault(edge.group(1), []).append((edge.group(2), int(re.search(r'\bport="(\d+)"', edge.group(3)).group(1))))
    elif alone:
        node[alone.group(1)] = dict(re.findall(r'(\w+)="([^"]*)"', alone.group(2)))
hosts = [n for n in node if node[n].get("type") == "host"]


def distances(host):
    far, ring = {host: 0}, [host]
    while ring:
        ring = [h for n in ring for h, _ in edges[n] if h not in far and not far.update({h: far[n] + 1})]
    return far


way = {h: distances(h) for h in hosts}
print("# This file holds the tables of adaptive routing.\nFile version: 1\n")
for n in node:
    if n in hosts:
        continue
    groups, rows = [], []
    for h in hosts:
        ports = sorted(port for head, port in edges[n] if way[h][head] < way[h][n])
        if ports not in groups:
            groups.append(ports)
        static = len(ports) == 1
        rows.append("0x%04x  %-12d %-10s %d" % (int(node[h]["lid"], 0), ports[0], "Static" if static else "Free", groups.index(ports)))
    print("Switch 0x%016x, ar: enabled, fr: disabled, by_sl: 0xffff\n" % int(node[n]["guid"], 16))
    print("Groups Definition:\nGroup  Sub Group  WHBF  Ports\n" + "-" * 40)
    for i, ports in enumerate(groups):
        print("%-6d 0          0     %s" % (i, " ".join("%d," % p for p in ports)))
    print("\nLFT Definition:\nPLFT_NUM: 0, top: 0x%04x\nLID     Static Port  Lid State  Group\n" % max(int(node[h]["lid"], 0) for h in hosts) + "-" * 40)
    print("\n".join(rows) + "\n")
    print("PLFT_NUM: 1, top: 0x0002\nLID     Static Port  Lid State  Group\n" + "-" * 40 + "\n0x0001  1            Static     0\n0x0002  1            Free       9\n")
