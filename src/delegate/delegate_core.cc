// SPDX-License-Identifier: Apache-2.0
// From a runtime's graph to kernels on a device.
#include "delegate/delegate_core.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "delegate/called_graph.h"
#include "delegate/snapshot.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/array.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern::delegate {
namespace {

// Graphs without any kernel are never taken back by the runtime; this bounds how many are kept.
constexpr size_t kMaxGraphs = 64;

AppliedGraph Summary(const TfLiteContext* context, const CompiledGraph& compiled) {
  AppliedGraph graph;
  graph.context = context;
  graph.nodes = compiled.support.total();
  graph.refused = compiled.support.refused;
  graph.delegated = compiled.delegated();
  graph.partitions = static_cast<int>(compiled.parts.size());
  graph.listing = compiled.listing;
  graph.explanation = compiled.explanation;
  for (const CompiledPartition& part : compiled.parts) {
    graph.storage.push_back(part.storage);
    if (part.tuning) graph.tuning.push_back(*part.tuning);
    if (part.executor == nullptr) continue;  // only planned
    const gpu::PlanPrograms& programs = part.executor->programs();
    for (const auto& pipeline : programs.pipelines) graph.programs.insert(pipeline.get());
    graph.counts += programs.counts;
    graph.plans_loaded += programs.from_saved ? 1 : 0;
    graph.gpu_bytes += part.executor->gpu_bytes();
    graph.arena_bytes += part.executor->plan().arena_bytes();
    graph.dispatches += static_cast<int>(part.executor->plan().dispatches.size());
  }
  return graph;
}

TfLiteStatus Replace(TfLiteContext* context, TfLiteDelegate* delegate,
                     const TfLiteRegistration& registration,
                     const std::vector<CompiledPartition>& chosen) {
  const std::vector<int> nodes = NodesOf(chosen);
  if (nodes.empty()) return kTfLiteOk;
  const tflite::IntArrayUniquePtr list = ListOf(nodes);
  if (list == nullptr) return kTfLiteError;
  return context->ReplaceNodeSubsetsWithDelegateKernels(context, registration, list.get(),
                                                        delegate);
}

// Bound tensors belong to the graph that the application sees.
bool IsPrimary(TfLiteContext* context) {
  const TfLiteContext* const primary = ContextOf(context, 0);
  return primary == nullptr || primary == context;
}

// Every bound tensor is an input or output of what was compiled.
absl::Status CheckIo(const TfLiteContext& context, const BoundBuffers& bound,
                     const CompiledGraph& graph) {
  std::set<int> ios;
  for (const CompiledPartition& part : graph.parts) {
    ios.insert(part.inputs.begin(), part.inputs.end());
    ios.insert(part.partition.outputs.begin(), part.partition.outputs.end());
  }
  for (const auto& [tensor, buffer] : bound) {
    if (ios.count(tensor) != 0) continue;
    const char* const name = context.tensors[tensor].name;
    std::string text =
        StrCat("buffer ", buffer.number, " is bound to tensor '", name == nullptr ? "" : name,
               "', which is no input or output of the part on the GPU");
    if (!graph.failure.ok()) text += StrCat(" (", Message(graph.failure), ")");
    return Invalid(text);
  }
  return absl::OkStatus();
}

// Null unless the options ask for it with flag, directory and token.
std::shared_ptr<gpu::PlanCache> CacheOf(const DelegateOptions& options, Files* files) {
  const bool asked = options.Has(TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION);
  if (!asked || options.serialization_dir.empty() || options.model_token.empty()) return nullptr;
  return std::make_shared<gpu::PlanCache>(options.serialization_dir, options.model_token, files);
}

}  // namespace

DelegateCore::DelegateCore(DelegateOptions options, EngineChoice engine, Files* files)
    : options_(std::move(options)),
      run_log_(std::make_shared<gpu::RunLog>(options_.trace)),
      cache_(CacheOf(options_, files)),
      engine_(std::move(engine)),
      lists_(options_.lists) {
  if (const int64_t nanos = TuningBudget(options_); nanos > 0) tuner_.emplace(nanos);
  ShowEngine();
  for (const std::string& line : RequestsWithoutEffect(options_)) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "%s", line.c_str());
  }
}

