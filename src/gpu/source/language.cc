// SPDX-License-Identifier: Apache-2.0
#include "gpu/source/language.h"

#include <string>
#include <vector>

#include "base/str_cat.h"

namespace tern::gpu {

std::string Language::ReturnPart(const BufferParam& buffer, const SlicePart& part) const {
  const std::string zero = WordsOf(part.number).zero;
  std::vector<std::string> lanes;
  for (int i = 0; i < part.slice_width; ++i) {
    const std::string load = LoadReal(buffer, StrCat("first + ", i));
    if (part.known != 0) {
      lanes.push_back(i < part.known ? load : zero);
    } else {
      lanes.push_back(StrCat("(", i, " < count ? ", load, " : ", zero, ")"));
    }
  }
  return StrCat("  return ", MakeSlice(lanes, part.number), ";\n");
}

std::string Language::StorePart(const BufferParam& buffer, const std::string& value,
                                const SlicePart& part) const {
  std::string text;
  for (int i = 0; i < (part.known != 0 ? part.known : part.slice_width); ++i) {
    const std::string store = StoreReal(buffer, StrCat("first + ", i), Lane(value, i));
    text += part.known != 0 ? StrCat("  ", store, "\n")
                            : StrCat("  if (", i, " < count) { ", store, " }\n");
  }
  return text;
}

}  // namespace tern::gpu
