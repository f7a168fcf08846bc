#!/usr/bin/env python3
"""Completion times of messages in open loops, against queueing theory and closed runs: messages.py BIN_DIR FOLDER [short]

One host that sends to another is a queue with one server: messages of any sizes that come at random wait
rho E[S^2] / (2 (1 - rho) E[S]) on average (Pollaczek, Khinchine), where S is the time of a message.
"""
import json
import subprocess
import sys

BIN = sys.argv[1]
TABLES = {
    "websearch": [(0, 0), (10e3, .15), (20e3, .2), (30e3, .3), (50e3, .4), (80e3, .53), (200e3, .6), (1e6, .7), (2e6, .8), (5e6, .9), (10e6, .97), (30e6, 1)],
    "uniform:1,20k": [(.5, 0), (20000.5, 1)],
}
SHORT = len(sys.argv) > 3  # with the sanitizers
passed = failed = 0


def orcs(*arguments):
    run = subprocess.run([BIN + "/orcs", "--engine", "packet", "-d", "--subset", "file_order", "--quiet", "--format", "json", *arguments],
                         capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(run.stderr)
    return json.loads(run.stdout)


def check(name, good, *why):
    global passed, failed
    passed += good
    failed += not good
    if not good:
        print("FAILED:", name, *why)


def moments(table):
    """The mean and the mean square of a function that is linear between points."""
    mean = square = 0
    for (a, p), (b, q) in zip(table, table[1:]):
        mean += (q - p) * (a + b) / 2
        square += (q - p) * (a * a + a * b + b * b) / 3
    return mean, square


def near(found, wanted, share):
    return abs(found - wanted) <= share * wanted


with open(sys.argv[2] + "/pair", "w") as file:
    file.write("0 0 1\n")
PAIR = "file:" + sys.argv[2] + "/pair"
for sizes, table in TABLES.items():
    mean, square = moments(table)
    near_enough = .12 if sizes == "websearch" else .03
    for load in () if SHORT else (.3, .6):
        time = mean * 8e-10
        seen = orcs("--load", str(load), "-p", PAIR, "--sizes", sizes, "--injection", "poisson", "--warmup", str(500 * time), "--measure", str(25000 * time / load),
                    "--metric", "fct,packet_throughput", "--capacity", "10G", "--latency", "0", "--routing-delay", "0", "star:2")["metrics"]["fct"]
        waits = load * square / (2 * (1 - load) * mean) * 8e-10
        # the last packet goes through one switch more
        wanted = mean * 8e-10 + waits
        check("%s at load %g" % (sizes, load), near(seen["mean"], wanted, near_enough) and seen["slowdown"] > 1, seen["mean"], wanted)
        # broken: the waiting time if all messages had the mean size
        check("%s at load %g, other sizes" % (sizes, load), not near(seen["mean"], mean * 8e-10 * (1 + load / (2 * (1 - load))), near_enough))
        classes = seen["sizes"]
        check("%s: classes" % sizes, sum(c["flows"] for c in classes) == seen["flows"] and
              near(sum(c["flows"] * c["mean"] for c in classes), seen["flows"] * seen["mean"], 1e-9) and
              near(sum(c["flows"] * c["slowdown"] for c in classes), seen["flows"] * seen["slowdown"], 1e-9))
        for c in classes:
            share = sum(max(0, min(q, q if b <= c["upto"] else p + (q - p) * (c["upto"] - a) / (b - a)) - p) for (a, p), (b, q) in zip(table, table[1:]) if a < c["upto"])
            below = sum(k["flows"] for k in classes if k["upto"] <= c["upto"]) / seen["flows"]
            check("%s: up to %g bytes" % (sizes, c["upto"]), abs(below - share) < 5 * (share * (1 - share) / seen["flows"]) ** .5 + 1e-6, below, share)

# messages that meet no other: the time of the closed run, to the picosecond
for fabric, options in (("torus:4x4x2", []), ("fattree:k=4,n=2", ["--header", "26+16"]), ("mesh:3,hosts=2", ["--injection-rate", "20G", "--delivery-rate", "5G"]),
                        ("star:4", ["--store-and-forward", "--mtu", "256"])):
    for to in (1, 3):
        with open(sys.argv[2] + "/pair", "w") as file:
            file.write("0 0 %d\n" % to)
        for size in ("64k",) if SHORT else ("64k", "2048", "2049", "1"):
            closed = orcs("-p", PAIR, "--bytes", size, "--metric", "fct", *options, fabric)["metrics"]["fct"]
            opened = orcs("-p", PAIR, "--bytes", size, "--load", "0.01", "--injection", "periodic", "--warmup", "0", "--measure", "20ms" if size == "64k" else "2ms",
                          "--metric", "fct", *options, fabric)["metrics"]["fct"]
            check("%s to %d, %s bytes, %s" % (fabric, to, size, options), opened["flows"] > 0 and closed["mean"] == opened["min"] == opened["max"] and
                  near(opened["mean"], closed["mean"], 1e-12) and near(opened["slowdown"], closed["slowdown"], 1e-6), closed["mean"], opened)

# several ranks on hosts take turns: what a receiver takes for the size of a message is what its sender drew, else some never end
with open(sys.argv[2] + "/hosts", "w") as file:
    file.write("".join("H%d\n" % h for h in (0, 0, 1, 2, 2, 2, 3, 5)))
run = orcs("-s", "8", "--mapping", "file:" + sys.argv[2] + "/hosts", "--load", "0.2", "--injection", "periodic", "--sizes", "uniform:1k,60k", "--warmup", "1ms",
           "--measure", "60ms", "--metric", "fct,packet_throughput,packet_latency", "star:6")["metrics"]
mean = 30500 * 8e-10
check("several ranks on a host", run["packet_throughput"]["saturated"] == 0 and
      .75 * 5 * .2 * .06 / mean < run["fct"]["flows"] <= 5 * (.2 * .06 / mean + 1), run["fct"]["flows"])

# messages of one packet: those are the packets
for load in ("0.2", "0.7"):
    run = orcs("--load", load, "--bytes", "1500", "--metric", "fct,packet_latency", "--measure", "300us", "torus:4x4")["metrics"]
    check("messages of one packet at " + load, run["fct"]["mean"] == run["packet_latency"]["mean"] and run["fct"]["flows"] == run["packet_latency"]["packets"] and
          all(run["fct"][k] == run["packet_latency"][k] for k in ("p50", "p90", "p99", "max")))
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
