#!/bin/sh
# fattree_topology.sh - writes a fat tree in the topology format of ibsim.
#
# A K-ary tree of LEVELS levels (Petrini and Vanneschi, "k-ary n-trees", 1997)
# of switches with 2*K ports: K ports down, K ports up, full bisection. The top
# switches have all their ports below them, so that they can carry up to 2*K
# subtrees; HOSTS says how many hosts there are, the last leaf may be partly
# filled and subtrees without hosts are left out.
#
# A switch of level i is (g, w): g counts the subtrees of K^i leaves, w the
# K^i switches at the top of each. Up port j of (g, w) leads to the switch
# (g div K, w + j*K^i), where it is the port of the child g mod K.

set -u
export LC_ALL=C
me=fattree_topology.sh

usage() {
	cat <<'EOF'
Usage: fattree_topology.sh LEVELS:K[:HOSTS]

Writes on standard output, for ibsim, a fat tree of LEVELS levels with full
bisection: switches of 2*K ports, K hosts on each leaf, K^LEVELS hosts, or
HOSTS (at most 2*K^LEVELS, one level: 2*K), which fills the leaves in order and
may leave the last one partly filled. All links are 4x EDR (100 Gb/s).

Hosts are H0, H1, ... in the order of the leaves; switches are leaf0, ... at
the bottom, spine0, ... at the top, and mid0, ... (mid1_0, mid2_0, ... with more
than three levels) between.

Examples:
  fattree_topology.sh 2:18        324 hosts, 18 leaves, 18 spines
  fattree_topology.sh 2:4         16 hosts, 4 leaves, 4 spines
  fattree_topology.sh 2:24:1142   1142 hosts, 48 leaves (the last with 14), 24 spines
  fattree_topology.sh 3:8         512 hosts, 64 switches on each of three levels
EOF
}

die() {
	printf '%s: %s\n' "$me" "$1" >&2
	exit 2
}

case ${1-} in
-h | --help)
	usage || exit 1
	exit 0 ;;
esac
[ $# -eq 1 ] || die "one argument LEVELS:K[:HOSTS] is needed (--help tells more)"
case $1 in
-*) die "unknown option '$1' (--help tells more)" ;;
*[!0-9:]* | *:*:*:* | :* | *: | *::*) die "'$1' is not LEVELS:K[:HOSTS]" ;;
*:*) ;;
*) die "'$1' is not LEVELS:K[:HOSTS]" ;;
esac

awk -v spec="$1" -v me="$me" '
function die(text) {
	printf "%s: %s\n", me, text | "cat >&2"
	close("cat >&2")
	exit 2
}

function plural(count, one, many) {
	return count " " (count == 1 ? one : many)
}

function name(level, group, position,	index_) {
	index_ = group * power[level] + position
	if (level == 0)
		return "leaf" index_
	if (level == levels - 1)
		return "spine" index_
	return levels == 3 ? "mid" index_ : "mid" level "_" index_
}

BEGIN {
	n = split(spec, part, ":")
	levels = part[1] + 0
	k = part[2] + 0
	if (length(part[1]) > 2 || levels < 1 || levels > 8)
		die("LEVELS must be 1 to 8, not " part[1])
	if (length(part[2]) > 3 || k < 1 || k > 127)
		die("K must be 1 to 127, not " part[2])
	power[0] = 1
	for (i = 1; i <= levels; i++)
		power[i] = power[i - 1] * k
	hosts = n == 3 ? part[3] + 0 : power[levels]
	if (hosts < 1 || hosts > 2 * power[levels])
		die("HOSTS must be 1 to " sprintf("%.0f", 2 * power[levels]) " for this tree, not " part[3])

	# one level is one switch; its upper ports carry hosts as well
	leaf_ports = levels == 1 ? 2 * k : k
	leaves = int((hosts + leaf_ports - 1) / leaf_ports)
	switches = 0
	for (i = 0; i < levels; i++) {
		groups[i] = i == levels - 1 ? 1 : int((leaves + power[i] - 1) / power[i])
		switches += groups[i] * power[i]
	}
	if (hosts + switches > 49151)
		die("a subnet has at most 49151 unicast LIDs, this tree would need " sprintf("%.0f", hosts + switches))

	printf "# Fat tree %s: %s, %s, %s of %d ports, %s", spec, plural(levels, "level", "levels"), plural(hosts, "host", "hosts"), plural(switches, "switch", "switches"), 2 * k, plural(leaves, "leaf", "leaves")
	if (leaves > 1)
		printf " of %d hosts", leaf_ports
	if (leaves > 1 && hosts % leaf_ports)
		printf " (the last %d)", hosts % leaf_ports
	printf ", 4x EDR\n"
	printf "\nwidth=2\nspeed=7\nextspeed=3\n"

	for (i = 0; i < levels; i++) {
		for (g = 0; g < groups[i]; g++) {
			for (w = 0; w < power[i]; w++)
				write_switch(i, g, w)
		}
	}
	for (h = 0; h < hosts; h++) {
		printf "\nHca\t1 \"H%d\"\n", h
		printf "[1]\t\"leaf%d\"[%d]\n", int(h / leaf_ports), h % leaf_ports + 1
	}
}

function write_switch(level, group, position,	child, first, last, j) {
	printf "\nSwitch\t%d \"%s\"\n", 2 * k, name(level, group, position)
	if (level == 0) {
		for (j = 0; j < leaf_ports && group * leaf_ports + j < hosts; j++)
			printf "[%d]\t\"H%d\"[1]\n", j + 1, group * leaf_ports + j
	} else {
		first = group * k
		last = level == levels - 1 ? groups[level - 1] - 1 : first + k - 1
		j = int(position / power[level - 1])
		for (child = first; child <= last && child < groups[level - 1]; child++)
			printf "[%d]\t\"%s\"[%d]\n", child - first + 1, name(level - 1, child, position % power[level - 1]), k + j + 1
	}
	if (level == levels - 1)
		return
	for (j = 0; j < k; j++)
		printf "[%d]\t\"%s\"[%d]\n", k + j + 1, name(level + 1, parent(level, group), position + j * power[level]), group - parent(level, group) * k + 1
}

function parent(level, group) {
	return level + 1 == levels - 1 ? 0 : int(group / k)
}
'
