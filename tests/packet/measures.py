"""What packet runs measure, counted again from other outputs: measures.py CHECK FILE...

ranks RESULT.json RANKS.csv     the sums and means of the ranks are those of the metrics, the links those of link_busy
groups RESULT.json WIDTHS       tiers, dimensions, directions and their histograms, from the channels (names S1_2 and H1_2_3), WIDTHS as 4x3
queues RESULT.json QUEUES.csv   moments and congestion trees, from the samples
"""
import csv
import json
import math
import re
import sys


def near(a, b, what, relative=1e-6, absolute=1e-9):
    if not abs(a - b) <= relative * max(abs(a), abs(b)) + absolute:
        sys.exit("%s: %r is not %r" % (what, a, b))


def ranks(result, table):
    metrics = json.load(open(result))["metrics"]
    rows = list(csv.DictReader(open(table, newline="")))
    if [int(r["rank"]) for r in rows] != sorted({int(r["rank"]) for r in rows}):
        sys.exit("the ranks are not in order")
    unit = "flits" if "sent_flits" in rows[0] else "bytes"
    time = "cycles" if unit == "flits" else "seconds"
    number = lambda row, key: float(row[key.replace("bytes", unit).replace("seconds", time)] or "nan")
    total = lambda key: sum(number(r, key) for r in rows)
    seconds = number(rows[0], "measured_seconds")
    latency, throughput = metrics["packet_latency"], metrics["packet_throughput"]
    packets = total("packets")
    near(packets, latency["packets"], "packets")
    weighed = lambda key: sum(number(r, "packets") * number(r, key) for r in rows if number(r, "packets")) / packets
    near(weighed("hops"), latency["hops"], "hops")
    near(weighed("latency_seconds"), latency["mean"], "mean latency")
    near(total("accepted_bytes"), total("received_bytes"), "accepted and received", 0, 0)
    near(total("accepted_bytes") * (8 if unit == "bytes" else 1) / seconds, throughput["bits"], "accepted")
    for r in rows:
        if number(r, "packets") and not number(r, "latency_p99_seconds") * (1 + 1 / 64) >= number(r, "latency_seconds"):
            if number(r, "packets") < 1000:
                continue
            sys.exit("rank %s: the 99%% quantile is below the mean" % r["rank"])
    if throughput["load"] is not None:
        sends = [r for r in rows if number(r, "sent_bytes") > 0]
        share = [number(r, "accepted_bytes") for r in sends]
        whole = sum(share) / len(share) / throughput["accepted"]
        near(min(share) / whole, throughput["accepted_min"], "least")
        near(max(share) / whole, throughput["accepted_max"], "most")
        near(sum(share) ** 2 / (len(share) * sum(s * s for s in share)), throughput["fairness"], "Jain's index")
    if "link_busy" in metrics:
        links(metrics["link_busy"]["channels"], rows, seconds, number)


def links(channels, rows, seconds, number):
    for r in rows:
        for end, busy, blocked in (("from", "busy", "blocked"), ("to", "busy_in", "blocked_in")):
            own = [c for c in channels if c[end] == r["host"]]
            near(sum(c["busy"] for c in own) / len(own), number(r, busy), "%s of %s" % (busy, r["host"]))
            near(sum(c["blocked"] for c in own) / len(own), number(r, blocked), "%s of %s" % (blocked, r["host"]))


def place(name, dimensions):
    return [int(n) for n in re.findall(r"\d+", name)][:dimensions]


def groups(result, widths):
    busy = json.load(open(result))["metrics"]["link_busy"]
    widths = [int(w) for w in widths.split("x")]
    of_tier, of_way = {}, {}
    for c in busy["channels"]:
        hosts = c["from"].startswith("H") or c["to"].startswith("H")
        a, b = place(c["from"], len(widths)), place(c["to"], len(widths))
        inner = a == b and not hosts
        nested = any(x["from"][0] == x["to"][0] == "S" and place(x["from"], len(widths)) == place(x["to"], len(widths)) for x in busy["channels"])
        tier = 0 if hosts else 1 if inner else 1 + nested
        of_tier.setdefault((tier,), []).append((c["busy"], c["blocked"]))
        for i, width in enumerate(widths):
            if a[i] != b[i]:
                up = (b[i] - a[i]) % width == 1 if width > 2 else b[i] > a[i]
                of_way.setdefault((i + 1, 1 if up else -1), []).append((c["busy"], c["blocked"]))
    compare(busy["tiers"], busy["tier_histogram"], ["tier"], of_tier)
    compare(busy["dimensions"], busy["dimension_histogram"], ["dimension", "direction"], of_way)


