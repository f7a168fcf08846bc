#!/bin/sh
# Every kind of topology by every routing engine, whole and with failures, through orcs-check: matrix.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

# Engines that make tables; those with --routes make none.
engines=$("$bin/orcs-route" --list | awk '/^  [a-z]/ { name = $1; sub(/[:[].*/, "", name) } /^      needs:/ && !/--routes/ { print name }')

# What orcs-check is to ask of an engine's tables, by its promises; "any" of one that is not known here, and of OpenSM's: also that it refuses.
promise_of() { # ENGINE
	case $1 in
	minhop-orcs | bfs | ecmp | sssp-orcs) echo routable,minimal ;;
	dfsssp-orcs | lash-orcs | best) echo routable,minimal,deadlock-free ;;
	dor) echo routable,minimal,deadlock-free ;;
	updn-orcs | dnup-orcs | ftree-orcs | nue | dmodk | min) echo routable,deadlock-free ;;
	minhop | osm-dor | sssp) echo any,minimal ;;
	dfsssp | lash) echo any,minimal,deadlock-free ;;
	updn) echo any,deadlock-free ;;
	own) echo routable ;;
	*) echo any ;;
	esac
}

# Whether the engine is for that topology: one of those that know a shape goes by the name that the graph has for its routing function.
applies() { # ENGINE SPEC
	plain=$(echo "$2" | sed 's/,parallel=[0-9]*//') # parallel cables are routed as one, in turn
	routing=$("$bin/orcs-topology" "$plain" | sed -n '/^graph /s/.* routing="\([^"]*\)".*/\1/p')
	case $1,$2 in
	own,*) [ -n "$routing" ] ;;
	dmodk,* | dor,* | min,*) [ "$1" = "$routing" ] ;;
	updn*,*oneway | dnup*,*oneway | ftree*,*oneway) false ;; # they want cables that lead both ways
	esac
}

# One line that tells who refuses, and no graph.
refuses() { # ENGINE GRAPH
	rm -f "$work/refused"
	"$bin/orcs-route" --quiet --lanes 15 "$1" "$2" -o "$work/refused" 2>"$work/err"
	[ $? -eq 3 ] && [ ! -e "$work/refused" ] && [ "$(grep -vc '^orcs-route: no route from ' "$work/err")" -eq 1 ] &&
		grep -q '^orcs-route: ' "$work/err"
}

# The tables keep what the engine promises.
keeps() { # ENGINE GRAPH
	promise=$(promise_of "$1")
	case $promise in
	any*)
		refuses "$1" "$2" && return 0
		promise=routable${promise#any}
		;;
	esac
	"$bin/orcs-route" --quiet --lanes 15 "$1" "$2" -o "$work/routed" 2>"$work/err" &&
		"$bin/orcs-check" --quiet --require "$promise" "$work/routed" >"$work/result" 2>"$work/err" && return 0
	cat "$work/err"
	tail -n 3 "$work/result"
	return 1
}

# How many pairs orcs-route says to have no route, and so does orcs-check; and pairs that are left are safe.
missing_by() { # ENGINE
	safe=$(promise_of "$1" | sed 's/^any$/none/; s/^routable,*//; s/minimal,*//')
	"$bin/orcs-route" --lanes 15 --allow-unreachable "$1" "$work/broken" -o "$work/routed" 2>"$work/err" || return 1
	said=$(sed -n 's/^orcs-route: warning: \([0-9]*\) of .* pairs of hosts have no route$/\1/p' "$work/err")
	said=${said:-0}
	named=$(grep -c '^orcs-route: no route from H[0-9_]* to H[0-9_]*$' "$work/err")
	[ "$named" -eq $((said < 10 ? said : 10)) ] || return 1
	"$bin/orcs-check" --quiet --require "${safe:-none}" "$work/routed" >"$work/result" 2>/dev/null || return 1
	found=$(sed -n 's/^pairs  *\([0-9]*\): all routable.*/\1 - \1/p; s/^pairs  *\([0-9]*\): \([0-9]*\) .* routable.*/\1 - \2/p' "$work/result")
	[ "$said" -eq $((${found:-0})) ] && echo "$said"
}

# With failures no engine leaves more pairs without a route than the cables do.
survives() { # ENGINE
	missing=$(missing_by "$1")
	[ "$missing" = "$least" ] && return 0
	echo "missing: '$missing', not $least"
	cat "$work/err"
	return 1
}