DelegateCore::DelegateCore(const DelegateOptions& options, EngineChoice::Opener opener)
    : DelegateCore(options, EngineChoice(BackendsOf(options), std::move(opener)), nullptr) {}

DelegateCore::DelegateCore(const DelegateOptions& options, gpu::OpenedDevice opened, Files* files)
    : DelegateCore(options, EngineChoice(std::move(opened)), files) {}

void DelegateCore::ShowEngine() {
  const std::lock_guard lock(state_mutex_);
  identity_.engine = engine_.name();
  identity_.choice = engine_.why();
  if (engine_.opened().device == nullptr) return;
  identity_.device = engine_.opened().device->info().name;
  identity_.driver = engine_.opened().device->info().driver;
}

absl::Status DelegateCore::OpenBackend() {
  const std::lock_guard lock(apply_mutex_);
  PhaseTimer timer(&opening_, Phase::kOpen);
  const absl::Status status = engine_.Open([](const std::string& line) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "%s", line.c_str());
  });
  timer.End();
  ShowEngine();
  return status.ok() ? status : Unavailable("no usable GPU (", engine_.failures(), ")");
}

absl::Status DelegateCore::BindBuffer(int tensor, const gpu::SharedBuffer& buffer,
                                      const OpenSharing& open) {
  const std::lock_guard lock(apply_mutex_);
  if (applied_) return absl::FailedPreconditionError("ModifyGraphWithDelegate came before");
  if (tensor < 0) return Invalid("there is no tensor #", tensor);
  gpu::OpenedDevice opened = engine_.opened();
  const bool takes_device = bound_.empty() && open != nullptr;
  if (takes_device) {
    TERN_ASSIGN_OR_RETURN(opened, open());
  }
  TERN_ASSIGN_OR_RETURN(const gpu::BufferRange range, opened.device->Import(buffer));
  if (takes_device) {
    engine_ = EngineChoice(std::move(opened), "shares buffers of the application");
    ShowEngine();
  }
  bound_[tensor].number = buffer.number;
  // One buffer is one object, for all tensors that it stands for.
  for (auto& [index, bound] : bound_) {
    if (bound.number == buffer.number) bound.range = range;
  }
  return absl::OkStatus();
}

absl::Status DelegateCore::BindBufferLater(int tensor, uint64_t number) {
  const std::lock_guard lock(apply_mutex_);
  const auto none = [tensor] {
    return Invalid("tensor #", tensor, " is no input or output of the part on the GPU");
  };
  std::vector<LiveKernel> kernels;
  {
    const std::lock_guard state(state_mutex_);
    kernels = kernels_;
  }
  std::erase_if(kernels, [&](const LiveKernel& live) {
    return !live.primary || !live.kernel->HasIo(tensor);
  });
  if (kernels.empty()) return none();
  if (kernels.size() > 1)
    return Invalid("the delegate is in use by several interpreters (", kernels.size(), ")");
  TERN_ASSIGN_OR_RETURN(const gpu::BufferRange range, engine_.opened().device->Import(number));
  BoundBuffer buffer = {number, range};
  for (const auto& [other, bound] : bound_) {
    if (bound.number == number) buffer = bound;  // one object, for all tensors that it stands for
  }
  TERN_RETURN_IF_ERROR(kernels[0].kernel->Bind(*kernels[0].context, tensor, buffer));
  bound_[tensor] = buffer;  // for when shapes change
  return absl::OkStatus();
}

absl::StatusOr<CompiledGraph> DelegateCore::CompileBound(const Snapshot& snapshot, Phases* phases) {
  if (bound_.empty() || !IsPrimary(snapshot.context())) return Compile(snapshot, {}, phases);
  TERN_RETURN_IF_ERROR(CheckBound(*snapshot.context(), bound_, snapshot.quantized()));
  TERN_ASSIGN_OR_RETURN(CompiledGraph graph, Compile(snapshot, bound_, phases));
  TERN_RETURN_IF_ERROR(CheckIo(*snapshot.context(), bound_, graph));
  return graph;
}