def compare(shares, histogram, names, expected):
    found = {tuple(s[n] for n in names): s for s in shares}
    if sorted(found) != sorted(expected):
        sys.exit("groups %s are not %s" % (sorted(found), sorted(expected)))
    for group, channels in expected.items():
        for i, what in enumerate(("busy", "blocked")):
            values = [c[i] for c in channels]
            near(sum(values) / len(values), found[group][what], "%s of %s" % (what, group))
            near(max(values), found[group][what + "_max"], "most %s of %s" % (what, group))
            count = [0] * 20
            for v in values:
                count[min(int(20 * v), 19)] += 1
            told = [0] * 20
            for h in histogram:
                if tuple(h[n] for n in names) == group:
                    told[round(20 * h["from"])] += h[what]
            if told != count:
                sys.exit("%s of %s: %s is not %s" % (what, group, told, count))


def queues(result, table):
    found = json.load(open(result))["metrics"]["packet_queues"]
    moments = {}
    for r in csv.DictReader(open(table, newline="")):
        moments.setdefault(float(r["time_seconds"]), [])
        if r["channel"]:
            moments[float(r["time_seconds"])].append(r)
    times = sorted(moments)
    if not 1 <= len(times) < 128 or any(abs(t - (i + 1) * times[0]) > 1e-8 * t for i, t in enumerate(times)):
        sys.exit("the moments are not at equal intervals")
    roots = {}
    for told, time in zip(found["moments"], times):
        rows = {int(r["channel"]): r for r in moments[time]}
        full = {c for c, r in rows.items() if r["full"] == "1"}
        size = {}
        for c in full:
            seen, at = set(), c
            while at is not None and at in full and at not in seen:
                seen.add(at)
                at = int(rows[at]["next"]) if rows[at]["next"] else None
            if at is not None and at not in full:
                size[at] = size.get(at, 0) + 1
        for root, n in size.items():
            ends = roots.setdefault(root, {"first": time, "sum": 0, "most": 0})
            ends["sum"] += n
            ends["last"] = time
            ends["most"] = max(ends["most"], n)
        near(told["time"], time, "time", 1e-8)
        near(told["held"], sum(int(r["held_bytes"]) for r in rows.values()), "held", 0, 0)
        near(told["full"], len(full), "full", 0, 0)
        near(told["trees"], len(size), "trees", 0, 0)
        near(told["largest_tree"], max(size.values(), default=0), "largest tree", 0, 0)
        if any(int(r["held_bytes"]) > int(r["buffer_bytes"]) for r in rows.values()):
            sys.exit("more held than the buffers have")
    if len(found["moments"]) != len(times):
        sys.exit("%d moments are not %d" % (len(found["moments"]), len(times)))
    near(found["held"], max(m["held"] for m in found["moments"]), "held, at most", 0, 0)
    near(found["full"], max(m["full"] for m in found["moments"]), "full, at most", 0, 0)
    expected = sorted((-r["sum"], c) for c, r in roots.items())[:10]
    if len(found["trees"]) != len(expected):
        sys.exit("%d trees are not %d" % (len(found["trees"]), len(expected)))
    for tree, (total, root) in zip(found["trees"], expected):
        near(tree["channel_time"], -total * times[0], "channels x time", 1e-4)
        near(tree["begins"], roots[root]["first"], "begins", 1e-4)
        near(tree["ends"], roots[root]["last"], "ends", 1e-4)
        near(tree["largest"], roots[root]["most"], "largest", 0, 0)


if __name__ == "__main__":
    {"ranks": ranks, "groups": groups, "queues": queues}[sys.argv[1]](*sys.argv[2:])
