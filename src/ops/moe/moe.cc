// SPDX-License-Identifier: Apache-2.0
// moe (custom): the experts of a mixture, each a gated layer. Per token t with row x of M numbers,
//   y[t] = sum over its routes r, with e the expert of the route, of
//          weights[t, r] * scale[e] * Down_e (gelu(Gate_e x) * (Up_e x)), the product by elements.
// Inputs: tokens [.., M], weights of the routes and their experts (INT32; below 0 from the end), as
// many per token as num_active_experts; Gate and Up [H, E, M], Down [M, E, H], scale [E]. Weights
// of weight_type int8 and int4 are each followed by a scale per row; int4 may have several per row,
// one for each of as many parts of it, and may come as packed bytes of type INT8. Only counts of
// elements matter, not how they are divided into axes. The weights of the routes count as they are,
// whatever renormalized_top_weights says. In TensorFlow Lite this operation is known to its XNNPACK
// delegate.
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "ops/cpu_kit/dot.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/options.h"
#include "ops/cpu_kit/small_integers.h"
#include "ops/cpu_registry.h"
#include "ops/elementwise/parameters.h"

namespace tern {
namespace {

enum MoeInput { kTokens, kRouteWeights, kRouteExperts, kFirstMatrix };
enum Matrix { kGate, kUp, kDown, kMatrices };
// Hidden numbers that are kept at a time, if one token has no more.
constexpr int64_t kPieceSize = 1 << 20;

StatusOr<int64_t> Required(const FlexMap& map, const char* key) {
  TERN_ASSIGN_OR_RETURN(const int64_t value, IntegerOption(map, key, 0));
  if (value < 1 || value > std::numeric_limits<int32_t>::max()) {
    return Invalid(key, " must be a positive int32 (", value, ")");
  }
  return value;
}

Status CheckCount(const TfLiteTensor* t, int64_t expected, const char* what) {
  if (Elements(t) == expected) return OkStatus();
  return Invalid(what, " has ", Elements(t), " elements, expected ", expected);
}

// Rows of numbers in floats, or in integers with `parts` scales per row.
struct Rows {
  const TfLiteTensor* numbers = nullptr;
  const TfLiteTensor* scales = nullptr;
  int64_t columns = 0, parts = 1;
  int bits = 0;  // 0 for floats

  double Times(int64_t row, const float* v) const {
    if (bits == 0) return Dot(Data<float>(numbers) + row * columns, v, columns);
    const auto* bytes = Data<uint8_t>(numbers);
    const float* scale = Data<float>(scales) + row * parts;
    const int64_t part = columns / parts;
    double sum = 0;
    for (int64_t p = 0; p < parts; ++p) {
      // The last part has what the others leave.
      const int64_t end = p == parts - 1 ? columns : (p + 1) * part;
      double of_part = 0;
      for (int64_t i = p * part; i < end; ++i) {
        of_part += double{v[i]} * SmallIntegerAt(bytes, row * columns + i, bits);
      }
      sum += of_part * scale[p];
    }
    return sum;
  }
};

class Moe : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "moe"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  // Some of the tokens; `scale` is that of the experts.
  struct Piece {
    const float *tokens, *route_weights;
    const int64_t* experts;
    const float* scale;
    float* out;
  };

