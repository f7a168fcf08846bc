#!/usr/bin/env python3
"""Reads and writes against an independent simulation: storage.py SEEDS; orcs is on the PATH.

Even seeds: lists of jobs that read, write, iterate, follow a chain, or send messages, on random hosts, with classes and weights. Odd seeds:
queues of jobs that read, write, send or compute, first come first served on the lowest free hosts, some of which hold devices."""
import json
import random
import re
import subprocess
import sys
import tempfile

sys.path[:0] = ["tests/cli", "tests/flow"]
from jobs import Fabric  # noqa: E402
from operations import POINT, Graph  # noqa: E402

class Case:
    """A fabric, and storage on it."""

    def __init__(self, draw, folder):
        self.draw, self.folder = draw, folder
        spec = draw.choice(["star:9", "star:14", "thintree:2,3,2", "thintree:4,2,2", "fattree:k=4,n=2"])
        subprocess.run(["orcs-topology", "--tables", "-o", folder + "/f.dot", spec], check=True)
        self.fabric = Fabric(folder + "/f.dot")
        self.count = count = len({e[0] for e in self.fabric.edges if e[0][0] == "H"})
        self.capacity = {(e[0], e[1]): 10e9 for e in self.fabric.edges}
        limits = {key: draw.choice([4, 7.5, 16, 33]) for key in ("read", "write", "controller") if draw.random() < 0.7}
        self.devices, self.inside, self.any, self.nas = draw.randint(1, 4), 0, False, draw.randrange(count)
        self.policy = self.name = draw.choice(["local", "internal", "external", "external", "nas", "san", "cached:100"])
        if self.policy == "internal":
            self.name = "internal:%d" % self.devices
        elif self.policy == "external":
            self.inside, self.any = draw.randint(0, self.devices), draw.random() < 0.4
            self.name = "external:%d,inside=%d%s" % (self.devices, self.inside, ",any" * self.any)
        elif self.policy == "nas":
            self.name = "nas:H%d" % self.nas
        elif self.policy == "san":
            limits = {key: draw.choice([3, 8, 20]) for key in ("read", "write", "link") if draw.random() < 0.8}
        self.limits = limits
        for key, rate in limits.items():
            self.capacity.update({(key, h): rate * 1e9 for h in range(count)})

    def path(self, a, b):
        return [self.fabric.edges[e][:2] for e in self.fabric.route("H%d" % a, "H%d" % b)] if a != b else []

    def transfer(self, read, host, device):
        """The channels between a task on the host, and its device: that of a host, or None."""
        way = "read" if read else "write"
        if self.policy == "san":
            return [(key, at) for key, at in ((way, 0), ("link", host)) if key in self.limits]
        if self.policy == "cached:100" and read:
            return []
        at = self.nas if self.policy == "nas" else host if device is None else device
        path = self.path(at, host) if read else self.path(host, at)
        return path + [(key, at) for key in (way, "controller") if key in self.limits]

    def choose(self, own, held):
        """The devices of a job on its own hosts; those of held are of others. None: too few."""
        own = list(dict.fromkeys(own))
        if self.policy not in ("internal", "external"):
            return [None]
        if self.policy == "internal":
            return own[:self.devices]
        chosen = own[:self.inside]
        chosen += [h for h in range(self.count) if h not in own and (self.any or h not in held)][:self.devices - len(chosen)]
        return chosen if len(chosen) == self.devices else None

    def run(self, *options):
        command = ["orcs", "--quiet", "--engine", "flow", "--capacity", "10G", "--subset", "file_order", "--format", "json",
                   "--storage", self.name, *options]
        rates = ",".join("%s=%gG" % item for item in self.limits.items())
        command += ["--storage-san" if self.policy == "san" else "--storage-device", rates] if rates else []
        return subprocess.run(command + [self.folder + "/f.dot"], capture_output=True, text=True)


