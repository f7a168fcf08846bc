/*
 * Property test of the analyser: random small fabrics, patterns and placements, every number that
 * the program reports held against a slow reference that was written from the definitions alone.
 *
 *   property PATH_TO_ORCS [CASES] [SEED]     CASES cases (400), seeded SEED, SEED+1, ... (1)
 *   property --self-test                     the reference against known numbers
 *
 * A case depends on its seed alone: `property PATH_TO_ORCS 1 SEED` brings it back.
 */
#define _POSIX_C_SOURCE 200809L

#include "drawn.h"
#include "question.h"
#include "selftest.h"
#include "verify.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define METRICS "hist_max_cong,hist_acc_band,sum_max_cong,dep_max_delay,get_cable_cong"

/* One case while it is tried. */
struct trial {
	struct question question;
	struct report report;
	struct tally tally;
	char asked[4096]; /* the last command */
	int runs_started;
};

/* Runs the command of the case with further arguments, which are separated by blanks. */
static struct output ask(struct trial *t, const char *arguments)
{
	struct command c;
	char more[1024], stem[32], *rest = NULL;

	command_copy(&c, &t->question.command);
	snprintf(more, sizeof more, "%s", arguments);
	for (char *a = strtok_r(more, " ", &rest); a != NULL; a = strtok_r(NULL, " ", &rest))
		command_add(&c, "%s", a);
	if (t->report.faults == 0)
		command_print(&c, t->asked, sizeof t->asked);
	snprintf(stem, sizeof stem, "run%d", t->runs_started++);
	struct output o = command_run(&c, t->question.folder, stem);
	command_clear(&c);
	return o;
}

/* What `runs` runs yield as JSON, or NULL and a complaint. Asks twice: the same command gives the
 * same bytes. */
static cJSON *ask_json(struct trial *t, int runs, const char *arguments, bool twice)
{
	char all[512];

	snprintf(all, sizeof all, "--metric %s --format json -n %d --unroutable=drop %s", METRICS, runs, arguments);
	struct output first = ask(t, all);
	cJSON *root = cJSON_Parse(first.out);
	if (first.status != 0 || root == NULL)
		complain(&t->report, "expected status 0 and JSON, got status %d\n%s", first.status, first.err);
	if (twice) {
		struct output second = ask(t, all);
		if (strcmp(first.out, second.out) != 0)
			complain(&t->report, "the same command gave two different results");
		output_clear(&second);
	}
	output_clear(&first);
	return root;
}

/* ---- cases whose pattern and mapping are known ---- */

static int lines_of(const char *text)
{
	int lines = 0;

	for (; *text != '\0'; text++)
		lines += *text == '\n';
	return lines;
}

static bool names_unroutable_pair(const struct question *q, const char *text)
{
	int path[MAX_NODES];

	for (int m = 0; m < q->pattern.count; m++) {
		int from = q->host[q->pattern.message[m].from], to = q->host[q->pattern.message[m].to];
		const char *sender = q->fabric.node[from].name, *receiver = q->fabric.node[to].name;
		if (from != to && fabric_route(&q->fabric, from, to, path) < 0 && strstr(text, sender) && strstr(text, receiver))
			return true;
	}
	return false;
}

/* Returns whether the first line is a note on the ranks of 'neighbor' that have fewer neighbours. */
static bool notes_neighbours(const char *said)
{
	static const char note[] = "neighbor: note: ";
	const char *end = strchr(said, '\n'), *found = strstr(said, note);
	return end && found && found < end;
}

/* What standard error says behind that note and the units of the metrics, which come first. */
static const char *behind_units(const char *said)
{
	if (notes_neighbours(said))
		return behind_units(strchr(said, '\n') + 1);
	static const char *const units[] = {"hist_max_cong: ", "hist_acc_band: ", "sum_max_cong: ", "dep_max_delay: "};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strncmp(said, "orcs: ", 6) && !strncmp(said + 6, units[i], strlen(units[i])) && strchr(said, '\n'))
			return behind_units(strchr(said, '\n') + 1);
	return said;
}

