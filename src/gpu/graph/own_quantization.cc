// SPDX-License-Identifier: Apache-2.0
#include "gpu/graph/own_quantization.h"

namespace tern::gpu {

std::shared_ptr<TfLiteAffineQuantization> MakeQuantization(int scales, int dimension) {
  std::shared_ptr<TfLiteAffineQuantization> q(new TfLiteAffineQuantization(),
                                              [](TfLiteAffineQuantization* of) {
                                                TfLiteFloatArrayFree(of->scale);
                                                TfLiteIntArrayFree(of->zero_point);
                                                delete of;
                                              });
  q->scale = TfLiteFloatArrayCreate(scales);
  q->zero_point = TfLiteIntArrayCreate(1);
  q->zero_point->data[0] = 0;
  q->quantized_dimension = dimension;
  return q;
}

void SetQuantization(GraphTensor& tensor, float scale, int zero_point) {
  const auto q = MakeQuantization(1, 0);
  q->scale->data[0] = scale;
  q->zero_point->data[0] = zero_point;
  tensor.quantization = q.get();
  tensor.own_quantization = q;
  tensor.blocks.reset();
}

}  // namespace tern::gpu
