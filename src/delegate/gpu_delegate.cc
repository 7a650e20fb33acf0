// SPDX-License-Identifier: Apache-2.0
// The documented C functions, the callbacks that the runtime calls, and the list of live delegates.
//
// An interpreter may outlive its delegate: it then still compares the pointer, and calls Prepare
// through it after a resize. So the struct behind a pointer is never freed. It returns to a queue
// once the last kernel is gone and is handed out again only after many others.
#include "delegate/gpu_delegate.h"

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/status.h"
#include "delegate/buffer_handles.h"
#include "delegate/delegate_kernel.h"
#include "delegate/options.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/delegates/gpu/decisions.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/node_lists.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern::delegate {
namespace {

constexpr size_t kRetiredHandles = 1024;

struct LiveDelegate {
  std::shared_ptr<DelegateCore> core;  // null: not alive
  DelegateForm form;
};

struct Registry {
  std::mutex mutex;
  std::map<const TfLiteDelegate*, LiveDelegate> live;
  std::deque<TfLiteDelegate*> retired;  // deleted, oldest first
};

// Never destroyed: interpreters may be, at the end of the process, after everything else.
Registry& TheRegistry() {
  static Registry* const registry = new Registry;
  return *registry;
}

LiveDelegate Find(const TfLiteDelegate* delegate) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.live.find(delegate);
  return found == registry.live.end() ? LiveDelegate() : found->second;
}

// The data of a runtime node.
struct KernelNode {
  std::shared_ptr<DelegateCore> core;
  TfLiteContext* context;
  TfLiteDelegate* handles_of;  // null: its tensors carry no handles
  std::unique_ptr<DelegateKernel> kernel;
};

TfLiteStatus Reported(TfLiteContext* context, const char* where, const absl::Status& status) {
  if (status.ok()) return kTfLiteOk;
  const std::string text(Message(status));
  context->ReportError(context, "TfLiteGpuDelegate %s: %s\n", where, text.c_str());
  return kTfLiteError;
}

void* Init(TfLiteContext* context, const char* buffer, size_t /*length*/) {
  const auto* params = reinterpret_cast<const TfLiteDelegateParams*>(buffer);
  if (params == nullptr) return nullptr;
  LiveDelegate live = Find(params->delegate);
  if (live.core == nullptr) return nullptr;
  std::unique_ptr<DelegateKernel> kernel = live.core->TakeKernel(context, *params);
  if (kernel == nullptr) {
    Reported(context, "Init",
             Invalid("the runtime cut the graph in another way than it announced"));
    return nullptr;
  }
  live.core->KernelCreated(context, kernel.get());
  TfLiteDelegate* const handles_of = live.form.has_handles ? params->delegate : nullptr;
  return new KernelNode{std::move(live.core), context, handles_of, std::move(kernel)};
}

void Free(TfLiteContext* /*context*/, void* buffer) {
  const std::unique_ptr<KernelNode> node(static_cast<KernelNode*>(buffer));
  if (node == nullptr) return;
  if (node->handles_of != nullptr) TakeHandlesBack(node->kernel.get());
  node->core->KernelFreed(node->context, node->kernel.get());
}

TfLiteStatus PrepareNode(TfLiteContext* context, TfLiteNode* node) {
  const auto* kernel = static_cast<const KernelNode*>(node->user_data);
  const absl::Status status = kernel == nullptr ? Invalid("delegate is not initialized")
                                                : kernel->kernel->Prepare(*context);
  if (!status.ok()) return Reported(context, "Prepare", status);
  if (kernel->handles_of != nullptr) GiveHandles(context, kernel->handles_of, kernel->kernel.get());
  return kTfLiteOk;
}

TfLiteStatus InvokeNode(TfLiteContext* context, TfLiteNode* node) {
  auto* kernel = static_cast<KernelNode*>(node->user_data);
  const absl::Status status = kernel == nullptr
                                  ? Invalid("delegate is not initialized")
                                  : kernel->kernel->Invoke(*context, kernel->core->TakeRunHow());
  return Reported(context, "Invoke", status);
}

