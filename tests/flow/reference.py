"""Random fabrics, routes, programs, weights, classes and failures: orcs --engine flow against a slow simulation that shares nothing with it:
reference.py BIN_DIR INSTANCES [FIRST_SEED]

The fabric is read from its dot graph, the programs from the files that are given to orcs. Rates are found by raising all alike until a channel is
full, anew and of all messages at every event. Where a pair has several routes, all are known beforehand; which of them was drawn for it the bits
on the channels tell, as every message has a size that no others add up to. Compared are beginning, end, time alone, hops and fate of every message, the bits on every channel,
the makespan, the timeline, and what all messages get at once."""
import csv
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

NEAR = 1e-9     # relative
PICOSECOND = 1e-12


class Fabric:
    """Channels in the order of the nodes, then of the file; tables of all alternatives."""

    def __init__(self, text):
        self.name, self.kind, edges = [], {}, {}
        for line in text.splitlines():
            edge = re.match(r'\s*"([^"]+)" -> "([^"]+)"(?: \[(.*)\])?;', line)
            node = re.match(r'\s*"([^"]+)"(?: \[(.*)\])?;', line)
            if edge:
                keys = dict(re.findall(r'(\w+)="([^"]*)"', edge.group(3) or ""))
                edges.setdefault(edge.group(1), []).append((edge.group(2), keys))
            elif node and node.group(1) not in self.kind: # lanes come in statements of their own
                self.name.append(node.group(1))
                self.kind[node.group(1)] = "host" if 'type="host"' in (node.group(2) or "") else "switch"
        self.hosts = [n for n in self.name if self.kind[n] == "host"]
        self.tail, self.head, self.speed, self.latency, self.out, self.sets, self.port = [], [], [], [], {}, [], []
        place = {n: i for i, n in enumerate(self.name)} # channels of a node count in the order of their heads, ports in that of the file
        for n in self.name:
            for port, (head, keys) in sorted(enumerate(edges.get(n, []), 1), key=lambda edge: place[edge[1][0]]):
                self.port.append(port)
                self.out.setdefault(n, []).append(len(self.head))
                self.tail.append(n)
                self.head.append(head)
                self.speed.append(float(keys.get("speed", 1)))
                self.latency.append(float(keys.get("latency", 0)))
                self.sets.append(set(keys.get("comment", "").split(",")))
        host_links = [self.speed[c] for c in range(len(self.head)) if self.kind[self.tail[c]] == "host" or self.kind[self.head[c]] == "host"]
        self.slowest = min(host_links) if "speed=" in text else 0
        self.via = 'via="random"' in text
        self.listed = {} # source routes: (source, destination): [(weight, channels)]
        self.kept = {}

    def read_routes(self, text):
        number = {(t, h): c for c, (t, h) in enumerate(zip(self.tail, self.head))}
        for line in text.splitlines():
            weight, nodes = line.split()
            nodes = nodes.split(",")
            self.listed.setdefault((nodes[0], nodes[-1]), []).append((float(weight), [number[step] for step in zip(nodes, nodes[1:])]))

    def choices(self, source, destination):
        """All routes of a pair: [(probability, {channel: how often})]."""
        if self.listed:
            routes = self.listed[source, destination]
            return [(weight / sum(w for w, _ in routes), dict.fromkeys(channels, 1)) for weight, channels in routes]
        if not self.via:
            return self.branches(source, destination)
        switch = {h: self.head[self.out[h][0]] for h in self.hosts}
        first = {} # of the hosts of a switch
        for h in self.hosts:
            first.setdefault(switch[h], h)
        found = []
        for via, host in first.items():
            route = self.walk(source, destination, False)
            if via not in (switch[source], switch[destination]):
                route = {c: 1 for c in self.walk(source, host, False) if self.head[c] != host}
                for c in self.walk(via, destination, False):
                    route[c] = route.get(c, 0) + 1
            found.append((1 / len(first), route))
        return found

    def branches(self, node, destination):
        if node == destination:
            return [(1, {})]
        ways = self.ways(node, destination)
        return [(p / len(ways), {**route, c: 1}) for c in ways for p, route in self.branches(self.head[c], destination)]

    def ways(self, node, destination):
        listed = [c for c in self.out.get(node, []) if destination in self.sets[c]]
        return listed or [c for c in self.out.get(node, []) if "*" in self.sets[c]]

    def route(self, source, destination, split):
        """{channel: part}, or None."""
        key = (source, destination, split)
        if key not in self.kept:
            self.kept[key] = self.spread(source, destination) if split and (self.listed or self.via) else self.walk(*key)
        return self.kept[key]

    def spread(self, source, destination):
        parts = {}
        for p, route in self.choices(source, destination):
            for c, times in route.items():
                parts[c] = parts.get(c, 0) + p * times
        return parts

    def walk(self, source, destination, split):
        parts, level = {}, {source: 1.0}
        for _ in range(len(self.name)):
            following = {}
            for node, part in level.items():
                ways = self.ways(node, destination)
                if not ways:
                    return None
                for c in ways if split else ways[:1]:
                    share = part / len(ways) if split else part
                    parts[c] = parts.get(c, 0) + share
                    if self.head[c] != destination:
                        following[self.head[c]] = following.get(self.head[c], 0) + share
            if not following:
                return parts
            level = following
        return None


