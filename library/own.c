/* What the user brings: a topology, tables, a pattern. */
#include "library/library.h"

#include "base/memory.h"
#include "patterns/pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- a topology, read as the graph that it is */

/* Writes a text in quotes. */
static void write_quoted(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', file);
		putc(*text, file);
	}
	putc('"', file);
}

static void write_name(FILE *file, const orcs_topology *t, uint32_t node)
{
	if (t->node[node].name)
		write_quoted(file, t->node[node].name);
	else
		fprintf(file, "%c%" PRIu32, t->node[node].host == ORCS_NONE ? 'S' : 'H', node);
}

static void write_node(FILE *file, const orcs_topology *t, uint32_t v)
{
	const orcs_node *node = &t->node[v];
	write_name(file, t, v);
	fprintf(file, " [type=%s", node->host == ORCS_NONE ? "switch" : "host");
	if (node->guid)
		fprintf(file, ", guid=\"0x%016" PRIx64 "\"", node->guid);
	if (node->description && *node->description) {
		fputs(", desc=", file);
		write_quoted(file, node->description);
	}
	fputs("];\n", file);
}

static void write_channel(FILE *file, const orcs_topology *t, const orcs_channel *c)
{
	write_name(file, t, c->tail);
	fputs(" -> ", file);
	write_name(file, t, c->head);
	fputs(" [", file);
	if (c->port)
		fprintf(file, "port=%" PRIu32 " ", c->port);
	if (c->peer_port)
		fprintf(file, "peer_port=%" PRIu32 " ", c->peer_port);
	if (c->gbps > 0)
		fprintf(file, "speed=\"%.17g\" ", c->gbps);
	if (c->latency > 0)
		fprintf(file, "latency=\"%.17g\"", c->latency);
	fputs("];\n", file);
}

/* Writes the topology as a graph; its channels by their tails. Returns the text, owned; NULL on errors. */
static char *write_topology(const orcs_topology *t, struct error *error)
{
	struct text_file text;
	uint32_t *first = array_create((size_t)t->nodes + 2, sizeof *first, error),
		 *order = array_create(t->channels, sizeof *order, error);
	for (uint32_t c = 0; c < t->channels && !error->status; c++)
		if (t->channel[c].tail >= t->nodes || t->channel[c].head >= t->nodes)
			error_set(error, STATUS_USAGE, "channel %" PRIu32 " is between nodes %" PRIu32 " and %" PRIu32 ", of %" PRIu32, c,
				t->channel[c].tail, t->channel[c].head, t->nodes);
	for (uint32_t c = 0; c < t->channels && !error->status; c++)
		first[t->channel[c].tail + 2]++;
	for (uint32_t v = 0; v < t->nodes && !error->status; v++)
		first[v + 2] += first[v + 1];
	for (uint32_t c = 0; c < t->channels && !error->status; c++)
		order[first[t->channel[c].tail + 1]++] = c;
	if (!error->status && !text_file_open(&text, error)) {
		fputs("digraph fabric {\n", text.file);
		for (uint32_t v = 0; v < t->nodes; v++)
			write_node(text.file, t, v);
		for (uint32_t i = 0; i < t->channels; i++)
			write_channel(text.file, t, &t->channel[order[i]]);
		fputs("}\n", text.file);
	}
	free(first);
	free(order);
	return error->status ? NULL : text_end(&text, error);
}

orcs_network *orcs_build(const orcs_topology *t, orcs_error *to)
{
	struct error error = {0};
	struct words words = {0};
	orcs_network *network = NULL;
	const char *name = t->name ? t->name : "topology";
	char *text = write_topology(t, &error);
	if (text && !words_add(&words, "orcs", NULL, &error) && !words_add(&words, name, NULL, &error))
		network = network_create(&words, &error);
	if (network) {
		struct dot_memory memory = {text, strlen(text)};
		struct job *job = &network->job;
		dot_load_text(&(struct dot_text){dot_read_memory, &memory, network->words.word[1]},
			DOT_TABLES | DOT_KEEP | DOT_KEEP_PLACES | DOT_ALTERNATIVES, &job->fabric, &job->forwarding, &job->attributes,
			&job->odd, &error);
	}
	if (network && (error.status || network_describe(network, &error))) {
		orcs_network_free(network);
		network = NULL;
	}
	words_clear(&words);
	free(text);
	give_error(&error, to);
	return network;
}

