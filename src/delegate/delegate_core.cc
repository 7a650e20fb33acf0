// SPDX-License-Identifier: Apache-2.0
// From a runtime's graph to kernels on a device.
#include "delegate/delegate_core.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/array.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern::delegate {
namespace {

// Graphs without any kernel are never taken back by the runtime; this bounds how many are kept.
constexpr size_t kMaxGraphs = 64;

AppliedGraph Summary(const TfLiteContext* context, const NodeSupport& support,
                     const std::vector<CompiledPartition>& chosen) {
  AppliedGraph graph;
  graph.context = context;
  graph.nodes = support.total();
  graph.refused = support.refused;
  graph.partitions = static_cast<int>(chosen.size());
  for (const CompiledPartition& part : chosen) {
    graph.delegated += static_cast<int>(part.partition.nodes.size());
    graph.programs += part.executor->programs();
    graph.gpu_bytes += part.executor->gpu_bytes();
    graph.arena_bytes += part.executor->plan().arena_bytes;
    graph.dispatches += static_cast<int>(part.executor->plan().dispatches.size());
  }
  return graph;
}

TfLiteStatus Replace(TfLiteContext* context, TfLiteDelegate* delegate,
                     const TfLiteRegistration& registration,
                     const std::vector<CompiledPartition>& chosen) {
  std::vector<int> nodes;
  for (const CompiledPartition& part : chosen) {
    nodes.insert(nodes.end(), part.partition.nodes.begin(), part.partition.nodes.end());
  }
  if (nodes.empty()) return kTfLiteOk;
  std::sort(nodes.begin(), nodes.end());
  const tflite::IntArrayUniquePtr list(TfLiteIntArrayCreate(static_cast<int>(nodes.size())));
  if (list == nullptr) return kTfLiteError;
  std::copy(nodes.begin(), nodes.end(), list->data);
  return context->ReplaceNodeSubsetsWithDelegateKernels(context, registration, list.get(),
                                                        delegate);
}

}  // namespace

DelegateCore::DelegateCore(DelegateOptions options, gpu::OpenedDevice opened)
    : options_(std::move(options)) {
  if (opened.device != nullptr) {
    std::string api = opened.device->info().api;
    UseDevice(std::move(opened), std::move(api));
  }
  for (const std::string& line : RequestsWithoutEffect(options_)) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "%s", line.c_str());
  }
}

void DelegateCore::UseDevice(gpu::OpenedDevice opened, std::string engine) {
  opened_ = std::move(opened);
  identity_.engine = std::move(engine);
  identity_.device = opened_.device->info().name;
  identity_.driver = opened_.device->info().driver;
}

absl::Status DelegateCore::OpenBackend() {
  const std::lock_guard lock(state_mutex_);
  if (opened_.device != nullptr) return absl::OkStatus();
  std::string reasons;
  for (const std::string& backend : AllowedBackends(options_)) {
    absl::StatusOr<gpu::OpenedDevice> opened = gpu::OpenDevice(backend);
    if (!opened.ok()) {
      reasons += StrCat(reasons.empty() ? "" : "; ", backend, ": ", Message(opened.status()));
      continue;
    }
    UseDevice(std::move(opened).value(), backend);
    TFLITE_LOG_PROD_ONCE(tflite::TFLITE_LOG_INFO, "Initialized %s-based API.",
                         ApiName(opened_.device->info().api).c_str());
    return absl::OkStatus();
  }
  if (reasons.empty()) reasons = "no backend of this build is allowed by the options";
  return Unavailable("no usable GPU (", reasons, ")");
}

absl::StatusOr<Target> DelegateCore::MakeTarget() {
  TERN_ASSIGN_OR_RETURN(const gpu::Precision precision, ChoosePrecision(options_));
  TERN_RETURN_IF_ERROR(OpenBackend());
  const std::lock_guard lock(state_mutex_);
  identity_.precision = precision == gpu::Precision::kF16 ? "f16" : "f32";
  Target target;
  target.opened = opened_;
  target.table = &gpu::GpuLoweringTable();
  target.options = {precision, options_.slice_width, options_.fuse};
  return target;
}

