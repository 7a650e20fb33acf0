// SPDX-License-Identifier: Apache-2.0
// CAST: stored numbers as another type. Floats lose their fraction and stop at the limits of an
// integer type, NaN becomes its largest value; integers wrap. Quantization plays no part.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/tensor/half.h"
#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Cast : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "CAST"; }
  bool flushes_subnormals() const override { return false; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override {
    return AllConstant(call) && !IsGraphOutput(call, 0);
  }

 private:
  Status Convert(const TfLiteTensor* input, TfLiteTensor* output) const;

  bool done_ = false;  // the output keeps what it has
};

using Integers = Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t>;

// Elements on their way: as double when the source holds floats, else as int64.
struct CastBlock {
  static constexpr int64_t kCapacity = 256;
  std::array<double, kCapacity> reals;
  std::array<int64_t, kCapacity> integers;
};

// Bits of one number in the types that pack several into a byte; 0 for the others.
int PackedBits(TfLiteType type) {
  const auto bits = static_cast<int>(ElementBits(type));
  return bits < 8 ? bits : 0;
}

bool IsReal(TfLiteType type) {
  switch (type) {
    case kTfLiteFloat16:
    case kTfLiteBFloat16:
    case kTfLiteFloat32:
    case kTfLiteFloat64:
    case kTfLiteComplex64:
      return true;
    default:
      return false;
  }
}

Status CheckCastable(TfLiteType type, const char* what) {
  switch (type) {
    case kTfLiteBool:
    case kTfLiteInt4:
    case kTfLiteInt2:
    case kTfLiteUInt4:
      return OkStatus();
    default:
      if (IsReal(type) || Integers::Has(type)) return OkStatus();
      break;
  }
  return Unsupported("type ", TypeText(type), " is not supported yet (", what, ")");
}

Status Cast::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  const TfLiteType from = call.input(0)->type, to = call.output(0)->type;
  TERN_RETURN_IF_ERROR(CheckCastable(from, "input"));
  TERN_RETURN_IF_ERROR(CheckCastable(to, "output"));
  if (PackedBits(to) > 0 && !IsReal(from)) {
    return Unsupported("type ", TypeText(from), " is not cast to ", TypeText(to));
  }
  // A constant that leaves the graph lies in the arena, where an application may give it memory of
  // its own, and is computed once.
  TfLiteTensor* output = call.output(0);
  done_ = false;
  if (AllConstant(call) && IsGraphOutput(call, 0) && output->allocation_type == kTfLiteArenaRw) {
    output->allocation_type = kTfLiteArenaRwPersistent;
  }
  return call.SetShape(output, ShapeOf(call.input(0)));
}

template <class T>
void ReadIntegersOf(const TfLiteTensor* t, int64_t first, int64_t count, CastBlock& block) {
  const T* from = Data<T>(t) + first;
  std::copy_n(from, count, block.integers.begin());
}

// The low bits of a byte come first.
void ReadPackedBlock(const TfLiteTensor* t, int64_t first, int64_t count, CastBlock& block) {
  const int bits = PackedBits(t->type), mask = (1 << bits) - 1;
  const int sign = t->type == kTfLiteUInt4 ? 0 : 1 << (bits - 1);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = (first + i) * bits;
    const int raw = t->data.uint8[at / 8] >> (at % 8) & mask;
    block.integers[i] = (raw ^ sign) - sign;
  }
}

void Read(const TfLiteTensor* t, int64_t first, int64_t count, CastBlock& block) {
  const auto read = [&](auto zero) { ReadIntegersOf<decltype(zero)>(t, first, count, block); };
  if (Integers::Dispatch(t->type, read)) return;
  switch (t->type) {
    case kTfLiteBool:
      for (int64_t i = 0; i < count; ++i) block.integers[i] = t->data.uint8[first + i] != 0;
      return;
    case kTfLiteFloat16:
      for (int64_t i = 0; i < count; ++i) {
        block.reals[i] = HalfToFloat(Data<uint16_t>(t)[first + i]);
      }
      return;
    case kTfLiteBFloat16:
      for (int64_t i = 0; i < count; ++i) {
        block.reals[i] = Bfloat16ToFloat(Data<uint16_t>(t)[first + i]);
      }
      return;
    case kTfLiteFloat32:
      for (int64_t i = 0; i < count; ++i) block.reals[i] = Data<float>(t)[first + i];
      return;
    case kTfLiteFloat64:
      for (int64_t i = 0; i < count; ++i) block.reals[i] = Data<double>(t)[first + i];
      return;
    case kTfLiteComplex64:
      for (int64_t i = 0; i < count; ++i) block.reals[i] = Data<float>(t)[2 * (first + i)];
      return;
    default:
      return ReadPackedBlock(t, first, count, block);
  }
}

