#!/usr/bin/env python3
"""
Holds orcs-import against reference.py on every fabric of the data folder: fabrics.py BIN_DIR DATA_DIR

Ends with the line "N passed, N failed, N skipped".
"""
import os
import random
import re
import subprocess
import sys
import tempfile

import reference

BIN, DATA = os.path.abspath(sys.argv[1]), sys.argv[2]
WORK = tempfile.TemporaryDirectory()
OF_OPENSM = ["ibnetdiscover.txt", "opensm-subnet.lst", "topology.ibsim"]
OF_TOOLS = ["ibnetdiscover-" + options + ".txt" for options in "gsfp"] + ["iblinkinfo-l.txt", "ibdiagnet.lst", "topology.ibsim"]


def by(engines, form):
    return [form + engine for engine in engines.split()]


IRREG = "dfsssp dnup_root0 dor lash minhop nue sssp updn_root0"
TORUS = "dnup_root0 dor lash minhop nue sssp torus2qos updn_root0"
TREE = "dfsssp dnup dor ftree lash minhop nue sssp updn"

# (folder, forms of the cabling, tables), files with or without .xz. The first form is the one that the others are compared with.
FABRICS = [
    ("ib/generated/irreg", OF_OPENSM, by(IRREG, "dump_fts.") + ["opensm-lfts.dump.minhop", "opensm.fdbs.minhop"]),
    ("ib/generated/kary3_54_ibdiagnet", OF_TOOLS, ["dump_lfts.txt", "dump_fts-n.txt", "dump_fts-a.txt", "ibdiagnet.fdbs"]),
    ("ib/generated/torus444_4", OF_OPENSM, by(TORUS, "opensm-lfts.dump.") + ["opensm.fdbs.minhop"] + by(TORUS, "dump_fts.")),
    ("ib/generated/traps", OF_OPENSM, ["dump_fts.minhop", "opensm-lfts.dump", "opensm.fdbs"]),
    (
        "ib/generated/traps",
        ["ibnetdiscover_lmc1.txt", "opensm-subnet_lmc1.lst"],
        ["dump_fts_lmc1.minhop", "opensm-lfts.dump_lmc1", "opensm.fdbs_lmc1"],
    ),
    ("ib/generated/tree2_324", OF_OPENSM, by(TREE, "dump_fts.") + ["opensm-lfts.dump.minhop", "opensm.fdbs.minhop"]),
    ("ib/generated/tree2_324", ["ibnetdiscover.minhop_lmc2.txt"], ["dump_fts.minhop_lmc2"]),
    ("ib/real-routed/hk_Topo.1.minhop", ["ibnetdiscover.txt"], ["dump_fts.txt"]),
    ("ib/real-routed/hk_Topo.5.minhop", ["ibnetdiscover.txt"], ["dump_fts.txt"]),
    ("ib/real-routed/loginoff.minhop", ["ibnetdiscover.txt"], ["dump_fts.txt"]),
    ("ib/real/nmorey_ibutils", ["subnet.lst"], ["osm.fdbs"]),
    ("ib/real/nmorey_ibutils", ["RhinoBased512.lst"], []),
    ("ib/real/nmorey_ibutils", ["RhinoBased512.no_sp2-3.lst"], []),
    ("ib/real/HyungKwang", ["Topo.1.txt"], []),
    ("ib/real/HyungKwang", ["Topo.5.txt"], []),
    ("ib/real/ufm_sdk", ["ibnetdiscover_director.txt"], []),
    ("ib/real/jabl_ibtopotool", ["1.topo"], []),
    ("ib/real/jabl_ibtopotool", ["2.topo"], []),
    ("ib/real/loginoff", ["topo"], []),
    ("ib/real/linux-rdma_ibsim", ["net"], []),
    ("ib/real/linux-rdma_ibsim", ["net.1"], []),
    ("ib/real/linux-rdma_ibsim", ["net.2sw2path"], []),
    ("ib/real/linux-rdma_ibsim", ["net.2sw2path4hca"], []),
    ("ib/real/linux-rdma_ibsim", ["net.2sw2path4hca2port"], []),
]
# Tables in which entries for hosts are missing, and of which LIDs; no others may be. dump_fts loses a top LID that is a multiple of 64.
HOLES = {("ib/generated/torus444_4", table): {320} for table in by(TORUS, "dump_fts.")}

passed = failed = skipped = 0


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAILED: {name}: {str(detail).strip()[:300]}")
    return good


