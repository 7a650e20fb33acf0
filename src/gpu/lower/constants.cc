// SPDX-License-Identifier: Apache-2.0
// Constants read from the model's bytes, which may be unaligned.
#include "gpu/lower/constants.h"

#include <cstring>

#include "base/half.h"
#include "base/reason.h"
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

constexpr int kFarthestZero = 1 << 16;  // beyond those of all types

// real = scale * (q - zero_point), with one scale or one per index along the quantized dimension.
absl::Status ReadableQuantization(const GraphTensor& tensor) {
  const TfLiteAffineQuantization* q = tensor.quantization;
  if (q == nullptr || q->scale == nullptr || q->zero_point == nullptr || q->scale->size < 1 ||
      q->zero_point->size < 1) {
    return Unsupported("constant '", tensor.name, "' has no quantization parameters");
  }
  for (int i = 0; i < q->zero_point->size; ++i) {
    if (q->zero_point->data[i] < -kFarthestZero || q->zero_point->data[i] > kFarthestZero) {
      return Unsupported("constant '", tensor.name, "' has the zero point ",
                         q->zero_point->data[i]);
    }
  }
  const int axis = q->quantized_dimension;
  if (q->scale->size > 1 && (axis < 0 || axis >= static_cast<int>(tensor.dims.size()) ||
                             tensor.dims[axis] != q->scale->size)) {
    return Unsupported("constant '", tensor.name, "' has ", q->scale->size,
                       " scales along dimension ", axis);
  }
  return absl::OkStatus();
}

absl::Status CheckQuantization(const GraphTensor& tensor) {
  return Because(ReadableQuantization(tensor), {Reason::kQuantization});
}

// Two numbers in each byte, the first in the low half.
std::vector<int8_t> Unpack4Bits(const GraphTensor& tensor) {
  std::vector<int8_t> values(static_cast<size_t>(Count(tensor)));
  const auto* bytes = static_cast<const uint8_t*>(tensor.data);
  for (size_t i = 0; i < values.size(); ++i) {
    const int q = bytes[i / 2] >> (i % 2 * 4) & 15;
    values[i] = static_cast<int8_t>(q < 8 ? q : q - 16);
  }
  return values;
}

template <typename T>
std::vector<float> Dequantize(const GraphTensor& tensor, bool weights, const std::vector<T>& from) {
  const TfLiteAffineQuantization* q = tensor.quantization;
  const int axis = q->quantized_dimension;
  const bool per_axis = q->scale->size > 1;
  int64_t inner = 1;  // elements that share one index along the axis
  for (size_t d = per_axis ? axis + 1 : 0; d < tensor.dims.size(); ++d) inner *= tensor.dims[d];
  std::vector<float> values(from.size());
  for (size_t i = 0; i < from.size(); ++i) {
    const int at =
        per_axis ? static_cast<int>(static_cast<int64_t>(i) / inner % q->scale->size) : 0;
    const int zero_point = weights ? 0 : q->zero_point->data[at < q->zero_point->size ? at : 0];
    values[i] = q->scale->data[at] * static_cast<float>(static_cast<double>(from[i]) - zero_point);
  }
  return values;
}

template <typename T>
std::vector<T> InSlices(const std::vector<T>& rows, const Box& box, int slice_width) {
  const int slices = box.slices(slice_width);
  const size_t plane = static_cast<size_t>(box.h) * box.w;
  std::vector<T> out(static_cast<size_t>(box.b) * slices * plane * slice_width, T{0});
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

}  // namespace

absl::StatusOr<ConstantFloats> ConstantFloats::Of(const GraphTensor& tensor) {
  switch (tensor.data_type()) {
    case kTfLiteInt8:
    case kTfLiteUInt8:
    case kTfLiteInt16:
    case kTfLiteInt4:
    case kTfLiteInt32:
    case kTfLiteInt64:
      TERN_RETURN_IF_ERROR(CheckQuantization(tensor));
      return ConstantFloats(tensor);
    case kTfLiteFloat32:
    case kTfLiteFloat16:
    case kTfLiteBool:
      return ConstantFloats(tensor);
    default:
      return Because(Unsupported("constant '", tensor.name, "' has type ",
                                 TfLiteTypeGetName(tensor.data_type()),
                                 ", which the GPU does not read as numbers"),
                     {Reason::kTensorType});
  }
}

