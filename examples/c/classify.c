// SPDX-License-Identifier: Apache-2.0
// Names what a photo shows, by the C API:   classify MODEL LABELS PHOTO
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

#include "tensorflow/lite/c/c_api.h"

// Scales the photo to the input, an element for each colour: a byte, or a float from -1 to 1 (some
// models want 0 to 1).
static int FillInput(TfLiteTensor* input, const char* photo) {
  const int height = TfLiteTensorDim(input, 1), width = TfLiteTensorDim(input, 2);
  int photo_width, photo_height, channels;
  uint8_t* pixels = stbi_load(photo, &photo_width, &photo_height, &channels, 3);
  if (pixels == NULL) return 0;
  const size_t count = (size_t)height * width * 3;
  float* floats = malloc(count * sizeof(float));
  uint8_t* bytes = malloc(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t y = i / 3 / width * photo_height / height, x = i / 3 % width * photo_width / width;
    bytes[i] = pixels[(y * photo_width + x) * 3 + i % 3];
    floats[i] = bytes[i] / 127.5f - 1;
    if (TfLiteTensorType(input) == kTfLiteInt8) bytes[i] -= 128;
  }
  const int is_float = TfLiteTensorType(input) == kTfLiteFloat32;
  const TfLiteStatus status = is_float
                                  ? TfLiteTensorCopyFromBuffer(input, floats, count * sizeof(float))
                                  : TfLiteTensorCopyFromBuffer(input, bytes, count);
  free(bytes);
  free(floats);
  stbi_image_free(pixels);
  return status == kTfLiteOk;
}

// An element of the scores as the number that it stands for.
static float Score(const TfLiteTensor* scores, size_t i) {
  const TfLiteQuantizationParams by = TfLiteTensorQuantizationParams(scores);
  const void* data = TfLiteTensorData(scores);
  switch (TfLiteTensorType(scores)) {
    case kTfLiteUInt8:
      return by.scale * (((const uint8_t*)data)[i] - by.zero_point);
    case kTfLiteInt8:
      return by.scale * (((const int8_t*)data)[i] - by.zero_point);
    default:
      return ((const float*)data)[i];
  }
}

// Prints the best three. A model that names each pixel has a row of scores for each; their means
// count.
static int PrintBest(const TfLiteTensor* scores, FILE* labels) {
  const size_t classes = (size_t)TfLiteTensorDim(scores, TfLiteTensorNumDims(scores) - 1);
  size_t count = 1;
  for (int i = 0; i < TfLiteTensorNumDims(scores); ++i) count *= (size_t)TfLiteTensorDim(scores, i);
  float* means = calloc(classes, sizeof(float));
  char(*names)[80] = calloc(classes, sizeof(*names));
  if (count == 0 || means == NULL || names == NULL) return 0;
  for (size_t i = 0; i < count; ++i) means[i % classes] += Score(scores, i) * classes / count;
  for (size_t i = 0; i < classes; ++i) {
    if (fgets(names[i], sizeof(names[i]), labels) == NULL) sprintf(names[i], "class %zu", i);
    names[i][strcspn(names[i], "\r\n")] = 0;
  }
  for (int place = 0; place < 3; ++place) {
    size_t best = 0;
    for (size_t i = 1; i < classes; ++i) {
      if (means[i] > means[best]) best = i;
    }
    printf("%s: %.3g\n", names[best], means[best]);
    means[best] = -1e30f;
  }
  free(names);
  free(means);
  return 1;
}

int main(int argc, char** argv) {
  FILE* labels = argc == 4 ? fopen(argv[2], "r") : NULL;
  if (labels == NULL) {
    fprintf(stderr, "usage: classify MODEL LABELS PHOTO\n");
    return 2;
  }
  TfLiteModel* model = TfLiteModelCreateFromFile(argv[1]);
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetNumThreads(options, 2);
  TfLiteInterpreter* interpreter = model != NULL ? TfLiteInterpreterCreate(model, options) : NULL;
  const int ok = interpreter != NULL &&
                 TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk &&
                 FillInput(TfLiteInterpreterGetInputTensor(interpreter, 0), argv[3]) &&
                 TfLiteInterpreterInvoke(interpreter) == kTfLiteOk &&
                 PrintBest(TfLiteInterpreterGetOutputTensor(interpreter, 0), labels);
  TfLiteInterpreterDelete(interpreter);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  fclose(labels);
  return ok ? 0 : 1;
}
