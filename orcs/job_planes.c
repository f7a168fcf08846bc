#include "orcs/job_planes.h"

#include "base/document.h"
#include "base/memory.h"
#include "base/shown.h"
#include "fabric/planes.h"
#include "infiniband/link_speeds.h"
#include "infiniband/source_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- which planes */

/* Returns whether the files of the fabric can be read again. */
static bool can_read_again(const struct fabric_source *source)
{
	struct stat status;
	for (size_t i = 0; source->form != FORM_SPECIFICATION && i < source->parts; i++)
		if (stat(source->part[i].path, &status) || !S_ISREG(status.st_mode))
			return false;
	return !source_is_standard(source);
}

/* Refuses what is for one plane. */
static int refuse(const struct job *job, const struct planes *planes, struct error *error)
{
	const struct options *o = &job->options;
	bool json = o->format == FORMAT_JSON;
	const char *option = o->plot                     ? "--plot"
			     : o->save                   ? "--save-fabric"
			     : o->resume                 ? "--resume"
			     : o->checkpoint             ? "--checkpoint"
			     : o->timeline               ? "--timeline"
			     : o->flows                  ? "--flows"
			     : o->counters               ? "--counters"
			     : o->rank_table             ? "--ranks FILE"
			     : o->queues                 ? "--queues"
			     : job_wants_graph(job)      ? "the graph of a metric"
			     : o->raw && !json           ? "--raw without --format json"
			     : o->print_names && !json   ? "--print-hosts without --format json"
			     : o->print_pattern && !json ? "--print-pattern without --format json"
							 : NULL;
	return !option ? 0
		       : error_at(error, STATUS_USAGE, job->fabric->labels->source, 0,
				 "%s is for one plane, and the fabric has %" PRIu32 ": --plane N selects one of them", option,
				 planes->planes);
}

/* Says what concerns the fabric as a whole. */
static int tell(const struct job *job, const struct planes *planes, struct error *error)
{
	const struct options *o = &job->options;
	const char *source = job->fabric->labels->source;
	uint32_t alone = planes->planes - planes_of_pairs(planes);
	struct dot_report odd = job->odd;
	if (!job->notes)
		return 0;
	odd.straight = false; /* each plane has its choice among routes */
	if (!o->routing)
		dot_report_write(&odd, job->notes, "orcs", source, !o->ignore_speeds);
	if (alone)
		fprintf(job->notes, "orcs: %s: note: %" PRIu32 " plane%s with a single host %s left out\n", SHOWN(source), alone,
			alone == 1 ? "" : "s", alone == 1 ? "is" : "are");
	return link_speeds_note(
		job->fabric, o->ignore_speeds || o->terms.cycles ? SPEEDS_IGNORED : SPEEDS_COUNT, job->notes, "orcs", source, error);
}

int job_find_planes(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	struct planes planes;
	bool apart;
	if (o->fabric.plane || o->drop || job->named || (job->forwarding && job->forwarding->function))
		return 0;
	if (!planes_apart(&planes, job->fabric, o->subset, o->mapping, job->ranks, o->seed, &apart, error) && apart &&
		can_read_again(&o->fabric) && !refuse(job, &planes, error) && !tell(job, &planes, error))
		job->number = planes_list(&planes, &job->parts, error);
	planes_clear(&planes);
	return error->status ? -1 : 0;
}

/* ---- a job for each */

/* The command of a result selects its plane. */
static int make_part(struct job *part, const struct job *job, uint32_t number, struct error *error)
{
	struct options *o = &part->options;
	*o = job->options;
	o->fabric.plane = part->plane = number;
	memcpy(part->plane_word, "--plane", sizeof part->plane_word);
	snprintf(part->plane_text, sizeof part->plane_text, "%" PRIu32, number);
	o->argc = job->options.argc + 2;
	o->argv = array_create((size_t)o->argc + 1, sizeof *o->argv, error);
	if (!o->argv)
		return -1;
	o->argv[0] = job->options.argv[0];
	o->argv[1] = part->plane_word;
	o->argv[2] = part->plane_text;
	memcpy(o->argv + 3, job->options.argv + 1, (size_t)(job->options.argc - 1) * sizeof *o->argv);
	return 0;
}

