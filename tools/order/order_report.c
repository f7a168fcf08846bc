#include "tools/order/order_report.h"

#include "base/document.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "base/shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the order */

void order_machine(const struct fabric *fabric, uint32_t host, char name[MACHINE_SIZE])
{
	uint32_t node = fabric->host_node[host];
	const char *text = *fabric->labels->desc[node] ? fabric->labels->desc[node] : fabric->labels->name[node];
	snprintf(name, MACHINE_SIZE, "%.*s", (int)strcspn(text, " \t"), text);
}

/* Whether launchers can read a name: hosts of the Internet have letters, digits, hyphens and dots. */
static bool is_machine(const char *name)
{
	size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._");
	return length && !name[length] && *name != '-';
}

static uint32_t host_of(const struct order_result *result, uint32_t rank)
{
	const struct rank_slots *slots = &result->search->slots;
	return slots->routes->host[result->search->slot[rank] / slots->per_host];
}

/* Writes the ranks of machines: several hosts can be ports of one. */
static int write_machines(const struct order_result *result, enum order_format format, FILE *file, struct error *error)
{
	const struct fabric *f = result->fabric;
	uint32_t ranks = result->search->messages->ranks;
	struct name_table machines = {0};
	char(*name)[MACHINE_SIZE] = array_create(ranks, sizeof *name, error);
	uint32_t *used = array_create(ranks, sizeof *used, error);
	name_table_init(&machines, ranks, error);
	for (uint32_t k = 0; k < ranks && !error->status; k++) {
		order_machine(f, host_of(result, k), name[k]);
		if (!is_machine(name[k])) {
			error_at(error, STATUS_FABRIC, f->labels->source, 0,
				"'%s' is no machine that launchers reach; name nodes with --node-name-map, or use --format list",
				SHOWN(name[k]));
			break;
		}
		uint32_t slot = used[name_table_add(&machines, name[k], k)]++;
		if (format == ORDER_RANKFILE)
			fprintf(file, "rank %" PRIu32 "=%s slot=%" PRIu32 "\n", k, name[k], slot);
		else
			fprintf(file, "%s\n", name[k]);
	}
	name_table_clear(&machines);
	free(name);
	free(used);
	return error->status ? -1 : 0;
}

int order_write(const struct order_result *result, enum order_format format, FILE *file, struct error *error)
{
	if (format != ORDER_LIST)
		return write_machines(result, format, file, error);
	const struct fabric *f = result->fabric;
	for (uint32_t k = 0; k < result->search->messages->ranks; k++)
		fprintf(file, "%s\n", f->labels->name[f->host_node[host_of(result, k)]]);
	return 0;
}

/* ---- what it is worth */

static void say_sum(struct document *doc, struct node *sums, const char *key, const char *label, double sum, double base)
{
	char template[100];
	if (base > 0 && sum < base)
		snprintf(template, sizeof template, "  %-30s {}  (%.0f%% less than by leaf)\n", label, 100 * (1 - sum / base));
	else
		snprintf(template, sizeof template, "  %-30s {}\n", label);
	say_value(sums, key, value_of_number(sum, "%10.6g"), document_print(doc, "%s", template));
}

int order_report(
	const struct order_result *result, const struct order_options *options, enum format format, FILE *file, struct error *error)
{
	const struct rank_search *s = result->search;
	const struct rank_messages *d = s->messages;
	struct document doc;
	if (!document_begin(&doc, format, file, error)) {
		add_head(&doc, "orcs-order/1", options->argc, options->argv);
		struct node *root = doc.root;
		add_text(root, "fabric", result->fabric->labels->source);
		add_text(root, "pattern", options->pattern.spec);
		add_count(root, "ranks", d->ranks);
		add_count(root, "hosts", s->slots.routes->hosts);
		add_count(root, "levels", d->all_levels);
		fprintf(doc.text, "%s: ranks %" PRIu32 ", hosts %" PRIu32 "%s, levels %" PRIu64 "%s\n",
			options->pattern.spec ? SHOWN(options->pattern.spec) : "weights", d->ranks, s->slots.routes->hosts,
			options->choose ? " to choose from" : "", d->all_levels, d->drawn ? " (of its first run; others differ)" : "");
		fprintf(doc.text, "largest load of a channel, %s%s, sum over the levels:\n",
			d->sized ? "in bytes, or what the weights count" : "in messages",
			s->slots.routes->speeds ? " at the speed of the slowest host's link" : "");
		struct node *sums = add_object(root, "sums");
		say_sum(&doc, sums, "random", document_print(&doc, "random order (mean of %d)", ORDER_RANDOM), result->random, 0);
		say_sum(&doc, sums, "by_name", "by name", result->by_name, 0);
		say_sum(&doc, sums, "by_leaf", "by leaf", result->by_leaf, 0);
		say_sum(&doc, sums, "found", "found", s->sum, result->by_leaf);
		say_sum(&doc, sums, "bound", s->sum <= s->bound ? "bound: the order is optimal" : "bound: no order is below", s->bound, 0);
		if (s->levels < d->levels)
			fprintf(doc.text, "the search saw %" PRIu32 " of %" PRIu32 " different levels, for memory\n", s->levels, d->levels);
		add_count(root, "levels_searched", s->levels);
		if (s->done)
			say_value(root, "passes", value_of_count(s->done), "repeat with: --passes {}\n");
		else
			add_count(root, "passes", 0);
		add_count(root, "seed", options->seed);
		struct node *order = add_list(root, "order");
		for (uint32_t k = 0; k < d->ranks; k++)
			add_text(order, NULL, result->fabric->labels->name[result->fabric->host_node[host_of(result, k)]]);
	}
	return document_end(&doc, error);
}
