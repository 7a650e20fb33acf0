# SPDX-License-Identifier: Apache-2.0
"""The delegate library inside the real TensorFlow Lite runtime.

Usage: real_runtime_test.py DELEGATE_LIBRARY WORK_FOLDER

Makes a virtual environment with the runtime's wheel in WORK_FOLDER (or uses the Python named by
TERN_REFERENCE_PYTHON), loads the library there as an external delegate, and compares whole models
with the runtime's own CPU results. Exit codes: 0 passed, 1 failed, 77 skipped (the last line says
why).
"""
import ctypes
import json
import os
import pathlib
import subprocess
import sys

from runtimes import python_with, skip

WHEELS = ['ai-edge-litert==2.3.0', 'numpy']
# Model, case, and whether every node has to run on the GPU.
CASES = [
    ('derived_mobilenet_v1_1.0_224_float', 'photo_grace_hopper', True),
    ('deeplabv3_257_mv_gpu', 'photo_cat', True),
    ('derived_ssdlite_mobilenet_v2_voc_300_float', 'photo_cat', False),
]
# Upper limits; tests/programs_test.py holds the counts of the compiler.
MOST_PROGRAMS = {'derived_mobilenet_v1_1.0_224_float': 8}


def shared_folder():
    root = pathlib.Path(__file__).resolve().parents[2]
    folder = pathlib.Path(os.environ.get('TERN_SHARED', root.parent / 'shared'))
    if not (folder / 'models').is_dir() or not (folder / 'goldens').is_dir():
        skip('no models and goldens (set TERN_SHARED)')
    return folder


class Checks:
    """Collects what failed; every line is printed as it comes."""

    def __init__(self):
        self.failed = 0

    def expect(self, good, text):
        print(f'{"ok    " if good else "FAILED"} {text}', flush=True)
        self.failed += not good


def read_inputs(case, folder):
    import numpy as np
    inputs = []
    for entry in case['inputs']:
        fill = entry['fill']
        if 'file' in fill:
            raw = np.fromfile(folder / fill['file'], fill['as'])
            data = raw.astype(np.float32) * np.float32(fill.get('scale', 1))
            data += np.float32(fill.get('offset', 0))
        else:
            data = np.random.default_rng(7).uniform(-1, 1, int(np.prod(entry['shape'])))
        inputs.append(data.astype(entry['type']).reshape(entry['shape']))
    return inputs


def splitmix64(seed, count):
    mask = (1 << 64) - 1
    for i in range(1, count + 1):
        z = (seed + i * 0x9E3779B97F4A7C15) & mask
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        yield z ^ z >> 31


def judged(output, values):
    """The elements of an output that the case vouches for."""
    flat = values.reshape(-1)
    if 'pick' not in output:
        return flat
    pick = output['pick']
    return flat[[z % flat.size for z in splitmix64(pick['seed'], pick['count'])]]


def run(interpreter, inputs):
    interpreter.allocate_tensors()
    for detail, data in zip(interpreter.get_input_details(), inputs):
        interpreter.set_tensor(detail['index'], data)
    interpreter.invoke()
    return [interpreter.get_tensor(d['index']) for d in interpreter.get_output_details()]


def delegate_nodes(interpreter):
    return [op for op in interpreter._get_ops_details() if op['op_name'] == 'DELEGATE']


def report_of(library, delegate):
    function = ctypes.CDLL(library).TfLiteGpuDelegateV2Report
    function.restype = ctypes.c_char_p
    function.argtypes = [ctypes.c_void_p]
    return json.loads(function(delegate._get_native_delegate_pointer()))


def check_refusals(checks, tflite, library):
    for options, part in (({'no_such_key': 1}, 'unknown option no_such_key'),
                          ({'inference_preference': 'x'}, 'malformed option inference_preference'),
                          ({'tern_backend': 'nonsense'}, 'no usable GPU')):
        try:
            tflite.load_delegate(library, options)
            text = ''
        except ValueError as error:
            text = str(error)
        checks.expect(part in text, f'{options}: {text.strip()!r}')


