# SPDX-License-Identifier: Apache-2.0
"""Operations of the application's own."""
import ctypes
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

from tern.interpreter import InterpreterWithCustomOps

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The operation Nobody of models/unknown_custom.json: adds one.
SOURCE = '''
#include "tensorflow/lite/mutable_op_resolver.h"

namespace {
TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  context->tensors[node->outputs->data[0]].data.f[0] = context->tensors[node->inputs->data[0]].data.f[0] + 1;
  return kTfLiteOk;
}
}  // namespace

extern "C" void RegisterNobody(tflite::MutableOpResolver* resolver) {
  TfLiteRegistration nobody = {};
  nobody.invoke = Eval;
  resolver->AddCustom("Nobody", &nobody);
}
'''


@pytest.fixture(scope='module')
def registerer(tmp_path_factory):
    """RegisterNobody in a library that is compiled against the build tree."""
    compiler = shutil.which('c++')
    if compiler is None:
        pytest.skip('no c++')
    folder, build = tmp_path_factory.mktemp('custom'), os.environ['TERN_BUILD']
    (folder / 'nobody.cc').write_text(SOURCE)
    subprocess.run([compiler, '-std=c++17', '-shared', '-fPIC', f'-I{ROOT}/include', f'-I{build}/include', '-o',
                    folder / 'libnobody.so', folder / 'nobody.cc', f'-L{build}/lib', '-ltensorflowlite',
                    f'-Wl,-rpath,{build}/lib'], check=True)
    function = ctypes.CDLL(str(folder / 'libnobody.so'), mode=ctypes.RTLD_GLOBAL).RegisterNobody
    function.argtypes, function.restype = [ctypes.c_void_p], None
    return function


@pytest.mark.parametrize('by_name', [True, False])
def test_registerers_are_names_and_functions(model, registerer, by_name):
    interpreter = InterpreterWithCustomOps(['RegisterNobody' if by_name else registerer],
                                           model_path=model('unknown_custom'))
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, np.array([2], np.float32))
    interpreter.invoke()
    assert interpreter.get_tensor(1).tolist() == [3]


def test_registerers_that_are_none(model):
    with pytest.raises(ValueError, match="Looking up symbol 'RegisterSomebody' failed"):
        InterpreterWithCustomOps(['RegisterSomebody'], model_path=model('unknown_custom'))
    with pytest.raises(ZeroDivisionError):
        InterpreterWithCustomOps([lambda address: 1 // 0], model_path=model('unknown_custom'))
    with pytest.raises(TypeError, match='int'):
        InterpreterWithCustomOps([5], model_path=model('unknown_custom'))


def test_without_registerers_it_is_an_interpreter(landscape):
    interpreter = InterpreterWithCustomOps(model_path=landscape, num_threads=2)
    interpreter.allocate_tensors()
    assert interpreter.get_input_details()[0]['name'] == 'image'
