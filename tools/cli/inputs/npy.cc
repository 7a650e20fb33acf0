// SPDX-License-Identifier: Apache-2.0
// A file of NumPy is a mark, a version, the text of a Python dictionary, and the elements.
#include "cli/inputs/npy.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tern::cli {
namespace {

struct NpyType {
  const char* code;
  TfLiteType type;
};
constexpr NpyType kNpyTypes[] = {
    {"f4", kTfLiteFloat32},   {"f8", kTfLiteFloat64},    {"f2", kTfLiteFloat16},
    {"i1", kTfLiteInt8},      {"u1", kTfLiteUInt8},      {"i2", kTfLiteInt16},
    {"u2", kTfLiteUInt16},    {"i4", kTfLiteInt32},      {"u4", kTfLiteUInt32},
    {"i8", kTfLiteInt64},     {"u8", kTfLiteUInt64},     {"b1", kTfLiteBool},
    {"c8", kTfLiteComplex64}, {"c16", kTfLiteComplex128}};

absl::Status NpyError(const std::string& name, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat(name, ": ", why));
}

// The text behind a key of the dictionary; empty where the key is not there.
std::string ValueOf(const std::string& header, const std::string& key) {
  const size_t at = header.find(absl::StrCat("'", key, "':"));
  if (at == std::string::npos) return "";
  const size_t begin = header.find_first_not_of(' ', at + key.size() + 3);
  if (begin == std::string::npos) return "";
  const char close = header[begin] == '(' ? ')' : header[begin] == '\'' ? '\'' : ',';
  const size_t end = header.find(close, begin + 1);
  if (end == std::string::npos) return "";
  return header.substr(begin, close == ',' ? end - begin : end - begin + 1);
}

// "(1, 224, 3)".
std::optional<std::vector<int>> ShapeIn(const std::string& text) {
  if (text.size() < 2 || text[0] != '(') return std::nullopt;
  std::vector<int> shape;
  for (absl::string_view part : absl::StrSplit(text.substr(1, text.size() - 2), ',')) {
    part = absl::StripAsciiWhitespace(part);
    if (part.empty()) continue;  // "(3,)" and "()"
    int size = 0;
    if (!absl::SimpleAtoi(part, &size) || size < 0) return std::nullopt;
    shape.push_back(size);
  }
  return shape;
}

// Elements of a shape; nothing where there are more than a file can hold.
std::optional<size_t> CountOf(const std::vector<int>& shape) {
  size_t count = 1;
  for (const int size : shape) {
    if (__builtin_mul_overflow(count, static_cast<size_t>(size), &count)) return std::nullopt;
  }
  return count;
}

std::vector<int> WithoutOnes(std::vector<int> shape) {
  shape.erase(std::remove(shape.begin(), shape.end(), 1), shape.end());
  return shape;
}

// Whether an element of the type, read back, is the number.
bool Holds(TfLiteType type, double value, const Bytes& element) {
  if (IsFloat(type)) return true;
  return ReadElement(type, element.data(), 0) == value;
}

// Type and shape.
absl::StatusOr<NpyArray> ParseHeader(const std::string& header, const std::string& name) {
  const std::string descr = ValueOf(header, "descr");
  if (ValueOf(header, "fortran_order") != "False") {
    return NpyError(name, "its rows are columns; numpy.ascontiguousarray turns them");
  }
  NpyArray array;
  const std::string code = descr.size() > 3 ? descr.substr(2, descr.size() - 3) : "";
  for (const NpyType& known : kNpyTypes) {
    if (code == known.code && descr[1] != '>') array.type = known.type;
  }
  const std::optional<std::vector<int>> shape = ShapeIn(ValueOf(header, "shape"));
  if (array.type == kTfLiteNoType || !shape) {
    return NpyError(name, absl::StrCat("elements of the kind ", descr.empty() ? "?" : descr,
                                       "; little-endian numbers are expected, such as '<f4'"));
  }
  array.shape = *shape;
  return array;
}

}  // namespace

absl::StatusOr<NpyArray> ParseNpy(const Bytes& file, const std::string& name) {
  constexpr absl::string_view kMark("\x93NUMPY", 6);
  const absl::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.substr(0, kMark.size()) != kMark || file.size() < 12) {
    return NpyError(name, "no array of NumPy (.npy)");
  }
  const size_t length_bytes = file[6] == 1 ? 2 : 4;
  const size_t begin = 8 + length_bytes;
  size_t length = 0;
  for (size_t i = length_bytes; i-- > 0;) length = length << 8 | file[8 + i];
  if (length > file.size() - begin) return NpyError(name, "an array of NumPy that is cut off");
  absl::StatusOr<NpyArray> array = ParseHeader(std::string(text.substr(begin, length)), name);
  if (!array.ok()) return array;
  const std::optional<size_t> count = CountOf(array->shape);
  const size_t given = file.size() - begin - length;
  if (!count || *count > given || *count * ElementBytes(array->type) != given) {
    return NpyError(name, absl::StrCat(given, " bytes of elements do not make ",
                                       ShapeText(array->shape), " ", TypeName(array->type)));
  }
  array->elements.assign(file.end() - static_cast<std::ptrdiff_t>(given), file.end());
  return array;
}

absl::StatusOr<Bytes> NpyElements(const NpyArray& array, const TfLiteTensor& input,
                                  const std::string& name) {
  const std::vector<int> shape = ShapeOf(input);
  if (WithoutOnes(shape) != WithoutOnes(array.shape)) {
    return NpyError(name, absl::StrCat("an array of ", ShapeText(array.shape), ", the input takes ",
                                       ShapeText(shape)));
  }
  if (array.type == input.type) return array.elements;
  const bool complex = array.type == kTfLiteComplex64 || array.type == kTfLiteComplex128;
  if (ElementBytes(input.type) == 0 || complex) {
    return NpyError(name, absl::StrCat("elements ", TypeName(array.type), ", the input takes ",
                                       TypeName(input.type)));
  }
  const bool quantize = IsFloat(array.type) && !IsFloat(input.type) && input.params.scale != 0;
  Bytes elements, element;
  const auto count = static_cast<int64_t>(array.elements.size() / ElementBytes(array.type));
  for (int64_t i = 0; i < count; ++i) {
    double value = ReadElement(array.type, array.elements.data(), i);
    if (quantize) value = std::round(value / input.params.scale) + input.params.zero_point;
    element.clear();
    AppendElement(input.type, value, &element);
    if (!Holds(input.type, value, element)) {
      return NpyError(name, absl::StrCat("element ", i, " is ",
                                         ReadElement(array.type, array.elements.data(), i),
                                         ", which ", TypeName(input.type), " does not hold"));
    }
    elements.insert(elements.end(), element.begin(), element.end());
  }
  return elements;
}

}  // namespace tern::cli
