#!/bin/sh
# inrflow_figures.sh - draws Figures 7 to 9 of the INRFlow paper from the results of inrflow_case_study.sh.
set -u
export LC_ALL=C
me=inrflow_figures.sh

usage() {
	cat <<'EOT'
Usage: inrflow_figures.sh OUTDIR

Draws fig7.svg, fig8.svg and fig9.svg in OUTDIR from its results.csv, which
inrflow_case_study.sh wrote: throughput by hosts, times of the applications over
that of the fastest network, and how much faster several paths make them. The
axes are chosen: those of the paper are not known.

Needs the Debian package gnuplot-nox.
EOT
}

die() {
	printf '%s: %s\n' "$me" "$1" >&2
	exit "${2-1}"
}

case ${1-} in
-h | --help)
	usage
	exit ;;
-* | '') die "the argument is a folder (--help tells more)" 2 ;;
esac
[ $# -eq 1 ] || die "one folder is wanted (--help tells more)" 2
[ -f "$1/results.csv" ] || die "$1/results.csv is missing: run inrflow_case_study.sh first"
command -v gnuplot >/dev/null 2>&1 || die "gnuplot is missing: install the package gnuplot-nox"
out=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM

# The rows of a figure with spaces between the fields, a mean over the seeds each: network, hosts, workload, routing, metric, value.
awk -F '"' 'NR > 1 {
	split($1, left, ",")
	split($3, right, ",")
	key = left[1] " " left[2] " " left[3] " " $2 " " right[2] " " right[5]
	if (!(key in number)) order[++keys] = key
	number[key]++
	sum[key] += right[6]
}
END { for (i = 1; i <= keys; i++) printf "%s %.6g\n", order[i], sum[order[i]] / number[order[i]] }' "$out/results.csv" >"$work/means"

families='torus3 torus6 fattree thin2 thin4 dragonfly11 dragonfly12 dragonfly11valiant dragonfly12valiant jellyfish'
title() { # FAMILY
	case $1 in
	torus3) echo '3-D torus' ;;
	torus6) echo '6-D torus' ;;
	fattree) echo 'fat tree' ;;
	thin2) echo 'thin tree 1:2' ;;
	thin4) echo 'thin tree 1:4' ;;
	dragonfly11) echo 'dragonfly 1:1' ;;
	dragonfly12) echo 'dragonfly 1:2' ;;
	dragonfly11valiant) echo 'dragonfly 1:1, Valiant' ;;
	dragonfly12valiant) echo 'dragonfly 1:2, Valiant' ;;
	*) echo "$1" ;;
	esac
}

# Draws the gnuplot commands of standard input as NAME.svg.
draw() { # NAME WIDTH HEIGHT
	{
		echo "set terminal svg size $2,$3 enhanced font 'sans,13' background '#ffffff'"
		echo "set output 'figure.svg'"
		echo "set border 3 lc rgb '#555555'; set tics nomirror out; set grid ytics lt 1 lc rgb '#dddddd' lw 1"
		cat
		echo 'unset multiplot; set output'
	} >"$work/commands"
	(cd "$work" && gnuplot commands) || die "gnuplot failed"
	cp "$work/figure.svg" "$out/$1.svg" || exit 1
}

# ---- Figure 7

# One curve for each family, of a kind of traffic and a metric.
curves() { # TRAFFIC METRIC TITLE AXIS
	echo "set title '$3'; set ylabel '$4'; plot \\"
	for family in $families; do
		awk -v family="$family" -v traffic="$1" -v metric="$2" '$1 == 7 && $2 == family && $4 ~ "^" traffic ":" && $6 == metric { print $3, $7 / 1e9 }' \
			"$work/means" | sort -n >"$work/$1.$2.$family"
		[ ! -s "$work/$1.$2.$family" ] || echo "'$1.$2.$family' using 1:2 with linespoints lw 1.5 title '$(title "$family")', \\"
	done
	echo NaN notitle
}

{
	echo "set multiplot layout 3,2; set logscale xy; set xlabel 'hosts'; set key outside right samplen 1"
	for metric in non_restricted_per_host restricted_per_host non_restricted_inrflow_per_port; do
		case $metric in
		*port) what='c: throughput of a port (mean load of all channels)' unit='Gb/s per port' ;;
		non*) what='a: non-restricted throughput' unit='Gb/s per host' ;;
		*) what='b: restricted throughput' unit='Gb/s per host' ;;
		esac
		curves random "$metric" "$what, uniform" "$unit"
		curves hotregion "$metric" "$what, hot region" "$unit"
	done
} | draw fig7 1500 1400

# ---- Figures 8 and 9

# A table for bars: a line for each workload, a column for each name of a list; '-' where there is no result.
bars() { # AWK_PROGRAM NAMES
	awk -v names="$2" "
		BEGIN { columns = split(names, name, \" \"); printf \"workload\"; for (i = 1; i <= columns; i++) printf \" %s\", name[i]; print \"\" }
		$1
		{ if (!(\$4 in seen)) { seen[\$4]; workload[++rows] = \$4 } }
		END {
			for (r = 1; r <= rows; r++) {
				w = workload[r]
				printf \"%s\", w
				for (i = 1; i <= columns; i++) printf \" %s\", (x = value(name[i], w)) ? sprintf(\"%.4g\", x) : \"-\"
				print \"\"
			}
		}" "$work/means"
}

plot_bars() { # FILE NAMES TITLES_FUNCTION
	echo "plot \\"
	column=2
	for name in $2; do
		echo "'$1' using $column:xtic(1) title '$($3 "$name")', \\"
		column=$((column + 1))
	done
	echo NaN notitle
}
histogram="set datafile missing '-'; set style data histogram; set style histogram clustered gap 2; set style fill solid 1 noborder
set logscale y; set xtics rotate by -35 noenhanced; set key outside top center horizontal"

timed=$(awk '$1 == 8 && !($2 in seen) { seen[$2]; printf "%s ", $2 }' "$work/means")
bars '$1 != 8 { next } { t[$2, $4] = $7; if (!($4 in best) || $7 < best[$4]) best[$4] = $7 }
	function value(name, w) { return (name, w) in t ? t[name, w] / best[w] : 0 }' "$timed" >"$work/fig8"
{
	echo "$histogram; set ylabel 'time over that of the fastest network'; set title 'Figure 8: applications'"
	plot_bars fig8 "$timed" title
} | draw fig8 1500 700

schemes=$(awk '$1 == 9 && !(($2, $5) in seen) { seen[$2, $5]; printf "%s/%s ", $2, $5 }' "$work/means")
[ -n "$schemes" ] || exit 0
# shellcheck disable=SC2317 # plot_bars calls it
scheme_title() { # FAMILY/SCHEME
	echo "$(title "${1%%/*}"), ${1#*/}"
}
bars '$1 == 8 { single[$2, $4] = $7; next } $1 != 9 { next } { t[$2 "/" $5, $4] = $7 }
	function value(name, w,	part) { split(name, part, "/"); return (name, w) in t && t[name, w] ? single[part[1], w] / t[name, w] : 0 }' "$schemes" >"$work/fig9"
{
	echo "$histogram; set ylabel 'time with one path over that with several'; set title 'Figure 9: several paths'"
	plot_bars fig9 "$schemes" scheme_title
} | draw fig9 1500 700