TfLiteStatus CopyFrom(TfLiteContext* context, TfLiteDelegate* /*delegate*/,
                      TfLiteBufferHandle handle, TfLiteTensor* tensor) {
  return Reported(context, "CopyFromBufferHandle", CopyFromHandle(context, handle, tensor));
}

TfLiteStatus CopyTo(TfLiteContext* context, TfLiteDelegate* /*delegate*/, TfLiteBufferHandle handle,
                    TfLiteTensor* tensor) {
  return Reported(context, "CopyToBufferHandle", CopyToHandle(context, handle, tensor));
}

TfLiteRegistration KernelRegistration(const DelegateForm& form) {
  TfLiteRegistration registration{};
  registration.init = Init;
  registration.free = Free;
  registration.prepare = PrepareNode;
  registration.invoke = InvokeNode;
  registration.builtin_code = kTfLiteBuiltinDelegate;
  registration.custom_name = form.kernel_name;
  registration.version = 1;
  return registration;
}

TfLiteStatus PrepareDelegate(TfLiteContext* context, TfLiteDelegate* delegate) {
  const LiveDelegate live = Find(delegate);
  if (live.core == nullptr) {
    Reported(context, "Init", Invalid("the delegate was deleted"));
    return kTfLiteDelegateError;
  }
  return live.core->Apply(context, delegate, KernelRegistration(live.form));
}

}  // namespace

TfLiteDelegate* CreateDelegate(std::shared_ptr<DelegateCore> core, const DelegateForm& form) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  LogOnce(StrCat("Created TensorFlow Lite delegate for ", form.api, "."));
  TfLiteDelegate* handle = nullptr;
  if (registry.retired.size() > kRetiredHandles) {
    handle = registry.retired.front();
    registry.retired.pop_front();
  } else {
    handle = new TfLiteDelegate;
  }
  *handle = TfLiteDelegate{};
  handle->Prepare = PrepareDelegate;
  handle->flags = form.flags;
  if (form.has_handles) {
    handle->CopyFromBufferHandle = CopyFrom;
    handle->CopyToBufferHandle = CopyTo;
  }
  // The owner of the handle is the last one who holds the core: the caller or a kernel.
  DelegateCore* const state = core.get();
  handle->data_ = state;
  std::shared_ptr<DelegateCore> owner(state, [core, handle](DelegateCore*) mutable {
    core.reset();
    Registry& r = TheRegistry();
    const std::lock_guard retired(r.mutex);
    r.retired.push_back(handle);
  });
  registry.live[handle] = {std::move(owner), form};
  return handle;
}

void DeleteDelegate(TfLiteDelegate* delegate) {
  if (delegate == nullptr) return;
  Registry& registry = TheRegistry();
  std::shared_ptr<DelegateCore> core;  // ends after the lock
  {
    const std::lock_guard lock(registry.mutex);
    const auto found = registry.live.find(delegate);
    if (found != registry.live.end()) {
      core = std::move(found->second.core);
      registry.live.erase(found);
      delegate->data_ = nullptr;
    }
  }
  if (core == nullptr) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING,
                    "a GPU delegate to be deleted is none, or was deleted before");
    return;
  }
  core->Retire();
}

std::shared_ptr<DelegateCore> FindCore(const TfLiteDelegate* delegate) {
  return Find(delegate).core;
}

absl::StatusOr<std::shared_ptr<DelegateCore>> FindCreatedBy(std::string_view function,
                                                            const TfLiteDelegate* delegate) {
  std::shared_ptr<DelegateCore> core = FindCore(delegate);
  if (core != nullptr && core->created_by(function)) return core;
  return Invalid("the delegate is none of ", function);
}

bool Succeeded(const char* function, const absl::Status& status) {
  if (status.ok()) return true;
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "%s: %s", function,
                  std::string(Message(status)).c_str());
  return false;
}

}  // namespace tern::delegate

