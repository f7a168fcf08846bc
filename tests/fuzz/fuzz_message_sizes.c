/* Any words as --sizes, '@' in them being a file with the rest of the input: refused in one line, or sizes within their bounds. */
#include "target.h"

#include "patterns/message_sizes.h"

#include <math.h>

/* Draws at both ends of the distribution, and between. */
static void draw(const struct message_sizes *sizes)
{
	double mean = message_sizes_mean(sizes), most = sizes->point[sizes->points - 1].bytes + 1;
	CHECK(mean > 0 && mean <= most && isfinite(message_sizes_spread(sizes)) && message_sizes_spread(sizes) > 0.9);
	CHECK(message_sizes_packets(sizes, 2048) >= 1 && message_sizes_packets(sizes, 2048) <= most / 2048 + 2);
	for (uint32_t i = 0; i < 100; i++) {
		uint32_t word[4] = {i * 0x9e3779b9, ~i, i, i * 0x85ebca6b};
		uint64_t bytes = message_size(sizes, word);
		CHECK(bytes >= 1 && (double)bytes <= most);
		CHECK((double)bytes + 1 >= sizes->point->bytes);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines lines = lines_create(data, size);
	size_t used = strlen(lines.line[0]) + 1;
	struct memory_file memory = memory_file_create(used < size ? data + used : data, used < size ? size - used : 0);
	char spec[200];
	const char *at = strchr(lines.line[0], '@');
	struct message_sizes sizes;
	struct error error = {0};
	if (at)
		snprintf(spec, sizeof spec, "%.*s%s", (int)(at - lines.line[0] < 100 ? at - lines.line[0] : 100), lines.line[0],
			memory.path);
	else
		snprintf(spec, sizeof spec, "%.150s", lines.line[0]);
	if (!at && message_sizes_file(spec))
		snprintf(spec, sizeof spec, "file"); /* no other files */
	if (message_sizes_read(&sizes, spec, &error))
		check_refused(&error, REFUSED_USAGE);
	else
		draw(&sizes);
	message_sizes_clear(&sizes);
	memory_file_close(&memory);
	lines_free(&lines);
	return 0;
}
