// SPDX-License-Identifier: Apache-2.0
// From opaque handles to the objects behind them.
#ifndef TERN_API_C_API_OPAQUE_HANDLES_H_
#define TERN_API_C_API_OPAQUE_HANDLES_H_

#include "tensorflow/lite/core/c/c_api_opaque.h"
#include "tensorflow/lite/core/subgraph.h"

struct TfLiteOpaqueTensorBuilder {
  TfLiteType type = kTfLiteNoType;
  void* data = nullptr;
  TfLiteAllocationType allocation_type = kTfLiteMemNone;
  TfLiteQuantizationParams params = {};
  TfLiteQuantization quantization = {};
};

namespace tern::c_api {

inline TfLiteTensor* Plain(TfLiteOpaqueTensor* t) { return reinterpret_cast<TfLiteTensor*>(t); }
inline const TfLiteTensor* Plain(const TfLiteOpaqueTensor* t) {
  return reinterpret_cast<const TfLiteTensor*>(t);
}
inline TfLiteNode* Plain(TfLiteOpaqueNode* n) { return reinterpret_cast<TfLiteNode*>(n); }
inline const TfLiteNode* Plain(const TfLiteOpaqueNode* n) {
  return reinterpret_cast<const TfLiteNode*>(n);
}
inline TfLiteContext* Plain(TfLiteOpaqueContext* c) { return reinterpret_cast<TfLiteContext*>(c); }
inline const TfLiteContext* Plain(const TfLiteOpaqueContext* c) {
  return reinterpret_cast<const TfLiteContext*>(c);
}
inline tflite::Subgraph* GraphOf(const TfLiteOpaqueContext* c) {
  return static_cast<tflite::Subgraph*>(Plain(c)->impl_);
}

}  // namespace tern::c_api

#endif  // TERN_API_C_API_OPAQUE_HANDLES_H_
