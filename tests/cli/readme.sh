#!/bin/sh
# The README and the guide: their commands print what they show, their pictures are what the script makes, and the guide is whole:
# readme.sh BIN_DIR [FILE...] (default: README.md and doc/guide/*.md)
#
# A fence holds commands, "$ ..." with continued lines, and what each prints, standard error last; "..." stands for any lines. "status N"
# ends what a command with another status than 0 prints. The commands of a file run in one directory, in their order.
set -u
export LC_ALL=C

root=$(pwd)
bin=$(cd "$1" && pwd) || exit 1
shift
PATH=$bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0
. tests/mpi_environment.sh

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

# ---- commands
# The commands of a file and what they show, as NNN.command and NNN.shown.
split() { # FILE FOLDER
	awk -v folder="$2" '
	function begin(line) { n++; name = sprintf("%s/%03d", folder, n); printf "" > (name ".shown"); more(line) }
	function more(line) { print line > (name ".command"); going = line ~ /\\$/ }
	/^```/ { inside = !inside; name = ""; going = 0; next }
	!inside { next }
	going { more($0); next }
	/^\$ / { if (name) { close(name ".command"); close(name ".shown") } begin(substr($0, 3)); next }
	name { print > (name ".shown"); next }
	{ print "FILE:" FNR ": a fence begins with a command" > (folder "/faults") }' "$1"
}

# Whether what is shown fits what was printed.
fits() { # SHOWN PRINTED
	awk '
	FNR == NR { want[++n] = $0; next }
	{ got[++m] = $0 }
	END {
		i = 1
		gap = 0
		for (j = 1; j <= m; j++) {
			while (want[i] == "..." && i <= n) { gap = 1; i++ }
			if (i <= n && got[j] == want[i]) { i++; gap = 0 }
			else if (!gap) exit 1
		}
		while (want[i] == "..." && i <= n) i++
		exit i <= n
	}' "$1" "$2"
}

shows() { # FOLDER SHOWN: runs the command beside what it shows
	options=${ASAN_OPTIONS:-}
	if grep -q '^mpirun' "${2%.shown}.command"; then
		options=$options:detect_leaks=0 # of MPI
	fi
	(cd "$1" && ASAN_OPTIONS=$options sh "${2%.shown}.command") >"$work/got" 2>"$work/err" </dev/null
	status=$?
	cat "$work/err" >>"$work/got" # as on a terminal
	[ "$status" -eq 0 ] || echo "status $status" >>"$work/got"
	fits "$2" "$work/got" || {
		diff "$2" "$work/got"
		false
	}
}

commands() { # FILE
	run=$work/run
	rm -rf "$run" "$work/commands"
	mkdir "$run" "$work/commands"
	ln -s "$root/examples" "$root/scripts" "$run"
	split "$1" "$work/commands"
	if [ -f "$work/commands/faults" ]; then
		check "$1: $(cat "$work/commands/faults")" false
	fi
	for shown in "$work/commands"/*.shown; do
		[ -f "$shown" ] || continue
		check "$1: $(cat "${shown%.shown}.command")" shows "$run" "$shown"
	done
}

# ---- the form of a page
is_short() { # FILE
	[ "$(wc -l <"$1")" -le 150 ]
}

# Whether every file that a page links to is there.
links() { # FILE
	awk -v RS='[]][(]|src="' 'NR > 1 { sub(/[)"#].*/, ""); if ($0 != "" && $0 !~ /^https?:/) print }' "$1" | sort -u >"$work/links"
	while read -r link; do
		[ -e "$(dirname "$1")/$link" ] || {
			echo "$1 links to $link"
			return 1
		}
	done <"$work/links"
}

listed() { # CHAPTER
	grep -q "](${1##*/})" doc/guide/README.md
}

# ---- pictures
texts() { # SVG: its texts, and how many cables, one a line
	sed 's/<text/\n&/g' "$1" | sed -n 's/^<text[^>]*>\(.*\)<\/text>.*/\1/p' | sed 's/<[^>]*>//g'
	grep -c 'class="edge cable"' "$1"
}

shown_somewhere() { # PICTURE
	cat README.md doc/guide/*.md doc/*.md | grep -q "pictures/$1[)\"]"
}

pictures() {
	for needed in dot gnuplot; do
		command -v $needed >/dev/null 2>&1 || {
			echo "SKIPPED: the pictures: $needed is not installed"
			skipped=$((skipped + 1))
			return
		}
	done
	mkdir "$work/pictures"
	check 'the script that makes the pictures' env ORCS_BIN="$bin" sh doc/pictures/make.sh "$work/pictures"
	for new in "$work/pictures"/*.svg; do
		name=${new##*/}
		texts "doc/pictures/$name" >"$work/old"
		texts "$new" >"$work/new"
		check "doc/pictures/$name is not what doc/pictures/make.sh makes" diff "$work/old" "$work/new"
		check "doc/pictures/$name is shown nowhere" shown_somewhere "$name"
	done
	for old in doc/pictures/*.svg; do
		case $old in */performance_*) continue ;; esac # of bench/run.sh
		check "$old is made by no script" [ -f "$work/pictures/${old##*/}" ]
	done
}

if [ $# -gt 0 ]; then
	for file; do
		commands "$file"
	done
else
	for file in README.md doc/guide/*.md; do
		case $bin:$file in */san/*:doc/guide/[a-e]*) continue ;; esac # a part is enough
		commands "$file"
		check "$file has more than 150 lines" is_short "$file"
		check "$file has a link to nowhere" links "$file"
		case $file in
		doc/guide/README.md | README.md) ;;
		*) check "doc/guide/README.md does not list ${file##*/}" listed "$file" ;;
		esac
	done
	case $bin in */san/*) echo "SKIPPED: the pictures, with the sanitizers" && skipped=1 ;; *) pictures ;; esac
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
