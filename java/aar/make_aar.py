#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes an Android archive of a jar.   make_aar.py OUT.aar JAR ARTIFACT JNI_FOLDER

JNI_FOLDER has a folder of libraries for each ABI (arm64-v8a). Of the jar the classes are taken. The manifest and the rules
for who uses the archive are those of ARTIFACT beside this script. The same files give the same bytes."""
import io
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
METADATA = 'aarFormatVersion=1.0\naarMetadataVersion=1.0\nminCompileSdk=21\n'


def add(archive, name, content):
    info = zipfile.ZipInfo(name)  # with the oldest date there is
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content)


def classes_of(jar):
    out = io.BytesIO()
    with zipfile.ZipFile(jar) as source, zipfile.ZipFile(out, 'w') as classes:
        for name in sorted(source.namelist()):
            if name.endswith('.class'):
                add(classes, name, source.read(name))
    return out.getvalue()


def main():
    out, jar, artifact, jni = sys.argv[1:]
    libraries = sorted(pathlib.Path(jni).glob('*/*.so'))
    if not libraries:
        sys.exit(f'no libraries below {jni}')
    with zipfile.ZipFile(out, 'w') as archive:
        add(archive, 'AndroidManifest.xml', (HERE / f'{artifact}.xml').read_bytes())
        add(archive, 'classes.jar', classes_of(jar))
        add(archive, 'R.txt', b'')
        add(archive, 'proguard.txt', (HERE / f'{artifact}.pro').read_bytes())
        add(archive, 'META-INF/com/android/build/gradle/aar-metadata.properties', METADATA)
        for library in libraries:
            add(archive, f'jni/{library.parent.name}/{library.name}', library.read_bytes())


if __name__ == '__main__':
    main()
