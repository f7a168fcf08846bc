#!/usr/bin/env python3
"""Reads and writes against an independent simulation: storage.py SEEDS; orcs is on the PATH.

Random jobs of one task read or write on a star or a tree, at random times, with random devices; the end of each is compared with that of
max-min fair flows over routes and devices."""
import json
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/cli")
from jobs import Fabric  # noqa: E402


def rates_of(flows, capacity):
    left, using, rates = {}, {}, {}
    for number, path in flows.items():
        for c in path:
            using.setdefault(c, set()).add(number)
            left[c] = capacity[c]
    while len(rates) < len(flows):
        share, worst = min((left[c] / len(numbers), repr(c)) for c, numbers in using.items() if numbers)
        worst = next(c for c in using if repr(c) == worst)
        for number in list(using[worst]):
            rates[number] = share
            for c in flows[number]:
                left[c] -= share
                using[c].discard(number)
    return rates


def simulate(jobs, capacity):
    """jobs: (arrival, bits, path). Returns the end of each."""
    ends, flows, left, now = [None] * len(jobs), {}, {}, 0.0
    waiting = sorted(range(len(jobs)), key=lambda j: jobs[j][0])
    while None in ends:
        if not flows:
            now = jobs[waiting[0]][0]
        while waiting and jobs[waiting[0]][0] <= now + 1e-13:
            j = waiting.pop(0)
            if jobs[j][2]:
                flows[j], left[j] = jobs[j][2], jobs[j][1]
            else:
                ends[j] = now
        if not flows:
            continue
        rates = rates_of(flows, capacity)
        step = min(left[j] / rates[j] for j in flows)
        if waiting and jobs[waiting[0]][0] - now < step:
            step = jobs[waiting[0]][0] - now
        now += step
        for j in list(flows):
            left[j] -= step * rates[j]
            if left[j] <= 1e-6:
                ends[j] = now
                del flows[j]
    return ends


def scenario(seed, folder):
    draw = random.Random(seed)
    spec, hosts = draw.choice([("star:12", 12), ("thintree:2,3,2", 8), ("fattree:k=4,n=2", 16)])
    subprocess.run(["orcs-topology", "--tables", "-o", folder + "/f.dot", spec], check=True)
    fabric = Fabric(folder + "/f.dot")
    names = ["H%d" % h for h in range(hosts)]
    tasks = draw.randint(2, hosts // 2)
    limits = {key: draw.choice([4, 7.5, 16]) for key in ("read", "write", "controller") if draw.random() < 0.8}
    capacity = {}
    for tail, head in ((e[0], e[1]) for e in fabric.edges):
        capacity[tail, head] = 10e9
    for h in names:
        for key, rate in limits.items():
            capacity[key, h] = rate * 1e9

    def walk(a, b):
        return [(fabric.edges[e][0], fabric.edges[e][1]) for e in fabric.route(a, b)] if a != b else []

    inside = draw.randint(0, 1)
    # jobs of one task each: K devices of a job, of which the task uses the first
    policy = draw.choice(["local", "internal:1", "external:1,inside=%d" % inside, "external:1,any", "nas:H%d" % draw.randrange(hosts), "san"])
    if policy == "san":
        limits = {"link": 8, "read": 20, "write": 12}
        capacity.update({("san", "read"): 20e9, ("san", "write"): 12e9})
        capacity.update({("link", h): 8e9 for h in names})
    lines, jobs, free = [], [], [h for h in names if int(h[1:]) >= tasks]
    for t in range(tasks):
        read, arrival, size = draw.random() < 0.5, round(draw.random() * draw.choice([0, 0.5]), 6), draw.randint(1, 1000) * 1000000
        host = names[t]
        if policy.startswith("nas"):
            device = policy[4:]
        elif policy == "external:1,any":
            device = names[1] if t == 0 else names[0]
        elif policy.startswith("external") and not inside:
            device = free.pop(0)
        else:
            device = host
        if policy == "san":
            path = [("san", "read" if read else "write"), ("link", host)]
        else:
            path = walk(device, host) if read else walk(host, device)
            path += [(key, device) for key in ("read" if read else "write", "controller") if key in limits]
        lines.append("%.6f 1 %s bytes=%d" % (arrival, "reads" if read else "writes", size))
        jobs.append((arrival, 8.0 * size, path))
    with open(folder + "/jobs", "w") as file:
        file.write("\n".join(lines) + "\n")
    rates = ",".join("%s=%gG" % item for item in limits.items())
    command = ["orcs", "--quiet", "--engine", "flow", "--capacity", "10G", "--subset", "file_order", "--mapping", "linear", "-s", str(tasks),
               "-p", "jobs:" + folder + "/jobs", "--metric", "levels", "--format", "json", "--storage", policy]
    command += ["--storage-san" if policy == "san" else "--storage-device", rates] if rates else []
    out = subprocess.run(command + [folder + "/f.dot"], capture_output=True, text=True)
    if out.returncode:
        return "seed %d, %s: %s" % (seed, policy, out.stderr.strip())
    got, want = json.loads(out.stdout)["metrics"]["levels"]["ends"], simulate(jobs, capacity)
    for j, (a, b) in enumerate(zip(got, want)):
        if abs(a - b) > 1e-9 * max(1, b):
            return "seed %d, %s on %s: job %d ends at %.12g, not %.12g" % (seed, policy, spec, j, a, b)
    return None


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(int(sys.argv[1])):
            found = scenario(seed, folder)
            wrong += [found] if found else []
    print("\n".join(wrong[:5]))
    print("%s random scenarios, %d wrong" % (sys.argv[1], len(wrong)))
    return bool(wrong)


sys.exit(main())
