#!/usr/bin/env python3
"""A queue of jobs by an independent simulation: queue.py RESULT FILE GRAPH SCHEDULER ALLOCATION MAPPING [--bounded S] [--bytes B --gbits G]

Reads the result of orcs --metric queue --format json. Starts follow from the run times by the rules of the scheduler, hosts from those of the
allocation, every number of the result from both. Run times are those of the file for jobs that only compute; of others those of the
result, which with --gbits are compared with a simulation of max-min fair flows. Times are whole picoseconds. Also writes queues:
queue.py --draw SEED JOBS HOSTS [PATTERN,...], and logs: queue.py --swf SEED JOBS HOSTS."""
import fractions
import json
import random
import sys

PICO = 10**12


def ticks(text):
    return round(fractions.Fraction(str(text)) * PICO)


class Job:
    def __init__(self, number, words=None):
        self.number, self.id, self.estimate, self.compute, self.bytes = number, str(number), None, 0, None
        if words:
            self.submit, self.tasks, self.workload = ticks(words[0]), int(words[1]), words[2]
            for word in words[3:]:
                key, value = word.split("=", 1)
                if key == "id":
                    self.id = value
                elif key == "estimate":
                    self.estimate = ticks(value)
                elif key == "compute":
                    self.compute = ticks(value)
                elif key == "bytes":
                    self.bytes = int(value)


def read_lines(path):
    jobs = []
    for line in open(path):
        words = line.split("#")[0].split()
        if words:
            jobs.append(Job(len(jobs), words))
    return jobs


def read_swf(path):
    jobs = []
    for line in open(path):
        field = line.split(";")[0].split()
        if not field:
            continue
        tasks = int(field[4]) if float(field[4]) > 0 else int(field[7])
        if float(field[3]) < 0 or tasks <= 0:
            continue
        job = Job(len(jobs))
        job.id, job.submit, job.tasks, job.workload, job.compute = field[0], ticks(field[1]), tasks, "null", ticks(field[3])
        job.estimate = ticks(field[8]) if float(field[8]) > 0 else max(job.compute, PICO)
        jobs.append(job)
    return jobs


class Machine:
    def __init__(self, hosts, leaf):
        self.names, self.leaf_of = hosts, [leaf[h] for h in hosts]
        self.order = list(dict.fromkeys(self.leaf_of))
        self.free = set(range(len(hosts)))
        self.place = {name: i for i, name in enumerate(hosts)}

    def under(self, leaf):
        return sorted(h for h in self.free if self.leaf_of[h] == leaf)

    def choose(self, allocation, count):
        """The hosts by the rule; None if it is a draw."""
        left, chosen = set(self.free), []
        if allocation == "linear":
            return sorted(left)[:count]
        if allocation == "random":
            return None
        by_leaf = {leaf: self.under(leaf) for leaf in self.order}
        while len(chosen) < count:
            rest = count - len(chosen)
            most = max(self.order, key=lambda l: (len(by_leaf[l]), -self.order.index(l)))
            if allocation == "spread":
                chosen.append(by_leaf[most].pop(0))
                continue
            enough = [l for l in self.order if len(by_leaf[l]) >= rest]
            leaf = min(enough, key=lambda l: (len(by_leaf[l]), self.order.index(l))) if enough else most
            chosen += by_leaf[leaf][:rest]
            by_leaf[leaf] = by_leaf[leaf][rest:]
        return sorted(chosen)


