// SPDX-License-Identifier: Apache-2.0
// One table for the process, since the runtime asks by context and handle only.
#include "delegate/buffer_handles.h"

#include <map>
#include <mutex>
#include <utility>

#include "base/status.h"

namespace tern::delegate {
namespace {

struct Table {
  std::mutex mutex;
  std::map<std::pair<const TfLiteContext*, TfLiteBufferHandle>, DelegateKernel*> kernels;
};

// Never destroyed: interpreters may be, at the end of the process, after everything else.
Table& TheTable() {
  static Table* const table = new Table;
  return *table;
}

absl::StatusOr<DelegateKernel*> KernelOf(const TfLiteContext* context, TfLiteBufferHandle handle,
                                         const TfLiteTensor* tensor) {
  if (tensor == nullptr) return Invalid("no tensor");
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  const auto found = table.kernels.find({context, handle});
  if (found == table.kernels.end()) return Invalid("there is no buffer handle ", handle);
  return found->second;
}

}  // namespace

void GiveHandles(TfLiteContext* context, TfLiteDelegate* delegate, DelegateKernel* kernel) {
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  const auto give = [&](int index, bool is_output) {
    TfLiteTensor& tensor = context->tensors[index];
    if (!is_output && tensor.delegate != nullptr && tensor.delegate != delegate) return;
    tensor.delegate = delegate;
    tensor.buffer_handle = index;
    table.kernels[{context, index}] = kernel;
  };
  for (const int index : kernel->inputs()) give(index, false);
  for (const int index : kernel->outputs()) give(index, true);
}

void TakeHandlesBack(const DelegateKernel* kernel) {
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  std::erase_if(table.kernels, [kernel](const auto& entry) { return entry.second == kernel; });
}

absl::Status CopyFromHandle(const TfLiteContext* context, TfLiteBufferHandle handle,
                            TfLiteTensor* tensor) {
  TERN_ASSIGN_OR_RETURN(DelegateKernel* const kernel, KernelOf(context, handle, tensor));
  TERN_RETURN_IF_ERROR(kernel->CopyOut(handle, tensor->data.raw, tensor->bytes));
  tensor->data_is_stale = false;
  return absl::OkStatus();
}

absl::Status CopyToHandle(const TfLiteContext* context, TfLiteBufferHandle handle,
                          const TfLiteTensor* tensor) {
  TERN_ASSIGN_OR_RETURN(DelegateKernel* const kernel, KernelOf(context, handle, tensor));
  return kernel->CopyIn(handle, tensor->data.raw, tensor->bytes);
}

}  // namespace tern::delegate
