// SPDX-License-Identifier: Apache-2.0
// Where each node of a model runs, and why: one struct per node. An extension of this library. C11
// and C++17; C++ has tern::GpuDecisions() beside it, with values of its own.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_DECISIONS_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_DECISIONS_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TfLiteGpuDecision {
  kTfLiteGpuDecisionGpu = 0,
  kTfLiteGpuDecisionCpu = 1,
  kTfLiteGpuDecisionFolded = 2,  // in a part on the GPU, without a launch of its own
} TfLiteGpuDecision;

// docs/reasons.md says of each what it means and what to change. New ones are added at the end.
typedef enum TfLiteGpuReason {
  kTfLiteGpuReasonOnGpu = 0,
  kTfLiteGpuReasonConstant = 1,
  kTfLiteGpuReasonView = 2,
  kTfLiteGpuReasonFused = 3,
  kTfLiteGpuReasonEmpty = 4,
  kTfLiteGpuReasonNoGpuForm = 5,
  kTfLiteGpuReasonTensorType = 6,
  kTfLiteGpuReasonDynamicShape = 7,
  kTfLiteGpuReasonNotConstant = 8,
  kTfLiteGpuReasonShape = 9,
  kTfLiteGpuReasonOperands = 10,
  kTfLiteGpuReasonOptions = 11,
  kTfLiteGpuReasonQuantization = 12,
  kTfLiteGpuReasonState = 13,
  kTfLiteGpuReasonWrittenTwice = 14,
  kTfLiteGpuReasonDeviceLimit = 15,
  kTfLiteGpuReasonLoop = 16,
  kTfLiteGpuReasonProgram = 17,
  kTfLiteGpuReasonMemory = 18,
  kTfLiteGpuReasonDeviceLost = 19,
  kTfLiteGpuReasonPartitionLimit = 20,
  kTfLiteGpuReasonDenied = 21,
  kTfLiteGpuReasonNotWorthIt = 22,
  kTfLiteGpuReasonConstantForCpu = 23,
  kTfLiteGpuReasonMeasuredSlower = 24,
} TfLiteGpuReason;

typedef struct TfLiteGpuNodeDecision {
  int subgraph;    // its number in the interpreter; -1 where the runtime does not tell
  int index;       // of the node
  const char* op;  // "CONV_2D", or the name of a custom operation
  int version;
  TfLiteGpuDecision decision;
  TfLiteGpuReason reason;
  const char* code;  // the reason as a word, "tensor-type"
  const char*
      text;    // the reason as a sentence with names and numbers; empty where the code says all
  int tensor;  // that it is about; -1: about none, and what follows is empty
  const char* tensor_name;
  TfLiteType tensor_type;
  const int32_t* tensor_shape;  // tensor_rank sizes
  int tensor_rank;
  int has_limit;  // whether there is a value that does not do, and the limit that would
  int64_t value;
  int64_t limit;
  int partition;  // on the GPU: the number of its part; else -1
  int64_t
      bytes_crossing;     // of its tensors that go between GPU and CPU in each run because of a cut
  int64_t multiply_adds;  // an estimate of its cost; elements where it multiplies nothing
  int64_t bytes;          // of its inputs and outputs, constants included
  const char*
      suggestion;  // what to change so that it runs on the GPU; empty where nothing has to be
} TfLiteGpuNodeDecision;

// The nodes of the graphs that the delegate was applied to, in order of execution; *decisions gets
// the first of them. Owned by the delegate, valid until the next call on the same thread. The node
// of a loop stands for its graphs where the GPU takes the loop whole. 0 and NULL for a foreign
// delegate.
TFL_CAPI_EXPORT size_t TfLiteGpuDelegateV2Decisions(TfLiteDelegate* delegate,
                                                    const TfLiteGpuNodeDecision** decisions);

// Of any reason, without a delegate: its code, what it means and what to change; NULL for a number
// that is none.
TFL_CAPI_EXPORT const char* TfLiteGpuDelegateV2ReasonCode(TfLiteGpuReason reason);
TFL_CAPI_EXPORT const char* TfLiteGpuDelegateV2ReasonMeaning(TfLiteGpuReason reason);
TFL_CAPI_EXPORT const char* TfLiteGpuDelegateV2ReasonSuggestion(TfLiteGpuReason reason);

#ifdef __cplusplus
}  // extern "C"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tern {

// The same as values that outlive the delegate.
struct GpuNodeDecision {
  struct Tensor {
    int index = -1;
    std::string name;
    TfLiteType type = kTfLiteNoType;
    std::vector<int> shape;
  };
  int subgraph = -1;
  int index = -1;
  std::string op;
  int version = 1;
  TfLiteGpuDecision decision = kTfLiteGpuDecisionCpu;
  TfLiteGpuReason reason = kTfLiteGpuReasonNoGpuForm;
  std::string code, text, suggestion;
  std::optional<Tensor> tensor;
  std::optional<std::pair<int64_t, int64_t>> value_and_limit;
  int partition = -1;
  int64_t bytes_crossing = 0, multiply_adds = 0, bytes = 0;
};

inline std::vector<GpuNodeDecision> GpuDecisions(TfLiteDelegate* delegate) {
  const TfLiteGpuNodeDecision* reported = nullptr;
  const size_t count = TfLiteGpuDelegateV2Decisions(delegate, &reported);
  std::vector<GpuNodeDecision> decisions(count);
  for (size_t i = 0; i < count; ++i) {
    const TfLiteGpuNodeDecision& from = reported[i];
    GpuNodeDecision& to = decisions[i];
    to.subgraph = from.subgraph;
    to.index = from.index;
    to.op = from.op;
    to.version = from.version;
    to.decision = from.decision;
    to.reason = from.reason;
    to.code = from.code;
    to.text = from.text;
    to.suggestion = from.suggestion;
    if (from.tensor >= 0) {
      to.tensor =
          GpuNodeDecision::Tensor{from.tensor,
                                  from.tensor_name,
                                  from.tensor_type,
                                  {from.tensor_shape, from.tensor_shape + from.tensor_rank}};
    }
    if (from.has_limit != 0) to.value_and_limit = std::make_pair(from.value, from.limit);
    to.partition = from.partition;
    to.bytes_crossing = from.bytes_crossing;
    to.multiply_adds = from.multiply_adds;
    to.bytes = from.bytes;
  }
  return decisions;
}

}  // namespace tern
#endif

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_DECISIONS_H_
