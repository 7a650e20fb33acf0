// SPDX-License-Identifier: Apache-2.0
// How far a graph of the model is: all that can run it share one object.
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

// The C API says neither whether a graph is ready nor whether it ran since a shape changed, and
// until memory is planned again the tensors may point to the memory of the old shapes.
@interface TFLGraphState : NSObject {
 @private
  BOOL _allocated;
  BOOL _invoked;
}

// Whether memory was planned for the shapes that the inputs have.
@property(nonatomic, readonly) BOOL allocated;

// Whether outputs are those of a run with these shapes.
@property(nonatomic, readonly) BOOL invoked;

- (void)changeShapes;
- (void)allocate:(BOOL)succeeded;
- (void)invoke:(BOOL)succeeded;

@end

NS_ASSUME_NONNULL_END