def expected(job, now):
    if job.estimate is None:
        return None
    k = 1
    while job.start + k * job.estimate <= now:
        k = max(k + 1, (now - job.start) // job.estimate)
    return job.start + k * job.estimate


def fits(free_at, tasks, begin, length):
    """free_at: function of time, and its steps."""
    steps, at = free_at
    return at(begin) >= tasks and all(at(t) >= tasks for t in steps if t > begin and (length is None or t < begin + length))


def passes(scheduler, waiting, running, hosts, now):
    """The jobs that start now, in order."""
    started = []
    free = lambda: hosts - sum(j.tasks for j in running) - sum(j.tasks for j in started)
    left = list(waiting)
    if scheduler == "sjf":
        left.sort(key=lambda j: (j.estimate is None, j.estimate or 0, j.submit, j.number))
    if scheduler == "conservative":
        taken = [(now, expected(j, now), j.tasks) for j in running] # from, to (None: for ever), tasks
        latest = now
        for job in left:
            steps = sorted({now} | {t for a, b, _ in taken for t in (a, b) if t is not None and t > now})
            at = lambda t: hosts - sum(n for a, b, n in taken if a <= t and (b is None or t < b))
            if job.estimate is None:
                times = [] if latest is None else [t for t in sorted(set(steps) | {latest}) if t >= latest]
            else:
                times = steps
            when = next((t for t in times if fits((steps, at), job.tasks, t, job.estimate)), None)
            latest = None if when is None or latest is None else max(latest, when)
            if when is not None:
                taken.append((when, None if job.estimate is None else when + job.estimate, job.tasks))
            if when == now:
                started.append(job)
        return started
    while left and left[0].tasks <= free():
        started.append(left.pop(0))
    if scheduler == "easy" and left:
        for j in started:
            j.start = now
        head, ends = left.pop(0), [(expected(j, now), j.tasks) for j in running + started]
        shadow, extra = None, 0
        for time in sorted({e for e, _ in ends if e is not None}):
            then = free() + sum(n for e, n in ends if e is not None and e <= time)
            if then >= head.tasks:
                shadow, extra = time, then - head.tasks
                break
        for job in left:
            if job.tasks > free() or job.estimate is None:
                continue
            if shadow is None or now + job.estimate <= shadow:
                started.append(job)
            elif job.tasks <= extra:
                extra -= job.tasks
                started.append(job)
    return started


def simulate(jobs, machine, scheduler, allocation, found, wrong):
    """Sets start, end and hosts of all jobs, whose run is known."""
    waiting, running, coming = [], [], sorted(jobs, key=lambda j: (j.submit, j.number))
    hosts = len(machine.names)
    while coming or running:
        now = min([j.end for j in running] + [j.submit for j in coming[:1]])
        for job in [j for j in running if j.end == now]:
            running.remove(job)
            machine.free |= set(job.hosts)
        while coming and coming[0].submit == now:
            waiting.append(coming.pop(0))
        for job in passes(scheduler, waiting, running, hosts, now):
            waiting.remove(job)
            job.start, job.end = now, now + job.run
            told = [machine.place[h] for h in found[job.number]["hosts"]]
            job.hosts = machine.choose(allocation, job.tasks)
            if job.hosts is None:
                job.hosts = sorted(told)
            if not set(told) <= machine.free or sorted(told) != job.hosts or len(set(told)) != job.tasks:
                wrong("hosts of " + job.id, told, job.hosts)
                job.hosts = sorted(machine.free)[:job.tasks]
            machine.free -= set(job.hosts)
            running.append(job)
    if waiting:
        wrong("jobs left", len(waiting), 0)


def mean(values):
    return sum(values) / len(values) if values else None


def numbers(jobs, machine, bounded):
    hosts = len(machine.names)
    first, last = min(j.submit for j in jobs), max(j.end for j in jobs)
    whole = last - first
    sec = lambda t: float(fractions.Fraction(t, PICO))
    tau = ticks(bounded)
    facts = {}
    rows = [(sec(j.start - j.submit), sec(j.run), sec(j.end - j.submit), (j.end - j.submit) / j.run if j.run else None,
             max(1.0, (j.end - j.submit) / max(j.run, tau))) for j in jobs]
    for i, key in enumerate(("wait", "run", "turnaround", "slowdown", "bounded_slowdown")):
        values = [row[i] for row in rows if row[i] is not None]
        facts[key] = {"mean": mean(values), "max": max(values) if values else None}
    idle, moments = 0, sorted({t for j in jobs for t in (j.submit, j.start, j.end)})
    parts = [[0, 0] for _ in range(20)]
    for a, b in zip(moments, moments[1:]):
        used = sum(j.tasks for j in jobs if j.start <= a < j.end)
        waits = sum(1 for j in jobs if j.submit <= a < j.start)
        idle += (hosts - used) * (b - a) if waits else 0
        for i in range(20):
            low, high = max(a, first + whole * i / 20), min(b, first + whole * (i + 1) / 20)
            if high > low:
                parts[i][0] += used * (high - low) / (hosts * whole / 20)
                parts[i][1] += waits * (high - low) / (whole / 20)
    facts.update(makespan=sec(whole), throughput=len(jobs) / sec(whole) if whole else None,
                 utilisation=sum(j.tasks * j.run for j in jobs) / (hosts * whole) if whole else None)
    sizes = sorted((machine.leaf_of.count(l) for l in machine.order), reverse=True)
    fewest = lambda n: next(k for k in range(1, len(sizes) + 1) if sum(sizes[:k]) >= n)
    leaves = [len({machine.leaf_of[h] for h in j.hosts}) for j in jobs]
    facts["fragmentation"] = {
        "idle_while_waiting": idle / (hosts * whole) if whole else None,
        "pieces": mean([sum(h - 1 not in j.hosts for h in j.hosts) for j in jobs]),
        "leaves": mean(leaves),
        "spread": mean([l / fewest(j.tasks) for l, j in zip(leaves, jobs)]),
    }
    return rows, facts, parts


# ---- flows

LEVELS = {
    "shift:1": lambda n: [[(i, (i + 1) % n) for i in range(n)]] if n > 1 else [],
    "gather": lambda n: [[(i, 0) for i in range(1, n)]],
    "alltoall_flood": lambda n: [[(i, j) for i in range(n) for j in range(n) if i != j]],
    "alltoall": lambda n: [[(i, (i + l + 1) % n) for i in range(n)] for l in range(n - 1)],
    "null": lambda n: [],
}


def rates_of(flows, capacity):
    """Max-min fair rates by progressive filling; a flow is a tuple of channels."""
    left, using, rates = {}, {}, {}
    for number, path in flows.items():
        for e in path:
            left[e] = capacity
            using.setdefault(e, set()).add(number)
    while len(rates) < len(flows):
        share, worst = min((left[e] / len(numbers), e) for e, numbers in using.items() if numbers)
        for number in list(using[worst]):
            rates[number] = share
            for e in flows[number]:
                left[e] -= share
                using[e].discard(number)
    return rates


def flow_ends(jobs, found, fabric, bits, capacity):
    """Ends in seconds of jobs that start when the result says, with all messages of a level at once, and levels one after another."""
    events = [(fractions.Fraction(ticks(f["start"]), PICO) + fractions.Fraction(j.compute, PICO), j.number) for j, f in zip(jobs, found)]
    events.sort()
    levels = [[level for level in LEVELS[j.workload](j.tasks) if level] for j in jobs]
    ends, flows, left, owner, open_, at = {}, {}, {}, {}, {}, {}
    now, number = fractions.Fraction(0), 0

    def begin(job, level):
        nonlocal number
        while level < len(levels[job]) and not levels[job][level]:
            level += 1
        if level == len(levels[job]):
            ends[job] = now
            return
        at[job], open_[job] = level, 0
        for s, r in levels[job][level]:
            path = tuple(fabric.route(found[job]["hosts"][s], found[job]["hosts"][r]))
            flows[number], owner[number] = path, job
            left[number] = fractions.Fraction(8 * jobs[job].bytes if jobs[job].bytes is not None else bits)
            open_[job] += 1
            number += 1

    while events or flows:
        rates = rates_of(flows, capacity) if flows else {}
        until = min([left[n] / rates[n] for n in flows] + [t - now for t, _ in events[:1]])
        now += until
        done = set()
        for n in list(flows):
            left[n] -= until * rates[n]
            if left[n] <= 0:
                del flows[n]
                open_[owner[n]] -= 1
                done.add(owner[n])
        for job in sorted(done):
            if not open_[job]:
                begin(job, at[job] + 1)
        while events and events[0][0] <= now:
            begin(events.pop(0)[1], 0)
    return ends


# ---- the comparison

def option(name, default=None):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def draw(seed, count, hosts, patterns, swf):
    rng, time = random.Random(seed), fractions.Fraction(0)
    print("; a log" if swf else "# a queue")
    for i in range(count):
        time += fractions.Fraction(rng.choice([0, 0, 1, 2, 3, 5, 8]), 1 if swf else 4)
        tasks = min(hosts, rng.choice([1, 1, 2, 3, 4, 5, 8, hosts // 2, hosts]))
        run = rng.choice([0, 1, 2, 3, 5, 8, 13, 21])
        estimate = rng.choice([None, run, run, 2 * run, 10 * run, 1, 5])
        if swf:
            run = rng.choice([run, run, run + .5, -1])
            print(i + 1, float(time), -1, run, rng.choice([tasks, -1]), -1, -1, tasks, -1 if estimate is None else estimate, *[-1] * 9)
            continue
        pattern = rng.choice(patterns)
        words = ["%g" % float(time), str(tasks), pattern]
        if pattern == "null" or rng.random() < .5:
            words.append("compute=%g" % (run if pattern == "null" else run / 8))
        if estimate:
            words.append("estimate=%g" % (estimate if pattern == "null" else estimate / 4))
        if rng.random() < .3:
            words.append("id=job%d" % i)
        if pattern != "null" and rng.random() < .5:
            words.append("bytes=%d" % rng.choice([100000000, 250000000, 1000000000]))
        print(*words)


def compare():
    result, path, graph, scheduler, allocation, mapping = sys.argv[1:7]
    told = json.load(open(result))["metrics"]["queue"]
    found, faults = told["jobs"], []

    def wrong(what, got, want):
        faults.append("%s: %s, not %s" % (what, got, want))

    def same(what, got, want, within=1e-9):
        if (got is None) != (want is None) or (want is not None and abs(got - want) > within * max(1, abs(want))):
            wrong(what, got, want)

    from jobs import Fabric
    from graphs import hosts_of, read
    kinds, edges = read(open(graph))
    leaf = {}
    for edge in edges:
        leaf.setdefault(edge[0], edge[1])
    hosts = hosts_of(kinds)
    machine = Machine(hosts, {h: leaf[h] for h in hosts})
    jobs = read_swf(path) if path.endswith(".swf") else read_lines(path)
    if [f["id"] for f in found] != [j.id for j in jobs]:
        wrong("ids", [f["id"] for f in found], [j.id for j in jobs])
    for job, f in zip(jobs, found):
        job.run = job.compute if job.workload == "null" else ticks(f["end"]) - ticks(f["start"])
    simulate(jobs, machine, scheduler, allocation, found, wrong)
    rows, facts, parts = numbers(jobs, machine, option("--bounded", 10))
    for job, f, row in zip(jobs, found, rows):
        for key, want in (("submit", job.submit), ("start", job.start), ("end", job.end)):
            if ticks(f[key]) != want:
                wrong("%s of %s" % (key, job.id), f[key], want / PICO)
        for key, want in zip(("wait", "run", "turnaround", "slowdown", "bounded_slowdown"), row):
            same("%s of %s" % (key, job.id), f[key], want)
        same("tasks of " + job.id, f["tasks"], job.tasks)
        in_order = [machine.place[h] for h in f["hosts"]] == job.hosts
        if mapping == "consecutive" and not in_order:
            wrong("order of " + job.id, f["hosts"], job.hosts)
    if mapping == "random" and sum([machine.place[h] for h in f["hosts"]] != j.hosts for j, f in zip(jobs, found) if j.tasks > 4) < 1:
        wrong("orders", "all ascend", "random")
    for key, want in facts.items():
        for inner, number in (want.items() if isinstance(want, dict) else [(None, want)]):
            same("%s %s" % (key, inner or ""), told[key][inner] if inner else told[key], number)
    for part, want in zip(told["over_time"], parts):
        same("utilisation in part %s" % part["part"], part["utilisation"], want[0])
        same("queue in part %s" % part["part"], part["queue"], want[1])
    if option("--gbits"):
        fabric = Fabric(graph)
        ends = flow_ends(jobs, found, fabric, 8 * int(option("--bytes")), fractions.Fraction(option("--gbits")) * 10**9)
        for job, f in zip(jobs, found):
            same("end of " + job.id, f["end"], float(ends[job.number]), 1e-7)
    print("%d jobs compared, %d numbers differ" % (len(jobs), len(faults)))
    print("\n".join(faults[:8]))
    return bool(faults)


if sys.argv[1] in ("--draw", "--swf"):
    draw(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), (sys.argv[5] if len(sys.argv) > 5 else "null").split(","), sys.argv[1] == "--swf")
else:
    sys.exit(compare())
