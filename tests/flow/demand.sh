#!/bin/sh
# Routes on demand against plain searches and against the tables of the same engines: demand.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH
export PATH
flow="--engine flow -d --subset file_order --bytes 1M --format json --quiet"

# result GRAPH OPTION...: static and dynamic results, without the command and the fabric's name; its hash counts.
result() {
	graph=$1
	shift
	# shellcheck disable=SC2086
	orcs $flow "$@" "$graph" | sed 's/"command":\[[^]]*\],//; s/"file":"[^"]*",//'
}

# same ENGINE GRAPH OPTION...: routes on demand give the bytes that the tables give which orcs-route writes.
same() {
	engine=$1
	graph=$2
	shift 2
	case $engine in
	ksp* | allpath* | smodk | updown* | valiant-group)
		orcs-route --quiet --allow-unreachable --seed 5 --routes "$work/routes" "$engine" "$graph" -o "$work/tables.dot" || return 1
		result "$work/tables.dot" --seed 5 --routes "$work/routes" "$@" >"$work/tables.json"
		;;
	*)
		orcs-route --quiet --allow-unreachable --seed 5 "$engine" "$graph" -o "$work/tables.dot" || return 1
		result "$work/tables.dot" --seed 5 "$@" >"$work/tables.json"
		;;
	esac
	result "$graph" --seed 5 -R "$engine" "$@" >"$work/demand.json"
	grep -q '"metrics"' "$work/demand.json" && cmp "$work/tables.json" "$work/demand.json"
}

# referred ENGINE GRAPH PAIRS OPTION...
referred() {
	engine=$1
	graph=$2
	pairs=$3
	shift 3
	# shellcheck disable=SC2086
	orcs $flow -R "$engine" -p "file:$pairs" --metric throughput:simple --unroutable drop "$@" -o "$work/result.json" "$graph" &&
		python3 tests/flow/demand.py check "$engine" "$graph" "$pairs" "$work/result.json"
}

random=20
sanitized && random=6
if have python3; then
	seed=1
	while [ $seed -le $random ]; do
		python3 tests/flow/demand.py graph $seed >"$work/g.dot"
		hosts=$(grep -c 'type="host"' "$work/g.dot")
		python3 tests/flow/demand.py pairs $seed "$hosts" 40 >"$work/pairs"
		check "bfs, graph $seed" referred bfs "$work/g.dot" "$work/pairs"
		check "ecmp, graph $seed" referred ecmp "$work/g.dot" "$work/pairs" --multipath split
		check "ksp:3, graph $seed" referred ksp:3 "$work/g.dot" "$work/pairs" --multipath split
		for engine in bfs ecmp ksp:4 allpath:longer=1; do
			check "$engine, graph $seed: tables" same $engine "$work/g.dot" -p "file:$work/pairs" --unroutable drop \
				--metric throughput,hops,loads --multipath split
		done
		check "ecmp, random, graph $seed: tables" same ecmp "$work/g.dot" -p "file:$work/pairs" --unroutable drop \
			--metric fct,throughput --multipath random -n 3
		seed=$((seed + 1))
	done
	orcs-topology jellyfish:20,9,6 -o "$work/jelly.dot"
	python3 tests/flow/demand.py pairs 1 60 400 >"$work/pairs"
	check "bfs on a jellyfish" referred bfs "$work/jelly.dot" "$work/pairs"
	check "ecmp on a jellyfish" referred ecmp "$work/jelly.dot" "$work/pairs" --multipath split
	check "ksp:5 on a jellyfish" referred ksp:5 "$work/jelly.dot" "$work/pairs" --multipath split
	failing() {
		metric=$1
		shift
		orcs --engine flow -d --subset file_order -R bfs -p "file:$work/pairs" --metric "$metric" --format json -v "$@" -o "$work/result.json" \
			"$work/jelly.dot" 2>"$work/failed" &&
			python3 tests/flow/demand.py delivered "$work/jelly.dot" "$work/pairs" "$work/failed" "$work/result.json"
	}
	check "some cables fail, static" failing throughput --fail-links 5
	cp "$work/failed" "$work/five"
	check "the same fail, dynamic" failing fct --fail-links 5
	check "a share of the cables" failing throughput:simple --fail-links 20% --seed 4
	check "every cable" failing throughput:simple --fail-links 100%
	larger() {
		failing throughput:simple --fail-links 6 && [ "$(grep fails "$work/five" | grep -c -v -x -F -f "$work/failed")" -eq 0 ]
	}
	check "a larger number adds to a smaller" larger
	altered() {
		sed -i 's/"max_load":\([0-9.]*\)/"max_load":1\1/' "$work/result.json"
		! python3 tests/flow/demand.py check ecmp "$work/jelly.dot" "$work/pairs" "$work/result.json"
	}
	referred ecmp "$work/jelly.dot" "$work/pairs" --multipath split
	check "another load is noticed" altered
