#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the examples of the documents work: every ```cpp and ```objc block of README.md, CONTRIBUTING.md and
docs/ compiles, and every ```sh block whose first line is `# run` runs, links lead somewhere, the index names every page,
and reference.md is that of the headers.   docs_test.py CXX BUILD_FOLDER

A cpp block with a main function or an #include is compiled as it stands; a fragment is put into a function after the
usual headers. A block that starts with `// fragment` shows code inside the project and is left out. An objc block is
compiled as it stands, where there is GNUstep."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEADERS = '''#include <memory>
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"
'''


def blocks(language):
    for file in [ROOT / 'README.md', ROOT / 'CONTRIBUTING.md', *sorted((ROOT / 'docs').rglob('*.md'))]:
        for found in re.finditer(rf'^```{language}\n(.*?)^```', file.read_text(), re.S | re.M):
            yield f'{file.relative_to(ROOT)}', found.group(1)


def compiles(cxx, build, text):
    if '#include' not in text and 'int main' not in text:
        text = f'{HEADERS}\nint Fragment() {{\n{text}\nreturn 0;\n}}\n'
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / 'block.cc'
        source.write_text(text)
        run = subprocess.run([cxx, '-std=c++17', '-fsyntax-only', f'-I{ROOT}/include', f'-I{build}/include',
                              str(source)], capture_output=True, text=True, check=False)
    return run.returncode == 0, run.stderr


def objc_command(build):
    """The compiler and its flags; none, with a line that says why, where they are missing."""
    run = subprocess.run(['bash', 'objc/tests/flags.sh', build], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return run.stdout.split()
    print(f'skipped: objc blocks: {run.stdout.strip()}')
    return None


def check_objc_blocks(build):
    """How many objc blocks do not compile."""
    command = objc_command(build)
    failed = 0
    for where, text in blocks('objc') if command else ():
        run = subprocess.run([*command, '-fsyntax-only', '-x', 'objective-c', '-'], cwd=ROOT,
                             input=text, capture_output=True, text=True, check=False)
        print(f"{'ok' if run.returncode == 0 else 'FAILED'}: objc block in {where}")
        failed += run.returncode != 0
        print(run.stderr, end='')
    return failed


def links():
    """Relative links of the documents that lead nowhere."""
    for file in [ROOT / 'README.md', ROOT / 'CONTRIBUTING.md', *sorted((ROOT / 'docs').rglob('*.md'))]:
        for target in re.findall(r'\]\(([^)#\s]+)', file.read_text()):
            if '://' not in target and not (file.parent / target).exists():
                yield f'{file.relative_to(ROOT)}: {target}'


def pages_without_a_line():
    """Pages that the index does not name."""
    index = (ROOT / 'docs' / 'README.md').read_text()
    for file in sorted((ROOT / 'docs').glob('*.md')):
        if file.name != 'README.md' and f']({file.name})' not in index:
            yield file.name


def main():
    cxx, build = sys.argv[1], sys.argv[2]
    failed = 0
    for where, text in blocks('cpp'):
        if text.startswith('// fragment'):
            continue
        ok, message = compiles(cxx, build, text)
        print(f"{'ok' if ok else 'FAILED'}: cpp block in {where}")
        if not ok:
            failed += 1
            print(message)
    for where, text in blocks('sh'):
        if not text.startswith('# run'):
            continue
        run = subprocess.run(['bash', '-eu', '-c', text], cwd=ROOT, capture_output=True, text=True, check=False)
        print(f"{'ok' if run.returncode == 0 else 'FAILED'}: sh block in {where}")
        if run.returncode != 0:
            failed += 1
            print(run.stdout + run.stderr)
    failed += check_objc_blocks(build)
    for dead in links():
        failed += 1
        print(f'FAILED: dead link {dead}')
    for page in pages_without_a_line():
        failed += 1
        print(f'FAILED: docs/README.md does not name {page}')
    reference = subprocess.run([sys.executable, '-B', ROOT / 'tools/reference.py', '--check'], check=False)
    failed += reference.returncode
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
