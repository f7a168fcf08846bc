#!/bin/sh
# make_example.sh - makes the routed fabrics in examples/ with the real tools.
#
# The result depends on nothing but the versions of OpenSM and ibsim, which
# stand at the head of each file: two runs give the same bytes.

set -u
export LC_ALL=C
me=make_example.sh

# name, topology as fattree_topology.sh takes it, routing engine
examples="
fattree16      2:4   ftree
fattree324     2:18  ftree
fattree36_dor  2:6   dor
"

usage() {
	cat <<'EOF'
Usage: make_example.sh [--check]

Makes the graphs in the folder examples beside the folder of this script, with
OpenSM under ibsim (Debian: opensm, ibsim-utils, infiniband-diags).

  --check     write nothing; compare with what is there, exit with status 1 if
              a file differs or is missing
  -h, --help  this text
EOF
}

fail() { # STATUS TEXT
	printf '%s: %s\n' "$me" "$2" >&2
	exit "$1"
}

check=no
case $# in
0) ;;
1)
	case $1 in
	-h | --help)
		usage || exit 1
		exit 0 ;;
	--check) check=yes ;;
	*) fail 2 "unknown argument '$1' (--help tells more)" ;;
	esac ;;
*) fail 2 "at most one argument (--help tells more)" ;;
esac
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
target=$here/../examples
[ -d "$target" ] || fail 1 "no such directory: $target"

tmp=
trap '[ -z "$tmp" ] || rm -rf -- "$tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 131' QUIT
trap 'exit 141' PIPE
trap 'exit 143' TERM
tmp=$(mktemp -d -- "${TMPDIR:-/tmp}/orcs-example.XXXXXX" 2>/dev/null) ||
	fail 1 "cannot make a directory in ${TMPDIR:-/tmp}"

printf '%s' "$examples" >"$tmp/list"
count=0
bad=0
while read -r name topology engine <&3; do
	[ -n "$name" ] || continue
	sh "$here/fattree_topology.sh" "$topology" >"$tmp/topology" || exit 1
	sh "$here/route_with_opensm.sh" -e "$engine" -o "$tmp/routed" "$tmp/topology" 2>"$tmp/said" ||
		fail 1 "$name.dot: $(cat "$tmp/said")"
	{
		echo "// $name.dot: a routed fabric, made by scripts/make_example.sh"
		cat "$tmp/routed"
	} >"$tmp/$name.dot" || fail 1 "cannot write $tmp/$name.dot"
	count=$((count + 1))
	if [ "$check" = no ]; then
		cp "$tmp/$name.dot" "$target/$name.dot" 2>/dev/null || fail 1 "cannot write $target/$name.dot"
		continue
	fi
	cmp -s "$tmp/$name.dot" "$target/$name.dot" && continue
	bad=$((bad + 1))
	if [ ! -r "$target/$name.dot" ]; then
		printf '%s: %s.dot is missing\n' "$me" "$name" >&2
	elif sed '/^\/\//d' "$tmp/$name.dot" >"$tmp/new" && sed '/^\/\//d' "$target/$name.dot" | cmp -s - "$tmp/new"; then
		printf '%s: %s.dot differs in its head only: other versions of the tools?\n' "$me" "$name" >&2
	else
		printf '%s: %s.dot differs from what the tools make\n' "$me" "$name" >&2
	fi
done 3<"$tmp/list"

[ "$bad" -eq 0 ] || exit 1
if [ "$check" = yes ]; then
	printf '%s: %d examples are what the tools make\n' "$me" "$count" >&2
else
	printf '%s: %d examples made\n' "$me" "$count" >&2
fi
