// SPDX-License-Identifier: Apache-2.0
// The version, as the headers of the C API have it.
#import "TFLTensorFlowLite.h"

#include "tensorflow/lite/version.h"

NSString *const TFLVersion = @TFLITE_VERSION_STRING;
