#!/bin/sh
# run.sh - all benchmarks, their results as one JSON file, and pictures of them.

set -u
export LC_ALL=C
me=run.sh

usage() {
	cat <<'EOT'
Usage: bench/run.sh [--quick]

Runs the scripts that measure (see bench/README.md), joins what they find into
build/bench/results.json, and draws build/bench/performance_*.svg with gnuplot.
--quick takes small fabrics and few repetitions: whether all works, no more. Run
from the root of the repository, after make; needs jq. ORCS=PROGRAM and
BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

cases='read import pairs patterns processes instructions flow packet route'
mpirun=${MPIRUN-mpirun}
quick=
case $#,${1-} in
0,) ;;
1,--quick) quick=1 ;;
1,-h | 1,--help) ;;
*)
	echo 'run.sh: the only argument is --quick (--help tells more)' >&2
	exit 2 ;;
esac

# How the script of a case is called with --quick.
quick_arguments() { # CASE
	case $1 in
	read) echo 1 8 ;;
	import) echo 1 4 ;;
	pairs) echo 1 200000 128 1024 ;;
	patterns) echo 1 10000 128 ;;
	processes) echo 1 1000000 128 ;;
	instructions) echo 128 30 ;;
	flow | packet) echo small ;;
	route) echo 1 128 128 ;;
	esac
}

. bench/common.sh

rm -f "$rows" # it has none of its own
need jq
started=$(date +%s)
for case in $cases; do
	command=bench/$case.sh
	[ -z "$quick" ] || command="$command $(quick_arguments "$case")"
	missing=
	case $case in
	processes) command -v "${mpirun%% *}" >/dev/null 2>&1 || missing='mpirun is not installed' ;;
	instructions) valgrind --tool=none "$orcs" --version >/dev/null 2>&1 || missing='valgrind is not installed, or cannot run orcs' ;;
	esac
	if [ -n "$missing" ]; then
		printf '\nSKIPPED: %s: %s\n' "$command" "$missing"
		: >"$out/$case.jsonl"
		continue
	fi
	printf '\n== %s\n' "$command"
	# shellcheck disable=SC2086 # words
	$command || exit
	echo "$command" >>"$tmp/commands"
done

# The first line of what a command prints; nothing where it cannot tell.
tell() { # COMMAND...
	"$@" 2>/dev/null | head -n 1
}

for case in $cases; do
	cat "$out/$case.jsonl"
done | jq -s \
	--arg version "$(tell "$orcs" --version)" --arg commit "$(tell env GIT_OPTIONAL_LOCKS=0 git describe --always --dirty --abbrev=12)" \
	--arg date "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --arg seconds "$(($(date +%s) - started))" \
	--arg quick "$quick" --arg compiler "$(tell "${CC-cc}" --version)" --rawfile commands "$tmp/commands" \
	--arg processor "$(tell sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo)" --arg cores "$(getconf _NPROCESSORS_ONLN)" \
	--arg memory "$(tell sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)" --arg kernel "$(uname -srm)" \
	--arg pages "$(tell sed 's/.*\[\(.*\)\].*/\1/' /sys/kernel/mm/transparent_hugepage/enabled)" \
	--arg load "$(tell cut -d ' ' -f 1 /proc/loadavg)" '
	{schema: "orcs-bench/1", version: $version, commit: $commit, date: $date, seconds: ($seconds | tonumber), quick: ($quick != ""),
	machine: {processor: $processor, cores: ($cores | tonumber), memory_gb: (($memory | tonumber? // 0) * 1.024e-6 | round),
		kernel: $kernel, huge_pages: $pages, load_at_the_end: ($load | tonumber? // null)},
	compiler: $compiler, commands: ($commands | split("\n") | map(select(. != ""))), results: .}' >"$tmp/results.json" ||
	die "cannot join the results"
mv "$tmp/results.json" "$out/results.json" || die "cannot write $out/results.json"
bench/pictures.sh "$out/results.json" "$out" || exit
printf '\n%s seconds; results: %s\n' "$(($(date +%s) - started))" "$out/results.json"
