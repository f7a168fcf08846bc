#include "infiniband/sa_client.h"

#include "base/memory.h"
#include "infiniband/subnet_levels.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SA_CLASS = 3, SA_VERSION = 2, METHOD_GET = 1, METHOD_RESPONSE = 0x81, PATH_RECORD = 0x35, MAD = 256 };
enum { MILLISECONDS = 1000, RETRIES = 5 };
enum { MASK_DLID = 1 << 4, MASK_SLID = 1 << 5, MASK_PATHS = 1 << 12 };

/* Offsets in the packet, in bytes. */
enum {
	AT_METHOD = 3,
	AT_STATUS = 4,
	AT_TID = 12,
	AT_ATTRIBUTE = 16,
	AT_MASK = 48,
	AT_DLID = 96,
	AT_SLID = 98,
	AT_PATHS = 105,
	AT_LEVEL = 109
};

/* The status of an answer: the SA is busy, or has no such record. */
enum { STATUS_BUSY = 1, NO_RECORDS = 3, BUSY_TRIES = 250 };

/* What umad_get_port() of libibumad fills. */
struct umad_port {
	char name[20];
	int number;
	unsigned base_lid, lmc, sm_lid, sm_sl, state, physical, rate;
	uint32_t capabilities;
	uint64_t prefix, guid;
	unsigned partitions;
	uint16_t *partition;
	char layer[20];
};

/* The functions of libibumad. */
#define FUNCTIONS(X) \
	X(init, int, (void)) \
	X(open_port, int, (const char *, int)) \
	X(close_port, int, (int)) \
	X(get_port, int, (const char *, int, struct umad_port *)) \
	X(release_port, int, (struct umad_port *)) \
	X(register, int, (int, int, int, uint8_t, long *)) \
	X(size, size_t, (void)) \
	X(get_mad, void *, (void *)) \
	X(status, int, (void *)) \
	X(set_addr, int, (void *, int, int, int, int)) \
	X(send, int, (int, int, void *, int, int, int)) \
	X(recv, int, (int, void *, int *, int))

struct sa_client {
	void *library, *packet;
	int port, agent;
	unsigned lid, level; /* of the subnet manager */
	uint32_t count;      /* requests */
#define X(name, type, arguments) type(*umad_##name) arguments;
	FUNCTIONS(X)
#undef X
};

static int load_library(struct sa_client *c, struct error *error)
{
	c->library = dlopen("libibumad.so.3", RTLD_NOW);
	if (!c->library)
		return error_set(
			error, STATUS_IO, "the subnet administrator cannot be asked: %s; install the package libibumad3", dlerror());
#define X(name, type, arguments) \
	if (!(*(void **)&c->umad_##name = dlsym(c->library, "umad_" #name))) \
		return error_set(error, STATUS_IO, "the subnet administrator cannot be asked: %s", dlerror());
	FUNCTIONS(X)
#undef X
	return 0;
}

static int open_port(struct sa_client *c, struct error *error)
{
	struct umad_port port = {0};
	if (c->umad_init() < 0 || c->umad_get_port(NULL, 0, &port) < 0)
		return error_set(error, STATUS_IO,
			"the subnet administrator cannot be asked: this machine has no port of InfiniBand (see ibstat), or it may not be used");
	c->lid = port.sm_lid;
	c->level = port.sm_sl;
	c->umad_release_port(&port);
	if (!c->lid)
		return error_set(error, STATUS_IO,
			"the subnet administrator cannot be asked: no subnet manager has set up the port of this machine");
	c->port = c->umad_open_port(NULL, 0);
	if (c->port < 0)
		return error_set(error, STATUS_IO, "the subnet administrator cannot be asked: cannot open the port: %s (are you root?)",
			strerror(errno));
	c->agent = c->umad_register(c->port, SA_CLASS, SA_VERSION, 1, NULL);
	if (c->agent < 0)
		return error_set(error, STATUS_IO, "the subnet administrator cannot be asked: cannot register with the port");
	c->packet = array_create(c->umad_size() + MAD, 1, error);
	return error->status ? -1 : 0;
}

struct sa_client *sa_client_open(struct error *error)
{
	struct sa_client *client = array_create(1, sizeof *client, error);
	if (!client)
		return NULL;
	client->port = -1;
	if (!load_library(client, error) && !open_port(client, error))
		return client;
	sa_client_close(client);
	return NULL;
}

void sa_client_close(struct sa_client *client)
{
	if (!client)
		return;
	if (client->port >= 0)
		client->umad_close_port(client->port);
	if (client->library)
		dlclose(client->library);
	free(client->packet);
	free(client);
}

static void put(uint8_t *to, unsigned bytes, uint64_t value)
{
	for (; bytes--; value >>= 8)
		to[bytes] = (uint8_t)value;
}

static unsigned get(const uint8_t *from)
{
	return from[0] << 8 | from[1];
}

static void write_request(struct sa_client *c, uint8_t *mad, unsigned source, unsigned destination)
{
	memset(c->packet, 0, c->umad_size() + MAD);
	mad[0] = 1;
	mad[1] = SA_CLASS;
	mad[2] = SA_VERSION;
	mad[AT_METHOD] = METHOD_GET;
	put(mad + AT_TID, 4, ++c->count);
	put(mad + AT_ATTRIBUTE, 2, PATH_RECORD);
	put(mad + AT_MASK, 8, MASK_SLID | MASK_DLID | MASK_PATHS);
	put(mad + AT_DLID, 2, destination);
	put(mad + AT_SLID, 2, source);
	mad[AT_PATHS] = 1;
	c->umad_set_addr(c->packet, (int)c->lid, 1, (int)c->level, (int)0x80010000);
}

/* Receives the answer to the last request. Returns 0, or -1 if there is none. */
static int receive(struct sa_client *c, uint8_t *mad)
{
	uint8_t tid[4];
	put(tid, 4, c->count);
	do {
		int length = MAD;
		if (c->umad_recv(c->port, c->packet, &length, MILLISECONDS * (RETRIES + 1)) < 0 || c->umad_status(c->packet))
			return -1;
	} while (mad[AT_METHOD] != METHOD_RESPONSE || memcmp(mad + AT_TID, tid, sizeof tid) != 0);
	return 0;
}

/* Sends a request, again while the SA is busy. Returns its status, -1 if there is no answer. */
static int request(struct sa_client *c, uint8_t *mad, unsigned source, unsigned destination)
{
	const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
	for (int tries = 0;; tries++) {
		write_request(c, mad, source, destination);
		if (c->umad_send(c->port, c->agent, c->packet, MAD, MILLISECONDS, RETRIES) < 0 || receive(c, mad))
			return -1;
		unsigned status = get(mad + AT_STATUS);
		if (!(status & STATUS_BUSY) || tries == BUSY_TRIES)
			return (int)status;
		nanosleep(&pause, NULL);
	}
}

int sa_client_level(struct sa_client *client, unsigned source, unsigned destination, unsigned *level, struct error *error)
{
	uint8_t *mad = client->umad_get_mad(client->packet);
	int status = request(client, mad, source, destination);
	if (status < 0)
		return error_set(
			error, STATUS_IO, "the subnet administrator at LID %u does not answer; is a subnet manager running?", client->lid);
	*level = status ? LEVEL_UNKNOWN : mad[AT_LEVEL] & 15;
	if (!status || status >> 8 == NO_RECORDS)
		return 0;
	return error_set(error, STATUS_IO, "the subnet administrator refuses to say the path from LID %u to LID %u: status 0x%x", source,
		destination, status);
}
