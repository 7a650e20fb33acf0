# SPDX-License-Identifier: Apache-2.0
"""Checks that the Python blocks of the documents run, and the examples, too."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = [ROOT / 'README.md', *sorted((ROOT / 'docs').rglob('*.md'))]
BLOCKS = [pytest.param(text, id=f'{file.name}-{number}') for file in FILES
          for number, text in enumerate(re.findall(r'^```python\n(.*?)^```', file.read_text(), re.S | re.M), 1)]


def test_there_are_blocks():
    assert len(BLOCKS) >= 4


@pytest.mark.parametrize('text', BLOCKS)
def test_block_runs(text):
    run = subprocess.run([sys.executable, '-c', text], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def example(*args, **environment):
    return subprocess.run([sys.executable, 'examples/python/classify.py', *args], cwd=ROOT, env=os.environ | environment,
                          capture_output=True, text=True, check=False)


def classified(model, labels, photo):
    pytest.importorskip('PIL', reason='no Pillow')
    run = example(model, labels, photo)
    assert run.returncode == 0, run.stderr
    return [line.rpartition(': ')[0] for line in run.stdout.splitlines()]


def test_the_example_sees_mostly_sky_and_meadow(landscape):
    names = classified(landscape, 'demo/labels.txt', 'demo/landscape.png')
    assert len(names) == 3 and names[0] == 'sky' and 'meadow' in names


def test_the_example_numbers_a_class_without_a_label(landscape, tmp_path):
    (tmp_path / 'labels.txt').write_text('other\n')
    assert classified(landscape, tmp_path / 'labels.txt', 'demo/landscape.png')[0] == 'class 1'


def test_the_example_knows_a_uniform(shared):
    names = classified(shared / 'models/mobilenet_v1_1.0_224_quant.tflite',
                       shared / 'labels/labels_mobilenet_quant_v1_224.txt', shared / 'media/mattn_grace_hopper.png')
    assert names[0] == 'military uniform'


def test_the_example_prints_scores_of_quantized_models_as_numbers(shared):
    run = example(shared / 'models/mobilenet_v1_1.0_224_quant.tflite', shared / 'labels/labels_mobilenet_quant_v1_224.txt',
                  shared / 'media/mattn_grace_hopper.png')
    scores = [float(line.rpartition(': ')[2]) for line in run.stdout.splitlines()]
    assert 1 >= scores[0] >= scores[1] >= scores[2] >= 0


def test_the_example_says_what_it_lacks(tmp_path):
    run = example()
    assert run.returncode == 1 and 'classify.py MODEL LABELS PHOTO' in run.stderr
    (tmp_path / 'PIL.py').write_text('raise ImportError')
    run = example(PYTHONPATH=f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}")
    assert run.returncode == 1 and run.stderr == 'classify.py reads photos with Pillow: pip install pillow\n'
