#!/bin/sh
# Storage and Markov chains in the flow engine: exact cases, random ones against a simulation, expectations: storage.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH
export PATH
device="--storage-device read=16G,write=8G,controller=20G"
san="--storage san --storage-san read=32G,write=16G,link=8G"

# takes SECONDS OPTION...: the makespan on a star whose links carry 1.25 GB/s, a gigabyte for each task.
takes() {
	wanted=$1
	shift
	orcs --quiet --engine flow --capacity 10G --subset file_order -d --bytes 1G --format json "$@" star:9 >"$work/result" &&
		jq -e ".metrics.makespan.mean - $wanted | fabs < 1e-9" "$work/result"
}
# shellcheck disable=SC2086
exact() {
	check "local devices" takes .5 -p reads -s 4 $device
	check "internal:1, reads" takes 2.4 -p reads -s 4 --storage internal:1 $device
	check "internal:1, writes" takes 4 -p writes -s 4 --storage internal:1 $device
	check "external:1, reads" takes 2.4 -p reads -s 3 --storage external:1 $device
	check "external:1, writes" takes 3 -p writes -s 3 --storage external:1 $device
	check "external:2" takes 1.6 -p reads -s 4 --storage external:2 $device
	check "external:2, one of them inside" takes 1.6 -p reads -s 4 --storage external:2,inside=1 $device
	check "a SAN's links" takes 1 -p reads -s 4 $san
	check "a SAN's server" takes 2 -p reads -s 8 $san
	check "... that writes" takes 2 -p writes -s 4 $san
	check "NAS" takes 3.2 -p reads -s 4 --storage nas:H8 $device
	check "no limits" takes 0 -p reads -s 4
	check "all from memory" takes 0 -p reads -s 4 --storage cached:100 $device
	check "none from memory" takes .5 -p reads -s 4 --storage cached:0 $device
	check "memory does not write" takes 1 -p writes -s 4 --storage cached:100 $device
	check "a seed decides what memory has" takes .5 -p reads -s 8 --storage cached:50 $device
	check "iterations" takes 1.503 -p iterate:3,reads,compute=1ms -s 4 $device
	check "another time is noticed" sh -c "! jq -e '.metrics.makespan.mean - .5 | fabs < 1e-9' '$work/result'"
}
if have jq; then
	exact
	# one host reads and writes at once
	printf '0 1 reads bytes=1G\n0 1 writes bytes=1G\n' >"$work/jobs"
	printf 'H0\nH0\n' >"$work/map"
	# shellcheck disable=SC2086
	both() {
		orcs --quiet --engine flow --capacity 10G --subset file_order --mapping "file:$work/map" -s 2 --metric levels --format json \
			-p "jobs:$work/jobs" $device star:2 | jq -e '.metrics.levels.ends | (.[0] - 2 / 3 | fabs < 1e-9) and .[1] == 1'
	}
	check "reading and writing at once" both
	# transfers are of class 1: messages on the same link go first
	printf '0 2 shift:1 bytes=1G\n0 2 reads bytes=1G\n' >"$work/jobs"
	printf 'H0\nH1\nH0\nH1\n' >"$work/map"
	strict() {
		orcs --quiet --engine flow --capacity 10G --subset file_order --mapping "file:$work/map" -s 4 --metric levels --format json \
			-p "jobs:$work/jobs" --priority strict --storage nas:H2 star:4 | jq -e '.metrics.levels.ends == [0.8, 2.4]'
	}
	check "messages before transfers" strict
	# ---- a queue: devices outside are held, and jobs wait for them
	printf '0 2 reads bytes=1G id=a\n0 2 reads bytes=1G id=b\n0 2 null compute=5 id=c\n' >"$work/queue"
	queue() { # STARTS OPTION...
		starts=$1
		shift
		# shellcheck disable=SC2086
		orcs --quiet --engine flow --capacity 10G --subset file_order -p "queue:$work/queue" --format json $device "$@" star:6 |
			jq -e "[.metrics.queue.jobs[].start] == $starts"
	}
	check "a queue on local devices" queue '[0,0,0]'
	check "devices outside" queue '[0,0,1.6]' --storage external:1
	check "devices outside, backfilling" queue '[0,0,1.6]' --storage external:1 --scheduler easy
	printf '0 2 reads bytes=1G id=a\n0 6 null compute=5 id=b\n' >"$work/mixed"
	mixed() {
		orcs --quiet --engine flow --capacity 10G --subset file_order -p "queue:$work/mixed" --format json --storage-device read=16G \
			--storage "$1" star:6 | jq -e '[.metrics.queue.jobs[].start] == [0,1.6]'
	}
	check "a job that does not read needs no devices" mixed external:1
	check "... of others" mixed external:1,any
	check "more devices inside than hosts" queue '[0,0.5,0.5]' --storage external:4,inside=3
	check "devices that others hold" queue '[0,0,0]' --storage external:1,any
	check "too many devices" says 2 "^orcs: job 'a' needs 2 hosts and 5 more for its devices, but there are 6$" \
		orcs --engine flow -p "queue:$work/queue" --storage external:5 star:6
	# ---- Markov chains
	# within RUNS EXPECTED DEVIATION: the mean makespan is that of the chain, within four standard errors
	within() {
		orcs --quiet --engine flow --capacity 10G --subset file_order -d -n "$1" -p "markov:$work/chain" --storage-device read=10G,write=10G \
			--format json star:4 | jq -e ".metrics.makespan.mean - $2 | fabs < 4 * $3 / ($1 | sqrt)"
	}
	printf 'comp comm=.5 read=.2 write=.1 end=.2\ncomm comp=.9 comm=.1\nread comp=.5 comm=.5\nwrite comp=1\n' >"$work/states"
	printf 'compute exp:0.01\ncommunicate shift:1 bytes=1M\nread 12.5M\nwrite 12500000\n' | cat "$work/states" - >"$work/chain"
	runs=20000
	sanitized && runs=1000
	check "the expectation of a chain" within $runs 0.06766666667 0.0685
	check "another expectation is noticed" sh -c "! jq -n -e '.09 - 0.06766666667 | fabs < 4 * 0.0685 / ($runs | sqrt)'"
	printf 'compute fixed:1\ncommunicate null\nread 0\nwrite 0\n' | cat "$work/states" - >"$work/chain"
	check "the expected visits" within $runs 5 4.4721
	printf 'comp end=1\ncompute fixed:1\ninit 1G\nend 1.25G\n' >"$work/chain"
	check "origins of data" takes 2.8 -p "markov:$work/chain" -s 2 --storage-device read=10G,write=10G
	printf '0 2 markov:%s\n0.5 2 markov:%s bytes=1k\n' "$work/chain" "$work/chain" >"$work/jobs"
	check "chains as jobs" takes 3.3 -p "jobs:$work/jobs" --storage-device read=10G,write=10G
