#include "tools/record/record_reader.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMMUNICATOR, REQUEST, WINDOW, MESSAGE, PLACE };

int record_open(struct record_reader *reader, const char *path, struct error *error)
{
	struct stat about;
	*reader = (struct record_reader){.path = path};
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0 || fstat(file, &about)) {
		error_at(error, STATUS_IO, path, 0, "%s", strerror(errno));
		if (file >= 0)
			close(file);
		return -1;
	}
	reader->bytes = (size_t)about.st_size;
	void *data = reader->bytes >= RECORD_HEADER ? mmap(NULL, reader->bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
	close(file);
	if (data != MAP_FAILED) {
		reader->data = data;
		memcpy(&reader->header, data, sizeof reader->header);
	}
	if (data == MAP_FAILED || memcmp(reader->header.magic, RECORD_MAGIC, sizeof reader->header.magic) ||
		reader->header.rank >= reader->header.ranks)
		return error_at(error, STATUS_FABRIC, path, 0, "not a log of orcs-record, or one of another version");
	reader->header.program[sizeof reader->header.program - 1] = 0;
	record_rewind(reader);
	return 0;
}

void record_close(struct record_reader *reader)
{
	if (reader->data)
		munmap((void *)(uintptr_t)reader->data, reader->bytes);
	free(reader->record.list.number);
	free(reader->record.other.number);
	free(reader->record.request);
	*reader = (struct record_reader){.data = NULL};
}

void record_rewind(struct record_reader *reader)
{
	reader->at = RECORD_HEADER;
	reader->cut = false;
	reader->record.thread = 0;
	memset(reader->last, 0, sizeof reader->last);
}

/* ---- numbers */

static uint64_t number(struct record_reader *r)
{
	uint64_t value = 0;
	for (int shift = 0; r->at < r->bytes && shift < 70; shift += 7) {
		uint8_t byte = r->data[r->at++];
		value |= (uint64_t)(byte & 127) << (shift & 63);
		if (byte < 128)
			return value;
	}
	r->cut = true;
	return 0;
}

static int64_t signed_number(struct record_reader *r)
{
	uint64_t value = number(r);
	return (int64_t)(value >> 1 ^ -(value & 1));
}

static uint64_t handle(struct record_reader *r, int class)
{
	if (r->at < r->bytes && r->data[r->at] < 128)
		return r->last[class] += (uint64_t)signed_number(r);
	if (r->bytes - r->at < 1 + sizeof r->last[class]) {
		r->cut = true;
		return 0;
	}
	memcpy(&r->last[class], r->data + r->at + 1, sizeof r->last[class]);
	r->at += 1 + sizeof r->last[class];
	return r->last[class];
}

/* Reads a length, which cannot exceed the bytes that are left. */
static size_t length(struct record_reader *r)
{
	uint64_t count = number(r);
	if (count <= r->bytes - r->at)
		return (size_t)count;
	r->cut = true;
	return 0;
}

static void list(struct record_reader *r, struct record_list *list, struct error *error)
{
	size_t count = length(r);
	list->count = 0;
	if (array_grow(&list->number, &list->capacity, count, sizeof *list->number, error))
		return;
	while (list->count < count)
		list->number[list->count++] = signed_number(r);
}

static void requests(struct record_reader *r, size_t count, bool statuses, struct error *error)
{
	struct record *record = &r->record;
	record->requests = 0;
	if (array_grow(&record->request, &record->request_capacity, count, sizeof *record->request, error))
		return;
	while (record->requests < count) {
		struct record_request *request = &record->request[record->requests++];
		request->handle = handle(r, REQUEST);
		request->place = handle(r, PLACE);
		request->source = request->tag = PEER_ANY;
		request->cancelled = false;
		if (!statuses)
			continue;
		request->source = signed_number(r);
		request->tag = signed_number(r);
		request->cancelled = number(r) != 0;
	}
}

/* ---- records */

