/*
 * Reads the database that ibdiagnet 2 writes as ibdiagnet2.db_csv: sections of comma-separated values between START_NAME and END_NAME,
 * whose first line names the columns; OpenSM's opensm-smdb.dump has the same format. The sections read are NODES, PORTS and LINKS; their
 * columns can be in any order, in any case:
 *   START_NODES
 *   NodeDesc,NumPorts,NodeType,...,SystemImageGUID,NodeGUID,PortGUID,DeviceID,...,VendorID,LocalPortNum
 *   "leaf 1",36,2,...,0x0002c90300000001,0x0002c90300000001,0x0002c90300000001,51000,...,0x02c9,1
 *   END_NODES
 * PORTS have NodeGuid, PortGuid, PortNum, LID, LMC, LinkWidthActv, LinkSpeedActv and PortState; LINKS have NodeGuid1, PortNum1,
 * NodeGuid2 and PortNum2.
 */
#include "infiniband/link_end.h"

#include <string.h>
#include <strings.h>

enum column {
	NODE_DESC,
	NUM_PORTS,
	NODE_TYPE,
	SYSTEM_GUID,
	NODE_GUID,
	PORT_GUID,
	DEVICE_ID,
	VENDOR_ID,
	PORT_NUM,
	LID,
	LMC,
	WIDTH,
	SPEED,
	PORT_STATE,
	NODE_GUID_1,
	PORT_NUM_1,
	NODE_GUID_2,
	PORT_NUM_2,
	COLUMNS
};

static const char *const column_names[COLUMNS] = {
	[NODE_DESC] = "NodeDesc",
	[NUM_PORTS] = "NumPorts",
	[NODE_TYPE] = "NodeType",
	[SYSTEM_GUID] = "SystemImageGUID",
	[NODE_GUID] = "NodeGUID",
	[PORT_GUID] = "PortGUID",
	[DEVICE_ID] = "DeviceID",
	[VENDOR_ID] = "VendorID",
	[PORT_NUM] = "PortNum",
	[LID] = "LID",
	[LMC] = "LMC",
	[WIDTH] = "LinkWidthActv",
	[SPEED] = "LinkSpeedActv",
	[PORT_STATE] = "PortState",
	[NODE_GUID_1] = "NodeGuid1",
	[PORT_NUM_1] = "PortNum1",
	[NODE_GUID_2] = "NodeGuid2",
	[PORT_NUM_2] = "PortNum2",
};

/* One value of a line, without its quotes and surrounding blanks. */
struct cell {
	char *text;
	size_t length;
	uint64_t number; /* 0 for values that are not numbers, such as N/A */
};

struct section {
	const char *name;
	unsigned needed; /* bits 1 << enum column */
	int (*row)(struct dump_reader *reader, const struct cell *cell);
};

struct db_csv {
	bool open;                     /* between START and END */
	char name[80];                 /* of the section */
	const struct section *section; /* NULL: a section that is not read */
	size_t columns;                /* 0: the line with their names has not been read yet */
	size_t place[COLUMNS];         /* position of the value in a line, from 1; 0: the section has none */
};

/* ---- values */

/*
 * Splits the next value off the line; returns NULL after the last one. A value in quotes can contain commas, and "" for a quote, which is
 * left as it is.
 */
static char *next_cell(char *text, struct cell *cell)
{
	if (!text)
		return NULL;
	scan_blanks(&text);
	char *end = text;
	for (bool quoted = false; *end && (quoted || *end != ','); end++)
		quoted ^= *end == '"';
	char *next = *end ? end + 1 : NULL;
	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (end - text >= 2 && *text == '"' && end[-1] == '"') {
		text++;
		end--;
	}
	*cell = (struct cell){text, (size_t)(end - text), 0};
	return next;
}

/* Reads a value as a number: decimal, or hexadecimal with 0x. Returns whether the number is the whole value. */
static bool read_value(struct cell *cell)
{
	char *text = cell->text, *end = text + cell->length;
	if (!cell->length || *text < '0' || *text > '9')
		return true;
	if (text[0] == '0' && text[1] == 'x')
		return scan_hex(&text, &cell->number) && text == end;
	for (; text < end && *text >= '0' && *text <= '9' && cell->number <= (UINT64_MAX - 9) / 10; text++)
		cell->number = cell->number * 10 + (unsigned)(*text - '0');
	return text == end;
}

