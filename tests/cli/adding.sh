#!/bin/sh
# The examples of CONTRIBUTING.md: in a copy of the sources each is a file and a line in its table, the programs build, print what
# CONTRIBUTING.md shows, and pass the generic tests: adding.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
build=build/$(basename "$(dirname "$bin")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

case $build in
*/san)
	skip "the examples of CONTRIBUTING.md: all programs would be linked again with the sanitizers; the plain build tests them"
	echo "$passed passed, $failed failed, $skipped skipped"
	exit 0
	;;
*/debug) kind=DEBUG=1 ;;
*) kind= ;;
esac

# A copy of the sources and of what is built of them, so that only what is new is compiled.
tree=$work/tree
mkdir "$tree"
tar cf - --exclude=./.git --exclude=./build --exclude=./doc --exclude=./examples . | tar xf - -C "$tree"
tar cf - --exclude="$build/bin" "$build" | tar xf - -C "$tree"

# shellcheck disable=SC2086 # no word or one
makes() { # TARGET...
	env -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES make -s -j2 -C "$tree" $kind "$@"
}

# The code of CONTRIBUTING.md that follows a line with this path at its end.
example() { # PATH
	awk -v end="\`$1\`:" '
		!on { on = substr($0, length($0) - length(end) + 1) == end; next }
		/^```/ { if (shown++) exit; next }
		shown' CONTRIBUTING.md
}

# Adds a row at the end of a table, whose other rows go on with a backslash.
adds_row() { # TABLE NAME
	sed -i "s/^\(	*X([a-z0-9_]*)\)\$/\1 \\\\\\n\tX($2)/" "$tree/$1"
	[ "$(grep -c "X($2)" "$tree/$1")" -eq 1 ]
}

adds() { # TABLE FILE...
	table=$1
	shift
	for file; do
		row=$(basename "$file" .c)
		mkdir -p "$tree/$(dirname "$file")"
		example "$file" >"$tree/$file"
		check "CONTRIBUTING.md has the example $file" [ -s "$tree/$file" ]
		check "$row is a row of $table" adds_row "$table" "$row"
		echo "$file" >>"$work/added"
	done
}

adds patterns/table.c patterns/pairs/opposite.c patterns/graphs/relay.c patterns/open/across.c
adds metrics/table.c metrics/worst_cong.c metrics/message_rate.c
adds topologies/table.c topologies/ladder.c
adds routings/table.c routings/modulo.c
adds engines/packet/routing/table.c engines/packet/routing/hops.c
adds infiniband/dump_forms.c infiniband/ibhosts.c
grep -o '`[a-z/_]*\.c`:$' CONTRIBUTING.md | tr -d '`:' | diff - "$work/added" >"$work/diff"
check "each example of CONTRIBUTING.md is tested" [ ! -s "$work/diff" ]

# The null engine under another name.
mkdir "$tree/engines/instant"
sed 's/engine_null/engine_instant/; s/"null"/"instant"/' engines/null/null.c >"$tree/engines/instant/instant.c"
check "instant is a row of engines/table.c" adds_row engines/table.c instant

tests='engines flow_metrics metrics packet_routings patterns routings structure table_forms topologies topology_forms traffic workloads'
targets=
for test in $tests; do
	targets="$targets $build/tests/unit/test_$test"
done
for program in orcs orcs-check orcs-import orcs-route orcs-topology; do
	targets="$targets $build/bin/$program"
done
# shellcheck disable=SC2086 # a list of targets
check "the examples build" makes $targets
if have clang-format; then
	check "the examples have the format of the code" sh -c "cd '$tree' && clang-format --dry-run --Werror $(tr '\n' ' ' <"$work/added")"
else
	skip "clang-format is not installed: the format of the examples"
fi

# The commands that CONTRIBUTING.md shows with their output, as cases.
awk '/^```console/ { on = 1; next } /^```/ { if (on) print ""; on = 0 } !on { next }
	/^\$ / { print; print "? 0"; next }
	{ print ($0 == "" ? ">" : "> " $0) }' CONTRIBUTING.md >"$work/shown.cases"
check "CONTRIBUTING.md shows commands" [ "$(grep -c '^\$' "$work/shown.cases")" -gt 10 ]
check "the commands of CONTRIBUTING.md print what it shows" sh tests/cli/cases.sh "$tree/$build/bin" "$work/shown.cases"

orcs=$tree/$build/bin/orcs
for engine in congestion flow latency packet instant 'packet --load 0.1'; do
	# shellcheck disable=SC2086 # two words
	check "--engine $engine takes the pattern" "$orcs" --quiet --engine $engine -p opposite star:4
done
for test in $tests; do
	check "test_$test takes the examples up" "$tree/$build/tests/unit/test_$test"
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
