#!/bin/sh
# liborcs, as installed: its symbols and promises, its examples, and that its numbers are those of the programs: library.sh BIN_DIR
set -u
bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

if sanitized; then
	kind="SAN=1"
	flags="-fsanitize=address,undefined"
else
	kind=
	flags=
fi
# shellcheck disable=SC2086 # a word or none
make -s install-library PREFIX="$work/usr" DESTDIR= $kind >"$work/said" 2>&1 || {
	cat "$work/said"
	echo "FAILED: make install-library"
	exit 1
}
export PKG_CONFIG_PATH="$work/usr/lib/pkgconfig" LD_LIBRARY_PATH="$work/usr/lib"
library=$work/usr/lib/liborcs.so.1

# compile SOURCE: against what is installed, into $work
compile() {
	name=${1##*/}
	# shellcheck disable=SC2046,SC2086 # lists of options
	cc -std=c17 -Wall -Wextra -Werror $flags "$1" -o "$work/${name%.c}" $(pkg-config --cflags --libs orcs) -lm -lpthread
}

# ---- what it exports, and what it keeps
symbols() {
	nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | grep -v '^__\|^_init$\|^_fini$' | sort
}
declared() {
	sed -n 's/^ORCS_API .*\(orcs_[a-z_]*\)(.*/\1/p' include/orcs/orcs.h | sort
}
symbols >"$work/symbols"
declared >"$work/declared"
check "the library exports other symbols than tests/library/symbols.txt lists" diff tests/library/symbols.txt "$work/symbols"
check "the header declares other functions than the library exports" diff "$work/declared" tests/library/symbols.txt
check "the soname is not liborcs.so.1" sh -c "readelf -d '$library' | grep -q 'SONAME.*\[liborcs.so.1\]'"
check "the library needs MPI" sh -c "! readelf -d '$library' | grep -q 'NEEDED.*libmpi'"
check "liborcs has another version than orcs" [ "orcs $(pkg-config --modversion orcs)" = "$("$bin/orcs" --version)" ]
# What can be written: locks and buffers of readers that only one thread at a time enters, and what the signal handlers of programs use.
written() {
	objdump -t "$1" | awk 'NF > 4 && $(NF - 2) ~ /^\.(data|bss|tdata|tbss)$/ && $NF !~ /^(\.|_|completed)/ { sub(/\.[0-9]+$/, "", $NF); print $NF }' | sort -u
}
if sanitized; then
	skip "the sanitizers add variables of their own"
else
	written "$library" >"$work/written"
	check "the library has other variables than tests/library/variables.txt explains" \
		sh -c "sed 's/ .*//' tests/library/variables.txt | sort | diff - '$work/written'"
fi

# ---- the examples
for example in examples/library/*.c tests/library/*.c; do
	check "${example##*/} does not compile" compile "$example"
done
if have g++; then
	printf '#include <orcs/orcs.h>\nint main() { return orcs_version() == nullptr; }\n' >"$work/header.cc"
	# shellcheck disable=SC2046,SC2086 # lists of options
	check "the header is not C++" g++ -Wall -Werror $flags "$work/header.cc" -o "$work/header" $(pkg-config --cflags --libs orcs)
else
	skip "g++ is not installed: the header in C++"
fi
"$bin/orcs" --quiet --raw -n 100 -p bisect "xgft:4:1/4:2" >"$work/raw"
mean=$(awk '/^run / { sum += $3; runs++ } END { printf "%.6f", sum / runs }' "$work/raw")
check "the example of bisections has another mean than orcs" \
	sh -c "'$work/bisections' | awk -v mean=$mean '{ exit !(\$2 - mean < 1e-6 && mean - \$2 < 1e-6) }'"
"$bin/orcs-topology" torus:4x4 >"$work/torus.dot"
check "the loads of a torus do not have the sum of all hops" \
	sh -c "'$work/loads' '$work/torus.dot' | awk 'NF == 3 { sum += \$3 } END { exit sum != 16 * (15 * 2 + 32) }'"
check "the example with a pattern of one's own fails" "$work/own_pattern"
check "its bits are not those of recdbl" sh -c "'$work/own_pattern' | grep -c . | grep -qx 6"

# ---- behaviour
check "a promise of the header does not hold" "$work/behaviour"
"$work/behaviour" >"$work/out" 2>"$work/err"
check "the library prints" [ ! -s "$work/out" ] && [ ! -s "$work/err" ]

