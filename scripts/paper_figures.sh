#!/bin/sh
# paper_figures.sh - draws Figures 3 and 4 of the ORCS paper anew.
#
# Schneider, Hoefler, Lumsdaine: ORCS: An Oblivious Routing Congestion Simulator, Indiana University, 2009, section 2.5.
# The paper does not say how its 1,142-host fat tree was built. Here it has three levels of the 24-port switches of its time, and
# is routed by OpenSM twice: with minhop, which was and is its default, and with ftree.

set -u
export LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
me=paper_figures.sh

usage() {
	cat <<'EOF'
Usage: paper_figures.sh [OUTDIR]

Draws Figures 3 and 4 of the ORCS paper with orcs and gnuplot as figure3.svg,
figure3.png, figure4.svg and figure4.png in OUTDIR (by default build/figures
in the root of the repository), with the results of orcs beside them as CSV,
and says in words how they compare with the paper.

Figure 3 is 10,000 runs of bisect_fb_sym on a 16-host fat tree with full
bisection (examples/fattree16.dot). Figure 4 is 100 runs of tree on 800 hosts of
a fat tree with 1,142, with bisect on the others and with nothing; its fabric is
routed by the real OpenSM under ibsim, which takes some seconds.

Needs the Debian packages gnuplot-nox, and for Figure 4 opensm, ibsim-utils and
infiniband-diags. ORCS=PROGRAM takes another program than build/orcs.
EOF
}

die() {
	printf '%s: %s\n' "$me" "$1" >&2
	exit "${2-1}"
}

case ${1-} in
-h | --help)
	usage
	exit ;;
