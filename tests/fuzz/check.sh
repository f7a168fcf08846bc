#!/bin/sh
# Replays the corpus of one target and then mutations of it: tests/fuzz/check.sh PROGRAM, from the top of the source tree.
# FUZZ_MUTATIONS is how many (30000; 5000 where each unpacks or includes much, 400 of shapes, 1000 of OTF2; a fifth under sanitizers), FUZZ_SEED which ones (1).
set -u

program=$1
name=${program##*/replay_}
folder=$(dirname "$0")
passed=0
failed=0
case $name in
compressed | graph_file | include) usual=5000 ;;
shape) usual=400 ;;
otf2) usual=1000 ;;
*) usual=30000 ;;
esac
case $program in */san/*) usual=$((usual / 5)) ;; esac # each takes ten times as long

# Runs the target on the files of its corpus; with options, on mutations of them.
try() {
	if "$program" "$@" "$folder"/corpus/*."$name"; then
		passed=$((passed + 1))
	else
		echo "FAILED: $program $*"
		failed=$((failed + 1))
	fi
}

export FUZZ_LARGE=1 # fabrics of a thousand nodes
try
unset FUZZ_LARGE
try --mutate "${FUZZ_MUTATIONS:-$usual}" "${FUZZ_SEED:-1}" --dict "$folder/$name.dict"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
