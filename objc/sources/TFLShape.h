// SPDX-License-Identifier: Apache-2.0
// Shapes between NSArray and the C API.
#import <Foundation/Foundation.h>

#import "TFLErrors.h"
#include "tensorflow/lite/c/c_api.h"

NS_ASSUME_NONNULL_BEGIN

// The dimensions of a shape, to be freed by the caller; NULL with an error for what is no shape of
// a tensor with elements.
int *_Nullable TFLCopyDimensions(NSArray<NSNumber *> *_Nullable shape, TFLFace face,
                                 NSError *_Nullable *_Nullable error);

// Whether a resize to that shape changes nothing.
BOOL TFLHasDimensions(const TfLiteTensor *_Nullable tensor, const int *dimensions,
                      NSUInteger count);

// "[1, 2]"
NSString *TFLShapeText(NSArray<NSNumber *> *shape);

NS_ASSUME_NONNULL_END
