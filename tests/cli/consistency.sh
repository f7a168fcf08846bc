#!/bin/sh
# Whether man pages and sources agree with the programs and the rules: consistency.sh BIN_DIR
set -u
export LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin

bin=$(cd "$1" && pwd) || exit 1
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0

# check TEXT COMMAND...: the command must succeed
check() {
	text=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $text"
	fi
}

skip() {
	skipped=$((skipped + 1))
	echo "SKIPPED: $1"
}

have() {
	command -v "$1" >/dev/null 2>&1
}

# Whether the file has the word, as a whole.
mentions() { # FILE WORD
	grep -Eq -e "(^|[^A-Za-z0-9_-])$2([^A-Za-z0-9_-]|\$)" "$1"
}

# Whether the file is empty; shows what it has if it is not.
is_empty() {
	[ ! -s "$1" ] || {
		head -n 20 "$1"
		false
	}
}

# Whether a line of the file begins with the word and a tab.
has_row() { # FILE WORD
	awk -v word="$2" 'index($0, word "\t") == 1 { found = 1 } END { exit !found }' "$1"
}

same() { # FILE FILE
	diff "$1" "$2"
}

# The text of a man page without the escapes that matter here.
plain() { # FILE
	sed 's/\\f[A-Z]//g; s/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(dq/"/g; s/\\&//g; s/\\e/\\/g' "$1"
}

# The pages that describe a program, their options in one of them each.
pages_of() { # PROGRAM
	case $1 in
	orcs) echo doc/orcs.1 doc/orcs-flow.7 doc/orcs-packet.7 doc/orcs-patterns.7 ;;
	*) echo "doc/$1.1" ;;
	esac
}

# The text of these pages as one.
text_of() { # PROGRAM
	for page in $(pages_of "$1"); do
		[ ! -f "$page" ] || plain "$page"
	done
}

# The long options of a program, one per line.
options() { # PROGRAM
	"$bin/$1" --help=all | sed -n 's/^ \{2,6\}\(-[A-Za-z?], \)\{0,1\}\(--[a-z0-9_-]*\).*/\2/p' | sort
}

# ---- help: the usual options on one screen, the rest by topics
# Whether the file has at most 40 lines of 80 columns.
is_screen() { # FILE
	awk 'length($0) > 80 { wide = 1 } END { exit wide || !NR || NR > 40 }' "$1"
}

# The options of a help text, one per line: label, tab, description.
entries() { # FILE
	awk '/^  (    |-[A-Za-z?], )--/ { if (label) print label "\t" text
			split(substr($0, 7), part, "  +")
			label = part[1]; text = part[2]; next }
		/^                             [^ ]/ { sub(/^ +/, ""); text = text (text ? " " : "") $0; next }
		{ if (label) print label "\t" text; label = "" }
		END { if (label) print label "\t" text }' "$1"
}

