#!/bin/sh
# From which checkpoints a campaign goes on, and from which not: checkpoint.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

mkdir "$work/run" && cd "$work/run" || exit 1
cp "$root/examples/fattree16.dot" fabric.dot
printf '0 0 1\n0 1 2\n' >pattern
printf 'H1\nH0\nH2\n' >hosts
"$bin/orcs-route" --quiet --routes routes -o routed.dot ksp torus:4x4 2>"$work/err" || cat "$work/err"

# The command goes on from the checkpoint ck without a run that is made.
goes_on() { # ARGUMENTS
	"$bin/orcs" "$@" --resume ck >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq 0 ] && cmp "$work/out" "$work/unbroken"
}

# It is refused in one line with this text: STATUS TEXT ARGUMENTS
refused() {
	wanted=$1 text=$2
	shift 2
	"$bin/orcs" "$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq "$wanted" ] && [ ! -s "$work/out" ] && [ "$(grep -c . "$work/err")" -eq 1 ] && grep -q "^orcs: .*$text" "$work/err"
}

# Writes ck: what the command itself prints is in $work/unbroken.
keep() { # ARGUMENTS
	rm -f ck
	"$bin/orcs" "$@" >"$work/unbroken" 2>"$work/err" && "$bin/orcs" "$@" --checkpoint ck >"$work/out" 2>"$work/err" &&
		cmp "$work/unbroken" "$work/out"
}

json="-n 50 --format json --metric hist_acc_band,hist_max_cong fabric.dot"
# shellcheck disable=SC2086 # options
{
	check "a finished run is kept" keep $json
	check "the same command" goes_on $json
}
# The record of the command has neither of the two, however they are given.
recorded() {
	for given in '--checkpoint ck' '--checkpoint=ck,5' '--resume ck' '--resume=ck' '--resum ck --checkpoint=ck' '--checkp=ck,0 --res=ck'; do
		# shellcheck disable=SC2086 # options
		"$bin/orcs" $given $json >"$work/out" 2>"$work/err" && cmp "$work/unbroken" "$work/out" || return 1
		# shellcheck disable=SC2086 # options
		"$bin/orcs" $json $given >"$work/out" 2>"$work/err" && cmp "$work/unbroken" "$work/out" || return 1
	done
}
check "the record of the command" recorded

runs="-n 50 --raw"
# shellcheck disable=SC2086 # options
{
	check "a text" keep $runs fabric.dot
	check "options that change no result" goes_on $runs -vv --quiet --route-memory 1k -o - fabric.dot
	check "options in another order" goes_on --raw fabric.dot --num_runs=50
	cp fabric.dot copy.dot
	check "another name of the fabric" goes_on $runs copy.dot
	check "standard input with the same bytes" goes_on $runs - <fabric.dot
	check "a pipe with the same bytes" sh -c "cat fabric.dot | '$bin/orcs' $runs --resume ck | cmp - '$work/unbroken'"
	check "a checkpoint of a pipe" sh -c "rm ck; cat fabric.dot | '$bin/orcs' $runs --checkpoint ck - | cmp - '$work/unbroken'"
	check "then the file" goes_on $runs fabric.dot
	mkfifo fifo
	cat fabric.dot >fifo &
	check "a fifo" refused 2 "must compare the contents of fifo and cannot read it twice; name a regular file" $runs --resume ck fifo
	wait
	check "standard input is another" refused 2 "ck: cannot resume from it: the fabric has changed" $runs --resume ck - <"$root/examples/fattree324.dot"
	for difference in '-n 51 --raw:with --runs 50, not 51' '-n 50:with --raw$' '-n 50 --raw --seed 2:without --seed 2' '-n 50 --raw -p rand:without --pattern rand' \
		'-n 50 --raw -d:without --do_not_shuffle' '-n 50 --raw --format csv:without --format csv' '-n 50 --raw --precision 0.1:without --precision 0.1' \
		'-n 50 --raw --engine packet -p rand:without --engine packet'; do
		check "$difference" refused 2 "ck: cannot resume from it: it was written ${difference#*:}" ${difference%%:*} --resume ck fabric.dot
	done
	sed 's/H0 /H0  /' fabric.dot >changed.dot
	echo '// a word' >>changed.dot
	check "another fabric" refused 2 "ck: cannot resume from it: the fabric has changed" $runs --resume ck changed.dot
	check "another topology" refused 2 "the fabric has changed" $runs --resume ck torus:4x4
}

