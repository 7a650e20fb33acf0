// SPDX-License-Identifier: Apache-2.0
// The library of FlatBuffers turns tables into JSON where it knows their schema.
#include "cli/model/op_options.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "cli/texts.h"
#include "flatbuffers/flexbuffers.h"
#include "flatbuffers/idl.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::cli {
namespace {

using Json = nlohmann::ordered_json;

Json Custom(const flatbuffers::Vector<uint8_t>& bytes) {
  Json size = {{"bytes", bytes.size()}};
  if (bytes.size() < 3 || !flexbuffers::VerifyBuffer(bytes.data(), bytes.size())) return size;
  const flexbuffers::Reference root = flexbuffers::GetRoot(bytes.data(), bytes.size());
  if (!root.IsMap()) return size;
  std::string text;
  root.ToString(/*strings_quoted=*/true, /*keys_quoted=*/true, text);
  Json map = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return map.is_discarded() ? size : map;
}

}  // namespace

OpOptions::OpOptions() {
  flatbuffers::IDLOptions options;
  options.strict_json = true;
  options.indent_step = -1;
  options.output_default_scalars_in_json = true;
  options.output_enum_identifiers = true;
  schema_ = std::make_unique<flatbuffers::Parser>(options);
  // Without it tables are not found below, and options are null.
  (void)schema_->Parse(kSchemaText);
}

OpOptions::~OpOptions() = default;

Json OpOptions::Table(const void* table, const char* type) const {
  const std::string name = absl::StrCat("tflite.", type);
  // A text that is not whole is no JSON.
  std::string text;
#if FLATBUFFERS_VERSION_MAJOR >= 23
  (void)flatbuffers::GenTextFromTable(*schema_, table, name, &text);
#else
  (void)flatbuffers::GenerateTextFromTable(*schema_, table, name, &text);
#endif
  Json options = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return options.is_object() ? options : nullptr;
}

Json OpOptions::Read(const tflite::Operator& op) const {
  if (op.custom_options() != nullptr) return Custom(*op.custom_options());
  if (op.large_custom_options_size() > 1) return {{"bytes", op.large_custom_options_size()}};
  if (op.builtin_options() != nullptr) {
    return Table(op.builtin_options(), tflite::EnumNameBuiltinOptions(op.builtin_options_type()));
  }
  if (op.builtin_options_2() == nullptr) return nullptr;
  Json options =
      Table(op.builtin_options_2(), tflite::EnumNameBuiltinOptions2(op.builtin_options_2_type()));
  const auto* composite = op.builtin_options_2_as_StableHLOCompositeOptions();
  if (composite != nullptr && composite->composite_attributes() != nullptr) {
    options["composite_attributes"] = Custom(*composite->composite_attributes());
  }
  return options;
}

}  // namespace tern::cli
