#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libtensorflowlite_c.so is complete: alone in a folder it loads and serves a program in C; it shows the functions that the
C headers declare and no others; a program may link libtensorflowlite.so beside it, in either order.

Usage: c_library_test.py C_COMPILER CXX_COMPILER C_LIBRARY CPP_LIBRARY BUILD_INCLUDE_FOLDER MODEL_FOLDER
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = ROOT / 'include'
API = INCLUDE / 'tensorflow' / 'lite'
# The folders and headers whose functions are in the library; other delegates' are in their own.
HEADERS = ['core/c/*.h', 'c/*.h', 'core/async/c/*.h', 'core/async/interop/c/*.h', 'profiling/telemetry/c/*.h',
           'delegates/external/external_delegate.h', 'delegates/nnapi/nnapi_delegate_c_api.h']

MIXED = r'''
#include <cstdio>
#include <memory>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/delegates/utils/simple_opaque_delegate.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

// An operation that the C API describes, in interpreters of both APIs.
static TfLiteStatus Copy(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  const TfLiteOpaqueTensor* x = TfLiteOpaqueNodeGetInput(context, node, 0);
  return TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueNodeGetOutput(context, node, 0),
                                          TfLiteOpaqueTensorData(x), TfLiteOpaqueTensorByteSize(x));
}

struct Nothing : tflite::SimpleOpaqueDelegateInterface {
  bool IsNodeSupportedByDelegate(const TfLiteOperator*, const TfLiteOpaqueNode*,
                                 TfLiteOpaqueContext*) const override {
    return false;
  }
  TfLiteStatus Initialize(TfLiteOpaqueContext*) override { return kTfLiteOk; }
  const char* Name() const override { return "Nothing"; }
  std::unique_ptr<tflite::SimpleOpaqueDelegateKernelInterface> CreateDelegateKernelInterface()
      override {
    return nullptr;
  }
};

int main(int, char** argv) {
  TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Scale", 1, nullptr);
  TfLiteOperatorSetInvoke(op, Copy);
  TfLiteRegistration registration = {};
  registration.builtin_code = kTfLiteBuiltinCustom;
  registration.custom_name = "Scale";
  registration.version = 1;
  registration.registration_external = op;

  auto model = tflite::FlatBufferModel::BuildFromFile(argv[1]);
  tflite::ops::builtin::BuiltinOpResolver resolver;
  resolver.AddCustom("Scale", &registration);
  std::unique_ptr<tflite::Interpreter> interpreter;
  if (tflite::InterpreterBuilder(*model, resolver)(&interpreter) != kTfLiteOk) return 1;
  TfLiteOpaqueDelegate* delegate =
      tflite::TfLiteOpaqueDelegateFactory::CreateSimpleDelegate(std::make_unique<Nothing>());
  if (interpreter->ModifyGraphWithDelegate(delegate) != kTfLiteOk) return 2;
  if (interpreter->AllocateTensors() != kTfLiteOk) return 3;
  interpreter->typed_input_tensor<float>(0)[2] = 7;
  if (interpreter->Invoke() != kTfLiteOk) return 4;
  if (interpreter->typed_output_tensor<float>(0)[2] != 7) return 5;

  TfLiteModel* c_model = TfLiteModelCreateFromFile(argv[1]);
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddOperator(options, op);
  TfLiteInterpreterOptionsAddDelegate(options, delegate);
  TfLiteInterpreter* c_interpreter = TfLiteInterpreterCreate(c_model, options);
  if (TfLiteInterpreterAllocateTensors(c_interpreter) != kTfLiteOk) return 6;
  const float x[3] = {1, 2, 3};
  TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(c_interpreter, 0), x, sizeof(x));
  if (TfLiteInterpreterInvoke(c_interpreter) != kTfLiteOk) return 7;
  float y[3] = {};
  TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(c_interpreter, 0), y, sizeof(y));
  if (y[2] != 3) return 8;
  TfLiteInterpreterDelete(c_interpreter);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(c_model);
  interpreter.reset();
  tflite::TfLiteOpaqueDelegateFactory::DeleteSimpleDelegate(delegate);
  TfLiteOperatorDelete(op);
  return 0;
}
'''
LOADER = r'''
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char** argv) {
  void* library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    puts(dlerror());
    return 1;
  }
  return dlsym(library, "TfLiteInterpreterCreate") == NULL;
}
'''


