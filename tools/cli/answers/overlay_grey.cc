// SPDX-License-Identifier: Apache-2.0
// Outputs that are pictures themselves: one channel, which is a mask or a picture in grey, and
// three.
#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/answers/answers.h"

namespace tern::cli {
namespace {

constexpr int kMinSide = 9;  // smaller ones are feature maps

struct Span {
  float low = 0, high = 0;
};

// Nothing where a value is infinite or no number.
std::optional<Span> SpanOf(const std::vector<float>& data) {
  Span span{data[0], data[0]};
  for (const float v : data) {
    if (!std::isfinite(v)) return std::nullopt;
    span.low = std::min(span.low, v);
    span.high = std::max(span.high, v);
  }
  return span;
}

struct Size {
  int width = 0, height = 0;
};

std::optional<Size> SizeWithChannels(const Values& output, int channels) {
  if (output.shape.size() != 4 || output.dim(0) != 1 || output.dim(3) != channels) return {};
  const Size size{output.dim(2), output.dim(1)};
  const size_t elements = static_cast<size_t>(size.width) * static_cast<size_t>(size.height) *
                          static_cast<size_t>(channels);
  if (std::min(size.width, size.height) < kMinSide || output.data.size() != elements) return {};
  return size;
}

// 1xHxWx1, or a row with a number for each pixel of the input.
std::optional<Size> GreySize(const Question& question, const Values& output) {
  if (output.integers) return std::nullopt;  // classes
  const Size input{question.input_width, question.input_height};
  const bool row = output.shape.size() == 1 || (output.shape.size() == 2 && output.dim(0) == 1);
  if (row && std::min(input.width, input.height) >= kMinSide &&
      output.data.size() == static_cast<size_t>(input.width) * static_cast<size_t>(input.height)) {
    return input;
  }
  return SizeWithChannels(output, 1);
}

// The comparison also catches NaN, which a picture of one value makes.
uint8_t Byte(float share) {
  return share > 0 ? static_cast<uint8_t>(std::lround(std::min(share, 1.0f) * 255)) : 0;
}

// Shares 0..1, black to white.
Picture GreyPicture(const std::vector<float>& shares, Size size) {
  Picture picture{size.width, size.height, {}};
  picture.rgb.reserve(shares.size() * 3);
  for (const float share : shares) picture.rgb.insert(picture.rgb.end(), 3, Byte(share));
  return picture;
}

// Colours what the mask takes; its share of the photo.
double TintMask(const Picture& mask, Picture* photo) {
  const Picture smooth = Resized(mask, photo->width, photo->height);
  int64_t inside = 0;
  for (int y = 0; y < photo->height; ++y) {
    for (int x = 0; x < photo->width; ++x) {
      if (smooth.at(x, y)[0] < 128) continue;
      TintPixel(photo, x, y, PaletteColor(2));
      ++inside;
    }
  }
  return static_cast<double>(inside) / (photo->width * static_cast<double>(photo->height));
}

// How black and white read in values.
Span ColourSpan(Span found) {
  constexpr float kSlack = 0.05f;  // networks overshoot
  if (found.high > 2 || found.low < -2) return {0, 255};
  if (found.low >= -kSlack) return {0, 1};
  return {-1, 1};
}

}  // namespace

void TellGrey(const Question& question, Answer* answer) {
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    const Values& output = question.outputs[i];
    if (!answer->free(i)) continue;
    const std::optional<Size> size = GreySize(question, output);
    const std::optional<Span> span = size ? SpanOf(output.data) : std::nullopt;
    if (!span) continue;
    std::vector<float> shares = output.data;
    const bool probable = span->low >= -0.001f && span->high <= 1.001f;
    const bool logits = !probable && span->low < 0;
    for (float& v : shares) {
      if (logits)
        v = 1 / (1 + std::exp(-v));
      else if (!probable)
        v = (v - span->low) / (span->high - span->low);
    }
    const Picture grey = GreyPicture(shares, *size);
    answer->Tell(i);
    if (!probable && !logits) {
      answer->lines.push_back(
          absl::StrFormat("output %d: a picture in grey, %dx%d; black is %.4g, white is %.4g", i,
                          size->width, size->height, span->low, span->high));
    } else {
      std::string line =
          absl::StrFormat("output %d: a mask of %dx%d pixels", i, size->width, size->height);
      if (answer->overlay.width > 0) {
        const double share = TintMask(grey, &answer->overlay);
        answer->drawn = true;
        absl::StrAppend(&line, absl::StrFormat(", which takes %.1f%% of the picture", share * 100));
      }
      answer->lines.push_back(line);
    }
    answer->pictures.emplace(static_cast<int>(i), grey);
  }
}

void TellColours(const Question& question, Answer* answer) {
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    const Values& output = question.outputs[i];
    if (!answer->free(i)) continue;
    const std::optional<Size> size = SizeWithChannels(output, 3);
    const std::optional<Span> found = size ? SpanOf(output.data) : std::nullopt;
    if (!found) continue;
    const Span span = ColourSpan(*found);
    Picture picture{size->width, size->height, {}};
    picture.rgb.reserve(output.data.size());
    for (const float v : output.data) {
      picture.rgb.push_back(Byte((v - span.low) / (span.high - span.low)));
    }
    const bool dark = span.low < 0 && found->high < 0;
    answer->lines.push_back(absl::StrFormat(
        "output %d: a picture of %dx%d; black is %g, white is %g%s", i, size->width, size->height,
        span.low, span.high,
        dark ? "; nothing is brighter than grey: another --input-range may fit" : ""));
    answer->pictures.emplace(static_cast<int>(i), std::move(picture));
    answer->Tell(i);
  }
}

}  // namespace tern::cli
