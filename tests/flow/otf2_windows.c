/*
 * A trace of OTF2 with one-sided communication, 6 microseconds long at 12,500 bytes in each: otf2_windows DIRECTORY. Rank 0 puts 12,500
 * bytes into the window of rank 1, which computes for 5 microseconds; after a fence it gets as many, and waits for them.
 */
#include <otf2/otf2.h>
#include <stdio.h>

enum { RANKS = 2, WINDOW = 0, WORLD = 0, BYTES = 12500 };

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static void fence(OTF2_EvtWriter *w, uint64_t time)
{
	OTF2_EvtWriter_RmaCollectiveEnd(w, NULL, time, OTF2_COLLECTIVE_OP_BARRIER, OTF2_RMA_SYNC_LEVEL_MEMORY, WINDOW, 0, 0, 0);
}

static void write_rank(OTF2_Archive *archive, int rank)
{
	OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)rank);
	OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, 1000); /* the first event, after which time counts */
	if (rank == 0) {
		OTF2_EvtWriter_RmaPut(w, NULL, 1000, WINDOW, 1, BYTES, 1);
		OTF2_EvtWriter_RmaOpCompleteRemote(w, NULL, 1000, WINDOW, 1);
		fence(w, 1000);
		OTF2_EvtWriter_RmaGet(w, NULL, 1000, WINDOW, 1, BYTES, 2);
		OTF2_EvtWriter_RmaOpCompleteBlocking(w, NULL, 1000, WINDOW, 2);
	} else {
		OTF2_EvtWriter_RmaAtomic(w, NULL, 1000, WINDOW, 1, OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, 0, 0, 3);
		fence(w, 6000);
	}
	OTF2_Archive_CloseEvtWriter(archive, w);
}

static void write_definitions(OTF2_Archive *archive)
{
	static const uint64_t all[] = {0, 1};
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(archive);
	OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000000, 0, 10000, OTF2_UNDEFINED_TIMESTAMP);
	OTF2_GlobalDefWriter_WriteString(w, 0, "");
	OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		OTF2_GlobalDefWriter_WriteLocationGroup(w, rank, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
		OTF2_GlobalDefWriter_WriteLocation(w, rank, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 10, rank);
	}
	OTF2_GlobalDefWriter_WriteGroup(w, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, RANKS, all);
	OTF2_GlobalDefWriter_WriteGroup(w, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, RANKS, all);
	OTF2_GlobalDefWriter_WriteComm(w, WORLD, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteRmaWin(w, WINDOW, 0, WORLD, OTF2_RMA_WIN_FLAG_NONE);
	OTF2_Archive_CloseGlobalDefWriter(archive, w);
}

int main(int argc, char **argv)
{
	static const OTF2_FlushCallbacks flush = {before_flush, NULL};
	OTF2_Archive *archive = argc < 2 ? NULL
					 : OTF2_Archive_Open(argv[1], "trace", OTF2_FILEMODE_WRITE, 1 << 18, 1 << 18, OTF2_SUBSTRATE_POSIX,
						   OTF2_COMPRESSION_NONE);
	if (!archive)
		return 1;
	OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	for (int rank = 0; rank < RANKS; rank++)
		write_rank(archive, rank);
	OTF2_Archive_CloseEvtFiles(archive);
	OTF2_Archive_OpenDefFiles(archive);
	for (int rank = 0; rank < RANKS; rank++)
		OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, (OTF2_LocationRef)rank));
	OTF2_Archive_CloseDefFiles(archive);
	write_definitions(archive);
	return OTF2_Archive_Close(archive) != OTF2_SUCCESS;
}
