#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the verdicts of tools/check_layout.py on edges between the folders of src/ops, on sentences and on terms."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'tools'))
import check_layout  # noqa: E402

KERNELS = {'blur': 'ops/blur/blur.kernel', 'copy': 'ops/gpu_kit/copy.kernel'}
EDGES = {('glow', 'blur/blur_gpu.h'): 'it blurs first'}


def breaches(path, *uses, edges=None):
    """Of one source that includes headers (with a slash) or names kernels."""
    text = ''.join(f'#include "{use}"\n' if '/' in use else f'  Dispatch(KernelId::{use});\n' for use in uses)
    return list(check_layout.check_op_edges({path: text}, edges or {}, KERNELS))


class OpEdges(unittest.TestCase):
    def fine(self, path, *uses):
        self.assertEqual(breaches(path, *uses), [])

    def refused(self, path, *uses):
        self.assertEqual(len(breaches(path, *uses)), len(uses), breaches(path, *uses))

    def test_an_op_uses_its_folder_and_the_kits_of_its_layer(self):
        self.fine('ops/blur/blur.cc', 'ops/blur/blur.h', 'ops/cpu_kit/op_kit.h', 'ops/rules_kit/view.h',
                  'ops/cpu_registry.h', 'base/status.h')
        self.fine('ops/blur/blur_gpu.cc', 'ops/blur/blur_gpu.h', 'ops/gpu_kit/gpu_op.h', 'ops/rules_kit/view.h', 'blur',
                  'copy', 'kCount')

    def test_the_kit_of_the_other_layer_is_refused(self):
        self.refused('ops/blur/blur.cc', 'ops/gpu_kit/gpu_op.h', 'ops/gpu_registry.h')
        self.refused('ops/blur/blur_gpu.cc', 'ops/cpu_kit/op_kit.h', 'ops/cpu_registry.h', 'ops/gpu_registry.h')

    def test_kits_do_not_use_ops_or_each_other(self):
        self.fine('ops/cpu_kit/rows.h', 'ops/rules_kit/view.h', 'ops/cpu_kit/op_kit.h')
        self.refused('ops/cpu_kit/rows.h', 'ops/gpu_kit/gpu_op.h', 'ops/blur/blur.h', 'ops/cpu_registry.h')
        self.refused('ops/gpu_kit/copy_gpu.cc', 'ops/cpu_kit/op_kit.h', 'ops/blur/blur_gpu.h', 'blur')
        self.refused('ops/rules_kit/view.h', 'ops/cpu_kit/op_kit.h', 'ops/gpu_kit/gpu_op.h')

    def test_another_op_is_used_only_by_the_list(self):
        self.refused('ops/glow/glow_gpu.cc', 'ops/blur/blur_gpu.h', 'blur')
        path = 'ops/glow/glow_gpu.cc'
        self.assertEqual(breaches(path, 'ops/blur/blur_gpu.h', edges=EDGES), [])
        self.assertEqual(len(breaches(path, 'ops/blur/blur_gpu.h', 'blur', edges=EDGES)), 1)
        self.assertEqual(len(breaches('ops/blur/blur.cc', 'ops/glow/glow.h', 'ops/blur/blur_gpu.h', edges=EDGES)), 2)

    def test_a_line_of_the_list_that_nothing_uses_is_refused(self):
        self.assertIn('nothing does', breaches('ops/glow/glow_gpu.cc', 'ops/gpu_kit/gpu_op.h', edges=EDGES)[0])

    def test_other_layers_use_the_registries(self):
        self.fine('delegate/delegate_core.cc', 'ops/gpu_registry.h')
        self.refused('delegate/delegate_core.cc', 'ops/gpu_kit/gpu_op.h', 'ops/blur/blur_gpu.h')

    def test_only_registries_lie_flat(self):
        self.fine('ops/gpu_registry.cc', 'ops/gpu_registry.h', 'ops/gpu_kit/gpu_op.h')
        self.assertEqual(len(breaches('ops/helper.h')), 1)


