// SPDX-License-Identifier: Apache-2.0
// The promises of a tensor's allocation type about its memory and contents.
#include "tensorflow/lite/core/c/common.h"

namespace {

struct Traits {
  TfLiteAllocationStrategy strategy;
  TfLiteRunStability address;
  TfLiteRunStability data;
  TfLiteRunStep data_known;
  TfLiteRunStep shape_known;
};

Traits TraitsOf(const TfLiteTensor* t) {
  switch (t->allocation_type) {
    case kTfLiteMemNone:
      return {kTfLiteAllocationStrategyNone, kTfLiteRunStabilityAcrossRuns,
              kTfLiteRunStabilityAcrossRuns, kTfLiteRunStepInit, kTfLiteRunStepInit};
    case kTfLiteMmapRo:
      return {kTfLiteAllocationStrategyMMap, kTfLiteRunStabilityAcrossRuns,
              kTfLiteRunStabilityAcrossRuns, kTfLiteRunStepInit, kTfLiteRunStepInit};
    case kTfLiteArenaRw:
      return {kTfLiteAllocationStrategyArena, kTfLiteRunStabilityUnstable,
              kTfLiteRunStabilitySingleRun, kTfLiteRunStepEval, kTfLiteRunStepPrepare};
    case kTfLiteArenaRwPersistent:
      return {kTfLiteAllocationStrategyArena, kTfLiteRunStabilityUnstable,
              kTfLiteRunStabilityAcrossRuns, kTfLiteRunStepEval, kTfLiteRunStepPrepare};
    case kTfLiteDynamic:
      return {kTfLiteAllocationStrategyMalloc, kTfLiteRunStabilitySingleRun,
              kTfLiteRunStabilitySingleRun, kTfLiteRunStepEval, kTfLiteRunStepEval};
    case kTfLitePersistentRo:
      return {kTfLiteAllocationStrategyMalloc, kTfLiteRunStabilitySingleRun,
              kTfLiteRunStabilitySingleRun, kTfLiteRunStepPrepare, kTfLiteRunStepPrepare};
    case kTfLiteVariantObject:
      return {kTfLiteAllocationStrategyNew, kTfLiteRunStabilityAcrossRuns,
              kTfLiteRunStabilitySingleRun, kTfLiteRunStepEval, kTfLiteRunStepEval};
    case kTfLiteCustom:
    case kTfLiteNonCpu:
      break;
  }
  return {kTfLiteAllocationStrategyUnknown, kTfLiteRunStabilityUnknown, kTfLiteRunStabilityUnknown,
          kTfLiteRunStepUnknown, kTfLiteRunStepUnknown};
}

}  // namespace

const TfLiteIntArray* TfLiteTensorGetDimsSignature(const TfLiteTensor* t) {
  return t->dims_signature != nullptr && t->dims_signature->size > 0 ? t->dims_signature : t->dims;
}

TfLiteAllocationStrategy TfLiteTensorGetAllocationStrategy(const TfLiteTensor* t) {
  return TraitsOf(t).strategy;
}

TfLiteRunStability TfLiteTensorGetBufferAddressStability(const TfLiteTensor* t) {
  return TraitsOf(t).address;
}

TfLiteRunStability TfLiteTensorGetDataStability(const TfLiteTensor* t) { return TraitsOf(t).data; }

TfLiteRunStep TfLiteTensorGetDataKnownStep(const TfLiteTensor* t) { return TraitsOf(t).data_known; }

TfLiteRunStep TfLiteTensorGetShapeKnownStep(const TfLiteTensor* t) {
  return TraitsOf(t).shape_known;
}
