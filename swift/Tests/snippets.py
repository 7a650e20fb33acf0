#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Swift blocks of documents, for swift/test.sh.

snippets.py check DOCS_FOLDER   fails unless each Swift block of the product documents lies word for word between the marks
                                of DocumentSnippets.swift, and each block there is in the documents that it names
snippets.py pages OUT_FILE      makes tests of the Swift blocks of README.md, CHANGELOG.md and docs/
snippets.py no-swift OUT_FILE   writes the block that is no Swift as a function, for the compiler to refuse"""
import html
import pathlib
import re
import sys
import textwrap

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parents[1]
COMMITTED = TESTS / 'TensorFlowLiteTests/DocumentSnippets.swift'
MARKED = re.compile(r'^ *// >>> (.*)\n((?:.*\n)*?) *// <<<$', re.M)
# A fence, and the tag of pages whose code stands in tabs.
FENCE = re.compile(r'^```swift\n(.*?)^```', re.S | re.M)
TAG = re.compile(r'<pre class="prettyprint lang-swift">(.*?)</pre>', re.S)
PAGES = ('README.md', 'CHANGELOG.md', 'docs/*.md')


def plain(block):
    """A block without the indentation that it has as a whole."""
    return textwrap.dedent(block.strip('\n').rstrip()).strip('\n')


def committed():
    """(names of documents, whether it is Swift, block) of each marked block."""
    for found in MARKED.finditer(COMMITTED.read_text()):
        names, text = found.groups()
        lines = [line for line in text.splitlines(keepends=True) if not line.rstrip().endswith('// not in the document')]
        yield names.replace(' no Swift', '').split(), 'no Swift' not in names, plain(''.join(lines))


def blocks(text):
    """Swift blocks of a document."""
    for pattern in (FENCE, TAG):
        for found in pattern.finditer(text):
            yield plain(html.unescape(found.group(1)))


def check(docs):
    """Sentences about what the documents and the marked blocks do not share; how many blocks were compared."""
    wanted = [(name, block) for names, _, block in committed() for name in names]
    found = [(file.name, block) for file in sorted(docs.glob('*.txt')) for block in blocks(file.read_text())]
    wrong = [f'{name}: {COMMITTED.name} has no block like\n{block}' for name, block in found if (name, block) not in wanted]
    wrong += [f'{COMMITTED.name}: {name} has no block like\n{block}' for name, block in wanted if (name, block) not in found]
    return wrong, len(found)


def split(block):
    """Imports, and the rest, of a block."""
    lines = block.splitlines()
    return [line for line in lines if line.startswith('import ')], [line for line in lines if not line.startswith('import ')]


def pages():
    """A class of tests, with one for each block of our own pages."""
    imports, tests = {'import XCTest'}, []
    for file in [file for pattern in PAGES for file in sorted(ROOT.glob(pattern))]:
        for number, found in enumerate(FENCE.finditer(file.read_text()), 1):
            needed, body = split(plain(found.group(1)))
            imports |= set(needed)
            name = ''.join(part.title() for part in re.split(r'\W+', file.stem)) + str(number)
            tests += [f'    func test{name}() throws {{', *(f'        {line}'.rstrip() for line in body), '    }', '']
    head = ['// SPDX-License-Identifier: Apache-2.0', f'// Made by swift/Tests/{pathlib.Path(__file__).name}: Swift blocks of our pages.']
    return '\n'.join([*head, *sorted(imports), '', 'final class PageSnippets: XCTestCase {', *tests, '}', ''])


def no_swift():
    """The one block that is none, as a function."""
    block, = [block for _, is_swift, block in committed() if not is_swift]
    imports, body = split(block)
    return '\n'.join([*imports, 'func snippet(modelPath: String) throws {', *body, '}', ''])


def main():
    what, path = sys.argv[1], pathlib.Path(sys.argv[2])
    if what == 'check':
        wrong, count = check(path)
        print('\n'.join(wrong) or f'{count} Swift blocks of the product documents are in {COMMITTED.name}')
        return 1 if wrong or not count else 0
    path.write_text({'pages': pages, 'no-swift': no_swift}[what]())
    return 0


if __name__ == '__main__':
    sys.exit(main())
