# SPDX-License-Identifier: Apache-2.0
"""The programs in the package."""
import json
import pathlib
import subprocess
import sys

import pytest

import tern
from tern import commands


def command(name, *arguments):
    start = f'import sys; from tern import commands; sys.argv = {[name, *arguments]!r}; commands.run_{name}()'
    return subprocess.run([sys.executable, '-c', start], capture_output=True, text=True, check=False)


def test_commands_are_the_programs(landscape):
    assert command('tern', '--version').stdout.startswith(f'tern {tern.__version__}, ')
    refused = command('tern', 'run', 'nothing.tflite')
    assert refused.returncode == 1 and 'nothing.tflite' in refused.stderr
    timed = command('benchmark_model', f'--graph={landscape}', '--num_runs=1', '--warmup_runs=1')
    assert timed.returncode == 0 and 'Inference timings in us' in timed.stderr + timed.stdout


def test_a_package_without_programs_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(commands, '_FOLDER', tmp_path)
    with pytest.raises(RuntimeError, match='tern is not in this package: .* libcli11-dev'):
        tern.devices()


def test_devices_are_those_that_the_command_line_tells(tool):
    reported = tern.devices()
    run = subprocess.run([tool, 'devices', '--json', '-'], capture_output=True, text=True, check=True)
    told = json.loads(run.stdout)
    assert reported == told
    assert reported['cpu']['threads'] >= 1


def test_devices_with_wrong_numbers_are_told(monkeypatch, tmp_path):
    tool = tmp_path / 'tern'
    tool.write_text('#!/bin/sh\necho \'{"devices": [{"self_test": "ADD is off"}]}\'\nexit 1\n')
    tool.chmod(0o755)
    monkeypatch.setattr(commands, '_FOLDER', tmp_path)
    assert tern.devices() == {'devices': [{'self_test': 'ADD is off'}]}


def test_advice_is_about_the_model(landscape):
    engines = {device['backend'] for device in tern.devices()['devices'] if 'error' not in device}
    if not engines:
        pytest.skip('no GPU device here')
    engine = sorted(engines)[0]  # OpenGL ES, where it is: the quicker to start
    reported = tern.advise(landscape, engine=engine, runs=2)
    assert reported['model'] == landscape and reported['engine'] == engine and reported['nodes'] == 10
    assert all(line['text'] for line in reported['advice'])
    assert tern.advise(pathlib.Path(landscape).read_bytes(), engine=engine, runs=2)['nodes'] == 10


@pytest.mark.parametrize('arguments, expected', [
    (['nothing.tflite'], 'nothing.tflite'), (['demo/landscape.tflite', 'opencll'], 'opencll'),
    ([b'no model', 'gles'], 'tflite'), (['demo/landscape.tflite', None, 0], '0')])
def test_advice_about_what_is_none(arguments, expected):
    with pytest.raises(ValueError, match=expected):
        tern.advise(*arguments)
