#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up what ./dev test left in a folder: XML files of GoogleTest and pytest, ctest's list of programs, and outputs of
tern verify.

Names what was skipped and closes with `N passed, N failed, N skipped`. Exit status 1 when anything failed or nothing
passed.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

SKIPPED_ENGINE = re.compile(r'^\[  SKIPPED \] (engine .*)$', re.M)  # printed once by a program whose tests then run without it
SKIPPED_PART = re.compile(r'^skipped[: ] *(.*)$', re.M)  # of a program that passed otherwise
CLOSING = re.compile(r'^(\d+) passed, (\d+) failed, (\d+) skipped$', re.M)


def gtest_counts(file):
    """(passed, failed, names of the skipped) of one test program."""
    passed, failed, skipped = 0, 0, []
    for case in xml.parse(file).getroot().iter('testcase'):
        name = f"{case.get('classname')}.{case.get('name')}"
        if case.find('failure') is not None or case.find('error') is not None:
            failed += 1
        elif case.get('result') == 'skipped' or case.get('status') == 'notrun' or case.find('skipped') is not None:
            note = case.find('skipped')
            reason = '' if note is None else (note.get('message') or '').strip().splitlines()[-1:]
            skipped.append(name + (f': {reason[0]}' if reason else ''))
        else:
            passed += 1
    return passed, failed, skipped


def program_counts(file, counted):
    """(passed, failed, skipped names) of the ctest entries whose parts were not counted yet.

    counted: number of failures already counted, by program name.
    """
    passed, failed, skipped = 0, 0, []
    for case in xml.parse(file).getroot().iter('testcase'):
        status = case.get('status')
        output = case.findtext('system-out') or ''
        skipped += [f"{case.get('name')}: {engine}" for engine in dict.fromkeys(SKIPPED_ENGINE.findall(output))]
        if status == 'fail':
            # A program may die before it writes its XML file.
            failed += counted.get(case.get('name'), 0) == 0
        elif case.get('name') not in counted:
            if status == 'run':
                passed += 1
                skipped += [f"{case.get('name')}, a part: {reason}" for reason in SKIPPED_PART.findall(output)]
            else:
                reason = output.strip().splitlines()[-1:]
                skipped.append(case.get('name') + (f': {reason[0]}' if reason else ''))
    return passed, failed, skipped


def main():
    folder = pathlib.Path(sys.argv[1])
    passed, failed, skipped = 0, 0, []
    counted = {}
    for file in sorted(folder.rglob('*.xml')):
        p, f, s = gtest_counts(file)
        name = file.stem if file.parent == folder else file.parent.name  # of a shard
        counted[name] = f
        passed, failed, skipped = passed + p, failed + f, skipped + s
    junit = folder / 'ctest.junit'
    if junit.exists():
        p, f, s = program_counts(junit, counted)
        passed, failed, skipped = passed + p, failed + f, skipped + s
    else:
        failed += 1
    case_skips = 0
    for file in sorted(folder.glob('*.verify')):
        found = CLOSING.findall(file.read_text(errors='replace'))
        if not found:
            failed += 1
            print(f'{file.stem}: did not finish')
            continue
        p, f, s = map(int, found[-1])
        if p + f + s == 0:
            failed += 1
            print(f'{file.stem}: found no cases')
        print(f'{file.stem}: {p} passed, {f} failed, {s} skipped')
        passed, failed, case_skips = passed + p, failed + f, case_skips + s
    for name in skipped:
        print(f'skipped  {name}')
    print(f'{passed} passed, {failed} failed, {len(skipped) + case_skips} skipped')
    return 0 if passed and not failed else 1


if __name__ == '__main__':
    sys.exit(main())
