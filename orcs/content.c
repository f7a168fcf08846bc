#include "orcs/content.h"

#include "base/hash.h"
#include "orcs/marks.h"

#include <stdio.h>

static ssize_t hash_some(void *cookie, const char *text, size_t size)
{
	uint64_t *hash = cookie;
	for (size_t i = 0; i < size; i++) /* pieces may have any size */
		*hash = (*hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return (ssize_t)size;
}

/* Hashes the graph with all its attributes. */
static uint64_t hash_graph(uint64_t hash, const struct fabric *fabric, const struct attributes *attributes)
{
	FILE *file = fopencookie(&hash, "w", (cookie_io_functions_t){.write = hash_some});
	if (file) {
		dot_write(fabric, attributes, file, NULL, NULL);
		fclose(file);
	}
	return hash;
}

static uint64_t hash_alternatives(uint64_t hash, const struct multipath_entries *a, const struct fabric *fabric)
{
	hash = hash_words(hash, a->column, fabric->nodes * sizeof *a->column);
	hash = hash_words(hash, a->set, (size_t)fabric->hosts * a->columns * sizeof *a->set);
	hash = hash_words(hash, a->first, (a->sets + 1) * sizeof *a->first);
	hash = hash_words(hash, a->channel, a->first[a->sets] * sizeof *a->channel);
	return hash_words(hash, a->share, a->first[a->sets] * sizeof *a->share);
}

/* Hashes all files of the source, in their order. */
static int hash_files(const struct fabric_source *source, uint64_t *content, struct error *error)
{
	*content = 0;
	for (size_t i = 0; i <= source->parts; i++) {
		const char *path = i < source->parts ? source->part[i].path : source->node_name_map;
		uint64_t hash;
		if (path && !marks_hash_file(path, &hash))
			return marks_refuse_input(path, error);
		if (path)
			*content = i ? hash_words(*content, &hash, sizeof hash) : hash;
	}
	return 0;
}

int content_of(const struct fabric_source *source, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct attributes *attributes, uint64_t *content, struct error *error)
{
	if (source->form != FORM_SPECIFICATION)
		return hash_files(source, content, error);
	uint64_t hash = hash_words(fabric->labels->hash, fabric->labels->guid, fabric->nodes * sizeof *fabric->labels->guid);
	hash = hash_words(hash, fabric->labels->port, fabric->channels * sizeof *fabric->labels->port);
	hash = hash_words(hash, fabric->labels->peer_port, fabric->channels * sizeof *fabric->labels->peer_port);
	hash = hash_words(hash, &fabric->slowest, sizeof fabric->slowest);
	if (fabric->latency)
		hash = hash_words(hash, fabric->latency, fabric->channels * sizeof *fabric->latency);
	if (forwarding && forwarding->alternatives)
		hash = hash_alternatives(hash, forwarding->alternatives, fabric);
	*content = attributes ? hash_graph(hash, fabric, attributes) : hash;
	return 0;
}
