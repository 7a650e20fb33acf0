# SPDX-License-Identifier: Apache-2.0
"""Models run in the C library and in the real TensorFlow Lite Micro, for the tests beside this file.

A test calls run(its file, its checks) with the arguments C_LIBRARY WORK_FOLDER: a virtual environment
with the runtime's wheel is made in WORK_FOLDER (or the Python named by TERN_MICRO_PYTHON is used).
Exit codes: 0 passed, 1 failed, 77 skipped (the last line says why).
"""
import ctypes
import os
import pathlib
import subprocess
import sys

from runtimes import python_with

WHEELS = ['tflite-micro==0.dev20261023182759', 'numpy', 'flatbuffers', 'pyyaml']
# The numbers of types in a model file.
FLOAT32, INT32, BOOL, INT16, INT8, UINT64, UINT32 = 0, 2, 6, 7, 9, 12, 15


def numpy_type(code):
    import numpy as np
    return {FLOAT32: np.float32, INT32: np.int32, BOOL: np.bool_, INT16: np.int16, INT8: np.int8,
            UINT64: np.uint64, UINT32: np.uint32}[code]


def shared_folder():
    root = pathlib.Path(__file__).resolve().parents[2]
    return pathlib.Path(os.environ.get('TERN_SHARED', root.parent / 'shared'))


class Tern:
    """A model in the C library."""

    def __init__(self, library, model, outputs):
        self.api = ctypes.CDLL(library)
        for name in ('ModelCreate', 'InterpreterCreate', 'InterpreterGetInputTensor',
                     'InterpreterGetOutputTensor', 'TensorData'):
            getattr(self.api, f'TfLite{name}').restype = ctypes.c_void_p
        self.api.TfLiteTensorByteSize.restype = ctypes.c_size_t
        self.model, self.outputs = model, outputs
        handle = self.api.TfLiteModelCreate(model, ctypes.c_size_t(len(model)))
        self.interpreter = ctypes.c_void_p(
            self.api.TfLiteInterpreterCreate(ctypes.c_void_p(handle), None))
        self.check(self.api.TfLiteInterpreterAllocateTensors(self.interpreter))

    @staticmethod
    def check(status):
        if status != 0:
            raise RuntimeError(f'status {status}')

    def run(self, inputs):
        import numpy as np
        for i, data in enumerate(inputs):
            data = np.ascontiguousarray(data)
            tensor = self.api.TfLiteInterpreterGetInputTensor(self.interpreter, i)
            self.check(self.api.TfLiteTensorCopyFromBuffer(
                ctypes.c_void_p(tensor), data.ctypes.data_as(ctypes.c_void_p),
                ctypes.c_size_t(data.nbytes)))
        self.check(self.api.TfLiteInterpreterInvoke(self.interpreter))
        results = []
        for i, code in enumerate(self.outputs):
            tensor = ctypes.c_void_p(
                self.api.TfLiteInterpreterGetOutputTensor(self.interpreter, i))
            size = self.api.TfLiteTensorByteSize(tensor)
            data = ctypes.string_at(self.api.TfLiteTensorData(tensor), size)
            results.append(np.frombuffer(data, numpy_type(code)))
        return results

    def reset(self):
        self.check(self.api.TfLiteInterpreterResetVariableTensors(self.interpreter))


class Micro:
    def __init__(self, model, outputs):
        from tflite_micro.python.tflite_micro import runtime
        self.interpreter = runtime.Interpreter.from_bytes(model, arena_size=1 << 22)
        self.outputs = len(outputs)

    def run(self, inputs):
        import numpy as np
        for i, data in enumerate(inputs):
            self.interpreter.set_input(data, i)
        self.interpreter.invoke()
        return [np.array(self.interpreter.get_output(i)).reshape(-1) for i in range(self.outputs)]

    def reset(self):
        self.interpreter.reset()


def one_op(set_op, inputs, outputs):
    """A model of one operator. Operands are (type, shape, constant or None, scale or None, zero
    point, whether it is a variable), cut where the rest is absent; set_op(schema, operator code,
    operator) makes the operator."""
    import flatbuffers
    import numpy as np
    from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema
    model, graph = schema.ModelT(), schema.SubGraphT()
    code, node = schema.OperatorCodeT(), schema.OperatorT()
    model.version, model.buffers, model.subgraphs = 3, [schema.BufferT()], [graph]
    model.operatorCodes, graph.operators = [code], [node]
    graph.tensors, graph.inputs = [], []

    def tensor(kind, shape, constant=None, scale=None, zero_point=0, variable=False):
        t = schema.TensorT()
        t.type, t.shape, t.buffer, t.isVariable = kind, list(shape), 0, variable
        if constant is not None:
            buffer = schema.BufferT()
            raw = np.ascontiguousarray(constant, numpy_type(kind)).tobytes()
            buffer.data = np.frombuffer(raw, np.uint8)
            model.buffers.append(buffer)
            t.buffer = len(model.buffers) - 1
        if scale is not None:
            t.quantization = schema.QuantizationParametersT()
            t.quantization.scale, t.quantization.zeroPoint = [scale], [zero_point]
        graph.tensors.append(t)
        return len(graph.tensors) - 1

    node.inputs = [tensor(*operand) for operand in inputs]
    node.outputs = graph.outputs = [tensor(*operand) for operand in outputs]
    graph.inputs = [i for i in node.inputs
                    if graph.tensors[i].buffer == 0 and not graph.tensors[i].isVariable]
    set_op(schema, code, node)
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b'TFL3')
    return bytes(builder.Output())


class Checks:
    def __init__(self, library):
        self.library, self.failed = library, 0

    def compare(self, text, model, outputs, feeds, reset_at=None, tolerance=0, valid=None):
        """Runs both on `feeds`; `valid` is the output that says whether the others count."""
        import numpy as np
        ours, theirs = Tern(self.library, model, outputs), Micro(model, outputs)
        different = 0
        for i, inputs in enumerate(feeds):
            if i == reset_at:
                ours.reset()
                theirs.reset()
            got, want = ours.run(inputs), theirs.run(inputs)
            if valid is not None and not want[valid][0]:
                got, want = [got[valid]], [want[valid]]
            for a, b in zip(got, want):
                far = tolerance * float(np.abs(b).max()) if tolerance else 0
                same = a.size == b.size and (np.array_equal(a, b) if far == 0 else
                                             np.abs(a - b).max() <= far)
                different += not same
        print(f'{"FAILED" if different else "ok    "} {text}: {len(feeds)} runs, '
              f'{different} different', flush=True)
        self.failed += different > 0


def run(script, check):
    """Runs check(Checks) in a Python that has the runtime, and ends the program."""
    library, work = sys.argv[1], pathlib.Path(sys.argv[2])
    if len(sys.argv) == 3:
        python = python_with(work / 'micro', 'TERN_MICRO_PYTHON', WHEELS,
                             'import numpy, tflite_micro.python.tflite_micro.runtime', '--no-deps')
        sys.exit(subprocess.run([python, '-B', script, library, str(work), 'compare']).returncode)
    checks = Checks(library)
    check(checks)
    sys.exit(1 if checks.failed else 0)
