// SPDX-License-Identifier: Apache-2.0
// State that a node keeps from one run to the next: tensors that it adds to its graph. They are
// variables: zero after AllocateTensors has laid the graph out (again) and after
// ResetVariableTensors.
#ifndef TERN_OPS_SIGNAL_SIGNAL_STATE_H_
#define TERN_OPS_SIGNAL_SIGNAL_STATE_H_

#include <cstdint>
#include <vector>

#include "ops/cpu_kit/op_kit.h"

namespace tern {

struct StateTensor {
  TfLiteType type;
  Shape shape;
};

inline TfLiteTensor* State(const OpCall& call, int i) {
  return &call.context()->tensors[call.node()->temporaries->data[i]];
}

// The last thing that Prepare does: the graph's tensors move when some are added. A node always
// wants the same number.
inline Status SetState(const OpCall& call, const std::vector<StateTensor>& wanted) {
  constexpr int64_t kMaxStateElements = 1 << 28;
  for (const StateTensor& tensor : wanted) {
    const StatusOr<int64_t> elements = CheckedElements(tensor.shape);
    if (!elements.ok() || *elements > kMaxStateElements) {
      return TooLarge("the state may have ", kMaxStateElements, " elements, not the shape ",
                      ShapeText(tensor.shape));
    }
  }
  const int count = static_cast<int>(wanted.size());
  TfLiteNode* node = call.node();
  if (node->temporaries == nullptr || node->temporaries->size != count) {
    int first = 0;
    if (call.context()->AddTensors(call.context(), count, &first) != kTfLiteOk) {
      return TooLarge("no memory for ", count, " more tensors");
    }
    TfLiteIntArray* list = TfLiteIntArrayCreate(count);
    if (list == nullptr) return TooLarge("no memory for a list of tensors");
    TfLiteIntArrayFree(node->temporaries);
    node->temporaries = list;
    for (int i = 0; i < count; ++i) node->temporaries->data[i] = first + i;
  }
  for (int i = 0; i < count; ++i) {
    TfLiteTensor* tensor = State(call, i);
    tensor->type = wanted[static_cast<size_t>(i)].type;
    tensor->allocation_type = kTfLiteArenaRwPersistent;
    tensor->is_variable = true;
    TERN_RETURN_IF_ERROR(call.SetShape(tensor, wanted[static_cast<size_t>(i)].shape));
  }
  return OkStatus();
}

}  // namespace tern

#endif  // TERN_OPS_SIGNAL_SIGNAL_STATE_H_
