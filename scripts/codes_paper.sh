#!/bin/sh
# codes_paper.sh - repeats the experiments of the CODES paper and judges its statements.
#
# Mubarak, Carothers, Ross, Carns: Enabling Parallel Simulation of Large-Scale HPC Network Systems, TPDS 28(1), 2017.
# shellcheck disable=SC2034,SC2154 # figures are set by eval
set -u
me=codes_paper.sh
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
# shellcheck source=scripts/statements.sh
. "$here/statements.sh"

usage() {
	cat <<'EOT'
Usage: codes_paper.sh [--small | --full] [OUTDIR]

Repeats the experiments of the CODES paper with orcs --engine packet and judges
its statements. Writes to OUTDIR (by default build/papers/codes) results.csv,
with a row for every run, and statements.md.

The paper replays traces that are not public. Here the patterns that it describes
stand for them: neighbours on a grid for AMG, crystal_router, and multigrid, with
smaller messages. --small has 1,024 to 1,728 ranks and takes half a minute; by
default there are also 10,000 and 13,824 ranks, with time and memory, which takes
a quarter of an hour; --full has 110,592 ranks, too.

ORCS_BIN=DIR is the folder of the programs (by default build). CRAY_LINKS=FILE is
the list of the cables of a Cray XC dragonfly, as rtr --interconnect prints it (it
can be compressed by xz); without it the statement about such a machine is open.
EOT
}

begin_paper codes 'small full' "$@"
cd "$work" || exit 1
begin_statements 'The CODES paper'
echo fabric,pattern,bytes,routing,hops,latency,makespan,host_blocked,local_blocked,global_blocked,local_share,local_longest,global_longest,seconds,megabytes \
	>"$out/results.csv"

compute() { # FORMAT EXPRESSION
	awk "BEGIN { printf \"$1\", $2 }"
}

# Runs the packet engine with ranks in the order of hosts.
packets() { # ARGUMENT...
	measured "$bin/orcs" --quiet --engine packet --format csv --mapping linear --subset file_order "$@"
}

figure() { # METRIC KEY
	awk -F , -v metric="$1" -v key="$2" '$1 == metric && $2 == key && $3 == "" { printf "%.6g\n", $4; exit }' result
}

# ---- Figures 4 and 5: open loop on a dragonfly, in cycles

dragonfly=p=4,a=8,h=4 ranks=22x8x6 cray_bytes=16384
[ "$size" != small ] || dragonfly=p=3,a=6,h=3 ranks=19x6x3 cray_bytes=4096
"$bin/orcs-topology" --latency 1e-9/10e-9/100e-9 "dragonfly:$dragonfly" -o cycles.dot || exit 1
single=$(echo "$dragonfly" | awk -F '[=,]' '{ printf "%.5f", 1 / ($4 * $6) }')

open_loop() { # TRAFFIC LOAD ROUTING METRIC KEY
	packets --cycles --store-forward --mtu 1 --bytes 1 --routing-delay 1 --buffer 256 --load "$2" --traffic "$1" --packet-routing "$3" \
		--warmup 2000 --measure 1000 --drain 0 --metric "$4" cycles.dot && figure "$4" "$5"
}

minimal=$(open_loop uniform 0.3 min packet_latency mean)
adaptive=$(open_loop uniform 0.3 ugal packet_latency mean)
statement 1 "uniform traffic: adaptive routing behaves like minimal routing" "5.1, Fig. 4" alike "mean latency $adaptive and $minimal cycles at a load of 0.3" \
	"$(judge 'a < 1.05 * m && m < 1.05 * a' "a=$adaptive" "m=$minimal")" "within 5%"
minimal=$(open_loop bad_dragonfly 0.5 min packet_throughput accepted)
adaptive=$(open_loop bad_dragonfly 0.5 ugal packet_throughput accepted)
valiant=$(open_loop bad_dragonfly 0.5 valiant packet_throughput accepted)
statement 2 "worst case: minimal routes have a single channel between two groups" "5.1, Fig. 5" "1/(a h) = $single" "$minimal" \
	"$(judge 'm > 0.97 * s && m < 1.03 * s' "m=$minimal" "s=$single")" "accepted of an offered 0.5"
statement 3 "worst case: non-minimal routing gives slightly under 50% throughput" "5.1, Fig. 5" "slightly under 0.5" "$valiant" \
	"$(judge 'v > 0.4 && v < 0.5' "v=$valiant")" "0.4 to 0.5 is taken for slightly under"
