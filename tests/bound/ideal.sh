#!/bin/sh
# What orcs-bound calls ideal is an upper mark: ideal.sh BIN_DIR
set -u

if ! command -v python3 >/dev/null 2>&1; then
	echo "SKIPPED: python3 is not installed: no routings against the ideal"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
python3 tests/bound/ideal.py "$(cd "$1" && pwd)" "${IDEAL_CASES:-25}" | sed 's/^[0-9]* means; //'
