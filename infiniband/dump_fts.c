/*
 * Reads linear forwarding tables as dump_fts and ibroute of infiniband-diags print them and OpenSM writes them to opensm-lfts.dump
 * (dump_fts(8), ibroute(8); OpenSM loads them with -R file): a header that names the switch, for each LID a line with the port and,
 * optionally, the owner of the LID, and the number of those lines:
 *   Unicast lids [0x0-0x63] of switch Lid 5 guid 0x0000000000200011 (leaf 5):
 *   0x0001 004 : (Channel Adapter portguid 0x0000000000100001: 'node 1')
 *   0x0002 004 : (path #2 out of 2: portguid 0x0000000000100001)
 *   2 valid lids dumped
 * OpenSM writes "# Channel Adapter ..." for the owner; options of the other tools omit it. Multicast tables are skipped.
 */
#include "infiniband/dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PATHS_MOST = 128 }; /* LIDs of a port with LMC 7 */

struct fts_table {
	bool open;                    /* lines of a table follow */
	bool multicast;               /* a table of multicast groups */
	uint32_t node;                /* node of the switch */
	uint64_t lines;               /* lines of the table so far */
	uint64_t owner[LID_LAST + 1]; /* GUID of the port for which the LID was claimed last, 0: none */
	char place[300];              /* file and line of the header */
};

/* ---- headers and counts */

static void cut_off(struct dump_reader *reader, struct fts_table *table)
{
	if (table->open && !table->multicast)
		subnet_odd(reader->subnet, ODD_TRUNCATED, "%s: %" PRIu64 " entries read", table->place, table->lines);
	table->open = false;
}

/*
 * Checks the count of lines: "11 valid lids dumped" is that count; so is "11 lids dumped" with -a, but in OpenSM's dump it is the top LID.
 */
static enum dump_line count_line(struct dump_reader *reader, struct fts_table *table, char *text)
{
	uint32_t count;
	if (!scan_number(&text, UINT32_MAX, &count))
		return LINE_FOREIGN;
	bool exact = scan_text(&text, " valid");
	if (!scan_text(&text, table->multicast ? " mlids dumped" : " lids dumped"))
		return LINE_FOREIGN;
	if (exact ? table->lines != count : table->lines > count)
		cut_off(reader, table);
	table->open = false;
	return LINE_TAKEN;
}

/* Reads the description "(leaf 5):", or "('leaf 5'):". Returns 0, or -1. */
static int describe(struct dump_reader *reader, uint32_t node, char *text)
{
	char *from = strchr(text, '('), *to = from ? strrchr(from, ')') : NULL;
	if (!to || *reader->subnet->node[node].desc)
		return 0;
	from++;
	if (to - from >= 2 && *from == '\'' && to[-1] == '\'') {
		from++;
		to--;
	}
	const char *desc = subnet_text(reader->subnet, from, (size_t)(to - from), reader->error);
	if (!desc)
		return -1;
	reader->subnet->node[node].desc = desc;
	return 0;
}

static enum dump_line header(struct dump_reader *reader, struct fts_table *table, char *text)
{
	cut_off(reader, table);
	char *found = strstr(text, " guid ");
	uint64_t guid;
	if (!found)
		return LINE_FOREIGN;
	found += strlen(" guid ");
	if (!scan_hex(&found, &guid) || !guid)
		return LINE_FOREIGN;
	table->node = subnet_node_of_guid(reader->subnet, guid, NODE_SWITCH, reader->error);
	if (table->node == NONE || subnet_table(reader->subnet, table->node, reader->error) || describe(reader, table->node, found))
		return LINE_FAILED;
	table->open = true;
	table->multicast = false;
	table->lines = 0;
	snprintf(table->place, sizeof table->place, "%s", dump_place(reader));
	return LINE_TAKEN;
}

/* Parses any line except an entry. */
static enum dump_line other_line(struct dump_reader *reader, struct fts_table *table, char *text)
{
	scan_blanks(&text);
	if (scan_text(&text, "Unicast lids "))
		return header(reader, table, text);
	if (scan_text(&text, "Multicast mlids ")) {
		cut_off(reader, table);
		return table->open = table->multicast = true, LINE_TAKEN;
	}
	if (!table->open)
		return LINE_FOREIGN;
	if (!*text || scan_text(&text, "Lid ") || scan_text(&text, "Port "))
		return LINE_TAKEN;
	if (table->multicast && (scan_text(&text, "Ports:") || scan_text(&text, "MLid") || scan_text(&text, "0x") ||
					strspn(text, " 0123456789") == strlen(text)))
		return LINE_TAKEN;
	return count_line(reader, table, text);
}

/* ---- entries */

/*
 * Scans "0x1a2b 017" without the general scanners, as there are millions of such lines. Returns where the text continues, NULL if it is not
 * an entry.
 */
static char *quick_entry(char *text, unsigned *lid, unsigned *port)
{
	unsigned sum = 0;
	if (text[0] != '0' || text[1] != 'x')
		return NULL;
	for (int i = 2; i < 6; i++) {
		unsigned digit = (unsigned)text[i] - '0';
		if (digit > 9) {
			digit = ((unsigned)text[i] | 0x20) - 'a';
			if (digit > 5)
				return NULL;
			digit += 10;
		}
		sum = sum << 4 | digit;
	}
	if (text[6] != ' ')
		return NULL;
	unsigned hundreds = (unsigned)text[7] - '0', tens, ones;
	if (hundreds > 9 || (tens = (unsigned)text[8] - '0') > 9 || (ones = (unsigned)text[9] - '0') > 9)
		return NULL;
	*lid = sum;
	*port = hundreds * 100 + tens * 10 + ones;
	return text + 10;
}

