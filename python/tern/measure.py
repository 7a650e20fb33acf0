# SPDX-License-Identifier: Apache-2.0
"""Tells which part of a model a GPU would run, and how fast the model runs here, as plain dicts."""
import os
import time

import numpy as np

from tern import _types
from tern.delegate import gpu_delegate
from tern.interpreter import Interpreter, why_not_applied

_BACKENDS = ('opencl', 'gles', 'gles:min')
_NOT_APPLICABLE = 3  # kTfLiteApplicationError: delegate and graph do not fit together
_DYNAMIC_SHAPE = 7  # kTfLiteGpuReasonDynamicShape


def _model_arguments(model):
    """How Interpreter takes it, and the name of its file."""
    if isinstance(model, bytes):
        return {'model_content': model}, None
    return {'model_path': model}, os.fsdecode(model)


def explain(model, device='gles-min', precision='f32', max_partitions=None, **options):
    """Which nodes of a model a GPU would take, and of each other one why not; nothing is built or run.

    model: a path or bytes. device: an invented one ('gles-min', 'adreno', 'mali', 'videocore', 'amd', 'nvidia',
    'cpu16'), or a backend ('opencl', 'gles'), whose limits then count. precision, options: as gpu_delegate() has them.
    max_partitions: all parts unless given.

    Returns the dict that `tern explain --json` writes (docs/explain.md). ValueError for a model, device or option that
    is none.
    """
    engine = device if device in _BACKENDS else f'null:{device}'
    partitions = 1000000 if max_partitions is None else max_partitions
    arguments, file = _model_arguments(model)
    delegate = gpu_delegate(precision, engine, partitions, tern_plan_only=1, **options)
    interpreter = Interpreter(**arguments)
    native = interpreter._interpreter
    status = native.apply_delegate(delegate._get_native_delegate_pointer(), delegate)
    if status not in (0, _NOT_APPLICABLE):
        raise RuntimeError(f'The delegate was not applied: {why_not_applied(native)}')
    report = delegate.report()
    not_applied = None
    if status == _NOT_APPLICABLE:
        not_applied = why_not_applied(native)
        report['decisions'] = _left_to_cpu(native, delegate, not_applied)
    reported = {'format': 1, 'file': file, 'engine': engine}
    reported.update((key, report[key]) for key in ('device', 'driver', 'precision'))
    reported['max_partitions'] = partitions
    reported['not_applied'] = not_applied
    reported.update((key, report.get(key, [])) for key in ('decisions', 'crossings'))
    return reported


def _left_to_cpu(native, delegate, reason):
    """One reason for all nodes, where the runtime shows the graph to no delegate."""
    return [{'subgraph': 0, 'index': index, 'op': native.node(index)[0], 'version': native.node(index)[1],
             'decision': 'cpu', 'code': delegate._reason_text('Code', _DYNAMIC_SHAPE), 'reason': reason,
             'bytes_crossing': 0, 'multiply_adds': None, 'bytes': None,
             'suggestion': delegate._reason_text('Suggestion', _DYNAMIC_SHAPE)} for index in native.execution_plan()]


def benchmark(model, num_threads=1, delegates=(), runs=50, warmup=5, inputs=None, engine='cpu'):
    """Times `invoke` on this machine.

    model: a path or bytes. delegates: as Interpreter takes them. engine: 'cpu', or by the names of `tern bench` 'gpu',
    'opencl' or 'gles' with a GPU delegate of its own for all parts of the model. runs, warmup: invocations that count, and before them
    that do not. inputs: arrays in the order of the model's inputs; unless given, the same random numbers in each call.

    Returns a dict: model, nodes, num_threads, delegates, runs; times in milliseconds: init_ms, from the file to
    allocated tensors, first_ms, median_ms, p90_ms, min_ms. ValueError for runs below 1, warmup below 0 or
    an engine that is not known or not here.
    """
    if _types.index(runs, 'runs') < 1:
        raise ValueError(f'runs should be >= 1, got {runs}')
    if _types.index(warmup, 'warmup') < 0:
        raise ValueError(f'warmup should be >= 0, got {warmup}')
    arguments, file = _model_arguments(model)
    if engine not in ('cpu', 'gpu', 'opencl', 'gles'):
        raise ValueError(f"engine should be 'cpu', 'gpu', 'opencl' or 'gles', got {engine!r}")
    delegates = list(delegates or ())
    if engine != 'cpu':
        delegates.append(gpu_delegate(backend=None if engine == 'gpu' else engine, max_partitions=1000000))
    start = time.perf_counter_ns()
    interpreter = Interpreter(**arguments, num_threads=num_threads, experimental_delegates=delegates)
    interpreter.allocate_tensors()
    init = time.perf_counter_ns() - start
    _fill(interpreter, inputs)
    times = [_time(interpreter) for _ in range(1 + warmup + runs)]
    counted = np.array(times[1 + warmup:]) / 1e6
    return {'model': file, 'nodes': len(interpreter._interpreter.execution_plan()), 'num_threads': num_threads,
            'delegates': [type(delegate).__name__ for delegate in delegates], 'runs': runs, 'init_ms': init / 1e6,
            'first_ms': times[0] / 1e6, 'median_ms': float(np.median(counted)),
            'p90_ms': float(np.percentile(counted, 90)), 'min_ms': float(counted.min())}


def _time(interpreter):
    start = time.perf_counter_ns()
    interpreter.invoke()
    return time.perf_counter_ns() - start


def _fill(interpreter, inputs):
    wanted = interpreter.get_input_details()
    if inputs is None:
        random = np.random.default_rng(1)
        inputs = [_random(random, detail) for detail in wanted]
    if len(inputs) != len(wanted):
        raise ValueError(f'the model has {len(wanted)} inputs, given are {len(inputs)}')
    for detail, value in zip(wanted, inputs):
        interpreter.set_tensor(detail['index'], value)


def _random(random, detail):
    shape, dtype = detail['shape'], detail['dtype']
    if dtype is np.bytes_:
        return np.full(shape, b'', np.object_)
    if issubclass(dtype, np.integer):
        # Small numbers are indices in many models; quantized inputs take them as well.
        return random.integers(0, 2, shape).astype(dtype)
    return random.uniform(0, 1, shape).astype(dtype)
