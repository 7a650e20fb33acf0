# SPDX-License-Identifier: Apache-2.0
"""Memory: the largest resident size of `tern run` on the CPU beside the reference's C++ library, model by model.

Both run a model once, with one thread, in a process of their own. The library runs as its Python package does: with
XNNPACK for the operators that it takes, or with its reference kernels where XNNPACK does not fit the model; and, for
comparison, with its reference kernels only.
"""
import argparse
import fnmatch
import json
import pathlib
import statistics
import subprocess
import tempfile


def failure(done):
    lines = (done.stderr + done.stdout).strip().splitlines()
    return lines[-1] if lines else f'exit status {done.returncode}'


def run_tern(tern, model):
    with tempfile.NamedTemporaryFile(suffix='.json') as report:
        done = subprocess.run([tern, 'run', model, '--engine', 'cpu', '--threads', '1', '--report', report.name],
                              capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise RuntimeError(failure(done))
        return json.load(report)


def run_library(program, library, model, *flags):
    done = subprocess.run([program, library, model, '--threads', '1', *flags], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(failure(done))
    return json.loads(done.stdout.strip().splitlines()[-1])


def peak(runs, measure):
    """The median of the peaks in MiB, with the last report; (None, reason) where it does not run."""
    try:
        reports = [measure() for _ in range(runs)]
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    return statistics.median(r['peak_rss_bytes'] for r in reports) / 2**20, reports[-1]


def measure(args, model):
    ours, report = peak(args.runs, lambda: run_tern(args.tern, model))
    row = {'name': pathlib.Path(model).stem, 'tern': ours}
    if ours is None:
        row['failed'] = report
    else:
        row['arena'] = report['arena_bytes'] / 2**20
        row['bound'] = report['arena_lower_bound'] / 2**20
    if args.library:
        row['reference'], _ = peak(args.runs, lambda: run_library(args.c_api_run, args.library, model, '--xnnpack'))
        row['plain'], _ = peak(args.runs, lambda: run_library(args.c_api_run, args.library, model))
        row['reference'] = row['reference'] or row['plain']
    return row


def text(value):
    return f'{"-":>11}' if value is None else f'{value:>11.1f}'


def print_row(row):
    line = f'{row["name"]:<56}' + ''.join(text(row.get(key)) for key in ('tern', 'reference', 'plain'))
    ratio = row['tern'] / row['reference'] if row['tern'] and row.get('reference') else None
    line += f'{"-":>8}' if ratio is None else f'{ratio:>8.2f}'
    print(line + text(row.get('arena')) + text(row.get('bound')), flush=True)
    if 'failed' in row:
        print(f'  not run: {row["failed"][:160]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--folder', default='../shared/models')
    parser.add_argument('--only', default='*', help='a glob over the names of the models')
    parser.add_argument('--tern', default='build/release/bin/tern')
    parser.add_argument('--c-api-run', default='build/release/bin/c_api_run')
    parser.add_argument('--library', help="the reference's C++ library")
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--json', help='write the rows')
    args = parser.parse_args()
    models = [path for path in sorted(pathlib.Path(args.folder).glob('*.tflite')) if fnmatch.fnmatch(path.stem, args.only)]
    print(f'{"peak RSS in MiB":<56}{"tern":>11}{"reference":>11}{"plain":>11}{"ratio":>8}{"arena":>11}{"bound":>11}')
    rows = []
    for model in models:
        rows.append(measure(args, str(model)))
        print_row(rows[-1])
    compared = [row for row in rows if row['tern'] and row.get('reference')]
    larger = [row['name'] for row in compared if row['tern'] > row['reference']]
    print(f'\n{len(rows)} models, {len(compared)} run in both; tern is larger on {len(larger)}: {", ".join(larger) or "-"}')
    loose = [row['name'] for row in rows if row.get('bound') and row['arena'] > 1.05 * row['bound']]
    print(f'activations more than 5 % above their lower bound: {", ".join(loose) or "-"}')
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(rows, indent=1))


if __name__ == '__main__':
    main()
