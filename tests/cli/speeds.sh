#!/bin/sh
# Links of different speeds: shares, Gb/s and notes as speeds_reference.py finds them, on random fabrics: speeds.sh BIN_DIR
set -u
bin=$(cd "$1" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/orcs-speeds.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

reference() {
	python3 tests/cli/speeds_reference.py "$@"
}

random_fabric() { # SEED
	shift=$(($1 % 3 + 1))
	reference make "$1" >"$work/random.dot" &&
		"$bin/orcs" -p "shift:$shift" --subset file_order -d --multipath split --metric hist_max_cong,hist_acc_band --format json \
			"$work/random.dot" >"$work/result" 2>"$work/notes" && reference check "$work/random.dot" "$work/result" "$work/notes" "$shift"
}
seed=1
while [ $seed -le 40 ]; do
	check "random fabric $seed" random_fabric $seed
	seed=$((seed + 1))
done

# The flow engine's equal shares are those of the congestion engine.
flows() { # SEED
	reference make "$1" >"$work/random.dot" &&
		"$bin/orcs" --quiet -d -p shift:2 --metric hist_max_cong --format csv "$work/random.dot" | awk -F, '$2 == "bandwidth" { printf "%.6f\n", $4 }' \
			>"$work/counted" && "$bin/orcs" --quiet -d -p shift:2 --engine flow --metric throughput --format csv "$work/random.dot" |
		awk -F, '$2 == "non_restricted_share" { printf "%.6f\n", $4 }' >"$work/flows" && [ -s "$work/flows" ] && cmp "$work/counted" "$work/flows"
}
for seed in 1 2 3 4 5; do
	check "shares of flows, fabric $seed" flows $seed
done

# A cache has the widths, too.
cached() {
	reference make 7 >"$work/random.dot" && "$bin/orcs" --quiet --save-fabric "$work/random.orcsb" "$work/random.dot" >"$work/graph" &&
		"$bin/orcs" "$work/random.dot" 2>&1 | sed 's/random.dot/random.orcsb/' >"$work/graph" &&
		"$bin/orcs" "$work/random.orcsb" >"$work/cache" 2>&1 && grep -q "links of different speeds" "$work/cache" &&
		cmp "$work/graph" "$work/cache"
}
check "the same of a cache" cached

# Tiers of slower links are not named; one slow cable of a trunk is.
tiers() {
	"$bin/orcs-topology" --speed 100/200 --tables fattree:k=4,n=3 | "$bin/orcs" 2>"$work/notes" >"$work/out" &&
		grep -q "links of different speeds: 128 200 Gb/s, 64 100 Gb/s; the result counts" "$work/notes" && ! grep -q slower "$work/notes"
}
check "tiers" tiers
trunk() {
	"$bin/orcs-topology" --speed 100 --tables fattree:k=4,n=2 | awk '!found && /^"S.* -> "S/ { found = sub(/\[/, "[speed=\"20\", width=\"4x\", ") } 1' |
		"$bin/orcs" 2>"$work/notes" >"$work/out" && grep -q "31 100 Gb/s, 1 4x DDR" "$work/notes" &&
		grep -q "slower than those beside them: 1 (.*: 4x DDR, not 100 Gb/s)" "$work/notes"
}
check "a slow cable between switches" trunk

# orcs-draw says what the picture counts: loads by themselves, and congestion.
drawn() { # OPTION WHAT
	"$bin/orcs" --quiet "$1" --metric get_cable_cong tests/data/slow_host.dot >"$work/graph.dot" &&
		"$bin/orcs-draw" -o "$work/graph.svg" "$work/graph.dot" 2>"$work/notes" && grep -q "; the picture $2 the speeds" "$work/notes"
}
if have dot; then
	check "a picture by speeds" drawn --speed-aware counts
	check "a picture without speeds" drawn --ignore-speeds "does not count"
else
	skip "Graphviz is not installed: no pictures"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
