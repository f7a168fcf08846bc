# What test scripts share; they set $work, a directory of their own, and source this: . tests/lib.sh
# shellcheck shell=sh disable=SC2154,SC2034 # $work is the script's, and so is what is counted here

# A program with the sanitizers also runs as a client of ibsim, behind the library of that.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"

. tests/mpi_environment.sh

passed=0
failed=0
skipped=0

# check NAME COMMAND...: the command must succeed; what a failing one said last is shown.
check() {
	name=$1
	shift
	if "$@" >"$work/said" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $name"
		tail -n 5 "$work/said"
	fi
}

# says STATUS PATTERN COMMAND...: the exit status must be this, and what it says must match.
says() {
	wanted=$1
	pattern=$2
	shift 2
	"$@" >"$work/out" 2>&1
	status=$?
	cat "$work/out"
	[ $status -eq "$wanted" ] && grep -q -E -e "$pattern" "$work/out"
}

# Whether the programs in $bin are those with the sanitizers, which begin and run many times slower: what only multiplies cases is shorter then.
sanitized() {
	case $bin in */san/*) ;; *) false ;; esac
}

# skip WHAT: what cannot be tested here.
skip() {
	skipped=$((skipped + 1))
	echo "SKIPPED: $1"
}

# Whether there is such a program, also of those for root.
have() {
	PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null 2>&1
}

# Gnuplot and Graphviz make a cache of the machine's fonts, which stays empty if they run short of memory or files meanwhile: keep it in $work.
own_font_cache() {
	printf '<fontconfig><dir>/usr/share/fonts</dir><cachedir>%s/fonts</cachedir></fontconfig>\n' "$work" >"$work/fonts.conf"
	export FONTCONFIG_FILE="$work/fonts.conf"
}
