#!/bin/sh
# orcs-topology: its graphs are those of an independent generator, and orcs routes on them: topology.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

# Edge for edge, forwarding set for forwarding set, byte for byte.
is_as_defined() { # SPEC
	"$bin/orcs-topology" --tables "$1" >"$work/ours" && python3 tests/cli/topology_reference.py "$1" >"$work/reference" &&
		cmp "$work/ours" "$work/reference"
}

# The same of the cables alone.
is_joined_as_defined() { # SPEC
	"$bin/orcs-topology" "$1" | sed '/^graph /s/, routing="[^"]*"//' >"$work/ours" && python3 tests/cli/topology_reference.py "$1" >"$work/reference" &&
		cmp "$work/ours" "$work/reference"
}

# The graph without tables has the same nodes and channels, and names topology and routing instead.
differs_by_sets_alone() { # SPEC ROUTING
	"$bin/orcs-topology" --tables "$1" | sed 's/ \[comment="[^"]*"\]//' >"$work/without" &&
		"$bin/orcs-topology" "$1" >"$work/named" &&
		grep -q -x -F "graph [topology=\"$1\", routing=\"$2\"];" "$work/named" &&
		sed '/^graph /s/, routing="[^"]*"//' "$work/named" | cmp - "$work/without"
}

# orcs finds the same routes by the name of the routing function.
computes_its_tables() { # SPEC
	for tables in '' --tables; do
		# shellcheck disable=SC2086 # no word for no option
		"$bin/orcs-topology" $tables "$1" | "$bin/orcs" -n 20 --metric hist_max_cong,sum_max_cong --raw >"$work/result$tables" || return 1
	done
	[ -s "$work/result" ] && cmp "$work/result" "$work/result--tables"
}

# orcs reads it: so many hosts, and every one reaches every other.
is_routable() { # SPEC HOSTS
	"$bin/orcs-topology" --tables "$1" >"$work/routed" &&
		"$bin/orcs" -p alltoall --metric hist_max_cong "$work/routed" >"$work/result" &&
		grep -q " of the $(($2 * ($2 - 1))) connections" "$work/result"
}

# The mean bandwidth is that of the formula, within three standard errors or half a thousandth.
delivers() { # SPEC PATTERN EXPECTED
	"$bin/orcs-topology" --tables "$1" | "$bin/orcs" -p "$2" -n 4000 --format json |
		python3 -c '
import json, sys
result = json.load(sys.stdin)["metrics"]["hist_acc_band"]
error = 3 * result["sd"] / result["runs"] ** 0.5
print(result["mean"], error)
sys.exit(abs(result["mean"] - float(sys.argv[1])) > max(error, 0.0005))' "$3"
}

# Full bisection bandwidth: D-mod-K makes no shift wait.
shifts_are_free() { # SPEC HOSTS
	"$bin/orcs-topology" --tables "$1" | "$bin/orcs" -p allshifts -d --metric hist_max_cong >"$work/result" &&
		grep -q -x "weight 1: $(($2 * ($2 - 1))) of the $(($2 * ($2 - 1))) connections" "$work/result"
}

# The same results as the fabric that a script makes by other means, on the same mappings.
is_fattree3() { # SPEC K PODS
	"$bin/orcs-topology" --tables "$1" >"$work/ours" && sh bench/fattree3.sh "$2" "$3" >"$work/reference" || return 1
	for fabric in ours reference; do
		"$bin/orcs" --subset file_order -n 20 -p bruck --raw --metric hist_max_cong,sum_max_cong "$work/$fabric" >"$work/$fabric.txt"
	done
	[ -s "$work/ours.txt" ] && cmp "$work/ours.txt" "$work/reference.txt"
}

