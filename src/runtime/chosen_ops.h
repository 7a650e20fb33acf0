// SPDX-License-Identifier: Apache-2.0
// The end of errors about a missing operator in a selective build (docs/build.md).
#ifndef TERN_RUNTIME_CHOSEN_OPS_H_
#define TERN_RUNTIME_CHOSEN_OPS_H_

namespace tern {

#ifdef TERN_CHOSEN_OPS
inline constexpr char kChosenOps[] =
    " This build has the operators of the models in TERN_OPS_FOR alone.";
#else
inline constexpr char kChosenOps[] = "";
#endif

}  // namespace tern

#endif  // TERN_RUNTIME_CHOSEN_OPS_H_
