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
	*) trace=$1:$work/$1/trace ;;
	esac
	sort "$work/$1/expected" >"$work/expected"
}
# The messages between ranks are those of the program, with both engines; with collective operations all formats have the same.
exact() { # FORMAT RANKS SEED
	write "$@" && messages "$trace,collectives=none" && diff "$work/expected" "$work/got" &&
		messages "$trace,collectives=none,eager=0" --engine packet && diff "$work/expected" "$work/got" || return
	for set in simple ring; do
		messages "$trace,collectives=$set" || return
		[ "$1" != events ] || cp "$work/got" "$work/$set"
		diff "$work/$set" "$work/got" || return
	done
}
for seed in $(seq 1 $seeds); do
	for format in events dumpi; do
		check "$format of program $seed" exact "$format" $((seed % 9 + 1)) "$seed"
	done
done

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

# ---- GOAL in both forms
if [ -d "$data/goal" ]; then
	messages "goal:$data/goal/binary_tree_16.goal" && cp "$work/flows" "$work/text"
	check "GOAL, the binary form" messages "goal:$data/goal/binary_tree_16.bin"
	check "GOAL, both forms are one" cmp "$work/text" "$work/flows"
	check "DUMPI of a Blue Gene" messages "dumpi:$data/dumpi/testbgp,collectives=none"
	check "DUMPI of a Blue Gene, its messages" says 0 '^588 42 712$' awk '{ seen[$1 " " $2]++ } END { for (s in seen) n++; print NR, n, $3 }' "$work/got"
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

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
