// SPDX-License-Identifier: Apache-2.0
// Runs a model on the GPU for each picture of a folder, in the order of their names, as a program
// with a camera does. The cache keeps what the GPU's driver compiled, so the next start is quick.
//   camera MODEL FOLDER CACHE_FOLDER
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Scales the picture to the input: bytes, or floats from 0 to 1.
bool FillInput(TfLiteTensor* input, const std::filesystem::path& picture) {
  const int height = input->dims->data[1], width = input->dims->data[2];
  int from_width, from_height, channels;
  const std::unique_ptr<uint8_t, void (*)(void*)> pixels(
      stbi_load(picture.c_str(), &from_width, &from_height, &channels, 3), stbi_image_free);
  if (pixels == nullptr) return false;
  for (int i = 0; i < height * width * 3; ++i) {
    const int y = i / 3 / width * from_height / height, x = i / 3 % width * from_width / width;
    const uint8_t value = pixels.get()[(y * from_width + x) * 3 + i % 3];
    if (input->type == kTfLiteFloat32) {
      input->data.f[i] = static_cast<float>(value) / 255;
    } else {
      input->data.uint8[i] = input->type == kTfLiteInt8 ? value ^ 0x80 : value;
    }
  }
  return true;
}

int main(int argc, char** argv) {
  if (argc != 4 || !std::filesystem::is_directory(argv[2])) {
    std::fprintf(stderr, "usage: camera MODEL FOLDER CACHE_FOLDER\n");
    return 2;
  }
  const auto start = Clock::now();
  const auto model = tflite::FlatBufferModel::BuildFromFile(argv[1]);
  if (model == nullptr) return 1;
  // The token says that the model is the same one: choose another for another model.
  const std::string token = std::filesystem::path(argv[1]).stem().string();
  std::filesystem::create_directories(argv[3]);
  TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
  options.inference_preference = TFLITE_GPU_INFERENCE_PREFERENCE_SUSTAINED_SPEED;
  options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION;
  options.serialization_dir = argv[3];
  options.model_token = token.c_str();
  // It must live longer than the interpreter.
  const std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)> delegate(
      TfLiteGpuDelegateV2Create(&options), TfLiteGpuDelegateV2Delete);
  tflite::ops::builtin::BuiltinOpResolver resolver;
  std::unique_ptr<tflite::Interpreter> interpreter;
  if (tflite::InterpreterBuilder(*model, resolver)(&interpreter) != kTfLiteOk) return 1;
  // Without a GPU the interpreter goes on on the CPU.
  if (interpreter->ModifyGraphWithDelegate(delegate.get()) != kTfLiteOk) std::puts("on the CPU");
  if (interpreter->AllocateTensors() != kTfLiteOk) return 1;
  std::printf("ready after %.0f ms\n", Milliseconds(start));

  std::vector<std::filesystem::path> pictures;
  for (const auto& file : std::filesystem::directory_iterator(argv[2]))
    pictures.push_back(file.path());
  std::sort(pictures.begin(), pictures.end());
  int shown = 0;
  for (const auto& picture : pictures) {
    if (!FillInput(interpreter->input_tensor(0), picture)) continue;  // no picture
    const auto begin = Clock::now();
    if (interpreter->Invoke() != kTfLiteOk) return 1;
    std::printf("%s: %.1f ms\n", picture.filename().c_str(), Milliseconds(begin));
    ++shown;
  }
  std::printf("%d pictures\n", shown);
  return shown > 0 ? 0 : 1;
}
