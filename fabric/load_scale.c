#include "fabric/load_scale.h"

#include "base/memory.h"

#include <stdlib.h>

struct host_cable {
	uint32_t plane;
	double speed;
};

static int compare_cables(const void *left, const void *right)
{
	const struct host_cable *a = left, *b = right;
	return a->plane != b->plane ? (a->plane > b->plane) - (a->plane < b->plane) : (a->speed > b->speed) - (a->speed < b->speed);
}

int load_scale_speeds(const struct fabric *fabric, const struct planes *planes, double *usual, struct error *error)
{
	const struct fabric *f = fabric;
	struct host_cable *cable = array_create(f->channels, sizeof *cable, error);
	uint32_t count = 0, most = 0;
	for (uint32_t h = 0; h < f->hosts && !error->status; h++) {
		uint32_t v = f->host_node[h];
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			cable[count++] = (struct host_cable){planes->of[v], f->speed[c]};
	}
	for (uint32_t p = 0; p < planes->planes; p++)
		usual[p] = 1;
	if (!error->status)
		qsort(cable, count, sizeof *cable, compare_cables);
	for (uint32_t i = 0, end; i < count && !error->status; i = end) {
		for (end = i; end < count && !compare_cables(&cable[i], &cable[end]);)
			end++;
		most = i && cable[i - 1].plane == cable[i].plane ? most : 0;
		if (end - i >= most) {
			usual[cable[i].plane] = cable[i].speed;
			most = end - i;
		}
	}
	free(cable);
	return error->status ? -1 : 0;
}

double load_scale_pairs(const struct planes *planes, uint32_t plane)
{
	return planes->hosts[plane] > 1 ? planes->hosts[plane] - 1 : 1;
}

double *load_scale_make(const struct fabric *fabric, bool speeds, struct error *error)
{
	const struct fabric *f = fabric;
	struct planes planes = {0};
	double *scale = array_create(f->channels, sizeof *scale, error), *usual = NULL;
	if (!error->status && !planes_find(&planes, f, error) && (usual = array_create(planes.planes, sizeof *usual, error)))
		load_scale_speeds(f, &planes, usual, error);
	for (uint32_t v = 0; v < f->nodes && !error->status; v++) {
		uint32_t plane = planes.of[v];
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1] && plane != NONE; c++)
			scale[c] = (speeds ? usual[plane] / f->speed[c] : 1) / load_scale_pairs(&planes, plane);
	}
	planes_clear(&planes);
	free(usual);
	if (!error->status)
		return scale;
	free(scale);
	return NULL;
}
