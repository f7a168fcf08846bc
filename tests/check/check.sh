#!/bin/sh
# orcs-check: against brute force, on known shapes and faults, and on real fabrics where there are some: check.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
data=${ORCS_TEST_DATA:-../shared/data}
# programs with the sanitizers are slower
case $bin in */san/*) random=40 networks=25 samples=2 claims=10 damaged=1 ;; *) random=200 networks=100 samples=4 claims=40 damaged=1 ;; esac

# says STATUS PATTERN COMMAND...: it ends with the status, and what it prints has a line like the pattern.
says() {
	wanted=$1 pattern=$2
	shift 2
	"$@" >"$work/out" 2>&1
	status=$?
	cat "$work/out"
	[ $status -eq "$wanted" ] && grep -Eq -e "$pattern" "$work/out"
}

# The command ends with the status and one line, and no result: fails STATUS TEXT COMMAND...
fails() {
	wanted=$1 text=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq "$wanted" ] && [ ! -s "$work/out" ] && [ "$(grep -c . "$work/err")" -eq 1 ] && grep -Fq -e "$text" "$work/err"
}

orcs_check() {
	"$bin/orcs-check" --quiet "$@"
}

# A ring of switches with a host each, routed: clockwise (all one way), shortest, hops (shortest, with one lane for the first cable between
# switches and another for the next), or line (never over the cable between the last and the first switch, which is up*/down*).
ring() { # SWITCHES ROUTING
	awk -v n="$1" -v routing="$2" '
	function steps(s, d) { return (d - s + n) % n }
	function right(s, d) {
		if (routing == "line") return d > s
		if (routing == "clockwise") return 1
		return steps(s, d) * 2 <= n
	}
	function repeated(l,	k, text) { for (k = 0; k < 16; k++) text = text (k ? "," : "") l; return text }
	function lanes() {
		return routing == "hops" ? ", sl2vl=\"1:" repeated(0) ";2-3:" repeated(1) "\"" : ""
	}
	BEGIN {
		print "digraph ring {"
		for (s = 0; s < n; s++) {
			r = l = ""
			for (d = 0; d < n; d++)
				if (d != s) { if (right(s, d)) r = r ",H" d; else l = l ",H" d }
			printf "H%d -> S%d [comment=\"*\", port=1, peer_port=1]; S%d -> H%d [comment=\"H%d\", port=1, peer_port=1];\n", s, s, s, s, s
			printf "S%d -> S%d [comment=\"%s\", port=2, peer_port=3%s];\n", s, (s + 1) % n, substr(r, 2), lanes()
			printf "S%d -> S%d [comment=\"%s\", port=3, peer_port=2%s];\n", s, (s + n - 1) % n, substr(l, 2), lanes()
		}
		print "}"
	}'
}

