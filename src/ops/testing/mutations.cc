// SPDX-License-Identifier: Apache-2.0
#include "ops/testing/mutations.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/str_cat.h"
#include "model/tensor_types.h"

namespace tern::testing {
namespace {

using tflite::ModelT;
using tflite::OperatorT;
using tflite::SubGraphT;
using tflite::TensorT;

constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

SubGraphT& GraphOf(ModelT& model) { return *model.subgraphs[0]; }
OperatorT& OperatorOf(ModelT& model) { return *GraphOf(model).operators[0]; }
TensorT& TensorOf(ModelT& model, size_t t) { return *GraphOf(model).tensors[t]; }

bool IsConstant(const TensorT& tensor) { return tensor.buffer != 0; }

class Collector {
 public:
  explicit Collector(const ModelT& model) : model_(model) {}

  std::vector<Mutation> Take() {
    Operands();
    for (size_t t = 0; t < graph().tensors.size(); ++t) {
      Shapes(t);
      Types(t);
      Quantization(t);
      Blocks(t);
      if (IsConstant(tensor(t))) Buffers(t);
      if (IsConstant(tensor(t))) Numbers(t);
    }
    Options();
    CustomOptions();
    return std::move(mutations_);
  }

 private:
  const SubGraphT& graph() const { return *model_.subgraphs[0]; }
  const OperatorT& op() const { return *graph().operators[0]; }
  const TensorT& tensor(size_t t) const { return *graph().tensors[t]; }

  void Add(std::string what, std::function<void(ModelT&)> apply, Fails fails = Fails::kMaybe) {
    mutations_.push_back({id_, std::move(what), std::move(apply), fails});
  }

  // Inputs that may be absent. On the GPU alone some shapes follow from the output.
  Fails WhenAbsent(size_t input) const {
    // Input gate, peepholes, projection and layer norm.
    static const std::set<size_t> in_lstm = {1, 5, 9, 10, 11, 12, 16, 17, 20, 21, 22, 23};
    static const std::map<std::string, std::set<size_t>> optional = {
        {"CONV_2D", {2}},
        {"DEPTHWISE_CONV_2D", {2}},
        {"FULLY_CONNECTED", {2}},
        {"TRANSPOSE_CONV", {3}},
        {"CONV_3D", {2}},
        {"CONV_3D_TRANSPOSE", {3}},
        {"Convolution2DTransposeBias", {2}},
        {"PADV2", {2}},
        {"LSH_PROJECTION", {2}},
        {"SVDF", {3}},
        {"LSTM", in_lstm},
        {"UNIDIRECTIONAL_SEQUENCE_LSTM", in_lstm},
        {"BIDIRECTIONAL_SEQUENCE_RNN", {9, 10, 11}},
    };
    const tflite::OperatorCodeT& code = *model_.operator_codes[op().opcode_index];
    const bool custom = code.builtin_code == tflite::BuiltinOperator_CUSTOM;
    const std::string name =
        custom ? code.custom_code : tflite::EnumNameBuiltinOperator(code.builtin_code);
    if (name == "BIDIRECTIONAL_SEQUENCE_LSTM" && input > 0) return Fails::kMaybe;  // many forms
    const auto found = optional.find(name);
    const bool may_be_absent = found != optional.end() && found->second.count(input) != 0;
    return may_be_absent ? Fails::kMaybe : Fails::kUnlessAlone;
  }

