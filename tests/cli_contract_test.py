#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line keeps its word: flags, file names, report fields, exit status.   cli_contract_test.py TERN"""
import array
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

TERN = sys.argv[1]
MODEL = 'demo/landscape.tflite'
FIELDS = {'engine', 'choice', 'device', 'driver', 'precision', 'nodes', 'delegated', 'partitions', 'refused', 'programs',
          'init_ms', 'first_ms', 'median_ms', 'p90_ms', 'min_ms', 'arena_bytes', 'arena_lower_bound',
          'instruction_set', 'gpu_bytes', 'peak_rss_bytes'}


def tern(*args, status=0):
    run = subprocess.run([TERN, *map(str, args)], capture_output=True, text=True, check=False)
    assert run.returncode == status, (args, run.returncode, run.stdout, run.stderr)
    return run


def check_run(folder):
    report, first, second = folder / 'report.json', folder / 'first', folder / 'second'
    tern('run', MODEL, '--runs', 3, '--threads', 2, '--report', report, '--output-dir', first)
    reported = json.loads(report.read_text())
    assert FIELDS <= set(reported), FIELDS - set(reported)
    assert reported['choice'] == 'cpu: asked for'
    run = tern('run', MODEL, '--report', '-')  # alone on stdout
    assert FIELDS <= set(json.loads(run.stdout)) and run.stderr.startswith('cpu on '), run
    run = tern('run', MODEL, '--trace', '-')
    assert json.loads(run.stdout)['traceEvents'] and run.stderr.startswith('cpu on '), run
    assert not pathlib.Path('-').exists()
    assert reported['engine'] == 'cpu' and reported['nodes'] == 10 and reported['refused'] == []
    assert reported['min_ms'] <= reported['median_ms'] <= reported['p90_ms'] and reported['peak_rss_bytes'] > 1000000
    assert reported['arena_bytes'] >= reported['arena_lower_bound'] > 0
    run = tern('run', MODEL, '--engine', 'null:mali', '--gpu-deny', '0,op:NONE', '--report', report)
    assert run.stderr == "tern: warning: tern_deny: 'op:NONE' names no node of the main graph\n", run.stderr
    assert json.loads(report.read_text())['refused'][0]['reason'] == "denied by tern_deny '0'"
    tern('run', MODEL, '--output-dir', second)  # inputs come from a fixed seed
    assert (first / '0.bin').read_bytes() == (second / '0.bin').read_bytes()
    given = folder / 'in.bin'
    given.write_bytes(array.array('f', [0.25] * (240 * 320 * 3)).tobytes())
    tern('run', MODEL, '--input', f'0={given}', '--output-dir', second)
    assert (first / '0.bin').read_bytes() != (second / '0.bin').read_bytes()
    assert len((second / '0.bin').read_bytes()) == 240 * 320 * 7 * 4


def check_errors(folder):
    """One message on stderr, exit status 1; those about words of the command line are in cli_usage_test.py."""
    short = folder / 'short.bin'
    short.write_bytes(b'1234')
    for args in (['run', 'no-such-file.tflite'], ['run', 'demo/labels.txt'],
                 ['run', MODEL, '--input', f'0={short}'],
                 ['run', MODEL, '--shape', '0=1xbig'],
                 ['run', MODEL, '--image', 'demo/labels.txt'],
                 ['run', MODEL, '--engine', 'host', '--gpu-deny', '7-3'],
                 ['inspect', 'demo/labels.txt']):
        run = tern(*args, status=1)
        assert len(run.stderr.strip().splitlines()) == 1, (args, run.stderr)
        assert not run.stdout, (args, run.stdout)
    for args, message in ((['--signature', 'none'], "the model has no signature 'none' (it has none)"),
                          (['--input', f'7={short}'], "there is no input '7'; the model has 0 (image)"),
                          (['--input', f'photo={short}'], "there is no input 'photo'; the model has 0 (image)"),
                          (['--shape', '0=1x240x320x3', '--shape', 'image=1x9x9x3'],
                           'input 0: two shapes are given, one is expected')):
        run = tern('run', MODEL, *args, status=1)
        assert run.stderr == f'tern: {message}\n' and not run.stdout, run
    for flag, place, reason in (('--output-dir', short, 'Not a directory'), ('--output-dir', short / 'x', 'Not a directory'),
                                ('--report', folder, 'Is a directory')):
        run = tern('run', MODEL, flag, place, status=1)
        assert run.stderr == f'tern: cannot write {place}: {reason}\n', run.stderr


