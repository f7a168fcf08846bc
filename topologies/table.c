/* The table of topologies. To add one, write its file and add a line here. */
#include "base/files.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "topologies/cabling.h"
#include "topologies/derived.h"
#include "topologies/place.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOPOLOGIES(X) \
	X(star) \
	X(tree) \
	X(fattree) \
	X(mport) \
	X(thintree) \
	X(gtree) \
	X(xgft) \
	X(pgft) \
	X(ring) \
	X(mesh) \
	X(torus) \
	X(twisted) \
	X(fullmesh) \
	X(hypercube) \
	X(hyperx) \
	X(dragonfly) \
	X(dragonfly_file) \
	X(leafspine) \
	X(jellyfish) \
	X(slimfly) \
	X(polarfly) \
	X(kautz) \
	X(debruijn) \
	X(bcube) \
	X(dpillar) \
	X(dcell) \
	X(ficonn) \
	X(hcn) \
	X(bcn) \
	X(gqstar) \
	X(swcube) \
	X(stellar) \
	X(graph)

#define DECLARE(name) extern const struct topology_kind topology_##name;
#define LIST(name) &topology_##name,

TOPOLOGIES(DECLARE)
const struct topology_kind *const topologies[] = {TOPOLOGIES(LIST) NULL};

/* Returns the kind of the first name. */
static const struct topology_kind *find_name(const char *spec)
{
	size_t length = spec_name_length(spec);
	for (size_t i = 0; topologies[i]; i++)
		if (strlen(topologies[i]->name) == length && !strncmp(spec, topologies[i]->name, length))
			return topologies[i];
	return NULL;
}

static const char stellar_key[] = "stellar:";

/* Returns the base of a stellar specification, which can be one itself; of others the specification. */
static const char *base_of(const char *spec)
{
	while (!strncmp(spec, stellar_key, sizeof stellar_key - 1))
		spec += sizeof stellar_key - 1;
	return spec;
}

/* Returns whether the specification ends with a path, in which slashes and words have no meaning. */
static bool has_path(const char *spec)
{
	static const char *const kinds[] = {"graph:", "dragonfly_file:"};
	spec = base_of(spec);
	return !strncmp(spec, kinds[0], strlen(kinds[0])) || !strncmp(spec, kinds[1], strlen(kinds[1]));
}

/* Returns the beginning of the inner part of OUTER/INNER: after a slash, with a letter; NULL if there is none. */
static const char *inner_of(const char *spec)
{
	if (has_path(spec))
		return NULL;
	spec += spec_name_length(spec);
	while ((spec = strchr(spec, '/'))) {
		spec++;
		if (isalpha((unsigned char)*spec))
			return spec;
	}
	return NULL;
}

static const char parallel_key[] = "parallel=";

/* Returns the position of parallel=N in a specification; NULL if there is none. */
static const char *parallel_of(const char *spec)
{
	if (has_path(spec))
		return NULL;
	for (const char *at = spec; (at = strstr(at, parallel_key)); at++)
		if (at > spec && strchr(":,", at[-1]))
			return at;
	return NULL;
}

const struct topology_kind *topology_find(const char *spec)
{
	const struct topology_kind *kind = find_name(spec);
	return kind && inner_of(spec) ? &derived_nested_kind : kind && parallel_of(spec) ? &derived_parallel_kind : kind;
}

enum structure_form topology_form(const char *spec)
{
	const struct topology_kind *kind = find_name(spec);
	enum structure_form form = kind ? kind->form : STRUCTURE_NONE;
	return form == STRUCTURE_GRID || form == STRUCTURE_FULL || !inner_of(spec) ? form : STRUCTURE_NONE;
}

bool topology_nested(const char *spec)
{
	return inner_of(spec) != NULL;
}

bool topology_may_be_routed(const char *spec)
{
	for (const char *part = spec; part; part = inner_of(part)) {
		const struct topology_kind *kind = find_name(part);
		if (!kind)
			return true;
		if (!kind->routing)
			return false;
	}
	return true;
}