absl::StatusOr<ConstantFloats> ConstantFloats::OfWeights(const GraphTensor& tensor) {
  TERN_ASSIGN_OR_RETURN(ConstantFloats floats, Of(tensor));
  // What DEQUANTIZE made of a constant is a float already.
  floats.weights_ = tensor.stored == kTfLiteNoType;
  return floats;
}

int64_t ConstantFloats::size() const { return Count(*tensor_); }

std::vector<float> ConstantFloats::Read() const {
  const TfLiteType type = tensor_->data_type();
  if (type == kTfLiteInt8 || (type == kTfLiteUInt8 && weights_)) {
    return Dequantize(*tensor_, weights_, CopyElements<int8_t>(*tensor_));
  }
  if (type == kTfLiteUInt8) return Dequantize(*tensor_, weights_, CopyElements<uint8_t>(*tensor_));
  if (type == kTfLiteInt16) return Dequantize(*tensor_, weights_, CopyElements<int16_t>(*tensor_));
  if (type == kTfLiteInt32) return Dequantize(*tensor_, weights_, CopyElements<int32_t>(*tensor_));
  if (type == kTfLiteInt64) return Dequantize(*tensor_, weights_, CopyElements<int64_t>(*tensor_));
  if (type == kTfLiteInt4) return Dequantize(*tensor_, weights_, Unpack4Bits(*tensor_));
  if (type == kTfLiteFloat32) return CopyElements<float>(*tensor_);
  if (type == kTfLiteBool) {
    std::vector<float> values;
    for (const uint8_t v : CopyElements<uint8_t>(*tensor_)) values.push_back(v != 0 ? 1.0f : 0.0f);
    return values;
  }
  const std::vector<uint16_t> halves = CopyElements<uint16_t>(*tensor_);
  std::vector<float> values(halves.size());
  HalfToFloat(halves, values);
  return values;
}

absl::StatusOr<std::vector<int64_t>> ConstantInts(const GraphTensor& tensor) {
  const auto widened = [](const auto& values) {
    return std::vector<int64_t>(values.begin(), values.end());
  };
  switch (tensor.type) {
    case kTfLiteInt64:
      return CopyElements<int64_t>(tensor);
    case kTfLiteInt32:
      return widened(CopyElements<int32_t>(tensor));
    case kTfLiteUInt32:
      return widened(CopyElements<uint32_t>(tensor));
    case kTfLiteInt16:
      return widened(CopyElements<int16_t>(tensor));
    case kTfLiteInt8:
      return widened(CopyElements<int8_t>(tensor));
    default:
      return Because(Unsupported("constant '", tensor.name, "' has type ",
                                 TfLiteTypeGetName(tensor.type), " where an integer is needed"),
                     {Reason::kTensorType});
  }
}

absl::StatusOr<std::vector<int32_t>> ConstantWords(const GraphTensor& tensor, int word) {
  TERN_ASSIGN_OR_RETURN(const std::vector<int64_t> values, ConstantInts(tensor));
  std::vector<int32_t> words;
  words.reserve(values.size());
  for (const int64_t v : values)
    words.push_back(static_cast<int32_t>(static_cast<uint64_t>(v) >> (32 * word)));
  return words;
}

std::vector<float> ToSlices(const std::vector<float>& rows, const Box& box, int slice_width) {
  return InSlices(rows, box, slice_width);
}

std::vector<int32_t> ToSlices(const std::vector<int32_t>& rows, const Box& box, int slice_width) {
  return InSlices(rows, box, slice_width);
}

}  // namespace tern::gpu
