// SPDX-License-Identifier: Apache-2.0
// Values that a tensor fills in.
#import "TFLQuantizationParameters.h"

#import "TFLTensor+Internal.h"

@implementation TFLQuantizationParameters

@synthesize scale = _scale;
@synthesize zeroPoint = _zeroPoint;

- (instancetype)init {
  [self release];
  return nil;
}

+ (instancetype)new {
  return [[self alloc] init];
}

- (instancetype)initWithScale:(float)scale zeroPoint:(int32_t)zeroPoint {
  self = [super init];
  if (self != nil) {
    _scale = scale;
    _zeroPoint = zeroPoint;
  }
  return self;
}

@end
