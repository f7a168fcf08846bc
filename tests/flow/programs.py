#!/usr/bin/env python3
"""Random MPI programs whose messages are known, written in the formats of traces:
programs.py [--broken WHAT] FORMAT DIRECTORY [RANKS [SEED]]

FORMAT is dumpi, events, liballprof, chakra, nccl (a debug log) or inspector, or ring:dumpi and so on: a program in which each rank sends to the next. Writes the trace to
DIRECTORY/trace* and the messages between tasks to DIRECTORY/expected, one line 'SENDER RECEIVER BYTES' each, sorted.
"""
import os
import random
import struct
import sys

ANY = -1


class Program:
    """Calls of each rank; peers are ranks of the communicator, which is (number, members)."""

    def __init__(self, ranks, wild=0.2):
        self.ranks = ranks
        self.wild = wild
        self.calls = [[] for _ in range(ranks)]
        self.messages = []
        self.requests = [10] * ranks
        self.communicators = [(0, list(range(ranks)))]

    def call(self, rank, *what):
        self.calls[rank].append(what)

    def compute(self, rank, nanoseconds):
        self.call(rank, "compute", nanoseconds)

    def exchange(self, communicator, messages, rng):
        """Messages (source, destination, tag, bytes) in ranks; receives are posted first or last, waits are of all kinds."""
        number, members = communicator
        posted = {}
        receives_first = rng.random() < 0.7
        for part in (0, 1) if receives_first else (1, 0):
            for source, destination, tag, size in messages:
                rank = members[destination if part == 0 else source]
                self.requests[rank] += 1
                request = self.requests[rank]
                if part == 0:
                    wild = rng.random()
                    shown = (ANY if wild < self.wild else source, ANY if wild < self.wild / 2 else tag)
                    self.call(rank, "irecv", number, *shown, size, request)
                    posted.setdefault(rank, []).append((request, (source, tag, size)))
                else:
                    mode = rng.choice(["isend", "isend", "issend", "ibsend", "irsend"] if self.wild else ["isend"])
                    self.call(rank, mode, number, destination, tag, size, request)
                    self.messages.append((members[source], members[destination], size))
                    posted.setdefault(rank, []).append((request, None))
        for rank, requests in posted.items():
            rng.shuffle(requests)
            while requests:
                count = rng.randint(1, len(requests))
                self.call(rank, rng.choice(["waitall", "waitany", "waitsome", "wait", "testall"] if self.wild else ["wait", "waitall"]),
                          requests[:count])
                done = 1 if self.calls[rank][-1][0] in ("waitany", "wait") else count
                requests = requests[done:]

    def split(self, communicator, colours, keys):
        """Splits; a colour of None takes no part. Returns the new communicators."""
        number, members = communicator
        new = max(n for n, _ in self.communicators) + 1
        parts = {}
        for rank, task in enumerate(members):
            self.call(task, "split", number, colours[rank], keys[rank], new)
            if colours[rank] is not None:
                parts.setdefault(colours[rank], []).append((keys[rank], rank, task))
        made = [(new, [task for _, _, task in sorted(part)]) for part in parts.values()]
        self.communicators += made
        return made

    def duplicate(self, communicator):
        number, members = communicator
        new = max(n for n, _ in self.communicators) + 1
        for task in members:
            self.call(task, "dup", number, new)
        self.communicators.append((new, list(members)))

    def collective(self, communicator, name, size, root=0):
        number, members = communicator
        for rank, task in enumerate(members):
            self.call(task, "collective", name, number, size, root, rank, len(members))

    def persistent(self, communicator, source, destination, tag, size, times):
        number, members = communicator
        a, b = members[source], members[destination]
        for rank in {a, b}:
            self.requests[rank] += 2
        send, receive = self.requests[a], self.requests[b] - 1
        self.call(b, "recv_init", number, source, tag, size, receive)
        self.call(a, "send_init", number, destination, tag, size, send)
        for _ in range(times):
            self.call(b, "start", receive)
            self.call(a, "start", send)
            self.messages.append((a, b, size))
            if a == b:
                self.call(a, "waitall", [(receive, (source, tag, size)), (send, None)])
            else:
                self.call(b, "wait", [(receive, (source, tag, size))])
                self.call(a, "wait", [(send, None)])


