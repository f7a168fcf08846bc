/* Any bytes as a file of jobs, with the lists of hosts that Slurm writes: refused with one line, or jobs of hosts of the fabric. */
#include "dump_bytes.h"
#include "formats/dot.h"
#include "tools/trace/jobs.h"

#include <string.h>

static const char graph[] = "digraph { H1 [desc=\"node01 HCA-1\"]; H2 [desc=\"node02 HCA-1\"]; H3 [desc=\"node02 HCA-2\"];"
			    "H1 -> S1; H2 -> S1; H3 -> S1; S1 -> H1; S1 -> H2; S1 -> H3 }";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = {0};
	struct memory_file memory = memory_file_create(data, size);
	struct dot_memory text = {graph, strlen(graph)};
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report report;
	struct jobs jobs;
	CHECK(!dot_load_text(&(struct dot_text){dot_read_memory, &text, "graph"}, 0, &fabric, &forwarding, &attributes, &report, &error));
	if (jobs_read(&jobs, memory.path, fabric, NULL, "fuzz", &error))
		CHECK((error.status == STATUS_USAGE || error.status == STATUS_IO) && *error.text && !strchr(error.text, '\n'));
	else
		for (uint32_t h = 0; h < fabric->hosts; h++)
			for (uint32_t i = jobs.first[h]; i < jobs.first[h + 1]; i++)
				CHECK(jobs.job[i] < jobs.jobs && (i == jobs.first[h] || jobs.job[i - 1] < jobs.job[i]));
	jobs_clear(&jobs);
	fabric_free(fabric);
	memory_file_close(&memory);
	return 0;
}
