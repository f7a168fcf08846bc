/*
 * Reads the output of ibnetdiscover (ibnetdiscover(8), "topology file format"), with any of its options except -l and -p; ibdiagnet 2
 * writes the same format, and the input of the simulator ibsim is derived from it:
 *   sysimgguid=0x2c90300a1b2c6
 *   switchguid=0x2c90300a1b2c3(2c90300a1b2c3)
 *   Switch	36 "S-0002c90300a1b2c3"		# "leaf 1" enhanced port 0 lid 6 lmc 0
 *   [1]	"H-0002c90300d4e5f6"[1](2c90300d4e5f7) 		# "node 1 HCA-1" lid 5 4xHDR
 *
 *   caguid=0x2c90300d4e5f6
 *   Ca	1 "H-0002c90300d4e5f6"		# "node 1 HCA-1"
 *   [1](2c90300d4e5f7) 	"S-0002c90300a1b2c3"[1]		# lid 5 lmc 0 "leaf 1" lid 6 4xHDR
 * A node is identified by its quoted id. ibsim_net.c reads the additions of ibsim. Logs of terminals can lack the tabs: "Switch36".
 */
#include "base/args.h"
#include "infiniband/ibsim_net.h"
#include "infiniband/link_end.h"

#include <string.h>

struct net {
	uint32_t node;        /* node whose ports follow, + 1; 0: no header yet */
	bool begun;           /* attributes have been read, but not yet their header */
	uint64_t port_guid;   /* GUID in parentheses after that of a switch; 0: none */
	uint64_t system_guid; /* of the node whose header comes next, as vendor and device are */
	uint64_t vendor, device;
	uint64_t chassis; /* of the headers that follow, with -g; 0: none */
	bool speeds;      /* the lines of ports contain speeds */
	bool cut_short;   /* the line before has no end */
	struct ibsim_net ibsim;
};

/* ---- attributes */

/* Attributes, by the name before '='; those that give node GUIDs have the kind of node. */
static const struct attribute {
	const char *name;
	enum { NODE_GUID, SYSTEM_GUID, VENDOR, DEVICE, WIDTH, SPEED, EXTENDED } what;
	enum node_kind kind;
	uint64_t max;
} attributes[] = {
	{"vendid", VENDOR, 0, UINT32_MAX},
	{"devid", DEVICE, 0, UINT32_MAX},
	{"sysimgguid", SYSTEM_GUID, 0, UINT64_MAX},
	{"switchguid", NODE_GUID, NODE_SWITCH, UINT64_MAX},
	{"switchguids", NODE_GUID, NODE_SWITCH, UINT64_MAX},
	{"caguid", NODE_GUID, NODE_CA, UINT64_MAX},
	{"hcaguid", NODE_GUID, NODE_CA, UINT64_MAX},
	{"hcaguids", NODE_GUID, NODE_CA, UINT64_MAX},
	{"rtguid", NODE_GUID, NODE_ROUTER, UINT64_MAX},
	{"width", WIDTH, 0, 31},
	{"speed", SPEED, 0, 7},
	{"extspeed", EXTENDED, 0, 31},
};

/* Scans a number, decimal or hexadecimal with 0x. */
static bool scan_value(char **text, uint64_t *value)
{
	uint32_t decimal;
	if (!strncmp(*text, "0x", 2))
		return scan_hex(text, value);
	if (!scan_number(text, UINT32_MAX, &decimal))
		return false;
	*value = decimal;
	return true;
}

static void set_attribute(struct net *net, const struct attribute *attribute, uint64_t value)
{
	switch (attribute->what) {
	case NODE_GUID: net->ibsim.base[attribute->kind] = value; break;
	case SYSTEM_GUID: net->system_guid = value; break;
	case VENDOR: net->vendor = value; break;
	case DEVICE: net->device = value; break;
	case WIDTH: net->ibsim.masks.width = (uint32_t)value; break;
	case SPEED: net->ibsim.masks.speed = (uint32_t)value; break;
	case EXTENDED: net->ibsim.masks.extended = (uint32_t)value; break;
	}
	if (attribute->what < WIDTH)
		net->begun = true;
}

