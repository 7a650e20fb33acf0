// SPDX-License-Identifier: Apache-2.0
// The Metal delegate over its three C functions, and the documents' code blocks word for word.
// TERN_FAKE_METAL: the functions are those of fake_metal.c, which say what they were asked for.
#import "models.h"

#ifdef TERN_FAKE_METAL
#import "fake_metal.h"
#endif

static void RunWith(TFLDelegate *delegate) {
  NSError *error = nil;
  TFLInterpreter *interpreter = [[[TFLInterpreter alloc] initWithModelPath:ModelPath(@"two_inputs")
                                                                   options:nil
                                                                 delegates:@[ delegate ]
                                                                     error:&error] autorelease];
  CHECK_EQUAL(error.localizedDescription, nil);
  CHECK([interpreter allocateTensorsWithError:&error]);
  CHECK([[interpreter inputTensorAtIndex:0 error:&error] copyData:FLOATS(1, 2, 3, 4) error:&error]);
  CHECK([[interpreter inputTensorAtIndex:1 error:&error] copyData:FLOATS(1, 1, 1, 1) error:&error]);
  CHECK([interpreter invokeWithError:&error]);
  CHECK_EQUAL([[interpreter outputTensorAtIndex:0 error:&error] dataWithError:&error],
              FLOATS(2, 3, 4, 5));
}

TEST(MetalOptions) {
  TFLMetalDelegateOptions *options = [[[TFLMetalDelegateOptions alloc] init] autorelease];
  CHECK(!options.isPrecisionLossAllowed);
  CHECK_NUMBER(options.waitType, TFLMetalDelegateThreadWaitTypePassive);
  CHECK(options.isQuantizationEnabled);
  options.precisionLossAllowed = YES;
  options.quantizationEnabled = NO;
  options.waitType = TFLMetalDelegateThreadWaitTypeAggressive;
  CHECK(options.precisionLossAllowed);
  CHECK(!options.quantizationEnabled);
  CHECK_NUMBER(options.waitType, 3);
  CHECK_NUMBER(TFLMetalDelegateThreadWaitTypeDoNotWait, 0);
  CHECK_NUMBER(TFLMetalDelegateThreadWaitTypePassive, 1);
  CHECK_NUMBER(TFLMetalDelegateThreadWaitTypeActive, 2);
}

TEST(MetalDelegateRuns) {
  TFLMetalDelegate *delegate = [[[TFLMetalDelegate alloc] init] autorelease];
  CHECK(delegate.cDelegate != NULL);
  RunWith(delegate);
  RunWith([[[TFLMetalDelegate alloc] initWithOptions:nil] autorelease]);
}

TEST(WrongMetalOptions) {
  TFLMetalDelegateOptions *options = [[[TFLMetalDelegateOptions alloc] init] autorelease];
  options.waitType = (TFLMetalDelegateThreadWaitType)4;
  CHECK_EQUAL([[[TFLMetalDelegate alloc] initWithOptions:(id) @"fast"] autorelease], nil);
  CHECK_EQUAL([[[TFLMetalDelegate alloc] initWithOptions:options] autorelease], nil);
}

TEST(SnippetOptions) {
#include "snippets/metal_options.inc"
  CHECK(!options.isPrecisionLossAllowed);
  CHECK(options.isQuantizationEnabled);
#ifdef TERN_FAKE_METAL
  const TFLGpuDelegateOptions explicit_options = fake_metal_options;
#endif
  RunWith(delegate);
  [delegate release];
  [options release];
  {
#include "snippets/metal_options_default.inc"
#ifdef TERN_FAKE_METAL
    CHECK(explicit_options.allow_precision_loss == fake_metal_options.allow_precision_loss);
    CHECK(explicit_options.wait_type == fake_metal_options.wait_type);
    CHECK(explicit_options.enable_quantization == fake_metal_options.enable_quantization);
#endif
    RunWith(delegate);
    [delegate release];
  }
}

TEST(SnippetQuantizationOff) {
#include "snippets/metal_quantization_off.inc"
  CHECK(!options.isQuantizationEnabled);
  TFLMetalDelegate *delegate = [[TFLMetalDelegate alloc] initWithOptions:options];
#ifdef TERN_FAKE_METAL
  CHECK(!fake_metal_options.enable_quantization);
#endif
  RunWith(delegate);
  [delegate release];
  [options release];
}

#ifdef TERN_FAKE_METAL
TEST(MetalOptionsReachTheCFunctions) {
  const struct {
    TFLMetalDelegateThreadWaitType ours;
    TFLGpuDelegateWaitType theirs;
  } types[] = {
      {TFLMetalDelegateThreadWaitTypeDoNotWait, TFLGpuDelegateWaitTypeDoNotWait},
      {TFLMetalDelegateThreadWaitTypePassive, TFLGpuDelegateWaitTypePassive},
      {TFLMetalDelegateThreadWaitTypeActive, TFLGpuDelegateWaitTypeActive},
      {TFLMetalDelegateThreadWaitTypeAggressive, TFLGpuDelegateWaitTypeAggressive},
  };
  TFLMetalDelegateOptions *options = [[[TFLMetalDelegateOptions alloc] init] autorelease];
  for (int i = 0; i < 4; ++i) {
    options.waitType = types[i].ours;
    options.precisionLossAllowed = i % 2 == 1;
    options.quantizationEnabled = i < 2;
    [[[TFLMetalDelegate alloc] initWithOptions:options] release];
    CHECK_NUMBER(fake_metal_options.wait_type, types[i].theirs);
    CHECK_NUMBER(fake_metal_options.allow_precision_loss, i % 2 == 1);
    CHECK_NUMBER(fake_metal_options.enable_quantization, i < 2);
  }
  CHECK_NUMBER(fake_metal_alive, 0);
}

TEST(MetalDelegatesGo) {
  @autoreleasepool {
    RunWith([[[TFLMetalDelegate alloc] init] autorelease]);
    CHECK_NUMBER(fake_metal_alive, 1);
  }
  CHECK_NUMBER(fake_metal_alive, 0);
}

TEST(NoMetal) {
  fake_metal_fails = true;
  CHECK_EQUAL([[[TFLMetalDelegate alloc] init] autorelease], nil);
  fake_metal_fails = false;
}
#endif
