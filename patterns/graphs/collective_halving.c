/* Algorithms of collective operations in which the distance of partners doubles or is halved. */
#include "patterns/graphs/collective_algorithms.h"

#include <math.h>

/* The ranks that stay when those beyond a power of two are folded into their neighbours: the odd or the even ones of the first pairs. */
struct fold {
	uint32_t power, beyond;
	bool odd;
};

static struct fold fold_of(const struct collective_call *call, bool odd)
{
	uint32_t power = power_below(call->ranks);
	return (struct fold){power, call->ranks - power, odd};
}

static uint32_t place_in_fold(const struct fold *fold, uint32_t rank)
{
	return rank < 2 * fold->beyond ? rank / 2 : rank - fold->beyond;
}

static uint32_t rank_in_fold(const struct fold *fold, uint32_t place)
{
	return place < fold->beyond ? 2 * place + fold->odd : place + fold->beyond;
}

static bool is_paired(const struct fold *fold, uint32_t rank)
{
	return rank < 2 * fold->beyond;
}

static bool stays(const struct fold *fold, uint32_t rank)
{
	return !is_paired(fold, rank) || rank % 2 == fold->odd;
}

/* A rank that does not stay gives its data to the one beside it. Returns whether this rank stays. */
static bool enter_fold(const struct collective_call *call, const struct fold *fold)
{
	bool here = stays(fold, call->rank);
	if (!here)
		give(call, call->rank ^ 1, call->bytes);
	else if (is_paired(fold, call->rank))
		take(call, call->rank ^ 1);
	return here;
}

void algorithm_doubling(const struct collective_call *call, bool odd)
{
	struct fold fold = fold_of(call, odd);
	uint32_t rank = call->rank, place = place_in_fold(&fold, rank);
	if (!enter_fold(call, &fold)) {
		take(call, rank ^ 1);
		return;
	}
	for (uint32_t distance = 1; distance < fold.power; distance *= 2) {
		uint32_t partner = rank_in_fold(&fold, place ^ distance);
		give(call, partner, call->bytes);
		take(call, partner);
	}
	if (is_paired(&fold, rank))
		give(call, rank ^ 1, call->bytes);
}

/* What a rank has given away, and kept, in each step of a reduction by halving. */
struct halves {
	double sent[32], kept[32];
	int steps;
};

/* Reduces by halving; pairs beyond a power of two share their vector first. Returns whether the rank has a part of the result. */
static bool reduce_to_halves(const struct collective_call *call, const struct fold *fold, struct halves *halves)
{
	uint32_t rank = call->rank, place = place_in_fold(fold, rank);
	double elements = floor(call->bytes / call->datatype), left = floor(elements / 2), size = call->datatype, window = elements;
	halves->steps = 0;
	if (is_paired(fold, rank)) {
		give(call, rank ^ 1, (rank % 2 ? left : elements - left) * size);
		take(call, rank ^ 1);
		if (rank % 2) {
			give(call, rank ^ 1, (elements - left) * size);
			return false;
		}
		take(call, rank ^ 1);
	}
	for (uint32_t distance = 1; distance < fold->power; distance *= 2) {
		uint32_t partner = rank_in_fold(fold, place ^ distance);
		double half = floor(window / 2), kept = rank < partner ? half : window - half;
		halves->kept[halves->steps] = kept;
		halves->sent[halves->steps++] = window - kept;
		give(call, partner, (window - kept) * size);
		take(call, partner);
		window = kept;
	}
	return true;
}

/* Reduce-scatter by halving, then all-gather by doubling (Rabenseifner). */
void algorithm_allreduce_halving(const struct collective_call *call)
{
	struct fold fold = fold_of(call, false);
	struct halves halves;
	uint32_t place = place_in_fold(&fold, call->rank);
	if (!reduce_to_halves(call, &fold, &halves)) {
		take(call, call->rank ^ 1);
		return;
	}
	for (uint32_t distance = fold.power / 2; distance; distance /= 2) {
		uint32_t partner = rank_in_fold(&fold, place ^ distance);
		give(call, partner, halves.kept[--halves.steps] * call->datatype);
		take(call, partner);
	}
	if (is_paired(&fold, call->rank))
		give(call, call->rank ^ 1, call->bytes);
}

/* Up a tree: those whose place differs from the root's in a bit give what they have. A root that has no part takes that of rank 0. */
void algorithm_reduce_halving(const struct collective_call *call)
{
	struct fold fold = fold_of(call, false);
	struct halves halves;
	bool replaced = is_paired(&fold, call->root) && call->root % 2, in = reduce_to_halves(call, &fold, &halves);
	uint32_t root = replaced ? 0 : place_in_fold(&fold, call->root), place = place_in_fold(&fold, call->rank);
	if (replaced && call->rank == 0 && halves.steps) {
		give(call, call->root, halves.kept[halves.steps - 1] * call->datatype);
		return;
	}
	if (replaced && call->rank == call->root) {
		place = 0;
		if (fold.power > 1)
			take(call, 0);
	} else if (!in) {
		return;
	}
	for (uint32_t distance = fold.power / 2; distance; distance /= 2) {
		uint32_t partner = replaced && (place ^ distance) == 0 ? call->root : rank_in_fold(&fold, place ^ distance);
		if ((place ^ root) & distance) {
			give(call, partner, halves.kept[halves.steps - 1] * call->datatype);
			return;
		}
		halves.steps--;
		take(call, partner);
	}
}

