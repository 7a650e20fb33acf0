// SPDX-License-Identifier: Apache-2.0
// Loads a model and runs it.
#import <Foundation/Foundation.h>

@class TFLDelegate;
@class TFLErrorLog;
@class TFLGraphState;
@class TFLInterpreterOptions;
@class TFLSignatureRunner;
@class TFLTensor;

NS_ASSUME_NONNULL_BEGIN

/**
 * Codes of errors in the domain `org.tensorflow.lite.interpreter`. The error's description names
 * the value, and closes with the runtime's own words where there are some.
 */
typedef NS_ENUM(NSUInteger, TFLInterpreterErrorCode) {
  /** There is no input or output at that index. */
  TFLInterpreterErrorCodeInvalidTensorIndex,
  /** The data has another number of bytes than the tensor. */
  TFLInterpreterErrorCodeInvalidInputByteSize,
  /** A shape is empty, or has a dimension that is no positive integer. */
  TFLInterpreterErrorCodeInvalidShape,
  /** The file cannot be read, or is no model. */
  TFLInterpreterErrorCodeFailedToLoadModel,
  /** The runtime lacks an operation of the model, an option is wrong, or a delegate failed. */
  TFLInterpreterErrorCodeFailedToCreateInterpreter,
  /** The run failed. */
  TFLInterpreterErrorCodeFailedToInvoke,
  /** The model leaves that input or output out. */
  TFLInterpreterErrorCodeFailedToGetTensor,
  /** The tensor has no shape, or elements that are no plain bytes. */
  TFLInterpreterErrorCodeInvalidTensor,
  /** The input is a constant of the model, or would be too large. */
  TFLInterpreterErrorCodeFailedToResizeInputTensor,
  /** The input is a constant of the model. */
  TFLInterpreterErrorCodeFailedToCopyDataToInputTensor,
  /** Data was to be copied into an output. */
  TFLInterpreterErrorCodeCopyDataToOutputTensorNotAllowed,
  /** The tensor has no data that the CPU can read. */
  TFLInterpreterErrorCodeFailedToGetDataFromTensor,
  /** The shapes do not fit the model, or memory ended. */
  TFLInterpreterErrorCodeFailedToAllocateTensors,
  /** The input has no memory yet, or a shape changed since it got some. */
  TFLInterpreterErrorCodeAllocateTensorsRequired,
  /** The output has no data yet, or a shape changed since the last run. */
  TFLInterpreterErrorCodeInvokeInterpreterRequired,
};

/** An interpreter of one model, for one thread at a time. */
@interface TFLInterpreter : NSObject {
 @private
  struct TfLiteInterpreter *_interpreter;
  TFLErrorLog *_log;
  TFLGraphState *_state;
  NSDictionary<NSString *, TFLGraphState *> *_states;
  NSArray<TFLDelegate *> *_delegates;
}

@property(nonatomic, readonly) NSUInteger inputTensorCount;
@property(nonatomic, readonly) NSUInteger outputTensorCount;

/** Keys of the model's signatures; empty for a model without. */
@property(nonatomic, readonly) NSArray<NSString *> *signatureKeys;

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

/** An interpreter with default options and without delegates. */
- (nullable instancetype)initWithModelPath:(NSString *)modelPath error:(NSError **)error;

- (nullable instancetype)initWithModelPath:(NSString *)modelPath
                                   options:(nullable TFLInterpreterOptions *)options
                                     error:(NSError **)error;

/**
 * An interpreter of the model in a file. Options of `nil` mean the defaults. Delegates are applied
 * in their order and retained as long as the interpreter lives.
 */
- (nullable instancetype)initWithModelPath:(NSString *)modelPath
                                   options:(nullable TFLInterpreterOptions *)options
                                 delegates:(nullable NSArray<TFLDelegate *> *)delegates
                                     error:(NSError **)error NS_DESIGNATED_INITIALIZER;

/** Runs the model once. Tensors must be allocated and inputs copied. */
- (BOOL)invokeWithError:(NSError **)error;

- (nullable TFLTensor *)inputTensorAtIndex:(NSUInteger)index error:(NSError **)error;

/** The data of the tensor is there after a run. */
- (nullable TFLTensor *)outputTensorAtIndex:(NSUInteger)index error:(NSError **)error;

/** Gives an input another shape. `allocateTensorsWithError:` must follow before the next run. */
- (BOOL)resizeInputTensorAtIndex:(NSUInteger)index
                         toShape:(NSArray<NSNumber *> *)shape
                           error:(NSError **)error;

/** Takes memory for all tensors: before inputs are copied, and after each change of a shape. */
- (BOOL)allocateTensorsWithError:(NSError **)error;

/** A runner of one signature. Each call makes a new one. */
- (nullable TFLSignatureRunner *)signatureRunnerWithKey:(NSString *)key error:(NSError **)error;

@end

NS_ASSUME_NONNULL_END
