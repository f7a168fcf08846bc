#!/bin/sh
# Runs all tests: tests/run.sh BUILD_DIR (as build/plain). Ends with the sum of all, and fails if any test failed.
set -u

build=$1
passed=0
failed=0
skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Runs one program or script and adds up what it says: cmocka's lines, or a last line "N passed, N failed[, N skipped]".
run() {
	name=$1
	shift
	"$@" >"$log" 2>&1
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
	passed=$((passed + good))
	failed=$((failed + bad))
	skipped=$((skipped + left))
	if [ "$bad" -ne 0 ]; then
		echo "FAILED $name ($good passed, $bad failed, status $status)"
		sed 's/^/    /' "$log" | tail -n 60
	else
		echo "ok     $name ($good passed$([ "$left" -ne 0 ] && echo ", $left skipped"))"
		grep -i '^skipped:' "$log" | sed 's/^/    /'
	fi
}

for program in "$build"/tests/unit/test_*; do
	[ -x "$program" ] && [ ! -d "$program" ] && case $program in *.o | *.d) ;; *) run "unit ${program##*/test_}" "$program" ;; esac
done
for script in tests/cli/*.sh tests/import/import.sh tests/import/direct.sh tests/check/*.sh tests/bound/*.sh tests/route/*.sh tests/flow/*.sh tests/packet/*.sh tests/mpi/*.sh; do
	[ -f "$script" ] && run "${script#tests/}" sh "$script" "$build/bin"
done
[ -x "$build/tests/property/property" ] && run "property" "$build/tests/property/property" "$build/bin/orcs" "${PROPERTY_CASES:-400}"
if [ -x "$build/tests/property/property" ]; then
	run "property self-test" "$build/tests/property/property" --self-test
fi
for program in "$build"/tests/fuzz/replay_*; do
	[ -x "$program" ] && case $program in *.o | *.d) ;; *) run "fuzz ${program##*/replay_}" sh tests/fuzz/check.sh "$program" ;; esac
done
if command -v python3 >/dev/null 2>&1; then
	run "fuzz command lines" python3 tests/fuzz/command_lines.py "$build/bin"
else
	skipped=$((skipped + 1))
	echo "SKIPPED fuzz command lines: python3 is not installed"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
