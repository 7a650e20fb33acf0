// SPDX-License-Identifier: Apache-2.0
// TILE: the input, multiples[i] times along axis i. BROADCAST_TO: axes of size 1 repeated until the
// input has the shape asked for.
#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/movement/view_rules.h"

namespace tern {
namespace {

class Tile : public MovementByNumbers {
 public:
  explicit Tile(OpForm form)
      : MovementByNumbers(form, {.what = "multiples", .wide = true, .list = false}, TileView) {}
  const char* name() const override { return "TILE"; }
};

class BroadcastTo : public MovementByNumbers {
 public:
  explicit BroadcastTo(OpForm form)
      : MovementByNumbers(form, {.what = "shape", .wide = true}, BroadcastView) {}
  const char* name() const override { return "BROADCAST_TO"; }
};

}  // namespace

TfLiteRegistration TileRegistration(OpForm form) { return MakeRegistration<Tile>(form); }
TfLiteRegistration BroadcastToRegistration(OpForm form) {
  return MakeRegistration<BroadcastTo>(form);
}

}  // namespace tern
