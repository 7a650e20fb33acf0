#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what tools/gpu_stats reads from the words of drivers, and its tables; no driver is needed."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'tools/gpu_stats'))
import disassembly  # noqa: E402
import gpu_stats  # noqa: E402
import works  # noqa: E402
from drivers import GPUS, ShaderStats, read_listed_words, read_words  # noqa: E402

DEVICE = ('Mali-G610 (Panfrost)', 'OpenGL ES 3.1 Mesa 25.0.7-2',
          {'storage buffers': 8, 'items of a group': 256, 'x': 256, 'y': 256, 'z': 128})


class Words(unittest.TestCase):
    def test_adreno(self):
        text = 'CL shader: 120 inst, 7 nops, 113 non-nops, 3 half, 16 full, 4 constlen, {} stp, {} ldp, 12 waves, 1 loops'
        self.assertEqual(read_words(text.format(0, 0)), ShaderStats(120, 16, 0, 12))
        self.assertEqual(read_words(text.format(2, 3)), ShaderStats(120, 16, 5, 12))

    def test_mali(self):
        text = 'MESA_SHADER_COMPUTE shader: 90 inst, 20.0 cycles, 3 quadwords, 1 threads, 1 loops, {}:{} spills:fills'
        self.assertEqual(read_words(text.format(0, 0)), ShaderStats(90, None, 0, 1))
        self.assertEqual(read_words(text.format(4, 9)), ShaderStats(90, None, 13, 1))

    def test_videocore(self):
        text = 'MESA_SHADER_COMPUTE shader: 77 inst, 2 threads, 62 uniforms, 63 max-temps, 1:2 spills:fills, 77 inst-and-stalls'
        self.assertEqual(read_words(text), ShaderStats(77, 63, 3, 2))

    def test_amd(self):
        text = 'Shader Stats: SGPRS: 32 VGPRS: 56 Code Size: 400 LDS: 0 Scratch: 128 Max Waves: 8 Spilled VGPRs: 4 (CS, W32)'
        self.assertEqual(read_words(text), ShaderStats(100, 56, 128, 8))

    def test_listings_of_two_forms(self):
        trailer = '; CL prog {}/1: {} instr, 44 nops, 421 non-nops\n; CL prog 2/1: 0 last-baryf, 0 half, {} full, 20 constlen\n'
        text = 'Native code for a shader\nstp.f32 x\n' + trailer.format(1, 480, 20) + 'Native code for a shader\nldp.u32 x\n' + trailer.format(2, 465, 16)
        self.assertEqual(read_listed_words(text), ShaderStats(465, 16, 1, 12))
        line = 'SHADER-DB: MESA_SHADER_KERNEL shader: {} inst, 16.0 cycles, 1 threads, 1 loops, 0:0 spills:fills\n'
        self.assertEqual(read_listed_words(line.format(460) + line.format(445)), ShaderStats(445, None, 0, 1))

    def test_unknown_words_are_no_zeros(self):
        for text in ('', 'a shader', 'CL shader: 120 inst, 16 full, 12 waves'):
            self.assertIsNone(read_words(text))
            self.assertIsNone(read_listed_words(text))