def check_answers(folder):
    """A line for each output, files of all kinds as inputs, and pictures only where a folder is named."""
    before = set(pathlib.Path('.').iterdir())
    run = tern('run', MODEL)
    line, hint = run.stdout.splitlines()[2:]
    assert re.fullmatch(r'output 0  pixel_classes  1x240x320x7 float32  \S+ \.\. \S+  mean \S+  \[.*, \.\.\.\]', line), line
    assert hint == 'the inputs were made up; --image or --input gives real ones', hint
    run = tern('run', MODEL, '--image', 'demo/landscape.png', '--labels', 'demo/labels.txt')
    assert run.stdout.splitlines()[-1] == '--output-dir DIR writes the photo with this drawn on it', run.stdout
    assert '  sky\n' in run.stdout and not run.stderr, run
    assert set(pathlib.Path('.').iterdir()) == before
    shown = folder / 'shown'
    drawn = tern('run', MODEL, '--input', 'image=demo/landscape.png', '--output-dir', shown)
    assert drawn.stdout.splitlines()[-1] == str(shown / 'overlay.png'), drawn.stdout
    assert {file.name for file in shown.iterdir()} == {'0.bin', 'overlay.png'}
    photo = (shown / '0.bin').read_bytes()
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (240, 320, 3), }\n".encode()
    values = array.array('f', [0.25] * (240 * 320 * 3)).tobytes()
    npy, raw = folder / 'a.npy', folder / 'a.bin'
    npy.write_bytes(b'\x93NUMPY\1\0' + len(header).to_bytes(2, 'little') + header + values)
    raw.write_bytes(values)
    reported = []
    for file in (npy, raw):
        tern('run', MODEL, '--input', f'0={file}', '--output-dir', shown)
        reported.append((shown / '0.bin').read_bytes())
    assert reported[0] == reported[1] != photo


def check_bad_answers(folder):
    """One sentence with what was found and expected; nothing is written."""
    empty, few, npy = folder / 'empty.txt', folder / 'few.txt', folder / 'bad.npy'
    empty.write_text('\n\n')
    few.write_text('a\nb\n')
    npy.write_bytes(b'no array')
    wav = folder / 'bad.wav'
    wav.write_bytes(b'no sound')
    out = folder / 'never'
    for args, message in ((['--labels', empty], f'{empty}: no labels in it; a label on each line is expected'),
                          (['--input', f'0={npy}'], f'{npy}: no array of NumPy (.npy)'),
                          (['--input', f'0={wav}'], f'{wav}: no sound (.wav)'),
                          (['--image', 'demo/landscape.png', '--input', '0=demo/landscape.png'],
                           'input 0: two files are given, one is expected')):
        bad = tern('run', MODEL, *args, '--output-dir', out, status=1)
        assert bad.stderr == f'tern: {message}\n' and not bad.stdout and not out.exists(), bad
    run = tern('run', MODEL, '--image', 'demo/landscape.png', '--labels', few)
    wrong = f'tern: warning: {few}: 2 labels for an output of 7 classes: the names may be wrong\n'
    assert run.stderr == wrong, run.stderr


