"""Counters beside loads: measured.py BIN_DIR FOLDER

Plants wrong table entries and cables at half speed into a fabric, has the flow engine write counters, and expects orcs-advise --measured to
name them first; the same counters in the form of every tool; expected loads and the correlation by a count of its own.
"""
import json
import os
import re
import subprocess
import sys

EDGE = re.compile(r'^\s*"([^"]+)" -> "([^"]+)" \[(.*)\];?$')
VALUE = re.compile(r'(\w+)="([^"]*)"')


def main():
    bin_dir, folder = sys.argv[1:]
    wrong, right = [], 0

    def path(name):
        return os.path.join(folder, name)

    def run(program, *arguments):
        return subprocess.run([os.path.join(bin_dir, program), "--quiet", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout

    def expect(what, holds):
        nonlocal right
        if holds:
            right += 1
        else:
            wrong.append(what)

    def count(graph, name, pattern="alltoall", runs=1):
        run("orcs", "--engine", "flow", "-p", pattern, "--bytes", "1M", "-n", str(runs), "--metric", "link_use", "--counters", path(name), path(graph))

    def measured(before, after):
        return json.loads(run("orcs-advise", "--format", "json", "--measured", path(before), path(after), path("right.dot")))

    def place(channel):
        return channel["from"], str(channel["from_port"]), channel["to"], str(channel["to_port"])

    open(path("right.dot"), "w").write(run("orcs-route", "minhop", "examples/cluster.ibnetdiscover"))
    lines = open(path("right.dot")).read().splitlines()
    edges = {}
    for at, line in enumerate(lines):
        edge = EDGE.match(line)
        if edge:
            values = dict(VALUE.findall(edge.group(3)))
            edges[at] = (edge.group(1), values["port"], edge.group(2), values["peer_port"]), values
    between = {at: e for at, e in edges.items() if not e[0][0].startswith("H") and not e[0][2].startswith("H")}
    count("right.dot", "zero", "null")
    count("right.dot", "right")

    # all right: loads by following the tables
    result = measured("zero", "right")
    hosts = sorted({e[0][0] for e in edges.values() if e[0][0].startswith("H")})
    entry = {}
    for at, (ends, values) in edges.items():
        for name in values.get("comment", "").split(","):
            for to in hosts if name == "*" else [name]:
                entry[ends[0], to] = at
    load = dict.fromkeys(edges, 0)
    for source in hosts:
        for to in hosts:
            node = source
            while node != to and source != to:
                at = entry[node, to]
                load[at] += 1
                node = edges[at][0][2]
    found = {place(c): c for c in result["channels"]}
    total = sum(load[at] for at in between)
    expect("every channel between switches", set(found) == {e[0] for e in between.values()})
    for at, (ends, _) in between.items():
        c = found[ends]
        expect(f"{ends}: expected", abs(c["expected"] - result["bytes"] * load[at] / total) < 1e-6 * result["bytes"])
        expect(f"{ends}: carried", abs(c["bytes"] - load[at] * 1e6) < 10)
    expect("correlation 1", abs(result["correlation"] - 1) < 1e-9)

    # wrong entries
    for leaf in ("leaf1", "leaf2", "leaf4"):
        ups = [at for at, (ends, _) in between.items() if ends[0] == leaf]
        for host in edges[ups[0]][1]["comment"].split(",")[:2]:
            planted = list(lines)
            planted[ups[0]] = re.sub(rf'(comment="|,){host}(?=[,"])', lambda m: m.group(1) if m.group(1) != "," else "", planted[ups[0]], 1).replace('="," ', '="').replace('=",', '="')
            planted[ups[-1]] = planted[ups[-1]].replace('comment="', f'comment="{host},', 1)
            open(path("wrong.dot"), "w").write("\n".join(planted) + "\n")
            count("wrong.dot", "wrong")
            result = measured("zero", "wrong")
            first = [place(c) for c in result["channels"][:4]]
            expect(f"{leaf}, {host}: {first}", edges[ups[0]][0] in first and edges[ups[-1]][0] in first and result["correlation"] < 1)

    # cables at half speed
    named = 0
    cables = [at for at, (ends, _) in between.items() if ends[0].startswith("leaf")]
    for at in cables:
        ends = edges[at][0]
        planted = list(lines)
        for other, (there, _) in between.items():
            if there in (ends, ends[2:] + ends[:2]):
                planted[other] = planted[other].replace('speed="100"', 'speed="50"')
        open(path("half.dot"), "w").write("\n".join(planted) + "\n")
        count("half.dot", "half", "rand", 30)
        first = place(measured("zero", "half")["waiting"][0])
        expect(f"half the speed of {ends}: {first}", first in (ends, ends[2:] + ends[:2]))

    # the same counters in other forms; differences of two readings
    counters = []
    guid = {}
    for line in lines:
        node = re.match(r'\s*"([^"]+)" \[(.*)\]', line)
        if node and "->" not in line:
            values = dict(VALUE.findall(node.group(2)))
            guid[int(values.get("lid", 0))] = values.get("guid")
    for line in open(path("wrong")):
        head = re.match(r"# Port extended counters: Lid (\d+) port (\d+)", line)
        if head:
            counters.append({"guid": guid[int(head.group(1))], "lid": int(head.group(1)), "port": int(head.group(2))})
        elif line.startswith("Port") and not line.startswith("PortSelect"):
            key, value = re.match(r"(\w+):\.*(\d+)", line).groups()
            counters[-1][key] = int(value)
    base = 1 << 40

    def perfquery(file, c, add):
        file.write(f"# Port extended counters: Lid {c['lid']} port {c['port']} (CapMask: 0x5300 CapMask2: 0x0000002)\n")
        for key in ("PortXmitData", "PortRcvData", "PortXmitWait"):
            file.write(f"{key}:".ljust(33, ".") + f"{c[key] * bool(add) + base}\n")

    def ibqueryerrors(file, c, add):
        v = {k: c[k] * bool(add) + base for k in ("PortXmitData", "PortRcvData", "PortXmitWait")}
        file.write(f"Errors for {c['guid']} \"x\"\n   GUID {c['guid']} port ALL: [PortXmitWait == 9]\n   GUID {c['guid']} port {c['port']}: [PortXmitWait == {v['PortXmitWait']}]\n"
                   f"         [PortXmitData == {v['PortXmitData']} (1.000TB)] [PortRcvData == {v['PortRcvData']} (1.0TB)]\n   Link info: x\n")

    def ibdiagnet(file, c, add):
        v = {k: c[k] * bool(add) + base for k in ("PortXmitData", "PortRcvData", "PortXmitWait")}
        file.write(f"-----\nPort={c['port']} Lid={c['lid']:#06x} GUID={c['guid']} Device=51000 Port Name=x/P1\n-----\nlink_down_counter=0\nport_xmit_data=4294967295\n"
                   f"port_xmit_data_extended={v['PortXmitData']}\nport_rcv_data_extended={v['PortRcvData']}\nport_xmit_wait={v['PortXmitWait']}\n")

    def csv(file, c, add):
        v = {k: c[k] * bool(add) + base for k in ("PortXmitData", "PortRcvData", "PortXmitWait")}
        if c is counters[0]:
            file.write("START_NODES\nEND_NODES\nSTART_PM_INFO\nNodeGUID,PortGUID,PortNumber,PortXmitWait,PortXmitData,PortXmitDataExtended,PortRcvDataExtended\n")
        file.write(f"{c['guid']},{c['guid']},{c['port']},{v['PortXmitWait']},4294967295,{v['PortXmitData']:#x},{v['PortRcvData']}\n")
        if c is counters[-1]:
            file.write("END_PM_INFO\n")

    def prometheus(file, c, add):
        for name, key, unit in (("transmit_data_bytes", "PortXmitData", 4), ("receive_data_bytes", "PortRcvData", 4), ("transmit_wait", "PortXmitWait", 1)):
            file.write(f"infiniband_switch_port_{name}_total{{guid=\"{c['guid']}\",port=\"{c['port']}\",switch=\"x, y\"}} {float(unit * (c[key] * bool(add) + base))!r}\n")

    wanted = measured("zero", "wrong")
    for form in (perfquery, ibqueryerrors, ibdiagnet, csv, prometheus):
        for name, add in (("one", 0), ("two", 1)):
            with open(path(name), "w") as file:
                for c in counters:
                    form(file, c, add)
        got = measured("one", "two")
        expect(f"{form.__name__}: the form {got['form']}", got["form"].lower() == {"csv": "ibdiagnet"}.get(form.__name__, form.__name__))
        for key in ("bytes", "correlation", "channels", "waiting", "channels_measured"):
            expect(f"{form.__name__}: {key}", got[key] == wanted[key])
    for text in wrong[:20]:
        print("wrong:", text)
    print(f"{right} right, {len(wrong)} wrong")
    return 1 if wrong or right < 80 else 0


sys.exit(main())
