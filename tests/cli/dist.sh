#!/bin/sh
# The release tarball and the version: dist.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

version=$(sed -n 's/^#define ORCS_VERSION "\(.*\)"/\1/p' base/version.h)

# ---- one version

check "the program has the version of base/version.h" eval '"$bin/orcs" --version | grep -qF " $version"'
check "the citation has it" grep -qx "version: $version" CITATION.cff
check "all man pages have it" eval '! grep -L "^\.TH .*\"orcs[a-z-]* $version\"" doc/*.[1357] | grep -q .'
check "the Debian packages have it" eval 'head -n 1 debian/changelog | grep -qF "orcs ($version-"'

# A new version is put everywhere.
renamed() {
	mkdir "$work/copy" && git ls-files -z | tar --create --null --files-from=- | tar --extract --directory="$work/copy" || return 1
	(cd "$work/copy" && scripts/set_version.sh 7.8.9) || return 1
	grep -q '"7.8.9"' "$work/copy/base/version.h" && grep -qx 'version: 7.8.9' "$work/copy/CITATION.cff" &&
		! grep -L '^\.TH .*"orcs[a-z-]* 7.8.9"' "$work/copy"/doc/*.[1357] | grep -q .
}
if git rev-parse --git-dir >/dev/null 2>&1; then
	check "set_version.sh sets it" renamed
else
	skip "no git: set_version.sh is not tried"
fi
check "set_version.sh refuses what is no version" eval '! scripts/set_version.sh 1.0-beta 2>"$work/said" && grep -q "is not a version" "$work/said"'

# ---- the tarball

check "a tarball" scripts/dist.sh "orcs-$version" "$work/one.tar.gz"
check "has the same bytes again" eval 'sleep 1; scripts/dist.sh "orcs-$version" "$work/two.tar.gz" && cmp "$work/one.tar.gz" "$work/two.tar.gz"'
check "unpacks" eval 'mkdir "$work/unpacked" && tar --extract --file="$work/one.tar.gz" --directory="$work/unpacked" && cd "$work/unpacked/orcs-$version"'
check "has the same bytes from what was unpacked, without git" eval \
	'"$work/unpacked/orcs-$version/scripts/dist.sh" "orcs-$version" "$work/three.tar.gz" && cmp "$work/one.tar.gz" "$work/three.tar.gz"'
check "would be built by make" eval 'make -C "$work/unpacked/orcs-$version" -n all >"$work/steps" && grep -q "LINK .*bin/orcs" "$work/steps"'

# A file that a tarball lacks is missed.
lacking() {
	rm "$work/unpacked/orcs-$version/base/error.c" &&
		! make -C "$work/unpacked/orcs-$version" -n build/plain/base/error.o >/dev/null 2>&1 &&
		"$work/unpacked/orcs-$version/scripts/dist.sh" "orcs-$version" "$work/four.tar.gz" && ! cmp -s "$work/one.tar.gz" "$work/four.tar.gz"
}
check "one with a file less is another one" lacking

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
