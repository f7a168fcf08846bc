/* The cache: what is read from it is what was written, and nothing that is not is read. */
#include "helpers.h"
#include "base/mapped_file.h"
#include "base/random.h"
#include "formats/cache.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* All that a graph may have: descriptions, GUIDs, ports, speeds, tables, a "*", attributes of all kinds, names that are odd. */
static const char text[] =
	"digraph fabric {\n graph [label=\"a \\\"b\\\" c\"];\n node [shape=box];\n edge [weight=2];\n"
	" H1 [desc=\"n1 hca\", guid=\"0x1\", lid=7, tip=<a <b>c</b>>];\n \"H 2\" [guid=\"0002\"];\n H3;\n S1 [desc=sw, color=red];\n"
	" H1 -> S1 [comment=\"*\", port=1, peer_port=1, speed=100, width=\"4x\"];\n \"H 2\" -> S1 [comment=\"*\", port=1, speed=25];\n"
	" S1 -> H1 [comment=\"H1\", port=1, peer_port=1, speed=100, color=\"0.1 1 1\"];\n"
	" S1 -> \"H 2\" [comment=\"H 2, H9\", port=2, speed=25, key=k];\n"
	" S1 -> S2 [comment=\"H3,H1\", speed=50];\n S2 -> H3 [comment=\"*\", speed=50];\n S2 -> S1 [comment=\"\", speed=50];\n"
	" H3 -> S2 [comment=\"*\", speed=50];\n subgraph cluster { label=x; S1; S2; }\n}\n";

/* A cache in memory, and as a file. */
struct bytes {
	char *data;
	size_t size;
};

static struct bytes cache_of(struct world *world)
{
	struct bytes bytes;
	FILE *file = open_memstream(&bytes.data, &bytes.size);
	assert_int_equal(cache_write(file, world->fabric, world->forwarding, world->attributes, &world->report, &world->error), 0);
	assert_fine(&world->error);
	assert_int_equal(fclose(file), 0);
	return bytes;
}

static struct bytes cache_of_text(const char *graph)
{
	struct world world;
	world_load(&world, graph);
	struct bytes bytes = cache_of(&world);
	world_clear(&world);
	return bytes;
}

static int load_path(struct world *world, struct path path, unsigned wants)
{
	*world = (struct world){.path = path};
	return fabric_load(world->path.text, wants, &world->fabric, &world->forwarding, &world->attributes, &world->report, &world->error);
}

static int load(struct world *world, const struct bytes *bytes, unsigned wants)
{
	return load_path(world, write_bytes("f.orcsb", bytes->data, bytes->size), wants);
}

/* These bytes are refused, with these words. */
#define assert_refused(bytes, ...) \
	do { \
		struct world refused; \
		assert_int_equal(load(&refused, bytes, DOT_TABLES), -1); \
		assert_null(refused.fabric); \
		assert_null(refused.forwarding); \
		assert_error(&refused.error, STATUS_FABRIC, __VA_ARGS__); \
	} while (0)

static char *graph_text(const struct world *world)
{
	char *graph;
	size_t size;
	FILE *file = open_memstream(&graph, &size);
	dot_write(world->fabric, world->attributes, file, NULL, NULL);
	fclose(file);
	return graph;
}

#define assert_same_array(a, b, count) assert_memory_equal(a, b, (count) * sizeof *(a))

static void assert_same_fabric(const struct fabric *a, const struct fabric *b)
{
	assert_int_equal(a->nodes, b->nodes);
	assert_int_equal(a->hosts, b->hosts);
	assert_int_equal(a->channels, b->channels);
	assert_same_array(a->first_channel, b->first_channel, a->nodes + 1);
	assert_same_array(a->head, b->head, a->channels);
	assert_same_array(a->host_node, b->host_node, a->hosts);
	assert_same_array(a->node_host, b->node_host, a->nodes);
	assert_same_array(a->speed, b->speed, a->channels);
	assert_same_array(a->labels->guid, b->labels->guid, a->nodes);
	assert_same_array(a->labels->lid, b->labels->lid, a->nodes);
	assert_same_array(a->labels->port, b->labels->port, a->channels);
	assert_same_array(a->labels->peer_port, b->labels->peer_port, a->channels);
	assert_same_array(a->labels->width, b->labels->width, a->channels);
	assert_true(a->labels->hash == b->labels->hash);
	for (uint32_t v = 0; v < a->nodes; v++) {
		assert_string_equal(a->labels->name[v], b->labels->name[v]);
		assert_string_equal(a->labels->desc[v], b->labels->desc[v]);
		assert_int_equal(name_table_find(&b->labels->names, a->labels->name[v], strlen(a->labels->name[v])), v);
	}
}

