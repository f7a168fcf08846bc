#!/bin/sh
# The virtual lanes of ports: what smpquery and saquery say of them, in the graph; path records of saquery; and the real ones: lanes.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
simulator=
manager=
trap 'end_all; rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM
. tests/lib.sh
PATH=$bin:$PATH:/usr/sbin:/sbin
export PATH ORCS_BIN="$bin" ORCS_RUN="$work/run"

end_all() {
	[ -z "$manager" ] || kill "$manager" 2>/dev/null
	[ -z "$simulator" ] || kill "$simulator" 2>/dev/null
	wait 2>/dev/null
}

# ---- two hosts on a switch

cat >"$work/cabling" <<'END'
switchguid=0x200000(200000)
Switch	3 "S-0000000000200000"		# "sw" base port 0 lid 2 lmc 0
[1]	"H-0000000000100000"[1](100001) 		# "H0" lid 1 4xEDR
[2]	"H-0000000000100002"[1](100003) 		# "H1" lid 4 4xEDR

caguid=0x100000
Ca	1 "H-0000000000100000"		# "H0"
[1](100001) 	"S-0000000000200000"[1]		# lid 1 lmc 0 "sw" lid 2 4xEDR

caguid=0x100002
Ca	1 "H-0000000000100002"		# "H1"
[1](100003) 	"S-0000000000200000"[2]		# lid 4 lmc 0 "sw" lid 2 4xEDR
END
cat >"$work/lfts" <<'END'
Unicast lids [0x0-0x4] of switch DR path slid 0; dlid 0; 0 guid 0x0000000000200000 (sw):
  Lid  Out   Destination
       Port     Info 
0x0001 001 : (Channel Adapter portguid 0x0000000000100001: 'H0')
0x0002 000 : (Switch portguid 0x0000000000200000: 'sw')
0x0004 002 : (Channel Adapter portguid 0x0000000000100003: 'H1')
3 valid lids dumped 
END
cat >"$work/smp" <<'END'
# SL2VL table: Lid 1
#                 SL: | 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|
ports: in  0, out  0: | 0| 2| 1| 3| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|15|
# VLArbitration tables: Lid 1 port 1 LowCap 8 HighCap 8
# Low priority VL Arbitration Table:
VL    : |0x0 |0x1 |0x2 |0x0 |0x0 |0x0 |0x0 |0x0 |
WEIGHT: |0x20|0x40|0x80|0x0 |0x0 |0x0 |0x0 |0x0 |
# High priority VL Arbitration Table:
VL    : |0x3 |0x1 |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |
WEIGHT: |0x0 |0x4 |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |
# Port info: Lid 1 port 1
Mkey:............................<not displayed>
CapMask:.........................0x50c04a
				IsSM
LinkState:.......................Active
VLHighLimit:.....................6
VLArbHighCap:....................8
# SL2VL table: Lid 2
#                 SL: | 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|
ports: in  0, out  2: | 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|
ports: in  1, out  2: | 0| 1| 2| 3| 0| 1| 2| 3| 0| 1| 2| 3| 0| 1| 2| 3|
ports: in  2, out  2: | 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|
ports: in  3, out  2: | 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|
# No VLArbitration tables (BSP0): Lid 2 port 0
# VLArbitration tables: Lid 2 port 2 LowCap 8 HighCap 8
# Low priority VL Arbitration Table:
VL    : |0x0 |0x1 |0x0 |
WEIGHT: |0x1 |0xff|0x1 |
# High priority VL Arbitration Table:
VL    : |0x0 |0x1 |
WEIGHT: |0x0 |0x0 |
END
zeros=' 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|'
block() { # LID PORT BLOCK VLS WEIGHTS
	printf 'VLArbTableRecord dump:\n\t\tLID........................%s\n\t\tPort.......................%s\n\t\tBlock......................%s\n' "$1" "$2" "$3"
	printf '\t\tVL    :%s\n\t\tWeight:%s\n\t\tVL    :%s\n\t\tWeight:%s\n' "$4" "$5" "$zeros" "$zeros"
}
map() { # LID IN OUT LANES
	printf 'SL2VLTableRecord dump:\n\t\tLID........................%s\n\t\tInPort.....................%s\n\t\tOutPort....................%s\n' "$1" "$2" "$3"
	printf '\t\tSL: 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|\n\t\tVL:%s\n' "$4"
}
{
	map 1 0 0 ' 0| 2| 1| 3| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|15|'
	for in in 0 2 3; do map 2 $in 2 "$zeros"; done
	map 2 1 2 ' 0| 1| 2| 3| 0| 1| 2| 3| 0| 1| 2| 3| 0| 1| 2| 3|'
	block 1 1 1 ' 0| 1| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|' '32|64| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|'
	block 1 1 2 ' 2| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|' '128| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|'
	block 1 1 3 ' 3| 1| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|' ' 0| 4| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|'
	block 1 1 4 "$zeros" "$zeros"
	block 2 2 1 ' 0| 1| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|' ' 1|255| 1| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|'
	printf 'PortInfoRecord dump:\n\tRID\n\t\tEndPortLid..............1\n\t\tPortNum.................1\n\t\tOptions.................0x0\n'
	printf '\tPortInfo dump:\n\t\tMkey:............................<not displayed>\n\t\tLid:.............................1\n\t\t\t\tIsSM\n\t\tVLHighLimit:.....................6\n\n'
} >"$work/sa"

