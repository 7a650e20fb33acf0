// SPDX-License-Identifier: Apache-2.0
// Options of an interpreter.
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/** Options of an interpreter. They are read when the interpreter is made. */
@interface TFLInterpreterOptions : NSObject {
 @private
  NSUInteger _numberOfThreads;
  BOOL _useXNNPACK;
}

/** The most threads of the CPU that a run uses. 0, the default, leaves the number to the runtime.
 */
@property(nonatomic) NSUInteger numberOfThreads;

/** Accepted for older programs. The runtime has one set of fast CPU kernels and always uses it. */
@property(nonatomic) BOOL useXNNPACK;

- (instancetype)init NS_DESIGNATED_INITIALIZER;

@end

NS_ASSUME_NONNULL_END
