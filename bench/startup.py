#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a model takes from nothing to its first result on a GPU engine, as the table of docs/startup.md:

cold     nothing was kept by anyone
saving   the same with an empty --cache-dir, which is filled after the first run
ours     the driver kept nothing, the directory is full
driver   the driver kept its programs, there is no directory

With --against or --beside, cold starts alone, in turn with those of another build or another engine: the minimum of several.

Each start is a process of its own; `ours` and `driver` are the best of several. Times are those of the report: init (with
the driver's library loaded) and the first run, in milliseconds."""
import json
import math
import pathlib
import tempfile

from models import FLOAT
from tern_process import parser_for, run


def start(options, model, folder, keeps, *more, tern=None, engine=None):
    """The report of one process. Whether the driver keeps programs that it built or not, PoCL writes out what is in a
    binary, once for each folder; and Mesa, which gives no binaries where it must not keep anything, gets an empty one."""
    with tempfile.TemporaryDirectory() as work:
        report = pathlib.Path(work, 'report.json')
        run([tern or options.tern, 'run', model, '--engine', engine or options.engine, '--runs', '1', '--report', report, *more],
            POCL_CACHE_DIR=folder, POCL_KERNEL_CACHE='1' if keeps else '0',
            MESA_SHADER_CACHE_DIR=folder if keeps else work)
        return json.loads(report.read_text())


def took(report):
    return report['init_ms'] + report['first_ms']


def best(count, once):
    return min((once() for _ in range(count)), key=took)


def measure(options, model):
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as saved:
        cached = ('--cache-dir', saved)
        cold = start(options, model, folder, False)
        saving = start(options, model, folder, False, *cached)
        ours = best(options.starts, lambda: start(options, model, folder, False, *cached))
        start(options, model, folder, True)
        driver = best(options.starts, lambda: start(options, model, folder, True))
        size = sum(file.stat().st_size for file in pathlib.Path(saved).glob('*.tern'))
    return {'model': model.stem, 'cold': cold, 'saving': saving, 'ours': ours, 'driver': driver, 'bytes': size}


def compare(options):
    sides = (options.against, options.beside), (options.tern, options.engine)
    names = ('before', 'now') if options.against else (options.beside, options.engine)
    print('| model | {}, ms | {}, ms | of it |\n|---|---|---|---|'.format(*names))
    ratios = []
    for model in options.models:
        least = [float('inf')] * 2
        for _ in range(options.starts):
            for side, (tern, engine) in enumerate(sides):
                with tempfile.TemporaryDirectory() as folder:
                    least[side] = min(least[side], took(start(options, model, folder, False, tern=tern, engine=engine)))
        ratios.append(least[1] / least[0])
        print(f'| {model.stem} | {least[0]:.0f} | {least[1]:.0f} | {ratios[-1]:.2f} |', flush=True)
    print(f'\n{math.prod(ratios) ** (1 / len(ratios)):.2f} in the geometric mean')


def line(row):
    cold, ours = row['cold'], row['ours']
    split = ' + '.join(f'{ours[key]:.0f}' for key in ('init_ms', 'first_ms'))
    return (f"| {row['model']} | {cold['programs_compiled']} | {took(cold):.0f} | {took(row['saving']):.0f} | {split} | "
            f"{100 * took(ours) / took(cold):.1f} % | {ours['programs_compiled']} | {took(row['driver']):.0f} | "
            f"{row['bytes'] / 1000:.0f} |")


def main():
    parser = parser_for(__doc__, FLOAT)
    parser.add_argument('--starts', type=int, default=3, help='of the warm kinds, or of each side')
    other = parser.add_mutually_exclusive_group()
    other.add_argument('--against', metavar='TERN', help='another build of tern')
    other.add_argument('--beside', metavar='ENGINE', help='another engine')
    parser.add_argument('--json', type=pathlib.Path, help='the reports, too')
    options = parser.parse_args()
    if options.against or options.beside:
        compare(options)
        return
    rows = []
    for model in options.models:
        rows.append(measure(options, model))
        if len(rows) == 1:
            first = rows[0]['cold']
            print(f"{first['engine']}, {first['device']}, {first['driver']}\n")
            print('| model | programs | cold, ms | saving, ms | warm by us, ms: init + first run | of cold | compiled then | '
                  'warm by the driver, ms | file, kB |')
            print('|---|---|---|---|---|---|---|---|---|')
        print(line(rows[-1]), flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1))


if __name__ == '__main__':
    main()
