// SPDX-License-Identifier: Apache-2.0
// From the addresses of tensors to a plan.
#include "cli/reports/arena_blocks.h"

#include <algorithm>
#include <limits>
#include <map>

#include "tensorflow/lite/core/subgraph.h"

namespace tern::cli {
namespace {

struct Span {
  int first = std::numeric_limits<int>::max();
  int last = 0;

  void Cover(int step) {
    first = std::min(first, step);
    last = std::max(last, step);
  }
};

void CoverAll(const TfLiteIntArray* tensors, int step, std::map<int, Span>* spans) {
  for (int i = 0; tensors != nullptr && i < tensors->size; ++i) {
    if (tensors->data[i] >= 0) (*spans)[tensors->data[i]].Cover(step);
  }
}

}  // namespace

std::vector<ArenaBlock> ArenaBlocks(const tflite::Subgraph& graph) {
  std::map<int, Span> spans;
  int step = 0;
  for (const int index : graph.execution_plan()) {
    const TfLiteNode& node = graph.node_and_registration(index)->first;
    for (const TfLiteIntArray* tensors : {node.inputs, node.outputs, node.temporaries}) {
      CoverAll(tensors, step, &spans);
    }
    ++step;
  }
  for (const int input : graph.inputs()) {
    if (input >= 0) spans[input].Cover(0);
  }
  for (const int output : graph.outputs()) {
    if (output >= 0) spans[output].Cover(std::max(0, step - 1));
  }
  std::vector<ArenaBlock> blocks;
  const char* lowest = nullptr;
  for (const auto& [index, span] : spans) {
    const TfLiteTensor* tensor = graph.tensor(index);
    if (tensor == nullptr || tensor->allocation_type != kTfLiteArenaRw ||
        tensor->data.raw == nullptr || tensor->bytes == 0) {
      continue;
    }
    if (lowest == nullptr || tensor->data.raw < lowest) lowest = tensor->data.raw;
    blocks.push_back({index, 0, tensor->bytes, span.first, span.last});
  }
  for (ArenaBlock& block : blocks) {
    block.offset = static_cast<size_t>(graph.tensor(block.tensor)->data.raw - lowest);
  }
  return blocks;
}

}  // namespace tern::cli