/* A pair without a route is an error: status 3, one line, nothing else, no file. Warnings about
 * the fabric and notes come before it. */
static void try_refusal(struct trial *t, bool to_file)
{
	const struct question *q = &t->question;
	struct report *r = &t->report;
	char arguments[700], path[600];
	bool warned = fabric_unknown_names(&q->fabric) + fabric_ambiguous_entries(&q->fabric) > 0;

	snprintf(path, sizeof path, "%s/result", q->folder);
	snprintf(arguments, sizeof arguments, "--metric hist_max_cong%s%s", to_file ? " -o " : "", to_file ? path : "");
	struct output o = ask(t, arguments);
	if (o.status != 3)
		complain(r, "an unroutable pair: expected status 3, got %d\n%s", o.status, o.err);
	if (o.out[0] != '\0')
		complain(r, "an unroutable pair: expected no output, got\n%s", o.out);
	if (strncmp(o.err, "orcs: ", 6) != 0 || (!warned && lines_of(behind_units(o.err)) != 1))
		complain(r, "an unroutable pair: expected one line from orcs, got\n%s", o.err);
	if (!names_unroutable_pair(q, o.err))
		complain(r, "an unroutable pair: the message does not name it\n%s", o.err);
	if (to_file && access(path, F_OK) == 0)
		complain(r, "an unroutable pair: an output file is left behind");
	output_clear(&o);
}

/* Unknown names and ambiguous entries are said, the latter with their number. */
static void verify_warnings(struct report *r, const struct fabric *f, char *output)
{
	static const char speeds[] = ": note: links of different speeds: ";
	const char *said = output;
	int entries = fabric_ambiguous_entries(f);
	char number[16];

	said = behind_units(said);
	char *noted = strstr(output, speeds); /* the last lines */
	if (!fabric_speeds_differ(f) != !noted)
		complain(r, "%s note of links of different speeds:\n%s", noted ? "unexpected" : "no", output);
	while (noted != NULL && noted > said && noted[-1] != '\n')
		noted--;
	if (noted != NULL)
		*noted = '\0';
	snprintf(number, sizeof number, "%d", entries);
	if (entries > 0 && strstr(said, number) == NULL)
		complain(r, "expected a warning of %d ambiguous entries, got\n%s", entries, said);
	if (fabric_unknown_names(f) > 0 && said[0] == '\0')
		complain(r, "expected a warning of unknown names, got none");
	if (entries == 0 && fabric_unknown_names(f) == 0 && said[0] != '\0')
		complain(r, "expected no warning, got\n%s", said);
}

/* The text form. Where nothing is unroutable, this asks for the default, which must not mind. */
static void try_text(struct trial *t)
{
	const struct question *q = &t->question;
	char arguments[96];

	snprintf(arguments, sizeof arguments, "--metric hist_max_cong --format text -n %d%s", q->runs,
		t->tally.unroutable > 0 ? " --unroutable=drop" : "");
	struct output o = ask(t, arguments);
	if (o.status != 0)
		complain(&t->report, "text: expected status 0, got %d\n%s", o.status, o.err);
	else if (t->tally.connections > 0 && !q->rules.speed_aware)
		verify_listing(&t->report, o.out, &t->tally);
	verify_warnings(&t->report, &q->fabric, o.err);
	output_clear(&o);
}

static void try_known(struct trial *t)
{
	const struct question *q = &t->question;
	bool print = q->rules.level < 0 && q->seed % 2 == 0;

	for (int run = 0; run < q->runs; run++)
		tally_run(&t->tally, &q->fabric, &q->pattern, q->host, &q->rules);
	cJSON *root = ask_json(t, q->runs, print ? "--printptrn" : "", true);
	if (root != NULL) {
		if (print)
			verify_printed(&t->report, root, &q->pattern);
		verify_result(&t->report, root, q, &t->tally, q->runs);
	}
	cJSON_Delete(root);
	try_text(t);
	if (t->tally.unroutable > 0)
		try_refusal(t, q->seed % 3 == 0);
}

