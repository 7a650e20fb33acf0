// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_COMPOSITE: arguments -> results of its decomposition.
#include "abi/composite_kernel.h"
#include "ops/control/branch.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class StablehloComposite : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "STABLEHLO_COMPOSITE"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    const int subgraph = call.params<TfLiteStablehloCompositeParams>().subgraph_index;
    return branches_.Prepare(call, {{subgraph, "decomposition"}}, 0);
  }

  Status Eval(const OpCall& call) override { return branches_.Run(call, 0); }

 private:
  Branches branches_;
};

}  // namespace

TfLiteRegistration StablehloCompositeRegistration(OpForm form) {
  TfLiteRegistration registration = MakeRegistration<StablehloComposite>(form);
  registration.inplace_operator |= kRunsDecomposition;
  return registration;
}

}  // namespace tern
