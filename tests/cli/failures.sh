#!/bin/sh
# orcs-compare --fail: failures by an independent count, the forms of results, and errors: failures.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
own_font_cache
PATH=$bin:$PATH:/usr/sbin:/sbin
export PATH ORCS_BIN="$bin" ORCS_RUN="$work/run"

data=${ORCS_TEST_DATA:-../shared/data}/ib

# ---- what failures do
by_count() { # FABRIC ENGINE COUNT...
	mkdir -p "$work/graphs"
	python3 tests/cli/failures.py "$bin" "$work/graphs" "$@"
}
check "minhop and updn on a tree" by_count fattree:k=4,n=3 minhop 30 fattree:k=4,n=3 updn 30
check "engines that route from scratch" by_count fattree:k=4,n=3 ftree 8 torus:4x4,hosts=2 sssp 10 fattree:k=4,n=2 nue 8 torus:4x4,hosts=2 updn-orcs 8
check "minhop and updn where routes can deadlock" by_count torus:4x4,hosts=2 minhop 25 dragonfly:a=4,h=2,p=2 minhop 20 torus:4x4,hosts=2 updn:roots=S0_0 25
check "lanes" by_count torus:4x4,hosts=2 dfsssp 6 torus:4x4 lash 6 torus:4x4,hosts=2 nue:repair 8 torus:5x4 dor:repair 8 torus:5x4 dor 8 dragonfly:a=4,h=2,p=2 lash:repair 6
same_lanes() { # ENGINE FABRIC: the lanes of a graph are those of the engine that made it
	orcs-route --quiet -o "$work/lanes.dot" "$1" "$2"
	for way in "$1" as-is; do
		orcs-compare --quiet --fail each-cable,each-switch --reroute "$way:repair" -n 2 --format json "$work/lanes.dot" |
			jq -c '[.intact.deadlock, .failures[].deadlock]' >"$work/$way.lanes"
	done
	cmp "$work/$1.lanes" "$work/as-is.lanes" && grep -q none "$work/$1.lanes"
}
check "lanes of tables" same_lanes dor torus:5x4
check "levels of tables" same_lanes nue torus:4x4
sed 's/sl="[^"]*"/sl="unknown"/' "$work/lanes.dot" >"$work/unknown.dot"
check "levels that nobody states" says 0 'deadlocks unknown' orcs-compare --quiet --fail each-switch --reroute as-is:repair -n 2 "$work/unknown.dot"
check "repairs" by_count fattree:k=4,n=3 minhop:repair 25 torus:4x4,hosts=2 sssp:repair 20 dragonfly:a=4,h=2,p=2 updn-orcs:repair 12
python3 - >"$work/two.dot" <<'EOF'
edges = [(f"H{h}", f"S{s % 3}") for h in range(6) for s in (h, h + 1)] + [(f"S{leaf}", f"S{spine}") for leaf in range(3) for spine in (3, 4)]
nodes = [f"H{h}" for h in range(6)] + [f"S{s}" for s in range(5)]
print("digraph two {", *(f'"{n}" [guid="{16 * (i + 1):#018x}", lid="{i + 1}"];' for i, n in enumerate(nodes)), *(f'"{a}" -> "{b}"; "{b}" -> "{a}";' for a, b in edges), "}", sep="\n")
EOF
check "hosts with two cables" by_count "$work/two.dot" minhop 12 "$work/two.dot" sssp 12
# a host's LID goes to its other cable, as in the graph without the first one
other_cable() {
	orcs-compare --quiet --fail H0:1 --reroute minhop -n 2 --format json "$work/two.dot" >"$work/one"
	orcs-route --quiet --fail H0:1 minhop "$work/two.dot" | orcs-bound --quiet --parts loads --format csv - |
		awk -F, '$2 ~ /^S/ && $4 ~ /^S/ && $15 > most { most = $15 } END { print most }' >"$work/most"
	jq -e --argjson most "$(cat "$work/most")" '.failures[0] | .unreachable == 0 and .hosts_lost == 0 and (.largest_load - $most | fabs) < 1e-9' "$work/one"
}
check "a host's other cable" other_cable
check "a dump" by_count examples/cluster.ibnetdiscover minhop 10 examples/cluster.ibnetdiscover updn:roots=auto,repair 10
if [ -d "$data/generated" ]; then
	for net in irreg tree2_324 torus444_4; do
		xzcat "$data/generated/$net/ibnetdiscover.txt.xz" >"$work/$net"
		check "$net" by_count "$work/$net" minhop 4 "$work/$net" updn:roots=auto,lenient 3
	done
	check "rails and aggregation nodes" by_count "$data/real/HyungKwang/Topo.1.txt" minhop 8
