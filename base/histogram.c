#include "base/histogram.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int histogram_init(struct histogram *histogram, struct error *error)
{
	*histogram = (struct histogram){.dense = array_create(HISTOGRAM_DENSE, sizeof *histogram->dense, error)};
	return histogram->dense ? 0 : -1;
}

void histogram_clear(struct histogram *histogram)
{
	free(histogram->dense);
	free(histogram->other);
	*histogram = (struct histogram){0};
}

void histogram_reset(struct histogram *histogram)
{
	memset(histogram->dense, 0, histogram->top * sizeof *histogram->dense);
	histogram->top = 0;
	histogram->others = 0;
}

int histogram_add(struct histogram *histogram, double value, uint64_t count, struct error *error)
{
	if (value < HISTOGRAM_DENSE && value == (uint32_t)value) {
		uint32_t index = (uint32_t)value;
		histogram->dense[index] += count;
		if (index >= histogram->top)
			histogram->top = index + 1;
		return 0;
	}
	size_t low = 0, high = histogram->others;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (histogram->other[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < histogram->others && histogram->other[low].value == value) {
		histogram->other[low].count += count;
		return 0;
	}
	if (array_grow(&histogram->other, &histogram->capacity, histogram->others + 1, sizeof *histogram->other, error))
		return -1;
	memmove(histogram->other + low + 1, histogram->other + low, (histogram->others - low) * sizeof *histogram->other);
	histogram->other[low] = (struct bin){value, count};
	histogram->others++;
	return 0;
}

int histogram_merge(struct histogram *into, const struct histogram *from, struct error *error)
{
	for (uint32_t i = 0; i < from->top; i++)
		into->dense[i] += from->dense[i];
	if (from->top > into->top)
		into->top = from->top;
	for (size_t i = 0; i < from->others; i++)
		if (histogram_add(into, from->other[i].value, from->other[i].count, error))
			return -1;
	return 0;
}

size_t histogram_bins(const struct histogram *histogram)
{
	size_t bins = histogram->others;
	for (uint32_t i = 0; i < histogram->top; i++)
		bins += histogram->dense[i] != 0;
	return bins;
}

void histogram_list(const struct histogram *histogram, struct bin *bins)
{
	size_t next = 0;
	for (uint32_t i = 0; i < histogram->top; i++) {
		if (!histogram->dense[i])
			continue;
		while (next < histogram->others && histogram->other[next].value < i)
			*bins++ = histogram->other[next++];
		*bins++ = (struct bin){i, histogram->dense[i]};
	}
	while (next < histogram->others)
		*bins++ = histogram->other[next++];
}

void histogram_bandwidth(const struct histogram *histogram, uint64_t *total, double *bandwidth)
{
	*total = 0;
	*bandwidth = 0;
	for (uint32_t i = 0; i < histogram->top; i++) {
		*total += histogram->dense[i];
		*bandwidth += i > 1 ? (double)histogram->dense[i] / i : (double)histogram->dense[i];
	}
	for (size_t i = 0; i < histogram->others; i++) {
		double value = histogram->other[i].value;
		*total += histogram->other[i].count;
		*bandwidth += value > 1 ? (double)histogram->other[i].count / value : (double)histogram->other[i].count;
	}
}
