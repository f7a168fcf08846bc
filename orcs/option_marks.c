/* What of the command line must be the same for a campaign to go on: every option as given, but for some that change no result. The files
 * that options name are inputs, see marks_add_inputs(). */
#include "infiniband/source_options.h"
#include "orcs/options.h"

#include <stdio.h>
#include <string.h>

/* Of these the fabric is compared by its content. */
static const char *const may_differ[] = {"input_file", "topology", "lft", "sl2vl", "node-name-map", "output_file", "verbose", "quiet",
	"route-memory", "checkpoint", "resume", NULL};

/* What is being marked. */
struct marking {
	struct marks *marks;
	struct error *error;
};

/* The name of the option of that key; NULL: there is none in the table. */
static const char *name_of_key(const struct argp_option *options, int key)
{
	for (; options->name || options->doc; options++)
		if (options->name && options->key == key)
			return options->name;
	return NULL;
}

static bool may_change(const char *option)
{
	const char *const *name = may_differ;
	while (*name && strcmp(*name, option))
		name++;
	return *name != NULL;
}

static error_t mark_option(int key, char *text, struct argp_state *state)
{
	struct marking *m = state->input;
	char name[80];
	if (key == ARGP_KEY_ARG) /* the fabric */
		return 0;
	const char *option = name_of_key(options_table(), key);
	option = option ? option : name_of_key(packet_argp.options, key);
	option = option ? option : name_of_key(source_argp.options, key);
	if (!option)
		return ARGP_ERR_UNKNOWN;
	snprintf(name, sizeof name, "--%s", option);
	if (!may_change(option))
		marks_add(m->marks, name, text ? text : "", m->error);
	return 0;
}

/* The same, and hands the marking on to the children. */
static error_t mark_any_option(int key, char *text, struct argp_state *state)
{
	if (key != ARGP_KEY_INIT)
		return mark_option(key, text, state);
	state->child_inputs[0] = state->child_inputs[1] = state->input;
	return 0;
}

int options_mark(const struct options *options, struct marks *marks, struct error *error)
{
	const struct argp packets = {.options = packet_argp.options, .parser = mark_option};
	struct marking marking = {marks, error};
	const struct argp source = {.options = source_argp.options, .parser = mark_option};
	const struct argp_child children[] = {{&packets, 0, 0, 0}, {&source, 0, 0, 0}, {0}};
	const struct argp argp = {options_table(), mark_any_option, 0, 0, children, 0, 0};
	argp_parse(&argp, options->argc, options->argv, ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT, NULL, &marking);
	return error->status ? -1 : 0;
}