  void Operands() {
    id_ =
        "CVE-2020-15210, CVE-2020-15211, "
        "CVE-2021-37681, CVE-2021-37688, Chromium 500050511";
    const auto count = static_cast<int32_t>(graph().tensors.size());
    for (size_t i = 0; i < op().inputs.size(); ++i) {
      std::vector<int32_t> bad = {-1, -2, kMin, count, count + 1, kMax};
      bad.insert(bad.end(), op().outputs.begin(), op().outputs.end());
      for (const int32_t index : bad) {
        Add(
            StrCat("input ", i, " -> ", index), [=](ModelT& m) { OperatorOf(m).inputs[i] = index; },
            index == -1 ? WhenAbsent(i) : Fails::kAlways);
      }
      for (size_t other = 0; other < op().inputs.size(); ++other) {
        if (other == i || op().inputs.size() > 6) continue;
        Add(StrCat("input ", i, " -> input ", other),
            [=](ModelT& m) { OperatorOf(m).inputs[i] = OperatorOf(m).inputs[other]; });
      }
    }
    for (size_t o = 0; o < op().outputs.size(); ++o) {
      std::vector<int32_t> bad = {-1, -2, kMin, count, count + 1, kMax};
      for (const int32_t input : op().inputs) {
        if (input >= 0) bad.push_back(input);
      }
      for (const int32_t index : bad) {
        Add(
            StrCat("output ", o, " -> ", index),
            [=](ModelT& m) { OperatorOf(m).outputs[o] = index; },
            index == -1 ? Fails::kMaybe : Fails::kAlways);
      }
    }
    for (const int32_t index : {-1, -2, kMin, count, kMax}) {
      Add(
          StrCat("graph input -> ", index), [=](ModelT& m) { GraphOf(m).inputs = {index}; },
          index == -1 ? Fails::kMaybe : Fails::kAsFile);  // -1 stands for an absent input
      Add(
          StrCat("graph output -> ", index), [=](ModelT& m) { GraphOf(m).outputs = {index}; },
          index == -1 ? Fails::kMaybe : Fails::kAsFile);
    }
    if (!op().inputs.empty()) {
      Add("an input less", [](ModelT& m) { OperatorOf(m).inputs.pop_back(); });
      Add("an input more",
          [](ModelT& m) { OperatorOf(m).inputs.push_back(OperatorOf(m).inputs[0]); });
      Add("no inputs", [](ModelT& m) { OperatorOf(m).inputs.clear(); });
    }
    if (!op().outputs.empty()) WrongOutputs();
    for (const int version : {-1, 0, 1, 2, 99, kMax}) {
      Add(StrCat("version ", version), [=](ModelT& m) { m.operator_codes[0]->version = version; });
    }
  }

  void WrongOutputs() {
    Add(
        "no outputs", [](ModelT& m) { OperatorOf(m).outputs.clear(); },
        Fails::kUnlessAlone);  // a state may be left
    Add(
        "outputs twice",
        [](ModelT& m) { OperatorOf(m).outputs.push_back(OperatorOf(m).outputs[0]); },
        Fails::kAlways);
  }

  void Shapes(size_t t) {
    id_ =
        "CVE-2021-29590, CVE-2021-29605, CVE-2021-37691, Chromium 493099940, "
        "LiteRT 7cf93f2c4, LiteRT 932787ad3, LiteRT 77c24d075, LiteRT edbab0764";
    const std::vector<int32_t> shape = tensor(t).shape;
    const auto set = [&](const std::vector<int32_t>& to, Fails fails = Fails::kMaybe) {
      std::string text;
      for (const int32_t size : to) text += StrCat(" ", size);
      Add(
          StrCat("tensor ", t, " has shape", text),
          [=](ModelT& m) {
            TensorOf(m, t).shape = to;
            FitData(m, t);
          },
          fails);
    };
    for (const size_t rank : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 64}) {
      std::vector<int32_t> to(rank, 1);
      const size_t kept = std::min(rank, shape.size());
      std::copy(shape.end() - static_cast<long>(kept), shape.end(),
                to.end() - static_cast<long>(kept));
      if (rank != shape.size()) set(to);
    }
    for (size_t d = 0; d < shape.size(); ++d) {
      std::vector<int32_t> to = shape;
      for (const int32_t size : {0, 1, shape[d] - 1, shape[d] + 1, -1, 1 << 30, kMax, kMin}) {
        to[d] = size;
        if (to != shape) set(to, size == kMin ? Fails::kAsFile : Fails::kMaybe);
      }
    }
    if (shape.size() < 2) return;
    std::vector<int32_t> to = shape;
    to[0] = to[1] = 65536;
    set(to);
    to[0] = 0;
    to[1] = kMax;
    set(to);
    if (shape.size() > 2) {
      to[1] = to[2] = 65536;
      set(to);
      to[0] = 65536;
      to.back() = 0;
      set(to);
    }
    Add(StrCat("tensor ", t, " has one more of each"), [=](ModelT& m) {
      for (int32_t& size : TensorOf(m, t).shape) ++size;
      FitData(m, t);
    });
  }