static void assert_same_world(const struct world *a, const struct world *b)
{
	assert_same_fabric(a->fabric, b->fabric);
	assert_int_equal(a->forwarding->columns, b->forwarding->columns);
	assert_same_array(a->forwarding->column, b->forwarding->column, a->fabric->nodes);
	assert_same_array(a->forwarding->fallback, b->forwarding->fallback, a->fabric->nodes);
	assert_same_array(a->forwarding->hop, b->forwarding->hop, a->fabric->channels);
	assert_same_array(a->forwarding->next, b->forwarding->next, (size_t)a->fabric->hosts * a->forwarding->columns);
	assert_int_equal(a->report.missing_speeds, b->report.missing_speeds);
	assert_int_equal(a->report.forwarding.ambiguous, b->report.forwarding.ambiguous);
	assert_int_equal(a->report.forwarding.unknown, b->report.forwarding.unknown);
	assert_string_equal(a->report.forwarding.first_unknown, b->report.forwarding.first_unknown);
	assert_string_equal(a->report.parser_warning, b->report.parser_warning);
	char *left = graph_text(a), *right = graph_text(b);
	assert_string_equal(left, right);
	free(left);
	free(right);
}

/* ---- what is written is read */

TEST(reads_what_was_written)
{
	struct world world, again;
	world_load(&world, text);
	assert_int_equal(world.report.forwarding.unknown, 1);
	struct bytes bytes = cache_of(&world);
	assert_int_equal(load(&again, &bytes, DOT_TABLES | DOT_KEEP), 0);
	assert_same_world(&world, &again);
	struct bytes second = cache_of(&again); /* a cache of a cache is the same bytes */
	assert_int_equal(second.size, bytes.size);
	assert_memory_equal(second.data, bytes.data, bytes.size);
	free(bytes.data);
	free(second.data);
	world_clear(&world);
	world_clear(&again);
}

TEST(reads_trees_and_random_graphs)
{
	struct world world, again;
	for (int i = 0; i < 20; i++) {
		if (i) {
			struct random random;
			random_start(&random, 1, RANDOM_MAPPING, (uint64_t)i);
			char *graph = random_graph(&random, (uint32_t)(i + 1), (uint32_t)(1 + i % 5));
			world_read(&world, graph, DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK);
			assert_fine(&world.error);
			free(graph);
		} else {
			world_tree(&world, 4, 3);
		}
		struct bytes bytes = cache_of(&world);
		assert_int_equal(load(&again, &bytes, DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK), 0);
		assert_same_world(&world, &again);
		free(bytes.data);
		world_clear(&world);
		world_clear(&again);
	}
}

TEST(reads_only_what_is_wanted)
{
	struct bytes bytes = cache_of_text(text);
	struct world world;
	assert_int_equal(load(&world, &bytes, 0), 0);
	assert_non_null(world.fabric);
	assert_null(world.forwarding);
	assert_null(world.attributes);
	world_clear(&world);
	assert_int_equal(load(&world, &bytes, DOT_TABLES), 0);
	assert_non_null(world.forwarding);
	assert_null(world.attributes);
	world_clear(&world);
	assert_int_equal(load(&world, &bytes, DOT_KEEP), 0);
	assert_null(world.forwarding);
	assert_string_equal(attributes_of_node(world.attributes, node_of(&world, "S1"), "color"), "red");
	world_clear(&world);
	free(bytes.data);
}

TEST(reads_graphs_too)
{
	struct world world;
	assert_int_equal(load_path(&world, write_text("f.dot", text), DOT_TABLES), 0);
	assert_int_equal(world.fabric->hosts, 3);
	world_clear(&world);
	assert_int_equal(load_path(&world, write_text("f.dot", "digraph {"), DOT_TABLES), -1);
	assert_error(&world.error, STATUS_FABRIC, "f.dot:1: syntax error");
	assert_int_equal(load_path(&world, write_text("f.dot", "digraph {\n\n}}"), DOT_TABLES), -1);
	assert_error(&world.error, STATUS_FABRIC, "f.dot:3: syntax error near '}'");
	assert_int_equal(load_path(&world, scratch_path("none"), DOT_TABLES), -1);
	assert_error(&world.error, STATUS_IO, "none: cannot open: No such file");
	assert_int_equal(load_path(&world, scratch_path("."), DOT_TABLES), -1);
	assert_error(&world.error, STATUS_IO, "is a directory");
}

