/* The kinds of congestion control, and the specifications that select one. */
#include "engines/packet/control/control.h"

#include "base/memory.h"
#include "base/spelling.h"

#include <stdlib.h>
#include <string.h>

extern const struct control_kind control_ib, control_dcqcn;

const struct control_kind *const control_kinds[] = {&control_ib, &control_dcqcn, NULL};

/* Returns the kind of the specification and parses its parameters; NULL with STATUS_USAGE. */
static const struct control_kind *read_spec(const char *spec, struct arg_values *args, struct error *error)
{
	const char *names[sizeof control_kinds / sizeof *control_kinds];
	size_t length = spec_name_length(spec), count = 0;
	for (const struct control_kind *const *k = control_kinds; *k; k++) {
		names[count++] = (*k)->name;
		if (strlen((*k)->name) == length && !strncmp((*k)->name, spec, length))
			return args_parse(
				       args, (*k)->args, spec[length] ? spec + length + 1 : NULL, "congestion control", (*k)->name, error)
				       ? NULL
				       : *k;
	}
	char name[64] = "";
	strncat(name, spec, length < sizeof name - 1 ? length : sizeof name - 1);
	error_unknown(error, "congestion control", name, names, count);
	return NULL;
}

int control_check(const char *spec, struct error *error)
{
	struct arg_values args = {0};
	const struct control_kind *kind = read_spec(spec, &args, error);
	args_clear(&args);
	return kind ? 0 : -1;
}

struct control *control_create(const char *spec, uint64_t buffer, double link, struct error *error)
{
	struct control *control = array_create(1, sizeof *control, error);
	if (!control)
		return NULL;
	control->buffer = buffer;
	control->link = link;
	control->kind = read_spec(spec, &control->args, error);
	if (control->kind && !control->kind->setup(control, error))
		return control;
	control_free(control);
	return NULL;
}

void control_free(struct control *control)
{
	if (!control)
		return;
	if (control->kind && control->kind->clear && control->data)
		control->kind->clear(control);
	args_clear(&control->args);
	free(control);
}
