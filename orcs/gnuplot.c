#include "gnuplot.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* What a picture's name may end in, the terminal of gnuplot that makes it, and what that measures it in. */
static const struct form {
	const char *end, *terminal;
	double unit; /* of a pixel */
	const char *unit_name;
} forms[] = {{".svg", "svg", 1, ""}, {".png", "pngcairo", 1, ""}, {".pdf", "pdfcairo fontscale 0.75", 1 / 96.0, "in"}};

static const struct form *form_of(const char *path)
{
	const char *end = strrchr(path, '.');
	for (size_t i = 0; end && i < sizeof forms / sizeof *forms; i++)
		if (!strcmp(end, forms[i].end))
			return &forms[i];
	return NULL;
}

bool gnuplot_draws(const char *path)
{
	return form_of(path) != NULL;
}

int gnuplot_check(struct error *error)
{
	if (!system("command -v gnuplot >/dev/null 2>&1"))
		return 0;
	return error_set(error, STATUS_IO, "--plot: gnuplot is not installed (Debian: gnuplot-nox)");
}

/* Single quotes, doubled inside. */
void gnuplot_string(FILE *gnuplot, const char *before, const char *text)
{
	fprintf(gnuplot, "%s'", before);
	for (; *text; text++)
		fprintf(gnuplot, *text == '\'' ? "''" : "%c", *text);
	fputs("'\n", gnuplot);
}

FILE *gnuplot_start(const struct output *output, const char *path, int width, int height)
{
	const struct form *form = form_of(path);
	signal(SIGPIPE, SIG_IGN);
	FILE *gnuplot = popen("exec gnuplot 2>/dev/null", "w");
	if (!gnuplot)
		return NULL;
	fprintf(gnuplot, "set terminal %s size %g%s,%g%s font 'sans,12' background '#ffffff'\nset termoption noenhanced\n", form->terminal,
		width * form->unit, form->unit_name, height * form->unit, form->unit_name);
	gnuplot_string(gnuplot, "set output ", output->temporary ? output->temporary : path);
	return gnuplot;
}

int gnuplot_end(FILE *gnuplot, struct output *output, const char *path, struct error *error)
{
	if (!gnuplot || pclose(gnuplot))
		return error_at(error, STATUS_IO, path, 0, "not drawn: gnuplot failed");
	return output_commit(output, error);
}
