/* Blocks between levels: which switches they join, what is missing, what is too much, and the place of every cable. */
#include "helpers.h"

#include "fabric/fair_share.h"
#include "pictures/scene.h"

#include <stdlib.h>
#include <string.h>

struct blocked {
	struct world world;
	struct fair_share fair;
	struct scene scene;
};

/* A leaf L0.. has a host and as many cables to each spine S0.. as the digits of its row say. */
static struct blocked make_blocks(const char *const *row, size_t leaves)
{
	struct blocked b = {0};
	struct error error = {0};
	char text[20000];
	int length = snprintf(text, sizeof text, "digraph {\n");
	for (size_t i = 0; i < leaves; i++) {
		length += snprintf(text + length, sizeof text - (size_t)length, "H%zu -> L%zu; L%zu -> H%zu;\n", i, i, i, i);
		for (size_t k = 0; row[i][k]; k++)
			for (char n = '0'; n < row[i][k]; n++)
				length +=
					snprintf(text + length, sizeof text - (size_t)length, "L%zu -> S%zu; S%zu -> L%zu;\n", i, k, k, i);
	}
	snprintf(text + length, sizeof text - (size_t)length, "}\n");
	assert_int_equal(world_read(&b.world, text, DOT_KEEP | DOT_ALLOW_NO_LINK), 0);
	double *routes = calloc(b.world.fabric->channels, sizeof *routes);
	assert_non_null(routes);
	for (uint32_t c = 0; c < b.world.fabric->channels; c++)
		routes[c] = 1;
	assert_int_equal(fair_share_find(&b.fair, b.world.fabric, routes, NULL, &error), 0);
	assert_int_equal(scene_make(&b.scene, b.world.fabric, &b.fair, b.world.attributes, &error), 0);
	free(routes);
	return b;
}

static void clear_blocks(struct blocked *b)
{
	scene_clear(&b->scene);
	fair_share_clear(&b->fair);
	world_clear(&b->world);
}

static void has(const char *const *row, size_t leaves, uint32_t blocks, uint32_t holes, uint32_t extra, bool dense)
{
	struct blocked b = make_blocks(row, leaves);
	const struct blocks *found = &b.scene.blocks;
	assert_int_equal(found->stages, 1);
	assert_int_equal(found->blocks, blocks);
	assert_int_equal(found->stage[0].holes, holes);
	assert_int_equal(found->stage[0].extra, extra);
	assert_int_equal(found->block[0].dense, dense);
	uint64_t lacking = 0;
	uint32_t cables = 0;
	for (uint32_t i = 0; i < found->blocks; i++) {
		const struct block *block = &found->block[i];
		for (uint32_t r = 0; r < block->rows; r++)
			for (uint32_t c = 0; c < block->columns; c++) {
				uint32_t there = 0;
				for (uint32_t k = 0; k < block->cells; k++) {
					const struct cell *cell = &found->cell[block->first_cell + k];
					there += cell->row == r && cell->column == c ? cell->cables : 0;
				}
				lacking += cell_lacks(found, block, r, c, there);
				cables += there;
			}
	}
	assert_int_equal(lacking, holes);
	assert_int_equal(cables, found->stage[0].cables);
	assert_int_equal(cables + leaves, b.scene.cables.cables);
	clear_blocks(&b);
}

TEST(a_whole_block)
{
	has((const char *const[]){"111", "111", "111"}, 3, 1, 0, 0, true);
	has((const char *const[]){"222", "222", "222"}, 3, 1, 0, 0, true);
}

TEST(two_blocks)
{
	has((const char *const[]){"1100", "1100", "0011", "0011"}, 4, 2, 0, 0, true);
}

TEST(a_missing_cable_is_a_hole)
{
	has((const char *const[]){"1111", "1011", "1111"}, 3, 1, 1, 0, true);
	has((const char *const[]){"2222", "2022", "2222"}, 3, 1, 2, 0, true);
}

TEST(one_of_two_cables_is_missing)
{
	has((const char *const[]){"2222", "2122", "2222"}, 3, 1, 1, 0, true);
}

TEST(an_extra_cable)
{
	has((const char *const[]){"1111", "1211", "1111"}, 3, 1, 0, 1, true);
}

TEST(a_switch_with_hardly_any_cables_has_no_holes)
{
	has((const char *const[]){"1111", "1111", "1111", "1000"}, 4, 1, 0, 0, true);
}

TEST(stripes_are_not_dense)
{
	has((const char *const[]){"101010", "010101", "101010", "010101", "110000"}, 5, 1, 0, 0, false);
}

/* Every cable is where its ends are, and its channels lead up and down. */
TEST(the_place_of_every_cable)
{
	struct blocked b = make_blocks((const char *const[]){"12", "21", "10"}, 3);
	const struct blocks *found = &b.scene.blocks;
	const struct fabric *f = b.world.fabric;
	for (uint32_t k = 0; k < found->cells; k++) {
		const struct block *block = &found->block[0];
		const struct cell *cell = &found->cell[k];
		uint32_t row = found->node[block->first_row + cell->row], column = found->node[block->first_column + cell->column];
		for (uint32_t i = 0; i < cell->cables; i++) {
			uint32_t cable = found->cable[cell->first + i];
			uint32_t up = cell_channel(found, block, cell, &b.scene.cables, cable, CABLE_UP);
			uint32_t down = cell_channel(found, block, cell, &b.scene.cables, cable, CABLE_DOWN);
			assert_int_equal(fabric_tail(f, up), row);
			assert_int_equal(f->head[up], column);
			assert_int_equal(fabric_tail(f, down), column);
			assert_int_equal(f->head[down], row);
			assert_int_equal(b.scene.cables.of[up], cable);
			assert_int_equal(b.scene.cables.of[down], cable);
		}
	}
	clear_blocks(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_block),
		cmocka_unit_test(two_blocks),
		cmocka_unit_test(a_missing_cable_is_a_hole),
		cmocka_unit_test(one_of_two_cables_is_missing),
		cmocka_unit_test(an_extra_cable),
		cmocka_unit_test(a_switch_with_hardly_any_cables_has_no_holes),
		cmocka_unit_test(stripes_are_not_dense),
		cmocka_unit_test(the_place_of_every_cable),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
