// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL: matrices [..., rows, depth] times [..., depth, columns], either of them stored with
// its last two axes swapped; batches broadcast. Every matrix is brought into rows along the depth.
#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "ops/batch_matmul/batch_matmul_rules.h"
#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/dot.h"
#include "ops/cpu_kit/hybrid.h"
#include "ops/cpu_kit/integer_dot.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class BatchMatmul : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "BATCH_MATMUL"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  void Pack(const OpCall& call) override;

 private:
  enum class Kind { kFloat, kHybrid, kBytes, kShorts, kRawBytes };

  Status ReadScales(const OpCall& call);
  // function(matrix of the result, first element of the left and of the right matrix)
  template <class F>
  void ForEachMatrix(const F& function) const;
  void EvalFloat(const OpCall& call, ThreadPool* pool);
  // The right side is one matrix, which never changes.
  bool HasOneConstantRight(const OpCall& call) const;
  bool EvalPacked(const OpCall& call, ThreadPool* pool);
  void EvalHybrid(const OpCall& call, ThreadPool* pool);
  template <class B>
  void EvalIntegers(const OpCall& call, ThreadPool* pool);
  // Consecutive elements of the output from sums that are `less` too large.
  void WriteIntegers(const OpCall& call, int64_t at, std::span<const int64_t> sums,
                     int64_t less) const;
  template <class T>
  void Rescale(std::span<const int64_t> sums, int64_t less, T* to) const;

  Kind kind_ = Kind::kFloat;
  bool adj_x_ = false, adj_y_ = false;
  MatmulShapes sizes_;
  Quantization left_, right_, out_;
  Multiplier multiplier_;
  FastConv packed_;
  std::vector<float> left_rows_, right_rows_;
  QuantizedItems items_;
};

// Element (r, c) of the result is element (c, r) of `from`, which has `rows` columns.
template <class To, class From>
void TransposeMatrix(const From* from, int64_t rows, int64_t columns, To* to) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) to[r * columns + c] = from[c * rows + r];
  }
}

Status BatchMatmul::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor *left = call.input(0), *right = call.input(1), *output = call.output(0);
  const auto& params = call.params<TfLiteBatchMatMulParams>();
  adj_x_ = params.adj_x;
  adj_y_ = params.adj_y;
  const TfLiteType a = left->type, b = right->type, o = output->type;
  if (a == kTfLiteFloat32 && b == kTfLiteFloat32 && o == kTfLiteFloat32) {
    kind_ = Kind::kFloat;
  } else if (a == kTfLiteFloat32 && b == kTfLiteInt8 && o == kTfLiteFloat32) {
    kind_ = Kind::kHybrid;
  } else if (a == kTfLiteInt8 && b == kTfLiteInt8 && o == kTfLiteInt8) {
    kind_ = Kind::kBytes;
  } else if (a == kTfLiteInt8 && b == kTfLiteInt8 && o == kTfLiteInt32) {
    kind_ = Kind::kRawBytes;
  } else if (a == kTfLiteInt16 && (b == kTfLiteInt16 || b == kTfLiteInt8) && o == kTfLiteInt16) {
    kind_ = Kind::kShorts;
  } else {
    return Unsupported("types ", TypeText(a), " and ", TypeText(b), " to ", TypeText(o),
                       " are not supported");
  }
  if (!KeepsPacked(call)) packed_.Forget();
  TERN_RETURN_IF_ERROR(ReadScales(call));
  TERN_ASSIGN_OR_RETURN(sizes_, MatmulShapesOf(ShapeOf(left), ShapeOf(right), adj_x_, adj_y_));
  return call.SetShape(call.output(0), sizes_.output);
}

Status BatchMatmul::ReadScales(const OpCall& call) {
  left_ = right_ = out_ = {};
  if (kind_ == Kind::kFloat || kind_ == Kind::kRawBytes) return OkStatus();
  // The reference knows one scale for the whole right side, and 0 where there are several.
  const auto* several =
      static_cast<const TfLiteAffineQuantization*>(call.input(1)->quantization.params);
  if (call.input(1)->quantization.type != kTfLiteAffineQuantization || several == nullptr ||
      several->scale == nullptr || several->scale->size <= 1) {
    TERN_ASSIGN_OR_RETURN(right_, QuantizationOf(call.input(1), "right side"));
  }
  if (kind_ == Kind::kHybrid) return OkStatus();
  TERN_ASSIGN_OR_RETURN(left_, QuantizationOf(call.input(0), "left side"));
  TERN_ASSIGN_OR_RETURN(out_, QuantizationOf(call.output(0), "output"));
  if (kind_ == Kind::kShorts &&
      (left_.zero_point != 0 || right_.zero_point != 0 || out_.zero_point != 0)) {
    return Invalid("zero points must be 0 beside 16-bit numbers (", left_.zero_point, ", ",
                   right_.zero_point, ", ", out_.zero_point, ")");
  }
  const float product = left_.scale * right_.scale;
  multiplier_ = MakeMultiplier(double{product} / double{out_.scale});
  return kind_ == Kind::kShorts ? CheckWideMultiplier(multiplier_) : OkStatus();
}

