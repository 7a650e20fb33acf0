// SPDX-License-Identifier: Apache-2.0
// The base class, which has no delegate.
#import "TFLDelegate.h"

@implementation TFLDelegate

// For subclasses to replace; interpreters refuse it.
- (TFLCDelegate)cDelegate {
  return (TFLCDelegate _Nonnull)NULL;
}

@end
