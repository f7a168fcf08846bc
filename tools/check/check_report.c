#include "tools/check/check_report.h"

#include "base/shown.h"
#include "base/version.h"
#include "tools/check/fault_text.h"
#include "tools/check/shape_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Mean hops of the pairs that have a route; NAN if none has. */
static double mean_hops(const struct survey *s)
{
	return s->routable ? s->hops_sum / (double)s->routable : NAN;
}

static uint64_t cables(const struct check *c)
{
	uint64_t count = 0;
	for (uint32_t k = 0; k < c->fabric->channels; k++)
		count += c->reverse[k] > k; /* one of two directions, or the only one */
	return count;
}

static double ratio(double down, double up)
{
	return up > 0 ? down / up : NAN;
}

static double variation(const struct statistics *s)
{
	return s->mean > 0 ? s->sd / s->mean : NAN;
}

/* Whether a requirement that is not met may yet be: nothing is known of both halves on lanes that they share. */
static bool unknown(const struct check *c, int requirement)
{
	return requirement == REQUIRE_DEADLOCK_FREE && c->via && c->met[REQUIRE_HALVES];
}

/* ---- text */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* "all", "none", or how many. */
static void put_share(FILE *file, uint64_t part, uint64_t whole, const char *what)
{
	if (part == whole)
		fprintf(file, "all %s", what);
	else if (!part)
		fprintf(file, "none %s", what);
	else
		fprintf(file, "%" PRIu64 " (%.2f%%) %s", part, percent(part, whole), what);
}

static void put_pairs(FILE *file, const struct check *c)
{
	const struct survey *s = &c->survey;
	const struct symmetry *y = &c->symmetry;
	fprintf(file, "pairs     %" PRIu64 ": ", s->pairs);
	put_share(file, s->routable, s->pairs, "routable");
	if (!s->routable) {
		if (c->unrouted)
			fprintf(file, "\nroutes    %s", c->hint ? c->hint : "none");
		putc('\n', file);
		return;
	}
	fputs("; of these ", file);
	put_share(file, s->minimal, s->routable, "minimal");
	if (y->symmetric + y->asymmetric) {
		fputs(", ", file);
		put_share(file, y->symmetric, y->symmetric + y->asymmetric, "symmetric");
	}
	if (c->routes)
		fprintf(file, "\nroutes    %" PRIu64 ": %.4f of a pair with any", s->alternatives,
			(double)s->alternatives / (double)s->routable);
	if (s->forked) {
		fputs("\nways      several for ", file);
		put_share(file, s->forked, s->routable, s->forked == s->routable ? "pairs" : "of these");
	}
	fprintf(file, "\nhops      mean %.4f", mean_hops(s));
	const char *between = s->forked ? "; by the longest way " : "; ";
	for (uint32_t k = 0; k <= s->longest; k++)
		if (s->hops[k]) {
			fprintf(file, "%s%" PRIu32 ": %" PRIu64, between, k, s->hops[k]);
			between = ", ";
		}
	putc('\n', file);
	if (s->minimal == s->routable)
		return;
	fputs("extra", file);
	between = "     ";
	for (uint32_t k = 1; k <= s->longest; k++)
		if (s->extra[k]) {
			fprintf(file, "%s%" PRIu32 ": %" PRIu64, between, k, s->extra[k]);
			between = ", ";
		}
	putc('\n', file);
}

