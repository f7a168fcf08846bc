#!/usr/bin/env python3
"""Faults planted into graphs of InfiniBand fabrics, and loads and counters by other means.

measured.py wrong GRAPH SEED             the graph with one table entry of a switch moved to another cable; standard error: SWITCH HOST FROM TO
measured.py slow GRAPH SEED              with a cable between switches at half speed; standard error: both ends
measured.py check JSON GRAPH COUNTERS    the result of orcs-advise --measured of counters that count from 0, against this program's
measured.py named KIND JSON PLANTED      whether the result names first what wrong or slow has planted
measured.py form NAME GRAPH COUNTERS     the counters in another form
"""
import json
import math
import random
import re
import sys


def edges(path):
    """The lines of the graph, and its channels: line number, tail, head, attributes."""
    lines = open(path, encoding="utf-8").read().split("\n")
    found = []
    for number, line in enumerate(lines):
        match = re.match(r'\s*"([^"]*)" -> "([^"]*)" \[(.*)\];$', line)
        if match:
            found.append((number, match[1], match[2], dict(re.findall(r'(\w+)="([^"]*)"', match[3]))))
    return lines, found


def nodes(lines):
    result = {}
    for line in lines:
        match = re.match(r'\s*"([^"]*)" \[(.*)\];$', line)
        if match:
            result[match[1]] = dict(re.findall(r'(\w+)="([^"]*)"', match[2]))
    return result


def wrong(path, seed):
    draw = random.Random(seed)
    lines, found = edges(path)
    kinds = nodes(lines)
    between = [e for e in found if kinds[e[1]]["type"] == "switch" and kinds[e[2]]["type"] == "switch" and e[3].get("comment")]
    # a host switch, whose other cables lead up: packets arrive nevertheless
    uppers = {e[2] for e in between} - {e[2] for e in found if kinds[e[1]]["type"] == "host"}
    lower = [e for e in between if e[2] in uppers]
    edge = draw.choice(lower)
    other = draw.choice([e for e in lower if e[1] == edge[1] and e[0] != edge[0]])
    host = draw.choice(edge[3]["comment"].split(","))
    left = ",".join(h for h in edge[3]["comment"].split(",") if h != host)
    old, new = edge[3]["comment"], other[3]["comment"]
    lines[edge[0]] = lines[edge[0]].replace('comment="%s"' % old, 'comment="%s"' % left)
    lines[other[0]] = lines[other[0]].replace('comment="%s"' % new, 'comment="%s,%s"' % (new, host))
    print("\n".join(lines), end="")
    print(edge[1], host, edge[3]["port"], other[3]["port"], file=sys.stderr)


def slow(path, seed):
    draw = random.Random(seed)
    lines, found = edges(path)
    kinds = nodes(lines)
    edge = draw.choice([e for e in found if kinds[e[1]]["type"] == "switch" and kinds[e[2]]["type"] == "switch"])
    tail, head, a = edge[1:]
    for number, u, v, b in found:
        if (u, v, b["port"]) in ((tail, head, a["port"]), (head, tail, a["peer_port"])):
            lines[number] = re.sub('speed="([0-9.]*)"', lambda m: 'speed="%g"' % (float(m[1]) / 2), lines[number])
    print("\n".join(lines), end="")
    print(tail, a["port"], head, a["peer_port"], file=sys.stderr)


def counters(path):
    """(LID, port) -> counter -> value"""
    result, at = {}, None
    for line in open(path, encoding="utf-8"):
        match = re.match(r"# Port.* counters: Lid (\d+) port (\d+) ", line)
        if match:
            at = result.setdefault((int(match[1]), int(match[2])), {})
        elif ":" in line:
            key, value = re.match(r"(\w+):\.*(\S*)", line).groups()
            at[key] = value
    return result


def close(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1)


def correlation(pairs):
    n = len(pairs)
    mx, my = (sum(p[i] for p in pairs) / n for i in (0, 1))
    xy, xx, yy = (sum((p[i] - (mx, my)[i]) * (p[j] - (mx, my)[j]) for p in pairs) for i, j in ((0, 1), (0, 0), (1, 1)))
    return xy / math.sqrt(xx * yy)


