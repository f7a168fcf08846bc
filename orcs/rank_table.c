#include "orcs/rank_table.h"

#include "base/memory.h"
#include "base/values.h"
#include "engines/computations.h"

#include <math.h>
#include <stdlib.h>

/* Sums over the channels of a host in one direction. */
struct link_sums {
	double sent, busy, blocked, channels;
};

static void add_channel(struct link_sums *sums, const struct packet_seen *s, uint32_t channel)
{
	sums->sent += (double)s->sent[channel];
	sums->busy += (double)s->busy[channel];
	sums->blocked += (double)s->blocked[channel];
	sums->channels++;
}

/* Adds up the channels from each host, links[2 * host], and to it, links[2 * host + 1]. */
static void add_links(const struct fabric *f, const struct packet_seen *s, struct link_sums *links)
{
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			if (f->node_host[v] != NONE)
				add_channel(&links[2 * (size_t)f->node_host[v]], s, c);
			if (f->node_host[f->head[c]] != NONE)
				add_channel(&links[2 * (size_t)f->node_host[f->head[c]] + 1], s, c);
		}
}

/* Returns a new array [ranks] of the picoseconds for which tasks communicate; NULL if out of memory. */
static uint64_t *find_communication(const struct task_times *times, uint32_t ranks, struct error *error)
{
	uint64_t *communicate = array_create(ranks, sizeof *communicate, error);
	uint64_t *compute = array_create(ranks, sizeof *compute, error);
	bool failed = !communicate || !compute || computations_split(times, communicate, compute, error);
	free(compute);
	if (!failed)
		return communicate;
	free(communicate);
	return NULL;
}

static void fill_row(double *row, const struct observation *seen, const struct link_sums *out, const struct link_sums *in, double time)
{
	const struct packet_seen *s = seen->packets;
	uint32_t h = (uint32_t)row[RANK_HOST];
	const struct packet_host *host = &s->host[h];
	double packets = host->packets ? (double)host->packets : NAN, measured = s->measured ? (double)s->measured : NAN;
	row[RANK_RUN] = (double)seen->run;
	row[RANK_LOAD] = s->open ? s->load : NAN;
	row[RANK_BYTES] = seen->bytes;
	row[RANK_SENT] = out->sent;
	row[RANK_ACCEPTED] = (double)s->accepted[h];
	row[RANK_RECEIVED] = (double)host->received;
	row[RANK_PACKETS] = (double)host->packets;
	row[RANK_HOPS] = (double)host->hops / packets;
	row[RANK_LATENCY] = (double)host->latency / packets / time;
	row[RANK_P99] = host->packets ? (double)host->p99 / time : NAN;
	row[RANK_BUSY] = out->busy / out->channels / measured;
	row[RANK_BLOCKED] = out->blocked / out->channels / measured;
	row[RANK_BUSY_IN] = in->busy / in->channels / measured;
	row[RANK_BLOCKED_IN] = in->blocked / in->channels / measured;
	row[RANK_MEASURED] = (double)s->measured / time;
}

/* Fills the rows of the hosts, which place says by host, in the order of their first ranks. */
static void fill_rows(struct rank_table *table, const struct observation *seen, const uint32_t *host, uint32_t ranks, uint32_t *place,
	const struct link_sums *links, const uint64_t *communicate, double time)
{
	double *rows = table->cell + table->used;
	uint32_t count = 0;
	for (uint32_t r = 0; r < ranks; r++) {
		bool first = place[host[r]] == 0;
		place[host[r]] = first ? ++count : place[host[r]];
		double *row = rows + (size_t)(place[host[r]] - 1) * RANK_COLUMNS, own = communicate ? (double)communicate[r] / time : NAN;
		if (first) {
			row[RANK_FIRST] = r;
			row[RANK_HOST] = host[r];
			row[RANK_COUNT] = 0;
			row[RANK_COMMUNICATION] = NAN;
			fill_row(row, seen, &links[2 * (size_t)host[r]], &links[2 * (size_t)host[r] + 1], time);
		}
		row[RANK_COUNT]++;
		row[RANK_COMMUNICATION] = fmax(row[RANK_COMMUNICATION], own);
	}
	table->used += (size_t)count * RANK_COLUMNS;
}

int rank_table_add(
	struct rank_table *table, const struct observation *seen, const uint32_t *host, uint32_t ranks, bool cycles, struct error *error)
{
	const struct fabric *f = seen->fabric;
	double time = cycles ? CYCLE_NS * 1e3 : PICOSECONDS;
	uint64_t *communicate = seen->times ? find_communication(seen->times, ranks, error) : NULL;
	struct link_sums *links = array_create(2 * (size_t)f->hosts, sizeof *links, error);
	uint32_t *place = array_create(f->hosts, sizeof *place, error);
	array_grow(&table->cell, &table->capacity, table->used + (size_t)ranks * RANK_COLUMNS, sizeof *table->cell, error);
	if (!error->status) {
		add_links(f, seen->packets, links);
		fill_rows(table, seen, host, ranks, place, links, communicate, time);
	}
	free(communicate);
	free(links);
	free(place);
	return error->status ? -1 : 0;
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;
	if (a[RANK_RUN] != b[RANK_RUN])
		return a[RANK_RUN] < b[RANK_RUN] ? -1 : 1;
	return (a[RANK_FIRST] > b[RANK_FIRST]) - (a[RANK_FIRST] < b[RANK_FIRST]);
}

int rank_table_merge(struct rank_table *table, struct comm *comm, struct error *error)
{
	size_t bytes, width = RANK_COLUMNS * sizeof *table->cell;
	double *all = comm_gather(comm, table->cell, table->used * sizeof *table->cell, &bytes, error);
	if (all) {
		free(table->cell);
		*table = (struct rank_table){all, bytes / sizeof *all, bytes / sizeof *all};
		if (bytes)
			qsort(all, bytes / width, width, compare);
	}
	return comm_agree(comm, error);
}

static void write_number(FILE *file, double number, const char *after)
{
	if (!isnan(number))
		fprintf(file, "%.9g", number);
	fputs(after, file);
}

void rank_table_write(const struct rank_table *table, const struct fabric *fabric, bool cycles, FILE *file)
{
	const char *size = cycles ? "flits" : "bytes", *time = cycles ? "cycles" : "seconds";
	fprintf(file,
		"load,message_%s,rank,ranks,host,sent_%s,accepted_%s,received_%s,packets,hops,latency_%s,latency_p99_%s,communication_%s,"
		"busy,blocked,busy_in,blocked_in,measured_%s\n",
		size, size, size, size, time, time, time, time);
	for (const double *row = table->cell; row < table->cell + table->used; row += RANK_COLUMNS) {
		write_number(file, row[RANK_LOAD], ",");
		write_number(file, row[RANK_BYTES], ",");
		fprintf(file, "%.0f,%.0f,", row[RANK_FIRST], row[RANK_COUNT]);
		csv_text(file, fabric->labels->name[fabric->host_node[(uint32_t)row[RANK_HOST]]]);
		fprintf(file, ",%.0f,%.0f,%.0f,%.0f,", row[RANK_SENT], row[RANK_ACCEPTED], row[RANK_RECEIVED], row[RANK_PACKETS]);
		for (int c = RANK_HOPS; c < RANK_COLUMNS; c++)
			write_number(file, row[c], c + 1 < RANK_COLUMNS ? "," : "\n");
	}
}

void rank_table_clear(struct rank_table *table)
{
	free(table->cell);
	*table = (struct rank_table){0};
}