static void put_deadlock(FILE *file, const struct check *c)
{
	const struct deadlock *d = &c->deadlock;
	if (c->unrouted) {
		fputs("deadlock  not asked, as there are no routes\n", file);
		return;
	}
	fprintf(file, "deadlock  %s%s: %" PRIu64 " dependenc%s on %u lane%s",
		d->length ? "possible"
		: c->via  ? "each half free"
			  : "free",
		d->length && c->via ? ", in each half" : "", d->dependencies, d->dependencies == 1 ? "y" : "ies", d->lanes,
		plural(d->lanes));
	if (c->lanes && c->survey.waits.level == EVERY_LEVEL)
		fputs(", all service levels", file);
	else if (c->lanes && c->survey.waits.level == LEVEL_TOLD)
		fputs(", the service level of each pair", file);
	else if (c->lanes)
		fprintf(file, ", service level %d", c->survey.waits.level);
	if (!d->length) {
		fputs(", no cycle\n", file);
		if (c->via)
			fprintf(file, "          as a whole not known: free if the second halves have %u lane%s of their own\n", d->lanes,
				plural(d->lanes));
		return;
	}
	fprintf(file, ", %" PRIu32 " channel%s in cycles; %" PRIu32 " lanes would do\n", d->channels, plural(d->channels), d->lanes_needed);
	fprintf(file, "          a shortest cycle, of %" PRIu32 ":\n", d->length);
	for (uint32_t i = 0; i < d->length; i++) {
		fputs("            ", file);
		write_channel(file, c, d->cycle[i] / d->lanes);
		if (d->lanes > 1)
			fprintf(file, " lane %" PRIu32, d->cycle[i] % d->lanes);
		putc('\n', file);
	}
}

static const char *level_name(uint32_t level, char *text, size_t size)
{
	if (level == LEVEL_HOST)
		snprintf(text, size, "hosts");
	else
		snprintf(text, size, "level %" PRIu32, level);
	return text;
}

static void put_balance(FILE *file, const struct check *c)
{
	fprintf(file, "\n%-20s %8s %7s | %10s %12s %10s %6s | %7s %9s %7s %6s\n", "channels", "number", "unused", "routes min", "mean",
		"max", "cv", "dests", "mean", "max", "cv");
	int digits = c->routes ? 2 : 0;
	for (uint32_t i = 0; i < c->balance.groups; i++) {
		const struct channel_group *g = &c->balance.group[i];
		char from[30], to[30], name[70];
		snprintf(name, sizeof name, "%s -> %s", level_name(g->from, from, sizeof from), level_name(g->to, to, sizeof to));
		fprintf(file, "%-20s %8" PRIu32 " %7" PRIu32 " | %10.*f %12.2f %10.*f %6.3f | %7.0f %9.2f %7.0f %6.3f\n", name, g->channels,
			g->unused, digits, g->routes.min, g->routes.mean, digits, g->routes.max,
			g->unused < g->channels ? variation(&g->routes) : 0, g->destinations.min, g->destinations.mean, g->destinations.max,
			g->unused < g->channels ? variation(&g->destinations) : 0);
	}
}

static void put_capacity(FILE *file, const struct check *c)
{
	fprintf(file, "\n%-10s %8s %10s %10s %10s %8s   %s\n", "capacity", "switches", "down", "up", "across", "down:up", "of one switch");
	for (uint32_t i = 0; i < c->balance.levels; i++) {
		const struct level_capacity *l = &c->balance.of_level[i];
		char name[30];
		fprintf(file, "%-10s %8" PRIu32 " %10.6g %10.6g %10.6g ", level_name(i, name, sizeof name), l->switches, l->sum.down,
			l->sum.up, l->sum.across);
		if (!l->rising)
			fprintf(file, "%8s\n", "-");
		else if (l->least == l->most)
			fprintf(file, "%8.4f   %.4f\n", ratio(l->sum.down, l->sum.up), l->most);
		else
			fprintf(file, "%8.4f   %.4f to %.4f (%s)\n", ratio(l->sum.down, l->sum.up), l->least, l->most,
				SHOWN(c->fabric->labels->name[l->worst]));
	}
}

