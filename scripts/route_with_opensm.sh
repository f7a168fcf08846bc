#!/bin/sh
# route_with_opensm.sh - routes a topology with OpenSM and writes the graph.
#
# The chain: ibsim plays the fabric, libumad2sim.so hands the management
# packets of the InfiniBand tools to it instead of to a kernel driver, OpenSM
# routes the fabric, dump2dot.awk joins cabling and forwarding tables. Neither
# hardware nor root is needed. Everything happens in one private directory with
# socket names of its own, so that several chains may run at the same time.

set -u
export LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
me=route_with_opensm.sh
engines="minhop updn dnup ftree lash dor nue dfsssp sssp"

engine=ftree
out=-
roots=
allow_fallback=no
time_limit=600

usage() {
	cat <<EOF
Usage: route_with_opensm.sh [-e ENGINE] [-o OUT.dot] [-r SWITCH,...] [-t SECONDS]
                            [--allow-fallback] TOPOLOGY

Routes TOPOLOGY, a file in the format of ibsim (the output of ibnetdiscover is
one, fattree_topology.sh makes others; - is standard input), with OpenSM under
ibsim, and writes the routed graph for orcs.

  -e ENGINE         routing engine of OpenSM, by default ftree; one of
                    $engines
  -o OUT.dot        where to write, by default standard output
  -r SWITCH,...     root switches for ftree, updn and dnup, by the names they
                    have in the topology; by default the switches farthest from
                    the hosts, none if every switch has hosts
  -t SECONDS        how long each step may take, by default $time_limit
  --allow-fallback  accept the graph when OpenSM could not use ENGINE and took
                    another; otherwise this is an error
  -h, --help        this text

Exit status: 0 done, 1 it failed, 2 wrong use, 3 OpenSM took another engine.

Example:
  fattree_topology.sh 2:18 | route_with_opensm.sh -e ftree -o fattree324.dot -
EOF
}

tmp=
simulator=
finished=

# The program that was started last is $!, unless it is known to have ended.
clean_up() {
	exec 2>/dev/null
	trap '' HUP INT QUIT PIPE TERM
	newest=${!-}
	[ "$newest" != "$finished" ] || newest=
	for pid in $newest $simulator; do
		kill -KILL "$pid"
	done
	wait
	[ -z "$tmp" ] || rm -rf "$tmp"
}

fail() { # STATUS TEXT
	printf '%s: %s\n' "$me" "$2" >&2
	exit "$1"
}

need() { # PROGRAM PACKAGE
	command -v "$1" >/dev/null 2>&1 || fail 1 "$1 is missing: install the package $2"
}

# A short pause; whole seconds where sleep knows no others.
pause() {
	sleep 0.05 2>/dev/null || sleep 1
}

# Seconds since some fixed moment.
now() {
	date +%s
}

# The last line of a file of the private directory that says something.
last_line() { # FILE
	said=$(grep '[A-Za-z]' "$tmp/$1" 2>/dev/null | tail -n 1)
	printf '%s\n' "${said:-it does not say why}"
}

# Runs a program as a client of the simulator, with a time limit; its output
# goes to files of the private directory. The status is that of the program.
run_client() { # OUTPUT PROGRAM [ARGUMENT...]
	output=$1
	shift
	(
		cd "$tmp" || exit 1
		exec env LD_PRELOAD="$preload" "$@"
	) >"$tmp/$output" 2>"$tmp/$output.err" </dev/null &
	client=$!
	deadline=$(($(now) + time_limit))
	while kill -0 "$client" 2>/dev/null; do
		kill -0 "$simulator" 2>/dev/null || fail 1 "ibsim ended before $1 did: $(last_line ibsim.log)"
		[ "$(now)" -le "$deadline" ] || fail 1 "$1 did not finish within $time_limit seconds"
		pause
	done
	wait "$client"
	status=$?
	finished=$client
	return $status
}

