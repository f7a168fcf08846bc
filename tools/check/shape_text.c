#include "tools/check/shape_text.h"

#include "base/shown.h"
#include "fabric/described.h"
#include "shapes/fat_tree_text.h"
#include "tools/check/tree_text.h"

#include <inttypes.h>
#include <string.h>

static void say_shape(FILE *text, const struct check *check)
{
	const struct shape *s = &check->shape;
	fputs("shape     ", text);
	if (check->tree.found)
		fat_tree_write(text, &check->tree, check->usual_rails);
	if (check->tree.found && strcmp(s->name, s->kind)) /* the topology that it does not have */
		fputs("\n          ", text);
	if (s->planes > 1 && !check->tree.found)
		fprintf(text, "%" PRIu32 " planes: ", s->planes);
	if (!check->tree.found || strcmp(s->name, s->kind))
		write_shown(text, s->name);
	if (s->least_hosts != s->most_hosts)
		fprintf(text, "; %" PRIu32 " to %" PRIu32 " hosts at a switch", s->least_hosts, s->most_hosts);
	if (s->missing_switches)
		fprintf(text, "; %" PRIu32 " switch%s missing", s->missing_switches, s->missing_switches == 1 ? "" : "es");
	if (s->deviations)
		fprintf(text, "; %" PRIu32 " cable%s", s->deviations, s->deviations == 1 ? " deviates" : "s deviate");
	putc('\n', text);
}

void report_shape(struct node *to, const struct check *check)
{
	const struct shape *s = &check->shape;
	say_shape(document_of(to)->text, check);
	add_text(to, "kind", s->kind);
	add_text(to, "name", s->name);
	add_count(to, "planes", s->planes);
	add_count(to, "least_hosts", s->least_hosts);
	add_count(to, "most_hosts", s->most_hosts);
	struct node *parameters = add_object(to, "parameters");
	for (int i = 0; i < SHAPE_PARAMETERS && s->parameter[i].name; i++) {
		struct node *list = add_list(parameters, s->parameter[i].name);
		for (unsigned k = 0; k < s->parameter[i].count; k++)
			add_count(list, NULL, s->parameter[i].value[k]);
	}
	add_count(to, "deviations", s->deviations);
	add_count(to, "missing_switches", s->missing_switches);
}

/* NULL if the switch is missing. */
static const char *end_name(const struct check *check, uint32_t node)
{
	return node == NONE ? NULL : check->fabric->labels->name[node];
}

static void say_deviation(FILE *text, const struct check *check, const struct deviation *d)
{
	static const char missing[] = "(missing switch)";
	const char *from = end_name(check, d->from), *to = end_name(check, d->to);
	fputs("  ", text);
	if (d->channel == NONE)
		fprintf(text, "%s - %s is missing", SHOWN(from ? from : missing), SHOWN(to ? to : missing));
	else
		write_channel(text, check->fabric, d->channel);
	fputs(d->channel == NONE ? "\n" : " is one too many\n", text);
}

void report_deviations(struct node *to, const struct check *check, uint64_t most)
{
	const struct shape *s = &check->shape;
	FILE *text = document_of(to)->text;
	struct node *missing = add_list(to, "missing"), *extra = add_list(to, "extra");
	if (s->deviations)
		fprintf(text, "\ncables that deviate from the shape: %" PRIu32 "\n", s->deviations);
	for (uint32_t i = 0; i < s->deviations; i++) {
		const struct deviation *d = &s->deviation[i];
		struct node *cable = add_object(d->channel == NONE ? missing : extra, NULL);
		if (i < most)
			say_deviation(text, check, d);
		if (d->channel == NONE) {
			add_text(cable, "from", end_name(check, d->from));
			add_text(cable, "to", end_name(check, d->to));
		} else {
			add_count(cable, "channel", d->channel);
			add_channel(cable, check->fabric, d->channel);
		}
	}
	if (most < s->deviations)
		fprintf(text, "  and %" PRIu64 " more\n", s->deviations - most);
}