static char *any_entry(char *text, unsigned *lid, unsigned *port)
{
	uint64_t hex;
	uint32_t number;
	scan_blanks(&text);
	if (text[0] != '0' || (text[1] | 0x20) != 'x' || !scan_hex(&text, &hex) || hex > UINT16_MAX || (*text != ' ' && *text != '\t'))
		return NULL;
	scan_blanks(&text);
	if (!scan_number(&text, LFT_NO_PORT, &number))
		return NULL;
	*lid = (unsigned)hex;
	*port = number;
	return text;
}

static enum node_kind scan_kind(char **text)
{
	return scan_text(text, "Channel Adapter") ? NODE_CA
	       : scan_text(text, "Switch")        ? NODE_SWITCH
	       : scan_text(text, "Router")        ? NODE_ROUTER
						  : NODE_UNKNOWN;
}

/* Returns the LMC of the LIDs around this one that belong to the same port. */
static unsigned owned_lmc(const struct fts_table *table, unsigned lid)
{
	unsigned first = lid, last = lid, lmc = 0;
	while (first > 1 && lid - first < PATHS_MOST && table->owner[first - 1] == table->owner[lid])
		first--;
	while (last < LID_LAST && last - lid < PATHS_MOST && table->owner[last + 1] == table->owner[lid])
		last++;
	while ((first ^ last) >> lmc && lmc < 7)
		lmc++;
	return lmc;
}

/* Parses "Channel Adapter portguid 0x0c42a10300000021: 'node 02 HCA-1'". */
static enum dump_line claim_base(struct dump_reader *reader, struct fts_table *table, unsigned lid, char *text)
{
	uint64_t guid;
	enum node_kind kind = scan_kind(&text);
	if (!scan_text(&text, " portguid ") || !scan_hex(&text, &guid) || !guid || table->owner[lid] == guid)
		return LINE_TAKEN;
	table->owner[lid] = guid;
	char *from = strchr(text, '\''), *to = strrchr(text, '\'');
	size_t length = from ? (size_t)(to - from) : 0;
	unsigned lmc = owned_lmc(table, lid);
	lid = lid >> lmc << lmc;
	return subnet_claim(reader->subnet, lid, lmc, guid, kind, length ? from + 1 : "", length ? length - 1 : 0, reader->error)
		       ? LINE_FAILED
		       : LINE_TAKEN;
}

/* Parses "path #2 out of 4: portguid 0x0c42a10300000021". */
static enum dump_line claim_path(struct dump_reader *reader, struct fts_table *table, unsigned lid, char *text)
{
	uint32_t path, paths;
	uint64_t guid;
	if (!scan_number(&text, PATHS_MOST, &path) || !scan_text(&text, " out of ") || !scan_number(&text, PATHS_MOST, &paths) || !path ||
		path > lid || !scan_text(&text, ": portguid ") || !scan_hex(&text, &guid) || !guid || table->owner[lid] == guid)
		return LINE_TAKEN;
	table->owner[lid] = guid;
	unsigned lmc = 0;
	while (1U << lmc < paths)
		lmc++;
	return subnet_claim(reader->subnet, lid - (path - 1), lmc, guid, NODE_UNKNOWN, "", 0, reader->error) ? LINE_FAILED : LINE_TAKEN;
}

static enum dump_line claim(struct dump_reader *reader, struct fts_table *table, unsigned lid, char *text)
{
	if (!lid || (!scan_char(&text, ':') && !scan_char(&text, '#')))
		return LINE_TAKEN;
	scan_blanks(&text);
	scan_char(&text, '(');
	return scan_text(&text, "path #") ? claim_path(reader, table, lid, text) : claim_base(reader, table, lid, text);
}

/* Returns whether the line has "illegal port" outside a name. */
static bool is_illegal(const char *rest)
{
	const char *at = strstr(rest, "illegal port");
	return at && !memchr(rest, '\'', (size_t)(at - rest));
}

static enum dump_line line(struct dump_reader *reader, void *state, char *text, size_t length)
{
	struct fts_table *table = state;
	unsigned lid, port;
	char *rest = length >= 10 ? quick_entry(text, &lid, &port) : NULL;
	if (!rest)
		rest = any_entry(text, &lid, &port);
	if (!rest)
		return other_line(reader, table, text);
	if (!table->open || (*rest && *rest != ' ' && *rest != '\t'))
		return LINE_FOREIGN;
	if (table->multicast)
		return LINE_TAKEN;
	if (lid > LID_LAST || port > LFT_NO_PORT)
		return LINE_FOREIGN;
	table->lines++;
	while (*rest == ' ' || *rest == '\t') /* faster than scan_blanks for one blank */
		rest++;
	bool legal = port != LFT_NO_PORT && (!*rest || !is_illegal(rest));
	if (legal && lid && dump_entry(reader, table->node, lid, port))
		return LINE_FAILED;
	return *rest ? claim(reader, table, lid, rest) : LINE_TAKEN;
}

static enum dump_line end(struct dump_reader *reader, void *state)
{
	cut_off(reader, state);
	return LINE_TAKEN;
}

const struct dump_form dump_form_dump_fts = {
	.name = "dump_fts",
	.summary = "linear forwarding tables of dump_fts, dump_lfts.sh, ibroute, and opensm-lfts.dump",
	.kind = DUMP_TABLES,
	.state_size = sizeof(struct fts_table),
	.line = line,
	.end = end,
};
