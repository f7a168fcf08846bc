#!/bin/sh
# Queue pairs, the turns of input ports and of their lanes, headers and blocks of credit: pairs.sh BIN_DIR
# Messages of 10 MB at 100 Gb/s take 0.8 ms; the ends that are compared are in units of that.
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

packets() {
	"$bin/orcs" --engine packet -d --subset file_order --mapping linear --capacity 100G --quiet "$@"
}

# ends WANTED TOLERANCE PAIRS ARGUMENTS...: when the messages end, in units of 0.8 ms; PAIRS: sender-receiver, at once.
ends() {
	wanted=$1 tolerance=$2
	for pair in $3; do
		echo "0 ${pair%-*} ${pair#*-}"
	done >"$work/pairs.txt"
	shift 3
	packets -p "file:$work/pairs.txt" --bytes 10M --metric makespan --flows "$work/flows.csv" "$@" >"$work/result" || return 1
	awk -F, -v wanted="$wanted" -v most="$tolerance" 'NR > 1 { found[++n] = $9 / 0.0008 }
		END { wants = split(wanted, want, " "); bad = n != wants
			for (i = 1; i <= n; i++) { d = found[i] - want[i]; bad = bad || d > most || -d > most; printf "%.4f ", found[i] }
			print "instead of " wanted; exit bad }' "$work/flows.csv"
}

# makespan BYTES ARGUMENTS...: of an all-to-all, seconds.
makespan() {
	bytes=$1
	shift
	"$bin/orcs" -d -p alltoall_flood --bytes "$bytes" --capacity 100G --metric makespan --quiet --format json "$@" | jq .metrics.makespan.mean
}

