#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/options.md lists the keys of the delegate's plug-in entry, the values that messages name, and options of `tern`."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
CODE = (ROOT / 'src/delegate/options.cc').read_text()
PAGE = (ROOT / 'docs/options.md').read_text()
ROWS = {cells[1].strip(' `'): cells for cells in (line.split('|') for line in PAGE.splitlines()) if len(cells) == 6}


class OptionsDocument(unittest.TestCase):
    def test_keys(self):
        tables = ''.join(re.findall(r'^constexpr (?:Key|ListKey) \w+\[\] = \{(.*?)^\};', CODE, re.S | re.M))
        keys = set(re.findall(r'\{"(\w+)",', tables))
        self.assertGreater(len(keys), 20)
        self.assertEqual(keys, set(ROWS) - {'key', '---'})

    def test_values(self):
        reported = re.findall(r'\{"(tern_\w+)",\s*[^{}"]*,\s*"([^"]+)"\}', CODE)
        self.assertGreater(len(reported), 8)
        for key, takes in reported:
            self.assertEqual(ROWS[key][2].strip(), takes, key)

    def test_flags_of_the_command_line(self):
        flags = (ROOT / 'tools/cli/engine/engine_flags.cc').read_text() + (ROOT / 'tools/cli/flags.cc').read_text()
        for key, cells in ROWS.items():
            for flag in re.findall(r'`(--[\w-]+)`', cells[4]):
                self.assertIn(f'"{flag}', flags, key)

    def test_variables(self):
        for name in re.findall(r'^\| `(TERN_\w+)`', PAGE, re.M):
            self.assertTrue(any(f'getenv("{name}")' in file.read_text() for file in (ROOT / 'src').rglob('*.cc')), name)


if __name__ == '__main__':
    unittest.main()
