#!/bin/sh
# instructions.sh - instructions of one routed pair, which callgrind counts: the same on any machine, whatever else runs there.

set -u
export LC_ALL=C
me=instructions.sh

usage() {
	cat <<'EOT'
Usage: bench/instructions.sh [HOSTS [RUNS]]

Runs pattern bisect with metric hist_acc_band on a routed fat tree of HOSTS hosts
(by default 1024) under valgrind's callgrind, RUNS runs (by default 300) and four
times as many. The difference, divided by the pairs that it is made of, are the
instructions of a pair: reading and the table of routes are in both. For routes
looked up, walked and computed: all, and by function, those with at least one a
pair; functions that the compiler puts into another count there. The same program counts the same, but for the width of vectors that the
machine has (AVX2 or less: callgrind hides AVX-512). Run from the root of the
repository, after make; ORCS=PROGRAM and BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

. bench/common.sh

hosts=${1-1024}
runs=${2-300}
need valgrind callgrind_annotate

# Counts the instructions of so many runs, by function, to the file: count and name, the sum as "all".
count() { # FILE RUNS
	# shellcheck disable=SC2086 # words
	valgrind --tool=callgrind --callgrind-out-file="$tmp/callgrind" "$orcs" --quiet $arguments -n "$2" "$fabric" \
		>"$tmp/result" 2>"$tmp/said" || die "callgrind failed: $(tail -n 1 "$tmp/said")"
	callgrind_annotate --threshold=100 "$tmp/callgrind" | awk '
		/PROGRAM TOTALS/ { gsub(/,/, "", $1); print $1, "all" }
		$1 ~ /^[0-9,]+$/ && match($0, /[^ ]*:[^ ]+/) {
			name = substr($0, RSTART, RLENGTH)
			sub(/.*:/, "", name)
			sub(/^__/, "", name)
			gsub(/,/, "", $1)
			print $1, name
		}' >"$1"
	grep -q ' all$' "$1" || die "callgrind_annotate tells no sum"
}

# Rows for one way of finding routes.
count_way() { # WAY ARGUMENT...
	wanted=$1
	shift
	arguments="$* -p bisect --metric hist_acc_band"
	# shellcheck disable=SC2086 # words
	time_pairs "$tmp/times" $arguments -n "$runs" "$fabric"
	check_way "$wanted"
	count "$tmp/few" "$runs"
	count "$tmp/many" $((4 * runs))
	awk -v pairs="$((3 * runs * (hosts / 2)))" '
		FNR == NR { few[$2] += $1; next }
		{ many[$2] += $1 }
		END {
			for (name in many)
				if (many[name] - few[name] >= pairs)
					printf "%.1f %s\n", (many[name] - few[name]) / pairs, name
		}' "$tmp/few" "$tmp/many" | sort -rn >"$tmp/functions"
	while read -r instructions function; do
		row hosts "$hosts" way "$(echo "$wanted" | tr - ' ')" function "$function" instructions "$instructions"
	done <"$tmp/functions"
}

get_fabric "$hosts" tables || die "no fabric of $hosts hosts"
count_way looked-up
count_way walked --route-memory=1
if get_fabric "$hosts" computed; then
	count_way computed --route-memory=1
fi
