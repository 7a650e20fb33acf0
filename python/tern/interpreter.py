# SPDX-License-Identifier: Apache-2.0
"""The interpreter, by the names of tflite_runtime.interpreter and ai_edge_litert.interpreter."""
import enum
import os
import warnings

import numpy as np

from tern import _native, _repr, _types
from tern.delegate import Delegate, load_delegate

__all__ = ['Delegate', 'Interpreter', 'InterpreterWithCustomOps', 'OpResolverType', 'SignatureRunner', 'load_delegate']


@enum.unique
class OpResolverType(enum.Enum):
    """Which kernels run on the CPU."""
    AUTO = 0  # the same as BUILTIN
    BUILTIN = 1  # optimized kernels where there are any
    BUILTIN_REF = 2  # reference kernels on one thread
    BUILTIN_WITHOUT_DEFAULT_DELEGATES = 3  # the same as BUILTIN: the optimized kernels need no delegate


class SignatureRunner:
    """Runs one signature of a model; inputs and outputs have names. Made by Interpreter.get_signature_runner()."""

    def __init__(self, interpreter=None, signature_key=None):
        if not interpreter:
            raise ValueError('None interpreter provided.')
        if not signature_key:
            raise ValueError('None signature_key provided.')
        self._interpreter = interpreter
        self._native = interpreter._interpreter
        self._signature_key = signature_key
        signatures = self._native.signatures()
        if signature_key not in signatures:
            raise ValueError(f'Invalid signature_key provided: "{signature_key}".')
        self._inputs, self._outputs = signatures[signature_key]
        self._subgraph_index = self._native.subgraph_of_signature(signature_key)

    def __call__(self, **kwargs):
        """Takes all inputs by name, as arrays, resizes the graph to their shapes, and runs it. Returns name -> array.

        ValueError for inputs that are not those of the signature, RuntimeError where the graph cannot be run.
        """
        if len(kwargs) != len(self._inputs):
            raise ValueError('Invalid number of inputs provided for running a SignatureDef, expected '
                             f'{len(self._inputs)} vs provided {len(kwargs)}')
        for name, value in kwargs.items():
            if name not in self._inputs:
                raise ValueError(f'Invalid Input name ({name}) for SignatureDef')
            self._native.resize_signature_input(self._signature_key, name, value.shape)
        self._native.allocate_signature(self._signature_key)
        for name, value in kwargs.items():
            _types.write(self._native, self._inputs[name], self._subgraph_index, value)
        self._native.invoke_signature(self._signature_key)
        return {name: _types.read(self._native, tensor, self._subgraph_index)
                for name, tensor in self._outputs.items()}

    def get_input_details(self):
        """Name -> details, which Interpreter.get_input_details() describes."""
        return {name: _types.details(self._native, tensor, self._subgraph_index)
                for name, tensor in self._inputs.items()}

    def get_output_details(self):
        """Name -> details, which Interpreter.get_input_details() describes."""
        return {name: _types.details(self._native, tensor, self._subgraph_index)
                for name, tensor in self._outputs.items()}


