#!/bin/sh
# orcs-check --plan and --against: forms of plans, names and labels, random edits, costs in bandwidth, ibnetdiscover --diff, and a real plan: plan.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
data=${ORCS_TEST_DATA:-../shared/data}
case $bin in */san/*) random=8 simulated=1 bandwidths=2 ;; *) random=40 simulated=2 bandwidths=8 ;; esac

# says STATUS PATTERN ARGUMENT...: orcs-check ends with the status, and what it prints has a line like the pattern.
says() {
	wanted=$1 pattern=$2
	shift 2
	"$bin/orcs-check" --quiet "$@" >"$work/out" 2>&1
	status=$?
	cat "$work/out"
	[ $status -eq "$wanted" ] && grep -Eq -e "$pattern" "$work/out"
}

# fails STATUS TEXT ARGUMENT...: it ends with the status and one line, and no result.
fails() {
	wanted=$1 text=$2
	shift 2
	"$bin/orcs-check" --quiet "$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq "$wanted" ] && [ ! -s "$work/out" ] && [ "$(grep -c . "$work/err")" -eq 1 ] && grep -Fq -e "$text" "$work/err"
}

# ---- random edits, and ibnetdiscover --diff (they count themselves)
counted() {
	"$@" >"$work/said" 2>&1
	line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/said" | tail -n 1)
	if [ -z "$line" ]; then
		failed=$((failed + 1))
		echo "FAILED: $*"
		tail -n 5 "$work/said"
		return
	fi
	grep '^FAILED' "$work/said"
	passed=$((passed + ${line%% *}))
	line=${line#*, }
	failed=$((failed + ${line%% *}))
}
if have python3; then
	counted python3 tests/check/plan.py "$bin/orcs-check" $random
	counted python3 tests/check/plan_bandwidth.py "$bin" $bandwidths
	if have ibsim && have ibnetdiscover; then
		counted python3 tests/check/diff.py "$bin" $simulated
	else
		skip "ibsim or ibnetdiscover is missing: the comparison with ibnetdiscover --diff"
	fi
else
	skip "python3 is missing: random edits"
fi

# ---- a director of two leaf boards with two chips each and a spine board, a switch, hosts of several forms
tab=$(printf '\t')
sed "s/~/$tab/g" >"$work/found" <<'END'
switchguid=0x10(10)
Switch~40 "S-0000000000000010"~~# "MF0;dir-A:MCS8500/L01/U1" enhanced port 0 lid 1 lmc 0
[20]~"S-0000000000000020"[1]~~# "MF0;leaf-1:MQM8700/U1" lid 5 4xHDR
[21]~"S-0000000000000014"[1]~~# "MF0;dir-A:MCS8500/S01/U1" lid 3 4xHDR
switchguid=0x12(12)
Switch~40 "S-0000000000000012"~~# "MF0;dir-A:MCS8500/L01/U2" enhanced port 0 lid 2 lmc 0
[20]~"S-0000000000000020"[2]~~# "MF0;leaf-1:MQM8700/U1" lid 5 4xHDR
[21]~"S-0000000000000014"[2]~~# "MF0;dir-A:MCS8500/S01/U1" lid 3 4xHDR
switchguid=0x14(14)
Switch~40 "S-0000000000000014"~~# "MF0;dir-A:MCS8500/S01/U1" enhanced port 0 lid 3 lmc 0
[1]~"S-0000000000000010"[21]~~# "MF0;dir-A:MCS8500/L01/U1" lid 1 4xHDR
[2]~"S-0000000000000012"[21]~~# "MF0;dir-A:MCS8500/L01/U2" lid 2 4xHDR
switchguid=0x20(20)
Switch~40 "S-0000000000000020"~~# "MF0;leaf-1:MQM8700/U1" enhanced port 0 lid 5 lmc 0
[1]~"S-0000000000000010"[20]~~# "MF0;dir-A:MCS8500/L01/U1" lid 1 4xHDR
[2]~"S-0000000000000012"[20]~~# "MF0;dir-A:MCS8500/L01/U2" lid 2 4xHDR
[3]~"H-0000000000000100"[1](101)~~# "node01 HCA-1" lid 11 4xHDR
[4]~"H-0000000000000110"[1](111)~~# "node01 HCA-2" lid 12 4xHDR
[5]~"H-0000000000000120"[1](121)~~# "node02 mlx5_0" lid 13 4xHDR
[6]~"H-0000000000000120"[2](122)~~# "node02 mlx5_0" lid 14 4xHDR
[7]~"H-0000000000000130"[1](131)~~# "node03 ibp11s0f0" lid 15 4xHDR
caguid=0x100
Ca~1 "H-0000000000000100"~~# "node01 HCA-1"
[1](101)~"S-0000000000000020"[3]~~# lid 11 lmc 0 "MF0;leaf-1:MQM8700/U1" lid 5 4xHDR
caguid=0x110
Ca~1 "H-0000000000000110"~~# "node01 HCA-2"
[1](111)~"S-0000000000000020"[4]~~# lid 12 lmc 0 "MF0;leaf-1:MQM8700/U1" lid 5 4xHDR
caguid=0x120
Ca~2 "H-0000000000000120"~~# "node02 mlx5_0"
[1](121)~"S-0000000000000020"[5]~~# lid 13 lmc 0 "MF0;leaf-1:MQM8700/U1" lid 5 4xHDR
[2](122)~"S-0000000000000020"[6]~~# lid 14 lmc 0 "MF0;leaf-1:MQM8700/U1" lid 5 4xHDR
caguid=0x130
Ca~1 "H-0000000000000130"~~# "node03 ibp11s0f0"
[1](131)~"S-0000000000000020"[7]~~# lid 15 lmc 0 "MF0;leaf-1:MQM8700/U1" lid 5 4xHDR
END
cat >"$work/plan.ndt" <<'END'
#StartDevice,StartPort,EndDevice,EndPort,LinkType
LEAF-1,Port 1,DIR-A,Blade 1_Port 1/20,Data
DIR-A,Blade 1_Port 1/20,LEAF-1,Port 1,Data
LEAF-1,Port 2,DIR-A,Blade 1_Port 2/20, Data
NODE01,NODE01 HCA-1,LEAF-1,Port 3,Data
node01,HCA-2/1,LEAF-1,Port 4,Data
node02,mlx5_0/1,LEAF-1,Port 5,Data
node02,mlx5_0/P2,LEAF-1,Port 6,Data
NODE03,NODE03 ibp11s0f0,LEAF-1,Port 7,Data
END
check "an NDT file" says 0 '^plan .*: 7 cables: 7 as planned, 0 miswired, 0 missing, 0 of the wrong speed; 0 unplanned$' --plan "$work/plan.ndt" "$work/found"
check "cables inside the director" says 0 '^ +2 cables inside directors not compared: the plan has none$' --plan "$work/plan.ndt" "$work/found"
check "as planned" says 0 '^as planned$' --plan "$work/plan.ndt" "$work/found"
head -n 4 "$work/plan.ndt" >"$work/trunks.ndt"
sed 2,4d "$work/plan.ndt" | xz >"$work/hosts.ndt.xz"
check "a plan of switches" says 0 '^ +5 cables of hosts not compared: the plan has none$' --plan "$work/trunks.ndt" "$work/found"
check "a plan of hosts" says 0 '^ +2 cables between switches not compared: the plan has none$' --plan "$work/hosts.ndt.xz" "$work/found"
check "in two files, one compressed" says 0 '^plan .*: 7 cables: 7 as planned' --plan "$work/trunks.ndt" --plan "$work/hosts.ndt.xz" "$work/found"
check "from standard input" says 0 '^plan  +<stdin>: 7 cables' --plan - "$work/found" <"$work/plan.ndt"

# Each label finds its port: the rest of the plan is right. label LABEL ROW: the row in the place of the one for that port.
label() { # PORT OF LEAF-1, ROW
	sed "/LEAF-1,Port $1,Data/d; /LEAF-1,Port $1,DIR/d; /,LEAF-1,Port $1\$/d" "$work/plan.ndt" >"$work/label.ndt"
	echo "$2" >>"$work/label.ndt"
	says 0 ': 7 cables: 7 as planned' --plan "$work/label.ndt" "$work/found"
}
for row in '1 leaf-1,1,dir-a,L01/U1/P20' '1 Leaf-1,P1,dir-a/L01/U1,20' '1 0x20,1/1,0x10,20' '1 S-0000000000000020,#1,S0000000000000010,p20' \
	'2 MF0;leaf-1:MQM8700/U1,U1/P2,MF0;dir-A:MCS8500/L01/U2,Port 20' '2 leaf-1,1/2,dir-A,Leaf 1/U2/20' '2 leaf-1,1/1/2,dir-A,Blade 1_Port 2/20' \
	'5 leaf-1,1/5,node02 mlx5_0,1' '5 leaf-1,3/1,0x120,1' '6 leaf-1,3/2,0x122,' '6 leaf-1,Port 6,node02,mlx5_0 port 2' '3 leaf-1,3,node01,mlx5_0/1' \
	'4 leaf-1,4,node01,mlx5_1/1' '4 leaf-1,4,0x110,1' '7 leaf-1,7,node03,ibp11s0f0' '7 leaf-1,7,H-node03,' '7 "leaf-1",7,"node03 ibp11s0f0",1'; do
	check "label ${row#* }" label "${row%% *}" "${row#* }"
done
check "chips of a board without a number" says 4 "label.ndt:8: 'dir-a L01/P20' is the name of several nodes$" \
	--plan "$(sed 2,3d "$work/plan.ndt" >"$work/label.ndt"; sed -i '$a leaf-1,1,dir-a,L01/P20' "$work/label.ndt"; echo "$work/label.ndt")" "$work/found"
sed '$a leaf-9,1,dir-a,Blade 7_Port 1/3' "$work/plan.ndt" >"$work/absent.ndt"
check "names that are not there" says 4 "^ .*absent.ndt:10: 'leaf-9' is not in the fabric$" --plan "$work/absent.ndt" "$work/found"
check "are missing cables" says 4 ' 7 as planned, 0 miswired, 1 missing' --plan "$work/absent.ndt" "$work/found"
check "both are named" says 4 "^names     2 names of the plan" --plan "$work/absent.ndt" "$work/found"
check "in JSON" says 4 '"unmatched":\[\{"name":"leaf-9","file":"[^"]*","line":10,"ends":1,' --format json --plan "$work/absent.ndt" "$work/found"
sed 's/Port 7,/Slot A,/' "$work/plan.ndt" >"$work/label.ndt"
check "a label without a number" says 4 "'LEAF-1 Slot A' is a port of unknown number; any port counts$" --plan "$work/label.ndt" "$work/found"
check "then any port counts" says 4 ' 7 as planned' --plan "$work/label.ndt" "$work/found"
sed '$a node09,1,leaf-1,Port 7' "$work/plan.ndt" >"$work/twice.ndt"
check "a port planned twice" says 4 '^ +1 port at several planned cables \(the first: MF0_leaf-1:MQM8700/U1\[7\]\)$' --plan "$work/twice.ndt" "$work/found"
sed '$a leaf-1,8,,' "$work/plan.ndt" >"$work/empty.ndt"
sed '$a leaf-9,,leaf-1,8\nleaf-9,,leaf-1,9' "$work/plan.ndt" >"$work/portless.ndt"
check "nodes that are not there, without ports" says 4 ': 9 cables: 7 as planned, 0 miswired, 2 missing' --plan "$work/portless.ndt" "$work/found"
check "are not planned twice" sh -c '! grep "several planned cables" "$1"' sh "$work/out"
check "a row with one end" says 0 '^ +1 row of the plan without a device at one end, left out$' --plan "$work/empty.ndt" "$work/found"

# ---- what differences cost
printf 'from,from_port,to,to_port,speed\nleaf-1,1,dir-A/L01/U1,20,4xHDR\nleaf-1,9,dir-A/L01/U2,20,HDR100\nnode01 HCA-1,1,leaf-1,3,4xNDR\nnode01 HCA-2,1,leaf-1,10,200G\n' >"$work/cost.csv"
check "half of the trunks are slower, a host lacks half" says 4 '^  speed     H-node01_HCA-1\[1\] - .*\[3\] has 200 Gb/s \(4x\), not 400 Gb/s \(4x\): H-node01_HCA-1 lacks 50.00% \(200 Gb/s\) to level 0; costs' \
	--plan "$work/cost.csv" "$work/found"
check "miswired" says 4 '^  miswired  MF0_leaf-1:MQM8700/U1\[9\] - .*L01/U2\[20\] is .*U1\[2\]' --plan "$work/cost.csv" "$work/found"
check "capacities" says 4 '^hosts - level 0 +2 +5 \| +600 +1000 +33.33%   50.00% \(H-node01_HCA-1\)$' --plan "$work/cost.csv" "$work/found"
printf 'from,to\nnode01 HCA-1,leaf-1\nnode01 HCA-2,leaf-1\nleaf-1,dir-A/L01/U1\nleaf-1,dir-A/L01/U1\ndir-A/L01/U2,leaf-1\n' >"$work/nodes.csv"
for k in 1 2 3 4; do echo "leaf-1,$((20 + k)),dir-a/L01/U1,$k"; done >"$work/more.csv"
check "costs of one node share a line" says 4 '^  missing .*: MF0_dir-A:MCS8500/L01/U1 lacks 75.00% \(600 Gb/s\) to level 0; costs no bandwidth; 3 more of its cables are missing$' \
	--plan "$work/more.csv" "$work/found"
check "each has its own" says 4 '\[24\] - MF0_dir-A:MCS8500/L01/U1\[4\]: MF0_dir-A:MCS8500/L01/U1 lacks 75.00% \(600 Gb/s\) to level 0; costs no bandwidth$' \
	--all --plan "$work/more.csv" "$work/found"
check "without ports, by the nodes" says 4 ': 5 cables: 4 as planned, 0 miswired, 1 missing, 0 of the wrong speed; 3 unplanned' --plan "$work/nodes.csv" "$work/found"

# ---- topology files, dumps, graphs
cat >"$work/plan.topo" <<'END'
# of ibtopodiff
MQM8700 leaf-1
   P1 -4x-50G-> MCS8500 dir-A L01/U1/P20
   P2 -> MCS8500 dir-A L01/U2/P20
   P3 -4x-> HCA node01 HCA-1/1

MT4123 node01 CFG: leaf3=R,leaf5=R
   HCA-2/1 -> MQM8700 leaf-1 P4
END
check "a topology file" says 4 ': 4 cables: 4 as planned, 0 miswired, 0 missing, 0 of the wrong speed; 3 unplanned' --plan "$work/plan.topo" "$work/found"
sed 's/50G/10G/' "$work/plan.topo" >"$work/slow.topo"
check "its speeds" says 4 'has 200 Gb/s \(4x\), not 40 Gb/s \(4x\); costs no bandwidth$' --plan "$work/slow.topo" "$work/found"
check "the dump itself" says 0 ': 9 cables: 9 as planned' --plan "$work/found" "$work/found"
"$bin/orcs-import" --quiet -o "$work/found.dot" "$work/found"
check "its graph" says 0 ': 9 cables: 9 as planned' --plan "$work/found.dot" "$work/found"
mkdir "$work/folder" && cp "$work/found" "$work/folder"
check "its directory" says 0 ': 9 cables: 9 as planned' --plan "$work/folder" "$work/found.dot"
check "a topology by its specification" says 0 ': 32 cables: 32 as planned' --plan fattree:k=4,n=2 fattree:k=4,n=2
check "no costs of what is right" says 0 '^hosts - level 0 +5 +5 \| +1000 +1000 +0.00%$' --plan "$work/found" "$work/found"

# ---- against an old state
check "unchanged" says 0 '^unchanged$' --against "$work/found" "$work/found.dot"
sed 's/\[7\]\(~*.*node03\)/[8]\1/; s/0000000000000020"\[7\]/0000000000000020"[8]/; s/lid 13 /lid 23 /; s/"node01 HCA-1"/"node77 HCA-1"/' "$work/found" |
	sed 's/\[6\]\(.*\)4xHDR/[6]\14xEDR/; s/\(\[2\](122).*\)4xHDR/\14xEDR/' >"$work/new"
check "nodes" says 4 '^nodes     9 remain: 0 replaced, 1 renamed, 1 with another LID; 0 removed, 0 added$' --against "$work/found" "$work/new"
check "cables" says 4 '^cables    7 unchanged, 1 moved, 1 with another speed or width; 0 removed, 0 added$' --against "$work/found" "$work/new"
check "where to" says 4 '^  moved    H-node03\[1\] - .*\[8\], before H-node03\[1\] - .*\[7\]$' --against "$work/found" "$work/new"
check "the LID" says 4 '^  lid      H-node02_mlx5_0_p1: LID 23, before 13$' --against "$work/found" "$work/new"
check "the name" says 4 "^  renamed  H-node77: 'node77 HCA-1', before 'node01 HCA-1'$" --against "$work/found" "$work/new"
check "no routes" says 4 '^routes    not compared: the fabric has none$' --against "$work/found" "$work/new"
"$bin/orcs-topology" fattree:k=4,n=2 | sed 's/, routing="[a-z]*"//' >"$work/unrouted.dot"
"$bin/orcs-route" --quiet minhop -o "$work/routed.dot" fattree:k=4,n=2
check "routes where there were none" says 4 '^routes    not compared: the old fabric has none$' --against "$work/unrouted.dot" "$work/routed.dot"
check "both comparisons" says 4 '^changed$' --plan "$work/found" --against "$work/new" "$work/found"
"$bin/orcs-route" --quiet ecmp fattree:k=4,n=2 -o "$work/ecmp.dot"
check "entries of several channels" says 4 '^routes    240 pairs compared: 192 changed, 0 lost, 0 gained$' --against "$work/routed.dot" "$work/ecmp.dot"
check "are the same as themselves" says 0 '^entries   128 compared: 0 changed, ' --against "$work/ecmp.dot" "$work/ecmp.dot"

# ---- errors
check "a speed that is none" fails 3 "bad.csv:2: 'FAST' is not a speed: write for example 200, 4xHDR or HDR" \
	--plan "$(printf 'from,to,speed\na,b,fast\n' >"$work/bad.csv"; echo "$work/bad.csv")" "$work/found"
check "no plan" fails 3 "bad.txt:1: 'hello' is not a line of a plan" --plan "$(echo hello there friend >"$work/bad.txt"; echo "$work/bad.txt")" "$work/found"
check "an empty plan" fails 3 'the plan has no cables' --plan "$(echo from,to >"$work/none.csv"; echo "$work/none.csv")" "$work/found"
check "a cable of no system" fails 3 "comes before the first system" --plan "$(echo 'P1 -> T s P2' >"$work/bad.topo"; echo "$work/bad.topo")" "$work/found"
check "half a cable" fails 3 "needs the system's type" --plan "$(printf 'T s\nP1 -> T s\n' >"$work/half.topo"; echo "$work/half.topo")" "$work/found"
check "no file" fails 1 'cannot open' --plan "$work/no.csv" "$work/found"
check "lists and fabrics" fails 2 'is a list of cables, but --plan' --plan "$work/plan.ndt" --plan "$work/found" "$work/found"
check "requirements" fails 2 '--require checks the routing, which --plan and --against do not' --require minimal --plan "$work/plan.ndt" "$work/found"
check "two standard inputs" fails 2 'standard input cannot be both' --plan - - </dev/null
check "not over the plan" fails 2 'would overwrite' -o "$work/plan.ndt" --plan "$work/plan.ndt" "$work/found"

# ---- a real plan of 5,418 cables, and the report of another program
real=$data/ib/real/ufm_sdk
if [ -r "$real/switch_to_switch_topo2.ndt.xz" ] && have python3; then
	check "a real plan" says 4 ': 5418 cables: 5414 as planned, 2 miswired, 2 missing, 0 of the wrong speed; 107 unplanned$' \
		--plan "$real/switch_to_host_topo1.ndt.xz" --plan "$real/switch_to_switch_topo2.ndt.xz" "$real/ibnetdiscover_director.txt.xz"
	"$bin/orcs-check" --quiet --format json --plan "$real/switch_to_host_topo1.ndt.xz" --plan "$real/switch_to_switch_topo2.ndt.xz" \
		"$real/ibnetdiscover_director.txt.xz" >"$work/real.json"
	check "cable by cable" python3 - "$real/ndt_expected_report.json" "$work/real.json" <<'END'
import json, re, sys
report, result = (json.load(open(name)) for name in sys.argv[1:])
switch = lambda text: re.search(r"sat11[-0-9a-z]*ib0", text.lower())[0]
def theirs(text):  # "DEVICE/PORT - SWITCH/PORT" in either order
    text = re.sub(r"^(\S*ib0/\d+) - (.*)$", r"\2 - \1", text, flags=re.I)
    host, end = text.rsplit(" - ", 1)
    return re.sub(" +", " ", host.split("/")[1].lower()), switch(end), int(end.rsplit("/", 1)[1])
def ours(cable):
    ends = [(cable[k].lower(), cable[k + "_port"]) for k in ("from", "to")]
    (host, _), (end, port) = sorted(ends, key=lambda e: "ib0" in e[0])
    host = re.sub("_[0-9a-f]{16}$", "", host[2:] if host.startswith("h-") else host)
    return re.sub(" +", " ", host.replace("_", " ")), switch(end), port
kinds = {k: sorted(ours(d.get("planned") or d["found"]) for d in result["plan"]["differences"] if d["kind"] == k) for k in ("missing", "unplanned")}
assert kinds["missing"] == sorted(map(theirs, report["report"]["missing_in_ufm"])), kinds["missing"]
assert kinds["unplanned"] == sorted(map(theirs, report["report"]["missing_in_ndt"])), kinds["unplanned"]
pairs = sorted(sorted((ours(d["planned"]), ours(d["found"]))) for d in result["plan"]["differences"] if d["kind"] == "miswired")
assert pairs == sorted(sorted((theirs(d["expected"]), theirs(d["actual"]))) for d in report["report"]["miss_wired"]), pairs
END
else
	skip "no real plan in $real"
fi
for dump in psmn/X5.topofile.xz jabl_ibtopotool/1.topo ufm_sdk/small_topo_file HyungKwang/Topo6_CS7500.txt.xz; do
	if [ -r "$data/ib/real/$dump" ]; then
		check "$dump as its own plan" says 0 '^as planned$' --plan "$data/ib/real/$dump" --against "$data/ib/real/$dump" "$data/ib/real/$dump"
	else
		skip "no real dump $dump"
	fi
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
