#include "base/args.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t spec_name_length(const char *spec)
{
	return strcspn(spec, ":");
}

bool read_integer(const char *text, int64_t min, int64_t max, int64_t *value)
{
	char *end;
	errno = 0;
	long long number = strtoll(text, &end, 10);
	if (end == text || *end || errno || number < min || number > max || !strchr("-0123456789", *text))
		return false;
	*value = number;
	return true;
}

double read_decimal(const char *text, char **end)
{
	size_t sign = *text == '-';
	double number = 0;
	*end = (char *)text;
	errno = 0;
	if (strchr("0123456789.", text[sign]) && text[sign] && (text[sign + 1] | 0x20) != 'x')
		number = strtod(text, end);
	if (errno == ERANGE && number == 0)
		*end = (char *)text;
	return number;
}

bool read_number(const char *text, double min, double max, double *value)
{
	return read_scaled(text, &(struct unit){"", 1}, min, max, value);
}

bool read_scaled(const char *text, const struct unit *unit, double min, double max, double *value)
{
	char *end;
	double number = read_decimal(text, &end), read = number;
	while (*unit->name && strcmp(end, unit->name))
		unit++;
	number *= unit->factor;
	if (end == text || strcmp(end, unit->name) || !isfinite(number) || number < min || number > max || (read > 0 && number == 0))
		return false;
	*value = number + 0; /* turns -0 into 0 */
	return true;
}

bool read_seconds(const char *text, double plain, double max, double *seconds)
{
	const struct unit units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"", plain}};
	return read_scaled(text, units, 0, max, seconds) && is_time(*seconds);
}

bool read_guid(const char *text, uint64_t *guid)
{
	const char *digits = text[0] == '0' && (text[1] | 0x20) == 'x' ? text + 2 : text;
	size_t length = strspn(digits, "0123456789abcdefABCDEF");
	if (!length || length > 16 || digits[length])
		return false;
	*guid = strtoull(digits, NULL, 16);
	return true;
}

bool read_size(const char *text, double *bytes)
{
	static const char units[] = "kMGT";
	char *end;
	*bytes = read_decimal(text, &end);
	const char *unit = end != text && *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
	for (long i = unit ? unit - units : -1; i >= 0; i--)
		*bytes *= 1000;
	return end != text && !end[unit != NULL] && !signbit(*bytes) && *bytes < 1e18;
}

static bool read_dimensions(const char *text, const struct arg *arg, struct arg_value *value)
{
	char copy[200];
	if (strlen(text) >= sizeof copy)
		return false;
	strcpy(copy, text);
	value->dimensions = 0;
	for (char *rest = copy; rest;) {
		char *part = strsep(&rest, "x");
		if (value->dimensions == DIMENSIONS_MAX || !read_integer(part, arg->min, arg->max, &value->dimension[value->dimensions++]))
			return false;
	}
	return true;
}

static int set_value(
	struct arg_value *value, const struct arg *arg, const char *text, const char *kind, const char *name, struct error *error)
{
	switch (arg->type) {
	case ARG_INTEGER:
		if (read_integer(text, arg->min, arg->max, &value->integer))
			return 0;
		return error_set(error, STATUS_USAGE, "%s '%s': %s is '%s', not an integer from %" PRId64 " to %" PRId64, kind, name,
			arg->key, text, arg->min, arg->max);
	case ARG_DIMENSIONS:
		if (read_dimensions(text, arg, value))
			return 0;
		return error_set(error, STATUS_USAGE,
			"%s '%s': %s is '%s', not up to %d lengths such as 4x4x8, each from %" PRId64 " to %" PRId64, kind, name, arg->key,
			text, DIMENSIONS_MAX, arg->min, arg->max);
	case ARG_FLAG: value->integer = 1; return 0;
	default: value->text = strdup(text); return value->text ? 0 : error_set(error, STATUS_IO, "out of memory");
	}
}

/* Returns whether the text begins with "KEY=", whether or not the table has that key. */
static bool has_key(const char *text)
{
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-");
	return length && text[length] == '=';
}

/*
 * Returns the parameter that a piece of the specification sets: the one of its key, otherwise the first positional one not yet given. Moves
 * *text past "KEY=". NULL if there is none.
 */
