// SPDX-License-Identifier: Apache-2.0
// The scale and zero point of a quantized tensor.
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/** real = scale * (stored - zeroPoint), for all elements of a tensor. */
@interface TFLQuantizationParameters : NSObject {
 @private
  float _scale;
  int32_t _zeroPoint;
}

@property(nonatomic, readonly) float scale;
@property(nonatomic, readonly) int32_t zeroPoint;

/** A tensor makes them: `quantizationParameters`. */
- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@end

NS_ASSUME_NONNULL_END
