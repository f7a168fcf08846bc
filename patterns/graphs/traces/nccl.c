/*
 * What NCCL (and RCCL) tell of their calls: the debug log (NCCL_DEBUG=INFO with the subsystems INIT, GRAPH and COLL) of all ranks, or the
 * records of the Inspector plug-in, a JSON object a line. See orcs-traces(5).
 */
#include "base/files.h"
#include "base/input.h"
#include "base/json_file.h"
#include "base/memory.h"
#include "patterns/graphs/action_files.h"
#include "patterns/graphs/traces/nccl_program.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ARG_FILE, ARG_COLLECTIVES, ARG_EAGER };

static const struct arg nccl_args[] = {
	{"FILE", ARG_WORD, NULL, 0, 0, "a debug log of NCCL, records of its Inspector (JSON), or a directory of such files"},
	{"collectives", ARG_WORD, "ring", 0, 0, "how collective operations become messages: none, simple, ring, openmpi or mpich"},
	REPLAY_ARG_EAGER("9007199254740992", " (default: none)"),
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

/* A ring line, until the end of the initialisation tells its communicator. */
struct pending {
	char thread[160];
	uint32_t channel, rank, next;
};

/* A communicator as a process knows it. */
struct known {
	char process[128];
	uint64_t pointer;
	uint32_t communicator, rank;
	uint64_t calls; /* collective operations so far */
};

struct nccl {
	struct nccl_program program;
	struct line_reader lines;
	struct error *error;
	struct pending *pending;
	size_t pendings, pending_capacity;
	struct known *known;
	size_t knowns, known_capacity;
};

static int refuse(const struct nccl *n, const char *text)
{
	return error_at(n->error, STATUS_FABRIC, input_name(n->lines.input), n->lines.number, "%s", text);
}

/* ---- the debug log */

/* Bytes of elements by the numbers of NCCL's datatypes. */
static const double sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

/* Who has written a line: "host:pid" with the device, and with the thread. */
struct writer {
	char process[128], device[150], thread[160];
};

/* Reads "host:pid:tid [gpu]" before the text. Returns whether it is there. */
static bool read_writer(const char *line, const char *text, struct writer *writer)
{
	char host[100] = "", word[128];
	unsigned long pid = 0, tid = 0, gpu = 0;
	bool found = false;
	for (const char *at = line; at < text;) {
		while (at < text && *at == ' ')
			at++;
		size_t length = strcspn(at, " ");
		if (at + length > text)
			break;
		snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), at);
		char *last = strrchr(word, ':'), *first = NULL;
		if (last) {
			*last = '\0';
			first = strrchr(word, ':');
		}
		if (first && first[1] >= '0' && first[1] <= '9' && last[1] >= '0' && last[1] <= '9') {
			*first = '\0';
			pid = strtoul(first + 1, NULL, 10);
			tid = strtoul(last + 1, NULL, 10);
			snprintf(host, sizeof host, "%.99s", strrchr(word, ':') ? strrchr(word, ':') + 1 : word);
			found = true;
		} else if (found && *at == '[' && at[1] >= '0' && at[1] <= '9') {
			gpu = strtoul(at + 1, NULL, 10);
		}
		at += length;
	}
	snprintf(writer->process, sizeof writer->process, "%.80s:%lu", host, pid);
	snprintf(writer->device, sizeof writer->device, "%s [%lu]", writer->process, gpu);
	snprintf(writer->thread, sizeof writer->thread, "%.120s:%lu", writer->device, tid);
	return found;
}

/* Reads the number that follows a word. Returns whether it is there. */
static bool number_after(const char *text, const char *word, int base, uint64_t *number)
{
	const char *at = strstr(text, word);
	char *end;
	if (!at)
		return false;
	at += strlen(word);
	*number = strtoull(at, &end, base);
	return end != at;
}

