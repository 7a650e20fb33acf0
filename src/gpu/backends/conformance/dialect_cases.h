// SPDX-License-Identifier: Apache-2.0
// For tests: every word of the kernel dialect on a device, for every slice width that it can spell.
// A backend's test calls each function with its device.
#ifndef TERN_GPU_BACKENDS_CONFORMANCE_DIALECT_CASES_H_
#define TERN_GPU_BACKENDS_CONFORMANCE_DIALECT_CASES_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/str_cat.h"
#include "gpu/backends/conformance/kernel_bench.h"
#include "gpu/desc/test_kernel_id.h"

namespace tern::gpu::conformance {

inline std::vector<int> SliceWidths(const Device& device) {
  std::vector<int> widths;
  for (const int width : {4, 8, 16}) {
    if (width <= device.info().max_slice_width) widths.push_back(width);
  }
  return widths;
}

// Multiples of 1/4 between -7 and 8: exact as halves.
inline std::vector<float> Numbers(const Box& box, int seed) {
  std::vector<float> values(box.elements());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>((i * 7 + seed * 13) % 61) * 0.25f - 7.0f;
  return values;
}

inline float At(const std::vector<float>& rows, const Box& box, int b, int y, int x, int c) {
  return rows[((static_cast<size_t>(b) * box.h + y) * box.w + x) * box.c + c];
}

// A grid that covers a tensor slice by slice, with groups that do not divide it.
inline void CoverWith(Dispatch& dispatch, const Box& box, int slice_width) {
  dispatch.grid = {box.w, box.h, box.b * box.slices(slice_width)};
  dispatch.group = {4, 2, 1};
}

// ---- reading and writing: layouts, halves, ragged channels, lanes

struct CopyForm {
  Layout from, to;
  Element element;
  bool lanes_from_memory;
  bool texels = false;  // reads its source and its constants by these
};

inline void CheckCopy(Device& device, int width, const CopyForm& form, int channels) {
  const Box box = {2, 3, 2, channels};
  const Box wide = {2, 3, 18, channels};
  KernelBench bench(device, width, form.lanes_from_memory);
  const std::vector<float> src_rows = Numbers(box, channels);
  const std::vector<float> dst_rows = Numbers(wide, 3);
  Dispatch dispatch;
  dispatch.label = "copy";
  dispatch.kernel = test_kernel::dialect_copy;
  dispatch.defines = {{"LANES", std::min(channels, width)}};
  // Bytes lie in slices alone.
  const bool bytes = form.element == Element::kByte;
  const auto element_in = [&](Layout layout) {
    return bytes && layout != Layout::kSlices ? Element::kFloat32 : form.element;
  };
  const TensorId src = bench.Add({box, form.from, element_in(form.from)}, src_rows);
  const TensorId dst = bench.Add({wide, form.to, element_in(form.to)}, dst_rows);
  dispatch.bindings = {{"src", src, Access::kRead, box}, {"dst", dst, Access::kReadWrite, wide}};
  dispatch.bindings.push_back(
      ConstantsIn(bench.Add({{1, 1, 1, width}, Layout::kVector, element_in(Layout::kVector)},
                            std::vector<float>(width, 0.0f))));
  for (Binding& binding : dispatch.bindings)
    binding.texels = form.texels && binding.access == Access::kRead;
  CoverWith(dispatch, wide, width);
  ASSERT_NO_FATAL_FAILURE(bench.Run(dispatch));
  const std::vector<float> got = bench.Rows(dst);
  for (int b = 0; b < box.b; ++b) {
    for (int y = 0; y < box.h; ++y) {
      for (int x = 0; x < wide.w; ++x) {
        for (int c = 0; c < channels; ++c) {
          const int way = x / box.w;
          const int shift = way == 1 ? -1 : way == 5 || way == 8 ? 1 : 0;
          const int from_x = x % box.w + shift;
          const int from_y = y - shift;
          const bool inside = from_x >= 0 && from_x < box.w && from_y >= 0 && from_y < box.h;
          float want = inside ? At(src_rows, box, b, from_y, from_x, c) : 0.0f;
          if (way == 6) want += At(dst_rows, wide, b, y, x, c);
          ASSERT_EQ(At(got, wide, b, y, x, c), want) << "way " << way << ", x " << x << ", y " << y
                                                     << ", channel " << c << ", batch " << b;
        }
      }
    }
  }
}

// Every channel of a pixel through a pointer to the first, as loops over lanes read them.
inline void CheckLaneLoop(Device& device, int width, Layout from, Element element, int channels) {
  SCOPED_TRACE(StrCat("W ", width, ", channels ", channels, ", F", BitsOf(element), ", layout ",
                      static_cast<int>(from)));
  const Box box = {2, 3, 2, channels};
  KernelBench bench(device, width, /*lanes_from_memory=*/true);
  const std::vector<float> rows = Numbers(box, channels);
  Dispatch dispatch;
  dispatch.label = "lanes";
  dispatch.kernel = test_kernel::dialect_lanes;
  dispatch.defines = {{"LANE_LOOP", 1}};
  const TensorId src = bench.Add({box, from, element}, rows);
  const TensorId dst = bench.Add({box, Layout::kRows, Element::kFloat32});
  dispatch.bindings = {{"src", src, Access::kRead, box}, {"dst", dst, Access::kWrite, box}};
  CoverWith(dispatch, box, width);
  ASSERT_NO_FATAL_FAILURE(bench.Run(dispatch));
  EXPECT_EQ(bench.Rows(dst), rows);
}

// For languages with pointers.
inline void RunLaneLoopCases(Device& device) {
  for (const int width : SliceWidths(device)) {
    for (const int channels : {3, width, 17}) {
      for (const Element element : {Element::kFloat32, Element::kFloat16}) {
        for (const Layout from : {Layout::kRows, Layout::kSlices})
          ASSERT_NO_FATAL_FAILURE(CheckLaneLoop(device, width, from, element, channels));
      }
    }
  }
}

inline void RunCopyCases(Device& device) {
  for (const int width : SliceWidths(device)) {
    for (const int channels : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17}) {
      // Programs of wide slices differ in less than these: a sample is enough.
      const bool sampled = channels == 1 || channels == 3 || channels >= std::min(width, 9);
      if (width > 4 && !sampled) continue;
      for (const Element element : {Element::kFloat32, Element::kFloat16, Element::kByte}) {
        for (const bool memory : {false, true}) {
          if (width > 4 && element != Element::kFloat32 && !memory) continue;
          if (channels > 9 && element == Element::kByte) continue;
          for (const bool rows : {false, true}) {
            const CopyForm form = {rows ? Layout::kRows : Layout::kSlices,
                                   rows ? Layout::kSlices : Layout::kRows, element, memory};
            SCOPED_TRACE(StrCat("W ", width, ", channels ", channels, ", F", BitsOf(element),
                                rows ? ", from rows" : ", to rows",
                                memory ? ", lanes from memory" : ""));
            ASSERT_NO_FATAL_FAILURE(CheckCopy(device, width, form, channels));
          }
        }
      }
    }
  }
}

