#include "tools/record/text_sink.h"

#include <stdarg.h>

enum { LONGEST = 4096 };

int text_sink_open(struct text_sink *sink, FILE *file, struct error *error)
{
	sink->file = file;
	sink->used = 0;
	sink->context = ZSTD_createCCtx();
	return sink->context ? 0 : error_set(error, STATUS_IO, "out of memory");
}

static void flush(struct text_sink *sink, ZSTD_EndDirective directive)
{
	char packed[1 << 16];
	ZSTD_inBuffer in = {sink->text, sink->used, 0};
	size_t left;
	do {
		ZSTD_outBuffer out = {packed, sizeof packed, 0};
		left = ZSTD_compressStream2(sink->context, &out, &in, directive);
		if (ZSTD_isError(left))
			break;
		fwrite(packed, 1, out.pos, sink->file);
	} while (directive == ZSTD_e_end ? left : in.pos < in.size);
	sink->used = 0;
}

void text_sink_print(struct text_sink *sink, const char *format, ...)
{
	va_list list;
	if (sizeof sink->text - sink->used < LONGEST)
		flush(sink, ZSTD_e_continue);
	va_start(list, format);
	int length = vsnprintf(sink->text + sink->used, LONGEST, format, list);
	va_end(list);
	if (length > 0)
		sink->used += length < LONGEST ? (size_t)length : LONGEST - 1;
}

void text_sink_close(struct text_sink *sink)
{
	if (!sink->context)
		return;
	flush(sink, ZSTD_e_end);
	ZSTD_freeCCtx(sink->context);
	sink->context = NULL;
}
