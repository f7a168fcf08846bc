#!/usr/bin/env python3
"""
A second reading of the dumps of InfiniBand fabrics, to hold orcs-import against: regular expressions over the whole text, dictionaries
by GUID and port. It shares nothing with the program but knowledge of the formats.

    reference.py show FABRIC.dot     prints the graph in short: nodes, channels and their forwarding sets, sorted
"""
import functools
import gzip
import lzma
import re
import sys

# Gb/s of one lane, by the names that ibnetdiscover and ibsim use.
LANE = {"SDR": 2.5, "DDR": 5, "QDR": 10, "FDR10": 10, "FDR": 14, "EDR": 25, "HDR": 50, "NDR": 100, "XDR": 200}
# Gb/s of one lane as iblinkinfo measures it.
MEASURED = {"2.5": 2.5, "5.0": 5, "10.0": 10, "14.0625": 14, "25.78125": 25, "53.125": 50, "106.25": 100, "212.5": 200}


@functools.lru_cache(maxsize=16)
def read_text(path):
    """The text of a file, decompressed; without a byte order mark, lines ended by a line feed."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] == b"\xfd7zXZ\0":
        data = lzma.decompress(data)
    elif data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data.decode("utf-8", "surrogateescape").lstrip("\ufeff").replace("\r\n", "\n")


class Port:
    def __init__(self):
        self.guid = self.lid = self.peer = self.width = self.lane = None
        self.lmc = 0

    def speed(self):
        """Gb/s of the channel that leaves by this port, or None."""
        return int(self.width[:-1]) * self.lane if self.width and self.lane else None


class Node:
    def __init__(self, kind, guid):
        self.kind, self.guid, self.desc, self.size, self.lid, self.ports = kind, guid, None, None, None, {}

    def port(self, number):
        return self.ports.setdefault(int(number), Port())

    def aggregation(self):
        return self.kind == "H" and "Aggregation Node" in (self.desc or "")


class Fabric:
    """Nodes by (kind, GUID), kind H, S or R."""

    def __init__(self):
        self.nodes = {}
        self.by_guids = True  # the GUIDs are those of the file; else they come from the order of its nodes

    def node(self, kind, guid):
        return self.nodes.setdefault((kind, guid), Node(kind, guid))

    def connect(self, a, a_port, b, b_port):
        """Both ends know the cable, also where the dump tells it from one only."""
        a.port(a_port).peer = (b, int(b_port))
        if b.port(b_port).peer is None:
            b.port(b_port).peer = (a, int(a_port))

    def rate(self, port, text):
        match = re.match(r"(\d+x)([A-Z]+10|[A-Z]+)?", text)
        if match:
            port.width, port.lane = match[1], LANE.get(match[2])


def ibnetdiscover(text):
    """ibnetdiscover without -p, and nets of ibsim that are written like it; logs of terminals can lack tabs."""
    fabric, node = Fabric(), None
    header = re.compile(r'(Switch|Ca|Rt)\s*(\d+)\s+"[SHR]-([0-9a-f]+)"\s*#\s*"(.*)"(?: (?:base|enhanced) port 0 lid (\d+) lmc \d+)?\s*$')
    port = re.compile(
        r'\[(\d+)\](?:\[ext \d+\])?(?:\(([0-9a-f]+)\))?\s*"([SHR])-([0-9a-f]+)"\[(\d+)\](?:\[ext \d+\])?(?:\(([0-9a-f]+)\))?'
        r'\s*#\s*(?:lid (\d+) lmc (\d+) )?"(.*)" lid (\d+) (\S+)'
    )
    for line in text.split("\n"):
        found = header.match(line)
        if found:
            node = fabric.node({"Switch": "S", "Ca": "H", "Rt": "R"}[found[1]], int(found[3], 16))
            node.size, node.desc = int(found[2]), found[4]
            if found[5]:
                node.lid = int(found[5])
            continue
        found = port.match(line)
        if found and node:
            mine, peer = node.port(found[1]), fabric.node(found[3], int(found[4], 16))
            fabric.connect(node, found[1], peer, found[5])
            fabric.rate(mine, found[11])
            theirs = peer.port(found[5])
            if node.kind != "S" and found[2]:
                mine.guid = int(found[2], 16)
            if peer.kind != "S" and found[6]:
                theirs.guid = int(found[6], 16)
            if found[7] and found[7] != "65535":
                mine.lid, mine.lmc = int(found[7]), int(found[8])
            if peer.kind != "S" and found[10] != "65535":
                theirs.lid = int(found[10])
    return fabric


def port_list(text):
    """ibnetdiscover -p. Node GUIDs of adapters are not in it: the port GUID stands for them."""
    fabric = Fabric()
    end = r"(CA|SW|RT)\s+(\d+)\s+(\d+) 0x([0-9a-f]{16})"
    line = re.compile("^" + end + r" (\d+x) (\S+) - " + end + r" \( '(.*)' - '(.*)' \)$", re.M)
    kind = {"CA": "H", "SW": "S", "RT": "R"}
    for found in line.finditer(text):
        ends = [fabric.node(kind[found[i]], int(found[i + 3], 16)) for i in (1, 7)]
        ends[0].desc, ends[1].desc = found[11], found[12]
        for end, i in zip(ends, (1, 7)):
            port = end.port(found[i + 2])
            if end.kind == "S":
                end.lid = int(found[i + 1])
            else:
                port.lid, port.guid = int(found[i + 1]), end.guid
        fabric.connect(ends[0], found[3], ends[1], found[9])
        fabric.rate(ends[0].port(found[3]), found[5] + found[6])
    return fabric


def iblinkinfo(text):
    """iblinkinfo -l. It does not tell adapters and switches apart otherwise than by LIDs: a switch is what has several ports."""
    ends = r'^0x([0-9a-f]{16}) "\s*(.*?)"\s+(\d+)\s+(\d+)\[[^]]*\] ', r'\s+0x([0-9a-f]{16})\s+(\d+)\s+(\d+)\[[^]]*\] "(.*?)"'
    line = re.compile(ends[0] + r"==\(\s*(\d+)X\s+([\d.]+) Gbps.*?\)==>" + ends[1], re.M)
    rows = [found.groups() for found in line.finditer(text)]
    ports = {}
    for row in rows:
        ports.setdefault(row[0], set()).add(row[3])
    fabric = Fabric()
    for guid, desc, lid, port, width, lane, peer, _, peer_port, _ in rows:
        ends = [fabric.node("S" if len(ports[g]) > 1 else "H", int(g, 16)) for g in (guid, peer)]
        ends[0].desc = desc
        ends[0].lid = int(lid)
        fabric.connect(ends[0], port, ends[1], peer_port)
        mine = ends[0].port(port)
        mine.width, mine.lane = width + "x", MEASURED[lane]
        if ends[0].kind == "H":
            mine.lid, mine.guid = int(lid), int(guid, 16)
    return fabric


def lst(text):
    """opensm-subnet.lst and ibdiagnet.lst."""
    guids = r"SystemGUID:\S+ NodeGUID:(\S+) PortGUID:(\S+) VenID:\S+ DevID:\S+ Rev:\S+"
    end = r"\{ (SW|CA|CA-SM|RT|SW-SM) Ports:(\S+) " + guids + r" \{(.*?)\} LID:(\S+) PN:(\S+) \}"
    fabric = Fabric()
    for found in re.finditer("^" + end + " " + end + r" PHY=(\d+x) LOG=\S+(?: SPD=(\S+))?$", text, re.M):
        ends = []
        for i in (1, 8):
            size = int(found[i + 1], 16)
            kind = "S" if size > 4 else {"S": "S", "C": "H", "R": "R"}[found[i][0]]  # simulators called switches CA; no adapter is so large
            node = fabric.node(kind, int(found[i + 2], 16))
            node.size, node.desc = size, found[i + 4]
            port = node.port(int(found[i + 6], 16))
            port.width, port.lane = found[15], float(found[16]) if found[16] else None
            if node.kind == "S":
                node.lid = int(found[i + 5], 16)
            else:
                port.guid, port.lid = int(found[i + 3], 16), int(found[i + 5], 16)
            ends += [node, int(found[i + 6], 16)]
        fabric.connect(*ends)
    return fabric


def ibsim(text):
    """
    A net of ibsim whose nodes have names. Where a node has no GUID line, ibsim counts: adapters from 0x100000, a GUID for the node and one
    for each port; switches from 0x200000. Width and speeds are masks, their highest bit counts.
    """
    fabric, names, links = Fabric(), {}, []
    fabric.by_guids = False
    fresh, given, default = {"H": 0x100000, "S": 0x200000}, {}, {"width": 0, "speed": 0, "extspeed": 0}
    node = None
    for line in text.split("\n"):
        found = re.match(r'(Switch|Hca|Ca)\s+(\d+)\s+"([^"]+)"(?:\s*#\s*"([^"]*)")?', line)
        if found:
            kind = "S" if found[1] == "Switch" else "H"
            guid = given.pop(kind, fresh[kind])
            fresh[kind] = guid + (1 if kind == "S" else int(found[2]) + 1)
            node = names[found[3]] = fabric.node(kind, guid)
            node.size, node.desc = int(found[2]), found[4] or found[3]
            if kind == "H":
                for number in range(1, int(found[2]) + 1):
                    node.port(number).guid = guid + number
            continue
        found = re.match(r'\[(\d+)\](?:\([0-9a-f]+\))?\s+"([^"]+)"(?:\[(\d+)\])?(.*)', line)
        if found and node:
            mask = dict(default)
            mask.update({{"w": "width", "s": "speed", "e": "extspeed"}[k]: int(v) for k, v in re.findall(r"\b([wse])=(\d+)", found[4])})
            port = node.port(found[1])
            port.width = {0: None, 1: "1x", 2: "4x", 3: "8x", 4: "12x", 5: "2x"}[mask["width"].bit_length()]
            port.lane = [None, 14, 25, 50][mask["extspeed"].bit_length()] or [None, 2.5, 5, 10][mask["speed"].bit_length()]
            links.append((node, found[1], found[2], found[3] or 1))
            continue
        found = re.match(r"(switchguid|hcaguids?|caguid)=(0x[0-9a-f]+)", line)
        if found:
            given["S" if found[1][0] == "s" else "H"] = int(found[2], 16)
        found = re.match(r"(width|speed|extspeed)=(\d+)", line)
        if found:
            default[found[1]] = int(found[2])
    for node, number, peer, peer_number in links:
        fabric.connect(node, number, names[peer], peer_number)
    return fabric


def topology(text):
    """The fabric that a text of any of these forms describes."""
    if re.search(r"^\{ \S+ Ports:", text, re.M):
        return lst(text)
    if re.search(r"^(CA|SW|RT)\s+\d+\s+\d+ 0x", text, re.M):
        return port_list(text)
    if "==>" in text:
        return iblinkinfo(text)
    if re.search(r'^(Switch|Ca)\s+\d+\s+"[SHR]-', text, re.M):
        return ibnetdiscover(text)
    return ibsim(text)


def tables(text):
    """Forwarding tables of any form: {GUID of the switch: {LID: port}}; ports that mean "none" are left out."""
    result, rows = {}, None
    for line in text.split("\n"):
        if line.startswith("0x") and rows is not None:
            found = re.match(r"0x([0-9a-fA-F]+)\s+(?::\s+)?(\d+)\b(?!.*illegal)", line)
            if found and int(found[2]) != 255:
                rows[int(found[1], 16)] = int(found[2])
            continue
        found = re.match(r"Unicast lids .*?guid 0x([0-9a-f]+)|(?:osm_ucast_mgr_)?dump_ucast_routes: Switch 0x([0-9a-f]+)", line)
        if found:
            rows = result.setdefault(int(found[1] or found[2], 16), {})
    return result


class Expected:
    """What the graph must be: host ports (one host each), switches, and the channels between them."""

    def __init__(self, fabric, keep_aggregation=False):
        self.host, self.switch, self.channels = {}, {}, {}
        kept = lambda node: node.kind == "S" or (node.kind == "H" and (keep_aggregation or not node.aggregation()))
        for node in fabric.nodes.values():
            cabled = {n: p for n, p in node.ports.items() if p.peer and kept(node) and kept(p.peer[0]) and p.peer[0] is not node}
            for number, port in sorted(cabled.items()):
                me = self.enter(node, number)
                peer, peer_number = port.peer
                other = self.enter(peer, peer_number)
                speed, width = port.speed(), port.width
                if port.width is None:  # told from the other end only
                    speed, width = peer.ports[peer_number].speed(), peer.ports[peer_number].width
                self.channels[me, number] = (other, peer_number, speed, width)
        self.leaf = {h: self.channels[h, p.number][0] for h, p in self.host.items()}

    def enter(self, node, number):
        """The key of the graph's node: H and the port GUID, or S and the node GUID."""
        if node.kind == "S":
            self.switch[f"S{node.guid:016x}"] = node
            return f"S{node.guid:016x}"
        port = node.ports[number]
        key = f"H{node.guid if port.guid is None else port.guid:016x}"
        port.node, port.number = node, number
        self.host[key] = port
        return key

    def forwarding(self, table):
        """{switch: {host: port}} of a raw table, base LIDs."""
        return {
            switch: {h: table[node.guid][p.lid] for h, p in self.host.items() if p.lid in table[node.guid]}
            for switch, node in self.switch.items()
            if node.guid in table
        }

    def walk(self, forwarding):
        """
        Follows every host's entry from every switch. Returns the set of (switch, host) from which the host is not reached, for want of an
        entry or a cable or for a loop, and whether there was a loop.
        """
        lost, loops = set(), False
        for host, port in self.host.items():
            state = {}
            for start in self.switch:
                trail, here = [], start
                while here not in state and here[0] == "S":
                    state[here] = "walking"
                    trail.append(here)
                    number = forwarding.get(here, {}).get(host)
                    here = self.channels[here, number][0] if (here, number) in self.channels else "lost"
                if here in state:
                    loops |= state[here] == "walking"
                    ends = state[here] if state[here] != "walking" else "lost"
                else:
                    ends = "reached" if here == host else "lost"
                for switch in trail:
                    state[switch] = ends
            lost |= {(switch, host) for switch, end in state.items() if end != "reached"}
        return lost, loops

    def unroutable(self, lost):
        """How many ordered pairs of hosts have no route."""
        return sum((self.leaf[s], d) in lost for s in self.host for d in self.host if s != d)

    def congestion_of_shift(self, forwarding, order):
        """The histogram of weights when every host of the order sends to the next: {weight: pairs}; pairs without a route are left out."""
        routes, load = [], {}
        for source, host in zip(order, order[1:] + order[:1]):
            route, here, number = [], source, self.host[source].number
            while here != host:
                if (here, number) not in self.channels or (here, number) in route:
                    route = None
                    break
                route.append((here, number))
                here = self.channels[here, number][0]
                number = forwarding.get(here, {}).get(host) if here != host else None
            if route:
                routes.append(route)
                for channel in route:
                    load[channel] = load.get(channel, 0) + 1
        result = {}
        for route in routes:
            weight = max(load[channel] for channel in route)
            result[weight] = result.get(weight, 0) + 1
        return result