  void Types(size_t t) {
    id_ = "CVE-2018-8825";
    for (int type = 0; type <= tflite::TensorType_MAX + 1; ++type) {
      if (type == tensor(t).type) continue;
      Add(
          StrCat("tensor ", t, " has type ", type),
          [=](ModelT& m) {
            TensorOf(m, t).type = static_cast<tflite::TensorType>(type);
            if (type <= tflite::TensorType_MAX) FitData(m, t);
          },
          type > tflite::TensorType_MAX ? Fails::kAlways : Fails::kMaybe);
    }
    Add(StrCat("tensor ", t, " is a variable"),
        [=](ModelT& m) { TensorOf(m, t).is_variable = !TensorOf(m, t).is_variable; });
  }

  void Quantization(size_t t) {
    id_ = "CVE-2021-37682, CVE-2022-36027";
    using Edit = std::function<void(tflite::QuantizationParametersT&)>;
    const bool quantized = tensor(t).quantization != nullptr;
    const auto edit = [&](const char* what, const Edit& change) {
      Add(StrCat("tensor ", t, " has ", what), [=](ModelT& m) {
        auto& quantization = TensorOf(m, t).quantization;
        if (quantization == nullptr) {
          quantization = std::make_unique<tflite::QuantizationParametersT>();
          quantization->scale = {0.5f};
          quantization->zero_point = {0};
        }
        change(*quantization);
      });
    };
    if (quantized) {
      Add(StrCat("tensor ", t, " has no quantization"),
          [=](ModelT& m) { TensorOf(m, t).quantization = nullptr; });
      edit("no scale", [](auto& q) { q.scale.clear(); });
      edit("no zero point", [](auto& q) { q.zero_point.clear(); });
      const float scales[] = {0, -1, NAN, INFINITY, 1e-45f, 1e38f, -0.0f};
      for (const float scale : scales) {
        edit("a bad scale", [=](auto& q) { q.scale.assign(q.scale.size(), scale); });
      }
      for (const int64_t zero : {int64_t{-129}, int64_t{128}, int64_t{1} << 40, INT64_MIN}) {
        edit("a bad zero point", [=](auto& q) { q.zero_point.assign(q.zero_point.size(), zero); });
      }
    }
    for (const size_t count : {2, 3, 4, 5, 6, 7}) {
      for (const int32_t axis : {0, 1, 3, -1, 9, kMax, kMin}) {
        if (!quantized && count != 2) continue;
        edit("scales", [=](auto& q) {
          q.scale.assign(count, 0.5f);
          q.zero_point.assign(count, 0);
          q.quantized_dimension = axis;
        });
      }
    }
  }

  // Where the scales of blocks are, and how large a block is.
  void Blocks(size_t t) {
    id_ = "blocks";
    const auto& quantization = tensor(t).quantization;
    if (quantization == nullptr || !quantization->details.AsBlockwiseQuantization()) return;
    using Edit = std::function<void(tflite::BlockwiseQuantizationT&)>;
    const auto edit = [&](const std::string& what, const Edit& change,
                          Fails fails = Fails::kMaybe) {
      Add(
          StrCat("tensor ", t, " has ", what),
          [=](ModelT& m) {
            change(*TensorOf(m, t).quantization->details.AsBlockwiseQuantization());
          },
          fails);
    };
    const auto count = static_cast<int32_t>(graph().tensors.size());
    for (const int32_t scales : {-1, -2, count, kMax, kMin}) {
      edit(
          StrCat("scales in tensor ", scales), [=](auto& q) { q.scales = scales; }, Fails::kAlways);
    }
    for (int32_t scales = 0; scales < count; ++scales) {
      edit(StrCat("scales in tensor ", scales), [=](auto& q) { q.scales = scales; });
    }
    for (const int32_t zeros : {-2, 0, count - 1, count, kMax, kMin}) {
      edit(StrCat("zero points in tensor ", zeros), [=](auto& q) { q.zero_points = zeros; });
    }
    for (const int32_t size : {0, -1, -16, kMin, 1, 2, 3, 4, 64, kMax}) {
      edit(
          StrCat("blocks of ", size), [=](auto& q) { q.block_size = size; }, Fails::kAlways);
    }
  }

