#!/bin/sh
# --fail: graphs from which the lines of what failed are deleted by hand give the same results: fail.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH

# without GRAPH NODE[:PORT]...: the graph without them, and without hosts that have no edge left; edges are one a line, in the order of ports.
without() {
	python3 - "$@" <<'END'
import re
import sys
lines = open(sys.argv[1]).read().splitlines()
edge = re.compile(r'^\s*"([^"]+)" -> "([^"]+)"')
count, ends = {}, {}
for number, line in enumerate(lines):
    found = edge.match(line)
    if found:
        count[found.group(1)] = count.get(found.group(1), 0) + 1
        port = re.search(r'\bport="?(\d+)', line)
        ends[number] = (found.group(1), int(port.group(1)) if port else count[found.group(1)], found.group(2))
gone, dead = set(), set()
for name in sys.argv[2:]:
    node, _, port = name.partition(":")
    if not port:
        dead.add(node)
        continue
    it = [n for n, (tail, number, head) in ends.items() if (tail, number) == (node, int(port))][0]
    # the k-th edge to the other end belongs to the k-th back
    rank = [n for n, (t, _, h) in ends.items() if (t, h) == (ends[it][0], ends[it][2])].index(it)
    back = [n for n, (t, _, h) in ends.items() if (h, t) == (ends[it][0], ends[it][2])]
    gone |= {it, back[rank]}
gone |= {n for n, (tail, _, head) in ends.items() if dead & {tail, head}}
left = {t for n, (t, _, h) in ends.items() if n not in gone} | {h for n, (t, _, h) in ends.items() if n not in gone}
for number, line in enumerate(lines):
    node = re.match(r'^\s*"([^"]+)" *(\[.*)?;', line)
    alone = node and not edge.match(line) and (node.group(1) in dead or node.group(1)[0] == "H" and node.group(1) not in left)
    if number not in gone and not alone and not re.match(r'^\s*graph \[routing=', line):
        print(line)
END
}

# same GRAPH NODE[:PORT]...: all programs have the results of the graph without them
same() {
	graph=$1
	shift
	without "$graph" "$@" >"$work/cut.dot" && [ -s "$work/cut.dot" ] || return 1
	list=$(echo "$*" | tr ' ' ',')
	for run in "orcs-check --require none" "orcs-bound --parts loads --unroutable drop --format csv" "orcs --unroutable drop -n 20" \
		"orcs -R minhop -n 20 --unroutable drop" "orcs --engine flow -p shift:1 --bytes 1M --capacity 100G --unroutable drop -d"; do
		# shellcheck disable=SC2086 # words
		$run --quiet "$work/cut.dot" >"$work/wanted" 2>&1
		one=$?
		# shellcheck disable=SC2086 # words
		$run --quiet --fail "$list" "$graph" >"$work/is" 2>&1
		two=$?
		sed -i "s#^[^ ]*/[a-z]*\.dot: #FABRIC: #" "$work/wanted" "$work/is"
		diff "$work/wanted" "$work/is" && [ $one -eq $two ] || { echo "$run" && return 1; }
	done
}

orcs-route --quiet -o "$work/torus.dot" minhop torus:4x4,hosts=2
orcs-route --quiet -o "$work/ecmp.dot" ecmp xgft:2:1/2:2/3:2
orcs-route --quiet -o "$work/dfly.dot" minhop dragonfly:p=2,a=4,h=2
orcs-import --quiet -o "$work/cluster.dot" examples/cluster.ibnetdiscover examples/cluster.dump_fts
check "a cable between switches" same "$work/torus.dot" S0_0:3
check "a host's cable" same "$work/torus.dot" S1_2:1
check "a host" same "$work/torus.dot" H1_2_0
check "a switch" same "$work/torus.dot" S2_2
check "several" same "$work/torus.dot" S2_2 S0_0:4 H0_0_1 S3_3:2
check "multipath entries" same "$work/ecmp.dot" S1_0:3
check "a spine of multipath entries" same "$work/ecmp.dot" S2_0
check "a dragonfly" same "$work/dfly.dot" S0_1 S3_2:4
check "numbered ports" same "$work/cluster.dot" leaf1:9 spine2:7

