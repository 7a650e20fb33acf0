# SPDX-License-Identifier: Apache-2.0
"""Signatures: lists, runners, and what runners refuse."""
import numpy as np
import pytest

from tern.interpreter import Interpreter, SignatureRunner


@pytest.fixture
def interpreter(model):
    return Interpreter(model('signatures'))


def ones(rows, value=1):
    return np.full((rows, 2), value, np.float32)


def test_lists_have_names_in_order(interpreter, landscape):
    assert interpreter.get_signature_list() == {'add': {'inputs': ['x', 'y'], 'outputs': ['sum']},
                                                'square': {'inputs': ['x'], 'outputs': ['product']}}
    assert interpreter._get_full_signature_list()['add'] == {'inputs': {'x': 0, 'y': 1}, 'outputs': {'sum': 2}}
    assert Interpreter(landscape).get_signature_list() == {}


def test_a_runner_takes_names_and_gives_names(interpreter):
    add, square = interpreter.get_signature_runner('add'), interpreter.get_signature_runner('square')
    assert add(y=ones(1, 2), x=ones(1))['sum'].tolist() == [[3, 3]]
    assert square(x=ones(1, 3))['product'].tolist() == [[9, 9]]
    assert list(add(x=ones(1), y=ones(1))) == ['sum']


def test_a_runner_resizes_to_what_it_gets(interpreter):
    square = interpreter.get_signature_runner('square')
    for rows in (4, 1, 0, 3):
        assert square(x=ones(rows, 2))['product'].tolist() == [[4, 4]] * rows


def test_results_are_copies(interpreter):
    square = interpreter.get_signature_runner('square')
    first = square(x=ones(1, 2))['product']
    square(x=ones(1, 5))
    assert first.tolist() == [[4, 4]]


def test_a_runner_keeps_the_interpreter(model):
    square = Interpreter(model('signatures')).get_signature_runner('square')
    assert square(x=ones(1, 2))['product'].tolist() == [[4, 4]]


def test_details_are_those_of_the_signatures_graph(interpreter):
    square = interpreter.get_signature_runner('square')
    details = square.get_input_details()
    assert list(details) == ['x'] and details['x']['name'] == 'c' and details['x']['index'] == 0
    assert square.get_output_details()['product']['shape_signature'].tolist() == [-1, 2]


def test_no_key_is_clear_with_one_signature_alone(interpreter, landscape):
    for made, count in ((interpreter, 2), (Interpreter(landscape), 0)):
        with pytest.raises(ValueError, match=f'signature_key is None and model has {count} Signatures. None is only'):
            made.get_signature_runner()


@pytest.mark.parametrize('key, text', [('nobody', 'Invalid signature_key provided: "nobody".'),
                                       ('', 'None signature_key provided.')])
def test_unknown_key(interpreter, key, text):
    with pytest.raises(ValueError, match=text):
        interpreter.get_signature_runner(key)


def test_a_runner_of_nothing(interpreter):
    with pytest.raises(ValueError, match='None interpreter provided.'):
        SignatureRunner()
    with pytest.raises(ValueError, match='None signature_key provided.'):
        SignatureRunner(interpreter)


@pytest.mark.parametrize('inputs, error, text', [
    ({}, ValueError, 'Invalid number of inputs .* expected 2 vs provided 0'),
    ({'x': ones(1)}, ValueError, 'expected 2 vs provided 1'),
    ({'x': ones(1), 'z': ones(1)}, ValueError, r'Invalid Input name \(z\) for SignatureDef'),
    ({'x': ones(1), 'y': ones(1).astype(np.float64)}, ValueError,
     'Got value of type FLOAT64 but expected type FLOAT32 for input 1, name: b'),
    ({'x': ones(1), 'y': None}, AttributeError, 'NoneType'),
    ({'x': ones(1), 'y': np.ones((1, 5), np.float32)}, RuntimeError, 'ADD'),
])
def test_wrong_inputs_are_named_and_nothing_is_lost(interpreter, inputs, error, text):
    add = interpreter.get_signature_runner('add')
    with pytest.raises(error, match=text):
        add(**inputs)
    assert add(x=ones(1), y=ones(1))['sum'].tolist() == [[2, 2]]


def test_a_runner_waits_for_views(interpreter):
    interpreter.allocate_tensors()
    square = interpreter.get_signature_runner('square')
    view = interpreter.tensor(0)()
    with pytest.raises(RuntimeError, match='There is at least 1 reference to internal data'):
        square(x=ones(1))
    assert view.shape == (1, 2)
    del view
    assert square(x=ones(1))['product'].tolist() == [[1, 1]]
