// SPDX-License-Identifier: Apache-2.0
// Random small graphs of quantized tensors: INT8, UINT8 or INT16 activations with one scale,
// weights with one scale or one per channel, float parts between DEQUANTIZE and QUANTIZE with
// integer weights. A seed names a graph; neighbouring seeds share the choices of their steps and
// with them most programs, as in ops/testing/random_graph.h.
#ifndef TERN_OPS_TESTING_RANDOM_QUANTIZED_H_
#define TERN_OPS_TESTING_RANDOM_QUANTIZED_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "ops/testing/quantized_maker.h"

namespace tern::testing {

inline constexpr uint64_t kQuantizedGraphsPerAlphabet = 500;

class RandomQuantizedGraph {
 public:
  explicit RandomQuantizedGraph(uint64_t seed)
      : seed_(seed),
        letters_(seed / kQuantizedGraphsPerAlphabet * 6271 + 3),
        random_{Random(seed * 983 + 7)},
        maker_(seed, kTypes[seed % 4]) {
    for (int i = 0; i < 3; ++i) channels_.push_back(random_letters().Channels());
    for (int step = 0; step < kSteps; ++step) alphabet_.push_back({step, letters_.Bits()});
    for (int i = 0; i < 8; ++i) {
      alphabet_.push_back({static_cast<int>(letters_.Integer(0, kSteps - 1)), letters_.Bits()});
    }
  }

  ModelCase Make() {
    const int inputs = random_.Pick(1, 2), ops = random_.Pick(1, 16);
    for (int i = 0; i < inputs; ++i) live_.push_back({Input(), true});
    while (static_cast<int>(maker_.subgraph().operators.size()) < ops) Step();
    for (const Live& live : live_) {
      if (live.given || (live.readers > 0 && !random_.Chance(15))) continue;
      maker_.Output(live.tensor);
    }
    return MakeModelCase(StrCat("random quantized graph ", seed_), maker_.model());
  }

 private:
  using Type = tflite::TensorType;
  static constexpr Type kTypes[] = {tflite::TensorType_INT8, tflite::TensorType_UINT8,
                                    tflite::TensorType_INT8, tflite::TensorType_INT16};
  static constexpr int kSteps = 15;
  static constexpr int64_t kManyElements = 3000;

  struct Live {
    int tensor;
    bool given = false;
    int readers = 0;
  };
  struct Letter {
    int step;
    uint64_t choices;
  };

  Choices random_letters() { return Choices{Random(letters_.Bits())}; }

  int Input() {
    const Sizes shape = {random_.Chance(80) ? 1 : 2, random_.Pick(1, 8), random_.Pick(1, 8),
                         channels_[static_cast<size_t>(random_.Pick(0, 2))]};
    const double reach = 1 + 0.25 * random_.Pick(0, 8);
    if (random_.Chance(15)) {
      return maker_.Quantized(maker_.Input(shape), Range{-reach, reach});
    }
    const int input = maker_.Tensor(shape, Range{-reach, 0.25 * random_.Pick(1, 8)});
    maker_.subgraph().inputs.push_back(input);
    return input;
  }

  void Step() {
    const int count = static_cast<int>(live_.size());
    Live& from =
        live_[static_cast<size_t>(random_.Chance(60) ? count - 1 : random_.Pick(0, count - 1))];
    const Letter& letter =
        alphabet_[static_cast<size_t>(random_.Pick(0, static_cast<int>(alphabet_.size()) - 1))];
    ++from.readers;
    const int x = from.tensor;
    maker_.choices().random = Random(letter.choices);
    maker_.choices().channels = channels_;
    if (GraphMaker::CountOf(maker_.ShapeOf(x)) > kManyElements) {
      live_.push_back({maker_.Reduced(x)});
      return;
    }
    for (const int result : Results(letter.step, x)) live_.push_back({result});
  }

  std::vector<int> Results(int step, int x) {
    switch (step) {
      case 0:
        return {maker_.Convolution(x)};
      case 1:
        return {maker_.Depthwise(x)};
      case 2:
        return {maker_.Product(x)};
      case 3:
        return {maker_.Binary(x, Twin(x))};
      case 4:
        return {maker_.Curve(x)};
      case 5:
        return {maker_.Clamped(x)};
      case 6:
        return {maker_.Pooled(x)};
      case 7:
        return maker_.Moved(x, Twin(x));
      case 8:
        return {maker_.Reduced(x)};
      case 9:
        return {maker_.ThroughFloats(x)};
      case 10:
        return {maker_.Transposed(x)};
      case 11:
        maker_.Output(maker_.Found(x));
        return {};
      case 12:
        return {maker_.Renamed(x)};
      case 13:
        return {maker_.ThroughAxisScales(x)};
      default:
        return {maker_.Requantized(x)};
    }
  }

  // Another tensor of the shape, if there is one.
  int Twin(int x) {
    for (Live& other : live_) {
      if (other.tensor == x || maker_.ShapeOf(other.tensor) != maker_.ShapeOf(x)) continue;
      if (!random_.Chance(60)) continue;
      ++other.readers;
      return other.tensor;
    }
    return x;
  }

  const uint64_t seed_;
  Random letters_;
  Choices random_;
  QuantizedMaker maker_;
  std::vector<int> channels_;
  std::vector<Letter> alphabet_;
  std::vector<Live> live_;
};

inline ModelCase MakeRandomQuantizedGraph(uint64_t seed) {
  return RandomQuantizedGraph(seed).Make();
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_QUANTIZED_H_