absl::StatusOr<CompiledGraph> DelegateCore::Compile(const Snapshot& snapshot,
                                                    const BoundBuffers& bound, Phases* phases) {
  TfLiteContext* const context = snapshot.context();
  TERN_ASSIGN_OR_RETURN(const gpu::Precision precision, ChoosePrecision(options_));
  {
    const std::lock_guard lock(state_mutex_);
    identity_.precision = gpu::PrecisionName(precision);
  }
  const EngineChoice::Log log = [context](const std::string& line) {
    context->ReportError(context, "%s\n", line.c_str());
  };
  PhaseTimer timer(phases, Phase::kOpen);
  TERN_RETURN_IF_ERROR(engine_.Open(log));
  timer.End();
  const auto compile_on = [&](const gpu::OpenedDevice& opened, int min_nodes) {
    Target target;
    target.opened = opened;
    target.table = &gpu::GpuLoweringTable();
    target.options = options_.compile;
    target.options.precision = precision;
    target.options.activations = ChooseActivations(options_);
    target.options.quantized = snapshot.quantized();
    target.max_partitions = options_.max_partitions();
    target.list = options_.list;
    target.lists = lists_;
    if (!IsPrimary(context)) target.lists.slower.clear();
    target.least_gain_us = options_.least_gain_us;
    target.plan_only = options_.plan_only;
    target.bound = bound;
    target.rebinds = options_.binds_later;
    target.store = store_;
    target.cache = cache_;
    target.tuner = tuner_ && !options_.plan_only ? &*tuner_ : nullptr;
    target.phases = phases;
    return CompileGraph(snapshot, target, min_nodes);
  };
  TERN_ASSIGN_OR_RETURN(CompiledGraph graph, compile_on(engine_.opened(), 0));
  while (!graph.failure.ok() && engine_.HasNext()) {
    timer.Next(Phase::kOpen);
    absl::StatusOr<gpu::OpenedDevice> next = engine_.OpenNext();
    timer.End();
    if (!next.ok()) {
      engine_.SkipNext(StrCat("cannot be opened (", Message(next.status()), ")"));
      continue;
    }
    TERN_ASSIGN_OR_RETURN(CompiledGraph other, compile_on(*next, graph.delegated() + 1));
    if (other.delegated() > graph.delegated()) {
      engine_.TakeNext(std::move(next).value(), graph.failure, log);
      graph = std::move(other);
    } else {
      engine_.SkipNext("takes no more nodes");
    }
  }
  if (graph.delegated() > 0) engine_.Settle();
  const gpu::DeviceInfo& device = engine_.opened().device->info();
  if (options_.compile.sums == gpu::Precision::kF16 && !device.half_math)
    graph.warnings.push_back(
        StrCat("GPU: ", device.name, " has no sums of halves, these are floats"));
  return graph;
}

void DelegateCore::LogSummary(TfLiteContext* context, const CompiledGraph& graph) {
  for (const std::string& line : graph.warnings) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "%s", line.c_str());
  }
  for (const Refusal& refusal : graph.support.refused) {
    const bool denied = refusal.refusal_reason.reason == Reason::kDenied ||
                        refusal.refusal_reason.reason == Reason::kMeasuredSlower;
    if (refusal.builtin_code == kTfLiteBuiltinDelegate || denied) continue;
    if (!reported_codes_.insert(refusal.builtin_code).second) continue;
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "op code #%d cannot be handled by this delegate.",
                    refusal.builtin_code);
  }
  const std::string text =
      RefusalText(graph.support.refused, graph.delegated(), graph.support.total());
  if (!text.empty()) context->ReportError(context, "%s\n", text.c_str());
}

void DelegateCore::LeaveToCpu(const std::vector<int>& nodes) {
  const std::lock_guard lock(apply_mutex_);
  lists_.slower.insert(nodes.begin(), nodes.end());
}

