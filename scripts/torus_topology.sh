#!/bin/sh
# torus_topology.sh - writes a torus in the topology format of ibsim.
#
# Switches on a grid, the ends of each line of it connected; the switch at (x, y, z) is sX_Y_Z. Of the switch ports, 2*d-1 leads one step
# up in dimension d = 1, 2, ... and 2*d one step down; a line of two switches has one cable, at port 2*d-1. Hosts follow.

set -u
export LC_ALL=C
me=torus_topology.sh

usage() {
	cat <<'EOF'
Usage: torus_topology.sh X[xY[xZ...]][:HOSTS]

Writes on standard output, for ibsim, a torus of X times Y times Z ... switches,
up to six dimensions of 2 to 999 switches each, with HOSTS hosts on every switch
(by default 1). All links are 4x EDR (100 Gb/s). Hosts are H0, H1, ... in the
order of the switches, which are s0_0_0, s0_0_1, ...

Examples:
  torus_topology.sh 4x4x4:4      256 hosts, 64 switches
  torus_topology.sh 5x6          30 hosts, 30 switches
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
[ $# -eq 1 ] || die "one argument X[xY[xZ...]][:HOSTS] is needed (--help tells more)"
case $1 in
-*) die "unknown option '$1' (--help tells more)" ;;
*[!0-9x:]* | *:*:* | :* | *: | x* | *x | *xx* | *x:* | *:*x* | '') die "'$1' is not X[xY[xZ...]][:HOSTS]" ;;
esac

awk -v spec="$1" -v me="$me" '
function die(text) {
	printf "%s: %s\n", me, text | "cat >&2"
	close("cat >&2")
	exit 2
}

# the switch with coordinates as one number, the last dimension counting fastest
function name(s,	d, text) {
	for (d = dimensions; d >= 1; d--) {
		text = "_" s % radix[d] text
		s = int(s / radix[d])
	}
	return "s" substr(text, 2)
}

# the number of the switch that is by steps ahead in dimension d
function ahead(s, d, by,	at) {
	at = int(s / stride[d]) % radix[d]
	return s + ((at + by + radix[d]) % radix[d] - at) * stride[d]
}

function cable(port, other, other_port) {
	printf "[%d]\t\"%s\"[%d]\n", port, other, other_port
}

BEGIN {
	split(spec, part, ":")
	dimensions = split(part[1], radix, "x")
	hosts = part[2] == "" ? 1 : part[2] + 0
	if (dimensions > 6)
		die("at most six dimensions, not " dimensions)
	switches = 1
	for (d = dimensions; d >= 1; d--) {
		if (length(radix[d]) > 3 || radix[d] < 2)
			die("each dimension must have 2 to 999 switches, not " radix[d])
		radix[d] += 0
		stride[d] = switches
		switches *= radix[d]
	}
	ports = 2 * dimensions + hosts
	if (length(part[2]) > 3 || hosts < 1 || ports > 254)
		die("HOSTS must be 1 to " 254 - 2 * dimensions ", not " part[2])
	if (switches * (hosts + 1) > 49151)
		die("a subnet has at most 49151 unicast LIDs, this torus would need " sprintf("%.0f", switches * (hosts + 1)))
	printf "# Torus %s: %d switches of %d ports, %d host%s on each, 4x EDR\n", part[1], switches, ports, hosts, hosts == 1 ? "" : "s"
	printf "\nwidth=2\nspeed=7\nextspeed=3\n"
	for (s = 0; s < switches; s++) {
		printf "\nSwitch\t%d \"%s\"\n", ports, name(s)
		for (d = 1; d <= dimensions; d++) {
			if (radix[d] == 2) {
				cable(2 * d - 1, name(ahead(s, d, 1)), 2 * d - 1)
				continue
			}
			cable(2 * d - 1, name(ahead(s, d, 1)), 2 * d)
			cable(2 * d, name(ahead(s, d, -1)), 2 * d - 1)
		}
		for (h = 0; h < hosts; h++)
			cable(2 * dimensions + h + 1, "H" s * hosts + h, 1)
	}
	for (h = 0; h < switches * hosts; h++) {
		printf "\nHca\t1 \"H%d\"\n", h
		cable(1, name(int(h / hosts)), 2 * dimensions + h % hosts + 1)
	}
}'
