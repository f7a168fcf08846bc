#!/bin/sh
# The chain topology -> ibsim -> OpenSM -> dump -> dot -> orcs with the real tools: opensm.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

for tool in opensm ibsim ibnetdiscover pkill; do
	if ! PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null 2>&1; then
		echo "SKIPPED: $tool is not installed"
		echo "0 passed, 0 failed, 1 skipped"
		exit 0
	fi
done

route() {
	scripts/fattree_topology.sh "$1" | scripts/route_with_opensm.sh -e "$2" -o "$work/$3" -
}

# The exit status of a command must be this.
status_is() {
	wanted=$1
	shift
	"$@"
	[ $? -eq "$wanted" ]
}

# The shipped fabric and the analyser agree with what the routing is known to be: no shift meets congestion.
no_congestion() {
	"$bin/orcs" -p allshifts -d --fail-if 'bw<1' --metric hist_max_cong "$1"
}

two_chains() {
	route 2:8 minhop a.dot &
	first=$!
	route 3:4 updn b.dot && wait $first && [ -s "$work/a.dot" ] && [ -s "$work/b.dot" ]
}

all_pairs_routed() {
	"$bin/orcs" -p alltoall_flood --metric hist_max_cong "$1" && grep -q "$2 hosts" "$1"
}

leaves_nothing() {
	mkdir "$work/tmp"
	TMPDIR=$work/tmp route 2:18 ftree killed.dot &
	sleep 0.5
	pkill -TERM -f "route_with_opensm.sh -e ftree -o $work/killed.dot"
	wait $!
	[ -z "$(ls "$work/tmp")" ] && [ ! -e "$work/killed.dot" ]
}

check "the examples are what the tools make" scripts/make_example.sh --check
check "no shift is congested on examples/fattree16.dot" no_congestion examples/fattree16.dot
check "no shift is congested on examples/fattree324.dot" no_congestion examples/fattree324.dot
check "two chains at once" two_chains
check "all pairs of the first are routed" all_pairs_routed "$work/a.dot" 64
check "all pairs of the second are routed" all_pairs_routed "$work/b.dot" 64
check "a silent fallback is an error" status_is 3 route 1:4 ftree c.dot
check "an unknown engine is an error" status_is 2 route 2:4 minhops c.dot
check "a chain that is killed leaves nothing" leaves_nothing

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
