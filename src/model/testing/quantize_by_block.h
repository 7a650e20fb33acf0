// SPDX-License-Identifier: Apache-2.0
// Scales by block for the constants of a ModelBuilder.
#ifndef TERN_MODEL_TESTING_QUANTIZE_BY_BLOCK_H_
#define TERN_MODEL_TESTING_QUANTIZE_BY_BLOCK_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"

namespace tern::testing {

// Gives a constant FLOAT16 scales by block of a row, the way exporters do.
inline int QuantizeByBlock(ModelBuilder& b, int index, const std::vector<float>& scales,
                           int block) {
  const int32_t rows = b.tensor(index).shape[0];
  tflite::BlockwiseQuantizationT details;
  details.scales = b.ConstHalf({rows, static_cast<int32_t>(scales.size()) / rows}, scales);
  details.zero_points = -1;
  details.block_size = block;
  auto q = std::make_unique<tflite::QuantizationParametersT>();
  q->details.Set(details);
  b.tensor(index).quantization = std::move(q);
  return index;
}

}  // namespace tern::testing

#endif  // TERN_MODEL_TESTING_QUANTIZE_BY_BLOCK_H_
