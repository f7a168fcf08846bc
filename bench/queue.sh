#!/bin/sh
# queue.sh - how long orcs takes for queues of jobs.

set -u
export LC_ALL=C
me=queue.sh

usage() {
	cat <<'EOT'
Usage: bench/queue.sh [JOBS]

Runs orcs for queues of JOBS random jobs (by default 10000) that only compute, on
4,096 hosts, with each scheduler and allocation, and for a tenth of that with
messages on 1,024 hosts. Prints processor seconds and the utilisation. Run from
the root of the repository, after make; ORCS=PROGRAM and BENCH_OUT=FOLDER as for
bench/pairs.sh.
EOT
}

. bench/common.sh
need jq
jobs=${1-10000}

# Jobs that keep a machine of so many hosts busy: sizes up to half of it are as frequent by their logarithm, times are exponential, and
# estimates up to ten times as long.
draw() { # JOBS HOSTS MESSAGES(0|1)
	awk -v jobs="$1" -v hosts="$2" -v messages="$3" 'BEGIN {
		srand(1)
		split("alltoall 5e7 shift:1 4e9 bisect 4e9 gather 1e8 bruck 1e9 recdbl 1e9 allreduce_ring 2e7", kind)
		for (j = 0; j < jobs; j++) {
			tasks = int(2 ^ (log(hosts) / log(2) * rand() * (messages ? 0.8 : 0.9)))
			run = -log(1 - rand()) * (messages ? 0.1 : 1000)
			time += -log(1 - rand()) * (messages ? 0.02 : 65)
			k = 1 + 2 * int(7 * rand())
			work = messages && tasks > 1 ? kind[k] " bytes=" kind[k + 1] * (1 + int(3 * rand())) / 2 : "null"
			printf "%.6f %d %s compute=%.6f estimate=%.6f\n", time, tasks, work, run, messages ? 2 ^ int(5 * rand()) : run * (0.5 + 10 * rand() ^ 3)
		}
	}'
}

measure_queue() { # FABRIC MESSAGES SCHEDULER ALLOCATION
	: >"$tmp/seconds"
	measure "$tmp/seconds" "$orcs" --quiet --engine flow -p "queue:$tmp/queue" --scheduler "$3" --allocation "$4" --format json "$1"
	row fabric "$1" messages "$2" jobs "$(wc -l <"$tmp/queue")" scheduler "$3" allocation "$4" seconds "$(cat "$tmp/seconds")" utilisation \
		"$(jq .metrics.queue.utilisation "$tmp/result")"
}

draw "$jobs" 4096 0 >"$tmp/queue"
for scheduler in fcfs easy conservative sjf; do
	measure_queue torus:16x16x16,hosts=1 0 $scheduler linear
done
for allocation in random spread leaf; do
	measure_queue torus:16x16x16,hosts=1 0 easy $allocation
done
draw $((jobs / 10)) 1024 1 >"$tmp/queue"
for allocation in linear random; do
	measure_queue fattree:k=16,n=3 1 easy $allocation
done
