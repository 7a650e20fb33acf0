// SPDX-License-Identifier: Apache-2.0
// Every operation that takes FLOAT32, on NaN, infinities, zeros, subnormal and ordinary numbers
// (docs/numbers.md): against the reference in double precision, and where that lacks the operation
// against the plain CPU form. An operation takes part by its example alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/str_cat.h"
#include "ops/testing/check_model.h"
#include "ops/testing/example.h"
#include "ops/testing/model_runner.h"
#include "ops/testing/reference.h"

namespace tern::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLeast = std::numeric_limits<float>::min();
constexpr float kMost = std::numeric_limits<float>::max();

// Their number has no divisor in common with the sizes of the examples.
const std::vector<float> kSpecials = {kNan,  1.0f,      -kInfinity, 3e-41f, -0.0f,     2.5f,
                                      -kNan, -1.4e-45f, kInfinity,  -2.0f,  -1.1e-38f, kLeast,
                                      0.0f,  0.5f,      -1.0f,      9e-39f, -kLeast};

// Random draws; a composite whose subgraph does not compute what its name says; and corners of
// points, of which the extremes beside NaN follow the order of the points.
const std::set<std::string> kLeftOut = {"CustomMultinomial", "Landmarks2TransformMatrix",
                                        "Multinomial", "MULTINOMIAL", "STABLEHLO_COMPOSITE"};

// On the GPU groups of few channels share slices with others, whose numbers meet weights of zero:
// NaN and infinities reach the results of those others as NaN.
const std::set<std::string> kSpreading = {"DEPTHWISE_CONV_2D"};

using Floats = std::vector<std::vector<float>>;

// Inputs of one run: special numbers at all places, or at a single one among ordinary numbers.
struct Round {
  std::string name;
  std::function<float(size_t input, size_t element)> value;
};

std::vector<Round> Rounds() {
  std::vector<Round> rounds;
  const size_t count = kSpecials.size();
  for (size_t r = 0; r < count; ++r) {
    rounds.push_back({StrCat("all places ", r), [=](size_t input, size_t element) {
                        return kSpecials[(element + (input + 1) * r) % count];
                      }});
    rounds.push_back({StrCat(kSpecials[r], " alone"), [=](size_t input, size_t element) {
                        const size_t at = element + 7 * input;
                        if (at % count == r) return kSpecials[r];
                        return static_cast<float>(at * 5 % 13) * 0.25f - 1.375f;
                      }});
  }
  return rounds;
}

// The results that an engine may give for a subnormal number.
enum class Subnormals { kKept, kZero, kMinNormal };

float As(Subnormals way, float v) {
  if (way == Subnormals::kKept || v == 0.0f || !(std::fabs(v) < kLeast)) return v;
  return std::copysign(way == Subnormals::kZero ? 0.0f : kLeast, v);
}

Floats InputsOf(const ModelRunner& runner, const Round& round, Subnormals way) {
  Floats inputs;
  for (size_t i = 0; i < runner.inputs(); ++i) {
    std::vector<float>& values = inputs.emplace_back(runner.Elements(i));
    for (size_t e = 0; e < values.size(); ++e) {
      const TfLiteType type = runner.TypeOf(i);
      values[e] = type == kTfLiteFloat32 ? round.value(i, e)
                  : type == kTfLiteBool  ? static_cast<float>(e % 2)
                                         : 1.0f;
      values[e] = As(way, values[e]);
    }
  }
  return inputs;
}

struct Wanted {
  double value = 0, bound = 0;
};

// Whether an engine may have that number: NaN where NaN is wanted, the infinity where the number
// lies beyond the largest, and around 0 any that the processor may have flushed.
bool Agrees(double got, const Wanted& want) {
  if (std::isnan(want.value)) return std::isnan(got);
  if (std::isnan(got)) return false;
  if (std::isinf(want.value) || std::fabs(want.value) > kMost) {
    return std::signbit(got) == std::signbit(want.value) && std::fabs(got) >= 0.999 * kMost;
  }
  if (std::isinf(got)) return false;
  return !std::isfinite(want.bound) || std::fabs(got - want.value) <= want.bound + 2 * kLeast;
}

using WantedOutputs = std::vector<std::vector<Wanted>>;

