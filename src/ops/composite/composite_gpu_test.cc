// SPDX-License-Identifier: Apache-2.0
// Composites that the GPU knows by name: each gives what its decomposition gives, inlined, over
// shapes; what is not understood is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ops/testing/flex_options.h"
#include "ops/testing/gpu_refusal.h"
#include "ops/testing/graph_maker.h"

namespace tern::testing {
namespace {

// Adds the composite's nodes on its operands and returns what they make.
using Decomposition = std::function<int(GraphMaker&, const std::vector<int>&)>;
// Adds the operands.
using OperandsOf = std::function<std::vector<int>(GraphMaker&)>;

struct Composite {
  std::string name;
  std::vector<uint8_t> attributes;
  OperandsOf operands;
  Sizes output;
  Decomposition decomposition;
};

// With a step after it, which may become part of it.
ModelCase CaseOf(const Composite& c, bool inlined, const std::string& text) {
  GraphMaker m;
  const std::vector<int> operands = c.operands(m);
  if (inlined) {
    m.Output(m.LeakyRelu(c.decomposition(m, operands)));
    return m.Finish(text);
  }
  tflite::StableHLOCompositeOptionsT options;
  options.name = c.name;
  options.composite_attributes = c.attributes;
  options.decomposition_subgraph_index = 1;
  m.Output(m.LeakyRelu(
      m.Node(tflite::BuiltinOperator_STABLEHLO_COMPOSITE, operands, c.output, options)));
  std::vector<Sizes> shapes;
  for (const int operand : operands) shapes.push_back(m.ShapeOf(operand));
  m.AddSubgraph("decomposition");
  std::vector<int> arguments;
  for (const Sizes& shape : shapes) arguments.push_back(m.Input(shape));
  m.Output(c.decomposition(m, arguments));
  return m.Finish(text);
}

void Check(const Composite& c, const std::string& what, Engines engines = Engines::kInTurn) {
  const std::string text = StrCat(c.name, " ", what);
  CheckModelAgainst(CaseOf(c, false, text), CaseOf(c, true, text), engines);
}

// The case of these channels or keys runs on every engine.
Engines AllAt(int size, int chosen) { return size == chosen ? Engines::kAll : Engines::kInTurn; }

int Scalar(GraphMaker& m, float value) { return m.Const<float>({1}, {value}); }

int Reduce(GraphMaker& m, tflite::BuiltinOperator code, int x, const std::vector<int32_t>& axes) {
  Sizes shape = m.ShapeOf(x);
  for (const int32_t axis : axes) shape[axis] = 1;
  tflite::ReducerOptionsT options;
  options.keep_dims = true;
  return m.Node(code, {x, m.Ints(axes)}, shape, options);
}

int Subtract(GraphMaker& m, int a, int b) {
  return m.Node(tflite::BuiltinOperator_SUB, {a, b}, m.Broadcast(a, b), tflite::SubOptionsT());
}

// x over the root of what summed or averaged squares and an epsilon make.
int OverRoot(GraphMaker& m, tflite::BuiltinOperator fold, int x, const std::vector<int32_t>& axes,
             float epsilon) {
  const int squares = m.Sum(Reduce(m, fold, m.Product(x, x), axes), Scalar(m, epsilon));
  return m.Product(x, m.Node(tflite::BuiltinOperator_RSQRT, {squares}, m.ShapeOf(squares)));
}

int Scaled(GraphMaker& m, int x, const std::vector<int>& operands) {
  if (operands.size() > 1) x = m.Product(x, operands[1]);
  return operands.size() > 2 ? m.Sum(x, operands[2]) : x;
}

std::vector<uint8_t> Epsilon(float epsilon) {
  return FlexOptions([&](flexbuffers::Builder& b) { b.Float("epsilon", epsilon); });
}

// x, then gamma and beta as they are given.
OperandsOf Normalized(const Sizes& shape, Origin gamma, Origin beta) {
  return [=](GraphMaker& m) {
    std::vector<int> operands = {m.Input(shape)};
    for (const Origin where : {gamma, beta}) {
      if (where != Origin::kAbsent) operands.push_back(m.Operand({shape.back()}, where));
    }
    return operands;
  };
}

TEST(CompositeGpu, NormsOfRows) {
  for (const Sizes& shape : std::vector<Sizes>{
           {5}, {3, 1}, {2, 3, 17}, {2, 5, 4, 33}, {1, 70, 70, 3}, {2, 2, 3, 4, 6}, {7, 130}}) {
    const auto last = static_cast<int32_t>(shape.size()) - 1;
    const std::string text = StrCat("over ", shape.back(), " of ", GraphMaker::CountOf(shape));
    for (const Origin gamma : {Origin::kAbsent, Origin::kConstant, Origin::kRuntime}) {
      Check({"odml.rms_norm", Epsilon(1e-3f), Normalized(shape, gamma, Origin::kAbsent), shape,
             [last](GraphMaker& m, const std::vector<int>& x) {
               return Scaled(m, OverRoot(m, tflite::BuiltinOperator_MEAN, x[0], {last}, 1e-3f), x);
             }},
            text, AllAt(shape.back(), 17));
    }
    Check({"odml.l2_norm", FlexOptions([](flexbuffers::Builder& b) {
             b.Float("epsilon", 1e-6f);
             b.Int("axis", -1);
           }),
           Normalized(shape, Origin::kAbsent, Origin::kAbsent), shape,
           [last](GraphMaker& m, const std::vector<int>& x) {
             return OverRoot(m, tflite::BuiltinOperator_SUM, x[0], {last}, 1e-6f);
           }},
          text, AllAt(shape.back(), 17));
  }
}

// The attributes of a norm of groups; `sub_type` below 0 is the older form.
std::vector<uint8_t> GroupAttributes(int groups, int sub_type, int rank) {
  return FlexOptions([=](flexbuffers::Builder& b) {
    b.Float("epsilon", 1e-3f);
    b.Int("num_groups", groups);
    b.Int("channel_axis", rank - 1);
    if (sub_type >= 0) b.Int("sub_type", sub_type);
    if (sub_type > 0) return;
    b.Map("_TENSOR_V1_reduction_axes", [&] {
      b.Vector("TENSOR_DATA", [&] {
        for (int d = sub_type < 0 ? rank - 1 : 1; d < rank; ++d) b.Int(d);
      });
    });
  });
}

TEST(CompositeGpu, NormsOfGroups) {
  const std::vector<std::pair<Sizes, int>> cases = {
      {{3, 8}, 2},        {{2, 5, 12}, 3},    {{2, 3, 4, 6}, 2},  {{2, 3, 4, 6}, 6},
      {{2, 3, 4, 17}, 1}, {{1, 9, 7, 32}, 4}, {{3, 4, 5, 35}, 5}, {{1, 20, 20, 16}, 2}};
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto& [shape, groups] = cases[i];
    const auto rank = static_cast<int32_t>(shape.size());
    const auto body = [shape = shape, groups = groups](GraphMaker& m, const std::vector<int>& x) {
      Sizes apart = shape;
      apart.back() = groups;
      apart.push_back(shape.back() / groups);
      std::vector<int32_t> axes;
      for (int32_t d = 1; d < static_cast<int32_t>(apart.size()); ++d) {
        if (d != static_cast<int32_t>(apart.size()) - 2) axes.push_back(d);
      }
      const int y = m.Reshape(x[0], apart);
      const int centered = Subtract(m, y, Reduce(m, tflite::BuiltinOperator_MEAN, y, axes));
      const int norm = OverRoot(m, tflite::BuiltinOperator_MEAN, centered, axes, 1e-3f);
      return Scaled(m, m.Reshape(norm, shape), x);
    };
    for (const auto& [gamma, beta] :
         {std::pair(Origin::kAbsent, Origin::kAbsent), {Origin::kConstant, Origin::kConstant}}) {
      Check({"odml.group_norm", GroupAttributes(groups, i % 2 == 0 ? 0 : -1, rank),
             Normalized(shape, gamma, beta), shape, body},
            StrCat(groups, " groups of ", shape.back()), AllAt(shape.back(), 35));
    }
  }
}

TEST(CompositeGpu, NormsOfPixels) {
  for (const Sizes& shape : std::vector<Sizes>{{5}, {2, 3, 17}, {2, 5, 4, 33}, {7, 130}}) {
    const auto last = static_cast<int32_t>(shape.size()) - 1;
    const auto body = [last](GraphMaker& m, const std::vector<int>& x) {
      const int mean = Reduce(m, tflite::BuiltinOperator_MEAN, x[0], {last});
      return Scaled(
          m, OverRoot(m, tflite::BuiltinOperator_MEAN, Subtract(m, x[0], mean), {last}, 1e-3f), x);
    };
    const std::pair<Origin, Origin> scalings[] = {{Origin::kAbsent, Origin::kAbsent},
                                                  {Origin::kConstant, Origin::kConstant},
                                                  {Origin::kConstant, Origin::kRuntime},
                                                  {Origin::kRuntime, Origin::kConstant}};
    for (const auto& [gamma, beta] : scalings) {
      Check({"odml.group_norm", GroupAttributes(1, 1, last + 1), Normalized(shape, gamma, beta),
             shape, body},
            StrCat("of pixels of ", shape.back()), AllAt(shape.back(), 17));
      Check({"odml.group_norm", Epsilon(1e-3f), Normalized(shape, gamma, beta), shape, body},
            StrCat("of pixels of ", shape.back()));
    }
  }
}

struct AttentionCase {
  int batch, queries, keys, heads, key_heads, size, value_size;
  Sizes mask;       // empty: none
  float scale = 0;  // 0: as the size says
  float cap = 0;
};

int Transposed(GraphMaker& m, int x, const std::vector<int32_t>& order) {
  Sizes shape;
  for (const int32_t d : order) shape.push_back(m.ShapeOf(x)[d]);
  return m.Node(tflite::BuiltinOperator_TRANSPOSE, {x, m.Ints(order)}, shape);
}

// Heads before their pixels, each as often as it has queries.
int Heads(GraphMaker& m, int x, int share) {
  const int y = Transposed(m, x, {0, 2, 1, 3});
  const Sizes s = m.ShapeOf(y);
  if (share == 1) return y;
  const int ones = m.Const<float>({share, 1, 1}, std::vector<float>(share, 1));
  const int repeated = m.Product(m.Reshape(y, {s[0], s[1], 1, s[2], s[3]}), ones);
  return m.Reshape(repeated, {s[0], s[1] * share, s[2], s[3]});
}

int Multiply(GraphMaker& m, int a, int b, bool transposed) {
  Sizes shape = m.ShapeOf(a);
  shape.back() = m.ShapeOf(b)[transposed ? 2 : 3];
  tflite::BatchMatMulOptionsT options;
  options.adj_y = transposed;
  return m.Node(tflite::BuiltinOperator_BATCH_MATMUL, {a, b}, shape, options);
}

TEST(CompositeGpu, Attention) {
  const std::vector<AttentionCase> cases = {
      {1, 5, 5, 1, 1, 8, 8, {}},
      {1, 7, 9, 3, 3, 5, 5, {}, 0.3f},
      {2, 4, 6, 4, 2, 6, 6, {1, 1, 4, 6}},
      {2, 1, 33, 6, 1, 4, 7, {2, 1, 1, 33}, 0.7f},
      {2, 3, 5, 2, 2, 17, 3, {2, 2, 3, 5}, 0.2f},
      {1, 3, 10, 2, 1, 4, 4, {1, 1, 3, 10}, 1, 2},
      {1, 64, 40, 2, 2, 16, 16, {}},
  };
  for (const AttentionCase& c : cases) {
    const float scale = c.scale > 0 ? c.scale : 1 / std::sqrt(static_cast<float>(c.size));
    const auto operands = [&](GraphMaker& m) {
      std::vector<int> all = {m.Input({c.batch, c.queries, c.heads, c.size}),
                              m.Input({c.batch, c.keys, c.key_heads, c.size}),
                              m.Input({c.batch, c.keys, c.key_heads, c.value_size})};
      if (!c.mask.empty()) all.push_back(m.Input(c.mask));
      return all;
    };
    const auto body = [&](GraphMaker& m, const std::vector<int>& x) {
      const int share = c.heads / c.key_heads;
      int scores =
          m.Product(Multiply(m, Heads(m, x[0], 1), Heads(m, x[1], share), true), Scalar(m, scale));
      if (c.cap > 0) {
        const int inner = m.Product(scores, Scalar(m, 1 / c.cap));
        scores = m.Product(m.Node(tflite::BuiltinOperator_TANH, {inner}, m.ShapeOf(inner)),
                           Scalar(m, c.cap));
      }
      if (x.size() > 3) scores = m.Sum(scores, x[3]);
      const int y = Multiply(m, m.Softmax(scores), Heads(m, x[2], share), false);
      return Transposed(m, y, {0, 2, 1, 3});
    };
    const std::vector<uint8_t> attributes = FlexOptions([&](flexbuffers::Builder& b) {
      if (c.scale > 0) b.Float("scale", c.scale);
      if (c.cap > 0) b.Double("logit_cap", double{c.cap});
    });
    Check({"odml.scaled_dot_product_attention",
           attributes,
           operands,
           {c.batch, c.queries, c.heads, c.value_size},
           body},
          StrCat(c.queries, " queries, ", c.keys, " keys"), AllAt(c.keys, 10));
  }
}

using Fill = std::function<void(flexbuffers::Builder&)>;

// Why a composite of these operands stays on the CPU; empty when it does not.
std::string Refused(const char* name, const std::vector<std::vector<int>>& operands,
                    const std::vector<int>& output, const Fill& fill, int version = 1) {
  gpu::GraphBuilder b;
  std::vector<gpu::TensorId> inputs;
  for (const std::vector<int>& dims : operands) inputs.push_back(b.Input(dims));
  const std::vector<uint8_t> attributes = FlexOptions(fill);
  TfLiteStablehloCompositeParams params{};
  params.name = name;
  params.version = version;
  params.attributes = attributes.data();
  params.attributes_size = attributes.size();
  b.Op(kTfLiteBuiltinStablehloComposite, "COMPOSITE", inputs, output, params);
  const std::string reason = RefusalOf(b);
  const std::string label = "COMPOSITE #0: ";
  return reason.substr(0, label.size()) == label ? reason.substr(label.size()) : reason;
}

TEST(CompositeGpu, WhatIsNotUnderstoodIsRefused) {
  const std::vector<int> x = {2, 3, 8};
  const Fill none = [](flexbuffers::Builder&) {};
  const Fill epsilon = [](flexbuffers::Builder& b) { b.Float("epsilon", 1e-5f); };
  EXPECT_EQ(Refused("odml.rms_norm", {x}, x, epsilon), "");
  EXPECT_EQ(Refused("my.norm", {x}, x, epsilon), "composite 'my.norm' has no GPU form");
  EXPECT_EQ(Refused(nullptr, {x}, x, epsilon), "composite '' has no GPU form");
  EXPECT_EQ(Refused("odml.rms_norm", {x}, x, epsilon, 2),
            "odml.rms_norm has version 2 (at most 1)");
  EXPECT_EQ(Refused("odml.rms_norm", {x}, x, none), "attribute epsilon is missing");
  EXPECT_EQ(Refused("odml.rms_norm", {x, {8}, {8}}, x, epsilon),
            "odml.rms_norm has 3 operands and 1 outputs (2 and 1 at most)");
  EXPECT_EQ(Refused("odml.rms_norm", {x, {3, 8}}, x, epsilon),
            "operand 1 must have the shape [8] ([3, 8])");
  EXPECT_EQ(Refused("odml.rms_norm", {x}, {2, 3, 7}, epsilon),
            "the output's shape is [2, 3, 7], expected [2, 3, 8]");
  EXPECT_EQ(Refused("odml.rms_norm", {{}}, {}, epsilon), "a scalar has no axis");
  EXPECT_EQ(Refused("odml.rms_norm", {x}, x,
                    [](flexbuffers::Builder& b) {
                      b.Float("epsilon", 1);
                      b.Bool("centered", true);
                    }),
            "attribute centered is not understood");
  EXPECT_EQ(
      Refused("odml.rms_norm", {x}, x, [](flexbuffers::Builder& b) { b.String("epsilon", "1"); }),
      "attribute epsilon: it is no number");
  EXPECT_EQ(
      Refused("odml.rms_norm", {x}, x, [](flexbuffers::Builder& b) { b.Float("epsilon", -1); }),
      "epsilon must not be negative (-1)");
  EXPECT_EQ(Refused("odml.l2_norm", {x}, x,
                    [](flexbuffers::Builder& b) {
                      b.Float("epsilon", 1);
                      b.Int("axis", 1);
                    }),
            "axis must be the last of 3 axes (1)");
}

// A norm of groups of 8 channels with these attributes beside epsilon.
std::string RefusedGroups(const std::vector<int>& x, const Fill& fill) {
  return Refused("odml.group_norm", {x}, x, [&](flexbuffers::Builder& b) {
    b.Float("epsilon", 1e-5f);
    fill(b);
  });
}

TEST(CompositeGpu, GroupsThatAreNotUnderstoodAreRefused) {
  const auto groups = [](int count, int sub_type) {
    return [=](flexbuffers::Builder& b) {
      b.Int("num_groups", count);
      b.Int("sub_type", sub_type);
    };
  };
  const std::vector<int> x = {2, 3, 8};
  EXPECT_EQ(RefusedGroups(x, groups(2, 0)), "");
  EXPECT_EQ(RefusedGroups(x, groups(1, 1)), "");
  EXPECT_EQ(RefusedGroups(x, groups(2, 1)), "each pixel's channels in 2 groups");
  EXPECT_EQ(RefusedGroups(x, groups(2, 7)), "sub_type 7 is not understood");
  EXPECT_EQ(RefusedGroups(x, groups(3, 0)), "8 channels are no 3 groups");
  EXPECT_EQ(RefusedGroups(x, groups(0, 0)), "8 channels are no 0 groups");
  EXPECT_EQ(RefusedGroups({1, 1, 2, 3, 8}, groups(2, 0)),
            "groups need 2 to 4 axes and elements (shape [1, 1, 2, 3, 8])");
  EXPECT_EQ(RefusedGroups(x, [](flexbuffers::Builder& b) { b.Int("num_groups", 1); }),
            "neither sub_type nor reduction_axes say what is normalized");
  EXPECT_EQ(RefusedGroups(x,
                          [](flexbuffers::Builder& b) {
                            b.Int("num_groups", 1);
                            b.Int("channel_axis", 1);
                          }),
            "channel_axis must be the last of 3 axes (1)");
  EXPECT_EQ(RefusedGroups(x,
                          [](flexbuffers::Builder& b) {
                            b.Int("num_groups", 1);
                            b.Vector("reduction_axes", [&] { b.Int(1); });
                          }),
            "reduction_axes ([1]) are not understood (expected [2])");
}

TEST(CompositeGpu, AttentionThatDoesNotFitIsRefused) {
  const char* const name = "odml.scaled_dot_product_attention";
  const Fill none = [](flexbuffers::Builder&) {};
  const std::vector<int> q = {1, 4, 6, 8}, k = {1, 5, 2, 8};
  EXPECT_EQ(Refused(name, {q, k, k}, q, none), "");
  EXPECT_EQ(Refused(name, {q, k, k, {1, 1, 4, 5}}, q, none), "");
  EXPECT_EQ(Refused(name, {q, k}, q, none), "operand 2 is missing");
  EXPECT_EQ(Refused(name, {q, {5, 2, 8}, k}, q, none),
            "operand 1 must have rank 4 and elements (shape [5, 2, 8])");
  EXPECT_EQ(Refused(name, {q, {1, 0, 2, 8}, k}, q, none),
            "operand 1 must have rank 4 and elements (shape [1, 0, 2, 8])");
  EXPECT_EQ(Refused(name, {q, {1, 5, 4, 8}, {1, 5, 4, 8}}, q, none),
            "queries ([1, 4, 6, 8]), keys ([1, 5, 4, 8]) and values ([1, 5, 4, 8]) do not fit each "
            "other");
  EXPECT_EQ(Refused(name, {q, k, k}, {1, 6, 4, 8}, none),
            "the output's shape is [1, 6, 4, 8], expected [1, 4, 6, 8]");
  EXPECT_THAT(Refused(name, {q, k, k, {1, 1, 5, 4}}, q, none),
              ::testing::StartsWith("a mask of type FLOAT32 and shape [1, 1, 5, 4]"));
  EXPECT_EQ(Refused(name, {q, k, k}, q, [](flexbuffers::Builder& b) { b.Bool("is_causal", true); }),
            "attribute is_causal is not understood");
  EXPECT_EQ(Refused(name, {q, k, k}, q, [](flexbuffers::Builder& b) { b.Float("logit_cap", 0); }),
            "logit_cap must be positive (0)");
}

}  // namespace
}  // namespace tern::testing
