#!/bin/sh
# The chain topology -> ibsim -> OpenSM -> dumps -> dot -> orcs with the real tools: opensm.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
export ORCS_BIN="$bin"

for tool in opensm ibsim ibnetdiscover ibdiagnet; do
	if ! PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null 2>&1; then
		echo "SKIPPED: $tool is not installed"
		echo "0 passed, 0 failed, 1 skipped"
		exit 0
	fi
done

topology() { # tree:SPEC or torus:SPEC
	case $1 in
	tree:*) scripts/fattree_topology.sh "${1#tree:}" ;;
	torus:*) scripts/torus_topology.sh "${1#torus:}" ;;
	esac
}

route() { # TOPOLOGY ENGINE OUT [OPTION...]
	spec=$1
	chosen=$2
	target=$3
	shift 3
	topology "$spec" | scripts/route_with_opensm.sh -e "$chosen" -o "$work/$target" "$@" -
}

# The exit status of a command must be this.
status_is() {
	wanted=$1
	shift
	"$@"
	[ $? -eq "$wanted" ]
}

# A command must fail with this status and say this in its only line.
says() { # STATUS PATTERN COMMAND...
	wanted=$1
	pattern=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err"
	[ $? -eq "$wanted" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q -e "$pattern" "$work/err" && return 0
	cat "$work/err"
	return 1
}

# All ordered pairs are routed, and the graph has that many hosts and says which engine routed.
routed() { # DOT HOSTS ENGINE
	"$bin/orcs" -p alltoall_flood --metric hist_max_cong "$work/$1" >"$work/flood" || return 1
	[ "$(grep -c 'type="host"' "$work/$1")" -eq "$2" ] && grep -q "^// routing: engine $3 of OpenSM [0-9.]* under ibsim" "$work/$1" &&
		[ "$(sed -n 's/^weight.* of the \([0-9]*\) connections.*/\1/p' "$work/flood" | sed 1q)" -eq $(($2 * ($2 - 1))) ]
}

chain() { # TOPOLOGY HOSTS ENGINE
	route "$1" "$3" chain.dot --report "$work/report" && routed chain.dot "$2" "$3" &&
		[ "$(sed 's/^seconds [0-9.]*$/seconds/' "$work/report" | tr '\n' ' ')" = "asked $3 used $3 seconds " ]
}

# The shipped fabric and the analyser agree with what the routing is known to be: no shift meets congestion.
no_congestion() {
	"$bin/orcs" -p allshifts -d --fail-if 'bw<1' --metric hist_max_cong "$1"
}

two_chains() {
	route tree:2:8 minhop a.dot &
	first=$!
	route tree:3:4 updn b.dot && wait $first && routed a.dot 64 minhop && routed b.dot 64 updn
}

# What a routing dumped makes the engine file route the same.
again_from_file() {
	route tree:2:4 ftree first.dot --keep-dumps "$work/kept" && topology tree:2:4 >"$work/net" &&
		scripts/route_with_opensm.sh -e file -o "$work/second.dot" "$work/net" -U "$work/kept/lfts" &&
		grep -v '^//' "$work/first.dot" >"$work/first" && grep -v '^//' "$work/second.dot" | cmp - "$work/first"
}

# dump_fts leaves out the highest LID when it is a multiple of 64, as in this fabric of 48 hosts and 16 switches.
highest_lid() {
	route torus:4x4:3 minhop lids.dot && routed lids.dot 48 minhop && grep -q 'lid="64"' "$work/lids.dot"
}

# Roots by name are those that OpenSM is given.
named_roots() {
	route tree:2:4 updn roots.dot -r spine0,0x0000000000200006 --keep-dumps "$work/kept" &&
		[ "$(tr '\n' ' ' <"$work/kept/roots")" = "0x200004 0x200006 " ]
}

# ftree is given the hosts at the leaves for compute nodes: one of 17 is at a spine.
compute_nodes() {
	{
		topology tree:2:4 | awk '{ print } /"spine0"$/ { print "[8]\t\"H16\"[1]" }'
		printf '\nHca\t1 "H16"\n[1]\t"spine0"[8]\n'
	} >"$work/net"
	scripts/route_with_opensm.sh -e ftree -o "$work/nodes.dot" --keep-dumps "$work/kept" "$work/net" && [ "$(wc -l <"$work/kept/compute_nodes")" -eq 16 ]
}

# A missing entry is not to pass unseen: here of tables that OpenSM loads, as its ftree forgets hosts only at times.
gaps() {
	"$bin/orcs-export" --quiet --to ibnetdiscover -o "$work/gaps.net" examples/fattree16.dot &&
		"$bin/orcs-export" --quiet --to lfts -o "$work/all" examples/fattree16.dot &&
		awk '!(/Channel Adapter/ && !n++)' "$work/all" >"$work/gaps" &&
		says 3 'not sound: missing entries.*: 1 ' scripts/route_with_opensm.sh -e file -o "$work/gaps.dot" "$work/gaps.net" -U "$work/gaps" &&
		scripts/route_with_opensm.sh -e file --allow-gaps -o "$work/gaps.dot" "$work/gaps.net" -U "$work/gaps"
}

# A graph for a topology, with the engine that routed it first: the same routes.
from_dot() {
	scripts/route_with_opensm.sh -e ftree -o "$work/dot.dot" examples/fattree16.dot && grep '^	' "$work/dot.dot" >"$work/dot" &&
		grep '^	' examples/fattree16.dot | cmp - "$work/dot"
}

fallback_is_allowed() {
	route tree:1:4 ftree other.dot --allow-fallback --report "$work/report" && routed other.dot 4 minhop &&
		grep -qx 'used minhop' "$work/report" && grep -q '^// routing: .*(ftree was asked for)$' "$work/other.dot"
}

# The programs and folders of a run; nothing of another test's.
left_behind() {
	ls "$work/tmp"
	for process in /proc/[0-9]*; do
		case $(readlink "$process/cwd" 2>/dev/null) in
		"$work/tmp"/*) grep -q '^State:[[:blank:]]*Z' "$process/status" || tr '\0' ' ' <"$process/cmdline" ;;
		esac
	done
	grep -F "@orcs-$1-" /proc/net/unix
}

# A chain that a signal ends at a stage leaves nothing: as soon as it has ended, or, where it was killed, a little later.
killed() { # SIGNAL STATUS FILE_THAT_SHOWS_THE_STAGE
	rm -rf "$work/tmp"
	mkdir "$work/tmp"
	topology tree:2:32:1024 >"$work/net"
	TMPDIR=$work/tmp scripts/route_with_opensm.sh -e ftree -o "$work/killed.dot" "$work/net" &
	victim=$!
	tries=0
	until ls "$work"/tmp/*/"$3" || [ $((tries += 1)) -gt 500 ]; do sleep 0.02; done
	kill -s "$1" $victim
	wait $victim
	[ $? -eq "$2" ] || return 1
	tries=0
	while [ "$1" = KILL ] && [ -n "$(left_behind $victim)" ] && [ $((tries += 1)) -lt 50 ]; do sleep 0.1; done
	left_behind $victim
	[ -z "$(left_behind $victim)" ] && [ ! -e "$work/killed.dot" ]
}

# The simulator in the run directory of the environment; it has ended when end_simulator returns.
start_simulator() { # TOPOLOGY
	export ORCS_RUN="$work/run"
	topology "$1" >"$work/net"
	: >"$work/ready" # an earlier one is ready no more
	scripts/start_ibsim.sh "$work/net" >>"$work/ready" &
	simulator=$!
	tries=0
	until grep -q "^Network simulator ready" "$work/ready" || [ $((tries += 1)) -gt 1200 ]; do sleep 0.05; done
}

end_simulator() {
	kill "$simulator"
	wait "$simulator"
	unset ORCS_RUN
	[ ! -e "$work/run" ]
}

# Where OpenSM did not dump its tables, the scripts do not keep quiet about what dump_fts leaves out.
highest_lid_by_hand() {
	start_simulator torus:4x4:3
	scripts/start_osm.sh minhop -D 0x03 && says 1 'leaves out LID 64' scripts/dump_routes.sh
	good=$?
	end_simulator && [ $good -eq 0 ]
}

# The three steps by hand, with the run directory from the environment.
by_hand() {
	start_simulator tree:2:4
	says 1 'already runs in' scripts/start_ibsim.sh "$work/net" && says 1 'not routed' scripts/dump_routes.sh &&
		says 3 'could not use torus-2QoS\|no torus' scripts/start_osm.sh torus-2QoS &&
		scripts/start_osm.sh minhop >"$work/up" && grep -q '^SUBNET UP: routed with minhop in' "$work/up" &&
		scripts/dump_routes.sh >"$work/lfts" && scripts/dump_routes.sh --cabling >"$work/cabling" &&
		"$bin/lftsdump2dot" "$work/net" "$work/lfts" >"$work/hand.dot" && "$bin/orcs" -n 10 "$work/hand.dot" &&
		scripts/start_osm.sh updn -D 0x03 && scripts/dump_routes.sh | "$bin/orcs-import" --topology "$work/cabling" --lft - -o "$work/hand.dot" &&
		"$bin/orcs" -n 10 "$work/hand.dot"
	good=$?
	end_simulator && [ $good -eq 0 ]
}

install_in() {
	scripts/install.sh --prefix "$work/prefix" >"$work/works" && grep -q 'work together' "$work/works" &&
		[ -s "$work/prefix/lib/orcs/libumad_siblings.so" ]
}

# Without root: nothing is unpacked where all is installed, and the chain is proved; what is unpacked serves where the system has none.
install_user() {
	mkdir -p "$work/home" && HOME=$work/home scripts/install.sh --user >"$work/works" 2>"$work/unpacked" &&
		grep -q '^ibsim, OpenSM .* work together' "$work/works" && { grep -q 'installed already' "$work/unpacked" || [ -d "$work/home/.local/lib/orcs/debian/usr/sbin" ]; }
}

unpacked_serves() {
	mkdir -p "$work/unpacked.d/usr/sbin" && printf '#!/bin/sh\necho unpacked\n' >"$work/unpacked.d/usr/sbin/orcs-test-tool" &&
		chmod +x "$work/unpacked.d/usr/sbin/orcs-test-tool" &&
		[ "$(ORCS_UNPACKED=$work/unpacked.d sh -c '. scripts/chain.sh; orcs-test-tool')" = unpacked ] &&
		! ORCS_UNPACKED=$work/nowhere sh -c '. scripts/chain.sh; orcs-test-tool' 2>/dev/null
}

# ibdiagnet crashes without the library that it needs under ibsim: that is said before.
hint_for_ibdiagnet() {
	start_simulator tree:2:4
	(cd "$work" && ORCS_SIBLINGS=none "$OLDPWD/scripts/under_ibsim.sh" ibdiagnet -o . >"$work/out" 2>"$work/without")
	(cd "$work" && "$OLDPWD/scripts/under_ibsim.sh" ibnetdiscover >"$work/out" 2>"$work/other")
	end_simulator
	grep -q 'libumad_siblings.so is missing, .*run make' "$work/without" && ! grep -q siblings "$work/other"
}

check "the examples are what the tools make" scripts/make_example.sh --check
check "no shift is congested on examples/fattree16.dot" no_congestion examples/fattree16.dot
check "no shift is congested on examples/fattree324.dot" no_congestion examples/fattree324.dot
for engine in minhop updn dnup ftree lash dor nue dfsssp sssp; do
	check "a tree with $engine" chain tree:2:6 36 $engine
done
for engine in minhop updn torus-2QoS nue dor; do
	check "a torus with $engine" chain torus:3x4x4:2 96 $engine
done
for torus in 4x4 2x3x4 5x6 2x2x2; do
	check "torus-2QoS finds a torus of $torus switches" route torus:$torus torus-2QoS torus.dot
done
check "two chains at once" two_chains
check "a dump routes again as it did" again_from_file
check "the highest LID is a multiple of 64" highest_lid
check "the highest LID is a multiple of 64, by hand" highest_lid_by_hand
check "root switches by name" named_roots
check "the three steps by hand" by_hand
check "compute nodes for ftree" compute_nodes
check "an entry that is missing" gaps
check "a graph for a topology" from_dot
check "a fallback that is allowed" fallback_is_allowed
check "a silent fallback is an error" says 3 'could not use ftree: Fabric has 1 switches' route tree:1:4 ftree c.dot
check "dfsssp without enough lanes is an error" says 3 'could not use dfsssp: .*Not enough VLs' route torus:4x4x4:4 dfsssp c.dot
check "torus-2QoS on a tree is an error" says 3 'no torus' route tree:2:4 torus-2QoS c.dot
check "no graph is left of what failed" test ! -e "$work/c.dot"
check "an unknown engine" says 2 "unknown engine 'minhops'; known are minhop updn" route tree:2:4 minhops c.dot
check "an unknown root" says 2 "has no switch 'spine9'" route tree:2:4 updn c.dot -r spine9
check "roots for an engine without" says 2 'option -r is for ftree' route tree:2:4 minhop c.dot -r spine0
check "the engine file without tables" says 2 'needs its tables' route tree:2:4 file c.dot
check "a wrong time" says 2 "not '0'" route tree:2:4 minhop c.dot -t 0
check "an unknown option" says 2 "unknown option '--what'" scripts/route_with_opensm.sh --what x
check "no topology" says 2 'one topology file is needed' scripts/route_with_opensm.sh
check "a topology that is not there" says 1 'no such file: /nowhere' scripts/route_with_opensm.sh /nowhere
cp examples/fattree16.dot "$work/own.dot"
mkdir -p "$work/own"
cp examples/fattree16.dot "$work/own/net"
check "not over the topology" says 2 'would be overwritten' scripts/route_with_opensm.sh -o "$work/own.dot" "$work/own.dot"
check "no report over the topology" says 2 'would be overwritten' scripts/route_with_opensm.sh -o /dev/null --report "$work/./own.dot" "$work/own.dot"
check "no dumps over the topology" says 2 'would be overwritten' scripts/route_with_opensm.sh -o /dev/null --keep-dumps "$work/own" "$work/own/net"
check "the topology is still there" cmp -s examples/fattree16.dot "$work/own.dot"
check "a topology that is none" says 1 'README.md' scripts/route_with_opensm.sh README.md
check "an output that cannot be" says 1 'no such directory' route tree:2:4 minhop nowhere/c.dot
check "steps without a simulator" says 1 'no simulator runs in' scripts/start_osm.sh -d "$work" minhop
check "a chain that TERM ends while ibsim starts leaves nothing" killed TERM 143 ibsim.pid
check "a chain that HUP ends while OpenSM runs leaves nothing" killed HUP 129 opensm.out.client
check "a chain that is killed while OpenSM runs leaves nothing" killed KILL 137 opensm.out.client
check "install.sh --prefix proves the chain" install_in
check "install.sh --user proves the chain" install_user
check "what install.sh --user unpacked serves" unpacked_serves
check "ibdiagnet without its library has a hint" hint_for_ibdiagnet
check "the mends of ibsim-patches" sh ibsim-patches/test.sh "$bin"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
