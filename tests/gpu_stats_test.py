#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what tools/gpu_stats reads from the words of drivers, and its tables; no driver is needed."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'tools/gpu_stats'))
import gpu_stats  # noqa: E402
from drivers import GPUS, ShaderStats, read_words  # noqa: E402

DEVICE = ('Mali-G610 (Panfrost)', 'OpenGL ES 3.1 Mesa 25.0.7-2',
          {'storage buffers': 8, 'items of a group': 256, 'x': 256, 'y': 256, 'z': 128})


class Words(unittest.TestCase):
    def test_adreno(self):
        text = 'CL shader: 120 inst, 7 nops, 113 non-nops, 3 half, 16 full, 4 constlen, {} stp, {} ldp, 12 waves, 1 loops'
        self.assertEqual(read_words(text.format(0, 0)), ShaderStats(120, 16, 0))
        self.assertEqual(read_words(text.format(2, 3)), ShaderStats(120, 16, 5))

    def test_mali(self):
        text = 'MESA_SHADER_COMPUTE shader: 90 inst, 20.0 cycles, 3 quadwords, 1 threads, 1 loops, {}:{} spills:fills'
        self.assertEqual(read_words(text.format(0, 0)), ShaderStats(90, None, 0))
        self.assertEqual(read_words(text.format(4, 9)), ShaderStats(90, None, 13))

    def test_videocore(self):
        text = 'MESA_SHADER_COMPUTE shader: 77 inst, 2 threads, 62 uniforms, 63 max-temps, 1:2 spills:fills, 77 inst-and-stalls'
        self.assertEqual(read_words(text), ShaderStats(77, 63, 3))

    def test_amd(self):
        text = 'Shader Stats: SGPRS: 32 VGPRS: 56 Code Size: 400 LDS: 0 Scratch: 128 Max Waves: 8 Spilled VGPRs: 4 (CS, W32)'
        self.assertEqual(read_words(text), ShaderStats(100, 56, 128))

    def test_unknown_words_are_no_zeros(self):
        for text in ('', 'a shader', 'CL shader: 120 inst, 16 full, 12 waves'):
            self.assertIsNone(read_words(text))


class Tables(unittest.TestCase):
    def setUp(self):
        self.gpu = next(gpu for gpu in GPUS if gpu.name == 'g610')
        self.names = {'a.comp': ('conv_2d', ['net f32', 'net f16']), 'b.comp': ('conv_2d', ['net f32']),
                      'c.comp': ('pooling', ['net f32'])}

    def test_the_worst_of_each_kernel(self):
        reported = {'a.comp': ShaderStats(100, None, 0), 'b.comp': ShaderStats(80, None, 6), 'c.comp': ShaderStats(5, None, 0)}
        text = gpu_stats.tables([(self.gpu, DEVICE, self.names, reported)])
        self.assertIn('| Mali-G610 | Mali-G610, Mesa 25.0.7-2 | 8, 256 (256 x 256 x 128) | 3 | 1 |', text)
        self.assertIn('| `conv_2d` | 100 / – / 6 |', text)
        self.assertIn('| `pooling` | 5 / – / 0 |', text)

    def test_what_is_bad(self):
        reported = {'a.comp': ShaderStats(100, None, 2), 'b.comp': 'syntax error'}
        self.assertEqual(gpu_stats.judge(self.gpu, self.names, reported), [
            'Mali-G610: conv_2d of net f32 (a.comp): spills (2)',
            'Mali-G610: conv_2d of net f32 (b.comp): syntax error',
            'Mali-G610: pooling of net f32 (c.comp): the time did not suffice'])
        self.assertEqual(gpu_stats.judge(self.gpu, {}, {}), [])


class Kernels(unittest.TestCase):
    def test_a_text_is_written_once(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            names = gpu_stats.print_kernels(sys.argv[1], [pathlib.Path('demo/landscape.tflite')] * 2, ['f32'], 'mali', folder)
            self.assertGreater(len(names), 1)
            self.assertEqual(sorted(names), sorted(path.name for path in folder.iterdir()))
            for name, (kernel, users) in names.items():
                text = (folder / name).read_text()
                self.assertTrue(text.startswith('#version 310 es'), name)
                self.assertEqual(text.count('#version'), 1, name)
                self.assertTrue(text.rstrip().endswith('}'), name)
                self.assertEqual(users, ['landscape f32'] * 2)
                self.assertTrue(list(pathlib.Path('src').glob(f'**/{kernel}.kernel')), kernel)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
