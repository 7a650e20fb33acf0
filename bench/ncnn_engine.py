# SPDX-License-Identifier: Apache-2.0
"""A float model's layers in ncnn's CPU engine: ncnn_engine.py TERN MODEL THREADS RUNS; prints what it took as JSON. With
"vulkan" for the threads ncnn's first Vulkan device runs them, uploads and downloads included.

ncnn reads no .tflite files. Its form is written here from what `tern inspect` tells, with weights of 0: ncnn's own
benchmark does the same, for its time does not depend on them. Tensors that become lists (RESHAPE) stay as they lie.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import ncnn
import numpy as np

SAME = -233  # pads as the reference's SAME does
ACTIVATIONS = {'NONE': '', 'RELU': ' 9=1', 'RELU6': ' 9=3 -23310=2,0.0,6.0', 'RELU_N1_TO_1': ' 9=3 -23310=2,-1.0,1.0'}


class Writer:
    """Lines of ncnn's param file; a blob has one reader there, so that others read copies of it."""

    def __init__(self, graph):
        self.tensors = graph['tensors']
        self.graph = graph
        self.lines, self.blobs = [], 0
        self.copies = {}
        self.constants = {i for i, t in enumerate(self.tensors) if t['constant_bytes']}
        self.readers = {}

    def shape(self, tensor):
        return self.tensors[tensor]['shape']

    def layer(self, kind, inputs, outputs, parameters=''):
        self.blobs += len(outputs)
        names = ' '.join([*inputs, *outputs])
        self.lines.append(f'{kind} l{len(self.lines)} {len(inputs)} {len(outputs)} {names}{parameters}')

    def produce(self, tensor, kind, inputs, parameters=''):
        name, count = f't{tensor}', self.readers.get(tensor, 0)
        self.layer(kind, inputs, [name], parameters)
        if count > 1:
            self.copies[tensor] = [f'{name}_{i}' for i in range(count)]
            self.layer('Split', [name], list(self.copies[tensor]))
        else:
            self.copies[tensor] = [name]

    def read(self, tensor):
        return self.copies[tensor].pop()

    def data_inputs(self, op):
        return [i for i in op['inputs'] if i >= 0 and i not in self.constants]

    def write(self):
        for op in self.graph['operators']:
            if op['op'] == 'DEQUANTIZE' and op['inputs'][0] in self.constants:  # weights of half size
                self.constants.add(op['outputs'][0])
        live = [op for op in self.graph['operators'] if op['outputs'][0] not in self.constants]
        for op in live:
            for i in self.data_inputs(op):
                self.readers[i] = self.readers.get(i, 0) + 1
        for tensor in self.graph['inputs']:
            _, h, w, c = self.shape(tensor)
            self.produce(tensor, 'Input', [], f' 0={w} 1={h} 2={c}')
        for op in live:
            form = getattr(self, op['op'].lower(), None)
            if form is None:
                sys.exit(f'{op["op"]} is not written in its form here')
            form(op)
        return '\n'.join(['7767517', f'{len(self.lines)} {self.blobs}', *self.lines]) + '\n'

    # ---- operators

    def simple(self, op, kind, parameters=''):
        self.produce(op['outputs'][0], kind, [self.read(i) for i in self.data_inputs(op)], parameters)

    def window(self, op, kernel, outputs, kind, more=''):
        o = op['options']
        pad = SAME if o['padding'] == 'SAME' else 0
        count = int(np.prod(self.shape(op['inputs'][1])))
        self.simple(op, kind, f' 0={outputs} 1={kernel[1]} 11={kernel[0]} 2={o["dilation_w_factor"]} '
                    f'12={o["dilation_h_factor"]} 3={o["stride_w"]} 13={o["stride_h"]} 4={pad} 5=1 6={count}{more}'
                    + ACTIVATIONS[o['fused_activation_function']])

    def conv_2d(self, op):
        filters, height, width, _ = self.shape(op['inputs'][1])
        self.window(op, (height, width), filters, 'Convolution')

    def depthwise_conv_2d(self, op):
        _, height, width, channels = self.shape(op['inputs'][1])
        self.window(op, (height, width), channels, 'ConvolutionDepthWise', f' 7={self.shape(op["inputs"][0])[3]}')

    def fully_connected(self, op):
        units, depth = self.shape(op['inputs'][1])
        self.simple(op, 'InnerProduct', f' 0={units} 1=1 2={units * depth}' + ACTIVATIONS[op['options']['fused_activation_function']])

    def pool(self, op, kind):
        o = op['options']
        mode = 2 if o['padding'] == 'SAME' else 1
        self.simple(op, 'Pooling', f' 0={kind} 1={o["filter_width"]} 11={o["filter_height"]} 2={o["stride_w"]} '
                    f'12={o["stride_h"]} 5={mode}')

    def max_pool_2d(self, op):
        self.pool(op, 0)

    def average_pool_2d(self, op):
        self.pool(op, 1)

    def mean(self, op):
        self.simple(op, 'Pooling', ' 0=1 4=1')

    def pairwise(self, op, kind):
        if len(self.data_inputs(op)) == 1:
            return self.simple(op, 'BinaryOp', f' 0={kind} 1=1 2=0.5')
        after = op['options'].get('fused_activation_function', 'NONE')
        if after == 'NONE':
            return self.simple(op, 'BinaryOp', f' 0={kind}')
        name = f'a{op["index"]}'
        self.layer('BinaryOp', [self.read(i) for i in self.data_inputs(op)], [name], f' 0={kind}')
        self.produce(op['outputs'][0], *{'RELU': ('ReLU', [name]), 'RELU6': ('Clip', [name], ' 0=0.0 1=6.0')}[after])

    def add(self, op):
        self.pairwise(op, 0)

    def mul(self, op):
        self.pairwise(op, 2)

    def relu(self, op):
        self.simple(op, 'ReLU')

    def prelu(self, op):
        self.simple(op, 'PReLU', f' 0={self.shape(op["outputs"][0])[-1]}')

    def hard_swish(self, op):
        self.simple(op, 'HardSwish')

    def logistic(self, op):
        self.simple(op, 'Sigmoid')

    def softmax(self, op):
        self.simple(op, 'Softmax', ' 0=0')

    def reshape(self, op):
        self.simple(op, 'Reshape', ' 0=-1')

    def concatenation(self, op):
        self.simple(op, 'Concat', ' 0=0')

    def resize_bilinear(self, op):
        _, height, width, _ = self.shape(op['outputs'][0])
        self.simple(op, 'Interp', f' 0=2 3={height} 4={width}')

    def pad(self, op):
        before, after = self.shape(op['inputs'][0]), self.shape(op['outputs'][0])
        rows, columns, channels = (after[i] - before[i] for i in (1, 2, 3))
        self.simple(op, 'Padding', f' 0={rows // 2} 1={rows - rows // 2} 2={columns // 2} 3={columns - columns // 2} '
                    f'4=0 5=0.0 7=0 8={channels}')


