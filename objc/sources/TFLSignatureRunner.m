// SPDX-License-Identifier: Apache-2.0
// A signature runner of the C API, with the names of its tensors.
#import "TFLSignatureRunner.h"

#include <stdlib.h>

#import "TFLErrors.h"
#import "TFLInterpreter.h"
#import "TFLShape.h"
#import "TFLSignatureRunner+Internal.h"
#import "TFLTensor+Internal.h"

typedef const char *(*NameAt)(const TfLiteSignatureRunner *runner, int32_t index);

static NSArray<NSString *> *NamesOf(const TfLiteSignatureRunner *runner, size_t count, NameAt at) {
  NSMutableArray<NSString *> *names = [NSMutableArray arrayWithCapacity:count];
  for (size_t i = 0; i < count; ++i) [names addObject:TFLStringFromC(at(runner, (int32_t)i))];
  return names;
}

NSSet<NSValue *> *TFLTensorsOfRunner(TfLiteSignatureRunner *runner) {
  NSMutableSet<NSValue *> *tensors = [NSMutableSet set];
  const size_t inputs = TfLiteSignatureRunnerGetInputCount(runner);
  for (size_t i = 0; i < inputs; ++i) {
    const char *name = TfLiteSignatureRunnerGetInputName(runner, (int32_t)i);
    const void *tensor = TfLiteSignatureRunnerGetInputTensor(runner, name);
    if (tensor != NULL) [tensors addObject:[NSValue valueWithPointer:tensor]];
  }
  const size_t outputs = TfLiteSignatureRunnerGetOutputCount(runner);
  for (size_t i = 0; i < outputs; ++i) {
    const char *name = TfLiteSignatureRunnerGetOutputName(runner, (int32_t)i);
    const void *tensor = TfLiteSignatureRunnerGetOutputTensor(runner, name);
    if (tensor != NULL) [tensors addObject:[NSValue valueWithPointer:tensor]];
  }
  return tensors;
}

@interface TFLSignatureRunner () <TFLTensorOwner>
@end

@implementation TFLSignatureRunner

@synthesize signatureKey = _signatureKey;
@synthesize inputs = _inputs;
@synthesize outputs = _outputs;
@synthesize state = _state;

- (instancetype)init {
  [self release];
  return nil;
}

+ (instancetype)new {
  return [[self alloc] init];
}

- (instancetype)initWithInterpreter:(TFLInterpreter *)interpreter
                             runner:(TfLiteSignatureRunner *)runner
                                key:(NSString *)key
                              state:(TFLGraphState *)state
                                log:(TFLErrorLog *)log {
  self = [super init];
  if (self == nil) {
    TfLiteSignatureRunnerDelete(runner);
    return nil;
  }
  _interpreter = [interpreter retain];
  _runner = runner;
  _log = [log retain];
  _state = [state retain];
  _signatureKey = [key copy];
  const size_t inputs = TfLiteSignatureRunnerGetInputCount(runner);
  const size_t outputs = TfLiteSignatureRunnerGetOutputCount(runner);
  _inputs = [NamesOf(runner, inputs, TfLiteSignatureRunnerGetInputName) copy];
  _outputs = [NamesOf(runner, outputs, TfLiteSignatureRunnerGetOutputName) copy];
  // The shapes of the model may be no shapes yet to run with: what fails here is said again later.
  if (!_state.allocated) [self allocateTensorsWithError:NULL];
  return self;
}

// The runner of the C API goes before its interpreter.
- (void)dealloc {
  TfLiteSignatureRunnerDelete(_runner);
  [_outputs release];
  [_inputs release];
  [_signatureKey release];
  [_state release];
  [_log release];
  [_interpreter release];
  [super dealloc];
}

- (TFLFace)face {
  return TFLFaceSignatureRunner;
}

- (TfLiteTensor *)cTensorOfInput:(BOOL)isInput atIndex:(NSUInteger)index key:(NSString *)key {
  (void)index;
  return isInput ? TfLiteSignatureRunnerGetInputTensor(_runner, key.UTF8String)
                 : (TfLiteTensor *)TfLiteSignatureRunnerGetOutputTensor(_runner, key.UTF8String);
}

// Whether a name is one of an input or output.
- (BOOL)hasInput:(BOOL)isInput named:(NSString *)name error:(NSError **)error {
  NSArray<NSString *> *names = isInput ? _inputs : _outputs;
  if ([names containsObject:name]) return YES;
  NSString *shown = [name isKindOfClass:[NSString class]]
                        ? [NSString stringWithFormat:@"\"%@\"", name]
                        : TFLClassOf(name);
  return TFLFail(error, TFLFaceSignatureRunner, TFLProblemGetTensor,
                 @"Signature \"%@\" has no %@ named %@; it has %@.", _signatureKey,
                 isInput ? @"input" : @"output", shown, TFLQuotedNames(names));
}

