#!/bin/sh
# Service levels, lanes and their arbitration in the packet engine: what theory says of bytes and times, what is refused, and the lanes of
# fabrics that the real OpenSM has routed: service.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$PATH:/usr/sbin:/sbin
export PATH ORCS_BIN="$bin"

packets() {
	"$bin/orcs" --engine packet -d --capacity 100G "$@"
}

# ends WANTED FILE OPTIONS...: when the messages of a pattern file end, as shares of 0.8 ms, the time of 10 MB alone; to 1/1000.
ends() {
	wanted=$1 file=$2
	shift 2
	packets --metric makespan --flows "$work/flows.csv" -o "$work/out" -p "file:$work/$file" "$@" || return 1
	awk -F, -v wanted="$wanted" 'NR > 1 { end[++n] = $9 / 0.0008 }
		END { wrong = split(wanted, want, " ") != n
			for (i = 1; i <= n; i++) { printf "%.4f ", end[i]; d = end[i] - want[i]; wrong = wrong || d > 1e-3 || d < -1e-3 }
			print "instead of " wanted; exit wrong }' "$work/flows.csv"
}
not() {
	! "$@"
}

# A number of a level: level LEVEL KEY OPTIONS...
level() {
	which=$1 key=$2
	shift 2
	packets --metric service_levels --format json "$@" | jq -r ".metrics.service_levels.levels[] | select(.sl == $which) | .$key"
}

# refuses STATUS WORDS OPTIONS...: without a result; its last line has the words.
refuses() {
	wanted=$1 words=$2
	shift 2
	packets "$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ "$status" -eq "$wanted" ] && [ ! -s "$work/out" ] && grep '^orcs: ' "$work/err" | tail -n 1 | grep -q -e "$words"
}

# ---- one output, a lane for each of three hosts, 10 MB each: by weights until one has ended, then by those of the others

printf '0 0 3 10M sl=0\n0 1 3 10M sl=1\n0 2 3 10M sl=2\n' >"$work/three"
check "1:2:4" ends "3 2.5 1.75" three --qos-vlarb-low 0:32,1:64,2:128 star:4
check "1:2:4, the table of high priority alone" ends "3 2.5 1.75" three --qos-vlarb-high 0:32,1:64,2:128 star:4
check "1:2:4, with virtual output queues" ends "3 2.5 1.75" three --voq --qos-vlarb-low 0:32,1:64,2:128 star:4
check "1:2:4 by packets of 256 bytes" ends "3 2.5 1.75" three --mtu 256 --qos-vlarb-low 0:4,1:8,2:16 star:4
check "not without tables" not ends "3 2.5 1.75" three star:4
check "weights below a packet are one packet" ends "3 3 3" three --qos-vlarb-low 0:1,1:2,2:4 star:4
check "and so are whole ones" ends "3 2.5 2" three --qos-vlarb-low 0:32,1:33,2:65 star:4 # 1, 2 and 3 packets
check "a lane several times in a table" ends "3 3 1.6667" three --qos-vlarb-low 2:32,0:32,2:32,1:32,2:32 star:4
check "in both tables" ends "3 3 1.3333" three --qos-vlarb-high 2:32 --qos-vlarb-low 0:32,1:32,2:64 star:4
check "entries of weight 0 are passed over" ends "3 2.5 1.75" three --qos-vlarb-low 2:0,0:32,1:0,1:64,2:128 star:4
check "the lanes of the levels" ends "3 1.75 2.5" three --qos-vlarb-low 0:32,1:64,2:128 --qos-sl2vl 0,2,1 star:4
check "two levels on a lane" ends "2 3 3" three --qos-vlarb-low 0:32,1:32 --qos-sl2vl 0,1,1 star:4
check "all levels on a lane" ends "3 3 3" three --qos-sl2vl 0 star:4
printf 's 0 3 0 10000000 sl=1\ns 1 3 0 10000000\ns 2 3 0 10000000 sl=3\nr 0 3 0 1\nr 1 3 0 1\nr 2 3 0 1\n' >"$work/three.trace"
traced() {
	packets --metric makespan --flows "$work/flows.csv" -o "$work/out" -p "trace:$work/three.trace" --service-level 2 --qos-vlarb-low 1:32,2:64,3:128 star:4 &&
		awk -F, 'NR > 1 { printf "%.2f ", $9 / 0.0008 }' "$work/flows.csv" | grep -x '3.00 2.50 1.75 '
}
check "the levels of a trace" traced

# Fairness within a lane: without turns of its own, that of the input behind the one that was served last would always come first.
shared() {
	printf '0 0 3 10M sl=0\n0 1 3 10M sl=0\n0 2 3 20M sl=1\n' >"$work/apart"
	ends "4 4 4" apart --qos-vlarb-low 0:32,1:32 star:4
}
check "inputs share a lane fairly" shared

