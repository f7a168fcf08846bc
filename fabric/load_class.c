#include "fabric/load_class.h"

#include <math.h>

const struct load_class load_classes[LOAD_CLASSES] = {
	[LOAD_UNUSED] = {0, "unused", "no route", "#ffffff", "#11161b", "#8b959e"},
	[LOAD_LIGHT] = {0.5, "light", "up to 0.5", "#dbe6ee", "#22303b", "#a7c4da"},
	[LOAD_FINE] = {1.05, "fine", "up to 1.05", "#a7c4da", "#3f6480", "#a7c4da"},
	[LOAD_WARM] = {1.5, "warm", "up to 1.5", "#eda02f", "#96690f", "#eda02f"},
	[LOAD_HOT] = {2, "hot", "up to 2", "#d4601a", "#e0861a", "#d4601a"},
	[LOAD_VERY_HOT] = {4, "very hot", "up to 4", "#a81d12", "#ffb27a", "#a81d12"},
	[LOAD_SEVERE] = {INFINITY, "severe", "above 4", "#47060f", "#fff1e6", "#47060f"},
};

enum load_class_number load_class_of(double routes, double excess)
{
	enum load_class_number number = LOAD_LIGHT;
	if (routes <= 0)
		return LOAD_UNUSED;
	while (excess > load_classes[number].most * (1 + 1e-6))
		number++;
	return number;
}
