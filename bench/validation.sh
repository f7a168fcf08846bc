#!/bin/sh
# validation.sh - the packet engine beside what theory and the published figures of other simulators say.

set -u
export LC_ALL=C
me=validation.sh

usage() {
	cat <<'EOT'
Usage: bench/validation.sh [small|quick|all|PART...]

Runs orcs --engine packet where the right answer is known, and prints a table: what
was expected, what was reached, the difference in percent (of an expected 0: in
percent of what is compared), what is allowed, and whether that holds. quick, the
default, takes two to three minutes; all also the large hierarchical tori, half an
hour; small some seconds: the exact cases alone. A PART is idle, theory, reference,
hinetsim, hinetsim_large, codes or flows. bench/validation_table.sh makes the tables
of doc/validation.md of all values. doc/validation.md tells where the
figures are from, the parameters, and why some differ. Ends with status 1 if
anything is missed. Run from the root of the repository, after make; ORCS=PROGRAM
(whose neighbour orcs-topology is) and BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

. bench/common.sh

case ${*-quick} in
small) parts=idle ;;
quick) parts='idle theory reference hinetsim codes flows' ;;
all) parts='idle theory reference hinetsim hinetsim_large codes flows' ;;
*) parts=$* ;;
esac
for part in $parts; do
	case $part in
	idle | theory | reference | hinetsim | hinetsim_large | codes | flows) ;;
	*) die "the argument is small, quick, all or parts, not '$part' (--help tells more)" ;;
	esac
done
checked=0
missed=0

# ---- rows

# Runs the packet engine; figure then tells of it.
run() { # ARGUMENT...
	command="orcs --engine packet $*"
	"$orcs" --quiet --engine packet --format csv "$@" >"$tmp/result" 2>"$tmp/said" || die "failed: $command: $(tail -n 1 "$tmp/said")"
}

# A figure of the last run.
figure() { # METRIC KEY
	awk -F , -v metric="$1" -v key="$2" '$1 == metric && $2 == key && $3 == "" { print $4; found = 1; exit } END { exit !found }' \
		"$tmp/result" || die "no $1.$2: $command"
}

# How long packets waited in the last run, in its unit.
waiting() {
	compute %.6f "$(figure packet_latency source) + $(figure packet_latency network)"
}

tell_row() { # EXPECTED VALUE DIFFERENCE ALLOWED VERDICT WHAT
	checked=$((checked + 1))
	[ "$5" != missed ] || missed=$((missed + 1))
	row expected "$1" value "$2" difference "$3" allowed "$4" verdict "$5" title "$title" what "$6"
}

# The value is what is expected, but for so many percent; without them it is only told.
near() { # WHAT EXPECTED VALUE PERCENT
	off=$(compute %.6f "$2 == 0 ? 100 * $3 : 100 * ($3 / $2 - 1)")
	tell_row "$2" "$(compute %.6g "$3")" "$(compute %.2f "$off")" "$4" "$(verdict "($off)^2" '<=' "${4:+$4^2}")" "$1"
}

# The value is not below LOW, nor above HIGH, but for so many percent.
between() { # WHAT LOW HIGH VALUE PERCENT
	if [ "$(compute %d "$4 < $2")" -eq 1 ]; then
		near "$1" "$2" "$4" "$5"
	elif [ "$(compute %d "$4 > $3")" -eq 1 ]; then
		near "$1" "$3" "$4" "$5"
	else
		tell_row "$2..$3" "$4" 0 "$5" met "$1"
	fi
}

# One value is below another one.
below() { # WHAT VALUE LIMIT
	tell_row "<$(compute %.4g "$3")" "$(compute %.4g "$2")" '' '' "$(verdict "$2" '<' "$3")" "$1"
}

part() { # TITLE
	title=$1
	printf '\n== %s\n' "$title"
	: >"$tmp/keys"
}

# ---- sums of parts: one-flit packets on an idle network

# Store and forward gives each channel its latency and the cycle of the flit.
single_flits='--cycles --store-forward --mtu 1 --bytes 1'

