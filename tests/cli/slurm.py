#!/usr/bin/env python3
"""Machines and their groups by definition, from a dump of ibnetdiscover: slurm.py FORM DUMP FILE [--machine-name REGEX] [--ports REGEX]

FORM tree, block, yaml: FILE is what orcs-export wrote; scontrol: what 'scontrol show topology' says of it. Prints how many groups there are of
each level. Status 1 if the groups are others, or a list is longer than it need be."""
import argparse
import collections
import itertools
import re
import subprocess
import sys

PRODUCTS = ("Technologies", "InfiniHost", "ConnectX", "InfiniBand", "QLogic", "Voltaire")


def read_dump(path):
    """Nodes: id -> (kind, description); cables: id -> ids at the other ends of cabled ports."""
    data = subprocess.run(["xz", "-dc", path], capture_output=True).stdout if path.endswith(".xz") else open(path, "rb").read()
    nodes, peers, node = {}, collections.defaultdict(list), None
    for line in data.decode("utf-8", "replace").splitlines():
        head = re.match(r'(Switch|Ca|Rt)\s+\d+\s+"([^"]+)"\s*#\s*"(.*?)"', line)
        port = re.match(r'\[\d+\](?:\([0-9a-f]+\))?\s*"([^"]+)"\[\d+\]', line)
        if head:
            node = head[2]
            nodes[node] = (head[1], head[3].strip())
        elif port and node:
            peers[node].append(port[1])
    return nodes, peers


def machine_of(desc, name):
    if name:
        found = re.search(name, desc)
        return found and (found[1] if found.re.groups else found[0]) or None
    words = desc.split()
    return None if not words or any(word in PRODUCTS for word in words) else words[0]


def groups_of(nodes, peers, name, ports):
    """Sets of machines by level, as chosen: classes of switches, then components of switches of ranks 0, 1, .."""
    at = collections.defaultdict(set)
    for node, (kind, desc) in nodes.items():
        if kind != "Ca" or "Aggregation Node" in desc or ports and not re.search(ports, desc):
            continue
        machine = machine_of(desc, name)
        for peer in peers[node]:
            if machine and nodes[peer][0] == "Switch":
                at[machine].add(peer)
    switches = [n for n, (kind, _) in nodes.items() if kind == "Switch"]
    near = {s: {p for p in peers[s] if nodes[p][0] == "Switch"} for s in switches}
    rank, wave = {}, set().union(*at.values())
    for hops in itertools.count():
        if not wave:
            break
        rank.update((s, hops) for s in wave)
        wave = {p for s in wave for p in near[s]} - set(rank)

    def partition(highest):
        """The machines by the components of the switches up to a rank; -1: by common machines alone."""
        links = collections.defaultdict(set)
        for owned in at.values():
            for s in owned:
                links[s] |= owned
        for s in rank:
            links[s] |= {p for p in near[s] if max(rank[s], rank.get(p, 1 << 30)) <= highest}
        seen, parts = set(), []
        for first in rank:
            if first in seen:
                continue
            part, todo = {first}, [first]
            while todo:
                for s in links[todo.pop()] - part:
                    part.add(s)
                    todo.append(s)
            seen |= part
            machines = frozenset(m for m, owned in at.items() if owned & part)
            if machines:
                parts.append(machines)
        return parts

    level = dict.fromkeys(partition(-1), 0)
    for highest in range(max(rank.values()) + 1):
        for group in partition(highest):
            if group not in level:
                level[group] = 1 + max(known for inner, known in level.items() if inner < group)
    return {(known, group) for group, known in level.items()}


def expand(text):
    """The names of a list: brackets are products."""
    names = []
    for part in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text):
        pieces = []
        for plain, inside in re.findall(r"([^\[\]]+)|\[([^\]]*)\]", part):
            if plain:
                pieces.append([plain])
                continue
            choices = []
            for span in inside.split(","):
                low, _, high = span.partition("-")
                choices += ["%0*d" % (len(low), i) for i in range(int(low), int(high or low) + 1)]
            pieces.append(choices)
        names += map("".join, itertools.product(*pieces))
    return names