def fill(messages, capacity, weights):
    """Progressive filling: rates of messages (index -> {channel: part}), in proportion to their weights."""
    rate, free = {}, dict(messages)
    left = dict(capacity)
    while free:
        weight = {}
        for m, parts in free.items():
            for c, part in parts.items():
                weight[c] = weight.get(c, 0) + part * weights[m]
        level, full = min(((max(left[c], 0) / weight[c], c) for c in weight), key=lambda candidate: candidate[0])
        for m in [m for m, parts in free.items() if full in parts]:
            rate[m] = level * weights[m]
            for c, part in free.pop(m).items():
                left[c] -= rate[m] * part
    return rate


def rates(messages, classes, weights, policy, capacity):
    """Of all classes. policy: None, "strict", or the list of shares."""
    used = {c for parts in messages.values() for c in parts}
    whole = {c: capacity[c] for c in used}
    if policy is None:
        return fill(messages, whole, weights)
    found, left = {}, dict(whole)
    count = 8 if policy == "strict" else len(policy)
    members = [{m: p for m, p in messages.items() if min(classes[m], count - 1) == k} for k in range(count)]
    present = {c: [any(c in p for p in members[k].values()) for k in range(count)] for c in used}
    for k in range(count):
        if policy != "strict":
            left = {c: whole[c] * policy[k] / (sum(s for s, is_there in zip(policy, present[c]) if is_there) or 1) for c in used}
        mine = fill(members[k], left, weights)
        found.update(mine)
        for m, rate in mine.items():
            for c, part in members[k][m].items():
                left[c] -= rate * part
        if policy == "strict":
            left = {c: value if value > 1e-9 * whole[c] else 0 for c, value in left.items()}
    return found


class Simulation:
    def __init__(self, case):
        self.case = case
        self.now = 0.0
        self.message = []       # dicts
        self.moving = {}        # index -> {channel: part}
        self.wakes = []         # (time, number, function)
        self.number = 0
        self.capacity = dict(case.capacity)
        self.failed = False
        self.lost_channels = set()
        self.sent = {}
        self.last = 0.0

    def send(self, sender, receiver, size, weight, klass, done, place=0):
        """place: in the file, among the messages of the sender to the receiver."""
        case = self.case
        source, destination = case.place[sender], case.place[receiver]
        m = len(self.message)
        parts = self.path(source, destination)
        self.message.append({"sender": sender, "receiver": receiver, "begin": self.now, "class": klass, "weight": weight, "done": done,
                             "lost": False, "rerouted": 0, "bytes": size, "place": place})
        if parts is None or self.lost_channels & set(parts):
            self.lose(m)
            return
        fabric = {c: p for c, p in parts.items() if not isinstance(c, tuple)}
        latency = sum(case.latency[c] * p for c, p in fabric.items())
        slowest = min((self.capacity[c] / p for c, p in parts.items()), default=math.inf)
        self.message[m].update(left=8.0 * size, latency=latency, hops=sum(fabric.values()),
                               alone=latency + (8 * size / slowest if slowest < math.inf else 0))
        if parts and size > 0:
            self.moving[m] = parts
        else:
            self.at(self.now + latency, lambda: self.arrive(m))

    def path(self, source, destination):
        if source == destination:
            return {("memory", source): 1.0} if self.case.memory else {}
        if self.failed and self.case.afterwards:
            return self.case.afterwards_route(self.lost_channels, source, destination)
        return self.case.route(source, destination)

    def at(self, time, act):
        self.number += 1
        self.wakes.append((time, self.number, act))

    def arrive(self, m):
        self.message[m]["end"] = self.now
        self.last = max(self.last, self.now)
        self.message[m]["done"]()

    def lose(self, m):
        self.message[m]["lost"] = True
        self.moving.pop(m, None)
        self.arrive(m)

    def fail(self, channels):
        self.failed = True
        self.lost_channels |= set(channels)
        for m in [m for m, parts in self.moving.items() if self.lost_channels & set(parts)]:
            about = self.message[m]
            parts = self.path(self.case.place[about["sender"]], self.case.place[about["receiver"]]) if self.case.afterwards else None
            if parts is None or self.lost_channels & set(parts):
                self.lose(m)
            else:
                self.moving[m] = parts
                about["rerouted"] += 1
                about["latency"] = sum(self.case.latency[c] * p for c, p in parts.items())

    def run(self):
        self.case.start(self)
        classes, weights = {}, {}
        while self.moving or self.wakes:
            for m in self.moving:
                classes[m], weights[m] = self.message[m]["class"], self.message[m]["weight"]
            rate = rates(self.moving, classes, weights, self.case.policy, self.capacity)
            ends = {m: self.now + self.message[m]["left"] / rate[m] for m in self.moving if rate[m] > 0}
            following = min(list(ends.values()) + [w[0] for w in self.wakes], default=None)
            assert following is not None, "nothing moves for ever"
            passed = following - self.now
            for m, parts in self.moving.items():
                self.message[m]["left"] -= rate[m] * passed
                for c, part in parts.items():
                    self.sent[c] = self.sent.get(c, 0) + rate[m] * part * passed
            self.now = following
            for m in [m for m, end in ends.items() if end <= following * (1 + 1e-15)]:
                del self.moving[m]
                self.at(self.now + self.message[m]["latency"], lambda m=m: self.arrive(m))
            while True: # what happens now may wake others now
                due = sorted(w for w in self.wakes if w[0] <= self.now)
                if not due:
                    break
                self.wakes = [w for w in self.wakes if w[0] > self.now]
                for _, _, act in due:
                    act()


