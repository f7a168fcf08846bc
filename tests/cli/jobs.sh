#!/bin/sh
# Jobs beside one another: forms of lists, numbers against an independent count, advice, errors: jobs.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/cli

bin=$(cd "$1" && pwd)
data=${ORCS_TEST_DATA:-../shared/data}/ib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH
export PATH
tree=examples/fattree324.dot

# ---- numbers
# counted GRAPH PATTERN [OPTION...]: as the reference counts; the jobs are in $work/jobs, their hosts in $work/hosts
counted() {
	graph=$1
	pattern=$2
	shift 2
	orcs-jobs --quiet --jobs "$work/jobs" -p "$pattern" --format json "$@" -o "$work/result" "$graph" &&
		python3 tests/cli/jobs.py "$work/result" "$graph" "$work/hosts" "$pattern"
}
patterns="alltoall shift:1 bruck alltoall_flood recdbl gather allreduce_ring"
if have python3; then
	printf 'a H[0-19]\nb H[20-30,36-40]\nlone H50\nnone X[1-2]\nc H[41-49],H[100,120,140,160,180]\n' >"$work/jobs"
	printf 'a H0,H1,H2,H3,H4,H5,H6,H7,H8,H9,H10,H11,H12,H13,H14,H15,H16,H17,H18,H19\nb H20,H21,H22,H23,H24,H25,H26,H27,H28,H29,H30,H36,H37,H38,H39,H40\nlone H50\nnone\nc H41,H42,H43,H44,H45,H46,H47,H48,H49,H100,H120,H140,H160,H180\n' >"$work/hosts"
	for pattern in $patterns; do
		check "$pattern on a tree" counted $tree "$pattern"
	done
	orcs-route --quiet updn-orcs torus:4x4,hosts=2 -o "$work/torus.dot"
	awk '/type="host"/ { gsub(/["; \t]/, ""); sub(/\[.*/, ""); print }' "$work/torus.dot" | head -n 32 >"$work/all"
	for job in 1 2 3 4; do
		echo "j$job $(awk "NR % 4 == $job % 4" "$work/all" | tr '\n' ',' | sed 's/,$//')"
	done >"$work/jobs"
	cp "$work/jobs" "$work/hosts"
	for pattern in alltoall recdbl gather; do
		check "$pattern on a torus" counted "$work/torus.dot" "$pattern"
	done
	altered() {
		sed -i 's/"slowdown":\([0-9.]*\)/"slowdown":1\1/' "$work/result"
		! python3 tests/cli/jobs.py "$work/result" "$work/torus.dot" "$work/hosts" gather
	}
	check "another number is noticed" altered
	# ---- in time
	timed() { # PATTERN
		orcs-jobs --quiet --engine flow --bytes 64k --jobs "$work/jobs" -p "$1" --format json -o "$work/result" "$work/torus.dot" &&
			python3 tests/cli/job_times.py "$work/result" "$work/torus.dot" "$work/hosts" "$1" 10
	}
	timed_wrongly() {
		sed -i 's/"together":\([0-9.e-]*\)},*"slowdown/"together":1\1},"slowdown/; s/"slowdown_a":\([0-9.]*\)/"slowdown_a":1\1/' "$work/result"
		! python3 tests/cli/job_times.py "$work/result" "$work/torus.dot" "$work/hosts" gather 10
	}
	for job in 1 2 3 4; do
		echo "j$job $(awk "NR % 4 == $job % 4" "$work/all" | head -n $((8 - job)) | tr '\n' ',' | sed 's/,$//')"
	done >"$work/jobs"
	echo "lone $(tail -n 1 "$work/all")" >>"$work/jobs"
	cp "$work/jobs" "$work/hosts"
	for pattern in alltoall shift:1 alltoall_flood gather; do
		check "$pattern in time" timed "$pattern"
	done
	check "another time is noticed" timed_wrongly
	if [ -d "$data/opensm/x5" ]; then
		orcs-import --quiet -o "$work/x5.dot" "$data/opensm/x5/ibnetdiscover.txt.xz" "$data/opensm/x5"/opensm-lfts.dump.minhop.xz
		awk '/type="host"/ { gsub(/["; \t]/, ""); sub(/\[.*/, ""); print }' "$work/x5.dot" >"$work/all"
		for job in 0 1 2; do
			echo "x$job $(awk "int(NR / 3) % 4 == $job" "$work/all" | head -n 20 | tr '\n' ',' | sed 's/,$//')"
		done >"$work/jobs"
		cp "$work/jobs" "$work/hosts"
		check "a real fabric with OpenSM's tables" counted "$work/x5.dot" alltoall
	else
		skip "$data is not there: no real fabric"
	fi
else
	skip "python3 is not installed: no reference"
fi

