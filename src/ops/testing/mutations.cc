// SPDX-License-Identifier: Apache-2.0
#include "ops/testing/mutations.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/str_cat.h"
#include "model/tensor_types.h"
#include "ops/testing/mutation_list.h"

namespace tern::testing {
namespace {

using tflite::ModelT;
using tflite::TensorT;

// Inputs that may be absent. On the GPU alone some shapes follow from the output.
Fails WhenAbsent(const MutationList& list, size_t input) {
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
  const auto& codes = list.model().operator_codes;
  if (list.op().opcode_index >= codes.size()) return Fails::kMaybe;
  const tflite::OperatorCodeT& code = *codes[list.op().opcode_index];
  const bool custom = code.builtin_code == tflite::BuiltinOperator_CUSTOM;
  const std::string name =
      custom ? code.custom_code : tflite::EnumNameBuiltinOperator(code.builtin_code);
  if (name == "BIDIRECTIONAL_SEQUENCE_LSTM" && input > 0) return Fails::kMaybe;  // many forms
  const auto found = optional.find(name);
  const bool may_be_absent = found != optional.end() && found->second.count(input) != 0;
  return may_be_absent ? Fails::kMaybe : Fails::kUnlessAlone;
}

void AddInputs(MutationList& list) {
  const Site at = list.site;
  const std::vector<int32_t>& inputs = list.op().inputs;
  const auto count = static_cast<int32_t>(list.graph().tensors.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::vector<int32_t> bad = {-1, -2, kMin, count, count + 1, kMax};
    bad.insert(bad.end(), list.op().outputs.begin(), list.op().outputs.end());
    for (const int32_t index : list.WithIndices(std::move(bad))) {
      list.Add(
          StrCat("input ", i, " -> ", index),
          [=](ModelT& m) { at.OperatorOf(m).inputs[i] = index; },
          index == -1 ? WhenAbsent(list, i) : Fails::kAlways);
    }
    for (size_t other = 0; other < inputs.size(); ++other) {
      if (other == i || inputs.size() > 6) continue;
      list.Add(StrCat("input ", i, " -> input ", other),
               [=](ModelT& m) { at.OperatorOf(m).inputs[i] = at.OperatorOf(m).inputs[other]; });
    }
  }
}

void AddOutputs(MutationList& list) {
  const Site at = list.site;
  const auto count = static_cast<int32_t>(list.graph().tensors.size());
  for (size_t o = 0; o < list.op().outputs.size(); ++o) {
    std::vector<int32_t> bad = {-1, -2, kMin, count, count + 1, kMax};
    for (const int32_t input : list.op().inputs) {
      if (input >= 0) bad.push_back(input);
    }
    for (const int32_t index : list.WithIndices(std::move(bad))) {
      list.Add(
          StrCat("output ", o, " -> ", index),
          [=](ModelT& m) { at.OperatorOf(m).outputs[o] = index; },
          index == -1 ? Fails::kMaybe : Fails::kAlways);
    }
  }
}

// Inputs and outputs of the graph.
void AddEnds(MutationList& list) {
  const Site at = list.site;
  const auto count = static_cast<int32_t>(list.graph().tensors.size());
  for (const int32_t index : list.WithIndices({-1, -2, kMin, count, kMax})) {
    list.Add(
        StrCat("graph input -> ", index), [=](ModelT& m) { at.GraphOf(m).inputs = {index}; },
        index == -1 ? Fails::kMaybe : Fails::kAsFile);  // -1 stands for an absent input
    list.Add(
        StrCat("graph output -> ", index), [=](ModelT& m) { at.GraphOf(m).outputs = {index}; },
        index == -1 ? Fails::kMaybe : Fails::kAsFile);
    if (!list.drawn()) continue;
    list.Add("a graph input more", [=](ModelT& m) { at.GraphOf(m).inputs.push_back(index); });
    list.Add("a graph output more", [=](ModelT& m) { at.GraphOf(m).outputs.push_back(index); });
  }
}

void AddCounts(MutationList& list) {
  const Site at = list.site;
  if (!list.op().inputs.empty()) {
    const size_t any = list.Below(list.op().inputs.size());
    list.Add("an input less", [=](ModelT& m) { at.OperatorOf(m).inputs.pop_back(); });
    list.Add("an input more",
             [=](ModelT& m) { at.OperatorOf(m).inputs.push_back(at.OperatorOf(m).inputs[any]); });
    list.Add("no inputs", [=](ModelT& m) { at.OperatorOf(m).inputs.clear(); });
  }
  if (!list.op().outputs.empty()) {
    list.Add(
        "no outputs", [=](ModelT& m) { at.OperatorOf(m).outputs.clear(); },
        Fails::kUnlessAlone);  // a state may be left
    list.Add(
        "outputs twice",
        [=](ModelT& m) { at.OperatorOf(m).outputs.push_back(at.OperatorOf(m).outputs[0]); },
        Fails::kAlways);
  }
}

void AddVersions(MutationList& list) {
  const size_t code = list.op().opcode_index;
  if (code >= list.model().operator_codes.size()) return;
  for (const int version : list.WithNumbers<int32_t>({-1, 0, 1, 2, 99, kMax})) {
    list.Add(StrCat("version ", version),
             [=](ModelT& m) { m.operator_codes[code]->version = version; });
  }
}

int32_t Wrapped(int64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(value)); }

// Puts `value` into elements of the constant.
template <class T>
Damage Write(Site at, size_t first, size_t count, T value) {
  return [=](ModelT& m) {
    std::vector<uint8_t>& data = m.buffers[at.TensorOf(m).buffer]->data;
    for (size_t i = first; i < first + count; ++i) {
      std::memcpy(&data[i * sizeof(T)], &value, sizeof(T));
    }
  };
}

template <class T>
void AddNumbersOf(MutationList& list) {
  const std::vector<T> some = list.WithNumbers<T>({-100000,
                                                   -9,
                                                   -5,
                                                   -2,
                                                   -1,
                                                   0,
                                                   1,
                                                   2,
                                                   3,
                                                   4,
                                                   5,
                                                   8,
                                                   9,
                                                   10,
                                                   1 << 16,
                                                   1 << 30,
                                                   T{kMax},
                                                   T{kMin},
                                                   kMax - 1,
                                                   kMin + 1,
                                                   std::numeric_limits<T>::max(),
                                                   std::numeric_limits<T>::min()});
  const std::set<T> values(some.begin(), some.end());
  const size_t t = list.site.tensor, count = list.data()->size() / sizeof(T);
  const size_t from = list.Below(count);
  for (size_t i = from; i < std::min(count, from + 4); ++i) {
    for (const T value : values) {
      list.Add(StrCat("tensor ", t, "[", i, "] = ", value), Write(list.site, i, 1, value));
    }
  }
  for (const T value : values) {
    list.Add(StrCat("tensor ", t, " is full of ", value), Write(list.site, 0, count, value));
  }
}

}  // namespace