statement 4 "worst case: adaptive routing is better than minimal, because it goes the non-minimal way" "5.1, Fig. 5" better "$adaptive, minimal $minimal" \
	"$(judge 'a > 2 * m && a > 0.9 * v' "a=$adaptive" "m=$minimal" "v=$valiant")" "at least 0.9 of non-minimal"

# ---- Figures 6 to 8: mpptest on Blue Gene

# Every node to the one that is so far away in each dimension; the first dimension counts fastest.
offsets() { # WIDTHS OFFSETS
	awk -v widths="$1" -v offsets="$2" 'BEGIN {
		n = split(widths, w, "x")
		split(offsets, o, "x")
		for (d = total = 1; d <= n; d++) total *= w[d]
		for (r = 0; r < total; r++) {
			rest = r
			for (d = 1; d <= n; d++) { c[d] = rest % w[d]; rest = int(rest / w[d]) }
			to = 0
			for (d = n; d; d--) to = to * w[d] + (c[d] + o[d]) % w[d]
			print 0, r, to
		}
	}'
}

# The time of messages of several sizes is (hops - 1) delays of a router and the bytes at the rate of a channel; the latter as many times as
# messages share a channel. Exact for lone pairs and for messages that nothing waits for; long messages of all nodes come within 2%.
mpptest() { # NUMBER WHAT WHERE WIDTHS OFFSETS HOPS SHARERS RATE
	number=$1 what=$2 where=$3
	offsets "$4" "$5" >"all$1"
	head -n 1 "all$1" >"lone$1"
	for messages in lone all; do
		packets -p "file:$messages$1" --mtu 512 --buffer 8192 --packet-routing dor:bubble --lanes 1 --capacity "$8" --latency 0 --routing-delay 100ns \
			--sweep bytes=4:131072:x2 --metric fct "torus:$4,hosts=direct" && cp result $messages.csv
	done
	awk -F , -v hops="$6" -v sharers="$7" -v rate="$8" '
		$1 == "fct" && $2 ~ /bytes$/ { bytes[FILENAME, $3] = $4 }
		$1 == "fct" && $2 ~ /[.]max$/ { time[FILENAME, $3] = $4 }
		function off(file, i, share) {
			form = (hops - 1) * 100e-9 + share * bytes[file, i] * 8 / rate
			return time[file, i] / form - 1
		}
		function worse(a, b) { a = a < 0 ? -a : a; b = b < 0 ? -b : b; return a > b ? a : b }
		END {
			for (i = 0; ("lone.csv", i) in bytes; i++) {
				alone = worse(alone, off("lone.csv", i, 1))
				if (bytes["all.csv", i] >= 32768) long = worse(long, off("all.csv", i, sharers))
				middle = worse(middle, off("all.csv", i, sharers))
			}
			print alone, off("all.csv", 0, 1), long, middle, i
		}' lone.csv all.csv >form
	read -r alone short long middle sizes <form
	statement "$number" "mpptest, $what: close agreement for 4 bytes to 130 kB" "5.2, $where" close \
		"from the closed form: lone pair $(compute %.1g%% "100 * $alone"), all nodes 4 bytes $(compute %.1g%% "100 * $short"), 32 kB and more $(compute %.2g%% "100 * $long")" \
		"$(judge 'n == 16 && a < 0.001 && s * s < 1e-6 && l < 0.02' "n=$sizes" "a=$alone" "s=$short" "l=$long")" \
		"$7 messages share a channel; packets meet at the start of middle sizes: at most $(compute %.2g%% "100 * $middle") more. The machine's own times are in figures only"
}

mpptest 5 "512 nodes of BG/P, 8 hops" "Fig. 6" 8x8x8 4x4x0 8 2 2.992e9
mpptest 6 "1,024 nodes of BG/Q, 8 hops" "Fig. 6" 8x4x4x4x2 4x2x2x0x0 8 2 15.46e9
mpptest 7 "512 nodes of BG/P, 1 hop" "Fig. 7" 8x8x8 1x0x0 1 1 2.992e9
mpptest 8 "1,024 nodes of BG/Q, 11 hops" "Fig. 8" 8x4x4x4x2 4x2x2x2x1 11 2 15.46e9

