// SPDX-License-Identifier: Apache-2.0
// Checks each dimension: the C API takes int, an NSNumber holds anything.
#import "TFLShape.h"

#include <limits.h>
#include <stdlib.h>

// The number of an object that is a positive integer in range, else 0.
static int DimensionOf(id object) {
  if (![object isKindOfClass:[NSNumber class]]) return 0;
  const long long value = [object longLongValue];
  if (value < 1 || value > INT_MAX || [object doubleValue] != (double)value) return 0;
  return (int)value;
}

int *TFLCopyDimensions(NSArray<NSNumber *> *shape, TFLFace face, NSError **error) {
  if (![shape isKindOfClass:[NSArray class]]) {
    TFLFail(error, face, TFLProblemShape, @"A shape is an array of numbers, not %@.",
            TFLClassOf(shape));
    return NULL;
  }
  const NSUInteger count = shape.count;
  if (count == 0 || count > INT_MAX) {
    TFLFail(error, face, TFLProblemShape, @"A shape cannot have %lu dimensions.",
            (unsigned long)count);
    return NULL;
  }
  int *dimensions = calloc(count, sizeof(int));
  if (dimensions == NULL) {
    TFLFail(error, face, TFLProblemShape, @"There is no memory for a shape of %lu dimensions.",
            (unsigned long)count);
    return NULL;
  }
  for (NSUInteger i = 0; i < count; ++i) {
    id number = [shape objectAtIndex:i];
    dimensions[i] = DimensionOf(number);
    if (dimensions[i] > 0) continue;
    TFLFail(error, face, TFLProblemShape,
            @"Dimension %lu of the shape is %@; it must be an integer from 1 to %d.",
            (unsigned long)i, number, INT_MAX);
    free(dimensions);
    return NULL;
  }
  return dimensions;
}

BOOL TFLHasDimensions(const TfLiteTensor *tensor, const int *dimensions, NSUInteger count) {
  if (tensor == NULL || TfLiteTensorData(tensor) == NULL) return NO;
  const int rank = TfLiteTensorNumDims(tensor);
  if (rank < 0 || (NSUInteger)rank != count) return NO;
  for (int i = 0; i < rank; ++i) {
    if (TfLiteTensorDim(tensor, i) != dimensions[i]) return NO;
  }
  return YES;
}

NSString *TFLShapeText(NSArray<NSNumber *> *shape) {
  return [NSString stringWithFormat:@"[%@]", [shape componentsJoinedByString:@", "]];
}
