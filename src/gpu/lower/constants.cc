// SPDX-License-Identifier: Apache-2.0
// Constants read from the model's bytes, which may be unaligned.
#include "gpu/lower/constants.h"

#include <algorithm>
#include <cstring>

#include "base/status.h"
#include "base/tensor/half.h"
#include "gpu/desc/reason.h"
#include "gpu/lower/packing.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::gpu {
namespace {

int64_t Count(const GraphTensor& tensor) {
  int64_t count = 1;
  for (int d : tensor.dims) count *= d;
  return count;
}

constexpr int kFarthestZero = 1 << 16;  // beyond those of all types

// real = scale * (q - zero_point), with one scale or one per index along the quantized dimension.
absl::Status ReadableQuantization(const GraphTensor& tensor) {
  const AffineQuantization* q = tensor.affine();
  if (q == nullptr || q->scales.empty() || q->zero_points.empty())
    return Unsupported("constant '", tensor.name, "' has no quantization parameters");
  for (const int zero : q->zero_points) {
    if (zero < -kFarthestZero || zero > kFarthestZero)
      return Unsupported("constant '", tensor.name, "' has the zero point ", zero);
  }
  const bool along = q->scales.size() > 1;
  if (along && (q->axis < 0 || q->axis >= static_cast<int>(tensor.dims.size()) ||
                tensor.dims[q->axis] != static_cast<int>(q->scales.size()))) {
    return Unsupported("constant '", tensor.name, "' has ", q->scales.size(),
                       " scales along dimension ", q->axis);
  }
  return absl::OkStatus();
}

// One scale for each block of a row.
absl::Status ReadableBlocks(const GraphTensor& tensor) {
  const RowBlocks& blocks = *tensor.blocks();
  const int columns = tensor.dims.empty() ? 1 : tensor.dims.back();
  if (blocks.size < 1 || columns % blocks.size != 0 ||
      blocks.count != Count(tensor) / blocks.size) {
    return Unsupported("constant '", tensor.name, "' has ", blocks.count, " scales for blocks of ",
                       blocks.size);
  }
  return absl::OkStatus();
}

absl::Status CheckQuantization(const GraphTensor& tensor) {
  return Annotate(
      tensor.blocks() != nullptr ? ReadableBlocks(tensor) : ReadableQuantization(tensor),
      {Reason::kQuantization});
}

template <typename T>
T Load(const void* data, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + i * static_cast<int64_t>(sizeof value),
              sizeof value);
  return value;
}

// Two numbers in each byte, the first in the low half.
int Load4Bits(const void* data, int64_t i) {
  const int q = static_cast<const uint8_t*>(data)[i / 2] >> (i % 2 * 4) & 15;
  return q < 8 ? q : q - 16;
}

// Elements that share one index along the axis, in a row.
int64_t ElementsBehind(const GraphTensor& tensor, int axis) {
  int64_t inner = 1;
  for (size_t d = static_cast<size_t>(axis) + 1; d < tensor.dims.size(); ++d)
    inner *= tensor.dims[d];
  return std::max<int64_t>(inner, 1);
}

// By row-major number of an element: q - zero_point. Several zero points have the axis of scales.
template <typename Element>
auto WithoutZero(const GraphTensor& tensor, Element element) {
  const AffineQuantization* q = tensor.affine();
  const bool per_axis = q->zero_points.size() > 1 && q->scales.size() > 1;
  const int64_t inner = per_axis ? ElementsBehind(tensor, q->axis) : 1;
  const auto places = static_cast<int64_t>(q->scales.size());
  return [=](int64_t i) {
    const int64_t at = per_axis ? i / inner % places : 0;
    return static_cast<float>(int64_t{element(i)} - q->zero_point(static_cast<size_t>(at)));
  };
}

// By number of a block.
float BlockScale(const RowBlocks& blocks, int64_t i) {
  return blocks.type == kTfLiteFloat32 ? Load<float>(blocks.scales, i)
                                       : HalfToFloat(Load<uint16_t>(blocks.scales, i));
}

