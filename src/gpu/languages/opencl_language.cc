// SPDX-License-Identifier: Apache-2.0
// Built-in functions of OpenCL C serve reals and slices under one name, so most words need no text.
// Words without functions of their own are macros: their parameters are used once.
#include "gpu/languages/opencl_language.h"

#include <algorithm>

#include "base/str_cat.h"

namespace tern::gpu {
namespace {

constexpr char kWords[] = R"(
#define to_real(I) ((real)(I))
#define to_int(R) ((int)(R))
#define splat(R) ((slice)(R))
#define abs(V) fabs(V)
#define round_even(V) rint(V)
#define imin(A, B) min((int)(A), (int)(B))
#define imax(A, B) max((int)(A), (int)(B))
#define iclamp(V, LOW, HIGH) min(max((int)(V), (int)(LOW)), (int)(HIGH))
#define bits(V, FIRST, COUNT) ((int)(((uint)(V) >> (FIRST)) & ((1u << (COUNT)) - 1u)))
#define real_bits(R) as_int((float)(R))
#define shift_left(V, COUNT) ((int)((uint)(V) << (COUNT)))
#define right_shifted(V, W) ((V) >> (W))
#define signed_high_product(V, W) mul_hi(V, W)
#define select_lt(A, B, X, Y) select(Y, X, (A) < (B))
#define select_le(A, B, X, Y) select(Y, X, (A) <= (B))
#define select_eq(A, B, X, Y) select(Y, X, (A) == (B))
#define isplat(I) ((islice)(I))
#define select_nan(V, X, Y) select_lt(isplat(2139095040), slice_bits(V) & isplat(2147483647), X, Y)
#define select_mask(X, Y, COUNT) select(Y, X, lane_numbers < (islice)(COUNT))
#define GLOBAL_ID_X ((int)get_global_id(0))
#define GLOBAL_ID_Y ((int)get_global_id(1))
#define GLOBAL_ID_Z ((int)get_global_id(2))
#define LOCAL_ID_X ((int)get_local_id(0))
#define LOCAL_ID_Y ((int)get_local_id(1))
#define LOCAL_ID_Z ((int)get_local_id(2))
#define GROUP_ID_X ((int)get_group_id(0))
#define GROUP_ID_Y ((int)get_group_id(1))
#define GROUP_ID_Z ((int)get_group_id(2))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
)";

char HexDigit(int i) { return "0123456789abcdef"[i]; }

std::string LaneNumbers(int width, const char* suffix) {
  std::string text;
  for (int i = 0; i < width; ++i) text += StrCat(i == 0 ? "" : ", ", i, suffix);
  return text;
}

// A function that halves the slice until one number is left. Pairs keep rounding errors small.
std::string Reduction(const char* name, const char* open, const char* middle, const char* close,
                      int width) {
  std::string text = StrCat("static inline real ", name, "(slice v) {\n");
  std::string value = "v";
  for (int half = width / 2; half > 1; half /= 2) {
    text += StrCat("  float", half, " v", half, " = ", open, value, ".lo", middle, value, ".hi",
                   close, ";\n");
    value = StrCat("v", half);
  }
  return StrCat(text, "  return ", open, value, ".x", middle, value, ".y", close, ";\n}\n");
}

const char* ScalarType(Element element) { return RowOf(element).scalar; }

bool IsTexels(const BufferParam& buffer) { return buffer.texels; }
// Texels of halves are read as floats, those of bytes as ints.
bool IsHalf(const BufferParam& buffer) {
  return buffer.element == Element::kFloat16 && !IsTexels(buffer);
}
bool IsByte(const BufferParam& buffer) { return buffer.element == Element::kByte; }
bool IsNibble(const BufferParam& buffer) { return buffer.element == Element::kNibble; }

// Slices from bytes with two lanes each.
std::string FromNibbles(int width) {
  const std::string bytes = StrCat("uchar", width / 2), reals = StrCat("convert_float", width / 2);
  return StrCat("static inline slice from_nibbles(", bytes, " v) {\n  slice lanes;\n",
                "  lanes.even = ", reals, "(v & (", bytes, ")(15));\n", "  lanes.odd = ", reals,
                "(v >> (", bytes, ")(4));\n  return lanes;\n}\n");
}

// Slices of halves in memory. Some compilers make a load for each lane of vload_half.
std::string Halves(bool vectors, int width) {
  if (!vectors) {
    return StrCat("#define LOAD_HALVES(I, M) vload_half", width, "(I, M)\n",
                  "#define STORE_HALVES(V, I, M) vstore_half", width, "_rte(V, I, M)\n");
  }
  return StrCat("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n",
                "#define LOAD_HALVES(I, M) convert_float", width, "(((__global const half", width,
                "*)(M))[I])\n#define STORE_HALVES(V, I, M) (((__global half", width,
                "*)(M))[I] = convert_half", width, "_rte(V))\n");
}

constexpr char kTexelWords[] = R"(static inline float texel_lane(float4 v, int i) {
  return (i & 2) == 0 ? ((i & 1) == 0 ? v.x : v.y) : ((i & 1) == 0 ? v.z : v.w);
}
static inline int texel_ilane(int4 v, int i) {
  return (i & 2) == 0 ? ((i & 1) == 0 ? v.x : v.y) : ((i & 1) == 0 ? v.z : v.w);
}
)";

