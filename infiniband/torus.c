/*
 * Reads the coordinates of switches in the torus of the engine torus-2QoS, as OpenSM writes them to opensm-torus.dump:
 *   switch 0,1,3 GUID 0x0000000000200007 (s0_1_3)
 */
#include "infiniband/dump.h"

static enum dump_line line(struct dump_reader *reader, void *state, char *text, size_t length)
{
	uint32_t at[TORUS_DIMENSIONS];
	uint64_t guid;
	(void)state, (void)length;
	if (!scan_text(&text, "switch "))
		return LINE_FOREIGN;
	for (int d = 0; d < TORUS_DIMENSIONS; d++)
		if ((d && !scan_char(&text, ',')) || !scan_number(&text, UINT16_MAX - 1, &at[d]))
			return LINE_FOREIGN;
	if (!scan_text(&text, " GUID ") || !scan_hex(&text, &guid) || !guid)
		return LINE_FOREIGN;
	uint32_t node = subnet_node_of_guid(reader->subnet, guid, NODE_SWITCH, reader->error);
	for (int d = 0; node != NONE && d < TORUS_DIMENSIONS; d++)
		reader->subnet->node[node].torus[d] = (uint16_t)(at[d] + 1);
	return node == NONE ? LINE_FAILED : LINE_TAKEN;
}

const struct dump_form dump_form_torus = {
	.name = "torus",
	.summary = "coordinates of torus-2QoS in opensm-torus.dump",
	.kind = DUMP_LEVELS,
	.state_size = 1,
	.line = line,
};
