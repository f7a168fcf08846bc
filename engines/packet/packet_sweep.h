/* The points of a sweep: values of an option, in a list such as 0.1,0.2 or in a range such as 0.1:0.9:0.1 or 4:128k:x2. */
#ifndef ENGINES_PACKET_PACKET_SWEEP_H
#define ENGINES_PACKET_PACKET_SWEEP_H

#include <stdint.h>

enum { SWEEP_MAX = 1000 };

/* Offered loads; message sizes in bytes; seconds between the messages of a host. */
enum sweep { SWEEP_LOAD, SWEEP_BYTES, SWEEP_INTERARRIVAL };

/* Reads "bytes=4:128k:x2" to its kind; returns what follows the equals sign. Ends the program on errors. */
const char *sweep_begin(const char *text, enum sweep *sweep);

/*
 * Reads the points, at most SWEEP_MAX; second: the seconds of a time without a unit. Returns their number; ends the program on errors,
 * which name the option.
 */
uint32_t sweep_read(enum sweep sweep, const char *option, const char *text, double second, double point[SWEEP_MAX]);

#endif
