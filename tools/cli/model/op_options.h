// SPDX-License-Identifier: Apache-2.0
// All options of an operator, by the names that the schema gives them.
#ifndef TERN_TOOLS_CLI_MODEL_OP_OPTIONS_H_
#define TERN_TOOLS_CLI_MODEL_OP_OPTIONS_H_

#include <memory>

#include "nlohmann/json.hpp"

namespace flatbuffers {
class Parser;
}  // namespace flatbuffers
namespace tflite {
struct Operator;
}  // namespace tflite

namespace tern::cli {

// Reads options by the text of the schema, so that none is forgotten.
class OpOptions {
 public:
  OpOptions();
  ~OpOptions();
  OpOptions(const OpOptions&) = delete;
  OpOptions& operator=(const OpOptions&) = delete;

  // An object of all fields, with names for values of enumerations, of an operator of a verified
  // model. Of a custom operator whose options are a map, that map; of other bytes, their number as
  // {"bytes": N}. Null without options.
  nlohmann::ordered_json Read(const tflite::Operator& op) const;

 private:
  nlohmann::ordered_json Table(const void* table, const char* type) const;

  std::unique_ptr<flatbuffers::Parser> schema_;
};

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_OP_OPTIONS_H_
