// SPDX-License-Identifier: Apache-2.0
// Building and copying regions.
#include "ops/cpu_kit/region.h"

#include <algorithm>
#include <cstring>

#include "cpu/copy_run.h"
#include "cpu/transpose.h"

namespace tern {

Region Simplify(const Region& region) {
  Region result;
  result.source = region.source;
  result.destination = region.destination;
  result.source_offset = region.source_offset;
  result.destination_offset = region.destination_offset;
  for (size_t i = 0; i < region.sizes.size(); ++i) {
    const int64_t size = region.sizes[i];
    if (size == 1) continue;
    if (!result.sizes.empty() && result.source_strides.back() == region.source_strides[i] * size &&
        result.destination_strides.back() == region.destination_strides[i] * size) {
      result.sizes.back() *= size;
      result.source_strides.back() = region.source_strides[i];
      result.destination_strides.back() = region.destination_strides[i];
      continue;
    }
    result.sizes.push_back(size);
    result.source_strides.push_back(region.source_strides[i]);
    result.destination_strides.push_back(region.destination_strides[i]);
  }
  return result;
}

namespace {

// Below this many bytes a run of elements is copied one by one.
constexpr int64_t kShortRun = 8;
// Elements on each side of the squares in which two axes trade places, so that the lines of both
// sides stay in the cache.
constexpr int64_t kSquare = 32;

// For ParallelFor: bytes that take as long as one operation, and operations that beginning a row
// takes as long as.
constexpr int64_t kBytesPerOperation = 8, kOperationsPerRow = 16;

int64_t Magnitude(int64_t v) { return v < 0 ? -v : v; }

// Puts first the axes that stay outside, last the destination's fastest one, and before that the
// source's fastest one.
void OrderAxes(Region& r) {
  const auto to_place = [&](size_t from, size_t to) {
    for (auto* v : {&r.sizes, &r.source_strides, &r.destination_strides}) {
      const int64_t value = (*v)[from];
      v->erase(v->begin() + static_cast<long>(from));
      v->insert(v->begin() + static_cast<long>(to), value);
    }
  };
  const auto fastest = [](const std::vector<int64_t>& strides, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; ++i) {
      if (Magnitude(strides[i]) <= Magnitude(strides[best])) best = i;
    }
    return best;
  };
  const size_t rank = r.sizes.size();
  if (rank < 2) return;
  to_place(fastest(r.destination_strides, rank), rank - 1);
  to_place(fastest(r.source_strides, rank - 1), rank - 2);
}

// The two innermost axes of a copy; steps are in bytes.
struct Plane {
  int64_t sizes[2] = {1, 1}, from_steps[2] = {0, 0}, to_steps[2] = {0, 0};
};

// The part of a plane of 32-bit numbers whose axes trade places that the optimized kernel takes:
// sizes of whole fours. False when there is none.
bool CopyFours(const Plane& p, const char* from, char* to, int64_t (&done)[2]) {
  static const TransposeForm form = FastTranspose();
  if (form == nullptr || p.from_steps[0] != 4 || p.to_steps[1] != 4) return false;
  for (const int axis : {0, 1}) done[axis] = p.sizes[axis] / 4 * 4;
  if (done[0] == 0 || done[1] == 0) return false;
  for (int64_t top = 0; top < done[0]; top += kSquare) {
    for (int64_t left = 0; left < done[1]; left += kSquare) {
      const char* source = from + top * 4 + left * p.from_steps[1];
      char* destination = to + top * p.to_steps[0] + left * 4;
      form(static_cast<const uint32_t*>(static_cast<const void*>(source)), p.from_steps[1] / 4,
           static_cast<uint32_t*>(static_cast<void*>(destination)), p.to_steps[0] / 4,
           std::min(kSquare, done[0] - top), std::min(kSquare, done[1] - left));
    }
  }
  return true;
}

template <size_t kBytes>
void CopySquares(const Plane& p, const char* from, char* to);

// Copies the elements that CopyFours leaves, below and beside its own.
void CopyAroundFours(const Plane& p, const char* from, char* to, const int64_t (&done)[2]) {
  Plane below = p, beside = p;
  below.sizes[0] -= done[0];
  CopySquares<4>(below, from + done[0] * p.from_steps[0], to + done[0] * p.to_steps[0]);
  beside.sizes[0] = done[0];
  beside.sizes[1] -= done[1];
  CopySquares<4>(beside, from + done[1] * p.from_steps[1], to + done[1] * p.to_steps[1]);
}

template <size_t kBytes>
void CopySquares(const Plane& p, const char* from, char* to) {
  if constexpr (kBytes == 4) {
    int64_t done[2];
    if (CopyFours(p, from, to, done)) return CopyAroundFours(p, from, to, done);
  }
  for (int64_t top = 0; top < p.sizes[0]; top += kSquare) {
    const int64_t bottom = std::min(top + kSquare, p.sizes[0]);
    for (int64_t left = 0; left < p.sizes[1]; left += kSquare) {
      const int64_t right = std::min(left + kSquare, p.sizes[1]);
      for (int64_t i = top; i < bottom; ++i) {
        const char* source = from + i * p.from_steps[0];
        char* destination = to + i * p.to_steps[0];
        for (int64_t j = left; j < right; ++j) {
          std::memcpy(destination + j * p.to_steps[1], source + j * p.from_steps[1], kBytes);
        }
      }
    }
  }
}

// Rows of bytes that are dense on both sides.
void CopyRows(const Plane& p, const char* from, char* to, int64_t row) {
  for (int64_t i = 0; i < p.sizes[0]; ++i) {
    CopyRun(from + i * p.from_steps[0], row, to + i * p.to_steps[0]);
  }
}

template <size_t kBytes>
void CopyElements(const Region& r, const void* source, void* destination) {
  constexpr auto kStep = static_cast<int64_t>(kBytes);
  const char* from = static_cast<const char*>(source) + r.source_offset * kStep;
  char* to = static_cast<char*>(destination) + r.destination_offset * kStep;
  const size_t rank = r.sizes.size();
  Plane p;
  for (size_t i = 0; i < 2 && i < rank; ++i) {
    p.sizes[1 - i] = r.sizes[rank - 1 - i];
    p.from_steps[1 - i] = r.source_strides[rank - 1 - i] * kStep;
    p.to_steps[1 - i] = r.destination_strides[rank - 1 - i] * kStep;
  }
  const int64_t row = p.sizes[1] * kStep;
  const bool rows = p.from_steps[1] == kStep && p.to_steps[1] == kStep && row >= kShortRun;
  const size_t outer = rank < 2 ? 0 : rank - 2;
  int64_t planes = 1;
  for (size_t axis = 0; axis < outer; ++axis) planes *= r.sizes[axis];
  std::vector<int64_t> index(outer, 0);
  for (int64_t n = 0; n < planes; ++n) {
    if (rows) {
      CopyRows(p, from, to, row);
    } else {
      CopySquares<kBytes>(p, from, to);
    }
    for (size_t axis = outer; axis-- > 0;) {
      from += r.source_strides[axis] * kStep;
      to += r.destination_strides[axis] * kStep;
      if (++index[axis] < r.sizes[axis]) break;
      index[axis] = 0;
      from -= r.sizes[axis] * r.source_strides[axis] * kStep;
      to -= r.sizes[axis] * r.destination_strides[axis] * kStep;
    }
  }
}

void CopyPart(const Region& r, const void* source, void* destination, int64_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return CopyElements<1>(r, source, destination);
    case 2:
      return CopyElements<2>(r, source, destination);
    case 4:
      return CopyElements<4>(r, source, destination);
    case 8:
      return CopyElements<8>(r, source, destination);
    default:
      return CopyElements<16>(r, source, destination);
  }
}

}  // namespace