  void Buffers(size_t t) {
    id_ = "CVE-2020-15209, CVE-2021-29592, issue 124982";
    const auto edit = [&](const char* what, const std::function<void(ModelT&, TensorT&)>& change,
                          Fails fails = Fails::kMaybe) {
      Add(
          StrCat("tensor ", t, " has ", what), [=](ModelT& m) { change(m, TensorOf(m, t)); },
          fails);
    };
    edit("no buffer", [](ModelT&, TensorT& x) { x.buffer = 0; });
    edit(
        "an unknown buffer",
        [](ModelT& m, TensorT& x) { x.buffer = static_cast<uint32_t>(m.buffers.size()); },
        Fails::kAsFile);
    edit(
        "the last buffer", [](ModelT&, TensorT& x) { x.buffer = kMax; }, Fails::kAsFile);
    for (uint32_t other = 1; other < std::min<size_t>(model_.buffers.size(), 5); ++other) {
      edit("another buffer", [=](ModelT&, TensorT& x) { x.buffer = other; });
    }
    const auto data = [](const ModelT& m, const TensorT& x) -> std::vector<uint8_t>& {
      return m.buffers[x.buffer]->data;
    };
    const bool sparse = tensor(t).sparsity != nullptr;
    // The only byte less leaves no constant; texts are looked at in files only.
    const bool is_text = tensor(t).type == tflite::TensorType_STRING;
    edit(
        "a byte less", [=](ModelT& m, TensorT& x) { data(m, x).pop_back(); },
        sparse || data(model_, tensor(t)).size() == 1 ? Fails::kMaybe
        : is_text                                     ? Fails::kAsFile
                                                      : Fails::kAlways);
    edit("a byte more", [=](ModelT& m, TensorT& x) { data(m, x).push_back(1); });
    edit("an empty buffer", [=](ModelT& m, TensorT& x) { data(m, x).clear(); });
    edit("a MiB more", [=](ModelT& m, TensorT& x) { data(m, x).resize(1 << 20); });
    edit("its value at run time", [=](ModelT& m, TensorT& x) {
      x.buffer = 0;
      GraphOf(m).inputs.push_back(static_cast<int32_t>(t));
    });
  }

