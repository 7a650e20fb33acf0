#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pack of malformed models: how far each gets is what index.tsv says, what fails says why, and the command line ends
in order on every one.   malformed_test.py TERN MAKE_MALFORMED

TERN_UPDATE_DOCS=1 writes index.tsv again."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TERN, MAKE = sys.argv[1:]
INDEX = pathlib.Path(__file__).with_name('index.tsv')
AT_LEAST = 200
OUTCOMES = ('load', 'allocate', 'invoke', 'runs')
# The places that a message about a damaged graph may name.
PLACES = re.compile(r'operator|op \d|node|tensor|input|output|subgraph|signature|buffer|metadata|opcode|schema|[A-Z0-9_]{3,}',
                    re.I)


def made(folder):
    """Rows of the pack: file, what is wrong, outcome, message."""
    run = subprocess.run([MAKE, str(folder)], capture_output=True, text=True, errors='replace', check=False)
    rows = [line.split('\t') for line in (folder / 'index.tsv').read_text(errors='replace').splitlines()]
    assert run.returncode == 0, ('the pack was not finished', rows[-1:], run.returncode, run.stderr[-2000:])
    assert all(len(row) == 4 and row[2] in OUTCOMES for row in rows), rows
    return rows


def tern(verb, file):
    run = subprocess.run([TERN, verb, str(file)], capture_output=True, text=True, errors='replace', check=False, timeout=60)
    return run.returncode, run.stderr.strip()


def wrong(row, folder):
    """Yields the faults of a row; none in most cases."""
    file, what, outcome, message = row
    if outcome != 'runs' and not message.strip():
        yield f'{file}: fails ({outcome}) without a message'
    if outcome != 'runs' and not file.startswith('container_') and not PLACES.search(message):
        yield f'{file}: the message names no place: {message}'
    for verb in ('inspect', 'run'):
        status, said = tern(verb, folder / file)
        if status not in (0, 1):
            yield f'{file}: tern {verb} ended with {status}: {said}'
        if status == 1 and not re.match('tern: .', said):
            yield f'{file}: tern {verb} does not say what is wrong: {said!r}'
        # Where numbers decide, those that tern gives may be good ones.
        if verb == 'run' and outcome != 'invoke' and (status == 0) != (outcome == 'runs'):
            yield f'{file} ({what}): tern run ended with {status}, {outcome} was expected: {said}'
        if verb == 'inspect' and status == 1 and outcome != 'load':
            yield f'{file} ({what}): tern inspect refuses it, {outcome} was expected: {said}'


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = made(folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            breaches = [b for found in threads.map(lambda row: list(wrong(row, folder)), rows) for b in found]
    if len(rows) < AT_LEAST:
        breaches.append(f'{len(rows)} models, at least {AT_LEAST} are asked for')
    lines = ['\t'.join(row[:3]) for row in rows]
    if os.environ.get('TERN_UPDATE_DOCS'):
        INDEX.write_text('\n'.join(lines) + '\n')
    else:
        known = INDEX.read_text().splitlines()
        for line in sorted(set(known) - set(lines)):
            breaches.append(f'index.tsv has, the pack has not: {line}')
        for line in sorted(set(lines) - set(known)):
            breaches.append(f'the pack has, index.tsv has not: {line}')
    print('\n'.join(breaches))
    counts = ', '.join(f'{sum(row[2] == outcome for row in rows)} {outcome}' for outcome in OUTCOMES)
    print(f'{len(rows)} models: {counts}; {len(breaches)} breaches (TERN_UPDATE_DOCS=1 writes index.tsv)')
    return 1 if breaches else 0


if __name__ == '__main__':
    sys.exit(main())
