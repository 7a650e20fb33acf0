// SPDX-License-Identifier: Apache-2.0
// The path of TensorFlow Lite's tree.
#import "../../../../../apis/TFLMetalDelegate.h"