void DelegateCore::Tell(TfLiteContext* context, const NodeSupport& support, int delegated) {
  for (const Refusal& refusal : support.refused) {
    if (refusal.builtin_code == kTfLiteBuiltinDelegate) continue;
    if (!told_codes_.insert(refusal.builtin_code).second) continue;
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "op code #%d cannot be handled by this delegate.",
                    refusal.builtin_code);
  }
  if (support.quantized && !told_quantized_ &&
      options_.Has(TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT)) {
    told_quantized_ = true;
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING,
                    "experimental_flags ENABLE_QUANT: operations on 8 bit tensors run on the CPU "
                    "in this version");
  }
  const std::string text = RefusalText(support.refused, delegated, support.total());
  if (!text.empty()) context->ReportError(context, "%s\n", text.c_str());
}

absl::Status DelegateCore::ApplyLocked(TfLiteContext* context, TfLiteDelegate* delegate,
                                       const TfLiteRegistration& registration) {
  TERN_ASSIGN_OR_RETURN(Target target, MakeTarget());
  Listing listing;
  if (options_.list) target.listing = &listing;
  const std::vector<gpu::GraphTensor> tensors = ReadTensors(*context);
  TERN_ASSIGN_OR_RETURN(NodeSupport support,
                        FindSupportedNodes(context, tensors, target.opened.device->info(),
                                           *target.table, target.options));
  TERN_ASSIGN_OR_RETURN(
      ready_, ChoosePartitions(context, tensors, target, options_.max_partitions(), &support));
  AppliedGraph graph = Summary(context, support, ready_);
  graph.listing = std::move(listing);
  Tell(context, support, graph.delegated);
  if (!ready_.empty()) {
    const std::lock_guard lock(state_mutex_);
    identity_.slice_width = ready_.front().executor->plan().tuning.slice_width;
  }
  Remember(std::move(graph));
  const TfLiteStatus replaced = Replace(context, delegate, registration, ready_);
  ready_.clear();
  if (replaced != kTfLiteOk) return absl::InternalError("the runtime refused the delegate's nodes");
  return absl::OkStatus();
}

TfLiteStatus DelegateCore::Apply(TfLiteContext* context, TfLiteDelegate* delegate,
                                 const TfLiteRegistration& registration) {
  const std::lock_guard lock(apply_mutex_);
  const absl::Status status = ApplyLocked(context, delegate, registration);
  if (!status.ok()) {
    const std::string text(Message(status));
    context->ReportError(context, "TfLiteGpuDelegate Init: %s\n", text.c_str());
    return kTfLiteDelegateError;
  }
  size_t live = 0;
  {
    const std::lock_guard state(state_mutex_);
    live = kernels_.size();
  }
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_INFO, "Created %d GPU delegate kernels.",
                  static_cast<int>(live));
  return kTfLiteOk;
}

std::unique_ptr<DelegateKernel> DelegateCore::TakeKernel(const TfLiteDelegateParams& params) {
  const Partition wanted = PartitionOf(params);
  for (CompiledPartition& part : ready_) {
    if (part.executor == nullptr || !(part.partition == wanted)) continue;
    return std::make_unique<DelegateKernel>(part.inputs, part.partition.outputs,
                                            std::move(part.executor));
  }
  return nullptr;
}

void DelegateCore::Remember(AppliedGraph graph) {
  const std::lock_guard lock(state_mutex_);
  std::erase_if(graphs_, [&](const AppliedGraph& g) { return g.context == graph.context; });
  if (graphs_.size() == kMaxGraphs) graphs_.erase(graphs_.begin());
  graphs_.push_back(std::move(graph));
}

void DelegateCore::KernelCreated(const TfLiteContext* context) {
  const std::lock_guard lock(state_mutex_);
  kernels_.insert(context);
}

void DelegateCore::KernelFreed(const TfLiteContext* context) {
  const std::lock_guard lock(state_mutex_);
  const auto one = kernels_.find(context);
  if (one != kernels_.end()) kernels_.erase(one);
  if (kernels_.count(context) != 0) return;
  std::erase_if(graphs_, [&](const AppliedGraph& g) { return g.context == context; });
}

const char* DelegateCore::Report() {
  const std::lock_guard lock(state_mutex_);
  report_ = ReportJson(identity_, graphs_);
  return report_.c_str();
}

}  // namespace tern::delegate
