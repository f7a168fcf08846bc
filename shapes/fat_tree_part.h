/* One part of the switches as a fat tree; switches are numbered within the part. Shared by the files of fat_tree.h. */
#ifndef SHAPES_FAT_TREE_PART_H
#define SHAPES_FAT_TREE_PART_H

#include "shapes/fat_tree.h"
#include "shapes/shape_part.h"

struct tree_part {
	const struct part *part;
	/* tree_levels_find() */
	bool *leaf;      /* [switches] many hosts, or cabled like such a switch */
	uint32_t *level; /* [switches] at most top */
	bool *root;      /* [switches] */
	uint32_t top;    /* 0: not a tree */
	/* tree_blocks_find(): a block is named by one of its upper switches */
	uint32_t *below;    /* [switches] block of an upper switch with its lower ones; NONE: none */
	uint32_t *uppers;   /* [switches] by block: number of upper switches */
	uint32_t *lowers;   /* [switches] by block: number of lower switches */
	uint32_t *lacking;  /* [switches] by block: upper switches that seem to be missing */
	uint32_t *block;    /* [part->first[switches]] blocks of lower switch x: block[part->first[x]] .., blocks[x] of them */
	uint32_t *blocks;   /* [switches] */
	uint32_t *expected; /* [switches] number of upper switches of all blocks of a lower one */
	uint32_t *order;    /* [switches] temporary, as the rest */
	uint32_t *tally;    /* [switches] all 0 between uses */
	uint32_t *values;   /* [switches + part->first[switches]] */
};

/* Allocates. Returns 0, or -1; call tree_part_clear() in either case. */
int tree_part_init(struct tree_part *tree, const struct part *part, struct error *error);
void tree_part_clear(struct tree_part *tree);

/* Finds leaves, levels, the top and the roots. Returns 0, or -1. */
int tree_levels_find(struct tree_part *tree, struct error *error);

/* Finds the blocks between each two levels. Returns 0, or -1. */
int tree_blocks_find(struct tree_part *tree, struct error *error);

/* Returns whether x is a lower switch of that block. */
static inline bool tree_block_has(const struct tree_part *tree, uint32_t x, uint32_t block)
{
	const uint32_t *own = tree->block + tree->part->first[x];
	for (uint32_t i = 0; i < tree->blocks[x]; i++)
		if (own[i] == block)
			return true;
	return false;
}

#endif
