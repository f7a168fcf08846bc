#!/bin/sh
# xsim_paper.sh - runs the network experiments of the xSim paper and judges its statements; has its networks as presets.
#
# Jones, Engelmann: Simulation of Large-Scale HPC Architectures, ICPP Workshops, 2011.
set -u
me=xsim_paper.sh
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
# shellcheck source=scripts/statements.sh
. "$here/statements.sh"

usage() {
	cat <<'EOF'
Usage: xsim_paper.sh [--small] [OUTDIR]
       xsim_paper.sh --network NAME SIZE > fabric.dot

Judges the statements of the xSim paper on its network model (sections III to
V.A) and writes a table of them to OUTDIR/statements.md (by default
build/papers/xsim) and standard output. --small leaves out the measured times.

--network writes a network of its Table I, for 'orcs --engine latency':
  ethernet N           N processors at a star
  ethernet-cores NxC   the same with C cores on each, at a star of their own
  mesh YxX             a mesh of two dimensions
  dual-mesh YxXxZ      a mesh of processors with two cores
  dual-torus YxXxZ     a torus of these
  dual-twisted YxXxZ   a twisted torus of these
ORCS_BIN=DIR is the folder of the programs (by default build).
EOF
}

root=$(cd "$here/.." && pwd)
bin=$(cd "${ORCS_BIN:-$root/build}" 2>/dev/null && pwd) || die "${ORCS_BIN:-$root/build} is missing: run make first"
export PATH="$bin:$PATH"
[ -x "$bin/orcs" ] || die "$bin/orcs is missing: run make first"

# Table I: speeds in Gb/s and latencies in seconds, on the processor and off it.
network() { # NAME SIZE
	case $1 in
	ethernet) orcs-topology --speed 1 --latency 25e-6 "star:$2" ;;
	ethernet-cores) orcs-topology --speed 12/1 --latency 0.32e-6/25e-6 "star:${2%x*}/star:${2#*x}" ;;
	mesh) orcs-topology --speed 8.8 --latency 7e-6 "mesh:$2,hosts=direct" ;;
	dual-mesh | dual-torus | dual-twisted)
		kind=${1#dual-}
		orcs-topology --speed 9.6/8.8 --latency 0.32e-6/7e-6 "$kind:$2/star:2" ;;
	*) die "unknown network '$1' (--help tells more)" 2 ;;
	esac
}

small=
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help)
		usage
		exit ;;
	--network)
		[ $# -eq 3 ] || die "--network needs a name and a size (--help tells more)" 2
		network "$2" "$3"
		exit ;;
	--small) small=yes ;;
	-*) die "unknown option '$1' (--help tells more)" 2 ;;
	*) break ;;
	esac
	shift
