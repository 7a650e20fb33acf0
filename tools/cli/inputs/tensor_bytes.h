// SPDX-License-Identifier: Apache-2.0
// Raw little-endian elements of every tensor type: names, sizes, half precision, and number ->
// bytes. Shared by the case reader, the comparison and the picture preprocessing.
#ifndef TERN_TOOLS_CLI_INPUTS_TENSOR_BYTES_H_
#define TERN_TOOLS_CLI_INPUTS_TENSOR_BYTES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tensorflow/lite/c/common.h"

namespace tern::cli {

using Bytes = std::vector<uint8_t>;

// The type with the given lower-case name ("float32", "complex64", ...), kTfLiteNoType when
// unknown.
TfLiteType TypeByName(std::string_view name);
// The lower-case name of a type.
std::string TypeName(TfLiteType type);
// Bytes of one element; 0 for strings and for types without whole-byte elements.
size_t ElementBytes(TfLiteType type);
// Whether the elements are floating-point numbers, complex ones included.
bool IsFloat(TfLiteType type);
// Product of the dimensions; 1 for a scalar.
int64_t ElementCount(const std::vector<int>& shape);
// The dimensions of a tensor.
std::vector<int> ShapeOf(const TfLiteTensor& tensor);
// "1x224x224x3"; "scalar" for rank 0.
std::string ShapeText(const std::vector<int>& shape);

// Nearest half-precision value, ties to even; overflow gives infinity.
uint16_t HalfFromDouble(double value);
double DoubleFromHalf(uint16_t half);

// Appends one element, converted as C would convert the double (floats rounded, integers
// truncated).
void AppendElement(TfLiteType type, double value, Bytes* out);
// Same for 64-bit integers that a double cannot hold.
void AppendInteger(TfLiteType type, int64_t value, Bytes* out);

// Element `index` as a double; the real part of a complex element.
double ReadElement(TfLiteType type, const uint8_t* data, int64_t index);
// Element `index` of an integer or bool type; uint64 keeps its bit pattern.
int64_t ReadInteger(TfLiteType type, const uint8_t* data, int64_t index);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INPUTS_TENSOR_BYTES_H_
