# SPDX-License-Identifier: Apache-2.0
"""The launches of a run of each model on the GPU engine, and the programs and bytes of their texts that a cold start compiles,
as a table in Markdown. Nothing is compiled for that; the plans are those for an invented device."""
import argparse
import pathlib
import re
import subprocess
import sys

from models import FLOAT

DEVICE, LANGUAGE = 'cpu16', 'opencl'  # plans as PoCL gets them on a processor with AVX-512


def programs_of(tern, model, device=DEVICE, language=LANGUAGE):
    """(kernel, text) of each program."""
    printed = subprocess.run([tern, 'kernels', '--device', device, '--language', language, model], check=True,
                             capture_output=True, text=True).stdout
    parts = re.split(r'^// (\w+)\n', printed, flags=re.MULTILINE)[1:]
    return list(zip(parts[0::2], parts[1::2]))


def launches_of(tern, model, device=DEVICE):
    """Of all parts of the model that go to the GPU."""
    printed = subprocess.run([tern, 'plan', '--device', device, model], check=True, capture_output=True, text=True).stdout
    return sum(int(count) for count in re.findall(r'^plan: (\d+) dispatches', printed, re.MULTILINE))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('models', nargs='*', type=pathlib.Path, help='.tflite files; unless given, those of bench/models.py')
    parser.add_argument('--folder', default='../shared/models', type=pathlib.Path)
    parser.add_argument('--tern', default='build/release/bin/tern', type=pathlib.Path)
    parser.add_argument('--device', default=DEVICE)
    parser.add_argument('--language', default=LANGUAGE)
    args = parser.parse_args()
    print(f'| model, for `{args.device}` in `{args.language}` | launches | programs | bytes |\n|---|---|---|---|')
    for model in args.models or [args.folder / f'{name}.tflite' for name in FLOAT]:
        if not model.exists():
            print(f'{model}: not here', file=sys.stderr)
            continue
        programs = programs_of(args.tern, model, args.device, args.language)
        print(f'| {model.stem} | {launches_of(args.tern, model, args.device)} | {len(programs)} | '
              f'{sum(len(text) for _, text in programs)} |')


if __name__ == '__main__':
    main()