done
[ $# -le 1 ] || die "at most one folder (--help tells more)" 2
out=${1-$root/build/papers/xsim}
mkdir -p -- "$out" && out=$(cd "$out" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM
cd "$work" || exit 1

# The mean latency in microseconds between two different processes at random, exact: all pairs of hosts.
mean() { # LATENCIES SPEC: seconds, of each tier
	orcs-topology --distances --latency "$1" -o /dev/null "$2" 2>&1 | sed -n 's/.*latency \([^ ]*\) s, at most.*/\1/p' | awk '{ printf "%.6g", $1 * 1e6 }'
}
# The same of the messages of a pattern of 4 bytes, by the engine.
sent() { # PATTERN OPTION... SPEC: in microseconds
	pattern=$1
	shift
	orcs --quiet --engine latency -d --subset file_order --bytes 4 -p "$pattern" --flows flows.csv -o /dev/null "$@" 2>/dev/null &&
		awk -F, 'NR > 1 { sum += $9 - $8 } END { printf "%.6g", sum / (NR - 1) * 1e6 }' flows.csv
}
# A fabric with links of 1 Gb/s and 1 microsecond, routed by shortest paths if the topology has no routing of its own.
simple() { # SPEC
	orcs-topology --speed 1 --latency 1e-6 -o simple.dot "$1" || return
	grep -q 'routing=' simple.dot || { orcs-route --quiet minhop-orcs -o routed.dot simple.dot && mv routed.dot simple.dot; }
}
# A grid of two dimensions for a power of two, as square as possible.
grid() { # PROCESSES
	columns=1
	while [ $((columns * columns)) -lt "$1" ]; do columns=$((2 * columns)); done
	echo "${columns}x$(($1 / columns))"
}
# A binary tree whose leaves are the processes.
tree() { # PROCESSES
	levels=2:1
	left=$(($1 / 2))
	while [ $left -gt 1 ]; do
		levels=$levels/2:1
		left=$((left / 2))
	done
	echo "xgft:$levels"
}

begin_statements "xSim: the statements of the paper"

# ---- the model
one=$(simple star:8 && sent shift:1 simple.dot)
statement 1 "star: a message takes twice the latency of a link, and its bytes" IV.A "2.032 us" "$one us" \
	"$(judge 'is > 2.0319 && is < 2.0321' is="$one")" "4 bytes, 1 us, 1 Gb/s"
near=$(simple ring:16,oneway,hosts=direct && sent shift:15 simple.dot)
far=$(simple ring:16,hosts=direct && sent shift:8 simple.dot)
statement 2 "ring: up to n-1 links one way, half as many both ways" IV.A "15 and 8 links" "$near and $far us" \
	"$(judge 'one > 15.03 && one < 15.033 && both > 8.03 && both < 8.033' one="$near" both="$far")" "16 nodes"
one=$(mean 1e-6 mesh:3x3x3,hosts=direct)
statement 3 "mesh: the sum of the distances in the dimensions" IV.A "2.76923 us" "$one us" \
	"$(judge 'is > 2.7692 && is < 2.7693' is="$one")" "27 nodes, mean of all pairs by hand: 3 (8/9) 27/26"
both=$(network ethernet-cores 4x2 >cores.dot && sent shift:2 cores.dot)
statement 4 "combinations: the latencies of all links, and the lowest bandwidth" IV.B "50.672 us" "$both us" \
	"$(judge 'is > 50.671 && is < 50.673' is="$both")" "Table I, two cores: 2 of 0.32 us, 2 of 25 us, 32 bits at 1 Gb/s"
all=$(mean 1e-6 star:1024/mesh:2x2/mesh:8x8)
statement 5 "a star of 1024 nodes, 4 processors on each in a mesh, meshes of 64 cores: latencies by entry and exit points" IV.B "supported" \
	"mean of all 68719214592 pairs: $all us" "$(judge 'is > 0' is="$all")" "262144 cores, 1 us for each link"

# ---- Figure 12, random
for n in 2 4 8 16 32 64 128 256 512 1024 2048; do
	star=$(mean 1e-6 star:$n)
	ring=$(mean 1e-6 ring:$n,hosts=direct)
	mesh=$(mean 1e-6 "mesh:$(grid $n),hosts=direct")
	torus=$(mean 1e-6 "torus:$(grid $n),hosts=direct")
	binary=$(mean 1e-6 "$(tree $n)")
	twisted=-
	[ $n -lt 4 ] || [ $n -gt 256 ] || twisted=$(simple "twisted:$(grid $n),hosts=direct" && sent random:100000 simple.dot | awk '{ printf "%.6g", $1 - 0.032 }')
	echo "$n $star $ring $mesh $torus ${twisted:--} $binary"
done >random
value() { # FILE PROCESSES COLUMN
	awk -v n="$2" -v c="$3" '$1 == n && $c != "-" { print $c }' "$1"
}
worse=$(awk '{ for (c = 3; c <= NF; c++) if ($c != "-" && $c < $2) { print $1; next } }' random | tr '\n' ' ')
statement 6 "random messages: the star outperforms all others" "Fig. 12" "all sizes" "another is faster with ${worse:-no }processes" \
	"$([ -z "$worse" ] && echo confirmed || echo 'not confirmed')" "in small networks neighbours are one link away, in a star always two"
last=$(awk '$1 == 2048 { print "tree " $7 ", torus " $5 ", mesh " $4 ", ring " $3 }' random)
statement 7 "random messages: the binary tree is next" "Fig. 12" "below the others" "$last us with 2048" \
	"$(judge 'tree < torus && tree < mesh && tree < ring' tree="$(value random 2048 7)" torus="$(value random 2048 5)" mesh="$(value random 2048 4)" ring="$(value random 2048 3)")" \
	"$(awk '$7 > $5 { n = $1 } END { print "up to " n " processes the torus is faster" }' random)"
ratio=$(awk '$1 > 8 { r = $4 / $5; m = r > m ? r : m } END { printf "%.3g", m }' random)
statement 8 "random messages: mesh, torus and twisted torus are very similar" "Fig. 12" "similar" "mesh up to $ratio times torus" \
	"$(judge 'r < 1.1' r="$ratio")" "within a tenth is taken for very similar; distances are a third and a quarter of a dimension"
squares=$(awk '$1 == 16 || $1 == 64 || $1 == 256 || $1 == 1024 { n += $5 < $4 && ($6 == "-" || $6 < $4) } END { print n }' random)
statement 9 "in squared set-ups torus and twisted torus are faster than the mesh" "Fig. 12" "4 squares" "$squares of 4" "$(judge 'n == 4' n="$squares")" \
	"16 to 1024, the twisted torus to 256"
others=$(awk '$1 == 32 || $1 == 128 || $1 == 512 || $1 == 2048 { n += $5 >= $4 } END { print n }' random)
statement 10 "with unequal dimensions this effect is reversed" "Fig. 12" "mesh not slower" "$others of 4" "$(judge 'n == 4' n="$others")" \
	"the loops shorten each dimension, whatever its length"

# ---- Figure 12, ring
for n in 16 64 256; do
	line=$n
	for spec in star:$n ring:$n,hosts=direct "mesh:$(grid $n),hosts=direct" "torus:$(grid $n),hosts=direct" "twisted:$(grid $n),hosts=direct" "$(tree $n)"; do
		line="$line $(simple "$spec" && sent shift:1 simple.dot)"
	done
	echo "$line"
done >ring
statement 11 "messages round a ring: the ring is fastest" "Fig. 12" "1 link" "$(value ring 256 3) us with 256" \
	"$(awk '{ for (c = 2; c <= NF; c++) bad += $c < $3 } END { print bad ? "not confirmed" : "confirmed" }' ring)" "1 us and 32 bits at 1 Gb/s"
statement 12 "torus and twisted torus are close to the ring" "Fig. 12" "similar" "$(value ring 256 5) and $(value ring 256 6) us" \
	"$(judge 't < 1.1 * r && w < 1.1 * r' r="$(value ring 256 3)" t="$(value ring 256 5)" w="$(value ring 256 6)")" "with 256, within a tenth"
statement 13 "the star is constant" "Fig. 12" "2 links" "$(awk '{ print $2 }' ring | tr '\n' ' ')us" \
	"$(awk '{ seen[$2] } END { for (s in seen) n++; print n == 1 ? "confirmed" : "not confirmed" }' ring)"
statement 14 "the mesh suffers from the missing loops" "Fig. 12" "above the torus" "$(value ring 256 4) us with 256" \
	"$(awk '{ bad += $4 <= $5 } END { print bad ? "not confirmed" : "confirmed" }' ring)"
statement 15 "the binary tree is worst of all" "Fig. 12" "above the others" "$(value ring 256 7) us with 256" \
	"$(awk '{ for (c = 2; c < NF; c++) bad += $c >= $7 } END { print bad ? "not confirmed" : "confirmed" }' ring)"

# ---- Figure 13
for rate in 1e6 1e5 1e4 1e3 1e2 1e1 1 0.1; do
	echo "$rate $(mean 1e-6 mesh:8x16,hosts=direct)"
done | awk '{ printf "%s %.9g\n", $1, $2 + 32 / $1 * 1e6 }' >bandwidth
statement 16 "a lower bandwidth of links raises the latency of a single integer" "Fig. 13" "1 Mb/s to 0.1 b/s" \
	"$(awk 'NR == 1 { print $2 " us" }' bandwidth) to $(awk 'END { print $2 / 1e6 " s" }' bandwidth)" \
	"$(awk '$2 <= last { bad = 1 } { last = $2 } END { print bad ? "not confirmed" : "confirmed" }' bandwidth)" "8x16 mesh, mean of all pairs; 32 bits at the rate of the links"

# ---- Figure 14: processors 1 us, cores 0.1 us, 128 processes in all
nested() { # KIND PROCESSORS CORES: the mean of all pairs
	outer=$1:$2
	inner=$1:$3
	direct=,hosts=direct
	case $1 in
	star) direct= ;;
	mesh | torus)
		outer=$1:$(grid "$2")
		inner=$1:$(grid "$3") ;;
	esac
	if [ "$2" -eq 1 ]; then
		mean 1e-7 "$inner$direct"
	elif [ "$3" -eq 1 ]; then
		mean 1e-6 "$outer$direct"
	else
		mean 1e-7/1e-6 "$outer/$inner$direct"
	fi
}
for kind in star ring mesh torus; do
	line=$kind
	for cores in 1 2 4 8 16 32 64 128; do
		line="$line $(nested $kind $((128 / cores)) $cores)"
	done
	echo "$line"
