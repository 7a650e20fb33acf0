// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED with scales by block of a row on all engines, against a model of the floats that
// its weights stand for. The rows are such that the CPU's quantization of them loses nothing.
#include <gtest/gtest.h>

#include "model/testing/quantize_by_block.h"
#include "ops/testing/block_weights.h"
#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

struct BlockGpuLayer {
  Sizes in;
  int units = 5, block = 32, bits = 4;
  bool keep = false, biased = true;
  tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE;
};

int Depth(const BlockGpuLayer& l) { return l.in.back(); }

// The layer with weights by block, or of floats.
int AddLayer(GraphMaker& m, int x, const BlockGpuLayer& l, bool floats) {
  const BlockWeights w(l.units, Depth(l), l.block, l.bits);
  ModelBuilder& b = m;
  const Sizes shape = {l.units, Depth(l)};
  const auto type = l.bits == 4 ? tflite::TensorType_INT4 : tflite::TensorType_INT8;
  const int weights =
      floats ? b.Const<float>(shape, w.floats)
             : QuantizeByBlock(b, b.ConstBytes(shape, type, w.packed), w.scales, l.block);
  const int bias = l.biased ? b.Const<float>({l.units}, Random(5).Floats(l.units)) : -1;
  Sizes out = {static_cast<int32_t>(GraphMaker::CountOf(l.in) / Depth(l)), l.units};
  if (l.keep) {
    out = l.in;
    out.back() = l.units;
  }
  tflite::FullyConnectedOptionsT o;
  o.fused_activation_function = l.activation;
  o.keep_num_dims = l.keep;
  b.SetOpVersion(6);
  return b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, weights, bias}, {b.Tensor(out)},
              std::move(o));
}

ModelCase Case(const BlockGpuLayer& l, bool floats) {
  GraphMaker m;
  std::string name = StrCat("blocks of ", l.block, " to ", l.units, " units from");
  for (const int size : l.in) name += StrCat(" ", size);
  ModelCase c = m.Finish(name, AddLayer(m, m.Input(l.in), l, floats));
  c.inputs = {ExactRows(static_cast<int>(GraphMaker::CountOf(l.in)) / Depth(l), Depth(l))};
  return c;
}

void Check(const BlockGpuLayer& l, Engines engines = Engines::kInTurn) {
  CheckModelAgainst(Case(l, false), Case(l, true), engines);
}

TEST(BlockRowsGpu, BlocksRowsAndUnits) {
  int next = 0;
  constexpr int kUnits[] = {1, 4, 7, 16, 33};
  for (const int block : {32, 64, 128, 256}) {
    for (const int rows : {1, 2, 3, 7, 40}) {
      Check({.in = {rows, 2 * block}, .units = kUnits[next++ % 5], .block = block});
    }
  }
  Check({.in = {1, 768}, .units = 65, .block = 128});
  Check({.in = {70, 96}, .units = 66});
}

// Whole slices have a scale of their own, others are numbers.
TEST(BlockRowsGpu, BlocksOffTheSliceWidth) {
  for (const int block : {4, 6, 8, 12, 16, 24}) Check({.in = {3, 2 * block}, .block = block});
}

TEST(BlockRowsGpu, InputsOfEveryRank) {
  Check({.in = {32}});
  for (const bool keep : {false, true}) {
    Check({.in = {2, 3, 32}, .keep = keep});
    Check({.in = {2, 3, 2, 64}, .keep = keep});
    Check({.in = {3, 1, 1, 64}, .keep = keep});
    Check({.in = {2, 1, 3, 2, 32}, .keep = keep});
  }
}

TEST(BlockRowsGpu, ActivationsAndNoBias) {
  Check({.in = {3, 64}, .biased = false});
  Check({.in = {1, 64}, .activation = tflite::ActivationFunctionType_RELU6});
  Check({.in = {4, 2, 64}, .keep = true, .activation = tflite::ActivationFunctionType_RELU});
}

TEST(BlockRowsGpu, WeightsOfBytes) {
  Check({.in = {1, 128}, .units = 9, .bits = 8});
  Check({.in = {9, 128}, .units = 9, .bits = 8});
}

TEST(BlockRowsGpu, OnEveryEngine) {
  Check({.in = {1, 256}, .units = 21, .block = 128}, Engines::kAll);
  Check({.in = {19, 64}, .units = 21}, Engines::kAll);
}

// Rows that lie in slices, and steps after the product that see its places.
TEST(BlockRowsGpu, BetweenOtherNodes) {
  const auto make = [](bool floats, const BlockGpuLayer& l) {
    GraphMaker m;
    const int x = m.Relu(m.Input(l.in));
    const int y = AddLayer(m, x, l, floats);
    Sizes other = m.ShapeOf(y);
    if (other.size() > 2) other[other.size() - 2] = 1;
    ModelCase c = m.Finish("blocks between other nodes",
                           m.Product(m.Sum(y, m.Input(other)), m.Constant({l.units})));
    c.inputs[0] = ExactRows(static_cast<int>(GraphMaker::CountOf(l.in)) / Depth(l), Depth(l),
                            /*positive=*/true);
    return c;
  };
  for (const BlockGpuLayer& l :
       {BlockGpuLayer{.in = {3, 2, 2, 32}}, BlockGpuLayer{.in = {3, 2, 2, 32}, .keep = true},
        BlockGpuLayer{.in = {1, 4, 64}, .keep = true}}) {
    CheckModelAgainst(make(false, l), make(true, l), Engines::kDrivers);
  }
}

TEST(BlockRowsGpu, TablesByBlock) {
  const BlockWeights w(6, 64, 32);
  for (const bool by_block : {false, true}) {
    ModelBuilder b;
    const int ids = b.Input({3}, tflite::TensorType_INT32);
    const int table =
        by_block ? QuantizeByBlock(b, b.ConstBytes({6, 64}, tflite::TensorType_INT4, w.packed),
                                   w.scales, 32)
                 : b.Const<float>({6, 64}, w.floats);
    b.SetOpVersion(4);
    b.Output(b.Op(tflite::BuiltinOperator_EMBEDDING_LOOKUP, {ids, table}, {b.Tensor({3, 64})}));
    std::vector<float> want;
    for (const int row : {5, 0, 2}) {
      want.insert(want.end(), w.floats.begin() + row * 64, w.floats.begin() + (row + 1) * 64);
    }
    std::vector<Engine> engines = CpuEngines();
    const std::vector<Engine>& drivers = EnginesFor(true);
    engines.insert(engines.end(), drivers.begin(), drivers.end());
    for (const Engine& engine : engines) {
      const RunResult got = RunModel(b.Finish(), {BytesOf<int32_t>({5, 0, 2})}, engine);
      ASSERT_EQ(got.error, "") << engine.name;
      EXPECT_EQ(got.outputs[0].floats(), want) << engine.name;
    }
  }
}

}  // namespace
}  // namespace tern::testing
