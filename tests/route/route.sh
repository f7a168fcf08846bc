#!/bin/sh
# orcs-route: what its engines promise, by an independent reading of the graphs they write: route.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
PATH=$PATH:/usr/sbin:/sbin

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

if ! command -v python3 >/dev/null 2>&1; then
	echo "SKIPPED: python3 is not installed"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

# What an engine promises on any fabric.
promises() { # ENGINE
	case $1 in
	minhop-orcs | bfs | sssp-orcs) echo routable minimal ;;
	ecmp) echo routable minimal multipath ;;
	dfsssp-orcs | lash-orcs) echo routable minimal legal lanes=15 ;;
	updn-orcs | dnup-orcs | ftree-orcs | dmodk) echo routable legal lanes=1 ;;
	nue) echo routable legal lanes=4 ;;
	*) echo routable legal lanes=15 ;;
	esac
}

# The graph that an engine makes keeps what it promises, and what else is asked for.
keeps() { # GRAPH ENGINE PROPERTY...
	graph=$1
	engine=$2
	shift 2
	lanes=15
	[ "$engine" != nue ] || lanes=4
	# shellcheck disable=SC2046 # properties are words of their own
	"$bin/orcs-route" --quiet --allow-unreachable --lanes $lanes "$engine" "$graph" -o "$work/routed" &&
		python3 tests/route/check_routes.py "$work/routed" $(promises "$engine") "$@"
}

general='minhop-orcs bfs ecmp updn-orcs dnup-orcs ftree-orcs sssp-orcs dfsssp-orcs lash-orcs nue'

# ---- whole topologies
for row in 'fattree:k=4,n=3 dmodk' 'xgft:2:2/3:2/2:2 dmodk' 'thintree:down=3,up=2,n=3 dmodk' 'torus:4x5,hosts=2 dor' 'torus:6x3x2 dor' \
	'torus:4x4,wrap=1:0 dor' 'mesh:4x5 dor' 'hyperx:3x4,hosts=2 dor' 'ring:6 dor' 'torus:5x4,hosts=direct dor' 'mesh:3x4,hosts=direct dor' \
	'dragonfly:p=2,a=4,h=2 min' 'dragonfly:p=1,a=3,h=7,g=6,arrangement=relative min'; do
	spec=${row% *}
	"$bin/orcs-topology" "$spec" >"$work/whole"
	for engine in $general; do
		check "$spec by $engine" keeps "$work/whole" "$engine"
	done
	case ${row#* } in
	dor) check "$spec by dor" keeps "$work/whole" dor minimal lanes=2 ;;
	*) check "$spec by ${row#* }" keeps "$work/whole" "${row#* }" ;;
	esac
done
"$bin/orcs-topology" torus:6x4 >"$work/whole"
for ties in balanced positive negative random; do
	check "torus:6x4 by dor:ties=$ties" keeps "$work/whole" "dor:ties=$ties" minimal lanes=2
done
"$bin/orcs-topology" torus:4x4x4x4x4 >"$work/whole"
check "five dimensions by dor" keeps "$work/whole" dor minimal

gaps="1 2 3" graphs="1 2 3 4 5 6 7 8"
! sanitized || gaps=3 graphs="2 7"

# ---- the same with gaps, cables and whole switches
for row in 'fattree:k=4,n=3 dmodk' 'thintree:down=4,up=2,n=3 dmodk' 'torus:4x5,hosts=2 dor' 'mesh:4x5 dor' 'dragonfly:p=2,a=4,h=2 min'; do
	"$bin/orcs-topology" "${row% *}" >"$work/whole"
	for seed in $gaps; do
		switches=0
		case $row in *dmodk) switches=$((seed - 1)) ;; esac
		python3 tests/route/damage.py "$work/whole" $seed $((2 * seed)) $switches >"$work/gaps"
		for engine in $general "${row#* }"; do
			check "$row with gaps ($seed) by $engine" keeps "$work/gaps" "$engine"
		done
	done
done

# ---- any graph, also in parts
for seed in $graphs; do
	python3 tests/route/random_graph.py $seed $((seed / 7 + 1)) >"$work/random"
	for engine in $general; do
		check "random graph $seed by $engine" keeps "$work/random" "$engine"
	done
done

