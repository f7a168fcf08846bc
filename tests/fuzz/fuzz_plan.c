/* Any bytes as a list of planned cables, for a small fabric with a director; every difference is one of the plan, or of the fabric. */
#include "target.h"
#include "tools/check/cable_plan.h"

static const char graph[] =
	"digraph { H1 [guid=\"0x101\", desc=\"node01 HCA-1\"]; H2 [guid=\"0x102\", desc=\"node02 mlx5_0\"]; S1 [guid=\"0x10\", "
	"desc=\"MF0;leaf-1:MQM8700/U1\"]; S2 [guid=\"0x20\", desc=\"MF0;dir-A:MCS8500/L01/U1\"]; S3 [desc=\"MF0;dir-A:MCS8500/S01/U1\"];"
	"edge [speed=200, width=\"4x\", port=1, peer_port=1]; H1 -> S1; S1 -> H1; edge [port=2, peer_port=2]; S1 -> S2; S2 -> S1;"
	"edge [port=3, peer_port=3]; S2 -> S3; S3 -> S2; edge [port=1, peer_port=4]; H2 -> S2; edge [port=4, peer_port=1]; S2 -> H2 }";

static void check_plan(const struct cable_plan *plan)
{
	uint32_t differing = 0;
	for (int kind = 0; kind < PLAN_KINDS; kind++)
		differing += plan->count[kind];
	CHECK(differing == plan->differences);
	CHECK(plan->as_planned + differing - plan->count[PLAN_UNPLANNED] == plan->planned.cables);
	for (uint32_t i = 0; i < plan->differences; i++) {
		const struct plan_difference *d = &plan->difference[i];
		CHECK(d->planned == NONE || d->planned < plan->planned.cables);
		CHECK(d->found == NONE || d->found < plan->found.cables);
		CHECK(d->cost.share >= 0 && d->cost.share <= 1);
		CHECK(!i || d->cost.share <= d[-1].cost.share);
	}
	for (uint32_t c = 0; c < plan->planned.cables; c++)
		for (int i = 0; i < 2; i++)
			CHECK(plan->planned.cable[c].end[i].node < plan->nodes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = {0};
	struct memory_file memory = memory_file_create(data, size);
	struct dot_memory text = {graph, strlen(graph)};
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report report;
	CHECK(!dot_load_text(
		&(struct dot_text){dot_read_memory, &text, "graph"}, DOT_KEEP, &fabric, &forwarding, &attributes, &report, &error));
	uint32_t *reverse = fabric_reverse(fabric, &error);
	struct fabric_file file = {memory.path, DUMPS_ANY};
	struct fabric_source source = {.file = &file, .files = 1, .name = memory.path, .unrecognised = true};
	struct cable_plan plan = {0};
	const struct cabled_fabric from = {.fabric = fabric, .reverse = reverse, .attributes = attributes};
	if (cable_plan_compare(&plan, &source, NULL, NULL, &from, 2, &error))
		check_refused(&error, REFUSED_FABRIC);
	else
		check_plan(&plan);
	cable_plan_clear(&plan);
	free(reverse);
	fabric_free(fabric);
	attributes_free(attributes);
	memory_file_close(&memory);
	return 0;
}