/* That ways differ is usual and only said when it matters. */
static void put_faults(FILE *file, const struct check *c, const struct check_options *o)
{
	for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++) {
		if (!c->faults.count[kind] || (kind == FAULT_ASYMMETRIC && !o->all && !o->required[REQUIRE_SYMMETRIC]))
			continue;
		fprintf(file, "\n%s: %" PRIu64 "\n", fault_title(c, kind), c->faults.count[kind]);
		for (size_t i = 0; i < c->faults.listed[kind]; i++) {
			fputs("  ", file);
			write_fault(file, c, kind, &c->faults.list[kind][i]);
			putc('\n', file);
		}
		if (c->faults.listed[kind] < c->faults.count[kind])
			fprintf(file, "  and %" PRIu64 " more (--all names them)\n", c->faults.count[kind] - c->faults.listed[kind]);
	}
}

static void put_list(FILE *file, const struct check *c, const struct check_options *o, bool met)
{
	const char *between = "";
	for (int i = 0; i < REQUIREMENTS; i++)
		if (o->required[i] && c->met[i] == met) {
			fprintf(file, "%s%s%s", between, unknown(c, i) && !met ? "known to be " : "", requirement_names[i]);
			if (i == REQUIRE_BALANCED)
				fprintf(file, ":%g", o->balance_limit);
			between = ", ";
		}
}

static void put_verdict(FILE *file, const struct check *c, const struct check_options *o)
{
	bool any = false;
	for (int i = 0; i < REQUIREMENTS; i++)
		any = any || o->required[i];
	fputs(!any ? "\nnothing is required" : c->sound ? "\nsound: " : "\nnot sound: not ", file);
	put_list(file, c, o, c->sound);
	if (o->required[REQUIRE_DEADLOCK_FREE] && unknown(c, REQUIRE_DEADLOCK_FREE))
		fputs(" (for lanes of their own: --require routable,deadlock-free-halves)", file);
	putc('\n', file);
}

static void write_text(const struct check *c, const struct check_options *o, FILE *file)
{
	const struct fabric *f = c->fabric;
	fprintf(file, "%s: %" PRIu32 " host%s, %" PRIu32 " switch%s, %" PRIu64 " cable%s\n", SHOWN(f->labels->source), f->hosts,
		plural(f->hosts), f->nodes - f->hosts, f->nodes - f->hosts == 1 ? "" : "es", cables(c), plural(cables(c)));
	shape_write(file, c);
	if (c->via)
		fputs("routes    by way of a random switch: what follows is of each half\n", file);
	put_pairs(file, c);
	put_deadlock(file, c);
	put_balance(file, c);
	put_capacity(file, c);
	shape_write_deviations(file, c, c->faults.keep);
	put_faults(file, c, o);
	put_verdict(file, c, o);
}

/* ---- JSON */

static cJSON *add_object(cJSON *to, const char *key)
{
	return cJSON_AddObjectToObject(to, key);
}

static void add_count(cJSON *to, const char *key, uint64_t count)
{
	cJSON_AddItemToObject(to, key, json_count(count));
}

static void add_number(cJSON *to, const char *key, double number)
{
	cJSON_AddItemToObject(to, key, json_number(number));
}

static void add_string(cJSON *to, const char *key, const char *text)
{
	cJSON_AddItemToObject(to, key, json_string(text));
}

static void add_node(cJSON *to, const char *key, const struct check *c, uint32_t node)
{
	if (node == NONE)
		cJSON_AddNullToObject(to, key);
	else
		add_string(to, key, c->fabric->labels->name[node]);
}

static void add_port(cJSON *to, const char *key, uint32_t port)
{
	if (port)
		add_count(to, key, port);
	else
		cJSON_AddNullToObject(to, key);
}

/* The keys of a channel. */
static void add_channel(cJSON *to, const struct check *c, uint32_t channel)
{
	const struct fabric_labels *labels = c->fabric->labels;
	add_count(to, "channel", channel);
	add_node(to, "from", c, fabric_tail(c->fabric, channel));
	add_port(to, "from_port", labels->port[channel]);
	add_node(to, "to", c, c->fabric->head[channel]);
	add_port(to, "to_port", labels->peer_port[channel]);
}

