#!/bin/sh
# orcs-advise --measured: counters of every form beside loads, planted faults, and errors: measured.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH
export PATH

data=${ORCS_TEST_DATA:-../shared/data}/counters

# says STATUS PATTERN COMMAND...: the exit status must be this, and what it says must match.
says() {
	wanted=$1
	pattern=$2
	shift 2
	"$@" >"$work/out" 2>&1
	status=$?
	cat "$work/out"
	[ $status -eq "$wanted" ] && grep -q -E -e "$pattern" "$work/out"
}

mkdir "$work/counters"
check "planted faults, and the forms of all tools" python3 tests/cli/measured.py "$bin" "$work/counters"

cd "$work/counters" || exit 1
check "as text" says 0 '^measured most apart from what is expected' orcs-advise --measured zero wrong right.dot
check "nothing is wrong" says 0 '^no channel carried 1% more or less' orcs-advise --measured zero right right.dot
check "counters that were reset" says 0 'counters that were reset [1-9]' orcs-advise --measured right wrong right.dot
sed 's/^PortXmitData:.*/PortXmitData:....................4294967295/; s/ extended//' right >narrow
check "counters of 32 bits that are full" says 0 'counters of 32 bits at their maximum [1-9]' orcs-advise --measured zero narrow right.dot
check "options in any order" says 0 '^correlation' orcs-advise right.dot --quiet --measured zero right

# ---- errors
echo nothing >none
check "one file" says 2 'needs two files' orcs-advise right.dot --measured zero
check "a file without counters" says 2 'none: has no counters of data' orcs-advise --measured none right right.dot
check "counters of another fabric" says 2 'zero: has no counters of ports of this fabric' orcs-advise --measured zero right torus:2x2
check "a fabric without routes" says 3 'is not routed' eval "orcs-export --quiet --to ibnetdiscover right.dot >cables && orcs-advise --quiet --measured zero right cables"
check "counters without LIDs" says 3 '--counters needs LIDs' orcs --engine flow -p ring --metric link_use --counters out torus:2x2
check "... leave no file" [ ! -e out ]
check "counters without the metric" says 2 '--counters requires --engine flow --metric link_use' orcs --engine flow -p ring --counters out right.dot

# ---- what the real perfquery printed
cd - >/dev/null || exit 1
if [ -d "$data/perfquery" ]; then
	cat "$data"/perfquery/*.out >"$work/real"
	check "real counters" says 2 'real: has no counters of ports of this fabric' orcs-advise --measured "$work/real" "$work/real" "$work/counters/right.dot"
else
	skip "there is no $data: counters of real fabrics"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
