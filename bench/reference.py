# SPDX-License-Identifier: Apache-2.0
"""One model in the reference's Python package: reference.py MODEL THREADS RUNS; prints what it took as JSON.

With "gpu" for THREADS on its GPU accelerator, computing in floats; a run then includes what goes there and back.
"""
import json
import sys
import time

import numpy as np


def numbers(rng, tensor):
    """Floats in [-1, 1), small integers over their range, wide ones 0 or 1 (they are mostly indices)."""
    kind, shape = np.dtype(tensor['dtype']), tensor['shape']
    if kind.kind == 'f':
        data = rng.random(shape) * 2 - 1
    elif kind.itemsize <= 2:
        data = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, endpoint=True)
    else:
        data = rng.integers(0, 2, shape)
    return data.astype(kind)


def on_cpu(model, threads):
    """Returns a function that runs the model."""
    from ai_edge_litert.interpreter import Interpreter
    engine = Interpreter(model_path=model, num_threads=threads)
    engine.allocate_tensors()
    rng = np.random.default_rng(1)
    for tensor in engine.get_input_details():
        engine.set_tensor(tensor['index'], numbers(rng, tensor))
    return engine.invoke


def on_gpu(model):
    """Returns a function that writes the inputs, runs the model and reads the outputs."""
    from ai_edge_litert.compiled_model import CompiledModel
    from ai_edge_litert.gpu_options import GpuOptions
    from ai_edge_litert.hardware_accelerator import HardwareAccelerator
    from ai_edge_litert.options import Options
    options = Options(hardware_accelerators=HardwareAccelerator.GPU, gpu_options=GpuOptions(enforce_f32=True))
    compiled = CompiledModel.from_file(model, options=options)
    if not compiled.is_fully_accelerated():
        sys.exit('the GPU accelerator does not take all of it')
    name = compiled.get_signature_by_index(0)['key']
    rng = np.random.default_rng(1)
    inputs, outputs = compiled.create_input_buffers(0), compiled.create_output_buffers(0)
    given = [numbers(rng, tensor) for tensor in compiled.get_input_tensor_details(name).values()]
    made = [(int(np.prod(tensor['shape'])), tensor['dtype']) for tensor in compiled.get_output_tensor_details(name).values()]

    def run():
        for buffer, data in zip(inputs, given):
            buffer.write(data)
        compiled.run_by_index(0, inputs, outputs)
        for buffer, (count, kind) in zip(outputs, made):
            buffer.read(count, kind)

    return run


def main():
    model, threads, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    start = time.perf_counter()
    run = on_gpu(model) if threads == 'gpu' else on_cpu(model, int(threads))
    init_ms = (time.perf_counter() - start) * 1e3
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    later = sorted(times[1:] or times)
    print(json.dumps({'init_ms': init_ms, 'first_ms': times[0], 'median_ms': later[(len(later) - 1) // 2]}))


if __name__ == '__main__':
    main()
