// SPDX-License-Identifier: Apache-2.0
// Elements of a constant in the order in which they lie in device memory.
#ifndef TERN_GPU_LOWER_PACKING_H_
#define TERN_GPU_LOWER_PACKING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "base/tensor/winograd.h"
#include "gpu/desc/constant_part.h"

namespace tern::gpu {

// Row-major elements of a box in the order of Layout::kSlices.
template <typename T, typename ElementAt>
void PackBox(const Box& box, ElementAt element_at, int slice_width, int64_t first,
             std::span<T> out) {
  const int64_t plane = int64_t{box.h} * box.w, slices = box.slices(slice_width);
  if (plane == 0 || slices == 0) return;
  const auto count = static_cast<int64_t>(out.size()) / slice_width;
  for (int64_t k = 0; k < count; ++k) {
    const int64_t at = first + k, row = at / plane, b = row / slices;
    if (b >= box.b) return;
    const int64_t c = row % slices * slice_width, from = (b * plane + at % plane) * box.c + c;
    const int64_t lanes = std::min<int64_t>(slice_width, box.c - c);
    for (int64_t l = 0; l < lanes; ++l)
      out[static_cast<size_t>(k * slice_width + l)] = element_at(from + l);
  }
}

// Packs a filter in the order of pack_weights.kernel, which packs computed filters: its numbers by
// the place of tap 0 and a tap. Goes output by output, so that neighbours in the model are read one
// after another.
template <typename T, typename NumberAt>
void PackFilter(const FilterPacking& f, NumberAt number_at, int slice_width, int64_t first,
                std::span<T> out) {
  const auto count = static_cast<int64_t>(out.size()) / slice_width;
  const int64_t of_step = int64_t{f.lanes} * f.slices;
  for (int64_t k = 0, end = 0; k < count; k = end) {
    const int64_t begin = (first + k) % of_step, base = k - begin;
    end = std::min(count, base + of_step);
    int64_t at = (first + k) / of_step;
    const int64_t step = at % f.steps, tap = (at /= f.steps) % f.taps, block = at / f.taps;
    const int64_t first_out = block * f.slices * slice_width;
    const int64_t first_in =
        (first_out / f.group_out * f.group_in / slice_width + step) * slice_width;
    for (int64_t o = first_out;
         o < std::min<int64_t>(first_out + f.slices * slice_width, f.out_channels); ++o) {
      const int64_t j = (o - first_out) / slice_width, l = (o - first_out) % slice_width;
      const int64_t in = first_in - o / f.group_out * f.group_in;  // of lane 0, in the group
      const int64_t from = o * f.out_step;
      // Lanes of this piece, and of this group.
      const int64_t min = std::max({int64_t{0}, -in, (k - base - j + f.slices - 1) / f.slices});
      const int64_t max =
          std::min({int64_t{f.lanes}, f.group_in - in, (end - base - j + f.slices - 1) / f.slices});
      for (int64_t lane = min; lane < max; ++lane) {
        out[static_cast<size_t>((base + lane * f.slices + j) * slice_width + l)] =
            number_at(from + (in + lane) * f.in_step, tap);
      }
    }
  }
}

// By the place of tap 0 and a tap: a number of G g G^T.
template <typename ElementAt>
auto WinogradNumbers(const FilterPacking& f, ElementAt element_at) {
  return [&f, element_at](int64_t at, int64_t tap) {
    const double(&left)[winograd::kFilter] = winograd::kFilterRows[tap / winograd::kPoints];
    const double(&right)[winograd::kFilter] = winograd::kFilterRows[tap % winograd::kPoints];
    double sum = 0;
    for (int y = 0; y < winograd::kFilter; ++y) {
      for (int x = 0; x < winograd::kFilter; ++x) {
        const int64_t place = at + (int64_t{y} * winograd::kFilter + x) * f.tap_step;
        sum += left[y] * right[x] * static_cast<double>(element_at(place));
      }
    }
    return static_cast<float>(sum);
  };
}

template <typename T, typename ElementAt>
void Pack(const ConstantPart& part, ElementAt element_at, int slice_width, int64_t first,
          std::span<T> out) {
  const auto offset = [&](int64_t i) { return element_at(part.first + i); };
  if (const auto* filter = std::get_if<FilterPacking>(&part.packing)) {
    const auto number = [&](int64_t at, int64_t tap) {
      return offset(at + tap * filter->tap_step);
    };
    PackFilter(*filter, number, slice_width, first, out);
  } else {
    PackBox(std::get<Box>(part.packing), offset, slice_width, first, out);
  }
}

}  // namespace tern::gpu

#endif  // TERN_GPU_LOWER_PACKING_H_
