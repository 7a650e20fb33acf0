// SPDX-License-Identifier: Apache-2.0
// Lines, boxes and labels on pictures.
#include <algorithm>
#include <cstdlib>

#include "cli/picture.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_easy_font.h>
#pragma GCC diagnostic pop

namespace tern::cli {
namespace {

void Paint(Picture* picture, int x, int y, Color color) {
  if (x < 0 || y < 0 || x >= picture->width || y >= picture->height) return;
  std::copy(color.begin(), color.end(), picture->at(x, y));
}

// What stb_easy_font writes per corner of a glyph's rectangle.
struct FontVertex {
  float x, y, z;
  uint8_t color[4];
};

}  // namespace

Color PaletteColor(int i) {
  constexpr Color kColors[] = {
      {230, 25, 75},  {60, 180, 75},  {0, 110, 230},  {245, 130, 48}, {145, 30, 180}, {0, 170, 170},
      {240, 50, 230}, {170, 110, 40}, {128, 0, 0},    {110, 150, 0},  {0, 0, 128},    {220, 190, 0},
      {0, 128, 90},   {90, 90, 220},  {200, 60, 120}, {100, 70, 160}, {70, 130, 60},  {180, 80, 0},
      {60, 90, 120},  {150, 0, 90},   {0, 90, 60}};
  constexpr int kCount = static_cast<int>(std::size(kColors));
  return kColors[((i % kCount) + kCount) % kCount];
}

void FillRect(Picture* picture, int x0, int y0, int x1, int y1, Color color) {
  for (int y = std::max(0, y0); y < std::min(y1, picture->height); ++y) {
    for (int x = std::max(0, x0); x < std::min(x1, picture->width); ++x) {
      Paint(picture, x, y, color);
    }
  }
}

void DrawRect(Picture* picture, int x0, int y0, int x1, int y1, int thickness, Color color) {
  FillRect(picture, x0, y0, x1, y0 + thickness, color);
  FillRect(picture, x0, y1 - thickness, x1, y1, color);
  FillRect(picture, x0, y0, x0 + thickness, y1, color);
  FillRect(picture, x1 - thickness, y0, x1, y1, color);
}

void DrawLine(Picture* picture, int x0, int y0, int x1, int y1, int thickness, Color color) {
  const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
  for (int i = 0; i <= steps; ++i) {
    DrawDot(picture, x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, thickness / 2, color);
  }
}

void DrawDot(Picture* picture, int x, int y, int radius, Color color) {
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      if (dx * dx + dy * dy <= radius * radius) Paint(picture, x + dx, y + dy, color);
    }
  }
}

void DrawLabel(Picture* picture, int x, int y, const std::string& text, int scale, Color back) {
  std::string copy = text;  // stb takes a mutable pointer
  constexpr int kMargin = 2;
  const int width = (stb_easy_font_width(copy.data()) + 2 * kMargin) * scale;
  const int height = (stb_easy_font_height(copy.data()) + kMargin) * scale;
  x = std::clamp(x, 0, std::max(0, picture->width - width));
  y = std::clamp(y, 0, std::max(0, picture->height - height));
  FillRect(picture, x, y, x + width, y + height, back);
  std::vector<FontVertex> vertices(text.size() * 80 + 16);
  const int quads = stb_easy_font_print(0, 0, copy.data(), nullptr, vertices.data(),
                                        static_cast<int>(vertices.size() * sizeof(FontVertex)));
  for (int q = 0; q < quads; ++q) {
    const FontVertex& a = vertices[static_cast<size_t>(q) * 4];
    const FontVertex& b = vertices[static_cast<size_t>(q) * 4 + 2];
    const auto px = [&](float v) { return x + (static_cast<int>(v) + kMargin) * scale; };
    const auto py = [&](float v) { return y + (static_cast<int>(v) + kMargin) * scale; };
    FillRect(picture, px(a.x), py(a.y), px(b.x), py(b.y), {255, 255, 255});
  }
}

}  // namespace tern::cli
