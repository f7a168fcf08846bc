/* The congestion engine as a row of the table: all levels of a pattern, one after another. */
#include "base/memory.h"
#include "engines/congestion/congestion.h"
#include "engines/engine.h"

#include <stdlib.h>

struct counting {
	const struct engine_setup *setup;
	struct congestion *congestion;
};

static void *create(const struct engine_setup *setup, struct error *error)
{
	struct counting *c = array_create(1, sizeof *c, error);
	if (c)
		c->setup = setup;
	return c;
}

static void release(void *engine)
{
	struct counting *c = engine;
	if (c)
		congestion_free(c->congestion);
	free(c);
}

static int prepare(void *engine, struct error *error)
{
	struct counting *c = engine;
	const struct engine_setup *s = c->setup;
	const struct congestion_setup setup = {
		.fabric = s->fabric,
		.forwarding = s->forwarding,
		.route_cache = s->route_cache,
		.multipath = s->multipath,
		.speed_aware = s->speed_aware,
		.drop = s->drop,
		.sum_channels = s->wants & SEEN_CHANNELS,
		.routes = s->weights,
		.oversubscribed = s->oversubscribed,
		.stop = s->stop,
	};
	c->congestion = congestion_create(&setup, error);
	return c->congestion ? 0 : -1;
}

static enum run_status make_level(
	struct counting *c, const struct run_request *run, uint64_t index, struct observation *seen, struct error *error)
{
	struct level level;
	struct pair_taker taker = {run->taker->pairs, run->taker->data};
	enum run_status status =
		congestion_level(c->congestion, c->setup->pattern, index, run->host, &level, taker.take ? &taker : NULL, error);
	if (status == RUN_UNROUTABLE)
		congestion_bad_pair(c->congestion, &seen->source, &seen->destination);
	if (status != RUN_OK)
		return status;
	for (size_t k = 0; k < sizeof seen->sums / sizeof *seen->sums; k++)
		seen->sums[k] += level.sums[k];
	seen->connections += level.connections;
	seen->undelivered += level.unroutable;
	return run->taker->level(run->taker->data, &level, error) ? RUN_FAILED : RUN_OK;
}

static enum run_status make_run(void *engine, const struct run_request *run, struct observation *seen, struct error *error)
{
	struct counting *c = engine;
	const struct engine_setup *s = c->setup;
	uint64_t first = s->only_level < 0 ? 0 : (uint64_t)s->only_level;
	uint64_t end = s->only_level < 0 ? pattern_levels(s->pattern) : first + 1;
	enum run_status status = RUN_OK;
	if (pattern_run(s->pattern, run->number, error))
		return RUN_FAILED;
	for (uint64_t level = first; status == RUN_OK && level < end; level++)
		status = *s->stop ? RUN_INTERRUPTED : make_level(c, run, level, seen, error);
	return status;
}

static void keep(void *engine, const struct observation *seen, bool kept)
{
	struct counting *c = engine;
	(void)seen;
	if (kept)
		congestion_keep_run(c->congestion);
	else
		congestion_drop_run(c->congestion);
}

static struct channel_sums channels(const void *engine)
{
	const struct counting *c = engine;
	return (struct channel_sums){.sum = congestion_channel_sum(c->congestion), .unit = congestion_channel_unit(c->setup->multipath)};
}

static void explain(const void *engine, enum run_status status, uint32_t source, uint32_t destination, struct error *error)
{
	const struct counting *c = engine;
	(void)status;
	engine_explain_route(c->setup, source, destination, error);
}

const struct engine engine_congestion = {
	.name = "congestion",
	.summary = "counts routes",
	.source = "ORCS paper 4",
	.metrics = "hist_acc_band",
	.takes = TAKES_PAIRS,
	.gives = SEEN_WEIGHTS | SEEN_CHANNELS,
	.create = create,
	.free = release,
	.prepare = prepare,
	.run = make_run,
	.keep = keep,
	.channels = channels,
	.explain = explain,
};
