/* Any bytes as a dot graph or as dumps, written in all forms of orcs-export; what ibnetdiscover would print reads back as the same. */
#include "dump_bytes.h"
#include "infiniband/subnet_dot.h"
#include "infiniband/subnet_write.h"

/* Those that are written: none at port 0. */
static uint32_t count_cables(const struct subnet *subnet)
{
	uint32_t cables = 0;
	for (uint32_t p = 0; p < subnet->ports; p++) {
		const struct subnet_port *port = &subnet->port[p];
		cables += port->peer != NONE && port->number && subnet->port[port->peer].number;
	}
	return cables / 2;
}

static void check_cables(const char *text, size_t size, uint32_t cables)
{
	struct error error = {0};
	struct memory_file memory = memory_file_create(text, size);
	struct subnet *subnet = subnet_create(&error);
	CHECK(subnet && (!dump_read(subnet, memory.path, 1 << DUMP_TOPOLOGY, &error) || !cables));
	check_subnet(subnet);
	CHECK(count_cables(subnet) == cables);
	subnet_free(subnet);
	memory_file_close(&memory);
}

static void write_all(struct subnet *subnet, struct error *error)
{
	char *text = NULL;
	size_t size = 0;
	struct ibsim_changes changes;
	FILE *file = open_memstream(&text, &size);
	CHECK(file);
	subnet_write_ibnetdiscover(subnet, file);
	CHECK(!fflush(file));
	check_cables(text, size, count_cables(subnet));
	rewind(file);
	CHECK(!subnet_write_ibsim(subnet, file, &changes, error) && !fflush(file));
	check_cables(text, size, count_cables(subnet));
	CHECK(!subnet_write_lfts(subnet, file, error) || error->status == STATUS_FABRIC);
	fclose(file);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct subnet_graph_options options = {0};
	struct error error = {0};
	struct memory_file memory = memory_file_create(data, size);
	struct fabric_source source = {.program = "fuzz"};
	struct files files = {0};
	struct subnet *subnet = NULL;
	CHECK(!fabric_source_add(&source, memory.path, DUMPS_ANY, &error));
	if (!fabric_source_open(&source, &files, &error))
		subnet = subnet_load(&source, NULL, true, &error);
	fabric_source_clear(&source);
	files_clear(&files);
	struct subnet_graph *graph = NULL;
	uint32_t guids;
	memory_file_close(&memory);
	if (subnet) {
		check_subnet(subnet);
		CHECK(!subnet_fill_guids(subnet, &guids, &error));
		graph = subnet_graph_create(subnet, &options, NULL, &error);
	}
	if (graph) {
		FILE *file = fopen("/dev/null", "w");
		CHECK(file);
		subnet_write_roots(graph, file);
		subnet_write_hosts(graph, file);
		fclose(file);
		write_all(subnet, &error);
	} else {
		check_line(&error);
	}
	subnet_graph_free(graph);
	subnet_free(subnet);
	return 0;
}
