// SPDX-License-Identifier: Apache-2.0
// Reading entries, and asking them.
#include "gpu/partition/node_lists.h"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/status.h"
#include "gpu/desc/reason.h"

namespace tern::gpu {
namespace {

// An integer of 0 or more that takes the whole text.
bool ParseIndex(std::string_view text, int* index) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return false;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *index);
  return error == std::errc() && stop == end;
}

bool TakePrefix(std::string_view prefix, std::string_view* text) {
  if (text->substr(0, prefix.size()) != prefix) return false;
  text->remove_prefix(prefix.size());
  return true;
}

}  // namespace

bool NodeList::ParseEntry(std::string_view text, Entry* entry) {
  entry->text = text;
  const bool is_op = TakePrefix("op:", &text);
  if (is_op || TakePrefix("name:", &text)) {
    entry->kind = is_op ? Kind::kOp : Kind::kName;
    entry->pattern = text;
    return !text.empty();
  }
  const size_t dash = text.find('-');
  if (!ParseIndex(text.substr(0, dash), &entry->first)) return false;
  entry->last = entry->first;
  if (dash == std::string_view::npos) return true;
  return ParseIndex(text.substr(dash + 1), &entry->last) && entry->first <= entry->last;
}

absl::StatusOr<NodeList> NodeList::Parse(std::string_view field, std::string_view text) {
  NodeList list;
  list.field_ = field;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    Entry entry;
    const bool ends_with_comma = comma != std::string_view::npos && comma + 1 == text.size();
    if (!ParseEntry(one, &entry) || ends_with_comma) {
      return Invalid(field, ": malformed entry '", ends_with_comma ? text : one,
                     "' (12, 3-7, op:CONV_2D, name:block_1/*; separated by commas)");
    }
    list.entries_.push_back(std::move(entry));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return list;
}

bool NodeList::Names(const Entry& entry, const std::vector<GraphTensor>& tensors,
                     const Node& node) {
  switch (entry.kind) {
    case Kind::kRange:
      return node.index >= entry.first && node.index <= entry.last;
    case Kind::kOp:
      return node.op == entry.pattern;
    case Kind::kName:
      return std::any_of(node.outputs.begin(), node.outputs.end(), [&](int id) {
        if (id < 0 || static_cast<size_t>(id) >= tensors.size()) return false;
        const std::string& name = tensors[static_cast<size_t>(id)].name;
        return fnmatch(entry.pattern.c_str(), name.c_str(), 0) == 0;
      });
  }
  return false;
}

std::string_view NodeList::Naming(const std::vector<GraphTensor>& tensors, const Node& node) const {
  for (const Entry& entry : entries_) {
    if (Names(entry, tensors, node)) return entry.text;
  }
  return {};
}

std::vector<std::string> NodeList::NamingNothing(const std::vector<GraphTensor>& tensors,
                                                 const std::vector<Node>& nodes) const {
  std::vector<std::string> lines;
  for (const Entry& entry : entries_) {
    const bool any = std::any_of(nodes.begin(), nodes.end(),
                                 [&](const Node& node) { return Names(entry, tensors, node); });
    if (any) continue;
    lines.push_back(StrCat(field_, ": '", entry.text, "' names no node of the main graph"));
  }
  return lines;
}

absl::Status NodeLists::Check(const std::vector<GraphTensor>& tensors, const Node& node) const {
  if (slower.count(node.index) != 0) {
    return Annotate(Unsupported("measured to be slower on the GPU"), {Reason::kMeasuredSlower});
  }
  const RefusalReason denied = {Reason::kDenied};
  if (const std::string_view entry = deny.Naming(tensors, node); !entry.empty()) {
    return Annotate(Unsupported("denied by ", deny.field(), " '", entry, "'"), denied);
  }
  if (allow.empty() || !allow.Naming(tensors, node).empty()) return absl::OkStatus();
  return Annotate(Unsupported("denied by ", allow.field(), ", which does not name it"), denied);
}

}  // namespace tern::gpu
