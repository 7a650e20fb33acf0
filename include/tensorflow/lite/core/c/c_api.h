// SPDX-License-Identifier: Apache-2.0
// The C API: load a model, make an interpreter, set inputs, run, read outputs. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_CORE_C_C_API_H_
#define TERN_TENSORFLOW_LITE_CORE_C_C_API_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteModel TfLiteModel;
typedef struct TfLiteInterpreterOptions TfLiteInterpreterOptions;
typedef struct TfLiteInterpreter TfLiteInterpreter;
typedef struct TfLiteSignatureRunner TfLiteSignatureRunner;

// The name of TfLiteOperator in older programs.
typedef TfLiteOperator TfLiteRegistrationExternal;

// ---- Versions: static strings, and the number of the model schema.
TFL_CAPI_EXPORT const char* TfLiteVersion(void);
TFL_CAPI_EXPORT const char* TfLiteExtensionApisVersion(void);
TFL_CAPI_EXPORT int TfLiteSchemaVersion(void);

// ---- Models. The bytes are checked completely; NULL when they are no model. They are not copied
// and must outlive the model and its interpreters. The reporter is called with the reason; it and
// user_data must outlive the interpreters.
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreate(const void* model_data, size_t model_size);
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreateWithErrorReporter(
    const void* model_data, size_t model_size,
    void (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreateFromFile(const char* model_path);
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreateFromFileWithErrorReporter(
    const char* model_path, void (*reporter)(void* user_data, const char* format, va_list args),
    void* user_data);

// Accepts NULL. Interpreters that were made from the model keep what they need, except the bytes of
// the caller.
TFL_CAPI_EXPORT void TfLiteModelDelete(TfLiteModel* model);

// ---- Options. They may be deleted as soon as the interpreter is made; NULL is accepted by Delete.
TFL_CAPI_EXPORT TfLiteInterpreterOptions* TfLiteInterpreterOptionsCreate(void);
TFL_CAPI_EXPORT TfLiteInterpreterOptions* TfLiteInterpreterOptionsCopy(
    const TfLiteInterpreterOptions* from);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions* options);

// -1 leaves the choice to the runtime.
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions* options,
                                                           int32_t num_threads);

// Applied in the order of the calls. Not owned; must outlive the interpreter.
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions* options,
                                                         TfLiteOpaqueDelegate* delegate);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetErrorReporter(
    TfLiteInterpreterOptions* options,
    void (*reporter)(void* user_data, const char* format, va_list args), void* user_data);

// Registers the operation under its custom name and version. Not owned; must outlive the
// interpreter.
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddOperator(TfLiteInterpreterOptions* options,
                                                         TfLiteOperator* registration);

// Makes TfLiteInterpreterCancel work.
TFL_CAPI_EXPORT TfLiteStatus
TfLiteInterpreterOptionsEnableCancellation(TfLiteInterpreterOptions* options, bool enable);

// ---- Interpreters. NULL for a NULL model, or a delegate that fails. All built-in operations and
// those of the options (may be NULL) are known; a custom operation that is not is an error of
// TfLiteInterpreterAllocateTensors. Not thread-safe, but for TfLiteInterpreterCancel.
TFL_CAPI_EXPORT TfLiteInterpreter* TfLiteInterpreterCreate(
    const TfLiteModel* model, const TfLiteInterpreterOptions* optional_options);

// Accepts NULL.
TFL_CAPI_EXPORT void TfLiteInterpreterDelete(TfLiteInterpreter* interpreter);

// Inputs by position. Functions that take a position or a tensor index give NULL (Error) when it
// does not exist.
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetInputTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const int* TfLiteInterpreterInputTensorIndices(
    const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT TfLiteTensor* TfLiteInterpreterGetInputTensor(const TfLiteInterpreter* interpreter,
                                                              int32_t input_index);

// TfLiteInterpreterAllocateTensors must follow before the next run. The dimensions are copied.
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter* interpreter,
                                                                int32_t input_index,
                                                                const int* input_dims,
                                                                int32_t input_dims_size);

// Plans and takes memory; needed before tensor data is used. It may move the data of all tensors.
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter* interpreter);

// Runs the graph once.
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetOutputTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const int* TfLiteInterpreterOutputTensorIndices(
    const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const TfLiteTensor* TfLiteInterpreterGetOutputTensor(
    const TfLiteInterpreter* interpreter, int32_t output_index);

// By index in the graph, for tensors that are neither input nor output too.
TFL_CAPI_EXPORT TfLiteTensor* TfLiteInterpreterGetTensor(const TfLiteInterpreter* interpreter,
                                                         int index);

// Ends a run on another thread, which returns kTfLiteCancelled. Error unless the options enabled
// it.
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterCancel(const TfLiteInterpreter* interpreter);

// ---- Signatures: named entry points. Keys and names live as long as the interpreter; NULL for a
// bad position.
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const char* TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter* interpreter,
                                                             int32_t signature_index);

