#include "tools/report/advice_lines.h"

#include "base/memory.h"
#include "fabric/host_distances.h"
#include "tools/report/idle.h"
#include "tools/report/oddities.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A routing is recommended if it gains more than this. */
static const double gain_least = 0.02;

/* Above this fair share, cables are scarce. */
static const double share_scarce = 1.05;

const char *count_text(uint64_t count, char text[COUNT_TEXT])
{
	char digits[COUNT_TEXT];
	int length = snprintf(digits, sizeof digits, "%" PRIu64, count), to = 0;
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text[to++] = ',';
		text[to++] = digits[i];
	}
	text[to] = '\0';
	return text;
}

void write_tail(FILE *file, const struct fabric_report *report, uint32_t channel)
{
	fputs(report->name[fabric_tail(report->fabric, channel)], file);
	if (report->fabric->labels->port[channel])
		fprintf(file, " port %" PRIu32, report->fabric->labels->port[channel]);
}

static void write_level(FILE *file, uint32_t level)
{
	if (level == LEVEL_HOST)
		fputs("hosts", file);
	else
		fprintf(file, "level %" PRIu32, level);
}

void write_tier(FILE *file, const struct load_tier *tier)
{
	if (tier->from == tier->to) {
		fputs("within ", file);
		write_level(file, tier->from);
		return;
	}
	fputs("from ", file);
	write_level(file, tier->from);
	fputs(" to ", file);
	write_level(file, tier->to);
}

/* ---- one line each; nothing is written if there is nothing to say */

static void say_reach(FILE *file, const struct fabric_report *r)
{
	if (!r->unreachable)
		return;
	fprintf(file, "%s of %s pairs have no route", COUNT(r->unreachable), COUNT(r->pairs));
	if (r->lost_from != NONE)
		fprintf(file, ", first %s to %s", r->name[r->lost_from], r->name[r->lost_to]);
	fputs(": repair this before anything else.", file);
}

static void say_deadlock(FILE *file, const struct fabric_report *r)
{
	const struct report_deadlock *d = &r->deadlock;
	if (!d->known || !d->channels)
		return;
	fprintf(file, "The routing can deadlock: %s channels form cycles", COUNT(d->channels));
	if (d->needed)
		fprintf(file, ", %" PRIu32 " virtual lanes would break them", d->needed);
	fputs(" (shortest: ", file);
	enum { SHOWN_MOST = 6 };
	for (uint32_t i = 0; i < d->length && i < SHOWN_MOST; i++)
		fprintf(file, "%s \u2192 ", r->scene.labels.text[fabric_tail(r->fabric, d->cycle[i])]);
	fputs(d->length > SHOWN_MOST ? "\u2026)." : d->length ? r->scene.labels.text[fabric_tail(r->fabric, d->cycle[0])] : "", file);
	fputs(d->length <= SHOWN_MOST ? ")." : "", file);
}

/* Returns whether the routing gains more than chance. */
static bool gains(const struct fabric_report *r, const struct other_routing *o)
{
	const struct other_routing *base = &r->others.routing[r->others.base];
	return o != base && !*o->refusal && o->gain > gain_least * base->mean && o->gain_low > 0;
}

/* Returns whether it loses more than the present one. */
static bool loses(const struct fabric_report *r, const struct other_routing *o)
{
	const struct other_routing *base = &r->others.routing[r->others.base];
	return o->unreachable > base->unreachable || (o->deadlock == 1 && base->deadlock != 1);
}

/* Returns the one to be recommended: those that lose nothing first. NULL: none. */
static const struct other_routing *best_routing(const struct fabric_report *r)
{
	const struct other_routing *best = NULL;
	for (int i = 0; i < r->others.count && r->others.base >= 0; i++) {
		const struct other_routing *o = &r->others.routing[i];
		if (gains(r, o) && (!best || loses(r, o) < loses(r, best) || (loses(r, o) == loses(r, best) && o->gain > best->gain)))
			best = o;
	}
	return best;
}

/* Writes where fewer others are met. */
static void say_rivals(FILE *file, const struct fabric_report *r, const struct other_routing *o)
{
	const struct other_routing *base = &r->others.routing[r->others.base];
	uint32_t best = NONE;
	double most = 0.05;
	for (uint32_t t = 0; t < r->fair.tiers && o->rivals && base->rivals; t++)
		if (r->fair.tier[t].from != LEVEL_HOST && base->rivals[t] - o->rivals[t] > most) {
			most = base->rivals[t] - o->rivals[t];
			best = t;
		}
	if (best == NONE)
		return;
	fputs(" Reason: ", file);
	write_tier(file, &r->fair.tier[best]);
	fprintf(file, " a route meets %.2f others now, %.2f then.", base->rivals[best], o->rivals[best]);
}

