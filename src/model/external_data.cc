// SPDX-License-Identifier: Apache-2.0
#include "model/external_data.h"

#include <filesystem>

#include "model/vectors.h"

namespace tern {
namespace {

// A model that somebody else wrote shall not choose among all files of the system.
bool StaysInFolder(const std::filesystem::path& name) {
  if (name.empty() || name.is_absolute()) return false;
  for (const std::filesystem::path& part : name) {
    if (part == "..") return false;
  }
  return true;
}

}  // namespace

StatusOr<const tflite::ExternalBuffer*> FindExternalBuffer(const tflite::Model& model,
                                                           uint32_t id) {
  const tflite::ExternalBuffer* found = nullptr;
  for (uint32_t i = 0; i < SizeOf(model.external_buffers()); ++i) {
    const tflite::ExternalBuffer* entry = model.external_buffers()->Get(i);
    if (entry->id() != id) continue;
    if (found != nullptr) return Invalid("two external buffers have the id ", id);
    found = entry;
  }
  if (found == nullptr) return Invalid("there is no external buffer with the id ", id);
  const uint32_t groups = SizeOf(model.external_buffer_groups());
  if (found->group() >= groups) {
    return Invalid("the group of external buffer ", id, " is out of range (", found->group(), ", ",
                   groups, ")");
  }
  if (SizeOf(found->packing()) != 0) {
    return Unsupported("external buffer ", id, " is packed (", found->packing()->string_view(),
                       ")");
  }
  return found;
}

StatusOr<const MappedFile*> ExternalData::Open(uint32_t group) {
  const auto known = files_.find(group);
  if (known != files_.end()) return known->second.get();
  const auto* name = model_.external_buffer_groups()->Get(group)->name();
  const std::filesystem::path file = name == nullptr ? "" : name->str();
  if (!StaysInFolder(file)) {
    return Invalid("a model may only name files of its own folder ('", file.string(), "')");
  }
  if (model_file_.empty()) {
    return Invalid("the model keeps data in '", file.string(),
                   "': build it from its file, beside which that lies");
  }
  const std::string path = (std::filesystem::path(model_file_).parent_path() / file).string();
  TERN_ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::Open(path));
  auto shared = std::make_shared<MappedFile>(std::move(mapped));
  return files_.emplace(group, std::move(shared)).first->second.get();
}

StatusOr<Bytes> ExternalData::Read(uint32_t id) {
  TERN_ASSIGN_OR_RETURN(const tflite::ExternalBuffer* buffer, FindExternalBuffer(model_, id));
  TERN_ASSIGN_OR_RETURN(const MappedFile* file, Open(buffer->group()));
  if (buffer->length() > file->size() || buffer->offset() > file->size() - buffer->length()) {
    return Invalid("external buffer ", id, " lies outside its file (", buffer->offset(), " + ",
                   buffer->length(), ", ", file->size(), ")");
  }
  return file->bytes().subspan(buffer->offset(), buffer->length());
}

std::vector<std::shared_ptr<MappedFile>> ExternalData::files() const {
  std::vector<std::shared_ptr<MappedFile>> files;
  for (const auto& [group, file] : files_) files.push_back(file);
  return files;
}

}  // namespace tern
