// SPDX-License-Identifier: Apache-2.0
// Mistakes of an application: an NSError with field and value, and an interpreter that still works.
#include <limits.h>

#import "models.h"

// Compilers warn of a literal nil where the headers want an object.
static id None(void) { return nil; }

static void CannotLoad(NSString *path, NSString *part) {
  NSError *error = nil;
  CHECK_EQUAL([[[TFLInterpreter alloc] initWithModelPath:path error:&error] autorelease], nil);
  CHECK_INTERPRETER_ERROR(error, FailedToLoadModel, part, @"odel");
  CHECK_EQUAL([[[TFLInterpreter alloc] initWithModelPath:path error:NULL] autorelease], nil);
}

TEST(Paths) {
  CannotLoad(None(), @"modelPath is nil");
  CannotLoad((id) @7, @"Number");
  CannotLoad(@"", @"modelPath is \"\"");
  const unichar with_zero[] = {'a', 0, 'b'};
  CannotLoad([NSString stringWithCharacters:with_zero length:3], @"modelPath is");
  CannotLoad(@"no/such/file.tflite", @"no/such/file.tflite");
  for (NSString *name in @[ @"no_model", @"empty", @"cut", @"folder" ]) {
    CannotLoad(ModelPath(name), name);
  }
}

// No ASCII in a path; and in a path that is longer than what is kept of a report.
TEST(LongPaths) {
  NSError *error = nil;
  CHECK(Open(@"gr\u00f6\u00dfe") != nil);
  NSString *path = [@"" stringByPaddingToLength:3001 withString:@"\u00e9/" startingAtIndex:0];
  CHECK_EQUAL([[[TFLInterpreter alloc] initWithModelPath:path error:&error] autorelease], nil);
  CHECK_INTERPRETER_ERROR(error, FailedToLoadModel, path);
  CHECK([error.localizedDescription rangeOfString:@"\u00c3"].location == NSNotFound);
}

// The runtime's words explain what the path alone does not.
TEST(ReasonsOfTheRuntime) {
  NSError *error = nil;
  [[[TFLInterpreter alloc] initWithModelPath:ModelPath(@"no_model") error:&error] autorelease];
  NSString *description = error.localizedDescription;
  NSRange reason = [description rangeOfString:@"cannot be loaded: "];
  CHECK(reason.location != NSNotFound && NSMaxRange(reason) + 10 < description.length);
  // The runtime looks for custom operations when it takes memory.
  CHECK(![Open(@"unknown_op") allocateTensorsWithError:&error]);
  CHECK_INTERPRETER_ERROR(error, FailedToAllocateTensors, @"allocated: ", @"NobodyHasThis");
}

TEST(NothingButInit) {
  CHECK_EQUAL([[(id)[TFLInterpreter alloc] performSelector:@selector(init)] autorelease], nil);
  CHECK_EQUAL([[(id)[TFLSignatureRunner alloc] performSelector:@selector(init)] autorelease], nil);
  CHECK_EQUAL([[(id)[TFLTensor alloc] performSelector:@selector(init)] autorelease], nil);
  CHECK_EQUAL([[(id)[TFLQuantizationParameters alloc] performSelector:@selector(init)] autorelease],
              nil);
  for (Class made in @[
         [TFLInterpreter class], [TFLSignatureRunner class], [TFLTensor class],
         [TFLQuantizationParameters class]
       ]) {
    CHECK_EQUAL([made performSelector:@selector(new)], nil);
  }
}

TEST(WrongOptions) {
  NSError *error = nil;
  CHECK_EQUAL([[[TFLInterpreter alloc] initWithModelPath:ModelPath(@"demo")
                                                 options:(id) @"fast"
                                                   error:&error] autorelease],
              nil);
  CHECK_INTERPRETER_ERROR(error, FailedToCreateInterpreter, @"options is a ", @"String");
  TFLInterpreterOptions *options = [[[TFLInterpreterOptions alloc] init] autorelease];
  options.numberOfThreads = NSUIntegerMax;
  CHECK_EQUAL([[[TFLInterpreter alloc] initWithModelPath:ModelPath(@"demo")
                                                 options:options
                                                   error:&error] autorelease],
              nil);
  CHECK_INTERPRETER_ERROR(error, FailedToCreateInterpreter,
                          @"numberOfThreads is 18446744073709551615", @"2147483647");
}

