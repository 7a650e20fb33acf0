#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Help of the command line, and what it says to words that it does not understand.   cli_usage_test.py TERN

Wrong words: exit status 2, one sentence on stderr with the word and what was expected, nothing on stdout and nothing
written."""
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TERN = os.path.abspath(sys.argv[1])
MODEL = ROOT / 'demo/landscape.tflite'
# Values that are right, but not twice.
GOOD = {'--engine': 'gles', '--device': 'mali', '--threads': '1', '--gpu-allow': '1', '--gpu-least-gain': '1',
        '--max-partitions': '1', '--precision': 'f16', '--activations': 'f16', '--sums': 'f16', '--packed': 'on', '--slice-width': '4',
        '--cache-dir': '.', '--tune': '1', '--budget': '1', '--runs': '1', '--gpu-drop-slow': '1', '--every': '1', '--from': '1',
        '--tolerance': '1', '--steps': '1', '--language': 'glsl', '--json': 'x', '--html': 'x', '--report': 'x', '--trace': 'x'}
RUNNING = ['run', 'verify', 'diff', 'bench', 'tune', 'advise', 'inspect']
PLANNING = ['explain', 'plan', 'kernels']
# Options and values that are wrong, what is said, and the verbs that take the option.
VALUES = (
    ('--engine', 'abacus', 'opencl, gles, vulkan, gpu', ['run', 'verify', 'diff', 'tune', 'advise', 'inspect', *PLANNING]),
    ('--engine', 'cpu', 'expected opencl, gles, vulkan, gpu', ['diff', 'tune', 'advise', *PLANNING]),
    ('--engines', 'cpu:x', 'expected a whole number from 1 to 1024', ['bench']),
    ('--engines', 'cpu:0', 'expected a whole number from 1 to 1024', ['bench']),
    ('--engines', 'cpu,tpu', 'expected cpu, cpu:N, opencl', ['bench']),
    ('--device', 'toaster', 'expected gles-min, adreno, ', PLANNING),
    ('--threads', '2000', 'expected a whole number from -1 to 1024', RUNNING),
    ('--threads', '1.5', 'expected a whole number', RUNNING),
    ('--gpu-allow', '', 'expected NODES', [*RUNNING, *PLANNING]),
    ('--gpu-least-gain', 'much', 'expected a whole number', [*RUNNING, *PLANNING]),
    ('--max-partitions', '0', 'expected a whole number from 1 to 1000000', [*RUNNING, *PLANNING]),
    ('--precision', 'f8', 'expected f32 or f16', [*RUNNING, *PLANNING]),
    ('--activations', 'f64', 'expected f32, f16 or auto', [*RUNNING, *PLANNING]),
    ('--sums', 'f64', 'expected f32 or f16', [*RUNNING, *PLANNING]),
    ('--packed', 'yes', 'expected on, off or auto', [*RUNNING, *PLANNING]),
    ('--slice-width', '5', 'expected 4, 8 or 16', [*RUNNING, *PLANNING]),
    ('--cache-dir', '', 'expected FOLDER', [*RUNNING, 'cache list', 'cache check', 'cache clear']),
    ('--tune', '-1', 'expected a number from 0 to 3600', ['run', 'verify', 'diff', 'bench', 'advise', 'inspect']),
    ('--budget', 'long', 'expected a number from 0 to 3600', ['tune']),
    ('--runs', '0', 'expected a whole number from 1 to 1000000', ['run', 'bench', 'advise']),
    ('--runs', '-1', 'expected a whole number from 0 to 1000000', ['inspect']),
    ('--input-range', 'a,b', 'expected a number', ['run']),
    ('--crop', 'left', 'expected a number', ['run']),
    ('--turn', 'far', 'expected a number from -360 to 360', ['run']),
    ('--gpu-drop-slow', '0', 'expected a whole number', ['run']),
    ('--every', '0', 'expected a whole number', ['verify']),
    ('--from', '-1', 'expected a whole number', ['verify']),
    ('--tolerance', '2', 'expected a number from 0 to 1', ['diff']),
    ('--steps', 'two', 'expected a number', ['diff']),
    ('--language', 'hlsl', 'expected opencl, glsl, metal or vulkan', ['kernels']),
    ('--json', '', 'expected FILE', ['devices', 'inspect', 'bench', 'explain', 'tune', 'advise']),
    ('--html', '', 'expected FILE', ['inspect', 'explain', 'bench', 'advise']),
    ('--report', '', 'expected FILE', ['run']),
    ('--trace', '', 'expected FILE', ['run']),
    ('--input', 'image', 'expected I=FILE', ['run', 'diff']),
    ('--input', '0=', 'expected I=FILE', ['run', 'diff']),
    ('--shape', '1x2', 'expected I=SHAPE', ['run', 'diff']),
)
# docs/cache.md tells which verbs have a cache.
CACHE_SENTENCE = re.search(r'`tern run`.*?`--cache-dir DIR`', (ROOT / 'docs/cache.md').read_text(), re.S)[0].replace('tern ', '')
# Engines and devices by one set of options: cpu where it makes sense, invented devices where nothing runs.
SWITCHES = ('--no-quantized', '--guard', '--no-fuse')
VERBS = {'run': [MODEL], 'inspect': [MODEL], 'bench': [MODEL], 'explain': [MODEL], 'diff': [MODEL], 'verify': [ROOT / 'demo'],
         'tune': [MODEL], 'advise': [MODEL], 'plan': [MODEL], 'kernels': [MODEL], 'cache list': ['--cache-dir', '.'],
         'devices': [], 'cache check': ['--cache-dir', '.'], 'cache clear': ['--cache-dir', '.']}


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
    reported = re.findall(r'^  (\w+) +[A-Z]', usage.stdout, re.M)
    assert sorted(reported) == sorted({verb.split()[0] for verb in VERBS}), reported
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
    refused(folder, ['cache', 'lst', '--cache-dir', '.'], "expected list, check or clear, got 'lst'; did you mean list?")
    for verb, arguments in VERBS.items():
        words, help_of = verb.split(), f'(tern {verb} --help)'
        if arguments:
            refused(folder, words, f'tern {verb}: ', ' is missing: ', help_of)
        refused(folder, [*words, *arguments, '--frobnicate'], 'there is no option --frobnicate', help_of)
        if verb not in ('bench', 'verify'):  # these take any number
            refused(folder, [*words, *arguments, 'extra'], "'extra' is one argument too many", help_of)
    refused(folder, ['run', MODEL, '--rusn', '3'], 'no option --rusn; did you mean --runs?')


def check_values(folder):
    for option, value, expected, verbs in VALUES:
        for verb in verbs:
            words = [*verb.split(), *VERBS[verb]]
            if option in words:  # it would be there twice
                words = verb.split()
            got = f"got '{re.split('[:,]', value)[-1] if option != '--input-range' else 'a'}'"
            refused(folder, [*words, option, value], f'{option}: ' if option != '--engines' else '--engines', expected,
                    got, f'(tern {verb} --help)')
            refused(folder, [*words, option], f'{option} has no value: expected ')
            good = GOOD.get(option)
            if good is not None:
                refused(folder, [*words, option, good, option, good], f'{option} is given more than once')
    refused(folder, ['explain', MODEL, '--device', 'mali', '--engine', 'opencl'], '--engine excludes --device')
    refused(folder, ['run', MODEL, '--crop', '0,0,4,4'], '--crop requires --image')
    for verb in ('inspect', 'explain', 'bench', 'advise'):  # the standard output holds one text
        refused(folder, [verb, MODEL, '--json', '-', '--html', '-'], '--json, --html: one of them alone may print, by -')
    refused(folder, ['run', MODEL, '--report', '-', '--trace', '-'], '--report, --trace: one of them alone may print')


def check_table():
    """Help shows the same options for all verbs, and nothing of how values are stored."""
    for verb in (*RUNNING, *PLANNING):
        shown = tern(verb, '--help').stdout
        named = set(re.findall(r'--[a-z-]+', shown))
        assert named >= {option for option, _, _, verbs in VALUES if verb in verbs} | set(SWITCHES), (verb, shown)
        assert not re.search(r'\{false\}|TEXT|INT|REQUIRED| in \[', shown), shown
        if verb in RUNNING:
            assert f'`{verb}`' in CACHE_SENTENCE, (verb, CACHE_SENTENCE)
    documented = (ROOT / 'docs/man/tern.1').read_text().replace('\\-', '-')
    for option in {option for option, _, _, verbs in VALUES if set(verbs) & set(RUNNING)} - {'--json', '--steps', '--tolerance'}:
        assert option in documented, f'docs/man/tern.1 lacks {option}'


def check_progress():
    """Long work tells how far it is, on a terminal alone."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([TERN, 'run', MODEL, '--runs', '1000000'], stdout=subprocess.DEVNULL, stderr=theirs) as run:
        os.close(theirs)
        shown = os.read(ours, 1000).decode()
        run.kill()
    os.close(ours)
    assert re.match(r'\r\x1b\[Krun \d+ of 1000000, [2-9] s', shown), shown


def main():
    check_help()
    with tempfile.TemporaryDirectory() as folder:
        check_words(folder)
        check_values(folder)
    check_table()
    check_progress()
    print('wrong words are told')


if __name__ == '__main__':
    main()
