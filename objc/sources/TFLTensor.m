// SPDX-License-Identifier: Apache-2.0
// A handle: it asks its owner for the tensor in each call, as the runtime moves tensors and their
// memory.
#import "TFLTensor.h"

#include <stdlib.h>

#import "TFLTensor+Internal.h"

static TFLTensorDataType DataTypeOf(const TfLiteTensor *tensor) {
  switch (TfLiteTensorType(tensor)) {
    case kTfLiteFloat32:
      return TFLTensorDataTypeFloat32;
    case kTfLiteFloat16:
      return TFLTensorDataTypeFloat16;
    case kTfLiteInt32:
      return TFLTensorDataTypeInt32;
    case kTfLiteUInt8:
      return TFLTensorDataTypeUInt8;
    case kTfLiteInt64:
      return TFLTensorDataTypeInt64;
    case kTfLiteBool:
      return TFLTensorDataTypeBool;
    case kTfLiteInt16:
      return TFLTensorDataTypeInt16;
    case kTfLiteInt8:
      return TFLTensorDataTypeInt8;
    case kTfLiteFloat64:
      return TFLTensorDataTypeFloat64;
    case kTfLiteBFloat16:
      return TFLTensorDataTypeBFloat16;
    default:
      return TFLTensorDataTypeNoType;
  }
}

// Resources and variants are pointers of the runtime.
static BOOL IsHandle(const TfLiteTensor *tensor) {
  const TfLiteType type = TfLiteTensorType(tensor);
  return type == kTfLiteResource || type == kTfLiteVariant;
}

@implementation TFLTensor

@synthesize name = _name;
@synthesize dataType = _dataType;
@synthesize quantizationParameters = _quantizationParameters;

- (instancetype)init {
  [self release];
  return nil;
}

+ (instancetype)new {
  return [[self alloc] init];
}

- (instancetype)initWithOwner:(id<TFLTensorOwner>)owner
                      isInput:(BOOL)isInput
                        index:(NSUInteger)index
                          key:(NSString *)key
                       tensor:(const TfLiteTensor *)tensor {
  self = [super init];
  if (self == nil) return nil;
  _owner = [owner retain];
  _isInput = isInput;
  _index = index;
  _key = [key copy];
  _name = [TFLStringFromC(TfLiteTensorName(tensor)) copy];
  _dataType = DataTypeOf(tensor);
  const TfLiteQuantizationParams params = TfLiteTensorQuantizationParams(tensor);
  if (params.scale != 0) {
    _quantizationParameters = [[TFLQuantizationParameters alloc] initWithScale:params.scale
                                                                     zeroPoint:params.zero_point];
  }
  return self;
}

+ (TFLTensor *)tensorOf:(id<TFLTensorOwner>)owner
                isInput:(BOOL)isInput
                  index:(NSUInteger)index
                    key:(NSString *)key {
  const TfLiteTensor *tensor = [owner cTensorOfInput:isInput atIndex:index key:key];
  if (tensor == NULL) return nil;
  return [[[self alloc] initWithOwner:owner isInput:isInput index:index key:key
                               tensor:tensor] autorelease];
}

- (void)dealloc {
  [_quantizationParameters release];
  [_name release];
  [_key release];
  [_owner release];
  [super dealloc];
}

- (BOOL)fail:(NSError **)error problem:(TFLProblem)problem because:(NSString *)reason {
  return TFLFail(error, _owner.face, problem, @"%@ tensor \"%@\": %@",
                 _isInput ? @"Input" : @"Output", _key != nil ? _key : _name, reason);
}

- (TfLiteTensor *)cTensorWithError:(NSError **)error {
  TfLiteTensor *tensor = [_owner cTensorOfInput:_isInput atIndex:_index key:_key];
  if (tensor == NULL) {
    [self fail:error problem:TFLProblemGetTensor because:@"the model does not have it any more."];
  }
  return tensor;
}

