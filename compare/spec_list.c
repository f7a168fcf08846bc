#include "compare/spec_list.h"

#include "base/args.h"
#include "base/shown.h"

#include <stdlib.h>
#include <string.h>

char *spec_list_next(const char **list, bool (*is_name)(const char *text), struct error *error)
{
	const char *text = *list, *end = strchrnul(text, ','), *colon = strchr(text, ':');
	while (*end && colon && colon < end && !is_name(end + 1))
		end = strchrnul(end + 1, ',');
	*list = *end ? end + 1 : NULL;
	char *spec = strndup(text, (size_t)(end - text));
	if (!spec)
		error_set(error, STATUS_IO, "out of memory");
	return spec;
}

static bool is_pattern(const char *text)
{
	for (const struct pattern *const *p = patterns; *p; p++)
		if (spec_begins(text, (*p)->name))
			return true;
	return false;
}

int pattern_list_read(struct pattern_request *pattern, int *count, int most, const char *list, struct error *error)
{
	while (list && !error->status) {
		char *spec = spec_list_next(&list, is_pattern, error);
		for (int i = 0; i < *count && spec; i++)
			if (!strcmp(pattern[i].spec, spec))
				error_set(error, STATUS_USAGE, "pattern '%s' is given twice", SHOWN(spec));
		if (*count == most && spec)
			error_set(error, STATUS_USAGE, "more than %d patterns", most);
		if (error->status)
			free(spec);
		else
			pattern[(*count)++] = (struct pattern_request){.spec = spec, .first_ranks = -1};
	}
	return error->status ? -1 : 0;
}
