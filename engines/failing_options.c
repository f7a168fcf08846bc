#include "engines/failing_options.h"

#include "cli/usage.h"
#include "routings/routing.h"

#include <string.h>

static const char program[] = "orcs";

enum { KEY_FAIL_AT = 0x280, KEY_FAIL_LINKS, KEY_REROUTE };

static const struct argp_option table[] = {
	{"fail-at", KEY_FAIL_AT, "TIME:NODE[:PORT]", 0, "Fail a cable or a node at this time, e.g. 0.5s:S0:3; can be repeated", 0},
	{"fail-links", KEY_FAIL_LINKS, "N|N%", OPTION_NO_USAGE,
		"Fail this number or share of cables, drawn at random, from the beginning; prints the share of messages that arrive", 0},
	{"reroute", KEY_REROUTE, "ENGINE", OPTION_NO_USAGE,
		"Routing engine that reroutes messages from a failed cable, e.g. minhop (default: they are lost)", 0},
	{0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct failing_options *o = state->input;
	switch (key) {
	case KEY_FAIL_AT:
		if (o->failures == FAILURES_MAX)
			usage_error(program, "--fail-at is given more than %d times", FAILURES_MAX);
		o->fail_at[o->failures++] = text;
		break;
	case KEY_FAIL_LINKS:
		if (!share_read(text, &o->fail_share))
			usage_error(program, "--fail-links is '%s', not a number such as 20, or a percentage from 0%% to 100%%", text);
		o->fail_links = text;
		break;
	case KEY_REROUTE: o->reroute = text; break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp failing_argp = {.options = table, .parser = parse_option};

const char *failing_options_given(const struct failing_options *o)
{
	return o->failures ? "fail-at" : o->fail_links ? "fail-links" : o->reroute ? "reroute" : NULL;
}

void failing_options_check(const struct failing_options *o)
{
	struct error error = {0};
	if (o->reroute && !o->failures && !o->fail_links)
		usage_error(program, "--reroute requires --fail-at or --fail-links");
	const struct routing *routing = o->reroute ? routing_find(o->reroute, &error) : NULL;
	usage_fail(program, &error);
	if (routing && (routing->source_routes || !strcmp(routing->name, "valiant")))
		usage_error(program, "--reroute %s is not possible: choose a routing engine that computes tables", routing->name);
}
