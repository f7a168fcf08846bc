#!/bin/sh
# orcs-import against an independent reading of the same dumps: import.sh BIN_DIR
# The fabrics of the data folder ($ORCS_TEST_DATA, ../shared/data) and, meanwhile, the small dumps made by hand in tests/import/data.
set -u

bin=$1
data=${ORCS_TEST_DATA:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v python3 >/dev/null 2>&1; then
	echo "SKIPPED: python3 is not installed"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
python3 tests/import/fabrics.py "$bin" "$data" >"$work/fabrics" 2>&1 &
status=0
sh tests/cli/cases.sh "$bin" tests/import/traps.cases >"$work/traps" 2>&1 || status=1
wait $! || status=1
grep -hv '^[0-9]* passed, ' "$work/fabrics" "$work/traps"
awk '/^[0-9]+ passed, / { good += $1; bad += $3; left += $5 }
	END { print good + 0 " passed, " bad + 0 " failed, " left + 0 " skipped" }' "$work/fabrics" "$work/traps"
exit $status
