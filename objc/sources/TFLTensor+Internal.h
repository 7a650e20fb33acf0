// SPDX-License-Identifier: Apache-2.0
// How interpreters and signature runners make tensors, and how tensors ask them.
#import "TFLErrors.h"
#import "TFLGraphState.h"
#import "TFLQuantizationParameters.h"
#import "TFLTensor.h"
#include "tensorflow/lite/c/c_api.h"

NS_ASSUME_NONNULL_BEGIN

// An interpreter finds its tensors by index, a signature runner by key.
@protocol TFLTensorOwner <NSObject>

@property(nonatomic, readonly) TFLFace face;
@property(nonatomic, readonly) TFLGraphState *state;

// The tensor where it is now: the runtime moves tensors when a delegate adds some. NULL if there is
// none.
- (nullable TfLiteTensor *)cTensorOfInput:(BOOL)isInput
                                  atIndex:(NSUInteger)index
                                      key:(nullable NSString *)key;

@end

@interface TFLTensor (Internal)

// Without an error of its own when there is no such tensor: the owner knows how to name it.
+ (nullable TFLTensor *)tensorOf:(id<TFLTensorOwner>)owner
                         isInput:(BOOL)isInput
                           index:(NSUInteger)index
                             key:(nullable NSString *)key;

// Whether copyData:error: would take it, as far as that can be known before.
- (BOOL)canTakeData:(nullable NSData *)data error:(NSError **)error;

@end

@interface TFLQuantizationParameters (Internal)

- (instancetype)initWithScale:(float)scale zeroPoint:(int32_t)zeroPoint;

@end

NS_ASSUME_NONNULL_END
