#!/bin/sh
# One plane of a fabric gives the results of that plane by itself, from a graph, a cache and a dump: planes.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd) || exit 1
PATH=$bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

# Two fabrics with tables, without the names of their topologies; together they are one graph.
orcs-route --quiet minhop torus:3x3,hosts=2 | grep -v '^	graph' >"$work/1.dot"
orcs-route --quiet minhop fattree:k=2,n=3 | grep -v '^	graph' | sed -E 's/\b([HS][0-9][0-9_]*)\b/\1b/g' >"$work/2.dot"
{
	printf 'digraph both {\n\tnode [type="switch"];\n'
	grep -hv -e '^digraph' -e '^}' -e '^	graph' -e '^	node' "$work/1.dot" "$work/2.dot"
	echo '}'
} >"$work/both.dot"
orcs --quiet --save-fabric "$work/both.cache" "$work/both.dot"

# The same output, but for the name of the file and the command: alike FILE OF_PLANE PLANE PROGRAM OPTION...
alike() {
	file=$1 plane=$2
	shift 2
	"$@" --plane "$plane" "$work/$file" >"$work/got" 2>&1
	got=$?
	"$@" "$work/$plane.dot" >"$work/wanted" 2>&1
	[ $got -eq $? ] || return 1
	sed -E -i "s#$work/(both|1|2)\.(dot|cache)#FILE#g; s/\"--plane\",\"[0-9]+\",//; s/^digraph.*//; s/(topology|routing)=.*//" "$work/got" "$work/wanted"
	diff "$work/wanted" "$work/got"
}

for plane in 1 2; do
	for file in both.dot both.cache; do
		check "orcs, $file, plane $plane" alike $file $plane orcs --quiet -n 20 -p rand --metric hist_acc_band --metric sum_max_cong --format json
		check "orcs-check, $file, plane $plane" alike $file $plane orcs-check --quiet --require minimal
		check "orcs-bound, $file, plane $plane" alike $file $plane orcs-bound
	done
	check "orcs, flows, plane $plane" alike both.dot $plane orcs --quiet --engine flow -p alltoall --bytes 1M --capacity 100G --metric makespan
	check "orcs, routed again, plane $plane" alike both.dot $plane orcs --quiet -R updn -n 5 -p rand
	check "orcs, cables, plane $plane" alike both.dot $plane orcs --quiet -n 5 -p rand --metric get_cable_cong
	check "orcs-route, plane $plane" alike both.dot $plane orcs-route --quiet minhop
	check "orcs-compare, plane $plane" alike both.dot $plane orcs-compare --quiet -n 5 -R minhop
done

# Refusals, and the lines of orcs-check.
says() { # STATUS TEXT COMMAND...
	status=$1 text=$2
	shift 2
	"$@" >"$work/out" 2>&1
	[ $? -eq "$status" ] && grep -qF -e "$text" "$work/out"
}
check "no such plane" says 2 '--plane 3: the fabric has 2 planes' orcs --plane 3 "$work/both.dot"
check "pairs of two planes" says 3 '--plane N selects one of them' sh -c 'orcs -p alltoall <"$0"' "$work/both.dot"
check "orcs-compare of two files" says 0 '8 hosts, 8 ranks' orcs-compare --quiet -n 3 --plane 2 "$work/both.dot" "$work/both.cache"
orcs --quiet -n 20 -p rand --plane 1 --checkpoint "$work/checkpoint" "$work/both.dot" >/dev/null
check "a checkpoint is of its plane" says 2 'it was written with --plane 1, not 2' orcs --quiet -n 20 -p rand --plane 2 --resume "$work/checkpoint" "$work/both.dot"
check "orcs-import has all" says 2 'the graph has all planes' orcs-import --plane 1 tests/import/data/rails.topology
check "a fabric of one plane" says 0 '18 hosts' orcs-check --plane 1 "$work/1.dot" --require routable
check "orcs-bound: a line per plane" says 0 '2          8        12                         8                  2              0.8750  1.0000 .. 1.0000            0.914286' orcs-bound --quiet "$work/both.dot"
check "orcs-bound: their total" says 0 'total     26        21                        18                  4              0.8750  1.0000 .. 1.0000            0.973626' orcs-bound --quiet "$work/both.dot"
check "orcs-bound: a witness of one plane" says 2 'orcs-bound: --witness is for one plane, and the fabric has 2: --plane N' orcs-bound --witness "$work/w" "$work/both.dot"
# JSON has the result of each plane, CSV the channels of all.
bounds_of_planes() {
	orcs-bound --quiet -p shift:1 --format json "$work/both.dot" >"$work/all.json" && orcs-bound --quiet -p shift:1 --format csv "$work/both.dot" >"$work/all.csv" || return 1
	for plane in 1 2; do
		orcs-bound --quiet -p shift:1 --format json --plane $plane "$work/both.dot" >"$work/one.json" &&
			orcs-bound --quiet -p shift:1 --format csv --plane $plane "$work/both.dot" | sed "1d; s/^/$plane,/" >"$work/one.csv" &&
			grep "^$plane," "$work/all.csv" | diff - "$work/one.csv" && python3 - "$work/all.json" "$work/one.json" $plane <<-'END' || return 1
				import json
				import sys
				every, one = (json.load(open(name)) for name in sys.argv[1:3])
				result = [p["result"] for p in every["planes"] if p["plane"] == int(sys.argv[3])][0]
				result.pop("command"), one.pop("command")
				sys.exit(result != one)
			END
	done
}
check "orcs-bound: JSON and CSV of the planes" bounds_of_planes
check "a line per plane" says 4 'plane 2   8 hosts, 12 switches; 56 pairs: all routable, deadlock free' orcs-check "$work/both.dot"
check "and their total" says 4 'total     26 hosts, 21 switches; 362 pairs: all routable, deadlock possible' orcs-check "$work/both.dot"

