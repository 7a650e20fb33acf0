// SPDX-License-Identifier: Apache-2.0
//
// The data that the runtime keeps about delegates. An application may delete a delegate before the
// interpreter, so after a delegate was handed in, the runtime calls it only through the copies kept
// here; the pointer itself is a name that is compared and passed on, never followed.
#ifndef TERN_RUNTIME_DELEGATE_RECORDS_H_
#define TERN_RUNTIME_DELEGATE_RECORDS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tern {

class DelegateRecord {
 public:
  // Copies the callbacks; `delegate` must be alive.
  explicit DelegateRecord(TfLiteDelegate* delegate);

  TfLiteDelegate* delegate() const { return delegate_; }
  int64_t flags() const { return is_opaque_ ? opaque_.flags : callbacks_.flags; }
  bool is_opaque() const { return is_opaque_; }
  void* opaque_data() const { return opaque_.data; }

  TfLiteStatus Prepare(TfLiteContext* context) const;
  // kTfLiteError if the delegate cannot copy.
  TfLiteStatus CopyFromBufferHandle(TfLiteContext* context, TfLiteTensor* tensor) const;
  // Does nothing if the delegate has no such callback.
  void FreeBufferHandle(TfLiteContext* context, TfLiteBufferHandle* handle) const;

 private:
  TfLiteDelegate* delegate_;
  TfLiteDelegate callbacks_;
  bool is_opaque_;
  TfLiteOpaqueDelegateBuilder opaque_ = {};
};

class DelegateRecords {
 public:
  // The record of a delegate that is alive now; an older one under the same address is replaced.
  const DelegateRecord* Add(TfLiteDelegate* delegate);
  // Null if `delegate` was never handed in.
  const DelegateRecord* Find(const TfLiteDelegate* delegate) const;

 private:
  std::vector<std::unique_ptr<DelegateRecord>> records_;
};

}  // namespace tern

#endif  // TERN_RUNTIME_DELEGATE_RECORDS_H_
