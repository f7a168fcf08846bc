"""Random fabrics, programs and switches: orcs --engine packet against a slow simulation that shares nothing with it, message by message:
reference.py BIN_DIR INSTANCES [FIRST_SEED]

The fabric is read from its dot graph, the programs from the file that is given to orcs. Nothing is skipped or foreseen: at every time at
which anything changes, all that happens comes first, then packets are routed, then every output of every node is tried. Times are whole
picoseconds and must be the same. Where two things that happen at one time at one host decide which message is sent first, the order is not
defined: such instances are drawn again."""
import csv
import heapq
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

PICOSECONDS = 1e12
WORD = 2**64


class Tie(Exception):
    """What comes next is not defined."""


class Deadlock(Exception):
    """Packets wait, and nothing happens any more."""


class Fabric:
    """Channels in the order of the nodes from and to which they lead; one way to each host."""

    def __init__(self, text):
        self.name, self.kind, edges = [], {}, {}
        self.level = {} # service levels of pairs, where they are not 0
        for line in text.splitlines():
            edge = re.match(r'\s*"([^"]+)" -> "([^"]+)"(?: \[(.*)\])?;', line)
            node = re.match(r'\s*"([^"]+)"(?: \[(.*)\])?;', line)
            for level, hosts in re.findall(r'(\d+):([^;"]+)', line) if node and 'sl="' in line else []:
                self.level.update({(node.group(1), host): int(level) for host in hosts.split(",")})
            if edge:
                keys = dict(re.findall(r'(\w+)="([^"]*)"', edge.group(3) or ""))
                edges.setdefault(edge.group(1), []).append((edge.group(2), keys))
            elif node and node.group(1) not in self.kind:
                self.name.append(node.group(1))
                self.kind[node.group(1)] = "host" if 'type="host"' in (node.group(2) or "") else "switch"
        self.hosts = [n for n in self.name if self.kind[n] == "host"]
        self.tail, self.head, self.speed, self.latency, self.out, self.sets, self.port = [], [], [], [], {n: [] for n in self.name}, [], []
        for n in self.name:
            numbered = [(head, keys, i + 1) for i, (head, keys) in enumerate(edges.get(n, []))]
            for head, keys, port in sorted(numbered, key=lambda edge: self.name.index(edge[0])):
                self.port.append(port)
                self.out[n].append(len(self.head))
                self.tail.append(n)
                self.head.append(head)
                self.speed.append(float(keys.get("speed", 1)))
                self.latency.append(float(keys.get("latency", 0)))
                self.sets.append(set(keys.get("comment", "").split(",")))
        at_hosts = [s for s, t, h in zip(self.speed, self.tail, self.head) if "host" in (self.kind[t], self.kind[h])]
        self.slowest = min(at_hosts)

    def way(self, node, destination):
        for wanted in (destination, "*"):
            for c in self.out[node]:
                if wanted in self.sets[c]:
                    return c
        raise AssertionError("no way from %s to %s" % (node, destination))

    def back(self, channel):
        """The other direction of the cable: the k-th channel from a node to another belongs to the k-th one back."""
        ends = lambda c: (self.tail[c], self.head[c])
        k = [c for c in range(channel) if ends(c) == ends(channel)]
        return [c for c in range(len(self.head)) if ends(c) == ends(channel)[::-1]][len(k)]


class Packet:
    def __init__(self, message, kind, size, payload, source, destination, born, number):
        self.message, self.kind, self.size, self.source, self.destination = message, kind, size, source, destination
        self.payload, self.born, self.number = payload, born, number
        self.channel = self.lane = None     # by which it came
        self.there = 0                      # when its head has come: to the node, or to the adapter
        self.hops = 0
        self.past = []                      # channels on which it was sent: (channel, since when, when its tail is at the end)
        self.damaged = False


class Pair:
    """What a host sends to another host, in order: (message, kind)."""

    def __init__(self, host):
        self.host, self.queued, self.sending, self.in_turn = host, [], None, 0    # sending: [message, kind, bytes that are left, born]
        self.waits = False                          # its packet has not left


class Sender:
    """The pairs of a host that send by one port and lane take turns."""

    def __init__(self, host, number):
        self.host, self.number = host, number
        self.pair, self.turns, self.waiting = None, [], False
        self.free = 0                               # it makes its next packet then


class Request:
    def __init__(self, packet, queue, port, now):
        self.packet, self.queue, self.port, self.made = packet, queue, port, now


