// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_RNG_BIT_GENERATOR: a state (UINT64 [2], for Philox also [3]) -> the state after it, and
// as many random bits as the output's declared shape holds. state[0] is the key and state[1] the
// counter, which rises by one per block of the generator; Philox takes the upper half of its
// counter from state[2], or from the key. DEFAULT is Philox.
#include <algorithm>
#include <cstring>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/random/philox.h"
#include "ops/random/threefry.h"

namespace tern {
namespace {

class RngBitGenerator : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "STABLEHLO_RNG_BIT_GENERATOR"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
};

Status RngBitGenerator::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 2));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteUInt64, "state"));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(0), 1, "state"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteUInt64, "new state"));
  const TfLiteTensor* bits = call.output(1);
  if (bits->type != kTfLiteInt32 && bits->type != kTfLiteInt64 && bits->type != kTfLiteUInt32 &&
      bits->type != kTfLiteUInt64) {
    return Unsupported("type ", TypeText(bits->type), " is not supported (output)");
  }
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), ShapeOf(call.input(0))));
  return call.SetShape(call.output(1), ShapeOf(bits));
}

// Blocks of 32-bit words of successive counters; returns the counter after them. Only what is
// asked for of the last block is written.
template <class Block>
uint64_t FillBytes(uint64_t counter, uint8_t* out, size_t bytes, const Block& block) {
  while (bytes > 0) {
    const auto words = block(counter++);
    const size_t size = std::min(bytes, sizeof words);
    std::memcpy(out, words.data(), size);
    out += size;
    bytes -= size;
  }
  return counter;
}

Status RngBitGenerator::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "state"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "new state"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(1), "output"));
  const uint64_t* state = Data<uint64_t>(call.input(0));
  const int64_t count = Dim(call.input(0), 0);
  const bool threefry =
      call.params<TfLiteStablehloRngBitGeneratorParams>().algorithm == kTfLiteRngAlgorithmThreefry;
  if (count != 2 && (threefry || count != 3)) {
    return Invalid("the state must have ", threefry ? "2" : "2 or 3", " elements (", count, ")");
  }
  const uint64_t key = state[0], upper = count == 3 ? state[2] : key;
  uint64_t* after = MutableData<uint64_t>(call.output(0));
  std::copy_n(state, count, after);
  auto* out = MutableData<uint8_t>(call.output(1));
  const auto bytes =
      static_cast<size_t>(Elements(call.output(1)) * ElementBytes(call.output(1)->type));
  if (threefry) {
    after[1] = FillBytes(state[1], out, bytes, [&](uint64_t at) { return Threefry(key, at); });
    return OkStatus();
  }
  after[1] = FillBytes(state[1], out, bytes, [&](uint64_t at) {
    Philox words(key, upper);
    words.Skip(at);
    return words.Next();
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration StablehloRngBitGeneratorRegistration(OpForm form) {
  return MakeRegistration<RngBitGenerator>(form);
}

}  // namespace tern