// ---- fused steps

inline Dispatch ChainDispatch(TensorId src, TensorId dst, const Box& box, int width) {
  Dispatch dispatch;
  dispatch.label = "chain";
  dispatch.kernel = test_kernel::dialect_chain;
  dispatch.bindings = {{"src", src, Access::kRead, box}, {"dst", dst, Access::kWrite, box}};
  CoverWith(dispatch, box, width);
  return dispatch;
}

// One operand in each of the 16 patterns of extents that are 1 (some of them in wide slices).
inline void CheckBroadcasts(Device& device, int width, const Box& box, Layout layout,
                            Element element) {
  const std::vector<float> src_rows = Numbers(box, 1);
  for (int pattern = 0; pattern < 16; pattern += width == 4 ? 1 : 5) {
    SCOPED_TRACE(StrCat("broadcast pattern ", pattern));
    const Box from = {(pattern & 1) != 0 ? 1 : box.b, (pattern & 2) != 0 ? 1 : box.h,
                      (pattern & 4) != 0 ? 1 : box.w, (pattern & 8) != 0 ? 1 : box.c};
    KernelBench bench(device, width);
    const std::vector<float> op_rows = Numbers(from, 2);
    const TensorId src = bench.Add({box, Layout::kSlices, element}, src_rows);
    const TensorId dst = bench.Add({box, layout, element});
    const TensorId op = bench.Add({from, layout, element}, op_rows);
    Dispatch dispatch = ChainDispatch(src, dst, box, width);
    const bool swapped = pattern % 3 == 1;
    dispatch.epilogue = {{.expression = "v - w * splat(a) + splat(1.0)",
                          .a = 2.0f,
                          .operand = BindEpilogueOperand(op, from, dispatch),
                          .swapped = swapped}};
    ASSERT_NO_FATAL_FAILURE(bench.Run(dispatch));
    const std::vector<float> got = bench.Rows(dst);
    for (int b = 0; b < box.b; ++b) {
      for (int y = 0; y < box.h; ++y) {
        for (int x = 0; x < box.w; ++x) {
          for (int c = 0; c < box.c; ++c) {
            float v = At(src_rows, box, b, y, x, c);
            float w = At(op_rows, from, std::min(b, from.b - 1), std::min(y, from.h - 1),
                         std::min(x, from.w - 1), std::min(c, from.c - 1));
            if (swapped) std::swap(v, w);
            ASSERT_EQ(At(got, box, b, y, x, c), v - w * 2.0f + 1.0f)
                << "x " << x << ", y " << y << ", channel " << c << ", batch " << b;
          }
        }
      }
    }
  }
}

