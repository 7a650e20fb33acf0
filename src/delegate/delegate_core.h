// SPDX-License-Identifier: Apache-2.0
// The state of one delegate. Its kernels hold references, so it outlives the delegate's deletion
// for as long as an interpreter still runs on it.
#ifndef TERN_DELEGATE_DELEGATE_CORE_H_
#define TERN_DELEGATE_DELEGATE_CORE_H_

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "delegate/delegate_kernel.h"
#include "delegate/engine.h"
#include "delegate/options.h"
#include "delegate/partitions.h"
#include "delegate/report.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

class DelegateCore {
 public:
  // Warns about requests without effect.
  explicit DelegateCore(const DelegateOptions& options,
                        EngineChoice::Opener opener = gpu::OpenDevice);
  // The same for an open device, which is used instead of opening one.
  DelegateCore(const DelegateOptions& options, gpu::OpenedDevice opened);

  // Opens the first backend that can be opened, once; an error says why none can.
  absl::Status OpenBackend();

  // The delegate's Prepare: finds nodes, compiles them, has them replaced by nodes with this
  // registration. Where the backend that was chosen first fails at a node, the next one is tried on
  // the whole graph, and the one that takes more nodes stays for all graphs to come.
  // kTfLiteDelegateError with reports and one warning when no backend can be opened or the options
  // contradict each other. Safe from several threads with different contexts.
  TfLiteStatus Apply(TfLiteContext* context, TfLiteDelegate* delegate,
                     const TfLiteRegistration& registration);

  // The compiled partition for a node that the runtime makes inside Apply; null when there is none.
  std::unique_ptr<DelegateKernel> TakeKernel(const TfLiteDelegateParams& params);
  // A node's kernel came to life, or went; the last one to go takes the graph out of the report.
  void KernelCreated(const TfLiteContext* context);
  void KernelFreed(const TfLiteContext* context);

  // Valid until the next call.
  const char* Report();

 private:
  DelegateCore(DelegateOptions options, EngineChoice engine);

  void ShowEngine();  // in the report
  absl::StatusOr<CompiledGraph> Compile(TfLiteContext* context);
  absl::Status ApplyLocked(TfLiteContext* context, TfLiteDelegate* delegate,
                           const TfLiteRegistration& registration);
  void Tell(TfLiteContext* context, const CompiledGraph& graph);
  void Remember(AppliedGraph graph);

  const DelegateOptions options_;

  std::mutex apply_mutex_;  // held while a graph is looked at and changed
  EngineChoice engine_;
  std::vector<CompiledPartition> ready_;
  std::set<int> told_codes_;
  bool told_quantized_ = false;

  std::mutex state_mutex_;  // held for short looks at what follows
  Identity identity_;
  std::vector<AppliedGraph> graphs_;
  std::multiset<const TfLiteContext*> kernels_;  // of each live kernel
  std::string report_;
};

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_DELEGATE_CORE_H_
