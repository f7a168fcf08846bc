#include "orcs/marks.h"

#include "base/hash.h"
#include "base/memory.h"
#include "fabric/fabric.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void marks_clear(struct marks *marks)
{
	free(marks->text);
	*marks = (struct marks){0};
}

static int add_word(struct marks *marks, const char *word, struct error *error)
{
	size_t length = strlen(word) + 1;
	if (array_grow(&marks->text, &marks->capacity, marks->bytes + length, 1, error))
		return -1;
	memcpy(marks->text + marks->bytes, word, length);
	marks->bytes += length;
	return 0;
}

int marks_add(struct marks *marks, const char *name, const char *value, struct error *error)
{
	return add_word(marks, name, error) || add_word(marks, value, error) ? -1 : 0;
}

int marks_add_number(struct marks *marks, const char *name, uint64_t value, struct error *error)
{
	char text[20];
	snprintf(text, sizeof text, "%016" PRIx64, value);
	return marks_add(marks, name, text, error);
}

/* ---- files */

bool marks_hash_file(const char *path, uint64_t *hash)
{
	char buffer[1 << 16];
	struct stat about;
	ssize_t got = -1;
	int file = strcmp(path, "-") ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : STDIN_FILENO;
	*hash = 0;
	if (file >= 0 && !lseek(file, 0, SEEK_SET) && !fstat(file, &about) && S_ISREG(about.st_mode))
		while ((got = read(file, buffer, sizeof buffer)) > 0)
			*hash = hash_words(*hash, buffer, (size_t)got);
	if (file > STDIN_FILENO)
		close(file);
	return got == 0;
}

int marks_refuse_input(const char *path, struct error *error)
{
	return error_set(error, STATUS_USAGE,
		"--checkpoint and --resume must compare the contents of %s and cannot read it twice; name a regular file",
		strcmp(path, "-") ? path : "standard input");
}

static int add_content(struct marks *marks, const char *path, struct error *error)
{
	char *name;
	uint64_t hash;
	if (!strcmp(path, "-") || !marks_hash_file(path, &hash))
		return marks_refuse_input(path, error);
	if (asprintf(&name, "the content of '%s'", path) < 0)
		return error_set(error, STATUS_IO, "out of memory");
	marks_add_number(marks, name, hash, error);
	free(name);
	return error->status ? -1 : 0;
}

int marks_add_inputs(struct marks *marks, const struct files *files, size_t first, struct error *error)
{
	for (size_t i = first; i < files->count && !error->status; i++) {
		const char *path = files_input(files, i);
		if (path)
			add_content(marks, path, error);
	}
	return error->status ? -1 : 0;
}

/* ---- comparing */

bool marks_valid(const char *text, size_t bytes)
{
	size_t words = 0;
	for (size_t i = 0; i < bytes; i++)
		words += !text[i];
	return bytes && !text[bytes - 1] && words % 2 == 0;
}

/* Returns the next name at *at, with its value, and advances *at past both. NULL at the end. */
static const char *next_mark(const struct marks *marks, size_t *at, const char **value)
{
	if (*at == marks->bytes)
		return NULL;
	const char *name = marks->text + *at;
	*value = name + strlen(name) + 1;
	*at = (size_t)(*value + strlen(*value) + 1 - marks->text);
	return name;
}

/* Returns the value of the given occurrence of that name; NULL: there is none. */
static const char *find_mark(const struct marks *marks, const char *name, size_t number)
{
	const char *other, *value;
	for (size_t at = 0; (other = next_mark(marks, &at, &value));)
		if (!strcmp(other, name) && !number--)
			return value;
	return NULL;
}

/* Returns the number of marks with that name before that place. */
static size_t count_before(const struct marks *marks, const char *name, size_t place)
{
	const char *other, *value;
	size_t count = 0;
	for (size_t at = 0; at < place && (other = next_mark(marks, &at, &value));)
		count += !strcmp(other, name);
	return count;
}

static int refuse(const char *file, const char *name, const char *now, const char *then, struct error *error)
{
	static const char begin[] = "cannot resume from it";
	if (strncmp(name, "--", 2) && strcmp(name, "orcs"))
		return error_at(error, STATUS_USAGE, file, 0, "%s: %s has changed", begin, name);
	if (!then)
		return error_at(error, STATUS_USAGE, file, 0, "%s: it was written without %s%s%s", begin, name, *now ? " " : "", now);
	if (!now)
		return error_at(error, STATUS_USAGE, file, 0, "%s: it was written with %s%s%s", begin, name, *then ? " " : "", then);
	return error_at(error, STATUS_USAGE, file, 0, "%s: it was written with %s %s, not %s", begin, name, then, now);
}

int marks_compare(const struct marks *now, const struct marks *then, const char *file, struct error *error)
{
	const char *name, *value;
	for (int turn = 0; turn < 2; turn++) {
		const struct marks *one = turn ? then : now, *other = turn ? now : then;
		for (size_t at = 0, place = 0; (name = next_mark(one, &at, &value)); place = at) {
			const char *there = find_mark(other, name, count_before(one, name, place));
			if (!there || strcmp(value, there))
				return refuse(file, name, turn ? there : value, turn ? value : there, error);
		}
	}
	return 0;
}
