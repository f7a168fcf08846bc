#!/bin/sh
# orcs-compare: against independent computations, with a stand-in for OpenSM, and with the real one: orcs-compare.sh BIN_DIR
# shellcheck disable=SC2086 # $trio is three words
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

compare() {
	"$bin/orcs-compare" "$@"
}

# The command ends with this status and says this one line, and nothing on standard output: STATUS TEXT COMMAND...
fails() {
	wanted=$1 text=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq "$wanted" ] && [ ! -s "$work/out" ] && [ "$(grep -c . "$work/err")" -eq 1 ] && grep -Fq -e "$text" "$work/err"
}

same() {
	cmp "$1" "$2"
}

# A column of the only data row of a CSV without quotes: COLUMN < CSV
csv() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }'
}

# ---- unreachable pairs and hops: every pair walked, in awk, from the text of the file
walk() { # FABRIC
	awk '
	/^[ \t]*"?[A-Za-z0-9_]+"? *->/ {
		line = $0
		gsub(/"/, "", line)
		split(line, part, / *-> *| *\[| *;/)
		tail = part[1]
		head = part[2]
		gsub(/[ \t]/, "", tail)
		gsub(/[ \t]/, "", head)
		if (tail ~ /^H/) hosts[tail]
		if (head ~ /^H/) hosts[head]
		set = $0
		if (!sub(/.*comment="?/, "", set)) next
		sub(/["\]].*/, "", set)
		n = split(set, name, ",")
		for (i = 1; i <= n; i++) {
			gsub(/[ \t]/, "", name[i])
			if (!((tail, name[i]) in next_of)) next_of[tail, name[i]] = head
		}
	}
	END {
		for (s in hosts)
			for (d in hosts) {
				if (s == d) continue
				at = s
				for (switches = -1; at != d && switches < 1000; switches++)
					at = (at, d) in next_of ? next_of[at, d] : (at, "*") in next_of ? next_of[at, "*"] : "nowhere"
				if (at == d) { reached++; sum += switches; if (switches > most) most = switches }
				else unreachable++
			}
		printf "%d %d %.6f %d\n", reached + unreachable, unreachable, sum / reached, most
	}' "$1"
}

walks() { # FABRIC
	compare --unroutable=drop -n 1 --quiet --format csv "$1" >"$work/csv" || return 1
	printf '%d %d %.6f %d\n' "$(csv pairs <"$work/csv")" "$(csv unreachable <"$work/csv")" "$(csv mean_hops <"$work/csv")" \
		"$(csv max_hops <"$work/csv")" >"$work/got"
	walk "$1" >"$work/wanted"
	cat "$work/got" "$work/wanted"
	same "$work/got" "$work/wanted"
}

# A tree of 16 hosts, 4 on each of 4 leaves, under 4 spines. What a leaf sends up for host d goes to spine d mod SPREAD: 4 is without
# congestion for shifts, 1 a bottleneck. Then words: "mixed" writes everything in another order, "renamed" names the hosts otherwise,
# "bare" leaves out GUIDs, "hole" lets spine 1 forget host 5, "loop" lets leaf 1 and spine 0 send packets for host 0 to one another.
tree() { # SPREAD [WORD...]
	spread=$1
	shift
	awk -v spread="$spread" -v words=" $* " '
	function is(word) { return index(words, " " word " ") }
	function put(text) { line[++lines] = text }
	function host(h) { return (is("renamed") ? "Hnode" : "H") h }
	function edge(from, port, to, peer, set) {
		put(sprintf("%s -> %s [port=%d, peer_port=%d, comment=\"%s\"];", from, to, port, peer, set))
	}
	BEGIN {
		for (h = 0; h < 16; h++)
			put(host(h) (is("bare") ? ";" : sprintf(" [guid=\"0x%x\"];", 4096 + h)))
		for (h = 0; h < 16; h++) {
			edge(host(h), 1, "leaf" int(h / 4), h % 4 + 1, "*")
			edge("leaf" int(h / 4), h % 4 + 1, host(h), 1, is("loop") && h == 0 ? "H0" : host(h))
		}
		for (l = 0; l < 4; l++)
			for (s = 0; s < 4; s++) {
				up = down = ""
				for (h = 0; h < 16; h++) {
					if (int(h / 4) != l && h % spread == s) up = up "," host(h)
					if (int(h / 4) == l && !(is("hole") && s == 1 && h == 5) && !(is("loop") && s == 0 && h == 0)) down = down "," host(h)
				}
				if (is("loop") && l == 1 && s == 0) down = down "," host(0)
				edge("leaf" l, s + 5, "spine" s, l + 1, substr(up, 2))
				edge("spine" s, l + 1, "leaf" l, s + 5, substr(down, 2))
			}
		print "digraph tree {"
		for (i = 1; i <= lines; i++) print line[is("mixed") ? i * 7 % lines + 1 : i]
		print "}"
	}'
}

tree 4 >"$work/good.dot"
tree 1 >"$work/bad.dot"
tree 2 mixed >"$work/middle.dot"
tree 4 hole >"$work/hole.dot"
tree 4 loop >"$work/loop.dot"
for fabric in examples/fattree16.dot examples/fattree36_dor.dot tests/data/loop.dot tests/data/dangling.dot tests/data/slow_host.dot \
	"$work/good.dot" "$work/hole.dot" "$work/loop.dot"; do
	check "hops and holes of $fabric" walks "$fabric"
done
has_holes() { # FABRIC NUMBER
	compare -n 1 -p null --unroutable=drop --format csv "$1" | csv unreachable | grep -qx "$2"
}
check "all of the other leaves miss host 5" has_holes "$work/hole.dot" 12
check "all of the other leaves miss host 0" has_holes "$work/loop.dot" 12

# ---- what a row says is what orcs says, and differences are those of the runs
trio="$work/good.dot $work/bad.dot $work/middle.dot"
says_what_orcs_says() { # PATTERN
	compare -p "$1" -n 40 --seed 7 --format json $trio >"$work/comparison" || return 1
	for fabric in $trio; do
		"$bin/orcs" -p "$1" -n 40 --seed 7 --raw --metric hist_acc_band,get_cable_cong --format json "$fabric" || return 1
	done | jq -s '[.[] | {fabric: .fabric.file, values: .metrics.hist_acc_band, cables: .metrics.get_cable_cong.channels, hottest: .metrics.get_cable_cong.hottest}]' >"$work/each"
	jq -e --slurpfile each "$work/each" '
		[.routings[] | .patterns[]] as $got | $each[0] as $each |
		[range(2) | . as $i | # the third has its nodes in another order: its mappings are others for orcs
			($got[$i].mean == $each[$i].values.mean and $got[$i].ci95 == $each[$i].values.ci95 and $got[$i].q1 == $each[$i].values.q1 and
			($got[$i].hottest | del(.sum)) == ($each[$i].hottest | del(.id)) and
			$got[$i].hottest.sum == $each[$i].cables[$each[$i].hottest.id].sum)] | all' \
		"$work/comparison"
}

# By hand, with the 97.5% quantile of Student for 39 degrees of freedom, 2.022690911734728.
differs_as_the_runs_do() { # PATTERN
	compare -p "$1" -n 40 --seed 7 --format json "$work/good.dot" "$work/bad.dot" >"$work/comparison" || return 1
	for fabric in "$work/good.dot" "$work/bad.dot"; do
		"$bin/orcs" -p "$1" -n 40 --seed 7 --raw --format json "$fabric" | jq -c .metrics.hist_acc_band.raw || return 1
	done >"$work/raw"
	jq -e --slurpfile raw "$work/raw" '
		def near($x): (. - $x) | fabs < 1e-12;
		[$raw[0], $raw[1]] | transpose | map(.[1] - .[0]) as $d | ($d | add / length) as $mean |
		($d | map((. - $mean) * (. - $mean)) | add / length) as $variance | (2.022690911734728 * ($variance / 39 | sqrt)) as $half |
		($c[0].routings[0].patterns[] | .best and .difference == 0 and .difference_ci95 == [0, 0]) and
		($c[0].routings[1].patterns[] | (.best | not) and (.difference | near($mean)) and
			(.difference_ci95[0] | near($mean - $half)) and (.difference_ci95[1] | near($mean + $half)))' \
		--slurpfile c "$work/comparison" -n
}
if have jq; then
	for pattern in bisect shift:3 bruck hotspot:2; do
		check "$pattern: what orcs says" says_what_orcs_says "$pattern"
		check "$pattern: differences run by run" differs_as_the_runs_do "$pattern"
	done
	sed -n '/^## An example/,/^prints this/s/^    //p' doc/orcs-compare.md >"$work/command"
	awk '/^```json/ { on = 1; next } /^```/ && on { exit } on' doc/orcs-compare.md | jq -S 'del(.version)' >"$work/wanted"
	example() {
		(PATH=$bin:$PATH && . "$work/command") | jq -S 'del(.version)' | diff "$work/wanted" -
	}
	check "the example of doc/orcs-compare.md" example
else
	skip "jq is not installed: comparisons with orcs"
fi

# ---- the same hosts in any order and by any name
tree 4 mixed >"$work/mixed.dot"
tree 4 renamed mixed >"$work/renamed.dot"
tree 4 bare mixed >"$work/bare.dot"
tree 4 renamed bare >"$work/strange.dot"
sed 's/H15/H16/g; s/0x100f/0x2000/' "$work/good.dot" >"$work/other.dot"
sed 's/^}/H16 [guid="0x2000"]; H16 -> leaf0 [comment="*"]; leaf0 -> H16 [comment=H16]; }/' "$work/good.dot" >"$work/more.dot"
sed 's/guid="0x100f"/guid="0x2000"/' "$work/good.dot" >"$work/changed.dot"
no_difference() { # FABRIC
	compare -p bisect,rand,hotspot:3 --subset rand -s 11 -n 30 --format csv "$work/good.dot" "$1" >"$work/csv" &&
		[ "$(awk -F, 'NR > 1 && $15 == 0 && $16 == 0' "$work/csv" | wc -l)" -eq 6 ]
}
check "nodes in another order" no_difference "$work/mixed.dot"
check "other names, the same GUIDs" no_difference "$work/renamed.dot"
check "the same names, no GUIDs" no_difference "$work/bare.dot"
check "the same names, one GUID changed" no_difference "$work/changed.dot"
hosts() { # OPTION... FABRIC
	"$bin/orcs" --quiet --print-hosts "$@" | sed -n 's/^# //p'
}
hosts -p null "$work/good.dot" >"$work/all"
check "other names, no GUIDs" fails 3 "fewer than 2 hosts are in all fabrics" compare "$work/good.dot" "$work/strange.dot"

# Hosts that not all fabrics have: the runs are those of orcs on the others.
common() { # FABRIC HOST... (which not all have)
	fabric=$1
	shift
	hosts -p null "$fabric" | grep -v -x "$(printf '%s\n' "$@")" >"$work/common" &&
		"$bin/orcs" --quiet --subset "file:$work/common" -n 30 -p bisect --format csv "$fabric" |
		awk -F, '$1 == "hist_acc_band" && $2 == "mean" { print $4 }'
}
without() { # EXPECTED_MISSING FABRIC FABRIC HOST...
	expected=$1 first=$2 second=$3
	shift 3
	compare -n 30 --format csv "$first" "$second" >"$work/csv" &&
		[ "$(awk -F, 'NR > 1 { print $11 }' "$work/csv" | sort -u)" = "$(common "$first" "$@")" ] &&
		[ "$(awk -F, 'NR > 1 { printf "%s ", $26 }' "$work/csv")" = "$expected " ] && compare -n 30 "$first" "$second" >"$work/text" &&
		grep -q "^1[56] hosts of all fabrics, 1[56] ranks" "$work/text" || return 1
	for host; do
		grep -q "  without [12] hosts\{0,1\} that others have: .*\b$host\b" "$work/text" || return 1
	done
}
check "another host" without "1 1" "$work/good.dot" "$work/other.dot" H15 H16
check "a host more" without "1 0" "$work/good.dot" "$work/more.dot" H16
check "a host less" without "0 1" "$work/more.dot" "$work/good.dot" H16
check "fewer common hosts than ranks" fails 2 "16 ranks, but only 15 hosts in all fabrics" compare -s 16 "$work/good.dot" "$work/other.dot"
check "a mapping to a host that is missing" fails 2 "not all fabrics have the host 'H15'" \
	compare --mapping "file:$work/all" "$work/good.dot" "$work/other.dot"

# ---- speeds: shares and Gb/s are those of orcs

speeds() { # GBPS SPEED_AWARE OPTION...
	gbps=$1 counted=$2
	shift 2
	compare -n 20 "$@" --format csv tests/data/slow_host.dot tests/data/speeds.dot >"$work/csv" &&
		"$bin/orcs" --quiet -n 20 -p bisect "$@" --format csv tests/data/slow_host.dot >"$work/one" &&
		[ "$(awk -F, '/mean_gbps/ { print $4 }' "$work/one")" = "$gbps" ] &&
		[ "$(awk -F, 'NR == 2 { print $11, $14, $15 }' "$work/csv")" = "$(awk -F, '/band,mean,/ { print $4 }' "$work/one") $gbps $counted" ]
}
check "Gb/s" speeds 83.75 1
check "speeds that are ignored" speeds "" 0 --ignore-speeds
no_speeds() {
	compare -n 20 --format csv "$work/good.dot" "$work/mixed.dot" >"$work/csv" && ! grep -q -e gbps -e speed "$work/csv"
}
check "no columns for one speed" no_speeds
slow() {
	"$bin/orcs-compare" -R minhop,dfsssp -n 1 tests/data/slow_host.dot 2>"$work/err" >/dev/null &&
		[ "$(grep -c "slow_host.dot: note: links of different speeds: 2 200 Gb/s, 3 100 Gb/s, 1 50 Gb/s; the result counts" "$work/err")" -eq 1 ] &&
		[ "$(grep -c "links slower than those beside them: 1 (B -> H4: 50 Gb/s, not 100 Gb/s)" "$work/err")" -eq 1 ]
}
check "slow links are noted once" slow

# ---- precision
precise() {
	compare --precision 0.02 -p bisect,shift:1 --format csv $trio >"$work/csv" || return 1
	awk -F, 'NR == 2 { runs = $9 } NR > 1 && ($9 != runs || ($13 - $12) / 2 > 0.02 * $11) { bad = 1 }
		END { exit bad || NR != 7 || runs <= 100 }' "$work/csv"
	# and with those runs asked for at once
	compare -n "$(csv runs <"$work/csv")" -p bisect,shift:1 --format csv $trio | cmp - "$work/csv"
}
check "precision: common runs, the same as at once" precise
unreached() {
	compare --precision 0.0001 -n 120 "$work/good.dot" "$work/bad.dot" 2>"$work/err" | grep -q ' 120 runs' &&
		grep -qx 'orcs-compare: warning: the precision was not reached in 120 runs; increase --runs' "$work/err"
}
check "a precision that is not reached" unreached

# ---- mistakes
if have script; then
	at_terminal() { # WORD...: what it says where standard input is a terminal
		script -qec "'$bin/orcs-compare' $*" /dev/null >"$work/out" </dev/null
		[ $? -eq 2 ] && grep -Fq "no fabric: specify one" "$work/out"
	}
	check "no fabric at a terminal" at_terminal
	check "engines without a topology at a terminal" at_terminal --engines minhop
else
	skip "script is not installed: no fabric at a terminal"
fi
check "nothing on standard input" fails 3 "<stdin>: the file is empty" sh -c "'$bin/orcs-compare' </dev/null"
check "an unknown engine" fails 2 "unknown engine of OpenSM 'minhopp'; did you mean 'minhop'?" compare --engines minhopp x
check "an engine that OpenSM has not" fails 2 "OpenSM has no engine 'dmodk', but orcs-route does: use --routing" compare --engines dmodk x
check "an engine that orcs-route has not" fails 2 "unknown routing engine 'lush'; did you mean 'lash'?" compare -R minhop,lush x
check "a parameter that is not the engine's" fails 2 "dor" compare -R dor:tise=random torus:4x4
check "both kinds of engines" fails 2 "use one of them" compare -R minhop --engines minhop x
check "engines for two fabrics" fails 2 "fabric by itself" compare -R minhop torus:4x4 torus:4x4
check "an engine twice" fails 2 "engine 'nue' is given twice" compare --engines nue,lash,nue x
check "an unknown pattern" fails 2 "unknown pattern 'bisekt'; did you mean 'bisect'?" compare -p bisekt x
check "a pattern twice" fails 2 "pattern 'bisect' is given twice" compare -p bisect,shift:1 -p bisect x
check "a parameter that is no pattern" fails 2 "torrus" compare -p stencil:4x4,torrus x
check "no topology" fails 1 "x: cannot open: No such file or directory" compare --engines nue x y
check "two topologies" fails 2 "--engines reads the topology from one file: name only that" compare --engines nue examples/cluster.ibnetdiscover examples/cluster.ibnetdiscover
check "keep without engines" fails 2 "--keep requires --routing or --engines" compare --keep x y
check "fallback without engines" fails 2 "--allow-fallback requires --engines" compare --allow-fallback y
check "standard input twice" fails 2 "standard input cannot be two fabrics" compare - -
check "a picture of another kind" fails 2 "must end in .svg, .png or .pdf" compare --plot x.jpg y
check "a missing file" fails 1 "cannot open" compare "$work/missing.dot"
check "a missing topology" fails 1 "$work/missing: cannot open" compare --engines minhop "$work/missing"
# A routing without some of the messages carries the others faster, and is not the best for it.
lossy() {
	compare --unroutable drop -n 9 "$work/good.dot" "$work/hole.dot" >"$work/table" && grep -q 'good.dot .* best ' "$work/table" &&
		grep -q 'hole.dot  *without .* have no route: cannot be the best, as other routings deliver all$' "$work/table" || return 1
	compare --unroutable drop -n 9 "$work/hole.dot" >"$work/table" && grep -q 'hole.dot .* best ' "$work/table" && ! grep -q 'cannot be' "$work/table"
}
check "a routing that loses messages is not the best" lossy
gap_row() {
	compare -n 9 "$work/good.dot" "$work/hole.dot" >"$work/table" && [ "$(grep -c ' best  ' "$work/table")" -eq 2 ] &&
		grep -Eq 'hole.dot +not compared: [1-9][0-9]* pairs are unreachable, no route from .H[0-9]+. to ' "$work/table" &&
		[ "$(compare -n 9 --format csv "$work/good.dot" "$work/hole.dot" | awk -F, '{ print NF }' | sort -u)" = 26 ]
}
check "a pair without a route leaves the other routing" gap_row
check "pairs without a route in every routing" fails 3 "hole.dot: no route" compare "$work/hole.dot" "$work/hole.dot"
printf 'digraph { H0 -> A; A -> H0; H1 -> A; A -> H1; H2 -> B; B -> H2; H3 -> B; B -> H3 }\n' >"$work/planes.dot"
advised_once() {
	printf 'H%d\n' 0 1 2 3 >"$work/hosts"
	fails 3 "minhop: no route" compare --routing minhop,updn-orcs --subset "file:$work/hosts" "$work/planes.dot" && cat "$work/err" && [ "$(grep -o -e --unroutable "$work/err" | wc -l)" -eq 1 ]
}
check "the advice on pairs without a route, once" advised_once
check "a broken file on standard input" fails 3 "<stdin>:1: syntax error" sh -c "echo nonsense | '$bin/orcs-compare' -"
cp "$work/good.dot" "$work/precious.dot"
check "the table over a fabric" fails 2 "would overwrite an input" compare -o "$work/precious.dot" "$work/precious.dot"
check "the fabric is still there" same "$work/good.dot" "$work/precious.dot"
check "the table where nobody can write" fails 1 "cannot write" compare -o "$work/missing/x" "$work/good.dot"
needless() {
	compare --subset "file:$work/few" -p alltoall -n 1 "$work/good.dot" "$work/hole.dot"
}
printf 'H0\nH1\nH4\nH8\n' >"$work/few"
check "a pair without a route that no message needs" needless

# ---- forms
parameters() {
	compare -p stencil:4x4,torus,shift:1 -n 2 --format csv "$work/good.dot" >"$work/csv" &&
		grep -q ',"stencil:4x4,torus",' "$work/csv" && grep -q ',shift:1,' "$work/csv" && [ "$(wc -l <"$work/csv")" -eq 3 ]
}
check "a pattern with two parameters" parameters
check "standard input" sh -c "'$bin/orcs-compare' -n 5 - '$work/bad.dot' --precision 0.5 <'$work/good.dot' | grep -q '^<stdin> .* best '"
check "a pipe" sh -c "mkfifo '$work/pipe' && { cat '$work/good.dot' >'$work/pipe' & } && '$bin/orcs-compare' -n 5 '$work/pipe'"
whole() {
	compare -n 5 -o "$work/table" "$work/good.dot" && compare -n 5 "$work/good.dot" >"$work/out" && same "$work/out" "$work/table"
}
check "the table in a file" whole
row() {
	compare -n 5 examples/fattree16.dot >"$work/row" && grep -Fx \
		'examples/fattree16.dot            0     2.6000    3  bisect   0.8750 +- 0.1097  best         H0[1] -> leaf0[1] (0.50, as 31 more)' "$work/row" &&
		grep -Fx 'GUIDs: H0 0x0000000000100001, leaf0 0x0000000000200000' "$work/row"
}
check "a row as text" row
if have gnuplot; then
	for form in svg png pdf; do
		check "a picture as $form" sh -c "'$bin/orcs-compare' -n 20 -p bisect,bruck $trio --plot '$work/p.$form' && [ -s '$work/p.$form' ]"
	done
	check "no picture without messages" sh -c "! '$bin/orcs-compare' -p null '$work/good.dot' --plot '$work/n.svg' && [ ! -e '$work/n.svg' ]"
else
	skip "gnuplot is not installed: --plot"
fi

# ---- specifications in the place of files, and engines of orcs-route
spec_like_file() {
	"$bin/orcs-topology" "$1" >"$work/written.dot" && compare -n 20 --format csv "$1" "$work/written.dot" >"$work/csv" &&
		[ "$(sed '1d; s/^"[^"]*"//; s/^[^,]*//' "$work/csv" | uniq | wc -l)" -eq 1 ] && [ "$(wc -l <"$work/csv")" -eq 3 ]
}
check "a specification and its file" spec_like_file torus:4x4,hosts=2
check "a specification and its file, a fat tree" spec_like_file fattree:k=4,n=2
check "a misspelt topology" fails 2 "unknown topology 'tours'; did you mean 'torus'?" compare tours:4x4
check "a misspelt topology and engines" fails 2 "unknown topology 'tours'; did you mean 'torus'?" compare -R minhop tours:4x4
# The rows of engines are those of the fabrics that orcs-route makes with the same seed, and what orcs says of them.
by_hand() { # SPEC PATTERN ENGINE...
	spec=$1 pattern=$2
	shift 2
	engines=$(echo "$*" | tr ' ' ,)
	compare --seed 5 -n 30 -p "$pattern" --format csv -R "$engines" "$spec" >"$work/csv" || return 1
	[ "$(sed 1d "$work/csv" | cut -d, -f1,2 | tr '\n' ' ')" = "$(for e; do printf '%s,%s ' "$e" "$e"; done)" ] || return 1
	cut -d, -f4- "$work/csv" >"$work/got"
	files=
	bandwidths=
	for engine; do
		"$bin/orcs-topology" "$spec" | "$bin/orcs-route" --quiet --seed 5 "$engine" -o "$work/by_$engine.dot" || return 1
		files="$files $work/by_$engine.dot"
		bandwidths="$bandwidths $("$bin/orcs" --seed 5 -n 30 -p "$pattern" --format json "$work/by_$engine.dot" |
			sed 's/.*"hist_acc_band":{[^{}]*"mean":\([0-9.e-]*\).*/\1/')"
	done
	# shellcheck disable=SC2086 # several files
	compare --seed 5 -n 30 -p "$pattern" --format csv $files | cut -d, -f4- >"$work/wanted"
	same "$work/got" "$work/wanted" || return 1
	# shellcheck disable=SC2086 # several numbers
	printf '%.12f\n' $bandwidths >"$work/wanted"
	sed 1d "$work/csv" | cut -d, -f11 | while read -r value; do printf '%.12f\n' "$value"; done | diff "$work/wanted" -
}
# Pairs with several routes: what orcs makes of them; hops are not counted, pairs without a route are.
several_routes() { # OPTIONS_OF_BOTH ENGINE...
	options=$1
	shift
	engines=$(echo "$*" | tr ' ' ,)
	# shellcheck disable=SC2086 # an option and its value, or none
	compare --quiet --seed 5 -n 30 $options --format csv -R "$engines" torus:4x4 >"$work/csv" || return 1
	for engine; do
		# shellcheck disable=SC2086
		"$bin/orcs" --quiet --seed 5 -n 30 $options --format json -R "$engine" torus:4x4 |
			sed 's/.*"hist_acc_band":{[^{}]*"mean":\([0-9.e-]*\).*/\1/' || return 1
	done | while read -r value; do printf '240,0,,,%.12f\n' "$value"; done >"$work/wanted"
	awk -F, 'NR > 1 { printf "%s,%s,%s,%s,%.12f\n", $4, $5, $6, $7, $11 }' "$work/csv" | diff "$work/wanted" -
}
check "several routes" several_routes "" valiant ksp allpath
check "several routes, split" several_routes "--multipath split" valiant ksp ecmp
check "several routes, the first" several_routes "--multipath first" ksp:3
check "an unknown way with several routes" fails 2 "unknown --multipath 'all'" compare --multipath all x
kept_routes() {
	compare -n 2 -R ksp --keep "$work/sources" torus:4x4 >/dev/null && [ -s "$work/sources/ksp.dot" ] &&
		"$bin/orcs" -n 30 --routes "$work/sources/ksp.routes" "$work/sources/ksp.dot" >"$work/got" &&
		"$bin/orcs" -n 30 -R ksp torus:4x4 >"$work/wanted" && same "$work/got" "$work/wanted"
}
check "source routes are kept" kept_routes
check "engines on a torus as by hand" by_hand torus:5x4,hosts=2 bisect dor minhop updn-orcs sssp dor:ties=random
check "engines on a slim fly as by hand" by_hand slimfly:q=5,hosts=2 shift:3 minhop dfsssp nue
engines_from() { # COMMAND that makes the fabric
	compare -n 10 --format csv -R as-is,minhop torus:4x4,hosts=2 | sed 's/^torus:[^ ]*=2",/<stdin>,/; s/^"torus[^"]*",/<stdin>,/' >"$work/wanted"
	"$bin/orcs-topology" torus:4x4,hosts=2 | "$@" >"$work/got" && same "$work/got" "$work/wanted" && [ "$(wc -l <"$work/got")" -eq 3 ]
}
check "engines on standard input" engines_from "$bin/orcs-compare" -n 10 --format csv -R as-is,minhop -
check "engines where nothing is named" engines_from "$bin/orcs-compare" -n 10 --format csv -R as-is,minhop
check "an engine that cannot" fails 3 "torus:4x4: no engine could route the fabric; dmodk: the topology has the routing function dor, not dmodk" compare -R dmodk torus:4x4
skipped_engine() {
	compare -n 5 -R minhop,dmodk torus:4x4 >"$work/out" 2>"$work/err" && [ ! -s "$work/err" ] &&
		grep -q '^minhop .* best ' "$work/out" && grep -q "^dmodk  *not routed: the topology has the routing function dor, not dmodk" "$work/out"
}
check "an engine that cannot, left out" skipped_engine
check "no engine that can" fails 3 "torus:4x4: no engine could route the fabric; dmodk: the topology has the routing function dor, not dmodk" compare --skip -R dmodk,min torus:4x4
kept_fabrics() {
	compare -n 2 -R minhop,dor:ties=random --keep "$work/ours" torus:4x4 >/dev/null && [ "$(ls "$work/ours" | wc -l)" -eq 2 ] || return 1
	"$bin/orcs-topology" torus:4x4 | "$bin/orcs-route" --quiet dor:ties=random | cmp - "$work/ours/dor:ties=random.dot"
}
check "fabrics of engines are kept" kept_fabrics

# ---- engines, with a stand-in for the script: its topology is a table of what it is to do
mkdir "$work/scripts" "$work/tmp"
cat >"$work/scripts/route_with_opensm.sh" <<'END'
#!/bin/sh
fallback=no
while [ $# -gt 1 ]; do
	case $1 in
	-e) engine=$2; shift 2 ;;
	-o) out=$2; shift 2 ;;
	--report) report=$2; shift 2 ;;
	--allow-fallback) fallback=yes; shift ;;
	--allow-missing-entries) shift ;;
	*) exit 9 ;;
	esac
done
while read -r asked used seconds fabric; do
	[ "$asked" = "$engine" ] || continue
	if [ "$fabric" = wait ]; then
		echo $$ >"$ORCS_SCRIPTS/waiting"
		exec sleep 100
	fi
	if [ "$asked" != "$used" ] && [ $fallback = no ]; then
		echo "route_with_opensm.sh: OpenSM could not use $asked and routed with $used" >&2
		exit 3
	fi
	printf 'asked %s\nused %s\nseconds %s\n' "$asked" "$used" "$seconds" >"$report"
	cat "$fabric" >"$out"
	exit
done <"$1"
printf 'something else\nroute_with_opensm.sh: no %s here\n\n' "$engine" >&2
exit 1
END
chmod +x "$work/scripts/route_with_opensm.sh"
cat >"$work/topology" <<END
minhop minhop 0.25 $work/good.dot
updn updn 1.5 $work/bad.dot
ftree minhop 0.5 $work/middle.dot
nue nue 1 wait
END
with_stand_in() {
	ORCS_SCRIPTS=$work/scripts TMPDIR=$work/tmp compare "$@"
}
rows() {
	with_stand_in "$work/topology" --engines updn,ftree,lash,minhop -n 30 >"$work/out" 2>"$work/err" || return 1
	cat "$work/out" "$work/err"
	[ ! -s "$work/err" ] && grep -q '^updn  *updn  *1\.50  *0 .* -0\.' "$work/out" && grep -q '^minhop  *minhop  *0\.25 .* best ' "$work/out" &&
		grep -qx 'ftree    not routed: OpenSM could not use ftree and routed with minhop' "$work/out" &&
		grep -qx 'lash     not routed: no lash here' "$work/out" && [ -z "$(ls "$work/tmp")" ]
}
check "a row for every engine" rows
like_files() {
	with_stand_in "$work/topology" --engines minhop,updn --format csv -n 30 | cut -d, -f4- >"$work/out"
	compare "$work/good.dot" "$work/bad.dot" --format csv -n 30 | cut -d, -f4- | cmp - "$work/out"
}
check "engines like files" like_files
spec_to_opensm() {
	sed "s#^minhop .*#minhop minhop 0.25 $work/written.dot#" "$work/topology" >"$work/table"
	"$bin/orcs-topology" torus:4x4 >"$work/written.dot" || return 1
	# the script gets the graph of the specification, in which the stand-in finds no engine
	with_stand_in torus:4x4 --engines minhop >"$work/out" 2>"$work/err"
	[ $? -eq 3 ] && grep -q 'torus:4x4: no engine could route the fabric; minhop: no minhop here' "$work/err" && [ -z "$(ls "$work/tmp")" ] || return 1
	with_stand_in --engines as-is,minhop -n 5 --format csv <"$work/table" >"$work/out" 2>"$work/err"
	[ $? -eq 3 ] && grep -q '^orcs-compare: <stdin>:1: syntax error' "$work/err"
}
check "a specification for OpenSM" spec_to_opensm
fallback() {
	with_stand_in --allow-fallback --engines minhop,ftree - -n 30 --format csv <"$work/topology" >"$work/csv" &&
		grep -q '^ftree,minhop,0.5,' "$work/csv"
}
check "a fallback that is allowed, from standard input" fallback
# Of our own engine: the row names who routed in every format, and a note says why.
own_fallback() {
	"$bin/orcs-compare" --quiet -R minhop,updn:lenient -n 3 --format json torus:4x4 |
		jq -e '[.routings[].engine | [.asked, .used, .failure]] == [["minhop", "minhop", null], ["updn:lenient", "minhop", null]]' &&
		"$bin/orcs-compare" --quiet -R updn:lenient -n 3 --format csv torus:4x4 | grep -q '^updn:lenient,minhop,' &&
		"$bin/orcs-compare" -R updn:lenient -n 3 torus:4x4 >"$work/out" 2>"$work/err" && grep -q '^updn:lenient .*minhop' "$work/out" &&
		grep -q 'note: updn:lenient: OpenSM refuses updn .* and falls back to minhop' "$work/err"
}
check "a fallback of our own engine" own_fallback
check "no engine can route it" fails 3 "topology: no engine could route the fabric; lash: no lash here" \
	with_stand_in "$work/topology" --engines lash,ftree
check "columns of CSV" sh -c "ORCS_SCRIPTS=$work/scripts '$bin/orcs-compare' '$work/topology' --engines minhop,lash -n 2 --format csv |
	awk -F, 'NF != 26 { bad = 1 } END { exit bad || NR != 3 }'"
keep() {
	with_stand_in "$work/topology" --engines minhop,ftree,updn --keep "$work/kept" -n 2 >/dev/null && [ "$(ls "$work/kept" | wc -l)" -eq 2 ] &&
		same "$work/kept/minhop.dot" "$work/good.dot" && same "$work/kept/updn.dot" "$work/bad.dot"
}
check "routed fabrics are kept" keep
check "no script" fails 1 "route_with_opensm.sh: cannot run the script" env ORCS_SCRIPTS="$work/missing" "$bin/orcs-compare" --engines nue "$work/topology"
absent() { # PATH, or a pattern that matches nothing
	[ ! -e "$1" ]
}
# The stand-in waits: a signal ends it, and nothing is left.
interrupted() { # SIGNAL STATUS
	rm -f "$work/scripts/waiting"
	ORCS_SCRIPTS=$work/scripts TMPDIR=$work/tmp env --default-signal "$bin/orcs-compare" -o "$work/tmp/table" --engines minhop,nue "$work/topology" >"$work/out" 2>"$work/err" &
	job=$!
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ ! -s "$work/scripts/waiting" ] || break
		sleep 0.2
	done
	[ "$try" -lt 20 ] || return 1
	kill "-$1" $job
	wait $job
	[ $? -eq "$2" ] || return 1
	sleep 0.2
	case $(ps -o stat= -p "$(cat "$work/scripts/waiting")") in '' | Z*) ;; *) return 1 ;; esac
	ls "$work/tmp"
	[ "$1" = KILL ] || { absent "$work"/tmp/table* && grep -qx 'orcs-compare: interrupted: no result' "$work/err"; } || return 1
	absent "$work"/tmp/orcs-opensm.*
}
check "SIGINT ends the routing" interrupted INT 130
check "SIGTERM ends the routing" interrupted TERM 143
check "the script ends when the program is killed" interrupted KILL 137
cut_short() {
	"$bin/orcs-compare" -n 100000000 "$work/good.dot" >"$work/out" 2>"$work/err" &
	job=$!
	sleep 1
	kill -TERM $job
	wait $job
	[ $? -eq 143 ] && [ ! -s "$work/out" ] && grep -qx 'orcs-compare: interrupted: no result' "$work/err"
}
check "a signal ends the runs without a result" cut_short

