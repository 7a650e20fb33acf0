// SPDX-License-Identifier: Apache-2.0
// Signature runners: names, shapes, what several share with each other and with the interpreter.
#include <limits.h>

#import "models.h"

static id None(void) { return nil; }

static NSData *Int(int32_t value) { return [NSData dataWithBytes:&value length:sizeof(value)]; }

TEST(SignatureRun) {
  NSError *error = nil;
  TFLSignatureRunner *runner = OpenRunner(@"two_inputs", @"serving_default");
  CHECK_EQUAL(runner.signatureKey, @"serving_default");
  CHECK_EQUAL([NSSet setWithArray:runner.inputs], ([NSSet setWithObjects:@"a", @"b", nil]));
  CHECK_EQUAL([NSSet setWithArray:runner.outputs],
              ([NSSet setWithObjects:@"doubled", @"total", nil]));
  NSDictionary *inputs = @{@"a" : FLOATS(1, 2, 3, 4), @"b" : FLOATS(10, 20, 30, 40)};
  CHECK([runner invokeWithInputs:inputs Error:&error]);
  TFLTensor *total = [runner outputTensorWithName:@"total" error:&error];
  CHECK_EQUAL(total.name, @"sum");
  CHECK_EQUAL([total dataWithError:&error], FLOATS(11, 22, 33, 44));
  CHECK_EQUAL([[runner outputTensorWithName:@"doubled" error:&error] dataWithError:&error],
              FLOATS(22, 44, 66, 88));
  // Inputs that are not named keep their data.
  CHECK([runner invokeWithInputs:@{@"a" : FLOATS(0, 0, 0, 1)} Error:&error]);
  CHECK_EQUAL([total dataWithError:&error], FLOATS(10, 20, 30, 41));
  TFLTensor *input = [runner inputTensorWithName:@"a" error:&error];
  CHECK_EQUAL(input.name, @"first");
  CHECK_EQUAL([input dataWithError:&error], FLOATS(0, 0, 0, 1));
  CHECK([input copyData:FLOATS(2, 2, 2, 2) error:&error]);
  CHECK([runner invokeWithInputs:@{} Error:&error]);
  CHECK_EQUAL([total dataWithError:&error], FLOATS(12, 22, 32, 42));
  CHECK_EQUAL(error, nil);
}