else
	skip "python3 is not installed: no reference"
fi

# ---- routing functions, and random intermediate switches
for spec in dragonfly:p=2,a=4,h=2 torus:4x5,hosts=2 torus:3x3x3,hosts=direct fattree:k=4,n=2 hyperx:3x4,hosts=2 dcell:n=3,k=1; do
	orcs-topology $spec -o "$work/t.dot"
	for engine in own dor min dmodk valiant valiant:bfs bfs; do
		orcs-route --quiet $engine "$work/t.dot" -o "$work/x.dot" 2>"$work/said" || continue
		check "$engine on $spec" same $engine "$work/t.dot" -p random:200 --metric throughput,makespan -n 2
	done
done
orcs-topology jellyfish:12,6,3 -o "$work/t.dot"
check "ecmp in both phases" same valiant:ecmp "$work/t.dot" -p random:100 --metric throughput --unroutable drop

# ---- routes pair by pair
if have python3; then
	for spec in fattree:k=3,n=3 thintree:4,2,3 xgft:2,3:2:2,2:2:3 fattree:k=4,n=2; do
		orcs-topology $spec -o "$work/t.dot" 2>"$work/said" || continue
		orcs-route --quiet dmodk "$work/t.dot" -o "$work/x.dot"
		orcs-route --quiet --routes "$work/routes" smodk "$work/t.dot" -o /dev/null
		check "smodk on $spec" python3 tests/flow/demand.py mirror "$work/x.dot" "$work/routes"
		for rule in random roundrobin; do
			turns=turns
			[ $rule = random ] && turns=chance
			orcs-route --quiet --routes "$work/routes" updown:$rule "$work/t.dot" -o /dev/null
			check "updown:$rule on $spec" python3 tests/flow/demand.py up_down "$work/x.dot" "$work/routes" $turns
		done
		for engine in smodk updown:random; do
			check "$engine on $spec: routes" same $engine "$work/t.dot" -p random:200 --metric throughput,fct
		done
	done
	no_mirror() {
		orcs-route --quiet --routes "$work/routes" updown:random "$work/t.dot" -o /dev/null
		! python3 tests/flow/demand.py mirror "$work/x.dot" "$work/routes" && ! python3 tests/flow/demand.py up_down "$work/x.dot" "$work/routes" turns
	}
	check "other routes are noticed" no_mirror
	orcs-topology dragonfly:p=2,a=4,h=2 -o "$work/t.dot"
	orcs-route --quiet --routes "$work/routes" valiant-group "$work/t.dot" -o /dev/null
	check "valiant-group" python3 tests/flow/demand.py by_group "$work/routes" 9
	check "valiant-group: routes" same valiant-group "$work/t.dot" -p random:200 --metric throughput,fct
