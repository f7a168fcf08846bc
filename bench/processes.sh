#!/bin/sh
# processes.sh - what a second process brings, and that it changes no byte of the result.

set -u
export LC_ALL=C
me=processes.sh

usage() {
	cat <<'EOF'
Usage: bench/processes.sh [TIMES [RUNS]]

Runs pattern rand with all metrics but the graph on a routed fat tree of
4,096 hosts, RUNS runs (by default 5000), TIMES times each (by default 3),
without mpirun, with mpirun -np 1 and with mpirun -np 2, in turn. Prints the
best throughput of each in pairs a second, as orcs -v tells it (reading and the
start of MPI not included). All results must be the same, byte for byte: exit
status 1 if they are not. Run from the root of the repository, after make;
ORCS=PROGRAM takes another program than build/plain/bin/orcs, MPIRUN=COMMAND
another than mpirun.
EOF
}

. bench/common.sh

times_each=${1-3}
runs=${2-5000}
mpirun=${MPIRUN-mpirun}
command -v "${mpirun%% *}" >/dev/null 2>&1 || die "mpirun is missing: install the package openmpi-bin"
# Open MPI asks for this when root starts it, and on machines with fewer cores than processes
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
bench/fattree3.sh 32 16 >"$tmp/fabric.dot" || exit 1
machine

# Runs orcs once behind a launcher (or none), adds its throughput to the file, compares its result.
run() { # FILE LAUNCHER...
	into=$1
	shift
	"$@" "$orcs" -v -n "$runs" -p rand --metric hist_acc_band,hist_max_cong,sum_max_cong,dep_max_delay \
		"$tmp/fabric.dot" 2>"$tmp/said" >"$tmp/result" || die "failed: $* orcs: $(grep -v '^run ' "$tmp/said" | head -n 9)"
	sed -n 's/^[0-9]* runs, \([0-9]*\) connections in \([0-9.]*\) s.*/\1 \2/p' "$tmp/said" |
		awk '{ printf "%.0f\n", $1 / $2 }' >>"$into"
	[ -f "$tmp/first" ] || cp "$tmp/result" "$tmp/first"
	cmp "$tmp/first" "$tmp/result" || die "the results differ: $*"
}

i=0
while [ "$i" -lt "$times_each" ]; do
	run "$tmp/alone" env
	# shellcheck disable=SC2086 # MPIRUN may be several words
	run "$tmp/one" $mpirun -np 1
	# shellcheck disable=SC2086
	run "$tmp/two" $mpirun -np 2
	i=$((i + 1))
done
printf '%-14s %16s %10s\n' processes 'pairs a second' speedup
alone=$(sort -rn "$tmp/alone" | head -n 1)
for name in alone one two; do
	sort -rn "$tmp/$name" | awk -v name="$name" -v alone="$alone" '
		NR == 1 { printf "%-14s %16.0f %10.2f\n", name == "alone" ? "1, no mpirun" : "mpirun -np " (name == "one" ? 1 : 2), $1, $1 / alone }'
done
echo 'all results are the same, byte for byte'
