// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

tflite::SVDFOptionsT Options() {
  tflite::SVDFOptionsT o;
  o.rank = 1;
  return o;
}

const Examples kFloat({"SVDF"}, "T(R:8,3) W=1(4,3) W=1(4,5) B=0(4) T!(8,20) -> T", With(Options()));
const Examples kInteger(
    {{"SVDF", "I8@-6(R:8,3) I8@-6=1(4,3) I16@-6=1(4,5) I32@-12=0(4) I16@-6!(8,20) -> I8@-6",
      With(Options())},
     {"SVDF", "I8@-6(R:8,3) I8@-6=1(4,3) I8@-6=1(4,5) I32@-12=0(4) I8@-6!(8,20) -> I8@-6",
      With(Options())}});

}  // namespace
}  // namespace tern::testing
