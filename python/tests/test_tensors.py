# SPDX-License-Identifier: Apache-2.0
"""Tensor data and details: copies, views, shapes, types, strings, variables."""
import gc

import numpy as np
import pytest

from tern.interpreter import Interpreter

HELD = 'There is at least 1 reference to internal data'


@pytest.fixture
def ready(landscape):
    interpreter = Interpreter(landscape)
    interpreter.allocate_tensors()
    return interpreter


@pytest.fixture
def image():
    return np.random.default_rng(2).uniform(0, 1, (1, 240, 320, 3)).astype(np.float32)


# ---- Details.

def test_details_have_the_keys_and_types_of_the_reference(ready):
    details, = ready.get_input_details()
    assert list(details) == ['name', 'index', 'shape', 'shape_signature', 'dtype', 'quantization',
                             'quantization_parameters', 'sparsity_parameters']
    assert details['name'] == 'image' and details['index'] == 0 and details['dtype'] is np.float32
    assert details['shape'].dtype == np.int32 and details['shape'].tolist() == [1, 240, 320, 3]
    assert details['quantization'] == (0.0, 0) and details['sparsity_parameters'] == {}
    parameters = details['quantization_parameters']
    assert list(parameters) == ['scales', 'zero_points', 'quantized_dimension', 'block_size']
    assert parameters['scales'].dtype == np.float32 and parameters['zero_points'].dtype == np.int32
    assert parameters['scales'].shape == parameters['zero_points'].shape == (0,)


def test_details_of_quantized_tensors_and_open_sizes(model):
    packed = Interpreter(model('int4')).get_tensor_details()[0]
    assert packed['dtype'] is np.int8 and packed['quantization'] == (0.5, 0)
    assert packed['quantization_parameters']['scales'].tolist() == [0.5]
    assert Interpreter(model('signatures')).get_input_details()[0]['shape_signature'].tolist() == [-1, 2]


def test_details_of_tensors_with_scales_by_block(model):
    interpreter = Interpreter(model('blocks'))
    parameters = interpreter.get_tensor_details()[1]['quantization_parameters']
    assert parameters['scales'].dtype == np.float16 and parameters['scales'].tolist() == [0.5, 2, 1, 4]
    assert parameters['zero_points'].dtype == np.int32 and parameters['zero_points'].size == 0
    assert parameters['block_size'] == 2
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, np.array([[127, -128, 0, 64]], np.float32))
    interpreter.invoke()
    assert interpreter.get_tensor(3).tolist() == [[0.5 * (127 - 256) + 2 * 256, -127 - 128 + 4 * -128]]


def test_details_of_all_tensors_by_subgraph(model):
    interpreter = Interpreter(model('signatures'))
    assert interpreter.num_subgraphs() == 2
    assert [d['name'] for d in interpreter.get_tensor_details()] == ['a', 'b', 'sum']
    assert [d['name'] for d in interpreter.get_tensor_details(1)] == ['c', 'product']
    for bad in (-1, 2):
        with pytest.raises(ValueError, match=f'subgraph_index is out of range: {bad} for the model, which has 2'):
            interpreter.get_tensor_details(bad)


def test_details_of_operations(ready):
    nodes = ready._get_ops_details()
    assert [node['op_name'] for node in nodes][:3] == ['CONV_2D', 'DEPTHWISE_CONV_2D', 'CONV_2D']
    first = nodes[0]
    assert list(first) == ['index', 'op_name', 'inputs', 'outputs', 'operand_types', 'result_types']
    assert first['inputs'].dtype == np.int32 and first['result_types'] == [np.float32]
    with pytest.raises(ValueError, match='Invalid node index 10'):
        ready._get_op_details(10)


# ---- set_tensor and get_tensor.

def test_set_and_get_copy(ready, image):
    ready.set_tensor(0, image)
    first = ready.get_tensor(0)
    assert first.dtype == np.float32 and np.array_equal(first, image)
    image[:] = 0
    assert ready.get_tensor(0).any()
    first[:] = 7
    assert not np.array_equal(ready.get_tensor(0), first)


@pytest.mark.parametrize('arrange', [
    lambda a: np.repeat(a, 2, axis=3)[..., ::2], lambda a: np.asfortranarray(a), lambda a: a[:, ::-1][:, ::-1],
    lambda a: a.astype('>f4'), lambda a: np.broadcast_to(a, a.shape)])
def test_arrays_in_any_order_of_memory_are_taken(ready, image, arrange):
    ready.set_tensor(0, arrange(image))
    assert np.array_equal(ready.get_tensor(0), image)


