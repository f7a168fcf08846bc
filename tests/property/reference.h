/*
 * The slow reference: what a fabric, a route, a pattern and a metric are, written down as literally
 * as C allows and with no thought of speed. It shares no line with the program it checks.
 *
 *   fabric.c      nodes, channels, forwarding sets, routes, the orders in which hosts are taken
 *   pattern.c     who sends to whom in which level
 *   congestion.c  loads, weights and the values the metrics are made of
 */
#ifndef TESTS_PROPERTY_REFERENCE_H
#define TESTS_PROPERTY_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	MAX_NODES = 128,
	MAX_CHANNELS = 512,
	MAX_RUNS = 16,
	MAX_BINS = 1024,
};

/* ---- fabric ---- */

struct node {
	char name[24];
	char desc[24]; /* node description, or "" */
	uint64_t guid; /* the attribute, or 0 when the node has none */
	bool host;
	bool typed; /* carries the attribute "type" */
};

struct channel {
	int tail, head;
	bool star;             /* its comment is "*" */
	bool lists[MAX_NODES]; /* the nodes its comment names */
	int unknown;           /* how many names in its comment are no node */
	double speed;          /* Gb/s, or 0 when it has none */
};

/* A statement of the dot file: of a node, or of a channel (the other one is -1). */
struct statement {
	int node, channel;
};

/* Nodes are numbered in the order of their first appearance in the file, channels in the order of
 * their creation. */
struct fabric {
	int nodes, channels, statements;
	struct node node[MAX_NODES];
	struct channel channel[MAX_CHANNELS];
	struct statement statement[MAX_NODES + MAX_CHANNELS];
};

/* The channels that leave a node, in cgraph's order. Returns their number. */
int fabric_out_channels(const struct fabric *f, int node, int out[]);

/* order[id] = the channel with this id. */
void fabric_channel_ids(const struct fabric *f, int order[]);

/* How many (node, destination) entries name two channels; how many names are no node. */
int fabric_ambiguous_entries(const struct fabric *f);
int fabric_unknown_names(const struct fabric *f);

/* route(s, d): the channels used. Returns their number, -1 when the pair is unroutable. */
int fabric_route(const struct fabric *f, int from, int to, int path[MAX_NODES]);

enum subset { LINEAR_BFS, FILE_ORDER, GUID_ASC, GUID_DESC };

/* All hosts in the order in which a subset takes them. Returns their number. */
int fabric_hosts(const struct fabric *f, enum subset subset, int host[MAX_NODES]);

/* ---- patterns ---- */

struct message {
	int level, from, to; /* ranks */
	bool first;          /* belongs to the first of two patterns side by side, or to the only one */
};

struct pattern {
	int levels, count, room;
	struct message *message;
};

/* Whether the pattern `spec` (a name, perhaps with ":ARGUMENTS") is defined for n ranks, and
 * whether it draws random numbers. */
bool pattern_valid(const char *spec, int n);
bool pattern_drawn(const char *spec);

void pattern_init(struct pattern *p);
void pattern_clear(struct pattern *p);
void pattern_add(struct pattern *p, int level, int from, int to);

/* Appends the messages of `spec` on n ranks to p. A drawn pattern has no literal form: false. */
bool pattern_make(struct pattern *p, const char *spec, int n);

/* Appends A on ranks 0..z-1 beside B on ranks z..n-1. */
bool pattern_beside(struct pattern *p, const char *a, const char *b, int z, int n);

/* ---- congestion ---- */

struct rules {
	bool speed_aware;
	bool serialise_sends;
	int level; /* the only level that counts, or -1 for all */
};

/* Counts by value, the values ascending. */
struct histogram {
	int bins;
	double key[MAX_BINS];
	long count[MAX_BINS];
};

/* One value per run. */
struct series {
	int count;
	double value[MAX_RUNS];
};

/* Everything the metrics report, gathered over the runs. A run that sends nothing has no bandwidth;
 * its sum and its delay are 0, but for a pattern without levels, which has none. */
struct tally {
	long connections, unroutable;
	double bandwidth_total; /* over all connections */
	double gbps_total;      /* of their rates, if speeds count */
	struct histogram weights;
	struct series bandwidth, sum, delay;
	double channel_sum[MAX_CHANNELS];
};

/* Whether there are channels of different speeds. */
bool fabric_speeds_differ(const struct fabric *f);

void histogram_add(struct histogram *h, double key, long count);
void series_add(struct series *s, double value);
double series_min(const struct series *s);
double series_max(const struct series *s);
double series_mean(const struct series *s);
double series_variance(const struct series *s);           /* of the population */
double series_quantile(const struct series *s, double q); /* linear interpolation, "type 7" */

/* Adds one run in which rank i sits on the node host[i]. */
void tally_run(struct tally *t, const struct fabric *f, const struct pattern *p, const int host[], const struct rules *rules);

#endif
