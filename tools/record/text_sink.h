/* Text that is compressed with zstd while it is written. */
#ifndef TOOLS_RECORD_TEXT_SINK_H
#define TOOLS_RECORD_TEXT_SINK_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>
#include <zstd.h>

struct text_sink {
	FILE *file;
	ZSTD_CCtx *context;
	char text[1 << 16];
	size_t used;
};

int text_sink_open(struct text_sink *sink, FILE *file, struct error *error);
/* Writes text (printf) of fewer than 4096 bytes. */
void text_sink_print(struct text_sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes what is left. Errors of the file remain in the file. */
void text_sink_close(struct text_sink *sink);

#endif
