/*
 * Execution traces of Chakra (MLCommons; ASTRA-sim): a file for each NPU with messages of Protocol Buffers, each behind its length:
 * metadata, then the nodes of a graph. See orcs-traces(5).
 */
#include "base/files.h"
#include "base/input.h"
#include "base/json_file.h"
#include "base/memory.h"
#include "patterns/graphs/replay/replay.h"
#include "patterns/graphs/traces/chakra_nodes.h"
#include "patterns/graphs/traces/rank_files.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARG_PREFIX, ARG_COLLECTIVES, ARG_EAGER, ARG_COMPUTE };

static const struct arg chakra_args[] = {
	{"PREFIX", ARG_WORD, NULL, 0, 0, "PREFIX.0.et, PREFIX.1.et and so on, and PREFIX.json with the members of process groups"},
	REPLAY_ARG_COLLECTIVES,
	REPLAY_ARG_EAGER("9007199254740992", " (default: none)"),
	REPLAY_ARG_COMPUTE(""),
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

/* ---- files */

static char *path_of(const char *prefix, uint32_t rank, struct error *error)
{
	char *path;
	if (asprintf(&path, "%s.%" PRIu32 ".et", prefix, rank) >= 0)
		return path;
	error_set(error, STATUS_IO, "out of memory");
	return NULL;
}

static int chakra_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	*tasks = 0;
	while (*tasks < RANK_FILES_MAX && rank_file_is("%s.%" PRIu32 ".et", args[ARG_PREFIX].text, *tasks))
		++*tasks;
	return *tasks ? 0 : error_at(error, STATUS_IO, args[ARG_PREFIX].text, 0, "there is no file %s.0.et", args[ARG_PREFIX].text);
}

static int chakra_files(const struct arg_value *args, struct files *files, struct error *error)
{
	struct error own = {0};
	uint32_t ranks = 0;
	char *path;
	chakra_count(args, &ranks, &own);
	if (rank_file_is("%s.json", args[ARG_PREFIX].text) && asprintf(&path, "%s.json", args[ARG_PREFIX].text) >= 0) {
		files_read(files, path, error);
		free(path);
	}
	for (uint32_t r = 0; r < ranks && !error->status && (path = path_of(args[ARG_PREFIX].text, r, error)); r++) {
		files_read(files, path, error);
		free(path);
	}
	return error->status ? -1 : 0;
}

/* A node of the current rank, by its id. */
struct known {
	uint64_t id;
	uint32_t entry, end; /* the join before it, which its dependencies go to; the operation of its end, OPERATION_NONE: none */
};

struct chakra {
	struct replay *replay;
	struct task_builder *builder;
	struct error *error;
	const char *path;
	const uint8_t *begin;
	uint32_t rank, ranks;
	struct known *known;
	size_t knowns, known_capacity;
	struct chakra_dependencies dependencies;
	cJSON *groups;                 /* NULL: none */
	uint32_t *members;             /* [groups] number of members */
	double *count;                 /* [ranks] */
	uint64_t collectives, unknown; /* collective operations; those without type or size */
	uint64_t untimed;              /* computations without a duration */
};

static int refuse(const struct chakra *c, const uint8_t *at, const char *text)
{
	return error_set(c->error, STATUS_FABRIC, "%s: byte %zu: %s", c->path, (size_t)(at - c->begin), text);
}

/* ---- process groups */

static int64_t group_of(struct chakra *c, const struct chakra_node *node, uint32_t *members)
{
	char name[100];
	size_t length = (size_t)(node->group.end - node->group.at);
	*members = c->ranks;
	if (!node->group.at || !length)
		return 0;
	snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), (const char *)node->group.at);
	int64_t number = 0;
	for (const cJSON *group = c->groups ? c->groups->child : NULL; group; group = group->next, number++)
		if (!strcmp(group->string, name)) {
			*members = c->members[number];
			return number + 2;
		}
	return refuse(c, node->group.at, "the members of its process group (pg_name) are not in PREFIX.json, as {\"0\": [0, 1], ...}");
}

/* Reads PREFIX.json, if it is there, and defines its groups. */
static int read_groups(struct chakra *c, const char *prefix)
{
	char path[4200];
	if (!rank_file_is("%s.json", prefix))
		return 0;
	snprintf(path, sizeof path, "%s.json", prefix);
	c->groups = json_file_read(path, c->error);
	uint32_t groups = c->groups ? (uint32_t)cJSON_GetArraySize(c->groups) : 0, number = 0;
	uint32_t *member = array_create(c->ranks, sizeof *member, c->error);
	c->members = array_create(groups, sizeof *c->members, c->error);
	for (const cJSON *group = groups && c->members ? c->groups->child : NULL; group && member && !c->error->status;
		group = group->next) {
		uint32_t count = 0;
		const cJSON *entry;
		if (!cJSON_IsArray(group) || !group->string || cJSON_GetArraySize(group) > (int64_t)c->ranks) {
			error_at(c->error, STATUS_FABRIC, path, 0, "a process group is a list of at most %" PRIu32 " ranks", c->ranks);
			break;
		}
		cJSON_ArrayForEach(entry, group)
		{
			double rank = cJSON_IsNumber(entry) ? entry->valuedouble : -1;
			if (!(rank >= 0 && rank < c->ranks)) {
				error_at(c->error, STATUS_FABRIC, path, 0, "group \"%.60s\" has a member that is not a rank below %" PRIu32,
					group->string, c->ranks);
				break;
			}
			member[count++] = (uint32_t)rank;
		}
		c->members[number++] = count;
		if (!c->error->status)
			replay_define(c->replay, number + 1, member, count, NULL, 0);
	}
	free(member);
	return c->error->status ? -1 : 0;
}