// The texel at `index`. The image has the whole memory, of which the range begins at texel "first".
std::string Texel(const BufferParam& buffer, const std::string& index) {
  const char* word = IsByte(buffer)                             ? "read_imageui"
                     : NumberOf(buffer.element) == Number::kInt ? "read_imagei"
                                                                : "read_imagef";
  const std::string texel =
      StrCat(word, "(", buffer.name, "_data, ", buffer.name, "_first + ", index, ")");
  return IsByte(buffer) ? StrCat("convert_float4(", texel, ")") : texel;
}

// A slice of a buffer, "data" or "data + 2". Halves stay halves.
std::string LoadFrom(const BufferParam& buffer, int slice_width, const std::string& first,
                     const std::string& index) {
  const int items = IsNibble(buffer) ? slice_width / 2 : slice_width;
  const std::string loaded =
      StrCat("((__global const ", ScalarType(buffer.element), items, "*)", first, ")[", index, "]");
  if (IsNibble(buffer)) return StrCat("from_nibbles(", loaded, ")");
  return IsByte(buffer) ? StrCat("convert_float", slice_width, "(", loaded, ")") : loaded;
}

std::string Memory(const BufferParam& buffer) { return buffer.name + "_data"; }

// `count` numbers from element `first` on, a power of two of them.
std::string LoadLanes(const BufferParam& buffer, const std::string& first, int count) {
  if (count == 1 && !IsHalf(buffer)) return StrCat(Memory(buffer), "[", first, "]");
  return StrCat(IsHalf(buffer) ? "vload_half" : "vload", count == 1 ? "" : StrCat(count), "(0, ",
                Memory(buffer), " + ", first, ")");
}

// Lanes of `value` from lane `lane` on to element `first` and on.
std::string StoreLanes(const BufferParam& buffer, const std::string& first,
                       const std::string& value, int lane, int count) {
  std::string lanes = StrCat("(", value, ").s");
  for (int i = lane; i < lane + count; ++i) lanes += HexDigit(i);
  const std::string target = StrCat(Memory(buffer), " + ", first);
  if (IsHalf(buffer)) {
    return StrCat("vstore_half", count == 1 ? "" : StrCat(count), "_rte(", lanes, ", 0, ", target,
                  ");");
  }
  if (count == 1) return StrCat(Memory(buffer), "[", first, "] = ", lanes, ";");
  return StrCat("vstore", count, "(", lanes, ", 0, ", target, ");");
}

}  // namespace