# The two attributes of each channel.
lanes() { # FILE...
	orcs-import "$@" 2>"$work/notes" | sed -n 's/^\t\("[^"]*" -> "[^"]*"\) \[.*\(sl2vl="[^"]*"\).*\(vlarb="[^"]*"\).*/\1 \2 \3/p'
	grep -v 'note: 2 hosts, 1 switch' "$work/notes"
	return 0
}
cat >"$work/wanted" <<'END'
"H0" -> "sw" sl2vl="0:0,2,1,3,0,0,0,0,0,0,0,0,0,0,0,15" vlarb="low=0:32,1:64,2:128;high=1:4;limit=6"
"sw" -> "H1" sl2vl="0,2-3:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0;1:0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3" vlarb="low=0:1,1:255,0:1"
END
gives() { # FILE...
	lanes "$@" "$work/lfts" --service-levels=0 | diff "$work/wanted" -
}
check "smpquery" gives "$work/cabling" "$work/smp"
check "saquery" gives "$work/cabling" "$work/sa"
check "before the topology" gives "$work/sa" "$work/cabling"
check "by --sl2vl" gives --sl2vl "$work/sa" "$work/cabling"
check "one after the other" gives "$work/sa" "$work/cabling" "$work/smp"
check "in a single file" gives "$work/cabling" --sl2vl - <"$work/sa"
sed 's/$/\r/' "$work/smp" >"$work/windows"
check "with line ends of Windows" gives "$work/cabling" "$work/windows"
grep -v 'Lid 1\|VLHighLimit' "$work/smp" >"$work/less"
check "without its header a table is no other port's" sh -c '. tests/lib.sh; orcs-import --quiet "$1" "$2" | grep -c vlarb | grep -x 1' - "$work/cabling" "$work/less"
sed 's/Lid 1 port 1$/Lid 7 port 1/' "$work/smp" >"$work/other"
check "a LID that is not there" says 0 'note: SL-to-VL and arbitration tables of LIDs missing in the topology, left out: 1 \(LID 7\)' \
	orcs-import "$work/cabling" "$work/other"
check "no lanes in a file of lanes" says 3 'expected one of: sl2vl, smpquery, saquery$' orcs-import "$work/cabling" --sl2vl "$work/lfts"

# ---- the lane on which a host sends is that of its own table: SL 1 on lane 2

printf '# slid dlid sl\n1 4 1\n' >"$work/sls"
check "the lane of a host" says 0 'H0.*lane 2' sh -c 'orcs-trace H0 H1 "$@" --format json | tr -d "\n" | sed "s/.*\"from\":\"H0\"/H0/; s/\"lane\": *\([0-9]\)/ lane \1/; s/\"vl\": *\([0-9]\)/ lane \1/"' - "$work/cabling" "$work/smp" "$work/lfts" "$work/sls"

# ---- path records

