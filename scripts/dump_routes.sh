#!/bin/sh
# dump_routes.sh - prints the forwarding tables of the simulated fabric, once start_osm.sh has routed it.
set -u
me=dump_routes.sh
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
# shellcheck source=scripts/chain.sh
. "$here/chain.sh"

time_limit=600
what=tables

usage() {
	cat <<EOF
Usage: dump_routes.sh [-d DIR] [-t SECONDS] [--cabling | --sl2vl | --vlarb | --log]

Prints the forwarding tables of the fabric that start_ibsim.sh simulates and
start_osm.sh has routed, for orcs-import, for lftsdump2dot, or for OpenSM's own
'-R file -U FILE'.

  --cabling   print the cabling instead, as ibnetdiscover does
  --sl2vl     print the SL-to-VL tables instead, as OpenSM dumps them
  --vlarb     print the arbitration of virtual lanes of all ports instead, as
              smpquery prints it
  --log       print OpenSM's log instead
  -d DIR      run directory, see start_ibsim.sh --help
  -t SECONDS  how long it may take, by default $time_limit
  -h, --help  this text

Example:
  start_ibsim.sh net &
  start_osm.sh minhop
  dump_routes.sh > routing.lft
  orcs-import --topology net --lft routing.lft -o fabric.dot

Exit status: 0 done, 1 it failed, 2 wrong use.
EOF
}

directory=
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help)
		usage || exit 1
		exit 0 ;;
	-d | -t)
		[ $# -ge 2 ] || fail 2 "option $1 needs a value"
		case $1 in
		-d) directory=$2 ;;
		-t) time_limit=$2 ;;
		esac
		shift 2 ;;
	--cabling | --sl2vl | --vlarb | --log)
		what=${1#--}
		shift ;;
	*) fail 2 "unknown argument '$1' (--help tells more)" ;;
	esac
done
check_seconds "$time_limit"
trap_signals
trap end_own_client EXIT
join_run "${directory:-$(default_run)}"
case $what in
cabling)
	dump_cabling "$time_limit"
	file=$run/cabling ;;
tables)
	[ -e "$run/used" ] || fail 1 "the fabric is not routed: run start_osm.sh first"
	dump_tables "$time_limit"
	file=$tables ;;
sl2vl) file=$run/opensm-sl2vl.dump ;;
vlarb)
	[ -e "$run/qos" ] || fail 1 "OpenSM set no arbitration tables: run start_osm.sh with the option -Q first"
	dump_cabling "$time_limit"
	dump_arbitration "$time_limit" || exit
	file=$run/vlarb ;;
log) file=$run/opensm.log ;;
esac
[ -s "$file" ] || fail 1 "OpenSM left no such dump: run start_osm.sh first (for --sl2vl with the option -Q)"
cat "$file" || fail 1 "cannot write to standard output"
