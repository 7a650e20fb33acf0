// SPDX-License-Identifier: Apache-2.0
// Boxes of tensors and their size in memory.
#include "gpu/desc/tensor_desc.h"

#include "absl/strings/str_cat.h"

namespace tern::gpu {

Box BoxOf(std::span<const int> dims) {
  Box box;
  const int rank = static_cast<int>(dims.size());
  for (int i = 0; i < rank; ++i) {
    const int from_end = rank - i;
    if (from_end == 1) {
      box.c = dims[i];
    } else if (from_end == 2) {
      box.w = dims[i];
    } else if (from_end == 3) {
      box.h = dims[i];
    } else {
      box.b *= dims[i];
    }
  }
  return box;
}

bool BroadcastsTo(const Box& from, const Box& to) {
  return (from.b == 1 || from.b == to.b) && (from.h == 1 || from.h == to.h) &&
         (from.w == 1 || from.w == to.w) && (from.c == 1 || from.c == to.c);
}

int64_t TensorDesc::Bytes(int slice_width) const {
  switch (layout) {
    case Layout::kSlices:
      return BytesOf(element,
                     int64_t{box.b} * box.slices(slice_width) * box.h * box.w * slice_width);
    case Layout::kRows:
      return BytesOf(element, box.elements());
    case Layout::kVector:
      break;
  }
  const int64_t bytes = BytesOf(element, int64_t{box.w} * slice_width);
  return element == Element::kNibble ? (bytes + 3) / 4 * 4 : bytes;
}

std::string ToString(const Box& box) {
  return absl::StrCat(box.b, "x", box.h, "x", box.w, "x", box.c);
}

std::string ToString(const TensorDesc& desc) {
  const char* layout = desc.layout == Layout::kSlices ? "slices"
                       : desc.layout == Layout::kRows ? "rows"
                                                      : "vector";
  return absl::StrCat(ToString(desc.box), " ", layout, " ", RowOf(desc.element).name);
}

}  // namespace tern::gpu
