#!/bin/sh
# Service levels of pairs: read, asked of OpenSM's subnet administrator, and computed by its rules: levels.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
simulator=
manager=
trap 'end_all; rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM
. tests/lib.sh
PATH=$bin:$PATH:/usr/sbin:/sbin
export PATH ORCS_BIN="$bin" ORCS_RUN="$work/run"

end_all() {
	[ -z "$manager" ] || kill "$manager" 2>/dev/null
	[ -z "$simulator" ] || kill "$simulator" 2>/dev/null
	wait 2>/dev/null
}

# The exit status of a command must be this, and what it says must match.
says() { # STATUS PATTERN COMMAND...
	wanted=$1
	pattern=$2
	shift 2
	"$@" >"$work/out" 2>&1
	status=$?
	cat "$work/out"
	[ $status -eq "$wanted" ] && grep -q -E -e "$pattern" "$work/out"
}

# ---- a ring of 5 switches with a host each, by shortest routes: packets wait in cycles unless those that pass one cable have a level of their own

scripts/torus_topology.sh 5 >"$work/net"
orcs-import --quiet "$work/net" | orcs-route --quiet minhop -o "$work/routed.dot" -
orcs-export --quiet --to ibnetdiscover -o "$work/cabling" "$work/routed.dot"
orcs-export --quiet --to lfts -o "$work/lfts" "$work/routed.dot"
orcs-import --quiet "$work/cabling" "$work/lfts" -o "$work/unknown.dot"

# Lines of slid, dlid, sl: 1 for the pairs whose shorter way passes the cable between the last and the first switch.
levels() { # AWK_CONDITION: pairs from a to b that have level 1, too
	sed -n 's/^.*"H\([0-9]*\)" \[type="host".* lid="\([0-9]*\)".*/\1 \2/p' "$work/unknown.dot" | awk '
	{ lid[$1] = $2 }
	END {
		for (a = 0; a < 5; a++)
			for (b = 0; b < 5; b++) {
				way = a < b ? b - a : a - b
				if (a != b)
					print lid[a], lid[b], ((way > 5 - way || ('"$1"')) ? 1 : 0)
			}
	}'
}
levels 0 >"$work/sls"
levels 'b == a + 2' >"$work/wrong"

check "unknown levels leave deadlocks undecided" says 0 '^deadlock  service levels unknown, judged on SL 0: possible: 10 dep' orcs-check "$work/cabling" "$work/lfts"
check "and the verdict says so" says 0 '^sound: routable; deadlocks undecided' orcs-check "$work/cabling" "$work/lfts"
check "and JSON" says 0 '"deadlock-free":null.*"free":null.*"sl":"unknown"' orcs-check --format json --quiet "$work/cabling" "$work/lfts"
check "the graph keeps that" says 0 '^deadlock  service levels unknown' orcs-check "$work/unknown.dot"
check "the same on a level that is given" says 4 '^not sound: not deadlock-free' orcs-check --sl 0 "$work/unknown.dot"
check "all levels are 0" says 4 '^deadlock  possible: 10 dep' orcs-check --service-levels=0 "$work/cabling" "$work/lfts"
check "levels without a cycle" says 0 '^deadlock  free: .* on 2 lanes, the service level of each pair' orcs-check "$work/cabling" "$work/lfts" "$work/sls"
check "a planted level that closes a cycle" says 4 '^deadlock  possible: .* on 2 lanes, the service level of each pair' \
	orcs-check "$work/cabling" "$work/lfts" --service-levels="$work/wrong"
check "no levels for tables without a cycle" says 0 '^deadlock  free: ' sh -c 'orcs-route --quiet updn-orcs "$1/net" -o "$1/updn.dot" &&
	orcs-export --quiet --to lfts -o "$1/updn" "$1/updn.dot" && orcs-import --quiet "$1/cabling" "$1/updn" | tee "$1/free.dot" | orcs-check - && ! grep unknown "$1/free.dot"' - "$work"
check "a graph has its own" says 2 'is for dumps' orcs-check --service-levels=lash "$work/unknown.dot"
check "a file of levels is not one of tables" says 3 'has only service levels; expected one of: ' orcs-check "$work/cabling" --lft "$work/sls"
check "a torus without coordinates" says 3 'opensm-torus.dump' orcs-check --service-levels=torus-2qos "$work/cabling" "$work/lfts"
check "not lash's tables" says 3 'entries differ from those of .*lash' orcs-check --service-levels=lash "$work/cabling" "$work/updn"

