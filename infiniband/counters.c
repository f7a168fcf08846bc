#include "infiniband/counters.h"

#include "base/input.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct counter_form forms[] = {
	{"perfquery", counters_perfquery},
	{"ibqueryerrors", counters_ibqueryerrors},
	{"ibdiagnet", counters_ibdiagnet},
	{"Prometheus", counters_prometheus},
};

enum { FORMS = sizeof forms / sizeof *forms, NAME_LONGEST = 64, WORD = 4 /* bytes that PortXmitData counts */ };

void counters_clear(struct counters *counters)
{
	free(counters->port);
	*counters = (struct counters){0};
}

size_t counters_port(struct counter_reader *reader, uint64_t guid, uint32_t lid, uint32_t number)
{
	struct counters *c = reader->counters;
	const struct port_counters *last = c->ports ? &c->port[c->ports - 1] : NULL;
	if (last && last->guid == guid && last->lid == lid && last->number == number)
		return c->ports - 1;
	if (array_grow(&c->port, &c->capacity, c->ports + 1, sizeof *c->port, reader->error))
		return SIZE_MAX;
	c->port[c->ports] = (struct port_counters){.guid = guid, .lid = lid, .number = number};
	return c->ports++;
}

bool counters_set(struct counter_reader *reader, size_t port, const char *name, uint64_t value)
{
	static const struct {
		const char *name;
		enum counter counter;
		bool extended;
	} names[] = {
		{"portxmitdata", COUNTER_XMIT_BYTES, false},
		{"portrcvdata", COUNTER_RCV_BYTES, false},
		{"portxmitwait", COUNTER_XMIT_WAIT, false},
		{"portxmitdataextended", COUNTER_XMIT_BYTES, true},
		{"portrcvdataextended", COUNTER_RCV_BYTES, true},
		{"portxmitwaitextended", COUNTER_XMIT_WAIT, true},
	};
	char plain[NAME_LONGEST];
	size_t length = 0;
	for (; *name && length + 1 < sizeof plain; name++)
		if (*name != '_')
			plain[length++] = (char)tolower((unsigned char)*name);
	plain[length] = '\0';
	for (size_t i = 0; i < sizeof names / sizeof *names && port != SIZE_MAX; i++) {
		if (strcmp(plain, names[i].name) != 0)
			continue;
		struct port_counters *p = &reader->counters->port[port];
		enum counter k = names[i].counter;
		uint64_t unit = k == COUNTER_XMIT_WAIT ? 1 : WORD;
		if (names[i].extended || !p->has[k] || p->full[k]) {
			p->has[k] = true;
			p->full[k] = !names[i].extended && value == UINT32_MAX;
			p->value[k] = value > UINT64_MAX / unit ? UINT64_MAX : value * unit;
		}
		return true;
	}
	return false;
}

int counters_read(struct counters *counters, const char *path, struct error *error)
{
	struct line_reader lines;
	uint64_t taken[FORMS] = {0};
	size_t last = 0, data = 0;
	struct counter_reader reader[FORMS];
	*counters = (struct counters){0};
	for (size_t i = 0; i < FORMS; i++)
		reader[i] = (struct counter_reader){.counters = counters, .error = error, .at = SIZE_MAX};
	line_reader_open(&lines, path, LINE_LONGEST, error);
	size_t length;
	for (char *line; !error->status && (line = line_reader_next(&lines, &length, error));)
		for (size_t i = 0; i < FORMS && !error->status; i++) {
			size_t form = i ? (i <= last ? i - 1 : i) : last; /* the last one first */
			if (forms[form].line(&reader[form], line)) {
				taken[form]++;
				last = form;
				break;
			}
		}
	line_reader_close(&lines);
	for (size_t i = 0; i < counters->ports; i++)
		data += counters->port[i].has[COUNTER_XMIT_BYTES] || counters->port[i].has[COUNTER_RCV_BYTES];
	counters->form = forms[last].name;
	for (size_t i = 0; i < FORMS; i++)
		if (taken[i] > taken[last])
			counters->form = forms[i].name;
	if (!error->status && !data)
		error_at(error, STATUS_USAGE, path, 0,
			"has no counters of data: it must be output of perfquery -x, ibqueryerrors --data, ibdiagnet or a Prometheus exporter");
	return error->status ? -1 : 0;
}
