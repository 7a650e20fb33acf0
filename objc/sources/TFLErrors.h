// SPDX-License-Identifier: Apache-2.0
// Makes NSError objects, and collects what the runtime reports so that they can quote it.
#import <Foundation/Foundation.h>

#include <stdarg.h>

NS_ASSUME_NONNULL_BEGIN

// Kinds of errors, for both classes that have codes of their own.
typedef NS_ENUM(NSUInteger, TFLProblem) {
  TFLProblemTensorIndex,
  TFLProblemByteSize,
  TFLProblemShape,
  TFLProblemLoad,
  TFLProblemCreate,
  TFLProblemInvoke,
  TFLProblemGetTensor,
  TFLProblemTensor,
  TFLProblemResize,
  TFLProblemCopy,
  TFLProblemCopyToOutput,
  TFLProblemData,
  TFLProblemAllocate,
  TFLProblemCopyBeforeAllocate,
  TFLProblemDataBeforeAllocate,
  TFLProblemDataBeforeInvoke,
};

// Whose domain and codes an error has.
typedef NS_ENUM(NSUInteger, TFLFace) {
  TFLFaceInterpreter,
  TFLFaceSignatureRunner,
};

// Sets *error, unless error is NULL. Always NO, for callers to return.
BOOL TFLFail(NSError *_Nullable *_Nullable error, TFLFace face, TFLProblem problem,
             NSString *format, ...) NS_FORMAT_FUNCTION(4, 5);

// The text of the C API; bytes that are no UTF-8 are read as Latin-1. NULL gives an empty string.
NSString *TFLStringFromC(const char *_Nullable text);

// How an object is named in a description: its class, or nil.
NSString *TFLClassOf(id _Nullable object);

// Names in quotes, separated by commas; "none" for an empty list.
NSString *TFLQuotedNames(NSArray<NSString *> *names);

// Reports of the runtime since the last call of begin. The runtime may report from any thread.
@interface TFLErrorLog : NSObject {
 @private
  NSMutableString *_text;
}

// Forgets earlier reports: an operation begins.
- (void)begin;

// Writes reports to the system's log: the operation succeeded, and no error will quote them.
- (void)succeed;

// ": " and the reports, for the end of a description; empty without reports.
- (NSString *)reason;

@end

// The reporting function for the C API; user_data is a TFLErrorLog, which must outlive its users.
void TFLErrorLogReport(void *user_data, const char *format, va_list args);

NS_ASSUME_NONNULL_END