# Dumps and a graph give the same levels, which come back.
comes_back() {
	orcs-import --quiet "$work/cabling" "$work/lfts" "$work/sls" -o "$work/levels.dot" &&
		orcs-export --quiet --to sls -o "$work/again" "$work/levels.dot" &&
		orcs-import --quiet "$work/cabling" "$work/again" "$work/lfts" | cmp - "$work/levels.dot" &&
		orcs-export --quiet --to sls "$work/sls" "$work/cabling" "$work/lfts" | sort >"$work/direct" && sort "$work/again" | diff - "$work/direct"
}
check "levels come back" comes_back
check "unknown levels are not written" says 3 'service levels are unknown' orcs-export --to sls "$work/unknown.dot"

packets() {
	orcs --engine packet -d -p alltoall --bytes 4k --metric makespan "$@"
}
check "packets with unknown levels" says 0 'warning: service levels are unknown.*can deadlock' packets "$work/unknown.dot"
check "packets on level 0" says 3 'can deadlock' packets --service-levels=0 "$work/cabling" "$work/lfts"
check "packets with levels" says 0 'makespan' packets "$work/cabling" "$work/lfts" "$work/sls"
check "packets with a wrong level" says 3 'can deadlock' packets "$work/cabling" "$work/lfts" "$work/wrong"

# ---- the real OpenSM

for tool in opensm ibsim ibnetdiscover saquery; do
	if ! have $tool; then
		skip "$tool is not installed"
		echo "$passed passed, $failed failed, $skipped skipped"
		[ $failed -eq 0 ]
		exit
	fi
done

# Routes a torus; the levels that OpenSM's subnet administrator answers must make it free of deadlocks.
route() { # ENGINE SIZE
	case $2 in
	*.ibsim) cp "$2" "$work/net" ;;
	*) scripts/torus_topology.sh "$2" >"$work/net" ;;
	esac && scripts/route_with_opensm.sh -e "$1" -o "$work/$1.dot" --keep-dumps "$work/$1" "$work/net" &&
		says 0 '^deadlock  free: .* on [2-9] lanes, the service level of each pair' orcs-check "$work/$1.dot" &&
		orcs-check --sl 0 "$work/$1.dot" | grep '^deadlock'
}

# The lanes by the rule, and the levels of OpenSM: those of a lane must be of no other lane, and with lash, which draws none, equal it.
same_lanes() { # ENGINE
	orcs-export --quiet --to sls --service-levels="$1" "$work/$1/ibnetdiscover" "$work/$1/lfts" >"$work/rule" &&
		python3 - "$work/$1/sls" "$work/rule" "$1" <<-'END'
		import sys
		def numbers(text):
		    for part in text.split(","):
		        first, _, last = part.partition("-")
		        yield from range(int(first), int(last or first) + 1)
		def read(path):
		    levels = {}
		    for line in open(path):
		        if not line.startswith("#"):
		            sources, destinations, level = line.split()
		            levels.update(((s, d), int(level)) for s in numbers(sources) for d in numbers(destinations) if s != d)
		    return levels
		asked, rule = read(sys.argv[1]), read(sys.argv[2])
		lane = {}
		for pair, level in asked.items():
		    lane.setdefault(level, set()).add(rule[pair])
		print(len(asked), lane)
		assert len(asked) > 300 and asked.keys() == rule.keys() and len(set(rule.values())) > 1
		assert all(len(lanes) == 1 for lanes in lane.values())
		assert sys.argv[3] != "lash" or asked == rule
		END
}

check "dfsssp's levels" route dfsssp 5x5:1
check "are those of the lanes that the rule finds, after many cycles" same_lanes dfsssp
check "dfsssp's levels in a ring" route dfsssp 5:4
check "are those of the lanes that the rule finds" same_lanes dfsssp
irregular=${ORCS_TEST_DATA:-../shared/data}/ib/generated/irreg/topology.ibsim
if [ -r "$irregular" ]; then
	check "dfsssp's levels in an irregular fabric" route dfsssp "$irregular"
	check "are those of the lanes, too" same_lanes dfsssp
else
	skip "no irregular fabric in $irregular"
