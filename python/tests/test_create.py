# SPDX-License-Identifier: Apache-2.0
"""From a file or bytes to an interpreter, and what is refused."""
import pathlib
import warnings

import numpy as np
import pytest

import tern
from tern.interpreter import Interpreter, OpResolverType


def test_model_is_a_path_in_any_form_or_bytes(landscape):
    content = pathlib.Path(landscape).read_bytes()
    for arguments in ({'model_path': landscape}, {'model_path': pathlib.Path(landscape)},
                      {'model_path': landscape.encode()}, {'model_content': content}):
        assert len(Interpreter(**arguments).get_input_details()) == 1
    assert Interpreter(landscape).get_input_details()[0]['name'] == 'image'


def test_bytes_stay_as_long_as_the_interpreter(landscape):
    interpreter = Interpreter(model_content=bytes(bytearray(pathlib.Path(landscape).read_bytes())))
    junk = [bytes(3792) for _ in range(1000)]
    interpreter.allocate_tensors()
    interpreter.invoke()
    assert len(junk) == 1000


@pytest.mark.parametrize('arguments, error, text', [
    ({}, ValueError, '`model_path` or `model_content` must be specified.'),
    ({'model_path': None, 'model_content': None}, ValueError, 'must be specified'),
    ({'model_path': 'a', 'model_content': b'b'}, ValueError, "Can't both provide `model_path` and `model_content`"),
    ({'model_path': '/nowhere/m.tflite'}, ValueError, r"^Could not open '/nowhere/m.tflite'\.$"),
    ({'model_path': '/tmp'}, ValueError, "Could not open '/tmp'.*it is a folder"),
    ({'model_path': '/dev/null'}, ValueError, "Could not open '/dev/null'"),
    ({'model_path': __file__}, ValueError, "The model is not a valid Flatbuffer buffer: '.*test_create.py'"),
    ({'model_content': b'version https://git-lfs.github.com/spec/v1\nsize 9012345\n'}, ValueError,
     "should be 'TFL3'. The file is a Git LFS pointer: the file itself, which has 9012345 bytes"),
    ({'model_content': b'<!DOCTYPE html><html></html>'}, ValueError, "should be 'TFL3'. The file is a web page"),
    ({'model_path': 'a\0b'}, ValueError, r"Could not open 'a\\x00b': embedded null byte"),
    ({'model_path': 5}, TypeError, 'int'),
    ({'model_content': b'a'}, ValueError, 'The model is not a valid Flatbuffer buffer'),
    ({'model_content': b'abcdefgh' * 20}, ValueError, 'The model is not a valid Flatbuffer buffer'),
    ({'model_content': bytearray(b'abc')}, TypeError, 'model_content must be bytes, not bytearray'),
    ({'model_content': 'abc'}, TypeError, 'model_content must be bytes, not str'),
])
def test_no_usable_model(arguments, error, text):
    with pytest.raises(error, match=text):
        Interpreter(**arguments)


@pytest.mark.parametrize('number, error, text', [
    (0, ValueError, 'num_threads should >= 1, got 0'),
    (-7, ValueError, 'num_threads should >= 1, got -7'),
    (1.5, ValueError, 'type of num_threads should be int, not 1.5'),
    ('2', ValueError, "type of num_threads should be int, not '2'"),
    (2**31, TypeError, 'num_threads must fit 32 bits, 2147483648 does not'),
])
def test_absurd_num_threads(landscape, number, error, text):
    with pytest.raises(error, match=text):
        Interpreter(landscape, num_threads=number)


@pytest.mark.parametrize('number', [None, 1, 2, 64, 2**31 - 1])
def test_any_num_threads_from_1_runs(landscape, number):
    interpreter = Interpreter(landscape, num_threads=number)
    interpreter.allocate_tensors()
    interpreter.invoke()
    assert interpreter.get_tensor(interpreter.get_output_details()[0]['index']).shape == (1, 240, 320, 7)


def test_op_resolver_types_by_name_and_number(landscape):
    assert [(kind.name, kind.value) for kind in OpResolverType] == [
        ('AUTO', 0), ('BUILTIN', 1), ('BUILTIN_REF', 2), ('BUILTIN_WITHOUT_DEFAULT_DELEGATES', 3)]
    for kind in OpResolverType:
        Interpreter(landscape, experimental_op_resolver_type=kind).allocate_tensors()
    with pytest.raises(ValueError, match='Unrecognized passed in op resolver type: 7'):
        Interpreter(landscape, experimental_op_resolver_type=7)


def test_preserve_all_tensors_warns_and_keeps_what_lies_between(landscape):
    with pytest.warns(UserWarning, match='experimental_preserve_all_tensors'):
        interpreter = Interpreter(landscape, experimental_preserve_all_tensors=True)
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        plain = Interpreter(landscape, experimental_preserve_all_tensors=True,
                            experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    image = np.random.default_rng(5).uniform(0, 1, (1, 240, 320, 3)).astype(np.float32)
    outputs = []
    for made in (interpreter, plain):
        made.allocate_tensors()
        made.set_tensor(0, image)
        made.invoke()
        outputs.append([made.get_tensor(node['outputs'][0]) for node in made._get_ops_details()])
    assert len(outputs[0]) == 10
    for fast, exact in zip(*outputs):
        assert abs(fast - exact).max() < 1e-4


def test_every_option_of_the_reference_is_taken(landscape):
    interpreter = Interpreter(landscape, experimental_disable_delegate_clustering=True,
                              experimental_default_delegate_latest_features=True,
                              experimental_compress_quantization_zero_points=True,
                              experimental_disable_delegate_node_fusion=True,
                              experimental_force_delegate_node_profiling=True)
    assert interpreter.experimental_compress_quantization_zero_points is True
    interpreter.allocate_tensors()
    interpreter.invoke()


def test_unknown_custom_operation_is_named_when_tensors_are_allocated(model):
    interpreter = Interpreter(model('unknown_custom'))
    with pytest.raises(RuntimeError, match=r'(?s)Encountered unresolved custom op: Nobody\..*\nNobody: the application must register it'):
        interpreter.allocate_tensors()


def test_changing_the_import_alone_is_enough(landscape):
    import tern.interpreter as tflite
    interpreter = tflite.Interpreter(model_path=landscape, num_threads=2)
    interpreter.allocate_tensors()
    assert tflite.load_delegate is tern.load_delegate and tflite.Interpreter is tern.Interpreter
    assert tflite.Delegate is tern.Delegate and tflite.SignatureRunner is tern.SignatureRunner


def test_repr_tells_nodes_inputs_and_outputs(landscape):
    interpreter = Interpreter(landscape, num_threads=2)
    assert repr(interpreter) == (f"<tern.Interpreter of {landscape}: 10 nodes, 2 threads\n"
                                 "  input 0 'image': float32 [1, 240, 320, 3]\n"
                                 "  output 22 'pixel_classes': float32 [1, 240, 320, 7]>")
    page = interpreter._repr_html_()
    assert '<td>pixel_classes</td><td>float32</td>' in page and '10 nodes' in page
