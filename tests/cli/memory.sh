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
own_font_cache
unset ASAN_OPTIONS

if ! (ulimit -v 400000 && "$bin/orcs" --version) >"$work/out" 2>&1; then
	echo "SKIPPED: the programs do not start in 400 MB of address space (the sanitizers need terabytes)"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

# Runs in so many kB of address space: LIMIT LIMITS COMMAND...
within() {
	timeout 100 sh -c 'ulimit -v "$0" && shift && exec "$@"' "$@" >"$work/out" 2>"$work/err" </dev/null
}

# Within each limit the result of the command, or one line with a figure: LIMITS COMMAND...
bounded() {
	rm -f "$work/whole"
	for limit in $1; do
		within "$limit" "$@"
		status=$?
		echo "status $status within $limit kB: $(head -n 3 "$work/err")"
		case $status in
		0)
			cp "$work/out" "$work/limited"
			[ -e "$work/whole" ] || within unlimited "$@" && cp "$work/out" "$work/whole"
			cmp "$work/whole" "$work/limited" || return ;;
		1 | 2) [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] && grep -q '[0-9]' "$work/err" || return ;;
		*) return 1 ;;
		esac
	done
}

# Refused, for memory: LIMIT COMMAND...
refused() {
	! within "$1" "$@" && cat "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] &&
		grep -q 'out of memory.* [0-9.]*[0-9] GB\|out of memory.*[0-9] elements of [0-9]* bytes\|cannot map its [0-9]* bytes' "$work/err"
}

# ---- kinds with their parameters, as "NAME:KEY,KEY[,KEY]" lists them; large ones where a parameter may be large
printf '0 0 1\n0 1 2\n1 2 3\n' >"$work/pattern"
printf 's 0 1 0 1000\nr 0 1 0 1000\n' >"$work/trace"
printf 'num_ranks 2\nrank 0 {\nl1: send 10b to 1\n}\nrank 1 {\nl1: recv 10b from 0\n}\n' >"$work/goal"
printf '0 init\n0 finalize\n1 init\n1 finalize\n' >"$work/actions"
printf '0 64 random:100000000\n' >"$work/jobs"
printf 'H1 S1\nH2 S2\nS1 S2 100000000\n' >"$work/graph"
printf '0 0 1 1 1000000\n0 1 2 0\n1 0 2 1\n' >"$work/dragonfly_file"
printf 'comp comm=.5 end=.5\ncomm comp=1\ncompute exp:1ms\ncommunicate random:1000\n' >"$work/markov"
printf '0,1,10\n' >"$work/matrix"
printf "h:1:1 [0] NCCL INFO comm 0x5 rank 0 nranks 2 - Init COMPLETE\nh:1:1 [0] NCCL INFO AllReduce: opCount 0 count 5 datatype 0 op 0 root 0 comm 0x5\n" >"$work/nccl"
for form in dumpi liballprof chakra; do
	python3 tests/flow/programs.py "ring:$form" "$work/$form" 2 || exit 1
done
value() { # KIND KEY SIZE: prints the value; fails for a key that is not known here: add it
	case $2 in
	F | switches) echo "$3" ;;
	G | X | K | ports) echo 60 ;;
	links | radix) echo 30 ;;
	AxB..) [ "$1" = sweep ] || [ "$1" = flood ] || [ "$1" = stencil ] || [ "$1" = multigrid ] && echo 32x32 || echo "${3}x$3" ;;
	PATTERN,SIZE) echo "random:$3,100" ;;
	N) echo 3 ;;
	H) echo 2 ;;
	WORKLOAD) echo "random:$3" ;;
	BASE) echo "torus:${3}x$3" ;;
	PATH) echo "$work/pattern" ;;
	FILE) echo "$work/$1" ;;
	PREFIX) [ "$1" = liballprof ] && echo "$work/$1/trace-" || echo "$work/$1/trace" ;;
	degree | height | m | down | up | n | k | q | d | h | a | p | b) echo "$4" ;;
	levels) [ "$1" = gtree ] && echo "$4/$4:$4" || echo "2:$4/$4:1/$4$([ "$1" = xgft ] || echo ':1/1')" ;;
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
	leafspine*)
		echo "leafspine:leaves=$2,spines=$3,hosts=$3"
		return ;;
	train:*)
		echo "train:tp=2,pp=2,dp=4,batches=$3"
		return ;;
	rail_*:*)
		echo "$kind:8,channels=$3"
		return ;;
	hcn*)
		echo "hcn:a=$3,h=$3"
		return ;;
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