static const struct arg *find_arg(const struct arg *table, const bool *given, char **text)
{
	for (const struct arg *arg = table; arg->type != ARG_END; arg++) {
		size_t length = strlen(arg->key);
		if (arg->type == ARG_FLAG ? !strcmp(*text, arg->key) : !strncmp(*text, arg->key, length) && (*text)[length] == '=') {
			*text += arg->type == ARG_FLAG ? 0 : length + 1;
			return arg;
		}
	}
	for (const struct arg *arg = table; arg->type != ARG_END; arg++)
		if (!given[arg - table] && arg->type != ARG_FLAG)
			return arg->type == ARG_TEXT || !has_key(*text) ? arg : NULL;
	return NULL;
}

int args_parse(
	struct arg_values *values, const struct arg *table, const char *text, const char *kind, const char *name, struct error *error)
{
	static const struct arg none[] = {{.type = ARG_END}};
	bool given[ARGS_MAX] = {false};
	const char *named = NULL; /* the last parameter given by its key */
	*values = (struct arg_values){0};
	if (!table)
		table = none;
	char *copy = strdup(text ? text : "");
	if (!copy)
		return error_set(error, STATUS_IO, "out of memory");
	char usage[200];
	args_usage(usage, sizeof usage, name, table);
	int result = 0;
	for (char *rest = *copy ? copy : NULL; rest && !result;) {
		char *piece = rest, *start = rest;
		const struct arg *arg = find_arg(table, given, &piece);
		if (arg && arg->type == ARG_TEXT) { /* commas belong to the text */
			rest = NULL;
		} else {
			piece = strsep(&rest, ",");
			arg = find_arg(table, given, &piece);
		}
		if (!arg)
			result = error_set(error, STATUS_USAGE, "%s '%s': '%s' is %s; usage: %s", kind, name, piece,
				has_key(piece) ? "not a parameter" : "one parameter too many", usage);
		else if (given[arg - table])
			result = error_set(error, STATUS_USAGE, "%s '%s': %s is given twice", kind, name, arg->key);
		else if (named && piece == start && arg->type != ARG_FLAG && arg->type != ARG_TEXT)
			result = error_set(error, STATUS_USAGE,
				"%s '%s': '%s' after %s= needs its own KEY= (lists: numbers with colons, such as 1:0, names with +); usage: %s",
				kind, name, piece, named, usage);
		else {
			given[arg - table] = true;
			named = piece > start ? arg->key : named;
			result = set_value(&values->value[arg - table], arg, piece, kind, name, error);
		}
	}
	for (const struct arg *arg = table; arg->type != ARG_END && !result; arg++) {
		if (given[arg - table] || arg->type == ARG_FLAG)
			continue;
		if (!arg->preset)
			result = error_set(error, STATUS_USAGE, "%s '%s' requires the parameter %s (%s); usage: %s", kind, name, arg->key,
				arg->help, usage);
		else if (arg->type != ARG_TEXT || *arg->preset)
			result = set_value(&values->value[arg - table], arg, arg->preset, kind, name, error);
	}
	free(copy);
	return result;
}

void args_clear(struct arg_values *values)
{
	for (int i = 0; i < ARGS_MAX; i++)
		free(values->value[i].text);
	*values = (struct arg_values){0};
}

void args_usage(char *text, size_t size, const char *name, const struct arg *table)
{
	size_t length = (size_t)snprintf(text, size, "%s", name);
	char before = ':';
	for (; table && table->type != ARG_END && length < size; table++) {
		const char *shown = table->type == ARG_DIMENSIONS ? "AxB.." : table->key;
		bool optional = table->preset || table->type == ARG_FLAG;
		length += (size_t)snprintf(text + length, size - length, optional ? "[%c%s]" : "%c%s", before, shown);
		before = ',';
	}
}

void arg_describe(char *text, size_t size, const struct arg *arg)
{
	bool shown = arg->preset && *arg->preset && !strstr(arg->help, "default");
	snprintf(text, size, "%s: %s%s%s%s", arg->key, arg->help, shown ? " (default: " : "", shown ? arg->preset : "", shown ? ")" : "");
}

bool spec_begins(const char *list, const char *name)
{
	size_t length = spec_name_length(list), end = strcspn(list, ",");
	if (end < length)
		length = end;
	return strlen(name) == length && !strncmp(name, list, length);
}
