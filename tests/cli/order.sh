#!/bin/sh
# orcs-order: sums by an independent count, launchers that are real, reproducibility and errors: order.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'end_all; rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM
. tests/lib.sh
PATH=$bin:$PATH:/usr/sbin:/sbin
export PATH

end_all() {
	[ ! -f "$work/pids" ] || kill -KILL $(cat "$work/pids") 2>/dev/null # slurmd does not always end when it is asked to
	wait 2>/dev/null
}

tree=examples/fattree324.dot

# ---- sums
mkdir "$work/graphs"
check "sums by an independent count" python3 tests/cli/order.py "$bin/orcs-order" "$bin/orcs-route" "$work/graphs"
# What orcs counts for the order is what was reported.
counted() { # PATTERN
	orcs-order --quiet -p "$1" -s 60 --passes 10 -o "$work/order" --report "$work/report" "$tree" &&
		orcs --quiet -p "$1" -s 60 --mapping "file:$work/order" --metric sum_max_cong "$tree" >"$work/sum" &&
		jq -e --argjson sum "$(sed -n 's/^mean: //p' "$work/sum")" '.sums.found == $sum' "$work/report"
}
for pattern in recdbl allshifts bruck stencil:6x10 tree; do
	check "orcs counts what was found for $pattern" counted $pattern
done

# ---- the same order again
again() {
	orcs-order --quiet --time 0.3 -p allshifts -s 40 -o "$work/first" --report "$work/report" "$tree" &&
		orcs-order --quiet --passes "$(jq .passes "$work/report")" -p allshifts -s 40 -o "$work/second" "$tree" &&
		cmp "$work/first" "$work/second"
}
check "the passes of --time repeat its order" again
same_twice() {
	orcs-order --quiet -p recdbl -s 40 "$tree" >"$work/first" && orcs-order --quiet -p recdbl -s 40 "$tree" >"$work/second" &&
		cmp "$work/first" "$work/second" && ! orcs-order --quiet --seed 2 -p allshifts --passes 3 -s 40 "$tree" | cmp -s - "$work/first"
}
check "the same command, the same order" same_twice
check "an optimal order ends the search" says 0 'the order is optimal +6$' orcs-order -p recdbl -s 40 -o "$work/order" "$tree"
check "what a search reports" says 0 '^orcs-order: 5 passes: [0-9]' orcs-order -v -p allshifts --passes 5 -s 40 -o "$work/order" "$tree"

