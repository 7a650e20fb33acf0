// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "model/testing/quantize_by_block.h"
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kGatherExamples({
    {"DYNAMIC_UPDATE_SLICE", "T(R) T(R) I32=0(r) -> T"},
    {"EMBEDDING_LOOKUP", "I32=0(2) T=1(R) -> T"},
    {"EMBEDDING_LOOKUP", "I32=0(2) T=1(R) -> F32"},
    {"EMBEDDING_LOOKUP", "I32=0(2) I4=1(3,16) -> F32",
     [](ModelBuilder& b, tflite::TensorType) {
       QuantizeByBlock(b, b.op().inputs[1], std::vector<float>(6, 0.5f), 8);
     }},
    {"EMBEDDING_LOOKUP_SPARSE", "I32=0(2) I32=0(2,2) I32=3(2) F32=1(2) T=1(R) -> T",
     With(tflite::EmbeddingLookupSparseOptionsT())},
    {"GATHER", "T(R) I32=0(2) -> T"},
    {"GATHER_ND", "T(R) I32=0(2,1) -> T"},
    {"ONE_HOT", "I32(R) I32=3() T=1() T=0() -> T", With([] {
       tflite::OneHotOptionsT o;
       o.axis = -1;
       return o;
     }())},
    {"REVERSE_SEQUENCE", "T(R) I32=1(f) -> T", With([] {
       tflite::ReverseSequenceOptionsT o;
       o.seq_dim = 1;
       return o;
     }())},
    {"SCATTER_ND", "I32=0(1,1) T(1,t) I32=sizes(r) -> T"},
    {"SPARSE_TO_DENSE", "I32=0(1,r) I32=sizes(r) T=1(1) T=0() -> T"},
});

}  // namespace
}  // namespace tern::testing