def check_model(checks, tflite, library, shared, model, case_name, whole):
    import numpy as np
    path = str(shared / 'models' / f'{model}.tflite')
    folder = shared / 'goldens' / model
    case = json.loads((folder / f'{case_name}.case.json').read_text())
    inputs = read_inputs(case, folder)
    expected = run(tflite.Interpreter(path), inputs)
    for resolver in (tflite.OpResolverType.AUTO,
                     tflite.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES):
        delegate = tflite.load_delegate(library, {'max_delegated_partitions': 100})
        interpreter = tflite.Interpreter(path, experimental_delegates=[delegate],
                                         experimental_op_resolver_type=resolver)
        got = run(interpreter, inputs)
        again = run(interpreter, inputs)
        report = report_of(library, delegate)
        name = f'{model} ({resolver.name})'
        count = len(delegate_nodes(interpreter))
        if whole:
            checks.expect(report['delegated'] == report['nodes'] and count == 1,
                          f'{name}: {report["delegated"]} of {report["nodes"]} nodes in {count} '
                          f'delegate nodes')
        else:
            checks.expect(0 < report['delegated'] < report['nodes'] and
                          count >= report['partitions'],
                          f'{name}: {report["delegated"]} of {report["nodes"]} nodes, '
                          f'{report["partitions"]} partitions')
        if model in MOST_PROGRAMS:
            checks.expect(0 < report['programs'] <= MOST_PROGRAMS[model],
                          f'{name}: {report["programs"]} programs (limit {MOST_PROGRAMS[model]})')
        for i, (out, *values) in enumerate(zip(case['outputs'], got, again, expected)):
            g, a, e = (judged(out, v) for v in values)
            bound_abs, bound_rel = out['tolerance']['gpu']
            error = np.abs(g - e)
            good = bool(np.all(error <= bound_abs + bound_rel * np.abs(e)))
            checks.expect(good, f'{name}: output {i} differs by {float(error.max()):.3g} '
                                f'(allowed {bound_abs:.3g} + {bound_rel:.3g} of the value)')
            checks.expect(np.array_equal(g, a), f'{name}: output {i} is the same in a second run')


def check_resize(checks, tflite, library, shared):
    import numpy as np
    path = str(shared / 'models' / 'deeplabv3_257_mv_gpu.tflite')
    data = np.random.default_rng(3).uniform(-1, 1, (2, 257, 257, 3)).astype(np.float32)
    results = []
    for delegates in (None, [tflite.load_delegate(library)]):
        interpreter = tflite.Interpreter(
            path, experimental_delegates=delegates,
            experimental_op_resolver_type=tflite.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
        interpreter.allocate_tensors()
        interpreter.resize_tensor_input(interpreter.get_input_details()[0]['index'], data.shape)
        results.append(run(interpreter, [data])[0])
    cpu, gpu = results
    error = float(np.abs(cpu - gpu).max()) if cpu.shape == gpu.shape else float('inf')
    checks.expect(error <= 1e-5 * float(np.abs(cpu).max()),
                  f'batch 2 after a resize: shape {gpu.shape}, differs by {error:.3g}')


def inside(library, shared):
    """The part that runs where the runtime can be imported."""
    from ai_edge_litert import interpreter as tflite
    try:
        tflite.load_delegate(library)
    except ValueError as error:
        skip(str(error).strip())
    checks = Checks()
    check_refusals(checks, tflite, library)
    for model, case_name, whole in CASES:
        check_model(checks, tflite, library, shared, model, case_name, whole)
    check_resize(checks, tflite, library, shared)
    print(f'{checks.failed} failed')
    return 1 if checks.failed else 0


def main():
    shared = shared_folder()
    if len(sys.argv) == 3 and sys.argv[2] == '--inside':
        return inside(sys.argv[1], shared)
    library, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    if not library.exists():
        print(f'{library} is not built')
        return 1
    python = python_with(work / 'venv', 'TERN_REFERENCE_PYTHON', WHEELS, 'import ai_edge_litert.interpreter, numpy')
    return subprocess.run([python, '-B', __file__, str(library), '--inside']).returncode


if __name__ == '__main__':
    sys.exit(main())
