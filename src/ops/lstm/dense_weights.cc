// SPDX-License-Identifier: Apache-2.0
// Makes sparse weights dense.
#include "ops/lstm/dense_weights.h"

#include "base/tensor/sparse_tensor.h"

namespace tern {

StatusOr<const TfLiteTensor*> DenseWeights::DenseOf(const TfLiteTensor& sparse) {
  if (!IsConstant(&sparse)) return Unsupported("sparse weights must be constant");
  auto found = tensors_.find(sparse.sparsity);
  if (found == tensors_.end()) {
    Dense dense;
    if (sparse.type == kTfLiteFloat32) {
      TERN_ASSIGN_OR_RETURN(dense.floats, DenseElements<float>(&sparse, "weights"));
    } else if (sparse.type == kTfLiteInt8 || sparse.type == kTfLiteUInt8) {
      TERN_ASSIGN_OR_RETURN(dense.bytes, DenseElements<int8_t>(&sparse, "weights"));
    } else {
      return Unsupported("sparse weights of type ", TypeText(sparse.type));
    }
    found = tensors_.emplace(sparse.sparsity, std::move(dense)).first;
  }
  Dense& dense = found->second;
  // Shape and quantization are those of the sparse tensor, which may have moved.
  dense.tensor = sparse;
  dense.tensor.sparsity = nullptr;
  if (sparse.type == kTfLiteFloat32) {
    dense.tensor.data.f = dense.floats.data();
    dense.tensor.bytes = dense.floats.size() * sizeof(float);
  } else {
    dense.tensor.data.int8 = dense.bytes.data();
    dense.tensor.bytes = dense.bytes.size();
  }
  return &dense.tensor;
}

Status DenseWeights::Replace(LstmOperands& operands) {
  Status status = OkStatus();
  ForEachWeight(operands, [&](const TfLiteTensor*& operand) {
    if (!status.ok() || operand == nullptr || !IsSparse(operand)) return;
    StatusOr<const TfLiteTensor*> dense = DenseOf(*operand);
    if (dense.ok()) operand = *dense;
    status = dense.status();
  });
  return status;
}

}  // namespace tern
