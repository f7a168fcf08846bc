#!/bin/sh
# orcs-bound against enumeration, formulas, linear programs and sampled runs: bound.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd) || exit 1
here=tests/bound
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

if ! have python3; then
	skip "python3 is not installed: nothing of orcs-bound can be checked"
	echo "$passed passed, $failed failed, $skipped skipped"
	exit 0
fi

fabric() {
	python3 $here/fabrics.py "$@"
}

reference() {
	python3 $here/reference.py "$@"
}

# The result as JSON: OPTION... FABRIC
bound() {
	"$bin/orcs-bound" --quiet --format json -o "$work/result.json" "$@"
}

# The command ends with this status and says this in one line, and nothing on standard output: STATUS TEXT COMMAND...
fails() {
	wanted=$1 text=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq "$wanted" ] && [ ! -s "$work/out" ] && [ "$(grep -c . "$work/err")" -eq 1 ] && grep -Fq -e "$text" "$work/err"
}

# ---- small random fabrics: every mapping, every permutation, and the exact linear programs
have glpsol || skip "glpsol is not installed: no linear programs"

exact() { # SEED SPEED_AWARE; sets option for the checks that follow
	option=
	[ "$2" -ne 0 ] || option=--ignore-speeds
	fabric random "$1" >"$work/random.dot" &&
		bound ${option:+"$option"} --unroutable drop --epsilon 0.02 --witness "$work/witness" "$work/random.dot" &&
		reference all "$work/random.dot" "$work/result.json" "$work/witness" "$2"
}

linear() {
	reference lp "$work/random.dot" "$work/result.json" "$work/witness"
}

# The same, narrowed down further.
narrow() { # SEED
	fabric random "$1" >"$work/random.dot" &&
		bound ${option:+"$option"} --parts worst,throughput --unroutable drop --epsilon 0.003 --max-phases 100000 --witness "$work/witness" "$work/random.dot" && linear
}

# Bottlenecks that a search of many rounds makes so long that other arcs are nothing beside them; what is possible was found by glpsol.
possible() { # FABRIC SHARE EPSILON PAIRS
	echo "$4" | tr ' ' '\n' | sed 's/-/ /; s/^/0 /' >"$work/pairs"
	bound --parts throughput --unroutable drop --epsilon "$3" -p "file:$work/pairs" "$1" &&
		python3 -c 'import json, sys; p = json.load(open(sys.argv[1]))["throughput"]["pattern"]; s = float(sys.argv[2])
sys.exit(not p["lower"] <= s * (1 + 1e-9) <= p["upper"] * (1 + 2e-9))' "$work/result.json" "$2"
}
check "a bottleneck of two hosts" possible tests/data/narrow.dot 1 0.01 "0-1 4-3"
check "many rounds" possible tests/data/split.dot 0.21428571428571427 0.002 "0-3 3-2 3-5 4-0 4-2 4-3 5-2 5-4"

# What orcs makes of the witness is the congestion that was found.
replays() { # FABRIC
	"$bin/orcs" --quiet -p "file:$work/witness" --subset file_order --mapping linear --metric sum_max_cong --ignore-speeds \
		--unroutable drop "$1" >"$work/replay" &&
		congestion=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["worst_permutation"]["congestion"])' "$work/result.json") &&
		grep -q "^sum $congestion: 1 of the 1 runs\$" "$work/replay"
}

seed=1
while [ $seed -le 48 ]; do
	check "random fabric $seed" exact $seed $((seed % 3 == 0))
	! have glpsol || check "random fabric $seed: linear programs" linear
	! have glpsol || check "random fabric $seed: linear programs, within 0.3%" narrow "$seed"
	[ $((seed % 3)) -eq 0 ] || check "random fabric $seed: the witness replays" replays "$work/random.dot"
	seed=$((seed + 1))
done

# ---- k-ary n-trees: the worst permutation by its formula, the ideal tree by enumeration and by known values
tree() { # K N
	fabric tree "$1" "$2" >"$work/tree.dot" && bound --witness "$work/witness" "$work/tree.dot" &&
		reference worst "$1" "$2" "$work/result.json"
}

for shape in "2 2" "2 3" "4 2" "3 3" "2 5" "8 2" "4 3"; do
	# shellcheck disable=SC2086 # two words
	check "worst permutation of the tree $shape" tree $shape
	check "its witness replays" replays "$work/tree.dot"
done
for shape in "2 2" "2 3"; do
	# shellcheck disable=SC2086
	check "tree $shape" tree $shape
	check "the ideal of the tree $shape is that tree" reference tree "$work/tree.dot" "$work/result.json"
done

# ---- tori: Towles and Dally, 8-ary 2-cube, dimension order; shares of the capacity under uniform traffic
fabric torus 8 8 >"$work/torus.dot"
awk 'BEGIN {
	for (i = 0; i < 64; i++) {
		x = i % 8
		y = (i - x) / 8
		print 0, i, y + 8 * x >"'"$work"'/transpose"
		print 0, i, (x + 3) % 8 + 8 * y >"'"$work"'/tornado"
		print 0, i, 63 - i >"'"$work"'/complement"
	}
}'

