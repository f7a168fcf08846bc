# What the scripts that check the statements of a paper share; they set $me and source this: . scripts/statements.sh
# shellcheck shell=sh disable=SC2154,SC2034 # $me and $out are the script's
#
# A statement is one row: its number, what the paper says and where, the paper's figure, ours, and the verdict: "confirmed", "not confirmed",
# or "open" where the paper does not say enough to judge. A verdict is computed from the figures; the reason only explains it.
export LC_ALL=C

die() { # TEXT [STATUS]
	printf '%s: %s\n' "$me" "$1" >&2
	exit "${2-1}"
}

# Begins the table of statements in $out/statements.md.
begin_statements() { # TITLE
	printf '# %s\n\n| no | statement | where | paper | here | verdict | why |\n|---|---|---|---|---|---|---|\n' "$1" >"$out/statements.md" || exit 1
}

# Adds a row.
statement() { # NUMBER STATEMENT WHERE PAPER OURS VERDICT [WHY]
	printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$2" "$3" "$4" "$5" "$6" "${7-}" >>"$out/statements.md" || exit 1
}

# Prints a verdict on a condition of awk on numbers: "confirmed" if it holds, otherwise "not confirmed"; "open" if a number is missing.
judge() { # CONDITION NAME=NUMBER...
	condition=$1
	shift
	for given in "$@"; do
		case $given in *=) echo open && return ;; esac
	done
	variables=$(printf -- '-v %s ' "$@")
	# shellcheck disable=SC2086 # a list
	awk $variables "BEGIN { print ($condition) ? \"confirmed\" : \"not confirmed\" }"
}

# Prints a verdict on a command: whether it succeeds.
succeeds() { # COMMAND...
	if "$@" >/dev/null 2>&1; then echo confirmed; else echo "not confirmed"; fi
}

# Prints the table, and how many statements have which verdict.
end_statements() {
	cat "$out/statements.md"
	awk -F ' [|] ' 'NR > 4 { count[$6]++; n++ } END { printf "\n%d statements: %d confirmed, %d not confirmed, %d open\n", n,
		count["confirmed"], count["not confirmed"], count["open"] }' "$out/statements.md"
}
