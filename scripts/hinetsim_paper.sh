#!/bin/sh
# hinetsim_paper.sh - repeats the experiments of the HiNetSim paper and judges its statements.
#
# HiNetSim: A Parallel Simulator for Large-Scale Hierarchical Direct Networks, NPC 2014, sections 4 and 5.
set -u
me=hinetsim_paper.sh
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
# shellcheck source=scripts/statements.sh
. "$here/statements.sh"

usage() {
	cat <<'EOT'
Usage: hinetsim_paper.sh [--small | --full] [OUTDIR]

Repeats Figures 6 to 12 of the HiNetSim paper with orcs --engine packet and
judges its statements. Writes to OUTDIR (by default build/papers/hinetsim)
results.csv, with a row for every run, and statements.md.

The paper gives packets of 1,024 bytes and virtual lanes of 4,096 bytes; links of
40 Gb/s and 10 ns and a routing delay of 100 ns are chosen. --small leaves out the
4.5-D tori of more than 648 hosts, the load by dimension of 32,768 hosts, and the
time and memory of Figures 11 and 12, which take some minutes by default. --full
searches the saturation of 10,368 to 32,768 hosts, too, which takes an hour.

ORCS_BIN=DIR is the folder of the programs (by default build).
EOT
}

begin_paper hinetsim 'small full' "$@"
cd "$work" || exit 1
begin_statements 'The HiNetSim paper'
echo network,options,load,value,seconds,megabytes >"$out/results.csv"

# Runs the packet engine with the paper's packets.
packets() { # NETWORK ARGUMENT...
	network=$1
	shift
	measured "$bin/orcs" --quiet --engine packet --format csv --mtu 1024 --bytes 1024 --buffer 4096 --capacity 40e9 --latency 10ns "$@" "$network"
}

# Runs it and prints a figure of the throughput, which is also a row of the results.
throughput() { # KEY LOAD NETWORK ARGUMENT...
	key=$1 load=$2
	shift 2
	case $load in
	saturation) packets "$@" --saturation --metric packet_throughput ;;
	*) packets "$@" --load "$load" --drain 0 --metric packet_throughput ;;
	esac || return
	reached=$(awk -F , -v key="$key" '$1 == "packet_throughput" && $2 == key && $3 == "" { printf "%.3g", $4; exit }' result)
	network=$1
	shift
	echo "\"$network\",$*,$load,$reached,$seconds,$megabytes" >>"$out/results.csv"
	echo "$reached"
}
full_load() { throughput accepted 1 "$@"; }

# A published figure is confirmed within 10%.
published() { # NUMBER STATEMENT WHERE FIGURE OURS [WHY]
	statement "$1" "$2" "$3" "$4" "$5" "$(judge 'x > 0.9 * p && x < 1.1 * p' "x=$5" "p=$4")" "${6-}"
}

# ---- Figure 6: flattened butterflies of 1,024 hosts

set -- --voq --packet-routing min --lanes 2 --warmup 40us --measure 40us
fb1=$(full_load hyperx:8x8,hosts=16 "$@")
fb2=$(full_load hyperx:16x16,hosts=4 "$@")
fb3=$(full_load hyperx:8x8x8,hosts=2 "$@")
fb4=$(full_load hyperx:4x4x4x4,hosts=4 "$@")
published 1 "FB1, 8x8 with 16 hosts each: throughput" "4.1, Fig. 6" 0.46 "$fb1" "two virtual lanes; the paper does not give the number"
published 2 "FB2, 16x16 with 4 hosts each" "4.1, Fig. 6" 0.91 "$fb2" "one lane 0.95"
published 3 "FB3, 8x8x8 with 2 hosts each" "4.1, Fig. 6" 0.92 "$fb3" "one lane 0.95"
published 4 "FB4, 4x4x4x4 with 4 hosts each" "4.1, Fig. 6" 0.81 "$fb4" "one lane 0.67, four 0.88"
statement 5 "FB1 is much lower, FB2 and FB3 are the highest" "4.1, Fig. 6" order "$fb1, $fb2, $fb3, $fb4" \
	"$(judge 'a < d && d < b && d < c' "a=$fb1" "b=$fb2" "c=$fb3" "d=$fb4")" "FB1 has more hosts than its links carry"