/* The bytes of blocks by their places in a fold: each of a pair stands for both. */
static double bytes_in_fold(const struct collective_call *call, const struct fold *fold, uint32_t first, uint32_t count)
{
	uint32_t from = first < fold->beyond ? 2 * first : first + fold->beyond, end = first + count;
	uint32_t to = end < fold->beyond ? 2 * end : end + fold->beyond;
	return bytes_of_blocks(call, from, to - from);
}

/* Folds what ranks beyond a power of two have into their neighbours. Returns whether the rank stays. */
static bool fold_all(const struct collective_call *call, const struct fold *fold)
{
	if (!is_paired(fold, call->rank))
		return true;
	if (stays(fold, call->rank)) {
		take(call, call->rank ^ 1);
		return true;
	}
	give(call, call->rank ^ 1, bytes_of_blocks(call, 0, call->ranks));
	return false;
}

void algorithm_reduce_scatter_halving(const struct collective_call *call)
{
	struct fold fold = fold_of(call, true);
	uint32_t place = place_in_fold(&fold, call->rank), first = 0;
	if (!fold_all(call, &fold)) {
		take(call, call->rank ^ 1);
		return;
	}
	for (uint32_t half = fold.power / 2; half; half /= 2) {
		uint32_t partner = place ^ half;
		give(call, rank_in_fold(&fold, partner), bytes_in_fold(call, &fold, place < partner ? first + half : first, half));
		take(call, rank_in_fold(&fold, partner));
		first += place < partner ? 0 : half;
	}
	if (is_paired(&fold, call->rank))
		give(call, call->rank ^ 1, bytes_for(call, call->rank ^ 1));
}

static uint32_t mirror(uint32_t place, uint32_t power)
{
	uint32_t mirrored = 0;
	for (; power > 1; power /= 2, place /= 2)
		mirrored = 2 * mirrored + place % 2;
	return mirrored;
}

/*
 * Halving with the nearest partners first; each result then goes from the place with the mirrored bits to its own, unless equal blocks can
 * be ordered so beforehand.
 */
void algorithm_reduce_scatter_butterfly(const struct collective_call *call)
{
	struct fold fold = fold_of(call, true);
	uint32_t place = place_in_fold(&fold, call->rank), first = 0, other = mirror(place, fold.power), blocks = fold.power;
	bool in = fold_all(call, &fold);
	for (uint32_t distance = 1; in && distance < fold.power; distance *= 2) {
		bool upper = place & distance;
		blocks /= 2;
		give(call, rank_in_fold(&fold, place ^ distance), bytes_in_fold(call, &fold, upper ? first : first + blocks, blocks));
		take(call, rank_in_fold(&fold, place ^ distance));
		first += upper ? blocks : 0;
	}
	if (!fold.beyond && !call->count)
		return;
	if (!in) { /* the result comes from the rank that has its place */
		take(call, rank_in_fold(&fold, other));
		return;
	}
	if (other < fold.beyond)
		give(call, 2 * other, bytes_for(call, 2 * other));
	if (other != place) {
		give(call, rank_in_fold(&fold, other), bytes_for(call, rank_in_fold(&fold, other)));
		take(call, rank_in_fold(&fold, other));
	}
}

void algorithm_reduce_scatter_gather(const struct collective_call *call)
{
	struct fold fold = fold_of(call, false);
	uint32_t rank = call->rank, place = place_in_fold(&fold, rank), root = place_in_fold(&fold, call->root);
	double elements = floor(call->bytes / call->datatype), kept[32], window = elements;
	int step = 0;
	if (!enter_fold(call, &fold)) {
		if (rank == call->root)
			take(call, rank ^ 1);
		return;
	}
	for (uint32_t distance = 1; distance < fold.power; distance *= 2) {
		uint32_t partner = rank_in_fold(&fold, place ^ distance);
		double half = floor(window / 2);
		kept[step] = rank < partner ? half : window - half;
		give(call, partner, (window - kept[step]) * call->datatype);
		take(call, partner);
		window = kept[step++];
	}
	/* up a tree: those whose place differs from the root's in a bit give what they have to those without it */
	for (uint32_t distance = fold.power / 2; distance; distance /= 2) {
		uint32_t partner = rank_in_fold(&fold, place ^ distance);
		step--;
		if ((place ^ root) & distance) {
			give(call, partner, kept[step] * call->datatype);
			break;
		}
		take(call, partner);
	}
	if (place == root && rank != call->root)
		give(call, call->root, call->bytes);
}
