/*
 * Random fabrics, and fabrics written as dot.
 */
#ifndef TESTS_PROPERTY_GENERATE_H
#define TESTS_PROPERTY_GENERATE_H

#include "random.h"
#include "reference.h"

/* A connected fabric of 1..6 switches and 2..24 hosts with a route for every pair. A spoiled one
 * may have lost entries, hold loops, or list destinations twice. */
void generate_fabric(struct fabric *f, struct rng *r, bool spoiled);

void write_dot(const struct fabric *f, struct rng *r, FILE *out);

#endif
