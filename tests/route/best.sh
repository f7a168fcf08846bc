#!/bin/sh
# The engine best: sound tables, the bytes of a seed, what it reaches beside other engines, and OpenSM loads it: best.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd) || exit 1
data=${ORCS_TEST_DATA:-../shared/data}/ib/real
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH:/usr/sbin:/sbin
export PATH ORCS_BIN="$bin"

# fails STATUS TEXT COMMAND...
fails() {
	wanted=$1 text=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err"
	[ $? -eq "$wanted" ] && grep -Fq -e "$text" "$work/err" && [ "$(grep -c . "$work/err")" -eq 1 ]
}

bandwidth() { # GRAPH
	orcs --quiet -n 1000 --ignore-speeds "$1" | sed -n 's/^effective bisection bandwidth (mean): //p'
}
largest() { # GRAPH: the largest load of all-to-all between switches
	orcs-bound --quiet --parts loads --format csv --ignore-speeds "$1" | sed 's/"[^"]*"/name/g' | awk -F, '$7 > 1 && $8 > 1 && $6 + 0 > most { most = $6 + 0 } END { print most }'
}
shifts() { # GRAPH: the sum of the largest loads of all shifts
	orcs --quiet -p allshifts -d --ignore-speeds --metric sum_max_cong "$1" | sed -n 's/^mean: //p'
}

# at_least A B and so on: numbers
at_least() {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a >= b) }' || { echo "$1 < $2" && false; }
}
at_most() {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a <= b) }' || { echo "$1 > $2" && false; }
}

# ---- sound
for fabric in torus:4x4x2,hosts=2 jellyfish:switches=20,ports=8,links=5,seed=2 dragonfly:p=2,a=4,h=2 fattree:k=4,n=3 hyperx:4x3,hosts=2 slimfly:q=5,hosts=2; do
	for objective in both bisect alltoall shifts; do
		orcs-route --quiet -o "$work/routed.dot" best:objective=$objective,passes=9 "$fabric"
		check "$fabric for $objective" orcs-check --quiet --require routable,minimal,deadlock-free "$work/routed.dot"
	done
done

# ---- complete trees
for tree in fattree:k=4,n=3 xgft:6:1/6:6; do
	orcs-route --quiet -o "$work/best.dot" best "$tree"
	check "shifts of $tree" at_most "$(shifts "$work/best.dot")" "$(orcs --quiet -p allshifts -d --metric sum_max_cong "$tree" | sed -n 's/^mean: //p')"
	orcs-route --quiet -o "$work/best.dot" best:objective=bisect "$tree"
	check "bisections of $tree" at_least "$(bandwidth "$work/best.dot")" "$(awk -v b="$(bandwidth "$tree")" 'BEGIN { print b - 0.004 }')"
done

# ---- the best of its kind
fabric=jellyfish:switches=30,ports=10,links=6,seed=5
for engine in minhop sssp dfsssp-orcs best:objective=bisect best:objective=alltoall best:objective=shifts best; do
	orcs-route --quiet -o "$work/$engine.dot" "$engine" $fabric
done
for engine in minhop sssp dfsssp-orcs; do
	check "bisections: more than $engine" at_least "$(bandwidth "$work/best:objective=bisect.dot")" "$(bandwidth "$work/$engine.dot")"
	check "all-to-all: less than $engine" at_most "$(largest "$work/best:objective=alltoall.dot")" "$(largest "$work/$engine.dot")"
	check "shifts: less than $engine" at_most "$(shifts "$work/best:objective=shifts.dot")" "$(shifts "$work/$engine.dot")"
	check "both: bisections, nearly those of $engine, or more" at_least "$(bandwidth "$work/best.dot")" "$(awk -v b="$(bandwidth "$work/$engine.dot")" 'BEGIN { print b - 0.01 }')"
	check "both: shifts, less than $engine" at_most "$(shifts "$work/best.dot")" "$(shifts "$work/$engine.dot")"
done

# ---- the figures of a real fabric
if [ -r "$data/psmn/X5.topofile.xz" ]; then
	for objective in bisect alltoall both; do
		orcs-route --quiet -o "$work/x5.$objective.dot" best:objective=$objective,ignore-speeds,passes=100 "$data/psmn/X5.topofile.xz"
	done
	check "X5: bisections" at_least "$(bandwidth "$work/x5.bisect.dot")" 0.755
	check "X5: all-to-all" at_most "$(largest "$work/x5.alltoall.dot")" 144
	check "X5: both, shifts" at_most "$(shifts "$work/x5.both.dot")" 280
	check "X5: both, bisections" at_least "$(bandwidth "$work/x5.both.dot")" 0.745
else
	skip "no fabric X5 in $data"
fi

