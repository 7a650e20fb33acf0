#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Metal text of kernels keeps its address spaces: clang checks it with real ones, where a pointer or a cast that loses
`device`, `constant` or `threadgroup` is an error, as it is for Apple's compiler.   text_test.py TERN CLANGXX

Texts: of the demo's model and of all models in $TERN_SHARED/models, in floats and in halves, for slices of 4 lanes and one
device; for all invented devices with TERN_ALL_SUITES, and of the models of op cases. Each distinct text is checked once. The
host's C++ compiler, which runs the same text, has no address spaces."""
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHIM = pathlib.Path(__file__).resolve().parent / 'address_spaces'
SHARED = pathlib.Path(os.environ.get('TERN_SHARED', '../shared'))
# The first has about the limits of Apple's phones.
DEVICES = ('adreno', 'gles-min', 'mali', 'videocore', 'amd', 'nvidia', 'cpu16')
TOGETHER = 40  # kernels in one run of clang, which takes 40 ms to start
# C++ for OpenCL without the generic address space: a plain pointer is private, and no space converts to another.
CHECK = ['-x', 'cl', '-cl-std=clc++2021', '-target', 'spir64', '-cl-no-stdinc', '-Xclang',
         '-cl-ext=-all,+cl_khr_fp16,+__cl_clang_non_portable_kernel_param_types', '-fsyntax-only', '-Wall', '-Werror',
         '-Wno-unknown-attributes', '-Wno-unused', '-Wno-unused-function', '-ferror-limit=10', '-I', str(SHIM)]
NUMBERS = 'float|half|int|uint|uchar|real|slice|acc|acc_slice|islice|unsigned_slice|Uniforms'
CAST = re.compile(rf'\(\s*(?:const\s+)?(?:{NUMBERS})\d*(?:\s+const)?\s*[*&]+\s*\)')
SPACES = ('device', 'constant', 'threadgroup')


def kernels_in(text):
    """Name and text of each kernel that `tern kernels` printed."""
    parts = re.split(r'^// (\w+)\n(?=#include <metal_stdlib>)', text, flags=re.M)
    # Behind the last kernel stand the nodes that stay on the CPU.
    return [(name, kernel[:kernel.rindex('\n}\n') + 3]) for name, kernel in zip(parts[1::2], parts[2::2])]


def casts_without_space(text):
    """Casts to pointers that name no address space; in Metal such a type can hold no buffer's address."""
    return [f'line {text[:found.start()].count(chr(10)) + 1}: {found.group()}' for found in CAST.finditer(text)]


def unit_of(kernels):
    """One translation unit of many kernels, each in a namespace with its own macros; errors name the kernel."""
    parts = ['#include <metal_stdlib>\n']
    for number, (name, text) in enumerate(kernels):
        macros = sorted(set(re.findall(r'^#define (\w+)', text, re.M)))
        parts.append(f'#define tern_main tern_main_{number}\nnamespace kernel_{number} {{\n#line 1 "{name}"\n{text}\n}}\n')
        parts.extend(f'#undef {macro}\n' for macro in ['tern_main', *macros])
    return ''.join(parts)


def complaints(kernels):
    """The words of clang about kernels; empty where all are fine."""
    with tempfile.NamedTemporaryFile('w', suffix='.cl') as file:
        file.write(unit_of(kernels))
        file.flush()
        done = subprocess.run([CLANG, *CHECK, file.name], capture_output=True, text=True)
    return done.stderr if done.returncode else ''


def printed(model, precision, device=DEVICES[0]):
    command = [TERN, 'kernels', str(model), '--device', device, '--language', 'metal', '--slice-width', '4', '--precision',
               precision]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def jobs():
    """Models, precisions and devices."""
    wide = os.environ.get('TERN_ALL_SUITES')
    models = [path for folder in ('demo', 'examples', 'tests') for path in (ROOT / folder).rglob('*.tflite')]
    models += sorted((SHARED / 'models').rglob('*.tflite'))
    found = list(itertools.product(models, ('f32', 'f16'), DEVICES if wide else DEVICES[:1]))
    if wide:
        found += itertools.product(sorted((SHARED / 'conformance').rglob('*.tflite')), ('f32', 'f16'), DEVICES[:1])
    return found