# ---- Figures 9 to 12 and 14: applications on the dragonfly of Edison's speeds

# Adds a row to the results and sets hops, latency, time, hosts, locals, globals (mean time that a channel's buffers are full, in microseconds),
# share (of the channels within groups whose buffers are full at all), longest_local and longest_global.
application() { # FABRIC PATTERN BYTES ROUTING ARGUMENT...
	fabric=$1 pattern=$2 bytes=$3 routing=$4
	shift 4
	hops='' latency='' time='' hosts='' locals='' globals='' share='' longest_local='' longest_global=''
	packets --mtu 512 --bytes "$bytes" -p "$pattern" --packet-routing "$routing" --metric packet_latency,link_busy,makespan "$@" "$fabric" || return
	awk -F , '
		$1 == "packet_latency" && $3 == "" { of[$2] = $4 }
		$1 == "makespan" && $2 == "mean" { time = $4 }
		# on dragonflies, H0_1_2 is a host of group 0, S0_1 a switch; c0-0c1s2a0 of a Cray is in the group of the cabinets 0 and 1 of a row
		function group(node) {
			if (node ~ /^[HS]/) { sub(/^./, "", node); sub(/_.*/, "", node); return node }
			sub(/^c/, "", node)
			return int(node / 2) substr(node, index(node, "-"), index(node, "c") - index(node, "-"))
		}
		function host(node) { return node ~ /^H|n[0-9]$/ }
		$2 == "from" { from[$3] = $4 }
		$2 == "to" { to[$3] = $4 }
		$2 == "blocked" && $3 != "" { blocked[$3] = $4 }
		END {
			for (i in blocked) {
				tier = host(from[i]) || host(to[i]) ? 0 : group(from[i]) == group(to[i]) ? 1 : 2
				number[tier]++
				sum[tier] += blocked[i]
				full[tier] += blocked[i] > 0
				if (blocked[i] > most[tier]) most[tier] = blocked[i]
			}
			for (t = 0; t < 3; t++) if (!number[t]) number[t] = 1
			u = 1e6 * time
			printf "%.4g %.4g %.4g %.3g %.3g %.3g %.3g %.3g %.3g\n", of["hops"], 1e6 * of["mean"], u, u * sum[0] / number[0], u * sum[1] / number[1],
				u * sum[2] / number[2], full[1] / number[1], u * most[1], u * most[2]
		}' result >figures
	read -r hops latency time hosts locals globals share longest_local longest_global <figures
	printf '%s,"%s",%s,%s,%s,%s\n' "${fabric##*/}" "$pattern" "$bytes" "$routing" "$(tr ' ' , <figures)" "$seconds,$megabytes" >>"$out/results.csv"
}

# Runs an application with the three routings of the paper; sets NAME_hops_ROUTING and so on. Adaptive routing asks the queues of its own switch.
routings() { # NAME FABRIC PATTERN BYTES ARGUMENT...
	name=$1 network=$2 program=$3 size_of=$4
	shift 4
	for way in min ugal:load=local valiant; do
		application "$network" "$program" "$size_of" "$way" "$@"
		way=${way%%:*}
		for quantity in hops latency time hosts locals globals share longest_local longest_global seconds megabytes; do
			eval "${name}_${quantity}_$way=\$$quantity"
		done
	done
}

# The three figures of a quantity of an application, and those of all three.
shown() { # NAME QUANTITY
	eval "printf '%s, %s, %s' \"\$$1_$2_min\" \"\$$1_$2_ugal\" \"\$$1_$2_valiant\""
}
shown_all() { # QUANTITY
	printf 'AMG %s; Crystal Router %s; Multigrid %s' "$(shown amg "$1")" "$(shown crystal "$1")" "$(shown multigrid "$1")"
}
# Judges a condition on m, a and v, the figures of minimal, adaptive and non-minimal routing, for each of the three applications.
judge_all() { # QUANTITY CONDITION
	for name in amg crystal multigrid; do
		eval "judge '$2' \"m=\$${name}_$1_min\" \"a=\$${name}_$1_ugal\" \"v=\$${name}_$1_valiant\""
	done | sort | uniq -c | awk '{ verdict = $0; sub(/^ *[0-9]+ /, "", verdict); n[verdict] = $1 }
		END { print n["not confirmed"] ? "not confirmed" : n["open"] ? "open" : "confirmed" }'
}