/* The rank of a device in a communicator is known when its initialisation ends. */
static int end_init(struct nccl *n, const char *text, const struct writer *writer)
{
	uint64_t pointer, rank, ranks, id, global;
	char name[60];
	if (!number_after(text, "comm 0x", 16, &pointer) || !number_after(text, " rank ", 10, &rank) ||
		!number_after(text, "nranks ", 10, &ranks))
		return 0;
	if (!ranks || ranks > 1 << 24 || rank >= ranks)
		return refuse(n, "a rank is below the number of ranks, which is at most 16777216");
	uint32_t device = nccl_device(&n->program, writer->device), same = 0;
	if (number_after(text, "commId 0x", 16, &id)) {
		snprintf(name, sizeof name, "0x%" PRIx64, id);
	} else { /* the n-th of that size of its device is one with those of the others */
		for (size_t k = 0; k < n->knowns; k++)
			same += !strcmp(n->known[k].process, writer->process) &&
				n->program.communicator[n->known[k].communicator].ranks == ranks &&
				n->program.communicator[n->known[k].communicator].device[n->known[k].rank] == device;
		snprintf(name, sizeof name, "%" PRIu32 " of %" PRIu64 " ranks", same + 1, ranks);
	}
	uint32_t communicator = device == NCCL_NONE ? NCCL_NONE : nccl_communicator(&n->program, name, (uint32_t)ranks);
	if (communicator == NCCL_NONE || array_grow(&n->known, &n->known_capacity, n->knowns + 1, sizeof *n->known, n->error))
		return -1;
	n->program.communicator[communicator].device[rank] = device;
	if (number_after(text, "globalrank ", 10, &global))
		n->program.global[device] = (int64_t)(global & INT32_MAX);
	n->known[n->knowns] = (struct known){.pointer = pointer, .communicator = communicator, .rank = (uint32_t)rank};
	snprintf(n->known[n->knowns++].process, sizeof n->known->process, "%s", writer->process);
	size_t kept = 0;
	for (size_t i = 0; i < n->pendings; i++) {
		const struct pending *ring = &n->pending[i];
		if (!strcmp(ring->thread, writer->thread) && ring->rank == rank)
			nccl_ring(&n->program, communicator, ring->channel, ring->rank, ring->next);
		else
			n->pending[kept++] = *ring;
	}
	n->pendings = kept;
	return n->error->status ? -1 : 0;
}

static int add_ring(struct nccl *n, const char *text, const struct writer *writer)
{
	uint32_t channel, before, rank, next;
	if (sscanf(text, "Ring %" SCNu32 " : %" SCNu32 " -> %" SCNu32 " -> %" SCNu32, &channel, &before, &rank, &next) != 4)
		return 0;
	if (array_grow(&n->pending, &n->pending_capacity, n->pendings + 1, sizeof *n->pending, n->error))
		return -1;
	struct pending *ring = &n->pending[n->pendings++];
	*ring = (struct pending){.channel = channel, .rank = rank, .next = next};
	snprintf(ring->thread, sizeof ring->thread, "%s", writer->thread);
	return 0;
}

static struct known *find_known(struct nccl *n, const char *process, uint64_t pointer)
{
	for (size_t k = n->knowns; k-- > 0;)
		if (n->known[k].pointer == pointer && !strcmp(n->known[k].process, process))
			return &n->known[k];
	return NULL;
}

