#!/bin/sh
# latency_curves.sh - draws the message latencies of Figures 12 and 14 of the xSim network model's paper anew.
#
# Jones, Engelmann: Simulation of Large-Scale HPC Architectures, ICPP Workshops 2011, section V.A: 1 microsecond and 1 Gb/s for
# each link, messages of one integer, no contention; in hierarchies 0.1 microseconds and 10 Gb/s within a processor.

set -u
export LC_ALL=C
me=latency_curves.sh
runs=10
bytes=4
most=65536 # messages of a run; more change nothing that can be seen
processes=128

usage() {
	cat <<'EOF'
Usage: latency_curves.sh [-n NODES] [OUTDIR]

Computes with 'orcs --engine latency' the mean message latency between 2 to
NODES (2048) nodes, in powers of two, of the networks star, ring, mesh, torus, twisted torus and
binary tree, for random pairs and for pairs that are neighbours in rank; and
that between 128 processes on processors of several cores, the same network
within processors and between them. Draws latency.svg and latency.png in OUTDIR
(by default build/figures in the root of the repository), with latency.csv
beside them, and says in words how it compares with the paper.

Needs the Debian package gnuplot-nox. ORCS=PROGRAM takes another program than
build/orcs; orcs-topology must be beside it.
EOF
}

die() {
	printf '%s: %s\n' "$me" "$1" >&2
	exit "${2-1}"
}

nodes_max=2048
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help)
		usage
		exit ;;
	-n)
		[ $# -gt 1 ] || die "-n needs a number (--help tells more)" 2
		nodes_max=$2
		shift 2 ;;
	-*) die "unknown option '$1' (--help tells more)" 2 ;;
	*) break ;;
	esac
