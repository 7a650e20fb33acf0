#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the small models of the Java tests.   make_models.py FLATC SCHEMA OUT_FOLDER"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

CODES = {'ADD': 0, 'SLICE': 65, 'NEG': 59, 'WHILE': 119, 'LESS': 58, 'CUSTOM': 32}


def ints(*values):
    return {'data': list(struct.pack(f'<{len(values)}i', *values))}


def tensor(name, kind='FLOAT32', shape=(1,), signature=None, buffer=0, **more):
    made = {'name': name, 'type': kind, 'shape': list(shape), 'buffer': buffer, **more}
    if signature:
        made['shape_signature'] = list(signature)
    return made


def op(index, inputs, outputs, options=None, fields=None):
    made = {'opcode_index': index, 'inputs': inputs, 'outputs': outputs}
    if options:
        made.update(builtin_options_type=options, builtin_options=fields or {})
    return made


def model(codes, graphs, buffers=(), signatures=()):
    return {
        'version': 3,
        'operator_codes': [{'deprecated_builtin_code': CODES[c], 'builtin_code': c, 'version': v} for c, v in codes],
        'subgraphs': graphs, 'buffers': [{}, *buffers], 'signature_defs': list(signatures)}


def graph(name, tensors, inputs, outputs, operators):
    return {'name': name, 'tensors': tensors, 'inputs': inputs, 'outputs': outputs, 'operators': operators}


def signature(key, subgraph, inputs, outputs):
    def names(entries):
        return [{'name': name, 'tensor_index': index} for name, index in entries.items()]
    return {'signature_key': key, 'subgraph_index': subgraph, 'inputs': names(inputs), 'outputs': names(outputs)}


def copy_of(kind, shape, **more):
    """A whole slice of x, of any shape of that rank."""
    rank = len(shape)
    opened = [-1] * rank
    tensors = [tensor('x', kind, shape, opened, **more), tensor('begin', 'INT32', [rank], buffer=1),
               tensor('size', 'INT32', [rank], buffer=2), tensor('y', kind, shape, opened, **more)]
    version = {'INT8': 2, 'UINT8': 3, 'STRING': 3, 'INT16': 4, 'BOOL': 3}.get(kind, 1)
    return model([('SLICE', version)],
                 [graph('main', tensors, [0], [3], [op(0, [0, 1, 2], [3], 'SliceOptions')])],
                 [ints(*[0] * rank), ints(*[-1] * rank)])


def two_graphs():
    """Signatures `double` of the first graph and `negate` of the second."""
    first = graph('main', [tensor('x', shape=[1, 2], signature=[-1, 2]), tensor('y', shape=[1, 2], signature=[-1, 2])],
                  [0], [1], [op(0, [0, 0], [1], 'AddOptions')])
    second = graph('other', [tensor('a', shape=[1, 3], signature=[-1, 3]), tensor('b', shape=[1, 3], signature=[-1, 3])],
                   [0], [1], [op(1, [0], [1], 'NegOptions')])
    return model([('ADD', 1), ('NEG', 1)], [first, second], (),
                 [signature('double', 0, {'in': 0}, {'out': 1}), signature('negate', 1, {'value': 0}, {'result': 1})])


def two_inputs():
    tensors = [tensor('first', shape=[2, 2], signature=[-1, 2]), tensor('second', shape=[2, 2], signature=[-1, 2]),
               tensor('sum', shape=[2, 2], signature=[-1, 2]), tensor('twice', shape=[2, 2], signature=[-1, 2])]
    return model([('ADD', 1)], [graph('main', tensors, [0, 1], [2, 3], [
        op(0, [0, 1], [2], 'AddOptions'), op(0, [2, 2], [3], 'AddOptions')])], (),
        [signature('serving_default', 0, {'b': 1, 'a': 0}, {'total': 2, 'doubled': 3})])


def dynamic():
    """y = x[0:size], a shape that is known after the run."""
    tensors = [tensor('x', shape=[6]), tensor('begin', 'INT32', [1], buffer=1), tensor('size', 'INT32', [1]),
               tensor('y', shape=[1], signature=[-1])]
    return model([('SLICE', 1)], [graph('main', tensors, [0, 2], [3], [op(0, [0, 1, 2], [3], 'SliceOptions')])],
                 [ints(0)])


def endless():
    """Counts from x to the largest int."""
    main = graph('main', [tensor('x', 'INT32'), tensor('y', 'INT32')], [0], [1],
                 [op(0, [0], [1], 'WhileOptions', {'cond_subgraph_index': 1, 'body_subgraph_index': 2})])
    cond = graph('cond', [tensor('i', 'INT32'), tensor('end', 'INT32', buffer=1), tensor('goes_on', 'BOOL')], [0], [2],
                 [op(1, [0, 1], [2], 'LessOptions')])
    body = graph('body', [tensor('i', 'INT32'), tensor('one', 'INT32', buffer=2), tensor('next', 'INT32')], [0], [2],
                 [op(2, [0, 1], [2], 'AddOptions')])
    return model([('WHILE', 1), ('LESS', 1), ('ADD', 1)], [main, cond, body], [ints(2**31 - 1), ints(1)])


def unknown_op():
    made = model([('CUSTOM', 1)], [graph('main', [tensor('x'), tensor('y')], [0], [1], [op(0, [0], [1])])])
    made['operator_codes'][0]['custom_code'] = 'NobodyHasThis'
    return made


def models():
    for kind in ('FLOAT32', 'INT32', 'UINT8', 'INT64', 'STRING', 'BOOL', 'INT16', 'INT8'):
        yield f'copy_{kind.lower()}', copy_of(kind, [1, 2, 3])
    yield 'copy_quantized', copy_of('INT8', [4], quantization={'scale': [0.5], 'zero_point': [3]})
    yield 'copy_rank5', copy_of('FLOAT32', [1, 2, 1, 2, 3])
    yield 'scalar', model([('NEG', 1)], [graph('main', [tensor('x', shape=[]), tensor('y', shape=[])], [0], [1],
                                              [op(0, [0], [1], 'NegOptions')])])
    for make in (two_graphs, two_inputs, dynamic, endless, unknown_op):
        yield make.__name__, make()


def main():
    flatc, schema, out = sys.argv[1:]
    pathlib.Path(out).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, content in models():
            files.append(pathlib.Path(folder) / f'{name}.json')
            files[-1].write_text(json.dumps(content))
        subprocess.run([flatc, '--binary', '-o', out, schema, *map(str, files)], check=True)


if __name__ == '__main__':
    main()
