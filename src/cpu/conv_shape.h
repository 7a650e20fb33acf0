// SPDX-License-Identifier: Apache-2.0
// The geometry of a convolution over NHWC images, as every kernel of this folder sees it.
#ifndef TERN_CPU_CONV_SHAPE_H_
#define TERN_CPU_CONV_SHAPE_H_

#include <cstdint>

#include "base/tensor/window_axis.h"
#include "cpu/copy_run.h"

namespace tern {

// input [batch, height.in, width.in, groups * group_in],
// filter [groups * group_out, height.filter, width.filter, group_in],
// output [batch, height.out, width.out, groups * group_out].
struct ConvShape {
  int64_t batch = 1, groups = 1, group_in = 1, group_out = 1;
  WindowAxis height, width;

  bool operator==(const ConvShape&) const = default;

  int64_t InChannels() const { return groups * group_in; }
  int64_t OutChannels() const { return groups * group_out; }
  int64_t OutPixels() const { return batch * height.out * width.out; }
  // The numbers that one result of a group sums.
  int64_t Depth() const { return height.filter * width.filter * group_in; }
  // Whether the numbers of an output pixel are one input pixel as it lies in memory.
  bool IsPointwise() const {
    const auto plain = [](const WindowAxis& a) {
      return a.filter == 1 && a.stride == 1 && a.pad_before == 0 && a.in == a.out;
    };
    return groups == 1 && plain(height) && plain(width);
  }
};

// Lays out what `count` output pixels from `first` on sum: rows[i * row_stride ...] gets the
// shape.Depth() numbers of pixel first + i in group `group`, in the order of the filter; numbers
// outside the image are `padding`.
template <class T>
void GatherPixels(const ConvShape& shape, const T* input, int64_t group, int64_t first,
                  int64_t count, T padding, T* rows, int64_t row_stride) {
  const WindowAxis& height = shape.height;
  const WindowAxis& width = shape.width;
  const int64_t depth = shape.group_in, pitch = shape.InChannels();
  // Taps of a line lie side by side in memory.
  const bool dense = shape.groups == 1 && width.dilation == 1;
  const int64_t line = width.filter * depth;
  // The pixels of a row that have all taps of it.
  const auto [begin, end] = width.Inside();
  int64_t x = first % width.out, y = first / width.out % height.out;
  int64_t item = first / (width.out * height.out);
  WindowAxis::Taps ys = height.TapsAt(y);
  const T* image = input + item * height.in * width.in * pitch + group * depth;
  for (int64_t i = 0; i < count; ++i) {
    T* row = rows + i * row_stride;
    const bool inside = x >= begin && x < end;
    const WindowAxis::Taps xs =
        inside ? WindowAxis::Taps{0, width.filter, x * width.stride - width.pad_before}
               : width.TapsAt(x);
    if (!inside || ys.end - ys.begin != height.filter) {
      for (int64_t k = 0; k < height.filter * line; ++k) row[k] = padding;
    }
    const T* from_line = image + (ys.position * width.in + xs.position) * pitch;
    for (int64_t tap = ys.begin; tap < ys.end; ++tap) {
      const T* from = from_line;
      T* to = row + tap * line + xs.begin * depth;
      if (dense) {
        CopyRun(from, (xs.end - xs.begin) * depth, to);
      } else {
        for (int64_t k = xs.begin; k < xs.end; ++k) {
          CopyRun(from, depth, to);
          from += width.dilation * pitch;
          to += depth;
        }
      }
      from_line += height.dilation * width.in * pitch;
    }
    if (++x == width.out) {
      x = 0;
      if (++y == height.out) {
        y = 0;
        ++item;
        image = input + item * height.in * width.in * pitch + group * depth;
      }
      ys = height.TapsAt(y);
    }
  }
}

}  // namespace tern

#endif  // TERN_CPU_CONV_SHAPE_H_
