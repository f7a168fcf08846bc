/* Comparisons of routings. */
#include "library/library.h"

#include "base/memory.h"
#include "tools/compare/compare_job.h"

#include <stdlib.h>

static void parse_compare(void *options, int count, char **words)
{
	compare_options_parse(options, count, words);
}

/* Reads the words, and refuses what is for the program. Returns 0, or -1. */
static int read_compare(struct compare_options *o, struct words *words, struct error *error)
{
	if (read_words(parse_compare, o, words, error))
		return -1;
	const char *refused = o->opensm    ? "engines"
			      : o->fail    ? "fail"
			      : o->keep    ? "keep"
			      : o->plot    ? "plot"
			      : o->verbose ? "verbose"
					   : NULL;
	o->quiet = true;
	return refused ? error_set(error, STATUS_USAGE, "the option %s writes, or starts processes: it is for the program", refused) : 0;
}

char *orcs_compare(const char *const *given, orcs_error *to)
{
	static const volatile sig_atomic_t never;
	struct error error = {0};
	struct words words = {0};
	struct text_file text = {0};
	struct comm *comm = NULL;
	char *result = NULL;
	struct compare_job *job = array_create(1, sizeof *job, &error);
	if (job && !words_add(&words, "orcs-compare", NULL, &error) && !words_append(&words, given, &error) &&
		!words_add(&words, "--format", "json", &error) && !read_compare(&job->options, &words, &error)) {
		job->stop = &never;
		job->borrowed = true;
		comm = compare_prepare(job, true, &error) ? NULL : comm_create(&error);
	}
	if (comm && !compare_run(job, comm, &error) && !text_file_open(&text, &error)) {
		compare_write(job, text.file, &error);
		result = text_end(&text, &error);
	}
	if (job)
		compare_clear(job);
	free(job);
	comm_free(comm);
	words_clear(&words);
	give_error(&error, to);
	return result;
}
