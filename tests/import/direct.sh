#!/bin/sh
# Programs that read dumps directly against the same programs on the graph that orcs-import makes of them: direct.sh BIN_DIR
# The dumps of examples/ and tests/import/data, and those of the data folder ($ORCS_TEST_DATA, ../shared/data).
set -u

bin=$(cd "$1" && pwd) || exit 1
data=${ORCS_TEST_DATA:-../shared/data}/ib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0

# What a program prints, and its status; FABRIC stands for the name of the fabric.
run() { # OUT COMMAND...
	out=$1
	shift
	"$@" >"$out" 2>"$out.err"
	echo "status $?" >>"$out"
	# what orcs-check says of the fabric's name, and where there are no routes of what to do
	sed -i -E '1s/^.*: ([0-9]+ hosts)/FABRIC: \1/; s/^(routes    )the fabric is not routed:.*/\1none/' "$out"
}

same() { # TEXT FILE FILE
	if cmp -s "$2" "$3"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1"
		diff "$2" "$3" | head -n 5
	fi
}

# pair NAME PROGRAM [OPTION...] -- FILE...: the same of the graph and of the files
pair() {
	text="$*"
	program=$2
	shift 2
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # options are words
	run "$work/graph" "$bin/$program" $options "$work/g.dot"
	# shellcheck disable=SC2086
	run "$work/dumps" "$bin/$program" $options "$@"
	same "$text" "$work/graph" "$work/dumps"
}

# Of a set of dumps, given as arguments of orcs-import.
check() { # FILE...
	rm -f "$work/g.dot"
	"$bin/orcs-import" -o "$work/g.dot" "$@" 2>"$work/notes"
	status=$?
	echo "status $status" >>"$work/notes"
	if [ $status -ne 0 ]; then
		"$bin/orcs" "$@" >/dev/null 2>"$work/err"
		echo "status $?" >>"$work/err"
		sed 's/^orcs-import: /orcs: /' "$work/notes" >"$work/wanted"
		sed -i -E 's/^orcs: .*: (no cable|none of|the tables )/orcs: \1/' "$work/err" # without the name of them all
		if grep -q 'unrecognised format' "$work/notes"; then # then it may be a graph, which says more
			grep '^status' "$work/notes" >"$work/wanted"
			[ "$(wc -l <"$work/err")" -eq 2 ] && sed -i 1d "$work/err"
		fi
		same "the error of orcs $*" "$work/wanted" "$work/err"
		return
	fi
	routed="-n 3"
	grep -q 'no forwarding tables' "$work/notes" && routed="-n 3 -R minhop"
	# shellcheck disable=SC2086 # options are words
	pair 1 orcs $routed --unroutable drop --quiet --metric hist_acc_band,get_cable_cong:/dev/stderr -- "$@"
	same "the graph of orcs $*" "$work/graph.err" "$work/dumps.err"
	pair 1 orcs-check -- "$@"
	pair 1 orcs-route --quiet --allow-unreachable updn-orcs -- "$@"
	"$bin/orcs-check" "$@" 2>&1 >/dev/null | sed 's/^orcs-check: /orcs-import: /' | grep -v "^orcs-import: [^ ]*[/,].*: warning:" >"$work/told"
	grep -v ^status "$work/notes" >"$work/wanted"
	same "what orcs-check tells of $*" "$work/wanted" "$work/told"
}

# And where options name the files.
compare() { # TOPOLOGY TABLES
	run "$work/graph" "$bin/orcs-compare" --quiet --format csv -R as-is,minhop --unroutable drop -n 3 "$work/g.dot"
	run "$work/dumps" "$bin/orcs-compare" --quiet --format csv -R as-is,minhop --unroutable drop -n 3 --topology "$1" --lft "$2"
	sed -i -E '2s/^("[^"]*"|[^,]*),/FABRIC,/' "$work/graph" "$work/dumps"
	same "orcs-compare --topology $1 --lft $2" "$work/graph" "$work/dumps"
	run "$work/dumps" "$bin/orcs-compare" --quiet --format csv "$2" "$1" --unroutable drop -n 3 -R as-is,minhop
	sed -i -E '2s/^("[^"]*"|[^,]*),/FABRIC,/' "$work/dumps"
	same "orcs-compare -R as-is,minhop $2 $1" "$work/graph" "$work/dumps"
	pair 1 orcs-bound --quiet --unroutable drop --parts loads -- --topology "$1" --lft "$2"
}

both() { # TOPOLOGY TABLES
	check "$1" "$2"
	compare "$1" "$2"
}

both examples/cluster.ibnetdiscover examples/cluster.dump_fts
check examples/cluster.ibnetdiscover
check examples/cluster.dump_fts
small=tests/import/data/small
both $small.topology $small.tables
for topology in db_csv iblinkinfo iblinkinfo-l lst net ports; do
	check $small.$topology
	check $small.$topology $small.tables
done
both tests/import/data/rails.topology tests/import/data/rails.tables
check tests/import/data/rails.topology $small.tables
xz -k -c $small.tables >"$work/tables.xz"
check $small.topology "$work/tables.xz"

# Folders, standard input, pipes.
mkdir "$work/folder" "$work/mixed" "$work/empty"
cp examples/cluster.* "$work/folder"
"$bin/orcs-import" --quiet -o "$work/g.dot" examples/cluster.*
echo 'no dump' >"$work/folder/README"
pair 1 orcs --quiet -- "$work/folder"
pair 1 orcs-check -- "$work/folder"
cat examples/cluster.dump_fts | run "$work/dumps" "$bin/orcs" --quiet --topology examples/cluster.ibnetdiscover --lft -
run "$work/graph" "$bin/orcs" --quiet "$work/g.dot"
same "tables on standard input" "$work/graph" "$work/dumps"
cat examples/cluster.* | run "$work/dumps" "$bin/orcs" --quiet -
same "both on standard input" "$work/graph" "$work/dumps"

# Of the tables of a folder the first of each form; with the sanitizers no large fabrics.
first() { # FILE...
	[ ! -f "$1" ] || echo "$1"
}
large() { # TOPOLOGY
	case $bin in */san/*) [ "$(wc -c <"$1")" -gt 8000 ] ;; *) false ;; esac
}
if [ -d "$data" ]; then
	for topology in "$data"/generated/*/ibnetdiscover*.txt* "$data"/opensm/*/ibnetdiscover.txt* "$data"/real-routed/*/ibnetdiscover.txt*; do
		folder=${topology%/*}
		large "$topology" && continue
		check "$topology"
		for form in dump_fts opensm-lfts.dump opensm.fdbs ibdiagnet.fdbs; do
			tables=$(first "$folder/$form"*)
			[ -z "$tables" ] || both "$topology" "$tables"
		done
	done
	for topology in "$data"/real/*/*; do
		large "$topology" || check "$topology"
	done
else
	skipped=$((skipped + 1))
	echo "SKIPPED: there is no $data: dumps of real fabrics"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