/* Parses "switchguid=0x2c90300a1b2c3(2c90300a1b2c3)"; with -g, the text after it gives the place in the chassis. */
static enum dump_line attribute_line(struct dump_reader *reader, struct net *net, char *text)
{
	const struct attribute *attribute = NULL;
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");
	for (size_t a = 0; a < sizeof attributes / sizeof *attributes; a++)
		if (strlen(attributes[a].name) == length && !memcmp(attributes[a].name, text, length))
			attribute = &attributes[a];
	text += length;
	scan_blanks(&text);
	if (!attribute || !scan_char(&text, '='))
		return LINE_FOREIGN;
	uint64_t value;
	scan_blanks(&text);
	if (!scan_value(&text, &value) || value > attribute->max || !strchr("( \t#", *text))
		return dump_error(reader, "the value of %s is not a number within its range", attribute->name);
	net->port_guid = 0;
	if (scan_char(&text, '(') && (!scan_hex(&text, &net->port_guid) || !scan_char(&text, ')')))
		return dump_error(reader, "the GUID in parentheses after %s is incomplete", attribute->name);
	set_attribute(net, attribute, value);
	return LINE_TAKEN;
}

/* ---- ids */

/* Returns the node of the quoted id that follows; NONE if there is none, with the error set. */
static uint32_t scan_node(struct dump_reader *reader, const struct net *net, char **text)
{
	char *id;
	size_t length;
	if (scan_quoted(text, &id, &length) && length)
		return ibsim_node(reader, &net->ibsim, id, length);
	dump_error(reader, **text == '"' ? "a quoted id has no closing quote" : "a quoted id is missing");
	return NONE;
}

/* Returns whether the node has an id made by ibnetdiscover, "S-0002c90300a1b2c3", not one chosen by a user. */
static bool is_guid_id(const struct subnet_node *node)
{
	uint64_t guid;
	return node->guid && node->id[0] && node->id[1] == '-' && read_guid(node->id + 2, &guid) && guid == node->guid;
}

/* ---- comments after '#' */

struct comment {
	const char *desc; /* NULL: none */
	size_t desc_length;
	uint32_t lid, lmc; /* those before the description */
	char *behind;      /* text after the description, or the whole text if there is none */
};

/* Scans "lid 5 lmc 0 "; a LID of -1, or none, is not a LID. */
static void scan_lid(char **text, uint32_t *lid, uint32_t *lmc)
{
	*lid = *lmc = 0;
	scan_blanks(text);
	if (!scan_text(text, "lid"))
		return;
	scan_blanks(text);
	size_t digits = strspn(*text, "-0123456789");
	if ((*text)[digits] == 'x')
		return; /* it is the width: there was no LID */
	if (!scan_number(text, UINT16_MAX, lid))
		*text += digits;
	scan_blanks(text);
	if (!scan_text(text, "lmc"))
		return;
	scan_blanks(text);
	scan_number(text, 7, lmc);
	scan_blanks(text);
}

/*
 * Reads a comment. A description ends at the last quote of the line, as it can contain quotes. In ibsim's files the comment can be any
 * text.
 */
static bool read_comment(char *text, struct comment *comment)
{
	*comment = (struct comment){.behind = text + strlen(text)};
	scan_blanks(&text);
	if (!scan_char(&text, '#'))
		return true;
	scan_lid(&text, &comment->lid, &comment->lmc);
	comment->behind = text;
	if (!scan_char(&text, '"'))
		return true;
	char *close = strrchr(text, '"');
	if (!close)
		return false;
	comment->desc = text;
	comment->desc_length = (size_t)(close - text);
	comment->behind = close + 1;
	return true;
}

/* ---- headers */

