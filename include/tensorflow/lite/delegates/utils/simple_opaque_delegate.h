// SPDX-License-Identifier: Apache-2.0
// A delegate from two classes, as simple_delegate.h, for code that sees runtime objects only
// through the opaque functions of c_api_opaque.h. Needs the C API library.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_UTILS_SIMPLE_OPAQUE_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_UTILS_SIMPLE_OPAQUE_DELEGATE_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "tensorflow/lite/core/c/c_api_opaque.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite {

using TfLiteOpaqueDelegateUniquePtr =
    std::unique_ptr<TfLiteOpaqueDelegate, void (*)(TfLiteOpaqueDelegate*)>;

// Runs one group of nodes.
class SimpleOpaqueDelegateKernelInterface {
 public:
  virtual ~SimpleOpaqueDelegateKernelInterface() = default;

  // Once, with the nodes, inputs and outputs of the group. Failing makes the delegation fail.
  virtual TfLiteStatus Init(TfLiteOpaqueContext* context,
                            const TfLiteOpaqueDelegateParams* params) = 0;
  // Whenever shapes may have changed.
  virtual TfLiteStatus Prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) = 0;
  virtual TfLiteStatus Eval(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) = 0;
};

// Chooses nodes and makes kernels for them. All groups of chosen nodes are taken.
class SimpleOpaqueDelegateInterface {
 public:
  virtual ~SimpleOpaqueDelegateInterface() = default;

  virtual bool IsNodeSupportedByDelegate(const TfLiteOperator* registration_external,
                                         const TfLiteOpaqueNode* node,
                                         TfLiteOpaqueContext* context) const = 0;
  // Before nodes are asked about.
  virtual TfLiteStatus Initialize(TfLiteOpaqueContext* context) = 0;
  // The name of the delegate and of its kernels. Must stay valid.
  virtual const char* Name() const = 0;
  virtual std::unique_ptr<SimpleOpaqueDelegateKernelInterface> CreateDelegateKernelInterface() = 0;

  virtual TfLiteStatus CopyFromBufferHandle(TfLiteOpaqueContext* /*context*/,
                                            TfLiteBufferHandle /*buffer_handle*/,
                                            TfLiteOpaqueTensor* /*tensor*/) {
    return kTfLiteError;
  }
  virtual TfLiteStatus CopyToBufferHandle(TfLiteOpaqueContext* /*context*/,
                                          TfLiteBufferHandle /*buffer_handle*/,
                                          const TfLiteOpaqueTensor* /*tensor*/) {
    return kTfLiteError;
  }
  virtual void FreeBufferHandle(TfLiteOpaqueContext* /*context*/, TfLiteBufferHandle* /*handle*/) {}
};

class TfLiteOpaqueDelegateFactory {
 public:
  // Owns `simple_delegate`; null for null. Freed by DeleteSimpleDelegate, which accepts null.
  // `flags` are bits of TfLiteDelegateFlags.
  static TfLiteOpaqueDelegate* CreateSimpleDelegate(
      std::unique_ptr<SimpleOpaqueDelegateInterface> simple_delegate,
      int64_t flags = kTfLiteDelegateFlagsNone);
  static void DeleteSimpleDelegate(TfLiteOpaqueDelegate* opaque_delegate);

  // The same, freed by the pointer.
  static TfLiteOpaqueDelegateUniquePtr Create(
      std::unique_ptr<SimpleOpaqueDelegateInterface> simple_delegate,
      int64_t flags = kTfLiteDelegateFlagsNone) {
    return TfLiteOpaqueDelegateUniquePtr(CreateSimpleDelegate(std::move(simple_delegate), flags),
                                         DeleteSimpleDelegate);
  }
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_UTILS_SIMPLE_OPAQUE_DELEGATE_H_
