#!/bin/sh
# Queues of jobs: schedulers, allocations, mappings, metrics against an independent simulation; errors, comparison, pictures: queue.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/cli

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH
export PATH
schedulers="fcfs easy conservative sjf"
queue="orcs --quiet --engine flow --subset file_order"

# ---- worked out by hand: hosts, jobs (submit, tasks, run, estimate if other), starts by scheduler
starts() { # SCHEDULER HOSTS STARTS JOB...
	scheduler=$1 hosts=$2 wanted=$3
	shift 3
	for job in "$@"; do
		echo "$job" | awk -F, '{ print $1, $2, "null", "compute=" $3, "estimate=" ($4 == "" ? $3 : $4) }'
	done >"$work/hand"
	$queue -p "queue:$work/hand" --scheduler "$scheduler" --format json -i "star:$hosts" | jq -r '[.metrics.queue.jobs[].start | tostring] | join(" ")' >"$work/got"
	[ "$(cat "$work/got")" = "$wanted" ] || { cat "$work/got"; false; }
}
row() { # HOSTS FCFS EASY CONSERVATIVE SJF JOB...
	hosts=$1 one=$2 two=$3 three=$4 four=$5
	shift 5
	check "fcfs by hand" starts fcfs "$hosts" "$one" "$@"
	check "easy by hand" starts easy "$hosts" "$two" "$@"
	check "conservative by hand" starts conservative "$hosts" "$three" "$@"
	check "sjf by hand" starts sjf "$hosts" "$four" "$@"
}
row 4 "0 10 15 15" "0 10 0 15" "0 10 0 15" "5 0 5 15" 0,2,10 0,4,5 0,2,10 0,1,20
row 10 "0 10 20 30" "0 10 33 3" "0 10 20 30" "0 10 20 30" 0,6,10 1,8,10 2,9,10 3,2,30
row 4 "0 4 9" "0 8 0" "0 8 0" "5 0 5" 0,3,4,10 0,4,5 0,1,8,10
row 2 "0 20 25 25" "0 20 12 13" "0 20 12 13" "5 0 12 13" 0,1,20,10 0,2,5 12,1,1 12,1,2
row 2 "0 10 20 20" "0 10 20 20" "0 10 20 20" "0 11 10 10" 0,2,10 10,2,10 10,1,1 10,1,1
row 3 "0 10 11 11" "0 10 2 11" "0 10 2 11" "0 10 11 11" 0,2,10 1,3,1 2,1,8 2,1,9
row 8 "0 10 10 10 20" "0 10 0 0 20" "0 10 0 0 20" "0 10 10 10 20" 0,5,10 0,6,10 0,1,50 0,1,50 0,1,50

# ---- against an independent simulation
simulated() { # FILE GRAPH SCHEDULER ALLOCATION MAPPING [OPTION...]: of orcs and of the reference alike
	file=$1 graph=$2 scheduler=$3 allocation=$4 mapping=$5
	shift 5
	$queue -p "queue:$file" --scheduler "$scheduler" --allocation "$allocation" --job-mapping "$mapping" --format json -o "$work/result" "$graph" &&
		python3 tests/cli/queue.py "$work/result" "$file" "$graph" "$scheduler" "$allocation" "$mapping" "$@"
}
noticed() { # SED: a number that is not right
	sed "$1" "$work/result" >"$work/altered"
	cmp -s "$work/result" "$work/altered" && return 1
	! python3 tests/cli/queue.py "$work/altered" "$work/q" "$work/tree.dot" easy leaf consecutive >"$work/said2"
}
if have python3; then
	orcs-route --quiet dfsssp thintree:4,2,3 -o "$work/tree.dot"
	orcs-route --quiet updn-orcs torus:3x3,hosts=2 -o "$work/torus.dot"
	hosts=$(grep -c 'type="host"' "$work/tree.dot")
	count=60 seeds="1 2"
	sanitized && count=30 seeds=1
	for seed in $seeds; do
		python3 tests/cli/queue.py --draw "$seed" $count "$hosts" >"$work/q"
		python3 tests/cli/queue.py --swf "$seed" $count 18 >"$work/q.swf"
		for scheduler in $schedulers; do
			for allocation in linear random spread leaf; do
				check "$scheduler, $allocation" simulated "$work/q" "$work/tree.dot" "$scheduler" "$allocation" consecutive
			done
			check "$scheduler on a log" simulated "$work/q.swf" "$work/torus.dot" "$scheduler" spread random
		done
	done
	check "easy, leaf" simulated "$work/q" "$work/tree.dot" easy leaf consecutive
	check "another start is noticed" noticed 's/"start":\([0-9]\)/"start":1\1/'
	check "... other hosts" noticed 's/"hosts":\["H0"/"hosts":["H1"/'
	check "... another utilisation" noticed 's/"utilisation":0/"utilisation":1/'
	check "... another mean" noticed 's/"mean":1/"mean":2/'
	# ---- with messages
	python3 tests/cli/queue.py --draw 7 $((count * 2 / 3)) "$hosts" shift:1,gather,alltoall_flood,alltoall,null >"$work/q"
	for scheduler in $schedulers; do
		check "$scheduler with messages" simulated "$work/q" "$work/tree.dot" "$scheduler" linear consecutive --bytes 1000000 --gbits 10
	done
	check "random places with messages" simulated "$work/q" "$work/tree.dot" easy random random --bytes 1000000 --gbits 10
	slower() { ! python3 tests/cli/queue.py "$work/result" "$work/q" "$work/tree.dot" easy random random --bytes 1000000 --gbits 9 >"$work/said2"; }
	check "another capacity is noticed" slower