TEST(Indices) {
  NSError *error = nil;
  TFLInterpreter *interpreter = Open(@"two_inputs");
  const NSUInteger wrong[] = {2, 4, INT_MAX, (NSUInteger)INT_MAX + 1, NSUIntegerMax};
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
    NSString *index = [NSString stringWithFormat:@"%lu:", (unsigned long)wrong[i]];
    CHECK_EQUAL([interpreter inputTensorAtIndex:wrong[i] error:&error], nil);
    CHECK_INTERPRETER_ERROR(error, InvalidTensorIndex, @"input", index, @"at most 1.");
    CHECK_EQUAL([interpreter outputTensorAtIndex:wrong[i] error:&error], nil);
    CHECK_INTERPRETER_ERROR(error, InvalidTensorIndex, @"output", index, @"at most 1.");
    CHECK(![interpreter resizeInputTensorAtIndex:wrong[i] toShape:@[ @1 ] error:&error]);
    CHECK_INTERPRETER_ERROR(error, InvalidTensorIndex, @"input", index, @"at most 1.");
    CHECK_EQUAL([interpreter inputTensorAtIndex:wrong[i] error:NULL], nil);
  }
}

TEST(InputThatIsLeftOut) {
  NSError *error = nil;
  TFLInterpreter *interpreter = Open(@"left_out");
  CHECK_NUMBER(interpreter.inputTensorCount, 2);
  CHECK_EQUAL([interpreter inputTensorAtIndex:0 error:&error], nil);
  CHECK_INTERPRETER_ERROR(error, FailedToGetTensor, @"input 0");
  CHECK(![interpreter resizeInputTensorAtIndex:0 toShape:@[ @1 ] error:&error]);
  CHECK_INTERPRETER_ERROR(error, FailedToResizeInputTensor, @"Input 0", @"[1]");
  CHECK_EQUAL([interpreter inputTensorAtIndex:1 error:&error].name, @"x");
}

TEST(Shapes) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"two_inputs");
  NSArray *wrong = @[
    @[], @[ @0 ], @[ @2, @(-2) ], @[ @2, @(2.5) ], @[ @2147483648LL ], @[ @"2" ],
    @[ @(__builtin_nan("")) ], @[ @(1e300) ]
  ];
  for (NSArray<NSNumber *> *shape in wrong) {
    CHECK(![interpreter resizeInputTensorAtIndex:0 toShape:shape error:&error]);
    CHECK_INTERPRETER_ERROR(error, InvalidShape, shape.count == 0 ? @"0 dimensions" : @"imension",
                            shape.count == 0 ? @"shape" : [[shape lastObject] description]);
    CHECK(![interpreter resizeInputTensorAtIndex:0 toShape:shape error:NULL]);
  }
  CHECK(![interpreter resizeInputTensorAtIndex:0 toShape:None() error:&error]);
  CHECK_INTERPRETER_ERROR(error, InvalidShape, @"nil");
  CHECK(![interpreter resizeInputTensorAtIndex:0 toShape:(id) @"22" error:&error]);
  CHECK_INTERPRETER_ERROR(error, InvalidShape, @"String");
  NSArray<NSNumber *> *huge = @[ @INT_MAX, @INT_MAX, @INT_MAX ];
  CHECK(![interpreter resizeInputTensorAtIndex:0 toShape:huge error:&error]);
  CHECK_INTERPRETER_ERROR(error, FailedToResizeInputTensor,
                          @"[2147483647, 2147483647, 2147483647]: ", @"bytes");
  error = nil;
  CHECK([interpreter invokeWithError:&error]);
  CHECK_EQUAL(error, nil);
}

