// SPDX-License-Identifier: Apache-2.0
// A buffer is an array of whole slices: vec4 for floats, uvec2 for halves, two of them in each
// word. Single numbers are taken from and put into slices by the words LOAD_ and STORE_ below,
// which are macros because a buffer cannot be handed to a function. Floats and ints that are only
// used one by one are an array of them: whole slices would reach beyond the end of such a buffer.
#include "gpu/languages/glsl_language.h"

#include <algorithm>

#include "base/str_cat.h"

namespace tern::gpu {
namespace {

// Drivers make tanh from exp, which overflows; beyond 15 it is 1 in floats. A macro stands over the
// built-in name, since the language forbids another function of that name.
constexpr char kWords[] = R"(#define real float
#define slice vec4
#define to_real(I) float(I)
#define to_int(R) int(R)
#define splat(R) vec4(R)
#define lane(V, I) ((V)[I])
#define set_lane(V, I, R) V[I] = (R)
#define lane_ids() vec4(0.0, 1.0, 2.0, 3.0)
#define mad(A, B, C) ((A) * (B) + (C))
#define rsqrt(V) inversesqrt(V)
#define round_even(V) roundEven(V)
#define imin(A, B) min(A, B)
#define imax(A, B) max(A, B)
#define iclamp(V, LOW, HIGH) min(max(V, LOW), HIGH)
#define bits(V, FIRST, COUNT) int((uint(V) >> uint(FIRST)) & ((1u << uint(COUNT)) - 1u))
#define real_bits(R) floatBitsToInt(R)
#define shift_left(V, COUNT) int(uint(V) << uint(COUNT))
#define left_shifted(V, W) ivec4(uvec4(V) << uvec4(W))
#define right_shifted(V, W) ((V) >> (W))
#define select_lt(A, B, X, Y) mix(Y, X, lessThan(A, B))
#define select_le(A, B, X, Y) mix(Y, X, lessThanEqual(A, B))
#define select_eq(A, B, X, Y) mix(Y, X, equal(A, B))
#define slice_bits(V) floatBitsToInt(V)
#define slice_of_bits(V) intBitsToFloat(V)
#define select_below(A, B, X, Y) mix(Y, X, lessThan(uvec4(A), uvec4(B)))
#define islice ivec4
#define isplat(I) ivec4(I)
#define to_islice(V) ivec4(V)
#define whole_islice(V) ivec4(V)
#define from_islice(V) vec4(V)
#define select_nan(V, X, Y) select_lt(isplat(2139095040), slice_bits(V) & isplat(2147483647), X, Y)
#define select_mask(X, Y, COUNT) mix(Y, X, lessThan(ivec4(0, 1, 2, 3), ivec4(COUNT)))
ivec4 high_product(ivec4 v, ivec4 w) {
  uvec4 above, below;
  umulExtended(uvec4(v), uvec4(w), above, below);
  return ivec4(above);
}
ivec4 signed_high_product(ivec4 v, ivec4 w) {
  ivec4 above, below;
  imulExtended(v, w, above, below);
  return above;
}
float sum_lanes(vec4 v) { return (v.x + v.y) + (v.z + v.w); }
float max_lanes(vec4 v) { return max(max(v.x, v.y), max(v.z, v.w)); }
vec4 safe_tanh(vec4 v) { return select_nan(v, v, tanh(clamp(v, -15.0, 15.0))); }
float safe_tanh(float v) { return safe_tanh(vec4(v)).x; }
#define tanh(V) safe_tanh(V)
#define GLOBAL_ID_X int(gl_GlobalInvocationID.x)
#define GLOBAL_ID_Y int(gl_GlobalInvocationID.y)
#define GLOBAL_ID_Z int(gl_GlobalInvocationID.z)
#define LOCAL_ID_X int(gl_LocalInvocationID.x)
#define LOCAL_ID_Y int(gl_LocalInvocationID.y)
#define LOCAL_ID_Z int(gl_LocalInvocationID.z)
#define GROUP_ID_X int(gl_WorkGroupID.x)
#define GROUP_ID_Y int(gl_WorkGroupID.y)
#define GROUP_ID_Z int(gl_WorkGroupID.z)
#define BARRIER memoryBarrierShared(); barrier()
#define REAL_AT(M, I) M[(I) >> 2][(I) & 3]
)";

// Two work-items may write the two halves of a word at the same time: each changes its own half
// only, in steps that the other cannot break.
constexpr char kRealSums[] = R"(#define acc float
#define acc_slice vec4
#define acc_splat(R) vec4(R)
#define total_slice vec4
#define to_slice(V) (V)
#define to_acc(V) (V)
#define to_total(V) (V)
)";
constexpr char kIntSums[] = R"(#define acc int
#define acc_slice ivec4
#define acc_splat(R) ivec4(R)
#define total_slice ivec4
#define to_slice(V) vec4(V)
#define to_acc(V) ivec4(V)
#define to_total(V) (V)
)";
// Drivers of GPUs with halves take them for numbers of medium precision, others floats.
constexpr char kHalfSums[] = R"(#define acc mediump float
#define acc_slice mediump vec4
#define acc_splat(R) vec4(R)
#define total_slice vec4
#define to_slice(V) (V)
#define to_acc(V) (V)
#define to_total(V) (V)
)";

