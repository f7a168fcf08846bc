"""Random command lines for the built programs:

    command_lines.py BIN_DIR [NUMBER...]

Options come from --help=all, their values from lists below, where there is a sensible one, or are anything. COMMAND_LINES (2000; 500
under sanitizers) are tried, those of COMMAND_LINES_SEED (1); with numbers only these, and they are shown. A failure is: an end by a signal, a report of a
sanitizer, a status that the program's --help does not have, anything but one line on standard error with status 2, an error without a
word, files that are left behind when the program fails or that nobody named, and inputs that were changed.
"""
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

os.environ["ORCS_SCRIPTS"] = "/nowhere"  # where OpenSM would be started
SECONDS = 20  # then the command is asked to end: some of them are meant to take long
GRACE = 60  # and must have ended then
MEMORY = 4 << 30  # bytes, but under sanitizers, which reserve all addresses

NUMBERS = "0 1 2 3 4 5 7 8 16 100".split()
STRANGE = ["", "-", "--", "-1", "0x10", "1e3", "1e308", "1e400", "nan", "inf", "99999999999999999999", "4294967295", "18446744073709551616",
           " 1", "1 ", "1,", ",", ":", "=", "x", "a:b:c", "%s%n%d", "'", '"', "\\", "*", "caf\u00e9", "\t", "two\nlines", "\x1b[31m", "x" * 300,
           "../..", "/nowhere/at/all", ".", "file:", "file:nowhere", "-p", "--help", "0.5", "50%", "1:2", "4x4", "4x-4", "1/0"]
SPECS = ["torus:3x3", "torus:4x4,hosts=2", "fattree:k=2,n=3", "fattree:4,2", "dragonfly:p=1,a=2,h=1", "slimfly:q=3", "ring:5,oneway", "star:3",
         "bcube:2,1", "dcell:n=2,k=1", "hyperx:3x2,hosts=2", "leafspine:leaves=2,spines=2,hosts=2", "jellyfish:8,4,3", "mesh:2x2",
         "torus:3x3/fullmesh:2,hosts=1", "torus:3x3,hosts=direct", "graph:cables", "kautz:2,2", "hypercube:3,parallel=2"]
FILES = ["fabric.dot", "unrouted.dot", "broken.dot", "empty", "fabric.orcsb", "fabric.dot.gz", "cut.dot.gz", "fabric.routes", "hosts", "trace",
         "goal", "topology.txt", "lfts.txt", "cables", "nowhere", ".", "folder", "-"]


def with_numbers(rng, word):
    """A name that ends with a colon has parameters."""
    if not word.endswith(":"):
        return word
    return word + rng.choice(["1", "2", "3", "4", "8", "2,3", "4x4", "2x2x2", "1,2,3", "10,20,70", "x", "0", "fabric.dot", "trace", "goal"] + ["jobs.queue", "log.swf"] * (word == "queue:") + ["chain"] * 9 * (word == "markov:")
                             + ["tp=2,pp=2", "tp=2,dp=2,layers=4,compute=1us", "pp=4,layers=4"] * 5 * (word == "train:"))


