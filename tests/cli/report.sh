#!/bin/sh
# orcs-report: its pages in a headless Chromium, by an independent count of the routes, and what it refuses: report.sh BIN_DIR
# SAN builds (BIN_DIR has san in its name) take the smaller fabrics only.
set -u

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$bin:$PATH
. tests/lib.sh
own_font_cache
data=${ORCS_TEST_DATA:-../shared/data}/ib

# Fails with the status and a line with the text, and writes no file: refuses STATUS TEXT ARGUMENT...
refuses() {
	wanted=$1
	text=$2
	shift 2
	orcs-report --quiet -o "$work/none.html" "$@" >"$work/out" 2>"$work/err" </dev/null
	[ $? -eq "$wanted" ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q "^orcs-report: .*$text" "$work/err" &&
		[ ! -e "$work/none.html" ]
}

sed 's/comment="[^"]*"/port_="1"/' examples/fattree16.dot >"$work/unrouted.dot"
sed '/H3/s/->/-- ->/' examples/fattree16.dot >"$work/broken.dot"
check "an unrouted fabric" refuses 3 'the fabric is not routed: add -R ENGINE' "$work/unrouted.dot"
check "an unrouted dump" refuses 3 'the fabric is not routed: add -R ENGINE' examples/cluster.ibnetdiscover
check "a broken fabric" refuses 3 'broken.dot:[0-9]*: ' "$work/broken.dot"
check "a fabric of one host" refuses 3 'has one host' -R minhop star:1
check "a missing file" refuses 1 'missing.dot: cannot open' "$work/missing.dot"
check "an unknown engine" refuses 2 "unknown routing engine 'minhopp'" -R minhopp examples/fattree16.dot
check "no engine routes it" refuses 3 'there is no routing to compare with' -R dmodk "$work/unrouted.dot"
check "-R and --advise" refuses 2 'exclude one another' -R minhop --advise examples/fattree16.dot
check "a comparison that is none" refuses 3 'fattree16.dot:1: broken JSON' --compare examples/fattree16.dot examples/fattree16.dot
orcs-compare --quiet -R as-is,ftree -n 5 --format json examples/fattree16.dot >"$work/compared.json"
check "a comparison of another fabric" refuses 3 'of another fabric, on 16 hosts instead of 36' --compare "$work/compared.json" examples/fattree36_dor.dot
check "machines of jobs that are missing" sh -c "orcs-report --quiet --jobs examples/slurm.jobs examples/fattree36_dor.dot | grep -q 'does not have: 16, first node01'"
check "text of a fabric" refuses 2 '--format text is for two reports' --format text examples/fattree16.dot
check "a form that a report has not" sh -c "! orcs-report -o '$work/x.pdf' examples/fattree16.dot 2>'$work/err' && grep -q 'the browser prints it to PDF' '$work/err' && [ ! -e '$work/x.pdf' ]"
cut_off() {
	orcs-report --quiet --jobs examples/slurm.jobs --fail spine1 -o "$work/cut.html" examples/cluster.ibnetdiscover examples/cluster.dump_fts &&
		grep -q 'The jobs cannot be compared: no route from .*H-node04.* to .*H-node07' "$work/cut.html" && grep -q '<b>Reach</b>' "$work/cut.html" &&
		orcs-report --quiet --jobs examples/slurm.jobs --fail spine1 --format json examples/cluster.ibnetdiscover examples/cluster.dump_fts |
		jq -e '.jobs == null and (.jobs_refusal | startswith("no route"))'
}
check "jobs that a failure cuts off" cut_off
check "an output that is an input" sh -c 'cp examples/fattree16.dot "$1/in.dot"; ! orcs-report -o "$1/in.dot" "$1/in.dot" 2>/dev/null && cmp -s examples/fattree16.dot "$1/in.dot"' - "$work"

same_twice() {
	orcs-report --quiet -R updn,ftree -o "$work/first.html" examples/fattree16.dot &&
		orcs-report --quiet -R updn,ftree -o "$work/second.html" examples/fattree16.dot &&
		sed -i 's/first\.html/second.html/g' "$work/first.html" && cmp "$work/first.html" "$work/second.html"
}
check "the same bytes twice" same_twice
check "loads to the last digit" sh -c "orcs-report --quiet --format json examples/fattree16.dot | jq -e '.units[0] * 15 - 1 | fabs < 1e-12'"
from_input() {
	orcs-report --quiet --title x -o "$work/second.html" "$work/in.dot" && sed "s#$work/in.dot#-#g" "$work/second.html" >"$work/first.html" &&
		orcs-report --quiet --title x -o "$work/second.html" - <"$work/in.dot" &&
		for file in first second; do sed -i 's/ \(\xc2\xb7\) files of [^\xc2]*//; s/&lt;stdin&gt;/-/; s/"file":"<stdin>"/"file":"-"/; s/"file":"[^"]*"//' "$work/$file.html"; done &&
		cmp "$work/first.html" "$work/second.html"
}
check "standard input" from_input
if have mpirun; then
	export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
	three() {
		orcs-report --quiet -R updn,sssp --format json "$work/in.dot" >"$work/one" &&
			ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun -n 3 "$bin/orcs-report" --quiet -R updn,sssp --format json "$work/in.dot" >"$work/three" &&
			sed -i 's#"command":\["[^"]*orcs-report"#"command":["orcs-report"#' "$work/one" "$work/three" && cmp "$work/one" "$work/three"
	}
	check "three processes" three
else
	skip "no mpirun: three processes"
fi

# ---- results
if have jq; then
	orcs-report --quiet -R updn -o "$work/dor.json" examples/fattree36_dor.dot
	orcs-route --quiet ftree examples/fattree36_dor.dot -o "$work/ftree.dot" && orcs-report --quiet -o "$work/ftree.json" "$work/ftree.dot"
	check "the verdict is that of orcs-check" sh -c 'orcs-check --quiet --format json examples/fattree36_dor.dot | jq .load.above >"$1/wanted"
		jq .verdict.above "$1/dor.json" | diff "$1/wanted" -' - "$work"
	check "rivals are those of orcs-bound" sh -c 'orcs-bound --quiet --parts loads --format json examples/fattree36_dor.dot |
		jq -c "[.. | .tiers? | select(.)][0] | map(.rivals * 1e4 | round)" >"$1/wanted"
		jq -c ".tiers | map(.rivals * 1e4 | round)" "$1/dor.json" | diff "$1/wanted" -' - "$work"
	orcs-compare --quiet -n 50 -R as-is,updn --format json examples/fattree36_dor.dot >"$work/compared.json"
	check "routings of orcs-compare" sh -c 'orcs-report --quiet --format json --compare "$1/compared.json" examples/fattree36_dor.dot |
		jq -e ".engines | length == 2 and .[1].name == \"updn\" and .[0].reported"' - "$work"
	check "changes: better" sh -c 'orcs-report --format json "$1/dor.json" "$1/ftree.json" |
		jq -e "(.figures[] | select(.figure == \"above\").verdict) == \"better\" and (.better | length) == 12 and (.worse | length) == 0"' - "$work"
	check "changes: worse" sh -c 'orcs-report --format json "$1/ftree.json" "$1/dor.json" |
		jq -e "(.figures[] | select(.figure == \"bisect\").verdict) == \"worse\" and (.worse | length) == 12 and (.better | length) == 0"' - "$work"
	check "changes: none" sh -c 'orcs-report --format json "$1/dor.json" "$1/dor.json" |
		jq -e "all(.figures[]; .verdict == \"same\") and (.worse + .better + .new + .gone == [])"' - "$work"
	check "one result and a fabric" says 2 'compared two at a time' orcs-report "$work/dor.json" examples/fattree16.dot
	# a cable that is slow in one direction only: what its columns give is what the verdict has, in the page and in the comparison
	slow_one_way() {
		sed '/"leaf0" -> "spine0"/s/speed="100"/speed="25"/' examples/fattree16.dot >"$work/slow.dot"
		orcs-report --quiet -o "$work/slow.json" "$work/slow.dot" && orcs-report --quiet -o "$work/even.json" examples/fattree16.dot || return 1
		# shellcheck disable=SC2016 # of jq
		jq -e '. as $r | .cables as $c | .verdict.above > 0 and ($c | has("speed_ba")) and .verdict.above == ([range($c.a | length) as $i |
			($c.ab[$i] * $r.units[$c.speed[$i]] / $r.shares[$c.share[$i]]),
			($c.ba[$i] * $r.units[$c.speed_ba[$i]] / $r.shares[($c.share_ba // $c.share)[$i]])] | map(select(. > 1.05)) | length)' "$work/slow.json" >"$work/out" &&
			orcs-report --format json "$work/even.json" "$work/slow.json" | jq -e '[.worse[] | .from + .to] == ["leaf0spine0"]'
	}
	check "a cable that is slow in one direction" slow_one_way
	check "columns of the wrong length" sh -c 'jq -c ".cables.share_ba = [0]" "$1/dor.json" >"$1/short.json"
		orcs-report "$1/dor.json" "$1/short.json" 2>"$1/err"; [ $? -eq 3 ] && grep -q "differ in length" "$1/err"' - "$work"
	# what all cables of a level must carry together, though no cable of the leaf with two hosts is scarce
	capacity() {
		orcs-report --quiet --fail "$(seq -s , -f H0_%g 0 13)" -R minhop -o "$work/few.json" leafspine:8,4,16 &&
			jq -e '(.tiers[] | select(.from == 0 and .to == 1) | [.mean, .share] | map(. * 100 | round)) == [310, 316] and
				any(.advice[]; .text | test("oversubscribed 3.10 to 1: no routing can deliver more than 0.32 "))' "$work/few.json"
	}
	check "capacity of a level" capacity
	check "idle channels of one switch" sh -c 'orcs-report --quiet --format json -R minhop leafspine:2,2,1 |
		jq -e ".advice[0].text | test(\"^4 channels carry no route, all at S2_[01][.]\")"' - "$work"
	check "routes that are longer than they must be" sh -c 'orcs-report --quiet --format json dcell:4,1 |
		jq -e ".advice[0].text | test(\"^20 of 20 channels .* Its routes are longer than they must be: the mean load is 1.42, the mean fair share 1.26[.]\")"'
	# every cable is a line of two halves, in the order of ports at both ends, of a small tree; of others the matrix shows where it is
	lines_of() {
		orcs-report --quiet -o "$work/lines.html" "$@" && sed -n '/id="where"/,/id="levels"/p' "$work/lines.html" >"$work/where"
	}
	few_switches() {
		lines_of examples/fattree36_dor.dot && [ "$(grep -c '<title>leaf[0-5] port' "$work/where")" -eq 36 ] &&
			[ "$(grep -c '<title>spine[0-5] port' "$work/where")" -eq 36 ] && ! grep -q 'data-matrix' "$work/where" &&
			grep -q '<title>leaf0 port 7 → spine0 port 1: load 5.14, ×5.14 of its share: severe</title>' "$work/where" &&
			[ "$(grep -c 'class="l6"' "$work/where")" -eq 12 ] && lines_of -R dor torus:4x4,hosts=2 && ! grep -q '<title>S0' "$work/where" &&
			lines_of -R sssp jellyfish:30,8,4 && grep -q 'data-matrix="0"' "$work/where" && ! grep -q 'id="matrices"' "$work/lines.html" &&
			lines_of -R minhop star:3 && [ ! -s "$work/where" ]
	}
	check "lines and matrices of small fabrics" few_switches
	# eight machines of two rails, of which one has its ports swapped
	swapped() {
		awk 'BEGIN { print "digraph {"; for (s = 0; s < 2; s++) { printf "\"leaf%d\" [type=\"switch\"]; \"leaf%d\" -> \"top\"; \"top\" -> \"leaf%d\";\n", s, s, s
			for (m = 0; m < 8; m++) { h = "H" m "_" s; leaf = "leaf" (m == 5 ? 1 - s : s)
				printf "\"%s\" [type=\"host\", desc=\"node%d mlx5_%d\"]; \"%s\" -> \"%s\"; \"%s\" -> \"%s\";\n", h, m, s + 3, h, leaf, leaf, h } }
			print "\"top\" [type=\"switch\"]; }" }' >"$work/rails.dot"
		orcs-report --quiet -R minhop -o "$work/rails.html" "$work/rails.dot" && sed 's/<[^>]*>/ /g' "$work/rails.html" | tr -s ' ' >"$work/rails" &&
			grep -q '^ node5 mlx5_3 mlx5_3 leaf1 mlx5_4 node5 mlx5_4 $' "$work/rails" &&
			grep -q '^ node5 mlx5_4 mlx5_4 leaf0 mlx5_3 node5 mlx5_3 $' "$work/rails"
	}
	check "the rails of swapped ports" swapped
	check "JSON of another program" says 3 "not a result of 'orcs-report" orcs-report "$work/dor.json" "$work/compared.json"
	# two fabrics without a cable between them
	sed 's/"H\([0-9]*\)"/"BH\1"/g; s/"leaf/"Bleaf/g; s/"spine/"Bspine/g; s/\([",]\)H\([0-9]\)/\1BH\2/g; s/guid="0x00/guid="0x11/g' examples/fattree16.dot |
		grep -v '^digraph\|^}\|^//' >"$work/second"
	{ grep -v '^}' examples/fattree16.dot && cat "$work/second" && echo '}'; } | sed 's/ lid="[0-9]*",//' >"$work/planes.dot"
	check "pairs of other planes are not missed" sh -c 'orcs-report --quiet --format json "$1/planes.dot" |
		jq -e ".verdict | .pairs == 480 and .unreachable == 0 and .above == 0"' - "$work"
	check "a cable with one direction" sh -c 'grep -v "\"leaf0\" -> \"spine0\"" examples/fattree16.dot >"$1/oneway.dot"
		orcs-report --quiet --format json "$1/oneway.dot" | jq -e "(.verdict.unreachable > 0) and (.advice[0].kind == \"Reach\") and
			(.oddities | any(.kind == \"Channels without the opposite direction\" and .count == 1))"' - "$work"
	check "a failed cable" sh -c 'orcs-report --quiet --format json --fail leaf0:5 examples/fattree16.dot | jq -e ".verdict.unreachable > 0"'
	cluster="examples/cluster.ibnetdiscover examples/cluster.dump_fts"
	jobs_alike() {
		# shellcheck disable=SC2086 # two files
		orcs-report --quiet --jobs examples/slurm.jobs --format json $cluster | jq -c '[.jobs[] | [.id, .hosts, (.slowdown * 1e6 | round)]]' >"$work/ours" &&
			orcs-jobs --quiet --jobs examples/slurm.jobs --format json $cluster | jq -c '[.jobs[] | [.id, .hosts, (.slowdown * 1e6 | round)]]' | cmp - "$work/ours" &&
			grep -q '"4242",8,2142857' "$work/ours"
	}
	check "running jobs are those of orcs-jobs" jobs_alike
	printf '<script>alert(1)</script>&"x H0,H1,H4,H5\n9 H2,H6\n' >"$work/jobs"
	jobs_in_page() {
		orcs-report --quiet --jobs "$work/jobs" -o "$work/jobs.html" examples/fattree16.dot && grep -q 'id="jobs-head">Running jobs<' "$work/jobs.html" &&
			grep -q '&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;x' "$work/jobs.html" && ! grep -q '<script>alert' "$work/jobs.html"
	}
	check "hostile jobs are shown and inert" jobs_in_page
	check "no jobs, no section" sh -c 'orcs-report --quiet -o "$1/jobless.html" examples/fattree16.dot && ! grep -q "jobs-head" "$1/jobless.html"' - "$work"
	printf '1 H[3-\n' >"$work/wrong.jobs"
	check "a wrong list of jobs" refuses 2 "jobs:1: job '1'" --jobs "$work/wrong.jobs" examples/fattree16.dot
	check "options of jobs alone" refuses 2 'are for --jobs' --ports x examples/fattree16.dot
	# a program: what its phases put on channels, by an independent count
	program() { # FABRIC SEED
		PYTHONPATH=tests/cli PYTHONDONTWRITEBYTECODE=1 python3 tests/cli/report_program.py "$1" "$2" "$work/p.trace" "$work/p.map" "$work/p.out" &&
			orcs-report --quiet --format json -p "trace:$work/p.trace" --mapping "file:$work/p.map" "$1" | jq -r '.program | [.messages, .phases, .bytes,
				.fullest, .least, (.slowest_messages[0].fullest // 0)] | map(tostring) | join(" ")' | diff "$work/p.out" -
	}
	for seed in 1 2 3 4 5 6; do
		check "the phases of program $seed" program examples/fattree36_dor.dot "$seed"
		check "the phases of program $seed on another fabric" program examples/fattree16.dot "$seed"
	done
	program_in_page() {
		orcs-report --quiet -p trace:examples/pipeline.trace -o "$work/program.html" examples/fattree16.dot &&
			grep -q 'id="program-head">The program<' "$work/program.html" && grep -q 'rank 0 to rank 1: 8 MB' "$work/program.html"
	}
	check "a program in the page" program_in_page
	check "a program of too many ranks" refuses 2 '36 ranks, but only 16 hosts' -p sweep:6x6 examples/fattree16.dot
	check "a program that is unknown" refuses 2 "unknown pattern 'x'" -p x examples/fattree16.dot
	check "a mapping alone" refuses 2 '--mapping is for --pattern' --mapping random examples/fattree16.dot
	head -c 3000 "$work/dor.json" >"$work/cut.json"
	check "a result that is cut" says 3 'cut.json:[0-9]*: broken JSON' orcs-report "$work/dor.json" "$work/cut.json"
else
	skip "no jq: results"
fi

# ---- pages
small=
case $1 in *san*) small=1 ;; esac
if ! have python3; then
	skip "no python3: pages"
elif ! python3 -c 'import sys; sys.path.insert(0, "tests/cli"); import browser; sys.exit(not browser.program())'; then
	skip "no chromium: pages"
else
	mkdir "$work/pages"
	SMALL=$small PYTHONPATH=tests/cli PYTHONDONTWRITEBYTECODE=1 python3 tests/cli/report.py "$bin" "$work/pages" "$data" >"$work/said" 2>&1
	status=$?
	grep -v '^[0-9]* passed' "$work/said"
	sums=$(grep '^[0-9]* passed' "$work/said" || echo "0 passed, 1 failed, 0 skipped")
	passed=$((passed + $(echo "$sums" | awk '{ print $1 }')))
	failed=$((failed + $(echo "$sums" | awk '{ print $3 }')))
	skipped=$((skipped + $(grep -c '^SKIPPED' "$work/said")))
	[ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
