#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference.md from the public headers that TensorFlow Lite does not have.

reference.py           writes it
reference.py --check   exit status 1 when it is out of date
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / 'docs/reference.md'
HEAD = '''# Reference of additions

The C and C++ functions and types that Tern adds to the interface of TensorFlow Lite, from their headers by `tools/reference.py`.
Everything else has the reference's names and meanings ([coming_from.md](coming_from.md)). Keys of the delegate's options and
variables of the environment are in [options.md](options.md), the commands in [run.md](run.md), Python in [python.md](python.md),
Java in [java.md](java.md).
'''
MARK = 'An extension of this library.'
LINE = 130


def comment_at(lines, start):
    """The words of the comment that begins there, and the line behind it. Indented lines are kept as they are."""
    end = start
    while end < len(lines) and lines[end].startswith('//'):
        end += 1
    return [line.removeprefix('//').removeprefix(' ') for line in lines[start:end]], end


def paragraphs(words):
    """Prose in lines of the page's length, and indented lines as code."""
    parts = []
    for word in words:
        kind = 'code' if word.startswith('  ') else 'prose' if word else ''
        if kind and parts and parts[-1][0] == kind:
            parts[-1][1].append(word)
        else:
            parts.append((kind, [word]))
    texts = ['```text\n' + '\n'.join(lines) + '\n```' if kind == 'code' else textwrap.fill(' '.join(lines), LINE)
             for kind, lines in parts if kind]
    return '\n\n'.join(texts)


def declaration_at(lines, start):
    """The declaration that begins there, without a body of a function, and the line behind it."""
    depth, end, kept = 0, start, []
    is_function = '(' in lines[start]
    while end < len(lines):
        line = lines[end]
        end += 1
        kept.append(line)
        depth += line.count('{') - line.count('}')
        if depth == 0 and line.rstrip().endswith((';', '}')) or line.startswith('}'):
            break
    text = '\n'.join(kept)
    if is_function:
        text = re.sub(r'\s*\{.*', ';', text, count=1, flags=re.S)
        text = re.sub(r'\n +', '\n    ', text)
    return text.replace('TFL_CAPI_EXPORT ', '').rstrip(), end


def name_of(declaration):
    function = re.search(r'(\w+)\(', declaration.split('{')[0])
    kind = re.search(r'(?:struct|enum|class) (\w+)', declaration)
    return function.group(1) if function else kind.group(1) if kind else None


def is_declaration(line):
    return re.match(r'(TFL_CAPI_EXPORT|typedef|inline|struct|class|enum|template|\w[\w:<>]* \w+\()', line) is not None


def section(path):
    lines = path.read_text().splitlines()
    words, at = comment_at(lines, 1)  # behind the SPDX line
    about = ' '.join(words)
    if MARK not in about:
        return None
    about = re.sub(r'\s+', ' ', about.replace(MARK, '')).strip()
    parts = [f'## `{path.relative_to(ROOT / "include")}`', textwrap.fill(about, LINE)]
    words = []
    while at < len(lines):
        if lines[at].startswith('//'):
            words, at = comment_at(lines, at)
            if at < len(lines) and lines[at]:
                continue
            parts += [paragraphs(words)]
            words = []
        elif is_declaration(lines[at]):
            declaration, at = declaration_at(lines, at)
            if name_of(declaration):
                parts += [f'### {name_of(declaration)}', f'```c++\n{declaration}\n```']
                parts += [paragraphs(words)] if words else []
            words = []
        else:
            at += 1
    return '\n\n'.join(parts)


def main():
    sections = [section(path) for path in sorted((ROOT / 'include/tensorflow').rglob('*.h'))]
    text = HEAD + ''.join(f'\n{one}\n' for one in sections if one)
    if '--check' not in sys.argv[1:]:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        sys.exit('docs/reference.md is out of date: tools/reference.py writes it')


if __name__ == '__main__':
    main()
