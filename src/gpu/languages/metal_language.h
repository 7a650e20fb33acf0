// SPDX-License-Identifier: Apache-2.0
// Kernels printed as Metal. For slices of 4 lanes the text is plain Metal; other widths print
// vec<float, W>, which only the host backend can spell.
#ifndef TERN_GPU_LANGUAGES_METAL_LANGUAGE_H_
#define TERN_GPU_LANGUAGES_METAL_LANGUAGE_H_

#include <string>
#include <vector>

#include "gpu/source/language.h"

namespace tern::gpu {

class MetalLanguage : public Language {
 public:
  std::string Prelude(const Signature& signature) const override;
  std::string Declarations(const Signature& signature) const override;
  std::string EntryPoint(const Signature& signature) const override;
  bool has_global_names() const override { return false; }
  std::vector<ContextParam> BufferContext(const BufferParam& buffer) const override;
  std::string FunctionQualifier() const override { return "static inline "; }
  std::string LoadSlice(const BufferParam& buffer, const std::string& index,
                        int slice_width) const override;
  std::string LoadSums(const BufferParam& buffer, const std::string& index,
                       int slice_width) const override;
  std::string LoadReal(const BufferParam& buffer, const std::string& index) const override;
  std::string StoreSlice(const BufferParam& buffer, const std::string& index,
                         const std::string& value, int slice_width) const override;
  std::string StoreReal(const BufferParam& buffer, const std::string& index,
                        const std::string& value) const override;
  std::string Lane(const std::string& slice, int i) const override;
  std::string MakeSlice(const std::vector<std::string>& lanes, Number number) const override;
  std::string PointerType(const BufferParam& buffer) const override;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_LANGUAGES_METAL_LANGUAGE_H_