done >nested
number=17
for kind in star mesh torus ring; do
	values=$(sed -n "s/^$kind //p" nested)
	statement $number "more cores on each of 128/c processors reduce the latency, $kind" "Fig. 14" "falls to that of cores" "$values us" \
		"$(echo "$values" | awk '{ for (i = 3; i <= NF; i++) bad += $i >= $(i - 1); print bad ? "not confirmed" : "confirmed" }')" "c = 1, 2, 4 to 128; judged from 2 on, as one core has no network to pass"
	number=$((number + 1))
done
close=$(awk '$1 == "mesh" { for (i = 2; i <= NF; i++) m[i] = $i } $1 == "torus" { for (i = 2; i <= NF; i++) { r = m[i] / $i; w = r > w ? r : w } } END { printf "%.3g", w }' nested)
statement 21 "mesh and torus are almost identical" "Fig. 14" "identical" "mesh up to $close times torus" "$(judge 'r < 1.1' r="$close")" "within a tenth"

# ---- Figure 11 and the model's cost: times of this machine
if [ -z "$small" ]; then
	seconds() { # COMMAND...: of the processor
		command time -f %U -o took "$@" >/dev/null 2>&1 && cat took
	}
	without=$(seconds orcs --engine null -p random:1000000 -d mesh:8x16,hosts=direct)
	with=$(seconds orcs --engine latency -p random:1000000 -d mesh:8x16,hosts=direct)
	statement 22 "no observable difference between no network model and this one" "Fig. 11" "none" "$without and $with s" open \
		"a million messages between 128 processes, and nothing else is simulated here: the model is all there is to measure"
	took=$(seconds orcs-topology --distances -o /dev/null mesh:256x256,hosts=direct)
	statement 23 "65,536 processes with n^2 messages can be simulated" "Fig. 11" "all pairs" "$took s" "$(judge 't < 10' t="$took")" \
		"all pairs exactly, from the distances in the dimensions"
	took=$(seconds orcs --engine latency -p random:1000000 -d star:1024/mesh:2x2/mesh:8x8)
	statement 24 "hierarchical combinations scale" IV.B "supported" "$took s" "$(judge 't < 10' t="$took")" \
		"a million random messages between 262144 cores"
fi
end_statements
