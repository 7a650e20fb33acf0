#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layout of the Android archives, with a jar and libraries that stand in for those of an NDK."""
import io
import pathlib
import subprocess
import sys
import tempfile
import xml.dom.minidom
import zipfile

MAKE = pathlib.Path(__file__).resolve().parents[1] / 'aar/make_aar.py'
LAYOUT = ['AndroidManifest.xml', 'META-INF/com/android/build/gradle/aar-metadata.properties', 'R.txt', 'classes.jar',
          'jni/arm64-v8a/libx_jni.so', 'proguard.txt']


def make(folder, artifact, jni):
    out = folder / f'{artifact}.aar'
    command = [sys.executable, '-B', MAKE, out, folder / 'x.jar', artifact, jni]
    return out, subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with zipfile.ZipFile(folder / 'x.jar', 'w') as jar:
            jar.writestr('org/x/A.class', b'class')
            jar.writestr('org/x/native/linux-x86_64/libx_jni.so', b'another system')
        (folder / 'jni/arm64-v8a').mkdir(parents=True)
        (folder / 'jni/arm64-v8a/libx_jni.so').write_bytes(b'library')
        for artifact in ('tensorflow-lite', 'tensorflow-lite-gpu'):
            out, run = make(folder, artifact, folder / 'jni')
            assert run.returncode == 0, run.stderr
            first = out.read_bytes()
            with zipfile.ZipFile(out) as archive:
                assert sorted(archive.namelist()) == LAYOUT, archive.namelist()
                manifest = xml.dom.minidom.parseString(archive.read('AndroidManifest.xml')).documentElement
                assert manifest.tagName == 'manifest' and manifest.getAttribute('package').startswith('tern.')
                assert b'native <methods>' in archive.read('proguard.txt')
                classes = zipfile.ZipFile(io.BytesIO(archive.read('classes.jar'))).namelist()
                assert classes == ['org/x/A.class'], classes
                assert archive.read('jni/arm64-v8a/libx_jni.so') == b'library'
            make(folder, artifact, folder / 'jni')
            assert out.read_bytes() == first
        (folder / 'empty').mkdir()
        assert 'no libraries below' in make(folder, 'tensorflow-lite', folder / 'empty')[1].stderr
    print('the layout of the Android archives is right')


if __name__ == '__main__':
    main()
