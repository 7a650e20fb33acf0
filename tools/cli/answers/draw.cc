// SPDX-License-Identifier: Apache-2.0
// Lines, boxes and labels on pictures.
#include <algorithm>
#include <cstdlib>

#include "cli/inputs/picture.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_easy_font.h>
#pragma GCC diagnostic pop

namespace tern::cli {
namespace {

constexpr int kLabelMargin = 2;  // in pixels of the font

void Paint(Picture* picture, int x, int y, Color color) {
  if (x < 0 || y < 0 || x >= picture->width || y >= picture->height) return;
  std::copy(color.begin(), color.end(), picture->at(x, y));
}

// The font ends with ASCII and reads beyond its tables for other bytes.
std::string Drawable(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if ((byte & 0xc0) == 0x80) continue;  // the rest of a character
    result += byte < 0x20 || byte > 0x7e ? '?' : c;
  }
  return result;
}

// As stb_easy_font writes it per corner of a glyph's rectangle.
struct FontVertex {
  float x, y, z;
  uint8_t color[4];
};

}  // namespace

// Colours that people with every kind of colour vision tell apart: they differ in lightness, too.
Color PaletteColor(int i) {
  constexpr Color kColors[kPaletteColors] = {{213, 94, 0},   {86, 180, 233}, {0, 114, 178},
                                             {0, 158, 115},  {230, 159, 0},  {204, 121, 167},
                                             {240, 228, 66}, {51, 34, 136}};
  constexpr auto kCount = static_cast<int>(kPaletteColors);
  return kColors[((i % kCount) + kCount) % kCount];
}

std::map<int, Color> DistinctColors(const std::vector<int>& classes) {
  std::map<int, Color> colors;
  std::vector<bool> taken(kPaletteColors);
  for (const int index : classes) {
    if (colors.count(index) > 0) continue;
    auto slot = static_cast<size_t>(std::max(index, 0)) % kPaletteColors;
    const bool free = colors.size() < kPaletteColors;
    while (free && taken[slot]) slot = (slot + 1) % kPaletteColors;
    taken[slot] = true;
    colors[index] = PaletteColor(static_cast<int>(slot));
  }
  return colors;
}

void TintPixel(Picture* picture, int x, int y, Color color) {
  uint8_t* p = picture->at(x, y);
  for (size_t c = 0; c < 3; ++c) p[c] = static_cast<uint8_t>((p[c] * 2 + color[c] * 3) / 5);
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

int LabelHeight(int scale) {
  char line[] = "x";
  return (stb_easy_font_height(line) + kLabelMargin) * scale;
}

void DrawLabel(Picture* picture, int x, int y, const std::string& text, int scale, Color back) {
  std::string copy = Drawable(text);  // stb takes a mutable pointer
  const int width = (stb_easy_font_width(copy.data()) + 2 * kLabelMargin) * scale;
  const int height = LabelHeight(scale);
  x = std::clamp(x, 0, std::max(0, picture->width - width));
  y = std::clamp(y, 0, std::max(0, picture->height - height));
  FillRect(picture, x, y, x + width, y + height, back);
  const bool light = back[0] * 299 + back[1] * 587 + back[2] * 114 > 140 * 1000;
  const Color ink = light ? Color{0, 0, 0} : Color{255, 255, 255};
  std::vector<FontVertex> vertices(text.size() * 80 + 16);
  const int quads = stb_easy_font_print(0, 0, copy.data(), nullptr, vertices.data(),
                                        static_cast<int>(vertices.size() * sizeof(FontVertex)));
  for (int q = 0; q < quads; ++q) {
    const FontVertex& a = vertices[static_cast<size_t>(q) * 4];
    const FontVertex& b = vertices[static_cast<size_t>(q) * 4 + 2];
    const auto px = [&](float v) { return x + (static_cast<int>(v) + kLabelMargin) * scale; };
    const auto py = [&](float v) { return y + (static_cast<int>(v) + kLabelMargin) * scale; };
    FillRect(picture, px(a.x), py(a.y), px(b.x), py(b.y), ink);
  }
}

}  // namespace tern::cli
