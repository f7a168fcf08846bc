/* Any bytes as a map of node names, for a subnet and for a fabric; their first line as the name of a node there; and what form they have.
 */
#include "dump_bytes.h"
#include "fabric/node_names.h"
#include "formats/dot.h"
#include "infiniband/node_name_map.h"
#include "infiniband/recognise.h"

static const char cabling[] = "switchguid=0x10(10)\nSwitch 2 \"S-0000000000000010\" # \"leaf 1\" base port 0 lid 2 lmc 0\n"
			      "[1] \"H-0000000000000020\"[1](21) # \"node 1\" lid 1 4xEDR\n";
static const char graph[] =
	"digraph { H1 [guid=\"0x21\", lid=1, desc=\"node 1\"]; H2 [guid=\"0x22\", lid=3, desc=\"node 2\"]; S1 [guid=\"0x10\"];"
	"H1 -> S1; H2 -> S1; S1 -> H1; S1 -> H2 }";

static void name_subnet(const char *path)
{
	struct error error = {0};
	struct memory_file memory = memory_file_create(cabling, strlen(cabling));
	struct subnet *subnet = subnet_create(&error);
	CHECK(subnet && !dump_read(subnet, memory.path, 1 << DUMP_TOPOLOGY, &error));
	if (node_name_map_subnet(path, subnet, &error))
		check_line(&error);
	check_subnet(subnet);
	subnet_free(subnet);
	memory_file_close(&memory);
}

/* Every node is found by its name, its GUID and its LID, whatever else it is called. */
static void find_nodes(const struct fabric *fabric, const char *text, size_t length)
{
	struct error error = {0};
	struct node_names names;
	char hint[NODE_HINT_SIZE];
	CHECK(!node_names_init(&names, fabric, NODES_ALL, &error));
	uint32_t node = node_names_find(&names, text, length);
	CHECK(node >= NODE_AMBIGUOUS || node < fabric->nodes);
	if (node >= NODE_AMBIGUOUS)
		CHECK(strlen(node_names_hint(&names, text, length, hint)) < NODE_HINT_SIZE);
	for (uint32_t v = 0; v < fabric->nodes; v++)
		CHECK(node_names_find(&names, fabric->labels->name[v], strlen(fabric->labels->name[v])) == v);
	node_names_clear(&names);
}

static void name_fabric(const char *path, const char *text, size_t length)
{
	struct error error = {0};
	struct dot_memory memory = {graph, strlen(graph)};
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report report;
	uint32_t named;
	CHECK(!dot_load_text(
		&(struct dot_text){dot_read_memory, &memory, "graph"}, DOT_KEEP, &fabric, &forwarding, &attributes, &report, &error));
	if (node_name_map_fabric(path, fabric, attributes, &named, &error))
		check_line(&error);
	else
		CHECK(named <= fabric->nodes);
	for (uint32_t v = 0; v < fabric->nodes && !error.status && named; v++)
		CHECK(attributes_find(attributes, ATTRIBUTE_NODE, "desc")->value[v] == fabric->labels->desc[v]);
	find_nodes(fabric, text, length);
	fabric_free(fabric);
	attributes_free(attributes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = {0};
	struct memory_file memory = memory_file_create(data, size);
	char *text = malloc(size + 1);
	CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	int holds = recognise(memory.path, &error);
	CHECK(holds == HOLDS_GRAPH || (holds >= 0 && holds < 1 << (DUMP_LEVELS + 1)));
	name_subnet(memory.path);
	name_fabric(memory.path, text, strcspn(text, "\n"));
	free(text);
	memory_file_close(&memory);
	return 0;
}
