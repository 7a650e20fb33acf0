# SPDX-License-Identifier: Apache-2.0
"""SVDF in full integers beside that of the real TensorFlow Lite Micro.

Usage: svdf_test.py C_LIBRARY WORK_FOLDER

Runs one-op models with time weights and states of 8 and of 16 bits and, where $TERN_SHARED has it,
keyword_scrambled_8bit.tflite in both: results must have the same bits, run by run and after a reset.
The rest is said in micro.py.
"""
import micro
from micro import INT16, INT32, INT8

ACTIVATIONS = {'NONE': 0, 'RELU': 1, 'RELU_N1_TO_1': 2, 'RELU6': 3, 'TANH': 4}


def check_op(checks, random, kind, rank, batch, activation, reach):
    """`reach` is about how far the state's numbers go, in widths of their type."""
    import numpy as np
    inputs, units, memory = (int(random.integers(1, limit)) for limit in (40, 20, 12))
    filters = units * rank

    def numbers(dtype, *shape):
        info = np.iinfo(dtype)
        return random.integers(info.min, info.max + 1, shape).astype(dtype)

    def scale():
        return float(np.float32(2.0 ** random.uniform(-9, -4)))

    bits = 8 if kind == INT8 else 16
    in_scale, feature_scale, time_scale = scale(), scale(), scale()
    # A product is a sum of `inputs` products of numbers that spread by about 74.
    state_scale = in_scale * feature_scale * 74 * 74 * inputs ** 0.5 / (reach * 2.0 ** (bits - 2))
    state_scale = float(np.float32(state_scale))
    bias_scale = float(np.float32(state_scale) * np.float32(time_scale))
    spread = 2.0 ** (bits - 1) * reach * 2.0 ** (bits - 2) * (rank * memory) ** 0.5
    out_scale = float(np.float32(bias_scale * spread / 60))
    state_zero = int(random.integers(-128, 128)) if kind == INT8 else 0
    weights = numbers(np.int8 if kind == INT8 else np.int16, filters, memory)
    operands = [
        (INT8, [batch, inputs], None, in_scale, int(random.integers(-128, 128))),
        (INT8, [filters, inputs], numbers(np.int8, filters, inputs), feature_scale),
        (kind, [filters, memory], weights, time_scale),
        (INT32, [units], (random.normal(0, spread / 2, units)).astype(np.int32), bias_scale),
        (kind, [batch, filters * memory], None, state_scale, state_zero, True)]
    result = (INT8, [batch, units], None, out_scale, int(random.integers(-100, 100)))

    def set_op(schema, code, node):
        code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.SVDF
        code.version = 3
        node.builtinOptionsType = schema.BuiltinOptions.SVDFOptions
        node.builtinOptions = schema.SVDFOptionsT()
        node.builtinOptions.rank = rank
        node.builtinOptions.fusedActivationFunction = ACTIVATIONS[activation]

    runs = 3 * memory
    checks.compare(f'SVDF of {bits} bits, batch {batch}, inputs {inputs}, units {units}, rank {rank}, '
                   f'memory {memory}, {activation}', micro.one_op(set_op, operands, [result]), [INT8],
                   [[numbers(np.int8, batch, inputs)] for _ in range(runs)], reset_at=2 * memory)


def check_keywords(checks, random):
    import numpy as np
    path = micro.shared_folder() / 'models' / 'keyword_scrambled_8bit.tflite'
    if not path.exists():
        print(f'skipped: no {path}')
        return
    for text, low, high in (('all numbers', -2**15, 2**15), ('sounds', 0, 26 * 32), ('quiet', 0, 60)):
        feeds = [[random.integers(low, high, (1, 96)).astype(np.int16)] for _ in range(100)]
        checks.compare(f'{path.name}, {text}', path.read_bytes(), [INT32], feeds, reset_at=50)


def check(checks):
    import numpy as np
    random = np.random.default_rng(5)
    for kind in (INT8, INT16):
        for rank in (1, 2, 3):
            for batch in (1, 3):
                for activation in ACTIVATIONS:
                    for reach in (0.1, 1, 4):
                        check_op(checks, random, kind, rank, batch, activation, reach)
    check_keywords(checks, random)


if __name__ == '__main__':
    micro.run(__file__, check)
