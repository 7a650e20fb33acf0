// SPDX-License-Identifier: Apache-2.0
// Custom ops RandomUniform (a shape -> FLOAT32 or FLOAT64 in [0, 1)), RandomUniformInt (a shape, a
// smallest and a largest number -> integers from one to the other, both included),
// RandomStandardNormal (a shape -> floats) and Multinomial (logits [rows, classes] and a count ->
// classes). They take the generator and the distributions of the C++ library, seeded alike in every
// node, as the reference does, and go on from invocation to invocation.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

using Generator = std::default_random_engine;

// Fills a tensor of the shape that operand 0 lists.
class ShapedRandom : public Op {
 public:
  using Op::Op;

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckCall(call));
    const TfLiteTensor* shape = call.input(0);
    if (shape->type != kTfLiteInt32) {
      TERN_RETURN_IF_ERROR(CheckType(shape, kTfLiteInt64, "shape"));
    }
    TERN_RETURN_IF_ERROR(CheckRank(shape, 1, "shape"));
    if (IsConstant(shape)) return Resize(call);
    MakeDynamic(call.output(0));
    return OkStatus();
  }

  Status Eval(const OpCall& call) override {
    if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(Resize(call));
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
    return Fill(call, generator_);
  }

 protected:
  virtual Status CheckCall(const OpCall& call) const = 0;
  virtual Status Fill(const OpCall& call, Generator& generator) = 0;

  template <class T, class Distribution>
  static void Draw(TfLiteTensor* output, Distribution distribution, Generator& generator) {
    std::generate_n(MutableData<T>(output), Elements(output),
                    [&] { return static_cast<T>(distribution(generator)); });
  }

 private:
  static Status Resize(const OpCall& call) {
    TERN_ASSIGN_OR_RETURN(const Shape shape, ReadIntegers(call.input(0), "shape"));
    return call.SetShape(call.output(0), shape);
  }

  Generator generator_;
};

template <template <class> class Distribution>
class RandomReals : public ShapedRandom {
 public:
  using ShapedRandom::ShapedRandom;

 protected:
  Status CheckCall(const OpCall& call) const override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    if (call.output(0)->type == kTfLiteFloat64) return OkStatus();
    return CheckType(call.output(0), kTfLiteFloat32, "output");
  }
  Status Fill(const OpCall& call, Generator& generator) override {
    if (call.output(0)->type == kTfLiteFloat64) {
      Draw<double>(call.output(0), Distribution<double>(), generator);
    } else {
      Draw<float>(call.output(0), Distribution<float>(), generator);
    }
    return OkStatus();
  }
};

class CustomUniform : public RandomReals<std::uniform_real_distribution> {
 public:
  using RandomReals::RandomReals;
  const char* name() const override { return "RandomUniform"; }
};

class CustomNormal : public RandomReals<std::normal_distribution> {
 public:
  using RandomReals::RandomReals;
  const char* name() const override { return "RandomStandardNormal"; }
};

class CustomUniformInt : public ShapedRandom {
 public:
  using ShapedRandom::ShapedRandom;
  const char* name() const override { return "RandomUniformInt"; }

 protected:
  using Integers = Types<int8_t, int32_t, int64_t>;

  Status CheckCall(const OpCall& call) const override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
    if (!Integers::Has(call.output(0)->type)) {
      return Unsupported("type ", TypeText(call.output(0)->type), " is not supported (output)");
    }
    return OkStatus();
  }
  Status Fill(const OpCall& call, Generator& generator) override {
    TERN_ASSIGN_OR_RETURN(const int64_t min, ReadInteger(call.input(1), "least number"));
    TERN_ASSIGN_OR_RETURN(const int64_t max, ReadInteger(call.input(2), "largest number"));
    if (min >= max) {
      return Invalid("the least number must be below the largest (", min, ", ", max, ")");
    }
    Status status = OkStatus();
    Integers::Dispatch(call.output(0)->type, [&](auto number) {
      using T = decltype(number);
      // A distribution of bytes is none of the C++ library's.
      using Drawn = std::conditional_t<sizeof(T) == 1, int32_t, T>;
      using Limits = std::numeric_limits<T>;
      if (min < Limits::min() || max > Limits::max()) {
        status = Invalid("the numbers do not fit ", TypeText(call.output(0)->type), " (", min, ", ",
                         max, ")");
        return;
      }
      Draw<T>(
          call.output(0),
          std::uniform_int_distribution<Drawn>(static_cast<Drawn>(min), static_cast<Drawn>(max)),
          generator);
    });
    return status;
  }
};

