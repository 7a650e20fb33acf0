// SPDX-License-Identifier: Apache-2.0
// DEPTH_TO_SPACE: the channels of a pixel become a block of pixels. SPACE_TO_DEPTH: the inverse.
#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/space/space_rules.h"

namespace tern {
namespace {

// `view` sees the operand with the blocks of the options dealt out another way.
template <class Params, StatusOr<Viewed> (*view)(const Shape&, int64_t)>
class BlockMove : public Movement {
 public:
  using Movement::Movement;

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    return CheckMoved(call.input(0), call.output(0));
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(Viewed viewed,
                          view(ShapeOf(call.input(0)), call.params<Params>().block_size));
    return MovesOf(std::move(viewed));
  }
};

class DepthToSpace : public BlockMove<TfLiteDepthToSpaceParams, DepthToSpaceView> {
 public:
  using BlockMove::BlockMove;
  const char* name() const override { return "DEPTH_TO_SPACE"; }
};

class SpaceToDepth : public BlockMove<TfLiteSpaceToDepthParams, SpaceToDepthView> {
 public:
  using BlockMove::BlockMove;
  const char* name() const override { return "SPACE_TO_DEPTH"; }
};

}  // namespace

TfLiteRegistration DepthToSpaceRegistration(OpForm form) {
  return MakeRegistration<DepthToSpace>(form);
}
TfLiteRegistration SpaceToDepthRegistration(OpForm form) {
  return MakeRegistration<SpaceToDepth>(form);
}

}  // namespace tern
