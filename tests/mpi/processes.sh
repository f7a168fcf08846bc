#!/bin/sh
# The same bytes for any number of processes; failures end all of them: processes.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

for tool in mpirun pgrep pkill timeout; do
	if ! command -v "$tool" >/dev/null 2>&1; then
		echo "SKIPPED: $tool is not installed"
		echo "0 passed, 0 failed, 1 skipped"
		exit 0
	fi
done
. tests/mpi_environment.sh
# Open MPI's own leaks are not ours, and the others' are looked for without it.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"

good() {
	passed=$((passed + 1))
}

bad() {
	failed=$((failed + 1))
	echo "FAILED: $*"
}

# Programs with the sanitizers are slower.
case $bin in */san/*) numbers=2 ;; *) numbers="2 3" ;; esac

# The arguments give the same result alone and on each of these numbers of processes.
same() {
	"$bin/$program" "$@" >"$work/alone" 2>"$work/alone.err" || bad "$program $*: $(cat "$work/alone.err")"
	for processes in $numbers; do
		timeout 120 mpirun --oversubscribe -np "$processes" "$bin/$program" "$@" >"$work/many" 2>"$work/said"
		grep "^$program:" "$work/said" >"$work/many.err" # what Open MPI says of the machine does not count
		if cmp -s "$work/alone" "$work/many" && cmp -s "$work/alone.err" "$work/many.err"; then
			good
		else
			bad "$processes processes differ: $program $*"
			diff "$work/alone" "$work/many" | head -n 5
			head -n 5 "$work/said"
		fi
	done
}

# All processes end with this status and say this once, without a word on standard output: STATUS TEXT PROCESSES ARGUMENTS
fails() {
	wanted=$1 text=$2 processes=$3
	shift 3
	timeout 120 mpirun --oversubscribe -np "$processes" "$bin/$program" "$@" >"$work/out" 2>"$work/err"
	status=$?
	if [ $status -ne "$wanted" ]; then
		bad "status $status instead of $wanted: $program $*"
	elif [ "$(grep -c "^$program: " "$work/err")" -ne 1 ] || ! grep -q "^$program: .*$text" "$work/err"; then
		bad "not one line about '$text': $program $*"
		cat "$work/err"
	elif [ -s "$work/out" ]; then
		bad "something on standard output: $program $*"
	else
		good
	fi
}

program=orcs
all=hist_max_cong,hist_acc_band,sum_max_cong,dep_max_delay,get_cable_cong
tree=examples/fattree324.dot
small=examples/fattree16.dot

same -p bisect -n 103 --metric $all --format json --raw $tree
same -p bisect --precision 0.001 --control-variates $tree
printf 'digraph { H0 -> A [comment="*"]; H1 -> A [comment="*"]; A -> H0 [comment="H0"]; A -> H1; }' >"$work/halfway.dot"
"$bin/orcs-topology" torus:4x3x2,hosts=3 >"$work/torus.dot" || bad "orcs-topology"
same -p bisect -n 103 --metric $all --format json --route-memory 1k "$work/torus.dot"
same -p alltoall_flood -n 3 --metric $all --format json "$work/torus.dot"
"$bin/orcs" --save-fabric "$work/torus.orcsb" "$work/torus.dot" || bad "orcs --save-fabric of computed routing"
same -p bisect -n 103 --metric $all --format json --route-memory 1k "$work/torus.orcsb"
same -p rand -n 7 --metric $all --format csv --raw $small
same -p hotspot:3 -n 25 --subset rand -s 100 --metric hist_max_cong,dep_max_delay $tree
same -p ptrnvsptrn -f rand -c hotspot:2 -z 9 -n 31 --metric $all --format json $small
same -p alltoall -n 1 --metric sum_max_cong $tree
flow=throughput,hops,loads,makespan,fct,tasks,levels,link_use,latency
same --engine flow -p random:200 -n 23 --metric $flow --format json --raw $small
same --engine flow -p jobs:examples/two.jobs -n 7 --priority strict --metric "${flow#throughput,}" --format csv $small
same --engine flow -p rand -n 5 --fail-at 20us:leaf0:5 --reroute minhop --flows - -o /dev/null $small
same --engine flow -p rand --precision 0.02 --timeline - -o /dev/null $small
same --engine latency -p local:100 -n 9 --raw torus:4x4
same -p bruck -n 100000 --precision 0.01 --metric hist_acc_band,sum_max_cong --format json $small
same -n 40 --metric get_cable_cong $small
same -p allshifts -n 3 --speed-aware --metric $all --format json tests/data/slow_host.dot
same -p alltoall -n 5 --unroutable=drop --metric $all --format json tests/data/loop.dot
same -p alltoall_flood -d --printptrn --printnamelist --metric hist_max_cong tests/data/multipath.dot

# Planes, one after another.
{
	printf 'digraph {\n\tnode [type="switch"];\n'
	for spec in torus:3x3,hosts=2 fattree:k=2,n=3; do
		"$bin/orcs-route" --quiet minhop-orcs $spec | grep -v -e '^digraph' -e '^}' -e '^	graph' -e '^	node' | sed -E "s/\b([HS][0-9][0-9_]*)\b/\1${spec%%:*}/g"
	done
	echo '}'
} >"$work/planes.dot"
same -p rand -n 25 --metric $all --format json "$work/planes.dot"
same --engine flow -p alltoall -n 5 -R minhop-orcs --metric makespan,throughput "$work/planes.dot"
program=orcs-compare
same --quiet -n 25 -p rand,bisect -R minhop-orcs,updn-orcs --format json "$work/planes.dot"
same --quiet -n 25 -p rand --precision 0.1 "$work/planes.dot" "$work/planes.dot"
program=orcs

# Flows whose tables change in the run, and of several routes.
same --engine flow -n 9 -p local:60,0.5 --fail-at 1ms:S0_0:2 --reroute minhop --latency 1e-3 --metric latency,makespan,throughput --format csv --raw torus:4x4
same --engine flow -n 5 -p mapreduce:50 --fail-at 2ms:spine0:1 --metric fct,levels,makespan --format json $small
same --engine flow -n 7 -p dcntraffic:300 --multipath random -R ecmp --metric fct --format csv torus:4x4
same --engine flow -n 7 -p alltoall_flood --multipath split -R valiant --metric throughput,makespan --format json torus:4x4
# Several ranks on a host, and more than there are hosts.
awk 'BEGIN { for (i = 0; i < 20; i++) printf "H%d_%d\n", i * i % 4, i % 3 }' >"$work/crowded"
same -p bisect -n 9 --metric $all --format json --mapping "file:$work/crowded" torus:4x4
same --engine flow -p mapreduce -n 5 --metric fct,levels,makespan --format json --mapping "file:$work/crowded" torus:4x4
same --engine packet --load 0.5 --measure 50us --warmup 20us --format json --mapping "file:$work/crowded" torus:4x4

# Packets: one point is cut between the processes, several are spread; what is drawn is the host's, whoever has it.
packets="--engine packet --metric packet_latency,packet_throughput,link_busy --format json --warmup 20us --measure 50us"
# shellcheck disable=SC2086 # options
{
	same $packets --load 0.4 torus:4x4
	same $packets --load 0.7 --packet-routing adaptive torus:4x4
	same $packets --load 0.7 --packet-routing ugal dragonfly:p=2,a=4,h=2
	same $packets --load 0.5 --packet-routing valiant --injection poisson dragonfly:p=2,a=4,h=2
	same $packets --load 0.9 --voq --speedup 2 --arbiter age $tree
	same $packets --load 0.9 --allocator input --packet-routing tables:lanes=any --lanes 3 --arbiter matrix fattree:k=3,n=3
	same $packets --load 0.8 --delivery-rate 9e9 --injection onoff:5 --packet-routing tables --lanes 2 --allow-deadlock torus:4x4,hosts=direct
	same $packets --load 0.5 -R ecmp --multipath random fattree:k=3,n=3
	same $packets --load 0.2,0.4,0.6 -n 2 --packet-routing updown fattree:k=3,n=3
	same $packets --saturation torus:4x4
	same --engine packet --metric packet_latency --load 0.3 torus:3x3
	same --engine packet --metric packet_latency --cycles --load 0.3 --latency 10 --warmup 500 --measure 1000 torus:4x4
	same --engine packet --metric fct,tasks --raw --format csv -n 9 -p local:100 torus:4x4
	fails 3 "wait for one another in a cycle" 3 --engine packet -d --subset file_order --quiet --packet-routing tables --lanes 1 --buffer 2k --mtu 2k --load 1 --traffic shift:4 --allow-deadlock torus:5,hosts=2
	fails 3 "no route from" 2 --engine packet --load 0.5 --allow-deadlock --quiet "$work/halfway.dot"
}

fails 2 "no such node" 3 --engine flow --fail-at 1s:S9:1 $small
fails 3 "no route from" 3 --engine flow -p alltoall -n 5 tests/data/loop.dot

# A cache is mapped by all, or, where it is no plain file, handed on by the first; of several processes too it is one.
"$bin/orcs" --save-fabric "$work/tree.orcsb" $tree || bad "--save-fabric"
gzip <"$work/tree.orcsb" >"$work/tree.orcsb.gz"
same -n 103 --metric $all --format json "$work/tree.orcsb"
same -n 40 --metric hist_acc_band "$work/tree.orcsb.gz"
same --save-fabric - "$work/tree.orcsb"
head -c 50000 "$work/tree.orcsb" >"$work/cut.orcsb"
printf 'r 0 1 0 8\nr 1 0 0 8\ns 0 1 0 8\ns 1 0 0 8\n' >"$work/circle.trace"
fails 3 "the cache is truncated" 3 "$work/cut.orcsb"
fails 2 "only process 0 has standard input" 2 --engine flow -p trace:- $small
fails 3 "in a cycle" 3 --engine flow -p trace:"$work/circle.trace" $small
fails 1 "cannot write" 2 --save-fabric "$work/missing/x" $small

fails 3 "syntax error" 3 Makefile
fails 1 "cannot open" 2 "$work/missing.dot"
fails 3 "no route from" 4 -p alltoall -n 50 tests/data/loop.dot
fails 2 "unknown pattern" 2 -p bisekt $small
fails 2 "17 ranks, but only" 3 -s 17 $small
fails 1 "cannot write" 2 -o "$work/missing/x" $small
fails 1 "cannot open" 2 -p "file:$work/missing" $small

# The table of orcs-compare, hops counted by all, more fabrics than there are shared memory windows for at once.
program=orcs-compare
reversed=$work/reversed.dot
{
	sed -n '1,/{/p' $small
	sed '1,/{/d; /^}/d' $small | sed '1!G; h; $!d'
	echo '}'
} >"$reversed"
same -p bisect,hotspot:3 -n 57 --format json $small "$reversed" $small "$reversed" $small "$reversed" $small "$reversed" $small
same -p bisect,bruck --precision 0.02 --subset rand -s 9 --format csv "$reversed" $small
same -R as-is,minhop,sssp,dor:ties=random -p bisect,shift:1 -n 57 --format json torus:5x4,hosts=2
same -R minhop,valiant,ksp,ecmp --multipath split --precision 0.01 -n 300 --format json torus:4x4
same -p alltoall -n 5 --unroutable=drop tests/data/loop.dot
fails 3 "fewer than 2 hosts are in all fabrics" 3 $small torus:3x3
fails 3 "no route from" 2 -p alltoall -n 5 tests/data/loop.dot
fails 2 "17 ranks, but only" 3 -s 17 $small
fails 2 "unknown engine" 2 --engines mihop $small
fails 2 "unknown routing engine" 2 -R mihop $small
same -R minhop,dmodk -n 5 --format json torus:4x4
fails 3 "no engine could route the fabric" 3 -R dmodk torus:4x4
export ORCS_SCRIPTS="$work/missing"
fails 1 "cannot run the script" 3 --engines minhop $small
unset ORCS_SCRIPTS
program=orcs

# The first bad pair is the same one, whoever finds it.
"$bin/orcs" -p bisect -n 50 tests/data/loop.dot 2>"$work/alone.err"
for processes in 2 4; do
	timeout 120 mpirun --oversubscribe -np $processes "$bin/orcs" -p bisect -n 50 tests/data/loop.dot 2>&1 | grep '^orcs:' >"$work/many.err"
	if cmp -s "$work/alone.err" "$work/many.err"; then good; else bad "another pair on $processes processes"; fi
done

# A threshold ends all with status 4, with the result.
timeout 120 mpirun --oversubscribe -np 2 "$bin/orcs" --fail-if 'bw<0.99' -p gather --metric hist_max_cong -d $small >"$work/out" 2>"$work/err"
if [ $? -eq 4 ] && grep -q '^BW: 0.066667' "$work/out"; then good; else bad "--fail-if on two processes"; fi

# A process that is killed takes the others with it.
timeout 120 mpirun --oversubscribe -np 3 "$bin/orcs" -n 1000000000 $tree >"$work/out" 2>"$work/err" &
mpirun=$!
victim=
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	sleep 0.5
	victim=$(pgrep -f "$bin/orcs -n 1000000000" | tail -n 1)
	[ -n "$victim" ] && [ "$try" -gt 3 ] && break
done
kill -KILL "$victim"
wait $mpirun
status=$?
if [ $status -ne 0 ] && [ $status -ne 124 ] && [ ! -s "$work/out" ]; then good; else bad "a killed process: status $status"; fi

# Signals: without mpirun the status tells which, and what is done is printed.
for signal in INT TERM; do
	env --default-signal "$bin/orcs" -n 1000000000 $tree >"$work/out" 2>"$work/err" &
	job=$!
	sleep 2
	kill -$signal $job 2>/dev/null
	wait $job
	status=$?
	wanted=143
	[ $signal = INT ] && wanted=130
	if [ $status -eq $wanted ] && grep -q '^partial: [1-9][0-9]* of the 1000000000 runs' "$work/out"; then good; else bad "SIG$signal: status $status"; fi
done
# With mpirun, which hands the signal on, and does not wait long: so few long runs.
timeout 120 mpirun --oversubscribe -np 2 "$bin/orcs" -p alltoall_flood -n 1000000000 -o "$work/partial" $tree >"$work/out" 2>"$work/err" &
sleep 4
pkill -TERM -f "^mpirun --oversubscribe -np 2 $bin/orcs -p alltoall_flood -n 1000000000 -o $work/partial"
wait $!
if grep -q '^partial: [1-9][0-9]* of the 1000000000 runs' "$work/partial"; then good; else bad "mpirun and SIGTERM"; fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