# ---- Figure 7: the 4-D torus of 4,096 hosts

set -- --packet-routing dor:bubble,ties=positive --warmup 40us --measure 20us
vc2=$(full_load torus:8x8x8x8 "$@" --lanes 2)
vc3=
[ "$size" = small ] || vc3=$(full_load torus:8x8x8x8 "$@" --lanes 3)
vc4=$(full_load torus:8x8x8x8 "$@" --lanes 4)
published 6 "4-D torus 8x8x8x8, 2 virtual channels, one for escape: throughput" "4.2, Fig. 7" 0.51 "$vc2" "dimension order; escape by a bubble is chosen"
[ -z "$vc3" ] || published 7 "3 virtual channels" "4.2, Fig. 7" 0.63 "$vc3"
published 8 "4 virtual channels" "4.2, Fig. 7" 0.65 "$vc4"
statement 9 "more virtual channels increase throughput, but it hardly reaches 0.7" "4.2" "0.51, 0.63, 0.65" "$vc2, ${vc3:--}, $vc4" \
	"$(judge 'a < c && c < 0.7 && a <= b && b <= c' "a=$vc2" "b=${vc3:-$vc2}" "c=$vc4")" "with both directions used equally half a ring away 0.65, 0.75, 0.78"

# ---- Figure 9: the 4.5-D torus

local_traffic='--packet-routing zone --lanes 4 --traffic mix:70,20,10'
hierarchical() { # WIDTH
	# shellcheck disable=SC2086 # words
	throughput saturation saturation "torus:$1x$1x$1x$1/fullmesh:4,hosts=2" $local_traffic --warmup 40us --measure 20us
}
t3=$(hierarchical 3)
published 10 "4.5-D torus, 648 hosts: throughput" "4.3, Fig. 9" 0.75 "$t3" "zones of two dimensions; with one zone 0.83, with four 0.52; the paper does not define its zones"
if [ "$size" != small ]; then
	t4=$(hierarchical 4)
	t5=$(hierarchical 5)
	statement 11 "throughput keeps decreasing as the network grows: 648, 2,048, 5,000 hosts" "4.3, Fig. 9" decreasing "$t3, $t4, $t5" \
		"$(judge 'a > b && b > c' "a=$t3" "b=$t4" "c=$t5")" "from 2,048 on; with 648 hosts no packet has more than one step in a dimension, so that adaptive routing has few choices"
fi
if [ "$size" = full ]; then
	t6=$(hierarchical 6)
	t7=$(hierarchical 7)
	t8=$(hierarchical 8)
	published 12 "4.5-D torus, 32,768 hosts: throughput" "4.3, Fig. 9" 0.56 "$t8" "10,368 and 19,208 hosts: $t6, $t7"
fi

# ---- Figure 10: load by dimension

# Least and largest share of time that a channel of a dimension is busy, means by position in it, and the standard deviation over the mean.
by_dimension() {
	awk -F , '
		$2 == "from" { from[$3] = $4 }
		$2 == "to" { to[$3] = $4 }
		$1 == "link_busy" && $2 == "busy" && $3 != "" { busy[$3] = $4 }
		END {
			for (i in busy) {
				if (from[i] !~ /^S/ || to[i] !~ /^S/) continue
				split(substr(from[i], 2), f, "_")
				split(substr(to[i], 2), t, "_")
				for (d = 1; d <= 4 && f[d] == t[d]; d++);
				if (d > 4) continue
				n[d]++
				s[d] += busy[i]
				q[d] += busy[i] ^ 2
				if (!(d in least) || busy[i] < least[d]) least[d] = busy[i]
				if (busy[i] > most[d]) most[d] = busy[i]
				place[d, f[d]]++
				sum[d, f[d]] += busy[i]
			}
			for (d = 1; d <= 4; d++) {
				low = 9
				high = 0
				for (x = 0; (d, x) in place; x++) {
					m = sum[d, x] / place[d, x]
					if (m < low) low = m
					if (m > high) high = m
				}
				v = q[d] / n[d] - (s[d] / n[d]) ^ 2
				printf "%.2f %.2f %.3f %.3f %.2f\n", least[d], most[d], low, high, sqrt(v > 0 ? v : 0) / (s[d] / n[d])
			}
		}' result
}

