#!/usr/bin/env python3
"""Rails by their definition: rails.py BIN_DIR DUMP. Reads the ibnetdiscover dump itself and compares what orcs-import --rails list prints, which
hosts --rails NAME and leaf:NAME select, and which ports orcs-check finds on the leaves of other rails.
rails.py --make SEED prints a dump: machines with a port per rail, of which some are swapped, some are missing, and some names are shared."""
import collections, json, lzma, random, re, subprocess, sys

DEVICE = re.compile(r'(HCA-|HCA|mlx|mthca|qib|hfi|ib|bnxt_re|cxgb|rocep|opa).*[0-9]$')
PRODUCT = re.compile(r'Technologies|InfiniHost|Infinihost|ConnectX|InfiniBand|QLogic|Voltaire')


def make(seed):
    r = random.Random(seed)
    rails, machines, leaves = r.randint(2, 4), r.randint(6, 14), r.randint(1, 2)
    kind = r.choice(['mlx5_%d', 'HCA-%d', 'ibp%ds0f0'])
    port = collections.Counter()
    adapters, lines = [], collections.defaultdict(list)
    for m in range(machines):
        order = list(range(rails))
        if r.random() < 0.2:
            a, b = r.sample(order, 2)
            order[a], order[b] = order[b], order[a]
        for k in range(rails):
            if r.random() < 0.05:
                continue
            leaf = order[k] * leaves + m % leaves
            port[leaf] += 1
            # the last two machines are both called localhost
            name = 'localhost' if m >= machines - 2 else 'node%02d' % m
            system = 0x500000 + m * 16 if r.random() < 0.9 else 0x700000 + m * 16 + k
            guid = 0x100000 + m * 256 + k * 16
            desc = '%s %s' % (name, kind % (2 * k + 1))
            lines[leaf].append('[%d]\t"H-%016x"[1](%x) \t\t# "%s" lid %d 4xHDR' % (port[leaf], guid, guid + 1, desc, m * 8 + k + 1))
            adapters.append('vendid=0x2c9\ndevid=0x101b\nsysimgguid=0x%x\ncaguid=0x%x\nCa\t1 "H-%016x"\t\t# "%s"\n'
                            '[1](%x) \t"S-%016x"[%d]\t\t# lid %d lmc 0 "leaf %d" lid %d 4xHDR\n'
                            % (system, guid, guid, desc, guid + 1, 0x200000 + leaf, port[leaf], m * 8 + k + 1, leaf, 900 + leaf))
    print('# Topology file\n')
    for leaf in range(rails * leaves):
        lines[leaf].append('[30]\t"S-%016x"[%d]\t\t# "spine" lid 999 4xHDR' % (0x300000, leaf + 1))
        print('vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0x%x\nswitchguid=0x%x(%x)\nSwitch\t41 "S-%016x"\t\t# "leaf %d" enhanced port 0 lid %d lmc 0\n%s\n'
              % (0x200000 + leaf, 0x200000 + leaf, 0x200000 + leaf, 0x200000 + leaf, leaf, 900 + leaf, '\n'.join(lines[leaf])))
    print('vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0x300000\nswitchguid=0x300000(300000)\nSwitch\t41 "S-%016x"\t\t# "spine" enhanced port 0 lid 999 lmc 0' % 0x300000)
    for leaf in range(rails * leaves):
        print('[%d]\t"S-%016x"[30]\t\t# "leaf %d" lid %d 4xHDR' % (leaf + 1, 0x200000 + leaf, leaf, 900 + leaf))
    print()
    print('\n'.join(adapters))


def natural(text):
    return [(0, int(w), '') if w.isdigit() else (1, 0, w) for w in re.findall(r'[0-9]+|[^0-9]', text)]


def read(path):
    """Ports of adapters: description, node GUID, system GUID, place, GUID of the leaf."""
    text = (lzma.open(path, 'rt', errors='replace') if path.endswith('.xz') else open(path, errors='replace')).read()
    system, device, node, ports = 0, 0, None, []
    for line in text.split('\n'):
        if m := re.match(r'sysimgguid=0x([0-9a-f]+)', line):
            system = int(m[1], 16)
        elif m := re.match(r'devid=0x([0-9a-f]+)', line):
            device = int(m[1], 16)
        elif m := re.match(r'(Switch|Ca)\s*\d+\s*"([SH])-([0-9a-f]+)"\s*# "(.*?)"', line):
            node = (m[1], int(m[3], 16), m[4].strip(), system, device)
        elif m := re.match(r'\[(\d+)\](?:\([0-9a-f]+\))?\s*"([SH])-([0-9a-f]+)"\[(\d+)\]', line):
            if node[0] == 'Ca' and m[2] == 'S' and 'Aggregation' not in node[2] and node[4] != 0xcf09:
                ports.append((node[2], node[1], node[3], int(m[1]), int(m[3], 16)))
    return ports


