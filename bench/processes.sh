#!/bin/sh
# processes.sh - what further processes bring and what memory they take, and that they change no byte of the result.

set -u
export LC_ALL=C
me=processes.sh

usage() {
	cat <<'EOT'
Usage: bench/processes.sh [TIMES [PAIRS [HOSTS...]]]

Runs pattern bisect with metric hist_acc_band on routed fat trees (by default of
4096 and 27648 hosts), as many runs as make PAIRS pairs (by default 100000000),
without mpirun and with mpirun on one process, two, and so on to one for each
core, in turn, TIMES times (by default 5). Prints the medians: pairs a second, as
orcs -v tells the time (reading and the start of MPI not included), the speedup
against the process without mpirun, beside it the one that the machine has at
that time for programs that compute alone and need no memory, and the most memory
that all processes together took in a further run, sampled (proportional set
sizes: what they share counts once), and its ratio to that of one under mpirun.
The bars for two processes, from 4,096 hosts on: 1.85 times the throughput, less
than 1.15 times the memory. All results must be the same, byte for byte: exit
status 1 if they are not. Run from the root of the repository, after make;
MPIRUN=COMMAND takes another launcher than mpirun, ORCS=PROGRAM and
BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

. bench/common.sh

times_each=${1-5}
pairs=${2-100000000}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 4096 27648
mpirun=${MPIRUN-mpirun}
need "${mpirun%% *}"
# Open MPI asks for this when root starts it, and on machines with fewer cores than processes
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# Runs orcs on so many processes; 0: without mpirun. $command tells how. What a process says goes to a file of its own: a launcher that
# hands it on would take part of a core.
run() { # PROCESSES
	launcher=
	[ "$1" -eq 0 ] || launcher="$mpirun -np $1 "
	arguments="-n $((pairs / (hosts / 2) + 1)) -p bisect --metric hist_acc_band --format json"
	command="${launcher}orcs -v $arguments $fabric"
	# shellcheck disable=SC2016,SC2086 # the inner shell is to expand it; words
	$launcher sh -c 'said=$1; shift; exec "$@" 2>"$said.${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}"' sh "$tmp/said" \
		"$orcs" -v $arguments "$fabric" >"$tmp/result" 2>"$tmp/launched" </dev/null
}

# Appends the seconds that the machine takes for so many processes at once that compute alone and need no memory.
time_machine() { # PROCESSES
	# shellcheck disable=SC2016 # the inner shell is to expand it
	/usr/bin/time -a -o "$tmp/machine-$1" -f %e sh -c 'n=$1
		while [ "$n" -gt 0 ]; do
			awk "BEGIN { for (i = 0; i < 30000000; i++) x += i }" &
			n=$((n - 1))
		done
		wait' sh "$1"
}

# The result of the last run must be that of the first one.
compare_results() {
	[ -f "$tmp/$hosts.first" ] || cp "$tmp/result" "$tmp/$hosts.first"
	cmp "$tmp/$hosts.first" "$tmp/result" || die "the results differ: $command"
}

time_run() { # PROCESSES
	run "$1" || die "failed: $command: $(tail -n 1 "$tmp/said.0") $(tail -n 1 "$tmp/launched")"
	sed -n 's/^[0-9]* runs, [0-9]* connections in .*: \([0-9.]*\) ns each$/\1/p' "$tmp/said.0" >>"$tmp/$hosts-$1"
	echo "$command" >"$tmp/$hosts-$1.command"
	compare_results
}

# The most memory of all processes of a run together, in MB. Nothing where the system does not tell.
sample_memory() { # PROCESSES
	run "$1" &
	job=$!
	most=0
	while kill -0 "$job" 2>/dev/null; do
		sum=0
		for process in /proc/[0-9]*; do
			[ "$(readlink "$process/exe" 2>/dev/null)" = "$orcs" ] || continue
			size=$(awk '$1 == "Pss:" { print $2 }' "$process/smaps_rollup" 2>/dev/null)
			sum=$((sum + ${size:-0}))
		done
		[ "$sum" -le "$most" ] || most=$sum
		sleep 0.05
	done
	wait "$job" || die "failed on $1 processes"
	compare_results
	[ "$most" -eq 0 ] || compute %.0f "$most * 1.024e-3"
}

cores=$(getconf _NPROCESSORS_ONLN)
machine
all=0
while [ "${all##* }" -lt "$cores" ]; do
	all="$all $((${all##* } + 1))"
done
for hosts; do
	get_fabric "$hosts" tables || die "no fabric of $hosts hosts"
	i=0
	while [ "$i" -lt "$times_each" ]; do
		for processes in $all; do
			time_run "$processes"
			[ "$processes" -eq 0 ] || time_machine "$processes"
		done
		i=$((i + 1))
	done
	alone=$(median "$tmp/$hosts-0")
	memory_one=
	for processes in $all; do
		ns=$(median "$tmp/$hosts-$processes")
		memory=$(sample_memory "$processes") || exit 1
		command=$(cat "$tmp/$hosts-$processes.command")
		[ "$processes" -ne 1 ] || memory_one=$memory
		could=1
		[ "$processes" -eq 0 ] || could=$(compute %.2f "$processes * $(median "$tmp/machine-1") / $(median "$tmp/machine-$processes")")
		speedup=$(compute %.2f "$alone / $ns")
		ratio=
		[ -z "$memory" ] || [ -z "$memory_one" ] || ratio=$(compute %.2f "$memory / $memory_one")
		bar='' memory_bar=''
		[ "$processes" -ne 2 ] || [ "$hosts" -lt 4096 ] || bar=1.85 memory_bar=${ratio:+1.15}
		launcher=mpirun
		[ "$processes" -ne 0 ] || launcher=none
		row hosts "$hosts" launcher "$launcher" processes "$((processes ? processes : 1))" pairs_per_s "$(compute %.0f "1e9 / $ns")" \
			speedup "$speedup" machine "$could" bar "$bar" verdict "$(verdict "$speedup" '>=' "$bar")" memory_mb "$memory" memory_ratio "$ratio" \
			memory_bar "$memory_bar" memory_verdict "$(verdict "$ratio" '<' "$memory_bar")"
	done
done
echo 'all results are the same, byte for byte'
