/*
 * Traces of the Open Trace Format 2 (Score-P and others), by the library libotf2: definitions of all, then the events of one rank after
 * another. See orcs-traces(5).
 */
#include "patterns/graphs/traces/otf2_trace.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include "base/files.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARG_ANCHOR, ARG_COLLECTIVES, ARG_EAGER, ARG_COMPUTE };

static const struct arg otf2_args[] = {
	{"ANCHOR", ARG_WORD, NULL, 0, 0, "the anchor file of a trace (.otf2), beside its .def and its directory"},
	REPLAY_ARG_COLLECTIVES,
	REPLAY_ARG_EAGER("65536", ""),
	REPLAY_ARG_COMPUTE(""),
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

static int otf2_files(const struct arg_value *args, struct files *files, struct error *error)
{
	return files_read(files, args[ARG_ANCHOR].text, error);
}

#ifdef HAVE_OTF2
static int refuse(struct otf2 *o, const char *text, uint64_t number)
{
	return error_at(o->error, STATUS_FABRIC, o->path, 0, "%s %" PRIu64, text, number);
}

/* The library would print; what fails is told by the results of its functions. */
static OTF2_ErrorCode say_nothing(
	void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code, const char *format, va_list list)
{
	(void)data, (void)file, (void)line, (void)function, (void)format, (void)list;
	return code;
}

static int read_definitions(struct otf2 *o)
{
	uint64_t read;
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(o->reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = otf2_definition_callbacks();
	OTF2_ErrorCode code =
		definitions ? OTF2_Reader_RegisterGlobalDefCallbacks(o->reader, definitions, callbacks, o) : OTF2_ERROR_INVALID;
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (code || OTF2_Reader_ReadAllGlobalDefinitions(o->reader, definitions, &read))
		return error_at(o->error, STATUS_FABRIC, o->path, 0, "the definitions (.def) of the trace cannot be read");
	otf2_find_ranks(o);
	if (!o->ranks || !o->ranks->count)
		return error_at(o->error, STATUS_FABRIC, o->path, 0, "the trace has no ranks of MPI");
	return o->resolution ? 0 : error_at(o->error, STATUS_FABRIC, o->path, 0, "the trace has no clock");
}

/* Opens what the library wants to know before it reads events: the locations, and their own definitions. */
static int open_locations(struct otf2 *o)
{
	uint64_t read;
	for (uint32_t r = 0; r < o->ranks->count; r++)
		OTF2_Reader_SelectLocation(o->reader, o->ranks->member[r]);
	bool local = !OTF2_Reader_OpenDefFiles(o->reader);
	OTF2_Reader_OpenEvtFiles(o->reader);
	for (uint32_t r = 0; local && r < o->ranks->count; r++) {
		OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(o->reader, o->ranks->member[r]);
		if (definitions) {
			OTF2_Reader_ReadAllLocalDefinitions(o->reader, definitions, &read);
			OTF2_Reader_CloseDefReader(o->reader, definitions);
		}
	}
	if (local)
		OTF2_Reader_CloseDefFiles(o->reader);
	return 0;
}

static int read_rank(struct otf2 *o, OTF2_EvtReaderCallbacks *callbacks, uint32_t rank)
{
	uint64_t read;
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(o->reader, o->ranks->member[rank]);
	o->at = rank;
	o->inside = o->off = o->begun = o->gap_noted = false;
	o->last = 0;
	replay_at(o->replay, rank, 0);
	if (!events || OTF2_Reader_RegisterEvtCallbacks(o->reader, events, callbacks, o))
		return refuse(o, "the events are missing of rank", rank);
	OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalEvents(o->reader, events, &read);
	OTF2_Reader_CloseEvtReader(o->reader, events);
	replay_wait(o->replay);
	return code && !o->error->status ? refuse(o, "the events cannot be read of rank", rank) : o->error->status ? -1 : 0;
}

static void add_notes(const struct otf2 *o, struct task_builder *builder)
{
	if (o->gaps)
		task_note(builder, "the measurement was off for a time on %" PRIu64 " ranks: what happened meanwhile is not in the trace",
			o->gaps);
	if (o->uneven)
		task_note(builder,
			"%" PRIu64 " calls of collective operations with counts have only the sum of their bytes, which is divided evenly",
			o->uneven);
	if (o->backward)
		task_note(builder, "%" PRIu64 " events begin before the one before them has ended: clocks go back", o->backward);
}

/* Opens the trace and reads its definitions. Returns 0, or -1; call close_trace() in either case. */
static int open_trace(struct otf2 *o, const char *path)
{
	OTF2_Error_RegisterCallback(say_nothing, NULL);
	o->path = path;
	o->reader = OTF2_Reader_Open(path);
	if (!o->reader)
		return error_at(o->error, STATUS_FABRIC, path, 0, "the file is not the anchor file (.otf2) of a trace of OTF2");
	OTF2_Reader_SetSerialCollectiveCallbacks(o->reader);
	return read_definitions(o);
}

static void close_trace(struct otf2 *o)
{
	if (o->reader)
		OTF2_Reader_Close(o->reader);
	for (size_t g = 0; g < o->groups; g++)
		free(o->group[g].member);
	free(o->group);
	free(o->region);
	free(o->communicator);
	free(o->window);
}

static int otf2_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct otf2 otf2 = {.error = error};
	open_trace(&otf2, args[ARG_ANCHOR].text);
	*tasks = otf2.ranks ? otf2.ranks->count : 0;
	close_trace(&otf2);
	return error->status ? -1 : 0;
}

static int otf2_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct otf2 otf2 = {.error = error};
	struct replay_options options;
	if (replay_options_read(&options, &task->args[ARG_COLLECTIVES], &task->args[ARG_EAGER], "otf2", error) ||
		replay_compute_read(&options.compute, &task->args[ARG_COMPUTE], false, "otf2", error) ||
		!(otf2.replay = replay_create(builder, task->tasks, &options, error)))
		return -1;
	/* handles that no communicator of the trace has */
	replay_world(otf2.replay, UINT64_MAX);
	replay_self(otf2.replay, UINT64_MAX - 1);
	if (!open_trace(&otf2, task->args[ARG_ANCHOR].text) && !open_locations(&otf2)) {
		OTF2_EvtReaderCallbacks *callbacks = otf2_event_callbacks();
		replay_place(otf2.replay, otf2.path, 0);
		for (uint32_t r = 0; r < task->tasks && !read_rank(&otf2, callbacks, r); r++)
			if (task_builder_check(builder, error))
				break;
		OTF2_EvtReaderCallbacks_Delete(callbacks);
	}
	if (!error->status) {
		replay_incomplete(otf2.replay, otf2.gaps);
		add_notes(&otf2, builder);
		replay_end(otf2.replay);
	}
	close_trace(&otf2);
	replay_free(otf2.replay);
	return error->status ? -1 : 0;
}

#else

static int refuse_without(struct error *error)
{
	return error_set(error, STATUS_USAGE,
		"this orcs was built without libotf2 and cannot read traces of OTF2: install it (Debian: libotf2-trace-dev) and build again");
}

static int otf2_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	(void)args;
	*tasks = 0;
	return refuse_without(error);
}

static int otf2_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)task, (void)builder;
	return refuse_without(error);
}

#endif

const struct pattern pattern_otf2 = {
	.name = "otf2",
	.summary = "a trace of an MPI program in the Open Trace Format 2 (Score-P)",
	.source = "orcs-traces(5)",
	.args = otf2_args,
	.ordered = true,
	.phases = true,
	.count = otf2_count,
	.files = otf2_files,
	.build = otf2_build,
};
