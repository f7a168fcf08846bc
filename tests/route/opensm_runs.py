"""Fabrics with odd corners, and the real OpenSM on them under ibsim: for opensm_engines.py. HCAs pass nothing on."""
import glob
import os
import random
import re
import signal
import subprocess
import time

PRELOAD = next(iter(glob.glob("/usr/lib/*/umad2sim/libumad2sim.so") + glob.glob("/usr/lib64/umad2sim/libumad2sim.so")), None)
LETTER = {"Switch": "S", "Ca": "H", "Rt": "R"}


class Node:
    def __init__(self, kind, guid):
        self.kind, self.guid, self.system, self.peers = kind, guid, guid, {}  # port -> (node, port)

    @property
    def name(self):
        return "%s-%016x" % (LETTER[self.kind], self.guid)

    def free(self):
        return next(p for p in range(1, 250) if p not in self.peers)


def join(a, b, p=None, q=None):
    p = p or a.free()
    a.peers[p] = (b, 0)
    q = q or b.free()
    a.peers[p], b.peers[q] = (b, q), (a, p)


def cut(node, port):
    peer, at = node.peers.pop(port)
    del peer.peers[at]


class Fabric:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.nodes = []

    def add(self, kind="Switch"):
        guid = 0
        while not guid or any(n.guid == guid for n in self.nodes):
            guid = self.random.getrandbits(56) | 1 << 57 & ~0xf
            guid = guid & ~0xff | self.random.choice((0, 0x10, 0x40, 0x80, 0xe0))
        self.nodes.append(Node(kind, guid))
        return self.nodes[-1]

    def switches(self):
        return [n for n in self.nodes if n.kind == "Switch"]

    def hosts(self, switch, count):
        for _ in range(count):
            join(switch, self.add("Ca"))

    def read(self, net):
        """The nodes and cables of a net of ibsim."""
        node, at, cables = None, {}, []
        for line in open(net):
            head = re.match(r'(Switch|Ca|Hca|Rt)\s+\d+\s+"([^"]*)"', line)
            port = re.match(r'\[(\d+)\]\s+"([^"]*)"\[(\d+)\]', line)
            if head:
                node = at[head[2]] = self.add("Ca" if head[1] == "Hca" else head[1])
            elif port:
                cables.append((node, int(port[1]), port[2], int(port[3])))
        for node, p, peer, q in cables:
            if p not in node.peers:
                join(node, at[peer], p, q)

    # ---- shapes
    def tree(self, leaves, spines, hosts, trunk=1):
        leaf = [self.add() for _ in range(leaves)]
        spine = [self.add() for _ in range(spines)]
        for l in leaf:
            self.hosts(l, hosts)
            for s in spine:
                for _ in range(trunk):
                    join(l, s)
        return leaf, spine

    def pods(self, pods, leaves, spines, hosts, cores):
        tops = [[self.add() for _ in range(cores)] for _ in range(spines)]
        for _ in range(pods):
            _, spine = self.tree(leaves, spines, hosts)
            for s, top in zip(spine, tops):
                for core in top:
                    join(s, core)
        return [core for top in tops for core in top]

    def torus(self, *sizes, hosts=1):
        at = {}
        count = 1
        for size in sizes:
            count *= size
        for i in range(count):
            key, rest = [], i
            for size in sizes:
                key.append(rest % size)
                rest //= size
            at[tuple(key)] = self.add()
        for key, switch in at.items():
            for d, size in enumerate(sizes):
                to = list(key)
                to[d] = (to[d] + 1) % size
                join(switch, at[tuple(to)])
        for switch in at.values():
            self.hosts(switch, hosts)

    def irregular(self, switches, degree, hosts):
        all_ = [self.add() for _ in range(switches)]
        for i, s in enumerate(all_[1:]):
            join(s, self.random.choice(all_[:i + 1]))
        for _ in range(switches * (degree - 2) // 2):
            a, b = self.random.sample(all_, 2)
            join(a, b)
        for s in all_:
            self.hosts(s, self.random.randrange(hosts + 1))

    def sideways(self):
        """A tree whose leaves, and switches above, are cabled to each other, too; at most one compute node where routes lead on from a
        leaf, as OpenSM sorts several by memory addresses. Returns its roots and its compute nodes, or None if these are too few."""
        r = self.random
        if r.randrange(2):
            leaves, roots = self.tree(r.randrange(4, 9), r.randrange(2, 5), 0, r.randrange(1, 3))
        else:
            leaves, roots = [], []
            tops = [[self.add() for _ in range(r.randrange(1, 3))] for _ in range(r.randrange(2, 4))]
            for _ in range(r.randrange(2, 4)):
                pod, middle = self.tree(r.randrange(2, 4), len(tops), 0)
                leaves += pod
                for m, cores in zip(middle, tops):
                    for core in cores:
                        join(m, core)
                for _ in range(r.randrange(3)):
                    join(r.choice(middle), r.choice(tops[0]))
            roots = [core for cores in tops for core in cores]
        above = [n for n in self.switches() if n not in leaves]
        compute, beside = [], []
        for leaf in leaves:
            kind = r.randrange(4)  # one compute node, others only, several of both, none at all
            self.hosts(leaf, (1, r.randrange(1, 4), r.randrange(2, 5), 0)[kind])
            hosts = [m for m, _ in leaf.peers.values() if m.kind == "Ca"]
            compute += hosts if kind == 0 else r.sample(hosts, r.randrange(1, len(hosts) + 1)) if kind == 2 else []
            if kind != 2:
                beside.append(leaf)
        if len(compute) < 2 or len({id(n.peers[1][0]) for n in compute}) < 2 or len(beside) < 2:
            return None
        for _ in range(r.randrange(1, 5)):
            a, b = r.sample(beside, 2)
            for _ in range(r.randrange(1, 3)):
                join(a, b)
        for _ in range(r.randrange(3)):
            join(*r.sample(above, 2))
        if r.randrange(2):
            self.shuffle_ports()
        return roots, compute

    # ---- damage and oddities
    def damage(self, share):
        """Cuts that share of the cables between switches, then keeps the largest part."""
        cables = [(n, p) for n in self.switches() for p, (m, _) in n.peers.items() if m.kind == "Switch" and m.guid >= n.guid]
        for n, p in self.random.sample(cables, int(len(cables) * share + 0.5)):
            if p in n.peers:
                cut(n, p)
        self.keep_largest()

    def keep_largest(self):
        left, best = set(self.nodes), set()
        while left:
            part, todo = set(), [left.pop()]
            while todo:
                n = todo.pop()
                part.add(n)
                if n.kind == "Switch":
                    todo += [m for m, _ in n.peers.values() if m not in part]
            left -= part
            best = max(best, part, key=len)
        for n in best:
            for p in [p for p, (m, _) in n.peers.items() if m not in best]:
                cut(n, p)
        self.nodes = [n for n in self.nodes if n in best and n.peers]

    def odd(self, cables=0, routers=0, doubles=0, lost=0, loops=0):
        r = self.random
        for n in r.sample(self.switches(), min(loops, len(self.switches()))):
            join(n, n)
        for _ in range(cables):
            a, b = r.sample(self.switches(), 2)
            join(a, b)
        cas = [n for n in self.nodes if n.kind == "Ca"]
        for n in r.sample(cas, min(routers, len(cas))):
            n.kind = "Rt"
        cas = [n for n in self.nodes if n.kind == "Ca"]
        for n in r.sample(cas, min(doubles, len(cas))):
            join(n, r.choice(self.switches()))
        for n in r.sample(cas, min(lost, max(len(cas) - 4, 0))):
            for p in list(n.peers):
                cut(n, p)
        self.nodes = [n for n in self.nodes if n.peers]

    def share_systems(self):
        """Directors: several switches with one system image GUID."""
        switches = self.switches()
        for n in switches:
            n.system = self.random.choice(switches).system

    def shuffle_ports(self):
        for n in self.switches():
            old = sorted(n.peers)
            new = self.random.sample(range(1, len(old) + self.random.randrange(4) + 1), len(old))
            peers = dict(n.peers)
            moved = dict(zip(old, new))
            n.peers = {}
            for p in old:
                m, q = peers[p]
                if m is n:
                    q = moved[q]
                else:
                    m.peers[q] = (n, moved[p])
                n.peers[moved[p]] = (m, q)

    def write(self, path):
        with open(path, "w") as f:
            for n in self.nodes:
                key = {"Switch": "switchguid", "Ca": "caguid", "Rt": "rtguid"}[n.kind]
                f.write("sysimgguid=0x%x\n%s=0x%x\n%s\t%d \"%s\"\t# \"%s\" base port 0 lid 0 lmc 0\n" % (
                    n.system, key, n.guid, n.kind, max(n.peers), n.name, n.name))
                for p, (m, q) in sorted(n.peers.items()):
                    f.write("[%d]\t\"%s\"[%d] w=2 s=7 e=2\n" % (p, m.name, q))
                f.write("\n")


# ---- OpenSM under ibsim

class Simulator:
    """ibsim on a net, in a directory."""

    def __init__(self, folder, net):
        self.folder = folder
        text = open(net).read()
        ports = [int(p) + 1 for p in re.findall(r"^(?:Switch|Ca|Hca|Rt)\s+(\d+)", text, re.M)]
        switches = len(re.findall(r"^Switch\s", text, re.M))
        home = re.search(r'^(?:Ca|Hca)\s+\d+ "([^"]*)"[^\n]*\n\[1\]', text, re.M) or re.search(r'^Switch\s+\d+ "([^"]*)"', text, re.M)
        self.socket = "orcs-%d-%s" % (os.getpid(), os.path.basename(folder))
        self.env = dict(os.environ, IBSIM_SOCKNAME=self.socket, SIM_HOST=home.group(1), OSM_TMP_DIR=folder, OSM_CACHE_DIR=folder,
                        PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")
        for name in ("IBSIM_SERVER_NAME", "IBSIM_SERVER_PORT", "SIM_SET_ISSM"):
            self.env.pop(name, None)
        self.log = open(os.path.join(folder, "ibsim.log"), "w+")
        self.process = subprocess.Popen(
            ["ibsim", "-s", "-n", "-N", str(len(ports)), "-S", str(switches), "-P", str(sum(ports)), "-L", "49152", net],
            cwd=folder, env=self.env, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        for _ in range(3000):
            if "Network simulator ready" in open(self.log.name).read():
                break
            if self.process.poll() is not None:
                raise RuntimeError("ibsim: " + open(self.log.name).read()[-300:])
            time.sleep(0.02)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def client(self, *command, **options):
        env = dict(self.env, LD_PRELOAD=PRELOAD)
        return subprocess.Popen(["env", *command], cwd=self.folder, env=env, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)

    def discover(self, path):
        with open(path, "w") as f:
            self.client("ibnetdiscover", "--node-name-map", "/dev/null", stdout=f).wait()

    def opensm(self, engine, *options, flags="0x43", once=True, limit=120):
        """Returns (process, None) once the subnet is up, or (None, why not)."""
        log = os.path.join(self.folder, "opensm.log")
        for old in glob.glob(os.path.join(self.folder, "opensm*")):
            os.remove(old)
        with open(os.path.join(self.folder, "conf"), "w") as f:
            f.write("log_file opensm.log\nlog_flags %s\ndump_files_dir ./\npartition_config_file none\nper_module_logging_file none\n"
                    "prefix_routes_file none\nqos_policy_file none\ntransaction_timeout 10000\n" % flags)
        process = self.client("opensm", "-F", "conf", "-R", engine + ",no_fallback", *(["-o"] if once else []), *options,
                              stdout=subprocess.DEVNULL)
        end = time.time() + limit
        said = ""
        while time.time() < end:
            said = open(log, errors="replace").read() if os.path.exists(log) else ""
            if "No routing engine able" in said:
                break
            if once and process.poll() is not None or not once and "SUBNET UP" in said:
                break
            time.sleep(0.03)
        if "SUBNET UP" in said and "No routing engine able" not in said:
            return process, None
        process.send_signal(signal.SIGKILL)
        process.wait()
        lines = [re.sub(r"^.*\] 0x[0-9a-fA-F]+ -> ", "", line) for line in said.splitlines()]
        errors = [line for line in lines if re.search(r"ERR [0-9A-F]+:", line)]
        cannot = [lines[i - 1] for i, line in enumerate(lines) if re.search(r"ucast_mgr_route: .* cannot ", line) and i]
        return None, (errors + cannot + ["no answer"])[0]