# ---- launchers
cat >"$work/job.dot" <<'EOF'
digraph job {
EOF
for host in 1 2 3 4; do
	echo "\"H$host\" [type=\"host\", desc=\"node$host HCA-1\"]; \"H$host\" -> \"S$((host % 2))\" [comment=\"*\"]; \"S$((host % 2))\" -> \"H$host\" [comment=\"H$host\"];"
done >>"$work/job.dot"
echo '"S0" [type="switch"]; "S1" [type="switch"]; "S0" -> "S1" [comment="*"]; "S1" -> "S0" [comment="*"]; }' >>"$work/job.dot"
printf '0 5 1\n1 4 1\n2 7 1\n3 6 1\n' >"$work/weights"
orcs-order --quiet --weights "$work/weights" --ranks-per-host 2 --format rankfile -o "$work/rankfile" "$work/job.dot"
orcs-order --quiet --weights "$work/weights" --ranks-per-host 2 --format slurm-hostfile -o "$work/hostfile" "$work/job.dot"
check "both forms name the same machines" eval "sed 's/^rank [0-9]*=//; s/ slot=[01]\$//' '$work/rankfile' | cmp - '$work/hostfile'"
check "partners share a host" says 0 'found +0 ' orcs-order --weights "$work/weights" --ranks-per-host 2 -o "$work/order" "$work/job.dot"
awk '{ print NR - 1, $1 }' "$work/hostfile" >"$work/wanted"

# mpirun starts a daemon for each machine, by a command that runs it here.
cat >"$work/agent" <<'EOF'
#!/bin/sh
machine=$1
shift
export machine
exec sh -c "$*"
EOF
chmod +x "$work/agent"
start_ranks() {
	timeout -k 5 60 mpirun -mca oob_tcp_if_include lo -mca routed direct -mca plm_rsh_no_tree_spawn 1 -mca plm rsh -mca plm_rsh_agent "$work/agent" --host node1:2,node2:2,node3:2,node4:2 --rankfile "$work/rankfile" \
		sh -c 'echo $OMPI_COMM_WORLD_RANK $machine' >"$work/out" 2>"$work/err"
	cat "$work/err"
	sort -n "$work/out" | diff - "$work/wanted"
}
by_mpirun() {
	for try in 1 2 3; do # one in 25 starts of four daemons on one machine hangs
		! start_ranks || return 0
	done
	return 1
}
if have mpirun && [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
	check "mpirun takes the rankfile" by_mpirun
else
	skip "mpirun is not installed, or has one core only: nothing reads the rankfile"
fi

# slurmctld, and a slurmd for each machine, on the loopback device.
start_slurm() {
	machine=$(hostname -s)
	port=$((20000 + $$ * 8 % 20000))
	head -c 1024 /dev/urandom >"$work/key" && chmod 400 "$work/key" && mkdir "$work/state"
	munged --foreground --force --key-file="$work/key" --socket="$work/munge" --pid-file="$work/munged.pid" \
		--log-file="$work/munged.log" --seed-file="$work/seed" >"$work/munged.out" 2>&1 &
	echo $! >>"$work/pids"
	for try in $(seq 100); do
		[ ! -S "$work/munge" ] || break
		sleep 0.1
	done
	cat >"$work/slurm.conf" <<EOF
ClusterName=orcs
SlurmctldHost=$machine(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$work/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
EOF
	for n in 1 2 3 4; do
		echo "NodeName=node$n NodeHostname=$machine NodeAddr=127.0.0.1 Port=$((port + n)) CPUs=2 State=UNKNOWN"
	done >>"$work/slurm.conf"
	echo 'PartitionName=all Nodes=node[1-4] Default=YES State=UP' >>"$work/slurm.conf"
	export SLURM_CONF="$work/slurm.conf"
	slurmctld -D >"$work/slurmctld.log" 2>&1 &
	echo $! >>"$work/pids"
	for n in 1 2 3 4; do
		slurmd -D -N node$n >"$work/slurmd$n.log" 2>&1 &
		echo $! >>"$work/pids"
	done
	for try in $(seq 60); do
		[ "$(timeout -k 1 3 sinfo -h -t idle -o %D 2>/dev/null)" != 4 ] || return 0
		sleep 0.3
	done
	tail -n 2 "$work"/*.log
	return 1
}
by_srun() {
	SLURM_HOSTFILE=$work/hostfile timeout -k 5 60 srun -n 8 -N 4 -m arbitrary sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME' >"$work/out" 2>"$work/err"
	cat "$work/err"
	sort -n "$work/out" | diff - "$work/wanted"
}
if have srun && have slurmctld && have slurmd && have munged && [ "$(id -u)" -eq 0 ]; then
	check "Slurm starts" start_slurm
	check "srun takes the list of hosts" by_srun
else
	skip "Slurm is not installed, or this is not root: nothing reads the list of hosts"
fi

# ---- errors
printf 'X1\nH2\n' >"$work/two"
printf '0 1 x\n' >"$work/bad"
printf '9 1\n' >"$work/late"
sed 's/desc="node1 HCA-1"/desc="n$(id)"/' "$work/job.dot" >"$work/hostile.dot"
check "no pattern" says 2 'what the ranks send is missing: add --pattern' orcs-order "$tree"
check "a pattern that is none" says 2 "unknown pattern 'recdbI'.*did you mean 'recdbl'" orcs-order -p recdbI "$tree"
check "more ranks than hosts" says 2 'ranks|hosts' orcs-order -p recdbl -s 999 "$tree"
check "more ranks than hosts" says 2 '325 hosts are needed, but there are only 324; --ranks-per-host places' orcs-order -p recdbl -s 325 "$tree"
check "more to choose than there are" says 2 '400 hosts are needed, but there are only 324' orcs-order -p recdbl --choose 400 "$tree"
check "another number of ranks than the pattern's" says 2 'the grid has 9 cells, but there are 10 ranks' orcs-order -p stencil:3x3 -s 10 "$tree"
check "two ends" says 2 'give one of them' orcs-order -p recdbl --time 1 --passes 1 "$tree"
check "two numbers of ranks" says 2 'both tell the number of ranks' orcs-order -p recdbl --choose 4 -s 4 "$tree"
check "weights that are no numbers" says 2 "bad:1: not 'sender receiver weight'" orcs-order --weights "$work/bad" -s 4 "$tree"
check "weights of levels that are not there" says 2 'level 9: the pattern has the levels 0 to 1' orcs-order -p recdbl --weights "$work/late" -s 4 "$tree"
check "standard input twice" says 2 'standard input can be only one' orcs-order -p recdbl --hosts - -
check "hosts that the fabric does not have" says 2 "two:1: the fabric has no host 'X1'" orcs-order -p recdbl --hosts "$work/two" "$tree"
check "a name that launchers cannot use" says 3 "'n.\\(id\\)' is no machine that launchers reach" \
	orcs-order -p recdbl --format rankfile -o "$work/none" "$work/hostile.dot"
check "... leaves no file" [ ! -e "$work/none" ]
sed 's/"S0" -> "S1" \[comment="\*"\]/"S0" -> "S1" [comment="H1"]/' "$work/job.dot" >"$work/cut.dot"
check "a pair without a route" says 3 'no route|no entry|does not' orcs-order -p recdbl "$work/cut.dot"
printf 'H1\nH2\nH1\n' >"$work/again"
check "a host named again" says 0 'note: hosts that .*/again names again count once: 1 \(the first in line 3\)' orcs-order -p ring --hosts "$work/again" -o "$work/order" "$work/job.dot"
check "a graph as hosts" says 2 "job.dot:1: the fabric has no host 'digraph'; a line is the name of a host" orcs-order -p ring --hosts "$work/job.dot" "$tree"
check "an output without a name" says 2 "the name of an output file is empty" orcs-order -p ring -o '' "$tree"
check "an output that is an input" says 2 'input' orcs-order -p recdbl --hosts "$work/two" -o "$work/two" "$work/job.dot"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