/* Scans "Switch", "Ca", "Hca" or "Rt" before a blank or a number. */
static enum node_kind scan_kind(char **text)
{
	static const struct {
		const char *word;
		enum node_kind kind;
	} words[] = {{"Switch", NODE_SWITCH}, {"Ca", NODE_CA}, {"Hca", NODE_CA}, {"Rt", NODE_ROUTER}};
	for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
		char *at = *text;
		if (scan_text(&at, words[w].word) && *at && strchr(" \t0123456789", *at)) {
			scan_blanks(&at);
			*text = at;
			return words[w].kind;
		}
	}
	return NODE_UNKNOWN;
}

/* Gives the LID and the GUID of a switch to its port 0. */
static int describe_switch(struct dump_reader *reader, const struct net *net, uint32_t node, char *text)
{
	uint32_t own = subnet_port(reader->subnet, node, 0, reader->error), lid, lmc;
	uint64_t guid = net->port_guid ? net->port_guid : reader->subnet->node[node].guid;
	if (own == NONE || subnet_set_port_guid(reader->subnet, own, guid, reader->error))
		return -1;
	text = strstr(text, "port 0"); /* "base port 0" or "enhanced port 0" */
	if (text) {
		text += strlen("port 0");
		scan_lid(&text, &lid, &lmc);
		port_note_lid(reader, own, lid, lmc, true);
	}
	return 0;
}

static int describe_node(struct dump_reader *reader, const struct net *net, uint32_t id, enum node_kind kind, const struct comment *comment)
{
	struct subnet_node *node = &reader->subnet->node[id];
	const char *text = comment->desc ? comment->desc : is_guid_id(node) ? "" : node->id;
	const char *desc = subnet_text(reader->subnet, text, comment->desc ? comment->desc_length : strlen(text), reader->error);
	if (!desc)
		return -1;
	if (*desc)
		node->desc = desc;
	node->kind = kind;
	node->vendor = net->vendor ? (uint32_t)net->vendor : node->vendor;
	node->device = net->device ? (uint32_t)net->device : node->device;
	node->system_guid = net->system_guid ? net->system_guid : node->system_guid;
	node->chassis = net->chassis ? net->chassis : node->chassis;
	return kind == NODE_SWITCH ? describe_switch(reader, net, id, comment->behind) : 0;
}

static enum dump_line header(struct dump_reader *reader, struct net *net, enum node_kind kind, char *text)
{
	uint32_t ports;
	struct comment comment;
	if (*text < '0' || *text > '9' || text[1] == 'x')
		return LINE_FOREIGN; /* a list of nodes: "Switch	: 0x0002c90300a1b2c3 ports 36 ...", or "Switch 0x0002c90300a1b2c3,
					base LID 2" */
	if (!scan_number(&text, UINT8_MAX, &ports) || !ports)
		return dump_error(reader, "a node's number of ports is not within 1..255");
	scan_blanks(&text);
	uint32_t node = scan_node(reader, net, &text);
	if (node == NONE)
		return LINE_FAILED;
	if (!read_comment(text, &comment))
		return dump_error(reader, "a node description has no closing quote");
	if (ports > reader->subnet->node[node].ports)
		reader->subnet->node[node].ports = ports;
	uint64_t guid = ibsim_next_guid(&net->ibsim, kind, ports);
	if (subnet_set_guid(reader->subnet, node, guid, reader->error))
		return LINE_FAILED;
	if (reader->subnet->node[node].guid != guid)
		net->port_guid = 0; /* the id is valid */
	if (describe_node(reader, net, node, kind, &comment))
		return LINE_FAILED;
	net->node = node + 1;
	net->begun = false;
	net->port_guid = net->system_guid = net->vendor = net->device = 0;
	return LINE_TAKEN;
}

/* ---- ports */

/*
 * Scans the text after "[1]": "(2c90300d4e5f7)" and, with -g, "[ext 3]", the number on the front of the chassis, which ibdiagnet 2 puts in
 * parentheses too. Returns false if a bracket stays open.
 */