WantedOutputs FromReference(const std::vector<RefTensor>& outputs) {
  WantedOutputs wanted;
  for (const RefTensor& out : outputs) {
    std::vector<Wanted>& to = wanted.emplace_back();
    for (size_t i = 0; i < out.value.size(); ++i) to.push_back({out.value[i], out.error[i]});
  }
  return wanted;
}

WantedOutputs FromPlain(const std::vector<Values>& outputs) {
  WantedOutputs wanted;
  for (const Values& out : outputs) {
    std::vector<Wanted>& to = wanted.emplace_back();
    for (const double v : out.numbers()) to.push_back({v, 1e-3 * (1 + std::fabs(v))});
  }
  return wanted;
}

bool HasTypesOfReference(const tflite::ModelT& model) {
  const tflite::SubGraphT& graph = *model.subgraphs[0];
  const std::set<tflite::TensorType> types = {tflite::TensorType_FLOAT32,
                                              tflite::TensorType_FLOAT16, tflite::TensorType_INT32,
                                              tflite::TensorType_INT64, tflite::TensorType_BOOL};
  return std::all_of(graph.tensors.begin(), graph.tensors.end(),
                     [&](const auto& tensor) { return types.count(tensor->type) != 0; });
}

// Whether the reference can try the model: it knows some forms of LSTM cells and custom operations
// with ordinary numbers, and no elements of 8 bits.
bool IsKnown(const tflite::ModelT& model) {
  const tflite::SubGraphT& graph = *model.subgraphs[0];
  for (const auto& op : graph.operators) {
    const auto code = model.operator_codes[op->opcode_index]->builtin_code;
    const bool partly = code == tflite::BuiltinOperator_CUSTOM ||
                        code == tflite::BuiltinOperator_LSTM ||
                        code == tflite::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM;
    if (partly || op->outputs.empty()) return false;
  }
  return HasTypesOfReference(model);
}

// Results for the numbers as they are, for zeros in their place, and what lies between those as
// they are and the smallest normal number: functions of drivers may give anything there.
std::vector<WantedOutputs> FromReference(const tflite::ModelT& model, const Floats (&inputs)[3]) {
  std::vector<WantedOutputs> wanted;
  if (!IsKnown(model)) return {};
  for (const Floats& given : inputs) {
    const std::vector<RefTensor> outputs = Reference(model, Rounding::F32()).Run(given);
    if (outputs.empty()) return {};
    wanted.push_back(FromReference(outputs));
  }
  for (size_t o = 0; o < wanted[0].size(); ++o) {
    for (size_t i = 0; i < wanted[0][o].size(); ++i) {
      Wanted& between = wanted[2][o][i];
      between.bound += std::fabs(between.value - wanted[0][o][i].value);
    }
  }
  return wanted;
}

// The first element that agrees with none of what may be wanted, in words.
std::string FirstWrong(const std::vector<Values>& got, const std::vector<WantedOutputs>& wanted,
                       bool nan_spreads) {
  for (size_t o = 0; o < got.size(); ++o) {
    const std::vector<double> values = got[o].numbers();
    for (size_t i = 0; i < values.size(); ++i) {
      std::string expected;
      bool agrees = nan_spreads && std::isnan(values[i]);
      for (const WantedOutputs& outputs : wanted) {
        if (o >= outputs.size() || values.size() != outputs[o].size()) continue;
        const Wanted& want = outputs[o][i];
        agrees = agrees || Agrees(values[i], want);
        expected += StrCat(" ", want.value, " +- ", want.bound);
      }
      if (!agrees) return StrCat("output ", o, ", element ", i, ": ", values[i], ", not", expected);
    }
  }
  return "";
}

std::string InputText(const Floats& inputs) {
  std::string text;
  for (const std::vector<float>& input : inputs) {
    for (const float v : input) text += StrCat(" ", v);
    text += ";";
  }
  return text;
}

// Engines of drivers and the host, in FLOAT32.
std::vector<Engine> GpuEnginesOfFloats() {
  std::vector<Engine> engines;
  for (const auto* list : {&DriverEngines(), &HostEngines()}) {
    for (const Engine& engine : *list) {
      if (!engine.half) engines.push_back(engine);
    }
  }
  return engines;
}

struct Operation {
  std::string name;
  int version;
};