// Whether the data has the bytes that the tensor has.
- (BOOL)fits:(NSData *)data tensor:(const TfLiteTensor *)tensor error:(NSError **)error {
  const size_t required = TfLiteTensorByteSize(tensor);
  const BOOL isData = [data isKindOfClass:[NSData class]];
  if (isData && data.length == required) return YES;
  NSString *what = isData ? @"the data" : TFLClassOf(data);
  NSString *reason =
      [NSString stringWithFormat:@"%@ has %lu bytes; it needs %zu bytes.", what,
                                 (unsigned long)(isData ? data.length : 0), required];
  return [self fail:error problem:TFLProblemByteSize because:reason];
}

- (BOOL)canTakeData:(NSData *)data error:(NSError **)error {
  if (!_isInput) {
    return [self fail:error
              problem:TFLProblemCopyToOutput
              because:@"data is copied to inputs only."];
  }
  const TfLiteTensor *tensor = [self cTensorWithError:error];
  if (tensor == NULL) return NO;
  if (IsHandle(tensor) || TfLiteTensorType(tensor) == kTfLiteString) {
    return [self fail:error problem:TFLProblemTensor because:@"its elements are no plain bytes."];
  }
  if (![self fits:data tensor:tensor error:error]) return NO;
  if (!_owner.state.allocated) {
    return [self fail:error
              problem:TFLProblemCopyBeforeAllocate
              because:@"tensors must be allocated before data is copied."];
  }
  return YES;
}

- (BOOL)copyData:(NSData *)data error:(NSError **)error {
  if (![self canTakeData:data error:error]) return NO;
  TfLiteTensor *tensor = [_owner cTensorOfInput:_isInput atIndex:_index key:_key];
  if (TfLiteTensorCopyFromBuffer(tensor, data.bytes, data.length) != kTfLiteOk) {
    return
        [self fail:error
            problem:TFLProblemCopy
            because:@"the runtime takes no data: it is a constant of the model, or has no memory."];
  }
  return YES;
}

// Whether there is data to read, which the runtime itself does not know.
- (BOOL)isReadyWithError:(NSError **)error {
  TFLGraphState *state = _owner.state;
  if (_isInput && !state.allocated) {
    return [self fail:error
              problem:TFLProblemDataBeforeAllocate
              because:@"tensors must be allocated before data is read."];
  }
  if (!_isInput && !(state.allocated && state.invoked)) {
    return [self fail:error
              problem:TFLProblemDataBeforeInvoke
              because:@"the model must run before data is read."];
  }
  return YES;
}

- (NSData *)dataWithError:(NSError **)error {
  const TfLiteTensor *tensor = [self cTensorWithError:error];
  if (tensor == NULL) return nil;
  if (IsHandle(tensor)) {
    [self fail:error problem:TFLProblemTensor because:@"its elements are no plain bytes."];
    return nil;
  }
  if (![self isReadyWithError:error]) return nil;
  const size_t bytes = TfLiteTensorByteSize(tensor);
  if (bytes == 0) return [NSData data];
  if (TfLiteTensorData(tensor) == NULL) {
    [self fail:error problem:TFLProblemData because:@"it has no data that the CPU can read."];
    return nil;
  }
  // NSData would raise an exception when memory ends.
  void *copy = malloc(bytes);
  if (copy == NULL || TfLiteTensorCopyToBuffer(tensor, copy, bytes) != kTfLiteOk) {
    free(copy);
    NSString *reason = [NSString stringWithFormat:@"its %zu bytes could not be copied.", bytes];
    [self fail:error problem:TFLProblemData because:reason];
    return nil;
  }
  return [NSData dataWithBytesNoCopy:copy length:bytes freeWhenDone:YES];
}

- (NSArray<NSNumber *> *)shapeWithError:(NSError **)error {
  const TfLiteTensor *tensor = [self cTensorWithError:error];
  if (tensor == NULL) return nil;
  const int32_t rank = TfLiteTensorNumDims(tensor);
  if (rank < 0) {
    [self fail:error problem:TFLProblemTensor because:@"it has no shape."];
    return nil;
  }
  NSMutableArray<NSNumber *> *shape = [NSMutableArray arrayWithCapacity:(NSUInteger)rank];
  for (int32_t i = 0; i < rank; ++i) {
    [shape addObject:[NSNumber numberWithInt:TfLiteTensorDim(tensor, i)]];
  }
  return shape;
}

@end
