#!/bin/sh
# make_example.sh - makes the fabrics in examples/ with the real tools: routed graphs, and the dumps of a small cluster.
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

# A cluster with a fault: four leaves with six nodes each, two spines, pairs of parallel cables, two storage machines of two ports each;
# one cable between leaf3 and spine2 is missing.
cluster() {
	awk '
	function cable(a, p, b, q) { printf "\t%s -> %s [port=%d]; %s -> %s [port=%d];\n", a, b, p, b, a, q }
	function host(name, machine, adapter, leaf, port) {
		printf "\t%s [desc=\"%s %s\"];\n", name, machine, adapter
		cable(name, 1, "leaf" leaf, port)
	}
	BEGIN {
		print "digraph {"
		for (leaf = 1; leaf <= 4; leaf++) {
			for (port = 1; port <= 6; port++) {
				machine = sprintf("node%02d", 6 * (leaf - 1) + port)
				host("H" machine, machine, "HCA-1", leaf, port)
			}
			for (i = 0; i < 4; i++)
				if (leaf != 3 || i != 3)
					cable("leaf" leaf, 9 + i, "spine" (1 + int(i / 2)), 2 * leaf - 1 + i % 2)
		}
		for (i = 0; i < 4; i++)
			host("Hstorage" i, "storage" (1 + int(i / 2)), "mlx5_" (i % 2), 1 + i, 8)
		print "}"
	}'
}

usage() {
	cat <<'EOF'
Usage: make_example.sh [--check]

Makes the graphs and dumps in the folder examples beside the folder of this
script, with OpenSM under ibsim (Debian: opensm, ibsim-utils, infiniband-diags).

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
simulator=
# shellcheck disable=SC2317
end() {
	[ -z "$simulator" ] || { kill "$simulator" && wait "$simulator"; } 2>/dev/null
	[ -z "$tmp" ] || rm -rf -- "$tmp"
}
trap end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 131' QUIT
trap 'exit 141' PIPE
trap 'exit 143' TERM
tmp=$(mktemp -d -- "${TMPDIR:-/tmp}/orcs-example.XXXXXX" 2>/dev/null) ||
	fail 1 "cannot make a directory in ${TMPDIR:-/tmp}"

count=0
bad=0

# Takes a new file to examples/, or compares it with the old one.
example() { # FILE
	name=${1##*/}
	count=$((count + 1))
	if [ "$check" = no ]; then
		cp "$1" "$target/$name" 2>/dev/null || fail 1 "cannot write $target/$name"
		return
	fi
	cmp -s "$1" "$target/$name" && return
	bad=$((bad + 1))
	if [ ! -r "$target/$name" ]; then
		printf '%s: %s is missing\n' "$me" "$name" >&2
	elif sed '/^\/\//d' "$1" >"$tmp/new" && sed '/^\/\//d' "$target/$name" | cmp -s - "$tmp/new"; then
		printf '%s: %s differs in its head only: other versions of the tools?\n' "$me" "$name" >&2
	else
		printf '%s: %s differs from what the tools make\n' "$me" "$name" >&2
	fi
}

printf '%s' "$examples" >"$tmp/list"
while read -r name topology engine <&3; do
	[ -n "$name" ] || continue
	sh "$here/fattree_topology.sh" "$topology" >"$tmp/topology" || exit 1
	sh "$here/route_with_opensm.sh" -e "$engine" -o "$tmp/routed" "$tmp/topology" 2>"$tmp/said" ||
		fail 1 "$name.dot: $(cat "$tmp/said")"
	{
		echo "// $name.dot: a routed fabric, made by scripts/make_example.sh"
		cat "$tmp/routed"
	} >"$tmp/$name.dot" || fail 1 "cannot write $tmp/$name.dot"
	example "$tmp/$name.dot"
done 3<"$tmp/list"

# The dumps of the cluster, as an administrator takes them; without the time.
export ORCS_RUN="$tmp/run"
cluster >"$tmp/topology"
sh "$here/start_ibsim.sh" "$tmp/topology" >"$tmp/ready" 2>"$tmp/said" &
simulator=$!
until [ -s "$tmp/ready" ]; do
	kill -0 "$simulator" 2>/dev/null || fail 1 "cluster: $(cat "$tmp/said")"
	sleep 0.1
done
sh "$here/start_osm.sh" minhop >"$tmp/said" 2>&1 || fail 1 "cluster: $(cat "$tmp/said")"
sh "$here/under_ibsim.sh" ibnetdiscover >"$tmp/seen" 2>"$tmp/said" || fail 1 "cluster: $(cat "$tmp/said")"
sh "$here/under_ibsim.sh" dump_fts -n >"$tmp/cluster.dump_fts" 2>"$tmp/said" || fail 1 "cluster: $(cat "$tmp/said")"
sed '/^# Topology file: generated on/d' "$tmp/seen" >"$tmp/cluster.ibnetdiscover" || fail 1 "cannot write $tmp/cluster.ibnetdiscover"
example "$tmp/cluster.ibnetdiscover"
example "$tmp/cluster.dump_fts"

[ "$bad" -eq 0 ] || exit 1
if [ "$check" = yes ]; then
	printf '%s: %d examples are what the tools make\n' "$me" "$count" >&2
else
	printf '%s: %d examples made\n' "$me" "$count" >&2
fi
