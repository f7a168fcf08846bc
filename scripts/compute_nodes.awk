# compute_nodes.awk - the port GUIDs of the compute nodes of a tree, for OpenSM's option --cn_guid_file.
#
#   awk -f compute_nodes.awk ROOTS NET > cn_guids
#
# ROOTS are the node GUIDs of the root switches, NET is a net for ibsim as orcs-export writes it. The engine ftree wants all compute
# nodes at one distance from the roots. They are the hosts at the distance where most are; those elsewhere, such as gateways, and
# SHARP aggregation nodes are none; OpenSM 3.3.23 then may leave hosts without entries, which orcs-import sees. Prints nothing where all hosts are compute nodes.

function value(digits,	i, sum) {
	sum = 0
	for (i = 1; i <= length(digits); i++)
		sum = sum * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
	return sum
}

# a GUID and a small number; the last 12 digits are within what awk's numbers hold
function add(guid, number,	digits) {
	digits = tolower(guid)
	sub(/^0x/, "", digits)
	while (length(digits) < 16)
		digits = "0" digits
	return sprintf("0x%s%06x%06x", substr(digits, 1, 4), int((value(substr(digits, 5)) + number) / 16777216), (value(substr(digits, 5)) + number) % 16777216)
}

FNR == NR {
	is_root[$1] = 1
	next
}

/^(switch|ca|rt)guid=/ {
	guid = $0
	sub(/^[a-z]*=/, "", guid)
}

/^(Switch|Ca|Rt)[ \t]/ {
	split($0, part, "\"")
	box = part[2]
	is_switch[box] = $1 == "Switch"
	is_host[box] = $1 == "Ca" && $0 !~ /Aggregation Node/
	guid_of[box] = guid
	others += $1 != "Switch" && !is_host[box]
	if (add(guid, 0) in is_root || guid in is_root) {
		distance[box] = 0
		queue[++back] = box
	}
	next
}

/^\[/ {
	split($0, part, "\"")
	peers[box] = peers[box] "\"" part[2]
	if (is_host[box]) {
		host[++hosts] = add(guid_of[box], substr($0, 2) + 0)
		leaf[hosts] = part[2]
	}
}

END {
	for (front = 1; front <= back; front++) {
		n = split(peers[queue[front]], part, "\"")
		for (i = 2; i <= n; i++) {
			if (is_switch[part[i]] && !(part[i] in distance)) {
				distance[part[i]] = distance[queue[front]] + 1
				queue[++back] = part[i]
			}
		}
	}
	for (i = 1; i <= hosts; i++) {
		at = distance[leaf[i]]
		if (++count[at] > count[most])
			most = at
	}
	for (i = 1; i <= hosts && count[most] < hosts + others; i++) {
		if (distance[leaf[i]] == most)
			print host[i]
	}
}