def run(*command, **more):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **more)


def declared():
    names = set()
    for pattern in HEADERS:
        for path in API.glob(pattern):
            text = re.sub(r'//[^\n]*', '', path.read_text())
            for declaration in re.findall(r'TFL_CAPI_EXPORT(.*?);', text, re.S):
                names |= set(re.findall(r'\b(k?TfLite\w+)(?:\(|\[\])', declaration)[:1])
    return names


class CLibrary(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.alone = self.work / 'alone'
        self.alone.mkdir()
        shutil.copy(C_LIBRARY, self.alone)

    def build(self, compiler, standard, text, *arguments):
        suffix = 'c' if standard.startswith('c1') else 'cc'
        source = self.work / f'program.{suffix}'
        source.write_text(text)
        done = run(compiler, f'-std={standard}', f'-I{INCLUDE}', '-isystem', BUILD_INCLUDE, source, '-o',
                   self.work / 'program', *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.work / 'program'

    def succeeds(self, program, *arguments, libraries=()):
        done = run(program, *arguments,
                   env={**os.environ, 'LD_LIBRARY_PATH': ':'.join(str(folder) for folder in libraries)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_shows_what_the_headers_declare(self):
        shown = {line.split()[-1] for line in run('nm', '-D', '--defined-only', C_LIBRARY).stdout.splitlines()}
        in_cpp = {name for name in shown if name.startswith('_Z')}
        self.assertEqual(in_cpp, {'_Z23TfLiteQuantizationCloneRK18TfLiteQuantization'})
        names = declared()
        self.assertGreater(len(names), 290)
        self.assertEqual(sorted((names | in_cpp) - shown - {'TfLiteQuantizationClone'}), [])
        self.assertEqual([name for name in shown if not name.startswith(('TfLite', 'kTfLite', '_Z'))], [])

    def test_every_function_is_called_by_the_test_in_c(self):
        calls = ''.join(path.read_text() for path in (ROOT / 'tests' / 'api').glob('c_api*_test.c'))
        unused = [name for name in declared() - {'TfLiteQuantizationClone'} if not re.search(rf'\b{name}\b', calls)]
        self.assertEqual(sorted(unused), [])

    def test_it_needs_no_library_of_ours(self):
        needed = re.findall(r'NEEDED.*\[(.*)\]', run('readelf', '-d', C_LIBRARY).stdout)
        self.assertIn('libc.so.6', needed)
        self.assertEqual([name for name in needed if 'tensorflow' in name], [])

    def test_it_loads_alone(self):
        program = self.build(CC, 'c11', LOADER, '-ldl')
        self.succeeds(program, self.alone / C_LIBRARY.name)

    def test_a_program_in_c_links_it_alone(self):
        text = (ROOT / 'tests' / 'install' / 'app.c').read_text()
        program = self.build(CC, 'c11', text, f'-L{self.alone}', '-ltensorflowlite_c')
        self.succeeds(program, MODELS / 'add.tflite', libraries=[self.alone])

    def test_both_libraries_in_one_program(self):
        folders = [f'-L{self.alone}', f'-L{CPP_LIBRARY.parent}']
        for order in (['-ltensorflowlite', '-ltensorflowlite_c'], ['-ltensorflowlite_c', '-ltensorflowlite']):
            program = self.build(CXX, 'c++17', MIXED, *folders, '-Wl,--no-as-needed', *order)
            self.succeeds(program, MODELS / 'custom.tflite', libraries=[self.alone, CPP_LIBRARY.parent])


if __name__ == '__main__':
    CC, CXX = sys.argv[1:3]
    C_LIBRARY, CPP_LIBRARY, BUILD_INCLUDE, MODELS = map(pathlib.Path, sys.argv[3:7])
    unittest.main(argv=sys.argv[:1])
