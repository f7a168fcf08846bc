/*
 * Finite fields of q = p^m elements, p a prime. Elements are numbers 0..q-1, whose digits to base p are the coefficients of a polynomial,
 * the lowest first. x^m is the polynomial with the smallest number for which the powers of x are all elements except 0; so x (for m = 1,
 * that number itself) is the generator.
 */
#ifndef TOPOLOGIES_FIELD_H
#define TOPOLOGIES_FIELD_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct field {
	uint32_t q, p;
	uint32_t *log; /* [q] logarithm to the generator; undefined for 0 */
	uint32_t *exp; /* [q-1] */
};

/* Makes the field of q elements. Returns 0, or -1, also if q is not a power of a prime. Time O(q^2) at worst. */
int field_init(struct field *field, uint32_t q, struct error *error);
void field_clear(struct field *field);

uint32_t field_add(const struct field *field, uint32_t a, uint32_t b);
uint32_t field_negative(const struct field *field, uint32_t a);

static inline uint32_t field_subtract(const struct field *field, uint32_t a, uint32_t b)
{
	return field_add(field, a, field_negative(field, b));
}

static inline uint32_t field_times(const struct field *field, uint32_t a, uint32_t b)
{
	return a && b ? field->exp[(field->log[a] + field->log[b]) % (field->q - 1)] : 0;
}

/* Returns a / b; b must not be 0. */
static inline uint32_t field_divide(const struct field *field, uint32_t a, uint32_t b)
{
	return a ? field->exp[(field->log[a] + field->q - 1 - field->log[b]) % (field->q - 1)] : 0;
}

#endif