TEST(a_host_without_a_link_must_be_allowed)
{
	struct world world;
	world_read(&world, "digraph { H1 -> S [comment=\"*\"]; S -> H1 [comment=H1]; H2; }", DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK);
	struct bytes bytes = cache_of(&world);
	world_clear(&world);
	assert_refused(&bytes, "host 'H2' has no up link");
	assert_int_equal(load(&world, &bytes, DOT_TABLES | DOT_ALLOW_NO_LINK), 0);
	world_clear(&world);
	free(bytes.data);
}

static struct path write_zstd(const struct bytes *bytes, size_t size)
{
	size_t room = ZSTD_compressBound(size);
	char *packed = malloc(room);
	struct path path = write_bytes("f.orcsb.zst", packed, ZSTD_compress(packed, room, bytes->data, size, 1));
	free(packed);
	return path;
}

TEST(reads_what_cannot_be_mapped)
{
	struct bytes bytes = cache_of_text(text);
	struct world world, mapped;
	assert_int_equal(load(&mapped, &bytes, DOT_TABLES | DOT_KEEP), 0);
	assert_true(*mapped.forwarding->mapping->mark.path);
	assert_int_equal(load_path(&world, write_zstd(&bytes, bytes.size), DOT_TABLES | DOT_KEEP), 0);
	assert_same_world(&mapped, &world);
	assert_false(*world.forwarding->mapping->mark.path);
	world_clear(&world);
	world_clear(&mapped);
	for (size_t size = 0; size < bytes.size; size += size < 1300 ? 1 : 61) {
		assert_int_equal(load_path(&world, write_zstd(&bytes, size), DOT_TABLES), -1);
		assert_error(&world.error, STATUS_FABRIC, size ? "the cache is truncated" : "is empty");
	}
	bytes.data = realloc(bytes.data, bytes.size + 1);
	bytes.data[bytes.size] = '\0';
	assert_int_equal(load_path(&world, write_zstd(&bytes, bytes.size + 1), DOT_TABLES), -1);
	assert_error(&world.error, STATUS_FABRIC, "the cache is damaged");
	free(bytes.data);
}

/* ---- what is damaged is refused */

TEST(every_byte_counts)
{
	struct bytes bytes = cache_of_text(text);
	for (size_t i = 0; i < bytes.size; i++) {
		char was = bytes.data[i];
		bytes.data[i] ^= (char)(1 << i % 8);
		assert_refused(&bytes, "cache");
		bytes.data[i] = was;
	}
	free(bytes.data);
}

TEST(every_length_counts)
{
	struct bytes bytes = cache_of_text(text);
	for (size_t size = 1; size < bytes.size; size++) {
		struct bytes cut = {bytes.data, size};
		assert_refused(&cut, "f.orcsb: the cache is truncated");
	}
	bytes.data = realloc(bytes.data, bytes.size + 1);
	bytes.data[bytes.size++] = '\0';
	assert_refused(&bytes, "f.orcsb: the cache is damaged: its content has been altered");
	free(bytes.data);
}

static struct cache_header *header_of(struct bytes *bytes)
{
	return (struct cache_header *)bytes->data;
}

static void seal(struct bytes *bytes)
{
	header_of(bytes)->checksum = cache_checksum(bytes->data, bytes->size);
}

TEST(other_versions_and_machines)
{
	struct bytes bytes = cache_of_text(text);
	for (int other = -1; other <= 1; other += 2) {
		char words[2][40];
		snprintf(words[0], sizeof words[0], "the cache has version %d,", CACHE_VERSION + other);
		snprintf(words[1], sizeof words[1], "reads version %d;", CACHE_VERSION);
		header_of(&bytes)->version = (uint32_t)(CACHE_VERSION + other);
		seal(&bytes);
		assert_refused(&bytes, words[0], words[1], "write it again, with orcs --save-fabric");
	}
	header_of(&bytes)->byte_order = __builtin_bswap32(CACHE_BYTE_ORDER);
	seal(&bytes);
	assert_refused(&bytes, "the byte order of another machine");
	free(bytes.data);
}

