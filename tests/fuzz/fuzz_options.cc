// SPDX-License-Identifier: Apache-2.0
// Any text as options of the delegate and flags of the command line.
// By its first character: `k` keys and values of the delegate's plug-in entry, a line KEY=VALUE
// each; `f` a command line, a line each word; `r` the flags of `tern run` that hold a text of their
// own; `c` bytes of a delegate's cache file.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.h"
#include "cli/verbs.h"
#include "fuzz/scratch.h"
#include "model/testing/model_builder.h"
#include "ops/testing/attempt.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/serialization.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/logger.h"
#include "tensorflow/lite/model_builder.h"

namespace tern::fuzz {
namespace {

using testing::Fail;

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < 64) {
    const size_t end = std::min(text.find('\n'), text.size());
    // As C strings, which is what the entries take.
    const std::string line(text.substr(0, end));
    lines.emplace_back(line.c_str());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

const std::vector<uint8_t>& SmallModel() {
  static const auto& bytes = *[] {
    testing::ModelBuilder b;
    const int x = b.Input({1, 2, 2, 4});
    const int y =
        b.Op(tflite::BuiltinOperator_ADD, {x, x}, {b.Tensor({1, 2, 2, 4})}, tflite::AddOptionsT());
    b.Output(y);
    return new std::vector<uint8_t>(b.Finish());
  }();
  return bytes;
}

std::unique_ptr<tflite::Interpreter> SmallInterpreter() {
  static const auto& model =
      *new std::unique_ptr<tflite::FlatBufferModel>(tflite::FlatBufferModel::BuildFromBuffer(
          reinterpret_cast<const char*>(SmallModel().data()), SmallModel().size()));
  static const auto& resolver = *new tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates;
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(*model, resolver)(&interpreter, 1);
  if (interpreter == nullptr) Fail("the small model is refused");
  return interpreter;
}

void GiveKeys(std::string_view text) {
  std::vector<std::string> keys, values;
  for (const std::string& line : Lines(text)) {
    const size_t equals = std::min(line.find('='), line.size());
    keys.push_back(line.substr(0, equals));
    values.push_back(line.substr(std::min(equals + 1, line.size())));
    // No real device: drivers are not what is tried here.
    if (keys.back() == "tern_backend") values.back().insert(0, "null:");
    // No folder all over the disk, either.
    if (keys.back() == "serialization_dir") values.back() = Scratch::Folder().string();
  }
  if (std::count(keys.begin(), keys.end(), "tern_backend") == 0) {
    keys.emplace_back("tern_backend");
    values.emplace_back("null:gles-min");
  }
  std::vector<const char*> key_texts, value_texts;
  for (const std::string& key : keys) key_texts.push_back(key.c_str());
  for (const std::string& value : values) value_texts.push_back(value.c_str());
  static bool reported;
  reported = false;
  TfLiteDelegate* delegate = tflite_plugin_create_delegate(
      key_texts.data(), value_texts.data(), key_texts.size(), [](const char*) { reported = true; });
  if (delegate == nullptr) {
    if (!reported) Fail("no delegate and no message");
    return;
  }
  {
    const std::unique_ptr<tflite::Interpreter> interpreter = SmallInterpreter();
    interpreter->ModifyGraphWithDelegate(delegate);
    if (interpreter->AllocateTensors() == kTfLiteOk) interpreter->Invoke();
  }
  tflite_plugin_destroy_delegate(delegate);
}

void ParseLine(std::string_view text) {
  std::vector<std::string> words = Lines(text);
  words.insert(words.begin(), "tern");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const auto action =
      cli::ParseFlags(static_cast<int>(words.size()), argv.data(), /*has_host=*/true);
  if (!action.ok() && action.status().message().empty()) Fail("an error without a message");
}

// Whether a text may be a shape of more than a few elements. Those cost time and find nothing.
bool IsLarge(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) > 6;
}

void RunSmallModel(std::string_view text) {
  static const std::string model = (Scratch::Folder() / "small.tflite").string();
  if (!std::filesystem::exists(model)) Scratch::Write("small.tflite", SmallModel());
  cli::RunOptions options;
  options.model = model;
  for (const std::string& line : Lines(text)) {
    if (line.empty() || line.find('/') != line.npos || IsLarge(line)) return;
    const std::string value = line.substr(1);
    switch (line[0]) {
      case 's':
        options.shapes.push_back(value);
        break;
      case 'i':
        options.inputs.push_back(value);
        break;
      case 'l':
        options.labels = value;
        break;
      case 'k':
        options.engine.signature = value;
        break;
      case 'r':
        options.input_range = {std::atof(value.c_str()), 1};
        break;
      default:
        options.image = value;
    }
  }
  const auto status = cli::Run(options);
  if (!status.ok() && status.status().message().empty()) Fail("an error without a message");
}

void ReadCache(std::string_view text) {
  const std::string folder = Scratch::Folder().string();
  tflite::delegates::Serialization cache({"token", folder.c_str()});
  const auto interpreter = SmallInterpreter();
  TfLiteContext* context = interpreter->primary_subgraph().context();
  // Where the delegate called «planner» keeps the list of its nodes.
  const auto entry = cache.GetEntryForDelegate("planner_dnodes", context);
  if (entry.SetData(context, text.data(), text.size()) != kTfLiteOk) Fail("the cache is refused");
  std::string back;
  const TfLiteStatus status = entry.GetData(context, &back);
  if (!text.empty() && (status != kTfLiteOk || back != text)) Fail("the cache lost its data");
  TfLiteIntArray* nodes = nullptr;
  tflite::delegates::GetDelegatedNodes(context, &cache, "planner", &nodes);
  if (nodes != nullptr) tflite::delegates::SaveDelegatedNodes(context, &cache, "planner", nodes);
  TfLiteIntArrayFree(nodes);
}

}  // namespace
}  // namespace tern::fuzz

extern "C" {

int LLVMFuzzerInitialize(int*, char***) {
  tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'k':
      tern::fuzz::GiveKeys(text);
      break;
    case 'f':
      tern::fuzz::ParseLine(text);
      break;
    case 'r':
      tern::fuzz::RunSmallModel(text);
      break;
    case 'c':
      tern::fuzz::ReadCache(text);
      break;
    default:
      break;
  }
  return 0;
}

}  // extern "C"
