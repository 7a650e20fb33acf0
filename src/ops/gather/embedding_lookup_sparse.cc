// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP_SPARSE: a sparse tensor of ids (INT32): their values [n], indices [n, rank] and
// dense shape [rank], a weight per id (FLOAT32) and embeddings [rows, ...] -> per place of the
// dense shape without its last axis the weighted sum of the embeddings of the ids there, divided by
// the sum of their weights (MEAN) or by the root of the sum of its squares (SQRTN). Ids of one
// place that do not follow each other are divided each time, as in TensorFlow Lite.
#include <algorithm>
#include <cmath>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

enum SparseLookupInput { kIds, kIndices, kDenseShape, kWeights, kEmbeddings };

class EmbeddingLookupSparse : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "EMBEDDING_LOOKUP_SPARSE"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }
};

Status Resize(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(Shape shape, ReadIntegers(call.input(kDenseShape), "dense shape"));
  const Shape embeddings = ShapeOf(call.input(kEmbeddings));
  shape.pop_back();
  shape.insert(shape.end(), embeddings.begin() + 1, embeddings.end());
  return call.SetShape(call.output(0), shape);
}

Status EmbeddingLookupSparse::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(call.CheckOperands(5, 5, 1));
  const struct {
    int input;
    TfLiteType type;
    int rank;
    const char* what;
  } rules[] = {{kIds, kTfLiteInt32, 1, "ids"},
               {kIndices, kTfLiteInt32, 2, "indices"},
               {kDenseShape, kTfLiteInt32, 1, "dense shape"},
               {kWeights, kTfLiteFloat32, 1, "weights"}};
  for (const auto& [input, type, rank, what] : rules) {
    TERN_RETURN_IF_ERROR(CheckType(call.input(input), type, what));
    TERN_RETURN_IF_ERROR(CheckRank(call.input(input), rank, what));
  }
  const TfLiteTensor *indices = call.input(kIndices), *embeddings = call.input(kEmbeddings);
  TERN_RETURN_IF_ERROR(CheckType(embeddings, kTfLiteFloat32, "embeddings"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  if (Rank(embeddings) < 2) {
    return Invalid("embeddings must have a rank of at least 2 (", Rank(embeddings), ")");
  }
  const int64_t count = Dim(call.input(kIds), 0);
  if (Dim(indices, 0) != count || Dim(call.input(kWeights), 0) != count) {
    return Invalid("there must be indices and a weight per id (", Dim(indices, 0), ", ",
                   Dim(call.input(kWeights), 0), ", ids ", count, ")");
  }
  if (Dim(indices, 1) < 1 || Dim(call.input(kDenseShape), 0) != Dim(indices, 1)) {
    return Invalid("there must be an index per axis of the dense shape (", Dim(indices, 1), ", ",
                   Dim(call.input(kDenseShape), 0), ")");
  }
  if (IsConstant(call.input(kDenseShape))) return Resize(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

// The rows that were added to one place so far: their count and weights.
struct Place {
  int64_t number = 0;
  int64_t count = 0;
  float weights = 0, squares = 0;

  void Divide(TfLiteCombinerType combiner, float* row, int64_t size) const {
    if (combiner == kTfLiteCombinerTypeSum || count == 0) return;
    const float by = combiner == kTfLiteCombinerTypeMean ? weights : std::sqrt(squares);
    for (int64_t i = 0; i < size; ++i) row[i] /= by;
  }
};

// The place that a row of indices names; the index of the last axis orders ids within it.
StatusOr<int64_t> PlaceOf(const TfLiteTensor* indices, int64_t row, const int32_t* dense) {
  const int64_t rank = Dim(indices, 1);
  const int32_t* index = Data<int32_t>(indices) + row * rank;
  int64_t place = 0;
  for (int64_t axis = 0; axis + 1 < rank; ++axis) {
    if (index[axis] < 0 || index[axis] >= dense[axis]) {
      return Invalid("an index is out of range (", index[axis], ", limit ", dense[axis], ")");
    }
    place = place * dense[axis] + index[axis];
  }
  return place;
}

Status EmbeddingLookupSparse::Eval(const OpCall& call) {
  TfLiteTensor* output = call.output(0);
  if (IsDynamic(output)) TERN_RETURN_IF_ERROR(Resize(call));
  constexpr const char* kNames[] = {"ids", "indices", "dense shape", "weights", "embeddings"};
  for (int i = 0; i < 5; ++i) TERN_RETURN_IF_ERROR(CheckData(call.input(i), kNames[i]));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  const TfLiteTensor *ids = call.input(kIds), *embeddings = call.input(kEmbeddings);
  const auto combiner = call.params<TfLiteEmbeddingLookupSparseParams>().combiner;
  const int64_t rows = Dim(embeddings, 0);
  const int64_t size = rows == 0 ? 0 : Elements(embeddings) / rows;
  float* out = MutableData<float>(output);
  std::fill_n(out, Elements(output), 0.0f);
  Place place;
  for (int64_t i = 0; i < Dim(ids, 0); ++i) {
    const int32_t id = Data<int32_t>(ids)[i];
    if (id < 0 || id >= rows) return Invalid("an id is out of range (", id, ", limit ", rows, ")");
    TERN_ASSIGN_OR_RETURN(const int64_t number,
                          PlaceOf(call.input(kIndices), i, Data<int32_t>(call.input(kDenseShape))));
    if (number != place.number) {
      place.Divide(combiner, out + place.number * size, size);
      place = {number};
    }
    const float weight = Data<float>(call.input(kWeights))[i];
    ++place.count;
    place.weights += weight;
    place.squares += weight * weight;
    const float* from = Data<float>(embeddings) + id * size;
    float* to = out + number * size;
    for (int64_t k = 0; k < size; ++k) to[k] += from[k] * weight;
  }
  place.Divide(combiner, out + place.number * size, size);
  return OkStatus();
}

}  // namespace

TfLiteRegistration EmbeddingLookupSparseRegistration(OpForm form) {
  return MakeRegistration<EmbeddingLookupSparse>(form);
}

}  // namespace tern