"$bin/orcs-topology" --speed 45.1/45.1/40.4 --latency 10e-9/10e-9/100e-9 "dragonfly:$dragonfly" -o edison || exit 1
set -- --buffer 8192/8192/16384
routings amg edison "stencil:$ranks" 16384 "$@"
routings crystal edison crystal_router 16384 "$@"
routings multigrid edison "multigrid:$ranks" 4096 "$@"
how="minimal, adaptive, non-minimal; dragonfly $dragonfly, buffers of 8 and 16 KiB"
statement 9 "minimal routing has the fewest hops" "6.1, Fig. 9" fewest "$(shown_all hops)" "$(judge_all hops 'm < a && m < v')" "$how"
statement 10 "the packet latency is lower for adaptive and non-minimal routing" "6.1, Fig. 10" lower "$(shown_all latency) µs" "$(judge_all latency 'a < m && v < m')" ""
statement 11 "the links between nodes and routers are busy for a shorter time with adaptive and non-minimal routing" "6.1, Fig. 11" shorter "$(shown_all hosts) µs" \
	"$(judge_all hosts 'a < m && v < m')" "busy: buffers full, in the mean"
statement 12 "non-minimal routing has a lower communication time than minimal" "6.1, Fig. 12" lower "$(shown_all time) µs" "$(judge_all time 'v < m')" ""
statement 13 "adaptive routing takes slightly longer than non-minimal" "6.1, Fig. 12" slightly "$(shown_all time) µs" "$(judge_all time 'a > v && a < 1.25 * v')" \
	"both are close; which is ahead depends on the application and the sizes of messages"
statement 14 "with adaptive and non-minimal routing more of the channels within groups have full buffers (34% and 39%) than with minimal (20%)" "6.1, Fig. 14" "20%, 39%, 34%" \
	"shares $(shown multigrid share)" "$(judge 'm < a && m < v' "m=$multigrid_share_min" "a=$multigrid_share_ugal" "v=$multigrid_share_valiant")" "Multigrid"
statement 15 "but for a shorter time" "6.1, Fig. 14" shorter "mean $(shown multigrid locals), longest $(shown multigrid longest_local) µs" \
	"$(judge 'm > a && m > v' "m=$multigrid_longest_local_min" "a=$multigrid_longest_local_ugal" "v=$multigrid_longest_local_valiant")" "Multigrid, the longest"
statement 16 "channels between groups are busy for longer with minimal routing" "6.1, Fig. 14" longer "mean $(shown multigrid globals), longest $(shown multigrid longest_global) µs" \
	"$(judge 'm > a && m > v' "m=$multigrid_globals_min" "a=$multigrid_globals_ugal" "v=$multigrid_globals_valiant")" \
	"reversed: behind a channel between groups the channels are faster, and minimal routes go straight to their host, so that its buffers empty; what fills is before it. With buffers of 8 KiB everywhere the same"

links=${CRAY_LINKS-}
if [ -n "$links" ]; then
	case $links in *.xz) xz -dc "$links" ;; *) cat "$links" ;; esac | awk -f "$root/scripts/cray_links.awk" >cray.dot || die "$links has no cables of a Cray XC"
	routings cray cray.dot stencil:12x16x18 $cray_bytes
	statement 17 "AMG on a real Cray XC: adaptive and non-minimal routing have the lower latency and time" "6.1" lower \
		"latency $(shown cray latency), time $(shown cray time) µs" \
		"$(judge 'la < lm && lv < lm && ta < tm && tv < tm' "lm=$cray_latency_min" "la=$cray_latency_ugal" "lv=$cray_latency_valiant" "tm=$cray_time_min" "ta=$cray_time_ugal" "tv=$cray_time_valiant")" \
		"Theta, 3,456 nodes, several cables between groups: minimal routes have no single channel to congest, and 2-D groups make random detours long"
else
	statement 17 "AMG on a real Cray XC: adaptive and non-minimal routing have the lower latency and time" "6.1" lower "" open "CRAY_LINKS names no list of cables"
fi

# ---- Figures 13, 15 and 16: tori of 3 to 9 dimensions, 20 GB/s for all channels of a node

