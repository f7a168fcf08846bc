#!/bin/sh
# under_ibsim.sh - runs a program on the simulated fabric of start_ibsim.sh.
set -u
me=under_ibsim.sh
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
# shellcheck source=scripts/chain.sh
. "$here/chain.sh"

usage() {
	cat <<'EOF'
Usage: under_ibsim.sh [-d DIR] PROGRAM [ARGUMENT...]

Runs a program of InfiniBand, such as ibnetdiscover, ibdiagnet or opensm, on the
fabric that start_ibsim.sh simulates, and ends with its exit status. The variable
SIM_HOST names the node where it runs, by default the first host of the topology.

  -d DIR      run directory, see start_ibsim.sh --help
  -h, --help  this text

Example:
  under_ibsim.sh ibdiagnet -v -o .
EOF
}

directory=
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help)
		usage || exit 1
		exit 0 ;;
	-d)
		[ $# -ge 2 ] || fail 2 "option $1 needs a value"
		directory=$2
		shift 2 ;;
	-?*) fail 2 "unknown option '$1' (--help tells more)" ;;
	*) break ;;
	esac
done
[ $# -ge 1 ] || fail 2 "a program is needed (--help tells more)"
command -v "$1" >/dev/null 2>&1 || fail 1 "$1 is missing"
join_run "${directory:-$(default_run)}"
find_preload
find_siblings
home=${SIM_HOST:-$home}
check_preload
library='libumad_siblings.so is missing, without which ibdiagnet crashes (status 139): run make, or scripts/install.sh --prefix DIR'
[ -n "$siblings" ] || [ "${1##*/}" != ibdiagnet ] || printf '%s: warning: %s\n' "$me" "$library" >&2

# libumad2sim.so makes a folder here, which a program that crashes or is killed leaves behind.
client=
clean_up() {
	[ -n "$client" ] || return
	kill -KILL "$client" 2>/dev/null
	wait "$client" 2>/dev/null
	rm -rf "./sys-$client"
}
trap clean_up EXIT
trap_signals
(
	client_environment
	exec env LD_PRELOAD="${siblings:+$siblings:}$preload" "$@"
) <&0 &
client=$!
wait "$client"
status=$?
rm -rf "./sys-$client"
client=
[ $status -ne 139 ] || [ -n "$siblings" ] || [ "${1##*/}" = ibdiagnet ] || printf '%s: %s crashed; %s\n' "$me" "$1" "$library" >&2
exit $status
