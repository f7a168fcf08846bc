/*
 * Reads the tables of adaptive routing that ibdiagnet writes to ibdiagnet2.far: groups of ports, and for each LID a port, its state, and
 * the group among whose ports the switch chooses unless the state is Static. The format is that of public readers of such files; no file of
 * a real fabric was at hand. File version: 1 Switch 0x0000000000200000 ... Groups Definition: Group  Sub Group  WHBF  Ports
 *   --------------------------------
 *   0      0          0     1, 2, 3,
 *   LFT Definition:
 *   PLFT_NUM: 0, top: 0x0030
 *   LID     Static Port  Lid State  Group
 *   --------------------------------
 *   0x0001  5            Static     0
 *   0x0002  1            Free       0
 * Of several tables of a switch, for the virtual lanes of adaptive routing, only the first is read.
 */
#include "infiniband/adaptive_groups.h"
#include "infiniband/dump.h"

#include <string.h>

struct far {
	enum { FAR_OUTSIDE, FAR_FILE, FAR_SWITCH, FAR_GROUPS, FAR_ENTRIES, FAR_PASSED } part;
	uint32_t node; /* of the switch */
};

static enum dump_line header(struct dump_reader *reader, struct far *far, char *text)
{
	uint64_t guid;
	if (!scan_hex(&text, &guid) || !guid)
		return LINE_FOREIGN;
	far->node = subnet_node_of_guid(reader->subnet, guid, NODE_SWITCH, reader->error);
	if (far->node == NONE || subnet_table(reader->subnet, far->node, reader->error))
		return LINE_FAILED;
	far->part = FAR_SWITCH;
	return LINE_TAKEN;
}

/* Reads "0  0  0  1, 2, 3,": the subgroups of a group are one here. */
static enum dump_line group_row(struct dump_reader *reader, struct far *far, char *text)
{
	uint32_t group, other, port;
	if (!scan_number(&text, ADAPTIVE_GROUP_LAST, &group))
		return dump_error(reader, "a group of adaptive routing has a number from 0 to %d", ADAPTIVE_GROUP_LAST);
	for (int i = 0; i < 2; i++) /* the subgroup; the weights of hashing */
		if (!scan_blanks(&text) || !scan_number(&text, UINT32_MAX, &other))
			return dump_error(reader, "group %u of adaptive routing has no subgroup and weight", group);
	struct adaptive_groups *groups = subnet_adaptive(reader->subnet, far->node, reader->error);
	while (groups && scan_blanks(&text) && scan_number(&text, LFT_NO_PORT - 1, &port)) {
		if (adaptive_groups_add(groups, group, port, reader->error))
			return LINE_FAILED;
		scan_blanks(&text);
		scan_char(&text, ',');
	}
	if (!groups)
		return LINE_FAILED;
	return *text ? dump_error(reader, "group %u of adaptive routing has a port that is not a number up to %d", group, LFT_NO_PORT - 1)
		     : LINE_TAKEN;
}

/* Reads "0x0002  1  Free  0". */
static enum dump_line entry_row(struct dump_reader *reader, struct far *far, char *text)
{
	uint64_t lid;
	uint32_t port, group = 0;
	if (!scan_hex(&text, &lid) || lid > UINT16_MAX || !scan_blanks(&text) || !scan_number(&text, LFT_NO_PORT, &port))
		return dump_error(reader, "an entry of adaptive routing is a LID, a port, a state and a group");
	scan_blanks(&text);
	size_t state = strcspn(text, " \t");
	bool fixed = !state || (state == strlen("Static") && !strncmp(text, "Static", state));
	text += state;
	scan_blanks(&text);
	bool grouped = scan_number(&text, ADAPTIVE_GROUP_LAST, &group);
	if (!fixed && !grouped)
		return dump_error(reader, "LID 0x%x is routed adaptively without a group from 0 to %d", (unsigned)lid, ADAPTIVE_GROUP_LAST);
	if (!lid || lid > LID_LAST)
		return LINE_TAKEN;
	struct adaptive_groups *groups = fixed ? NULL : subnet_adaptive(reader->subnet, far->node, reader->error);
	if (!fixed && !groups)
		return LINE_FAILED;
	if (!fixed) {
		unsigned first = adaptive_groups_first(groups, group);
		adaptive_groups_set(groups, (unsigned)lid, first == LFT_NO_PORT ? NO_ADAPTIVE_GROUP : group);
		port = first == LFT_NO_PORT || (port && port != LFT_NO_PORT && adaptive_groups_has(groups, group, port)) ? port : first;
	}
	return port != LFT_NO_PORT && dump_entry(reader, far->node, (unsigned)lid, port) ? LINE_FAILED : LINE_TAKEN;
}

/* Reads what stands before the rows of a part. */
static enum dump_line title(struct far *far, char *text)
{
	uint32_t number;
	if (scan_text(&text, "PLFT_NUM:") && scan_blanks(&text) && scan_number(&text, UINT32_MAX, &number))
		far->part = number ? FAR_PASSED : FAR_ENTRIES;
	return LINE_TAKEN;
}

static enum dump_line line(struct dump_reader *reader, void *state, char *text, size_t length __attribute__((unused)))
{
	struct far *far = state;
	scan_blanks(&text);
	if (scan_text(&text, "File version:")) {
		far->part = FAR_FILE;
		return LINE_TAKEN;
	}
	if (far->part == FAR_OUTSIDE)
		return LINE_FOREIGN;
	if (scan_text(&text, "Switch "))
		return header(reader, far, text);
	if (far->part == FAR_FILE)
		return !*text || *text == '#' ? LINE_TAKEN : LINE_FOREIGN;
	if (scan_text(&text, "Groups Definition:")) {
		far->part = FAR_GROUPS;
		return LINE_TAKEN;
	}
	if (scan_text(&text, "LFT Definition:")) {
		far->part = FAR_ENTRIES;
		return LINE_TAKEN;
	}
	if (far->part == FAR_SWITCH || *text < '0' || *text > '9')
		return title(far, text);
	if (far->part == FAR_PASSED)
		return LINE_TAKEN;
	return far->part == FAR_GROUPS ? group_row(reader, far, text) : entry_row(reader, far, text);
}

const struct dump_form dump_form_far = {
	.name = "far",
	.summary = "adaptive routing in ibdiagnet2.far: groups of ports, and forwarding tables",
	.kind = DUMP_TABLES,
	.state_size = sizeof(struct far),
	.line = line,
};