/* ---- cases whose pattern is drawn by the program ---- */

/* The printed pattern in text stands before the result, as comments. Returns where the result begins, or NULL. */
static const char *skip_printed(const char *text, const struct pattern *p)
{
	char line[64];

	for (int level = 0; level < p->levels; level++) {
		snprintf(line, sizeof line, "# level %d:\n", level);
		for (int m = -1; m < p->count; m++) {
			if (m >= 0 && p->message[m].level != level)
				continue;
			if (m >= 0)
				snprintf(line, sizeof line, "# %d -> %d\n", p->message[m].from, p->message[m].to);
			if (strncmp(text, line, strlen(line)) != 0)
				return NULL;
			text += strlen(line);
		}
	}
	return text;
}

static void try_printed_text(struct trial *t, const struct pattern *p)
{
	struct output o = ask(t, "--metric hist_max_cong --format text -n 1 --printptrn");
	const char *result = skip_printed(o.out, p);

	if (o.status != 0 || result == NULL)
		complain(&t->report, "printed pattern: status %d, not as in JSON\n%s", o.status, o.out);
	else if (t->tally.connections > 0 && !t->question.rules.speed_aware)
		verify_listing(&t->report, result, &t->tally);
	output_clear(&o);
}

static void try_drawn(struct trial *t)
{
	const struct question *q = &t->question;
	struct pattern p;

	pattern_init(&p);
	cJSON *root = ask_json(t, 1, "--printptrn", true);
	if (root != NULL) {
		take_drawn(&t->report, root, q, &p);
		tally_run(&t->tally, &q->fabric, &p, q->host, &q->rules);
		verify_result(&t->report, root, q, &t->tally, 1);
	}
	if (t->report.faults == 0 && t->tally.unroutable == 0)
		try_printed_text(t, &p);
	cJSON_Delete(root);
	pattern_clear(&p);
}

/* ---- cases whose mapping is drawn by the program ---- */

/* How much more the later of two results counts under a key. */
static double growth(const cJSON *bin, const cJSON *earlier)
{
	const cJSON *before = cJSON_GetObjectItemCaseSensitive(earlier, bin->string);

	return bin->valuedouble - (before != NULL ? before->valuedouble : 0);
}

/* The bandwidth of the run by which two results differ. */
static void add_bandwidth(struct series *s, const cJSON *earlier, const cJSON *later)
{
	const char *path = "metrics.hist_max_cong.weights";
	const cJSON *before = json_find(earlier, path), *bin;
	double total = 0, connections = 0;

	cJSON_ArrayForEach(bin, json_find(later, path))
	{
		connections += growth(bin, before);
		total += growth(bin, before) / strtod(bin->string, NULL);
	}
	if (connections > 0)
		series_add(s, total / connections);
}

/* The values that the later histogram has gained. */
static void add_value(struct series *s, const cJSON *earlier, const cJSON *later, const char *path)
{
	const cJSON *before = json_find(earlier, path), *bin;

	cJSON_ArrayForEach(bin, json_find(later, path))
	{
		for (double i = growth(bin, before); i > 0 && s->count < MAX_RUNS; i--)
			series_add(s, strtod(bin->string, NULL));
	}
}

/* Whether the result of one run is that of some mapping which keeps the first `fixed` ranks. */
static bool some_mapping(const struct question *q, const cJSON *root, int host[], int fixed)
{
	bool found = false;

	if (fixed == q->n) {
		struct tally *t = calloc(1, sizeof *t);
		if (t == NULL)
			abort();
		tally_run(t, &q->fabric, &q->pattern, host, &q->rules);
		found = same_traffic(root, &q->fabric, t);
		free(t);
		return found;
	}
	for (int i = fixed; i < q->n && !found; i++) {
		int here = host[fixed], there = host[i];
		host[fixed] = there, host[i] = here;
		found = some_mapping(q, root, host, fixed + 1);
		host[fixed] = here, host[i] = there;
	}
	return found;
}

