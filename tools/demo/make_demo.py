#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes demo/: a drawn landscape, and a small network with hand-made weights that names every pixel of it.

  make_demo.py [FOLDER]      writes landscape.png, landscape.tflite and labels.txt (default: demo/ of the project)

The network is a fully convolutional segmenter. Its head compares colours with prototypes: the score of prototype p for
a colour c is c.p - |p|^2/2, highest for the nearest one, and linear in c, so a 1x1 convolution can compute it.
Two branches, one fine and one coarse, are added before the softmax, so that a stray pixel follows its surroundings.
Needs only the Python standard library, and flatc to turn the model's JSON into a .tflite file.
"""
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = 320, 240
LABELS = ['other', 'sky', 'water', 'meadow', 'tree', 'roof', 'sun']
OTHER, SKY, WATER, MEADOW, TREE, ROOF, SUN = range(len(LABELS))

# Colours that stand for a class, as RGB in 0..255.
PROTOTYPES = [
    (OTHER, (238, 230, 210)), (OTHER, (150, 146, 162)), (OTHER, (204, 184, 144)), (OTHER, (90, 60, 40)),
    (SKY, (120, 180, 236)), (SKY, (176, 212, 242)), (SKY, (212, 228, 240)),
    (WATER, (30, 98, 138)), (WATER, (52, 128, 164)),
    (MEADOW, (132, 186, 70)), (MEADOW, (164, 206, 96)),
    (TREE, (24, 88, 36)), (TREE, (44, 114, 50)),
    (ROOF, (196, 58, 42)), (SUN, (255, 232, 96)), (SUN, (255, 214, 60)),
]


# ---- the picture, and which class each pixel is

def draw():
    """(rgb, classes): rows of (r, g, b) and rows of class numbers."""
    rng = random.Random(20)
    rgb = [[(0, 0, 0)] * WIDTH for _ in range(HEIGHT)]
    classes = [[OTHER] * WIDTH for _ in range(HEIGHT)]

    def put(x, y, color, kind):
        if 0 <= x < WIDTH and 0 <= y < HEIGHT:
            rgb[y][x], classes[y][x] = color, kind

    def disc(cx, cy, radius, color, kind):
        for y in range(cy - radius, cy + radius + 1):
            for x in range(cx - radius, cx + radius + 1):
                if (x - cx) ** 2 + (y - cy) ** 2 <= radius ** 2:
                    put(x, y, color, kind)

    def box(x0, y0, x1, y1, color, kind):
        for y in range(y0, y1):
            for x in range(x0, x1):
                put(x, y, color, kind)

    def strokes(count, kind, colors, length):
        """Short brush strokes of other shades, only where the class already is."""
        for _ in range(count):
            x, y, color = rng.randrange(WIDTH), rng.randrange(HEIGHT), rng.choice(colors)
            for i in range(rng.randrange(2, length)):
                if x + i < WIDTH and classes[y][x + i] == kind:
                    put(x + i, y, color, kind)

    for y in range(HEIGHT):  # sky, paler towards the horizon
        t = min(1.0, y / 130)
        color = tuple(round(a + (b - a) * t) for a, b in zip((112, 174, 236), (214, 228, 240)))
        box(0, y, WIDTH, y + 1, color, SKY)
    disc(250, 48, 24, (255, 226, 84), SUN)
    for x in range(WIDTH):  # hills
        top = min(round(128 - 46 * max(0, 1 - abs(x - 90) / 110)), round(128 - 34 * max(0, 1 - abs(x - 215) / 95)))
        box(x, top, x + 1, 134, (150, 146, 162), OTHER)
    box(0, 132, WIDTH, 184, (38, 108, 146), WATER)
    strokes(420, WATER, [(52, 128, 164), (30, 98, 138), (74, 146, 176)], 26)
    for x in range(WIDTH):  # the near bank
        top = 168 + round(7 * ((x / WIDTH - 0.4) ** 2) * 4)
        box(x, top, x + 1, HEIGHT, (140, 192, 76), MEADOW)
    strokes(1500, MEADOW, [(128, 182, 68), (164, 206, 96), (150, 198, 84)], 9)
    for y in range(196, HEIGHT):  # a path that widens towards us
        half = 4 + (y - 196) // 3
        box(206 - half + (HEIGHT - y) // 4, y, 206 + half + (HEIGHT - y) // 4, y + 1, (204, 184, 144), OTHER)
    box(186, 142, 256, 198, (238, 230, 210), OTHER)  # the house
    for i in range(34):
        box(178 + i, 142 - i, 264 - i, 143 - i, (196, 58, 42), ROOF)
    box(212, 170, 230, 198, (90, 60, 40), OTHER)
    for x, y, size in ((60, 150, 30), (34, 172, 22), (96, 176, 24)):  # trees
        box(x - 3, y, x + 4, y + size + 18, (90, 60, 40), OTHER)
        for _ in range(26):
            dx, dy = rng.randrange(-size, size + 1) // 2, rng.randrange(-size, size + 1) // 2
            disc(x + dx, y + dy, size // 2, rng.choice([(24, 88, 36), (36, 102, 44), (44, 114, 50)]), TREE)
    return rgb, classes


def png(rgb):
    """An 8-bit RGB PNG file."""
    def chunk(name, data):
        body = name + data
        return struct.pack('>I', len(data)) + body + struct.pack('>I', zlib.crc32(body))
    rows = b''.join(b'\0' + bytes(v for pixel in row for v in pixel) for row in rgb)
    header = struct.pack('>IIBBBBB', WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(rows, 9)) + chunk(b'IEND', b''))


# ---- the network

# Operator numbers of the file format, for its older one-byte field.
OPS = {'ADD': 0, 'AVERAGE_POOL_2D': 1, 'CONV_2D': 3, 'DEPTHWISE_CONV_2D': 4, 'RESIZE_BILINEAR': 23, 'SOFTMAX': 25}


class Net:
    """Collects tensors, buffers and operators in the form of the schema's JSON."""

    def __init__(self):
        self.buffers, self.tensors, self.operators, self.codes = [{}], [], [], []

    def tensor(self, name, shape, data=None, kind='FLOAT32'):
        buffer = 0
        if data is not None:
            raw = struct.pack(f'<{len(data)}{"f" if kind == "FLOAT32" else "i"}', *data)
            buffer = len(self.buffers)
            self.buffers.append({'data': list(raw)})
        self.tensors.append({'shape': shape, 'type': kind, 'buffer': buffer, 'name': name})
        return len(self.tensors) - 1

    def op(self, name, inputs, output, version=1, **options):
        code = {'deprecated_builtin_code': OPS[name], 'builtin_code': name, 'version': version}
        if code not in self.codes:
            self.codes.append(code)
        op = {'opcode_index': self.codes.index(code), 'inputs': inputs, 'outputs': [output]}
        if options:
            table, fields = next(iter(options.items()))
            op.update(builtin_options_type=table, builtin_options=fields)
        self.operators.append(op)
        return output

    def model(self, inputs, outputs):
        graph = {'tensors': self.tensors, 'inputs': inputs, 'outputs': outputs, 'operators': self.operators,
                 'name': 'main'}
        return {'version': 3, 'operator_codes': self.codes, 'subgraphs': [graph],
                'description': 'Names the pixels of a drawn landscape', 'buffers': self.buffers}


