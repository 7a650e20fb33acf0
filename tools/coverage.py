#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the lists of docs/coverage.md from what `TERN_ALL_SUITES=1 ./dev test` left behind.   coverage.py [RESULTS_FOLDER]

Everything above the line `<!-- lists -->` of the page is kept; below it stand the counts of each suite, and for each engine
the cases that were skipped, by reason.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / 'docs' / 'coverage.md'
MARK = '<!-- lists -->\n'
# Suites of one kind of engine skip the same cases, so one that runs all of them stands for the others.
LISTED = {'CPU': ['conformance-cpu', 'goldens-cpu'], 'GPU': ['conformance-gles-f32', 'goldens-gles-f32']}


def kind(reason):
    """The reason without what names one node, tensor or number."""
    missing = re.findall(r"builtin opcode '(\w+)'", reason)
    if missing:
        return 'operations of graph control and resources: ' + ', '.join(sorted(set(missing)))
    reason = re.sub(r'^\w[\w ().]*? #\d+: ', '', reason)
    reason = re.sub(r"(tensor|constant|output|input) '[^']*'", r'a \1', reason)
    reason = re.sub(r'^\w+: the delegate was not applied: ', '', reason)
    if reason == 'this operation has no GPU form':
        return reason
    return re.sub(r'(?<![A-Z\d])\d+', 'N', reason)


def skipped(logs):
    found = collections.defaultdict(list)
    for log in logs:
        for line in log.read_text(errors='replace').splitlines():
            match = re.match(r'skipped\s+(\S+): (.*)', line)
            if match:
                found[kind(match.group(2))].append(match.group(1))
    return found


def main():
    results = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / 'build/release/results')
    head = PAGE.read_text().split(MARK)[0]
    text = '## Counts\n\n| suite | passed | failed | skipped |\n|---|---|---|---|\n'
    for log in sorted(results.glob('*.verify')):
        counts = re.findall(r'^(\d+) passed, (\d+) failed, (\d+) skipped$', log.read_text(errors='replace'), re.M)
        if counts:
            text += f"| {log.stem.replace('-', ' ')} | {' | '.join(counts[-1])} |\n"
    for engine, stems in LISTED.items():
        text += f'\n## Skipped on the {engine}\n\n'
        reasons = skipped([results / f'{stem}.verify' for stem in stems])
        for reason, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
            text += f'* {reason} ({len(names)}): {", ".join(f"`{name}`" for name in sorted(names))}\n'
    PAGE.write_text(head + MARK + '\n' + text)


if __name__ == '__main__':
    main()
