/* Any bytes as a file of source routes: refused in one line, or in order, and the same when they are written and read again. */
#include "memory_file.h"
#include "formats/dot.h"
#include "formats/route_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char fabric_text[] = "digraph { H1->A->H1; H2->A->H2; \"H 3\"->B->\"H 3\"; A->B->A; A->B [port=7]; A->B [port=5]; B->A;"
				  "A->C->B->C->A; H5->A->H5; H5->B->H5; \"H6:1\"->H5->\"H6:1\" }";

static const struct fabric *get_fabric(void)
{
	static struct fabric *fabric;
	if (!fabric) {
		struct forwarding *forwarding;
		struct attributes *attributes;
		struct dot_report report;
		struct error error = {0};
		struct memory_file memory = memory_file_create(fabric_text, strlen(fabric_text));
		CHECK(!dot_load(memory.path, 0, &fabric, &forwarding, &attributes, &report, &error));
		memory_file_close(&memory);
	}
	return fabric;
}

static void check_error(const struct error *error)
{
	CHECK(error->status == STATUS_FABRIC || error->status == STATUS_IO);
	CHECK(*error->text && strlen(error->text) < sizeof error->text);
	for (const char *c = error->text; *c; c++)
		CHECK((unsigned char)*c >= ' ' && *c != 127);
}

/* Every route leads from its source to its destination, and the shares of a pair are shares. */
static void check_pair(const struct source_routes *set, const struct fabric *fabric, uint32_t source, uint32_t destination)
{
	uint64_t from, to;
	double sum = 0;
	if (!source_routes_find(set, source, destination, &from, &to))
		return;
	CHECK(from < to);
	for (uint64_t r = from; r < to; r++) {
		uint32_t channels[20], node = fabric->host_node[source],
				       count = source_routes_channels(set, source, destination, r, channels);
		CHECK(count && count < fabric->nodes);
		for (uint32_t i = 0; i < count; i++) {
			CHECK(channels[i] >= fabric->first_channel[node] && channels[i] < fabric->first_channel[node + 1]);
			node = fabric->head[channels[i]];
		}
		CHECK(node == fabric->host_node[destination]);
		CHECK(set->share[r] >= 0 && (r == from || set->share[r] <= set->share[r - 1]));
		sum += set->share[r];
	}
	CHECK(fabs(sum - 1) < 1e-8);
}

/* The set of a file, its text in *text; NULL on errors. */
static struct source_routes *read_again(const char *path, const struct fabric *fabric, char **text)
{
	struct error error = {0};
	struct source_routes *set;
	size_t size;
	*text = NULL;
	if (route_file_read(path, fabric, &set, &error)) {
		check_error(&error);
		CHECK(!set);
		return NULL;
	}
	FILE *file = open_memstream(text, &size);
	CHECK(file && !route_file_write(set, fabric, file, &error));
	fclose(file);
	return set;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fabric *fabric = get_fabric();
	struct memory_file memory = memory_file_create((const char *)data, size);
	char *first, *second;
	struct source_routes *set = read_again(memory.path, fabric, &first);
	memory_file_close(&memory);
	if (!set)
		return 0;
	for (uint32_t s = 0; s < fabric->hosts; s++)
		for (uint32_t d = 0; d < fabric->hosts; d++)
			if (s != d)
				check_pair(set, fabric, s, d);
	memory = memory_file_create(first, strlen(first));
	struct source_routes *again = read_again(memory.path, fabric, &second);
	memory_file_close(&memory);
	CHECK(again && !strcmp(first, second));
	source_routes_free(set);
	source_routes_free(again);
	free(first);
	free(second);
	return 0;
}