/* Reads "AllReduce: opCount 0 ... count 1024 datatype 7 op 0 root 0 comm 0x55 ...". */
static int add_logged(struct nccl *n, const char *text, const struct writer *writer)
{
	char name[40];
	uint64_t count, datatype, root, pointer;
	struct nccl_call call = {.number = 0};
	bool all;
	const char *colon = strstr(text, ": opCount ");
	if (!colon || colon - text >= (ptrdiff_t)sizeof name)
		return 0;
	snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
	if (!nccl_operation(name, &call, &all))
		return 0;
	if (!number_after(text, " count ", 10, &count) || !number_after(text, " datatype ", 10, &datatype) ||
		!number_after(text, " root ", 10, &root) || !number_after(text, " comm 0x", 16, &pointer))
		return refuse(n, "the call has no count, datatype, root or comm");
	if (datatype >= sizeof sizes / sizeof *sizes)
		return refuse(n, "the call has a datatype that is not known");
	struct known *known = find_known(n, writer->process, pointer);
	if (!known)
		return refuse(n,
			"the log has no line 'Init COMPLETE' of the call's communicator: it needs NCCL_DEBUG_SUBSYS=INIT,GRAPH,COLL from the beginning");
	if (call.kind != NCCL_COLLECTIVE || (call.collective != COLLECTIVE_BCAST && call.collective != COLLECTIVE_REDUCE &&
						    call.collective != COLLECTIVE_GATHER && call.collective != COLLECTIVE_SCATTER))
		root = call.kind == NCCL_COLLECTIVE ? 0 : root;
	if (root >= n->program.communicator[known->communicator].ranks)
		return refuse(n, "the communicator does not have the root, or the peer, of the call");
	call.communicator = known->communicator;
	call.rank = known->rank;
	call.peer = (uint32_t)root;
	call.bytes = (double)count * sizes[datatype];
	if (call.kind == NCCL_COLLECTIVE)
		call.number = known->calls++;
	nccl_add(&n->program, call);
	return n->error->status ? -1 : 0;
}

static int read_log_line(struct nccl *n, const char *line)
{
	const char *text = strstr(line, "NCCL INFO ");
	struct writer writer;
	uint64_t algorithm;
	if (!text || !read_writer(line, text, &writer))
		return 0;
	text += strlen("NCCL INFO ");
	if (strstr(text, "Init COMPLETE"))
		return end_init(n, text, &writer);
	if (!strncmp(text, "Ring ", 5))
		return add_ring(n, text, &writer);
	n->program.trees += strstr(text, "-> Algo TREE") || (number_after(text, "-> Algo ", 10, &algorithm) && algorithm == 0);
	return add_logged(n, text, &writer);
}

/* ---- Inspector */

static int read_record(struct nccl *n, const char *line, size_t length)
{
	struct error error = {0};
	cJSON *record = json_parse(line, length, input_name(n->lines.input), STATUS_FABRIC, &error);
	if (!record)
		return refuse(n, "the line is not a JSON object");
	const cJSON *header = json_member(record, "header"), *metadata = json_member(record, "metadata");
	const cJSON *collective = json_member(record, "coll_perf"), *message = json_member(record, "p2p_perf");
	const cJSON *body = collective ? collective : message;
	double rank = json_number(header, "rank"), ranks = json_number(header, "n_ranks");
	double bytes = json_number(body, collective ? "coll_msg_size_bytes" : "p2p_msg_size_bytes");
	double number = json_number(body, collective ? "coll_sn" : "p2p_sn"), peer = json_number(body, "p2p_peer"),
	       pid = json_number(metadata, "pid");
	struct nccl_call call = {.number = 0};
	char device[200];
	bool all = false;
	const cJSON *id = json_member(header, "id");
	char name[100];
	snprintf(name, sizeof name, "%.*g", 17, cJSON_IsNumber(id) ? id->valuedouble : 0);
	snprintf(device, sizeof device, "%.100s:%.0f", json_string(metadata, "hostname"), pid >= 0 ? pid : rank);
	int result = 0;
	if (!body)
		;
	else if (!(rank >= 0 && rank < ranks && ranks <= 1 << 24))
		result = refuse(n, "header has no rank below n_ranks");
	else if (!nccl_operation(json_string(body, collective ? "coll" : "p2p"), &call, &all))
		result = refuse(n, "the operation is not known");
	else if (!(bytes >= 0 && number >= 0) || (message && !(peer >= 0 && peer < ranks)))
		result = refuse(n, "the record has no size, no number (coll_sn, p2p_sn), or no peer of the communicator");
	else {
		uint32_t owner = nccl_device(&n->program, device);
		call.communicator = nccl_communicator(&n->program, cJSON_IsString(id) ? id->valuestring : name, (uint32_t)ranks);
		if (!n->error->status) {
			n->program.communicator[call.communicator].device[(uint32_t)rank] = owner;
			call.rank = (uint32_t)rank;
			call.peer = message ? (uint32_t)peer : 0;
			call.number = (uint64_t)number;
			call.bytes = all ? bytes / ranks : bytes;
			nccl_add(&n->program, call);
		}
	}
	cJSON_Delete(record);
	return result || n->error->status ? -1 : 0;
}

