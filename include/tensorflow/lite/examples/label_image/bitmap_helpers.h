// SPDX-License-Identifier: Apache-2.0
// Bitmap files as inputs of models.
#ifndef TERN_TENSORFLOW_LITE_EXAMPLES_LABEL_IMAGE_BITMAP_HELPERS_H_
#define TERN_TENSORFLOW_LITE_EXAMPLES_LABEL_IMAGE_BITMAP_HELPERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tensorflow/lite/examples/label_image/label_image.h"

namespace tflite {
namespace label_image {

// A number of an uncompressed bitmap file, its lowest byte first.
inline int32_t BitmapNumber(const std::vector<uint8_t>& file, size_t at, size_t bytes) {
  uint32_t number = 0;
  for (size_t i = bytes; i-- > 0;) number = number << 8 | file[at + i];
  return static_cast<int32_t>(bytes == 2 ? static_cast<int16_t>(number) : number);
}

// The pixels of an uncompressed bitmap of 8, 24 or 32 bits, from the top down: one grey byte, or
// red, green, blue and the fourth byte. Empty, with zeros in the sizes, for what is no such file.
inline std::vector<uint8_t> read_bmp(const std::string& input_bmp_name, int* width, int* height,
                                     int* channels, Settings*) {
  *width = *height = *channels = 0;
  std::ifstream stream(input_bmp_name, std::ios::binary);
  const std::vector<uint8_t> file((std::istreambuf_iterator<char>(stream)),
                                  std::istreambuf_iterator<char>());
  constexpr size_t kHeader = 34;
  if (file.size() < kHeader || file[0] != 'B' || file[1] != 'M') return {};
  const int64_t start = BitmapNumber(file, 10, 4), columns = BitmapNumber(file, 18, 4);
  const int64_t lines = BitmapNumber(file, 22, 4), bits = BitmapNumber(file, 28, 2);
  const bool from_the_top = lines < 0;
  const int64_t rows = from_the_top ? -lines : lines, bytes = bits / 8;
  const int64_t row_bytes = (columns * bytes + 3) / 4 * 4;
  const bool known = bits == 8 || bits == 24 || bits == 32;
  if (!known || start < 0 || columns <= 0 || rows <= 0 || columns > 1 << 20 || rows > 1 << 20 ||
      start + rows * row_bytes > static_cast<int64_t>(file.size())) {
    return {};
  }
  std::vector<uint8_t> pixels;
  pixels.reserve(static_cast<size_t>(rows * columns * bytes));
  for (int64_t y = 0; y < rows; ++y) {
    const int64_t row = from_the_top ? y : rows - 1 - y;
    const uint8_t* from = file.data() + start + row * row_bytes;
    for (int64_t x = 0; x < columns; ++x, from += bytes) {
      if (bytes == 1) {
        pixels.push_back(from[0]);
      } else {
        pixels.insert(pixels.end(), {from[2], from[1], from[0]});
        if (bytes == 4) pixels.push_back(from[3]);
      }
    }
  }
  *width = static_cast<int>(columns);
  *height = static_cast<int>(rows);
  *channels = static_cast<int>(bytes);
  return pixels;
}

// The image in another size, between four pixels as RESIZE_BILINEAR computes it without options, in
// the numbers of the model's input: (pixel - mean) / deviation in floats, pixel - 128 in INT8, else
// the pixel. Channels beyond `wanted_channels` are left out.
template <class T>
void resize(T* out, const uint8_t* in, int image_height, int image_width, int image_channels,
            int wanted_height, int wanted_width, int wanted_channels, Settings* s) {
  const float step_y = static_cast<float>(image_height) / static_cast<float>(wanted_height);
  const float step_x = static_cast<float>(image_width) / static_cast<float>(wanted_width);
  for (int y = 0; y < wanted_height; ++y) {
    const float at_y = static_cast<float>(y) * step_y;
    const int top = std::min(static_cast<int>(at_y), image_height - 1);
    const int bottom = std::min(top + 1, image_height - 1);
    const float down = at_y - static_cast<float>(top);
    for (int x = 0; x < wanted_width; ++x) {
      const float at_x = static_cast<float>(x) * step_x;
      const int left = std::min(static_cast<int>(at_x), image_width - 1);
      const int right = std::min(left + 1, image_width - 1);
      const float across = at_x - static_cast<float>(left);
      for (int c = 0; c < wanted_channels; ++c) {
        const auto pixel = [&](int row, int column) {
          return static_cast<float>(in[(row * image_width + column) * image_channels + c]);
        };
        const float value = pixel(top, left) * (1 - down) * (1 - across) +
                            pixel(bottom, left) * down * (1 - across) +
                            pixel(top, right) * (1 - down) * across +
                            pixel(bottom, right) * down * across;
        switch (s->input_type) {
          case kTfLiteFloat32:
            *out++ = static_cast<T>((value - s->input_mean) / s->input_std);
            break;
          case kTfLiteInt8:
            *out++ = static_cast<T>(static_cast<int>(value) - 128);
            break;
          default:
            *out++ = static_cast<T>(value);
        }
      }
    }
  }
}

}  // namespace label_image
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_EXAMPLES_LABEL_IMAGE_BITMAP_HELPERS_H_
