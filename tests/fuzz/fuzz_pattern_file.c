/* Any bytes as a file of messages, as a hostfile and as a mapping (file:PATH in all three places): refused in one line, or in order. */
#include "memory_file.h"
#include "fabric/placement.h"
#include "formats/dot.h"
#include "patterns/pairs.h"

#include <string.h>

enum { RANKS = 8, LEVELS = 50 };

static const char fabric_text[] =
	"digraph { S; H1 [desc=\"node1 HCA-1\"]; H2 [desc=\"node2 HCA-1\"]; H3 [desc=\"node2 HCA-2\"]; H4 [desc=\"twin\"]; H5 [desc=\"twin\"];"
	"H6 [desc=\"H1\"]; \"H 7\"; \"\" [type=host]; {H1 H2 H3 H4 H5 H6 \"H 7\" \"\"} -> S -> H1 }";

static const struct fabric *get_fabric(void)
{
	static struct fabric *fabric;
	if (!fabric) {
		struct forwarding *forwarding;
		struct attributes *attributes;
		struct dot_report report;
		struct error error = {0};
		struct memory_file memory = memory_file_create(fabric_text, strlen(fabric_text));
		CHECK(!dot_load(memory.path, 0, &fabric, &forwarding, &attributes, &report, &error));
		memory_file_close(&memory);
		CHECK(fabric->hosts == RANKS);
	}
	return fabric;
}

static void check_error(const struct error *error)
{
	CHECK(error->status == STATUS_USAGE || error->status == STATUS_IO);
	CHECK(*error->text && strlen(error->text) < sizeof error->text);
	for (const char *c = error->text; *c; c++)
		CHECK((unsigned char)*c >= ' ' && *c != 127);
}

static void check_pairs(struct sink *sink)
{
	for (size_t i = 0; i < sink->count; i++) {
		CHECK(sink->pairs[i].sender < RANKS && sink->pairs[i].receiver < RANKS);
		CHECK(sink->pairs[i].sender != sink->pairs[i].receiver);
		CHECK(sink->bytes[i] >= 0 && sink->bytes[i] < 1e18);
	}
}

static void read_pattern(const char *spec)
{
	struct error error = {0};
	struct pattern_request request = {.spec = spec, .first_ranks = -1};
	struct pattern_call *call = pattern_create(&request, RANKS, &error);
	if (!call) {
		check_error(&error);
		return;
	}
	struct pair pairs[16];
	double bytes[16] = {0};
	struct sink sink = {.pairs = pairs, .bytes = bytes, .capacity = 16, .take = check_pairs};
	uint64_t levels = pattern_levels(call);
	for (uint64_t level = 0; level < levels && level < LEVELS; level++)
		pattern_level(call, level, &sink);
	if (levels)
		pattern_level(call, levels - 1, &sink);
	pattern_free(call);
}

static void place(const char *subset, const char *mapping, uint32_t ranks)
{
	struct placement placement;
	struct error error = {0};
	if (placement_init(&placement, get_fabric(), subset, mapping, ranks, 1, &error)) {
		check_error(&error);
	} else {
		CHECK(placement.ranks > 0 && (!ranks || placement.ranks == ranks));
		for (uint32_t r = 0; r < placement.ranks; r++)
			CHECK(placement.host[r] < RANKS);
	}
	placement_clear(&placement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char spec[60];
	struct memory_file memory = memory_file_create(data, size);
	snprintf(spec, sizeof spec, "file:%s", memory.path);
	read_pattern(spec);
	place(spec, "linear", 0);
	place("file_order", spec, 0);
	place(spec, spec, 2);
	memory_file_close(&memory);
	return 0;
}
