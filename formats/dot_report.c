/* Messages about the anomalies of a dot file. */
#include "formats/dot.h"

#include "base/shown.h"

#include <inttypes.h>
#include <string.h>

void dot_report_write(const struct dot_report *odd, FILE *file, const char *program, const char *source, bool speeds)
{
	source = SHOWN(source);
	if (odd->forwarding.unknown)
		fprintf(file, "%s: %s: warning: unknown names in forwarding sets, ignored: %" PRIu64 " (the first: '%s')\n", program,
			source, odd->forwarding.unknown, SHOWN(odd->forwarding.first_unknown));
	if (odd->forwarding.ambiguous)
		fprintf(file,
			"%s: %s: warning: multipath entries, of which the first channel is used (orcs --multipath random or split uses all): %" PRIu64
			"\n",
			program, source, odd->forwarding.ambiguous);
	if (odd->straight)
		fprintf(file, "%s: %s: warning: packets travel via random switches (via), but here they travel directly\n", program,
			source);
	if (odd->missing_speeds && speeds)
		fprintf(file, "%s: %s: warning: channels without a speed, so all are treated as equally fast: %" PRIu32 "\n", program,
			source, odd->missing_speeds);
	if (*odd->parser_warning)
		fprintf(file, "%s: %s: warning: %s\n", program, source, SHOWN(odd->parser_warning));
}

void dot_report_hint(const struct dot_report *odd, struct error *error)
{
	size_t length = strlen(error->text);
	if (error->status == STATUS_FABRIC && odd->hint)
		snprintf(error->text + length, sizeof error->text - length, " (%s)", odd->hint);
	if (error->status == STATUS_FABRIC && odd->forwarding.unknown)
		snprintf(error->text + length, sizeof error->text - length,
			" (unknown names in forwarding sets: %" PRIu64 ", the first '%s')", odd->forwarding.unknown,
			SHOWN(odd->forwarding.first_unknown));
}