def listed(kind):
    """What orcs --list has; names that take parameters end with a colon."""
    text = subprocess.run([os.path.join(sys.argv[1], "orcs"), "--list=" + kind], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  ([^ :[]+)([:[]*)", text, re.MULTILINE)
    return sorted({name + (":" if colon == ":" else "") for name, colon in names} | {name + ":" for name, colon in names if colon})


PATTERNS, METRICS, TOPOLOGIES = listed("patterns"), [m for m in listed("metrics") if not m.endswith(":")], listed("topologies")
ROUTINGS, PACKET = listed("routings"), listed("packet-routings")
TIMES = ["0", "1us", "20ns", "1e-6", "3", "100ps"]
SIZES = ["1", "64", "1k", "2048", "64k", "1M"]
RATES = ["10G", "100e9", "1e12", "400G"]
OUTPUTS = ["out", "out.dot", "out.svg", "out.png", "-", "out.csv"]

VALUES = {  # by the option's name; lists, or functions of the generator
    "pattern": lambda r: with_numbers(r, r.choice(PATTERNS)), "patterns": lambda r: with_numbers(r, r.choice(PATTERNS)),
    "first-pattern": lambda r: with_numbers(r, r.choice(PATTERNS)), "second-pattern": lambda r: with_numbers(r, r.choice(PATTERNS)),
    "metric": lambda r: ",".join(r.sample(METRICS, r.choice([1, 1, 1, 2, 3]))).replace("get_cable_cong", r.choice(["get_cable_cong", "get_cable_cong:out2"])),
    "routing": lambda r: with_numbers(r, r.choice(ROUTINGS)), "reroute": lambda r: r.choice(["as-is:repair", "minhop:repair", "updn"] + [with_numbers(r, x) + r.choice(["", "", ":repair", ":scratch"]) for x in ROUTINGS]),
    "packet-routing": lambda r: with_numbers(r, r.choice(PACKET)), "traffic": lambda r: with_numbers(r, r.choice(PATTERNS)),
    "engine": ["flow", "packet", "latency", "congestion", "null"], "engines": ["nosuch", "minhop,nosuch", ""],
    "injection": ["bernoulli", "poisson", "periodic", "onoff:5"], "load": ["0.1", "0.2,0.5", "0.1:0.3:0.1"], "sweep": ["load=0.1", "load=0.1,0.2", "bytes=4,4k", "bytes=4:128k:x8", "interarrival=10us"],
    "sizes": ["websearch", "uniform:1,9k", "uniform:5,4", "file:chain", "nosuch"],
    "interarrival": ["5us", "20us,10us", "1ns"],
    "runs": ["1", "2", "5", "20"], "precision": ["0.1", "0.5"], "seed": NUMBERS, "ranks": NUMBERS + ["out11.csv"],
    "subset": ["linear_bfs", "file_order", "rand", "guid_asc", "guid_desc", "file:hosts"], "mapping": ["random", "linear", "file:hosts"],
    "fail-if": ["bw<0.5", "bw>0", "hist_acc_band.mean>=2", "makespan<1", "nosuch<1"], "fail-at": ["1us:S0:1", "0:leaf0:1", "1ms:S0_0:2", "5:H0:1", "2us:S1"],
    "format": ["text", "json", "csv", "svg"], "palette": ["green-red", "viridis", "cividis"], "scale": ["relative", "absolute", "absolute:2"],
    "multipath": ["first", "random", "split"], "unroutable": ["error", "drop"], "sync": ["level", "data"], "priority": ["none", "strict", "share:50,50"],
    "allocator": ["output", "input"], "arbiter": ["round-robin", "matrix", "age", "priority", "lane"], "qps": ["pair", "one"], "qp-burst": NUMBERS, "congestion-control": ["ib", "dcqcn", "ib:threshold=15,marking=0,by=sl", "ib:min=9", "dcqcn:kmin=0,cnp=1"], "header": ["rc", "ud", "roce", "26+16", "1"], "credit-block": SIZES, "preset": ["edr", "hdr", "ndr"], "virtual-lanes": NUMBERS + ["2/4", "1/2/1"], "speedup": NUMBERS, "internal-rate": ["1", "1.5", "7", "0.5"],
    "service-level": NUMBERS, "qos-sl2vl": ["0,1,2,3", "0", "15,1,0", "0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7"], "qos-vlarb-high": ["0:32", "1:32,0:0", "1:255"],
    "qos-vlarb-low": ["0:32,1:64", "0:1,1:1,2:1,3:1", "0:0"], "qos-high-limit": ["0", "6", "255"],
    "mtu": SIZES, "buffer": SIZES + ["8k/16k", "8k/8k/8k/8k"], "bytes": SIZES, "eager": SIZES, "rts-size": SIZES, "route-memory": ["1", "1M", "1G"],
    "capacity": RATES, "memory-capacity": RATES, "injection-rate": RATES, "delivery-rate": RATES, "latency": TIMES, "warmup": ["1us"], "measure": ["2us"],
    "drain": ["1us"], "routing-delay": TIMES + ["1us/2us"], "arbitration-delay": TIMES + ["0/20ns/1"], "credit-delay": TIMES + ["0/0/0/0"], "injection-latency": TIMES, "delivery-latency": TIMES,
    "scheduler": ["fcfs", "easy", "conservative", "sjf", "fcfs,easy", "conservative,sjf,fcfs"], "allocation": ["linear", "random", "spread", "leaf", "leaf,random"],
    "storage": ["local", "cached:50", "internal:2", "external:1", "external:2,inside=1,any", "san", "nas:H1", "nas:nobody", "tape"],
    "storage-device": ["read=1G", "read=1G,write=2G,controller=3G", "speed=1"], "storage-san": ["link=1G", "read=1G,write=1G"], "queue-pairs": ["1", "4", "257"],
    "job-mapping": ["consecutive", "random", "random,consecutive"], "bounded-slowdown": TIMES, "plot-at": TIMES,
    "list": ["", "patterns", "engines", "nosuch"], "help": ["", "all", "packet", "nosuch"], "node-name-map": FILES, "sl2vl": FILES, "service-levels": FILES + ["0", "dfsssp", "lash", "torus-2qos"], "lmc": ["0", "1", "8"],
    "mpi": ["any", "openmpi", "mpich", "nosuch"],
    "rails": ["separate", "merge", "1"],
    "checkpoint": ["out8"], "resume": ["nowhere", "fabric.dot"], "comment": STRANGE, "output_file": OUTPUTS, "output-file": OUTPUTS, "plot": ["out.svg", "out.txt"], "timeline": ["out3"], "flows": ["out4"], "save-fabric": ["out.orcsb"],
    "graph": ["out5"], "witness": ["out6"], "keep": ["kept"], "original": ["out7"], "input_file": FILES + SPECS, "routes": ["fabric.routes", "out.routes"],
    "require": ["deadlock-free", "reachable,minimal", "nosuch"], "sl": ["0", "3", "all"], "roots": ["S0", "S0_0,S0_1", "spine0"],
    "fail": ["S0", "S0:1", "S0_0:2,S1_1", "each-cable", "each-switch,random:1x2", "random:2x3", "file:failed"],
    "weights": ["weights", "levels"], "choose": NUMBERS, "ranks-per-host": ["1", "2"], "passes": ["1", "2"], "report": ["out9"], "counters": ["out10"], "queues": ["out12", "queues"], "coarsen": ["1", "2", "4"], "regions": ["1", "2", "7"], "threads": ["1", "2", "3"], "at": TIMES,
    "measured": ["counters counters"], "jobs": ["jobs", "jobs", "hosts"], "machine-name": ["H([0-9])", "[", "nobody"], "ports": ["1$", "[", "nobody"], "table": ["jobs", "pairs", "channels"], "fail-links": ["1", "10%", "100%"], "fail-switches": ["1", "20%"], "fail-list": ["hosts", "failed"],
    "speed": ["10", "10/40"], "topology": ["topology.txt"], "lft": ["lfts.txt"], "names": ["hosts", "guid", "desc"], "to": ["ibnetdiscover", "lfts", "lst"],
    "layout": ["layers", "grid", "force", "circle", "blocks", "groups", "lines"], "hosts": ["all", "fold", "none"], "parts": ["worst", "ideal", "worst,ideal"], "levels": ["1", "2"],
    "epsilon": ["0.1", "0.5"], "max-phases": ["10"], "top": ["3"], "first-ranks": NUMBERS, "ptrn_level": NUMBERS, "ptrnarg": NUMBERS,
}
# options that start programs of others, which take their time: seldom
SLOW = {"plot", "saturation"}
PROGRAMS = {  # how often, and what stands without an option
    "orcs": (40, lambda r: [r.choice(FILES + 3 * SPECS + 4 * ["fabric.dot"])]),
    "orcs-route": (15, lambda r: [with_numbers(r, r.choice(ROUTINGS)), r.choice(FILES + 2 * SPECS)]),
    "orcs-topology": (12, lambda r: [r.choice(SPECS + [with_numbers(r, t) for t in TOPOLOGIES])]),
    "orcs-check": (10, lambda r: [r.choice(FILES + SPECS)]),
    "orcs-trace": (5, lambda r: r.choice([["H0", "H1"], ["H0_0", "S1_1"], ["1", "leaf1"], []]) + [r.choice(FILES + SPECS)]),
    "orcs-order": (4, lambda r: ["-p", r.choice(["recdbl", "allshifts", "stencil:2x2", "trace:trace"]), "--passes", "1", r.choice(FILES + SPECS)]),
    "orcs-jobs": (4, lambda r: ["--jobs", r.choice(["jobs"] + FILES), "-p", r.choice(["alltoall", "shift:1", "gather"]), r.choice(FILES + SPECS)]),
    "orcs-advise": (3, lambda r: r.choice([[], ["--measured", "counters", r.choice(["counters"] + FILES)]]) + [r.choice(FILES)]),
    "orcs-report": (4, lambda r: [r.choice(FILES + SPECS)]),
    "orcs-bound": (6, lambda r: [r.choice(FILES + SPECS)]),
    "orcs-compare": (8, lambda r: r.sample(FILES, 2) if r.random() < 0.5 else
                     ["--fail=" + r.choice(VALUES["fail"]), "--reroute=" + VALUES["reroute"](r), r.choice(FILES + 3 * SPECS + ["fabric.dot"])]),
    "orcs-import": (8, lambda r: [r.choice(FILES) for _ in range(r.choice([1, 1, 2]))]),
    "orcs-export": (6, lambda r: [r.choice(FILES + SPECS)]),
    "orcs-record": (2, lambda r: r.choice([[], ["--", "true"], ["--", "true", "x"]])),
    "orcs-draw": (2, lambda r: [r.choice(FILES)]),
}


class Program:
    def __init__(self, folder, name):
        self.path = os.path.join(folder, name)
        text = subprocess.run([self.path, "--help=all"], stdout=subprocess.PIPE, check=True).stdout.decode()
        self.takes = dict(re.findall(r"^ +(?:-., )?--([a-z0-9_-]+)(\[?=)?", text, re.MULTILINE))
        self.options = sorted(self.takes)
        self.states = set(map(int, re.findall(r"\b\d+\b", re.sub(r"\([157]\)", "", text[text.rindex("Exit status:"):]))))


def value(rng, option):
    known = VALUES.get(option, NUMBERS)
    if rng.random() < 0.15:
        return rng.choice(STRANGE + NUMBERS + SPECS + FILES)
    return known(rng) if callable(known) else rng.choice(known)


def make(rng, programs):
    names = list(PROGRAMS)
    name = rng.choices(names, [PROGRAMS[n][0] for n in names])[0]
    program = programs[name]
    words_ = []
    if name == "orcs" and rng.random() < 0.6:
        words_ += ["--engine", rng.choice(VALUES["engine"])]
        if words_[1] == "packet" and rng.random() < 0.7:
            words_ += ["--load", rng.choice(VALUES["load"]), "--warmup=1us", "--measure=2us", "--drain=1us"]
        if words_[1] == "flow" and rng.random() < 0.25:
            words_ += ["-p", "queue:" + rng.choice(["jobs.queue", "jobs.queue", "log.swf", rng.choice(FILES)])]
            words_ += ["--%s=%s" % (o, value(rng, o)) for o in rng.sample(["scheduler", "allocation", "job-mapping"], rng.choice([0, 1, 2]))]
        elif words_[1] == "flow" and rng.random() < 0.2:
            words_ += ["-p", rng.choice(["reads", "writes", "markov:chain", "iterate:2,reads", "rail_ring:2", "rail_tree:2", "moe:2,skew=1"])]
            words_ += ["--%s=%s" % (o, value(rng, o)) for o in rng.sample(["storage", "storage-device", "storage-san", "queue-pairs"], rng.choice([0, 1, 2]))]
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4, 6])):
        option = rng.choice(program.options)
        if option in SLOW and rng.random() < 0.9:
            continue
        takes = program.takes.get(option, "")
        if rng.random() < 0.03:
            takes = "" if takes else "="
        if rng.random() < 0.02:
            option = option[: rng.randrange(1, len(option) + 1)]
        words_.append("--" + option + ("=" + value(rng, option) if takes else ""))
    if rng.random() < 0.95:
        words_ += PROGRAMS[name][1](rng)
    if rng.random() < 0.03:
        words_.insert(rng.randrange(len(words_) + 1), rng.choice(STRANGE))
    return name, [word.replace("\0", "") for word in words_]


