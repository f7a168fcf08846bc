#!/usr/bin/env python3
"""The phases of random programs, counted on a star of hosts: phases.py FILE SEED UNIT

Writes the program as a trace of events, and to stdout the sum over phases of the largest number of routes on a channel, and the mean over the
phases' messages of the share that each gets. A message counts once for each UNIT bytes (0: once). Its phase is the number of messages in the
longest chain that must have arrived before it.
"""
import random
import sys
from collections import Counter


def main():
    path, seed, unit = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    tasks = rng.randint(2, 7)
    depth = [0] * tasks
    lines, phases, pending, request = [], {}, [[] for _ in range(tasks)], 0
    calls = seed % 2
    for _ in range(rng.randint(1, 60)):
        a, b, size, tag = rng.randrange(tasks), rng.randrange(tasks), rng.choice([0, 1, 1000, 5000, 64000]), rng.randrange(3)
        if rng.random() < 0.2:
            lines.append("c %d %g" % (a, rng.random()))
        later = calls and rng.random() < 0.6
        request += 1
        if later and rng.random() < 0.5:
            lines.append("p %d %d %d %d request=%d" % (a, b, tag, size, request))
            lines.append("s %d %d %d %d" % (a, b, tag, size))
        elif later:
            lines.append("s %d %d %d %d request=%d" % (a, b, tag, size, request + 1000))
            lines.append("p %d %d %d %d request=%d" % (a, b, tag, size, request))
        else:
            lines.append("s %d %d %d %d" % (a, b, tag, size))
            lines.append("r %d %d %d %d" % (a, b, tag, size))
        phase = depth[a]
        arrived = phase + (a != b)
        if a != b:
            phases.setdefault(phase, []).append((a, b, max(1, -(-size // unit)) if unit else 1))
        if later:
            pending[b].append((request, arrived))
        else:
            depth[b] = max(depth[b], arrived)
        waiter = rng.randrange(tasks)
        if pending[waiter] and rng.random() < 0.5:
            done = rng.sample(pending[waiter], rng.randint(1, len(pending[waiter])))
            lines.append("w %d %s" % (waiter, " ".join(str(r) for r, _ in done)))
            for item in done:
                pending[waiter].remove(item)
                depth[waiter] = max(depth[waiter], item[1])
    lines.append("c %d 0" % (tasks - 1))
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    worst, share, messages = 0, 0, 0
    for pairs in phases.values():
        sent, got = Counter(), Counter()
        for a, b, times in pairs:
            sent[a] += times
            got[b] += times
        worst += max(list(sent.values()) + list(got.values()))
        for a, b, times in pairs:
            share += times / max(sent[a], got[b])
            messages += times
    print("%d %.6f" % (worst, share / messages if messages else 0))


if __name__ == "__main__":
    main()
