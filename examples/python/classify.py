# SPDX-License-Identifier: Apache-2.0
"""Names what a photo shows:   python examples/python/classify.py MODEL LABELS PHOTO"""
import sys

import numpy as np
from PIL import Image

import tern.interpreter as tflite

model, labels, photo = sys.argv[1:4]
interpreter = tflite.Interpreter(model_path=model, num_threads=2)
interpreter.allocate_tensors()
image, scores = interpreter.get_input_details()[0], interpreter.get_output_details()[0]

_, height, width, _ = image['shape']
pixels = np.asarray(Image.open(photo).convert('RGB').resize((width, height)))
if image['dtype'] == np.float32:
    pixels = pixels / np.float32(255)  # 0 to 1; some models want -1 to 1
interpreter.set_tensor(image['index'], pixels[np.newaxis])
interpreter.invoke()

found = interpreter.get_tensor(scores['index'])
shares = found.reshape(-1, found.shape[-1]).mean(axis=0)  # over all pixels, for a model that names each
names = open(labels).read().splitlines()
for place in np.argsort(-shares)[:3]:
    print(f'{names[place]}: {shares[place]:.3g}')
