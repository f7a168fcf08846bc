#!/bin/sh
# validation_table.sh - the tables of doc/validation.md: all values that bench/validation.sh has measured last.

set -u
export LC_ALL=C
me=validation_table.sh

usage() {
	cat <<'EOT'
Usage: bench/validation_table.sh [FILE]

Writes a table in Markdown of every value in FILE (default: the rows that
bench/validation.sh has written last, build/bench/validation.jsonl). Values that
differ by more than 3 % of what was expected are in bold. Needs jq.
EOT
}

case ${1-} in --help) usage && exit ;; esac
file=${1-${BENCH_OUT-build/bench}/validation.jsonl}
[ -r "$file" ] || {
	printf '%s: %s is missing: run bench/validation.sh first\n' "$me" "$file" >&2
	exit 1
}
jq -r '[.title, .what, .expected, .value, .difference] | map(if . == null then "" else tostring end) | join("\t")' "$file" |
	awk -F '\t' '
		$1 != title {
			title = $1
			printf "%s**%s**\n\n| | expected | orcs | difference |\n|---|---:|---:|---:|\n", (NR > 1 ? "\n" : ""), title
		}
		{
			off = $5 == "" ? "" : sprintf("%.2f%%", $5)
			if (off != "" && ($5 > 3 || $5 < -3)) off = "**" off "**"
			printf "| %s | %s | %s | %s |\n", $2, $3, $4, off
		}'
