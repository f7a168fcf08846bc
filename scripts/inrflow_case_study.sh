#!/bin/sh
# inrflow_case_study.sh - repeats the case study of the INRFlow paper and judges its statements.
#
# Navaridas et al.: INRFlow: An interconnection networks research flow-level simulation framework, JPDC 130, 2019, section 4, Figures 7 to 9.
set -u
me=inrflow_case_study.sh
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
# shellcheck source=scripts/statements.sh
. "$here/statements.sh"

usage() {
	cat <<'EOF'
Usage: inrflow_case_study.sh [--small | --full] [OUTDIR]

Runs the case study of the INRFlow paper and judges its 26 statements. Writes to
OUTDIR (by default build/papers/inrflow) results.csv, with a row for every value,
statements.md, and, if gnuplot is installed, fig7.svg, fig8.svg and fig9.svg.

The paper does not give the axes, message sizes, numbers of flows, and sizes of
its curves: the statements are repeated, the curves are not. By default Figure 7
has up to 65,536 hosts, Figures 8 and 9 have 4,096; with --full Figure 7 has up to
a million hosts and Figures 8 and 9 have 64,000. --small has 512 and 4,096 hosts,
of Figure 8 five workloads, and no Figure 9. A run of more than ten
minutes or 3 GB (with --full 12 GB) has no result; its statements can be open.

ORCS_BIN=DIR is the folder of the programs (by default build); JOBS=N runs are
made at a time (by default 2).
EOF
}

begin_paper inrflow 'small full' "$@"
jobs=${JOBS:-2}
case $jobs in
'' | *[!0-9]* | 0*) die "JOBS is '$jobs', not a number above 0" 2 ;;
esac
workers=
trap 'kill $workers 2>/dev/null; exit 143' HUP INT TERM

seeds='1 2 3 4 5'
memory=3000000 # kB
case $size in
small) sizes='512 4096' big=4096 seeds='1 2 3' ;;
default) sizes='512 4096 46656 65536' big=4096 ;;
full) sizes='512 4096 46656 65536 262144 1048576' big=64000 memory=12000000 ;;
esac

# The network of a family nearest to so many hosts.
network() { # FAMILY HOSTS SEED
	case $1:$2 in
	torus3:512) echo torus:8x8x8,hosts=direct ;;
	torus3:4096) echo torus:16x16x16,hosts=direct ;;
	torus3:65536 | torus3:64000) echo torus:40x40x40,hosts=direct ;;
	torus3:262144) echo torus:64x64x64,hosts=direct ;;
	torus3:*) echo torus:128x128x64,hosts=direct ;;
	torus6:512) echo torus:4x4x4x2x2x2,hosts=direct ;;
	torus6:4096) echo torus:4x4x4x4x4x4,hosts=direct ;;
	torus6:46656) echo torus:6x6x6x6x6x6,hosts=direct ;;
	torus6:65536 | torus6:64000) echo torus:8x8x8x8x4x4,hosts=direct ;;
	torus6:262144) echo torus:8x8x8x8x8x8,hosts=direct ;;
	torus6:*) echo torus:10x10x10x10x10x10,hosts=direct ;;
	fattree:512) echo fattree:8,3 ;;
	fattree:4096) echo fattree:16,3 ;;
	fattree:46656) echo fattree:36,3 ;;
	fattree:65536 | fattree:64000) echo fattree:40,3 ;;
	fattree:262144) echo fattree:64,3 ;;
	fattree:*) echo fattree:102,3 ;;
	thin2:512) echo thintree:8,4,3 ;;
	thin2:4096) echo thintree:16,8,3 ;;
	thin2:65536 | thin2:64000) echo thintree:40,20,3 ;;
	thin2:262144) echo thintree:64,32,3 ;;
	thin2:*) echo thintree:102,51,3 ;;
	thin4:512) echo thintree:8,2,3 ;;
	thin4:4096) echo thintree:16,4,3 ;;
	thin4:65536 | thin4:64000) echo thintree:40,10,3 ;;
	thin4:262144) echo thintree:64,16,3 ;;
	thin4:*) echo thintree:100,25,3 ;;
	dragonfly11*:512) echo dragonfly:p=4,a=8,h=4,arrangement=circulant ;;
	dragonfly11*:4096) echo dragonfly:p=6,a=12,h=6,arrangement=circulant ;;
	dragonfly11*:64000) echo dragonfly:p=12,a=24,h=12,arrangement=circulant ;;
	dragonfly11*:65536) echo dragonfly:p=11,a=22,h=11,arrangement=circulant ;;
	dragonfly11*:262144) echo dragonfly:p=16,a=32,h=16,arrangement=circulant ;;
	dragonfly11*) echo dragonfly:p=23,a=46,h=23,arrangement=circulant ;;
	dragonfly12*:512) echo dragonfly:p=2,a=8,h=4,arrangement=circulant ;;
	dragonfly12*:4096) echo dragonfly:p=3,a=14,h=7,arrangement=circulant ;;
	dragonfly12*:64000) echo dragonfly:p=7,a=28,h=14,arrangement=circulant ;;
	dragonfly12*:65536) echo dragonfly:p=7,a=26,h=13,arrangement=circulant ;;
	dragonfly12*:262144) echo dragonfly:p=10,a=38,h=19,arrangement=circulant ;;
	dragonfly12*) echo dragonfly:p=14,a=54,h=27,arrangement=circulant ;;
	jellyfish:512) echo "jellyfish:64,16,8,$3" ;;
	jellyfish:4096) echo "jellyfish:256,32,16,$3" ;;
	jellyfish:65536 | jellyfish:64000) echo "jellyfish:2000,64,32,$3" ;;
	jellyfish:262144) echo "jellyfish:8192,64,32,$3" ;;
	jellyfish:*) echo "jellyfish:31250,64,32,$3" ;;
	esac
}

