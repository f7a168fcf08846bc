"""What orcs-bound found, held against enumeration: reference.py WHAT ARGUMENTS...

  all FABRIC.dot RESULT.json WITNESS SPEED_AWARE  loads, worst permutation and routed throughput of a fabric of up to 8 hosts, by all
                                                  permutations
  sampled RESULT.json SAMPLED.json TRAFFIC        mean loads of runs of orcs, within four standard errors
  lp FABRIC.dot RESULT.json PERMUTATION           the throughput intervals against exact linear programs, solved by glpsol
  tree FABRIC.dot RESULT.json                     the ideal tree's bandwidth on that tree, by all permutations
  worst K N RESULT.json                           the worst permutation of a k-ary n-tree, by its formula
  torus RESULT.json UNIFORM                       throughput of a pattern as a share of the network's capacity
"""
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile

failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


def near(value, wanted, tolerance=1e-9):
    return abs(value - wanted) <= tolerance * max(1, abs(wanted))


class Fabric:
    """Read from the text of the generator: one node or channel a line."""

    def __init__(self, path):
        self.hosts, self.channels = [], []
        with open(path, encoding="utf-8") as file:
            for line in file:
                edge = re.match(r'\s*(\w+) -> (\w+) \[comment="([^"]*)"(?:, speed="([^"]*)")?\]', line)
                node = re.match(r"\s*(\w+);", line)
                if edge:
                    tail, head, names, speed = edge.groups()
                    self.channels.append((tail, head, set(filter(None, names.split(","))), float(speed or 1)))
                elif node and node.group(1).startswith("H"):
                    self.hosts.append(node.group(1))
        links = [speed for tail, head, _, speed in self.channels if tail in self.hosts or head in self.hosts]
        self.speed = [c[3] / min(links) for c in self.channels]
        self.differ = len(set(self.speed)) > 1
        self.n = len(self.hosts)
        self.routes = {}
        for pair in itertools.permutations(range(self.n), 2):
            route = self.route(*pair)
            if route:
                self.routes[pair] = route

    def route(self, source, destination):
        """The numbers of its channels, None if there is no route."""
        at, path = self.hosts[source], []
        while at != self.hosts[destination]:
            i = next((i for i, c in enumerate(self.channels) if c[0] == at and self.hosts[destination] in c[2]), None)
            if i is None or i in path:
                return None
            path.append(i)
            at = self.channels[i][1]
        return path

    def loads(self, pairs):
        load = [0] * len(self.channels)
        for s, d in pairs:
            for i in self.routes.get((s, d), []):
                load[i] += 1
        return load

    def alone(self, pair):
        """What a pair could send alone, by the fastest links of its hosts."""
        sender, receiver = (self.hosts[h] for h in pair)
        out = [v for (tail, *_), v in zip(self.channels, self.speed) if tail == sender]
        into = [v for (_, head, *_), v in zip(self.channels, self.speed) if head == receiver]
        return min(max(out, default=0), max(into, default=0))

    def weighed(self, pairs):
        load = [0] * len(self.channels)
        for pair in pairs:
            for i in self.routes.get(tuple(pair), []):
                load[i] += self.alone(pair)
        return load


def match_channels(fabric, result):
    """Index of each channel of the result in the fabric: by its ends, parallel ones in the order in which both list them."""
    seen, index = {}, {}
    for i, (tail, head, _, _) in enumerate(fabric.channels):
        index[tail, head, seen.setdefault((tail, head), 0)] = i
        seen[tail, head] += 1
    seen, places = {}, []
    for channel in result["channels"]:
        ends = channel["from"], channel["to"]
        places.append(index[ends[0], ends[1], seen.get(ends, 0)])
        seen[ends] = seen.get(ends, 0) + 1
    return places