// Several steps, two operands (one is the source itself), constants a and b, a step that may be
// left out, a choice at the end.
inline void CheckLongEpilogue(Device& device, int width, Element element, int choice) {
  const Box box = {1, 3, 5, 6};
  const Box row = {1, 1, 5, 1};
  const std::vector<float> src_rows = Numbers(box, 4);
  const std::vector<float> op_rows = Numbers(row, 5);
  KernelBench bench(device, width);
  const TensorId src = bench.Add({box, Layout::kSlices, element}, src_rows);
  const TensorId dst = bench.Add({box, Layout::kSlices, Element::kFloat32});
  const TensorId op = bench.Add({row, Layout::kSlices, element}, op_rows);
  Dispatch dispatch = ChainDispatch(src, dst, box, width);
  dispatch.epilogue = {{.expression = "min(max(v, splat(a)), splat(b))", .a = -3.0f, .b = 4.5f},
                       {.expression = "v + w", .operand = BindEpilogueOperand(src, box, dispatch)},
                       {.expression = "w * v - splat(b)",
                        .b = 0.25f,
                        .operand = BindEpilogueOperand(op, row, dispatch),
                        .swapped = true},
                       {.expression = "abs(v) + splat(1.0)"},
                       {.expression = "choice == 1 ? (v * w) : (v - w)",
                        .operand = BindEpilogueOperand(src, box, dispatch),
                        .choice = choice - 1,
                        .optional = true},
                       {.expression = "choice == 0 ? (v) : choice == 1 ? (max(v, splat(a))) : (-v)",
                        .a = 2.5f,
                        .choice = choice}};
  ASSERT_NO_FATAL_FAILURE(bench.Run(dispatch));
  const std::vector<float> got = bench.Rows(dst);
  for (size_t i = 0; i < got.size(); ++i) {
    const float v = std::clamp(src_rows[i], -3.0f, 4.5f) + src_rows[i];
    float u = std::abs(v * op_rows[i / 6 % 5] - 0.25f) + 1.0f;
    if (choice == 1) u = u - src_rows[i];
    if (choice == 2) u = u * src_rows[i];
    ASSERT_EQ(got[i], choice == 0 ? u : choice == 1 ? std::max(u, 2.5f) : -u) << i;
  }
}

