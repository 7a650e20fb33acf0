// SPDX-License-Identifier: Apache-2.0
// Each rule of the verifier: a good model, one change, the error.

#include "model/verify_model.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/testing/model_builder.h"

namespace tern {
namespace {

using testing::ModelBuilder;
using namespace tflite;  // NOLINT: the schema's names

std::string ErrorOf(ModelBuilder& b) {
  const std::vector<uint8_t> bytes = b.Finish();
  return std::string(Message(VerifyModelFile(bytes)));
}

// input -> CONV_2D -> output, with weights #1 and bias #2.
struct ConvModel {
  ModelBuilder b;
  Conv2DOptionsT options;
  ConvModel() {
    b.Input({1, 4, 4, 2}, TensorType_FLOAT32, "x");
    b.Const<float>({3, 1, 1, 2}, {1, 2, 3, 4, 5, 6});
    b.Const<float>({3}, {7, 8, 9});
    options.stride_w = options.stride_h = 1;
    b.Op(BuiltinOperator_CONV_2D, {0, 1, 2}, {b.Tensor({1, 4, 4, 3}, TensorType_FLOAT32, "y")},
         options);
    b.Output(3);
  }
  Conv2DOptionsT& conv() { return *b.op().builtin_options.AsConv2DOptions(); }
};

using Change = std::function<void(ConvModel&)>;

std::string ErrorAfter(const Change& change) {
  ConvModel m;
  change(m);
  return ErrorOf(m.b);
}

TEST(VerifyModelTest, GoodModelPasses) {
  EXPECT_EQ(ErrorAfter([](ConvModel&) {}), "");
}

// Each op checks its options and operands itself when it prepares.
TEST(VerifyModelTest, OptionsAndOperandCountsAreForTheOps) {
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.conv().stride_w = 0; }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.conv().padding = static_cast<Padding>(7); }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.op().builtin_options.Reset(); }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.op().builtin_options.Set(Pool2DOptionsT()); }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.op().inputs = {0}; }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.op().inputs = {0, -1, 2}; }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.op().outputs = {-1}; }), "");
}

TEST(VerifyModelTest, OpCodes) {
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.op().opcode_index = 5; }),
            "operator #0: Operator 5 does not exist in model op codes (1)");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.model().operator_codes[0]->builtin_code = static_cast<BuiltinOperator>(300);
            }),
            "Op builtin_code out of range: 300 (operator code #0). The model may need a newer "
            "runtime.");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.model().operator_codes[0]->builtin_code = BuiltinOperator_CUSTOM;
            }),
            "Operator with CUSTOM builtin_code has no custom_code (operator code #0).");
}

TEST(VerifyModelTest, GraphIndices) {
  for (const int bad : {-2, 4, 1 << 30, -2147483647}) {
    EXPECT_NE(ErrorAfter([=](ConvModel& m) { m.b.op().inputs[0] = bad; }), "");
    EXPECT_NE(ErrorAfter([=](ConvModel& m) { m.b.op().outputs[0] = bad; }), "");
    EXPECT_NE(ErrorAfter([=](ConvModel& m) { m.b.op().intermediates = {bad}; }), "");
    EXPECT_NE(ErrorAfter([=](ConvModel& m) { m.b.subgraph().inputs[0] = bad; }), "");
    EXPECT_NE(ErrorAfter([=](ConvModel& m) { m.b.subgraph().outputs[0] = bad; }), "");
  }
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.op().outputs[0] = 4; }),
            "CONV_2D #0: output 0 is out of range (4, 4)");
}

TEST(VerifyModelTest, AbsentInputsMayBeListed) {
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.subgraph().inputs = {-1, 0, -1}; }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.Signature("s", {{"x", 0}, {"n", -1}}, {{"y", 3}});
            }),
            "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.Signature("s", {{"x", 0}}, {{"y", -1}});
            }),
            "signature s: tensor y is out of range (4294967295, 4)");
}

TEST(VerifyModelTest, GraphOrder) {
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.op().outputs[0] = 1;
              m.b.subgraph().outputs = {1};
            }),
            "CONV_2D #0: writes constant tensor #1 (t1)");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.op().inputs[0] = 3; }),
            "CONV_2D #0: reads tensor #3 (y) before it is produced");
  // For Prepare to judge: a second write, one to a graph input or to a variable.
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.op().outputs[0] = 0; }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.Op(BuiltinOperator_NEG, {0}, {3}); }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.Op(BuiltinOperator_NEG, {0}, {m.b.Variable({1})}); }),
            "");
  // Legal: outputs that are constants or inputs or that nothing writes, the same output twice.
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.Output(m.b.Tensor({1}));
              for (const int t : {0, 1, 3}) m.b.Output(t);
            }),
            "");
}

