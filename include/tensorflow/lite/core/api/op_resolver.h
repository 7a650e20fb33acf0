// SPDX-License-Identifier: Apache-2.0
//
// How the interpreter finds the implementation of an operation.
#ifndef TERN_TENSORFLOW_LITE_CORE_API_OP_RESOLVER_H_
#define TERN_TENSORFLOW_LITE_CORE_API_OP_RESOLVER_H_

#include <functional>
#include <memory>
#include <vector>

#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite {

class OpResolverInternal;  // op_resolver_internal.h

namespace internal {
// C descriptions of operators that a resolver would share with its interpreters. Here every graph
// keeps its own, so there is nothing in it.
class OperatorsCache {};
}  // namespace internal

// Maps operations to registrations. A resolver must outlive the builder that uses it; interpreters
// keep copies of the registrations.
class OpResolver {
 public:
  // The registration for an operation and version; null if unknown.
  virtual const TfLiteRegistration* FindOp(tflite::BuiltinOperator op, int version) const = 0;
  virtual const TfLiteRegistration* FindOp(const char* op, int version) const = 0;

  // Delegates that are applied by default before the first allocation; made through the creators.
  using TfLiteDelegatePtrVector =
      std::vector<std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>>;
  using TfLiteDelegateCreator =
      std::function<std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>(TfLiteContext*)>;
  using TfLiteDelegateCreators = std::vector<TfLiteDelegateCreator>;
  using TfLiteOpaqueDelegatePtr =
      std::unique_ptr<TfLiteOpaqueDelegate, void (*)(TfLiteOpaqueDelegate*)>;
  using TfLiteOpaqueDelegateCreator = std::function<TfLiteOpaqueDelegatePtr(int num_threads)>;
  using TfLiteOpaqueDelegateCreators = std::vector<TfLiteOpaqueDelegateCreator>;

  // Obsolete: always empty.
  virtual TfLiteDelegatePtrVector GetDelegates(int num_threads) const {
    (void)num_threads;
    return {};
  }
  virtual TfLiteDelegateCreators GetDelegateCreators() const { return {}; }
  virtual TfLiteOpaqueDelegateCreators GetOpaqueDelegateCreators() const { return {}; }

  OpResolver() = default;
  virtual ~OpResolver() = default;
  OpResolver(const OpResolver&) = default;
  OpResolver& operator=(const OpResolver&) = default;

 private:
  friend class OpResolverInternal;
  // Whether FindOp may give registrations that the application made.
  virtual bool MayContainUserDefinedOps() const { return true; }
};

// The registration for an operator code of a model. kTfLiteError, with a report, for an unknown
// builtin or a custom operator without a name; an unknown custom operator gives kTfLiteError
// without a report and a null registration.
TfLiteStatus GetRegistrationFromOpCode(const OperatorCode* opcode, const OpResolver& op_resolver,
                                       ErrorReporter* error_reporter,
                                       const TfLiteRegistration** registration);

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_API_OP_RESOLVER_H_
