# shellcheck shell=sh
# common.sh - what the benchmarks share; they set $me, define usage and source it from the root of the repository.

die() {
	printf '%s: %s\n' "${me-bench}" "$1" >&2
	exit 1
}

# Runs a command, writes the seconds of CPU time, user and system, that it took to the end of the file. Its output goes to
# $tmp/result, what it says to $tmp/said. The builtin times tells of all children of this shell that have ended.
measure() { # FILE COMMAND...
	into=$1
	shift
	times >"$tmp/times.before"
	"$@" >"$tmp/result" 2>"$tmp/said" || die "failed: $*: $(cat "$tmp/said")"
	times >"$tmp/times.after"
	awk '
		FNR == 2 {
			for (i = 1; i <= 2; i++) {
				split($i, part, /[ms]/)
				sum += (NR == 2 ? -1 : 1) * (60 * part[1] + part[2])
			}
		}
		END { printf "%.6f\n", sum }' "$tmp/times.before" "$tmp/times.after" >>"$into"
}

# Minimum and median of the numbers of a file, one a line.
summary() { # FILE
	sort -n "$1" | awk '{ v[NR] = $1 } END { printf "%.6g %.6g\n", v[1], NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
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
for file in orcs/main.c bench/common.sh; do
	[ -f "$file" ] || die "run it from the root of the repository"
done
orcs=${ORCS-build/plain/bin/orcs}
[ -x "$orcs" ] || die "$orcs is missing: run make first"
tmp=
trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
tmp=$(mktemp -d "${TMPDIR:-/tmp}/orcs-bench.XXXXXX") || die "cannot make a directory in ${TMPDIR:-/tmp}"
cp "$orcs" "$tmp/orcs" || die "cannot copy $orcs" # a build in the meantime does not matter
orcs=$tmp/orcs
