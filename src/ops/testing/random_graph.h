// SPDX-License-Identifier: Apache-2.0
// Random small graphs of the ops that run on the GPU. A seed names a graph, whatever came before.
//
// Programs take a driver far longer to build than a small graph takes to run, so neighbouring seeds
// share an alphabet: some kinds of steps, each with its choices made once and for all, and some
// numbers of channels. Their graphs differ in order, sizes, values, sharing and outputs and need
// the same few programs over and over; the next alphabet has other ones.
#ifndef TERN_OPS_TESTING_RANDOM_GRAPH_H_
#define TERN_OPS_TESTING_RANDOM_GRAPH_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "ops/testing/random_custom.h"
#include "ops/testing/random_elements.h"
#include "ops/testing/random_images.h"
#include "ops/testing/random_moves.h"
#include "ops/testing/random_sums.h"

namespace tern::testing {

inline constexpr uint64_t kGraphsPerAlphabet = 1000;

enum class StepKind {
  kElements,
  kConvolution,
  kDepthwise,
  kTransposed,
  kPooled,
  kResized,
  kTransposedBias,
  kPlacedBack,
  kWarped,
  kVolume,
  kMoved,
  kParts,
  kPadded,
  kViewed,
  kJoined,
  kFound,
  kNormalized,
  kReduced,
  kExtreme,
  kLargest,
  kProduct,
  kRecurrent,
  kLandmarks,
  kRectangle,
  kPart,
  kCount
};

struct Letter {
  StepKind kind;
  uint64_t choices;
};

struct Alphabet {
  // Every kind has a chance; what networks are made of has more.
  explicit Alphabet(uint64_t number) {
    Random random(number * 7919 + 13);
    const auto pick = [&](int low, int high) {
      return static_cast<int>(random.Integer(low, high));
    };
    const auto add = [&](std::vector<Letter>& list, StepKind kind) {
      list.push_back({kind, random.Bits()});
    };
    for (int i = 0; i < 4; ++i) add(elements, StepKind::kElements);
    add(others, pick(0, 1) == 0 ? StepKind::kConvolution : StepKind::kDepthwise);
    add(others, StepKind::kMoved);
    while (others.size() < 9) {
      add(others, static_cast<StepKind>(pick(1, static_cast<int>(StepKind::kCount) - 1)));
    }
    add(smaller, StepKind::kReduced);
    add(smaller, StepKind::kPart);
    Choices all;
    for (int i = 0; i < 3; ++i) {
      channels.push_back(all.channels[pick(0, static_cast<int>(all.channels.size()) - 1)]);
    }
  }

  std::vector<Letter> elements, others, smaller;
  std::vector<int> channels;
};

class RandomGraph {
 public:
  explicit RandomGraph(uint64_t seed)
      : seed_(seed),
        alphabet_(seed / kGraphsPerAlphabet),
        random_{Random(seed * 977 + 5)},
        maker_(seed),
        elements_(choices_, maker_),
        images_(choices_, maker_),
        moves_(choices_, maker_),
        sums_(choices_, maker_),
        custom_(choices_, maker_) {
    random_.channels = choices_.channels = alphabet_.channels;
  }

  ModelCase Make() {
    const int inputs = Pick(1, 2), ops = Chance(50) ? Pick(1, 12) : Pick(5, 40);
    for (int i = 0; i < inputs; ++i) Keep(maker_.Input(RandomShape()), true);
    while (static_cast<int>(maker_.subgraph().operators.size()) < ops) Step();
    ChooseOutputs();
    return maker_.Finish(StrCat("random graph ", seed_));
  }

 private:
  static constexpr int64_t kManyElements = 3000;

  struct Live {
    int tensor;
    bool from_elements;  // or given
    int readers = 0;
  };

  int Pick(int low, int high) { return random_.Pick(low, high); }
  bool Chance(int percent) { return random_.Chance(percent); }
  const Letter& OneOf(const std::vector<Letter>& letters) {
    return letters[Pick(0, static_cast<int>(letters.size()) - 1)];
  }
  Sizes RandomShape() {
    if (Chance(75)) {
      return {Chance(70) ? 1 : Pick(2, 3), Pick(1, 9), Pick(1, 9), random_.Channels()};
    }
    Sizes shape(Pick(1, 5), 1);
    for (int32_t& d : shape) d = Pick(1, 4);
    shape.back() = random_.Channels();
    return shape;
  }

  void Keep(int tensor, bool from_elements) { live_.push_back({tensor, from_elements}); }
  const Sizes& Shape(const Live& l) { return maker_.ShapeOf(l.tensor); }
  int Take(Live& l) {
    ++l.readers;
    return l.tensor;
  }
  // Prefers recent tensors, so that graphs get deep.
  size_t Some() {
    const int count = static_cast<int>(live_.size());
    return static_cast<size_t>(Chance(60) ? count - 1 : Pick(0, count - 1));
  }

