#include "base/mapped_file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the identity of an open file; all zero if it has no name. */
static struct mapped_file_mark mark_of(int file, const struct stat *about)
{
	struct mapped_file_mark mark = {0};
	char link[40];
	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	if (realpath(link, mark.path)) {
		size_t length = strlen(mark.path);
		memset(mark.path + length, 0, sizeof mark.path - length);
		mark.device = about->st_dev;
		mark.inode = about->st_ino;
		mark.bytes = (uint64_t)about->st_size;
		mark.seconds = (uint64_t)about->st_mtim.tv_sec;
		mark.nanoseconds = (uint64_t)about->st_mtim.tv_nsec;
		if (pread(file, mark.start, sizeof mark.start, 0) >= 0)
			return mark;
	}
	return (struct mapped_file_mark){0};
}

/* Maps the file. flags: of mmap(2), in addition to MAP_SHARED. */
static struct mapped_file *map(int file, const char *name, int flags, struct error *error)
{
	struct stat about;
	struct mapped_file *mapping = array_create(1, sizeof *mapping, error);
	if (!mapping)
		return NULL;
	void *data = fstat(file, &about) ? MAP_FAILED : mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED | flags, file, 0);
	if (data == MAP_FAILED) {
		error_at(error, STATUS_IO, name, 0, "cannot map its %lld bytes: %s", (long long)about.st_size, strerror(errno));
		free(mapping);
		return NULL;
	}
	*mapping = (struct mapped_file){data, (size_t)about.st_size, mark_of(file, &about)};
	return mapping;
}

struct mapped_file *mapped_file_of_file(int file, const char *name, struct error *error)
{
	return map(file, name, MAP_POPULATE, error); /* faster than a page fault for each page */
}

struct mapped_file *mapped_file_of_input(struct input *input, const void *start, size_t length, size_t bytes, struct error *error)
{
	struct mapped_file *mapping = array_create(1, sizeof *mapping, error);
	if (!mapping)
		return NULL;
	double available;
	char *data = memory_fits((double)bytes, &available) ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
							    : MAP_FAILED;
	if (data == MAP_FAILED) {
		error_at(error, STATUS_IO, input_name(input), 0, "out of memory: %zu bytes needed, %.0f available", bytes, available);
		free(mapping);
		return NULL;
	}
	ssize_t got = 1;
	size_t have = length < bytes ? length : bytes;
	for (memcpy(data, start, have); have < bytes && got > 0; have += got > 0 ? (size_t)got : 0)
		got = input_read(input, data + have, bytes - have, error);
	*mapping = (struct mapped_file){.data = data, .bytes = bytes};
	if (got < 0) {
		mapped_file_free(mapping);
		return NULL;
	}
	if (have && have < bytes && mremap(data, bytes, have, 0) == data)
		mapping->bytes = have;
	return mapping;
}

struct mapped_file *mapped_file_again(const struct mapped_file_mark *mark)
{
	struct error ignored = {0};
	int file = *mark->path ? open(mark->path, O_RDONLY | O_CLOEXEC) : -1;
	struct mapped_file *mapping = file < 0 ? NULL : map(file, mark->path, 0, &ignored);
	if (file >= 0)
		close(file);
	if (mapping && !memcmp(mark, &mapping->mark, sizeof *mark))
		return mapping;
	mapped_file_free(mapping);
	return NULL;
}

void mapped_file_free(struct mapped_file *mapping)
{
	if (!mapping)
		return;
	munmap((void *)mapping->data, mapping->bytes);
	free(mapping);
}
