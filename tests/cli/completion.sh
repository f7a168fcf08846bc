#!/bin/sh
# Completion in a real bash, of what the programs themselves list: completion.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
if ! have bash; then
	skip "no bash"
	echo "$passed passed, $failed failed, $skipped skipped"
	exit 0
fi

# What bash offers for the end of a line, one word a line, without their blanks: it cuts words at blanks, = and :.
cat >"$work/complete.bash" <<'BASH'
PATH=$1:$PATH
source completions/orcs
COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
set -f
COMP_WORDS=($(sed 's/[=:]/ & /g' <<<"$COMP_LINE"))
[[ $COMP_LINE != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
set +f
function=$(complete -p "${COMP_WORDS[0]##*/}" | sed 's/.* -F \([^ ]*\) .*/\1/')
$function "${COMP_WORDS[0]}"
for word in "${COMPREPLY[@]}"; do
	echo "${word% }"
done
BASH

# The words offered for the line, in one line.
offered() { # LINE
	bash "$work/complete.bash" "$bin" "$1" 2>&1 | tr '\n' ' ' | sed 's/ $//'
}

is_offered() { # LINE WORDS
	got=$(offered "$1")
	[ "$got" = "$2" ] || {
		echo "'$1' offers '$got'"
		return 1
	}
}

# The same lists, sorted.
same_words() { # LINE FILE
	offered "$1" | tr ' ' '\n' | sort >"$work/offered"
	[ -s "$2" ] && diff "$2" "$work/offered"
}

# ---- options, as --help has them
for program in orcs orcs-advise orcs-bound orcs-check orcs-compare orcs-draw orcs-export orcs-import orcs-jobs orcs-order orcs-record orcs-report orcs-route orcs-topology orcs-trace; do
	if [ ! -x "$bin/$program" ]; then
		skip "$program is not built"
		continue
	fi
	"$bin/$program" --help=all | sed -n 's/^  *\(-[A-Za-z], \)\{0,1\}\(--[a-z0-9_-]*=\{0,1\}\).*/\2/p' | sort >"$work/options"
	check "options of $program" same_words "$program --" "$work/options"
	check "options of $program by its path" same_words "$bin/$program --" "$work/options"
done

# ---- names, as the lists have them: those that need no parameters also without a colon
listed() { # KIND [MARKS]
	"$bin/orcs" --list="$1" | awk -v marks="${2-}" '/^  [^ ]/ && $2 ~ marks { print $1 }' |
		sed 's/^\([^:[]*:\)[^[].*/\1/; t; s/^\([^[]*\)\[.*/\1\n\1:/' | sort
}
listed patterns '^c' >"$work/patterns"
listed patterns '^.t' >"$work/runnable"
listed patterns '^..l' >"$work/traffic"
for kind in packet-routings subsets mappings metrics routings topologies; do
	listed $kind >"$work/$kind"
done
(cat "$work/routings" && echo as-is) | sort >"$work/compared"
check "patterns" same_words "orcs --pattern=" "$work/patterns"
check "patterns of -p" same_words "orcs -p " "$work/patterns"
check "patterns of orcs-compare" same_words "orcs-compare --patterns=" "$work/patterns"
check "workloads" same_words "orcs --engine=flow -p " "$work/runnable"
check "traffic" same_words "orcs --engine packet --load 0.1 --pattern=" "$work/traffic"
check "packet routings" same_words "orcs --packet-routing=" "$work/packet-routings"
check "subsets" same_words "orcs --subset=" "$work/subsets"
check "mappings" same_words "orcs-compare --mapping " "$work/mappings"
check "metrics" same_words "orcs --metric=" "$work/metrics"
check "routings" same_words "orcs --routing=" "$work/routings"
check "routings of orcs-route" same_words "orcs-route " "$work/routings"
check "routings of orcs-compare" same_words "orcs-compare -R " "$work/compared"
check "topologies" same_words "orcs-topology " "$work/topologies"

# ---- words of help, further ones of a list, files
check "topics of --help" is_offered "orcs --help=" "all experiment output congestion flow latency packet null"
check "topics of --help of others" is_offered "orcs-check --help=" all
check "choices of --format" is_offered "orcs-check --format=" "text json"
check "choices of --format of orcs" is_offered "orcs --format " "text json csv"
check "a choice beside a number" is_offered "orcs-import --rails=" "separate merge list"
check "a number" is_offered "orcs --seed=" ""
check "either spelling" is_offered "orcs --output-file=completions/o" completions/orcs
check "a second metric" is_offered "orcs --metric hops,make" hops,makespan
check "a second pattern" is_offered "orcs-compare -p bisect,transp" bisect,transpose
check "parameters" is_offered "orcs -p shift:" ""
check "a pattern's file" is_offered "orcs -p file:tests/data/patt" tests/data/pattern.txt
check "a fabric" is_offered "orcs tests/data/listing" tests/data/listing1.dot
check "an option in the middle" is_offered "orcs -d --speed-a" --speed-aware
check "a program that is not there" is_offered "/nowhere/orcs --seed" ""
# what the completion knows by itself stands in the help
described() { # PROGRAM OPTION WORD
	"$bin/$1" --help=all | awk '/^                    / { printf "%s", $0; next } { printf "\n%s", $0 } END { print "" }' | grep -e "$2" | grep -qw -e "$3"
}
for line in "orcs --engine=" "orcs --palette=" "orcs --injection=" "orcs --arbiter=" "orcs --priority=" "orcs --scale=" "orcs --multipath=" \
	"orcs-draw --layout=" "orcs-export --to=" "orcs-check --require=" "orcs-bound --parts="; do
	check "$line offers words" [ -n "$(offered "$line")" ]
	for word in $(offered "$line"); do
		check "$line$word stands in the help" described "${line%% *}" "${line##* }" "${word%:}"
	done
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
