// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
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