absl::Status DelegateCore::SetNodeLists(const char* allow, const char* deny) {
  gpu::NodeLists lists;
  TERN_ASSIGN_OR_RETURN(lists.allow,
                        gpu::NodeList::Parse("allow list", allow == nullptr ? "" : allow));
  TERN_ASSIGN_OR_RETURN(lists.deny, gpu::NodeList::Parse("deny list", deny == nullptr ? "" : deny));
  const std::lock_guard lock(apply_mutex_);
  if (applied_) return absl::FailedPreconditionError("ModifyGraphWithDelegate came before");
  lists.slower = std::move(lists_.slower);
  lists_ = std::move(lists);
  return absl::OkStatus();
}

// Each entry once, whatever graphs follow.
void DelegateCore::WarnOfEntries(const Snapshot& snapshot) {
  if (!IsPrimary(snapshot.context())) return;
  for (const gpu::NodeList* list : {&lists_.allow, &lists_.deny}) {
    for (const std::string& line : list->NamingNothing(snapshot.tensors(), snapshot.nodes())) {
      if (!reported_entries_.insert(line).second) continue;
      TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "%s", line.c_str());
      const std::lock_guard lock(state_mutex_);
      identity_.warnings.push_back(line);
    }
  }
}

absl::Status DelegateCore::ApplyLocked(TfLiteContext* context, TfLiteDelegate* delegate,
                                       const TfLiteRegistration& registration) {
  if (IsPrimary(context)) unrolled_.clear();
  // The nodes of an unrolled graph run within another one; plans of their own would waste memory.
  if (unrolled_.count(context) != 0) return absl::OkStatus();
  const Stopwatch watch;
  Phases phases = std::exchange(opening_, {});
  int64_t opening_nanos = 0;
  for (const PhaseSpan& span : phases) opening_nanos += span.nanos;
  PhaseTimer timer(&phases, Phase::kRead);
  TERN_ASSIGN_OR_RETURN(const Snapshot snapshot,
                        Snapshot::Read(context, gpu::GpuLoweringTable(),
                                       options_.Has(TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT)));
  timer.End();
  WarnOfEntries(snapshot);
  absl::StatusOr<CompiledGraph> compiled = CompileBound(snapshot, &phases);
  ShowEngine();
  if (!compiled.ok()) return compiled.status();
  LogSummary(context, *compiled);
  AppliedGraph summary = Summary(context, *compiled);
  summary.init = std::move(phases);
  summary.init_nanos = opening_nanos + watch.nanos();
  Record(std::move(summary));
  if (options_.plan_only) {
    unrolled_.insert(compiled->unrolled.begin(), compiled->unrolled.end());
    return absl::OkStatus();
  }
  ready_ = std::move(compiled->parts);
  if (!ready_.empty()) {
    // The documented line about an API that is in use.
    LogOnce(StrCat("Initialized ", gpu::BackendLabel(engine_.opened().device->info().api),
                   "-based API."));
    const std::lock_guard lock(state_mutex_);
    const gpu::Plan& plan = ready_.front().executor->plan();
    identity_.slice_width = plan.tuning.slice_width;
    identity_.precision = gpu::PrecisionName(plan.storage.weights);
  }
  const TfLiteStatus replaced = Replace(context, delegate, registration, ready_);
  ready_.clear();
  if (replaced != kTfLiteOk) return absl::InternalError("the runtime refused the delegate's nodes");
  unrolled_.insert(compiled->unrolled.begin(), compiled->unrolled.end());
  return absl::OkStatus();
}

