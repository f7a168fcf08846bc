#!/bin/sh
# start_osm.sh - routes the simulated fabric of start_ibsim.sh with OpenSM.
set -u
me=start_osm.sh
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
# shellcheck source=scripts/chain.sh
. "$here/chain.sh"

time_limit=600
fallback=no

usage() {
	cat <<EOF
Usage: start_osm.sh [-d DIR] [-t SECONDS] [--allow-fallback]
                    ENGINE [OPENSM_OPTION...]

Routes the fabric that start_ibsim.sh simulates with a routing engine of OpenSM:
$(printf '%s' "$engines" | fold -s -w 78 | sed 's/ *$//'),
and prints "SUBNET UP" with the engine that really routed. What an engine needs
is made from the topology unless an option gives it: root switches for updn, dnup
and ftree (-a FILE), torus-2QoS.conf (--torus_config FILE); QoS is switched on for
torus-2QoS. The engine file takes its tables by -U FILE. The forwarding tables
stay in the simulated switches; dump_routes.sh prints them.

  -d DIR            run directory, see start_ibsim.sh --help
  -t SECONDS        how long OpenSM may take, by default $time_limit
  --allow-fallback  it is no error if OpenSM cannot use ENGINE and takes another
  -h, --help        this text

Exit status: 0 done, 1 it failed, 2 wrong use, 3 OpenSM could not use ENGINE.
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
	--allow-fallback)
		fallback=yes
		shift ;;
	-?*) fail 2 "unknown option '$1' (--help tells more)" ;;
	*) break ;;
	esac
done
[ $# -ge 1 ] || fail 2 "a routing engine is needed (--help tells more)"
check_seconds "$time_limit"
check_engine "$1"
trap_signals
trap end_own_client EXIT
join_run "${directory:-$(default_run)}"
engine=$1
shift
route_once "$time_limit" $fallback "$engine" "$@"
printf 'SUBNET UP: routed with %s in %s seconds (%s)\n' "$used" "$(opensm_seconds)" "$(opensm_version)"