std::string OpenClLanguage::Prelude(const Signature& signature) const {
  const int width = signature.slice_width;
  std::string text;
  const bool ints = signature.int_sums, halves = signature.half_sums;
  text += StrCat("typedef float real;\ntypedef float", width, " slice;\n");
  // Macros, which end with a text: others that are built with it have sums of floats.
  text += ints     ? StrCat("#define acc int\n#define acc_slice int", width, "\n")
          : halves ? StrCat("#define acc half\n#define acc_slice half", width, "\n")
                   : StrCat("typedef float acc;\ntypedef float", width, " acc_slice;\n");
  text += StrCat("typedef int", width, " islice;\n");
  text += kWords + 1;
  const std::string to_float = StrCat("convert_float", width);
  text += StrCat("#define to_slice(V) ", ints || halves ? to_float : "", "(V)\n");
  text += StrCat("#define to_acc(V) ",
                 ints     ? StrCat("convert_int", width)
                 : halves ? StrCat("convert_half", width)
                          : "",
                 "(V)\n");
  text += "#define acc_splat(R) ((acc_slice)((acc)(R)))\n";
  text += StrCat("#define total_slice ", halves ? "slice" : "acc_slice", "\n");
  text += StrCat("#define to_total(V) ", halves ? to_float : "", "(V)\n");
  text += StrCat("#define to_islice(V) convert_int", width, "_sat_rtz(V)\n");
  text += StrCat("#define whole_islice(V) convert_int", width, "(V)\n");
  text += StrCat("#define from_islice(V) convert_float", width, "(V)\n");
  text += StrCat("#define slice_bits(V) as_int", width, "(V)\n");
  text += StrCat("#define slice_of_bits(V) as_float", width, "(V)\n");
  text += StrCat("#define select_below(A, B, X, Y) select(Y, X, as_uint", width, "(A) < as_uint",
                 width, "(B))\n");
  text += StrCat("#define high_product(A, B) as_int", width, "(mul_hi(as_uint", width,
                 "(A), as_uint", width, "(B)))\n");
  text += StrCat("#define left_shifted(V, W) as_int", width, "(as_uint", width, "(V) << as_uint",
                 width, "(W))\n");
  text += signature.fma && !ints ? "#define mad(A, B, C) fma(A, B, C)\n"
                                 : "#define mad(A, B, C) ((A) * (B) + (C))\n";
  text += StrCat("#define lane_numbers ((islice)(", LaneNumbers(width, ""), "))\n");
  text += StrCat("#define lane_ids() ((slice)(", LaneNumbers(width, ".0f"), "))\n");
  for (int i = 0; i < width; ++i) text += StrCat("#define LANE_", i, " s", HexDigit(i), "\n");
  // Two steps, so that a name in the place of I is replaced before it is glued.
  text +=
      "#define LANE_OF(V, I) ((V).LANE_##I)\n"
      "#define lane(V, I) LANE_OF(V, I)\n"
      "#define set_lane(V, I, R) (LANE_OF(V, I) = (R))\n";
  text += Reduction("sum_lanes", "", " + ", "", width);
  text += Reduction("max_lanes", "max(", ", ", ")", width);
  if (signature.uses_half) text += Halves(signature.half_vectors, width);
  const std::vector<BufferParam>& buffers = signature.buffers;
  if (std::any_of(buffers.begin(), buffers.end(), IsNibble)) text += FromNibbles(width);
  if (std::any_of(buffers.begin(), buffers.end(), IsTexels)) text += kTexelWords;
  return text;
}

std::string OpenClLanguage::Declarations(const Signature&) const { return ""; }

std::string OpenClLanguage::EntryPoint(const Signature& signature) const {
  std::string params;
  auto add = [&](const std::string& param) {
    params += StrCat(params.empty() ? "" : ",", "\n    ", param);
  };
  // An offset and not a sub-buffer: NVIDIA's driver crashes when sub-buffers that overlap are
  // released, and tensors of an arena do overlap.
  for (const BufferParam& buffer : signature.buffers) {
    if (IsTexels(buffer)) {
      for (const ContextParam& param : BufferContext(buffer)) add(param.type + " " + param.name);
      continue;
    }
    // Memory that a kernel only reads does not change during a launch.
    add(StrCat(PointerType(buffer), buffer.written ? " " : " restrict ", buffer.name, "_memory"));
    add(StrCat("const ulong ", buffer.name, "_offset"));
  }
  for (const Uniform& uniform : signature.uniforms)
    add(StrCat("const ", uniform.is_float ? "float " : "int ", uniform.name));
  std::string text = StrCat("__kernel void tern_main(", params, ") {\n");
  for (const BufferParam& buffer : signature.buffers) {
    if (IsTexels(buffer)) continue;
    const std::string type = PointerType(buffer);
    text += StrCat("  ", type, " const ", Memory(buffer), " = (", type, ")((__global ",
                   buffer.written ? "" : "const ", "uchar*)", buffer.name, "_memory + ",
                   buffer.name, "_offset);\n");
  }
  for (const LocalArray& array : signature.locals) {
    text += StrCat("  __local ", TypeWord(array), " ", array.name, "[", array.length, "];\n");
  }
  return text;
}

std::vector<ContextParam> OpenClLanguage::BufferContext(const BufferParam& buffer) const {
  if (!IsTexels(buffer)) return {{PointerType(buffer), Memory(buffer)}};
  return {{"__read_only image1d_buffer_t", Memory(buffer)}, {"int", buffer.name + "_first"}};
}

std::string OpenClLanguage::LoadSlice(const BufferParam& buffer, const std::string& index,
                                      int slice_width) const {
  if (IsTexels(buffer)) return Texel(buffer, index);
  if (IsHalf(buffer)) return StrCat("LOAD_HALVES(", index, ", ", Memory(buffer), ")");
  return LoadFrom(buffer, slice_width, Memory(buffer), index);
}