# An adapter arbitrates, too: two queue pairs of a host on lanes of their own, to one host or to two.
printf '0 0 1 10M sl=0\n0 0 2 10M sl=1\n' >"$work/adapter"
printf '0 0 1 10M sl=0\n0 0 1 10M sl=1\n' >"$work/adapter_pair"
check "an adapter weighs its lanes" ends "2 1.3333" adapter --qos-vlarb-low 0:32,1:96 star:4
check "also of one pair of hosts" ends "2 1.3333" adapter_pair --qos-vlarb-low 0:32,1:96 star:4
check "and has high priority" ends "2 1" adapter --qos-vlarb-low 0:32 --qos-vlarb-high 1:32 --qos-high-limit 255 star:4
check "not with one queue pair" not ends "2 1.3333" adapter --qps one --qos-vlarb-low 0:32,1:96 star:4

# ---- the limit of high priority: it sends that many packets before one of low priority

printf '0 0 3 10M sl=0\n0 1 3 10M sl=1\n' >"$work/two"
check "limit 0: packet by packet" ends "2 2" two --qos-vlarb-low 0:255 --qos-vlarb-high 1:32 star:4
check "limit 1: two packets to one" ends "2 1.5" two --qos-vlarb-low 0:255 --qos-vlarb-high 1:32 --qos-high-limit 1 star:4
check "limit 6: twelve packets to one" ends "2 1.0833" two --qos-vlarb-low 0:255 --qos-vlarb-high 1:32 --qos-high-limit 6 star:4
check "limit 254: 508 packets to one" ends "2 1.00197" two --qos-vlarb-low 0:255 --qos-vlarb-high 1:1 --qos-high-limit 254 star:4
check "limit 255: low waits until high has ended" ends "2 1" two --qos-vlarb-low 0:255 --qos-vlarb-high 1:32 --qos-high-limit 255 star:4
check "limit 1 with packets of 4096 bytes" ends "2 2" two --mtu 4096 --qos-vlarb-low 0:255 --qos-vlarb-high 1:32 --qos-high-limit 1 star:4

# High priority at a load of 0.2 beside a full lane: its packets wait for the one that is being sent, and for one another.
printf '0 1 0 sl=1\n' >"$work/alone"
printf '0 1 0 sl=1\n0 2 0\n0 3 0\n' >"$work/beside"
quick() {
	idle=$(level 1 max --load 0.001 --injection periodic --measure 10ms -p "file:$work/alone" star:4) &&
		p99=$(level 1 p99 --load 0.2 --injection poisson -p "file:$work/beside" --qos-vlarb-high 1:32 --qos-high-limit 255 --qos-vlarb-low 0:32 star:4 --sweep load=0.2) &&
		slow=$(level 1 p99 --load 1 --injection poisson -p "file:$work/beside" star:4) || return 1
	echo "idle $idle, high priority $p99, without tables $slow"
	awk -v idle="$idle" -v p99="$p99" -v slow="$slow" 'BEGIN { exit !(idle > 2.8e-7 && p99 <= idle + 2 * 2048 * 8e-11 && slow > 1e-6) }'
}
check "high priority is hardly delayed" quick

# ---- jobs with shares of the load, side by side

printf '0 4 uniform share=0.25 sl=2\n0 4 uniform\n' >"$work/jobs"
jobs() {
	high=$(level 2 bits --load 0.4 -p "jobs:$work/jobs" star:8) && low=$(level 5 bits --load 0.4 --service-level 5 -p "jobs:$work/jobs" star:8) || return 1
	echo "$high and $low bits per second of jobs that offer 0.4e11 and 1.6e11"
	awk -v h="$high" -v l="$low" 'BEGIN { exit !(h > 0.39e11 && h < 0.41e11 && l > 1.57e11 && l < 1.63e11) }'
}
check "jobs have shares and levels" jobs
printf '0 4 uniform\n0 4 uniform\n' >"$work/equal"
same_as_alone() {
	packets --load 0.3 -p "jobs:$work/equal" --metric packet_throughput star:8 | grep -q 'accepted, share.*: 0\.[23]' &&
		packets --load 0.3 -p "jobs:$work/equal" --metric service_levels star:8 | grep -E '^ *0.3 +0 '
}
check "jobs of one share" same_as_alone
one_job() { # a job of all ranks is the traffic alone
	printf '0 8 uniform\n' >"$work/one"
	packets --load 0.5 star:8 >"$work/traffic" && packets --load 0.5 -p "jobs:$work/one" star:8 | cmp "$work/traffic" -
}
check "a job of all ranks is its traffic" one_job
printf '0 4 uniform bytes=4k\n' >"$work/sized"
printf '1e-3 4 uniform\n' >"$work/late"
check "jobs of other sizes" refuses 2 'sized:1: bytes= is not possible with --load' --load 0.3 -p "jobs:$work/sized" star:8
check "jobs that come later" refuses 2 'late:1: an arrival after 0 is not possible' --load 0.3 -p "jobs:$work/late" star:8
printf '0 12 uniform\n' >"$work/large"
check "jobs that are too large" refuses 2 'the jobs have 12 tasks in all, but there are 8' --load 0.3 -p "jobs:$work/large" star:8
printf 'H0\nH0\nH1\nH1\nH2\nH2\nH3\nH3\n' >"$work/crowded"
printf '0 1 uniform share=0.5\n' >"$work/small"
printf '0 3 uniform share=0.5\n0 5 uniform\n' >"$work/uneven"
check "shares on one host" refuses 2 'different shares of the load are on one host' --load 0.3 -p "jobs:$work/uneven" --mapping "file:$work/crowded" star:4
check "a job of one rank" refuses 2 'small:1: ' --load 0.3 -p "jobs:$work/small" star:8
check "shares that are none" refuses 2 "share of the load" --load 0.3 -p jobs:- star:8 <<'END'
0 4 uniform share=x
END