# orcs without --plane: the results of the planes, and their total.
joined() { # OPTION...
	orcs --quiet "$@" --format json "$work/both.dot" >"$work/joined.json" && orcs --quiet "$@" --format csv "$work/both.dot" >"$work/joined.csv" &&
		orcs --plane 1 --quiet "$@" --format json "$work/both.dot" >"$work/1.json" &&
		orcs --plane 2 --quiet "$@" --format json "$work/both.dot" >"$work/2.json" || return 1
	python3 - "$work" <<'EOF'
import csv, json, sys
read = lambda name: open(sys.argv[1] + "/" + name).read()
joined, rows = json.loads(read("joined.json")), list(csv.DictReader(read("joined.csv").splitlines()))
one = [json.loads(read("%d.json" % plane)) for plane in (1, 2)]
for plane in (1, 2):
    assert read("%d.json" % plane).strip() in read("joined.json"), "not the bytes of plane %d" % plane
    assert joined["planes"][plane - 1] == {"plane": plane, "result": one[plane - 1]}
hosts = [result["fabric"]["hosts"] for result in one]
assert hosts == [18, 8] and joined["total"]["hosts"] == 26 and joined["total"]["switches"] == 21
assert [row["plane"] for row in rows] == ["1", "2", "total"]
assert len(joined["total"]["metrics"]) == sum("." in column for column in rows[0])
for metric, values in joined["total"]["metrics"].items():
    (key, value), = values.items()
    each = [result["metrics"][metric][key] for result in one]
    largest = metric in ("sum_max_cong", "dep_max_delay", "makespan")
    wanted = max(each) if largest else sum(h * v for h, v in zip(hosts, each)) / sum(hosts)
    assert abs(value - wanted) < 1e-12 * wanted, metric
    assert [float(row[metric + "." + key]) for row in rows] == each + [value], metric
EOF
}
check "the planes of orcs" joined -n 30 -p rand --metric hist_acc_band,hist_max_cong,sum_max_cong,dep_max_delay
check "the planes of orcs, routed" joined -R minhop-orcs -n 900 -p bisect --precision 0.2
check "the planes of orcs, flows" joined --engine flow -p alltoall --bytes 1M --capacity 100G --metric makespan,throughput
check "a line per plane of orcs" says 0 'total     26        21     -' orcs --quiet -n 30 -p rand "$work/both.dot"
check "hosts of planes in JSON" says 0 '"hosts":["H0b",' orcs --quiet --print-hosts --raw --format json --subset file_order "$work/both.dot"
check "--fail-if of a plane" says 4 "plane 2: --fail-if 'sum_max_cong.max < 5' holds" \
	orcs -n 3 -p rand --metric sum_max_cong --fail-if 'sum_max_cong.max < 5' "$work/both.dot"
check "ranks on one plane" says 0 'mean: ' orcs --quiet -n 3 -s 10 -p rand "$work/both.dot"
check "too many ranks for a plane" says 2 'plane 1: ' orcs -n 3 -s 20 -p rand "$work/both.dot"
check "pairs of two planes, dropped" says 0 'connections left out' orcs -n 3 -p rand --unroutable drop "$work/both.dot"
for option in --plot="$work/x.pdf" --save-fabric="$work/x" --checkpoint="$work/x" --metric=get_cable_cong --raw --print-hosts; do
	check "$option is for one plane" says 2 'is for one plane, and the fabric has 2: --plane N selects one of them' \
		orcs -n 3 -p rand "$option" "$work/both.dot"
