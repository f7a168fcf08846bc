/*
 * The seven classes of channels by their excess (fabric/fair_share.h): one fixed scale for all reports, pictures and texts, which does not
 * depend on the other channels of a fabric. Colours become darker from class to class (in dark mode lighter), so that they also differ in
 * grey; no two are alike for readers with a colour vision deficiency. A colour never stands without a word, a number or a place.
 */
#ifndef FABRIC_LOAD_CLASS_H
#define FABRIC_LOAD_CLASS_H

#include <stdint.h>

enum load_class_number { LOAD_UNUSED, LOAD_LIGHT, LOAD_FINE, LOAD_WARM, LOAD_HOT, LOAD_VERY_HOT, LOAD_SEVERE, LOAD_CLASSES };

struct load_class {
	double most;         /* largest excess of the class; 0: no route; INFINITY: the last class */
	const char *word;    /* "unused", "light", .. */
	const char *range;   /* its excess in words, "up to 1.05" */
	const char *light;   /* colour on white ground, "#rrggbb"; of LOAD_UNUSED that of an outline around white */
	const char *dark;    /* colour on dark ground; of LOAD_UNUSED that of an outline */
	const char *outline; /* colour of an outline around the light colour, if it is pale */
};

extern const struct load_class load_classes[LOAD_CLASSES];

/*
 * Returns the class of a channel with that many routes and that excess. An excess that exceeds the limit of a class by less than a
 * millionth belongs to that class, as limits such as 2 are exact fractions.
 */
enum load_class_number load_class_of(double routes, double excess);

#endif