/* Returns the value, or 0 if it exceeds max. */
static uint32_t small_number(struct cell cell, uint32_t max)
{
	return cell.number > max ? 0 : (uint32_t)cell.number;
}

static enum node_kind kind_of(uint64_t type)
{
	return type == 1 ? NODE_CA : type == 2 ? NODE_SWITCH : type == 3 ? NODE_ROUTER : NODE_UNKNOWN;
}

/* ---- rows */

static uint32_t node_of(struct dump_reader *reader, struct cell guid, enum node_kind kind)
{
	if (!guid.number)
		dump_error(reader, "a node has no GUID");
	return guid.number ? subnet_node_of_guid(reader->subnet, guid.number, kind, reader->error) : NONE;
}

static uint32_t port_of(struct dump_reader *reader, struct cell guid, struct cell number)
{
	if (!number.length || *number.text < '0' || *number.text > '9' || number.number >= UINT8_MAX) {
		dump_error(reader, "a port number is not within 0..254");
		return NONE;
	}
	uint32_t node = node_of(reader, guid, NODE_UNKNOWN);
	return node == NONE ? NONE : subnet_port(reader->subnet, node, (unsigned)number.number, reader->error);
}

static int node_row(struct dump_reader *reader, const struct cell *cell)
{
	uint32_t node = node_of(reader, cell[NODE_GUID], kind_of(cell[NODE_TYPE].number));
	if (node == NONE || node_note_desc(reader, node, cell[NODE_DESC].text, cell[NODE_DESC].length))
		return -1;
	struct subnet_node *noted = &reader->subnet->node[node];
	noted->ports = small_number(cell[NUM_PORTS], UINT8_MAX);
	noted->system_guid = cell[SYSTEM_GUID].number;
	noted->vendor = small_number(cell[VENDOR_ID], UINT32_MAX);
	noted->device = small_number(cell[DEVICE_ID], UINT32_MAX);
	return 0;
}

/* Reads the row of a port. The LID of a switch appears at its port 0, or at all its ports; the section NODES comes first. */
static int port_row(struct dump_reader *reader, const struct cell *cell)
{
	enum { ACTIVE_MASK = 0xff, EXTENDED_SHIFT = 8, FDR10_BIT = 1 << 16, STATE_DOWN = 1 };
	uint32_t port = port_of(reader, cell[NODE_GUID], cell[PORT_NUM]);
	if (port == NONE)
		return -1;
	bool outer = reader->subnet->node[reader->subnet->port[port].node].kind == NODE_SWITCH && reader->subnet->port[port].number;
	if (!outer) {
		port_note_lid(reader, port, small_number(cell[LID], UINT16_MAX), small_number(cell[LMC], UINT8_MAX), true);
		if (subnet_set_port_guid(reader->subnet, port, cell[PORT_GUID].number, reader->error))
			return -1;
	}
	uint32_t speed = small_number(cell[SPEED], UINT32_MAX);
	if (cell[PORT_STATE].number != STATE_DOWN)
		subnet_link(reader->subnet, port, lanes_of_mask(small_number(cell[WIDTH], UINT8_MAX)),
			speed & FDR10_BIT ? RATE_FDR10 : rate_of_mask(speed & ACTIVE_MASK, speed >> EXTENDED_SHIFT));
	return 0;
}

static int link_row(struct dump_reader *reader, const struct cell *cell)
{
	uint32_t port = port_of(reader, cell[NODE_GUID_1], cell[PORT_NUM_1]);
	uint32_t peer = port == NONE ? NONE : port_of(reader, cell[NODE_GUID_2], cell[PORT_NUM_2]);
	if (peer == NONE)
		return -1;
	link_note(reader, port, peer, 0, RATE_UNKNOWN);
	return 0;
}

