#!/bin/sh
# Traces of MPI programs whose messages are known (programs.py), in all formats, and what is wrong with some: traces.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH
export PATH
data=${ORCS_TEST_DATA:-../shared/data}/traces
seeds=12
! sanitized || seeds=3

# messages SPEC [OPTION...]: writes the messages of a trace to $work/got, one line "SENDER RECEIVER BYTES" each, sorted.
messages() {
	spec=$1
	shift
	orcs --quiet --engine flow -d -p "$spec" "$@" --flows "$work/flows" -o /dev/null torus:4x4 &&
		tail -n +2 "$work/flows" | awk -F, '{ print $3, $4, $7 }' | sort >"$work/got"
}
# write FORMAT RANKS SEED: a random program; $trace is its specification
write() {
	rm -rf "$work/$1"
	python3 tests/flow/programs.py "$1" "$work/$1" "$2" "$3" || return
	case $1 in
	events) trace=trace:$work/events/trace ;;
	liballprof) trace=$1:$work/$1/trace- ;;
	*) trace=$1:$work/$1/trace ;;
	esac
	sort "$work/$1/expected" >"$work/expected"
}
# The messages between ranks are those of the program, with both engines; with collective operations all formats have the same.
exact() { # FORMAT RANKS SEED
	write "$@" && messages "$trace,collectives=none" && diff "$work/expected" "$work/got" &&
		messages "$trace,collectives=none,eager=0" --engine packet && diff "$work/expected" "$work/got" || return
	for set in simple ring openmpi mpich; do
		messages "$trace,collectives=$set" || return
		[ "$1" != events ] || cp "$work/got" "$work/$set"
		diff "$work/$set" "$work/got" || return
	done
}
# The messages between ranks, and that the whole can run with all collective operations.
alone() { # FORMAT RANKS SEED
	write "$@" && messages "$trace,collectives=none" && diff "$work/expected" "$work/got" &&
		messages "$trace,collectives=simple" --engine packet && messages "$trace,collectives=ring" && messages "$trace,collectives=openmpi,eager=0"
}
for seed in $(seq 1 $seeds); do
	for format in events dumpi; do
		check "$format of program $seed" exact "$format" $((seed % 9 + 1)) "$seed"
	done
done

# formats without statuses and kinds of sends: a program that needs neither
for seed in $(seq 1 $seeds); do
	for format in liballprof chakra; do
		check "$format of program $seed" alone "$format" $((seed % 9 + 1)) "$seed"
	done
done

