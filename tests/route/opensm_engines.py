"""The engines of routings/opensm/ against the real OpenSM under ibsim, on random fabrics: opensm_engines.py BIN_DIR FABRICS [FIRST]

Trees, tori, irregular fabrics and topologies of orcs-topology, with missing and odd cables, routers, HCAs of two ports, several LIDs a port,
switches of one system, switches cabled to themselves, ports in any order. Prints a row for each engine, with the entries that are equal, and what differs. dfsssp's lanes must be free of cycles, and those
of OpenSM for every pair."""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

from opensm_runs import Fabric, Simulator, cut, join

BIN = os.path.abspath(sys.argv[1])
COMPARE = os.path.join(BIN, "..", "tests", "route", "opensm_tables")
TOPOLOGIES = ["fattree:k=4,n=3", "hyperx:3x4,hosts=2", "dragonfly:p=2,a=4,h=2", "xgft:2:4/4:3/2:2"]
rows = collections.defaultdict(lambda: [0, 0, 0])  # engine and options: fabrics, entries that are equal, entries


def generate(seed, folder):
    fabric = Fabric(seed)
    r = fabric.random
    roots = []
    kind = seed % 6
    beside = seed % 12 == 1 and seed > 1  # a switch without hosts beside the leaves, cabled to one of them
    if kind == 0:
        _, roots = fabric.tree(r.randrange(3, 9), r.randrange(2, 6), r.randrange(1, 7), r.randrange(1, 3))
    elif kind == 1:
        roots = fabric.pods(r.randrange(2, 4), 3, 2, r.randrange(1, 4), 2)
        if beside:
            leaf = r.choice([n for n in fabric.switches() if any(m.kind == "Ca" for m, _ in n.peers.values())])
            above = r.choice([m for m, _ in leaf.peers.values() if m.kind == "Switch"])
            switch = fabric.add()
            join(switch, leaf)
            join(switch, above)
    elif kind == 2:
        fabric.torus(r.randrange(3, 6), r.randrange(3, 6), hosts=2)
    elif kind == 3:
        fabric.irregular(r.randrange(6, 25), 5, 4)
    elif kind == 4:
        fabric.torus(3, 3, r.randrange(2, 4))
    else:
        graph, net = os.path.join(folder, "graph"), os.path.join(folder, "exported")
        with open(graph, "w") as f:
            subprocess.run([os.path.join(BIN, "orcs-topology"), TOPOLOGIES[seed // 6 % len(TOPOLOGIES)]], stdout=f, check=True)
        subprocess.run([os.path.join(BIN, "orcs-export"), "--quiet", "--to", "ibsim", "-o", net, graph], check=True)
        fabric.read(net)
    if seed % 4 and not beside:
        fabric.damage(r.random() * 0.25)
        fabric.odd(cables=r.randrange(3), routers=r.randrange(3), doubles=r.randrange(3), lost=r.randrange(4), loops=seed % 2)
    fabric.keep_largest()
    if seed % 2:
        fabric.shuffle_ports()
    if seed % 3 == 0:
        fabric.share_systems()
    return fabric, [n for n in roots if n in fabric.nodes] or fabric.switches()[:2]


def write_guids(path, guids):
    with open(path, "w") as f:
        f.writelines("0x%x\n" % guid for guid in guids)


def compare(arguments, folder, tables):
    done = subprocess.run([COMPARE, *arguments, os.path.join(folder, "topology"), *tables], capture_output=True, text=True)
    return done.returncode, done.stdout.strip().splitlines(), done.stderr


PROGRAM_OPTIONS = {"-a": "--roots", "-u": "--compute-nodes", "-G": "--io-nodes", "-z": "--connect-roots"}


def through(engine, ours, folder):
    """How many entries are equal, of how many, if orcs-route makes the tables and orcs-export writes them."""
    tables = os.path.join(folder, "ours")
    route = [os.path.join(BIN, "orcs-route"), "--quiet", "--allow-unreachable", *(PROGRAM_OPTIONS.get(o, o) for o in ours), engine, os.path.join(folder, "topology")]
    routed = subprocess.run(route, capture_output=True, check=True).stdout
    subprocess.run([os.path.join(BIN, "orcs-export"), "--quiet", "--drop-service-levels", "--to", "lfts", "-o", tables, "-"], input=routed, check=True)
    done = subprocess.run([sys.executable, "tests/route/equal_tables.py", tables, os.path.join(folder, "opensm-lfts.dump")], capture_output=True, text=True)
    return done.stdout.strip().splitlines()


def run(simulator, folder, label, engine, options, ours, flags="0x43", sideways=False):
    """Whether the engine does as OpenSM's, also in refusing. sideways: its tables must be reproducible."""
    process, why = simulator.opensm(engine, *options, flags=flags)
    simulator.discover(os.path.join(folder, "topology"))
    name = " ".join([engine, *(os.path.basename(o) for o in options)])
    if process is None:
        status, said, _ = compare([*ours, engine], folder, [])
        code, reason = re.search(r"ERR (\w{4})", why), re.search(r"\((\w{4})\)", " ".join(said))
        if why == "no answer" or status == 2 and (not code or not reason or code[1] == reason[1]):
            return True
        print("FAILED: %s, %s: OpenSM refuses: %s; ours: %s" % (label, name, why, said))
        return False
    log = open(os.path.join(folder, "opensm.log"), errors="replace").read()
    levels = []
    if engine == "dfsssp":
        with open(os.path.join(folder, "levels"), "w") as f:
            f.writelines("%s %s %s\n" % pair for pair in re.findall(r"route from src_lid=(\d+) to dest_lid=(\d+) on vl=(\d+)", log))
        levels = ["-s", os.path.join(folder, "levels")]
    status, said, notes = compare([*ours, *levels, *(["-c"] if engine in ("dfsssp", "lash") else []), engine], folder, [os.path.join(folder, "opensm-lfts.dump")])
    if "memory addresses" in notes and not sideways:
        return True  # OpenSM's own tables are not reproducible
    lanes = re.findall(r"Lanes in layer \d+: (\d+)", log) if engine == "lash" else []
    counted = re.findall(r"lanes: (.*)", notes)
    if lanes and counted and lanes[-len(counted[0].split()):] != counted[0].split():
        print("FAILED: %s, %s: OpenSM's lanes have %s pairs, ours %s" % (label, name, lanes, counted[0]))
        return False
    equal = re.match(r"(\d+) of (\d+)", said[-1] if said else "")
    pairs = re.match(r"(\d+) of (\d+) pairs", said[-2] if len(said) > 1 else "")
    if pairs:
        row = rows[name + ": lanes of pairs"]
        row[0] += 1
        row[1] += int(pairs[1])
        row[2] += int(pairs[2])
    row = rows[re.sub(r"-l \d", "-l LMC", name) + (", sideways" if sideways else "")]
    row[0] += 1
    if equal:
        row[1] += int(equal[1])
        row[2] += int(equal[2])
    if not status:
        said = through(engine, ours, folder)
        equal = re.match(r"(\d+) of (\d+)", said[-1])
        status = equal[1] != equal[2]
        row = rows["through the programs"]
        row[0] += 1
        row[1] += int(equal[1])
        row[2] += int(equal[2])
    if status:
        print("FAILED: %s, %s:" % (label, name), *said[-5:], sep="\n")
    return status == 0


def run_ftree(label, fabric, roots, nodes, sideways=False):
    """Whether ftree does as OpenSM's, with roots and compute nodes, unless they are empty."""
    folder = tempfile.mkdtemp(prefix="orcs-engines.")
    options = []
    for option, name, guids in (("-a", "ROOTS", [n.guid for n in roots]), ("-u", "NODES", [n.guid + 1 for n in nodes])):
        if guids:
            options += [option, os.path.join(folder, name)]
            write_guids(options[-1], guids)
    net = os.path.join(folder, "net")
    fabric.write(net)
    simulator = Simulator(folder, net)
    try:
        return run(simulator, folder, label, "ftree", options, options, sideways=sideways)
    finally:
        simulator.close()
        shutil.rmtree(folder)


def run_regular(seed):
    """Trees in which up to two trunks differ, without lists of roots: refusals of OpenSM, and their reasons."""
    fabric = Fabric(seed)
    r = fabric.random
    if r.randrange(2):
        fabric.tree(r.randrange(3, 6), r.randrange(2, 4), 2, 2)
    else:
        fabric.pods(2, 3, 2, 2, 2)
    for _ in range(r.randrange(3)):
        switch = r.choice(fabric.switches())
        port, (peer, _) = r.choice([(p, end) for p, end in switch.peers.items() if end[0].kind == "Switch"] or [(0, (switch, 0))])
        if port and r.randrange(2):
            cut(switch, port)
        elif port:
            join(switch, peer)
    fabric.keep_largest()
    return run_ftree("regular %d" % seed, fabric, [], [])


def run_sideways(seed):
    """ftree where routes also lead from leaf to leaf, and beside others above."""
    fabric, found = None, None
    while not found:
        fabric = Fabric(seed)
        found = fabric.sideways()
        seed += 1000
    return run_ftree("sideways %d" % seed, fabric, *found, sideways=True)


def main():
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    equal = different = 0
    for seed in range(first, first + int(sys.argv[2])):
        folder = tempfile.mkdtemp(prefix="orcs-engines.")
        fabric, roots = generate(seed, folder)
        net = os.path.join(folder, "net")
        fabric.write(net)
        write_guids(os.path.join(folder, "ROOTS"), [n.guid for n in roots])
        ends = [n for n in fabric.nodes if n.kind == "Ca"]
        write_guids(os.path.join(folder, "NODES"), [n.guid + 1 for n in fabric.random.sample(ends, len(ends) // 2)])
        roots, nodes, others = ([option, os.path.join(folder, name)] for option, name in (("-a", "ROOTS"), ("-u", "NODES"), ("-G", "NODES")))
        lmc = ["-l", str(1 + seed % 3)]
        label = "fabric %d (%d switches, %d nodes)" % (seed, len(fabric.switches()), len(fabric.nodes))
        jobs = [("minhop", [], []), ("updn", [], []), ("updn", roots, roots), ("updn", roots + ["-z"], roots + ["-z"]), ("dnup", [], []),
                ("dnup", ["-z"], ["-z"]), ("dor", [], []), ("sssp", [], []), ("sssp", nodes, nodes), ("dfsssp", [], []), ("lash", [], []),
                ("ftree", [], []), ("ftree", roots, roots), ("ftree", roots + ["-z"], roots + ["-z"]), ("ftree", roots + nodes, roots + nodes), ("ftree", others, others)]
        jobs += [(engine, lmc, []) for engine in ("minhop", "dnup", "dor", "sssp", "lash", "ftree")]
        simulator = Simulator(folder, net)
        try:
            for engine, options, ours in jobs:
                if run(simulator, folder, label, engine, options, ours, "0x4f" if engine == "dfsssp" else "0x47"):
                    equal += 1
                else:
                    different += 1
        finally:
            simulator.close()
            shutil.rmtree(folder)
        for tree in range(3 * seed, 3 * seed + 3):
            for attempt in run_sideways, run_regular:
                if attempt(tree):
                    equal += 1
                else:
                    different += 1
    for name, (fabrics, same, entries) in rows.items():
        print("%-28s %3d fabrics  %d of %d" % (name, fabrics, same, entries))
    print("%d equal, %d different" % (equal, different))
    return 1 if different or not equal else 0


sys.exit(main())
