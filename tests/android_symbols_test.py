#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The libraries import from libc, libm and libdl only functions that Android has since API 21, on each of its processors.

A list in ../shared (or $TERN_SHARED) says since when Android has which. Without it the checker alone is tested.
Usage: android_symbols_test.py C_COMPILER LIBRARY...
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

OLDEST = 21
PROCESSORS = ('arm', 'arm64', 'x86', 'x86_64')
# Names that differ there, with no call of ours behind the difference.
EXEMPT = {
    '__errno_location': 'behind errno; there it is __errno',
    '__libc_single_threaded': 'std::shared_ptr of libstdc++ reads it, that of libc++ does not',
    '__tls_get_addr': 'thread_local; the compiler of the NDK brings its own function for systems before API 29',
    'mallinfo2': 'src/api/profiling/profiling.cc calls it under __GLIBC__',
    'pthread_cond_clockwait': 'wait_for of libstdc++; that of libc++ calls it where __ANDROID_API__ >= 30',
    'stderr': 'a macro over __sF before API 23',
    'stdin': 'a macro over __sF before API 23',
    'stdout': 'a macro over __sF before API 23',
}


def read_levels(text):
    """Name -> processor -> API level, of lines «name, library, level, processors», separated by tabs."""
    levels = {}
    for line in text.splitlines():
        if line and not line.startswith('#'):
            name, _, level, processors = line.split('\t')
            for processor in PROCESSORS if processors == 'all' else processors.split(','):
                known = levels.setdefault(name, {})
                known[processor] = min(int(level), known.get(processor, int(level)))
    return levels


def plain(name):
    """A function's name without the forms of C standards (__isoc99_sscanf) and of checked calls (__memcpy_chk)."""
    found = re.fullmatch(r'__isoc\d+_(\w+)|__(\w+)_chk', name)
    return (found.group(1) or found.group(2)) if found else name


def refusals(names, levels):
    for name in sorted(set(names) - EXEMPT.keys()):
        known = levels.get(plain(name), {})
        if not known:
            yield f'Android has no {plain(name)}'
            continue
        without = [processor for processor in PROCESSORS if known.get(processor, OLDEST + 1) > OLDEST]
        if without:
            since = {known[processor] for processor in without if processor in known}
            yield (f'Android has {plain(name)} ' + (f'since API {max(since)}' if since else 'not') +
                   ('' if len(without) == len(PROCESSORS) else f' on {", ".join(without)}') + f', {OLDEST} is wanted')


def imports(library):
    """Returns the symbols that a library imports from the C library of this system, whose names have versions GLIBC_*."""
    run = subprocess.run(['nm', '-D', '--undefined-only', library], capture_output=True, text=True, check=True)
    return re.findall(r'^\s*\w (\w+)@+GLIBC_', run.stdout, re.M)


class Checker(unittest.TestCase):
    LEVELS = read_levels('# a comment\n'
                         'old\tlibc\t21\tall\n'
                         'new\tlibm\t28\tall\n'
                         'partly\tlibc\t21\tarm64,x86_64\npartly\tlibc\t24\tarm,x86,riscv64\n'
                         'lost\tlibc\t21\tarm,x86\n'
                         'pthread_cond_clockwait\tlibc\t30\tall\n')

    def says(self, *names):
        return list(refusals(names, self.LEVELS))

    def test_old_names_are_fine(self):
        self.assertEqual(self.says('old', '__old_chk', '__isoc99_old', '__isoc23_old'), [])

    def test_new_and_unknown_names_are_refused(self):
        self.assertEqual(self.says('old', 'new'), ['Android has new since API 28, 21 is wanted'])
        self.assertEqual(self.says('__new_chk'), ['Android has new since API 28, 21 is wanted'])
        self.assertEqual(self.says('other'), ['Android has no other'])

    def test_every_processor_counts(self):
        self.assertEqual(self.says('partly'), ['Android has partly since API 24 on arm, x86, 21 is wanted'])
        self.assertEqual(self.says('lost'), ['Android has lost not on arm64, x86_64, 21 is wanted'])

    def test_exempt_names_are_fine(self):
        self.assertEqual(self.says(*EXEMPT), [])

    def test_imports_of_a_library(self):
        with tempfile.TemporaryDirectory() as folder:
            source, library = pathlib.Path(folder, 'a.c'), pathlib.Path(folder, 'a.so')
            source.write_text('#include <stdlib.h>\nvoid other(void);\n'
                              'void* f(void) { other(); return aligned_alloc(64, 64); }\n')
            subprocess.run([CC, '-shared', '-fPIC', source, '-o', library], check=True)
            found = imports(library)
        self.assertIn('aligned_alloc', found)
        self.assertNotIn('other', found)


class Libraries(unittest.TestCase):
    def test_they_import_old_functions_alone(self):
        levels = read_levels(LIST.read_text())
        self.assertGreater(len(levels), 1500)
        for library in LIBRARIES:
            with self.subTest(library):
                names = imports(library)
                self.assertIn('memcpy', names)
                print(f'{pathlib.Path(library).name}: {len(names)} names of the C library')
                self.assertEqual(list(refusals(names, levels)), [])


if __name__ == '__main__':
    CC, LIBRARIES = sys.argv[1], sys.argv[2:]
    LIST = pathlib.Path(os.environ.get('TERN_SHARED', '../shared')) / 'data' / 'bionic_symbols.tsv'
    found = LIST.exists()
    done = unittest.main(argv=sys.argv[:1], defaultTest=None if found else 'Checker', exit=False)
    if not done.result.wasSuccessful():
        sys.exit(1)
    if not found:
        print(f'skipped: the libraries (there is no {LIST}; set TERN_SHARED)')
        sys.exit(77)