std::string OpenClLanguage::LoadSliceAfter(const BufferParam& buffer, const std::string& first,
                                           const std::string& index, int slice_width) const {
  if (IsTexels(buffer)) return Texel(buffer, first + " + " + index);
  if (IsHalf(buffer)) {
    return StrCat("LOAD_HALVES(", index, ", ", Memory(buffer), " + ", first, " * ", slice_width,
                  ")");
  }
  // The cast binds tighter than the sum.
  return LoadFrom(buffer, slice_width, StrCat(Memory(buffer), " + ", first), index);
}

std::string OpenClLanguage::LoadSums(const BufferParam& buffer, const std::string& index,
                                     int slice_width) const {
  // Mesa's compiler for Adreno (25.0) ends in a fault where read_imageh meets a select.
  if (IsTexels(buffer)) return StrCat("to_acc(", Texel(buffer, index), ")");
  return LoadFrom(buffer, slice_width, Memory(buffer), index);
}

std::string OpenClLanguage::LoadReal(const BufferParam& buffer, const std::string& index) const {
  if (IsTexels(buffer)) {
    const char* word = NumberOf(buffer.element) == Number::kInt ? "texel_ilane(" : "texel_lane(";
    return StrCat(word, Texel(buffer, StrCat("((", index, ") >> 2)")), ", ", index, ")");
  }
  if (IsHalf(buffer)) return StrCat("vload_half(", index, ", ", Memory(buffer), ")");
  if (IsByte(buffer)) return StrCat("((float)", Memory(buffer), "[", index, "])");
  return StrCat(Memory(buffer), "[", index, "]");
}

std::string OpenClLanguage::StoreSlice(const BufferParam& buffer, const std::string& index,
                                       const std::string& value, int slice_width) const {
  if (IsHalf(buffer))
    return StrCat("STORE_HALVES(", value, ", ", index, ", ", Memory(buffer), ");");
  return StrCat(
      "((__global ", ScalarType(buffer.element), slice_width, "*)", Memory(buffer), ")[", index,
      "] = ", IsByte(buffer) ? StrCat("convert_uchar", slice_width, "_sat(", value, ")") : value,
      ";");
}

std::string OpenClLanguage::StoreReal(const BufferParam& buffer, const std::string& index,
                                      const std::string& value) const {
  if (IsHalf(buffer))
    return StrCat("vstore_half_rte(", value, ", ", index, ", ", Memory(buffer), ");");
  return StrCat(Memory(buffer), "[", index, "] = ", value, ";");
}

// Powers of two at once: a driver's compiler takes its time for 15 stores of each of the slices
// that a work-item writes.
std::string OpenClLanguage::ReturnPart(const BufferParam& buffer, const SlicePart& part) const {
  if (part.known == 0) return Language::ReturnPart(buffer, part);
  std::vector<std::string> lanes;
  int at = 0;
  for (int count = part.slice_width / 2; count > 0; count /= 2) {
    if ((part.known & count) == 0) continue;
    lanes.push_back(LoadLanes(buffer, StrCat("first + ", at), count));
    at += count;
  }
  lanes.insert(lanes.end(), part.slice_width - at, WordsOf(part.number).zero);
  return StrCat("  return ", MakeSlice(lanes, part.number), ";\n");
}

std::string OpenClLanguage::StorePart(const BufferParam& buffer, const std::string& value,
                                      const SlicePart& part) const {
  if (part.known == 0) return Language::StorePart(buffer, value, part);
  std::string text;
  int at = 0;
  for (int count = part.slice_width / 2; count > 0; count /= 2) {
    if ((part.known & count) == 0) continue;
    text += StrCat("  ", StoreLanes(buffer, StrCat("first + ", at), value, at, count), "\n");
    at += count;
  }
  return text;
}

std::string OpenClLanguage::Lane(const std::string& slice, int i) const {
  return StrCat("(", slice, ").s", HexDigit(i));
}

std::string OpenClLanguage::MakeSlice(const std::vector<std::string>& lanes, Number number) const {
  std::string text;
  for (const std::string& lane : lanes) text += StrCat(text.empty() ? "" : ", ", lane);
  return StrCat("((", WordsOf(number).slice, ")(", text, "))");
}

std::string OpenClLanguage::PointerType(const BufferParam& buffer) const {
  if (IsTexels(buffer)) return "";
  return StrCat("__global ", buffer.written ? "" : "const ", ScalarType(buffer.element), "*");
}

}  // namespace tern::gpu
