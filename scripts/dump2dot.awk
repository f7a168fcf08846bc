# dump2dot.awk - joins the cabling of a fabric and its forwarding tables into
# a routed graph for orcs.
#
#   awk -f dump2dot.awk [-v comment=FILE] IBNETDISCOVER TABLES > fabric.dot
#
# IBNETDISCOVER is the output of ibnetdiscover. TABLES is the output of
# dump_fts (with or without -n) or the file opensm-lfts.dump of OpenSM. The
# lines of FILE become comments at the head of the graph.
#
# Names: the node description where it is unique, made of plain characters and
# begins with H for a host and not with H for a switch; else the GUID, as in
# H-0002c90300001234 and S-0002c90300001235. A channel adapter with several
# cables gives one host for each, NAME_PORT: each has its own LID and one link.
# Routers are hosts. With LMC > 0 the base LID of a port counts.
#
# Order: hosts in the order of their names (numbers by value), then switches by
# their distance from the hosts and name; the out edges of a node by port. The
# first node is the first host, from which orcs searches breadth first.
#
# Every switch must have an entry for every host. A gap is an error, and then
# nothing is printed. (dump_fts leaves out the highest LID of the fabric when it
# is a multiple of 64; the dump of OpenSM itself is complete.)
#
# Time and memory grow with the number of switches times that of hosts.

function fail(text) {
	print "dump2dot.awk: " text > "/dev/stderr"
	failed = 1
	exit 1
}

function plural(count, word) {
	return count " " word (count == 1 ? "" : "s")
}

function hex(digits,	i, value) {
	digits = tolower(digits)
	sub(/^0x/, "", digits)
	value = 0
	for (i = 1; i <= length(digits); i++)
		value = value * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
	return value
}

# 16 hexadecimal digits of a GUID that may lack leading zeros
function guid16(digits) {
	digits = tolower(digits)
	sub(/^0x/, "", digits)
	while (length(digits) < 16)
		digits = "0" digits
	return digits
}

# what is between the first and the last quote of a text
function between_quotes(text) {
	if (!match(text, /".*"/))
		return ""
	return substr(text, RSTART + 1, RLENGTH - 2)
}

