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
#include "base/tensor/winograd.h"
#include "gpu/fuse/fuse.h"
#include "gpu/legalize/legalize.h"
#include "gpu/legalize/loops.h"
#include "gpu/lower/lower_graph.h"
#include "gpu/plan/group_size.h"
#include "gpu/plan/guard.h"
#include "gpu/plan/memory_plan.h"
#include "gpu/plan/share_programs.h"
#include "gpu/plan/texel_buffers.h"
#include "gpu/plan/tuning_table.h"
#include "gpu/plan/validate_plan.h"
#include "gpu/source/loop_iterations.h"

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
Storage StorageFor(const Graph& graph, const DeviceInfo& device, const CompileOptions& options) {
  const bool quantized = std::any_of(graph.tensors.begin(), graph.tensors.end(),
                                     [](const GraphTensor& t) { return t.quantized.has_value(); });
  if (quantized) return {};
  const Precision automatic = HasHalfWeights(graph) ? Precision::kF32 : options.precision;
  Storage storage = {options.precision, options.activations.value_or(automatic), options.floats};
  const bool halves = storage.weights == Precision::kF16 && storage.activations == Precision::kF16;
  if (halves && device.half_math) storage.sums = options.sums;
  return storage;
}

void SetGroups(std::vector<Dispatch>& dispatches, const DeviceInfo& device, const Tuning& tuning) {
  for (Dispatch& dispatch : dispatches) {
    if (dispatch.group[0] == 0)
      dispatch.group = ChooseGroup(dispatch.grid, device, tuning, dispatch.node);
  }
}

// Few drivers end loops. Returns the nodes whose loop iterations cannot be counted.
std::vector<RefusedNode> CountLoops(const std::vector<PlanTensor>& tensors,
                                    const DeviceInfo& device, const Tuning& tuning,
                                    std::vector<Dispatch>& dispatches) {
  std::vector<RefusedNode> refused;
  if (device.max_loop_iterations == DeviceInfo().max_loop_iterations) return refused;
  for (Dispatch& dispatch : dispatches) {
    const absl::StatusOr<int64_t> rounds = LoopIterations(tensors, dispatch, tuning.slice_width);
    if (rounds.ok()) {
      dispatch.loop_iterations = *rounds;
    } else {
      refused.push_back({dispatch.node, rounds.status()});
    }
  }
  return refused;
}

// Nodes of an expanded graph as misfits of the graph that it comes from.
std::vector<Misfit> MisfitsOf(std::vector<RefusedNode> refused, const Graph& given) {
  std::set<int> loops;
  for (const Node& node : given.nodes)
    if (IsLoop(node)) loops.insert(node.index);
  std::vector<Misfit> misfits;
  misfits.reserve(refused.size());
  for (RefusedNode& one : refused) {
    const bool in_loop = loops.count(one.node) != 0;
    misfits.push_back({in_loop ? OfLoop(one.status) : std::move(one.status), {one.node}});
  }
  return misfits;
}

// A graph as rewrites left it, and in dispatches.
struct LoweredGraph {
  Graph graph;
  Lowered lowered;
};

// Makes the graph legal, fuses without a look at dispatches, and again without the merges that do
// not fit: few devices have so few buffers.
absl::StatusOr<LoweredGraph> LowerAll(const Graph& expanded, PassContext context,
                                      const Storage& storage, bool merge, Phases* phases) {
  PhaseTimer passes(phases, Phase::kPasses);
  Graph legal = expanded;
  TERN_RETURN_IF_ERROR(Legalize(legal, context));
  passes.End();
  for (;;) {
    PhaseTimer timer(phases, Phase::kPasses);
    LoweredGraph result{legal, {}};
    TERN_RETURN_IF_ERROR(Fuse(result.graph, context, merge));
    timer.Next(Phase::kLower);
    LowerNotes notes;
    absl::StatusOr<Lowered> lowered =
        LowerGraph(result.graph, context.table, context.device, context.tuning, storage, &notes);
    if (!notes.too_much.empty()) {
      context.apart.merge(notes.too_much);
      continue;
    }
    *context.refused = std::move(notes.refused);
    TERN_RETURN_IF_ERROR(lowered.status());
    result.lowered = *std::move(lowered);
    return result;
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
  Graph expanded = given;
  TERN_ASSIGN_OR_RETURN(compiled.variables, Expand(expanded, table));
  Plan& plan = compiled.plan;
  plan.storage = StorageFor(expanded, device, options);
  plan.tuning = TuningFor(device, options.slice_width, plan.storage);
  plan.tuning.packed = options.packed.value_or(plan.tuning.packed);
  if (options.winograd) plan.tuning.common.winograd = winograd::kTile;
  plan.tuning.nodes = options.tuned;
  std::vector<RefusedNode> refused;
  absl::StatusOr<LoweredGraph> made = LowerAll(expanded, {device, plan.tuning, table, {}, &refused},
                                               plan.storage, options.fuse, notes.phases);
  const auto refuse = [&](const absl::Status& status) {
    if (notes.misfits != nullptr) *notes.misfits = MisfitsOf(std::move(refused), given);
    return status;
  };
  if (!made.ok()) return refuse(made.status());
  Graph& graph = made->graph;
  Lowered& lowered = made->lowered;
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
  if (plan.tuning.texels) ReadByTexels(plan, device);
  refused = CountLoops(plan.tensors, device, plan.tuning, plan.dispatches);
  if (!refused.empty()) return refuse(absl::Status(refused.front().status));
  const std::vector<Excess> excesses = FindExcesses(plan, device);
  if (excesses.empty()) return compiled;
  std::vector<Misfit> misfits = MisfitsOf(excesses, plan, {expanded, graph, lowered.origins});
  const absl::Status first = misfits.front().status;
  if (notes.misfits != nullptr) *notes.misfits = std::move(misfits);
  return first;
}

}  // namespace tern::gpu
