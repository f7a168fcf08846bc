#!/bin/sh
# The flow engine against SimGrid, where that is installed: when messages end, on random fabrics: simgrid.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

skip() { # WHY
	echo "SKIPPED: $1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
if ! command -v g++ >/dev/null 2>&1 || [ ! -f /usr/include/simgrid/s4u.hpp ]; then
	skip 'SimGrid is not installed (Debian: apt-get install g++ libsimgrid-dev): nothing to compare with'
fi
g++ -std=c++17 -O1 bench/flow_simgrid.cpp -o "$work/flow_simgrid" -lsimgrid >"$work/said" 2>&1 ||
	skip "bench/flow_simgrid.cpp does not go with this SimGrid: $(grep -m 1 error "$work/said")"

# A random fabric, routed; the channels have speeds of their own.
make_fabric() { # SEED
	case $(($1 % 5)) in
	0) set -- "$1" "jellyfish:switches=$((12 + $1 % 7)),ports=7,links=4,seed=$1" sssp-orcs ;;
	1) set -- "$1" torus:4x3x3,hosts=2 minhop-orcs ;;
	2) set -- "$1" xgft:4:1/4:3/3:2 ftree-orcs ;;
	3) set -- "$1" dragonfly:p=2,a=4,h=2 nue ;;
	4) set -- "$1" mesh:5x4,hosts=2 updn-orcs ;;
	esac
	"$bin/orcs-topology" --seed="$1" --fail-links=5% --keep-connected "$2" |
		"$bin/orcs-route" --quiet --seed="$1" "$3" -o "$work/routed.dot" &&
		awk -v seed="$1" '
			BEGIN { srand(seed) }
			/ -> / {
				speed = sprintf("speed=\"%d\"];", 10 * (1 + int(10 * rand())))
				sub(/\];$/, ", " speed) || sub(/;$/, " [" speed)
			}
			{ print }' "$work/routed.dot" >"$work/fabric.dot"
}

# Messages of random sizes between 36 tasks.
write_trace() { # SEED
	awk -v seed="$1" '
		BEGIN {
			srand(seed)
			for (i = 0; i < 150; i++) {
				s = int(36 * rand())
				d = (s + 1 + int(35 * rand())) % 36
				line[i] = s " " d " " i " " 1000 + int(1e8 * rand())
				print "s", line[i]
			}
			for (i = 0; i < 150; i++)
				print "r", line[i]
		}'
	echo c 35 0
}

# What SimGrid says of the flows in the file: the largest relative difference between the ends.
difference() { # none|data|level FILE
	"$work/flow_simgrid" "$work/fabric.dot" "$2" 10e9 "$1" 2>"$work/simgrid" >"$work/ends" &&
		sed -n 's/.*"difference": \([^}]*\)}.*/\1/p' "$work/simgrid"
}

agrees() { # SEED
	make_fabric "$1" || return
	case $(($1 / 5 % 5)) in
	0 | 1)
		write_trace "$1" >"$work/trace"
		sync=none pattern=trace:$work/trace tasks=36 ;;
	2) sync=data pattern=bruck tasks=33 ;;
	3) sync=data pattern=recdbl tasks=32 ;;
	4) sync=level pattern=alltoall tasks=17 ;;
	esac
	how="$sync"
	[ "$sync" != none ] || how=level # of one level
	"$bin/orcs" --engine flow --metric makespan --seed "$1" -s "$tasks" --subset rand -p "$pattern" --sync "$how" --bytes 1234567 \
		--flows "$work/flows" "$work/fabric.dot" || return
	far=$(difference "$sync" "$work/flows")
	cat "$work/simgrid"
	awk -v far="${far:-1}" 'BEGIN { exit !(far < 1e-6) }'
}

for seed in $(seq 50); do
	check "SimGrid finds other times: instance $seed" agrees "$seed"
done
noticed() { # an end that is wrong by a hundredth
	make_fabric 1 && write_trace 1 >"$work/trace" &&
		"$bin/orcs" --engine flow --metric makespan -p "trace:$work/trace" -s 36 --flows "$work/flows" "$work/fabric.dot" || return
	awk -F , -v OFS=, 'NR == 8 { $9 *= 1.01 } { print }' "$work/flows" >"$work/wrong"
	awk -v right="$(difference none "$work/flows")" -v wrong="$(difference none "$work/wrong")" 'BEGIN {
		exit !(right < 1e-6 && wrong > 0.009) }'
}
check 'a wrong time is not noticed' noticed

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
