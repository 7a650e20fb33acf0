// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL: matrices [..., rows, depth] times [..., depth, columns], either of them stored with
// its last two axes swapped; batches broadcast. Every matrix is brought into rows along the depth.
#include <algorithm>
#include <vector>

#include "ops/batch_matmul/batch_matmul_rules.h"
#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/dot.h"
#include "ops/cpu_kit/dynamic_range.h"
#include "ops/cpu_kit/integer_product.h"
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
  enum class Kind { kFloat, kDynamicRange, kBytes, kInt16, kRawBytes };

  Status ReadScales(const OpCall& call);
  // function(matrix of the result, first element of the left and of the right matrix)
  template <class F>
  void ForEachMatrix(const F& function) const;
  void EvalFloat(const OpCall& call, ThreadPool* pool);
  // The right side is one matrix, which never changes.
  bool HasOneConstantRight(const OpCall& call) const;
  bool EvalPacked(const OpCall& call, ThreadPool* pool);
  void EvalDynamicRange(const OpCall& call, ThreadPool* pool);
  void EvalIntegers(const OpCall& call, ThreadPool* pool);

  Kind kind_ = Kind::kFloat;
  bool adj_x_ = false, adj_y_ = false;
  MatmulShapes sizes_;
  Quantization left_, right_;
  OutputStage stage_;  // of integers, and of dynamic-range products
  FloatProduct product_;
  std::vector<float> left_rows_, right_rows_;
  QuantizedLeft quantized_;
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
    kind_ = Kind::kDynamicRange;
  } else if (a == kTfLiteInt8 && b == kTfLiteInt8 && o == kTfLiteInt8) {
    kind_ = Kind::kBytes;
  } else if (a == kTfLiteInt8 && b == kTfLiteInt8 && o == kTfLiteInt32) {
    kind_ = Kind::kRawBytes;
  } else if (a == kTfLiteInt16 && (b == kTfLiteInt16 || b == kTfLiteInt8) && o == kTfLiteInt16) {
    kind_ = Kind::kInt16;
  } else {
    return Unsupported("types ", TypeText(a), " and ", TypeText(b), " to ", TypeText(o),
                       " are not supported");
  }
  if (!KeepsPacked(call)) product_.Forget();
  TERN_RETURN_IF_ERROR(ReadScales(call));
  TERN_ASSIGN_OR_RETURN(sizes_, MatmulShapesOf(ShapeOf(left), ShapeOf(right), adj_x_, adj_y_));
  return call.SetShape(call.output(0), sizes_.output);
}