# Whether each description of the screen ends where a clause of the whole one does.
ends_at_clauses() { # SCREEN WHOLE
	entries "$1" >"$work/brief"
	entries "$2" >"$work/whole"
	awk -F '\t' 'NR == FNR { whole[$1] = $2; next }
		{ rest = substr(whole[$1], length($2) + 1) }
		index(whole[$1], $2) != 1 || $2 == "" || (rest != "" && rest !~ /^([,;:]| \()/) { print $1 ": " $2; bad = 1 }
		END { exit bad || !FNR }' "$work/whole" "$work/brief"
}

for program in orcs orcs-advise orcs-bound orcs-check orcs-compare orcs-draw orcs-export orcs-import orcs-jobs orcs-order orcs-record orcs-report orcs-route orcs-topology orcs-trace; do
	[ -x "$bin/$program" ] || continue # reported below
	"$bin/$program" --help >"$work/screen"
	"$bin/$program" -h >"$work/letter"
	"$bin/$program" --help=all >"$work/all"
	check "$program --help is longer or wider than a screen" is_screen "$work/screen"
	check "$program -h is not --help" same "$work/screen" "$work/letter"
	check "$program --help cuts a description within a clause" ends_at_clauses "$work/screen" "$work/all"
	check "$program --help=all has lines of more than 80 columns" awk 'length($0) > 80 { exit 1 }' "$work/all"
done
"$bin/orcs" --list=engines | sed -n 's/^  \([a-z]*\) .*/\1/p' >"$work/engines"
while read -r engine; do
	"$bin/orcs" --help="$engine" >"$work/topic"
	check "orcs --help=$engine has no --engine" mentions "$work/topic" --engine
	"$bin/orcs" --engine "$engine" --help >"$work/letter"
	check "orcs --engine $engine --help is not --help=$engine" same "$work/topic" "$work/letter"
	"$bin/orcs" --help --engine "$engine" >"$work/letter"
	check "orcs --help --engine $engine is not --help=$engine" same "$work/topic" "$work/letter"
done <"$work/engines"
for topic in experiment:--pattern output:--metric flow:--reroute packet:--load; do
	"$bin/orcs" --help="${topic%:*}" >"$work/topic"
	check "orcs --help=${topic%:*} has no ${topic#*:}" mentions "$work/topic" "${topic#*:}"
done

# ---- options: in the man page
for program in orcs orcs-advise orcs-bound orcs-check orcs-compare orcs-draw orcs-export orcs-import orcs-jobs orcs-order orcs-record orcs-report orcs-route orcs-topology orcs-trace; do
	if [ ! -x "$bin/$program" ]; then
		skip "$program is not built"
		continue
	fi
	text_of "$program" >"$work/page"
	options "$program" >"$work/options"
	check "$program --help=all lists options" [ -s "$work/options" ]
	while read -r option; do
		check "$(pages_of "$program"): none mentions $option" mentions "$work/page" "$option"
	done <"$work/options"
	version=$("$bin/$program" --version)
	for page in $(pages_of "$program"); do
		check "$page is not of version '$version'" grep -q "^\\.TH .*\"$version\"" "$page"
	done
done

# ---- patterns, packet routings, subsets, mappings, metrics: in the pages of orcs
plain doc/orcs-patterns.7 >"$work/patterns_page"
"$bin/orcs" --list=patterns | awk '/^  [^ ]/ { print $1 }' >"$work/patterns"
check "orcs --list=patterns lists patterns" [ -s "$work/patterns" ]
while read -r usage; do
	check "the tables of doc/orcs-patterns.7 have no '$usage'" has_row "$work/patterns_page" "$usage"
done <"$work/patterns"
plain doc/orcs-packet.7 >"$work/packet_page"
"$bin/orcs" --list=packet-routings | sed -n 's/^  \([a-z][a-z]*\).*/\1/p' >"$work/names"
check "orcs --list=packet-routings lists some" [ -s "$work/names" ]
while read -r name; do
	check "doc/orcs-packet.7 does not mention the routing '$name'" mentions "$work/packet_page" "$name"
done <"$work/names"
text_of orcs >"$work/page"
for kind in subsets mappings; do
	"$bin/orcs" --list=$kind | sed -n 's/^  \([a-z][^ :]*\).*/\1/p' >"$work/places"
	check "orcs --list=$kind lists some" [ -s "$work/places" ]
	while read -r name; do
		check "doc/orcs.1 does not mention '$name'" mentions "$work/page" "$name"
	done <"$work/places"
done
"$bin/orcs" --list=metrics | sed -n 's/^  \([a-z][a-z_]*\).*/\1/p' >"$work/metrics"
check "orcs --list=metrics lists metrics" [ -s "$work/metrics" ]
while read -r name; do
	awk -v name="$name" '/^\.TP/ { tag = 1; next } tag && $0 ~ ("(^|[^A-Za-z0-9_])" name "([^A-Za-z0-9_]|$)") { found = 1 } { tag = 0 } END { exit !found }' "$work/page"
	check "the pages of orcs do not describe the metric '$name'" [ $? -eq 0 ]
	check "doc/orcs-result.md does not mention metric '$name'" mentions doc/orcs-result.md "$name"
done <"$work/metrics"

# ---- topologies, routing engines, engines and forms of dumps: in their pages
for kind in topologies routings engines; do
	"$bin/orcs" --list=$kind | sed -n "s/^  \\([a-z][a-z0-9_]*\\).*/$kind \\1/p"
done >"$work/kinds"
"$bin/orcs-import" --list-formats | sed 's/^.\{10\}\([^ ]*\).*/formats \1/' >>"$work/kinds"
check "topologies, routing engines, engines and forms of dumps are listed" [ "$(wc -l <"$work/kinds")" -gt 50 ]
while read -r kind name; do
	case $kind in
	topologies) page=doc/orcs-topology.1 ;;
	routings) page=doc/orcs-route.1 ;;
	engines) page=doc/orcs.1 ;;
	formats) page=doc/orcs-dumps.5 ;;
	esac
	plain "$page" >"$work/page"
	check "$page does not mention '$name' ($kind)" grep -qwF "$name" "$work/page"
