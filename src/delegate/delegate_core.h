// SPDX-License-Identifier: Apache-2.0
// The state of one delegate. Its kernels hold references, so it outlives the delegate's deletion
// for as long as an interpreter still runs on it.
#ifndef TERN_DELEGATE_DELEGATE_CORE_H_
#define TERN_DELEGATE_DELEGATE_CORE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "base/files.h"
#include "delegate/bound_buffers.h"
#include "delegate/delegate_kernel.h"
#include "delegate/engine.h"
#include "delegate/options.h"
#include "delegate/partitions.h"
#include "delegate/report.h"
#include "gpu/device/buffer_store.h"
#include "gpu/partition/plan_cache.h"
#include "gpu/partition/plan_tuner.h"
#include "gpu/partition/run_log.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/delegates/gpu/decisions.h"

namespace tern::delegate {

class DelegateCore {
 public:
  // Warns about requests without effect.
  explicit DelegateCore(const DelegateOptions& options,
                        EngineChoice::Opener opener = gpu::OpenDevice);
  // Creates a core over an open device. `files`, if given, replace those of the system.
  DelegateCore(const DelegateOptions& options, gpu::OpenedDevice opened, Files* files = nullptr);

  // Opens the first backend that can be opened, once; an error says why none can.
  absl::Status OpenBackend();

  // Makes a buffer of the application the memory of a tensor. The first call takes the device that
  // `open` gives, which shares buffers with what the application uses on the calling thread; null:
  // the core was created over such a device. An error when there is no such device or buffer, and
  // once the delegate was applied.
  using OpenSharing = std::function<absl::StatusOr<gpu::OpenedDevice>()>;
  absl::Status BindBuffer(int tensor, const gpu::SharedBuffer& buffer, const OpenSharing& open);

  // Binds a buffer after the delegate was applied, for an input or output of the part on the GPU; a
  // buffer that was bound before is no longer used. Runs on other threads must have ended. Errors:
  // the tensor is none of those, or nodes on the CPU use it as well; the buffer is too short;
  // several interpreters use the delegate.
  absl::Status BindBufferLater(int tensor, uint64_t number);
  // The function that chose the backend, by its name.
  bool created_by(std::string_view function) const { return options_.backend_option == function; }
  // The next run goes into this command buffer (RunHow::into).
  void SetCommandBuffer(uint64_t number) { command_buffer_ = number; }
  // How the next run goes; takes the command buffer.
  RunHow TakeRunHow() { return {options_.waits, command_buffer_.exchange(0)}; }

  // Replaces the lists of the options. An error for malformed ones, and once the delegate was
  // applied.
  absl::Status SetNodeLists(const char* allow, const char* deny);
  // Adds nodes of the main graph that stay on the CPU from the next time on.
  void LeaveToCpu(const std::vector<int>& nodes);

  // The delegate's Prepare: finds nodes, compiles them, has them replaced by nodes with this
  // registration. Where the backend that was chosen first fails at a node, the next one is tried on
  // the whole graph, and the one that takes more nodes stays for all graphs to come.
  // kTfLiteDelegateError with reports and one warning when no backend can be opened, the options
  // contradict each other, or a bound buffer has no place. Safe from several threads with different
  // contexts.
  TfLiteStatus Apply(TfLiteContext* context, TfLiteDelegate* delegate,
                     const TfLiteRegistration& registration);

  // The compiled partition for a node that the runtime makes inside Apply; null when there is none.
  std::unique_ptr<DelegateKernel> TakeKernel(const TfLiteContext* context,
                                             const TfLiteDelegateParams& params);
  // A node's kernel came to life, or went; the last one to go takes the graph out of the report.
  void KernelCreated(TfLiteContext* context, DelegateKernel* kernel);
  void KernelFreed(const TfLiteContext* context, const DelegateKernel* kernel);

  // Applied no more: nothing is kept for the next time.
  void Retire() { store_->Close(); }

  // Valid until the next call on the same thread.
  const char* Report();
  // The decisions about all graphs, valid as long as the report.
  const std::vector<TfLiteGpuNodeDecision>& Decisions();

 private:
  DelegateCore(DelegateOptions options, EngineChoice engine, Files* files);

  void ShowEngine();  // in the report
  absl::StatusOr<CompiledGraph> Compile(const Snapshot& snapshot, const BoundBuffers& bound,
                                        Phases* phases);
  absl::StatusOr<CompiledGraph> CompileBound(const Snapshot& snapshot, Phases* phases);
  absl::Status ApplyLocked(TfLiteContext* context, TfLiteDelegate* delegate,
                           const TfLiteRegistration& registration);
  void WarnOfEntries(const Snapshot& snapshot);
  void LogSummary(TfLiteContext* context, const CompiledGraph& graph);
  void Record(AppliedGraph graph);
  // Warns of it and has it in the report.
  void RecordPromoted(const TfLiteContext* context, const gpu::PromotedNode& node);

  const DelegateOptions options_;
  // Memory that kernels left behind, for those that replace them when shapes change. It is freed
  // when the delegate was applied again, and at the latest with the delegate.
  const std::shared_ptr<gpu::BufferStore> store_ = std::make_shared<gpu::BufferStore>();

  const std::shared_ptr<gpu::RunLog> run_log_;
  const std::shared_ptr<gpu::PlanCache> cache_;  // null: nothing is saved

  std::mutex apply_mutex_;  // held while a graph is looked at and changed
  EngineChoice engine_;
  BoundBuffers bound_;
  std::optional<gpu::PlanTuner> tuner_;  // where the options ask for it
  bool applied_ = false;                 // at least once
  Phases opening_;                       // of the device, before a graph was there
  std::vector<CompiledPartition> ready_;
  // Graphs of loops that the GPU runs within another graph, and joining graphs of its nodes, since
  // the first graph was looked at; compared, never read.
  std::set<const TfLiteContext*> unrolled_;
  gpu::NodeLists lists_;
  std::set<int> reported_codes_;
  std::set<std::string> reported_entries_;

  std::mutex state_mutex_;  // held for short looks at what follows
  Identity identity_;
  std::vector<AppliedGraph> graphs_;
  struct LiveKernel {
    TfLiteContext* context;
    DelegateKernel* kernel;
    bool primary;  // in the graph that the application sees
  };
  std::vector<LiveKernel> kernels_;
  std::atomic<uint64_t> command_buffer_ = 0;
};

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_DELEGATE_CORE_H_