else
	skip "jq is not installed: no numbers"
fi
if have python3; then
	seeds=120
	sanitized && seeds=30
	check "random devices against a simulation" python3 tests/flow/storage.py $seeds
	broken() { # WHAT TEXT BY
		sed "s/$2/$3/" tests/flow/storage.py >"$work/broken.py"
		check "a simulation $1 is noticed" sh -c "! cmp -s tests/flow/storage.py '$work/broken.py' && ! python3 '$work/broken.py' 120"
	}
	if ! sanitized; then
		broken "without controllers" '(way, "controller")' '(way,)'
		broken "with transfers in the class of messages" 'after, weight, 1)' 'after, weight, 0)'
		broken "that shares devices of a queue" 'self.any or h not in held' 'True'
		broken "whose jobs all need devices" ' and what in ("reads", "writes") else 0' ' else 0'
	fi
else
	skip "python3 is not installed: no simulation"
fi
chain=examples/solver.markov
for p in 1 2 3; do
	if have mpirun; then
		mpirun --oversubscribe -n $p orcs --quiet --engine flow -n 20 -p markov:$chain --storage nas:H3 --format json star:16 >"$work/by$p" 2>"$work/said"
	else
		orcs --quiet --engine flow -n 20 -p markov:$chain --storage nas:H3 --format json star:16 >"$work/by$p"
	fi
done
check "the same by two processes" cmp "$work/by1" "$work/by2"
check "... and three" cmp "$work/by1" "$work/by3"

