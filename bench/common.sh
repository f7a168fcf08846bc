# shellcheck shell=sh disable=SC2034 # what functions find, the scripts use
# common.sh - what the benchmarks share; they set $me, define usage and source it from the root of the repository.

die() {
	printf '%s: %s\n' "${me-bench}" "$1" >&2
	exit 1
}

# Fails unless the programs are there.
need() { # PROGRAM...
	for program; do
		command -v "$program" >/dev/null 2>&1 || die "$program is missing"
	done
}

# Runs a command, writes the seconds of CPU time, user and system, that it took to the end of the file. Its output goes to
# $tmp/result, what it says to $tmp/said. The builtin times tells of all children of this shell that have ended.
measure() { # FILE COMMAND...
	into=$1
	shift
	times >"$tmp/times.before"
	"$@" >"$tmp/result" 2>"$tmp/said" || die "failed: $*: $(tail -n 3 "$tmp/said")"
	times >"$tmp/times.after"
	awk '
		FNR == 2 {
			for (i = 1; i <= 2; i++) {
				split($i, part, /[ms]/)
				sum += (NR == 2 ? -1 : 1) * (60 * part[1] + part[2])
			}
		}
		END { printf "%.6f\n", (sum > 0 ? sum : 0) }' "$tmp/times.before" "$tmp/times.after" >>"$into"
}

# Runs orcs -v. Appends the nanoseconds of a pair that it tells to the file. $way: how the routes were found; $table_mb, $table_s: what
# their table takes; $channels: of the fabric; $memory: the most that the process took, in MB; $command: for the row.
time_pairs() { # FILE ARGUMENT...
	into=$1
	shift
	command="orcs -v $*"
	/usr/bin/time -o "$tmp/used" -f %M "$orcs" -v "$@" >"$tmp/result" 2>"$tmp/said" || die "failed: $command: $(tail -n 1 "$tmp/said")"
	sed -n 's/^[0-9]* runs, .*: \([0-9.]*\) ns each$/\1/p' "$tmp/said" >"$tmp/each"
	[ -s "$tmp/each" ] || die "$command does not tell the time of a pair"
	cat "$tmp/each" >>"$into"
	way=$(sed -n 's/^routes are \([a-z ]*\).*/\1/p' "$tmp/said")
	table_mb=$(sed -n 's/^routes are looked up.* \([0-9.]*\) MB.*/\1/p' "$tmp/said")
	table_s=$(sed -n 's/^routes are looked up.* made in \([0-9.]*\) s.*/\1/p' "$tmp/said")
	channels=$(sed -n 's/^read .* \([0-9]*\) channels.*/\1/p' "$tmp/said")
	memory=$(awk '{ printf "%.0f", $1 * 1.024e-3 }' "$tmp/used")
}

# Fails unless the routes of the last run were looked up where that was wanted, and nowhere else.
check_way() { # looked-up|walked|computed
	case $1:$way in
	looked-up:looked* | walked:walked | computed:walked | computed:computed*) ;;
	*) die "routes are $way, not $1: $command" ;;
	esac
}

