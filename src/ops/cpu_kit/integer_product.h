// SPDX-License-Identifier: Apache-2.0
// Rows of integers times weights of 8 or 16 bits, of which each has a zero point.
#ifndef TERN_OPS_CPU_KIT_INTEGER_PRODUCT_H_
#define TERN_OPS_CPU_KIT_INTEGER_PRODUCT_H_

#include <cstdint>

#include "cpu/matmul.h"
#include "ops/cpu_kit/op_kit.h"

namespace tern {

// [columns, depth] as they lie.
struct IntegerWeights {
  const void* data;
  IntegerType type = IntegerType::kInt8;
  int32_t zero_point = 0;
  bool constant = false;  // the same addresses hold the same values at the next call
  // Of the model, and how they hold the numbers; without any the process does not share packed
  // weights.
  WeightBytes bytes = {};
  int format = 0;
};

// Of a tensor; `data` of packed numbers is left to the caller.
IntegerWeights IntegerWeightsOf(const TfLiteTensor* t, int32_t zero_point);

// A product whose constant weights are packed at its first run if that has several rows.
class IntegerProduct {
 public:
  // Packs at the next run, whatever the addresses of the weights.
  void Forget() { matrix_.Forget(); }
  // Null where rows read their weights as they lie: where these are no constants, where rows are
  // few, and where there is no optimized kernel or no memory.
  const IntegerMatrix* Pack(const LeftView& left, const IntegerWeights& weights, ThreadPool* pool);

  // Of a MatrixShape, with what Pack gave, so that several threads may call it. The stage holds the
  // bias, if any (INT32 beside 8-bit rows). `fast`: by optimized kernels, where there are any; the
  // sums are the same.
  static void Run(const IntegerMatrix* packed, bool fast, const LeftView& left,
                  const IntegerWeights& weights, OutputStage& stage, ThreadPool* pool);
  // The sums themselves, with a bias or without (null). They wrap.
  static void Sums(const IntegerMatrix* packed, bool fast, const LeftView& left,
                   const IntegerWeights& weights, const void* bias, int32_t* sums,
                   ThreadPool* pool);

 private:
  Packed<IntegerMatrix> matrix_;
};

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_INTEGER_PRODUCT_H_