fi
check "lash's levels" route lash 5x5:1
orcs-topology jellyfish:switches=24,ports=4,links=3 | orcs-export --quiet --to ibsim -o "$work/random.ibsim" -
check "lash's levels in a random graph" route lash "$work/random.ibsim"
check "are those of the rule, one by one" same_lanes lash
check "torus-2QoS's levels" route torus-2QoS 4x4x4:1
check "nue's levels" sh -c 'scripts/route_with_opensm.sh -e nue -o "$1/nue.dot" "$1/net" && orcs-check "$1/nue.dot" | grep "^deadlock  free"' - "$work"
check "minhop has level 0" says 4 '^deadlock  possible: ' sh -c 'scripts/route_with_opensm.sh -e minhop -o "$1/minhop.dot" "$1/net" && orcs-check "$1/minhop.dot"' - "$work"

# A torus whose coordinates OpenSM has written.
torus() {
	awk '/^Switch/ { guid = guid_of } /^switchguid=/ { split($0, part, /[=(]/); guid_of = part[2]; next }
		/^Switch/ { split($0, part, "\""); name = part[4] != "" ? part[4] : part[2]; at = name; sub(/^.*s/, "", at); gsub("_", ",", at)
			print "switch " at " GUID " guid_of " (" name ")" }' "$work/torus-2QoS/net" >"$work/coordinates" &&
		orcs-import --quiet "$work/torus-2QoS/ibnetdiscover" "$work/torus-2QoS/lfts" "$work/torus-2QoS/sl2vl" "$work/torus-2QoS/vlarb" "$work/coordinates" >"$work/by_rule.dot" &&
		grep -v '^//' "$work/torus-2QoS.dot" | cmp - "$work/by_rule.dot" && grep -q ' sl="[1-7]:' "$work/by_rule.dot"
}
check "torus-2QoS by the rule" torus

# Another client of the subnet administrator gets the same answers.
same_as_saquery() {
	scripts/torus_topology.sh 5x5:2 >"$work/net"
	scripts/start_ibsim.sh "$work/net" >"$work/ready" 2>&1 &
	simulator=$!
	tries=0
	until grep -q '^Network simulator ready' "$work/ready"; do
		kill -0 "$simulator" && [ $((tries += 1)) -lt 200 ] || return 1
		sleep 0.1
	done
	scripts/under_ibsim.sh orcs-export --to sls --service-levels=sa "$work/lash/ibnetdiscover" 2>&1 | grep 'no subnet manager has set up' || return 1
	scripts/under_ibsim.sh opensm -R lash -F /dev/null -f "$work/opensm.log" >"$work/opensm" 2>&1 &
	manager=$!
	tries=0
	until scripts/under_ibsim.sh saquery PR --slid 1 --dlid 1 >"$work/path" 2>&1 && grep -q 'sl\.\.' "$work/path"; do
		kill -0 "$manager" && [ $((tries += 1)) -lt 100 ] || return 1
		sleep 0.2
	done
	scripts/under_ibsim.sh ibnetdiscover >"$work/fabric" && scripts/under_ibsim.sh dump_fts -n >"$work/tables" &&
		scripts/under_ibsim.sh orcs-import --quiet --service-levels=sa "$work/fabric" "$work/tables" >"$work/asked.dot" || return 1
	sed -n 's/^.*"\(H[0-9]*\)" \[type="host".* lid="\([0-9]*\)".*/\1 \2/p' "$work/asked.dot" >"$work/lids"
	wrong=0
	levels=
	for pair in 'H0 H49' 'H1 H49' 'H0 H12' 'H7 H30' 'H30 H7' 'H48 H3' 'H20 H44' 'H0 H1'; do
		from=${pair% *} to=${pair#* }
		level=$(scripts/under_ibsim.sh saquery PR --slid "$(sed -n "s/^$from //p" "$work/lids")" --dlid "$(sed -n "s/^$to //p" "$work/lids")" |
			sed -n 's/^[[:blank:]]*sl\.*0x//p')
		mine=$(sed -n "s/^.*\"$from\" \[type=\"host\".* sl=\"\([^\"]*\)\".*/\1/p" "$work/asked.dot" | tr ';' '\n' | grep -E "[:,]$to(,|\$)" | sed 's/:.*//')
		echo "$pair: $level, ${mine:-0}"
		levels="$levels $level"
		[ "$level" = "${mine:-0}" ] || wrong=1
	done
	case $levels in
	*[1-9]*) ;;
	*) wrong=1 ;;
	esac
	[ $wrong -eq 0 ]
}
check "the answers that saquery gets" same_as_saquery

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
