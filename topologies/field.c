#include "topologies/field.h"

#include "base/memory.h"

#include <stdlib.h>

/* Returns the prime of which q is a power, 0 if there is none. */
static uint32_t prime_of(uint32_t q)
{
	uint32_t p = 2;
	while (p < q && q % p)
		p++;
	while (q > 1 && q % p == 0)
		q /= p;
	return q == 1 ? p : 0;
}

uint32_t field_add(const struct field *field, uint32_t a, uint32_t b)
{
	uint32_t sum = 0;
	for (uint32_t place = 1; a || b; place *= field->p, a /= field->p, b /= field->p)
		sum += (a % field->p + b % field->p) % field->p * place;
	return sum;
}

uint32_t field_negative(const struct field *field, uint32_t a)
{
	uint32_t negative = 0;
	for (uint32_t place = 1; a; place *= field->p, a /= field->p)
		negative += (field->p - a % field->p) % field->p * place;
	return negative;
}

/* Returns a times x, where x^m is the element reduced: the highest coefficient of a becomes that multiple of it. */
static uint32_t times_x(const struct field *field, uint32_t a, uint32_t reduced)
{
	uint32_t high = field->q / field->p, product = a % high * field->p;
	for (uint32_t coefficient = a / high; coefficient; coefficient--)
		product = field_add(field, product, reduced);
	return product;
}

/* Returns whether the powers of x are all elements except 0; fills the tables with them. */
static bool generates(struct field *field, uint32_t reduced)
{
	uint32_t element = 1;
	for (uint32_t i = 0; i < field->q - 1; i++) {
		if (i && element <= 1)
			return false;
		field->exp[i] = element;
		field->log[element] = i;
		element = times_x(field, element, reduced);
	}
	return element == 1;
}

int field_init(struct field *field, uint32_t q, struct error *error)
{
	*field = (struct field){.q = q, .p = q > 1 ? prime_of(q) : 0};
	if (!field->p)
		return error_set(error, STATUS_USAGE, "q is %u, not a power of a prime", q);
	field->log = array_create(q, sizeof *field->log, error);
	field->exp = array_create(q, sizeof *field->exp, error);
	uint32_t reduced = 1;
	while (!error->status && !generates(field, reduced))
		reduced++;
	return error->status ? -1 : 0;
}

void field_clear(struct field *field)
{
	free(field->log);
	free(field->exp);
	*field = (struct field){0};
}
