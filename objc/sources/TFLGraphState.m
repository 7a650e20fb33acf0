// SPDX-License-Identifier: Apache-2.0
// Two flags that all users of a graph share.
#import "TFLGraphState.h"

@implementation TFLGraphState

@synthesize allocated = _allocated;
@synthesize invoked = _invoked;

- (void)changeShapes {
  _allocated = NO;
  _invoked = NO;
}

- (void)allocate:(BOOL)succeeded {
  _allocated = succeeded;
  _invoked = _invoked && succeeded;
}

- (void)invoke:(BOOL)succeeded {
  _invoked = succeeded;
}

@end
