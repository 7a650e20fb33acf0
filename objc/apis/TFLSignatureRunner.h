// SPDX-License-Identifier: Apache-2.0
// A named entry point of a model, whose inputs and outputs have names of their own.
#import <Foundation/Foundation.h>

@class TFLErrorLog;
@class TFLGraphState;
@class TFLInterpreter;
@class TFLTensor;

NS_ASSUME_NONNULL_BEGIN

/** The domain of the errors of signature runners and their tensors. */
FOUNDATION_EXPORT NSErrorDomain const TFLSignatureRunnerErrorDomain;

/** Codes of errors; the error's description names the value. */
typedef NS_ENUM(NSUInteger, TFLSignatureRunnerErrorCode) {
  /** The data has another number of bytes than the tensor. */
  TFLSignatureRunnerErrorCodeInvalidInputByteSize,
  /** A shape is empty, or has a dimension that is no positive integer. */
  TFLSignatureRunnerErrorCodeInvalidShape,
  /** The model has no signature of that key. */
  TFLSignatureRunnerErrorCodeFailedToCreateSignatureRunner,
  /** The run failed. */
  TFLSignatureRunnerErrorCodeFailedToInvoke,
  /** The signature has no input or output of that name. */
  TFLSignatureRunnerErrorCodeFailedToGetTensor,
  /** The tensor has no shape, or elements that are no plain bytes. */
  TFLSignatureRunnerErrorCodeInvalidTensor,
  /** The model does not leave that dimension open, or the tensor would be too large. */
  TFLSignatureRunnerErrorCodeFailedToResizeInputTensor,
  /** Data cannot be copied into the input: it has no memory yet, or is a constant of the model. */
  TFLSignatureRunnerErrorCodeFailedToCopyDataToInputTensor,
  /** Data was to be copied into an output. */
  TFLSignatureRunnerErrorCodeCopyDataToOutputTensorNotAllowed,
  /** The tensor has no data yet. */
  TFLSignatureRunnerErrorCodeFailedToGetDataFromTensor,
  /** The shapes do not fit the model, or memory ended. */
  TFLSignatureRunnerErrorCodeFailedToAllocateTensors,
};

/** Runs one signature of a model. It retains its interpreter, and is for one thread at a time. */
@interface TFLSignatureRunner : NSObject {
 @private
  TFLInterpreter *_interpreter;
  struct TfLiteSignatureRunner *_runner;
  TFLErrorLog *_log;
  TFLGraphState *_state;
  NSString *_signatureKey;
  NSArray<NSString *> *_inputs;
  NSArray<NSString *> *_outputs;
}

@property(nonatomic, readonly, copy) NSString *signatureKey;

/** Names of the inputs. */
@property(nonatomic, readonly, copy) NSArray<NSString *> *inputs;

/** Names of the outputs. */
@property(nonatomic, readonly, copy) NSArray<NSString *> *outputs;

/** An interpreter makes it: `signatureRunnerWithKey:error:`. */
- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (nullable TFLTensor *)inputTensorWithName:(NSString *)name error:(NSError **)error;

/** The data of the tensor is there after a run. */
- (nullable TFLTensor *)outputTensorWithName:(NSString *)name error:(NSError **)error;

/** Changes dimensions that the model leaves open. `allocateTensorsWithError:` or a run follows. */
- (BOOL)resizeInputTensorWithName:(NSString *)name
                          toShape:(NSArray<NSNumber *> *)shape
                            error:(NSError **)error;

/** Takes memory. A new runner has it already, where the shapes of the model allow that. */
- (BOOL)allocateTensorsWithError:(NSError **)error;

/**
 * Takes memory where that is needed, copies the inputs and runs the signature. Inputs that are not
 * among them keep their data. Nothing is copied when one of them does not fit.
 */
- (BOOL)invokeWithInputs:(NSDictionary<NSString *, NSData *> *)inputs Error:(NSError **)error;

@end

NS_ASSUME_NONNULL_END
