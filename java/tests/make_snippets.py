#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes classes out of the Java and Kotlin blocks of the product documents, which lie word for word in snippets/, and
out of the blocks in README.md and docs/java.md. The activity of docs/android.md is a file as it stands.

make_snippets.py OUT_FOLDER [DOCS_FOLDER]: OUT_FOLDER/java and OUT_FOLDER/kotlin get a class for each block, which extends
SnippetContext: that has the names that the documents leave to the reader. With DOCS_FOLDER, the documents' folder, it fails
where a document has a block that is none of these.

Two lines of the documents are valid in no Java: `CompatibilityList compatList = CompatibilityList();` lacks `new`, and what
stands behind `while (true)` cannot be reached; the loop then asks `running()`."""
import html
import pathlib
import re
import sys

SNIPPETS = pathlib.Path(__file__).resolve().parent / 'snippets'
OUR_DOCUMENTS = [SNIPPETS.parents[2] / file for file in ('README.md', 'docs/java.md')]
ANDROID = SNIPPETS.parents[2] / 'docs/android.md'
MISTAKES = [('= CompatibilityList()', '= new CompatibilityList()'), ('while (true)', 'while (running())')]
JAVA = '''package snippets;

import java.io.File;
import org.tensorflow.lite.*;
import org.tensorflow.lite.gpu.*;
{imports}
@SuppressWarnings({{"deprecation", "unused"}})
final class {name} extends SnippetContext {{
  @Override
  public void run() {{
{body}    end({given});
  }}
}}
'''
KOTLIN = '''package snippets

{imports}
internal class {name} : SnippetContext() {{
  override fun run() {{
{body}    end({given})
  }}
}}
'''


def snippets():
    for file in sorted(SNIPPETS.iterdir()):
        yield file.name.split('.')[0], file.name.split('.')[1], file.read_text()


def split(text):
    lines = text.splitlines(keepends=True)
    imports = ''.join(line for line in lines if line.startswith('import '))
    return imports, ''.join(line for line in lines if not line.startswith('import '))


def write_class(out, name, language, text):
    imports, body = split(text)
    if language == 'java':
        for wrong, right in MISTAKES:
            body = body.replace(wrong, right)
    # The block leaves an interpreter, or options of one.
    given = 'interpreter' if re.search(r'\binterpreter\b', body) else 'options'
    name = name.title().replace('_', '') + ('Kotlin' if language == 'kt' else '') + 'Snippet'
    text = (JAVA if language == 'java' else KOTLIN).format(name=name, imports=imports, body=body, given=given)
    folder = out / ('java' if language == 'java' else 'kotlin') / 'snippets'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f'{name}.{language}').write_text(text)


def collapsed(text):
    return ' '.join(html.unescape(text.replace('<br>', ' ')).split())


def check(docs):
    """The documents' blocks that are none of ours."""
    for file in sorted(docs.glob('*.txt')):
        text = collapsed(file.read_text())
        for _, _, snippet in sorted(snippets(), key=lambda s: -len(s[2])):
            text = text.replace(collapsed(split(snippet)[1]), '')
        for found in re.finditer(r'.{40}\b(?:GpuDelegate|CompatibilityList)\(', text):
            yield f'{file.name}: ...{found.group(0)}...'


def main():
    out = pathlib.Path(sys.argv[1])
    for name, language, text in snippets():
        write_class(out, name, language, text)
    for file in OUR_DOCUMENTS:
        for fence, language in (('java', 'java'), ('kotlin', 'kt')):
            blocks = re.findall(rf'^```{fence}\n(.*?)^```', file.read_text(), re.S | re.M)
            for number, block in enumerate(blocks):
                write_class(out, f'{file.stem.lower()}_{number}', language, block)
    activity = re.search(r'^```kotlin\n(package .*?)^```', ANDROID.read_text(), re.S | re.M)
    (out / 'kotlin' / 'MainActivity.kt').write_text(activity.group(1))
    unknown = list(check(pathlib.Path(sys.argv[2]))) if len(sys.argv) > 2 else []
    for line in unknown:
        print(f'no snippet for {line}')
    return 1 if unknown else 0


if __name__ == '__main__':
    sys.exit(main())
