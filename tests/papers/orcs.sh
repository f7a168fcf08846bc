#!/bin/sh
# The statements of the ORCS paper: the verdicts of doc/papers/orcs.md are those of a small run: orcs.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

tools=all
for tool in opensm ibsim ibnetdiscover ibdiagnet; do
	have $tool || tools=none
done
[ $tools = all ] || skip "OpenSM, ibsim or ibutils is not installed: the commands of section 3"

verdicts() { # PAGE RUN
	awk -v tools=$tools -f tests/papers/verdicts.awk "$1" "$2"
}

# The same run with a simulator that draws other mappings and prints the pairs of recdbl for those of bruck has other verdicts: 2 and 6.
mutant() {
	mkdir "$work/bin" && ln -s "$bin"/* "$work/bin" && rm "$work/bin/orcs" || return 1
	cat >"$work/bin/orcs" <<EOF
#!/bin/sh
case " \$* " in *' --seed 46 '*) set -- "\$@" --seed 47 ;; *' bruck '*' --printptrn '*) set -- "\$@" -p recdbl ;; esac
exec "$bin/orcs" "\$@"
EOF
	chmod +x "$work/bin/orcs"
	ORCS_BIN=$work/bin scripts/orcs_paper.sh --small "$work/mutant" >"$work/printed" 2>&1
	! verdicts doc/papers/orcs.md "$work/mutant/statements.md" >"$work/differ" && [ "$(sed 's/:.*//' "$work/differ" | tr '\n' ' ')" = 'statement 2 statement 6 ' ]
}

ORCS_BIN=$bin scripts/orcs_paper.sh --small "$work/run" >"$work/printed" 2>&1
check "the script ends with a table" grep -q '^15 statements: ' "$work/printed"
check "the verdicts are those of doc/papers/orcs.md" verdicts doc/papers/orcs.md "$work/run/statements.md"
check "other results have other verdicts" mutant
check "an unknown option" says 2 "unknown option '--smal'" scripts/orcs_paper.sh --smal

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
