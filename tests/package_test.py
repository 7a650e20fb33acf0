#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian package fits the project, without the tools that build one: its version is CMake's, its libraries' packages
are named after the number of the ABI, it is built with what ./dev installs, every file of an installation belongs to
exactly one package, and every program has a manual page, that of tern with all verbs.   package_test.py BUILD_FOLDER

Exit status 77: the files are not checked, because not everything that is installed is built."""
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DEBIAN = ROOT / 'debian'
# Debian's folder of libraries, lib/x86_64-linux-gnu for one, goes by this name here.
TRIPLET = 'triplet'
# Packages that ./dev installs to build and run the tool, and that a build of the package does not name: drivers, and
# the compiler, which every build has.
NOT_TO_BUILD = {'g++', 'ocl-icd-libopencl1', 'pocl-opencl-icd', 'libegl1', 'libgles2', 'libgl1-mesa-dri', 'libvulkan1'}


def found(pattern, file):
    match = re.search(pattern, (ROOT / file).read_text(), re.M)
    assert match, f'{file}: nothing like {pattern}'
    return match.group(1)


def packages():
    """Names in debian/control, in order."""
    return re.findall(r'^Package: (\S+)$', (DEBIAN / 'control').read_text(), re.M)


def patterns(package):
    """Lines of PACKAGE.install: what the package takes of an installation."""
    return (DEBIAN / f'{package}.install').read_text().split('\n')[:-1]


def claims(pattern, path):
    """Whether a line of a .install file takes this path: as a file, or within a folder."""
    wanted, parts = pattern.split('/'), path.split('/')
    return len(wanted) <= len(parts) and all(fnmatch.fnmatchcase(p, w) for p, w in zip(parts, wanted))


def unclaimed(paths, lines):
    """Yields the faults of paths and lines (package -> lines of its .install file), as sentences."""
    for path in paths:
        owners = [name for name, texts in lines.items() if any(claims(text, path) for text in texts)]
        if len(owners) != 1:
            yield f'{path} is in {" and ".join(owners) or "no package"}'
    for name, texts in lines.items():
        for text in texts:
            if not any(claims(text, path) for path in paths):
                yield f'debian/{name}.install: there is no {text}'


def as_packaged(paths, libdir, version, soversion):
    """Paths of an installation below the prefix -> those of a package: below usr, with Debian's folder of libraries, and
    with the number of the ABI in the names of shared libraries, which other builds leave out."""
    result = set()
    for path in paths:
        if path.startswith(f'{libdir}/'):
            path = f'lib/{TRIPLET}/{path[len(libdir) + 1:]}'
        result.add(f'usr/{path}')
        if path.endswith('.so'):
            result |= {f'usr/{path}.{soversion}', f'usr/{path}.{version}'}
    return sorted(result)


def check_the_check():
    lines = {'lib': ['usr/lib/*/liba.so.*'], 'dev': ['usr/include', 'usr/lib/*/*.so']}
    paths = as_packaged(['lib64/liba.so', 'include/tensorflow/a.h'], 'lib64', '0.1.0', '0')
    assert paths == ['usr/include/tensorflow/a.h', 'usr/lib/triplet/liba.so', 'usr/lib/triplet/liba.so.0',
                     'usr/lib/triplet/liba.so.0.1.0'], paths
    assert not list(unclaimed(paths, lines))
    assert list(unclaimed([*paths, 'usr/bin/tern'], lines)) == ['usr/bin/tern is in no package']
    assert list(unclaimed(paths, lines | {'more': ['usr/include/tensorflow', 'usr/bin']})) == [
        'usr/include/tensorflow/a.h is in dev and more', 'debian/more.install: there is no usr/bin']


def check_names():
    version = found(r'^project\(Tern VERSION (\S+)', 'CMakeLists.txt')
    packaged = found(r'^tern \(([^)]+)\)', 'debian/changelog')
    assert packaged.rsplit('-', 1)[0] == version, f'debian/changelog is about {packaged}, CMakeLists.txt about {version}'
    soversion = found(r'^soversion = (\d+)$', 'debian/rules')
    libraries = found(r'^set\(TERN_LIBRARIES ([^)]+)\)', 'cmake/install.cmake').split()
    wanted = [f'lib{name.replace("_", "-")}{soversion}' for name in libraries]
    assert [name for name in packages() if name.endswith(soversion)] == wanted, f'the packages of libraries are not {wanted}'
    files = sorted(file.stem for file in DEBIAN.glob('*.install'))
    assert files == sorted(packages()), f'{files} have .install files, debian/control has {sorted(packages())}'
    needed = set(found(r'^build_packages="([^"]+)"', 'dev').split()) - NOT_TO_BUILD
    listed = set(re.findall(r'[a-z][a-z0-9+-]+', found(r'^Build-Depends: ((?:.|\n )+)', 'debian/control')))
    assert needed <= listed, f'./dev installs {sorted(needed - listed)}, which Build-Depends leaves out'
    return version, soversion


def check_manuals(prefix, paths):
    programs = {path.removeprefix('bin/') for path in paths if path.startswith('bin/')}
    pages = {pathlib.PurePosixPath(path).stem for path in paths if path.startswith('share/man/man1/')}
    assert programs == pages, f'programs {programs}, manual pages {pages}'
    documents = {'share/doc/tern/ops.md', 'share/doc/tern/reasons.md'}  # to which tern explain points
    assert documents <= set(paths), f'{documents - set(paths)} are not installed'
    text = subprocess.run([prefix / 'bin/tern', '--help'], capture_output=True, text=True, check=True).stdout
    verbs = re.findall(r'^  (\w+) +[A-Z]', text, re.M)
    assert 'run' in verbs and 'devices' in verbs, text
    manual = (prefix / 'share/man/man1/tern.1').read_text()
    for verb in verbs:
        assert f'.B tern {verb}\n' in manual and f'.TP\n.B {verb}\n' in manual, f'docs/man/tern.1 does not tell of {verb}'


def main():
    build = pathlib.Path(sys.argv[1])
    check_the_check()
    version, soversion = check_names()
    parts = [build / 'installed/tern', build / 'bin/benchmark_model', build / 'bin/label_image']
    for name in ('tensorflowlite', 'tensorflowlite_c', 'tensorflowlite_gpu_delegate'):
        parts += [build / f'lib/lib{name}.so', build / f'lib/lib{name}.a']
    missing = [part.name for part in parts if not part.exists()]
    if missing:
        print(f'version and names fit; skipped: which files the packages have, not built: {", ".join(missing)}')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(['cmake', '--install', build, '--prefix', '/usr'], env=os.environ | {'DESTDIR': folder},
                             capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
        prefix = pathlib.Path(folder) / 'usr'
        paths = [p.relative_to(prefix).as_posix() for p in sorted(prefix.rglob('*')) if not p.is_dir()]
        libdir = re.search(r'^CMAKE_INSTALL_LIBDIR:\w+=(.+)$', (build / 'CMakeCache.txt').read_text(), re.M).group(1)
        packaged = as_packaged(paths, libdir, version, soversion)
        wrong = list(unclaimed(packaged, {name: patterns(name) for name in packages()}))
        assert not wrong, '\n'.join(wrong)
        check_manuals(prefix, paths)
    print(f'package: fine ({len(paths)} files)')
    return 0


if __name__ == '__main__':
    sys.exit(main())
