// SPDX-License-Identifier: Apache-2.0
// An application as it is written with reference counting by the compiler; it is compiled, not run.
// TERN_MODULE: it imports the module instead of headers. TERN_TREE: headers by the paths of
// TensorFlow Lite's tree.
#ifdef TERN_MODULE
@import TFLTensorFlowLite;
#elif defined(TERN_TREE)
#import "tensorflow/lite/objc/apis/TFLInterpreter.h"
#import "tensorflow/lite/objc/apis/TFLInterpreterOptions.h"
#import "tensorflow/lite/objc/apis/TFLMetalDelegate.h"
#import "tensorflow/lite/objc/apis/TFLQuantizationParameters.h"
#import "tensorflow/lite/objc/apis/TFLSignatureRunner.h"
#import "tflite/objc/apis/TFLTensor.h"
#elif defined(TERN_TREE_UMBRELLA)
#import "tensorflow/lite/objc/apis/TFLTensorFlowLite.h"
#elif defined(TERN_UMBRELLA)
#import "TFLTensorFlowLite.h"
#else
#import "TFLInterpreter.h"
#import "TFLInterpreterOptions.h"
#import "TFLMetalDelegate.h"
#import "TFLQuantizationParameters.h"
#import "TFLSignatureRunner.h"
#import "TFLTensor.h"
#endif

NSData *Classify(NSString *path, NSData *picture, NSError **error);

NSData *Classify(NSString *path, NSData *picture, NSError **error) {
  TFLInterpreterOptions *options = [[TFLInterpreterOptions alloc] init];
  options.numberOfThreads = 2;
  TFLMetalDelegateOptions *metal = [[TFLMetalDelegateOptions alloc] init];
  metal.waitType = TFLMetalDelegateThreadWaitTypeActive;
  TFLMetalDelegate *delegate = [[TFLMetalDelegate alloc] initWithOptions:metal];
  if (delegate == nil) return nil;
  TFLInterpreter *interpreter = [[TFLInterpreter alloc] initWithModelPath:path
                                                                  options:options
                                                                delegates:@[ delegate ]
                                                                    error:error];
  if (![interpreter allocateTensorsWithError:error]) return nil;
  TFLTensor *input = [interpreter inputTensorAtIndex:0 error:error];
  for (NSNumber *dimension in [input shapeWithError:error]) {
    if (dimension.longLongValue < 1) return nil;
  }
  const float scale = input.quantizationParameters.scale;
  if (scale != 0 || ![input copyData:picture error:error]) return nil;
  if (![interpreter invokeWithError:error]) return nil;
  NSDictionary<NSString *, NSData *> *inputs = [NSDictionary dictionaryWithObject:picture
                                                                           forKey:@"x"];
  TFLSignatureRunner *runner = [interpreter signatureRunnerWithKey:@"main" error:error];
  if (![runner invokeWithInputs:inputs Error:error]) return nil;
  return [[interpreter outputTensorAtIndex:0 error:error] dataWithError:error];
}