  Status ReadOptions(const OpCall& call);
  StatusOr<Rows> RowsOf(const OpCall& call, int which, int64_t rows, int64_t columns,
                        const char* what) const;
  void EvalPiece(ThreadPool* pool, int64_t tokens, const Piece& p) const;
  int64_t experts_ = 0, routes_ = 0, size_ = 0, hidden_ = 0, tokens_ = 0;
  int bits_ = 0;  // of the weights; 0 for floats
  bool tanh_ = false;
  std::array<Rows, kMatrices> matrices_;
};

Status Moe::ReadOptions(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(experts_, Required(map, "num_experts"));
  TERN_ASSIGN_OR_RETURN(routes_, Required(map, "num_active_experts"));
  TERN_ASSIGN_OR_RETURN(size_, Required(map, "model_dim"));
  TERN_ASSIGN_OR_RETURN(hidden_, Required(map, "hidden_dim"));
  if (routes_ > experts_) {
    return Invalid("num_active_experts is above num_experts (", routes_, ", ", experts_, ")");
  }
  TERN_ASSIGN_OR_RETURN(const auto type, map.FindText("weight_type"));
  if (type != "fp32" && type != "int8" && type != "int4") {
    return Invalid("weight_type must be fp32, int8 or int4 (", type.value_or("none"), ")");
  }
  bits_ = type == "fp32" ? 0 : type == "int8" ? 8 : 4;
  TERN_ASSIGN_OR_RETURN(const auto activation, map.FindText("activation"));
  tanh_ = activation == "gelu_tanh";
  if (!tanh_ && activation.value_or("gelu") != "gelu") {
    return Invalid("activation must be gelu or gelu_tanh (", *activation, ")");
  }
  return OkStatus();
}

StatusOr<Rows> Moe::RowsOf(const OpCall& call, int which, int64_t rows, int64_t columns,
                           const char* what) const {
  Rows result;
  result.columns = columns;
  result.bits = bits_;
  result.numbers = call.input(kFirstMatrix + which * (bits_ == 0 ? 1 : 2));
  // With this, the number of elements fits an int64.
  if (rows > std::numeric_limits<int32_t>::max()) return Invalid(what, " has too many rows");
  const TfLiteType type = result.numbers->type;
  const bool bytes = bits_ == 4 && type == kTfLiteInt8;
  if (!bytes) {
    const TfLiteType wanted = bits_ == 0 ? kTfLiteFloat32 : bits_ == 8 ? kTfLiteInt8 : kTfLiteInt4;
    TERN_RETURN_IF_ERROR(CheckType(result.numbers, wanted, what));
  }
  const int64_t count = rows * columns;
  TERN_RETURN_IF_ERROR(CheckCount(result.numbers, bytes ? (count + 1) / 2 : count, what));
  if (bits_ == 0) return result;
  result.scales = call.input(kFirstMatrix + which * 2 + 1);
  TERN_RETURN_IF_ERROR(CheckType(result.scales, kTfLiteFloat32, "a scale"));
  const int64_t scales = Elements(result.scales);
  result.parts = scales / rows;
  const int64_t max = bits_ == 8 ? 1 : columns;
  if (scales % rows != 0 || result.parts < 1 || result.parts > max) {
    return Invalid(what, " has ", scales, " scales for ", rows, " rows of ", columns);
  }
  return result;
}

Status Moe::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(ReadOptions(call));
  const int inputs = kFirstMatrix + kMatrices * (bits_ == 0 ? 1 : 2) + 1;
  TERN_RETURN_IF_ERROR(call.CheckOperands(inputs, inputs, 1));
  const TfLiteTensor *tokens = call.input(kTokens), *scale = call.input(inputs - 1);
  const TfLiteTensor *weights = call.input(kRouteWeights), *experts = call.input(kRouteExperts);
  TERN_RETURN_IF_ERROR(CheckType(tokens, kTfLiteFloat32, "tokens"));
  TERN_RETURN_IF_ERROR(CheckType(weights, kTfLiteFloat32, "weights of the routes"));
  TERN_RETURN_IF_ERROR(CheckType(experts, kTfLiteInt32, "experts of the routes"));
  TERN_RETURN_IF_ERROR(CheckType(scale, kTfLiteFloat32, "scale"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  if (Elements(tokens) % size_ != 0) {
    return Invalid("tokens are no rows of model_dim (", Elements(tokens), ", ", size_, ")");
  }
  tokens_ = Elements(tokens) / size_;
  TERN_RETURN_IF_ERROR(CheckCount(weights, tokens_ * routes_, "weights of the routes"));
  TERN_RETURN_IF_ERROR(CheckCount(experts, tokens_ * routes_, "experts of the routes"));
  TERN_RETURN_IF_ERROR(CheckCount(scale, experts_, "scale"));
  TERN_ASSIGN_OR_RETURN(matrices_[kGate], RowsOf(call, kGate, hidden_ * experts_, size_, "gate"));
  TERN_ASSIGN_OR_RETURN(matrices_[kUp], RowsOf(call, kUp, hidden_ * experts_, size_, "up"));
  TERN_ASSIGN_OR_RETURN(matrices_[kDown], RowsOf(call, kDown, size_ * experts_, hidden_, "down"));
  return call.SetShape(call.output(0), ShapeOf(tokens));
}

Status Moe::Eval(const OpCall& call) {
  const int inputs = call.node()->inputs->size;
  for (int i = 0; i < inputs; ++i) TERN_RETURN_IF_ERROR(CheckData(call.input(i), "an input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const float* tokens = Data<float>(call.input(kTokens));
  const float* route_weights = Data<float>(call.input(kRouteWeights));
  const float* scale = Data<float>(call.input(inputs - 1));
  const auto* chosen = Data<int32_t>(call.input(kRouteExperts));
  std::vector<int64_t> experts(static_cast<size_t>(tokens_ * routes_));
  for (size_t i = 0; i < experts.size(); ++i) {
    experts[i] = chosen[i] < 0 ? chosen[i] + experts_ : chosen[i];
    if (experts[i] < 0 || experts[i] >= experts_) {
      return Invalid("no such expert (", chosen[i], ", ", experts_, " experts)");
    }
  }
  const int64_t piece = std::max<int64_t>(1, kPieceSize / (routes_ * hidden_));
  for (int64_t first = 0; first < tokens_; first += piece) {
    const int64_t count = std::min(piece, tokens_ - first);
    const int64_t route = first * routes_;
    EvalPiece(Pool(call), count,
              {tokens + first * size_, route_weights + route, experts.data() + route, scale,
               MutableData<float>(call.output(0)) + first * size_});
  }
  return OkStatus();
}

void Moe::EvalPiece(ThreadPool* pool, int64_t tokens, const Piece& p) const {
  // Of each route in turn.
  std::vector<float> hidden(static_cast<size_t>(tokens * routes_ * hidden_));
  ParallelFor(pool, tokens * routes_ * hidden_, 4 * size_, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t route = i / hidden_;
      const float* x = p.tokens + route / routes_ * size_;
      const int64_t row = i % hidden_ * experts_ + p.experts[route];
      hidden[static_cast<size_t>(i)] =
          elementwise::Gelu(static_cast<float>(matrices_[kGate].Times(row, x)), tanh_) *
          static_cast<float>(matrices_[kUp].Times(row, x));
    }
  });
  ParallelFor(pool, tokens * size_, 2 * routes_ * hidden_, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      double sum = 0;
      for (int64_t route = i / size_ * routes_; route < (i / size_ + 1) * routes_; ++route) {
        const int64_t expert = p.experts[route];
        const double result =
            matrices_[kDown].Times(i % size_ * experts_ + expert, hidden.data() + route * hidden_);
        sum += result * double{p.scale[expert]} * double{p.route_weights[route]};
      }
      p.out[i] = static_cast<float>(sum);
    }
  });
}

}  // namespace

TfLiteRegistration MoeRegistration(OpForm form) { return MakeRegistration<Moe>(form); }

}  // namespace tern
