// SPDX-License-Identifier: Apache-2.0
// Loading, running and shapes, as an application that makes no mistake does them.
#import "models.h"

#include "tensorflow/lite/c/c_api.h"

TEST(Version) { CHECK_EQUAL(TFLVersion, [NSString stringWithUTF8String:TfLiteVersion()]); }

TEST(Options) {
  TFLInterpreterOptions *options = [[[TFLInterpreterOptions alloc] init] autorelease];
  CHECK_NUMBER(options.numberOfThreads, 0);
  CHECK(!options.useXNNPACK);
  options.numberOfThreads = 2;
  options.useXNNPACK = YES;
  CHECK_NUMBER(options.numberOfThreads, 2);
  CHECK(options.useXNNPACK);
}

// The scores that the demo's model gives for one picture.
static NSData *DemoScores(TFLInterpreterOptions *options) {
  NSError *error = nil;
  TFLInterpreter *interpreter = [[[TFLInterpreter alloc] initWithModelPath:ModelPath(@"demo")
                                                                   options:options
                                                                     error:&error] autorelease];
  CHECK(interpreter != nil);
  CHECK([interpreter allocateTensorsWithError:&error]);
  TFLTensor *input = [interpreter inputTensorAtIndex:0 error:&error];
  CHECK_EQUAL(ShapeOf(input), @"[1, 240, 320, 3]");
  CHECK_NUMBER(input.dataType, TFLTensorDataTypeFloat32);
  NSMutableData *picture = [NSMutableData dataWithLength:240 * 320 * 3 * sizeof(float)];
  float *values = picture.mutableBytes;
  for (int i = 0; i < 240 * 320 * 3; ++i) values[i] = (float)(i % 511) / 255.0f - 1.0f;
  CHECK([input copyData:picture error:&error]);
  CHECK_EQUAL([input dataWithError:&error], picture);
  CHECK([interpreter invokeWithError:&error]);
  TFLTensor *output = [interpreter outputTensorAtIndex:0 error:&error];
  CHECK_EQUAL(ShapeOf(output), @"[1, 240, 320, 7]");
  CHECK_EQUAL(error, nil);
  return [output dataWithError:&error];
}

// Threads and XNNPACK change no number: there is one set of kernels.
TEST(DemoWithOptions) {
  NSData *plain = DemoScores(nil);
  CHECK_NUMBER(plain.length, 240 * 320 * 7 * sizeof(float));
  TFLInterpreterOptions *options = [[[TFLInterpreterOptions alloc] init] autorelease];
  CHECK_EQUAL(DemoScores(options), plain);
  options.numberOfThreads = 2;
  options.useXNNPACK = YES;
  CHECK_EQUAL(DemoScores(options), plain);
}

TEST(TwoInputs) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"two_inputs");
  CHECK_NUMBER(interpreter.inputTensorCount, 2);
  CHECK_NUMBER(interpreter.outputTensorCount, 2);
  CHECK_EQUAL(interpreter.signatureKeys, @[ @"serving_default" ]);
  TFLTensor *first = [interpreter inputTensorAtIndex:0 error:&error];
  TFLTensor *second = [interpreter inputTensorAtIndex:1 error:&error];
  CHECK_EQUAL(first.name, @"first");
  CHECK_EQUAL(second.name, @"second");
  CHECK([first copyData:FLOATS(1, 2, 3, 4) error:&error]);
  CHECK([second copyData:FLOATS(10, 20, 30, 40) error:&error]);
  CHECK([interpreter invokeWithError:&error]);
  TFLTensor *sum = [interpreter outputTensorAtIndex:0 error:&error];
  TFLTensor *twice = [interpreter outputTensorAtIndex:1 error:&error];
  CHECK_EQUAL(sum.name, @"sum");
  CHECK_EQUAL([sum dataWithError:&error], FLOATS(11, 22, 33, 44));
  CHECK_EQUAL([twice dataWithError:&error], FLOATS(22, 44, 66, 88));
  CHECK_EQUAL(error, nil);
}

TEST(ModelWithoutSignature) { CHECK_EQUAL(Open(@"dynamic").signatureKeys, @[]); }

// Handles of before a resize serve after it.
TEST(Resize) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"two_inputs");
  TFLTensor *first = [interpreter inputTensorAtIndex:0 error:&error];
  TFLTensor *sum = [interpreter outputTensorAtIndex:0 error:&error];
  for (NSUInteger i = 0; i < 2; ++i) {
    CHECK([interpreter resizeInputTensorAtIndex:i toShape:@[ @1, @2 ] error:&error]);
  }
  CHECK_EQUAL(ShapeOf(first), @"[1, 2]");
  CHECK([interpreter allocateTensorsWithError:&error]);
  CHECK_EQUAL(ShapeOf(sum), @"[1, 2]");
  CHECK([first copyData:FLOATS(5, 6) error:&error]);
  CHECK([[interpreter inputTensorAtIndex:1 error:&error] copyData:FLOATS(1, 1) error:&error]);
  CHECK([interpreter invokeWithError:&error]);
  CHECK_EQUAL([sum dataWithError:&error], FLOATS(6, 7));
  CHECK_EQUAL(error, nil);
}

// A resize to the shape that an input has leaves all as it is.
TEST(ResizeToTheSame) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"two_inputs");
  TFLTensor *sum = [interpreter outputTensorAtIndex:0 error:&error];
  CHECK([interpreter invokeWithError:&error]);
  CHECK([interpreter resizeInputTensorAtIndex:0 toShape:@[ @2, @2 ] error:&error]);
  CHECK([sum dataWithError:&error] != nil);
  CHECK([interpreter invokeWithError:&error]);
  CHECK_EQUAL(error, nil);
}