done

# orcs-compare without --plane: the same.
compared() { # OPTION... FABRIC...
	orcs-compare --quiet --format json "$@" >"$work/joined.json" && orcs-compare --quiet --format csv "$@" >"$work/joined.csv" &&
		orcs-compare --plane 1 --quiet --format json "$@" >"$work/1.json" &&
		orcs-compare --plane 2 --quiet --format json "$@" >"$work/2.json" || return 1
	python3 - "$work" <<'EOF'
import csv, json, sys
read = lambda name: open(sys.argv[1] + "/" + name).read()
joined, rows = json.loads(read("joined.json")), list(csv.DictReader(read("joined.csv").splitlines()))
one = [json.loads(read("%d.json" % plane)) for plane in (1, 2)]
for plane in (1, 2):
    assert read("%d.json" % plane).strip() in read("joined.json"), "not the bytes of plane %d" % plane
    assert joined["planes"][plane - 1] == {"plane": plane, "result": one[plane - 1]}
assert [result["hosts"] for result in one] == [18, 8] and joined["total"]["hosts"] == 26
routings, patterns = one[0]["routings"], one[0]["routings"][0]["patterns"]
assert len(rows) == 3 * len(routings) * len(patterns)
for i, routing in enumerate(joined["total"]["routings"]):
    assert routing["routing"] == routings[i]["routing"] and list(routing["patterns"]) == list(patterns)
    for p, (pattern, value) in enumerate(routing["patterns"].items()):
        each = [result["routings"][i]["patterns"][pattern]["mean"] for result in one]
        assert abs(value["mean"] - (18 * each[0] + 8 * each[1]) / 26) < 1e-12
        its = [row for row in rows if row["pattern"] == pattern][i::len(routings)]
        assert [row["plane"] for row in its] == ["1", "2", "total"]
        assert [float(row["bandwidth"]) for row in its] == each + [value["mean"]]
EOF
}
check "planes of orcs-compare, engines" compared -n 20 -R minhop,updn-orcs -p rand,bisect "$work/both.dot"
orcs-route --quiet --allow-unreachable minhop-orcs "$work/both.dot" >"$work/again.dot"
check "planes of orcs-compare, files" compared -n 200 --precision 0.2 -p rand "$work/both.cache" "$work/again.dot"
check "orcs-compare of a plane and of a fabric" says 0 '18 hosts of all fabrics' orcs-compare --quiet -n 3 -p rand "$work/both.dot" "$work/1.dot"
check "orcs-compare, dropped" says 0 'which have no route' orcs-compare --quiet -n 3 -p rand --unroutable drop "$work/both.dot"
for option in --plot="$work/x.pdf" --keep="$work/kept"; do
	check "$option is for one plane" says 2 'is for one plane, and the fabric has 2: --plane N selects one of them' \
		orcs-compare -n 3 -R minhop "$option" "$work/both.dot"
done
check "nothing is kept then" [ ! -e "$work/kept" ]

# Rails are judged by themselves, other parts are not: NAMES is how the second port of machine n1 is called.
rails() { # NAMES
	for rail in 0 1; do
		printf 'vendid=0x2c9\ndevid=0xd2f0\nswitchguid=0x%x(%x)\nSwitch\t41 "S-%016x"\t\t# "leaf %d" enhanced port 0 lid 90 lmc 0\n' \
			$((512 + rail)) $((512 + rail)) $((512 + rail)) $rail
		for machine in 1 2 3 4; do
			printf '[%d]\t"H-%016x"[1](%x) \t\t# "%s%d mlx5_%d" lid %d 4xHDR\n' $machine $((4096 + machine * 16 + rail)) \
				$((4096 + machine * 16 + rail)) "$([ $rail = 0 ] && echo n || echo "$1")" $machine $rail $machine
		done
		printf '\n'
	done >"$work/dump"
	orcs-import --quiet "$work/dump" | orcs-route --quiet --allow-unreachable minhop - >"$work/rails.dot" 2>/dev/null
}
rails n
check "rails are judged by themselves" says 0 'the planes are rails of the same machines' orcs-check "$work/rails.dot"
rails m
check "parts of other machines are not" says 4 'not routable' orcs-check "$work/rails.dot"

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
