// SPDX-License-Identifier: Apache-2.0
// RANDOM_UNIFORM and RANDOM_STANDARD_NORMAL: a shape (INT32) -> numbers. MULTINOMIAL: logits
// [rows, classes] and a count -> that many classes per row, each as likely as its logit says. All
// go on from invocation to invocation and start again at Prepare; the same seeds give the same
// numbers as in TensorFlow Lite. Two seeds of zero stand for any.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/random/philox.h"

namespace tern {
namespace {

Philox Seeded(const OpCall& call) {
  const auto& params = call.params<TfLiteRandomParams>();
  if (params.seed != 0 || params.seed2 != 0) {
    return {static_cast<uint64_t>(int64_t{params.seed}),
            static_cast<uint64_t>(int64_t{params.seed2})};
  }
  std::random_device device;
  const auto word = [&] { return uint64_t{device()} << 32 | device(); };
  return {word(), word()};
}

class RandomFloats : public Op {
 public:
  using Op::Op;
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 protected:
  // Two floats of two words.
  struct Pair {
    float first, second;
  };
  virtual Pair Floats(uint32_t first, uint32_t second) const = 0;

 private:
  Status Resize(const OpCall& call) {
    TERN_ASSIGN_OR_RETURN(const Shape shape, ReadIntegers(call.input(0), "shape"));
    return call.SetShape(call.output(0), shape);
  }

  Philox words_;
};

Status RandomFloats::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteInt32, "shape"));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(0), 1, "shape"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  words_ = Seeded(call);
  if (IsConstant(call.input(0))) return Resize(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status RandomFloats::Eval(const OpCall& call) {
  TfLiteTensor* output = call.output(0);
  if (IsDynamic(output)) TERN_RETURN_IF_ERROR(Resize(call));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  float* out = MutableData<float>(output);
  const int64_t count = Elements(output);
  for (int64_t i = 0; i < count; i += 4) {
    const Philox::Words words = words_.Next();
    const Pair a = Floats(words[0], words[1]), b = Floats(words[2], words[3]);
    const float four[] = {a.first, a.second, b.first, b.second};
    std::copy_n(four, std::min<int64_t>(4, count - i), out + i);
  }
  return OkStatus();
}

class RandomUniform : public RandomFloats {
 public:
  using RandomFloats::RandomFloats;
  const char* name() const override { return "RANDOM_UNIFORM"; }

 private:
  Pair Floats(uint32_t first, uint32_t second) const override {
    return {UnitFloat(first), UnitFloat(second)};
  }
};

// The Box-Muller transform of two numbers in [0, 1).
class RandomStandardNormal : public RandomFloats {
 public:
  using RandomFloats::RandomFloats;
  const char* name() const override { return "RANDOM_STANDARD_NORMAL"; }

 private:
  Pair Floats(uint32_t first, uint32_t second) const override {
    constexpr float kLeast = 1e-7f;  // its logarithm is finite
    const float radius = std::sqrt(-2.0f * std::log(std::max(UnitFloat(first), kLeast)));
    const auto angle = static_cast<float>(2 * std::numbers::pi * UnitFloat(second));
    return {std::sin(angle) * radius, std::cos(angle) * radius};
  }
};

class Multinomial : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "MULTINOMIAL"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  static Status Resize(const OpCall& call);
  template <class Index>
  static Status Draw(const OpCall& call, Philox words);

  Philox words_;
};

Status Multinomial::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  const TfLiteTensor* logits = call.input(0);
  const TfLiteType type = call.output(0)->type;
  TERN_RETURN_IF_ERROR(CheckType(logits, kTfLiteFloat32, "logits"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "count"));
  if (type != kTfLiteInt32 && type != kTfLiteInt64) {
    return Unsupported("type ", TypeText(type), " is not supported (output)");
  }
  TERN_RETURN_IF_ERROR(CheckRank(logits, 2, "logits"));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(1), 0, "count"));
  if (Dim(logits, 1) <= 0) {
    return Invalid("there are no classes (logits ", ShapeText(ShapeOf(logits)), ")");
  }
  words_ = Seeded(call);
  if (IsConstant(call.input(1))) return Resize(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status Multinomial::Resize(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const int64_t count, ReadInteger(call.input(1), "count"));
  if (count < 0) return Invalid("count must not be negative (", count, ")");
  return call.SetShape(call.output(0), {Dim(call.input(0), 0), count});
}

template <class Index>
Status Multinomial::Draw(const OpCall& call, Philox words) {
  const TfLiteTensor* logits = call.input(0);
  const int64_t rows = Dim(logits, 0), classes = Dim(logits, 1), count = Dim(call.output(0), 1);
  Index* out = MutableData<Index>(call.output(0));
  if (rows == 0 || count == 0) return OkStatus();
  std::vector<double> sums(static_cast<size_t>(classes));
  Philox::Words four{};
  size_t used = four.size();
  for (int64_t row = 0; row < rows; ++row) {
    const float* in = Data<float>(logits) + row * classes;
    float largest = std::numeric_limits<float>::lowest();
    for (int64_t i = 0; i < classes; ++i) {
      if (std::isfinite(in[i])) largest = std::max(largest, in[i]);
    }
    double sum = 0;
    for (int64_t i = 0; i < classes; ++i) {
      if (std::isfinite(in[i])) sum += std::exp(in[i] - double{largest});
      sums[static_cast<size_t>(i)] = sum;
    }
    if (sum == 0 && count > 0) {
      return Invalid("no logit of row ", row, " is finite (", classes, " classes)");
    }
    for (int64_t i = 0; i < count; ++i) {
      if (used == four.size()) {
        four = words.Next();
        used = 0;
      }
      const double place = UnitDouble(four[used], four[used + 1]) * sum;
      used += 2;
      // Rounding may carry the place onto the last sum.
      const int64_t found = std::upper_bound(sums.begin(), sums.end(), place) - sums.begin();
      *out++ = static_cast<Index>(std::min(found, classes - 1));
    }
  }
  return OkStatus();
}

Status Multinomial::Eval(const OpCall& call) {
  TfLiteTensor* output = call.output(0);
  if (IsDynamic(output)) TERN_RETURN_IF_ERROR(Resize(call));
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "logits"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  const Philox words = words_;
  // Skips the maximum words that an invocation may use, so that the next one starts after them: two
  // words for each number, and 256 times as many as a reserve that others need.
  const auto rows = static_cast<uint64_t>(Dim(output, 0));
  words_.Skip(rows * ((static_cast<uint64_t>(Dim(output, 1)) + 3) / 4 * 4) * 2 * 256);
  return output->type == kTfLiteInt32 ? Draw<int32_t>(call, words) : Draw<int64_t>(call, words);
}

}  // namespace

TfLiteRegistration RandomUniformRegistration(OpForm form) {
  return MakeRegistration<RandomUniform>(form);
}

TfLiteRegistration RandomStandardNormalRegistration(OpForm form) {
  return MakeRegistration<RandomStandardNormal>(form);
}

TfLiteRegistration MultinomialRegistration(OpForm form) {
  return MakeRegistration<Multinomial>(form);
}

}  // namespace tern
