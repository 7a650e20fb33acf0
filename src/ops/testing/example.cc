// SPDX-License-Identifier: Apache-2.0
// Reads examples, makes models of them, and tries these.
#include "ops/testing/example.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>

#include "base/str_cat.h"
#include "ops/testing/attempt.h"

namespace tern::testing {
namespace {

using tflite::TensorType;
using Sizes = std::vector<int32_t>;

struct TypeName {
  TensorType type;
  const char* name;
};
constexpr TypeName kTypes[] = {
    {tflite::TensorType_FLOAT32, "F32"},    {tflite::TensorType_FLOAT16, "F16"},
    {tflite::TensorType_BFLOAT16, "BF16"},  {tflite::TensorType_FLOAT64, "F64"},
    {tflite::TensorType_INT4, "I4"},        {tflite::TensorType_INT8, "I8"},
    {tflite::TensorType_UINT8, "U8"},       {tflite::TensorType_INT16, "I16"},
    {tflite::TensorType_UINT16, "U16"},     {tflite::TensorType_INT32, "I32"},
    {tflite::TensorType_UINT32, "U32"},     {tflite::TensorType_INT64, "I64"},
    {tflite::TensorType_UINT64, "U64"},     {tflite::TensorType_BOOL, "BOOL"},
    {tflite::TensorType_STRING, "STRING"},  {tflite::TensorType_COMPLEX64, "C64"},
    {tflite::TensorType_COMPLEX128, "C128"}};

bool IsSmallInteger(TensorType type) {
  return type == tflite::TensorType_INT4 || type == tflite::TensorType_INT8 ||
         type == tflite::TensorType_UINT8 || type == tflite::TensorType_INT16;
}

TensorType UsualWeights(TensorType type) {
  return type == tflite::TensorType_INT16 ? tflite::TensorType_INT8 : type;
}

TensorType UsualBias(TensorType type) {
  if (type == tflite::TensorType_INT8 || type == tflite::TensorType_UINT8)
    return tflite::TensorType_INT32;
  return type == tflite::TensorType_INT16 ? tflite::TensorType_INT64 : type;
}

template <class T>
void Append(std::vector<uint8_t>& bytes, T value) {
  const size_t at = bytes.size();
  bytes.resize(at + sizeof(T));
  std::memcpy(&bytes[at], &value, sizeof(T));
}

void AppendElement(std::vector<uint8_t>& bytes, TensorType type, double v) {
  switch (type) {
    case tflite::TensorType_FLOAT32:
      return Append(bytes, static_cast<float>(v));
    case tflite::TensorType_FLOAT16:
      return Append(bytes, FloatToHalf(static_cast<float>(v)));
    case tflite::TensorType_BFLOAT16: {
      const auto f = static_cast<float>(v);
      uint32_t bits;
      std::memcpy(&bits, &f, sizeof bits);
      return Append(bytes, static_cast<uint16_t>(bits >> 16));
    }
    case tflite::TensorType_FLOAT64:
      return Append(bytes, v);
    case tflite::TensorType_INT16:
    case tflite::TensorType_UINT16:
      return Append(bytes, static_cast<int16_t>(v));
    case tflite::TensorType_INT32:
    case tflite::TensorType_UINT32:
      return Append(bytes, static_cast<int32_t>(v));
    case tflite::TensorType_INT64:
    case tflite::TensorType_UINT64:
      return Append(bytes, static_cast<int64_t>(v));
    case tflite::TensorType_COMPLEX64:
      Append(bytes, static_cast<float>(v));
      return Append(bytes, 0.0f);
    case tflite::TensorType_COMPLEX128:
      Append(bytes, v);
      return Append(bytes, 0.0);
    default:
      return Append(bytes, static_cast<int8_t>(v));
  }
}

std::vector<uint8_t> TypedBytes(TensorType type, const std::vector<double>& values) {
  std::vector<uint8_t> bytes;
  if (type == tflite::TensorType_INT4) {
    bytes.resize((values.size() + 1) / 2);
    for (size_t i = 0; i < values.size(); ++i) {
      bytes[i / 2] |= static_cast<uint8_t>((static_cast<int>(values[i]) & 15) << (i % 2 * 4));
    }
    return bytes;
  }
  for (const double v : values) AppendElement(bytes, type, v);
  return bytes;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

struct Operand {
  bool absent = false, variable = false;
  std::string type, values, shape;
  std::optional<int> exponent;
};

// The part of `text` after `mark`, cut off from it.
std::string CutBehind(std::string& text, char mark) {
  const size_t at = text.find(mark);
  if (at == std::string::npos) return "";
  std::string rest = text.substr(at + 1);
  text.resize(at);
  return rest;
}

Operand ReadOperand(std::string text) {
  Operand o;
  o.absent = text == "-";
  o.shape = CutBehind(text, '(');
  if (!o.shape.empty()) o.shape.pop_back();
  o.values = CutBehind(text, '=');
  o.variable = !text.empty() && text.back() == '!';
  if (o.variable) text.pop_back();
  const std::string exponent = CutBehind(text, '@');
  if (!exponent.empty()) o.exponent = std::atoi(exponent.c_str());
  o.type = text;
  return o;
}

struct Operands {
  std::vector<Operand> inputs, outputs;
  bool has_type = false, has_weights = false, has_shape = false;
  Sizes sizes = {1, 3, 2, 4};  // of R at its own rank

  // Where no type is free, that of the first operand; without operands any one.
  bool IsTried(const std::string& type) const {
    if (has_type) return true;
    if (inputs.empty() && outputs.empty()) return type == "F32";
    return type == (inputs.empty() ? outputs : inputs)[0].type;
  }
};

Operands ReadOperands(const std::string& text) {
  Operands all;
  bool after = false;
  for (const std::string& part : Split(text, ' ')) {
    if (part == "->") {
      after = true;
      continue;
    }
    Operand o = ReadOperand(part);
    all.has_type = all.has_type || o.type == "T";
    all.has_weights = all.has_weights || o.type == "W";
    all.has_shape = all.has_shape || o.shape[0] == 'R' || o.values == "sizes";
    if (o.shape.rfind("R:", 0) == 0) {
      all.sizes.clear();
      for (const std::string& size : Split(o.shape.substr(2), ','))
        all.sizes.push_back(std::atoi(size.c_str()));
      o.shape = "R";
    }
    (after ? all.outputs : all.inputs).push_back(o);
  }
  return all;
}

// A model to try: types, rank, and the quantization of what is small integers.
struct Trial {
  TensorType type = tflite::TensorType_FLOAT32, weights = type;
  int rank = 4;
  bool quantized = false;
  float output_scale = 0;
  int64_t output_zero = 0;
};

// More dimensions are ones in front, or further sizes where none are given.
Sizes ShapeAt(const Operands& all, int rank) {
  Sizes shape = all.sizes;
  while (static_cast<int>(shape.size()) < rank) shape.insert(shape.begin(), 1);
  shape.erase(shape.begin(), shape.end() - rank);
  return shape;
}

class Maker {
 public:
  Maker(const Example& example, const Operands& all, const Trial& trial, int version)
      : example_(example), all_(all), trial_(trial), shape_(ShapeAt(all, trial.rank)) {
    builder_.SetOpVersion(version);
  }

  std::vector<uint8_t> Make() {
    std::vector<int32_t> inputs, outputs;
    for (const Operand& o : all_.inputs) inputs.push_back(o.absent ? -1 : Add(o));
    for (const Operand& o : all_.outputs) outputs.push_back(AddOutput(o));
    for (int code = 0; code <= tflite::BuiltinOperator_MAX; ++code) {
      const auto builtin = static_cast<tflite::BuiltinOperator>(code);
      if (example_.op == tflite::EnumNameBuiltinOperator(builtin))
        builder_.Op(builtin, inputs, outputs);
    }
    if (builder_.subgraph().operators.empty()) builder_.CustomOp(example_.op, inputs, outputs);
    for (const int32_t output : outputs) builder_.Output(output);
    if (example_.finish) example_.finish(builder_, trial_.type);
    return builder_.Finish();
  }

 private:
  static constexpr float kScale = 1.0f / 64;

  TensorType TypeOf(const std::string& name) const {
    if (name == "T") return trial_.type;
    if (name == "W") return trial_.weights;
    if (name == "B") return UsualBias(trial_.type);
    for (const TypeName& t : kTypes) {
      if (name == t.name) return t.type;
    }
    ADD_FAILURE() << example_.op << ": no type " << name;
    return tflite::TensorType_FLOAT32;
  }

  Sizes ShapeOf(const std::string& text) const {
    Sizes shape;
    const auto rank = static_cast<int32_t>(shape_.size());
    for (const std::string& part : Split(text, ',')) {
      const size_t from = part == "t" ? 1 : 0, cut = part == "h" ? 1 : 0;
      if (part == "R" || part == "t" || part == "h") {
        for (size_t i = from; i + cut < shape_.size(); ++i) shape.push_back(shape_[i]);
      } else if (part == "r" || part == "s") {
        shape.push_back(part == "r" ? rank : std::max(rank - 2, 0));
      } else if (part == "f" || part == "c") {
        shape.push_back(rank == 0 ? 1 : part == "f" ? shape_.front() : shape_.back());
      } else {
        shape.push_back(std::atoi(part.c_str()));
      }
    }
    return shape;
  }

  std::vector<double> ValuesOf(const std::string& text, const Sizes& shape) const {
    std::vector<double> values(
        static_cast<size_t>(std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>())));
    if (text == "iota") {
      std::iota(values.begin(), values.end(), 0);
    } else if (text == "sizes") {
      values.assign(shape_.begin(), shape_.end());
    } else {
      const std::vector<std::string> numbers = Split(text, ',');
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = std::atof(numbers[std::min(i, numbers.size() - 1)].c_str());
    }
    return values;
  }

  void Quantize(int index, const Operand& o, TensorType type) {
    if (o.exponent.has_value()) {
      builder_.Quantize(index, std::ldexp(1.0f, *o.exponent), 0);
    } else if (o.type == "W" ? IsSmallInteger(type) : trial_.quantized && o.type == "T") {
      builder_.Quantize(index, kScale, type == tflite::TensorType_UINT8 ? 128 : 0);
    } else if (trial_.quantized && o.type == "B") {
      builder_.Quantize(index, kScale * kScale, 0);
    }
  }

  int Add(const Operand& o) {
    const TensorType type = TypeOf(o.type);
    const Sizes shape = ShapeOf(o.shape);
    int index;
    if (type == tflite::TensorType_STRING && !o.values.empty()) {
      const size_t count = ValuesOf(o.values, shape).size();
      index = builder_.ConstStrings(shape, std::vector<std::string>(count, "text"));
    } else if (!o.values.empty()) {
      index = builder_.ConstBytes(shape, type, TypedBytes(type, ValuesOf(o.values, shape)));
    } else {
      index = o.variable ? builder_.Variable(shape, type) : builder_.Input(shape, type);
    }
    Quantize(index, o, type);
    return index;
  }

  int AddOutput(const Operand& o) {
    const TensorType type = TypeOf(o.type);
    const int index = builder_.Tensor({}, type);
    builder_.tensor(index).has_rank = false;
    Quantize(index, o, type);
    if (trial_.quantized && o.type == "T" && trial_.output_scale > 0)
      builder_.Quantize(index, trial_.output_scale, trial_.output_zero);
    return index;
  }

  const Example& example_;
  const Operands& all_;
  const Trial& trial_;
  Sizes shape_;
  ModelBuilder builder_;
};

bool RunsOnCpu(const std::vector<uint8_t>& bytes) {
  const bool fast = AttemptFile(bytes, Route::kFileOptimized).ran();
  EXPECT_EQ(AttemptFile(bytes, Route::kFile).ran(), fast)
      << "the forms of a kernel must take the same operands";
  return fast;
}

bool PlannedOnGpu(const std::vector<uint8_t>& bytes) {
  return AttemptFile(bytes, {"GPU", true, true, "null:gles-min"}).planned;
}

struct Tried {
  const char* op = "";
  int version = 1;
  bool (*takes)(const std::vector<uint8_t>& bytes) = nullptr;
};

// Whether it runs with any of the quantizations that operations ask for; `model` gets the last that
// was tried.
bool Takes(const Tried& tried, const Example& example, const Operands& all, Trial trial,
           std::vector<uint8_t>* model = nullptr) {
  const auto takes = [&] {
    std::vector<uint8_t> bytes = Maker(example, all, trial, tried.version).Make();
    const bool taken = tried.takes(bytes);
    if (model != nullptr) *model = std::move(bytes);
    return taken;
  };
  if (!IsSmallInteger(trial.type)) return takes();
  const bool is_signed = trial.type != tflite::TensorType_UINT8;
  const struct {
    float scale;
    int64_t zero;
  } outputs[] = {{0, 0},
                 {1.0f / 256, is_signed ? -128 : 0},
                 {1.0f / 128, is_signed ? 0 : 128},
                 {16.0f / 256, is_signed ? 127 : 255},
                 {1.0f / 32768, 0}};
  trial.quantized = true;
  for (const auto& output : outputs) {
    trial.output_scale = output.scale;
    trial.output_zero = output.zero;
    if (takes()) return true;
  }
  trial.quantized = false;
  return takes();
}

void TryExample(const Tried& tried, const Example& example, Taken& taken) {
  const Operands all = ReadOperands(example.operands);
  const int own_rank = static_cast<int>(all.sizes.size());
  std::optional<Trial> good;
  const auto add = [&](const Trial& trial, const std::string& name) {
    if (!Takes(tried, example, all, trial)) return;
    if (!good.has_value()) good = trial;
    if (std::find(taken.types.begin(), taken.types.end(), name) == taken.types.end())
      taken.types.push_back(name);
  };
  for (const TypeName& t : kTypes) {
    if (!all.IsTried(t.name)) continue;
    Trial trial{t.type, UsualWeights(t.type), own_rank};
    add(trial, all.inputs.empty() && all.outputs.empty() ? "-" : t.name);
    for (const TypeName& w : kTypes) {
      if (!all.has_weights || w.type == UsualWeights(t.type)) continue;
      trial.weights = w.type;
      add(trial, StrCat(t.name, "\u00d7", w.name));
    }
  }
  if (!good.has_value() || !all.has_shape) return;
  for (int rank = 0; rank <= kLargestTriedRank; ++rank) {
    good->rank = rank;
    if (Takes(tried, example, all, *good)) taken.ranks.insert(rank);
  }
}

Taken TryAll(const Tried& tried) {
  Taken taken;
  bool found = false;
  for (const Example& example : Examples::All()) {
    if (example.op != tried.op) continue;
    found = true;
    SCOPED_TRACE(StrCat(example.op, ": ", example.operands));
    TryExample(tried, example, taken);
  }
  EXPECT_TRUE(found) << tried.op << " has no example";
  return taken;
}

std::vector<Example>& List() {
  static auto& list = *new std::vector<Example>;
  return list;
}

}  // namespace

Examples::Examples(std::initializer_list<Example> examples) {
  List().insert(List().end(), examples.begin(), examples.end());
}

Examples::Examples(std::initializer_list<std::string> ops, const std::string& operands,
                   const Example::Finish& finish) {
  for (const std::string& op : ops) List().push_back({op, operands, finish});
}

const std::vector<Example>& Examples::All() { return List(); }

Taken TakenByCpu(const std::string& op, int version) {
  return TryAll({op.c_str(), version, RunsOnCpu});
}

const std::map<std::string, int>& LatestVersions() {
  static const auto& versions = *new std::map<std::string, int>{
#define OP(builtin, name, first, last, ...) {#builtin, last},
#define CUSTOM_OP(code, name, first, last, ...) {code, last},
#include "abi/op_table.inc"
  };
  return versions;
}

std::vector<std::vector<uint8_t>> ModelsOnCpu(const Example& example) {
  const Operands all = ReadOperands(example.operands);
  const Tried tried = {example.op.c_str(), LatestVersions().at(example.op), RunsOnCpu};
  std::vector<std::vector<uint8_t>> models;
  for (const TypeName& t : kTypes) {
    if (!all.IsTried(t.name)) continue;
    const Trial trial{t.type, UsualWeights(t.type), static_cast<int>(all.sizes.size())};
    std::vector<uint8_t> model;
    if (Takes(tried, example, all, trial, &model)) models.push_back(std::move(model));
  }
  return models;
}

std::vector<uint8_t> ModelOfFloats(const Example& example, int version) {
  const Operands all = ReadOperands(example.operands);
  const Trial trial{tflite::TensorType_FLOAT32, tflite::TensorType_FLOAT32,
                    static_cast<int>(all.sizes.size())};
  std::vector<uint8_t> model;
  const bool taken = Takes({example.op.c_str(), version, RunsOnCpu}, example, all, trial, &model);
  return taken ? model : std::vector<uint8_t>();
}

std::vector<std::vector<uint8_t>> ModelsOfRank(const Example& example, int rank) {
  const Operands all = ReadOperands(example.operands);
  std::vector<std::vector<uint8_t>> models;
  if (!all.has_shape) return models;
  for (const TensorType type : {tflite::TensorType_FLOAT32, tflite::TensorType_INT8}) {
    const Trial trial{type, UsualWeights(type), rank, type == tflite::TensorType_INT8};
    models.push_back(Maker(example, all, trial, LatestVersions().at(example.op)).Make());
  }
  return models;
}

Taken TakenByGpu(const std::string& op, int version) {
  return TryAll({op.c_str(), version, PlannedOnGpu});
}

}  // namespace tern::testing
