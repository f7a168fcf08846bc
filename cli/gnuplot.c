#include "cli/gnuplot.h"

#include "base/program.h"
#include "base/shown.h"

#include <string.h>

/* The endings of a picture's file name, with gnuplot's terminal for each and its unit of length. */
static const struct form {
	const char *end, *terminal;
	double unit; /* units per pixel */
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

static const struct program gnuplot_program = {"gnuplot", "gnuplot", "gnuplot-nox"};

int gnuplot_check(struct error *error)
{
	return program_is_there(&gnuplot_program) ? 0
						  : error_set(error, STATUS_IO, "--plot: gnuplot is not installed (Debian: gnuplot-nox)");
}

/* In single quotes, doubled inside, gnuplot interprets nothing, and the clean text has no end of line. */
void gnuplot_string(FILE *gnuplot, const char *before, const char *text)
{
	char clean[1000];
	fprintf(gnuplot, "%s'", before);
	for (const char *c = show_text(clean, sizeof clean, text); *c; c++)
		fprintf(gnuplot, *c == '\'' ? "''" : "%c", *c);
	fputs("'\n", gnuplot);
}

FILE *gnuplot_start(const char *path, int width, int height, struct error *error)
{
	const struct form *form = form_of(path);
	FILE *gnuplot = program_file(error);
	if (gnuplot)
		fprintf(gnuplot,
			"set encoding utf8\nset terminal %s size %g%s,%g%s font 'sans,12' background '#ffffff'\nset termoption noenhanced\n",
			form->terminal, width * form->unit, form->unit_name, height * form->unit, form->unit_name);
	return gnuplot;
}

int gnuplot_end(FILE *gnuplot, struct output *output, const char *path, struct error *error)
{
	const char *const arguments[] = {NULL};
	struct error why = {0};
	if (gnuplot && !program_run(&gnuplot_program, arguments, gnuplot, output->file, &why))
		output_commit(output, error);
	else if (why.status)
		error_at(error, why.status, path, 0, "%s", why.text);
	if (gnuplot)
		fclose(gnuplot);
	return error->status ? -1 : 0;
}
