// SPDX-License-Identifier: Apache-2.0
// Operations of two operands, SELECT and CAST on the GPU engines against the plain CPU kernels:
// every type that the GPU takes, broadcasting, at the edge of a graph and between other nodes.
// PairNumbers are multiples of 1/4, exact in halves.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/tensor/half.h"
#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using namespace tflite;  // NOLINT: the schema's names
using Bytes = std::vector<uint8_t>;

struct Pair {
  BuiltinOperator op;
  TensorType type, out;
  bool divides = false;  // the second operand holds no 0
  double tolerance = 0;  // relative, in floats
  double half_tolerance = 0;
};

constexpr TensorType kReal = TensorType_FLOAT32, kInt = TensorType_INT32, kBool = TensorType_BOOL,
                     kLong = TensorType_INT64, kHalf = TensorType_FLOAT16;

Bytes PairNumbers(TensorType type, const Sizes& shape, Random& random, bool nonzero) {
  const int64_t count = GraphMaker::CountOf(shape);
  std::vector<float> reals;
  std::vector<int32_t> ints;
  std::vector<int64_t> longs;
  std::vector<uint16_t> halves;
  Bytes bools;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t n = random.Integer(-9, 9);
    const int64_t v = nonzero && n == 0 ? 3 : n;
    reals.push_back(static_cast<float>(v) / 4);
    ints.push_back(static_cast<int32_t>(v));
    longs.push_back(v * (int64_t{1} << 30) + v);
    halves.push_back(FloatToHalf(reals.back()));
    bools.push_back(n > 0 ? 1 : 0);
  }
  if (type == kLong) return BytesOf(longs);
  if (type == kHalf) return BytesOf(halves);
  return type == kReal ? BytesOf(reals) : type == kInt ? BytesOf(ints) : bools;
}

// The same values as a tensor of its own: its reader cannot fuse with the producer.
int Copy(ModelBuilder& b, int t) {
  const TensorType type = b.tensor(t).type;
  const int out = b.Tensor(b.tensor(t).shape, type);
  return b.Op(type == kBool ? BuiltinOperator_LOGICAL_AND : BuiltinOperator_MAXIMUM, {t, t}, {out});
}

void SetOptions(ModelBuilder& b, BuiltinOperator op) {
  if (op == BuiltinOperator_ADD) b.op().builtin_options.Set(AddOptionsT());
  if (op == BuiltinOperator_SUB) b.op().builtin_options.Set(SubOptionsT());
  if (op == BuiltinOperator_MUL) b.op().builtin_options.Set(MulOptionsT());
  if (op == BuiltinOperator_DIV) b.op().builtin_options.Set(DivOptionsT());
}

void Compare(const Values& got, const Values& want, double tolerance, const std::string& what) {
  ASSERT_EQ(got.shape, want.shape) << what;
  if (got.type != kTfLiteFloat32) {
    ASSERT_EQ(got.bytes, want.bytes) << what;
    return;
  }
  const std::vector<float> g = got.floats(), w = want.floats();
  for (size_t i = 0; i < g.size(); ++i) {
    if (std::isnan(w[i])) {
      ASSERT_TRUE(std::isnan(g[i])) << what << ", element " << i;
    } else if (g[i] != w[i]) {  // infinities are equal
      ASSERT_LE(std::fabs(g[i] - w[i]), tolerance * std::max(1.0f, std::fabs(w[i])))
          << what << ", element " << i << ": " << g[i] << ", expected " << w[i];
    }
  }
}

void CheckOnDrivers(const Bytes& model, const std::vector<Bytes>& inputs, double tolerance,
                    double half_tolerance, const std::string& what) {
  const RunResult want = RunModel(model, inputs, CpuEngines().front());
  ASSERT_EQ(want.error, "") << what;
  static auto& turns = *new Random(7);
  const std::vector<Engine>& drivers = DriverEngines();
  if (drivers.empty()) GTEST_SKIP() << "no GPU driver here";
  const Engine& engine = drivers[turns.Bits() % drivers.size()];
  const RunResult got = RunModel(model, inputs, engine);
  ASSERT_EQ(got.error, "") << what << " on " << engine.name;
  for (size_t o = 0; o < want.outputs.size(); ++o) {
    Compare(got.outputs[o], want.outputs[o], engine.half ? half_tolerance : tolerance,
            StrCat(what, " on ", engine.name));
  }
}

