#!/bin/sh
# orcs --counters and orcs-advise --measured: loads by another program, planted faults, all forms of counters, errors: measured.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH
real=${ORCS_TEST_DATA:-../shared/data}/counters/perfquery

# fails STATUS TEXT COMMAND...: with one line
fails() {
	wanted=$1 text=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq "$wanted" ] && grep -Fq -e "$text" "$work/err" && [ "$(grep -c . "$work/err")" -eq 1 ] && [ ! -s "$work/out" ]
}

if ! have python3; then
	skip "no python3"
	echo "$passed passed, $failed failed, $skipped skipped"
	exit 0
fi

graph=$work/graph.dot
orcs-import --quiet -o "$graph" examples/cluster.ibnetdiscover examples/cluster.dump_fts

# counters GRAPH SEED FILE [RUNS]
counters() {
	orcs --quiet --engine flow -n "${4:-2000}" --seed "$2" -p bisect --metric link_use --counters "$3" "$1" >"$work/use"
}

# measured FILE OPTION...: the counters against the graph without faults
measured() {
	orcs-advise --quiet --measured /dev/null "$@" "$graph"
}

counters "$graph" 1 "$work/sound"
check "loads by another program" sh -c '
	orcs-advise --quiet --format json --measured /dev/null "$1/sound" "$1/graph.dot" >"$1/json" && python3 tests/cli/measured.py check "$1/json" "$1/graph.dot" "$1/sound"' - "$work"
check "the dumps themselves" sh -c '
	orcs-advise --quiet --measured /dev/null "$1/sound" examples/cluster.ibnetdiscover examples/cluster.dump_fts | sed 1d >"$1/dumps"
	orcs-advise --quiet --measured /dev/null "$1/sound" "$1/graph.dot" | sed 1d | diff - "$1/dumps"' - "$work"
check "the same bytes" sh -c 'orcs --quiet --engine flow -n 2000 --seed 1 -p bisect --metric link_use --counters - -o /dev/null "$1/graph.dot" | cmp - "$1/sound"' - "$work"

# ---- faults
no_fault() { # SEED
	counters "$graph" "$1" "$work/counters" && measured "$work/counters" | grep -q '^no load differs'
}
wrong_entry() { # SEED
	python3 tests/cli/measured.py wrong "$graph" "$1" >"$work/wrong.dot" 2>"$work/planted" && counters "$work/wrong.dot" "$1" "$work/counters" &&
		measured "$work/counters" --format json >"$work/json" && python3 tests/cli/measured.py named wrong "$work/json" "$work/planted"
}
slow_cable() { # SEED
	python3 tests/cli/measured.py slow "$graph" "$1" >"$work/slow.dot" 2>"$work/planted" && counters "$work/slow.dot" "$1" "$work/counters" &&
		measured "$work/counters" --format json >"$work/json" && python3 tests/cli/measured.py named slow "$work/json" "$work/planted"
}
for seed in 1 2 3 4 5 6; do
	check "no fault, seed $seed" no_fault $seed
	check "a wrong table entry, seed $seed" wrong_entry $seed
	check "a cable at half speed, seed $seed" slow_cable $seed
done
check "text names the switch" sh -c 'orcs-advise --quiet --measured /dev/null "$1/counters" "$1/graph.dot" | grep "^slow cable: .*GUIDs 0x"' - "$work"

# ---- forms: the loads of all are the same
for form in ibqueryerrors ibdiagnet db_csv prometheus; do
	python3 tests/cli/measured.py form $form "$graph" "$work/sound" >"$work/$form"
	# shellcheck disable=SC2016 # of sh -c
	check "$form" sh -c 'orcs-advise --quiet --measured /dev/null "$1/sound" "$1/graph.dot" >"$1/is"
		orcs-advise --quiet --measured /dev/null "$1/'$form'" "$1/graph.dot" | diff "$1/is" -' - "$work"
