// SPDX-License-Identifier: Apache-2.0
// The texts of the functions. A macro stands over a name that some language has already.
#include "gpu/source/functions.h"

#include "base/str_cat.h"

namespace tern::gpu {
namespace {

// x P(x^2) / Q(x^2) within 4e-7, fitted up to where floats have reached 1.
constexpr char kErf[] = R"(slice error_function(slice v) {
  slice x = min(max(v, splat(-3.92)), splat(3.92));
  slice t = x * x;
  slice p = mad(t, splat(2.05010086e-6), splat(2.84881871e-4));
  p = mad(t, p, splat(3.76556402e-3));
  p = mad(t, p, splat(5.27485571e-2));
  p = mad(t, p, splat(1.9040519e-1));
  p = mad(t, p, splat(1.12837915));
  slice q = mad(t, splat(3.80918124e-5), splat(1.16252338e-3));
  q = mad(t, q, splat(1.49691089e-2));
  q = mad(t, q, splat(1.14108587e-1));
  q = mad(t, q, splat(5.02074947e-1));
  q = mad(t, q, splat(1.0));
  return min(max(x * p / q, splat(-1.0)), splat(1.0));
}
#define erf(V) error_function(V)
)";

// Devices may trap on a division by zero and on the one quotient that is too large.
constexpr char kIdiv[] = R"(islice idiv(islice v, islice w) {
  islice minus = isplat(0) - v;
  islice q = v / select_eq(w, isplat(0), isplat(1), select_eq(w, isplat(-1), isplat(1), w));
  return select_eq(w, isplat(0), isplat(0), select_eq(w, isplat(-1), minus, q));
}
)";

struct Function {
  const char* word;
  const char* text;
};
constexpr Function kFunctions[] = {{"erf", kErf}, {"idiv", kIdiv}};

}  // namespace

std::string FunctionsFor(const Words& used, const Language& language) {
  std::string text;
  for (const Function& function : kFunctions) {
    if (used.count(function.word) != 0) text += StrCat(language.FunctionQualifier(), function.text);
  }
  return text;
}

}  // namespace tern::gpu