@pytest.mark.parametrize('value, text', [
    (None, 'Got value of type STRING but expected type FLOAT32 for input 0, name: image'),
    (np.zeros((1, 240, 320, 3)), 'Got value of type FLOAT64 but expected type FLOAT32 for input 0, name: image'),
    (np.zeros((1, 240, 320, 3), np.uint8), 'Got value of type UINT8 but expected type FLOAT32'),
    (np.zeros((1, 240, 320, 3), 'M8[s]'), 'Got value of type NOTYPE but expected type FLOAT32'),
    (np.zeros((240, 320, 3), np.float32), 'Dimension mismatch. Got 3 but expected 4 for input 0'),
    (np.zeros((1, 240, 5, 3), np.float32), 'Dimension mismatch. Got 5 but expected 320 for dimension 2 of input 0'),
    (np.float32(0), 'Dimension mismatch. Got 0 but expected 4 for input 0'),
])
def test_wrong_dtype_and_rank_are_named(ready, image, value, text):
    ready.set_tensor(0, image)
    with pytest.raises(ValueError, match='Cannot set tensor: .*' + text):
        ready.set_tensor(0, value)
    assert np.array_equal(ready.get_tensor(0), image)


@pytest.mark.parametrize('index', [-1, 23, 2**31 - 1])
def test_bad_index_is_named(ready, index):
    for call in (lambda: ready.get_tensor(index), lambda: ready.set_tensor(index, np.float32(1)), ready.tensor(index)):
        with pytest.raises(ValueError, match=f'Invalid tensor index {index} exceeds max tensor index 23'):
            call()
    with pytest.raises(ValueError, match='Invalid subgraph index 5 exceeds max subgraph index 1'):
        ready.get_tensor(0, 5)


@pytest.mark.parametrize('index', [None, 'image', 1.0, 2**31])
def test_index_that_is_no_int_is_a_type_error(ready, index):
    for call in (lambda: ready.get_tensor(index), lambda: ready.set_tensor(index, np.float32(1)), ready.tensor(index)):
        with pytest.raises(TypeError, match='tensor_index must'):
            call()


def test_before_allocation_there_is_no_data(landscape, image):
    interpreter = Interpreter(landscape)
    with pytest.raises(ValueError, match='Tensor is unallocated. Try calling allocate_tensors'):
        interpreter.set_tensor(0, image)
    for call in (lambda: interpreter.get_tensor(0), interpreter.tensor(0)):
        with pytest.raises(ValueError, match='Tensor data is null. Run allocate_tensors'):
            call()
    with pytest.raises(RuntimeError, match='Invoke called on model that is not ready'):
        interpreter.invoke()


def test_constants_can_be_read_and_not_written(ready):
    details = [d for d in ready.get_tensor_details() if d['index'] == ready._get_ops_details()[0]['inputs'][1]]
    weights = ready.get_tensor(details[0]['index'])
    assert weights.any()
    with pytest.raises(ValueError, match='is a constant of the model'):
        ready.set_tensor(details[0]['index'], weights)
    view = ready.tensor(details[0]['index'])()
    assert np.array_equal(view, weights) and not view.flags.writeable


def test_halves_of_bytes_come_as_int8(model):
    interpreter = Interpreter(model('int4'))
    interpreter.allocate_tensors()
    interpreter.invoke()
    assert interpreter.get_tensor(0).tolist() == [-3, 7, 1] and interpreter.get_tensor(0).dtype == np.int8
    assert interpreter.get_tensor(1).tolist() == [-1.5, 3.5, 0.5]
    with pytest.raises(ValueError, match='Tensor 0 has no view'):
        interpreter.tensor(0)()


@pytest.mark.parametrize('words', [np.array([b'', b'a\0b'], object), np.array(['ab', '\u00e4']), ['x', b'y']])
def test_strings_go_in_as_text_and_come_back_as_bytes(model, words):
    interpreter = Interpreter(model('strings'))
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, words)
    interpreter.invoke()
    got = interpreter.get_tensor(2)
    assert got.dtype == object and got.shape == (2, 1)
    assert got.ravel().tolist() == [w.encode() if isinstance(w, str) else w for w in np.asarray(words).tolist()]


def test_strings_that_are_none_are_refused(model):
    interpreter = Interpreter(model('strings'))
    interpreter.allocate_tensors()
    assert interpreter.get_input_details()[0]['dtype'] is np.bytes_
    for value, text in ((np.array(['a', 5], object), 'takes str and bytes, not 5'),
                        (np.zeros(2, np.int32), 'Got value of type INT32 but expected type STRING'),
                        (np.array(['a']), 'Got 1 but expected 2 for dimension 0 of input 0')):
        with pytest.raises(ValueError, match=text):
            interpreter.set_tensor(0, value)
    with pytest.raises(ValueError, match='Tensor 0 has no view'):
        interpreter.tensor(0)()


