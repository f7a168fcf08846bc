/*
 * Patterns that draw random numbers: what was drawn cannot be foretold, but it has properties.
 */
#ifndef TESTS_PROPERTY_DRAWN_H
#define TESTS_PROPERTY_DRAWN_H

#include "question.h"
#include "verify.h"

/* Takes the printed pattern of a result into p, and checks what its definition promises: `rand` is
 * a permutation, `hotspot:K` sends every rank to one of 0..K-1, a pattern beside them is itself. */
void take_drawn(struct report *r, const cJSON *root, const struct question *q, struct pattern *p);

#endif