/* Returns the kind innermost in a specification of networks, and sets the specification to its part. */
static const struct topology_kind *find_innermost(const char **spec)
{
	for (const char *inner; (inner = inner_of(*spec));)
		*spec = inner;
	return find_name(*spec);
}

bool topology_hosts_forward(const char *spec)
{
	struct error ignored = {0};
	const char *last = spec;
	const struct topology_kind *kind = find_innermost(&last);
	if (!kind || kind->hosts_forward || last == spec || kind == &topology_graph ||
		kind == &topology_dragonfly_file) /* the file is not read for this */
		return kind && kind->hosts_forward;
	struct topology *topology = topology_create(last, &ignored);
	bool direct = topology && topology->switches == 0;
	topology_free(topology);
	return direct;
}

int topology_files(const char *spec, struct files *files, struct error *error)
{
	struct error own = {0}; /* errors of an invalid specification */
	struct arg_values args;
	if (find_innermost(&spec) == &topology_stellar)
		spec = base_of(spec);
	const struct topology_kind *kind = find_innermost(&spec);
	size_t path = kind == &topology_graph ? 0 : 2; /* the last parameter */
	if ((kind != &topology_graph && kind != &topology_dragonfly_file) || !strchr(spec, ':'))
		return 0;
	if (!args_parse(&args, kind->args, strchr(spec, ':') + 1, "topology", kind->name, &own))
		files_read(files, args.value[path].text, error);
	args_clear(&args);
	return error->status ? -1 : 0;
}

static int refuse_unknown(const char *spec, struct error *error)
{
	const char *names[sizeof topologies / sizeof *topologies];
	size_t count = 0;
	char name[64];
	for (; topologies[count]; count++)
		names[count] = topologies[count]->name;
	snprintf(name, sizeof name, "%.*s", (int)spec_name_length(spec), spec);
	if (!*name)
		return error_set(
			error, STATUS_USAGE, "unknown topology '': a specification, and each part of OUTER/INNER, begins with a name");
	return error_unknown(error, "topology", name, names, count);
}

/* Runs the kind's own checks, and checks the limits of all kinds. */
static int set_up(struct topology *topology, struct error *error)
{
	if (topology->kind->setup(topology, error))
		return -1;
	if (topology->channels > TOPOLOGY_CHANNELS_MAX)
		return error_set(error, STATUS_USAGE, "too large: more than %" PRIu64 " channels", TOPOLOGY_CHANNELS_MAX);
	if (topology->cabling && topology->routing && topology->kind->longest(topology) > TOPOLOGY_ROUTE_MAX)
		topology->routing = NULL; /* the graph is valid without a routing */
	if (topology->routing && topology->kind->longest(topology) > TOPOLOGY_ROUTE_MAX)
		return error_set(error, STATUS_USAGE, "the longest route has %" PRIu32 " channels, more than %d",
			topology->kind->longest(topology), TOPOLOGY_ROUTE_MAX);
	return 0;
}

/* Makes the topology of one kind. */
static struct topology *create_kind(const char *spec, struct error *error)
{
	const struct topology_kind *kind = find_name(spec);
	const char *colon = strchr(spec, ':');
	struct error reason = {0};
	if (!kind) {
		refuse_unknown(spec, error);
		return NULL;
	}
	struct topology *topology = array_create(1, sizeof *topology, error);
	if (!topology)
		return NULL;
	topology->kind = kind;
	topology->routing = kind->routing;
	if (!args_parse(&topology->args, kind->args, colon ? colon + 1 : NULL, "topology", kind->name, error)) {
		if (!set_up(topology, &reason))
			return topology;
		error_set(error, reason.status, "%s: %s", spec, reason.text);
	}
	topology_free(topology);
	return NULL;
}