while [ $# -gt 0 ]; do
	case $1 in
	-h | --help)
		usage || exit 1
		exit 0 ;;
	-e | -o | -r | -t)
		[ $# -ge 2 ] || fail 2 "option $1 needs a value"
		case $1 in
		-e) engine=$2 ;;
		-o) out=$2 ;;
		-r) roots=$2 ;;
		-t) time_limit=$2 ;;
		esac
		shift 2 ;;
	--allow-fallback)
		allow_fallback=yes
		shift ;;
	--)
		shift
		break ;;
	-?*)
		fail 2 "unknown option '$1' (--help tells more)" ;;
	*)
		break ;;
	esac
done
[ $# -eq 1 ] || fail 2 "one topology file is needed (--help tells more)"
topology=$1
case " $engines " in
*" $engine "*) ;;
*) fail 2 "unknown engine '$engine'; known are $engines" ;;
esac
case $time_limit in
'' | 0* | *[!0-9]* | ???????*) fail 2 "option -t needs a number of seconds, not '$time_limit'" ;;
esac
case $engine in
ftree | updn | dnup) ;;
*) [ -z "$roots" ] || fail 2 "option -r is for ftree, updn and dnup, not for $engine" ;;
esac
if [ "$topology" != - ]; then
	[ -e "$topology" ] || fail 1 "no such file: $topology"
	[ -f "$topology" ] || [ -p "$topology" ] || fail 1 "not a file: $topology"
	[ -r "$topology" ] || fail 1 "cannot read $topology"
fi
if [ "$out" != - ]; then
	[ ! -d "$out" ] || fail 1 "$out is a directory"
	case $out in
	*/*) directory=${out%/*}/ ;;
	*) directory=. ;;
	esac
	[ -d "$directory" ] || fail 1 "no such directory: $directory"
	[ -w "$directory" ] || [ -w "$out" ] || fail 1 "cannot write $out"
fi
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
[ -r "$here/dump2dot.awk" ] || fail 1 "dump2dot.awk is not beside this script"

need ibsim ibsim-utils
need opensm opensm
need ibnetdiscover infiniband-diags
need awk mawk
preload=
for library in "/usr/lib/$(uname -m)-linux-gnu/umad2sim/libumad2sim.so" \
	/usr/lib/*/umad2sim/libumad2sim.so /usr/lib64/umad2sim/libumad2sim.so \
	/usr/lib/umad2sim/libumad2sim.so /usr/local/lib*/umad2sim/libumad2sim.so; do
	if [ -r "$library" ]; then
		preload=$library
		break
	fi
done
[ -n "$preload" ] || fail 1 "libumad2sim.so is missing: install the package ibsim-utils"

trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 131' QUIT
trap 'exit 141' PIPE
trap 'exit 143' TERM
tmp=$(mktemp -d "${TMPDIR:-/tmp}/orcs-opensm.XXXXXX" 2>/dev/null) || fail 1 "cannot make a directory in ${TMPDIR:-/tmp}"
tmp=$(cd "$tmp" && pwd) || fail 1 "cannot enter $tmp"

if [ "$topology" = - ]; then
	cat >"$tmp/topology" || fail 1 "cannot read standard input"
else
	cat <"$topology" >"$tmp/topology" || fail 1 "cannot read $topology"
fi