else
	skip "there is no $data: failures of dumps"
fi

# by_opensm CABLE: as many entries change when the real OpenSM routes without the cable
by_opensm() {
	cluster=examples/cluster.ibnetdiscover
	orcs-route --quiet minhop --fail "$1" $cluster | orcs-export --quiet --to ibnetdiscover >"$work/cut" &&
		scripts/route_with_opensm.sh -e minhop $cluster >"$work/before.dot" 2>"$work/err" &&
		scripts/route_with_opensm.sh -e minhop "$work/cut" >"$work/after.dot" 2>"$work/err" || return 1
	echo "$1" >"$work/cable"
	orcs-compare --quiet --fail "file:$work/cable" --reroute minhop --format json $cluster >"$work/one"
	python3 tests/cli/failures.py --count "$work/before.dot" "$work/after.dot" | grep -qx "$(jq '.failures[0].entries_changed' "$work/one")"
}
if have opensm && have ibsim && have ibnetdiscover; then
	for cable in leaf1:9 leaf3:11 leaf4:12; do
		check "OpenSM without $cable" by_opensm $cable
	done
else
	skip "OpenSM, ibsim or infiniband-diags are missing: failures that OpenSM routes"
fi

# ---- the same command, the same bytes, for any number of processors
fabric=fattree:k=4,n=3
reproducible() {
	orcs-compare --fail each-cable,random:2x20 --reroute minhop -n 20 --format json $fabric >"$work/first" &&
		taskset -c 0 orcs-compare --fail each-cable,random:2x20 --reroute minhop -n 20 --format json $fabric >"$work/second" &&
		cmp "$work/first" "$work/second" && ! orcs-compare --seed 2 --fail random:2x20 --reroute minhop -n 20 --format json $fabric |
		cmp -s - "$work/first"
}
check "one processor or several" reproducible

# ---- forms
orcs-compare --quiet --fail each-switch,each-cable --reroute minhop -n 10 --format csv -o "$work/csv" $fabric
orcs-compare --quiet --fail each-switch,each-cable --reroute minhop -n 10 --format json -o "$work/json" $fabric
as_csv() {
	python3 - "$work/csv" "$work/json" <<'EOF'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
failures = sorted(json.load(open(sys.argv[2]))["failures"], key=lambda f: f["rank"])
assert len(rows) == len(failures) > 100
for row, f in zip(rows, failures):
    f = dict(f, low=f["interval"][0], high=f["interval"][1])
    for key, value in row.items():
        assert value == ("" if f[key] is None else str(f[key])) or float(value) == f[key], (key, value, f[key])
EOF
}
check "CSV has what JSON has, the worst first" as_csv
check "text lists 20" says 0 '^\.\.\. and 156 more; --top 0 lists all' orcs-compare --fail each-switch,each-cable --reroute minhop -n 10 $fabric
check "text lists all" eval "orcs-compare --top 0 --fail each-switch,each-cable --reroute minhop -n 10 $fabric | grep -c 'none\$' | grep -qx 177"
# Some bisections of two planes have no pair with a route: they are left out, as by --unroutable drop.
printf 'digraph planes {\n' >"$work/planes.dot"
for h in 1 2 3 4; do
	s=$((h % 2))
	echo "\"H$h\" -> \"S$s\" [comment=\"*\"]; \"S$s\" -> \"H$h\" [comment=\"H$h\"];"
