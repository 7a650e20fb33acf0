#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that tern explain tells without a run what the runtime reports, on every model at hand.

explain_test.py TERN [MODEL...]

Models are those of $TERN_SHARED/models unless named. The engine is the first of gles and opencl that opens, with
TERN_ALL_ENGINES each of them; its driver builds the programs for one side of the comparison, OpenGL ES in less time.
Exit status 77: nothing to compare."""
import json
import os
import pathlib
import subprocess
import sys

TERN = sys.argv[1]
SHARED = pathlib.Path(os.environ.get('TERN_SHARED', '../shared')) / 'models'
DEMO = pathlib.Path('demo/landscape.tflite')


def explain(model, *args):
    run = subprocess.run([TERN, 'explain', str(model), '--json', '-', *args], capture_output=True, text=True, check=False)
    return json.loads(run.stdout) if run.returncode == 0 else run.stderr


def without_numbers_of_the_engine(reported):
    return {key: reported[key] for key in ('device', 'not_applied', 'decisions', 'crossings')}


def check(model, engine):
    """The text of a difference; empty where there is none, and for models that the runtime itself cannot build."""
    real, planned = explain(model, '--engine', engine), explain(model, '--device', engine)
    if isinstance(real, str) or isinstance(planned, str):
        return '' if real == planned else f'{model}: {real!r} and {planned!r}'
    invented = explain(model)
    if [d['index'] for d in invented['decisions']] != [d['index'] for d in planned['decisions']]:
        return f'{model}: an invented device has other nodes'
    if without_numbers_of_the_engine(real) == without_numbers_of_the_engine(planned):
        return ''
    for one, other in zip(real['decisions'], planned['decisions']):
        if one != other:
            return f'{model}: {one}\n  and {other}'
    return f'{model}: they differ'


def main():
    engines = [engine for engine in ('gles', 'opencl') if not isinstance(explain(DEMO, '--engine', engine), str)]
    if 'TERN_ALL_ENGINES' not in os.environ:
        engines = engines[:1]
    if not engines:
        print('skipped: no engine here')
        return 77
    models = [pathlib.Path(name) for name in sys.argv[2:]] or sorted(SHARED.glob('*.tflite'))
    if not models:
        print(f'no models in {SHARED}: only the demo is compared')
    failures = [text for engine in engines for model in [DEMO, *models] if (text := check(model, engine))]
    print('\n'.join(failures) or
          f'{len(models) + 1} models on {" and ".join(engines)}: before a run and without one it is the same')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
