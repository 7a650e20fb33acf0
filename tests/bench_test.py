# SPDX-License-Identifier: Apache-2.0
"""The programs of bench/ on the demo's model, with our own C library and a stand-in for the reference package:
   bench_test.py TERN C_API_RUN LIBRARY"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TERN, C_API_RUN, LIBRARY = sys.argv[1:]
MODEL = 'demo/landscape.tflite'
# Called as a Python would be: STAND_IN reference.py MODEL THREADS RUNS.
STAND_IN = '#!/bin/sh\necho \'{"init_ms": 1, "first_ms": 3, "median_ms": 0.001}\'\n'


def run(*command, status=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == status, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def check_models(folder):
    stand_in = folder / 'python'
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    rows = folder / 'models.json'
    text = run(sys.executable, '-B', 'bench/models.py', MODEL, '--tern', TERN, '--python', stand_in, '--rounds', 3, '--round-ms', 1,
               '--peers', 'reference:1,reference:2,reference:gpu,cpu:1,cpu:2,null:nothing', '--json', rows)
    reported = json.loads(rows.read_text())
    model, = reported['models']
    assert len(model['ms']['cpu:1']) == len(model['ms']['reference:2']) == 3
    assert model['ratio']['cpu:1'] > 1 and model['ratio']['cpu:2'] > 1
    assert 'null:nothing' in model['failed'] and 'null:nothing: not run' in text
    assert len(model['per_op']) == 10
    assert {s['peer'] for s in reported['summaries']} == {'cpu:1', 'cpu:2'}
    assert reported['machine']['instruction_set'] in text
    return rows


def check_memory(folder):
    rows = folder / 'memory.json'
    text = run(sys.executable, '-B', 'bench/memory.py', '--folder', 'demo', '--tern', TERN, '--c-api-run', C_API_RUN,
               '--library', LIBRARY, '--runs', 1, '--json', rows)
    row, = json.loads(rows.read_text())
    # The library under test is our own.
    assert row['tern'] > 1 and row['reference'] > 1 and row['plain'] > 1
    assert row['arena'] >= row['bound'] > 0
    assert '1 models, 1 run in both' in text
    return rows


def check_c_api_run():
    reported = json.loads(run(C_API_RUN, LIBRARY, MODEL, '--threads', 2, '--runs', 3))
    assert reported['median_ms'] > 0 and reported['peak_rss_bytes'] > 2**20
    assert 'not a usable model' in run(C_API_RUN, LIBRARY, 'README.md', status=1)
    assert 'cannot open shared object' in run(C_API_RUN, 'nothing.so', MODEL, status=1)
    assert '--fast' in run(C_API_RUN, LIBRARY, MODEL, '--fast', status=1)


def check_report(folder, models, memory):
    page = folder / 'report.html'
    run(sys.executable, '-B', 'bench/report.py', models, '--memory', memory, '--out', page)
    text = page.read_text()
    assert text.count('<svg') == 2  # the ratios, and the operators of the one model
    assert 'depthwise convolution' in text and 'landscape' in text and '<h2>Memory</h2>' in text
    assert 'http' not in text and '<script' not in text


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_c_api_run()
        check_report(folder, check_models(folder), check_memory(folder))
    print('the bench works')


if __name__ == '__main__':
    main()