# ---- the routes of topologies are those of orcs-topology
sets() { # FILE
	sed -n 's/^[[:blank:]]*\("[^"]*" -> "[^"]*"\) \[comment="\([^"]\{1,\}\)".*/\1 \2/p' "$1" | sort
}
is_the_same() { # SPEC ENGINE
	"$bin/orcs-topology" "$1" | "$bin/orcs-route" "$2" -o "$work/routed" && sets "$work/routed" >"$work/ours" &&
		"$bin/orcs-topology" --tables "$1" >"$work/tables" && sets "$work/tables" >"$work/theirs" && [ -s "$work/ours" ] &&
		cmp "$work/ours" "$work/theirs"
}
check "dmodk is that of orcs-topology" is_the_same fattree:k=3,n=3 dmodk
check "dor is that of orcs-topology" is_the_same torus:6x4x3,hosts=2 dor
check "min is that of orcs-topology" is_the_same dragonfly:p=2,a=3,h=2 min

# ---- shifts share no channel of a whole tree
shifts_free() { # SPEC ENGINE
	"$bin/orcs-topology" "$1" | "$bin/orcs-route" "$2" | "$bin/orcs" -p allshifts -d --metric hist_max_cong | grep -q '^BW: 1\.0*$'
}
for spec in fattree:k=4,n=3 xgft:6:1/4:6/3:4; do
	check "shifts on $spec by dmodk" shifts_free $spec dmodk
	check "shifts on $spec by ftree-orcs" shifts_free $spec ftree-orcs
done

# ---- the same bytes again; chance by the seed alone
"$bin/orcs-topology" torus:4x4x2,hosts=2 >"$work/whole"
again() { # ENGINE
	"$bin/orcs-route" "$1" "$work/whole" >"$work/first" && "$bin/orcs-route" "$1" <"$work/whole" >"$work/second" &&
		cmp "$work/first" "$work/second"
}
for engine in $general dor dor:ties=random; do
	check "$engine again" again "$engine"
done
"$bin/orcs-route" --seed 1 dor:ties=random "$work/whole" >"$work/first"
"$bin/orcs-route" --seed 2 dor:ties=random "$work/whole" >"$work/second"
differ() {
	! cmp -s "$work/first" "$work/second"
}
check "another seed, other ties" differ

# ---- what is routed again is as if it had never been, and keeps what else the graph says
cat >"$work/marked" <<'END'
digraph "a name" {
	graph [note="kept", routing=old];
	H1 [desc="host \"one\"", sl="1:H2"];
	H1 -> A [comment="*", speed=100]; A -> H1 [comment="H1", sl2vl="0:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"];
	H2 -> A [comment="*"]; A -> H2 [comment="H1,H2"]; H2 [type=host, color=red];
}
END
forgets() {
	"$bin/orcs-route" minhop-orcs "$work/marked" >"$work/first" && "$bin/orcs-route" minhop-orcs "$work/first" >"$work/second" &&
		grep -q 'note="kept"' "$work/second" && grep -q 'routing="minhop-orcs"' "$work/second" && grep -q 'desc="host \\"one\\""' "$work/second" &&
		grep -q 'speed="100"' "$work/second" && grep -q 'color="red"' "$work/second" && ! grep -q '1:H2' "$work/second" &&
		! grep -q '1,1,1' "$work/second" && python3 tests/route/check_routes.py "$work/second" routable lanes=1
}
check "nothing stays of an older routing" forgets