def prepare(programs, folder):
    """What the commands read."""
    def run(*command):
        subprocess.run(command, cwd=folder, check=True, stderr=subprocess.DEVNULL)

    def write(name, text):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)

    path = {name: program.path for name, program in programs.items()}
    shutil.copy("examples/fattree16.dot", os.path.join(folder, "fabric.dot"))
    run(path["orcs-topology"], "-o", "unrouted.dot", "jellyfish:8,4,3")
    run(path["orcs"], "--save-fabric", "fabric.orcsb", "fabric.dot")
    run(path["orcs-route"], "--quiet", "--routes", "fabric.routes", "-o", "/dev/null", "ksp:2", "fabric.dot")
    run(path["orcs-export"], "--quiet", "--to", "ibnetdiscover", "-o", "topology.txt", "fabric.dot")
    run(path["orcs-export"], "--quiet", "--to", "lfts", "-o", "lfts.txt", "fabric.dot")
    run("gzip", "-k", "fabric.dot")
    data = open(os.path.join(folder, "fabric.dot.gz"), "rb").read()
    open(os.path.join(folder, "cut.dot.gz"), "wb").write(data[: len(data) // 2])
    write("broken.dot", open(os.path.join(folder, "fabric.dot")).read()[:-20].replace("->", "-", 1))
    write("empty", "")
    write("hosts", "H0\nH1\nH2\nH3\n")
    write("jobs", "12 H[0-3]\n13 H4,H5\n14\n")
    write("weights", "0 1 2.5\n1 0 3\n2 3 0\n")
    write("levels", "0 2\n1 0\n")
    write("counters", "# Port extended counters: Lid 1 port 1 (CapMask: 0x5300)\nPortXmitData:....................7\n")
    write("failed", "S0_0\nS1_1:1\n")
    write("chain", "comp comm=.3 read=.2 write=.2 end=.3\ncomm comp=1\nread comp=1\nwrite comp=1\ncompute exp:1us\ncommunicate shift:1\nread 1k\nwrite 1k\n")
    write("jobs.queue", "0 2 shift:1 estimate=1 compute=1\n0 4 alltoall id=x bytes=1k\n1 1 null compute=2 estimate=3\n")
    write("log.swf", "; a log\n1 0 -1 5 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n2 1 -1 2 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n")
    write("trace", "s 0 1 0 1000\nr 0 1 0 1000\nc 1 0.5\n")
    write("goal", "num_ranks 2\nrank 0 {\nl1: send 10b to 1 tag 0\n}\nrank 1 {\nl1: recv 10b from 0 tag 0\n}\n")
    write("cables", "H1 S1\nH2 S1\nH3 S2\nS1 S2 2\n")
    os.mkdir(os.path.join(folder, "folder"))


def contents(folder):
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder)) if name != "folder"}


