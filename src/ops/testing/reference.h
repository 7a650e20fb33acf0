// SPDX-License-Identifier: Apache-2.0
// A float model evaluated in double precision, together with the error that an engine may make at
// each element: what it inherits from its operands plus what the op's own arithmetic and the
// storage of its result may add. One model of rounding serves all engines, so a case needs no
// tolerance of its own and whole graphs can be judged.
#ifndef TERN_OPS_TESTING_REFERENCE_H_
#define TERN_OPS_TESTING_REFERENCE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/tensor/half.h"
#include "ops/testing/reference_custom.h"
#include "ops/testing/reference_elementwise.h"
#include "ops/testing/reference_moves.h"
#include "ops/testing/reference_recurrent.h"
#include "ops/testing/reference_sparse.h"
#include "ops/testing/reference_sums.h"
#include "ops/testing/reference_tensor.h"
#include "ops/testing/reference_volumes.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

// Evaluates the primary subgraph of a model whose tensors have known shapes.
class Reference {
 public:
  Reference(const tflite::ModelT& model, Rounding rounding)
      : model_(model),
        graph_(*model.subgraphs[0]),
        arithmetic_(rounding.arithmetic),
        rounding_(rounding) {}

  // The outputs for the inputs given, in the model's order. Ops without a reference are an error
  // of the test: the result is empty.
  std::vector<RefTensor> Run(const std::vector<std::vector<float>>& inputs) {
    tensors_.assign(graph_.tensors.size(), {});
    for (size_t t = 0; t < graph_.tensors.size(); ++t) ReadConstant(t);
    for (size_t i = 0; i < inputs.size(); ++i) {
      RefTensor& t = tensors_[graph_.inputs[i]];
      t = Shaped(graph_.inputs[i]);
      t.value.assign(inputs[i].begin(), inputs[i].end());
      Store(t);  // an op may repack what it reads
    }
    for (const auto& op : graph_.operators) {
      // Integers and BOOL values are not rounded.
      const bool rounds = graph_.tensors[op->outputs[0]]->type == tflite::TensorType_FLOAT32;
      rounding_.arithmetic = rounds ? arithmetic_ : 0;
      if (!Apply(*op)) return {};
      for (const int output : op->outputs) {
        for (double& e : tensors_[output].error) {
          if (std::isnan(e)) e = std::numeric_limits<double>::infinity();
        }
        // Ints and BOOL values are exact in memory.
        if (graph_.tensors[output]->type == tflite::TensorType_FLOAT32) Store(tensors_[output]);
      }
    }
    std::vector<RefTensor> outputs;
    for (const int t : graph_.outputs) outputs.push_back(tensors_[t]);
    return outputs;
  }

 private:
  RefTensor Shaped(int index) const {
    const std::vector<int32_t>& shape = graph_.tensors[index]->shape;
    return RefTensor(std::vector<int64_t>(shape.begin(), shape.end()));
  }

  void ReadConstant(size_t index) {
    const tflite::TensorT& from = *graph_.tensors[index];
    const std::vector<uint8_t>& bytes = model_.buffers[from.buffer]->data;
    if (from.is_variable) tensors_[index] = Shaped(static_cast<int>(index));
    if (bytes.empty()) return;
    RefTensor t = Shaped(static_cast<int>(index));
    const auto read = [&](auto v, size_t i) {
      std::memcpy(&v, &bytes[sizeof v * i], sizeof v);
      return v;
    };
    const bool sparse = from.sparsity != nullptr;
    const std::vector<size_t> places = sparse ? StoredPlaces(from) : std::vector<size_t>();
    for (size_t i = 0; i < (sparse ? places.size() : t.value.size()); ++i) {
      double& value = t.value[sparse ? places[i] : i];
      switch (from.type) {
        case tflite::TensorType_FLOAT32:
          value = read(float{}, i);
          break;
        case tflite::TensorType_FLOAT16:
          value = HalfToFloat(read(uint16_t{}, i));
          break;
        case tflite::TensorType_INT32:
          value = read(int32_t{}, i);
          break;
        case tflite::TensorType_INT64:
          value = static_cast<double>(read(int64_t{}, i));
          break;
        case tflite::TensorType_BOOL:
          value = read(uint8_t{}, i);
          break;
        default:
          break;
      }
    }
    if (from.type == tflite::TensorType_FLOAT32) Store(t);
    tensors_[index] = std::move(t);
  }

  // Adds the rounding error of values that are stored in memory.
  void Store(RefTensor& t) const {
    if (rounding_.storage == 0) return;
    for (size_t i = 0; i < t.value.size(); ++i) {
      const double v = std::fabs(t.value[i]);
      t.error[i] += v * rounding_.storage + std::ldexp(1, -25);
      // Beyond the largest half nothing is promised.
      if (v + t.error[i] > 65000) t.error[i] = std::numeric_limits<double>::infinity();
    }
  }