# same ARGUMENTS OF drive, as of orcs behind: the JSON without the command
same() { # NAME 'DRIVE ARGUMENTS' 'ORCS ARGUMENTS'
	for format in json raw csv; do
		as="--format $format"
		[ $format != raw ] || as=--raw
		# shellcheck disable=SC2086 # lists of words
		(
			set -f
			"$work/drive" $format $2 >"$work/mine" 2>"$work/my_error"
			echo "status $?" >>"$work/mine"
			"$bin/orcs" --quiet $as $3 >"$work/its" 2>"$work/its_error"
			echo "status $?" >>"$work/its"
		)
		case $format in
		json) for file in mine its; do sed -i 's/"command": *\[[^]]*\]/"command": []/' "$work/$file"; done ;;
		raw) for file in mine its; do sed -i '/^run \|^status /!d' "$work/$file"; done ;;
		esac
		check "$1: $format is not that of orcs" cmp "$work/mine" "$work/its"
	done
	sed -i "s/; see 'orcs --help'//" "$work/its_error"
	check "$1: the error is not that of orcs" cmp "$work/my_error" "$work/its_error"
}
tree="xgft:4:1/4:2"
same bisections "$tree -- runs=20" "-n 20 $tree"
same seed "$tree -- runs=5 seed=7" "-n 5 --seed 7 $tree"
same routed "examples/fattree36_dor.dot -- route=ftree runs=5" "-n 5 -R ftree examples/fattree36_dor.dot"
same words "--routing=minhop --fail=S1_0 $tree -- runs=3" "-n 3 -R minhop --fail S1_0 $tree"
same multipath "--routing=ecmp --multipath=split examples/fattree36_dor.dot -- runs=3" "-n 3 -R ecmp --multipath split examples/fattree36_dor.dot"
same source_routes "--routing=ksp $tree -- runs=3" "-n 3 -R ksp $tree"
same metrics "$tree -- runs=3 metric=hist_acc_band,hist_max_cong,hops" "-n 3 --metric hist_acc_band,hist_max_cong,hops $tree"
same precision "$tree -- precision=0.05" "--precision 0.05 $tree"
same control "$tree -- runs=50 control-variates" "-n 50 --control-variates $tree"
same flow "$tree -- engine=flow pattern=alltoall bytes=64k" "--engine flow -p alltoall --bytes 64k $tree"
same latency "$tree -- engine=latency pattern=ring bytes=64k" "--engine latency -p ring --bytes 64k $tree"
same packet "torus:4x4 -- engine=packet packet-routing=dor pattern=shift:3 bytes=8k runs=2" \
	"--engine packet --packet-routing dor -p shift:3 --bytes 8k -n 2 torus:4x4"
same open_loop "torus:4x4 -- engine=packet packet-routing=dor load=0.3 cycles metric=packet_latency" "--engine packet --packet-routing dor --load 0.3 --cycles --metric packet_latency torus:4x4"
same wrong_value "$tree -- runs=many" "-n many $tree"
same wrong_engine "$tree -- engine=flow load=0.3" "--engine flow --load 0.3 $tree"
same unreachable "--fail=spine3 examples/fattree16.dot -- runs=3" "-n 3 --fail spine3 examples/fattree16.dot"
same dropped "--fail=spine3 --unroutable=drop examples/fattree16.dot -- runs=3" "-n 3 --fail spine3 --unroutable drop examples/fattree16.dot"
check "the error of a fabric of several planes does not name --plane" says 3 "plane N selects one" \
	"$work/drive" raw --fail=S2_0,S2_1 "$tree" -- runs=3
same no_file "none.dot -- runs=3" "-n 3 none.dot"

# ---- threads
"$bin/orcs-topology" "$tree" >"$work/tree.dot"
sed 's/^digraph .*/&\n# by the parser of Graphviz/' "$work/torus.dot" >"$work/slow.dot"
check "two networks in two threads disturb each other" "$work/threads" "$work/tree.dot" "$work/slow.dot"
check "two networks of one parser disturb each other" "$work/threads" "$work/slow.dot" "$work/slow.dot"
if sanitized; then
	:
elif have valgrind; then
	check "threads race" valgrind --tool=helgrind --error-exitcode=1 -q "$work/threads" "$work/tree.dot" "$work/slow.dot"
else
	skip "valgrind is not installed: races of threads"
fi

check "uninstall leaves files" sh -c "make -s uninstall PREFIX='$work/usr' DESTDIR= >/dev/null && ! find '$work/usr' -name '*orcs*' ! -type d | grep ."

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