def check_verify(folder):
    """A case made of the demo model: passes with the reference values, fails with others, is dumped."""
    cases = folder / 'cases'
    cases.mkdir()
    out = folder / 'expected'
    fill = {'kind': 'constant', 'value': 0.25}
    given = folder / 'in.bin'
    tern('run', MODEL, '--input', f'0={given}', '--output-dir', out)
    (cases / 'same.bin').write_bytes((out / '0.bin').read_bytes())
    case = {'format': 1, 'name': 'DEMO/same', 'model': str(pathlib.Path(MODEL).resolve()), 'needs': ['CONV_2D@1'],
            'types': ['float32'],
            'inputs': [{'index': 0, 'name': 'image', 'type': 'float32', 'shape': [1, 240, 320, 3], 'fill': fill}],
            'outputs': [{'index': 0, 'name': 'pixel_classes', 'type': 'float32', 'shape': [1, 240, 320, 7],
                         'tolerance': {'cpu': [1e-6, 0], 'gpu': [1e-3, 0]}, 'file': 'same.bin', 'offset': 0}]}
    (cases / 'same.case.json').write_text(json.dumps(case))
    run = tern('verify', cases, '--engine', 'cpu', '--dump', folder / 'dump')
    assert run.stdout.splitlines()[-1] == '1 passed, 0 failed, 0 skipped', run.stdout
    assert (folder / 'dump/DEMO/same/0.bin').read_bytes() == (out / '0.bin').read_bytes()
    run = tern('verify', cases, '--engine', 'cpu', '--only', 'OTHER/*', status=1)  # nothing ran
    assert run.stdout.splitlines()[-1] == '0 passed, 0 failed, 0 skipped'
    assert run.stderr == 'tern: verify: no case has a name like OTHER/*\n', run.stderr
    case['name'] = 'DEMO/other'
    case['inputs'][0]['fill'] = {'kind': 'uniform', 'seed': 3, 'low': -1, 'high': 1}
    (cases / 'other.case.json').write_text(json.dumps(case))
    run = tern('verify', cases, '--engine', 'cpu', status=1)
    assert run.stdout.splitlines()[-1] == '1 passed, 1 failed, 0 skipped', run.stdout
    assert 'DEMO/other' in run.stdout and 'wanted' in run.stdout
    run = tern('verify', cases, '--engine', 'opencl', status=1)  # both on one engine, each with its own input
    assert run.stdout.splitlines()[-1] in ('1 passed, 1 failed, 0 skipped', '0 passed, 0 failed, 2 skipped'), run.stdout
    assert '2 skipped' in run.stdout or 'failed   DEMO/other' in run.stdout, run.stdout
    run = tern('verify', cases, '--engine', 'cpu', '--every', 2, status=1)  # the first of the two in path order
    assert run.stdout.splitlines()[-1] == '0 passed, 1 failed, 0 skipped', run.stdout
    run = tern('verify', cases, '--engine', 'cpu', '--every', 2, '--from', 1)
    assert run.stdout.splitlines()[-1] == '1 passed, 0 failed, 0 skipped', run.stdout
    run = tern('verify', cases, '--engine', 'cpu', '--from', 2, status=1)
    assert run.stderr == 'tern: verify: --from 2 leaves out all 2 cases\n', run.stderr
    case['unstable'] = True
    (cases / 'other.case.json').write_text(json.dumps(case))
    run = tern('verify', cases, '--engine', 'cpu')
    assert run.stdout.splitlines()[-1] == '1 passed, 0 failed, 0 skipped' and 'unstable DEMO/other' in run.stdout


def check_diff(folder):
    """A line for each tensor; a limit that nothing keeps to makes a case of the first node."""
    engine = ['--engine', 'host']
    if subprocess.run([TERN, 'run', MODEL, *engine], capture_output=True, check=False).returncode != 0:
        return  # a build without it
    same = tern('diff', MODEL, *engine).stdout.splitlines()
    assert '10 of 10 nodes' in same[0] and len(same) == 13 and same[-1] == 'no bad node', same
    bad = folder / 'bad.tflite'
    reported = tern('diff', MODEL, *engine, '--tolerance', 0, '--write', bad, status=1).stdout
    assert 'first bad node: ' in reported and f"tern verify {folder / 'bad.case.json'} --engine host" in reported, reported
    tern('inspect', bad)
    tern('verify', folder / 'bad.case.json', *engine, status=1)


