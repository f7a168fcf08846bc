#include "cli/palette.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *const palettes[] = {"green-red", "viridis", "cividis", NULL};

/* Equidistant points of matplotlib's colour maps, interpolated linearly. */
static const unsigned char viridis[][3] = {{68, 1, 84}, {72, 40, 120}, {62, 74, 137}, {49, 104, 142}, {38, 130, 142}, {31, 158, 137},
	{53, 183, 121}, {110, 206, 88}, {181, 222, 43}, {253, 231, 37}};
static const unsigned char cividis[][3] = {{0, 34, 78}, {18, 53, 112}, {59, 73, 108}, {87, 93, 109}, {112, 113, 115}, {138, 134, 120},
	{165, 156, 116}, {195, 179, 105}, {225, 204, 85}, {254, 232, 56}};

/* The hue of green, and the saturation and the value of all colours from there to red. */
static const double green = 0.4, strength = 0.9;

static unsigned interpolate(const unsigned char (*points)[3], int count, double share)
{
	double place = share * (count - 1);
	int below = place < count - 1 ? (int)place : count - 2;
	unsigned colour = 0;
	for (int i = 0; i < 3; i++)
		colour = colour << 8 | (unsigned)(points[below][i] + (place - below) * (points[below + 1][i] - points[below][i]) + 0.5);
	return colour;
}

/* Hues from 0 to green have blue at its least. */
static unsigned from_hue(double hue)
{
	double least = strength * (1 - strength), part[3] = {strength, least, least};
	part[0] = least + (strength - least) * (hue < 1.0 / 6 ? 1 : hue < 1.0 / 3 ? 2 - 6 * hue : 0);
	part[1] = least + (strength - least) * (hue < 1.0 / 6 ? 6 * hue : 1);
	part[2] = least + (strength - least) * (hue > 1.0 / 3 ? 6 * hue - 2 : 0);
	unsigned colour = 0;
	for (int i = 0; i < 3; i++)
		colour = colour << 8 | (unsigned)(255 * part[i] + 0.5);
	return colour;
}

unsigned palette_rgb(const char *palette, double share)
{
	share = share > 1 ? 1 : share > 0 ? share : 0;
	if (!strcmp(palette, "viridis"))
		return interpolate(viridis, sizeof viridis / sizeof *viridis, share);
	if (!strcmp(palette, "cividis"))
		return interpolate(cividis, sizeof cividis / sizeof *cividis, share);
	return from_hue(green * (1 - share));
}

int palette_colour(const char *palette, double share, char *text, size_t size)
{
	bool known = false;
	for (const char *const *p = palettes; *p; p++)
		known |= !strcmp(palette, *p);
	if (!known)
		return -1;
	share = share > 1 ? 1 : share > 0 ? share : 0;
	if (!strcmp(palette, palettes[0]))
		snprintf(text, size, "%.6f %.6f %.6f", green * (1 - share), strength, strength);
	else
		snprintf(text, size, "#%06x", palette_rgb(palette, share));
	return 0;
}
