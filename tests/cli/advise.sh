#!/bin/sh
# orcs-advise: its figures beside those of other programs, its files in the real OpenSM, and errors: advise.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd) || exit 1
data=${ORCS_TEST_DATA:-../shared/data}/ib/real
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH:/usr/sbin:/sbin
export PATH ORCS_BIN="$bin"

# fails STATUS TEXT COMMAND...: with one line
fails() {
	wanted=$1 text=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq "$wanted" ] && grep -Fq -e "$text" "$work/err" && [ "$(grep -c . "$work/err")" -eq 1 ] && [ ! -s "$work/out" ]
}

cluster="examples/cluster.ibnetdiscover examples/cluster.dump_fts"
# shellcheck disable=SC2086 # two files
orcs-advise --quiet --format json -o "$work/dir" $cluster >"$work/advice.json"

# value OF-ENGINE KEY: of the advice
value() {
	python3 -c 'import json, sys
for r in json.load(open(sys.argv[1]))["routings"]:
	if (r["engine"] or "now") == sys.argv[2]:
		print(r[sys.argv[3]])' "$work/advice.json" "$1" "$2"
}

# The same figures as of orcs-compare, orcs-check, orcs-bound.
figures() {
	for engine in minhop sssp ftree:roots=auto best; do
		orcs-import --quiet $cluster | orcs-route --quiet -o "$work/routed.dot" "$engine" - || return 1
		mean=$(orcs --quiet -n 500 --unroutable drop "$work/routed.dot" | sed -n 's/^effective bisection bandwidth (mean): //p')
		largest=$(orcs-bound --quiet --parts loads --format csv "$work/routed.dot" | sed 's/"[^"]*"/name/g' | awk -F, '$2 !~ /^H-/ && $4 !~ /^H-/ && $15 + 0 > most { most = $15 + 0 } END { print most }')
		orcs-import --quiet $cluster -o "$work/old.dot"
		changed=$(orcs-check --quiet --against "$work/old.dot" "$work/routed.dot" | sed -n 's/^entries .*compared: \([0-9]*\) changed.*/\1/p')
		awk -v a="$(value "$engine" mean)" -v b="$mean" 'BEGIN { exit !(a - b < 1e-6 && b - a < 1e-6) }' || { echo "$engine: $mean" && return 1; }
		awk -v a="$(value "$engine" largest_load)" -v b="$largest" 'BEGIN { exit !(b > 1 && a - b < 1e-5 && b - a < 1e-5) }' || { echo "$engine: $largest" && return 1; }
		shifts=$(orcs --quiet -p allshifts -d --ignore-speeds --metric sum_max_cong "$work/routed.dot" | sed -n 's/^mean: //p')
		awk -v a="$(value "$engine" shifts)" -v b="$shifts" 'BEGIN { exit !(a - b / 27 < 1e-9 && b / 27 - a < 1e-9) }' || { echo "$engine: $shifts" && return 1; }
		[ "$(value "$engine" entries_changed)" = "$changed" ] || { echo "$engine: $changed" && return 1; }
	done
}
check "figures" figures

# gain of the step: the paired difference that orcs-compare prints, of two routings
paired() {
	orcs-compare --quiet -n 500 --format json -R as-is,sssp $cluster >"$work/compared.json" && python3 - "$work/advice.json" "$work/compared.json" <<-'END'
		import json
		import sys
		advice, compared = (json.load(open(name)) for name in sys.argv[1:])
		sssp = [r for r in advice["routings"] if r["engine"] == "sssp"][0]
		now = [r for r in compared["routings"] if r["routing"] != "sssp"][0]["patterns"]["bisect"]
		low, high = now["difference_ci95"]
		ok = abs(sssp["gain"] + now["difference"]) < 1e-9 and abs(sssp["gain_ci95"][0] + high) < 1e-9 and abs(sssp["gain_ci95"][1] + low) < 1e-9
		sys.exit(not ok)
	END
}
check "paired differences" paired

# several patterns: the same differences as of orcs-compare, and no step that loses in one
patterns() {
	# shellcheck disable=SC2086 # two files
	orcs-advise --quiet -n 60 -p bisect,stencil:4x7,torus,alltoall --format json $cluster >"$work/several.json" || return 1
	# shellcheck disable=SC2086
	orcs-compare --quiet -n 60 --format json -p bisect,stencil:4x7,torus,alltoall -R as-is,sssp,osm-dor $cluster >"$work/compared.json" && python3 - "$work/several.json" "$work/compared.json" <<-'END'
		import json
		import sys
		advice, compared = (json.load(open(name)) for name in sys.argv[1:])
		of = {r["routing"]: r["patterns"] for r in compared["routings"]}
		base = [name for name in of if name not in ("sssp", "osm-dor")][0]
		ok = all(len(r["patterns"]) == 3 for r in advice["routings"] if r["refusal"] is None)
		for r in advice["routings"]:
		    if r["advised"]:
		        ok &= any(p["gain_ci95"][0] > 0 for p in r["patterns"]) and all(p["gain_ci95"][1] >= 0 for p in r["patterns"])
		    if r["engine"] in of:
		        for p in r["patterns"]:
		            ok &= abs(p["mean"] - of[r["engine"]][p["pattern"]]["mean"]) < 1e-9
		            ok &= abs(p["gain"] - (p["mean"] - of[base][p["pattern"]]["mean"])) < 1e-9
		sys.exit(not ok)
	END
}
check "several patterns" patterns
check "patterns in text" says 0 '^ +ring +1\.0000' orcs-advise --quiet -n 20 -p bisect,ring $cluster
check "a pattern twice" fails 2 "pattern 'ring' is given twice" orcs-advise --quiet -p ring,ring $cluster