def check_engines():
    """`auto` is what runs here; rows that fail, and options without effect, are reported."""
    assert re.match(r'(opencl|gles|vulkan|cpu) on ', tern('run', MODEL, '--engine', 'Auto').stdout)
    assert re.fullmatch(r'cpu on .*: 10 nodes', tern('run', MODEL, '--precision', 'f32').stdout.splitlines()[0])
    run = tern('run', MODEL, '--precision', 'f16', '--guard')
    assert run.stderr == 'tern: warning: no effect on the CPU: --precision, --guard (--engine gpu takes a GPU)\n', run.stderr
    run = tern('bench', MODEL, 'nofile', '--engines', 'CPU:1', '--runs', 1, status=1)
    assert 'not run: nofile: ' in run.stdout and run.stderr.endswith('tern: 1 of 2 could not be measured\n'), run
    row, = json.loads(tern('bench', MODEL, '--engine', 'cpu', '--threads', 1, '--runs', 1, '--json', '-').stdout)
    assert row['engine'] == 'cpu' and row['first_ms'] > 0
    assert tern('explain', MODEL, '--device', 'Mali').stdout == tern('explain', MODEL, '--device', 'mali').stdout
    for device in ('gles-min', 'adreno', 'mali', 'videocore', 'amd', 'nvidia', 'cpu16', 'mali-vulkan'):
        tern('plan', MODEL, '--device', device)


def check_per_op():
    with tempfile.NamedTemporaryFile(suffix='.json') as rows:
        table = tern('bench', MODEL, '--per-op', '--runs', 2, '--json', rows.name).stdout
        row, = json.load(open(rows.name))
    assert row['instruction_set'] and row['instruction_set'] in table
    assert row['engine'] == 'cpu:1' and len(row['per_op']) == row['nodes'] == 10
    assert {'DEPTHWISE_CONV_2D', 'CONV_2D'} <= {node['op'] for node in row['per_op']}
    assert all(node['ms'] > 0 for node in row['per_op'])
    assert '1x240x320x' in table and '100.0%' in table
    with tempfile.NamedTemporaryFile(suffix='.json') as rows:
        table = tern('bench', MODEL, '--per-op', '--runs', 2, '--engines', 'host', '--json', rows.name).stdout
        row, = json.load(open(rows.name))
    launches = row['launches']
    assert 'GMAC/s' in table and f'{len(launches)} launches take' in table and 'the peak, measured in registers: ' in table, table
    assert all(launch['ms'] > 0 for launch in launches) and 'conv_2d' in {launch['kernel'] for launch in launches}
    assert sum(launch['multiply_adds'] for launch in launches) > 1e6
    assert row['peak_gmacs'] > 0 and 0 <= row['outside_ms'] <= row['median_ms']
    rate = launches[0]['multiply_adds'] / launches[0]['ms'] / 1e6
    assert math.isclose(launches[0]['gmacs'], rate) and math.isclose(launches[0]['peak_share'], rate / row['peak_gmacs'])


INSPECT = {'format', 'file', 'bytes', 'schema_version', 'description', 'metadata', 'notes', 'signatures', 'buffers', 'op_counts',
           'subgraphs', 'run'}
TENSOR = {'index', 'name', 'type', 'shape', 'shape_signature', 'bytes', 'buffer', 'constant_bytes', 'variable',
          'quantization', 'sparsity'}
OPERATOR = {'index', 'op', 'builtin_code', 'custom', 'version', 'inputs', 'outputs', 'intermediates', 'options'}
RUN = {'engine', 'threads', 'error', 'runs', 'median_ms', 'instruction_set', 'nodes', 'memory'}


