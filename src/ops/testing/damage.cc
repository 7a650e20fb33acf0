// SPDX-License-Identifier: Apache-2.0
#include "ops/testing/damage.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "base/str_cat.h"
#include "ops/testing/attempt.h"
#include "ops/testing/cpu_seconds.h"
#include "ops/testing/good_models.h"

namespace tern::testing {
namespace {

using tflite::ModelT;

// Seconds; more than any of these small models takes, even under a sanitizer.
constexpr double kStepLimit = 5;

tflite::OperatorT& OpOf(ModelT& m) { return *m.subgraphs[0]->operators[0]; }
tflite::TensorT& InputOf(ModelT& m, size_t i) {
  return *m.subgraphs[0]->tensors[static_cast<size_t>(OpOf(m).inputs[i])];
}

void CheckModel(const std::string& label, const ModelT& model, const ElementsOfInputs& inputs,
                Expect expect) {
  for (const Route& route : kAllRoutes) {
    const double start = CpuSeconds();
    const Outcome outcome = Attempt(model, route, {.inputs = inputs});
    EXPECT_LT(CpuSeconds() - start, kStepLimit) << label << route.name;
    if (expect == Expect::kAny) continue;
    if (expect == Expect::kFileError && !route.checked) continue;
    if (expect == Expect::kCpuDecides && route.alone()) continue;
    EXPECT_FALSE(outcome.ran()) << label << route.name;
    if (expect != Expect::kCpuError) {
      EXPECT_FALSE(outcome.planned) << label << route.name << ": " << outcome.report;
    }
    if (route.checked && !route.on_gpu()) {
      EXPECT_NE(outcome.message, "") << label << route.name;
    }
  }
}

// INT32 and INT64 constants become inputs that get their values.
bool MoveNumbersToRunTime(ModelT* model, ElementsOfInputs* inputs) {
  tflite::SubGraphT& graph = *model->subgraphs[0];
  for (const int32_t t : OpOf(*model).inputs) {
    if (t < 0 || static_cast<size_t>(t) >= graph.tensors.size()) continue;
    tflite::TensorT& tensor = *graph.tensors[static_cast<size_t>(t)];
    const bool number =
        tensor.type == tflite::TensorType_INT32 || tensor.type == tflite::TensorType_INT64;
    if (!number || tensor.buffer == 0) continue;
    (*inputs)[t] = model->buffers[tensor.buffer]->data;
    tensor.buffer = 0;
    graph.inputs.push_back(t);
  }
  return !inputs->empty();
}

}  // namespace

Damage Shape(size_t i, std::vector<int32_t> shape) {
  return [i, shape = std::move(shape)](ModelT& m) {
    InputOf(m, i).shape = shape;
    FitData(m, InputOf(m, i));
  };
}

Damage OutputShape(size_t o, std::vector<int32_t> shape) {
  return [o, shape = std::move(shape)](ModelT& m) {
    m.subgraphs[0]->tensors[static_cast<size_t>(OpOf(m).outputs[o])]->shape = shape;
  };
}

Damage Numbers(size_t i, std::vector<int32_t> values, std::vector<int32_t> shape) {
  return [i, values = std::move(values), shape = std::move(shape)](ModelT& m) {
    tflite::TensorT& tensor = InputOf(m, i);
    tensor.shape = shape;
    std::vector<uint8_t>& data = m.buffers[tensor.buffer]->data;
    data.resize(values.size() * sizeof(int32_t));
    if (!values.empty()) std::memcpy(data.data(), values.data(), data.size());
  };
}

Damage Numbers(size_t i, std::vector<int32_t> values) {
  return [i, values = std::move(values)](ModelT& m) {
    const tflite::TensorT& tensor = InputOf(m, i);
    const bool as_many = m.buffers[tensor.buffer]->data.size() == values.size() * sizeof(int32_t);
    const std::vector<int32_t> list = {static_cast<int32_t>(values.size())};
    Numbers(i, values, as_many ? tensor.shape : list)(m);
  };
}

Damage Absent(size_t i) {
  return [i](ModelT& m) { OpOf(m).inputs[i] = -1; };
}

Damage Type(size_t i, tflite::TensorType type) {
  return [i, type](ModelT& m) {
    InputOf(m, i).type = type;
    FitData(m, InputOf(m, i));
  };
}

Damage Words(std::vector<int32_t> words) {
  return [words = std::move(words)](ModelT& m) {
    std::vector<uint8_t>& bytes = OpOf(m).custom_options;
    const auto* first = reinterpret_cast<const uint8_t*>(words.data());
    bytes.assign(first, first + words.size() * sizeof(int32_t));
  };
}

Damage Both(Damage a, Damage b) {
  return [a = std::move(a), b = std::move(b)](ModelT& m) {
    a(m);
    b(m);
  };
}

void CheckRows(const std::vector<DamageRow>& rows) {
  for (const DamageRow& row : rows) {
    const std::string label = StrCat(row.id, ", ", row.op, ", ", row.what, ": ");
    ModelT model = GoodModelOf(row.op);
    row.damage(model);
    CheckModel(label, model, {}, row.expect);
    ElementsOfInputs inputs;
    if (!MoveNumbersToRunTime(&model, &inputs)) continue;
    const bool error = row.expect == Expect::kError || row.expect == Expect::kCpuDecides;
    CheckModel("at run time, " + label, model, inputs, error ? Expect::kCpuError : row.expect);
  }
}

}  // namespace tern::testing
