#include "tools/record/collect.h"

#include "base/files.h"
#include "base/memory.h"
#include "tools/record/goal_writer.h"
#include "tools/record/trace_writer.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANKS_MOST = 1 << 24 };

/* The logs in a directory, by the program (of those that a command has run one after another) and the rank. A log has the first number that
   its rank has not used, so that it is not the same for all ranks of a program if one before had fewer. */
struct log_file {
	uint32_t rank, number;
	uint32_t ranks;   /* of the program; 0: not known */
	uint32_t program; /* number of the first log of the program */
	uint32_t turn;    /* logs of the same rank before, of programs with as many ranks */
};

struct log_files {
	struct log_file *list;
	size_t count, capacity;
};

static int order(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_number(const void *left, const void *right)
{
	const struct log_file *a = left, *b = right;
	return a->number != b->number ? order(a->number, b->number) : order(a->rank, b->rank);
}

static int by_rank(const void *left, const void *right)
{
	const struct log_file *a = left, *b = right;
	return a->rank != b->rank     ? order(a->rank, b->rank)
	       : a->ranks != b->ranks ? order(a->ranks, b->ranks)
				      : order(a->number, b->number);
}

static int by_turn(const void *left, const void *right)
{
	const struct log_file *a = left, *b = right;
	return a->ranks != b->ranks ? order(a->ranks, b->ranks) : a->turn != b->turn ? order(a->turn, b->turn) : order(a->rank, b->rank);
}

static int by_program(const void *left, const void *right)
{
	const struct log_file *a = left, *b = right;
	return a->program != b->program ? order(a->program, b->program) : by_turn(left, right);
}

static bool same_program(const struct log_file *a, const struct log_file *b)
{
	return a->ranks == b->ranks && a->turn == b->turn;
}

static char *name_log(const char *directory, const struct log_file *file)
{
	char *path;
	return asprintf(&path, "%s/rank-%" PRIu32 ".%" PRIu32 ".record", directory, file->rank, file->number) < 0 ? NULL : path;
}

static uint32_t ranks_of(const char *directory, const struct log_file *file)
{
	struct error ignored = {0};
	struct record_reader reader;
	char *path = name_log(directory, file);
	uint32_t ranks = 0;
	if (path) {
		if (!record_open(&reader, path, &ignored))
			ranks = reader.header.ranks;
		record_close(&reader);
	}
	free(path);
	return ranks;
}

/* The nth log of a rank among those of programs with as many ranks is of the nth of these programs. */
static void find_programs(const char *directory, struct log_file *file, size_t count)
{
	qsort(file, count, sizeof *file, by_number);
	for (size_t i = 0; i < count; i++)
		if (!(file[i].ranks = ranks_of(directory, &file[i])) && i)
			file[i].ranks = file[i - 1].ranks; /* there was no room for its header */
	qsort(file, count, sizeof *file, by_rank);
	for (size_t i = 0; i < count; i++)
		file[i].turn = i && file[i].rank == file[i - 1].rank && file[i].ranks == file[i - 1].ranks ? file[i - 1].turn + 1 : 0;
	qsort(file, count, sizeof *file, by_turn);
	for (size_t i = 0; i < count; i++)
		file[i].program = i && same_program(&file[i], &file[i - 1]) ? file[i - 1].program : file[i].number;
	qsort(file, count, sizeof *file, by_program);
}

static int list_logs(const char *directory, struct log_files *files, struct error *error)
{
	DIR *open_directory = opendir(directory);
	if (!open_directory)
		return error_at(error, STATUS_IO, directory, 0, "%s", strerror(errno));
	for (struct dirent *entry; (entry = readdir(open_directory)) && !error->status;) {
		struct log_file file;
		int end = 0;
		if (sscanf(entry->d_name, "rank-%" SCNu32 ".%" SCNu32 ".record%n", &file.rank, &file.number, &end) != 2 || !end ||
			entry->d_name[end] || file.rank >= RANKS_MOST)
			continue;
		if (!array_grow(&files->list, &files->capacity, files->count + 1, sizeof *files->list, error))
			files->list[files->count++] = file;
	}
	closedir(open_directory);
	if (files->count)
		find_programs(directory, files->list, files->count);
	return error->status ? -1 : 0;
}

int collect_prepare(const char *directory, bool *created, struct error *error)
{
	struct log_files files = {0};
	*created = !mkdir(directory, 0777);
	if (!*created && errno != EEXIST)
		return error_at(error, STATUS_IO, directory, 0, "the directory cannot be created: %s", strerror(errno));
	if (list_logs(directory, &files, error))
		return -1;
	if (files.count)
		error_at(error, STATUS_USAGE, directory, 0,
			"it has the logs of an earlier run; orcs-record --merge makes a trace of them, or remove rank-*.record");
	else if (access(directory, W_OK | X_OK))
		error_at(error, STATUS_IO, directory, 0, "%s", strerror(errno));
	free(files.list);
	return error->status ? -1 : 0;
}

/* ---- one program */

static void clear_logs(struct rank_logs *logs)
{
	for (uint32_t r = 0; logs->path && r < logs->ranks; r++)
		free(logs->path[r]);
	free(logs->path);
}

/* Lists the logs of one program by rank; the number of ranks is in each. */
static int find_ranks(const char *directory, const struct log_file *file, size_t count, struct rank_logs *logs, struct error *error)
{
	char *path = name_log(directory, file);
	struct record_reader reader;
	if (!path)
		return error_set(error, STATUS_IO, "out of memory");
	if (!record_open(&reader, path, error))
		logs->ranks = reader.header.ranks;
	record_close(&reader);
	free(path);
	if (error->status || !(logs->path = array_create(logs->ranks, sizeof *logs->path, error)))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (file[i].rank < logs->ranks && !(logs->path[file[i].rank] = name_log(directory, &file[i])))
			return error_set(error, STATUS_IO, "out of memory");
	return 0;
}

/* "1 rank", "2 ranks" in a ring of a few texts. */
static const char *ranks_text(uint32_t count)
{
	static char text[4][24];
	static unsigned next;
	char *place = text[next++ % 4];
	snprintf(place, sizeof *text, "%" PRIu32 " rank%s", count, count == 1 ? "" : "s");
	return place;
}

static void report_alone(const struct messages_alone *alone, FILE *notes)
{
	if (alone->sends)
		fprintf(notes,
			"orcs-record: warning: %" PRIu64 " message%s sent and never received (the first: from rank %" PRIu32
			" to rank %" PRIu32 ", tag %" PRIu32 ")\n",
			alone->sends, alone->sends == 1 ? " was" : "s were", alone->first.from, alone->first.to, alone->first.tag);
	if (alone->receives)
		fprintf(notes, "orcs-record: warning: %" PRIu64 " receive%s posted without a message that is known\n", alone->receives,
			alone->receives == 1 ? " was" : "s were");
}

static void report(const struct trace_facts *facts, const char *path, const struct rank_logs *logs, FILE *notes)
{
	static const char *const left_out[] = {[LEFT_OUT_SPAWN] = "processes that the program has spawned",
		[LEFT_OUT_CONNECT] = "communication with other programs",
		[LEFT_OUT_SESSION] = "sessions"};
	if (!notes)
		return;
	fprintf(notes, "orcs-record: %s: %s, %" PRIu64 " calls, computations of %.3g s, %.3g s of processors\n", path,
		ranks_text(logs->ranks), facts->calls, facts->wall, facts->cpu);
	if (facts->aborted)
		fprintf(notes, "orcs-record: warning: rank %" PRIu32 " called MPI_Abort with %" PRIu32 "\n", facts->abort_rank,
			facts->abort_status);
	if (facts->missing)
		fprintf(notes, "orcs-record: warning: %s left no log: the trace is incomplete\n", ranks_text(facts->missing));
	if (facts->cut)
		fprintf(notes,
			"orcs-record: warning: %s (the first: %" PRIu32
			") ended before MPI_Finalize: the trace has what was called by then\n",
			ranks_text(facts->cut), facts->first_cut);
	if (facts->full)
		fprintf(notes, "orcs-record: warning: the logs of %s end early (%s): the trace is incomplete\n", ranks_text(facts->full),
			strerror(facts->full_error));
	for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
		if (facts->left_out >> i & 1)
			fprintf(notes, "orcs-record: warning: %s are not recorded\n", left_out[i]);
	if (facts->dropped)
		fprintf(notes, "orcs-record: warning: %" PRIu64 " calls in communicators with unknown members are left out\n",
			facts->dropped);
	report_alone(&facts->alone, notes);
	if (facts->wall > 1.5 * facts->cpu && facts->wall > 0.01)
		fprintf(notes,
			"orcs-record: note: the ranks have shared processors, or waited outside of MPI; see compute=cpu in orcs-traces(5)\n");
}

static int write_program(const struct rank_logs *logs, const char *path, struct trace_facts *facts, struct error *error)
{
	struct files files = {0};
	struct output output = {0};
	struct text_sink *sink = array_create(1, sizeof *sink, error);
	if (sink && !files_write(&files, &output, path, error) && !text_sink_open(sink, output.file, error)) {
		trace_write(logs, sink, facts, error);
		text_sink_close(sink);
		if (!error->status)
			output_commit(&output, error);
	}
	output_discard(&output);
	files_clear(&files);
	free(sink);
	return error->status ? -1 : 0;
}

static int collect_program(
	const struct record_options *options, const struct log_file *file, size_t count, uint32_t program, FILE *notes, struct error *error)
{
	struct rank_logs logs = {0};
	struct trace_facts facts;
	char *path = NULL, *goal = NULL, number[16] = "";
	if (program > 1)
		snprintf(number, sizeof number, "-%" PRIu32, program);
	if (asprintf(&path, "%s/mpi%s.trace.zst", options->directory, number) < 0 ||
		asprintf(&goal, "%s/mpi%s.goal", options->directory, number) < 0)
		error_set(error, STATUS_IO, "out of memory");
	if (!error->status && !find_ranks(options->directory, file, count, &logs, error) && !write_program(&logs, path, &facts, error)) {
		report(&facts, path, &logs, notes);
		if (options->goal)
			goal_write(path, logs.ranks, goal, error);
	}
	for (uint32_t r = 0; !error->status && r < logs.ranks; r++)
		if (logs.path[r])
			unlink(logs.path[r]);
	clear_logs(&logs);
	free(path);
	free(goal);
	return error->status ? -1 : 0;
}

/* Removes the traces and schedules of an earlier recording that this one has not replaced: those with a larger number. */
static void remove_older(const struct record_options *options, uint32_t programs, FILE *notes)
{
	DIR *directory = opendir(options->directory);
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		const char *name = entry->d_name;
		uint32_t number = 1;
		int end = 0;
		bool numbered = sscanf(name, "mpi-%" SCNu32 "%n", &number, &end) == 1;
		const char *kind = numbered ? name + end : strncmp(name, "mpi", 3) ? "" : name + 3;
		bool trace = !strcmp(kind, ".trace.zst"), goal = !strcmp(kind, ".goal");
		if ((!trace && !goal) || (number <= programs && (trace || options->goal)))
			continue;
		if (!unlinkat(dirfd(directory), name, 0) && notes)
			fprintf(notes, "orcs-record: note: removed %s/%s of an earlier recording\n", options->directory, name);
	}
	if (directory)
		closedir(directory);
}

int collect(const struct record_options *options, FILE *notes, struct error *error)
{
	struct log_files files = {0};
	if (!list_logs(options->directory, &files, error) && !files.count)
		error_at(error, STATUS_FABRIC, options->directory, 0, "%s%s",
			options->merge ? "there are no logs: rank-*.record"
				       : "nothing was recorded: the command has not run MPI_Init in a program "
					 "that is linked dynamically",
			options->merge || !options->mpi ? "" : ", or its MPI is not that of --mpi");
	uint32_t program = 0;
	for (size_t i = 0, end; i < files.count && !error->status; i = end) {
		for (end = i + 1; end < files.count && same_program(&files.list[end], &files.list[i]);)
			end++;
		collect_program(options, &files.list[i], end - i, ++program, notes, error);
	}
	if (!error->status)
		remove_older(options, program, notes);
	free(files.list);
	return error->status ? -1 : 0;
}