done >>"$work/planes.dot"
echo '}' >>"$work/planes.dot"
same_without_pairs() {
	orcs-compare --quiet --fail each-switch --reroute bfs -n 20 --format json "$work/planes.dot" >"$work/one" &&
		orcs-compare --quiet -R bfs --unroutable drop -n 20 --format json "$work/planes.dot" >"$work/other" &&
		jq -e --argjson mean "$(jq '.routings[0].patterns.bisect.mean' "$work/other")" '.intact.mean == $mean' "$work/one"
}
check "bisections without a route are left out" same_without_pairs
check "no bandwidth, no number" says 0 '^S1_0 +4 +0 +0.000 .* - +- +0  none' orcs-compare --fail each-switch --reroute minhop star:4
check "hosts that go, and what hurts the others, apart" eval "orcs-compare --fail each-switch --reroute minhop -n 2 $fabric >'$work/apart' && grep -q '^hosts go with: S1_[0-9]* (4), .* and 11 more\$' '$work/apart' && sed -n '/^failure/{n;p}' '$work/apart' | grep '^S[23]_[0-9]* *0 '"
check "as-is" says 0 'rerouted by as-is, repair' orcs-compare --fail each-cable --reroute as-is:repair examples/fattree36_dor.dot
if have gnuplot; then
	check "the picture" says 0 'loses hosts' eval "orcs-compare --fail S1_0,S2_0 --reroute minhop -n 5 --plot '$work/picture.svg' $fabric >'$work/table' && cat '$work/picture.svg'"
else
	skip "gnuplot is not installed: the picture"
fi

printf 'S1_0:1\nS1_1\n' >"$work/lines"
alike() {
	orcs-compare --fail S1_0:1,S1_1 --reroute minhop -n 5 --format csv $fabric >"$work/words.csv" &&
		orcs-compare --fail "file:$work/lines" --reroute minhop -n 5 --format csv $fabric >"$work/lines.csv" &&
		[ "$(grep -c ',listed,' "$work/words.csv")" -eq 2 ] && cmp "$work/words.csv" "$work/lines.csv"
}
check "failures by name, as in a file" alike

# ---- errors
printf 'S1_0:1\nX\n' >"$work/lines"
printf '# nothing\n' >"$work/empty"
check "--top without failures" says 2 'add --fail LIST' orcs-compare --top 4 $fabric
check "a graph without single cables" says 2 'add each-cable' orcs-compare --fail each-switch --reroute minhop --graph "$work/none" $fabric
check "an engine with several channels in an entry" says 2 "'ecmp' makes entries of several channels" orcs-compare --fail each-cable --reroute ecmp $fabric
check "no engine" says 2 'add --reroute ENGINE' orcs-compare --fail each-cable $fabric
check "no list" says 2 'add --fail LIST' orcs-compare --reroute minhop $fabric
check "a word that is none" says 2 "'each-cabel' is none of each-cable" orcs-compare --fail each-cabel --reroute minhop $fabric
check "a word given twice" says 2 "'each-cable' is given twice" orcs-compare --fail each-cable,random:1x2,each-cable --reroute minhop $fabric
check "a node that is none" says 2 "'X'.* no such node.*; --fail also takes each-cable, .* and NODE\[:PORT\]" orcs-compare --fail each-cable,X --reroute minhop $fabric
check "a misspelt way to route" says 2 "unknown word 'repare'; did you mean 'repair'" orcs-compare --fail each-cable --reroute minhop:repare $fabric
check "an engine that is none" says 2 "minhp.*did you mean 'minhop'" orcs-compare --fail each-cable --reroute minhp $fabric
check "several engines" says 2 "takes one engine, not a list such as 'minhop,ftree'" orcs-compare --fail each-cable --reroute minhop,ftree $fabric
check "as-is from scratch" says 2 'use as-is:repair' orcs-compare --fail each-cable --reroute as-is $fabric
check "too many at once" says 2 'needs 500 cables, but there are only 128' orcs-compare --fail random:500x1 --reroute minhop $fabric
check "a line that names nothing" says 2 "lines:2: .*'X'" orcs-compare --fail "file:$work/lines" --reroute minhop $fabric
check "a file without failures" says 2 'empty: names no failures' orcs-compare --fail "file:$work/empty" --reroute minhop $fabric
check "a file that is missing" says 1 'none: cannot open' orcs-compare --fail "file:$work/none" --reroute minhop $fabric
check "an engine that cannot route" says 3 'OpenSM refuses updn' orcs-compare --fail each-cable --reroute updn torus:4x4
check "an option that does not go with it" says 2 'does not go with --patterns' orcs-compare --fail each-cable --reroute minhop -p ring $fabric
check "two fabrics" says 2 'a graph|several fabrics' orcs-compare --fail each-cable --reroute minhop examples/fattree16.dot examples/fattree324.dot
check "an output that is the input" says 2 'input' orcs-compare --fail "file:$work/lines" --reroute minhop -o "$work/lines" $fabric

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