// NULL for an unknown key. Delete it before the interpreter.
TFL_CAPI_EXPORT TfLiteSignatureRunner* TfLiteInterpreterGetSignatureRunner(
    const TfLiteInterpreter* interpreter, const char* signature_key);
TFL_CAPI_EXPORT size_t
TfLiteSignatureRunnerGetInputCount(const TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT const char* TfLiteSignatureRunnerGetInputName(
    const TfLiteSignatureRunner* signature_runner, int32_t input_index);

// Changes only dimensions that the model leaves open (-1).
TFL_CAPI_EXPORT TfLiteStatus TfLiteSignatureRunnerResizeInputTensor(
    TfLiteSignatureRunner* signature_runner, const char* input_name, const int* input_dims,
    int32_t input_dims_size);
TFL_CAPI_EXPORT TfLiteStatus
TfLiteSignatureRunnerAllocateTensors(TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT TfLiteTensor* TfLiteSignatureRunnerGetInputTensor(
    TfLiteSignatureRunner* signature_runner, const char* input_name);
TFL_CAPI_EXPORT TfLiteStatus TfLiteSignatureRunnerInvoke(TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT size_t
TfLiteSignatureRunnerGetOutputCount(const TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT const char* TfLiteSignatureRunnerGetOutputName(
    const TfLiteSignatureRunner* signature_runner, int32_t output_index);
TFL_CAPI_EXPORT const TfLiteTensor* TfLiteSignatureRunnerGetOutputTensor(
    const TfLiteSignatureRunner* signature_runner, const char* output_name);

// ---- Tensors.
TFL_CAPI_EXPORT TfLiteType TfLiteTensorType(const TfLiteTensor* tensor);

// -1 when the tensor has no shape yet.
TFL_CAPI_EXPORT int32_t TfLiteTensorNumDims(const TfLiteTensor* tensor);
TFL_CAPI_EXPORT int32_t TfLiteTensorDim(const TfLiteTensor* tensor, int32_t dim_index);
TFL_CAPI_EXPORT size_t TfLiteTensorByteSize(const TfLiteTensor* tensor);

// NULL before memory was allocated.
TFL_CAPI_EXPORT void* TfLiteTensorData(const TfLiteTensor* tensor);
TFL_CAPI_EXPORT const char* TfLiteTensorName(const TfLiteTensor* tensor);
TFL_CAPI_EXPORT TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor* tensor);

// Copies the whole tensor; Error when the sizes differ, and for writing into a constant.
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor* tensor,
                                                        const void* input_data,
                                                        size_t input_data_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor* output_tensor,
                                                      void* output_data, size_t output_data_size);

// Accepts NULL.
TFL_CAPI_EXPORT void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner* signature_runner);

// ---- Older names, which bindings look up. An operation of them has no user data.
TFL_CAPI_EXPORT TfLiteRegistrationExternal* TfLiteRegistrationExternalCreate(
    TfLiteBuiltinOperator builtin_code, const char* custom_name, int version);
TFL_CAPI_EXPORT void TfLiteRegistrationExternalDelete(TfLiteRegistrationExternal* registration);
TFL_CAPI_EXPORT TfLiteBuiltinOperator
TfLiteRegistrationExternalGetBuiltInCode(const TfLiteRegistrationExternal* registration);
TFL_CAPI_EXPORT const char* TfLiteRegistrationExternalGetCustomName(
    const TfLiteRegistrationExternal* registration);
TFL_CAPI_EXPORT int TfLiteRegistrationExternalGetVersion(
    const TfLiteRegistrationExternal* registration);
TFL_CAPI_EXPORT void TfLiteRegistrationExternalSetInit(TfLiteRegistrationExternal* registration,
                                                       void* (*init)(TfLiteOpaqueContext* context,
                                                                     const char* buffer,
                                                                     size_t length));
TFL_CAPI_EXPORT void TfLiteRegistrationExternalSetFree(TfLiteRegistrationExternal* registration,
                                                       void (*free)(TfLiteOpaqueContext* context,
                                                                    void* data));
TFL_CAPI_EXPORT void TfLiteRegistrationExternalSetPrepare(
    TfLiteRegistrationExternal* registration,
    TfLiteStatus (*prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT void TfLiteRegistrationExternalSetInvoke(
    TfLiteRegistrationExternal* registration,
    TfLiteStatus (*invoke)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
// TfLiteInterpreterOptionsAddOperator.
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddRegistrationExternal(
    TfLiteInterpreterOptions* options, TfLiteRegistrationExternal* registration);
// TfLiteInterpreterOptionsAddDelegate.
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddOpaqueDelegate(
    TfLiteInterpreterOptions* options, struct TfLiteOpaqueDelegateStruct* opaque_delegate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_C_C_API_H_
