# What the scripts that run OpenSM under ibsim share; they set $me, their name, and $here, their folder, and source this.
# shellcheck shell=sh disable=SC2154,SC2034,SC2015 # those two, what is for the scripts, and A && B || fail
#
# ibsim plays the fabric; libumad2sim.so hands the management packets of the InfiniBand tools to it instead of to a kernel driver.
# A run is a directory of its own with everything in it: the net, the name of ibsim's socket, the logs and dumps; ibsim and its
# clients work there. It lives as long as the script that made it: see guard.

export LC_ALL=C
unset CDPATH
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
# What install.sh --user has unpacked serves where the system has no such program.
unpacked=${ORCS_UNPACKED:-${HOME-}/.local/lib/orcs/debian}
if [ -d "$unpacked/usr/sbin" ]; then
	PATH=$PATH:$unpacked/usr/sbin:$unpacked/usr/bin
	for library in "$unpacked"/usr/lib/*-linux-gnu "$unpacked"/lib/*-linux-gnu; do
		[ ! -d "$library" ] || LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$library
	done
	export LD_LIBRARY_PATH
fi
engines="minhop updn dnup ftree lash dor torus-2QoS nue dfsssp sssp file"
top_lid=49151

# Ends the script with one line.
fail() { # STATUS TEXT
	printf '%s: %s\n' "$me" "$2" >&2
	exit "$1"
}

need() { # PROGRAM PACKAGE
	command -v "$1" >/dev/null 2>&1 || fail 1 "$1 is missing: install the package $2"
}

# The value of an option that takes whole seconds.
check_seconds() { # VALUE
	case $1 in
	'' | 0* | *[!0-9]* | ???????*) fail 2 "option -t needs a number of seconds, not '$1'" ;;
	esac
}

check_engine() { # NAME
	case " $engines " in
	*" $1 "*) ;;
	*) fail 2 "unknown engine '$1'; known are $engines" ;;
	esac
}

now() {
	date +%s 2>/dev/null || echo 0 # a signal that ends this script ends date too
}

# A short pause; whole seconds where sleep knows no others.
pause() { # SECONDS
	sleep "$1" 2>/dev/null || sleep 1
}

# Sets $program to the path of one of ours: where ORCS_BIN says, in the source tree, where it is installed, or on the PATH.
find_ours() { # NAME
	for program in "${ORCS_BIN:+$ORCS_BIN/$1}" "$here/../build/$1" "$here/../../../bin/$1" "$(command -v "$1")"; do
		[ -z "$program" ] || [ ! -x "$program" ] || return 0
	done
	fail 1 "$1 is missing: run make"
}

# Sets $preload to the libraries that turn a program into a client of ibsim.
find_preload() {
	preload=
	for library in "/usr/lib/$(uname -m)-linux-gnu/umad2sim/libumad2sim.so" /usr/lib/*/umad2sim/libumad2sim.so \
		/usr/lib64/umad2sim/libumad2sim.so /usr/lib/umad2sim/libumad2sim.so /usr/local/lib*/umad2sim/libumad2sim.so \
		"$unpacked"/usr/lib/*/umad2sim/libumad2sim.so; do
		if [ -r "$library" ]; then
			preload=$library
			break
		fi
	done
	[ -n "$preload" ] ||
		fail 1 "libumad2sim.so, which connects programs to ibsim, is missing: install the package ibsim-utils, or run scripts/install.sh --user"
}

# Sets $siblings to our library of ibsim-patches: where ORCS_SIBLINGS says, in the source tree, or where it is installed; to nothing
# where it is not.
find_siblings() {
	for siblings in "${ORCS_SIBLINGS-}" "$here/../build/lib/libumad_siblings.so" "$here/../../../lib/orcs/libumad_siblings.so" \
		"${HOME-}/.local/lib/orcs/libumad_siblings.so" /usr/local/lib/orcs/libumad_siblings.so; do
		[ "$siblings" != none ] || break
		[ ! -r "$siblings" ] || return 0
	done
	siblings=
}

# ---- the run directory

# The directory that scripts started by hand agree on.
default_run() {
	printf '%s\n' "${ORCS_RUN:-${TMPDIR:-/tmp}/orcs-ibsim-$(id -u)}"
}

# Makes the guard of a new private run directory; $run is it. Before it makes the directory, the script has "trap_signals",
# "trap close_run EXIT" and $making, the directory's name.
#
# The guard is a process that waits until the script's end of a pipe is closed, whatever ended the script, kill -9 too; it then ends
# the clients, then ibsim, and removes the directory.
open_run() { # DIRECTORY, that exists and is empty
	run=$(cd -- "$1" 2>/dev/null && pwd) || fail 1 "cannot enter $1"
	mkfifo "$run/alive" || fail 1 "cannot write to $run"
	exec 9<>"$run/alive"
	(
		trap '' HUP INT QUIT TERM PIPE
		cd /
		exec 8<"$run/alive" 9>&-
		read -r _ <&8
		end_programs
		tries=0
		until rm -rf "$run" || [ $((tries += 1)) -gt 100 ]; do pause 0.05; done
	) >/dev/null 2>&1 </dev/null &
	guard=$!
}

# Waits until the guard has removed everything; the trap of the script for its end.
close_run() {
	trap '' HUP INT QUIT PIPE TERM
	exec 9>&-
	if [ -n "${guard-}" ]; then
		wait "$guard"
	elif [ -n "${making-}" ]; then
		rm -f -- "$making/alive" 2>/dev/null
		rmdir -- "$making" 2>/dev/null
	fi
	[ -z "${simulator-}" ] || kill -KILL "$simulator" 2>/dev/null # the guard misses it where the directory is gone
}

# Turns signals into an end of the script, and with it into close_run.
trap_signals() {
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 131' QUIT
	trap 'exit 141' PIPE
	trap 'exit 143' TERM
}

# Ends what runs in the run directory: the clients first. A number that now is another program's is left alone.
end_programs() {
	for record in "$run"/*.client "$run/ibsim.pid"; do
		pid=
		read -r pid 2>/dev/null <"$record"
		[ -n "$pid" ] && [ "$(readlink "/proc/$pid/cwd")" = "$run" ] || continue
		kill -KILL "$pid"
		tries=0
		while grep -q '^State:[[:blank:]]*[^ZX[:blank:]]' "/proc/$pid/status" && [ $((tries += 1)) -lt 500 ]; do pause 0.01; done
	done
}

# ---- ibsim

# The last line of a file of the run that says something.
last_line() { # FILE
	said=$(grep '[A-Za-z]' "$run/$1" 2>/dev/null | tail -n 1)
	printf '%s\n' "${said:-it does not say why}"
}

# Copies the topology to $run/original.
read_topology() { # FILE, or - for standard input
	if [ "$1" = - ]; then
		cat >"$run/original" || fail 1 "cannot read standard input"
		return 0
	fi
	[ -e "$1" ] || fail 1 "no such file: $1"
	[ -f "$1" ] || [ -p "$1" ] || fail 1 "not a file: $1"
	[ -r "$1" ] || fail 1 "cannot read $1"
	cat <"$1" >"$run/original" || fail 1 "cannot copy $1"
}

# Writes $run/net, the topology as ibsim can take it, from $run/original.
write_net() { # NAME_OF_THE_TOPOLOGY
	find_ours orcs-export
	"$program" --to ibsim --quiet -o "$run/net" "$run/original" 2>"$run/net.err" && return
	why=$(last_line net.err)
	why=${why#*orcs-export: }
	case $why in
	*"$run/original"*) why=${why%%"$run/original"*}$1${why#*"$run/original"} ;;
	esac
	fail 1 "$why"
}

# How large the net in $run/net is: sets $nodes, $switches and $ports for ibsim's limits, $lids, the highest LID to expect, and
# $home, where the clients are attached: the first channel adapter whose port 1 has a cable, else the first switch with one.
measure_net() { # NAME_OF_THE_TOPOLOGY
	sizes=$(awk '
	/^(Switch|Hca|Ca|Rt)[ \t]/ {
		nodes++
		ports += $2 + 1
		type = $1 == "Hca" ? "Ca" : $1
		if (type == "Switch") {
			switches++
			lids++
		}
		split($0, part, "\"")
		id = part[2]
		in_node = 1
		if (type == "Switch" && match($0, /" .* port 0 lid [0-9]+/))
			preset($0)
		next
	}
	/^\[/ && in_node {
		if (type != "Switch")
			lids++
		if (type == "Ca" && /^\[0*1\]/ && ca == "")
			ca = id
		if (type == "Switch" && switch_ == "")
			switch_ = id
		if (type != "Switch" && match($0, /# lid [0-9]+ /))
			preset($0)
		if (!linked[id]++)
			linked_nodes++
		next
	}
	{ in_node = 0 }
	function preset(text,	lid) {
		sub(/^.* port 0 lid |^.*# lid /, "", text)
		lid = text + 0
		if (lid > highest && lid <= 49151)
			highest = lid
	}
	END { print nodes + 0, linked_nodes + 0, switches + 0, ports + 0, (lids > highest ? lids : highest); print (ca != "" ? ca : switch_) }
	' "$run/net") || fail 1 "cannot read $1"
	{
		read -r nodes linked switches ports lids
		IFS= read -r home
	} <<EOF
$sizes
EOF
	[ "$nodes" -gt 0 ] || fail 1 "$1 is no topology: it has no line 'Switch PORTS \"NAME\"' or 'Ca PORTS \"NAME\"'"
	[ "$switches" -gt 0 ] || fail 1 "$1 has no switch"
	[ -n "$home" ] || fail 1 "$1 has no cable"
}

# Starts ibsim on $run/net and waits until it is ready; $simulator is its process. What clients need to know stands in files.
start_simulator() { # SECONDS NAME_OF_THE_TOPOLOGY
	need ibsim ibsim-utils
	measure_net "$2"
	socket=orcs-$$-${run##*[!A-Za-z0-9]}
	printf '%s\n' "$socket" >"$run/socket"
	printf '%s\n' "$home" >"$run/home"
	printf '%s %s %s %s\n' "$linked" "$switches" "$lids" "$2" >"$run/sizes"
	: >"$run/ibsim.log"
	(
		cd "$run" || exit 1
		unset IBSIM_SERVER_NAME IBSIM_SERVER_PORT LD_PRELOAD
		IBSIM_SOCKNAME=$socket exec ibsim -s -n -N "$nodes" -S "$switches" -P "$ports" -L $((top_lid + 1)) net
	) >"$run/ibsim.log" 2>&1 </dev/null 9>&- &
	simulator=$!
	printf '%s\n' "$simulator" >"$run/ibsim.pid"
	deadline=$(($(now) + $1))
	until grep -q '^Network simulator ready' "$run/ibsim.log" && simulator_lives; do
		kill -0 "$simulator" 2>/dev/null || fail 1 "ibsim does not take $2: $(last_line ibsim.log)"
		[ "$(now)" -le "$deadline" ] || fail 1 "ibsim was not ready within $1 seconds"
		pause 0.02
	done
}

# Whether ibsim listens.
simulator_lives() {
	grep -q -F "@$socket:ctl" /proc/net/unix
}

# Enters the run that a start_ibsim.sh made.
join_run() { # DIRECTORY
	# one may just be starting: its directory appears first, and its socket when the net is written
	asked=$(now)
	until run=$(cd -- "$1" 2>/dev/null && pwd) && socket= && read -r socket 2>/dev/null <"$run/socket" && [ -s "$run/sizes" ] && simulator_lives; do
		waited=$(($(now) - asked))
		if [ $waited -ge 30 ] || { [ $waited -ge 2 ] && { [ ! -d "$1" ] || [ -e "$1/sizes" ]; }; }; then
			fail 1 "no simulator runs in $1: start it with start_ibsim.sh"
		fi
		pause 0.1
	done
	IFS= read -r home <"$run/home"
	read -r linked switches lids topology <"$run/sizes"
}

# Ends the client of a script that has joined a run; the trap of such a script for its end.
end_own_client() {
	[ -z "${client-}" ] || kill -KILL "$client" 2>/dev/null
}

# The environment of a client: the simulator's and nothing of the user's or of /etc.
client_environment() {
	unset IBSIM_SERVER_NAME IBSIM_SERVER_PORT SIM_SET_ISSM
	export IBSIM_SOCKNAME="$socket" SIM_HOST="$home" OSM_TMP_DIR="$run" OSM_CACHE_DIR="$run"
}

# Runs a program in the run directory as a client of ibsim and returns its status; its output goes to files there. Where
# client_gave_up is a command that succeeds, the program is ended; the status then is 125.
client_gave_up=false
run_client() { # SECONDS OUTPUT PROGRAM [ARGUMENT...]
	allowed=$1
	output=$2
	shift 2
	(
		cd "$run" || exit 1
		client_environment
		exec env LD_PRELOAD="$preload" "$@"
	) >"$run/$output" 2>"$run/$output.err" </dev/null 9>&- &
	client=$!
	printf '%s\n' "$client" >"$run/$output.client"
	deadline=$(($(now) + allowed))
	interval=0.02
	while kill -0 "$client" 2>/dev/null; do
		simulator_lives || end_client "ibsim ended before $1 did: $(last_line ibsim.log)"
		[ "$(now)" -le "$deadline" ] || end_client "$1 did not finish within $allowed seconds"
		! $client_gave_up || end_client
		pause $interval
		[ "$(now)" -lt $((deadline - allowed + 3)) ] || interval=0.2
	done
	wait "$client"
	status=$?
	client=
	rm -f "$run/$output.client"
	[ -z "$ended" ] || status=125
	return $status
}

# Ends the program that run_client runs, and the script where there is a reason.
ended=
end_client() { # [TEXT]
	ended=yes
	kill -KILL "$client" 2>/dev/null
	[ $# -eq 0 ] || fail 1 "$1"
}

# Fails unless programs see the simulator: were the preloaded library not taken, OpenSM would set up the real fabric of this machine.
check_preload() {
	need ibstat infiniband-diags
	seen=adapters.$$ # several may look at the same time
	run_client 60 "$seen" ibstat -l && grep -q '^ibsim' "$run/$seen" ||
		fail 1 "the tools do not see the simulator: $(last_line "$seen.err")"
	rm -f "$run/$seen" "$run/$seen.err"
}

# ---- OpenSM

# Whether there is one of these options in the list; -x also stands for -xVALUE.
has_option() { # OPTION|OPTION LIST...
	wanted=$1
	shift
	for argument in "$@"; do
		for option in $(echo "$wanted" | tr '|' ' '); do
			case $option,$argument in
			--*,"$option" | --*,"$option"=* | -[!-],"$option"*) return 0 ;;
			esac
		done
	done
	return 1
}

# Whether OpenSM's engine routes the fabric without lists of roots and compute nodes.
needs_no_lists() { # ENGINE
	find_ours orcs-route
	"$program" --quiet --allow-unreachable -o /dev/null "$1" "$run/net" >/dev/null 2>&1
}

# The switches that updn and ftree get as roots, the top of the fat tree or the switches farthest from the hosts: $run/roots, or no such file.
find_roots() { # ENGINE
	find_ours orcs-route
	if "$program" --list-roots -o "$run/roots" "$run/net" 2>"$run/roots.err"; then
		sed -n "s/^orcs-route: note/$me: note/p" "$run/roots.err" >&2
		return
	fi
	find_ours orcs-export
	"$program" --to root-guids --quiet -o "$run/roots" "$run/net" 2>"$run/roots.err" || rm -f "$run/roots"
	[ -s "$run/roots" ] || rm -f "$run/roots"
	# where every switch has hosts any switch will do, but OpenSM finds none itself
	if [ ! -e "$run/roots" ] && [ "$1" != ftree ]; then
		sed -n 's/^switchguid=\(0x[0-9a-f]*\).*/\1/p' "$run/net" | sed 1q >"$run/roots"
	fi
}