def random_program(ranks, seed, wild=0.2, persistent=True):
    rng = random.Random(seed)
    p = Program(ranks, wild)
    for _ in range(12):
        communicator = rng.choice(p.communicators)
        members = communicator[1]
        n = len(members)
        kind = rng.random()
        for task in members:
            p.compute(task, rng.randrange(1, 100000))
        if kind < 0.5:
            p.exchange(communicator, [(rng.randrange(n), rng.randrange(n), rng.randrange(3), rng.choice([0, 1, 100, 5000, 70000]))
                                      for _ in range(rng.randint(1, 3 * n))], rng)
        elif kind < 0.65:
            p.split(communicator, [rng.choice([0, 1, 2, None]) for _ in members], [rng.randrange(5) for _ in members])
        elif kind < 0.7:
            p.duplicate(communicator)
        elif kind < 0.8 and persistent:
            p.persistent(communicator, rng.randrange(n), rng.randrange(n), 7, rng.choice([0, 8, 100000]), rng.randint(1, 3))
        else:
            p.collective(communicator, rng.choice(["barrier", "bcast", "reduce", "allreduce", "alltoall", "allgather", "gather", "scatter"]),
                         rng.choice([8, 4000]), rng.randrange(n))
    return p


# ---- liballprof: text, without statuses; members of communicators are not written


