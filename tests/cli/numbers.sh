#!/bin/sh
# Every number that comes from outside, of options, specifications and files: numbers.sh BIN_DIR. Each stands once in the table below, with a
# command in which @ is its place. A good one is taken; hexadecimal ones, infinities, blanks before, text behind and numbers out of their range
# are refused: the documented status, nothing on standard output, and one line of error that names the option, or the file and the line.
set -u

PATH=$(cd "$1" && pwd):$PATH
export PATH
work=$(mktemp -d)
export T="$work" # for the commands
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# What is no number of a kind, one a line.
no_number() {
	case $1 in
	whole) printf '%s\n' +1 0x1 0X1p1 1e1 1.5 inf nan ' 1' '1 ' 1x 99999999999999999999 -99999999999999999999 ;;
	real) printf '%s\n' +1 1e-400 0x1 0x1p-2 +0x1 inf -inf infinity nan 'nan(1)' ' 1' '1 ' 1x 1e1e 1e999 . e ;;
	size) printf '%s\n' +1 +1k 1e-400 0x10 0x1p4 inf nan ' 1' '1 ' 1x 1kk 1e19 -1 . ;;
	guid) printf '%s\n' 0x 0x0x1 x1 g 0x1g -1 +1 ' 1' '1 ' 0x12345678901234567 12345678901234567 ;;
	digits) printf '%s\n' +1 0x1 1e1 1.5 inf nan 1x -1 99999999999999999999 ;; # a word of a line: blanks around it are the line's
	lanes) printf '%s\n' 0x1 1e1 1.5 inf nan +1 -1 ' 1' 99999999999999999999 ;;
	word) printf '%s\n' +1 1e-400 0x1p-2 inf nan 1x 1e999 -1 . ;;
	cell) printf '%s\n' 0x 0x1g 1x 1e1x 1.5.5 0x1p1 0x12345678901234567 ;; # hexadecimal numbers are fine, here and there
	any) printf '%s\n' +1 1e-400 -1e-400 0x1 0x1p-2 inf -inf nan '1 ' 1x 1e999 . ;; # negative ones too
	esac
}

# attempt COMMAND VALUE: runs it, @ being the value.
attempt() {
	sh -c "$(printf '%s' "$1" | awk -v value="$2" '{ gsub(/@/, value); print }')" >"$work/out" 2>"$work/err" </dev/null
}

count() {
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: '$3' $4: $2"
		sed 's/^/    /' "$work/err" | tail -n 3
	fi
}

refused() {
	[ "$1" -eq "$2" ] && [ ! -s "$work/out" ] && [ "$(grep -vc -e ': note: ' -e ': warning: ' "$work/err")" -eq 1 ] && grep -qF -e "$3" "$work/err"
}

