#!/bin/sh
# orcs-trace: routes as the real ibtracert prints them, who uses a channel by an independent count, and errors: trace.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
simulator=
trap 'end_all; rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM
. tests/lib.sh
PATH=$bin:$PATH:/usr/sbin:/sbin
export PATH ORCS_BIN="$bin" ORCS_RUN="$work/run"

end_all() {
	[ -z "$simulator" ] || kill "$simulator" 2>/dev/null
	wait 2>/dev/null
	simulator=
}

# ---- ibtracert

# simulate NET OPTION...: OpenSM with these options routes the net, as minhop; $work/fabric and $work/tables are what the tools read there.
simulate() {
	scripts/start_ibsim.sh "$1" >"$work/ready" 2>&1 &
	simulator=$!
	shift
	tries=0
	until grep -q '^Network simulator ready' "$work/ready"; do
		kill -0 "$simulator" && [ $((tries += 1)) -lt 300 ] || return 1
		sleep 0.1
	done
	scripts/start_osm.sh minhop "$@" && scripts/dump_routes.sh --cabling >"$work/fabric" && scripts/dump_routes.sh >"$work/tables"
}

# traced FROM TO: LIDs; the first route from one to the other is what ibtracert prints, in both forms.
traced() {
	for form in "" -n; do
		# shellcheck disable=SC2086 # no word or one
		scripts/under_ibsim.sh ibtracert $form "$1" "$2" >"$work/wanted" 2>"$work/err" &&
			orcs-trace --quiet $form "$1" "$2" "$work/fabric" "$work/tables" | grep -v '^#' | sed '/^To/q' | diff - "$work/wanted" || return 1
	done
}

