/*
 * A cache that is altered, and sealed again as if it had been written so: it is refused with one line of text, or it is a fabric that is in
 * order, of which routes are walked and the graph is written. The input is a list of alterations, seven bytes each: where (two bytes, in
 * units of four), how, and a number. The first byte says whether the checksum is made right, and whether all comes through a pipe.
 */
#include "memory_file.h"
#include "base/memory.h"
#include "fabric/route_cache.h"
#include "fabric/walk.h"
#include "formats/cache.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>

enum { UNSEALED = 1, PIPED = 2 };

static const char text[] =
	"digraph n { node [shape=box]; H1 [desc=one, guid=\"0x1\"]; S1 [color=red];\n"
	"H1 -> S1 [comment=\"*\", port=1, speed=10]; H2 -> S1 [comment=\"*\", speed=10]; H3 -> S2 [comment=\"*\", speed=20];\n"
	"S1 -> H1 [comment=\"H1\", speed=10]; S1 -> H2 [comment=\"H2,H7\", speed=10]; S1 -> S2 [comment=\"H3\", speed=40];\n"
	"S2 -> H3 [comment=\"H3\", speed=20]; S2 -> S1 [comment=\"H1,H2\", speed=40]; subgraph cluster { S1; S2 } }\n";

/* A fabric as fabric_load gives it. */
struct loaded {
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report report;
};

static void unload(struct loaded *loaded)
{
	forwarding_free(loaded->forwarding);
	fabric_free(loaded->fabric);
	attributes_free(loaded->attributes);
}

/* The cache of the text above, made once. */
static const char *genuine(size_t *size)
{
	static char *data;
	static size_t length;
	if (!data) {
		struct error error = {0};
		struct loaded loaded = {0};
		struct memory_file memory = memory_file_create(text, strlen(text));
		CHECK(!fabric_load(memory.path, DOT_TABLES | DOT_KEEP, &loaded.fabric, &loaded.forwarding, &loaded.attributes,
			&loaded.report, &error));
		FILE *file = open_memstream(&data, &length);
		CHECK(!cache_write(file, loaded.fabric, loaded.forwarding, loaded.attributes, &loaded.report, &error) && !fclose(file));
		unload(&loaded);
		memory_file_close(&memory);
	}
	*size = length;
	return data;
}

/* Other graphs are for fuzz_dot: cgraph begins a text where the one before ended, be it in the middle of a string. */
static bool graph_intact(const char *data, const char *original, size_t size)
{
	const struct cache_header *header = (const struct cache_header *)original;
	size_t graph = (header->graph_bytes + 63) / 64 * 64;
	return !memcmp(data + size - graph, original + size - graph, graph);
}

static void alter(char *data, size_t size, const uint8_t *how)
{
	size_t place = (size_t)(how[0] | how[1] << 8) % (size / 4) * 4;
	uint32_t number, word;
	memcpy(&number, how + 3, sizeof number);
	memcpy(&word, data + place, sizeof word);
	switch (how[2] % 4) {
	case 0: word = number; break;
	case 1: word += (uint32_t)(int8_t)number; break;
	case 2: word ^= 1U << number % 32; break;
	case 3: word = number % 8; break;
	}
	memcpy(data + place, &word, sizeof word);
}

static void check_fabric(const struct fabric *fabric)
{
	uint32_t hosts = 0;
	CHECK(fabric->hosts > 0 && fabric->hosts < fabric->nodes);
	CHECK(!fabric->first_channel[0] && fabric->first_channel[fabric->nodes] == fabric->channels);
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		const char *name = fabric->labels->name[v];
		CHECK(fabric->first_channel[v] <= fabric->first_channel[v + 1]);
		CHECK(name_table_find(&fabric->labels->names, name, strlen(name)) == v);
		CHECK(strlen(fabric->labels->desc[v]) < 10000);
		CHECK(fabric->node_host[v] == NONE || (fabric->node_host[v] == hosts && fabric->host_node[hosts++] == v));
	}
	CHECK(hosts == fabric->hosts);
	for (uint32_t c = 0; c < fabric->channels; c++)
		CHECK(fabric->head[c] < fabric->nodes && isfinite(fabric->speed[c]) && fabric->speed[c] > 0);
}

/* All entries lead somewhere; all routes are walked, one way or the other. */
static void check_forwarding(const struct fabric *fabric, const struct forwarding *forwarding)
{
	struct error error = {0};
	struct route_cache route_cache;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t h = 0; h < fabric->hosts; h++) {
			uint32_t channel = forwarding_next(forwarding, v, forwarding->column[v], h);
			CHECK(channel == NONE || fabric_tail(fabric, channel) == v);
			CHECK(channel == NONE || forwarding->hop[channel].node == fabric->head[channel]);
		}
	CHECK(!route_cache_plan(&route_cache, fabric, forwarding, &error));
	route_cache.entry = array_create(route_cache_bytes(&route_cache), 1, &error);
	route_cache_fill(&route_cache, fabric, forwarding, 0, fabric->hosts);
	free(route_cache.entry);
	route_cache_clear(&route_cache);
}

static void use(const struct loaded *loaded)
{
	FILE *nowhere = fopen("/dev/null", "w");
	check_fabric(loaded->fabric);
	check_forwarding(loaded->fabric, loaded->forwarding);
	if (loaded->attributes)
		dot_write(loaded->fabric, loaded->attributes, nowhere, NULL, NULL);
	dot_report_write(&loaded->report, nowhere, "fuzz", loaded->fabric->labels->source, true);
	fclose(nowhere);
}

/* Through a pipe, which holds it whole. */
static void through_pipe(const char *data, size_t size, char path[40])
{
	int ends[2];
	CHECK(!pipe2(ends, O_CLOEXEC) && write(ends[1], data, size) == (ssize_t)size && !close(ends[1]));
	snprintf(path, 40, "/proc/self/fd/%d", ends[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t length)
{
	size_t size;
	const char *original = genuine(&size);
	uint8_t flags = length ? *input : 0;
	struct error error = {0};
	struct loaded loaded = {0};
	char *data = malloc(size), path[40];
	memcpy(data, original, size);
	for (size_t at = 1; at + 7 <= length; at += 7)
		alter(data, size, input + at);
	uint64_t checksum = cache_checksum(data, size);
	if (!(flags & UNSEALED))
		memcpy(data + offsetof(struct cache_header, checksum), &checksum, sizeof checksum);
	bool same = !memcmp(data, original, size);
	unsigned wants = DOT_TABLES | (graph_intact(data, original, size) ? DOT_KEEP : 0);
	struct memory_file memory = memory_file_create(data, size);
	if (flags & PIPED)
		through_pipe(data, size, path);
	else
		snprintf(path, sizeof path, "%s", memory.path);
	bool fine = !fabric_load(path, wants, &loaded.fabric, &loaded.forwarding, &loaded.attributes, &loaded.report, &error);
	CHECK(fine == !error.status && fine == (loaded.fabric && loaded.forwarding) && (fine && wants & DOT_KEEP) == !!loaded.attributes);
	CHECK(fine || *error.text);
	CHECK(same ? fine : !(flags & UNSEALED) || !fine);
	if (fine)
		use(&loaded);
	if (flags & PIPED)
		close(atoi(path + strlen("/proc/self/fd/")));
	unload(&loaded);
	memory_file_close(&memory);
	free(data);
	return 0;
}
