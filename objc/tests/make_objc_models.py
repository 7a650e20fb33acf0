#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the small models of the Objective-C tests: some of the Java tests', and those below.
make_objc_models.py FLATC SCHEMA OUT_FOLDER"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'java/tests'))
import make_models as java  # noqa: E402  pylint: disable=wrong-import-position

TYPES = ['FLOAT32', 'FLOAT16', 'INT32', 'UINT8', 'INT64', 'BOOL', 'INT16', 'INT8', 'FLOAT64', 'BFLOAT16', 'STRING',
         'UINT32']


def types():
    """An input of each type and no operator: nothing writes the output."""
    inputs = [java.tensor(kind.lower(), kind, [2]) for kind in TYPES]
    count = len(inputs)
    graph = java.graph('main', [*inputs, java.tensor('nothing')], list(range(count)), [count], [])
    names = {kind.lower(): i for i, kind in enumerate(TYPES)}
    return java.model([('ADD', 1)], [graph], (), [java.signature('types', 0, names, {'nothing': count})])


def left_out():
    """An input that the model leaves out, before one that it has."""
    graph = java.graph('main', [java.tensor('x', shape=[2]), java.tensor('y', shape=[2])], [-1, 0], [1],
                       [java.op(0, [0, 0], [1], 'AddOptions')])
    return java.model([('ADD', 1)], [graph])


def constant_input():
    """y = x + c, where both are inputs and c is a constant."""
    tensors = [java.tensor('x', shape=[2]), java.tensor('c', shape=[2], buffer=1), java.tensor('y', shape=[2])]
    graph = java.graph('main', tensors, [0, 1], [2], [java.op(0, [0, 1], [2], 'AddOptions')])
    return java.model([('ADD', 1)], [graph], [{'data': list(struct.pack('<2f', 10, 20))}],
                      [java.signature('add', 0, {'x': 0, 'c': 1}, {'y': 2})])


def one_graph_twice():
    """Signatures `double` of the first graph, `negate` and `again` of the second."""
    made = java.two_graphs()
    made['signature_defs'].append(java.signature('again', 1, {'in': 0}, {'out': 1}))
    return made


def slice_signature():
    """y = x[0:size] by name: a size over 6 fails in the run."""
    made = java.dynamic()
    made['signature_defs'] = [java.signature('slice', 0, {'x': 0, 'size': 2}, {'y': 3})]
    return made


def odd_names():
    """A tensor without a name, and one whose name is no ASCII."""
    made = java.model([('ADD', 1)], [java.graph('main', [java.tensor('größe', shape=[2]), java.tensor('', shape=[2])],
                                                [0], [1], [java.op(0, [0, 0], [1], 'AddOptions')])])
    del made['subgraphs'][0]['tensors'][1]['name']
    return made


MODELS = {'types': types, 'left_out': left_out, 'constant_input': constant_input, 'one_graph_twice': one_graph_twice,
          'slice_signature': slice_signature, 'odd_names': odd_names, 'two_inputs': java.two_inputs,
          'dynamic': java.dynamic, 'unknown_op': java.unknown_op,
          'copy_quantized': lambda: java.copy_of('INT8', [4], quantization={'scale': [0.5], 'zero_point': [3]}),
          'scalar': lambda: dict(java.models())['scalar']}


def main():
    flatc, schema, out = sys.argv[1:]
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as texts:
        files = []
        for name, make in MODELS.items():
            files.append(pathlib.Path(texts) / f'{name}.json')
            files[-1].write_text(json.dumps(make()))
        subprocess.run([flatc, '--binary', '-o', out, schema, *map(str, files)], check=True)
    (folder / 'no_model.tflite').write_bytes(b'\x89PNG\r\n\x1a\n' + bytes(100))
    (folder / 'empty.tflite').write_bytes(b'')
    whole = (folder / 'two_inputs.tflite').read_bytes()
    (folder / 'größe.tflite').write_bytes(whole)
    (folder / 'cut.tflite').write_bytes(whole[:len(whole) // 2])
    (folder / 'folder.tflite').mkdir(exist_ok=True)


if __name__ == '__main__':
    main()
