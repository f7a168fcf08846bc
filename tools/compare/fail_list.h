/* The failures that a sweep tries: sets of cables and nodes. */
#ifndef TOOLS_COMPARE_FAIL_LIST_H
#define TOOLS_COMPARE_FAIL_LIST_H

#include "base/files.h"
#include "fabric/port_names.h"

enum failure_kind { FAILURE_CABLE, FAILURE_SWITCH, FAILURE_RANDOM, FAILURE_LISTED };

/* The names of the kinds, in this order. */
extern const char *const failure_kinds[];

struct failure {
	enum failure_kind kind;
	uint32_t node;    /* the switch, or the tail of channel; NONE: listed */
	uint32_t channel; /* of the cable, in one direction; NONE: none */
	size_t first;     /* its parts: part[first] .. part[first + parts - 1] */
	uint32_t parts;
	const char *text; /* the line of a file, or the word; NULL */
};

struct fail_list {
	struct failure *list; /* [count] */
	size_t count, capacity;
	/* a channel of a cable, or the number of channels + a node */
	uint32_t *part; /* [parts] */
	size_t parts, part_capacity;
	char **text; /* [texts] owned lines of files */
	size_t texts, text_capacity;
};

/* Checks the words of a list: each-cable, each-switch, random:KxN, file:PATH, NODE[:PORT]. Returns 0, or -1 with STATUS_USAGE. Registers
 * files. */
int fail_list_check(const char *list, struct files *files, struct error *error);

/*
 * Makes the failures of a list, in its order. each-cable: all cables between switches; in a fabric without switches, all. random:KxN: N
 * sets of K such cables. Returns 0, or -1: STATUS_USAGE for names that the fabric does not have or too large a K, STATUS_IO. Call
 * fail_list_clear() in either case.
 */
int fail_list_make(struct fail_list *failures, const char *list, const struct port_names *names, const uint32_t *reverse, uint64_t seed,
	struct error *error);
void fail_list_clear(struct fail_list *failures);

#endif
