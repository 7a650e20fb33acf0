// SPDX-License-Identifier: Apache-2.0
// Quantization parameters of constants.
#ifndef TERN_GPU_TESTING_QUANTIZATION_H_
#define TERN_GPU_TESTING_QUANTIZATION_H_

#include <algorithm>
#include <memory>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tern::gpu {

struct FreeArrays {
  void operator()(TfLiteAffineQuantization* q) const {
    TfLiteFloatArrayFree(q->scale);
    TfLiteIntArrayFree(q->zero_point);
    delete q;
  }
};
using OwnedQuantization = std::unique_ptr<TfLiteAffineQuantization, FreeArrays>;

// One scale, or one for each place along axis 0.
inline OwnedQuantization MakeQuantization(const std::vector<float>& scales, int zero_point) {
  OwnedQuantization q(new TfLiteAffineQuantization());
  q->scale = TfLiteFloatArrayCreate(static_cast<int>(scales.size()));
  std::copy(scales.begin(), scales.end(), q->scale->data);
  q->zero_point = TfLiteIntArrayCreate(1);
  q->zero_point->data[0] = zero_point;
  return q;
}

}  // namespace tern::gpu

#endif  // TERN_GPU_TESTING_QUANTIZATION_H_
