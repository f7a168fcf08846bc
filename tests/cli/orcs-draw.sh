#!/bin/sh
# Checks pictures by what stands in them, and that nothing half-drawn stays: orcs-draw.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

if ! command -v neato >/dev/null 2>&1; then
	echo "SKIPPED: neato of Graphviz is not installed"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

# Looks for Graphviz along $search.
search=$PATH
draw() {
	env PATH="$search" "$bin/orcs-draw" "$@"
}

# The exit status, and a line that begins so on standard error, one line in all: fails STATUS TEXT ARGUMENT...
fails() {
	wanted=$1
	text=$2
	shift 2
	draw "$@" >"$work/out" 2>"$work/err" </dev/null
	[ $? -eq "$wanted" ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q "^orcs-draw: $text" "$work/err"
}

# So many lines of the picture match: count NUMBER EXPRESSION FILE
count() {
	[ "$(grep -c "$2" "$3")" -eq "$1" ]
}

well_formed() {
	grep -q '^<?xml' "$1" && [ "$(tail -n 1 "$1")" = '</svg>' ] &&
		{ ! command -v xmllint >/dev/null 2>&1 || xmllint --noout "$1"; }
}

same() {
	draw "$1" -o "$work/first.$2" && sleep 1 && draw "$1" -o "$work/second.$2" && cmp "$work/first.$2" "$work/second.$2"
}

begins() {
	[ "$(head -c "$2" "$1")" = "$3" ]
}

hint_only_when_wanted() {
	sed 's/comment="[^"]*"/port_="1"/' examples/fattree16.dot >"$work/unrouted.dot"
	draw "$work/unrouted.dot" -o "$work/grey.svg" 2>"$work/err" && grep -q 'neither routes nor congestion' "$work/err" &&
		draw --quiet "$work/unrouted.dot" -o "$work/grey.svg" 2>"$work/err" && [ ! -s "$work/err" ]
}

# Without Graphviz: the message names the package, nothing is written, an older picture stays as it was.
no_graphviz() {
	echo old >"$work/old.svg"
	search=/nowhere
	fails 1 'not drawn: neato is not installed (Debian: graphviz)' "$work/c16.dot" -o "$work/old.svg"
	status=$?
	search=$PATH
	[ $status -eq 0 ] && [ "$(cat "$work/old.svg")" = old ] && [ "$(ls "$work" | grep -c '^old')" -eq 1 ]
}

# Graphviz dies on the way: likewise.
broken_graphviz() {
	mkdir -p "$work/broken"
	printf '#!/bin/sh\necho half\necho sorry >&2\nexit 1\n' >"$work/broken/neato"
	chmod +x "$work/broken/neato"
	echo old >"$work/old.svg"
	search=$work/broken:$PATH
	fails 1 'not drawn: neato of Graphviz failed: sorry' "$work/c16.dot" -o "$work/old.svg"
	status=$?
	search=$PATH
	[ $status -eq 0 ] && [ "$(cat "$work/old.svg")" = old ] && [ "$(ls "$work" | grep -c '^old')" -eq 1 ]
}

full_device() {
	[ ! -c /dev/full ] || { ! draw "$work/c16.dot" >/dev/full 2>"$work/err" && grep -q 'cannot write' "$work/err"; }
}

# A torus of 8 x 5 switches with a host each, every cable in both directions.
torus() {
	echo 'digraph {'
	for y in 0 1 2 3 4; do
		for x in 0 1 2 3 4 5 6 7; do
			for other in "H${x}_$y" "S$(((x + 1) % 8))_$y" "S${x}_$(((y + 1) % 5))"; do
				echo "S${x}_$y -> $other [congestion=0.5]; $other -> S${x}_$y [congestion=0.25];"
			done
		done
	done
	echo '}'
}

# The places of switches in a picture, "x y" each, of which so many differ: places COLUMN NUMBER FILE
places() {
	[ "$(sed -n '/class="node switch"/,/<text/s/.*<text.* x="\([^"]*\)" y="\([^"]*\)".*/\1 \2/p' "$3" | cut -d' ' -f"$1" | sort -u | wc -l)" -eq "$2" ]
}

"$bin/orcs" examples/fattree16.dot -n 50 --metric get_cable_cong -o "$work/c16.dot" || exit 1
"$bin/orcs" examples/fattree324.dot -n 50 --metric get_cable_cong --palette viridis -o "$work/c324.dot" || exit 1

# ---- options
check 'help' sh -c "'$bin/orcs-draw' --help | grep -q 'orcs-draw coloured.dot -o fabric.png'"
check 'version' sh -c "'$bin/orcs-draw' --version | grep -q '^orcs-draw [0-9]'"
check 'no such file' fails 1 "$work/none.dot: cannot open" "$work/none.dot"
check 'a name without a format' fails 2 "the name 'picture' has no known format" "$work/c16.dot" -o picture
check 'unknown hosts' fails 2 "unknown --hosts 'some'" --hosts some "$work/c16.dot"
check 'unknown layout' fails 2 "unknown --layout 'star'" --layout star "$work/c16.dot"
check 'unknown format' fails 2 "unknown --format 'gif'" --format gif "$work/c16.dot"
check 'two graphs' fails 2 'examples/fattree16.dot: .* is a fabric by itself' examples/fattree16.dot examples/fattree16.dot
echo 'digraph { H1 -> ' >"$work/bad.dot"
check 'syntax error' fails 3 "$work/bad.dot:2: syntax error" "$work/bad.dot"
echo 'digraph { H1 -> S [congestion=hot]; S -> H1; }' >"$work/bad.dot"
check 'congestion that is no number' fails 3 "$work/bad.dot: channel H1 -> S has the congestion 'hot'" "$work/bad.dot"
check 'a tree is no grid' fails 3 "$work/c16.dot: --layout grid needs a mesh" --layout grid "$work/c16.dot"
awk 'BEGIN { for (name = "N"; length(name) < 200000;) name = name name; printf "digraph { \"%s\" -> S; S -> \"%s\"; \"H%s\" -> S; S -> \"H%s\" }\n", name, name, name, name }' >"$work/long.dot"
check 'long names' "$bin/orcs-draw" --hosts all "$work/long.dot" -o "$work/long.svg"
check 'a folder that is not there' fails 1 "$work/none/a.svg: cannot write" "$work/c16.dot" -o "$work/none/a.svg"
check 'a full device' full_device
check 'without Graphviz' no_graphviz
check 'Graphviz fails' broken_graphviz

# ---- formats
check 'svg' draw --palette green-red "$work/c16.dot" -o "$work/16.svg"
check 'svg is well-formed' well_formed "$work/16.svg"
check 'standard output is svg' sh -c "'$bin/orcs-draw' - <'$work/c16.dot' | sed s/-// | grep -q '^</svg>'"
check 'png' draw "$work/c16.dot" -o "$work/16.png"
check 'png is a PNG' sh -c "head -c 4 '$work/16.png' | grep -q PNG"
check 'pdf by --format' draw "$work/c16.dot" --format pdf -o "$work/16.picture"
check 'pdf is a PDF' begins "$work/16.picture" 4 '%PDF'
for format in svg png pdf; do
	check "the same $format again" same "$work/c16.dot" $format
done
check 'nothing else is left' sh -c "! ls '$work' | grep -q 'svg\\.\\|png\\.\\|pdf\\.'"

# ---- what the picture shows
check '16 hosts: a line for each cable' count 32 'class="edge cable"' "$work/16.svg"
check '16 hosts: a box for each host' count 16 'class="node host"' "$work/16.svg"
check '16 hosts: a box for each switch' count 8 'class="node switch"' "$work/16.svg"
check '16 hosts: two ranks' places 2 2 "$work/16.svg"
check 'tooltip with both directions' grep -q 'title="leaf0 port 5 → spine0 port 1&#10;leaf0 → spine0: [0-9.]* routes per level&#10;spine0 → leaf0: [0-9.]* routes per level"\|title="spine0 port 1 → leaf0 port 5&#10;spine0 → leaf0: [0-9.]* routes per level&#10;leaf0 → spine0: [0-9.]* routes per level"' "$work/16.svg"
check 'legend: size' grep -q '>16 hosts, 8 switches, 32 cables<' "$work/16.svg"
check 'legend: pattern' grep -q '>Pattern bisect, 50 runs of 1 level<' "$work/16.svg"
check 'legend: the hottest' grep -q '>Hottest: [^<]* port [0-9]* → [^<]*: expected 0.500, back 0.500 (and 31 more)<' "$work/16.svg"
check 'legend: its GUIDs' grep -q '>GUIDs 0x0000000000100001 &#45;&gt; 0x0000000000200000<' "$work/16.svg"
check 'legend: the scale in words' grep -q '>Mean number of routes per channel' "$work/16.svg"

# Of the flow engine: 1.5 MB from 15 hosts into one, 12 Mbit from each, in each of 3 runs
carried() {
	"$bin/orcs" --engine flow -p alltoone -d -n 3 --bytes 1.5M --metric "link_use:$work/use.dot" examples/fattree16.dot >/dev/null &&
		draw "$work/use.dot" -o "$work/use.svg" || return 1
	for text in '>Traffic of use.dot<' '>Pattern alltoone, 3 runs<' '>Mean number of bits per channel .* and run<' '>180M<' ': 180M, back 0<' ': 12M bits per run'; do
		grep -q "$text" "$work/use.svg" || return 1
	done
	! grep -q '[Rr]oute' "$work/use.svg"
}
check 'legend: bits' carried
check '324 hosts are folded' draw "$work/c324.dot" -o "$work/324.svg"
check '324 hosts: counts' count 18 '>18 hosts</text>' "$work/324.svg"
check '324 hosts: lines' count 342 'class="edge cable"' "$work/324.svg"
check '324 hosts: the host of a count in its tooltip' grep -q 'title="H0&#10;H1&#10;' "$work/324.svg"
check 'the palette of the file' grep -q '#fde725' "$work/324.svg"
check 'all hosts' draw --hosts all "$work/c324.dot" -o "$work/all.svg"
check 'all hosts: boxes' count 324 'class="node host"' "$work/all.svg"
check 'all hosts: lines' count 648 'class="edge cable"' "$work/all.svg"
check 'no hosts' draw --hosts none "$work/c16.dot" -o "$work/none.svg"
check 'no hosts: lines' count 16 'class="edge cable"' "$work/none.svg"
check 'no hosts: boxes' count 0 'class="node host' "$work/none.svg"
check 'without congestion: a hint' hint_only_when_wanted
check 'without congestion: grey' count 32 'stroke="#8c8c8c"' "$work/grey.svg"

# ---- classes: of exact loads, whatever the sample
hot='#eda02f\|#d4601a\|#a81d12\|#47060f'
lines_of() { # FILE: the lines of cables, without the legend
	grep -A1 'class="edge \(cable\|casing\)"' "$1" >/dev/null && sed -n '/class="edge /,/<\/g>/p' "$1"
}
no_hot_line() { # RUNS
	"$bin/orcs" --quiet -n "$1" --metric get_cable_cong examples/fattree324.dot -o "$work/sampled.dot" &&
		draw "$work/sampled.dot" -o "$work/sampled.svg" && ! lines_of "$work/sampled.svg" | grep -q "$hot" &&
		lines_of "$work/sampled.svg" | grep -q 'stroke="#a7c4da"' && count 1 '>No channel carries more than its fair share<' "$work/sampled.svg" &&
		count 1 '>1296</text>' "$work/sampled.svg"
}
for runs in 20 200 1000; do
	check "a balanced tree shows no hot colour after $runs runs" no_hot_line $runs
done
check 'and without runs' draw examples/fattree324.dot -o "$work/sampled.svg"
check 'and without runs: no hot colour' sh -c "! sed -n '/class=\"edge /,/<\/g>/p' '$work/sampled.svg' | grep -q '$hot'"
check 'a tree with a hot spine' draw examples/fattree36_dor.dot -o "$work/hot.svg"
check 'a tree with a hot spine: six lines' sh -c "[ \$(sed -n '/class=\"edge /,/<\/g>/p' '$work/hot.svg' | grep -c 'stroke=\"#47060f\"') -eq 6 ]"
check 'the hottest' grep -q '>Hottest: leaf0 port 7 → spine0 port 1: 5.14, back 5.14 times the fair share (and 11 more)<' "$work/hot.svg"
check 'words in the tooltip' grep -q 'leaf0 → spine0: 5.14 of its fair share: severe, load 5.14' "$work/hot.svg"
for word in unused light fine warm hot 'very hot' severe 'no route' 'up to 1.05' 'above 4'; do
	check "legend: $word" count 1 ">$word</text>" "$work/hot.svg"
done
check 'a palette for exact loads' draw --palette cividis examples/fattree36_dor.dot -o "$work/cividis.svg"
check 'a palette for exact loads: its last colour' grep -q '#fee838' "$work/cividis.svg"
check 'a palette shows the sample' sh -c "'$bin/orcs-draw' --palette viridis '$work/c16.dot' | grep -q 'Congestion of'"
check 'so does another pattern' sh -c "'$bin/orcs' --quiet -n 5 -d -p shift:3 --metric get_cable_cong examples/fattree16.dot | '$bin/orcs-draw' | grep -q '>Congestion<'"
check 'and a scale' sh -c "'$bin/orcs' --quiet -n 5 --scale absolute:3 --metric get_cable_cong examples/fattree16.dot | '$bin/orcs-draw' | grep -q '>Congestion<'"
check 'classes by name' sh -c "'$bin/orcs-draw' --palette classes '$work/c324.dot' | grep -q 'Load of'"
check 'unknown palette' fails 2 "unknown --palette 'red'" --palette red "$work/c16.dot"

torus >"$work/torus.dot"
check 'torus' draw "$work/torus.dot" -o "$work/torus.svg"
check 'torus: columns' places 1 8 "$work/torus.svg"
check 'torus: rows' places 2 5 "$work/torus.svg"
check 'torus: shares' grep -q 'S0_0 → S1_0: 0.500 of the largest congestion\|as a share of the maximum' "$work/torus.svg"
for layout in layers circle force; do
	check "torus as $layout" draw --layout $layout "$work/torus.dot" -o "$work/other.svg"
	check "torus as $layout: lines" count 120 'class="edge cable"' "$work/other.svg"
done

check 'a topology has no congestion to be hinted at' sh -c "'$bin/orcs-draw' torus:3x3 2>&1 >/dev/null | cmp - /dev/null"
check 'a result in place of a graph' sh -c "'$bin/orcs' torus:3x3 | '$bin/orcs-draw' 2>&1 >/dev/null |
	grep -q '^orcs-draw: <stdin>:1: syntax error near .*; orcs-draw needs a graph, as orcs --metric get_cable_cong writes it'"

# ---- places that the graph tells, or its topology
cat >"$work/placed.dot" <<'END'
digraph {
	H1 [pos="0,0"]; H2 [pos="300,0"]; A [pos="40,200!"]; B [pos="240.5,110"];
	H1 -> A; A -> H1; H2 -> B; B -> H2; A -> B; B -> A;
}
END
text_at() { # NODE FILE: the place of its name
	sed -n 's/.*<text.* x="\([^"]*\)" y="\([^"]*\)".*>'"$1"'<.*/\1 \2/p' "$2"
}
stands() { # NODE X Y: so far from H1, to the right and up
	echo "$(text_at "$1" "$work/placed.svg") $(text_at H1 "$work/placed.svg")" |
		awk -v x="$2" -v y="$3" '{ dx = $1 - $3 - x; dy = $4 - $2 - y } END { exit !(NF == 4 && dx * dx + dy * dy < 4) }'
}
check 'places of a graph' draw "$work/placed.dot" -o "$work/placed.svg"
check 'H2 where it is to stand' stands H2 300 0
check 'A where it is to stand' stands A 40 200
check 'B where it is to stand' stands B 240.5 110
sed 's/\[pos="40,200!"\]//' "$work/placed.dot" >"$work/half.dot"
check 'not all have a place' fails 3 "$work/half.dot: --layout pos needs positions" --layout pos "$work/half.dot"
check 'not all have a place: another layout' draw "$work/half.dot" -o "$work/other.svg"
check 'no places' fails 3 "$work/c16.dot: --layout pos needs positions" --layout pos "$work/c16.dot"
sed 's/pos="[0-9.]*,/pos="7,/' "$work/placed.dot" >"$work/narrow.dot"
check 'boxes that stand in a column' draw "$work/narrow.dot" -o "$work/other.svg"
check 'a topology' draw --layout pos dragonfly:p=1,a=4,h=1 -o "$work/topology.svg"
check 'a topology: boxes' count 20 'class="node switch"' "$work/topology.svg"
like_its_topology() {
	"$bin/orcs" -n 5 --metric get_cable_cong dragonfly:p=1,a=4,h=1 -o "$work/coloured.dot" &&
		draw --layout pos "$work/coloured.dot" -o "$work/other.svg" &&
		for node in S0_0 S2_1 H4_3_0; do
			[ "$(text_at $node "$work/other.svg" | cut -d' ' -f1)" = "$(text_at $node "$work/topology.svg" | cut -d' ' -f1)" ] || return 1
		done
}
check 'a coloured graph of it' like_its_topology
sed 's/H0_0_0/H9_9_9/g' "$work/coloured.dot" >"$work/strange.dot"
check 'nodes that are not of the topology' fails 3 "$work/strange.dot: --layout pos needs positions" --layout pos "$work/strange.dot"
check 'an unknown topology' fails 2 "unknown topology 'tours'; did you mean 'torus'?" tours:4x4
sed 's/; H2 \[pos="300,0"\]//' "$work/placed.dot" | sed 's/digraph {/digraph { graph [topology="star:2"];/' >"$work/other.dot"
check 'a topology of other nodes' fails 3 "$work/other.dot: .* the nodes are not exactly those of star:2" --layout pos "$work/other.dot"

# the whole torus as a grid, and the broken one where its nodes stand: rows and columns alike
alike() {
	draw torus:4x4 -o "$work/placed.svg" && grid=$(text_at S0_0 "$work/placed.svg") && first=$(text_at S1_0 "$work/placed.svg") &&
		second=$(text_at S0_1 "$work/placed.svg") && echo "$grid $first $second" | awk '{ exit !($3 > $1 && $4 == $2 && $5 == $1 && $6 < $2) }' &&
		draw --layout pos torus:4x4 -o "$work/placed.svg" && grid=$(text_at S0_0 "$work/placed.svg") &&
		first=$(text_at S1_0 "$work/placed.svg") && second=$(text_at S0_1 "$work/placed.svg") &&
		echo "$grid $first $second" | awk '{ exit !($3 - $1 > $4 - $2 && $2 - $6 > $5 - $1) }'
}
check 'rows and columns of a torus in both layouts' alike

# ---- loads as matrices; tests/check/pictures.py compares their colours with loads
sheet() { # TITLE ARGUMENT...: the picture has this heading, and no boxes
	wanted=$1
	shift
	draw --quiet "$@" -o "$work/sheet.svg" && well_formed "$work/sheet.svg" && grep -q 'font-weight="bold"[^>]*>'"$wanted" "$work/sheet.svg" &&
		count 0 'class="node switch"' "$work/sheet.svg"
}
boxes() { # ARGUMENT...
	draw --quiet "$@" -o "$work/sheet.svg" && grep -q 'class="node switch"' "$work/sheet.svg"
}
for fabric in "tree dmodk fattree:k=6,n=3" "dragonfly min dragonfly:p=2,a=4,h=2" "torus dor torus:9x8" "hyperx dor hyperx:4x4,hosts=2" "small dor torus:4x4" \
	"mesh dor mesh:3x3x3x2" "irregular minhop jellyfish:70,6,4" "slimfly minhop slimfly:q=7"; do
	name=${fabric%% *}
	fabric=${fabric#* }
	"$bin/orcs-route" --quiet "${fabric%% *}" "${fabric#* }" -o "$work/$name.dot" || exit 1
done
check 'a large tree: blocks' sheet '6 pods below, 6 planes above' "$work/tree.dot"
check 'a large tree: histograms' grep -q '>level 2 → level 1<' "$work/sheet.svg"
check 'a large tree: matrices' grep -q '>Level 1 ↔ 2: 216 cables in 6 blocks, 0 channels above their share<' "$work/sheet.svg"
check 'a large tree: the verdict' grep -q '>No channel of 1296 carries more than its fair share.<' "$work/sheet.svg"
check 'a large tree: no hot colour but in the legend' count 4 "$hot" "$work/sheet.svg"
{
	"$bin/orcs-topology" fattree:k=6,n=3 | sed '$d'
	echo '"S2_0" -> "S2_7"; "S2_7" -> "S2_0"; }'
} | "$bin/orcs-route" --quiet minhop -o "$work/crossed.dot"
check 'a tree with a cable within a level' sheet '6 pods below, 6 planes above' "$work/crossed.dot"
check 'a tree with a cable within a level: that cable' grep -q '>Within level 1: 1 cable in 1 block, ' "$work/sheet.svg"
check 'a dragonfly: groups' sheet '9 groups' "$work/dragonfly.dot"
check 'a torus: lines' sheet '2 dimensions' "$work/torus.dot"
check 'a torus: rings' sh -c "grep -q '>8 rings of 9<' '$work/sheet.svg' && grep -q '>9 rings of 8<' '$work/sheet.svg'"
check 'a HyperX: full meshes' sheet 'Dimension 2: 4 full meshes of 4 switches' "$work/hyperx.dot"
check 'a mesh of four dimensions' sheet '4 dimensions' "$work/mesh.dot"
check 'blocks within a level' sheet 'Within level 0: ' --layout blocks "$work/torus.dot"
check 'blocks of a small tree' sheet 'Level 0 ↔ 1: 324 cables in 1 block' --layout blocks examples/fattree324.dot
check 'boxes of a small torus' boxes "$work/small.dot"
check 'boxes of an irregular network' boxes "$work/irregular.dot"
check 'boxes of a Slim Fly' boxes "$work/slimfly.dot"
check 'boxes by name' boxes --layout layers "$work/tree.dot"
check 'boxes with --hosts' boxes --hosts none "$work/tree.dot"
check 'boxes with --plain' boxes --plain "$work/tree.dot"
check 'boxes with a palette' boxes --palette viridis "$work/tree.dot"
check 'groups of a tree' fails 3 "$work/tree.dot: --layout groups needs a dragonfly" --layout groups "$work/tree.dot"
check 'lines of a tree' fails 3 "$work/tree.dot: --layout lines needs a torus" --layout lines "$work/tree.dot"
check 'blocks without routes' fails 3 "$work/unrouted.dot: --layout blocks shows the load of routes in classes; 'orcs-route ENGINE' adds routes" \
	--layout blocks "$work/unrouted.dot"
check 'blocks with a palette' fails 3 "$work/tree.dot: --layout blocks .*; leave out --palette" --layout blocks --palette viridis "$work/tree.dot"
same_sheet() { # FORMAT
	draw --quiet "$work/tree.dot" -o "$work/first.$1" && draw --quiet "$work/tree.dot" -o "$work/second.$1" && cmp "$work/first.$1" "$work/second.$1"
}
check 'the same matrices again' same_sheet svg
if have rsvg-convert; then
	check 'matrices as PNG' same_sheet png
	check 'matrices as PNG: a PNG' sh -c "head -c 4 '$work/first.png' | grep -q PNG"
	check 'matrices as PDF' same_sheet pdf
	check 'matrices as PDF: a PDF' begins "$work/first.pdf" 4 '%PDF'
else
	skip 'matrices as PNG and PDF: rsvg-convert is not installed'
fi
# Without rsvg-convert there are still SVGs, and nothing replaces a picture.
no_converter() {
	echo old >"$work/old.png"
	search=/nowhere
	fails 1 'not drawn: rsvg-convert is not installed (Debian: librsvg2-bin)' "$work/tree.dot" -o "$work/old.png"
	status=$?
	draw --quiet "$work/tree.dot" -o "$work/without.svg" && cmp "$work/without.svg" "$work/first.svg"
	alike=$?
	search=$PATH
	[ $status -eq 0 ] && [ $alike -eq 0 ] && [ "$(cat "$work/old.png")" = old ]
}
check 'without rsvg-convert: only SVG' no_converter
no_hot_cell() { # RUNS
	"$bin/orcs" --quiet -n "$1" --metric get_cable_cong examples/fattree324.dot -o "$work/sampled.dot" &&
		draw --layout blocks "$work/sampled.dot" -o "$work/sampled.svg" && count 4 "$hot" "$work/sampled.svg"
}
for runs in 20 200 1000; do
	check "blocks of a balanced tree show no hot colour after $runs runs" no_hot_cell $runs
done
check 'blocks of a hot spine' sheet 'Level 0 ↔ 1' --layout blocks examples/fattree36_dor.dot
check 'blocks of a hot spine: a column upwards and one downwards' count 2 '<path class="c6" fill="#47060f"' "$work/sheet.svg"

# A cache gives the same picture, though the forwarding sets of its graph are not read; so do its other attributes.
from_cache() { # GRAPH
	"$bin/orcs" --quiet -n 1 --save-fabric "$work/saved.orcsb" "$1" >"$work/saved.txt" && draw --quiet "$1" -o "$work/first.svg" &&
		draw --quiet "$work/saved.orcsb" -o "$work/second.svg" && sed -i "s/saved.orcsb/$(basename "$1")/" "$work/second.svg" &&
		cmp "$work/first.svg" "$work/second.svg"
}
check 'matrices of a cache' from_cache "$work/tree.dot"
check 'boxes of a cache with congestion' from_cache "$work/c324.dot"

# Nothing in the picture acts or refers to anything, so that it can stand in a page.
grep -o '<[^>]*>' "$work/sheet.svg" | sed 's/"[^"]*"//g' >"$work/attributes"
check 'no attributes that act' sh -c "[ -s '$work/attributes' ] && ! grep -E ' (id|style|href|on[a-z]*)=' '$work/attributes'"

# A leaf without one of its cables
sed '/"leaf0" -> "spine1"/d; /"spine1" -> "leaf0"/d' examples/fattree16.dot >"$work/hole.dot"
check 'a missing cable' sheet 'Level 0 ↔ 1: 15 cables in 1 block' --layout blocks "$work/hole.dot"
check 'a missing cable is crossed, in both halves' count 2 'class="hole"' "$work/sheet.svg"
check 'no cable is missing' sheet 'Level 0 ↔ 1: 16 cables in 1 block' --layout blocks examples/fattree16.dot
check 'no cable is missing: nothing is crossed' count 0 'class="hole"' "$work/sheet.svg"

# Names with markup stay text.
sed 's/"leaf0"/"x<b>\&0"/g' examples/fattree16.dot >"$work/hostile.dot"
check 'names with markup' sheet 'Level 0 ↔ 1' --layout blocks "$work/hostile.dot"
check 'names with markup are escaped' grep -q '>x&lt;b&gt;&amp;0<' "$work/sheet.svg"

# Switches above the highest that a route enters are no level.
sed '$d' examples/fattree16.dot >"$work/above.dot"
echo '"top" [type="switch"]; "spine0" -> "top"; "top" -> "spine0"; }' >>"$work/above.dot"
check 'switches that no route enters' sheet 'Level 0 ↔ 1: 16 cables' --layout blocks "$work/above.dot"
check 'switches that no route enters are no level' count 0 'Level 1 ↔ 2' "$work/sheet.svg"
check 'switches that no route enters are named' grep -q '>Not drawn: 1 switch that no route enters, with 1 cable: top<' "$work/sheet.svg"
boxes --hosts none "$work/above.dot" # among boxes, too
check 'switches that no route enters are not above the tree' places 2 2 "$work/sheet.svg"

# Boards of a director are consecutive, and all labels different.
lassen=${ORCS_TEST_DATA:-../shared/data}/ib/real-routed/hk_Topo6_CS7500.minhop
if [ -d "$lassen" ]; then
	"$bin/orcs-import" --quiet -o "$work/lassen.dot" "$lassen"/*
	check 'a real fabric with directors' sheet 'Level 1 ↔ 2: 972 cables in 2 blocks, 679 channels above their share' "$work/lassen.dot"
	check 'a real fabric: its verdict' grep -q '>823 of 6538 channels carry more than their fair share, 68 more than twice; the hottest 5.28 times: ' "$work/sheet.svg"
	sed -n 's/^<text x="[0-9.]*" y="[0-9.]*">\(.*\)<.text>$/\1/p' "$work/sheet.svg" >"$work/rows"
	check 'labels of a real fabric' sh -c "[ \$(grep -c . '$work/rows') -gt 100 ] && [ \$(grep -c '^ibcore[12]/L' '$work/rows') -eq 54 ] &&
		[ -z \"\$(sort '$work/rows' | uniq -d)\" ]"
	check 'boards of its directors in order' sh -c "grep '^ibcore' '$work/rows' | LC_ALL=C sort -c"
else
	skip 'matrices of a real fabric'
fi

# ---- titles
title() { # TEXT ARGUMENT...: what follows "Fabric " or "Congestion of "
	wanted=$1
	shift
	draw --quiet "$@" | grep -q ">\(Fabric\|Congestion of\|Load of\) $wanted</text>"
}
check 'the title of a topology' title torus:4x4,hosts=2 torus:4x4,hosts=2
check 'the title of a topology with levels' title xgft:6:1/6:3 xgft:6:1/6:3
check 'the title of a network of networks' title torus:2x2/fullmesh:4,hosts=2 torus:2x2/fullmesh:4,hosts=2
"$bin/orcs-compare" --quiet --fail each-cable --reroute minhop -n 5 --graph "$work/costs.dot" -o "$work/costs.txt" "$work/c16.dot"
check 'the title of failures' sh -c '"$2/orcs-draw" --quiet "$1/costs.dot" | grep ">Failures of costs.dot</text>"' - "$work" "$bin"
"$bin/orcs" --quiet -n 2 --metric get_cable_cong -o "$work/again.dot" "$work/costs.dot"
"$bin/orcs" --quiet --engine packet --load 0.1 --metric "link_busy:$work/busy.dot" "$work/c16.dot" >"$work/busy.txt"
check 'busy times of a graph of congestion' sh -c '"$2/orcs-draw" --quiet "$1/busy.dot" | grep ">Traffic of busy.dot</text>"' - "$work" "$bin"
check 'congestion of a graph of failures' sh -c '"$2/orcs-draw" --quiet "$1/again.dot" | grep ">Load of again.dot</text>"' - "$work" "$bin"
"$bin/orcs-bound" --quiet --parts loads --graph "$work/bound.dot" "$work/costs.dot" >"$work/bound.txt"
check 'loads of a graph of failures' sh -c '"$2/orcs-draw" --quiet "$1/bound.dot" | grep ">Load of bound.dot</text>"' - "$work" "$bin"
check 'the title of a file' title c16.dot "$work/c16.dot"
"$bin/orcs" -n 5 -R nue --metric get_cable_cong torus:3x3 >"$work/piped.dot"
piped() {
	draw --quiet <"$work/piped.dot" >"$work/piped.svg" && grep -q '>Load of torus:3x3</text>' "$work/piped.svg" &&
		grep -q '>Routing nue</text>' "$work/piped.svg"
}
check 'the title of a pipe' piped
of_file() {
	draw --quiet "$work/piped.dot" -o "$work/piped.svg" && grep -q '>Load of piped.dot</text>' "$work/piped.svg" &&
		grep -q '>Topology torus:3x3, routing nue</text>' "$work/piped.svg"
}
check 'the topology of a file below its title' of_file

# ---- one way
check 'a ring of one way' draw ring:5,oneway -o "$work/ring.svg"
check 'a ring of one way: arrows' count 5 'class="edge arrow"' "$work/ring.svg"
check 'a ring of one way: lines' count 10 'class="edge cable"' "$work/ring.svg"
check 'a ring of one way: its size' grep -q '>5 hosts, 5 switches, 5 cables, 5 channels one way<' "$work/ring.svg"
check 'a ring both ways has no arrows' sh -c "! '$bin/orcs-draw' ring:5 | grep -q 'class=\"edge arrow\"'"

# ---- large ones
check 'too large a picture is refused at once' fails 2 'fattree:k=32,n=4: the picture would have 131072 boxes' fattree:k=32,n=4
check 'too many lines are refused' fails 2 'jellyfish:6000,40,30: the picture would have 12000 boxes and 96000 lines' jellyfish:6000,40,30
check 'folded hosts have a place' draw --hosts fold --layout pos torus:3x3,hosts=3 -o "$work/folded.svg"
check 'folded hosts: boxes' count 9 '>3 hosts</text>' "$work/folded.svg"

# ---- plain
check 'plain' draw --plain torus:6x6 -o "$work/plain.svg"
check 'plain is well-formed' well_formed "$work/plain.svg"
check 'plain: no text' count 0 '<text\|xlink:title\|<title>' "$work/plain.svg"
check 'plain: a line for each cable' count 108 'class="edge cable"' "$work/plain.svg"

# ---- parallel cables, odd cables, odd names
cat >"$work/odd.dot" <<'END'
digraph {
	H1 [desc="a \"quoted\" <b>name</b> & \\N"];
	A [desc="Zürich 交换机"]; B [desc="the same"]; C [desc="the same"];
	H1 -> A [congestion=1]; A -> H1 [congestion=0.25]; H2 -> B; B -> H2;
	A -> B [congestion=0.5]; A -> B; B -> A; B -> A;
	A -> C; A -> C; A -> C; A -> C; A -> C; A -> C; C -> A; C -> A; C -> A; C -> A; C -> A; C -> A;
	B -> C; A -> A; Hlost; Lonely;
}
END
check 'oddities' draw "$work/odd.dot" -o "$work/odd.svg"
check 'oddities: well-formed' well_formed "$work/odd.svg"
check 'two cables are two lines, six are one, a loop is one' count 7 'class="edge cable"' "$work/odd.svg"
check 'six cables: their number' count 1 '>×6</text>' "$work/odd.svg"
check 'one direction only' grep -q 'title="B → C&#10;B → C: 0 [^&]*&#10;the other direction is not in the file"' "$work/odd.svg"
check 'a title as it is' grep -q '>a &quot;quoted&quot; &lt;b&gt;name&lt;/b&gt; &amp; ' "$work/odd.svg"
check 'UTF-8' grep -q '>Zürich 交换机</text>' "$work/odd.svg"
check 'a description that two switches share names neither' sh -c "grep -q '>B</text>' '$work/odd.svg' && ! grep -q '>the same</text>' '$work/odd.svg'"

# Long names whose labels differ: the only difference in the middle, at the beginning, or both in different pairs.
labels_differ() { # NAME...
	{
		echo 'digraph g {'
		previous=
		for node; do
			printf '"%s" [type="switch"];\n' "$node"
			[ -z "$previous" ] || printf '"%s" -> "%s";\n"%s" -> "%s";\n' "$previous" "$node" "$node" "$previous"
			previous=$node
		done
		printf '"H" -> "%s";\n"%s" -> "H";\n}\n' "$node" "$node"
	} >"$work/names.dot"
	draw --quiet --layout circle "$work/names.dot" -o "$work/names.svg" || return 1
	grep -o '>[^<]*</text>' "$work/names.svg" | grep -v 'host\|cable\|switch\|names' >"$work/labels"
	[ "$(sort -u "$work/labels" | wc -l)" -ge $# ] && [ -z "$(sort "$work/labels" | uniq -d)" ]
}

check 'labels that differ in the middle' labels_differ "MF0;rack11-0101-0903-01ib1-A:MCS8500/L16/U2" "MF0;rack11-0101-0905-01ib1-A:MCS8500/L16/U2" \
	"MF0;rack11-0101-0903-01ib1-A:MCS8500/L17/U2" "MF0;rack11-0101-0905-01ib1-A:MCS8500/L17/U2"
check 'labels that differ in two places' labels_differ a1-------------------------------x-------------------------------1a a2-------------------------------x-------------------------------1a \
	a1-------------------------------y-------------------------------1a a1-------------------------------x-------------------------------2a
for picture in ufm_sdk/ibnetdiscover_director.txt.xz HyungKwang/Topo6_CS7500.txt.xz; do
	dump=${ORCS_TEST_DATA:-../shared/data}/ib/real/$picture
	if [ -f "$dump" ]; then
		draw --quiet --any-size --hosts none --layout circle "$dump" -o "$work/real.svg"
		check "labels of $picture" sh -c "[ \$(grep -c '</text>' '$work/real.svg') -gt 100 ] &&
			[ -z \"\$(grep -o '>[^<]*</text>' '$work/real.svg' | grep -v '>×' | sort | uniq -d)\" ]"
	else
		skip "labels of $picture"
	fi
done

# Switches of a chassis are beside one another, though their cables would mix them; the legend has its name and their colour.
together() { # FILE KEY PATTERN...: along the row (key 1) or column (2) of boards, the labels that match a pattern follow one another
	key=$2
	draw --quiet --any-size --hosts none --layout layers "$1" -o "$work/chassis.svg" || return 1
	shift 2
	sed -n 's/&#45;/-/g; s/^<text.* x="\([-0-9.]*\)" y="\([-0-9.]*\)".*>\(.*\)<\/text>/\1 \2 \3/p' "$work/chassis.svg" >"$work/labels"
	for pattern; do
		for kind in L S; do
			grep "/$kind[0-9]" "$work/labels" | sort -n -k "$key" | awk -v pattern="$pattern" '
				{ now = $3 ~ pattern; begun += now && !before; before = now } END { exit begun != 1 }' || return 1
		done
	done
}
{
	echo 'digraph {'
	for i in 1 2 3 4; do
		name=$(echo abab | cut -c$i)
		printf '"L%s" [type=switch, desc="%s/L%s/U1"];\n"l%s" [type=switch];\n' $i $name $i $i
		printf '"H%s" -> "l%s"; "l%s" -> "H%s"; "l%s" -> "L%s"; "L%s" -> "l%s";\n' $i $i $i $i $i $i $i $i
		for s in 1 2; do
			printf '"S%s" [type=switch, desc="%s/S%s/U1"]; "L%s" -> "S%s"; "S%s" -> "L%s";\n' $s "$(echo ab | cut -c$s)" $s $i $s $s $i
		done
	done
	echo '}'
} >"$work/boards.dot"
check 'boards of a director together' together "$work/boards.dot" 1 ^a/ ^b/
check 'the legend names the chassis' sh -c "grep -q '> *Chassis a: 3 switches<' '$work/chassis.svg' &&
	[ \$(grep -c '#f7d9a8' '$work/chassis.svg') -eq 4 ]"
dump=${ORCS_TEST_DATA:-../shared/data}/ib/real/ufm_sdk/ibnetdiscover_director.txt.xz
if [ -f "$dump" ]; then
	check 'boards of the directors of a real fabric together' together "$dump" 2 0901-01 0903-01 0905-01 0906-01
else
	skip 'boards of the directors of a real fabric together'
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
