// SPDX-License-Identifier: Apache-2.0
//
// A graph as the operator sees that runs it: these functions stand beside those of Subgraph's API.
// Operators include no header of the runtime, which defines them.
#ifndef TERN_ABI_CALLED_GRAPH_H_
#define TERN_ABI_CALLED_GRAPH_H_

#include "tensorflow/lite/core/subgraph.h"

namespace tern {

// Gives another type to an input, before an allocation.
TfLiteStatus SetInputType(tflite::Subgraph* graph, int tensor_index, TfLiteType type);
// Gives another type to an output of a node of the graph. Its memory goes first: the type tells who
// made it, the application's allocator or an operator.
void SetOutputType(tflite::Subgraph* graph, TfLiteTensor* output, TfLiteType type);
// The input gets no memory of its own; the caller points it to the argument before each run. Only
// tensors of known size, in the arena, can borrow. AllocateTensors, which an application calls,
// ends that; AllocateForCaller does not.
void BorrowInput(tflite::Subgraph* graph, int tensor_index);
bool IsBorrowed(const tflite::Subgraph& graph, int tensor_index);
TfLiteStatus AllocateForCaller(tflite::Subgraph* graph);
// Whether Invoke may follow without another allocation.
bool IsReady(const tflite::Subgraph& graph);

}  // namespace tern

#endif  // TERN_ABI_CALLED_GRAPH_H_