static void add_histogram(cJSON *to, const char *key, const uint64_t *count, uint32_t end)
{
	cJSON *histogram = add_object(to, key);
	for (uint32_t k = 0; k < end; k++)
		if (count[k]) {
			char text[16];
			snprintf(text, sizeof text, "%" PRIu32, k);
			add_count(histogram, text, count[k]);
		}
}

static void add_fabric(cJSON *to, const struct check *c)
{
	const struct fabric *f = c->fabric;
	char hash[24];
	snprintf(hash, sizeof hash, "%016" PRIx64, f->labels->hash);
	cJSON *fabric = add_object(to, "fabric");
	add_string(fabric, "file", f->labels->source);
	add_string(fabric, "hash", hash);
	add_count(fabric, "hosts", f->hosts);
	add_count(fabric, "switches", f->nodes - f->hosts);
	add_count(fabric, "channels", f->channels);
	add_count(fabric, "cables", cables(c));
}

static void add_pairs(cJSON *to, const struct check *c)
{
	const struct survey *s = &c->survey;
	cJSON *pairs = add_object(to, "pairs");
	add_count(pairs, "total", s->pairs);
	add_count(pairs, "routable", s->routable);
	add_count(pairs, "unroutable", s->pairs - s->routable);
	if (c->routes)
		add_count(pairs, "routes", s->alternatives);
	else
		add_count(pairs, "several_ways", s->forked);
	add_count(pairs, "no_entry", s->no_entry);
	add_count(pairs, "loop", s->loop);
	add_count(pairs, "no_path", s->no_path);
	add_count(pairs, "minimal", s->minimal);
	add_count(pairs, "symmetric", c->symmetry.symmetric);
	add_count(pairs, "asymmetric", c->symmetry.asymmetric);
	cJSON *hops = add_object(to, "hops");
	add_number(hops, "mean", mean_hops(s));
	if (s->routable)
		add_count(hops, "max", s->longest);
	else
		cJSON_AddNullToObject(hops, "max");
	add_histogram(hops, "histogram", s->hops, s->longest + 1);
	add_histogram(hops, "extra", s->extra, s->longest + 1);
}

static void add_deadlock(cJSON *to, const struct check *c)
{
	const struct deadlock *d = &c->deadlock;
	cJSON *deadlock = add_object(to, "deadlock");
	if (c->unrouted || unknown(c, REQUIRE_DEADLOCK_FREE))
		cJSON_AddNullToObject(deadlock, "free");
	else
		cJSON_AddBoolToObject(deadlock, "free", !d->length);
	if (c->via)
		cJSON_AddBoolToObject(deadlock, "halves_free", !d->length);
	add_count(deadlock, "lanes", d->lanes);
	int level = c->survey.waits.level;
	if (c->lanes && level >= 0)
		add_count(deadlock, "sl", (uint64_t)level);
	else
		add_string(deadlock, "sl", !c->lanes ? "none" : level == EVERY_LEVEL ? "all" : "told");
	add_count(deadlock, "dependencies", d->dependencies);
	add_count(deadlock, "channels_in_cycles", d->channels);
	if (d->lanes_needed)
		add_count(deadlock, "lanes_needed", d->lanes_needed);
	else
		cJSON_AddNullToObject(deadlock, "lanes_needed");
	cJSON *cycle = cJSON_AddArrayToObject(deadlock, "cycle");
	for (uint32_t i = 0; i < d->length; i++) {
		cJSON *step = cJSON_CreateObject();
		cJSON_AddItemToArray(cycle, step);
		add_channel(step, c, d->cycle[i] / d->lanes);
		add_count(step, "lane", d->cycle[i] % d->lanes);
	}
}

