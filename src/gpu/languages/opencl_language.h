// SPDX-License-Identifier: Apache-2.0
// Kernels printed as OpenCL C 1.2. Halves live in memory only: no extension is needed, and
// cl_khr_fp16 loads whole slices of them where the device has it. Texels are those of an image of
// the whole memory.
#ifndef TERN_GPU_LANGUAGES_OPENCL_LANGUAGE_H_
#define TERN_GPU_LANGUAGES_OPENCL_LANGUAGE_H_

#include <string>
#include <vector>

#include "gpu/source/language.h"

namespace tern::gpu {

class OpenClLanguage : public Language {
 public:
  std::string Prelude(const Signature& signature) const override;
  std::string Declarations(const Signature& signature) const override;
  std::string EntryPoint(const Signature& signature) const override;
  bool has_global_names() const override { return false; }
  bool compares_nan() const override { return true; }
  std::vector<ContextParam> BufferContext(const BufferParam& buffer) const override;
  std::string FunctionQualifier() const override { return "static inline "; }
  std::string LoadSlice(const BufferParam& buffer, const std::string& index,
                        int slice_width) const override;
  std::string LoadSliceAfter(const BufferParam& buffer, const std::string& first,
                             const std::string& index, int slice_width) const override;
  std::string LoadSums(const BufferParam& buffer, const std::string& index,
                       int slice_width) const override;
  std::string LoadReal(const BufferParam& buffer, const std::string& index) const override;
  std::string StoreSlice(const BufferParam& buffer, const std::string& index,
                         const std::string& value, int slice_width) const override;
  std::string StoreReal(const BufferParam& buffer, const std::string& index,
                        const std::string& value) const override;
  std::string ReturnPart(const BufferParam& buffer, const SlicePart& part) const override;
  std::string StorePart(const BufferParam& buffer, const std::string& value,
                        const SlicePart& part) const override;
  std::string Lane(const std::string& slice, int i) const override;
  std::string MakeSlice(const std::vector<std::string>& lanes, Number number) const override;
  std::string PointerType(const BufferParam& buffer) const override;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_LANGUAGES_OPENCL_LANGUAGE_H_