# The routing of a family: dimension order, S-mod-k on trees, breadth-first on jellyfish; dragonflies minimal or Valiant.
routing() { # FAMILY
	case $1 in
	torus*) echo dor ;;
	*valiant) echo valiant ;;
	dragonfly*) echo min ;;
	jellyfish) echo bfs ;;
	*) echo smodk ;;
	esac
}

# Whether a run depends on its seed.
random() { # FAMILY WORKLOAD ROUTING
	case $1:$2:$3 in
	jellyfish:* | *:valiant | *:updown:random) ;;
	*:stencil:* | *:sweep:* | *:nbody:* | *:shift:* | *:bitrev:* | *:transpose:* | *:allreduce_butterfly:*) return 1 ;;
	esac
}

# Runs a workload and prints the numbers of its result that match, if it is this worker's turn. What runs out of time or memory has no row.
run() { # FIGURE FAMILY HOSTS WORKLOAD ROUTING MULTIPATH SEED METRIC KEYS
	[ "$7" = 1 ] || random "$2" "$4" "$5" || return 0
	count=$((count + 1))
	[ $((count % jobs)) -eq "$worker" ] || return 0
	ranks=0 # one for each host
	[ "$1" = 7 ] || ranks=$3
	multipath=
	[ "$6" = single ] || multipath=--multipath=$6
	case $9 in mean) metric=makespan ;; *) metric=throughput:simple,inrflow ;; esac
	# ranks in the order of the hosts: the default subset is another one
	(
		ulimit -v $memory
		exec timeout 600 "$bin/orcs" --quiet --engine flow --capacity 10e9 -d --subset file_order -s "$ranks" --seed "$7" -p "$4" -R "$5" $multipath \
			--metric "$metric" --format csv "$(network "$2" "$3" "$7")"
	) 2>"$work/$worker.why" >"$work/$worker.result" &
	running=$!
	wait $running || {
		echo "$me: $2, $3 hosts, $4, $5: no result: $(tail -n 1 "$work/$worker.why")" >&2
		return 0
	}
	awk -F , -v row="$count,$1,$2,$3,\"$4\",$5,$6,$7" -v metric="$8" -v keys="$9" '
		$2 ~ "^(" keys ")$" && $4 != "" { printf "%s,%s,%.6g\n", row, metric == "" ? $2 : metric, $4 }' "$work/$worker.result"
}