// By row-major number of an element: scale * q.
template <typename Element>
auto DequantizedBlocks(const RowBlocks& blocks, Element element) {
  return [=](int64_t i) {
    return BlockScale(blocks, i / blocks.size) * static_cast<float>(element(i));
  };
}

// By row-major number of an element: scale * (q - zero_point).
template <typename Element>
auto Dequantized(const GraphTensor& tensor, bool has_zero_point, Element element) {
  const AffineQuantization* q = tensor.affine();
  const bool per_axis = q->scales.size() > 1;
  const int64_t inner = per_axis ? ElementsBehind(tensor, q->axis) : 1;
  const auto places = static_cast<int64_t>(q->scales.size());
  return [=](int64_t i) {
    const auto at = static_cast<size_t>(per_axis ? i / inner % places : 0);
    const int zero_point = has_zero_point ? q->zero_point(at) : 0;
    return q->scales[at] * static_cast<float>(static_cast<double>(element(i)) - zero_point);
  };
}

constexpr int kShuffledRows = 4, kShuffledColumns = 16;

bool IsShuffled(Decoding decoding) {
  return decoding == Decoding::kShuffledWeights || decoding == Decoding::kShuffledStored;
}

// Where the element [row, column] lies in shuffled weights: blocks go along the rows first.
int64_t ShuffledPlace(int64_t i, int64_t columns) {
  const int64_t row = i / columns, column = i % columns;
  const int64_t block =
      row / kShuffledRows * columns + column / kShuffledColumns * kShuffledColumns;
  return block * kShuffledRows + row % kShuffledRows * kShuffledColumns + column % kShuffledColumns;
}

absl::Status CheckShuffled(const GraphTensor& tensor) {
  const std::vector<int>& dims = tensor.dims;
  if (tensor.data_type() != kTfLiteUInt8 || dims.size() != 2 || dims[0] % kShuffledRows != 0 ||
      dims[1] % kShuffledColumns != 0) {
    return Annotate(Unsupported("constant '", tensor.name, "' is not UINT8 in blocks of ",
                                kShuffledRows, " by ", kShuffledColumns),
                    {Reason::kOptions});
  }
  return Annotate(ReadableQuantization(tensor), {Reason::kQuantization});
}

// Calls use(function from an element's row-major number to its float).
template <typename Use>
void WithNumbers(const GraphTensor& tensor, Decoding decoding, Use use) {
  if (IsShuffled(decoding)) {
    const auto element = [data = tensor.data.get(), columns = int64_t{tensor.dims[1]}](int64_t i) {
      return Load<int8_t>(data, ShuffledPlace(i, columns));
    };
    if (decoding == Decoding::kShuffledStored)
      return use([element](int64_t i) { return static_cast<float>(element(i)); });
    return use(Dequantized(tensor, /*has_zero_point=*/false, element));
  }
  // The floats of a constant after DEQUANTIZE include the zero point, unlike weights.
  const bool weights = decoding == Decoding::kWeights && tensor.stored == kTfLiteNoType;
  const void* data = tensor.data.get();
  const auto quantized_as = [&](auto element) {
    if (tensor.blocks() != nullptr) {
      use(DequantizedBlocks(*tensor.blocks(), element));
    } else if (decoding == Decoding::kStored) {
      use(WithoutZero(tensor, element));
    } else {
      use(Dequantized(tensor, !weights, element));
    }
  };
  const auto quantized = [&]<typename T>(T) {
    quantized_as([data](int64_t i) { return Load<T>(data, i); });
  };
  switch (tensor.data_type()) {
    case kTfLiteFloat32:
      return use([data](int64_t i) { return Load<float>(data, i); });
    case kTfLiteFloat16:
      return use([data](int64_t i) { return HalfToFloat(Load<uint16_t>(data, i)); });
    case kTfLiteBool:
      return use([data](int64_t i) { return Load<uint8_t>(data, i) != 0 ? 1.0f : 0.0f; });
    case kTfLiteUInt8:
      return weights ? quantized(int8_t{}) : quantized(uint8_t{});
    case kTfLiteInt8:
      return quantized(int8_t{});
    case kTfLiteInt16:
      return quantized(int16_t{});
    case kTfLiteInt32:
      return quantized(int32_t{});
    case kTfLiteInt64:
      return quantized(int64_t{});
    case kTfLiteInt4:
      return quantized_as([data](int64_t i) { return Load4Bits(data, i); });
    default:
      return;  // CheckDecoding has refused it
  }
}

