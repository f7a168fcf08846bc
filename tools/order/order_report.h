/* The result of orcs-order: the order in the forms that launchers read, and what it is worth as text and JSON. */
#ifndef TOOLS_ORDER_ORDER_REPORT_H
#define TOOLS_ORDER_ORDER_REPORT_H

#include "base/values.h"
#include "tools/order/order_options.h"
#include "tools/order/rank_order.h"

#include <stdio.h>

struct order_result {
	const struct fabric *fabric; /* with labels */
	const struct rank_search *search;
	double random, by_name, by_leaf; /* sums of the largest loads; random: the mean of ORDER_RANDOM orders */
};

enum { ORDER_RANDOM = 20, MACHINE_SIZE = 256 };

/* Writes a line for each rank. Returns 0, or -1: STATUS_FABRIC for a name that the form cannot hold, or if out of memory. */
int order_write(const struct order_result *result, enum order_format format, FILE *file, struct error *error);

/* Writes the result. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory. */
int order_report(
	const struct order_result *result, const struct order_options *options, enum format format, FILE *file, struct error *error);

/* Writes to name the machine of a host, by which launchers know it: the first word of its description, or its name. */
void order_machine(const struct fabric *fabric, uint32_t host, char name[MACHINE_SIZE]);

#endif
