// SPDX-License-Identifier: Apache-2.0
// SPACE_TO_BATCH_ND: the pixels of an image, padded, dealt out to the batch block by block.
// BATCH_TO_SPACE_ND: the inverse; the image loses the crops. Images are [B, H, C] or [B, H, W, C],
// with one block size and two paddings or crops for each axis in the middle.
#include <algorithm>
#include <cstring>

#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/movement/pad_rules.h"
#include "ops/space/space_rules.h"

namespace tern {
namespace {

struct Steps {
  int64_t first, count;
};

// Which k in 0..count have 0 <= k * step + shift < limit.
Steps StepsInside(int64_t count, int64_t step, int64_t shift, int64_t limit) {
  const int64_t first = shift < 0 ? (-shift + step - 1) / step : 0;
  const int64_t end = limit <= shift ? 0 : std::min(count, (limit - shift + step - 1) / step);
  return {first, std::max<int64_t>(end - first, 0)};
}

// One region per cell of a block. Row y and column x of the image lie in row k and column l of the
// cell's batch where y = k * block_h + i - top and x = l * block_w + j - left. The image is the
// source.
std::vector<Region> CellRegions(const Blocks& image, const Blocks& dealt, int64_t top,
                                int64_t left) {
  std::vector<Region> regions;
  const int64_t row = image.w * image.c, dealt_row = dealt.w * image.c;
  for (int64_t i = 0; i < image.block_h; ++i) {
    const Steps y = StepsInside(dealt.h, image.block_h, i - top, image.h);
    for (int64_t j = 0; j < image.block_w; ++j) {
      const Steps x = StepsInside(dealt.w, image.block_w, j - left, image.w);
      if (y.count == 0 || x.count == 0) continue;
      const int64_t from_y = y.first * image.block_h + i - top;
      const int64_t from_x = x.first * image.block_w + j - left;
      const int64_t batch = (i * image.block_w + j) * image.batch;
      Region& r = regions.emplace_back();
      r.sizes = {image.batch, y.count, x.count, image.c};
      r.source_offset = from_y * row + from_x * image.c;
      r.source_strides = {image.h * row, image.block_h * row, image.block_w * image.c, 1};
      r.destination_offset = (batch * dealt.h + y.first) * dealt_row + x.first * image.c;
      r.destination_strides = {dealt.h * dealt_row, dealt_row, image.c, 1};
    }
  }
  return regions;
}

class BlockOp : public Movement {
 public:
  using Movement::Movement;

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
    TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0)));
    if (call.input(0)->type == kTfLiteString) return Unsupported("strings are not supported");
    TERN_RETURN_IF_ERROR(CheckRank(call.input(1), 1, "block"));
    TERN_RETURN_IF_ERROR(CheckRank(call.input(2), 2, "borders"));
    return CheckSameQuantization(call.input(0), call.output(0));
  }
  bool IsControl(int i) const override { return i > 0; }
};

class SpaceToBatch : public BlockOp {
 public:
  using BlockOp::BlockOp;
  const char* name() const override { return "SPACE_TO_BATCH_ND"; }

 protected:
  StatusOr<Moves> Plan(const OpCall& call) override {
    const Shape input = ShapeOf(call.input(0));
    TERN_ASSIGN_OR_RETURN(const Shape block, ReadIntegers(call.input(1), "block"));
    TERN_ASSIGN_OR_RETURN(const Shape paddings, ReadIntegers(call.input(2), "paddings"));
    TERN_ASSIGN_OR_RETURN(const Blocks image, BlocksOf(input, block));
    TERN_ASSIGN_OR_RETURN(const Shape all, AllAxes(paddings, input.size()));
    TERN_ASSIGN_OR_RETURN(const Padded padded, PaddedShape(input, all));
    TERN_ASSIGN_OR_RETURN(const Viewed dealt, SpaceToBatchView(padded.shape, block));
    TERN_ASSIGN_OR_RETURN(const Blocks cells, BlocksOf(dealt.shape, block));
    const int64_t left = input.size() == 3 ? 0 : padded.before[2];
    return Moves{{dealt.shape}, CellRegions(image, cells, padded.before[1], left)};
  }
  Status Fill(const OpCall& call) override {
    TfLiteTensor* output = call.output(0);
    if (output->bytes == 0) return OkStatus();
    const bool quantized = output->type == kTfLiteInt8 || output->type == kTfLiteUInt8;
    std::memset(output->data.raw, quantized ? output->params.zero_point : 0, output->bytes);
    return OkStatus();
  }
};

class BatchToSpace : public BlockOp {
 public:
  using BlockOp::BlockOp;
  const char* name() const override { return "BATCH_TO_SPACE_ND"; }

 protected:
  StatusOr<Moves> Plan(const OpCall& call) override {
    const Shape input = ShapeOf(call.input(0));
    TERN_ASSIGN_OR_RETURN(const Shape block, ReadIntegers(call.input(1), "block"));
    TERN_ASSIGN_OR_RETURN(const Shape crops, ReadIntegers(call.input(2), "crops"));
    TERN_ASSIGN_OR_RETURN(const Viewed whole, BatchToSpaceView(input, block));
    TERN_ASSIGN_OR_RETURN(const Shape all, AllAxes(crops, input.size()));
    TERN_ASSIGN_OR_RETURN(const Shape output, CroppedShape(whole.shape, all));
    TERN_ASSIGN_OR_RETURN(const Blocks cells, BlocksOf(input, block));
    TERN_ASSIGN_OR_RETURN(const Blocks image, BlocksOf(output, block));
    Moves moves{{output}, CellRegions(image, cells, all[2], input.size() == 3 ? 0 : all[4])};
    for (Region& region : moves.regions) {
      std::swap(region.source_offset, region.destination_offset);
      std::swap(region.source_strides, region.destination_strides);
    }
    return moves;
  }
};

}  // namespace

TfLiteRegistration SpaceToBatchNdRegistration(OpForm form) {
  return MakeRegistration<SpaceToBatch>(form);
}
TfLiteRegistration BatchToSpaceNdRegistration(OpForm form) {
  return MakeRegistration<BatchToSpace>(form);
}

}  // namespace tern