# ---- brute force, and shapes (they count themselves)
if command -v python3 >/dev/null 2>&1; then
	for run in "reference.py $bin/orcs-check $random" "ways.py $bin/orcs-check $random" "loads.py $bin/orcs-check $networks" "pictures.py $bin/orcs-draw $networks" "shapes.py $bin/orcs-check $samples" \
		"claims.py $bin/orcs-check ${CLAIMS:-$claims}" "recognised.py $bin/orcs-check $damaged" "trees.py $bin/orcs-check $samples"; do
		# shellcheck disable=SC2086 # three words
		python3 tests/check/$run >"$work/said" 2>&1
		line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/said" | tail -n 1)
		if [ -z "$line" ]; then
			failed=$((failed + 1))
			echo "FAILED: $run"
			tail -n 5 "$work/said"
			continue
		fi
		grep '^FAILED' "$work/said"
		passed=$((passed + ${line%% *}))
		line=${line#*, }
		failed=$((failed + ${line%% *}))
	done
else
	skip "python3 is missing: brute force and shapes"
fi

# ---- rings: a credit loop and its cures
ring 6 clockwise >"$work/clockwise.dot"
ring 5 shortest >"$work/shortest.dot"
ring 6 line >"$work/line.dot"
ring 5 hops >"$work/hops.dot"
check "a ring of 6, one way" says 4 '^deadlock  possible: 6 dependencies on 1 lane, 6 channels in cycles; [2-4] lanes would suffice' orcs_check "$work/clockwise.dot"
check "its cycle" says 4 '^            S0\[2\] -> S1\[3\]$' orcs_check "$work/clockwise.dot"
check "a ring of 5, both ways" says 4 '^deadlock  possible: 10 dependencies on 1 lane, 10 channels' orcs_check "$work/shortest.dot"
check "without the last cable" says 0 '^deadlock  free' orcs_check "$work/line.dot"
check "but longer" says 4 '^not sound: not minimal' orcs_check --require minimal "$work/line.dot"
check "unused channels are named" says 0 '^  S0\[3\] -> S5\[2\]$' orcs_check "$work/line.dot"
check "lanes by hops" says 0 '^deadlock  free: [0-9]+ dependencies on 2 lanes, service level 0' orcs_check "$work/hops.dot"
check "lanes by hops, all levels" says 0 '^deadlock  free: .*, all service levels' orcs_check --sl all "$work/hops.dot"
sed 's/sl2vl="[^"]*"//' "$work/hops.dot" >"$work/no_lanes.dot"
check "and without it" says 4 '^deadlock  possible' orcs_check "$work/no_lanes.dot"
sed 's/2-3:1,/2-3:15,/' "$work/hops.dot" >"$work/discarded.dot"
check "lane 15" says 4 '^  switch S[0-9], from port [23] to port [23]$' orcs_check "$work/discarded.dot"

# ---- service levels of pairs
for topology in torus:6x6 torus:4x3x5,hosts=2 dragonfly:p=2,a=4,h=2 jellyfish:30,8,4; do
	for engine in dor min dfsssp-orcs lash-orcs nue; do
		case $engine:$topology in dor:[dj]* | min:[tj]*) continue ;; esac
		"$bin/orcs-topology" "$topology" | "$bin/orcs-route" --quiet "$engine" -o "$work/routed.dot"
		check "$topology by $engine" says 0 '^deadlock  free: .* lanes, the service level of each pair, no cycle' orcs_check "$work/routed.dot"
		check "$topology by $engine, all on one level" says 4 '^deadlock  possible' orcs_check --sl 0 "$work/routed.dot"
	done
done
"$bin/orcs-topology" torus:6x6 | "$bin/orcs-route" --quiet dor >"$work/dor.dot"
check "from standard input" says 0 '^<stdin>: 36 hosts' orcs_check <"$work/dor.dot"
check "every pair on every level" says 4 '^deadlock  possible: .*, all service levels' orcs_check --sl all "$work/dor.dot"
check "told in JSON" says 0 '"lanes":2,"sl":"told"' orcs_check --format json "$work/dor.dot"
"$bin/orcs" --save-fabric "$work/dor.orcsb" "$work/dor.dot" >/dev/null 2>&1
check "from a cache" says 0 '^deadlock  free: .*, the service level of each pair' orcs_check "$work/dor.orcsb"
sed 's/sl="1:/sl="16:/' "$work/dor.dot" >"$work/bad.dot"
check "a bad level of a pair" fails 3 'is not a list of service levels and hosts' orcs_check "$work/bad.dot"
sed 's/\[sl="1:H[0-9_]*/[sl="1:H99/' "$work/dor.dot" >"$work/bad.dot"
check "a level for nobody" fails 3 'is not a list of service levels and hosts' orcs_check "$work/bad.dot"
check "which is not read with --sl" says 4 'service level 2' orcs_check --sl 2 "$work/bad.dot"

# H2 passes on what H1 sends to H3 on level 0, and sends to H3 by the same channel on level 1
cat >"$work/through.dot" <<'END'
digraph through {
	H2 [sl="1:H3"];
	H1 -> A [comment="*"]; A -> H2 [comment="H2,H3"]; H2 -> B [comment="*"]; B -> C [comment="H3"]; C -> H3 [comment="H3"];
}
END
check "levels of a host that forwards" says 0 '^deadlock  free: 3 dependencies on 2 lanes' orcs_check --require none "$work/through.dot"