// Returns the type that integers are read as: that of the stored values if these equal the real
// values (scale 1, zero point 0).
TfLiteType IntegerTypeOf(const GraphTensor& tensor) {
  const bool narrow = tensor.stored == kTfLiteInt8 || tensor.stored == kTfLiteInt16;
  if (!narrow || tensor.affine() == nullptr || !CheckQuantization(tensor).ok()) return tensor.type;
  const AffineQuantization& q = *tensor.affine();
  const bool plain = q.scales.size() == 1 && q.scales[0] == 1 && q.zero_points[0] == 0;
  return plain ? tensor.stored : tensor.type;
}

// Calls `use` with the integers of a constant.
template <typename Use>
void WithInts(const GraphTensor& tensor, Use use) {
  const auto ints = [&, data = tensor.data.get()]<typename T>(T) {
    use([data](int64_t i) { return int64_t{Load<T>(data, i)}; });
  };
  switch (IntegerTypeOf(tensor)) {
    case kTfLiteInt64:
      return ints(int64_t{});
    case kTfLiteInt32:
      return ints(int32_t{});
    case kTfLiteUInt32:
      return ints(uint32_t{});
    case kTfLiteInt16:
      return ints(int16_t{});
    case kTfLiteInt8:
      return ints(int8_t{});
    default:
      return;
  }
}

// The numbers of a filter for Winograd's algorithm.
void FillWinograd(const GraphTensor& source, const ConstantPart& part, int slice_width,
                  int64_t first, std::span<float> out) {
  const auto& filter = std::get<FilterPacking>(part.packing);
  const void* numbers = source.data.get();
  std::vector<float> read;
  if (source.data_type() != kTfLiteFloat32) {
    read.resize(static_cast<size_t>(Count(source)));
    WithNumbers(source, part.decoding, [&](auto element_at) {
      for (size_t i = 0; i < read.size(); ++i) read[i] = element_at(static_cast<int64_t>(i));
    });
    numbers = read.data();
  }
  const auto element = [numbers, from = part.first](int64_t i) {
    return Load<float>(numbers, from + i);
  };
  PackFilter(filter, WinogradNumbers(filter, element), slice_width, first, out);
}

void FillFloats(const std::vector<GraphTensor>& sources, const ConstantPart& part, int slice_width,
                int64_t first, std::span<float> out) {
  const std::vector<float>& values = part.values;
  if (part.source < 0 && values.empty()) return;
  if (part.source < 0) {
    const auto value = [&](int64_t i) { return values[values.size() == 1 ? 0 : i]; };
    return Pack(part, value, slice_width, first, out);
  }
  const GraphTensor& source = sources[static_cast<size_t>(part.source)];
  if (part.decoding == Decoding::kScales && source.blocks() != nullptr) {
    const auto scale = [&](int64_t i) { return BlockScale(*source.blocks(), i); };
    return Pack(part, scale, slice_width, first, out);
  }
  if (part.decoding == Decoding::kScales) {
    const std::vector<float>& scales = source.affine()->scales;
    const auto scale = [&](int64_t i) { return scales[scales.size() == 1 ? 0 : i]; };
    return Pack(part, scale, slice_width, first, out);
  }
  if (const auto* filter = std::get_if<FilterPacking>(&part.packing); filter && filter->winograd)
    return FillWinograd(source, part, slice_width, first, out);
  WithNumbers(source, part.decoding,
              [&](auto element_at) { Pack(part, element_at, slice_width, first, out); });
}

