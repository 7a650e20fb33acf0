// SPDX-License-Identifier: Apache-2.0
// Adds ops to a model under construction and works out the shape of what they make, so that a test
// says only what it cares about. Constants are random; weights are scaled so that values stay
// small.
#ifndef TERN_OPS_TESTING_GRAPH_MAKER_H_
#define TERN_OPS_TESTING_GRAPH_MAKER_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/check_model.h"

namespace tern::testing {

using Sizes = std::vector<int32_t>;

enum class Origin { kConstant, kRuntime, kAbsent };

// One window for all ops that slide one over an image.
struct WindowSpec {
  int h = 3, w = 3;
  int stride_h = 1, stride_w = 1;
  int dilation_h = 1, dilation_w = 1;
  bool same = true;
  tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE;

  tflite::Padding padding() const { return same ? tflite::Padding_SAME : tflite::Padding_VALID; }
  static int Extent(int in, int filter, int stride, int dilation, bool same) {
    return same ? (in + stride - 1) / stride : (in - (filter - 1) * dilation - 1 + stride) / stride;
  }
  int OutHeight(int in) const { return Extent(in, h, stride_h, dilation_h, same); }
  int OutWidth(int in) const { return Extent(in, w, stride_w, dilation_w, same); }
};

class GraphMaker : public ModelBuilder {
 public:
  explicit GraphMaker(uint64_t seed = 1) : random_(seed) {}

  int Constant(const Sizes& shape, double range = 1);
  int Operand(const Sizes& shape, Origin where, double range = 1);
  const Sizes& ShapeOf(int index) { return tensor(index).shape; }
  tflite::TensorType TypeOf(int index) { return tensor(index).type; }
  std::vector<float> Numbers(int64_t count, double range);

  int Conv(int x, int channels, int groups, const WindowSpec& s, Origin filter = Origin::kConstant,
           Origin bias = Origin::kConstant);

  int Depthwise(int x, int multiplier, const WindowSpec& s, Origin filter = Origin::kConstant,
                Origin bias = Origin::kConstant);

  // Of the output sizes that belong to the input's, the one `rest` elements (below the stride) away
  // from that without a remainder.
  int TransposeConv(int x, int channels, const WindowSpec& s, Origin filter = Origin::kConstant,
                    Origin bias = Origin::kAbsent, int rest = 0);

  int Pool(int x, bool average, const WindowSpec& s);

  int Relu(int x) { return Unary(tflite::BuiltinOperator_RELU, x); }
  int Relu6(int x) { return Unary(tflite::BuiltinOperator_RELU6, x); }
  int Logistic(int x) { return Unary(tflite::BuiltinOperator_LOGISTIC, x); }
  int LeakyRelu(int x, float slope = 0.2f);

  int Sum(int a, int b,
          tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE);
  int Product(int a, int b,
              tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE);

  int Concat(const std::vector<int>& parts, int axis);

  // `amounts` holds before and after for each axis.
  int Pad(int x, const std::vector<int32_t>& amounts);

  int Resize(int x, int height, int width, bool align_corners, bool half_pixel);

  int Softmax(int x, float beta = 1);

  int Reshape(int x, const Sizes& shape);

  // A tensor of rank 4 as it is, another one as one line of pixels.
  int AsImage(int x);

  // Any op with one result.
  template <class OptionsT>
  int Node(tflite::BuiltinOperator code, std::vector<int32_t> inputs, Sizes shape, OptionsT options,
           tflite::TensorType type = tflite::TensorType_FLOAT32, int version = 1) {
    const int out = Tensor(std::move(shape), type);
    SetOpVersion(version);
    return Op(code, std::move(inputs), {out}, std::move(options));
  }
  int Node(tflite::BuiltinOperator code, std::vector<int32_t> inputs, Sizes shape,
           tflite::TensorType type = tflite::TensorType_FLOAT32, int version = 1);

  // Shape of what two operands make together.
  Sizes Broadcast(int a, int b) { return BroadcastShape(a, b); }

  using ModelBuilder::Finish;
  ModelCase Finish(std::string name, double range = 2);
  // With one more output.
  ModelCase Finish(std::string name, int output, double range = 2);

  static int64_t CountOf(const Sizes& shape);

 private:
  Sizes BroadcastShape(int a, int b);

  int Unary(tflite::BuiltinOperator code, int x);

  template <class OptionsT>
  int Add(tflite::BuiltinOperator code, std::vector<int32_t> inputs, Sizes shape, OptionsT options);

  Random random_;
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_GRAPH_MAKER_H_