# ---- files that options name
changed() { # FILE ARGUMENTS
	file=$1
	shift
	cp "$file" before
	keep "$@" && goes_on "$@" && echo >>"$file" && refused 2 "cannot resume from it: the content of '$file' has changed" "$@" --resume ck
	result=$?
	cp before "$file"
	return $result
}
check "a pattern's file" changed pattern -p file:pattern -n 5 fabric.dot
check "the file of --ptrnarg" changed pattern -p file -a pattern -n 5 fabric.dot
check "the file of --frstptrn" changed pattern -p ptrnvsptrn -f file:pattern -c null -z 4 -n 5 fabric.dot
check "the file of --subset" changed hosts --subset file:hosts -n 5 fabric.dot
check "the file of --mapping" changed hosts --mapping file:hosts -n 5 fabric.dot
check "the file of --routes" changed routes --routes routes -n 5 torus:4x4
check "what cannot be compared" refused 2 "standard input and cannot read it twice; name a regular file" --mapping file:- --checkpoint ck fabric.dot <hosts

# ---- files that are no checkpoints, or no more
# shellcheck disable=SC2086 # options
{
	check "a text again" keep $runs fabric.dot
	cp ck whole
	head -c 100 whole >ck
	check "a truncated checkpoint" refused 1 "ck: truncated checkpoint; remove it" $runs --resume ck fabric.dot
	head -c 1000 whole >ck
	check "one that lacks its end" refused 1 "ck: truncated checkpoint; remove it" $runs --resume ck fabric.dot
	{ head -c 700 whole && printf x && tail -c +702 whole; } >ck
	check "a damaged checkpoint" refused 1 "ck: damaged checkpoint; remove it" $runs --resume ck fabric.dot
	check "a fabric is no checkpoint" refused 1 "fabric.dot: not a checkpoint of orcs" $runs --resume fabric.dot --checkpoint ck fabric.dot
	: >empty
	check "nor is an empty file" refused 1 "empty: not a checkpoint of orcs" $runs --resume empty fabric.dot
	check "nor a folder" refused 1 "not a checkpoint of orcs" $runs --resume . fabric.dot
	check "a missing checkpoint" refused 1 "missing: cannot open: No such file" $runs --resume missing fabric.dot
	check "one of several names" refused 1 "missing: cannot open: No such file" $runs --resume missing --checkpoint other fabric.dot
	: >empty
	check "an empty file is not precious" sh -c "'$bin/orcs' $runs --checkpoint empty fabric.dot >out && '$bin/orcs' $runs --resume empty fabric.dot | cmp - out"
	check "a fabric is not overwritten" refused 2 "fabric.dot: the file exists and is not a checkpoint" $runs --checkpoint fabric.dot torus:4x4
	check "nor a result" refused 2 "two results cannot be written to the same file" $runs --checkpoint both -o both fabric.dot
	check "no folder for it" refused 1 "missing/ck: cannot write" $runs --checkpoint missing/ck fabric.dot
	check "standard output" refused 2 "need a file name" $runs --checkpoint - fabric.dot
	check "seconds" refused 2 "SECONDS is 'soon', not a time" $runs --checkpoint ck,soon fabric.dot
	check "no runs" refused 2 "--save-fabric alone makes none" --save-fabric x.orcsb --checkpoint ck fabric.dot
}

# ---- a job that starts itself again: the first turn begins anew, a signal ends it, the second goes on
turns() {
	rm -f ck result
	begin=$(date +%s%N)
	"$bin/orcs" -n 400000 --raw fabric.dot -o unbroken || return 1
	third=$((($(date +%s%N) - begin) / 3000)) # in microseconds: what a turn is given, more each time
	for turn in $(seq 1 40); do
		env --default-signal timeout -s USR1 "$(printf '%d.%06d' $((turn * third / 1000000)) $((turn * third % 1000000)))" \
			"$bin/orcs" -v -n 400000 --raw fabric.dot -o result --checkpoint ck --resume ck 2>"$work/err"
		status=$?
		[ $status -eq 124 ] || break
		[ ! -f result ] || grep -q '^partial' result || cmp -s unbroken result || return 1 # or all runs were complete
	done
	cat "$work/err"
	[ $status -eq 0 ] && [ "$turn" -gt 1 ] && grep -q '^resumed from ck after [1-9]' "$work/err" && cmp unbroken result
}
if env --default-signal true 2>/dev/null; then
	check "a job that starts itself again" turns
fi

# A checkpoint that cannot be written does not end the runs, and spoils neither the result nor the checkpoint before.
full() {
	"$bin/orcs" -n 20000 fabric.dot >"$work/unbroken" || return 1
	rm -f ck && "$bin/orcs" -n 1 fabric.dot --checkpoint ck >"$work/out" && cp ck before || return 1
	(
		ulimit -f 1
		exec "$bin/orcs" -n 20000 fabric.dot --checkpoint ck
	) >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq 0 ] && grep -q '^orcs: warning: .*ck: cannot write: File too large; the runs go on$' "$work/err" && cmp ck before &&
		cmp "$work/out" "$work/unbroken"
}
check "a checkpoint that cannot be written" full

cd "$root" || exit 1
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