// Towards zero, stopping at the limits.
template <class T>
T Truncate(double v) {
  constexpr T kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();
  // As a double the largest int64 is one more than it is.
  if (std::isnan(v) || v >= static_cast<double>(kMax)) return kMax;
  return v <= static_cast<double>(kMin) ? kMin : static_cast<T>(v);
}

template <class T>
void WriteIntegers(const CastBlock& block, bool real, int64_t first, int64_t count,
                   TfLiteTensor* t) {
  T* to = MutableData<T>(t) + first;
  for (int64_t i = 0; i < count; ++i) {
    to[i] = real ? Truncate<T>(block.reals[i]) : static_cast<T>(block.integers[i]);
  }
}

void WritePackedBlock(const CastBlock& block, int64_t first, int64_t count, TfLiteTensor* t) {
  const int bits = PackedBits(t->type), numbers = 1 << bits;
  const int min = t->type == kTfLiteUInt4 ? 0 : -numbers / 2;
  const int max = min + numbers - 1;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = (first + i) * bits;
    const double v = std::clamp(block.reals[i], static_cast<double>(min), static_cast<double>(max));
    const int raw = (std::isnan(v) ? max : static_cast<int>(v)) & (numbers - 1);
    uint8_t& byte = t->data.uint8[at / 8];
    byte = static_cast<uint8_t>((at % 8 == 0 ? 0 : byte) | raw << (at % 8));
  }
}

void Write(const CastBlock& block, bool real, int64_t first, int64_t count, TfLiteTensor* t) {
  const auto write = [&](auto zero) {
    WriteIntegers<decltype(zero)>(block, real, first, count, t);
  };
  if (Integers::Dispatch(t->type, write)) return;
  // Integers reach the narrower floats through float, too.
  const auto narrow = [&](int64_t i) {
    return real ? static_cast<float>(block.reals[i]) : static_cast<float>(block.integers[i]);
  };
  switch (t->type) {
    case kTfLiteBool:
      for (int64_t i = 0; i < count; ++i) {
        t->data.uint8[first + i] = real ? block.reals[i] != 0 : block.integers[i] != 0;
      }
      return;
    case kTfLiteFloat16:
      for (int64_t i = 0; i < count; ++i) {
        MutableData<uint16_t>(t)[first + i] = FloatToHalf(narrow(i));
      }
      return;
    case kTfLiteBFloat16:
      for (int64_t i = 0; i < count; ++i) {
        MutableData<uint16_t>(t)[first + i] = FloatToBfloat16(narrow(i));
      }
      return;
    case kTfLiteFloat32:
      for (int64_t i = 0; i < count; ++i) MutableData<float>(t)[first + i] = narrow(i);
      return;
    case kTfLiteFloat64:
      for (int64_t i = 0; i < count; ++i) {
        MutableData<double>(t)[first + i] =
            real ? block.reals[i] : static_cast<double>(block.integers[i]);
      }
      return;
    case kTfLiteComplex64:
      for (int64_t i = 0; i < count; ++i) {
        MutableData<float>(t)[2 * (first + i)] = narrow(i);
        MutableData<float>(t)[2 * (first + i) + 1] = 0;
      }
      return;
    default:
      return WritePackedBlock(block, first, count, t);
  }
}

Status Cast::Eval(const OpCall& call) {
  if (done_) return OkStatus();
  const TfLiteTensor* input = call.input(0);
  TfLiteTensor* output = call.output(0);
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  TERN_RETURN_IF_ERROR(Convert(input, output));
  done_ = output->allocation_type == kTfLiteArenaRwPersistent && IsConstant(input);
  return OkStatus();
}

Status Cast::Convert(const TfLiteTensor* input, TfLiteTensor* output) const {
  const int64_t elements = Elements(output);
  if (input->type == kTfLiteComplex64 && output->type == kTfLiteComplex64) {
    std::copy_n(input->data.raw_const, elements * ElementBytes(input->type), output->data.raw);
    return OkStatus();
  }
  if (output->type == kTfLiteBool && input->type == kTfLiteFloat32) {
    // By its bits: arithmetic may take the smallest numbers for zero.
    for (int64_t i = 0; i < elements; ++i) {
      output->data.uint8[i] = Data<uint32_t>(input)[i] << 1 != 0;
    }
    return OkStatus();
  }
  CastBlock block;
  for (int64_t first = 0; first < elements; first += CastBlock::kCapacity) {
    const int64_t count = std::min(CastBlock::kCapacity, elements - first);
    Read(input, first, count, block);
    Write(block, IsReal(input->type), first, count, output);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration CastRegistration(OpForm form) { return MakeRegistration<Cast>(form); }

}  // namespace tern