# ---- Figure 7: ten flows for each host, all at once

keys='restricted_per_host|non_restricted_per_host|restricted_per_port|non_restricted_per_port|non_restricted_inrflow_per_host|non_restricted_inrflow_per_port'
all_families='torus3 torus6 fattree thin2 thin4 dragonfly11 dragonfly12 dragonfly11valiant dragonfly12valiant jellyfish'

figure7() {
	for n in $sizes; do
		families=$all_families
		[ "$n" != 46656 ] || families='torus6 fattree' # the same number of hosts, and equal dimensions
		for family in $families; do
			for traffic in random hotregion; do
				for seed in $seeds; do
					[ "$seed" -le 3 ] || [ "$n" -le 4096 ] || continue
					[ "$seed" = 1 ] || [ "$n" -le 65536 ] || continue
					run 7 "$family" "$n" $traffic:$((10 * n)) "$(routing "$family")" single "$seed" '' "$keys"
				done
			done
		done
	done
}

# ---- Figure 8: the time of applications

grid2=64x64
grid3=16x16x16
powers='bitrev transpose'
[ $big = 4096 ] || grid2=256x250 grid3=40x40x40 powers= # they need a power of two
workloads="stencil:$grid2 stencil:$grid3 stencil:$grid2,torus stencil:$grid3,torus sweep:$grid2 sweep:$grid3 nbody unstructured:$((10 * big)),$big
	mapreduce:$(awk "BEGIN { print 3200 / $big }") dcntraffic:$((10 * big)) shift:$((big / 2 + 1)) phases:random:$((10 * big)),$big
	phases:hotregion:$((10 * big)),$big bisect allreduce_butterfly $powers"
[ "$size" != small ] || workloads="stencil:$grid2 stencil:$grid3 shift:$((big / 2 + 1)) bisect bitrev"

figure8() {
	for family in torus3 torus6 fattree thin2 thin4 dragonfly11valiant dragonfly12valiant jellyfish; do
		for workload in $workloads; do
			for seed in $seeds; do
				run 8 $family $big "$workload" "$(routing $family)" single "$seed" makespan mean
			done
		done
	done
}

# ---- Figure 9: several paths: a message split over all of them, and on trees also another way up for each pair

figure9() {
	for family in fattree thin2 thin4 jellyfish; do
		schemes='ecmp updown:random updown:roundrobin'
		[ $family != jellyfish ] || schemes='ecmp ksp:8'
		for workload in $workloads; do
			for scheme in $schemes; do # with one seed: a split takes long
				paths=split
				case $scheme in updown*) paths=single ;; esac
				run 9 $family $big "$workload" "$scheme" $paths 1 makespan mean
			done
		done
	done
}

# All runs whose turn it is, of so many workers.
work() { # WORKER
	worker=$1
	count=0
	running=
	trap 'kill $running 2>/dev/null; exit 143' HUP INT TERM
	figure7
	figure8
	[ "$size" = small ] || figure9
}

worker=0
while [ $worker -lt "$jobs" ]; do
	work $worker >"$work/$worker.rows" &
	workers="$workers $!"
	worker=$((worker + 1))
done
for pid in $workers; do
	wait "$pid" || exit 1
done
{
	echo figure,topology,n,workload,routing,multipath,seed,metric,value
	cat "$work"/*.rows | sort -s -t , -k 1,1n | cut -d , -f 2-
} >"$out/results.csv" || exit 1

begin_statements 'The case study of the INRFlow paper'
awk -v big=$big -f "$here/inrflow_statements.awk" "$out/results.csv" >>"$out/statements.md" || exit 1
end_statements
[ "$size" = small ] || ! command -v gnuplot >/dev/null 2>&1 || sh "$here/inrflow_figures.sh" "$out"
