/* What targets share: errors in one line, inputs of several lines, small fabrics. */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include "memory_file.h"
#include "topologies/topology.h"
#include "fabric/topology_fabric.h"
#include "formats/dot.h"

#include <signal.h>
#include <string.h>

static const volatile sig_atomic_t never_stop;

/* A reader or maker has failed as it should: with one of these statuses (a bit each) and one line. */
static inline void check_refused(const struct error *error, unsigned statuses)
{
	CHECK(statuses >> error->status & 1 && error->status != STATUS_OK);
	CHECK(*error->text && strlen(error->text) < sizeof error->text);
	for (const char *c = error->text; *c; c++)
		CHECK((unsigned char)*c >= ' ' && *c != 127);
}

enum { REFUSED_USAGE = 1 << STATUS_USAGE | 1 << STATUS_IO, REFUSED_FABRIC = REFUSED_USAGE | 1 << STATUS_FABRIC };

/* An input cut into lines; those that are not there are empty. */
enum { LINES_MAX = 64 };

struct lines {
	char *text;
	const char *line[LINES_MAX];
	size_t count;
};

static inline struct lines lines_create(const uint8_t *data, size_t size)
{
	struct lines lines = {.text = malloc(size + 1)};
	CHECK(lines.text);
	memcpy(lines.text, data, size);
	lines.text[size] = '\0';
	for (char *rest = lines.text; rest && lines.count < LINES_MAX;)
		lines.line[lines.count++] = strsep(&rest, "\n");
	for (size_t i = lines.count; i < LINES_MAX; i++)
		lines.line[i] = lines.text + strlen(lines.text);
	return lines;
}

static inline void lines_free(struct lines *lines)
{
	free(lines->text);
}

/* The number at the begin of a line, 0 where there is none. */
static inline uint32_t line_number(const char *line, uint32_t below)
{
	return (uint32_t)(strtoul(line, NULL, 10) % below);
}

/* The line, NULL where it is empty. */
static inline const char *line_or_null(const char *line)
{
	return *line ? line : NULL;
}

/* No input may name files of the machine but by "@", which stands for one that the target makes. */
static inline bool names_files(const char *spec)
{
	return strchr(spec, '/') && (strstr(spec, ":/") || strstr(spec, "..") || strstr(spec, "=/") || strstr(spec, "./"));
}

/* The spec with its '@'s replaced by the path, to be freed. */
static inline char *with_path(const char *spec, const char *path)
{
	size_t places = 0;
	for (const char *c = spec; *c; c++)
		places += *c == '@';
	char *text = malloc(strlen(spec) + places * strlen(path) + 1), *to = text;
	CHECK(text);
	for (const char *c = spec; *c; c++)
		if (*c == '@')
			to = stpcpy(to, path);
		else
			*to++ = *c;
	*to = '\0';
	return text;
}

/* The number of nodes and channels of a topology, UINT64_MAX where there is none; nothing large is made for it. */
static inline uint64_t topology_size(const char *spec)
{
	struct error error = {0};
	struct topology *topology = names_files(spec) ? NULL : topology_create(spec, &error);
	uint64_t size = topology ? topology->hosts + (uint64_t)topology->switches + topology->channels : UINT64_MAX;
	topology_free(topology);
	return size;
}

/* A fabric, and the tables that compute its routes. */
struct small_fabric {
	struct fabric *fabric;
	struct forwarding *forwarding;
};

/* The fabric of the specification, unless it is large; or else that of the other one. spec must live as long. */
static inline struct small_fabric small_fabric_create(const char *spec, uint64_t most, const char *otherwise, const char **used)
{
	struct small_fabric small = {0};
	struct error error = {0};
	*used = topology_size(spec) <= most ? spec : otherwise;
	if (topology_fabric_load(*used, &small.fabric, &small.forwarding, &error)) {
		check_refused(&error, REFUSED_FABRIC);
		error = (struct error){0};
		*used = otherwise;
		CHECK(!topology_fabric_load(otherwise, &small.fabric, &small.forwarding, &error));
	}
	return small;
}

static inline void small_fabric_free(struct small_fabric *small)
{
	forwarding_free(small->forwarding);
	fabric_free(small->fabric);
}

#endif
