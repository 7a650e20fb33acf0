// SPDX-License-Identifier: Apache-2.0
// Constants that lie in files beside the model's file.
#ifndef TERN_MODEL_EXTERNAL_DATA_H_
#define TERN_MODEL_EXTERNAL_DATA_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "base/status.h"
#include "model/tensor_data.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

// Whether the model describes external buffer `id`, and how. Errors: no or several such entries, a
// group that does not exist, a packing, which nothing here can undo.
StatusOr<const tflite::ExternalBuffer*> FindExternalBuffer(const tflite::Model& model, uint32_t id);

// Opens files as they are asked for. Keeps the model's tables, which must outlive it.
class ExternalData {
 public:
  // `model_file`: the path that the model was read from; empty for one that was not read from a
  // file, which then has no files beside it.
  ExternalData(const tflite::Model& model, std::string model_file)
      : model_(model), model_file_(std::move(model_file)) {}

  // All bytes of external buffer `id`. Errors besides those of FindExternalBuffer: a file name that
  // leaves the folder of the model, a file that cannot be opened, a range outside of it.
  StatusOr<Bytes> Read(uint32_t id);

  // The files that were opened; their bytes are valid as long as these live.
  std::vector<std::shared_ptr<MappedFile>> files() const;

 private:
  StatusOr<const MappedFile*> Open(uint32_t group);

  const tflite::Model& model_;
  const std::string model_file_;
  std::map<uint32_t, std::shared_ptr<MappedFile>> files_;  // by group
};

}  // namespace tern

#endif  // TERN_MODEL_EXTERNAL_DATA_H_
