// SPDX-License-Identifier: Apache-2.0
// The models of the tests (make_objc_models.py), and short forms of what tests do with them.
#import "TFLTensorFlowLite.h"
#import "check.h"

extern const char *models_folder;

// The path of NAME.tflite; "demo" is that of the demo.
NSString *ModelPath(NSString *name);

// An interpreter of a model, autoreleased; the test fails where there is none.
TFLInterpreter *Open(NSString *name);
// The same with tensors allocated.
TFLInterpreter *OpenAllocated(NSString *name);
TFLSignatureRunner *OpenRunner(NSString *name, NSString *key);

NSData *Floats(NSUInteger count, const float *values);
#define FLOATS(...) \
  Floats(sizeof((const float[]){__VA_ARGS__}) / sizeof(float), (const float[]){__VA_ARGS__})

// "[1, 2]"; "nil" with a failed check for a tensor without a shape.
NSString *ShapeOf(TFLTensor *tensor);

// A delegate of the C API whose Prepare fails or succeeds, taking nothing; it counts its life.
@interface TestDelegate : TFLDelegate {
 @private
  struct TfLiteDelegate *_delegate;
}
// Objects that live, and calls of Prepare so far.
+ (int)alive;
+ (int)prepared;
+ (instancetype)delegateThatSucceeds;
+ (instancetype)delegateThatFails;
// Of a model without operators: its output is nowhere.
+ (instancetype)delegateThatHidesTheOutput;
@end

void LoseAnInterpreter(void);
