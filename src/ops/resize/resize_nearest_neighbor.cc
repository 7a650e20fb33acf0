// SPDX-License-Identifier: Apache-2.0
// RESIZE_NEAREST_NEIGHBOR: every output pixel is one input pixel, of any type of whole bytes.
#include <cstring>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/resize/nearest_rules.h"
#include "ops/resize/resize_image.h"

namespace tern {
namespace {

class ResizeNearestNeighbor : public ResizeImage {
 public:
  using ResizeImage::ResizeImage;
  const char* name() const override { return "RESIZE_NEAREST_NEIGHBOR"; }

 protected:
  Status CheckOptions(const OpCall&) const override { return OkStatus(); }
  bool Takes(TfLiteType type) const override {
    switch (type) {
      case kTfLiteFloat32:
      case kTfLiteInt32:
      case kTfLiteInt16:
      case kTfLiteInt8:
      case kTfLiteUInt8:
      case kTfLiteBool:
        return true;
      default:
        return false;
    }
  }
  Status Resize(const OpCall& call) override;
};

Status ResizeNearestNeighbor::Resize(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TfLiteTensor* output = call.output(0);
  const auto& params = call.params<TfLiteResizeNearestNeighborParams>();
  const int64_t in_height = Dim(input, 1), in_width = Dim(input, 2);
  const int64_t height = Dim(output, 1), width = Dim(output, 2);
  const auto axis = [&](int64_t in, int64_t out) {
    return MakeNearestAxis(in, out, params.align_corners, params.half_pixel_centers);
  };
  const NearestAxis ys = axis(in_height, height), xs = axis(in_width, width);
  std::vector<int64_t> columns(static_cast<size_t>(width));
  for (int64_t x = 0; x < width; ++x) columns[x] = xs.At(x, in_width);
  const int64_t bytes = Dim(input, 3) * ElementBytes(input->type);
  const char* in = Data<char>(input);
  char* out = MutableData<char>(output);

  ParallelFor(Pool(call), Dim(output, 0) * height, width * bytes, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t line = row / height * in_height + ys.At(row % height, in_height);
      const char* from = in + line * in_width * bytes;
      char* to = out + row * width * bytes;
      for (const int64_t column : columns) {
        std::memcpy(to, from + column * bytes, static_cast<size_t>(bytes));
        to += bytes;
      }
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration ResizeNearestNeighborRegistration(OpForm form) {
  return MakeRegistration<ResizeNearestNeighbor>(form);
}

}  // namespace tern
