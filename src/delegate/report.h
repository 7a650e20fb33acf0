// SPDX-License-Identifier: Apache-2.0
// What a delegate did, as JSON that programs can read.
#ifndef TERN_DELEGATE_REPORT_H_
#define TERN_DELEGATE_REPORT_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "delegate/explain.h"
#include "delegate/half_guard.h"
#include "delegate/supported_nodes.h"

namespace tern::delegate {

// Texts for people: what was compiled, and in which words.
struct Listing {
  std::vector<std::string> plans;    // one per partition
  std::vector<std::string> kernels;  // printed sources, each distinct one once
};

// One subgraph, as of the last time that the delegate was applied to it.
struct AppliedGraph {
  const TfLiteContext* context = nullptr;  // which one; compared, never read
  int nodes = 0;
  int delegated = 0;
  int partitions = 0;
  std::set<const void*> programs;  // which ones; compared, never read
  int dispatches = 0;
  int64_t gpu_bytes = 0;
  int64_t arena_bytes = 0;
  std::vector<gpu::Storage> storage;   // of each partition
  std::vector<PromotedNode> promoted;  // by a guard, in runs since
  std::vector<Refusal> refused;
  Explanation explanation;
  Listing listing;  // only when asked for
};

struct Identity {
  std::string engine;  // backend name
  std::string choice;  // a sentence: why this backend
  std::string device;
  std::string driver;
  std::string precision;                   // "f32" or "f16"
  int slice_width = 0;                     // 0 before anything was compiled
  std::vector<std::string> warnings = {};  // about options
};

// {"engine", "choice", "device", "driver", "precision", "slice_width", "nodes", "delegated",
// "partitions", "refused": [{"node", "op", "reason"}], "programs", "gpu_bytes", "arena_bytes",
// "dispatches", "storage": [{"weights", "activations"}] of each partition, "promoted": [{"node",
// "label"}], "decisions", "crossings"}; numbers are sums over the graphs, but a program counts
// once. "plans" and "kernels" are there when they were asked for, "warnings" when there are any,
// "failed" is in a refusal where it is true.
std::string ReportJson(const Identity& identity, const std::vector<AppliedGraph>& graphs);

// The text between quotes in JSON; bytes that are not UTF-8 become '?'.
std::string JsonText(std::string_view text);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_REPORT_H_
