#!/bin/sh
# orcs-record with programs whose traffic is known, of each MPI that is here, and with programs that do not end as they should: record.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
fabric=examples/fattree16.dot

# Runs a program of an MPI with a number of ranks, recorded into $work/d: recorded MPI RANKS COMMAND...
recorded() {
	mpi=$1
	number=$2
	shift 2
	rm -rf "$work/d"
	EXPECT=$work/expect timeout 60 "$bin/orcs-record" -o "$work/d" -- "mpirun.$mpi" -np "$number" "$@"
}

# The messages and calls are those that the program says.
is_exact() { # MPI RANKS CASE
	recorded "$1" "$2" "$work/traffic.$1" "$3" && python3 tests/record/compare.py "$bin" "$work/d/mpi.trace.zst" "$work/expect" "$2" "$fabric"
}

# A comparison must see that a message is missing.
sees_difference() { # MPI
	recorded "$1" 4 "$work/traffic.$1" ring && echo "m 0 12345" >>"$work/expect.2" &&
		! python3 tests/record/compare.py "$bin" "$work/d/mpi.trace.zst" "$work/expect" 4 "$fabric"
}

passes_on() { # MPI: output and status
	recorded "$1" 4 "$work/traffic.$1" ring 5 >"$work/said.out" 2>"$work/said.err"
	[ $? -eq 5 ] && [ "$(cat "$work/said.out")" = 'traffic of 4 ranks' ] && [ "$(ls "$work/d")" = mpi.trace.zst ]
}

keeps_what_there_was() { # MPI CASE WORDS
	recorded "$1" 4 "$work/traffic.$1" "$2" >"$work/said.out" 2>&1
	[ $? -ne 0 ] && grep -q "$3" "$work/said.out" && grep -q 'ended before MPI_Finalize' "$work/said.out" &&
		zstd -dc "$work/d/mpi.trace.zst" | grep -q '^incomplete$' && [ "$(zstd -dc "$work/d/mpi.trace.zst" | grep -c '^s ')" -eq 24 ] &&
		"$bin/orcs" --engine flow -d --quiet -p "trace:$work/d/mpi.trace.zst" "$fabric"
}

notices_lost() { # MPI
	recorded "$1" 4 "$work/traffic.$1" lost >"$work/said.out" 2>&1 &&
		grep -q 'warning: 1 message was sent and never received (the first: from rank 2 to rank 1, tag 99)' "$work/said.out" &&
		zstd -dc "$work/d/mpi.trace.zst" | grep -q '^incomplete$' &&
		says 0 'note: 1 messages or receives have no counterpart' "$bin/orcs" --engine flow -d -p "trace:$work/d/mpi.trace.zst" "$fabric"
}

# What an earlier recording has left beside the trace is removed: it would seem to be of this one.
replaces() { # MPI
	recorded "$1" 4 "$work/traffic.$1" ring || return
	for name in mpi-2.trace.zst mpi.goal mpi-3.goal mpi-2.trace mine.trace.zst; do
		: >"$work/d/$name"
	done
	timeout 60 "$bin/orcs-record" -o "$work/d" -- "mpirun.$1" -np 4 "$work/traffic.$1" ring 2>"$work/said.err" &&
		[ "$(ls "$work/d" | tr '\n' ' ')" = 'mine.trace.zst mpi-2.trace mpi.trace.zst ' ] &&
		grep -q "note: removed $work/d/mpi-2.trace.zst of an earlier recording" "$work/said.err"
}

one_rank() { # MPI
	recorded "$1" 1 "$work/traffic.$1" ring >"$work/said.out" 2>&1 && grep -q 'mpi.trace.zst: 1 rank, ' "$work/said.out" &&
		zstd -dc "$work/d/mpi.trace.zst" | grep -q 'orcs-record: 1 rank,' && ! grep -q warning "$work/said.out"
}

other_mpi() { # MPI OTHER
	rm -rf "$work/d"
	"$bin/orcs-record" --mpi="$2" -o "$work/d" -- "mpirun.$1" -np 2 "$work/traffic.$1" ring >"$work/said.out" 2>&1
	status=$?
	grep -q 'nothing was recorded: .*, or its MPI is not that of --mpi$' "$work/said.out" || return
	[ "$1" = openmpi ] || [ $status -eq 3 ] || return
	[ "$1" = mpich ] || { [ $status -eq 1 ] && grep -q 'the program is of Open MPI, but its launcher or --mpi is of MPICH' "$work/said.out"; }
}