done
[ $# -le 1 ] || die "at most one folder (--help tells more)" 2
case $nodes_max in
'' | *[!0-9]* | ??????*) die "-n is '$nodes_max', not a number from 2 to 99999" 2 ;;
esac
[ "$nodes_max" -ge 2 ] || die "-n is '$nodes_max', not a number from 2 to 99999" 2
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
root=$here/..
out=${1-$root/build/figures}
orcs=${ORCS-$root/build/orcs}
case $orcs in
*/*) topology=${orcs%/*}/orcs-topology ;;
*) topology='orcs-topology' ;;
esac
for program in "$orcs" "$topology"; do
	command -v "$program" >/dev/null 2>&1 || die "$program is missing: run make first"
done
command -v gnuplot >/dev/null 2>&1 || die "gnuplot is missing: install the package gnuplot-nox"
mkdir -p -- "$out" || exit 1
tmp=
trap '[ -z "$tmp" ] || rm -rf -- "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
tmp=$(mktemp -d -- "${TMPDIR:-/tmp}/orcs-latency.XXXXXX") || exit 1

# The network of so many nodes, a power of two of which $3 is the exponent; grids are as square as can be.
network() { # NAME NODES EXPONENT
	wide=$((1 << ($3 / 2)))
	case $1 in
	star) echo "star:$2" ;;
	ring) echo "ring:$2,hosts=direct" ;;
	tree) echo "tree:2,$3" ;;
	mesh | torus | twisted) echo "$1:${wide}x$(($2 / wide)),hosts=direct" ;;
	esac
}

# The mean latency of a workload on the graph on standard input; routes by fewest hops where there are none.
latency() { # OPTIONS...
	"$orcs" --quiet -R minhop-orcs --engine latency --subset file_order --mapping linear --bytes $bytes --format csv "$@" >"$tmp/result" || exit 1
	awk -F , '$1 == "latency" && $2 == "mean" { print $4 }' <"$tmp/result"
}

# ---- Figure 12

echo 'figure,traffic,network,nodes,seconds' >"$tmp/csv"
names='star ring mesh torus twisted tree'
for name in $names; do
	nodes=2
	exponent=1
	while [ "$nodes" -le "$nodes_max" ]; do
		messages=$((nodes * nodes))
		[ $messages -le $most ] || messages=$most
		"$topology" --latency 1e-6 --speed 1 "$(network "$name" $nodes $exponent)" >"$tmp/graph" || exit 1
		random=$(latency -n $runs -p random:$messages <"$tmp/graph") || exit 1
		ring=$(latency -p ring <"$tmp/graph") || exit 1
		printf '12,random,%s,%d,%s\n12,ring,%s,%d,%s\n' "$name" $nodes "$random" "$name" $nodes "$ring" >>"$tmp/csv"
		nodes=$((2 * nodes))
		exponent=$((exponent + 1))
	done
done

# ---- Figure 14

for name in $names; do
	cores=1
	exponent=0
	while [ $cores -le $processes ]; do
		outer=$(network "$name" $((processes / cores)) $((7 - exponent)))
		inner=$(network "$name" $cores $exponent)
		if [ $cores = 1 ]; then
			set -- --latency 1e-6 --speed 1 "$outer"
		elif [ $cores = $processes ]; then
			set -- --latency 1e-7 --speed 10 "$inner"
		else
			tiers=1 # of the inner network; a tree has one for each level
			[ "$name" != tree ] || tiers=$exponent
			within=$(printf "%${tiers}s" '')
			set -- --latency "$(echo "$within" | sed 's| |1e-7/|g')1e-6" --speed "$(echo "$within" | sed 's| |10/|g')1" \
				"${outer%,hosts=direct}/$inner"
		fi
		"$topology" "$@" >"$tmp/graph" || exit 1
		random=$(latency -n $runs -p random:$((processes * processes)) <"$tmp/graph") || exit 1
		printf '14,random,%s,%d,%s\n' "$name" $cores "$random" >>"$tmp/csv"
		cores=$((2 * cores))
		exponent=$((exponent + 1))
	done
done
cp "$tmp/csv" "$out/latency.csv" || exit 1

# ---- the picture

for figure in 12:random 12:ring 14:random; do
	for name in $names; do
		awk -F , -v figure="${figure%:*}" -v traffic="${figure#*:}" -v name="$name" '
			$1 == figure && $2 == traffic && $3 == name { print $4, 1e6 * $5 }' <"$tmp/csv" >"$tmp/$figure.$name"
	done
done

panel() { # FIGURE TITLE
	printf "set title '%s' offset 0,-0.5\nplot " "$2"
	color=1
	for name in $names; do
		printf "'%s.%s' using 1:2 with linespoints ls %d title '%s'%s" "$1" "$name" $color \
			"$([ "$name" = twisted ] && echo 'twisted torus' || echo "$name")" "$([ "$name" = tree ] || echo ', ')"
		color=$((color + 1))
	done
	echo
}

cat >"$tmp/commands" <<EOF
set border 3 lc rgb '#555555'
set tics nomirror out textcolor rgb '#222222'
set grid ytics lt 1 lc rgb '#dddddd' lw 1
set style line 1 lw 2 pt 7 ps 0.7 lc rgb '#222222'
set style line 2 lw 2 pt 9 ps 0.8 lc rgb '#0072b2'
set style line 3 lw 2 pt 5 ps 0.7 lc rgb '#d55e00'
set style line 4 lw 2 pt 11 ps 0.8 lc rgb '#009e73'
set style line 5 lw 2 pt 13 ps 0.8 lc rgb '#cc79a7' dt 2
set style line 6 lw 2 pt 15 ps 0.8 lc rgb '#b08800'
set logscale x 2
set ylabel 'mean latency, microseconds' offset 1,0
set key top left reverse Left samplen 2
set multiplot layout 3,1 margins 0.11, 0.97, 0.06, 0.96 spacing 0.02, 0.09
set xrange [2:$((nodes_max > 2 ? nodes_max : 4))]
set logscale y
set xlabel 'nodes'
$(panel 12:random 'random pairs (Figure 12, top)')
unset logscale y
set yrange [0:*]
unset key
$(panel 12:ring 'each to the next in rank (Figure 12, bottom)')
set xrange [1:$processes]
set logscale y
set yrange [*:*]
set xlabel 'cores of a processor; there are $processes in all'
$(panel 14:random 'random pairs, the same network within processors and between them (Figure 14)')
unset multiplot
EOF
{
	printf "set terminal svg size 900,1350 enhanced font 'sans,15' background '#ffffff'\nset output 'latency.svg'\n"
	cat "$tmp/commands"
	printf "set output\nset terminal pngcairo size 900,1350 enhanced font 'sans,12'\nset output 'latency.png'\n"
	cat "$tmp/commands"
} >"$tmp/script"
(cd "$tmp" && gnuplot script) || die "gnuplot failed"
cp "$tmp/latency.svg" "$tmp/latency.png" "$out" || exit 1
printf 'drawn to %s/latency.svg and .png, the numbers are in latency.csv beside them\n' "$out"

# ---- in words

awk -F , '
	$1 == 12 { value[$2, $3, $4] = 1e6 * $5; if ($4 + 0 > last) last = $4 + 0 }
	$1 == 14 { nested[$3, $4] = 1e6 * $5 }
	function row(traffic) {
		return sprintf("star %.3g, tree %.3g, twisted torus %.3g, torus %.3g, mesh %.3g, ring %.3g", value[traffic, "star", last],
			value[traffic, "tree", last], value[traffic, "twisted", last], value[traffic, "torus", last],
			value[traffic, "mesh", last], value[traffic, "ring", last])
	}
	END {
		printf "  Microseconds, %d nodes, random pairs: %s\n", last, row("random")
		printf "  neighbours in rank: %s\n", row("ring")
		second = 0
		for (n = 2; n <= last; n *= 2) {
			tree = value["random", "tree", n]
			ok = tree <= value["random", "ring", n] && tree <= value["random", "mesh", n] && tree <= value["random", "torus", n] &&
				tree <= value["random", "twisted", n]
			second = !ok ? 0 : second ? second : n
			square = int(log(n) / log(2) + 0.5) % 2 == 0
			if (n > 4 && square && value["random", "torus", n] >= value["random", "mesh", n]) worse = worse " " n
		}
		printf "  the tree is better than all but the star: %s\n", second ? "from " second " nodes on" : "not among so few nodes"
		printf "  squares in which the torus is no better than the mesh:%s\n", worse ? worse : " none"
		printf "  torus of 128 cores, 1, 8, 128 in a processor: %.3g, %.3g, %.3g\n", nested["torus", 1], nested["torus", 8],
			nested["torus", 128]
	}' <"$tmp/csv"
cat <<'EOF'
  Paper, random pairs: the star is best, then the binary tree, within 2 log2 n; mesh, torus and twisted torus are close, in squares
  the tori are better than the mesh.
  Paper, neighbours: the ring is best and the tori are close, the star is constant, the mesh suffers from its edges, the tree more.
  Paper, processors: the more cores share a processor, the nearer is the mean to the latency between cores.
EOF