class Interpreter:
    """Runs a model. One thread at a time; calls from another while one is at work raise RuntimeError.

    Indices of tensors are those of 'index' in the details.
    """

    _custom_op_registerers = ()

    def __init__(self, model_path=None, model_content=None, experimental_delegates=None, num_threads=None,
                 experimental_op_resolver_type=OpResolverType.AUTO, experimental_preserve_all_tensors=False,
                 experimental_disable_delegate_clustering=False, experimental_default_delegate_latest_features=False,
                 experimental_compress_quantization_zero_points=False, experimental_disable_delegate_node_fusion=False,
                 experimental_force_delegate_node_profiling=False):
        """Builds the interpreter of a model.

        model_path: a file; or model_content: its bytes. Exactly one of the two.
        experimental_delegates: a list of delegates, applied in this order. The interpreter keeps them alive.
        num_threads: threads of the CPU kernels, at least 1; 1 unless given.
        experimental_op_resolver_type: an OpResolverType.
        experimental_preserve_all_tensors: every tensor can be read after a run, for more memory.
        experimental_disable_delegate_clustering: delegates get nodes in the order of the graph.
        experimental_default_delegate_latest_features: without effect; there is no default delegate.
        experimental_compress_quantization_zero_points: equal zero points of a tensor are kept once.
        experimental_disable_delegate_node_fusion: every delegated node is a part of its own.
        experimental_force_delegate_node_profiling: delegated parts are profiled as wholes.

        ValueError where there is no usable model or argument, RuntimeError where a delegate fails.
        """
        if not isinstance(experimental_op_resolver_type, OpResolverType):
            raise ValueError(f'Unrecognized passed in op resolver type: {experimental_op_resolver_type}')
        settings = _native.Settings()
        settings.plain_kernels = experimental_op_resolver_type is OpResolverType.BUILTIN_REF
        settings.num_threads = _thread_count(num_threads)
        settings.preserve_all_tensors = bool(experimental_preserve_all_tensors)
        settings.disable_delegate_clustering = bool(experimental_disable_delegate_clustering)
        settings.compress_quantization_zero_points = bool(experimental_compress_quantization_zero_points)
        settings.disable_delegate_node_fusion = bool(experimental_disable_delegate_node_fusion)
        settings.force_delegate_node_profiling = bool(experimental_force_delegate_node_profiling)
        self._compress_zero_points = experimental_compress_quantization_zero_points
        self._num_threads = settings.num_threads
        self._interpreter, self._source = _build(model_path, model_content, settings,
                                                 list(self._custom_op_registerers))
        if experimental_preserve_all_tensors and not settings.plain_kernels:
            warnings.warn('experimental_preserve_all_tensors keeps every intermediate tensor in memory; it is meant '
                          'for debugging.')
        self._delegates = list(experimental_delegates or ())
        for delegate in self._delegates:
            status = self._interpreter.apply_delegate(delegate._get_native_delegate_pointer() or 0, delegate)
            if status != 0:
                raise RuntimeError(f'The delegate was not applied: {why_not_applied(self._interpreter)}')

    def __repr__(self):
        return _repr.text(self)

    def _repr_html_(self):
        return _repr.html(self)

    # ---- Running.

    def allocate_tensors(self):
        """Gives memory to the tensors. Needed once before the first run, and after each resize.

        RuntimeError where it fails, or while arrays from tensor() live.
        """
        self._interpreter.allocate_tensors()

    def invoke(self):
        """Runs the model on its inputs, without Python's lock.

        RuntimeError where it fails, or while arrays from tensor() live.
        """
        self._interpreter.invoke()

    def resize_tensor_input(self, input_index, tensor_size, strict=False):
        """Gives an input another shape; allocate_tensors() is needed after it.

        tensor_size: a list of ints. strict: only sizes that are -1 in 'shape_signature' may change.
        RuntimeError where it fails, or while arrays from tensor() live.
        """
        shape = np.array(tensor_size, np.int32)
        if shape.ndim != 1:
            raise ValueError(f'Shape should be 1D instead of {shape.ndim}.')
        self._interpreter.resize_input(_types.index(input_index, 'input_index'), shape.tolist(), bool(strict))

    def reset_all_variables(self):
        """Sets variables to zeros."""
        self._interpreter.reset_variable_tensors()

    # ---- Tensor data.

    def set_tensor(self, tensor_index, value):
        """Copies `value`, an array of the tensor's type and shape, into it; str or bytes into a tensor of strings.

        ValueError for another type or shape, a bad index, a constant, or memory that is not allocated yet.
        """
        _types.write(self._interpreter, _types.index(tensor_index, 'tensor_index'), 0, value)

    def get_tensor(self, tensor_index, subgraph_index=0):
        """A copy of the tensor as an array. Intermediate tensors keep their values only with
        experimental_preserve_all_tensors.

        ValueError for a bad index, or data that is not there yet.
        """
        return _types.read(self._interpreter, _types.index(tensor_index, 'tensor_index'),
                           _types.index(subgraph_index, 'subgraph_index'))

    def tensor(self, tensor_index):
        """A function that gives an array of the tensor's own memory, without a copy.

        Keep the function, not the array: while an array lives, or a slice of it, calls that may move memory raise
        RuntimeError. An array outlives the interpreter. That of a constant cannot be written.
        """
        native = self._interpreter
        return lambda: _types.view(native, _types.index(tensor_index, 'tensor_index'))

    # ---- Details.

    def get_input_details(self):
        """A dict per input of the model, in its order:

        name; index of the tensor; shape, int32 array; shape_signature, the same with -1 for sizes that are open; dtype;
        quantization, (scale, zero point) of a tensor that has one; quantization_parameters, a dict of scales,
        zero_points, quantized_dimension and block_size; sparsity_parameters, empty where the tensor is dense.
        """
        return [_types.details(self._interpreter, tensor, 0) for tensor in self._interpreter.inputs()]

    def get_output_details(self):
        """A dict per output, as get_input_details() has them."""
        return [_types.details(self._interpreter, tensor, 0) for tensor in self._interpreter.outputs()]

    def get_tensor_details(self, subgraph_index=0):
        """A dict per tensor of a subgraph, as get_input_details() has them; tensors without a type of NumPy are left
        out. ValueError for a subgraph that there is not."""
        count = self._interpreter.subgraph_count()
        if subgraph_index < 0 or subgraph_index >= count:
            raise ValueError(f'subgraph_index is out of range: {subgraph_index} for the model, which has {count} '
                             'subgraphs.')
        reported = []
        for tensor in range(self._interpreter.tensor_count(subgraph_index)):
            try:
                reported.append(_types.details(self._interpreter, tensor, subgraph_index))
            except ValueError:
                pass
        return reported

    def num_subgraphs(self):
        """The number of subgraphs of the model."""
        return self._interpreter.subgraph_count()

    # ---- Signatures.

    def get_signature_list(self):
        """Key -> {'inputs': names, 'outputs': names}."""
        return {key: {'inputs': list(inputs), 'outputs': list(outputs)}
                for key, (inputs, outputs) in self._interpreter.signatures().items()}

    def get_signature_runner(self, signature_key=None):
        """A SignatureRunner; without a key that of the only signature. ValueError where that is not clear."""
        if signature_key is None:
            keys = list(self._interpreter.signatures())
            if len(keys) != 1:
                raise ValueError(f'SignatureDef signature_key is None and model has {len(keys)} Signatures. None is '
                                 'only allowed when the model has 1 SignatureDef')
            signature_key = keys[0]
        return SignatureRunner(self, signature_key)

    # ---- What scripts use of the reference though its names begin with an underscore.

    @property
    def experimental_compress_quantization_zero_points(self):
        return self._compress_zero_points

    def _get_tensor_details(self, tensor_index, subgraph_index):
        return _types.details(self._interpreter, _types.index(tensor_index, 'tensor_index'),
                              _types.index(subgraph_index, 'subgraph_index'))

    def _get_op_details(self, op_index):
        """index, op_name, inputs and outputs (tensor indices, -1: left out), operand_types and result_types."""
        name, _, inputs, outputs = self._interpreter.node(_types.index(op_index, 'op_index'))
        types = [[_types.details(self._interpreter, tensor, 0)['dtype'] for tensor in tensors if tensor != -1]
                 for tensors in (inputs, outputs)]
        return {'index': int(op_index), 'op_name': name, 'inputs': np.array(inputs, np.int32),
                'outputs': np.array(outputs, np.int32), 'operand_types': types[0], 'result_types': types[1]}

    def _get_ops_details(self):
        """Of every node of the primary graph: those that delegates replaced, and their replacements at the end."""
        return [self._get_op_details(node) for node in range(self._interpreter.node_count())]

    def _get_full_signature_list(self):
        """Key -> {'inputs': name -> tensor index, 'outputs': the same}."""
        return {key: {'inputs': inputs, 'outputs': outputs}
                for key, (inputs, outputs) in self._interpreter.signatures().items()}

    def _native_handle(self):
        """The address of the tflite::Interpreter."""
        return self._interpreter.handle()