bool BatchMatmul::HasOneConstantRight(const OpCall& call) const {
  return CanPack(call.input(1), nullptr) &&
         Elements(call.input(1)) == sizes_.depth * sizes_.columns;
}

void BatchMatmul::Pack(const OpCall& call) {
  if (!fast() || kind_ != Kind::kFloat || sizes_.depth == 0 || Elements(call.output(0)) == 0 ||
      !HasOneConstantRight(call)) {
    return;
  }
  packed_.PackMatrix({sizes_.rows, sizes_.depth, sizes_.columns, !adj_y_},
                     {Data<float>(call.input(1)), nullptr, true}, Pool(call));
}

Status BatchMatmul::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "left side"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "right side"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  ThreadPool* pool = Pool(call);
  switch (kind_) {
    case Kind::kFloat:
      EvalFloat(call, pool);
      break;
    case Kind::kHybrid:
      // Programs may fill the weights, and say what their scale is, after Prepare.
      TERN_RETURN_IF_ERROR(ReadScales(call));
      EvalHybrid(call, pool);
      break;
    default:
      if (call.input(1)->type == kTfLiteInt8) {
        EvalIntegers<int8_t>(call, pool);
      } else {
        EvalIntegers<int16_t>(call, pool);
      }
  }
  return OkStatus();
}

template <class F>
void BatchMatmul::ForEachMatrix(const F& function) const {
  const int64_t left = sizes_.rows * sizes_.depth, right = sizes_.depth * sizes_.columns;
  for (int64_t m = 0; m < sizes_.Matrices(); ++m) {
    function(m, MatrixAt(sizes_.batch, sizes_.left_steps, m) * left,
             MatrixAt(sizes_.batch, sizes_.right_steps, m) * right);
  }
}

void BatchMatmul::EvalFloat(const OpCall& call, ThreadPool* pool) {
  if (fast() && EvalPacked(call, pool)) return;
  const float *left = Data<float>(call.input(0)), *right = Data<float>(call.input(1));
  float* out = MutableData<float>(call.output(0));
  const int64_t rows = sizes_.rows, depth = sizes_.depth, columns = sizes_.columns;
  left_rows_.resize(static_cast<size_t>(rows * depth));
  right_rows_.resize(static_cast<size_t>(columns * depth));
  ForEachMatrix([&](int64_t m, int64_t from_left, int64_t from_right) {
    const float *a = left + from_left, *b = right + from_right;
    if (adj_x_) TransposeMatrix(a, rows, depth, left_rows_.data());
    if (!adj_y_) TransposeMatrix(b, columns, depth, right_rows_.data());
    if (adj_x_) a = left_rows_.data();
    if (!adj_y_) b = right_rows_.data();
    float* to = out + m * rows * columns;
    ParallelFor(pool, rows * columns, depth, [=](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end; ++at) {
        to[at] = static_cast<float>(Dot(a + at / columns * depth, b + at % columns * depth, depth));
      }
    });
  });
}

// Each right side is packed: once for all where it is one constant matrix.
bool BatchMatmul::EvalPacked(const OpCall& call, ThreadPool* pool) {
  const TfLiteTensor* right = call.input(1);
  const int64_t rows = sizes_.rows, depth = sizes_.depth, columns = sizes_.columns;
  if (depth == 0) return false;
  const float *from_left = Data<float>(call.input(0)), *from_right = Data<float>(right);
  float* out = MutableData<float>(call.output(0));
  const bool constant = HasOneConstantRight(call);
  const FastConv::MatrixShape shape = {rows, depth, columns, !adj_y_};
  const FloatClamp clamp = ClampOf(ActivationRange(kTfLiteActNone));
  if (adj_x_) left_rows_.resize(static_cast<size_t>(rows * depth));
  bool done = true;
  ForEachMatrix([&](int64_t m, int64_t at_left, int64_t at_right) {
    const float* a = from_left + at_left;
    if (adj_x_) {
      TransposeMatrix(a, rows, depth, left_rows_.data());
      a = left_rows_.data();
    }
    done = done && packed_.RunMatrix(shape, {from_right + at_right, nullptr, constant}, a, clamp,
                                     out + m * rows * columns, pool);
  });
  return done;
}

