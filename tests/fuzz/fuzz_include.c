/*
 * Nets of ibsim that include one another: the input is cut at lines "== N" into four files, which are open as numbers 100 to 103 and
 * include one another by these names, as /proc/self/fd has them; the first is read. Cycles, files that are not there, and those that are
 * none are refused in one line.
 */
#include "dump_bytes.h"

#include <fcntl.h>

enum { FILES = 4, FIRST = 100 };

static void empty_file(int number)
{
	int file = memfd_create("fuzz", MFD_CLOEXEC);
	CHECK(file >= 0 && dup3(file, number, O_CLOEXEC) == number && !close(file));
}

/* Cuts the input; what stands before the first name is of the first. */
static void write_files(const char *text, size_t size)
{
	const char *end = text + size;
	int number = 0;
	for (int i = 0; i < FILES; i++)
		empty_file(FIRST + i);
	while (text < end) {
		const char *next = memchr(text, '\n', (size_t)(end - text));
		size_t length = next ? (size_t)(next - text) + 1 : (size_t)(end - text);
		if (length >= 4 && !memcmp(text, "== ", 3))
			number = (unsigned char)text[3] % FILES;
		else
			CHECK(write(FIRST + number, text, length) == (ssize_t)length);
		text += length;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = {0};
	if (memmem(data, size, "include \"/", 10) || memmem(data, size, "..", 2)) /* not ours to read */
		return 0;
	write_files((const char *)data, size);
	struct subnet *subnet = subnet_create(&error);
	CHECK(subnet);
	if (dump_read(subnet, "/proc/self/fd/100", 1 << DUMP_TOPOLOGY, &error))
		check_line(&error);
	check_subnet(subnet);
	subnet_free(subnet);
	for (int i = 0; i < FILES; i++)
		close(FIRST + i);
	return 0;
}
