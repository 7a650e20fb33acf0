#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""quick_pocl.py OUT: drivers of OpenCL for tests, with a PoCL that reads a short header.

PoCL parses a header with 17,000 declarations of functions for each program, which takes several times as long as a program of
ours. It finds the header beside its library, so that OUT holds links to the library and to all that it reads, and the header
without the functions whose names do not occur in our sources: a program that needs another one is not built, and says its name.
OUT/vendors, for OCL_ICD_VENDORS, has the drivers of this machine; where PoCL lies elsewhere than in Debian, as they are.
"""
import pathlib
import platform
import re
import shutil
import sys

VENDORS = pathlib.Path('/etc/OpenCL/vendors')
SHARED = pathlib.Path('/usr/share/pocl')
HEADER = pathlib.Path('include/opencl-c.h')
SOURCES = pathlib.Path(__file__).resolve().parent.parent / 'src'
ATTRIBUTES = re.compile(r'__attribute__\(\(.*?\)\)')
COMMENTS = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
FUNCTION = re.compile(r'\b(\w+)\s*\(')
# The printer joins names with the widths of vectors, and those of conversions with how they round.
DIGITS = re.compile(r'\d+')
CONVERSION = re.compile(r'(convert_[a-z]+)(_\w+)$')


def names_in_sources():
    names = set()
    for pattern in ('gpu/**/*.cc', 'gpu/**/*.h', 'ops/gpu_kit/*', '**/*_gpu.cc', '**/*.kernel', 'ops/**/*_gpu_test.cc'):
        for file in SOURCES.glob(pattern):
            names.update(DIGITS.sub('', name) for name in re.findall(r'\w+', file.read_text()))
    return names


def is_named(function, names):
    conversion = CONVERSION.match(function)
    return all(part in names for part in conversion.groups()) if conversion else function in names


def shortened(header, names):
    """The header's text without comments and without functions of other names."""
    kept, statement = [], ''
    for line in COMMENTS.sub('', header).replace('\\\n', ' ').split('\n'):
        if not line.strip():
            continue
        if line.startswith('#') and not statement:
            kept.append(line)
            continue
        statement += line + '\n'
        if not line.rstrip().endswith(';'):
            continue
        function = FUNCTION.search(ATTRIBUTES.sub('', statement))
        if not function or is_named(DIGITS.sub('', function[1]), names):
            kept.append(statement.rstrip())
        statement = ''
    return '\n'.join(kept + [statement])


def link_all(source, folder):
    folder.mkdir(parents=True)
    for file in source.iterdir():
        (folder / file.name).symlink_to(file)


def quick_pocl(out):
    """The path of the library, or None where the parts of PoCL are not where they are expected."""
    icd = VENDORS / 'pocl.icd'
    if not icd.exists() or not (SHARED / HEADER).exists():
        return None
    library = pathlib.Path(f'/usr/lib/{platform.machine()}-linux-gnu') / icd.read_text().strip()
    if not library.exists():
        return None
    shared, beside = out / 'share/pocl', out / 'lib/pocl'  # as PoCL looks for it: two folders up, then share
    link_all(SHARED, shared)
    (shared / HEADER.parent).unlink()
    link_all(SHARED / HEADER.parent, shared / HEADER.parent)
    (shared / HEADER).unlink()
    (shared / HEADER).write_text(shortened((SHARED / HEADER).read_text(), names_in_sources()))
    beside.mkdir(parents=True)
    (beside / library.name).symlink_to(library)
    (beside / 'pocl').symlink_to(library.parent / 'pocl')  # its devices
    return beside / library.name


def main(out):
    shutil.rmtree(out, ignore_errors=True)
    vendors = out / 'vendors'
    vendors.mkdir(parents=True)
    if VENDORS.is_dir():
        for icd in VENDORS.glob('*.icd'):
            shutil.copy(icd, vendors)
    library = quick_pocl(out)
    print('PoCL reads a short header' if library else 'drivers of OpenCL as they are: no PoCL where Debian has it')
    if library:
        (vendors / 'pocl.icd').write_text(f'{library}\n')


if __name__ == '__main__':
    main(pathlib.Path(sys.argv[1]).resolve())