class Listings(unittest.TestCase):
    """A loop of a product in the words of each compiler; the numbers stand beside the instructions."""

    def figures(self, program):
        first, last = program.product_loop()
        inner = disassembly.together(program.steps[first:last + 1])
        return inner.slots, inner.macs, inner.loads

    def test_adreno(self):
        program = disassembly.read_adreno('\n'.join(f'MESA: info: {line}' for line in [
            'mad.f32 r9.x, r1.x, r1.x, r1.x', 'Native code for a shader:', '; a comment', 'l4:', 'br p0.y, #l9',
            'isam.v.base0 (u32)(xyzw)r9.z, r8.z, s#0, t#2', '(sy)(rpt1)mad.f32 r4.w, r11.y, (r)r6.z, (r)r4.w',
            '(nop3) shl.b r9.y, r9.y, 2', '(rpt2)nop', 'jump #l4', 'l9:', 'end', '------', 'mov r1.x']))
        self.assertEqual(len(program.steps), 7)
        self.assertEqual(self.figures(program), (1 + 1 + 2 + 4 + 3 + 1, 2, 1))
        self.assertEqual(program.executed([10]), disassembly.Step(10 * 12 + 1, 20, 10))

    def test_adreno_first_product_of_halves(self):
        program = disassembly.read_adreno('\n'.join(f'MESA: info: {line}' for line in [
            'Native code for a shader:', 'l4:', '(rpt1)mul.f hr9.y, hr1.y, (r)hr2.y', '(nop1) mul.f (even)hr9.y, hr1.y, hr2.y', 'mad.f16 hr9.y, hr12.y, hr10.y, hr9.y',
            'mul.f r9.y, r1.y, r2.y', 'jump #l4']))
        self.assertEqual(self.figures(program), (7, 4, 0))

    def test_adreno_reads_by_address(self):
        program = disassembly.read_adreno('\n'.join(f'MESA: info: {line}' for line in [
            'Native code for a shader:', 'l4:', 'ldg.u32 r12.y, g[r11.x], 4', '(sy)ldg.u16 hr2.y, g[r15.y], 1', 'mad.f32 r9.y, r12.y, r10.y, r9.y',
            'jump #l4']))
        self.assertEqual(self.figures(program), (4, 1, 1.125))

    def test_mali_g610(self):
        program = disassembly.read_valhall('block0 {\n   FMA.f32 r1\n} -> block1\n\n   IADD.s32 r1\n'
                                           '   LD_BUFFER.i128.unsigned.slot0 @r28:r29:r30:r31, ^r22, r27\n   FMA.f32 r5, r36, r28, ^r5\n'
                                           '   FMA.v2f16 r5, r36, r28, ^r5\n   BRANCHZ.eq.reconverge 0x0, offset:-4\n')
        self.assertEqual(len(program.steps), 5)
        self.assertEqual(self.figures(program), (4, 3, 1))

    def test_mali_halves_that_are_one_twice(self):
        for line, macs in (('FMA.v2f16 r4, r23.h00, r35.h11, ^r4.h00', 1), ('FMA.v2f16 r4, r23.h11, ^r35, ^r4', 2),
                           ('FMA.v2f16 r27, r36.h00, r35, 0x0.neg', 2), ('FMA.v2f16 r27, r36.h00, r35.h11, 0x0.neg', 1)):
            self.assertEqual(disassembly.mali_macs(line), macs)

    def test_mali_g76(self):
        program = disassembly.read_bifrost('\nclause_0:\nds(0)\n{\n    *NOP t0\n    +IADD.s32 t1\n}\n\nclause_2:\n{\n'
                                           '    *FMA.f32 r1:t0\n    +LOAD.i64 t1, r25\n    *FMA.f32 r1:t0\n    +JUMP t1, clause_2\n}\n')
        self.assertEqual(self.figures(program), (2, 2, 0.5))

    def test_videocore(self):
        lines = ['nop                           ; nop', 'nop                           ; fmul rf1, rf2, r0         ; ldtmu.r1',
                 'fadd rf1, rf1, r0             ; vfmul rf1, rf2, r0', 'bu.anyap  -40, r:unif (0xffffffa8 / -nan)',
                 *['nop                           ; nop'] * 4]
        program = disassembly.read_videocore('0x00 fmul\nprog 0/1 QPU:\n' + '\n'.join(f'0x{1:016x} {line}' for line in lines))
        self.assertEqual(program.loops, [(2, 6)])
        self.assertEqual(disassembly.together(program.steps), disassembly.Step(8, 3, 0.25))

    def test_amd_tells_no_loops(self):
        program = disassembly.read_amd('Shader main disassembly:\nmain:\n\ts_nop 2      ; BF80\n\tbuffer_load_dwordx4 v[0:3]  ; E0\n'
                                       '\tv_fmac_f32_e32 v1, v2, v3   ; 56\n\tv_pk_fma_f16 v1, v2, v3     ; CC\n')
        self.assertIsNone(program.product_loop())
        self.assertEqual(program.executed([100]), disassembly.Step(6, 3, 1))


