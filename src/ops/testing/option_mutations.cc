// SPDX-License-Identifier: Apache-2.0
// Options of an operation, overwritten in the file where they lie: the schema has too many kinds of
// them for damages of their own. A model that the verifier then rejects does not count.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/str_cat.h"
#include "ops/testing/mutation_list.h"

namespace tern::testing {
namespace {

using tflite::ModelT;
using Bytes = std::shared_ptr<std::vector<uint8_t>>;

const tflite::Operator& OperatorIn(const std::vector<uint8_t>& bytes, const Site& site) {
  const tflite::Model& file = *tflite::GetModel(bytes.data());
  return *file.subgraphs()
              ->Get(static_cast<uint32_t>(site.graph))
              ->operators()
              ->Get(static_cast<uint32_t>(site.op));
}

// The fields that a table may have, by their places in its table of offsets.
std::vector<flatbuffers::voffset_t> FieldsOf(const flatbuffers::Table& table) {
  std::vector<flatbuffers::voffset_t> fields;
  const size_t slots = flatbuffers::ReadScalar<uint16_t>(table.GetVTable()) / 2;
  for (size_t slot = 2; slot < slots; ++slot) {
    fields.push_back(static_cast<flatbuffers::voffset_t>(2 * slot));
  }
  return fields;
}

// Whether something that may be a list of 64-bit elements lies where such elements must not. The
// object API, through which a mutation goes, reads them in site.
bool HasMisplacedInt64s(const std::vector<uint8_t>& bytes, const Site& site) {
  const auto* table =
      static_cast<const flatbuffers::Table*>(OperatorIn(bytes, site).builtin_options_2());
  if (table == nullptr) return false;
  for (const flatbuffers::voffset_t field : FieldsOf(*table)) {
    const uint8_t* at = table->GetAddressOf(field);
    if (at == nullptr || at + 4 > bytes.data() + bytes.size()) continue;
    const size_t list =
        static_cast<size_t>(at - bytes.data()) + flatbuffers::ReadScalar<uint32_t>(at);
    if (list % 4 != 0 || list + 4 > bytes.size() || (list + 4) % 8 == 0) continue;
    const uint64_t count = flatbuffers::ReadScalar<uint32_t>(&bytes[list]);
    if (count > 0 && list + 4 + 8 * count <= bytes.size()) return true;
  }
  return false;
}

void AddOverwrite(MutationList& list, const std::string& what, const Bytes& bytes, size_t at,
                  uint64_t value, size_t size) {
  list.Add(what, [=, site = list.site](ModelT& m) {
    if (at + size > bytes->size()) return;
    std::vector<uint8_t> changed = *bytes;
    std::memcpy(&changed[at], &value, size);
    flatbuffers::Verifier verifier(changed.data(), changed.size());
    if (!tflite::VerifyModelBuffer(verifier) || HasMisplacedInt64s(changed, site)) return;
    if (auto model = ReadModel(changed)) m = std::move(*model);
  });
}

void AddFields(MutationList& list, const Bytes& bytes, const flatbuffers::Table& table) {
  for (const flatbuffers::voffset_t field : FieldsOf(table)) {
    const uint8_t* address = table.GetAddressOf(field);
    if (address == nullptr) continue;
    const auto at = static_cast<size_t>(address - bytes->data());
    const std::string name = StrCat("option ", field / 2 - 2);
    for (const int32_t value :
         list.WithNumbers<int32_t>({0, -1, 1, 2, 3, 4, 5, 100, kMin, kMax, 65536, 65537})) {
      AddOverwrite(list, StrCat(name, " = ", value), bytes, at, static_cast<uint32_t>(value), 4);
    }
    for (const uint32_t value : {2, 3, 9, 127, 128, 255}) {
      AddOverwrite(list, StrCat(name, " = byte ", value), bytes, at, value, 1);
    }
  }
}

// Elements of lists of 32 or 64 bits: the same bytes either way.
void AddElements(MutationList& list, const Bytes& bytes, const flatbuffers::Table& table) {
  const uint8_t *first = bytes->data(), *end = first + bytes->size();
  for (const flatbuffers::voffset_t field : FieldsOf(table)) {
    const auto* to = table.GetPointer<const uint8_t*>(field);
    if (to == nullptr || to < first || to + 4 > end) continue;
    const auto at = static_cast<size_t>(to - first);
    const auto count = flatbuffers::ReadScalar<uint32_t>(to);
    if (count == 0 || count > 8) continue;
    for (size_t i = 0; i < 2 * count && at + 12 + 4 * i <= bytes->size(); ++i) {
      for (const int64_t value : list.WithNumbers<int64_t>({-1, 0, 7, INT64_MAX, INT64_MIN})) {
        AddOverwrite(list, StrCat("option ", field / 2 - 2, "[", i, "] = ", value), bytes,
                     at + 4 + 4 * i, static_cast<uint64_t>(value), 8);
      }
    }
  }
}

}  // namespace

void AddOptions(MutationList& list) {
  if (!list.has_op()) return;
  list.SetId("CVE-2021-29594, CVE-2018-8825");
  flatbuffers::FlatBufferBuilder builder;
  builder.ForceDefaults(true);
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &list.model()));
  const auto bytes = std::make_shared<std::vector<uint8_t>>(
      builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
  const tflite::Operator& node = OperatorIn(*bytes, list.site);
  for (const void* options : {node.builtin_options(), node.builtin_options_2()}) {
    if (options == nullptr) continue;
    const auto& table = *static_cast<const flatbuffers::Table*>(options);
    AddFields(list, bytes, table);
    AddElements(list, bytes, table);
  }
  const bool has_none = node.builtin_options() == nullptr && node.builtin_options_2() == nullptr;
  if (has_none && list.drawn()) return;
  const Site at = list.site;
  list.Add("no options", [=](ModelT& m) { at.OperatorOf(m).builtin_options.Reset(); });
  list.Add("other options",
           [=](ModelT& m) { at.OperatorOf(m).builtin_options.Set(tflite::CallOptionsT()); });
}

void AddCustomOptions(MutationList& list) {
  if (!list.has_op()) return;
  list.SetId("issue 111638");
  const Site at = list.site;
  for (size_t length = 0; length < list.op().custom_options.size(); ++length) {
    list.Add(StrCat("custom options of ", length),
             [=](ModelT& m) { at.OperatorOf(m).custom_options.resize(length); });
    for (const uint8_t bits : {0xFF, 0x80, 0x7F, 0x01}) {
      list.Add(StrCat("custom option byte ", length),
               [=](ModelT& m) { at.OperatorOf(m).custom_options[length] ^= bits; });
    }
  }
}

}  // namespace tern::testing
