#!/bin/sh
# The benchmarks work, with small fabrics: bench.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

for tool in jq /usr/bin/time; do
	if ! command -v $tool >/dev/null 2>&1; then
		echo "SKIPPED: $tool is not installed"
		echo "0 passed, 0 failed, 1 skipped"
		exit 0
	fi
done
# Open MPI's own leaks are not ours.
export ORCS="$bin/orcs" BENCH_OUT="$work/out" ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
results=$work/out/results.json

holds() { # FILTER-OF-JQ
	jq -e "$1" "$results"
}

fails() { # STATUS TEXT COMMAND...
	wanted=$1 text=$2
	shift 2
	"$@" >"$work/shown" 2>&1
	[ $? -eq "$wanted" ] && grep -q "$text" "$work/shown"
}

bench/run.sh --quick >"$work/quick" 2>&1 </dev/null
check "bench/run.sh --quick: status $?: $(tail -n 1 "$work/quick")" [ -f "$results" ]
grep '^SKIPPED' "$work/quick" && skipped=$(grep -c '^SKIPPED' "$work/quick")
check 'the results say what they are' holds '.schema == "orcs-bench/1" and .quick and (.machine.cores > 0) and (.compiler != "")
	and (.date | test("^20[0-9-]*T")) and (.commands | length > 3)'
for case in read import pairs patterns processes instructions flow route; do
	case $(grep "^SKIPPED.*$case.sh" "$work/quick") in
	'') check "no results of $case.sh" holds "[.results[] | select(.case == \"$case\")] | length > 0" ;;
	esac
done
check 'a pair takes time' holds '[.results[] | select(.ns != null).ns] | length > 10 and min > 0'
check 'pairs are looked up and walked' holds '[.results[] | select(.case == "pairs").way] | contains(["looked up", "walked"])'
check 'a look-up has a limit' holds '.results | map(select(.way == "looked up" and .case == "pairs"))
	| all(.huge_ns > 0 and .limit_ns > .huge_ns)'
check 'a ratio of 1 for the cheapest' holds '.results | map(select(.case == "patterns")) | group_by(.pattern) | all(map(.ratio) | min == 1)'
check 'instructions of the parts are no more than all' holds '.results | map(select(.case == "instructions")) | group_by(.way)
	| all((map(select(.function == "all").instructions) | add) as $all | $all > 100 and (map(.instructions) | add) <= 2.01 * $all)' # both

check 'every engine tells its time and its lanes' holds '[.results[] | select(.case == "route" and .fabric)] | length == 17
	and all(.median_s >= 0 and .lanes >= 1 and .memory_mb > 0)'
if grep -q '^SKIPPED: opensm\|^SKIPPED: ibsim' "$work/quick"; then
	echo 'SKIPPED: no OpenSM to be compared with'
else
	check 'beside OpenSM' holds '[.results[] | select(.opensm_s)] | length > 4 and all(.opensm_s > 0)'
fi

# The text: only what stands between marks is another, and every table is there; twice is as once.
without_tables() { # FILE
	awk '/^<!-- end/ { inside = 0 } !inside; /^<!-- bench/ { inside = 1 }' "$1"
}
mkdir "$work/doc"
cp doc/performance.md "$work/doc/text.md"
check 'bench/report.sh' bench/report.sh "$results" "$work/doc/text.md"
without_tables doc/performance.md >"$work/before"
without_tables "$work/doc/text.md" >"$work/after"
check 'the text beside the tables stays' cmp "$work/before" "$work/after"
check 'every table has rows' awk '
	/^<!-- bench/ { n = 0; tables++ }
	{ n++ }
	/^<!-- end/ { empty += n < 3 && last != "opensm" }
	/^<!-- bench/ { last = $3 }
	END { exit tables != 13 || empty }' "$work/doc/text.md"
cp "$work/doc/text.md" "$work/once"
bench/report.sh "$results" "$work/doc/text.md" >/dev/null 2>&1
check 'bench/report.sh twice' cmp "$work/once" "$work/doc/text.md"
check 'report.sh without results' fails 1 'is missing' bench/report.sh "$work/missing"
if command -v gnuplot >/dev/null 2>&1; then
	for picture in hosts costs; do
		check "the picture of $picture" grep -q '</svg>' "$work/doc/pictures/performance_$picture.svg"
	done
else
	echo 'SKIPPED: gnuplot is not installed: no pictures'
	skipped=$((skipped + 1))
fi

# Those that run.sh does not call.
check 'bench/page.sh' bench/page.sh 16=fattree:k=4,n=2
check 'a page has a time and a size' sh -c 'jq -es "map(.hosts == 16 and .page_mb > 0 and .page_mb < 1 and .memory_mb > 0) == [true]" "$1/page.jsonl"' sh "$work/out"

# The scripts refuse what they cannot do.
check 'a fabric that there is not' fails 1 'no fabric of 100 hosts' bench/patterns.sh 1 1000 100
check 'a program that is missing' fails 1 'run make first' env ORCS="$work/orcs" bench/read.sh
${CC-cc} -std=gnu17 -O1 -Wall -Wextra -Werror bench/limits.c -o "$work/limits"
check 'limits' sh -c '"$1" 65536 1000 1 | jq -e "[.read, .read_huge, .add, .look] | min > 0"' sh "$work/limits"
check 'limits without arguments' fails 2 Usage "$work/limits"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
