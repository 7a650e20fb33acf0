#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that the command line cannot read or write, for every verb and option that takes one.   cli_files_test.py TERN

Exit status 1, one sentence on stderr that names the file, no result on stdout, and nothing written."""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TERN = os.path.abspath(sys.argv[1])
MODEL = ROOT / 'demo/landscape.tflite'
PICTURE = ROOT / 'demo/landscape.png'
NOBODY = 65534
# Options after which a model, a folder of cases or a cache is read.
MODELS = (['run'], ['inspect'], ['bench', '--engines', 'cpu'], ['explain'], ['diff'], ['tune'], ['advise'], ['plan'], ['kernels'])
# Options that read a file, with what stands before.
READ = (['run', MODEL, '--image'], ['run', MODEL, '--image', PICTURE, '--labels'], ['verify'],
        ['cache', 'list', '--cache-dir'], ['cache', 'check', '--cache-dir'], ['cache', 'clear', '--cache-dir'])
# Options that write a file. A place that cannot be written is reported before the work.
WRITE = (['run', MODEL, '--report'], ['run', MODEL, '--trace'], ['inspect', MODEL, '--json'], ['inspect', MODEL, '--html'],
         ['bench', MODEL, '--json'], ['bench', MODEL, '--html'], ['explain', MODEL, '--json'], ['explain', MODEL, '--html'],
         ['tune', MODEL, '--json'], ['advise', MODEL, '--json'], ['advise', MODEL, '--html'], ['devices', '--json'])
# Options that write into a folder, which they make.
WRITE_BELOW = (['run', MODEL, '--output-dir'], ['verify', ROOT / 'demo', '--dump'])


def everything(folder):
    return sorted((str(path), path.stat().st_size) for path in folder.rglob('*'))


def refused(folder, args, *parts, user=None):
    before = everything(folder)
    run = subprocess.run([TERN, *map(str, args)], cwd=folder, user=user, capture_output=True, text=True, check=False)
    reported = [line for line in run.stderr.splitlines() if not line.startswith('[')]  # bench counts its steps
    assert run.returncode == 1, (args, run)
    assert len(reported) == 1 and reported[0].startswith('tern: '), (args, run.stderr)
    for part in parts:
        assert part in run.stderr + run.stdout, (args, part, run)
    assert everything(folder) == before, (args, everything(folder))
    return run


def check_reading(folder):
    (folder / 'empty').write_text('')
    (folder / 'text').write_text('no model\n')
    (folder / 'folder').mkdir()
    for name, why in (('missing', 'No such file or directory'), ('folder', 'a folder, expected a file'), ('empty', 'mpty'),
                      ('text', 'text file')):
        for verb, *more in MODELS:
            run = refused(folder, [verb, folder / name, *more], name, why)
            assert not run.stdout or verb == 'bench', (verb, run.stdout)
        for option in READ:
            fine = option[-1] == '--cache-dir' and name == 'folder' or option[-1] == '--labels' and name == 'text'
            if not fine:
                refused(folder, [*option, folder / name], name)


def check_writing(folder):
    (folder / 'folder').mkdir(exist_ok=True)
    (folder / 'text').write_text('mine\n')
    for option in WRITE:
        for place, why in (('folder', 'Is a directory'), ('none/x', 'No such file or directory'), ('text/x', 'Not a directory')):
            assert not refused(folder, [*option, folder / place], place, why).stdout, option
    for option in WRITE_BELOW:
        for place in ('text', 'text/x'):
            assert not refused(folder, [*option, folder / place], place, 'Not a directory').stdout, option
    refused(folder, ['diff', MODEL, '--write', folder / 'folder'], 'folder', 'Is a directory')
    refused(folder, ['diff', MODEL, '--write', folder / 'text/x'], 'text', 'Not a directory')


def check_permissions(folder):
    """As another user where this one is root, for whom permissions do not count."""
    user = NOBODY if os.geteuid() == 0 else None
    folder.chmod(0o755)
    locked, model, closed = folder / 'locked', folder / 'mine.tflite', folder / 'closed'
    closed.mkdir(exist_ok=True)
    closed.chmod(0o700 if user else 0)
    model.write_bytes(MODEL.read_bytes())
    locked.write_bytes(MODEL.read_bytes())
    locked.chmod(0)
    for verb in MODELS:
        refused(folder, [verb[0], locked, *verb[1:]], 'locked', user=user)
    refused(folder, ['verify', closed], 'closed', 'ermission denied', user=user)
    for option in WRITE:
        option = [model if word == MODEL else word for word in option]
        refused(folder, [*option, closed / 'x'], 'closed/x', 'Permission denied', user=user)
    for option in (['run', model, '--output-dir'], ['verify', folder, '--dump'], ['diff', model, '--write']):
        refused(folder, [*option, closed / 'x'], 'closed', 'Permission denied', user=user)
        refused(folder, [*option, closed / 'x/y'], 'closed', 'Permission denied', user=user)


def check_full_output():
    """A program that prints to a full disk must fail."""
    if not os.path.exists('/dev/full'):
        return
    for args in (['help'], ['inspect', MODEL], ['inspect', MODEL, '--json', '-'], ['run', MODEL, '--report', '-']):
        with open('/dev/full', 'w') as full:
            run = subprocess.run([TERN, *args], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert run.returncode == 1, (args, run)
        assert run.stderr.endswith('tern: cannot write to the standard output: No space left on device\n'), (args, run.stderr)


def main():
    for check in (check_reading, check_writing, check_permissions):
        with tempfile.TemporaryDirectory() as name:
            check(pathlib.Path(name))
    check_full_output()
    print('files that cannot be used are told')


if __name__ == '__main__':
    main()