constexpr char kHalfWords[] = R"(vec4 from_halves(uvec2 v) {
  return vec4(unpackHalf2x16(v.x), unpackHalf2x16(v.y));
}
uvec2 to_halves(vec4 v) { return uvec2(packHalf2x16(v.xy), packHalf2x16(v.zw)); }
float one_half(uvec2 v, int i) {
  vec2 pair = unpackHalf2x16((i & 2) == 0 ? v.x : v.y);
  return (i & 1) == 0 ? pair.x : pair.y;
}
#define LOAD_HALF(M, I) one_half(M[(I) >> 2], I)
#define STORE_HALF_IN(WORD, KEEP, BITS) { atomicAnd(WORD, KEEP); atomicOr(WORD, BITS); }
#define STORE_HALF(M, I, V) { \
  int half_at = I; \
  uint half_shift = uint(half_at & 1) * 16u; \
  uint half_bits = packHalf2x16(vec2(V, 0.0)) << half_shift; \
  uint half_keep = 0xFFFF0000u >> half_shift; \
  if ((half_at & 2) == 0) STORE_HALF_IN(M[half_at >> 2].x, half_keep, half_bits) \
  else STORE_HALF_IN(M[half_at >> 2].y, half_keep, half_bits) }
)";

constexpr char kByteWords[] = R"(vec4 from_bytes(uint v) {
  return vec4((uvec4(v) >> uvec4(0u, 8u, 16u, 24u)) & 255u);
}
uint to_bytes(vec4 v) {
  uvec4 b = uvec4(v) << uvec4(0u, 8u, 16u, 24u);
  return b.x | b.y | b.z | b.w;
}
// Two slices lie in a word.
vec4 from_nibbles(uint v, int i) {
  return vec4((uvec4(v >> (uint(i & 1) * 16u)) >> uvec4(0u, 4u, 8u, 12u)) & 15u);
}
#define LOAD_BYTE(M, I) float((M[(I) >> 2] >> (uint((I) & 3) * 8u)) & 255u)
)";

// A driver has one of them or both, and warns of the other.
constexpr char kTexelExtensions[] =
    "#extension GL_EXT_texture_buffer : enable\n#extension GL_OES_texture_buffer : enable\n";

bool IsTexels(const BufferParam& buffer) { return buffer.texels; }
// Texels of halves are fetched as floats, those of bytes as ints.
bool IsHalf(const BufferParam& buffer) {
  return buffer.element == Element::kFloat16 && !IsTexels(buffer);
}
bool IsByte(const BufferParam& buffer) { return buffer.element == Element::kByte; }
bool IsNibble(const BufferParam& buffer) { return buffer.element == Element::kNibble; }
bool IsPackedBuffer(const BufferParam& buffer) {
  return IsPacked(buffer.element) && !IsTexels(buffer);
}

bool IsSingles(const BufferParam& buffer) { return buffer.single && !IsHalf(buffer); }

const char* ItemType(const BufferParam& buffer) {
  const ElementRow& row = RowOf(buffer.element);
  return buffer.single ? row.glsl_single : row.glsl_slice;
}

std::string Memory(const BufferParam& buffer) { return buffer.name + "_data"; }

}  // namespace

std::string GlslLanguage::GroupSize(const Int3& group) const {
  return StrCat("layout(local_size_x = ", group[0], ", local_size_y = ", group[1],
                ", local_size_z = ", group[2], ") in;\n");
}

std::string GlslLanguage::Head(const Signature& signature) const {
  const std::vector<BufferParam>& buffers = signature.buffers;
  const bool texels = std::any_of(buffers.begin(), buffers.end(), IsTexels);
  return StrCat("#version 310 es\n", texels ? kTexelExtensions : "",
                "precision highp float;\nprecision highp int;\n");
}

std::string GlslLanguage::HalfSlice(const Signature& /*signature*/) const {
  return RowOf(Element::kFloat16).glsl_slice;
}

std::string GlslLanguage::HalfWords(const Signature& /*signature*/) const { return kHalfWords; }

std::string GlslLanguage::Prelude(const Signature& signature) const {
  const char* sums = signature.int_sums ? kIntSums : signature.half_sums ? kHalfSums : kRealSums;
  std::string text = StrCat(Head(signature), kWords, sums);
  const std::vector<BufferParam>& buffers = signature.buffers;
  if (std::any_of(buffers.begin(), buffers.end(), IsHalf)) text += HalfWords(signature);
  if (std::any_of(buffers.begin(), buffers.end(), IsPackedBuffer)) text += kByteWords;
  return text;
}

