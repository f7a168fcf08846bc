#include "helpers.h"

#include "topologies/topology.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- files */

static char scratch[200];

/* Calls visit for every entry of the directory. */
static void for_each_file(void (*visit)(const char *path, unsigned *count), unsigned *count)
{
	DIR *directory = opendir(scratch);
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		visit(scratch_path(entry->d_name).text, count);
	}
	if (directory)
		closedir(directory);
}

static void remove_file(const char *path, unsigned *count)
{
	if (unlink(path))
		rmdir(path);
	++*count;
}

static void count_file(const char *path, unsigned *count)
{
	(void)path;
	++*count;
}

int make_scratch(void **state)
{
	(void)state;
	const char *where = getenv("TMPDIR");
	snprintf(scratch, sizeof scratch, "%s/orcs-unit-XXXXXX", where && strlen(where) < 100 ? where : "/tmp");
	return mkdtemp(scratch) ? 0 : -1;
}

int remove_scratch(void **state)
{
	(void)state;
	unsigned removed = 0;
	for_each_file(remove_file, &removed);
	return rmdir(scratch);
}

unsigned scratch_files(void)
{
	unsigned count = 0;
	for_each_file(count_file, &count);
	return count;
}

struct path scratch_path(const char *name)
{
	struct path path;
	int length = snprintf(path.text, sizeof path.text, "%s/%s", scratch, name);
	assert_in_range(length, 1, sizeof path.text - 1);
	return path;
}

struct path write_bytes(const char *name, const void *data, size_t size)
{
	struct path path = scratch_path(name);
	FILE *file = fopen(path.text, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	return path;
}

struct path write_text(const char *name, const char *text)
{
	return write_bytes(name, text, strlen(text));
}

char *read_whole(const char *path)
{
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	size_t size = (size_t)ftell(file);
	rewind(file);
	char *text = calloc(size + 1, 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, size, file), size);
	fclose(file);
	return text;
}

/* ---- assertions */

void check_contains(const char *text, const char *part, const char *file, int line)
{
	if (strstr(text, part))
		return;
	print_error("'%s' does not contain '%s'\n", text, part);
	_fail(file, line);
}

void check_error(struct error *error, enum status status, const char *const *words, const char *file, int line)
{
	if (error->status != status) {
		print_error("status %d, not %d: %s\n", (int)error->status, (int)status, error->text);
		_fail(file, line);
	}
	for (; *words; words++)
		check_contains(error->text, *words, file, line);
	_assert_true(!strchr(error->text, '\n'), "one line", file, line);
	*error = (struct error){0};
}

void check_fine(const struct error *error, const char *file, int line)
{
	if (!error->status)
		return;
	print_error("status %d: %s\n", (int)error->status, error->text);
	_fail(file, line);
}

void check_within(double value, double expected, double tolerance, const char *file, int line)
{
	if (fabs(value - expected) <= tolerance)
		return;
	print_error("%.9g is not within %.3g of %.9g\n", value, tolerance, expected);
	_fail(file, line);
}

/* ---- specifications */

const char *example_spec(char *text, size_t size, const char *name, const struct arg *args)
{
	size_t used = (size_t)snprintf(text, size, "%s", name);
	char separator = ':';
	for (const struct arg *arg = args; arg && arg->type != ARG_END; arg++) {
		long long number = arg->min > 3 ? arg->min : arg->max < 3 ? arg->max : 3;
		if (arg->preset || arg->type == ARG_FLAG)
			continue;
		if (arg->type != ARG_INTEGER && arg->type != ARG_DIMENSIONS)
			return NULL;
		used += (size_t)snprintf(text + used, size - used, "%c%s=%lld", separator, arg->key, number);
		separator = ',';
	}
	return text;
}

const char *spec_of_name(const char *name, const char *const *specs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(name) == spec_name_length(specs[i]) && !strncmp(name, specs[i], strlen(name)))
			return specs[i];
	return NULL;
}

/* ---- fabrics */

int world_read(struct world *world, const char *text, unsigned wants)
{
	*world = (struct world){.path = write_text("fabric.dot", text)};
	return dot_load(world->path.text, wants, &world->fabric, &world->forwarding, &world->attributes, &world->report, &world->error);
}

void world_load(struct world *world, const char *text)
{
	int result = world_read(world, text, DOT_TABLES | DOT_KEEP);
	assert_fine(&world->error);
	assert_int_equal(result, 0);
}

void world_clear(struct world *world)
{
	forwarding_free(world->forwarding);
	fabric_free(world->fabric);
	attributes_free(world->attributes);
	*world = (struct world){0};
}

static unsigned power(unsigned base, unsigned exponent)
{
	return exponent ? base * power(base, exponent - 1) : 1;
}

/* The destinations for which a switch at the level, whose digits are those of the number, leaves by the up port, or (up false) by the down
 * port. */