/* The place of a part, as the header tells it: every part but the names and the graph has a size that the counts give. */
static char *part_of(struct bytes *bytes, enum cache_part wanted)
{
	const struct cache_header *h = header_of(bytes);
	const size_t n = h->nodes, c = h->channels;
	const size_t size[CACHE_PARTS] = {h->names_bytes, 8 * n, 8 * n, 4 * c, 4 * c, 4 * (n + 1), 4 * c, 4 * h->hosts, 4 * n, 8 * c, c,
		h->tells & CACHE_LATENCIES ? 8 * c : 0, 4 * n, 4 * n, 8 * c, (size_t)4 * h->hosts * h->columns, h->computed_bytes, 2 * n, n,
		h->graph_bytes};
	char *at = bytes->data + sizeof *h;
	for (int p = 0; p < (int)wanted; p++)
		at += (size[p] + 63) / 64 * 64;
	return at;
}

TEST(reads_how_routes_are_computed)
{
	struct world world, again;
	world_topology(&world, "fattree:k=2,n=2", true);
	struct bytes bytes = cache_of(&world);
	assert_int_equal(load(&again, &bytes, DOT_TABLES | DOT_KEEP), 0);
	assert_same_world(&world, &again);
	assert_string_equal(again.forwarding->function->spec, "fattree:k=2,n=2");
	assert_string_equal(again.forwarding->function->routing, "dmodk");
	assert_same_array(world.forwarding->function->channel, again.forwarding->function->channel, world.fabric->channels);
	world_clear(&world);
	world_clear(&again);
	static const struct {
		size_t offset;
		char value;
		const char *words;
	} cases[] = {{0, 'g', "unknown topology 'gattree'"}, {10, '3', "9, 6 and 36"}, {16, 'x', "'xmodk'"},
		{15, '!', "the cache is damaged"}, {18, '\0', "the cache is damaged"}, {21, '!', "the cache is damaged"}};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		char *at = part_of(&bytes, CACHE_COMPUTED) + cases[i].offset, was = *at;
		*at = cases[i].value;
		seal(&bytes);
		assert_refused(&bytes, cases[i].words);
		*at = was;
	}
	free(bytes.data);
}

/* Sealed by somebody who knows the checksum: what it says is wrong all the same. */
TEST(nonsense_with_a_right_checksum)
{
	static const struct {
		enum cache_part part;
		size_t offset;
		uint32_t value;
	} cases[] = {
		{CACHE_FIRST_CHANNEL, 0, 1},
		{CACHE_FIRST_CHANNEL, 4, 5},
		{CACHE_FIRST_CHANNEL, 4, NONE},
		{CACHE_FIRST_CHANNEL, 20, 100},
		{CACHE_HEAD, 0, 5},
		{CACHE_HEAD, 4, NONE},
		{CACHE_HEAD, 0, 4}, /* another node, which the hops do not know of */
		{CACHE_HOST_NODE, 0, 5},
		{CACHE_HOST_NODE, 4, 0},
		{CACHE_NODE_HOST, 0, 1},
		{CACHE_NODE_HOST, 0, NONE},
		{CACHE_NODE_HOST, 12, 3},
		{CACHE_SPEED, 4, 0x7ff00000}, /* the upper half of a double: infinite */
		{CACHE_SPEED, 4, 0x7ff80000},
		{CACHE_SPEED, 4, 0xbff00000},
		{CACHE_SPEED, 4, 0},
		{CACHE_COLUMN, 0, 0},
		{CACHE_COLUMN, 12, NONE},
		{CACHE_COLUMN, 12, 1},
		{CACHE_FALLBACK, 0, 1},
		{CACHE_FALLBACK, 4, 7},
		{CACHE_HOP, 0, 0},
		{CACHE_HOP, 4, 1},
		{CACHE_NEXT, 0, 0},
		{CACHE_NEXT, 0, 100},
		{CACHE_NEXT, 4, NONE - 1},
		{CACHE_LMC, 0, LMC_MOST + 1},
	};
	struct bytes bytes = cache_of_text(text);
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		char *at = part_of(&bytes, cases[i].part) + cases[i].offset;
		uint32_t was;
		memcpy(&was, at, sizeof was);
		assert_int_not_equal(was, cases[i].value);
		memcpy(at, &cases[i].value, sizeof was);
		seal(&bytes);
		struct world world;
		if (!load(&world, &bytes, DOT_TABLES))
			fail_msg("case %zu is read", i);
		assert_error(&world.error, STATUS_FABRIC, "the cache is damaged");
		memcpy(at, &was, sizeof was);
	}
	memcpy(part_of(&bytes, CACHE_NAMES), "S1\0\0\0\0\0", 8); /* two of one name, or too many */
	seal(&bytes);
	assert_refused(&bytes, "the cache is damaged");
	memset(part_of(&bytes, CACHE_NAMES), 'x', header_of(&bytes)->names_bytes);
	seal(&bytes);
	assert_refused(&bytes, "the cache is damaged");
	free(bytes.data);
}