-*) die "unknown option '$1' (--help tells more)" 2 ;;
esac
[ $# -le 1 ] || die "at most one argument (--help tells more)" 2
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
root=$here/..
out=${1-$root/build/figures}
orcs=${ORCS-$root/build/orcs}
command -v "$orcs" >/dev/null 2>&1 || die "$orcs is missing: run make first"
command -v gnuplot >/dev/null 2>&1 || die "gnuplot is missing: install the package gnuplot-nox"
mkdir -p -- "$out" || exit 1
tmp=
trap '[ -z "$tmp" ] || rm -rf -- "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
tmp=$(mktemp -d -- "${TMPDIR:-/tmp}/orcs-figures.XXXXXX") || exit 1

# The values of one item of a result: "key value" a line.
item() { # FILE.csv METRIC ITEM
	awk -F , -v metric="$2" -v item="$3" '$1 == metric && $2 == item { print $3, $4 }' <"$1"
}

# Draws the gnuplot commands of a file as SVG and as PNG.
draw() { # NAME HEIGHT
	{
		printf "set key default\\n"; printf "set terminal svg size 900,%d enhanced font 'sans,15' background '#ffffff'\n" "$2"
		printf "set output 'figure.svg'\n"
		cat "$tmp/commands"
		printf "unset multiplot\nset output\n"
		printf "set terminal pngcairo size 1350,%d enhanced font 'sans,15' fontscale 1.1 linewidth 1.5\n" $(($2 * 3 / 2))
		printf "set output 'figure.png'\n"
		cat "$tmp/commands"
		printf "unset multiplot\nset output\n"
	} >"$tmp/script"
	(cd "$tmp" && gnuplot script) || die "gnuplot failed"
	cp "$tmp/figure.svg" "$out/$1.svg" && cp "$tmp/figure.png" "$out/$1.png" || exit 1
	printf '%s: drawn to %s/%s.svg and .png, the numbers are in the CSV beside them\n' "$1" "$out" "$1"
}

style="set border 3 lc rgb '#555555'
set tics nomirror out textcolor rgb '#222222'
set grid ytics lt 1 lc rgb '#dddddd' lw 1
set style fill solid 1 noborder
set yrange [0:*]"

# ---- Figure 3

"$orcs" -p bisect_fb_sym -n 10000 --metric hist_acc_band --raw --format csv -o "$out/figure3.csv" "$root/examples/fattree16.dot" ||
	exit 1
item "$out/figure3.csv" hist_acc_band bins >"$tmp/bins"
mean=$(item "$out/figure3.csv" hist_acc_band mean)
mean=${mean##* }
full=$(item "$out/figure3.csv" hist_acc_band raw | awk '$2 == 1' | wc -l | tr -d ' ')
cat >"$tmp/commands" <<EOF
$style
set title "Figure 3: bandwidth of bisect\\\\_fb\\\\_sym on a 16-host fat tree with full bisection"
set xlabel 'share of the peak bandwidth of a run (its random mapping)'
set ylabel 'share of the 10,000 runs'
set xrange [0:1]
set xtics 0.1
set format y '%.0f%%'
set key top left reverse Left samplen 2
set arrow from $mean, graph 0 to $mean, graph 1 nohead front lw 2 lc rgb '#b2182b'
plot 'bins' using (\$1 + 0.025):(\$2 / 100):(0.046) with boxes lc rgb '#4393c3' notitle, \\
	NaN with lines lw 2 lc rgb '#b2182b' title sprintf('mean %.3f', $mean)
EOF
draw figure3 500
awk -v mean="$mean" -v full="$full" 'BEGIN {
	printf "  Paper: the mapping has a large impact; full bandwidth is reached, but by a very small part of the mappings.\n"
	printf "  Here:  mean %.3f of the peak; full bandwidth in %d of the 10000 runs, %.1f%%.\n", mean, full, full / 100
}'
item "$out/figure3.csv" hist_acc_band raw | awk '
	NR == 1 { low = high = $2 }
	{ if ($2 < low) low = $2; if ($2 > high) high = $2 }
	END {
		printf "         The runs range from %.3f to %.3f, in steps of 1/16 (there are 16 connections), so that\n", low, high
		printf "         some bins of width 0.05 stay empty.\n"
	}'

# ---- Figure 4

missing=
for pair in opensm:opensm ibsim:ibsim-utils ibnetdiscover:infiniband-diags; do
	command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
[ -z "$missing" ] || die "Figure 4 needs OpenSM and ibsim to route its fabric: install the Debian packages$missing"

sh "$here/fattree_topology.sh" 3:12:1142 >"$tmp/topology" || exit 1
echo 'metric,item,key,value' >"$out/figure4.csv"
for engine in minhop ftree; do
	sh "$here/route_with_opensm.sh" -e "$engine" -o "$tmp/$engine.dot" "$tmp/topology" 2>"$tmp/said" ||
		die "$(cat "$tmp/said")"
	for second in null bisect; do
		"$orcs" -p ptrnvsptrn -f tree -c "$second" -z 800 -n 100 --metric dep_max_delay --raw --format csv \
			-o "$tmp/$engine.$second.csv" "$tmp/$engine.dot" || exit 1
		item "$tmp/$engine.$second.csv" dep_max_delay histogram >"$tmp/$engine.$second"
		item "$tmp/$engine.$second.csv" dep_max_delay raw | cut -d ' ' -f 2 >"$tmp/$engine.$second.raw"
		sed -n "s/^dep_max_delay,/$engine-$second,/p" "$tmp/$engine.$second.csv" >>"$out/figure4.csv"
	done
done
last=$(cat "$tmp"/*.null "$tmp"/*.bisect | sort -n | tail -n 1 | cut -d ' ' -f 1)

panel() { # ENGINE TITLE
	cat <<EOF
set title "$2" offset 0,-0.5
plot '$1.null' using (\$1 - 0.21):2:(0.40) with boxes lc rgb '#4393c3' title 'the other 342 hosts are silent (null)', \\
	'$1.bisect' using (\$1 + 0.21):2:(0.40) with boxes lc rgb '#d6604d' title 'the other 342 hosts run bisect'
EOF
}

cat >"$tmp/commands" <<EOF
$style
set xrange [5:$((last + 1))]
set xtics 5
set mxtics 5
set ylabel 'runs, of 100'
set key top right reverse Left samplen 2
set multiplot layout 2,1 title "Figure 4: tree on 800 of 1,142 hosts, fat tree of 24-port switches" \\
	margins 0.08, 0.98, 0.09, 0.89 spacing 0.02, 0.13
unset xlabel
$(panel minhop 'routed by OpenSM, minhop (its default)')
set xlabel 'delay of a run: congestion summed along its longest chain of messages'
unset key
$(panel ftree 'routed by OpenSM, ftree')
EOF
draw figure4 780
echo '  Paper: the noise of bisect on the other hosts can double the execution time of the tree.'
for engine in minhop ftree; do
	paste "$tmp/$engine.null.raw" "$tmp/$engine.bisect.raw" | awk -v engine="$engine" -v say="$([ "$engine" = minhop ] && echo Here: )" '
		{
			quiet += $1
			noisy += $2
			ratio = $2 / $1
			doubled += ratio >= 2
			if (ratio > most)
				most = ratio
		}
		END {
			printf "  %-6s %s: mean delay %.2f without noise, %.2f with it, %.2f times as long; the same mapping\n", say, engine, quiet / NR, noisy / NR, noisy / quiet
			printf "         takes up to %.2f times as long, twice or more in %d of %d runs.\n", most, doubled, NR
		}'
done
