#include "cli/palette.h"

#include <stdio.h>
#include <string.h>

const char *const palettes[] = {"green-red", "viridis", "cividis", NULL};

/* Equidistant points of matplotlib's colour maps, interpolated linearly. */
static const unsigned char viridis[][3] = {{68, 1, 84}, {72, 40, 120}, {62, 74, 137}, {49, 104, 142}, {38, 130, 142}, {31, 158, 137},
	{53, 183, 121}, {110, 206, 88}, {181, 222, 43}, {253, 231, 37}};
static const unsigned char cividis[][3] = {{0, 34, 78}, {18, 53, 112}, {59, 73, 108}, {87, 93, 109}, {112, 113, 115}, {138, 134, 120},
	{165, 156, 116}, {195, 179, 105}, {225, 204, 85}, {254, 232, 56}};

static void interpolate(const unsigned char (*points)[3], int count, double share, char *text, size_t size)
{
	double place = share * (count - 1);
	int below = place < count - 1 ? (int)place : count - 2;
	int colour[3];
	for (int i = 0; i < 3; i++)
		colour[i] = (int)(points[below][i] + (place - below) * (points[below + 1][i] - points[below][i]) + 0.5);
	snprintf(text, size, "#%02x%02x%02x", (unsigned)colour[0], (unsigned)colour[1], (unsigned)colour[2]);
}

int palette_colour(const char *palette, double share, char *text, size_t size)
{
	share = share > 1 ? 1 : share > 0 ? share : 0;
	if (!strcmp(palette, "green-red"))
		snprintf(text, size, "%.6f 0.900000 0.900000", 0.4 * (1 - share));
	else if (!strcmp(palette, "viridis"))
		interpolate(viridis, sizeof viridis / sizeof *viridis, share, text, size);
	else if (!strcmp(palette, "cividis"))
		interpolate(cividis, sizeof cividis / sizeof *cividis, share, text, size);
	else
		return -1;
	return 0;
}