/* Takes "parallel=N" out of the specification. Returns 0, or -1; *parallel is unchanged if there is none. */
static int take_parallel(char *spec, int64_t *parallel, struct error *error)
{
	const char *found = parallel_of(spec);
	if (!found)
		return 0;
	char *at = spec + (found - spec), *number = at + sizeof parallel_key - 1, *end = number + strcspn(number, ","), text[24];
	snprintf(text, sizeof text, "%.*s", (int)(end - number), number);
	if (!read_integer(text, 1, UINT32_MAX, parallel))
		return error_set(error, STATUS_USAGE, "%s: parallel is not an integer from 1 to %" PRIu32, spec, UINT32_MAX);
	/* with the comma after it, otherwise the one before */
	if (*end)
		memmove(at, end + 1, strlen(end + 1) + 1);
	else
		at[-(at[-1] == ',')] = '\0';
	return 0;
}

/* Makes a topology of one kind whose specification can have parallel=N; nodes: its hosts must be the nodes of a direct network. */
static struct topology *create_part(const char *spec, size_t length, bool nodes, struct error *error)
{
	static const char direct[] = ",hosts=direct";
	struct topology *topology = NULL;
	struct error reason = {0};
	int64_t parallel = 0;
	char *copy = array_create(length + sizeof direct, 1, error);
	if (!copy)
		return NULL;
	memcpy(copy, spec, length);
	const struct topology_kind *kind = find_name(copy);
	take_parallel(copy, &parallel, error);
	bool has_hosts = false;
	for (const struct arg *arg = kind ? kind->args : NULL; arg && arg->type != ARG_END; arg++)
		has_hosts |= !strcmp(arg->key, "hosts") && arg->type == ARG_WORD;
	if (nodes && has_hosts && strstr(copy, "hosts="))
		error_set(error, STATUS_USAGE,
			"%s: its hosts are copies of another network, which determines their number; remove hosts=", copy);
	else if (nodes && has_hosts)
		strcat(copy, direct);
	if (!error->status && (topology = create_kind(copy, error)) && parallel &&
		(topology = derived_parallel(topology, (uint32_t)parallel, &reason)) == NULL)
		error_set(error, reason.status, "%.*s: %s", (int)length, spec, reason.text);
	free(copy);
	return topology;
}

struct topology *topology_create(const char *spec, struct error *error)
{
	const char *inner = inner_of(spec);
	if (!inner)
		return create_part(spec, strlen(spec), false, error);
	struct topology *around = create_part(spec, (size_t)(inner - spec) - 1, true, error);
	return around ? derived_nested(around, topology_create(inner, error), error) : NULL;
}

void topology_free(struct topology *topology)
{
	if (!topology)
		return;
	args_clear(&topology->args);
	if (topology->kind->clear && topology->data)
		topology->kind->clear(topology);
	cabling_free(topology->cabling);
	free(topology->data);
	free(topology);
}

void topology_structure(const struct topology *topology, struct topology_structure *structure)
{
	bool nodes = topology->switches == 0;
	*structure = (struct topology_structure){.form = topology->kind->form};
	if (nodes || topology->each) {
		structure->blocks = nodes ? topology->hosts : topology->switches;
		structure->hosts = nodes ? 1 : topology->each;
		structure->switches = !nodes;
	}
	if (topology->kind->structure)
		topology->kind->structure(topology, structure);
}

unsigned topology_tier(const struct topology *topology, struct topology_port port)
{
	if (topology->kind->tier)
		return topology->kind->tier(topology, port);
	return !port.host && !topology->kind->peer(topology, port).host;
}

/* Returns the default position: in the order of numbers, so that hosts are close to the switches that come with them. */
struct topology_place topology_place(const struct topology *topology, bool host, uint32_t node)
{
	if (topology->kind->place)
		return topology->kind->place(topology, host, node);
	uint32_t hosts = topology->hosts, switches = topology->switches, all = host ? hosts : switches;
	double inner = switches > 1 ? fmax(1, place_radius(switches, 1.4)) : 0;
	double radius = !host ? inner : switches ? fmax(inner + 1.2, place_radius(hosts, .8)) : fmax(1, place_radius(hosts, 1.2));
	return place_on_circle((struct topology_place){0, 0}, radius, node + .5, all);
}