TEST(OutputShapeFromTheRun) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"dynamic");
  TFLTensor *output = [interpreter outputTensorAtIndex:0 error:&error];
  TFLTensor *size = [interpreter inputTensorAtIndex:1 error:&error];
  CHECK([[interpreter inputTensorAtIndex:0 error:&error] copyData:FLOATS(1, 2, 3, 4, 5, 6)
                                                            error:&error]);
  for (int32_t wanted = 2; wanted <= 5; wanted += 3) {
    CHECK([size copyData:[NSData dataWithBytes:&wanted length:sizeof(wanted)] error:&error]);
    CHECK([interpreter invokeWithError:&error]);
    NSString *shape = [NSString stringWithFormat:@"[%d]", wanted];
    CHECK_EQUAL(ShapeOf(output), shape);
    CHECK_NUMBER([output dataWithError:&error].length, wanted * sizeof(float));
  }
  const int32_t none = 0;
  CHECK([size copyData:[NSData dataWithBytes:&none length:sizeof(none)] error:&error]);
  CHECK([interpreter invokeWithError:&error]);
  CHECK_EQUAL([output dataWithError:&error], [NSData data]);
  CHECK_EQUAL(error, nil);
}

TEST(Scalar) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"scalar");
  TFLTensor *input = [interpreter inputTensorAtIndex:0 error:&error];
  CHECK_EQUAL([input shapeWithError:&error], @[]);
  CHECK([input copyData:FLOATS(4) error:&error]);
  CHECK([interpreter invokeWithError:&error]);
  CHECK_EQUAL([[interpreter outputTensorAtIndex:0 error:&error] dataWithError:&error], FLOATS(-4));
}

TEST(DataTypes) {
  NSError *error = nil;
  const TFLTensorDataType types[] = {
      TFLTensorDataTypeFloat32,  TFLTensorDataTypeFloat16, TFLTensorDataTypeInt32,
      TFLTensorDataTypeUInt8,    TFLTensorDataTypeInt64,   TFLTensorDataTypeBool,
      TFLTensorDataTypeInt16,    TFLTensorDataTypeInt8,    TFLTensorDataTypeFloat64,
      TFLTensorDataTypeBFloat16, TFLTensorDataTypeNoType,  TFLTensorDataTypeNoType};
  const NSUInteger bytes[] = {8, 4, 8, 2, 16, 2, 4, 2, 16, 4, 0, 8};
  TFLInterpreter *interpreter = OpenAllocated(@"types");
  CHECK_NUMBER(interpreter.inputTensorCount, 12);
  for (NSUInteger i = 0; i < interpreter.inputTensorCount; ++i) {
    TFLTensor *input = [interpreter inputTensorAtIndex:i error:&error];
    CHECK_NUMBER(input.dataType, types[i]);
    CHECK_EQUAL(input.quantizationParameters, nil);
    if (bytes[i] == 0) continue;
    NSMutableData *data = [NSMutableData dataWithLength:bytes[i]];
    memset(data.mutableBytes, (int)i + 1, bytes[i]);
    CHECK([input copyData:data error:&error]);
    CHECK_EQUAL([input dataWithError:&error], data);
  }
  CHECK_EQUAL(error, nil);
}

// The numbers are part of the API.
TEST(NumbersOfTheEnumerations) {
  CHECK_NUMBER(TFLTensorDataTypeNoType, 0);
  CHECK_NUMBER(TFLTensorDataTypeFloat32, 1);
  CHECK_NUMBER(TFLTensorDataTypeBFloat16, 10);
  CHECK_NUMBER(TFLInterpreterErrorCodeInvalidTensorIndex, 0);
  CHECK_NUMBER(TFLInterpreterErrorCodeFailedToGetTensor, 6);
  CHECK_NUMBER(TFLInterpreterErrorCodeInvokeInterpreterRequired, 14);
  CHECK_NUMBER(TFLSignatureRunnerErrorCodeInvalidInputByteSize, 0);
  CHECK_NUMBER(TFLSignatureRunnerErrorCodeFailedToAllocateTensors, 10);
  CHECK_EQUAL(TFLSignatureRunnerErrorDomain, @"org.tensorflow.lite.signature_runner");
}

TEST(Quantized) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"copy_quantized");
  TFLTensor *input = [interpreter inputTensorAtIndex:0 error:&error];
  CHECK_NUMBER(input.dataType, TFLTensorDataTypeInt8);
  TFLQuantizationParameters *parameters = input.quantizationParameters;
  CHECK_NUMBER(parameters.scale, 0.5);
  CHECK_NUMBER(parameters.zeroPoint, 3);
  NSData *data = [NSData dataWithBytes:"\x80\x00\x03\x7f" length:4];
  CHECK([input copyData:data error:&error]);
  CHECK([interpreter invokeWithError:&error]);
  CHECK_EQUAL([[interpreter outputTensorAtIndex:0 error:&error] dataWithError:&error], data);
}

TEST(OddNames) {
  NSError *error = nil;
  TFLInterpreter *interpreter = OpenAllocated(@"odd_names");
  CHECK_EQUAL([interpreter inputTensorAtIndex:0 error:&error].name, @"gr\u00f6\u00dfe");
  CHECK_EQUAL([interpreter outputTensorAtIndex:0 error:&error].name, @"");
}

TEST(ShapesByBlock) {
  __block NSUInteger elements = 1;
  NSArray<NSNumber *> *shape = [[Open(@"demo") inputTensorAtIndex:0
                                                            error:NULL] shapeWithError:NULL];
  [shape enumerateObjectsUsingBlock:^(id number, NSUInteger index, BOOL *stop) {
    (void)index, (void)stop;
    elements *= [number unsignedIntegerValue];
  }];
  CHECK_NUMBER(elements, 240 * 320 * 3);
}
