#!/bin/sh
# orcs-export and the commands of the ORCS paper, alone and with the real tools: export.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
data=${ORCS_TEST_DATA:-../shared/data}/ib

export_to() { # FORM FILE...
	form=$1
	shift
	"$bin/orcs-export" --quiet --to "$form" "$@"
}

# Dumps -> a graph without comments.
import() { # TOPOLOGY TABLES OUT
	"$bin/orcs-import" --quiet --topology "$1" --lft "$2" -o "$3"
}

# The exit status of a command must be this, and its one line on standard error must have the words.
refused() { # STATUS WORDS COMMAND...
	wanted=$1
	words=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err"
	[ $? -eq "$wanted" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] && grep -F -e "$words" "$work/err"
}

same_as() { # FILE: standard input
	cmp - "$1"
}

# A graph -> what ibnetdiscover and OpenSM would print -> the same graph.
comes_back() { # GRAPH
	export_to ibnetdiscover -o "$work/topology" "$1" && export_to lfts -o "$work/tables" "$1" &&
		import "$work/topology" "$work/tables" "$work/again.dot" && grep -v '^//' "$1" | same_as "$work/again.dot"
}

# A graph -> what ibsim reads, here read by orcs-import -> the same graph, where the simulator can have such a fabric.
comes_back_by_net() { # GRAPH
	export_to ibsim -o "$work/net" "$1" && export_to lfts -o "$work/tables" "$1" &&
		"$bin/lftsdump2dot" "$work/net" "$work/tables" 2>/dev/null >"$work/again.dot" && grep -v '^//' "$1" | same_as "$work/again.dot"
}

reads_pipes() {
	export_to ibsim examples/fattree16.dot >"$work/plain" &&
		export_to ibsim - <examples/fattree16.dot | same_as "$work/plain" &&
		gzip -c examples/fattree16.dot | export_to ibsim - | same_as "$work/plain"
}

dot2osm_is_export() {
	"$bin/dot2osm" examples/fattree16.dot "$work/osm" && export_to ibsim examples/fattree16.dot | same_as "$work/osm" &&
		"$bin/dot2osm" examples/fattree16.dot 2>/dev/null | same_as "$work/osm" &&
		"$bin/dot2osm" <examples/fattree16.dot 2>/dev/null | same_as "$work/osm"
}

# A filter at the end of a pipe: a net with all hosts and switches.
pipes_a_torus() {
	"$bin/orcs-topology" torus:4x4x2,hosts=2 | "$bin/orcs-route" dor | "$bin/dot2osm" >"$work/osm" 2>/dev/null &&
		[ "$(grep -c '^Switch' "$work/osm")" -eq 32 ] && [ "$(grep -c '^Ca' "$work/osm")" -eq 64 ]
}

warns_of_hosts() { # FABRIC
	"$bin/orcs-export" --to ibsim "$1" >"$work/out" 2>"$work/err" && [ -s "$work/out" ] &&
		grep -q 'warning: hosts must forward packets for others' "$work/err"
}

echo 'digraph { node [type=host]; H1 -> H2; H2 -> H1 }' >"$work/pair.dot"
says_nothing_of_hosts() { # FABRIC
	"$bin/orcs-export" --to ibsim "$1" >"$work/out" 2>"$work/err" && ! grep 'pass on' "$work/err"
}

# The paper's listing has neither GUIDs nor LIDs, and names hosts that it does not have: the routes of the others stay.
listing_keeps_its_routes() {
	export_to ibsim -o "$work/net" tests/data/listing1.dot && export_to lfts -o "$work/tables" tests/data/listing1.dot &&
		"$bin/lftsdump2dot" "$work/net" "$work/tables" >"$work/listing.dot" 2>"$work/said.import" &&
		grep '"S1" -> "H3"' "$work/listing.dot" | grep 'comment="H3"' &&
		grep '"S12" -> "S1"' "$work/listing.dot" | grep 'comment="H3,H4"'
}

fdbs_of_tables() { # turns opensm-lfts.dump into opensm.fdbs
	awk '
	/^Unicast/ {
		match($0, /guid 0x[0-9a-f]*/)
		print "dump_ucast_routes: Switch " substr($0, RSTART + 5, RLENGTH - 5) "\nLID    : Port : Hops : Optimal"
	}
	/^0x/ { print $1 " : " $2 "  : 00   : yes" }'
}

