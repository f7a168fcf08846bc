#!/bin/sh
# orcs_paper.sh - runs the examples and experiments of the ORCS paper and judges its statements.
#
# Schneider, Hoefler, Lumsdaine: ORCS: An Oblivious Routing Congestion Simulator, Indiana University, 2009.
set -u
me=orcs_paper.sh
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
# shellcheck source=scripts/statements.sh
. "$here/statements.sh"
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

usage() {
	cat <<'EOF'
Usage: orcs_paper.sh [--small] [OUTDIR]

Runs the listings, the commands of section 3 and the figures of the ORCS paper,
and writes a table of its statements with figures and verdicts to
OUTDIR/statements.md (by default build/papers/orcs) and standard output.

--small leaves out what takes more than a few seconds: Figure 4 and the machines
of 3,456 hosts.

The commands of section 3 need the Debian packages opensm, ibsim-utils,
infiniband-diags and ibutils; without them their statements are open.
ORCS_BIN=DIR is the folder of the programs (by default build).
EOF
}

begin_paper orcs small "$@"
small=
[ "$size" != small ] || small=yes
export ORCS_BIN="$bin" PATH="$bin:$PATH"
simulator=
clean_up() {
	[ -z "$simulator" ] || kill "$simulator" 2>/dev/null
	wait
	rm -rf "$work"
}
trap clean_up EXIT
cd "$work" || exit 1
begin_statements 'The ORCS paper'

# A number of a result, by the key of its JSON or CSV.
value() { # METRIC KEY OPTIONS...
	metric=$1
	key=$2
	shift 2
	orcs --quiet --metric "$metric" --format csv "$@" | awk -F , -v key="$key" '$2 == key { printf "%.4g\n", $4; exit }'
}

# ---- listings

cat >listing1.dot <<'EOF'
digraph network {
    "S1" -> "H1" [ comment = "H1" ];
    "S1" -> "H2" [ comment = "H2" ];
    "S1" -> "H3" [ comment = "H3" ];
    "S1" -> "H4" [ comment = "H4" ];

    "H1" -> "S1" [ comment = "*" ];
    "H2" -> "S1" [ comment = "*" ];
    "H3" -> "S1" [ comment = "*" ];
    "H4" -> "S1" [ comment = "*" ];

    "S1" -> "S11" [ comment = "H5" ];
    "S1" -> "S11" [ comment = "H6" ];
    "S1" -> "S12" [ comment = "H7" ];
    "S1" -> "S12" [ comment = "H8" ];

    "S11" -> "S1" [ comment = "H1,H2" ];
    "S11" -> "S1" [ comment = "H3,H4" ];
    "S12" -> "S1" [ comment = "H1,H2" ];
    "S12" -> "S1" [ comment = "H3,H4" ];
}
EOF
routed=$(orcs --quiet -p alltoall_flood --metric hist_max_cong listing1.dot | sed -n 's/^weight .* of the \([0-9]*\) connections/\1/p')
statement 1 "Listing 1 is a network with its routes" 2.1 "hosts H1 to H4" "$routed pairs routed" "$(judge 'pairs == 12' "pairs=$routed")" \
	"H5 to H8 are named in the listing but not connected: a warning"

orcs-topology --tables xgft:4:1/4:2 -o t.dot
cat >listing3 <<'EOF'
weight 1: 14 of the 64 connections
weight 2: 44 of the 64 connections
weight 3: 6 of the 64 connections
BW: 0.593750
EOF
orcs -p bruck --metric hist_max_cong --quiet --seed 46 t.dot >ours3
statement 2 "Listing 3: output of hist_max_cong, bruck on 16 nodes" 2.4 "BW: 0.593750" "$(tail -n 1 ours3)" "$(succeeds cmp listing3 ours3)" \
	"the network is not given: chosen, with a seed that gives these counts"

# ---- section 3 and Listing 2