class OpTable(unittest.TestCase):
    FOLDER = {'ops/blur/blur.cc': 'TfLiteRegistration BlurRegistration(OpForm form) {}\n', 'ops/blur/blur_gpu.cc': 'GpuOp BlurGpu() {}\n'}

    def breaches(self, row, **sources):
        sources = {path.replace('__', '/') + '.cc': text for path, text in sources.items()}
        return list(check_layout.check_op_table({'abi/op_table.inc': row + '\n', **self.FOLDER, **sources}))

    def test_a_row_names_the_folder_of_both_forms(self):
        self.assertEqual(self.breaches('OP(BLUR, Blur, 1, 2, blur, NoOptions)'), [])
        self.assertEqual(self.breaches('CUSTOM_OP("Blur", Blur, 1, 1, blur)'), [])
        self.assertEqual(len(self.breaches('OP(BLUR, Blur, 1, 2, glow, NoOptions)')), 3)
        self.assertEqual(len(self.breaches('OP(BLUR, Haze, 1, 2, blur, NoOptions)')), 2)

    def test_a_row_for_the_cpu_has_no_form_for_the_gpu(self):
        self.assertIn('CPU_OP', self.breaches('CPU_OP(BLUR, Blur, 1, 2, blur, NoOptions)')[0])

    def test_a_family_defines_forms_by_a_table_of_its_own(self):
        rows = 'OP(BLUR, Blur, 1, 2, blur, NoOptions)\nOP(HAZE, Haze, 1, 1, glow, NoOptions)'
        self.assertEqual(self.breaches(rows, ops__glow__table='GLOW(HAZE, Haze, 0.5)\n'), [])
        self.assertEqual(len(self.breaches(rows, ops__glow__table='GLOW(MIST, Mist, 0.5)\n')), 2)

    def test_each_folder_is_named(self):
        self.assertIn('src/ops/glow', self.breaches('OP(BLUR, Blur, 1, 2, blur, NoOptions)', ops__glow__glow='')[0])


class Tree(unittest.TestCase):
    def test_every_edge_has_a_reason(self):
        for edge, reason in check_layout.OP_EDGES.items():
            self.assertTrue(reason, edge)


class Sentences(unittest.TestCase):
    def count(self, *lines):
        return len(list(check_layout.check_sentences('a.cc', lines)))

    def test_a_sentence_that_opens_with_what_is_refused(self):
        self.assertEqual(self.count('// What nobody reads goes.'), 1)
        self.assertEqual(self.count('// Reads all. What is left goes.'), 1)
        self.assertEqual(self.count('// Reads all.', '// What is left goes.'), 1)

    def test_a_comment_that_points_at_another_is_refused(self):
        self.assertEqual(self.count('// And the other way.'), 1)
        self.assertEqual(self.count('// Reads all.', 'int a;', '  // Its size.'), 1)
        self.assertEqual(self.count('// Reads all.', '// And writes all.', 'int b;'), 0)

    def test_other_sentences_are_fine(self):
        self.assertEqual(self.count('// Removes what nobody reads.', '// It tells', '// What it is called'), 0)
        self.assertEqual(self.count('// What if it ends?', 'const char* text = "What";'), 0)


class Terms(unittest.TestCase):
    def found(self, text):
        return list(check_layout.check_terms('a.cc', check_layout.without_strings(text)))

    def test_old_words_are_refused_with_the_term_of_the_field(self):
        self.assertEqual(self.found('int a;\n// Plain forms.\n'),
                         ['a.cc:2: the field says "reference kernel", not "plain form" (docs/glossary.md)'])
        self.assertIn('"again"', self.found('// Made anew.')[0])
        self.assertIn('"viewed as"', self.found('// A row, seen as a box.')[0])

    def test_old_names_are_refused(self):
        for name in ('kMostRows', 'kLeast16', 'most_rows', 'IsHybrid', 'ElementwiseChain', 'MakeShortTable', 'Because'):
            self.assertEqual(len(self.found(f'return {name};')), 1, name)

    def test_other_words_and_names_are_fine(self):
        for text in ('// At most 4, at least 1.', 'kMaxRows', 'least_gain_us', 'IsHybridOp', '// A fast device.', 'kMostly'):
            self.assertEqual(self.found(text), [], text)

    def test_strings_are_free(self):
        self.assertEqual(self.found('return "a whole number";'), [])
        self.assertEqual(self.found('R"(// likewise\n)"; int b;'), [])
        self.assertEqual(len(self.found('R"(a\nb)";  // likewise')), 1)

    def test_lines_are_counted_over_strings(self):
        self.assertIn('a.cc:3:', self.found('R"(a\nb)"\n// told')[0])


if __name__ == '__main__':
    unittest.main()
