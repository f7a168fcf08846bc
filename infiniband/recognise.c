#include "infiniband/recognise.h"

#include "base/input.h"
#include "base/memory.h"
#include "formats/cache.h"
#include "infiniband/dump.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { START = 1 << 16 };

/* Returns whether the text begins like a graph, after comments: [strict] digraph. */
static bool begins_graph(const char *text)
{
	for (;;) {
		text += strspn(text, " \t\r\n");
		if (!strncmp(text, "//", 2) || *text == '#') {
			text += strcspn(text, "\n");
		} else if (!strncmp(text, "/*", 2)) {
			const char *end = strstr(text + 2, "*/");
			text = end ? end + 2 : text + strlen(text);
		} else {
			break;
		}
	}
	if (!strncasecmp(text, "strict", 6))
		text += 6 + strspn(text + 6, " \t\r\n");
	return !strncasecmp(text, "digraph", 7) || !strncasecmp(text, "graph", 5);
}

/* Reads up to START - 1 bytes and ends them with a NUL. Returns their number; the reader of the file reports errors. */
static size_t read_start(const char *path, char *text)
{
	struct error ignored = {0};
	size_t length = 0;
	ssize_t got = 1;
	struct input *input = input_open(path, &ignored);
	while (input && got > 0 && length < START - 1) {
		got = input_read(input, text + length, START - 1 - length, &ignored);
		length += got > 0 ? (size_t)got : 0;
	}
	input_close(input);
	text[length] = '\0';
	return length;
}

/* Cuts off an incomplete last line: dumps are recognised by whole lines. */
static void cut_last_line(char *text, size_t length)
{
	char *end = length == START - 1 ? strrchr(text, '\n') : NULL;
	if (end)
		*end = '\0';
}

int recognise(const char *path, struct error *error)
{
	bool standard = !strcmp(path, "-");
	struct stat about;
	if (input_keep(path, error))
		return -1;
	if (standard ? fstat(STDIN_FILENO, &about) : stat(path, &about) || !S_ISREG(about.st_mode))
		return 0;
	char *text = array_create(START, 1, error);
	if (!text)
		return -1;
	off_t place = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
	size_t length = read_start(path, text);
	if (standard)
		lseek(STDIN_FILENO, place, SEEK_SET);
	int holds = HOLDS_GRAPH;
	if (!begins_graph(text) && !cache_begins(text, length)) {
		cut_last_line(text, length);
		holds = (int)dump_kinds(text);
	}
	free(text);
	return holds;
}