# Whether OpenSM's log tells that it will never come up.
opensm_gave_up() {
	grep -q -E 'No routing engine able|SM port is down' "$run/opensm.log" 2>/dev/null
}

# Whether OpenSM is to set up QoS, by its configuration or these options.
has_qos() { # OPENSM_OPTION...
	grep -q -i '^[[:space:]]*qos[[:space:]][[:space:]]*true' "$run/opensm.conf" || has_option '-Q|--qos' "$@"
}

# Asks the running OpenSM for the service level of every pair, which no dump has: $run/levels.
ask_for_levels() (
	client_gave_up=false
	dump_cabling "$limit"
	find_ours orcs-export
	program=$(cd "${program%/*}" && pwd)/${program##*/}
	run_client "$limit" levels "$program" --quiet --to sls --service-levels=sa cabling || fail 1 "$(last_line levels.err)"
)

# Whether OpenSM is no longer needed: it gave up, or has routed and said the levels. It is asked once, though it ends only after that.
opensm_has_answered() {
	[ "$answered" = no ] || return 0
	opensm_gave_up && return
	grep -q -- '-> SUBNET UP$' "$run/opensm.log" 2>/dev/null || return 1
	ask_for_levels 2>"$run/asked" || fail 1 "cannot ask OpenSM for the service levels: $(last_line asked)"
	answered=yes
}

# The first error in OpenSM's log, else what comes before an engine gives up; a line is
# "Nov 21 11:56:02 593184 [DC5746C0] 0x01 -> text".
complaint() {
	awk '
	{ sub(/^.*\] 0x[0-9a-fA-F]+ -> /, "") }
	/^(SM port is down)/ && port == "" { port = $0 }
	/ERR [0-9A-F]+:/ && error == "" { error = $0 }
	/^ucast_mgr_route: .* cannot / && why == "" { why = last == "" ? $0 : last }
	/[A-Za-z]/ && !/Falling back/ { last = $0 }
	END { print port != "" ? port : error != "" ? error : why }
	' "$run/opensm.log" 2>/dev/null
}

