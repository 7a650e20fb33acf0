# SPDX-License-Identifier: Apache-2.0
"""Do our kernels fit into the registers of real GPUs? Prints the kernels of models for each GPU, compiles them with Mesa's
compiler for it (drivers.py) and writes tables in Markdown. Exit status 1 where one spills or does not compile, or takes more issue
slots than before (works.py).

Needs Debian and root. See docs/gpu_stats.md.
"""
import argparse
import collections
import hashlib
import pathlib
import re
import subprocess
import sys

import works
from drivers import GPUS, PROGRAMS, Drivers, ShaderStats

# With what is fused to it, a kernel has as many forms as models need.
MODELS = [
    'derived_mobilenet_v1_1.0_224_float', 'deeplabv3_257_mv_gpu', 'derived_ssdlite_mobilenet_v2_voc_300_float',
    'derived_posenet_mobilenet_v1_075_353x481_float', 'face_detection_front', 'selfie_segmentation',
    'hand_landmark_lite', 'pose_landmark_lite', 'palm_detection_lite', 'face_landmark', 'iris_landmark',
    'yolox_nano_with_post_float32', 'style_transfer_f16_384',
]
# Options of --precision. Sums are halves where all else is; Winograd's algorithm is for floats.
PRECISIONS = {'f32': ['f32'], 'f16': ['f16'], 'f16-sums': ['f16', '--activations', 'f16', '--sums', 'f16'],
              'winograd': ['f32', '--winograd']}


def print_kernels(tern, models, precisions, device, folder, language='glsl'):
    """Writes each distinct text once. Returns file name -> (kernel, models that have it), and (model, precision, kernel) -> file
    names in the order of the model."""
    names, order = {}, collections.defaultdict(list)
    for model in models:
        for precision in precisions:
            printed = subprocess.run([tern, 'kernels', '--device', device, '--language', language, '--precision', *PRECISIONS[precision], model],
                                     check=True, capture_output=True, text=True).stdout
            for kernel, text in re.findall(r'^// (\w+)\n((?:#version|typedef) .*?)(?=^// \w+\n(?:#version|typedef)|^on the CPU: |\Z)',
                                           printed, re.MULTILINE | re.DOTALL):
                name = f'{kernel}-{hashlib.sha1(text.encode()).hexdigest()[:10]}.comp'
                (folder / name).write_text(text)
                names.setdefault(name, (kernel, []))[1].append(f'{model.stem} {precision}')
                if name not in order[model.stem, precision, kernel]:
                    order[model.stem, precision, kernel].append(name)
    if not names:
        raise RuntimeError(f'no kernels for {device}')
    return names, order


def judge(gpu, names, reported):
    """Lines about what does not fit."""
    bad = []
    for name, (kernel, users) in sorted(names.items()):
        result = reported.get(name, 'the time did not suffice')
        if isinstance(result, ShaderStats) and result.spill == 0:
            continue
        what = f'spills ({result.spill})' if isinstance(result, ShaderStats) else result
        bad.append(f'{gpu.title}: {kernel} of {users[0]} ({name}): {what}')
    return bad


def files_of_works(precisions, order):
    """(work, precision) -> the file of its kernel, where there is one."""
    files = {}
    for precision in (p for p in precisions if p in works.ROWS):
        for work in works.WORKS:
            printed = order.get((work.model, precision, work.kernel), [])
            if work.index < len(printed):
                files[work, precision] = printed[work.index]
    return files


def measure(gpu, files, reported):
    """(GPU, work, precision) -> figures of the works whose kernels were compiled."""
    measured = {}
    for (work, precision), file in files.items():
        stats = reported.get(file)
        found = works.figures(stats, work.half_rounds if precision == 'f16-sums' else work.rounds) if isinstance(stats, ShaderStats) and stats.program else None
        if found:
            measured[gpu.name, work.title, precision] = found
    return measured


def winograd(order, reported):
    """Slots of the launches of Winograd's algorithm, where all were compiled."""
    files = [order.get((works.WINOGRAD_MODEL, 'winograd', kernel), [None])[0] for kernel in works.WINOGRAD_KERNELS]
    stats = [reported.get(file) for file in files]
    if not all(isinstance(s, ShaderStats) and s.program for s in stats):
        return None
    return works.winograd_slots([s.program for s in stats])


def cell(results):
    """The largest of each number."""
    results = [r for r in results if isinstance(r, ShaderStats)]
    registers = [r.registers for r in results if r.registers is not None]
    return f'{max(r.instructions for r in results)} / {max(registers) if registers else "–"} / {max(r.spill for r in results)}'