Status BatchMatmul::ReadScales(const OpCall& call) {
  left_ = right_ = {};
  stage_ = {};
  if (kind_ == Kind::kFloat || kind_ == Kind::kRawBytes) return OkStatus();
  // The reference knows one scale for the whole right side, and 0 where there are several.
  const auto* several =
      static_cast<const TfLiteAffineQuantization*>(call.input(1)->quantization.params);
  if (call.input(1)->quantization.type != kTfLiteAffineQuantization || several == nullptr ||
      several->scale == nullptr || several->scale->size <= 1) {
    TERN_ASSIGN_OR_RETURN(right_, QuantizationOf(call.input(1), "right side"));
  }
  if (kind_ == Kind::kDynamicRange) {
    stage_.form = OutputStage::Form::kDouble;
    stage_.float_range = ActivationRange(kTfLiteActNone);
    stage_.scales = &right_.scale;
    return OkStatus();
  }
  TERN_ASSIGN_OR_RETURN(left_, QuantizationOf(call.input(0), "left side"));
  TERN_ASSIGN_OR_RETURN(const Quantization out, QuantizationOf(call.output(0), "output"));
  if (kind_ == Kind::kInt16 &&
      (left_.zero_point != 0 || right_.zero_point != 0 || out.zero_point != 0)) {
    return Invalid("zero points must be 0 beside 16-bit numbers (", left_.zero_point, ", ",
                   right_.zero_point, ", ", out.zero_point, ")");
  }
  const float product = left_.scale * right_.scale;
  stage_.form = OutputStage::Form::kFixedPoint;
  stage_.type = IntegerTypeOf(call.output(0)->type);
  stage_.wide = kind_ == Kind::kInt16;
  stage_.zero_point = out.zero_point;
  stage_.range = TypeRange(call.output(0)->type);
  stage_.multipliers = {MakeMultiplier(double{product} / double{out.scale})};
  return stage_.wide ? CheckWideMultiplier(stage_.multipliers[0]) : OkStatus();
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
  product_.PackMatrix(MatrixShape(sizes_.rows, sizes_.depth, sizes_.columns),
                      {Data<float>(call.input(1)), nullptr, true, !adj_y_}, Pool(call));
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
    case Kind::kDynamicRange:
      // Programs may fill the weights, and say what their scale is, after Prepare.
      TERN_RETURN_IF_ERROR(ReadScales(call));
      EvalDynamicRange(call, pool);
      break;
    default:
      EvalIntegers(call, pool);
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
  const ConvShape shape = MatrixShape(rows, depth, columns);
  OutputStage stage = OutputStage::Clamp(ActivationRange(kTfLiteActNone), nullptr, columns);
  left_rows_.resize(static_cast<size_t>(rows * depth));
  right_rows_.resize(static_cast<size_t>(columns * depth));
  ForEachMatrix([&](int64_t m, int64_t from_left, int64_t from_right) {
    const float *a = left + from_left, *b = right + from_right;
    if (adj_x_) TransposeMatrix(a, rows, depth, left_rows_.data());
    if (!adj_y_) TransposeMatrix(b, columns, depth, right_rows_.data());
    if (adj_x_) a = left_rows_.data();
    if (!adj_y_) b = right_rows_.data();
    stage.output = out + m * rows * columns;
    MultiplyRows(nullptr, false, {shape, a}, {b, nullptr, false}, stage, pool);
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
  const ConvShape shape = MatrixShape(rows, depth, columns);
  OutputStage stage = OutputStage::Clamp(ActivationRange(kTfLiteActNone), nullptr, columns);
  if (adj_x_) left_rows_.resize(static_cast<size_t>(rows * depth));
  bool done = true;
  ForEachMatrix([&](int64_t m, int64_t at_left, int64_t at_right) {
    const float* a = from_left + at_left;
    if (adj_x_) {
      TransposeMatrix(a, rows, depth, left_rows_.data());
      a = left_rows_.data();
    }
    stage.output = out + m * rows * columns;
    const FloatWeights weights = {from_right + at_right, nullptr, constant, !adj_y_};
    done = done && FloatProduct::RunMatrix(product_.PackMatrix(shape, weights, pool), {shape, a},
                                           weights, stage, pool);
  });
  return done;
}

// Rows of the left side become integers, each by its own range.
void BatchMatmul::EvalDynamicRange(const OpCall& call, ThreadPool* pool) {
  const int64_t rows = sizes_.rows, depth = sizes_.depth, columns = sizes_.columns;
  const bool symmetric = !call.params<TfLiteBatchMatMulParams>().asymmetric_quantize_inputs;
  const int8_t* right = Data<int8_t>(call.input(1));
  const float* left = Data<float>(call.input(0));
  float* out = MutableData<float>(call.output(0));
  stage_.columns = columns;
  left_rows_.resize(static_cast<size_t>(rows * depth));
  std::vector<int8_t> turned(static_cast<size_t>(adj_y_ ? 0 : columns * depth));
  ForEachMatrix([&](int64_t m, int64_t from_left, int64_t from_right) {
    const float* a = left + from_left;
    const int8_t* b = right + from_right;
    if (adj_x_) TransposeMatrix(a, rows, depth, left_rows_.data());
    if (!adj_y_) TransposeMatrix(b, columns, depth, turned.data());
    if (!adj_y_) b = turned.data();
    quantized_.Set(adj_x_ ? left_rows_.data() : a, rows, depth, symmetric, fast(), pool);
    stage_.output = out + m * rows * columns;
    quantized_.Multiply(b, stage_, pool);
  });
}

// The matrix from element `at` on, or its transpose, of INT8 or INT16.
const void* RowsOf(const TfLiteTensor* t, int64_t at, bool turned, int64_t rows, int64_t columns,
                   std::vector<int16_t>& memory) {
  const auto rows_of = [&]<class T>(const T* from) -> const void* {
    if (!turned) return from;
    memory.resize(static_cast<size_t>(rows * columns));
    auto* to = reinterpret_cast<T*>(memory.data());
    TransposeMatrix(from, rows, columns, to);
    return to;
  };
  return t->type == kTfLiteInt16 ? rows_of(Data<int16_t>(t) + at) : rows_of(Data<int8_t>(t) + at);
}

void BatchMatmul::EvalIntegers(const OpCall& call, ThreadPool* pool) {
  const int64_t rows = sizes_.rows, depth = sizes_.depth, columns = sizes_.columns;
  const TfLiteTensor *left = call.input(0), *right = call.input(1), *output = call.output(0);
  std::vector<int16_t> left_memory, right_memory;
  stage_.columns = columns;
  ForEachMatrix([&](int64_t m, int64_t from_left, int64_t from_right) {
    const void* a = RowsOf(left, from_left, adj_x_, rows, depth, left_memory);
    const void* b = RowsOf(right, from_right, !adj_y_, columns, depth, right_memory);
    stage_.output = output->data.raw + m * rows * columns * ElementBytes(output->type);
    IntegerProduct::Run(
        nullptr, fast(),
        {MatrixShape(rows, depth, columns), a, IntegerTypeOf(left->type), left_.zero_point},
        {b, IntegerTypeOf(right->type), right_.zero_point}, stage_, pool);
  });
}

}  // namespace

TfLiteRegistration BatchMatmulRegistration(OpForm form) {
  return MakeRegistration<BatchMatmul>(form);
}

}  // namespace tern
