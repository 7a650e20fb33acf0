// SPDX-License-Identifier: Apache-2.0
// An interpreter of the C API with its model, delegates, log and the states of its graphs.
#import "TFLInterpreter.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#import "TFLDelegate.h"
#import "TFLErrors.h"
#import "TFLInterpreterOptions.h"
#import "TFLShape.h"
#import "TFLSignatureRunner+Internal.h"
#import "TFLTensor+Internal.h"

@interface TFLInterpreter () <TFLTensorOwner>
@end

@implementation TFLInterpreter

@synthesize state = _state;

- (instancetype)init {
  return [self initWithModelPath:(NSString *_Nonnull)nil error:NULL];
}

+ (instancetype)new {
  return [[self alloc] init];
}

- (instancetype)initWithModelPath:(NSString *)modelPath error:(NSError **)error {
  return [self initWithModelPath:modelPath options:nil delegates:nil error:error];
}

- (instancetype)initWithModelPath:(NSString *)modelPath
                          options:(TFLInterpreterOptions *)options
                            error:(NSError **)error {
  return [self initWithModelPath:modelPath options:options delegates:nil error:error];
}

- (instancetype)initWithModelPath:(NSString *)modelPath
                          options:(TFLInterpreterOptions *)options
                        delegates:(NSArray<TFLDelegate *> *)delegates
                            error:(NSError **)error {
  self = [super init];
  if (self == nil) return nil;
  _log = [[TFLErrorLog alloc] init];
  _state = [[TFLGraphState alloc] init];
  if (![self openModel:modelPath options:options delegates:delegates error:error]) {
    [self release];
    return nil;
  }
  return self;
}

// The interpreter of the C API goes before what it calls: the delegates and the log.
- (void)dealloc {
  TfLiteInterpreterDelete(_interpreter);
  [_delegates release];
  [_states release];
  [_state release];
  [_log release];
  [super dealloc];
}

- (BOOL)openModel:(NSString *)modelPath
          options:(TFLInterpreterOptions *)options
        delegates:(NSArray<TFLDelegate *> *)delegates
            error:(NSError **)error {
  TfLiteModel *model = [self modelAtPath:modelPath error:error];
  if (model == NULL) return NO;
  TfLiteInterpreterOptions *cOptions = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetErrorReporter(cOptions, TFLErrorLogReport, _log);
  if ([self setThreadsOf:options in:cOptions error:error] && [self addDelegates:delegates
                                                                             to:cOptions
                                                                          error:error]) {
    [_log begin];
    _interpreter = TfLiteInterpreterCreate(model, cOptions);
    if (_interpreter == NULL) {
      TFLFail(error, TFLFaceInterpreter, TFLProblemCreate,
              @"An interpreter of the model \"%@\" cannot be made%@", modelPath, [_log reason]);
    }
  }
  TfLiteInterpreterOptionsDelete(cOptions);
  TfLiteModelDelete(model);
  if (_interpreter == NULL) return NO;
  _states = [[self statesBySignature] retain];
  [_log succeed];
  return YES;
}

- (TfLiteModel *)modelAtPath:(NSString *)path error:(NSError **)error {
  if (![path isKindOfClass:[NSString class]]) {
    TFLFail(error, TFLFaceInterpreter, TFLProblemLoad, @"modelPath is %@; it must be a path.",
            TFLClassOf(path));
    return NULL;
  }
  const char *cPath = path.UTF8String;
  if (cPath == NULL || cPath[0] == '\0' ||
      strlen(cPath) != [path lengthOfBytesUsingEncoding:NSUTF8StringEncoding]) {
    TFLFail(error, TFLFaceInterpreter, TFLProblemLoad, @"modelPath is \"%@\", which names no file.",
            path);
    return NULL;
  }
  [_log begin];
  TfLiteModel *model = TfLiteModelCreateFromFileWithErrorReporter(cPath, TFLErrorLogReport, _log);
  if (model == NULL) {
    TFLFail(error, TFLFaceInterpreter, TFLProblemLoad, @"The model \"%@\" cannot be loaded%@", path,
            [_log reason]);
  }
  return model;
}

- (BOOL)setThreadsOf:(TFLInterpreterOptions *)options
                  in:(TfLiteInterpreterOptions *)cOptions
               error:(NSError **)error {
  if (options != nil && ![options isKindOfClass:[TFLInterpreterOptions class]]) {
    return TFLFail(error, TFLFaceInterpreter, TFLProblemCreate,
                   @"options is a %@; it must be TFLInterpreterOptions.", TFLClassOf(options));
  }
  const NSUInteger threads = options.numberOfThreads;
  if (threads > INT32_MAX) {
    return TFLFail(error, TFLFaceInterpreter, TFLProblemCreate,
                   @"options.numberOfThreads is %lu; it must be from 0 to %d.",
                   (unsigned long)threads, INT32_MAX);
  }
  if (threads > 0) TfLiteInterpreterOptionsSetNumThreads(cOptions, (int32_t)threads);
  return YES;
}