def same(name, got, wanted):
    """Anything may be compared; of dictionaries it tells what differs."""
    text = f"got {got}, wanted {wanted}"
    if isinstance(got, dict) and got != wanted:
        keys = [key for key in {**wanted, **got} if got.get(key, "none") != wanted.get(key, "none")]
        text = f"{len(keys)} differ, first {keys[0]}: got {got.get(keys[0], 'none')}, wanted {wanted.get(keys[0], 'none')}"
    return check(name, got == wanted, text)


def run(program, *arguments):
    """(status, standard output, standard error)"""
    done = subprocess.run([os.path.join(BIN, program), *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def imported(name, *arguments):
    """The graph that orcs-import makes, names by GUIDs, and what it told; (None, ...) if it failed."""
    status, out, err = run("orcs-import", "--names=guid", *arguments)
    return (reference.Dot(out.decode()) if check(f"{name}: imports", status == 0, err) else None), err


def find(folder, name):
    """The path of a file of the data folder, or None."""
    path = os.path.join(DATA, folder, name)
    return next((p for p in (path, path + ".xz") if os.path.exists(p)), None)


def cabling(path):
    return reference.topology(reference.read_text(path))


def tables(path):
    return reference.tables(reference.read_text(path))


def all_entries(raw, fabric):
    """The entries of raw tables by a port with a cable, or by port 0, in switches that have cables."""
    switch = {guid: node for (kind, guid), node in fabric.nodes.items() if kind == "S"}
    live = {guid: {0} | {number for number, port in node.ports.items() if port.peer} for guid, node in switch.items()}
    return {guid: {lid: port for lid, port in rows.items() if port in live[guid]} for guid, rows in raw.items() if guid in live}


def number(text):
    return None if text is None else float(text)


def by_value(text):
    """A key that sorts numbers in a text by their value."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


def single(forwarding):
    """Every entry as a list of one port, as a graph has them."""
    return {switch: {host: [port] for host, port in rows.items()} for switch, rows in forwarding.items()}


def check_graph(name, dot, expected, lids=True, routed=True):
    """Nodes and channels of the graph with their attributes are those of the reference."""
    got = {dot.key[node]: attributes for node, attributes in dot.nodes.items()}
    check(f"{name}: no node twice", len(got) == len(dot.nodes))
    wanted = {key: (port.node, port.lid) for key, port in expected.host.items()}
    wanted.update({key: (node, node.lid) for key, node in expected.switch.items()})
    known = lambda lid: str(lid) if lids and lid else None
    same(
        f"{name}: nodes",
        {key: (a.get("desc"), a.get("lid") if lids else None) for key, a in got.items()},
        {key: (node.desc, known(lid)) for key, (node, lid) in wanted.items()},
    )
    sized = {key: str(node.size) for key, (node, _) in wanted.items() if node.size}
    same(f"{name}: numbers of ports", {key: got[key].get("ports") for key in sized if key in got}, sized)
    channels = {}
    for tail, head, a in dot.edges:
        channels[dot.key[tail], int(a["port"])] = (dot.key[head], int(a["peer_port"]), number(a.get("speed")), a.get("width"))
    check(f"{name}: no channel twice", len(channels) == len(dot.edges))
    same(f"{name}: channels", channels, expected.channels)
    comments = {a.get("comment") for tail, _, a in dot.edges if dot.key[tail][0] == "H" or not routed}
    same(f"{name}: hosts send everything by their link, where there are tables", comments, {"*"} if routed else {None})


def check_names(name, dot):
    """
    Readable names: those of hosts and of no others begin with H, and none would break a forwarding set. Hosts first, by their names, then
    the switches by their distance from the hosts, then by their names.
    """
    bad = [node for node, key in dot.key.items() if (node[0] == "H") != (key[0] == "H") or re.search(r'[,\s"\\]', node)]
    same(f"{name}: names", bad, [])
    rank = {node: 0 for node, key in dot.key.items() if key[0] == "H"}
    queue, heads = list(rank), {}
    for tail, head, _ in dot.edges:
        heads.setdefault(tail, []).append(head)
    for node in queue:
        for head in heads.get(node, []):
            if head not in rank:
                rank[head] = rank[node] + 1
                queue.append(head)
    same(f"{name}: the order of the nodes", list(dot.nodes), sorted(dot.nodes, key=lambda n: (rank.get(n, len(rank)), by_value(n))))


def check_congestion(name, path, dot, expected, forwarding, unroutable):
    """orcs finds as many pairs without a route as the walk, and the same congestion of a shift."""
    options = ("-n", "1", "-d", "--metric", "hist_max_cong", path)
    status, out, err = run("orcs", "-p", "alltoall_flood", "--unroutable=drop", *options)
    told = re.search(rb"^unroutable: (\d+) ", out, re.M)
    check(f"{name}: orcs runs", status == 0, err)
    same(f"{name}: pairs without a route", int(told[1]) if told else 0, unroutable)
    if not unroutable:
        status, out, err = run("orcs", "-p", "shift:1", *options)
        told = ("orcs: hist_max_cong: weight: ", f"orcs: {path}: note: links ")
        warnings = [line for line in err.splitlines() if not line.startswith(told)]
        check(f"{name}: orcs runs without --unroutable", status == 0 and not warnings, err)
        got = {int(weight): int(pairs) for weight, pairs in re.findall(rb"^weight (\d+): (\d+) of", out, re.M)}
        same(f"{name}: congestion of a shift", got, expected.congestion_of_shift(forwarding, dot.breadth_first()))


def check_table(folder, topology, expected, table):
    """One table of a fabric. Returns the graph's bytes and all entries."""
    name, path, output = f"{folder} {table}", find(folder, table), os.path.join(WORK.name, "graph.dot")
    raw = tables(path)
    forwarding = expected.forwarding(raw)
    status, _, err = run("orcs-import", "--names=guid", "--topology", topology, "--lft", path, "-o", output)
    if not check(f"{name}: imports", status == 0, err):
        return None, None
    with open(output, "rb") as file:
        data = file.read()
    dot = reference.Dot(data.decode())
    cabled = {s: {h: p for h, p in rows.items() if (s, p) in expected.channels} for s, rows in forwarding.items()}
    same(f"{name}: entries", dot.forwarding(), single(cabled))
    every = all_entries(raw, cabling(topology))
    same(f"{name}: all entries", dot.entries(), every)
    status, out, err_of_export = run("orcs-export", "--to=lfts", output)
    check(f"{name}: exports", status == 0, err_of_export)
    same(f"{name}: all entries are exported", reference.tables(out.decode("utf-8", "replace")), every)
    lost, loops = expected.walk(forwarding)
    missing = {expected.host[host].lid for switch in forwarding for host in expected.host if host not in forwarding[switch]}
    holes = HOLES.get((folder, table), set())
    same(f"{name}: LIDs without an entry", missing, holes)
    wanted = {(switch, host) for switch in expected.switch for host, port in expected.host.items() if port.lid in holes}
    same(f"{name}: walks that do not arrive", lost, wanted)
    check(f"{name}: no walk is a loop", not loops)
    size = f"{len(expected.host)} hosts, {len(expected.switch)} switches, {len(expected.channels) // 2} cables"
    entries = sum(len(rows) for rows in cabled.values())
    rest = sum(map(len, every.values())) - entries
    told = f"{size}; {len(raw)} tables, {entries} entries for hosts, {rest} for other LIDs"
    same(f"{name}: the size told", err.split("\n")[0], f"orcs-import: note: {told}")
    same(f"{name}: what is told of the top LID", "LID 320" in err and "multiples of 64" in err, bool(holes))
    check_congestion(name, output, dot, expected, forwarding, expected.unroutable(lost))
    return data, every


def check_forms(folder, topologies, table):
    """All forms of the cabling of one fabric give the graph that the first gives, as far as they tell."""
    graphs = {}
    for form in topologies:
        expected = reference.Expected(cabling(find(folder, form)))
        for names in ("guid", "desc"):
            name = f"{folder} {form} by {names}"
            arguments = ["--names=" + names, "--quiet", find(folder, form)] + ([find(folder, table)] if table else [])
            status, out, err = run("orcs-import", *arguments)
            if not check(f"{name}: imports", status == 0 and err == "", err):
                continue
            check(f"{name}: the same bytes again", run("orcs-import", *arguments)[1] == out)
            dot = graphs[form, names] = reference.Dot(out.decode())
            check_graph(name, dot, expected, lids=not form.endswith(".ibsim"), routed=table is not None)
            if names == "desc":
                check_names(name, dot)
            else:
                check(f"{name}: names are GUIDs", all(node == dot.key[node] for node in dot.nodes))
    nodes = lambda d: [(node, d.key[node], a["desc"], a.get("lid")) for node, a in d.nodes.items()]
    sets = lambda d: {(d.key[t], a["port"]): (d.key[h], a["peer_port"], a.get("comment")) for t, h, a in d.edges}
    for (form, names), dot in graphs.items():
        first = graphs.get((topologies[0], names))
        if first and first is not dot:
            same(f"{folder} {form} by {names}: channels and sets of {topologies[0]}", sets(dot), sets(first))
            same(f"{folder} {form} by {names}: nodes of {topologies[0]}", nodes(dot), nodes(first))


def shuffled(path, blocks, seed):
    """A file with its blocks, which begin as the pattern says, in another order; what stands before the first stays there."""
    head, *rest = re.split("(?m)^(?=" + blocks + ")", reference.read_text(path))
    random.Random(seed).shuffle(rest)
    other = os.path.join(WORK.name, "shuffled." + os.path.basename(path))
    with open(other, "w", encoding="utf-8") as file:
        file.write(head + "".join(block if block.endswith("\n") else block + "\n" for block in rest))
    return other


def check_order(folder, topology, table):
    """The order of the blocks in the files does not matter."""
    files = [(find(folder, topology), r"vendid=|\{ |(?:CA|SW) |0x")] + ([(find(folder, table), "Unicast|dump_ucast")] if table else [])
    for names in ("guid", "desc"):
        wanted = run("orcs-import", "--quiet", "--names", names, *(path for path, _ in files))[1]
        for seed in (1, 2):
            status, got, err = run("orcs-import", "--quiet", "--names", names, *(shuffled(*file, seed) for file in files))
            good = status == 0 and got == wanted and got
            check(f"{folder} {topology} by {names}: order {seed} of the blocks", good, err or "another graph")


def check_fabric(folder, topologies, files):
    global skipped
    wanted = [name for name in topologies + files if find(folder, name) is None]
    if wanted:
        print(f"SKIPPED: {folder}: {len(wanted)} of its files are not there, the first: {wanted[0]}")
        skipped += 1
        return
    expected = reference.Expected(cabling(find(folder, topologies[0])))
    check(f"{folder} {topologies[0]}: has hosts and switches", len(expected.host) >= 2 and expected.switch)
    graphs = []
    for table in files:
        graph, entries = check_table(folder, find(folder, topologies[0]), expected, table)
        twin = next((other for other in graphs if other[2] == entries), None)
        if twin:
            check(f"{folder}: {table} and {twin[0]} are the same tables", graph == twin[1], "the graphs differ")
        graphs.append((table, graph, entries))
    check_forms(folder, topologies, files[0] if files else None)
    for topology in topologies:
        if cabling(find(folder, topology)).by_guids:
            check_order(folder, topology, files[0] if files else None)


def check_rails(folder, topology, table, rails):
    """Machines whose adapters have names like HCA-1 and mlx5_0: rail by rail, and merged."""
    expected, forwarding = reference.Expected(cabling(topology)), {}
    forwarding = expected.forwarding(tables(table))
    machines = {}
    for key, port in expected.host.items():
        machines.setdefault(re.sub(r" (HCA-|mlx\d_)\d+$", "", port.node.desc), []).append(key)
    for ports in machines.values():
        ports.sort(key=lambda h: (by_value(expected.host[h].node.desc), expected.host[h].number))
    for rail in rails:
        name = f"{folder} --rails {rail}"
        if rail == "merge":
            ports = {machine[0]: machine for machine in machines.values()}
        else:
            ports = {machine[int(rail) - 1]: [machine[int(rail) - 1]] for machine in machines.values() if len(machine) >= int(rail)}
        dot, _ = imported(name, "--rails", rail, topology, table)
        if not dot:
            continue
        same(f"{name}: hosts", sorted(key for key in dot.key.values() if key[0] == "H"), sorted(ports))
        entries = {switch: {h: p for h, p in rows.items() if h in ports} for switch, rows in forwarding.items()}
        same(f"{name}: entries", dot.forwarding(), single(entries))
        links = {}
        for tail, head, attributes in dot.edges:
            if dot.key[tail][0] == "H":
                links.setdefault(dot.key[tail], set()).add((dot.key[head], int(attributes["peer_port"])))
        wanted = {host: {expected.channels[p, expected.host[p].number][:2] for p in ports[host]} for host in ports}
        same(f"{name}: links of the hosts", links, wanted)


def check_lmc(folder, topology, table, paths):
    """With --lmc=all every LID of a host counts."""
    name = f"{folder} --lmc=all"
    expected, raw = reference.Expected(cabling(topology)), tables(table)
    check(f"{name}: hosts have {paths} LIDs", all(2**port.lmc == paths for port in expected.host.values()))
    wanted = {}
    for switch, node in expected.switch.items():
        lids = {host: range(port.lid, port.lid + paths) for host, port in expected.host.items()}
        wanted[switch] = {host: {raw[node.guid][lid] for lid in lids[host]} for host in lids}
    dot, _ = imported(name, "--lmc=all", topology, table)
    if dot:
        got = {switch: {host: set(ports) for host, ports in rows.items()} for switch, rows in dot.forwarding().items()}
        same(f"{name}: entries", got, wanted)


def check_aggregation(folder, topology, table):
    """Aggregation nodes are hosts on demand."""
    name = f"{folder} --keep-aggregation"
    expected = reference.Expected(cabling(topology), keep_aggregation=True)
    check(f"{name}: more hosts", len(expected.host) > len(reference.Expected(cabling(topology)).host))
    dot, err = imported(name, "--keep-aggregation", topology, table)
    if dot:
        check(f"{name}: does not speak of them", "aggregation" not in err, err)
        check_graph(name, dot, expected)
        same(f"{name}: entries", dot.forwarding(), single(expected.forwarding(tables(table))))


def check_lanes(folder, topology, table, lanes):
    """The SL-to-VL tables are in the graph, for all pairs of ports with a cable."""
    raw, switch = {}, None
    for line in reference.read_text(lanes).split("\n"):
        header = re.match(r"(Switch|Channel Adapter) 0x([0-9a-f]{16})", line)
        switch = {"S": "S", "C": "H"}[header[1][0]] + header[2] if header else switch
        found = re.match(r"(\d+)\s+(\d+)\s+: (.*)", line)
        if found:
            raw[switch, int(found[2]) or 1, int(found[1])] = found[3].split()
    for how, arguments in (("option", (topology, table, "--sl2vl", lanes)), ("content", (lanes, topology, table))):
        name = f"{folder} SL to VL by {how}"
        dot, _ = imported(name, *arguments)
        if not dot:
            continue
        got = {}
        for tail, _, attributes in dot.edges:
            for group in filter(None, attributes.get("sl2vl", "").split(";")):
                ports, vls = group.split(":")
                for span in ports.split(","):
                    first, _, last = span.partition("-")
                    for port in range(int(first), int(last or first) + 1):
                        got[dot.key[tail], int(attributes["port"]), port] = vls.split(",")
        cabled = {(dot.key[tail], int(a["port"])) for tail, _, a in dot.edges}
        wanted = {k: vls for k, vls in raw.items() if (k[0], k[1]) in cabled and ((k[0], k[2]) in cabled or k[2] == 0 or k in got)}
        same(f"{name}: lanes", got, wanted)


def check_option(of_option, folder, *names):
    """Runs a check of an option on a fabric, whose last arguments may be no files."""
    paths = [find(folder, name) for name in names if isinstance(name, str)]
    if all(paths):
        of_option(folder, *paths, *(name for name in names if not isinstance(name, str)))


if not os.path.isdir(DATA):
    print(f"SKIPPED: all {len(FABRICS)} fabrics of the data folder: {DATA} is not there, see ORCS_TEST_DATA")
    print(f"0 passed, 0 failed, {len(FABRICS)} skipped")
    sys.exit(0)
for fabric in FABRICS:
    check_fabric(*fabric)
for small_or_large in (
    ("ib/generated/traps", "ibnetdiscover.txt", "dump_fts.minhop", ("1", "2", "merge")),
    ("ib/real-routed/hk_Topo.5.minhop", "ibnetdiscover.txt", "dump_fts.txt", ("1", "2", "8", "merge")),
):
    check_option(check_rails, *small_or_large)
    check_option(check_aggregation, *small_or_large[:3])
check_option(check_lmc, "ib/generated/traps", "ibnetdiscover_lmc1.txt", "opensm-lfts.dump_lmc1", 2)
check_option(check_lmc, "ib/generated/tree2_324", "ibnetdiscover.minhop_lmc2.txt", "dump_fts.minhop_lmc2", 4)
check_option(check_lanes, "ib/generated/torus444_4", "ibnetdiscover.txt", "opensm-lfts.dump.torus2qos", "opensm-sl2vl.torus2qos")
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed != 0)
