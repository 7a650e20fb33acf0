// SPDX-License-Identifier: Apache-2.0
// Photos: loading, resizing to a model's input, and drawing results on them.
#ifndef TERN_TOOLS_CLI_INPUTS_PICTURE_H_
#define TERN_TOOLS_CLI_INPUTS_PICTURE_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/inputs/tensor_bytes.h"

namespace tern::cli {

using Color = std::array<uint8_t, 3>;

// 8-bit RGB, rows from the top.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;

  uint8_t* at(int x, int y) {
    return &rgb[(static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * 3];
  }
  const uint8_t* at(int x, int y) const { return const_cast<Picture*>(this)->at(x, y); }
};

// Any format that stb reads (JPEG, PNG, BMP, ...).
absl::StatusOr<Picture> LoadPicture(const std::string& file);
absl::Status SavePng(const Picture& picture, const std::string& file);

// Bilinear; when shrinking, the triangle widens with the factor so that every source pixel counts.
Picture Resized(const Picture& picture, int width, int height);

// The elements of an NHWC input (1xHxWx1 or 1xHxWx3). Floats span low..high; quantized inputs take
// the real values low..high through their scale and zero point, or their whole range when
// `whole_range`.
struct ValueRange {
  double low = -1;
  double high = 1;
  bool whole_range = true;
};
absl::StatusOr<Bytes> PictureElements(const Picture& photo, const TfLiteTensor& input,
                                      const ValueRange& range);

// A well separated colour for class or object `i`; they repeat after so many.
inline constexpr size_t kPaletteColors = 8;
Color PaletteColor(int i);
// For each class the colour of its number, or the next one that no class before it has: two look
// alike only where there are more than colours.
std::map<int, Color> DistinctColors(const std::vector<int>& classes);
// Lays a colour over a pixel, which stays visible.
void TintPixel(Picture* picture, int x, int y, Color color);

// Drawing clips at the borders.
void FillRect(Picture* picture, int x0, int y0, int x1, int y1, Color color);
void DrawRect(Picture* picture, int x0, int y0, int x1, int y1, int thickness, Color color);
void DrawLine(Picture* picture, int x0, int y0, int x1, int y1, int thickness, Color color);
void DrawDot(Picture* picture, int x, int y, int radius, Color color);
// Text on a box of `back`, white or black, whichever reads better; (x, y) is the upper left corner,
// `scale` the size of a font pixel.
void DrawLabel(Picture* picture, int x, int y, const std::string& text, int scale, Color back);
int LabelHeight(int scale);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INPUTS_PICTURE_H_