paper_names_agree() {
	comes_back examples/fattree36_dor.dot && fdbs_of_tables <"$work/tables" >"$work/fdbs" &&
		"$bin/get_network_graph" "$work/fdbs" "$work/topology" 2>/dev/null | same_as "$work/again.dot"
}

roots_are() { # GRAPH COUNT LINE
	export_to root-guids "$1" >"$work/roots"
	[ "$(wc -l <"$work/roots")" -eq "$2" ] && grep -qx "$3" "$work/roots"
}

no_roots() {
	echo 'digraph { H1 -> S1 -> S2 -> H2 -> S2 -> S1 -> H1 }' >"$work/two.dot" && export_to root-guids -o "$work/roots" "$work/two.dot" &&
		[ ! -s "$work/roots" ]
}

# The GUIDs of the hosts as the graph has them.
hosts_are() { # GRAPH
	sed -n 's/.*type="host", guid="\([^"]*\)".*/\1/p' "$1" | sort >"$work/hosts"
	[ -s "$work/hosts" ] && export_to cn-guids "$1" | sort | same_as "$work/hosts"
}

# What a simulator cannot have is mended, and told in a line each.
told() { # WORDS
	"$bin/orcs-export" --to ibsim -o "$work/net" tests/data/unfit.ibnetdiscover 2>"$work/err" && grep -F -e "$1" "$work/err"
}

net_has() { # WORDS
	grep -q -F -e "$1" "$work/net"
}

