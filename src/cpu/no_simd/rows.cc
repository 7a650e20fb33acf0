// SPDX-License-Identifier: Apache-2.0
// Rows in a build without the vector library.
#include "cpu/byte_rows.h"
#include "cpu/float_pairs.h"
#include "cpu/float_rows.h"
#include "cpu/pool.h"
#include "cpu/resize.h"
#include "cpu/sums.h"
#include "cpu/transpose.h"

namespace tern {

FloatRow FastFunction(FloatFunction) { return nullptr; }
SoftmaxRow FastSoftmax() { return nullptr; }
LogSoftmaxRow FastLogSoftmax() { return nullptr; }
FloatPairRow FastPairs(PairFunction) { return nullptr; }

PoolKernel<float, float> FastFloatPool(PoolKind) { return nullptr; }
PoolKernel<int8_t, int32_t> FastSignedPool(PoolKind) { return nullptr; }
PoolKernel<uint8_t, int32_t> FastUnsignedPool(PoolKind) { return nullptr; }
ResizeKernel<float, float> FastFloatResize() { return nullptr; }
ResizeKernel<uint8_t, float> FastUnsignedResize() { return nullptr; }
ResizeKernel<int8_t, int32_t> FastSignedResize() { return nullptr; }
const SumForms* FastSums() { return nullptr; }
TransposeForm FastTranspose() { return nullptr; }

template <>
const ByteForms<int8_t>* FastBytes<int8_t>() {
  return nullptr;
}
template <>
const ByteForms<uint8_t>* FastBytes<uint8_t>() {
  return nullptr;
}
void MapBytes(const uint8_t* table, const uint8_t* in, uint8_t* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = table[in[i]];
}

}  // namespace tern