# ---- lists
printf 'digraph {\n' >"$work/rails.dot"
for m in 01 02 03 04; do
	for rail in 1 2; do
		printf '"n%s-%s" [type="host", desc="node%s HCA-%s"]; "n%s-%s" -> "S%s" [comment="*"]; "S%s" -> "n%s-%s" [comment="n%s-%s"];\n' \
			$m $rail $m $rail $m $rail $rail $rail $m $rail $m $rail
		printf '"S%s" -> "S%s" [comment="n%s-%s"];\n' $((3 - rail)) $rail $m $rail
	done
done >>"$work/rails.dot"
echo '}' >>"$work/rails.dot"
printf '# squeue\n12 node[01-02]\r\n13_4 node03,node04\n\n14 \n15 (null)\n16+1 None\n' >"$work/lines"
printf 'JobName|nodelist|JobID|State\nx|node[01-02]|12|RUNNING\nx|node01|12.batch|RUNNING\nx|node03,node04|13_4|COMPLETING by 0\nx|node01|17|COMPLETED\nx|None assigned|18|PENDING\n' >"$work/table"
printf 'JobId=12 JobName=x\n   JobState=RUNNING Reason=None\n   NodeList=node[01-02]\n\nJobId=40 ArrayJobId=13 ArrayTaskId=4 JobState=RUNNING NodeList=node03,node04\nJobId=41 JobState=PENDING NodeList=(null)\n' >"$work/records"
cat >"$work/old.json" <<'END'
{"meta": {}, "jobs": [
{"job_id": 12, "array_job_id": 0, "array_task_id": null, "het_job_id": 0, "job_state": "RUNNING", "nodes": "node[01-02]"},
{"job_id": 40, "array_job_id": 13, "array_task_id": 4, "job_state": "COMPLETING", "nodes": "node03,node04"},
{"job_id": 41, "job_state": "PENDING", "nodes": ""}]}
END
cat >"$work/new.json" <<'END'
{"jobs": [
{"job_id": 12, "array_job_id": {"set": true, "infinite": false, "number": 0}, "array_task_id": {"set": false, "infinite": false, "number": 0},
 "het_job_id": {"set": true, "infinite": false, "number": 0}, "job_state": ["RUNNING"], "nodes": "", "job_resources": {"nodes": {"list": "node[01-02]"}}},
{"job_id": 40, "array_job_id": {"set": true, "infinite": false, "number": 13}, "array_task_id": {"set": true, "infinite": false, "number": 4},
 "job_state": ["COMPLETING", "CANCELLED"], "job_resources": {"nodes": "node03,node04"}},
{"job_id": 41, "job_state": ["PENDING"], "nodes": "node01"}]}
END
alike() {
	orcs-jobs --quiet --jobs "$1" --format json "$work/rails.dot" | sed 's/"command":\[[^]]*\],//' >"$work/this"
	[ -s "$work/first" ] || cp "$work/this" "$work/first"
	cmp "$work/this" "$work/first"
}
fewer() {
	orcs-jobs --quiet --jobs examples/slurm.jobs --top 0 examples/cluster.ibnetdiscover examples/cluster.dump_fts >"$work/out" && grep -q '^4242 ' "$work/out" &&
		! grep -q 'pairs of jobs' "$work/out"
}
for form in lines table records old.json new.json; do
	check "$form" alike "$work/$form"
done
printf '\357\273\277' | cat - "$work/lines" >"$work/marked"
check "a byte order mark" alike "$work/marked"
printf '\357\273\277' | sed 's/"job_id": \([0-9]*\)/"job_id": "\1"/' - "$work/old.json" >"$work/marked.json"
check "... and numbers that are texts" alike "$work/marked.json"
check "no list of pairs" fewer
check "... with their ids and hosts" sh -c "jq -c '[.jobs[] | [.id, .hosts]]' '$work/first' | grep -qxF '[[\"12\",4],[\"13_4\",4]]'"
check "one rail" sh -c "orcs-jobs --quiet --jobs '$work/lines' --ports 'HCA-1\$' --format json '$work/rails.dot' | jq -e '[.jobs[].hosts] == [2,2] and .pairs == []'"
check "standard input" sh -c "orcs-jobs --quiet --jobs - --format json '$work/rails.dot' <'$work/table' | sed 's/\"command\":\[[^]]*\],//' | cmp - '$work/first'"
printf '22 node[1-2]\n' >"$work/others"
printf 'JOBID NODELIST\n12 node[01-02]\n14 (Nodes required for job are DOWN)\n15 (Priority)\n13_4 node03,node04\n' >"$work/headed"
check "a head, and reasons to wait" alike "$work/headed"
check "none is there" says 0 "\(the first: 'node1'\), which is all; the fabric's are called such as 'node01': see --machine-name" \
	orcs-jobs --jobs "$work/others" "$work/rails.dot"
