/* Engines that OpenSM itself runs, under ibsim: those whose tables orcs does not compute. */
#ifndef TOOLS_ADVISE_REAL_ENGINES_H
#define TOOLS_ADVISE_REAL_ENGINES_H

#include "tools/advise/advise_plane.h"

/* Routes with all of them, and examines the results; one that OpenSM refuses has its reason. Returns 0, or -1 as opensm_route(). */
int real_engines_route(struct advise_plane *plane, struct error *error);

#endif
