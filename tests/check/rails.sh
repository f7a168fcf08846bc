#!/bin/sh
# Rails against their definition (rails.py): rails.sh BIN_DIR. Random dumps with swapped cables, and the real ones of $ORCS_TEST_DATA.
set -u

bin=$(cd "$1" && pwd) || exit 1
data=${ORCS_TEST_DATA:-../shared/data}/ib/real
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

found=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
	python3 tests/check/rails.py --make $seed >"$work/dump"
	check "rails of random dump $seed" python3 tests/check/rails.py "$bin" "$work/dump"
	found=$((found + $(grep -c . "$work/said") * $(grep -xE "[0-9]+" "$work/said" || echo 0)))
done
check "the random dumps have ports on leaves of other rails" [ $found -gt 10 ]
if [ -d "$data" ]; then
	for dump in ufm_sdk/selene.storage.txt.xz HyungKwang/Topo.5.txt.xz HyungKwang/Topo6_CS7500.txt.xz psmn/X5.topofile.xz; do
		[ -f "$data/$dump" ] || continue
		check "rails of $dump" python3 tests/check/rails.py "$bin" "$data/$dump"
		case $dump in *Topo.5*) check "two swapped adapters in $dump" [ "$(tail -n 1 "$work/said")" = 2 ] ;; esac
	done
else
	skip "real fabrics, in $data"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