done
# The same runs as a table of UFM: its own columns, and its rows in another order.
counters "$graph" 1 "$work/sound.csv"
check "ufm" sh -c 'orcs-advise --quiet --measured /dev/null "$1/sound.csv" "$1/graph.dot" | diff "$1/is" -' - "$work"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	{ print $1, $at["port_num"], $at["PortXmitWaitExtended"], $at["PortRcvDataExtended"], "N/A", $at["PortXmitDataExtended"], $at["node_guid"] }' "$work/sound.csv" >"$work/other.csv"
check "ufm with other columns" sh -c 'orcs-advise --quiet --measured /dev/null "$1/other.csv" "$1/graph.dot" | diff "$1/is" -' - "$work"
sed 's/node_guid/guid/' "$work/sound.csv" >"$work/other.csv"
check "ufm without GUIDs" fails 2 "the table has no columns node_guid and port_num" orcs-advise --quiet --measured /dev/null "$work/other.csv" "$graph"
check "a table of a fabric without GUIDs" fails 2 "has no GUID" orcs --quiet --engine flow -p bisect --metric link_use --counters "$work/none.csv" star:4
gzip -c "$work/sound" >"$work/sound.gz"
check "compressed" sh -c 'orcs-advise --quiet --measured /dev/null "$1/sound.gz" "$1/graph.dot" | diff "$1/is" -' - "$work"
if [ -d "$real" ]; then
	sed 's/lid="2"/lid="1719"/' "$graph" >"$work/fabric.dot"
	check "real counters" sh -c 'orcs-advise --quiet --measured /dev/null "$2/0x7cfe9003009ce5b0.out" "$1/fabric.dot" | grep "counters of 4 of 86 channels"' - "$work" "$real"
else
	skip "no counters in $real"
fi

# ---- differences of two readings
sed 's/^\(PortXmitData:\.*\).*/\10/; s/^\(PortRcvData:\.*\).*/\10/; s/^\(PortXmitWait:\.*\).*/\10/' "$work/sound" >"$work/zero"
check "from 0" sh -c 'orcs-advise --quiet --measured "$1/zero" "$1/sound" "$1/graph.dot" | diff "$1/is" -' - "$work"
counters "$graph" 1 "$work/later" 4000
sed '0,/^PortXmitData/s/^\(PortXmitData:\.*\).*/\17/; 0,/^PortRcvData/s/^\(PortRcvData:\.*\).*/\17/' "$work/later" >"$work/twofold"
check "reset" sh -c 'orcs-advise --quiet --measured "$1/sound" "$1/twofold" "$1/graph.dot" | grep "^counters that are smaller than before, as they were reset, and count from 0: 1$"' - "$work"
counters "$graph" 2 "$work/short" 500
check "exchanged files" sh -c 'orcs-advise --quiet --measured "$1/sound" "$1/short" "$1/graph.dot" | grep "; or are the two files exchanged"' - "$work"
check "the same file twice" fails 2 "no counter of data is larger than before" orcs-advise --quiet --measured "$work/sound" "$work/sound" "$graph"
check "counters of another fabric" sh -c 'orcs-advise --quiet --measured /dev/null "$1/sound" examples/fattree36_dor.dot | grep "^the tables hardly explain the loads"' - "$work"
check "counters of this one" sh -c '! grep "hardly" "$1/is"' - "$work"
sed 's/extended //; 0,/^PortXmitData/s/^\(PortXmitData:\.*\).*/\14294967295/' "$work/sound" >"$work/full"
check "32 bits" sh -c 'orcs-advise --quiet --measured /dev/null "$1/full" "$1/graph.dot" | grep "^counters of 32 bits that are full and not used: 1;"' - "$work"

# ---- errors
check "one file" fails 2 "requires two files of counters" orcs-advise "$graph" --measured "$work/sound"
check "no counters" fails 2 "there are no counters of ports" orcs-advise --measured /dev/null "$graph" "$graph"
check "no such file" fails 1 "$work/none" orcs-advise --measured /dev/null "$work/none" "$graph"
{ cat "$work/sound" && sed 's/^\(PortXmitData:\.*\).*/\17/' "$work/sound"; } >"$work/twice"
check "two readings in a file" fails 2 "use one file for each reading" orcs-advise --measured /dev/null "$work/twice" "$graph"
printf '# Port extended counters: Lid 2 port 1 (\nPortXmitData:....99999999999999999999\n' >"$work/huge"
check "huge" fails 2 "huge:2: a counter is not a number below 2^64" orcs-advise --measured /dev/null "$work/huge" "$graph"
check "without tables" fails 3 "the fabric is not routed" orcs-advise --quiet --measured /dev/null "$work/sound" examples/cluster.ibnetdiscover
check "with -o" fails 2 "--measured writes no files" orcs-advise -o "$work/new" --measured /dev/null "$work/sound" "$graph"
check "no link_use" fails 2 "add --engine flow --metric link_use" orcs --counters "$work/new" "$graph"
check "no LIDs" fails 2 "has no LID, which --counters needs" orcs --engine flow --metric link_use --counters "$work/new" star:4
check "nothing is left" [ ! -e "$work/new" ]

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
