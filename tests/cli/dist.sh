#!/bin/sh
# The tarball: the same files give the same bytes, also where there is no git; and the version is one: dist.sh BIN_DIR
set -u
bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

version=$("$bin/orcs" --version)
version=${version#orcs }
check "CITATION.cff has another version" grep -qx "version: $version" CITATION.cff
check "debian/changelog has another version" sh -c "head -n 1 debian/changelog | grep -q '^orcs ($version-'"
check "the wheel takes its version from elsewhere" grep -q 'base.*version.h' python/setup.py

check "the tarball cannot be made" scripts/dist.sh "orcs-$version" "$work/first.tar.gz"
tar xzf "$work/first.tar.gz" -C "$work" || exit 1
tree=$work/orcs-$version
check "the tarball, unpacked, does not make itself again" sh -c "cd '$tree' && scripts/dist.sh orcs-$version '$work/second.tar.gz' &&
	cmp '$work/first.tar.gz' '$work/second.tar.gz'"
touch "$tree/README.md" && chmod 600 "$tree/LICENSE"
check "times and permissions change the tarball" sh -c "cd '$tree' && scripts/dist.sh orcs-$version '$work/third.tar.gz' &&
	cmp '$work/first.tar.gz' '$work/third.tar.gz'"
echo >>"$tree/README.md"
check "a changed file does not change the tarball" sh -c "cd '$tree' && scripts/dist.sh orcs-$version '$work/fourth.tar.gz' &&
	! cmp -s '$work/first.tar.gz' '$work/fourth.tar.gz'"
check "the tarball has built files" sh -c "! tar tzf '$work/first.tar.gz' | grep -E '\\.o\$|^[^/]*/build/'"
check "the tarball cannot be built" make -s -n -C "$tree" all
if have git && git rev-parse --git-dir >/dev/null 2>&1; then
	git ls-files | sort >"$work/wanted"
	tar tzf "$work/first.tar.gz" | sed 's,^[^/]*/,,' | sort >"$work/got"
	check "the tarball has other files than git knows" diff "$work/wanted" "$work/got"
else
	skip "this is no clone: the files of the tarball"
fi

check "set_version.sh refuses no nonsense" says 2 "is not a version" scripts/set_version.sh "1'2"
check "a new version cannot be set" "$tree/scripts/set_version.sh" 9.8.7
check "an old version is left" sh -c "! grep -rnF '\"orcs $version\"' '$tree/doc' && grep -qx 'version: 9.8.7' '$tree/CITATION.cff' &&
	grep -q '\"9.8.7\"' '$tree/base/version.h' && grep -q '\"version\":\"9.8.7\"' '$tree/tests/cli/results.cases'"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
