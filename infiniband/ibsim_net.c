/*
 * Reads the additions of ibsim, determined by trying ibsim 0.10:
 *   - an id can be any word, and is the description where there is no other;
 *   - a GUID line sets the base of a kind, from which nodes take their GUIDs, in the order of the headers: a switch takes one GUID, other
 *     nodes take one and one for each port;
 *   - w=, s= and e= after a port are masks of the widths and speeds that its end of the cable supports; width=, speed= and extspeed= set
 *     them for the lines that follow;
 *   - include "FILE"; module="NAME" puts NAME# before ids; @[2] = "NAME" lets lines below refer to port 2 of this node as "@NAME", and
 *     only that end then has a line for the cable; do COMMAND.
 */
#include "infiniband/ibsim_net.h"

#include "infiniband/link_end.h"

#include <string.h>

enum { ID_MAX = 500, FIRST_CA_GUID = 0x100000, FIRST_SWITCH_GUID = 0x200000, MASK_4X = 2, MASK_SDR = 1, MASK_MAX = 31 };

uint64_t ibsim_next_guid(struct ibsim_net *net, enum node_kind kind, uint32_t ports)
{
	if (!net->started) {
		net->base[NODE_CA] = net->base[NODE_CA] ? net->base[NODE_CA] : FIRST_CA_GUID;
		net->base[NODE_SWITCH] = net->base[NODE_SWITCH] ? net->base[NODE_SWITCH] : FIRST_SWITCH_GUID;
		net->started = true;
	}
	uint64_t guid = net->base[kind];
	net->base[kind] += kind == NODE_SWITCH ? 1 : ports + 1;
	return guid;
}

uint32_t ibsim_node(struct dump_reader *reader, const struct ibsim_net *net, const char *id, size_t length)
{
	char full[ID_MAX];
	size_t module = net->module ? strlen(net->module) : 0;
	if (!module || memchr(id, '#', length))
		return subnet_node(reader->subnet, id, length, reader->error);
	if (module + 1 + length > sizeof full) {
		dump_error(reader, "a quoted id is too long");
		return NONE;
	}
	memcpy(full, net->module, module);
	full[module] = '#';
	memcpy(full + module + 1, id, length);
	return subnet_node(reader->subnet, full, module + 1 + length, reader->error);
}

/* ---- speeds */

static bool scan_masks(char *text, struct ibsim_masks *masks)
{
	for (scan_blanks(&text); *text && *text != '#'; text += strcspn(text, " \t#"), scan_blanks(&text)) {
		char key = *text, *at = text + 1;
		uint32_t value;
		if (!strchr("wse", key) || !scan_char(&at, '='))
			continue;
		if (!scan_number(&at, MASK_MAX, &value) || !strchr(" \t#", *at))
			return false;
		if (key == 'w')
			masks->width = value;
		else if (key == 's')
			masks->speed = value;
		else
			masks->extended = value;
	}
	return true;
}

/* Each end has its own masks: the cable has the speed of the slower end. */
enum dump_line ibsim_link(struct dump_reader *reader, const struct ibsim_net *net, uint32_t id, char *text)
{
	struct ibsim_masks masks = net->masks;
	if (!scan_masks(text, &masks))
		return dump_error(reader, "w=, s= or e= after a port is not a mask, a decimal number from 0 to %d", MASK_MAX);
	if (!masks.width && !masks.speed && !masks.extended)
		return LINE_TAKEN;
	subnet_link(reader->subnet, id, lanes_of_mask(masks.width ? masks.width : MASK_4X),
		rate_of_mask(masks.speed ? masks.speed : MASK_SDR, masks.extended));
	struct subnet_port *port = &reader->subnet->port[id];
	struct subnet_port *peer = port->peer == NONE ? port : &reader->subnet->port[port->peer];
	if (peer->lanes)
		port->lanes = peer->lanes = port->lanes < peer->lanes ? port->lanes : peer->lanes;
	if (peer->rate)
		port->rate = peer->rate = port->rate < peer->rate ? port->rate : peer->rate;
	return LINE_TAKEN;
}

/* ---- aliases */

static const struct ibsim_alias *find_alias(const struct ibsim_net *net, const char *name)
{
	for (size_t a = 0; a < net->aliases; a++)
		if (!strcmp(net->alias[a].name, name))
			return &net->alias[a];
	return NULL;
}

int ibsim_alias_port(struct dump_reader *reader, const struct ibsim_net *net, char **text, uint32_t *port)
{
	char *at = *text, *name;
	size_t length;
	*port = NONE;
	if (strncmp(at, "\"@", 2) != 0 || !scan_quoted(&at, &name, &length))
		return 0;
	const char *kept = subnet_text(reader->subnet, name + 1, length - 1, reader->error);
	const struct ibsim_alias *alias = kept ? find_alias(net, kept) : NULL;
	if (!alias) {
		dump_error(reader, "no port above this line has this alias");
		return -1;
	}
	*port = alias->port;
	*text = at;
	return 0;
}

static enum dump_line alias_line(struct dump_reader *reader, struct ibsim_net *net, uint32_t node, char *text)
{
	uint32_t number, ports = reader->subnet->node[node].ports;
	char *name;
	size_t length;
	if (!scan_number(&text, UINT8_MAX - 1, &number) || !number || number > ports || !scan_char(&text, ']'))
		return dump_error(reader, "a port number is not within [1]..[%u] of its node", (unsigned)ports);
	scan_blanks(&text);
	if (!scan_char(&text, '=') || !scan_blanks(&text) || !scan_quoted(&text, &name, &length))
		return dump_error(reader, "an alias is not '@[PORT] = \"NAME\"'");
	if (net->aliases == IBSIM_ALIASES_MAX)
		return dump_error(reader, "more than %d aliases", IBSIM_ALIASES_MAX);
	struct ibsim_alias alias = {
		subnet_text(reader->subnet, name, length, reader->error), subnet_port(reader->subnet, node, number, reader->error)};
	if (!alias.name || alias.port == NONE)
		return LINE_FAILED;
	net->alias[net->aliases++] = alias;
	return LINE_TAKEN;
}

/* ---- other lines */

static enum dump_line include_line(struct dump_reader *reader, char *text)
{
	char path[ID_MAX], *name;
	size_t length;
	if (!scan_quoted(&text, &name, &length) || !length || length >= sizeof path)
		return dump_error(reader, "the name of the included file is not in quotes");
	memcpy(path, name, length);
	path[length] = '\0';
	return dump_include(reader, path);
}

static enum dump_line module_line(struct dump_reader *reader, struct ibsim_net *net, char *text)
{
	char *name;
	size_t length;
	if (!scan_quoted(&text, &name, &length))
		return dump_error(reader, "a module is not 'module=\"NAME\"'");
	net->module = subnet_text(reader->subnet, name, length, reader->error);
	return net->module ? LINE_TAKEN : LINE_FAILED;
}

enum dump_line ibsim_line(struct dump_reader *reader, struct ibsim_net *net, uint32_t node, char *text)
{
	if (node != NONE && scan_text(&text, "@["))
		return alias_line(reader, net, node, text);
	if (scan_text(&text, "include") && (*text == ' ' || *text == '\t') && scan_blanks(&text) &&
		(*text == '"' || !text[strcspn(text, " \t")]))
		return include_line(reader, text);
	if (scan_text(&text, "module") && scan_blanks(&text) && scan_char(&text, '=') && scan_blanks(&text))
		return module_line(reader, net, text);
	return net->started && scan_text(&text, "do ") ? LINE_TAKEN : LINE_FOREIGN;
}
