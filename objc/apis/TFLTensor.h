// SPDX-License-Identifier: Apache-2.0
// An input or output of an interpreter or of a signature.
#import <Foundation/Foundation.h>

@class TFLQuantizationParameters;
@protocol TFLTensorOwner;

NS_ASSUME_NONNULL_BEGIN

/** The type of a tensor's elements. The numbers are not those of the C API. */
typedef NS_ENUM(NSUInteger, TFLTensorDataType) {
  /** No type, or one that has no name here, as strings. */
  TFLTensorDataTypeNoType = 0,
  TFLTensorDataTypeFloat32 = 1,
  TFLTensorDataTypeFloat16 = 2,
  TFLTensorDataTypeInt32 = 3,
  TFLTensorDataTypeUInt8 = 4,
  TFLTensorDataTypeInt64 = 5,
  TFLTensorDataTypeBool = 6,
  TFLTensorDataTypeInt16 = 7,
  TFLTensorDataTypeInt8 = 8,
  TFLTensorDataTypeFloat64 = 9,
  TFLTensorDataTypeBFloat16 = 10,
};

/**
 * A handle of an input or output. It stays valid as long as it is retained, and retains its
 * interpreter for that time. It holds no data: each call asks the interpreter.
 */
@interface TFLTensor : NSObject {
 @private
  id<TFLTensorOwner> _owner;
  NSUInteger _index;
  NSString *_key;
  BOOL _isInput;
  NSString *_name;
  TFLTensorDataType _dataType;
  TFLQuantizationParameters *_quantizationParameters;
}

/** The name in the graph, which can differ from that in a signature. */
@property(nonatomic, readonly, copy) NSString *name;

@property(nonatomic, readonly) TFLTensorDataType dataType;

/** `nil` for a tensor without one scale for all elements. */
@property(nonatomic, readonly, nullable) TFLQuantizationParameters *quantizationParameters;

/** A tensor comes from an interpreter or a signature runner. */
- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

/**
 * Copies data into an input; the number of bytes must be exactly that of the tensor. Memory must
 * have been allocated since the last change of a shape.
 */
- (BOOL)copyData:(NSData *)data error:(NSError **)error;

/** A copy of the data. For an output a run must have succeeded since the last change of a shape. */
- (nullable NSData *)dataWithError:(NSError **)error;

/** The dimensions; empty for a scalar. An output's can change with each run. */
- (nullable NSArray<NSNumber *> *)shapeWithError:(NSError **)error;

@end

NS_ASSUME_NONNULL_END