case $here in /*) ;; *) here=$root/scripts ;; esac
need=
for tool in opensm ibsim ibnetdiscover ibdiagnet; do
	command -v $tool >/dev/null 2>&1 || need=yes
done
chain=open
listing2=open
fallback=open
reason="OpenSM, ibsim and ibutils are needed"
if [ -z "$need" ]; then
	export ORCS_RUN="$work/run"
	# waits until start_ibsim.sh prints a line, or gives up
	ready() {
		tries=0
		until grep -q 'Network simulator ready' ready; do
			[ $((tries += 1)) -lt 600 ] && kill -0 "$simulator" 2>/dev/null || return 1
			sleep 0.1
		done
	}
	section3() {
		orcs-topology fattree:4,2 -o input.dot && dot2osm input.dot output.osm || return 1
		"$here/start_ibsim.sh" output.osm >ready &
		simulator=$!
		ready && "$here/start_osm.sh" minhop && "$here/dump_routes.sh" >routing.lft && lftsdump2dot output.osm routing.lft >graph.dot &&
			orcs -n 10 graph.dot
	}
	two() {
		"$here/under_ibsim.sh" ibdiagnet -v -o . && "$here/under_ibsim.sh" ibnetdiscover -s >ibndisc.out &&
			get_network_graph ibdiagnet.fdbs ibndisc.out >topo.dot &&
			[ "$(orcs --quiet -d -p alltoall_flood --metric hist_max_cong topo.dot)" = "$(orcs --quiet -d -p alltoall_flood --metric hist_max_cong graph.dot)" ]
	}
	chain=$(succeeds section3)
	listing2=$(succeeds two)
	reason=
	orcs-topology star:4 -o star.dot
	"$here/route_with_opensm.sh" -e ftree -o fallen.dot star.dot 2>fallen
	fallback=$(judge 'status == 3' "status=$?")
	[ -z "$simulator" ] || kill "$simulator" 2>/dev/null
	wait "$simulator" 2>/dev/null
	simulator=
fi
statement 3 "Listing 2: ibdiagnet -v -o ., ibnetdiscover -s, get_network_graph give a routed graph" 2.2 "a dot graph" "the graph of statement 4" "$listing2" \
	"${reason:-the file is ibdiagnet.fdbs, printed as fdfs}"
statement 4 "dot2osm, start_ibsim.sh, start_osm.sh minhop, dump_routes.sh, lftsdump2dot give a graph that the simulator takes" 3 "graph.dot" \
	"the five commands as printed, orcs -n 10" "$chain" "$reason"
statement 5 "if an engine does not work OpenSM falls back to minhop with a warning" 3 "warning" "refused, status 3" \
	"$([ "$fallback" = confirmed ] && echo 'not confirmed' || echo "$fallback")" "${reason:-a choice: other routes than those asked for are an error; --allow-fallback takes them}"

# ---- patterns: the pairs of section 2.4, written anew in awk

formulas() { # PATTERN RANKS
	awk -v pattern="$1" -v n="$2" '
	function pair(i, j) { if (i != j) print "# " i " -> " j }
	BEGIN {
		for (levels = 0; 2 ^ levels < n; levels++);
		if (pattern == "bisect" || pattern == "bisect_fb_sym")
			for (k = 0; k < int(n / 2); k++) { pair(2 * k + 1, 2 * k); if (pattern != "bisect") pair(2 * k, 2 * k + 1) }
		if (pattern == "gather") for (i = 1; i < n; i++) pair(i, 0)
		if (pattern == "scatter") for (i = 1; i < n; i++) pair(0, i)
		if (pattern == "ring") for (i = 0; i < n; i++) pair(i, (i + 1) % n)
		if (pattern == "bruck") for (l = 0; l < levels; l++) for (i = 0; i < n; i++) pair(i, (i + 2 ^ l) % n)
		if (pattern == "tree") for (l = 0; l < levels; l++) for (i = 0; i < 2 ^ l; i++) if (i + 2 ^ l < n) pair(i, i + 2 ^ l)
		if (pattern == "recdbl") for (l = 0; l < levels; l++) for (k = 0; k + 2 ^ l < n; k++)
			if (int(k / 2 ^ l) % 2 == 0) { pair(k, k + 2 ^ l); pair(k + 2 ^ l, k) }
		if (pattern ~ /neighbor/) {
			x = substr(pattern, 1, 1) + 0
			for (i = 0; i < n; i++) for (j = i + 1; j < n; j++) if (degree[i] < x && degree[j] < x) {
				degree[i]++; degree[j]++; pair(i, j); pair(j, i) }
		}
	}' | sort
}
differ=
count=0
for pattern in bisect bisect_fb_sym tree bruck gather scatter ring recdbl 2neighbor 4neighbor 6neighbor; do
	for ranks in 2 3 5 8 13 16; do
		orcs --quiet -p $pattern -s $ranks --printptrn -o printed t.dot
		sort printed | grep '^# [0-9]* -> ' >pairs
		formulas $pattern $ranks | cmp -s - pairs || differ="$differ $pattern:$ranks"
		count=$((count + 1))
	done
done
statement 6 "the pairs of the patterns are those of their formulas" 2.4 formulas "$count combinations, different:${differ:- none}" \
	"$(judge 'bad == 0' "bad=$(echo "$differ" | wc -w)")" "tree sends as in Figure 6, recdbl as in Figure 2, not as their formulas, which contradict the figures"
cliques=$(orcs --quiet -p 2neighbor -s 9 --printptrn t.dot | grep -c '^# 2 -> 3$')
statement 7 "neighbor is a nearest-neighbour scheme of one-, two- and three-dimensional arrays" 2.4 "2 and 3 are neighbours in a row" \
	"$cliques links of 2 and 3 of 9 ranks" "$(judge 'links > 0' "links=$cliques")" \
	"the construction given there makes cliques of X+1 ranks; stencil has the arrays"
orcs --quiet -p bisect -s 7 --printptrn -o printed t.dot
statement 8 "an odd number of hosts: bisect ignores one" 2.4 "3 pairs of 7" "$(grep -c '^# [0-9]* -> ' printed) pairs of 7" \
	"$(judge 'pairs == 3' "pairs=$(grep -c '^# [0-9]* -> ' printed)")"
ring=$(value hist_max_cong bandwidth -p ring t.dot)
statement 9 "ring never has congestion by itself" 2.4 "1" "$ring" "$(judge 'bw == 1' "bw=$ring")"
first=$(value dep_max_delay mean -p ptrnvsptrn --ptrnfst tree -c null -z 8 t.dot)
statement 10 "--ptrnfst selects the pattern that dep_max_delay examines" 2.5 "delay of tree on 8" "$first" "$(judge 'delay >= 3' "delay=$first")" \
	"its longest chain has three messages, one of each level; null alone would have none"

# ---- Figure 3

orcs --quiet -p bisect_fb_sym -n 10000 --raw --metric hist_acc_band --format csv -o figure3 "$root/examples/fattree16.dot"
mean=$(awk -F , '$2 == "mean" { print $4 }' figure3)
least=$(awk -F , '$2 == "min" { print $4 }' figure3)
most=$(awk -F , '$2 == "max" { print $4 }' figure3)
full=$(awk -F , '$2 == "raw" && $4 == 1' figure3 | wc -l)
statement 11 "Figure 3: the mapping has a large impact on the bandwidth" 2.5 "a wide distribution" "$(printf '%.3g to %.3g of the peak, mean %.4g' "$least" "$most" "$mean")" \
	"$(judge 'most >= 1.5 * least' "most=$most" "least=$least")"
statement 12 "Figure 3: full bandwidth is reached, but only by a very small number of mappings" 2.5 "a very small number" "$full of 10000 runs" \
	"$(judge 'full > 0 && full < 1000' "full=$full")" "the figure itself has no numbers; below a tenth is taken for very small"

# ---- machines of 2008

# The effective bisection bandwidth under minhop: cables plugged in order, and in any order.
machine() { # SPECIFICATION RUNS
	sh "$root/scripts/fattree_topology.sh" "$1" >net
	awk -v seed=1 -f "$root/scripts/shuffled_ports.awk" net >shuffled
	ordered=$(value hist_acc_band mean -n "$2" -R minhop net)
	any=$(value hist_acc_band mean -n "$2" -R minhop shuffled)
}
machine 2:12:128 50
statement 13 "no InfiniBand network delivers more than 61% of its bisection bandwidth: 128 hosts, two levels" 1 "at most 0.61" "$any" \
	"$(judge 'any <= 0.61' "any=$any")" "$ordered with the cables in the order of the leaves. So few hosts meet less congestion; the paper's machines are larger"
machine 3:12:550 50
statement 14 "the same: 550 hosts, three levels of 24-port switches" 1 "0.55 to 0.61" "$any" "$(judge 'any >= 0.55 && any <= 0.615' "any=$any")" "$ordered with the cables in order"
machine 3:12:1142 30
statement 15 "the same: 1,142 hosts, three levels of 24-port switches" 1 "0.55 to 0.61" "$any" "$(judge 'any >= 0.55 && any <= 0.615' "any=$any")" \
	"ports in random order, as people plug them. In the order of the leaves minhop gives $ordered, and any rule for trees more than 0.7"
if [ -z "$small" ]; then
	machine 3:12:3456 30
	statement 16 "the same: 3,456 hosts, three levels of 24-port switches" 1 "0.55 to 0.61" "$any" "$(judge 'any >= 0.55 && any <= 0.615' "any=$any")" \
		"somewhat lower, and $ordered with the cables in order: the larger the tree, the more destinations share a spine"
fi

# ---- Figure 4

if [ -z "$small" ]; then
	sh "$root/scripts/fattree_topology.sh" 3:12:1142 >net
	awk -v seed=1 -f "$root/scripts/shuffled_ports.awk" net >shuffled
	for cabling in net shuffled; do
		orcs-route --quiet minhop $cabling -o routed.dot
		for second in null bisect; do
			orcs --quiet -p ptrnvsptrn -f tree -c $second -z 800 -n 100 --metric dep_max_delay --raw --format csv routed.dot |
				awk -F , '$2 == "raw" { print $4 }' >$second.raw
		done
		paste null.raw bisect.raw | awk '{ a += $1; b += $2; r = $2 / $1; d += r >= 2; if (r > m) m = r } END { printf "%.2f %.2f %d\n", b / a, m, d }' >$cabling.noise
	done
	read -r mean most doubled <net.noise
	statement 17 "Figure 4: noise can double the execution time of tree on 800 of 1,142 hosts" 2.5 "2 times" "$most times at most, $mean on average" \
		"$(judge 'most >= 2' "most=$most")" "cables in order, minhop; doubled in $doubled of 100 runs"
	read -r mean most doubled <shuffled.noise
	statement 18 "the same with ports in random order" 2.5 "2 times" "$most times at most, $mean on average" "$(judge 'most >= 2' "most=$most")" "doubled in $doubled of 100 runs"
fi
end_statements
