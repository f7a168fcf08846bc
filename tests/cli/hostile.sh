#!/bin/sh
# Names that other programs would take for code stay names, and a program that cannot be started is not called missing: hostile.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
own_font_cache

fabric=$root/examples/fattree16.dot

# The command ends well, and has not made the file that the name's code would make.
harmless() { # COMMAND...
	rm -f "$work/pwned"
	(cd "$work" && "$@") && [ ! -e "$work/pwned" ]
}

# An SVG that every reader of XML takes, without elements from names, and with the text.
shows() { # FILE TEXT
	python3 - "$1" "$2" <<'END'
import sys
import xml.etree.ElementTree as tree
elements = list(tree.parse(sys.argv[1]).iter())
assert not [e for e in elements if e.tag.split("}")[-1].lower() in ("script", "img", "foreignobject")], "an element from a name"
texts = [text for e in elements for text in [e.text or "", *e.attrib.values()]]
assert [text for text in texts if sys.argv[2] in text], "the text is not there"
END
}

# ---- gnuplot
code="$(printf 'd\nsystem("touch pwned")\np')"
markup='<script>alert(1)</script>&amp;{/=40 x}^2 `touch pwned` @m %s%n 50% \n'
if have gnuplot && have python3; then
	printf '0 0 1\n' >"$work/$code"
	printf '0 0 1\n' >"$work/$(echo "$markup" | tr / _)"
	check 'a pattern file whose name is code' harmless "$bin/orcs" -p "file:$code" --plot a.svg "$fabric"
	check '... is the title' shows "$work/a.svg" 'd\nsystem("touch pwned")\np'
	check 'a pattern file whose name is markup' harmless "$bin/orcs" -p "file:$(echo "$markup" | tr / _)" --plot b.svg "$fabric"
	check '... is the title' shows "$work/b.svg" "$(echo "$markup" | tr / _)"
	check 'a picture whose name is code' harmless "$bin/orcs" --plot "$(printf 'c\nsystem("touch pwned")\n.svg')" "$fabric"
	check '... is drawn' shows "$work/$(printf 'c\nsystem("touch pwned")\n.svg')" bisect
	check 'a picture whose name is a pipe' harmless "$bin/orcs" --plot '|touch pwned;.svg' "$fabric"
	check '... is drawn' shows "$work/|touch pwned;.svg" bisect
	printf '0 0 1\n' >"$work/$(printf 'x\374\033y')"
	check 'a name that is no UTF-8' harmless "$bin/orcs" -p "file:$(printf 'x\374\033y')" --plot d.svg "$fabric"
	check '... is drawn' shows "$work/d.svg" 'x\374\033y'
	mkdir "$work/folder"
	for file in "$code" '50% <b> %s%n `touch pwned`.dot' "$(printf '\303\274%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18)"; do
		cp "$fabric" "$work/folder/$file"
		check 'a fabric whose name is code' harmless "$bin/orcs-compare" "$fabric" "folder/$file" -n 10 --plot e.svg -o compared
		check '... is drawn' shows "$work/e.svg" "$(printf '%s' "$file" | tail -c 26 | sed ':a;N;$!ba;s/\n/\\n/g')"
	done

	# ---- what can be told apart: not there, not startable, failed
	plot_fails() { # TEXT COMMAND...
		text=$1
		shift
		rm -f "$work/f.svg"
		! "$@" >"$work/out" 2>"$work/err" && [ ! -e "$work/f.svg" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q -e "$text" "$work/err"
	}
	limited() { # FILES COMMAND...: the shell itself needs more for redirections
		sh -c 'ulimit -n "$0" && exec "$@"' "$@"
	}
	check 'no gnuplot' plot_fails '--plot: gnuplot is not installed' env PATH=/nowhere "$bin/orcs" --plot "$work/f.svg" "$fabric"
	for files in 4 5; do
		check "$files open files" plot_fails "cannot \\|Too many open files\\|shared object" limited $files "$bin/orcs" --plot "$work/f.svg" "$fabric"
		check '... gnuplot is not missing' sh -c "! grep 'not installed' '$work/err'"
	done
	mkdir -p "$work/broken"
	printf '#!/bin/sh\necho half\necho sorry >&2\nexit 1\n' >"$work/broken/gnuplot"
	chmod +x "$work/broken/gnuplot"
	check 'gnuplot fails' plot_fails 'f.svg: not drawn: gnuplot failed: sorry' env PATH="$work/broken:$PATH" "$bin/orcs" --plot "$work/f.svg" "$fabric"
	printf 'not a program' >"$work/broken/gnuplot"
	check 'gnuplot is no program' plot_fails 'f.svg: not drawn: ' env PATH="$work/broken:$PATH" "$bin/orcs" --plot "$work/f.svg" "$fabric"
else
	skip 'gnuplot or python3 is not installed'
fi

# ---- Graphviz
if have neato && have python3; then
	python3 - "$work/names.dot" <<'END'
import sys
names = ["<script>alert(1)</script>", "a\\N\\G\\E", 'q"u\'o]te', "&lt;b&gt;", "#cables", "graph", "back\\", "a:b:c", "`touch pwned`", "bell\a", "\x1b[31m", "x|y{z}"]
with open(sys.argv[1], "w") as file:
    print('digraph { graph [topology="<b>\\\\N", routing="<i>&amp;"];', file=file)
    for i, name in enumerate(names):
        quoted = '"' + name.replace('"', '\\"').replace("\\\\", "\\\\") + ('\\' if name.endswith("\\") else "") + '"'
        print('"H%d" [desc=%s]; "S%d" [desc=%s];' % (i, quoted, i, quoted), file=file)
        print("H%d -> S%d [congestion=1]; S%d -> H%d [congestion=1];" % (i, i, i, i), file=file)
        if i:
            print("S0 -> S%d [congestion=1]; S%d -> S0 [congestion=1];" % (i, i), file=file)
    print('"H<script>" -> S0 [congestion=9]; S0 -> "H<script>" [congestion=9]; }', file=file)
END
	check 'nodes whose names are code' harmless "$bin/orcs-draw" --quiet names.dot -o names.svg
	for text in '<script>' 'a\N\G\E' "q\"u'o]te" '&lt;b&gt;' 'x|y{z}'; do
		check "... $text is shown" shows "$work/names.svg" "$text"
	done
else
	skip 'Graphviz or python3 is not installed'
fi

# ---- CSV: no cell is a formula, and every name comes back when one ' at its beginning is taken away
if have python3; then
	python3 - "$work/cells.dot" <<'END'
import sys
with open(sys.argv[1], "w") as file:
    print("digraph {", file=file)
    for i, name in enumerate(["=1+1", "+1", "-1", "@SUM(1)", "\tx", "\rx", "'x", "''=x", "a,b", 'q\\"r', "plain", "x=1"]):
        print('"%s" -> H%d; H%d -> "%s"; "%s" -> S [comment="*"]; S -> "%s" [comment="H%d"];' % (name, i, i, name, name, name, i), file=file)
    print("}", file=file)
END
	formulas() { # COLUMNS ARGUMENT...: of the CSV, by a parser
		"$@" >"$work/cells.csv" && python3 - "$work/cells.csv" <<'END'
import csv
import sys
with open(sys.argv[1], newline="") as file:
    rows = list(csv.reader(file))
assert len(set(map(len, rows))) == 1, "rows of several lengths"
names = {"=1+1", "+1", "-1", "@SUM(1)", "\tx", "\rx", "'x", "''=x", "a,b", 'q"r', "plain", "x=1"}
seen = set()
for row in rows[1:]:
    for cell in row:
        try:
            float(cell)
        except ValueError:
            assert not cell or cell[0] not in "=+-@\t\r", "a formula: " + repr(cell)
            seen.add(cell[1:] if cell.startswith("'") else cell)
assert names <= seen, names - seen
END
	}
	check 'CSV of orcs-bound' formulas "$bin/orcs-bound" --quiet --unroutable drop --parts loads --format csv "$work/cells.dot"
	check 'CSV of orcs' formulas "$bin/orcs" --quiet --unroutable drop --metric "get_cable_cong:$work/cells.out" --format csv "$work/cells.dot"
	negative() {
		"$bin/orcs-compare" "$fabric" examples/fattree16.dot -n 5 --seed 3 --format csv >"$work/compared" && ! grep -q "'" "$work/compared"
	}
	check 'numbers stay numbers' negative
else
	skip 'python3 is not installed'
fi

# ---- scripts
mkdir "$work/scripts"
cp "$root"/scripts/*.sh "$root"/scripts/*.awk "$work/scripts"
cd "$work" || exit 1
broken='x|e touch pwned;|\n&'
printf 'no topology\n' >"$work/$broken"
said() { # STATUS TEXT COMMAND...
	wanted=$1 text=$2
	shift 2
	rm -f "$work/pwned"
	ORCS_BIN=$bin "$@" >"$work/out" 2>"$work/err" </dev/null
	[ $? -eq "$wanted" ] && [ ! -e "$work/pwned" ] && grep -q -F -e "$text" "$work/err"
}
if PATH=$PATH:/usr/sbin:/sbin command -v ibsim >/dev/null 2>&1 && PATH=$PATH:/usr/sbin:/sbin command -v opensm >/dev/null 2>&1; then
	check 'a topology whose name is a command of sed' said 1 "$broken" "$work/scripts/route_with_opensm.sh" -e minhop "$broken"
	"$work/scripts/fattree_topology.sh" 1:2:3 >"$work/net"
	cp net ./-net
	check 'a root that is an escape of awk' said 2 "has no switch 'leaf\\0600'" "$work/scripts/route_with_opensm.sh" -e updn -r 'leaf\0600' "$work/net"
	check 'names that are options' said 0 'routed with minhop' "$work/scripts/route_with_opensm.sh" -e minhop -o -out --keep-dumps -dumps --report -report -- -net
	check '... are files' [ -s -out -a -s -dumps/net -a -s -report ]
	check 'a run directory that is an option' said 1 'no simulator runs in -run' "$work/scripts/start_osm.sh" -d -run minhop
	simulated() {
		ORCS_BIN=$bin "$work/scripts/start_ibsim.sh" -d -run "$work/net" >"$work/ready" 2>&1 &
		simulator=$!
		tries=0
		until grep -q '^Network simulator ready' "$work/ready"; do
			kill -0 $simulator 2>/dev/null && [ $((tries += 1)) -lt 400 ] || return 1
			sleep 0.05
		done
		"$work/scripts/start_osm.sh" -d -run minhop && "$work/scripts/dump_routes.sh" -d -run | grep -q Unicast
		status=$?
		kill $simulator
		wait $simulator
		[ $status -eq 0 ] && [ ! -e "$work/-run" ]
	}
	check 'a run directory that is an option, with its simulator' simulated
else
	skip 'ibsim or opensm is not installed'
fi
check 'a prefix that make would run' said 2 "--prefix: '\$(shell touch pwned)'" "$work/scripts/install.sh" --prefix '$(shell touch pwned)'
check 'processes that are options' said 2 'PROCESSES is a number' "$work/scripts/demo.sh" "$bin" "$work/demo" '2 --version'

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
