// SPDX-License-Identifier: Apache-2.0
// Examples of operations: one-op models as a line of text, open in their element type and rank.
// docs/ops.md lists the types and ranks in which they run; every operation has an example beside
// its tests.
//
//   "T(R) I32=0(r,2) -> T"   PAD: a tensor of the type and shape under test, and a constant
//
// An operand is TYPE, then @EXPONENT (a quantization of scale 2^EXPONENT), ! (a variable) or
// =VALUES (a constant: one number for all elements, several, `iota`, or `sizes`, those of R), then
// (SHAPE); `-` is an operand that is absent. After the arrow stand the types of the outputs.
// Types: T is the type under test, W that of weights for it, B that of a bias for both.
// Shapes: R is the shape under test, R:1,4,4,3 the same with its sizes, r its rank, s its rank
// without two, f its first and c its last size, t all without the first and h without the last.
#ifndef TERN_OPS_TESTING_EXAMPLE_H_
#define TERN_OPS_TESTING_EXAMPLE_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"

namespace tern::testing {

struct Example {
  // Sets options and whatever the text cannot say, once the operator stands.
  using Finish = std::function<void(ModelBuilder&, tflite::TensorType)>;

  std::string op;  // the builtin's name or the custom code
  std::string operands;
  Finish finish = {};
};

// An example that only has options.
template <class OptionsT>
Example::Finish With(OptionsT options) {
  return [options](ModelBuilder& b, tflite::TensorType) { b.SetOptions(options); };
}

// Examples that are there before any test runs.
class Examples {
 public:
  Examples(std::initializer_list<Example> examples);
  // One list of operands for several operations.
  Examples(std::initializer_list<std::string> ops, const std::string& operands,
           const Example::Finish& finish = {});
  static const std::vector<Example>& All();
};

// The types and ranks in which an engine takes an operation, found by trying.
struct Taken {
  std::vector<std::string> types;  // «F32», «F32×I8» where weights have another type
  std::set<int> ranks;             // none where no operand's rank is free
};
// CPU: the node is prepared and run, by both kernels.
Taken TakenByCpu(const std::string& op, int version);
// GPU: the smallest device of the OpenGL ES specification takes the whole node.
Taken TakenByGpu(const std::string& op, int version);

// The last version of each operation.
const std::map<std::string, int>& LatestVersions();

// A model of the example for each type of which the CPU runs one.
std::vector<std::vector<uint8_t>> ModelsOnCpu(const Example& example);
// The model of the example in FLOAT32, with integers where it has them; empty where the CPU runs
// none.
std::vector<uint8_t> ModelOfFloats(const Example& example, int version);
// Models of the example at a rank, whether they run or not; none where its rank is fixed.
std::vector<std::vector<uint8_t>> ModelsOfRank(const Example& example, int rank);

inline constexpr int kLargestTriedRank = 6;

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_EXAMPLE_H_