- (BOOL)addDelegates:(NSArray<TFLDelegate *> *)delegates
                  to:(TfLiteInterpreterOptions *)cOptions
               error:(NSError **)error {
  if (delegates == nil) return YES;
  if (![delegates isKindOfClass:[NSArray class]]) {
    return TFLFail(error, TFLFaceInterpreter, TFLProblemCreate,
                   @"delegates is %@; it must be an array.", TFLClassOf(delegates));
  }
  _delegates = [delegates copy];
  for (NSUInteger i = 0; i < _delegates.count; ++i) {
    TFLDelegate *delegate = [_delegates objectAtIndex:i];
    const BOOL isDelegate = [delegate isKindOfClass:[TFLDelegate class]];
    TFLCDelegate cDelegate = isDelegate ? delegate.cDelegate : NULL;
    if (cDelegate == NULL) {
      return TFLFail(error, TFLFaceInterpreter, TFLProblemCreate,
                     @"delegates[%lu] is a %@, which has no delegate of the C API.",
                     (unsigned long)i, TFLClassOf(delegate));
    }
    TfLiteInterpreterOptionsAddDelegate(cOptions, cDelegate);
  }
  return YES;
}

- (NSSet<NSValue *> *)tensorPointers {
  NSMutableSet<NSValue *> *tensors = [NSMutableSet set];
  for (int isInput = 0; isInput < 2; ++isInput) {
    const NSUInteger count = isInput ? self.inputTensorCount : self.outputTensorCount;
    for (NSUInteger i = 0; i < count; ++i) {
      const void *tensor = [self cTensorOfInput:isInput atIndex:i key:nil];
      if (tensor != NULL) [tensors addObject:[NSValue valueWithPointer:tensor]];
    }
  }
  return tensors;
}

// Signatures of one graph share its state, and the main graph's is that of the interpreter. That
// two have a graph in common shows in a tensor that they have in common.
- (NSDictionary<NSString *, TFLGraphState *> *)statesBySignature {
  NSMutableArray<NSSet<NSValue *> *> *graphs =
      [NSMutableArray arrayWithObject:[self tensorPointers]];
  NSMutableArray<TFLGraphState *> *known = [NSMutableArray arrayWithObject:_state];
  NSMutableDictionary<NSString *, TFLGraphState *> *states = [NSMutableDictionary dictionary];
  const int32_t count = TfLiteInterpreterGetSignatureCount(_interpreter);
  for (int32_t i = 0; i < count; ++i) {
    const char *key = TfLiteInterpreterGetSignatureKey(_interpreter, i);
    TfLiteSignatureRunner *runner = TfLiteInterpreterGetSignatureRunner(_interpreter, key);
    if (runner == NULL) continue;
    NSSet<NSValue *> *tensors = TFLTensorsOfRunner(runner);
    TfLiteSignatureRunnerDelete(runner);
    NSUInteger graph = 0;
    while (graph < graphs.count && ![tensors intersectsSet:[graphs objectAtIndex:graph]]) ++graph;
    if (graph == graphs.count) {
      [graphs addObject:tensors];
      [known addObject:[[[TFLGraphState alloc] init] autorelease]];
    }
    [states setObject:[known objectAtIndex:graph] forKey:TFLStringFromC(key)];
  }
  return states;
}

- (TFLFace)face {
  return TFLFaceInterpreter;
}

- (TfLiteTensor *)cTensorOfInput:(BOOL)isInput atIndex:(NSUInteger)index key:(NSString *)key {
  (void)key;
  return isInput ? TfLiteInterpreterGetInputTensor(_interpreter, (int32_t)index)
                 : (TfLiteTensor *)TfLiteInterpreterGetOutputTensor(_interpreter, (int32_t)index);
}

- (NSUInteger)inputTensorCount {
  return (NSUInteger)TfLiteInterpreterGetInputTensorCount(_interpreter);
}

- (NSUInteger)outputTensorCount {
  return (NSUInteger)TfLiteInterpreterGetOutputTensorCount(_interpreter);
}

- (NSArray<NSString *> *)signatureKeys {
  const int32_t count = TfLiteInterpreterGetSignatureCount(_interpreter);
  NSMutableArray<NSString *> *keys = [NSMutableArray arrayWithCapacity:(NSUInteger)count];
  for (int32_t i = 0; i < count; ++i) {
    [keys addObject:TFLStringFromC(TfLiteInterpreterGetSignatureKey(_interpreter, i))];
  }
  return keys;
}