record() { # SLID DLID SL
	printf '\nPathRecord dump:\n\t\tservice_id..............0x0000000000000000\n\t\tdgid....................fe80::10:3\n\t\tsgid....................fe80::10:1\n'
	printf '\t\tdlid....................%s\n\t\tslid....................%s\n\t\thop_flow_raw............0x0\n\t\tsl......................0x%x\n\t\tmtu.....................0x84\n' "$2" "$1" "$3"
}
{ record 1 4 11 && record 4 1 0; } >"$work/records"
check "path records" says 0 '^	"H0" .* sl="11:H1"' orcs-import --quiet "$work/cabling" "$work/lfts" "$work/records"
check "path records by option" says 0 '^	"H0" .* sl="11:H1"' orcs-import --quiet "$work/cabling" "$work/lfts" --service-levels="$work/records"
{ record 1 4 16 && record 4 1 3; } >"$work/broken"
levels_of_host() {
	orcs-import --quiet "$work/cabling" "$work/lfts" "$work/broken" | grep '" \[type="host"' | grep -o '"H[01]" \| sl=.*"' | tr -d '\n'
}
check "levels above 15 are none" says 0 '^"H0" "H1"  sl="3:H0"$' levels_of_host

# ---- the real OpenSM

for tool in opensm ibsim ibnetdiscover saquery smpquery; do
	if ! have $tool; then
		skip "$tool is not installed"
		echo "$passed passed, $failed failed, $skipped skipped"
		[ $failed -eq 0 ]
		exit
	fi
done

# Starts a fabric whose ports OpenSM gives tables.
start() {
	scripts/torus_topology.sh 2:1 >"$work/net"
	printf 'qos TRUE\nqos_max_vls 8\nqos_vlarb_high 0:32,1:64\nqos_vlarb_low 0:32,1:64,2:128\nqos_sl2vl 0,1,2,3,4,5,6,7,7,6,5,4,3,2,1,0\n' >"$work/osm.conf"
	scripts/start_ibsim.sh "$work/net" >"$work/ready" 2>&1 &
	simulator=$!
	tries=0
	until grep -q '^Network simulator ready' "$work/ready"; do
		kill -0 "$simulator" && [ $((tries += 1)) -lt 200 ] || return 1
		sleep 0.1
	done
	scripts/under_ibsim.sh opensm -R minhop -F "$work/osm.conf" -f "$work/opensm.log" >"$work/opensm" 2>&1 &
	manager=$!
	tries=0
	until scripts/under_ibsim.sh saquery SL2VL 1/0/0 >"$work/path" 2>&1 && grep -q 'VL:.* 7| 7| 6' "$work/path"; do
		kill -0 "$manager" && [ $((tries += 1)) -lt 100 ] || return 1
		sleep 0.2
	done
	scripts/under_ibsim.sh ibnetdiscover >"$work/real" && scripts/under_ibsim.sh dump_fts -n >"$work/fts"
}

# Asks each port of each LID: tables of the administrator come back broken under ibsim if they are asked for together.
ask() {
	sed -n 's/^\[1\](.*# lid \([0-9]*\) .*/\1/p' "$work/real" >"$work/hosts"
	sed -n 's/^Switch.* lid \([0-9]*\) .*/\1/p' "$work/real" >"$work/switches"
	{
		for lid in $(cat "$work/hosts"); do
			scripts/under_ibsim.sh smpquery sl2vl "$lid" 1
			scripts/under_ibsim.sh smpquery vlarb "$lid" 1
		done
		for lid in $(cat "$work/switches"); do
			for port in 1 3; do
				scripts/under_ibsim.sh smpquery sl2vl "$lid" $port
				scripts/under_ibsim.sh smpquery vlarb "$lid" $port
			done
		done
	} >"$work/real.smp"
	{
		for lid in $(cat "$work/hosts"); do
			scripts/under_ibsim.sh saquery SL2VL "$lid/0/0"
			for block in 1 2 3 4; do scripts/under_ibsim.sh saquery VLAR "$lid/1/$block"; done
		done
		for lid in $(cat "$work/switches"); do
			for port in 1 3; do
				for in in 0 1 2 3; do scripts/under_ibsim.sh saquery SL2VL "$lid/$in/$port"; done
				for block in 1 2 3 4; do scripts/under_ibsim.sh saquery VLAR "$lid/$port/$block"; done
			done
		done
	} >"$work/real.sa"
}
real() {
	start && ask || return 1
	lanes "$work/real" "$work/fts" "$work/real.smp" --service-levels=0 | tee "$work/by_smp"
	lanes "$work/real" "$work/fts" "$work/real.sa" --service-levels=0 | cmp "$work/by_smp" - || return 1
	[ "$(grep -c 'sl2vl="0\(-3\)*:0,1,2,3,4,5,6,7,7,6,5,4,3,2,1,0" vlarb="low=0:32,1:64,2:128;high=0:32,1:64"$' "$work/by_smp")" -eq 6 ]
}
check "what OpenSM has set is what smpquery and saquery say" real

