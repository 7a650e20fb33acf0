#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev says what is wrong with its words, and fails where what it calls fails. Stand-ins take the place of CMake and dpkg."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
CMAKE = '''#!/bin/sh
[ "$1" = --install ] || exit 0
echo "-- Installing: $4/lib/a.so"
[ -z "$INSTALL_FAILS" ] || { echo "CMake Error: file INSTALL cannot find b.so" >&2; exit 1; }
'''
INSTALLED = '#!/bin/sh\necho "install ok installed"\n'


class DevTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        for name, text in (('cmake', CMAKE), ('dpkg-query', INSTALLED)):
            (self.work / name).write_text(text)
            (self.work / name).chmod(0o755)
        (self.work / 'file').write_text('')

    def dev(self, *words, **environment):
        around = os.environ | {'PATH': f'{self.work}:{os.environ["PATH"]}'} | environment
        return subprocess.run([ROOT / 'dev', *map(str, words)], env=around, capture_output=True, text=True, check=False)

    def test_words_that_are_not_understood_are_named(self):
        for words, message in (
                (['bogus'], './dev: there is no command "bogus"; ./dev lists them'),
                (['test', 'arm'], './dev test: "arm" is not understood; expected arm64 armhf i386'),
                (['java', 'x86'], './dev java: "x86" is not understood; expected arm64'),
                (['check', 'all'], './dev check: "all" is not understood; expected no further word'),
                (['sizes', 'all'], './dev sizes: "all" is not understood; expected no further word'),
                (['fuzz', 'options', 'long'], './dev fuzz: "long" is not understood; expected seconds'),
                (['fuzz', 'options', '1', 'more'], './dev fuzz: "more" is not understood; expected a target and seconds'),
                (['wheel', 'python0'], './dev wheel: there is no "python0" here: expected names of Python\'s interpreter'),
                (['demo', '--model'], './dev demo: --model has no value: expected a file'),
                (['demo', '--image', 'a.png', '--labels'], './dev demo: --labels has no value: expected a file'),
                (['install'], './dev install takes one argument: the folder to install below'),
                (['install', 'a', 'b'], './dev install takes one argument: the folder to install below')):
            run = self.dev(*words)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (1, '', message + '\n'))

    def test_an_installation_that_fails(self):
        place = self.work / 'prefix'
        run = self.dev('install', place, INSTALL_FAILS='1')
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn('CMake Error: file INSTALL cannot find b.so\n./dev install: nothing usable lies below ', run.stderr)
        self.assertNotIn('find_package', run.stdout)
        run = self.dev('install', self.work / 'file' / 'x')
        self.assertEqual(run.returncode, 1)
        self.assertIn(f'./dev install: {self.work}/file/x cannot be made: expected a folder\n', run.stderr)
        self.assertNotIn('building', run.stdout)

    def test_an_installation_that_works(self):
        run = self.dev('install', self.work / 'prefix')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(f'-- Installing: {self.work}/prefix/lib/a.so\nC++: find_package(Tern)', run.stdout)


if __name__ == '__main__':
    unittest.main()