TEST(ConstantInput) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"constant_input");
  TFLTensor *constant = [interpreter inputTensorAtIndex:1 error:&error];
  CHECK_EQUAL([constant dataWithError:&error], FLOATS(10, 20));
  CHECK(![constant copyData:FLOATS(1, 2) error:&error]);
  CHECK_INTERPRETER_ERROR(error, FailedToCopyDataToInputTensor, @"\"c\"", @"constant");
  CHECK(![constant copyData:FLOATS(1, 2) error:NULL]);
  CHECK(![interpreter resizeInputTensorAtIndex:1 toShape:@[ @3 ] error:&error]);
  CHECK_INTERPRETER_ERROR(error, FailedToResizeInputTensor, @"Input 1", @"[3]: ", @"fixed-size");
}

TEST(ByteSizes) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"two_inputs");
  TFLTensor *input = [interpreter inputTensorAtIndex:0 error:&error];
  for (NSUInteger bytes = 0; bytes < 40; bytes += 15) {
    CHECK(![input copyData:[NSMutableData dataWithLength:bytes] error:&error]);
    NSString *got = [NSString stringWithFormat:@"has %lu bytes", (unsigned long)bytes];
    CHECK_INTERPRETER_ERROR(error, InvalidInputByteSize, @"\"first\"", got, @"16 bytes");
  }
  CHECK(![input copyData:None() error:&error]);
  CHECK_INTERPRETER_ERROR(error, InvalidInputByteSize, @"nil has 0 bytes", @"16 bytes");
  CHECK(![input copyData:(id) @"sixteen bytes are" error:&error]);
  CHECK_INTERPRETER_ERROR(error, InvalidInputByteSize, @"String", @"16 bytes");
  CHECK(![input copyData:None() error:NULL]);
}

TEST(CopyToAnOutput) {
  NSError *error = nil;
  TFLTensor *output = [OpenAllocated(@"two_inputs") outputTensorAtIndex:0 error:&error];
  CHECK(![output copyData:FLOATS(1, 2, 3, 4) error:&error]);
  CHECK_INTERPRETER_ERROR(error, CopyDataToOutputTensorNotAllowed, @"\"sum\"");
}

TEST(StringsAreNoBytes) {
  NSError *error = nil;
  TFLTensor *strings = [OpenAllocated(@"types") inputTensorAtIndex:10 error:&error];
  CHECK_EQUAL(strings.name, @"string");
  CHECK(![strings copyData:[NSData data] error:&error]);
  CHECK_INTERPRETER_ERROR(error, InvalidTensor, @"\"string\"");
}

TEST(BeforeAllocation) {
  NSError *error = nil;
  TFLInterpreter *interpreter = Open(@"two_inputs");
  TFLTensor *input = [interpreter inputTensorAtIndex:0 error:&error];
  TFLTensor *output = [interpreter outputTensorAtIndex:0 error:&error];
  CHECK_EQUAL(ShapeOf(input), @"[2, 2]");
  CHECK(![input copyData:FLOATS(1, 2, 3, 4) error:&error]);
  CHECK_INTERPRETER_ERROR(error, AllocateTensorsRequired, @"\"first\"");
  CHECK_EQUAL([input dataWithError:&error], nil);
  CHECK_INTERPRETER_ERROR(error, AllocateTensorsRequired, @"\"first\"");
  CHECK_EQUAL([output dataWithError:&error], nil);
  CHECK_INTERPRETER_ERROR(error, InvokeInterpreterRequired, @"\"sum\"");
  CHECK(![interpreter invokeWithError:&error]);
  CHECK_INTERPRETER_ERROR(error, FailedToInvoke, @"allocated", @"not ready");
  CHECK(![interpreter invokeWithError:NULL]);
  CHECK([interpreter allocateTensorsWithError:&error]);
  CHECK([input copyData:FLOATS(1, 2, 3, 4) error:&error]);
  CHECK_EQUAL([output dataWithError:&error], nil);
  CHECK_INTERPRETER_ERROR(error, InvokeInterpreterRequired, @"\"sum\"");
  CHECK_EQUAL([output dataWithError:NULL], nil);
  CHECK([interpreter invokeWithError:&error]);
  CHECK_NUMBER([output dataWithError:&error].length, 16);
}