int job_make_parts(struct job *job, struct error *error)
{
	comm_broadcast(job->comm, &job->parts, sizeof job->parts);
	if (!job->parts)
		return 0;
	if (comm_rank(job->comm))
		job->number = array_create(job->parts, sizeof *job->number, error);
	job->part = array_create(job->parts, sizeof *job->part, error);
	if (comm_agree(job->comm, error))
		return -1;
	comm_broadcast(job->comm, job->number, job->parts * sizeof *job->number);
	for (uint32_t i = 0; i < job->parts && !error->status; i++) {
		job->part[i].comm = job->comm;
		make_part(&job->part[i], job, job->number[i], error);
	}
	forwarding_free(job->forwarding);
	fabric_free(job->fabric);
	attributes_free(job->attributes);
	job->forwarding = NULL;
	job->fabric = NULL;
	job->attributes = NULL;
	return comm_agree(job->comm, error);
}

void job_clear_parts(struct job *job)
{
	for (uint32_t i = 0; i < job->parts && job->part; i++)
		free(job->part[i].options.argv);
	free(job->part);
	free(job->number);
}

void job_name_plane(const struct job *part, struct error *error)
{
	struct error before = *error;
	snprintf(error->text, sizeof error->text, "plane %" PRIu32 ": %.900s", part->plane, before.text);
}

/* ---- their results */

/* How the values of the planes become that of all. */
enum joining {
	JOIN_NOT,
	JOIN_MEAN,    /* weighted by hosts */
	JOIN_LARGEST, /* the planes work side by side, and the slowest is the last */
};

/* The value of a metric that a plane's line has: of several, the first that there is. */
static const struct shown {
	const char *metric, *key;
	enum joining joining;
} shown[] = {
	{"hist_acc_band", "control_mean", JOIN_MEAN},
	{"hist_acc_band", "mean", JOIN_MEAN},
	{"hist_max_cong", "bandwidth", JOIN_MEAN},
	{"throughput", "max_min_per_host", JOIN_MEAN},
	{"throughput", "non_restricted_per_host", JOIN_MEAN},
	{"sum_max_cong", "mean", JOIN_LARGEST},
	{"dep_max_delay", "mean", JOIN_LARGEST},
	{"makespan", "mean", JOIN_LARGEST},
	{NULL, "mean", JOIN_NOT},
};

/* The table of the planes, and its total. */
struct joined {
	const struct job *job;
	struct document document;
	int metric[METRICS_MAX]; /* [values] its number in the list of metrics */
	const struct shown *value[METRICS_MAX];
	int values;
	struct column columns[5 + METRICS_MAX];
};

/* Returns an item with the key that the text has; NULL if there is none. */
static const struct item *find_item(const struct job *part, int metric, const char *key)
{
	const struct item *item = result_find(&part->report.result[metric], key);
	bool scalar = item && (item->type == ITEM_NUMBER || item->type == ITEM_QUANTITY);
	return scalar && item->label ? item : NULL;
}

/* Chooses a value of each metric that has one. */
static void choose_values(struct joined *j)
{
	const struct job *first = &j->job->part[0];
	for (int m = 0; m < first->metric_count; m++) {
		const char *name = first->metrics[m].metric->name;
		const struct shown *found = NULL;
		for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
			for (uint32_t p = 0; p < j->job->parts && (!shown[i].metric || !strcmp(shown[i].metric, name)); p++)
				if (!found && find_item(&j->job->part[p], m, shown[i].key))
					found = &shown[i];
		if (!found)
			continue;
		j->metric[j->values] = m;
		j->value[j->values++] = found;
	}
}

/* Returns the total of a value over the planes that have one; NAN if it has no total, or no plane has the value. */
static double total_of(const struct joined *j, int value)
{
	double sum = 0, hosts = 0, largest = -INFINITY;
	for (uint32_t p = 0; p < j->job->parts; p++) {
		const struct job *part = &j->job->part[p];
		const struct item *item = find_item(part, j->metric[value], j->value[value]->key);
		if (!item || isnan(item->number[0]))
			continue;
		sum += item->number[0] * part->fabric->hosts;
		hosts += part->fabric->hosts;
		largest = fmax(largest, item->number[0]);
	}
	enum joining joining = j->value[value]->joining;
	return !(hosts > 0) || joining == JOIN_NOT ? NAN : joining == JOIN_MEAN ? sum / hosts : largest;
}

/* Returns the hosts, or the switches, of all planes. */
static uint64_t sum_of(const struct job *job, bool switches)
{
	uint64_t sum = 0;
	for (uint32_t p = 0; p < job->parts; p++)
		sum += switches ? job->part[p].fabric->nodes - job->part[p].fabric->hosts : job->part[p].fabric->hosts;
	return sum;
}

static uint64_t unroutable_of(const struct job *job)
{
	uint64_t sum = 0;
	for (uint32_t p = 0; p < job->parts; p++)
		sum += job->part[p].outcome.unroutable;
	return sum;
}

