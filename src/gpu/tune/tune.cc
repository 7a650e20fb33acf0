// SPDX-License-Identifier: Apache-2.0
// Greedy: each variation is tried on top of the best parameters so far.
#include "gpu/tune/tune.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/status.h"
#include "gpu/plan/tuning_table.h"

namespace tern::gpu {
namespace {

// Nodes below this share of the time keep the device's parameters: trying costs programs.
constexpr int64_t kMinShare = 100;

// Returns true if a time is shorter by more than 5 %: another parameter costs a program, and
// measurements are not exact.
bool ClearlyLess(int64_t nanos, int64_t than) { return nanos < than - than / 20; }

// Describes the work of a dispatch and the way it is done, without names.
std::string WorkOf(const Plan& plan, const Dispatch& d) {
  std::string work = StrCat(static_cast<int>(d.kernel), " ", d.grid[0], "x", d.grid[1], "x",
                            d.grid[2], " by ", d.group[0], "x", d.group[1], "x", d.group[2]);
  for (const Define& define : d.defines) work += StrCat(" ", define.name, "=", define.value);
  for (const Uniform& u : d.uniforms) {
    if (!u.is_float) work += StrCat(" ", u.name, "=", u.i);
  }
  for (const Binding& binding : d.bindings) {
    const TensorDesc& desc = plan.tensors[static_cast<size_t>(binding.tensor)].desc;
    work += StrCat("; ", ToString(binding.box), static_cast<int>(desc.layout),
                   static_cast<int>(desc.element));
  }
  for (const EpilogueOp& step : d.epilogue) work += StrCat("; ", step.expression);
  return work;
}

struct NodeWork {
  std::string label, work;
};

// Of nodes of the model, by index.
std::map<int, NodeWork> WorkOfNodes(const Plan& plan) {
  std::map<int, NodeWork> nodes;
  for (const Dispatch& dispatch : plan.dispatches) {
    if (dispatch.node < 0) continue;
    NodeWork& node = nodes[dispatch.node];
    if (node.label.empty()) node.label = dispatch.label;
    node.work += WorkOf(plan, dispatch) + "\n";
  }
  return nodes;
}

std::map<int, int64_t> TimesOfNodes(const Plan& plan, const std::vector<int64_t>& nanos) {
  std::map<int, int64_t> times;
  for (size_t i = 0; i < plan.dispatches.size(); ++i) times[plan.dispatches[i].node] += nanos[i];
  return times;
}

int64_t Sum(const std::vector<int64_t>& nanos) {
  return std::accumulate(nanos.begin(), nanos.end(), int64_t{0});
}

class Tuner {
 public:
  Tuner(const Graph& graph, const DeviceInfo& device, const LoweringTable& table,
        const CompileOptions& options, const MeasurePlans& measure, const TuneBudget& budget)
      : graph_(graph),
        device_(device),
        table_(table),
        options_(options),
        measure_(measure),
        budget_(budget),
        start_(budget.now()) {
    options_.tuned.clear();
  }

  absl::StatusOr<TuneResult> Run() {
    TERN_ASSIGN_OR_RETURN(const Compiled base, CompileWith({}));
    TERN_ASSIGN_OR_RETURN(const auto times, MeasureAll({&base}));
    common_ = base.plan.tuning.common;
    best_ = base;
    FindKinds(base.plan, times[0]);
    for (const Variation& variation : Variations(device_, base.plan.tuning)) {
      if (result_.kinds.empty()) break;
      if (!HasTime()) {
        result_.out_of_time = true;
        break;
      }
      TERN_RETURN_IF_ERROR(Try(variation));
    }
    TERN_RETURN_IF_ERROR(Conclude(base, Sum(times[0])));
    result_.nanos_spent = budget_.now() - start_;
    return std::move(result_);
  }

 private:
  absl::StatusOr<Compiled> CompileWith(const TunedNodes& tuned) const {
    CompileOptions with = options_;
    with.tuned = tuned;
    return Compile(graph_, device_, table_, with);
  }

  // An answer of another form than asked for is an error of the device.
  absl::StatusOr<std::vector<std::vector<int64_t>>> MeasureAll(
      const std::vector<const Compiled*>& plans) {
    TERN_ASSIGN_OR_RETURN(auto nanos, measure_(plans));
    if (nanos.size() != plans.size()) return absl::InternalError("not every plan was measured");
    for (size_t i = 0; i < plans.size(); ++i) {
      if (nanos[i].size() != plans[i]->plan.dispatches.size())
        return absl::InternalError("not every launch was measured");
    }
    return nanos;
  }

  // For one more like the last one, and for that of the whole at the end.
  bool HasTime() const { return budget_.now() - start_ + 2 * last_ <= budget_.nanos; }

  void FindKinds(const Plan& plan, const std::vector<int64_t>& nanos) {
    const std::map<int, int64_t> times = TimesOfNodes(plan, nanos);
    std::map<std::string, TunedKind> kinds;
    for (const auto& [index, node] : WorkOfNodes(plan)) {
      TunedKind& kind = kinds[node.work];
      if (kind.nodes.empty()) kind.label = node.label;
      kind.nodes.push_back(index);
      kind.nanos += times.at(index);
      kind.parameters = common_;
    }
    const int64_t min = Sum(nanos) / kMinShare;
    for (auto& [work, kind] : kinds) {
      if (kind.nanos < min || kind.nanos == 0) continue;
      result_.kinds.push_back(std::move(kind));
      tried_.push_back({work});
    }
    SortByTime();
    for (const TunedKind& kind : result_.kinds) min_.push_back(kind.nanos);
  }