done <"$work/kinds"

# ---- defaults: what --help names as the default of an option the man page does, too
# OPTION and its default, one a line, where that is one word: "(default: WORD)", "WORD (default)".
defaults() { # PROGRAM
	"$bin/$1" --help=all | awk '/^                    / { printf "%s", $0; next } { printf "\n%s", $0 } END { print "" }' | tr -s ' ' | sed -n '
		/^ .*--/!d
		s/^[^-]*\(-[A-Za-z?], \)\{0,1\}\(--[a-z0-9_-]*\).*(default: \([^][ ;,()]*\)[;,)].*/\2 \3/p
		t
		s/^[^-]*\(-[A-Za-z?], \)\{0,1\}\(--[a-z0-9_-]*\).*[ :]\([^ ]*\) (default).*/\2 \3/p'
}

# What a page says of an option, in one line, to the next option.
said_of() { # FILE OPTION
	awk -v option="$2" '
		/^\.S[HS]/ { on = 0 }
		/^\.TP/ { tag = 1; next }
		tag && /--/ { on = $0 ~ ("(^|[^A-Za-z0-9_-])" option "([^A-Za-z0-9_-]|$)") }
		{ tag = 0 }
		on { gsub(/"/, ""); sub(/^\.(BI|BR|RB|IR|RI|B|I|IP|PP|RS|RE|SM) ?/, ""); printf "%s ", $0 }
		END { print "" }' "$1" | tr -s ' '
}

# Whether the page says that the option has this default.
has_default() { # FILE OPTION DEFAULT
	word=$(echo "$3" | sed 's/\./\\./g; s/^\([0-9]*\)M$/(\1M|\1000000)/; s/^\([0-9]*\)ns$/\1 ?ns/')
	said_of "$1" "$2" | grep -Eq "(^|[ ,(])$word ?(,|\()? ?([Tt]he |by )?default|[Dd]efault(:| is|s are)?:? $word([^0-9A-Za-z_]|\$)"
}

for program in orcs orcs-advise orcs-bound orcs-check orcs-compare orcs-draw orcs-export orcs-import orcs-jobs orcs-order orcs-record orcs-report orcs-route orcs-topology orcs-trace; do
	[ -x "$bin/$program" ] || continue # reported above
	text_of "$program" >"$work/page"
	defaults "$program" >"$work/defaults"
	while read -r option default; do
		check "$(pages_of "$program"): none has the default of $option as --help does: $default" has_default "$work/page" "$option" "$default"
	done <"$work/defaults"
	cat "$work/defaults" >>"$work/all_defaults"
done
check "--help names defaults" [ "$(wc -l <"$work/all_defaults")" -gt 30 ]

# ---- attributes of graphs: orcs-dot(5) describes each that the programs read or write, and no other
sources=$(find -- * -name '*.c' | grep -Ev '^(build|tests|bench|ibsim-patches|doc|examples|tools/record/preload)/' | sort)
# Functions that are given an attribute's name, and variables for it in files that call them.
# shellcheck disable=SC2086 # a list of files
grep -hoE '(attributes_find|attributes_of_(node|channel|graph)|graph_count|present|had)\([^"]*"[a-z0-9_]+"' $sources | sed 's/.*"\(.*\)"/\1/' >"$work/read"
# shellcheck disable=SC2086 # a list of files
grep -lE 'attributes_of_(node|channel|graph)\(' $sources | xargs grep -hoE '\<name(\[\])? = "[a-z0-9_]+"' | sed 's/.*"\(.*\)"/\1/' >>"$work/read"
# Columns and pairs of dot_write(), by the first of their members; what texts of graphs are written as.
# shellcheck disable=SC2086 # a list of files
awk '/struct dot_(column|pair)( [a-z]+\[\] =|\))/ { on = 1 }
	on && match($0, /\{[^{},]*,/) { print substr($0, RSTART, RLENGTH) }
	/\};|NULL}/ { on = 0 }
	/^const char \*report_limit_name.*[^;]$/ { limit = 1 }
	limit { print }
	/^}/ { limit = 0 }' $sources | grep -oE '"[a-z0-9_]+"' | tr -d '"' >"$work/written"
