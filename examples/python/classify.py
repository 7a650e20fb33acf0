# SPDX-License-Identifier: Apache-2.0
"""Names what a photo shows:   python examples/python/classify.py MODEL LABELS PHOTO"""
import sys

import numpy as np

import tern.interpreter as tflite

try:
    from PIL import Image
except ImportError:
    sys.exit('classify.py reads photos with Pillow: pip install pillow')


def as_numbers(found, detail):
    """Scores of a quantized model as the numbers that they stand for."""
    scale, zero = detail['quantization']
    return found if scale == 0 else (found.astype(np.float32) - zero) * scale


def main(model, labels, photo):
    interpreter = tflite.Interpreter(model_path=model, num_threads=2)
    interpreter.allocate_tensors()
    image, scores = interpreter.get_input_details()[0], interpreter.get_output_details()[0]

    _, height, width, _ = image['shape']
    pixels = np.asarray(Image.open(photo).convert('RGB').resize((width, height)))
    if image['dtype'] == np.float32:
        pixels = pixels / np.float32(127.5) - 1  # -1 to 1; some models want 0 to 1
    elif image['dtype'] == np.int8:
        pixels = (pixels.astype(np.int16) - 128).astype(np.int8)
    interpreter.set_tensor(image['index'], pixels[np.newaxis])
    interpreter.invoke()

    found = as_numbers(interpreter.get_tensor(scores['index']), scores)
    shares = found.reshape(-1, found.shape[-1]).mean(axis=0)  # over all pixels, for a model that names each
    names = open(labels).read().splitlines()
    for place in np.argsort(-shares)[:3]:
        name = names[place] if place < len(names) else f'class {place}'
        print(f'{name}: {shares[place]:.3g}')


if __name__ == '__main__':
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
