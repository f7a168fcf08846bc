/* What becomes of all packets of a run when cables fail. */
#include "metrics/by_load.h"

#include <math.h>

enum { LOST, LOAD, SENT, DELIVERED, DAMAGED, UNDER_WAY, NUMBERS };

static int packet_losses_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct packet_seen *s = seen->packets;
	(void)call;
	(void)error;
	numbers[LOST] = (double)(s->lost + s->unroutable);
	numbers[LOAD] = s->open ? s->load : NAN;
	numbers[SENT] = (double)s->made;
	numbers[DELIVERED] = (double)s->packets;
	numbers[DAMAGED] = (double)s->damaged;
	numbers[UNDER_WAY] = (double)(s->made - s->packets - s->lost - s->unroutable);
	return 0;
}

static const struct load_figure figure[] = {
	{"load", "load", LOAD_MEAN, LOAD, LINE_IF_KNOWN, false},
	{"sent", "packets sent", LOAD_MEAN, SENT, LINE_ALWAYS, false},
	{"delivered", "delivered", LOAD_MEAN, DELIVERED, LINE_ALWAYS, false},
	{"lost", "lost", LOAD_MEAN, LOST, LINE_ALWAYS, false},
	{"damaged", "of these on a cable that failed", LOAD_MEAN, DAMAGED, LINE_ALWAYS, false},
	{"under_way", "under way at the end", LOAD_MEAN, UNDER_WAY, LINE_ALWAYS, false},
};

static const struct table_column column[] = {{"load", "load"}, {"sent", "sent"}, {"delivered", "delivered"}, {"lost", "lost"},
	{"damaged", "on a cable"}, {"under_way", "under way"}};

static int packet_losses_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	static const struct load_layout layout = {"packets", figure, column, sizeof figure / sizeof *figure, false};
	(void)call;
	return finish_loads(samples, &layout, result, error);
}

const struct metric metric_packet_losses = {
	.name = "packet_losses",
	.summary = "packets sent, delivered and lost when cables fail",
	.source = "conservation of packets",
	.gathers = METRIC_VALUES,
	.wants = SEEN_PACKETS,
	.numbers = NUMBERS,
	.flow = packet_losses_flow,
	.finish = packet_losses_finish,
};
