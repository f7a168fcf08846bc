#!/bin/sh
# start_ibsim.sh - simulates a fabric for the InfiniBand tools; the first of three steps, start_osm.sh and dump_routes.sh follow.
set -u
me=start_ibsim.sh
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
# shellcheck source=scripts/chain.sh
. "$here/chain.sh"

time_limit=600
as_is=no

usage() {
	cat <<'EOF'
Usage: start_ibsim.sh [-d DIR] [-t SECONDS] [--as-is] TOPOLOGY

Starts ibsim, which simulates the fabric of TOPOLOGY: a net for ibsim, the
output of ibnetdiscover or another dump of the cabling, or a dot graph; - is
standard input. Prints "Network simulator ready" and goes on until it is ended
(Ctrl-C; in a script, kill). In a second terminal follow start_osm.sh, dump_routes.sh and, with any
tool of InfiniBand, under_ibsim.sh.

  -d DIR      run directory, made here and removed at the end, by which these
              scripts find one another: by default the environment variable
              ORCS_RUN, else orcs-ibsim-UID in TMPDIR or /tmp
  -t SECONDS  how long ibsim may take to be ready, by default 600
  --as-is     give TOPOLOGY to ibsim as it is; by default orcs-export rewrites
              it, for ibsim does not take all that real fabrics have
  -h, --help  this text

Exit status: 0 it was ended, 1 it failed, 2 wrong use.
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
	--as-is)
		as_is=yes
		shift ;;
	--)
		shift
		break ;;
	-?*) fail 2 "unknown option '$1' (--help tells more)" ;;
	*) break ;;
	esac
done
[ $# -eq 1 ] || fail 2 "one topology file is needed (--help tells more)"
check_seconds "$time_limit"
directory=${directory:-$(default_run)}
need ibsim ibsim-utils

# What a killed run has left behind goes; a living one stays.
if [ -e "$directory/socket" ] && read -r socket <"$directory/socket"; then
	! simulator_lives || fail 1 "a simulator already runs in $directory: end it, or give this one another directory with -d"
	[ "$(stat -c %u -- "$directory")" = "$(id -u)" ] || fail 1 "$directory belongs to another user"
	rm -rf -- "$directory"
fi
trap_signals
trap close_run EXIT
making=$directory
mkdir -m 700 -- "$directory" 2>/dev/null || {
	making=
	fail 1 "cannot make the directory $directory: it exists, or its folder does not or cannot be written"
}
open_run "$directory"
read_topology "$1"
if [ $as_is = yes ]; then
	cp "$run/original" "$run/net" || fail 1 "cannot write to $run"
else
	write_net "$1"
fi
start_simulator "$time_limit" "$1"
printf 'Network simulator ready: %d nodes, of these %d switches (%s)\n' "$nodes" "$switches" "$run"
wait "$simulator"
fail 1 "ibsim ended: $(last_line ibsim.log)"
