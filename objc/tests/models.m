// SPDX-License-Identifier: Apache-2.0
// Files by name, and a delegate of the C API that counts its life.
#import "models.h"

#include <stdlib.h>

#include "tensorflow/lite/c/common.h"

const char *models_folder;
static int delegates_alive, delegates_prepared;

NSString *ModelPath(NSString *name) {
  if ([name isEqualToString:@"demo"]) return @"demo/landscape.tflite";
  return [NSString stringWithFormat:@"%s/%@.tflite", models_folder, name];
}

TFLInterpreter *Open(NSString *name) {
  NSError *error = nil;
  TFLInterpreter *interpreter = [[[TFLInterpreter alloc] initWithModelPath:ModelPath(name)
                                                                     error:&error] autorelease];
  if (interpreter == nil) CHECK_EQUAL(error.localizedDescription, @"no error");
  return interpreter;
}

TFLInterpreter *OpenAllocated(NSString *name) {
  NSError *error = nil;
  TFLInterpreter *interpreter = Open(name);
  if (![interpreter allocateTensorsWithError:&error]) {
    CHECK_EQUAL(error.localizedDescription, @"no error");
  }
  return interpreter;
}

TFLSignatureRunner *OpenRunner(NSString *name, NSString *key) {
  NSError *error = nil;
  TFLSignatureRunner *runner = [Open(name) signatureRunnerWithKey:key error:&error];
  if (runner == nil) CHECK_EQUAL(error.localizedDescription, @"no error");
  return runner;
}

NSData *Floats(NSUInteger count, const float *values) {
  return [NSData dataWithBytes:values length:count * sizeof(float)];
}

NSString *ShapeOf(TFLTensor *tensor) {
  NSError *error = nil;
  NSArray<NSNumber *> *shape = [tensor shapeWithError:&error];
  if (shape == nil) {
    CHECK_EQUAL(error.localizedDescription, @"no error");
    return @"nil";
  }
  return [NSString stringWithFormat:@"[%@]", [shape componentsJoinedByString:@", "]];
}

static TfLiteStatus Succeed(TfLiteContext *context, TfLiteDelegate *delegate) {
  (void)context, (void)delegate;
  ++delegates_prepared;
  return kTfLiteOk;
}

static TfLiteStatus Refuse(TfLiteContext *context, TfLiteDelegate *delegate) {
  (void)delegate;
  ++delegates_prepared;
  context->ReportError(context, "this delegate takes %d nodes", 0);
  return kTfLiteError;
}

// The last tensor gets no memory that the CPU can read.
static TfLiteStatus HideLast(TfLiteContext *context, TfLiteDelegate *delegate) {
  (void)delegate;
  context->tensors[context->tensors_size - 1].allocation_type = kTfLiteNonCpu;
  return kTfLiteOk;
}

@implementation TestDelegate

+ (int)alive {
  return delegates_alive;
}

+ (int)prepared {
  return delegates_prepared;
}

- (instancetype)initWithPrepare:(TfLiteStatus (*)(TfLiteContext *, TfLiteDelegate *))prepare {
  self = [super init];
  if (self == nil) return nil;
  ++delegates_alive;
  _delegate = calloc(1, sizeof(TfLiteDelegate));
  _delegate->Prepare = prepare;
  return self;
}

+ (instancetype)delegateThatSucceeds {
  return [[[self alloc] initWithPrepare:Succeed] autorelease];
}

+ (instancetype)delegateThatFails {
  return [[[self alloc] initWithPrepare:Refuse] autorelease];
}

+ (instancetype)delegateThatHidesTheOutput {
  return [[[self alloc] initWithPrepare:HideLast] autorelease];
}

- (void)dealloc {
  --delegates_alive;
  free(_delegate);
  [super dealloc];
}

- (TFLCDelegate)cDelegate {
  return _delegate;
}

@end

void LoseAnInterpreter(void) {
  @autoreleasepool {
    [[TFLInterpreter alloc] initWithModelPath:ModelPath(@"demo") error:NULL];
  }
}
