#include "tools/check/shape_text.h"

#include "base/shown.h"
#include "tools/check/fault_text.h"

#include <inttypes.h>

void shape_write(FILE *file, const struct check *check)
{
	const struct shape *s = &check->shape;
	fputs("shape     ", file);
	if (s->planes > 1)
		fprintf(file, "%" PRIu32 " planes: ", s->planes);
	write_shown(file, s->name);
	if (s->least_hosts != s->most_hosts)
		fprintf(file, "; %" PRIu32 " to %" PRIu32 " hosts at a switch", s->least_hosts, s->most_hosts);
	if (s->missing_switches)
		fprintf(file, "; %" PRIu32 " switch%s missing", s->missing_switches, s->missing_switches == 1 ? "" : "es");
	if (s->deviations)
		fprintf(file, "; %" PRIu32 " cable%s", s->deviations, s->deviations == 1 ? " deviates" : "s deviate");
	putc('\n', file);
}

static const char *end_name(const struct check *check, uint32_t node)
{
	return node == NONE ? "(missing switch)" : check->fabric->labels->name[node];
}

void shape_write_deviations(FILE *file, const struct check *check, uint64_t most)
{
	const struct shape *s = &check->shape;
	uint32_t shown = s->deviations < most ? s->deviations : (uint32_t)most;
	if (s->deviations)
		fprintf(file, "\ncables that deviate from the shape: %" PRIu32 "\n", s->deviations);
	for (uint32_t i = 0; i < shown; i++) {
		const struct deviation *d = &s->deviation[i];
		fputs("  ", file);
		if (d->channel == NONE)
			fprintf(file, "%s - %s is missing", SHOWN(end_name(check, d->from)), SHOWN(end_name(check, d->to)));
		else
			write_channel(file, check, d->channel);
		fputs(d->channel == NONE ? "\n" : " is one too many\n", file);
	}
	if (shown < s->deviations)
		fprintf(file, "  and %" PRIu32 " more\n", s->deviations - shown);
}
