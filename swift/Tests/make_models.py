#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the small models of the Swift tests: those of the Java tests, and some with what Swift alone asks for.

make_models.py FLATC SCHEMA OUT_FOLDER"""
import importlib.util
import pathlib
import sys

JAVA = pathlib.Path(__file__).resolve().parents[2] / 'java/tests/make_models.py'
SPEC = importlib.util.spec_from_file_location('java_models', JAVA)
java = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(java)
java_models = java.models

# In the order of the inputs of `all_types`. The last three are types that Tensor.DataType lacks.
TYPES = ('BOOL', 'UINT8', 'INT8', 'INT16', 'INT32', 'INT64', 'FLOAT16', 'FLOAT32', 'FLOAT64', 'UINT32', 'COMPLEX64', 'STRING')


def all_types():
    """An input of each type with two elements, of which one is negated; a signature with all of them."""
    tensors = [java.tensor(kind.lower(), kind, [2]) for kind in TYPES] + [java.tensor('y', shape=[2])]
    inputs = list(range(len(TYPES)))
    return java.model([('NEG', 1)], [java.graph('main', tensors, inputs, [len(TYPES)], [
        java.op(0, [TYPES.index('FLOAT32')], [len(TYPES)], 'NegOptions')])], (),
        [java.signature('all', 0, {TYPES[i].lower(): i for i in inputs}, {'y': len(TYPES)})])


def part():
    """y = x[0:size], by a signature: a size that is too large fails in the run."""
    made = java.dynamic()
    made['signature_defs'] = [java.signature('part', 0, {'x': 0, 'size': 2}, {'y': 3})]
    return made


def no_inputs():
    """A graph that negates a constant; its tensors have no names."""
    tensors = [java.tensor('', 'FLOAT32', [1], buffer=1), java.tensor('')]
    return java.model([('NEG', 1)], [java.graph('main', tensors, [], [1], [java.op(0, [0], [1], 'NegOptions')])],
                      [{'data': [0, 0, 128, 63]}])


def open_rows():
    """y = -x for any number of rows of three, and a signature of it."""
    tensors = [java.tensor(name, shape=[1, 3], signature=[-1, 3]) for name in 'xy']
    return java.model([('NEG', 1)], [java.graph('main', tensors, [0], [1], [java.op(0, [0], [1], 'NegOptions')])], (),
                      [java.signature('negate', 0, {'x': 0}, {'y': 1})])


def new_version():
    made = open_rows()
    made['operator_codes'][0]['version'] = 99
    return made


def models():
    yield from java_models()
    for make in (all_types, part, no_inputs, open_rows, new_version):
        yield make.__name__, make()


if __name__ == '__main__':
    java.models = models
    java.main()
