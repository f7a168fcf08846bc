/* The options that must not change before a campaign is resumed: all but those that do not affect the result. The files that options name
 * are inputs, see marks_add_inputs(). */
#include "cli/usage.h"
#include "infiniband/source_options.h"
#include "orcs/options.h"

#include <stdio.h>
#include <string.h>

/* Options that may change; the fabric is compared by its content. */
static const char *const may_differ[] = {"input_file", "topology", "lft", "sl2vl", "service-levels", "node-name-map", "output_file",
	"verbose", "quiet", "route-memory", "checkpoint", "resume", NULL};

/* The marks being made. */
struct marking {
	struct marks *marks;
	struct error *error;
};

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
	const char *option = usage_option_name(options_table(), key);
	struct argp_child children[OPTIONS_CHILDREN_MAX];
	options_children(children);
	for (const struct argp_child *child = children; !option && child->argp; child++)
		option = usage_option_name(child->argp->options, key);
	if (!option)
		return ARGP_ERR_UNKNOWN;
	snprintf(name, sizeof name, "--%s", option);
	if (!may_change(option))
		marks_add(m->marks, name, text ? text : "", m->error);
	return 0;
}

/* The same, and passes the marks on to the options of the engines and of the fabric. */
static error_t mark_any_option(int key, char *text, struct argp_state *state)
{
	if (key != ARGP_KEY_INIT)
		return mark_option(key, text, state);
	struct argp_child children[OPTIONS_CHILDREN_MAX];
	for (int child = options_children(children); child-- > 0;)
		state->child_inputs[child] = state->input;
	return 0;
}

int options_mark(const struct options *options, struct marks *marks, struct error *error)
{
	struct marking marking = {marks, error};
	struct argp_child children[OPTIONS_CHILDREN_MAX];
	struct argp own[OPTIONS_CHILDREN_MAX];
	for (int child = options_children(children); child-- > 0;) {
		own[child] = (struct argp){.options = children[child].argp->options, .parser = mark_option};
		children[child] = (struct argp_child){.argp = &own[child]};
	}
	const struct argp argp = {options_table(), mark_any_option, 0, 0, children, 0, 0};
	argp_parse(&argp, options->argc, options->argv, ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT, NULL, &marking);
	return error->status ? -1 : 0;
}