# One speed for each tier: hosts, within a copy, between copies.
has_tiers() {
	"$bin/orcs-topology" --speed 10/20/30 --latency 1e-9/2e-9 torus:3x3/fullmesh:2 >"$work/tiers" &&
		grep -q -x '"H0_0_0" -> "S0_0_0" \[speed="10", latency="1e-09"\];' "$work/tiers" &&
		grep -q -x '"S0_0_0" -> "S0_0_1" \[speed="20", latency="2e-09"\];' "$work/tiers" &&
		grep -q -x '"S0_0_0" -> "S2_0_0" \[speed="30", latency="2e-09"\];' "$work/tiers" &&
		[ "$(grep -c 'speed="30"' "$work/tiers")" -eq 36 ] && "$bin/orcs-topology" --speed 1/2/4 --tables fattree:k=2,n=3 |
		"$bin/orcs" -n 1 --speed-aware --metric hist_max_cong >"$work/result" && grep -q '^BW: ' "$work/result"
}

# So many edges are missing, nobody is cut off, and the same again.
fails_links() { # SPEC SHARE CABLES
	"$bin/orcs-topology" "$1" | grep -e '->' | sort >"$work/whole"
	"$bin/orcs-topology" --fail-links "$2" --keep-connected --seed 5 "$1" 2>"$work/err" >"$work/broken" &&
		"$bin/orcs-topology" --fail-links "$2" --keep-connected --seed 5 "$1" 2>/dev/null | cmp - "$work/broken" || return 1
	grep -e '->' "$work/broken" | sort >"$work/left"
	[ "$(comm -23 "$work/whole" "$work/left" | wc -l)" -eq $((2 * $3)) ] && [ -z "$(comm -13 "$work/whole" "$work/left")" ] &&
		! grep -q 'cut off\|left out\|routing=' "$work/err" "$work/broken" && is_connected "$work/broken"
}

# Every node of the graph is reached from the first.
is_connected() { # FILE
	awk -F'"' '
		/->/ { peers[$2] = peers[$2] " " $4; next }
		/^"/ { nodes++; if (!first) first = $2 }
		END {
			list[1] = first; seen[first] = 1; count = 1
			for (i = 1; i <= count; i++) {
				n = split(peers[list[i]], peer, " ")
				for (k = 1; k <= n; k++)
					if (!seen[peer[k]]++) list[++count] = peer[k]
			}
			exit !(count == nodes)
		}' "$1"
}