void FillBytes(const std::vector<GraphTensor>& sources, const ConstantPart& part, int slice_width,
               int64_t first, std::span<uint8_t> out) {
  if (part.source < 0) return;
  const GraphTensor& source = sources[static_cast<size_t>(part.source)];
  const bool is_signed = part.decoding == Decoding::kSignedBytes;
  const auto byte = [&, data = source.data.get()](int64_t i) {
    return static_cast<uint8_t>(Load<uint8_t>(data, i) ^ (is_signed ? 0x80 : 0));
  };
  const auto of_4_bits = [data = source.data.get()](int64_t i) {
    return static_cast<uint8_t>(Load4Bits(data, i) + 8);
  };
  if (source.data_type() == kTfLiteInt4) {
    Pack(part, of_4_bits, slice_width, first, out);
  } else {
    Pack(part, byte, slice_width, first, out);
  }
}

void FillInts(const std::vector<GraphTensor>& sources, const ConstantPart& part, int slice_width,
              int64_t first, std::span<int32_t> out) {
  if (part.source < 0) return;
  const int shift = part.decoding == Decoding::kHighHalf ? 32 : 0;
  WithInts(sources[static_cast<size_t>(part.source)], [&](auto element_at) {
    const auto word = [&](int64_t i) {
      return static_cast<int32_t>(static_cast<uint64_t>(element_at(i)) >> shift);
    };
    Pack(part, word, slice_width, first, out);
  });
}

// Calls fill(part, first slice within it, its numbers) for what lies within `numbers`, which begin
// at slice `first` of the constant and are zero.
template <typename T, typename FillPart>
void FillParts(const PlanTensor& constant, int slice_width, int64_t first, std::span<T> numbers,
               FillPart fill) {
  const int64_t end = first + static_cast<int64_t>(numbers.size()) / slice_width;
  int64_t begin = 0;  // of the part
  for (const ConstantPart& part : constant.parts) {
    const int64_t from = std::max(first, begin), to = std::min(end, begin + part.slices);
    if (from < to) {
      fill(part, from - begin,
           numbers.subspan(static_cast<size_t>((from - first) * slice_width),
                           static_cast<size_t>((to - from) * slice_width)));
    }
    begin += part.slices;
  }
}

}  // namespace

absl::Status CheckDecoding(const GraphTensor& tensor, Decoding decoding) {
  if (IsShuffled(decoding)) return CheckShuffled(tensor);
  const bool numbers = decoding == Decoding::kReal || decoding == Decoding::kWeights ||
                       decoding == Decoding::kStored;
  switch (numbers ? tensor.data_type() : IntegerTypeOf(tensor)) {
    case kTfLiteInt8:
    case kTfLiteInt16:
    case kTfLiteInt32:
    case kTfLiteInt64:
      return numbers ? CheckQuantization(tensor) : absl::OkStatus();
    case kTfLiteUInt8:
    case kTfLiteInt4:
      if (numbers) return CheckQuantization(tensor);
      break;
    case kTfLiteFloat32:
    case kTfLiteFloat16:
    case kTfLiteBool:
      if (numbers) return absl::OkStatus();
      break;
    case kTfLiteUInt32:
      if (!numbers) return absl::OkStatus();
      break;
    default:
      break;
  }
  if (!numbers) {
    return Annotate(Unsupported("constant '", tensor.name, "' has type ",
                                TfLiteTypeGetName(tensor.type), " where an integer is needed"),
                    {Reason::kTensorType});
  }
  return Annotate(
      Unsupported("constant '", tensor.name, "' has type ", TfLiteTypeGetName(tensor.data_type()),
                  ", which the GPU does not read as numbers"),
      {Reason::kTensorType});
}

