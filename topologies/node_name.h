/* Writes names of nodes: letters and numbers, without the cost of printf. */
#ifndef TOPOLOGIES_NODE_NAME_H
#define TOPOLOGIES_NODE_NAME_H

#include <stdint.h>

/*
 * Writes the letter (a kind of node, or the separator of two numbers) and the number in decimal. Returns the end of the text, where the
 * final NUL is.
 */
static inline char *put_number(char *text, char letter, uint32_t number)
{
	char digits[10];
	int count = 0;
	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	*text++ = letter;
	while (count)
		*text++ = digits[--count];
	*text = '\0';
	return text;
}

/* Writes, in the same way, the count lowest digits of a number to a base, the lowest first, with _ between them. */
static inline char *put_digits(char *text, char letter, uint32_t number, uint32_t base, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++, number /= base)
		text = put_number(text, i ? '_' : letter, number % base);
	return text;
}

#endif