# operations of intercommunicators: the bytes of each pair are those of Open MPI, as counted at its point-to-point layer
mkdir "$work/across"
python3 tests/flow/across.py tests/data/openmpi_intercommunicators.txt "$work/across"
across() {
	while read -r number name wanted; do
		messages "trace:$work/across/$number.trace,collectives=openmpi" || return
		got=$(awk '{ bytes[$1 " " $2] += $3 }
			END { for (pair in bytes) { split(pair, p); if (bytes[pair]) { n++; all += bytes[pair]
				sum = (sum + bytes[pair] * (101 * p[1] + 37 * p[2] + 1)) % 4294967296 } } print n, all, sum }' "$work/got")
		[ "$got" = "$wanted" ] || { echo "$number $name: $got, not $wanted" && return 1; }
		for set in simple ring mpich; do
			messages "trace:$work/across/$number.trace,collectives=$set" || return
		done
		[ "$seeds" -gt 3 ] || [ "$number" -lt 30 ] || break
	done <"$work/across/wanted"
}
check "operations of intercommunicators are those of Open MPI" across

# computations: the processor of these programs works half the time
write dumpi 4 1
seconds() { # SPEC
	orcs --quiet --engine flow -d -p "$1" --metric tasks --format json torus:4x4 | grep -o '"compute":[^,]*' | cut -d: -f2
}
share() { # SPEC OTHER FACTOR
	echo "$(seconds "$1") $(seconds "$2")" | awk -v factor="$3" '{ exit !($2 > 0 || !factor) || ($1 / $2 - factor) ^ 2 > 1e-9 }'
}
check "computations, a factor" share "$trace,compute=3" "$trace,compute=wall" 3
check "computations, of the processor" share "$trace,compute=cpu" "$trace" 0.5
check "computations, none" share "$trace,compute=none" "$trace" 0
check "computations, a time of the processor that is missing" says 2 "$work/c.trace:1: compute=cpu: the line has no 'cpu=SECONDS'" sh -c \
	"echo 'c 0 1' >'$work/c.trace'; orcs --engine flow -d -p 'trace:$work/c.trace,compute=cpu' star:2"
check "computations, a format without times of the processor" says 2 "compute=cpu needs times of the processor" \
	orcs --engine flow -d -p "actions:examples/allreduce.ti,compute=cpu" star:4
printf 'c 0 5 cpu=2\ns 0 1 0 5\nr 0 1 0 5\nc 1 4\n' >"$work/c.trace"
check "computations, events" share "trace:$work/c.trace,compute=0.5" "trace:$work/c.trace,eager=8" 0.5

# phases: what the engine congestion counts
phases() { # SEED UNIT
	python3 tests/flow/phases.py "$work/p.trace" "$1" "$2" >"$work/expected"
	orcs --quiet -d -p "trace:$work/p.trace$([ "$2" = 0 ] || echo ",unit=$2")" --metric sum_max_cong,hist_acc_band star:8 |
		awk '$1 == "sum" { sum = $2 + 0 } $1 == "mean:" { mean = $2 } END { printf "%d %.6f\n", sum, mean }' >"$work/got"
	if [ "$(cut -d" " -f1 "$work/expected")" = 0 ]; then return 0; fi
	diff "$work/expected" "$work/got"
}
for seed in $(seq 1 $((2 * seeds))); do
	check "phases of program $seed" phases "$seed" 0
	check "phases of program $seed, by bytes" phases "$seed" 1500
done
check "phases, another number of ranks" says 2 "'trace:examples/pipeline.trace' has 3 tasks, not the 4 of --ranks" \
	orcs -p trace:examples/pipeline.trace --ranks 4 -d star:8
check "phases, a unit" says 2 "workload 'trace': unit is 'x', not a number of bytes" orcs -p trace:examples/pipeline.trace,unit=x -d star:8
check "phases, too few hosts" says 2 "3 ranks, but only 2 hosts" orcs -p trace:examples/pipeline.trace -d star:2

if have gnuplot; then
	drawn() { # SPEC
		orcs --quiet -p "$1" -d --plot "$work/p.svg" -o /dev/null star:16 && grep -q 'from rank' "$work/p.svg" && grep -q '>phases<' "$work/p.svg"
	}
	check "the picture of a program" drawn trace:examples/halo.trace
	check "the picture of a program, one size" drawn trace:examples/pipeline.trace
	printf 's 0 1 0 0\nr 0 1 0 0\n' >"$work/p.trace"
	check "a program without bytes: its bandwidth" orcs --quiet -p "trace:$work/p.trace" -d --plot "$work/p.svg" -o /dev/null star:4
else
	skip "no gnuplot: pictures of programs"
fi

# logs of NCCL: the sums of bytes on edges
edges() { # FORMAT RANKS SEED
	write "$@" && messages "nccl:$work/$1/trace" &&
		awk '$1 != $2 { sum[$1 " " $2] += $3 } END { for (edge in sum) if (sum[edge]) print edge, sum[edge] }' "$work/got" | sort | diff "$work/expected" - &&
		messages "nccl:$work/$1/trace,collectives=openmpi" --engine packet && messages "nccl:$work/$1/trace,collectives=none"
}
for seed in $(seq 1 $seeds); do
	for format in nccl inspector; do
		check "$format of program $seed" edges "$format" $((seed % 9 + 1)) "$seed"
	done
done
write nccl 6 2
refused() { # STATUS WORDS
	says "$1" "$2" orcs --engine flow -d -p "nccl:$work/log" -o /dev/null torus:4x4
}
grep -v ' rank 2 .*Init COMPLETE' "$work/nccl/trace" >"$work/log"
check "NCCL: no initialisation of a rank" refused 3 "log:[0-9]*: the log has no line 'Init COMPLETE'"
grep -v '^node0:102' "$work/nccl/trace" >"$work/log"
check "NCCL: a rank is missing" refused 0 "note: .*the log has no lines of 1 ranks; [0-9]* calls are missing of ranks"
grep -v ' : .* -> ' "$work/nccl/trace" >"$work/log"
check "NCCL: no rings" refused 0 "note: the log has no rings of [12] communicators"
sed '0,/datatype [0-9]*/s//datatype 77/' "$work/nccl/trace" >"$work/log"
check "NCCL: a datatype" refused 3 "log:[0-9]*: the call has a datatype that is not known"
echo 'nothing' >"$work/log"
check "NCCL: another file" refused 3 "log: it has neither lines"
echo '{"header"' >"$work/log"
check "NCCL: no JSON" refused 3 "log:1: the line is not a JSON object"

# ---- a program that is damaged; each of these must be noticed
write dumpi 3 3 >/dev/null
check "the program has messages" [ -s "$work/expected" ]
copy() {
	rm -rf "$work/bad"
	cp -r "$work/dumpi" "$work/bad"
}
fails() { # WORDS
	says 3 "$1" orcs --engine flow -d -p "dumpi:$work/bad/trace" -o /dev/null torus:4x4 && [ "$(wc -l <"$work/out")" -eq 1 ]
}
copy
rm "$work/bad/trace-0001.bin"
check "a rank is missing" says 1 "trace-0001.bin: " orcs --engine flow -d -p "dumpi:$work/bad/trace" torus:4x4
copy
head -c 2000 "$work/dumpi/trace-0001.bin" >"$work/bad/trace-0001.bin"
check "a file is cut off" fails "^orcs: $work/bad/trace-0001.bin: byte 2000: the index at the end of the file is missing"
copy
printf 'numprocs=0\n' >"$work/bad/trace.meta"
check "no number of ranks" fails "^orcs: $work/bad/trace.meta: it has no line numprocs=N"
copy
echo nothing >"$work/bad/trace-0000.bin"
check "another kind of file" fails "trace-0000.bin: the file is not a DUMPI trace"
check "the file of a rank for its trace" messages "dumpi:$work/dumpi/trace-0002.bin,collectives=none"
check "its messages" diff "$work/expected" "$work/got"
check "a name that only looks like the file of a rank" says 1 "trace-02.bin.meta: the file is missing" \
	orcs --engine flow -d -p "dumpi:$work/dumpi/trace-02.bin" torus:4x4
copy
rm "$work/bad/trace.meta"
check "without the file of keys" messages "dumpi:$work/bad/trace-,collectives=none"
check "its messages" diff "$work/expected" "$work/got"
# broken SEED WHAT: changes the program before it is written
broken() {
	rm -rf "$work/bad"
	python3 tests/flow/programs.py --broken "$2" dumpi "$work/bad" 4 "$1"
}
broken 1 send
check "a send is missing" fails "waits for a message from task [0-9]* .*that is never sent"
broken 1 receive
check "a receive is missing" fails "never receives this message from task"
broken 1 collective
check "a collective operation is missing" fails "which never calls this collective operation"
broken 1 unrecorded
check "calls were not recorded" says 0 "note: the trace has not recorded 5 of [0-9]* MPI_Isend; 1 messages or receives have no counterpart" \
	orcs --engine flow -d -p "dumpi:$work/bad/trace" -o /dev/null torus:4x4
broken 1 clock
check "clocks that go back" says 0 "note: 1 computations end before they begin and take no time: clocks go back" \
	orcs --engine flow -d -p "dumpi:$work/bad/trace" -o /dev/null torus:4x4

# ---- a long trace is not kept in memory
if have time && ! sanitized; then
	streams() {
		python3 tests/flow/long_dumpi.py "$work/long" &&
			command time -f %M -o "$work/memory" orcs --quiet --engine flow -d -p "dumpi:$work/long/trace" -o /dev/null star:2 || return
		tail -n 1 "$work/memory"
		rm -r "$work/long"
		[ "$(tail -n 1 "$work/memory")" -lt 110000 ]
	}
	check "a file of 160 MB takes less than 110 MB" streams
else
	skip "time is not installed, or sanitizers: memory of a long trace"
fi

# ---- what other formats lack
check "liballprof: no file" says 1 "there is no file of rank 0 with this prefix" orcs --engine flow -d -p "liballprof:$work/none-" torus:4x4
mkdir "$work/lines"
text() { # LINE WORDS
	printf 'MPI_Init:-:1:2:100.0\n%s\n' "$1" >"$work/lines/t0.txt"
	says "$2" "$3" orcs --engine flow -d -p "liballprof:$work/lines/t" -o /dev/null star:2
}
check "liballprof: a call that is not read" text 'MPI_Waitany:101:2:3:102' 2 "t0.txt:2: MPI_Waitany is not supported"
check "liballprof: too few arguments" text 'MPI_Send:101:2:3:102' 2 "t0.txt:2: MPI_Send has too few arguments"
check "liballprof: a time" text 'MPI_Barrier:x:0,0,1:102' 2 "t0.txt:2: 'x' is not a time in microseconds"
check "liballprof: clocks" text 'MPI_Barrier:99:0,0,1:102' 0 "note: 1 calls begin before the one before them has ended"
check "Chakra: no file" says 1 "there is no file $work/none.0.et" orcs --engine flow -d -p "chakra:$work/none" torus:4x4
mkdir "$work/one"
cp "$work/chakra/trace.0.et" "$work/one"
check "Chakra: one file of many" says 3 "there are files of 1 ranks" orcs --engine flow -d -p "chakra:$work/one/trace" -o /dev/null star:2
otf2=yes
orcs --engine flow -p "otf2:$work/lines/t0.txt" star:2 2>&1 | grep -q 'built without libotf2' && otf2=
if [ -n "$otf2" ]; then
	if have cc && have otf2-config; then
		# shellcheck disable=SC2046 # lists
		check "OTF2: one-sided communication" sh -c "cc -o $work/otf2_windows $(otf2-config --cflags) tests/flow/otf2_windows.c $(otf2-config --ldflags --libs) &&
			$work/otf2_windows $work/otf2"
		check "OTF2: one-sided communication, its time" says 0 ': 6e-06$' \
			orcs --quiet --engine flow -d -p "otf2:$work/otf2/trace.otf2" --metric makespan examples/fattree16.dot
		check "OTF2: one-sided communication, its messages" messages "otf2:$work/otf2/trace.otf2"
		printf '0 1 12500\n1 0 12500\n1 1 0\n' >"$work/expected"
		check "OTF2: one-sided communication, these messages" diff "$work/expected" "$work/got"
	else
		skip "OTF2: no compiler, or no otf2-config"
	fi
	check "OTF2: another kind of file" says 3 "t0.txt: the file is not the anchor file" orcs --engine flow -d -p "otf2:$work/lines/t0.txt" star:2
else
	skip "OTF2: built without its library"
fi

# ---- GOAL in both forms
if [ -d "$data/goal" ]; then
	messages "goal:$data/goal/binary_tree_16.goal" && cp "$work/flows" "$work/text"
	check "GOAL, the binary form" messages "goal:$data/goal/binary_tree_16.bin"
	check "GOAL, both forms are one" cmp "$work/text" "$work/flows"
	check "DUMPI of a Blue Gene" messages "dumpi:$data/dumpi/testbgp,collectives=none"
	check "DUMPI of a Blue Gene, its messages" says 0 '^588 42 712$' awk '{ seen[$1 " " $2]++ } END { for (s in seen) n++; print NR, n, $3 }' "$work/got"
	for archive in otf2/stencil-32 liballprof/sweep3d-2x2 chakra/custom_ring_allreduce_8npus_1MB; do
		tar -xf "$data/$archive.tar.xz" -C "$work"
	done
	check "liballprof: Sweep3D" messages "liballprof:$work/sweep3d-2x2/pmpi-trace-rank-,collectives=none"
	check "liballprof: Sweep3D, its messages" says 0 '^5760 8 36000$' awk '{ seen[$1 " " $2]++ } END { for (s in seen) n++; print NR, n, $3 }' "$work/got"
	check "Chakra: a ring of 8" messages "chakra:$work/custom_ring_allreduce_8npus_1MB/custom_allreduce"
	check "Chakra: a ring of 8, its messages" says 0 '^112 8 131072$' awk '{ seen[$1 " " $2]++ } END { for (s in seen) n++; print NR, n, $3 }' "$work/got"
	if [ -n "$otf2" ]; then
		check "OTF2: a stencil" says 0 'note: the measurement was off for a time on 32 ranks' \
			orcs --engine flow -d -p "otf2:$work/traces-32/traces.otf2,collectives=none" --flows "$work/flows" -o /dev/null torus:4x8
		check "OTF2: a stencil, its messages" says 0 '^512 160$' awk -F, 'NR > 1 { n += !seen[$3 " " $4]++ } END { print NR - 1, n }' "$work/flows"
		head -c 2000 "$work/traces-32/traces.def" >"$work/short.def"
		cp "$work/short.def" "$work/traces-32/traces.def"
		check "OTF2: definitions that are cut off" says 3 '^orcs: .*: the definitions .* cannot be read' orcs --engine flow -p "otf2:$work/traces-32/traces.otf2" torus:4x8
	fi
else
	skip "samples of traces: $data is missing"
fi

# ---- matrices
printf 'from;to;bytes\r\n0;1;100\n# nothing\n 1 , 2, 5e3\n2,2,0\n1,2,7\n' >"$work/m.csv"
printf '0 1 100\n1 2 5000\n1 2 7\n2 2 0\n' >"$work/expected"
check "a matrix in CSV" messages "matrix:$work/m.csv"
check "a matrix in CSV, its messages" diff "$work/expected" "$work/got"
printf '%%%%MatrixMarket matrix coordinate integer general\n%% c\n3 3 4\n1 2 100\n2 3 5000\n3 3 0\n2 3 7\n' >"$work/m.mtx"
check "a matrix of MatrixMarket" messages "matrix:$work/m.mtx"
check "a matrix of MatrixMarket, its messages" diff "$work/expected" "$work/got"
printf '%%%%MatrixMarket matrix array real symmetric\n3 3\n0\n5\n0\n7\n6\n0\n' >"$work/a.mtx"
printf '0 1 5\n1 0 5\n1 1 7\n1 2 6\n2 1 6\n' >"$work/expected"
check "an array" messages "matrix:$work/a.mtx"
check "an array, its messages" diff "$work/expected" "$work/got"
printf '%%%%MatrixMarket matrix coordinate pattern general\n4 2 1\n4 1\n' >"$work/p.mtx"
echo '3 0 77' >"$work/expected"
check "a pattern" messages "matrix:$work/p.mtx" --bytes 77
check "a pattern, its messages" diff "$work/expected" "$work/got"
check "a matrix of more ranks than hosts, in the congestion engine" says 2 "p.mtx:3: rank 3, but only 3 ranks: one for each host" \
	orcs --quiet -d -p "matrix:$work/p.mtx" star:3
printf 'Nodes 4\nConnections 4\nTriggers 2\n0->1 id 1 start 1000000 size 1000 send_done_trigger 1\n1->2 id 2 trigger 1 size 2000 recv_done_trigger 2
2->3 id 3 size 500 recv_done_trigger 2\n3->0 id 4 trigger 2 size 700 msg\ntrigger id 1 oneshot\ntrigger id 2 barrier\n' >"$work/m.cm"
begins() { # BEGINS: of the messages in a network of 1 GB/s without latency
	orcs --quiet --engine flow -d -p "matrix:$work/m.cm" --capacity 8G --latency 0 --flows - -o /dev/null star:4 | awk -F, 'NR > 1 { printf "%s ", $8 * 1e9 }' >"$work/got"
	echo "$1 " >"$work/expected"
	echo >>"$work/got"
	diff "$work/expected" "$work/got"
}
check "flows with times and triggers" begins "1000 2000 0 4000"
sed -i 's/id 2 barrier/id 2 oneshot/' "$work/m.cm"
check "a trigger that fires once" begins "1000 2000 0 4000"
sed -i 's/Connections 4/Connections 9/; s/2->3 id 3 size 500 recv_done/2->3 id 3 size 500 send_done/; s/id 2 oneshot/id 2 multishot/' "$work/m.cm"
check "connections that are missing" says 0 "note: the file announces 9 connections and has 4" \
	orcs --engine flow -d -p "matrix:$work/m.cm" -o /dev/null star:4
refuses() { # TEXT WORDS
	printf "$1" >"$work/wrong"
	says 2 "^orcs: $work/wrong$2" orcs --engine flow -d -p "matrix:$work/wrong" star:4 && [ "$(wc -l <"$work/out")" -eq 1 ]
}
check "matrix: no entries" refuses '# 0,1,5\n' ": the file has no entries"
check "matrix: two numbers" refuses '0,1\n' ":1: number of bytes is missing"
check "matrix: a word" refuses '0,1,5\n0,x,5\n' ":2: 'x' is not a rank"
check "matrix: complex" refuses '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n' ":1: 'complex' is not 'integer'"
check "matrix: row 0" refuses '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 5\n' ":3: rows and columns count from 1"
check "matrix: an entry is missing" refuses '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 5\n' ":3: the file ends after 1 of 2 entries"
check "matrix: an entry too many" refuses '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 5\n1 1 5\n' ":4: the matrix has more than its 1 entries"
check "flows: no size" refuses 'Nodes 2\n0->1 start 5\n' ":2: 'size BYTES' is missing"
check "flows: no arrow" refuses 'Nodes 2\n0-1 size 5\n' ":2: '0-1' is not a flow"

# one-sided communication, threads and incomplete traces of events: microseconds by hand, at 12,500 bytes each
takes() { # MICROSECONDS LINE...
	microseconds=$1
	shift
	printf '%s\n' "$@" >"$work/hand.trace"
	orcs --engine flow -d -p "trace:$work/hand.trace" examples/fattree16.dot >"$work/printed" 2>"$work/notes" &&
		awk -v wanted="$microseconds" '/^makespan/ { is = $NF * 1e6 } END { exit !(is > wanted - 1e-6 && is < wanted + 1e-6) }' "$work/printed"
}
noted() { # WORDS LINE...
	words=$1
	shift
	takes "$@" && grep -q "$words" "$work/notes"
}
check "puts do not wait for one another" takes 1 'o 0 1 12500 put' 's 1 0 0 12500' 'r 1 0 0 12500'
check "a fence waits for all members' puts" takes 2 'comm 2 0-1' 'o 0 1 12500 put' 'f 0 comm=2' 'f 1 comm=2' 's 1 0 0 12500' 'r 1 0 0 12500'
check "a wait for one's own puts" takes 2 'o 0 1 12500 put' 'f 0' 's 0 1 0 12500' 'r 0 1 0 12500'
check "data that are got come from the other task" takes 2 'o 0 1 12500 get request=1' 'o 1 0 12500 get' 'w 0 1' 's 0 1 0 12500' 'r 0 1 0 12500'
check "a put to oneself" takes 1 'o 0 0 12500 put' 'o 0 1 12500 put request=7' 'w 0 7' 'f 0'
epochs="f 0 post=2:f 0 start=1:o 0 1 12500 put:f 0 complete=1:f 0 wait=2:f 1 post=0:f 1 start=2:o 1 2 12500 put:f 1 complete=2:f 1 wait=0"
epochs="$epochs:f 2 post=1:f 2 start=0:o 2 0 12500 put:f 2 complete=0:f 2 wait=1"
in_epochs() { # MICROSECONDS SECONDS...: of computation before them
	microseconds=$1
	shift
	for rank in 0 1 2; do
		echo "c $rank $1"
		shift
	done >"$work/begins"
	IFS=:
	takes "$microseconds" $(cat "$work/begins") $epochs
	status=$?
	unset IFS
	return $status
}
check "epochs: a start waits for posts, a wait for the ends of accesses" in_epochs 4 1e-6 2e-6 3e-6
check "epochs: all begin together" in_epochs 1 0 0 0
check "epochs: one that is never posted" says 3 'hand.trace:2: rank 1 waits for rank 0, which does not post its window' \
	sh -c "printf 'f 0 post=0\nf 1 start=0\n' >$work/hand.trace; orcs --engine flow -d -p trace:$work/hand.trace star:4"
check "epochs: words" says 2 "hand.trace:1: 'begin=1' is not 'comm=ID', or 'post='" \
	sh -c "echo 'f 0 begin=1' >$work/hand.trace; orcs --engine flow -d -p trace:$work/hand.trace star:4"
check "epochs and fences of DUMPI" python3 tests/flow/windows.py "$work/windows"
check "epochs and fences of DUMPI, their time" says 0 '1.1e-05$' orcs --quiet --engine flow -d -p "dumpi:$work/windows/trace" --metric makespan examples/fattree16.dot
check "threads proceed independently" takes 6 'c 0 1e-6' 't 0 1' 'c 0 5e-6' 't 0 0' 'c 0 5e-6' 't 0 1' 'c 1 0'
check "a request of another thread" takes 7 'p 1 0 0 0 request=1' 't 0 1' 'w 0 1' 'c 0 1e-6' 'c 1 5e-6' 's 1 0 0 12500'
check "an incomplete trace" noted '1 messages or receives have no counterpart' 1 incomplete 's 0 1 0 12500'
printf 's 0 1 0 12500\nc 0 0 cpu=0\nt 0 0\n' >"$work/lacking.trace"
check "a trace that is not known to be incomplete" says 3 'task 1 never receives this message' orcs --engine flow -d -p "trace:$work/lacking.trace" examples/fattree16.dot
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