# How large the simulator must be, and where OpenSM is attached: the first host
# whose port 1 has a cable.
sizes=$(awk '
/^(Switch|Hca|Ca|Rt)[ \t]/ {
	nodes++
	ports += $2 + 1
	if ($1 == "Switch")
		switches++
	split($0, part, "\"")
	candidate = $1 == "Switch" || $1 == "Rt" ? "" : part[2]
}
/^\[0*1\]/ && candidate != "" && home == "" { home = candidate }
END { print nodes + 0, switches + 0, ports + 0, home }
' "$tmp/topology") || fail 1 "cannot read $topology"
read -r nodes switches ports home <<EOF
$sizes
EOF
[ "$nodes" -gt 0 ] || fail 1 "$topology is no topology: it has no line 'Switch PORTS \"NAME\"' or 'Hca PORTS \"NAME\"'"
[ "$switches" -gt 0 ] || fail 1 "$topology has no switch"
[ -n "$home" ] || fail 1 "$topology has no host with a cable at port 1"

# Nothing of the user's environment or of /etc may reach the tools.
unset IBSIM_SERVER_NAME IBSIM_SERVER_PORT SIM_SET_ISSM OSM_TMP_DIR OSM_CACHE_DIR LD_PRELOAD
IBSIM_SOCKNAME=${tmp##*/}.$$
SIM_HOST=$home
OSM_TMP_DIR=.
OSM_CACHE_DIR=.
export IBSIM_SOCKNAME SIM_HOST OSM_TMP_DIR OSM_CACHE_DIR

(
	cd "$tmp" || exit 1
	exec ibsim -s -n -N $((nodes + 16)) -S $((switches + 16)) -P $((ports + 16)) -L 49152 topology
) >"$tmp/ibsim.log" 2>&1 </dev/null &
simulator=$!
deadline=$(($(now) + time_limit))
until grep -q -F "@$IBSIM_SOCKNAME:ctl" /proc/net/unix; do
	kill -0 "$simulator" 2>/dev/null || fail 1 "ibsim does not take the topology: $(last_line ibsim.log)"
	[ "$(now)" -le "$deadline" ] || fail 1 "ibsim was not ready within $time_limit seconds"
	pause
done

# What the simulated fabric looks like. This comes before OpenSM starts: it
# proves that the tools see the simulator and no real fabric.
run_client cabling.first ibnetdiscover --node-name-map /dev/null ||
	fail 1 "ibnetdiscover failed: $(last_line cabling.first.err)"
found=$(grep -c -E '^(Switch|Ca|Rt)[[:blank:]]' "$tmp/cabling.first")
[ "$found" -ge "$nodes" ] ||
	fail 1 "only $found of the $nodes nodes of $topology are connected to host $home"

# Root switches: those named by the user, else those farthest from the hosts.
: >"$tmp/roots"
case $engine in
ftree | updn | dnup)
	awk -v wanted="$roots" '
	/^(Switch|Ca|Rt)[ \t]/ {
		split($0, part, "\"")
		box = part[2]
		is_switch[box] = $1 == "Switch"
		boxes[++count] = box
		name = $0
		sub(/^[^"]*"[^"]*"[^"]*"/, "", name)
		sub(/"[^"]*$/, "", name)
		names[name] = names[name] " " box
		names[box] = names[box] " " box
	}
	/^\[/ {
		split($0, part, "\"")
		links[box] = links[box] " " part[2]
	}
	function print_root(box) {
		print "0x" substr(box, index(box, "-") + 1)
	}
	END {
		if (wanted != "") {
			n = split(wanted, want, ",")
			for (i = 1; i <= n; i++) {
				m = split(names[want[i]], part, " ")
				if (m == 0 || !is_switch[part[1]]) {
					print want[i] > "/dev/stderr"
					exit 1
				}
				print_root(part[1])
			}
			exit
		}
		for (i = 1; i <= count; i++) {
			if (!is_switch[boxes[i]]) {
				distance[boxes[i]] = 0
				queue[++last] = boxes[i]
			}
		}
		for (first = 1; first <= last; first++) {
			n = split(links[queue[first]], part, " ")
			for (i = 1; i <= n; i++) {
				if (!(part[i] in distance)) {
					distance[part[i]] = farthest = distance[queue[first]] + 1
					queue[++last] = part[i]
				}
			}
		}
		for (i = 1; i <= count && farthest > 1; i++) {
			if (distance[boxes[i]] == farthest)
				print_root(boxes[i])
		}
	}' "$tmp/cabling.first" >"$tmp/roots" 2>"$tmp/roots.err" ||
		fail 2 "option -r: $topology has no switch '$(cat "$tmp/roots.err")'" ;;
esac

# OpenSM reads nothing but this file, sets the fabric up once and ends. Log
# level 0x43 makes it write opensm-lfts.dump, which holds every entry.
cat >"$tmp/opensm.conf" <<EOF
log_file opensm.log
log_flags 0x43
dump_files_dir ./
partition_config_file partitions.conf
per_module_logging_file logging.conf
prefix_routes_file prefix-routes.conf
qos_policy_file qos-policy.conf
torus_config torus.conf
transaction_timeout 10000
routing_engine $engine
EOF
[ ! -s "$tmp/roots" ] || echo "root_guid_file roots" >>"$tmp/opensm.conf"
run_client opensm.out opensm -F opensm.conf -o ||
	fail 1 "OpenSM failed: $(last_line opensm.out)"
# The first error in the log, else what comes before an engine gives up; a line
# is "Nov 21 11:56:02 593184 [DC5746C0] 0x01 -> text".
complaint=$(awk '
{ sub(/^.*\] 0x[0-9a-fA-F]+ -> /, "") }
/ERR [0-9A-F]+:/ && error == "" { error = $0 }
/^ucast_mgr_route: .* cannot / && why == "" { why = last == "" ? $0 : last }
/[A-Za-z]/ && !/Falling back/ { last = $0 }
END { print error != "" ? error : why }
' "$tmp/opensm.log")
grep -q -- '-> SUBNET UP$' "$tmp/opensm.log" ||
	fail 1 "OpenSM did not bring the subnet up${complaint:+: $complaint}"
routed=$(sed -n 's/^.*osm_ucast_mgr_process: \(.*\) tables configured on all switches.*$/\1/p' "$tmp/opensm.log" | sed -n '$p')
[ -n "$routed" ] || fail 1 "OpenSM configured no forwarding tables${complaint:+: $complaint}"
if [ "$routed" != "$engine" ]; then
	[ "$allow_fallback" = yes ] ||
		fail 3 "OpenSM could not use $engine and routed with $routed${complaint:+: $complaint}"
fi

run_client cabling ibnetdiscover --node-name-map /dev/null ||
	fail 1 "ibnetdiscover failed: $(last_line cabling.err)"

opensm_version=$(opensm --version 2>/dev/null | sed -n 's/^OpenSM \([0-9].*\)$/OpenSM \1/p' | sed 1q)
ibsim_version=$(ibsim -V 2>&1 | sed -n 's/^ibsim \([0-9].*\)$/ibsim \1/p' | sed 1q)
{
	sed -n '1,/^[^#]/s/^#[# ]*\(.*[A-Za-z].*\)$/topology: \1/p' "$tmp/topology" | grep -v -E 'generated on|Initiated from'
	printf 'routing: engine %s of %s under %s' "$routed" "${opensm_version:-OpenSM}" "${ibsim_version:-ibsim}"
	[ "$routed" = "$engine" ] || printf ' (%s was asked for)' "$engine"
	printf '\nmade by: %s -e %s%s\n' "$me" "$engine" "${roots:+ -r $roots}"
} >"$tmp/comment"
awk -v comment="$tmp/comment" -f "$here/dump2dot.awk" "$tmp/cabling" "$tmp/opensm-lfts.dump" >"$tmp/graph.dot" 2>"$tmp/graph.err" ||
	fail 1 "the forwarding tables do not fit: $(last_line graph.err)"

if [ "$out" = - ]; then
	cat "$tmp/graph.dot" 2>/dev/null || fail 1 "cannot write to standard output"
else
	cat "$tmp/graph.dot" 2>/dev/null >"$out" || fail 1 "cannot write $out"
fi
not_as_asked=
[ "$routed" = "$engine" ] || not_as_asked=", not with $engine as asked"
printf '%s: routed with %s%s (%s), hosts: %d, switches: %d\n' "$me" "$routed" "$not_as_asked" \
	"${opensm_version:-OpenSM}" "$(grep -c ' \[type="host"' "$tmp/graph.dot")" "$switches" >&2
