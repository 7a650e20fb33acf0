// SPDX-License-Identifier: Apache-2.0
// Problems to domains and codes, and the log that descriptions quote.
#import "TFLErrors.h"

#include <stdio.h>
#include <string.h>

#import "TFLInterpreter.h"
#import "TFLSignatureRunner.h"

NSErrorDomain const TFLSignatureRunnerErrorDomain = @"org.tensorflow.lite.signature_runner";

// Not exported: applications written for TensorFlow Lite may have a constant of their own.
static NSString *const kInterpreterDomain = @"org.tensorflow.lite.interpreter";

// A report is cut here: it is a sentence, and a broken model must not fill the memory.
enum { kReportBytes = 1024, kLogCharacters = 8192 };

static NSInteger InterpreterCode(TFLProblem problem) {
  switch (problem) {
    case TFLProblemTensorIndex:
      return TFLInterpreterErrorCodeInvalidTensorIndex;
    case TFLProblemByteSize:
      return TFLInterpreterErrorCodeInvalidInputByteSize;
    case TFLProblemShape:
      return TFLInterpreterErrorCodeInvalidShape;
    case TFLProblemLoad:
      return TFLInterpreterErrorCodeFailedToLoadModel;
    case TFLProblemCreate:
      return TFLInterpreterErrorCodeFailedToCreateInterpreter;
    case TFLProblemInvoke:
      return TFLInterpreterErrorCodeFailedToInvoke;
    case TFLProblemGetTensor:
      return TFLInterpreterErrorCodeFailedToGetTensor;
    case TFLProblemTensor:
      return TFLInterpreterErrorCodeInvalidTensor;
    case TFLProblemResize:
      return TFLInterpreterErrorCodeFailedToResizeInputTensor;
    case TFLProblemCopy:
      return TFLInterpreterErrorCodeFailedToCopyDataToInputTensor;
    case TFLProblemCopyToOutput:
      return TFLInterpreterErrorCodeCopyDataToOutputTensorNotAllowed;
    case TFLProblemData:
      return TFLInterpreterErrorCodeFailedToGetDataFromTensor;
    case TFLProblemAllocate:
      return TFLInterpreterErrorCodeFailedToAllocateTensors;
    case TFLProblemCopyBeforeAllocate:
    case TFLProblemDataBeforeAllocate:
      return TFLInterpreterErrorCodeAllocateTensorsRequired;
    case TFLProblemDataBeforeInvoke:
      return TFLInterpreterErrorCodeInvokeInterpreterRequired;
  }
}

// Has no codes for the order of calls: what was not possible is named instead.
static NSInteger SignatureRunnerCode(TFLProblem problem) {
  switch (problem) {
    case TFLProblemByteSize:
      return TFLSignatureRunnerErrorCodeInvalidInputByteSize;
    case TFLProblemShape:
      return TFLSignatureRunnerErrorCodeInvalidShape;
    case TFLProblemLoad:
    case TFLProblemCreate:
      return TFLSignatureRunnerErrorCodeFailedToCreateSignatureRunner;
    case TFLProblemInvoke:
      return TFLSignatureRunnerErrorCodeFailedToInvoke;
    case TFLProblemTensorIndex:
    case TFLProblemGetTensor:
      return TFLSignatureRunnerErrorCodeFailedToGetTensor;
    case TFLProblemTensor:
      return TFLSignatureRunnerErrorCodeInvalidTensor;
    case TFLProblemResize:
      return TFLSignatureRunnerErrorCodeFailedToResizeInputTensor;
    case TFLProblemCopy:
    case TFLProblemCopyBeforeAllocate:
      return TFLSignatureRunnerErrorCodeFailedToCopyDataToInputTensor;
    case TFLProblemCopyToOutput:
      return TFLSignatureRunnerErrorCodeCopyDataToOutputTensorNotAllowed;
    case TFLProblemData:
    case TFLProblemDataBeforeAllocate:
    case TFLProblemDataBeforeInvoke:
      return TFLSignatureRunnerErrorCodeFailedToGetDataFromTensor;
    case TFLProblemAllocate:
      return TFLSignatureRunnerErrorCodeFailedToAllocateTensors;
  }
}

BOOL TFLFail(NSError **error, TFLFace face, TFLProblem problem, NSString *format, ...) {
  if (error == NULL) return NO;
  va_list args;
  va_start(args, format);
  NSString *text = [[[NSString alloc] initWithFormat:format arguments:args] autorelease];
  va_end(args);
  const BOOL isRunner = face == TFLFaceSignatureRunner;
  *error = [NSError
      errorWithDomain:isRunner ? TFLSignatureRunnerErrorDomain : kInterpreterDomain
                 code:isRunner ? SignatureRunnerCode(problem) : InterpreterCode(problem)
             userInfo:[NSDictionary dictionaryWithObject:text forKey:NSLocalizedDescriptionKey]];
  return NO;
}

NSString *TFLStringFromC(const char *text) {
  if (text == NULL) return @"";
  NSString *string = [NSString stringWithUTF8String:text];
  if (string != nil) return string;
  string = [NSString stringWithCString:text encoding:NSISOLatin1StringEncoding];
  return string != nil ? string : @"";
}

NSString *TFLClassOf(id object) {
  return object == nil ? @"nil" : NSStringFromClass([object class]);
}

NSString *TFLQuotedNames(NSArray<NSString *> *names) {
  if (names.count == 0) return @"none";
  return [NSString stringWithFormat:@"\"%@\"", [names componentsJoinedByString:@"\", \""]];
}

@implementation TFLErrorLog

- (instancetype)init {
  self = [super init];
  if (self != nil) _text = [[NSMutableString alloc] init];
  return self;
}

- (void)dealloc {
  [_text release];
  [super dealloc];
}

- (void)add:(NSString *)report {
  @synchronized(self) {
    if (_text.length > kLogCharacters) return;
    if (_text.length > 0) [_text appendString:@" "];
    [_text appendString:report];
  }
}

- (void)begin {
  @synchronized(self) {
    [_text setString:@""];
  }
}

- (void)succeed {
  @synchronized(self) {
    if (_text.length > 0) NSLog(@"%@", _text);
    [_text setString:@""];
  }
}

- (NSString *)reason {
  @synchronized(self) {
    return _text.length == 0 ? @"" : [@": " stringByAppendingString:_text];
  }
}

@end

// Ends a text that was cut before the character that it was cut in.
static void DropHalfCharacter(char *text) {
  size_t end = strlen(text);
  while (end > 0 && ((unsigned char)text[end - 1] & 0xC0) == 0x80) --end;
  if (end > 0 && ((unsigned char)text[end - 1] & 0x80) != 0) --end;
  text[end] = '\0';
}

// The runtime's threads have no pool of their own.
void TFLErrorLogReport(void *user_data, const char *format, va_list args) {
  char line[kReportBytes];
  if (vsnprintf(line, sizeof(line), format, args) >= (int)sizeof(line)) DropHalfCharacter(line);
  @autoreleasepool {
    NSCharacterSet *spaces = [NSCharacterSet whitespaceAndNewlineCharacterSet];
    [(TFLErrorLog *)user_data add:[TFLStringFromC(line) stringByTrimmingCharactersInSet:spaces]];
  }
}
