# torus_conf.awk - finds out that the switches of a topology form a torus of one to three dimensions, and writes torus-2QoS.conf.
#
#   awk -f torus_conf.awk NET > torus-2QoS.conf
#
# NET is a net for ibsim. The order and the ports of the cables do not matter. The directions of the first switch are its neighbours;
# which of them are opposite is tried out. They are carried over to all other switches: where a step in direction a leads from u to v,
# the neighbour of v in another direction b is the one switch, besides u, that is a neighbour of both v and of u's neighbour in
# direction b; back is u; and ahead is what is left. This must fit everywhere, and the rings must span all switches.

function fail(text) {
	print text > "/dev/stderr"
	failed = 1
	exit 1
}

{ sub(/\r$/, "") }

/^switchguid=/ {
	guid = $0
	sub(/^switchguid=/, "", guid)
	sub(/\(.*/, "", guid)
}

/^(Switch|Hca|Ca|Rt)[ \t]/ {
	split($0, part, "\"")
	box = part[2]
	is_switch[box] = $1 == "Switch"
	if (is_switch[box]) {
		switches[++count] = box
		guid_of[box] = guid
	}
	next
}

/^\[/ && box != "" && is_switch[box] {
	split($0, part, "\"")
	peers[box] = peers[box] "\"" part[2]
	next
}

!/^\[/ { box = "" }

END {
	if (failed)
		exit 1
	if (count < 2)
		fail("one switch is no torus")
	for (i = 1; i <= count; i++)
		list_neighbours(switches[i])
	for (i = 1; i <= count; i++) {
		if (degree[switches[i]] != degree[switches[1]])
			no_torus("switches have " degree[switches[1]] " and " degree[switches[i]] " neighbours")
	}
	directions = degree[switches[1]]
	if (directions < 1 || directions > 6)
		no_torus("every switch has " directions " neighbours")
	if (!pair(1, 0))
		no_torus("no coordinates fit its cables")
}

function no_torus(why) {
	fail("the topology is no torus of up to three dimensions: " why "; torus-2QoS needs --torus_config FILE")
}

# The distinct switches next to one, and the most ports that it has towards one of them or to hosts.
function list_neighbours(s,	n, i, part, hosts) {
	n = split(peers[s], part, "\"")
	hosts = 1 # its own port 0 is one of that group
	for (i = 2; i <= n; i++) {
		if (!is_switch[part[i]]) {
			if (++hosts > most_ports)
				most_ports = hosts
			continue
		}
		if (part[i] == s)
			continue
		if (!adjacent[s, part[i]])
			neighbour[s, ++degree[s]] = part[i]
		if (++adjacent[s, part[i]] > most_ports)
			most_ports = adjacent[s, part[i]]
	}
}

# Makes the direction first and those after it opposites of one another, in every way until one fits. A direction that is its own
# opposite belongs to a ring of two switches.
function pair(first, dimensions,	i) {
	while (first <= directions && opposite[first])
		first++
	if (first > directions)
		return fits() && write_conf()
	if (dimensions == 3)
		return 0
	axis[dimensions + 1] = first
	for (i = first + 1; i <= directions + 1; i++) {
		partner = i > directions ? first : i
		if (opposite[partner])
			continue
		opposite[first] = partner
		opposite[partner] = first
		rings = dimensions + 1
		if (pair(first + 1, dimensions + 1))
			return 1
		opposite[first] = 0
		opposite[i > directions ? first : i] = 0
	}
	return 0
}

# Carries the directions over from the first switch to all others.
function fits(	d, front, back, u, v, queue) {
	split("", ahead)
	for (d = 1; d <= directions; d++)
		ahead[switches[1], d] = neighbour[switches[1], d]
	split("", known)
	known[switches[1]] = 1
	queue[1] = switches[1]
	back = 1
	for (front = 1; front <= back; front++) {
		u = queue[front]
		for (d = 1; d <= directions; d++) {
			v = ahead[u, d]
			if (!known[v]) {
				if (!carry_over(u, v, d))
					return 0
				known[v] = 1
				queue[++back] = v
			} else if (ahead[v, opposite[d]] != u)
				return 0
		}
	}
	return back == count && spans()
}

# The directions of v, which is ahead of u in direction d.
function carry_over(u, v, d,	e, i, w, found, taken) {
	split("", taken)
	taken[u] = 1
	ahead[v, opposite[d]] = u
	for (e = 1; e <= directions; e++) {
		if (e == d || e == opposite[d])
			continue
		found = ""
		for (i = 1; i <= directions; i++) {
			w = neighbour[v, i]
			if (w != u && adjacent[w, ahead[u, e]]) {
				if (found != "")
					return 0
				found = w
			}
		}
		if (found == "" || taken[found])
			return 0
		taken[found] = 1
		ahead[v, e] = found
	}
	for (i = 1; i <= directions; i++) {
		if (!taken[neighbour[v, i]])
			ahead[v, d] = neighbour[v, i]
	}
	return 1
}

# The size of each ring; together they must lead to every switch once.
function spans(	k, s, n, x, y, z, sx, sy, seen) {
	n = 1
	for (k = 1; k <= 3; k++) {
		radix[k] = 1
		if (k > rings)
			continue
		for (s = ahead[switches[1], axis[k]]; s != switches[1] && radix[k] <= count; s = ahead[s, axis[k]])
			radix[k]++
		n *= radix[k]
	}
	if (n != count)
		return 0
	split("", seen)
	sx = switches[1]
	for (x = 0; x < radix[1]; x++) {
		sy = sx
		for (y = 0; y < radix[2]; y++) {
			s = sy
			for (z = 0; z < radix[3]; z++) {
				if (seen[s]++)
					return 0
				if (rings > 2)
					s = ahead[s, axis[3]]
			}
			if (rings > 1)
				sy = ahead[sy, axis[2]]
		}
		sx = ahead[sx, axis[1]]
	}
	return 1
}

function write_conf(	k, letter) {
	printf "torus"
	for (k = 1; k <= 3; k++)
		printf " %d%s", radix[k], (radix[k] == 2 ? "M" : "")
	printf "\nportgroup_max_ports %d\n", (most_ports > 16 ? most_ports : 16)
	for (k = 1; k <= rings; k++) {
		letter = substr("xyz", k, 1)
		printf "%sp_link %s %s\n", letter, guid_of[switches[1]], guid_of[ahead[switches[1], axis[k]]]
		if (radix[k] > 2)
			printf "%sm_link %s %s\n", letter, guid_of[switches[1]], guid_of[ahead[switches[1], opposite[axis[k]]]]
	}
	return 1
}
