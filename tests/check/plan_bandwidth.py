"""What differences from a plan cost in bandwidth: plan_bandwidth.py BIN_DIR FABRICS

Random two-level trees as planned, and as found with missing, miswired, slow and unplanned cables. The bandwidths that orcs-check prints must
be those of "orcs -R minhop" on the fabric as planned and as found; the cost of each difference that of the fabric with this one alone."""
import json
import os
import random
import subprocess
import sys
import tempfile

BIN = sys.argv[1]
RUNS = 4000


def write(path, cables, hosts):
    """ibnetdiscover's output. cables: (node, port, node, port, speed)."""
    ends = {}
    for a, p, b, q, speed in cables:
        ends.setdefault(a, []).append((p, b, q, speed))
        ends.setdefault(b, []).append((q, a, p, speed))
    name = lambda n: ("H-%016x" if n in hosts else "S-%016x") % (0x100 + 16 * n)
    with open(path, "w") as f:
        for n in sorted(ends, key=lambda n: n in hosts):
            f.write('%s=0x%x\n%s\t%d "%s"\t# "node%d"%s\n' % (
                ("caguid", 0x100 + 16 * n, "Ca", 1, name(n), n, "") if n in hosts else
                ("switchguid", 0x100 + 16 * n, "Switch", 40, name(n), n, " base port 0 lid %d lmc 0" % (n + 1))))
            for p, peer, q, speed in sorted(ends[n]):
                guid = "(%x)" % (0x101 + 16 * n) if n in hosts else ""
                lid = "# lid %d lmc 0 " % (n + 1) if n in hosts else "# "
                f.write('[%d]%s\t"%s"[%d]\t\t%s"node%d" lid %d 4x%s\n' % (p, guid, name(peer), q, lid, peer, peer + 1, speed))
            f.write("\n")


def bandwidth(path):
    done = subprocess.run([os.path.join(BIN, "orcs"), "--quiet", "-R", "minhop", "-n", str(RUNS), "--unroutable", "drop", "--metric", "hist_acc_band", "--format",
                           "json", path], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["metrics"]["hist_acc_band"]["mean"]


def ends(cable):
    return {(int(cable[k].split("node")[1]), cable[k + "_port"]) for k in ("from", "to")}


def main():
    passed = failed = significant = 0
    with tempfile.TemporaryDirectory() as folder:
        plan, found, alone = (os.path.join(folder, name) for name in ("plan", "found", "alone"))
        for seed in range(int(sys.argv[2])):
            r = random.Random(seed)
            leaves, spines, each = r.randrange(4, 7), r.randrange(2, 5), r.randrange(3, 7)
            hosts = set(range(leaves + spines, leaves + spines + leaves * each))
            cables = [(leaves + spines + i * each + k, 1, i, 1 + k, "EDR") for i in range(leaves) for k in range(each)]
            trunk = [(i, 20 + s, leaves + s, 1 + i, "EDR") for i in range(leaves) for s in range(spines)]
            missing, slow, one, two, twin = r.sample(trunk, 5)
            while one[0] == two[0] or one[2] == two[2]:
                missing, slow, one, two, twin = r.sample(trunk, 5)
            # each difference: what of the plan goes, and what comes in its place
            edits = [([missing], []), ([slow], [slow[:4] + ("SDR",)]), ([one], [one[:2] + two[2:]]), ([two], [two[:2] + one[2:]]), ([], [twin[:1] + (35, twin[2], 35, "EDR")])]
            change = lambda some: [c for c in cables + trunk if not any(c in gone for gone, _ in some)] + [c for _, came in some for c in came]
            write(plan, change([]), hosts)
            write(found, change(edits), hosts)
            done = subprocess.run([os.path.join(BIN, "orcs-check"), "--quiet", "--format", "json", "--plan", plan, found], capture_output=True, text=True)
            result = json.loads(done.stdout)["plan"]
            wanted = bandwidth(plan)
            checks = [("planned", result["bandwidth"]["planned"], wanted, 0.04), ("found", result["bandwidth"]["found"], bandwidth(found), 0.04)]
            for gone, came in edits:
                if gone == [one] or gone == [two]:  # alone, its new end has another port
                    came = [came[0][:3] + (30,) + came[0][4:]]
                write(alone, change([(gone, came)]), hosts)
                port = (gone or came)[0]
                cost = [d["bandwidth"] for d in result["differences"] if ends(d.get("planned") or d["found"]) == {port[:2], port[2:4]}]
                share = cost[0] if len(cost) == 1 else dict.fromkeys(("lost", "low", "high"), float("nan"))
                checks.append((str(port), share["lost"], 1 - bandwidth(alone) / wanted, 0.005 + 1.3 * (share["high"] - share["low"])))
                significant += share["low"] > 0
            for what, got, real, within in checks:
                if abs(got - real) <= within:
                    passed += 1
                else:
                    failed += 1
                    print("FAILED: fabric %d, %s: %.4f, not %.4f" % (seed, what, got, real))
    failed += not significant
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0 or not passed


sys.exit(main())
