# SPDX-License-Identifier: Apache-2.0
"""Whole models: our engines against the reference runtime, and MNN's and ncnn's CPU engines beside them.

Every round runs all peers one after the other, each in a process of its own, so that a busy moment of the machine
meets all of them; what counts is the median over the rounds of the ratios within a round. A short round before them
finds how many runs fit into the time of a round.
"""
import argparse
import fnmatch
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FLOAT = [
    'derived_mobilenet_v1_1.0_224_float', 'deeplabv3_257_mv_gpu', 'derived_ssdlite_mobilenet_v2_voc_300_float',
    'derived_posenet_mobilenet_v1_075_353x481_float', 'face_detection_front', 'selfie_segmentation',
    'hand_landmark_lite', 'pose_landmark_lite', 'palm_detection_lite', 'face_landmark', 'iris_landmark',
    'body-pix-float-050-8', 'yolox_nano_with_post_float32',
]
QUANTIZED = [
    'mobilenet_v1_1.0_224_quant', 'tf2_mobilenet_v2_1.0_224_ptq', 'coco_ssd_mobilenet_v1_1.0_quant_2018_06_29',
    'deeplabv3_mnv2_dm05_pascal_quant', 'vww_96_14blk_836k_int8', 'yamnet_audio_classifier_with_metadata',
    'style_transfer_quantized_dynamic', 'trained_lstm_int8',
]
PEERS = ['reference:1', 'reference:2', 'cpu:1', 'cpu:2', 'mnn:1', 'mnn:2', 'ncnn:1', 'ncnn:2', 'opencl:1', 'opencl:2']
OTHERS = ('mnn', 'ncnn')  # engines of other projects
BASES = {f'{name}:1': 'reference:1' for name in ('cpu', 'opencl', *OTHERS)}  # of the others: reference:2
GPU_BASE = 'reference:gpu'
VULKAN_BASES = ('ncnn:vulkan', 'gles')
JUDGED = ['cpu:1', 'cpu:2']
GEOMEAN_GOAL, MODEL_GOAL = 1.0, 1.25  # a peer's time over its base's
FIRST_GOAL = 2  # the first run over a later one
SHORT_RUNS = 3
MOST_RUNS = 2000
SLOWEST = 3  # so many models are shown by operator


def base_of(peer):
    return BASES.get(peer, 'reference:2')


def judge_gpus_by_a_gpu(peers):
    """Engines beside reference:gpu, where it is among the peers, are set against that; else our Vulkan against another's or GLES."""
    bases = [base for base in VULKAN_BASES if base in peers]
    if bases:
        BASES['vulkan'] = bases[0]
    if GPU_BASE in peers:
        BASES.update({peer: GPU_BASE for peer in peers if peer.split(':')[0] not in ('cpu', 'reference')})


def last_line(text):
    lines = [line for line in text.strip().splitlines() if not line.startswith('INFO')]
    return lines[-1] if lines else 'failed'


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=dict(os.environ, **environment))
    if done.returncode != 0:
        raise RuntimeError(last_line(done.stderr + done.stdout))
    return done.stdout


class Peers:
    """Runs one model on one engine, in a process of its own."""

    def __init__(self, tern, python, cache):
        self.tern, self.python, self.cache = tern, python, cache

    def measure(self, peer, model, runs):
        name, _, threads = peer.partition(':')
        if name == 'reference':
            if not self.python:
                raise RuntimeError('no reference package here')
            command = [self.python, HERE / 'reference.py', model, threads or '1', str(runs + 1)]
            return json.loads(last_line(run(command)))
        if name in OTHERS:
            return self.measure_other(name, model, threads or '1', runs)
        with tempfile.NamedTemporaryFile(suffix='.json') as report:
            command = [self.tern, 'run', model, '--engine', name, '--runs', str(runs + 1), '--report', report.name]
            more = {'POCL_CACHE_DIR': self.cache, 'MESA_SHADER_CACHE_DIR': self.cache}
            if threads:
                command += ['--threads', threads]
                more['POCL_MAX_PTHREAD_COUNT'] = threads
            run(command, **more)
            took = json.load(report)
        if name != 'cpu' and took['delegated'] == 0:
            raise RuntimeError(f'all of it stays on the CPU: {took.get("not_applied", "every node is refused")}')
        return took

    def measure_other(self, name, model, threads, runs):
        if kind_of(pathlib.Path(model).stem) == 'quantized':
            raise RuntimeError('only float models are compared')
        if not self.python:
            raise RuntimeError('no Python package of it here')
        command = [self.python, HERE / f'{name}_engine.py', *([self.tern] if name == 'ncnn' else []), model, threads, str(runs + 1)]
        return json.loads(last_line(run(command)))