function dot_escape(text) {
	gsub(/["\\]/, "\\\\&", text)
	return text
}

# customary rate in Gb/s of a link such as 4xEDR; "" when unknown
function link_speed(link,	part) {
	if (split(link, part, "x") != 2 || !(part[2] in lane_speed))
		return ""
	return sprintf("%.10g", part[1] * lane_speed[part[2]])
}

# key by which a name sorts: runs of digits by value
function sort_key(name,	rest, key, digits) {
	if (name ~ /^[HS]-[0-9a-f]+(_[0-9]+)?$/)
		return name
	rest = name
	key = ""
	while (match(rest, /[0-9]+/)) {
		digits = substr(rest, RSTART, RLENGTH)
		key = key substr(rest, 1, RSTART - 1) substr("00000000000000000000", length(digits) + 1) digits
		rest = substr(rest, RSTART + RLENGTH)
	}
	return key rest " " name
}

# list[1..n] into the order of key[]: heap sort
function sift_down(list, root, last,	child, item) {
	item = list[root]
	while ((child = 2 * root) <= last) {
		if (child < last && key[list[child]] < key[list[child + 1]])
			child++
		if (key[list[child]] <= key[item])
			break
		list[root] = list[child]
		root = child
	}
	list[root] = item
}

function sort_list(list, n,	i, item) {
	for (i = int(n / 2); i >= 1; i--)
		sift_down(list, i, n)
	for (i = n; i > 1; i--) {
		item = list[1]
		list[1] = list[i]
		list[i] = item
		sift_down(list, 1, i - 1)
	}
}

BEGIN {
	split("SDR 2.5 DDR 5 QDR 10 FDR10 10 FDR 14 EDR 25 HDR 50 NDR 100 XDR 200", rate, " ")
	for (i = 1; i in rate; i += 2)
		lane_speed[rate[i]] = rate[i + 1] + 0
	if (ARGC != 3)
		fail("usage: awk -f dump2dot.awk [-v comment=FILE] IBNETDISCOVER TABLES")
	file = 0
}

FNR == 1 { file = FILENAME == ARGV[1] ? 1 : 2 }
{ sub(/\r$/, "") }

# --- the cabling ---

# Switch	36 "S-0000000000200011"		# "leaf17" base port 0 lid 43 lmc 0
# Ca	1 "H-0000000000100000"		# "H0"
file == 1 && /^(Switch|Ca|Rt)[ \t]/ {
	split($0, part, "\"")
	box = part[2]
	boxes[++box_count] = box
	is_switch[box] = $1 == "Switch"
	box_ports[box] = $2
	text = $0
	sub(/^[^"]*"[^"]*"[^"]*/, "", text)
	desc[box] = between_quotes(text)
	if (is_switch[box] && match(text, /" .* lid [0-9]+ lmc [0-9]+ *$/)) {
		sub(/^.* lid /, "", text)
		switch_lid[box] = text + 0
	}
	next
}

# [1]	"H-0000000000100264"[1](100265) 		# "H306" lid 189 4xEDR
# [1](100001) 	"S-0000000000200000"[1]		# lid 1 lmc 0 "leaf0" lid 2 4xEDR
file == 1 && /^\[[0-9]+\]/ && box != "" {
	text = substr($0, 2)
	port = text + 0
	split($0, part, "\"")
	other = part[2]
	text = part[3]
	sub(/^\[/, "", text)
	peer[box, port] = other
	peer_port[box, port] = text + 0
	if (!is_switch[box] && match($0, /# lid [0-9]+ /))
		port_lid[box, port] = substr($0, RSTART + 6, RLENGTH - 7) + 0
	for (i = NF; i > NF - 3 && i > 0; i--) {
		if ($i ~ /^[0-9]+x/) {
			link[box, port] = $i
			break
		}
	}
	link_count[box]++
	if (port > last_port[box])
		last_port[box] = port
	next
}

file == 1 { next }

# --- the tables ---

# Unicast lids [0x0-0x168] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200011 (leaf17):
/^Unicast lids / && match($0, / guid 0x[0-9a-fA-F]+/) {
	guid = substr($0, RSTART + 6, RLENGTH - 6)
	if (!named)
		name_all()
	take_table()
	table = "S-" guid16(guid)
	if (!(table in is_switch))
		fail("the tables are of another fabric: switch " table " is not in the cabling")
	next
}

# 0x0001 019 : (Channel Adapter portguid 0x0000000000100001: 'H0')
/^0x[0-9a-fA-F]+ +[0-9]+/ && table != "" {
	lid = hex($1)
	if (lid in host_of_lid)
		out[host_of_lid[lid]] = $2 + 0
}

# One node for each switch and each cable of a channel adapter; names, order.
function name_all(	i, p, b, node, wanted) {
	named = 1
	if (!box_count)
		fail("no node in the output of ibnetdiscover")
	for (i = 1; i <= box_count; i++) {
		b = boxes[i]
		wanted = desc[b]
		if (wanted !~ /^[A-Za-z0-9_][A-Za-z0-9_.:+\/@-]*$/ || (wanted ~ /^H/) == is_switch[b])
			wanted = ""
		used[wanted]++
		name_of_box[b] = wanted
	}
	for (i = 1; i <= box_count; i++) {
		b = boxes[i]
		if (name_of_box[b] == "" || used[name_of_box[b]] > 1) {
			name_of_box[b] = b
			if (!is_switch[b])
				sub(/^[^-]*-/, "H-", name_of_box[b])
		}
		for (p = 1; p <= last_port[b]; p++) {
			if (!((b, p) in peer))
				continue
			node = name_of_box[b]
			if (!is_switch[b]) {
				if (link_count[b] > 1)
					node = node "_" p
				add_host(node, b, p)
			}
			node_at[b, p] = node
		}
		if (is_switch[b]) {
			switches[++switch_count] = name_of_box[b]
			box_of[name_of_box[b]] = b
			lid_of[name_of_box[b]] = switch_lid[b]
		}
	}
	if (!host_count)
		fail("no host with a cable in the output of ibnetdiscover")
	for (i = 1; i <= host_count; i++)
		key[hosts[i]] = sort_key(hosts[i])
	sort_list(hosts, host_count)
	for (i = 1; i <= host_count; i++)
		host_of_lid[lid_of[hosts[i]]] = i
	rank_switches()
}

function add_host(node, b, p,	lid) {
	lid = port_lid[b, p]
	if (!lid)
		fail(node " has no LID: the fabric was not configured when it was discovered")
	if (lid in lid_owner)
		fail(node " and " lid_owner[lid] " have the same LID " lid)
	lid_owner[lid] = node
	hosts[++host_count] = node
	box_of[node] = b
	port_of[node] = p
	lid_of[node] = lid
}

# Distance of each switch from the nearest host: breadth first from all hosts.
function rank_switches(	i, p, b, other, front, back) {
	front = 1
	back = 0
	for (i = 1; i <= host_count; i++) {
		other = peer[box_of[hosts[i]], port_of[hosts[i]]]
		if (is_switch[other] && !(other in rank)) {
			rank[other] = 0
			queue[++back] = other
		}
	}
	for (; front <= back; front++) {
		b = queue[front]
		for (p = 1; p <= last_port[b]; p++) {
			if (!((b, p) in peer))
				continue
			other = peer[b, p]
			if (is_switch[other] && !(other in rank)) {
				rank[other] = rank[b] + 1
				queue[++back] = other
			}
		}
	}
	for (i = 1; i <= switch_count; i++)
		key[switches[i]] = sprintf("%06d ", rank[box_of[switches[i]]]) sort_key(switches[i])
	sort_list(switches, switch_count)
}

# The entries of one switch become the lists of its ports, in host order.
function take_table(	i, p, missing, first) {
	if (table == "")
		return
	if (table in have_table)
		fail("two tables for switch " name_of_box[table])
	have_table[table] = 1
	for (i = 1; i <= host_count; i++) {
		p = i in out ? out[i] : 255
		if (p == 255) {
			if (!missing++)
				first = hosts[i]
			continue
		}
		if (!((table, p) in peer))
			fail("switch " name_of_box[table] " sends " hosts[i] " to port " p ", which has no cable")
		list[table, p] = list[table, p] (list[table, p] == "" ? "" : ",") hosts[i]
		delete out[i]
	}
	if (missing)
		fail("switch " name_of_box[table] " has no entry for " plural(missing, "host") " of " host_count ", the first is " first " (LID " lid_of[first] ")")
}

function write_node(node, type) {
	printf "\t\"%s\" [type=\"%s\", guid=\"0x%s\", lid=\"%d\", ports=\"%d\", desc=\"%s\"];\n", node, type, substr(box_of[node], index(box_of[node], "-") + 1), lid_of[node], box_ports[box_of[node]], dot_escape(desc[box_of[node]])
}

function write_edge(node, b, p, set,	speed, width) {
	printf "\t\"%s\" -> \"%s\" [port=\"%d\", peer_port=\"%d\"", node, node_at[peer[b, p], peer_port[b, p]], p, peer_port[b, p]
	speed = link_speed(link[b, p])
	if (speed != "")
		printf ", speed=\"%s\"", speed
	width = link[b, p]
	if (sub(/x.*/, "x", width))
		printf ", width=\"%s\"", width
	printf ", comment=\"%s\"];\n", set
}

END {
	if (failed)
		exit 1
	if (file < 2 || !named)
		fail("no forwarding tables: nothing to join")
	take_table()
	for (i = 1; i <= switch_count; i++) {
		b = box_of[switches[i]]
		if (!(b in have_table))
			fail("no forwarding table for switch " switches[i])
		for (p = 1; p <= last_port[b]; p++) {
			if ((b, p) in peer && !((peer[b, p], peer_port[b, p]) in node_at))
				fail("the cable of " switches[i] " port " p " has no other end")
		}
	}

	if (comment != "") {
		while ((getline line < comment) > 0)
			print "// " line
		close(comment)
	}
	print "digraph network {"
	for (i = 1; i <= host_count; i++)
		write_node(hosts[i], "host")
	for (i = 1; i <= switch_count; i++)
		write_node(switches[i], "switch")
	for (i = 1; i <= host_count; i++)
		write_edge(hosts[i], box_of[hosts[i]], port_of[hosts[i]], "*")
	for (i = 1; i <= switch_count; i++) {
		b = box_of[switches[i]]
		for (p = 1; p <= last_port[b]; p++) {
			if ((b, p) in peer)
				write_edge(switches[i], b, p, list[b, p])
		}
	}
	print "}"
}
