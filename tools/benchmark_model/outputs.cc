// SPDX-License-Identifier: Apache-2.0
// Writing outputs.
#include "benchmark_model/outputs.h"

#include "api/profiling/proto_message.h"
#include "cli/inputs/tensor_bytes.h"

namespace tern::tools {
namespace {

// Fields of the messages Feature (the kind of list) and Features, of example.proto.
constexpr int kFloatList = 2;
constexpr int kIntList = 3;

// 0 for a type without a list.
int ListOf(TfLiteType type) {
  switch (type) {
    case kTfLiteFloat32:
    case kTfLiteFloat64:
      return kFloatList;
    case kTfLiteInt8:
    case kTfLiteUInt8:
    case kTfLiteInt16:
    case kTfLiteUInt16:
    case kTfLiteInt32:
    case kTfLiteUInt32:
    case kTfLiteInt64:
    case kTfLiteUInt64:
      return kIntList;
    default:
      return 0;
  }
}

}  // namespace

std::string OutputBytes(const std::vector<const TfLiteTensor*>& outputs) {
  std::string bytes;
  for (const TfLiteTensor* tensor : outputs) {
    if (tensor->data.raw != nullptr) bytes.append(tensor->data.raw, tensor->bytes);
  }
  return bytes;
}

std::string OutputExample(const std::vector<const TfLiteTensor*>& outputs) {
  ProtoMessage features;
  for (const TfLiteTensor* tensor : outputs) {
    const int kind = ListOf(tensor->type);
    if (kind == 0 || tensor->data.raw == nullptr) continue;
    const auto* data = reinterpret_cast<const uint8_t*>(tensor->data.raw);
    ProtoMessage values;
    const int64_t count = cli::ElementCount(cli::ShapeOf(*tensor));
    for (int64_t i = 0; i < count; ++i) {
      if (kind == kFloatList) {
        values.AppendFloat(static_cast<float>(cli::ReadElement(tensor->type, data, i)));
      } else {
        values.AppendInt(cli::ReadInteger(tensor->type, data, i));
      }
    }
    ProtoMessage list;
    list.AddMessage(1, values);
    ProtoMessage feature;
    feature.AddMessage(kind, list);
    ProtoMessage entry;
    entry.AddBytes(1, tensor->name == nullptr ? "" : tensor->name);
    entry.AddMessage(2, feature);
    features.AddMessage(1, entry);
  }
  ProtoMessage example;
  example.AddMessage(1, features);
  return example.bytes();
}

}  // namespace tern::tools