# ---- the same with the scripts, which ask one port of each kind

steps() {
	kill "$manager"
	wait "$manager"
	manager=
	scripts/start_osm.sh minhop -F "$work/osm.conf" && scripts/dump_routes.sh --sl2vl >"$work/sl2vl" && scripts/dump_routes.sh --vlarb >"$work/vlarb" &&
		lanes "$work/real" "$work/fts" "$work/sl2vl" "$work/vlarb" --service-levels=0 | diff "$work/by_smp" -
}
check "start_osm.sh and dump_routes.sh" steps
unset_tables() {
	scripts/start_osm.sh minhop && says 1 'set no arbitration tables.*-Q' scripts/dump_routes.sh --vlarb
}
check "dump_routes.sh without QoS" unset_tables

# Lanes of the graph as real found them at each port, by the same configuration; and what packets do with them: lanes 0 and 1 have 1:2 of a cable.
routed() {
	scripts/route_with_opensm.sh -e minhop -o "$work/routed.dot" --keep-dumps "$work/kept" "$work/net" -F "$work/osm.conf" && [ -s "$work/kept/vlarb" ] &&
		sed -n 's/^\t\("[^"]*" -> "[^"]*"\) \[.*\(sl2vl="[^"]*"\).*\(vlarb="[^"]*"\).*/\1 \2 \3/p' "$work/routed.dot" | sort >"$work/by_script"
	grep '^"' "$work/by_smp" | sort | diff "$work/by_script" -
}
check "route_with_opensm.sh gives the graph what OpenSM has set" routed
kinds() { # tables of hosts and of switches that differ
	printf 'qos TRUE\nqos_ca_vlarb_low 0:32,1:96\nqos_ca_vlarb_high 0:0\nqos_swe_vlarb_low 0:96,1:32\nqos_swe_vlarb_high 0:0\nqos_swe_high_limit 3\n' >"$work/kinds.conf"
	scripts/route_with_opensm.sh -e minhop -o "$work/kinds.dot" "$work/net" --config="$work/kinds.conf" || return 1
	grep -c '^	"H.*vlarb="low=0:32,1:96"' "$work/kinds.dot" | grep -x 2 && grep -c '^	"s.*vlarb="low=0:96,1:32;limit=3"' "$work/kinds.dot" | grep -x 4
}
check "tables of hosts and of switches" kinds
shares() {
	printf '0 0 1 10M sl=0\n0 0 1 10M sl=1\n' >"$work/two"
	orcs --engine packet -d --capacity 100G --metric makespan --flows "$work/flows.csv" -o "$work/out" -p "file:$work/two" "$work/kinds.dot" &&
		awk -F, 'NR > 1 { end[++n] = $9 / 0.0008 } END { print end[1], end[2]; exit end[1] < 1.99 || end[1] > 2.01 || end[2] < 1.32 || end[2] > 1.35 }' "$work/flows.csv"
}
check "packets share a link by them" shares
check "no tables without QoS" sh -c 'scripts/route_with_opensm.sh -e minhop -o "$1/plain.dot" "$1/net" && ! grep vlarb "$1/plain.dot"' - "$work"
check "a configuration that is not there" says 1 "cannot read OpenSM's configuration" scripts/route_with_opensm.sh -o "$work/none.dot" "$work/net" -F "$work/none"
check "-F without a file" says 2 "option -F needs a file" scripts/route_with_opensm.sh -o "$work/none.dot" "$work/net" -F

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
