// SPDX-License-Identifier: Apache-2.0
// How an interpreter makes signature runners.
#import "TFLErrors.h"
#import "TFLGraphState.h"
#import "TFLSignatureRunner.h"
#include "tensorflow/lite/c/c_api.h"

NS_ASSUME_NONNULL_BEGIN

// All inputs and outputs of a signature, as pointers.
NSSet<NSValue *> *TFLTensorsOfRunner(TfLiteSignatureRunner *runner);

@interface TFLSignatureRunner (Internal)

// Owns the runner of the C API. Tries to allocate tensors.
- (instancetype)initWithInterpreter:(TFLInterpreter *)interpreter
                             runner:(TfLiteSignatureRunner *)runner
                                key:(NSString *)key
                              state:(TFLGraphState *)state
                                log:(TFLErrorLog *)log;

@end

NS_ASSUME_NONNULL_END