def jobs_at_once(case):
    """A list of jobs. Returns None, or what is wrong."""
    draw, folder, graph, lines, marks, held, few = case.draw, case.folder, Graph(), [], [], set(), False
    sizes = [draw.randint(1, min(5, case.count)) for _ in range(draw.randint(1, 4))]
    while sum(sizes) > case.count:
        sizes.pop()
    host = draw.sample(range(case.count), sum(sizes))
    if draw.random() < 0.3:
        host = [draw.choice(host[:len(host) // 2 + 1]) for _ in host]
    policy = draw.choice([None, None, "strict", (1, 3), (70, 30)])
    for j, count in enumerate(sizes):
        own, size, arrival = host[sum(sizes[:j]):][:count], draw.randint(1, 1000) * 1000000, round(draw.choice([0, 0.4]) * draw.random(), 6)
        klass, weight, what = draw.choice([0, 0, 1, 2]), draw.choice([1, 1, 2.5, 0.5]), draw.choice(["reads", "writes", "iterate", "chain", "alltoall_flood"])
        start = [graph.pause(arrival) for _ in own]
        device = [None] if what == "alltoall_flood" else case.choose(own, set(host) | held)
        few = few or device is None
        held.update([] if device is None or case.any else device)

        def move(i, read, size, after):
            path = case.transfer(read, own[i], device[i % len(device)]) if device else []
            return graph.send(path, size, after, weight, 1)

        ends, name = list(start), what
        if what in ("reads", "writes"):
            ends = [move(i, what == "reads", size, [s]) for i, s in enumerate(start)]
        elif what == "iterate":
            times, read = draw.randint(1, 3), draw.random() < 0.5
            name = "iterate:%d,%s,compute=0.01" % (times, "reads" if read else "writes")
            for _ in range(times):
                ends = [move(i, read, size, [graph.pause(0.01, [e])]) for i, e in enumerate(ends)]
        elif what == "chain":
            name = "markov:%s/chain%d" % (folder, j)
            with open(name[7:], "w") as file:
                file.write("comp end=1\ncompute fixed:0.05\ninit %d\nend %d\n" % (size, size // 2))
            ends = [move(i, True, size, [s]) for i, s in enumerate(start)]
            ends = [graph.pause(0.05, ends) for _ in own]
            ends = [move(i, False, size // 2, ends) for i in range(count)]
        else:
            ends += [graph.send(case.path(a, b), size, [start[i]], weight, klass)
                     for i, a in enumerate(own) for k, b in enumerate(own) if i != k]
        marks.append(ends if len(ends) > 1 or what != "alltoall_flood" else None)
        lines.append("%.6f %d %s bytes=%d priority=%d weight=%g" % (arrival, count, name, size, klass, weight))
    with open(folder + "/map", "w") as file:
        file.write("".join("H%d\n" % h for h in host))
    with open(folder + "/jobs", "w") as file:
        file.write("\n".join(lines) + "\n")
    text = {None: "none", "strict": "strict"}.get(policy) or "share:%d,%d" % policy
    out = case.run("--mapping", "file:" + folder + "/map", "-s", str(len(host)), "-p", "jobs:" + folder + "/jobs", "--metric", "levels",
                   "--priority", text)
    if few:
        return None if out.returncode == 2 and "too few hosts" in out.stderr else "too few devices: " + (out.stderr or "not noticed")
    if out.returncode:
        return out.stderr
    ends = graph.run(case.capacity, policy)
    for j, (got, mark) in enumerate(zip(json.loads(out.stdout)["metrics"]["levels"]["ends"], marks)):
        want = max(ends[o] for o in mark) if mark else got
        if mark and abs(got - want) > 1e-9 * max(1, want):
            return "%s: '%s' ends at %.12g, not %.12g" % (text, lines[j], got, want)
    return None


def queue(case):
    """A queue of jobs. Returns None, or what is wrong."""
    draw, graph, jobs, lines, busy, waiting, running = case.draw, Graph(), [], [], set(), [], []
    for _ in range(draw.randint(2, 10)):
        count, size, compute = draw.randint(1, case.count), draw.randint(1, 500) * 1000000, draw.choice([0, 0.25])
        what, submit = draw.choice(["reads", "writes", "shift:1", "null"]), round(2 * draw.random(), 3)
        hold = graph.add("hold", [graph.pause(submit)])
        starts = [graph.pause(compute, [hold]) for _ in range(count)]
        flows = [] if what == "null" else [graph.send([], size, [s]) for s in starts]
        more = case.devices - min(case.inside, count) if case.policy == "external" and what in ("reads", "writes") else 0
        jobs.append({"submit": submit, "count": count, "what": what, "hold": hold, "flows": flows, "end": graph.add("", starts + flows),
                     "more": more, "needs": count + more * (not case.any)})
        lines.append("%.3f %d %s bytes=%d compute=%g" % (submit, count, what, size, compute))
    with open(case.folder + "/queue", "w") as file:
        file.write("\n".join(lines) + "\n")
    out = case.run("-p", "queue:" + case.folder + "/queue")
    if any(j["count"] + j["more"] > case.count for j in jobs):
        return None if out.returncode == 2 else "too few devices: not noticed"
    if out.returncode:
        return out.stderr

    def begin(job):
        free = [h for h in range(case.count) if h not in busy]
        job["start"], job["hosts"] = graph.now, free[:job["count"]]
        device = case.choose(job["hosts"], busy) if job["what"] in ("reads", "writes") else [None]
        job["held"] = set(job["hosts"]) | set([] if device == [None] or case.any else device)
        busy.update(job["held"])
        for i, o in enumerate(job["flows"]):
            own, to = job["hosts"][i], job["hosts"][(i + 1) % job["count"]]
            graph.flow[o][0] = (case.path(own, to) if job["what"] == "shift:1" else
                                case.transfer(job["what"] == "reads", own, device[i % len(device)]))
            graph.flow[o][2] = 0
        running.append(job)
        graph.end(job["hold"])

    def hook():
        before = len(running) + len(waiting)
        for job in [j for j in running if graph.ends[j["end"]] is not None]:
            running.remove(job)
            busy.difference_update(job["held"])
        waiting.extend(sorted((j for j in jobs if j["submit"] <= graph.now + POINT and not j.get("there")), key=lambda j: j["submit"]))
        changed = before != len(running) + len(waiting)
        for job in waiting:
            job["there"] = True
        while waiting and waiting[0]["needs"] <= case.count - len(busy):
            begin(waiting.pop(0))
            changed = True
        return changed

    ends = graph.run(case.capacity, None, hook)
    for got, job, line in zip(json.loads(out.stdout)["metrics"]["queue"]["jobs"], jobs, lines):
        names = ["H%d" % h for h in job["hosts"]]
        if abs(got["start"] - job["start"]) > 1e-8 or abs(got["end"] - ends[job["end"]]) > 1e-8 or got["hosts"] != names:
            return "'%s' from %.12g to %.12g on %s, not %.12g to %.12g on %s" % (
                line, got["start"], got["end"], got["hosts"], job["start"], ends[job["end"]], names)
    return None


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(int(sys.argv[1])):
            case = Case(random.Random(seed), folder)
            found = (queue if seed % 2 else jobs_at_once)(case)
            wrong += ["seed %d, %s on %s: %s" % (seed, case.name, case.count, re.sub(folder, "", found).strip())] if found else []
    print("\n".join(wrong[:5]))
    print("%s random scenarios, %d wrong" % (sys.argv[1], len(wrong)))
    return bool(wrong)


sys.exit(main())