# With the sanitizers every fourth row.
rows=0 every=1
case $PATH in */san/*) every=4 ;; esac

# The kind of number, the status of those refused, what the message names ("~" is a blank), a good one, others out of range ("," between
# them, "-": none): the command.
while IFS= read -r line; do
	case $line in '' | '#'*) continue ;; esac
	command=${line#*: }
	# shellcheck disable=SC2086 # words
	set -f && set -- ${line%%: *} && set +f
	rows=$((rows + 1))
	if [ $((rows % every)) -ne 0 ]; then
		continue
	fi
	kind=$1 status=$2 needle=$(echo "$3" | tr '~' ' ') good=$4 beyond=$5
	attempt "$command" "$good"
	count $? "$command" "$good" "is refused"
	{
		no_number "$kind"
		[ "$beyond" = - ] || echo "$beyond" | tr , '\n'
	} >"$work/values"
	while IFS= read -r value; do
		attempt "$command" "$value"
		refused $? "$status" "$needle"
		count $? "$command" "$value" "is not refused as it should be"
	done <"$work/values"
done <<'TABLE'
# Options of orcs.
whole 2 --runs 2 0,-1,1099511627777: orcs -n '@' star:4
whole 2 --first-ranks 2 -1,4294967295: orcs -p ptrnvsptrn -f ring -c ring -z '@' star:4
whole 2 --ptrn_level 0 -1: orcs -p ring -l '@' star:4
whole 2 --ranks 2 -1,4294967295: orcs -s '@' star:4
whole 2 --seed 7 -1,9223372036854775808: orcs --seed '@' star:4
real 2 --precision 0.5 0,-1,1e-999: orcs -n 100 --precision '@' star:4
real 2 --scale~absolute 2 0,-1: orcs --metric get_cable_cong --scale 'absolute:@' star:4
any 2 --fail-if 0.1 -: orcs --fail-if 'bw<@' star:4
size 2 --route-memory 1M -: orcs --route-memory '@' star:4
size 2 --bytes 1k 0: orcs --engine flow --bytes '@' star:4
real 2 --capacity 1e9 0,-1: orcs --engine flow --capacity '@' star:4
real 2 --latency 1us -1,1xs,1e-14,0.9ps: orcs --engine flow --latency '@' star:4
real 2 --memory-capacity 1G 0,-1: orcs --engine flow --memory-capacity '@' star:4
real 2 --priority 2 0,-1,1e9: orcs --engine flow --priority 'share:1,@' star:4
real 2 --fail-at 1us -1,1e7,2e6s,1xs,1e-14,0.9ps: orcs --engine flow --fail-at '@:S1_0:1' star:4
whole 2 --fail-at 1 0,-1,5: orcs --engine flow --fail-at '1us:S1_0:@' star:4
# Of packets.
whole 2 --virtual-lanes 2 0,-1,256: orcs --engine packet --lanes '@' star:4
real 2 --internal-rate 1.5 0,0.5,-1,1001: orcs --engine packet --internal-rate '@' --bytes 4k star:4
whole 2 --speedup 2 -1,256: orcs --engine packet --speedup '@' star:4
size 2 --mtu 1k 0,1G: orcs --engine packet --mtu '@' --bytes 4k star:4
size 2 --buffer 64k 0,3G: orcs --engine packet --buffer '@' --bytes 4k star:4
size 2 --eager 1k 3G: orcs --engine packet --eager '@' --bytes 4k star:4
size 2 --rts-size 64 0,1G: orcs --engine packet --control-packet '@' --eager 0 --bytes 4k star:4
real 2 --injection-rate 10G 0,-1: orcs --engine packet --injection-rate '@' --bytes 4k star:4
real 2 --delivery-rate 10G 0,-1: orcs --engine packet --delivery-rate '@' --bytes 4k star:4
real 2 --injection-latency 1us -1,1e7,1e-14,0.9ps: orcs --engine packet --injection-latency '@' --bytes 4k star:4
real 2 --delivery-latency 1us -1,1e7,1e-14,0.9ps: orcs --engine packet --delivery-latency '@' --bytes 4k star:4
real 2 --routing-delay 1ns -1,1e7,1e-14,0.9ps: orcs --engine packet --routing-delay '@' --bytes 4k star:4
real 2 --arbitration-delay 1ns -1,1e7,1e-14,0.9ps: orcs --engine packet --arbitration-delay '@' --bytes 4k star:4
real 2 --credit-delay 1ns -1,1e7,1e-14,0.9ps: orcs --engine packet --credit-delay '@' --bytes 4k star:4
real 2 --load 0.3 0,-1,11,1e-10,0.3:,0.1:0.2,0.1:0.2:1e-10: orcs --engine packet --load '@' --warmup 1us --measure 1us star:2
real 2 --load 0.3 0,-1,11,1e-10: orcs --engine packet --sweep 'load=@' --warmup 1us --measure 1us star:2
real 2 --load 0.3 0.1,11: orcs --engine packet --load '0.2:@:0.1' --warmup 1us --measure 1us star:2
real 2 --load 0.1 0,-1,1e-10: orcs --engine packet --load '0.2:0.3:@' --warmup 1us --measure 1us star:2
real 2 --interarrival 10us -1,1e7,1e-14,10us:,10us:20us,10us:20us:x1: orcs --engine packet --interarrival '@' --warmup 1us --measure 1us star:2
real 2 --interarrival 10us -1,1e7: orcs --engine packet --sweep 'interarrival=@' --warmup 1us --measure 1us star:2
size 2 bytes 64 0,2T,64:128,64:128:x1: orcs --engine packet -p shift:1 --sweep 'bytes=@' star:2
real 2 onoff 20 0,-1,1e10: orcs --engine packet --injection 'onoff:@' --load 0.3 --warmup 1us --measure 1us star:2
real 2 --warmup 1us -1,1e7,1e-14,0.9ps: orcs --engine packet --load 0.3 --warmup '@' --measure 1us star:2
real 2 --measure 1us 0,-1,1e7,1e-14,0.9ps: orcs --engine packet --load 0.3 --warmup 1us --measure '@' star:2
real 2 --drain 1us -1,1e7,1e-14,0.9ps: orcs --engine packet --load 0.3 --warmup 1us --measure 1us --drain '@' star:2
real 2 local 0.5 0,-1,1.5: orcs --engine packet --traffic 'local:@' --load 0.3 --warmup 1us --measure 1us star:2
# Specifications.
whole 2 shift 1 2147483648: orcs -p 'shift:@' star:4
whole 2 stencil 2 0,-2: orcs -p 'stencil:2x@' star:4
whole 2 hotspot 1 0,-1: orcs -p 'hotspot:@' star:4
whole 2 random 5 -1: orcs --engine flow -p 'random:@' star:4
real 2 mapreduce 50 -1,101: orcs --engine flow -p 'mapreduce:@' star:4
whole 2 phases 2 0,-1: orcs --engine flow -p 'phases:alltoall_flood,@' star:4
real 2 local 0.5 0,-1,1.5: orcs --engine flow -p 'local:5,@' star:4
whole 2 torus 4 0,-1: orcs 'torus:4x@'
whole 2 torus 1 -1,4294967296: orcs 'torus:4x4,hosts=@'
# Other programs.
whole 2 --seed 7 -1: orcs-route --seed '@' minhop star:4
whole 2 --virtual-lanes 4 0,-1,16: orcs-route --lanes '@' minhop star:4
whole 2 --sl 1 -1,16: orcs-check --sl '@' star:4
real 2 balanced 5 0,-1: orcs-check --require 'balanced:@' star:4
real 2 --epsilon 0.1 0,-1: orcs-bound --epsilon '@' star:4
whole 2 --max-phases 9 0,-1: orcs-bound --max-phases '@' star:4
whole 2 --levels 2 0,-1,9: orcs-bound --levels '@' star:4
whole 2 --top 2 -1: orcs-bound --top '@' star:4
whole 2 --seed 2 -1: orcs-bound --seed '@' star:4
whole 2 --runs 2 0,-1: orcs-compare -n '@' --routing minhop,dor torus:4
real 2 --precision 0.5 0,-1: orcs-compare -n 100 --precision '@' --routing minhop,dor torus:4
whole 2 --seed 2 -1: orcs-compare -n 2 --seed '@' --routing minhop,dor torus:4
whole 2 --ranks 2 -1: orcs-compare -n 2 -s '@' --routing minhop,dor torus:4
whole 2 --rails 1 0,-1,1001: orcs-import --rails '@' tests/import/data/small.topology
real 2 --speed 100 0,-1,1e13: orcs-topology --speed '@' star:4
real 2 --latency 1e-6 0,-1,1001,1e7: orcs-topology --latency '@' star:4
whole 2 --seed 2 -1: orcs-topology --fail-links 1 --seed '@' torus:4
whole 2 --fail 2 0,-1,5: orcs-topology --fail 'S1_0:@' star:4
whole 2 --fail-links 1 -1,100%%,-1%,inf%,nan%,0x1%,101%: orcs-topology --fail-links '@' torus:4x4
whole 2 --fail-switches 10% -1,-1%,0x1p1%,1e999%: orcs-topology --fail-switches '@' torus:4x4
# Graphs.
guid 3 f.dot:2:~ 0x00a1 -: printf 'digraph {\n H1 [guid="@"];\n H1 -> S; H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs -p null $T/f.dot
whole 3 f.dot:2:~ 7 -1,49152: printf 'digraph {\n H1 [lid="@"];\n H1 -> S; H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs -p null $T/f.dot
digits 3 f.dot:2:~ 5,8-11 0,49152,8-5,5-,5-0xa: printf 'digraph {\n H1 [lids="@"];\n H1 -> S; H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs -p null $T/f.dot
whole 3 f.dot:2:~ 36 -1,4294967295: printf 'digraph {\n S [ports="@"];\n H1 -> S; H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs -p null $T/f.dot
whole 3 f.dot:2:~ 1 -1,4294967295: printf 'digraph {\n H1 -> S [port="@"];\n H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs -p null $T/f.dot
whole 3 f.dot:2:~ 1 -1,4294967295: printf 'digraph {\n H1 -> S [peer_port="@"];\n H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs -p null $T/f.dot
real 3 f.dot:2:~ 100 0,-1,1e-7,1e13: printf 'digraph {\n H1 -> S [speed="@"];\n H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs -p null $T/f.dot
real 3 f.dot:2:~ 1e-6 -1,1e4,1e-13: printf 'digraph {\n H1 -> S [latency="@"];\n H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs -p null $T/f.dot
lanes 3 f.dot:2:~ 4x 0,3,4xx,x,16x,-4x: printf 'digraph {\n H1 -> S [width="@"];\n H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs -p null $T/f.dot
digits 3 f.dot:2:~ 3 0,2147483648: printf 'digraph {\n S -> H1 [comment="H1", weights="@:H1"];\n S -> H2; H1 -> S; H2 -> S }' >$T/f.dot; orcs -p null $T/f.dot
digits 3 f.dot:2:~ 3 16: printf 'digraph {\n H1 [sl="@:H2"];\n S -> H1 [comment=H1]; S -> H2 [comment=H2]; H1 -> S [comment="*"]; H2 -> S [comment="*"] }' >$T/f.dot; orcs-check $T/f.dot
digits 3 f.dot 3 256,1-,4-3: printf 'digraph {\n S -> H1 [comment=H1, sl2vl="@:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"];\n S -> H2 [comment=H2]; H1 -> S [comment="*"]; H2 -> S [comment="*"] }' >$T/f.dot; orcs-check $T/f.dot
digits 3 f.dot 3 16: printf 'digraph {\n S -> H1 [comment=H1, sl2vl="1:0,@,0,0,0,0,0,0,0,0,0,0,0,0,0,0"];\n S -> H2 [comment=H2]; H1 -> S [comment="*"]; H2 -> S [comment="*"] }' >$T/f.dot; orcs-check $T/f.dot
whole 3 f.dot 1 -1,255: printf 'digraph {\n H1 -> S [port="@"];\n H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs-export --to ibnetdiscover $T/f.dot
whole 3 f.dot 36 -1,256: printf 'digraph {\n S [ports="@"];\n H1 -> S; H2 -> S; S -> H1; S -> H2 }' >$T/f.dot; orcs-export --to ibnetdiscover $T/f.dot
real 3 f.dot 3 -1: printf 'digraph {\n H1 -> S [congestion_sum="@"]; S -> H1 }' >$T/f.dot; orcs-draw $T/f.dot -o $T/f.svg
whole 3 f.dot 3 -1: printf 'digraph { orcs_runs="@";\n H1 -> S [congestion_sum=1]; S -> H1 }' >$T/f.dot; orcs-draw $T/f.dot -o $T/f.svg
whole 3 f.dot 3 -1: printf 'digraph { orcs_levels="@";\n H1 -> S [congestion_sum=1]; S -> H1 }' >$T/f.dot; orcs-draw $T/f.dot -o $T/f.svg
real 3 f.dot 3 -1: printf 'digraph { orcs_full_sum="@";\n H1 -> S [congestion_sum=1]; S -> H1 }' >$T/f.dot; orcs-draw $T/f.dot -o $T/f.svg
guid 3 H 1a -: printf 'digraph { "H@" -> S; S -> "H@" }' >$T/f.dot; orcs -p null --subset guid_asc $T/f.dot
# Routes, patterns, traces.
word 3 f.routes:2:~ 0.5 0: orcs-topology star:3 >$T/s.dot; printf '1 H0,S1_0,H1\n@ H0,S1_0,H2\n' >$T/f.routes; orcs -p null --routes $T/f.routes $T/s.dot
digits 3 f.routes:1:~ 2 0,4: printf 'digraph { H0 -> S0; H1 -> S0; S0 -> H0; S0 -> H1; S0 -> H1 }' >$T/s.dot; printf '1 H0,S0:@,H1\n' >$T/f.routes; orcs -p null --routes $T/f.routes $T/s.dot
digits 2 f.txt:2:~ 0 10000000: printf '0 0 1\n@ 0 1\n' >$T/f.txt; orcs -p file:$T/f.txt star:4
digits 2 f.txt:2:~ 0 4: printf '0 0 1\n0 @ 1\n' >$T/f.txt; orcs -p file:$T/f.txt star:4
digits 2 f.txt:2:~ 1 4: printf '0 0 1\n0 0 @\n' >$T/f.txt; orcs -p file:$T/f.txt star:4
word 2 f.txt:2:~ 4k 1e18: printf '0 0 1\n0 0 1 @\n' >$T/f.txt; orcs --engine flow -p file:$T/f.txt star:4
digits 2 f.goal:1:~ 2 0: printf 'num_ranks @\n' >$T/f.goal; orcs --engine flow -p goal:$T/f.goal star:4
digits 2 f.goal:2:~ 0 2: printf 'num_ranks 2\nrank @ {\n}\n' >$T/f.goal; orcs --engine flow -p goal:$T/f.goal star:4
digits 2 f.goal:3:~ 8 9007199254740993: printf 'num_ranks 2\nrank 0 {\nsend @b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n' >$T/f.goal; orcs --engine flow -p goal:$T/f.goal star:4
digits 2 f.goal:3:~ 1 2: printf 'num_ranks 2\nrank 0 {\nsend 8b to @\n}\nrank 1 {\nrecv 8b from 0\n}\n' >$T/f.goal; orcs --engine flow -p goal:$T/f.goal star:4
digits 2 f.goal:3:~ 0 4294967296: printf 'num_ranks 2\nrank 0 {\nsend 8b to 1 tag @\n}\nrank 1 {\nrecv 8b from 0 tag 0\n}\n' >$T/f.goal; orcs --engine flow -p goal:$T/f.goal star:4
digits 2 f.goal:3:~ 0 -: printf 'num_ranks 2\nrank 0 {\nsend 8b to 1 cpu @\n}\nrank 1 {\nrecv 8b from 0\n}\n' >$T/f.goal; orcs --engine flow -p goal:$T/f.goal star:4
digits 2 f.goal:3:~ 9 9007199254740993: printf 'num_ranks 2\nrank 0 {\ncalc @\n}\n' >$T/f.goal; orcs --engine flow -p goal:$T/f.goal star:4
digits 2 f.trace:2:~ 9 9007199254740993: printf 'c 0 1\ns 0 1 0 @\nr 0 1 0 9\n' >$T/f.trace; orcs --engine flow -p trace:$T/f.trace star:4
word 2 f.trace:1:~ 0.5 -: printf 'c 0 @\nc 1 1\n' >$T/f.trace; orcs --engine flow -p trace:$T/f.trace star:4
word 2 f.jobs:1:~ 0.5 -: printf -- '@ 2 barrier\n' >$T/f.jobs; orcs --engine flow -p jobs:$T/f.jobs star:4
digits 2 f.jobs:1:~ 2 0: printf '0 @ barrier\n' >$T/f.jobs; orcs --engine flow -p jobs:$T/f.jobs star:4
word 2 f.jobs:1:~ 4k -: printf '0 2 barrier bytes=@\n' >$T/f.jobs; orcs --engine flow -p jobs:$T/f.jobs star:4
digits 2 f.jobs:1:~ 1 256: printf '0 2 barrier priority=@\n' >$T/f.jobs; orcs --engine flow -p jobs:$T/f.jobs star:4
word 2 f.jobs:1:~ 1.5 0,1e7: printf '0 2 barrier weight=@\n' >$T/f.jobs; orcs --engine flow -p jobs:$T/f.jobs star:4
digits 2 f.fail:2:~ 1 0,5: printf 'S1_0:2\nS1_0:@\n' >$T/f.fail; orcs-topology --fail-list $T/f.fail star:4
# Dumps. A width, a speed or a LID that is none at all is not known; a number must be one.
cell 3 f.db:15:~ 1 255,-1: sed '15s/,1,/,@,/' tests/import/data/small.db_csv >$T/f.db; orcs-import --quiet --topology $T/f.db
cell 3 f.db:4:~ 0x00a0 0: sed '4s/0x00000000000000a0,0x00000000000000a1/@,0x00000000000000a1/' tests/import/data/small.db_csv >$T/f.db; orcs-import --quiet --topology $T/f.db
cell 3 f.lst:1:~ 25 0x19,1e999: printf '{ SW Ports:24 SystemGUID:0000000000000100 NodeGUID:0000000000000100 PortGUID:0000000000000100 VenID:0002C9 DevID:D2F0 Rev:000000A1 {a} LID:0004 PN:01 } { CA Ports:01 SystemGUID:00000000000000a0 NodeGUID:00000000000000a0 PortGUID:00000000000000a1 VenID:0002C9 DevID:101B Rev:000000A1 {b} LID:0001 PN:01 } PHY=4x LOG=ACT SPD=@\n' >$T/f.lst; orcs-import --quiet --topology $T/f.lst
TABLE
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
