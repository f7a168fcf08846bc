#!/bin/sh
# Regions and threads, on which no result depends, and what a channel costs: regions.sh BIN_DIR

set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

packets() {
	"$bin/orcs" --engine packet -v --quiet --capacity 100G --seed 3 --warmup 4us --measure 6us --drain 4us "$@"
}

# The results of a division are those of one region, without what they say of the time.
same() { # WHAT ARGUMENTS...
	what=$1
	shift
	packets --regions 1 "$@" >"$work/one" 2>"$work/told" || return
	# shellcheck disable=SC2086 # words
	packets $what "$@" >"$work/many" 2>"$work/told" || return
	cmp "$work/one" "$work/many" || return
	[ "$(wc -c <"$work/one")" -gt 100 ]
}

# The run before had so many regions and threads.
had() { # REGIONS THREADS
	grep -q "^simulated in $1 regions by $2 thread" "$work/told"
}

# And its regions took turns: on trees, but not on tori of odd length.
took_turns() {
	grep -q '^simulated in .*, in two turns$' "$work/told"
}

latency='--metric packet_latency,packet_throughput'
for what in '--regions 2' '--regions 7' '--threads 2' '--threads 3 --regions 5'; do
	while read -r arguments; do
		# shellcheck disable=SC2086 # words
		check "$what: $arguments" same "$what" $latency $arguments
	done <<-EOT
		--load 0.5 fattree:k=4,n=3
		--load 0.95 --packet-routing updown fattree:k=4,n=3
		--load 0.6 --packet-routing adaptive --arbiter age fattree:k=4,n=3
		--load 0.7 --packet-routing min dragonfly:p=2,a=4,h=2
		--load 0.9 --packet-routing dor --virtual-lanes 3 torus:4x4x4
		--load 0.9 --traffic hotspot:1 --header rc --credit-block 64 fattree:k=4,n=3
	EOT
done
check 'a tree has about as many regions as asked for' had 9 3
check 'which take turns' took_turns
check 'a torus' same '--threads 3 --regions 5' $latency --load 0.8 --packet-routing dor torus:5x5x5
check 'has as many' had 5 3
check 'which do not take turns' sh -c "! grep -q turns '$work/told'"
check 'switches of one level' same '--regions 12' $latency --load 0.8 --packet-routing updown fattree:k=6,n=2
check 'take turns, too' took_turns
check 'hosts with two cables' same '--regions 6' $latency --load 0.5 --packet-routing updown xgft:4:2/4:2/4:2
check 'links of different speeds' same '--regions 5' $latency --load 0.7 --internal-rate 1.5 --injection-rate 80G fattree:k=4,n=3
check 'virtual output queues' same '--regions 5' $latency --load 0.9 --voq fattree:k=4,n=3
check 'queue pairs' same '--regions 5' $latency --load 0.7 --qps pair --bytes 10k fattree:k=4,n=3
check 'what links are busy with' same '--regions 5' --metric link_busy --load 0.9 fattree:k=4,n=3
check 'messages' same '--regions 5' --metric fct --load 0.5 --bytes 10k fattree:k=4,n=3
check 'these have regions' had 9 1
check 'UGAL' same '--regions 5' $latency --load 0.4 --packet-routing ugal dragonfly:p=2,a=4,h=2
check 'Valiant' same '--regions 5' $latency --load 0.4 --packet-routing valiant dragonfly:p=2,a=4,h=2
check 'without latency there is one region' same '--regions 5' $latency --load 0.3 --latency 0 fattree:k=4,n=3
check 'and no word of more' sh -c "! grep -q simulated '$work/told'"
check 'a hundred regions of few switches' same '--regions 100' $latency --load 0.5 fattree:k=4,n=3
check 'small fabrics have one region' sh -c "'$bin/orcs' --engine packet -v --load 0.1 --measure 1us star:8 2>&1 >'$work/out' | grep -c simulated | grep -qx 0"

# The run ends with the same error, which has this word, however it is divided.
ends_alike() { # WORD ARGUMENTS...
	word=$1
	shift
	packets --metric packet_latency --regions 1 "$@" >"$work/out" 2>&1
	grep '^orcs: [^n]' "$work/out" >"$work/one"
	grep -q "$word" "$work/one" || return
	for what in '--regions 2' '--regions 5' '--threads 3'; do
		# shellcheck disable=SC2086 # words
		packets --metric packet_latency $what "$@" >"$work/out" 2>&1
		grep '^orcs: [^n]' "$work/out" >"$work/many"
		cmp "$work/one" "$work/many" || return
	done
}

"$bin/orcs-topology" --tables fattree:k=4,n=3 2>"$work/out" | sed '/^"S2_1" -> "S1_2"/s/H9,//; /^"S2_9" -> "S3_5"/s/H20,//' >"$work/broken.dot"
check 'the first packet without a route' ends_alike 'no route' --load 0.3 "$work/broken.dot"
check 'a deadlock' ends_alike deadlock --load 1 --packet-routing tables --allow-deadlock --warmup 30us torus:6x6

# Of one channel passed: instructions, and misses of a second cache of 128 kB, on a tree of 512 hosts.
cost() { # ARGUMENTS...
	for span in 1us 3us; do
		valgrind --tool=cachegrind --cache-sim=yes --D1=16384,8,64 --LL=131072,16,64 --cachegrind-out-file=/dev/null "$bin/orcs" --engine packet -v \
			--quiet --capacity 100G --metric packet_throughput --drain 0 --load 0.5 --warmup 1us --measure $span fattree:k=8,n=3 "$@" \
			2>&1 >"$work/out" | tr -d , |
			sed -n 's/^packets passed \([0-9]*\) .*/passed \1/p; s/.* I *refs: *\([0-9]*\).*/refs \1/p; s/.* LLd misses: *\([0-9]*\).*/misses \1/p'
	done | awk '{ more[$1] = $2 - last[$1]; last[$1] = $2 } END { printf "%.0f %.2f\n", more["refs"] / more["passed"], more["misses"] / more["passed"] }'
}

# at_most INSTRUCTIONS MISSES ARGUMENTS...: with a margin of a tenth.
at_most() {
	instructions=$1 misses=$2
	shift 2
	cost "$@" >"$work/told"
	cat "$work/told"
	awk -v i="$instructions" -v m="$misses" '{ exit !($1 > 0 && $2 > 0 && $1 <= 1.1 * i && $2 <= 1.1 * m) }' "$work/told"
}

if sanitized; then
	:
elif ! valgrind --tool=none "$bin/orcs" --version >/dev/null 2>&1; then
	skip 'what a channel costs: valgrind is not installed, or cannot run orcs'
else
	check 'one region' at_most 1204 6.77 --packet-routing tables --regions 1
	check 'regions' at_most 1285 5.86 --packet-routing tables --regions 8
	check 'up/down' at_most 1434 9 --packet-routing updown --regions 1
fi

echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ $failed -eq 0 ]