# ---- entries of several channels: all ways count
for row in 'torus:5x5 4 possible' 'torus:4x4,hosts=direct 4 possible' 'fattree:k=4,n=3 0 free' 'mesh:2x3 4 possible'; do
	# shellcheck disable=SC2086 # three words
	set -- $row
	"$bin/orcs-route" ecmp "$1" -o "$work/ways.dot"
	check "$1 by ecmp" says "$2" "^deadlock  $3: " orcs_check "$work/ways.dot"
	"$bin/orcs" --quiet --save-fabric "$work/ways.orcsb" "$work/ways.dot"
	orcs_check "$work/ways.dot" | tail -n +2 >"$work/plain"
	orcs_check "$work/ways.orcsb" | tail -n +2 >"$work/other"
	check "$1 by ecmp, from a cache" cmp "$work/plain" "$work/other"
done
"$bin/orcs-route" bfs torus:4x4,hosts=direct -o "$work/first.dot"
check "though the first ways alone could not" says 0 '^deadlock  free' orcs_check "$work/first.dot"
not_ambiguous() {
	! "$bin/orcs-check" "$work/ways.dot" 2>&1 | grep -q "multipath entries"
}
check "they are not ambiguous" not_ambiguous
"$bin/orcs-route" ecmp fattree:k=4,n=2 -o "$work/ways.dot"
check "how many pairs have several ways" says 0 '^ways      several for 192 \(80\.00%\) of these$' orcs_check "$work/ways.dot"
check "loads are shared" says 0 '^level 0 -> level 1 +16 +0 \| +12 +12\.00 +12 +0\.000 ' orcs_check "$work/ways.dot"
check "symmetric ways are not looked for" fails 2 'symmetric cannot be required' orcs_check --require symmetric "$work/ways.dot"
cat >"$work/bad_way.dot" <<'END'
digraph bad_way {
	H1 -> A [comment="*"]; A -> H1 [comment="H1"]; H2 -> D [comment="*"]; D -> H2 [comment="H2"];
	A -> B [comment="H2"]; A -> C [comment="H2"]; B -> D [comment="H2"]; C -> D; D -> C [comment="H1"]; C -> A [comment="H1"];
}
END
check "one way that ends" says 4 '^  H1 -> H2: switch C has no entry for H2, reached by A -> C$' orcs_check "$work/bad_way.dot"
sed 's/C -> D;/C -> A [comment="H2"];/' "$work/bad_way.dot" >"$work/loop_way.dot"
check "one way that goes round" says 4 '^  H1 -> H2: loop C -> A -> C$' orcs_check "$work/loop_way.dot"
sed 's/C -> D;/C -> E [comment="H2"]; E -> D [comment="H2"];/' "$work/bad_way.dot" >"$work/long_way.dot"
check "one way that is longer" says 0 '^  H1 -> H2: 1 hop more than necessary, via A C E D$' orcs_check "$work/long_way.dot"

# ---- packets via a random switch: what is known is for each phase
"$bin/orcs-route" --quiet valiant torus:5x5 -o "$work/via.dot"
check "a detour is not known to be sound" says 4 '^not sound: not known to be deadlock-free' orcs_check "$work/via.dot"
check "nor from a cache" says 4 '^not sound: not known to be deadlock-free' sh -c '"$1/orcs" --quiet --save-fabric "$2.orcsb" "$2" && "$1/orcs-check" "$2.orcsb"' \
	sh "$bin" "$work/via.dot"
check "its halves are" says 0 '^sound: routable, deadlock-free-halves$' orcs_check --require routable,deadlock-free-halves "$work/via.dot"
check "lanes of the second halves" says 4 '^          unknown for whole routes: free if the second phase has 2 lanes of its own$' orcs_check "$work/via.dot"
check "neither true nor false in JSON" says 4 '"deadlock":.*"free":null,"halves_free":true' orcs_check --format json "$work/via.dot"
check "a detour is not minimal" says 4 '^not sound: not minimal' orcs_check --require minimal "$work/via.dot"
"$bin/orcs-route" --quiet valiant:minhop-orcs torus:5x5 -o "$work/via.dot"
check "a half that deadlocks" says 4 '^not sound: not deadlock-free$' orcs_check "$work/via.dot"
check "and that alone" says 4 '^not sound: not deadlock-free-halves$' orcs_check --require deadlock-free-halves "$work/via.dot"

