#include "compare/comparison.h"

#include "fabric/planes.h"
#include "compare/copy.h"

#include <string.h>

/* Returns whether all other fabrics have the same planes, by the numbers of their hosts. */
static bool have_planes(const struct comparison *c, const struct planes *planes, struct error *error)
{
	bool same = true;
	for (int i = 0; i < c->routings && same && !error->status; i++) {
		struct fabric *fabric = NULL;
		struct forwarding *forwarding;
		struct attributes *attributes;
		struct dot_report odd;
		struct planes its = {0};
		if (!c->routing[i].there || c->routing[i].source == c->routing[0].source)
			continue;
		if (fabric_source_load(
			    c->routing[i].source, DOT_ALLOW_NO_LINK, c->files, c->oddities, &fabric, &forwarding, &attributes, &odd, error))
			copy_name_error(c->routing[i].source, c->routing[i].label, error);
		else if (!planes_find(&its, fabric, error))
			same = its.planes == planes->planes && !memcmp(its.hosts, planes->hosts, its.planes * sizeof *its.hosts);
		planes_clear(&its);
		fabric_free(fabric);
	}
	return same && !error->status;
}

int comparison_find_planes(struct comparison *c, const struct fabric *fabric, struct error *error)
{
	struct planes planes;
	bool apart;
	if (!c->watches)
		return 0;
	if (!planes_apart(&planes, fabric, c->subset, c->mapping, c->asked, c->seed, &apart, error) && apart &&
		have_planes(c, &planes, error))
		c->plane = planes_list(&planes, &c->planes, error);
	planes_clear(&planes);
	return error->status ? -1 : 0;
}