check "... in the text" says 0 '^jobs 1, pattern alltoall: none has a host in this fabric$' orcs-jobs --jobs "$work/others" "$work/rails.dot"
printf '1 node[01-03]\n2 node[02-04]\n' >"$work/shared"
check "hosts in several jobs" says 0 "^orcs-jobs: note: hosts that are in several jobs: 4 \(the first: 'n02-1', in '1' and '2'\)$" \
	orcs-jobs --jobs "$work/shared" "$work/rails.dot"
check "machines that are not there" says 0 "^orcs-jobs: warning: machines that the fabric does not have, left out: 2 \(the first: 'node1'\)" \
	orcs-jobs --jobs "$work/others" "$work/rails.dot"
check "other names" sh -c "orcs-jobs --quiet --jobs '$work/others' --machine-name 'node0*([0-9])' --format json '$work/rails.dot' | jq -e '.jobs[0].hosts == 0'"
printf '22 1,2\n' >"$work/others"
check "... by an expression" sh -c "orcs-jobs --quiet --jobs '$work/others' --machine-name 'node0*([0-9])' --format json '$work/rails.dot' | jq -e '.jobs[0].hosts == 4'"

# ---- text, CSV, picture, advice
printf 'a H[0-39]\nb H[40-75]\nc H[76,80,95,110,120,130,140,150]\n' >"$work/jobs"
check "text" says 0 "^jobs 3, pattern alltoall: 3 slowed down by others, most 'b': 1\.71 times$" orcs-jobs --jobs "$work/jobs" $tree
check "the hottest channel with ports and ranks" says 0 '^ +2  leaf2\[19\] -> spine0\[3\]: a 1 \(ranks 39 to 0\), b 1 \(ranks 13 to 14\)$' orcs-jobs --jobs "$work/jobs" $tree
check "CSV of jobs" says 0 '^b,36,1,1,.*,1\.714' orcs-jobs --jobs "$work/jobs" --format csv $tree
check "CSV of pairs" says 0 '^a,b,18,1\.1428' orcs-jobs --jobs "$work/jobs" --format csv --table pairs $tree
check "CSV of channels, with all their jobs" says 0 '^2,.*,leaf2,19,spine0,3,"a: 1, b: 1"$' orcs-jobs --jobs "$work/jobs" --format csv --table channels $tree
check "text leaves out what no job suffers from" says 0 '^     1  all others$' orcs-jobs --jobs "$work/jobs" --top 2000 $tree
check "as many channels as asked for" sh -c "orcs-jobs --quiet --jobs '$work/jobs' --format json --top 7 $tree | jq -e '.channels | length == 7'"
own_font_cache
check "a picture" sh -c "orcs-jobs --quiet --jobs '$work/jobs' --plot '$work/plot.svg' -o /dev/null $tree && grep -q 'beside this one' '$work/plot.svg'"
check "... in colours that mean the same in every picture" sh -c "orcs-jobs --quiet --jobs examples/slurm.jobs --plot '$work/other.svg' -o /dev/null \
	examples/cluster.ibnetdiscover examples/cluster.dump_fts && for f in plot other; do grep -q '> 3.5<' '$work/'\$f.svg || exit 1; done"
check "CSV of moves" says 0 '^b,[a-z]+,"?H.*,1\.71' orcs-jobs --jobs "$work/jobs" --advise --format csv --table moves $tree
# The move that is advised is worth what is said.
worth() {
	orcs-jobs --quiet --jobs "$work/jobs" --advise --format json $tree >"$work/result"
	jq -r '.moves[0] | .id + " " + (.hosts | join(","))' "$work/result" >"$work/moved"
	grep -v "^$(cut -d ' ' -f 1 "$work/moved") " "$work/jobs" >>"$work/moved"
	then=$(jq '.moves[0].mean_slowdown_then' "$work/result")
	orcs-jobs --quiet --jobs "$work/moved" --format json $tree | jq -e "[.jobs[].slowdown] | add / length == $then"
}
check "the advice" worth
worth_in_time() {
	orcs-jobs --quiet --engine flow --jobs "$work/jobs" --advise --format json $tree >"$work/result"
	jq -r '.moves[0] | .id + " " + (.hosts | join(","))' "$work/result" >"$work/moved"
	id=$(cut -d ' ' -f 1 "$work/moved")
	awk -v id="$id" 'NR == FNR { moved = $0; next } { print $1 == id ? moved : $0 }' "$work/moved" "$work/jobs" >"$work/then"
	orcs-jobs --quiet --engine flow --jobs "$work/then" --format json $tree >"$work/result2"
	jq -s -e '.[0].moves[0].mean_slowdown_then as $later | ([.[0].jobs[].seconds.alone] | length) as $n | [range($n) as $j | .[1].jobs[$j].seconds.together / .[0].jobs[$j].seconds.alone] | add / length - $later | fabs < 1e-12' "$work/result" "$work/result2"
}
check "the advice in time" worth_in_time
check "text in time" says 0 "^jobs 3, pattern alltoall, in time: 3 slowed down by others, most 'b': 1\.71 times$" orcs-jobs --engine flow --jobs "$work/jobs" $tree
check "CSV in time" says 0 '^id,hosts,alone_mean,alone_max,together_mean,together_max,slowdown,seconds_alone,seconds_together$' \
	orcs-jobs --engine flow --jobs "$work/jobs" --format csv $tree
