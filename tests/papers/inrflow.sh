#!/bin/sh
# The statements of the INRFlow paper: the verdicts of doc/papers/inrflow.md are those of a small run: inrflow.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

verdicts() { # PAGE RUN; what a small run leaves out is open
	awk -v tools=none -f tests/papers/verdicts.awk "$1" "$2"
}

# How many statements of a table are judged.
judged() {
	awk -F ' [|] ' '/^\| [0-9]+ \|/ && $6 != "open"' "$1" | wc -l
}

# With the results of the 6-D torus and the fat tree exchanged the statements about them have other verdicts.
mutant() {
	sed 's/,torus6,/,TORUS,/; s/,fattree,/,torus6,/; s/,TORUS,/,fattree,/' "$work/run/results.csv" >"$work/exchanged" &&
		awk -v big=4096 -f scripts/inrflow_statements.awk "$work/exchanged" >"$work/mutant" &&
		! verdicts doc/papers/inrflow.md "$work/mutant" >"$work/differ" && grep -q '^statement 1: not confirmed' "$work/differ" &&
		grep -q '^statement 9: not confirmed' "$work/differ"
}

if sanitized; then
	skip "the case study with sanitizers: tests/flow has the engine's cases"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
ORCS_BIN=$bin scripts/inrflow_case_study.sh --small "$work/run" >"$work/printed" 2>&1
check "the script ends with a table of 26 statements" grep -q '^26 statements: ' "$work/printed"
check "nothing ran out of time" eval '! grep -q ": no result: $" "$work/printed"'
check "the verdicts are those of doc/papers/inrflow.md" verdicts doc/papers/inrflow.md "$work/run/statements.md"
check "at least eleven statements are judged" [ "$(judged "$work/run/statements.md")" -ge 11 ]
check "other results have other verdicts" mutant
check "an unknown option" says 2 "unknown option '--smal'" scripts/inrflow_case_study.sh --smal

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
