#!/bin/sh
# make.sh - makes the pictures of the README and the guide.

set -u

case ${1-} in
-h | --help)
	cat <<'EOT'
Usage: doc/pictures/make.sh [FOLDER]

Makes the pictures of README.md and doc/guide/ in FOLDER, with orcs, Graphviz
and gnuplot, and in the folder of this script, which is the default, that of the
page of orcs-report with chromium. ORCS_BIN names the folder of the programs, if
it is not build/ of the source tree.
EOT
	exit ;;
esac
here=$(cd "$(dirname "$0")" && pwd) || exit 1
bin=${ORCS_BIN:-$here/../../build}
examples=$here/../../examples
folder=${1:-$here}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# A picture takes its place when it is complete.
place() { # FILE
	chmod 644 "$tmp/$1" && mv "$tmp/$1" "$folder/$1" || exit 1
}

draw() { # NAME ARGUMENT...
	name=$1.svg
	shift
	"$bin/orcs-draw" --quiet "$@" -o "$tmp/drawn.svg" || exit 1
	# the comments of Graphviz do not matter here, and are a third of the file
	sed -e '/^<!--.*-->$/d' -e '/^<!--/,/-->/d' "$tmp/drawn.svg" >"$tmp/$name" || exit 1
	place "$name"
}

plot() { # NAME PROGRAM ARGUMENT...
	name=$1.svg
	program=$2
	shift 2
	"$bin/$program" --quiet --plot "$tmp/$name" -o "$tmp/result" "$@" || exit 1
	place "$name"
}

# ---- design.md: regular topologies, their cables without the loads of a routing
for spec in leafspine:leaves=4,spines=3,hosts=4,rails=2 fattree:k=3,n=3 torus:6x6 dragonfly:p=2,a=4,h=1 \
	hyperx:4x4 slimfly:q=5 jellyfish:16,6,4 dcell:n=4,k=1; do
	"$bin/orcs-topology" --pos "$spec" | sed '2s/, routing="[^"]*"//' >"$tmp/topology.dot" || exit 1
	draw "topology_${spec%%:*}" --plain --layout pos "$tmp/topology.dot"
done

# ---- README.md: a fat tree that a routing engine for grids sends over one spine
cd "$examples" || exit 1
draw fattree36_dor fattree36_dor.dot

# ---- your-fabric.md: a small cluster, one cable of which is missing
"$bin/orcs-import" --quiet -o "$tmp/cluster.dot" cluster.ibnetdiscover cluster.dump_fts || exit 1
draw cluster "$tmp/cluster.dot"

# ---- pictures.md: the loads of a fat tree and of a dragonfly
"$bin/orcs-route" --quiet minhop --fail S3_0,S2_1:8,S1_4:9 -o "$tmp/tree.dot" xgft:6:1/6:6/8:6 || exit 1
draw load_tree "$tmp/tree.dot"
if [ "$folder" = "$here" ] && command -v chromium >/dev/null; then # report.md: the page, whose pixels depend on the browser and its fonts
	(cd "$tmp" && "$bin/orcs-report" --quiet -R updn,sssp -o page.html tree.dot) || exit 1
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1366,860 --screenshot="$tmp/report.png" \
		"file://$tmp/page.html" >/dev/null 2>&1 && place report.png
fi
"$bin/orcs-route" --quiet updn-orcs -o "$tmp/dragonfly.dot" dragonfly:p=3,a=6,h=3 || exit 1
draw load_dragonfly "$tmp/dragonfly.dot"

# ---- programs.md: a program on random hosts, and its bandwidth with other routings
if [ "$folder" = "$here" ] && command -v chromium >/dev/null; then
	"$bin/orcs-report" --quiet -p trace:halo.trace --mapping random -o "$tmp/page.html" fattree36_dor.dot || exit 1
	# the section alone: without the script of the page, which its policy would not let run elsewhere
	awk '/<section id="program"/ { inside = 1 } /<header|<nav/ { head = 1 } !head || inside { print } /<body/ { head = 1 } inside && /<\/section>/ { exit }' \
		"$tmp/page.html" >"$tmp/section.html"
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1100,900 --screenshot="$tmp/program.png" \
		"file://$tmp/section.html" >/dev/null 2>&1 && place program.png
fi
plot program_routings orcs-compare -p trace:halo.trace -R as-is,ftree,minhop,nue,dfsssp -n 200 fattree36_dor.dot

# ---- reading-output.md, choose-a-routing.md, packets.md: distributions, and latency against load
plot bandwidth orcs -n 1000 fattree324.dot
plot engines orcs-compare -R minhop,updn,ftree,nue,dfsssp fattree:k=6,n=3
plot latency orcs --engine packet --load 0.1:0.8:0.1 -R ftree fattree36_dor.dot