def measure(peers, names, model, rounds, round_ms):
    """Returns the times of every peer, in milliseconds by round, and why one could not run."""
    result = {'name': pathlib.Path(model).stem, 'ms': {name: [] for name in names}, 'init_ms': {}, 'failed': {}}
    firsts = {name: [] for name in names}  # the first run over a later one
    runs = {}
    for number in range(rounds + 1):
        for name in names:
            if name in result['failed']:
                continue
            try:
                took = peers.measure(name, model, SHORT_RUNS if number == 0 else runs[name])
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                result['failed'][name] = str(error)
                continue
            if number == 0:
                runs[name] = min(max(int(round_ms / max(took['median_ms'], 1e-3)), SHORT_RUNS), MOST_RUNS)
                result['init_ms'][name] = took['init_ms']
                result['instruction_set'] = took.get('instruction_set', result.get('instruction_set'))
            else:
                result['ms'][name].append(took['median_ms'])
                firsts[name].append(took['first_ms'] / max(took['median_ms'], 1e-6))
    result['first'] = {name: statistics.median(ratios) for name, ratios in firsts.items() if ratios}
    result['ratio'] = {name: ratio for name in names if (ratio := median_ratio(result, name))}
    return result


def median_ratio(result, peer):
    """Over the peer's base; None where one of both did not run."""
    base = base_of(peer)
    if peer.startswith('reference') or peer in result['failed'] or base in result['failed']:
        return None
    pairs = list(zip(result['ms'][peer], result['ms'].get(base, [])))
    return statistics.median(a / b for a, b in pairs) if pairs else None


def print_head(names):
    def column(peer):
        base, _, threads = base_of(peer).partition(':')
        return f'{peer}/{base[0]}:{threads}'

    print(f'{"model":<48}' + ''.join(f'{name:>13}' for name in names)
          + ''.join(f'{column(peer):>13}' for peer in names if not peer.startswith('reference')))


def print_row(result, names):
    line = f'{result["name"]:<48}'
    for name in names:
        line += f'{"-":>13}' if name in result['failed'] else f'{statistics.median(result["ms"][name]):>10.3f} ms'
    for name in names:
        if not name.startswith('reference'):
            ratio = result['ratio'].get(name)
            line += f'{"-":>13}' if ratio is None else f'{ratio:>13.2f}'
    print(line)
    for name, why in result['failed'].items():
        print(f'  {name}: not run: {why}')
    sys.stdout.flush()


def summaries(results, names):
    """Per kind of model and peer: the geomean, the slowest model, and the verdict where there is a goal."""
    for kind in ('float', 'quantized', 'other'):
        for peer in names:
            ratios = {r['name']: r['ratio'][peer] for r in results if r['kind'] == kind and peer in r['ratio']}
            if not ratios:
                continue
            geomean, worst = statistics.geometric_mean(ratios.values()), max(ratios, key=ratios.get)
            summary = {'kind': kind, 'peer': peer, 'base': base_of(peer), 'models': len(ratios), 'geomean': geomean,
                       'worst': worst, 'worst_ratio': ratios[worst]}
            if peer in JUDGED and kind != 'other':
                summary['met'] = geomean <= GEOMEAN_GOAL and ratios[worst] <= MODEL_GOAL
            yield summary


def print_summary(summary):
    text = (f'{summary["kind"]:<10}{summary["peer"]:<8} / {summary["base"]}: geomean {summary["geomean"]:.2f} of '
            f'{summary["models"]} models, slowest {summary["worst"]} {summary["worst_ratio"]:.2f}')
    if 'met' in summary:
        text += f' (goal {GEOMEAN_GOAL:.2f} and {MODEL_GOAL}: {"met" if summary["met"] else "MISSED"})'
    print(text)


def print_first(results):
    """Per peer: the models whose first run takes much longer than a later one."""
    for peer in (*JUDGED, *map(base_of, JUDGED)):
        slow = {r['name']: r['first'][peer] for r in results if r['first'].get(peer, 0) > FIRST_GOAL}
        names = ', '.join(f'{name} {ratio:.1f}' for name, ratio in sorted(slow.items(), key=lambda item: -item[1]))
        print(f'first run more than {FIRST_GOAL} x a later one on {peer}: {names or "none"}')