# Folders as steps, with the files that they name.
folders() {
	[ "$(ls "$work/dir" | tr '\n' ' ')" = "1-sssp 2-ftree 3-best " ] && [ "$(ls "$work/dir/2-ftree" | tr '\n' ' ')" = "opensm.conf root_guids " ] &&
		[ "$(ls "$work/dir/3-best" | tr '\n' ' ')" = "lfts opensm.conf routed.dot " ] && grep -qx 'routing_engine ftree' "$work/dir/2-ftree/opensm.conf" &&
		grep -qx 'root_guid_file /etc/opensm/root_guids' "$work/dir/2-ftree/opensm.conf" && grep -q 'To go back' "$work/dir/1-sssp/opensm.conf"
}
check "folders" folders

# The real OpenSM with these files has the bandwidth that was promised.
real() { # ENGINE-OF-THE-ADVICE OPENSM-OPTION...
	advised=$1
	shift
	scripts/route_with_opensm.sh -o "$work/real.dot" "$@" || return 1
	mean=$(orcs --quiet -n 500 "$work/real.dot" | sed -n 's/^effective bisection bandwidth (mean): //p')
	awk -v a="$(value "$advised" mean)" -v b="$mean" 'BEGIN { exit !(b != "" && a - b < 0.01 && b - a < 0.01) }' || { echo "$advised: $mean" && return 1; }
}
if have opensm && have ibsim; then
	check "OpenSM with the list of roots" real ftree:roots=auto -e ftree examples/cluster.ibnetdiscover -a "$work/dir/2-ftree/root_guids"
	check "OpenSM with the tables" real best -e file examples/cluster.ibnetdiscover -U "$work/dir/3-best/lfts"
	check "OpenSM's sssp" real sssp -e sssp examples/cluster.ibnetdiscover
	orcs-export --quiet --to ibnetdiscover torus:4x4,hosts=4 | orcs-route --quiet -o "$work/torus.dot" minhop -
	orcs-advise --quiet --opensm --format json -o "$work/torus" "$work/torus.dot" >"$work/advice.json"
	check "torus-2QoS by OpenSM itself, and its file" real torus-2QoS -e torus-2QoS "$work/torus.dot" --torus_config "$(ls "$work"/torus/*-torus-2qos/torus-2QoS.conf)"
	real_changes() {
		orcs-check --quiet --against "$work/torus.dot" "$work/real.dot" | grep -q "compared: $(value torus-2QoS entries_changed) changed" &&
			[ "$(value torus-2QoS deadlock_free) $(value torus-2QoS lanes)" = "True 8" ] && [ "$(value nue deadlock_free)" = True ]
	}
	check "entries that torus-2QoS changes, and its lanes" real_changes
	check "torus-2QoS is for tori" says 0 '^not possible: torus-2QoS: ' orcs-advise --quiet --opensm -n 10 examples/fattree16.dot
	if [ -r "$data/loginoff/topo.xz" ]; then
		orcs-advise --quiet --format json -o "$work/loginoff" "$data/loginoff/topo.xz" >"$work/advice.json"
		for step in "$work"/loginoff/*-ftree; do
			[ -d "$step" ] || continue
			xz -dc "$data/loginoff/topo.xz" >"$work/topo"
			check "lists of a real fabric" real ftree:roots=auto,compute-nodes=auto -e ftree --allow-missing-entries "$work/topo" -a "$step/root_guids" -u "$step/cn_guids"
		done
	else
		skip "no fabric loginoff in $data"
	fi
else
	skip "opensm or ibsim is missing"
fi

# ---- other forms, and processes
orcs-import --quiet -o "$work/graph.dot" $cluster
orcs --quiet --save-fabric "$work/graph.orcsb" "$work/graph.dot"
for fabric in "$work/graph.dot" "$work/graph.orcsb"; do
	orcs-advise --quiet "$fabric" | sed 1d >"$work/is"
	# shellcheck disable=SC2086 # two files
	orcs-advise --quiet $cluster | sed 1d | diff - "$work/is" >"$work/diff"
	check "the same of ${fabric##*/}" [ ! -s "$work/diff" ]
done
if have mpirun; then
	export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
	ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun -n 3 "$bin/orcs-advise" --quiet "$work/graph.dot" 2>"$work/err" | sed 1d >"$work/three"
	check "three processes" diff "$work/is" "$work/three"
