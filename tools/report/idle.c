#include "tools/report/idle.h"

#include "base/memory.h"
#include "tools/report/advice_lines.h"

#include <inttypes.h>
#include <stdlib.h>

struct idle_switch *idle_switches(const struct fabric_report *report, uint32_t most, uint32_t *count, struct error *error)
{
	const struct fabric *f = report->fabric;
	uint32_t *at = array_create(f->nodes, sizeof *at, error), *tail = array_create(f->channels, sizeof *tail, error);
	bool *told = array_create(f->channels, sizeof *told, error);
	struct idle_switch *list = array_create(most, sizeof *list, error);
	*count = 0;
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			tail[c] = v;
			if ((told[c] = report->fair.class[c] != LOAD_UNUSED))
				continue;
			at[v]++;
			at[f->head[c]]++;
		}
	for (; *count < most && !error->status; ++*count) {
		uint32_t best = NONE;
		for (uint32_t v = 0; v < f->nodes; v++)
			if (at[v] && f->node_host[v] == NONE && (best == NONE || at[v] > at[best]))
				best = v;
		if (best == NONE)
			break;
		list[*count] = (struct idle_switch){best, at[best]};
		for (uint32_t c = 0; c < f->channels; c++)
			if (!told[c] && (tail[c] == best || f->head[c] == best)) {
				told[c] = true;
				at[tail[c]]--;
				at[f->head[c]]--;
			}
	}
	free(at);
	free(tail);
	free(told);
	if (!error->status)
		return list;
	free(list);
	return NULL;
}

/* Returns the number of switches at which there are idle channels. */
static uint32_t idle_ends(const struct fabric_report *r)
{
	const struct fabric *f = r->fabric;
	uint32_t ends = 0;
	for (uint32_t v = 0; v < f->nodes; v++) {
		bool any = false;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1] && f->node_host[v] == NONE; c++)
			any |= r->fair.class[c] == LOAD_UNUSED || (r->reverse[c] != NONE && r->fair.class[r->reverse[c]] == LOAD_UNUSED);
		ends += any;
	}
	return ends;
}

void say_idle(FILE *file, const struct fabric_report *report, struct error *error)
{
	enum { NAMED_MOST = 3 };
	uint32_t idle = report->fair.count[LOAD_UNUSED], count, told = 0;
	struct idle_switch *list = idle ? idle_switches(report, NAMED_MOST, &count, error) : NULL;
	if (!list)
		return;
	fprintf(file, "%s channel%s carr%s no route", COUNT(idle), idle == 1 ? "" : "s", idle == 1 ? "ies" : "y");
	for (uint32_t i = 0; i < count; i++)
		told += list[i].channels;
	bool spread = 2 * told < idle;
	bool single = count && list[0].channels == idle;
	for (uint32_t i = 0; i < count && !spread && !single; i++)
		fprintf(file, ", %s %sat %s", COUNT(list[i].channels), i ? "" : "of them ", report->name[list[i].node]);
	if (single)
		fprintf(file, ", %sat %s", idle == 1 ? "" : idle == 2 ? "both " : "all ", report->name[list[0].node]);
	else if (spread)
		fprintf(file, ", at %s switches, %s of them at %s", COUNT(idle_ends(report)), COUNT(list[0].channels),
			report->name[list[0].node]);
	else if (told < idle)
		fprintf(file, ", %s elsewhere", COUNT(idle - told));
	fputs(".", file);
	free(list);
}