class Program:
    """A task: it sends and goes on, waits where it receives, and computes."""

    def __init__(self, task, lines):
        self.task, self.lines, self.next = task, lines, 0

    def go_on(self, simulation, inbox, waiting):
        while self.next < len(self.lines):
            kind, *what = self.lines[self.next]
            if kind == "r":
                key = (what[0], self.task, what[1])
                if not inbox.get(key, []):
                    waiting[key] = lambda: self.go_on(simulation, inbox, waiting)
                    return
                order = inbox[key]
                if not order[0]["arrived"]:
                    order[0]["then"] = lambda: self.go_on(simulation, inbox, waiting)
                    return
                order.pop(0)
            elif kind == "s":
                key, slot = (self.task, what[0], what[1]), {"arrived": False, "then": None}
                inbox.setdefault(key, []).append(slot)

                def done(slot=slot):
                    slot["arrived"] = True
                    if slot["then"]:
                        slot["then"]()
                simulation.send(self.task, what[0], what[2], what[3], what[4], done)
                if key in waiting:
                    # the receiver looks again, once all that begins now has begun
                    simulation.at(simulation.now, waiting.pop(key))
            else:
                simulation.last = max(simulation.last, simulation.now + what[0])
                self.next += 1
                simulation.at(simulation.now + what[0], lambda: self.go_on(simulation, inbox, waiting))
                return
            self.next += 1


class Schedule:
    """Operations of which each begins when all that it requires has ended, or begun; a receive begins when it is posted, and ends when its message
    is there as well."""

    def __init__(self, simulation, lines, orders):
        self.simulation, self.lines, self.orders = simulation, lines, orders
        self.begun, self.ended, self.arrived, self.message_of = set(), set(), set(), {}
        self.match()
        self.go_on()

    def match(self):
        """In the order of posting when messages take no time, but are counted where times are equal; of that, in the order of the lines."""
        keys, begun, ended, waiting = {}, set(), set(), set(range(len(self.lines)))
        now, ends, picosecond = (0, 0), {}, 10**12
        while True:
            free = [i for i in waiting if all(other in (begun if early else ended) for other, early in self.orders[i])]
            soon = [(*now, i, False) for i in free] + [(*at, i, True) for i, at in ends.items()]
            if not soon:
                break
            *now, i, end = min(soon)
            kind, *what = self.lines[i]
            if end:
                del ends[i]
                ended.add(i)
            else:
                waiting.remove(i)
                begun.add(i)
                if kind != "r":
                    ends[i] = (now[0] + round(what[1] * picosecond), now[1]) if kind == "c" else (now[0], now[1] + 1)
                if kind != "c":
                    keys.setdefault(tuple(what[:3]), ([], []))[kind == "r"].append(i)
            self.message_of = {receive: send for sends, receives in keys.values() for send, receive in zip(sends, receives)}
            ended |= {r for r, s in self.message_of.items() if s in ended}

    def may_begin(self, i):
        return all(other in (self.begun if begun else self.ended) for other, begun in self.orders[i])

    def go_on(self):
        """Until nothing more can begin now."""
        before = None
        while before != (len(self.begun), len(self.ended)):
            before = (len(self.begun), len(self.ended))
            for i in range(len(self.lines)):
                if i not in self.begun and self.may_begin(i):
                    self.begun.add(i)
                    self.begin(i)
            self.ended |= {r for r, s in self.message_of.items() if r in self.begun and s in self.arrived}

    def begin(self, i):
        kind, *what = self.lines[i]
        if kind == "s":
            self.simulation.send(what[0], what[1], what[3], what[4], what[5], lambda: self.end(i), i)
        elif kind == "c":
            end = self.simulation.now + what[1]
            self.simulation.last = max(self.simulation.last, end)
            self.simulation.at(end, lambda: self.end(i))

    def end(self, i):
        self.arrived.add(i)
        self.ended.add(i)
        self.simulation.at(self.simulation.now, self.go_on)


