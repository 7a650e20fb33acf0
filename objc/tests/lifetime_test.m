// SPDX-License-Identifier: Apache-2.0
// Who retains whom: handles outlive what made them, and everything goes at the end.
#import "models.h"

static TFLInterpreter *OpenWith(NSArray<TFLDelegate *> *delegates, NSError **error) {
  return [[[TFLInterpreter alloc] initWithModelPath:ModelPath(@"two_inputs")
                                            options:nil
                                          delegates:delegates
                                              error:error] autorelease];
}

TEST(TensorsKeepTheirInterpreter) {
  NSError *error = nil;
  TFLTensor *input = nil;
  TFLTensor *output = nil;
  @autoreleasepool {
    TFLInterpreter *interpreter = OpenAllocated(@"two_inputs");
    input = [[interpreter inputTensorAtIndex:0 error:&error] retain];
    output = [[interpreter outputTensorAtIndex:0 error:&error] retain];
    CHECK([interpreter invokeWithError:NULL]);
  }
  CHECK([input copyData:FLOATS(1, 2, 3, 4) error:&error]);
  CHECK_EQUAL([input dataWithError:&error], FLOATS(1, 2, 3, 4));
  [input release];
  CHECK_EQUAL(ShapeOf(output), @"[2, 2]");
  CHECK_NUMBER([output dataWithError:&error].length, 16);
  [output release];
}

TEST(RunnersAndTheirTensorsKeepTheInterpreter) {
  NSError *error = nil;
  TFLTensor *output = nil;
  @autoreleasepool {
    TFLSignatureRunner *runner = nil;
    @autoreleasepool {
      runner = [OpenRunner(@"two_inputs", @"serving_default") retain];
    }
    CHECK([runner invokeWithInputs:@{@"a" : FLOATS(1, 2, 3, 4)} Error:&error]);
    output = [[runner outputTensorWithName:@"total" error:&error] retain];
    [runner release];
  }
  CHECK_NUMBER([output dataWithError:&error].length, 16);
  [output release];
}

// Errors outlive the interpreter that was not made.
TEST(ErrorsOutliveTheirCause) {
  NSError *error = nil;
  @autoreleasepool {
    OpenWith(@[ [TestDelegate delegateThatFails] ], &error);
    [error retain];
  }
  CHECK_INTERPRETER_ERROR(error, FailedToCreateInterpreter, @"two_inputs.tflite",
                          @"this delegate takes 0 nodes");
  [error release];
}

TEST(DelegatesAreRetained) {
  NSError *error = nil;
  const int prepared = [TestDelegate prepared];
  @autoreleasepool {
    TFLInterpreter *interpreter = nil;
    @autoreleasepool {
      NSMutableArray *delegates =
          [NSMutableArray arrayWithObjects:[TestDelegate delegateThatSucceeds],
                                           [TestDelegate delegateThatSucceeds], nil];
      interpreter = [OpenWith(delegates, &error) retain];
      [delegates removeAllObjects];
    }
    CHECK_NUMBER([TestDelegate alive], 2);
    CHECK([TestDelegate prepared] >= prepared + 2);
    CHECK([interpreter allocateTensorsWithError:&error]);
    CHECK([interpreter invokeWithError:&error]);
    [interpreter release];
  }
  CHECK_NUMBER([TestDelegate alive], 0);
  @autoreleasepool {
    CHECK(OpenWith(@[], &error) != nil);
    CHECK_EQUAL(error, nil);
    OpenWith(@[ [TestDelegate delegateThatFails] ], &error);
  }
  CHECK_NUMBER([TestDelegate alive], 0);
}

TEST(DelegatesThatAreNone) {
  NSError *error = nil;
  CHECK_EQUAL(OpenWith((id) @[ [TestDelegate delegateThatSucceeds], @"gpu" ], &error), nil);
  CHECK_INTERPRETER_ERROR(error, FailedToCreateInterpreter, @"delegates[1]", @"String");
  CHECK_EQUAL(OpenWith(@[ [[[TFLDelegate alloc] init] autorelease] ], &error), nil);
  CHECK_INTERPRETER_ERROR(error, FailedToCreateInterpreter, @"delegates[0]", @"TFLDelegate");
  CHECK_EQUAL(OpenWith((id) @"gpu", &error), nil);
  CHECK_INTERPRETER_ERROR(error, FailedToCreateInterpreter, @"delegates", @"String");
  CHECK([[[[TFLDelegate alloc] init] autorelease] cDelegate] == NULL);
}

TEST(ManyInterpreters) {
  for (int i = 0; i < 200; ++i) {
    @autoreleasepool {
      TFLSignatureRunner *runner = OpenRunner(@"two_inputs", @"serving_default");
      CHECK([runner invokeWithInputs:@{@"a" : FLOATS(1, 2, 3, 4)} Error:NULL]);
      OpenWith(@[ [TestDelegate delegateThatFails] ], NULL);
    }
  }
  CHECK_NUMBER([TestDelegate alive], 0);
}