if have ibtracert && have opensm && have ibsim; then
	check "OpenSM under ibsim" simulate examples/cluster.ibnetdiscover
	for pair in '17 30' '30 17' '1 34' '33 24' '17 8' '8 17' '8 9' '25 30' '30 25' '4 5'; do
		check "ibtracert $pair" traced ${pair% *} ${pair#* }
	done
	end_all
	scripts/torus_topology.sh 3x3:2 >"$work/torus.net"
	check "OpenSM with two LIDs a port" simulate "$work/torus.net" -l 1
	sed -n 's/.*\[1\][^#]*# lid \([0-9]*\) lmc 1.*/\1/p; s/^\[1\](.*# "S-.* lid \([0-9]*\) .*/\1/p' "$work/fabric" | sort -n | uniq >"$work/lids"
	lids=$(sed -n 's/^\[1\].*"S-[^#]*# lid \([0-9]*\) lmc 1 .*/\1/p' "$work/fabric" | tr '\n' ' ')
	# shellcheck disable=SC2086 # LIDs
	set -- $bin $lids
	check "there are hosts with two LIDs" [ $# -ge 9 ]
	check "a second LID" traced "$2" $(($6 + 1))
	check "a first LID" traced "$7" $(($4 + 0))
	check "routes of both LIDs" says 0 "route 2 of 2, LID $(($5 + 1)): " orcs-trace --quiet "$2" "$5" "$work/fabric" "$work/tables"
	end_all
else
	skip "ibtracert, opensm or ibsim is missing"
fi

# ---- counts

orcs-route --quiet -o "$work/torus.dot" minhop torus:3x4,hosts=2
orcs-route --quiet -o "$work/ecmp.dot" ecmp leafspine:leaves=4,spines=3,hosts=2
orcs-route --quiet -o "$work/tree.dot" ecmp xgft:2:1/2:2/3:2
orcs-route --quiet -o "$work/jelly.dot" updn-orcs jellyfish:switches=9,ports=6,links=4,seed=3
result=$(python3 tests/cli/trace.py "$bin/orcs-trace" "$work/torus.dot" "$work/ecmp.dot" "$work/tree.dot" "$work/jelly.dot" examples/fattree16.dot 2>&1 | tail -n 5)
echo "$result"
passed=$((passed + $(echo "$result" | sed -n 's/^\([0-9]*\) passed, .*/\1/p' | grep . || echo 0)))
failed=$((failed + $(echo "$result" | sed -n 's/.* passed, \([0-9]*\) failed.*/\1/p' | grep . || echo 1)))

# The pairs on the channels of a route are those that --channel counts.
shares() {
	orcs-trace --quiet --share --format json H0_0_0 H2_3_1 "$work/torus.dot" |
		python3 -c 'import json, sys
for r in json.load(sys.stdin)["routes"]:
	for h in r["hops"]:
		print(h["channel"], h["pairs"], h["senders"], h["receivers"])' | sort -u >"$work/shared"
	[ -s "$work/shared" ] && while read -r channel counts; do
		from=$(orcs-bound --quiet --parts loads --format csv "$work/torus.dot" | awk -F, -v c="$channel" '$1 == c { print $2, $4, $6, $7, $8 }')
		[ "${from#* * }" = "$counts" ] || { echo "$channel: $counts, $from" && return 1; }
	done <"$work/shared"
}
check "--share counts as orcs-bound" shares

# ---- jobs, machines

printf '# two jobs, and one that waits\n17 node[01-03],node13\n18_2 node[04-06],storage1\n19 \n20 (null)\n' >"$work/jobs"
cluster="examples/cluster.ibnetdiscover examples/cluster.dump_fts"
# shellcheck disable=SC2086 # two files
{
	check "pairs of jobs" says 0 '^ *3 +17$' orcs-trace --quiet --by job --jobs "$work/jobs" --channel leaf1:1 $cluster --top 0
	check "pairs between jobs do not count" says 0 '^  3 pairs of hosts, 1 sender, 3 receivers$' orcs-trace --quiet --jobs "$work/jobs" --channel node01:1 $cluster
	check "a machine that is not there" says 0 "warning: machines of /dev/stdin that the fabric does not have: 1 \(the first: 'node99'\)" \
		sh -c 'echo "1 node01,node99" | orcs-trace --jobs /dev/stdin --by job --channel node01:1 "$@"' - $cluster
	check "jobs with --share" says 0 '^# +3 +1 +3  H-node01\[1\] -> leaf1' orcs-trace --quiet --jobs "$work/jobs" node01 node13 $cluster
	check "machines" says 0 '^ *2 +storage1 +node13$' orcs-trace --quiet --by machine --channel leaf3:1 $cluster
	check "hosts" says 0 '^ *1 +H-node01 +H-node13$' orcs-trace --quiet --by host --top 0 --channel leaf3:1 $cluster
	for list in 'a[1-2]x' 'a[2-1]' 'a[1' 'a]' 'a[]' 'a[1-3:2]' 'a[x]' 'a[[1]]'; do
		echo "1 $list" >"$work/bad"
		check "hosts $list" says 2 "^orcs-trace: $work/bad:1: the list of hosts " orcs-trace --quiet --jobs "$work/bad" --channel leaf1:1 $cluster
	done
	printf '1 a\n1 b\n' >"$work/bad"
	check "a job twice" says 2 "bad:2: job '1' is here twice" orcs-trace --quiet --jobs "$work/bad" --channel leaf1:1 $cluster
	: >"$work/bad"
	check "no job" says 2 'bad: no job is here' orcs-trace --quiet --jobs "$work/bad" --channel leaf1:1 $cluster

	# ---- ends and errors
	check "a description" says 0 '^# H-storage2_mlx5_1 -> H-node01: ' orcs-trace --quiet 'storage2 mlx5_1' 0x100000 $cluster
	check "a description of several" says 2 "several nodes are called 'storage2': 'H-storage2_mlx5_0', 'H-storage2_mlx5_1'" orcs-trace --quiet storage2 node01 $cluster
	check "a misspelt name" says 2 "no node is called 'node0l'; did you mean 'node01'" orcs-trace --quiet node0l node02 $cluster
	check "the same node" says 2 'are the same node' orcs-trace --quiet 17 node13 $cluster
	check "the fabric first" says 2 'the nodes come before the fabric: orcs-trace node01 node13 examples/cluster.ibnetdiscover' orcs-trace examples/cluster.ibnetdiscover node01 node13
	check "a topology first" says 2 'the nodes come before the fabric: orcs-trace H0_0 H1_1 torus:4x4' orcs-trace torus:4x4 H0_0 H1_1
	check "a node that failed" says 2 "no node is called 'node01'; --fail removed it" orcs-trace --quiet --fail leaf1 node01 node13 $cluster
	check "an output without a name" says 2 "the name of an output file is empty" orcs-trace -o '' node01 node13 $cluster
	check "one end" says 2 'two nodes are needed' orcs-trace node01
	check "a port without a cable" says 2 "'leaf3:7': leaf3 has no cable at port 7" orcs-trace --quiet --channel leaf3:7 $cluster
	check "a switch without a port" says 2 'add a port, as in leaf3:1' orcs-trace --quiet --channel leaf3 $cluster
	check "--by of a pair" says 2 'add --channel' orcs-trace --quiet --by machine 1 2 $cluster
	check "--by job without jobs" says 2 'add --jobs' orcs-trace --quiet --by job --channel leaf3:1 $cluster
	check "no tables" says 3 'cluster.ibnetdiscover: the fabric is not routed: add its tables' orcs-trace --quiet node01 node13 examples/cluster.ibnetdiscover
}
jelly=jellyfish:switches=9,ports=6,links=4,seed=3
orcs-route --quiet --routes "$work/ksp.routes" -o "$work/ksp.dot" ksp:4 $jelly
check "source routes" says 0 '^# H0_0 -> H7_0, route 2 of 4: . channels, share 0.25' orcs-trace --quiet --routes "$work/ksp.routes" H0_0 H7_0 $jelly
check "many routes" says 0 '^# [0-9]+ more routes: --top 0' orcs-trace --quiet --top 1 H0 H5 "$work/tree.dot"
check "lanes" says 0 '^# H0_0_0 -> H2_3_0: 7 channels, SL [0-9]+, VLs 1( 1){6}$' sh -c '
	orcs-route --quiet dfsssp-orcs -o "$1/lanes.dot" torus:5x7,hosts=2 && orcs-trace --quiet H0_0_0 H2_3_0 "$1/lanes.dot"' - "$work"
circle() {
	printf 'digraph g { H0; H1; S0; S1; H0 -> S0 [comment="*"]; H1 -> S1 [comment="*"]; S0 -> H0 [comment="H0"]; S1 -> H1 [comment="H1"];\n' &&
		printf 'S0 -> S1 [comment="H1"]; S1 -> S0 [comment="H0"] }\n'
}
circle | sed 's/S1 -> H1 \[comment="H1"\]/S1 -> H1/; s/comment="H0"\] }/comment="H0,H1"] }/' >"$work/circle.dot"
check "groups of a pair" says 2 'add --channel' orcs-trace --by leaf H0 H5 "$work/tree.dot"
check "a loop" says 4 '^# no route: S0 is entered twice' orcs-trace --quiet H0 H1 "$work/circle.dot"
check "a cache on standard input" says 2 'cannot be read again' sh -c '
	orcs --quiet --save-fabric "$1/t.orcsb" "$1/torus.dot" && orcs-trace --quiet H0_0_0 S1_1 - <"$1/t.orcsb"' - "$work"
check "a switch of a cache" says 0 '^To switch.* "S1_1"$' orcs-trace --quiet H0_0_0 S1_1 "$work/t.orcsb"

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
