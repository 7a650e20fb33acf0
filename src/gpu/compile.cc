// SPDX-License-Identifier: Apache-2.0
// The path from graph to plan.
#include "gpu/compile.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/lower/lower_graph.h"
#include "gpu/passes/pass.h"
#include "gpu/plan/group_size.h"
#include "gpu/plan/memory_plan.h"
#include "gpu/plan/tuning_table.h"
#include "gpu/plan/validate_plan.h"

namespace tern::gpu {
namespace {

bool IsEmpty(const Dispatch& dispatch) {
  return dispatch.grid[0] <= 0 || dispatch.grid[1] <= 0 || dispatch.grid[2] <= 0;
}

// Halves would move a quantized number by up to a sixteenth of a step, and what is rounded after it
// by a whole one.
Precision PrecisionFor(const Graph& graph, Precision wanted) {
  if (wanted == Precision::kF32) return wanted;
  const bool quantized = std::any_of(graph.tensors.begin(), graph.tensors.end(),
                                     [](const GraphTensor& t) { return t.quantized.has_value(); });
  return quantized ? Precision::kF32 : wanted;
}

void SetGroups(std::vector<Dispatch>& dispatches, const DeviceInfo& device, const Tuning& tuning) {
  for (Dispatch& dispatch : dispatches) {
    if (dispatch.group[0] == 0) dispatch.group = ChooseGroup(dispatch.grid, device, tuning);
  }
}

}  // namespace

FillConstant Compiled::constants() const {
  return [sources = sources, width = plan.tuning.slice_width](
             const PlanTensor& constant, int64_t first_slice, std::span<std::byte> bytes) {
    sources.Fill(constant, width, first_slice, bytes);
  };
}

absl::StatusOr<Compiled> Compile(Graph graph, const DeviceInfo& device, const LoweringTable& table,
                                 const CompileOptions& options, Phases* phases) {
  PhaseTimer timer(phases, Phase::kPasses);
  Compiled compiled;
  Plan& plan = compiled.plan;
  plan.precision = PrecisionFor(graph, options.precision);
  plan.tuning = TuningFor(device, options.slice_width);
  plan.tuning.packed = options.packed.value_or(plan.tuning.packed);
  TERN_RETURN_IF_ERROR(RunPasses(graph, {device, plan.tuning, table}, options.fuse));
  timer.Next(Phase::kLower);
  TERN_ASSIGN_OR_RETURN(Lowered lowered,
                        LowerGraph(graph, table, device, plan.tuning, plan.precision));
  compiled.sources = std::move(lowered.sources);
  plan.views = std::move(graph.views);
  plan.tensors = std::move(lowered.tensors);
  plan.dispatches = std::move(lowered.dispatches);
  plan.inputs = std::move(lowered.inputs);
  plan.outputs = std::move(lowered.outputs);
  timer.Next(Phase::kPlan);
  // Tensors without elements need no work.
  std::erase_if(plan.dispatches, IsEmpty);
  SetGroups(plan.dispatches, device, plan.tuning);
  PlanMemory(plan, device.buffer_alignment);
  TERN_RETURN_IF_ERROR(ValidatePlan(plan, device));
  return compiled;
}

absl::Status CheckNode(Graph& graph, const Node& node, const DeviceInfo& device,
                       const LoweringTable& table, const CompileOptions& options) {
  Tuning tuning = TuningFor(device, options.slice_width);
  tuning.packed = false;  // a node is taken where it fits unpacked
  const Precision precision = PrecisionFor(graph, options.precision);
  const std::vector<Node> words = SplitNode(graph, node, table);
  TERN_ASSIGN_OR_RETURN(Lowered lowered,
                        LowerNodeDry(graph, node, words, table, device, tuning, precision));
  std::erase_if(lowered.dispatches, IsEmpty);
  SetGroups(lowered.dispatches, device, tuning);
  for (const Dispatch& dispatch : lowered.dispatches) {
    TERN_RETURN_IF_ERROR(ValidateDispatch(lowered.tensors, dispatch, device, tuning.slice_width));
  }
  return absl::OkStatus();
}

}  // namespace tern::gpu