def check_inspect_json(folder):
    """The keys that docs/inspect.md promises, and some values."""
    reported = json.loads(tern('inspect', MODEL, '--json', '-').stdout)
    assert set(reported) == INSPECT and reported['format'] == 1 and reported['bytes'] == pathlib.Path(MODEL).stat().st_size
    assert reported['op_counts']['CONV_2D'] == 4 and sum(reported['op_counts'].values()) == 10
    assert reported['notes'] is None
    graph, = reported['subgraphs']
    assert set(graph) == {'index', 'name', 'inputs', 'outputs', 'operators', 'tensors'}
    assert all(set(tensor) == TENSOR for tensor in graph['tensors'])
    assert all(set(op) == OPERATOR for op in graph['operators'])
    image, = [graph['tensors'][i] for i in graph['inputs']]
    assert (image['name'], image['shape'], image['type'], image['bytes']) == ('image', [1, 240, 320, 3], 'float32', 921600)
    smooth = graph['operators'][1]
    assert smooth['op'] == 'DEPTHWISE_CONV_2D' and smooth['builtin_code'] == 4 and smooth['version'] == 1
    assert smooth['options'] == {'padding': 'SAME', 'stride_w': 1, 'stride_h': 1, 'depth_multiplier': 1,
                                 'fused_activation_function': 'RELU6', 'dilation_w_factor': 1, 'dilation_h_factor': 1}
    weights = graph['tensors'][smooth['inputs'][1]]
    assert weights['constant_bytes'] == weights['bytes'] > 0
    run = reported['run']
    assert set(run) == RUN and run['error'] is None and run['runs'] == 0 and run['nodes'] == []
    memory, = run['memory']
    assert memory['arena_bytes'] >= memory['arena_lower_bound'] > 0
    for block in memory['blocks']:
        assert 0 <= block['first'] <= block['last'] < 10 and block['offset'] + block['bytes'] <= memory['arena_bytes']
    for one in memory['blocks']:  # what lives at the same time lies apart
        for other in memory['blocks']:
            apart = (one['last'] < other['first'] or other['last'] < one['first'] or
                     one['offset'] + one['bytes'] <= other['offset'] or other['offset'] + other['bytes'] <= one['offset'])
            shares = one['last'] == other['first'] or other['last'] == one['first']  # an op that works in place
            assert one is other or apart or shares, (one, other)
    file = folder / 'model.json'
    assert not tern('inspect', MODEL, '--json', file, '--runs', 2).stdout
    run = json.loads(file.read_text())['run']
    assert run['runs'] == 2 and [node['node'] for node in run['nodes']] == list(range(10)) and run['median_ms'] > 0
    for args in (['inspect', MODEL, '--json', folder], ['inspect', MODEL, '--json', folder / 'none/x.json'],
                 ['inspect', 'none.tflite', '--json', '-'], ['inspect', 'demo', '--json', '-'], ['inspect', 'demo/labels.txt', '--json', '-']):
        bad = tern(*args, status=1)
        assert len(bad.stderr.strip().splitlines()) == 1 and not bad.stdout, (args, bad)


def check_inspect_html(folder):
    """One file without a network, with the description inside."""
    file = folder / 'model.html'
    assert not tern('inspect', MODEL, '--html', file, '--runs', 1).stdout
    page = file.read_text()
    found = re.findall(r'<script type="application/json" id="model">(.*?)</script>', page, re.S)
    reported = json.loads(found[0])
    assert len(found) == 1 and set(reported) == INSPECT and reported['run']['runs'] == 1 and len(reported['run']['nodes']) == 10
    assert 'layoutGraph' in page and '/*' not in found[0] and '/*SCRIPT*/' not in page
    addresses = set(re.findall(r'https?://[^\s\'"]+', page))
    assert addresses == {'http://www.w3.org/2000/svg'}, addresses  # a name, not a place
    assert "default-src 'none'" in page
    assert tern('inspect', MODEL, '--html', '-', '--runs', 0).stdout.startswith('<!doctype html>')
    both = folder / 'both.json'
    tern('inspect', MODEL, '--json', both, '--html', file)
    assert json.loads(both.read_text())['run']['runs'] == 10
    tern('inspect', MODEL, '--html', folder, status=1)


START = ['open', 'read', 'check', 'tune', 'passes', 'lower', 'plan', 'restore', 'print', 'compile', 'upload', 'record']


