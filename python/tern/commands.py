# SPDX-License-Identifier: Apache-2.0
"""The programs in the package, as commands (`tern`, `benchmark_model`) and as functions."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

_FOLDER = pathlib.Path(__file__).parent / 'bin'


def _program(name):
    path = _FOLDER / name
    if path.exists():
        return str(path)
    raise RuntimeError(f'{name} is not in this package: it was built without the headers of CLI11, nlohmann_json and '
                       'stb (Debian: libcli11-dev, nlohmann-json3-dev, libstb-dev)')


def _become(name):
    try:
        path = _program(name)
    except RuntimeError as error:
        sys.exit(str(error))
    os.execv(path, [name, *sys.argv[1:]])


def run_tern():
    """The command `tern` (docs/run.md); does not return."""
    _become('tern')


def run_benchmark_model():
    """The command `benchmark_model`, with the flags of TensorFlow Lite's; does not return."""
    _become('benchmark_model')


def _told(*arguments):
    """Returns the JSON that a verb of the tool prints; ValueError with its sentence where it prints none. The exit status
    does not count: it is not 0 for bad news, such as a device with wrong numbers."""
    run = subprocess.run([_program('tern'), *arguments, '--json', '-'], capture_output=True, text=True, check=False)
    if not run.stdout:
        lines = run.stderr.strip().splitlines()
        raise ValueError(lines[-1] if lines else f'tern {arguments[0]} ended with {run.returncode}')
    return json.loads(run.stdout)


def devices():
    """Returns the devices that can run models here, as `tern devices --json` tells them: a dict with the processor and the
    devices of each backend, their limits, drivers, and whether four kernels gave the CPU's numbers there."""
    return _told('devices')


def advise(model, engine=None, runs=None):
    """Tells why a model is slow on a GPU and which changes help, by gain: `tern advise --json` (docs/trouble.md).

    model: a path or bytes. engine: 'opencl', 'gles', 'gpu' or 'auto'; the tool's own choice unless given. runs: timed runs
    of each way to run it. The model is run with numbers that are made up. ValueError for a model or engine that is none,
    and where there is no GPU.
    """
    more = [] if engine is None else ['--engine', engine]
    if runs is not None:
        more += ['--runs', str(runs)]
    if not isinstance(model, bytes):
        return _told('advise', os.fsdecode(model), *more)
    with tempfile.NamedTemporaryFile(suffix='.tflite') as file:
        file.write(model)
        file.flush()
        return _told('advise', file.name, *more)
