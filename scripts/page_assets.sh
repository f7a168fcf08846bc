#!/bin/sh
# The style and the script of orcs-report's page as C, with their hashes for its policy: page_assets.sh STYLE SCRIPT... For the Makefile.
# The parts of the script become one function.
set -eu

style=$1
shift
script=$(mktemp)
trap 'rm -f "$script"' EXIT
{
	echo "'use strict';"
	echo '(function () {'
	cat "$@"
	echo '})();'
} >"$script"

# Writes a file as an array of characters.
array() { # NAME FILE
	echo "const char $1[] = {"
	od -An -v -tu1 "$2" | sed 's/  *\([0-9][0-9]*\)/\1,/g'
	echo '0};'
}

# Writes its SHA-256 as a string, in base64.
hash() { # NAME FILE
	octal=$(sha256sum "$2" | awk '{ digits = "0123456789abcdef"
		for (i = 1; i < 64; i += 2)
			printf "\\%03o", (index(digits, substr($1, i, 1)) - 1) * 16 + index(digits, substr($1, i + 1, 1)) - 1 }')
	# shellcheck disable=SC2059
	echo "const char $1[] = \"sha256-$(printf "$octal" | base64)\";"
}

echo '#include "tools/report/page_assets.h"'
array report_style "$style"
array report_script "$script"
hash report_style_hash "$style"
hash report_script_hash "$script"