FABRICS = ["torus:4x3,hosts=2", "torus:3x3x3,hosts=1", "mesh:3x4,hosts=1", "fattree:k=3,n=2", "fattree:k=2,n=3", "dragonfly:p=2,a=4,h=1", "hyperx:3x3",
           "jellyfish:switches=8,ports=6,links=4"]


SIZES_TOLD, SIZE_UNIT = 16, 2**27 # of so many messages the sizes tell which they are: a multiple of the unit and a power of 3


def task_of(line):
    return line[2] if line[0] == "r" else line[1]


def drawn_weight(chance):
    return chance.choice([1, 1, 1, 0.5, 3, chance.randint(1, 20) / 4])


def drawn_trace(chance, tasks, told):
    """Programs whose receives come after their sends in one order of all events, so that they cannot block each other for ever."""
    lines, open_messages, sends = [], [], 0
    for _ in range(chance.randint(20, 60)):
        what = chance.random()
        if what < 0.6 or not open_messages:
            s, d, tag = chance.randrange(tasks), chance.randrange(tasks), chance.randrange(2)
            size = chance.choice([0, 1, chance.randint(1, 10**8), chance.randint(1, 10**9), 5 * 10**7])
            if told:
                if sends == SIZES_TOLD:
                    break
                size = SIZE_UNIT * chance.randint(1, 8) + 3**sends
            sends += 1
            lines.append(("s", s, d, tag, size, drawn_weight(chance), chance.randrange(3)))
            open_messages.append((s, d, tag))
        elif what < 0.85:
            lines.append(("r",) + open_messages.pop(chance.randrange(len(open_messages))))
        else:
            lines.append(("c", chance.randrange(tasks), chance.choice([0.125, chance.random()])))
    return lines + [("r",) + m for m in open_messages]