# Seconds from the start of OpenSM to SUBNET UP, by its log.
opensm_seconds() {
	awk '{ split($3, clock, ":"); at = clock[1] * 3600 + clock[2] * 60 + clock[3] + $4 / 1e6 }
	NR == 1 { first = at }
	/-> SUBNET UP/ { up = at }
	END { printf "%.3f\n", up < first ? up - first + 86400 : up - first }' "$run/opensm.log"
}

# Whether route_once asks for service levels, of the engines that need them.
ask_levels=no

# Routes the fabric of the run with an engine, once. Sets $used to the engine that really routed. The forwarding tables are those of
# the simulated switches; where it is no burden OpenSM dumps them as well (log flag 0x40), which is complete where dump_fts leaves out
# the highest LID: when it is a multiple of 64.
# Writes the tables for the engine file without port GUIDs, which are not the simulator's, to $run/tables, and sets $tables to that; to the
# file itself if switches have other LIDs there than in the net: then OpenSM needs the GUIDs.
simulated_tables() { # FILE
	tables=$1
	[ -f "$1" ] || return 0
	awk '
	function number(text) {
		sub(/^.*=/, "", text)
		sub(/^0x0*/, "", text)
		return tolower(text)
	}
	FNR == 1 { file++ }
	file == 1 && /^switchguid=/ { guid = number($0) }
	file == 1 && /^Switch/ && match($0, / lid [0-9]+/) { lid[guid] = substr($0, RSTART + 5, RLENGTH - 5) }
	file == 2 && /^Unicast lids/ && match($0, / guid 0x[0-9a-fA-F]+/) {
		guid = number(substr($0, RSTART + 6, RLENGTH - 6))
		match($0, / Lid [0-9]+/)
		if (!(guid in lid) || lid[guid] != substr($0, RSTART + 5, RLENGTH - 5)) exit 1
	}
	file == 2 { sub(/ portguid 0x[0-9a-fA-F]+/, ""); print }
	' "$run/net" "$1" >"$run/tables" && tables=$run/tables
}

