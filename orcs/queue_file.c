#include "orcs/queue_file.h"

#include "base/values.h"

#include <inttypes.h>
#include <string.h>

const struct queue_series *queues_of(const struct report *report)
{
	for (int m = 0; m < report->setup->metric_count; m++)
		if (!strcmp(report->setup->metrics[m].metric->name, "packet_queues"))
			return report->setup->metrics[m].data;
	return NULL;
}

static void write_end(const struct fabric *f, uint32_t node, uint32_t port, FILE *file)
{
	csv_text(file, f->labels->name[node]);
	if (port)
		fprintf(file, ",%" PRIu32 ",", port);
	else
		fputs(",,", file);
}

void queue_file_write(const struct queue_series *s, FILE *file)
{
	const struct fabric *f = s->fabric;
	const char *size = s->cycles ? "flits" : "bytes";
	fprintf(file, "time_%s,channel,from,from_port,to,to_port,held_%s,buffer_%s,waiting_%s,full,next\n",
		s->cycles ? "cycles" : "seconds", size, size, size);
	for (size_t m = 0; m < s->moments; m++) {
		if (s->first[m] == s->first[m + 1])
			fprintf(file, "%.9g,,,,,,,,,,\n", queue_time(s, m));
		for (size_t i = s->first[m]; i < s->first[m + 1]; i++) {
			const struct queue_sample *q = &s->sample[i];
			fprintf(file, "%.9g,%" PRIu32 ",", queue_time(s, m), q->channel);
			write_end(f, fabric_tail(f, q->channel), f->labels->port[q->channel], file);
			write_end(f, f->head[q->channel], f->labels->peer_port[q->channel], file);
			fprintf(file, "%" PRIu32 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",", q->held, s->buffer, q->waiting, q->full);
			if (q->next == NONE)
				putc('\n', file);
			else
				fprintf(file, "%" PRIu32 "\n", q->next);
		}
	}
}