# ---- speeds of hosts: a message can be no faster than its two ends, so slow hosts do not prefer fast cables
{
	echo 'digraph mixed {'
	for ends in L0-S0:50 L0-S1:100 H0-L0:100 H1-L0:100 H2-L0:40 L1-S0:50 L1-S1:100 H3-L1:100 H4-L1:100 H5-L1:40; do
		to=${ends#*-} speed=${ends#*:}
		echo "${ends%-*} -> ${to%:*} [speed=$speed]; ${to%:*} -> ${ends%-*} [speed=$speed];"
	done
	echo '}'
} >"$work/mixed.dot"
orcs-route --quiet -o "$work/best.dot" best:objective=bisect,passes=40 "$work/mixed.dot"
check "bisections of hosts of two speeds" at_least "$(orcs --quiet -n 10000 "$work/best.dot" | sed -n 's/^effective bisection bandwidth (mean): //p')" 0.95

# ---- what is reported: numbers that compare
for objective in both bisect alltoall shifts; do
	orcs-route -o /dev/null best:objective=$objective,passes=9 $fabric 2>"$work/err"
	reached=$(sed -n "s/^orcs-route: note: objective $objective: \([^ ]*\) after the first pass, \([^ ]*\) after 9 passes\$/\2 \1/p" "$work/err")
	order=at_most
	[ $objective = bisect ] && order=at_least # it is a bandwidth
	check "passes for $objective do not make it worse" $order ${reached:-bad 0}
done

# ---- reproducible
orcs-route --quiet -o "$work/one.dot" best:passes=9 torus:4x4,hosts=2
orcs-route --quiet -o "$work/two.dot" best:passes=9 torus:4x4,hosts=2
check "the same seed" cmp "$work/one.dot" "$work/two.dot"
orcs-route --quiet --seed 2 -o "$work/two.dot" best:passes=9 torus:4x4,hosts=2
check "another seed" sh -c '! cmp -s "$1/one.dot" "$1/two.dot"' - "$work"
repeated() {
	orcs-route -o "$work/one.dot" best:time=1 torus:4x4x4,hosts=4 2>"$work/err" || return 1
	passes=$(sed -n 's/^orcs-route: note: .*; passes=\([0-9]*\) repeats this$/\1/p' "$work/err")
	[ -n "$passes" ] && orcs-route --quiet -o "$work/two.dot" best:passes="$passes" torus:4x4x4,hosts=4 && grep -v 'routing=' "$work/one.dot" >"$work/a" &&
		grep -v 'routing=' "$work/two.dot" | cmp - "$work/a"
}
check "passes= repeats time=" repeated
check "progress" sh -c 'orcs-route -v -o /dev/null best:passes=2 torus:3x3 2>&1 | grep "^orcs-route: start 1, pass 2: both [0-9.e+]* after"'
compared() {
	orcs-compare --quiet -n 20 -R as-is,best:passes=5 torus:4x4 >"$work/one" && grep -q '^best:passes=5 ' "$work/one"
}
check "in orcs-compare" compared

# ---- an order of hosts
orcs-topology torus:4x4,hosts=1 | sed -n 's/^"\(H[^"]*\)".*/\1/p' | sort -R --random-source=tests/lib.sh >"$work/order"
in_order() {
	orcs-route --quiet -o "$work/a.dot" "best:objective=shifts,order=$work/order" torus:4x4 && orcs-route --quiet -o "$work/b.dot" best:objective=shifts torus:4x4 &&
		a=$(orcs --quiet -p allshifts -d --mapping "file:$work/order" --metric sum_max_cong "$work/a.dot" | sed -n 's/^mean: //p') &&
		b=$(orcs --quiet -p allshifts -d --mapping "file:$work/order" --metric sum_max_cong "$work/b.dot" | sed -n 's/^mean: //p') && at_most "$a" "$b" && [ "$a" != "$b" ]
}
check "an order" in_order

# ---- OpenSM
if have opensm && have ibsim; then
	loads() {
		orcs-route --quiet -o "$work/best.dot" best examples/cluster.ibnetdiscover && orcs-export --quiet --to lfts -o "$work/lfts" "$work/best.dot" &&
			scripts/route_with_opensm.sh -e file -o "$work/real.dot" --keep-dumps "$work/dumps" examples/cluster.ibnetdiscover -U "$work/lfts" &&
			orcs-import --quiet "$work/dumps/ibnetdiscover" "$work/dumps/lfts" | orcs-export --quiet --to lfts - | diff - "$work/lfts"
	}
	check "OpenSM loads it" loads
else
	skip "opensm or ibsim is missing"
fi

# ---- errors
check "an objective" fails 2 "best: the objective is 'fast', not both, bisect, alltoall or shifts" orcs-route --quiet best:objective=fast torus:4x4
check "no order" fails 1 "$work/none: cannot open" orcs-route --quiet "best:order=$work/none" torus:4x4
check "too few lanes" fails 3 "best" orcs-route --quiet --lanes 1 best torus:5x5

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