void CopyRegion(const Region& region, const void* source, void* destination, int64_t element_bytes,
                ThreadPool* pool) {
  Region r = Simplify(region);
  if (std::find(r.sizes.begin(), r.sizes.end(), 0) != r.sizes.end()) return;
  OrderAxes(r);
  if (r.sizes.empty()) return CopyPart(r, source, destination, element_bytes);
  // A part is a piece of the outermost axis.
  int64_t rows = 0, bytes = element_bytes;
  for (size_t axis = 1; axis < r.sizes.size(); ++axis) {
    rows = axis == 1 ? 1 : rows * r.sizes[axis - 1];
    bytes *= r.sizes[axis];
  }
  const int64_t cost = bytes / kBytesPerOperation + rows * kOperationsPerRow;
  ParallelFor(pool, r.sizes[0], std::max<int64_t>(1, cost), [&](int64_t begin, int64_t end) {
    Region part = r;
    part.sizes[0] = end - begin;
    part.source_offset += begin * r.source_strides[0];
    part.destination_offset += begin * r.destination_strides[0];
    CopyPart(part, source, destination, element_bytes);
  });
}

Region ViewRegion(const View& view, int source, int destination) {
  Region region;
  region.source = source;
  region.destination = destination;
  region.source_offset = view.offset;
  region.sizes = view.sizes;
  region.source_strides = view.strides;
  region.destination_strides = DenseStrides(view.sizes);
  return region;
}

std::vector<Region> ConcatenationRegions(const std::vector<std::vector<int64_t>>& shapes,
                                         size_t axis) {
  std::vector<int64_t> output = shapes[0];
  output[axis] = 0;
  for (const auto& shape : shapes) output[axis] += shape[axis];
  const std::vector<int64_t> strides = DenseStrides(output);
  std::vector<Region> regions;
  int64_t at = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    Region region;
    region.source = static_cast<int>(i);
    region.destination_offset = at * strides[axis];
    region.sizes = shapes[i];
    region.source_strides = DenseStrides(shapes[i]);
    region.destination_strides = strides;
    regions.push_back(region);
    at += shapes[i][axis];
  }
  return regions;
}

Region PadRegion(const std::vector<int64_t>& input, const std::vector<int64_t>& output,
                 const std::vector<int64_t>& before) {
  Region region;
  region.sizes = input;
  region.source_strides = DenseStrides(input);
  region.destination_strides = DenseStrides(output);
  for (size_t i = 0; i < input.size(); ++i) {
    region.destination_offset += before[i] * region.destination_strides[i];
  }
  return region;
}

}  // namespace tern
