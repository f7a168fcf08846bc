#!/bin/sh
# Every program that reads a fabric, with every form of one, and with every form of a node's name, see orcs-fabric(7): forms.sh BIN_DIR
# A fabric has the same results as a graph, a cache, a topology or dumps, and so have the names of a node.
set -u

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$bin:$PATH
. tests/lib.sh
own_font_cache
topology=examples/cluster.ibnetdiscover
tables=examples/cluster.dump_fts
programs='orcs orcs-check orcs-bound orcs-compare orcs-draw orcs-export orcs-jobs orcs-order orcs-report orcs-route orcs-trace'

ends="node01 node13" # of orcs-trace

# The command of a program, in words.
command_of() {
	case $1 in
	orcs) echo "orcs --quiet -n 2" ;;
	orcs-check) echo "orcs-check --quiet --require none" ;;
	orcs-bound) echo "orcs-bound --quiet --parts loads" ;;
	orcs-compare) echo "orcs-compare --quiet -n 2 --format csv" ;;
	orcs-draw) echo "orcs-draw --quiet --hosts none --format svg" ;;
	orcs-export) echo "orcs-export --quiet --to root-guids" ;;
	orcs-jobs) echo "orcs-jobs --quiet --jobs examples/slurm.jobs" ;;
	orcs-order) echo "orcs-order -p recdbl -s 5 --passes 1" ;;
	orcs-report) echo "report_of" ;;
	orcs-route) echo "orcs-route --quiet minhop" ;;
	orcs-trace) echo "orcs-trace --quiet --share $ends" ;;
	*) exit 1 ;;
	esac
}

# Without the words of the call, and without the engine, which a cache does not name.
report_of() {
	orcs-report --quiet -n 2 --title x --format json "$@" | sed 's/"command":[^]]*\],//; s/"file":"[^"]*",//; s/"routed_by":[^,]*,//'
}

# run OUT COMMAND...: what a successful program writes, without the names of fabrics, and without the titles of pictures, which they move
run() {
	out=$1
	shift
	"$@" >"$out" 2>"$out.err" || { echo "status $? of $*" && cat "$out.err"; } >>"$out"
	sed -i -E 's#(/tmp/|examples/|<stdin>|&lt;stdin&gt;|standard input|torus:)[^ ",:<&]*#FABRIC#g; s#"?FABRIC,? FABRIC"?#FABRIC#; /<text text-anchor="start"/d' "$out"
}

same() { # TEXT [FILE]
	check "$1: another result" diff "${2:-$work/wanted}" "$work/is"
	check "$1: fails" not_failed "$work/is"
}

not_failed() {
	! grep -A 1 '^status ' "$1"
}

# form PROGRAM STANDARD-INPUT ARGUMENT...: the result is that of the graph
form() {
	command=$(command_of "$1")
	text="$1 $3${4:+ $4}${5:+ $5} <$2"
	from=$2
	shift 2
	# shellcheck disable=SC2086 # words
	run "$work/is" $command "$@" <"$from"
	same "$text"
}

# The command prints this host as the only one.
names_host() {
	"$@" >"$work/printed" && grep -v '^#$' "$work/printed" | grep '^#' >"$work/printed.hosts"
	[ "$(cat "$work/printed.hosts")" = '# H-node06' ]
}

# The command refuses the file of the map.
complains() {
	"$@" 2>"$work/complaint" >"$work/printed"
	grep -q "$work/bad:1: the line is not a GUID and a name" "$work/complaint"
}

# ---- fabrics
graph=$work/cluster.dot
cache=$work/cluster.orcsb
mkdir "$work/dumps" "$work/graph" "$work/cache"
orcs-import --quiet -o "$graph" $topology $tables
orcs --quiet --save-fabric "$cache" "$graph"
cp $topology $tables "$work/dumps"
cp "$graph" "$work/graph"
cp "$cache" "$work/cache"
gzip -c "$graph" >"$graph.gz"
xz -c "$cache" >"$cache.xz"
zstd -q -c $topology >"$work/topology.zst"
cat $tables $topology >"$work/both"
for program in $programs; do
	# shellcheck disable=SC2046 # words
	run "$work/wanted" $(command_of "$program") "$graph"
	for fabric in "$graph.gz" "$cache" "$cache.xz" "$work/dumps" "$work/graph" "$work/cache" "$work/both"; do
		form "$program" /dev/null "$fabric"
	done
	for fabric in "$graph" "$cache" "$work/both"; do
		form "$program" "$fabric" -
	done
	form "$program" /dev/null --topology $topology --lft=$tables
	form "$program" $tables --topology "$work/topology.zst" --lft=-
	[ "$program" = orcs-compare ] || form "$program" /dev/null $tables "$work/topology.zst" # to it these are two fabrics
done

# A topology. Pictures name that of a graph below the graph's name.
orcs-topology -o "$work/torus.dot" torus:4x4
ends="H0_0 H2_2"
for program in $programs; do
	# shellcheck disable=SC2046 # words
	run "$work/wanted" $(command_of "$program") "$work/torus.dot"
	[ "$program" = orcs-draw ] || form "$program" /dev/null torus:4x4
done

# ---- names: by name, description, its first word, GUID and LID
for from in "$graph" "$cache" "$work/dumps"; do
	for host in H-node06 'node06 HCA-1' node06 0x0000000000100018 0000000000100018 7; do
		echo "$host" >"$work/hosts"
		check "--subset $host of $from" names_host orcs --quiet --print-hosts -p null --subset "file:$work/hosts" "$from"
		check "--mapping $host of $from" names_host orcs --quiet --print-hosts -p null --mapping "file:$work/hosts" "$from"
	done
	run "$work/wanted.fails" orcs --quiet --engine flow --fail-at 0:spine1:1 "$from"
	run "$work/wanted.roots" orcs-route --quiet --roots spine1 updn "$from"
	for switch in 0x0000000000100019 0000000000100019 8; do
		run "$work/is" orcs --quiet --engine flow --fail-at "0:$switch:1" "$from"
		same "--fail-at $switch of $from" "$work/wanted.fails"
		run "$work/is" orcs-route --quiet --roots "$switch" updn "$from"
		same "--roots $switch of $from" "$work/wanted.roots"
	done
done

ends="node01 node13"

# ---- --node-name-map: the names of the graph that orcs-import makes with the same map
echo '0x0000000000100018 "alpha one"' >"$work/map"
echo '0x0000000000100018' >"$work/bad"
orcs-import --quiet --node-name-map "$work/map" -o "$work/mapped.dot" $topology $tables
for program in $programs; do
	command=$(command_of "$program")
	# shellcheck disable=SC2086 # words
	run "$work/wanted" $command "$work/mapped.dot"
	form "$program" /dev/null --node-name-map="$work/map" "$work/dumps"
	for fabric in "$graph" "$cache" "$work/dumps"; do
		# shellcheck disable=SC2086 # words
		check "$program --node-name-map reads its file for $fabric" complains $command --node-name-map="$work/bad" "$fabric"
	done
done
echo 'alpha one' >"$work/hosts"
for fabric in "$graph" "$cache"; do
	check "--subset by a name of the map: $fabric" names_host \
		orcs --quiet --print-hosts -p null --node-name-map "$work/map" --subset "file:$work/hosts" "$fabric"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
