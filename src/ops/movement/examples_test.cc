// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kMoves({
    {"BROADCAST_TO", "T(R) I32=sizes(r) -> T"},
    {"CONCATENATION", "T(R) T(R) -> T", With([] {
       tflite::ConcatenationOptionsT o;
       o.axis = -1;
       return o;
     }())},
    {"EXPAND_DIMS", "T(R) I32=0() -> T"},
    {"MIRROR_PAD", "T(R) I32=0(r,2) -> T"},
    {"PAD", "T(R) I32=0(r,2) -> T"},
    {"PADV2", "T(R) I32=0(r,2) T=1() -> T"},
    {"RESHAPE", "T(R) I32=-1(1) -> T"},
    {"REVERSE_V2", "T(R) I32=0(1) -> T"},
    {"SQUEEZE", "T(R) -> T"},
    {"TILE", "T(R) I32=1(r) -> T"},
    {"TRANSPOSE", "T(R) I32=iota(r) -> T"},
});

}  // namespace
}  // namespace tern::testing