/* ---- tables */

int orcs_route_by(orcs_network *network, orcs_next *next, void *data, orcs_error *to)
{
	struct error error = {0};
	const struct fabric *f = network->job.fabric;
	uint32_t *column = array_create(f->nodes, sizeof *column, &error);
	uint32_t *table = array_create((size_t)f->nodes * f->hosts, sizeof *table, &error);
	for (uint32_t v = 0; v < f->nodes && !error.status; v++) {
		column[v] = v;
		for (uint32_t h = 0; h < f->hosts && !error.status; h++) {
			uint32_t channel = f->host_node[h] == v ? NONE : next(data, v, h);
			table[(size_t)h * f->nodes + v] = channel;
			if (channel != NONE && (channel < f->first_channel[v] || channel >= f->first_channel[v + 1]))
				error_at(&error, STATUS_USAGE, network->name, 0,
					"node %" PRIu32 " forwards to host %" PRIu32 " by channel %" PRIu32 ", which does not leave it", v,
					h, channel);
		}
	}
	struct rerouted rerouted = {0};
	if (!error.status)
		rerouted.forwarding = forwarding_of_tables(f, table, column, f->nodes, &error);
	else
		free(table);
	free(column);
	if (rerouted.forwarding && !network_take_routes(network, &rerouted, "", 0, &error))
		f->labels->hash = forwarding_hash(f, rerouted.forwarding);
	return give_error(&error, to);
}

/* ---- a pattern */

struct orcs_level {
	struct sink *sink;
	uint32_t ranks;
};

void orcs_send(orcs_level *to, uint32_t sender, uint32_t receiver)
{
	if (sender < to->ranks && receiver < to->ranks)
		emit(to->sink, sender, receiver);
}

static void own_run(struct pattern_call *call, uint64_t run)
{
	struct own_pattern *own = call->data;
	own->run = run;
}

static uint64_t own_levels(const struct pattern_call *call)
{
	const struct own_pattern *own = call->data;
	return own->pattern.levels;
}

static void own_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	const struct own_pattern *own = call->data;
	own->pattern.level(own->pattern.data, call->ranks, own->pattern.differs ? own->run : 0, level, &(orcs_level){sink, call->ranks});
}

void own_pattern_clear(struct own_pattern *own)
{
	free((char *)own->pattern.name);
	*own = (struct own_pattern){0};
}

int orcs_set_pattern(orcs_experiment *experiment, const orcs_pattern *pattern, orcs_error *to)
{
	struct error error = {0};
	if (!pattern->level || !pattern->name || !pattern->levels) {
		error_set(&error, STATUS_USAGE, "a pattern needs a name, a function and a level");
		return give_error(&error, to);
	}
	for (int i = 0; patterns[i]; i++)
		if (!strcmp(pattern->name, patterns[i]->name) || strchr(pattern->name, ':')) {
			error_set(&error, STATUS_USAGE, "'%s' is not a name for a pattern of one's own: orcs has it, or it has a colon",
				pattern->name);
			return give_error(&error, to);
		}
	char *name = copy_of(pattern->name, &error);
	if (name) {
		own_pattern_clear(&experiment->own);
		experiment->own.pattern = *pattern;
		experiment->own.pattern.name = name;
	}
	return give_error(&error, to);
}

void own_pattern_request(struct own_pattern *own, struct pattern_request *request)
{
	if (!own->pattern.name)
		return;
	own->kind = (struct pattern){
		.name = own->pattern.name,
		.summary = "a pattern of the calling program",
		.once = own->pattern.permutation,
		.run = own->pattern.differs ? own_run : NULL,
		.levels = own_levels,
		.level = own_level,
	};
	request->spec = own->pattern.name;
	request->own = &own->kind;
	request->own_data = own;
}