/* ---- the graph */

/* The operations by the numbers of Chakra; blocks of those whose size is that of all blocks together. */
static const struct {
	const char *name;
	enum collective collective;
	bool all; /* the size is that of all blocks of a rank */
} operations[] = {
	{"all_reduce", COLLECTIVE_ALLREDUCE, false},
	{"reduce", COLLECTIVE_REDUCE, false},
	{"all_gather", COLLECTIVE_ALLGATHER, false},
	{"gather", COLLECTIVE_GATHER, false},
	{"scatter", COLLECTIVE_SCATTER, true},
	{"broadcast", COLLECTIVE_BCAST, false},
	{"all_to_all", COLLECTIVE_ALLTOALL, true},
	{"reduce_scatter", COLLECTIVE_REDUCESCATTER, true},
	{"reduce_scatter_block", COLLECTIVE_REDUCESCATTER, true},
	{"barrier", COLLECTIVE_BARRIER, false},
};
enum { OPERATIONS = sizeof operations / sizeof *operations, BARRIER = OPERATIONS - 1 };

static void add_collective(struct chakra *c, const struct chakra_node *node)
{
	int64_t type = node->given[COMM_TYPE] ? node->attribute[COMM_TYPE] : 0;
	uint32_t members;
	c->collectives++;
	if ((!node->given[COMM_TYPE] && !node->given[COMM_SIZE]) || type < 0 || type >= OPERATIONS ||
		(type != BARRIER && node->attribute[COMM_SIZE] < 0)) {
		c->unknown++;
		return;
	}
	int64_t group = group_of(c, node, &members);
	if (group < 0)
		return;
	double size = type == BARRIER ? 0 : (double)node->attribute[COMM_SIZE];
	struct replay_collective call = {.name = operations[type].name,
		.collective = operations[type].collective,
		.communicator = (replay_handle)group,
		.root = node->attribute[COMM_ROOT] > 0 ? (uint32_t)node->attribute[COMM_ROOT] : 0,
		.bytes = size,
		.datatype = 1};
	if (operations[type].all) { /* the first blocks have the bytes that are left over */
		uint64_t bytes = (uint64_t)node->attribute[COMM_SIZE];
		for (uint32_t r = 0; r < members; r++)
			c->count[r] = (double)(bytes / members + (r < bytes % members));
		call.count = c->count;
		call.counts = (uint32_t)members;
		call.bytes = c->count[0];
		call.collective = call.collective == COLLECTIVE_ALLTOALL  ? COLLECTIVE_ALLTOALLV
				  : call.collective == COLLECTIVE_SCATTER ? COLLECTIVE_SCATTERV
									  : call.collective;
	}
	replay_collective(c->replay, &call);
}

static void add_message(struct chakra *c, const struct chakra_node *node, const uint8_t *at)
{
	bool receive = node->type == NODE_RECEIVE;
	int64_t peer = node->attribute[receive ? COMM_SOURCE : COMM_DESTINATION];
	char text[120];
	if (peer < 0 || peer >= c->ranks || node->attribute[COMM_SIZE] < 0) {
		snprintf(text, sizeof text, "a node %s rank %" PRId64 "; there are files of %" PRIu32 " ranks",
			receive ? "receives from" : "sends to", peer, c->ranks);
		refuse(c, at, text);
		return;
	}
	const struct replay_message message = {
		.peer = peer, .tag = (uint32_t)node->attribute[COMM_TAG], .bytes = (double)node->attribute[COMM_SIZE]};
	if (receive) {
		replay_receive(c->replay, &message, NULL);
	} else { /* the node ends when the message has arrived */
		replay_send(c->replay, &message);
		replay_go_on_from(c->replay, task_builder_graph(c->builder)->operations - 1);
	}
}

/* Adds the operations of a node. */
static int add_node(struct chakra *c, const struct chakra_node *node, const uint8_t *at)
{
	struct known known = {.id = node->id, .entry = task_join(c->builder, c->rank)};
	replay_go_on_from(c->replay, known.entry);
	if (node->type == NODE_SEND || node->type == NODE_RECEIVE)
		add_message(c, node, at);
	else if (node->type == NODE_COLLECTIVE)
		add_collective(c, node);
	else
		replay_compute(c->replay, (double)node->duration / 1e6);
	c->untimed += node->type == NODE_COMPUTE && !node->duration;
	known.end = replay_point(c->replay);
	if (c->error->status || array_grow(&c->known, &c->known_capacity, c->knowns + 1, sizeof *c->known, c->error))
		return -1;
	c->known[c->knowns++] = known;
	return 0;
}

