// SPDX-License-Identifier: Apache-2.0
// Custom ops that a program adds to its resolver by the name that its models use:
// resolver.AddCustom("Roll", tflite::ops::custom::Register_ROLL()). BuiltinOpResolver knows them,
// too, by the names that TensorFlow's converter gives. The pointers stay valid for the life of the
// program.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_CUSTOM_OPS_REGISTER_H_
#define TERN_TENSORFLOW_LITE_KERNELS_CUSTOM_OPS_REGISTER_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite {
namespace ops {
namespace custom {

TfLiteRegistration* Register_ATAN2();
TfLiteRegistration* Register_AVG_POOL_3D();
// The builtin ops under another name; HASHTABLE takes its options from a builtin node only.
TfLiteRegistration* Register_HASHTABLE();
TfLiteRegistration* Register_HASHTABLE_FIND();
TfLiteRegistration* Register_HASHTABLE_IMPORT();
TfLiteRegistration* Register_HASHTABLE_SIZE();
TfLiteRegistration* Register_IRFFT2D();
TfLiteRegistration* Register_MAX_POOL_3D();
TfLiteRegistration* Register_MULTINOMIAL();
TfLiteRegistration* Register_RANDOM_STANDARD_NORMAL();
TfLiteRegistration* Register_RANDOM_UNIFORM();
TfLiteRegistration* Register_RANDOM_UNIFORM_INT();
TfLiteRegistration* Register_ROLL();
TfLiteRegistration* Register_SIGN();
TfLiteRegistration* Register_TABLE();
// For models with the custom op UNIDIRECTIONAL_SEQUENCE_GRU.
TfLiteRegistration* Register_UNIDIRECTIONAL_SEQUENCE_GRU();

// Operators that the default resolver of TensorFlow Lite knows by itself.
TfLiteRegistration* Register_AUDIO_SPECTROGRAM();
TfLiteRegistration* Register_HADAMARD_ROTATION();
TfLiteRegistration* Register_MFCC();
TfLiteRegistration* Register_NUMERIC_VERIFY();

}  // namespace custom

namespace experimental {

// The same.
TfLiteRegistration* Register_UNIDIRECTIONAL_SEQUENCE_GRU();

}  // namespace experimental
}  // namespace ops
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_CUSTOM_OPS_REGISTER_H_