TEST(VerifyModelTest, Shapes) {
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.tensor(1).shape = {3, 1, 1, 3};
            }),
            "tensor #1 (t1): requires 36 bytes, but is allocated with 24 bytes buffer");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.tensor(1).shape = {3, -1, 1, 2};
            }),
            "tensor #1 (t1): dimension 1 is negative (-1)");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.tensor(1).shape = {65536, 65536, 512};
            }),
            "tensor #1 (t1): too many elements (2199023255552, 1099511627776)");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.tensor(1).shape = {65536, 32768};
            }),
            "tensor #1 (t1): dimension overflow: requires 8589934592 bytes, but is allocated with "
            "24 bytes buffer");
  // Beside a size of 0 the others may be any.
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.tensor(1).shape = {65536, 32768, 0, INT32_MAX, INT32_MAX};
            }),
            "");
  // For the ops to judge: many elements, many dimensions.
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.tensor(3).shape = {65536, 65536}; }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.tensor(3).shape.assign(64, 1); }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.tensor(3).shape = {-2}; }),
            "tensor #3 (y): dimension 0 is negative (-2)");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.tensor(0).shape_signature = {-1, 4, 4, 2}; }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.tensor(0).shape_signature = {-1, 4, 5, 2}; }), "");
}

TEST(VerifyModelTest, Buffers) {
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.tensor(1).buffer = 9; }),
            "tensor #1 (t1): specifies out of range buffer 9 (only 3 buffers)");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.tensor(1).is_variable = true; }),
            "tensor #1 (t1): a variable cannot have constant data");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.tensor(1).type = static_cast<TensorType>(40); }),
            "tensor #1 (t1): unknown element type (40)");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.tensor(1).external_buffer = 1; }),
            "tensor #1 (t1): has data of its own and in external buffer 1");
  // Data outside the flatbuffer: the range is compared without overflow.
  for (const uint64_t offset : {uint64_t{1} << 20, ~uint64_t{0}, ~uint64_t{0} - 23}) {
    EXPECT_NE(ErrorAfter([=](ConvModel& m) {
                auto& buffer = *m.b.model().buffers[1];
                buffer.data.clear();
                buffer.offset = offset;
                buffer.size = 24;
              }),
              "");
  }
}

TEST(VerifyModelTest, ShortConstantsAreRefusedLongOnesTrimmed) {
  EXPECT_NE(ErrorAfter([](ConvModel& m) { m.b.model().buffers[1]->data.pop_back(); }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.model().buffers[1]->data.push_back(0); }), "");
}

TEST(VerifyModelTest, Quantization) {
  const auto error = [](std::vector<float> scales, std::vector<int64_t> zeros, int axis) {
    ModelBuilder b;
    b.QuantizePerChannel(b.Input({1, 3}, TensorType_INT8), scales, zeros, axis);
    return ErrorOf(b);
  };
  EXPECT_EQ(error({0.5f}, {3}, 0), "");
  EXPECT_EQ(error({0.5f, 1, 2}, {0, 0, 0}, 1), "");
  // For the ops that compute with them to judge.
  for (const float scale : {0.0f, -1.0f, std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_EQ(error({scale}, {0}, 0), "");
  }
  EXPECT_EQ(error({1}, {128}, 0), "");
  EXPECT_EQ(error({1, 2}, {0, 0}, 1), "tensor #0 (t0): quantization has 2 scales for 3 channels");
  EXPECT_EQ(error({1, 2, 3}, {0, 0, 0}, 2),
            "tensor #0 (t0): quantized dimension is out of range (2, 2)");
  EXPECT_EQ(error({1, 2, 3}, {0, 0, 0}, -1),
            "tensor #0 (t0): quantized dimension is out of range (-1, 2)");
  EXPECT_EQ(error({1}, {0, 0}, 0), "tensor #0 (t0): quantization has 1 scales and 2 zero points");
}

TEST(VerifyModelTest, BlockwiseQuantization) {
  const auto error = [](int scales, int zero_points, int block, int axis = 1) {
    ModelBuilder b;
    const int w = b.ConstBytes({2, 8}, TensorType_INT4, std::vector<uint8_t>(8));
    b.ConstHalf({2, 2}, {1, 1, 1, 1});
    b.Quantize(w, 1, 0);
    BlockwiseQuantizationT details;
    details.scales = scales;
    details.zero_points = zero_points;
    details.block_size = block;
    b.tensor(w).quantization->details.Set(details);
    b.tensor(w).quantization->quantized_dimension = axis;
    return ErrorOf(b);
  };
  EXPECT_EQ(error(1, -1, 4), "");
  // Exporters name axis 0, whose size has nothing to do with blocks.
  EXPECT_EQ(error(1, -1, 4, 0), "");
  EXPECT_NE(error(2, -1, 4), "");
  EXPECT_NE(error(1, 2, 4), "");
  EXPECT_NE(error(1, -1, 4, 2), "");
  EXPECT_NE(error(1, -1, 4, -1), "");
  EXPECT_EQ(error(1, -1, 0), "tensor #0 (t0): block size must be positive (0)");
  EXPECT_EQ(error(1, -1, -4), "tensor #0 (t0): block size must be positive (-4)");
}

TEST(VerifyModelTest, Strings) {
  const auto error = [](const std::function<void(std::vector<uint8_t>&)>& change) {
    ModelBuilder b;
    b.ConstStrings({3}, {"a", "", "bcd"});
    change(b.model().buffers[1]->data);
    return ErrorOf(b);
  };
  EXPECT_EQ(error([](auto&) {}), "");
  EXPECT_NE(error([](auto& d) { d.pop_back(); }), "");
  EXPECT_NE(error([](auto& d) { d.push_back(0); }), "");
  EXPECT_NE(error([](auto& d) { d.resize(3); }), "");
  EXPECT_NE(error([](auto& d) { d[0] = 4; }), "");
  EXPECT_NE(error([](auto& d) { d[3] = 0x80; }), "");
  EXPECT_NE(error([](auto& d) { d[12] = 1; }), "");     // goes backwards
  EXPECT_NE(error([](auto& d) { d[12] = 0x7F; }), "");  // beyond the end
}

TEST(VerifyModelTest, Signatures) {
  EXPECT_EQ(ErrorAfter([](ConvModel& m) { m.b.Signature("s", {{"x", 0}}, {{"y", 3}}); }), "");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.Signature("s", {{"x", 9}}, {});
            }),
            "signature s: tensor x is out of range (9, 4)");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.Signature("s", {{"x", 0}, {"x", 1}}, {});
            }),
            "signature s: name used twice (x)");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.Signature("s", {}, {});
              m.b.Signature("s", {}, {});
            }),
            "signature s: key used twice");
  EXPECT_EQ(ErrorAfter([](ConvModel& m) {
              m.b.Signature("s", {}, {});
              m.b.model().signature_defs[0]->subgraph_index = 1;
            }),
            "signature s: subgraph is out of range (1, 1)");
}

