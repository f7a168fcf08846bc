# What the scripts that check the statements of a paper share; they set $me and $here, and source this: . scripts/statements.sh
# shellcheck shell=sh disable=SC2154,SC2034 # $me and $here are the script's, and what is set here is for it
#
# A statement is one row: its number, what the paper says and where, the paper's figure, ours, and the verdict: "confirmed", "not confirmed",
# or "open" where the paper does not say enough to judge. A verdict is computed from the figures; the reason only explains it.
export LC_ALL=C

die() { # TEXT [STATUS]
	printf '%s: %s\n' "$me" "$1" >&2
	exit "${2-1}"
}

# Reads the arguments of a script, [--SIZE] [OUTDIR]. Sets $size (default, or one of SIZES), $out, $root, $bin, and $work, a new folder.
begin_paper() { # PAPER SIZES ARGUMENT...
	paper=$1
	sizes=$2
	size=default
	shift 2
	while [ $# -gt 0 ]; do
		case $1 in
		-h | --help)
			usage
			exit ;;
		--*)
			size=${1#--}
			case " $sizes " in *" $size "*) ;; *) die "unknown option '$1' (--help tells more)" 2 ;; esac ;;
		-*) die "unknown option '$1' (--help tells more)" 2 ;;
		*) break ;;
		esac
		shift
	done
	[ $# -le 1 ] || die "at most one folder (--help tells more)" 2
	root=$(cd "$here/.." && pwd)
	bin=$(cd "${ORCS_BIN:-$root/build}" 2>/dev/null && pwd) || die "${ORCS_BIN:-$root/build} is missing: run make first"
	[ -x "$bin/orcs" ] || die "$bin/orcs is missing: run make first"
	out=${1-$root/build/papers/$paper}
	mkdir -p -- "$out" && out=$(cd "$out" && pwd) || exit 1
	work=$(mktemp -d) || exit 1
	trap 'rm -rf "$work"' EXIT
	trap 'exit 143' HUP INT TERM
}

# Runs a program with its output in the file result, and sets $seconds, of the processor, and $megabytes, if GNU time is installed.
measured() { # COMMAND...
	seconds='' megabytes=''
	if [ -x /usr/bin/time ]; then
		set -- /usr/bin/time -o spent -f '%U %M' "$@"
		echo 0 0 >spent
	fi
	"$@" >result 2>said || {
		echo "$me: no result: $*: $(tail -n 1 said)" >&2
		return 1
	}
	[ ! -f spent ] || {
		read -r seconds megabytes <spent
		megabytes=$((megabytes / 1000))
	}
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
