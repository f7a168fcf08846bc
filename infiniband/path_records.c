/*
 * Reads service levels from the path records that saquery PR prints:
 *   PathRecord dump:
 *   		dlid....................4
 *   		slid....................1
 *   		sl......................0x2
 */
#include "infiniband/dump.h"
#include "infiniband/subnet_levels.h"

#include <string.h>

struct path_state {
	bool open;
	struct lid_list source, destination; /* of one LID each; 0: not yet known */
};

/* Scans "NAME......VALUE", the value decimal or with 0x. */
static bool scan_value(char *text, const char *name, uint32_t max, uint32_t *value)
{
	uint64_t number;
	if (!scan_text(&text, name) || *text != '.')
		return false;
	text += strspn(text, ".");
	if (text[0] != '0' || text[1] != 'x')
		return scan_number(&text, max, value);
	if (!scan_hex(&text, &number) || number > max)
		return false;
	*value = (uint32_t)number;
	return true;
}

static enum dump_line line(struct dump_reader *reader, void *state, char *text, size_t length)
{
	struct path_state *s = state;
	uint32_t value;
	(void)length;
	bool indented = *text == ' ' || *text == '\t';
	scan_blanks(&text);
	if (!strcmp(text, "PathRecord dump:")) {
		s->open = true;
		s->source.count = s->destination.count = 1;
		s->source.lid[0] = s->destination.lid[0] = 0;
		return LINE_TAKEN;
	}
	if (!s->open || !indented)
		return LINE_FOREIGN;
	if (scan_value(text, "slid", LID_LAST, &value))
		s->source.lid[0] = (uint16_t)value;
	else if (scan_value(text, "dlid", LID_LAST, &value))
		s->destination.lid[0] = (uint16_t)value;
	else if (scan_value(text, "sl", SERVICE_LEVELS - 1, &value) && s->source.lid[0] && s->destination.lid[0] &&
		 subnet_levels_set(reader->subnet, &s->source, &s->destination, value, reader->error))
		return LINE_FAILED;
	return LINE_TAKEN;
}

const struct dump_form dump_form_path_records = {
	.name = "saquery PR",
	.summary = "service levels of pairs of LIDs by saquery PR",
	.kind = DUMP_LEVELS,
	.state_size = sizeof(struct path_state),
	.line = line,
};
