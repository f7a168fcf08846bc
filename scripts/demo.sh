#!/bin/sh
# The main job on a fabric that the real OpenSM routed: demo.sh BIN_DIR OUT_DIR [PROCESSES]
set -eu

if [ $# -lt 2 ]; then
	echo "usage: demo.sh BIN_DIR OUT_DIR [PROCESSES]" >&2
	exit 2
fi
bin=$1
out=$2
processes=${3:-2}
case $out in
-*) out=./$out ;; # for the programs, no option
esac
case $processes in
*[!0-9]*)
	echo "demo.sh: PROCESSES is a number, not '$processes'" >&2
	exit 2 ;;
esac
fabric=examples/fattree324.dot
runs=1000
mkdir -p "$out"

# Open MPI asks for this when root starts it, and on machines with fewer cores than processes.
if [ "$(id -u)" -eq 0 ]; then
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
parallel="mpirun --oversubscribe -np $processes"

say() {
	printf '\n== %s\n' "$*"
}

show() {
	printf '$ %s\n' "$*"
}

say "A 324-host fat tree (two levels, full bisection bandwidth), routed by OpenSM's ftree engine: $fabric"
say "What does it deliver to a random bisection? $runs random mappings on $processes processes:"
show "$parallel $bin/orcs -p bisect -n $runs --plot $out/bandwidth.svg $fabric"
$parallel "$bin/orcs" -p bisect -n $runs --metric hist_acc_band,hist_max_cong --format json -o "$out/result.json" $fabric
$parallel "$bin/orcs" -p bisect -n $runs --plot "$out/bandwidth.svg" -o "$out/result.txt" $fabric
cat "$out/result.txt"

say "How many routes share the worst cable of a route?"
show "$parallel $bin/orcs -p bisect -n $runs --metric hist_max_cong $fabric"
$parallel "$bin/orcs" -p bisect -n $runs --metric hist_max_cong -o "$out/histogram.txt" $fabric
cat "$out/histogram.txt"

say "Which cables are congested? The graph, coloured, and drawn by Graphviz:"
show "$parallel $bin/orcs -p bisect -n $runs --metric get_cable_cong -o $out/congestion.dot $fabric"
$parallel "$bin/orcs" -p bisect -n $runs --metric get_cable_cong -o "$out/congestion.dot" $fabric
for form in svg png; do
	show "$bin/orcs-draw $out/congestion.dot -o $out/congestion.$form"
	"$bin/orcs-draw" "$out/congestion.dot" -o "$out/congestion.$form"
done

mean=$(sed -n 's/^effective bisection bandwidth (mean): //p' "$out/result.txt")
interval=$(sed -n 's/^95% confidence interval of the mean: //p' "$out/result.txt")
say "In short: this full-bisection tree delivers $mean of its peak to a random bisection (95% confidence: $interval)."
cat <<END

The files lie in $out:
  result.txt, result.json  the effective bisection bandwidth with its confidence interval
  histogram.txt            how many routes share the worst cable of a route
  bandwidth.svg            how the bandwidth is distributed over the mappings
  congestion.dot           the fabric, every channel with its congestion and colour
  congestion.svg, .png     the same as a picture (the SVG tells each cable's values under the mouse)

What to try next:
  $bin/orcs --list=patterns
  $bin/orcs -p shift:1 -d --metric hist_max_cong $fabric       a shift, ranks in the order of the hosts: no congestion
  $bin/orcs -p alltoall -d --metric sum_max_cong $fabric       all-to-all, one shift after the other
  $bin/orcs --precision 0.001 $fabric                          as many runs as it takes
  $bin/orcs -n 1000 --metric get_cable_cong examples/fattree36_dor.dot | $bin/orcs-draw - -o dor.svg   a routing that does not suit its fabric
  man -l doc/orcs.1
END