TEST(headers_with_a_right_checksum)
{
	struct bytes bytes = cache_of_text(text);
	const struct cache_header was = *header_of(&bytes);
	struct cache_header cases[] = {was, was, was, was, was, was, was, was, was};
	cases[0].nodes = NONE;
	cases[1].hosts = cases[1].columns = NONE;
	cases[2].channels = NONE;
	cases[3].columns = 0x40000000;
	cases[4].names_bytes = UINT64_MAX;
	cases[5].graph_bytes = UINT64_MAX - 63;
	cases[6].graph_bytes = 0;
	memset(cases[7].first_unknown, 'x', sizeof was.first_unknown);
	memset(cases[8].parser_warning, 'x', sizeof was.parser_warning);
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		*header_of(&bytes) = cases[i];
		seal(&bytes);
		assert_refused(&bytes, "the cache is damaged");
	}
	free(bytes.data);
}

/* The graph must be that of the tables. */
TEST(graphs_with_a_right_checksum)
{
	struct bytes bytes = cache_of_text(text);
	char *at = part_of(&bytes, CACHE_GRAPH), packed[1000];
	size_t room = header_of(&bytes)->graph_bytes;
	struct world world;
	memset(at, 0, room);
	seal(&bytes);
	assert_int_equal(load(&world, &bytes, DOT_TABLES), 0); /* nobody asks for it */
	world_clear(&world);
	assert_int_equal(load(&world, &bytes, DOT_TABLES | DOT_KEEP), -1);
	assert_error(&world.error, STATUS_FABRIC, "the cache is damaged");
	static const char other[] = "digraph { H1 -> S }";
	size_t size = ZSTD_compress(packed, sizeof packed, other, strlen(other), 1);
	assert_in_range(size, 1, room);
	memcpy(at, packed, size);
	seal(&bytes);
	assert_int_equal(load(&world, &bytes, DOT_TABLES | DOT_KEEP), -1);
	assert_error(&world.error, STATUS_FABRIC, "its graph does not match its tables");
	free(bytes.data);
}

/* ---- mappings */

TEST(maps_the_same_file_again)
{
	struct bytes bytes = cache_of_text(text);
	struct world world;
	assert_int_equal(load(&world, &bytes, DOT_TABLES), 0);
	struct mapped_file_mark mark = world.forwarding->mapping->mark;
	struct mapped_file *again = mapped_file_again(&mark);
	assert_non_null(again);
	assert_int_equal(again->bytes, bytes.size);
	assert_memory_equal(again->data, bytes.data, bytes.size);
	mapped_file_free(again);
	struct timespec earlier[2] = {{1, 0}, {1, 0}};
	assert_int_equal(utimensat(AT_FDCWD, mark.path, earlier, 0), 0);
	assert_null(mapped_file_again(&mark));
	unlink(mark.path);
	assert_null(mapped_file_again(&mark));
	assert_null(mapped_file_again(&(struct mapped_file_mark){0}));
	mapped_file_free(NULL);
	world_clear(&world);
	free(bytes.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_was_written),
		cmocka_unit_test(reads_trees_and_random_graphs),
		cmocka_unit_test(reads_how_routes_are_computed),
		cmocka_unit_test(reads_only_what_is_wanted),
		cmocka_unit_test(reads_graphs_too),
		cmocka_unit_test(a_host_without_a_link_must_be_allowed),
		cmocka_unit_test(reads_what_cannot_be_mapped),
		cmocka_unit_test(every_byte_counts),
		cmocka_unit_test(every_length_counts),
		cmocka_unit_test(other_versions_and_machines),
		cmocka_unit_test(nonsense_with_a_right_checksum),
		cmocka_unit_test(headers_with_a_right_checksum),
		cmocka_unit_test(graphs_with_a_right_checksum),
		cmocka_unit_test(maps_the_same_file_again),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
