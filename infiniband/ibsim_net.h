/* What the input of the simulator ibsim has beyond the topology file of ibnetdiscover(8): for ibnetdiscover.c. */
#ifndef INFINIBAND_IBSIM_NET_H
#define INFINIBAND_IBSIM_NET_H

#include "infiniband/dump.h"

enum { IBSIM_ALIASES_MAX = 1024 };

/* Bit masks of PortInfo; 0: not given. */
struct ibsim_masks {
	uint32_t width, speed, extended;
};

struct ibsim_alias {
	const char *name;
	uint32_t port;
};

/* What the lines so far have set. */
struct ibsim_net {
	bool started;     /* nodes have got GUIDs */
	uint64_t base[4]; /* [enum node_kind] the next GUID */
	struct ibsim_masks masks;
	const char *module; /* NULL: none */
	struct ibsim_alias alias[IBSIM_ALIASES_MAX];
	size_t aliases;
};

/* The GUID that a node of so many ports gets when its id tells none, 0 for none; the next node gets a later one. */
uint64_t ibsim_next_guid(struct ibsim_net *net, enum node_kind kind, uint32_t ports);

/* The node of an id, to which the module's name is added; NONE with the error set. */
uint32_t ibsim_node(struct dump_reader *reader, const struct ibsim_net *net, const char *id, size_t length);

/* Moves *text past "@NAME" in quotes; *port is what a line above calls so, NONE where no '@' follows. Returns 0, or -1 with the error. */
int ibsim_alias_port(struct dump_reader *reader, const struct ibsim_net *net, char **text, uint32_t *port);

/* The masks "w=2 s=7 e=4" behind a port, and where none is given those set above, join what is known of its cable. LINE_TAKEN, or
 * LINE_FAILED. */
enum dump_line ibsim_link(struct dump_reader *reader, const struct ibsim_net *net, uint32_t port, char *text);

/* An alias, include, module or command; node is the one whose ports are being told, NONE: none yet. */
enum dump_line ibsim_line(struct dump_reader *reader, struct ibsim_net *net, uint32_t node, char *text);

#endif
