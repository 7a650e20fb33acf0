// SPDX-License-Identifier: Apache-2.0
// Texts that come in place of a model: pointers to it, pages about it, other ways to write it.
#include <algorithm>
#include <cctype>
#include <cstddef>

#include "base/status.h"
#include "model/file_kind.h"

namespace tern {
namespace {

constexpr size_t kFront = 1024;  // bytes that are looked at

// Bytes of a character of UTF-8 at the front; 0 where there is none.
size_t CharacterBytes(std::string_view text) {
  const auto first = static_cast<uint8_t>(text[0]);
  if (first < 0x80) return 1;
  const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (bytes == 0 || first > 0xf4) return 0;
  for (size_t i = 1; i < std::min(bytes, text.size()); ++i) {
    if ((static_cast<uint8_t>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return bytes;  // the front may end within it
}

bool IsText(std::string_view front) {
  while (!front.empty()) {
    const size_t bytes = CharacterBytes(front);
    const auto first = static_cast<uint8_t>(front[0]);
    const bool control = first < 0x20 && std::isspace(first) == 0;
    if (bytes == 0 || control || first == 0x7f) return false;
    front.remove_prefix(std::min(bytes, front.size()));
  }
  return true;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::string_view FirstLine(std::string_view text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string DescribeLfsPointer(std::string_view text) {
  const size_t at = text.find("\nsize ");
  const std::string_view size =
      at == text.npos ? std::string_view() : FirstLine(text.substr(at + 6));
  const std::string of = size.empty() ? "" : StrCat(", which has ", Printable(size, 20), " bytes");
  return StrCat("a Git LFS pointer: the file itself", of, ", was not fetched (git lfs pull does)");
}

bool IsMarkup(std::string_view text) {
  const std::string front = Lower(text.substr(0, 16));
  return front.starts_with("<!doctype") || front.starts_with("<!--") ||
         front.starts_with("<?xml") ||
         (front.size() > 1 && front[0] == '<' && std::isalpha(static_cast<uint8_t>(front[1])) != 0);
}

std::string DescribeMarkup(std::string_view lower) {
  const auto has = [lower](std::string_view part) { return lower.find(part) != lower.npos; };
  if (has("<!doctype html") || has("<html") || has("<head") || has("<body") || has("<script")) {
    return "a web page: the download gave a page instead of the file";
  }
  if (has("<error>")) return "an error that a server sent instead of the file (XML)";
  if (has("<net ")) return "the description of an OpenVINO model (XML)";
  return "an XML document";
}

std::string DescribeJson(std::string_view text) {
  if (text.find("\"modelTopology\"") != text.npos || text.find("\"weightsManifest\"") != text.npos)
    return "the description of a TensorFlow.js model (JSON): convert the model itself to .tflite";
  return "a JSON document";
}

// Of the bytes 4 to 7 of a model, which three groups of characters have.
bool IsModelInBase64(std::string_view text) { return text.find("AFRGTDM") == 4; }

}  // namespace

std::optional<std::string> DescribeText(std::span<const uint8_t> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                        std::min(bytes.size(), kFront));
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return "a text file (UTF-16)";
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::string_view all = text;
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n\v\f")));
  if (IsMarkup(text)) return DescribeMarkup(Lower(text));  // in any encoding
  if (all.empty() || !IsText(all)) return std::nullopt;
  if (text.empty()) return "a text file of white space";
  if (text.starts_with("version https://git-lfs") || text.starts_with("version https://hawser")) {
    return DescribeLfsPointer(text);
  }
  if (text.find("/annex/objects/") != text.npos) {
    return "a git-annex pointer: the file itself was not fetched (git annex get does)";
  }
  if (text.starts_with("{") || text.starts_with("[")) return DescribeJson(text);
  if (IsModelInBase64(text)) return "a model in base64 (base64 -d decodes it)";
  return StrCat("a text file, which begins with '", Printable(FirstLine(text), 60), "'");
}

}  // namespace tern
