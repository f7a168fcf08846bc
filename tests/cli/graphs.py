"""Dot graphs as orcs-dot(5) describes them, for tests that follow routes themselves."""
import re

EDGE = re.compile(r'^\s*"([^"]+)" -> "([^"]+)" \[(.*)\];?$')
NODE = re.compile(r'^\s*"([^"]+)"(?: \[(.*)\])?;?$')
VALUE = re.compile(r'(\w+)="([^"]*)"')


def read(lines):
    """Nodes with their kinds, in the order of their first statements; edges as (tail, head, attributes)."""
    kinds, edges, plain = {}, [], None
    for line in lines:
        edge, node = EDGE.match(line), NODE.match(line)
        if edge:
            edges.append((edge.group(1), edge.group(2), dict(VALUE.findall(edge.group(3)))))
        elif re.match(r'^\s*node \[', line):
            plain = dict(VALUE.findall(line)).get("type", plain)
        elif node:
            kind = dict(VALUE.findall(node.group(2) or "")).get("type", plain)
            kinds.setdefault(node.group(1), kind or {"H": "host", "S": "switch"}.get(node.group(1)[0]))
    return kinds, edges


def hosts_of(kinds):
    return [node for node, kind in kinds.items() if kind == "host"]


def ways_of(hosts, edges):
    """By (node, destination) the numbers of the edges that list the destination."""
    ways, named = {}, {}
    for tail, _, values in edges:
        named.setdefault(tail, {tail}).update(values.get("comment", "").split(","))
    for number, (tail, _, values) in enumerate(edges):
        for name in values.get("comment", "").split(","):
            for to in [h for h in hosts if h not in named[tail]] if name == "*" else [name] if name else []:
                ways.setdefault((tail, to), []).append(number)
    return ways


def speeds_of(hosts, edges):
    """Speeds of edges, relative to the slowest link of a host."""
    speeds, hosts = [float(values.get("speed", "1").split()[0]) for _, _, values in edges], set(hosts)
    slowest = min((s for (tail, head, _), s in zip(edges, speeds) if tail in hosts or head in hosts), default=1)
    return [s / slowest for s in speeds]
