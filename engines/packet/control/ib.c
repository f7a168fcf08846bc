/*
 * Congestion control of InfiniBand (annex A10 of the architecture specification). A switch marks packets of an output and lane that has
 * more than a threshold waiting, if it is the root of the congestion, that is, has credits. The sender has an index into a table of delays,
 * which rises with every notice and falls with a timer; after a packet the flow rests for the packet's time on the link times the entry.
 *
 * The annex gives the parameters and their ranges, not the bytes of a threshold nor defaults (OpenSM's are 0: off). Here a threshold t
 * stands for (16 - t)/16 of the buffer, and the defaults are chosen. The tables are those of P. Huang's study at LLNL.
 */
#include "engines/packet/control/control.h"

#include "base/input.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_USUAL = 128, TABLE_MOST = 8192, CREDIT_BYTES = 64, THRESHOLDS = 16, SHIFT_MOST = 3, MULTIPLIER_MOST = (1 << 14) - 1 };

enum { THRESHOLD, MARKING, SIZE, VICTIMS, BY, INCREASE, LIMIT, LEAST, TIMER, TABLE };

static const uint64_t timer_unit = 1024000; /* picoseconds */
static const double usual_bits = 8 * 256e3; /* of the timer */

struct entry {
	uint16_t multiplier, shift;
};

struct ib {
	uint64_t threshold, timer; /* bytes; picoseconds, 0: the index never falls */
	uint32_t marking, size, increase, limit, least;
	bool off, victims;
	uint32_t entries;
	struct entry entry[TABLE_MOST];
};

/* The entry i is floor(7 i^2 / (size^2 * scale)), divided by 2^shift. */
static const struct known {
	const char *name;
	double size, scale;
	uint16_t shift;
} known[] = {{"mellanox", 95, 0.218, 0}, {"mellanox-408", 95, 0.408, 0}, {"simula", 106, 0.218, 3}, {"simula-408", 106, 0.408, 3}};

static bool fill_known(struct ib *ib, const char *name)
{
	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		if (strcmp(known[k].name, name))
			continue;
		for (uint32_t i = 0; i < TABLE_USUAL; i++)
			ib->entry[i] =
				(struct entry){(uint16_t)(7.0 * i * i / (known[k].size * known[k].size) / known[k].scale), known[k].shift};
		ib->entries = TABLE_USUAL;
		return true;
	}
	return false;
}

/* Reads "SHIFT:MULTIPLIER" or "MULTIPLIER". */
static bool read_entry(char *word, struct entry *entry)
{
	int64_t shift = 0, multiplier;
	char *colon = strchr(word, ':');
	if (colon)
		*colon = '\0';
	if ((colon && !read_integer(word, 0, SHIFT_MOST, &shift)) ||
		!read_integer(colon ? colon + 1 : word, 0, MULTIPLIER_MOST, &multiplier))
		return false;
	*entry = (struct entry){(uint16_t)multiplier, (uint16_t)shift};
	return true;
}

static int read_table(struct ib *ib, const char *path, struct error *error)
{
	struct line_reader lines;
	char *line;
	struct error unread = {0};
	if (line_reader_open(&lines, path, LIST_LINE_LONGEST, &unread))
		error_set(error, unread.status,
			"congestion control 'ib': cct is '%s', not mellanox, mellanox-408, simula, simula-408 or a file: %s", path,
			unread.text);
	while (!error->status && (line = line_reader_list(&lines, error)))
		for (char *word; !error->status && (word = next_word(&line));)
			if (ib->entries == TABLE_MOST)
				error_at(error, STATUS_FABRIC, path, lines.number, "a table has at most %d entries", TABLE_MOST);
			else if (!read_entry(word, &ib->entry[ib->entries++]))
				error_at(error, STATUS_FABRIC, path, lines.number,
					"an entry is a multiplier from 0 to %d, or SHIFT:MULTIPLIER with a shift from 0 to %d",
					MULTIPLIER_MOST, SHIFT_MOST);
	if (!error->status && !ib->entries)
		error_at(error, STATUS_FABRIC, path, 0, "the table has no entries");
	line_reader_close(&lines);
	return error->status ? -1 : 0;
}