def tables(done):
    """done: (gpu, device, names, reported) of each GPU."""
    lines = ['| GPU | driver | storage buffers, items of a group | programs | spill |', '|---|---|---|---|---|']
    kernels = collections.defaultdict(dict)
    for gpu, (renderer, version, limits), names, reported in done:
        spilling = sum(isinstance(r, ShaderStats) and r.spill > 0 for r in reported.values())
        mesa = re.search(r'Mesa [^ +]+', version)
        axes = ' x '.join(str(limits[axis]) for axis in 'xyz')
        lines.append(f'| {gpu.title} | {renderer.split(" (")[0]}, {mesa.group(0) if mesa else version} | '
                     f'{limits["storage buffers"]}, {limits["items of a group"]} ({axes}) | {len(names)} | {spilling} |')
        for name, (kernel, _) in names.items():
            if name in reported:
                kernels[kernel].setdefault(gpu.name, []).append(reported[name])
    lines += ['', '| kernel | ' + ' | '.join(gpu.title for gpu, *_ in done) + ' |', '|---' * (len(done) + 1) + '|']
    for kernel, results in sorted(kernels.items()):
        lines.append(f'| `{kernel}` | ' + ' | '.join(cell(results[gpu.name]) if gpu.name in results else '–' for gpu, *_ in done) + ' |')
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('models', nargs='*', type=pathlib.Path, help='.tflite files; unless given, 12 of the shared folder')
    parser.add_argument('--tern', default='build/release/bin/tern', type=pathlib.Path)
    parser.add_argument('--shared', default='../shared', type=pathlib.Path, help='where models/ lies')
    parser.add_argument('--folder', default='build/gpu_stats', type=pathlib.Path, help='drivers, kernels and logs')
    parser.add_argument('--gpus', default=','.join(gpu.name for gpu in GPUS))
    parser.add_argument('--precisions', default=','.join(PRECISIONS))
    parser.add_argument('--seconds', default=1800, type=int, help='the longest that one GPU may take')
    parser.add_argument('--figures', default=pathlib.Path(__file__).with_name('figures.tsv'), type=pathlib.Path,
                        help='what the kernels of works took before; one that takes more fails')
    parser.add_argument('--store', action='store_true', help='writes what they take now there')
    parser.add_argument('--markdown', type=pathlib.Path, help='write the tables there')
    args = parser.parse_args()
    wanted = args.gpus.split(',')
    gpus = [gpu for gpu in GPUS if gpu.name in wanted]
    if len(gpus) != len(wanted):
        parser.error(f'unknown GPU among {args.gpus} (known: {", ".join(gpu.name for gpu in GPUS)})')
    models = args.models or [args.shared / 'models' / f'{name}.tflite' for name in MODELS]
    missing = [str(model) for model in models if not model.exists()]
    if missing:
        parser.error(f'no such model: {", ".join(missing)}')
    args.folder.mkdir(parents=True, exist_ok=True)
    drivers, precisions = Drivers(args.folder), args.precisions.split(',')
    for arch in sorted({gpu.arch for gpu in gpus}):
        drivers.prepare(arch)
    done, bad, measured, by_winograd = [], [], {}, {}
    for gpu in gpus:
        folder = args.folder.resolve() / 'kernels' / gpu.device
        folder.mkdir(parents=True, exist_ok=True)
        names, order = print_kernels(args.tern, models, precisions, gpu.device, folder, gpu.language)
        files = files_of_works(precisions, order)
        if gpu.language == 'opencl':
            names = {name: names[name] for name in files.values()}
        device, reported = drivers.compile(gpu, [folder / name for name in sorted(names)], args.seconds)
        reported = {pathlib.Path(path).name: result for path, result in reported.items()}
        if gpu.language == 'glsl':
            done.append((gpu, device, names, reported))
        bad += judge(gpu, names, reported)
        measured |= measure(gpu, files, reported)
        slots = winograd(order, reported)
        if slots is not None:
            by_winograd[gpu.title] = slots
        print(f'{gpu.title}: {len(reported)} of {len(names)} programs compiled', flush=True)
    stored = works.read(args.figures)
    bad += works.worse(measured, stored)
    if args.store:  # those of GPUs that were left out stay
        args.figures.write_text(works.text(stored | measured))
    by_language = [[gpu for gpu in gpus if gpu.language == language] for language in PROGRAMS]
    text = '\n'.join([tables(done)] * bool(done) + [works.table(measured, group) for group in by_language if group])
    if by_winograd:
        text += ("\nSlots of a 3x3 of 128 channels by Winograd's algorithm, for one multiply-add of plain sums: " +
                 ', '.join(f'{title} {slots:.2f}' for title, slots in by_winograd.items()) + '\n')
    print(text)
    if args.markdown:
        args.markdown.write_text(text)
    for line in bad:
        print(line)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