std::optional<PackedForm> PackedFormOf(const GraphTensor& tensor, Decoding decoding,
                                       const FilterPacking& filter, int64_t first) {
  const TfLiteType type = tensor.data_type();
  if (IsShuffled(decoding)) return std::nullopt;
  if (type == kTfLiteFloat16) return PackedForm{Element::kFloat16, Decoding::kReal, 0};
  if (type != kTfLiteInt8 && type != kTfLiteUInt8 && type != kTfLiteInt4) return std::nullopt;
  if (tensor.blocks() != nullptr) return std::nullopt;
  const AffineQuantization& q = *tensor.affine();
  if (q.scales.size() > 1 && decoding != Decoding::kStored) {
    if (first != 0 || ElementsBehind(tensor, q.axis) != filter.out_step ||
        static_cast<int>(q.scales.size()) != filter.out_channels) {
      return std::nullopt;
    }
  }
  // A constant after DEQUANTIZE keeps its zero point, unlike weights.
  const bool weights = decoding == Decoding::kWeights && tensor.stored == kTfLiteNoType;
  const std::vector<int>& zeros = q.zero_points;
  const int zero = weights ? 0 : zeros[0];
  if (!weights && std::any_of(zeros.begin(), zeros.end(), [&](int z) { return z != zero; }))
    return std::nullopt;
  const bool is_signed = type != kTfLiteUInt8 || weights;
  const Element element = type == kTfLiteInt4 ? Element::kNibble : Element::kByte;
  const int last = (1 << BitsOf(element)) - 1;
  const int in_bytes = zero + (is_signed ? (last + 1) / 2 : 0);
  if (in_bytes < 0 || in_bytes > last) return std::nullopt;
  return PackedForm{element, is_signed ? Decoding::kSignedBytes : Decoding::kBytes, in_bytes};
}

namespace {

// The zero points of the places along an axis, where all of them are bytes; empty otherwise.
std::vector<int> ByteZeros(const AffineQuantization* q, int axis, size_t places) {
  if (q == nullptr || q->zero_points.empty()) return {};
  const bool along = q->zero_points.size() > 1;
  if (along && (q->axis != axis || q->zero_points.size() != places || q->scales.size() == 1))
    return {};
  std::vector<int> zeros(places);
  for (size_t i = 0; i < places; ++i) {
    zeros[i] = q->zero_point(i);
    if (zeros[i] < -128 || zeros[i] > 255) return {};
  }
  return zeros;
}

// Adds elements less their zero points, `outer` times a run of `inner` for each place. Ints hold
// the sums of a part of a run, so that compilers vectorize the loop.
template <typename Byte>
void AddBytes(const void* data, const std::vector<int>& zeros, int64_t outer, int64_t inner,
              std::vector<ElementSums>& sums) {
  constexpr int64_t kPart = 1 << 20;
  const auto* bytes = static_cast<const Byte*>(data);
  for (int64_t o = 0; o < outer; ++o) {
    for (size_t place = 0; place < sums.size(); ++place) {
      const int zero = zeros[place];
      for (int64_t first = 0; first < inner; first += kPart) {
        const int64_t count = std::min(inner - first, kPart);
        int32_t all = 0, positive = 0;
        for (int64_t k = 0; k < count; ++k) {
          const int element = bytes[k] - zero;
          all += element;
          positive += std::max(element, 0);
        }
        sums[place].positive += positive;
        sums[place].negative += all - positive;
        bytes += count;
      }
    }
  }
}

}  // namespace

std::vector<ElementSums> SumElements(const GraphTensor& tensor, Decoding decoding, int axis) {
  int64_t outer = 1, inner = 1;
  for (int d = 0; d < static_cast<int>(tensor.dims.size()); ++d) {
    if (d != axis) (d < axis ? outer : inner) *= tensor.dims[static_cast<size_t>(d)];
  }
  std::vector<ElementSums> sums(static_cast<size_t>(tensor.dims[static_cast<size_t>(axis)]));
  const TfLiteType type = tensor.data_type();
  if (decoding == Decoding::kStored && (type == kTfLiteInt8 || type == kTfLiteUInt8)) {
    const std::vector<int> zeros = ByteZeros(tensor.affine(), axis, sums.size());
    if (!zeros.empty()) {
      const auto add = type == kTfLiteInt8 ? AddBytes<int8_t> : AddBytes<uint8_t>;
      add(tensor.data.get(), zeros, outer, inner, sums);
      return sums;
    }
  }
  WithNumbers(tensor, decoding, [&](auto element_at) {
    int64_t i = 0;
    for (int64_t o = 0; o < outer; ++o) {
      for (ElementSums& sum : sums) {
        for (int64_t k = 0; k < inner; ++k, ++i) {
          const auto element = static_cast<int64_t>(element_at(i));
          (element > 0 ? sum.positive : sum.negative) += element;
        }
      }
    }
  });
  return sums;
}