class Network:
    """What the case says of switches, hosts and channels, at work."""

    def __init__(self, case):
        self.case, self.fabric = case, case.fabric
        f, channels = case.fabric, range(len(case.fabric.head))
        self.now, self.number = 0, 0
        self.events = []
        self.busy = [0 for _ in channels]
        self.turn = [-1 for _ in channels]
        self.port_turn = [-1 for _ in channels]
        self.lane_turn = {}                         # (output, port) -> the lane that was served last
        self.credit = [[case.buffers[c]] * case.lanes for c in channels]
        self.fifo = {}                              # queue -> packets; its first has asked, or will when the queue is free
        self.fifo_busy = {}
        self.places = {}                            # port -> until when places of it are taken
        self.asking = [[] for _ in channels]        # requests of the output, in the order in which they came
        self.served = {}                            # (output, queue) -> the number of the last grant
        self.taken = {}                             # port -> the output that took from it last
        self.weights, self.of_lane = {}, {}         # with tables: turns by output; (output, lane) -> the queue that was served last
        self.grants = 0
        self.routing = []                           # (packet, queue, port) that ask before the time goes on
        self.host_number = {h: i for i, h in enumerate(f.hosts)}
        self.senders = max(len(f.out[h]) for h in f.hosts) * case.lanes if case.pairs else 1
        self.sender = {}                            # (host, number)
        self.pair = {}                              # (host, receiver, priority), or the host
        self.read = {h: 0 for h in f.hosts}
        self.written = {h: 0 for h in f.hosts}
        self.tail_time = {}
        self.packets_of = {h: 0 for h in f.hosts}
        self.cause = {}                             # host -> (time, who queued there last)
        self.on_way = 0
        self.due = []                               # senders that make packets now
        self.tables = None                          # those after failures, if there are any
        self.failed, self.packets, self.lost = set(), [], 0
        for number, (time, failing) in enumerate(case.failures):
            heapq.heappush(self.events, (time, number - len(case.failures), lambda failing=failing: self.fail(failing)))

    # ---- failures

    def way(self, node, destination):
        """The channel to which the tables send; None if they have no entry."""
        if self.failed and self.case.reroute:
            self.tables = self.tables or self.case.rerouted(frozenset(self.failed))
            return self.tables.get((node, destination), self.tables.get((node, "*")))
        return self.fabric.way(node, destination)

    def fail(self, failing):
        """Before all else of this time: what is on these channels is lost later, and what waits for them looks for a way again."""
        self.failed |= failing
        self.tables = None
        for p in self.packets:
            p.damaged |= any(c in failing and since < self.now < tail for c, since, tail in p.past)
        for c in sorted(failing):
            for r in self.asking[c]:
                self.routing.append((r.packet, r.queue, r.port))
            self.asking[c] = []

    def lose(self, p):
        self.lost += 1
        self.packets.remove(p)
        p.message.lost = True
        p.message.left -= p.payload
        if not p.message.left:
            p.message.end()

    def nowhere(self, p, queue):
        """It leaves its queue without an output."""
        if p.channel is None:
            self.packet_left(p.sender)
            p.sender.free = self.now
            self.at(self.now, lambda: self.due.append(p.sender))
        else:
            self.on_way -= 1
            self.pay_back(p.channel, p.lane, self.now + self.case.arbitration, self.room(p))
            if not self.case.voq:
                self.leave_fifo(p, queue, self.now)
        self.lose(p)

    def leave_fifo(self, p, queue, left):
        self.fifo[queue].remove(p)
        self.fifo_busy[queue] = left
        if self.fifo[queue]:
            first = self.fifo[queue][0]
            self.at(left, lambda: self.routing.append((first, queue, first.channel)))

    # ---- time

    def at(self, time, act):
        self.number += 1
        heapq.heappush(self.events, (time, self.number, act))

    def run(self):
        """Until nothing happens any more."""
        while self.events or self.routing:
            while self.events and self.events[0][0] == self.now:
                heapq.heappop(self.events)[2]()
            due, self.due = self.due, []
            for sender in sorted(due, key=lambda sender: (self.host_number[sender.host], sender.number)):
                self.make(sender)
            routed, self.routing = self.routing, []
            for packet, queue, port in routed:
                self.ask(packet, queue, port)
            for node in self.fabric.name:
                self.arbitrate(node)
            if self.events and not self.routing:
                assert self.events[0][0] >= self.now
                self.now = self.events[0][0]
        if self.on_way or any(self.asking):
            raise Deadlock()

    def transfer(self, rate, size):
        return (size * rate + 2**19) >> 20

    # ---- hosts that send

    def send(self, host, message, kind, cause):
        """Behind all that the host has to send to that host."""
        before = self.cause.get(host)
        if before and before[0] == self.now and before[1] != cause:
            raise Tie()
        self.cause[host] = (self.now, cause)
        other = message.destination if kind != "answer" else message.source
        level = self.level_of(message, host, other)
        pair = self.pair.setdefault((host, other, message.priority, self.case.own_level(message)) if self.case.pairs else host, Pair(host))
        idle = not pair.queued and not pair.sending and not pair.waits
        pair.queued.append((message, kind))
        if idle:
            number = 0
            if self.case.pairs:
                output = self.way(host, other)
                output = self.fabric.out[host][0] if output is None else output
                number = self.fabric.out[host].index(output) * self.case.lanes + self.case.lanes_of[level][0]
            sender = self.sender.setdefault((host, number), Sender(host, number))
            sender.turns.append(pair)
            self.make_later(sender)

    def make_later(self, sender):
        if not sender.waiting:
            sender.waiting = True
            self.at(max(self.now, sender.free), lambda: self.due.append(sender))

    def make(self, sender):
        """The next packet of the pair whose turn it is."""
        host = sender.host
        if not sender.pair:
            if not sender.turns:
                sender.waiting = False
                return
            sender.pair = sender.turns.pop(0)
        pair = sender.pair
        first = not pair.sending
        if first:
            message, kind = pair.queued.pop(0)
            pair.sending = [message, kind, message.size if kind == "data" else self.case.control, message.begin if kind == "data" else self.now]
        message, kind, left, born = pair.sending
        payload = min(left, self.case.mtu)
        size = payload + (self.case.header + first * self.case.first_header if kind == "data" else 0)
        other = message.destination if kind != "answer" else message.source
        p = Packet(message, kind, size, payload, host, other, born, self.packets_of[host])
        self.packets_of[host] += 1
        pair.waits = True
        pair.sending = None if left == payload else [message, kind, left - payload, born]
        begins = max(self.read[host], born)
        self.read[host] = begins + self.transfer(self.case.inject_rate, size)
        p.there = begins + self.case.inject_latency
        p.sender = sender
        self.packets.append(p)
        self.routing.append((p, len(self.fabric.head) * self.case.lanes + self.host_number[host] * self.senders + sender.number, ("host", host)))

    def packet_left(self, sender):
        """The pair goes on, or the next one has its turn."""
        pair = sender.pair
        pair.in_turn += 1
        pair.waits = False
        if not pair.sending and not pair.queued:
            sender.pair, pair.in_turn = None, 0
        elif pair.in_turn == self.case.burst:
            sender.turns.append(pair)
            sender.pair, pair.in_turn = None, 0

    # ---- switches

    def head_comes(self, p):
        """It may ask for an output, if it is the first of its queue."""
        if p.damaged:
            self.on_way -= 1
            self.pay_back(p.channel, p.lane, self.now, self.room(p))
            self.lose(p)
            return
        queue = p.channel * self.case.lanes + p.lane
        if self.case.voq:
            self.routing.append((p, queue, p.channel))
            return
        fifo = self.fifo.setdefault(queue, [])
        fifo.append(p)
        if len(fifo) == 1:
            self.at(max(self.now, self.fifo_busy.get(queue, 0)), lambda: self.routing.append((p, queue, p.channel)))

    def ask(self, p, queue, port):
        node = p.source if p.channel is None else self.fabric.head[p.channel]
        output = self.way(node, p.destination)
        if output is None or output in self.failed:
            self.nowhere(p, queue)
            return
        request = Request(p, queue, port, self.now)
        rate = self.case.inject_rate if p.channel is None else self.case.rate[p.channel]
        into, out = self.transfer(rate, p.size), self.transfer(self.case.rate[output], p.size)
        ahead = (into if p.channel is None else 0) if self.case.store_forward else into - out
        request.ready = p.there + max(ahead, 0)
        self.asking[output].append(request)
        if request.ready > self.now:
            self.at(request.ready, lambda: None)

    def room(self, p):
        """What the packet takes of a buffer."""
        return -(-p.size // self.case.block) * self.case.block

    def level_of(self, message, source, destination):
        own = self.case.own_level(message)
        return self.fabric.level.get((source, destination), 0) if own is None else own

    def lane_for(self, output, p):
        best, level = None, self.level_of(p.message, p.source, p.destination)
        for lane in self.case.lanes_of[level]:
            if self.credit[output][lane] >= self.room(p) and (best is None or self.credit[output][lane] > self.credit[output][best]):
                best = lane
        return best

    def place_free(self, port):
        if not self.case.speedup or isinstance(port, tuple):
            return True
        return sum(until > self.now for until in self.places.get(port, [])) < self.case.speedup

    def eligible(self, output, request):
        return (self.busy[output] <= self.now and request.ready <= self.now and self.place_free(request.port)
                and self.lane_for(output, request.packet) is not None)

    def best(self, output, requests):
        """Of those that came first where all else is equal."""
        def key(r):
            p = r.packet
            return {
                "round-robin": lambda: ((self.port_number(r.port) - self.port_turn[output] - 1) % 2**32,
                                        (self.lane_of(r) - self.lane_turn.get((output, r.port), -1) - 1) % 256),
                "lane": lambda: (r.queue - self.turn[output] - 1) % 2**32,
                "matrix": lambda: (self.served.get((output, r.queue), 0), r.queue),
                "age": lambda: (p.born, self.host_number[p.source], p.number),
                "priority": lambda: (p.message.priority, r.queue),
            }[self.case.arbiter]()
        return min(requests, key=key)

    def port_number(self, port):
        return len(self.fabric.head) + self.host_number[port[1]] if isinstance(port, tuple) else port

    def lane_of(self, r):
        """Its number among the queues of its port."""
        first = len(self.fabric.head) * self.case.lanes
        return (r.queue - first) % self.senders if r.queue >= first else r.queue % self.case.lanes

    def arbitrate(self, node):
        outputs = [c for c in self.fabric.out[node] if self.asking[c]]
        while self.case.allocator == "input" and self.inputs_choose(outputs):
            pass

        def order(c):
            mix = (self.now ^ c << 32 ^ c) * 0x9e3779b97f4a7c15 % WORD
            mix = (mix ^ mix >> 29) * 0xbf58476d1ce4e5b9 % WORD
            return all(r.made < self.now for r in self.asking[c]), mix >> 48, c
        for c in sorted(outputs, key=order):
            wanted = [r for r in self.asking[c] if self.eligible(c, r)]
            if wanted and self.case.tables:
                self.grant_by_lane(c, wanted)
            elif wanted:
                self.grant(c, self.best(c, wanted))

    def grant_by_lane(self, output, wanted):
        """The table of high priority, until it has sent what the limit allows; an entry until it has sent its weight."""
        high, low, limit = self.case.tables
        ready = {}
        for r in wanted:
            ready.setdefault(self.lane_for(output, r.packet), []).append(r)
        state = self.weights.setdefault(output, {"high": (0, 0), "low": (0, 0), "sent": 0})

        def entry(table, turn):
            at, left = turn
            for i in range(len(table) + 1):
                lane, weight = table[(at + i) % len(table)]
                if weight and lane in ready and (i or left > 0):
                    return (at + i) % len(table), left if i == 0 else 64 * weight
            return None
        first, second = entry(high, state["high"]) if high else None, entry(low, state["low"]) if low else None
        over = state["sent"] >= limit * 4096 if limit else state["sent"] > 0
        if over and not second:
            state["sent"], over = 0, False
        use_high = first is not None and (second is None or limit == 255 or not over)
        name, table, (at, left) = ("high", high, first) if use_high else ("low", low, second)
        lane = table[at][0]
        if self.case.arbiter in ("round-robin", "lane"):
            best = min(ready[lane], key=lambda r: (r.queue - self.of_lane.get((output, lane), -1) - 1) % 2**32)
        else:
            best = self.best(output, ready[lane])
        state[name] = (at, left - best.packet.size)
        state["sent"] = state["sent"] + best.packet.size if use_high else 0
        self.of_lane[output, lane] = best.queue
        self.grant(output, best)

    def inputs_choose(self, outputs):
        choice = {} # of each port
        for c in outputs:
            of_port = {}
            for r in self.asking[c]:
                if self.eligible(c, r):
                    of_port.setdefault(r.port, []).append(r)
            for port, requests in of_port.items():
                turn = (c - self.taken.get(port, -1) - 1) % 2**32
                if port not in choice or turn < choice[port][0]:
                    choice[port] = (turn, c, self.best(c, requests))
        granted = False
        for c in outputs:
            wanted = [r for _, output, r in choice.values() if output == c and self.eligible(c, r)]
            if wanted:
                self.grant(c, self.best(c, wanted))
                granted = True
        return granted

    def grant(self, output, request):
        case, p = self.case, request.packet
        self.asking[output].remove(request)
        lane, until = self.lane_for(output, p), self.now + self.transfer(case.rate[output], p.size)
        self.credit[output][lane] -= self.room(p)
        self.busy[output] = until
        left = until
        if p.channel is not None and case.internal > 1: # faster than its link, but not before it has come
            came = p.there + (0 if case.store_forward else self.transfer(case.rate[p.channel], p.size))
            left = max(self.now + math.floor((until - self.now) / case.internal + 0.5), came)
        self.turn[output] = request.queue
        self.port_turn[output] = self.port_number(request.port)
        self.lane_turn[output, request.port] = self.lane_of(request)
        self.grants += 1
        self.served[output, request.queue] = self.grants
        self.taken[request.port] = output
        self.places[request.port] = [u for u in self.places.get(request.port, []) if u > self.now] + [left]
        self.at(until, lambda: None)
        self.at(left, lambda: None)
        if p.channel is None:
            self.on_way += 1
            self.packet_left(p.sender)
            p.sender.free = self.now if len(self.fabric.out[p.source]) > 1 else until
            self.at(p.sender.free, lambda: self.due.append(p.sender))
        else:
            self.pay_back(p.channel, p.lane, left + case.arbitration, self.room(p))
            if not case.voq:
                self.leave_fifo(p, request.queue, left)
        head = self.now + (0 if p.channel is None else case.arbitration) + case.latency[output]
        p.channel, p.lane, p.there = output, lane, head
        p.past.append((output, self.now, head + until - self.now))
        p.hops += 1
        if self.fabric.head[output] == p.destination:
            self.at(head + until - self.now, lambda: self.tail_comes(p))
        else:
            p.there += until - self.now if case.store_forward else 0
            self.at(p.there + case.routing, lambda: self.head_comes(p))

    def pay_back(self, channel, lane, left, size):
        def arrive():
            self.credit[channel][lane] += size
            assert self.credit[channel][lane] <= self.case.buffers[channel]
        self.at(left + self.case.latency[channel] + self.case.credit_delay, arrive)

    # ---- hosts that receive

    def tail_comes(self, p):
        host, done = p.destination, self.now
        if self.case.deliver_rate:
            if self.tail_time.get(host) == self.now: # by another port: which of them is written first is not defined
                raise Tie()
            self.tail_time[host] = self.now
            done = max(done, max(p.there, self.written[host]) + self.transfer(self.case.deliver_rate, p.size))
            self.written[host] = done
        self.pay_back(p.channel, p.lane, done, self.room(p))
        self.on_way -= 1
        if p.damaged:
            self.lose(p)
            return
        self.packets.remove(p)
        self.at(done + self.case.deliver_latency, lambda: self.delivered(p))

    def delivered(self, p):
        m = p.message
        if p.kind == "ask":
            m.asked()
        elif p.kind == "answer":
            self.send(m.source, m, "data", p)
        else:
            m.left -= p.payload
            m.hops = p.hops
            if not m.left:
                m.end()


class Slot:
    """A message of a sender, receiver and tag, and the receive that takes it."""

    def __init__(self):
        self.message, self.posted, self.sleeper = None, False, None

    def ended(self):
        return self.message is not None and self.message.ended is not None


class Message:
    def __init__(self, program, receiver, tag, size, priority, level):
        self.level, self.lost = level, False
        self.network, self.world = program.world.network, program.world
        self.sender, self.receiver, self.tag, self.size, self.left, self.priority = program.task, receiver, tag, size, size, priority
        place = self.world.case.place
        self.source, self.destination = place[self.sender], place[receiver]
        self.begin, self.hops, self.ended, self.wants = self.network.now, 0, None, False
        self.slot = self.world.next_slot(self.world.sent, (self.sender, receiver, tag))
        self.slot.message = self
        if self.source == self.destination:
            self.end()
        elif self.world.case.eager and size > self.world.case.eager:
            self.network.send(self.source, self, "ask", program)
        else:
            self.network.send(self.source, self, "data", program)

    def asked(self):
        """The receiver answers now, or when it comes to its receive."""
        if self.slot.posted:
            self.network.send(self.destination, self, "answer", object())
        else:
            self.wants = True

    def end(self):
        self.ended = self.network.now
        self.world.last = max(self.world.last, self.ended)
        if self.slot.sleeper:
            self.slot.sleeper.wake()


class Program:
    """A task: it sends and goes on, waits where it receives, and computes. Of some receives only the posting is waited for, and their message
    before some later line, or never: early has the numbers of both lines."""

    def __init__(self, world, task, lines, early):
        self.world, self.task, self.lines, self.next, self.early, self.slots = world, task, lines, 0, early, {}

    def wake(self):
        self.world.network.at(self.world.network.now, self.go_on)

    def sleeps(self, slot):
        """Until the message is there, unless it is."""
        slot.sleeper = None if slot.ended() else self
        return slot.sleeper is not None

    def post(self, sender, tag):
        slot = self.slots[self.next] = self.world.next_slot(self.world.received, (sender, self.task, tag))
        slot.posted = True
        if slot.message and slot.message.wants:
            self.world.network.send(slot.message.destination, slot.message, "answer", self)

    def go_on(self):
        network = self.world.network
        while self.next < len(self.lines):
            kind, *what = self.lines[self.next]
            if any(self.sleeps(self.slots[line]) for line, user in self.early.items() if user == self.next):
                return
            if kind == "s":
                self.world.messages.append(Message(self, *what))
            elif kind == "c":
                self.next += 1
                end = network.now + math.floor(what[0] * PICOSECONDS + 0.5)
                self.world.last = max(self.world.last, end)
                network.at(end, self.go_on)
                return
            else:
                if self.next not in self.slots:
                    self.post(*what)
                if self.next not in self.early and self.sleeps(self.slots[self.next]):
                    return
            self.next += 1


class World:
    """All programs and their messages."""

    def __init__(self, case):
        self.case, self.network, self.messages, self.last = case, Network(case), [], 0
        self.slots, self.sent, self.received = {}, {}, {}
        lines = {}
        for kind, *what in case.trace:
            lines.setdefault(what[1] if kind == "r" else what[0], []).append((kind, what[0], what[2]) if kind == "r" else (kind, *what[1:]))
        self.program = {task: Program(self, task, lines.get(task, []), case.early.get(task, {})) for task in case.place}
        for program in self.program.values():
            program.go_on()
        self.network.run()
        if any(p.next < len(p.lines) for p in self.program.values()):
            raise Deadlock()

    def next_slot(self, counts, key):
        """That of the next message of the key, or of the next receive."""
        counts[key] = counts.get(key, 0) + 1
        return self.slots.setdefault((key, counts[key]), Slot())


FABRICS = ["torus:4x3,hosts=2", "torus:5,hosts=1", "mesh:3x3,hosts=1", "mesh:4,hosts=2", "torus:3x3,hosts=direct", "fattree:k=3,n=2", "fattree:k=2,n=3",
           "dragonfly:p=2,a=4,h=1", "hyperx:3x3", "jellyfish:switches=8,ports=6,links=4", "star:5", "leafspine:leaves=4,spines=2,hosts=2,rails=2"]


class Case:
    def __init__(self, bin_dir, seed, folder):
        self.bin, self.seed = bin_dir, seed
        chance = self.chance = random.Random(seed)
        self.file = lambda name: os.path.join(folder, name)
        ring = chance.random() < 0.06 # where packets are to wait for each other
        self.topology = "torus:5,hosts=2" if ring else chance.choice(FABRICS)
        text = self.tool("orcs-topology", self.topology)
        text = self.tool("orcs-route", "--quiet", "minhop-orcs" if ring else chance.choice(["minhop-orcs", "updn-orcs", "dfsssp-orcs"]), text=text)
        text = self.mark(text, chance.random() < 0.5)
        with open(self.file("fabric.dot"), "w") as f:
            f.write(text)
        f, self.text = Fabric(text), text
        self.fabric = f
        self.place = dict(enumerate(f.hosts[:len(f.hosts) if ring else chance.randint(2, len(f.hosts))]))
        self.mtu = chance.choice([256, 1000, 2048])
        self.qos = not ring and chance.random() < 0.4
        self.trace, self.early = drawn_trace(chance, len(self.place), self.mtu, ring, chance.choice([[None], [None, 1], [0, 1, 2], [None, 3]]) if self.qos else [None]), {}
        self.draw_switch(chance, ring)
        self.draw_hosts(chance)
        base = f.slowest * 1e9
        self.rate = [math.floor(8 * PICOSECONDS / (base * s / f.slowest) * 2**20 + 0.5) for s in f.speed]
        self.latency = [math.floor(latency * PICOSECONDS + 0.5) for latency in f.latency]
        self.draw_failures(random.Random("failures %d" % seed), ring)
        with open(self.file("program"), "w") as file:
            file.write(self.goal() if self.eager else self.events())

    def events(self):
        ends = {"s": lambda what: " priority=%d" % what[4] + ("" if what[5] is None else " sl=%d" % what[5]), "r": lambda what: "", "c": lambda what: ""}
        return "".join(" ".join([kind] + [repr(w) for w in what[:4]]) + ends[kind](what) + "\n" for kind, *what in self.trace)

    def goal(self):
        """The same programs as a schedule, where every receive is an operation that a message may wait for; some receives are only posted."""
        self.trace = [("c", what[0], 1e-9 * math.floor(what[1] * 1e9)) if kind == "c" else (kind, *what[:4], 0, None) if kind == "s" else (kind, *what)
                      for kind, *what in self.trace]
        text = "num_ranks %d\n" % len(self.place)
        for task in self.place:
            mine = [line for line in self.trace if line[2 if line[0] == "r" else 1] == task]
            early = self.early[task] = {i: self.chance.choice([None, *range(i + 1, len(mine))]) for i, line in enumerate(mine)
                                        if line[0] == "r" and i + 1 < len(mine) and self.chance.random() < 0.4}
            text += "rank %d {\n" % task
            for i, (kind, *what) in enumerate(mine):
                text += "l%d: " % i + {"s": lambda: "send %db to %d tag %d" % (what[3], what[1], what[2]),
                                       "r": lambda: "recv %db from %d tag %d" % (what[3], what[0], what[2]),
                                       "c": lambda: "calc %d" % round(what[1] * 1e9)}[kind]() + "\n"
                if i:
                    text += "l%d %s l%d\n" % (i, "irequires" if mine[i - 1][0] == "s" or i - 1 in early else "requires", i - 1)
                text += "".join("l%d requires l%d\n" % (i, j) for j, user in early.items() if user == i)
            text += "}\n"
        return text

    def tool(self, program, *arguments, text=None):
        done = subprocess.run([os.path.join(self.bin, program), *arguments], input=text, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(" ".join([program, *arguments]) + ": " + done.stderr)
        return done.stdout

    def mark(self, text, speeds):
        """Speeds and latencies of all channels."""
        lines, short, alike = [], self.chance.random() < 0.5, self.chance.random() < 0.3
        for line in text.splitlines():
            if re.match(r'\s*"[^"]+" -> "', line):
                line = line.rstrip(";") if line.rstrip().endswith("];") else line.rstrip().rstrip(";") + " [];"
                line = line.rstrip("];").rstrip("]")
                latency = 1e-8 if alike else self.chance.choice([0, 1e-9, 1.3e-8, 1.0007e-7] if short else [5e-7, 1.234567e-6, 5e-6])
                line += ("" if line.endswith("[") else ", ") + 'speed="%g", latency="%g"' % (self.chance.choice([10, 25, 40, 33]) if speeds else 25, latency) + "];"
            lines.append(line)
        return "\n".join(lines) + "\n"

    def draw_switch(self, chance, ring):
        self.header, self.first_header = (0, 0) if chance.random() < 0.6 else chance.choice([(26, 16), (34, 0), (82, 16), (1, 0)])
        self.block = chance.choice([1, 1, 64, 100])
        largest = -(-(self.mtu + self.header + self.first_header) // self.block) * self.block
        self.buffer = (largest * (1 if ring else chance.choice([1, 1, 2, 8])) + chance.choice([0, 0, 100])) // self.block * self.block
        inner = self.buffer if ring or chance.random() < 0.6 else self.buffer + self.block * chance.choice([1, 2, largest]) # of cables between switches
        host = lambda node: self.fabric.kind[node] == "host"
        self.buffers = [self.buffer if host(t) or host(h) else inner for t, h in zip(self.fabric.tail, self.fabric.head)]
        self.tiers = inner != self.buffer and inner in self.buffers
        self.pairs, self.burst = chance.random() < 0.7, chance.choice([1, 1, 3])
        self.lanes = 1 if ring else chance.choice([1, 1, 2, 3])
        self.usual_level = chance.choice([None, None, 0, 2]) if self.qos else None
        levels = {line[6] for line in self.trace if line[0] == "s"}
        levels = levels - {None} | ({self.usual_level} if None in levels and self.usual_level is not None else set())
        told = max(self.fabric.level.values(), default=0)
        lane_of = list(range(16))
        sl2vl = [chance.randrange(3) for _ in range(chance.choice([1, 4, 16]))] if self.qos and chance.random() < 0.4 else None
        if sl2vl:
            lane_of = sl2vl + [0] * (16 - len(sl2vl))
        classes = max(lane_of if sl2vl else levels | {told}) + 1
        self.lanes = max(self.lanes, classes)
        self.any_lane = chance.random() < 0.7
        of_class = [range(k * self.lanes // classes, (k + 1) * self.lanes // classes) if self.any_lane else [k] for k in range(classes)]
        self.lanes_of = [of_class[lane] if lane < classes else None for lane in lane_of]
        self.voq, self.store_forward = chance.random() < 0.3, chance.random() < 0.2
        self.speedup, self.internal = chance.choice([0, 1, 1, 2]), chance.choice([1, 1, 1, 1.5, 2, 7])
        self.arbiter = chance.choice(["round-robin", "round-robin", "lane", "matrix", "age", "priority"])
        self.tables = self.draw_tables(chance) if self.qos and chance.random() < 0.7 else None
        self.allocator = "output" if self.tables else chance.choice(["output", "output", "input"])
        delays = [chance.choice([0, 1e-7, 3.3e-8, 1e-6]) for _ in range(3)]
        self.routing, self.arbitration, self.credit_delay = (math.floor(d * PICOSECONDS + 0.5) for d in delays)
        self.arguments = ["-d", "--subset", "file_order", "--engine", "packet", "--allow-deadlock", "--mtu", str(self.mtu), "--buffer", "%d/%d" % (self.buffer, inner) if self.tiers else str(self.buffer),
                          "--lanes", str(self.lanes), "--packet-routing", "tables:lanes=" + ("any" if self.any_lane else "one"), "--speedup", str(self.speedup), "--internal-rate", str(self.internal), "--arbiter", self.arbiter,
                          "--allocator", self.allocator, "--routing-delay", repr(delays[0]), "--arbitration-delay", repr(delays[1]), "--credit-delay",
                          repr(delays[2]), "--header", "%d+%d" % (self.header, self.first_header), "--credit-block", str(self.block),
                          "--qps", "pair" if self.pairs else "one", "--qp-burst", str(self.burst)]
        self.arguments += ["--qos-sl2vl", ",".join(map(str, sl2vl))] if sl2vl else []
        self.arguments += ["--service-level", str(self.usual_level)] if self.usual_level is not None else []
        if self.tables:
            for name, table in zip(("high", "low"), self.tables):
                self.arguments += ["--qos-vlarb-" + name, ",".join("%d:%d" % entry for entry in table)] if table else []
            self.arguments += ["--qos-high-limit", str(self.tables[2])] if self.tables[0] else []
        self.arguments += ["--voq"] * self.voq + ["--store-forward"] * self.store_forward

    def draw_tables(self, chance):
        """Each lane has a weight in one table at least."""
        high, low = [], []
        for lane in range(self.lanes):
            chance.choice([high, low, low]).append((lane, chance.choice([1, 4, 33, 64, 255])))
        for _ in range(chance.choice([0, 1, 4])):
            table = chance.choice([high, low])
            table.insert(chance.randint(0, len(table)), (chance.randrange(self.lanes), chance.choice([0, 1, 16, 40])))
        return high, low, chance.choice([0, 0, 1, 2, 6, 255])

    def own_level(self, message):
        return self.usual_level if message.level is None else message.level

    def draw_hosts(self, chance):
        """Either limits between memory and adapter, or messages that ask first, or none of it."""
        self.inject_rate = self.deliver_rate = self.inject_latency = self.deliver_latency = 0
        self.eager, self.control = 0, min(64, self.mtu)
        what = chance.random() * 0.75 + 0.25 if self.qos else chance.random()
        if what < 0.25:
            self.eager = chance.choice([100, 3000])
            self.control = chance.choice([8, 64, 200])
            self.arguments += ["--eager", str(self.eager), "--control-packet", str(self.control)]
        elif what < 0.5:
            rates = [chance.choice([None, 7e9, 30e9, 100e9]) for _ in range(2)]
            self.inject_rate, self.deliver_rate = (math.floor(8 * PICOSECONDS / r * 2**20 + 0.5) if r else 0 for r in rates)
            for name, rate in zip(("--injection-rate", "--delivery-rate"), rates):
                self.arguments += [name, repr(rate)] if rate else []
            latencies = [chance.choice([0, 2.5e-7]) for _ in range(2)]
            self.inject_latency, self.deliver_latency = (math.floor(x * PICOSECONDS + 0.5) for x in latencies)
            self.arguments += ["--injection-latency", repr(latencies[0]), "--delivery-latency", repr(latencies[1])]

    def draw_failures(self, chance, ring):
        """Cables, or all of a switch; not with limits of hosts, nor with messages that ask first."""
        self.failures, self.reroute, f = [], None, self.fabric
        limits = self.eager or self.inject_rate or self.deliver_rate or self.inject_latency or self.deliver_latency
        if ring or limits or chance.random() < 0.5:
            return
        for _ in range(chance.choice([1, 1, 2, 4])):
            time, channel = chance.choice([0, chance.randrange(10**6), chance.randrange(10**7), chance.randrange(10**8)]), chance.randrange(len(f.head))
            node, whole = f.tail[channel], chance.random() < 0.2
            failing = f.out[node] if whole else [channel]
            self.failures.append((time, {*failing, *map(f.back, failing)}))
            self.arguments += ["--fail-at", "%.12f:%s" % (time / PICOSECONDS, node) + ("" if whole else ":%d" % f.port[channel])]
        if chance.random() < 0.5:
            self.reroute = chance.choice(["minhop-orcs", "updn-orcs"])
            self.arguments += ["--reroute", self.reroute]

    def rerouted(self, failed):
        """What the engine makes of the fabric without these channels: (node, destination or *) -> channel."""
        f, lines = self.fabric, []
        gone = {(f.tail[c], f.head[c]) for c in failed}
        alone = {n for n in f.name if all((n, f.head[c]) in gone for c in f.out[n])}
        for line in self.text.splitlines():
            edge, node = re.match(r'\s*"([^"]+)" -> "([^"]+)"', line), re.match(r'\s*"([^"]+)"', line)
            if (edge.groups() not in gone) if edge else not node or node.group(1) not in alone:
                lines.append(re.sub(r', comment="[^"]*"|comment="[^"]*", ', "", line) if edge else line)
        new = Fabric(self.tool("orcs-route", "--quiet", "--allow-unreachable", self.reroute, text="\n".join(lines) + "\n"))
        channel = {ends: c for c, ends in enumerate(zip(f.tail, f.head))}
        return {(t, d): channel[t, h] for t, h, s in zip(new.tail, new.head, new.sets) for d in s}

    def run(self):
        try:
            world = World(self)
        except Deadlock:
            world = None
        arguments = [os.path.join(self.bin, "orcs"), *self.arguments, "-p", ("goal:" if self.eager else "trace:") + self.file("program"), "--flows", self.file("flows.csv"), "--format",
                     "json", "--metric", "makespan,packet_losses", self.file("fabric.dot")]
        done = subprocess.run(arguments, capture_output=True, text=True)
        if not world:
            assert done.returncode == 3 and "wait for one another" in done.stderr, "no deadlock: status %d %s" % (done.returncode, done.stderr)
            return False
        assert done.returncode == 0, "status %d: %s" % (done.returncode, done.stderr)
        with open(self.file("flows.csv")) as f:
            table = list(csv.DictReader(f))
        self.compare(world, table)
        metrics = json.loads(done.stdout)["metrics"]
        assert metrics["packet_losses"]["lost"] == world.network.lost, "%d packets are lost, not %d" % (metrics["packet_losses"]["lost"], world.network.lost)
        self.any_lost = world.network.lost > 0
        found, expected = metrics["makespan"]["mean"], world.last / PICOSECONDS
        assert abs(found - expected) <= 1e-12 * expected, "the makespan is %.15g, not %.15g" % (found, expected)
        return True

    def compare(self, world, table):
        of_pair = {}
        for m in world.messages:
            of_pair.setdefault((m.sender, m.receiver), []).append(m)
        assert len(table) == len(world.messages), "%d messages, not %d" % (len(table), len(world.messages))
        for row in table:
            m = of_pair[int(row["sender"]), int(row["receiver"])].pop(0)
            name = "message %s (%s to %s): " % (row["message"], row["sender"], row["receiver"])
            assert (row["from"], row["to"], float(row["bytes"])) == (m.source, m.destination, m.size), name + "another one"
            for key, expected in (("begin", m.begin), ("end", m.ended)):
                assert round(float(row[key]) * PICOSECONDS) == expected, name + "its %s is %s, not %d ps" % (key, row[key], expected)
            assert (row["delivered"] == "0") == m.lost, name + "delivered is %s" % row["delivered"]
            assert m.lost or int(row["hops"]) == m.hops, name + "hops are %s, not %d" % (row["hops"], m.hops)


def drawn_trace(chance, tasks, mtu, ring, levels):
    """Programs whose receives come after their sends in one order of all events, so that they cannot block each other for ever."""
    lines, open_messages = [], []
    hot = chance.randrange(tasks) if chance.random() < 0.3 else None
    if ring or chance.random() < 0.2: # all at once, as far as that goes
        shift = tasks // 2 if ring else chance.randrange(tasks)
        lines = [("s", t, (t + shift) % tasks, 0, chance.randint(20 if ring else 1, 30) * mtu, 0, chance.choice(levels)) for t in range(tasks)]
        return lines + [("r", *line[1:5]) for line in lines]
    for _ in range(chance.randint(10, 80)):
        what = chance.random()
        if what < 0.6 or not open_messages:
            s, d, tag = chance.randrange(tasks), hot if hot is not None and chance.random() < 0.5 else chance.randrange(tasks), chance.randrange(2)
            size = chance.choice([1, mtu, mtu + 1, chance.randint(1, 300), chance.randint(1, 5 * mtu), chance.randint(1, 20 * mtu)])
            lines.append(("s", s, d, tag, size, chance.randrange(3), chance.choice(levels)))
            open_messages.append((s, d, tag, size))
        elif what < 0.85:
            lines.append(("r",) + open_messages.pop(chance.randrange(len(open_messages))))
        else:
            lines.append(("c", chance.randrange(tasks), chance.choice([1e-6, round(chance.random() * 1e-5, 12)])))
    return lines + [("r",) + m for m in open_messages]


def main():
    bin_dir, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    passed = failed = 0
    seen = dict.fromkeys(["ties", "deadlocks", "lanes", "service levels", "voq", "store and forward", "speeds", "eager", "posted early", "limits of hosts", "allocator input", "queue pairs", "headers", "credit blocks", "levels of messages", "arbitration of lanes", "buffers by tier", "internal rates", "failures", "rerouted", "losses"], 0)
    while passed + failed < count:
        with tempfile.TemporaryDirectory() as folder:
            case = None
            try:
                case = Case(bin_dir, seed, folder)
                fine = case.run()
                passed += 1
                for name, is_there in [("deadlocks", not fine), ("lanes", case.any_lane and case.lanes > 1), ("service levels", case.fabric.level), ("voq", case.voq), ("store and forward", case.store_forward),
                                       ("speeds", len(set(case.rate)) > 1), ("eager", case.eager), ("posted early", any(case.early.values())), ("allocator input", case.allocator == "input"), ("queue pairs", case.pairs), ("headers", case.header), ("credit blocks", case.block > 1), ("buffers by tier", case.tiers), ("internal rates", case.internal > 1),
                                       ("failures", case.failures), ("rerouted", case.reroute), ("losses", fine and case.any_lost), ("levels of messages", case.qos), ("arbitration of lanes", case.tables),
                                       ("limits of hosts", case.inject_rate or case.deliver_rate)]:
                    seen[name] += bool(is_there)
            except Tie:
                seen["ties"] += 1
            except (AssertionError, RuntimeError, KeyError, IndexError) as e:
                failed += 1
                print("FAILED: seed %d: %s: %s" % (seed, type(e).__name__, e))
                if case and hasattr(case, "arguments"):
                    print("    %s: orcs %s" % (case.topology, " ".join(case.arguments)))
        seed += 1
    print("of these " + ", ".join("%s %d" % pair for pair in seen.items()))
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