void CheckPair(const Pair& p, const Sizes& a, const Sizes& b, const Sizes& out, bool inside) {
  Random random(static_cast<uint64_t>(p.op) + a.size());
  ModelBuilder m;
  int x = m.Input(a, p.type), y = m.Input(b, p.type);
  if (inside) x = Copy(m, x), y = Copy(m, y);
  int z = m.Op(p.op, {x, y}, {m.Tensor(out, p.out)});
  SetOptions(m, p.op);
  if (inside) z = Copy(m, z);
  m.Output(z);
  CheckOnDrivers(m.Finish(),
                 {PairNumbers(p.type, a, random, false), PairNumbers(p.type, b, random, p.divides)},
                 p.tolerance, p.half_tolerance,
                 StrCat(EnumNameBuiltinOperator(p.op), " of ", EnumNameTensorType(p.type), " rank ",
                        out.size(), inside ? " inside" : ""));
}

const Pair kPairs[] = {
    {BuiltinOperator_SUB, kReal, kReal},
    {BuiltinOperator_DIV, kReal, kReal, true, 1e-6, 2e-3},
    {BuiltinOperator_MAXIMUM, kReal, kReal},
    {BuiltinOperator_MINIMUM, kReal, kReal},
    {BuiltinOperator_SQUARED_DIFFERENCE, kReal, kReal},
    {BuiltinOperator_POW, kReal, kReal, true, 1e-5, 2e-3},
    {BuiltinOperator_FLOOR_DIV, kReal, kReal, true},
    {BuiltinOperator_FLOOR_MOD, kReal, kReal, true},
    {BuiltinOperator_ADD, kInt, kInt},
    {BuiltinOperator_SUB, kInt, kInt},
    {BuiltinOperator_MUL, kInt, kInt},
    {BuiltinOperator_DIV, kInt, kInt, true},
    {BuiltinOperator_MAXIMUM, kInt, kInt},
    {BuiltinOperator_MINIMUM, kInt, kInt},
    {BuiltinOperator_SQUARED_DIFFERENCE, kInt, kInt},
    {BuiltinOperator_FLOOR_DIV, kInt, kInt, true},
    {BuiltinOperator_FLOOR_MOD, kInt, kInt, true},
    {BuiltinOperator_EQUAL, kReal, kBool},
    {BuiltinOperator_EQUAL, kInt, kBool},
    {BuiltinOperator_EQUAL, kBool, kBool},
    {BuiltinOperator_NOT_EQUAL, kReal, kBool},
    {BuiltinOperator_NOT_EQUAL, kBool, kBool},
    {BuiltinOperator_GREATER, kReal, kBool},
    {BuiltinOperator_GREATER, kInt, kBool},
    {BuiltinOperator_GREATER_EQUAL, kReal, kBool},
    {BuiltinOperator_LESS, kInt, kBool},
    {BuiltinOperator_LESS, kReal, kBool},
    {BuiltinOperator_LESS_EQUAL, kInt, kBool},
    {BuiltinOperator_ADD, kHalf, kHalf},
    {BuiltinOperator_MUL, kHalf, kHalf},
    {BuiltinOperator_MINIMUM, kHalf, kHalf},
    {BuiltinOperator_LESS_EQUAL, kHalf, kBool},
    {BuiltinOperator_ADD, kLong, kLong},
    {BuiltinOperator_SUB, kLong, kLong},
    {BuiltinOperator_MUL, kLong, kLong},
    {BuiltinOperator_MAXIMUM, kLong, kLong},
    {BuiltinOperator_MINIMUM, kLong, kLong},
    {BuiltinOperator_LESS, kLong, kBool},
    {BuiltinOperator_GREATER_EQUAL, kLong, kBool},
    {BuiltinOperator_NOT_EQUAL, kLong, kBool},
    {BuiltinOperator_LOGICAL_AND, kBool, kBool},
    {BuiltinOperator_LOGICAL_OR, kBool, kBool},
};

TEST(PairsGpu, EveryTypeAndShape) {
  const std::vector<std::vector<Sizes>> others = {
      {{2, 3, 2, 5}, {2, 3, 2, 5}, {2, 3, 2, 5}},
      {{2, 1, 3, 1, 17}, {4, 1, 2, 1}, {2, 4, 3, 2, 17}},
      {{}, {5}, {5}},
      {{0, 3}, {3}, {0, 3}}};
  for (size_t i = 0; i < std::size(kPairs); ++i) {
    const std::vector<Sizes>& more = others[i % others.size()];
    CheckPair(kPairs[i], {3, 1, 7}, {2, 1, 4, 1}, {2, 3, 4, 7}, i % 2 == 0);
    CheckPair(kPairs[i], more[0], more[1], more[2], i % 2 != 0);
  }
}

