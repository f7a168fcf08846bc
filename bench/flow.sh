#!/bin/sh
# flow.sh - how long the flow engine takes, and SimGrid for the same messages on the same routes.

set -u
export LC_ALL=C
me=flow.sh

usage() {
	cat <<'EOT'
Usage: bench/flow.sh [small|all [SIMGRID_SECONDS]]

Tells the user time that orcs --engine flow takes for messages at once and in
time, beyond what making the fabric takes (a run of the pattern null), the median
of three, and its memory. Where SimGrid is installed (libsimgrid-dev, g++), a
program that drives it (flow_simgrid.cpp) runs the same messages on the same
routes beside it; it gets SIMGRID_SECONDS of CPU time (by default 240; 0 for none)
for each case, and what takes longer is left out. difference: by how much the time
when a message ends differs at most, relative. small takes small fabrics: whether
all works, no more. Run from the root of the repository, after make; ORCS=PROGRAM
(whose neighbour orcs-route is) and BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

. bench/common.sh

need prlimit
size=${1-all}
limit=${2-240}
capacity=10e9
patience=400 # seconds of CPU time
mapping=linear
case $size in small | all) ;; *) die 'the argument is small or all (--help tells more)' ;; esac

# $used: seconds of user time, $memory: MB. Returns 1 if it takes too long.
run_flows() { # ARGUMENT...
	prlimit --cpu=$patience /usr/bin/time -o "$tmp/time" -f '%U %M' \
		"$orcs" --quiet --engine flow --subset file_order --mapping $mapping --capacity $capacity "$@" >"$tmp/result" 2>"$tmp/said"
	status=$?
	[ $status -le 128 ] || return 1
	[ $status -eq 0 ] || die "failed: orcs --engine flow $*: $(tail -n 1 "$tmp/said")"
	used=$(cut -d ' ' -f 1 "$tmp/time")
	memory=$(awk '{ printf "%.0f", $2 * 1.024e-3 }' "$tmp/time")
}

# $user_s: user time of one of so many runs, the median of three times; one is enough where it takes long; empty if it takes too long.
time_flows() { # RUNS ARGUMENT...
	runs=$1
	shift
	command="orcs --engine flow --subset file_order --mapping $mapping -n $runs $*"
	: >"$tmp/seconds"
	user_s=
	for _ in 1 2 3; do
		run_flows -n "$runs" "$@" -p null || return # the last pattern counts
		idle=$used
		run_flows -n "$runs" "$@" || return
		compute '%.6f\n' "$used > $idle ? ($used - $idle) / $runs : 0" >>"$tmp/seconds"
		[ "${used%.*}" -lt 20 ] || break
	done
	user_s=$(compute %.4f "$(median "$tmp/seconds")")
}

# The program that drives SimGrid: $simgrid, empty where it cannot be made.
make_simgrid() {
	simgrid=
	if [ "$limit" -eq 0 ]; then
		echo 'SKIPPED: SimGrid: 0 seconds for it'
	elif ! command -v g++ >/dev/null 2>&1 || [ ! -f /usr/include/simgrid/s4u.hpp ]; then
		echo 'SKIPPED: SimGrid is not installed (Debian: apt-get install g++ libsimgrid-dev): nothing to compare with'
	elif ! g++ -std=c++17 -O2 bench/flow_simgrid.cpp -o "$tmp/flow_simgrid" -lsimgrid >"$tmp/said" 2>&1; then
		echo "SKIPPED: flow_simgrid.cpp does not go with this SimGrid: $(grep -m 1 error "$tmp/said")"
	else
		simgrid=$tmp/flow_simgrid
	fi
}

# The same by SimGrid: $simgrid_s, $ratio, $difference; all empty without. The flows are those of orcs on the tables that SimGrid reads,
# and on the topology.
ask_simgrid() { # none|data|level TOPOLOGY PATTERN
	simgrid_s='' ratio='' difference=''
	[ -n "$simgrid" ] && [ -n "$user_s" ] || return
	"$programs/orcs-route" --quiet own "$2" -o "$tmp/fabric.dot" || exit 1
	run_flows -p "$3" --metric makespan --flows "$tmp/flows" "$tmp/fabric.dot" || return
	run_flows -p "$3" --metric makespan --flows "$tmp/flows.computed" "$2" || return
	cmp -s "$tmp/flows" "$tmp/flows.computed" || die "$2, $3: other flows by tables than computed"
	prlimit --cpu="$limit" "$simgrid" "$tmp/fabric.dot" "$tmp/flows" $capacity "$1" >"$tmp/result" 2>"$tmp/said"
	status=$?
	if [ $status -gt 128 ]; then
		echo "SKIPPED: SimGrid: $2, $3: more than $limit s"
		return
	fi
	[ $status -eq 0 ] || die "SimGrid failed: $(tail -n 1 "$tmp/said")"
	simgrid_s=$(sed -n 's/.*"user_s": \([0-9.]*\).*/\1/p' "$tmp/said")
	difference=$(sed -n 's/.*"difference": \([^}]*\)}.*/\1/p' "$tmp/said" | awk '{ printf "%.13f", $1 }')
	[ "$(compute %d "$user_s > 0")" -eq 0 ] || ratio=$(compute %.1f "$simgrid_s / $user_s")
}