TfLiteStatus DelegateCore::Apply(TfLiteContext* context, TfLiteDelegate* delegate,
                                 const TfLiteRegistration& registration) {
  const std::lock_guard lock(apply_mutex_);
  const absl::Status status = ApplyLocked(context, delegate, registration);
  store_->Clear();
  if (!status.ok()) {
    const std::string text(Message(status));
    context->ReportError(context, "TfLiteGpuDelegate Init: %s\n", text.c_str());
  }
  size_t live = 0;
  {
    const std::lock_guard state(state_mutex_);
    live = kernels_.size();
  }
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_INFO, "Created %d GPU delegate kernels.",
                  static_cast<int>(live));
  applied_ = applied_ || status.ok();
  if (status.ok()) return kTfLiteOk;
  context->ReportError(context, "TfLiteGpuDelegate Prepare: delegate is not initialized\n");
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "GPU: the graph stays on the CPU");
  return kTfLiteDelegateError;
}

std::unique_ptr<DelegateKernel> DelegateCore::TakeKernel(const TfLiteContext* context,
                                                         const TfLiteDelegateParams& params) {
  const gpu::Partition wanted = PartitionOf(params);
  for (CompiledPartition& part : ready_) {
    if (part.executor == nullptr || !(part.partition == wanted)) continue;
    std::optional<gpu::HalfGuard> guard;
    if (part.rebuild != nullptr) {
      guard.emplace(std::move(part.rebuild), [this, context](const gpu::PromotedNode& node) {
        RecordPromoted(context, node);
      });
    }
    auto kernel = std::make_unique<DelegateKernel>(
        part.inputs, part.outputs, std::move(part.executor), run_log_, std::move(guard), cache_);
    if (part.rebind != nullptr) {
      kernel->AllowBinding(std::move(part.rebind), std::move(part.shared), bound_);
    }
    return kernel;
  }
  return nullptr;
}

void DelegateCore::Record(AppliedGraph graph) {
  const std::lock_guard lock(state_mutex_);
  std::erase_if(graphs_, [&](const AppliedGraph& g) { return g.context == graph.context; });
  if (graphs_.size() == kMaxGraphs) graphs_.erase(graphs_.begin());
  graphs_.push_back(std::move(graph));
}

void DelegateCore::RecordPromoted(const TfLiteContext* context, const gpu::PromotedNode& node) {
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING,
                  "GPU: %s: halves do not hold its results (NaN, or beyond 65504); it is computed "
                  "in floats from now on",
                  node.label.c_str());
  const std::lock_guard lock(state_mutex_);
  for (AppliedGraph& graph : graphs_) {
    if (graph.context == context) graph.promoted.push_back(node);
  }
}

void DelegateCore::KernelCreated(TfLiteContext* context, DelegateKernel* kernel) {
  const bool primary = IsPrimary(context);  // the runtime shows graphs to a delegate only now
  const std::lock_guard lock(state_mutex_);
  kernels_.push_back({context, kernel, primary});
}

void DelegateCore::KernelFreed(const TfLiteContext* context, const DelegateKernel* kernel) {
  const std::lock_guard lock(state_mutex_);
  std::erase_if(kernels_, [&](const LiveKernel& live) { return live.kernel == kernel; });
  const auto in_graph = [&](const LiveKernel& live) { return live.context == context; };
  if (std::any_of(kernels_.begin(), kernels_.end(), in_graph)) return;
  std::erase_if(graphs_, [&](const AppliedGraph& g) { return g.context == context; });
}

const std::vector<TfLiteGpuNodeDecision>& DelegateCore::Decisions() {
  static thread_local std::vector<Explanation> explanations;  // as for the report
  static thread_local std::vector<TfLiteGpuNodeDecision> decisions;
  explanations.clear();
  decisions.clear();
  {
    const std::lock_guard lock(state_mutex_);
    for (const AppliedGraph& graph : graphs_) explanations.push_back(graph.explanation);
  }
  for (const Explanation& explanation : explanations) {
    for (const Decision& decision : explanation.decisions)
      decisions.push_back(ToC(explanation.subgraph, decision));
  }
  return decisions;
}

const char* DelegateCore::Report() {
  // Each thread has its own: another one may ask while this one still reads.
  static thread_local std::string report;
  const std::lock_guard lock(state_mutex_);
  report = ReportJson(identity_, graphs_,
                      {run_log_->first_nanos(), run_log_->trace(), run_log_->kept()});
  return report.c_str();
}

}  // namespace tern::delegate