# Minimum and median of the numbers of a file, one a line.
summary() { # FILE
	sort -n "$1" | awk '{ v[NR] = $1 } END { printf "%.6g %.6g\n", v[1], NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

median() { # FILE
	summary "$1" | cut -d ' ' -f 2
}

# The value of an expression of awk, in this format.
compute() { # FORMAT EXPRESSION
	awk "BEGIN { printf \"$1\", ($2) }"
}

# met or missed, as the comparison of awk holds; nothing where it lacks its bar.
verdict() { # NUMBER COMPARISON BAR
	[ -z "$3" ] || compute %s "$1 $2 $3 ? \"met\" : \"missed\""
}

# A line of the table on standard output, under a head where the keys are others than before, and a line of JSON in $out; the latter has
# $command too, if that is set. Numbers stay as they are written; what is empty is null.
row() { # KEY VALUE...
	printf '%s\n' "$@" | awk -v case="${me%.sh}" -v command="${command-}" -v keys="$tmp/keys" -v rows="$rows" '
		function string(text) {
			gsub(/["\\]/, "\\\\&", text)
			return "\"" text "\""
		}
		NR % 2 { key[++n] = $0; next }
		{ value[n] = $0 }
		END {
			getline before <keys
			line = "{\"case\": " string(case)
			for (i = 1; i <= n; i++) {
				width = key[i] ~ /^(way|pattern|metric|program|launcher|function)$/ ? 16 : length(key[i]) < 8 ? 8 : length(key[i])
				head = head sprintf(" %*s", width, key[i])
				body = body sprintf(" %*s", width, value[i] == "" ? "-" : value[i])
				shown = value[i] ~ /^-?[0-9]+(\.[0-9]+)?$/ ? value[i] : value[i] == "" ? "null" : string(value[i])
				line = line ", " string(key[i]) ": " shown
			}
			if (before != head)
				print head
			print head >keys
			print body
			print line (command == "" ? "" : ", \"command\": " string(command)) "}" >>rows
		}'
}

# The fat tree of so many hosts: K and PODS of fattree3.sh; nothing where there is none.
shape() { # HOSTS
	case $1 in
	128) echo 8 8 ;;
	1024) echo 16 16 ;;
	4096) echo 32 16 ;;
	11664) echo 36 36 ;;
	27648) echo 48 48 ;;
	65536) echo 64 64 ;;
	262144) echo 128 64 ;;
	esac
}

# The same for orcs-topology; a million hosts make four levels.
specification() { # HOSTS
	if [ "$1" -eq 1048576 ]; then
		echo fattree:k=32,n=4
	else
		shape "$1" | awk 'NF { h = $1 / 2; printf "xgft:%d:1/%d:%d/%d:%d\n", h, h, h, $2, h }'
	fi
}

# Writes the fat tree as a graph, with its tables, or with the name of its routing (computed).
write_graph() { # HOSTS tables|computed
	if [ "$2" = tables ]; then
		# shellcheck disable=SC2046 # two words
		bench/fattree3.sh $(shape "$1")
	else
		"$programs/orcs-topology" "$(specification "$1")"
	fi
}

# $fabric: the fat tree as a cache, made where $out has none that this orcs reads; $read_s, $read_mb: time and memory that reading the graph
# took then. Returns 1 where there is no such fabric, or nothing that makes it.
get_fabric() { # HOSTS tables|computed
	fabric=$out/$1-$2.orcsb
	if [ "$2" = computed ]; then
		[ -x "$programs/orcs-topology" ] || return 1
	else
		case $(shape "$1") in '' | 128' '*) return 1 ;; esac
	fi
	if [ ! -f "$fabric.made" ] || ! "$orcs" --quiet -p null "$fabric" >/dev/null 2>&1; then
		write_graph "$1" "$2" >"$tmp/graph.dot" || return 1
		/usr/bin/time -o "$tmp/used" -f %M "$orcs" -v --save-fabric "$fabric" "$tmp/graph.dot" 2>"$tmp/said" ||
			die "failed: orcs --save-fabric $fabric: $(tail -n 1 "$tmp/said")"
		rm "$tmp/graph.dot"
		sed -n 's/^read .* in \([0-9.]*\) s:.*/\1/p' "$tmp/said" >"$tmp/made"
		awk '{ printf "%.0f\n", $1 * 1.024e-3 }' "$tmp/used" >>"$tmp/made"
		cp "$tmp/made" "$fabric.made"
	fi
	read_s=$(sed -n 1p "$fabric.made")
	read_mb=$(sed -n 2p "$fabric.made")
}

# What the results depend on.
machine() {
	cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo '?')
	memory=$(awk '$1 == "MemTotal:" { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo 2>/dev/null)
	load=$(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null)
	printf 'machine: %s cores, %s of memory, load at the start %s\n' "$cores" "${memory:-?}" "${load:-?}"
}

case ${1-} in
-h | --help)
	usage
	exit ;;