// Steps between ints, BOOL values and reals: a quotient, a comparison and what follows from it.
inline void CheckInts(Device& device, int width, Layout layout, const Box& box) {
  const Box column = {1, box.h, 1, 1};
  std::vector<float> src_rows(box.elements()), op_rows(box.h);
  for (size_t i = 0; i < src_rows.size(); ++i)
    src_rows[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 50);
  for (int y = 0; y < box.h; ++y) op_rows[y] = static_cast<float>(y - 1);
  KernelBench bench(device, width);
  const TensorId src = bench.Add({box, layout, Element::kInt32}, src_rows);
  const TensorId dst = bench.Add({box, layout, Element::kInt32});
  const TensorId op = bench.Add({column, layout, Element::kInt32}, op_rows);
  Dispatch dispatch = ChainDispatch(src, dst, box, width);
  const Number real = Number::kReal, whole = Number::kInt;
  dispatch.epilogue = {{.expression = "idiv(v, w) * isplat(3)",
                        .operand = BindEpilogueOperand(op, column, dispatch),
                        .from = whole,
                        .to = whole},
                       {.expression = "select_le(v, w, splat(a), from_islice(v))",
                        .a = -2.5f,
                        .operand = BindEpilogueOperand(src, box, dispatch),
                        .from = whole,
                        .to = real},
                       {.expression = "to_islice(v * splat(2.0))", .from = real, .to = whole},
                       {.expression = "select_eq(v, isplat(-5), max(w, isplat(7)), v - w)",
                        .operand = BindEpilogueOperand(op, column, dispatch),
                        .swapped = false,
                        .from = whole,
                        .to = whole}};
  ASSERT_NO_FATAL_FAILURE(bench.Run(dispatch));
  const std::vector<float> got = bench.Rows(dst);
  for (size_t i = 0; i < got.size(); ++i) {
    const int v = static_cast<int>(src_rows[i]);
    const int w = static_cast<int>(op_rows[i / box.c / box.w % box.h]);
    const int quotient = w == 0 ? 0 : v / w * 3;
    const int chosen = quotient <= v ? -5 : 2 * quotient;
    const int want = chosen == -5 ? std::max(w, 7) : chosen - w;
    ASSERT_EQ(got[i], static_cast<float>(want)) << i;
  }
}

inline void RunChainCases(Device& device) {
  for (const int width : SliceWidths(device)) {
    for (const Layout layout : {Layout::kSlices, Layout::kRows}) {
      SCOPED_TRACE(StrCat("ints, W ", width, layout == Layout::kRows ? ", rows" : ""));
      ASSERT_NO_FATAL_FAILURE(CheckInts(device, width, layout, {2, 3, 2, 7}));
      ASSERT_NO_FATAL_FAILURE(CheckInts(device, width, layout, {1, 4, 3, 16}));
      ASSERT_NO_FATAL_FAILURE(CheckInts(device, width, layout, {2, 4, 1, 3}));
    }
  }
  for (const int width : SliceWidths(device)) {
    for (const Element element : {Element::kFloat32, Element::kFloat16}) {
      SCOPED_TRACE(StrCat("W ", width, ", F", BitsOf(element)));
      for (const int choice : {0, 1, 2}) {
        ASSERT_NO_FATAL_FAILURE(CheckLongEpilogue(device, width, element, choice));
      }
    }
    SCOPED_TRACE(StrCat("W ", width));
    ASSERT_NO_FATAL_FAILURE(
        CheckBroadcasts(device, width, {2, 3, 5, 18}, Layout::kSlices, Element::kFloat16));
    ASSERT_NO_FATAL_FAILURE(
        CheckBroadcasts(device, width, {2, 3, 2, 3}, Layout::kRows, Element::kFloat32));
  }
}

// ---- arithmetic

// Values of slice number `word` of the destination of dialect_words, lane by lane.
struct WordInputs {
  int width, x, count;
  float strength;
  const float *v, *u, *constants, *table;
};

