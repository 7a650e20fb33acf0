# SPDX-License-Identifier: Apache-2.0
"""One model in the reference's Python package: reference.py MODEL THREADS RUNS; prints what it took as JSON."""
import json
import sys
import time

import numpy as np
from ai_edge_litert.interpreter import Interpreter


def fill(engine):
    """Floats in [-1, 1), small integers over their range, wide ones 0 or 1 (they are mostly indices)."""
    rng = np.random.default_rng(1)
    for tensor in engine.get_input_details():
        kind, shape = np.dtype(tensor['dtype']), tensor['shape']
        if kind.kind == 'f':
            data = rng.random(shape) * 2 - 1
        elif kind.itemsize <= 2:
            data = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, endpoint=True)
        else:
            data = rng.integers(0, 2, shape)
        engine.set_tensor(tensor['index'], data.astype(kind))


def main():
    model, threads, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    start = time.perf_counter()
    engine = Interpreter(model_path=model, num_threads=threads)
    engine.allocate_tensors()
    init_ms = (time.perf_counter() - start) * 1e3
    fill(engine)
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        engine.invoke()
        times.append((time.perf_counter() - start) * 1e3)
    later = sorted(times[1:] or times)
    print(json.dumps({'init_ms': init_ms, 'first_ms': times[0], 'median_ms': later[(len(later) - 1) // 2]}))


if __name__ == '__main__':
    main()
