// SPDX-License-Identifier: Apache-2.0
// All of the Objective-C API.
#import <Foundation/Foundation.h>

#import "TFLDelegate.h"
#import "TFLInterpreter.h"
#import "TFLInterpreterOptions.h"
#import "TFLQuantizationParameters.h"
#import "TFLSignatureRunner.h"
#import "TFLTensor.h"
// A package can leave the Metal delegate out.
#if __has_include("TFLMetalDelegate.h")
#import "TFLMetalDelegate.h"
#endif

NS_ASSUME_NONNULL_BEGIN

/** The version of the API that the library has. */
FOUNDATION_EXPORT NSString *const TFLVersion;

NS_ASSUME_NONNULL_END