# The instructions that 2000 calls take, in all: instructions LIBRARY ...; each begins and ends the program's only rank.
instructions() { # LIBRARY
	rm -rf "$work/d" && mkdir "$work/d" &&
		ORCS_RECORD=$work/d LD_PRELOAD=$1 valgrind --tool=callgrind --toggle-collect=counted_calls --callgrind-out-file=/dev/null \
			"$work/traffic.openmpi" counted 2>&1 >/dev/null | awk '/Collected : / { print $NF }'
}
is_cheap() { # INSTRUCTIONS: at most so many more per call with the library, and it has recorded the calls
	with=$(instructions "$(ls "$bin"/../../lib/liborcs-record-openmpi.so)")
	log=$(ls "$work/d")
	without=$(instructions '')
	echo "with the library $with, without $without"
	[ -n "$log" ] && [ "$without" -gt 0 ] && [ $((with - without)) -gt 20000 ] && [ $((with - without)) -le $((2000 * $1)) ]
}
is_not_cheap() {
	! is_cheap 50
}

# Variables that the command passes on itself, as Open MPI has only one way to do so at a time.
passes_variables() {
	rm -rf "$work/d"
	FIRST=1 timeout 60 "$bin/orcs-record" -o "$work/d" -- mpirun.openmpi -x FIRST -np 4 "$work/traffic.openmpi" ring &&
		[ "$(zstd -dc "$work/d/mpi.trace.zst" | grep -c '^s ')" -eq 24 ]
}