std::string GlslLanguage::Declarations(const Signature& signature) const {
  std::string text = GroupSize(signature.group);
  int storage = 0, texels = 0;
  for (size_t i = 0; i < signature.buffers.size(); ++i) {
    const BufferParam& buffer = signature.buffers[i];
    const int number = BindingNumber(static_cast<int>(i), IsTexels(buffer) ? texels++ : storage++);
    if (IsTexels(buffer)) {
      // A program for each format: llvmpipe (Mesa 22.3.6) makes code for the format of the first
      // launch, and keeps it for further ones of the program if nothing else runs between them.
      const ElementRow& row = RowOf(buffer.element);
      const bool halves = signature.half_sums && buffer.element == Element::kFloat16;
      text += StrCat("layout(binding = ", number, ") uniform ", halves ? "mediump " : "highp ",
                     row.glsl_texels, " ", Memory(buffer), ";  // ", row.name, "\n");
      continue;
    }
    text += StrCat("layout(std430, binding = ", number, buffer.written ? ") " : ") readonly ",
                   "buffer ", buffer.name, "_memory { ",
                   IsHalf(buffer) ? HalfSlice(signature) : ItemType(buffer), " ", Memory(buffer),
                   "[]; };\n");
  }
  text += Uniforms(signature);
  for (const LocalArray& array : signature.locals) {
    text += StrCat("shared ", TypeWord(array), " ", array.name, "[", array.length, "];\n");
  }
  return text;
}

std::string GlslLanguage::Uniforms(const Signature& signature) const {
  std::string text;
  for (const Uniform& uniform : signature.uniforms)
    text += StrCat("uniform ", Member(uniform), "\n");
  return text;
}

std::string GlslLanguage::Member(const Uniform& uniform) {
  return StrCat(uniform.is_float ? "float " : "int ", uniform.name, ";");
}

std::string GlslLanguage::EntryPoint(const Signature&) const { return "void main() {\n"; }

std::vector<ContextParam> GlslLanguage::BufferContext(const BufferParam& buffer) const {
  return {{"", Memory(buffer)}};
}

std::string GlslLanguage::LoadSlice(const BufferParam& buffer, const std::string& index,
                                    int) const {
  if (IsTexels(buffer)) {
    const std::string texel = StrCat("texelFetch(", Memory(buffer), ", ", index, ")");
    return IsByte(buffer) ? StrCat("vec4(", texel, ")") : texel;
  }
  if (IsNibble(buffer))
    return StrCat("from_nibbles(", Memory(buffer), "[(", index, ") >> 1], ", index, ")");
  const std::string element = StrCat(Memory(buffer), "[", index, "]");
  if (IsByte(buffer)) return StrCat("from_bytes(", element, ")");
  return IsHalf(buffer) ? StrCat("from_halves(", element, ")") : element;
}

std::string GlslLanguage::LoadReal(const BufferParam& buffer, const std::string& index) const {
  if (IsTexels(buffer)) {
    const std::string number =
        StrCat("texelFetch(", Memory(buffer), ", (", index, ") >> 2)[(", index, ") & 3]");
    return IsByte(buffer) ? StrCat("float(", number, ")") : number;
  }
  if (IsSingles(buffer)) return StrCat(Memory(buffer), "[", index, "]");
  const char* word = IsByte(buffer) ? "LOAD_BYTE(" : IsHalf(buffer) ? "LOAD_HALF(" : "REAL_AT(";
  return StrCat(word, Memory(buffer), ", ", index, ")");
}

std::string GlslLanguage::StoreSlice(const BufferParam& buffer, const std::string& index,
                                     const std::string& value, int) const {
  const char* word = IsByte(buffer) ? "to_bytes" : IsHalf(buffer) ? "to_halves" : nullptr;
  return StrCat(Memory(buffer), "[", index,
                "] = ", word != nullptr ? StrCat(word, "(", value, ")") : value, ";");
}

std::string GlslLanguage::StoreReal(const BufferParam& buffer, const std::string& index,
                                    const std::string& value) const {
  if (IsSingles(buffer)) return StrCat(Memory(buffer), "[", index, "] = ", value, ";");
  if (IsHalf(buffer)) return StrCat("STORE_HALF(", Memory(buffer), ", ", index, ", ", value, ")");
  return StrCat("REAL_AT(", Memory(buffer), ", ", index, ") = ", value, ";");
}

std::string GlslLanguage::Lane(const std::string& slice, int i) const {
  return StrCat("(", slice, ")[", i, "]");
}

std::string GlslLanguage::MakeSlice(const std::vector<std::string>& lanes, Number number) const {
  std::string text;
  for (const std::string& lane : lanes) text += StrCat(text.empty() ? "" : ", ", lane);
  return StrCat(WordsOf(number).slice, "(", text, ")");
}

std::string GlslLanguage::PointerType(const BufferParam&) const { return ""; }

}  // namespace tern::gpu
