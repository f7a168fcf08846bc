#!/bin/sh
# checkpoint.sh - what --checkpoint takes: the time of campaigns that keep one, to that of the same without.

set -u
export LC_ALL=C
me=checkpoint.sh

usage() {
	cat <<'EOT'
Usage: bench/checkpoint.sh [TIMES [PART]]

Runs three campaigns, the congestion, the flow and the packet engine's, each of
15 to 30 s, in turn without --checkpoint and with it: at the default of seconds,
every 5 seconds, and as often as it may be written (0 seconds), TIMES times each
(by default 5). Prints the medians of the CPU time, user and system, of the whole
programs, the ratio to that without, and, of the last run, how many checkpoints
were written and in how many seconds. The bar of the ratio is 1.01. All results
must be the same, byte for byte: exit status 1 if they are not. With PART,
campaigns are PART times shorter (by default 1), and there is no bar. Run from the
root of the repository, after make; ORCS=PROGRAM and BENCH_OUT=FOLDER as for
bench/pairs.sh.
EOT
}

. bench/common.sh

times_each=${1-5}
part=${2-1}

# The arguments of a campaign.
campaign() { # ENGINE
	case $1 in
	congestion) echo "-p bisect -n $((6000000 / part)) xgft:18:1/18:18" ;;
	flow) echo "--engine flow -p bisect -n $((60000 / part)) xgft:18:1/18:18" ;;
	packet) echo "--engine packet --load 0.3 --warmup 2us --measure 10us --drain 2us -n $((1500 / part + 1)) fattree:k=8,n=3" ;;
	esac
}

# Runs a campaign with checkpoints after so many seconds; none, default: as they are called.
run() { # ENGINE SECONDS
	name=$1-$2
	arguments="--format json $(campaign "$1")"
	case $2 in
	none) ;;
	default) arguments="--checkpoint $tmp/kept $arguments" ;;
	*) arguments="--checkpoint $tmp/kept,$2 $arguments" ;;
	esac
	rm -f "$tmp/kept"
	command="orcs -v $(echo "$arguments" | sed "s,$tmp/,,")"
	# shellcheck disable=SC2086 # words
	measure "$tmp/$name" "$orcs" -v $arguments
	echo "$command" >"$tmp/$name.command"
	sed -n 's/^wrote \([0-9]*\) checkpoints to .* in \([0-9.]*\) s$/\1 \2/p' "$tmp/said" >"$tmp/$name.written"
	[ -f "$tmp/$1.first" ] || cp "$tmp/result" "$tmp/$1.first"
	cmp "$tmp/$1.first" "$tmp/result" || die "the results differ: $command"
}

machine
for engine in congestion flow packet; do
	i=0
	while [ "$i" -lt "$times_each" ]; do
		for seconds in none default 5 0; do
			run "$engine" "$seconds"
		done
		i=$((i + 1))
	done
	without=$(median "$tmp/$engine-none")
	for seconds in none default 5 0; do
		with=$(median "$tmp/$engine-$seconds")
		command=$(cat "$tmp/$engine-$seconds.command")
		read -r written written_s <"$tmp/$engine-$seconds.written" || written='' written_s=''
		ratio=$(compute %.4f "$without > 0 ? $with / $without : 1")
		bar=1.01
		[ "$part" -eq 1 ] && [ "$seconds" != none ] || bar=
		row engine "$engine" seconds "$seconds" cpu_s "$with" ratio "$ratio" written "$written" written_s "$written_s" bar "$bar" \
			verdict "$(verdict "$ratio" '<=' "$bar")"
	done
done
echo 'all results are the same, byte for byte'
