// SPDX-License-Identifier: Apache-2.0
// Element names, sizes and conversions.
#include "cli/inputs/tensor_bytes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/tensor/half.h"

namespace tern::cli {
namespace {

struct TypeRow {
  std::string_view name;
  TfLiteType type;
  size_t bytes;
};

constexpr TypeRow kTypes[] = {
    {"float32", kTfLiteFloat32, 4},
    {"float16", kTfLiteFloat16, 2},
    {"bfloat16", kTfLiteBFloat16, 2},
    {"float64", kTfLiteFloat64, 8},
    {"int8", kTfLiteInt8, 1},
    {"uint8", kTfLiteUInt8, 1},
    {"int16", kTfLiteInt16, 2},
    {"uint16", kTfLiteUInt16, 2},
    {"int32", kTfLiteInt32, 4},
    {"uint32", kTfLiteUInt32, 4},
    {"int64", kTfLiteInt64, 8},
    {"uint64", kTfLiteUInt64, 8},
    {"bool", kTfLiteBool, 1},
    {"complex64", kTfLiteComplex64, 8},
    {"complex128", kTfLiteComplex128, 16},
    {"string", kTfLiteString, 0},
    {"int4", kTfLiteInt4, 0},
    {"resource", kTfLiteResource, 0},
    {"variant", kTfLiteVariant, 0},
};

template <typename T>
void Append(T value, Bytes* out) {
  const auto* p = reinterpret_cast<const uint8_t*>(&value);
  out->insert(out->end(), p, p + sizeof(T));
}

template <typename T>
T Load(const uint8_t* data, int64_t index) {
  T value;
  std::memcpy(&value, data + static_cast<size_t>(index) * sizeof(T), sizeof(T));
  return value;
}

// Truncates towards zero; values outside the 64-bit range stick to its ends.
int64_t ToInteger(double value) {
  constexpr double kLimit = 9223372036854775808.0;
  if (std::isnan(value)) return 0;
  if (value >= kLimit) return std::numeric_limits<int64_t>::max();
  if (value < -kLimit) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

}  // namespace

TfLiteType TypeByName(std::string_view name) {
  for (const TypeRow& row : kTypes) {
    if (row.name == name) return row.type;
  }
  return kTfLiteNoType;
}

std::string TypeName(TfLiteType type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return std::string(row.name);
  }
  return "type " + std::to_string(static_cast<int>(type));
}

size_t ElementBytes(TfLiteType type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return row.bytes;
  }
  return 0;
}

bool IsFloat(TfLiteType type) {
  return type == kTfLiteFloat32 || type == kTfLiteFloat16 || type == kTfLiteBFloat16 ||
         type == kTfLiteFloat64 || type == kTfLiteComplex64 || type == kTfLiteComplex128;
}

int64_t ElementCount(const std::vector<int>& shape) {
  int64_t count = 1;
  for (int d : shape) count *= d;
  return count;
}

std::vector<int> ShapeOf(const TfLiteTensor& tensor) {
  if (tensor.dims == nullptr) return {};
  return {tensor.dims->data, tensor.dims->data + tensor.dims->size};
}

std::string ShapeText(const std::vector<int>& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (int d : shape) text += (text.empty() ? "" : "x") + std::to_string(d);
  return text;
}

uint16_t HalfFromDouble(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double x = std::fabs(value);
  if (std::isnan(x)) return sign | 0x7e00;
  if (x == 0) return sign;
  int exponent = 0;
  std::frexp(x, &exponent);  // x = f * 2^exponent, f in [0.5, 1)
  const int step = std::max(exponent - 11, -24);
  const double rounded = std::nearbyint(std::ldexp(x, -step));  // integer of steps
  if (std::isinf(x) || std::ldexp(rounded, step) >= 65536.0) return sign | 0x7c00;
  const auto steps = static_cast<uint32_t>(rounded);
  // A carry out of the mantissa lands in the exponent, which is what the next binade's encoding is.
  if (step == -24) return static_cast<uint16_t>(sign | steps);
  return static_cast<uint16_t>(sign | (((step + 24) << 10) + steps));
}

