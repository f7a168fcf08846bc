#!/bin/sh
# orcs-compare --engines, by the real OpenSM, and -R, by our engines of the same names, agree on real fabrics: agree.sh BIN_DIR [FABRIC...]
# Without FABRIC: the small ones of ORCS_TEST_DATA, and the examples.
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd) || exit 1
shift
data=${ORCS_TEST_DATA:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH:/usr/sbin:/sbin
export PATH ORCS_BIN="$bin"

# agree FABRIC: every engine that both could use has the same mean bandwidth, within 0.01; what OpenSM could not use, ours refuses, too.
agree() {
	orcs-compare --quiet --ignore-speeds --unroutable drop -n 100 --engines minhop,updn,dnup,ftree,sssp,dfsssp,lash,dor --format json \
		-o "$work/real" "$1" || [ $? -eq 3 ] || return 1
	orcs-compare --quiet --ignore-speeds --unroutable drop -n 100 -R minhop,updn,updn:roots=auto,dnup,ftree,ftree:roots=auto,compute-nodes=auto,sssp,dfsssp,lash,osm-dor \
		--format json -o "$work/ours" "$1" || return 1
	python3 - "$work/real" "$work/ours" <<-'END'
		import json
		import sys
		real, ours = ({r["routing"]: r for r in json.load(open(name))["routings"]} for name in sys.argv[1:])
		compared = wrong = 0
		for name, one in real.items():
		    two = ours["osm-dor" if name == "dor" else name]
		    if two["engine"]["failure"]:  # OpenSM gets lists only where it would refuse
		        two = ours.get({"updn": "updn:roots=auto", "ftree": "ftree:roots=auto,compute-nodes=auto"}.get(name), two)
		    if one["engine"]["failure"] or two["engine"]["failure"]:
		        if bool(one["engine"]["failure"]) != bool(two["engine"]["failure"]):
		            wrong += 1
		            print(name, "OpenSM:", one["engine"]["failure"], "ours:", two["engine"]["failure"])
		        continue
		    mean = [r["patterns"]["bisect"]["mean"] for r in (one, two)]
		    compared += 1
		    if abs(mean[0] - mean[1]) > 0.01 or one["unreachable"] != two["unreachable"]:
		        wrong += 1
		        print(name, mean, one["unreachable"], two["unreachable"])
		print(compared, "engines compared")
		sys.exit(wrong > 0 or not compared)
	END
}

if ! have opensm || ! have ibsim || ! have python3; then
	skip "opensm, ibsim or python3 is missing"
	echo "$passed passed, $failed failed, $skipped skipped"
	exit 0
fi
# A topology and its tables: the same rows by both, as they are and routed.
dumps() {
	for by in --engines -R; do
		orcs-compare --quiet -n 50 --format json $by as-is,minhop,sssp examples/cluster.ibnetdiscover examples/cluster.dump_fts |
			jq -c '[.routings[] | .patterns.bisect.mean]' >"$work/rows$by" || return 1
	done
	grep -q '^\[0[0-9.]*,0[0-9.]*,0[0-9.]*\]$' "$work/rows-R" && diff "$work/rows-R" "$work/rows--engines"
}
if have jq; then
	check "a topology and its tables" dumps
else
	skip "jq is missing: a topology and its tables"
fi

[ $# -gt 0 ] || set -- examples/cluster.ibnetdiscover "$data/ib/real/HyungKwang/Topo.1.txt" "$data/ib/real/loginoff/topo.xz" \
	"$data/ib/real/linux-rdma_ibsim/net" "$data/ib/real/nmorey_ibutils/subnet.lst.xz" "$data/ib/real/psmn/X5.topofile.xz"
for fabric in "$@"; do
	if [ -f "$fabric" ]; then
		check "$fabric" agree "$fabric"
	else
		skip "no fabric $fabric"
	fi
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