# ---- shapes that only their name tells
for fabric in polarfly:4 jellyfish:16,6,4 dcell:n=3,k=1 torus:4x4,hosts=direct; do
	check "$fabric says what it is" says 0 "^shape     $fabric\$" orcs_check --require regular "$fabric"
	"$bin/orcs-topology" "$fabric" >"$work/named.dot"
	check "$fabric says it by its attribute" says 0 "^shape     $fabric\$" orcs_check --require regular "$work/named.dot"
done
"$bin/orcs-topology" polarfly:4 | awk '/S1_0_0" -> "S0_1_0|S0_1_0" -> "S1_0_0/ { next } 1' >"$work/gap.dot"
check "cables that are missing" says 4 '^shape     polarfly:4, but for missing channels: 2 .the first: S1_0_0 -> S0_1_0.$' \
	orcs_check --require regular "$work/gap.dot"
"$bin/orcs-topology" polarfly:4 | sed 's/^}/"S1_0_0" -> "S1_1_1"; "S1_1_1" -> "S1_0_0"; }/' >"$work/more.dot"
check "cables that are too many" says 4 "^shape     irregular: edge S1_0_0 -> S1_1_1 is not in the topology 'polarfly:4'\$" orcs_check --require regular "$work/more.dot"
# ---- shapes by their cables alone, in any order of the file
as_found() { # TOPOLOGY SHAPE: also when the lines of the file come in the opposite order
	"$bin/orcs-topology" "$1" | grep -v '^digraph\|^}\|^graph' >"$work/lines"
	for order in cat tac; do
		{ echo 'digraph found {'; $order "$work/lines"; echo '}'; } | orcs_check --require none - | grep -Fx "shape     $2" || return 1
	done
}
for row in slimfly:4=Slim_Fly_q=4 slimfly:5=Slim_Fly_q=5 slimfly:7=Slim_Fly_q=7 slimfly:8=Slim_Fly_q=8 slimfly:9=Slim_Fly_q=9 slimfly:11=Slim_Fly_q=11 slimfly:13=Slim_Fly_q=13 \
	slimfly:7,parallel=2=Slim_Fly_q=7_of_2_parallel_cables hyperx:4x5=HyperX_4x5 hyperx:6x2x3=HyperX_2x3x6 hyperx:4x4,parallel=3=HyperX_4x4_of_up_to_3_parallel_cables \
	dragonfly:2,4,2,9,relative=dragonfly_p=2_a=4_h=2_of_9_groups dragonfly:2,4,2,9,circulant=dragonfly_p=2_a=4_h=2_of_9_groups \
	dragonfly:2,4,2,5=dragonfly_p=2_a=4_h=2_of_5_groups dragonfly:2,4,2,4=dragonfly_p=2_a=4_h=2_of_4_groups \
	leafspine:8,4,2,2="XGFT(2;_2,8;_1,4),_each_host_at_2_switches" bcube:4,2=irregular:_hosts_join_hosts_or_switches dcell:4,1=irregular:_hosts_join_hosts_or_switches \
	swcube:2,3=irregular:_hosts_join_hosts_or_switches ring:8,oneway=irregular kautz:2,3,oneway=irregular; do
	case $row in
	*,parallel=* | *,hosts=*) topology=${row%%=*}=$(echo "$row" | cut -d= -f2) ;;
	*) topology=${row%%=*} ;;
	esac
	check "$topology by its cables" as_found "$topology" "$(echo "${row#"$topology"=}" | tr _ ' ')"
done
# 8 of 1,452 cables missing, in the order of the generator and in the opposite one
"$bin/orcs-topology" --fail-links=8 --seed=3 dragonfly:p=4,a=8,h=4 | sed '/^digraph/d; /^graph/d; /^}/d' >"$work/lines"
for order in cat tac; do
	{ echo 'digraph found {'; $order "$work/lines"; echo '}'; } >"$work/dragonfly.dot"
	check "a damaged dragonfly, by $order" says 0 '^shape     dragonfly p=4 a=8 h=4 of 33 groups; 8 cables deviate$' orcs_check --require none "$work/dragonfly.dot"
done
dead() { # TOPOLOGY SWITCH PATTERN: without that switch and its hosts
	"$bin/orcs-topology" "$1" | grep -v "\"$2\"\|^graph\|topology" | sed '1i digraph dead {' | grep -v '^digraph [^d]' >"$work/dead.dot"
	says 0 "$3" orcs_check --require none "$work/dead.dot"
}
check "a torus without a switch" dead torus:4x4x4 S1_1_1 '^shape     torus 4x4x4; 1 switch missing; 6 cables deviate$'
check "a grid without a corner" dead mesh:4x6 S0_0 '^shape     mesh 4x6; 1 switch missing; 2 cables deviate$'
check "a tree without a switch" dead fattree:4,3 S2_11 '^shape     4-ary 3-tree; 1 switch missing; 8 cables deviate$'
check "a grid without a switch of its middle row" dead mesh:3x5 S1_1 '^shape     mesh 3x5; 1 switch missing; 4 cables deviate$'
check "what is missing is named" says 0 '^  S[13]_[0-9]+ - \(missing switch\) is missing$' orcs_check --require none "$work/dead.dot"
check "a dragonfly without a switch" dead dragonfly:1,4,2 S1_1 '^shape     dragonfly p=1 a=4 h=2 of 9 groups; 1 switch missing; 5 cables deviate$'
check "a Slim Fly without a switch" dead slimfly:5 S0_1_1 '^shape     Slim Fly q=5; 1 switch missing; 7 cables deviate$'
# three groups of three, three cables between each two; whole, and without one of the cables
groups_of_three() { # CABLES_MISSING PATTERN
	awk -v missing="$1" 'BEGIN {
		print "digraph three {"
		for (g = 0; g < 3; g++)
			for (s = 0; s < 3; s++) {
				printf "H%d%d -> S%d%d -> H%d%d;\n", g, s, g, s, g, s
				for (t = 0; t < s; t++) printf "S%d%d -> S%d%d -> S%d%d;\n", g, s, g, t, g, s
			}
		n = split("00-12 00-11 01-10 02-20 01-21 02-20 11-22 10-21 12-22", cable, " ")
		for (i = 1 + missing; i <= n; i++) {
			split(cable[i], end, "-")
			printf "S%s -> S%s -> S%s;\n", end[1], end[2], end[1]
		}
		print "}"
	}' >"$work/three.dot"
	says 0 "$2" orcs_check --require none "$work/three.dot"
}
check "three groups of three" groups_of_three 0 '^shape     dragonfly p=1 a=3 h=2 of 3 groups$'
check "without one of their cables" groups_of_three 1 '^shape     dragonfly p=1 a=3 h=2 of 3 groups; 1 cable deviates$'
bare() { # HOSTS PATTERN: the first leaf has so many hosts
	"$bin/orcs-topology" fattree:4,3 | grep -v '^graph\|topology' | awk -v keep="$1" '{ for (i = keep; i < 4; i++) if ($0 ~ "\"H" i "\"") next } 1' >"$work/bare.dot"
	says 0 "$2" orcs_check --require none "$work/bare.dot"
}
for hosts in 0 1 2; do
	check "a leaf with $hosts hosts" bare $hosts "^shape     4-ary 3-tree; $hosts to 4 hosts at a switch\$"
