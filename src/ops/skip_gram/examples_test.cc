// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSkipGramExamples({{"SKIP_GRAM", "T(R:1) -> T", With([] {
                                     tflite::SkipGramOptionsT o;
                                     o.ngram_size = 2;
                                     o.max_skip_size = 1;
                                     o.include_all_ngrams = true;
                                     return o;
                                   }())}});

}  // namespace
}  // namespace tern::testing