void AddOperands(MutationList& list) {
  if (!list.has_op()) return;
  list.SetId(
      "CVE-2020-15210, CVE-2020-15211, "
      "CVE-2021-37681, CVE-2021-37688, Chromium 500050511");
  AddInputs(list);
  AddOutputs(list);
  AddEnds(list);
  AddCounts(list);
  AddVersions(list);
}

void AddShapes(MutationList& list) {
  list.SetId(
      "CVE-2021-29590, CVE-2021-29605, CVE-2021-37691, Chromium 493099940, "
      "LiteRT 7cf93f2c4, LiteRT 932787ad3, LiteRT 77c24d075, LiteRT edbab0764");
  const Site at = list.site;
  const std::vector<int32_t> shape = list.tensor().shape;
  const auto set = [&](const std::vector<int32_t>& to, Fails fails = Fails::kMaybe) {
    std::string text;
    for (const int32_t size : to) text += StrCat(" ", size);
    const bool fits = !list.Chance(20);
    list.Add(
        StrCat("tensor ", at.tensor, " has shape", text),
        [=](ModelT& m) {
          at.TensorOf(m).shape = to;
          if (fits) FitData(m, at.TensorOf(m));
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
    for (const int32_t size :
         list.WithNumbers<int32_t>({0, 1, Wrapped(int64_t{shape[d]} - 1),
                                    Wrapped(int64_t{shape[d]} + 1), -1, 1 << 30, kMax, kMin})) {
      to[d] = size;
      if (to != shape) set(to, size == kMin ? Fails::kAsFile : Fails::kMaybe);
    }
    if (!list.drawn()) continue;
    to = shape;
    to.erase(to.begin() + static_cast<long>(d));
    set(to);
    to = shape;
    to.insert(to.begin() + static_cast<long>(d), list.Chance(70) ? 1 : 2);
    set(to);
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
  list.Add(StrCat("tensor ", at.tensor, " has one more of each"), [=](ModelT& m) {
    for (int32_t& size : at.TensorOf(m).shape) size = Wrapped(int64_t{size} + 1);
    FitData(m, at.TensorOf(m));
  });
}

void AddTypes(MutationList& list) {
  list.SetId("CVE-2018-8825");
  const Site at = list.site;
  for (int type = 0; type <= tflite::TensorType_MAX + 1; ++type) {
    if (type == list.tensor().type) continue;
    const bool fits = type <= tflite::TensorType_MAX && !list.Chance(20);
    list.Add(
        StrCat("tensor ", at.tensor, " has type ", type),
        [=](ModelT& m) {
          at.TensorOf(m).type = static_cast<tflite::TensorType>(type);
          if (fits) FitData(m, at.TensorOf(m));
        },
        type > tflite::TensorType_MAX ? Fails::kAlways : Fails::kMaybe);
  }
  list.Add(StrCat("tensor ", at.tensor, " is a variable"),
           [=](ModelT& m) { at.TensorOf(m).is_variable = !at.TensorOf(m).is_variable; });
}

void AddQuantization(MutationList& list) {
  list.SetId("CVE-2021-37682, CVE-2022-36027");
  using Edit = std::function<void(tflite::QuantizationParametersT&)>;
  const Site at = list.site;
  const bool quantized = list.tensor().quantization != nullptr;
  const auto edit = [&](const char* what, const Edit& change) {
    list.Add(StrCat("tensor ", at.tensor, " has ", what), [=](ModelT& m) {
      auto& quantization = at.TensorOf(m).quantization;
      if (quantization == nullptr) {
        quantization = std::make_unique<tflite::QuantizationParametersT>();
        quantization->scale = {0.5f};
        quantization->zero_point = {0};
      }
      change(*quantization);
    });
  };
  if (quantized || list.drawn()) {
    list.Add(StrCat("tensor ", at.tensor, " has no quantization"),
             [=](ModelT& m) { at.TensorOf(m).quantization = nullptr; });
    edit("no scale", [](auto& q) { q.scale.clear(); });
    edit("no zero point", [](auto& q) { q.zero_point.clear(); });
    const float scales[] = {0, -1, NAN, INFINITY, 1e-45f, 1e38f, -0.0f};
    for (const float scale : scales) {
      edit("a bad scale", [=](auto& q) { q.scale.assign(q.scale.size(), scale); });
    }
    for (const int64_t zero : list.WithNumbers<int64_t>({-129, 128, int64_t{1} << 40, INT64_MIN})) {
      edit("a bad zero point", [=](auto& q) { q.zero_point.assign(q.zero_point.size(), zero); });
    }
  }
  const std::vector<int32_t>& shape = list.tensor().shape;
  for (size_t d = 0; d < shape.size() && list.drawn(); ++d) {
    if (shape[d] < 0 || shape[d] > 64) continue;
    for (const int64_t zero : list.WithNumbers<int64_t>({0})) {
      edit("scales of an axis", [=, count = static_cast<size_t>(shape[d])](auto& q) {
        q.scale.assign(count, 0.25f);
        q.zero_point.assign(count, zero);
        q.quantized_dimension = static_cast<int32_t>(d);
      });
    }
  }
  for (const size_t count : {2, 3, 4, 5, 6, 7}) {
    for (const int32_t axis : list.WithNumbers<int32_t>({0, 1, 3, -1, 9, kMax, kMin})) {
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
void AddBlocks(MutationList& list) {
  list.SetId("blocks");
  const Site at = list.site;
  const auto& quantization = list.tensor().quantization;
  if (quantization == nullptr || !quantization->details.AsBlockwiseQuantization()) return;
  using Edit = std::function<void(tflite::BlockwiseQuantizationT&)>;
  const auto edit = [&](const std::string& what, const Edit& change, Fails fails = Fails::kMaybe) {
    list.Add(
        StrCat("tensor ", at.tensor, " has ", what),
        [=](ModelT& m) { change(*at.TensorOf(m).quantization->details.AsBlockwiseQuantization()); },
        fails);
  };
  const auto count = static_cast<int32_t>(list.graph().tensors.size());
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

void AddBuffers(MutationList& list) {
  const std::vector<uint8_t>* bytes = list.data();
  if (bytes == nullptr) return;
  list.SetId("CVE-2020-15209, CVE-2021-29592, issue 124982");
  const Site at = list.site;
  const auto edit = [&](const char* what, const std::function<void(ModelT&, TensorT&)>& change,
                        Fails fails = Fails::kMaybe) {
    list.Add(
        StrCat("tensor ", at.tensor, " has ", what), [=](ModelT& m) { change(m, at.TensorOf(m)); },
        fails);
  };
  edit("no buffer", [](ModelT&, TensorT& x) { x.buffer = 0; });
  edit(
      "an unknown buffer",
      [](ModelT& m, TensorT& x) { x.buffer = static_cast<uint32_t>(m.buffers.size()); },
      Fails::kAsFile);
  edit(
      "the last buffer", [](ModelT&, TensorT& x) { x.buffer = kMax; }, Fails::kAsFile);
  for (uint32_t other = 1; other < std::min<size_t>(list.model().buffers.size(), 5); ++other) {
    edit("another buffer", [=](ModelT&, TensorT& x) { x.buffer = other; });
  }
  const auto data = [](const ModelT& m, const TensorT& x) -> std::vector<uint8_t>& {
    return m.buffers[x.buffer]->data;
  };
  const bool sparse = list.tensor().sparsity != nullptr;
  // The only byte less leaves no constant; texts are looked at in files only.
  const bool is_text = list.tensor().type == tflite::TensorType_STRING;
  const Fails when_less = sparse || bytes->size() == 1 ? Fails::kMaybe
                          : is_text                    ? Fails::kAsFile
                                                       : Fails::kAlways;
  edit(
      "a byte less",
      [=, few = bytes->empty()](ModelT& m, TensorT& x) {
        if (!few) data(m, x).pop_back();
      },
      when_less);
  edit("a byte more", [=](ModelT& m, TensorT& x) { data(m, x).push_back(1); });
  edit("an empty buffer", [=](ModelT& m, TensorT& x) { data(m, x).clear(); });
  edit("a MiB more", [=](ModelT& m, TensorT& x) { data(m, x).resize(1 << 20); });
  edit("its value at run time", [=](ModelT& m, TensorT& x) {
    x.buffer = 0;
    at.GraphOf(m).inputs.push_back(static_cast<int32_t>(at.tensor));
  });
}

// Each of the first numbers, as a constant and at run time.
void AddNumbers(MutationList& list) {
  if (list.data() == nullptr) return;
  list.SetId("CVE-2021-37687, issue 111637");
  const tflite::TensorType type = list.tensor().type;
  if (type == tflite::TensorType_FLOAT32) {
    const size_t count = list.data()->size() / sizeof(float);
    for (const float value : {NAN, INFINITY, -INFINITY, 3e38f, -1.0f}) {
      list.Add(StrCat("tensor ", list.site.tensor, " is full of ", value),
               Write(list.site, 0, count, value));
    }
  }
  if (type == tflite::TensorType_INT64) return AddNumbersOf<int64_t>(list);
  if (type == tflite::TensorType_INT32 || list.drawn()) AddNumbersOf<int32_t>(list);
}

void FitData(ModelT& model, const TensorT& tensor) {
  if (tensor.buffer == 0 || tensor.buffer >= model.buffers.size()) return;
  int64_t count = 1;
  for (const int32_t size : tensor.shape) {
    if (size < 0 || size > 64) return;
    count = std::min<int64_t>(count * size, 1 << 17);
  }
  if (count > 1 << 16) return;
  std::vector<uint8_t>& data = model.buffers[tensor.buffer]->data;
  const std::vector<uint8_t> old = data;
  data.resize(static_cast<size_t>(PackedBytes(tensor.type, count)));
  for (size_t i = old.size(); i < data.size(); ++i) data[i] = old.empty() ? 0 : old[i % old.size()];
}

std::vector<Mutation> MutationsOf(const ModelT& model) {
  MutationList list(model);
  AddOperands(list);
  for (size_t& t = list.site.tensor; list.has_tensor(); ++t) {
    for (const auto kind :
         {AddShapes, AddTypes, AddQuantization, AddBlocks, AddBuffers, AddNumbers}) {
      kind(list);
    }
  }
  AddOptions(list);
  AddCustomOptions(list);
  return list.Take();
}

}  // namespace tern::testing
