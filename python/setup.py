"""The version of the package is that of orcs."""

import pathlib
import re

import setuptools

header = pathlib.Path(__file__).resolve().parent.parent / "base" / "version.h"
setuptools.setup(version=re.search(r'ORCS_VERSION "(.*)"', header.read_text()).group(1))