- (BOOL)invokeWithError:(NSError **)error {
  [_log begin];
  const BOOL succeeded = TfLiteInterpreterInvoke(_interpreter) == kTfLiteOk;
  [_state invoke:succeeded];
  if (!succeeded) {
    return TFLFail(error, TFLFaceInterpreter, TFLProblemInvoke, @"The model failed to run%@%@",
                   _state.allocated ? @"" : @" (tensors must be allocated first)", [_log reason]);
  }
  [_log succeed];
  return YES;
}

- (BOOL)hasInput:(BOOL)isInput atIndex:(NSUInteger)index error:(NSError **)error {
  const NSUInteger count = isInput ? self.inputTensorCount : self.outputTensorCount;
  if (index < count) return YES;
  NSString *kind = isInput ? @"input" : @"output";
  if (count == 0) {
    return TFLFail(error, TFLFaceInterpreter, TFLProblemTensorIndex,
                   @"There is no %@ %lu: the model has none.", kind, (unsigned long)index);
  }
  return TFLFail(error, TFLFaceInterpreter, TFLProblemTensorIndex,
                 @"There is no %@ %lu: the index must be at most %lu.", kind, (unsigned long)index,
                 (unsigned long)(count - 1));
}

- (TFLTensor *)tensorOfInput:(BOOL)isInput atIndex:(NSUInteger)index error:(NSError **)error {
  if (![self hasInput:isInput atIndex:index error:error]) return nil;
  TFLTensor *tensor = [TFLTensor tensorOf:self isInput:isInput index:index key:nil];
  if (tensor == nil) {
    TFLFail(error, TFLFaceInterpreter, TFLProblemGetTensor, @"The model leaves out its %@ %lu.",
            isInput ? @"input" : @"output", (unsigned long)index);
  }
  return tensor;
}

- (TFLTensor *)inputTensorAtIndex:(NSUInteger)index error:(NSError **)error {
  return [self tensorOfInput:YES atIndex:index error:error];
}

- (TFLTensor *)outputTensorAtIndex:(NSUInteger)index error:(NSError **)error {
  return [self tensorOfInput:NO atIndex:index error:error];
}

- (BOOL)resizeInputTensorAtIndex:(NSUInteger)index
                         toShape:(NSArray<NSNumber *> *)shape
                           error:(NSError **)error {
  if (![self hasInput:YES atIndex:index error:error]) return NO;
  int *dimensions = TFLCopyDimensions(shape, TFLFaceInterpreter, error);
  if (dimensions == NULL) return NO;
  const TfLiteTensor *tensor = TfLiteInterpreterGetInputTensor(_interpreter, (int32_t)index);
  const BOOL changes = !TFLHasDimensions(tensor, dimensions, shape.count);
  [_log begin];
  const TfLiteStatus status = TfLiteInterpreterResizeInputTensor(_interpreter, (int32_t)index,
                                                                 dimensions, (int32_t)shape.count);
  free(dimensions);
  if (status != kTfLiteOk) {
    return TFLFail(error, TFLFaceInterpreter, TFLProblemResize,
                   @"Input %lu cannot have the shape %@%@", (unsigned long)index,
                   TFLShapeText(shape), [_log reason]);
  }
  if (changes) [_state changeShapes];
  [_log succeed];
  return YES;
}

- (BOOL)allocateTensorsWithError:(NSError **)error {
  [_log begin];
  const BOOL succeeded = TfLiteInterpreterAllocateTensors(_interpreter) == kTfLiteOk;
  [_state allocate:succeeded];
  if (!succeeded) {
    return TFLFail(error, TFLFaceInterpreter, TFLProblemAllocate, @"Tensors cannot be allocated%@",
                   [_log reason]);
  }
  [_log succeed];
  return YES;
}

- (TFLSignatureRunner *)signatureRunnerWithKey:(NSString *)key error:(NSError **)error {
  TFLGraphState *state = [key isKindOfClass:[NSString class]] ? [_states objectForKey:key] : nil;
  TfLiteSignatureRunner *runner =
      state == nil ? NULL : TfLiteInterpreterGetSignatureRunner(_interpreter, key.UTF8String);
  if (runner == NULL) {
    NSString *shown = [key isKindOfClass:[NSString class]]
                          ? [NSString stringWithFormat:@"\"%@\"", key]
                          : TFLClassOf(key);
    TFLFail(error, TFLFaceSignatureRunner, TFLProblemCreate,
            @"The model has no signature %@; its signatures: %@.", shown,
            TFLQuotedNames(self.signatureKeys));
    return nil;
  }
  return [[[TFLSignatureRunner alloc] initWithInterpreter:self
                                                   runner:runner
                                                      key:key
                                                    state:state
                                                      log:_log] autorelease];
}

@end
