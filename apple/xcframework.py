#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lays out an XCFramework: the library for each platform, with headers and module map, and the list of them.

xcframework.py NAME.xcframework [--module-map FILE] [--over FILE] SLICE=LIBRARY...

SLICE is an identifier of Apple's form, as ios-arm64, ios-arm64_x86_64-simulator or macos-arm64_x86_64. LIBRARY is a .a, a
.dylib or a .framework. With --module-map, slices that are no framework get the headers that the map names, and all that
these include, and the map beside them: by default the one of the Swift package for NAME, swift/Sources/NAME/include.
--over names the module map of another XCFramework that goes with it: its headers are left out, as a header that lies in
two places would be declared twice.

It is plain files, so that it needs no Mac. It does not sign, and it does not look into the libraries."""
import argparse
import pathlib
import plistlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PLATFORMS = ('ios', 'macos', 'tvos', 'watchos', 'xros')
VARIANTS = ('simulator', 'maccatalyst')
ARCHITECTURES = ('arm64_32', 'arm64e', 'arm64', 'armv7k', 'armv7s', 'armv7', 'x86_64', 'i386')
KINDS = ('.a', '.dylib', '.framework')


class Refused(Exception):
    """An argument that is not understood: the text names it and what was expected."""


def parse_slice(identifier):
    """ios-arm64_x86_64-simulator -> ('ios', ['arm64', 'x86_64'], 'simulator')."""
    one = '|'.join(ARCHITECTURES)
    found = re.fullmatch(rf'({"|".join(PLATFORMS)})-((?:{one})(?:_(?:{one}))*)(?:-({"|".join(VARIANTS)}))?', identifier)
    if not found:
        raise Refused(f'"{identifier}" is no slice: expected PLATFORM-ARCHITECTURES[-VARIANT], as ios-arm64_x86_64-simulator')
    platform, architectures, variant = found.groups()
    return platform, re.findall(one, architectures), variant


def included(header, roots):
    """The headers of the project that a header includes, as paths below their root."""
    for name in re.findall(r'^\s*#\s*(?:include|import)\s+"([^"]+)"', header.read_text(), re.M):
        for root in roots:
            if (root / name).is_file():
                yield root, name


def headers_of(module_map):
    """Path in the slice -> file, of the headers that a module map names and of all that these include."""
    roots = [module_map.parent, ROOT / 'include']
    waiting = [(module_map.parent, name) for name in re.findall(r'\bheader\s+"([^"]+)"', module_map.read_text())]
    if not waiting:
        raise Refused(f'{module_map} names no header')
    found = {}
    while waiting:
        root, name = waiting.pop()
        if name in found:
            continue
        if not (root / name).is_file():
            raise Refused(f'{module_map} names {name}, which is not in {root}')
        found[name] = root / name
        waiting += included(root / name, roots)
    return found


def check_library(path):
    if path.suffix not in KINDS or not path.exists():
        raise Refused(f'{path}: expected a {", ".join(KINDS[:-1])} or {KINDS[-1]} that exists')
    if path.suffix == '.framework' and not (path / path.stem).is_file():
        raise Refused(f'{path}: expected the library {path.stem} in it')


def add_slice(out, identifier, library, module_map, headers):
    """Copies a slice with its headers (path in the slice -> file), and gives its entry in the list."""
    platform, architectures, variant = parse_slice(identifier)
    check_library(library)
    folder = out / identifier
    folder.mkdir(parents=True)
    entry = {'LibraryIdentifier': identifier, 'LibraryPath': library.name, 'SupportedArchitectures': architectures,
             'SupportedPlatform': platform}
    if variant:
        entry['SupportedPlatformVariant'] = variant
    if library.suffix == '.framework':
        entry['BinaryPath'] = f'{library.name}/{library.stem}'
        shutil.copytree(library, folder / library.name, symlinks=True)
        return entry
    entry['BinaryPath'] = library.name
    shutil.copy2(library, folder / library.name)
    if module_map:
        entry['HeadersPath'] = 'Headers'
        for name, file in headers.items():
            target = folder / 'Headers' / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
        shutil.copyfile(module_map, folder / 'Headers/module.modulemap')
    return entry


def lay_out(out, slices, module_map, over):
    """Creates the folder again. `slices`: identifier -> library."""
    if out.suffix != '.xcframework':
        raise Refused(f'{out}: expected a name that ends in .xcframework')
    if not slices:
        raise Refused('there is no slice: expected SLICE=LIBRARY, as ios-arm64=libtensorflowlite_c.a')
    for identifier, library in slices.items():  # before anything is removed
        parse_slice(identifier)
        check_library(library)
    headers = headers_of(module_map) if module_map else {}
    if over:
        headers = {name: file for name, file in headers.items() if name not in headers_of(over)}
    shutil.rmtree(out, ignore_errors=True)
    entries = [add_slice(out, identifier, library, module_map, headers) for identifier, library in slices.items()]
    entries.sort(key=lambda entry: entry['LibraryIdentifier'])
    plist = {'AvailableLibraries': entries, 'CFBundlePackageType': 'XFWK', 'XCFrameworkFormatVersion': '1.0'}
    (out / 'Info.plist').write_bytes(plistlib.dumps(plist))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--module-map', type=pathlib.Path)
    parser.add_argument('--over', type=pathlib.Path)
    parser.add_argument('slices', nargs='*', metavar='SLICE=LIBRARY')
    given = parser.parse_intermixed_args(arguments)
    try:
        slices = {}
        for text in given.slices:
            identifier, equals, library = text.partition('=')
            if not equals or identifier in slices:
                raise Refused(f'"{text}": expected SLICE=LIBRARY, each slice once')
            slices[identifier] = pathlib.Path(library)
        module_map = given.module_map or ROOT / f'swift/Sources/{given.out.stem}/include/module.modulemap'
        for path in filter(None, (given.module_map, given.over)):
            if not path.is_file():
                raise Refused(f'{path}: expected a module map')
        lay_out(given.out, slices, module_map if module_map.is_file() else None, given.over)
    except Refused as refusal:
        print(f'xcframework.py: {refusal}', file=sys.stderr)
        return 2
    print(f'{given.out}: {", ".join(sorted(slices))}')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