  // Each of the first numbers, as a constant and at run time.
  void Numbers(size_t t) {
    id_ = "CVE-2021-37687, issue 111637";
    const tflite::TensorType type = tensor(t).type;
    if (type == tflite::TensorType_INT32) NumbersOf<int32_t>(t);
    if (type == tflite::TensorType_INT64) NumbersOf<int64_t>(t);
    if (type == tflite::TensorType_FLOAT32) FloatsOf(t);
  }
  template <class T>
  void NumbersOf(size_t t) {
    std::set<T> values = {-100000, -9, -5, -2, -1, 0, 1, 2, 3, 4, 5, 8, 9, 10, 1 << 16, 1 << 30};
    values.insert({static_cast<T>(kMax), static_cast<T>(kMin), kMax - 1, kMin + 1});
    values.insert({std::numeric_limits<T>::max(), std::numeric_limits<T>::min()});
    const size_t count = model_.buffers[tensor(t).buffer]->data.size() / sizeof(T);
    for (size_t i = 0; i < std::min<size_t>(count, 4); ++i) {
      for (const T value : values) {
        Add(StrCat("tensor ", t, "[", i, "] = ", value), [=](ModelT& m) {
          std::memcpy(&m.buffers[TensorOf(m, t).buffer]->data[i * sizeof(T)], &value, sizeof(T));
        });
      }
    }
    for (const T value : values) {
      Add(StrCat("tensor ", t, " is full of ", value), [=](ModelT& m) {
        for (size_t i = 0; i < count; ++i) {
          std::memcpy(&m.buffers[TensorOf(m, t).buffer]->data[i * sizeof(T)], &value, sizeof(T));
        }
      });
    }
  }
  void FloatsOf(size_t t) {
    const size_t count = model_.buffers[tensor(t).buffer]->data.size() / sizeof(float);
    const float values[] = {NAN, INFINITY, -INFINITY, 3e38f, -1};
    for (const float value : values) {
      Add(StrCat("tensor ", t, " is full of ", value), [=](ModelT& m) {
        for (size_t i = 0; i < count; ++i) {
          std::memcpy(&m.buffers[TensorOf(m, t).buffer]->data[i * sizeof(float)], &value,
                      sizeof(float));
        }
      });
    }
  }

  // Overwrites every field of the options in the file, in place. A model that the verifier then
  // rejects does not count.
  void Options() {
    id_ = "CVE-2021-29594, CVE-2018-8825";
    flatbuffers::FlatBufferBuilder builder;
    builder.ForceDefaults(true);
    tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model_));
    const auto bytes = std::make_shared<std::vector<uint8_t>>(
        builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
    const tflite::Model& file = *tflite::GetModel(bytes->data());
    const tflite::Operator& node = *file.subgraphs()->Get(0)->operators()->Get(0);
    for (const void* options : {node.builtin_options(), node.builtin_options_2()}) {
      if (options == nullptr) continue;
      const auto* table = static_cast<const flatbuffers::Table*>(options);
      const auto start =
          static_cast<size_t>(reinterpret_cast<const uint8_t*>(table) - bytes->data());
      const auto vtable = static_cast<size_t>(table->GetVTable() - bytes->data());
      const size_t slots = flatbuffers::ReadScalar<uint16_t>(table->GetVTable()) / 2;
      for (size_t slot = 2; slot < slots; ++slot) {
        const auto offset = flatbuffers::ReadScalar<uint16_t>(&(*bytes)[vtable + 2 * slot]);
        if (offset == 0) continue;
        Overwrites(bytes, slot - 2, start + offset);
      }
      Vectors(bytes, *table);
    }
    Add("no options", [](ModelT& m) { OperatorOf(m).builtin_options.Reset(); });
    Add("other options",
        [](ModelT& m) { OperatorOf(m).builtin_options.Set(tflite::CallOptionsT()); });
  }
  using SharedBytes = std::shared_ptr<std::vector<uint8_t>>;

  void Overwrite(const std::string& what, const SharedBytes& bytes, size_t at, uint64_t value,
                 size_t size) {
    Add(what, [=](ModelT& m) {
      std::vector<uint8_t> changed = *bytes;
      std::memcpy(&changed[at], &value, size);
      flatbuffers::Verifier verifier(changed.data(), changed.size());
      if (!tflite::VerifyModelBuffer(verifier) || HasMisplacedInt64s(changed)) return;
      m = ModelT();
      tflite::GetModel(changed.data())->UnPackTo(&m);
    });
  }
  // Whether something that may be a list of 64-bit elements lies where such elements must not. The
  // object API, through which a mutation goes, reads them in place.
  static bool HasMisplacedInt64s(const std::vector<uint8_t>& bytes) {
    const tflite::Operator& node =
        *tflite::GetModel(bytes.data())->subgraphs()->Get(0)->operators()->Get(0);
    const auto* table = static_cast<const flatbuffers::Table*>(node.builtin_options_2());
    if (table == nullptr) return false;
    const size_t slots = flatbuffers::ReadScalar<uint16_t>(table->GetVTable()) / 2;
    for (size_t slot = 2; slot < slots; ++slot) {
      const auto field = static_cast<flatbuffers::voffset_t>(2 * slot);
      const uint8_t* at = table->GetAddressOf(field);
      if (at == nullptr || at + 4 > bytes.data() + bytes.size()) continue;
      const size_t list =
          static_cast<size_t>(at - bytes.data()) + flatbuffers::ReadScalar<uint32_t>(at);
      if (list % 4 != 0 || list + 4 > bytes.size() || (list + 4) % 8 == 0) continue;
      const uint64_t count = flatbuffers::ReadScalar<uint32_t>(&bytes[list]);
      if (count > 0 && list + 4 + 8 * count <= bytes.size()) return true;
    }
    return false;
  }