# Sets NAME_hops_DIMENSIONS and so on.
tori() { # NAME PATTERN BYTES DIMENSIONS:WIDTHS...
	name=$1 program=$2 size_of=$3
	shift 3
	for torus in "$@"; do
		dimensions=${torus%%:*}
		application "torus:${torus#*:},hosts=direct" "$program" "$size_of" dor:bubble --lanes 1 --buffer 8192 --capacity "$(compute %.6g "160e9 / (2 * $dimensions)")"
		for quantity in hops latency time seconds megabytes; do
			eval "${name}_${quantity}_$dimensions=\$$quantity"
		done
	done
}
shown_tori() { # NAME QUANTITY
	eval "printf '%s, %s, %s, %s' \"\$$1_$2_3\" \"\$$1_$2_5\" \"\$$1_$2_7\" \"\$$1_$2_9\""
}
judge_tori() { # NAME QUANTITY CONDITION
	eval "judge '$3' \"three=\$$1_$2_3\" \"five=\$$1_$2_5\" \"seven=\$$1_$2_7\" \"nine=\$$1_$2_9\""
}
best5='five < three && five < seven && five < nine'
best3='three < five && three < seven && three < nine'
best7='seven < three && seven < five && seven < nine'

tori crystal crystal_router 16384 3:16x8x8 5:4x4x4x4x4 7:4x4x4x2x2x2x2 9:4x2x2x2x2x2x2x2x2
tori amg stencil:12x12x12 16384 3:12x12x12 5:6x6x4x4x3 7:4x4x3x3x3x2x2 9:3x3x3x2x2x2x2x2x2
tori multigrid multigrid:12x12x12 1024 3:18x12x8 5:6x6x4x4x3 7:4x4x3x3x3x2x2 9:3x3x3x2x2x2x2x2x2
how="3, 5, 7, 9 dimensions"
statement 18 "Crystal Router: the 5-D torus has the lowest packet latency" "6.2, Fig. 15" 5-D "$(shown_tori crystal latency) µs" "$(judge_tori crystal latency "$best5")" "$how, 1,024 ranks"
statement 19 "Crystal Router: 7-D and 9-D tori have fewer hops, but slower channels" "6.2, Fig. 16" fewer "hops $(shown_tori crystal hops)" \
	"$(judge_tori crystal hops 'seven < five && nine < five')" ""
statement 20 "Crystal Router: the 5-D torus has the lowest communication time" "6.2, Fig. 13" 5-D "$(shown_tori crystal time) µs" "$(judge_tori crystal time "$best5")" ""
statement 21 "AMG: the 3-D torus has the lowest packet latency and the fewest hops" "6.2, Figs. 15, 16" 3-D "$(shown_tori amg latency) µs, hops $(shown_tori amg hops)" \
	"$(judge_tori amg latency "$best3")" "1,728 ranks"
statement 22 "AMG: the 3-D torus has the lowest communication time" "6.2, Fig. 13" 3-D "$(shown_tori amg time) µs" "$(judge_tori amg time "$best3")" ""
application torus:18x12x8,hosts=direct stencil:12x12x12 16384 dor:bubble --lanes 1 --buffer 8192 --capacity 26.67e9
ratio=$(compute %.2f "$latency / $amg_latency_3")
statement 23 "AMG: a symmetric 3-D torus has a much better packet latency than one of other proportions" "6.2" "4.6 times" "$ratio times in latency, $(compute %.2f "$time / $amg_time_3") in time" \
	"$(judge 'r > 2' "r=$ratio")" "12x12x12 and 18x12x8; twice is taken for much better"
application torus:12x12x12,hosts=direct multigrid:12x12x12 1024 dor:bubble --lanes 1 --buffer 8192 --capacity 26.67e9
statement 24 "Multigrid: tori of more dimensions (7-D and 9-D) have the fewest hops" "6.2, Fig. 16" "7-D, 9-D" "hops $(shown_tori multigrid hops)" \
	"$(judge_tori multigrid hops 'seven < three && nine < three && seven < five && nine < five')" \
	"all have fewer than the 3-D torus, and the 7-D torus the fewest; the nine dimensions of so few ranks are short, and not those of the grid"
statement 25 "Multigrid: the 7-D torus has the lowest packet latency, and the 3-D torus is poor" "6.2, Fig. 15" 7-D "$(shown_tori multigrid latency) µs" \
	"$(judge_tori multigrid latency "$best7")" "on a 3-D torus of 18x12x8; the paper does not give the proportions"
