/*
 * The first line is the specification of a topology, "@" in it a file with the last line's text; the lines between are what fails of it:
 * "switches N", "links N", "connected", or a node or a port by its name. It is refused in one line, or in order.
 */
#include "topology_checks.h"

static int fail_line(struct failures *failures, const char *line, struct error *error)
{
	struct share share;
	if (!strncmp(line, "switches ", 9) && share_read(line + 9, &share))
		return failures_draw_switches(failures, share, error);
	if (!strncmp(line, "links ", 6) && share_read(line + 6, &share))
		return failures_draw_cables(failures, share, error);
	if (!strcmp(line, "connected")) {
		failures->keep_connected = true;
		return 0;
	}
	return *line ? failures_name(failures, line, error) : 0;
}

/* As orcs-topology does. */
static void fail(const struct topology *topology, const struct lines *lines, struct writing *writing)
{
	struct failures failures;
	struct error error = {0};
	int status = failures_init(&failures, topology, 1, false, &error);
	for (size_t i = 1; i < lines->count && !status; i++)
		status = fail_line(&failures, lines->line[i], &error);
	if (status || failures_count(&failures, &error)) {
		check_refused(&error, REFUSED_USAGE);
	} else if (failures.hosts < topology->hosts) {
		CHECK(failures.switches <= topology->switches && failures.cables <= failures.all && failures.cut_off <= topology->hosts);
		writing->failures = &failures;
		check_written(writing, topology);
	}
	failures_clear(&failures);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines lines = lines_create(data, size);
	const char *last = lines.line[lines.count ? lines.count - 1 : 0];
	struct memory_file memory = memory_file_create(last, strlen(last));
	char *spec = with_path(lines.line[0], memory.path);
	struct error error = {0};
	struct topology *topology = names_files(lines.line[0]) ? NULL : topology_create(spec, &error);
	if (topology) {
		struct writing writing = {.spec = "fuzz"};
		check_topology(topology);
		CHECK(topology_find(spec));
		if (topology->hosts + (uint64_t)topology->switches + topology->channels <= WALKED_MOST) {
			check_written(&writing, topology);
			fail(topology, &lines, &writing);
		}
	} else if (error.status) {
		check_refused(&error, REFUSED_USAGE);
	}
	topology_free(topology);
	free(spec);
	memory_file_close(&memory);
	lines_free(&lines);
	return 0;
}