static const struct section sections[] = {
	{"NODES", 1U << NODE_GUID | 1U << NODE_TYPE, node_row},
	{"PORTS", 1U << NODE_GUID | 1U << PORT_NUM, port_row},
	{"LINKS", 1U << NODE_GUID_1 | 1U << PORT_NUM_1 | 1U << NODE_GUID_2 | 1U << PORT_NUM_2, link_row},
};

/* ---- lines */

static enum dump_line start(struct dump_reader *reader, struct db_csv *db, const char *name)
{
	if (db->open)
		return dump_error(reader, "section %s begins within section %s", name, db->name);
	*db = (struct db_csv){.open = true};
	memcpy(db->name, name, strlen(name) + 1);
	for (size_t s = 0; s < sizeof sections / sizeof *sections; s++)
		if (!strcmp(sections[s].name, name))
			db->section = &sections[s];
	return LINE_TAKEN;
}

static enum dump_line read_columns(struct dump_reader *reader, struct db_csv *db, char *text)
{
	struct cell cell;
	while ((text = next_cell(text, &cell)), db->columns++, true) {
		for (size_t c = 0; c < COLUMNS; c++)
			if (strlen(column_names[c]) == cell.length && !strncasecmp(column_names[c], cell.text, cell.length))
				db->place[c] = db->columns;
		if (!text)
			break;
	}
	for (size_t c = 0; c < COLUMNS; c++)
		if (db->section->needed & 1U << c && !db->place[c])
			return dump_error(reader, "section %s has no column %s", db->name, column_names[c]);
	return LINE_TAKEN;
}

static enum dump_line read_row(struct dump_reader *reader, struct db_csv *db, char *text)
{
	struct cell cell[COLUMNS], next;
	for (size_t c = 0; c < COLUMNS; c++)
		cell[c] = (struct cell){"", 0, 0};
	size_t count = 0;
	do {
		text = next_cell(text, &next);
		count++;
		for (size_t c = 0; c < COLUMNS; c++)
			if (db->place[c] == count)
				cell[c] = next;
	} while (text);
	if (count < db->columns)
		return dump_error(reader, "a line of section %s has %zu values for %zu columns", db->name, count, db->columns);
	for (size_t c = 0; c < COLUMNS; c++)
		if (c != NODE_DESC && !read_value(&cell[c]))
			return dump_error(reader, "%s '%.*s' is not a number within its range", column_names[c],
				(int)(cell[c].length < 60 ? cell[c].length : 60), cell[c].text);
	return db->section->row(reader, cell) ? LINE_FAILED : LINE_TAKEN;
}

/* Reads START_ or END_ and a name of capitals, digits and '_'. */
static bool scan_mark(const char *line, const char *mark, char name[80])
{
	size_t prefix = strlen(mark);
	if (strncmp(line, mark, prefix) != 0)
		return false;
	size_t length = strspn(line + prefix, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (!length || length >= 80 || line[prefix + length + strspn(line + prefix + length, " \t")])
		return false;
	memcpy(name, line + prefix, length);
	name[length] = '\0';
	return true;
}

static enum dump_line db_line(struct dump_reader *reader, void *state, char *line, size_t length)
{
	(void)length;
	struct db_csv *db = state;
	char name[80];
	if (scan_mark(line, "START_", name))
		return start(reader, db, name);
	if (!db->open)
		return LINE_FOREIGN;
	if (scan_mark(line, "END_", name)) {
		if (strcmp(name, db->name) != 0)
			return dump_error(reader, "section %s is ended by END_%s", db->name, name);
		db->open = false;
		return LINE_TAKEN;
	}
	if (!db->section || !line[strspn(line, " \t")])
		return LINE_TAKEN;
	return db->columns ? read_row(reader, db, line) : read_columns(reader, db, line);
}

static enum dump_line db_end(struct dump_reader *reader, void *state)
{
	const struct db_csv *db = state;
	return db->open ? dump_error(reader, "the file ends within section %s: it is truncated", db->name) : LINE_TAKEN;
}

const struct dump_form dump_form_db_csv = {
	.name = "ibdiagnet2.db_csv",
	.summary = "the database of ibdiagnet 2, and OpenSM's opensm-smdb.dump",
	.kind = DUMP_TOPOLOGY,
	.state_size = sizeof(struct db_csv),
	.line = db_line,
	.end = db_end,
};