- (TFLTensor *)tensorOfInput:(BOOL)isInput named:(NSString *)name error:(NSError **)error {
  if (![self hasInput:isInput named:name error:error]) return nil;
  TFLTensor *tensor = [TFLTensor tensorOf:self isInput:isInput index:0 key:name];
  if (tensor == nil) {
    TFLFail(error, TFLFaceSignatureRunner, TFLProblemGetTensor,
            @"The model leaves out the tensor \"%@\" of signature \"%@\".", name, _signatureKey);
  }
  return tensor;
}

- (TFLTensor *)inputTensorWithName:(NSString *)name error:(NSError **)error {
  return [self tensorOfInput:YES named:name error:error];
}

- (TFLTensor *)outputTensorWithName:(NSString *)name error:(NSError **)error {
  return [self tensorOfInput:NO named:name error:error];
}

- (BOOL)resizeInputTensorWithName:(NSString *)name
                          toShape:(NSArray<NSNumber *> *)shape
                            error:(NSError **)error {
  if (![self hasInput:YES named:name error:error]) return NO;
  int *dimensions = TFLCopyDimensions(shape, TFLFaceSignatureRunner, error);
  if (dimensions == NULL) return NO;
  const char *cName = name.UTF8String;
  const TfLiteTensor *tensor = TfLiteSignatureRunnerGetInputTensor(_runner, cName);
  const BOOL changes = !TFLHasDimensions(tensor, dimensions, shape.count);
  [_log begin];
  const TfLiteStatus status =
      TfLiteSignatureRunnerResizeInputTensor(_runner, cName, dimensions, (int32_t)shape.count);
  free(dimensions);
  if (status != kTfLiteOk) {
    return TFLFail(error, TFLFaceSignatureRunner, TFLProblemResize,
                   @"Input \"%@\" of signature \"%@\" cannot have the shape %@%@", name,
                   _signatureKey, TFLShapeText(shape), [_log reason]);
  }
  if (changes) [_state changeShapes];
  [_log succeed];
  return YES;
}

- (BOOL)allocateTensorsWithError:(NSError **)error {
  [_log begin];
  const BOOL succeeded = TfLiteSignatureRunnerAllocateTensors(_runner) == kTfLiteOk;
  [_state allocate:succeeded];
  if (!succeeded) {
    return TFLFail(error, TFLFaceSignatureRunner, TFLProblemAllocate,
                   @"Tensors of signature \"%@\" cannot be allocated%@", _signatureKey,
                   [_log reason]);
  }
  [_log succeed];
  return YES;
}

// The tensors for data, all of which fits; nil with an error where some does not.
- (NSDictionary<NSString *, TFLTensor *> *)tensorsForInputs:
                                               (NSDictionary<NSString *, NSData *> *)inputs
                                                      error:(NSError **)error {
  NSMutableDictionary<NSString *, TFLTensor *> *tensors = [NSMutableDictionary dictionary];
  for (NSString *name in inputs) {
    TFLTensor *tensor = [self inputTensorWithName:name error:error];
    if (tensor == nil || ![tensor canTakeData:[inputs objectForKey:name] error:error]) return nil;
    [tensors setObject:tensor forKey:name];
  }
  return tensors;
}

- (BOOL)invokeWithInputs:(NSDictionary<NSString *, NSData *> *)inputs Error:(NSError **)error {
  if (![inputs isKindOfClass:[NSDictionary class]]) {
    return TFLFail(error, TFLFaceSignatureRunner, TFLProblemInvoke,
                   @"The inputs of signature \"%@\" are a dictionary of data by name, not %@.",
                   _signatureKey, TFLClassOf(inputs));
  }
  if (!_state.allocated && ![self allocateTensorsWithError:error]) return NO;
  NSDictionary<NSString *, TFLTensor *> *tensors = [self tensorsForInputs:inputs error:error];
  if (tensors == nil) return NO;
  for (NSString *name in tensors) {
    NSData *data = [inputs objectForKey:name];
    if (![[tensors objectForKey:name] copyData:data error:error]) return NO;
  }
  [_log begin];
  const BOOL succeeded = TfLiteSignatureRunnerInvoke(_runner) == kTfLiteOk;
  [_state invoke:succeeded];
  if (!succeeded) {
    return TFLFail(error, TFLFaceSignatureRunner, TFLProblemInvoke,
                   @"Signature \"%@\" failed to run%@", _signatureKey, [_log reason]);
  }
  [_log succeed];
  return YES;
}

@end