  void SortByTime() {
    std::vector<size_t> order(result_.kinds.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) {
      return result_.kinds[a].nanos > result_.kinds[b].nanos;
    });
    std::vector<TunedKind> kinds;
    std::vector<std::set<std::string>> tried;
    for (const size_t i : order) {
      kinds.push_back(std::move(result_.kinds[i]));
      tried.push_back(std::move(tried_[i]));
    }
    result_.kinds = std::move(kinds);
    tried_ = std::move(tried);
  }

  TunedNodes Best() const {
    TunedNodes nodes;
    for (const TunedKind& kind : result_.kinds) {
      if (kind.parameters == common_) continue;
      for (const int index : kind.nodes) nodes[index] = kind.parameters;
    }
    return nodes;
  }

  // The best parameters, with the variation where it makes other dispatches than any before.
  TunedNodes Varied(const Variation& variation, std::vector<size_t>* varied) {
    TunedNodes all = Best();
    for (const TunedKind& kind : result_.kinds) {
      for (const int index : kind.nodes) all[index] = With(kind.parameters, variation);
    }
    TunedNodes nodes = Best();
    const absl::StatusOr<Compiled> compiled = CompileWith(all);
    if (!compiled.ok()) return nodes;
    const std::map<int, NodeWork> works = WorkOfNodes(compiled->plan);
    for (size_t i = 0; i < result_.kinds.size(); ++i) {
      const TunedKind& kind = result_.kinds[i];
      const auto work = works.find(kind.nodes.front());
      if (work == works.end() || !tried_[i].insert(work->second.work).second) continue;
      varied->push_back(i);
      for (const int index : kind.nodes) nodes[index] = With(kind.parameters, variation);
    }
    return nodes;
  }

  // Ignores a variation that does not compile, or that the device does not build or run.
  absl::Status Try(const Variation& variation) {
    const int64_t start = budget_.now();
    std::vector<size_t> varied;
    const TunedNodes nodes = Varied(variation, &varied);
    if (varied.empty()) return absl::OkStatus();
    const absl::StatusOr<Compiled> next = CompileWith(nodes);
    if (!next.ok()) return absl::OkStatus();
    const auto nanos = MeasureAll({&best_, &*next});
    last_ = budget_.now() - start;
    if (!nanos.ok()) return absl::OkStatus();
    const std::map<int, int64_t> before = TimesOfNodes(best_.plan, (*nanos)[0]);
    const std::map<int, int64_t> after = TimesOfNodes(next->plan, (*nanos)[1]);
    for (const size_t i : varied) {
      TunedKind& kind = result_.kinds[i];
      Trial trial{.parameters = With(kind.parameters, variation)};
      for (const int index : kind.nodes) {
        trial.best_nanos += before.at(index);
        trial.nanos += after.at(index);
      }
      // Beside other work a measurement of both may be long, and then either of them is.
      int64_t& min = min_[i];
      min = std::min(min, trial.best_nanos);
      trial.taken = ClearlyLess(trial.nanos, min);
      if (trial.taken) {
        kind.parameters = trial.parameters;
        min = trial.nanos;
      }
      kind.trials.push_back(trial);
    }
    if (Best() == best_.plan.tuning.nodes) return absl::OkStatus();
    TERN_ASSIGN_OR_RETURN(best_, CompileWith(Best()));
    return absl::OkStatus();
  }

  absl::Status Conclude(const Compiled& base, int64_t base_nanos) {
    result_.nodes = Best();
    result_.nanos_before = result_.nanos_after = base_nanos;
    if (result_.nodes.empty()) return absl::OkStatus();
    TERN_ASSIGN_OR_RETURN(const auto nanos, MeasureAll({&base, &best_}));
    result_.nanos_before = Sum(nanos[0]);
    result_.nanos_after = Sum(nanos[1]);
    if (result_.nanos_after < result_.nanos_before) return absl::OkStatus();
    result_.nodes.clear();
    result_.nanos_after = result_.nanos_before;
    for (TunedKind& kind : result_.kinds) kind.parameters = common_;
    return absl::OkStatus();
  }

  const Graph& graph_;
  const DeviceInfo& device_;
  const LoweringTable& table_;
  CompileOptions options_;
  const MeasurePlans& measure_;
  const TuneBudget& budget_;
  const int64_t start_;
  int64_t last_ = 0;  // what the last variation took
  NodeTuning common_;
  Compiled best_;  // with the best parameters so far
  TuneResult result_;
  std::vector<int64_t> min_;                  // by each kind: the minimum of its best parameters
  std::vector<std::set<std::string>> tried_;  // by each kind: work that was measured
};

}  // namespace

absl::StatusOr<TuneResult> Tune(const Graph& graph, const DeviceInfo& device,
                                const LoweringTable& table, const CompileOptions& options,
                                const MeasurePlans& measure, const TuneBudget& budget) {
  return Tuner(graph, device, table, options, measure, budget).Run();
}

}  // namespace tern::gpu
