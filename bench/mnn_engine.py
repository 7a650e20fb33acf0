# SPDX-License-Identifier: Apache-2.0
"""One float model in MNN's CPU engine: mnn_engine.py MODEL THREADS RUNS; prints what it took as JSON.

MNN's own converter makes its form of the model, outside of the measured time.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import MNN
import numpy as np


def convert(model, folder):
    path = pathlib.Path(folder) / 'model.mnn'
    command = [pathlib.Path(sys.executable).parent / 'mnnconvert', '-f', 'TFLITE', '--modelFile', model, '--MNNModel', path,
               '--bizCode', 'tern']
    done = subprocess.run(command, capture_output=True, text=True)
    if not path.exists():
        sys.exit('its converter does not take the model: ' + (done.stdout + done.stderr).strip().splitlines()[-1])
    return str(path)


def fill(tensor, rng):
    """Floats in [-1, 1)."""
    shape = tensor.getShape()
    data = (rng.random(shape) * 2 - 1).astype(np.float32)
    tensor.copyFrom(MNN.Tensor(shape, MNN.Halide_Type_Float, data, tensor.getDimensionType()))


def main():
    model, threads, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        path = convert(model, folder)
        start = time.perf_counter()
        net = MNN.Interpreter(path)
        session = net.createSession({'backend': 'CPU', 'numThread': threads, 'precision': 'high'})
        init = time.perf_counter() - start
    rng = np.random.default_rng(1)
    for tensor in net.getSessionInputAll(session).values():
        fill(tensor, rng)
    took = []
    for _ in range(runs):
        start = time.perf_counter()
        net.runSession(session)
        took.append(1e3 * (time.perf_counter() - start))
    print(json.dumps({'init_ms': 1e3 * init, 'first_ms': took[0], 'median_ms': float(np.median(took[1:]))}))


if __name__ == '__main__':
    main()