static bool scan_brackets(char **text, uint64_t *guid)
{
	*guid = 0;
	while (**text == '(' || **text == '[') {
		char *inside = *text + 1, *close = strchr(inside, **text == '(' ? ')' : ']');
		uint64_t value;
		if (!close)
			return false;
		if (**text == '(' && scan_hex(&inside, &value) && inside == close)
			*guid = value;
		*text = close + 1;
	}
	return true;
}

/* Scans "[1]". */
static bool scan_port_number(char **text, uint32_t *number)
{
	return scan_char(text, '[') && scan_number(text, UINT8_MAX - 1, number) && *number && scan_char(text, ']');
}

/* Returns the port at the other end, "H-0002c90300d4e5f6"[1](2c90300d4e5f7); NONE with the error set if it is incomplete. */
static uint32_t scan_peer(struct dump_reader *reader, const struct net *net, char **text)
{
	uint32_t number = 1, port;
	uint64_t guid;
	if (ibsim_alias_port(reader, &net->ibsim, text, &port))
		return NONE;
	if (port != NONE)
		return scan_brackets(text, &guid) ? port : (dump_error(reader, "a bracket is not closed"), NONE);
	uint32_t node = scan_node(reader, net, text);
	if (node == NONE)
		return NONE;
	const struct subnet_node *named = &reader->subnet->node[node];
	if (**text && !strchr("[( \t#", **text)) {
		dump_error(reader, "the id of the other end is not followed by a port number in brackets");
		return NONE;
	}
	if ((**text == '[' || is_guid_id(named)) && !scan_port_number(text, &number)) {
		dump_error(reader, "the number of the port at the other end is not within [1]..[254]");
		return NONE;
	}
	if (!scan_brackets(text, &guid)) {
		dump_error(reader, "a bracket after the port at the other end is not closed");
		return NONE;
	}
	bool outer = named->kind == NODE_SWITCH || !guid;
	port = subnet_port(reader->subnet, node, number, reader->error);
	return port == NONE || (!outer && subnet_set_port_guid(reader->subnet, port, guid, reader->error)) ? NONE : port;
}

/* Records the text after the description of the node at the other end: " lid 5 4xHDR". */
static int note_peer(struct dump_reader *reader, struct net *net, uint32_t port, uint32_t peer, const struct comment *comment)
{
	struct subnet *subnet = reader->subnet;
	uint32_t node = subnet->port[peer].node, addressed = peer, lid, lmc;
	unsigned lanes = 0;
	enum lane_rate rate = RATE_UNKNOWN;
	char *text = comment->behind;
	if (node_note_desc(reader, node, comment->desc, comment->desc_length))
		return -1;
	if (subnet->node[node].kind == NODE_SWITCH)
		addressed = subnet_port(subnet, node, 0, reader->error);
	if (addressed == NONE)
		return -1;
	scan_lid(&text, &lid, &lmc);
	port_note_lid(reader, addressed, lid, lmc, false);
	scan_blanks(&text);
	bool known = scan_link(&text, &lanes, &rate) && (rate != RATE_UNKNOWN || *text == '?');
	subnet_link(subnet, port, lanes, rate);
	subnet->port[port].twice = known;
	net->speeds |= known;
	net->cut_short = !known;
	return 0;
}

/* Records the GUID and the LID of the node's own port. */
static int note_own(struct dump_reader *reader, uint32_t port, uint64_t guid, const struct comment *comment)
{
	const struct subnet_port *own = &reader->subnet->port[port];
	const struct subnet_node *node = &reader->subnet->node[own->node];
	if (node->kind == NODE_SWITCH)
		return 0;
	if (!guid && node->guid)
		guid = node->guid + own->number; /* as ibsim assigns it */
	port_note_lid(reader, port, comment->lid, comment->lmc, true);
	return subnet_set_port_guid(reader->subnet, port, guid, reader->error);
}

/*
 * Returns whether the text is "[1]" and more, or a fragment of such a line; shell prompts and timestamps of log files begin with a bracket
 * too.
 */
