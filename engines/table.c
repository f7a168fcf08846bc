/* The table of engines. A new engine is one more folder and one more line here. */
#include "fabric/walk.h"
#include "engines/engine.h"

#include <string.h>

#define ENGINES(X) \
	X(congestion) \
	X(flow) \
	X(latency) \
	X(packet) \
	X(null)

#define DECLARE(name) extern const struct engine engine_##name;
#define LIST(name) &engine_##name,

ENGINES(DECLARE)
const struct engine *const engines[] = {ENGINES(LIST) NULL};

void engines_list(char *text, size_t size, unsigned takes, unsigned gives)
{
	const char *name[ENGINES_MAX];
	int count = 0;
	for (const struct engine *const *e = engines; *e; e++)
		if ((!takes || (*e)->takes & takes) && (!gives || (*e)->gives & gives))
			name[count++] = (*e)->name;
	*text = '\0';
	for (int i = 0; i < count; i++) {
		size_t used = strlen(text);
		snprintf(text + used, size - used, "%s%s", !i ? "" : i + 1 < count ? ", " : " or ", name[i]);
	}
}

void engine_explain_route(const struct engine_setup *setup, uint32_t source, uint32_t destination, struct error *error)
{
	const struct source_routes *routes = setup->multipath ? setup->multipath->setup.routes : NULL;
	if (routes && routes->demand && routes->demand->error.status) /* the pair has no route for want of memory */
		*error = routes->demand->error;
	else if (setup->multipath)
		route_choice_explain(setup->multipath, source, destination, error);
	else
		walk_explain(setup->fabric, setup->forwarding, source, destination, error);
}

void engine_explain_endless(const struct engine_setup *setup, uint64_t longest, struct error *error)
{
	const double day = 86400 * PICOSECONDS;
	error_at(error, STATUS_FABRIC, setup->fabric->labels->source, 0, "simulated time exceeds %d days; check --capacity and --bytes",
		(int)((double)longest / day));
}