esac
orcs=${ORCS-build/plain/bin/orcs}
programs=${orcs%/*}
[ -x "$orcs" ] || die "$orcs is missing: run make first"
[ -x /usr/bin/time ] || die "/usr/bin/time is missing: install the package time"
out=${BENCH_OUT-build/bench}
rows=$out/${me%.sh}.jsonl
mkdir -p "$out" && : >"$rows" || die "cannot write to $out"
tmp=
trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
tmp=$(mktemp -d "$(cd "$out" && pwd -P)/tmp.XXXXXX") || die "cannot make a directory in $out"
cp "$orcs" "$tmp/orcs" || die "cannot copy $orcs" # a build in the meantime does not matter
orcs=$tmp/orcs

# ---- open loops of packets

# A run of orcs --engine packet. $passes: channels; $rate, $clock: millions of them a second of user time, and by the clock; $memory: MB.
run_packets() { # LAUNCHER-WORDS ARGUMENT...
	launcher=$1
	shift
	# shellcheck disable=SC2086 # words
	/usr/bin/time -o "$tmp/used" -f %M $launcher "$orcs" -v --quiet --engine packet --metric packet_throughput --capacity 100G "$@" \
		>"$tmp/result" 2>"$tmp/said" || die "failed: orcs --engine packet $*: $(tail -n 1 "$tmp/said")"
	sed -n 's/^packets passed \([0-9]*\) channels: \([0-9.]*\) million per second, \([0-9.]*\) .*/\1 \2 \3/p' "$tmp/said" >"$tmp/each"
	read -r passes clock rate <"$tmp/each" || die "orcs -v does not tell how fast it was"
	memory=$(awk '{ printf "%.0f", $1 * 1.024e-3 }' "$tmp/used")
}

# $ratio: how many times as fast, by the clock, a run is that several share by these words, the median of three; with the same bytes.
time_shared() { # LAUNCHER-WORDS MORE-WORDS ARGUMENT...
	launch=$1 more=$2
	shift 2
	: >"$tmp/ratios"
	for _ in 1 2 3; do
		run_packets '' "$@"
		alone=$clock
		cp "$tmp/result" "$tmp/alone"
		# shellcheck disable=SC2086 # words
		run_packets "$launch" "$@" $more
		cmp -s "$tmp/alone" "$tmp/result" || die "$launch orcs $more yields another result than one alone: $*"
		compute '%.3f\n' "$clock / $alone" >>"$tmp/ratios"
	done
	ratio=$(median "$tmp/ratios")
}

# $instructions, $misses (of a cache of 1 MB on the second level): of one channel passed, the difference of two runs, which measure for once
# and three times the span (microseconds); nothing without valgrind.
count_packets() { # SPAN ARGUMENT...
	instructions='' misses=''
	valgrind --tool=none "$orcs" --version >/dev/null 2>&1 || return 0
	span=$1
	shift
	for times in 1 3; do
		valgrind --tool=cachegrind --cache-sim=yes --D1=49152,12,64 --LL=1048576,16,64 --cachegrind-out-file=/dev/null "$orcs" --engine packet \
			--metric packet_throughput -v --quiet --capacity 100G "$@" --measure "$(compute %.3f "$span * $times")us" \
			>"$tmp/result" 2>"$tmp/said" || die "cachegrind failed: $(tail -n 1 "$tmp/said")"
		sed -n 's/^packets passed \([0-9]*\) .*/\1/p' "$tmp/said"
		sed -n 's/.* I *refs: *\([0-9,]*\).*/\1/p; s/.* LLd misses: *\([0-9,]*\).*/\1/p' "$tmp/said" | tr -d ,
	done >"$tmp/counted"
	awk '{ v[NR] = $1 } END { p = v[4] - v[1]; printf "%.0f %.2f\n", (v[5] - v[2]) / p, (v[6] - v[3]) / p }' "$tmp/counted" >"$tmp/each"
	read -r instructions misses <"$tmp/each"
}