# What engines make stays in the memory: more of them open no more files.
in_memory() {
	engines=minhop,bfs,dor,updn-orcs,dnup,sssp,dfsssp-orcs,lash,nue,ecmp,ksp:1,ksp:2,ksp:3,ksp:4,ksp:5
	sh -c 'ulimit -n 12 && exec "$0" "$@"' "$bin/orcs-compare" -R $engines -n 2 torus:4x4 >"$work/out" 2>"$work/err" || {
		cat "$work/err"
		false
	}
}
check "engines write no temporary files" in_memory

# Whatever of it cannot be opened, the reason is named; with fewer files the program itself does not start.
few_files() { # MESSAGE ARGUMENTS...
	wanted=$1 seen=
	shift
	for files in 5 6 7 8 9; do
		sh -c 'ulimit -n "$0" && exec "$@"' $files "$bin/orcs-compare" "$@" >"$work/out" 2>"$work/err" && continue
		cat "$work/err"
		grep -q 'Too many open files$' "$work/err" || return 1
		! grep -q "$wanted" "$work/err" || seen=yes
	done
	[ "$seen" ]
}
check "too few files for a copy" few_files 'cannot make a temporary file: ' -n 10 torus:4x4 torus:4x4 --plot "$work/few.svg"

# ---- OpenSM itself
if have opensm && have ibsim && have ibnetdiscover; then
	real() {
		scripts/fattree_topology.sh 2:4 | compare - --engines minhop,ftree -n 50 --format csv >"$work/csv" 2>"$work/err"
		status=$?
		cat "$work/csv" "$work/err"
		[ $status -eq 0 ] && awk -F, 'NR > 1 && ($1 != $2 || $3 <= 0 || $4 != 240 || $5 != 0 || $6 != 2.6000000000000001 || $7 != 3 || $9 != 50) { bad = 1 }
			END { exit bad || NR != 3 }' "$work/csv"
	}
	check "two engines of OpenSM on a tree of 16 hosts" real
else
	skip "opensm, ibsim or ibnetdiscover is not installed: routing for real"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
