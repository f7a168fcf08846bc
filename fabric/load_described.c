#include "fabric/load_described.h"

#include "base/memory.h"
#include "fabric/described.h"

#include <inttypes.h>

/* Keys of classes in JSON. */
static const char *const keys[LOAD_CLASSES] = {
	[LOAD_UNUSED] = "unused",
	[LOAD_LIGHT] = "light",
	[LOAD_FINE] = "fine",
	[LOAD_WARM] = "warm",
	[LOAD_HOT] = "hot",
	[LOAD_VERY_HOT] = "very_hot",
	[LOAD_SEVERE] = "severe",
};

static void add_classes(struct node *to, const uint32_t count[LOAD_CLASSES])
{
	for (int i = 0; i < LOAD_CLASSES; i++)
		add_count(to, keys[i], count[i]);
}

/* Adds a channel; null for NONE. */
static struct node *add_hottest(struct node *to, const struct fabric *fabric, const struct fair_share *fair, uint32_t channel)
{
	if (channel == NONE) {
		add_value(to, "hottest", NO_VALUE);
		return NULL;
	}
	struct node *object = add_object(to, "hottest");
	add_count(object, "id", channel);
	add_channel(object, fabric, channel);
	add_number(object, "load", fair->load[channel]);
	add_number(object, "share", fair->share[channel]);
	add_number(object, "excess", fair->excess[channel]);
	add_text(object, "class", keys[fair->class[channel]]);
	return object;
}

void add_load(struct node *to, const struct fabric *fabric, const struct fair_share *fair)
{
	add_classes(add_object(to, "classes"), fair->count);
	add_count(to, "above", fair->above);
	add_count(to, "more_than_twice", fair->twice);
	add_bool(to, "tree", fair->tree);
	struct node *hottest = add_hottest(to, fabric, fair, fair->hottest), *tiers = add_list(to, "tiers");
	if (hottest)
		add_count(hottest, "equal", fair->equal);
	for (uint32_t i = 0; i < fair->tiers; i++) {
		const struct load_tier *t = &fair->tier[i];
		struct node *tier = add_object(tiers, NULL);
		add_value(tier, "from", level_value(t->from));
		add_value(tier, "to", level_value(t->to));
		add_count(tier, "channels", t->channels);
		add_number(tier, "mean", t->mean);
		add_value(tier, "cv", t->mean > 0 ? value_of_number(t->cv, NULL) : NO_VALUE);
		add_number(tier, "most", t->most);
		struct node *share = add_object(tier, "share");
		add_number(share, "min", t->least_share);
		add_number(share, "mean", t->share);
		add_number(share, "max", t->most_share);
		add_count(tier, "above", t->above);
		add_classes(add_object(tier, "classes"), t->count);
		add_hottest(tier, fabric, fair, t->hottest);
	}
}

void write_load(FILE *file, const struct fabric *fabric, const struct fair_share *fair)
{
	if (!fair->above) {
		fprintf(file, "no channel of %" PRIu32 " carries more than its fair share", fabric->channels);
		return;
	}
	fprintf(file, "%" PRIu32 " of %" PRIu32 " channels carr%s more than %s fair share", fair->above, fabric->channels,
		fair->above == 1 ? "ies" : "y", fair->above == 1 ? "its" : "their");
	if (fair->twice)
		fprintf(file, ", %" PRIu32 " more than twice", fair->twice);
	fprintf(file, "; the hottest %.2f times: ", fair->excess[fair->hottest]);
	write_channel(file, fabric, fair->hottest);
	if (fair->equal)
		fprintf(file, ", as %" PRIu32 " more", fair->equal);
}