def end(process):
    """What the process printed; None if it did not end when it was asked to. Whether it had to be asked."""
    try:
        return process.communicate(timeout=SECONDS), False
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
    try:
        return process.communicate(timeout=GRACE), True
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, True


def judge(program, name, arguments, process, printed, asked, left):
    """What is wrong, "" for nothing."""
    status, said = process.returncode, printed[1].decode(errors="replace")
    if "Sanitizer" in said or "runtime error:" in said:
        return "a sanitizer reports"
    if asked:
        return "" if status in (-signal.SIGTERM, 143, 0, 1, 2, 3, 4) else "status %d when it was asked to end" % status
    if status < 0:
        return "ended by signal %d" % -status
    if status not in program.states:
        return "status %d is not documented" % status
    lines = [line for line in said.splitlines() if not re.search(": (note|warning): ", line)]
    talks = any(re.match("--v|-[a-zA-Z]*v", word) for word in arguments)
    if status == 2 and (not lines or not lines[-1].startswith(name + ": ") or not said.endswith("\n") or (len(lines) > 1 and not talks)):
        return "status 2 without just one line"
    if status == 2 and printed[0]:
        return "status 2, and a result"
    if status in (1, 3) and not said and not (name == "orcs-check" and status == 3):
        return "status %d without a word" % status
    spoken = [c for c in said if (ord(c) < 32 and c != "\n") or ord(c) == 127]
    if spoken and status:
        return "control characters in the error"
    strange = [file for file in left if not any(file in word for word in arguments)]
    if strange:
        return "files that nobody named: %s" % " ".join(strange)
    kept = [file for file in left if not any(word.startswith(("--save-fabric", "--save-f", "--keep")) and file in word for word in arguments)]
    if kept and (status in (1, 2) or (status == 3 and name != "orcs-check")):
        return "files that are left behind: %s" % " ".join(kept)
    return ""


