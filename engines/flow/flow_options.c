#include "engines/flow/flow_options.h"

#include "base/values.h"
#include "cli/usage.h"
#include "fabric/route_choice.h"

#include <stdio.h>
#include <string.h>

static const char program[] = "orcs";

enum {
	KEY_PRIORITY = 0x300,
	KEY_STORAGE,
	KEY_DEVICE,
	KEY_SAN,
	KEY_QUEUE_PAIRS,
	KEY_SCHEDULER,
	KEY_ALLOCATION,
	KEY_JOB_MAPPING,
	KEY_BOUNDED
};

static const struct argp_option table[] = {
	{"priority", KEY_PRIORITY, "POLICY", OPTION_NO_USAGE,
		"Sharing of channels between classes of messages: none (default), strict or share:A,B,...", 0},
	{"queue-pairs", KEY_QUEUE_PAIRS, "N", OPTION_NO_USAGE,
		"Routes that each message draws and divides itself between, with --multipath random (default: 1)", 0},
	{"storage", KEY_STORAGE, "WHERE", OPTION_NO_USAGE,
		"Where tasks read and write: local (default), cached:P, internal:K, external:K[,inside=J][,any], san or nas:HOST", 0},
	{"storage-device", KEY_DEVICE, "RATES", OPTION_NO_USAGE,
		"Limits of a storage device, in bits/s: read=RATE,write=RATE,controller=RATE, or some of them (default: none)", 0},
	{"storage-san", KEY_SAN, "RATES", OPTION_NO_USAGE,
		"Limits of a SAN, in bits/s: read=RATE,write=RATE,link=RATE, or some of them (default: none)", 0},
	{"scheduler", KEY_SCHEDULER, "NAME", OPTION_NO_USAGE,
		"Which job of a queue starts: fcfs (default), easy, conservative or sjf; several, separated by commas, are compared", 0},
	{"allocation", KEY_ALLOCATION, "NAME", OPTION_NO_USAGE,
		"Hosts of a job of a queue: linear (default), random, spread or leaf; several are compared", 0},
	{"job-mapping", KEY_JOB_MAPPING, "NAME", OPTION_NO_USAGE,
		"Order of a job's tasks on its hosts: consecutive (default) or random; both are compared", 0},
	{"bounded-slowdown", KEY_BOUNDED, "SECONDS", OPTION_NO_USAGE,
		"Length that shorter jobs of a queue count with in bounded slowdowns (default: 10s)", 0},
	{0},
};

/* Reads "none", "strict", or "share:50,50". */
static void read_priority(struct flow_options *o, const char *text)
{
	static const char *const policies[] = {"none", "share", "strict", NULL};
	char name[100];
	size_t length = strcspn(text, ":");
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	o->classes = (struct class_setup){.policy = (enum class_policy)usage_choice(program, "--priority", name, policies), .classes = 1};
	if (o->classes.policy == CLASSES_STRICT)
		o->classes.classes = CLASSES_MAX;
	if (o->classes.policy != CLASSES_SHARE) {
		if (text[length])
			usage_error(program, "--priority is '%s': only share takes numbers", text);
		return;
	}
	o->classes.classes = 0;
	for (const char *number = text + length; *number;) {
		char *end;
		double share = read_decimal(number + 1, &end);
		if (o->classes.classes == CLASSES_MAX || end == number + 1 || (*end && *end != ',') || !(share > 0 && share < 1e9))
			usage_error(program, "--priority is '%s', not up to %d shares such as share:50,50", text, CLASSES_MAX);
		o->classes.share[o->classes.classes++] = share;
		number = end;
	}
	if (!o->classes.classes)
		usage_error(program, "--priority share requires the share of each class, e.g. share:50,50");
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct flow_options *o = state->input;
	switch (key) {
	case KEY_PRIORITY: read_priority(o, text); break;
	case KEY_QUEUE_PAIRS: o->queue_pairs = (uint32_t)usage_integer(program, "--queue-pairs", text, 1, ROUTE_DRAWS); break;
	case KEY_STORAGE: storage_read_policy(&o->storage, text); break;
	case KEY_DEVICE: storage_read_device(&o->storage, text); break;
	case KEY_SAN: storage_read_san(&o->storage, text); break;
	case KEY_SCHEDULER: queue_options_schedulers(&o->queue, text); break;
	case KEY_ALLOCATION: queue_options_allocations(&o->queue, text); break;
	case KEY_JOB_MAPPING: queue_options_mappings(&o->queue, text); break;
	case KEY_BOUNDED: o->queue.bounded = usage_seconds(program, "--bounded-slowdown", text, 1); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp flow_argp = {.options = table, .parser = parse_option};

void flow_options_begin(void *options)
{
	struct flow_options *o = options;
	*o = (struct flow_options){.classes = {CLASSES_ALIKE, 1, {1}}, .queue = {.bounded = -1}};
}

const char *flow_options_given(const void *options)
{
	const struct flow_options *o = options;
	return o->classes.policy != CLASSES_ALIKE ? "priority"
	       : o->queue_pairs                   ? "queue-pairs"
	       : o->storage.given                 ? o->storage.given
						  : queue_options_given(&o->queue);
}

void flow_options_check(const struct flow_options *o)
{
	storage_options_check(&o->storage);
}
