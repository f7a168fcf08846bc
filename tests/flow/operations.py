"""An independent simulation for tests: graphs of flows, times and holds, whose flows share channels max-min fairly, with classes and weights."""

POINT = 5e-13  # half a picosecond


def max_min(flows, capacity):
    """flows: {number: (path, weight)}. Returns the rate of each."""
    rate, left, users = {}, {}, {}
    for number, (path, weight) in flows.items():
        for c in path:
            left[c] = capacity[c]
            users.setdefault(c, {})[number] = weight
    while len(rate) < len(flows):
        share, worst = min(((max(left[c], 0) / sum(u.values()), c) for c, u in users.items() if u), key=lambda pair: pair[0])
        for number in list(users[worst]):
            rate[number] = share * flows[number][1]
            for c in flows[number][0]:
                left[c] -= rate[number]
                del users[c][number]
    return rate


def rates_of(flows, capacity, policy):
    """flows: {number: (path, weight, class)}; policy: None, "strict", or the shares of the classes."""
    if policy is None:
        return max_min({n: f[:2] for n, f in flows.items()}, capacity)
    rates, left = {}, dict(capacity)
    last = 7 if policy == "strict" else len(policy) - 1
    classes = {n: min(f[2], last) for n, f in flows.items()}
    for k in sorted(set(classes.values())):
        own = {n: flows[n][:2] for n in flows if classes[n] == k}
        if policy != "strict":
            there = {c: {classes[n] for n in flows if c in flows[n][0]} for path, _ in own.values() for c in path}
            left = {c: capacity[c] * policy[k] / sum(policy[i] for i in found) for c, found in there.items()}
        rates.update(max_min(own, left))
        for n in own if policy == "strict" else ():
            for c in flows[n][0]:
                left[c] -= rates[n]
    return rates


class Graph:
    """Operations: flows along a path, times, and holds that only the hook of run() ends."""

    def __init__(self):
        self.kind, self.after, self.flow, self.seconds = [], [], {}, {}

    def add(self, kind, after=()):
        self.kind.append(kind)
        self.after.append([a for a in after if a is not None])
        return len(self.kind) - 1

    def pause(self, seconds, after=()):
        number = self.add("time", after)
        self.seconds[number] = seconds
        return number

    def send(self, path, size, after=(), weight=1, klass=0):
        number = self.add("flow", after)
        self.flow[number] = [path, weight, klass, 8.0 * size]
        return number

    def end(self, number):
        ready = [number]
        while ready:
            done = ready.pop()
            self.ends[done] = self.now
            for o in self.waiting[done]:
                self.needs[o] -= 1
                if not self.needs[o]:
                    self.begin(o, ready)

    def begin(self, o, ready):
        if self.kind[o] == "time":
            self.timers[o] = self.now + self.seconds[o]
        elif self.kind[o] == "flow" and self.flow[o][0] and self.flow[o][3]:
            self.moving[o] = self.flow[o][3]
        elif self.kind[o] != "hold":
            ready.append(o)

    def run(self, capacity, policy=None, hook=lambda: False):
        self.now, self.ends, self.timers, self.moving = 0.0, [None] * len(self.kind), {}, {}
        self.needs, self.waiting = [len(a) for a in self.after], [[] for _ in self.kind]
        for o, after in enumerate(self.after):
            for a in after:
                self.waiting[a].append(o)
        ready = []
        for o in [o for o in range(len(self.kind)) if not self.needs[o]]:
            self.begin(o, ready)
        for o in ready:
            self.end(o)
        while True:
            while hook():
                pass
            if None not in self.ends:
                return self.ends
            rate = rates_of({o: self.flow[o][:3] for o in self.moving}, capacity, policy)
            soon = list(self.timers.values()) + [self.now + left / rate[o] for o, left in self.moving.items() if rate[o] > 1e-3]
            step, self.now = min(soon) - self.now, min(soon)
            for o in self.moving:
                self.moving[o] -= step * rate[o]
            done = [o for o, left in self.moving.items() if left <= rate[o] * POINT + 1e-9]
            done += [o for o, at in self.timers.items() if at <= self.now + POINT]
            for o in done:
                self.moving.pop(o, None)
                self.timers.pop(o, None)
            for o in done:
                self.end(o)
