#!/bin/sh
# fattree3.sh - writes a fat tree of three levels, routed D-mod-K, as a dot graph for orcs.
#
# All switches have K ports; h = K/2 of a leaf's or a middle switch's lead down. A pod is h leaves and h middle switches, each
# leaf joined to each middle switch of its pod; top switch (a, c) is joined to middle switch a of every pod. Host d sits on leaf
# d div h, which belongs to pod d div h^2. Way up to d: port d mod h of the leaf, port (d div h) mod h of the middle switch; the
# way down is the only one there is. (K/2-ary 3-tree with up to K pods; Zahavi: D-Mod-K routing, 2010.)

usage() {
	cat <<'EOF'
Usage: fattree3.sh K [PODS]

Writes on standard output a fat tree of three levels of switches with K ports
each (K even), with PODS pods (by default K) of (K/2)^2 hosts. It has full
bisection bandwidth.

  fattree3.sh 16      1,024 hosts, 320 switches
  fattree3.sh 32 16   4,096 hosts, 768 switches
  fattree3.sh 36      11,664 hosts, 1,620 switches, a file of 75 MB
EOF
}

die() {
	printf 'fattree3.sh: %s\n' "$1" >&2
	exit 2
}

case ${1-} in
-h | --help)
	usage
	exit ;;
esac
case $# in
1 | 2) ;;
*) die "K and no more than PODS are needed (--help tells more)" ;;
esac
k=$1
pods=${2-$1}
case $k$pods in
*[!0-9]*) die "K and PODS are whole numbers (--help tells more)" ;;
esac
if [ "$k" -lt 4 ] || [ "$k" -gt 254 ] || [ $((k % 2)) -ne 0 ]; then
	die "K is $k, not an even number from 4 to 254"
fi
if [ "$pods" -lt 1 ] || [ "$pods" -gt "$k" ]; then
	die "PODS is $pods, not a number from 1 to $k"
fi

LC_ALL=C awk -v k="$k" -v pods="$pods" '
# Lists the hosts from, from + step, .. below end, but none of those from skip to resume - 1.
function list(from, end, step, skip, resume,	d, comma) {
	comma = ""
	for (d = from; d < end; d += step)
		if (d < skip || d >= resume) {
			printf "%sH%d", comma, d
			comma = ","
		}
}

BEGIN {
	h = k / 2
	pod = h * h
	hosts = pods * pod
	leaves = pods * h
	print "// " hosts " hosts, fattree3.sh " k " " pods
	print "digraph fattree3 {"
	for (d = 0; d < hosts; d++)
		printf "\"H%d\" -> \"leaf%d\" [comment=\"*\"];\n", d, int(d / h)
	for (leaf = 0; leaf < leaves; leaf++) {
		for (d = leaf * h; d < leaf * h + h; d++)
			printf "\"leaf%d\" -> \"H%d\" [comment=\"H%d\"];\n", leaf, d, d
		for (a = 0; a < h; a++) {
			printf "\"leaf%d\" -> \"mid%d\" [comment=\"", leaf, int(leaf / h) * h + a
			list(a, hosts, h, leaf * h, leaf * h + h)
			print "\"];"
		}
	}
	for (p = 0; p < pods; p++) {
		for (a = 0; a < h; a++) {
			for (leaf = p * h; leaf < p * h + h; leaf++) {
				printf "\"mid%d\" -> \"leaf%d\" [comment=\"", p * h + a, leaf
				list(leaf * h, leaf * h + h, 1, 0, 0)
				print "\"];"
			}
			for (c = 0; c < h; c++) {
				printf "\"mid%d\" -> \"top%d\" [comment=\"", p * h + a, a * h + c
				list(c * h + a, hosts, pod, p * pod, p * pod + pod)
				print "\"];"
			}
		}
	}
	for (a = 0; a < h; a++) {
		for (c = 0; c < h; c++) {
			for (p = 0; p < pods; p++) {
				printf "\"top%d\" -> \"mid%d\" [comment=\"", a * h + c, p * h + a
				list(p * pod, p * pod + pod, 1, 0, 0)
				print "\"];"
			}
		}
	}
	print "}"
}'
