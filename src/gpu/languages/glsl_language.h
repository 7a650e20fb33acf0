// SPDX-License-Identifier: Apache-2.0
// Kernels printed as GLSL ES 3.10 compute shaders, without extensions but that of texel buffers.
// Slices are vec4 only. The GLSL of other APIs has other declarations.
#ifndef TERN_GPU_LANGUAGES_GLSL_LANGUAGE_H_
#define TERN_GPU_LANGUAGES_GLSL_LANGUAGE_H_

#include <string>
#include <vector>

#include "gpu/source/language.h"

namespace tern::gpu {

class GlslLanguage : public Language {
 public:
  std::string Prelude(const Signature& signature) const override;
  std::string Declarations(const Signature& signature) const override;
  std::string EntryPoint(const Signature& signature) const override;
  bool has_global_names() const override { return true; }
  std::vector<ContextParam> BufferContext(const BufferParam& buffer) const override;
  std::string FunctionQualifier() const override { return ""; }
  std::string LoadSlice(const BufferParam& buffer, const std::string& index,
                        int slice_width) const override;
  std::string LoadReal(const BufferParam& buffer, const std::string& index) const override;
  std::string StoreSlice(const BufferParam& buffer, const std::string& index,
                         const std::string& value, int slice_width) const override;
  std::string StoreReal(const BufferParam& buffer, const std::string& index,
                        const std::string& value) const override;
  std::string Lane(const std::string& slice, int i) const override;
  std::string MakeSlice(const std::vector<std::string>& lanes, Number number) const override;
  std::string PointerType(const BufferParam& buffer) const override;

 protected:
  // The version, and what it asks for.
  virtual std::string Head(const Signature& signature) const;
  // Of the memory at `place` among all, which is number `of_kind` of its kind.
  virtual int BindingNumber(int /*place*/, int of_kind) const { return of_kind; }
  // The type of a slice of halves in memory, and the words that load and store them.
  virtual std::string HalfSlice(const Signature& signature) const;
  virtual std::string HalfWords(const Signature& signature) const;
  virtual std::string GroupSize(const Int3& group) const;
  // Their declarations, under their names.
  virtual std::string Uniforms(const Signature& signature) const;
  // "float name;"
  static std::string Member(const Uniform& uniform);
};

}  // namespace tern::gpu

#endif  // TERN_GPU_LANGUAGES_GLSL_LANGUAGE_H_
