#!/bin/sh
# Sets the version of orcs: set_version.sh VERSION. It stands in base/version.h, from which programs, library, tarball and wheel have it; this puts it
# into the texts that name it, too, for tests/cli/dist.sh to agree. The changelogs stay: write them.
set -eu
cd "$(dirname "$0")/.."
case ${1--h} in
-h | --help)
	echo "Usage: set_version.sh VERSION, such as 1.2.0"
	exit 0 ;;
*[!0-9.]*)
	echo "set_version.sh: '$1' is not a version such as 1.2.0" >&2
	exit 2 ;;
esac
old=$(sed -n 's/^#define ORCS_VERSION "\(.*\)"/\1/p' base/version.h)
pattern=$(echo "$old" | sed 's/\./\\./g')
sed -i "s/^#define ORCS_VERSION .*/#define ORCS_VERSION \"$1\"/" base/version.h
sed -i "s/^version: .*/version: $1/" CITATION.cff
sed -i "/^\.TH/s/ $pattern\"/ $1\"/" doc/*.[1357]
sed -i "s/\"version\": *\"$pattern\"/\"version\":\"$1\"/" tests/cli/*.cases doc/orcs-*.md
echo "orcs $old -> $1"
