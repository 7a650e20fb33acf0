// SPDX-License-Identifier: Apache-2.0
// Parameters of the StableHLO ops.

#include <cstring>

#include "model/read_params_internal.h"

namespace tern {
Status Fill(const tflite::StablehloConcatenateOptions& from, TfLiteStablehloConcatenateParams& to) {
  to.dimension = from.dimension();
  return OkStatus();
}

Status Fill(const tflite::StablehloScatterOptions& from, TfLiteStablehloScatterParams& to) {
  to.indices_are_sorted = from.indices_are_sorted();
  to.index_vector_dim = from.index_vector_dim();
  to.unique_indices = from.unique_indices();
  to.update_computation_subgraph_index = from.update_computation_subgraph_index();
  TERN_RETURN_IF_ERROR(ReadList("update_window_dims", from.update_window_dims(),
                                to.update_window_dims, to.num_update_window_dims));
  TERN_RETURN_IF_ERROR(ReadList("inserted_window_dims", from.inserted_window_dims(),
                                to.inserted_window_dims, to.num_inserted_window_dims));
  return ReadList("scatter_dims_to_operand_dims", from.scatter_dims_to_operand_dims(),
                  to.scatter_dims_to_operand_dims, to.num_scatter_dims_to_operand_dims);
}

Status Fill(const tflite::StablehloGatherOptions& from, TfLiteStablehloGatherParams& to) {
  to.index_vector_dim = from.index_vector_dim();
  to.indices_are_sorted = from.indices_are_sorted();
  TERN_RETURN_IF_ERROR(
      ReadList("offset_dims", from.offset_dims(), to.offset_dims, to.num_offset_dims));
  TERN_RETURN_IF_ERROR(ReadList("collapsed_slice_dims", from.collapsed_slice_dims(),
                                to.collapsed_slice_dims, to.num_collapsed_slice_dims));
  TERN_RETURN_IF_ERROR(ReadList("start_index_map", from.start_index_map(), to.start_index_map,
                                to.num_start_index_map));
  return ReadList("slice_sizes", from.slice_sizes(), to.slice_sizes, to.num_slice_sizes);
}

namespace {

// A list with `per_dimension` entries for each window dimension; an absent one means `value`
// throughout.
template <size_t kCapacity>
Status ReadWindowList(const char* name, const flatbuffers::Vector<int64_t>* from, int rank,
                      int per_dimension, int64_t value, int64_t (&to)[kCapacity]) {
  if (SizeOf(from) == 0) {
    for (int64_t& element : to) element = value;
    return OkStatus();
  }
  int count = 0;
  TERN_RETURN_IF_ERROR(ReadList(name, from, to, count));
  if (count != rank * per_dimension) {
    return Invalid(name, " has the wrong length (", count, ", ", rank * per_dimension, ")");
  }
  return OkStatus();
}

}  // namespace

Status Fill(const tflite::StablehloReduceWindowOptions& from,
            TfLiteStablehloReduceWindowParams& to) {
  to.body_subgraph_index = from.body_subgraph_index();
  int rank = 0;
  TERN_RETURN_IF_ERROR(
      ReadList("window_dimensions", from.window_dimensions(), to.window_dimensions, rank));
  if (rank == 0) return Invalid("window_dimensions is missing");
  TERN_RETURN_IF_ERROR(
      ReadWindowList("window_strides", from.window_strides(), rank, 1, 1, to.window_strides));
  TERN_RETURN_IF_ERROR(
      ReadWindowList("base_dilations", from.base_dilations(), rank, 1, 1, to.base_dilations));
  TERN_RETURN_IF_ERROR(
      ReadWindowList("window_dilations", from.window_dilations(), rank, 1, 1, to.window_dilations));
  return ReadWindowList("padding", from.padding(), rank, 2, 0, to.padding);
}

Status Fill(const tflite::StablehloPadOptions& from, TfLiteStablehloPadParams& to) {
  int low = 0;
  int high = 0;
  int interior = 0;
  TERN_RETURN_IF_ERROR(
      ReadList("edge_padding_low", from.edge_padding_low(), to.edge_padding_low, low));
  TERN_RETURN_IF_ERROR(
      ReadList("edge_padding_high", from.edge_padding_high(), to.edge_padding_high, high));
  TERN_RETURN_IF_ERROR(
      ReadList("interior_padding", from.interior_padding(), to.interior_padding, interior));
  if (low != high || low != interior) {
    return Invalid("padding lists differ in length (", low, ", ", high, ", ", interior, ")");
  }
  return OkStatus();
}

Status Fill(const tflite::StablehloRngBitGeneratorOptions& from,
            TfLiteStablehloRngBitGeneratorParams& to) {
  switch (from.algorithm()) {
    case tflite::RngAlgorithm_DEFAULT:
      to.algorithm = kTfLiteRngAlgorithmDefault;
      return OkStatus();
    case tflite::RngAlgorithm_PHILOX:
      to.algorithm = kTfLiteRngAlgorithmPhilox;
      return OkStatus();
    case tflite::RngAlgorithm_THREEFRY:
      to.algorithm = kTfLiteRngAlgorithmThreefry;
      return OkStatus();
  }
  return Invalid("unknown random algorithm (", static_cast<int>(from.algorithm()), ")");
}

Status Fill(const tflite::StablehloCaseOptions& from, TfLiteStablehloCaseParams& to) {
  int count = 0;
  TERN_RETURN_IF_ERROR(ReadList("branch_subgraph_indices", from.branch_subgraph_indices(),
                                to.branch_subgraph_indices, count));
  to.num_branches = static_cast<uint32_t>(count);
  return OkStatus();
}

// The attributes and the name lie after the struct.
template <>
StatusOr<void*> Read<tflite::StableHLOCompositeOptions, TfLiteStablehloCompositeParams>(
    const tflite::Operator& op) {
  const auto* options = op.builtin_options_2_as_StableHLOCompositeOptions();
  const auto* name = options != nullptr ? options->name() : nullptr;
  const auto* attributes = options != nullptr ? options->composite_attributes() : nullptr;
  const size_t attributes_size = SizeOf(attributes);
  auto* params = NewParams<TfLiteStablehloCompositeParams>(attributes_size + SizeOf(name) + 1);
  if (params == nullptr) return NoParamsMemory();
  auto* after = reinterpret_cast<uint8_t*>(params + 1);
  if (attributes_size > 0) std::memcpy(after, attributes->data(), attributes_size);
  params->attributes = after;
  params->attributes_size = attributes_size;
  char* text = reinterpret_cast<char*>(after + attributes_size);
  if (name != nullptr) std::memcpy(text, name->c_str(), name->size());
  params->name = text;
  if (options != nullptr) {
    params->subgraph_index = options->decomposition_subgraph_index();
    params->version = options->version();
  }
  return static_cast<void*>(params);
}

}  // namespace tern
