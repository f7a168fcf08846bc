/*
 * Holds the reference itself against numbers that are known from elsewhere.
 */
#ifndef PROPERTY_SELFTEST_H
#define PROPERTY_SELFTEST_H

/* Prints one line per check. Returns how many failed. */
int selftest(void);

#endif