static int compare_ids(const void *left, const void *right)
{
	const struct known *a = left, *b = right;
	return (a->id > b->id) - (a->id < b->id);
}

static const struct known *find_node(const struct chakra *c, uint64_t id)
{
	if (!c->knowns)
		return NULL;
	return bsearch(&(struct known){.id = id}, c->known, c->knowns, sizeof *c->known, compare_ids);
}

/* Makes the nodes of the rank wait for those that they depend on. */
static int add_dependencies(struct chakra *c)
{
	char text[100];
	if (c->knowns)
		qsort(c->known, c->knowns, sizeof *c->known, compare_ids);
	for (size_t i = 1; i < c->knowns; i++)
		if (c->known[i - 1].id == c->known[i].id) {
			snprintf(text, sizeof text, "two nodes have the id %" PRIu64, c->known[i].id);
			return error_at(c->error, STATUS_FABRIC, c->path, 0, "%s", text);
		}
	for (size_t i = 0; i < c->dependencies.count; i++) {
		const struct known *node = find_node(c, c->dependencies.list[i].id), *other = find_node(c, c->dependencies.list[i].other);
		if (!node || !other)
			return error_at(c->error, STATUS_FABRIC, c->path, 0,
				"node %" PRIu64 " depends on node %" PRIu64 ", which is missing", c->dependencies.list[i].id,
				c->dependencies.list[i].other);
		task_after(c->builder, node->entry, other->end);
	}
	return 0;
}

static int read_nodes(struct chakra *c, struct chakra_bytes file)
{
	struct chakra_bytes content;
	if (!chakra_bytes_read(&file, &content))
		return refuse(c, c->begin, "the file is not a Chakra trace: it has no metadata");
	while (file.at < file.end) {
		const uint8_t *at = file.at;
		struct chakra_node node = {.id = 0};
		size_t first = c->dependencies.count;
		if (!chakra_bytes_read(&file, &content) || !chakra_node_read(content, &node, &c->dependencies, c->error))
			return c->error->status ? -1 : refuse(c, at, "the node that begins here is cut off or damaged");
		for (size_t i = first; i < c->dependencies.count; i++)
			c->dependencies.list[i].id = node.id;
		if (add_node(c, &node, at) || task_builder_check(c->builder, c->error))
			return -1;
	}
	return add_dependencies(c);
}

static int read_rank(struct chakra *c, const char *path, uint32_t rank)
{
	size_t length;
	char *text = input_text(path, &length, c->error);
	c->path = path;
	c->rank = rank;
	c->begin = (const uint8_t *)text;
	c->knowns = c->dependencies.count = 0;
	replay_at(c->replay, rank, 0);
	replay_place(c->replay, path, 0);
	if (text)
		read_nodes(c, (struct chakra_bytes){c->begin, c->begin + length});
	free(text);
	return c->error->status ? -1 : 0;
}

static int chakra_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct chakra c = {.error = error, .builder = builder, .ranks = task->tasks};
	struct replay_options options;
	const char *prefix = task->args[ARG_PREFIX].text;
	if (replay_options_read(&options, &task->args[ARG_COLLECTIVES], &task->args[ARG_EAGER], "chakra", error) ||
		replay_compute_read(&options.compute, &task->args[ARG_COMPUTE], false, "chakra", error) ||
		!(c.replay = replay_create(builder, task->tasks, &options, error)))
		return -1;
	c.count = array_create(task->tasks, sizeof *c.count, error);
	char **path = array_create(task->tasks, sizeof *path, error);
	if (!error->status && !read_groups(&c, prefix))
		for (uint32_t r = 0; r < task->tasks && !error->status; r++)
			if ((path[r] = path_of(prefix, r, error)))
				read_rank(&c, path[r], r);
	if (!error->status && task->tasks == 1 && c.collectives > c.unknown)
		task_note(builder, "there is the file of one rank only: %" PRIu64 " collective operations have no partners",
			c.collectives - c.unknown);
	if (!error->status && c.unknown)
		task_note(builder, "%" PRIu64 " of %" PRIu64 " collective operations have no type or size and are left out", c.unknown,
			c.collectives);
	if (!error->status && c.untimed)
		task_note(builder, "%" PRIu64 " computations have no duration and take no time", c.untimed);
	if (!error->status)
		replay_end(c.replay);
	for (uint32_t r = 0; path && r < task->tasks; r++)
		free(path[r]);
	free(path);
	free(c.count);
	free(c.members);
	free(c.known);
	free(c.dependencies.list);
	cJSON_Delete(c.groups);
	replay_free(c.replay);
	return error->status ? -1 : 0;
}

const struct pattern pattern_chakra = {
	.name = "chakra",
	.summary = "an execution trace of AI training by Chakra (MLCommons, ASTRA-sim)",
	.source = "orcs-traces(5)",
	.args = chakra_args,
	.ordered = true,
	.phases = true,
	.count = chakra_count,
	.files = chakra_files,
	.build = chakra_build,
};