static void message(struct record_reader *r, struct error *error)
{
	struct record *record = &r->record;
	record->flags = number(r);
	record->communicator = handle(r, COMMUNICATOR);
	record->peer = signed_number(r);
	record->tag = signed_number(r);
	record->bytes = number(r);
	requests(r, record->flags & MESSAGE_REQUEST ? 1 : 0, false, error);
	r->cut |= record->flags & MESSAGE_PERSISTENT && !record->requests; /* not written by the library */
}

static void collective(struct record_reader *r, struct error *error)
{
	struct record *record = &r->record;
	record->flags = number(r);
	record->class = number(r);
	record->communicator = handle(r, COMMUNICATOR);
	record->peer = signed_number(r);
	record->bytes = number(r);
	record->element = number(r);
	list(r, &record->list, error);
	requests(r, record->class != CALL_BLOCKS, false, error);
}

static void made(struct record_reader *r, struct error *error)
{
	struct record *record = &r->record;
	record->flags = number(r);
	record->communicator = handle(r, COMMUNICATOR);
	record->tag = signed_number(r);
	record->made = handle(r, COMMUNICATOR);
	record->first[0] = signed_number(r);
	record->first[1] = signed_number(r);
	list(r, &record->list, error);
}

static void access_window(struct record_reader *r, struct error *error)
{
	struct record *record = &r->record;
	record->window = handle(r, WINDOW);
	record->peer = signed_number(r);
	record->bytes = number(r);
	record->element = number(r);
	requests(r, number(r) != 0, false, error);
}

static void read_record(struct record_reader *r, struct error *error)
{
	struct record *record = &r->record;
	record->wall = number(r);
	record->cpu = record->wall - number(r);
	switch (record->kind) {
	case RECORD_MESSAGE: message(r, error); break;
	case RECORD_START:
	case RECORD_FREE: requests(r, 1, false, error); break;
	case RECORD_COMPLETE:
	case RECORD_STATUSES: requests(r, length(r), record->kind == RECORD_STATUSES, error); break;
	case RECORD_PROBED:
		record->communicator = handle(r, COMMUNICATOR);
		record->peer = signed_number(r);
		record->tag = signed_number(r);
		record->message = handle(r, MESSAGE);
		break;
	case RECORD_TAKEN:
		record->message = handle(r, MESSAGE);
		requests(r, number(r) != 0, false, error);
		break;
	case RECORD_COLLECTIVE: collective(r, error); break;
	case RECORD_MADE: made(r, error); break;
	case RECORD_TOPOLOGY:
		record->communicator = handle(r, COMMUNICATOR);
		list(r, &record->list, error);
		list(r, &record->other, error);
		break;
	case RECORD_FREED: record->communicator = handle(r, COMMUNICATOR); break;
	case RECORD_WINDOW:
		record->window = handle(r, WINDOW);
		record->communicator = handle(r, COMMUNICATOR);
		break;
	case RECORD_ACCESS: access_window(r, error); break;
	case RECORD_FLUSH:
	case RECORD_FENCE: record->window = handle(r, WINDOW); break;
	case RECORD_EPOCH:
		record->window = handle(r, WINDOW);
		record->flags = number(r);
		list(r, &record->list, error);
		break;
	default: break;
	}
}

bool record_next(struct record_reader *r, struct error *error)
{
	while (!error->status && !r->cut && r->at < r->bytes) {
		uint8_t kind = r->data[r->at++];
		if (kind == RECORD_END)
			return false;
		if (kind >= RECORD_KINDS) {
			error_at(error, STATUS_FABRIC, r->path, 0, "byte %zu: there is no record of kind %u", r->at - 1, kind);
			return false;
		}
		r->record.kind = kind;
		if (kind == RECORD_THREAD) {
			r->record.thread = (uint32_t)number(r);
			continue;
		}
		read_record(r, error);
		return !r->cut && !error->status;
	}
	return false;
}
