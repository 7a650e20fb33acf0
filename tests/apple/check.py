#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The libraries compile for macOS and iOS on arm64, and a program with them links for macOS, where no Mac is.

check.py BUILD_FOLDER [-j JOBS]    ./dev apple calls it
The Python package ziglang carries clang with the headers of macOS, libc++ and a linker. OpenGL ES is left out, which no system
of Apple has; OpenCL, which is for macOS alone, has Debian's headers. For iOS the units are compiled with the same headers,
which differ from an SDK's in what they declare as unavailable there; nothing is linked. Warnings are errors."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ZIGLANG = 'ziglang==0.15.2'
FETCHED = ('abseil', 'flatbuffers', 'highway')
IOS = 'arm64-apple-ios14'
OPENCL = pathlib.Path('/usr/include/CL')  # Debian package opencl-headers


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)


def fail(what, log=''):
    print(f'{log[-4000:]}\n{what}' if log else what)
    sys.exit(1)


def zig_in(folder):
    """The program zig, of a virtual environment that is made where it is not there yet."""
    found = next(folder.glob('lib/python3*/site-packages/ziglang/zig'), None)
    if found:
        return found
    for step in ([sys.executable, '-m', 'venv', '--clear', folder],
                 [folder / 'bin/pip', 'install', '-q', '--retries', '1', ZIGLANG]):
        done = run(step)
        if done.returncode:
            print(f'skipped: {ZIGLANG} cannot be installed: {" ".join(done.stderr.strip().splitlines()[-1:])}')
            sys.exit(77)
    return zig_in(folder)


