/*
 * Reads service levels, the answers of the subnet administrator to requests for paths:
 *   # slid dlid sl
 *   1 7 2
 *   1-4,6 8,9 0
 * The first two are a LID each, or several.
 */
#include "infiniband/dump.h"
#include "infiniband/subnet_levels.h"

#include <string.h>

struct levels {
	bool open; /* a line was taken */
	struct lid_list source, destination;
	bool seen[LID_LAST + 1];
};

/* Adds a range of LIDs, each once. Returns whether it is one. */
static bool add_range(struct levels *levels, struct lid_list *lids, uint32_t first, uint32_t last)
{
	for (uint32_t lid = first; lid <= last; lid++) {
		if (!levels->seen[lid])
			lids->lid[lids->count++] = (uint16_t)lid;
		levels->seen[lid] = true;
	}
	return first && first <= last;
}

/* Scans "1-4,6 ". */
static bool scan_lids(struct levels *levels, char **text, struct lid_list *lids)
{
	bool fine = true;
	lids->count = 0;
	do {
		uint32_t first, last;
		fine = scan_number(text, LID_LAST, &first);
		last = first;
		if (fine && scan_char(text, '-'))
			fine = scan_number(text, LID_LAST, &last);
		fine = fine && add_range(levels, lids, first, last);
	} while (fine && scan_char(text, ','));
	for (uint32_t i = 0; i < lids->count; i++)
		levels->seen[lids->lid[i]] = false;
	return fine && (scan_char(text, ' ') || scan_char(text, '\t')) && scan_blanks(text);
}

static enum dump_line line(struct dump_reader *reader, void *state, char *text, size_t length __attribute__((unused)))
{
	struct levels *levels = state;
	uint32_t level;
	scan_blanks(&text);
	if (*text == '#')
		return levels->open || strstr(text, "slid dlid sl") ? LINE_TAKEN : LINE_FOREIGN;
	if (!scan_lids(levels, &text, &levels->source) || !scan_lids(levels, &text, &levels->destination) ||
		!scan_number(&text, SERVICE_LEVELS - 1, &level) || !scan_blanks(&text) || *text)
		return LINE_FOREIGN;
	levels->open = true;
	if (subnet_levels_set(reader->subnet, &levels->source, &levels->destination, level, reader->error))
		return LINE_FAILED;
	return LINE_TAKEN;
}

const struct dump_form dump_form_sls = {
	.name = "sls",
	.summary = "service levels of pairs of LIDs, lines of slid dlid sl",
	.kind = DUMP_LEVELS,
	.state_size = sizeof(struct levels),
	.line = line,
};