static void add_shape(cJSON *to, const struct check *c)
{
	const struct shape *s = &c->shape;
	cJSON *shape = add_object(to, "shape");
	add_string(shape, "kind", s->kind);
	add_string(shape, "name", s->name);
	add_count(shape, "planes", s->planes);
	add_count(shape, "least_hosts", s->least_hosts);
	add_count(shape, "most_hosts", s->most_hosts);
	cJSON *parameters = add_object(shape, "parameters");
	for (int i = 0; i < SHAPE_PARAMETERS && s->parameter[i].name; i++) {
		cJSON *list = cJSON_AddArrayToObject(parameters, s->parameter[i].name);
		for (unsigned k = 0; k < s->parameter[i].count; k++)
			cJSON_AddItemToArray(list, json_count(s->parameter[i].value[k]));
	}
	add_count(shape, "deviations", s->deviations);
	add_count(shape, "missing_switches", s->missing_switches);
	cJSON *missing = cJSON_AddArrayToObject(shape, "missing"), *extra = cJSON_AddArrayToObject(shape, "extra");
	for (uint32_t i = 0; i < s->deviations; i++) {
		cJSON *cable = cJSON_CreateObject();
		cJSON_AddItemToArray(s->deviation[i].channel == NONE ? missing : extra, cable);
		if (s->deviation[i].channel != NONE) {
			add_channel(cable, c, s->deviation[i].channel);
			continue;
		}
		add_node(cable, "from", c, s->deviation[i].from);
		add_node(cable, "to", c, s->deviation[i].to);
	}
}

static void add_statistics(cJSON *to, const char *key, const struct statistics *s)
{
	cJSON *object = add_object(to, key);
	add_number(object, "min", s->min);
	add_number(object, "mean", s->mean);
	add_number(object, "max", s->max);
	add_number(object, "cv", variation(s));
}

static void add_level(cJSON *to, const char *key, uint32_t level)
{
	if (level == LEVEL_HOST)
		add_string(to, key, "hosts");
	else
		add_count(to, key, level);
}

static void add_balance(cJSON *to, const struct check *c)
{
	cJSON *balance = add_object(to, "balance");
	add_number(balance, "worst_cv", c->balance.worst);
	add_count(balance, "unused", c->faults.count[FAULT_UNUSED]);
	cJSON *groups = cJSON_AddArrayToObject(balance, "groups");
	for (uint32_t i = 0; i < c->balance.groups; i++) {
		const struct channel_group *g = &c->balance.group[i];
		cJSON *group = cJSON_CreateObject();
		cJSON_AddItemToArray(groups, group);
		add_level(group, "from", g->from);
		add_level(group, "to", g->to);
		add_count(group, "channels", g->channels);
		add_count(group, "unused", g->unused);
		add_statistics(group, "routes", &g->routes);
		add_statistics(group, "destinations", &g->destinations);
	}
}

static void add_capacity(cJSON *to, const struct capacity *capacity)
{
	add_number(to, "down", capacity->down);
	add_number(to, "up", capacity->up);
	add_number(to, "across", capacity->across);
	add_number(to, "ratio", ratio(capacity->down, capacity->up));
}

static void add_oversubscription(cJSON *to, const struct check *c)
{
	const struct balance *b = &c->balance;
	cJSON *oversubscription = add_object(to, "oversubscription");
	cJSON *levels = cJSON_AddArrayToObject(oversubscription, "levels"), *leaves = cJSON_AddArrayToObject(oversubscription, "leaves");
	for (uint32_t i = 0; i < b->levels; i++) {
		const struct level_capacity *l = &b->of_level[i];
		cJSON *level = cJSON_CreateObject();
		cJSON_AddItemToArray(levels, level);
		add_count(level, "level", i);
		add_count(level, "switches", l->switches);
		add_capacity(level, &l->sum);
		add_number(level, "min", l->rising ? l->least : NAN);
		add_number(level, "max", l->rising ? l->most : NAN);
		add_node(level, "worst", c, l->worst);
	}
	for (uint32_t v = 0; v < c->fabric->nodes; v++)
		if (b->level[v] == 0) {
			cJSON *leaf = cJSON_CreateObject();
			cJSON_AddItemToArray(leaves, leaf);
			add_node(leaf, "switch", c, v);
			add_capacity(leaf, &b->capacity[v]);
		}
}

