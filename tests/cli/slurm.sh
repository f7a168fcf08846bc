#!/bin/sh
# Machines by their leaves for Slurm, against their definition and the real slurmctld: slurm.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

bin=$(cd "$1" && pwd)
data=${ORCS_TEST_DATA:-../shared/data}/ib
work=$(mktemp -d)
trap 'stop; rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH:/usr/sbin:/sbin
export PATH

stop() {
	[ ! -f "$work/pid" ] || kill -KILL "$(cat "$work/pid")" 2>/dev/null
	wait "$(cat "$work/pid" 2>/dev/null)" 2>/dev/null
	rm -f "$work/pid"
}

# all FORMS DUMP [OPTION...]: the groups are those of the definition, in each form, also from the graph of the dump.
all() {
	forms=$1
	dump=$2
	shift 2
	orcs-import --quiet -o "$work/graph.dot" "$dump" || return 1
	for form in $forms; do
		orcs-export --quiet --to "slurm-$form" "$@" -o "$work/$form" "$dump" && python3 tests/cli/slurm.py "$form" "$dump" "$work/$form" "$@" || return 1
		orcs-export --quiet --to "slurm-$form" "$@" "$work/graph.dot" | cmp - "$work/$form" || return 1
	done
}

# slurmctld takes the tree of the last fabric without a complaint, and has the same groups: loads DUMP [OPTION...]
loads() {
	rm -rf "$work/state"
	mkdir "$work/state"
	cp "$work/tree" "$work/topology.conf"
	port=$((20000 + ($$ * 7 + passed * 3) % 20000))
	{
		cat <<-EOF
			ClusterName=orcs
			SlurmctldHost=$(hostname -s)(127.0.0.1)
			SlurmUser=$(id -un)
			SlurmctldPort=$port
			AuthType=auth/none
			StateSaveLocation=$work/state
			SlurmctldPidFile=$work/slurmctld.pid
			ProctrackType=proctrack/linuxproc
			SelectType=select/cons_tres
			TopologyPlugin=topology/tree
		EOF
		sed -n 's/^SwitchName=.* Nodes=\(.*\)/NodeName=\1 NodeAddr=127.0.0.1 State=UNKNOWN/p' "$work/tree"
		echo 'PartitionName=all Nodes=ALL Default=YES State=UP'
	} >"$work/slurm.conf"
	export SLURM_CONF="$work/slurm.conf"
	slurmctld -D >"$work/slurmctld.log" 2>&1 &
	echo $! >"$work/pid"
	for try in $(seq 100); do
		timeout 5 scontrol show topology >"$work/shown" 2>/dev/null && grep -q SwitchName "$work/shown" && break
		sleep 0.1
	done
	stop
	if grep -E -i 'WARNING|TOPOLOGY|fatal|parse|no switch' "$work/slurmctld.log"; then
		return 1
	fi
	python3 tests/cli/slurm.py scontrol "$1" "$work/shown"
}

if ! have python3; then
	skip "python3 is not installed: no reference"
	echo "$passed passed, $failed failed, $skipped skipped"
	exit 0
fi
every="tree block yaml"
cluster=examples/cluster.ibnetdiscover
rails=tests/import/data/rails.topology
check "a cluster" all "$every" $cluster
check "machines with rails" all "$every" $rails
check "names by an expression" all "$every" $cluster --machine-name '^[a-z]+([0-9]+)'
orcs-topology xgft:2:4/4:3/2:2 | orcs-export --quiet --to ibnetdiscover -o "$work/tree3.txt" -
check "a tree of three levels" all "$every" "$work/tree3.txt"
orcs-topology jellyfish:30,7,4 | orcs-export --quiet --to ibnetdiscover -o "$work/random.txt" -
check "no tree" all "$every" "$work/random.txt"
orcs-topology dragonfly:p=2,a=4,h=2 | orcs-export --quiet --to ibnetdiscover -o "$work/groups.txt" -
check "some ports only" all "$every" "$work/groups.txt" --ports '_[02]$' --machine-name 'H[0-9]+_'

if [ -d "$data/real" ]; then
	check "Selene storage" all "$every" "$data/real/ufm_sdk/selene.storage.txt.xz"
	check "... has 38, 4 and 1" sh -c "python3 tests/cli/slurm.py tree '$data/real/ufm_sdk/selene.storage.txt.xz' '$work/tree' | grep -qx '38 of level 0, 4 of level 1, 1 of level 2'"
	check "CS7500" all tree "$data/real/HyungKwang/Topo6_CS7500.txt.xz"
	map=$data/real/psmn/X5.map
	orcs-export --quiet --to slurm-tree --node-name-map "$map" -o "$work/x5" "$data/real/psmn/X5.topofile.xz"
	# the site's file has two machines without a name, too
	sed -n 's/^SwitchName=S[^ ]* Nodes=\(H-[^,]*,\)*//p' "$data/real/psmn/X5.topology.conf" | sort >"$work/theirs"
	sed -n 's/^SwitchName=S[^ ]* Nodes=//p' "$work/x5" | sort >"$work/ours"
	check "X5's leaves are those of the site's own file" cmp "$work/theirs" "$work/ours"
	check "all of a few" [ "$(wc -l <"$work/ours")" -eq 6 ]
else
	skip "$data is not there: no real fabrics"
fi

if have slurmctld && have scontrol; then
	all tree $cluster >/dev/null
	check "slurmctld and a cluster" loads $cluster
	all tree $rails >/dev/null
	check "slurmctld and rails" loads $rails
	all tree "$work/tree3.txt" >/dev/null
	check "slurmctld and a tree" loads "$work/tree3.txt"
	if [ -d "$data/real" ]; then
		all tree "$data/real/ufm_sdk/selene.storage.txt.xz" >/dev/null
		check "slurmctld and Selene storage" loads "$data/real/ufm_sdk/selene.storage.txt.xz"
	fi
	sed -i '1s/$/,nobody/' "$work/tree"
	fails() {
		! "$@"
	}
	check "a wrong tree is noticed" fails loads $cluster
else
	skip "slurmctld or scontrol is not installed: nothing loads the tree"
fi

# ---- errors
check "a wrong expression" says 2 "^orcs-export: --ports '\[': no regular expression: " orcs-export --to slurm-tree --ports '[' $cluster
check "nothing is left" says 3 '^orcs-export: examples/cluster.ibnetdiscover: no cabled port names a machine: --ports' orcs-export --to slurm-tree --ports nobody -o "$work/none" $cluster
check "... leaves no file" [ ! -e "$work/none" ]
check "options of other forms" says 2 'are for --to slurm-tree' orcs-export --to ibsim --ports x $cluster
sed 's/"node19 HCA/"node[1] HCA/' $cluster >"$work/odd.txt"
check "a name that no list can have" says 3 "no list of Slurm can have the machine 'node\[1\]'" orcs-export --to slurm-tree "$work/odd.txt"
printf 'digraph { H1 -> S1 [comment="*"]; S1 -> H1; H2 -> S1 [comment="*"]; S1 -> H2; H3 -> S2 [comment="*"]; S2 -> H3; }' >"$work/apart.dot"
check "parts" says 0 'warning: no switch is above all machines: the tree has 2 tops' orcs-export --to slurm-tree "$work/apart.dot"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
