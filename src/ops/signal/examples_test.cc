// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include <utility>
#include <vector>

#include "ops/testing/example.h"
#include "ops/testing/flex_options.h"

namespace tern::testing {
namespace {

Example::Finish Options(const std::vector<std::pair<const char*, int64_t>>& entries) {
  return [entries](ModelBuilder& b, tflite::TensorType) {
    b.op().custom_options = IntegerOptions(entries);
  };
}

const Examples kSignalExamples({
    {"SignalDelay", "T(R) -> T", Options({{"delay_length", 3}})},
    {"SignalEnergy", "T(R:8) -> U32", Options({{"start_index", 1}, {"end_index", 3}})},
    {"SignalFftAutoScale", "T(R:9) -> T I32"},
    {"SignalFilterBank", "T(R:8) I16=5(6) I16=3(6) I16=0,2,4(3) I16=0,2,4(3) I16=2(3) -> U64",
     Options({{"num_channels", 2}})},
    {"SignalFilterBankLog", "T(R:5) -> I16",
     Options({{"input_correction_bits", 3}, {"output_scale", 64}})},
    {"SignalFilterBankSpectralSubtraction", "T(R:5) -> T T",
     Options({{"smoothing", 256},
              {"one_minus_smoothing", 768},
              {"alternate_smoothing", 512},
              {"alternate_one_minus_smoothing", 512},
              {"min_signal_remaining", 50},
              {"smoothing_bits", 4},
              {"spectral_subtraction_bits", 10},
              {"clamping", 0},
              {"num_channels", 5}})},
    {"SignalFilterBankSquareRoot", "T(R:5) I32=2() -> U32"},
    {"SignalFramer", "T(R:2,6) -> T BOOL",
     Options({{"frame_size", 5}, {"frame_step", 3}, {"prefill", 1}})},
    {"SignalIrfft", "T(R:2,18) -> T", Options({{"fft_length", 16}})},
    {"SignalOverlapAdd", "T(R:2,3,8) -> T", Options({{"frame_step", 5}})},
    {"SignalPCAN", "T(R:5) T(R) I16=90(125) -> T", Options({{"snr_shift", 6}})},
    {"SignalRfft", "T(R:2,13) -> T", Options({{"fft_length", 16}})},
    {"SignalStacker", "T(R:4) -> T BOOL",
     Options({{"num_channels", 4},
              {"stacker_left_context", 1},
              {"stacker_right_context", 1},
              {"stacker_step", 2}})},
    {"SignalWindow", "T(R:2,13) T(c) -> T", Options({{"shift", 12}})},
});

}  // namespace
}  // namespace tern::testing