static bool is_port_line(const char *text)
{
	size_t digits = strspn(text + 1, "0123456789");
	const char *behind = text + 1 + digits;
	if (!digits || !strchr("] \t", *behind))
		return false;
	return digits <= 3 || strchr(behind, '"');
}

static enum dump_line port_line(struct dump_reader *reader, struct net *net, char *text)
{
	struct subnet *subnet = reader->subnet;
	uint32_t number;
	uint64_t guid;
	struct comment comment;
	if (!is_port_line(text))
		return LINE_FOREIGN;
	if (!net->node)
		return strchr(text, '"') ? dump_error(reader, "a port appears before the header of its node") : LINE_FOREIGN;
	uint32_t node = net->node - 1;
	if (!scan_port_number(&text, &number) || number > subnet->node[node].ports)
		return dump_error(reader, "a port number is not within [1]..[%u] of its node", (unsigned)subnet->node[node].ports);
	if (!scan_brackets(&text, &guid))
		return dump_error(reader, "a bracket after the port is not closed");
	scan_blanks(&text);
	bool alias = text[0] == '"' && text[1] == '@'; /* the other end then has no line for this cable */
	uint32_t port = subnet_port(subnet, node, number, reader->error), peer = port == NONE ? NONE : scan_peer(reader, net, &text);
	if (peer == NONE)
		return LINE_FAILED;
	char *behind = text;
	text += strcspn(text, "#");
	if (!read_comment(text, &comment))
		return dump_error(reader, "a node description has no closing quote");
	subnet_cable(subnet, port, peer, dump_place(reader));
	if (alias && subnet->port[port].peer == peer)
		subnet_cable(subnet, peer, port, dump_place(reader));
	if (note_own(reader, port, guid, &comment) || (comment.desc && note_peer(reader, net, port, peer, &comment)))
		return LINE_FAILED;
	return ibsim_link(reader, &net->ibsim, port, behind);
}

/* ---- lines */

/* Reads the headings of -g, "Chassis 1 (guid 0x2c90300a1b2c0)" and "Non-Chassis Nodes". */
static bool chassis_line(struct net *net, char *text)
{
	uint32_t number;
	uint64_t guid;
	if (scan_text(&text, "Non-Chassis Nodes")) {
		net->chassis = 0;
		return true;
	}
	if (!scan_text(&text, "Chassis "))
		return false;
	net->chassis = scan_number(&text, UINT32_MAX, &number) ? number : 0;
	scan_blanks(&text);
	if (scan_text(&text, "(guid 0x") && scan_hex(&text, &guid) && guid)
		net->chassis = guid;
	return true;
}

static enum dump_line net_line(struct dump_reader *reader, void *state, char *line, size_t length)
{
	struct net *net = state;
	char *text = line;
	(void)length;
	scan_blanks(&text);
	if (*text)
		net->cut_short = false;
	if (*text == '[')
		return port_line(reader, net, text);
	enum node_kind kind = scan_kind(&text);
	if (kind != NODE_UNKNOWN)
		return header(reader, net, kind, text);
	if (chassis_line(net, text) || scan_text(&text, "DR path slid ")) /* progress of -s */
		return LINE_TAKEN;
	enum dump_line taken = attribute_line(reader, net, text);
	return taken != LINE_FOREIGN ? taken : ibsim_line(reader, &net->ibsim, net->node ? net->node - 1 : NONE, text);
}

static enum dump_line net_end(struct dump_reader *reader, void *state)
{
	const struct net *net = state;
	if (net->begun || (net->speeds && net->cut_short))
		subnet_odd(reader->subnet, ODD_CUT_OFF, "%s", dump_place(reader));
	return LINE_TAKEN;
}

const struct dump_form dump_form_ibnetdiscover = {
	.name = "ibnetdiscover",
	.summary = "the topology as ibnetdiscover prints it, and netfiles of ibsim",
	.kind = DUMP_TOPOLOGY,
	.state_size = sizeof(struct net),
	.line = net_line,
	.end = net_end,
};
