#!/bin/sh
# Memory that is not there: every kind that the programs list ends with its result, or with status 1 or 2 and one line that names a figure,
# and never by a signal: memory.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
skipped=0
unset ASAN_OPTIONS

if ! (ulimit -v 400000 && "$bin/orcs" --version) >"$work/out" 2>&1; then
	echo "SKIPPED: the programs do not start in 400 MB of address space (the sanitizers need terabytes)"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

# Runs in so many kB of address space: LIMIT COMMAND...
within() {
	sh -c 'ulimit -v "$0" && ulimit -t 60 && exec "$@"' "$@" >"$work/out" 2>"$work/err" </dev/null
}

# The result of the command where there is memory, or one line with a figure: LIMIT COMMAND...
bounded() {
	limit=$1
	shift
	within "$limit" "$@"
	status=$?
	echo "status $status: $(head -n 3 "$work/err")"
	case $status in
	0)
		mv "$work/out" "$work/limited"
		timeout 60 "$@" >"$work/out" 2>/dev/null </dev/null && cmp "$work/out" "$work/limited" ;;
	1 | 2) [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] && grep -q '[0-9]' "$work/err" ;;
	*) false ;;
	esac
}

# Refused, for memory: LIMIT COMMAND...
refused() {
	limit=$1
	shift
	! within "$limit" "$@" && cat "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] &&
		grep -q 'out of memory.* [0-9.]*[0-9] GB\|out of memory.*[0-9] elements of [0-9]* bytes\|cannot map its [0-9]* bytes' "$work/err"
}

# ---- kinds with their parameters, as "NAME:KEY,KEY[,KEY]" lists them; large ones where a parameter may be large
printf '0 0 1\n0 1 2\n1 2 3\n' >"$work/pattern"
printf 's 0 1 0 1000\nr 0 1 0 1000\n' >"$work/trace"
printf 'num_ranks 2\nrank 0 {\nl1: send 10b to 1\n}\nrank 1 {\nl1: recv 10b from 0\n}\n' >"$work/goal"
printf '0 init\n0 finalize\n1 init\n1 finalize\n' >"$work/actions"
printf '0 64 random:100000000\n' >"$work/jobs"
printf 'H1 S1\nH2 S2\nS1 S2 100000000\n' >"$work/graph"
value() { # KIND KEY SIZE: prints the value; fails for a key that is not known here: add it
	case $2 in
	F | switches) echo "$3" ;;
	G | X | K | ports) echo 60 ;;
	links | radix) echo 30 ;;
	AxB..) [ "$1" = sweep ] || [ "$1" = flood ] || [ "$1" = stencil ] && echo 32x32 || echo "${3}x$3" ;;
	PATTERN,SIZE) echo "random:$3,100" ;;
	PATH) echo "$work/pattern" ;;
	FILE) echo "$work/$1" ;;
	n | k | q | d | h | a | p | b | leaves | spines | hosts) echo "$4" ;;
	m1/..,w1/..) echo "2:$3/$3:1/$4" ;;
	*) return 1 ;;
	esac
}
fill() { # USAGE LARGE SMALL: the specification
	kind=${1%%[:[]*}
	case $1 in
	*:*) ;;
	*)
		echo "$kind"
		return ;;
	esac
	case $1 in
	"$kind["*)
		echo "$kind"
		return ;;
	esac
	keys=${1#*:} filled=
	keys=${keys%%[[]*}
	[ "$keys" != PATTERN,SIZE ] || keys='PATTERN;SIZE'
	for key in $(echo "$keys" | tr , ' '); do
		given=$(value "$kind" "$(echo "$key" | tr ';' ,)" "$2" "$3") || {
			echo "no value for $key of $1"
			return 1
		}
		filled=$filled${filled:+,}$given
	done
	echo "$kind:$filled"
}

fabric=$work/fabric.orcsb
"$bin/orcs" torus:32x32 -R updn --save-fabric "$fabric" || exit 1
"$bin/orcs" --list-patterns >"$work/list"
rows() { # BEGIN END: what the lines between two titles name
	awk -v begin="$1" -v end="$2" 'index($0, begin) == 1 { on = 1; next } index($0, end) == 1 { on = 0 } on && /^  [^ ]/ { print $1 }' "$work/list"
}
rows 'Patterns (' 'Workloads of' >"$work/patterns"
rows 'Workloads of' 'Traffic of' >"$work/workloads"
rows 'Traffic of' 'Routings of' >"$work/traffic"
rows 'Routings of' 'Subsets' >"$work/routings"
limits='60000 110000 200000 400000'

every() { # FILE COMMAND...: the command with each kind of the list and each limit
	list=$1
	shift
	check "there are kinds in $list" [ -s "$work/$list" ]
	while read -r usage <&3; do
		for size in 300000000 2000; do
			if ! spec=$(fill "$usage" $size 3); then
				check "$list: $spec" false
				continue
			fi
			case $spec in
			ptrnvsptrn) set -- "$@" -f tree -c bisect -z 512 ;;
			esac
			for limit in $limits; do
				check "$limit kB: $* $spec" bounded "$limit" "$@" "$spec"
			done
			case $spec in
			*$size*) ;;
			*) break ;;
			esac
		done
	done 3<"$work/$list"
}
every patterns "$bin/orcs" "$fabric" -p
every patterns "$bin/orcs" "$fabric" --engine flow --metric makespan,throughput -p
every workloads "$bin/orcs" "$fabric" --engine flow --metric makespan,throughput,fct -p
every workloads "$bin/orcs" "$fabric" --engine latency -p
every workloads "$bin/orcs" "$fabric" --engine packet --metric makespan -p

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