def spans_of(file, engine, runs, report):
    """The spans of a run's trace, after a look at the form that docs/trace.md promises."""
    tern('run', MODEL, '--engine', engine, '--runs', runs, '--trace', file, '--report', report)
    reported = json.loads(file.read_text())
    assert set(reported) == {'traceEvents', 'displayTimeUnit', 'otherData'} and reported['otherData']['dropped'] == 0
    events = [event for event in reported['traceEvents'] if event['ph'] == 'X']
    spans = [event for event in events if event['cat'] != 'launch']
    for launch in [event for event in events if event['cat'] == 'launch']:
        assert launch['pid'] == 1 and launch['tid'] == 2 and launch['dur'] >= 0 and launch['name'], launch
        submit = max((s for s in spans if s['name'] == 'submit' and s['ts'] <= launch['ts'] + 1e-6), key=lambda s: s['ts'])
        assert launch['ts'] + launch['dur'] <= submit['ts'] + submit['dur'] + 1e-6, ('not inside', launch)
    if engine == 'host':
        assert len(events) - len(spans) == runs * json.loads(report.read_text())['dispatches']
    assert {event['name'] for event in reported['traceEvents'] if event['ph'] == 'M'} == {'process_name', 'thread_name'}
    open_ends = []  # of the spans around, the innermost last
    for span in spans:
        assert span['pid'] == 1 and span['tid'] == 1 and span['dur'] >= 0, span
        assert span['cat'] in ('start', 'runtime', 'node', 'delegate'), span
        while open_ends and open_ends[-1] <= span['ts'] + 1e-6:
            open_ends.pop()
        end = span['ts'] + span['dur']
        assert not open_ends or end <= open_ends[-1] + 1e-6, ('not inside', span)
        open_ends.append(end)
    assert sum(span['name'] == 'invoke' for span in spans) == runs
    return spans


def inside(spans, outer):
    """Names of a category's spans inside a span."""
    return [(s['cat'], s['name']) for s in spans if s is not outer and s['ts'] >= outer['ts'] - 1e-6 and
            s['ts'] + s['dur'] <= outer['ts'] + outer['dur'] + 1e-6]


def check_trace(folder):
    """Names and nesting of a trace, on the CPU and, where there is one, on an engine; init in the report."""
    file, report = folder / 'trace.json', folder / 'traced.json'
    spans = spans_of(file, 'cpu', 2, report)
    assert [s['name'] for s in spans if s['cat'] == 'start'] == ['load', 'build', 'allocate']
    for run in [s for s in spans if s['name'] == 'invoke']:
        assert sum(cat == 'node' for cat, _ in inside(spans, run)) == 10
    first = next(s for s in spans if s['cat'] == 'node')
    assert first['name'] == 'CONV_2D' and first['args'] == {'node': 0, 'subgraph': 0}
    assert set(json.loads(report.read_text())['init']) == {'load_us', 'build_us', 'allocate_us'}

    spans = spans_of(file, 'null:mali', 1, report)  # plans and prints, and leaves the nodes to the CPU
    delegate = next(s for s in spans if s['name'] == 'delegate')
    names = [name for cat, name in inside(spans, delegate) if cat == 'start']
    assert {'read', 'check', 'passes', 'lower', 'plan', 'print'} <= set(names), names
    init = json.loads(report.read_text())['init']
    assert set(init) == {f'{name}_us' for name in START + ['load', 'build', 'delegate', 'allocate', 'total', 'first_run']}
    assert sum(init[f'{name}_us'] for name in START) <= init['total_us'] <= init['delegate_us']

    if subprocess.run([TERN, 'run', MODEL, '--engine', 'host'], capture_output=True, check=False).returncode == 0:
        spans = spans_of(file, 'host', 2, report)
        for run in [s for s in spans if s['name'] == 'invoke']:
            assert [name for cat, name in inside(spans, run) if cat == 'delegate'] == ['inputs', 'submit', 'wait', 'outputs']
        init = json.loads(report.read_text())['init']
        assert init['compile_us'] > 0 and init['upload_us'] > 0 and init['first_run_us'] > 0, init
    bad = tern('run', MODEL, '--trace', folder, status=1)
    assert bad.stderr == f'tern: cannot write {folder}: Is a directory\n', bad.stderr


def check_cache(folder):
    """Directories without files of the cache; those with some: tools/cli/verbs/cache_test.cc."""
    place = folder / 'cache'
    for verb in ('list', 'check', 'clear'):
        reported = tern('cache', verb, '--cache-dir', place, status=1)
        assert reported.stderr == f'tern: cache {place}: cannot open the directory (No such file or directory)\n', reported.stderr
        tern('cache', verb, '--cache-dir', MODEL, status=1)
    assert not place.exists()
    place.mkdir()
    (place / 'notes').write_text('mine')
    assert tern('cache', 'list', '--cache-dir', place).stdout == '0 files, 0 bytes\n'
    assert tern('cache', 'check', '--cache-dir', place).stdout == '0 good, 0 bad, 0 leftovers\n'
    assert tern('cache', 'clear', '--cache-dir', place).stdout == '0 files, 0 bytes removed\n'
    assert [path.name for path in place.iterdir()] == ['notes']