class Dot:
    """
    A graph as orcs-import writes it: nodes {name: attributes} and edges [(tail, head, attributes)] in the order of the file; others and
    links are the nodes that are neither hosts nor switches, and the edges from and to them.
    """

    def __init__(self, text):
        self.nodes, self.edges, self.others, self.links, lines = {}, [], {}, [], 0
        string = r'"((?:[^"\\]|\\.)*)"'
        attribute = re.compile(r"(\w+)=" + string)
        unquote = lambda s: s.replace('\\"', '"')
        attributes = r'((?:\w+="(?:[^"\\]|\\.)*"(?:, )?)*)'
        statement = re.compile(r"^\t" + string + r"(?: -> " + string + r")?(?: \[" + attributes + r"\])?;$", re.M)
        for found in statement.finditer(text):
            lines += 1
            attributes = {k: unquote(v) for k, v in attribute.findall(found[3] or "")}
            if found[2] is None:
                nodes = self.nodes if attributes["type"] in ("host", "switch") else self.others
                nodes[unquote(found[1])] = attributes
            else:
                ends = unquote(found[1]), unquote(found[2])
                (self.links if ends[0] in self.others or ends[1] in self.others else self.edges).append((*ends, attributes))
        if lines != sum(line[:1] == "\t" for line in text.split("\n")) or not re.search(r"^digraph network \{$.*^\}$", text, re.M | re.S):
            raise ValueError("the graph has lines of another form")
        self.key = {name: ("H" if a["type"] == "host" else "S") + a.get("guid", " " + name)[2:] for name, a in self.nodes.items()}

    def sets(self, comment):
        return [] if not comment else [name.strip() for name in comment.split(",")]

    def forwarding(self):
        """{switch: {host: [ports]}}; a set * of a switch is not resolved."""
        result = {}
        for tail, _, attributes in self.edges:
            rows = result.setdefault(self.key[tail], {})
            for name in self.sets(attributes.get("comment")):
                rows.setdefault(self.key.get(name, name), []).append(int(attributes["port"]))
        return {key: rows for key, rows in result.items() if key[0] == "S"}

    def entries(self):
        """{GUID of the switch: {LID: port}}: all entries, of LIDs and of the hosts in the sets."""
        result = {}

        def enter(name, text, port):
            node = self.nodes.get(name) or self.others[name]
            rows = result.setdefault(int(node["guid"], 16), {})
            for span in filter(None, (text or "").split(",")):
                first, _, last = span.partition("-")
                rows.update(dict.fromkeys(range(int(first), int(last or first) + 1), port))

        for name, attributes in {**self.nodes, **self.others}.items():
            if attributes["type"] in ("switch", "spare"):
                enter(name, attributes.get("lids"), 0)
        for tail, _, attributes in self.edges + self.links:
            if self.nodes.get(tail, {}).get("type") != "host" and self.others.get(tail, {}).get("type", "spare") == "spare":
                hosts = ",".join(self.nodes[host]["lid"] for host in self.sets(attributes.get("comment")))
                enter(tail, hosts, int(attributes["port"]))
                enter(tail, attributes.get("lids"), int(attributes["port"]))
        return {guid: rows for guid, rows in result.items() if rows}

    def breadth_first(self):
        """Hosts in the order that orcs gives ranks in: breadth first from the first node, heads in the order of the nodes."""
        index = {name: i for i, name in enumerate(self.nodes)}
        heads = {name: [] for name in self.nodes}
        for tail, head, _ in self.edges:
            heads[tail].append(head)
        order = [next(iter(self.nodes))]
        seen = set(order)
        for name in order:
            fresh = sorted(set(heads[name]) - seen, key=index.get)
            seen.update(fresh)
            order += fresh
        order += [name for name in self.nodes if name not in seen]
        return [self.key[name] for name in order if self.key[name][0] == "H"]

    def show(self):
        """The graph in short, one line for each node and channel."""
        lines = []
        for name, a in {**self.nodes, **self.others}.items():
            rest = " ".join(f"{k}={a[k]}" for k in ("guid", "lid", "desc") if k in a)
            lines.append(f"{name} {a['type']} {rest}")
        for tail, head, a in self.edges + self.links:
            speed = " ".join(a[k] for k in ("speed", "width") if k in a)
            lines.append(f"{tail}:{a.get('port')} {head}:{a.get('peer_port')} {speed} [{a.get('comment', '')}]")
        return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "show":
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="utf-8", errors="surrogateescape") as dot_file:
        sys.stdout.reconfigure(errors="surrogateescape")
        print(Dot(dot_file.read()).show())
