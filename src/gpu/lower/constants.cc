// SPDX-License-Identifier: Apache-2.0
// Constants read from the model's bytes, which may be unaligned.
#include "gpu/lower/constants.h"

#include <cstring>

#include "base/status.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::gpu {
namespace {

int64_t Count(const GraphTensor& tensor) {
  int64_t count = 1;
  for (int d : tensor.dims) count *= d;
  return count;
}

template <typename T>
std::vector<T> CopyElements(const GraphTensor& tensor) {
  std::vector<T> values(static_cast<size_t>(Count(tensor)));
  if (!values.empty()) std::memcpy(values.data(), tensor.data, values.size() * sizeof(T));
  return values;
}

}  // namespace

absl::StatusOr<std::vector<float>> ConstantFloats(const GraphTensor& tensor) {
  if (tensor.type != kTfLiteFloat32) {
    return Unsupported("constant '", tensor.name, "' has type ", TfLiteTypeGetName(tensor.type),
                       ", only FLOAT32 is read on the GPU");
  }
  return CopyElements<float>(tensor);
}

absl::StatusOr<std::vector<int64_t>> ConstantInts(const GraphTensor& tensor) {
  if (tensor.type == kTfLiteInt64) return CopyElements<int64_t>(tensor);
  if (tensor.type != kTfLiteInt32) {
    return Unsupported("constant '", tensor.name, "' has type ", TfLiteTypeGetName(tensor.type),
                       " where INT32 or INT64 is needed");
  }
  const std::vector<int32_t> values = CopyElements<int32_t>(tensor);
  return std::vector<int64_t>(values.begin(), values.end());
}

std::vector<float> ToSlices(const std::vector<float>& rows, const Box& box, int slice_width) {
  const int slices = box.slices(slice_width);
  const size_t plane = static_cast<size_t>(box.h) * box.w;
  std::vector<float> out(static_cast<size_t>(box.b) * slices * plane * slice_width, 0.0f);
  size_t from = 0;
  for (int b = 0; b < box.b; ++b) {
    for (size_t p = 0; p < plane; ++p) {
      for (int c = 0; c < box.c; ++c, ++from) {
        const size_t slice = (static_cast<size_t>(b) * slices + c / slice_width) * plane + p;
        out[slice * slice_width + c % slice_width] = rows[from];
      }
    }
  }
  return out;
}

}  // namespace tern::gpu