// Shapes of as many bytes count, too: the memory would still be that of before.
TEST(HandlesAfterAResize) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"two_inputs");
  TFLTensor *input = [interpreter inputTensorAtIndex:0 error:&error];
  TFLTensor *output = [interpreter outputTensorAtIndex:0 error:&error];
  NSArray *shapes = @[ @[ @1, @4 ], @[ @300, @2 ] ];
  for (NSArray<NSNumber *> *shape in shapes) {
    CHECK([interpreter allocateTensorsWithError:NULL] || shape == [shapes lastObject]);
    [interpreter invokeWithError:NULL];
    CHECK([interpreter resizeInputTensorAtIndex:0 toShape:shape error:&error]);
    const NSUInteger bytes = shape == [shapes lastObject] ? 2400 : 16;
    CHECK(![input copyData:[NSMutableData dataWithLength:bytes] error:&error]);
    CHECK_INTERPRETER_ERROR(error, AllocateTensorsRequired, @"\"first\"");
    CHECK_EQUAL([input dataWithError:&error], nil);
    CHECK_INTERPRETER_ERROR(error, AllocateTensorsRequired, @"\"first\"");
    CHECK_EQUAL([output dataWithError:&error], nil);
    CHECK_INTERPRETER_ERROR(error, InvokeInterpreterRequired, @"\"sum\"");
  }
  CHECK(![interpreter allocateTensorsWithError:&error]);
  CHECK_INTERPRETER_ERROR(error, FailedToAllocateTensors, @"allocated: ");
  CHECK(![interpreter allocateTensorsWithError:NULL]);
  CHECK_EQUAL([output dataWithError:NULL], nil);
  CHECK([interpreter resizeInputTensorAtIndex:1 toShape:@[ @300, @2 ] error:&error]);
  CHECK([interpreter allocateTensorsWithError:&error]);
  CHECK([interpreter invokeWithError:&error]);
  CHECK_NUMBER([output dataWithError:&error].length, 2400);
}

TEST(RunThatFails) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"dynamic");
  const int32_t too_many = 7;
  CHECK([[interpreter inputTensorAtIndex:1 error:&error]
      copyData:[NSData dataWithBytes:&too_many length:sizeof(too_many)]
         error:&error]);
  CHECK(![interpreter invokeWithError:&error]);
  CHECK_INTERPRETER_ERROR(error, FailedToInvoke, @"failed to run: ", @"SLICE");
  CHECK_EQUAL([[interpreter outputTensorAtIndex:0 error:NULL] dataWithError:&error], nil);
  CHECK_INTERPRETER_ERROR(error, InvokeInterpreterRequired, @"\"y\"");
}

TEST(OutputThatTheCPUCannotRead) {
  NSError *error = nil;
  TFLInterpreter *interpreter =
      [[[TFLInterpreter alloc] initWithModelPath:ModelPath(@"types")
                                         options:nil
                                       delegates:@[ [TestDelegate delegateThatHidesTheOutput] ]
                                           error:&error] autorelease];
  CHECK([interpreter allocateTensorsWithError:&error]);
  CHECK([interpreter invokeWithError:&error]);
  CHECK_EQUAL(error.localizedDescription, nil);
  CHECK_EQUAL([[interpreter outputTensorAtIndex:0 error:NULL] dataWithError:&error], nil);
  CHECK_INTERPRETER_ERROR(error, FailedToGetDataFromTensor, @"\"nothing\"");
}