def by_operator(args, results):
    """For the slowest models: the time of every node here, and of every kind of operator in the reference."""
    ranked = sorted((r for r in results if set(JUDGED) & set(r['ratio'])),
                    key=lambda r: -max(r['ratio'].get(peer, 0) for peer in JUDGED))
    for result in ranked[SLOWEST:]:
        result.pop('per_op', None)
    for result in ranked[:SLOWEST]:
        if 'per_op' in result:  # measured with the model, in an earlier part (--append)
            continue
        with tempfile.NamedTemporaryFile(suffix='.json') as rows:
            run([args.tern, 'bench', result['path'], '--per-op', '--engines', 'cpu:1', '--runs', '30', '--json', rows.name])
            result['per_op'] = json.load(rows)[0]['per_op']
        if args.library:
            command = [args.c_api_run, args.library, result['path'], '--threads', '1', '--runs', '30', '--per-op', '--xnnpack']
            try:
                result['reference_per_op'] = json.loads(last_line(run(command)))['per_op']
            except RuntimeError as error:
                print(f'{result["name"]}: the reference library does not tell its operators: {error}')


def kind_of(name):
    return 'float' if name in FLOAT else 'quantized' if name in QUANTIZED else 'other'


def chosen(args):
    """Paths of the models: those given, else those of the table that --only leaves and the folder has."""
    if args.models:
        return args.models
    paths = [pathlib.Path(args.folder) / f'{name}.tflite' for name in FLOAT + QUANTIZED if fnmatch.fnmatch(name, args.only)]
    for path in paths:
        if not path.exists():
            print(f'{path}: not here')
    return [str(path) for path in paths if path.exists()]


def machine():
    text = pathlib.Path('/proc/cpuinfo').read_text() if os.path.exists('/proc/cpuinfo') else ''
    names = [line.partition(': ')[2] for line in text.splitlines() if line.startswith('model name')]
    return {'name': names[0] if names else platform.machine(), 'cores': len(os.sched_getaffinity(0)),
            'when': time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('models', nargs='*', help='.tflite files; none: those of the table')
    parser.add_argument('--folder', default='../shared/models', help='where the models of the table lie')
    parser.add_argument('--only', default='*', help='a glob over the names of the table')
    parser.add_argument('--peers', default=','.join(PEERS), help='reference:N, reference:gpu, cpu:N, mnn:N, ncnn:N, ncnn:vulkan, opencl, opencl:N (PoCL with N threads), gles, vulkan')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--round-ms', type=float, default=500, help='of one peer')
    parser.add_argument('--tern', default='build/release/bin/tern')
    parser.add_argument('--python', help='a Python with the reference package')
    parser.add_argument('--library', help="the reference's library, for its times by operator")
    parser.add_argument('--c-api-run', default='build/release/bin/c_api_run')
    parser.add_argument('--json', help='write everything that was measured')
    parser.add_argument('--append', action='store_true', help='keep what that file has of other models')
    args = parser.parse_args()
    args.append = args.append and args.json and os.path.exists(args.json)
    names = args.peers.split(',')
    judge_gpus_by_a_gpu(names)
    results = []
    print_head(names)
    for model in chosen(args):
        with tempfile.TemporaryDirectory() as cache:
            result = measure(Peers(args.tern, args.python, cache), names, model, args.rounds, args.round_ms)
        result.update(path=str(model), kind=kind_of(result['name']))
        results.append(result)
        print_row(result, names)
    if args.append:
        measured = {r['name'] for r in results}
        results = [r for r in json.loads(pathlib.Path(args.json).read_text())['models'] if r['name'] not in measured] + results
    here = machine()
    here['instruction_set'] = next((r['instruction_set'] for r in results if r.get('instruction_set')), 'unknown')
    print(f'\n{here["name"]}, {here["cores"]} cores, {here["instruction_set"]}, {here["when"]}')
    all_summaries = list(summaries(results, names))
    for summary in all_summaries:
        print_summary(summary)
    print_first(results)
    if args.json:
        by_operator(args, results)
        pathlib.Path(args.json).write_text(
            json.dumps({'machine': here, 'peers': names, 'models': results, 'summaries': all_summaries}, indent=1))


if __name__ == '__main__':
    main()
