/*
 * Any bytes as the definitions and events of an OTF2 trace of two ranks: the library writes them and reads them again, so that what is
 * tried is how the reader takes records, not the library. Each record has four bytes, see write_event(); the first eight bytes are of the
 * definitions.
 */
#include "task_graph_checks.h"
#include "target.h"
#include "patterns/workload.h"

#ifdef HAVE_OTF2
#include <otf2/otf2.h>

enum { RANKS = 2, RECORD = 4, DEFINITIONS = 8, WORLD = 0, SELF = 1, PART = 2, BETWEEN = 3, COMMUNICATORS = 4, CALL = 0, OTHER = 1 };

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

/* One-sided communication, of a window that may not be defined. */
static void write_access(OTF2_EvtWriter *writer, uint64_t time, uint8_t kind, uint32_t peer, uint64_t bytes)
{
	OTF2_RmaWinRef window = kind % 4;
	switch (kind / 4 % 8) {
	case 0: OTF2_EvtWriter_RmaPut(writer, NULL, time, window, peer, bytes, 1); break;
	case 1: OTF2_EvtWriter_RmaGet(writer, NULL, time, window, peer, bytes, 1); break;
	case 2: OTF2_EvtWriter_RmaAtomic(writer, NULL, time, window, peer, OTF2_RMA_ATOMIC_TYPE_SWAP, bytes, bytes / 2, 1); break;
	case 3: OTF2_EvtWriter_RmaOpCompleteBlocking(writer, NULL, time, window, 1); break;
	case 4: OTF2_EvtWriter_RmaOpCompleteRemote(writer, NULL, time, window, 1); break;
	default:
		OTF2_EvtWriter_RmaCollectiveEnd(
			writer, NULL, time, OTF2_COLLECTIVE_OP_BARRIER, OTF2_RMA_SYNC_LEVEL_MEMORY, window, 0, bytes, bytes);
	}
}

/* A record: what happens and when, its communicator and peer, its tag and request, its bytes. */
static void write_event(OTF2_EvtWriter *writer, uint64_t *time, const uint8_t *record)
{
	uint32_t communicator = record[1] % (COMMUNICATORS + 1), peer = record[1] / 8 % 4, tag = record[2] % 4;
	uint64_t request = record[2] / 4 % 8, bytes = (uint64_t)record[3] * record[3] * 7;
	*time += record[0] / 16 == 15 ? (uint64_t)-3 : record[0] / 16;
	switch (record[0] % 16) {
	case 0: OTF2_EvtWriter_Enter(writer, NULL, *time, record[1] % 2); break;
	case 1: OTF2_EvtWriter_Leave(writer, NULL, *time, record[1] % 2); break;
	case 2: OTF2_EvtWriter_MpiSend(writer, NULL, *time, peer, communicator, tag, bytes); break;
	case 3: OTF2_EvtWriter_MpiIsend(writer, NULL, *time, peer, communicator, tag, bytes, request); break;
	case 4: OTF2_EvtWriter_MpiIsendComplete(writer, NULL, *time, request); break;
	case 5: OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, *time, request); break;
	case 6: OTF2_EvtWriter_MpiRecv(writer, NULL, *time, peer, communicator, tag, bytes); break;
	case 7: OTF2_EvtWriter_MpiIrecv(writer, NULL, *time, peer, communicator, tag, bytes, request); break;
	case 8:
		if (record[1] >= 128) {
			write_access(writer, *time, record[1], peer, bytes);
			break;
		}
		OTF2_EvtWriter_MpiRequestCancelled(writer, NULL, *time, request);
		break;
	case 9: OTF2_EvtWriter_MeasurementOnOff(writer, NULL, *time, record[1] % 2 ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF); break;
	case 10: OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, *time); break;
	default:
		OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, *time, (OTF2_CollectiveOp)(record[2] % 32), communicator,
			peer < 3 ? peer : OTF2_COLLECTIVE_ROOT_SELF, bytes, 7 * bytes);
	}
}

static void write_rank(OTF2_Archive *archive, int rank, const uint8_t *data, size_t size)
{
	uint64_t time = 1000;
	OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)rank);
	for (size_t i = 0; i + RECORD + 1 <= size; i += RECORD + 1)
		if (data[i] % RANKS == rank)
			write_event(writer, &time, data + i + 1);
	OTF2_Archive_CloseEvtWriter(archive, writer);
}