# Open MPI's own monitoring counts the same in the same run: messages, and the bytes of collective operations. What it counts in a case that
# makes the same communicators and sends nothing is not the program's.
monitored() { # PREFIX COMMAND...
	prefix=$1
	shift
	timeout 60 "$@" -np 4 --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename "$prefix" \
		"$work/traffic.openmpi" "$monitored_case"
}
is_monitored() { # CASE ALGORITHMS [CASE_OF_COMMUNICATORS]
	rm -rf "$work/d" "$work"/monitored.* "$work"/making.*
	monitored_case=${3:-}
	[ $# -lt 3 ] || monitored "$work/making" mpirun.openmpi || return
	monitored_case=$1
	monitored "$work/monitored" "$bin/orcs-record" --quiet -o "$work/d" -- mpirun.openmpi &&
		python3 tests/record/monitored.py "$bin" "$work/d/mpi.trace.zst" "$work/monitored" 4 "$fabric" "$2" ${3:+"$work/making"}
}

fortran() { # MPI
	recorded "$1" 4 "$work/bindings.$1" && zstd -dc "$work/d/mpi.trace.zst" >"$work/text" &&
		[ "$(grep -c '^s .* 40 ' "$work/text")" -eq 8 ] && [ "$(grep -c '^s 0 1 4 20$' "$work/text")" -eq 1 ] &&
		[ "$(grep -c '^x . allreduce 40 element=4$' "$work/text")" -eq 8 ] && ! grep -q '\*' "$work/text" &&
		"$bin/orcs" --engine flow -d --quiet -p "trace:$work/d/mpi.trace.zst" "$fabric"
}

same_schedule() { # MPI CASE: the schedule in GOAL takes the time of the trace; waits of windows are messages there
	rm -rf "$work/d"
	timeout 60 "$bin/orcs-record" --quiet --goal -o "$work/d" -- "mpirun.$1" -np 4 "$work/traffic.$1" "$2" &&
		"$bin/orcs" --engine flow -d --latency 0 -p "trace:$work/d/mpi.trace.zst" "$fabric" >"$work/one" &&
		"$bin/orcs" --engine flow -d --latency 0 -p "goal:$work/d/mpi.goal" "$fabric" >"$work/two" && diff "$work/one" "$work/two"
}

# The logs that the library leaves on a machine without orcs become the same trace.
merges() { # MPI
	rm -rf "$work/d" && mkdir "$work/d" || return 1
	(ORCS_RECORD=$work/d LD_PRELOAD=$(ls "$bin"/../../lib/liborcs-record-"$1".so) && export ORCS_RECORD LD_PRELOAD && timeout 60 "mpirun.$1" -np 4 "$work/traffic.$1" ring) &&
		[ -f "$work/d/rank-3.1.record" ] && says 2 'logs of an earlier run' "$bin/orcs-record" -o "$work/d" -- true &&
		"$bin/orcs-record" -o "$work/d" --merge && [ "$(zstd -dc "$work/d/mpi.trace.zst" | grep -c '^s ')" -eq 24 ]
}

# Programs of 2, 4, 2 and 4 ranks one after another: a trace of each, with all of its ranks.
one_after_another() { # MPI
	rm -rf "$work/d"
	EXPECT=$work/expect timeout 60 "$bin/orcs-record" -o "$work/d" -- sh -c "for ranks in 2 4 2 4; do mpirun.$1 -np \$ranks $work/traffic.$1 ring; done" \
		>"$work/said.out" 2>&1 || return 1
	! grep -q warning "$work/said.out" && [ "$(ls "$work/d" | tr '\n' ' ')" = 'mpi-2.trace.zst mpi-3.trace.zst mpi-4.trace.zst mpi.trace.zst ' ] &&
		for part in :2 -2:4 -3:2 -4:4; do
			zstd -dc "$work/d/mpi${part%:*}.trace.zst" | grep -q "orcs-record: ${part#*:} ranks" || return 1
		done
}

# The ranks cannot write more: the program goes on, and what there was is kept.
no_room() { # MPI
	rm -rf "$work/small" && mkdir "$work/small" && mount -t tmpfs -o size=1m none "$work/small" || return 1
	timeout 60 "$bin/orcs-record" -o "$work/small" -- "mpirun.$1" -np 4 "$work/traffic.$1" ring >"$work/said.out" 2>&1
	status=$?
	umount "$work/small"
	[ $status -ne 139 ] && grep -q 'traffic of 4 ranks' "$work/said.out" && grep -qi 'no space' "$work/said.out"
}

if ! have zstd || ! have python3; then
	skip "zstd or python3 is not installed: all of orcs-record"
	echo "$passed passed, $failed failed, $skipped skipped"
	exit 0
fi
for mpi in openmpi mpich; do
	if ! have "mpicc.$mpi" || ! have "mpirun.$mpi" || [ ! -f "$bin/../../lib/liborcs-record-$mpi.so" ]; then
		skip "$mpi, or the library for it, is not here"
		continue
	fi
	check "$mpi: the programs compile" "mpicc.$mpi" -O1 -w tests/record/traffic.c -o "$work/traffic.$mpi" -lpthread
	for name in ring halo persistent wildcards communicators collectives neighbours onesided epochs threads; do
		check "$mpi: $name on 4 ranks" is_exact $mpi 4 $name
		sanitized || check "$mpi: $name on 6 ranks" is_exact $mpi 6 $name
	done
	check "$mpi: a difference is not seen" sees_difference $mpi
	if [ $mpi = openmpi ]; then
		for name in ring halo wildcards; do
			check "monitoring: $name" is_monitored $name none
		done
		check "monitoring: collective operations" is_monitored blocking openmpi
		check "monitoring: nonblocking ones" is_monitored collectives openmpi
		check "monitoring: those of neighbours" is_monitored grid openmpi no_grid
	fi
	[ $mpi = mpich ] || check "variables that are passed on" passes_variables
	if [ $mpi = openmpi ] && have valgrind; then
		check "instructions per call" is_cheap 400
		check "instructions per call are counted" is_not_cheap
	elif [ $mpi = openmpi ]; then
		skip "valgrind is not installed: instructions per call"
	fi
	check "$mpi: output and status" passes_on $mpi
	check "$mpi: a message that is never received" notices_lost $mpi
	check "$mpi: an earlier recording" replaces $mpi
	check "$mpi: one rank" one_rank $mpi
	other=$([ $mpi = mpich ] && echo openmpi || echo mpich)
	if [ -f "$bin/../../lib/liborcs-record-$other.so" ]; then
		check "$mpi: the library for another MPI" other_mpi $mpi $other
	else
		skip "$mpi: the library for $other is not here"
	fi
	check "$mpi: a killed program" keeps_what_there_was $mpi killed 'mpi.trace.zst'
	check "$mpi: a program that aborts" keeps_what_there_was $mpi aborts 'rank 0 called MPI_Abort with 9'
	for name in collectives onesided epochs; do
		check "$mpi: a schedule in GOAL, $name" same_schedule $mpi $name
	done
	check "$mpi: logs that are merged" merges $mpi
	check "$mpi: programs one after another" one_after_another $mpi
	if [ "$(id -u)" -eq 0 ] && mkdir -p "$work/small" && mount -t tmpfs -o size=1m none "$work/small" 2>/dev/null; then
		umount "$work/small"
		check "$mpi: a full disk" no_room $mpi
	else
		skip "$mpi: a full disk: no file system can be mounted"
	fi
	if have gfortran && have "mpifort.$mpi"; then
		check "$mpi: Fortran compiles" "mpifort.$mpi" -J "$work" -w -fallow-argument-mismatch tests/record/bindings.f90 -o "$work/bindings.$mpi"
		check "$mpi: both bindings of Fortran" fortran $mpi
	else
		skip "$mpi: gfortran is not installed"
	fi
done

check "a command that is not there" says 127 "cannot run 'no-such-launcher'" "$bin/orcs-record" -o "$work/none" -- no-such-launcher -np 4 x
check "nothing is left of it" [ ! -e "$work/none" ]
check "a command without MPI" says 3 'nothing was recorded' "$bin/orcs-record" -o "$work/none" -- true
check "its status" says 7 'nothing was recorded' "$bin/orcs-record" -o "$work/none" -- sh -c 'exit 7'
check "a directory that cannot be made" says 1 'cannot be created' "$bin/orcs-record" -o /proc/none -- true
check "a command without --" says 2 "'mpirun': the command follows --" "$bin/orcs-record" mpirun -np 2 true
check "a command without --, after options" says 2 "'mpirun': the command follows --" "$bin/orcs-record" -o "$work/none" mpirun -np 2 true
check "no command" says 2 'no command' "$bin/orcs-record" -o "$work/none"
check "no directory" says 2 'no directory' "$bin/orcs-record" -- true
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