def write_liballprof(p, directory):
    for rank, calls in enumerate(p.calls):
        members = {number: made for number, made in p.communicators if rank in made}
        time = 10**9
        ids = {0: 0}
        with open("%s/trace-%d.txt" % (directory, rank), "w") as file:
            file.write("# a heading\n\nMPI_Init:-:1:2:%d.000000\n" % time)
            for call in calls:
                if call[0] == "compute":
                    time += call[1]
                    continue
                arguments = liballprof_call(call, ids, lambda number: "%d,%d,%d" % (
                    ids[number], members[number].index(rank), len(members[number])))
                file.write("%s:%d.%03d:%s:%d.%03d\n" % (arguments[0], time // 1000, time % 1000, arguments[1], time // 1000 + 5, time % 1000))
                time += 5000
            file.write("MPI_Finalize:%d.000:%d.000\n" % (time // 1000, time // 1000))


def liballprof_call(call, ids, shown):
    name = call[0]
    if name in ("isend", "irecv"):
        return "MPI_I" + name[1:], "4711:%d:2,1,1:%d:%d:%s:%d" % (call[4], call[2], call[3], shown(call[1]), call[5])
    if name == "wait":
        return "MPI_Wait", "%d:140737488340112" % call[1][0][0]
    if name == "waitall":
        return "MPI_Waitall", "%d:[%s]:0" % (len(call[1]), ",".join(str(r) for r, _ in call[1]))
    if name == "split":
        if call[2] is not None:
            ids[call[4]] = call[4] + 10
        return "MPI_Comm_split", "%s:%d:%d:%s" % (shown(call[1]), -1 if call[2] is None else call[2], call[3],
                                                  shown(call[4]) if call[2] is not None else "-1,0,0")
    if name == "dup":
        ids[call[2]] = call[2] + 10
        return "MPI_Comm_dup", "%s:%s" % (shown(call[1]), shown(call[2]))
    _, operation, number, size, root, _, _ = call
    block = "4711:%d:11,8,8" % (size // 8)
    return "MPI_" + operation.capitalize(), {
        "barrier": "%s",
        "bcast": block + ":%d:%%s" % root,
        "reduce": "4711:" + block + ":3:%d:%%s" % root,
        "allreduce": "4711:" + block + ":3:%s",
        "alltoall": block + ":" + block + ":%s",
        "allgather": block + ":" + block + ":%s",
        "gather": block + ":" + block + ":%d:%%s" % root,
        "scatter": block + ":" + block + ":%d:%%s" % root}[operation] % shown(number)


# ---- Chakra: each call is a node that depends on the call before, a wait on what it waits for


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def chakra_field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value) if value else b""  # proto3 leaves zeros out


def chakra_attribute(name, value, rng):
    if isinstance(value, str):
        return chakra_field(10, chakra_field(1, name.encode()) + chakra_field(29, value.encode()))
    return chakra_field(10, chakra_field(1, name.encode()) + varint(rng.choice([7, 9, 11, 13]) << 3) + varint(value))


CHAKRA_OPERATIONS = {"allreduce": 0, "reduce": 1, "allgather": 2, "gather": 3, "scatter": 4, "bcast": 5, "alltoall": 6, "barrier": 9}


def write_chakra(p, directory, seed):
    groups = {}
    for place, (number, members) in enumerate(p.communicators):
        if place:
            groups[str(place)] = members
    with open(directory + "/trace.json", "w") as file:
        file.write("{%s}" % ", ".join('"%s": %s' % item for item in groups.items()))
    for rank, calls in enumerate(p.calls):
        rng = random.Random(seed * 1000 + rank)
        names = {number: (str(place) if place else "", made) for place, (number, made) in enumerate(p.communicators) if rank in made}
        out = chakra_message(chakra_field(1, b"0.0.4"))
        node, last, of_request = 0, [], {}
        for call in calls:
            if call[0] in ("split", "dup"):
                continue
            if call[0] in ("wait", "waitall"):
                done = call[1] if call[0] == "waitall" else call[1][:1]
                last = last + [of_request[r] for r, _ in done]
                continue
            out += chakra_message(chakra_node(call, node, last, names, rng))
            if call[0] in ("isend", "irecv"):
                of_request[call[5]] = node
            else:
                last = [node]
            node += 1
        with open("%s/trace.%d.et" % (directory, rank), "wb") as file:
            file.write(out)


def chakra_message(content):
    return varint(len(content)) + content


def chakra_node(call, node, last, names, rng):
    attributes, duration = b"", 0
    if call[0] == "compute":
        kind, duration = 4, max(1, call[1] // 1000)
    elif call[0] in ("isend", "irecv"):
        kind = 5 if call[0] == "isend" else 6
        members = names[call[1]][1]
        # communicators are not in the format: tags keep them apart
        for name, value in (("comm_type", kind), ("comm_size", call[4]), ("comm_dst" if kind == 5 else "comm_src", members[call[2]]),
                            ("comm_tag", call[3] + 10 * call[1])):
            attributes += chakra_attribute(name, value, rng)
    else:
        kind = 7
        _, operation, number, size, root, _, members = call
        whole = size * members if operation in ("scatter", "alltoall") else size
        for name, value in (("comm_type", CHAKRA_OPERATIONS[operation]), ("comm_size", whole), ("root_rank", root), ("pg_name", names[number][0])):
            attributes += chakra_attribute(name, value, rng)
    dependencies = b"".join(varint(d) for d in last)
    return (chakra_field(1, node) + chakra_field(2, b"NODE") + chakra_field(3, kind) + (chakra_field(5, dependencies) if last else b"")
            + chakra_field(7, duration) + attributes)


# ---- NCCL: a debug log whose lines interleave, with rings; bytes on directed edges, over all channels


class Nccl:
    NAMES = {"AllReduce": 7, "AllGather": 1, "ReduceScatter": 9, "Broadcast": 4, "Reduce": 8}
    SIZES = [1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1]

    def __init__(self, ranks, seed, inspector):
        self.rng = random.Random(seed)
        self.ranks, self.inspector = ranks, inspector
        self.lines = [[] for _ in range(ranks)]
        self.edges = {}
        self.communicator(list(range(ranks)), 0)
        if ranks > 3 and self.rng.random() < 0.7:
            self.communicator(list(range(0, ranks, 2)), 1)

    def prefix(self, task):
        return "node%d:%d:%d [%d] NCCL INFO " % (task // 4, 100 + task, 1000 + task, task % 4)

    def give(self, a, b, size):
        if a != b and size:
            self.edges[a, b] = self.edges.get((a, b), 0) + size

    def communicator(self, tasks, number):
        n = len(tasks)
        channels = 1 if self.inspector else self.rng.randint(1, 3)
        rings = []
        for channel in range(channels):
            order = list(range(1, n))
            if not self.inspector:
                self.rng.shuffle(order)
            rings.append([0] + order)
        for rank, task in enumerate(tasks):
            for channel, ring in enumerate(rings):
                at = ring.index(rank)
                self.say(task, "Ring %02d : %d -> %d -> %d" % (channel, ring[at - 1], rank, ring[(at + 1) % n]))
            self.say(task, "Trees [0] -1/-1/-1->%d->0" % rank)
            self.say(task, "ncclCommInitRank comm 0x%x rank %d nranks %d cudaDev %d busId 1000 commId 0x%x - Init COMPLETE" % (
                4096 + 16 * number, rank, n, task % 4, 77 + number))
        for call in range(self.rng.randint(1, 4)):
            name = self.rng.choice(sorted(self.NAMES) + ["Send"])
            if name == "Send":
                self.exchange(tasks, number, call)
            else:
                self.collective(tasks, number, call, name, rings)

    def say(self, task, text):
        if not self.inspector:
            self.lines[task].append(self.prefix(task) + text)

    def exchange(self, tasks, number, call):
        for rank, task in enumerate(tasks):
            peer = (rank + 1) % len(tasks)
            self.log(task, number, call, "Send", 100, 0, peer, rank, len(tasks), 100)
            self.log(task, number, call, "Recv", 100, 0, (rank - 1) % len(tasks), rank, len(tasks), 100)
            self.give(task, tasks[peer], 100)

    def log(self, task, number, call, name, count, datatype, root, rank, ranks, size):
        if not self.inspector:
            self.say(task, "%s: opCount %x sendbuff 0x7f recvbuff 0x7f count %d datatype %d op 0 root %d comm 0x%x [nranks=%d] stream (nil)" % (
                name, call, count, datatype, root, 4096 + 16 * number, ranks))
            return
        kind, key = ("p2p_perf", "p2p") if name in ("Send", "Recv") else ("coll_perf", "coll")
        peer = '"p2p_peer": %d, ' % root if key == "p2p" else ""
        self.lines[task].append('{"header": {"id": "0x%x", "rank": %d, "n_ranks": %d, "nnodes": 1}, "metadata": {"hostname": "n%d", "pid": %d}, '
                                '"%s": {"%s": "%s", "%s_sn": %d, %s"%s_msg_size_bytes": %d}}' % (
                                    77 + number, rank, ranks, task // 4, 100 + task, kind, key, name, key, call + 1, peer, key, size))

    def collective(self, tasks, number, call, name, rings):
        n = len(tasks)
        root = self.rng.randrange(n) if name in ("Broadcast", "Reduce") and not self.inspector else 0
        count = n * len(rings) * self.rng.randint(1, 1000)
        datatype = self.NAMES[name]
        block = count * self.SIZES[datatype]
        whole = block * n if name in ("AllGather", "ReduceScatter") else block
        for rank, task in enumerate(tasks):
            self.log(task, number, call, name, count, datatype, root, rank, n, whole)
        for ring in rings:
            share = block // len(rings)
            for at, rank in enumerate(ring):
                after = ring[(at + 1) % n]
                if name == "AllReduce":
                    size = 2 * (n - 1) * share // n
                elif name in ("AllGather", "ReduceScatter"):
                    size = (n - 1) * share
                else:
                    size = 0 if (after if name == "Broadcast" else rank) == root else share
                self.give(tasks[rank], tasks[after], size)

    def write(self, directory):
        with open(directory + "/trace", "w") as file:
            queues = [q for q in self.lines if q]
            while queues:
                queue = self.rng.choice(queues)
                file.write(queue.pop(0) + "\n")
                queues = [q for q in queues if q]
        with open(directory + "/expected", "w") as file:
            for (a, b), size in sorted(self.edges.items()):
                file.write("%d %d %d\n" % (a, b, size))


def ring_program(ranks):
    p = Program(ranks, 0)
    for rank in range(ranks):
        p.compute(rank, 1000)
    p.exchange(p.communicators[0], [(r, (r + 1) % ranks, 0, 5000) for r in range(ranks)], random.Random(1))
    return p


# ---- events


def write_events(p, path):
    number_of = {}
    with open(path, "w") as file:
        for place, (number, members) in enumerate(p.communicators):
            for task in members:
                number_of[number, task] = (0 if place == 0 else place + 1, members)
            if place:
                file.write("comm %d %s\n" % (place + 1, " ".join(map(str, members))))
        for rank, calls in enumerate(p.calls):
            prepared = {}
            for call in calls:
                write_event(file, rank, call, number_of, prepared)


def write_event(file, rank, call, number_of, prepared):
    name = call[0]
    if name == "compute":
        file.write("c %d %.9f\n" % (rank, call[1] / 1e9))
    elif name in ("isend", "issend", "ibsend", "irsend"):
        number, members = number_of[call[1], rank]
        mode = {"issend": " mode=sync", "ibsend": " mode=buffered"}.get(name, "")
        file.write("s %d %d %d %d comm=%d request=%d%s\n" % (rank, members[call[2]], call[3], call[4], number, call[5], mode))
    elif name == "irecv":
        prepared[call[5]] = ("posted", call)
        file.write("\0%d %d\n" % (rank, call[5]))  # replaced below, when the status is known
    elif name in ("send_init", "recv_init"):
        prepared[call[5]] = (name, call)
    elif name == "start":
        kind, made = prepared[call[1]]
        number, members = number_of[made[1], rank]
        if kind == "send_init":
            file.write("s %d %d %d %d comm=%d request=%d\n" % (rank, members[made[2]], made[3], made[4], number, call[1]))
        else:
            file.write("p %d %d %d %d comm=%d request=%d\n" % (members[made[2]], rank, made[3], made[4], number, call[1]))
    elif name in ("wait", "waitany"):
        file.write("w %d %d\n" % (rank, call[1][0][0]))
    elif name in ("waitall", "waitsome", "testall"):
        file.write("w %d %s\n" % (rank, " ".join(str(r) for r, _ in call[1])))
    elif name == "collective":
        number, members = number_of[call[2], rank]
        root = " root=%d" % members[call[4]] if call[1] in ("bcast", "reduce", "gather", "scatter") else ""
        file.write("x %d %s %d comm=%d%s\n" % (rank, call[1], call[3], number, root))


def settle_events(p, path):
    """Writes the receives with the source and tag of their statuses."""
    status = {}
    number_of = {}
    for place, (number, members) in enumerate(p.communicators):
        for task in members:
            number_of[number, task] = (0 if place == 0 else place + 1, members)
    posts = {}
    for rank, calls in enumerate(p.calls):
        for call in calls:
            if call[0] == "irecv":
                posts[rank, call[5]] = call
            elif call[0] in ("wait", "waitany", "waitall", "waitsome", "testall"):
                for request, known in call[1]:
                    if known:
                        status.setdefault((rank, request), known)
    lines = []
    for line in open(path):
        if line[0] == "\0":
            rank, request = map(int, line[1:].split())
            number, members = number_of[posts[rank, request][1], rank]
            source, tag, size = status[rank, request]
            line = "p %d %d %d %d comm=%d request=%d\n" % (members[source], rank, tag, size, number, request)
        lines.append(line)
    with open(path, "w") as file:
        file.writelines(lines)


# ---- DUMPI


class Dumpi:
    NUMBERS = {"send_init": 26, "recv_init": 30, "isend": 8, "ibsend": 9, "issend": 10, "irsend": 11, "irecv": 12}
    SIZES = [0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 0, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20]
    BYTE, DOUBLE = 2, 14

    def __init__(self, rank, seed):
        self.rank = rank
        self.rng = random.Random(seed * 1000 + rank)
        self.time = 1000000000 + self.rng.randrange(10**6)
        self.body = bytearray()
        self.handles = {0: 2}
        self.made = 4
        self.counts = [0] * 291

    def record(self, number, arguments):
        start, self.time = self.time, self.time + self.rng.randrange(100, 5000)
        self.counts[number] += 1
        self.body += struct.pack(">HBH", number, 0x4f, 0)
        for clock in (start // 2, self.time // 2), (start, self.time):
            for t in clock:
                self.body += struct.pack(">HI", t // 10**9 & 0xffff, t % 10**9)
        self.body += arguments

    def statuses(self, known):
        out = struct.pack(">i", len(known))
        for status in known:
            source, tag, size = status or (self.rng.randrange(10**6), 96, 1606419960)  # those of sends are garbage
            out += struct.pack(">iibbi", size, source, 0, 0, tag)
        return out

    def array(self, numbers):
        return struct.pack(">i%di" % len(numbers), len(numbers), *numbers)

    def add(self, call):
        name = call[0]
        if name == "compute":
            self.time += call[1]
        elif name in self.NUMBERS:
            count, datatype = (call[4] // 8, self.DOUBLE) if call[4] % 8 == 0 else (call[4], self.BYTE)
            self.record(self.NUMBERS[name], struct.pack(">ihiihi", count, datatype, call[2], call[3], self.handles[call[1]], call[5]))
        elif name == "start":
            self.record(31, struct.pack(">i", call[1]))
        elif name == "wait":
            self.record(13, struct.pack(">i", call[1][0][0]) + self.statuses([call[1][0][1]]))
        elif name == "waitall":
            requests = [r for r, _ in call[1]]
            self.record(18, struct.pack(">i", len(requests)) + self.array(requests) + self.statuses([s for _, s in call[1]]))
        elif name == "testall":
            requests = [r for r, _ in call[1]]
            self.record(19, struct.pack(">i", len(requests)) + self.array(requests) + struct.pack(">i", 0) + self.statuses([]))
            self.record(19, struct.pack(">i", len(requests)) + self.array(requests) + struct.pack(">i", 1) + self.statuses([s for _, s in call[1]]))
        elif name == "waitany":
            requests = [r for r, _ in reversed(call[1])]
            self.record(16, struct.pack(">i", len(requests)) + self.array(requests) + struct.pack(">i", len(requests) - 1) + self.statuses([call[1][0][1]]))
        elif name == "waitsome":
            requests = [0] + [r for r, _ in reversed(call[1])]
            indices = list(range(len(call[1]), 0, -1))
            self.record(20, struct.pack(">i", len(requests)) + self.array(requests) + struct.pack(">i", len(indices)) + self.array(indices)
                        + self.statuses([s for _, s in call[1]]))
        elif name == "split":
            handle = 0
            if call[2] is not None:
                handle = self.handles[call[4]] = self.made
                self.made += 1
            self.record(86, struct.pack(">hiih", self.handles[call[1]], -1 if call[2] is None else call[2], call[3], handle))
        elif name == "dup":
            self.handles[call[2]] = self.made
            self.made += 1
            self.record(84, struct.pack(">hh", self.handles[call[1]], self.handles[call[2]]))
        else:
            self.collective(*call[1:])

    def collective(self, name, number, size, root, rank, members):
        comm = self.handles[number]
        block = struct.pack(">ih", size // 8, self.DOUBLE)
        if name == "barrier":
            self.record(52, struct.pack(">h", comm))
        elif name == "bcast":
            self.record(53, block + struct.pack(">ih", root, comm))
        elif name == "reduce":
            self.record(62, block + struct.pack(">bih", 3, root, comm))
        elif name == "allreduce":
            self.record(65, block + struct.pack(">bh", 3, comm))
        elif name in ("alltoall", "allgather"):
            self.record(60 if name == "alltoall" else 58, block + block + struct.pack(">h", comm))
        elif name == "gather":
            self.record(54, struct.pack(">i", rank) + block + struct.pack(">i", root) + (block if rank == root else b"") + struct.pack(">h", comm))
        else:
            self.record(56, struct.pack(">ii", rank, root) + (block if rank == root else b"") + block + struct.pack(">h", comm))

    def file(self, left_out=None):
        magic = b"\xff\xaa\xddDUMPI"
        out = bytearray(magic + struct.pack(">ii", 0, 1300000000)) + self.body + struct.pack(">H", 293)
        header = len(out)
        out += bytes([1, 1, 0]) + struct.pack(">Q", 1300000000) + struct.pack(">H", 4) + b"host" + struct.pack(">H", 4) + b"user" + bytes(8)
        footer = len(out)
        out += struct.pack(">Q291i", 0xf007fee7, *self.counts) + struct.pack(">291i", *(left_out or [0] * 291))
        perf = len(out)
        out += struct.pack(">i", 0)
        sizes = len(out)
        out += struct.pack(">29i", 28, *self.SIZES)
        functions = len(out)
        out += struct.pack(">i", 0)
        return bytes(out) + magic + struct.pack(">7Q", sizes, functions, perf, header, 8, footer, 0)


def break_calls(calls, what):
    """Removes a call of that kind."""
    kinds = {"send": ("isend",), "receive": ("irecv",), "collective": ("collective",), "unrecorded": ("isend",)}.get(what, ())
    for i, call in enumerate(calls):
        if call[0] in kinds:
            del calls[i]
            return True
    return False


def write_dumpi(p, directory, seed, broken=None):
    spoiled = False
    for rank, calls in enumerate(p.calls):
        trace = Dumpi(rank, seed)
        trace.record(124, struct.pack(">ii", 1, 3) + b"./a")
        left_out = [0] * 291
        if broken and not spoiled and break_calls(calls, broken):
            spoiled = True
            left_out[8] = 5 if broken == "unrecorded" else 0
        for call in calls:
            trace.add(call)
        if broken == "clock" and rank == 0:
            trace.time -= 10000
        trace.record(125, b"")
        with open("%s/trace-%04d.bin" % (directory, rank), "wb") as file:
            file.write(trace.file(left_out))
    with open(directory + "/trace.meta", "w") as file:
        file.write("hostname=host\nnumprocs=%d\nfileprefix=trace\n" % p.ranks)


def main():
    arguments = sys.argv[1:]
    broken = None
    if arguments[0] == "--broken":
        broken, arguments = arguments[1], arguments[2:]
    form, directory = arguments[:2]
    ranks = int(arguments[2]) if len(arguments) > 2 else 5
    seed = int(arguments[3]) if len(arguments) > 3 else 1
    ring = form.startswith("ring:")
    form = form.replace("ring:", "")
    if form in ("nccl", "inspector"):
        os.makedirs(directory, exist_ok=True)
        Nccl(ranks, seed, form == "inspector").write(directory)
        return
    full = form in ("events", "dumpi")
    p = ring_program(ranks) if ring else random_program(ranks, seed, 0.2 if full else 0, full)
    os.makedirs(directory, exist_ok=True)
    if form == "events":
        write_events(p, directory + "/trace")
        settle_events(p, directory + "/trace")
    elif form == "dumpi":
        write_dumpi(p, directory, seed, broken)
    elif form == "liballprof":
        write_liballprof(p, directory)
    elif form == "chakra":
        write_chakra(p, directory, seed)
    else:
        sys.exit("no format " + form)
    with open(directory + "/expected", "w") as file:
        for message in sorted(p.messages):
            file.write("%d %d %d\n" % message)


if __name__ == "__main__":
    main()
