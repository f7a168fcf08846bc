/* Finds the nodes and the ports of a fabric by the names, GUIDs and labels that plans and people use. */
#ifndef TOOLS_CHECK_PLAN_NAMES_H
#define TOOLS_CHECK_PLAN_NAMES_H

#include "base/name_table.h"
#include "fabric/fabric.h"
#include "tools/check/cable_list.h"
#include "tools/check/plan_list.h"

struct plan_names {
	const struct fabric *fabric;
	struct name_table keys;  /* key -> entry */
	struct key_entry *entry; /* [entries] */
	size_t entries, capacity;
	void *arena;
};

/* Collects the names of a fabric with labels. Returns 0, or -1 if out of memory; call plan_names_clear() in either case. */
int plan_names_init(struct plan_names *names, const struct fabric *fabric, struct error *error);
void plan_names_clear(struct plan_names *names);

enum name_found {
	NAME_FOUND,
	NAME_OF_NO_PORT, /* the node was found, but its port not: port 0 */
	NAME_AMBIGUOUS,  /* several nodes have the name */
	NAME_UNKNOWN,
};

/*
 * Finds the end of a planned cable. *end is set unless the result is NAME_AMBIGUOUS or NAME_UNKNOWN; its port is 0 if the plan states none
 * and the node has several. Time O(length), plus the number of nodes with the same name.
 */
enum name_found plan_names_find(const struct plan_names *names, const struct plan_end *planned, struct cable_end *end);

/* Returns the number of a port by its label alone, such as 5 of "Port 5"; 0 if the label does not state it. */
uint32_t plan_port_number(const char *label);

/* Returns the length of the name of the system, such as a director, that a node description begins with; *from: where. 0: none. */
size_t system_name(const char *desc, const char **from);

#endif
