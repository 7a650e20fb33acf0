// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_run.h"

#include <memory>
#include <utility>

#include "fuzz/model_mutator.h"
#include "fuzz/play.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/kernels/register_ref.h"
#include "tensorflow/lite/model_builder.h"

namespace tern::fuzz {

void RunFile(const Input& input, const char* device) {
  static const auto& plain = *new tflite::ops::builtin::BuiltinRefOpResolver;
  static const auto& fast = *new tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates;
  Listener listener;
  const auto model = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
      reinterpret_cast<const char*>(input.file.data()), input.file.size(), nullptr, &listener);
  if (model == nullptr) return;
  const tflite::OpResolver& resolver =
      input.tail.Has(Tail::kPlain) ? static_cast<const tflite::OpResolver&>(plain) : fast;
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(*model, resolver)(&interpreter, 1);
  if (interpreter != nullptr) Play(std::move(interpreter), input.tail, device);
}

void RunUnchecked(const Input& input, testing::Route route) {
  const std::unique_ptr<tflite::ModelT> model = ReadModel(input.file);
  if (model != nullptr && !model->subgraphs.empty()) {
    testing::Attempt(*model, route, {}, /*refused=*/-1, kMostTensorBytes);
  }
}

}  // namespace tern::fuzz

extern "C" {

int LLVMFuzzerInitialize(int*, char***) {
  tern::fuzz::BeQuiet();
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return tern::fuzz::MutateModel(data, size, max_size, seed, /*raw_share=*/8);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                 uint8_t* out, size_t max_size, unsigned seed) {
  return tern::fuzz::CrossModels(a, a_size, b, b_size, out, max_size, seed);
}

}  // extern "C"