# ---- errors
refused() { # PATTERN LINES
	printf '%b' "$2" >"$work/bad"
	says 2 "^orcs: $work/bad:?$1" orcs --engine flow -p "markov:$work/bad" star:4
}
check "a sum below 1" refused "1: the probabilities of 'comp' sum to 0.5, not 1" 'comp comm=.5\n'
check "an end elsewhere" refused '2: only comp leads to end' 'comp end=1\ncomm end=1\n'
check "no way to the end" refused "1: the chain cannot reach its end from 'comp'" 'comp comm=1\ncomm comm=1\ncompute fixed:1\ncommunicate null\n'
check "a state without a row" refused ": state 'read' has no line" 'comp read=.5 end=.5\ncompute fixed:1\nread 1\n'
check "no time" refused ": no line 'compute" 'comp end=1\n'
check "bytes with a word" refused "3: 'bytes=4M' is not a number of bytes" 'comp end=1\nread comp=1\nread bytes=4M\n'
check "a probability of 0 twice" refused "1: 'comp' is given twice" 'comp comp=0 comp=0 end=1\n'
check "a probability far above 1" refused '1: a probability above 1' 'comp end=1.00000001\n'
check "an unknown workload" refused "3: unknown pattern 'none'" 'comp comm=.5 end=.5\ncomm comp=1\ncommunicate none\ncompute fixed:1\n'
check "no bytes" refused ": no line 'read BYTES'" 'comp read=.5 end=.5\nread comp=1\ncompute fixed:1\n'
check "no workload" refused ": no line 'communicate" 'comp comm=.5 end=.5\ncomm comp=1\ncompute fixed:1\n'
check "a word" refused "1: 'foo' is not a comp, comm," 'foo 3\n'
check "a chain in itself" refused "1: 'markov:x' is not a workload of a chain" 'communicate markov:x\n'
check "... by iterations" refused "1: 'iterate:2,markov:x' is not a workload of a chain" 'communicate iterate:2,markov:x\n'
check "jobs in a chain" refused "1: 'jobs:x' is not a workload of a chain" 'communicate jobs:x\n'
printf '0 4 iterate:2,jobs:%s\n' "$work/jobs" >"$work/jobs"
check "jobs in themselves, by iterations" says 2 "jobs:1: 'iterate:2,jobs:.*' is not a workload of a job" orcs --engine flow -p "jobs:$work/jobs" star:4
check "two rows" refused "2: state 'comp' has a second line, after line 1" 'comp end=1\ncomp end=1\n'
check "a time" refused "2: 'exp:x' is not a time" 'comp end=1\ncompute exp:x\n'
check "a missing chain" says 1 'cannot open' orcs --engine flow -p "markov:$work/none" star:4
check "a policy" says 2 "^orcs: --storage is 'tape', not local" orcs --engine flow -p reads --storage tape star:4
check "more inside than there are" says 2 'inside=3 is more than its 2 devices' orcs --engine flow -p reads --storage external:2,inside=3 star:4
check "no such host" says 2 "^orcs: --storage nas: no host 'H9'" orcs --engine flow -p reads --storage nas:H9 star:4
printf '0 2 reads bytes=1G\n0 2 null\n' >"$work/jobs"
check "jobs that do not read need no devices" says 0 '^makespan, seconds: 0.8$' \
	orcs --quiet --engine flow --capacity 10G -p "jobs:$work/jobs" --storage external:2 star:6
check "no hosts outside" says 2 "external: too few hosts hold neither tasks nor devices; .*',any'" orcs --engine flow -p reads --storage external:1 star:4
check "rates of a SAN elsewhere" says 2 '^orcs: --storage-san needs --storage san' orcs --engine flow -p reads --storage-san link=1G star:4
check "rates of devices with a SAN" says 2 'storage-device is for storage on hosts' orcs --engine flow -p reads --storage san --storage-device read=1G star:4
check "an unknown rate" says 2 "^orcs: --storage-device is 'speed=1G', not read=RATE" orcs --engine flow -p reads --storage-device speed=1G star:4
check "no hosts outside of all" says 2 'external: too few hosts are outside the job; choose fewer devices or ranks$' \
	orcs --engine flow -p reads --storage external:1,any star:4
check "a rate that no device has" says 2 "^orcs: --storage-device read is '1e31', not bits/s" orcs --engine flow -p reads --storage-device read=1e31 star:4
lossy="orcs --quiet --engine flow --capacity 10G --subset file_order -d --storage nas:H0 --metric makespan,fct"
check "lost transfers count beside those that arrive" says 0 '^not delivered: 2 of the 3 messages$' \
	$lossy -p reads --fail-at 1us:S1_0:2 --fail-at 1us:S1_0:3 star:4
check "... but are no messages" says 0 '"flows":0,"unroutable":0,' $lossy -p reads --fail-at 1us:S1_0:2 --format json star:4
check "a rate twice" says 2 "^orcs: --storage-device is 'read=1G,read=2G', which has read= twice" \
	orcs --engine flow -p reads --storage-device read=1G,read=2G star:4
printf 'comp end=1.0000000005\ncompute fixed:2\n' >"$work/chain"
check "a probability within rounding" says 0 '^makespan, seconds: 2$' orcs --engine flow -p "markov:$work/chain" star:4
check "the packet engine" says 2 'requires --engine flow' orcs --engine packet -p reads star:4

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
