# SPDX-License-Identifier: Apache-2.0
"""python/alias: other names of tern, which give way to real packages. A small package stands in for tern."""
import importlib.util
import pathlib
import subprocess
import sys
import zipfile

import pytest

ALIAS = pathlib.Path(__file__).resolve().parents[1] / 'alias'


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')


@pytest.fixture(name='site')
def make_site(tmp_path):
    """A folder as pip leaves it."""
    spec = importlib.util.spec_from_file_location('backend', ALIAS / 'backend.py')
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    site = tmp_path / 'site'
    with zipfile.ZipFile(tmp_path / backend.build_wheel(tmp_path)) as wheel:
        assert wheel.testzip() is None
        wheel.extractall(site)
    write(site, {
        'tern/__init__.py': "__all__ = ['Interpreter']\n__version__ = '0.1.0'\nfrom tern.interpreter import Interpreter\n",
        'tern/interpreter.py': "__all__ = ['Interpreter']\nclass Interpreter: pass\n",
    })
    return site


def run(site, program):
    text = f'import site; site.addsitedir({str(site)!r})\n' + program
    return subprocess.run([sys.executable, '-I', '-S', '-c', text], capture_output=True, text=True, check=False)


@pytest.mark.parametrize('name', ['tflite_runtime', 'ai_edge_litert'])
def test_both_names_lead_to_tern(site, name):
    done = run(site, f'''
import tern, {name}
import {name}.interpreter as tflite
from {name}.interpreter import Interpreter
assert tflite.Interpreter is tern.Interpreter is Interpreter and {name}.__version__ == '0.1.0'
''')
    assert done.returncode == 0, done.stderr


def test_a_real_package_goes_first(site):
    write(site, {'tflite_runtime/__init__.py': 'REAL = 1\n'})
    done = run(site, '''
import tflite_runtime
assert tflite_runtime.REAL == 1
import ai_edge_litert.interpreter
try:
    import tflite_runtime.interpreter
except ModuleNotFoundError:
    print('as before')
''')
    assert done.stdout == 'as before\n', done.stderr


def test_other_modules_are_not_there(site):
    done = run(site, 'import ai_edge_litert.compiled_model\n')
    assert done.returncode != 0 and 'ModuleNotFoundError' in done.stderr


def test_pip_installs_it(tmp_path):
    done = subprocess.run([sys.executable, '-m', 'pip', 'install', '--no-deps', '--no-index', '--target', tmp_path / 'pip',
                           ALIAS], capture_output=True, text=True, check=False)
    if 'No module named pip' in done.stderr:
        pytest.skip('no pip')
    assert done.returncode == 0, done.stderr
    assert (tmp_path / 'pip' / 'tern_alias.pth').exists()