def check_tune(folder):
    """Checks what tern tune prints and its JSON, and that a run finds the choices that were saved."""
    assert not tern('tune', 'none.tflite', status=1).stdout
    if subprocess.run([TERN, 'run', MODEL, '--engine', 'host'], capture_output=True, check=False).returncode != 0:
        return
    tried, report, saved = folder / 'tried.json', folder / 'tuned.json', folder / 'choices'
    reported = tern('tune', MODEL, '--engine', 'host', '--budget', 0.2, '--json', tried, '--cache-dir', saved).stdout
    assert 'all launches: ' in reported and reported.startswith('host on '), reported
    part, = json.loads(tried.read_text())
    assert set(part) == {'from', 'tuned', 'before_ns', 'after_ns', 'spent_ns', 'out_of_time', 'kinds'}, set(part)
    assert part['from'] == 'measured' and 0 < part['after_ns'] <= part['before_ns'] and part['kinds']
    for kind in part['kinds']:
        assert set(kind) == {'label', 'nodes', 'ns', 'choice', 'trials'}, set(kind)
    tern('run', MODEL, '--engine', 'host', '--tune', 0.2, '--cache-dir', saved, '--report', report)
    assert json.loads(report.read_text())['tuning'][0]['from'] == 'saved'


def page_data(page):
    """The description in a page."""
    return json.loads(re.search(r'<script type="application/json" id="model">(.*?)</script>', page.read_text(), re.S).group(1))


GPU_KEYS = {'engine', 'device', 'error', 'runs', 'median_ms', 'start_ms', 'bytes_across', 'outside_ms', 'nodes', 'launches'}


def check_gpu_times(folder):
    """A GPU's times beside the CPU's in a description, and pages of tables of times."""
    if subprocess.run([TERN, 'run', MODEL, '--engine', 'gles'], capture_output=True, check=False).returncode == 0:
        reported = json.loads(tern('inspect', MODEL, '--engine', 'gles', '--runs', 2, '--json', '-').stdout)
        gpu = reported['gpu']
        assert set(gpu) == GPU_KEYS and gpu['engine'] == 'gles' and gpu['error'] is None and gpu['runs'] == 2, gpu
        assert gpu['bytes_across'] == 4 * 240 * 320 * (3 + 7) and len(reported['explain']['decisions']) == 10, gpu
        assert {node['node'] for node in gpu['nodes']} <= set(range(10))
        assert sum(node['launches'] for node in gpu['nodes']) == len(gpu['launches']), gpu
    denied = tern('inspect', MODEL, '--engine', 'host', '--gpu-deny', '0-9', '--json', '-')
    if denied.stdout:  # the tool of the build tree
        assert json.loads(denied.stdout)['gpu']['error'], denied.stdout
    page = folder / 'bench.html'
    tern('bench', MODEL, '--engines', 'cpu:1', '--runs', 1, '--html', page)
    row, = page_data(page)['bench']
    assert row['model'] == 'landscape' and row['engine'] == 'cpu:1' and row['median_ms'] > 0, row
    assert 'no effect without --html or --json: --engine' in tern('inspect', MODEL, '--engine', 'gles').stderr


