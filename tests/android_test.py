#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev android: each bad input is one sentence that says what was expected, before anything is built; and of what CMake and
Maven build, for which stand-ins are here, every ABI lands in both AAR files and in the folder of libraries."""
import os
import pathlib
import subprocess
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ABIS = ['arm64-v8a', 'armeabi-v7a', 'x86', 'x86_64']
LIBRARIES = ['libtensorflowlite_c.so', 'libtensorflowlite_gpu_delegate.so', 'libtensorflowlite_gpu_jni.so',
             'libtensorflowlite_jni.so']
# cmake --build FOLDER makes libraries that name their folder, and each call is a line of the log.
CMAKE = '''#!/usr/bin/env bash
echo "$*" >>"$STAND_INS/log"
[ "$1" = --build ] || exit 0
mkdir -p "$2/lib"
for name in c gpu_delegate gpu_jni jni; do echo "$name of $(basename "$2")" >"$2/lib/libtensorflowlite_$name.so"; done
'''
MVN = '''#!/usr/bin/env bash
for word in "$@"; do case "$word" in -Dtern.build=*) build=${word#*=} ;; esac; done
for name in tensorflow-lite tensorflow-lite-gpu; do
  mkdir -p "$build/java/$name"
  cp "$STAND_INS/a.jar" "$build/java/$name/$name-1.jar"
done
'''


class Android(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.build, self.ndk = self.work / 'android', self.work / 'ndk'
        (self.ndk / 'build/cmake').mkdir(parents=True)
        (self.ndk / 'build/cmake/android.toolchain.cmake').touch()
        for name, text in (('cmake', CMAKE), ('mvn', MVN), ('apt-get', CMAKE)):
            (self.work / name).write_text(text)
            (self.work / name).chmod(0o755)
        with zipfile.ZipFile(self.work / 'a.jar', 'w') as jar:
            jar.writestr('org/x/A.class', b'class')

    def release(self, revision):
        (self.ndk / 'source.properties').write_text(f'Pkg.Desc = Android NDK\nPkg.Revision = {revision}\n')

    def call(self, *command, ndk=None, **environment):
        around = {name: value for name, value in os.environ.items() if not name.startswith(('ANDROID_', 'FETCHCONTENT_'))}
        if ndk is not None:
            around['ANDROID_NDK'] = str(ndk)
        around |= {'PATH': f'{self.work}:{os.environ["PATH"]}', 'STAND_INS': str(self.work)} | environment
        return subprocess.run([str(word) for word in command], cwd=ROOT, env=around, capture_output=True, text=True,
                              check=False)

    def refused(self, message, *abis, ndk=None):
        run = self.call('./dev', 'android', *abis, ndk=ndk)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (1, '', message + '\n'))
        self.assertFalse((self.work / 'log').exists())

    def test_an_unknown_abi(self):
        expected = 'expected some of arm64-v8a armeabi-v7a x86_64 x86, or none for all four'
        self.refused(f'no ABI "mips": {expected}', 'mips', ndk=self.ndk)
        self.refused(f'no ABI "arm64": {expected}', 'x86', 'arm64')
        self.refused(f'no ABI "": {expected}', '')
        self.refused(f'no ABI "x86_64 x86": {expected}', 'x86_64 x86')
        self.refused(f'no ABI "*": {expected}', '*')

    def test_models(self):
        for words in ([], ['']):
            run = self.call('./dev', 'android', '--models', *words, ndk=self.ndk)
            self.assertEqual((run.returncode, run.stderr),
                             (1, '--models: expected .tflite files, joined by commas\n'), words)
        self.refused('--models: there is no file "none.tflite": expected .tflite files, joined by commas', '--models',
                     'demo/landscape.tflite,none.tflite', 'x86', ndk=self.ndk)

    def test_models_are_told_to_cmake_in_each_call(self):
        self.package('x86', TERN_OPS_FOR='a.tflite;b.tflite')
        self.package('x86')
        lines = (self.work / 'log').read_text().splitlines()
        self.assertIn(' -DTERN_OPS_FOR=a.tflite;b.tflite ', lines[0])
        self.assertIn(' -DTERN_OPS_FOR= ', lines[2])

    def test_no_ndk(self):
        expected = 'expected the folder of an Android NDK, r26 or newer'
        self.refused(f'ANDROID_NDK is not set: {expected}', 'x86')
        self.refused(f'ANDROID_NDK is not set: {expected}', ndk='')
        self.refused(f'ANDROID_NDK is {self.work}, which has no build/cmake/android.toolchain.cmake: {expected}', ndk=self.work)

    def test_an_old_ndk(self):
        expected = 'expected the folder of an Android NDK, r26 or newer'
        self.refused(f'the NDK in ANDROID_NDK is of no known release: {expected}', ndk=self.ndk)
        for revision, name in (('25.2.9519653', 'r25'), ('9.1', 'r9'), ('new', 'of no known release')):
            self.release(revision)
            self.refused(f'the NDK in ANDROID_NDK is {name}: {expected}', ndk=self.ndk)

    def package(self, *abis, **environment):
        run = self.call('bash', 'java/package.sh', self.build, 'android', *abis, ndk=self.ndk, **environment)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    def libraries_of(self, aar):
        with zipfile.ZipFile(self.build / aar) as archive:
            return {name: archive.read(name).decode().strip() for name in archive.namelist() if name.startswith('jni/')}

    def test_every_abi_lands_in_what_is_built(self):
        said = self.package(*ABIS)
        for artifact, name in (('tensorflow-lite', 'jni'), ('tensorflow-lite-gpu', 'gpu_jni')):
            self.assertIn(str(self.build / f'{artifact}-1.aar'), said)
            self.assertEqual(self.libraries_of(f'{artifact}-1.aar'),
                             {f'jni/{abi}/libtensorflowlite_{name}.so': f'{name} of {abi}' for abi in ABIS})
        for abi in ABIS:
            self.assertEqual(sorted(file.name for file in (self.build / 'lib' / abi).iterdir()), LIBRARIES)

    def test_a_second_call_has_its_own_abis_alone(self):
        self.package(*ABIS)
        self.package('x86')
        self.assertEqual(list(self.libraries_of('tensorflow-lite-1.aar')), ['jni/x86/libtensorflowlite_jni.so'])

    def test_cmake_is_told_what_to_build(self):
        self.package('x86', 'arm64-v8a', FETCHCONTENT_SOURCE_DIR_ABSEIL='/abseil')
        lines = (self.work / 'log').read_text().splitlines()
        self.assertEqual([line.split()[0] for line in lines], ['-S', '--build'] * 2)
        for line, abi in zip(lines[::2], ('x86', 'arm64-v8a')):
            for option in ('DTERN_BUILD_TESTS=OFF', f'DANDROID_ABI={abi}', 'DANDROID_PLATFORM=android-21',
                           'DTERN_FETCH_DEPENDENCIES=ON', 'DFETCHCONTENT_SOURCE_DIR_ABSEIL=/abseil',
                           f'DCMAKE_TOOLCHAIN_FILE={self.ndk}/build/cmake/android.toolchain.cmake'):
                self.assertIn(f' -{option} ', f'{line} ')
            self.assertNotIn('DFETCHCONTENT_SOURCE_DIR_HIGHWAY', line)


if __name__ == '__main__':
    unittest.main()