statement 26 "Multigrid: 7-D and 5-D tori have a lower communication time than the others" "6.2, Fig. 13" "7-D, 5-D" "$(shown_tori multigrid time) µs" \
	"$(judge_tori multigrid time 'seven < three && seven < nine && five < three && five < nine')" "on 18x12x8"
statement 27 "Multigrid: the same with a 3-D torus of the proportions of the grid of the ranks" "6.2, Fig. 15" 7-D \
	"3-D $hops hops, $latency µs; 7-D $multigrid_hops_7 hops, $multigrid_latency_7 µs" "$(judge 'three > seven' "three=$latency" "seven=$multigrid_latency_7")" \
	"most messages are for neighbours, which are one hop apart on such a torus, whose channels are also 2.3 times as fast"

# ---- the numbers of ranks of the paper, and Figure 17

[ "$size" != small ] || { end_statements && exit; }
spent() { # NAME SUFFIX
	eval "printf '%s s, %s MB' \"\$$1_seconds_$2\" \"\$$1_megabytes_$2\""
}
tori large stencil:24x24x24 16384 3:24x24x24 5:8x8x6x6x6 7:6x4x4x4x4x3x3 9:4x4x4x3x3x3x2x2x2
statement 28 "AMG, 13,824 ranks: the 3-D torus has the lowest packet latency" "6.2, Fig. 15" 3-D "$(shown_tori large latency) µs" "$(judge_tori large latency "$best3")" ""
application torus:36x24x16,hosts=direct stencil:24x24x24 16384 dor:bubble --lanes 1 --buffer 8192 --capacity 26.67e9
ratio=$(compute %.2f "$latency / $large_latency_3")
statement 29 "AMG, 13,824 ranks: packet latency on 36x24x16 against 24x24x24" "6.2" "4.6 times" "$ratio times in latency, $(compute %.2f "$time / $large_time_3") in time" \
	"$(judge 'r > 3.7 && r < 5.5' "r=$ratio")" "within 20%; messages of 16 kB to each neighbour, the paper's trace has 129 kB on average"
tori router crystal_router 4096 3:25x20x20 5:10x10x5x5x4 7:5x5x5x5x4x2x2 9:4x4x3x3x3x3x2x2x2
statement 30 "Crystal Router, 10,000 ranks: the 5-D torus has the lowest packet latency" "6.2, Fig. 15" 5-D "$(shown_tori router latency) µs" "$(judge_tori router latency "$best5")" \
	"10,000 has no nine factors: the 9-D torus has 10,368 nodes"
"$bin/orcs-topology" --speed 45.1/45.1/40.4 --latency 10e-9/10e-9/100e-9 dragonfly:p=8,a=16,h=8 -o large || exit 1
routings full large stencil:24x24x24 16384 -s 13824 --buffer 8192/8192/16384
statement 31 "AMG, 13,824 ranks, dragonfly: adaptive and non-minimal routing have the lower latency" "6.1, Fig. 10" lower "$(shown full latency) µs" \
	"$(judge 'a < m && v < m' "m=$full_latency_min" "a=$full_latency_ugal" "v=$full_latency_valiant")" "16,512 hosts"
statement 32 "AMG, 13,824 ranks: half an hour on the torus and two hours on the dragonfly, on 8 cores" "7, Fig. 17" "30 and 120 min" \
	"$(spent large 3); $(spent full ugal), on one core" "$(judge 't < 1800 && d < 7200' "t=$large_seconds_3" "d=$full_seconds_ugal")" \
	"1.3 GB of messages here, 10 GiB in the paper: eight times that time is meant to be compared"
if [ "$size" = full ]; then
	tori huge multigrid:48x48x48 1024 3:48x48x48 5:12x12x12x8x8 7:8x6x6x6x4x4x4 9:4x4x4x4x4x4x3x3x3
	statement 33 "Multigrid, 110,592 ranks: the 7-D torus has the lowest packet latency" "6.2, Fig. 15" 7-D "$(shown_tori huge latency) µs" "$(judge_tori huge latency "$best7")" "the 3-D torus has the proportions of the grid: as statement 27"
	statement 34 "Multigrid, 110,592 ranks: 80 minutes on 64 cores" "7, Fig. 17" "80 min" "$(spent huge 3); $(spent huge 9), on one core" \
		"$(judge 't < 4800 * 64' "t=$huge_seconds_9")" "messages of 1 kB; the paper's trace has 326 GiB"
fi
end_statements