static void write_set(FILE *file, unsigned k, unsigned n, unsigned level, unsigned number, bool up, unsigned port)
{
	const char *before = "";
	for (unsigned d = 0; d < power(k, n); d++) {
		bool below = d / power(k, level + 1) == number / power(k, level);
		unsigned digit = d / power(k, level) % k;
		if (below == up || digit != port)
			continue;
		fprintf(file, "%sH%u", before, d);
		before = ",";
	}
}

/* The node below the switch's down port. */
static void write_child(FILE *file, unsigned k, unsigned level, unsigned number, unsigned port)
{
	if (!level) {
		fprintf(file, "H%u", number * k + port);
		return;
	}
	unsigned place = power(k, level - 1), digit = number / place % k;
	fprintf(file, "S%u_%u", level - 1, number - digit * place + port * place);
}

static void write_switch(FILE *file, unsigned k, unsigned n, unsigned level, unsigned number)
{
	for (unsigned port = 0; port < k; port++) {
		fprintf(file, "S%u_%u -> ", level, number);
		write_child(file, k, level, number, port);
		fputs(" [comment=\"", file);
		write_set(file, k, n, level, number, false, port);
		fputs("\"];\n", file);
	}
	unsigned place = power(k, level), digit = number / place % k;
	for (unsigned port = 0; port < k && level + 1 < n; port++) {
		fprintf(file, "S%u_%u -> S%u_%u [comment=\"", level, number, level + 1, number - digit * place + port * place);
		write_set(file, k, n, level, number, true, port);
		fputs("\"];\n", file);
	}
}

void world_tree(struct world *world, unsigned k, unsigned n)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	assert_non_null(file);
	fputs("digraph tree {\n", file);
	for (unsigned h = 0; h < power(k, n); h++)
		fprintf(file, "H%u;\n", h);
	for (unsigned h = 0; h < power(k, n); h++)
		fprintf(file, "H%u -> S0_%u [comment=\"*\"];\n", h, h / k);
	for (unsigned level = 0; level < n; level++)
		for (unsigned number = 0; number < power(k, n - 1); number++)
			write_switch(file, k, n, level, number);
	fputs("}\n", file);
	fclose(file);
	world_load(world, text);
	free(text);
	assert_int_equal(world->fabric->hosts, power(k, n));
	assert_int_equal(world->fabric->nodes - world->fabric->hosts, n * power(k, n - 1));
	assert_int_equal(world->fabric->channels, 2 * n * power(k, n));
}

static void write_nodes(FILE *file, const struct topology *topology, bool host)
{
	for (uint32_t v = 0; v < (host ? topology->hosts : topology->switches); v++)
		fprintf(file, "%c%u;\n", host ? 'H' : 'S', (unsigned)v);
}

void world_topology(struct world *world, const char *spec, bool mixed)
{
	char *text;
	size_t size;
	struct error error = {0};
	struct topology *topology = topology_create(spec, &error);
	assert_fine(&error);
	FILE *file = open_memstream(&text, &size);
	fprintf(file, "digraph { graph [topology=\"%s\", routing=\"%s\"];\n", spec, topology->kind->routing);
	write_nodes(file, topology, !mixed);
	write_nodes(file, topology, mixed);
	uint32_t nodes = topology->hosts + topology->switches;
	for (uint32_t i = 0; i < nodes; i++) {
		uint32_t v = mixed ? nodes - 1 - i : i;
		struct topology_port from = {v < topology->hosts, v < topology->hosts ? v : v - topology->hosts, 0};
		for (uint32_t ports = topology->kind->ports(topology, from.host, from.node); from.port < ports; from.port++) {
			struct topology_port to = topology->kind->peer(topology, from);
			fprintf(file, "%c%u -> %c%u;\n", from.host ? 'H' : 'S', (unsigned)from.node, to.host ? 'H' : 'S',
				(unsigned)to.node);
		}
	}
	fputs("}\n", file);
	fclose(file);
	topology_free(topology);
	world_load(world, text);
	free(text);
	assert_non_null(world->forwarding->function);
}

uint32_t node_of(const struct world *world, const char *name)
{
	uint32_t node = name_table_find(&world->fabric->labels->names, name, strlen(name));
	assert_int_not_equal(node, NAME_NONE);
	return node;
}

uint32_t host_of(const struct world *world, const char *name)
{
	uint32_t host = world->fabric->node_host[node_of(world, name)];
	assert_int_not_equal(host, NONE);
	return host;
}

uint32_t channel_of(const struct world *world, const char *from, const char *to)
{
	uint32_t tail = node_of(world, from), head = node_of(world, to);
	for (uint32_t c = world->fabric->first_channel[tail]; c < world->fabric->first_channel[tail + 1]; c++)
		if (world->fabric->head[c] == head)
			return c;
	return NONE;
}

