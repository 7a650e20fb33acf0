#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How large the libraries of a build are, and what their bytes are: by folder, and the largest functions and tables.

    sizes.py BUILD_FOLDER [--limits] [--largest N]

BUILD_FOLDER is a release by Ninja. Sizes are of stripped files. --limits compares them with LIMITS and prints nothing
else; the exit status is 1 where one is larger.
"""
import argparse
import collections
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

LIBRARIES = ('libtensorflowlite_c.so', 'libtensorflowlite_gpu_delegate.so')
# Bytes, by machine.
LIMITS = {
    'X86-64': {LIBRARIES[0]: 4_500_000, LIBRARIES[1]: 2_200_000},
    'AArch64': {LIBRARIES[0]: 3_400_000, LIBRARIES[1]: 1_900_000},
}


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def machine(library):
    """The last word of readelf's for the processor."""
    return re.search(r'Machine:.*?([\w-]+)$', output('readelf', '-h', library), re.M).group(1)


def tool(name, library):
    """Debian's name of a tool that understands the library."""
    return 'aarch64-linux-gnu-' + name if machine(library) == 'AArch64' != os.uname().machine else name


def stripped_size(library):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, 'stripped')
        output(tool('strip', library), '-o', copy, library)
        return os.path.getsize(copy)


def has_abseil_inside(library):
    return 'libabsl' not in output('readelf', '-d', library)


def limit(library):
    """Of the library, or None where its processor has none."""
    return LIMITS.get(machine(library), {}).get(os.path.basename(library))


def link_map(build, library):
    """The linker's map of the library, which is linked again for it."""
    commands = output('ninja', '-C', build, '-t', 'commands', library).splitlines()
    command = commands[-1].removeprefix(': && ').removesuffix(' && :')
    with tempfile.TemporaryDirectory() as folder:
        arguments = shlex.split(command)
        arguments[arguments.index('-o') + 1] = os.path.join(folder, 'library')
        output(*arguments, '-Wl,-Map=' + os.path.join(folder, 'map'), cwd=build)
        return pathlib.Path(folder, 'map').read_text(errors='replace')


def folder_of(path):
    """Where an object of a map comes from: src/ops/OPERATION, src/LAYER, or the library that it is a part of."""
    source = re.search(r'\.dir/(src/.*)/[^/]*$', path)
    if source:
        parts = source.group(1).split('/')
        return '/'.join(parts[:3])
    for word, name in (('absl', 'Abseil'), ('hwy', 'Highway'), ('flatbuffers', 'FlatBuffers'), ('/kernels/', 'kernel texts')):
        if word in path:
            return name
    return 'compiler and system'


def bytes_by_folder(text):
    """From a map of GNU ld: an input section with its size and object in a line, or its name alone and those in the next."""
    sizes = collections.Counter()
    placed = text[text.index('Linker script and memory map'):]
    for match in re.finditer(r'^ (\.[\w.$]\S*)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S.*)$', placed, re.M):
        section, size, path = match.group(1), int(match.group(2), 16), match.group(3)
        if not section.startswith(('.debug', '.bss', '.comment', '.note.GNU', '.gnu.lto')):
            sizes[folder_of(path)] += size
    return sizes


def largest(library, count):
    lines = output(tool('nm', library), '-S', '-C', '--size-sort', '--reverse-sort', library).splitlines()
    rows = []
    for line in lines:
        _, size, kind, name = line.split(None, 3)
        if kind.lower() in 'trdw':
            rows.append((int(size, 16), 'table' if kind.lower() in 'rd' else 'function', name))
    return rows[:count]


def show(build, library, count):
    path = os.path.join(build, 'lib', library)
    inside = 'inside' if has_abseil_inside(path) else 'a library of the system'
    most = limit(path)
    print(f'== {library}: {stripped_size(path):,} bytes stripped' + (f' (limit {most:,})' if most else '') +
          f', {machine(path)}, Abseil {inside}')
    by_folder = bytes_by_folder(link_map(build, 'lib/' + library))
    for folder, size in by_folder.most_common():
        if size >= 1000:
            print(f'{size:>11,}  {folder}')
    print('the largest functions and tables:')
    for size, kind, name in largest(path, count):
        print(f'{size:>11,}  {kind:8}  {name[:110]}')
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('build')
    parser.add_argument('--limits', action='store_true')
    parser.add_argument('--largest', type=int, default=20, metavar='N')
    arguments = parser.parse_args()
    status = 0
    for library in LIBRARIES:
        path = os.path.join(arguments.build, 'lib', library)
        if not os.path.exists(path):
            sys.exit(f'{path} is not there: expected a build of the libraries')
        if not arguments.limits:
            show(arguments.build, library, arguments.largest)
            continue
        size, most = stripped_size(path), limit(path)
        print(f'{library}: {size:,} bytes' + (f', limit {most:,}' if most else ', no limit for this processor'))
        if most and size > most:
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main())