TEST(PairsGpu, ArcTangentInEveryQuadrant) {
  const std::vector<float> values = {0.0f, -0.0f, 1, -1, 0.25f, -0.25f, 4, -4, 1e-3f, -1e4f};
  std::vector<float> y, x;
  for (const float v : values) {
    for (const float w : values) {
      y.push_back(v);
      x.push_back(w);
    }
  }
  ModelBuilder m;
  const int a = m.Input({100}), b = m.Input({100});
  m.Output(m.Op(BuiltinOperator_ATAN2, {a, b}, {m.Tensor({100})}));
  for (int turn = 0; turn < 6; ++turn) {
    CheckOnDrivers(m.Finish(), {BytesOf(y), BytesOf(x)}, 5e-7, 2e-3, "ATAN2");
  }
}

TEST(PairsGpu, DivisorsWithoutQuotients) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> dividends, divisors;
  for (const float v : {5.0f, -5.0f, 0.0f, infinity, -infinity, std::nanf("")}) {
    for (const float w : {infinity, -infinity, 0.0f, 2.0f, -2.0f}) {
      dividends.push_back(v);
      divisors.push_back(w);
    }
  }
  for (const BuiltinOperator op : {BuiltinOperator_FLOOR_DIV, BuiltinOperator_FLOOR_MOD}) {
    ModelBuilder m;
    const int a = m.Input({30}), b = m.Input({30});
    m.Output(m.Op(op, {a, b}, {m.Tensor({30})}));
    for (int turn = 0; turn < 6; ++turn) {
      CheckOnDrivers(m.Finish(), {BytesOf(dividends), BytesOf(divisors)}, 0, 0,
                     EnumNameBuiltinOperator(op));
    }
  }
}

TEST(SelectGpu, EveryTypeAndShape) {
  struct Shapes {
    BuiltinOperator op;
    Sizes condition, x, y, out;
  };
  const Shapes cases[] = {
      {BuiltinOperator_SELECT, {2, 3, 5}, {2, 3, 5}, {2, 3, 5}, {2, 3, 5}},
      {BuiltinOperator_SELECT, {2}, {2, 3, 2, 5}, {2, 3, 2, 5}, {2, 3, 2, 5}},
      {BuiltinOperator_SELECT, {}, {3, 17}, {3, 17}, {3, 17}},
      {BuiltinOperator_SELECT, {7}, {7}, {7}, {7}},
      {BuiltinOperator_SELECT_V2, {2, 1, 1, 5}, {3, 1, 1}, {2, 1, 4, 1}, {2, 3, 4, 5}},
      {BuiltinOperator_SELECT_V2, {4, 1}, {17}, {}, {4, 17}},
      {BuiltinOperator_SELECT_V2, {2, 1, 3, 1, 1}, {4, 1, 2, 5}, {5}, {2, 4, 3, 2, 5}},
      {BuiltinOperator_SELECT_V2, {0, 2}, {2}, {1, 1}, {0, 2}},
  };
  Random random(3);
  for (const Shapes& c : cases) {
    for (const TensorType type : {kReal, kHalf, kInt, kBool, kLong}) {
      if (type == kHalf && c.op == BuiltinOperator_SELECT) continue;  // not in the reference
      for (const bool inside : {false, true}) {
        ModelBuilder m;
        int mask = m.Input(c.condition, kBool), x = m.Input(c.x, type), y = m.Input(c.y, type);
        if (inside) mask = Copy(m, mask), x = Copy(m, x), y = Copy(m, y);
        int z = m.Op(c.op, {mask, x, y}, {m.Tensor(c.out, type)});
        if (inside) z = Copy(m, z);
        m.Output(z);
        CheckOnDrivers(
            m.Finish(),
            {PairNumbers(kBool, c.condition, random, false), PairNumbers(type, c.x, random, false),
             PairNumbers(type, c.y, random, false)},
            0, 0, StrCat(EnumNameBuiltinOperator(c.op), " rank ", c.out.size()));
      }
    }
  }
}

TEST(CastGpu, EveryPairOfTypes) {
  Random random(5);
  for (const TensorType from : {kReal, kHalf, kInt, kBool}) {
    for (const TensorType to : {kReal, kHalf, kInt, kBool}) {
      for (const bool inside : {false, true}) {
        const Sizes shape = {2, 3, 1, 7};
        ModelBuilder m;
        int x = m.Input(shape, from);
        if (inside) x = Copy(m, x);
        int y = m.Op(BuiltinOperator_CAST, {x}, {m.Tensor(shape, to)});
        if (inside) y = Copy(m, y);
        m.Output(y);
        CheckOnDrivers(m.Finish(), {PairNumbers(from, shape, random, false)}, 0, 0,
                       StrCat("CAST to ", EnumNameTensorType(to)));
      }
    }
  }
}