  const RefTensor* In(const tflite::OperatorT& op, size_t i) const {
    return i < op.inputs.size() && op.inputs[i] >= 0 ? &tensors_[op.inputs[i]] : nullptr;
  }

  bool Apply(const tflite::OperatorT& op) {
    RefTensor out = Shaped(op.outputs[0]);
    const auto code = model_.operator_codes[op.opcode_index]->builtin_code;
    switch (code) {
      case tflite::BuiltinOperator_CONV_2D:
        Convolve(op, Given(op.builtin_options.AsConv2DOptions()), false, out);
        break;
      case tflite::BuiltinOperator_DEPTHWISE_CONV_2D:
        Convolve(op, Given(op.builtin_options.AsDepthwiseConv2DOptions()), true, out);
        break;
      case tflite::BuiltinOperator_TRANSPOSE_CONV: {
        const auto& o = Given(op.builtin_options.AsTransposeConvOptions());
        RefWindow w{o.stride_h, o.stride_w, 1, 1, 0, 0};
        // Padded like the convolution that leads from the output to the input.
        w.Pad(true, out, *In(op, 1), *In(op, 2));
        TransposedConvolution(*In(op, 2), *In(op, 1), In(op, 3), w, rounding_, out);
        Clamp(o.fused_activation_function, out);
        break;
      }
      case tflite::BuiltinOperator_AVERAGE_POOL_2D:
      case tflite::BuiltinOperator_L2_POOL_2D:
      case tflite::BuiltinOperator_MAX_POOL_2D: {
        const auto& o = Given(op.builtin_options.AsPool2DOptions());
        RefTensor filter({1, o.filter_height, o.filter_width, 1});
        RefWindow w{o.stride_h, o.stride_w, 1, 1, 0, 0};
        w.Pad(o.padding == tflite::Padding_SAME, *In(op, 0), filter, out);
        const bool squares = code == tflite::BuiltinOperator_L2_POOL_2D;
        Pool(squares ? Squares(*In(op, 0)) : *In(op, 0), w, o.filter_height, o.filter_width,
             squares || code == tflite::BuiltinOperator_AVERAGE_POOL_2D, rounding_, out);
        if (squares) TakeRoots(rounding_, out);
        Clamp(o.fused_activation_function, out);
        break;
      }
      case tflite::BuiltinOperator_ADD:
        Binary(*In(op, 0), *In(op, 1), false, rounding_, out);
        Clamp(Given(op.builtin_options.AsAddOptions()).fused_activation_function, out);
        break;
      case tflite::BuiltinOperator_MUL:
        Binary(*In(op, 0), *In(op, 1), true, rounding_, out);
        Clamp(Given(op.builtin_options.AsMulOptions()).fused_activation_function, out);
        break;
      case tflite::BuiltinOperator_RELU:
        Move(*In(op, 0), out);
        Clamp(tflite::ActivationFunctionType_RELU, out);
        break;
      case tflite::BuiltinOperator_RELU6:
        Move(*In(op, 0), out);
        Clamp(tflite::ActivationFunctionType_RELU6, out);
        break;
      case tflite::BuiltinOperator_LEAKY_RELU:
        LeakyRelu(*In(op, 0), Given(op.builtin_options.AsLeakyReluOptions()).alpha, rounding_, out);
        break;
      case tflite::BuiltinOperator_LOGISTIC:
        Logistic(*In(op, 0), rounding_, out);
        break;
      case tflite::BuiltinOperator_RESHAPE:
      case tflite::BuiltinOperator_DENSIFY:
      case tflite::BuiltinOperator_DEQUANTIZE:  // of halves
        Move(*In(op, 0), out);
        break;
      case tflite::BuiltinOperator_CONCATENATION:
        Concatenate(op, out);
        break;
      case tflite::BuiltinOperator_PAD: {
        std::vector<int64_t> begin;
        for (size_t d = 0; d < out.shape.size(); ++d) {
          begin.push_back(static_cast<int64_t>(In(op, 1)->value[2 * d]));
        }
        Place(*In(op, 0), begin, out);
        break;
      }
      case tflite::BuiltinOperator_RESIZE_BILINEAR: {
        const auto& o = Given(op.builtin_options.AsResizeBilinearOptions());
        ResizeBilinear(*In(op, 0), o.align_corners, o.half_pixel_centers, rounding_, out);
        break;
      }
      case tflite::BuiltinOperator_SOFTMAX:
        Softmax(*In(op, 0), Given(op.builtin_options.AsSoftmaxOptions()).beta, rounding_, out);
        break;
      default:
        if (!ApplySum(code, op, out) && !ApplyElements(code, op, out)) return ApplyMove(code, op);
    }
    tensors_[op.outputs[0]] = std::move(out);
    return true;
  }

