#!/bin/sh
# What signals do to each program: signals.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
skipped=0

if ! env --default-signal=INT true 2>/dev/null; then
	echo "SKIPPED: env has no --default-signal"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"

tree=$root/examples/fattree324.dot small=$root/examples/fattree16.dot
mkdir "$work/run" && cd "$work/run" || exit 1

# A shell gives its background jobs SIGINT and SIGQUIT to ignore, and a terminal does not.
fresh="env --default-signal"

# Waits until the program has begun its runs, and so catches signals: those of the mask in /proc, of which SIGTERM is bit 15.
has_begun() { # PID
	for try in $(seq 100); do
		caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null) || return 1
		[ $((0x$caught >> 14 & 1)) -eq 0 ] || return 0
		sleep 0.1
	done
	return 1
}

number() { # SIGNAL
	kill -l "$1" 2>/dev/null || case $1 in
	HUP) echo 1 ;; INT) echo 2 ;; QUIT) echo 3 ;; KILL) echo 9 ;; USR1) echo 10 ;; USR2) echo 12 ;;
	PIPE) echo 13 ;; ALRM) echo 14 ;; TERM) echo 15 ;; XCPU) echo 24 ;; esac
}

# Only these files are in the folder.
only() {
	[ "$(ls -A | tr '\n' ' ')" = "$*${*:+ }" ] || {
		echo "left behind: $(ls -A)"
		return 1
	}
}

