# SPDX-License-Identifier: Apache-2.0
"""Fixtures and helpers that the tests of the package share. run.py says where the build tree's programs are."""
import os
import pathlib
import subprocess

import pytest

import tern

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.chdir(ROOT)


@pytest.fixture(scope='session')
def landscape():
    """The demo's model: one image of float32 [1, 240, 320, 3], scores of 7 classes for each pixel."""
    return str(ROOT / 'demo/landscape.tflite')


@pytest.fixture(scope='session')
def model(tmp_path_factory):
    """model(NAME): the path of the model that models/NAME.json describes."""
    folder = tmp_path_factory.mktemp('models')
    flatc = os.environ['TERN_FLATC']

    def make(name):
        made = folder / f'{name}.tflite'
        if not made.exists():
            subprocess.run([flatc, '--binary', '-o', folder, ROOT / 'schema/schema.fbs',
                            ROOT / f'python/tests/models/{name}.json'], check=True)
        return str(made)

    return make


@pytest.fixture(scope='session')
def tool():
    """The command line `tern` of the same build."""
    return os.environ['TERN_TOOL']


@pytest.fixture
def gpu():
    """A GPU delegate, where there is a device."""
    try:
        return tern.gpu_delegate()
    except ValueError as error:
        pytest.skip(str(error).strip().splitlines()[-1])


@pytest.fixture(scope='session')
def shared():
    """The folder of models and photos that is beside the project."""
    folder = pathlib.Path(os.environ.get('TERN_SHARED', ROOT.parent / 'shared'))
    if not (folder / 'models').is_dir():
        pytest.skip(f'no folder {folder}/models (set TERN_SHARED)')
    return folder
