#!/usr/bin/env python3
"""Random programs of tasks in a network in which messages share nothing, from the definition: a message takes the latencies of its channels,
and its bits divided by the smallest capacity. Compares the makespan of --engine latency, and the contention that --engine flow prints.

alone.py ORCS DIRECTORY SEEDS
"""
import json
import random
import subprocess
import sys

orcs, work, seeds = sys.argv[1], sys.argv[2], int(sys.argv[3])


def program(rng, tasks):
    """Returns lines of events in an order without deadlock: a receive follows its send."""
    lines = []
    for _ in range(rng.randrange(1, 60)):
        a, b = rng.randrange(tasks), rng.randrange(tasks)
        if rng.random() < 0.3:
            lines.append(("c", a, round(rng.uniform(0, 1e-3), 9)))
        elif a != b:
            size = rng.choice([0, 8, 1000, 1000000])
            lines.append(("s", a, b, size))
            lines.append(("r", b, a))
    return lines


def makespan(lines, latency, rate):
    """All tasks are on hosts of a star: two channels between each two of them."""
    at, arrived, end = {}, {}, 0.0
    for line in lines:
        if line[0] == "c":
            at[line[1]] = at.get(line[1], 0.0) + line[2]
            end = max(end, at[line[1]])
        elif line[0] == "s":
            _, a, b, size = line
            arrival = at.get(a, 0.0) + 2 * latency + 8 * size / rate
            arrived.setdefault((a, b), []).append(arrival)
            end = max(end, arrival)
        else:
            _, b, a = line
            at[b] = max(at.get(b, 0.0), arrived[(a, b)].pop(0))
    return end


def run(engine, metrics, path, hosts):
    command = [orcs, "--quiet", "--engine", engine, "-n", "1", "-p", "trace:" + path, "--mapping", "linear", "--capacity", "10G",
               "--latency", "1us", "--metric", metrics, "--format", "json", "star:%d" % hosts]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["metrics"]


def close(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b)) + 1e-10


contended = 0
for seed in range(seeds):
    rng = random.Random(seed)
    tasks = rng.randrange(2, 7)
    lines = program(rng, tasks) or [("c", 0, 1e-6)]
    lines.append(("c", tasks - 1, 1e-9))
    path = work + "/alone.trace"
    with open(path, "w") as file:
        for line in lines:
            file.write({"c": lambda: "c %d %.9f" % line[1:], "s": lambda: "s %d %d 0 %d" % line[1:], "r": lambda: "r %d %d 0 0" % (line[2], line[1])}[line[0]]() + "\n")
    wanted = makespan(lines, 1e-6, 10e9)
    alone = run("latency", "makespan", path, tasks)["makespan"]["mean"]
    both = run("flow", "makespan,contention", path, tasks)
    ratio = both["makespan"]["mean"] / wanted
    if not close(alone, wanted) or not close(both["contention"]["alone"], wanted) or not close(both["contention"]["ratio"], ratio) or ratio < 1 - 1e-6:
        sys.exit("seed %d: makespan %r, contention %r, not %r" % (seed, alone, both, wanted))
    contended += ratio > 1.001
if not contended:
    sys.exit("no program shared a channel")
print("%d programs, of which %d shared channels" % (seeds, contended))
