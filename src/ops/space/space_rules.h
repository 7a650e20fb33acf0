// SPDX-License-Identifier: Apache-2.0
// How blocks of pixels become channels or batches and the other way round, for the CPU and the GPU
// form.
#ifndef TERN_OPS_SPACE_SPACE_RULES_H_
#define TERN_OPS_SPACE_SPACE_RULES_H_

#include <cstdint>

#include "base/status.h"
#include "ops/rules_kit/view.h"

namespace tern {

// [B, H, W, C] -> [B, H * block, W * block, C / block^2]: the channels of a pixel hold a block of
// pixels, row by row.
inline StatusOr<Viewed> DepthToSpaceView(const Shape& input, int64_t block) {
  if (input.size() != 4) return Invalid("input must have rank 4 (", ShapeText(input), ")");
  if (block < 1 || block > INT16_MAX || input[3] % (block * block) != 0) {
    return Invalid("the channels are no whole blocks (", input[3], ", block ", block, ")");
  }
  const int64_t h = input[1], w = input[2], c = input[3], part = c / (block * block);
  Viewed result{{input[0], h * block, w * block, part}, {}};
  result.view.Add(input[0], h * w * c);
  result.view.Add(h, w * c);
  result.view.Add(block, block * part);
  result.view.Add(w, c);
  result.view.Add(block, part);
  result.view.Add(part, 1);
  return result;
}

// [B, H, W, C] -> [B, H / block, W / block, C * block^2].
inline StatusOr<Viewed> SpaceToDepthView(const Shape& input, int64_t block) {
  if (input.size() != 4) return Invalid("input must have rank 4 (", ShapeText(input), ")");
  if (block < 1 || block > INT16_MAX || input[1] % block != 0 || input[2] % block != 0) {
    return Invalid("height and width are no whole blocks (", ShapeText(input), ", block ", block,
                   ")");
  }
  const int64_t h = input[1], w = input[2], c = input[3];
  Viewed result{{input[0], h / block, w / block, c * block * block}, {}};
  result.view.Add(input[0], h * w * c);
  result.view.Add(h / block, block * w * c);
  result.view.Add(w / block, block * c);
  result.view.Add(block, w * c);
  result.view.Add(block, c);
  result.view.Add(c, 1);
  return result;
}

// An image [B, H, C] or [B, H, W, C] and its block sizes, as rank 4.
struct Blocks {
  int64_t batch, h, w, c, block_h, block_w;
};

inline StatusOr<Blocks> BlocksOf(const Shape& input, const Shape& block) {
  if (input.size() != 3 && input.size() != 4) {
    return Unsupported("input must have rank 3 or 4 (", ShapeText(input), ")");
  }
  if (block.size() != input.size() - 2) {
    return Invalid("there must be one block size per axis of the image (", block.size(), ", input ",
                   ShapeText(input), ")");
  }
  // Each cell of a block is a copy of its own.
  constexpr int64_t kMaxCells = 1 << 16;
  int64_t cells = 1;
  for (const int64_t size : block) {
    if (size < 1 || size > kMaxCells / cells) {
      return Invalid("block sizes are out of range (", ShapeText(block), ")");
    }
    cells *= size;
  }
  const bool flat = input.size() == 3;
  return Blocks{input[0],     input[1], flat ? 1 : input[2],
                input.back(), block[0], flat ? 1 : block[1]};
}

inline Shape BlocksShape(const Shape& input, int64_t batch, int64_t h, int64_t w) {
  return input.size() == 3 ? Shape{batch, h, input[2]} : Shape{batch, h, w, input[3]};
}

// Batch (i * block_w + j) * B + b of the result holds every block_h-th row from i on and every
// block_w-th column from j on of batch b.
inline StatusOr<Viewed> SpaceToBatchView(const Shape& input, const Shape& block) {
  TERN_ASSIGN_OR_RETURN(const Blocks s, BlocksOf(input, block));
  if (s.h % s.block_h != 0 || s.w % s.block_w != 0) {
    return Invalid("the padded image is no whole blocks (", ShapeText(input), ", block ",
                   ShapeText(block), ")");
  }
  const int64_t row = s.w * s.c;
  Viewed result{
      BlocksShape(input, s.batch * s.block_h * s.block_w, s.h / s.block_h, s.w / s.block_w), {}};
  result.view.Add(s.block_h, row);
  result.view.Add(s.block_w, s.c);
  result.view.Add(s.batch, s.h * row);
  result.view.Add(s.h / s.block_h, s.block_h * row);
  result.view.Add(s.w / s.block_w, s.block_w * s.c);
  result.view.Add(s.c, 1);
  return result;
}

// The inverse of SpaceToBatchView.
inline StatusOr<Viewed> BatchToSpaceView(const Shape& input, const Shape& block) {
  TERN_ASSIGN_OR_RETURN(const Blocks s, BlocksOf(input, block));
  const int64_t cells = s.block_h * s.block_w;
  if (s.batch % cells != 0) {
    return Invalid("the batch is no whole blocks (", s.batch, ", block ", ShapeText(block), ")");
  }
  const int64_t batch = s.batch / cells, image = s.h * s.w * s.c;
  Viewed result{BlocksShape(input, batch, s.h * s.block_h, s.w * s.block_w), {}};
  result.view.Add(batch, image);
  result.view.Add(s.h, s.w * s.c);
  result.view.Add(s.block_h, s.block_w * batch * image);
  result.view.Add(s.w, s.c);
  result.view.Add(s.block_w, batch * image);
  result.view.Add(s.c, 1);
  return result;
}

// Paddings or crops of the image's axes, [axes, 2] -> those of all axes.
inline StatusOr<Shape> AllAxes(const Shape& image, size_t rank) {
  if (image.size() != 2 * (rank - 2)) {
    return Invalid("there must be two numbers per axis of the image (", image.size(), ", rank ",
                   rank, ")");
  }
  Shape all = {0, 0};
  all.insert(all.end(), image.begin(), image.end());
  all.insert(all.end(), {0, 0});
  return all;
}

// Returns the shape that remains after two crops per axis.
inline StatusOr<Shape> CroppedShape(const Shape& shape, const Shape& crops) {
  Shape result = shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t before = crops[2 * i], after = crops[2 * i + 1];
    if (before < 0 || after < 0 || before > shape[i] || after > shape[i] - before) {
      return Invalid("crops do not fit axis ", i, " (", before, ", ", after, ", size ", shape[i],
                     ")");
    }
    result[i] = shape[i] - before - after;
  }
  return result;
}

}  // namespace tern

#endif  // TERN_OPS_SPACE_SPACE_RULES_H_
