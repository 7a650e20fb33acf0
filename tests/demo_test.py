#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The demo answers rightly on every engine: the largest class is the sky, and nearly every pixel has the class that the
picture was drawn with. Also: demo/ holds what tools/demo/make_demo.py makes.   demo_test.py TERN FLATC"""
import array
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'tools/demo'))
import make_demo  # noqa: E402

ENGINES = [('cpu', 'f32'), ('opencl', 'f32'), ('opencl', 'f16')]


def pixel_classes(file):
    """The class with the highest score of every pixel, flat."""
    scores = array.array('f', file.read_bytes())
    count = len(make_demo.LABELS)
    return [max(range(count), key=lambda c, i=i: scores[i + c]) for i in range(0, len(scores), count)]


def check_engine(tern, engine, precision, truth):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([tern, 'run', 'demo/landscape.tflite', '--engine', engine, '--precision', precision,
                              '--image', 'demo/landscape.png', '--labels', 'demo/labels.txt', '--output-dir', folder],
                             capture_output=True, text=True, check=False)
        if run.returncode != 0:
            if engine != 'cpu' and 'device' in run.stderr.lower():
                print(f'skipped  {engine} {precision}: {run.stderr.strip()}')
                return
            sys.exit(f'{engine} {precision}: {run.stderr}')
        classes = pixel_classes(pathlib.Path(folder) / '0.bin')
        assert (pathlib.Path(folder) / 'overlay.png').read_bytes()[:4] == b'\x89PNG'
    right = sum(a == b for a, b in zip(classes, truth)) / len(truth)
    largest = max(range(len(make_demo.LABELS)), key=classes.count)
    print(f'{engine} {precision}: {right:.1%} of the pixels right, largest class {make_demo.LABELS[largest]}')
    assert len(classes) == len(truth) and right > 0.97, right
    assert largest == make_demo.SKY
    assert 'sky' in run.stdout


def main():
    tern, flatc = sys.argv[1], sys.argv[2]
    rgb, truth = make_demo.draw()
    for engine, precision in ENGINES:
        check_engine(tern, engine, precision, [c for row in truth for c in row])
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / 'landscape.tflite'
        make_demo.write_model(make_demo.build_net(), made, flatc)
        assert made.read_bytes() == (ROOT / 'demo/landscape.tflite').read_bytes(), 'demo/landscape.tflite is stale'
    assert (ROOT / 'demo/labels.txt').read_text().split() == make_demo.LABELS
    assert make_demo.png(rgb)[:33] == (ROOT / 'demo/landscape.png').read_bytes()[:33]


if __name__ == '__main__':
    main()
