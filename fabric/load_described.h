/* Loads, fair shares and excesses (fabric/fair_share.h) in reports. */
#ifndef FABRIC_LOAD_DESCRIBED_H
#define FABRIC_LOAD_DESCRIBED_H

#include "base/document.h"
#include "fabric/fair_share.h"

/*
 * Adds the members of a load object: classes (channels by class), above, more_than_twice, tree, hottest (the channel, its load, share,
 * excess and class, and how many others have the same excess; null without routes) and tiers. The fabric must have labels.
 */
void add_load(struct node *to, const struct fabric *fabric, const struct fair_share *fair);

/*
 * Writes the verdict in words: "823 of 6538 channels carry more than their fair share, 68 more than twice; the hottest 5.28 times: A[1] ->
 * B[2]", or "no channel of 1296 carries more than its fair share".
 */
void write_load(FILE *file, const struct fabric *fabric, const struct fair_share *fair);

#endif
