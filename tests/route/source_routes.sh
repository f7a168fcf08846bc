#!/bin/sh
# Source routes: what engines make against brute force, files of them against themselves, and orcs-check on them: source_routes.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
# programs with the sanitizers are slower
case $bin in */san/*) random=3 ;; *) random=8 ;; esac

# The routes of an engine on the graph; pairs that cannot have one have none.
routed() { # ENGINE [OPTION...]
	engine=$1
	shift
	"$bin/orcs-route" --quiet --allow-unreachable "$@" --routes "$work/routes" "$engine" "$work/graph" -o "$work/plain"
}
holds() { # RULE
	python3 tests/route/check_source_routes.py "$work/plain" "$work/routes" "$1"
}
as_brute_force() { # ENGINE RULE
	for seed in $(seq "$random"); do
		for how in - ports direct; do
			python3 tests/route/small_graph.py "$seed" $how >"$work/graph"
			if ! routed "$1" --seed "$seed" || ! holds "$2" >"$work/told"; then
				echo "small_graph.py $seed $how, $1:"
				cat "$work/told"
				return 1
			fi
		done
	done
}
check "ksp:1" as_brute_force ksp:1 ksp:1
check "ksp:4" as_brute_force ksp:4 ksp:4
check "ksp:1000, all there are" as_brute_force ksp:1000 ksp:1000
check "ksp:5,weights=inverse-length" as_brute_force ksp:5,weights=inverse-length ksp:5,inverse
check "allpath" as_brute_force allpath allpath:0,100
check "allpath:1" as_brute_force allpath:1 allpath:1,100
check "allpath:2,most=3" as_brute_force allpath:2,most=3 allpath:2,3

# ---- a file that is read is written again as it was, whatever the order of its lines and of the names of its weights
shuffled() {
	awk -v seed="$1" 'BEGIN { srand(seed) } { printf "%.9f %s\n", rand(), $0 }' "$work/routes" | sort | sed 's/^[^ ]* /  /; s/,/ , /g'
}
# What orcs-check tells of both, but for the names of files.
tells() { # FILE
	"$bin/orcs-check" --all --quiet --require none --routes "$1" "$work/plain"
}
reads_again() {
	for seed in $(seq 10); do
		python3 tests/route/small_graph.py "$seed" ports >"$work/graph"
		routed ksp:3,weights=inverse-length --seed "$seed" || return 1
		{
			echo "# comment"
			echo
			shuffled "$seed"
		} | gzip >"$work/shuffled"
		tells "$work/routes" >"$work/first" && tells "$work/shuffled" >"$work/second" && cmp "$work/first" "$work/second" || return 1
	done
}
check "the order of lines does not matter" reads_again

# ---- chance
"$bin/orcs-topology" fattree:k=4,n=2 >"$work/graph"
spread() {
	routed ksp:1 && cp "$work/routes" "$work/first" && routed ksp:1 --seed 1 && cmp "$work/first" "$work/routes" &&
		routed ksp:1 --seed 2 && ! cmp -s "$work/first" "$work/routes" &&
		awk -F, '{ if (NF == 5) used[$3]++ } END { for (s in used) n++; exit !(n == 4) }' "$work/routes"
}
check "one seed, the same routes; another, others; over all spines" spread
all_spines() {
	routed ksp:4 && [ "$(awk -F, 'NF == 5 { print $1 "," $3 "," $5 }' "$work/routes" | sort -u | wc -l)" -eq $((16 * 12 * 4)) ] &&
		"$bin/orcs-check" --require routable,deadlock-free,minimal,balanced:0.001 --routes "$work/routes" "$work/plain"
}
check "four routes over four spines load all alike" all_spines
cut() {
	"$bin/orcs-route" --routes "$work/routes" allpath:0,most=3 "$work/graph" -o "$work/plain" 2>"$work/told" &&
		[ "$(cat "$work/told")" = "orcs-route: note: pairs of switches with more routes than the limit most=3: 12" ]
}
check "allpath says where it cuts" cut

# ---- the graph has no forwarding sets then, and what it had is gone
no_sets() {
	"$bin/orcs-route" minhop-orcs "$work/graph" >"$work/tables" && "$bin/orcs-route" --routes "$work/routes" ksp:2 "$work/tables" >"$work/plain" &&
		! grep -q 'comment="[^"]' "$work/plain" && grep -q 'routes="ksp:2"' "$work/plain" &&
		"$bin/orcs-check" --quiet --require none "$work/plain" | grep -q '^pairs .* none routable'
}
check "no forwarding sets beside source routes" no_sets

# ---- orcs-check: routes that are given are those of tables
as_tables() {
	"$bin/orcs-topology" torus:5x4,hosts=2 | "$bin/orcs-route" updn-orcs >"$work/plain" && python3 tests/route/list_routes.py "$work/plain" >"$work/routes" &&
		"$bin/orcs-check" --require none --format json "$work/plain" | without >"$work/first" &&
		"$bin/orcs-check" --require none --format json --routes "$work/routes" "$work/plain" | without >"$work/second" &&
		cmp "$work/first" "$work/second"
}
# What is the same for tables and for source routes.
without() {
	python3 -c '
import json, sys
told = json.load(sys.stdin)
for key in ("command", "faults"):
    del told[key]
for key in ("routes", "several_ways", "symmetric", "asymmetric"):
    told["pairs"].pop(key, None)
del told["deadlock"]["lanes_needed"], told["fabric"]["hash"]
print(json.dumps(told, sort_keys=True))'
}
check "orcs-check tells the same of tables and of their routes" as_tables
lanes() {
	"$bin/orcs-topology" torus:6 >"$work/graph" && routed ksp:1 &&
		"$bin/orcs-check" --routes "$work/routes" "$work/plain" >"$work/told"
	[ $? -eq 4 ] && grep -q 'deadlock  possible: .* 2 lanes would suffice' "$work/told"
}
check "orcs-check counts lanes" lanes

# ---- ecmp by paths: every shortest path of a pair has the same share
"$bin/orcs-topology" hyperx:4x3,hosts=1 >"$work/graph" 2>/dev/null || "$bin/orcs-topology" mesh:4x3 >"$work/graph"
by_paths() { # GRAPH
	"$bin/orcs-route" --allow-unreachable --quiet ecmp:weights=paths "$1" >"$work/plain" &&
		python3 tests/route/check_weights.py "$work/plain"
}
check "ecmp:weights=paths" by_paths "$work/graph"
by_paths_anywhere() {
	for seed in $(seq 20); do
		python3 tests/route/random_graph.py "$seed" >"$work/graph"
		by_paths "$work/graph" || return 1
	done
}
check "ecmp:weights=paths on random graphs" by_paths_anywhere

# ---- what is refused, and what is printed
sh tests/cli/cases.sh "$bin" tests/route/source_routes.cases >"$work/cases" 2>&1
grep -v '^[0-9]* passed' "$work/cases"
passed=$((passed + $(awk '/^[0-9]+ passed, / { print $1 }' "$work/cases")))
failed=$((failed + $(awk '/^[0-9]+ passed, / { print $3 }' "$work/cases")))

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