# ---- packets.md: busy channels of a grid; pictures.md: a congestion tree grows
plot links orcs --engine packet --load 0.35 --metric link_busy --palette viridis --packet-routing dor mesh:8x6
"$bin/orcs" --quiet --engine packet -p gather -d --subset file_order --bytes 50k --metric packet_queues --queues "$tmp/queues.csv" \
	-o "$tmp/queues.txt" fattree:k=4,n=2 || exit 1
draw congestion_tree --queues "$tmp/queues.csv" fattree:k=4,n=2

# ---- queues.md: jobs over time
plot queue orcs --engine flow -p queue:day.queue --scheduler easy fattree16.dot

# ---- ai-clusters.md: messages whose paths are hashed
plot hashed orcs --engine flow -p train:tp=8,pp=2,dp=8,compute=20ms -R ecmp --multipath random --metric fct -n 20 --capacity 400G -d \
	--subset file_order leafspine:leaves=16,spines=8,hosts=8

# ---- packets.md: the path of a packet
cat >"$tmp/switch.svg" <<'EOT'
<svg xmlns="http://www.w3.org/2000/svg" width="760" height="250" font-family="Helvetica,Arial,sans-serif" font-size="13">
<style>.box{fill:#eef2f7;stroke:#44546a}.full{fill:#3b78b5;stroke:#24507c}.free{fill:#ffffff;stroke:#24507c}.line{fill:none;stroke:#44546a;stroke-width:1.5}.back{fill:none;stroke:#b5651d;stroke-width:1.5;stroke-dasharray:5 4}.credit{fill:#b5651d}</style>
<defs><marker id="end" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"><path d="M0,0 L9,4 L0,8 z" fill="#44546a"/></marker><marker id="returned" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"><path d="M0,0 L9,4 L0,8 z" fill="#b5651d"/></marker></defs>
<rect width="760" height="250" fill="#ffffff"/>
<rect class="box" x="15" y="75" width="105" height="90" rx="6"/>
<text x="67" y="100" text-anchor="middle">host</text>
<text x="67" y="123" text-anchor="middle">messages cut</text>
<text x="67" y="140" text-anchor="middle">into packets</text>
<path class="line" marker-end="url(#end)" d="M120,110 H208"/>
<text x="164" y="100" text-anchor="middle">cable</text>
<path class="back" marker-end="url(#returned)" d="M210,150 H122"/>
<text class="credit" x="166" y="170" text-anchor="middle">credits</text>
<rect class="box" x="212" y="40" width="330" height="160" rx="6"/>
<text x="377" y="30" text-anchor="middle">switch</text>
<text x="272" y="62" text-anchor="middle">input buffers</text>
<text x="228" y="99" font-size="11">VL 0</text>
<rect class="free" x="258" y="82" width="20" height="24"/><rect class="full" x="278" y="82" width="20" height="24"/><rect class="full" x="298" y="82" width="20" height="24"/><rect class="full" x="318" y="82" width="20" height="24"/>
<text x="228" y="155" font-size="11">VL 1</text>
<rect class="free" x="258" y="138" width="20" height="24"/><rect class="free" x="278" y="138" width="20" height="24"/><rect class="free" x="298" y="138" width="20" height="24"/><rect class="full" x="318" y="138" width="20" height="24"/>
<path class="line" d="M338,94 L392,94"/>
<path class="line" d="M338,150 L392,150"/>
<rect class="free" x="392" y="78" width="70" height="88"/>
<text x="427" y="112" text-anchor="middle">routing,</text>
<text x="427" y="129" text-anchor="middle">arbiter,</text>
<text x="427" y="146" text-anchor="middle">crossbar</text>
<path class="line" d="M462,110 H542"/>
<text x="502" y="100" text-anchor="middle">output</text>
<text x="377" y="190" text-anchor="middle" font-size="11">the first packet of a full queue blocks those behind it</text>
<path class="line" marker-end="url(#end)" d="M542,110 H632"/>
<text x="588" y="100" text-anchor="middle">cable</text>
<path class="back" marker-end="url(#returned)" d="M634,150 H544"/>
<text class="credit" x="590" y="170" text-anchor="middle">credits</text>
<rect class="box" x="636" y="75" width="110" height="90" rx="6"/>
<text x="691" y="100" text-anchor="middle">next switch</text>
<text x="691" y="123" text-anchor="middle">its input</text>
<text x="691" y="140" text-anchor="middle">buffers</text>
<text x="15" y="232" font-size="12">A packet leaves a buffer when the next buffer has room for all of it; its space then returns as credits.</text>
</svg>
EOT
place switch.svg
