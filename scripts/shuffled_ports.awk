# Plugs the cables of a topology for ibsim (fattree_topology.sh) into other ports: those of every switch are numbered at random, and the
# nodes are listed in random order. The cabling stays. Usage: awk -v seed=1 -f shuffled_ports.awk TOPOLOGY
function shuffle(list, prefix, count,	i, j, swap) {
	for (i = count; i > 1; i--) {
		j = 1 + int(rand() * i)
		swap = list[prefix, i]
		list[prefix, i] = list[prefix, j]
		list[prefix, j] = swap
	}
}
/^(Switch|Hca|Ca)/ {
	split($0, part, "\"")
	node = part[2]
	ports[node] = $1 == "Switch" ? $2 : 0
	header[node] = $0
	order["", ++nodes] = node
}
/^\[/ {
	split($0, part, "\"")
	at[++cables] = node
	port[cables] = substr($1, 2) + 0
	peer[cables] = part[2]
	peer_port[cables] = substr(part[3], 2) + 0
}
END {
	srand(seed)
	for (n = 1; n <= nodes; n++) {
		node = order["", n]
		for (i = 1; i <= ports[node]; i++)
			number[node, i] = i
		shuffle(number, node, ports[node])
	}
	shuffle(order, "", nodes)
	for (c = 1; c <= cables; c++) {
		near = ports[at[c]] ? number[at[c], port[c]] : port[c]
		far = ports[peer[c]] ? number[peer[c], peer_port[c]] : peer_port[c]
		lines[at[c]] = lines[at[c]] sprintf("[%d]\t\"%s\"[%d]\n", near, peer[c], far)
	}
	for (n = 1; n <= nodes; n++)
		printf "%s\n%s\n", header[order["", n]], lines[order["", n]]
}
