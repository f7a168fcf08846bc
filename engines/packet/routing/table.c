/* The table of packet routings. A new one is one more file and one more line here. */
#include "base/spelling.h"
#include "engines/packet/routing/packet_routing.h"

#include <stdio.h>
#include <string.h>

#define PACKET_ROUTINGS(X) \
	X(tables) \
	X(entries) \
	X(updown) \
	X(ar) \
	X(adaptive) \
	X(dor) \
	X(zone) \
	X(min) \
	X(valiant) \
	X(ugal) \
	X(par)

#define DECLARE(name) extern const struct packet_routing packet_routing_##name;
#define LIST(name) &packet_routing_##name,

PACKET_ROUTINGS(DECLARE)
const struct packet_routing *const packet_routings[] = {PACKET_ROUTINGS(LIST) NULL};

const struct packet_routing *packet_routing_find(const char *spec, struct error *error)
{
	const char *names[sizeof packet_routings / sizeof *packet_routings];
	size_t length = spec_name_length(spec), count = 0;
	char name[64];
	for (; packet_routings[count]; count++) {
		names[count] = packet_routings[count]->name;
		if (strlen(names[count]) == length && !strncmp(spec, names[count], length))
			return packet_routings[count];
	}
	snprintf(name, sizeof name, "%.*s", (int)length, spec);
	error_unknown(error, "packet routing", name, names, count);
	return NULL;
}
