#!/bin/sh
# The commands of README.md print what it shows ("..." stands for any lines), and on standard error the units of that alone: readme.sh BIN_DIR
set -u

root=$(pwd)
bin=$(cd "$1" && pwd)
PATH=$bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
mkdir "$work/run"
ln -s "$root/examples" "$work/run/examples"

# Commands and what they show, as N.command and N.shown.
awk -v work="$work" '
/^```/ { inside = !inside; if (shown) close(shown); shown = ""; next }
inside && /^\$ / { n++; print substr($0, 3) > (work "/" n ".command"); shown = work "/" n ".shown"; printf "" > shown; next }
inside && shown { print > shown }
' README.md

for command in "$work"/*.command; do
	shown=${command%.command}.shown
	(cd "$work/run" && sh "$command") >"$work/got" 2>"$work/err" || echo "status $?" >>"$work/got"
	cat "$work/err" >>"$work/got" # as on a terminal
	if awk '
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
		}' "$shown" "$work/got"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $(cat "$command")"
		diff "$shown" "$work/got"
	fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
