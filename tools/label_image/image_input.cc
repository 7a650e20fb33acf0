// SPDX-License-Identifier: Apache-2.0
// Scaling and writing a photo.
#include "label_image/image_input.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/inputs/tensor_bytes.h"
#include "tensorflow/lite/builtin_op_data.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::tools {
namespace {

std::vector<float> Pixels(const cli::Picture& photo, int channels) {
  std::vector<float> pixels(photo.rgb.begin(), photo.rgb.end());
  if (channels == 3) return pixels;
  std::vector<float> grey(pixels.size() / 3);
  for (size_t i = 0; i < grey.size(); ++i) {
    grey[i] = (pixels[3 * i] + pixels[3 * i + 1] + pixels[3 * i + 2]) / 3;
  }
  return grey;
}

// A graph of one RESIZE_BILINEAR, as converters make it for older models: corners of both pictures
// lie on each other, no half pixels.
absl::StatusOr<std::vector<float>> Resize(const std::vector<float>& pixels,
                                          const std::vector<int>& shape, int height, int width) {
  tflite::Interpreter graph;
  int first = 0;
  const TfLiteQuantizationParams none = {};
  std::unique_ptr<void, void (*)(void*)> options(std::calloc(1, sizeof(TfLiteResizeBilinearParams)),
                                                 std::free);
  const tflite::ops::builtin::BuiltinOpResolver resolver;
  const bool built =
      graph.AddTensors(3, &first) == kTfLiteOk && graph.SetInputs({0, 1}) == kTfLiteOk &&
      graph.SetOutputs({2}) == kTfLiteOk &&
      graph.SetTensorParametersReadWrite(0, kTfLiteFloat32, "photo", shape, none) == kTfLiteOk &&
      graph.SetTensorParametersReadWrite(1, kTfLiteInt32, "size", {2}, none) == kTfLiteOk &&
      graph.SetTensorParametersReadWrite(2, kTfLiteFloat32, "scaled", {1, height, width, shape[3]},
                                         none) == kTfLiteOk &&
      graph.AddNodeWithParameters({0, 1}, {2}, nullptr, 0, options.release(),
                                  resolver.FindOp(tflite::BuiltinOperator_RESIZE_BILINEAR, 1)) ==
          kTfLiteOk &&
      graph.AllocateTensors() == kTfLiteOk;
  if (!built) return absl::InternalError("the photo cannot be scaled");
  std::copy(pixels.begin(), pixels.end(), graph.typed_tensor<float>(0));
  graph.typed_tensor<int32_t>(1)[0] = height;
  graph.typed_tensor<int32_t>(1)[1] = width;
  if (graph.Invoke() != kTfLiteOk) return absl::InternalError("the photo cannot be scaled");
  const float* scaled = graph.typed_tensor<float>(2);
  return std::vector<float>(scaled, scaled + cli::ElementCount({height, width, shape[3]}));
}

}  // namespace

absl::Status WriteImage(const cli::Picture& photo, float mean, float deviation,
                        TfLiteTensor* input) {
  const std::vector<int> shape = cli::ShapeOf(*input);
  if (shape.size() != 4 || shape[0] != 1 || (shape[3] != 3 && shape[3] != 1) || shape[1] < 1 ||
      shape[2] < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("the input is no picture: ", cli::ShapeText(shape), " (1xHxWx3, 1xHxWx1)"));
  }
  const absl::StatusOr<std::vector<float>> scaled =
      Resize(Pixels(photo, shape[3]), {1, photo.height, photo.width, shape[3]}, shape[1], shape[2]);
  if (!scaled.ok()) return scaled.status();
  size_t i = 0;
  for (const float pixel : *scaled) {
    if (input->type == kTfLiteFloat32) {
      input->data.f[i++] = (pixel - mean) / deviation;
    } else if (input->type == kTfLiteInt8) {
      input->data.int8[i++] = static_cast<int8_t>(pixel - 128);
    } else if (input->type == kTfLiteUInt8) {
      input->data.uint8[i++] = static_cast<uint8_t>(pixel);
    } else {
      return absl::UnimplementedError(
          absl::StrCat("cannot handle input type ", cli::TypeName(input->type), " yet"));
    }
  }
  return absl::OkStatus();
}

}  // namespace tern::tools
