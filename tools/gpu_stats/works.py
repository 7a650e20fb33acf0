# SPDX-License-Identifier: Apache-2.0
"""Works whose kernels are compared: with what they took before (figures.tsv) and with kernels of others.

Figures of a work on a GPU: issue slots per multiply-add in the innermost loop and over the whole work-item, loads of four numbers
per multiply-add in that loop, registers, waves and spill as ShaderStats has them. See docs/gpu_stats.md.
"""
import dataclasses

import disassembly

WORSE = 1.03  # the most that slots may grow against figures.tsv


@dataclasses.dataclass(frozen=True)
class Work:
    """The kernel `kernel` of a model that is number `index` among its distinct texts. Rounds: how often its loops run, from the
    outer one to the inner one; half_rounds: with sums of halves, of 16 channels in a round."""
    title: str
    model: str
    kernel: str
    index: int
    rounds: tuple
    half_rounds: tuple


MOBILENET = 'derived_mobilenet_v1_1.0_224_float'
WORKS = [
    Work('1x1, 512 channels', MOBILENET, 'conv_1x1', 0, (128,), (32,)),
    Work('3x3, 128 channels', 'style_transfer_f16_384', 'conv_2d', 1, (3, 3, 32), (3, 3, 8)),
    Work('depthwise 3x3, stride 1', MOBILENET, 'depthwise_conv_2d', 0, (3,), (3,)),
]

# Read from the same compilers with the kernels of LiteRT f67457790 and MNN 4d40bdbd7 (OpenCL C) and ncnn a4d2ea1d4 (GLSL) on
# November 26, 2026: slots per multiply-add in the loop, for a depthwise convolution of the whole work-item.
PEERS = {
    ('1x1, 512 channels', 'f32'): {'a740': 'LiteRT 1.66, ncnn 1.83', 'g610': 'LiteRT 1.97, ncnn 1.44', 'g76': 'ncnn 1.75',
                                   'v3d': 'ncnn 2.41', 'a740-cl': 'LiteRT 1.66, MNN 2.27', 'g610-cl': 'LiteRT 1.97, MNN 2.09'},
    ('3x3, 128 channels', 'f32'): {'a740': 'LiteRT 1.61, ncnn 1.33', 'g610': 'LiteRT 1.97, ncnn 1.70 (596 spills)',
                                   'v3d': 'ncnn 2.89 (69 spills)', 'a740-cl': 'LiteRT 1.61', 'g610-cl': 'LiteRT 1.97'},
    ('depthwise 3x3, stride 1', 'f32'): {'a740': 'LiteRT 3.9, ncnn 4.7', 'g610': 'LiteRT 9.0, ncnn 2.94', 'v3d': 'ncnn 5.8',
                                         'a740-cl': 'LiteRT 3.9', 'g610-cl': 'LiteRT 9.0'},
    ('1x1, 512 channels', 'f16-sums'): {'a740': 'LiteRT 1.95', 'g610': 'LiteRT 0.85', 'a740-cl': 'LiteRT 1.95', 'g610-cl': 'LiteRT 0.85'},
    ('3x3, 128 channels', 'f16-sums'): {'a740': 'LiteRT 1.93', 'g610': 'LiteRT 0.86 (7 spills)', 'a740-cl': 'LiteRT 1.93',
                                   'g610-cl': 'LiteRT 0.86 (7 spills)'},
}


# The launches of a 3x3 by Winograd's algorithm, F(4x4, 3x3).
WINOGRAD_MODEL, WINOGRAD_KERNELS = 'style_transfer_f16_384', ('winograd_input', 'conv_1x1', 'winograd_output')

ROWS = {'f32': 'F32', 'f16': 'F16', 'f16-sums': 'F16, sums of halves'}


@dataclasses.dataclass(frozen=True)
class Figures:
    loop: float | None  # None: the compiler does not tell where loops are
    whole: float
    loads: float | None
    registers: int | None
    waves: int | None
    spill: int

    def line(self):
        return '\t'.join('' if value is None else f'{value:.4g}' for value in dataclasses.astuple(self))

    @staticmethod
    def of_line(line):
        kinds = (float, float, float, int, int, int)
        return Figures(*(kind(text) if text else None for kind, text in zip(kinds, line.split('\t'))))


def figures(stats, rounds):
    """Nothing where no multiply-add is found."""
    program = stats.program
    whole = program.executed(rounds)
    if whole.macs == 0:
        return None
    loop = program.product_loop()
    inner = disassembly.together(program.steps[loop[0]:loop[1] + 1]) if loop else None
    return Figures(inner and inner.slots / inner.macs, whole.slots / whole.macs, inner and inner.loads / inner.macs,
                   stats.registers, stats.waves, stats.spill)


def winograd_slots(programs):
    """Slots of the three launches for one multiply-add of plain sums, of 128 to 128 channels. A work-item makes a row of the input's
    or the output's tile of one slice."""
    channels, slices, points, tile, taps = 128, 32, 6, 4, 9
    to_tiles, products, to_pixels = programs
    product = products.executed((slices,))
    slots = slices * (points * to_tiles.executed((points,)).slots + tile * to_pixels.executed((points,)).slots)
    slots += points**2 * channels**2 * product.slots / product.macs
    return slots / (tile**2 * taps * channels**2)


def read(path):
    """(GPU, work, precision) -> Figures"""
    stored = {}
    for line in path.read_text().splitlines():
        if line.startswith('#'):
            continue
        gpu, work, precision, rest = line.split('\t', 3)
        stored[gpu, work, precision] = Figures.of_line(rest)
    return stored


def text(measured):
    """The contents of figures.tsv."""
    head = '# GPU, work, precision, slots per multiply-add in the loop and whole, loads, registers, waves, spill (docs/gpu_stats.md)\n'
    return head + ''.join('\t'.join((*key, value.line())) + '\n' for key, value in measured.items())


def worse(measured, stored):
    """Lines about figures that grew."""
    lines = []
    for key, new in measured.items():
        old = stored.get(key)
        # Where loops are not known, the text around them counts as much as they do.
        for name in ('loop', 'whole', 'spill') if new.loop is not None else ('spill',):
            before, after = (getattr(f, name) if f else None for f in (old, new))
            if before is not None and after is not None and after > before * WORSE:
                lines.append(f'{" ".join(key)}: {name} {before:.4g} -> {after:.4g}')
    return lines


def table(measured, gpus):
    """Markdown: slots in the loop / whole, loads, registers, waves; and those of others."""
    lines = ['| work | ' + ' | '.join(gpu.title for gpu in gpus) + ' |', '|---' * (len(gpus) + 1) + '|']
    dash = '–'
    for work, precision in dict.fromkeys((work, precision) for _, work, precision in measured):
        cells = []
        for gpu in gpus:
            f = measured.get((gpu.name, work, precision))
            loop = dash if f is None or f.loop is None else f'{f.loop:.2f}'
            cells.append(dash if f is None else f'{loop} / {f.whole:.2f}; {dash if f.loads is None else round(f.loads, 3)}; '
                                                f'{f.registers or dash}; {f.waves or dash}')
        lines.append(f'| {work}, {ROWS[precision]} | ' + ' | '.join(cells) + ' |')
        peers = PEERS.get((work, precision), {})
        if any(gpu.name in peers for gpu in gpus):
            lines.append('| others | ' + ' | '.join(peers.get(gpu.name, dash) for gpu in gpus) + ' |')
    return '\n'.join(lines) + '\n'
