# SPDX-License-Identifier: Apache-2.0
"""Errors of convolutions of 3 by 3 by Winograd's F(4x4, 3x3), in floats, beside those of plain sums and beside the tolerance
4 sqrt(n) 2^-24 sum |terms| of n products. Needs numpy."""
import argparse

import numpy

TILES = 400
PRODUCTS_OF_A_WINDOW = 9


def matrices(p, q):
    """B^T, G and A^T for the points 0, p, -p, q, -q and infinity."""
    points = [0, p, -p, q, -q]
    a, b, both = p * p, q * q, p * p + q * q
    inputs = [[a * b, 0, -both, 0, 1, 0], [0, -p * b, -b, p, 1, 0], [0, p * b, -b, -p, 1, 0], [0, -a * q, -a, q, 1, 0],
              [0, a * q, -a, -q, 1, 0], [0, a * b, 0, -both, 0, 1]]
    filters = []
    for x in points:
        norm = numpy.prod([x - y for y in points if y != x])
        filters.append([1 / norm, x / norm, x * x / norm])
    filters.append([0, 0, 1])
    outputs = [[x**k for x in points] + [float(k == 3)] for k in range(4)]
    return numpy.array(inputs), numpy.array(filters), numpy.array(outputs)


def errors(p, q, channels, relu, random):
    """Root mean square beside that of plain sums, and the largest error as a part of the tolerance."""
    inputs, filters, outputs = matrices(p, q)
    x = random.normal(size=(TILES, channels, 6, 6))
    if relu:
        x = numpy.maximum(x, 0)
    x, w = x.astype(numpy.float32), random.normal(size=(channels, 3, 3)).astype(numpy.float32)
    left, right = inputs.astype(numpy.float32), outputs.astype(numpy.float32)
    d = left @ x @ left.T
    g = (filters @ w.astype(float) @ filters.T).astype(numpy.float32)
    products, plain = numpy.zeros((TILES, 6, 6), numpy.float32), numpy.zeros((TILES, 4, 4), numpy.float32)
    exact, terms = numpy.zeros((TILES, 4, 4)), numpy.zeros((TILES, 4, 4))
    for c in range(channels):
        products += d[:, c] * g[c]
        for i in range(3):
            for j in range(3):
                window = x[:, c, i:i + 4, j:j + 4]
                plain += window * w[c, i, j]
                exact += window.astype(float) * float(w[c, i, j])
                terms += abs(window.astype(float) * float(w[c, i, j]))
    error, of_plain = abs(right @ products @ right.T - exact), abs(plain - exact)
    tolerance = 4 * numpy.sqrt(PRODUCTS_OF_A_WINDOW * channels) * 2.0**-24 * terms
    mean = [numpy.sqrt((e**2).mean()) for e in (error, of_plain)]
    return mean[0] / mean[1], (error / tolerance).max()


def main():
    argparse.ArgumentParser(description=__doc__.split('\n')[0]).parse_args()
    root = numpy.sqrt(2)
    print('| products | points | error, of plain sums | largest, of the tolerance |\n|---|---|---|---|')
    for channels, relu in ((64, False), (16, True)):
        for name, p, q in (('1/sqrt(2), sqrt(2)', root / 2, root), ('1, 2', 1, 2)):
            ratio, largest = errors(p, q, channels, relu, numpy.random.default_rng(1))
            print(f'| 9 x {channels}{", after RELU" if relu else ""} | {name} | {ratio:.1f} | {largest:.2f} |')


if __name__ == '__main__':
    main()
