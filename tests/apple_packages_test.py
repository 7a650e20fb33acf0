#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files that Apple's tools will read fit the project, checked without these tools: podspecs name files that there are, the privacy file
has the keys that it must have, module maps name headers, and apple/xcframework.py lays out what its list says.

apple_packages_test.py [--dump FILE]    FILE: what `swift package dump-package` printed; that alone is checked then"""
import json
import pathlib
import plistlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
APPLE = ROOT / 'apple'
SCRIPT = APPLE / 'xcframework.py'
PODS = {'TensorFlowLiteC': {'Core', 'Metal'}, 'TensorFlowLiteSwift': {'Core', 'Metal'}, 'TensorFlowLiteObjC': {'Core', 'Metal'}}
GLOBS = ('source_files', 'public_header_files', 'private_header_files', 'exclude_files', 'preserve_paths', 'resource_bundles')
MAPS = ROOT / 'swift/Sources'
TARGETS = {'TensorFlowLite', 'TensorFlowLiteC', 'TensorFlowLiteCMetal', 'TensorFlowLiteCSupport', 'TensorFlowLiteTests', 'TernFakeMetal'}


def version():
    return re.search(r'^project\(Tern VERSION (\S+)', (ROOT / 'CMakeLists.txt').read_text(), re.M).group(1)


def expanded(pattern):
    """a/*.{h,m} -> a/*.h, a/*.m, as Ruby's globs are read."""
    found = re.search(r'\{([^}]*)\}', pattern)
    if not found:
        return [pattern]
    return [one for word in found.group(1).split(',') for one in expanded(pattern[:found.start()] + word + pattern[found.end():])]


class Podspec:
    """The assignments of a podspec: all that these tests ask of Ruby."""

    def __init__(self, name):
        text = (APPLE / f'{name}.podspec').read_text()
        self.text = re.sub(r'^\s*#.*$', '', text, flags=re.M)

    def values(self, key):
        """Strings that are assigned to an attribute, in all subspecs."""
        for found in re.finditer(rf'^\s*\w+\.{key} = (\[.*?\]|\{{.*?\}}|[^\n]*)$', self.text, re.M | re.S):
            yield from re.findall(r"'([^']*)'", re.sub(r"'[^']*' =>", '', found.group(1)))  # keys of a hash are no values

    def one(self, key):
        value, = self.values(key)
        return value

    def subspecs(self):
        return set(re.findall(r"^\s*s\.subspec '(\w+)'", self.text, re.M))


class Podspecs(unittest.TestCase):
    def test_names_versions_and_parts(self):
        self.assertEqual({p.stem for p in APPLE.glob('*.podspec')}, set(PODS))
        for name, parts in PODS.items():
            spec = Podspec(name)
            self.assertEqual(spec.one('name'), name)
            self.assertEqual(spec.one('version'), version())
            self.assertEqual(spec.subspecs(), parts)
            self.assertEqual(spec.one('default_subspec'), 'Core')
            self.assertIn(":file => 'LICENSE'", spec.text)

    def test_globs_match_files(self):
        """Folders that are not here yet are left out; a pattern of one that is matches a file."""
        checked = 0
        for name in PODS:
            for key in GLOBS:
                for pattern in Podspec(name).values(key):
                    if not (ROOT / pattern.split('/')[0]).is_dir():
                        continue
                    for one in expanded(pattern):
                        with self.subTest(pod=name, pattern=one):
                            self.assertTrue(list(ROOT.glob(one)))
                            checked += 1
        self.assertGreater(checked, 8)

    def test_dependencies_are_pods_of_ours(self):
        known = {f'{name}/{part}' for name, parts in PODS.items() for part in parts}
        for name in PODS:
            for needed in re.findall(r"\.dependency '([^']+)'", Podspec(name).text):
                self.assertIn(needed, known)

    def test_every_swift_source_is_in_a_pod(self):
        patterns = [one for p in Podspec('TensorFlowLiteSwift').values('source_files') for one in expanded(p)]
        found = {file for pattern in patterns for file in ROOT.glob(pattern)}
        for target in ('TensorFlowLite', 'TensorFlowLiteCSupport'):
            for file in (MAPS / target).rglob('*'):
                if file.suffix in ('.swift', '.c', '.h'):
                    self.assertIn(file, found)

    def test_the_privacy_file_is_in_each_pod(self):
        for name in PODS:
            self.assertIn('apple/PrivacyInfo.xcprivacy', list(Podspec(name).values('resource_bundles')))

    def test_modules(self):
        self.assertEqual(Podspec('TensorFlowLiteSwift').one('module_name'), 'TensorFlowLite')
        self.assertEqual(Podspec('TensorFlowLiteObjC').one('module_name'), 'TFLTensorFlowLite')


class Privacy(unittest.TestCase):
    def test_keys(self):
        with open(APPLE / 'PrivacyInfo.xcprivacy', 'rb') as file:
            reported = plistlib.load(file)
        self.assertIs(reported['NSPrivacyTracking'], False)
        self.assertEqual(reported['NSPrivacyTrackingDomains'], [])
        self.assertEqual(reported['NSPrivacyCollectedDataTypes'], [])
        for entry in reported['NSPrivacyAccessedAPITypes']:
            self.assertRegex(entry['NSPrivacyAccessedAPIType'], '^NSPrivacyAccessedAPICategory[A-Z]')
            for reason in entry['NSPrivacyAccessedAPITypeReasons']:
                self.assertRegex(reason, r'^[0-9A-F]{4}\.\d$')

    def test_no_other_call_is_due(self):
        """Apple wants reasons for some functions. Of these the sources call two, as the privacy file tells."""
        due = re.compile(r'\b(stat|fstat|lstat|fstatat|getattrlist\w*|statfs|statvfs|fstatfs|fstatvfs|mach_absolute_time|'
                         r'last_write_time)\s*\(')
        called = set()
        for path in (ROOT / 'src').rglob('*.cc'):
            if not path.name.endswith('_test.cc') and 'testing' not in path.parts:
                called |= set(due.findall(re.sub(r'//[^\n]*', '', path.read_text())))
        self.assertEqual(called, {'fstat', 'fstatat'})


class Maps(unittest.TestCase):
    def test_headers_are_there(self):
        maps = list(MAPS.rglob('module.modulemap'))
        self.assertEqual(len(maps), 3)
        for path in maps:
            text = path.read_text()
            self.assertEqual(re.findall(r'^module (\w+)', text, re.M), [path.parents[1].name])
            headers = re.findall(r'\bheader "([^"]+)"', text)
            self.assertTrue(headers)
            for header in headers:
                self.assertTrue((path.parent / header).is_file(), f'{path}: {header}')

    def test_no_header_is_a_copy(self):
        link = MAPS / 'TensorFlowLiteC/include/tensorflow'
        self.assertTrue(link.is_symlink())
        self.assertEqual(link.resolve(), ROOT / 'include/tensorflow')


class Xcframework(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def library(self, name):
        path = self.folder / name
        if path.suffix == '.framework':
            path.mkdir(parents=True)
            (path / path.stem).write_bytes(b'binary')
            (path / 'Headers').mkdir()
        else:
            path.write_bytes(b'binary')
        return path

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, '-B', SCRIPT, *map(str, arguments)], capture_output=True, text=True, check=False)

    def made(self, name, *arguments):
        out = self.folder / f'{name}.xcframework'
        run = self.run_script(out, *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(out / 'Info.plist', 'rb') as file:
            return out, plistlib.load(file)

    def test_libraries_with_headers(self):
        device, simulator = self.library('libtensorflowlite_c.a'), self.library('other.a')
        out, plist = self.made('TensorFlowLiteC', f'ios-arm64={device}', f'ios-arm64_x86_64-simulator={simulator}')
        self.assertEqual(plist['CFBundlePackageType'], 'XFWK')
        self.assertEqual(plist['XCFrameworkFormatVersion'], '1.0')
        self.assertEqual([entry['LibraryIdentifier'] for entry in plist['AvailableLibraries']],
                         ['ios-arm64', 'ios-arm64_x86_64-simulator'])
        first, second = plist['AvailableLibraries']
        self.assertEqual((first['SupportedPlatform'], first['SupportedArchitectures']), ('ios', ['arm64']))
        self.assertNotIn('SupportedPlatformVariant', first)
        self.assertEqual((second['SupportedPlatformVariant'], second['SupportedArchitectures']), ('simulator', ['arm64', 'x86_64']))
        for entry in plist['AvailableLibraries']:
            slice_folder = out / entry['LibraryIdentifier']
            self.assertEqual((slice_folder / entry['LibraryPath']).read_bytes(), b'binary')
            self.assertEqual(entry['BinaryPath'], entry['LibraryPath'])
            self.check_headers(slice_folder / entry['HeadersPath'])

    def check_headers(self, headers):
        """Whatever a header of the slice includes from the project lies in the slice."""
        self.assertTrue((headers / 'module.modulemap').is_file())
        files = list(headers.rglob('*.h'))
        self.assertGreater(len(files), 10)
        for file in files:
            self.assertFalse(file.is_symlink())
            for name in re.findall(r'#\s*include "([^"]+)"', file.read_text()):
                self.assertTrue((headers / name).is_file(), f'{file}: {name}')

    def test_a_module_over_another(self):
        library = self.library('libmetal.a')
        out, _ = self.made('TensorFlowLiteCMetal', '--over', MAPS / 'TensorFlowLiteC/include/module.modulemap', f'ios-arm64={library}')
        headers = out / 'ios-arm64/Headers'
        self.assertEqual(sorted(p.relative_to(headers).as_posix() for p in headers.rglob('*') if p.is_file()),
                         ['TensorFlowLiteCMetal.h', 'module.modulemap', 'tensorflow/lite/delegates/gpu/metal_delegate.h'])

    def test_frameworks(self):
        framework = self.library('TensorFlowLiteC.framework')
        out, plist = self.made('TensorFlowLiteC', f'macos-arm64_x86_64={framework}', f'ios-arm64_x86_64-maccatalyst={framework}')
        for entry in plist['AvailableLibraries']:
            self.assertNotIn('HeadersPath', entry)
            self.assertTrue((out / entry['LibraryIdentifier'] / entry['BinaryPath']).is_file())

    def test_it_is_made_anew(self):
        library = self.library('a.a')
        out, _ = self.made('TensorFlowLiteC', f'ios-arm64={library}', f'tvos-arm64={library}')
        self.made('TensorFlowLiteC', f'ios-arm64={library}')
        self.assertFalse((out / 'tvos-arm64').exists())

    def test_refusals(self):
        library, out = self.library('a.a'), self.folder / 'X.xcframework'
        for arguments, word in (
                ([out], 'there is no slice'), ([out, f'ios={library}'], '"ios" is no slice'),
                ([out, f'ios-mips={library}'], '"ios-mips"'), ([out, f'ios-arm64-phone={library}'], '"ios-arm64-phone"'),
                ([out, 'ios-arm64'], 'expected SLICE=LIBRARY'), ([out, f'ios-arm64={library}', f'ios-arm64={library}'], 'each slice once'),
                ([out, 'ios-arm64=none.a'], 'none.a'), ([out, f'ios-arm64={SCRIPT}'], 'xcframework.py: expected'),
                ([self.folder / 'X', f'ios-arm64={library}'], 'expected a name that ends in .xcframework'),
                ([out, '--module-map', 'none', f'ios-arm64={library}'], 'none: expected a module map'),
                ([out, '--over', 'none', f'ios-arm64={library}'], 'none: expected a module map')):
            with self.subTest(arguments=arguments):
                run = self.run_script(*arguments)
                self.assertEqual(run.returncode, 2)
                self.assertIn(word, run.stderr)
                self.assertFalse(out.exists())

    def test_a_refusal_leaves_what_was_there(self):
        library = self.library('a.a')
        out, _ = self.made('TensorFlowLiteC', f'ios-arm64={library}')
        self.assertEqual(self.run_script(out, f'ios-arm64={library}', 'tvos-arm64=none.a').returncode, 2)
        self.assertTrue((out / 'ios-arm64/a.a').is_file())


def check_dump(file):
    """Yields sentences about what is wrong in what SwiftPM made of Package.swift."""
    reported = json.loads(pathlib.Path(file).read_text())
    if reported['name'] != 'TensorFlowLite':
        yield f"the package is called {reported['name']}"
    if [product['name'] for product in reported['products']] != ['TensorFlowLite']:
        yield f"the products are {reported['products']}"
    targets = {target['name']: target for target in reported['targets']}
    if set(targets) != TARGETS:
        yield f'the targets are {sorted(targets)}'
    for name, target in targets.items():
        if not (ROOT / target['path']).is_dir():
            yield f"{name}: there is no folder {target['path']}"
        # SwiftPM refuses a dependency with such flags. The tests alone may have them.
        kinds = {kind for setting in target.get('settings', []) for kind in setting['kind']}
        if 'unsafeFlags' in kinds and name != 'TernFakeMetal':
            yield f'{name} has unsafe flags'
    if reported['dependencies']:
        yield f"it depends on {reported['dependencies']}"


if __name__ == '__main__':
    if sys.argv[1:2] == ['--dump']:
        wrong = list(check_dump(sys.argv[2]))
        print('\n'.join(wrong) or 'the manifest is as the tests expect it')
        sys.exit(1 if wrong else 0)
    unittest.main()