done

# One switch of 64 and so many of 128 cables besides: their shares add up to a twentieth at most.
dead_and() { # CABLES PATTERN
	"$bin/orcs-topology" --fail "S3_3,$(seq -s, -f 'S%g_0:2' 0 $(($1 - 1)))" torus:8x8 2>/dev/null | grep -v topology= >"$work/dead.dot"
	says 0 "$2" orcs_check --require none "$work/dead.dot"
}
check "a switch and four cables" dead_and 4 '^shape     torus 8x8; 1 switch missing; 8 cables deviate$'
check "a switch and five cables" dead_and 5 '^shape     irregular$'
# A line in two pieces.
pieces() { # CABLE PATTERN
	"$bin/orcs-topology" --fail "$1" mesh:12 2>/dev/null | grep -v topology= >"$work/line.dot"
	says 0 "$2" orcs_check --require none "$work/line.dot"
}
check "two halves of a line" pieces S5:3 '^shape     2 planes: mesh 6$'
check "two pieces of a line" pieces S3:3 '^shape     2 planes: irregular$'

# A cable is a bridge between the two switches that alone have more neighbours than most: without it there are two pieces.
cat >"$work/bridge.dot" <<'END'
digraph bridge {
	H0->S0->H0; H1->S1->H1; H2->S2->H2; H3->S3->H3; H4->S4->H4; H5->S5->H5; H6->S6->H6; H7->S7->H7; H8->S8->H8; H9->S9->H9;
	S0->S1->S0; S0->S2->S0; S0->S3->S0; S0->S8->S0; S1->S5->S1; S2->S4->S2; S2->S6->S2; S3->S7->S3; S5->S9->S5; S7->S8->S7;
}
END
check "a cable that is a bridge" says 0 '^shape     irregular$' orcs_check --require none "$work/bridge.dot"
echo 'digraph own { H0->A0->H0; H1->A1->H1; H2->A2->H2; H3->A3->H3; A0->A1->A0; A1->A2->A1; A2->A3->A2; A3->A0->A3; A0->A0; }' >"$work/own.dot"
check "a channel of a switch to itself" says 0 '^shape     torus 4; 1 cable deviates$' orcs_check --require none "$work/own.dot"
check "a shape by its cables comes first" says 0 '^shape     torus 6x6$' orcs_check "$work/dor.dot"

