#!/usr/bin/env python3
"""Jobs beside one another in time, by an independent simulation of max-min fair flows: job_times.py RESULT GRAPH JOBS PATTERN GBITS

The result is that of orcs-jobs --engine flow; JOBS as for jobs.py. Messages of a level begin together, and a level when the one before has
ended; a job that has ended its pattern begins again, until every job has ended it once. All cables carry GBITS."""
import collections
import fractions
import json
import sys

from jobs import LEVELS, Fabric


def rates_of(flows, capacity):
    """Max-min fair rates by progressive filling; a flow is a tuple of channels."""
    left = collections.Counter()
    using = collections.defaultdict(set)
    for number, path in flows.items():
        for e in path:
            using[e].add(number)
    left = {e: capacity for e in using}
    rates = {}
    while len(rates) < len(flows):
        share, worst = min((left[e] / len(numbers), e) for e, numbers in using.items() if numbers)
        for number in list(using[worst]):
            rates[number] = share
            for e in flows[number]:
                left[e] -= share
                using[e].discard(number)
    return rates


def run(jobs, bits, capacity):
    """jobs: for each a list of levels, which are lists of paths. Returns the time of the first pass of each."""
    first = [None if levels else 0 for levels in jobs]
    level = [0] * len(jobs)
    flows, owner, number, now = {}, {}, 0, fractions.Fraction(0)
    left, open_ = {}, [0] * len(jobs)

    def begin(j):
        nonlocal number
        for path in jobs[j][level[j]]:
            flows[number], owner[number], left[number] = path, j, bits
            open_[j] += 1
            number += 1

    for j, levels in enumerate(jobs):
        if levels:
            begin(j)
    while None in first:
        rates = rates_of(flows, capacity)
        step = min(left[n] / rates[n] for n in flows)
        now += step
        for n in list(flows):
            left[n] -= step * rates[n]
            if left[n] == 0:
                del flows[n]
                open_[owner[n]] -= 1
        for j, levels in enumerate(jobs):
            if levels and not open_[j]:
                level[j] += 1
                if level[j] == len(levels):
                    level[j] = 0
                    first[j] = now if first[j] is None else first[j]
                begin(j)
    return [float(t) for t in first]


def main():
    result = json.load(open(sys.argv[1]))
    fabric = Fabric(sys.argv[2])
    pattern, capacity = sys.argv[4], fractions.Fraction(sys.argv[5]) * 10**9
    jobs = [(line.split()[0], line.split()[1].split(",") if len(line.split()) > 1 else []) for line in open(sys.argv[3])]
    bits = fractions.Fraction(8 * int(result["bytes"]))
    paths = [[[tuple(fabric.route(hosts[s], hosts[r])) for s, r in level] for level in LEVELS[pattern](len(hosts)) if level]
             if len(hosts) > 1 else [] for _, hosts in jobs]
    alone = [run([levels], bits, capacity)[0] for levels in paths]
    wrong = 0

    def same(what, got, want):
        nonlocal wrong
        if (got is None) != (want is None) or (want is not None and abs(got - want) > 1e-6 * abs(want)):
            print("%s: %s, not %s" % (what, got, want))
            wrong += 1

    together = run(paths, bits, capacity)
    for j, found in enumerate(result["jobs"]):
        sends = bool(paths[j])
        same(jobs[j][0] + " alone", found["seconds"]["alone"], alone[j] if sends else None)
        same(jobs[j][0] + " together", found["seconds"]["together"], together[j] if sends else None)
        same(jobs[j][0], found["slowdown"], together[j] / alone[j] if sends else None)
    index = {name: j for j, (name, _) in enumerate(jobs)}
    for pair in result["pairs"]:
        a, b = index[pair["a"]], index[pair["b"]]
        beside = run([paths[a], paths[b]], bits, capacity)
        same("%s beside %s" % (pair["a"], pair["b"]), pair["slowdown_a"], beside[0] / alone[a])
        same("%s beside %s" % (pair["b"], pair["a"]), pair["slowdown_b"], beside[1] / alone[b])
    print("%d jobs and %d pairs compared in time, %d numbers differ" % (len(jobs), len(result["pairs"]), wrong))
    return bool(wrong)


sys.exit(main())