def main():
    tern, model, threads, runs = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    reported = subprocess.run([tern, 'inspect', model, '--json', '-'], capture_output=True, text=True, check=True).stdout
    graph = json.loads(reported)['subgraphs'][0]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'model.param'
        path.write_text(Writer(graph).write())
        net = ncnn.Net()
        if threads == 'vulkan':
            if ncnn.get_gpu_count() == 0:
                sys.exit('it finds no Vulkan device')
            net.opt.use_vulkan_compute = True
        else:
            net.opt.num_threads = int(threads)
        for half in ('use_fp16_packed', 'use_fp16_storage', 'use_fp16_arithmetic', 'use_bf16_storage'):
            setattr(net.opt, half, False)
        start = time.perf_counter()
        if net.load_param(str(path)) != 0 or net.load_model(ncnn.DataReaderFromEmpty()) != 0:
            sys.exit('it does not load')
        init = time.perf_counter() - start
    _, height, width, channels = graph['tensors'][graph['inputs'][0]]['shape']
    image = ncnn.Mat(np.random.default_rng(1).random((channels, height, width), np.float32) * 2 - 1)
    took = []
    for _ in range(runs):
        start = time.perf_counter()
        extractor = net.create_extractor()
        extractor.input(net.input_names()[0], image)
        for name in net.output_names():
            if extractor.extract(name)[0] != 0:
                sys.exit(f'it does not compute {name}')
        took.append(1e3 * (time.perf_counter() - start))
    print(json.dumps({'init_ms': 1e3 * init, 'first_ms': took[0], 'median_ms': float(np.median(took[1:]))}))


if __name__ == '__main__':
    main()
