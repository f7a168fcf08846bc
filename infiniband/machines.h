/* The machine that a node description names, as batch systems know it, and the ports of machines that count. */
#ifndef INFINIBAND_MACHINES_H
#define INFINIBAND_MACHINES_H

#include "base/error.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

struct machine_rules {
	bool named, chosen; /* whether there is such an expression */
	regex_t name, port;
};

/*
 * Takes POSIX extended regular expressions; NULL: none. name: the machine is the first parenthesised group of the first match in a
 * description, or the whole match without a group. port: only ports whose description matches anywhere count. Returns 0, or -1:
 * STATUS_USAGE for a wrong expression, which the error names after option. machine_rules_clear() in every case.
 */
int machine_rules_init(struct machine_rules *rules, const char *name, const char *port, struct error *error);
void machine_rules_clear(struct machine_rules *rules);

/* Returns whether ports of a node of that description count. */
bool machine_port_counts(const struct machine_rules *rules, const char *desc);

/*
 * Returns the length of the machine's name within the description, and where it begins; 0: it names no machine. Without an expression for
 * names, that is the first word, unless the description names a product only.
 */
size_t machine_find(const struct machine_rules *rules, const char *desc, const char **from);

#endif