balance() { # WIDTH ROUTING MEASURE
	packets "torus:$1x$1x$1x$1/fullmesh:4,hosts=2" --packet-routing "$2" --lanes 4 --traffic mix:70,20,10 --load 0.5 --warmup 20us --measure "$3" \
		--drain 0 --metric link_busy || return
	by_dimension >dimensions
	echo "\"torus:$1x$1x$1x$1/fullmesh:4,hosts=2\",$2 busy by dimension: $(tr '\n' ' ' <dimensions | tr -s ' '),0.5,,$seconds,$megabytes" >>"$out/results.csv"
	seen=$(awk '{ printf "%s%s %s to %s", (NR > 1 ? ", " : ""), substr("ABCD", NR, 1), $1, $2 }' dimensions)
	places=$(awk '{ printf "%s%s %s to %s", (NR > 1 ? ", " : ""), substr("ABCD", NR, 1), $3, $4 }' dimensions)
	even=$(awk 'NR > 1 && ($4 > 1.1 * $3) { bad = 1 } END { print bad + 0 }' dimensions)
	read -r least most low high spread <dimensions
}

fig10() { # FIRST_NUMBER HOSTS WIDTH MEASURE
	balance "$3" zone "$4" || return
	statement "$1" "4.5-D torus of $2 hosts: the loads of dimensions B, C and D vary little" "4.3, Fig. 10" "little" "means by position $places" \
		"$(judge 'uneven == 0' "uneven=$even")" "busy shares at a load of 0.5; below 10% is taken for little"
	statement $(($1 + 1)) "dimension A is out of balance, because it comes first" "4.3, Fig. 10" "0.2 to 0.7" "channels $seen" \
		"$(judge 'l < 0.3 && m > 0.6 && h > 1.3 * w' "l=$least" "m=$most" "w=$low" "h=$high")" \
		"all superblocks are alike, and so is the traffic: with adaptive zones A is as even as the others, and single channels differ by chance only (deviation $spread of the mean)"
	balance "$3" dor:ties=positive "$4" || return
	statement $(($1 + 2)) "the same with dimension order, A first, all packets half a ring away in one direction" "4.3, Fig. 10" "0.2 to 0.7" "channels $seen" \
		"$(judge 'l < 0.3 && m > 0.6 && h > 1.3 * w' "l=$least" "m=$most" "w=$low" "h=$high")" \
		"means by position $places. Only beyond the saturation of dimension order is A uneven, where packets enter; below it all dimensions are alike"
}

fig10 13 2,048 4 40us
[ "$size" != small ] || { end_statements && exit; }
fig10 16 32,768 8 20us

# ---- Figures 11 and 12: time and memory

memory() { # NETWORK
	packets "$1" --packet-routing dor:bubble --lanes 2 --load 1 --warmup 5us --measure 5us --drain 0 --metric packet_throughput && echo "${megabytes:-}"
}
m10=$(memory torus:10x10x10x10)
m16=$(memory torus:16x16x16x16)
statement 19 "memory of a 4-D torus: 10,000 nodes below 8 GB" "5, Fig. 12" "below 8 GB" "${m10:--} MB" "$(judge 'm < 8000' "m=$m10")" ""
statement 20 "65,536 nodes 72 GB" "5, Fig. 12" "72 GB" "${m16:--} MB" "$(judge 'm < 72000' "m=$m16")" "at most is taken for confirmed"
spent=
for network in torus:3x3x4x4/fullmesh:4,hosts=2 hyperx:8x8,hosts=16 mport:m=16,n=3 torus:6x6x6x6; do
	routing=min
	case $network in mport*) routing=updown ;; torus:6*) routing=dor:bubble ;; */*) routing=dor ;; esac
	packets "$network" --packet-routing $routing --load 1 --warmup 40us --measure 40us --drain 0 --metric packet_throughput || seconds=-
	spent="$spent${spent:+, }${network%%,*} ${seconds:--} s"
done
statement 21 "speed-up is linear in the number of cores, up to 12" "5, Fig. 11" "12 to 15.6 on 12 cores" "on one core $spent" open \
	"the networks of Table 4, 80 µs at full load. The paper has no times. Results do not depend on --threads and processes; doc/performance.md has times of several"
end_statements