# ---- what is refused

check "a lane without a weight" refuses 2 'give virtual lane 2 no weight' -p "file:$work/three" --qos-vlarb-low 0:32,1:64 star:4
check "a weight of 0 is none" refuses 2 'give virtual lane 2 no weight' -p "file:$work/three" --qos-vlarb-low 0:32,1:64,2:0 star:4
check "lanes that packets choose among need weights" refuses 2 'give virtual lane 1 no weight' --lanes 2 --packet-routing tables:lanes=any --qos-vlarb-low 0:32 star:4
check "lanes that nothing uses do not" says 0 makespan packets --lanes 2 --packet-routing tables:lanes=one --qos-vlarb-low 0:32 star:4
check "a limit without a table" refuses 2 'qos-high-limit needs --qos-vlarb-high' --qos-high-limit 3 star:4
check "a table that is none" refuses 2 'qos-vlarb-low is .0:32,15:1.' --qos-vlarb-low 0:32,15:1 star:4
check "a weight that is too large" refuses 2 'qos-vlarb-high is .0:256.' --qos-vlarb-high 0:256 star:4
check "lanes that are none" refuses 2 'qos-sl2vl is .0,16.' --qos-sl2vl 0,16 star:4
check "too many levels" refuses 2 'qos-sl2vl is' --qos-sl2vl 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0 star:4
check "a level without a lane" refuses 2 'service level 15 has no virtual lane' --service-level 15 star:4
check "routings with lanes of their own" refuses 2 "'dor' chooses virtual lanes itself" --service-level 1 torus:4x4
check "inputs that choose" refuses 2 'need --allocator output' --allocator input --qos-vlarb-low 0:1 star:4
check "other engines" says 2 'requires* .*packet' "$bin/orcs" --engine flow --service-level 1 star:4
printf '0 0 1 sl=16\n' >"$work/wrong"
check "a level that is none" refuses 2 "expected 'level sender receiver \[bytes\] \[sl=L\]', not 'sl=16'" -p "file:$work/wrong" star:4
printf '0 0 1 sl=1 10M\n' >"$work/wrong"
check "bytes after the level" refuses 2 "not '10M'" -p "file:$work/wrong" star:4
printf '0 0 3 sl=1\n0 1 3 sl=7\n' >"$work/discarded"
check "a lane that discards" refuses 3 'no route\|virtual lane 15\|discard' -p "file:$work/discarded" --qos-sl2vl 0,1,0,0,0,0,0,15 star:4

# ---- tables of the graph, by dumps of the ports

