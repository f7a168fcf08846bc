#!/bin/sh
# pictures.sh - draws what bench/run.sh found: time and memory against hosts, the cost of metrics, processes.

set -u
export LC_ALL=C

case ${1-} in
-h | --help)
	cat <<'EOT'
Usage: bench/pictures.sh RESULTS.json FOLDER

Draws FOLDER/performance_hosts.svg and FOLDER/performance_costs.svg with gnuplot;
where that is missing it says so and draws nothing.
EOT
	exit ;;
esac
if [ $# -ne 2 ]; then
	echo 'pictures.sh: two arguments are needed: RESULTS.json FOLDER (--help tells more)' >&2
	exit 2
fi
if ! command -v gnuplot >/dev/null 2>&1; then
	echo 'SKIPPED: no pictures: gnuplot is not installed (Debian: gnuplot-nox)'
	exit 0
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Rows of a table to a file, whose columns are separated by tabs; - where there is no value, and for a table without rows.
table() { # FILE FILTER-OF-JQ
	jq -r ".results[] | $2 | map(. // \"-\") | @tsv" "$results" >"$tmp/$1" || exit 1
	[ -s "$tmp/$1" ] || printf '%s\n' '-	-	-	-	-	-' >"$tmp/$1"
}

results=$1
for way in 'looked up' walked computed; do
	table "$way" 'select(.case == "pairs" and .way == "'"$way"'") | [.hosts, .ns, .limit_ns, .bar, .memory_mb, .graph_mb]'
done
range=$(jq -r '[.results[] | select(.case == "pairs").hosts] | "\(min * 0.8):\(max * 1.25)"' "$results")
top=$(jq '[.results[] | select(.case == "pairs") | .memory_mb, .graph_mb] | max * 30' "$results") # room for the key
most=$(jq -r '[.results[] | select(.case == "processes").processes] | max // 1' "$results")
table metrics 'select(.case == "patterns") | [(.pattern + " " + .metric), .ns, .bar]'
processes='' mark=5
for hosts in $(jq -r '[.results[] | select(.case == "processes").hosts] | unique[]' "$results"); do
	table "processes.$hosts" 'select(.case == "processes" and .launcher == "mpirun" and .hosts == '"$hosts"')
		| [.processes, .speedup, .machine]'
	processes="$processes, '$tmp/processes.$hosts' using 1:3 with points pt $((mark - 1)) ps 1.4 lc rgb '#c05800'"
	processes="$processes title 'the machine then, without memory', '' using 1:2 with points pt $mark ps 0.8 lc rgb '#1f4e79'"
	processes="$processes title 'orcs, $hosts hosts'"
	mark=$((mark + 2))
done

gnuplot 2>"$tmp/said" <<EOT || {
set datafile separator tab
set datafile missing '-'
set terminal svg size 1000,460 font 'sans,12' background '#ffffff'
set termoption noenhanced
set output '$tmp/performance_hosts.svg'
set border 3
set tics nomirror out
set grid ytics lc rgb '#dddddd'
set key top left Left reverse samplen 2
set logscale x 2
set xrange [$range]
set xtics ('128' 128, '1k' 1024, '4k' 4096, '11k' 11664, '27k' 27648, '64k' 65536, '256k' 262144, '1M' 1048576)
set xlabel 'hosts'
set multiplot layout 1,2
set title 'Time of a routed pair: bisect, one process'
set ylabel 'ns'
set yrange [0:*]
set offsets 0, 0, graph 0.3, 0
plot '$tmp/walked' using 1:2 with linespoints pt 7 ps 0.7 lw 2 lc rgb '#888888' title 'walked', \
	'$tmp/computed' using 1:2 with linespoints pt 7 ps 0.7 lw 2 lc rgb '#c05800' title 'computed', \
	'$tmp/looked up' using 1:2 with linespoints pt 7 ps 0.7 lw 2 lc rgb '#1f4e79' title 'looked up', \
	'$tmp/looked up' using 1:3 with linespoints pt 6 ps 0.6 dt 2 lc rgb '#5b9bd5' title 'limit, looked up', \
	'$tmp/computed' using 1:3 with linespoints pt 6 ps 0.6 dt 2 lc rgb '#e0a070' title 'limit, computed', \
	'$tmp/looked up' using 1:4 with points pt 9 ps 1 lc rgb '#c00000' title 'bar', \
	'$tmp/computed' using 1:4 with points pt 9 ps 1 lc rgb '#c00000' notitle
unset offsets
set title 'Most memory of the process'
set ylabel 'MB'
set logscale y
set yrange [1:$top]
plot '$tmp/looked up' using 1:6 with points pt 4 ps 0.8 lc rgb '#1f4e79' title 'reading the graph with tables', \
	'$tmp/computed' using 1:6 with points pt 4 ps 0.8 lc rgb '#c05800' title 'reading the graph without', \
	'$tmp/walked' using 1:5 with linespoints pt 7 ps 0.7 lw 2 lc rgb '#888888' title 'walked', \
	'$tmp/computed' using 1:5 with linespoints pt 7 ps 0.7 lw 2 lc rgb '#c05800' title 'computed', \
	'$tmp/looked up' using 1:5 with linespoints pt 7 ps 0.7 lw 2 lc rgb '#1f4e79' title 'looked up'
unset multiplot
unset logscale
set output '$tmp/performance_costs.svg'
set multiplot layout 1,2
set lmargin 17
set title 'Time of a pair by pattern and metric'
set xlabel ''
set ylabel 'ns'
set style fill solid 0.7
set xrange [*:*]
set yrange [0:*]
set xtics autofreq rotate by 40 right
set key top right
plot '$tmp/metrics' using 0:2:(0.7):xtic(1) with boxes lc rgb '#5b9bd5' notitle, \
	'$tmp/metrics' using 0:3 with points pt 9 lc rgb '#c00000' title 'bar'
set title 'Throughput of processes'
unset lmargin
set xlabel 'processes'
set ylabel 'times the throughput of one'
set xtics 1 norotate
set xrange [0.5:$most + 0.5]
set key top left
plot x with lines dt 3 lc rgb '#888888' notitle $processes
unset multiplot
EOT
	echo "pictures.sh: gnuplot failed: $(head -n 1 "$tmp/said")" >&2
	exit 1
}
mv "$tmp"/performance_*.svg "$2"