static void write_definitions(OTF2_Archive *archive, const uint8_t *d, uint64_t events)
{
	const uint64_t all[] = {0, 1}, part[] = {d[1] % 3, d[2] % 3}, other[] = {d[3] % 3};
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(archive);
	OTF2_GlobalDefWriter_WriteClockProperties(w, d[0] % 4 ? 1000000000 : d[0], 0, 10000, OTF2_UNDEFINED_TIMESTAMP);
	OTF2_GlobalDefWriter_WriteString(w, 0, "");
	OTF2_GlobalDefWriter_WriteString(w, 1, "MPI_Call");
	OTF2_GlobalDefWriter_WriteRegion(w, CALL, 1, 1, 0, OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0, 0, 0, 0);
	OTF2_GlobalDefWriter_WriteRegion(w, OTHER, 0, 0, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER, 0, 0, 0, 0);
	OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		OTF2_GlobalDefWriter_WriteLocationGroup(w, rank, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
		OTF2_GlobalDefWriter_WriteLocation(w, rank, 0, OTF2_LOCATION_TYPE_CPU_THREAD, events, rank);
	}
	OTF2_GlobalDefWriter_WriteGroup(w, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, RANKS, all);
	OTF2_GlobalDefWriter_WriteGroup(w, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, RANKS, all);
	OTF2_GlobalDefWriter_WriteGroup(w, 2, 0, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0, NULL);
	OTF2_GlobalDefWriter_WriteGroup(w, 3, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, d[4] % 3, part);
	OTF2_GlobalDefWriter_WriteGroup(w, 4, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, d[5] % 2, other);
	OTF2_GlobalDefWriter_WriteComm(w, WORLD, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteComm(w, SELF, 0, 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteComm(w, PART, 0, d[6] % 6, WORLD, OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteInterComm(w, BETWEEN, 0, 3, d[7] % 6, WORLD, OTF2_COMM_FLAG_NONE);
	for (OTF2_RmaWinRef window = 0; window < 3; window++)
		OTF2_GlobalDefWriter_WriteRmaWin(w, window, 0, window ? PART * window : WORLD, OTF2_RMA_WIN_FLAG_NONE);
	OTF2_Archive_CloseGlobalDefWriter(archive, w);
}

static void write_archive(const char *folder, const uint8_t *data, size_t size)
{
	static const OTF2_FlushCallbacks flush = {before_flush, NULL};
	static const uint8_t usual[DEFINITIONS] = {1, 0, 1, 1, 2, 1, 3, 4};
	const uint8_t *definitions = size < DEFINITIONS ? usual : data;
	size_t skipped = size < DEFINITIONS ? size : DEFINITIONS;
	OTF2_Archive *archive =
		OTF2_Archive_Open(folder, "t", OTF2_FILEMODE_WRITE, 1 << 18, 1 << 18, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	CHECK(archive);
	OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	for (int rank = 0; rank < RANKS; rank++)
		write_rank(archive, rank, data + skipped, size - skipped);
	OTF2_Archive_CloseEvtFiles(archive);
	write_definitions(archive, definitions, size);
	OTF2_Archive_Close(archive);
}

static void remove_archive(const char *folder)
{
	static const char *const names[] = {"t.otf2", "t.def", "t/0.evt", "t/1.evt", "t/0.def", "t/1.def"};
	char path[100];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	snprintf(path, sizeof path, "%s/t", folder);
	rmdir(path);
	rmdir(folder);
}

static OTF2_ErrorCode say_nothing(
	void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code, const char *format, va_list list)
{
	(void)data, (void)file, (void)line, (void)function, (void)format, (void)list;
	return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/orcs-fuzz-XXXXXX", spec[100];
	struct error error = {0};
	struct workload_task task = {.tasks = RANKS, .bytes = 1};
	struct task_graph *graph = NULL;
	uint32_t tasks;
	OTF2_Error_RegisterCallback(say_nothing, NULL);
	CHECK(mkdtemp(folder));
	write_archive(folder, data, size);
	snprintf(spec, sizeof spec, "otf2:%s/t.otf2", folder);
	struct workload_call *call = workload_create(&(struct pattern_request){.spec = spec, .first_ranks = -1}, &error);
	CHECK(call);
	if (!workload_count(call, &tasks, &error) && tasks == RANKS)
		graph = workload_graph(call, &task, &error);
	if (graph)
		check_graph(graph);
	else
		check_refused(&error, REFUSED_FABRIC);
	task_graph_free(graph);
	workload_free(call);
	remove_archive(folder);
	return 0;
}

#else /* the reader cannot be tried without its library */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return 0;
}

#endif