# Puts a configuration of the user's into OpenSM's.
add_configuration() { # FILE
	[ -f "$1" ] && [ -r "$1" ] || fail 1 "cannot read OpenSM's configuration $1"
	cat "$1" >>"$run/opensm.conf" && echo >>"$run/opensm.conf" || fail 1 "cannot copy $1"
}

route_once() { # SECONDS ALLOW_FALLBACK ENGINE [OPENSM_OPTION...]
	need opensm opensm
	find_preload
	limit=$1
	fallback=$2
	engine=$3
	shift 3
	# OpenSM works in the run directory: the files that its options name are made absolute; what a configuration says comes before what is set here
	before=
	: >"$run/opensm.conf"
	for option in "$@"; do
		shift
		case $before,$option in
		-F,* | --config,*) add_configuration "$option" ;;
		*,--config=*) add_configuration "${option#--config=}" ;;
		*,-F?*) add_configuration "${option#-F}" ;;
		esac
		case $before,$option in
		-F,* | --config,* | *,--config | *,--config=* | *,-F*)
			before=$option
			[ "$option" = -F ] || [ "$option" = --config ] || before=
			continue ;;
		esac
		case $engine,$before in
		file,-U | file,--ucast_file)
			simulated_tables "$option"
			option=$tables ;;
		esac
		before=$option
		case $option in
		/* | -[!-]* | --*=/*) ;;
		--*=*) [ ! -f "${option#*=}" ] || option=${option%%=*}=$(pwd)/${option#*=} ;;
		*) [ ! -f "$option" ] || option=$(pwd)/$option ;;
		esac
		set -- "$@" "$option"
	done
	check_preload
	case $before in
	-F | --config) fail 2 "OpenSM's option $before needs a file" ;;
	esac
	rm -f "$run"/opensm*.dump "$run"/opensm.log "$run/roots" "$run/levels" "$run/qos" "$run/vlarb"
	[ "$engine" != torus-2QoS ] || echo "qos TRUE" >>"$run/opensm.conf"
	! has_qos "$@" || echo yes >"$run/qos"
	flags=0x03
	lmc_bits=$(sed -n '1s/.*; opensm -l \([1-7]\)$/\1/p' "$run/net")
	if [ $((lids * switches)) -le 1000000 ] || [ $((lids % 64)) -eq 0 ] || [ -n "$lmc_bits" ] || [ -e "$run/qos" ] ||
		has_option '-l|--lmc' "$@"; then
		flags=0x43
	fi
	# OpenSM reads nothing but this file, sets the fabric up once and ends.
	cat >>"$run/opensm.conf" <<EOF
log_file opensm.log
log_flags $flags
dump_files_dir ./
partition_config_file partitions.conf
per_module_logging_file logging.conf
prefix_routes_file prefix-routes.conf
qos_policy_file qos-policy.conf
torus_config torus-2QoS.conf
transaction_timeout 10000
EOF
	[ -z "$lmc_bits" ] || has_option '-l|--lmc' "$@" || echo "lmc $lmc_bits" >>"$run/opensm.conf"
	case $engine in
	ftree | updn)
		if ! has_option '-a|--root_guid_file' "$@" && { has_option '-u|--cn_guid_file|-G|--io_guid_file' "$@" || ! needs_no_lists "$engine"; }; then
			find_roots "$engine"
			[ ! -e "$run/roots" ] || echo "root_guid_file roots" >>"$run/opensm.conf"
		fi
		if [ "$engine" = ftree ] && [ -e "$run/roots" ] && ! has_option '-u|--cn_guid_file' "$@"; then
			awk -f "$here/compute_nodes.awk" "$run/roots" "$run/net" >"$run/compute_nodes" || fail 1 "cannot find the compute nodes"
			[ ! -s "$run/compute_nodes" ] || echo "cn_guid_file compute_nodes" >>"$run/opensm.conf"
		fi ;;
	torus-2QoS)
		if ! has_option '--torus_config' "$@"; then
			awk -f "$here/torus_conf.awk" "$run/net" >"$run/torus-2QoS.conf" 2>"$run/torus.err" || fail 3 "$(last_line torus.err)"
		fi ;;
	esac
	if [ "$fallback" = yes ]; then
		list=$engine
	else
		list=$engine,no_fallback
	fi
	client_gave_up=opensm_gave_up
	answered=no
	once=-o
	case $ask_levels,$engine in
	yes,dfsssp | yes,lash | yes,nue | yes,torus-2QoS)
		client_gave_up=opensm_has_answered
		echo "force_log_flush TRUE" >>"$run/opensm.conf"
		once= ;;
	esac
	# shellcheck disable=SC2086 # no word where it is empty
	run_client "$limit" opensm.out opensm -F opensm.conf -R "$list" $once "$@"
	status=$?
	client_gave_up=false
	ended=
	[ $answered = no ] || status=0
	why=$(complaint)
	! grep -q 'No routing engine able' "$run/opensm.log" 2>/dev/null || fail 3 "OpenSM could not use $engine${why:+: $why}"
	[ -n "$why" ] || why=$(grep '[A-Za-z]' "$run/opensm.out.err" | sed 1q)
	[ $status -eq 0 ] || fail 1 "OpenSM failed: ${why:-$(last_line opensm.out)}"
	grep -q -- '-> SUBNET UP$' "$run/opensm.log" || fail 1 "OpenSM did not bring the subnet up${why:+: $why}"
	used=$(sed -n 's/^.*osm_ucast_mgr_process: \(.*\) tables configured on all switches.*$/\1/p' "$run/opensm.log" | sed -n '$p')
	[ -n "$used" ] || fail 1 "OpenSM configured no forwarding tables${why:+: $why}"
	printf '%s\n' "$used" >"$run/used"
	[ "$used" = "$engine" ] || [ "$fallback" = yes ] || fail 3 "OpenSM could not use $engine and routed with $used${why:+: $why}"
}

# The file of the forwarding tables: sets $tables. dump_fts leaves out the highest LID when it is a multiple of 64.
dump_tables() { # SECONDS
	if [ -s "$run/opensm-lfts.dump" ]; then
		tables=$run/opensm-lfts.dump
		return 0
	fi
	need dump_fts infiniband-diags
	find_preload
	run_client "$1" tables dump_fts -n || fail 1 "dump_fts failed: $(last_line tables.err)"
	tables=$run/tables
	top=$(sed -n '1s/^Unicast lids \[0x[0-9a-f]*-\(0x[0-9a-f]*\)\].*/\1/p; 1q' "$tables")
	[ -n "$top" ] || fail 1 "there are no forwarding tables: route with start_osm.sh first"
	[ $((top % 64)) -ne 0 ] || fail 1 "dump_fts leaves out LID $((top)), the highest and a multiple of 64; route again with 'start_osm.sh ENGINE -D 0x43'"
}

