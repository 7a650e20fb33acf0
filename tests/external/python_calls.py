# SPDX-License-Identifier: Apache-2.0
"""Calls that end with an error in either package, each with words that both errors have; for python_reference_test.py."""
import numpy as np

MODEL = 'mobilenet_v1_0.25_128'  # input 88, float32 [1, 128, 128, 3]; output 87
IMAGE = np.zeros((1, 128, 128, 3), np.float32)


def made(tflite, path, **more):
    interpreter = tflite.Interpreter(model_path=path, **more)
    interpreter.allocate_tensors()
    return interpreter


def with_view(call):
    def run(tflite, path):
        interpreter = made(tflite, path)
        view = interpreter.tensor(88)()
        call(interpreter)
        return view
    return run


def on(call):
    return lambda tflite, path: call(made(tflite, path))


def new(**arguments):
    return lambda tflite, path: tflite.Interpreter(**{'model_path': path, **arguments})


# Words -> calls; the empty words: only the type counts.
CALLS = {
    '`model_path` or `model_content` must be specified.': [new(model_path=None)],
    "Can't both provide `model_path` and `model_content`": [new(model_content=b'a')],
    "Could not open '/nowhere.tflite'": [new(model_path='/nowhere.tflite')],
    'The model is not a valid Flatbuffer buffer': [
        new(model_path=None, model_content=b'a'), new(model_path=None, model_content=b'abcdefgh' * 20),
        new(model_path=__file__)],
    'num_threads should >= 1': [new(num_threads=0), new(num_threads=-1)],
    'type of num_threads should be int': [new(num_threads=1.5), new(num_threads='2')],
    'Unrecognized passed in op resolver type: 7': [new(experimental_op_resolver_type=7)],
    "has no attribute '_get_native_delegate_pointer'": [new(experimental_delegates=[None])],
    "'int' object is not iterable": [new(experimental_delegates=5)],
    'Cannot set tensor: Tensor is unallocated. Try calling allocate_tensors() first': [
        lambda tflite, path: tflite.Interpreter(path).set_tensor(88, IMAGE)],
    'Tensor data is null. Run allocate_tensors() first': [
        lambda tflite, path: tflite.Interpreter(path).get_tensor(88),
        lambda tflite, path: tflite.Interpreter(path).tensor(88)()],
    'Invoke called on model that is not ready.': [lambda tflite, path: tflite.Interpreter(path).invoke()],
    'Cannot set tensor: Got value of type STRING but expected type FLOAT32 for input 88, name: input ': [
        on(lambda i: i.set_tensor(88, None)), on(lambda i: i.set_tensor(88, 'abc'))],
    'Got value of type FLOAT64 but expected type FLOAT32': [
        on(lambda i: i.set_tensor(88, IMAGE.astype(float))), on(lambda i: i.set_tensor(88, IMAGE.tolist()))],
    'Got value of type NOTYPE but expected type FLOAT32': [on(lambda i: i.set_tensor(88, IMAGE.astype('M8[s]')))],
    'Cannot set tensor: Dimension mismatch. Got 3 but expected 4 for input 88.': [
        on(lambda i: i.set_tensor(88, IMAGE[0]))],
    'Cannot set tensor: Dimension mismatch. Got 5 but expected 128 for dimension 1 of input 88.': [
        on(lambda i: i.set_tensor(88, IMAGE[:, :5]))],
    'Invalid tensor index 999 exceeds max tensor index': [
        on(lambda i: i.set_tensor(999, IMAGE)), on(lambda i: i.get_tensor(999)), on(lambda i: i.tensor(999)())],
    'Invalid subgraph index 7 exceeds max subgraph index 1': [on(lambda i: i.get_tensor(88, 7))],
    'There is at least 1 reference to internal data': [
        with_view(lambda i: i.invoke()), with_view(lambda i: i.allocate_tensors()),
        with_view(lambda i: i.resize_tensor_input(88, [1, 64, 64, 3]))],
    'ResizeInputTensorStrict only allows mutating unknown dimensions identified by -1.': [
        on(lambda i: i.resize_tensor_input(88, [2, 128, 128, 3], strict=True))],
    'Shape should be 1D instead of 2.': [on(lambda i: i.resize_tensor_input(88, [[1, 2]]))],
    'Shape should be 1D instead of 0.': [on(lambda i: i.resize_tensor_input(88, 3))],
    'subgraph_index is out of range: 3 for the model, which has 1 subgraphs.': [on(lambda i: i.get_tensor_details(3))],
    'SignatureDef signature_key is None and model has 0 Signatures': [on(lambda i: i.get_signature_runner())],
    'Invalid signature_key provided: "x".': [on(lambda i: i.get_signature_runner('x'))],
    'None interpreter provided.': [lambda tflite, path: tflite.SignatureRunner()],
    'None signature_key provided.': [on(lambda i: i.get_signature_runner(''))],
    'libnobody.so': [lambda tflite, path: tflite.load_delegate('libnobody.so')],
    'undefined symbol: tflite_plugin_create_delegate': [lambda tflite, path: tflite.load_delegate('libm.so.6')],
    '': [
        new(model_path=5), new(model_path='/tmp'), new(num_threads=2**31), new(model_path=None, model_content='abc'),
        new(model_path=None, model_content=bytearray(b'abc')), on(lambda i: i.get_tensor(None)),
        on(lambda i: i.get_tensor('x')), on(lambda i: i.set_tensor(1.0, IMAGE)), on(lambda i: i.get_tensor_details('a')),
        on(lambda i: i.resize_tensor_input(999, [1])), on(lambda i: i.resize_tensor_input(88, [-1, 128, 128, 3])),
        on(lambda i: i.resize_tensor_input(88, 'x')), on(lambda i: i.resize_tensor_input(88, None)),
        on(lambda i: i.resize_tensor_input(88, [2**40, 1]))],
}


def errors(tflite, path):
    """(words, number of the call) -> (type, text) of its error, None where there was none."""
    reported = {}
    for words, calls in CALLS.items():
        for number, call in enumerate(calls):
            try:
                call(tflite, path)
                reported[words, number] = None
            except Exception as error:  # whatever comes is compared
                reported[words, number] = type(error).__name__, str(error)
    return reported