small='star:5 tree:degree=2,height=3 fattree:k=4,n=2 mport:m=4,n=2 thintree:down=3,up=2,n=2 gtree:4:2/3 xgft:2:2/3:2 pgft:4:1:1/4:2:2
	ring:5,hosts=2 ring:5,oneway mesh:4x3 torus:5x4 twisted:4x3,jump=1:0 twisted:4x4 fullmesh:5,hosts=2 hypercube:3 hyperx:3x4
	dragonfly:p=1,a=4,h=2 leafspine:leaves=4,spines=3,hosts=4,rails=2 jellyfish:10,5,3 slimfly:q=3 polarfly:q=3
	kautz:d=2,n=3 debruijn:d=2,n=3 bcube:n=3,k=2 dpillar:n=4,k=3 dcell:n=3,k=1 ficonn:n=4,k=1 hcn:a=3,b=1,h=2 bcn:a=2,b=1,h=1
	gqstar:k=2,n=3 swcube:k=2,n=3 torus:4x4/fullmesh:4 torus:3x3,parallel=2'
large='star:24 tree:degree=3,height=3 fattree:k=3,n=3 mport:m=4,n=3 thintree:down=4,up=3,n=2 gtree:4:2/3:3/2 xgft:4:1/3:2/2:2 pgft:3:1:2/4:2:1
	ring:8,hosts=direct mesh:3x3x2,hosts=2 torus:4x3x3,hosts=direct torus:6x6,hosts=2 twisted:6x4,jump=2:0,hosts=2
	twisted:4x3x3,degree=2,jump=1:0:0,hosts=direct fullmesh:8,hosts=direct hypercube:5 hyperx:3x3x3,hosts=2
	dragonfly:p=2,a=4,h=2,arrangement=relative dragonfly:p=2,a=3,h=2,arrangement=circulant leafspine:leaves=8,spines=4,hosts=4
	jellyfish:24,7,5 slimfly:q=4,hosts=2 polarfly:q=4,hosts=direct kautz:d=3,n=3 kautz:d=2,n=3,oneway debruijn:d=3,n=3,hosts=direct
	bcube:n=2,k=4 dpillar:n=6,k=2 dpillar:n=4,k=4 dcell:n=2,k=2 ficonn:n=4,k=2 hcn:a=2,h=4 hcn:a=4,b=2,h=1 bcn:a=2,b=2,h=2,gamma=1
	gqstar:k=3,n=2 swcube:k=3,n=3 star:4/ring:3,hosts=direct hypercube:2/dcell:n=3,k=1 bcube:n=2,k=2/star:3'

specs="$small $large"
if sanitized; then
	specs='star:5 thintree:down=3,up=2,n=2 xgft:2:2/3:2 ring:5,oneway torus:5x4 hyperx:3x4 dragonfly:p=1,a=4,h=2 jellyfish:10,5,3 bcube:n=3,k=2 torus:3x3,parallel=2'
	skip "most topologies: the sanitizers take too long"
fi
lists_engines() {
	for engine in minhop updn dnup ftree sssp dfsssp lash osm-dor minhop-orcs updn-orcs dnup-orcs ftree-orcs sssp-orcs dfsssp-orcs lash-orcs bfs ecmp \
		nue dmodk dor min own; do
		echo "$engines" | grep -qx "$engine" || return 1
	done
}
check "orcs-route --list" lists_engines
for spec in $specs; do
	"$bin/orcs-topology" "$spec" >"$work/whole"
	for engine in $engines; do
		if applies "$engine" "$spec"; then
			check "$spec by $engine" keeps "$engine" "$work/whole"
		else
			check "$spec, not for $engine" refuses "$engine" "$work/whole"
		fi
	done
done

# One cable of ten fails.
for spec in $specs; do
	case $spec in *oneway | star:5 | star:24) continue ;; esac # of hosts with one cable none is drawn
	"$bin/orcs-topology" "$spec" >"$work/whole"
	"$bin/orcs-topology" --fail-links 10% --seed 3 "$spec" >"$work/broken" 2>/dev/null
	least=$(missing_by minhop-orcs) || least=none
	for engine in $engines; do
		case $(promise_of "$engine") in any*) continue ;; esac
		! applies "$engine" "$spec" || check "$spec with failures by $engine" survives "$engine"
	done
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
