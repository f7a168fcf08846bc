#!/bin/sh
# Runs all tests: tests/run.sh BUILD_DIR (as build/plain). Ends with the sum of all, and fails if any test failed.
# TEST_JOBS (the number of cores): suites that run at the same time. TEST_SECONDS (1800): a suite that takes longer is ended, and has failed.
set -u

# Runs one program or script and adds up what it says: cmocka's lines, or a last line "N passed, N failed[, N skipped]".
#   run DIRECTORY NAME COMMAND...
run() {
	results=$1
	name=$2
	shift 2
	log=$(mktemp "$results/log.XXXXXX")
	began=$(date +%s)
	timeout -k 10 "${TEST_SECONDS:-1800}" "$@" >"$log" 2>&1 </dev/null
	status=$?
	line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
	if [ -n "$line" ]; then
		good=$(echo "$line" | awk '{print $1}')
		bad=$(echo "$line" | awk '{print $3}')
		left=$(echo "$line" | awk '$6 ~ /^skipped/ {print $5}')
	else
		good=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | head -n 1)
		bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log" | head -n 1)
		left=$(grep -c '^\[  SKIPPED \] [^0-9]' "$log")
	fi
	good=${good:-0}
	bad=${bad:-0}
	left=${left:-0}
	if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		bad=1
	fi
	if [ "$good" -eq 0 ] && [ "$bad" -eq 0 ] && [ "$left" -eq 0 ]; then
		echo "$name: ran no test" >>"$log"
		bad=1
	fi
	seconds=$(($(date +%s) - began))
	if [ "$bad" -ne 0 ]; then
		echo "FAILED $name ($good passed, $bad failed, status $status, $seconds s)"
		sed 's/^/    /' "$log" | tail -n 60
	else
		echo "ok     $name ($good passed$([ "$left" -ne 0 ] && echo ", $left skipped"), $seconds s)"
		grep -i '^skipped:' "$log" | sed 's/^/    /'
	fi >"$log.said"
	flock "$results/lock" cat "$log.said"
	echo "$good $bad $left" >"$log.sum"
}

if [ "$1" = --suite ]; then
	shift
	run "$@"
	exit 0
fi

# The interpreter itself, not a script before it such as those of pyenv, which take longer to begin than most of the tests' programs to end.
if python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) && [ -x "$python" ]; then
	export PATH="${python%/*}:$PATH"
fi

build=$1
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# suite NAME COMMAND...: a line of the list of suites, its words quoted for xargs, which joins lines that end with a blank
suite() {
	printf '"%s"' "$1"
	shift
	printf ' "%s"' "$@"
	echo
}

scripts() {
	for script in "$@"; do
		[ -f "$script" ] && suite "${script#tests/}" sh "$script" "$build/bin"
	done
}

# What waits for signals, for the clock or for figures of time has the machine to itself, at the end.
alone="tests/cli/signals.sh tests/cli/bench.sh tests/mpi/checkpoint.sh"

cases=400
case $build in */san) cases=120 ;; esac

together() {
	for script in tests/mpi/*.sh tests/route/*.sh tests/cli/*.sh tests/import/import.sh tests/import/direct.sh tests/check/*.sh \
		tests/bound/*.sh tests/flow/*.sh tests/packet/*.sh tests/papers/*.sh tests/record/*.sh tests/library/*.sh; do
		case " $alone " in *" $script "*) ;; *) scripts "$script" ;; esac
	done
	if command -v python3 >/dev/null 2>&1; then
		suite "fuzz command lines" python3 tests/fuzz/command_lines.py "$build/bin"
	fi
	if [ -x "$build/tests/property/property" ]; then
		suite "property" "$build/tests/property/property" "$build/bin/orcs" "${PROPERTY_CASES:-$cases}"
		suite "property self-test" "$build/tests/property/property" --self-test
	fi
	for program in "$build"/tests/fuzz/replay_*; do
		[ -x "$program" ] && case $program in *.o | *.d) ;; *) suite "fuzz ${program##*/replay_}" sh tests/fuzz/check.sh "$program" ;; esac
	done
	for program in "$build"/tests/unit/test_*; do
		[ -x "$program" ] && [ ! -d "$program" ] && case $program in *.o | *.d) ;; *) suite "unit ${program##*/test_}" "$program" ;; esac
	done
}

together | xargs -L 1 -P "${TEST_JOBS:-$(nproc)}" sh "$0" --suite "$results"
# shellcheck disable=SC2086 # a list
scripts $alone | xargs -L 1 sh "$0" --suite "$results"
if ! command -v python3 >/dev/null 2>&1; then
	echo "SKIPPED fuzz command lines: python3 is not installed"
	echo "0 0 1" >"$results/python3.sum"
fi

cat "$results"/*.sum 2>/dev/null | awk '{passed += $1; failed += $2; skipped += $3}
	END {printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || !passed}'
