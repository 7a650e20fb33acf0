// SPDX-License-Identifier: Apache-2.0
// The list of damages that ops/testing/mutations.h gives, while it is collected: all damages of a
// place in a model, or those among which one is drawn.
#ifndef TERN_OPS_TESTING_MUTATION_LIST_H_
#define TERN_OPS_TESTING_MUTATION_LIST_H_

#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/mutations.h"

namespace tern::testing {

inline constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
inline constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

// A graph, an operation and a tensor in it.
struct Site {
  size_t graph = 0, op = 0, tensor = 0;

  tflite::SubGraphT& GraphOf(tflite::ModelT& m) const { return *m.subgraphs[graph]; }
  tflite::OperatorT& OperatorOf(tflite::ModelT& m) const { return *GraphOf(m).operators[op]; }
  tflite::TensorT& TensorOf(tflite::ModelT& m) const { return *GraphOf(m).tensors[tensor]; }
};

class MutationList {
 public:
  // With a source of chance, lists have more than what every test tries.
  explicit MutationList(const tflite::ModelT& model, Random* random = nullptr)
      : model_(model), random_(random) {}

  void Add(std::string what, Damage apply, Fails fails = Fails::kMaybe) {
    mutations_.push_back({id_, std::move(what), std::move(apply), fails});
  }
  void AddNamed(std::string name, std::string what, Damage apply) {
    id_ = std::move(name);
    Add(std::move(what), std::move(apply));
  }
  // Of the damages that follow.
  void SetId(std::string id) { id_ = std::move(id); }
  std::vector<Mutation> Take() { return std::move(mutations_); }

  Site site;
  const tflite::ModelT& model() const { return model_; }
  const tflite::SubGraphT& graph() const { return *model_.subgraphs[site.graph]; }
  bool has_op() const { return site.op < graph().operators.size(); }
  const tflite::OperatorT& op() const { return *graph().operators[site.op]; }
  bool has_tensor() const { return site.tensor < graph().tensors.size(); }
  const tflite::TensorT& tensor() const { return *graph().tensors[site.tensor]; }
  // The bytes of the tensor, if it is a constant.
  const std::vector<uint8_t>* data() const {
    const uint32_t buffer = tensor().buffer;
    if (buffer == 0 || buffer >= model_.buffers.size()) return nullptr;
    return &model_.buffers[buffer]->data;
  }

  bool drawn() const { return random_ != nullptr; }
  // In [0, count); 0 for none, and where nothing is drawn.
  size_t Below(size_t count) { return drawn() && count > 0 ? random_->Bits() % count : 0; }
  bool Chance(size_t percent) { return drawn() && Below(100) < percent; }
  // Some of the sizes, indices and options at which something changes.
  template <class T>
  std::vector<T> WithNumbers(std::vector<T> values) {
    if (drawn()) values.insert(values.end(), {T{Number()}, T{Number()}});
    return values;
  }
  // Mostly of tensors that exist.
  std::vector<int32_t> WithIndices(std::vector<int32_t> values) {
    for (size_t i = drawn() ? 4 * (values.size() + 1) : 0; i > 0; --i) {
      values.push_back(static_cast<int32_t>(Below(graph().tensors.size())));
    }
    return WithNumbers(std::move(values));
  }

 private:
  int32_t Number() {
    static constexpr int32_t kNumbers[] = {0,  1,   2,    3,    4,     5,     6,       7,    8,
                                           9,  15,  16,   17,   31,    32,    33,      63,   64,
                                           65, 127, 128,  255,  256,   1000,  -1,      -2,   -3,
                                           -4, -64, 1024, 4096, 65535, 65536, 1 << 30, kMax, kMin};
    return kNumbers[Below(std::size(kNumbers))];
  }

  const tflite::ModelT& model_;
  Random* random_;
  std::string id_;
  std::vector<Mutation> mutations_;
};

// The kinds of damages, of the list's tensor, its operation, or the model. Each may find nothing.
void AddShapes(MutationList& list);
void AddTypes(MutationList& list);
void AddQuantization(MutationList& list);
void AddBlocks(MutationList& list);
void AddBuffers(MutationList& list);
void AddNumbers(MutationList& list);
void AddOperands(MutationList& list);
void AddOptions(MutationList& list);
void AddCustomOptions(MutationList& list);
void AddGraphParts(MutationList& list);

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_MUTATION_LIST_H_
