/* A file in memory, for readers that want a path. */
#ifndef TESTS_FUZZ_MEMORY_FILE_H
#define TESTS_FUZZ_MEMORY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct memory_file {
	int file;
	char path[40];
};

/* What must hold: if it does not, the fuzzer has found something. */
#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

static inline struct memory_file memory_file_create(const void *data, size_t size)
{
	struct memory_file memory = {.file = memfd_create("fuzz", MFD_CLOEXEC)};
	CHECK(memory.file >= 0);
	for (size_t done = 0; done < size;) {
		ssize_t put = write(memory.file, (const char *)data + done, size - done);
		CHECK(put > 0);
		done += (size_t)put;
	}
	snprintf(memory.path, sizeof memory.path, "/proc/self/fd/%d", memory.file);
	return memory;
}

static inline void memory_file_close(struct memory_file *memory)
{
	close(memory->file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