graph() { # ATTRIBUTE
	printf 'digraph g {\n"A" [type="host"];\n"B" [type="host"];\n"C" [type="host"];\n"S" [type="switch"];\n'
	for host in A B C; do
		number=$((${number:-0} + 1))
		printf '"%s" -> "S" [port="1", peer_port="%s", comment="*"];\n' $host $number
		printf '"S" -> "%s" [port="%s", peer_port="1", vlarb="%s", comment="%s"];\n' $host $number "$1" $host
	done
	printf '}\n'
}
graph 'low=0:32,1:96' >"$work/weighed.dot"
graph 'high=1:1;low=0:32;limit=255' >"$work/high.dot"
graph 'low=0:32,1' >"$work/broken.dot"
printf '0 0 2 10M sl=0\n0 1 2 10M sl=1\n' >"$work/pair"
check "weights of the graph" ends "2 1.3333" pair --subset file_order "$work/weighed.dot"
check "its high priority" ends "2 1" pair --subset file_order "$work/high.dot"
check "options replace them" ends "2 2" pair --subset file_order --qos-vlarb-low 0:32,1:32 "$work/weighed.dot"
check "lanes that it does not weigh" refuses 3 "channel S -> A: the tables in vlarb give virtual lane 2 no weight" --service-level 2 "$work/weighed.dot"
check "tables that are none" refuses 3 "the attribute vlarb='low=0:32,1' is not a list" "$work/broken.dot"
kept() {
	"$bin/orcs" --quiet --engine packet --save-fabric "$work/weighed.orcsb" "$work/weighed.dot" && ends "2 1.3333" pair --subset file_order "$work/weighed.orcsb"
}
check "a cache keeps them" kept
if have mpirun; then
	processes() {
		printf '0 5 uniform share=0.5 sl=1\n0 11 uniform\n' >"$work/parallel"
		for count in 1 2 3; do
			ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np $count "$bin/orcs" --quiet --engine packet --load 0.7 -p "jobs:$work/parallel" --metric service_levels,packet_throughput \
				--qos-vlarb-high 1:32 --qos-high-limit 3 --qos-vlarb-low 0:32 fattree:k=4,n=2 >"$work/by$count" || return 1
			ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np $count "$bin/orcs" --quiet --engine packet --load 0.7 --metric service_levels --service-level 1 "$work/weighed.dot" >>"$work/by$count" || return 1
		done
		cmp "$work/by1" "$work/by2" && cmp "$work/by1" "$work/by3" && [ -s "$work/by1" ]
	}
	check "the same for 1, 2 and 3 processes" processes
else
	skip "mpirun is not installed"
fi

# ---- deadlocks: each level by itself is free of them or not, and so are several on lanes of their own

"$bin/orcs-route" --quiet minhop ring:5 -o "$work/ring.dot"
check "a ring on one level" refuses 3 'can deadlock' --service-level 1 "$work/ring.dot"
check "levels that the pairs have, not these" refuses 3 'can deadlock.*lane 3' --service-level 3 "$work/ring.dot"
awk 'BEGIN { for (a = 0; a < 5; a++) for (b = 0; b < 5; b++) if (a != b) { way = a < b ? b - a : a - b; print 0, a, b, "20k sl=" (way > 2) } }' >"$work/ring"
check "a ring on two levels" says 0 'makespan' packets --subset file_order -p "file:$work/ring" --allow-deadlock "$work/ring.dot"

# ---- the real OpenSM

for tool in opensm ibsim ibnetdiscover python3; do
	if ! have $tool; then
		skip "$tool is not installed"
		echo "$passed passed, $failed failed, $skipped skipped"
		[ $failed -eq 0 ]
		exit
	fi
done

scripts/torus_topology.sh 4x4:2 >"$work/net"
route() { # ENGINE
	scripts/route_with_opensm.sh -e "$1" -o "$work/$1.dot" "$work/net" && grep -q ' sl="[0-9]' "$work/$1.dot"
}
# Without --allow-deadlock.
runs() { # ENGINE
	packets --load 0.8 --drain 0 --warmup 20us --measure 20us --metric packet_throughput "$work/$1.dot" >"$work/out" &&
		packets -p bisect --bytes 64k --metric makespan "$work/$1.dot" >>"$work/out" && cat "$work/out" && [ "$(grep -c 'accepted, share\|makespan, seconds' "$work/out")" -eq 2 ]
}
# orcs-check, the packets and the attributes agree lane by lane.
same_lanes() { # ENGINE
	wanted=$(python3 tests/packet/service.py "$work/$1.dot") || return 1
	said=$("$bin/orcs-check" --format json --quiet "$work/$1.dot" | jq -r .deadlock.dependencies)
	carried=$(packets -p alltoall_flood --bytes 2048 --metric service_levels --format json "$work/$1.dot" |
		jq -r '.metrics.service_levels.lanes[] | "\(.vl) \(.channels) \(.carried)"' | awk '{ printf " %d:%d:%.6f", $1, $2, $3 }')
	echo "$said$carried instead of $wanted"
	[ "$said$carried" = "$wanted" ] && case $carried in *1:*) ;; *) false ;; esac
}
for engine in dfsssp lash torus-2QoS; do
	check "$engine" route $engine
	check "$engine runs without deadlocks" runs $engine
	check "$engine: lane by lane" same_lanes $engine
done
# That this can fail: one pair on another level.
other() {
	sed 's/ sl="1:\([^,;"]*\),/ sl="2:\1;1:/' "$work/lash.dot" >"$work/other.dot"
	! cmp -s "$work/lash.dot" "$work/other.dot" && wanted=$(python3 tests/packet/service.py "$work/other.dot") && [ "$wanted" != "$(python3 tests/packet/service.py "$work/lash.dot")" ]
}
check "another level is other lanes" other
check "lash's pairs all on level 0" refuses 3 'can deadlock' --service-level 0 "$work/lash.dot"

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