TEST(SignatureResize) {
  NSError *error = nil;
  TFLSignatureRunner *runner = OpenRunner(@"two_inputs", @"serving_default");
  for (NSString *name in runner.inputs) {
    CHECK([runner resizeInputTensorWithName:name toShape:@[ @1, @2 ] error:&error]);
  }
  TFLTensor *input = [runner inputTensorWithName:@"a" error:&error];
  CHECK_EQUAL(ShapeOf(input), @"[1, 2]");
  CHECK(![input copyData:FLOATS(1, 2) error:&error]);
  CHECK_RUNNER_ERROR(error, FailedToCopyDataToInputTensor, @"\"a\"", @"allocated");
  CHECK_EQUAL([input dataWithError:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToGetDataFromTensor, @"\"a\"", @"allocated");
  CHECK([runner allocateTensorsWithError:&error]);
  CHECK([input copyData:FLOATS(1, 2) error:&error]);
  // A run allocates where that is needed.
  for (NSString *name in runner.inputs) {
    CHECK([runner resizeInputTensorWithName:name toShape:@[ @3, @2 ] error:&error]);
  }
  NSDictionary *inputs = @{@"a" : FLOATS(1, 2, 3, 4, 5, 6), @"b" : FLOATS(1, 1, 1, 1, 1, 1)};
  CHECK([runner invokeWithInputs:inputs Error:&error]);
  TFLTensor *total = [runner outputTensorWithName:@"total" error:&error];
  CHECK_EQUAL(ShapeOf(total), @"[3, 2]");
  CHECK_EQUAL([total dataWithError:&error], FLOATS(2, 3, 4, 5, 6, 7));
}

TEST(SignaturesThatDoNotExist) {
  NSError *error = nil;
  TFLInterpreter *interpreter = Open(@"one_graph_twice");
  CHECK_EQUAL([NSSet setWithArray:interpreter.signatureKeys],
              ([NSSet setWithObjects:@"again", @"double", @"negate", nil]));
  CHECK_EQUAL([interpreter signatureRunnerWithKey:@"other" error:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToCreateSignatureRunner, @"\"other\"", @"\"negate\"");
  CHECK_EQUAL([interpreter signatureRunnerWithKey:None() error:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToCreateSignatureRunner, @"nil");
  CHECK_EQUAL([interpreter signatureRunnerWithKey:(id) @5 error:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToCreateSignatureRunner, @"Number");
  CHECK_EQUAL([interpreter signatureRunnerWithKey:@"other" error:NULL], nil);
  CHECK_EQUAL([Open(@"demo") signatureRunnerWithKey:@"" error:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToCreateSignatureRunner, @"\"\"");
}

TEST(NamesThatDoNotExist) {
  NSError *error = nil;
  TFLSignatureRunner *runner = OpenRunner(@"two_inputs", @"serving_default");
  CHECK_EQUAL([runner inputTensorWithName:@"c" error:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToGetTensor, @"no input named \"c\"", @"\"a\"", @"\"b\"");
  CHECK_EQUAL([runner outputTensorWithName:@"a" error:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToGetTensor, @"no output named \"a\"", @"\"total\"");
  CHECK_EQUAL([runner inputTensorWithName:None() error:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToGetTensor, @"nil");
  CHECK_EQUAL([runner outputTensorWithName:None() error:NULL], nil);
  CHECK(![runner resizeInputTensorWithName:@"c" toShape:@[ @1 ] error:&error]);
  CHECK_RUNNER_ERROR(error, FailedToGetTensor, @"\"c\"");
  CHECK(![runner invokeWithInputs:@{@"c" : FLOATS(1)} Error:&error]);
  CHECK_RUNNER_ERROR(error, FailedToGetTensor, @"\"c\"");
  CHECK(![runner invokeWithInputs:(id) @{@3 : FLOATS(1)} Error:&error]);
  CHECK_RUNNER_ERROR(error, FailedToGetTensor, @"Number");
}

// An input that does not fit leaves the others as they were.
TEST(InputsThatDoNotFit) {
  NSError *error = nil;
  TFLSignatureRunner *runner = OpenRunner(@"two_inputs", @"serving_default");
  NSDictionary *good = @{@"a" : FLOATS(1, 2, 3, 4), @"b" : FLOATS(1, 1, 1, 1)};
  CHECK([runner invokeWithInputs:good Error:&error]);
  NSDictionary *bad = @{@"a" : FLOATS(9, 9, 9, 9), @"b" : FLOATS(1, 1, 1)};
  CHECK(![runner invokeWithInputs:bad Error:&error]);
  CHECK_RUNNER_ERROR(error, InvalidInputByteSize, @"\"b\"", @"12 bytes", @"16 bytes");
  CHECK(![runner invokeWithInputs:bad Error:NULL]);
  CHECK_EQUAL([[runner inputTensorWithName:@"a" error:NULL] dataWithError:NULL],
              FLOATS(1, 2, 3, 4));
  CHECK(![runner invokeWithInputs:@{@"a" : (id) @"text"} Error:&error]);
  CHECK_RUNNER_ERROR(error, InvalidInputByteSize, @"String", @"16 bytes");
  CHECK(![runner invokeWithInputs:None() Error:&error]);
  CHECK_RUNNER_ERROR(error, FailedToInvoke, @"serving_default", @"nil");
  CHECK(![runner invokeWithInputs:(id) @[] Error:&error]);
  CHECK_RUNNER_ERROR(error, FailedToInvoke, @"Array");
  TFLTensor *output = [runner outputTensorWithName:@"total" error:NULL];
  CHECK(![output copyData:FLOATS(1, 2, 3, 4) error:&error]);
  CHECK_RUNNER_ERROR(error, CopyDataToOutputTensorNotAllowed, @"\"total\"");
}

TEST(SignatureShapes) {
  NSError *error = nil;
  TFLSignatureRunner *runner = OpenRunner(@"two_inputs", @"serving_default");
  CHECK(![runner resizeInputTensorWithName:@"a" toShape:@[] error:&error]);
  CHECK_RUNNER_ERROR(error, InvalidShape, @"0 dimensions");
  CHECK(![runner resizeInputTensorWithName:@"a" toShape:@[ @2, @0 ] error:&error]);
  CHECK_RUNNER_ERROR(error, InvalidShape, @"Dimension 1", @"is 0");
  CHECK(![runner resizeInputTensorWithName:@"a" toShape:None() error:&error]);
  CHECK_RUNNER_ERROR(error, InvalidShape, @"nil");
  // The second dimension is not open.
  CHECK(![runner resizeInputTensorWithName:@"a" toShape:@[ @2, @3 ] error:&error]);
  CHECK_RUNNER_ERROR(error, FailedToResizeInputTensor, @"\"a\"", @"[2, 3]: ", @"dimension 1");
  CHECK(![runner resizeInputTensorWithName:@"a" toShape:@[ @2, @3 ] error:NULL]);
  CHECK([runner resizeInputTensorWithName:@"a" toShape:@[ @3, @2 ] error:&error]);
  CHECK(![runner allocateTensorsWithError:&error]);
  CHECK_RUNNER_ERROR(error, FailedToAllocateTensors, @"serving_default", @"allocated: ");
  CHECK(![runner allocateTensorsWithError:NULL]);
  CHECK(![runner invokeWithInputs:@{} Error:&error]);
  CHECK_RUNNER_ERROR(error, FailedToAllocateTensors, @"serving_default");
}

TEST(SignatureRunThatFails) {
  NSError *error = nil;
  TFLSignatureRunner *runner = OpenRunner(@"slice_signature", @"slice");
  TFLTensor *output = [runner outputTensorWithName:@"y" error:&error];
  CHECK_EQUAL([output dataWithError:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToGetDataFromTensor, @"\"y\"", @"run");
  CHECK([runner invokeWithInputs:@{@"size" : Int(3)} Error:&error]);
  CHECK_NUMBER([output dataWithError:&error].length, 12);
  CHECK(![runner invokeWithInputs:@{@"size" : Int(7)} Error:&error]);
  CHECK_RUNNER_ERROR(error, FailedToInvoke, @"\"slice\"", @"failed to run: ", @"SLICE");
  CHECK_EQUAL([output dataWithError:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToGetDataFromTensor, @"\"y\"");
}

TEST(SignatureTensors) {
  NSError *error = nil;
  TFLSignatureRunner *runner = OpenRunner(@"types", @"types");
  TFLTensor *strings = [runner inputTensorWithName:@"string" error:&error];
  CHECK(![strings copyData:[NSData data] error:&error]);
  CHECK_RUNNER_ERROR(error, InvalidTensor, @"\"string\"");
  TFLSignatureRunner *add = OpenRunner(@"constant_input", @"add");
  CHECK(![add invokeWithInputs:@{@"c" : FLOATS(1, 2)} Error:&error]);
  CHECK_RUNNER_ERROR(error, FailedToCopyDataToInputTensor, @"\"c\"", @"constant");
}

// A graph's memory is shared by all that run it, and so is whether it is there.
TEST(SharedGraphs) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"one_graph_twice");
  TFLSignatureRunner *doubler = [interpreter signatureRunnerWithKey:@"double" error:&error];
  TFLSignatureRunner *negate = [interpreter signatureRunnerWithKey:@"negate" error:&error];
  TFLSignatureRunner *again = [interpreter signatureRunnerWithKey:@"again" error:&error];
  TFLTensor *main_output = [interpreter outputTensorAtIndex:0 error:&error];
  TFLTensor *again_output = [again outputTensorWithName:@"out" error:&error];
  CHECK([doubler invokeWithInputs:@{@"in" : FLOATS(1, 2)} Error:&error]);
  CHECK_EQUAL([main_output dataWithError:&error], FLOATS(2, 4));
  CHECK_EQUAL([again_output dataWithError:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToGetDataFromTensor, @"\"out\"");
  CHECK([negate invokeWithInputs:@{@"value" : FLOATS(1, 2, 3)} Error:&error]);
  CHECK_EQUAL([again_output dataWithError:&error], FLOATS(-1, -2, -3));
  CHECK([again resizeInputTensorWithName:@"in" toShape:@[ @2, @3 ] error:&error]);
  TFLTensor *result = [negate outputTensorWithName:@"result" error:&error];
  CHECK_EQUAL([result dataWithError:&error], nil);
  CHECK_RUNNER_ERROR(error, FailedToGetDataFromTensor, @"\"result\"");
  CHECK_EQUAL([main_output dataWithError:&error], FLOATS(2, 4));
  CHECK([negate invokeWithInputs:@{@"value" : FLOATS(1, 2, 3, 4, 5, 6)} Error:&error]);
  CHECK_NUMBER([again_output dataWithError:&error].length, 24);
  CHECK([interpreter resizeInputTensorAtIndex:0 toShape:@[ @5, @2 ] error:&error]);
  CHECK_EQUAL([[doubler outputTensorWithName:@"out" error:NULL] dataWithError:NULL], nil);
  CHECK_NUMBER([again_output dataWithError:&error].length, 24);
}