# ---- roots, lanes, islands
"$bin/orcs-topology" torus:4x4 >"$work/whole"
by_roots() {
	"$bin/orcs-route" --roots S2_3,S2_3 updn-orcs "$work/whole" >"$work/first" && "$bin/orcs-route" updn-orcs "$work/whole" >"$work/second" && differ &&
		python3 tests/route/check_routes.py "$work/first" legal
}
check "roots that are given" by_roots
one_lane() {
	"$bin/orcs-route" --lanes 1 nue "$work/whole" >"$work/first" && python3 tests/route/check_routes.py "$work/first" routable legal lanes=1
}
check "nue with one lane" one_lane
python3 tests/route/random_graph.py 9 2 >"$work/islands"
names_ten() {
	"$bin/orcs-route" minhop-orcs "$work/islands" >"$work/first" 2>"$work/told"
	[ $? -eq 3 ] && [ ! -s "$work/first" ] && [ "$(grep -c 'no route from' "$work/told")" -eq 10 ] &&
		grep -q '[0-9] of [0-9]* pairs of hosts have no route by minhop-orcs; add --allow-unreachable' "$work/told" &&
		"$bin/orcs-route" --allow-unreachable minhop-orcs "$work/islands" 2>/dev/null | "$bin/orcs" --quiet -p null -n 1 >/dev/null
}
check "islands are named" names_ten
# Two tori without a cable between them: each host keeps its routes to the 24 others of its part.
two_parts() { # ENGINE
	{
		echo 'digraph {'
		"$bin/orcs-topology" torus:5x5 | grep -v -e '^digraph' -e '^graph' -e '^}'
		"$bin/orcs-topology" torus:5x5 | grep -v -e '^digraph' -e '^graph' -e '^}' | sed 's/"\([HS][0-9_]*\)"/"\1x"/g'
		echo '}'
	} >"$work/parts" && "$bin/orcs-route" --allow-unreachable "$1" "$work/parts" 2>"$work/told" >"$work/first" &&
		grep ' 1250 of 2450 pairs of hosts have no route' "$work/told" && python3 tests/route/check_routes.py "$work/first" legal
}
for engine in dfsssp lash; do
	check "two parts by $engine" two_parts $engine
done

# ---- other programs take the graphs
"$bin/orcs-topology" torus:4x4x2,hosts=2 | "$bin/orcs-route" dor >"$work/routed"
check "orcs runs on it" "$bin/orcs" -n 10 "$work/routed"
check "dot2osm takes it" "$bin/dot2osm" "$work/routed" "$work/net"
if [ -x "$bin/orcs-check" ]; then
	check "orcs-check finds it routable" "$bin/orcs-check" --require routable "$work/routed"
	for engine in updn-orcs ftree-orcs 'nue --lanes 1'; do
		# shellcheck disable=SC2086 # an option of the engine
		"$bin/orcs-route" $engine "$work/whole" >"$work/first"
		check "orcs-check finds $engine free of deadlocks" "$bin/orcs-check" --require routable,deadlock-free "$work/first"
	done
else
	skip "orcs-check is not built"
fi

# ---- as the engines of OpenSM, by effective bisection bandwidth
bandwidth() { # FILE of orcs-compare, CSV
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bandwidth") c = i } NR == 2 { print $c }' "$1"
}
near() { # SPEC ENGINE LESS MORE: how much less, and more, than the real OpenSM's
	"$bin/orcs-topology" "$1" >"$work/whole" && "$bin/orcs-route" --quiet "$2" "$work/whole" -o "$work/routed" &&
		"$bin/orcs-compare" --format csv "$work/whole" --engines "$2" >"$work/theirs" &&
		"$bin/orcs-compare" --format csv "$work/routed" >"$work/ours" &&
		ours=$(bandwidth "$work/ours") && theirs=$(bandwidth "$work/theirs") &&
		echo "$1 by $2: $ours, OpenSM $theirs" &&
		awk "BEGIN { d = ($ours) - ($theirs); exit !(\"$ours\" != \"\" && \"$theirs\" != \"\" && d > -($3) && d < $4) }"
}
missing=
for tool in opensm ibsim ibnetdiscover; do
	command -v $tool >/dev/null 2>&1 || missing=$tool
done
if [ -n "$missing" ]; then
	skip "$missing is not installed: no comparison with OpenSM"
else
	for row in 'fattree:k=4,n=3 minhop' 'fattree:k=4,n=3 updn' 'fattree:k=4,n=3 dnup' 'fattree:k=4,n=3 ftree' 'fattree:k=4,n=3 dfsssp' \
		'torus:5x5 minhop'; do
		check "$row like OpenSM" near "${row% *}" "${row#* }" 0.01 0.01
	done
	check "mesh by dor like OpenSM" near mesh:4x4,hosts=2 dor 0.05 0.25
fi

sh tests/cli/cases.sh "$bin" tests/route/route.cases >"$work/cases"
grep -v '^[0-9]* passed, ' "$work/cases"
passed=$((passed + $(awk '/^[0-9]+ passed, / { print $1 }' "$work/cases")))
failed=$((failed + $(awk '/^[0-9]+ passed, / { print $3 }' "$work/cases")))

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
