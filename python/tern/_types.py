# SPDX-License-Identifier: Apache-2.0
"""Element types of tensors beside those of NumPy, and tensor data as arrays."""
import operator

import numpy as np

# By the numbers of the C API's TfLiteType: the name, and the type of an array's elements. Elements of STRING are bytes,
# of any length; two elements of INT4 share a byte in the tensor.
_TYPES = {
    0: ('NOTYPE', None),
    1: ('FLOAT32', np.float32),
    2: ('INT32', np.int32),
    3: ('UINT8', np.uint8),
    4: ('INT64', np.int64),
    5: ('STRING', np.bytes_),
    6: ('BOOL', np.bool_),
    7: ('INT16', np.int16),
    8: ('COMPLEX64', np.complex64),
    9: ('INT8', np.int8),
    10: ('FLOAT16', np.float16),
    11: ('FLOAT64', np.float64),
    12: ('COMPLEX128', np.complex128),
    13: ('UINT64', np.uint64),
    14: ('RESOURCE', np.object_),
    15: ('VARIANT', np.object_),
    16: ('UINT32', np.uint32),
    17: ('UINT16', np.uint16),
    18: ('INT4', np.int8),
    19: ('BFLOAT16', None),
    20: ('INT2', None),
    21: ('UINT4', None),
    22: ('FLOAT8E4M3FN', None),
    23: ('FLOAT8E5M2', None),
}
_STRING, _INT4 = 5, 18
_NAMES = {dtype: name for name, dtype in _TYPES.values() if dtype and name not in ('RESOURCE', 'VARIANT', 'INT4')}


def type_name(number):
    return _TYPES[number][0] if number in _TYPES else f'type {number}'


def dtype_of(number):
    """The NumPy type of a TfLiteType, None where NumPy has none."""
    return _TYPES.get(number, ('', None))[1]


def index(value, what):
    """An int of 32 bits from whatever is one; TypeError, which names the value, for anything else."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f'{what} must be an int, not {value!r}') from None
    if not -2**31 <= number < 2**31:
        raise TypeError(f'{what} must fit 32 bits, {number} does not')
    return number


def details(native, tensor, subgraph):
    """The dictionary that get_tensor_details() has for one tensor."""
    info = native.tensor_info(tensor, subgraph)
    dtype = dtype_of(info['type'])
    if dtype is None:
        raise ValueError(f'Could not get tensor details: tensor {tensor} has elements of {type_name(info["type"])}, '
                         'which NumPy has not')
    scales, zero_points, dimension, block_size = info['quantization_parameters']
    if block_size:
        scales = _beside(native, scales[0], subgraph, np.floating)
        zero_points = _beside(native, zero_points[0], subgraph, np.integer)
    return {
        'name': info['name'],
        'index': tensor,
        'shape': np.array(info['shape'], np.int32),
        'shape_signature': np.array(info['shape_signature'], np.int32),
        'dtype': dtype,
        'quantization': info['quantization'],
        'quantization_parameters': {
            'scales': scales if block_size else np.array(scales, np.float32),
            'zero_points': np.array(zero_points, np.int32),
            'quantized_dimension': dimension,
            'block_size': block_size,
        },
        'sparsity_parameters': _sparsity(info['sparsity']),
    }


def _beside(native, tensor, subgraph, kind):
    """The numbers of a constant that another tensor's quantization names; none where they are of another kind."""
    there = 0 <= tensor < native.tensor_count(subgraph) and native.is_constant(tensor, subgraph)
    dtype = dtype_of(native.form(tensor, subgraph)[0]) if there else None
    if dtype is None or not issubclass(dtype, kind):
        return np.empty(0, np.float32 if kind is np.floating else np.int32)
    numbers = read(native, tensor, subgraph).reshape(-1)
    return numbers.astype(np.int32) if kind is np.integer else numbers


def _sparsity(reported):
    """The same dictionary with arrays in place of tuples."""
    arrays = {}
    for key, value in reported.items():
        if isinstance(value, tuple):
            value = np.array(value, np.int32)
        elif isinstance(value, list):
            value = [_sparsity(entry) for entry in value]
        arrays[key] = value
    return arrays


def _typed(native, tensor, subgraph):
    """Number of the type, NumPy's type and shape of a tensor that holds elements of NumPy."""
    number, shape = native.form(tensor, subgraph)
    dtype = dtype_of(number)
    if dtype is None or dtype is np.object_:
        raise ValueError(f'Tensor data is null or not of NumPy: tensor {tensor} is of type {type_name(number)}. '
                         'Run allocate_tensors() first')
    return number, dtype, shape


def read(native, tensor, subgraph):
    """A copy of the tensor's data."""
    number, dtype, shape = _typed(native, tensor, subgraph)
    if number == _STRING:
        strings = native.read_strings(tensor, subgraph)
        array = np.empty(len(strings), np.object_)
        array[:] = strings
        return array.reshape(shape)
    if number == _INT4:
        return _read_int4(native, tensor, subgraph, shape)
    array = np.empty(shape, dtype)
    native.read(tensor, subgraph, array)
    return array


def _read_int4(native, tensor, subgraph, shape):
    count = int(np.prod(shape, dtype=np.int64))
    packed = np.empty((count + 1) // 2, np.int8)
    native.read(tensor, subgraph, packed)
    # The low half of a byte comes first; shifting brings the sign down.
    pairs = np.stack([np.left_shift(packed, 4) >> 4, packed >> 4], axis=-1)
    return pairs.reshape(-1)[:count].reshape(shape)


def view(native, tensor):
    """The tensor's own memory as an array."""
    number, dtype, shape = _typed(native, tensor, 0)
    if number in (_STRING, _INT4):
        raise ValueError(f'Tensor {tensor} has no view: an element of {type_name(number)} is no element of an array. '
                         'Use get_tensor().')
    return np.ndarray(shape, dtype, buffer=native.memory(tensor))


def write(native, tensor, subgraph, value):
    """Copies an array, or what NumPy makes one of, into the tensor."""
    array = np.asarray(value)
    number, shape = native.form(tensor, subgraph)
    wanted = type_name(number)
    is_text = array.dtype.kind in 'SUO'
    got = 'STRING' if is_text else _NAMES.get(array.dtype.type, 'NOTYPE')
    if got != wanted:
        raise ValueError(f'Cannot set tensor: Got value of type {got} but expected type {wanted} for input {tensor}, '
                         f'name: {native.tensor_info(tensor, subgraph)["name"]} ')
    if array.shape != shape:
        _refuse_shape(array.shape, shape, tensor)
    if is_text:
        native.write_strings(tensor, subgraph, [_bytes_of(text, tensor) for text in array.reshape(-1).tolist()])
        return
    if not (array.flags.c_contiguous and array.dtype.isnative):
        array = np.array(array, array.dtype.newbyteorder('='), order='C')
    native.write(tensor, subgraph, array)


def _refuse_shape(got, wanted, tensor):
    if len(got) != len(wanted):
        raise ValueError(f'Cannot set tensor: Dimension mismatch. Got {len(got)} but expected {len(wanted)} for input '
                         f'{tensor}.')
    for dimension, (size, expected) in enumerate(zip(got, wanted)):
        if size != expected:
            raise ValueError(f'Cannot set tensor: Dimension mismatch. Got {size} but expected {expected} for dimension '
                             f'{dimension} of input {tensor}.')


def _bytes_of(text, tensor):
    if isinstance(text, str):
        return text.encode('utf-8')
    if isinstance(text, bytes):
        return text
    raise ValueError(f'Cannot set tensor: input {tensor} takes str and bytes, not {text!r}')