names() { # KIND MARKS: what --list has of a kind, of patterns those with these marks
	"$bin/orcs" --list="$1" | awk -v marks="$2" '/^  [^ ]/ && $2 ~ marks && $1 !~ /^otf2:/ { print $1 } # nothing here writes OTF2'
}
names patterns '^c' >"$work/counted"
names patterns '^.t' >"$work/timed"
names patterns '^--l' >"$work/traffic"
names packet-routings '' >"$work/packet_routings"
"$bin/orcs-topology" --list | sed -n 's/^  \([a-z][^ ]*\)$/\1/p' >"$work/topologies"
"$bin/orcs-route" --list | sed -n 's/^  \([a-z][^ ]*\)$/\1/p' >"$work/routings"
few='30000 50000 90000'

# Each kind of the list in the place of KIND in the command, with small parameters and, where they may be large, with large ones.
every() { # LIST SMALL LARGE COMMAND...
	list=$1 small=$2 large=$3
	shift 3
	check "there are kinds in $list" [ -s "$work/$list" ]
	while read -r usage <&3; do
		if ! spec=$(fill "$usage" "$small" 3) || ! most=$(fill "$usage" "$large" 40); then
			check "$list: $spec" false
			continue
		fi
		check "$* $spec" bounded "$few" with "$spec" "$@"
		[ "$most" = "$spec" ] || check "$* $most" bounded 150000 with "$most" "$@"
	done 3<"$work/$list"
}
cat >"$work/with" <<'END'
#!/bin/sh
# with SPEC COMMAND...: SPEC in the place of the word KIND; where it is made for some fabrics only, one of these in the place of a torus
spec=$1
shift
for word in "$@"; do
	shift
	case $spec,$word in
	*,KIND) word=$spec ;;
	bad_dragonfly,torus:* | par,torus:* | min,torus:* | valiant-group,torus:*) word=dragonfly:p=2,a=4,h=2 ;;
	dmodk,torus:* | smodk,torus:* | updown,torus:* | updn,torus:* | ftree,torus:*) word=fattree:k=4,n=3 ;;
	esac
	set -- "$@" "$word"
done
[ "$spec" != ptrnvsptrn ] || set -- "$@" -f tree -c bisect -z 32
exec "$@"
END
chmod +x "$work/with"
PATH=$work:$bin:$PATH
export PATH
for size in 8 16; do
	orcs -R updn-orcs --save-fabric "$work/$size.orcsb" torus:${size}x$size || exit 1
done

every counted 2000 300000000 orcs "$work/16.orcsb" -p KIND
every timed 2000 300000000 orcs "$work/16.orcsb" --engine flow --metric makespan,throughput,fct -p KIND
every timed 2000 300000000 orcs "$work/16.orcsb" --engine latency -p KIND
grep -vx -e reads -e writes "$work/timed" >"$work/sent"
every sent 2000 300000000 orcs "$work/8.orcsb" --engine packet --bytes 64 --metric makespan -p KIND
every traffic 2000 2000 orcs torus:4x4 -R updn-orcs --engine packet --load 0.2 --warmup 200 --measure 400 --cycles --traffic KIND
every packet_routings 2 2 orcs torus:4x4 -R updn-orcs --engine packet --allow-deadlock --lanes 4 --load 0.2 --warmup 200 --measure 400 --cycles --packet-routing KIND
every routings 2 2 orcs torus:6x6 -R KIND
every routings 2 2 orcs torus:120x120 -R KIND
every topologies 6 400 orcs -p ring -R minhop-orcs KIND

