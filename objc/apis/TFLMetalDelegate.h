// SPDX-License-Identifier: Apache-2.0
// The delegate that runs graphs on Apple's GPUs.
#import <Foundation/Foundation.h>

#import "TFLDelegate.h"

NS_ASSUME_NONNULL_BEGIN

/** How a run waits for the GPU. The numbers are not those of the C API. */
typedef NS_ENUM(NSUInteger, TFLMetalDelegateThreadWaitType) {
  /** Does not wait: outputs that are read on the CPU are undefined. */
  TFLMetalDelegateThreadWaitTypeDoNotWait = 0,
  /** Sleeps until the work is done. */
  TFLMetalDelegateThreadWaitTypePassive = 1,
  /** Spins: less latency, more power. */
  TFLMetalDelegateThreadWaitTypeActive = 2,
  /** Spins and keeps the GPU awake between runs. */
  TFLMetalDelegateThreadWaitTypeAggressive = 3,
};

/** Options of a Metal delegate. They are read when the delegate is made. */
@interface TFLMetalDelegateOptions : NSObject {
 @private
  BOOL _precisionLossAllowed;
  BOOL _quantizationEnabled;
  TFLMetalDelegateThreadWaitType _waitType;
}

/** Whether the GPU may compute in half precision. `NO` unless set. */
@property(nonatomic, getter=isPrecisionLossAllowed) BOOL precisionLossAllowed;

/** How a run waits for the GPU. `TFLMetalDelegateThreadWaitTypePassive` unless set. */
@property(nonatomic) TFLMetalDelegateThreadWaitType waitType;

/** Whether quantized models run on the GPU, in floating point. `YES` unless set. */
@property(nonatomic, getter=isQuantizationEnabled) BOOL quantizationEnabled;

@end

/** A delegate over Metal, for one interpreter. The interpreter retains it. */
@interface TFLMetalDelegate : TFLDelegate {
 @private
  TFLCDelegate _delegate;
}

/** A delegate with default options. */
- (nullable instancetype)init;

/**
 * A delegate with these options; `nil` means the defaults. Returns `nil`, with a line in the log
 * that names the value, for a wait type that does not exist, and where Metal makes no delegate.
 */
- (nullable instancetype)initWithOptions:(nullable TFLMetalDelegateOptions *)options
    NS_DESIGNATED_INITIALIZER;

@end

NS_ASSUME_NONNULL_END
