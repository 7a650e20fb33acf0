#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gain of tuning on the device, as the table of docs/startup.md: each model is tuned once, which is saved, and
then run with the device's tuning parameters and with its own in turn, each a process of its own that starts from what
was saved."""
import json
import math
import pathlib
import statistics
import tempfile

from tern_process import parser_for, run

MODELS = ('derived_mobilenet_v1_1.0_224_float', 'deeplabv3_257_mv_gpu', 'derived_posenet_mobilenet_v1_075_353x481_float',
          'face_detection_front', 'selfie_segmentation', 'hand_landmark_lite', 'pose_landmark_lite', 'face_landmark')


def measure(options, model):
    with tempfile.TemporaryDirectory() as work:
        report, tried = pathlib.Path(work, 'report.json'), pathlib.Path(work, 'tried.json')
        cached = ('--cache-dir', pathlib.Path(work, 'cache'))
        pathlib.Path(work, 'cache').mkdir()
        run([options.tern, 'tune', model, '--engine', options.engine, '--budget', options.budget, '--json', tried, *cached])
        times = {'plain': [], 'tuned': []}
        for _ in range(options.rounds + 1):
            for name, more in (('plain', ()), ('tuned', ('--tune', options.budget))):
                run([options.tern, 'run', model, '--engine', options.engine, '--runs', options.runs, '--report', report, *cached,
                     *more])
                reported = json.loads(report.read_text())
                times[name].append(reported['median_ms'])
        parts = json.loads(tried.read_text())
        return {'model': model.stem, 'device': reported['device'], 'parts': parts,
                'plain': statistics.median(times['plain'][1:]), 'tuned': statistics.median(times['tuned'][1:]),
                'ratio': statistics.median(a / b for a, b in zip(times['plain'][1:], times['tuned'][1:]))}


def line(row):
    before, after = (sum(part[key] for part in row['parts']) / 1e6 for key in ('before_ns', 'after_ns'))
    spent = sum(part['spent_ns'] for part in row['parts']) / 1e9
    cut = '+' if any(part['out_of_time'] for part in row['parts']) else ''
    return (f"| {row['model']} | {row['plain']:.2f} | {row['tuned']:.2f} | {row['ratio']:.3f} | {before:.2f} | {after:.2f} | "
            f"{sum(part['tuned'] for part in row['parts'])} | {spent:.1f}{cut} |")


def main():
    parser = parser_for(__doc__, MODELS)
    parser.add_argument('--budget', type=float, default=5, help='seconds')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--runs', type=int, default=100, help='of each process')
    options = parser.parse_args()
    rows = []
    for model in options.models:
        rows.append(measure(options, model))
        if len(rows) == 1:
            print(f"{options.engine}, {rows[0]['device']}\n")
            print('| model | run, ms | tuned, ms | ratio | launches, ms | tuned, ms | nodes | measured for, s |')
            print('|---|---|---|---|---|---|---|---|')
        print(line(rows[-1]), flush=True)
    print(f"\ngeomean of the ratios: {math.exp(statistics.fmean(math.log(row['ratio']) for row in rows)):.3f}")


if __name__ == '__main__':
    main()