// Rows of the left side become integers, each by its own range.
void BatchMatmul::EvalHybrid(const OpCall& call, ThreadPool* pool) {
  const int64_t rows = sizes_.rows, depth = sizes_.depth, columns = sizes_.columns;
  const bool symmetric = !call.params<TfLiteBatchMatMulParams>().asymmetric_quantize_inputs;
  const int8_t* right = Data<int8_t>(call.input(1));
  const float* left = Data<float>(call.input(0));
  float* out = MutableData<float>(call.output(0));
  left_rows_.resize(static_cast<size_t>(rows * depth));
  std::vector<int8_t> turned(static_cast<size_t>(adj_y_ ? 0 : columns * depth));
  ForEachMatrix([&](int64_t m, int64_t from_left, int64_t from_right) {
    const float* a = left + from_left;
    const int8_t* b = right + from_right;
    if (adj_x_) TransposeMatrix(a, rows, depth, left_rows_.data());
    if (!adj_y_) TransposeMatrix(b, columns, depth, turned.data());
    if (!adj_y_) b = turned.data();
    QuantizeItems(adj_x_ ? left_rows_.data() : a, rows, depth, symmetric, items_);
    float* to = out + m * rows * columns;
    ForEachDotRun(rows, columns, depth, items_.values.data(), b, fast(), pool,
                  [&](const DotRun& run) {
                    const float scale = items_.scale[run.row];
                    float* at = to + run.row * columns + run.first_unit;
                    for (const int64_t sum : run.sums) {
                      *at++ = static_cast<float>(static_cast<double>(sum) * scale * right_.scale);
                    }
                  });
  });
}

// sum((a - zero a) * (b - zero b)) = sum((a - zero a) * b) - zero b * sum(a - zero a)
template <class B>
void BatchMatmul::EvalIntegers(const OpCall& call, ThreadPool* pool) {
  const int64_t rows = sizes_.rows, depth = sizes_.depth, columns = sizes_.columns;
  const TfLiteTensor* left = call.input(0);
  const B* right = Data<B>(call.input(1));
  std::vector<int16_t> offsets(static_cast<size_t>(rows * depth)), turned_left(offsets.size());
  std::vector<B> turned(static_cast<size_t>(adj_y_ ? 0 : columns * depth));
  std::vector<int64_t> sums(static_cast<size_t>(rows), 0);
  ForEachMatrix([&](int64_t m, int64_t from_left, int64_t from_right) {
    for (int64_t i = 0; i < rows * depth; ++i) {
      const int64_t at = from_left + i;
      const int q =
          left->type == kTfLiteInt16 ? int{Data<int16_t>(left)[at]} : int{Data<int8_t>(left)[at]};
      offsets[i] = static_cast<int16_t>(q - left_.zero_point);
    }
    if (adj_x_) TransposeMatrix(offsets.data(), rows, depth, turned_left.data());
    const int16_t* a = adj_x_ ? turned_left.data() : offsets.data();
    const B* b = right + from_right;
    if (!adj_y_) TransposeMatrix(b, columns, depth, turned.data());
    if (!adj_y_) b = turned.data();
    for (int64_t row = 0; row < rows && right_.zero_point != 0; ++row) {
      sums[row] = IntegerSum(a + row * depth, depth);
    }
    ForEachDotRun(rows, columns, depth, a, b, fast(), pool, [&](const DotRun& run) {
      WriteIntegers(call, (m * rows + run.row) * columns + run.first_unit, run.sums,
                    right_.zero_point * sums[run.row]);
    });
  });
}

template <class T>
void BatchMatmul::Rescale(std::span<const int64_t> sums, int64_t less, T* to) const {
  const bool wide = kind_ == Kind::kShorts;
  constexpr int64_t kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();
  for (const int64_t all : sums) {
    const int64_t sum = all - less;
    const int64_t scaled =
        wide ? ScaleWide(sum, multiplier_) : Scale(static_cast<int32_t>(sum), multiplier_);
    *to++ = static_cast<T>(std::clamp(scaled + out_.zero_point, kMin, kMax));
  }
}

void BatchMatmul::WriteIntegers(const OpCall& call, int64_t at, std::span<const int64_t> sums,
                                int64_t less) const {
  TfLiteTensor* output = call.output(0);
  switch (kind_) {
    case Kind::kRawBytes: {
      int32_t* to = MutableData<int32_t>(output) + at;
      for (const int64_t sum : sums) *to++ = static_cast<int32_t>(sum - less);
      return;
    }
    case Kind::kShorts:
      return Rescale(sums, less, MutableData<int16_t>(output) + at);
    default:
      return Rescale(sums, less, MutableData<int8_t>(output) + at);
  }
}

}  // namespace

TfLiteRegistration BatchMatmulRegistration(OpForm form) {
  return MakeRegistration<BatchMatmul>(form);
}

}  // namespace tern
