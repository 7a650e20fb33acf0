// SPDX-License-Identifier: Apache-2.0
// The types of the GPU in three tables: what kernels compute with, how that lies in device memory,
// and how the types of TensorFlow Lite are held, computed and carried over the graph's edge.
#ifndef TERN_GPU_DESC_ELEMENT_TYPE_H_
#define TERN_GPU_DESC_ELEMENT_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "tensorflow/lite/core/c/c_api_types.h"

namespace tern::gpu {

// The number types that kernels compute with. BOOL values are reals, 0 or 1.
enum class Number { kReal, kInt };

// The dialect's words for them.
struct NumberWords {
  const char *number, *slice;  // types of one and of W
  const char* splat;           // makes W of one
  const char *zero, *zeros;    // one and W of them
};
inline constexpr NumberWords kNumberWords[] = {
    {"real", "slice", "splat", "0.0", "splat(0.0)"},  // kReal
    {"int", "islice", "isplat", "0", "isplat(0)"},    // kInt
};
constexpr const NumberWords& WordsOf(Number n) { return kNumberWords[static_cast<size_t>(n)]; }

// How a number lies in device memory. Bytes, which only slices and vectors have, and nibbles, which
// only vectors have, two to a byte, the first in its low half, stand for reals:
// scale * (byte - zero). Wholes, which only slices have, are elements less their zero point, as
// floats, and stand for scale * whole.
enum class Element { kFloat32, kFloat16, kInt32, kWhole, kByte, kNibble };

struct ElementRow {
  int bits;
  Number number;                         // that it stands for
  const char* name;                      // in printed plans
  const char* scalar;                    // OpenCL and Metal: of memory, nibbles by two
  const char *glsl_slice, *glsl_single;  // GLSL: of memory that is read by slices, by elements
  const char* glsl_texels;               // GLSL: of memory that is read by texels; null: it is not
};
inline constexpr ElementRow kElementRows[] = {
    {32, Number::kReal, "f32", "float", "vec4", "float", "samplerBuffer"},  // kFloat32
    {16, Number::kReal, "f16", "half", "uvec2", "uvec2", "samplerBuffer"},  // kFloat16
    {32, Number::kInt, "i32", "int", "ivec4", "int", "isamplerBuffer"},     // kInt32
    {32, Number::kReal, "q32", "float", "vec4", "float", "samplerBuffer"},  // kWhole
    {8, Number::kReal, "u8", "uchar", "uint", "uint", "usamplerBuffer"},    // kByte
    {4, Number::kReal, "u4", "uchar", "uint", "uint", nullptr},             // kNibble
};
constexpr const ElementRow& RowOf(Element e) { return kElementRows[static_cast<size_t>(e)]; }

constexpr int BitsOf(Element e) { return RowOf(e).bits; }
// Of numbers of which there are slices.
constexpr int64_t BytesOf(Element e, int64_t count) { return count * BitsOf(e) / 8; }
constexpr bool IsPacked(Element e) { return BitsOf(e) <= 8; }
// Memory holds the stored value of a quantized tensor less its zero point.
constexpr bool HoldsElements(Element e) { return e == Element::kWhole || e == Element::kByte; }
constexpr Number NumberOf(Element e) { return RowOf(e).number; }

// Types of tensors as a set.
enum TypeSet : unsigned {
  kFloats = 1,  // FLOAT32
  kInts = 2,    // INT32
  kInt64s = 4,  // INT64: the operation is lowered for either half of the bits
  kBools = 8,
  kHalves = 16,    // FLOAT16: reals that are rounded where they are stored
  kUnsigned = 32,  // UINT32: ints to whatever only moves them
  kAllTypes = 63,
  kIndices = 64,  // INT64 that fits 32 bits: the operation sees ints, their signs are added
};

// How a tensor comes to the device, and back.
enum class IoConversion {
  kAsIs,         // its bytes are its elements there
  kPacked,       // its bytes as they are, as many to an int as fit; kernels take them out
  kBools,        // BOOL to reals
  kInt64Halves,  // INT64 to two tensors of ints
};

struct TypeRow {
  TfLiteType type;
  int bytes;        // of an element that the user has
  unsigned set;     // those of TypeSet that it belongs to; 0: at the graph's edges alone
  Number number;    // what its elements are to kernels, or stand for
  Element element;  // of its memory; F16 storage has halves for floats inside the graph
  IoConversion io_conversion;
};
inline constexpr TypeRow kTypeRows[] = {
    {kTfLiteFloat32, 4, kFloats, Number::kReal, Element::kFloat32, IoConversion::kAsIs},
    {kTfLiteFloat16, 2, kHalves, Number::kReal, Element::kFloat16, IoConversion::kAsIs},
    {kTfLiteInt32, 4, kInts, Number::kInt, Element::kInt32, IoConversion::kAsIs},
    {kTfLiteUInt32, 4, kUnsigned, Number::kInt, Element::kInt32, IoConversion::kAsIs},
    {kTfLiteInt64, 8, kInt64s | kIndices, Number::kInt, Element::kInt32,
     IoConversion::kInt64Halves},
    {kTfLiteBool, 1, kBools, Number::kReal, Element::kFloat32, IoConversion::kBools},
    {kTfLiteInt8, 1, 0, Number::kReal, Element::kInt32, IoConversion::kPacked},
    {kTfLiteUInt8, 1, 0, Number::kReal, Element::kInt32, IoConversion::kPacked},
    {kTfLiteInt16, 2, 0, Number::kReal, Element::kInt32, IoConversion::kPacked},
};

// nullptr for types that no GPU tensor has.
constexpr const TypeRow* FindType(TfLiteType type) {
  for (const TypeRow& row : kTypeRows) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

// The TypeSet of a tensor type; 0 for types that no tensor inside the graph has.
constexpr unsigned TypeSetOf(TfLiteType type) {
  const TypeRow* row = FindType(type);
  return row == nullptr ? 0 : row->set;
}

static_assert(std::size(kElementRows) == static_cast<size_t>(Element::kNibble) + 1);
static_assert(std::size(kNumberWords) == static_cast<size_t>(Number::kInt) + 1);

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_ELEMENT_TYPE_H_
