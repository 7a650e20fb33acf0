#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tests name every method, property, constant and code of the public headers, and snippets/ has every
Objective-C block of the product documents, line by line, where the documents are there."""
import html
import os
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parents[1]
DOCUMENTS = pathlib.Path(os.environ.get('TERN_SHARED', ROOT.parent / 'shared')) / 'product-docs'


def without_comments(text):
    return re.sub(r'/\*.*?\*/|//[^\n]*', '', text, flags=re.S)


def names_of(header):
    """Names that an application can write: first words of methods, properties and their getters, constants."""
    text = without_comments(header)
    for found in re.finditer(r'^[-+] \([^;]*?\)(\w+)(?=[:;\s])', text, re.M):
        yield found.group(1)
    for found in re.finditer(r'^@property\(([^)]*)\)[^;]*?(\w+);', text, re.M):
        yield found.group(2)
        yield from re.findall(r'getter=(\w+)', found.group(1))
    for body in re.findall(r'NS_ENUM\([^)]*\) \{(.*?)\}', text, re.S):
        yield from re.findall(r'\b(TFL\w+)', body)
    yield from re.findall(r'FOUNDATION_EXPORT [^;]*?(\w+);', text)
    yield from re.findall(r'@interface (\w+)', text)


def is_named(name, tests):
    """Codes stand behind the macros that put their first part in front."""
    short = re.sub(r'^TFL(Interpreter|SignatureRunner)ErrorCode', r'', name)
    macro = 'INTERPRETER' if name.startswith('TFLInterpreterErrorCode') else 'RUNNER'
    return re.search(rf'\b{name}\b', tests) or (
        short != name and re.search(rf'CHECK_{macro}_ERROR\(\w+, {short}\b', tests))


def missing_names():
    tests = '\n'.join(without_comments(file.read_text()) for file in sorted(TESTS.glob('*_test.m')))
    names = sorted({name for file in sorted((ROOT / 'objc/apis').glob('*.h')) for name in names_of(file.read_text())})
    return names, [name for name in names if not is_named(name, tests)]


def missing_lines():
    """Lines of the documents' blocks that no snippet has."""
    known = {line.strip() for file in (TESTS / 'snippets').iterdir() for line in file.read_text().splitlines()}
    blocks = 0
    missing = []
    for document in sorted(DOCUMENTS.glob('*.txt')):
        for block in re.findall(r'<pre class="prettyprint lang-objc">(.*?)</pre>', document.read_text(), re.S):
            blocks += 1
            lines = [line.strip() for line in html.unescape(block).splitlines()]
            missing += [f'{document.name}: {line}' for line in lines if line and line not in known]
    return blocks, missing


def main():
    names, unnamed = missing_names()
    for name in unnamed:
        print(f'FAILED: no test names {name}')
    print(f'names of the headers: {len(names)}, {len(unnamed)} without a test')
    lines = []
    if DOCUMENTS.is_dir():
        blocks, lines = missing_lines()
        for line in lines:
            print(f'FAILED: no snippet has the line {line}')
        print(f'blocks of the documents: {blocks}')
    else:
        print(f'skipped: whether the snippets are all that the documents have (no {DOCUMENTS})')
    return 1 if unnamed or lines else 0


if __name__ == '__main__':
    sys.exit(main())
