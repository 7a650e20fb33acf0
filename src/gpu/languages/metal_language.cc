// SPDX-License-Identifier: Apache-2.0
// Buffers are parameters of the entry point, uniforms one struct that is unpacked into constants at
// the top of the body, so that the body sees all of them as plain names.
#include "gpu/languages/metal_language.h"

#include <algorithm>

#include "base/str_cat.h"

namespace tern::gpu {
namespace {

std::string VectorType(const char* scalar, int width) {
  return width == 4 ? StrCat(scalar, 4) : StrCat("vec<", scalar, ", ", width, ">");
}

const char* ScalarType(Element element) { return RowOf(element).scalar; }

// "(v[0] + v[1]) + (v[2] + v[3])": pairs, so that rounding errors stay small for wide slices.
std::string Tree(const std::string& open, const std::string& middle, const std::string& close,
                 int first, int count) {
  if (count == 1) return StrCat("v[", first, "]");
  const int half = count / 2;
  return StrCat(open, Tree(open, middle, close, first, half), middle,
                Tree(open, middle, close, first + half, count - half), close);
}

constexpr char kScalarWords[] = R"(
#define lane(V, I) ((V)[I])
#define set_lane(V, I, R) ((V)[I] = (R))
#define acc_splat(R) acc_slice(acc(R))
static inline slice to_slice(acc_slice v) { return slice(v); }
static inline total_slice to_total(acc_slice v) { return total_slice(v); }
static inline acc_slice to_acc(slice v) { return acc_slice(v); }
static inline real to_real(int i) { return real(i); }
static inline int to_int(real r) { return int(r); }
static inline slice splat(real r) { return slice(r); }
#define round_even(V) rint(V)
static inline int imin(int a, int b) { return a < b ? a : b; }
static inline int imax(int a, int b) { return a > b ? a : b; }
static inline int iclamp(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }
static inline int bits(int v, int first, int count) { return int((uint(v) >> uint(first)) & ((1u << uint(count)) - 1u)); }
static inline int real_bits(real r) { return as_type<int>(r); }
static inline islice slice_bits(slice v) { return as_type<islice>(v); }
static inline slice slice_of_bits(islice v) { return as_type<slice>(v); }
static inline int shift_left(int v, int count) { return int(uint(v) << uint(count)); }
static inline islice isplat(int i) { return islice(i); }
static inline islice to_islice(slice v) { return islice(v); }
static inline islice whole_islice(slice v) { return islice(v); }
static inline slice from_islice(islice v) { return slice(v); }
#define select_lt(A, B, X, Y) select(Y, X, (A) < (B))
#define select_le(A, B, X, Y) select(Y, X, (A) <= (B))
#define select_eq(A, B, X, Y) select(Y, X, (A) == (B))
#define select_nan(V, X, Y) \
  select_lt(isplat(2139095040), slice_bits(V) & isplat(2147483647), X, Y)
#define select_below(A, B, X, Y) \
  select(Y, X, as_type<unsigned_slice>(A) < as_type<unsigned_slice>(B))
static inline islice high_product(islice v, islice w) {
  return as_type<islice>(mulhi(as_type<unsigned_slice>(v), as_type<unsigned_slice>(w)));
}
static inline islice signed_high_product(islice v, islice w) { return mulhi(v, w); }
static inline islice left_shifted(islice v, islice w) {
  return as_type<islice>(as_type<unsigned_slice>(v) << as_type<unsigned_slice>(w));
}
static inline islice right_shifted(islice v, islice w) { return v >> w; }
#define GLOBAL_ID_X int(global_id.x)
#define GLOBAL_ID_Y int(global_id.y)
#define GLOBAL_ID_Z int(global_id.z)
#define LOCAL_ID_X int(local_id.x)
#define LOCAL_ID_Y int(local_id.y)
#define LOCAL_ID_Z int(local_id.z)
#define GROUP_ID_X int(group_id.x)
#define GROUP_ID_Y int(group_id.y)
#define GROUP_ID_Z int(group_id.z)
#define BARRIER threadgroup_barrier(mem_flags::mem_threadgroup)
)";

// Slices from bytes with two lanes each.
std::string FromNibbles(int width) {
  return StrCat(
      "static inline slice from_nibbles(device const uchar* bytes) {\n  slice v;\n  for (int i = "
      "0; i < ",
      width / 2,
      "; ++i) {\n    v[2 * i] = real(bytes[i] & 15);\n    v[2 * i + 1] = real(bytes[i] >> 4);\n  "
      "}\n"
      "  return v;\n}\n");
}

}  // namespace

