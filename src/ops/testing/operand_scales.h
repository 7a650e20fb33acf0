// SPDX-License-Identifier: Apache-2.0
// Quantization parameters for operands of an OpRunner.
#ifndef TERN_OPS_TESTING_OPERAND_SCALES_H_
#define TERN_OPS_TESTING_OPERAND_SCALES_H_

#include <algorithm>
#include <list>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tern::testing {

// Owns what it gives to tensors; it must outlive them.
class OperandScales {
 public:
  OperandScales() = default;
  OperandScales(const OperandScales&) = delete;
  OperandScales& operator=(const OperandScales&) = delete;
  ~OperandScales() {
    for (TfLiteAffineQuantization& q : affine_) {
      TfLiteFloatArrayFree(q.scale);
      TfLiteIntArrayFree(q.zero_point);
    }
  }

  void Give(TfLiteTensor& t, const std::vector<float>& scales, int zero_point = 0, int axis = 0) {
    TfLiteAffineQuantization& q = affine_.emplace_back();
    const int count = static_cast<int>(scales.size());
    q.scale = TfLiteFloatArrayCreate(count);
    q.zero_point = TfLiteIntArrayCreate(count);
    std::copy(scales.begin(), scales.end(), q.scale->data);
    std::fill_n(q.zero_point->data, count, zero_point);
    q.quantized_dimension = axis;
    t.quantization = {kTfLiteAffineQuantization, &q};
    t.params = {scales.empty() ? 0.0f : scales[0], zero_point};
  }

 private:
  std::list<TfLiteAffineQuantization> affine_;
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_OPERAND_SCALES_H_
