#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tools of TensorFlow Lite by their names: flags, lines that scripts read, exit status.
named_tools_test.py BENCHMARK_MODEL LABEL_IMAGE"""
import array
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BENCHMARK, LABEL_IMAGE = sys.argv[1:]
MODEL = 'demo/landscape.tflite'
QUICK = ('--num_runs=3', '--min_secs=0', '--warmup_min_secs=0')
NUMBER = r'[-+.e0-9]+'


def run(tool, *args, status=0):
    done = subprocess.run([tool, *map(str, args)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (args, done.returncode, done.stdout, done.stderr)
    return done


def benchmark(*args, status=0):
    return run(BENCHMARK, f'--graph={MODEL}', *args, status=status)


def check_lines():
    """Every line, in order, and on standard output."""
    lines = benchmark(*QUICK, '--num_threads=2', '--report_peak_memory_footprint=true').stdout.splitlines()
    runs = 'INFO: Running benchmark for at least {} iterations and at least {} seconds but terminate if exceeding 150 seconds.'
    stats = fr'INFO: count=3 first=\d+ curr=\d+ min=\d+ max=\d+ avg={NUMBER} std=\d+ p5=\d+ median=\d+ p95=\d+'
    wanted = [
        'INFO: STARTING!', r'INFO: Log parameter values verbosely: \[0\]', r'INFO: Min num runs: \[3\]',
        r'INFO: Min runs duration \(seconds\): \[0\]', r'INFO: Num threads: \[2\]',
        r'INFO: Min warmup runs duration \(seconds\): \[0\]', r'INFO: Report the peak memory footprint: \[1\]',
        fr'INFO: Graph: \[{MODEL}\]', r'INFO: Signature to run: \[\]', r'INFO: #threads used for CPU inference: \[2\]',
        f'INFO: Loaded model {MODEL}', 'INFO: The input model file size \\(MB\\): 0.00379[0-9]*',
        fr'INFO: Initialized session in {NUMBER}ms\.', runs.format(1, 0), r'INFO: count=1 curr=(\d+) p5=\1 median=\1 p95=\1', '',
        runs.format(3, 0), stats + r'|INFO: count=3 curr=.*', '',
        fr'INFO: Inference timings in us: Init: \d+, First inference: \d+, Warmup \(avg\): {NUMBER}, Inference \(avg\): {NUMBER}',
        'INFO: Note: as the benchmark tool itself affects memory footprint, the following is only APPROXIMATE to the actual '
        'memory footprint of the model at runtime. Take the information at your discretion.',
        fr'INFO: Memory footprint delta from the start of the tool \(MB\): init={NUMBER} overall={NUMBER}',
        fr'INFO: Overall peak memory footprint \(MB\) via periodic monitoring: {NUMBER}',
        'INFO: Memory status at the end of exeution:', r'INFO: - VmRSS              : \d+ MB',
        r'INFO: \+ RssAnnon           : \d+ MB', r'INFO: \+ RssFile \+ RssShmem : \d+ MB']
    assert len(lines) == len(wanted), lines
    for line, pattern in zip(lines, wanted):
        assert re.fullmatch(pattern, line), (line, pattern)
    verbose = benchmark('--dry_run=true', '--verbose=1').stdout
    assert 'INFO: Min num runs: [50]' in verbose and 'INFO: Use gpu: [0]' in verbose and 'count=0' in verbose


def table(text, title):
    """The rows of a table as lists of their columns, by the tabs that stand before each."""
    rows = re.search(fr'=+ {title} =+\n(.*?)\n\n', text, re.S).group(1).splitlines()
    return [[column.strip() for column in row.split('\t')[1:]] for row in rows]


def check_profile(folder):
    text = benchmark(*QUICK, '--enable_op_profiling=true').stdout
    init, runs = text.split('Operator-wise Profiling Info for Regular Benchmark Runs:')
    assert 'Profiling Info for Benchmark Initialization:' in init and 'AllocateTensors/0' in init
    order = table(runs, 'Run Order')
    assert order[0] == ['[node type]', '[first]', '[avg ms]', '[%]', '[cdf%]', '[mem KB]', '[times called]', '[Name]']
    assert len(order) == 11 and order[1][0] == 'CONV_2D' and order[1][-1] == '[shrink]:0' and order[1][-2] == '1'
    assert order[-1][4] == '100.000%'
    times = [float(row[2]) for row in table(runs, 'Top by Computation Time')[1:]]
    assert times == sorted(times, reverse=True) and len(times) == 10
    types = table(runs, 'Summary by node type')
    assert types[0] == ['[Node type]', '[count]', '[avg ms]', '[avg %]', '[cdf %]', '[mem KB]', '[times called]']
    assert {row[0]: row[1] for row in types[1:]}['CONV_2D'] == '4'
    assert 'Number of nodes executed: 10' in runs and '10 nodes observed' in runs
    assert re.search(r'^Timings \(microseconds\): count=3 ', runs, re.M)
    csv = folder / 'ops.csv'
    for flags in ([f'--profiling_output_csv_file={csv}'],
                  ['--op_profiling_output_mode=csv', f'--op_profiling_output_file={csv}']):
        text = benchmark(*QUICK, '--enable_op_profiling=true', *flags).stdout
        assert 'Run Order' not in text
        assert 'node type, first, avg_ms, %, cdf%, mem KB, times called, name\nCONV_2D, ' in csv.read_text()
        csv.unlink()
    proto = folder / 'ops.pb'
    benchmark(*QUICK, '--enable_op_profiling=true', '--op_profiling_output_mode=proto', f'--op_profiling_output_file={proto}')
    assert b'[pixel_classes]:9' in proto.read_bytes()


def check_files(folder):
    given, raw, example, info = folder / 'in.bin', folder / 'out.bin', folder / 'out.pb', folder / 'info.pb'
    given.write_bytes(array.array('f', [0.25] * (2 * 240 * 320 * 3)).tobytes())
    layer = ['--input_layer=image', '--input_layer_shape=2,240,320,3', f'--input_layer_value_files=image:{given}']
    benchmark(*QUICK, *layer, f'--output_filepath={raw}', f'--output_proto_filepath={example}',
              '--export_model_runtime_info=true', f'--model_runtime_info_output_file={info}')
    assert len(raw.read_bytes()) == 2 * 240 * 320 * 7 * 4
    assert raw.read_bytes() in example.read_bytes() and b'pixel_classes' in example.read_bytes()
    assert b'pixel_classes' in info.read_bytes()
    check_result_file(folder)
    check_open_file()
    other = benchmark(*QUICK, '--input_layer=picture', '--input_layer_shape=2,240,320,3').stdout
    assert 'WARN: Tensor # 0 is named image but flags call it picture' in other
    state = benchmark('--dry_run=true', '--print_preinvoke_state=true', '--print_postinvoke_state=true').stdout
    assert '====Printing out TfLite interpreter pre-invoke state begins====' in state
    assert '====Printing out TfLite interpreter post-invoke state ends====' in state


def check_result_file(folder):
    """The message BenchmarkResult: name, latency, memory and other metrics, of which the number of runs."""
    result = folder / 'result.pb'
    benchmark(*QUICK, '--benchmark_name=mine', '--warmup_runs=1', f'--result_file_path={result}')
    message = result.read_bytes()
    assert message.startswith(b'\x0a\x04mine\x12\x32\x0d'), message  # ten floats
    assert b'\x22\x0e\x0d' in message and b'\x10\x03\x18\x01\x25' in message[-10:], message


def check_open_file():
    """A model that begins within a file that is already open."""
    with tempfile.TemporaryFile() as file:
        model = pathlib.Path(MODEL).read_bytes()
        file.write(bytes(64) + model + bytes(9))
        file.flush()
        for place, status in ((f'64:{len(model)}', 0), (f'64:{len(model) + 10}', 1), ('64:8', 1), ('64', 1), ('-1:8', 1), ('x:8', 1)):
            done = subprocess.run([BENCHMARK, f'--graph=fd:{file.fileno()}:{place}', *QUICK], capture_output=True, text=True,
                                  check=False, pass_fds=[file.fileno()])
            assert done.returncode == status, (place, done)
        assert 'ERROR: --graph: ' in done.stderr, done
        done = run(BENCHMARK, '--graph=fd:987:0:100', *QUICK, status=1)


def check_delegates():
    text = benchmark(*QUICK, '--use_xnnpack=true').stdout
    assert 'INFO: XNNPACK delegate created.' in text
    assert 'INFO: Though XNNPACK delegate is explicitly applied, the model graph will not be executed by the delegate.' in text
    gpu = subprocess.run([BENCHMARK, f'--graph={MODEL}', *QUICK, '--use_gpu=true', '--require_full_delegation=true'],
                         capture_output=True, text=True, check=False)
    whole = 'Explicitly applied GPU delegate, and the model graph will be completely executed by the delegate.'
    assert whole in gpu.stdout if gpu.returncode == 0 else 'Benchmarking failed.' in gpu.stderr, gpu
    if gpu.returncode == 0:  # the delegate's node is an operation to the profiler
        text = benchmark(*QUICK, '--use_gpu=true', '--enable_op_profiling=true').stdout
        runs = text.split('Operator-wise Profiling Info for Regular Benchmark Runs:')[1]
        assert 'Number of nodes executed: 1\n' in runs and table(runs, 'Run Order')[1][0] == 'TfLiteGpuDelegateV2', runs


def check_errors(folder):
    image = ['--input_layer=image', '--input_layer_shape=1,240,320,3']
    for args in (['--graph='], ['--graph=no-such-file.tflite'], ['--graph=demo'], ['--graph=demo/labels.txt'],
                 [f'--graph={MODEL}', '--num_runs=many'], [f'--graph={MODEL}', '--num_threads=-7'],
                 [f'--graph={MODEL}', '--input_layer=image'], [f'--graph={MODEL}', *image[:1], '--input_layer_shape=1,2'],
                 [f'--graph={MODEL}', *image[:1], '--input_layer_shape=1,-1,320,3'],
                 [f'--graph={MODEL}', *image[:1], '--input_layer_shape=1,1000000,1000000,3'],
                 [f'--graph={MODEL}', '--input_layer=image,other', '--input_layer_shape=1,240,320,3:1'],
                 [f'--graph={MODEL}', *image, '--input_layer_value_range=other,0,1'],
                 [f'--graph={MODEL}', *image, '--input_layer_value_files=image:demo/labels.txt'],
                 [f'--graph={MODEL}', *image, '--input_layer_value_files=image:no-such-file'],
                 [f'--graph={MODEL}', '--signature_to_run_for=none'], [f'--graph={MODEL}', '--require_full_delegation=true'],
                 [f'--graph={MODEL}', '--external_delegate_path=no-such-file.so'],
                 [f'--graph={MODEL}', '--enable_op_profiling=1', '--op_profiling_output_mode=xml'],
                 [f'--graph={MODEL}', '--enable_op_profiling=1', '--op_profiling_output_mode=proto'],
                 [f'--graph={MODEL}', '--enable_op_profiling=1', '--max_profiling_buffer_entries=2000000000'],
                 [f'--graph={MODEL}', f'--output_filepath={folder}/none/out.bin'],
                 [f'--graph={MODEL}', f'--output_filepath={folder}'], [f'--graph={MODEL}', f'--result_file_path={folder}']):
        done = run(BENCHMARK, *args, *QUICK, status=1)
        lines = done.stderr.splitlines()
        assert lines[-1] == 'ERROR: Benchmarking failed.' and len(lines) > 1, (args, done)
        assert 'Running benchmark' not in done.stdout, (args, done)
    assert 'WARN: Unconsumed cmdline flags: --no_such=1 --verbose' in benchmark(*QUICK, '--no_such=1', '--verbose').stdout
    assert run(BENCHMARK, '--help').stdout.count('--num_threads=-1') == 1


PHOTO = ('--image', 'demo/landscape.png', '--labels=demo/labels.txt')


def check_label_image():
    """Everything goes to standard error; the scores are those of the first pixel of the demo."""
    done = run(LABEL_IMAGE, '-m', MODEL, *PHOTO, '-c', 2, '-t', 2, '-r', 2, '-w', 1)
    assert not done.stdout
    lines = done.stderr.splitlines()
    assert lines[:3] == [f'INFO: Loaded model {MODEL}', 'INFO: resolved reporter', 'INFO: invoked'], lines
    assert re.fullmatch(fr'INFO: average time: {NUMBER} ms', lines[3]), lines
    results = [re.fullmatch(fr'INFO: ({NUMBER}): (\d+) (\w+)', line).groups() for line in lines[4:]]
    assert len(results) == 2 and results[0][1:] == ('2', 'water'), results
    scores = [float(result[0]) for result in results]
    assert scores == sorted(scores, reverse=True)
    assert len(run(LABEL_IMAGE, '-m', MODEL, *PHOTO).stderr.splitlines()) <= 4 + 5
    reported = run(LABEL_IMAGE, f'--tflite_model={MODEL}', *PHOTO, '--profiling=1', '--verbose=1', '--warmup_runs=0').stderr
    assert 'INFO: input(0) name: image\n' in reported and 'INFO: number of outputs: 1\n' in reported
    assert len(re.findall(r'INFO: +[.\d]+, Subgraph   0, Node   \d, OpCode +\d+, [A-Z_0-9]+\n', reported)) == 10, reported
    applied = run(LABEL_IMAGE, '-m', MODEL, *PHOTO, '--use_xnnpack=true', '-a', 1).stderr
    assert 'INFO: Applied XNNPACK delegate.' in applied and "WARN: NNAPI delegate isn't supported" in applied
    assert '--num_results, -r' in run(LABEL_IMAGE, '--help').stdout


def check_label_image_errors():
    model = ('-m', MODEL)
    for args in ((), ('-m', 'demo/labels.txt', *PHOTO), ('-m', 'demo', *PHOTO), (*model, '-i', 'none', '-l', 'demo/labels.txt'),
                 (*model, '-i', 'demo/labels.txt', '-l', 'demo/labels.txt'), (*model, '-i', 'demo/landscape.png', '-l', 'none'),
                 (*model, *PHOTO, '-c', 0), (*model, *PHOTO, '-c', 'many'), (*model, *PHOTO, '-t', -9), (*model, *PHOTO, '-s', 0),
                 (*model, *PHOTO, '-e', 2000000000), (*model, *PHOTO, '-b', 'nan'), (*model, *PHOTO, '-v', 2),
                 (*model, *PHOTO, '--no_such=1'), (*model, *PHOTO, 'word'), (*PHOTO, '-m'),
                 (*model, *PHOTO, '--use_gpu=perhaps'), (*model, *PHOTO, '--external_delegate_path=none.so')):
        assert run(LABEL_IMAGE, *args, status=1).stderr.splitlines()[-1].startswith('ERROR: '), args


def check_known_photo():
    """A quantized classifier gives what the reference gave for the same pixels, to the last digit."""
    shared = pathlib.Path(os.environ.get('TERN_SHARED', '../shared'))
    if not (shared / 'media').is_dir():
        print(f'skipped: no photos in {shared}')
        return
    reported = run(LABEL_IMAGE, '-m', shared / 'models/mobilenet_v1_1.0_224_quant.tflite', '-i',
               shared / 'media/coral_grace_hopper.bmp', '-l', shared / 'labels/labels_mobilenet_quant_v1_224.txt').stderr
    assert reported.splitlines()[4:] == [
        'INFO: 0.752941: 653 military uniform', 'INFO: 0.141176: 907 Windsor tie', 'INFO: 0.0156863: 458 bow tie',
        'INFO: 0.00784314: 835 suit', 'INFO: 0.00784314: 700 panpipe'], reported


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_lines()
        check_profile(folder)
        check_files(folder)
        check_delegates()
        check_errors(folder)
    check_label_image()
    check_label_image_errors()
    check_known_photo()
    print('the tools keep their word')


if __name__ == '__main__':
    main()
