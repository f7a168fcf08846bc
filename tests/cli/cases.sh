#!/bin/sh
# Runs the cases of files (tests/cli/*.cases): cases.sh BIN_DIR [--update] [FILE...]. A case is a command and what it must do:
#   $ the command, run by sh from the root of the project
#   ? the exit status
#   > a line of standard output      ! a line of standard error
# --update writes what the commands do now into the files, to be looked at with git diff.
set -u

PATH=$(cd "$1" && pwd):$PATH
export PATH
shift
update=
if [ "${1:-}" = --update ]; then
	update=$1
	shift
fi
[ $# -ne 0 ] || set -- tests/cli/*.cases
work=$(mktemp -d)
export TMP="$work"
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# What a command does, in the form of the file.
perform() {
	sh -c "$1" >"$work/out" 2>"$work/err" </dev/null
	echo "? $?"
	sed 's/^/> /' "$work/out"
	sed "s#$work#TMP#g; s/^/! /" "$work/err"
}

for file; do
	: >"$work/new"
	: >"$work/wanted"
	command=
	finish() {
		[ -n "$command" ] || return
		perform "$command" >"$work/got"
		{
			printf '$ %s\n' "$command"
			cat "$work/got"
		} >>"$work/new"
		if cmp -s "$work/wanted" "$work/got"; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "$file: $command"
			diff "$work/wanted" "$work/got"
		fi
		command=
		: >"$work/wanted"
	}
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		'$ '*)
			finish
			command=${line#??}
			;;
		'? '* | '> '* | '! '* | '>' | '!') printf '%s\n' "$line" >>"$work/wanted" ;;
		*)
			finish
			printf '%s\n' "$line" >>"$work/new"
			;;
		esac
	done <"$file"
	finish
	[ "$update" = --update ] && cp "$work/new" "$file"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
