// SPDX-License-Identifier: Apache-2.0
// LSH_PROJECTION: seeds [hashes, bits] (FLOAT32), items [n, ...] of any type and maybe weights [n]
// -> a bit per seed: the sign of the weighted sum over all items of the fingerprint of the seed
// and the item. DENSE gives all bits [hashes * bits]; SPARSE gives [hashes] numbers of these bits,
// number i moved up by i * 2^bits.
#include <cstring>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/lsh_projection/fingerprint.h"

namespace tern {
namespace {

enum LshInput { kSeeds, kItems, kItemWeights };

class LshProjection : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "LSH_PROJECTION"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }
};

Status LshProjection::Prepare(const OpCall& call) {
  constexpr int64_t kMaxBits = 32;
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 3, 1));
  const TfLiteTensor *seeds = call.input(kSeeds), *items = call.input(kItems);
  TERN_RETURN_IF_ERROR(CheckType(seeds, kTfLiteFloat32, "seeds"));
  TERN_RETURN_IF_ERROR(CheckRank(seeds, 2, "seeds"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt32, "output"));
  if (Dim(seeds, 1) > kMaxBits) {
    return Invalid("a number has at most ", kMaxBits, " bits (", Dim(seeds, 1), ")");
  }
  if (ElementBytes(items->type) == 0) {
    return Unsupported("type ", TypeText(items->type), " is not supported (items)");
  }
  if (Rank(items) < 1) return Invalid("items must have a rank (0)");
  if (const TfLiteTensor* weights = call.inputs() > 2 ? call.input(kItemWeights) : nullptr) {
    TERN_RETURN_IF_ERROR(CheckType(weights, kTfLiteFloat32, "weights"));
    TERN_RETURN_IF_ERROR(CheckRank(weights, 1, "weights"));
    if (Dim(weights, 0) != Dim(items, 0)) {
      return Invalid("there must be a weight per item (", Dim(weights, 0), ", ", Dim(items, 0),
                     ")");
    }
  }
  switch (call.params<TfLiteLSHProjectionParams>().type) {
    case kTfLiteLshProjectionSparse:
      return call.SetShape(call.output(0), {Dim(seeds, 0)});
    case kTfLiteLshProjectionDense:
      return call.SetShape(call.output(0), {Dim(seeds, 0) * Dim(seeds, 1)});
    default:
      return Invalid("the type of the projection is unknown (",
                     static_cast<int>(call.params<TfLiteLSHProjectionParams>().type), ")");
  }
}

// Items whose fingerprints go with seeds.
class Items {
 public:
  Items(const TfLiteTensor* items, const TfLiteTensor* weights)
      : count_(Dim(items, 0)),
        bytes_(count_ == 0
                   ? 0
                   : static_cast<size_t>(Elements(items) / count_ * ElementBytes(items->type))),
        data_(Data<uint8_t>(items)),
        weights_(weights == nullptr ? nullptr : Data<float>(weights)),
        key_(sizeof(float) + bytes_) {}

  uint32_t SignBit(float seed) {
    double score = 0;
    std::memcpy(key_.data(), &seed, sizeof seed);
    for (int64_t i = 0; i < count_; ++i) {
      if (bytes_ > 0) {
        std::memcpy(key_.data() + sizeof seed, data_ + static_cast<size_t>(i) * bytes_, bytes_);
      }
      const auto value = static_cast<double>(static_cast<int64_t>(Fingerprint(key_)));
      score += weights_ == nullptr ? value : double{weights_[i]} * value;
    }
    return score > 0 ? 1 : 0;
  }

 private:
  int64_t count_;
  size_t bytes_;  // of an item
  const uint8_t* data_;
  const float* weights_;
  std::vector<uint8_t> key_;  // a seed and an item
};

Status LshProjection::Eval(const OpCall& call) {
  const TfLiteTensor *seeds = call.input(kSeeds), *items = call.input(kItems);
  const TfLiteTensor* weights = call.inputs() > 2 ? call.input(kItemWeights) : nullptr;
  TERN_RETURN_IF_ERROR(CheckData(seeds, "seeds"));
  TERN_RETURN_IF_ERROR(CheckData(items, "items"));
  if (weights != nullptr) TERN_RETURN_IF_ERROR(CheckData(weights, "weights"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const bool dense = call.params<TfLiteLSHProjectionParams>().type == kTfLiteLshProjectionDense;
  const int64_t bits = Dim(seeds, 1);
  const float* seed = Data<float>(seeds);
  int32_t* out = MutableData<int32_t>(call.output(0));
  Items all(items, weights);
  for (int64_t i = 0; i < Dim(seeds, 0); ++i) {
    uint32_t number = 0;
    for (int64_t k = 0; k < bits; ++k) {
      const uint32_t bit = all.SignBit(*seed++);
      if (dense) *out++ = static_cast<int32_t>(bit);
      number = number << 1 | bit;
    }
    // Of 32 bits the shift wraps, as it does on usual machines.
    if (!dense) *out++ = static_cast<int32_t>(number + (uint32_t{1} << bits % 32) * i);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration LshProjectionRegistration(OpForm form) {
  return MakeRegistration<LshProjection>(form);
}

}  // namespace tern
