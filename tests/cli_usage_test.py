#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Help of the command line, and what it says to words that it does not understand.   cli_usage_test.py TERN

Wrong words: exit status 2, one sentence on stderr with the word and what was expected, nothing on stdout and nothing
written."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TERN = os.path.abspath(sys.argv[1])
MODEL = ROOT / 'demo/landscape.tflite'
VERBS = {'run': [MODEL], 'inspect': [MODEL], 'bench': [MODEL], 'explain': [MODEL], 'diff': [MODEL], 'verify': [ROOT / 'demo'],
         'tune': [MODEL], 'plan': [MODEL], 'kernels': [MODEL], 'cache list': ['--cache-dir', '.'],
         'cache check': ['--cache-dir', '.'], 'cache clear': ['--cache-dir', '.']}


def tern(*args, folder='.'):
    return subprocess.run([TERN, *map(str, args)], cwd=folder, capture_output=True, text=True, check=False)


def refused(folder, args, *parts):
    """A call with wrong words; each of `parts` stands in its one sentence."""
    run = tern(*args, folder=folder)
    assert run.returncode == 2 and not run.stdout, (args, run)
    assert len(run.stderr.splitlines()) == 1 and run.stderr.startswith('tern'), (args, run.stderr)
    for part in parts:
        assert part in run.stderr, (args, part, run.stderr)
    assert not os.listdir(folder), (args, os.listdir(folder))


def check_help():
    usage = tern('help')
    assert usage.returncode == 0 and not usage.stderr
    for args in ([], ['--help'], ['-h']):
        assert tern(*args).stdout == usage.stdout, args
    told = re.findall(r'^  (\w+) +[A-Z]', usage.stdout, re.M)
    assert sorted(told) == sorted({verb.split()[0] for verb in VERBS}), told
    assert re.fullmatch(r'tern \d+\.\d+\.\d+, with the interface of TensorFlow Lite \d+\.\d+\.\d+\n', tern('--version').stdout)
    for verb in VERBS:
        words = verb.split()
        shown = tern(*words, '--help')
        assert shown.returncode == 0 and not shown.stderr, verb
        if len(words) == 1:
            assert tern('help', verb).stdout == shown.stdout, verb


def check_words(folder):
    refused(folder, ['rum', MODEL], "no verb 'rum'", 'did you mean run?', 'tern help')
    refused(folder, ['help', 'verfy'], 'did you mean verify?')
    refused(folder, ['frobnicate'], "no verb 'frobnicate' (")
    refused(folder, ['--frobnicate'], "no verb '--frobnicate'")
    refused(folder, ['cache'], 'expected list, check or clear')
    refused(folder, ['cache', 'lst', '--cache-dir', '.'], 'expected list, check or clear')
    for verb, arguments in VERBS.items():
        words, help_of = verb.split(), f'(tern {verb} --help)'
        refused(folder, words, f'tern {verb}: ', ' is missing: ', help_of)
        refused(folder, [*words, *arguments, '--frobnicate'], 'there is no option --frobnicate', help_of)
        if verb not in ('bench', 'verify'):  # these take any number
            refused(folder, [*words, *arguments, 'extra'], "'extra' is one argument too many", help_of)
    refused(folder, ['run', MODEL, '--rusn', '3'], 'no option --rusn; did you mean --runs?')


def main():
    check_help()
    with tempfile.TemporaryDirectory() as folder:
        check_words(folder)
    print('wrong words are told')


if __name__ == '__main__':
    main()