/* ---- patterns */

struct pattern_call *make_pattern(const char *spec, uint32_t ranks)
{
	struct error error = {0};
	struct pattern_request request = {.spec = spec, .first_ranks = -1, .seed = 1};
	struct pattern_call *call = pattern_create(&request, ranks, &error);
	assert_fine(&error);
	assert_non_null(call);
	return call;
}

void draw_run(struct pattern_call *call, uint64_t run)
{
	struct error error = {0};
	assert_int_equal(pattern_run(call, run, &error), 0);
}

struct pattern_call *make_two_patterns(const char *first, const char *second, uint32_t first_ranks, uint32_t ranks)
{
	struct error error = {0};
	struct pattern_request request = {.spec = "ptrnvsptrn", .first = first, .second = second, .first_ranks = first_ranks, .seed = 1};
	struct pattern_call *call = pattern_create(&request, ranks, &error);
	assert_fine(&error);
	assert_non_null(call);
	return call;
}

/* A sink that keeps what it is given. */
struct keeper {
	struct sink sink;
	struct pairs kept;
};

static void keep_pairs(struct sink *sink)
{
	struct keeper *keeper = (struct keeper *)sink;
	struct pairs *kept = &keeper->kept;
	assert_in_range(sink->count, 1, sink->capacity);
	kept->list = realloc(kept->list, (kept->count + sink->count) * sizeof *kept->list);
	kept->part = realloc(kept->part, (kept->count + sink->count) * sizeof *kept->part);
	assert_non_null(kept->list);
	assert_non_null(kept->part);
	for (size_t i = 0; i < sink->count; i++) {
		kept->list[kept->count] = sink->pairs[i];
		kept->part[kept->count++] = sink->part;
	}
	kept->blocks++;
}

struct pairs pairs_of_level(const struct pattern_call *call, uint64_t level, size_t block)
{
	struct pair *room = calloc(block, sizeof *room);
	assert_non_null(room);
	struct keeper keeper = {.sink = {.pairs = room, .capacity = block, .take = keep_pairs}};
	pattern_level(call, level, &keeper.sink);
	assert_int_equal(keeper.sink.count, 0);
	free(room);
	return keeper.kept;
}

void pairs_clear(struct pairs *pairs)
{
	free(pairs->list);
	free(pairs->part);
	*pairs = (struct pairs){0};
}

static int compare_pairs(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;
	if (a->sender != b->sender)
		return a->sender < b->sender ? -1 : 1;
	return (a->receiver > b->receiver) - (a->receiver < b->receiver);
}

void pairs_sort(struct pairs *pairs)
{
	if (pairs->count)
		qsort(pairs->list, pairs->count, sizeof *pairs->list, compare_pairs);
}

char *levels_text(struct pattern_call *call)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	assert_non_null(file);
	draw_run(call, 0);
	for (uint64_t level = 0; level < pattern_levels(call); level++) {
		struct pairs pairs = pairs_of_level(call, level, 7);
		pairs_sort(&pairs);
		fputs(level ? " |" : "", file);
		for (size_t i = 0; i < pairs.count; i++)
			fprintf(file, "%s%" PRIu32 ">%" PRIu32, i || level ? " " : "", pairs.list[i].sender, pairs.list[i].receiver);
		pairs_clear(&pairs);
	}
	fclose(file);
	return text;
}

/* ---- the engine */

const volatile sig_atomic_t never_stop = 0;

struct congestion *make_engine(const struct world *world, bool speed_aware, bool drop, bool sum_channels)
{
	struct error error = {0};
	struct congestion *engine = congestion_create(&(struct congestion_setup){.fabric = world->fabric,
							      .forwarding = world->forwarding,
							      .speed_aware = speed_aware,
							      .drop = drop,
							      .sum_channels = sum_channels,
							      .stop = &never_stop},
		&error);
	assert_fine(&error);
	assert_non_null(engine);
	return engine;
}

char *random_graph(struct random *random, uint32_t hosts, uint32_t switches)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	fputs("digraph {", file);
	for (uint32_t v = 0; v < hosts + switches; v++) {
		fprintf(file, "%c%u;", v < hosts ? 'H' : 'S', v);
		for (uint32_t channels = 1 + random_below(random, 3); channels; channels--) {
			uint32_t head = random_below(random, hosts + switches);
			fprintf(file, "%c%u -> %c%u [comment=\"", v < hosts ? 'H' : 'S', v, head < hosts ? 'H' : 'S', head);
			for (uint32_t h = 0; h < hosts; h++)
				if (random_below(random, 4))
					fprintf(file, "H%u,", h);
			fputs("\"];", file);
		}
	}
	fputs("}", file);
	fclose(file);
	return text;
}