else
	skip "python3 is not installed: no reference"
fi

# ---- comparison, formats, processes
day="queue:examples/day.queue" tree=examples/fattree16.dot
check "policies beside one another" says 0 '^easy +linear +consecutive +6\.156 .* -6\.4416 ' orcs --engine flow -p $day --scheduler fcfs,easy $tree
# what is compared is what each gives alone, and differences are those of the same seeds
paired() {
	for allocation in linear random; do
		orcs --engine flow -p $day --allocation $allocation --job-mapping random -n 4 --raw --format json $tree >"$work/$allocation.json"
	done
	orcs --engine flow -p $day --allocation linear,random --job-mapping random -n 4 --format json $tree >"$work/both.json"
	jq -s -e '(.[0].metrics.queue.policies) as $p | [.[1], .[2]] | map(.metrics.queue) |
		([range(2) as $i | .[$i].wait.mean - $p[$i].wait.mean, .[$i].makespan - $p[$i].makespan, .[$i].slowdown.max - $p[$i].slowdown.max] | all(fabs < 1e-9)) and
		([range(4) as $r | .[1].raw[$r] - .[0].raw[$r]] | add / 4 - $p[1].difference.wait | fabs < 1e-9) and $p[1].difference.wait_half > 0' \
		"$work/both.json" "$work/linear.json" "$work/random.json"
}
check "... with paired differences" paired
check "jobs in CSV" says 0 '^queue,jobs\.hosts,3,H0 H1$' orcs --engine flow -p $day --format csv $tree
check "numbers in CSV" says 0 '^queue,wait,mean,12\.5976$' orcs --engine flow -p $day --format csv $tree
check "a threshold" says 4 "holds: wait\.mean is 12\.5976" orcs --engine flow -p $day --fail-if 'wait.mean>10' $tree
check "... of the metric" says 4 "holds: queue\.utilisation is" orcs --engine flow -p $day --fail-if 'queue.utilisation<0.5' $tree
check "the length of bounded slowdowns" sh -c "orcs --engine flow -p $day --bounded-slowdown 1ms --format json $tree | jq -e '.metrics.queue | .bounded_slowdown == .slowdown'"
check "fewer hosts" says 2 'day\.queue:4: the job has 16 tasks, but there are 12 hosts$' orcs --engine flow -p $day -s 12 $tree
check "other metrics" says 0 '^makespan, seconds: 52\.512$' orcs --engine flow -p $day --metric queue,makespan,levels,fct,link_use $tree
mapped() { # other runs draw others
	orcs --engine flow -p $day --allocation random --seed "$1" --format json $tree | jq -c '[.metrics.queue.jobs[].hosts]'
}
check "a seed again" [ "$(mapped 1)" = "$(mapped 1)" ]
check "another seed" [ "$(mapped 1)" != "$(mapped 2)" ]
if have mpirun; then
	together() {
		# Open MPI's own leaks are not ours
		ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 mpirun --oversubscribe -np "$1" \
			"$bin/orcs" --quiet --engine flow -p $day --allocation random -n "$2" --format json -o "$work/of$1" $tree
	}
	alike() { together 1 "$2" && together "$1" "$2" && sed 's/of[0-9]"/"/' "$work/of1" >"$work/one" && sed 's/of[0-9]"/"/' "$work/of$1" | cmp - "$work/one"; }
	check "the same bytes of three processes" alike 3 5
	check "... and of two for one run" alike 2 1
