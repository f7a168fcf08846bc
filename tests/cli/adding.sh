#!/bin/sh
# The examples of CONTRIBUTING.md: as a file of their own and a line in the table they build, pass the generic tests, and do what they say:
# adding.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
build=build/$(basename "$(dirname "$bin")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

# The code that follows the line of CONTRIBUTING.md with these words.
example() { # WORDS
	awk -v words="$1" '
		!on { on = index($0, words); next }
		/^       / { print substr($0, 8); shown = 1; next }
		/^$/ { if (shown) print; next }
		{ exit }' CONTRIBUTING.md
}

# A copy of the sources and of what is built of them, so that only what is new is compiled.
mkdir "$work/tree"
tar cf - --exclude=./.git --exclude=./build --exclude=./doc --exclude=./examples . | tar xf - -C "$work/tree"
tar cf - --exclude="$build/bin" "$build" | tar xf - -C "$work/tree"
case $build in */san) kind=SAN=1 ;; */debug) kind=DEBUG=1 ;; *) kind= ;; esac
# shellcheck disable=SC2086 # no word or one
makes() { # TARGET...
	env -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES make -s -C "$work/tree" $kind "$@"
}

# ---- a pattern
# shellcheck disable=SC2016 # no command
example 'Write `patterns/pairs/NAME.c`' >"$work/tree/patterns/pairs/opposite.c"
check "CONTRIBUTING.md has an example of a pattern" [ -s "$work/tree/patterns/pairs/opposite.c" ]
sed -i 's/^\tX(null)/\tX(opposite) \\\n&/' "$work/tree/patterns/table.c"
check "a pattern of one's own builds" makes "$build/bin/orcs" "$build/tests/unit/test_patterns" "$build/tests/unit/test_workloads"
orcs=$work/tree/$build/bin/orcs
sends() {
	"$orcs" --quiet -d -p opposite --printptrn --metric sum_max_cong star:4 | grep -- '->' >"$work/sent"
	printf '# %s\n' '0 -> 2' '1 -> 3' '2 -> 0' '3 -> 1' | diff - "$work/sent"
}
check "it sends what it says" sends
check "it is listed" sh -c "'$orcs' --list=patterns | grep -q '^  opposite  *ctl  every rank to the one half way round'"
for engine in congestion flow latency packet 'packet --load 0.1'; do
	# shellcheck disable=SC2086 # two words
	check "--engine $engine takes it" "$orcs" --quiet --engine $engine -p opposite star:4
done
for test in test_patterns test_workloads; do
	check "$test takes it up" "$work/tree/$build/tests/unit/$test"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
