#include "base/text_file.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static ssize_t keep(void *cookie, const char *bytes, size_t count)
{
	struct text_file *text = cookie;
	if (array_grow(&text->text, &text->capacity, text->size + count, 1, &text->error))
		return 0;
	memcpy(text->text + text->size, bytes, count);
	text->size += count;
	return (ssize_t)count;
}

int text_file_open(struct text_file *text, struct error *error)
{
	*text = (struct text_file){.file = NULL};
	text->file = fopencookie(text, "w", (cookie_io_functions_t){.write = keep});
	return text->file ? 0 : error_set(error, STATUS_IO, "out of memory: cannot open a text buffer");
}

int text_file_close(struct text_file *text, struct error *error)
{
	bool failed = !text->file || ferror(text->file);
	failed |= text->file && fclose(text->file);
	if (failed)
		error_set(error, STATUS_IO, "%s", text->error.status ? text->error.text : "out of memory: the text does not fit");
	if (!error->status)
		return 0;
	free(text->text);
	text->text = NULL;
	return -1;
}
