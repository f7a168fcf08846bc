#!/bin/sh
# The statements of the HiNetSim paper: the verdicts of doc/papers/hinetsim.md are those of a small run: hinetsim.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
. tests/replay.sh

if sanitized; then
	skip "the HiNetSim paper with sanitizers: tests/packet has the engine's cases"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

verdicts() { # PAGE RUN
	awk -v tools=all -f tests/papers/verdicts.awk "$1" "$2"
}

# With more hosts on the second butterfly, and four lanes for two, other statements hold.
mutant() {
	replaying other 's/^hyperx:16x16,hosts=4/hyperx:8x8,hosts=16/; s/^hyperx:4x4x4x4,hosts=4/hyperx:8x8x8,hosts=2/' &&
		ORCS_BIN=$work/other scripts/hinetsim_paper.sh --small "$work/mutant" >"$work/printed" 2>&1
	! verdicts doc/papers/hinetsim.md "$work/mutant/statements.md" >"$work/differ" &&
		[ "$(sed 's/:.*//' "$work/differ" | tr '\n' ' ')" = 'statement 2 statement 4 statement 5 ' ]
}

replaying same '' || exit 1
ORCS_BIN=$work/same scripts/hinetsim_paper.sh --small "$work/run" >"$work/printed" 2>&1
check "the script ends with a table of 12 statements" grep -q '^12 statements: ' "$work/printed"
check "every run has a result" eval '! grep -q "no result" "$work/printed"'
check "the verdicts are those of doc/papers/hinetsim.md" verdicts doc/papers/hinetsim.md "$work/run/statements.md"
check "other results have other verdicts" mutant
check "an unknown option" says 2 "unknown option '--smal'" scripts/hinetsim_paper.sh --smal

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