# All pairs, the reference's own pairs (through one switch) too; and lone messages, which must not wait at all.
zero_load() { # TOPOLOGY HOSTS BY_HAND OWN REFERENCE ARGUMENT...
	topology=$1 hosts=$2 by_hand=$3 own=$4 reference=$5
	shift 5
	# shellcheck disable=SC2086 # words
	run $single_flits -p alltoall --metric packet_latency "$@" "$topology"
	mean=$(compute %.6f "(($hosts - 1) * $(figure packet_latency wire) + $own) / $hosts")
	name=${topology##*/}
	near "$name: mean of all pairs, by hand" "$by_hand" "$mean" 0.00001
	[ -z "$reference" ] || near "$name: the same, reference" "$reference" "$mean" 1
	# shellcheck disable=SC2086 # words
	run $single_flits -p ring --metric packet_latency "$@" "$topology"
	near "$name: waiting of lone packets" 0 "$(waiting)" 0
}

zero_loads() {
	part 'zero load, cycles: each channel 1 + 1, each switch 2'
	set -- --latency 1 --routing-delay 2
	zero_load mesh:8x8 64 27 6 26.86 "$@"
	zero_load torus:8x8x8 512 30 6 29.95 "$@"
	zero_load fattree:k=4,n=3 64 19.5 6 19.49 "$@"
	zero_load hyperx:8x8,hosts=16 1024 13 6 13.00 "$@" --packet-routing min
	zero_load hyperx:16x16,hosts=4 1024 13.5 6 13.50 "$@" --packet-routing min
	zero_load hyperx:8x8x8,hosts=2 1024 16.5 6 '' "$@" --packet-routing min
	zero_load hyperx:4x4x4x4,hosts=4 1024 18 6 18.01 "$@" --packet-routing min
	part 'zero load, cycles: channels 1 + 1, 10 + 1, 100 + 1, each switch 1'
	# 4 of 1,056 on the same switch, 28 in the same group, else two local channels with a chance of 7/8 each
	zero_load "$tmp/dragonfly" 1056 "$(compute %.7f '(4 * 5 + 28 * 17 + 1024 * (107 + 2 * 7 / 8 * 12)) / 1056')" 5 '' \
		--routing-delay 1 --packet-routing min
}

# ---- queues of which theory knows

theory() {
	part 'head-of-line blocking: one queue at each input, all outputs alike, all offered (Karol, Hluchyj, Morgan 1987)'
	crossbar 2 0.75 0.5
	crossbar 4 0.6553 0.5
	crossbar 8 0.6184 0.5
	crossbar 64 0.5858 1.5
	part 'waiting for one link, in packet times, Poisson arrivals: M/D/1'
	for load in 0.1 0.3 0.5 0.7 0.8 0.9; do
		run --cycles --latency 0 --routing-delay 0 --buffer 100 --injection poisson --traffic shift:1 --load $load --warmup 20000 \
			--measure 3000000 --metric packet_latency star:2
		near "load $load" "$(compute %.6f "$load / (2 * (1 - $load))")" "$(waiting)" 3
	done
	part 'throughput of a saturated link'
	run --cycles --latency 1 --traffic file:"$tmp/pair" --mapping linear --subset file_order --load 1.5 --warmup 1000 --measure 10000 \
		--drain 0 --metric packet_throughput star:2
	near 'one flow' 1 "$(figure packet_throughput accepted)" 0.02
	run --cycles --latency 1 --traffic file:"$tmp/two" --mapping linear --subset file_order --load 1 --warmup 1000 --measure 10000 \
		--drain 0 --metric packet_throughput star:3
	near 'two flows into one port, each' 0.5 "$(figure packet_throughput accepted)" 0.02
}

# N inputs that send to N outputs: one half of the hosts to the other, and back.
crossbar() { # N EXPECTED PERCENT
	run --cycles --store-forward --latency 0 --routing-delay 0 --buffer 100000 --traffic bisection_all --load 1 --warmup 20000 \
		--measure 100000 --drain 0 --metric packet_throughput "star:$((2 * $1))"
	near "$1 x $1" "$2" "$(figure packet_throughput accepted)" "$3"
}

# ---- the cycle-based reference

dragonfly_at() { # WHAT LOAD EXPECTED PERCENT ARGUMENT...
	what=$1 load=$2 expected=$3 percent=$4
	shift 4
	# shellcheck disable=SC2086 # words
	run $single_flits --routing-delay 1 --buffer 256 --load "$load" --metric packet_latency,packet_throughput "$@" "$tmp/dragonfly"
	near "$what, load $load" "$expected" "$(figure packet_latency mean)" "$percent"
}

cycle_based() {
	part 'dragonfly p=h=4 a=8, 1,056 hosts: mean latency, cycles (3% below half of saturation)'
	set -- --packet-routing min --warmup 2000 --measure 10000
	dragonfly_at 'minimal, uniform' 0.1 124.8 3 "$@"
	dragonfly_at 'minimal, uniform' 0.2 125.2 3 "$@"
	dragonfly_at 'minimal, uniform' 0.3 125.9 3 "$@"
	dragonfly_at 'minimal, uniform' 0.4 127.0 10 "$@"
	dragonfly_at 'minimal, uniform' 0.5 129.7 10 "$@"
	# shellcheck disable=SC2086 # words
	run $single_flits --routing-delay 1 --buffer 256 --load 1 --packet-routing min --warmup 3000 --measure 2000 --drain 0 \
		--metric packet_throughput "$tmp/dragonfly"
	near 'minimal, uniform: accepted of all (collapse)' 0.64 "$(figure packet_throughput accepted)" 10
	# the rule of the reference, and others that were tried: thresholds where queues count times hops; what ugal is by default
	for routing in weight=2,threshold=30 threshold=30 threshold=40 threshold=45 threshold=50; do
		allowed=
		[ $routing != weight=2,threshold=30 ] || allowed=3
		set -- --packet-routing "ugal:load=local,credits=all,$routing" --warmup 2000 --measure 3000
		dragonfly_at "UGAL-L, uniform, $routing" 0.1 124.7 "$allowed" "$@"
		dragonfly_at "UGAL-L, uniform, $routing" 0.3 139.6 "$allowed" "$@"
		dragonfly_at "UGAL-L, uniform, $routing" 0.5 145.2 "${allowed:+10}" "$@"
	done
	set -- --packet-routing ugal --warmup 2000 --measure 3000
	dragonfly_at 'ugal against minimal of the reference, uniform' 0.1 124.8 3 "$@"
	dragonfly_at 'ugal against minimal of the reference, uniform' 0.3 125.9 3 "$@"
	dragonfly_at 'ugal against minimal of the reference, uniform' 0.5 129.7 10 "$@"
	set -- --packet-routing min --traffic bad_dragonfly --warmup 5000 --measure 20000
	dragonfly_at 'minimal, worst case' 0.01 128.3 3 "$@"
	dragonfly_at 'minimal, worst case' 0.02 130.0 10 "$@"
	dragonfly_at 'minimal, worst case' 0.025 136.4 10 "$@"
}

# ---- HiNetSim

full_load() { # WHAT EXPECTED ARGUMENT...
	what=$1 expected=$2
	shift 2
	run --mtu 1024 --bytes 1024 --buffer 4096 --capacity 40e9 --latency 10ns --load 1 --drain 0 --metric packet_throughput "$@"
	near "$what" "$expected" "$(figure packet_throughput accepted)" 10
}

hierarchical_torus() { # WIDTH LOW HIGH
	run --mtu 1024 --bytes 1024 --buffer 4096 --capacity 40e9 --latency 10ns --packet-routing zone --lanes 4 \
		--traffic mix:70,20,10 --saturation --warmup 40us --measure 20us --metric packet_throughput "torus:$1x$1x$1x$1/fullmesh:4,hosts=2"
	between "$1x$1x$1x$1, $((8 * $1 * $1 * $1 * $1)) hosts" "$2" "$3" "$(figure packet_throughput saturation)" 10
}

hierarchical='HiNetSim: 4.5-D tori, zone routing, traffic 70% within superblocks, 20% near, 10% far: saturation'

hinetsim() {
	part 'HiNetSim: flattened butterflies of 1,024 hosts, throughput'
	set -- --voq --packet-routing min --lanes 2 --warmup 40us --measure 40us
	full_load '8x8, 16 hosts each' 0.46 "$@" hyperx:8x8,hosts=16
	full_load '16x16, 4 hosts each' 0.915 "$@" hyperx:16x16,hosts=4
	full_load '8x8x8, 2 hosts each' 0.915 "$@" hyperx:8x8x8,hosts=2
	full_load '4x4x4x4, 4 hosts each' 0.81 "$@" hyperx:4x4x4x4,hosts=4
	part 'HiNetSim: 4-D torus of 4,096 hosts, dimension order, one lane of escape: throughput'
	set -- --packet-routing dor:bubble,ties=positive --warmup 40us --measure 20us
	full_load '2 lanes' 0.51 "$@" --lanes 2 torus:8x8x8x8
	full_load '3 lanes' 0.63 "$@" --lanes 3 torus:8x8x8x8
	full_load '4 lanes' 0.65 "$@" --lanes 4 torus:8x8x8x8
	part "$hierarchical"
	hierarchical_torus 3 0.75 0.75
}

# Between the ends the paper has a picture alone.
hinetsim_large() {
	part "$hierarchical"
	for width in 4 5 6 7; do
		hierarchical_torus $width 0.56 0.75
	done
	hierarchical_torus 8 0.56 0.56
}

# ---- CODES

worst_case() { # ROUTING
	# shellcheck disable=SC2086 # words
	run $single_flits --routing-delay 1 --buffer 256 --load 0.5 --traffic bad_dragonfly --packet-routing "$1" --warmup 2000 --measure 1000 \
		--drain 0 --metric packet_throughput "$tmp/dragonfly"
	figure packet_throughput accepted
}

# $hops, $latency, $blocked (seconds that a channel's buffers are full, in the mean), $time (of all).
neighbours() { # PATTERN TOPOLOGY ARGUMENT...
	pattern=$1 topology=$2
	shift 2
	run --mtu 512 --buffer 8192 --bytes 64k -p "$pattern" --mapping linear --subset file_order --metric packet_latency,link_busy,makespan "$@" \
		"$topology"
	hops=$(figure packet_latency hops)
	latency=$(figure packet_latency mean)
	time=$(figure makespan mean)
	# shellcheck disable=SC2034 # by eval
	blocked=$(compute %.6g "$(figure link_busy blocked) * $time")
}

codes() {
	part 'CODES: worst case on the dragonfly, throughput'
	minimal=$(worst_case min)
	adaptive=$(worst_case ugal)
	progressive=$(worst_case par)
	valiant=$(worst_case valiant)
	near 'minimal: 1/(a h)' 0.03125 "$minimal" 3
	below 'four times minimal, below adaptive' "$(compute %.6f "4 * $minimal")" "$adaptive"
	below 'adaptive, below half' "$adaptive" 0.5
	below '0.9 of non-minimal, below adaptive' "$(compute %.6f "0.9 * $valiant")" "$adaptive"
	below '0.9 of non-minimal, below progressive' "$(compute %.6f "0.9 * $valiant")" "$progressive"
	tell_row '' "$(worst_case ugal:load=local,weight=2,threshold=30,credits=all)" '' '' '' "adaptive by the rule of the reference"
	tell_row '' "$(worst_case ugal:load=local,threshold=0,credits=all)" '' '' '' "adaptive by queues of the switch alone"
	below 'four times minimal, below non-minimal' "$(compute %.6f "4 * $minimal")" "$valiant"
	below 'non-minimal: a little below half' "$valiant" 0.5
	part 'CODES: neighbours on a grid 22x8x6, dragonfly: orders'
	# CODES' adaptive routing compares the queues of the switch
	for routing in min ugal:load=local valiant; do
		neighbours stencil:22x8x6 "$tmp/edison" --packet-routing $routing
		routing=${routing%%:*}
		eval "hops_$routing=\$hops latency_$routing=\$latency time_$routing=\$time blocked_$routing=\$blocked"
	done
	# shellcheck disable=SC2154 # set by eval
	{
		below 'hops: minimal, below adaptive' "$hops_min" "$hops_ugal"
		below 'hops: adaptive, below non-minimal' "$hops_ugal" "$hops_valiant"
		below 'packet latency, s: adaptive, below minimal' "$latency_ugal" "$latency_min"
		below 'packet latency, s: non-minimal, below minimal' "$latency_valiant" "$latency_min"
		below 'full buffers, s: adaptive, below minimal' "$blocked_ugal" "$blocked_min"
		below 'full buffers, s: non-minimal, below minimal' "$blocked_valiant" "$blocked_min"
		below 'communication, s: adaptive, below minimal' "$time_ugal" "$time_min"
		below 'communication, s: non-minimal, below adaptive' "$time_valiant" "$time_ugal"
	}
	for routing in ugal par; do
		neighbours stencil:22x8x6 "$tmp/edison" --packet-routing $routing
		tell_row '' "$time" '' '' '' "communication, s: $routing"
	done
	part 'CODES: neighbours on a grid 8x8x8, tori of 512 hosts with 20 GB/s each: orders'
	neighbours stencil:8x8x8,torus torus:8x8x8,hosts=direct --capacity 26.67e9 --packet-routing dor:bubble --lanes 1
	hops_3=$hops latency_3=$latency time_3=$time
	more_dimensions torus:4x4x4x4x2 16e9 dor:bubble
	more_dimensions torus:4x4x2x2x2x2x2 11.43e9 dor:bubble
	more_dimensions hypercube:9 8.889e9 min
}

more_dimensions() { # TOPOLOGY CAPACITY ROUTING
	neighbours stencil:8x8x8,torus "$1,hosts=direct" --capacity "$2" --packet-routing "$3" --lanes 1
	below "hops: 3-D, below $1" "$hops_3" "$hops"
	below "packet latency, s: 3-D, below $1" "$latency_3" "$latency"
	below "communication, s: 3-D, below $1" "$time_3" "$time"
}

# ---- the flow engine

# By how many percent the end of a message differs at most.
agreement() { # TOPOLOGY PATTERN
	for engine in flow 'packet --buffer 64k'; do
		# shellcheck disable=SC2086 # words
		"$orcs" --quiet --engine $engine -p "$2" --bytes 4M --capacity 100e9 --latency 100ns --mapping linear --subset file_order \
			--metric makespan --flows "$tmp/${engine%% *}.flows" "$1" >/dev/null 2>"$tmp/said" ||
			die "failed: orcs --engine $engine -p $2 $1: $(tail -n 1 "$tmp/said")"
	done
	command="orcs --engine packet -p $2 --bytes 4M --capacity 100e9 --latency 100ns --mapping linear --subset file_order --buffer 64k $1"
	near "$1, $2" 0 "$(awk -F , '
		FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "end") column = i; next }
		NR == FNR { end[$1] = $column; next }
		{
			off = $column / end[$1] - 1
			off = off < 0 ? -off : off
			most = off > most ? off : most
			messages++
		}
		END { if (!messages) exit 1; printf "%.6f", most }' "$tmp/flow.flows" "$tmp/packet.flows")" 2
}

flows() {
	part 'ends of messages of 4 MB, beside the flow engine: the largest difference'
	agreement star:8 alltoone
	agreement tree:4,3 bisect_fb_sym
	agreement tree:2,5 bitcomp
	agreement tree:4,3 shift:16
	agreement xgft:4:1/4:2 shift:4
	agreement fattree:4,3 shift:7
	agreement fattree:8,2 recdbl
	agreement fattree:4,3 bruck
	agreement fattree:4,3 alltoall
}

machine
"$programs/orcs-topology" --latency 1e-9/10e-9/100e-9 dragonfly:p=4,a=8,h=4 -o "$tmp/dragonfly" || exit 1
"$programs/orcs-topology" --speed 45.1/45.1/40.4 --latency 10e-9/10e-9/100e-9 dragonfly:p=4,a=8,h=4 -o "$tmp/edison" || exit 1
echo '0 0 1' >"$tmp/pair"
printf '0 0 2\n0 1 2\n' >"$tmp/two"
for part in $parts; do
	case $part in
	idle) zero_loads ;;
	reference) cycle_based ;;
	*) "$part" ;;
	esac
done
printf '\n%d of %d as expected\n' $((checked - missed)) $checked
[ $missed -eq 0 ]