/* ---- the files */

static int read_file(struct nccl *n, const char *path)
{
	size_t length;
	if (!strcmp(path, "-") && input_rewind_standard(n->error))
		return -1;
	if (!line_reader_open(&n->lines, path, LINE_LONGEST, n->error))
		for (char *line; (line = line_reader_next(&n->lines, &length, n->error));) {
			const char *text = line + strspn(line, " \t");
			if (*text == '{' ? read_record(n, text, length - (size_t)(text - line)) : read_log_line(n, line))
				break;
		}
	line_reader_close(&n->lines);
	return n->error->status ? -1 : 0;
}

/* Reads the file, or all of a directory. Returns 0, or -1; call clear() in either case. */
static int read_all(struct nccl *n, const char *path)
{
	struct stat about;
	struct action_files paths = {0};
	n->program.error = n->error;
	if (!strcmp(path, "-") || stat(path, &about) || !S_ISDIR(about.st_mode)) {
		read_file(n, path);
	} else if (!action_files_list(&paths, path, n->error)) {
		for (size_t i = 0; i < paths.count && !read_file(n, paths.list[i]); i++)
			;
	}
	action_files_clear(&paths);
	if (!n->error->status && !n->program.communicators)
		error_at(n->error, STATUS_FABRIC, path, 0,
			"it has neither lines 'NCCL INFO ... Init COMPLETE' nor records of NCCL's Inspector");
	if (!n->error->status)
		nccl_complete(&n->program);
	return n->error->status ? -1 : 0;
}

static void clear(struct nccl *n)
{
	nccl_clear(&n->program);
	free(n->pending);
	free(n->known);
}

static int nccl_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct nccl nccl = {.error = error};
	read_all(&nccl, args[ARG_FILE].text);
	*tasks = error->status ? 0 : nccl_tasks(&nccl.program);
	clear(&nccl);
	return error->status ? -1 : 0;
}

static int nccl_files(const struct arg_value *args, struct files *files, struct error *error)
{
	return files_read(files, args[ARG_FILE].text, error);
}

static int nccl_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct nccl nccl = {.error = error};
	struct replay_options options;
	if (replay_options_read(&options, &task->args[ARG_COLLECTIVES], &task->args[ARG_EAGER], "nccl", error))
		return -1;
	options.incomplete = true; /* messages of ranks whose log is missing */
	struct replay *replay = replay_create(builder, task->tasks, &options, error);
	if (replay && !read_all(&nccl, task->args[ARG_FILE].text)) {
		replay_place(replay, task->args[ARG_FILE].text, 0);
		if (!nccl_replay(&nccl.program, replay, builder, options.collectives))
			replay_end(replay);
	}
	replay_free(replay);
	clear(&nccl);
	return error->status ? -1 : 0;
}

const struct pattern pattern_nccl = {
	.name = "nccl",
	.summary = "the calls in a debug log of NCCL or RCCL, or in records of NCCL's Inspector",
	.source = "orcs-traces(5)",
	.args = nccl_args,
	.ordered = true,
	.phases = true,
	.count = nccl_count,
	.files = nccl_files,
	.build = nccl_build,
};