class Case:
    def __init__(self, bin_dir, seed, folder):
        self.bin, self.seed = bin_dir, seed
        chance = self.chance = random.Random(seed)
        self.file = lambda name: os.path.join(folder, name)
        self.several = chance.choice([None, None, "ecmp", "ecmp", "valiant", "valiant:updn-orcs", "ksp:3"]) # engine
        self.split = self.several and chance.random() < 0.5
        self.drawn = self.several and not self.split # one route of each pair
        self.taken = {}
        self.topology = chance.choice(FABRICS)
        text = self.tool("orcs-topology", self.topology)
        self.listed = self.several and self.several.startswith("ksp")
        engine = self.several if self.several and not self.listed else chance.choice(["minhop-orcs", "updn-orcs", "dfsssp-orcs"])
        text = self.tool("orcs-route", "--quiet", engine, text=text)
        text = self.mark(text, chance.random() < 0.4, chance.random() < 0.4)
        with open(self.file("fabric.dot"), "w") as f:
            f.write(text)
        self.fabric = Fabric(text)
        if self.listed:
            self.tool("orcs-route", "--quiet", self.several, "--routes", self.file("routes"), self.file("fabric.dot"), "-o", self.file("same.dot"))
            with open(self.file("routes")) as f:
                self.fabric.read_routes(f.read())
        tasks = chance.randint(2, len(self.fabric.hosts))
        self.place = dict(enumerate(self.fabric.hosts))
        self.arguments = ["-d", "--subset", "file_order", "--engine", "flow"]
        self.arguments += ["--multipath", "split" if self.split else "random"] if self.several else []
        self.arguments += ["--routes", self.file("routes")] if self.listed else []
        slowest = self.fabric.slowest * 1e9 or 10e9
        if chance.random() < 0.3:
            slowest = float(chance.choice([1e9, 3.7e9]))
            self.arguments += ["--capacity", repr(slowest)]
        base = self.fabric.slowest or 1
        self.capacity = {c: slowest * s / base for c, s in enumerate(self.fabric.speed)}
        self.latency = dict(enumerate(self.fabric.latency))
        if chance.random() < 0.3:
            self.latency = dict.fromkeys(self.latency, 1e-3)
            self.arguments += ["--latency", "1e-3"]
        self.memory = chance.random() < 0.3
        if self.memory:
            self.arguments += ["--memory-capacity", "40e9"]
            self.capacity.update({("memory", h): 40e9 for h in self.fabric.hosts})
        self.policy = self.chance.choice([None, None, "strict", [50, 50], [1, 3, 2]])
        if self.policy:
            self.arguments += ["--priority", self.policy if self.policy == "strict" else "share:" + ",".join(map(str, self.policy))]
        if chance.random() < 0.5 and not self.drawn:
            self.draw_jobs(tasks)
        else:
            self.draw_trace(tasks)
        self.draw_failures(text)

    def tool(self, program, *arguments, text=None):
        done = subprocess.run([os.path.join(self.bin, program), *arguments], input=text, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(" ".join([program, *arguments]) + ": " + done.stderr)
        return done.stdout

    def mark(self, text, speeds, latencies):
        """The same speed and latency for both directions of some cables."""
        drawn, lines = {}, []
        for line in text.splitlines():
            edge = re.match(r'\s*"([^"]+)" -> "([^"]+)" \[', line)
            if edge:
                cable = tuple(sorted(edge.groups()))
                speed, latency = drawn.setdefault(cable, (self.chance.choice([10, 25, 40]), self.chance.choice([0, 5e-4, 2e-3])))
                keys = (', speed="%d"' % speed if speeds else "") + (', latency="%g"' % latency if latencies else "")
                line = line.rstrip("];") + keys + "];"
            lines.append(line)
        return "\n".join(lines) + "\n"

    def draw_trace(self, tasks):
        self.trace, self.orders = drawn_trace(self.chance, tasks, self.drawn), None
        if self.chance.random() < 0.4:
            self.draw_schedule(tasks)
            return
        with open(self.file("trace"), "w") as f:
            for kind, *what in self.trace:
                options = [" weight=%r" % what[4] if what[4] != 1 else "", " priority=%d" % what[5]] if kind == "s" else [" 1" if kind == "r" else ""]
                f.write(" ".join([kind] + [repr(w) for w in what[:4]]) + "".join(options) + "\n")
        self.arguments += ["-p", "trace:" + self.file("trace")]

    def draw_schedule(self, tasks):
        """What the programs do in GOAL, in any order that does not block: each operation requires some of those before it in the program."""
        lines = [("c", what[0], round(what[1], 9)) if kind == "c" else (kind, *what[:4], 1, 0) if kind == "s" else (kind, *what)
                 for kind, *what in self.trace]
        self.trace = sorted(lines, key=task_of) # as the file has them
        self.orders, first, text = [], 0, "num_ranks %d\n" % len(self.fabric.hosts)
        for i, line in enumerate(self.trace):
            kind, *what = line
            if i == 0 or task_of(line) != task_of(self.trace[i - 1]):
                text += ("}\n" if i else "") + "rank %d {\n" % task_of(line)
                first = i
            count = min(i - first, self.chance.choice([0, 1, 1, 2]))
            self.orders.append([(other, self.chance.random() < 0.5) for other in self.chance.sample(range(first, i), count)])
            lines = ["l%d: " % i + {"s": lambda: "send %db to %d tag %d" % (what[3], what[1], what[2]),
                                    "r": lambda: "recv 1b from %d tag %d" % (what[0], what[2]),
                                    "c": lambda: "calc %d" % round(what[1] * 1e9)}[kind]()]
            lines += ["l%d %s l%d" % (i, "irequires" if begun else "requires", other) for other, begun in self.orders[-1]]
            self.chance.shuffle(lines) # labels may be used before they are there
            text += "\n".join(lines) + "\n"
        with open(self.file("schedule"), "w") as f:
            f.write(text + "}\n")
        self.arguments += ["-p", "goal:" + self.file("schedule")]

    def draw_jobs(self, tasks):
        """Traffic that begins at once when its job arrives; which messages these are, the table of orcs tells."""
        self.trace, self.orders, self.jobs, first = None, None, [], 0
        with open(self.file("jobs"), "w") as f:
            while first + 2 <= tasks:
                count = self.chance.randint(2, tasks - first)
                job = {"arrival": self.chance.choice([0, 0.0, round(self.chance.random(), 3)]), "tasks": range(first, first + count),
                       "class": self.chance.randrange(4), "weight": drawn_weight(self.chance), "bytes": self.chance.choice([10**8, 10**7, self.chance.randint(1, 10**9)])}
                many = 200 if self.seed % 50 == 0 else 30
                what = self.chance.choice(["random:%d" % self.chance.randint(1, many), "shift:1", "alltoone"])
                weight = " weight=%r" % job["weight"] if job["weight"] != 1 else ""
                f.write("%s %d %s bytes=%d priority=%d%s\n" % (job["arrival"], count, what, job["bytes"], job["class"], weight))
                self.jobs.append(job)
                first += count
        self.arguments += ["-p", "jobs:" + self.file("jobs")]

    def draw_failures(self, text):
        self.failures, self.afterwards, self.engine = [], None, None
        if self.chance.random() < 0.5 or self.drawn or (self.split and self.several != "ecmp"):
            return
        if self.split or self.chance.random() < 0.6:
            self.engine = self.chance.choice(["minhop-orcs", "updn-orcs", "sssp-orcs"])
        gone = set()
        cables = [c for c in range(len(self.fabric.head)) if self.fabric.kind[self.fabric.tail[c]] == self.fabric.kind[self.fabric.head[c]] == "switch"]
        for _ in range(self.chance.randint(1, 2)):
            c = self.chance.choice(cables)
            tail, head = self.fabric.tail[c], self.fabric.head[c]
            both = [d for d in cables if (self.fabric.tail[d], self.fabric.head[d]) in ((tail, head), (head, tail))]
            if len(both) != 2 or c in gone:
                continue
            gone |= set(both)
            time = self.chance.choice([0.0123457, round(self.chance.random(), 6)])
            self.failures.append((time, both))
            self.arguments += ["--fail-at", "%.9f:%s:%d" % (time, tail, self.fabric.port[c])]
        if not self.engine or not gone:
            return
        self.arguments += ["--reroute", self.engine]
        self.number = {(t, h): c for c, (t, h) in enumerate(zip(self.fabric.tail, self.fabric.head))}
        self.afterwards = {}
        for time, _ in self.failures:
            gone = frozenset(c for earlier, both in self.failures if earlier <= time for c in both)
            self.afterwards[gone] = self.route_again(text, gone)

    def route_again(self, text, gone):
        cut = {(self.fabric.tail[c], self.fabric.head[c]) for c in gone}
        lines = [line for line in text.splitlines() if not any('"%s" -> "%s"' % ends in line for ends in cut)]
        lines = [re.sub(r'comment="[^"]*"', 'comment=""', line) for line in lines]
        return Fabric(self.tool("orcs-route", "--quiet", "--allow-unreachable", self.engine, text="\n".join(lines) + "\n"))

    def afterwards_route(self, lost, source, destination):
        """By the tables of the fabric without the channels that are lost."""
        tables = self.afterwards[frozenset(lost)]
        parts = tables.route(source, destination, False)
        return parts and {self.number[tables.tail[c], tables.head[c]]: p for c, p in parts.items()}

    def route(self, source, destination):
        """{channel: part} before any failure, or None."""
        return self.taken[source, destination] if self.drawn else self.fabric.route(source, destination, self.split)

    def find_taken(self, channels):
        """Which route each pair took, of those it has: from the sizes that have passed the channels."""
        sends = sorted((what[3] % SIZE_UNIT, self.place[what[0]], self.place[what[1]]) for kind, *what in self.trace if kind == "s")
        sends = [pair for _, *pair in sends]
        routes = [{} for _ in sends]
        for c in channels:
            rest = c["sum"] / 8 % SIZE_UNIT
            for route in routes:
                if rest % 3:
                    route[c["id"]] = rest % 3
                rest //= 3
            assert rest == 0 and c["sum"] % 8 == 0, "bits of no message from %(from)s to %(to)s" % c
        for pair, route in zip(sends, routes):
            if pair[0] != pair[1]:
                assert route in [r for _, r in self.fabric.choices(*pair)], "no route from %s to %s: %s" % (*pair, route)
                assert self.taken.setdefault(tuple(pair), route) == route, "two routes from %s to %s in one run" % pair

    def compare_choices(self):
        """In many runs each of a pair's routes is taken as often as it should be, but for chance: five standard deviations."""
        runs, pair = 400, next((pair for pair in self.taken), None)
        if not pair:
            return
        tasks = [t for host in pair for t, h in self.place.items() if h == host]
        with open(self.file("one"), "w") as f:
            f.write("s %d %d 0 1\nr %d %d 0 1\nc %d 0\n" % (*tasks, *tasks, len(self.place) - 1))
        result = json.loads(self.tool("orcs", "-d", "--subset", "file_order", "--engine", "flow", "--multipath", "random", "-n", str(runs), "-p",
                                      "trace:" + self.file("one"), "--metric", "link_use", "--format", "json", self.file("fabric.dot"),
                                      *(["--routes", self.file("routes")] if self.listed else [])))
        choices = self.fabric.choices(*pair)
        for c in result["metrics"]["link_use"]["channels"]:
            mean, square = (sum(p * route.get(c["id"], 0) ** power for p, route in choices) for power in (1, 2))
            slack = 5 * math.sqrt(max(square - mean**2, 0) / runs) + 1e-9
            assert abs(c["sum"] / 8 / runs - mean) <= slack, "from %s to %s: %g times %s -> %s, not %g" % (*pair, c["sum"] / 8 / runs, c["from"],
                                                                                                   c["to"], mean)

    def weight(self, m):
        """Of a message of the table."""
        if self.trace:
            return [what[4] for kind, *what in self.trace if kind == "s"][m]
        return next(j["weight"] for j in self.jobs if int(self.table[m]["sender"]) in j["tasks"])

    def start(self, simulation):
        for time in {time for time, _ in self.failures}:
            simulation.at(time, lambda time=time: simulation.fail([c for at, both in self.failures if at == time for c in both]))
        if self.orders:
            Schedule(simulation, self.trace, self.orders)
            return
        if self.trace:
            inbox, waiting = {}, {}
            lines = {}
            for kind, *what in self.trace:
                task = what[1] if kind == "r" else what[0]
                lines.setdefault(task, []).append((kind, what[0], what[2]) if kind == "r" else (kind, *what[1:]))
            for task in sorted(lines):
                Program(task, lines[task]).go_on(simulation, inbox, waiting)
            return
        for row in self.table:
            job = next(j for j in self.jobs if int(row["sender"]) in j["tasks"])
            assert int(row["receiver"]) in job["tasks"] and float(row["bytes"]) == job["bytes"], row
            simulation.at(float(job["arrival"]), lambda row=row, job=job: simulation.send(
                int(row["sender"]), int(row["receiver"]), float(row["bytes"]), job["weight"], job["class"], lambda: None))

    def run(self):
        result = json.loads(self.tool(
            "orcs", *self.arguments, "--flows", self.file("flows.csv"), "--timeline", self.file("timeline"), "--format", "json",
            "--metric", "makespan,link_use,fct,%shops,loads,latency" % ("" if self.policy else "throughput,"), self.file("fabric.dot")))["metrics"]
        with open(self.file("flows.csv")) as f:
            self.table = list(csv.DictReader(f))
        with open(self.file("timeline")) as f:
            self.events = json.load(f)["traceEvents"]
        if self.drawn:
            self.find_taken(result["link_use"]["channels"])
            self.compare_choices()
        simulation = Simulation(self)
        simulation.run()
        self.compare(result, simulation)
        self.compare_use(result["link_use"], simulation)
        self.compare_timeline(simulation)
        self.compare_shares(result)

    def near(self, what, value, expected, slack=64 * PICOSECOND):
        assert value is not None, what + " is missing"
        assert abs(value - expected) <= NEAR * abs(expected) + slack, "%s is %.15g, not %.15g" % (what, value, expected)

    def compare(self, result, simulation):
        of_pair = {}
        for m in sorted(simulation.message, key=lambda m: m["place"]):
            of_pair.setdefault((m["sender"], m["receiver"]), []).append(m)
        assert len(self.table) == len(simulation.message), "%d messages, not %d" % (len(self.table), len(simulation.message))
        for row in self.table:
            m = of_pair[int(row["sender"]), int(row["receiver"])].pop(0)
            name = "message %s (%s to %s): " % (row["message"], row["sender"], row["receiver"])
            assert (row["from"], row["to"]) == (self.place[m["sender"]], self.place[m["receiver"]]), name + "on %s and %s" % (row["from"], row["to"])
            assert float(row["bytes"]) == m["bytes"], name + "other bytes"
            self.near(name + "its begin", float(row["begin"]), m["begin"])
            self.near(name + "its end", float(row["end"]), m["end"])
            assert row["delivered"] == str(int(not m["lost"])), name + "delivered is " + row["delivered"]
            if not m["lost"]:
                self.near(name + "its time alone", float(row["alone"]), m["alone"], slack=1e-8 * m["alone"])
                assert int(row["hops"]) == math.floor(m["hops"] + 0.5 + 1e-9), name + "hops are %s, not %g" % (row["hops"], m["hops"])
        self.near("makespan", result["makespan"]["mean"], simulation.last)
        for c in result["link_use"]["channels"]:
            self.near("bits from %(from)s to %(to)s" % c, c["sum"], simulation.sent.get(c["id"], 0), slack=40)
        assert result["fct"].get("unroutable", 0) == sum(m["lost"] for m in simulation.message), "the number of lost messages"
        arrived = sum(row["from"] != row["to"] and row["delivered"] == "1" for row in self.table)
        assert result["fct"]["flows"] == sum(result["fct"]["histogram"].values()) == arrived, "the number of messages that the network delivered"
        assert result["fct"]["rerouted"] == sum(m["rerouted"] for m in simulation.message), "the number of rerouted messages"

    def compare_use(self, result, simulation):
        """Every bit is told of once, over the channels and over the time."""
        channels = range(len(self.fabric.head))
        use = [simulation.sent.get(c, 0) / self.capacity[c] / simulation.last for c in channels] if simulation.last else [0]
        whole = sum(self.capacity[c] for c in channels)
        self.near("mean use", result["mean"], sum(u * self.capacity[c] for u, c in zip(use, channels)) / whole)
        self.near("largest use", result["max"], max(use))
        over_time = sum(result["over_time"]) / len(result["over_time"])
        whole = sum(self.capacity[c] for c in channels) * simulation.last
        self.near("use over time", over_time, sum(simulation.sent.get(c, 0) for c in channels) / whole if whole else 0)

    def compare_timeline(self, simulation):
        """The same times as in the table, in microseconds, and all computations."""
        of_kind = {kind: [e for e in self.events if e["ph"] == kind and e.get("cat") != "compute"] for kind in "beM"}
        rows = [("%.6f" % (float(row["begin"]) * 1e6), "%.6f" % (float(row["end"]) * 1e6), int(row["sender"])) for row in self.table]
        ends = {e["id"]: e for e in of_kind["e"]}
        assert len(ends) == len(of_kind["b"]) == len(rows), "the timeline has other messages"
        for row, b in zip(rows, of_kind["b"]):
            assert row == ("%.6f" % b["ts"], "%.6f" % ends[b["id"]]["ts"], b["tid"]), "the timeline has %s for %s" % (b, row)
        if self.trace:
            computed = {ph: [e for e in self.events if e["ph"] == ph and e.get("cat") == "compute"] for ph in "Xbe"}
            until = {e["id"]: e["ts"] for e in computed["e"]} # those that overlap have two events each
            wanted = sorted((what[0], what[1]) for kind, *what in self.trace if kind == "c")
            found = sorted([(e["tid"], e["dur"] / 1e6) for e in computed["X"]] + [(e["tid"], (until[e["id"]] - e["ts"]) / 1e6) for e in computed["b"]])
            assert len(wanted) == len(found), "the timeline has other computations"
            for (task, seconds), (tid, duration) in zip(wanted, found):
                assert task == tid, "a computation of task %d" % tid
                self.near("a computation", duration, seconds)

    def compare_shares(self, result):
        """All messages that enter the network at once, with all failures."""
        simulation = Simulation(self)
        simulation.failed = bool(self.failures)
        simulation.lost_channels = {c for _, channels in self.failures for c in channels}
        load, lengths, moving, between, lost, alone = {}, {}, {}, 0, 0, []
        for m, row in enumerate(self.table):
            source, destination = row["from"], row["to"]
            if source == destination:
                continue
            between += 1
            before = self.route(source, destination)
            slowest = min(self.capacity[c] / p for c, p in before.items())
            delay = sum(self.latency[c] * p for c, p in before.items())
            alone.append(delay + 8 * float(row["bytes"]) / slowest)
            parts = simulation.path(source, destination)
            if parts is None or simulation.lost_channels & set(parts):
                lost += 1
                continue
            hops = sum(parts.values())
            lengths[math.floor(hops + 0.5 + 1e-9)] = lengths.get(math.floor(hops + 0.5 + 1e-9), 0) + 1
            moving[m] = parts
            for c, part in parts.items():
                load[c] = load.get(c, 0) + part
        share = {c: self.capacity[c] / load[c] for c in load}
        throughput, loads = result.get("throughput"), {} # knows no classes
        for c in range(len(self.fabric.head)):
            key = round(load.get(c, 0), 6)
            loads[key] = loads.get(key, 0) + 1
        rate = fill(moving, {c: self.capacity[c] for c in load}, {m: self.weight(m) for m in moving})
        if throughput:
            assert throughput["flows"] == between - lost and throughput["unroutable"] == lost, "flows at once"
            if throughput["flows"]:
                self.near("mean length", throughput["mean_hops"], sum(k * n for k, n in lengths.items()) / throughput["flows"])
            self.near("largest load", throughput["max_load"], max(load.values(), default=0))
            self.near("restricted", throughput["restricted"], len(moving) * min(share.values(), default=0))
            self.near("non-restricted", throughput["non_restricted"], sum(min(share[c] for c in parts) for parts in moving.values()))
            self.near("max-min", throughput["max_min"], sum(rate.values()))
            if moving:
                fairness = sum(rate.values()) ** 2 / (len(rate) * sum(r * r for r in rate.values()))
                self.near("fairness", throughput["fairness"], fairness)
        for what, expected in (("hops", lengths), ("loads", loads)):
            found = {float(k): n for k, n in result[what]["histogram"].items()}
            assert found == expected, "the histogram of %s is %s, not %s" % (what, found, expected)
        if alone:
            self.near("mean time alone", result["latency"]["mean"], sum(alone) / len(alone))
            self.near("longest time alone", result["latency"]["max"], max(alone))


def main():
    bin_dir, count, first = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    passed = failed = 0
    seen = dict.fromkeys(["split", "drawn", "source routes", "by way of a switch", "classes", "failures", "rerouted", "programs", "schedules"], 0)
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            case = None
            try:
                case = Case(bin_dir, seed, folder)
                case.run()
                passed += 1
                for name, is_there in [("split", case.split), ("drawn", case.drawn), ("source routes", case.listed),
                                       ("by way of a switch", case.fabric.via), ("classes", case.policy), ("failures", case.failures), ("rerouted", case.afterwards),
                                       ("programs", case.trace and not case.orders), ("schedules", case.orders)]:
                    seen[name] += bool(is_there)
            except (AssertionError, RuntimeError, KeyError, IndexError) as e:
                failed += 1
                print("FAILED: seed %d: %s: %s" % (seed, type(e).__name__, e))
                if case and hasattr(case, "arguments"):
                    print("    %s: orcs %s" % (case.topology, " ".join(case.arguments)))
    print("of these " + ", ".join("%s %d" % pair for pair in seen.items()))
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


sys.exit(main())
