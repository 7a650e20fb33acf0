#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of the Python package by pytest, in an environment of their own.

run.py BUILD_FOLDER FLATC TOOL [PYTEST ARGUMENTS...]

The environment is BUILD_FOLDER/python/env, filled from PyPI where it is not there yet; TERN_PYTEST_PYTHON names a
Python that has what WHEELS lists. Exit codes: 0 passed, 1 failed, 77 skipped (the last line says why). The result
of each test goes where GTEST_OUTPUT (xml:FOLDER/) says, for the summary.
"""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/external'))
from runtimes import python_with  # noqa: E402


WHEELS = ['numpy', 'pillow', 'pybind11>=2.13', 'pytest', 'scikit-build-core>=0.10']


def main():
    build, flatc, tool = pathlib.Path(sys.argv[1]).resolve(), *map(os.path.abspath, sys.argv[2:4])
    python = python_with(build / 'python/env', 'TERN_PYTEST_PYTHON', WHEELS,
                         'import numpy, PIL, pybind11, pytest, scikit_build_core')
    environment = {**os.environ, 'PYTHONPATH': str(build / 'python'), 'TERN_BUILD': str(build), 'TERN_FLATC': flatc,
                   'TERN_TOOL': tool}
    arguments = ['-q', '-p', 'no:cacheprovider', '-rs', *sys.argv[4:]]
    results = os.environ.get('GTEST_OUTPUT', '').removeprefix('xml:')
    if results.endswith('/'):
        arguments.append(f'--junitxml={results}python_test.xml')
    run = subprocess.run([python, '-B', '-m', 'pytest', *arguments, str(ROOT / 'python/tests')], env=environment,
                         check=False)
    return 1 if run.returncode else 0


if __name__ == '__main__':
    sys.exit(main())
