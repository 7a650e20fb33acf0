// SPDX-License-Identifier: Apache-2.0
// Settings of a program that labels images.
#ifndef TERN_TENSORFLOW_LITE_EXAMPLES_LABEL_IMAGE_LABEL_IMAGE_H_
#define TERN_TENSORFLOW_LITE_EXAMPLES_LABEL_IMAGE_LABEL_IMAGE_H_

#include <string>

#include "tensorflow/lite/core/c/c_api_types.h"

namespace tflite {

class FlatBufferModel;

namespace label_image {

struct Settings {
  tflite::FlatBufferModel* model = nullptr;
  std::string model_name = "./mobilenet_quant_v1_224.tflite";
  std::string input_bmp_name = "./grace_hopper.bmp";
  std::string labels_file_name = "./labels.txt";
  TfLiteType input_type = kTfLiteFloat32;  // of the model's input
  float input_mean = 127.5f;               // floats are (pixel - mean) / deviation
  float input_std = 127.5f;
  int loop_count = 1;
  int number_of_warmup_runs = 2;
  int number_of_threads = 4;
  int number_of_results = 5;
  int max_profiling_buffer_entries = 1024;
  bool verbose = false;
  bool accel = false;
  bool gl_backend = false;
  bool profiling = false;
  bool allow_fp16 = false;
  bool hexagon_delegate = false;
  bool xnnpack_delegate = false;
};

}  // namespace label_image
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_EXAMPLES_LABEL_IMAGE_LABEL_IMAGE_H_
