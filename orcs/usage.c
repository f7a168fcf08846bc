#include "usage.h"

#include "args.h"
#include "error.h"
#include "output.h"
#include "version.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int launcher_rank(void)
{
	static const char *const signs[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (getenv(signs[i]))
			return atoi(getenv(signs[i]));
	return 0;
}

struct hush usage_hush(void)
{
	struct hush hush = {-1, -1};
	if (launcher_rank() > 0) {
		int silent = open("/dev/null", O_WRONLY | O_CLOEXEC);
		hush = (struct hush){dup(STDOUT_FILENO), dup(STDERR_FILENO)};
		dup2(silent, STDOUT_FILENO);
		dup2(silent, STDERR_FILENO);
		close(silent);
	}
	return hush;
}

void usage_speak(const struct hush *hush)
{
	if (hush->out < 0)
		return;
	dup2(hush->out, STDOUT_FILENO);
	dup2(hush->err, STDERR_FILENO);
	close(hush->out);
	close(hush->err);
}

void usage_error(const char *program, const char *format, ...)
{
	struct error error = {0};
	char text[sizeof error.text];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	error_set(&error, STATUS_USAGE, "%s", text); /* which makes one line of it */
	fprintf(stderr, "%s: %s; see '%s --help'\n", program, error.text, program);
	exit(STATUS_USAGE);
}

int usage_choice(const char *program, const char *option, const char *text, const char *const *names)
{
	int count = 0;
	for (; names[count]; count++)
		if (!strcmp(text, names[count]))
			return count;
	struct error error = {0};
	error_unknown(&error, option, text, names, (size_t)count);
	usage_error(program, "%s", error.text);
}

int64_t usage_integer(const char *program, const char *option, const char *text, int64_t min, int64_t max)
{
	int64_t value;
	if (!read_integer(text, min, max, &value))
		usage_error(program, "%s is '%s', not an integer from %" PRId64 " to %" PRId64, option, text, min, max);
	return value;
}

double usage_positive(const char *program, const char *option, const char *text)
{
	char *end;
	double value = read_decimal(text, &end);
	if (end == text || *end || !isfinite(value) || value <= 0)
		usage_error(program, "%s is '%s', not a number > 0", option, text);
	return value;
}

/* A unit, and what it multiplies. */
struct unit {
	const char *name;
	double factor;
};

/* A number >= 0 with one of the units, the last of which has no name. NAN: it is none. */
static double read_scaled(const char *text, const struct unit *unit)
{
	char *end;
	double value = read_decimal(text, &end);
	while (*unit->name && strcmp(end, unit->name))
		unit++;
	value *= unit->factor;
	return end == text || strcmp(end, unit->name) || !isfinite(value) || value < 0 ? NAN : value;
}

double usage_rate(const char *program, const char *option, const char *text)
{
	static const struct unit units[] = {{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"", 1}};
	double rate = read_scaled(text, units);
	if (!(rate > 0))
		usage_error(program, "%s is '%s', not bits/s such as 10e9, 10G or 400G", option, text);
	return rate;
}

double usage_seconds(const char *program, const char *option, const char *text, double plain)
{
	const struct unit units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"", plain}};
	double seconds = read_scaled(text, units);
	if (isnan(seconds))
		usage_error(program, "%s is '%s', not a time such as 1e-6, 1us or 300ns", option, text);
	return seconds;
}

uint64_t usage_size(const char *program, const char *option, const char *text)
{
	double value;
	if (!read_size(text, &value) || value < 1)
		usage_error(program, "%s is '%s', not a size such as 500M or 8G", option, text);
	return (uint64_t)value;
}

/* The option that a word means, by its name or the beginning of one, else by its letter: an alias means the one before it. */
static const struct argp_option *find_option(const struct argp_option *table, const char *name, size_t length, bool letter)
{
	const struct argp_option *meant = table, *found = NULL;
	for (const struct argp_option *o = table; o->name || o->key || o->doc; o++) {
		meant = o->flags & OPTION_ALIAS ? meant : o;
		if (letter ? o->key == *name : o->name && !strncmp(o->name, name, length)) {
			found = meant;
			if (letter || !o->name[length])
				break;
		}
	}
	return found;
}

static void __attribute__((noreturn)) refuse_unknown(const char *program, const struct argp_option *table, const char *option)
{
	const char *names[100];
	size_t count = 0;
	for (const struct argp_option *o = table; o->name || o->doc; o++)
		if (o->name && !(o->flags & OPTION_HIDDEN) && count < sizeof names / sizeof *names)
			names[count++] = o->name;
	const char *near = nearest_name(option + strspn(option, "-"), names, count);
	usage_error(program, "unknown option '%s'%s%s%s", option, near ? "; did you mean '--" : "", near ? near : "", near ? "'?" : "");
}

/* Refuses an option that is unknown, or has an argument that it does not take or, word being the last, the other way round. Returns whether
 * the next word is its argument. */
static bool check_option(const char *program, const struct argp_option *table, const char *word, bool last)
{
	bool letters = word[1] != '-', separate = false;
	char option[64];
	for (const char *at = word + (letters ? 1 : 2); *at && !separate; at++) {
		size_t length = letters ? 1 : strcspn(at, "=");
		snprintf(option, sizeof option, "%s%.*s", letters ? "-" : "--", (int)length, at);
		const struct argp_option *found = find_option(table, at, length, letters);
		if (!found)
			refuse_unknown(program, table, option);
		if (!letters && at[length] && !found->arg)
			usage_error(program, "option '%s' takes no argument", option);
		separate = found->arg && !(found->flags & OPTION_ARG_OPTIONAL) && !at[length];
		if (separate && last)
			usage_error(program, "option '%s' needs an argument", option);
		if (!letters || found->arg)
			break;
	}
	return separate;
}

void usage_parse(const char *program, const struct argp *argp, int argc, char **argv, void *options)
{
	argv[0] = (char *)program; /* the usage, and a result's record of the command, begin with it */
	if (!argp_parse(argp, argc, argv, ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT, NULL, options))
		return;
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (argv[i][0] == '-' && argv[i][1])
			i += check_option(program, argp->options, argv[i], i + 1 == argc);
	usage_error(program, "an option is not clear"); /* the beginning of several */
}

void usage_print(const char *program, const struct argp_state *state, unsigned what)
{
	if (state)
		argp_help(state->root_argp, stdout, what, state->name);
	else
		printf("%s %s\n", program, ORCS_VERSION);
	exit(usage_end(program));
}

int usage_end(const char *program)
{
	struct error error = {0};
	if (output_commit(&(struct output){.file = stdout}, &error))
		fprintf(stderr, "%s: %s\n", program, error.text);
	return (int)error.status;
}
