#include "tools/check/differences.h"

#include "base/shown.h"
#include "tools/check/changes_report.h"
#include "tools/check/plan_report.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LISTED = 10 };

int differences_open(struct check_options *options, struct files *files, struct error *error)
{
	return (options->plan.files && cable_plan_open(&options->plan, files, error)) ||
			       (options->against.files && fabric_source_open(&options->against, files, error))
		       ? -1
		       : 0;
}

static uint64_t most(const struct check_options *options)
{
	return options->all ? UINT64_MAX : LISTED;
}

int differences_find(struct differences *differences, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct attributes *attributes, struct check_options *options, struct files *files, FILE *notes, struct error *error)
{
	struct differences *d = differences;
	*d = (struct differences){.fabric = fabric, .forwarding = forwarding, .reverse = fabric_reverse(fabric, error)};
	const struct cabled_fabric from = {.fabric = fabric, .reverse = d->reverse, .attributes = attributes};
	if (error->status ||
		(options->plan.files && cable_plan_compare(&d->plan, &options->plan, files, notes, &from, most(options), error)) ||
		(options->against.files &&
			changes_find(&d->changes, &options->against, files, notes, &from, forwarding, most(options), error)))
		return -1;
	d->none = !d->plan.differences && !d->plan.unmatched_count && !d->plan.twice && !d->changes.any;
	return 0;
}

void differences_clear(struct differences *differences)
{
	free(differences->reverse);
	cable_plan_clear(&differences->plan);
	changes_clear(&differences->changes);
	*differences = (struct differences){0};
}

static void report(struct document *d, const struct differences *found, const struct check_options *o)
{
	const struct fabric *f = found->fabric;
	uint64_t cables = 0;
	add_head(d, "orcs-check-differences/1", o->argc, o->argv);
	for (uint32_t k = 0; k < f->channels; k++)
		cables += found->reverse[k] > k; /* one of the two directions, or the only one */
	fprintf(d->text, "%s: %" PRIu32 " hosts, %" PRIu32 " switches, ", SHOWN(f->labels->source), f->hosts, f->nodes - f->hosts);
	say_value(add_fabric(d->root, f), "cables", value_of_count(cables), "{} cable[|s]\n");
	add_bool(d->root, "none", found->none);
	if (o->plan.files)
		report_plan(add_object(d->root, "plan"), &found->plan, f, most(o));
	if (o->against.files)
		report_changes(add_object(d->root, "against"), &found->changes, f, found->forwarding, most(o));
	if (o->plan.files)
		fputs(found->plan.differences || found->plan.unmatched_count || found->plan.twice ? "\nnot as planned\n" : "\nas planned\n",
			d->text);
	if (o->against.files)
		fputs(found->changes.any ? "\nchanged\n" : "\nunchanged\n", d->text);
}

int differences_report(const struct check_options *options, const struct differences *differences, FILE *file, struct error *error)
{
	struct document document;
	if (!document_begin(&document, options->format, file, error))
		report(&document, differences, options);
	return document_end(&document, error);
}