# The cabling as ibnetdiscover sees it, in $run/cabling.
dump_cabling() { # SECONDS
	need ibnetdiscover infiniband-diags
	find_preload
	run_client "$1" cabling ibnetdiscover --node-name-map /dev/null || fail 1 "ibnetdiscover failed: $(last_line cabling.err)"
	found=$(grep -c -E '^(Switch|Ca|Rt)[[:blank:]]' "$run/cabling")
	[ "$found" -ge "$linked" ] || fail 1 "only $found of the $linked nodes of $topology with cables are connected to $home"
}

# The limit of high priority that OpenSM sets at ports of a kind; ibsim does not keep it.
high_limit() { # KIND
	case $1 in
	Ca) type=ca ;;
	Rt) type=rtr ;;
	*) type=swe ;;
	esac
	awk -v own="qos_${type}_high_limit" '$1 == "qos_high_limit" { all = $2 } $1 == own { this = $2 } END { print this != "" ? this : all + 0 }' "$run/opensm.conf"
}

# The arbitration of virtual lanes that OpenSM has set with QoS, of all ports, as smpquery prints it: $run/vlarb. OpenSM's configuration has tables for
# kinds of ports only, so that one port of each kind is asked: of channel adapters, of routers, of switches towards these and towards switches.
dump_arbitration() ( # SECONDS
	limit=$1
	need smpquery infiniband-diags
	find_preload
	awk '
	/^[A-Z][a-z]*[ \t]/ { type = $1 }
	/^Switch/ && match($0, /"[ \t].* lid [0-9]+/) {
		lid = substr($0, RSTART, RLENGTH)
		sub(/.* lid /, "", lid)
	}
	/^\[/ {
		port = $1
		sub(/^\[/, "", port)
		sub(/\].*/, "", port)
		rest = $0
		sub(/^[^"]*"/, "", rest)
		kind = type == "Switch" ? type substr(rest, 1, 1) : type
		if (type != "Switch" && match($0, /# lid [0-9]+/))
			lid = substr($0, RSTART + 6, RLENGTH - 6)
		print kind, lid, port
	}' "$run/cabling" >"$run/ports"
	: >"$run/vlarb"
	sort -u -k 1,1 "$run/ports" | while read -r kind lid port; do
		run_client "$limit" tables_of_port smpquery vlarb "$lid" "$port" || fail 1 "smpquery failed: $(last_line tables_of_port.err)"
		printf '# Port info: Lid %s port %s\nVLHighLimit:%s\n' "$lid" "$port" "$(high_limit "$kind")" >>"$run/tables_of_port"
		KIND=$kind awk '
		FNR == NR { text = text $0 "\n"; next }
		$1 == ENVIRON["KIND"] {
			of_port = text
			gsub(/Lid [0-9]+ port [0-9]+/, "Lid " $2 " port " $3, of_port)
			printf "%s", of_port
		}' "$run/tables_of_port" "$run/ports" >>"$run/vlarb"
	done
)

# The version of OpenSM, as "OpenSM 3.3.23".
opensm_version() {
	opensm --version 2>/dev/null | sed -n 's/^\(OpenSM [0-9].*\)$/\1/p' | sed 1q
}
