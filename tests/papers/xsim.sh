#!/bin/sh
# The statements of the xSim paper: the verdicts of doc/papers/xsim.md are those of a small run; its networks, routes of networks of networks,
# and the distances of all pairs: xsim.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

verdicts() { # PAGE RUN
	awk -f tests/papers/verdicts.awk "$1" "$2"
}

# The same run with a simulator that takes a torus for a mesh has other verdicts: those in which the loops matter.
mutant() {
	mkdir "$work/bin" && ln -s "$bin"/* "$work/bin" && rm "$work/bin/orcs-topology" || return 1
	cat >"$work/bin/orcs-topology" <<END
#!/bin/sh
for word; do shift; set -- "\$@" "\$(echo "\$word" | sed 's/^torus:/mesh:/')"; done
exec "$bin/orcs-topology" "\$@"
END
	chmod +x "$work/bin/orcs-topology"
	ORCS_BIN=$work/bin scripts/xsim_paper.sh --small "$work/mutant" >"$work/printed" 2>&1
	! verdicts doc/papers/xsim.md "$work/mutant/statements.md" >"$work/differ" &&
		[ "$(sed 's/:.*//; s/statement //' "$work/differ" | tr '\n' ' ')" = '8 9 10 12 14 ' ]
}

ORCS_BIN=$bin scripts/xsim_paper.sh --small "$work/run" >"$work/printed" 2>&1
check "the script ends with a table" grep -q '^21 statements: ' "$work/printed"
check "the verdicts are those of doc/papers/xsim.md" verdicts doc/papers/xsim.md "$work/run/statements.md"
sanitized || check "other results have other verdicts" mutant
check "an unknown option" says 2 "unknown option '--smal'" scripts/xsim_paper.sh --smal

# Table I: 32 bits from the first host to the second, and from the first core to a core of the next processor; microseconds by hand
takes() { # MICROSECONDS HOST NAME SIZE
	ORCS_BIN=$bin scripts/xsim_paper.sh --network "$3" "$4" >"$work/net.dot" && "$bin/orcs" --quiet --engine latency -d --subset file_order --bytes 4 \
		-p "shift:$2" --flows "$work/flows" -o /dev/null "$work/net.dot" &&
		awk -F, -v wanted="$1" 'NR == 2 { is = ($9 - $8) * 1e6; exit !(is > wanted - 1e-4 && is < wanted + 1e-4) }' "$work/flows"
}
check "Ethernet" takes 50.032 1 ethernet 8
check "Ethernet with cores, on a processor" takes 0.642667 1 ethernet-cores 4x8
check "Ethernet with cores, between processors" takes 50.672 8 ethernet-cores 4x8
check "a mesh" takes 7.003636 1 mesh 4x4
for kind in mesh torus; do
	check "a $kind of two cores, on a processor" takes 0.643333 1 dual-$kind 3x3x3
	check "a $kind of two cores, between processors" takes 7.643636 2 dual-$kind 3x3x3
done
check "an unknown network" says 2 "unknown network 'token-ring'" scripts/xsim_paper.sh --network token-ring 4

# all pairs, against the tables of the same routes
if have python3; then
	set -- star:5 ring:7,hosts=direct ring:5,oneway mesh:5x2x3,hosts=3 torus:6x3,wrap=1:0 torus:4x5 xgft:2:1/3:2/2:2 xgft:2:2/3:1 hyperx:3x4,hosts=2 hypercube:3 \
		dragonfly:p=2,a=4,h=2 twisted:4x4,jump=1:0 bcube:n=3,k=1 star:3/mesh:2x2/mesh:3x3 mesh:2x2/mesh:4x4 torus:3x3/star:4 ring:4/ring:3,hosts=direct \
		fattree:k=4,n=2/fattree:k=4,n=2 star:2/ring:3/star:2/mesh:2x2,hosts=direct ring:3,oneway/mesh:2x2,hosts=direct
	sanitized && set -- "$1" "$4" "${17}" "${19}"
	check "the distances of all pairs" python3 tests/papers/distances.py "$bin" "$@"
	check "a difference is seen" says 1 'differ: ring:5' sh -c "mkdir $work/wrong && printf '#!/bin/sh\n$bin/orcs-topology \"\$@\" | sed \"s/,10\$/,11/\"\n' >$work/wrong/orcs-topology &&
		chmod +x $work/wrong/orcs-topology && python3 tests/papers/distances.py $work/wrong ring:5"
else
	skip "python3 is not installed: distances against routes"
fi
check "distances without routes" says 2 'has no routing function, whose routes the distances are' "$bin/orcs-topology" --distances slimfly:q=5
check "distances and a graph" says 2 '^orcs-topology: --distances writes no graph' "$bin/orcs-topology" --distances --tables ring:5
check "distances of 65,536 hosts" says 0 '4294901760 pairs, 170.666667 channels on average, latency 0.000170666667 s, at most 0.00051 s' \
	"$bin/orcs-topology" --distances --latency 1e-6 mesh:256x256,hosts=direct
if have time && ! sanitized; then
	small_enough() {
		command time -f %M -o "$work/memory" "$bin/orcs" --engine latency -p random:1000000 -o /dev/null star:1024/mesh:2x2/mesh:8x8 &&
			[ "$(tail -n 1 "$work/memory")" -lt 1000000 ]
	}
	check "a million messages between 262,144 cores in 1 GB" small_enough
else
	skip "time is not installed, or sanitizers: 262,144 cores"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
