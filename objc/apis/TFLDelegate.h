// SPDX-License-Identifier: Apache-2.0
// A delegate: it takes over parts of a model's graph, as a GPU does.
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/** A delegate of the C API, `TfLiteDelegate *`. */
typedef void *TFLCDelegate;

/**
 * The base class of delegates. An application that has a delegate of the C API makes a subclass
 * that returns it; the subclass keeps it until it is deallocated.
 */
@interface TFLDelegate : NSObject

/** The delegate of the C API. The base class has none: an interpreter refuses it. */
@property(nonatomic, readonly) TFLCDelegate cDelegate;

@end

NS_ASSUME_NONNULL_END
