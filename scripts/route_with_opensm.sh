#!/bin/sh
# route_with_opensm.sh - routes a topology with OpenSM and writes the graph: all steps in one, in a private run of its own.
set -u
me=route_with_opensm.sh
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
# shellcheck source=scripts/chain.sh
. "$here/chain.sh"

engine=ftree
out=-
roots=
fallback=no
strict=--strict
time_limit=600
keep=
report=
names=desc
rails=separate
lmc=base
aggregation=

usage() {
	cat <<EOF
Usage: route_with_opensm.sh [-e ENGINE] [-o OUT.dot] [-r SWITCH,...] [-t SECONDS]
                            [--allow-fallback] [--allow-missing-entries]
                            [--keep-dumps DIR] [--report FILE]
                            [--names desc|guid]
                            [--rails separate|merge|RAIL] [--lmc base|all]
                            [--keep-aggregation] TOPOLOGY [OPENSM_OPTION...]

Routes TOPOLOGY (the output of ibnetdiscover, a net for ibsim or another dump of
the cabling, or a dot graph; - is standard input; fattree_topology.sh and
torus_topology.sh make some) with OpenSM under ibsim, and writes the routed graph
for orcs.

  -e ENGINE         routing engine of OpenSM, by default ftree; one of
$(printf '%s' "$engines" | fold -s -w 58 | sed 's/^/                    /; s/ *$//')
  -o OUT.dot        where to write, by default standard output
  -r SWITCH,...     root switches for ftree, updn and dnup, by name or GUID; by
                    default those that OpenSM finds; where it finds none the top
                    of the fat tree; without a tree the switches farthest from
                    the hosts; where all have hosts none for ftree and one for
                    updn
  -t SECONDS        how long each step may take, by default $time_limit
  --allow-fallback  accept the graph when OpenSM could not use ENGINE and took
                    another; otherwise this is an error
  --allow-missing-entries
                    accept the graph when entries are missing in switches that
                    have hosts, which some engines do on fabrics that do not
                    suit them; otherwise this is an error
  --keep-dumps DIR  keep what the tools said in the directory DIR: net,
                    ibnetdiscover, lfts, sl2vl, vlarb, sls, opensm.log,
                    opensm.conf and what an engine was given
  --report FILE     write there the lines "asked ENGINE", "used ENGINE" and
                    "seconds S", OpenSM's time from its start to SUBNET UP
  --names desc|guid, --rails separate|merge|RAIL, --lmc base|all, --keep-aggregation
                    what hosts are and how they are named, see orcs-import(1)
  -h, --help        this text

OPENSM_OPTIONs go to OpenSM as they are, such as '-U FILE' with the engine file or
'--torus_config FILE' with torus-2QoS, whose file otherwise is made from the
topology. With QoS (-Q, or 'qos TRUE' in '-F FILE') the graph has the virtual
lanes and their arbitration as OpenSM sets them.

Exit status: 0 done, 1 it failed, 2 wrong use, 3 OpenSM could not use ENGINE or
left gaps.

Example:
  fattree_topology.sh 2:18 | route_with_opensm.sh -e ftree -o fattree324.dot -
EOF
}

# A file that will be written, and must not take the place of the topology.
check_new() { # FILE
	# shellcheck disable=SC3013 # dash, bash and busybox have -ef
	! [ "$1" -ef "$topology" ] || fail 2 "$1 is the topology, and would be overwritten; give the output another name"
}

# It is better to know before than after the work.
check_writable() { # FILE
	check_new "$1"
	[ ! -d "$1" ] || fail 1 "$1 is a directory"
	case $1 in
	*/*) folder=${1%/*}/ ;;
	*) folder=. ;;
	esac
	[ -d "$folder" ] || fail 1 "no such directory: $folder"
	[ -w "$folder" ] || [ -w "$1" ] || fail 1 "cannot write $1"
}

# The root switches that the user names, by description, id or GUID: $run/named_roots.
name_roots() {
	ROOTS=$roots awk '
	function plain(name) {
		if (name ~ /^0x[0-9a-fA-F]+$/)
			sub(/^0x0*/, "0x", name)
		return name ~ /^0x/ ? tolower(name) : name
	}
	/^switchguid=/ {
		guid = $0
		sub(/^switchguid=/, "", guid)
		sub(/\(.*/, "", guid)
	}
	/^Switch[ \t]/ {
		split($0, part, "\"")
		known[part[2]] = known[part[4]] = known[plain(guid)] = guid
	}
	END {
		n = split(ENVIRON["ROOTS"], want, ",")
		for (i = 1; i <= n; i++) {
			root = known[plain(want[i])]
			if (root == "") {
				print want[i] > "/dev/stderr"
				exit 1
			}
			print root
		}
	}' "$run/net" >"$run/named_roots" 2>"$run/named_roots.err" ||
		fail 2 "option -r: $topology has no switch '$(cat "$run/named_roots.err")'"
}

# Copies a dump that is there.
keep_dump() { # FILE NAME
	[ ! -s "$1" ] || cp -- "$1" "$keep/$2" 2>/dev/null || fail 1 "cannot write $keep/$2"
}

keep_dumps() {
	[ -n "$keep" ] || return 0
	keep_dump "$run/net" net
	keep_dump "$run/cabling" ibnetdiscover
	keep_dump "$tables" lfts
	keep_dump "$run/opensm-sl2vl.dump" sl2vl
	keep_dump "$run/vlarb" vlarb
	keep_dump "$run/levels" sls
	keep_dump "$run/opensm.log" opensm.log
	keep_dump "$run/opensm.conf" opensm.conf
	keep_dump "$run/torus-2QoS.conf" torus-2QoS.conf
	keep_dump "$run/roots" roots
	keep_dump "$run/named_roots" roots
	keep_dump "$run/compute_nodes" compute_nodes
}

