// SPDX-License-Identifier: Apache-2.0
// Headers that programs include beside the interpreter: each one, and what it declares.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>

#include "tensorflow/lite/acceleration/configuration/c/xnnpack_plugin.h"
#include "tensorflow/lite/acceleration/configuration/configuration_generated.h"
#include "tensorflow/lite/core/api/tensor_utils.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"
#include "tensorflow/lite/examples/label_image/bitmap_helpers.h"
#include "tensorflow/lite/kernels/internal/reference/reference_ops.h"
#include "tensorflow/lite/kernels/internal/spectrogram.h"
#include "tensorflow/lite/kernels/lstm_shared.h"
#include "tensorflow/lite/nnapi/nnapi_util.h"
#include "tensorflow/lite/op_resolver.h"
#include "tensorflow/lite/shared_library.h"
#include "tensorflow/lite/tools/command_line_flags.h"
#include "tensorflow/lite/tools/evaluation/utils.h"

namespace tern {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Folder(const std::string& name) {
  const std::string folder = ::testing::TempDir() + "tern_headers_" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

TEST(OpResolverHeader, BringsTheMutableResolver) {
  const tflite::MutableOpResolver resolver;
  EXPECT_EQ(resolver.FindOp("none", 1), nullptr);
  EXPECT_NE(std::make_shared<tflite::internal::OperatorsCache>(), nullptr);
}

TEST(XnnpackPlugin, TakesThreadsAndFlagsOfTheSettings) {
  const TfLiteOpaqueDelegatePlugin* plugin = TfLiteXnnpackDelegatePluginCApi();
  tflite::TFLiteSettingsT settings;
  settings.delegate = tflite::Delegate_XNNPACK;
  settings.xnnpack_settings = std::make_unique<tflite::XNNPackSettingsT>();
  settings.xnnpack_settings->num_threads = 3;
  settings.xnnpack_settings->flags = tflite::XNNPackFlags_TFLITE_XNNPACK_DELEGATE_FLAG_FORCE_FP16;
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(tflite::TFLiteSettings::Pack(builder, &settings));
  const auto* table = flatbuffers::GetRoot<tflite::TFLiteSettings>(builder.GetBufferPointer());
  TfLiteOpaqueDelegate* delegate = plugin->create(table);
  ASSERT_NE(delegate, nullptr);
  EXPECT_EQ(TfLiteXNNPackDelegateGetOptions(delegate)->num_threads, 3);
  EXPECT_EQ(TfLiteXNNPackDelegateGetFlags(delegate), TFLITE_XNNPACK_DELEGATE_FLAG_FORCE_FP16);
  EXPECT_EQ(plugin->get_delegate_errno(delegate), 0);
  plugin->destroy(delegate);
  delegate = plugin->create(nullptr);
  EXPECT_EQ(TfLiteXNNPackDelegateGetOptions(delegate)->num_threads, 0);
  plugin->destroy(delegate);
}

TEST(TensorUtils, VariablesBeginAtTheRealValueZero) {
  int8_t bytes[4] = {1, 2, 3, 4};
  TfLiteTensor tensor = {};
  tensor.type = kTfLiteInt8;
  tensor.params.zero_point = -5;
  tensor.data.int8 = bytes;
  tensor.bytes = 4;
  EXPECT_EQ(tflite::ResetVariableTensor(&tensor), kTfLiteOk);
  EXPECT_THAT(bytes, ElementsAre(1, 2, 3, 4)) << "no variable";
  tensor.is_variable = true;
  EXPECT_EQ(tflite::ResetVariableTensor(&tensor), kTfLiteOk);
  EXPECT_THAT(bytes, ElementsAre(-5, -5, -5, -5));
  tensor.type = kTfLiteUInt8;
  EXPECT_EQ(tflite::ResetVariableTensor(&tensor), kTfLiteOk);
  EXPECT_THAT(bytes, ElementsAre(0, 0, 0, 0));
}

// Against the transform by its definition, with windows that overlap and with gaps between them.
TEST(Spectrogram, IsTheTransformOfEachWindow) {
  for (const auto& [window_length, step] : {std::pair(6, 4), {8, 8}, {5, 9}, {2, 1}}) {
    tflite::internal::Spectrogram spectrogram;
    std::vector<std::vector<double>> none;
    EXPECT_FALSE(spectrogram.ComputeSquaredMagnitudeSpectrogram(std::vector<float>{1}, &none));
    EXPECT_FALSE(spectrogram.Initialize(1, step));
    EXPECT_FALSE(spectrogram.Initialize(window_length, 0));
    ASSERT_TRUE(spectrogram.Initialize(window_length, step));
    const int size = window_length <= 2 ? 2 : 8;
    EXPECT_EQ(spectrogram.output_frequency_channels(), size / 2 + 1);
    std::vector<float> sound;
    for (int i = 0; i < 40; ++i) sound.push_back(static_cast<float>((i * 37) % 11) - 5);
    std::vector<std::vector<std::complex<double>>> all, part;
    for (size_t i = 0; i < sound.size(); i += 8) {  // piece by piece
      const std::vector<float> piece(sound.begin() + static_cast<long>(i),
                                     sound.begin() + static_cast<long>(i) + 8);
      ASSERT_TRUE(spectrogram.ComputeComplexSpectrogram(piece, &part));
      all.insert(all.end(), part.begin(), part.end());
    }
    ASSERT_EQ(all.size(), static_cast<size_t>((40 - window_length) / step + 1));
    for (size_t w = 0; w < all.size(); ++w) {
      for (int k = 0; k <= size / 2; ++k) {
        std::complex<double> sum;
        for (int i = 0; i < window_length; ++i) {
          sum += spectrogram.GetWindow()[static_cast<size_t>(i)] *
                 sound[w * static_cast<size_t>(step) + static_cast<size_t>(i)] *
                 std::polar(1.0, -2 * M_PI * k * i / size);
        }
        EXPECT_NEAR(std::abs(all[w][static_cast<size_t>(k)] - sum), 0, 1e-9) << w << " " << k;
      }
    }
  }
}

TEST(CommandLineFlags, SetVariablesAndLeaveTheRest) {
  int32_t threads = 1;
  int64_t large = 0;
  bool verbose = false;
  float scale = 1;
  std::string name = "none", model;
  int position = 0;
  const std::vector<tflite::Flag> flags = {
      tflite::Flag::CreateFlag("model", &model, "the model", tflite::Flag::kPositional),
      tflite::Flag::CreateFlag("threads", &threads, "how many", tflite::Flag::kRequired),
      tflite::Flag::CreateFlag("large", &large, "a number"),
      tflite::Flag::CreateFlag("verbose", &verbose, "more words"),
      tflite::Flag::CreateFlag("scale", &scale, "a factor"),
      tflite::Flag("name",
                   std::function<void(const std::string&, int)>(
                       [&](const std::string& value, int at) { name = value, position = at; }),
                   name, "a text", tflite::Flag::kOptional),
  };
  const auto parse = [&](std::vector<const char*> argv) {
    int argc = static_cast<int>(argv.size());
    const bool good = tflite::Flags::Parse(&argc, argv.data(), flags);
    return std::pair(good, tflite::Flags::ArgsToString(argc, argv.data()));
  };
  EXPECT_EQ(parse({"program", "m.tflite", "--threads=4", "--verbose", "--other=1", "--scale=0.5",
                   "--large=5000000000", "--name=x=y", "--threads=9"}),
            std::pair(true, std::string("--other=1")));
  EXPECT_EQ(model, "m.tflite");
  EXPECT_EQ(threads, 4) << "of several the first counts";
  EXPECT_EQ(large, 5000000000);
  EXPECT_TRUE(verbose);
  EXPECT_EQ(scale, 0.5f);
  EXPECT_EQ(name, "x=y");
  EXPECT_EQ(position, 7);
  EXPECT_FALSE(parse({"program", "m"}).first) << "a required flag is missing";
  EXPECT_FALSE(parse({"program"}).first);
  EXPECT_FALSE(parse({"program", "m", "--threads=5000000000"}).first);
  EXPECT_FALSE(parse({"program", "m", "--threads=4x"}).first);
  EXPECT_FALSE(parse({"program", "m", "--threads=4", "--verbose=maybe"}).first);
  EXPECT_FALSE(parse({"program", "m", "--threads=4", "--help"}).first);
  const std::string usage = tflite::Flags::Usage("program", flags);
  EXPECT_THAT(usage, HasSubstr("usage: program <model> <flags>"));
  EXPECT_THAT(usage, HasSubstr("--name=none\tstring\toptional\ta text"));
}

TEST(EvaluationUtils, FilesAndDelegates) {
  namespace evaluation = tflite::evaluation;
  const std::string folder = Folder("files");
  for (const char* name : {"b.JPG", "a.jpg", "c.txt"}) std::ofstream(folder + "/" + name) << "x";
  std::ofstream(folder + "/c.txt") << "one\r\ntwo\n\nfour";
  std::vector<std::string> names;
  ASSERT_EQ(evaluation::GetSortedFileNames(folder + "//", &names, {".jpg"}), kTfLiteOk);
  EXPECT_THAT(names, ElementsAre(folder + "/a.jpg", folder + "/b.JPG"));
  ASSERT_EQ(evaluation::GetSortedFileNames(folder, &names), kTfLiteOk);
  EXPECT_EQ(names.size(), 3u);
  EXPECT_EQ(evaluation::GetSortedFileNames(folder + "/none", &names), kTfLiteError);
  std::vector<std::string> lines;
  ASSERT_TRUE(evaluation::ReadFileLines(folder + "/c.txt", &lines));
  EXPECT_THAT(lines, ElementsAre("one", "two", "", "four"));
  EXPECT_FALSE(evaluation::ReadFileLines(folder + "/none", &lines));
  const auto delegate = evaluation::CreateXNNPACKDelegate(2, /*force_fp16=*/true);
  EXPECT_EQ(TfLiteXNNPackDelegateGetOptions(delegate.get())->num_threads, 2);
  EXPECT_NE(evaluation::CreateGPUDelegate(), nullptr);
  EXPECT_EQ(evaluation::CreateNNAPIDelegate(), nullptr);
  EXPECT_EQ(evaluation::CreateHexagonDelegate("/", false), nullptr);
  EXPECT_EQ(evaluation::CreateCoreMlDelegate(), nullptr);
  EXPECT_TRUE(tflite::nnapi::GetDeviceNamesList().empty());
  EXPECT_EQ(tflite::nnapi::GetStringDeviceNamesList(nullptr), "");
}

TEST(SharedLibrary, FindsSymbols) {
  EXPECT_EQ(tflite::SharedLibrary::LoadLibrary("libnone_of_this_name.so"), nullptr);
  EXPECT_NE(tflite::SharedLibrary::GetError(), nullptr);
  void* handle = tflite::SharedLibrary::LoadLibrary("libm.so.6");
  ASSERT_NE(handle, nullptr);
  EXPECT_NE(tflite::SharedLibrary::GetLibrarySymbol(handle, "cos"), nullptr);
  EXPECT_EQ(tflite::SharedLibrary::GetLibrarySymbol(handle, "no_such_function"), nullptr);
  EXPECT_EQ(tflite::SharedLibrary::UnLoadLibrary(handle), 0);
  EXPECT_NE(tflite::SharedLibrary::GetSymbol("malloc"), nullptr);
}

// A file of 2 x 2 pixels of 24 bits, from the bottom up: rows end at multiples of 4 bytes.
TEST(BitmapHelpers, ReadAndResize) {
  std::string bytes(54, '\0');
  bytes[0] = 'B', bytes[1] = 'M', bytes[10] = 54, bytes[18] = 2, bytes[22] = 2, bytes[28] = 24;
  for (const int value : {7, 8, 9, 10, 11, 12, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0}) {
    bytes += static_cast<char>(value);
  }
  const std::string path = Folder("bitmap") + "/image.bmp";
  std::ofstream(path, std::ios::binary) << bytes;
  tflite::label_image::Settings settings;
  int width = 0, height = 0, channels = 0;
  const std::vector<uint8_t> pixels =
      tflite::label_image::read_bmp(path, &width, &height, &channels, &settings);
  EXPECT_EQ(width * 100 + height * 10 + channels, 223);
  EXPECT_THAT(pixels, ElementsAre(3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10));
  settings.input_mean = 1;
  settings.input_std = 2;
  float row[3 * 3] = {};
  tflite::label_image::resize(row, pixels.data(), 2, 2, 3, 1, 3, 3, &settings);
  EXPECT_FLOAT_EQ(row[0], 1.0f);
  EXPECT_FLOAT_EQ(row[3], 2.0f);  // two thirds of the way from 3 to 6
  EXPECT_FLOAT_EQ(row[6], 2.5f);
  settings.input_type = kTfLiteUInt8;
  uint8_t one[3] = {};
  tflite::label_image::resize(one, pixels.data(), 2, 2, 3, 1, 1, 3, &settings);
  EXPECT_THAT(one, ElementsAre(3, 2, 1));
  for (const size_t size : {size_t{10}, size_t{54}, size_t{69}}) {
    std::ofstream(path, std::ios::binary) << bytes.substr(0, size);
    EXPECT_TRUE(tflite::label_image::read_bmp(path, &width, &height, &channels, &settings).empty());
  }
}

TEST(LstmShared, PositionsFollowEachOther) {
  namespace full = tflite::ops::builtin::lstm::full;
  EXPECT_EQ(full::kInputTensor + 1, full::kInputToInputWeightsTensor);
  EXPECT_EQ(full::kRecurrentToOutputWeightsTensor + 1, full::kCellToInputWeightsTensor);
  EXPECT_EQ(full::kCellStateTensor, 19);
  EXPECT_EQ(full::kOutputLayerNormCoefficientsTensor, 23);
}

}  // namespace
}  // namespace tern
