/* Engines that OpenSM itself runs, under ibsim: those whose tables orcs does not compute. */
#ifndef COMPARE_REAL_ENGINES_H
#define COMPARE_REAL_ENGINES_H

#include "compare/advice_run.h"

/* Routes with all of them, and examines the results; one that OpenSM refuses has its reason. Returns 0, or -1 as opensm_route(). */
int real_engines_route(struct advice_run *run, struct error *error);

#endif