cat infiniband/graph_dot.c topologies/writer.c formats/route_dot.c | sed 's/%s/ /g' | grep -oE '[a-z][a-z0-9_]*=(\\"|",)' | sed 's/=.*//' >>"$work/written"
sort -u "$work/read" "$work/written" >"$work/names"
check "attributes were found in the sources" [ "$(wc -l <"$work/names")" -gt 25 ]
plain doc/orcs-dot.5 | awk '
	/^\.SH/ { on = /ATTRIBUTES|ANNOTATED GRAPH/ }
	tag && on { sub(/^\.[A-Z]+ /, ""); gsub(/[",]/, " "); for (i = 1; i <= NF; i++) print $i }
	{ tag = /^\.TP/ }' | sort -u >"$work/tags"
check "orcs-dot(5) describes other attributes than the programs read and write" same "$work/names" "$work/tags"
# Names in variables are seen above only in these files.
# shellcheck disable=SC2086 # a list of files
grep -lE 'attributes_of_(node|channel|graph)\([^"]*\)' $sources | sort >"$work/files"
printf '%s\n' fabric/attributes.c formats/route_dot.c tools/draw/heat.c | sort >"$work/wanted"
check "attributes are read by names in variables: see how consistency.sh finds them" same "$work/wanted" "$work/files"

# No page calls an attribute unused that a program reads, rather than only checks.
sed -n 's/.*{"\([a-z0-9_]*\)",.*\(dot_is_\|dot_width\|&count\).*/\1/p' formats/dot_load.c >"$work/checked"
# shellcheck disable=SC2046 # the same list without the reader of graphs
grep -hoE 'attributes_of_(node|channel|graph)\([^"]*"[a-z0-9_]+"|\<name(\[\])? = "[a-z0-9_]+"' $(ls $sources | grep -v '^formats/dot_load\.c') |
	sed 's/.*"\(.*\)"/\1/' >"$work/used"
grep -oE 'attributes_find\([^"]*"[a-z0-9_]+"' formats/dot_load.c | sed 's/.*"\(.*\)"/\1/' | grep -vxFf "$work/checked" >>"$work/used"
unused() {
	plain doc/orcs-dot.5 | awk '
		/^\.(TP|S[HS])/ { names = ""; tag = /^\.TP/; next }
		tag { names = $0; sub(/^\.[A-Z]+ /, "", names); gsub(/[",]/, " ", names); tag = 0; next }
		/not used|unused|no program (uses|reads)/ { count = split(names, each, " "); for (i = 1; i <= count; i++) print each[i] }'
}
unused >"$work/unused"
check "orcs-dot(5) calls an attribute unused" [ -s "$work/unused" ]
grep -xFf "$work/used" "$work/unused" >"$work/strange"
check "orcs-dot(5) calls attributes unused that programs read" is_empty "$work/strange"
grep -n 'kept, not used' doc/* >"$work/strange" 2>/dev/null
check "who uses an attribute is named by orcs-dot(5)" is_empty "$work/strange"

# ---- man pages are well formed
for page in doc/*.[1357]; do
	if have groff; then
		groff -man -t -ww -z -Tutf8 "$page" >"$work/said" 2>&1
		check "groff warns of $page" is_empty "$work/said"
	else
		skip "groff is not installed: $page"
	fi
done

# ---- the examples of the man pages work
# Commands of the section EXAMPLES, one a line; lines that end with a backslash or a pipe go on.
examples() { # FILE
	plain "$1" | awk '
		/^\.SH/ { on = /EXAMPLES/ }
		/^\.(EX|nf)/ { shown = on }
		/^\.(EE|fi)/ { shown = 0; line = "" }
		/^\./ || !shown { next }
		{
			sub(/^\$ /, "")
			line = line $0
			if (line ~ /\\$/) {
				sub(/\\$/, "", line)
				next
			}
			if (line ~ /\|$/)
				next
			if (line ~ /^(orcs(-[a-z]+)?|mpirun|(fattree|torus)_topology\.sh|route_with_opensm\.sh) /)
				print line
			line = ""
		}'
}

# The files that the examples name, in $work/run: one fabric as graph and as dumps, and those that other pages show.
provide() {
	rm -rf "$work/run"
	mkdir "$work/run" && cd "$work/run" || exit 1
	ln -s "$root/examples" "$root/scripts" .
	for name in fabric before after old new; do
		cp examples/fattree16.dot $name.dot
	done
	"$bin/orcs-export" --quiet --to ibnetdiscover -o topology fabric.dot
	"$bin/orcs-export" --quiet --to lfts -o tables fabric.dot
	cp topology topology.txt
	printf 'qos TRUE\nqos_vlarb_high 0:0\nqos_vlarb_low 0:32,1:96\n' >qos.conf
	seq -f H%g 2 10 | tee myhosts >free
	printf '0 1 100\n1 2 50\n' >bytes
	printf '4242 H[0-5]\n4243 H[6-9]\n' >jobs
	cp "$root/tests/import/data/small.lst" opensm-subnet.lst
	"$bin/orcs-export" --quiet --to lfts -o opensm-lfts.dump opensm-subnet.lst "$root/tests/import/data/small.tables"
	"$bin/orcs" --metric get_cable_cong -o coloured.dot fabric.dot
	[ ! -x "$bin/../examples/halo" ] || cp "$bin/../examples/halo" halo
	plain "$root/doc/orcs-dot.5" | sed -n '/^digraph tiny/,/^}/p' >tiny.dot
	cd "$root" || exit 1
}

provide
check "doc/orcs-dot.5 has no example 'tiny'" [ -s "$work/run/tiny.dot" ]
. tests/mpi_environment.sh

runs() { # COMMAND
	options_before=${ASAN_OPTIONS:-}
	case $1 in # Open MPI's own leaks are not ours
	mpirun*) ASAN_OPTIONS="$options_before:detect_leaks=0" ;;
	esac
	(
		cd "$work/run" || exit 1
		PATH=$bin:$root/scripts:$PATH
		ORCS_BIN=$bin
		export PATH ORCS_BIN ASAN_OPTIONS
		timeout 120 sh -c "$1" >"$work/out" 2>"$work/err" </dev/null
	)
	status=$?
	ASAN_OPTIONS=$options_before
	[ "$status" -eq 0 ] || {
		head -n 5 "$work/err"
		false
	}
}

for page in doc/*.[157]; do
	provide
	examples "$page" >"$work/examples"
	while IFS= read -r command <&3; do
		needed=
		case $command in mpirun*) have mpirun || needed=mpirun ;; esac
		case $command in *--plot*) have gnuplot || needed=gnuplot ;; esac
		case $command in *orcs-draw*) have dot || needed=graphviz ;; esac
		case $command in
		*--engines* | route_with_opensm.sh* | *'| route_with_opensm.sh'*)
			for tool in opensm ibsim ibnetdiscover; do
				have $tool || needed=$tool
			done ;;
		esac
		if [ -n "$needed" ]; then
			skip "$needed is missing: $command"
		else
			check "the example of $page fails: $command" runs "$command"
		fi
	done 3<"$work/examples"
done

# The example of the schema is what the program prints.
if have jq; then
	sed -n '/^## An example/,/^prints this/s/^    //p' doc/orcs-result.md | sed 's/\\$//' | tr '\n' ' ' >"$work/command"
	awk '/^```json/ { on = 1; next } /^```/ && on { exit } on' doc/orcs-result.md | jq -S 'del(.version)' >"$work/wanted"
	check "the example of doc/orcs-result.md fails" runs "$(cat "$work/command")"
	jq -S 'del(.version)' "$work/out" >"$work/got"
	check "the example of doc/orcs-result.md is another now" same "$work/wanted" "$work/got"
else
	skip "jq is not installed: the example of doc/orcs-result.md"
fi

# ---- who may include what
# The floors from the ground up: a folder includes itself and those before it, never one after it. The rooms of a floor (its folders) do not
# include one another; what lies on the floor itself, and is no header, includes them.
floors='base cli topologies fabric shapes routings formats infiniband patterns scheduling engines/packet/routing engines metrics parallel orcs compare jobs pictures tools include library'
sources=$(find -- * -name '*.[ch]' | grep -Ev '^(build|tests|bench|ibsim-patches|doc|examples|tools/record/preload)/' | sort)
# shellcheck disable=SC2086 # lists of files
awk -v floors="$floors" '
	function floor_of(path, at) { # the number of the longest floor that the path lies in
		for (at = path; sub(/\/[^\/]*$/, "", at);)
			if (at in rank)
				return rank[at]
		return 0
	}
	function room_of(path, part) { return split(path, part, "/") > 2 ? part[1] "/" part[2] : "" } # of a floor with rooms
	BEGIN { for (i = split(floors, each, " "); i; i--) rank[each[i]] = i }
	FNR == 1 && !floor_of(FILENAME) { print FILENAME " is on no floor" }
	/^#[ \t]*include[ \t]*"/ {
		split($0, quoted, "\"")
		if (!floor_of(quoted[2]))
			print FILENAME " includes " quoted[2] ", which is on no floor: includes begin at the root"
		else if (floor_of(quoted[2]) > floor_of(FILENAME))
			print FILENAME " includes " quoted[2] ", which is above it"
		else if (room_of(quoted[2]) && room_of(quoted[2]) != room_of(FILENAME) && floor_of(quoted[2]) == floor_of(FILENAME) &&
			(room_of(FILENAME) || FILENAME ~ /h$/))
			print FILENAME " includes " quoted[2] " from another room of its floor"
	}' $sources >"$work/strange"
check "the floors: includes that run up or across" is_empty "$work/strange"

# ---- what CONTRIBUTING.md and the READMEs of folders name exists: files, folders, and identifiers between backquotes, and paths in listings
# Capitals stand for any name, and the examples of CONTRIBUTING.md, each after its path and a colon, are files of adding.sh.
find -- * -type f | grep -v '^build/' >"$work/files"
{
	tr -c 'A-Za-z0-9_\n' '\n' <"$work/files"
	grep -E '\.(c|h|sh)$' "$work/files" | xargs grep -ohE '[A-Za-z_][A-Za-z0-9_]*'
} | sort -u >"$work/words"
: >"$work/strange"
for page in CONTRIBUTING.md $(find -- * -name README.md | grep -Ev '^(build|examples)/' | sort); do
	sed '/^```/,/^```/d; s/`[^`]*`:$//' "$page" >"$work/text"
	{
		grep -o '`[^`]*`' "$work/text" | tr -d '`' | grep -v '[A-Z]\{4\}'
		sed -n 's/^    //p' "$work/text" | grep -oE '([a-z_-]+/)+[a-z_*]+\.[ch]'
	} | sort -u >"$work/named"
	grep -xE '([][A-Za-z0-9_.*-]+/)*([][A-Za-z0-9_.*-]+\.(\[ch\]|c|h|sh|py|md|awk|cases|dict))?' "$work/named" | grep . | while read -r path; do
		# shellcheck disable=SC2086 # it may be a pattern
		ls -d $path "${page%README.md}"$path "${page%README.md}"*/$path */$path 2>/dev/null | grep -q . || echo "$page: there is no $path"
	done >>"$work/strange"
	grep -xE '\.[a-z_]+|(struct|enum) [a-z_]+|[a-z0-9]+_[a-z0-9_]+(\(\))?' "$work/named" |
		sed 's/^\(struct\|enum\) //; s/^\.//; s/()$//' | grep -vxFf "$work/words" | sed "s,^,$page: nothing is named ," >>"$work/strange"
done
check "CONTRIBUTING.md and READMEs name what does not exist" is_empty "$work/strange"

# ---- engines are rows of a table: what runs them knows none by its name
# Texts are not meant, unless something is compared with a name; nor are the latency of channels and the messages of --flows.
names=$("$bin/orcs" --list=engines | awk '/^  / { print $1 }' | paste -s -d '|')
check "orcs --list=engines lists engines" [ "${names#*|*|*|}" != "$names" ]
words=$(echo "$names" | sed 's/|latency|/|/; s/|null$//')
: >"$work/strange"
for file in orcs/main.c orcs/job*.[ch] orcs/option*.[ch] orcs/campaign*.[ch] orcs/runs.[ch] orcs/report*.[ch] orcs/topics.[ch] orcs/plot.c; do
	sed 's/"\([^"\\]\|\\.\)*"//g; s,/\*.*\*/,,g; /^ \*/d; /^\/\*/d; s/\<\(KEY_FLOWS\|timeline_flows\|flows\)\>//g' "$file" |
		grep -niE "$words|engine_($names)" | sed "s,^,$file:," >>"$work/strange"
	grep -nE "str[a-z]*cmp\(.*\"($names)\"|#include \"engines/[a-z]*/" "$file" | sed "s,^,$file:," >>"$work/strange"
done
check "what runs engines names one of them" is_empty "$work/strange"

# ---- nothing but main functions, and what they call to read a command line, prints or exits
# base/output.c opens "-", and parallel/comm.c ends a job in which a process failed alone. Texts, comments and children are not meant.
: >"$work/strange"
for file in $sources; do
	case $file in
	orcs/main.c | tools/orcs-*.c | tools/get_network_graph.c | tools/dot2osm.c | tools/lftsdump2dot.c | cli/* | base/output.c | parallel/comm.c) continue ;;
	esac
	sed 's/"\([^"\\]\|\\.\)*"//g; s,/\*.*\*/,,g; /^ \*/d; /^\/\*/d' "$file" |
		grep -nE '(^|[^_a-z])(printf|puts|putchar|perror|exit|abort)\(|(^|[^_a-z])std(err|out)([^_a-z]|$)' | sed "s,^,$file:," >>"$work/strange"
done
check "what is no main function prints or exits" is_empty "$work/strange"

# ---- no two objects define the same global symbol: a linker takes one of the two
# The objects in tools/ have a main function each; comm_alone.o stands in for comm.o.
# shellcheck disable=SC2086 # a list of files
objects=$(printf '%s\n' $sources | sed -n '/^tools\/[^/]*$/d; /comm_alone/d; s/\.c$/.o/p')
if have nm && [ -f "$bin/../orcs/main.o" ]; then
	# shellcheck disable=SC2086 # a list of files
	(cd "$bin/.." && nm -A -g --defined-only $objects) >"$work/symbols" 2>"$work/err"
	check "nm cannot read all objects" is_empty "$work/err"
	check "nm lists the global symbols" grep -q '^orcs/main\.o:.* T main$' "$work/symbols"
	awk '
		$2 ~ /[VW]/ || $3 ~ /^__/ { next } # of the compiler
		{ sub(/:.*/, "", $1) }
		$3 in first { print $3 " is defined by " first[$3] " and by " $1 }
		{ first[$3] = $1 }' "$work/symbols" >"$work/strange"
	check "two objects define the same global symbol" is_empty "$work/strange"
else
	skip "nm or the objects of $bin are missing: global symbols"
fi

# ---- the format of the code
if have clang-format; then
	# shellcheck disable=SC2086 # a list of files
	clang-format --dry-run --Werror $sources $(find tests -name '*.[ch]') >"$work/strange" 2>&1
	check "clang-format would change files: make format" is_empty "$work/strange"
else
	skip "clang-format is not installed: the format of the code"
fi

includes() { # HEADER: the files that include it
	# shellcheck disable=SC2086 # a list of files
	grep -lE "#[[:space:]]*include[[:space:]]*[<\"]$1[>\"]" $sources
}

includes 'cgraph\.h' >"$work/files"
echo formats/dot_cgraph.c >"$work/wanted"
check "cgraph.h belongs into formats/dot_cgraph.c alone" same "$work/wanted" "$work/files"
includes 'cJSON\.h' >"$work/files"
check "cJSON.h belongs into tests alone" [ ! -s "$work/files" ]
includes 'mpi\.h' >"$work/files"
echo parallel/comm.c >"$work/wanted"
check "mpi.h belongs into parallel/comm.c alone" same "$work/wanted" "$work/files"
# shellcheck disable=SC2086 # a list of files
grep -lE 'output_open\(' $(printf '%s\n' $sources | grep '\.c$') >"$work/files"
printf 'base/files.c\nbase/output.c\norcs/checkpoint.c\n' >"$work/wanted" # checkpoints are written again and again
check "outputs are opened by files_write, which knows the inputs" same "$work/wanted" "$work/files"
check "files_write looks at the path of checkpoints" grep -q 'files_write(.*checkpoint\.path' orcs/job_run.c

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