static int setup(struct control *control, struct error *error)
{
	const struct arg_value *value = control->args.value;
	struct ib *ib = control->data = array_create(1, sizeof *ib, error);
	if (!ib || (!fill_known(ib, value[TABLE].text) && read_table(ib, value[TABLE].text, error)))
		return -1;
	if (strcmp(value[BY].text, "qp") != 0 && strcmp(value[BY].text, "sl") != 0)
		return error_set(error, STATUS_USAGE, "congestion control 'ib': by is '%s', not qp or sl", value[BY].text);
	int64_t units = (int64_t)ceil(usual_bits / control->link / 1e-12 / (double)timer_unit);
	if (strcmp(value[TIMER].text, "auto") != 0 && !read_integer(value[TIMER].text, 0, UINT16_MAX, &units))
		return error_set(
			error, STATUS_USAGE, "congestion control 'ib': timer is '%s', not auto or 0 to %d", value[TIMER].text, UINT16_MAX);
	control->by_level = *value[BY].text == 's';
	ib->off = !value[THRESHOLD].integer;
	ib->threshold = control->buffer * (uint64_t)(THRESHOLDS - value[THRESHOLD].integer) / THRESHOLDS;
	ib->marking = (uint32_t)value[MARKING].integer;
	ib->size = (uint32_t)value[SIZE].integer * CREDIT_BYTES;
	ib->victims = value[VICTIMS].integer;
	ib->increase = (uint32_t)value[INCREASE].integer;
	ib->limit = (uint32_t)value[LIMIT].integer < ib->entries ? (uint32_t)value[LIMIT].integer : ib->entries - 1;
	ib->least = (uint32_t)value[LEAST].integer;
	ib->timer = (uint64_t)units * timer_unit;
	if (ib->least > ib->limit)
		return error_set(error, STATUS_USAGE, "congestion control 'ib': min is %u, more than the limit, %u", ib->least, ib->limit);
	return 0;
}

static void clear(struct control *control)
{
	free(control->data);
}

static bool marks(const struct control *control, const struct control_sight *sight)
{
	const struct ib *ib = control->data;
	if (ib->off || sight->bytes < ib->size || sight->others < ib->threshold || !(sight->credits || ib->victims))
		return false;
	if ((*sight->unmarked)++ < ib->marking)
		return false;
	*sight->unmarked = 0;
	return true;
}

/* Lowers the index by the ticks of the timer since the last time. */
static void pass_time(const struct ib *ib, struct control_flow *flow, uint64_t now)
{
	uint64_t ticks = ib->timer ? now / ib->timer : 0, passed = ticks - flow->ib.ticks;
	uint32_t above = flow->ib.index > ib->least ? flow->ib.index - ib->least : 0;
	flow->ib.index = ib->least + (passed < above ? above - (uint32_t)passed : 0);
	flow->ib.ticks = ticks;
}

static void notice(const struct control *control, struct control_flow *flow, uint64_t now)
{
	const struct ib *ib = control->data;
	pass_time(ib, flow, now);
	flow->ib.index = flow->ib.index + ib->increase < ib->limit ? flow->ib.index + ib->increase : ib->limit;
}

static uint64_t rest(const struct control *control, struct control_flow *flow, uint64_t now, uint32_t bytes, uint64_t time)
{
	const struct ib *ib = control->data;
	(void)bytes;
	pass_time(ib, flow, now);
	const struct entry *entry = &ib->entry[flow->ib.index];
	return time * entry->multiplier >> entry->shift;
}

static const struct arg args[] = {
	{"threshold", ARG_INTEGER, "8", 0, THRESHOLDS - 1, "from 0 (off) and 1 (a nearly full buffer) to 15"},
	{"marking", ARG_INTEGER, "8", 0, UINT16_MAX, "packets between marked ones"},
	{"size", ARG_INTEGER, "0", 0, UINT16_MAX, "blocks of 64 bytes below which packets are not marked"},
	{"victims", ARG_FLAG, NULL, 0, 0, "switches also mark where they have no credits"},
	{"by", ARG_WORD, "qp", 0, 0, "qp or sl: what slows down, a queue pair or a service level of a host"},
	{"increase", ARG_INTEGER, "1", 1, UINT16_MAX, "by which a notice raises the index"},
	{"limit", ARG_INTEGER, "127", 0, TABLE_MOST - 1, "the largest index"},
	{"min", ARG_INTEGER, "0", 0, TABLE_MOST - 1, "the least index"},
	{"timer", ARG_WORD, "auto", 0, 0, "1.024 us units after which the index falls by 1; 0: never; auto: the time of 256 kB on a link"},
	{"cct", ARG_WORD, "mellanox", 0, 0, "the table of delays: mellanox, mellanox-408, simula, simula-408, or a file"},
	{.type = ARG_END},
};

const struct control_kind control_ib = {
	.name = "ib",
	.summary = "congestion control of InfiniBand: FECN, BECN, a table of delays",
	.source = "IBA, volume 1, annex A10; Gran and others 2010",
	.args = args,
	.setup = setup,
	.clear = clear,
	.marks = marks,
	.notice = notice,
	.rest = rest,
};