fi
check "no tree" says 3 "smodk needs a fat tree" orcs --engine flow -R smodk -p shift:1 torus:4
check "no dragonfly" says 3 "valiant-group needs a dragonfly" orcs --engine flow -R valiant-group -p shift:1 torus:4
check "no rule" says 2 "unknown rule for ports up" orcs --engine flow -R updown:left -p shift:1 tree:4,2
check "source routes" says 2 "computes source routes" orcs-route smodk tree:4,2

# ---- long paths: distances beyond 254 channels
awk 'BEGIN { print "digraph d {"; n = 700
	for (i = 0; i < n; i++) printf "S%d [type=\"switch\"];\n", i
	for (i = 0; i < n; i += 7) printf "H%d [type=\"host\"]; H%d -> S%d; S%d -> H%d;\n", i, i, i, i, i
	for (i = 1; i < n; i++) printf "S%d -> S%d; S%d -> S%d;\n", i - 1, i, i, i - 1
	print "}" }' >"$work/line.dot"
check "a line of 700 switches" same bfs "$work/line.dot" -p random:200 --metric throughput,hops
check "several routes there" same ksp:2 "$work/line.dot" -p random:50 --metric throughput,hops --multipath split

# ---- cables that fail
check "rerouted: all arrive" sh -c "orcs $flow -R bfs --fail-links 3 --reroute bfs -p random:100 jellyfish:20,9,6 | grep -q '\"delivered\":1,'"
check "none may fail" says 2 'only 0 cables can fail' orcs --engine flow -p random:9 --fail-links 1 star:4
check "no number" says 2 "not a number such as 20" orcs --engine flow -p random:9 --fail-links many star:4
check "the engine congestion keeps them" says 2 'requires --engine flow' orcs --fail-links 1 star:4
check "rerouting what" says 2 'requires --fail-at or --fail-links' orcs --engine flow -p random:9 --reroute bfs star:4

# ---- lanes that messages over time do not need
lanes() {
	says 3 'virtual lane' orcs-route dor torus:6x6,hosts=1 --virtual-lanes 1 -o "$work/x.dot"
}
check "dor needs lanes" lanes
# shellcheck disable=SC2086
check "the flow engine does not" orcs $flow -R dor -p random:1000 torus:4x4x4x4x4x4,hosts=direct
# shellcheck disable=SC2086
check "nor with ties broken by chance" orcs $flow -R dor:ties=random -p random:100 torus:4x4x4,hosts=1

# ---- several processes
alike() {
	spec=$1
	shift
	# shellcheck disable=SC2086
	orcs $flow "$@" -p random:500 -n 4 "$spec" | sed 's/"command":[^]]*],//' >"$work/one"
	# shellcheck disable=SC2086
	ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np 2 "$bin/orcs" $flow "$@" -p random:500 -n 4 "$spec" 2>"$work/said" |
		sed 's/"command":[^]]*],//' >"$work/two"
	grep -q '"metrics"' "$work/one" && cmp "$work/one" "$work/two"
}
if have mpirun; then
	check "processes alike: valiant:ecmp" alike jellyfish:20,6,3 -R valiant:ecmp --multipath random
	check "processes alike: ecmp" alike jellyfish:20,6,3 -R ecmp --multipath split
	check "processes alike: ksp" alike jellyfish:20,6,3 -R ksp:3
	check "processes alike: dor" alike torus:4x4,hosts=2 -R dor
	check "processes alike: updown" alike thintree:4,2,3 -R updown:roundrobin
	check "processes alike: valiant-group" alike dragonfly:p=2,a=4,h=2 -R valiant-group
	orcs-topology jellyfish:12,6,3 -o "$work/j.dot"
	orcs-route --quiet --routes "$work/all" ksp:2 "$work/j.dot" -o /dev/null
	sed -n '1~3p' "$work/all" >"$work/routes"
	check "processes alike: routes of a file for some pairs" alike "$work/j.dot" -R bfs --routes "$work/routes"
	check "processes alike: failures" alike jellyfish:20,6,3 -R bfs --fail-links 3
else
	skip "mpirun is not installed: no several processes"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
