// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "flatbuffers/flexbuffers.h"
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

void SetSpectrogram(ModelBuilder& b, tflite::TensorType) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Int("window_size", 4);
    options.Int("stride", 2);
  });
  options.Finish();
  b.op().custom_options = options.GetBuffer();
}

void SetMfcc(ModelBuilder& b, tflite::TensorType) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Int("upper_frequency_limit", 4000);
    options.Int("lower_frequency_limit", 20);
    options.Int("filterbank_channel_count", 4);
    options.Int("dct_coefficient_count", 3);
  });
  options.Finish();
  b.op().custom_options = options.GetBuffer();
}

const Examples kAudioExamples({{"AudioSpectrogram", "T(R:9,2) -> T", SetSpectrogram},
                               {"Mfcc", "T(R:1,2,9) I32=16000(1) -> T", SetMfcc}});

}  // namespace
}  // namespace tern::testing
