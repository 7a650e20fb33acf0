# SPDX-License-Identifier: Apache-2.0
"""explain() and benchmark()."""
import json
import pathlib
import subprocess

import numpy as np
import pytest

import tern


def reported_by_tool(tool, model, *flags):
    run = subprocess.run([tool, 'explain', model, '--json', '-', *flags], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize('device', ['gles-min', 'adreno', 'mali', 'videocore', 'amd', 'nvidia', 'cpu16'])
def test_explain_tells_what_the_command_line_tells(tool, landscape, device):
    reported = tern.explain(landscape, device=device)
    assert reported == reported_by_tool(tool, landscape, '--device', device)
    assert len(reported['decisions']) == 10 and reported['decisions'][0]['decision'] == 'gpu'


def test_explain_takes_precision_and_a_limit_of_parts(tool, landscape):
    reported = tern.explain(landscape, device='mali', precision='f16', max_partitions=1)
    assert reported == reported_by_tool(tool, landscape, '--device', 'mali', '--precision', 'f16', '--max-partitions', '1')


def test_explain_where_no_delegate_sees_the_graph(tool, model):
    reported = tern.explain(model('strings'))
    assert reported == reported_by_tool(tool, model('strings'))
    assert [d['decision'] for d in reported['decisions']] == ['cpu']


def test_explain_of_bytes_is_without_a_file(landscape):
    reported = tern.explain(pathlib.Path(landscape).read_bytes())
    assert reported['file'] is None and {**reported, 'file': landscape} == tern.explain(landscape)
    assert tern.explain(pathlib.Path(landscape)) == tern.explain(landscape)


@pytest.mark.parametrize('arguments, text', [({'device': 'abacus'}, 'abacus'), ({'precision': 'f64'}, 'tern_precision'),
                                             ({'max_partitions': 0}, 'max_partitions should be >= 1')])
def test_explain_names_what_there_is_not(landscape, arguments, text):
    with pytest.raises(ValueError, match=text):
        tern.explain(landscape, **arguments)


def test_explain_of_what_is_no_model():
    with pytest.raises(ValueError, match='/nowhere/m.tflite'):
        tern.explain('/nowhere/m.tflite')


def test_benchmark_is_a_plain_dict(landscape):
    reported = tern.benchmark(landscape, num_threads=2, runs=5, warmup=1)
    assert list(reported) == ['model', 'nodes', 'num_threads', 'delegates', 'runs', 'init_ms', 'first_ms', 'median_ms',
                          'p90_ms', 'min_ms']
    assert json.loads(json.dumps(reported)) == reported
    assert reported['nodes'] == 10 and reported['runs'] == 5 and reported['num_threads'] == 2 and reported['delegates'] == []
    assert 0 < reported['min_ms'] <= reported['median_ms'] <= reported['p90_ms']


def test_benchmark_with_a_delegate_and_inputs(gpu, landscape):
    image = np.zeros((1, 240, 320, 3), np.float32)
    reported = tern.benchmark(landscape, delegates=[gpu], runs=1, warmup=0, inputs=[image])
    assert reported['delegates'] == ['GpuDelegate'] and reported['nodes'] == 1


@pytest.mark.parametrize('name', ['signatures', 'running_sum', 'strings', 'int4'])
def test_benchmark_makes_inputs_of_any_type(model, name):
    assert tern.benchmark(model(name), runs=1)['runs'] == 1


@pytest.mark.parametrize('arguments, text', [({'runs': 0}, 'runs should be >= 1, got 0'),
                                             ({'warmup': -1}, 'warmup should be >= 0, got -1'),
                                             ({'inputs': []}, 'the model has 1 inputs, given are 0'),
                                             ({'num_threads': 0}, 'num_threads should >= 1')])
def test_benchmark_names_what_it_does_not_take(landscape, arguments, text):
    with pytest.raises(ValueError, match=text):
        tern.benchmark(landscape, **arguments)


def test_benchmark_takes_engines_by_their_names(gpu, landscape):
    assert tern.benchmark(landscape, runs=1, warmup=0, engine='gpu')['delegates'] == ['GpuDelegate']
    assert tern.benchmark(landscape, runs=1, warmup=0, engine='cpu')['delegates'] == []
    with pytest.raises(ValueError, match="got 'abacus'"):
        tern.benchmark(landscape, engine='abacus')