# ---- no routes at all
"$bin/orcs-topology" slimfly:5 >"$work/unrouted.dot"
for fabric in slimfly:5 "$work/unrouted.dot"; do
	check "it says that there are no routes" says 4 '^routes    .*orcs-route' orcs_check "$fabric"
	check "and not that they are free of deadlocks" says 4 '^deadlock  not checked' orcs_check "$fabric"
	check "in JSON, too" says 4 '"unrouted":true.*"free":null' orcs_check --format json "$fabric"
done
"$bin/orcs-route" --routes "$work/ksp.routes" ksp:2 slimfly:5 -o "$work/ksp.dot"
check "routes in a file" says 4 '^routes    its source routes are in a separate file' orcs_check "$work/ksp.dot"

# ---- faults are named
check "a missing entry" says 4 'no entry for .*, reached by ' orcs_check tests/data/dangling.dot
check "a loop" says 4 ': loop .* -> ' orcs_check tests/data/loop.dot
check "nothing required" says 0 '^nothing is required' orcs_check --require none tests/data/loop.dot

# ---- fat trees and examples
check "fattree16" says 0 '^shape     4-ary 2-tree$' orcs_check --require routable,deadlock-free,minimal,regular,balanced:0.01 examples/fattree16.dot
check "fattree324" says 0 '^pairs     104652: all routable; of these all minimal' orcs_check examples/fattree324.dot
check "dimension order on a tree is unbalanced" says 4 '^not sound: not balanced:0.5' orcs_check --require balanced:0.5 examples/fattree36_dor.dot
check "dimension order on a tree is symmetric" says 0 '^sound: symmetric' orcs_check --require symmetric examples/fattree36_dor.dot
check "destinations spread over a tree are not" says 4 '; back leaf' orcs_check --require symmetric examples/fattree16.dot
sh bench/fattree3.sh 8 >"$work/tree.dot"
check "three levels" says 0 '^shape     XGFT\(3; 4,4,8; 1,4,4\)$' orcs_check --require regular,minimal,balanced:0.001 "$work/tree.dot"
check "its oversubscription" says 0 '^level 1 +32 +128 +128 +0 +1\.0000' orcs_check "$work/tree.dot"
gzip -c "$work/tree.dot" >"$work/tree.dot.gz"
"$bin/orcs" --save-fabric "$work/tree.orcsb" "$work/tree.dot" >/dev/null 2>&1
for form in gz cache; do
	case $form in gz) file=$work/tree.dot.gz ;; cache) file=$work/tree.orcsb ;; esac
	orcs_check "$work/tree.dot" | tail -n +2 >"$work/plain"
	orcs_check "$file" | tail -n +2 >"$work/other"
	check "the same from $form" cmp "$work/plain" "$work/other"