torus() { # PATTERN SHARE
	bound -p "file:$work/$1" "$work/torus.dot" && reference torus "$work/result.json" "worst=0.25 pattern=$2"
}

check "torus, transpose" torus transpose 0.25
check "torus, tornado" torus tornado 0.333333333
check "torus, bit complement" torus complement 0.5

# ---- expected loads against runs of orcs
sampled() { # FABRIC TRAFFIC
	bound --parts loads "$1" &&
		"$bin/orcs" --quiet -n 100000 -p "$2" --metric get_cable_cong --format json "$1" >"$work/sampled.json" &&
		reference sampled "$work/result.json" "$work/sampled.json" "$2"
}

fabric random 17 >"$work/random.dot"
for file in examples/fattree16.dot examples/fattree36_dor.dot "$work/tree.dot" "$work/torus.dot" "$work/random.dot"; do
	for traffic in bisect bisect_fb_sym rand; do
		check "$traffic on ${file##*/}: expected loads against 100,000 runs" sampled "$file" $traffic
	done
done

# ---- the picture is that of get_cable_cong for all-to-all, which knows no chance
same_picture() { # FABRIC
	"$bin/orcs-bound" --quiet --parts loads --graph "$work/exact.dot" -o /dev/null "$1" &&
		"$bin/orcs" --quiet -p alltoall -n 1 --metric get_cable_cong -o "$work/run.dot" "$1" &&
		cmp "$work/exact.dot" "$work/run.dot"
}

check "the picture of fattree36_dor" same_picture examples/fattree36_dor.dot
check "the picture of the torus" same_picture "$work/torus.dot"

# ---- any number of processes writes the same bytes
if have mpirun; then
	export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
	case ${ASAN_OPTIONS:-} in
	*detect_leaks=1*) mpi_options="$ASAN_OPTIONS:detect_leaks=0" ;;
	*) mpi_options=${ASAN_OPTIONS:-} ;;
	esac

	processes() { # N FABRIC
		bound -p bitcomp --witness "$work/witness" "$2" && mv "$work/result.json" "$work/alone.json" && mv "$work/witness" "$work/alone" &&
			ASAN_OPTIONS=$mpi_options mpirun -np "$1" "$bin/orcs-bound" --quiet --format json -o "$work/result.json" -p bitcomp \
				--witness "$work/witness" "$2" &&
			cmp "$work/alone.json" "$work/result.json" && cmp "$work/alone" "$work/witness"
	}

	for np in 2 3; do
		check "$np processes, torus" processes $np "$work/torus.dot"
		check "$np processes, fattree16" processes $np examples/fattree16.dot
	done
else
	skip "mpirun is not installed"
fi

# ---- forms and errors
lines() { # FABRIC
	"$bin/orcs-bound" --format csv "$1" >"$work/out" && [ "$(wc -l <"$work/out")" -eq 65 ] &&
		awk -F, 'NR == 1 { n = NF } NF != n || n != 18 { exit 1 }' "$work/out"
}

check "a row of CSV for every channel" lines examples/fattree16.dot
check "a table with a gap" fails 3 "no route" "$bin/orcs-bound" tests/data/dangling.dot
check "a loop" fails 3 "no route" "$bin/orcs-bound" tests/data/loop.dot
check "dropped pairs" "$bin/orcs-bound" --quiet --unroutable drop tests/data/loop.dot
check "no such file" fails 1 "nowhere.dot" "$bin/orcs-bound" nowhere.dot
check "nothing on standard input" fails 3 "<stdin>: the file is empty" "$bin/orcs-bound" </dev/null
from_a_pipe() {
	"$bin/orcs-bound" --quiet --parts loads <examples/fattree16.dot >"$work/piped" &&
		"$bin/orcs-bound" --quiet --parts loads - <examples/fattree16.dot | cmp - "$work/piped"
}
check "standard input where nothing is named" from_a_pipe
check "a misspelt part" fails 2 "did you mean" "$bin/orcs-bound" --parts worts examples/fattree16.dot
check "CSV without its part" fails 2 "requires the part loads" "$bin/orcs-bound" --format csv --parts worst,ideal examples/fattree16.dot
check "a pattern that does not fit" fails 2 "power of two" "$bin/orcs-bound" -p bitcomp examples/fattree36_dor.dot
check "no folder for the witness" fails 1 "cannot write" "$bin/orcs-bound" --witness "$work/none/file" examples/fattree16.dot
check "one file for two results" fails 2 "the same file" "$bin/orcs-bound" --witness "$work/file" -o "$work/file" examples/fattree16.dot
check "nothing is left of a failure" [ ! -e "$work/file" ]

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
