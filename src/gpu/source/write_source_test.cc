// SPDX-License-Identifier: Apache-2.0
// Printed text against golden files, what it may depend on, and refusals. TERN_UPDATE_GOLDEN=1
// writes the golden files again.
#include "gpu/source/write_source.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/str_cat.h"
#include "gpu/desc/test_kernel_id.h"
#include "gpu/languages/glsl_language.h"
#include "gpu/languages/metal_language.h"
#include "gpu/languages/opencl_language.h"

namespace tern::gpu {
namespace {

struct Job {
  Plan plan;
  Dispatch dispatch;
  DeviceInfo device;

  TensorId Add(const TensorDesc& desc) {
    PlanTensor tensor;
    tensor.desc = desc;
    plan.tensors.push_back(tensor);
    return static_cast<TensorId>(plan.tensors.size()) - 1;
  }
  // As the operand of an epilogue op.
  int Bind(const TensorDesc& desc) { return BindEpilogueOperand(Add(desc), desc.box, dispatch); }
  absl::StatusOr<Source> Write() const {
    return WriteSource(plan, dispatch, device, MetalLanguage());
  }
  std::string Text() const {
    const absl::StatusOr<Source> source = Write();
    return source.ok() ? source->text : std::string(source.status().message());
  }
};

Job Copy(const Box& box, Layout from, Layout to, Element element) {
  Job job;
  job.dispatch.label = "COPY #3";
  job.dispatch.kernel = test_kernel::dialect_chain;
  job.dispatch.bindings = {{"src", job.Add({box, from, element}), Access::kRead, box},
                           {"dst", job.Add({box, to, element}), Access::kWrite, box}};
  job.dispatch.group = {8, 4, 1};
  return job;
}

Job Chained() {
  const Box box = {1, 6, 5, 10};
  Job job = Copy(box, Layout::kRows, Layout::kSlices, Element::kFloat32);
  const Box bias = {1, 1, 1, 10};
  const Box gain = {1, 6, 5, 1};
  job.dispatch.epilogue = {
      {.expression = "v + w", .operand = job.Bind({bias, Layout::kSlices, Element::kFloat16})},
      {.expression = "v / (w + splat(a))",
       .a = 1.0f,
       .operand = job.Bind({gain, Layout::kRows, Element::kFloat32}),
       .swapped = true},
      {.expression = "min(max(v, splat(0.0)), splat(6.0))"}};
  return job;
}

Job Lanes(bool from_memory) {
  const Box box = {1, 4, 4, 8};
  const Box wide = {1, 4, 36, 8};
  Job job;
  job.plan.tuning.lanes_from_memory = from_memory;
  job.dispatch.kernel = test_kernel::dialect_copy;
  job.dispatch.defines = {{"LANES", 4}};
  job.dispatch.bindings = {
      {"src", job.Add({box, Layout::kSlices, Element::kFloat16}), Access::kRead, box},
      {"dst", job.Add({wide, Layout::kRows, Element::kFloat32}), Access::kReadWrite, wide}};
  job.dispatch.bindings.push_back(
      ConstantsIn(job.Add({{1, 1, 1, 4}, Layout::kVector, Element::kFloat16})));
  job.dispatch.group = {8, 4, 1};
  return job;
}

Job LaneLoop(Layout from) {
  Job job = Copy({1, 4, 4, 9}, from, Layout::kSlices, Element::kFloat32);
  job.plan.tuning.lanes_from_memory = true;
  job.dispatch.kernel = test_kernel::dialect_lanes;
  job.dispatch.defines = {{"LANE_LOOP", 1}};
  return job;
}

void CheckGolden(const std::string& name, const Job& job) {
  const std::string path = StrCat("tests/golden/", name, ".txt");
  const absl::StatusOr<Source> source = job.Write();
  ASSERT_TRUE(source.ok()) << source.status();
  std::string text = StrCat(source->text, "\n// uniforms:");
  for (size_t i = 0; i < source->uniform_words.size(); ++i) {
    text += StrCat(" ", source->signature.uniforms[i].name, "=", source->uniform_words[i]);
  }
  text += "\n// buffers:";
  for (const TensorId id : source->buffers) text += StrCat(" ", id);
  text += "\n";
  if (std::getenv("TERN_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file.good()) << path << " is missing (run from the root of the sources)";
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str()) << path << "; TERN_UPDATE_GOLDEN=1 accepts the change";
}

TEST(WriteSource, Golden) {
  CheckGolden("metal_chain", Chained());
  CheckGolden("metal_lanes_memory", Lanes(true));
  CheckGolden("metal_lanes_registers", Lanes(false));
  CheckGolden("metal_lane_loop_rows", LaneLoop(Layout::kRows));
  CheckGolden("metal_lane_loop_slices", LaneLoop(Layout::kSlices));
}

TEST(WriteSource, TextIgnoresSizesNamesAndValues) {
  const Job one = Chained();
  Job other = Chained();
  other.dispatch.label = "OTHER #99";
  other.dispatch.epilogue[1].a = 7.0f;
  other.dispatch.grid = {100, 100, 100};
  auto grow = [](Box& box) {
    if (box.h != 1) box.h = 31;
    if (box.w != 1) box.w = 17;
    if (box.c != 1) box.c = 22;
  };
  for (PlanTensor& tensor : other.plan.tensors) grow(tensor.desc.box);
  for (Binding& binding : other.dispatch.bindings) grow(binding.box);
  EXPECT_EQ(one.Text(), other.Text());
  EXPECT_NE(one.Write()->uniform_words, other.Write()->uniform_words);
}

TEST(WriteSource, SlicesOfHalvesAreVectorsWhereTheDeviceHasThem) {
  Job job = Copy({1, 4, 4, 8}, Layout::kSlices, Layout::kSlices, Element::kFloat16);
  for (const bool vectors : {false, true}) {
    job.device.half_types = vectors;
    const auto source = WriteSource(job.plan, job.dispatch, job.device, OpenClLanguage());
    ASSERT_TRUE(source.ok()) << source.status();
    EXPECT_EQ(source->text.find("vload_half4(") != std::string::npos, !vectors);
    EXPECT_EQ(source->text.find("const half4*") != std::string::npos, vectors);
  }
}

// Texel buffers and storage buffers have bindings of their own, and nobody unpacks halves.
TEST(WriteSource, TexelsAreFetched) {
  const Box box = {1, 4, 4, 8};
  Job job = Copy(box, Layout::kSlices, Layout::kSlices, Element::kFloat32);
  job.plan.tensors[0].desc.element = Element::kFloat16;
  const int operand = job.Bind({{1, 1, 1, 1}, Layout::kSlices, Element::kFloat16});
  job.dispatch.epilogue = {{.expression = "v + w", .operand = operand}};
  const auto text = [&](const Language& language = GlslLanguage()) {
    const auto source = WriteSource(job.plan, job.dispatch, job.device, language);
    return source.ok() ? source->text : std::string(source.status().message());
  };
  EXPECT_EQ(text().find("texture_buffer"), std::string::npos);
  EXPECT_NE(text().find("from_halves(src_data["), std::string::npos);
  for (Binding& binding : job.dispatch.bindings) binding.texels = binding.access == Access::kRead;
  for (const char* line :
       {"_EXT_texture_buffer : enable\n", "_OES_texture_buffer : enable\n",
        "layout(binding = 0) uniform highp samplerBuffer src_data;  // f16\n",
        "layout(std430, binding = 0) buffer dst_memory { vec4 dst_data[]; };\n",
        "layout(binding = 1) uniform highp samplerBuffer op0_data;  // f16\n",
        "  return texelFetch(src_data, ((n * src_slices + s) * src_height + y) * src_width + x);\n",
        "  return texelFetch(op0_data, ("}) {
    EXPECT_NE(text().find(line), std::string::npos) << line << text();
  }
  EXPECT_EQ(text().find("half"), std::string::npos);
  for (const char* line :
       {"\n    __read_only image1d_buffer_t src_data,\n    int src_first,",
        "  return read_imagef(src_data, src_first + ((n * src_slices + s) * src_height + y) * "
        "src_width + x);\n",
        "  return texel_lane(read_imagef(op0_data, op0_first + (("}) {
    EXPECT_NE(text(OpenClLanguage()).find(line), std::string::npos) << line;
  }
  job.dispatch.bindings[1].texels = true;
  EXPECT_EQ(text(), "COPY #3: dialect_chain.kernel: dst is no tensor of texels");
}

TEST(WriteSource, SumsOfHalvesAreTheTypeOfTheLanguage) {
  Job job = Copy({1, 4, 4, 8}, Layout::kSlices, Layout::kSlices, Element::kFloat16);
  const auto text = [&](const Language& language) {
    return WriteSource(job.plan, job.dispatch, job.device, language)->text;
  };
  const OpenClLanguage opencl;
  const MetalLanguage metal;
  const GlslLanguage glsl;
  for (const bool halves : {false, true}) {
    job.dispatch.half_sums = halves;
    const auto has = [&](const Language& language, const char* words) {
      return text(language).find(words) != std::string::npos;
    };
    EXPECT_EQ(has(opencl, "#define acc_slice half4\n"), halves);
    EXPECT_EQ(has(metal, "typedef half acc;\n"), halves);
    EXPECT_EQ(has(glsl, "#define acc_slice mediump vec4\n"), halves);
  }
}

TEST(WriteSource, TextFollowsForm) {
  const Box whole = {1, 4, 4, 8};
  const Box ragged = {1, 4, 4, 9};
  const std::string text = Copy(whole, Layout::kSlices, Layout::kSlices, Element::kFloat32).Text();
  EXPECT_EQ(text, Copy(ragged, Layout::kSlices, Layout::kSlices, Element::kFloat32).Text());
  EXPECT_NE(text, Copy(ragged, Layout::kSlices, Layout::kRows, Element::kFloat32).Text());
  EXPECT_NE(text, Copy(whole, Layout::kRows, Layout::kSlices, Element::kFloat32).Text());
  EXPECT_NE(text, Copy(whole, Layout::kSlices, Layout::kSlices, Element::kFloat16).Text());
}

TEST(WriteSource, SignatureHasWhatTheTextUses) {
  const absl::StatusOr<Source> source = Chained().Write();
  ASSERT_TRUE(source.ok()) << source.status();
  std::vector<std::string> names;
  for (const Uniform& uniform : source->signature.uniforms) names.push_back(uniform.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "src_width", "src_height", "src_channels", "dst_width", "dst_height",
                       "dst_slices", "dst_batch", "dst_channels", "op0_width", "op0_height",
                       "op0_slices", "op1_width", "op1_height", "op1_channels", "step1_a"}));
  EXPECT_EQ(source->buffers, (std::vector<TensorId>{0, 1, 2, 3}));
  EXPECT_TRUE(source->signature.uses_half);
  EXPECT_FALSE(source->has_barrier);
  EXPECT_EQ(source->uniform_words.back(), 0x3F800000u);
}

TEST(WriteSource, SaysWhatIsWrong) {
  const Box box = {1, 2, 2, 4};
  const Job good = Copy(box, Layout::kSlices, Layout::kSlices, Element::kFloat32);
  const std::string at = "COPY #3: dialect_chain.kernel: ";
  Job job = good;
  job.dispatch.bindings[0].name = "other";
  EXPECT_EQ(job.Text(), at + "src_read: no tensor is bound as src");
  job = good;
  job.dispatch.bindings[1].access = Access::kRead;
  EXPECT_EQ(job.Text(), at + "no tensor is written");
  job = good;
  job.dispatch.bindings[0].access = Access::kWrite;
  EXPECT_EQ(job.Text(), at + "src_read: src is only written");
  job = good;
  job.dispatch.bindings[1].tensor = 9;
  EXPECT_EQ(job.Text(), at + "dst names no tensor");
  job = good;
  job.dispatch.bindings[1].name = "src";
  EXPECT_EQ(job.Text(), at + "the name src is bound twice");
  job = good;
  job.dispatch.kernel = test_kernel::dialect_copy;
  job.dispatch.defines = {{"LANES", 4}};
  job.dispatch.bindings[1].access = Access::kReadWrite;
  job.plan.tensors[0].desc.layout = Layout::kVector;
  EXPECT_EQ(job.Text(), "COPY #3: dialect_copy.kernel: src_read_zero: src is a vector");
  job = good;
  job.dispatch.epilogue = {{.expression = "v + w"}};
  EXPECT_EQ(job.Text(), at + "fused step 'v + w' has no operand for w");
  job = good;
  job.dispatch.epilogue = {
      {.expression = "v + w", .operand = BindEpilogueOperand(0, {1, 2, 3, 4}, job.dispatch)}};
  EXPECT_EQ(job.Text(), at + "fused operand 1x2x3x4 does not broadcast to 1x2x2x4");
  job = good;
  job.dispatch.views = {{"bias", 1}};
  EXPECT_EQ(job.Text(), at + "bias has no constants behind it");
  job = good;
  job.dispatch.kernel = test_kernel::dialect_copy;
  EXPECT_EQ(job.Text(), "COPY #3: dialect_copy.kernel:26: unknown name 'LANES'");
  job = good;
  const int tests = static_cast<int>(test_kernel::dialect_words);  // the last there is
  for (int none : {-1, static_cast<int>(KernelId::kCount), tests + 1}) {
    job.dispatch.kernel = static_cast<KernelId>(none);
    EXPECT_EQ(job.Text(), "COPY #3: no such kernel") << none;
  }
}

// Functions that see buffers and uniforms by name need no parameters and no macros.
class GlobalNames : public MetalLanguage {
 public:
  bool has_global_names() const override { return true; }
};

TEST(WriteSource, GlobalNamesNeedNoContext) {
  const Job job = Chained();
  const absl::StatusOr<Source> source =
      WriteSource(job.plan, job.dispatch, job.device, GlobalNames());
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_NE(source->text.find("slice src_read(int x, int y, int s, int n) {"), std::string::npos);
  EXPECT_EQ(source->text.find("#define src_read"), std::string::npos);
}

}  // namespace
}  // namespace tern::gpu