/* A plane, and the total behind all. */
static void plane_row(struct row *row, size_t index, const void *data)
{
	const struct joined *j = data;
	const struct job *part = index < j->job->parts ? &j->job->part[index] : NULL;
	uint64_t lost = part ? part->outcome.unroutable : unroutable_of(j->job);
	row_text(row, part ? part->plane_text : "total");
	row_count(row, part ? part->fabric->hosts : sum_of(j->job, false));
	row_count(row, part ? part->fabric->nodes - part->fabric->hosts : sum_of(j->job, true));
	row_put(row, part ? value_of_count(part->outcome.runs) : NO_VALUE);
	row_put(row, lost || row->format != FORMAT_TEXT ? value_of_count(lost) : NO_VALUE);
	for (int v = 0; v < j->values; v++) {
		const struct item *item = NULL;
		for (uint32_t p = 0; p < j->job->parts && !item; p++)
			item = find_item(part ? part : &j->job->part[p], j->metric[v], j->value[v]->key);
		row_number(row,
			!part  ? total_of(j, v)
			: item ? item->number[0]
			       : NAN,
			row->format != FORMAT_TEXT            ? NULL
			: item && item->type == ITEM_QUANTITY ? "%.9g"
							      : "%.6f");
	}
}

static struct table make_table(struct joined *j)
{
	static const char *const names[] = {"plane", "hosts", "switches", "runs", "unroutable"};
	unsigned count = 0;
	for (; count < sizeof names / sizeof *names; count++)
		j->columns[count] = (struct column){.csv = names[count], .title = names[count], .before = "  "};
	j->columns[0].left = true;
	j->columns[count - 1].optional = true;
	for (int v = 0; v < j->values; v++) {
		const char *name =
			document_print(&j->document, "%s.%s", j->job->part[0].metrics[j->metric[v]].metric->name, j->value[v]->key);
		j->columns[count++] = (struct column){.csv = name, .title = name, .before = "  "};
	}
	return (struct table){j->columns, count, j->job->parts + 1, plane_row, j};
}

/* JSON has the whole result of each plane. */
static void add_planes(struct joined *j)
{
	const struct job *job = j->job;
	struct document *d = &j->document;
	struct node *root = d->root;
	add_head(d, "orcs-planes/1", job->options.argc, job->options.argv);
	add_bool(root, "partial", job->outcome.partial);
	struct node *planes = add_list(root, "planes");
	for (uint32_t p = 0; p < job->parts; p++) {
		struct node *plane = add_object(planes, NULL);
		add_count(plane, "plane", job->part[p].plane);
		d->root = add_object(plane, "result");
		report_add(d, &job->part[p].report);
		d->root = root;
	}
	struct node *total = add_object(root, "total");
	add_count(total, "hosts", sum_of(job, false));
	add_count(total, "switches", sum_of(job, true));
	add_count(total, "unroutable", unroutable_of(job));
	struct node *metrics = add_object(total, "metrics");
	for (int v = 0; v < j->values; v++)
		if (j->value[v]->joining)
			add_number(add_object(metrics, job->part[0].metrics[j->metric[v]].metric->name), j->value[v]->key, total_of(j, v));
}

static void write_document(struct joined *j, FILE *file, struct error *error)
{
	struct document *d = &j->document;
	if (!document_begin(d, j->job->options.format, file, error)) {
		const struct table table = make_table(j);
		say_table(d, table);
		if (d->format == FORMAT_JSON)
			add_planes(j);
		d->csv = &table;
		document_end(d, error);
		return;
	}
	document_end(d, error);
}

void job_write_planes(struct job *job, struct error *error)
{
	struct joined joined = {.job = job};
	for (uint32_t p = 0; p < job->parts; p++) {
		struct job *part = &job->part[p];
		job->outcome.partial |= part->outcome.partial;
		job->outcome.stopped = job->outcome.stopped ? job->outcome.stopped : part->outcome.stopped;
		if (report_make(&part->report, error) || (job->options.print_pattern && pattern_run(part->pattern, 0, error)))
			return;
	}
	choose_values(&joined);
	write_document(&joined, job->output.file, error);
	if (error->status || output_commit(&job->output, error))
		return;
	for (uint32_t p = 0; p < job->parts && (!error->status || error->status == STATUS_THRESHOLD); p++) {
		const struct job *part = &job->part[p];
		if (part->options.routing && part->notes)
			dot_report_write(&part->odd, part->notes, "orcs", part->fabric->labels->source, !part->options.ignore_speeds);
		job_judge(part, &part->report, error);
	}
}