class Texts(unittest.TestCase):
    def test_all_are_fine(self):
        begin = time.monotonic()
        distinct, refused, count, wanted = {}, set(), 0, jobs()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for job, (status, text, log) in zip(wanted, pool.map(lambda job: printed(*job), wanted)):
                if status:
                    refused.add(f'{job[0].name}: {" ".join(log.split())}')
                for name, kernel in kernels_in(text):
                    count += 1
                    distinct.setdefault(kernel, f'{name} of {job[0].name} {job[1]} {job[2]}')
        kernels = [(name, text) for text, name in distinct.items()]
        middle = time.monotonic()
        for name, text in kernels:
            self.assertEqual(casts_without_space(text), [], name)
        parts = [kernels[i:i + TOGETHER] for i in range(0, len(kernels), TOGETHER)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            said = ''.join(pool.map(complaints, parts))
        print(f'{len({model for model, _, _ in wanted})} models, {len(wanted)} plans, {count} kernels, {len(kernels)} distinct '
              f'texts, {said.count("error:")} errors; {middle - begin:.1f} s to print, {time.monotonic() - middle:.1f} s to check')
        for line in sorted(refused):
            print(f'no kernels: {line}')
        self.assertEqual(said, '')
        self.assertGreater(len(kernels), 3)
        self.assertLess(len(refused), 3 + len(wanted) / 20, 'models of which no kernels can be printed')


class PlantedErrors(unittest.TestCase):
    """Each is found, and by what it is; the same text without it is fine."""

    @classmethod
    def setUpClass(cls):
        status, text, log = printed(ROOT / 'demo' / 'landscape.tflite', 'f16')
        assert status == 0, log
        cls.kernels = kernels_in(text)

    def kernel_with(self, *words):
        for name, text in self.kernels:
            if all(re.search(word, text) for word in words):
                return text
        self.fail(f'no kernel of the demo has {words}')

    def check(self, text, wrong, *expected):
        self.assertNotEqual(text, wrong)
        self.assertEqual(complaints([('right', text)]), '')
        said = complaints([('wrong', wrong)])
        for words in expected:
            self.assertRegex(said, words)

    def at_start(self, text, statement):
        return re.sub(r'(\[\[threadgroup_position_in_grid\]\]\) \{\n)', r'\1' + statement, text)

    def test_a_pointer_that_drops_device(self):
        text = self.kernel_with(r'_\(device const \w+\* ')
        self.check(text, re.sub(r'_\(device (const \w+\* )', r'_(\1', text, count=1), 'no matching function')
        text = self.kernel_with(r'device const half\* \w+_data \[\[')
        name = re.search(r'device const half\* (\w+) \[\[', text).group(1)
        self.check(text, self.at_start(text, f'  const half* lost = {name};\n'), 'cannot initialize')

    def test_a_cast_that_drops_constant(self):
        text = self.kernel_with('constant Uniforms&')
        wrong = self.at_start(text, '  const Uniforms* lost = (const Uniforms*)&uniforms;\n')
        self.check(text, wrong, 'mismatching address spaces')
        self.assertEqual(len(casts_without_space(wrong)), 1)

    def test_a_group_array_in_place_of_a_buffer(self):
        text = self.kernel_with(r'device const half\* \w+_data \[\[')
        right = self.at_start(text, '  threadgroup half shared[4];\n')
        self.check(right, self.at_start(right, '  threadgroup half other[4];\n  device half* lost = other;\n'),
                   'cannot initialize')
        # The same as an argument of a function that reads a buffer.
        reads = r'static inline \w+ (\w+_)\(device const half\* \w+((?:, int \w+)+)\)'
        helper, numbers = re.search(reads, self.kernel_with(reads)).groups()
        call = f'  threadgroup half other[4];\n  {helper}(other{", 0" * numbers.count(",")});\n'
        self.check(self.kernel_with(reads), self.at_start(self.kernel_with(reads), call), 'no matching function')

    def test_a_cast_that_drops_device(self):
        text = self.kernel_with(r'\(\(device const half4\*\)')
        wrong = re.sub(r'\(\(device (const half4\*\))', r'((\1', text, count=1)
        self.check(text, wrong, 'mismatching address spaces')
        self.assertEqual(casts_without_space(text), [])
        self.assertEqual(len(casts_without_space(wrong)), 1)

    def test_a_cast_into_another_space(self):
        text = self.kernel_with(r'\(\(device const half4\*\)')
        for space in ('threadgroup', 'constant'):
            self.check(text, text.replace('((device const half4*)', f'(({space} const half4*)', 1),
                       'mismatching address spaces')

    def test_what_the_search_for_casts_finds(self):
        for cast in ('(float4*)', '(const half*)', '(uchar4 *)', '(const Uniforms&)', '(acc_slice*)'):
            self.assertEqual(casts_without_space(f'a\n b = ({cast}c)[1];'), [f'line 2: {cast}'])
            for space in SPACES:
                self.assertEqual(casts_without_space(f'b = (({space} {cast[1:]}c)[1];'), [])
        self.assertEqual(casts_without_space('v = slice(a) * (b * c) * (slice(w)); f(int(x) * (y))'), [])


if __name__ == '__main__':
    TERN, CLANG = sys.argv[1], sys.argv[2]
    done = unittest.main(argv=sys.argv[:1], exit=False)
    if not done.result.wasSuccessful():
        sys.exit(1)
    if not (SHARED / 'models').exists():
        print(f'the models of {SHARED} are left out: there is no such folder')