# Dumps and caches as their graph; names of all kinds.
orcs --quiet --save-fabric "$work/cluster.orcsb" "$work/cluster.dot"
orcs-check --quiet --fail leaf1:9,node07 "$work/cluster.dot" | sed 1d >"$work/wanted"
for fabric in "$work/cluster.orcsb" "examples/cluster.ibnetdiscover examples/cluster.dump_fts"; do
	for switch in leaf1 0x0000000000100002 2; do
		for host in node07 H-node07 10; do
			# shellcheck disable=SC2086 # two files
			orcs-check --quiet --fail "$switch:9" --fail "$host" $fabric | sed 1d >"$work/is"
			check "$switch:9 and $host of $fabric" diff "$work/wanted" "$work/is"
		done
	done
done

# Computed routes become tables; routed again they are those of orcs-topology.
check "a topology" says 4 '182: 1[0-9][0-9] .* routable' orcs-check --quiet --fail S0_0:1,S1_1 torus:4x4
orcs-topology --fail S0_0:1,S1_1 torus:4x4 2>/dev/null | orcs-route --quiet dor - | orcs-check --quiet - | sed 1d >"$work/wanted"
orcs-route --quiet --fail S0_0:1,S1_1 dor torus:4x4 | orcs-check --quiet - | sed 1d >"$work/is"
check "the same as orcs-topology --fail" diff "$work/wanted" "$work/is"

# A run that fails a cable at its beginning and routes again has the times of the routing of what is left; aggregation nodes count, too.
for kind in HCA Aggregation; do
	name="node05 HCA-1"
	[ $kind = HCA ] || name="Mellanox Technologies Aggregation Node"
	sed "s/node05 HCA-1/$name/" examples/cluster.ibnetdiscover >"$work/fabric"
	for engine in minhop sssp updn; do
		orcs --quiet --engine flow -p alltoall --bytes 1M --capacity 100G -d --fail "leaf1:9" -R $engine "$work/fabric" >"$work/wanted"
		orcs-route --quiet minhop "$work/fabric" | orcs --quiet --engine flow -p alltoall --bytes 1M --capacity 100G -d --fail-at 0:leaf1:9 --reroute $engine >"$work/is"
		check "$engine after a failure, $kind" diff "$work/wanted" "$work/is"
	done
done

check "the note" says 4 '^orcs-check: note: --fail removes 2 cables, 0 switches and 1 host; table entries for other hosts that it removes: 9$' \
	orcs-check --fail leaf1:9,node07 "$work/cluster.dot"
orcs-topology torus:4x2 | sed '1d; $d; /graph \[/d' >"$work/half"
{ echo 'digraph two {' && cat "$work/half" && sed 's/"\([HS]\)/"\1x/g' "$work/half" && echo '}'; } >"$work/two.dot"
check "with --plane" says 0 '^<stdin>: 7 hosts, 7 switches' sh -c 'orcs-route --quiet --plane 2 --fail Sx0_0 minhop "$1" | orcs-check --quiet --require routable -' - "$work/two.dot"
check "orcs-export" says 2 "orcs-route --fail LIST ENGINE FABRIC \| orcs-export" orcs-export --to lfts --fail leaf1 "$work/cluster.dot"
check "orcs-import" says 2 "fail is for programs that use the graph" orcs-import --fail leaf1 examples/cluster.ibnetdiscover
check "a host that failed" says 2 "no host '.*node07'; --fail removed it|'node07'.*; --fail removed it" sh -c 'echo node07 >"$1/gone"; orcs --fail node07 --subset "file:$1/gone" "$1/cluster.dot"' - "$work"
check "no such node" says 2 "^orcs: --fail is 'leaf8': the fabric has no such node; did you mean 'leaf1'" orcs --fail leaf8 "$work/cluster.dot"
check "no such port" says 2 "^orcs: --fail is 'leaf1:40': leaf1 has no port '40' \(ports 1 to 12\)" orcs --fail leaf1:9,leaf1:40 "$work/cluster.dot"
check "an empty name" says 2 "^orcs: --fail is 'leaf1:9,': a name is missing" orcs --fail leaf1:9, "$work/cluster.dot"
check "no host left" says 3 "cluster.dot: --fail leaves no host with a cable" orcs --fail leaf1,leaf2,leaf3,leaf4 "$work/cluster.dot"

orcs-route --quiet --routes "$work/ring.routes" ksp ring:5 -o "$work/ring.dot"
check "a topology whose tables are not read" says 3 'ring.routes:2: no channel leads from S0 to S4' \
	orcs-check --routes "$work/ring.routes" --fail S0:2 ring:5

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