double DoubleFromHalf(uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const int mantissa = half & 0x3ff;
  double x = 0;
  if (exponent == 31) {
    x = mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                      : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    x = std::ldexp(mantissa, -24);
  } else {
    x = std::ldexp(mantissa + 1024, exponent - 25);
  }
  return (half & 0x8000) != 0 ? -x : x;
}

void AppendElement(TfLiteType type, double value, Bytes* out) {
  switch (type) {
    case kTfLiteFloat32:
      return Append(static_cast<float>(value), out);
    case kTfLiteFloat64:
      return Append(value, out);
    case kTfLiteFloat16:
      return Append(HalfFromDouble(value), out);
    case kTfLiteBFloat16:
      return Append(FloatToBfloat16(static_cast<float>(value)), out);
    case kTfLiteComplex64:
      Append(static_cast<float>(value), out);
      return Append(0.0f, out);
    case kTfLiteComplex128:
      Append(value, out);
      return Append(0.0, out);
    default:
      return AppendInteger(type, ToInteger(value), out);
  }
}

void AppendInteger(TfLiteType type, int64_t value, Bytes* out) {
  switch (type) {
    case kTfLiteInt8:
    case kTfLiteUInt8:
      return Append(static_cast<uint8_t>(value), out);
    case kTfLiteBool:
      return Append(static_cast<uint8_t>(value != 0), out);
    case kTfLiteInt16:
    case kTfLiteUInt16:
      return Append(static_cast<uint16_t>(value), out);
    case kTfLiteInt32:
    case kTfLiteUInt32:
      return Append(static_cast<uint32_t>(value), out);
    case kTfLiteInt64:
    case kTfLiteUInt64:
      return Append(value, out);
    case kTfLiteFloat32:
    case kTfLiteFloat64:
    case kTfLiteFloat16:
    case kTfLiteBFloat16:
    case kTfLiteComplex64:
    case kTfLiteComplex128:
      return AppendElement(type, static_cast<double>(value), out);
    default:
      return;  // types whose elements have no bytes of their own
  }
}

double ReadElement(TfLiteType type, const uint8_t* data, int64_t index) {
  switch (type) {
    case kTfLiteFloat32:
      return Load<float>(data, index);
    case kTfLiteFloat64:
      return Load<double>(data, index);
    case kTfLiteFloat16:
      return DoubleFromHalf(Load<uint16_t>(data, index));
    case kTfLiteBFloat16:
      return Bfloat16ToFloat(Load<uint16_t>(data, index));
    case kTfLiteComplex64:
      return Load<float>(data, index * 2);
    case kTfLiteComplex128:
      return Load<double>(data, index * 2);
    case kTfLiteUInt64:
      return static_cast<double>(Load<uint64_t>(data, index));
    default:
      return static_cast<double>(ReadInteger(type, data, index));
  }
}

int64_t ReadInteger(TfLiteType type, const uint8_t* data, int64_t index) {
  switch (type) {
    case kTfLiteInt8:
      return Load<int8_t>(data, index);
    case kTfLiteUInt8:
      return Load<uint8_t>(data, index);
    case kTfLiteBool:
      return Load<uint8_t>(data, index) != 0;
    case kTfLiteInt16:
      return Load<int16_t>(data, index);
    case kTfLiteUInt16:
      return Load<uint16_t>(data, index);
    case kTfLiteInt32:
      return Load<int32_t>(data, index);
    case kTfLiteUInt32:
      return Load<uint32_t>(data, index);
    case kTfLiteInt64:
    case kTfLiteUInt64:
      return Load<int64_t>(data, index);
    default:
      return 0;
  }
}

}  // namespace tern::cli