std::optional<PackedForm> PackedBlocksOf(const GraphTensor& tensor) {
  if (tensor.blocks() == nullptr) return std::nullopt;
  switch (tensor.data_type()) {
    case kTfLiteInt4:
      return PackedForm{Element::kNibble, Decoding::kSignedBytes, 8};
    case kTfLiteInt8:
    case kTfLiteUInt8:
      return PackedForm{Element::kByte, Decoding::kSignedBytes, 128};
    default:
      return std::nullopt;
  }
}

absl::StatusOr<float> FirstNumber(const GraphTensor& tensor) {
  TERN_RETURN_IF_ERROR(CheckDecoding(tensor, Decoding::kReal));
  if (Count(tensor) < 1) return Unsupported("constant '", tensor.name, "' is empty");
  float number = 0;
  WithNumbers(tensor, Decoding::kReal, [&](auto element_at) { number = element_at(0); });
  return number;
}

std::vector<int64_t> WholeElements(const GraphTensor& tensor) {
  const TfLiteType type = tensor.data_type();
  if (type != kTfLiteInt32 && type != kTfLiteInt64) return {};
  std::vector<int64_t> values(static_cast<size_t>(Count(tensor)));
  const void* data = tensor.data.get();
  for (size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    values[i] = type == kTfLiteInt32 ? Load<int32_t>(data, at) : Load<int64_t>(data, at);
  }
  return values;
}

absl::StatusOr<std::vector<int64_t>> ConstantInts(const GraphTensor& tensor) {
  TERN_RETURN_IF_ERROR(CheckDecoding(tensor, Decoding::kLowHalf));
  std::vector<int64_t> values(static_cast<size_t>(Count(tensor)));
  WithInts(tensor, [&](auto element_at) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = element_at(static_cast<int64_t>(i));
  });
  return values;
}

int ConstantSources::Add(const GraphTensor& tensor) {
  tensors_.push_back(tensor);
  return static_cast<int>(tensors_.size()) - 1;
}

void ConstantSources::Fill(const PlanTensor& constant, int slice_width, int64_t first_slice,
                           std::span<std::byte> bytes) const {
  const size_t count = bytes.size() * 8 / static_cast<size_t>(BitsOf(constant.desc.element));
  if (constant.desc.element == Element::kInt32) {
    std::vector<int32_t> ints(count, 0);
    FillParts(constant, slice_width, first_slice, std::span(ints),
              [&](const ConstantPart& part, int64_t first, std::span<int32_t> out) {
                FillInts(tensors_, part, slice_width, first, out);
              });
    std::memcpy(bytes.data(), ints.data(), bytes.size());
    return;
  }
  if (IsPacked(constant.desc.element)) {
    std::vector<uint8_t> small(count, static_cast<uint8_t>(constant.zero));
    FillParts(constant, slice_width, first_slice, std::span(small),
              [&](const ConstantPart& part, int64_t first, std::span<uint8_t> out) {
                FillBytes(tensors_, part, slice_width, first, out);
              });
    if (constant.desc.element == Element::kNibble) {
      for (size_t i = 0; i < bytes.size(); ++i)
        small[i] = static_cast<uint8_t>(small[2 * i] | small[2 * i + 1] << 4);
    }
    std::memcpy(bytes.data(), small.data(), bytes.size());
    return;
  }
  std::vector<float> floats(count, 0.0f);
  FillParts(constant, slice_width, first_slice, std::span(floats),
            [&](const ConstantPart& part, int64_t first, std::span<float> out) {
              FillFloats(tensors_, part, slice_width, first, out);
            });
  if (constant.desc.element == Element::kFloat32) {
    std::memcpy(bytes.data(), floats.data(), bytes.size());
    return;
  }
  std::vector<uint16_t> halves(count);
  FloatToHalf(floats, halves);
  std::memcpy(bytes.data(), halves.data(), bytes.size());
}

}  // namespace tern::gpu
