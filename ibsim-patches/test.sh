#!/bin/sh
# Each mend of the README, without it and with it: test.sh [BIN_DIR], from the root of the source tree. "no longer needed" where the
# packages that are installed do well without.
set -u

ORCS_BIN=$(cd "${1:-build/plain/bin}" && pwd) || exit 1
export ORCS_BIN
work=$(mktemp -d)
trap 'end_simulator; rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM
. tests/lib.sh
scripts=$(pwd)/scripts
export ORCS_RUN="$work/run"
simulator=

for tool in opensm ibsim ibdiagnet ibnetdiscover; do
	if ! PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null 2>&1; then
		echo "SKIPPED: $tool is not installed"
		echo "0 passed, 0 failed, 1 skipped"
		exit 0
	fi
done
make -s -C ibsim-patches LIB="$work/lib" || exit 1

# Starts the simulator on a net; fails if it does not come up.
simulate() { # [--as-is] NET
	"$scripts/start_ibsim.sh" "$@" >"$work/simulator" 2>&1 &
	simulator=$!
	tries=0
	until grep -q '^Network simulator ready' "$work/simulator"; do
		if ! kill -0 "$simulator" 2>/dev/null || [ $((tries += 1)) -gt 200 ]; then
			end_simulator
			cat "$work/simulator"
			return 1
		fi
		sleep 0.05
	done
}

end_simulator() {
	[ -n "$simulator" ] || return 0
	kill "$simulator" 2>/dev/null
	wait "$simulator" 2>/dev/null
	simulator=
}

# A net of two hosts at one switch: the switch's id, its GUID, the second host's GUID and id, the end of the port lines.
net() {
	printf 'switchguid=%s\nSwitch\t4 "%s"\n[1]\t"A"[1] %s\n[2]\t"%s"[1] %s\n\n' "$2" "$1" "$5" "$4" "$5"
	printf 'caguid=0x10\nCa\t1 "A"\n[1]\t"%s"[1] %s\n\n' "$1" "$5"
	printf 'caguid=%s\nCa\t1 "%s"\n[1]\t"%s"[2] %s\n' "$3" "$4" "$1" "$5"
}

# Whether the simulated fabric has one line that matches for each of its cables.
fabric_shows() { # PATTERN COUNT
	"$scripts/under_ibsim.sh" ibnetdiscover >"$work/seen" && [ "$(grep -c "$1" "$work/seen")" -eq "$2" ]
}

diagnose() {
	mkdir -p "$work/diagnosis" && cd "$work/diagnosis" && rm -f ./* &&
		timeout 60 "$scripts/under_ibsim.sh" ibdiagnet -v -o . >said 2>&1 && [ -s ibdiagnet.fdbs ] && [ -s ibdiagnet.lst ]
}

# The mend must work; what happens without it tells whether it is still needed.
mend() { # NAME WITHOUT WITH
	if "$2" >"$work/without" 2>&1; then
		echo "$1: no longer needed"
	else
		echo "$1: still needed"
	fi
	end_simulator
	check "$1" "$3"
	end_simulator
}

siblings_without() {
	simulate "$work/plain" && "$scripts/start_osm.sh" minhop && (ORCS_SIBLINGS=none && export ORCS_SIBLINGS && diagnose)
}
siblings_with() {
	simulate "$work/plain" && "$scripts/start_osm.sh" minhop && (ORCS_SIBLINGS=$work/lib/libumad_siblings.so && export ORCS_SIBLINGS && diagnose)
}

limits_without() {
	IBSIM_SOCKNAME=orcs-mend-$$ timeout 2 ibsim -s -n "$work/large" >"$work/limits" 2>&1
	grep -q '^Network simulator ready' "$work/limits"
}
limits_with() {
	simulate --as-is "$work/large"
}

lids_without() {
	IBSIM_SOCKNAME=orcs-mend-$$ timeout 1 ibsim -s -n "$work/plain" >"$work/limits" 2>&1
	[ "$(sed -n 's/^MaxLinearCap *= //p' "$work/limits")" -ge 49152 ]
}
lids_with() {
	simulate "$work/plain" && "$scripts/under_ibsim.sh" smpquery switchinfo -D 0,1 | grep -q '^LinearFdbCap:\.*49152$'
}

speeds_without() {
	simulate --as-is "$work/speeds" && ! fabric_shows ' 4xSDR' 4
}
speeds_with() {
	simulate "$work/speeds" && fabric_shows ' 4xHDR' 4
}

guids_without() {
	simulate --as-is "$work/guids"
}
guids_with() {
	simulate "$work/guids" && "$scripts/start_osm.sh" minhop
}

names_without() {
	simulate --as-is "$work/names"
}
names_with() {
	simulate "$work/names" && "$scripts/start_osm.sh" minhop
}

long_names_without() {
	simulate --as-is "$work/long"
}
long_names_with() {
	simulate "$work/long" && "$scripts/start_osm.sh" minhop
}

directions_without() {
	simulate --as-is "$work/one_sided"
}
directions_with() {
	simulate "$work/one_sided" && "$scripts/start_osm.sh" minhop
}

net S 0x20 0x12 B '' >"$work/plain"
net S 0x20 0x12 B '# "x" lid 0 4xNDR' >"$work/speeds"
net S 0x20 0x10 B '' >"$work/guids"
net 'S@1#2' 0x20 0x12 B '' >"$work/names"
long=$(printf '%063d' 0 | tr 0 h)
net S 0x20 0x12 "B${long}1" '' | sed "s/\"A\"/\"B${long}2\"/" >"$work/long"
net S 0x20 0x12 B '' | sed '/^\[2\]/d' >"$work/one_sided"
scripts/torus_topology.sh 300 >"$work/large"

mend "siblings: both SMP classes for a client that registers one" siblings_without siblings_with
mend "limits: more than 256 switches" limits_without limits_with
mend "limits: tables for all unicast LIDs" lids_without lids_with
mend "net: speeds that ibsim does not know" speeds_without speeds_with
mend "net: GUIDs that two nodes have" guids_without guids_with
mend "net: # and @ in names" names_without names_with
mend "net: names equal in their first 63 characters" long_names_without long_names_with
mend "net: cables told from one end only" directions_without directions_with

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
