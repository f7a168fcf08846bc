#!/bin/sh
# The Python package: its numbers are those of the programs, its wheel works, and so does the notebook of the guide: python.sh BIN_DIR
set -u
bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

end() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit
}

# Debian's interpreter has Debian's numpy.
python=
for candidate in /usr/bin/python3 python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import numpy' 2>/dev/null || python=$candidate
done
if [ -z "$python" ]; then
	skip "numpy is not installed (python3-numpy): the Python package"
	end
fi
if sanitized; then
	skip "an interpreter without the sanitizers cannot load the library: the Python package"
	end
fi
ORCS_LIBRARY=$(cd "$bin/../lib" && pwd)/liborcs.so.1
export ORCS_LIBRARY ORCS_BIN="$bin" PYTHONDONTWRITEBYTECODE=1

PYTHONPATH=python "$python" tests/library/package.py >"$work/out" 2>&1
status=$?
cat "$work/out"
check "the tests of the package fail" [ $status -eq 0 ]
"$python" -c 'import networkx' 2>/dev/null || skip "networkx is not installed (python3-networkx): to_networkx"

# ---- the notebook: what its cells print is what they show
check "the notebook fails, or shows something else" env PYTHONPATH="$PWD/python" "$python" tests/library/notebook.py doc/guide/orcs.ipynb
if "$python" -m jupyter nbconvert --version >/dev/null 2>&1; then
	check "nbconvert cannot execute the notebook" env PYTHONPATH="$PWD/python" "$python" -m jupyter nbconvert --to notebook --execute \
		--output-dir "$work" doc/guide/orcs.ipynb
else
	skip "jupyter is not installed (jupyter-nbconvert, python3-ipykernel): the notebook in Jupyter; its cells were run without"
fi

# ---- the wheel
if "$python" -c 'import setuptools, wheel, pip' 2>/dev/null; then
	mkdir -p "$work/source/base" && cp -r python "$work/source" && cp base/version.h "$work/source/base"
	check "the wheel cannot be built" "$python" -m pip wheel -q --no-deps --no-build-isolation --no-index -w "$work" "$work/source/python"
	version=$("$bin/orcs" --version)
	check "the wheel has another version" [ -f "$work/orcs-${version#orcs }-py3-none-any.whl" ]
	check "the wheel cannot be installed" "$python" -m pip install -q --no-deps --no-index --target "$work/site" "$work"/orcs-*.whl
	check "the package of the wheel does not work" sh -c "cd / && PYTHONPATH='$work/site' '$python' -c '
import orcs, pathlib
assert pathlib.Path(orcs.__file__).is_relative_to(\"$work/site\")
assert (pathlib.Path(orcs.__file__).parent / \"py.typed\").exists()
assert len(orcs.load(\"torus:4x4\").bisections(3)) == 3'"
	check "an interpreter without liborcs does not tell what to do" says 1 "install liborcs, or set ORCS_LIBRARY" \
		env -u LD_LIBRARY_PATH ORCS_LIBRARY= PYTHONPATH="$work/site" "$python" -c 'import ctypes, unittest.mock as m
with m.patch("ctypes.CDLL", side_effect=OSError("liborcs.so.1: cannot open")): import orcs'
else
	skip "pip, setuptools or wheel is not installed (python3-pip, python3-wheel): the wheel"
fi
end
