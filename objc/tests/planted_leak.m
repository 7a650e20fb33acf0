// SPDX-License-Identifier: Apache-2.0
// Loses an object: the analyzer must say so. It is no part of the tests' program.
#import <Foundation/Foundation.h>

NSUInteger Lose(void);

NSUInteger Lose(void) {
  NSMutableString *text = [[NSMutableString alloc] init];
  return text.length;
}