/* A run is a function of the seed and its number, so r runs are the first r of any larger number:
 * results of 1, 2, ... runs give the value of every single run, and these the statistics. */
static void try_mapped(struct trial *t)
{
	struct question *q = &t->question;
	struct tally *s = &t->tally;
	cJSON *earlier = NULL;

	for (int runs = 1; runs <= q->runs && t->report.faults == 0; runs++) {
		cJSON *later = ask_json(t, runs, "", runs == q->runs);
		add_bandwidth(&s->bandwidth, earlier, later);
		add_value(&s->sum, earlier, later, "metrics.sum_max_cong.histogram");
		add_value(&s->delay, earlier, later, "metrics.dep_max_delay.histogram");
		verify_frame(&t->report, later, q, runs);
		verify_bandwidths(&t->report, later, &s->bandwidth);
		verify_series(&t->report, later, "sum_max_cong", &s->sum);
		verify_series(&t->report, later, "dep_max_delay", &s->delay);
		if (runs == 1 && q->n <= 5 && !some_mapping(q, later, q->host, 0))
			complain(&t->report, "no mapping of the %d hosts gives the result of the first run", q->n);
		cJSON_Delete(earlier);
		earlier = later;
	}
	cJSON_Delete(earlier);
}

/* ---- all cases ---- */

static void remove_folder(const char *folder)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;
	char path[1024];

	while (directory != NULL && (entry = readdir(directory)) != NULL) {
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (entry->d_name[0] != '.')
			unlink(path);
	}
	if (directory != NULL)
		closedir(directory);
	rmdir(folder);
}

static bool try_case(const char *program, const char *folder, uint64_t seed)
{
	static void (*const tries[])(struct trial *) = {[KNOWN] = try_known, [DRAWN] = try_drawn, [MAPPED] = try_mapped};
	struct trial *t = calloc(1, sizeof *t);

	if (t == NULL)
		abort();
	snprintf(t->question.folder, sizeof t->question.folder, "%s/case-%llu", folder, (unsigned long long)seed);
	mkdir(t->question.folder, 0700);
	question_draw(&t->question, program, seed);
	tries[t->question.kind](t);
	bool passed = t->report.faults == 0;
	if (passed)
		remove_folder(t->question.folder);
	else
		printf("FAILED case with seed %llu, %d faults, files in %s\n%s\n%s\n", (unsigned long long)seed, t->report.faults,
			t->question.folder, t->asked, t->report.text);
	question_clear(&t->question);
	free(t);
	return passed;
}

int main(int argc, char **argv)
{
	char folder[256];
	long cases = argc > 2 ? strtol(argv[2], NULL, 10) : 400;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	long passed = 0;

	if (argc == 2 && strcmp(argv[1], "--self-test") == 0)
		return selftest() > 0;
	if (argc < 2 || argc > 4 || cases < 1) {
		fprintf(stderr, "usage: property PATH_TO_ORCS [CASES] [SEED] | property --self-test\n");
		return 2;
	}
	if (access(argv[1], X_OK) != 0) {
		perror(argv[1]);
		return 2;
	}
	const char *tmp = getenv("TMPDIR");
	snprintf(folder, sizeof folder, "%s/orcs-property-XXXXXX", tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(folder) == NULL) {
		perror(folder);
		return 2;
	}
	for (long i = 0; i < cases; i++)
		passed += try_case(argv[1], folder, seed + (uint64_t)i);
	rmdir(folder); /* stays if a failed case left its files */
	printf("%ld passed, %ld failed\n", passed, cases - passed);
	return passed == cases ? 0 : 1;
}