class InterpreterWithCustomOps(Interpreter):
    """An interpreter that knows more custom operations."""

    def __init__(self, custom_op_registerers=None, **kwargs):
        """custom_op_registerers: names of functions `extern "C" void f(tflite::MutableOpResolver*)` in libraries that are
        loaded with their symbols in sight (RTLD_GLOBAL), or functions that take the resolver's address. Each adds its
        operations. kwargs: as Interpreter takes them. ValueError for a name that no library has.
        """
        self._custom_op_registerers = custom_op_registerers or []
        super().__init__(**kwargs)


def why_not_applied(native):
    """The reason that was logged, or else the tensor whose shape no delegate can know."""
    log = native.take_log()
    if log:
        return log
    for node in native.execution_plan():
        for tensor in native.node(node)[3]:
            info = native.tensor_info(tensor, 0)
            if info['dynamic']:
                return f"the shape of tensor '{info['name']}' is known only when the model runs"
    return 'it does not fit the graph'


def _thread_count(num_threads):
    if num_threads is None:
        return 1
    if not isinstance(num_threads, int):
        raise ValueError(f'type of num_threads should be int, not {num_threads!r}')
    if num_threads < 1:
        raise ValueError(f'num_threads should >= 1, got {num_threads}')
    return _types.index(num_threads, 'num_threads')


def _build(model_path, model_content, settings, registerers):
    """The native interpreter, and what it was built from in words."""
    if model_path and model_content:
        raise ValueError("Can't both provide `model_path` and `model_content`")
    if model_path:
        path = os.fsdecode(model_path)
        if '\0' in path:
            raise ValueError(f'Could not open {path!r}: embedded null byte')
        return _native.NativeInterpreter.from_file(os.fsencode(path), settings, registerers), path
    if model_content:
        if not isinstance(model_content, bytes):
            raise TypeError(f'model_content must be bytes, not {type(model_content).__name__}')
        native = _native.NativeInterpreter.from_bytes(model_content, settings, registerers)
        return native, f'{len(model_content)} bytes'
    raise ValueError('`model_path` or `model_content` must be specified.')
