"""No routing beats what orcs-bound calls the ideal fat tree with the fabric's levels and leaves, but for chance: ideal.py BIN_DIR SHAPES [SEED]

Random XGFTs, full, thin, with channels or parallel cables to spare, whole or with hosts and cables missing, routed by several engines: the mean
effective bandwidth over random mappings is at most the ideal's. That of full trees routed D-mod-K is the ideal's."""
import json
import math
import random
import subprocess
import sys

CHANCE = 4.5 # standard errors; of some hundred means none is so far off
ENGINES = ["dmodk", "ftree-orcs", "minhop-orcs", "updn-orcs", "sssp-orcs", "nue", "lash-orcs"]
PATTERNS = ["bisect", "bisect_fb_sym"]
FULL = ["xgft:4:1/8:4/4:8", "xgft:3:1/2:3/5:2", "xgft:8:1/4:8", "xgft:2:1/5:2/3:5", "fattree:k=3,n=3", "xgft:6:1/2:6/4:2"]


class Program:
    def __init__(self, bin_dir):
        self.bin = bin_dir

    def run(self, name, *arguments, text=None):
        done = subprocess.run(["%s/%s" % (self.bin, name), *arguments], input=text, capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else None

    def measure(self, engine, graph, pattern, runs):
        """(mean, standard error), or None where the engine cannot route it."""
        routed = self.run("orcs-route", "--quiet", engine, text=graph)
        result = routed and self.run("orcs", "--quiet", "-p", pattern, "-n", str(runs), "--metric", "hist_acc_band", "--format", "json", "-", text=routed)
        if not result:
            return None
        found = json.loads(result)["metrics"]["hist_acc_band"]
        return found["mean"], (found["ci95"][1] - found["mean"]) / 1.96

    def ideal(self, graph):
        routed = self.run("orcs-route", "--quiet", "minhop-orcs", text=graph)
        result = routed and self.run("orcs-bound", "--quiet", "--parts=ideal", "--format", "json", "-", text=routed)
        return json.loads(result)["ideal"] if result else None


def drawn_shape(chance):
    """A specification, and how many hosts it has."""
    while True:
        levels = chance.choice([2, 2, 3, 3, 4])
        most = 8 if levels < 4 else 3
        m = [chance.randint(1, 8)] + [chance.randint(1, most) for _ in range(levels - 1)]
        w = [1] + [chance.randint(1, min(most, 6)) for _ in range(levels - 1)]
        p = [1] + [chance.choice([1, 1, 1, 2, 3]) for _ in range(levels - 1)]
        if 4 <= math.prod(m) <= 120 and math.prod(w) <= 50:
            break
    if max(p) > 1:
        return "pgft:" + "/".join("%d:%d:%d" % each for each in zip(m, w, p)), math.prod(m)
    return "xgft:" + "/".join("%d:%d" % each for each in zip(m, w)), math.prod(m)


def drawn_damage(chance, hosts):
    gone = chance.sample(range(hosts), chance.randint(1, hosts // 2)) if chance.random() < 0.4 else []
    return ["--fail=" + ",".join("H%d" % h for h in gone)] * bool(gone) + ["--fail-links=3%"] * (chance.random() < 0.2)


def check_shape(program, spec, damage, engines, equal=False):
    """How many means were compared, and what is wrong; None: the ideal is not the fabric's."""
    graph = program.run("orcs-topology", *damage, spec)
    ideal = graph and program.ideal(graph)
    if not ideal or ideal["tree"] != "fabric":
        return None
    compared, wrong = 0, []
    for engine in engines:
        for pattern in PATTERNS:
            found = program.measure(engine, graph, pattern, 400)
            if not found:
                continue
            compared += 1
            over, slack = found[0] - ideal[pattern], CHANCE * math.hypot(found[1], ideal[pattern + "_error"]) + 1e-9
            if over > slack or (equal and over < -slack):
                wrong.append("%s %s: %s gets %.4f in %s, the ideal %.4f" % (spec, " ".join(damage), engine, found[0], pattern, ideal[pattern]))
    return compared, wrong


def main():
    program, count, chance = Program(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    passed, failures, compared = 0, [], 0
    cases = [(spec, [], ["dmodk"], True) for spec in FULL]
    for _ in range(count):
        spec, hosts = drawn_shape(chance)
        cases.append((spec, drawn_damage(chance, hosts), chance.sample(ENGINES, 4), False))
    for case in cases:
        found = check_shape(program, *case)
        if found:
            compared += found[0]
            failures += found[1]
            passed += not found[1]
        elif case[3]:
            failures.append("%s: the ideal is not that of the fabric" % case[0])
    if compared < 4 * count:
        failures.append("only %d means were compared" % compared)
    print("\n".join("FAILED: " + f for f in failures))
    print("%d means; %d passed, %d failed" % (compared, passed, len(failures)))
    return bool(failures)


sys.exit(main())