else
	skip "mpirun is not installed: no processes"
fi
printf '0 2 null compute=4\n3 2 shift:1 bytes=1.25e9 compute=1\n' >"$work/two"
check "tasks wait before their job, not for messages" sh -c "orcs --engine flow -p 'queue:$work/two' --metric tasks --format json star:2 |
	jq -e '.metrics.tasks | .communicate == .5 and .communicate_max == 1 and .compute == 2.5 and .compute_max == 4'"
printf 'comp comm=0.5 end=0.5\ncomm comp=1\ncompute fixed:1\ncommunicate ring\ninit 1M\n' >"$work/chain"
printf "0 4 markov:$work/chain\n0 1 null compute=1\n" >"$work/held"
check "hosts that are held for devices are not free" sh -c "orcs --engine flow -p 'queue:$work/held' --storage external:4 --format json star:8 |
	jq -e '.metrics.queue | .jobs[1].wait >= 1 and .fragmentation.idle_while_waiting == 0'"
zeros() {
	printf '5 1 null\n5 2 null\n' >"$work/zeros"
	orcs --engine flow -p "queue:$work/zeros" --format json star:2 | jq -e '.metrics.queue | .jobs[1].start == 5 and .slowdown.mean == null and .throughput == null and .makespan == 0'
}
check "jobs that take no time" zeros
longest() {
	printf '0 1 null compute=1 estimate=1e300\n0 1 null compute=1 estimate=1e-300\n1 2 null compute=1\n' >"$work/long"
	orcs --engine flow -p "queue:$work/long" --scheduler "$1" --format json star:2 | jq -e '[.metrics.queue.jobs[].start] == [0, 0, 1]'
}
for scheduler in $schedulers; do
	check "estimates of any size, $scheduler" longest "$scheduler"
done
orcs --engine flow -p $day --allocation random $tree >"$work/plain"
check "a compressed file" sh -c "gzip -c examples/day.queue >'$work/day.gz' && orcs --engine flow -p 'queue:$work/day.gz' --allocation random $tree | cmp - '$work/plain'"
check "standard input" sh -c "orcs --engine flow -p queue:- --allocation random $tree <examples/day.queue | cmp - '$work/plain'"
check "graphs of every run" sh -c "printf '0 8 random:20\n0 4 nbody\n' >'$work/drawn' && orcs --engine flow -p 'queue:$work/drawn' -n 3 --raw --scheduler fcfs,sjf $tree"
check "a workload by distances" says 0 '^0 ' sh -c "echo '0 8 local:9' | orcs --engine flow -p queue:- $tree"

