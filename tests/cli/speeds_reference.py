#!/usr/bin/env python3
"""Random fabrics of mixed speeds, and what results of orcs must say of them, written from the definitions.

speeds_reference.py make SEED                        writes a routed graph
speeds_reference.py check GRAPH RESULT NOTES SHIFT   RESULT: hist_max_cong,hist_acc_band of one run of shift:SHIFT, rank i on host i, as
                                                     JSON, split among all routes; NOTES: what orcs said on standard error
"""

import collections
import itertools
import json
import random
import re
import sys

KINDS = {"12x HDR": 600, "4x HDR": 200, "2x HDR": 100, "4x EDR": 100, "4x FDR": 56, "4x DDR": 20, "4x SDR": 10}


def make(seed):
    chance = random.Random(seed)
    switches = ["S%d" % i for i in range(chance.randint(1, 6))]
    hosts = ["H%d" % i for i in range(chance.randint(4, 14))]
    usual = [chance.choice(list(KINDS)) for _ in "ht"]

    def kind(host):
        return usual[not host] if chance.random() < 0.75 else chance.choice(list(KINDS))

    cables = [(s, chance.choice(switches[:i]), kind(False)) for i, s in enumerate(switches) if i]
    cables += [tuple(chance.sample(switches, 2)) + (kind(False),) for _ in range(3) if len(switches) > 1]
    cables += [cables[0][:2] + (kind(False),)] if cables else []
    cables += [(h, chance.choice(switches), kind(True)) for h in hosts]
    cables += [(h, chance.choice(switches), kind(True)) for h in hosts if chance.random() < 0.2]
    out = collections.defaultdict(list)
    for c, (a, b, _) in enumerate(cables):
        out[a].append((c, b))
        out[b].append((c, a))
    lists = collections.defaultdict(list)
    for d in hosts:
        distance, queue = {d: 0}, collections.deque([d])
        while queue:
            v = queue.popleft()
            for _, w in out[v]:
                if w not in distance and (v == d or v in switches):
                    distance[w] = distance[v] + 1
                    queue.append(w)
        for v in distance:
            nearer = [(c, w) for c, w in out[v] if distance.get(w) == distance[v] - 1 and (w == d or w in switches)]
            for c, _ in chance.sample(nearer, min(len(nearer), chance.choice([1, 1, 2]))):
                lists[c, v].append(d)
    print("digraph {")
    for v in hosts + switches:
        print("%s;" % v)
    for c, (a, b, k) in enumerate(cables):
        for v, w in (a, b), (b, a):
            print('%s -> %s [comment="%s", port=%d, peer_port=%d, speed=%d, width="%s"];'
                  % (v, w, ",".join(lists[c, v]), c + 1, c + 1, KINDS[k], k.split()[0]))
    print("}")


Channel = collections.namedtuple("Channel", "tail head hosts cable speed width")


def read(path):
    pattern = r'(\w+) -> (\w+) \[comment="([^"]*)", port=(\d+), peer_port=\d+, speed=(\d+), width="(\d+)x"\];'
    with open(path, encoding="utf-8") as file:
        return [Channel(t, h, set(filter(None, n.split(","))), int(p), int(s), int(w)) for t, h, n, p, s, w in re.findall(pattern, file.read())]


def parts(channels, source, destination):
    """The part of a pair's load on each channel: at each node equal parts for all channels that list the destination."""
    load, at = collections.Counter(), {source: 1.0}
    while at:
        behind = collections.Counter()
        for v, share in at.items():
            ways = [i for i, c in enumerate(channels) if c.tail == v and destination in c.hosts]
            for i in ways:
                load[i] += share / len(ways)
                if channels[i].head != destination:
                    behind[channels[i].head] += share / len(ways)
        at = behind
    return load


def check_shares(channels, result, shift):
    hosts = sorted({c.tail for c in channels if c.tail[0] == "H"}, key=lambda h: int(h[1:]))
    routes = [parts(channels, h, hosts[(i + shift) % len(hosts)]) for i, h in enumerate(hosts)]
    total = sum(routes, collections.Counter())
    weights, shares, rates = collections.Counter(), [], []
    for i, route in enumerate(routes):
        ends = hosts[i], hosts[(i + shift) % len(hosts)]
        alone = min(max(channels[c].speed for c in route if channels[c].tail == ends[0]), max(channels[c].speed for c in route if channels[c].head == ends[1]))
        rate = min(channels[c].speed / total[c] for c in route)
        shares.append(min(1, rate / alone))
        rates.append(rate)
        weights[round(alone / rate, 4)] += 1
    found = collections.Counter()
    for weight, count in result["hist_max_cong"]["weights"].items():
        found[round(float(weight), 4)] += count
    assert found == weights, (found, weights)
    for metric, share, rate in ("hist_max_cong", "bandwidth", "bandwidth_gbps"), ("hist_acc_band", "mean", "mean_gbps"):
        assert abs(result[metric][share] - sum(shares) / len(shares)) < 1e-5, (metric, shares)
        assert abs(result[metric][rate] - sum(rates) / len(rates)) < 1e-4 * sum(rates), (metric, rates)


def check_notes(channels, notes):
    links = {c.cable: c for c in channels}.values()
    names = {(speed, int(k.split("x")[0])): k for k, speed in KINDS.items()}
    counts = collections.Counter((c.speed, c.width) for c in links)
    kinds = ["%d %s" % (counts[k], names[k]) for k in sorted(counts, reverse=True)]
    text = ", ".join(kinds[:6]) + (", %d others" % sum(counts[k] for k in sorted(counts, reverse=True)[6:]) if kinds[6:] else "")
    assert "note: links of different speeds: %s; the result counts the speeds" % text in notes, text

    def is_slow(link):
        def slower(others):
            faster = sum(c.speed > link.speed for c in others)
            return faster and 4 * faster >= 3 * len(others)

        alike = [c for c in links if c is not link and (c.tail[0] == "H" or c.head[0] == "H") == (link.tail[0] == "H" or link.head[0] == "H")]
        if any({c.tail, c.head} == {link.tail, link.head} and c.speed > link.speed for c in alike):
            return True
        beside = [b for b in ([c for c in alike if v in (c.tail, c.head)] for v in (link.tail, link.head)) if b]
        return all(map(slower, beside)) if beside else bool(slower(alike))

    slow = 0
    for (host, _, _), group in itertools.groupby(sorted(links, key=lambda c: ((c.tail + c.head).count("H"), c.speed, c.width)),
                                                 key=lambda c: ((c.tail + c.head).count("H"), c.speed, c.width)):
        here = sum(map(is_slow, group))
        slow += here if here <= 4 or here * 10 <= sum((c.tail + c.head).count("H") == host for c in links) else 0
    found = re.search(r"note: links slower than those beside them: (\d+) ", notes)
    assert (int(found.group(1)) if found else 0) == slow, (slow, notes)


def main():
    if sys.argv[1] == "make":
        make(int(sys.argv[2]))
        return
    channels = read(sys.argv[2])
    with open(sys.argv[3], encoding="utf-8") as file:
        result = json.load(file)
    with open(sys.argv[4], encoding="utf-8") as file:
        notes = file.read()
    differ = len({c.speed for c in channels}) > 1
    assert result.get("speed_aware") == (True if differ else None)
    if differ:
        check_shares(channels, result["metrics"], int(sys.argv[5]))
        check_notes(channels, notes)
    else:
        assert "mean_gbps" not in result["metrics"]["hist_acc_band"] and "different speeds" not in notes


main()