def fold(names):
    """About as short a list as there is: numbers at the end folded."""
    by, out = collections.defaultdict(list), []
    for name in names:
        prefix, digits = re.match(r"(.*?)(\d{0,18})$", name).groups()
        by[prefix, len(digits)].append(digits)
    for (prefix, width), numbers in by.items():
        if len(numbers) == 1:
            out.append(prefix + numbers[0])
            continue
        spans = []
        for number in sorted(map(int, numbers)):
            if spans and spans[-1][1] == number - 1:
                spans[-1][1] = number
            else:
                spans.append([number, number])
        out.append("%s[%s]" % (prefix, ",".join("-".join("%0*d" % (width, n) for n in sorted(set(span))) for span in spans)))
    return ",".join(out)


def check_list(text, names):
    assert len(set(names)) == len(names), "names twice in " + text
    assert len(text) <= 1.1 * len(fold(names)) + 20, "longer than it need be: " + text


def read_tree(statements):
    """Level and machines of each switch; statements: (name, machines' list, switches' list)."""
    machines, children, level = {}, {}, {}
    for name, nodes, switches in statements:
        assert name not in machines and name not in children, name + " twice"
        assert re.fullmatch(r"[A-Za-z0-9_.-]+", name), "name " + name
        assert bool(nodes) != bool(switches), name
        text = nodes or switches
        (machines if nodes else children)[name] = expand(text)
        check_list(text, expand(text))
    for used in (sum(machines.values(), []), sum(children.values(), [])):
        assert len(set(used)) == len(used), "in two groups: %s" % [n for n, count in collections.Counter(used).items() if count > 1]

    def open_up(name):
        if name in machines:
            return 0, frozenset(machines[name])
        if name not in level:
            inner = [open_up(child) for child in children[name]]
            level[name] = 1 + max(known for known, _ in inner), frozenset().union(*(group for _, group in inner))
        return level[name]
    return {open_up(name) for name in [*machines, *children]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("form")
    parser.add_argument("dump")
    parser.add_argument("file")
    parser.add_argument("--machine-name")
    parser.add_argument("--ports")
    options = parser.parse_args()
    wanted = groups_of(*read_dump(options.dump), options.machine_name, options.ports)
    text = open(options.file).read()
    if options.form == "tree":
        found = read_tree([(n, l if k == "Nodes" else "", l if k == "Switches" else "")
                           for n, k, l in re.findall(r"^SwitchName=(\S+) (Nodes|Switches)=(\S+)$", text, re.M)])
        assert len(text.splitlines()) == text.count("SwitchName=")
    elif options.form == "yaml":
        found = read_tree([(n, l if k == "nodes" else "", l if k == "children" else "")
                           for n, k, l in re.findall(r'^      - switch: "(\S+)"\n        (nodes|children): "(\S+)"$', text, re.M)])
    elif options.form == "scontrol":
        found = {(int(level), frozenset(expand(nodes))) for level, nodes in re.findall(r"^SwitchName=\S+ Level=(\d+) .*?\bNodes=(\S+)", text, re.M)}
    else:
        blocks = [expand(nodes) for nodes in re.findall(r"^BlockName=\S+ Nodes=(\S+)$", text, re.M)]
        found = {(0, frozenset(block)) for block in blocks}
        wanted = {(level, group) for level, group in wanted if not level}
        least, count = min(map(len, blocks)), len(blocks)
        sizes = [least * 2 ** i for i in range(count.bit_length())]
        assert re.search(r"^BlockSizes=(\S+)$", text, re.M)[1] == ",".join(map(str, sizes)), text[-200:]
    print(*("%d of level %d" % (count, level) for level, count in sorted(collections.Counter(level for level, _ in found).items())), sep=", ")
    for level, group in sorted(found ^ wanted, key=lambda g: (g[0], len(g[1]))):
        print("only %s: level %d, %d machines such as %s" % ("found" if (level, group) in found else "wanted", level, len(group), min(group)))
    return found != wanted


try:
    sys.exit(main())
except AssertionError as wrong:
    print(wrong)
    sys.exit(1)