static void say_routing(FILE *file, const struct fabric_report *r)
{
	const struct other_routing *o = best_routing(r);
	if (!o)
		return;
	const struct other_routing *base = &r->others.routing[r->others.base];
	const struct advice_kind *k = o->kind;
	fprintf(file, "%s %s would give a random bisection %.3f of the peak instead of %.3f (+%.0f %%", k && k->tables ? "The" : "Engine",
		o->name, o->mean, base->mean, 100 * o->gain / base->mean);
	if (report_has_ideal(r))
		fprintf(file, "; an ideal tree of this size: %.3f", r->ideal.bisect);
	fputs(")", file);
	if (o->unreachable > base->unreachable)
		fprintf(file, ", but leaves %s pairs without a route", COUNT(o->unreachable - r->apart));
	if (o->deadlock == 1 && base->deadlock != 1)
		fputs(", but can deadlock", file);
	fputs(".", file);
	if (k && (k->roots || strstr(k->engine ? k->engine : "", "roots=auto")))
		fprintf(file, " Needs: -a FILE%s; orcs-advise -o DIR writes them.",
			k->compute_nodes || strstr(k->engine, "compute-nodes=auto") ? " -u FILE" : "");
	else if (k && k->tables)
		fputs(" Needs its tables; orcs-advise -o DIR writes them.", file);
	say_rivals(file, r, o);
}

/* ---- balance */

/* Returns the tier with most channels above their share; NULL: none has any. */
static const struct load_tier *worst_tier(const struct fabric_report *r)
{
	const struct load_tier *worst = NULL;
	for (uint32_t t = 0; t < r->fair.tiers; t++)
		if (r->fair.tier[t].above && (!worst || r->fair.tier[t].above > worst->above ||
						     (r->fair.tier[t].above == worst->above && r->fair.tier[t].excess > worst->excess)))
			worst = &r->fair.tier[t];
	return worst;
}

/* Names the tier with the hottest channel, if that is another one. */
static void say_hottest_tier(FILE *file, const struct fabric_report *r, const struct load_tier *told)
{
	const struct load_tier *hottest = told;
	for (uint32_t t = 0; t < r->fair.tiers; t++)
		if (r->fair.tier[t].excess > hottest->excess * (1 + 1e-6))
			hottest = &r->fair.tier[t];
	if (hottest == told)
		return;
	fprintf(file, " The hottest of all, \u00d7%.2f, is among %s of %s ", hottest->excess, COUNT(hottest->above),
		COUNT(hottest->channels));
	write_tier(file, hottest);
	fputs(": ", file);
	write_tail(file, r, hottest->hottest);
	fputs(".", file);
}

/* Names the few switches at which at least half of the hot channels of a tier are. */
static int say_switches(FILE *file, const struct fabric_report *r, const struct load_tier *tier, struct error *error)
{
	const struct fabric *f = r->fabric;
	uint32_t *count = array_create(f->nodes, sizeof *count, error), switches = 0, sum = 0, named = 0;
	bool *member = array_create(f->nodes, sizeof *member, error);
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			if (r->fair.tier_of[c] == (uint32_t)(tier - r->fair.tier)) {
				switches += !member[v];
				member[v] = true;
				count[v] += r->fair.class[c] >= LOAD_WARM;
			}
	enum { NAMED_MOST = 5 };
	uint32_t name[NAMED_MOST], most = switches / 10 < NAMED_MOST ? switches / 10 : NAMED_MOST;
	for (; named < most && !error->status && 2 * sum < tier->above; named++) {
		uint32_t best = 0;
		for (uint32_t v = 1; v < f->nodes; v++)
			best = count[v] > count[best] ? v : best;
		sum += count[best];
		count[best] = 0;
		name[named] = best;
	}
	if (named && 2 * sum >= tier->above && !error->status) {
		fprintf(file, " %s of them are at", COUNT(sum));
		for (uint32_t i = 0; i < named; i++)
			fprintf(file, "%s%s", !i ? " " : i + 1 < named ? ", " : " and ", r->name[name[i]]);
		fputs(".", file);
	}
	free(count);
	free(member);
	return error->status ? -1 : 0;
}

/* Returns whether more is on the channels of the tier than all their fair shares together. */
static bool is_longer(const struct fabric_report *r, const struct load_tier *tier)
{
	const struct fair_share *fair = &r->fair;
	double load = 0, share = 0;
	for (uint32_t c = 0; c < r->fabric->channels; c++)
		if (fair->tier_of[c] == (uint32_t)(tier - fair->tier)) {
			load += fair->load[c] * r->fabric->speed[c];
			share += fair->share[c] * r->fabric->speed[c];
		}
	return load > share_scarce * share;
}