  bool ApplySum(tflite::BuiltinOperator code, const tflite::OperatorT& op, RefTensor& out) {
    std::vector<const RefTensor*> inputs;
    for (size_t i = 0; i < op.inputs.size(); ++i) inputs.push_back(In(op, i));
    if (!SumElements(code, op, inputs, rounding_, out) &&
        !VolumeElements(code, op, inputs, rounding_, out)) {
      return false;
    }
    if (const auto* o = op.builtin_options.AsConv3DOptions()) {
      Clamp(o->fused_activation_function, out);
    }
    if (code == tflite::BuiltinOperator_FULLY_CONNECTED) {
      Clamp(Given(op.builtin_options.AsFullyConnectedOptions()).fused_activation_function, out);
    }
    return true;
  }

  bool ApplyElements(tflite::BuiltinOperator code, const tflite::OperatorT& op, RefTensor& out) {
    const RefTensor& x = *In(op, 0);
    switch (code) {
      case tflite::BuiltinOperator_CAST:
        CastElements(x, graph_.tensors[op.outputs[0]]->type, out);
        return true;
      case tflite::BuiltinOperator_L2_NORMALIZATION:
        L2Normalize(x, rounding_, out);
        return true;
      case tflite::BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION:
        NormalizeLocally(x, Given(op.builtin_options.AsLocalResponseNormalizationOptions()),
                         rounding_, out);
        return true;
      case tflite::BuiltinOperator_ADD_N: {
        std::vector<const RefTensor*> operands;
        for (size_t i = 0; i < op.inputs.size(); ++i) operands.push_back(In(op, i));
        AddAll(operands, rounding_, out);
        return true;
      }
      case tflite::BuiltinOperator_LOG_SOFTMAX:
        LogSoftmax(x, rounding_, out);
        return true;
      case tflite::BuiltinOperator_ARG_MAX:
      case tflite::BuiltinOperator_ARG_MIN:
        ArgExtreme(x, static_cast<int64_t>(In(op, 1)->value[0]),
                   code == tflite::BuiltinOperator_ARG_MAX, out);
        return true;
      default:
        break;
    }
    if (const RefFunction* function = FindRefFunction(code)) {
      ApplyRefFunction(*function, x, rounding_, out);
      return true;
    }
    std::vector<const RefTensor*> inputs;
    for (size_t i = 0; i < op.inputs.size(); ++i) inputs.push_back(In(op, i));
    if (!CombineElements(code, inputs, rounding_, out)) return false;
    if (code == tflite::BuiltinOperator_SUB)
      Clamp(Given(op.builtin_options.AsSubOptions()).fused_activation_function, out);
    if (code == tflite::BuiltinOperator_DIV)
      Clamp(Given(op.builtin_options.AsDivOptions()).fused_activation_function, out);
    return true;
  }

  bool ApplyMove(tflite::BuiltinOperator code, const tflite::OperatorT& op) {
    std::vector<const RefTensor*> inputs;
    for (size_t i = 0; i < op.inputs.size(); ++i) inputs.push_back(In(op, i));
    std::vector<RefTensor> outputs;
    for (const int output : op.outputs) outputs.push_back(Shaped(output));
    if (code == tflite::BuiltinOperator_TOPK_V2) {
      LargestOfRows(*inputs[0], outputs[0], outputs[1]);
    } else if (code == tflite::BuiltinOperator_LSTM) {
      BasicCell(inputs, rounding_, outputs);
    } else if (code == tflite::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM) {
      SequenceCell(inputs, rounding_, outputs[0]);
    } else if (code == tflite::BuiltinOperator_CUSTOM) {
      const std::string& name = model_.operator_codes[op.opcode_index]->custom_code;
      if (!CustomElements(name, op.custom_options, inputs, rounding_, outputs)) return false;
    } else if (!MoveElements(code, op, inputs, outputs)) {
      return false;
    }
    for (size_t i = 0; i < outputs.size(); ++i) tensors_[op.outputs[i]] = std::move(outputs[i]);
    return true;
  }

  template <class Options>
  void Convolve(const tflite::OperatorT& op, const Options& o, bool depthwise,
                RefTensor& out) const {
    RefWindow w{o.stride_h, o.stride_w, o.dilation_h_factor, o.dilation_w_factor, 0, 0};
    w.Pad(o.padding == tflite::Padding_SAME, *In(op, 0), *In(op, 1), out);
    Convolution(*In(op, 0), *In(op, 1), In(op, 2), w, depthwise, rounding_, out);
    Clamp(o.fused_activation_function, out);
  }

  void Concatenate(const tflite::OperatorT& op, RefTensor& out) const {
    const int rank = static_cast<int>(out.shape.size());
    int axis = Given(op.builtin_options.AsConcatenationOptions()).axis;
    if (axis < 0) axis += rank;
    std::vector<int64_t> begin(rank, 0);
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      Place(*In(op, i), begin, out);
      begin[axis] += In(op, i)->shape[axis];
    }
  }

  const tflite::ModelT& model_;
  const tflite::SubGraphT& graph_;
  const double arithmetic_;
  Rounding rounding_;  // of the operation that is applied
  std::vector<RefTensor> tensors_;
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_REFERENCE_H_