done
check "standard input" says 0 '^<stdin>: 128 hosts' orcs_check - <"$work/tree.dot"

# ---- results and errors
check "an output file" orcs_check -o "$work/result" examples/fattree16.dot
orcs_check examples/fattree16.dot >"$work/plain"
check "has the same" cmp "$work/plain" "$work/result"
fails_and_leaves_nothing() {
	fails 1 'cannot open' orcs_check -o "$work/none" "$work/absent.dot" && [ ! -e "$work/none" ]
}
check "no output on errors" fails_and_leaves_nothing
cp examples/fattree16.dot "$work/own.dot"
check "not over the fabric" fails 2 'would overwrite' orcs_check -o "$work/own.dot" "$work/own.dot"
check "the fabric is still there" cmp examples/fattree16.dot "$work/own.dot"
check "nothing on standard input" fails 3 '<stdin>: the file is empty' orcs_check </dev/null
check "two fabrics" fails 2 'is a fabric by itself' orcs_check examples/fattree16.dot examples/fattree16.dot
check "an unknown requirement" fails 2 "did you mean 'minimal'?" orcs_check --require minimum x.dot
check "balanced without a limit" fails 2 'balanced needs a limit' orcs_check --require balanced x.dot
check "a bad limit" fails 2 'not a number > 0' orcs_check --require balanced:x x.dot
check "a bad level" fails 2 'not an integer from 0 to 15' orcs_check --sl 16 x.dot
check "no csv" fails 2 "csv" orcs_check --format csv x.dot
check "a dump" says 4 'routes    the fabric is not routed: add its tables with --lft FILE' orcs_check tests/data/unfit.ibnetdiscover
sed 's/sl2vl="1:/sl2vl="x:/' "$work/hops.dot" >"$work/bad.dot"
check "a bad table of lanes" fails 3 'is not a table of virtual lanes' orcs_check "$work/bad.dot"

# ---- real fabrics
found=
for folder in "$data"/ib/real-routed/*; do
	[ -d "$folder" ] || continue
	found=yes
	"$bin/orcs-import" --quiet -o "$work/real.dot" "$folder"/* 2>/dev/null
	orcs_check --require none --format json "$work/real.dot" >"$work/json"
	check "${folder##*/}: every pair has a route" grep -q '"unroutable":0,' "$work/json"
	check "${folder##*/}: shortest ways" grep -q '"extra":{"0":[0-9]*}' "$work/json"
done
lassen=$data/ib/real-routed/hk_Topo6_CS7500.minhop
if [ -d "$lassen" ]; then
	"$bin/orcs-import" --quiet -o "$work/lassen.dot" "$lassen"/* 2>/dev/null
	check "loads of a real fabric, followed route by route" \
		python3 tests/check/loads.py "$bin/orcs-check" 0 1 "$work/lassen.dot" 823 68
	check "and its hottest channel" says 0 '^load      823 of 6538 .*, 68 more than twice; the hottest 5.28 times: .*/L11/U2\[20\]' \
		orcs_check "$work/lassen.dot"
fi
for fabric in "dmodk fattree:k=6,n=3" "dmodk thintree:4,2,3" "min dragonfly:p=3,a=6,h=3" "dor torus:4x4x4,hosts=2" "dor torus:5x4,hosts=2" \
	"dor mesh:6x5,hosts=2" "dor hyperx:4x4,hosts=4" "dor hypercube:5"; do
	"$bin/orcs-route" --quiet "${fabric%% *}" "${fabric#* }" -o "$work/routed.dot"
	check "${fabric#* }: nothing above its share" says 0 '^load      no channel of [0-9]+ carries more than its fair share$' \
		orcs_check "$work/routed.dot"
done
[ -n "$found" ] || skip "no real fabrics in $data"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
