// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR: floats and UINT8 in single precision, INT8 and INT16 in steps of 1/1024 pixel.
#include <cmath>
#include <type_traits>
#include <vector>

#include "cpu/resize.h"
#include "ops/cpu_registry.h"
#include "ops/resize/bilinear_rules.h"
#include "ops/resize/resize_image.h"

namespace tern {
namespace {

class ResizeBilinear : public ResizeImage {
 public:
  using ResizeImage::ResizeImage;
  const char* name() const override { return "RESIZE_BILINEAR"; }

 protected:
  Status CheckOptions(const OpCall& call) const override {
    const auto& params = call.params<TfLiteResizeBilinearParams>();
    if (!params.align_corners || !params.half_pixel_centers) return OkStatus();
    return Invalid("align_corners and half_pixel_centers exclude each other");
  }
  bool Takes(TfLiteType type) const override {
    return type == kTfLiteFloat32 || type == kTfLiteUInt8 || type == kTfLiteInt8 ||
           type == kTfLiteInt16;
  }
  Status Resize(const OpCall& call) override;

 private:
  template <class T, class Number>
  void ResizeAs(const OpCall& call, ResizeKernel<T, Number> form);
};

template <class T>
BilinearTap<float> TapOf(int64_t at, int64_t in, int64_t out,
                         const TfLiteResizeBilinearParams& params, float) {
  return FloatTap(at, in, out, params, std::is_same_v<T, uint8_t>);
}
template <class T>
BilinearTap<int32_t> TapOf(int64_t at, int64_t in, int64_t out,
                           const TfLiteResizeBilinearParams& params, int32_t) {
  return WholeTap(at, in, out, params);
}

// A corner's share. A corner without weight has none, although 0 times infinity is NaN.
float Share(float corner, float row, float column) {
  const float share = corner * row * column;
  return (row == 0.0f || column == 0.0f) && std::isnan(share) ? 0.0f : share;
}

template <class T>
T Mix(float a, float b, float c, float d, float bottom, float right) {
  const float top = 1.0f - bottom, left = 1.0f - right;
  const float sum =
      Share(a, top, left) + Share(c, bottom, left) + Share(b, top, right) + Share(d, bottom, right);
  return static_cast<T>(sum + (std::is_same_v<T, float> ? 0.0f : 0.5f));
}

template <class T>
T Mix(int64_t a, int64_t b, int64_t c, int64_t d, int64_t bottom, int64_t right) {
  constexpr int64_t kOne = kPixelParts * kPixelParts;
  const int64_t top = kPixelParts - bottom, left = kPixelParts - right;
  const int64_t sum = a * top * left + c * bottom * left + b * top * right + d * bottom * right;
  return static_cast<T>((sum + (sum > 0 ? kOne / 2 : -kOne / 2)) / kOne);
}

template <class T, class Number>
void ReferenceResizedRow(const ResizedRow<T, Number>& row, T* out) {
  using Wide = std::conditional_t<std::is_same_v<Number, float>, float, int64_t>;
  for (int64_t x = 0; x < row.width; ++x) {
    const PixelTap<Number>& tap = row.taps[x];
    for (int64_t c = 0; c < row.channels; ++c) {
      const auto at = [c](const T* line, int64_t pixel) {
        return static_cast<Wide>(line[pixel + c]);
      };
      *out++ = Mix<T>(at(row.upper, tap.low), at(row.upper, tap.high), at(row.lower, tap.low),
                      at(row.lower, tap.high), Wide{row.fraction}, Wide{tap.fraction});
    }
  }
}

template <class T, class Number>
void ResizeBilinear::ResizeAs(const OpCall& call, ResizeKernel<T, Number> form) {
  const TfLiteTensor* input = call.input(0);
  TfLiteTensor* output = call.output(0);
  const auto& params = call.params<TfLiteResizeBilinearParams>();
  const int64_t in_height = Dim(input, 1), in_width = Dim(input, 2), channels = Dim(input, 3);
  const int64_t height = Dim(output, 1), width = Dim(output, 2);
  std::vector<PixelTap<Number>> taps(static_cast<size_t>(width));
  for (int64_t x = 0; x < width; ++x) {
    const auto tap = TapOf<T>(x, in_width, width, params, Number{});
    taps[x] = {tap.low * channels, tap.high * channels, tap.fraction};
  }
  const T* in = Data<T>(input);
  T* out = MutableData<T>(output);
  if (!fast() || form == nullptr || channels < kMinResizedChannels)
    form = &ReferenceResizedRow<T, Number>;

  auto rows = [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* image = in + row / height * in_height * in_width * channels;
      const auto y = TapOf<T>(row % height, in_height, height, params, Number{});
      const T* upper = image + y.low * in_width * channels;
      const T* lower = image + y.high * in_width * channels;
      form({upper, lower, y.fraction, taps.data(), width, channels}, out + row * width * channels);
    }
  };
  ParallelFor(Pool(call), Dim(output, 0) * height, 2 * width * channels, rows);
}

Status ResizeBilinear::Resize(const OpCall& call) {
  switch (call.input(0)->type) {
    case kTfLiteUInt8:
      ResizeAs<uint8_t, float>(call, FastUnsignedResize());
      break;
    case kTfLiteInt8:
      ResizeAs<int8_t, int32_t>(call, FastSignedResize());
      break;
    case kTfLiteInt16:
      ResizeAs<int16_t, int32_t>(call, nullptr);
      break;
    default:
      ResizeAs<float, float>(call, FastFloatResize());
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration ResizeBilinearRegistration(OpForm form) {
  return MakeRegistration<ResizeBilinear>(form);
}

}  // namespace tern