def check(result, graph, path):
    """Walks the route of every pair of hosts."""
    got = json.load(open(result, encoding="utf-8"))
    lines, found = edges(graph)
    kinds = nodes(lines)
    hosts = [v for v in kinds if kinds[v].get("type") == "host"]
    count = counters(path)
    table, only = {}, {}
    for number, tail, head, a in found:
        for host in a.get("comment", "").split(","):
            if host == "*":
                only[tail] = (number, head)
            elif host:
                table[tail, host] = (number, head)
    measured, wait = {}, {}
    for number, tail, head, a in found:
        port = count[int(kinds[tail]["lid"]), int(a["port"])]
        measured[number] = 4 * int(port["PortXmitData"])
        wait[number] = int(port["PortXmitWait"])
    sent = {h: sum(measured[e[0]] for e in found if e[1] == h) for h in hosts}
    received = {h: sum(measured[e[0]] for e in found if e[2] == h) for h in hosts}
    total = sum(received.values())
    pairs, expected = dict.fromkeys(measured, 0), dict.fromkeys(measured, 0.0)
    for s in hosts:
        for d in hosts:
            at = s
            while s != d and at != d:
                number, at = table.get((at, d)) or only[at]
                pairs[number] += 1
                expected[number] += sent[s] * received[d] / (total - received[s])
    name = {(e[1], int(e[3]["port"])): e[0] for e in found}
    assert len(got["channels"]) == len(found) and got["demand"] == "hosts", got["demand"]
    for c in got["channels"]:
        number = name[c["from"], c["from_port"]]
        assert c["measured"] == measured[number] and c["wait"] == wait[number] and c["pairs"] == pairs[number], c
        assert close(c["expected"], expected[number]), (c, expected[number])
        assert c["lost"] is None or close(c["lost"], wait[number] / (wait[number] + measured[number] / 4)), c
    inner = [e[0] for e in found if kinds[e[1]]["type"] == kinds[e[2]]["type"] == "switch"]
    assert close(got["correlation"], correlation([(measured[n], expected[n]) for n in measured]))
    assert close(got["correlation_between_switches"], correlation([(measured[n], expected[n]) for n in inner]))


def named(kind, result, planted):
    got = json.load(open(result, encoding="utf-8"))
    words = open(planted, encoding="utf-8").read().split()
    first = got["findings"][0]
    at = (first["channel"]["from"], str(first["channel"]["from_port"]))
    row = got["channels"][0]
    assert at == (row["from"], str(row["from_port"])), row
    if kind == "wrong":
        switch, host, old, new = words
        assert first["kind"] == "wrong_entry" and host in first["likeliest"], first
        assert at == (switch, old), first
        assert (first["instead"]["from"], first["instead"]["from_port"]) == (switch, int(new)), first
        assert len(got["findings"]) == 1, got["findings"]
    else:
        assert first["kind"] == "slow" and at in (tuple(words[:2]), tuple(words[2:])), first
        assert len(got["findings"]) == 2, got["findings"]


def form(name, graph, path):
    lines = edges(graph)[0]
    guid = {int(a["lid"]): (int(a["guid"], 16), a["desc"]) for a in nodes(lines).values() if "lid" in a}
    key = ("PortXmitData", "PortRcvData", "PortXmitWait")
    for (lid, port), c in counters(path).items():
        node, desc = guid[lid]
        value = [int(c[k]) for k in key]
        if name == "ibqueryerrors":
            print('Errors for 0x%x "%s"' % (node, desc))
            print("   GUID 0x%x port ALL: [PortXmitWait == 9]" % node)
            print("   GUID 0x%x port %d: [PortXmitWait == %d] [PortXmitData == %d (1.0KB)] [PortRcvData == %d (1.0KB)]"
                  % (node, port, value[2], value[0], value[1]))
        elif name == "ibdiagnet":
            print("-" * 80)
            print("Port=%d Lid=0x%04x GUID=0x%016x Device=4099 Port Name=%s/P%d" % (port, lid, node, desc, port))
            print("-" * 80)
            print("symbol_error_counter=0x0000\nport_xmit_data=0x%08x\nport_rcv_data=0x%08x\nport_xmit_wait=0x%08x" % (
                min(value[0], 0xffffffff), min(value[1], 0xffffffff), value[2]))
            print("port_xmit_data_extended=0x%016x\nport_rcv_data_extended=0x%016x" % (value[0], value[1]))
        elif name == "db_csv":
            if (lid, port) == min(counters(path)):
                print("START_NODES\nNodeGUID,PortXmitData\n1,2\nEND_NODES\n\nSTART_PM_INFO")
                print("NodeGUID,PortGUID,PortNumber,PortXmitWait,PortXmitData,PortXmitDataExtended,SymbolErrorCounter,PortRcvDataExtended")
            print("0x%016x,0x%016x,%d,%d,%d,0x%x,N/A,%d" % (node, node, port, value[2], min(value[0], 0xffffffff), value[0], value[1]))
        elif name == "prometheus":
            kind = "switch" if port > 1 or desc.startswith(("leaf", "spine")) else "hca"
            labels = 'guid="0x%016x",port="%d",%s="%s"' % (node, port, kind, desc)
            print("# TYPE infiniband_%s_port_transmit_data_bytes_total counter" % kind)
            print("infiniband_%s_port_transmit_data_bytes_total{%s} %d" % (kind, labels, 4 * value[0]))
            print("infiniband_%s_port_receive_data_bytes_total{%s} %d" % (kind, labels, 4 * value[1]))
            print("infiniband_%s_port_transmit_wait_total{%s} %g" % (kind, labels, value[2]))
            print('node_infiniband_port_data_transmitted_bytes_total{device="mlx5_0",port="1"} 7')


{"wrong": wrong, "slow": slow, "check": check, "named": named, "form": form}[sys.argv[1]](*sys.argv[2:])
