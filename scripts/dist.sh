#!/bin/sh
# The source as a tarball: dist.sh NAME FILE. What git knows, or, in an unpacked tarball, all but build/. The files' times are that of the commit, or
# of the tarball (SOURCE_DATE_EPOCH overrides it), so that the same files give the same bytes.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
case ${1--h} in -h | --help)
	echo "Usage: dist.sh NAME FILE; see its first lines"
	exit 0 ;;
esac
name=$1
file=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -e .git ] && git rev-parse --git-dir >/dev/null 2>&1; then
	git ls-files -z >"$work/all"
	# deleted files are still known until they are committed
	xargs -0 sh -c 'for file; do [ -e "$file" ] && printf "%s\0" "$file"; done; :' sh <"$work/all" >"$work/files"
	time=$(git log -1 --format=%ct)
else
	find . -path ./build -prune -o -name __pycache__ -prune -o -type f -printf '%P\0' -o -type l -printf '%P\0' | sort -z >"$work/files"
	time=$(stat -c %Y base/version.h)
fi
[ -s "$work/files" ] || {
	echo "dist.sh: no files" >&2
	exit 1
}
sort -z "$work/files" >"$work/sorted"
mkdir -p "$(dirname "$file")"
tar --create --null --no-recursion --files-from="$work/sorted" --format=gnu --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w \
	--mtime="@${SOURCE_DATE_EPOCH:-$time}" --transform="flags=r;s,^,$name/," | gzip -9n >"$work/dist"
mv "$work/dist" "$file"
