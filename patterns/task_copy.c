/* Adds whole graphs to others: jobs side by side, iterations one after another. */
#include "patterns/task_graph.h"

#include "fabric/service_levels.h"

static uint32_t add_operation(struct task_builder *builder, const struct task_graph *graph, const struct embedding *e, uint32_t o)
{
	uint32_t first = e->first, task = first + graph->task[o];
	task_priority(builder, e->priority >= 0 ? (uint8_t)e->priority : graph->priority ? graph->priority[o] : 0);
	task_service_level(builder, e->service_level >= 0  ? (uint8_t)e->service_level
				    : graph->service_level ? graph->service_level[o]
							   : SERVICE_LEVEL_OF_PAIR);
	task_weight(builder, e->weight > 0 ? e->weight : graph->weight ? graph->weight[o] : 1);
	switch (graph->kind[o]) {
	case OPERATION_MESSAGE: return task_message(builder, task, first + graph->receiver[o], graph->size[o]);
	case OPERATION_COMPUTE: return task_compute(builder, task, graph->size[o]);
	case OPERATION_PAUSE: return task_pause(builder, task, graph->size[o]);
	case OPERATION_READ: return task_read(builder, task, graph->size[o]);
	case OPERATION_WRITE: return task_write(builder, task, graph->size[o]);
	case OPERATION_BARRIER: return task_barrier(builder, task);
	default: return task_join(builder, task);
	}
}

uint32_t task_graph_add(struct task_builder *builder, const struct task_graph *graph, const struct embedding *embedding)
{
	const uint32_t *after = embedding->after;
	uint32_t base = task_builder_graph(builder)->operations;
	for (uint32_t o = 0; o < graph->operations && task_builder_goes_on(builder); o++) {
		uint32_t operation = add_operation(builder, graph, embedding, o);
		if (after && after[graph->task[o]] != OPERATION_NONE && (!graph->waits || !graph->waits[o]))
			task_after(builder, operation, after[graph->task[o]]);
	}
	for (uint32_t o = 0; o < graph->operations && task_builder_goes_on(builder); o++) {
		for (uint64_t i = graph->first ? graph->first[o] : 0; graph->first && i < graph->first[o + 1]; i++)
			task_after(builder, base + graph->next[i], base + o);
		for (uint64_t i = graph->first_begun ? graph->first_begun[o] : 0; graph->first_begun && i < graph->first_begun[o + 1]; i++)
			task_after_begun(builder, base + graph->next_begun[i], base + o);
	}
	task_priority(builder, 0);
	task_weight(builder, 1);
	task_service_level(builder, SERVICE_LEVEL_OF_PAIR);
	return base;
}

void task_after_graph(struct task_builder *builder, uint32_t operation, const struct task_graph *graph, uint32_t base)
{
	for (uint32_t o = 0; o < graph->operations; o++)
		if (!graph->first || graph->first[o] == graph->first[o + 1])
			task_after(builder, operation, base + o);
}