# ---- orcs: the runs that were complete, for each signal; nothing beside
partial() { # SIGNAL ARGUMENTS
	signal=$1
	shift
	rm -rf ./*
	$fresh "$bin/orcs" -n 1000000000 "$@" -o result >"$work/out" 2>"$work/err" &
	job=$!
	has_begun $job || return 1
	sleep 0.3
	kill "-$signal" $job
	wait $job
	status=$?
	[ $status -eq $((128 + $(number "$signal"))) ] || {
		echo "status $status"
		return 1
	}
	grep -Eq '^partial: [1-9][0-9]* of the 1000000000 runs' result && [ ! -s "$work/out" ] && only result
}
for signal in HUP INT PIPE ALRM TERM USR1 USR2 XCPU; do
	check "SIG$signal leaves the runs that were complete" partial $signal "$tree"
done
check "SIGHUP with the flow engine" partial HUP --engine flow -p rand "$small"
check "SIGXCPU with the packet engine" partial XCPU --engine packet -p rand "$small"

# Of others nothing is left, whether the result was there before or not.
ended() { # STATUS_WANTED SIGNALS
	wanted=$1
	shift
	for before in none some; do
		rm -rf ./*
		[ $before = none ] || echo before >result
		$fresh "$bin/orcs" -n 1000000000 "$tree" -o result >"$work/out" 2>"$work/err" &
		job=$!
		has_begun $job || return 1
		for signal in "$@"; do
			kill "-$signal" $job
		done
		wait $job
		status=$?
		[ $status -eq "$wanted" ] || {
			echo "status $status"
			return 1
		}
		if [ $before = none ]; then only || return 1; else only result && [ "$(cat result)" = before ] || return 1; fi
	done
}
check "SIGQUIT ends the program at once" ended 131 QUIT
check "SIGKILL leaves nothing behind" ended 137 KILL

# A run that takes long, so that the second signal comes before the end that the first has asked for.
twice() { # STATUS_WANTED SIGNAL SIGNAL
	rm -rf ./*
	$fresh "$bin/orcs" --engine packet --load 0.5 --warmup 1 --measure 1 torus:8x8 -o result >"$work/out" 2>"$work/err" &
	job=$!
	has_begun $job || return 1
	kill "-STOP" $job
	kill "-$2" $job
	kill "-CONT" $job
	sleep 0.2
	kill "-$3" $job 2>/dev/null
	wait $job
	[ $? -eq "$1" ]
}
check "SIGHUP twice, as a lost terminal sends it" twice 129 HUP HUP
check "SIGXCPU twice, as the limit of CPU time sends it" twice 152 XCPU XCPU

# The limit itself: a signal each second of CPU time from the first on.
limited() {
	rm -rf ./*
	(
		ulimit -S -t 1
		exec "$bin/orcs" -n 1000000000 "$tree" -o result
	) >"$work/out" 2>"$work/err"
	[ $? -eq 152 ] && grep -q '^partial: [1-9]' result && only result
}
check "the limit of CPU time leaves the runs that were complete" limited

too_large() {
	rm -rf ./*
	(
		ulimit -f 1
		exec "$bin/orcs" -n 100 --raw "$tree" --metric get_cable_cong:graph -o result
	) >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq 1 ] && grep -q '^orcs: .*cannot write: File too large$' "$work/err"
}
check "a limit of the size of files is an error of writing" too_large

# ---- what was ignored when the program started stays so
ignored() { # SIGNAL
	rm -rf ./*
	env --ignore-signal="$1" "$bin/orcs" -n 1000000000 "$tree" -o result >"$work/out" 2>"$work/err" &
	job=$!
	has_begun $job || return 1
	kill "-$1" $job
	sleep 0.5
	kill -0 $job || return 1
	kill -TERM $job
	wait $job
	[ $? -eq 143 ] && grep -q '^partial: [1-9]' result
}
for signal in HUP INT USR1 XCPU; do
	check "SIG$signal that was ignored" ignored $signal
done
check "nohup" env PATH="$PATH" sh -c "
	nohup '$bin/orcs' -n 1000000000 '$tree' -o result >'$work/out' 2>'$work/err' & job=\$!
	sleep 1; kill -HUP \$job; sleep 0.3; kill -0 \$job || exit 1
	kill -TERM \$job; wait \$job; [ \$? -eq 143 ]"

# ---- a reader of the result that goes away
gone() { # PROGRAM ARGUMENTS
	program=$1
	shift
	rm -f "$work/status"
	{
		$fresh "$bin/$program" "$@" 2>"$work/err"
		echo $? >"$work/status"
	} | true
	[ "$(cat "$work/status")" -eq 141 ] && [ ! -s "$work/err" ]
}
check "orcs into a pipe that nobody reads" gone orcs -n 1000 --raw "$tree"
check "orcs-compare into such a pipe" gone orcs-compare -n 1000 "$small" "$small"
check "orcs-bound into such a pipe" gone orcs-bound "$small"

# ---- programs without partial results
no_result() { # PROGRAM SIGNAL ARGUMENTS
	program=$1 signal=$2
	shift 2
	rm -rf ./*
	$fresh "$bin/$program" "$@" -o result >"$work/out" 2>"$work/err" &
	job=$!
	has_begun $job || return 1
	sleep 0.2
	kill "-$signal" $job
	wait $job
	status=$?
	cat "$work/err"
	[ $status -eq $((128 + $(number "$signal"))) ] && grep -qx "$program: interrupted: no result" "$work/err" && [ ! -s "$work/out" ] && only
}
for signal in HUP INT TERM USR1 XCPU; do
	check "orcs-compare and SIG$signal" no_result orcs-compare $signal -n 100000000 "$small"
done
check "orcs-bound and SIGHUP" no_result orcs-bound HUP --epsilon 0.0011 torus:12x12x4
writing() { # SIGNAL PROGRAM ARGUMENTS
	signal=$1 program=$2
	shift 2
	rm -rf ./*
	echo before >old
	for file in result old; do
		$fresh "$bin/$program" -o $file "$@" >"$work/out" 2>"$work/err" &
		job=$!
		for try in $(seq 100); do
			ls -l "/proc/$job/fd" 2>/dev/null | grep -q "$work/run" && break
			sleep 0.02
		done
		kill "-$signal" $job
		wait $job
		[ $? -eq $((128 + $(number "$signal"))) ] || return 1
	done
	only old && [ "$(cat old)" = before ]
}
for signal in HUP TERM KILL XCPU; do
	check "orcs-topology and SIG$signal" writing $signal orcs-topology torus:200x200x4
done

# ---- long work in which nothing is done yet: the signal ends it at once; where it did not, this took minutes
soon() { # STATUS COMMAND...: a second after its beginning, or, with $runs, that of the runs
	wanted=$1
	shift
	rm -rf ./*
	$fresh "$@" -o result >"$work/out" 2>"$work/err" &
	job=$!
	[ -z "$runs" ] || has_begun $job || return 1
	sleep 1
	kill -TERM $job || return 1
	for try in $(seq 300); do
		case $(ps -o stat= -p $job) in '' | Z*) break ;; esac
		sleep 0.1
	done
	[ "$try" -lt 300 ] || {
		kill -KILL $job
		echo "does not end"
		return 1
	}
	wait $job
	status=$?
	cat "$work/err"
	[ $status -eq "$wanted" ] && [ ! -s "$work/out" ]
}
runs=
check "routing" soon 143 "$bin/orcs-route" nue torus:30x30x30
check "routing for the runs" soon 143 "$bin/orcs" -R nue torus:30x30x30
check "routing for a comparison" soon 143 "$bin/orcs-compare" -R nue torus:30x30x30
check "... leaves nothing" only
check "loads and bounds" soon 143 "$bin/orcs-bound" torus:30x30x30
check "... leave nothing" only
check "the check for deadlocks" soon 143 "$bin/orcs" --engine packet --load 0.1 torus:30x30x30
early() {
	runs=yes
	soon 143 "$bin/orcs" "$@" && grep -qx 'partial: 0 of the 3 runs' result && only result
}
check "rates of many messages" early --engine flow -p random:1000000 -n 3 torus:16x16x16

# A program that draws does not outlive the one that started it.
mkdir "$work/drawing"
printf '#!/bin/sh\necho $$ >"%s"\nexec sleep 300\n' "$work/child" | tee "$work/drawing/neato" >"$work/drawing/gnuplot"
chmod +x "$work/drawing/neato" "$work/drawing/gnuplot"
orphan() { # STATUS SIGNALS PROGRAM ARGUMENTS
	wanted=$1 signals=$2 program=$3
	shift 3
	rm -rf ./* "$work/child"
	PATH="$work/drawing:$PATH" $fresh "$bin/$program" "$@" >"$work/out" 2>"$work/err" &
	job=$!
	for try in $(seq 100); do
		[ ! -s "$work/child" ] || break
		sleep 0.1
	done
	child=$(cat "$work/child")
	for signal in $signals; do
		kill "-$signal" $job
		sleep 0.2
	done
	wait $job
	status=$?
	sleep 0.5
	case $(ps -o stat= -p "$child") in
	'' | Z*) ;;
	*)
		kill "$child"
		return 1
		;;
	esac
	[ $status -eq "$wanted" ] && only
}
check "neato of orcs-draw" orphan 143 TERM orcs-draw -o picture.svg torus:4x4
check "neato of orcs-draw, and a lost terminal" orphan 129 HUP orcs-draw -o picture.svg torus:4x4
check "gnuplot of orcs, and a second signal" orphan 130 'INT INT' orcs --plot picture.svg -n 10 torus:4x4

# ---- mpirun hands on, or sends SIGTERM and a second later SIGKILL: on a busy machine with a slow disk that is too soon
export OMPI_MCA_odls_base_sigkill_timeout=5
spread() { # SIGNAL
	rm -rf ./*
	timeout 120 mpirun --oversubscribe -np 2 "$bin/orcs" -n 1000000000 "$tree" -o result --checkpoint ck >"$work/out" 2>"$work/err" &
	job=$!
	mpirun=
	for try in $(seq 100); do
		sleep 0.1
		mpirun=${mpirun:-$(pgrep -P $job -x mpirun)}
		both=$(pgrep -P "${mpirun:-$job}" -x orcs)
		[ "$(echo "$both" | grep -c .)" -eq 2 ] && has_begun "${both%%[!0-9]*}" && has_begun "${both##*[!0-9]}" && break
	done
	sleep 1
	kill "-$1" "$mpirun"
	wait $job
	cat "$work/err"
	grep -q '^partial: [1-9]' result && only ck result
}
if command -v mpirun >/dev/null 2>&1 && command -v pgrep >/dev/null 2>&1; then
	for signal in HUP INT TERM USR1 USR2; do
		check "two processes and SIG$signal" spread $signal
	done
else
	skipped=1
	echo "SKIPPED: mpirun or pgrep is not installed"
fi

cd "$root" || exit 1
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
