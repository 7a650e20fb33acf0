// SPDX-License-Identifier: Apache-2.0
// Steps of a random graph of quantized tensors, all of one type and of any rank from 1 to 4. A step
// takes its choices from choices(), which is the same for equal steps; numbers that no program
// depends on come from the graph.
#ifndef TERN_OPS_TESTING_QUANTIZED_MAKER_H_
#define TERN_OPS_TESTING_QUANTIZED_MAKER_H_

#include <cmath>
#include <cstdint>
#include <vector>

#include "ops/testing/graph_maker.h"
#include "ops/testing/random_choices.h"

namespace tern::testing {

// The range of the real values of a tensor.
struct Range {
  double low = -1, high = 1;

  double reach() const { return std::max(std::fabs(low), std::fabs(high)); }
};

class QuantizedMaker : public ModelBuilder {
 public:
  using Type = tflite::TensorType;
  using Code = tflite::BuiltinOperator;

  QuantizedMaker(uint64_t seed, Type type) : type_(type), random_(seed * 31 + 1) {}

  Choices& choices() { return c_; }
  const Sizes& ShapeOf(int index) { return tensor(index).shape; }

  // A tensor of the graph's type for such numbers.
  int Tensor(const Sizes& shape, Range range);
  using ModelBuilder::Tensor;
  Range RangeOf(int index);
  // QUANTIZE of floats.
  int Quantized(int floats, Range range);

  // One step each, the result or the results.
  int Convolution(int x);
  int Depthwise(int x);
  int Transposed(int x);
  int Product(int x);
  int Binary(int x, int y);
  int Curve(int x);
  int Clamped(int x);
  int Pooled(int x);
  std::vector<int> Moved(int x, int y);
  int Reduced(int x);
  int ThroughFloats(int x);
  int Requantized(int x);
  // The same stored values in their places or in others, with another quantization.
  int Renamed(int x);
  // Through INT8 with scales along an axis.
  int ThroughAxisScales(int x);
  // Where the extreme of the last axis lies, or what exceeds a constant: no quantized tensor.
  int Found(int x);

 private:
  struct Weights {
    int tensor;
    std::vector<float> scales;
  };

  int Pick(int low, int high) { return c_.Pick(low, high); }
  bool Chance(int percent) { return c_.Chance(percent); }
  double Unit() { return std::ldexp(static_cast<double>(random_.Bits() >> 11), -53); }
  // A little around the numbers of a tensor, so that some of a result saturate.
  Range Near(double reach);
  bool is_16_bits() const { return type_ == tflite::TensorType_INT16; }
  double Lowest() const;
  double Highest() const;

  // Like another tensor in all but the shape.
  int Like(int x, const Sizes& shape);
  bool Alike(int x, int y);
  int Constant(const Sizes& shape, Range range);
  int ConstantLike(int x, const Sizes& shape);
  Weights MakeWeights(const Sizes& shape, int axis, int terms, bool dynamic_range);
  int Bias(int x, const Weights& weights, int channels);
  int Image(int x);
  template <class OptionsT>
  int Add(Code code, std::vector<int32_t> inputs, int output, OptionsT options, int version = 1) {
    SetOpVersion(version);
    return Op(code, std::move(inputs), {output}, std::move(options));
  }
  int Add(Code code, std::vector<int32_t> inputs, int output, int version = 1) {
    SetOpVersion(version);
    return Op(code, std::move(inputs), {output});
  }
  // One that fits into an image of this shape.
  WindowSpec Window(const Sizes& in);
  tflite::ActivationFunctionType Activation();

  const Type type_;
  Choices c_;
  Random random_;
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_QUANTIZED_MAKER_H_