// Every word of one long text is the length of a text that begins there and ends where it ends, so
// a small file has thousands of long names.
TEST(VerifyModelTest, OverlappingNamesAreRefused) {
  constexpr uint32_t kWords = 16384;
  constexpr uint32_t kNames = 2000;
  std::string text(4 * kWords, '\0');
  for (uint32_t i = 0; i + 1 < kWords; ++i) {
    flatbuffers::WriteScalar(&text[4 * size_t{i}], 4 * (kWords - 1 - i) - 1);
  }
  ConvModel m;
  std::vector<std::pair<std::string, uint32_t>> inputs = {{text, 0}};
  for (uint32_t i = 1; i < kNames; ++i) inputs.emplace_back(std::to_string(i), 0);
  m.b.Signature("s", {inputs.begin(), inputs.end()}, {});
  std::vector<uint8_t> bytes = m.b.Finish();
  EXPECT_EQ(Message(VerifyModelFile(bytes)), "");
  const auto& maps = *GetModel(bytes.data())->signature_defs()->Get(0)->inputs();
  const uint8_t* first = maps.Get(0)->name()->Data();
  for (uint32_t i = 1; i < kNames; ++i) {
    const auto* map = reinterpret_cast<const flatbuffers::Table*>(maps.Get(i));
    auto* field = const_cast<uint8_t*>(map->GetAddressOf(TensorMap::VT_NAME));
    ASSERT_LT(field, first);
    flatbuffers::WriteScalar(field, static_cast<flatbuffers::uoffset_t>(first + 4 * i - field));
  }
  EXPECT_TRUE(VerifyContainer(bytes).ok());
  EXPECT_EQ(Message(VerifyModelFile(bytes)), "lists are far longer than the file");
}

TEST(VerifyModelTest, ContainerErrorsHaveTheirTexts) {
  EXPECT_EQ(Message(VerifyContainer({})),
            "Model provided must have at least 7 bytes to hold identifier.");
  std::vector<uint8_t> bytes = ConvModel().b.Finish();
  bytes[5] = 0;
  EXPECT_EQ(Message(VerifyContainer(bytes)),
            "Model provided has model identifier 'T?L3', should be 'TFL3'");
  bytes[5] = 'F';
  EXPECT_TRUE(VerifyContainer(bytes).ok());
  bytes[0] = 0xFC;
  bytes[1] = 0xFF;
  EXPECT_EQ(Message(VerifyContainer(bytes)),
            StrCat("The model is not a valid Flatbuffer buffer: the file is cut off or damaged (it "
                   "has ",
                   bytes.size(), " bytes, and refers to byte 65536)"));
}

}  // namespace
}  // namespace tern