def check_advise(folder):
    """At most ten lines, each with its gain, and the same as JSON."""
    if subprocess.run([TERN, 'run', MODEL, '--engine', 'host'], capture_output=True, check=False).returncode != 0:
        return
    advice = folder / 'advice.json'
    lines = tern('advise', MODEL, '--engine', 'host', '--runs', 2, '--json', advice).stdout.splitlines()
    assert re.match(r'.*: 10 of 10 nodes on host, [\d.]+ ms a run, [\d.]+ ms to start; CPU: [\d.]+ ms a run$', lines[0]), lines
    reported = json.loads(advice.read_text())
    assert set(reported) == {'model', 'engine', 'device', 'nodes', 'delegated', 'gpu_ms', 'gpu_start_ms', 'cpu_ms', 'advice', 'failed'}
    assert reported['failed'] == [] and len(lines) == 1 + max(1, len(reported['advice'])) <= 10, lines
    # The C++ compiler takes long beside reading what it made, so a start from the cache is always a gain.
    assert 'start from a cache' in lines[-1] and reported['advice'][-1]['of'] == 'start' and reported['advice'][-1]['measured'], lines
    for line, one in zip(lines[1:], reported['advice']):
        assert line.endswith(one['text']) and one['gain_ms'] > 0, (line, one)
    page = folder / 'advice.html'
    tern('advise', MODEL, '--engine', 'host', '--runs', 2, '--html', page)
    shown = page_data(page)
    assert {'run', 'gpu', 'explain', 'advice'} <= set(shown) and shown['advice']['lines'][-1]['of'] == 'start', set(shown)
    assert shown['gpu']['engine'] == 'host' and shown['gpu']['error'] is None and shown['gpu']['median_ms'] > 0, shown['gpu']
    # A model that stays on the CPU as a whole has a line that says so.
    whole = tern('advise', MODEL, '--engine', 'host', '--runs', 1, '--gpu-deny', '0-9').stdout
    assert whole.count('\n') == 1 and 'no node runs on host' in whole, whole


DECISION = {'subgraph', 'index', 'op', 'version', 'decision', 'code', 'reason', 'bytes_crossing', 'multiply_adds', 'bytes'}


def check_explain(folder):
    """The keys that docs/explain.md promises, the counts of the table, and the page."""
    reported = json.loads(tern('explain', MODEL, '--json', '-').stdout)
    assert set(reported) == {'format', 'file', 'engine', 'device', 'driver', 'precision', 'max_partitions', 'not_applied',
                         'decisions', 'crossings'}, set(reported)
    assert reported['device'] == 'gles-min' and reported['not_applied'] is None and len(reported['decisions']) == 10
    for decision in reported['decisions']:
        assert DECISION | {'partition'} == set(decision), decision
        assert decision['decision'] in ('gpu', 'folded') and decision['partition'] == 0
    assert {(c['cut'], c['to']) for c in reported['crossings']} == {(False, 'gpu'), (False, 'cpu')}
    table = tern('explain', MODEL, '--device', 'nvidia').stdout
    assert ' on the GPU, ' in table and ' 0 on the CPU; 1 part on the GPU' in table, table
    table = tern('explain', MODEL, '--gpu-deny', 'op:CONV_2D').stdout  # equal reasons are one line
    assert "\n4 x CONV_2D@1 #0, #2, #4, #8: denied: denied by tern_deny 'op:CONV_2D'" in table, table
    assert 'nothing need be changed' not in table, table
    table = tern('explain', MODEL, '--gpu-deny', '9').stdout  # small, and at the end
    assert 'nothing need be changed: the CPU comes last, and takes 525.0 KiB from the GPU in a run' in table, table
    page = folder / 'explain.html'
    assert not tern('explain', MODEL, '--html', page).stdout
    text = page.read_text()
    data = re.search(r'<script type="application/json" id="model">(.*?)</script>', text, re.S).group(1)
    assert json.loads(data)['explain'] == reported and 'function markCrossings(' in text
    for args in (['explain', MODEL, '--json', folder], ['explain', 'demo/labels.txt']):
        run = tern(*args, status=1)
        assert len(run.stderr.strip().splitlines()) == 1 and not run.stdout, (args, run.stdout, run.stderr)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_run(folder)
        check_errors(folder)
        check_answers(folder)
        check_bad_answers(folder)
        check_verify(folder)
        check_diff(folder)
        check_inspect_json(folder)
        check_inspect_html(folder)
        check_explain(folder)
        check_tune(folder)
        check_advise(folder)
        check_gpu_times(folder)
        check_trace(folder)
        check_cache(folder)
    shown = tern('inspect', MODEL).stdout
    assert 'DEPTHWISE_CONV_2D@1' in shown and '1x240x320x3 float32' in shown
    table = tern('bench', MODEL, '--engines', 'cpu:1,cpu:2', '--runs', 2).stdout
    assert table.count('landscape') == 2 and '10 of 10' in table
    check_engines()
    check_per_op()
    print('the contract holds')


if __name__ == '__main__':
    main()