inline float WantedWord(const WordInputs& in, int word, int lane) {
  const float v = in.v[lane];
  const float u = in.u[lane];
  const float p = std::abs(v) + 0.5f;
  switch (word) {
    case 0:
      return v + u;
    case 1:
      return v - u;
    case 2:
      return v * u;
    case 3:
      return v / p;
    case 4:
      return std::min(v, u);
    case 5:
      return std::max(v, u);
    case 6:
      return std::abs(v);
    case 7:
      return std::exp(v);
    case 8:
      return std::log(p);
    case 9:
      return std::sqrt(p);
    case 10:
      return 1.0f / std::sqrt(p);
    case 11:
      return std::tanh(v);
    case 12:
      return std::sin(v);
    case 13:
      return std::cos(v);
    case 14:
      return std::floor(v);
    case 15:
      return std::pow(p, u);
    case 16:
      return v * u + p;
    case 17:
      return v < u ? static_cast<float>(lane) : -1.0f;
    case 18:
      return lane < in.count ? v : u;
    case 19:
      return v + u + u;
    case 20:
      return in.v[in.width - 1];
    case 21:
      return lane % 2 == 1 ? 2.0f * u : v;
    case 22: {
      float sum = 0;
      for (int i = 0; i < in.width; ++i) sum += in.v[i];
      return sum;
    }
    case 23:
      return *std::max_element(in.v, in.v + in.width);
    case 24:
      return -v;
    case 25:
      return in.constants[2 * in.width + lane];  // bias starts at slice 1
    case 26:
      return in.constants[(3 + in.x) * in.width + lane];  // scale starts at slice 3
    case 27:
      return in.table[2 * in.width + lane] * in.table[in.width + 1];
    case 28:
      return std::ceil(v);
    case 29:
      return std::nearbyint(v);
    case 30:
      return std::erfc(v);
    default:
      break;
  }
  if (lane >= 4) return 0.0f;
  const float f = in.v[0];
  const float g = in.u[0];
  const float q = std::abs(f) + 0.5f;
  const int n = static_cast<int>(f * 10.0f);
  const int third = in.x > 0 && in.x % 3 == 0 ? in.x / 3 : 0;
  const float numbers[16] = {std::min(f, g),
                             std::max(f, g),
                             std::exp(f),
                             std::log(q),
                             std::sqrt(q),
                             1.0f / std::sqrt(q),
                             std::tanh(f),
                             std::sin(f),
                             std::cos(f),
                             std::floor(f),
                             std::pow(q, g),
                             f * g + q,
                             static_cast<float>(n),
                             static_cast<float>(std::min(n, 3) + 100 * std::max(n, -2)),
                             static_cast<float>(std::clamp(n, -4, 4) * third),
                             in.strength * 0.01f + static_cast<float>(in.x % 3 - in.x / 3)};
  return numbers[(word - 31) * 4 + lane];
}

inline void RunWordCases(Device& device) {
  constexpr int kWords = 35;
  constexpr int kColumns = 13;
  for (const int width : SliceWidths(device)) {
    SCOPED_TRACE(StrCat("W ", width));
    const Box from = {1, 1, kColumns, 2 * width};
    const Box to = {1, 1, kColumns, kWords * width};
    KernelBench bench(device, width);
    const std::vector<float> src = Numbers(from, 2);
    std::vector<float> constants = Numbers({1, 1, 3 + kColumns, width}, 3);
    std::fill_n(constants.begin(), width, 0.0f);
    const std::vector<float> table = Numbers({1, 1, 3, width}, 4);
    Dispatch dispatch;
    dispatch.label = "words";
    dispatch.kernel = test_kernel::dialect_words;
    const TensorId dst = bench.Add({to, Layout::kSlices, Element::kFloat32});
    dispatch.bindings = {
        {"dst", dst, Access::kWrite, to},
        {"src", bench.Add({from, Layout::kSlices, Element::kFloat32}, src), Access::kRead, from},
        {"table",
         bench.Add({{1, 1, 3, width}, Layout::kVector, Element::kFloat32}, table),
         Access::kRead,
         {1, 1, 3, width}}};
    dispatch.bindings.push_back(ConstantsIn(
        bench.Add({{1, 1, 3 + kColumns, width}, Layout::kVector, Element::kFloat16}, constants)));
    dispatch.views = {{"bias", 1}, {"scale", 3}};
    const int count = width / 2 + 1;
    const float strength = 37.5f;
    dispatch.uniforms = {{.name = "count", .i = count},
                         {.name = "strength", .is_float = true, .f = strength},
                         {.name = "unused", .i = 5}};
    dispatch.grid = {kColumns, 1, 1};
    dispatch.group = {8, 1, 1};
    ASSERT_NO_FATAL_FAILURE(bench.Run(dispatch));
    const std::vector<float> got = bench.Rows(dst);
    for (int x = 0; x < kColumns; ++x) {
      const float* v = &src[static_cast<size_t>(x) * 2 * width];
      const WordInputs in = {width,       x, count, strength, v, v + width, constants.data(),
                             table.data()};
      for (int word = 0; word < kWords; ++word) {
        for (int lane = 0; lane < width; ++lane) {
          const float want = WantedWord(in, word, lane);
          ASSERT_NEAR(At(got, to, 0, 0, x, word * width + lane), want,
                      2e-5f * std::max(1.0f, std::abs(want)))
              << "word " << word << ", column " << x << ", lane " << lane;
        }
      }
    }
  }
}