def test_variables_live_from_run_to_run_and_can_be_reset(model):
    interpreter = Interpreter(model('running_sum'))
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, np.array([[2]], np.float32))
    for _ in range(3):
        interpreter.invoke()
    assert interpreter.get_tensor(5) == 6
    interpreter.reset_all_variables()
    interpreter.invoke()
    assert interpreter.get_tensor(5) == 2


# ---- Views.

def test_a_view_is_the_tensor_itself(ready, image):
    view = ready.tensor(0)
    view()[...] = image
    assert np.array_equal(ready.get_tensor(0), image)
    assert view().flags.writeable and not view().flags.owndata
    assert view().__array_interface__['data'] == ready.tensor(0)().__array_interface__['data']
    ready.invoke()


@pytest.mark.parametrize('call', [
    lambda i: i.invoke(), lambda i: i.allocate_tensors(), lambda i: i.resize_tensor_input(0, [1, 64, 64, 3])])
def test_what_may_move_memory_waits_for_views(ready, call):
    part = ready.tensor(0)()[0, :3]
    with pytest.raises(RuntimeError, match=HELD):
        call(ready)
    part[...] = 1
    del part
    call(ready)


def test_a_view_does_not_hinder_what_moves_nothing(ready, image):
    view = ready.tensor(0)()
    ready.set_tensor(0, image)
    ready.reset_all_variables()
    assert np.array_equal(view, image) and np.array_equal(ready.get_tensor(0), image)


def test_a_view_outlives_the_interpreter(landscape, image):
    interpreter = Interpreter(landscape)
    interpreter.allocate_tensors()
    view = interpreter.tensor(0)()
    del interpreter
    gc.collect()
    view[...] = image
    assert np.array_equal(view, image)


def test_an_error_in_setting_holds_no_memory(ready, image):
    kept = None
    try:
        ready.set_tensor(0, image[:, :5])
    except ValueError as error:
        kept = error
    ready.invoke()
    assert kept.__traceback__ is not None


# ---- Resizing.

def test_resizing_gives_other_shapes_after_allocation(model):
    interpreter = Interpreter(model('signatures'))
    interpreter.allocate_tensors()
    for tensor in (0, 1):
        interpreter.resize_tensor_input(tensor, [3, 2], strict=True)
    with pytest.raises(ValueError, match='Tensor is unallocated'):
        interpreter.set_tensor(0, np.ones((3, 2), np.float32))
    interpreter.allocate_tensors()
    for tensor in (0, 1):
        interpreter.set_tensor(tensor, np.full((3, 2), tensor + 1, np.float32))
    interpreter.invoke()
    assert interpreter.get_output_details()[0]['shape'].tolist() == [3, 2]
    assert interpreter.get_tensor(2).tolist() == [[3, 3]] * 3


def test_strict_resizing_keeps_known_sizes(ready):
    with pytest.raises(RuntimeError, match='dimension 1 of tensor 0 with value 240 to 64. ResizeInputTensorStrict only'):
        ready.resize_tensor_input(0, [1, 64, 320, 3], strict=True)
    assert ready.get_input_details()[0]['shape'].tolist() == [1, 240, 320, 3]
    ready.invoke()


@pytest.mark.parametrize('index, shape, error, text', [
    (99, [1], RuntimeError, '99'),
    (0, [-1, 2, 3, 3], RuntimeError, '-1'),
    (0, [[1, 2]], ValueError, 'Shape should be 1D instead of 2.'),
    (0, 3, ValueError, 'Shape should be 1D instead of 0.'),
    (0, 'x', ValueError, "'x'"),
    (0, None, TypeError, 'NoneType'),
    (0, [2**40, 1], OverflowError, str(2**40)),
    ('image', [1], TypeError, "input_index must be an int, not 'image'"),
])
def test_shapes_that_are_none(ready, index, shape, error, text):
    with pytest.raises(error, match=text):
        ready.resize_tensor_input(index, shape)
    ready.invoke()


def test_no_elements_are_no_error(model):
    interpreter = Interpreter(model('signatures'))
    for tensor in (0, 1):
        interpreter.resize_tensor_input(tensor, [0, 2])
    interpreter.allocate_tensors()
    for tensor in (0, 1):
        interpreter.set_tensor(tensor, np.empty((0, 2), np.float32))
    interpreter.invoke()
    assert interpreter.get_tensor(2).shape == interpreter.tensor(2)().shape == (0, 2)