# ---- forecasts: at once, not when the memory is full
for spec in random:2000000000 unstructured:2000000000,100 hotspot_random:2000000000 local:2000000000 phases:random:2000000000,10; do
	check "$spec is refused before it is made" refused 2000000 orcs --engine flow -p $spec torus:4x4
	grep -q '2000000000 messages take about 128 GB' "$work/err" || check "$spec: the figure" false
done
check 'two processes need twice as much' sh -c "! command -v mpirun >/dev/null ||
	mpirun --oversubscribe -np 2 orcs --engine flow -n 2 -p random:2000000000 torus:4x4 2>&1 | grep -q '128 GB in each of 2 processes'"

# ---- files: a few kilobytes that become gigabytes
bomb() { # LINE: 4 GB of it
	yes "$1" | head -c 64000000 | zstd -q -c >"$work/part.zst"
	for part in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do cat "$work/part.zst" "$work/part.zst" "$work/part.zst" "$work/part.zst"; done
}
if command -v zstd >/dev/null; then
	long_line() {
		! within 200000 kB "$@" && cat "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q ':1: line longer than 64 kB' "$work/err"
	}
	head -c 64000000 /dev/zero | tr '\0' x | zstd -q -c >"$work/part.zst"
	for part in 1 2 3 4 5 6 7 8; do cat "$work/part.zst" "$work/part.zst" "$work/part.zst" "$work/part.zst"; done >"$work/line.zst"
	for command in "-p file:$work/line.zst" "--subset file:$work/line.zst" "--mapping file:$work/line.zst"; do
		# shellcheck disable=SC2086 # two words
		check "$command: one long line" long_line orcs $command torus:4x4
	done
	check 'a list of cables: one long line' long_line orcs -R minhop "graph:$work/line.zst"
	check 'a list of failures: one long line' long_line orcs-topology --fail-list "$work/line.zst" torus:4x4
	bomb '0 0 1' >"$work/many.zst"
	check 'messages without end' refused 200000 orcs -p "file:$work/many.zst" torus:4x4
	bomb 'H0_0' >"$work/hosts.zst"
	check 'ranks without end' refused 200000 orcs --mapping "file:$work/hosts.zst" torus:4x4
	bomb 'H1 S1' >"$work/cables.zst"
	check 'cables without end' refused 200000 orcs -R minhop "graph:$work/cables.zst"
	{ echo 'digraph {' | zstd -q -c && bomb 'H1 -> S1 -> H1;'; } >"$work/graph.zst"
	check 'a graph without end' refused 300000 orcs "$work/graph.zst"
	bomb 's 0 1 0 8' >/dev/null && cp "$work/part.zst" "$work/trace.zst" # it is read twice: that takes its time
	check 'a trace without end' refused 200000 orcs --engine flow -p "trace:$work/trace.zst" torus:4x4
else
	skip 'zstd is not installed'
fi
awk 'BEGIN { print "digraph {"; for (s = 0; s < 2; s++) { printf "{"; for (i = 0; i < 20000; i++) printf " %s%d", s ? "H" : "S", i; print s ? "}" : "} ->" } print "}" }' >"$work/product.dot"
check 'a small file of many edges' refused 300000 orcs "$work/product.dot"

# ---- what is no square of a switch's ports
awk 'BEGIN { print "digraph { S [type=switch];"
	for (h = 0; h < 8000; h++) {
		printf "H%d [type=host]; H%d -> S [comment=\"*\"]; ", h, h
		printf "S -> H%d [comment=H%d, sl2vl=\"0-255:0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7\"];\n", h, h
	}
	print "}" }' >"$work/ports.dot"
check 'lanes of a switch of 8,000 ports' within 400000 - "$bin/orcs-check" "$work/ports.dot"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