printf 'a H[0-161]\nb H[162-323]\n' >"$work/jobs"
check "no advice without free machines" says 0 '^no free machines' orcs-jobs --jobs "$work/jobs" --advise $tree

# ---- errors
says_list() { # PATTERN TEXT
	printf '%b' "$2" >"$work/bad"
	says 2 "$1" orcs-jobs --jobs "$work/bad" $tree
}
check "no job" says_list 'bad: no job$' '# nothing\n'
check "none is running" says_list 'bad: no job is running on machines$' '12 \n'
check "an id twice" says_list "bad:2: job '12' is listed twice" '12 H1\n12 H2\n'
check "a wrong list" says_list "bad:2: job '13': the list of hosts 'H\[3-1\]' has a range that does not ascend" '12 H1\n13 H[3-1]\n'
check "a list that was cut off" says_list "bad:1: job '12': the list of hosts 'H\[1-3' ends within brackets" '12 H[1-3\n'
check "a blank within brackets" says_list "has a blank" '{"jobs": [{"job_id": 1, "job_state": "RUNNING", "nodes": "H[1, 2]"}]}'
check "brackets that do not open" says_list "has a closing bracket without" '12 H1]\n'
check "too many names" says_list 'more than a million names' '12 H[1-1000001]\n'
check "more words" says_list 'bad:1: more than a job and its list' '12 H1 H2\n'
check "broken JSON" says_list 'bad:2: broken JSON' '{"jobs": [\n}'
check "JSON that was cut off" says_list 'bad:1: broken JSON: it ends too early' '{"jobs": [{"job_id": 1}'
check "JSON without jobs" says_list "JSON without the list 'jobs'" '{"job": []}'
check "a table without a column" says_list "bad:1: the table has no column 'NodeList'" 'JobID|Nodes\n'
check "a short row" says_list 'bad:3: the row has fewer fields' 'JobID|NodeList\n1|H1\n2\n'
printf '12 H[1-4]\n' >"$work/jobs"
check "no list" says 2 'no jobs: name a file with --jobs' orcs-jobs $tree
check "no file" says 1 'cannot open' orcs-jobs --jobs "$work/missing" $tree
check "a size that does not count" says 2 '^orcs-jobs: --bytes needs --engine flow' orcs-jobs --bytes 1k --jobs "$work/jobs" $tree
check "another engine" says 2 "--engine 'packet'" orcs-jobs --engine packet --jobs "$work/jobs" $tree
check "advice that the table has not" says 2 'add --table moves' orcs-jobs --advise --format csv --jobs "$work/jobs" $tree
check "moves without advice" says 2 'needs --advise' orcs-jobs --table moves --format csv --jobs "$work/jobs" $tree
check "two patterns" says 2 "'ptrnvsptrn' is for two jobs of orcs" orcs-jobs -p ptrnvsptrn --jobs "$work/jobs" $tree
check "no pattern" says 2 "unknown pattern 'alltoal'.*did you mean 'alltoall'" orcs-jobs --jobs "$work/jobs" -p alltoal $tree
check "a pattern for other numbers" says 2 "job '12': " orcs-jobs --jobs "$work/jobs" -p stencil:3x3 $tree
printf 'digraph { H1 -> S1; S1 -> H1; H2 -> S1; S1 -> H2; H3 -> S1; S1 -> H3; H4 -> S1; S1 -> H4; }' >"$work/unrouted.dot"
check "no tables" says 3 'the fabric is not routed: add' orcs-jobs --jobs "$work/jobs" -o "$work/none" "$work/unrouted.dot"
check "standard input twice" says 2 'standard input can be only one' orcs-jobs --jobs - -
picture_numbers() { # the numbers of the table are in the cells, which are not smoothed
	orcs-jobs --quiet --jobs examples/slurm.jobs --plot "$work/cells.svg" -o /dev/null examples/cluster.ibnetdiscover examples/cluster.dump_fts &&
		grep -q '>2.14<' "$work/cells.svg" && grep -q '>1.83<' "$work/cells.svg" && ! grep -q '<image' "$work/cells.svg"
}
check "a picture with the numbers of the cells" picture_numbers
check "a picture of no form" says 2 'must end in .svg' orcs-jobs --jobs "$work/jobs" --plot x.gif $tree

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