std::string MetalLanguage::Prelude(const Signature& signature) const {
  const int width = signature.slice_width;
  std::string text = "#include <metal_stdlib>\nusing namespace metal;\n";
  const bool halves = signature.half_sums;
  const char* sum = signature.int_sums ? "int" : halves ? "half" : "float";
  text += StrCat("typedef float real;\ntypedef ", sum, " acc;\n");
  text += StrCat("typedef ", VectorType("float", width), " slice;\ntypedef ",
                 VectorType(sum, width), " acc_slice;\n");
  text += StrCat("typedef ", halves ? "slice" : "acc_slice", " total_slice;\n");
  text += StrCat("typedef ", VectorType("int", width), " islice;\n");
  text += StrCat("typedef ", VectorType("uint", width), " unsigned_slice;\n");
  text += kScalarWords + 1;
  const char* product = signature.fma ? "fma(a, b, c)" : "a * b + c";
  std::vector<const char*> types = {"real", "slice"};
  if (halves) types.push_back("acc_slice");
  for (const char* type : types) {
    text += StrCat("static inline ", type, " mad(", type, " a, ", type, " b, ", type,
                   " c) { return ", product, "; }\n");
  }
  if (halves) {
    text +=
        "static inline slice to_slice(slice v) { return v; }\n"
        "static inline acc_slice to_acc(acc_slice v) { return v; }\n";
  }
  if (signature.int_sums)
    text += "static inline islice mad(islice a, islice b, islice c) { return a * b + c; }\n";
  std::vector<std::string> ids;
  ids.reserve(static_cast<size_t>(width));
  for (int i = 0; i < width; ++i) ids.push_back(StrCat(i, ".0f"));
  text +=
      StrCat("static inline slice lane_ids() { return ", MakeSlice(ids, Number::kReal), "; }\n");
  text += "#define select_mask(X, Y, COUNT) select(Y, X, lane_ids() < slice(float(COUNT)))\n";
  text += StrCat("static inline real sum_lanes(slice v) { return ", Tree("(", " + ", ")", 0, width),
                 "; }\n");
  text += StrCat("static inline real max_lanes(slice v) { return ",
                 Tree("max(", ", ", ")", 0, width), "; }\n");
  const std::vector<BufferParam>& buffers = signature.buffers;
  const bool nibbles = std::any_of(buffers.begin(), buffers.end(), [](const BufferParam& buffer) {
    return buffer.element == Element::kNibble;
  });
  return nibbles ? text + FromNibbles(width) : text;
}

std::string MetalLanguage::Declarations(const Signature&) const { return ""; }

std::string MetalLanguage::EntryPoint(const Signature& signature) const {
  std::string fields, unpacked, params;
  for (const Uniform& uniform : signature.uniforms) {
    const char* type = uniform.is_float ? "float" : "int";
    fields += StrCat("  ", type, " ", uniform.name, ";\n");
    unpacked += StrCat("  const ", type, " ", uniform.name, " = uniforms.", uniform.name, ";\n");
  }
  int slot = 0;
  for (const BufferParam& buffer : signature.buffers) {
    params +=
        StrCat("    ", PointerType(buffer), " ", buffer.name, "_data [[buffer(", slot++, ")]],\n");
  }
  std::string text;
  if (!fields.empty()) {
    text += StrCat("struct Uniforms {\n", fields, "};\n");
    params += StrCat("    constant Uniforms& uniforms [[buffer(", slot, ")]],\n");
  }
  text += StrCat("kernel void tern_main(\n", params,
                 "    uint3 global_id [[thread_position_in_grid]],\n"
                 "    uint3 local_id [[thread_position_in_threadgroup]],\n"
                 "    uint3 group_id [[threadgroup_position_in_grid]]) {\n",
                 unpacked);
  for (const LocalArray& array : signature.locals) {
    text += StrCat("  threadgroup ", TypeWord(array), " ", array.name, "[", array.length, "];\n");
  }
  return text;
}

std::vector<ContextParam> MetalLanguage::BufferContext(const BufferParam& buffer) const {
  return {{PointerType(buffer), buffer.name + "_data"}};
}

std::string MetalLanguage::LoadSlice(const BufferParam& buffer, const std::string& index,
                                     int slice_width) const {
  if (buffer.element == Element::kNibble) {
    return StrCat("from_nibbles(", buffer.name, "_data + (", index, ") * ", slice_width / 2, ")");
  }
  return StrCat(WordsOf(NumberOf(buffer.element)).slice, "(((device const ",
                VectorType(ScalarType(buffer.element), slice_width), "*)", buffer.name, "_data)[",
                index, "])");
}

std::string MetalLanguage::LoadSums(const BufferParam& buffer, const std::string& index,
                                    int slice_width) const {
  return StrCat("acc_slice(((device const ", VectorType(ScalarType(buffer.element), slice_width),
                "*)", buffer.name, "_data)[", index, "])");
}

std::string MetalLanguage::LoadReal(const BufferParam& buffer, const std::string& index) const {
  return StrCat(WordsOf(NumberOf(buffer.element)).number, "(", buffer.name, "_data[", index, "])");
}

std::string MetalLanguage::StoreSlice(const BufferParam& buffer, const std::string& index,
                                      const std::string& value, int slice_width) const {
  const std::string type = VectorType(ScalarType(buffer.element), slice_width);
  return StrCat("((device ", type, "*)", buffer.name, "_data)[", index, "] = ", type, "(", value,
                ");");
}

std::string MetalLanguage::StoreReal(const BufferParam& buffer, const std::string& index,
                                     const std::string& value) const {
  return StrCat(buffer.name, "_data[", index, "] = ", ScalarType(buffer.element), "(", value, ");");
}

std::string MetalLanguage::Lane(const std::string& slice, int i) const {
  return StrCat(slice, "[", i, "]");
}

std::string MetalLanguage::MakeSlice(const std::vector<std::string>& lanes, Number number) const {
  std::string text;
  for (const std::string& lane : lanes) text += StrCat(text.empty() ? "" : ", ", lane);
  return StrCat(WordsOf(number).slice, "(", text, ")");
}

std::string MetalLanguage::PointerType(const BufferParam& buffer) const {
  return StrCat("device ", buffer.written ? "" : "const ", ScalarType(buffer.element), "*");
}

}  // namespace tern::gpu