class Check:
    def __init__(self, build, jobs):
        self.build, self.jobs = build, jobs
        self.macos, self.ios = build / 'macos', build / 'ios'
        os.environ['ZIG_GLOBAL_CACHE_DIR'] = os.environ['ZIG_LOCAL_CACHE_DIR'] = str(build / 'cache')
        self.zig = zig_in(build / 'venv')

    def configure_in(self, folder, toolchain, *options):
        done = run(['cmake', '-G', 'Ninja', '-S', ROOT / 'tests/apple', '-B', folder, '--toolchain',
                    ROOT / f'cmake/{toolchain}.cmake', '-DCMAKE_BUILD_TYPE=Release', '-DTERN_FETCH_DEPENDENCIES=ON',
                    '-DTERN_WERROR=ON', '-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON', *options])
        if done.returncode:
            fail(f'it cannot be configured by cmake/{toolchain}.cmake', done.stdout + done.stderr)

    def source_of(self, name):
        """The folder of a fetched library, of those in $TERN_FETCHED_SOURCES as tests/fetch_test.sh takes them."""
        given = os.environ.get('TERN_FETCHED_SOURCES')
        found = next(pathlib.Path(given).glob(f'{name}-[0-9s]*/'), None) if given else None
        return found or self.macos / f'_deps/{name}-src'

    def configure(self):
        headers = self.build / 'headers'
        headers.mkdir(parents=True, exist_ok=True)
        options = [f'-DTERN_ZIG={self.zig}', f'-DTERN_DEBIAN_ARCHIVE={os.environ.get("TERN_DEBIAN_ARCHIVE", "")}',
                   '-DTERN_WITH_GLES=OFF', f'-DTERN_WITH_OPENCL={"ON" if OPENCL.exists() else "OFF"}',
                   f'-DOPENCL_INCLUDE={headers}']
        if not OPENCL.exists():
            print(f'the backend OpenCL is left out: there is no {OPENCL} (Debian package opencl-headers)')
        elif not (headers / 'CL').exists():  # a folder with these alone: the others of this system are not for macOS
            (headers / 'CL').symlink_to(OPENCL)
        options += [f'-DFETCHCONTENT_SOURCE_DIR_{name.upper()}={self.source_of(name)}' for name in FETCHED
                    if self.source_of(name).exists()]
        self.configure_in(self.macos, 'aarch64-macos-zig', *options)

    def ninja(self, *words):
        return run(['ninja', '-C', self.macos, f'-j{self.jobs}', *words])

    def compile_for_macos(self):
        begin, units = time.monotonic(), units_in(self.macos)
        done = self.ninja('-k', '0', 'tern/tern_layers', 'tern_old_names')
        failed = re.findall(r'^FAILED: (\S+)', done.stdout, re.M)
        print(f'macOS: {len(units)} units of {sources_of(units)} sources, {len(failed)} failed; '
              f'{time.monotonic() - begin:.0f} s')
        if done.returncode or failed:
            fail('\n'.join(failed), '\n'.join(line for line in done.stdout.splitlines() if not line.startswith('[')))

    def link(self):
        begin = time.monotonic()
        done = self.ninja('app')
        if done.returncode:
            fail('the program for macOS is not made', done.stdout)
        program = self.macos / 'app'
        data = program.read_bytes()
        # Magic of 64 bits, processor arm64, and in the fourth word the type of a file: 2 is a program.
        words = [int.from_bytes(data[i:i + 4], 'little') for i in (0, 4, 12)]
        if words != [0xfeedfacf, 0x0100000c, 2]:
            fail(f'{program} is no program for macOS on arm64')
        print(f'macOS: a program of {len(data)} bytes with Abseil, FlatBuffers and Highway; {time.monotonic() - begin:.0f} s')

    def ios_compilers(self):
        """Two programs that compile for iOS with zig's clang, with headers and settings of libc++ as zig itself has them for
        macOS, which it is asked for."""
        said = run([self.zig, 'c++', '-target', 'aarch64-macos', '-x', 'c++', '-E', '-v', os.devnull]).stderr
        words = shlex.split(next(line for line in said.splitlines() if '-cc1' in line and '-isystem' in line))
        flags = [f'--target={IOS}', '-nostdinc', '-Wno-unused-command-line-argument']
        for word, value in zip(words, words[1:]):
            if word == '-isystem':  # from the folder that zig runs in
                flags += [word, str(ROOT / value)]
            elif word == '-D' and value.startswith('_LIB'):
                flags += [word, value]
        folder = self.build / 'ios_words'
        folder.mkdir(exist_ok=True)
        for name, mode in (('clang', 'gcc'), ('clang++', 'g++')):
            first = [str(self.zig), 'clang', f'--driver-mode={mode}', *flags[:3]]
            (folder / name).write_text(f'#!/bin/sh\nexec {shlex.join(first)} "$@" '
                                       f'{shlex.join(flags[3:])}\n')
            (folder / name).chmod(0o755)
        return [f'-DCMAKE_C_COMPILER={folder}/clang', f'-DCMAKE_CXX_COMPILER={folder}/clang++']

    def compile_for_ios(self):
        begin = time.monotonic()
        sdk = self.build / 'iPhoneOS.platform/Developer/SDKs/iPhoneOS.sdk'  # CMake wants a path like this
        sdk.mkdir(parents=True, exist_ok=True)
        fetched = [f'-DFETCHCONTENT_SOURCE_DIR_{name.upper()}={self.source_of(name)}' for name in FETCHED]
        self.configure_in(self.ios, 'ios', f'-DCMAKE_OSX_SYSROOT={sdk}', *fetched, *self.ios_compilers())
        generated = ['tern/tern_schema_gen', 'tern/tern_kernels_gen', 'tern/kernels/printer_hash.cc']
        done = run(['ninja', '-C', self.ios, *generated])
        if done.returncode:
            fail('what is generated for iOS is not made', done.stdout)
        units = units_in(self.ios)

        def compiled(unit):
            words = [word for word in shlex.split(unit['command']) if not re.fullmatch(r'-O\w', word)]
            words[words.index('-o') + 1] = os.devnull
            return run([*words, '-O0'], cwd=unit['directory'])

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            results = list(zip(units, pool.map(compiled, units)))
        failed = [(unit, done) for unit, done in results if done.returncode]
        print(f'iOS: {len(units)} units of {sources_of(units)} sources, {len(failed)} failed; '
              f'{time.monotonic() - begin:.0f} s')
        if failed:
            fail('\n'.join(unit['file'] for unit, _ in failed), '\n'.join(done.stderr for _, done in failed))


def units_in(folder):
    """Entries of a compilation database that are of the libraries: ours, not those fetched or of programs."""
    entries = json.loads((folder / 'compile_commands.json').read_text())
    for entry in entries:
        entry['output'] = re.search(r' -o (\S+)', entry['command']).group(1)
    units = [entry for entry in entries if re.search(r'CMakeFiles/tern_\w+\.dir/', entry['output'])
             and '_headers.dir' not in entry['output']]
    if len(units) < 50:
        fail(f'there are {len(units)} units in {folder}')
    return units


def sources_of(units):
    """How many sources units are made of: those that CMake joins include several."""
    count = 0
    for unit in units:
        joined = '/Unity/' in unit['file']
        count += pathlib.Path(unit['file']).read_text().count('#include') if joined else 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('-j', dest='jobs', type=int, default=os.cpu_count())
    given = parser.parse_args()
    os.chdir(ROOT)
    check = Check(given.build.resolve(), given.jobs)
    check.configure()
    check.compile_for_macos()
    check.link()
    check.compile_for_ios()


if __name__ == '__main__':
    main()