std::vector<Operation> Operations() {
  return {
#define OP(builtin, name, first, last, ...) {#builtin, last},
#define CUSTOM_OP(code, name, first, last, ...) {code, last},
#include "abi/op_table.inc"
  };
}

// The model with the shapes that its outputs have.
tflite::ModelT WithShapes(const std::vector<uint8_t>& bytes, const std::vector<Values>& outputs) {
  tflite::ModelT model;
  tflite::GetModel(bytes.data())->UnPackTo(&model);
  tflite::SubGraphT& graph = *model.subgraphs[0];
  for (size_t o = 0; o < outputs.size(); ++o) {
    graph.tensors[static_cast<size_t>(graph.outputs[o])]->shape = outputs[o].shape;
  }
  return model;
}

class SpecialValues : public ::testing::TestWithParam<Operation> {
 protected:
  void Check(const std::vector<uint8_t>& bytes);
  static size_t TurnOf(const std::string& name) { return std::hash<std::string>()(name); }
};

void SpecialValues::Check(const std::vector<uint8_t>& bytes) {
  ModelRunner plain(bytes, {"plain", true});
  ASSERT_EQ(plain.error(), "");
  if (!plain.ReadsFloats()) return;
  std::vector<std::unique_ptr<ModelRunner>> runners;
  runners.push_back(std::make_unique<ModelRunner>(bytes, Engine{"fast"}));
  const std::vector<Engine> engines = GpuEnginesOfFloats();
  const bool all = std::getenv("TERN_ALL_ENGINES") != nullptr;
  const size_t turn = TurnOf(GetParam().name);
  // With weights of 8 bits and fewer the CPU quantizes the numbers, and the GPU does not.
  const bool on_gpu = HasTypesOfReference(WithShapes(bytes, {}));
  for (size_t e = 0; e < engines.size(); ++e) {
    if (!on_gpu || (!all && e != turn % engines.size())) continue;
    auto runner = std::make_unique<ModelRunner>(bytes, engines[e]);
    // docs/ops.md tells which forms the GPU takes.
    if (runner->error().empty()) runners.push_back(std::move(runner));
  }
  for (const Round& round : Rounds()) {
    const Floats ways[] = {InputsOf(plain, round, Subnormals::kKept),
                           InputsOf(plain, round, Subnormals::kZero),
                           InputsOf(plain, round, Subnormals::kMinNormal)};
    SCOPED_TRACE(StrCat(round.name, ":", InputText(ways[0])));
    const std::vector<Values> results = plain.Run(ways[0]);
    std::vector<WantedOutputs> wanted;
    if (plain.error().empty()) {
      wanted = FromReference(WithShapes(bytes, results), ways);
      const bool known = !wanted.empty();
      if (!known)
        wanted = {FromPlain(results), FromPlain(plain.Run(ways[1])), FromPlain(plain.Run(ways[2]))};
      if (known) {
        ASSERT_EQ(FirstWrong(results, wanted, false), "") << "on the CPU, plain";
      }
    }
    for (const auto& runner : runners) {
      const std::vector<Values> got = runner->Run(ways[0]);
      // Numbers that nothing can be made of are an error on every engine.
      ASSERT_EQ(runner->error().empty(), !wanted.empty()) << runner->name() << runner->error();
      if (wanted.empty()) continue;
      const bool spreads = runner->on_gpu() && kSpreading.count(GetParam().name) != 0;
      ASSERT_EQ(FirstWrong(got, wanted, spreads), "") << "on " << runner->name();
    }
  }
}

TEST_P(SpecialValues, AreKept) {
  const auto& [name, version] = GetParam();
  if (kLeftOut.count(name) != 0) return;
  for (const Example& example : Examples::All()) {
    if (example.op != name) continue;
    const std::vector<uint8_t> bytes = ModelOfFloats(example, version);
    if (bytes.empty()) continue;
    SCOPED_TRACE(StrCat(name, ": ", example.operands));
    ASSERT_NO_FATAL_FAILURE(Check(bytes));
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, SpecialValues, ::testing::ValuesIn(Operations()),
                         [](const auto& info) {
                           std::string name;
                           for (const char c : info.param.name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
                           }
                           return StrCat(name, info.index);
                         });

}  // namespace
}  // namespace tern::testing
