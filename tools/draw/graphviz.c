#include "tools/draw/graphviz.h"

#include "base/program.h"

int graphviz_run(const char *name, const char *const *arguments, FILE *in, FILE *out, struct error *error)
{
	char title[40];
	snprintf(title, sizeof title, "%s of Graphviz", name);
	const struct program program = {name, title, "graphviz"};
	program_run(&program, arguments, in, out, error);
	rewind(out);
	return error->status ? -1 : 0;
}