# as_flows MOST ARGUMENTS...: packets take at most that many times as long as flows.
as_flows() {
	most=$1
	shift
	slow=$(makespan 1000000 --engine packet "$@") && fast=$(makespan 1000000 --engine flow "$(eval echo "\${$#}")") || return 1
	echo "$slow for $fast"
	awk -v a="$slow" -v b="$fast" -v m="$most" 'BEGIN { exit !(a >= b * 0.9999 && a <= b * m) }'
}

# ---- queue pairs of one host

two='0-1 0-2'
check 'two receivers: both messages share the link' ends '2 2' 0.001 "$two" star:4
check 'ten packets in a turn' ends '2 2' 0.001 "$two" --qp-burst 10 star:4
check 'a pair with a turn as long as its message' ends '1 2' 0.001 "$two" --qp-burst 5000 star:4
check 'one pair: one message after the other' ends '1 2' 0.001 "$two" --qps one star:4
check 'one receiver: in order' ends '1 2' 0.001 '0-1 0-1' star:4
check 'three messages, two of them to one receiver' ends '2 3 2' 0.001 '0-1 0-1 0-2' star:4
check 'a victim has the share of its host' ends '4 4 4 5 5' 0.001 '0-4 1-4 2-4 3-4 3-5' mesh:2,hosts=4
check 'a parking lot is unfair' ends '3 3 2' 0.001 '0-3 1-3 2-3' mesh:4
check 'a parking lot is fair by age' ends '1 2 3' 0.001 '0-3 1-3 2-3' --arbiter age mesh:4
check 'all to all of 16 on a star, as flows' as_flows 1.01 --voq --speedup 0 star:16
check 'all to all of 16 on a star, one queue an input' as_flows 1.084 star:16
if ! sanitized; then
	check 'all to all of 32 on a star, as flows' as_flows 1.01 --voq --speedup 0 star:32
	check 'all to all on a tree, as flows' as_flows 1.01 --voq --speedup 0 fattree:k=4,n=3
fi

# ---- ports and lanes: host 0 fills two lanes of its port, host 1 one lane of another, and all go out by one cable

"$bin/orcs-topology" mesh:2,hosts=3 | "$bin/orcs-route" --quiet minhop-orcs |
	sed 's/^\(.*"H0_0" \[type="host"\)\];/\1, sl="1:H1_1"];/' >"$work/lanes.dot"
check 'input ports share an output' ends '3 3 2' 0.001 '0-3 0-4 1-5' "$work/lanes.dot"
check 'lanes share an output: a port with two has a double share' ends '3 3 3' 0.001 '0-3 0-4 1-5' --arbiter lane "$work/lanes.dot"
check 'the least recently served lane' ends '3 3 3' 0.001 '0-3 0-4 1-5' --arbiter matrix "$work/lanes.dot"
check 'lanes of a port take turns' ends '2 2' 0.001 '0-3 0-4' "$work/lanes.dot"

# On a torus the turns of ports let in less of the new packets (0.427 and 0.472 in measurements of a prototype, 0.335 and 0.381 by lanes).
torus() { # LEAST MOST ARGUMENTS...
	least=$1 most=$2
	shift 2
	found=$("$bin/orcs" --engine packet --quiet --capacity 100G --load 0.9 --packet-routing dor:ties=positive --warmup 40us --measure 20us --drain 0 --metric packet_throughput \
		--format json "$@" torus:8x8x8 | jq .metrics.packet_throughput.accepted)
	echo "$found, not from $least to $most"
	awk -v a="$found" -v b="$least" -v c="$most" 'BEGIN { exit !(a >= b && a <= c) }'
}
if ! sanitized; then
	check 'a torus with two lanes' torus 0.42 0.45 --lanes 2
	check 'a torus with four lanes' torus 0.465 0.49 --lanes 4
	check 'a torus with two lanes, which take turns' torus 0.30 0.38 --lanes 2 --arbiter lane
fi

# A full lane does not hold up the other ones of its host: the cable to host 3 is ten times slower than all others.
awk '/"S1" -> "H1_0"/ { sub(/\];/, ", speed=\"1\"];") } /->/ && !/speed/ { sub(/\];/, ", speed=\"10\"];"); sub(/";$/, "\" [speed=\"10\"];") } { print }' \
	"$work/lanes.dot" >"$work/slow.dot"
check 'a full lane holds up only itself' ends '1 0.15' 0.06 '0-3 0-4' --speedup 0 "$work/slow.dot"
check 'a full lane holds up all behind it' ends '1 1' 0.11 '0-3 0-5' --speedup 0 "$work/slow.dot"

# ---- headers and credits

# goodput HEADER WANTED: of one long message of packets of 2048 bytes, Gb/s.
goodput() {
	echo "0 0 1" >"$work/pairs.txt"
	found=$(packets -p "file:$work/pairs.txt" --bytes 100M --header "$1" --metric makespan --format json star:2 | jq '0.8 / .metrics.makespan.mean')
	echo "$found instead of $2"
	awk -v a="$found" -v b="$2" 'BEGIN { d = a - b; exit !(d < 0.01 && d > -0.01) }'
}
check 'no headers' goodput 0 100
check 'middle packets of a reliable connection' goodput 26 98.746
check 'writes of a reliable connection' goodput rc 98.746
check 'datagrams' goodput ud 98.367
check 'RoCE' goodput roce 96.150

# preset NAME SECONDS: of 100 MB, with an MTU of 4096 bytes: 24,415 packets with 26 bytes each and 16 more of the first.
preset() {
	echo "0 0 1" >"$work/pairs.txt"
	found=$("$bin/orcs" --engine packet --mapping linear -p "file:$work/pairs.txt" --bytes 100M --latency 0 --routing-delay 0 --preset "$1" --quiet \
		--metric makespan --format json star:2 | jq .metrics.makespan.mean)
	echo "$found instead of $2"
	awk -v a="$found" -v b="$2" 'BEGIN { d = a / b - 1; exit !(d < 1e-4 && d > -1e-4) }'
}
check 'EDR' preset edr 0.0080507845
check 'HDR' preset hdr 0.0040253922
check 'NDR' preset ndr 0.0020126961
check 'an unknown preset' says 2 'preset' packets -p bisect --preset sdr star:4
check 'a preset and cycles' says 2 'exclude each other' "$bin/orcs" --engine packet -p bisect --preset edr --cycles star:4

# A message of 65 bytes takes two blocks of 64, so that a buffer of 4096 bytes has 32 of them: with credits that return late, so many are sent.
credits() {
	wanted=$1
	shift
	seq 40 | sed 's/.*/0 0 1/' >"$work/pairs.txt"
	packets -p "file:$work/pairs.txt" --bytes 65 --mtu 2048 --buffer 4096 --credit-delay 1ms --metric makespan --flows "$work/flows.csv" "$@" star:2 \
		>"$work/result" || return 1
	found=$(awk -F, 'NR > 1 && $9 < 0.001 { n++ } END { print n }' "$work/flows.csv")
	echo "$found instead of $wanted"
	[ "$found" -eq "$wanted" ]
}
check 'credits by the byte' credits 40
check 'credits in blocks of 64' credits 32 --credit-block 64
check 'credits in blocks of 60' credits 34 --credit-block 60

refuses() {
	says 2 "$1" packets -p bisect "$2" "$3" star:4
}
check 'an unknown header' refuses 'not rc, ud, roce' --header tcp
check 'a header that is too long' refuses 'not rc, ud, roce' --header 26+5000
check 'half a byte' refuses 'not rc, ud, roce' --header 26.5
check 'turns without a packet' refuses 'qp-burst' --qp-burst 0
check 'unknown pairs' refuses 'qps' --qps many
check 'a buffer that is smaller than a packet with its headers' says 2 'less than the room of one packet' \
	packets -p bisect --mtu 2048 --buffer 2048 --header 26 star:4

# ---- open loops

# open_loop FILE ARGUMENTS...: latencies, throughput and completion times
open_loop() {
	file=$1
	shift
	"$bin/orcs" --engine packet --capacity 100G --quiet --warmup 10us --measure 50us --metric packet_latency,packet_throughput,fct "$@" >"$file"
}

# Messages that wait in a single queue pair leave as those that are created when they can leave; a control that marks nothing changes nothing.
like_one() {
	open_loop "$work/one" --qps one "$@" && open_loop "$work/queued" --qps one --cc ib:threshold=0 "$@" && cmp "$work/one" "$work/queued" || return 1
	open_loop "$work/pairs" --qps pair "$@" && open_loop "$work/queued" --cc ib:threshold=0 "$@" && cmp "$work/pairs" "$work/queued"
}
check 'messages in one queue' like_one --load 0.9 --bytes 20000 fattree:k=4,n=2
check 'packets in one queue' like_one --load 0.4,0.9 --packet-routing adaptive --voq torus:4x4
printf '%s\n' H0 H0 H1 H1 H1 H2 H3 H3 >"$work/hosts"
check 'messages of ranks that share hosts' like_one --load 0.5 --bytes 10000 --mapping "file:$work/hosts" -s 8 star:4

# default LIKE ARGUMENTS...: queue pairs are by default as with --qps LIKE, and otherwise they matter
default() {
	like=$1
	shift
	open_loop "$work/default" --load 0.9 "$@" && open_loop "$work/one" --load 0.9 --qps one "$@" && open_loop "$work/pair" --load 0.9 --qps pair "$@" || return 1
	cmp "$work/default" "$work/$like" && ! cmp -s "$work/one" "$work/pair"
}
check 'single packets leave in the order of their creation' default one star:8
check 'messages of several packets share the link' default pair --bytes 8192 star:8
check 'drawn messages share the link' default pair --sizes uniform:100,9000 star:8

# Only links of senders are full: packets of the messages of a host take turns (processor sharing, mean slowdown 1/(1 - load)), or its messages
# wait for one another (M/D/1). Messages to the same receiver keep their order, so it is a little less than that of processor sharing.
"$bin/orcs-topology" star:128 | "$bin/orcs-route" --quiet minhop-orcs |
	awk '/->/ { sub(/\];/, ", speed=\"" (/^\t"H/ ? 1 : 1000) "\"];") } { print }' >"$work/senders.dot"
slowdown() {
	pairs=$1 least=$2 most=$3
	found=$("$bin/orcs" --engine packet --quiet --load 0.6 --qps "$pairs" --injection poisson --bytes 100k --metric fct --latency 0 --routing-delay 0 \
		--warmup 50ms --measure 200ms --drain 20ms --format json "$work/senders.dot" | jq .metrics.fct.slowdown)
	echo "$found, not from $least to $most"
	awk -v a="$found" -v b="$least" -v c="$most" 'BEGIN { exit !(a >= b && a <= c) }'
}
check 'messages share the link of their host: processor sharing' slowdown pair 2.38 2.55
check 'messages wait for one another: M/D/1' slowdown one 1.68 1.82

# ---- memory: pairs that have nothing to send are freed

peak() { # MEASURE
	/usr/bin/time -o "$work/used" -f %M "$bin/orcs" --engine packet --capacity 100G --quiet --load 0.3 --qps pair --warmup 10us --measure "$1" --drain 0 \
		--metric packet_throughput fattree:k=6,n=3 >"$work/out" && cat "$work/used"
}
small() {
	short=$(peak 50us) long=$(peak 400us)
	echo "kB: $short $long"
	[ "$short" -gt 1000 ] && [ $((10 * long)) -le $((11 * short)) ]
}
if sanitized; then
	:
elif ! [ -x /usr/bin/time ]; then
	skip 'memory of queue pairs: no /usr/bin/time'
else
	check 'an open loop takes no more memory the longer it runs' small
fi

# ---- processes: the same bytes for all

alike() {
	for n in 1 2 3; do
		ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np "$n" "$bin/orcs" --engine packet --capacity 100G --quiet --load 0.7 \
			--metric fct,packet_latency --warmup 10us --measure 30us "$@" >"$work/processes.$n" || return 1
	done
	cmp "$work/processes.1" "$work/processes.2" && cmp "$work/processes.1" "$work/processes.3"
}

processes() {
	for n in 1 2 3; do
		ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np "$n" "$bin/orcs" --engine packet -p alltoall_flood --bytes 20k -n 3 --header rc --credit-block 64 \
			--metric makespan --quiet "$work/lanes.dot" >"$work/processes.$n" || return 1
	done
	cmp "$work/processes.1" "$work/processes.2" && cmp "$work/processes.1" "$work/processes.3"
}
if have mpirun; then
	check 'one, two and three processes' processes
	check 'one, two and three processes share an open loop' alike --bytes 9000 torus:4x4,hosts=2
	check 'the same with several virtual lanes' alike --qps pair --lanes 4 --packet-routing dor torus:4x4
else
	skip 'processes: no mpirun'
fi

echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ $failed -eq 0 ]