/* Returns 0, or -1 when the memory is not there. */
static int add_fault(cJSON *list, const struct check *c, enum fault_kind kind, const struct fault *fault, struct error *error)
{
	char *text = NULL;
	size_t size;
	bool failed = false;
	FILE *memory = open_memstream(&text, &size);
	cJSON *object = cJSON_CreateObject();
	if (memory) {
		write_fault(memory, c, kind, fault);
		failed = ferror(memory) | fclose(memory);
	}
	if (!object || !text || failed) {
		free(text);
		cJSON_Delete(object);
		return error_set(error, STATUS_IO, "out of memory");
	}
	cJSON_AddItemToArray(list, object);
	if (fault->source != NONE) {
		add_node(object, "source", c, c->fabric->host_node[fault->source]);
		add_node(object, "destination", c, c->fabric->host_node[fault->destination]);
	} else {
		add_channel(object, c, fault->channel);
	}
	if (kind == FAULT_LONGER)
		add_count(object, "extra_hops", fault->value);
	if (kind == FAULT_DISCARDED)
		add_count(object, "next_channel", fault->value);
	add_string(object, "text", text);
	free(text);
	return 0;
}

static int add_faults(cJSON *to, const struct check *c, struct error *error)
{
	cJSON *faults = add_object(to, "faults");
	for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++) {
		cJSON *object = add_object(faults, fault_keys[kind]);
		add_count(object, "count", c->faults.count[kind]);
		cJSON *list = cJSON_AddArrayToObject(object, "listed");
		for (size_t i = 0; i < c->faults.listed[kind]; i++)
			if (add_fault(list, c, kind, &c->faults.list[kind][i], error))
				return -1;
	}
	return 0;
}

static void add_verdict(cJSON *to, const struct check *c, const struct check_options *o)
{
	cJSON *required = add_object(to, "required");
	for (int i = 0; i < REQUIREMENTS; i++)
		if (o->required[i])
			cJSON_AddBoolToObject(required, requirement_names[i], c->met[i]);
	if (o->required[REQUIRE_BALANCED])
		add_number(to, "balance_limit", o->balance_limit);
	cJSON_AddBoolToObject(to, "sound", c->sound);
	cJSON_AddBoolToObject(to, "unrouted", c->unrouted);
	cJSON_AddBoolToObject(to, "via", c->via);
}

static int write_json(const struct check *c, const struct check_options *o, FILE *file, struct error *error)
{
	cJSON *root = cJSON_CreateObject();
	add_string(root, "schema", "orcs-check/1");
	add_string(root, "version", ORCS_VERSION);
	cJSON *command = cJSON_AddArrayToObject(root, "command");
	for (int i = 0; i < o->argc; i++)
		cJSON_AddItemToArray(command, json_string(o->argv[i]));
	add_fabric(root, c);
	add_verdict(root, c, o);
	add_pairs(root, c);
	add_deadlock(root, c);
	add_shape(root, c);
	add_balance(root, c);
	add_oversubscription(root, c);
	char *text = add_faults(root, c, error) ? NULL : cJSON_PrintUnformatted(root);
	cJSON_Delete(root);
	if (!text)
		return error_set(error, STATUS_IO, "out of memory");
	fprintf(file, "%s\n", text);
	free(text);
	return 0;
}

int check_report(const struct check_options *options, const struct check *check, FILE *file, struct error *error)
{
	if (options->format == FORMAT_JSON)
		return write_json(check, options, file, error);
	write_text(check, options, file);
	return 0;
}