extern "C" {

TfLiteGpuDelegateOptionsV2 TfLiteGpuDelegateOptionsV2Default(void) {
  TfLiteGpuDelegateOptionsV2 options{};
  options.is_precision_loss_allowed = -1;
  options.inference_preference = TFLITE_GPU_INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER;
  options.inference_priority1 = TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION;
  options.inference_priority2 = TFLITE_GPU_INFERENCE_PRIORITY_AUTO;
  options.inference_priority3 = TFLITE_GPU_INFERENCE_PRIORITY_AUTO;
  options.experimental_flags = TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT;
  options.max_delegated_partitions = 1;
  return options;
}

TfLiteDelegate* TfLiteGpuDelegateV2Create(const TfLiteGpuDelegateOptionsV2* options) {
  using namespace tern::delegate;
  return CreateDelegate(std::make_shared<DelegateCore>(FromDocumented(options)));
}

TfLiteDelegate* TfLiteGpuDelegateV2CreateAsync(const TfLiteGpuDelegateOptionsV2* /*options*/) {
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR,
                  "GPU delegate: no asynchronous runs (they need AHardwareBuffer of Android).");
  return nullptr;
}

void TfLiteGpuDelegateV2Delete(TfLiteDelegate* delegate) {
  tern::delegate::DeleteDelegate(delegate);
}

TfLiteStatus TfLiteGpuDelegateV2SetNodeLists(TfLiteDelegate* delegate, const char* allow,
                                             const char* deny) {
  const std::shared_ptr<tern::delegate::DelegateCore> core = tern::delegate::FindCore(delegate);
  const absl::Status status = core == nullptr
                                  ? tern::Invalid("the delegate is none of this library")
                                  : core->SetNodeLists(allow, deny);
  return tern::delegate::StatusOf("TfLiteGpuDelegateV2SetNodeLists", status);
}

TfLiteStatus TfLiteGpuDelegateV2LeaveToCpu(TfLiteDelegate* delegate, const int* nodes,
                                           size_t count) {
  const std::shared_ptr<tern::delegate::DelegateCore> core = tern::delegate::FindCore(delegate);
  absl::Status status;
  if (core == nullptr) status = tern::Invalid("the delegate is none of this library");
  if (nodes == nullptr && count != 0) status = tern::Invalid("no list of nodes");
  if (status.ok() && count != 0) core->LeaveToCpu({nodes, nodes + count});
  return tern::delegate::StatusOf("TfLiteGpuDelegateV2LeaveToCpu", status);
}

size_t TfLiteGpuDelegateV2Decisions(TfLiteDelegate* delegate,
                                    const TfLiteGpuNodeDecision** decisions) {
  if (decisions != nullptr) *decisions = nullptr;
  const std::shared_ptr<tern::delegate::DelegateCore> core = tern::delegate::FindCore(delegate);
  if (core == nullptr) return 0;
  const std::vector<TfLiteGpuNodeDecision>& all = core->Decisions();
  if (decisions != nullptr && !all.empty()) *decisions = all.data();
  return all.size();
}

const char* TfLiteGpuDelegateV2ReasonCode(TfLiteGpuReason reason) {
  const tern::delegate::ReasonRow* row = tern::delegate::FindRow(reason);
  return row == nullptr ? nullptr : row->code;
}

const char* TfLiteGpuDelegateV2ReasonMeaning(TfLiteGpuReason reason) {
  const tern::delegate::ReasonRow* row = tern::delegate::FindRow(reason);
  return row == nullptr ? nullptr : row->meaning;
}

const char* TfLiteGpuDelegateV2ReasonSuggestion(TfLiteGpuReason reason) {
  const tern::delegate::ReasonRow* row = tern::delegate::FindRow(reason);
  return row == nullptr ? nullptr : row->suggestion;
}

const char* TfLiteGpuDelegateV2Report(TfLiteDelegate* delegate) {
  const std::shared_ptr<tern::delegate::DelegateCore> core = tern::delegate::FindCore(delegate);
  return core == nullptr ? nullptr : core->Report();
}

}  // extern "C"
