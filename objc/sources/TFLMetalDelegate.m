// SPDX-License-Identifier: Apache-2.0
// Lies in a library of its own: it needs Metal, the rest does not.
#import "TFLMetalDelegate.h"

#import "tensorflow/lite/delegates/gpu/metal_delegate.h"

// By name: the two enumerations number them differently. NO for a number that names nothing.
static BOOL WaitTypeOf(TFLMetalDelegateThreadWaitType waitType, TFLGpuDelegateWaitType *result) {
  switch (waitType) {
    case TFLMetalDelegateThreadWaitTypeDoNotWait:
      *result = TFLGpuDelegateWaitTypeDoNotWait;
      return YES;
    case TFLMetalDelegateThreadWaitTypePassive:
      *result = TFLGpuDelegateWaitTypePassive;
      return YES;
    case TFLMetalDelegateThreadWaitTypeActive:
      *result = TFLGpuDelegateWaitTypeActive;
      return YES;
    case TFLMetalDelegateThreadWaitTypeAggressive:
      *result = TFLGpuDelegateWaitTypeAggressive;
      return YES;
  }
  NSLog(@"TFLMetalDelegateOptions.waitType is %lu; it must be from 0 to %lu.",
        (unsigned long)waitType, (unsigned long)TFLMetalDelegateThreadWaitTypeAggressive);
  return NO;
}

// NO, with a line in the log, for options that are none.
static BOOL COptionsOf(TFLMetalDelegateOptions *options, TFLGpuDelegateOptions *result) {
  *result = TFLGpuDelegateOptionsDefault();
  if (options == nil) return YES;
  if (![options isKindOfClass:[TFLMetalDelegateOptions class]]) {
    NSLog(@"options is a %@; it must be TFLMetalDelegateOptions.", [options class]);
    return NO;
  }
  result->allow_precision_loss = options.precisionLossAllowed;
  result->enable_quantization = options.quantizationEnabled;
  return WaitTypeOf(options.waitType, &result->wait_type);
}

@implementation TFLMetalDelegateOptions

@synthesize precisionLossAllowed = _precisionLossAllowed;
@synthesize waitType = _waitType;
@synthesize quantizationEnabled = _quantizationEnabled;

- (instancetype)init {
  self = [super init];
  if (self != nil) {
    _waitType = TFLMetalDelegateThreadWaitTypePassive;
    _quantizationEnabled = YES;
  }
  return self;
}

@end

@implementation TFLMetalDelegate

- (instancetype)init {
  return [self initWithOptions:nil];
}

- (instancetype)initWithOptions:(TFLMetalDelegateOptions *)options {
  self = [super init];
  if (self == nil) return nil;
  TFLGpuDelegateOptions cOptions;
  if (COptionsOf(options, &cOptions)) _delegate = TFLGpuDelegateCreate(&cOptions);
  if (_delegate == NULL) {
    [self release];
    return nil;
  }
  return self;
}

- (void)dealloc {
  TFLGpuDelegateDelete(_delegate);
  [super dealloc];
}

- (TFLCDelegate)cDelegate {
  return _delegate;
}

@end
