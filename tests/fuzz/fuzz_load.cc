// SPDX-License-Identifier: Apache-2.0
// Any bytes as a model file: every way to load them.
// Also asks a loaded model all that it tells before it runs. A model that one way takes, the others
// take, too.
#include <memory>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/model_mutator.h"
#include "model/testing/recording_reporter.h"
#include "ops/testing/attempt.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/logger.h"
#include "tensorflow/lite/model_builder.h"
#include "tensorflow/lite/tools/verifier.h"

namespace tern::fuzz {
namespace {

using testing::Fail;
using testing::RecordingReporter;

class NoFurtherChecks : public tflite::TfLiteVerifier {
 public:
  bool Verify(const char*, int, tflite::ErrorReporter*) override { return true; }
};

void Ask(const tflite::FlatBufferModel& model) {
  model.GetMinimumRuntime();
  model.ReadAllMetadata();
}

void Build(const tflite::Model* table, const tflite::FlatBufferModel* model,
           RecordingReporter* reporter) {
  static const auto& resolver = *new tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates;
  std::unique_ptr<tflite::Interpreter> interpreter;
  const TfLiteStatus status =
      model != nullptr ? tflite::InterpreterBuilder(*model, resolver)(&interpreter, 1)
                       : tflite::InterpreterBuilder(table, resolver, reporter)(&interpreter, 1);
  if ((status == kTfLiteOk) != (interpreter != nullptr)) Fail("an interpreter against its status");
  if (status != kTfLiteOk && reporter->messages.empty()) Fail("an error without a message");
}

// The flatbuffer is sound, the graph in it need not be.
bool IsFlatbuffer(const std::vector<uint8_t>& bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  return tflite::VerifyModelBuffer(verifier);
}

void Load(const Input& input) {
  RecordingReporter reporter;
  const auto* data = reinterpret_cast<const char*>(input.file.data());
  std::vector<char> shifted;
  if (input.tail.Has(Tail::kMisplaced)) {
    shifted.assign(1, 0);
    shifted.insert(shifted.end(), data, data + input.file.size());
    data = shifted.data() + 1;
  }
  const size_t size = input.file.size();
  const auto plain = tflite::FlatBufferModel::BuildFromBuffer(data, size, &reporter);
  if (plain == nullptr && reporter.messages.empty()) Fail("an error without a message");
  NoFurtherChecks no_further_checks;
  RecordingReporter other;
  const auto checked =
      tflite::FlatBufferModel::VerifyAndBuildFromBuffer(data, size, &no_further_checks, &other);
  if ((plain == nullptr) != (checked == nullptr)) Fail("loaded in one way only");
  // Verify asks for more than loading.
  if (tflite::Verify(data, size, &other) && plain == nullptr) Fail("verified, but not loaded");
  if (plain == nullptr) return;
  Ask(*plain);
  Build(nullptr, plain.get(), &reporter);
}

// Without the checks of the container, for which the caller vouches.
void LoadTable(const Input& input) {
  const std::vector<uint8_t> bytes(input.file.begin(), input.file.end());
  if (!IsFlatbuffer(bytes)) return;
  RecordingReporter reporter;
  const tflite::Model* table = tflite::GetModel(bytes.data());
  Build(table, nullptr, &reporter);
  const auto model = tflite::FlatBufferModel::BuildFromModel(table, &reporter);
  if (model == nullptr) return;
  Ask(*model);
  Build(nullptr, model.get(), &reporter);
}

}  // namespace
}  // namespace tern::fuzz

extern "C" {

int LLVMFuzzerInitialize(int*, char***) {
  tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const tern::fuzz::Input input = tern::fuzz::Split(data, size);
  input.tail.route % 2 == 0 ? tern::fuzz::Load(input) : tern::fuzz::LoadTable(input);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return tern::fuzz::MutateModel(data, size, max_size, seed, /*raw_share=*/50);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                 uint8_t* out, size_t max_size, unsigned seed) {
  return tern::fuzz::CrossModels(a, a_size, b, b_size, out, max_size, seed);
}

}  // extern "C"
