"""The Python package against the programs (ORCS_BIN), and what it promises. Prints what is wrong, and fails."""

import gc
import json
import os
import subprocess
import sys
import threading
import traceback

import numpy as np

import orcs

BIN = os.environ["ORCS_BIN"]
FATTREE = "examples/fattree36_dor.dot"


def program(*words):
    done = subprocess.run([os.path.join(BIN, words[0]), *words[1:]], capture_output=True, text=True)
    return done.stdout, done.stderr


def raw(*words):
    out, _ = program("orcs", "--quiet", "--raw", *words)
    return [line.split()[2] for line in out.splitlines() if line.startswith("run ")]


def raises(kind, text, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except kind as error:
        assert text in str(error), (text, str(error))
        return error
    raise AssertionError(f"no {kind.__name__}: {text}")


def test_bisections_are_those_of_orcs():
    values = orcs.load(FATTREE).bisections(50, seed=3)
    assert values.dtype == np.float64 and values.shape == (50,)
    assert ["%.9g" % v for v in values] == raw("-n", "50", "--seed", "3", FATTREE)
    values = orcs.load(FATTREE).route("ftree").bisections(20)
    assert ["%.9g" % v for v in values] == raw("-n", "20", "-R", "ftree", FATTREE)


def test_options_and_engines_are_those_of_orcs():
    result = orcs.load("torus:4x4").run("shift:3", 2, engine="packet", packet_routing="dor", bytes="8k")
    out, _ = program("orcs", "--quiet", "--format", "json", "-n", "2", "--engine", "packet", "--packet-routing", "dor", "-p", "shift:3",
                     "--bytes", "8k", "torus:4x4")
    mine, its = result.json(), json.loads(out)
    del mine["command"], its["command"]
    assert mine == its
    assert str(result) == program("orcs", "--quiet", "-n", "2", "--engine", "packet", "--packet-routing", "dor", "-p", "shift:3", "--bytes",
                                  "8k", "torus:4x4")[0]


def test_loads_are_counted_route_by_route():
    fabric = orcs.load(FATTREE)
    expected = np.zeros(len(fabric.channels))
    for source in range(len(fabric)):
        for destination in range(len(fabric)):
            if source != destination:
                expected[fabric.walk(source, destination)] += 1
    assert (fabric.loads() == expected).all() and fabric.unreachable() == 0
    mean, variance = fabric.load_moments("bisect")
    pairs = len(fabric) * (len(fabric) - 1)
    assert np.allclose(mean, expected * (len(fabric) // 2) / pairs) and (variance >= 0).all()


def test_arrays_are_not_copies_and_outlive_the_network():
    fabric = orcs.load("torus:4x4")
    loads, channels, bisections = fabric.loads(), fabric.channels, fabric.bisections(10)
    assert loads.ctypes.data == fabric.loads().ctypes.data and channels.ctypes.data == fabric.channels.ctypes.data
    before = loads.copy(), channels.copy(), bisections.copy()
    for array in loads, channels, bisections, fabric.hosts, fabric.nodes:
        assert not array.flags.writeable
    fabric.route("updn-orcs")
    assert (fabric.loads() != loads).any()
    del fabric
    gc.collect()
    other = [orcs.load("torus:4x4") for _ in range(20)]
    for array, copy in zip((loads, channels, bisections), before):
        assert (array == copy).all()
    assert channels.dtype.names == ("tail", "head", "port", "peer_port", "gbps", "latency") and len(other) == 20


def test_nodes_and_hosts():
    fabric = orcs.load(FATTREE)
    assert len(fabric) == 36 and fabric.names[fabric.hosts[5]] == "H5" and fabric.host("H5") == 5
    assert (fabric.nodes["host"][fabric.hosts] == np.arange(36)).all() and fabric.nodes["guid"][0] == 0x100001
    first = fabric.nodes["first_channel"]
    assert (np.searchsorted(fabric.channels["tail"], np.arange(len(first))) == first).all()
    raises(orcs.UsageError, "is a switch", fabric.host, "leaf0")
    raises(orcs.UsageError, "there is no node 'H77'", fabric.host, "H77")
    assert "36 hosts, 12 switches" in repr(fabric)


def test_own_pattern():
    def shift(ranks, run, level):
        return [(rank, (rank + 1 + level) % ranks) for rank in range(ranks)]

    fabric = orcs.load(FATTREE)
    hosts = list(range(36))
    mine = fabric.run(shift, hosts=hosts).values()[0, 0]
    assert mine == fabric.run("shift:1", mapping="linear", subset="file_order").values()[0, 0]
    both = fabric.run(shift, levels=2, hosts=hosts, engine="flow", bytes="1M", metric="makespan").values()[0, 0]
    assert both > fabric.run(shift, hosts=hosts, engine="flow", bytes="1M", metric="makespan").values()[0, 0]
    raises(ZeroDivisionError, "", fabric.run, lambda ranks, run, level: 1 / 0)


def test_observations():
    seen = []
    fabric = orcs.load("torus:4x4")
    result = fabric.run("ring", 3, engine="flow", bytes="64k", metric="makespan", observe=seen.append)
    assert [one["run"] for one in seen] == [0, 1, 2]
    assert [one["makespan"] for one in seen] == list(result.values()[:, 0])
    assert max(seen[0]["ended"]) == round(seen[0]["makespan"] * 1e12)
    assert sorted(seen[0]["hosts"]) == list(range(16))
    raises(KeyError, "", fabric.run, runs=5, observe=lambda one: {}[one["run"]])


def test_own_topology_and_tables():
    ring = orcs.build([True] * 4 + [False] * 4, [(i, 4 + i) for i in range(4)] + [(4 + i, i) for i in range(4)] +
                      [(4 + i, 4 + (i + 1) % 4) for i in range(4)] + [(4 + (i + 1) % 4, 4 + i) for i in range(4)], name="ring")
    heads, first = ring.channels["head"], ring.nodes["first_channel"]

    def clockwise(node, host):
        to = 4 + host if node < 4 else host if node == 4 + host else 4 + (node - 3) % 4
        return next(c for c in range(first[node], len(heads)) if heads[c] == (4 + node if node < 4 else to))

    ring.route(clockwise)
    assert [len(ring.walk(0, d)) for d in range(4)] == [0, 3, 4, 5]
    assert ring.check("deadlock-free")["sound"] is False and ring.check(["routable"])["sound"] is True
    raises(RuntimeError, "mine", ring.route, lambda node, host: (_ for _ in ()).throw(RuntimeError("mine")))
    assert ring.route("updn-orcs").check()["sound"] is True
    raises(orcs.UsageError, "not compared", ring.compare, ["minhop"])


def test_comparison_is_that_of_orcs_compare():
    mine = orcs.load(FATTREE).compare(["as-is", "ftree"], runs=30, patterns="bisect,shift:1")
    out, _ = program("orcs-compare", "--quiet", "--format", "json", "-R", "as-is,ftree", "--runs", "30", "--patterns", "bisect,shift:1",
                     FATTREE)
    its = json.loads(out)
    del mine["command"], its["command"]
    assert mine == its
    raises(orcs.UsageError, "failures", orcs.load(FATTREE, fail="spine0").compare, ["ftree"])


def test_check_is_that_of_orcs_check():
    mine, its = orcs.load(FATTREE).check(), json.loads(program("orcs-check", "--quiet", "--format", "json", FATTREE)[0])
    del mine["command"], its["command"]
    assert mine == its


def test_errors_have_the_text_of_the_programs():
    error = raises(orcs.FileError, "cannot open", orcs.load, "/no/such.dot")
    assert "orcs: " + str(error) + "\n" == program("orcs", "/no/such.dot")[1] and error.status == 1 and isinstance(error, OSError)
    error = raises(orcs.UsageError, "'patern'", orcs.load("torus:4x4").run, patern="bisect")
    assert error.status == 2 and isinstance(error, ValueError)
    error = raises(orcs.UsageError, "--runs is '0'", orcs.load("torus:4x4").run, runs=0)
    assert f"orcs: {error}; see 'orcs --help'\n" == program("orcs", "-n", "0", "torus:4x4")[1]
    error = raises(orcs.FabricError, "", orcs.load(FATTREE, fail="spine0").bisections, 3)
    assert f"orcs: {error}\n" == program("orcs", "--quiet", "-n", "3", "--fail", "spine0", FATTREE)[1] and error.status == 3


def test_networkx():
    try:
        import networkx
    except ImportError:
        return
    fabric = orcs.load("torus:4x4")
    graph = fabric.to_networkx(loads=True)
    assert graph.number_of_nodes() == 32 and graph.number_of_edges() == len(fabric.channels)
    assert networkx.diameter(graph) == max(len(fabric.walk(0, host)) for host in range(16))
    assert sum(data["load"] for _, _, data in graph.edges(data=True)) == fabric.loads().sum()
    assert graph.nodes[fabric.names[fabric.hosts[3]]]["host"] == 3


def test_a_large_fabric():
    fabric = orcs.load("mport:m=36,n=3")
    assert len(fabric) == 11664
    loads = fabric.loads()
    up = np.isin(fabric.channels["tail"], fabric.hosts)
    assert (loads[up] == 11663).all()


def test_threads():
    def work(spec, out):
        fabric = orcs.load(spec)
        out.append((fabric.bisections(20).copy(), fabric.route("minhop").loads().copy()))

    alone, together = [], []
    for spec in "torus:4x4", FATTREE:
        work(spec, alone)
    outs = [[], []]
    threads = [threading.Thread(target=work, args=(spec, out)) for spec, out in zip(("torus:4x4", FATTREE), outs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    together = [out[0] for out in outs]
    for a, b in zip(alone, together):
        assert (a[0] == b[0]).all() and (a[1] == b[1]).all()


def test_documentation():
    for thing in (orcs, orcs.Network, orcs.Result, orcs.load, orcs.build, orcs.compare, orcs.kinds, orcs.version):
        assert thing.__doc__, thing
    for kind in orcs.Network, orcs.Result:
        for name, member in vars(kind).items():
            if not name.startswith("_"):
                assert member.__doc__, name
    assert "bisect" in orcs.kinds("patterns") and orcs.__version__ == program("orcs", "--version")[0].split()[1]


bad = 0
for name, test in list(globals().items()):
    if name.startswith("test_"):
        try:
            test()
        except Exception:
            bad += 1
            print(f"FAILED: {name}")
            traceback.print_exc(file=sys.stdout)
sys.exit(bad > 0)
