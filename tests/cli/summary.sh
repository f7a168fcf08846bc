#!/bin/sh
# The three lines for a reader at a terminal: summary.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH
export PATH
tree=examples/fattree324.dot

if ! have script; then
	skip "script is not installed (Debian: bsdutils): no terminal to write to"
	echo "$passed passed, $failed failed, $skipped skipped"
	exit 0
fi

# What a terminal with these in the environment sees of a command: at VARIABLE=VALUE... -- COMMAND
at() {
	variables=
	while [ "$1" != -- ]; do
		variables="$variables $1"
		shift
	done
	shift
	script -qec "env $variables $*" /dev/null </dev/null | tr -d '\r'
}
plain="TERM=xterm NO_COLOR=1 LC_ALL=C"

# sees PATTERN VARIABLE... -- COMMAND
sees() {
	pattern=$1
	shift
	at "$@" >"$work/seen"
	cat "$work/seen"
	grep -q -E -e "$pattern" "$work/seen"
}
lacks() {
	! sees "$@"
}

# shellcheck disable=SC2086 # several variables
{
	check "the bandwidth" sees '^verdict: a random bisection gets 0\.[0-9]{3} of the peak, (9[89]|10[01])% of an ideal tree of this size \(0\.823\)$' $plain -- orcs -n 50 $tree
	check "no channel above" sees '^         no channel of 1296 carries more than its fair share$' $plain -- orcs -n 5 $tree
	check "what next" sees "^next:    orcs-check $tree \(is it sound\), orcs-report $tree -o report.html" $plain -- orcs -n 5 $tree
	check "all is plain with NO_COLOR in the C locale" lacks "$(printf '\033|█')" $plain -- orcs -n 5 $tree
	check "a bar in UTF-8" sees 'verdict: (█)+(░)* a random' TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8 -- orcs -n 5 $tree
	check "colour" sees "$(printf '\033\\[1mverdict:\033\\[0m')" TERM=xterm NO_COLOR= LC_ALL=C -- orcs -n 5 $tree
	check "a dumb terminal" sees '^verdict: a random' TERM=dumb LC_ALL=C.UTF-8 -- orcs -n 5 $tree
	check "not with --quiet" lacks 'verdict|next:' $plain -- orcs --quiet -n 5 $tree
	check "nor in JSON" lacks 'verdict|next:' $plain -- orcs --format json -n 5 $tree
	check "nor with the result in a file" lacks 'verdict|next:' $plain -- orcs -n 5 -o "$work/out" $tree
	check "another pattern has no ideal" lacks 'ideal' $plain -- orcs -p alltoall -n 1 $tree
	check "but loads" sees '^verdict: no channel of 1296' $plain -- orcs -p alltoall -n 1 $tree
	check "some of the hosts have no ideal" lacks 'ideal' $plain -- orcs -s 100 -n 5 $tree
	check "routes of --routing are not those of the file" lacks 'orcs-report' $plain -- orcs -R minhop -n 5 $tree
	cp $tree "$work/a b.dot"
	check "a name that a shell would not take" sees '^next: .*orcs-check FABRIC' $plain -- orcs -n 5 "'$work/a b.dot'"
}

# A pipe gets what it got: the paper's text alone.
piped() {
	orcs -n 5 $tree 2>/dev/null | grep -q -E 'verdict|next:' && return 1
	orcs -n 5 $tree 2>/dev/null | cmp - "$work/file" || return 1
}
orcs --quiet -n 5 -o "$work/file" $tree
check "pipes" piped
if have mpirun; then
	forwarded() {
		mpirun --oversubscribe -np 2 orcs -n 5 $tree 2>/dev/null >"$work/out"
		cmp "$work/out" "$work/file"
	}
	check "mpirun" forwarded
else
	skip "mpirun is not installed"
fi

# Uneven tables: the verdict is that of orcs-check, and the ideal that of orcs-bound.
orcs-route --quiet updn-orcs "torus:6x6,hosts=2" -o "$work/uneven.dot"
agrees() {
	line=$(orcs-check --quiet "$work/uneven.dot" | sed -n 's/^load  *//p')
	at TERM=xterm NO_COLOR=1 LC_ALL=C -- orcs -n 5 "$work/uneven.dot" >"$work/seen"
	cat "$work/seen"
	[ -n "$line" ] && grep -q -F -e "$line" "$work/seen" && grep -q '^next:    orcs-advise ' "$work/seen"
}
check "loads are those of orcs-check" agrees

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
