# SPDX-License-Identifier: Apache-2.0
"""Benches that start `tern` again for each number: their options, and one process."""
import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def parser_for(text, names):
    """Takes models, those of `names` without any, and which program and engine run them."""
    shared = os.environ.get('TERN_SHARED', ROOT.parent / 'shared')
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('models', nargs='*', type=pathlib.Path, help=f'files; without any, {len(names)} of $TERN_SHARED/models',
                        default=[pathlib.Path(shared, 'models', f'{name}.tflite') for name in names])
    parser.add_argument('--tern', default=ROOT / 'build/release/bin/tern')
    parser.add_argument('--engine', default='opencl')
    return parser


def run(command, **environment):
    """Ends the bench where the process fails."""
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: {(done.stderr or done.stdout).strip()}')