static void say_balance(FILE *file, const struct fabric_report *r, struct error *error)
{
	const struct load_tier *t = worst_tier(r);
	if (!t)
		return;
	fprintf(file, "%s of %s channels ", COUNT(t->above), COUNT(t->channels));
	write_tier(file, t);
	fprintf(file, " carr%s more than %s share, the worst \u00d7%.2f: ", t->above == 1 ? "ies" : "y", t->above == 1 ? "its" : "their",
		t->excess);
	write_tail(file, r, t->hottest);
	if (is_longer(r, t))
		fprintf(file, ". Its routes are longer than they must be: the mean load is %.2f, the mean fair share %.2f.", t->mean,
			t->share);
	else if (t->share < share_scarce)
		fprintf(file, ". The cables suffice (mean load %.2f); the routing does not spread over them.", t->mean);
	else
		fputs(". Others of the same group have room.", file);
	if (!say_switches(file, r, t, error))
		say_hottest_tier(file, r, t);
}

/* ---- capacity */

/*
 * Returns whether most channels of the tier, upwards, have a fair share above the limit, and all together must carry more than hosts send.
 * *scarce: the number of those channels.
 */
static bool is_scarce(const struct fabric_report *r, uint32_t tier, uint32_t *scarce)
{
	const struct load_tier *t = &r->fair.tier[tier];
	*scarce = 0;
	if (!r->fair.tree || t->from == LEVEL_HOST || t->to == LEVEL_HOST || t->to <= t->from)
		return false;
	for (uint32_t c = 0; c < r->fabric->channels; c++)
		*scarce += r->fair.tier_of[c] == tier && r->fair.share[c] > share_scarce;
	return 2 * (uint64_t)*scarce > t->channels && t->need > share_scarce;
}

/* Writes "X has 2 up-cables for 5 hosts" of the first leaves with scarce cables. */
static void say_scarce_leaves(FILE *file, const struct fabric_report *r, uint32_t tier)
{
	const struct fabric *f = r->fabric;
	uint32_t told = 0, more = 0;
	for (uint32_t v = 0; v < f->nodes; v++) {
		uint32_t hosts = 0, up = 0, scarce = 0;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1] && f->node_host[v] == NONE; c++) {
			hosts += f->node_host[f->head[c]] != NONE;
			up += r->fair.tier_of[c] == tier;
			scarce += r->fair.tier_of[c] == tier && r->fair.share[c] > share_scarce;
		}
		if (!scarce || !hosts)
			continue;
		if (told < 3)
			fprintf(file, "%s%s has %" PRIu32 " up-cable%s for %" PRIu32 " hosts", told ? ", " : "", r->name[v], up,
				up == 1 ? "" : "s", hosts);
		told < 3 ? told++ : more++;
	}
	if (more)
		fprintf(file, " and %s more switches likewise", COUNT(more));
	fputs(told ? ": more cables there would help." : "", file);
}

static void say_capacity(FILE *file, const struct fabric_report *r)
{
	bool told = false;
	for (uint32_t t = 0; t < r->fair.tiers; t++) {
		uint32_t scarce;
		if (!is_scarce(r, t, &scarce))
			continue;
		fputs(told ? " " : "", file);
		fprintf(file,
			"Level %" PRIu32 " to level %" PRIu32 " is oversubscribed %.2f to 1: no routing can deliver more than %.2f of the "
			"hosts' rate there; only cables would.",
			r->fair.tier[t].from, r->fair.tier[t].to, r->fair.tier[t].need, 1 / r->fair.tier[t].need);
		told = true;
	}
	for (uint32_t t = 0; t < r->fair.tiers && !told; t++) {
		uint32_t scarce;
		if (!is_scarce(r, t, &scarce) && scarce && r->fair.tier[t].from == 0)
			say_scarce_leaves(file, r, t);
	}
}

/* ---- all */

int advice_lines_make(struct advice_lines *lines, const struct fabric_report *report, struct error *error)
{
	static const char *const kinds[] = {"Reach", "Deadlock", "Routing", "Balance", "Capacity", "Cabling", "Idle"};
	*lines = (struct advice_lines){.count = 0};
	for (int k = 0; k < 7 && lines->count < ADVICE_LINES && !error->status; k++) {
		char *text = NULL;
		size_t size = 0;
		FILE *file = open_memstream(&text, &size);
		if (!file)
			return error_set(error, STATUS_IO, "out of memory");
		switch (k) {
		case 0: say_reach(file, report); break;
		case 1: say_deadlock(file, report); break;
		case 2: say_routing(file, report); break;
		case 3: say_balance(file, report, error); break;
		case 4: say_capacity(file, report); break;
		case 5: say_cabling(file, report); break;
		default: say_idle(file, report, error); break;
		}
		if (fclose(file))
			error_set(error, STATUS_IO, "out of memory");
		if (size && !error->status)
			lines->line[lines->count++] = (struct advice_line){kinds[k], text};
		else
			free(text);
	}
	return error->status ? -1 : 0;
}

void advice_lines_clear(struct advice_lines *lines)
{
	for (int i = 0; i < lines->count; i++)
		free(lines->line[i].text);
	lines->count = 0;
}
