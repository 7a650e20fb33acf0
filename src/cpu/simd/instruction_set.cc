// SPDX-License-Identifier: Apache-2.0
// Asks the vector library which compiled instruction set it has chosen, within the user's limit.
#include "cpu/instruction_set.h"

#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/instruction_set.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {

const char* Name() {
#if HWY_TARGET == HWY_AVX3_DL
  return "AVX-512 with VNNI";
#elif HWY_TARGET == HWY_AVX3
  return "AVX-512";
#elif HWY_TARGET == HWY_AVX2
  return "AVX2";
#elif TERN_SIMD
  return "NEON";
#else
  return nullptr;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <cstdlib>
#include <string_view>

#include "cpu/simd/vectors_allowed.h"

namespace tern {
namespace {

HWY_EXPORT(Name);

// Takes away what TERN_CPU_TARGET does not name; false when nothing is left.
bool LimitTargets() {
  const char* given = std::getenv("TERN_CPU_TARGET");
  const std::string_view limit = given == nullptr ? "" : given;
  if (limit == "avx512") hwy::DisableTargets(HWY_AVX3_DL);
  if (limit == "avx2") hwy::DisableTargets(HWY_AVX3_DL | HWY_AVX3);
  return limit != "none";
}

}  // namespace

bool VectorsAllowed() {
  static const bool allowed = LimitTargets();
  return allowed;
}

int64_t AllowedForms() {
  static const int64_t forms = [] {
    VectorsAllowed();
    return HWY_CHOSEN_TARGET_SHIFT(hwy::SupportedTargets()) | HWY_CHOSEN_TARGET_MASK_SCALAR;
  }();
  return forms;
}

const char* InstructionSet() {
  static const char* const name = TERN_OPTIMIZED_KERNEL(Name);
  return name == nullptr ? "none" : name;
}

bool HasOptimizedKernels() { return InstructionSet() != std::string_view("none"); }

}  // namespace tern

#endif  // HWY_ONCE