fi

# ---- planes: each as if it were alone
orcs-import --quiet $cluster | sed '1d; $d; /graph \[/d' >"$work/plane"
{
	echo 'digraph two {' && cat "$work/plane"
	sed 's/"H-/"Kx-/g; s/,H-/,Kx-/g; s/"leaf/"xleaf/g; s/"spine/"xspine/g; s/guid="0x00000000001/guid="0x00000000009/g' "$work/plane" && echo '}'
} >"$work/two.dot"
planes() {
	orcs-advise --quiet -n 100 -o "$work/planes" "$work/two.dot" >"$work/both" && orcs-advise --quiet -n 100 "$work/graph.dot" >"$work/one" || return 1
	sed -n '/^step/,/^$/p' "$work/one" >"$work/table"
	[ "$(grep -c . "$work/table")" -gt 5 ] && cat "$work/table" "$work/table" >"$work/wanted" && sed -n '/^step/,/^$/p' "$work/both" | diff - "$work/wanted" &&
		[ "$(ls "$work/planes" | tr '\n' ' ')" = "plane-1 plane-2 " ] && grep -q ", plane 2\$" "$work"/planes/plane-2/1-*/opensm.conf
}
check "planes one by one" planes
check "planes in JSON" sh -c 'orcs-advise --quiet -n 20 --format json "$1/two.dot" | jq -e ".schema == \"orcs-advise-planes/1\" and (.planes | length == 2) and .planes[1].plane == 2 and .planes[1].result.fabric.hosts == 28"' - "$work"

# ---- what the present tables lack
check "deadlocks are cured" says 0 'advice: .*, and no deadlocks$' orcs-advise --quiet -n 20 torus:5x5,hosts=2 -p ring
orcs-route --quiet sssp torus:5x5,hosts=2 -o "$work/deadlock.dot"
check "the same tables, but no deadlocks" sh -c 'orcs-advise --quiet -n 20 --format json "$1/deadlock.dot" |
	jq -e "[.routings[] | select(.engine == \"dfsssp\") | .same_as == null and .deadlock_free, .refusal] | .[0]"' - "$work"
# Two leaves with two hosts each are cabled to each other, too.
{
	printf 'digraph { L1 -> L2; L2 -> L1; '
	for host in 1 2 3 4 5 6 7 8; do
		printf 'H%d -> L%d; L%d -> H%d; ' $host $(((host + 1) / 2)) $(((host + 1) / 2)) $host
	done
	for leaf in 1 2 3 4; do
		printf 'L%d -> S1; S1 -> L%d; L%d -> S2; S2 -> L%d; ' $leaf $leaf $leaf $leaf
	done
	echo '}'
} >"$work/sideways.dot"
check "ftree that leaves entries out is not advised" sh -c '
	orcs-advise --quiet -n 20 --format json "$1/sideways.dot" |
	jq -e "[.routings[] | select(.uncertain)] | length == 3 and ([.[] | select(.advised)] | length == 0)"' - "$work"

# ---- no step, no routes, errors
check "no step, no directory" sh -c 'orcs-advise --quiet -n 20 -o "$1/none" examples/fattree16.dot | grep "^advice: keep the routing" && [ ! -e "$1/none" ]' - "$work"
check "without tables" sh -c 'orcs-advise --quiet examples/cluster.ibnetdiscover | grep "^now   minhop "'
check "a directory that exists" fails 2 "$work/dir exists: name a new directory" orcs-advise --quiet -o "$work/dir" "$work/graph.dot"
check "it is found before the fabric is read" fails 2 "$work/dir exists" orcs-advise -o "$work/dir" "$work/missing"
check "a directory with /" sh -c 'orcs-advise --quiet -n 20 -o "$1/slash//" "$1/graph.dot" >"$1/out" && ls "$1"/slash/1-*/opensm.conf' - "$work"
check "a directory that cannot be made" fails 1 "$work/a/b: cannot make the directory" orcs-advise --quiet -n 20 -o "$work/a/b" "$work/graph.dot"
check "its place is looked at before the fabric is read" fails 1 "$work/a/b: cannot make the directory: No such file" orcs-advise -o "$work/a/b" "$work/missing"
check "a directory without a name" fails 2 "--output is ''" orcs-advise --quiet -o "" "$work/graph.dot"
check "--opensm with --measured" fails 2 "--opensm tries routings" orcs-advise --quiet --opensm --measured a b "$work/graph.dot"
check "standard input" fails 2 "standard input cannot be" orcs-advise --quiet - <"$work/graph.dot"
sed 's/ guid="[^"]*",//' "$work/graph.dot" >"$work/nameless.dot"
check "no GUIDs" fails 2 "has no GUID, which OpenSM's files need" orcs-advise --quiet -o "$work/new" "$work/nameless.dot"
check "nothing is left" sh -c '! ls -d "$1"/new*' - "$work"
check "a pattern" fails 2 "unknown pattern 'bisekt'" orcs-advise --quiet -p bisekt "$work/graph.dot"

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