# Switches are drawn that leave the others and all hosts connected.
fails_switches() { # SPEC COUNT
	whole=$("$bin/orcs-topology" "$1" | grep -c '^"S[^>]*$')
	"$bin/orcs-topology" --fail-switches "$2" --keep-connected "$1" >"$work/broken" 2>"$work/err" &&
		[ "$(grep -c '^"S[^>]*$' "$work/broken")" -eq $((whole - $2)) ] && is_connected "$work/broken" &&
		[ "$(grep -c '^"H[^>]*$' "$work/broken")" -eq "$("$bin/orcs-topology" "$1" | grep -c '^"H[^>]*$')" ]
}

# What is cut off is counted: three switches of a ring with a gap on either side, hosts of a switch that is gone.
tells_what_is_cut_off() {
	printf '# two cables and a switch\nS1:3\nS5:2\n\nS8\n' >"$work/list"
	"$bin/orcs-topology" --fail-list "$work/list" ring:9,hosts=1 2>"$work/err" >"$work/broken" &&
		grep -q 'failed: 1 of 9 switches, 5 of 18 cables; .* they have no cable: 1; hosts disconnected from the others: 5$' "$work/err" && ! grep -q '"[SH]8"' "$work/broken"
}

# Positions as neato -n reads them, one for each node, no two alike.
has_positions() { # SPEC
	"$bin/orcs-topology" --pos "$1" | sed -n 's/^"[^"]*" \[\(pos="[^"]*"\)\];$/\1/p' >"$work/places"
	nodes=$("$bin/orcs-topology" "$1" | grep -c '^"[^>]*$')
	[ "$(wc -l <"$work/places")" -eq "$nodes" ] && [ "$(sort -u "$work/places" | wc -l)" -eq "$nodes" ]
}

has_speed() {
	"$bin/orcs-topology" --speed 12.5 --tables torus:3x3 >"$work/fast" && grep -q -x 'edge \[speed="12.5"\];' "$work/fast" &&
		"$bin/orcs" --metric get_cable_cong --speed-aware "$work/fast" | grep -q 'speed="12.5"'
}

# The file is there at once with what standard output gets, or not at all.
writes_files() {
	"$bin/orcs-topology" mesh:3x3 -o "$work/file" && "$bin/orcs-topology" mesh:3x3 | cmp - "$work/file" || return 1
	cp "$work/file" "$work/before"
	"$bin/orcs-topology" mesh:0x3 -o "$work/file" 2>/dev/null && return 1
	"$bin/orcs-topology" mesh:3x3 -o "$work/none/file" 2>/dev/null && return 1
	cmp "$work/before" "$work/file" && [ "$(find "$work" -name 'file*' | wc -l)" -eq 1 ]
}

full_disk_is_an_error() {
	"$bin/orcs-topology" fattree:k=8,n=3 >/dev/full 2>"$work/err"
	[ $? -eq 1 ] && grep -q '^orcs-topology: <stdout>: cannot write' "$work/err"
}

tells_what_it_writes() {
	"$bin/orcs-topology" -v dragonfly:p=2,a=4,h=2 2>"$work/err" >"$work/out" &&
		grep -q -F 'dragonfly:p=2,a=4,h=2: 72 hosts, 36 switches, 324 channels; routes by min, at most 5 channels' "$work/err"
}

# A graph of 224 MB in little memory.
takes_little_memory() {
	# shellcheck disable=SC3045 # dash, bash and busybox have -v; without it the test fails
	(ulimit -v 32768 && "$bin/orcs-topology" fattree:k=32,n=4 | tail -n 1 | grep -q -x '}')
}

for spec in bcube:n=2,k=3 bcube:n=4,k=2 bcube:n=3,k=1 star:5 tree:degree=3,height=3 mport:m=6,n=2 mport:m=4,n=4 gtree:4:2/3:3/2 gtree:2:2/2:0 \
	pgft:4:1:1/4:2:2 pgft:3:2:3/2:3:2/2:2:5 ring:7 ring:2,hosts=2 \
	ring:6,oneway ring:6,hosts=direct torus:4x3x2,hosts=direct mesh:3x2,hosts=direct fullmesh:6,hosts=2 fullmesh:5,hosts=direct \
	hypercube:4 hypercube:9,hosts=direct hyperx:4x1x3,hosts=3 hyperx:3x4,hosts=direct fattree:k=2,n=1 fattree:k=2,n=4 fattree:k=4,n=2 \
	fattree:k=3,n=3 thintree:down=3,up=2,n=3 thintree:down=2,up=3,n=3 \
	xgft:4:1/3:2/2:3 xgft:2:3/3:2/1:4/5:1 xgft:1:3/2:2 mesh:1 mesh:5x3x2 mesh:2x1x4,hosts=3 torus:4 torus:5x4,hosts=2 torus:4x4x2x3 \
	torus:7x6,wrap=1:0 torus:4x3x4,wrap=0:1:1,hosts=2 dragonfly:p=2,a=4,h=2 dragonfly:p=1,a=3,h=3,arrangement=relative \
	dragonfly:p=2,a=3,h=3,arrangement=circulant dragonfly:p=2,a=4,h=2,arrangement=circulant dragonfly:p=3,a=4,h=2,g=1 \
	dragonfly:p=1,a=4,h=2,g=7 dragonfly:p=1,a=3,h=7,g=6,arrangement=relative dragonfly:p=2,a=2,h=9,g=5,arrangement=circulant \
	dragonfly:p=1,a=5,h=11,g=4 dragonfly:p=2,a=4,h=2,g=4,arrangement=relative; do
	check "$spec is not as defined" is_as_defined "$spec"
done
printf '0 0 1 2\n0 1 2 0 # a comment\n1 0 2 1\n3 0 0 2\n3 1 1 1\n2 2 3 2\n' >"$work/arranged"
printf '0 0 1 1 2\n0 1 2 0\n1 0 2 1\n' >"$work/uneven"
printf '0 0 1 1\n1 0 2 1\n' >"$work/gap"
printf 'H1 S1\n# two cables\nS2 S1 2\nH2 S2\nS3\n' >"$work/edges"
for spec in twisted:3x3x2 twisted:3x3x2,degree=2,jump=1:2:0 twisted:4x4,jump=1:2,hosts=direct twisted:5x3,wrap=0:1,jump=7,hosts=2 \
	twisted:5,degree=0,jump=2 leafspine:leaves=4,spines=3,hosts=2 leafspine:leaves=8,spines=2,hosts=3,rails=4 slimfly:3 slimfly:4,hosts=2 \
	slimfly:5,hosts=direct slimfly:7 slimfly:8 slimfly:9 polarfly:2 polarfly:3,hosts=2 polarfly:4 polarfly:8,hosts=direct polarfly:9 \
	kautz:d=2,n=3 kautz:d=3,n=1 kautz:d=3,n=3,oneway kautz:d=2,n=4,hosts=direct debruijn:d=2,n=4 debruijn:d=3,n=2,hosts=2 \
	debruijn:d=2,n=3,oneway debruijn:d=4,n=1 dpillar:n=4,k=3 dpillar:n=6,k=2 dcell:n=2,k=3 \
	dcell:n=4,k=1 ficonn:n=4,k=2 ficonn:n=2,k=3 ficonn:n=6,k=0 hcn:a=3,b=0,h=2 hcn:a=2,b=1,h=3 hcn:a=4,b=1,h=1 bcn:a=2,b=1,h=2,gamma=0 \
	bcn:a=2,b=2,h=2,gamma=1 bcn:a=3,b=1,h=1,gamma=1 gqstar:k=2,n=3 gqstar:k=3,n=2 swcube:k=2,n=4 swcube:k=3,n=3 "graph:$work/edges" \
	stellar:torus:4x3,hosts=direct stellar:hyperx:3x3,hosts=2 stellar:fattree:k=2,n=2 stellar:dragonfly:p=1,a=3,h=1 stellar:ring:4,hosts=direct \
	fullmesh:4,parallel=3 torus:4x3,hosts=2,parallel=2 fattree:k=2,n=3,parallel=2 star:4,parallel=2 bcube:n=2,k=2,parallel=2 \
	ring:5,parallel=3,hosts=direct leafspine:leaves=4,spines=3,hosts=2,rails=2,parallel=2 torus:3x3/fullmesh:4,hosts=2 \
	torus:3x4/ring:3,hosts=direct star:4/ring:3 mesh:3x2/star:3 hypercube:3/fattree:k=2,n=2 fattree:k=2,n=2/fullmesh:2,parallel=2 \
	star:2/mesh:2x2/ring:3,hosts=direct dragonfly:p=1,a=2,h=1/star:2 slimfly:3/fullmesh:3,hosts=2 kautz:d=2,n=2/hypercube:2; do
	check "$spec is not as defined" is_joined_as_defined "$spec"
done
check "dragonfly of a file" is_as_defined "dragonfly_file:2,3,$work/arranged"
check "dragonfly of a file, uneven" is_as_defined "dragonfly_file:1,2,$work/uneven"
check "dragonfly of a file without tables" computes_its_tables "dragonfly_file:2,3,$work/arranged"
refused() {
	printf '%b' "$1" >"$work/wrong"
	says 2 "$2" "$bin/orcs-topology" "dragonfly_file:1,2,$work/wrong"
}
check "groups without a cable" refused '0 0 1 1\n1 0 2 1\n' 'groups 0 and 2 have no cable between them'
check "a cable within a group" refused '0 0 0 1\n' 'line 1: both ends are in group 0'
check "no such switch" refused '0 0 1 1\n0 2 1 0\n' 'line 2: switch 2, but those of a group are 0 to 1'
check "no cable" refused '# none\n' 'the file has no cables'
check "three words" refused '0 0 1\n' "line 1: a line is not 'GROUP SWITCH GROUP SWITCH'"
check "no number" refused '0 a 1 1\n' "a line is not"
check "fattree without tables" differs_by_sets_alone fattree:k=4,n=3 dmodk
check "torus without tables" differs_by_sets_alone torus:4x4,hosts=2 dor
check "dragonfly without tables" differs_by_sets_alone dragonfly:p=2,a=4,h=2 min
check "hypercube without tables" differs_by_sets_alone hypercube:4,hosts=2 dor
check "torus of hosts without tables" differs_by_sets_alone torus:4x4,hosts=direct dor
for spec in torus:4x5,hosts=direct ring:7,oneway hyperx:4x3,hosts=2 pgft:4:1:1/4:2:2 fullmesh:8 hypercube:4,hosts=direct \
	bcube:n=4,k=2 dcell:n=4,k=1 ficonn:n=4,k=2 dpillar:n=4,k=3 hcn:a=3,b=1,h=2 bcn:a=2,b=2,h=1 gqstar:k=2,n=3 swcube:k=2,n=3 \
	twisted:5x4,jump=2:0,hosts=2 twisted:4x3,jump=1:0,hosts=direct; do
	check "$spec has other routes with tables" computes_its_tables "$spec"
done
check "fattree is routable" is_routable fattree:k=4,n=3 64
check "thintree is routable" is_routable thintree:down=4,up=2,n=3 64
check "xgft is routable" is_routable xgft:4:2/3:2/2:3 24
check "mesh is routable" is_routable mesh:4x3,hosts=2 24
check "torus is routable" is_routable torus:4x3x3 36
check "torus of hosts is routable" is_routable torus:4x3x3,hosts=direct 36
check "ring of one way is routable" is_routable ring:9,oneway 9
check "hyperx is routable" is_routable hyperx:4x3,hosts=2 24
check "bcube is routable" is_routable bcube:n=3,k=3 27
check "dcell is routable" is_routable dcell:n=3,k=1 12
check "gqstar is routable" is_routable gqstar:k=2,n=3 36
check "pgft is routable" is_routable pgft:4:1:1/4:2:2 16
check "dragonfly is routable" is_routable dragonfly:p=2,a=4,h=2,arrangement=relative 72
# exact expectations of random bisections of all hosts
check "bisect on the 4-ary 2-tree" delivers fattree:k=4,n=2 bisect 0.91048951
check "bisect_fb_sym on the 4-ary 2-tree" delivers fattree:k=4,n=2 bisect_fb_sym 0.82657343
check "bisect on the 8-ary 2-tree" delivers fattree:k=8,n=2 bisect 0.85940468
check "bisect_fb_sym on the 8-ary 2-tree" delivers fattree:k=8,n=2 bisect_fb_sym 0.74150046
check "shifts on the 4-ary 3-tree" shifts_are_free fattree:k=4,n=3 64
check "shifts on the 6-ary 2-tree" shifts_are_free fattree:k=6,n=2 36
check "xgft as bench/fattree3.sh, 4-ary" is_fattree3 xgft:4:1/4:4/8:4 8 8
check "xgft as bench/fattree3.sh, 6-ary" is_fattree3 xgft:6:1/6:6/5:6 12 5
check "--speed" has_speed
check "--speed and --latency of tiers" has_tiers
check "--fail-links of a torus" fails_links torus:6x6 10% 7
check "--fail-links as many as can be" fails_links torus:6x6 37 37
check "--fail-links of a fat tree" fails_links fattree:k=4,n=3 25% 32
check "--fail-links of hosts that forward" fails_links dcell:n=4,k=1 5 5
check "--fail-switches of a fat tree" fails_switches fattree:k=4,n=3 9
check "--fail-switches of a BCube" fails_switches bcube:n=4,k=2 3
check "--fail-list" tells_what_is_cut_off
for spec in star:5 fattree:k=3,n=3 torus:4x4x4,hosts=2 twisted:4x5 ring:7,hosts=3 hypercube:6 hyperx:4x5,hosts=4 dragonfly:p=2,a=4,h=2 \
	leafspine:leaves=8,spines=4,hosts=4 slimfly:5 bcube:n=4,k=2 dcell:n=4,k=1 torus:3x3/fullmesh:4,hosts=2 star:4/mesh:2x3; do
	check "positions of $spec" has_positions "$spec"
done
check "-o" writes_files
check "/dev/full" full_disk_is_an_error
check "-v" tells_what_it_writes
case ${LSAN_OPTIONS:-} in
'') check "memory" takes_little_memory ;;
*)
	skipped=$((skipped + 1))
	echo "SKIPPED: memory: the sanitizers take more than any limit" ;;
esac

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
