// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_run.h"

#include "fuzz/model_mutator.h"
#include "ops/testing/attempt.h"
#include "tensorflow/lite/logger.h"

namespace tern::fuzz {
namespace {

// Of one block of memory for tensors.
constexpr size_t kMaxTensorBytes = size_t{256} << 10;
// Of one call of Invoke.
constexpr double kMaxSeconds = 0.3;

testing::Usage UsageOf(const Tail& tail) {
  testing::Usage usage;
  if (tail.fill != 0) usage.fill = testing::Usage::Fill::kRandom;
  usage.seed = tail.fill;
  usage.quota = kMaxTensorBytes;
  usage.seconds = kMaxSeconds;
  usage.resize = {tail.input, {tail.sizes, tail.sizes + tail.rank % 7}, tail.Has(Tail::kStrict)};
  usage.resize_first = tail.Has(Tail::kResizeFirst);
  usage.resize_again = tail.Has(Tail::kResizeAgain);
  usage.delegate_late = tail.Has(Tail::kDelegateLate);
  usage.signatures = tail.Has(Tail::kSignatures);
  return usage;
}

}  // namespace

void RunFile(const Input& input, const char* device) {
  const Tail& tail = input.tail;
  const testing::Route route{"file", true, !tail.Has(Tail::kPlain), device, tail.Has(Tail::kHalf)};
  testing::AttemptFile(input.file, route, UsageOf(tail));
}

void RunUnchecked(const Input& input, const char* device) {
  testing::Usage usage;
  usage.quota = kMaxTensorBytes;
  testing::AttemptFile(input.file, {"unchecked", false, false, device}, usage);
}

}  // namespace tern::fuzz

extern "C" {

int LLVMFuzzerInitialize(int*, char***) {
  tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
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