# All lines of the net are such that ibsim takes them: short, every cable from both ends.
net_is_sound() {
	awk '
	length > 254 { print "too long: " $0; bad = 1 }
	/^(Switch|Ca|Rt)\t/ { split($0, part, "\""); here = part[2]; if (seen[here]++) { print "twice: " here; bad = 1 } }
	/^\[/ {
		split($0, part, "\"")
		match($1, /[0-9]+/); from = here ":" substr($1, RSTART, RLENGTH)
		match(part[3], /[0-9]+/); to = part[2] ":" substr(part[3], RSTART, RLENGTH)
		peer[from] = to
		split(part[3], option, "]"); sub(/ #.*/, "", option[2]); link[from] = option[2]
	}
	END {
		for (port in peer)
			if (peer[peer[port]] != port || link[peer[port]] != link[port]) { print "one end only: " port; bad = 1 }
		exit bad
	}' "$work/net"
}

# Graph -> topology and tables -> OpenSM with -R file -> its dump: the same tables, and the same graph.
opensm_keeps() { # GRAPH
	export_to lfts -o "$work/tables" "$1" && export_to ibnetdiscover -o "$work/topology" "$1" &&
		scripts/route_with_opensm.sh -e file --keep-dumps "$work/kept" -o "$work/again.dot" "$work/topology" -U "$work/tables" &&
		cmp "$work/tables" "$work/kept/lfts" && grep -v '^//' "$work/again.dot" >"$work/again" && grep -v '^//' "$1" | same_as "$work/again"
}

# The same of dumps with options: OPTION... of orcs-import, and of OpenSM after a --.
opensm_keeps_entries() { # TOPOLOGY TABLES OPTION... [-- OPTION...]
	topology=$data/$1
	tables=$data/$2
	shift 2
	options=
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	[ $# -eq 0 ] || shift
	# shellcheck disable=SC2086 # no options, or several
	"$bin/orcs-import" --quiet $options "$topology" "$tables" -o "$work/options.dot" && export_to lfts -o "$work/tables" "$work/options.dot" &&
		export_to lfts "$topology" "$tables" | cmp - "$work/tables" && export_to ibnetdiscover -o "$work/topology" "$work/options.dot" &&
		scripts/route_with_opensm.sh -e file $options --keep-dumps "$work/kept" -o "$work/again.dot" "$work/topology" -U "$work/tables" "$@" &&
		cmp "$work/tables" "$work/kept/lfts" && grep -v '^//' "$work/again.dot" | same_as "$work/options.dot"
}

# The same where all nodes have other LIDs: OpenSM finds the hosts by their GUIDs.
opensm_finds() { # GRAPH
	export_to lfts -o "$work/tables" "$1" && export_to ibsim "$1" | awk '
		match($0, /lid [0-9]+ lmc/) {
			lid = substr($0, RSTART + 4, RLENGTH - 8)
			$0 = substr($0, 1, RSTART + 3) 300 - lid substr($0, RSTART + RLENGTH - 4)
		}
		{ print }' >"$work/net" &&
		scripts/route_with_opensm.sh -e file -o "$work/again.dot" "$work/net" -U "$work/tables" &&
		grep -q 'lid="299"' "$work/again.dot" && without_lids "$work/again.dot" >"$work/again" && without_lids "$1" | same_as "$work/again"
}

# Adapters whose ports have the GUIDs of their nodes; in ibsim the first one's port has the GUID of the second.
opensm_keeps_lids() {
	cat >"$work/guids.dot" <<-'END'
	digraph g {
	H1 [type="host", guid="0x10", node_guid="0x10", lid="1"]; H2 [type="host", guid="0x11", node_guid="0x11", lid="2"];
	S1 [guid="0x100", lid="3"]; S2 [guid="0x200", lid="4"];
	H1->S1; S1->H1; H2->S2; S2->H2; S1->S2; S2->S1;
	}
	END
	"$bin/orcs-route" --quiet minhop "$work/guids.dot" -o "$work/routed.dot" && export_to lfts -o "$work/tables" "$work/routed.dot" &&
		scripts/route_with_opensm.sh -e file --keep-dumps "$work/lids" -o "$work/again.dot" "$work/routed.dot" -U "$work/tables" &&
		python3 tests/route/equal_tables.py "$work/tables" "$work/lids/lfts" top | tee "$work/equal" && grep -q '^8 of 8' "$work/equal"
}

without_lids() { # GRAPH
	sed '/^\/\//d; s/ lid="[0-9]*",//; s/, lids="[0-9,-]*"//' "$1"
}

# Nodes that are no hosts change no result, and every program that writes a graph keeps them.
others_change_nothing() { # NAME
	grep -q '"[ARP][0-9a-f]\{16\}"' "$work/$1.dot" && sed '/"[ARP][0-9a-f]\{16\}"/d; s/, lids="[0-9,-]*"//' "$work/$1.dot" >"$work/less.dot" &&
		for graph in "$1" less; do
			{
				"$bin/orcs" --quiet -n 3 --format json --metric hist_max_cong --metric get_cable_cong -o "$work/heat.$graph" "$work/$graph.dot"
				"$bin/orcs-check" --quiet --format json "$work/$graph.dot"
				"$bin/orcs-bound" --quiet --format json "$work/$graph.dot"
			} | sed "s#$work/$graph.dot##g" >"$work/$graph.results" || return 1
		done && [ -s "$work/less.results" ] && cmp "$work/$1.results" "$work/less.results"
}

# A map of names gives descriptions to a graph that has none.
names_spare_others() {
	printf 'digraph { H1 [guid=11]; H1 -> S [comment="*"]; S -> H1 [comment=H1]; A [type=aggregation]; A -> S; S -> A }' >"$work/bare.dot" &&
		echo '0x11 "a host"' >"$work/map" &&
		"$bin/orcs" --quiet -n 1 --node-name-map "$work/map" --metric get_cable_cong "$work/bare.dot" >"$work/named.dot" &&
		grep -x '	"H1" \[guid="11", desc="a host"\];' "$work/named.dot" && grep -x '	"A" \[type="aggregation"\];' "$work/named.dot"
}

graphs_keep_others() { # NAME
	export_to lfts -o "$work/tables" "$work/$1.dot" && "$bin/orcs" --quiet -n 1 --metric get_cable_cong "$work/$1.dot" >"$work/heat.dot" &&
		export_to lfts "$work/heat.dot" | same_as "$work/tables" &&
		"$bin/orcs" --quiet -n 1 --save-fabric "$work/cache" "$work/$1.dot" >/dev/null && export_to lfts "$work/cache" | same_as "$work/tables"
}

# Routed anew, all LIDs have entries again in all tables: the graph's old ones are gone.
routes_lead_to_others() { # NAME
	export_to lfts -o "$work/tables" "$work/$1.dot" && "$bin/orcs-route" --quiet minhop-orcs "$work/$1.dot" -o "$work/routed.dot" &&
		grep -q '"[ARP][0-9a-f]\{16\}"' "$work/routed.dot" && ! grep -q 'lids=' "$work/routed.dot" &&
		export_to lfts "$work/routed.dot" | grep -c '^0x' >"$work/count" && grep -c '^0x' "$work/tables" | same_as "$work/count"
}

# Every port, its cable, width and rate as in the dump, through a graph that is routed.
same_ports() { # TOPOLOGY
	"$bin/orcs-import" --quiet "$data/$1" | "$bin/orcs-route" --quiet minhop - | export_to ibnetdiscover - >"$work/ports" || return 1
	dump_lines=$work/ports.here
	for dump in "$data/$1" "$work/ports"; do
		xz -dcf <"$dump" | sed -n 's/^\[\([0-9]*\)\].*"\([SHR]-[0-9a-f]*\)"\[\([0-9]*\)\].* \([0-9]*x[A-Z0-9]*\)$/\1 \2 \3 \4/p' | sort >"$dump_lines"
		dump_lines=$work/ports.there
	done
	[ -s "$work/ports.here" ] && diff "$work/ports.here" "$work/ports.there"
}

# The tables of the dumps themselves, and of their graph with the options.
same_entries() { # TOPOLOGY TABLES OPTION...
	topology=$data/$1
	tables=$data/$2
	shift 2
	export_to lfts "$topology" "$tables" | sort >"$work/wanted" && "$bin/orcs-import" --quiet "$@" "$topology" "$tables" -o "$work/options.dot" &&
		export_to lfts "$work/options.dot" | sort | same_as "$work/wanted" &&
		export_to ibnetdiscover -o "$work/topology" "$work/options.dot" && export_to lfts -o "$work/tables" "$work/options.dot" &&
		"$bin/orcs-import" --quiet "$@" "$work/topology" "$work/tables" | same_as "$work/options.dot"
}

dump_comes_back() { # NAME TOPOLOGY TABLES
	import "$data/$2" "$data/$3" "$work/$1.dot" && comes_back "$work/$1.dot"
}

opensm_keeps_dump() { # NAME
	opensm_keeps "$work/$1.dot"
}

check "no form is wrong use" refused 2 "name one with --to" "$bin/orcs-export" examples/fattree16.dot
check "an unknown form is wrong use, with advice" refused 2 "did you mean 'lfts'" "$bin/orcs-export" --to lft examples/fattree16.dot
check "a graph stands alone" refused 2 "is a fabric by itself" "$bin/orcs-export" --to ibsim examples/fattree16.dot examples/fattree16.dot
check "a file that is not there" refused 1 "nowhere" "$bin/orcs-export" --to ibsim "$work/nowhere"
check "tables of a graph that is not routed" refused 3 "no switch has a forwarding table" "$bin/orcs-export" --to lfts --quiet tests/data/unfit.ibnetdiscover
check "dot2osm takes two files at most" refused 2 "too many files; expected at most two: [INPUT.dot [OUTPUT.osm]]" "$bin/dot2osm" a b c
check "lftsdump2dot wants two files" refused 2 "expected two files: OSM LFT" "$bin/lftsdump2dot" a
check "a pipe from orcs-topology to dot2osm" pipes_a_torus
check "tables through hosts" refused 3 "hosts must forward packets for others, which InfiniBand hosts do not: 9 (the first: 'H" \
	"$bin/orcs-export" --to lfts bcube:n=3,k=2
printf 'digraph { H1 -> S [comment="*"]; S -> H1 [comment=H1]; H2 -> S [comment="*"]; S -> H2 [comment=H2]; H1 [sl="1:H2"] }' >"$work/levels.dot"
check "tables of service levels" refused 3 "the fabric has service levels, which the tables of opensm -R file cannot carry" \
	"$bin/orcs-export" --quiet --to lfts "$work/levels.dot"
check "tables without their service levels" "$bin/orcs-export" --quiet --to lfts --drop-service-levels "$work/levels.dot"
check "cabling of hosts that forward" warns_of_hosts dcell:n=3,k=1
check "cabling of hosts joined to hosts" warns_of_hosts torus:4x4,hosts=direct
check "hosts of several cables that forward nothing" says_nothing_of_hosts leafspine:leaves=4,spines=2,hosts=4,rails=2
check "two hosts and a cable" says_nothing_of_hosts "$work/pair.dot"
check "lftsdump2dot wants two files" refused 2 "OSM LFT" "$bin/lftsdump2dot" a b c
check "get_network_graph wants two files" refused 2 "FDBS IBNETDISCOVER" "$bin/get_network_graph"
for graph in examples/*.dot; do
	check "$graph comes back" comes_back "$graph"
	check "$graph comes back by a net" comes_back_by_net "$graph"
done
check "names of nodes spare those that are no hosts" names_spare_others
check "pipes and compressed files" reads_pipes
check "dot2osm is orcs-export --to ibsim" dot2osm_is_export
check "the paper's listing keeps its routes" listing_keeps_its_routes
check "get_network_graph reads .fdbs" paper_names_agree
check "the roots of a tree are its spines" roots_are examples/fattree36_dor.dot 6 0x0000000000200006
check "no roots where all switches have hosts" no_roots
check "compute nodes are ports of hosts" hosts_are examples/fattree36_dor.dot
check "speeds that ibsim does not know are told" told "5 cables with a speed that ibsim does not know"
check "long names are told" told "1 node descriptions changed"
check "LIDs of two ports are told" told "LIDs of two ports"
check "the net is sound" net_is_sound
check "XDR becomes HDR" net_has '"S-0000000000000020"[5] w=2 s=7 e=4'
check "FDR10 becomes QDR" net_has '"H-00000000000000d0"[1] w=2 s=4'
check "two lanes" net_has '"H-00000000000000c0"[1] w=16 s=7 e=4'

if [ -d "$data" ]; then
	check "tree2_324 comes back" dump_comes_back tree generated/tree2_324/ibnetdiscover.txt.xz generated/tree2_324/dump_fts.ftree.xz
	check "torus444_4 comes back" dump_comes_back torus generated/torus444_4/ibnetdiscover.txt.xz generated/torus444_4/opensm-lfts.dump.nue.xz
	check "irreg comes back" dump_comes_back irreg generated/irreg/ibnetdiscover.txt.xz generated/irreg/dump_fts.dfsssp.xz
	check "traps come back" dump_comes_back traps generated/traps/ibnetdiscover.txt generated/traps/dump_fts.minhop
	check "traps with one rail keep all entries" same_entries generated/traps/ibnetdiscover.txt generated/traps/dump_fts.minhop --rails 1
	check "traps with merged rails keep all entries" same_entries generated/traps/ibnetdiscover.txt generated/traps/dump_fts.minhop --rails merge
	check "traps with aggregation nodes as hosts keep all entries" same_entries generated/traps/ibnetdiscover.txt generated/traps/dump_fts.minhop \
		--keep-aggregation --names guid
	for lmc in base all; do
		check "traps with --lmc $lmc keep all entries" same_entries generated/traps/ibnetdiscover_lmc1.txt generated/traps/opensm-lfts.dump_lmc1 \
			--lmc $lmc
	done
	check "all ports of loginoff (FDR10)" same_ports real/loginoff/topo.xz
	check "all ports of a small fabric, cables of a switch to itself" same_ports real/ufm_sdk/small_topo_file
	check "CS7500 with one rail keeps all entries" same_entries real-routed/hk_Topo6_CS7500.minhop/ibnetdiscover.txt.xz \
		real-routed/hk_Topo6_CS7500.minhop/dump_fts.txt.xz --rails 1
	check "nodes that are no hosts change no result" others_change_nothing traps
	check "graphs and caches keep nodes that are no hosts" graphs_keep_others traps
	check "routes lead to nodes that are no hosts" routes_lead_to_others traps
	check "loginoff comes back" dump_comes_back loginoff real-routed/loginoff.minhop/ibnetdiscover.txt.xz real-routed/loginoff.minhop/dump_fts.txt.xz
else
	echo "SKIPPED: no real dumps in $data (ORCS_TEST_DATA)"
	skipped=$((skipped + 16))
fi
if PATH=$PATH:/usr/sbin:/sbin command -v opensm >/dev/null 2>&1 && command -v ibsim >/dev/null 2>&1; then
	for graph in examples/fattree16.dot examples/fattree36_dor.dot; do
		check "OpenSM keeps the tables of $graph" opensm_keeps "$graph"
	done
	[ ! -d "$data" ] || for name in torus irreg traps loginoff; do
		check "OpenSM keeps the tables of $name" opensm_keeps_dump "$name"
	done
	[ ! -d "$data" ] || for rails in 1 merge; do
		check "OpenSM keeps the tables of traps, --rails $rails" opensm_keeps_entries generated/traps/ibnetdiscover.txt \
			generated/traps/dump_fts.minhop --rails $rails
	done
	[ ! -d "$data" ] || check "OpenSM keeps the tables of several LIDs of a port" opensm_keeps_entries generated/traps/ibnetdiscover_lmc1.txt \
		generated/traps/opensm-lfts.dump_lmc1
	check "OpenSM finds hosts whose LIDs have changed" opensm_finds examples/fattree36_dor.dot
	check "OpenSM -R file where ports have other GUIDs than in ibsim" opensm_keeps_lids
	check "ibsim takes the mended net" scripts/route_with_opensm.sh -e minhop -o "$work/unfit.dot" tests/data/unfit.ibnetdiscover
else
	echo "SKIPPED: ibsim or opensm is not installed"
	skipped=$((skipped + 11))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
