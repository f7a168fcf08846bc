/* The subnet in the order in which OpenSM walks it: switches by GUID, their ports by number, end ports. */
#ifndef ROUTINGS_OPENSM_FABRIC_H
#define ROUTINGS_OPENSM_FABRIC_H

#include "routings/opensm/opensm.h"

/* A port of a switch. */
struct opensm_link {
	uint32_t to;   /* switch at the other end of the cable, OPENSM_NONE */
	uint32_t end;  /* end port there, OPENSM_NONE */
	uint8_t far;   /* number of the port at the other end */
	uint8_t lanes; /* virtual lanes, 0: unknown */
};

/* The same for ports that lead to another switch, or to their own. */
struct opensm_near {
	uint32_t to;
	uint8_t port, far;
};

struct opensm_switch {
	uint64_t guid, system_guid;
	uint32_t node;      /* of the subnet */
	uint32_t link;      /* its port p is link[this + p], p from 1 */
	uint32_t end_ports; /* cabled to it */
	uint16_t lid;       /* 0: none */
	uint8_t lmc, ports;
	bool one_sl, root; /* root: listed */
};

/* A port of a CA or a router. */
struct opensm_end {
	uint64_t guid;
	uint32_t to;              /* its switch; OPENSM_NONE: it is cabled to none */
	bool router, peer;        /* peer: cabled to another end port */
	bool one_sl, compute, io; /* the latter two: listed */
	uint16_t lid;
	uint8_t lmc, at; /* at: port of the switch */
};

struct opensm_fabric {
	struct opensm_switch *sw; /* [switches] by GUID */
	struct opensm_link *link; /* [links] */
	struct opensm_end *end;   /* [ends] by node GUID, then port number */
	struct opensm_near *near; /* those of a switch s by port: near[first_near[s]] .. near[first_near[s + 1] - 1] */
	uint32_t *first_near;     /* [switches + 1] */
	uint32_t *by_load;        /* [switches] those with the most end ports first, ties by GUID */
	uint32_t switches, links, ends;
	uint32_t lids, end_lids; /* highest LID + 1, and the highest of an end port + 1 */
	unsigned lmc;            /* the largest of any port */
};

/* Returns 0, or -1 if out of memory. opensm_fabric_clear() in every case. */
int opensm_fabric_init(
	struct opensm_fabric *fabric, const struct opensm_subnet *subnet, const struct opensm_options *options, struct error *error);
void opensm_fabric_clear(struct opensm_fabric *fabric);

/* Ports of a switch by number. */
static inline const struct opensm_link *opensm_port_of(const struct opensm_fabric *fabric, uint32_t number, unsigned port)
{
	return &fabric->link[fabric->sw[number].link + port];
}

/* The order of all maps of OpenSM: of GUIDs in network byte order that are read as native integers of a little-endian machine. */
static inline int opensm_guid_order(uint64_t left, uint64_t right)
{
	uint64_t a = __builtin_bswap64(left), b = __builtin_bswap64(right);
	return (a > b) - (a < b);
}

/* What an engine works on. */
struct opensm_task {
	const struct opensm_fabric *fabric;
	const struct opensm_options *options;
	struct opensm_tables *tables;
	struct error *error;
};

/* The lanes of the cable between switches that has fewest, 8 where none is known; at most OPENSM_LANES, and what the options allow. */
unsigned opensm_lanes(const struct opensm_task *task);

/* Writes why the engine refuses. Returns 0. */
int opensm_refuse(struct opensm_task *task, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An engine fills the entries, which are all OPENSM_NO_PORT before, or refuses. Returns 0, or -1 if out of memory. */
typedef int opensm_route_function(struct opensm_task *task);
opensm_route_function opensm_minhop, opensm_dor, opensm_updn, opensm_dnup, opensm_sssp, opensm_dfsssp, opensm_lash, opensm_ftree;

static inline void opensm_set(const struct opensm_task *task, uint32_t number, uint32_t lid, unsigned port)
{
	task->tables->entry[(size_t)lid * task->tables->switches + number] = (uint8_t)port;
}

#endif
