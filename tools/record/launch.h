/* Runs the command with the library that records. */
#ifndef TOOLS_RECORD_LAUNCH_H
#define TOOLS_RECORD_LAUNCH_H

#include "base/error.h"
#include "tools/record/record_options.h"

/*
 * Runs the command and waits for it; signals are passed on. Returns its exit status, 128 + the signal that ended it, or 126 or 127 as a
 * shell if it cannot be run. An error is set if it was not started.
 */
int launch(const struct record_options *options, struct error *error);

#endif