TEST(CastGpu, Longs) {
  Random random(6);
  const std::pair<TensorType, TensorType> pairs[] = {
      {kInt, kLong}, {kBool, kLong}, {kReal, kLong}, {kHalf, kLong}, {kLong, kInt}};
  for (const auto& [from, to] : pairs) {
    const Sizes shape = {2, 3, 7};
    ModelBuilder m;
    m.Output(m.Op(BuiltinOperator_CAST, {m.Input(shape, from)}, {m.Tensor(shape, to)}));
    for (int turn = 0; turn < 4; ++turn) {
      CheckOnDrivers(m.Finish(), {PairNumbers(from, shape, random, false)}, 0, 0,
                     StrCat("CAST to ", EnumNameTensorType(to)));
    }
  }
}

TEST(CastGpu, FloatsStopAtTheLimitsOfIntegers) {
  const std::vector<float> values = {1.9f,           -1.9f, 3e9f,     -3e9f,    2147483520.0f,
                                     -2147483648.0f, NAN,   INFINITY, -INFINITY};
  ModelBuilder m;
  const int x = m.Input({9});
  m.Output(m.Op(BuiltinOperator_CAST, {x}, {m.Tensor({9}, kInt)}));
  for (int turn = 0; turn < 6; ++turn) CheckOnDrivers(m.Finish(), {BytesOf(values)}, 0, 0, "CAST");
}

TEST(CastGpu, FloatsBecomeInt64sOfAllSizes) {
  const std::vector<float> values = {
      1.9f,       -1.9f,          3e9f,    -3e9f,   4294967296.0f, -4294967296.0f,
      1.25e12f,   -1.25e12f,      9e18f,   -9e18f,  1e30f,         -1e30f,
      INFINITY,   -INFINITY,      NAN,     0.0f,    2147483648.0f, -2147483648.0f,
      8388609.0f, -6442450944.0f, 0x1p63f, -0x1p63f};
  const auto count = static_cast<int32_t>(values.size());
  ModelBuilder m;
  m.Output(m.Op(BuiltinOperator_CAST, {m.Input({count})}, {m.Tensor({count}, kLong)}));
  for (int turn = 0; turn < 6; ++turn) CheckOnDrivers(m.Finish(), {BytesOf(values)}, 0, 0, "CAST");
}

// Types change along an epilogue: ints, BOOL values, floats.
TEST(PairsGpu, EpiloguesThroughTypes) {
  Random random(9);
  const Sizes shape = {1, 3, 4, 6};
  ModelBuilder m;
  const int a = m.Input(shape, kInt), b = m.Input({6}, kInt), c = m.Input(shape);
  const int sum = m.Op(BuiltinOperator_ADD, {a, b}, {m.Tensor(shape, kInt)});
  SetOptions(m, BuiltinOperator_ADD);
  const int less = m.Op(BuiltinOperator_LESS, {sum, b}, {m.Tensor(shape, kBool)});
  const int neither = m.Op(BuiltinOperator_LOGICAL_NOT, {less}, {m.Tensor(shape, kBool)});
  const int real = m.Op(BuiltinOperator_CAST, {neither}, {m.Tensor(shape)});
  const int product = m.Op(BuiltinOperator_MUL, {real, c}, {m.Tensor(shape)});
  SetOptions(m, BuiltinOperator_MUL);
  const int whole = m.Op(BuiltinOperator_CAST, {product}, {m.Tensor(shape, kInt)});
  const int last = m.Op(BuiltinOperator_MAXIMUM, {whole, b}, {m.Tensor(shape, kInt)});
  m.Output(last);
  const int mask = m.Op(BuiltinOperator_GREATER, {c, product}, {m.Tensor(shape, kBool)});
  const int chosen = m.Op(BuiltinOperator_SELECT_V2, {mask, last, b}, {m.Tensor(shape, kInt)});
  m.Output(m.Op(BuiltinOperator_CAST, {chosen}, {m.Tensor(shape)}));
  for (int turn = 0; turn < 12; ++turn) {
    CheckOnDrivers(m.Finish(),
                   {PairNumbers(kInt, shape, random, false), PairNumbers(kInt, {6}, random, false),
                    PairNumbers(kReal, shape, random, false)},
                   0, 0, "chain");
  }
}

}  // namespace
}  // namespace tern::testing