while [ $# -gt 0 ]; do
	case $1 in
	-h | --help)
		usage || exit 1
		exit 0 ;;
	-e | -o | -r | -t | --keep-dumps | --report | --names | --rails | --lmc)
		[ $# -ge 2 ] || fail 2 "option $1 needs a value"
		case $1 in
		-e) engine=$2 ;;
		-o) out=$2 ;;
		-r) roots=$2 ;;
		-t) time_limit=$2 ;;
		--keep-dumps) keep=$2 ;;
		--report) report=$2 ;;
		--names) names=$2 ;;
		--rails) rails=$2 ;;
		--lmc) lmc=$2 ;;
		esac
		shift 2 ;;
	--allow-fallback)
		fallback=yes
		shift ;;
	--allow-missing-entries | --allow-gaps)
		strict=
		shift ;;
	--keep-aggregation)
		aggregation=--keep-aggregation
		shift ;;
	--)
		shift
		break ;;
	-?*) fail 2 "unknown option '$1' (--help tells more)" ;;
	*) break ;;
	esac
done
[ $# -ge 1 ] || fail 2 "one topology file is needed (--help tells more)"
topology=$1
shift
check_engine "$engine"
check_seconds "$time_limit"
case $engine in
ftree | updn | dnup) ;;
*) [ -z "$roots" ] || fail 2 "option -r is for ftree, updn and dnup, not for $engine" ;;
esac
case $names in
desc | guid) ;;
*) fail 2 "option --names takes desc or guid, not '$names'" ;;
esac
[ "$engine" != file ] || has_option '-U|--lfts_file' "$@" || fail 2 "the engine file needs its tables: -U FILE after the topology"
[ "$out" = - ] || check_writable "$out"
[ -z "$report" ] || check_writable "$report"
[ -z "$keep" ] || mkdir -p -- "$keep" 2>/dev/null || fail 1 "cannot make the directory $keep"
for kept in net ibnetdiscover lfts sl2vl vlarb sls opensm.log opensm.conf torus-2QoS.conf roots compute_nodes; do
	[ -z "$keep" ] || check_new "$keep/$kept"
done
need ibsim ibsim-utils
need opensm opensm

folder=
trap '[ -z "$folder" ] || rm -rf -- "$folder"' EXIT
trap_signals
folder=$(mktemp -d -- "${TMPDIR:-/tmp}/orcs-opensm.XXXXXX" 2>/dev/null) || fail 1 "cannot make a directory in ${TMPDIR:-/tmp}"
open_run "$folder"
trap close_run EXIT
read_topology "$topology"
write_net "$topology"
start_simulator "$time_limit" "$topology"
if [ -n "$roots" ]; then
	name_roots
	set -- -a "$run/named_roots" "$@"
fi
ask_levels=yes
route_once "$time_limit" $fallback "$engine" "$@"
dump_tables "$time_limit"
[ -s "$run/levels" ] || dump_cabling "$time_limit"
[ ! -e "$run/qos" ] || dump_arbitration "$time_limit" || exit
keep_dumps

seconds=$(opensm_seconds)
version=$(opensm_version)
not_as_asked=
[ "$used" = "$engine" ] || not_as_asked=", not with $engine as asked"
comment=$(
	sed -n '1,/^[^#]/s/^#[# ]*\(.*[A-Za-z].*\)$/topology: \1/p' "$run/original" | grep -a -v -E 'generated on|Initiated from'
	printf 'routing: engine %s of %s under %s' "$used" "$version" "$(ibsim -V 2>&1 | sed -n 's/^\(ibsim [0-9].*\)$/\1/p' | sed 1q)"
	[ "$used" = "$engine" ] || printf ' (%s was asked for)' "$engine"
	printf '\n'
	printf 'made by: %s -e %s%s' "$me" "$engine" "${roots:+ -r $roots}"
)
find_ours orcs-import
set -- --topology "$run/cabling" --lft "$tables" --names "$names" --rails "$rails" --lmc "$lmc" --comment "$comment" -o "$out"
[ ! -s "$run/opensm-sl2vl.dump" ] || set -- --sl2vl "$run/opensm-sl2vl.dump" "$@"
[ ! -s "$run/vlarb" ] || set -- --sl2vl "$run/vlarb" "$@"
if [ -s "$run/levels" ]; then
	set -- --service-levels "$run/levels" "$@"
elif [ "$used" != file ]; then
	set -- --service-levels=0 "$@"
fi
# shellcheck disable=SC2086 # no word where they are empty
"$program" --original "$run/original" $strict $aggregation "$@" 2>"$run/import.err"
case $? in
0) ;;
3) fail 3 "the tables of engine $used are not sound: $(last_line import.err | sed 's/^orcs-import: //')" ;;
*) fail 1 "orcs-import failed: $(last_line import.err)" ;;
esac
sed -n "s/^orcs-import: warning/$me: warning/p" "$run/import.err" >&2
if [ -n "$report" ]; then
	printf 'asked %s\nused %s\nseconds %s\n' "$engine" "$used" "$seconds" >"$report" || fail 1 "cannot write $report"
fi
printf '%s: routed with %s%s in %s s (%s), nodes: %d, switches: %d\n' "$me" "$used" "$not_as_asked" "$seconds" "$version" "$linked" "$switches" >&2
