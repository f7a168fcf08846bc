# Makes a graph of the cables of a Cray XC machine, from the list that its rtr --interconnect prints: a line for each port of each router, such as
# c0-0c0s0a0l00(0:0:0) green -> c0-0c0s6a0l10(0:0:6)
# Green cables are within a chassis, black ones between the chassis of a group, and blue ones between groups. Each router gets four nodes.
# Usage: awk -f cray_links.awk [-v local=SPEED] [-v global=SPEED] [-v small=BYTES] [-v large=BYTES] LIST: Gb/s, and the buffers of channels within groups
# and between them. Ports that are not used, and those of processors, have no cable.
BEGIN {
	if (local == "") local = 45.1 # 5.25 GiB/s
	if (global == "") global = 40.4 # 4.7 GiB/s
	if (small == "") small = 8192
	if (large == "") large = 16384
	nodes = 4
	print "digraph cray {"
}
$3 == "->" && $2 ~ /^(green|black|blue)$/ && $4 ~ /^c[0-9]+-[0-9]+c/ {
	router = name($1)
	wires[router] = wires[router] sprintf("\"%s\" -> \"%s\" [speed=\"%s\", latency=\"%s\", buffer=\"%d\"];\n", router, name($4),
		$2 == "blue" ? global : local, $2 == "blue" ? "1e-07" : "1e-08", $2 == "blue" ? large : small)
	if (!(router in seen)) {
		seen[router]
		order[++routers] = router
	}
}
# c0-0c0s0a0l00(0:0:0) is a port of the router c0-0c0s0a0.
function name(port) { return substr(port, 1, match(port, /l[0-9]+\(/) - 1) }
END {
	print "node [type=\"host\"];"
	for (i = 1; i <= routers; i++)
		for (j = 0; j < nodes; j++) printf "\"%sn%d\";\n", order[i], j
	print "node [type=\"switch\"];"
	for (i = 1; i <= routers; i++) printf "\"%s\";\n", order[i]
	for (i = 1; i <= routers; i++) {
		for (j = 0; j < nodes; j++) {
			host = sprintf("%sn%d", order[i], j)
			printf "\"%s\" -> \"%s\" [speed=\"%s\", latency=\"1e-08\", buffer=\"%d\"];\n", host, order[i], local, small
			printf "\"%s\" -> \"%s\" [speed=\"%s\", latency=\"1e-08\", buffer=\"%d\"];\n", order[i], host, local, small
		}
		printf "%s", wires[order[i]]
	}
	print "}"
	exit !routers
}
