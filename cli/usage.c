#include "cli/usage.h"

#include "base/args.h"
#include "base/error.h"
#include "base/output.h"
#include "base/shown.h"
#include "base/spelling.h"
#include "base/version.h"

#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where errors go in place of the end of the program; NULL: nowhere. */
static _Thread_local struct guard {
	jmp_buf back;
	struct error *error;
} * guard;

int usage_guard(void (*read)(void *data), void *data, struct error *error)
{
	struct guard here = {.error = error}, *before = guard;
	if (!setjmp(here.back)) {
		guard = &here;
		read(data);
	}
	guard = before;
	return error->status ? -1 : 0;
}

/* Ends the guarded function. */
static void __attribute__((noreturn)) leave(enum status status, const char *text)
{
	error_set(guard->error, status, "%s", text);
	longjmp(guard->back, 1);
}

int launcher_rank(void)
{
	static const char *const signs[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
	int64_t rank;
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (getenv(signs[i]))
			return read_integer(getenv(signs[i]), 0, INT_MAX, &rank) ? (int)rank : 0;
	return 0;
}

struct hush usage_hush(void)
{
	struct hush hush = {-1, -1};
	if (!guard && launcher_rank() > 0) {
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
	char *text;
	va_list list;
	va_start(list, format);
	if (vasprintf(&text, format, list) < 0) /* texts of the command line may have any length */
		text = NULL;
	va_end(list);
	char *line = NULL, kept[sizeof guard->error->text];
	if (guard) {
		snprintf(kept, sizeof kept, "%s", text ? text : "out of memory");
		free(text);
		leave(STATUS_USAGE, kept);
	}
	size_t size;
	FILE *memory = open_memstream(&line, &size); /* one write: other processes may write at the same time */
	if (memory) {
		fprintf(memory, "%s: ", program);
		write_shown(memory, text ? text : "out of memory");
		fprintf(memory, "; see '%s --help'\n", program);
		fclose(memory);
	}
	fputs(line ? line : "out of memory\n", stderr);
	free(line);
	free(text);
	exit(STATUS_USAGE);
}

void usage_fail(const char *program, const struct error *error)
{
	if (!error->status)
		return;
	if (guard)
		leave(error->status, error->text);
	fprintf(stderr, "%s: %s\n", program, error->text);
	exit((int)error->status);
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
	double value;
	if (!read_number(text, ABOVE_ZERO, DBL_MAX, &value))
		usage_error(program, "%s is '%s', not a number > 0", option, text);
	return value;
}

/* Rates that can be multiplied and divided by one another. */
#define RATE_LEAST 1e-30
#define RATE_MOST 1e30

double usage_rate(const char *program, const char *option, const char *text)
{
	static const struct unit units[] = {{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"", 1}};
	double rate;
	if (!read_scaled(text, units, RATE_LEAST, RATE_MOST, &rate))
		usage_error(program, "%s is '%s', not bits/s such as 10e9, 10G or 400G", option, text);
	return rate;
}

double usage_seconds(const char *program, const char *option, const char *text, double plain)
{
	double seconds;
	if (!read_seconds(text, plain, DBL_MAX, &seconds))
		usage_error(program, "%s is '%s', not a time such as 1e-6, 1us or 300ns (0, or at least 1ps)", option, text);
	return seconds;
}

uint64_t usage_size(const char *program, const char *option, const char *text, uint64_t least)
{
	double value;
	if (!read_size(text, &value) || value < (double)least)
		usage_error(program, "%s is '%s', not a size such as 500M or 8G", option, text);
	return (uint64_t)value;
}

/* Returns the number of options in a table. */
static size_t count_options(const struct argp_option *table)
{
	size_t count = 0;
	while (table && (table[count].name || table[count].key || table[count].doc || table[count].group))
		count++;
	return count;
}

/* Appends the options of the parser and of its children to list, unless that is NULL. Returns their number. */
static size_t gather_options(const struct argp *argp, struct argp_option *list)
{
	size_t count = count_options(argp->options);
	if (list && count)
		memcpy(list, argp->options, count * sizeof *list);
	for (const struct argp_child *child = argp->children; child && child->argp; child++)
		count += gather_options(child->argp, list ? list + count : NULL);
	return count;
}

/*
 * Lists the long names of the options that begin with those length characters; for an empty beginning, of the options that help shows. An
 * alias is listed as the option before it. Returns their number.
 */
static size_t name_options(const struct argp_option *table, size_t options, const char *beginning, size_t length, const char **names)
{
	const struct argp_option *meant = table;
	size_t count = 0;
	for (const struct argp_option *o = table; o < table + options; o++) {
		meant = o->flags & OPTION_ALIAS ? meant : o;
		bool wanted = o->name && (length ? !strncmp(o->name, beginning, length) : !(o->flags & OPTION_HIDDEN));
		if (wanted && (!count || names[count - 1] != meant->name))
			names[count++] = meant->name;
	}
	return count;
}

/* Finds the option by its name or an unambiguous beginning of it, or by its letter. *several: the beginning is ambiguous. */
static const struct argp_option *find_option(
	const struct argp_option *table, size_t options, const char *name, size_t length, bool letter, bool *several)
{
	const struct argp_option *meant = table, *found = NULL;
	*several = false;
	for (const struct argp_option *o = table; length && o < table + options; o++) {
		meant = o->flags & OPTION_ALIAS ? meant : o;
		if (letter ? o->key != *name : !o->name || strncmp(o->name, name, length))
			continue;
		if (letter || !o->name[length])
			return *several = false, meant;
		*several |= found && found != meant;
		found = meant;
	}
	return found;
}

static int compare_names(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;
	return strcmp(*a, *b);
}

/* Exits with an error about an unknown or ambiguous option, named by the first length characters of word. */
static void __attribute__((noreturn))
refuse_option(const char *program, const struct argp_option *table, size_t options, const char *word, size_t length, bool several)
{
	size_t dashes = strspn(word, "-") < length ? strspn(word, "-") : length;
	char *option = strndup(word, length), *list = NULL;
	const char **names = calloc(options + 1, sizeof *names);
	if (!option || !names)
		usage_error(program, "out of memory");
	size_t count = name_options(table, options, option + dashes, several ? length - dashes : 0, names), size = 0;
	const char *near = several ? NULL : nearest_name(option + dashes, names, count);
	FILE *text = open_memstream(&list, &size);
	qsort(names, several ? count : 0, sizeof *names, compare_names);
	for (size_t i = 0; text && several && i < count; i++)
		fprintf(text, "%s--%s", i ? ", " : ": ", names[i]);
	if (text && near)
		fprintf(text, "; did you mean '--%s'?", near);
	if (!text || fclose(text))
		usage_error(program, "out of memory");
	usage_error(program, "%s option '%s'%s", several ? "ambiguous" : "unknown", option, list);
}

/*
 * Exits with an error if an option is unknown or ambiguous, has an argument that it does not take, or (in the last word) lacks its
 * argument. Returns whether the next word is its argument.
 */
static bool check_option(const char *program, const struct argp_option *table, size_t options, const char *word, bool last)
{
	bool letters = word[1] != '-', separate = false, several;
	char letter[] = "-?";
	for (const char *at = word + (letters ? 1 : 2); *at && !separate; at++) {
		size_t length = letters ? 1 : strcspn(at, "=");
		const struct argp_option *found = find_option(table, options, at, length, letters, &several);
		letter[1] = *at;
		const char *option = letters ? letter : word;
		int shown = (int)(letters ? 2 : length + 2);
		if (!found || several)
			refuse_option(program, table, options, option, (size_t)shown, several);
		if (!letters && at[length] && !found->arg)
			usage_error(program, "option '%.*s' takes no argument", shown, option);
		separate = found->arg && !(found->flags & OPTION_ARG_OPTIONAL) && !at[length];
		if (separate && last)
			usage_error(program, "option '%.*s' needs an argument", shown, option);
		if (!letters || found->arg)
			break;
	}
	return separate;
}

const char *usage_option_name(const struct argp_option *table, int key)
{
	for (; table->name || table->doc; table++)
		if (table->name && table->key == key)
			return table->name;
	return NULL;
}

/* Finds the option of that name in a table; NULL: there is none. */
static const struct argp_option *find_name(const struct argp_option *table, const char *name, size_t length)
{
	const struct argp_option *meant = table;
	for (const struct argp_option *o = table, *end = table + count_options(table); o < end; o++) {
		meant = o->flags & OPTION_ALIAS ? meant : o;
		if (o->name && strlen(o->name) == length && !strncmp(o->name, name, length))
			return meant;
	}
	return NULL;
}

/* Finds the option of that name; *child: the child of the parser that has it, -1: the parser itself. */
static const struct argp_option *find_long(const struct argp *argp, const char *name, size_t length, int *child)
{
	const struct argp_option *found = find_name(argp->options, name, length);
	*child = -1;
	for (int c = 0; !found && argp->children && argp->children[c].argp; c++) {
		found = find_name(argp->children[c].argp->options, name, length);
		*child = c;
	}
	return found;
}

/* Reads the words without argp, which would not free what it has if an error jumps out of it. The children have no children. */
static void read_guarded(const char *program, const struct argp *argp, int argc, char **argv, void *options)
{
	void *inputs[32] = {0};
	struct argp_state state = {.root_argp = argp, .argc = argc, .argv = argv, .input = options, .child_inputs = inputs};
	argp->parser(ARGP_KEY_INIT, NULL, &state);
	for (int i = 1; i < argc; i++) {
		char *word = argv[i], *name = word + 2, *value = strchr(word, '=');
		size_t length = value ? (size_t)(value - name) : strlen(word) - 2;
		int child;
		if (strncmp(word, "--", 2) != 0) {
			argp->parser(ARGP_KEY_ARG, word, &state);
			continue;
		}
		const struct argp_option *option = find_long(argp, name, length, &child);
		if (!option)
			usage_error(program, "unknown option '%.*s'", (int)length + 2, word);
		if (!option->arg != !value && !(option->flags & OPTION_ARG_OPTIONAL))
			usage_error(program, "option '%.*s' %s", (int)length + 2, word, value ? "takes no argument" : "needs an argument");
		state.input = child < 0 ? options : inputs[child];
		(child < 0 ? argp : argp->children[child].argp)->parser(option->key, value ? value + 1 : NULL, &state);
		state.input = options;
	}
}

void usage_parse(const char *program, const struct argp *argp, int argc, char **argv, void *options)
{
	argv[0] = (char *)program; /* the usage, and the command recorded in results, begin with it */
	if (guard) {
		read_guarded(program, argp, argc, argv, options);
		return;
	}
	if (!argp_parse(argp, argc, argv, ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT, NULL, options))
		return;
	size_t count = gather_options(argp, NULL);
	struct argp_option *table = calloc(count + 1, sizeof *table);
	if (table)
		gather_options(argp, table);
	for (int i = 1; table && i < argc && strcmp(argv[i], "--"); i++)
		if (argv[i][0] == '-' && argv[i][1])
			i += check_option(program, table, count, argv[i], i + 1 == argc);
	usage_error(program, table ? "invalid options" : "out of memory");
}

void usage_prints(void)
{
	if (guard)
		leave(STATUS_USAGE, "help and version are for the program");
}

void usage_print(const char *program, const struct argp_state *state)
{
	usage_prints();
	if (state)
		argp_help(state->root_argp, stdout, ARGP_HELP_USAGE, state->name);
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
