#include "fabric/host_lists.h"

#include <stdlib.h>

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reads the number before a ':' at *text and moves *text past the ':'. Returns whether there is one. */
static bool scan_number(const char **text, uint32_t most, uint32_t *number)
{
	char *end;
	while (is_blank(**text))
		++*text;
	if (**text < '0' || **text > '9')
		return false;
	unsigned long long read = strtoull(*text, &end, 10);
	if (*end != ':' || read > most)
		return false;
	*text = end + 1;
	*number = (uint32_t)read;
	return true;
}

/*
 * Finds the host whose name is at *text, up to a ',' or ';', and moves *text there. *host is NONE if the fabric is a plane that lacks it.
 * Returns whether there is one.
 */
static bool scan_host(const struct fabric *fabric, const char **text, uint32_t *host)
{
	while (is_blank(**text))
		++*text;
	const char *name = *text, *end = name;
	for (; **text && **text != ',' && **text != ';'; ++*text)
		if (!is_blank(**text))
			end = *text + 1;
	uint32_t node = name_table_find(&fabric->labels->names, name, (size_t)(end - name));
	*host = node == NAME_NONE ? NONE : fabric->node_host[node];
	return *host != NONE || (node == NAME_NONE && fabric->labels->plane);
}

bool host_lists_read(const struct fabric *fabric, const char *text, uint32_t most, host_lists_taker *take, void *data)
{
	uint32_t number, host;
	do {
		if (!scan_number(&text, most, &number))
			return false;
		do {
			if (!scan_host(fabric, &text, &host) || (host != NONE && !take(data, number, host)))
				return false;
		} while (*text == ',' && text++);
	} while (*text == ';' && text++);
	return true;
}
