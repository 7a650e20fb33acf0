// SPDX-License-Identifier: Apache-2.0
// DEPTH_TO_SPACE: the channels of a pixel become a block of pixels. SPACE_TO_DEPTH: the inverse.
#include "ops/cpu_registry.h"
#include "ops/movement/movement.h"
#include "ops/space/space_rules.h"

namespace tern {
namespace {

class DepthToSpace : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "DEPTH_TO_SPACE"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    return CheckMoved(call.input(0), call.output(0));
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    const int block = call.params<TfLiteDepthToSpaceParams>().block_size;
    TERN_ASSIGN_OR_RETURN(Viewed viewed, DepthToSpaceView(ShapeOf(call.input(0)), block));
    return MovesOf(std::move(viewed));
  }
};

class SpaceToDepth : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "SPACE_TO_DEPTH"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    return CheckMoved(call.input(0), call.output(0));
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    const int block = call.params<TfLiteSpaceToDepthParams>().block_size;
    TERN_ASSIGN_OR_RETURN(Viewed viewed, SpaceToDepthView(ShapeOf(call.input(0)), block));
    return MovesOf(std::move(viewed));
  }
};

}  // namespace

TfLiteRegistration DepthToSpaceRegistration(OpForm form) {
  return MakeRegistration<DepthToSpace>(form);
}
TfLiteRegistration SpaceToDepthRegistration(OpForm form) {
  return MakeRegistration<SpaceToDepth>(form);
}

}  // namespace tern
