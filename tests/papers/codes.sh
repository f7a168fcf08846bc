#!/bin/sh
# The statements of the CODES paper: the verdicts of doc/papers/codes.md are those of a small run: codes.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
. tests/replay.sh

if sanitized; then
	skip "the CODES paper with sanitizers: tests/packet has the engine's cases"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
links=${ORCS_TEST_DATA:-../shared/data}/crays/theta.interconnect.xz
if [ -f "$links" ]; then
	links=$(cd "${links%/*}" && pwd)/${links##*/}
else
	skip "$links is missing: the statement about a real Cray"
	links=
fi

# The page's verdicts, without those about the Cray if there is no list of its cables.
verdicts() { # PAGE RUN
	if [ -z "$links" ]; then
		grep -v '^| 17 |' "$2" >"$work/without"
		set -- "$1" "$work/without"
	fi
	awk -v tools=all -f tests/papers/verdicts.awk "$1" "$2"
}

# With minimal routes for non-minimal ones, and the 5-D torus for the 3-D one, other statements hold.
mutant() {
	replaying other 's/^valiant$/min/; s/^torus:16x8x8,/torus:4x4x4x4x4,/; s/^torus:8x8x8,/torus:8x8x4x2,/' &&
		CRAY_LINKS='' ORCS_BIN=$work/other scripts/codes_paper.sh --small "$work/mutant" >"$work/printed" 2>&1
	! verdicts doc/papers/codes.md "$work/mutant/statements.md" >"$work/differ" || return 1
	for number in 3 9 10 12 18; do
		grep -q "^statement $number: not confirmed" "$work/differ" || return 1
	done
}

replaying same '' || exit 1
CRAY_LINKS=$links ORCS_BIN=$work/same scripts/codes_paper.sh --small "$work/run" >"$work/printed" 2>&1
check "the script ends with a table of 27 statements" grep -q '^27 statements: ' "$work/printed"
check "every run has a result" eval '! grep -q "no result" "$work/printed"'
check "the verdicts are those of doc/papers/codes.md" verdicts doc/papers/codes.md "$work/run/statements.md"
check "other results have other verdicts" mutant
check "a list without cables" says 1 'has no cables of a Cray XC' env CRAY_LINKS=README.md ORCS_BIN="$work/same" scripts/codes_paper.sh --small "$work/none"
check "an unknown option" says 2 "unknown option '--smal'" scripts/codes_paper.sh --smal

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