# ---- pictures and timeline
own_font_cache
pictured() { # COLOURS OPTION...
	colours=$1
	shift
	orcs --quiet --engine flow -p $day --scheduler easy --plot "$work/plot.svg" -o /dev/null "$@" $tree &&
		grep -q '>solver<' "$work/plot.svg" && [ "$(grep -o "fill *[:=] *'*rgb([^)]*)" "$work/plot.svg" | sort -u | wc -l)" -ge "$colours" ]
}
if have gnuplot; then
	check "hosts x time" pictured 10
	check "... with utilisation" grep -q '>waiting jobs<' "$work/plot.svg"
	check "the hosts at a moment" pictured 4 --plot-at 10
	check "... no job that has ended" sh -c "! grep -q '>train<' '$work/plot.svg'"
else
	skip "gnuplot is not installed: no pictures"
fi
timeline() {
	orcs --quiet --engine flow -p $day --timeline "$work/timeline" --format json -o "$work/result" $tree
	jq -s -e '(.[1].traceEvents | map(select(.cat == "job"))) as $rows | .[0].metrics.queue.jobs as $jobs |
		($rows | length) == ([$jobs[].tasks] | add) and
		([$rows[] | . as $row | $jobs[] | select(.id == $row.name) | [.start * 1e6 - $row.ts, (.end - .start) * 1e6 - $row.dur]] | flatten | all(fabs < 1e-3))' \
		"$work/result" "$work/timeline"
}
check "the jobs of hosts in the timeline" timeline

# ---- errors
refused() { # PATTERN TEXT [OPTION...]
	printf '%b' "$2" >"$work/bad"
	wanted="$1"
	shift 2
	says 2 "^orcs: .*$wanted" orcs --engine flow -p "queue:$work/bad" "$@" $tree
}
log() { # PATTERN TEXT
	printf '%b' "$2" >"$work/bad.swf"
	says 2 "^orcs: .*$1" orcs --engine flow -p "queue:$work/bad.swf" $tree
}
check "no job" refused 'bad: the file has no jobs$' '# nothing\n'
check "a negative time" refused "bad:2: '-1' is not a time of submission in seconds" '\n-1 2 null\n'
check "no workload" refused 'bad:1: workload of a job is missing' '0 2\n'
check "no tasks" refused 'bad:1: a job of no tasks' '0 0 null\n'
check "too many tasks" refused 'bad:1: the job has 17 tasks, but there are 16 hosts' '0 17 null\n'
check "an unknown word" refused "bad:1: 'estimat=3' is not 'id=X'" '0 1 null estimat=3\n'
check "a word twice" refused "bad:1: 'compute=3' is not" '0 1 null compute=2 compute=3\n'
check "an estimate of nothing" refused 'bad:1: an estimate of 0 seconds' '0 1 null estimate=0\n'
check "a negative computation" refused "bad:1: '-2' is not a time of computing" '0 1 null compute=-2\n'
check "an id twice" refused "bad:3: job 'a' is already in line 1" '0 1 null id=a\n0 1 null\n0 1 null id=a\n'
check "the number of another as id" refused "bad:2: job '1' is already in line 1" '0 1 null id=1\n0 1 null\n'
check "an unknown workload" refused "bad:1: unknown pattern 'nul'.*did you mean 'null'" '0 1 nul\n'
check "a queue in a queue" refused "is not a workload of a job" '0 1 queue:x\n'
check "other numbers of tasks" refused "bad:1: 'sweep:2x2' has 4 tasks, not 5" '0 5 sweep:2x2\n'
check "too late" refused 'bad:2: times are below 9223372 seconds' '0 1 null\n1e9 1 null\n'
check "a short line of a log" log 'bad\.swf:2: the line has 3 of 18 fields' '; x\n1 0 0\n'
check "no number in a log" log "bad\.swf:1: 'x' is not a number" '1 0 x 5 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n'
check "a long line of a log" log 'bad\.swf:1: the line has a word too many' '1 0 0 5 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n'
check "no job of a log" log 'bad\.swf: the file has no jobs' '1 0 0 -1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n'
printf '1 0 0 -1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n2 0 0 5 -1 1 1 3 -1 1 1 1 1 1 1 1 1 1\n' >"$work/some.swf"
check "jobs that are left out" says 0 'note: 1 job without a run time or processors is left out' orcs --engine flow -p "queue:$work/some.swf" $tree
printf '0 1 null\n' >"$work/bad"
check "an unknown scheduler" says 2 "unknown scheduler 'fcf'.*did you mean 'fcfs'" orcs --engine flow -p $day --scheduler fcf $tree
check "an allocation twice" says 2 "'leaf' is given twice" orcs --engine flow -p $day --allocation leaf,linear,leaf $tree
check "no queue" says 2 '^orcs: --allocation requires a queue of jobs' orcs --engine flow -p ring --allocation leaf $tree
check "another engine" says 2 'is a queue of jobs: it requires orcs with --engine flow' orcs --engine packet -p $day $tree
check "... by its options" says 2 '^orcs: --scheduler requires --engine flow' orcs --scheduler fcfs $tree
check "a metric without times" says 2 'metric throughput is not available for a queue' orcs --engine flow -p $day --metric throughput $tree
check "the metric without a queue" says 2 'metric queue requires a queue of jobs' orcs --engine flow -p ring --metric queue $tree
check "metrics that would be mixed" says 2 'metric makespan would mix' orcs --engine flow -p $day --scheduler fcfs,easy --metric queue,makespan $tree
check "a mapping of ranks" says 2 'omit --mapping' orcs --engine flow -p $day --mapping random $tree
check "a precision of several" says 2 '^orcs: --precision cannot be combined' orcs --engine flow -p $day --scheduler fcfs,easy --precision 0.1 $tree
check "a moment without a picture" says 2 "^orcs: --plot-at requires" orcs --engine flow -p $day --plot-at 3 $tree
check "no length of bounded slowdowns" says 2 '^orcs: --bounded-slowdown is 0' orcs --engine flow -p $day --bounded-slowdown 0 $tree

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
