// SPDX-License-Identifier: Apache-2.0
// The newer spelling of tensorflow/lite/objc/apis.
#import "../../../../apis/TFLInterpreter.h"
