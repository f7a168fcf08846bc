/*
 * Specifications of patterns, as -p, -a, -f, -c, -z and -s give them, a line each: refused in one line, or pairs that are in order. "@" is
 * a file that holds the lines from the seventh on.
 */
#include "target.h"
#include "patterns/pairs.h"

enum { RANKS_MOST = 70, LEVELS = 40, PAIRS_MOST = 2000000 };

/* What has been sent in a level. */
struct seen {
	uint32_t ranks;
	uint64_t pairs;
	bool sent[RANKS_MOST], received[RANKS_MOST], twice;
};

static struct seen seen;

static void take(struct sink *sink)
{
	for (size_t i = 0; i < sink->count; i++) {
		uint32_t s = sink->pairs[i].sender, r = sink->pairs[i].receiver;
		CHECK(s < seen.ranks && r < seen.ranks && s != r && sink->bytes[i] >= 0 && sink->bytes[i] < 1e18);
		seen.twice |= seen.sent[s] || seen.received[r];
		seen.sent[s] = seen.received[r] = true;
	}
	seen.pairs += sink->count;
}

static void run_level(const struct pattern_call *call, uint64_t level, bool parts)
{
	struct pair pairs[16];
	double bytes[16] = {0};
	struct sink sink = {.pairs = pairs, .bytes = bytes, .capacity = 16, .take = take};
	seen = (struct seen){.ranks = call->ranks};
	pattern_level(call, level, &sink);
	CHECK(sink.count == 0 && (parts || !pattern_partial_permutation(call) || !seen.twice));
}

/* What a pattern by itself promises holds for each run; level by level, but not for all of very many. */
static void run_pattern(struct pattern_call *call)
{
	uint64_t levels = pattern_levels(call), pairs = 0;
	struct error error = {0};
	for (uint64_t run = 0; run < 2; run++) {
		CHECK(!pattern_run(call, run, &error));
		for (uint64_t level = 0; level < levels && level < LEVELS && pairs < PAIRS_MOST; level++) {
			run_level(call, level, call->first);
			pairs += seen.pairs;
		}
		if (levels)
			run_level(call, levels - 1, call->first);
	}
	pattern_pairs(call, -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines lines = lines_create(data, size);
	struct error error = {0}, early = {0};
	size_t before = 0;
	for (size_t i = 0; i < 6; i++)
		before += strlen(lines.line[i]) + 1;
	struct memory_file memory = memory_file_create(data + (before < size ? before : size), before < size ? size - before : 0);
	char *spec = with_path(lines.line[0], memory.path);
	struct pattern_request request = {
		.spec = spec,
		.argument = line_or_null(lines.line[1]),
		.first = line_or_null(lines.line[2]),
		.second = line_or_null(lines.line[3]),
		.first_ranks = *lines.line[4] ? (int64_t)line_number(lines.line[4], UINT32_MAX) : -1,
		.seed = 1,
	};
	CHECK(freopen("/dev/null", "r", stdin)); /* which a specification may name */
	for (size_t i = 0; i < 4; i++)
		if (names_files(lines.line[i]))
			request.spec = "null";
	int refused = pattern_check(&request, PATTERN_PAIRS, &early);
	struct pattern_call *call = pattern_create(&request, 1 + line_number(lines.line[5], RANKS_MOST), &error);
	CHECK(!call || !refused);
	if (refused)
		check_refused(&early, REFUSED_USAGE);
	if (call)
		run_pattern(call);
	else
		check_refused(&error, REFUSED_USAGE);
	pattern_free(call);
	free(spec);
	memory_file_close(&memory);
	lines_free(&lines);
	return 0;
}