def same_file(path, inode):
    return os.path.exists(path) and os.stat(path).st_ino == inode


def attempt(number, seed, programs, inputs, show):
    rng = random.Random(seed * 1000003 + number)
    name, arguments = make(rng, programs)
    with tempfile.TemporaryDirectory() as folder:
        for file in os.listdir(inputs):
            place = os.path.join(folder, file)
            os.mkdir(place) if file == "folder" else os.link(os.path.join(inputs, file), place)
        before = {file: os.stat(os.path.join(folder, file)).st_ino for file in os.listdir(folder)}
        process = subprocess.Popen([programs[name].path] + arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        printed, asked = end(process)
        left = sorted(set(os.listdir(folder)) - set(before))
        wrong = judge(programs[name], name, arguments, process, printed, asked, left) if printed else "does not end"
        replaced = [file for file, inode in before.items() if not same_file(os.path.join(folder, file), inode)]
    for file in replaced: # it was an output, and nothing else
        named = [word for word in arguments if word == file or word.endswith(("=" + file, ":" + file))]
        if not wrong and (len(named) != 1 or not named[0].startswith("--")):
            wrong = "an input was overwritten: %s" % file
    if wrong or show:
        print("%s %d: %s\n    %s" % ("FAILED:" if wrong else "command", number, wrong, shlex.join([name] + arguments)))
        if printed:
            print("    status %d\n    %s" % (process.returncode, printed[1].decode(errors="replace")[:600].replace("\n", "\n    ")), flush=True)
    return wrong, -1 if asked else process.returncode


def main():
    folder = os.path.abspath(sys.argv[1])
    numbers = [int(word) for word in sys.argv[2:]]
    programs = {name: Program(folder, name) for name in PROGRAMS}
    sanitized = b"__asan_init" in open(programs["orcs-topology"].path, "rb").read()
    count = int(os.environ.get("COMMAND_LINES", 500 if sanitized else 2000))
    seed = int(os.environ.get("COMMAND_LINES_SEED", 1))
    if not sanitized:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.environ.pop("DISPLAY", None)
    with tempfile.TemporaryDirectory() as inputs:
        prepare(programs, inputs)
        before = contents(inputs)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda n: attempt(n, seed, programs, inputs, bool(numbers)), numbers or range(count)))
        changed = [name for name, data in contents(inputs).items() if before.get(name) != data]
    failed = sum(bool(wrong) for wrong, _ in results)
    states = [status for _, status in results]
    print("ends: " + ", ".join("%s %d" % ("asked to" if s == -1 else "status %d" % s, states.count(s)) for s in sorted(set(states))))
    if changed:
        print("FAILED: inputs were changed: %s" % " ".join(changed))
    print("%d passed, %d failed" % (len(results) - failed, failed + bool(changed)))
    return 1 if failed or changed else 0


if __name__ == "__main__":
    sys.exit(main())
