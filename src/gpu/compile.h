// SPDX-License-Identifier: Apache-2.0
// Graph in, plan out: rewrites, lowering, memory, limits.
#ifndef TERN_GPU_COMPILE_H_
#define TERN_GPU_COMPILE_H_

#include <optional>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/desc/phases.h"
#include "gpu/desc/plan.h"
#include "gpu/graph/graph.h"
#include "gpu/lower/constants.h"
#include "gpu/lower/lowering_table.h"
#include "gpu/misfit.h"

namespace tern::gpu {

struct CompileOptions {
  Precision precision = Precision::kF32;  // of weights
  // nullopt: that of the weights, but floats where the model has most of its weights in halves.
  std::optional<Precision> activations = std::nullopt;
  Precision sums =
      Precision::kF32;        // kF16: where all is kept in halves, on a device with half math
  std::set<int> floats = {};  // nodes that stay in floats, by Node::index
  bool guard = false;         // watches for numbers that halves do not hold (plan/guard.h)
  int slice_width = 0;        // 0: the device's choice
  bool fuse = true;           // elementwise fusion; off to compare
  bool quantized = true;      // tensors of 8 and 16 bits are viewed as floats
  // Tensors and weights of 8 bits take 8 bits in device memory; nullopt: the device's choice.
  std::optional<bool> packed = std::nullopt;
  bool winograd = false;  // 3x3 convolutions by Winograd's algorithm, where they fit
  TunedNodes tuned = {};  // the others have the device's tuning parameters
};

// A validated plan, and what its constants are made from.
struct Compiled {
  Plan plan;
  ConstantSources sources;
  // Tensors of the graph that the plan's last outputs are new values of, in order.
  std::vector<TensorId> variables;

  // For the executor: elements of the plan's constants.
  FillConstant constants() const;
};

// Where a compilation tells more than its plan; either may be left out.
struct CompileNotes {
  Phases* phases = nullptr;
  // Of a graph that has no plan: all nodes that have no GPU form, or else all that is beyond a
  // limit of the device. Where it stays empty, no single nodes are to blame.
  std::vector<Misfit>* misfits = nullptr;
};

// The device takes a graph exactly if this makes a plan of it. Every node is lowered once, unless
// nodes that were fused do not fit. The data of the graph's constants must outlive what is
// returned.
absl::StatusOr<Compiled> Compile(const Graph& given, const DeviceInfo& device,
                                 const LoweringTable& table, const CompileOptions& options,
                                 const CompileNotes& notes = {});

}  // namespace tern::gpu

#endif  // TERN_GPU_COMPILE_H_
