// SPDX-License-Identifier: Apache-2.0
// Which nodes the GPU delegate may take. An extension of this library. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_NODE_LISTS_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_NODE_LISTS_H_

#include <stddef.h>

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Before the delegate is applied: it takes no node that `deny` names and, unless `allow` is empty,
// only nodes that `allow` names. Entries are separated by commas:
//
//   12              the node with this index; indices count in each graph of the model
//   3-7             nodes 3 to 7
//   op:CONV_2D      all nodes of an operation, or of a custom one by its name
//   name:block_1/*  nodes with an output tensor of such a name; * stands for any text, ? for any
//                   character, [abc] for one of these
//
// NULL is an empty list; both are copied and replace those given before. kTfLiteError, with a
// message that has list and entry, for an entry of another form; then nothing changes. Also for
// a delegate that is none of this library, or that was applied before. An entry that names no
// node of the main graph is reported in a warning when the delegate is applied.
TFL_CAPI_EXPORT TfLiteStatus TfLiteGpuDelegateV2SetNodeLists(TfLiteDelegate* delegate,
                                                             const char* allow, const char* deny);

// Adds `count` nodes of the main graph to those that the delegate leaves to the CPU because they
// were measured to be slower on the GPU. For the next time that the delegate is applied.
// kTfLiteError for a delegate that is none of this library, or a null list of some nodes.
TFL_CAPI_EXPORT TfLiteStatus TfLiteGpuDelegateV2LeaveToCpu(TfLiteDelegate* delegate,
                                                           const int* nodes, size_t count);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_NODE_LISTS_H_