  void Overwrites(const SharedBytes& bytes, size_t field, size_t at) {
    for (const int32_t value : {0, -1, 1, 2, 3, 4, 5, 100, kMin, kMax, 65536, 65537}) {
      Overwrite(StrCat("option ", field, " = ", value), bytes, at, static_cast<uint32_t>(value), 4);
    }
    for (const uint32_t value : {2, 3, 9, 127, 128, 255}) {
      Overwrite(StrCat("option ", field, " = byte ", value), bytes, at, value, 1);
    }
  }
  // Elements of lists of 32 or 64 bits: the same bytes either way.
  void Vectors(const SharedBytes& bytes, const flatbuffers::Table& table) {
    const size_t slots = flatbuffers::ReadScalar<uint16_t>(table.GetVTable()) / 2;
    for (size_t slot = 2; slot < slots; ++slot) {
      const auto field = static_cast<flatbuffers::voffset_t>(2 * slot);
      const auto* to = table.GetPointer<const uint8_t*>(field);
      if (to == nullptr || to < bytes->data() || to + 4 > bytes->data() + bytes->size()) continue;
      const auto at = static_cast<size_t>(to - bytes->data());
      const auto count = flatbuffers::ReadScalar<uint32_t>(to);
      if (count == 0 || count > 8) continue;
      for (size_t i = 0; i < 2 * count && at + 12 + 4 * i <= bytes->size(); ++i) {
        for (const int64_t value : {int64_t{-1}, int64_t{0}, int64_t{7}, INT64_MAX, INT64_MIN}) {
          Overwrite(StrCat("option ", slot - 2, "[", i, "] = ", value), bytes, at + 4 + 4 * i,
                    static_cast<uint64_t>(value), 8);
        }
      }
    }
  }

  void CustomOptions() {
    id_ = "issue 111638";
    const size_t size = op().custom_options.size();
    for (size_t length = 0; length < size; ++length) {
      Add(StrCat("custom options of ", length),
          [=](ModelT& m) { OperatorOf(m).custom_options.resize(length); });
      for (const uint8_t bits : {0xFF, 0x80, 0x7F, 0x01}) {
        Add(StrCat("custom option byte ", length),
            [=](ModelT& m) { OperatorOf(m).custom_options[length] ^= bits; });
      }
    }
  }

  const ModelT& model_;
  std::string id_;
  std::vector<Mutation> mutations_;
};

}  // namespace

void FitData(ModelT& model, size_t t) {
  TensorT& tensor = TensorOf(model, t);
  if (!IsConstant(tensor)) return;
  int64_t count = 1;
  for (const int32_t size : tensor.shape) {
    if (size < 0 || size > 64) return;
    count *= size;
  }
  if (count > 1 << 16) return;
  std::vector<uint8_t>& data = model.buffers[tensor.buffer]->data;
  const std::vector<uint8_t> old = data;
  data.resize(static_cast<size_t>(PackedBytes(tensor.type, count)));
  for (size_t i = old.size(); i < data.size(); ++i) data[i] = old.empty() ? 0 : old[i % old.size()];
}

std::vector<Mutation> MutationsOf(const ModelT& model) { return Collector(model).Take(); }

}  // namespace tern::testing
