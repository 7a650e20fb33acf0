// SPDX-License-Identifier: Apache-2.0
// Values alone; the interpreter checks them.
#import "TFLInterpreterOptions.h"

@implementation TFLInterpreterOptions

@synthesize numberOfThreads = _numberOfThreads;
@synthesize useXNNPACK = _useXNNPACK;

- (instancetype)init {
  return [super init];
}

@end
