# SPDX-License-Identifier: Apache-2.0
"""A wheel, made over an installed copy of this build, works outside the tree; the source distribution is whole."""
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest

import tern

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRY = '''
import pathlib, sys, numpy, tern
model, site = sys.argv[1:]
assert tern.__file__.startswith(site), tern.__file__
interpreter = tern.Interpreter(model)
interpreter.allocate_tensors()
interpreter.tensor(0)()[...] = 0.5
interpreter.invoke()
assert interpreter.get_tensor(22).shape == (1, 240, 320, 7) and numpy.isfinite(interpreter.get_tensor(22)).all()
assert len(tern.explain(model, device='mali')['decisions']) == 10
maps = pathlib.Path('/proc/self/maps').read_text().splitlines()
used = {line.split()[-1] for line in maps if 'tensorflowlite' in line}
assert len(used) == 2 and all(path.startswith(site) for path in used), used
'''
WHEEL_FILES = {'tern/__init__.py', 'tern/interpreter.py', 'tern/interpreter.pyi', 'tern/py.typed',
               'tern/libtensorflowlite.so', 'tern/libtensorflowlite_gpu_delegate.so', 'tern/bin/tern',
               'tern/bin/benchmark_model'}
# The files that a build needs, besides src, include and python.
SOURCE_FILES = {'pyproject.toml', 'CMakeLists.txt', 'LICENSE', 'schema/schema.fbs', 'cmake/options.cmake',
                'docs/python.md', 'python/CMakeLists.txt', 'python/tern/py.typed'}
NOT_SOURCE = re.compile(r'^(build|debian|tests|demo)/|_test\.cc$')


def run(*command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope='module')
def build():
    return pathlib.Path(os.environ['TERN_BUILD'])


def test_source_distribution_has_what_a_build_needs(tmp_path):
    run(sys.executable, '-c', 'import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])',
        tmp_path, cwd=ROOT)
    with tarfile.open(next(tmp_path.glob('*.tar.gz'))) as packed:
        names = {name.partition('/')[2] for name in packed.getnames()}
    suffixes = ('.cc', '.h', '.inc', '.kernel', '.py', '.pyi')
    sources = {path.relative_to(ROOT).as_posix() for folder in ('src', 'include', 'python')
               for path in (ROOT / folder).rglob('*')
               if path.suffix in suffixes and not path.name.endswith('_test.cc')}
    assert not (SOURCE_FILES | sources) - names
    assert not [name for name in names if NOT_SOURCE.search(name)]


def test_wheel_over_an_installed_copy_runs_elsewhere(build, landscape, tmp_path):
    prefix, site = tmp_path / 'prefix', tmp_path / 'site'
    run('cmake', '--install', build, '--prefix', prefix)
    run(sys.executable, '-m', 'pip', 'wheel', ROOT, '-q', '--no-deps', '--no-build-isolation', '-w', tmp_path,
        '-C', 'cmake.source-dir=python', '-C', f'cmake.define.CMAKE_PREFIX_PATH={prefix}',
        '-C', f'build-dir={tmp_path}/build')
    wheel = next(tmp_path.glob('*.whl'))
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    assert not WHEEL_FILES - names
    assert not [name for name in names if not name.startswith(('tern/', 'tern_tflite-'))]
    assert wheel.name.startswith('tern_tflite-'), wheel.name
    assert f'-cp3{sys.version_info.minor}-cp3{sys.version_info.minor}-linux_' in wheel.name
    run(sys.executable, '-m', 'pip', 'install', '-q', '--no-deps', '--target', site, wheel)
    environment = {**os.environ, 'PYTHONPATH': str(site)}
    run(sys.executable, '-c', TRY, landscape, site, cwd=tmp_path, env=environment)
    for command in (['tern', '--version'], ['benchmark_model', f'--graph={landscape}', '--num_runs=1']):
        run(site / 'bin' / command[0], *command[1:], cwd=tmp_path, env=environment)


def test_one_version_everywhere():
    project = re.search(r'project\(Tern VERSION ([\d.]+)', (ROOT / 'CMakeLists.txt').read_text()).group(1)
    packaged = re.search(r'^version = "([\d.]+)"', (ROOT / 'pyproject.toml').read_text(), re.M).group(1)
    assert tern.__version__ == packaged == project
