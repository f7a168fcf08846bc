#!/bin/sh
# Replays the corpus of one target and then mutations of it: tests/fuzz/check.sh PROGRAM, from the top of the source tree.
# FUZZ_MUTATIONS is how many (30000; of shapes, which take longer, 2000), FUZZ_SEED which ones (1).
set -u

program=$1
name=${program##*/replay_}
case $name in shape) usual=2000 ;; *) usual=30000 ;; esac
folder=$(dirname "$0")
passed=0
failed=0

# Runs the target on the files of its corpus; with options, on mutations of them.
try() {
	if "$program" "$@" "$folder"/corpus/*."$name"; then
		passed=$((passed + 1))
	else
		echo "FAILED: $program $*"
		failed=$((failed + 1))
	fi
}

try
try --mutate "${FUZZ_MUTATIONS:-$usual}" "${FUZZ_SEED:-1}" --dict "$folder/$name.dict"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
