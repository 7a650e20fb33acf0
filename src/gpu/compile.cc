// SPDX-License-Identifier: Apache-2.0
// The path from graph to plan.
#include "gpu/compile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/lower/lower_graph.h"
#include "gpu/passes/pass.h"
#include "gpu/plan/group_size.h"
#include "gpu/plan/guard.h"
#include "gpu/plan/memory_plan.h"
#include "gpu/plan/share_programs.h"
#include "gpu/plan/tuning_table.h"
#include "gpu/plan/validate_plan.h"
#include "gpu/source/loop_rounds.h"

namespace tern::gpu {
namespace {

bool IsEmpty(const Dispatch& dispatch) {
  return dispatch.grid[0] <= 0 || dispatch.grid[1] <= 0 || dispatch.grid[2] <= 0;
}

// Most of the numbers that the nodes have as constants are halves in the model.
bool HasHalfWeights(const Graph& graph) {
  int64_t halves = 0, floats = 0;
  std::set<TensorId> seen;  // or made from others, by DEQUANTIZE
  for (const Node& node : graph.nodes) seen.insert(node.outputs.begin(), node.outputs.end());
  for (const Node& node : graph.nodes) {
    for (const TensorId id : node.inputs) {
      if (id < 0 || !graph.tensors[id].is_constant() || !seen.insert(id).second) continue;
      const TfLiteType stored = graph.tensors[id].data_type();
      const int64_t elements = graph.tensors[id].box().elements();
      if (stored == kTfLiteFloat16) halves += elements;
      if (stored == kTfLiteFloat32) floats += elements;
    }
  }
  return halves > floats;
}

// Halves everywhere may cost what rounding the weights to halves costs. Where the model has its
// weights in halves that is nothing, and activations stay floats. And halves would move a quantized
// number by up to a sixteenth of a step, and what is rounded after it by a whole one.
Storage StorageFor(const Graph& graph, const CompileOptions& options) {
  const bool quantized = std::any_of(graph.tensors.begin(), graph.tensors.end(),
                                     [](const GraphTensor& t) { return t.quantized.has_value(); });
  if (quantized) return {};
  const Precision automatic = HasHalfWeights(graph) ? Precision::kF32 : options.precision;
  return {options.precision, options.activations.value_or(automatic), options.floats};
}

void SetGroups(std::vector<Dispatch>& dispatches, const DeviceInfo& device, const Tuning& tuning) {
  for (Dispatch& dispatch : dispatches) {
    if (dispatch.group[0] == 0)
      dispatch.group = ChooseGroup(dispatch.grid, device, tuning.Of(dispatch.node));
  }
}

// Few drivers end loops.
absl::Status CountLoops(const std::vector<PlanTensor>& tensors, const DeviceInfo& device,
                        const Tuning& tuning, std::vector<Dispatch>& dispatches) {
  if (device.max_loop_rounds == DeviceInfo().max_loop_rounds) return absl::OkStatus();
  for (Dispatch& dispatch : dispatches) {
    TERN_ASSIGN_OR_RETURN(dispatch.loop_rounds, LoopRounds(tensors, dispatch, tuning.slice_width));
  }
  return absl::OkStatus();
}

std::vector<Misfit> MisfitsOf(std::vector<RefusedNode> refused) {
  std::vector<Misfit> misfits;
  misfits.reserve(refused.size());
  for (RefusedNode& one : refused) misfits.push_back({std::move(one.status), {one.node}});
  return misfits;
}

// A graph as passes left it, and in dispatches.
struct LoweredGraph {
  Graph graph;
  Lowered lowered;
};

// Passes merge nodes without a look at their dispatches. Again without those merges that do not
// fit: few devices have so few buffers.
absl::StatusOr<LoweredGraph> LowerAll(const Graph& given, const LoweringTable& table,
                                      const DeviceInfo& device, const Plan& plan, bool fuse,
                                      const CompileNotes& notes) {
  PassContext context{device, plan.tuning, table};
  for (;;) {
    PhaseTimer timer(notes.phases, Phase::kPasses);
    LoweredGraph result{given, {}};
    LowerNotes found;
    context.refused = &found.refused;
    absl::Status status = RunPasses(result.graph, context, fuse);
    if (status.ok()) {
      timer.Next(Phase::kLower);
      absl::StatusOr<Lowered> lowered =
          LowerGraph(result.graph, table, device, plan.tuning, plan.storage, &found);
      if (!found.too_much.empty()) {
        context.apart.merge(found.too_much);
        continue;
      }
      status = lowered.status();
      if (lowered.ok()) result.lowered = *std::move(lowered);
    }
    if (status.ok()) return result;
    if (notes.misfits != nullptr) *notes.misfits = MisfitsOf(std::move(found.refused));
    return status;
  }
}

}  // namespace

FillConstant Compiled::constants() const {
  return [sources = sources, width = plan.tuning.slice_width](
             const PlanTensor& constant, int64_t first_slice, std::span<std::byte> bytes) {
    sources.Fill(constant, width, first_slice, bytes);
  };
}

absl::StatusOr<Compiled> Compile(const Graph& given, const DeviceInfo& device,
                                 const LoweringTable& table, const CompileOptions& options,
                                 const CompileNotes& notes) {
  Compiled compiled;
  Plan& plan = compiled.plan;
  plan.storage = StorageFor(given, options);
  plan.tuning = TuningFor(device, options.slice_width);
  plan.tuning.packed = options.packed.value_or(plan.tuning.packed);
  plan.tuning.nodes = options.tuned;
  TERN_ASSIGN_OR_RETURN(LoweredGraph made,
                        LowerAll(given, table, device, plan, options.fuse, notes));
  Graph& graph = made.graph;
  Lowered& lowered = made.lowered;
  compiled.sources = std::move(lowered.sources);
  plan.views = std::move(graph.views);
  plan.tensors = std::move(lowered.tensors);
  plan.dispatches = std::move(lowered.dispatches);
  plan.inputs = std::move(lowered.inputs);
  plan.outputs = std::move(lowered.outputs);
  const PhaseTimer timer(notes.phases, Phase::kPlan);
  // Tensors without elements need no work.
  std::erase_if(plan.dispatches, IsEmpty);
  SharePrograms(plan.tensors, plan.tuning.slice_width, plan.dispatches);
  if (options.guard) AddGuard(plan);
  SetGroups(plan.dispatches, device, plan.tuning);
  PlanMemory(plan, device.buffer_alignment, device.max_buffer_bytes);
  TERN_RETURN_IF_ERROR(CountLoops(plan.tensors, device, plan.tuning, plan.dispatches));
  const std::vector<Excess> excesses = FindExcesses(plan, device);
  if (excesses.empty()) return compiled;
  std::vector<Misfit> misfits = MisfitsOf(excesses, plan, {given, graph, lowered.origins});
  const absl::Status first = misfits.front().status;
  if (notes.misfits != nullptr) *notes.misfits = std::move(misfits);
  return first;
}

}  // namespace tern::gpu
