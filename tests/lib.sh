# What test scripts share; they set $work, a directory of their own, and source this: . tests/lib.sh
# shellcheck shell=sh disable=SC2154,SC2034 # $work is the script's, and so is what is counted here

passed=0
failed=0

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

# Gnuplot and Graphviz make a cache of the machine's fonts, which stays empty if they run short of memory or files meanwhile: keep it in $work.
own_font_cache() {
	printf '<fontconfig><dir>/usr/share/fonts</dir><cachedir>%s/fonts</cachedir></fontconfig>\n' "$work" >"$work/fonts.conf"
	export FONTCONFIG_FILE="$work/fonts.conf"
}
