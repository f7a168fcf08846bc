/*
 * Holds the reference itself against numbers that are known from elsewhere.
 */
#ifndef TESTS_PROPERTY_SELFTEST_H
#define TESTS_PROPERTY_SELFTEST_H

/* Prints one line per check. Returns how many failed. */
int selftest(void);

#endif
