# SPDX-License-Identifier: Apache-2.0
"""Delegates: loading, options, lifetimes."""
import gc
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import tern

LIBRARY = 'libtensorflowlite_gpu_delegate.so'


def run(interpreter, image):
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, image)
    interpreter.invoke()
    return interpreter.get_tensor(22)


@pytest.fixture(scope='module')
def image():
    return np.random.default_rng(3).uniform(0, 1, (1, 240, 320, 3)).astype(np.float32)


@pytest.fixture(scope='module')
def expected(landscape, image):
    return run(tern.Interpreter(landscape), image)


def test_a_gpu_gives_the_cpus_numbers(gpu, landscape, image, expected):
    interpreter = tern.Interpreter(landscape, experimental_delegates=[gpu])
    assert np.abs(run(interpreter, image) - expected).max() < 1e-4
    report = gpu.report()
    assert report['delegated'] == report['nodes'] == 10 and report['engine'] in ('opencl', 'gles')
    assert {d['decision'] for d in report['decisions']} <= {'gpu', 'folded'}


def test_half_precision_is_asked_for_by_name(gpu, landscape, image, expected):
    delegate = tern.gpu_delegate(precision='f16')
    interpreter = tern.Interpreter(landscape, experimental_delegates=[delegate])
    got = run(interpreter, image)
    assert delegate.report()['precision'] == 'f16'
    assert 0 < np.abs(got - expected).max() < 0.1


def test_a_delegate_shows_where_it_runs(gpu, landscape):
    delegate = tern.gpu_delegate()
    assert repr(delegate).startswith('<tern.GpuDelegate: ') and repr(delegate).endswith(', no graph yet>')
    interpreter = tern.Interpreter(landscape, experimental_delegates=[delegate])
    reported = delegate.report()
    assert repr(delegate) == f"<tern.GpuDelegate: {reported['engine']} on {reported['device']}, f32, 10 of 10 nodes>"
    del interpreter


def test_a_delegate_is_seen_among_the_operations(gpu, landscape):
    nodes = tern.Interpreter(landscape, experimental_delegates=[gpu])._get_ops_details()
    assert len(nodes) == 11 and nodes[-1]['op_name'] in ('DELEGATE', 'TfLiteGpuDelegateV2')
    assert nodes[-1]['inputs'][0] == 0 and nodes[-1]['outputs'].tolist() == [22]


@pytest.mark.parametrize('path', [LIBRARY, str(pathlib.Path(tern.__file__).parent / LIBRARY),
                                  pathlib.Path(tern.__file__).parent / LIBRARY])
def test_load_delegate_finds_the_shipped_library_by_name_and_path(gpu, landscape, image, expected, path):
    delegate = tern.load_delegate(path, {'max_delegated_partitions': 4, 'tern_precision': 'f32'})
    got = run(tern.Interpreter(landscape, experimental_delegates=[delegate]), image)
    assert np.abs(got - expected).max() < 1e-4


@pytest.mark.parametrize('options, text', [
    ({'no_such_key': 1}, 'unknown option no_such_key'),
    ({'inference_preference': 'x'}, 'malformed option inference_preference'),
    ({'tern_backend': 'nonsense'}, 'nonsense')])
def test_options_that_are_none_are_named(options, text):
    with pytest.raises(ValueError, match=f'(?s)Failed to load delegate from {LIBRARY}\n.*{text}'):
        tern.load_delegate(LIBRARY, options)


@pytest.mark.parametrize('arguments, text', [({'precision': 'f64'}, 'tern_precision'),
                                             ({'precision': None}, 'tern_precision'),
                                             ({'max_partitions': 0}, 'max_partitions should be >= 1, got 0'),
                                             ({'backend': 'direct3d'}, 'direct3d'), ({'depth': 1}, 'depth')])
def test_gpu_delegate_names_what_it_has_not(arguments, text):
    with pytest.raises(ValueError, match=text):
        tern.gpu_delegate(**arguments)


