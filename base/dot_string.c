#include "base/dot_string.h"

#include <string.h>

/* Returns whether Graphviz may split a string next to this character. */
static bool is_seam(char c)
{
	return !c || c == '"' || c == '\\';
}

bool dot_string_fits(const char *text)
{
	bool odd = false; /* whether the number of backslashes directly before is odd */
	for (char before = '\0'; *text; before = *text++) {
		if ((odd && *text == '"') || (*text == '\n' && (odd || (is_seam(before) && is_seam(text[1])))))
			return false;
		odd = *text == '\\' && !odd;
	}
	return !odd;
}

const char *dot_list_fault(const char *name, const char *marks)
{
	static const char blanks[] = " \t\n\r";
	size_t length = strlen(name);
	char mark = name[strcspn(name, marks)];
	if (!length)
		return "it is empty";
	if (mark)
		return mark == ',' ? "it has a comma" : "it has a semicolon";
	if (strchr(blanks, name[0]) || strchr(blanks, name[length - 1]))
		return "it begins or ends with a space";
	if (!strcmp(name, "*"))
		return "'*' denotes all hosts";
	return dot_string_fits(name) ? NULL : "it has a backslash before a quote or at its end, or a newline next to one of these";
}
