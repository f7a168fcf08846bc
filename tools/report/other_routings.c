#include "tools/report/other_routings.h"

#include "base/json_file.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int other_routings_take(struct other_routings *others, const struct advice_run *run, struct error *error)
{
	const struct advice_result *result = &run->result;
	*others = (struct other_routings){.count = result->kinds, .base = result->base};
	others->routing = array_create((size_t)result->kinds, sizeof *others->routing, error);
	for (int i = 0; i < result->kinds && !error->status; i++) {
		const struct advice *a = &result->advice[i];
		struct other_routing *o = &others->routing[i];
		*o = (struct other_routing){
			.mean = a->of[0].mean,
			.low = a->of[0].low,
			.high = a->of[0].high,
			.gain = a->of[0].gain,
			.gain_low = a->of[0].gain_low,
			.gain_high = a->of[0].gain_high,
			.unreachable = a->unreachable,
			.pairs = a->pairs,
			.deadlock = a->known ? a->deadlock : -1,
			.lanes = a->lanes,
			.advised = a->advised,
			.kind = a->kind,
		};
		if (run->run[i].routes) { /* its tables alone do not say what it is like */
			o->unreachable = run->comparison.routing[i].reach.unreachable;
			o->deadlock = -1;
			o->lanes = 0;
		}
		snprintf(o->name, sizeof o->name, "%s", a->kind->what);
		snprintf(o->refusal, sizeof o->refusal, "%s", a->refusal);
		if (!*a->refusal && !is_compared(&run->comparison.routing[i]))
			snprintf(o->refusal, sizeof o->refusal, "%s", run->comparison.routing[i].gap);
	}
	return error->status ? -1 : 0;
}

/* Sets a range from a list of two numbers; NAN if it is none. */
static void read_range(const cJSON *object, const char *key, double *low, double *high)
{
	const cJSON *list = json_member(object, key), *first = cJSON_GetArrayItem(list, 0), *second = cJSON_GetArrayItem(list, 1);
	*low = cJSON_IsNumber(first) ? first->valuedouble : NAN;
	*high = cJSON_IsNumber(second) ? second->valuedouble : NAN;
}

/* Sets the differences from the base. Those of the best routing, which the file has for all, tell that of the base from the best. */
static void find_gains(struct other_routings *others, const cJSON *list)
{
	const cJSON *item = cJSON_GetArrayItem(list, others->base);
	const cJSON *pattern = json_member(json_member(item, "patterns"), "bisect");
	double low, high;
	if (!item || others->base < 0)
		return;
	read_range(pattern, "difference_ci95", &low, &high);
	int best = others->base;
	for (int i = 0; i < others->count; i++)
		if (!*others->routing[i].refusal && others->routing[i].mean > others->routing[best].mean)
			best = i;
	for (int i = 0; i < others->count; i++) {
		struct other_routing *o = &others->routing[i];
		if (i == others->base || *o->refusal)
			continue;
		o->gain = o->mean - others->routing[others->base].mean;
		o->gain_low = i == best ? -high : NAN;
		o->gain_high = i == best ? -low : NAN;
	}
}

static void read_routing(const cJSON *from, struct other_routing *to)
{
	const cJSON *patterns = json_member(from, "patterns");
	const cJSON *pattern = json_member(patterns, "bisect");
	const cJSON *engine = json_member(from, "engine");
	double unreachable = json_number(from, "unreachable"), pairs = json_number(from, "pairs");
	*to = (struct other_routing){.mean = json_number(pattern, "mean"), .deadlock = -1};
	read_range(pattern, "ci95", &to->low, &to->high);
	to->gain = to->gain_low = to->gain_high = NAN;
	to->unreachable = unreachable > 0 ? (uint64_t)unreachable : 0;
	to->pairs = pairs > 0 ? (uint64_t)pairs : 0;
	snprintf(to->name, sizeof to->name, "%s", json_string(from, "routing"));
	if (isnan(to->mean)) {
		const char *gap = json_string(from, "gap"), *failure = json_string(engine, "failure");
		snprintf(to->refusal, sizeof to->refusal, "%s", *failure ? failure : *gap ? gap : "no random bisection was compared");
	}
}

int other_routings_read(struct other_routings *others, const char *path, uint64_t hash, uint32_t hosts, struct error *error)
{
	char wanted[20];
	cJSON *json = json_file_read(path, error);
	*others = (struct other_routings){.base = -1};
	snprintf(wanted, sizeof wanted, "%016" PRIx64, hash);
	if (json) {
		const cJSON *list = json_member(json, "routings");
		others->file = strdup(path);
		if (strcmp(json_string(json, "schema"), "orcs-compare/1") != 0 || !cJSON_IsArray(list))
			error_at(error, STATUS_FABRIC, path, 0, "not a result of 'orcs-compare --format json'");
		else
			others->routing = array_create((size_t)cJSON_GetArraySize(list), sizeof *others->routing, error);
		for (const cJSON *i = list ? list->child : NULL; i && others->routing && !error->status; i = i->next) {
			if (others->base < 0 && !strcmp(json_string(json_member(i, "fabric"), "hash"), wanted))
				others->base = others->count;
			read_routing(i, &others->routing[others->count++]);
		}
		double compared = json_number(json, "hosts");
		if (!error->status && others->base < 0 && !isnan(compared) && compared != hosts)
			error_at(error, STATUS_FABRIC, path, 0, "it compares routings of another fabric, on %.0f hosts instead of %" PRIu32,
				compared, hosts);
		if (!error->status)
			find_gains(others, list);
	}
	cJSON_Delete(json);
	return error->status ? -1 : 0;
}

void other_routings_clear(struct other_routings *others)
{
	for (int i = 0; i < others->count; i++)
		free(others->routing[i].rivals);
	free(others->routing);
	free(others->file);
	*others = (struct other_routings){.base = -1};
}