def test_libraries_that_are_none():
    with pytest.raises(OSError, match='libnobody.so'):
        tern.load_delegate('libnobody.so')
    with pytest.raises(OSError, match='/tmp'):
        tern.load_delegate('/tmp')
    with pytest.raises(AttributeError, match='tflite_plugin_create_delegate'):
        tern.load_delegate('libm.so.6')
    with pytest.raises(TypeError, match='NoneType'):
        tern.load_delegate(None)


def test_what_is_no_delegate_is_refused(landscape):
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute '_get_native_delegate_pointer'"):
        tern.Interpreter(landscape, experimental_delegates=[None])
    with pytest.raises(TypeError, match='int'):
        tern.Interpreter(landscape, experimental_delegates=5)


def test_a_delegate_lives_as_long_as_its_interpreter(gpu, landscape, image, expected):
    interpreter = tern.Interpreter(landscape, experimental_delegates=[tern.gpu_delegate()])
    gc.collect()
    assert np.abs(run(interpreter, image) - expected).max() < 1e-4


def test_a_list_that_changes_later_changes_nothing(gpu, landscape, image, expected):
    delegates = [tern.gpu_delegate()]
    interpreter = tern.Interpreter(landscape, experimental_delegates=delegates)
    delegates.clear()
    gc.collect()
    assert np.abs(run(interpreter, image) - expected).max() < 1e-4


def test_a_delegate_that_is_gone_is_refused(gpu, landscape):
    gpu.__del__()
    with pytest.raises(ValueError, match='The delegate has no native object any more'):
        tern.Interpreter(landscape, experimental_delegates=[gpu])
    with pytest.raises(ValueError, match='no native object'):
        gpu.report()


def test_two_interpreters_share_a_delegate(gpu, landscape, image, expected):
    first = tern.Interpreter(landscape, experimental_delegates=[gpu])
    second = tern.Interpreter(landscape, experimental_delegates=[gpu])
    assert np.abs(run(first, image) - expected).max() < 1e-4
    del first
    gc.collect()
    assert np.abs(run(second, image) - expected).max() < 1e-4


def test_a_graph_with_open_shapes_is_told_by_its_tensor(model):
    planning = tern.gpu_delegate(backend='null:mali', tern_plan_only=1)
    with pytest.raises(RuntimeError, match="was not applied: the shape of tensor 'column' is known only when"):
        tern.Interpreter(model('strings'), experimental_delegates=[planning])


def test_a_delegate_that_fails_is_a_runtime_error(landscape):
    class Failing:
        def _get_native_delegate_pointer(self):
            return FAILING.value

    with pytest.raises(RuntimeError, match='(?i)delegate'):
        tern.Interpreter(landscape, experimental_delegates=[Failing()])


def _failing_delegate():
    """A TfLiteDelegate (data, Prepare, four more functions, flags) whose Prepare gives kTfLiteDelegateError."""
    import ctypes
    prepare_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)

    class TfLiteDelegate(ctypes.Structure):
        _fields_ = [('data', ctypes.c_void_p), ('prepare', prepare_type), ('copy_from', ctypes.c_void_p),
                    ('copy_to', ctypes.c_void_p), ('free', ctypes.c_void_p), ('flags', ctypes.c_int64),
                    ('opaque', ctypes.c_void_p)]

    made = TfLiteDelegate(None, prepare_type(lambda context, delegate: 2), None, None, None, 0, None)
    made.value = ctypes.addressof(made)
    return made


FAILING = _failing_delegate()


@pytest.mark.parametrize(('least', 'lines'), [('info', 1), ('warning', 1), ('error', 0), ('silent', 0)])
def test_the_environment_keeps_log_lines_back(least, lines):
    script = "import tern\ntry: tern.gpu_delegate(precision='f8')\nexcept ValueError: pass"
    run = subprocess.run([sys.executable, '-c', script], env=os.environ | {'TERN_LOG': least}, capture_output=True, text=True,
                         check=True)
    assert run.stderr.count('WARNING: ') == lines, run.stderr


def test_a_severity_that_is_none_is_told():
    run = subprocess.run([sys.executable, '-c', "import tern\ntern.gpu_delegate(precision='f8')"],
                         env=os.environ | {'TERN_LOG': 'loud'}, capture_output=True, text=True, check=False)
    assert "TERN_LOG is 'loud': expected verbose, info, warning, error or silent" in run.stderr
