/* What all functions of the library need: errors, words, texts. */
#include "library/library.h"

#include "base/memory.h"
#include "base/spelling.h"
#include "base/version.h"
#include "cli/usage.h"
#include "orcs/lists.h"

#include <stdlib.h>
#include <string.h>

int give_error(const struct error *from, orcs_error *to)
{
	if (to) {
		to->status = (int)from->status;
		to->line = from->line;
		snprintf(to->text, sizeof to->text, "%s", from->text);
	}
	return from->status ? -1 : 0;
}

char *copy_of(const char *text, struct error *error)
{
	char *copy = text ? strdup(text) : NULL;
	if (text && !copy)
		error_set(error, STATUS_IO, "out of memory");
	return copy;
}

const char *orcs_version(void)
{
	return ORCS_VERSION;
}

/* ---- texts */

char *text_end(struct text_file *text, struct error *error)
{
	if (text->file)
		putc('\0', text->file);
	return text_file_close(text, error) ? NULL : text->text;
}

char *orcs_list(const char *kind, orcs_error *to)
{
	struct error error = {0};
	struct text_file text;
	int list = 0;
	size_t count = 0;
	while (list_names[count])
		count++;
	while (list_names[list] && strcmp(list_names[list], kind) != 0)
		list++;
	if (!list_names[list])
		error_unknown(&error, "list", kind, list_names, count);
	else if (!text_file_open(&text, &error))
		list_write(list, text.file);
	char *result = error.status ? NULL : text_end(&text, &error);
	give_error(&error, to);
	return result;
}

void orcs_text_free(char *text)
{
	free(text);
}

int notes_open(struct notes *notes, struct error *error)
{
	return text_file_open(&notes->text, error);
}

const char *notes_text(struct notes *notes)
{
	struct error ignored = {0};
	struct text_file *text = &notes->text;
	if (!text->file || fflush(text->file) || array_grow(&text->text, &text->capacity, text->size + 1, 1, &ignored))
		return "";
	text->text[text->size] = '\0';
	return text->text;
}

void notes_close(struct notes *notes)
{
	struct error ignored = {0};
	if (notes->text.file && !text_file_close(&notes->text, &ignored))
		free(notes->text.text);
	notes->text = (struct text_file){.file = NULL};
}

/* ---- words */

int words_add(struct words *words, const char *name, const char *value, struct error *error)
{
	char *word;
	if (array_grow(&words->word, &words->capacity, words->count + 2, sizeof *words->word, error))
		return -1;
	if (asprintf(&word, "%s%s%s", name, value ? "=" : "", value ? value : "") < 0)
		return error_set(error, STATUS_IO, "out of memory");
	words->word[words->count++] = word;
	words->word[words->count] = NULL;
	return 0;
}

int words_append(struct words *words, const char *const *more, struct error *error)
{
	for (; *more; more++)
		if (words_add(words, *more, NULL, error))
			return -1;
	return 0;
}

void words_remove(struct words *words, const char *name)
{
	size_t length = strlen(name), kept = 0;
	for (size_t i = 0; i < words->count; i++) {
		char *word = words->word[i];
		if (!strncmp(word, name, length) && (word[length] == '=' || !word[length]))
			free(word);
		else
			words->word[kept++] = word;
	}
	words->count = kept;
	if (words->word)
		words->word[kept] = NULL;
}

void words_clear(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->word[i]);
	free(words->word);
	*words = (struct words){0};
}

/* ---- options */

struct reading {
	parse_words *parse;
	void *options;
	struct words *words;
};

static void read_guarded(void *data)
{
	const struct reading *reading = data;
	reading->parse(reading->options, (int)reading->words->count, reading->words->word);
}

int read_words(parse_words *parse, void *options, struct words *words, struct error *error)
{
	struct reading reading = {parse, options, words};
	char *program = words->word[0]; /* which reading replaces */
	int failed = usage_guard(read_guarded, &reading, error);
	words->word[0] = program;
	return failed;
}

static void parse_options(void *options, int count, char **words)
{
	options_parse(options, count, words);
}

int read_options(struct options *o, struct words *words, struct error *error)
{
	if (read_words(parse_options, o, words, error))
		return -1;
	const char *refused = strcmp(o->output, "-") != 0 ? "output_file"
			      : o->plot                   ? "plot"
			      : o->save                   ? "save-fabric"
			      : o->checkpoint             ? "checkpoint"
			      : o->timeline               ? "timeline"
			      : o->flows                  ? "flows"
			      : o->counters               ? "counters"
			      : o->rank_table             ? "ranks FILE"
			      : o->queues                 ? "queues"
			      : o->thresholds             ? "fail-if"
			      : o->verbose                ? "verbose"
			      : o->quiet                  ? "quiet"
			      : o->list >= 0              ? "list"
							  : NULL;
	if (refused)
		return error_set(error, STATUS_USAGE, "the option %s writes or prints: it is for the program", refused);
	o->quiet = true; /* no progress */
	return 0;
}