def pairs_of(order, traffic):
    n = len(order)
    if traffic == "rand":
        return list(enumerate(order))
    forward = [(order[2 * i + 1], order[2 * i]) for i in range(n // 2)]
    return forward if traffic == "bisect" else forward + [(d, s) for s, d in forward]


def read_witness(path):
    with open(path, encoding="utf-8") as file:
        return [tuple(int(w) for w in line.split()[1:3]) for line in file if not line.startswith("#")]


def check_all(dot, result_path, witness_path, speed_aware):
    fabric, result = Fabric(dot), json.load(open(result_path, encoding="utf-8"))
    places, differ = match_channels(fabric, result), fabric.differ
    if speed_aware != "1":
        fabric.speed = [1] * len(fabric.channels)
    divide = fabric.speed
    expect(result["speed_aware"] == (differ and speed_aware == "1"), "speed_aware")
    everything = fabric.loads(fabric.routes)
    expect(result["unreachable"] == fabric.n * (fabric.n - 1) - len(fabric.routes), "unreachable")
    for channel, i in zip(result["channels"], places):
        expect(channel["routes"] == everything[i], f"routes of {channel}: {everything[i]}")
        users = [pair for pair, route in fabric.routes.items() if i in route]
        expect(channel["sources"] == len({s for s, d in users}), f"sources of {channel}")
        expect(channel["destinations"] == len({d for s, d in users}), f"destinations of {channel}")
    expect(result["all_to_all"]["max_load"] == max(everything) or speed_aware == "1", "max_load")
    expect(near(result["all_to_all"]["completion"], max(e / s for e, s in zip(everything, divide))), "completion")
    orders = list(itertools.permutations(range(fabric.n)))
    worst = 0
    for traffic in ("bisect", "bisect_fb_sym", "rand"):
        sums, squares = [0] * len(everything), [0] * len(everything)
        for order in orders:
            load = fabric.loads(pairs_of(order, traffic))
            for i, x in enumerate(load):
                if x:
                    sums[i] += x
                    squares[i] += x * x
            if traffic == "rand":
                worst = max(worst, max(x / s for x, s in zip(load, divide)))
        for channel, i in zip(result["channels"], places):
            mean = sums[i] / len(orders) / divide[i]
            variance = squares[i] / len(orders) / divide[i] ** 2 - mean**2
            expect(near(channel["expected"][traffic], mean), f"{traffic} of {channel}: mean {mean}")
            expect(near(channel["variance"][traffic], variance), f"{traffic} of {channel}: variance {variance}")
            if traffic == "bisect":  # the routes that those on the channel meet there, one by one
                met = (squares[i] - sums[i]) / sums[i] if sums[i] else None
                expect(channel["rivals"] == met or near(channel["rivals"], met), f"rivals of {channel}: {met}")
    found = result["worst_permutation"]
    expect(near(found["load"], worst), f"worst permutation {found}: {worst}")
    witness = read_witness(witness_path)
    expect(len({s for s, d in witness}) == len(witness) == len({d for s, d in witness}), "the witness is no permutation")
    load = fabric.loads(witness)
    at = places[found["channel"]["id"]]
    expect(load[at] == found["congestion"], f"the witness puts {load[at]} on the channel of {found}")
    expect(near(max(x / s for x, s in zip(load, divide)), worst), "the witness is not the worst")
    throughput = result["throughput"]
    weighed = fabric.weighed(fabric.routes)
    routed = min(s * (fabric.n - 1) / x for x, s in zip(weighed, fabric.speed) if x)
    expect(near(throughput["routed"], routed), f"routed {throughput['routed']}: {routed}")
    expect(throughput["lower"] >= routed * (1 - 1e-12), "what is routed is possible")
    routed = min((s / x for x, s in zip(fabric.weighed(witness), fabric.speed) if x), default=None)
    expect(near(found["throughput"], routed), f"routed {found['throughput']}: {routed}")


def check_sampled(result_path, sampled_path, traffic):
    result, sampled = (json.load(open(path, encoding="utf-8")) for path in (result_path, sampled_path))
    runs = sampled["runs"]
    rows = sampled["metrics"]["get_cable_cong"]["channels"]
    expect(len(rows) == len(result["channels"]), "number of channels")
    for row, channel in zip(rows, result["channels"]):
        expect((row["from"], row["to"]) == (channel["from"], channel["to"]), "order of channels")
        error = math.sqrt(channel["variance"][traffic] / runs)
        away = abs(row["sum"] / runs - channel["expected"][traffic])
        expect(away <= 4 * error + 1e-12, f"{traffic} of {channel}: {row['sum'] / runs} in {runs} runs")


def solve(fabric, demands):
    """The largest share of all demands {(s, d): amount} that can be routed at once; hosts forward if some route makes them."""
    forward = any(fabric.channels[i][1] in fabric.hosts for route in fabric.routes.values() for i in route[:-1])
    lines = ["Maximize", " obj: z", "Subject To"]
    edges = range(len(fabric.channels))
    sources = sorted({s for s, d in demands})
    nodes = {c[0] for c in fabric.channels} | {c[1] for c in fabric.channels}

    def usable(source, i):
        tail = fabric.channels[i][0]
        return forward or tail not in fabric.hosts or tail == fabric.hosts[source]

    for s in sources:
        amount = {fabric.hosts[d]: a for (x, d), a in demands.items() if x == s}
        for node in nodes:
            if node == fabric.hosts[s]:
                continue
            terms = [f"+ f{s}_{i}" for i in edges if fabric.channels[i][1] == node and usable(s, i)]
            terms += [f"- f{s}_{i}" for i in edges if fabric.channels[i][0] == node and usable(s, i)]
            if node in amount:
                terms.append(f"- {amount[node]!r} z")
            if terms:
                lines.append(" " + " ".join(terms) + " = 0")
    for i in edges:
        terms = [f"+ f{s}_{i}" for s in sources if usable(s, i)]
        if terms:
            lines.append(" " + " ".join(terms) + f" <= {fabric.speed[i]!r}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "flow.lp")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines + ["End", ""]))
        subprocess.run(["glpsol", "--lp", path, "-o", path + ".out"], stdout=subprocess.DEVNULL, check=True)
        with open(path + ".out", encoding="utf-8") as file:
            text = file.read()
    expect(re.search(r"Status:\s+OPTIMAL", text), "glpsol found no optimum")
    return float(re.search(r"Objective:\s+obj = (\S+)", text).group(1))


def check_interval(found, exact, epsilon, text):
    low, high = found["lower"], found["upper"]
    expect(low <= exact * (1 + 1e-6) and exact <= high * (1 + 1e-6), f"{text}: {low} .. {high} without {exact}")
    expect(high <= low * (1 + epsilon) * (1 + 1e-9), f"{text}: {low} .. {high} is too wide")


def check_lp(dot, result_path, witness_path):
    fabric, result = Fabric(dot), json.load(open(result_path, encoding="utf-8"))
    if not result["speed_aware"]:
        fabric.speed = [1] * len(fabric.channels)
    found = result["throughput"]
    uniform = {pair: fabric.alone(pair) / (fabric.n - 1) for pair in fabric.routes}
    check_interval(found, solve(fabric, uniform), found["epsilon"], "all-to-all")
    permutation = {pair: fabric.alone(pair) for pair in read_witness(witness_path) if pair in fabric.routes}
    check_interval(found["worst_permutation"], solve(fabric, permutation), found["epsilon"], "worst permutation")


def check_tree(dot, result_path):
    """Mean over all mappings of the mean bandwidth of the pairs of a run: routes and weights from the tree itself."""
    fabric, ideal = Fabric(dot), json.load(open(result_path, encoding="utf-8"))["ideal"]
    expect(ideal["exact"], "the tree is full, and its ideal not exact")
    for traffic in ("bisect", "bisect_fb_sym"):
        total = runs = 0
        for order in itertools.permutations(range(fabric.n)):
            pairs = pairs_of(order, traffic)
            load = fabric.loads(pairs)
            total += sum(1 / max(load[i] for i in fabric.routes[pair]) for pair in pairs) / len(pairs)
            runs += 1
        expect(near(ideal[traffic], total / runs, 1e-12), f"{traffic}: {ideal[traffic]}, not {total / runs}")


def check_worst(k, n, result_path):
    found = json.load(open(result_path, encoding="utf-8"))["worst_permutation"]["congestion"]
    wanted = max(min(int(k) ** i, int(k) ** (int(n) - i) - 1) for i in range(int(n)))
    expect(found == wanted, f"congestion {found}, not {wanted}")


def check_torus(result_path, wanted):
    """wanted: "worst=0.25 pattern=0.5", shares of the capacity under uniform traffic."""
    result = json.load(open(result_path, encoding="utf-8"))
    low, high = result["throughput"]["capacity"]
    shares = {"worst": result["worst_permutation"]["of_capacity"][0]}
    expect(near(low, 1, 1e-6) and near(high, 1, 1e-6), f"capacity {low} .. {high}")
    if "pattern" in result["throughput"]:
        shares["pattern"] = result["throughput"]["pattern"]["routed"] / high
    for word in wanted.split():
        name, value = word.split("=")
        expect(near(shares[name], float(value), 1e-6), f"{name}: {shares[name]}, not {value}")


if __name__ == "__main__":
    checks = {
        "all": check_all,
        "sampled": check_sampled,
        "lp": check_lp,
        "tree": check_tree,
        "worst": check_worst,
        "torus": check_torus,
    }
    checks[sys.argv[1]](*sys.argv[2:])
    for failure in failures[:5]:
        print(failure)
    sys.exit(bool(failures))