class Works(unittest.TestCase):
    def setUp(self):
        loop = [disassembly.Step(3, 2, 1)]
        self.program = disassembly.Program([disassembly.Step(10)] + loop, [(1, 1)])
        self.key = ('a740', '1x1, 512 channels', 'f32')

    def test_figures(self):
        found = works.figures(ShaderStats(2, 13, 0, 14, self.program), (10,))
        self.assertEqual(found, works.Figures(1.5, 2.0, 0.5, 13, 14, 0))
        self.assertEqual(works.Figures.of_line(found.line()), found)
        self.assertIsNone(works.figures(ShaderStats(1, 1, 0, 1, disassembly.Program([disassembly.Step()], [])), (1,)))

    def test_more_slots_are_told(self):
        old = {self.key: works.Figures(1.5, 2.0, 0.5, 13, 14, 0)}
        self.assertEqual(works.worse({self.key: works.Figures(1.54, 2.05, 0.5, 99, 1, 0)}, old), [])
        self.assertEqual(works.worse({self.key: works.Figures(1.6, 1.0, 0.5, 13, 14, 2)}, old),
                         ['a740 1x1, 512 channels f32: loop 1.5 -> 1.6', 'a740 1x1, 512 channels f32: spill 0 -> 2'])
        self.assertEqual(works.worse(old, {}), [])

    def test_stored_figures_are_read(self):
        stored = works.read(pathlib.Path('tools/gpu_stats/figures.tsv'))
        self.assertEqual({work for _, work, _ in stored}, {work.title for work in works.WORKS})
        self.assertEqual(works.text(stored), pathlib.Path('tools/gpu_stats/figures.tsv').read_text())

    def test_a_table_has_those_of_others(self):
        gpu = next(gpu for gpu in GPUS if gpu.name == 'a740')
        text = works.table({self.key: works.Figures(None, 2.0, None, None, 14, 0)}, [gpu])
        self.assertIn('| 1x1, 512 channels, F32 | – / 2.00; –; –; 14 |', text)
        self.assertIn('| others | LiteRT 1.66, ncnn 1.83 |', text)
        self.assertNotIn('others', works.table({self.key: works.Figures(None, 2.0, None, None, 14, 0)}, []))


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
        for language, beginning in (('glsl', '#version 310 es'), ('opencl', 'typedef float real;')):
            with self.subTest(language), tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                models = [pathlib.Path('demo/landscape.tflite')] * 2
                names, order = gpu_stats.print_kernels(sys.argv[1], models, ['f32'], 'mali', folder, language)
                self.assertEqual(sorted(sum(order.values(), [])), sorted(names))
                self.assertGreater(len(names), 1)
                self.assertEqual(sorted(names), sorted(path.name for path in folder.iterdir()))
                for name, (kernel, users) in names.items():
                    text = (folder / name).read_text()
                    self.assertTrue(text.startswith(beginning), name)
                    self.assertEqual(text.count(beginning), 1, name)
                    self.assertTrue(text.rstrip().endswith('}'), name)
                    self.assertEqual(users, ['landscape f32'] * 2)
                    self.assertTrue(list(pathlib.Path('src').glob(f'**/{kernel}.kernel')), kernel)

    def test_files_of_works(self):
        work = works.WORKS[1]
        order = {(work.model, 'f16', work.kernel): ['a.comp', 'b.comp'], ('net', 'f16', work.kernel): ['c.comp']}
        self.assertEqual(gpu_stats.files_of_works(['f32', 'f16'], order), {(work, 'f16'): 'b.comp'})


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
