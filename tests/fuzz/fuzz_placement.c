/* Names of subsets and mappings, ranks and a seed on a fabric: refused in one line, or every rank has a host. "@" is a file with the lines
 * from the sixth on. */
#include "target.h"
#include "fabric/placement.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines lines = lines_create(data, size);
	struct error error = {0}, early = {0};
	struct placement placement;
	const char *topology;
	struct small_fabric small = small_fabric_create(lines.line[4], 300, "fattree:k=2,n=3", &topology);
	size_t before = 0;
	for (size_t i = 0; i < 5; i++)
		before += strlen(lines.line[i]) + 1;
	struct memory_file memory = memory_file_create(data + (before < size ? before : size), before < size ? size - before : 0);
	char *subset = with_path(names_files(lines.line[0]) ? "rand" : lines.line[0], memory.path);
	char *mapping = with_path(names_files(lines.line[1]) ? "linear" : lines.line[1], memory.path);
	uint32_t ranks = line_number(lines.line[2], 1000);
	uint64_t seed = line_number(lines.line[3], UINT32_MAX);
	CHECK(freopen("/dev/null", "r", stdin)); /* which a name may mean */
	int refused = placement_check(subset, mapping, &early);
	int failed = placement_init(&placement, small.fabric, subset, mapping, ranks, seed, &error);
	CHECK(failed || !refused);
	if (refused)
		check_refused(&early, REFUSED_USAGE);
	if (failed) {
		check_refused(&error, REFUSED_FABRIC);
	} else {
		uint32_t *host = calloc(placement.ranks, sizeof *host), *sits = calloc(small.fabric->hosts, sizeof *sits);
		CHECK(host && sits && placement.ranks && (!ranks || placement.ranks == ranks));
		placement_run(&placement, seed, 3, host);
		for (uint32_t r = 0; r < placement.ranks; r++)
			CHECK(placement.host[r] < small.fabric->hosts && host[r] < small.fabric->hosts &&
				(!sits[host[r]]++ || placement.oversubscribed));
		free(host);
		free(sits);
	}
	placement_clear(&placement);
	free(subset);
	free(mapping);
	memory_file_close(&memory);
	small_fabric_free(&small);
	lines_free(&lines);
	return 0;
}