def head_weights(sharpness):
    """Weights and biases that turn (r, g, b) in [0, 1] into prototype scores."""
    colors = [[v / 255 for v in color] for _, color in PROTOTYPES]
    weights = [v * sharpness for color in colors for v in color]
    biases = [-sharpness * sum(v * v for v in color) / 2 for color in colors]
    return weights, biases


def build_net():
    net = Net()
    count, classes = len(PROTOTYPES), len(LABELS)
    h, w = HEIGHT // 2, WIDTH // 2
    window = {'stride_w': 1, 'stride_h': 1, 'padding': 'SAME'}
    image = net.tensor('image', [1, HEIGHT, WIDTH, 3])
    # From [-1, 1] to [0, 1], halved in size: a 2x2 mean per colour.
    kernel = [0.125 if i == o else 0.0 for o in range(3) for _ in range(4) for i in range(3)]
    small = net.op('CONV_2D', [image, net.tensor('shrink/weights', [3, 2, 2, 3], kernel),
                               net.tensor('shrink/bias', [3], [0.5] * 3)],
                   net.tensor('shrink', [1, h, w, 3]),
                   Conv2DOptions={'stride_w': 2, 'stride_h': 2, 'padding': 'SAME', 'fused_activation_function': 'RELU'})
    # Gaussian smoothing, one filter per colour.
    gauss = [a * b / 16 for a in (1, 2, 1) for b in (1, 2, 1) for _ in range(3)]
    smooth = net.op('DEPTHWISE_CONV_2D', [small, net.tensor('smooth/weights', [1, 3, 3, 3], gauss),
                                          net.tensor('smooth/bias', [3], [0.0] * 3)],
                    net.tensor('smooth', [1, h, w, 3]),
                    DepthwiseConv2DOptions={**window, 'depth_multiplier': 1, 'fused_activation_function': 'RELU6'})
    weights, biases = head_weights(60.0)
    fine = net.op('CONV_2D', [smooth, net.tensor('fine/weights', [count, 1, 1, 3], weights),
                              net.tensor('fine/bias', [count], biases)],
                  net.tensor('fine', [1, h, w, count]), Conv2DOptions=window)
    pooled = net.op('AVERAGE_POOL_2D', [smooth], net.tensor('pooled', [1, h // 4, w // 4, 3]),
                    Pool2DOptions={'stride_w': 4, 'stride_h': 4, 'filter_width': 4, 'filter_height': 4,
                                   'padding': 'VALID'})
    weights, biases = head_weights(12.0)
    coarse = net.op('CONV_2D', [pooled, net.tensor('coarse/weights', [count, 1, 1, 3], weights),
                                net.tensor('coarse/bias', [count], biases)],
                    net.tensor('coarse', [1, h // 4, w // 4, count]), Conv2DOptions=window)
    wide = net.op('RESIZE_BILINEAR', [coarse, net.tensor('coarse/size', [2], [h, w], 'INT32')],
                  net.tensor('coarse_wide', [1, h, w, count]), version=3,
                  ResizeBilinearOptions={'align_corners': False, 'half_pixel_centers': True})
    both = net.op('ADD', [fine, wide], net.tensor('both', [1, h, w, count]), AddOptions={})
    shares = net.op('SOFTMAX', [both], net.tensor('shares', [1, h, w, count]), SoftmaxOptions={'beta': 1.0})
    # A class is the sum of its prototypes.
    table = [1.0 if kind == c else 0.0 for c in range(classes) for kind, _ in PROTOTYPES]
    scores = net.op('CONV_2D', [shares, net.tensor('classes/weights', [classes, 1, 1, count], table),
                                net.tensor('classes/bias', [classes], [0.0] * classes)],
                    net.tensor('classes', [1, h, w, classes]), Conv2DOptions=window)
    full = net.op('RESIZE_BILINEAR', [scores, net.tensor('size', [2], [HEIGHT, WIDTH], 'INT32')],
                  net.tensor('pixel_classes', [1, HEIGHT, WIDTH, classes]), version=3,
                  ResizeBilinearOptions={'align_corners': False, 'half_pixel_centers': True})
    return net.model([image], [full])


def write_model(model, file, flatc='flatc'):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / 'model.json'
        source.write_text(json.dumps(model))
        subprocess.run([flatc, '-b', '-o', folder, str(ROOT / 'schema/schema.fbs'), str(source)], check=True)
        made = [p for p in pathlib.Path(folder).iterdir() if p != source]
        file.write_bytes(made[0].read_bytes())


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / 'demo'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'landscape.png').write_bytes(png(draw()[0]))
    (folder / 'labels.txt').write_text(''.join(f'{name}\n' for name in LABELS))
    write_model(build_net(), folder / 'landscape.tflite')


if __name__ == '__main__':
    main()