def rails_of(ports):
    """For each port its machine and rail."""
    def split(desc):
        head, _, last = desc.rpartition(' ')
        if PRODUCT.search(desc):
            return '', ''
        return (head.strip(), last) if head and DEVICE.match(last) else (desc, '')

    seen, shared = {}, set()
    for desc, guid, system, place, leaf in ports:
        name, device = split(desc)
        if name and device and seen.setdefault((name, device, place), guid) != guid:
            shared.add(name)
    by_system = {}
    machine = {}
    for named in (True, False):
        for p in ports:
            desc, guid, system, place, leaf = p
            name = split(desc)[0]
            if bool(name and name not in shared) != named:
                continue
            if named:
                machine[p] = ('name', name)
                by_system.setdefault(system, machine[p])
            else:
                machine[p] = by_system.setdefault(system, ('system', system)) if system else ('node', guid)
    members = collections.defaultdict(list)
    for p in ports:
        members[machine[p]].append(p)
    rail = {}
    for group in members.values():
        group.sort(key=lambda p: (natural(p[0]), p[1], p[3]))
        for number, p in enumerate(group, 1):
            device = split(p[0])[1]
            rail[p] = device + ('/%d' % p[3] if p[3] > 1 else '') if device else str(number)
    return machine, members, rail


def survey(ports):
    """Also the rail of each leaf, and the ports on leaves of other rails."""
    machine, members, rail = rails_of(ports)
    on = collections.defaultdict(collections.Counter)
    for p in ports:
        if len(members[machine[p]]) > 1:
            on[p[4]][rail[p]] += 1
    owner = {leaf: name for leaf, count in on.items() for name in count if 4 * count[name] >= 3 * sum(count.values())}
    astray = {(p[1], p[4], rail[p], owner[p[4]]) for p in ports
              if len(members[machine[p]]) > 1 and p[4] in owner and owner[p[4]] != rail[p] and rail[p] in set(owner.values())}
    return machine, members, rail, owner, astray


def main():
    if sys.argv[1] == '--make':
        return make(int(sys.argv[2]))
    bin_dir, path = sys.argv[1:]
    ports = read(path)
    machine, members, rail, owner, astray = survey(ports)

    def run(*words):
        return subprocess.run([f'{bin_dir}/{words[0]}', *words[1:]], capture_output=True, text=True, check=False)

    listed = run('orcs-import', '--quiet', '--rails', 'list', path).stdout.split('\n')[1:-1]
    expected = [[name, str(sum(rail[p] == name for p in ports)), str(len({p[4] for p in ports if rail[p] == name})),
                 str(sum(o == name for o in owner.values())), str(sum(a[2] == name for a in astray))]
                for name in sorted(set(rail.values()), key=natural)]
    assert [line.split() for line in listed] == expected, (listed, expected)

    def graph_hosts(*options):
        out = run('orcs-import', '--quiet', '--names', 'guid', *options, path).stdout
        return sorted(re.findall(r'^\t"H([0-9a-f]{16})" \[', out, re.M)), out
    every, _ = graph_hosts()
    assert len(every) == len(ports), (len(every), len(ports))

    def near(hosts, wanted):  # the GUID of a port is that of its node, or next to it
        guids = {w[1] + k for w in wanted for k in (0, w[3])}
        return len(hosts) == len(wanted) and all(int(h, 16) in guids for h in hosts)
    for name in sorted(set(rail.values()))[:4]:
        if not name.isdigit():
            assert near(graph_hosts('--rails', name)[0], [p for p in ports if rail[p] == name]), name
        wanted = [p for p in ports if owner.get(p[4]) == name]
        if wanted:
            assert near(graph_hosts('--rails', 'leaf:' + name)[0], wanted), 'leaf:' + name
    if 'system_guid' not in graph_hosts()[1]:
        astray = survey([(p[0], p[1], 0, *p[3:]) for p in ports])[4]
    for source in (path, '-'):  # the dump, and its graph
        graph = graph_hosts()[1] if source == '-' else None
        got = json.loads(subprocess.run([f'{bin_dir}/orcs-check', '--quiet', '--format', 'json', source], input=graph,
                                        capture_output=True, text=True, check=False).stdout)['faults']['astray']
        pairs = {(a['rail'], a['leaf_rail']) for a in got['listed']}
        assert got['count'] == len(astray) and pairs <= {a[2:] for a in astray}, (source, pairs, sorted(astray))
        assert len(got['listed']) == min(got['count'], 10), got
    print(len(astray))


main()
