#include "engines/flow/storage_options.h"

#include "base/args.h"
#include "base/values.h"
#include "cli/usage.h"

#include <stdio.h>
#include <string.h>

static const char program[] = "orcs";

static void refuse(const char *text)
{
	usage_error(program, "--storage is '%s', not local, cached:P (percent), internal:K, external:K[,inside=J][,any], san or nas:HOST",
		text);
}

/* Reads "K", and for external storage ",inside=J" and ",any". */
static void read_devices(struct storage_options *o, const char *text, const char *numbers)
{
	static const struct arg internal[] = {{"devices", ARG_INTEGER, NULL, 1, 1 << 24, "devices"}, {.type = ARG_END}};
	static const struct arg external[] = {
		{"devices", ARG_INTEGER, NULL, 1, 1 << 24, "devices"},
		{"inside", ARG_INTEGER, "0", 0, 1 << 24, "those on the job's own hosts"},
		{"any", ARG_FLAG, NULL, 0, 0, "also hosts that others hold"},
		{.type = ARG_END},
	};
	bool outside = o->policy == STORAGE_EXTERNAL;
	struct arg_values values;
	struct error error = {0};
	if (args_parse(&values, outside ? external : internal, numbers, "--storage", outside ? "external" : "internal", &error))
		refuse(text);
	o->devices = (uint32_t)values.value[0].integer;
	if (outside) {
		o->inside = (uint32_t)values.value[1].integer;
		o->any = values.value[2].integer;
	}
	args_clear(&values);
	if (o->inside > o->devices)
		usage_error(program, "--storage is '%s': inside=%u is more than its %u devices", text, o->inside, o->devices);
}

void storage_read_policy(struct storage_options *o, const char *text)
{
	size_t length = strcspn(text, ":");
	const char *rest = text[length] ? text + length + 1 : NULL;
	char *end;
	o->given = "storage";
	o->cached = 0;
	o->devices = o->inside = 0;
	o->any = false;
	if (!strcmp(text, "local")) {
		o->policy = STORAGE_LOCAL;
	} else if (!strcmp(text, "san")) {
		o->policy = STORAGE_SAN;
	} else if (!strncmp(text, "cached:", 7)) {
		o->policy = STORAGE_LOCAL;
		o->cached = read_decimal(rest, &end) / 100;
		if (end == rest || *end || !(o->cached >= 0 && o->cached <= 1))
			refuse(text);
	} else if (!strncmp(text, "nas:", 4) && *rest) {
		o->policy = STORAGE_NAS;
		o->nas = rest;
	} else if (rest && (!strncmp(text, "internal", length) || !strncmp(text, "external", length)) && length == 8) {
		o->policy = *text == 'i' ? STORAGE_INTERNAL : STORAGE_EXTERNAL;
		read_devices(o, text, rest);
	} else {
		refuse(text);
	}
}

/* A rate that has a name in an option's value. */
struct named_rate {
	const char *name;
	double *rate;
};

/* Reads "NAME=RATE,...", with the names of three rates, none of which is set. */
static void read_rates(const char *option, const char *text, const struct named_rate *rates)
{
	enum { RATES = 3 };
	char word[100], what[60];
	for (const char *at = text;;) {
		size_t length = strcspn(at, ","), name = strcspn(at, "=");
		const struct named_rate *found = NULL;
		snprintf(word, sizeof word, "%.*s", (int)length, name < length ? at + name + 1 : "");
		for (int i = 0; i < RATES; i++)
			if (name < length && name == strlen(rates[i].name) && !strncmp(at, rates[i].name, name))
				found = &rates[i];
		if (!found || length - name >= sizeof word)
			usage_error(program, "%s is '%s', not %s=RATE,%s=RATE,%s=RATE, or some of them", option, text, rates[0].name,
				rates[1].name, rates[2].name);
		word[length - name - 1] = '\0';
		snprintf(what, sizeof what, "%s %s", option, found->name);
		if (*found->rate > 0)
			usage_error(program, "%s is '%s', which has %s= twice", option, text, found->name);
		*found->rate = usage_rate(program, what, word);
		if (!at[length])
			return;
		at += length + 1;
	}
}

void storage_read_device(struct storage_options *o, const char *text)
{
	o->read = o->write = o->controller = 0;
	const struct named_rate rates[] = {{"read", &o->read}, {"write", &o->write}, {"controller", &o->controller}};
	o->given = "storage-device";
	read_rates("--storage-device", text, rates);
}

void storage_read_san(struct storage_options *o, const char *text)
{
	o->san_read = o->san_write = o->san_link = 0;
	const struct named_rate rates[] = {{"read", &o->san_read}, {"write", &o->san_write}, {"link", &o->san_link}};
	o->given = "storage-san";
	read_rates("--storage-san", text, rates);
}

void storage_options_check(const struct storage_options *o)
{
	bool device = o->read > 0 || o->write > 0 || o->controller > 0, san = o->san_read > 0 || o->san_write > 0 || o->san_link > 0;
	if (san && o->policy != STORAGE_SAN)
		usage_error(program, "--storage-san needs --storage san");
	if (device && o->policy == STORAGE_SAN)
		usage_error(program, "--storage-device is for storage on hosts; the rates of a SAN are set by --storage-san");
}