class CustomMultinomial : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "Multinomial"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  static Status Resize(const OpCall& call);
  template <class Real, class Index>
  Status Draw(const OpCall& call);

  Generator generator_;
};

Status CustomMultinomial::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  const TfLiteTensor* logits = call.input(0);
  if (!Types<float, double>::Has(logits->type)) {
    return Unsupported("type ", TypeText(logits->type), " is not supported (logits)");
  }
  if (!Types<int32_t, int64_t>::Has(call.output(0)->type)) {
    return Unsupported("type ", TypeText(call.output(0)->type), " is not supported (output)");
  }
  TERN_RETURN_IF_ERROR(CheckRank(logits, 2, "logits"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "count"));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(1), 0, "count"));
  if (Dim(logits, 1) <= 0) {
    return Invalid("there are no classes (logits ", ShapeText(ShapeOf(logits)), ")");
  }
  if (IsConstant(call.input(1))) return Resize(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status CustomMultinomial::Resize(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const int64_t count, ReadInteger(call.input(1), "count"));
  if (count < 0) return Invalid("count must not be negative (", count, ")");
  return call.SetShape(call.output(0), {Dim(call.input(0), 0), count});
}

template <class Real, class Index>
Status CustomMultinomial::Draw(const OpCall& call) {
  const int64_t classes = Dim(call.input(0), 1), count = Dim(call.output(0), 1);
  Index* out = MutableData<Index>(call.output(0));
  std::vector<double> sums;
  for (int64_t row = 0; row < Dim(call.input(0), 0); ++row) {
    const Real* in = Data<Real>(call.input(0)) + row * classes;
    const Real largest =
        std::max(std::numeric_limits<Real>::lowest(), *std::max_element(in, in + classes));
    sums.clear();
    double sum = 0;
    for (int64_t i = 0; i < classes; ++i) {
      sum = static_cast<Real>(std::exp(in[i] - largest) + sum);
      sums.push_back(sum);
    }
    if (!std::isfinite(sum)) return Invalid("a logit of row ", row, " is not a number");
    std::uniform_real_distribution<double> distribution(0, sum);
    for (int64_t i = 0; i < count; ++i) {
      const auto found = std::lower_bound(sums.begin(), sums.end(), distribution(generator_));
      *out++ = static_cast<Index>(std::min<int64_t>(found - sums.begin(), classes - 1));
    }
  }
  return OkStatus();
}

Status CustomMultinomial::Eval(const OpCall& call) {
  if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(Resize(call));
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "logits"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const bool wide = call.output(0)->type == kTfLiteInt64;
  if (call.input(0)->type == kTfLiteFloat64) {
    return wide ? Draw<double, int64_t>(call) : Draw<double, int32_t>(call);
  }
  return wide ? Draw<float, int64_t>(call) : Draw<float, int32_t>(call);
}

}  // namespace

TfLiteRegistration CustomRandomUniformRegistration(OpForm form) {
  return MakeRegistration<CustomUniform>(form);
}

TfLiteRegistration CustomRandomUniformIntRegistration(OpForm form) {
  return MakeRegistration<CustomUniformInt>(form);
}

TfLiteRegistration CustomRandomStandardNormalRegistration(OpForm form) {
  return MakeRegistration<CustomNormal>(form);
}

TfLiteRegistration CustomMultinomialRegistration(OpForm form) {
  return MakeRegistration<CustomMultinomial>(form);
}

}  // namespace tern