  void Step() {
    const size_t at = Some();
    if (GraphMaker::CountOf(Shape(live_[at])) > kManyElements) {
      return Apply(OneOf(alphabet_.smaller), at);
    }
    // Elements upon elements only where the first ones have other readers: chains of any number of
    // steps would be programs of their own in each graph.
    const bool fuses = live_[at].from_elements && live_[at].readers == 0;
    Apply(!fuses && Chance(45) ? OneOf(alphabet_.elements) : OneOf(alphabet_.others), at);
  }

  void Apply(const Letter& letter, size_t at) {
    choices_.random = Random(letter.choices);
    const bool image = letter.kind >= StepKind::kConvolution && letter.kind <= StepKind::kVolume;
    const Sizes shape = Shape(live_[at]);
    int x = Take(live_[at]);
    if (image) x = maker_.AsImage(x);
    const int y = image ? x : Twin(x, shape);
    for (const int result : Results(letter.kind, x, y)) {
      Keep(result, letter.kind == StepKind::kElements);
    }
  }

  // Another tensor of the shape, if there is one.
  int Twin(int x, const Sizes& shape) {
    for (Live& other : live_) {
      if (Shape(other) == shape && other.tensor != x && Chance(50)) return Take(other);
    }
    return x;
  }

  std::vector<int> Results(StepKind kind, int x, int y) {
    switch (kind) {
      case StepKind::kConvolution:
        return {images_.Convolution(x)};
      case StepKind::kDepthwise:
        return {images_.Depthwise(x)};
      case StepKind::kTransposed:
        return {images_.Transposed(x)};
      case StepKind::kPooled:
        return {images_.Pooled(x)};
      case StepKind::kResized:
        return {images_.Resized(x)};
      case StepKind::kTransposedBias:
        return {custom_.TransposedBias(x)};
      case StepKind::kPlacedBack:
        return custom_.PlacedBack(x);
      case StepKind::kWarped:
        return {custom_.Warped(x)};
      case StepKind::kVolume:
        return {images_.Volume(x)};
      case StepKind::kMoved:
        return {moves_.Typed(x)};
      case StepKind::kParts:
        return moves_.Parts(x, y);
      case StepKind::kPadded:
        return {moves_.Padded(x)};
      case StepKind::kViewed:
        return {moves_.Viewed(x)};
      case StepKind::kJoined:
        return {Joined(x)};
      case StepKind::kFound:
        return {moves_.Found(x)};
      case StepKind::kNormalized:
        return {sums_.Normalized(x)};
      case StepKind::kReduced:
        return {sums_.Reduced(x)};
      case StepKind::kExtreme:
        return {sums_.Extreme(x)};
      case StepKind::kLargest:
        return sums_.Largest(x);
      case StepKind::kProduct:
        return {sums_.Product(x, y)};
      case StepKind::kRecurrent:
        return sums_.Recurrent(x);
      case StepKind::kLandmarks:
        return {custom_.Landmarks(x)};
      case StepKind::kRectangle:
        return custom_.Rectangle(x, y);
      case StepKind::kPart:
        return {moves_.Part(x)};
      default:
        return {elements_.Some(x, y)};
    }
  }

  int Joined(int x) {
    const Sizes shape = maker_.ShapeOf(x);
    const int axis = choices_.Pick(0, static_cast<int>(shape.size()) - 1);
    std::vector<int> parts = {x};
    for (Live& other : live_) {
      Sizes same = Shape(other);
      if (same.size() != shape.size() || parts.size() > 3) continue;
      same[axis] = shape[axis];
      if (same == shape && Chance(50)) parts.push_back(Take(other));
    }
    if (Chance(30) || parts.size() == 1) {
      Sizes own = shape;
      own[axis] = Pick(1, 5);
      parts.push_back(maker_.Constant(own));
    }
    std::reverse(parts.begin() + Pick(0, static_cast<int>(parts.size()) - 1), parts.end());
    return moves_.Joined(parts, shape, axis);
  }

  void ChooseOutputs() {
    const tflite::SubGraphT& graph = maker_.subgraph();
    for (const Live& live : live_) {
      const bool given = std::count(graph.inputs.begin(), graph.inputs.end(), live.tensor) != 0;
      if (!given && (live.readers == 0 || Chance(10))) maker_.Output(live.tensor);
    }
  }

  const uint64_t seed_;
  const Alphabet alphabet_;
  Choices random_;   // of the graph
  Choices choices_;  // of the step
  GraphMaker maker_;
  ElementSteps elements_;
  ImageSteps images_;
  MoveSteps moves_;
  SumSteps sums_;
  CustomSteps custom_;
  std::vector<Live> live_;
};

inline ModelCase MakeRandomGraph(uint64_t seed) { return RandomGraph(seed).Make(); }

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_GRAPH_H_