# Messages between random hosts, all at 0: of sizes that are all different, or drawn from so many. The random numbers are those of Park
# and Miller, which do not repeat.
write_trace() { # HOSTS MESSAGES SIZES(0: all different)
	awk -v hosts="$1" -v messages="$2" -v sizes="$3" '
		function draw() { return seed = seed * 16807 % 2147483647 }
		BEGIN {
			seed = 1
			for (i = 0; i < sizes; i++)
				size[i] = draw()
			for (i = 0; i < messages; i++) {
				s = draw() % hosts
				d = (s + 1 + draw() % (hosts - 1)) % hosts
				line[i] = s " " d " " i " " (sizes ? size[draw() % sizes] : draw())
				print "s", line[i]
			}
			for (i = 0; i < messages; i++)
				print "r", line[i]
			print "c", hosts - 1, 0 # so many tasks there are
		}'
}

report() { # WORK TOPOLOGY MESSAGES METRIC BAR MEMORY_BAR
	verdict=missed
	[ -z "$user_s" ] && [ -n "$5" ] || verdict=$(verdict "$user_s" '<=' "$5")
	row pattern "$1" metric "$4" fabric "$2" mapping "$mapping" messages "$3" user_s "$user_s" bar "$5" verdict "$verdict" memory_mb "$memory" \
		memory_bar "$6" memory_verdict "$(verdict "$memory" '<=' "$6")" simgrid_s "$simgrid_s" ratio "$ratio" difference "$difference"
}

# All messages at once.
bench_static() { # TOPOLOGY MESSAGES METRIC RUNS BAR MEMORY_BAR
	simgrid_s='' ratio='' difference=''
	time_flows "$4" -p "random:$2" --metric "$3" "$1"
	report random "$1" "$2" "$3" "$5" "$6"
}

# A pattern in time.
bench_dynamic() { # TOPOLOGY PATTERN SYNC RUNS BAR
	time_flows "$4" -p "$2" --metric makespan "$1"
	ask_simgrid "$3" "$1" "$2"
	run_flows -p "$2" --metric fct "$1" && messages=$(sed -n 's/^messages delivered: //p' "$tmp/result")
	report "$2" "$1" "${messages-}" makespan "$5" ''
}

# A trace of messages with sizes in time.
bench_sizes() { # TOPOLOGY HOSTS MESSAGES SIZES RUNS BAR
	write_trace "$2" "$3" "$4" >"$tmp/sizes.trace"
	time_flows "$5" -p "trace:$tmp/sizes.trace" --metric makespan "$1"
	ask_simgrid none "$1" "trace:$tmp/sizes.trace"
	command=
	report "$([ "$4" -eq 0 ] && echo 'all sizes differ' || echo "$4 sizes")" "$1" "$3" makespan "$6" ''
}

machine
make_simgrid
if [ "$size" = small ]; then
	bench_static torus:4x4x2,hosts=direct 1000 throughput 1 '' ''
	bench_dynamic torus:4x4,hosts=direct allreduce_butterfly data 1 ''
	bench_sizes torus:4x4,hosts=direct 16 100 0 1 ''
	exit
fi
bench_static torus:32x32x16,hosts=direct 164000 throughput:simple 10 0.08 ''
bench_static torus:32x32x16,hosts=direct 164000 throughput 10 '' ''
bench_static fattree:k=32,n=4 10500000 throughput:simple 1 2.5 2000
bench_static fattree:k=32,n=4 10500000 throughput 1 '' ''
bench_static torus:102x102x101,hosts=direct 10500000 throughput:simple 1 12 ''
bench_sizes torus:15x15x15,hosts=direct 3375 1000 0 10 0.06
bench_sizes torus:15x15x15,hosts=direct 3375 2000 0 10 0.4
bench_sizes torus:15x15x15,hosts=direct 3375 4000 0 10 2.5
bench_sizes torus:15x15x15,hosts=direct 3375 10000 0 1 20
bench_dynamic torus:16x16x16,hosts=direct allreduce_butterfly data 1 4
bench_dynamic torus:8x8x8,hosts=direct alltoall level 1 2.5
bench_dynamic torus:8x8x8,hosts=direct alltoall_flood none 1 2.5
mapping=random
bench_dynamic torus:16x16x16,hosts=direct allreduce_butterfly data 1 4
simgrid= # the others are more than it can do
bench_dynamic torus:32x32x32,hosts=direct bisect none 1 300
bench_dynamic torus:32x32x32,hosts=direct allreduce_butterfly data 1 300
mapping=linear
bench_sizes fattree:k=16,n=3 4096 100000 64 1 45