// ---- ids, local arrays, barriers

inline void CheckLocal(Device& device, int width, Int3 group) {
  const int items = group[0] * group[1] * group[2];
  const Box from = {5, 3, 6, width};
  const Box to = {5, 3, 6, 4 * width};
  KernelBench bench(device, width);
  const std::vector<float> src = Numbers(from, 6);
  Dispatch dispatch;
  dispatch.label = "local";
  dispatch.kernel = test_kernel::dialect_local;
  dispatch.defines = {{"GROUP_X", group[0]}, {"GROUP_Y", group[1]}, {"GROUP_Z", group[2]}};
  dispatch.locals = {{"slices", items, /*slices=*/true}, {"sums", items}};
  const TensorId dst = bench.Add({to, Layout::kSlices, Element::kFloat32});
  dispatch.bindings = {
      {"src", bench.Add({from, Layout::kSlices, Element::kFloat32}, src), Access::kRead, from},
      {"dst", dst, Access::kWrite, to}};
  dispatch.grid = {from.w, from.h, from.b};
  dispatch.group = group;
  ASSERT_NO_FATAL_FAILURE(bench.Run(dispatch));
  const std::vector<float> got = bench.Rows(dst);
  auto value = [&](const Int3& at, int lane) {
    const bool inside = at[0] < from.w && at[1] < from.h && at[2] < from.b;
    return inside ? At(src, from, at[2], at[1], at[0], lane) : 0.0f;
  };
  for (int z = 0; z < from.b; ++z) {
    for (int y = 0; y < from.h; ++y) {
      for (int x = 0; x < from.w; ++x) {
        const Int3 id = {x, y, z};
        Int3 local, first, mirror;
        for (int axis = 0; axis < 3; ++axis) {
          local[axis] = id[axis] % group[axis];
          first[axis] = id[axis] - local[axis];
          mirror[axis] = first[axis] + group[axis] - 1 - local[axis];
        }
        float sum = 0;
        for (int i = 0; i < items; ++i) {
          sum += value({first[0] + i % group[0], first[1] + i / group[0] % group[1],
                        first[2] + i / group[0] / group[1]},
                       0);
        }
        for (int lane = 0; lane < width; ++lane)
          ASSERT_EQ(At(got, to, z, y, x, lane), value(mirror, lane));
        for (int axis = 0; axis < 3; ++axis) {
          ASSERT_EQ(At(got, to, z, y, x, width + axis), static_cast<float>(id[axis]));
          ASSERT_EQ(At(got, to, z, y, x, 2 * width + axis), static_cast<float>(local[axis]));
          ASSERT_EQ(At(got, to, z, y, x, 3 * width + axis),
                    static_cast<float>(first[axis] / group[axis]));
        }
        ASSERT_EQ(At(got, to, z, y, x, width + 3), sum) << x << " " << y << " " << z;
      }
    }
  }
}

inline void RunLocalCases(Device& device) {
  for (const int width : SliceWidths(device)) {
    for (const Int3& group : {Int3{4, 2, 2}, Int3{8, 1, 1}, Int3{1, 1, 1}}) {
      SCOPED_TRACE(StrCat("W ", width, ", group ", group[0], " ", group[1], " ", group[2]));
      ASSERT_NO_FATAL_FAILURE(CheckLocal(device, width, group));
    }
  }
}

}  // namespace tern::gpu::conformance

#endif  // TERN_GPU_BACKENDS_CONFORMANCE_DIALECT_CASES_H_
